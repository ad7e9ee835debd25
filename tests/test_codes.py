"""The catalogue of codes: complete, raised somewhere, shown by a file or by a recipe here.

A code that a file can show has a folder under records/invalid/, which test_suite.py runs;
the others - limits, conversion losses, what only a program can cause - have a recipe
below, which provokes the code. Of the codes of lists the examples are recipes: they are
run by test_codes_lists.py.
"""

from __future__ import annotations

import ast
import bz2
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

import skatspec
from skatspec import resources
from skatspec.check import check
from skatspec.conformance.cases import load_suite
from skatspec.conformance.runner import Options, run
from skatspec.diagnostics import Diagnostic, catalog, message
from skatspec.diagnostics.page import page
from skatspec.errors import InputError
from skatspec.formats import registry
from skatspec.record import Comment, Declare, Discard, Record, Result
from skatspec.rules import available, load_profile, load_rules
from tests.engines.asking import LIMITS, WRONG, asked, cases
from tests.test_codes_lists import SHEET_CODES as LIST_RECIPES

PACKAGE = Path(skatspec.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
CODES = list(catalog())
SLOT = re.compile(r"{(\w+)}")
PLACEHOLDERS = {"", "x", "todo", "tbd"}


def sample(name: str) -> Record:
    text = resources.text("records", "games", f"{name}.skat")
    record = registry.parse_text(text, "skat")
    assert isinstance(record, Record)
    return record


# --- recipes: one for each code that no file under records/invalid/ shows ----------------


def lost(record: Record, format_name: str) -> set[str]:
    """Return the codes of what writing a record loses; their messages must be complete."""
    _, losses = registry.write_record(record, format_name)
    return codes_of(losses)


def codes_of(findings: list[Diagnostic]) -> set[str]:
    for one in findings:
        assert "{" not in message(one)
    return {one.code for one in findings}


def refused(source: Path) -> set[str]:
    with pytest.raises(InputError) as refusal:
        list(registry.open_records(source))
    return {refusal.value.code}


def e007(folder: Path) -> set[str]:
    (folder / "notes.txt").write_text("milk, bread\n")
    return refused(folder / "notes.txt")


def e010(folder: Path) -> set[str]:
    """What the kernel claims of a record is not what the scalar engine finds."""
    from skatspec.archive.claims import disagreement
    from skatspec.archive.kernel.answers import CONSISTENT
    from skatspec.archive.walk import Claim, Handed
    from skatspec.formats.iss_frame import Frame

    report = check(sample("ninety"), load_rules("isko"))
    item = Handed(0, Frame(1, "(;"), (0,), Claim(CONSISTENT, -1, (0,) * 10))
    wrong = disagreement(item, report)
    assert wrong is not None
    return codes_of([wrong])


def e009(folder: Path) -> set[str]:
    """A file is worse than the limits, which are lowered so that this takes no time."""
    (folder / "bomb.sgf.bz2").write_bytes(bz2.compress(b"\n" * (1 << 22)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("skatspec.formats.packed.FREE_BYTES", 1 << 20)
        return refused(folder / "bomb.sgf.bz2")


def x001(folder: Path) -> set[str]:
    record = sample("null-won")
    return lost(replace(record, tags=(*record.tags, ("Weather", "rain"))), "iss")


def x002(folder: Path) -> set[str]:
    return lost(replace(sample("null-won"), comments=(Comment("end", "a remark"),)), "iss")


def x003(folder: Path) -> set[str]:
    return lost(replace(sample("null-won"), tags=(("F", "a]b"),)), "iss")


def x004(folder: Path) -> set[str]:
    record = sample("null-won")
    one_card = tuple(
        Discard(step.seat, step.cards[:1]) if isinstance(step, Discard) else step
        for step in record.steps
        if not isinstance(step, Declare)
    )
    return lost(replace(record, steps=one_card), "iss")


def x005(folder: Path) -> set[str]:
    return lost(replace(sample("null-won"), result=Result(score=10**9)), "iss")


def x006(folder: Path) -> set[str]:
    return lost(replace(sample("null-won"), deal=None), "iss")


def x007(folder: Path) -> set[str]:
    return lost(replace(sample("null-won"), steps=(Declare(0, "tramp"),)), "iss")


def x008(folder: Path) -> set[str]:
    return lost(replace(sample("null-won"), comments=(Comment("step/99", "where?"),)), "skat")


def l005(folder: Path) -> set[str]:
    # what a list says of the rounds is judged where the deals before are known
    text = (
        '%skat 1\n[Places "1 2 3"]\n[Seed "7 0 1"]\n[Rounds "3 0 0"]\nauction\n  F plays at 18\n'
        "contract\n  F takes the skat, diamonds\nresult\n  F won 18, points 70, tricks 5, with 1\n"
    )
    reports = skatspec.check_all([skatspec.parse(text)], "xskat-bock")
    return {one.code for report in reports for one in report.findings}


def engine(way: str, **options: object) -> Callable[[Path], set[str]]:
    """Return a recipe of an engine that is wrong in one way: the codes of its run."""

    def recipe(folder: Path) -> set[str]:
        outcome = asked(way, folder, restarts=0, **options)
        rows = {reply.code for row in outcome.rows for reply in row.replies}
        # the messages show the engine's own JSON, braces and all
        return rows | {one.code for one in outcome.findings}

    return recipe


def c001(folder: Path) -> set[str]:
    return codes_of(list(run(["./no-such-engine"], cases(folder), Options()).findings))


def c013(folder: Path) -> set[str]:
    (made,) = cases(folder, 1)
    made.path.write_text(made.path.read_text().replace("cards: [S7]", "cards: [C7]"))
    outcome = run([sys.executable, WRONG, "right"], load_suite(folder).cases, Options(LIMITS))
    return {reply.code for reply in outcome.rows[0].replies}


def c017(folder: Path) -> set[str]:
    (folder / "case.yaml").write_text("id: [")
    (folder / "other.yaml").write_text("id: other\ntask: legal\n")
    found = load_suite(folder).findings
    assert len(found) == 2
    return codes_of(list(found))


RECIPES: dict[str, Callable[[Path], set[str]]] = {
    "C001": c001,
    "C002": engine("silent-at-third"),
    "C003": engine("crash-at-third"),
    "C004": engine("flood"),
    "C005": engine("bad-json"),
    "C006": engine("bad-utf8"),
    "C007": engine("wrong-shape"),
    "C008": engine("twice"),
    "C009": engine("wrong-number"),
    "C010": engine("protocol-2"),
    "C011": engine("hoards"),
    "C012": engine("right", skips={"made-000": ""}),
    "C013": c013,
    "C014": engine("error"),
    "C015": engine("stderr"),
    "C016": engine("leaves-with-3"),
    "C017": c017,
    "C018": engine("right", skips={"made-9": ""}),
    "C019": engine("always-crash"),
    "L005": l005,
    "E007": e007,
    "E009": e009,
    "E010": e010,
    "X001": x001,
    "X002": x002,
    "X003": x003,
    "X004": x004,
    "X005": x005,
    "X006": x006,
    "X007": x007,
    "X008": x008,
}


@pytest.mark.parametrize("code", sorted(RECIPES))
def test_a_recipe_provokes_its_code(code: str, tmp_path: Path) -> None:
    assert code in RECIPES[code](tmp_path)


def shown_by_files() -> set[str]:
    """Return the codes whose folder's case expects them."""
    shown = set()
    for path in resources.locate("records", "invalid").glob("*/case.yaml"):
        case = yaml.safe_load(path.read_text(encoding="utf-8"))
        expected = {*case["expect"]["codes"], *case["expect"].get("notes", ())}
        code = path.parent.name[:4]
        assert code in expected, f"{path.parent.name} does not expect its own code"
        shown.add(code)
    return shown


def test_every_code_is_shown_by_a_file_or_a_recipe() -> None:
    shown = shown_by_files() | set(RECIPES) | set(LIST_RECIPES)
    assert set(CODES) - shown == set()


def test_no_recipe_outlives_its_code_or_doubles_a_file() -> None:
    assert set(RECIPES) | set(LIST_RECIPES) <= set(CODES)
    assert set(RECIPES) & (shown_by_files() | set(LIST_RECIPES)) == set()


# --- the catalogue and the source --------------------------------------------------------


def literals(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_code_is_raised_somewhere() -> None:
    named = {text for path in SOURCES for text in literals(path)}
    assert set(CODES) - named == set()


def test_every_code_in_the_source_is_in_the_catalogue() -> None:
    code = re.compile(r"[A-Z][0-9]{3}")
    families = {row[0] for row in CODES}
    for path in SOURCES:
        for text in literals(path):
            if code.fullmatch(text) and text[0] in families:
                assert text in catalog(), f"{path.name} names {text}"


def test_every_finding_fills_the_slots_of_its_text() -> None:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id != "finding" or not isinstance(node.args[0], ast.Constant):
                continue
            given = {keyword.arg for keyword in node.keywords}
            if None in given:  # **slots: the cases under records/ show them
                continue
            wanted = set(SLOT.findall(catalog()[node.args[0].value].text))
            missing = wanted - given - {"read", "expected"}
            assert not missing, f"{path.name}:{node.lineno} leaves out {missing}"


def test_names_are_unique_and_kebab() -> None:
    names = [row.name for row in catalog().values()]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in names)


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_explained_with_a_bad_and_a_good_example(code: str) -> None:
    row = catalog()[code]
    assert row.explain.lower() not in PLACEHOLDERS
    assert 2 <= len(re.findall(r"[.:](?: |$)", row.explain)) <= 8
    assert row.bad and row.good and row.bad != row.good


def test_a_topic_is_one_that_a_profile_has_a_source_for() -> None:
    known = {topic for name in available() for topic in load_profile(name).data["sources"]}
    unknown = {row.code: row.topic for row in catalog().values() if row.topic} if known else {}
    assert {code: topic for code, topic in unknown.items() if topic not in known} == {}


def test_the_page_of_codes_is_current() -> None:
    docs = PACKAGE.parent / "docs" / "codes.md"
    if not docs.is_file():
        pytest.skip("docs/ is in the repository only")
    assert docs.read_text(encoding="utf-8") == page(), "run python -m skatspec.diagnostics.page"
