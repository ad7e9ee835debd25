"""The house: floors, sizes, and numbers that belong to the rules, read from the source itself.

A package imports only from floors below its own; packages of one floor do not import each
other; inside a package the imports are acyclic.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import skatspec
from skatspec.diagnostics import catalog

ROOT = Path(skatspec.__file__).resolve().parent
FACE = "skatspec"
# Floor and package of every module or package right under skatspec. Modules of one package
# may import each other, in one direction; packages of one floor may not.
HOUSE = {
    "cards": (0, "ground"), "diagnostics": (0, "ground"), "errors": (0, "ground"),
    "resources": (0, "ground"), "_version": (0, "ground"),
    "record": (1, "record"), "sheet": (1, "record"),
    "rules": (2, "rules"),
    "engine": (3, "engine"), "formats": (3, "formats"),
    "check": (4, "check"), "judging": (4, "check"), "settling": (4, "check"),
    "settling_answer": (4, "check"), "settling_ramsch": (4, "check"),
    "series": (4, "check"),
    "archive": (5, "archive"), "session": (5, "session"),
    "conformance": (6, "conformance"), "views": (6, "views"), "lsp": (6, "lsp"),
    "cli": (7, "cli"), "__main__": (8, "main"),
}  # fmt: skip
MOST_LINES, MOST_FUNCTION_LINES, WANTED_FUNCTION_LINES = 450, 60, 50

Import = tuple[str, bool]  # the module imported, and whether not before it is used


@cache
def modules() -> dict[str, Path]:
    """Return every module of the package by its dotted name."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = (FACE, *path.relative_to(ROOT).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(modules()[name].read_text(encoding="utf-8"))


def guarded(node: ast.AST) -> bool:
    """Say whether a statement is the `if TYPE_CHECKING:` of a module."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


def imports(name: str) -> Iterator[Import]:
    """Yield what a module imports of skatspec, for the type checker too."""
    stack: list[tuple[ast.AST, bool]] = [(tree(name), False)]
    while stack:
        node, inside = stack.pop()
        inside = inside or guarded(node)
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == FACE:
                    yield alias.name, inside
        elif isinstance(node, ast.ImportFrom):
            yield from ((target, inside) for target in targets(name, node))
        inner = inside or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        stack += [(child, inner) for child in ast.iter_child_nodes(node)]


def targets(name: str, node: ast.ImportFrom) -> Iterator[str]:
    """Yield the modules that a `from ... import ...` reaches."""
    base = node.module or ""
    if node.level:
        package = name.split(".")
        keep = len(package) - node.level + (modules()[name].name == "__init__.py")
        base = ".".join([*package[:keep], *([base] if base else [])])
    if base.split(".")[0] != FACE:
        return
    for alias in node.names:
        inner = f"{base}.{alias.name}"
        yield inner if inner in modules() else base


def place(name: str) -> tuple[int, str]:
    """Return floor and package of a module."""
    parts = name.split(".")
    return HOUSE[parts[1]]


def test_every_module_has_a_floor() -> None:
    unknown = {n.split(".")[1] for n in modules() if n != FACE} - set(HOUSE)
    assert not unknown, f"give these a floor in the house: {sorted(unknown)}"


@pytest.mark.parametrize("name", [name for name in modules() if name != FACE])
def test_a_module_imports_only_from_floors_below_or_from_its_own_package(name: str) -> None:
    floor, package = place(name)
    for target, _ in imports(name):
        if target == FACE:
            assert floor > 6, f"{name} imports the public face; only the command line may"
            continue
        below, other = place(target)
        assert below < floor or other == package, (
            f"{name} (floor {floor}, {package}) imports {target} (floor {below}, {other})"
        )


def test_the_public_face_imports_nothing_heavy_before_it_is_used() -> None:
    for target, inside in imports(FACE):
        floor, package = place(target)
        assert package != "cli" and floor < 7, f"the public face imports {target}"
        assert inside or floor == 0, f"the public face imports {target} at once"


def test_the_imports_are_acyclic() -> None:
    arrows = {
        name: {target for target, _ in imports(name) if target not in (name, FACE)}
        for name in modules()
        if name != FACE
    }
    done: set[str] = set()
    while len(done) < len(arrows):
        free = {name for name in arrows if name not in done and arrows[name] <= done}
        assert free, f"a cycle among {sorted(set(arrows) - done)}"
        done |= free


def test_the_engine_knows_no_formats_and_no_format_knows_the_rules() -> None:
    # A reader never repairs a record by asking the rules.
    for name in modules():
        reached = {target for target, _ in imports(name)}
        if name.startswith("skatspec.engine"):
            assert not [t for t in reached if t.startswith("skatspec.formats")], name
        if name.startswith("skatspec.formats"):
            barred = ("skatspec.rules", "skatspec.engine", "skatspec.check")
            assert not [t for t in reached if t.startswith(barred)], name


# --- sizes ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(modules()))
def test_a_module_stays_short(name: str) -> None:
    count = len(modules()[name].read_text(encoding="utf-8").splitlines())
    assert count <= MOST_LINES, f"{name} has {count} lines"


@pytest.mark.parametrize("name", list(modules()))
def test_a_function_stays_short(name: str) -> None:
    for node in ast.walk(tree(name)):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        assert length <= MOST_FUNCTION_LINES, f"{name}.{node.name} has {length} lines"
        if length > WANTED_FUNCTION_LINES:
            warnings.warn(f"{name}.{node.name} has {length} lines", stacklevel=1)


@pytest.mark.parametrize("name", list(modules()))
def test_a_module_says_in_its_first_line_what_lives_there(name: str) -> None:
    text = ast.get_docstring(tree(name))
    assert text and text.splitlines()[0].endswith((".", ":", "?", ";")), name


# --- numbers of the rules ---------------------------------------------------------------

# Points to win, thresholds, the values of Null, bounds of the ladder, the server's own bids.
RULE_NUMBERS = {18, 23, 30, 31, 35, 46, 59, 61, 90, 120, 171, 189, 190, 216, 240, 264}
# Base values that cannot be a count of cards or tricks.
BASE_VALUES = {9, 11, 24}
# Numbers that are something else: widths and lengths of texts, and the bids that the JSON
# reader keeps one shared step for.
ALLOWED = {
    ("skatspec.cli.explain", 90), ("skatspec.cli.text", 120), ("skatspec.formats.iss_scan", 120),
    ("skatspec.formats.record_json_shape", 18),
}  # fmt: skip


def numbers(name: str) -> Iterator[tuple[int, int]]:
    """Yield every whole number written in a module, with its line."""
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield node.value, node.lineno


@pytest.mark.parametrize("name", [n for n in modules() if not n.startswith("skatspec.rules")])
def test_no_number_of_the_rules_is_typed_in_outside_the_profiles(name: str) -> None:
    barred = RULE_NUMBERS | (BASE_VALUES if name.startswith("skatspec.engine") else set())
    found = [(v, line) for v, line in numbers(name) if v in barred and (name, v) not in ALLOWED]
    assert not found, f"{name} types in {found}: read it from the tables"


def test_the_tables_take_their_numbers_from_the_profile() -> None:
    for name in modules():
        if name.startswith("skatspec.rules"):
            assert not [n for n, _ in numbers(name) if n in RULE_NUMBERS], name


def test_no_exception_to_the_numbers_has_outlived_its_use() -> None:
    for name, value in ALLOWED:
        if name in modules():
            assert value in {number for number, _ in numbers(name)}, (name, value)


# --- weight -----------------------------------------------------------------------------

HEAVY = (
    "lark", "jsonschema", "click", "rich", "jinja2", "numpy", "numba", "pyarrow", "duckdb",
    "zstandard", "dask", "matplotlib", "pygls",
)  # fmt: skip


def loaded_by(statement: str) -> set[str]:
    """Return the heavy packages that a statement loads in a new interpreter."""
    code = f"{statement}\nimport sys\nprint(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT.parent, check=True
    )
    return set(HEAVY) & {name.split(".")[0] for name in done.stdout.split()}


def test_a_check_loads_no_heavy_package() -> None:
    assert loaded_by("import skatspec") == set()
    used = "import skatspec.check\nfrom skatspec.rules import load_rules\nload_rules('isko')"
    assert loaded_by(used) == set()


# --- codes ------------------------------------------------------------------------------

CODE = re.compile(r'"([RBDPS][0-9]{3})"')


def test_every_code_that_the_engine_raises_is_shown_by_a_test() -> None:
    raised = {
        code
        for name, path in modules().items()
        if name.startswith(("skatspec.engine", "skatspec.check"))
        for code in CODE.findall(path.read_text(encoding="utf-8"))
    }
    shown: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        if path.name != Path(__file__).name:
            shown |= set(CODE.findall(path.read_text(encoding="utf-8")))
    assert raised <= shown, sorted(raised - shown)
    assert raised <= set(catalog())
