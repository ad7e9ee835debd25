"""The suite as data: cases read from YAML, and what of a case an engine is told.

A case is a question, the rules it is asked under and the known answer. The suite lies under
`records/`; a folder of somebody's own cases has the same shape (schema `case`).
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

from skatspec import resources
from skatspec.conformance.shapes import told, validator
from skatspec.diagnostics import Diagnostic, Span, catalog, finding
from skatspec.errors import ProfileError, UsageError
from skatspec.record import RAMSCH
from skatspec.rules import load_rules, yaml_lines

TASKS = ("legal", "check", "settle", "list", "perft")
LEVELS = ("must", "should", "house")
AGREEMENTS = ("verdict", "step", "code", "position")

# Folders of the suite that hold games, not questions; a rule profile is a case's input.
_NO_CASES = "games"
_PROFILE = "profile.yaml"
_CASE = "case.yaml"
_TAGS = "TAGS.yaml"
_SCHEMA = "case.schema.json"
_MOST_BYTES = 1 << 20
_MOST_BESIDE = 20  # files
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C one where PyYAML has it


@dataclass(frozen=True, slots=True)
class Case:
    """One question with its known answer, as its file has it.

    `input` and `expect` are of the shapes that schema `case` gives for the task; `path` is
    the case's file, beside which the files lie that its input names.
    """

    id: str
    task: str
    rules: tuple[str, ...]
    level: str
    rule: str
    source: str
    tags: tuple[str, ...]
    input: dict[str, Any]
    expect: dict[str, Any]
    note: str
    path: Path

    def payload(self) -> dict[str, Any]:
        """Return the input as an engine gets it: files inside, as text or, failing that, base64.

        Raises OSError or UnicodeDecodeError where a file beside the case cannot be read.
        """
        if "file" not in self.input:
            return self.input
        told = {key: value for key, value in self.input.items() if key != "file"}
        name = self.input["file"]
        told |= {"name": name, **_content(self.path.with_name(name).read_bytes())}
        if self.path.name == _CASE:  # in a folder of its own, all of which is its input
            for path in sorted(self.path.parent.iterdir()):
                if path.name not in (name, _CASE) and path.is_file():
                    told.setdefault("beside", {})[path.name] = path.read_text(encoding="utf-8")
        return told

    def document(self) -> dict[str, Any]:
        """Return the case as one self-contained JSON document, its files inside."""
        return {
            "id": self.id, "task": self.task, "rules": list(self.rules), "level": self.level,
            "rule": self.rule, "source": self.source, "tags": list(self.tags),
            "input": self.payload(), "expect": self.expect,
            **({"note": self.note} if self.note else {}),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """A tag that stands for a rule: the rule in words, its citation, its topic."""

    tag: str
    text: str
    rule: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases in the order of their ids, and what was found about files that hold none."""

    cases: tuple[Case, ...]
    findings: tuple[Diagnostic, ...] = ()

    def select(self, words: Iterable[str]) -> tuple[Case, ...]:
        """Return the cases that a selection means; see `selected`.

        Raises UsageError where a word means no case of the suite.
        """
        return tuple(selected(self.cases, words))


def _content(data: bytes) -> dict[str, str]:
    """Return a file's bytes for a JSON message: most are text, a few are wrong on purpose."""
    try:
        return {"record": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def bytes_of(given: dict[str, Any]) -> bytes:
    """Return the bytes of a payload's record; UsageError where its base64 is none."""
    if "base64" in given:
        try:
            return base64.b64decode(given["base64"], validate=True)
        except ValueError as error:
            raise UsageError(f"base64: {error}") from None
    return str(given["record"]).encode("utf-8", "surrogatepass")


# --- reading ----------------------------------------------------------------------------


def load_suite(folder: str | Path | None = None) -> Suite:
    """Return the packaged suite, or the cases of a folder.

    A file that is no case of the schema is a finding (C017) and left out. Raises UsageError
    where there is no such folder.
    """
    root = resources.locate("records") if folder is None else Path(folder)
    if not root.is_dir():
        raise UsageError(f"there is no folder {root}")
    cases: list[Case] = []
    findings: list[Diagnostic] = []
    for path in sorted([*root.rglob("*.yaml"), *root.rglob("*.yml")]):
        if path.name in (_PROFILE, _TAGS) or path.relative_to(root).parts[0] == _NO_CASES:
            continue
        # the packaged suite is checked by the tests, and opened at every run
        read = _case(_packaged(path), path) if folder is None else _read(path)
        if isinstance(read, Case):
            cases.append(read)
        else:
            findings.append(read)
    findings += _twice(cases)
    cases.sort(key=lambda case: case.id)
    return Suite(tuple(cases), tuple(findings))


def _packaged(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)


def _read(path: Path) -> Case | Diagnostic:
    """Read a case of somebody's own, whatever the file is."""
    try:
        if not path.is_file():
            return _no_case(path, "it is no file")
        data, lines = _own(path)
        if wrong := _wrong(data):
            return _no_case(path, wrong[0], _line_of(wrong[1], lines))
        case = _case(data, path)
        name = path.parent.name if path.name == _CASE else path.stem
        if case.id != name:
            return _no_case(path, f"its id is {case.id}, not {name} as its name says", 1)
        codes = {*case.expect.get("codes", ()), *case.expect.get("notes", ())}
        if unknown := codes - catalog().keys():
            return _no_case(path, f"expect: there is no code {min(unknown)}")
        beside = case.input.get("file")
        if beside and not path.with_name(beside).is_file():
            return _no_case(path, f"the file {beside} beside it is missing")
        if beside and path.with_name(beside).stat().st_size > _MOST_BYTES:
            return _no_case(path, f"the file {beside} beside it is larger than {_MOST_BYTES} bytes")
        if path.name == _CASE:
            _small(path)
        case.payload()
        for name in case.rules:
            load_rules(name, tuple(case.input.get("set", ())))
    except ProfileError as error:
        return _no_case(path, error.message, error.line)
    except UnicodeDecodeError as error:
        return _no_case(path, f"not UTF-8: byte {error.start + 1} of it or of a file beside it")
    except OSError as error:
        return _no_case(path, error.strerror or str(error))
    return case


def _own(path: Path) -> tuple[Any, yaml_lines.Lines]:
    """Return the document of somebody's own file, and its lines; ProfileError where it is none."""
    if path.stat().st_size > _MOST_BYTES:
        raise ProfileError("F001", f"larger than {_MOST_BYTES} bytes")
    return yaml_lines.load(path.read_text(encoding="utf-8"), str(path))


def _small(path: Path) -> None:
    """Raise OSError where what lies beside a case is too much, or lies somewhere else."""
    beside = [one for one in path.parent.iterdir() if one.is_file()]
    if len(beside) > _MOST_BESIDE:
        raise OSError(f"more than {_MOST_BESIDE} files beside it")
    for one in beside:
        if one.is_symlink() or one.stat().st_size > _MOST_BYTES:
            raise OSError(f"{one.name} beside it is a link, or larger than {_MOST_BYTES} bytes")


def _case(data: dict[str, Any], path: Path) -> Case:
    return Case(
        data["id"], data["task"], tuple(data["rules"]), data["level"], data["rule"],
        data["source"], tuple(data["tags"]), data["input"], data["expect"],
        data.get("note", "").strip(), path,
    )  # fmt: skip


def _no_case(path: Path, reason: str, line: int = 0) -> Diagnostic:
    place = f"{path}:{line}" if line else str(path)
    return finding("C017", span=Span(line, 0, 0), path=place, reason=reason)


def _twice(cases: list[Case]) -> Iterator[Diagnostic]:
    """Report the second case of an id, and leave it out."""
    seen: dict[str, Case] = {}
    for case in list(cases):
        if case.id in seen:
            cases.remove(case)
            yield _no_case(case.path, f"its id {case.id} is that of {seen[case.id].path}")
        seen.setdefault(case.id, case)


def _wrong(data: Any) -> tuple[str, yaml_lines.Path] | None:
    """Return why a document is no case, and where in it; None where it is one."""
    from jsonschema.exceptions import best_match

    error = best_match(validator(_SCHEMA).iter_errors(data))
    if error is None:
        return None
    while error.context and error.validator in ("oneOf", "anyOf"):
        # of several shapes the one that was most likely meant: it has least against it
        shapes: dict[Any, list[Any]] = {}
        for one in error.context:
            shapes.setdefault(one.schema_path[0], []).append(one)
        error = min(shapes.values(), key=len)[0]
    where = tuple(error.absolute_path)
    return told(error), where


def _line_of(where: yaml_lines.Path, lines: yaml_lines.Lines) -> int:
    """Return the line of a place in a document, or of what it lies in."""
    return next((lines[where[:n]] for n in range(len(where), 0, -1) if where[:n] in lines), 1)


def input_fault(task: str, given: dict[str, Any]) -> str:
    """Return what is wrong with the shape of an input, empty where nothing is."""
    part = RAMSCH if given.get("contract") == RAMSCH else task
    # the first error is enough, and looking for the best one has no bound
    error = next(validator(_SCHEMA, part=f"{part}Input").iter_errors(given), None)
    return "" if error is None else told(error)


def rules_of(folder: str | Path | None = None) -> tuple[Rule, ...]:
    """Return the rules that a suite's tags stand for, in its order; none where no file says.

    `folder` is one of somebody's own cases, None the packaged suite. Raises UsageError where
    its TAGS.yaml cannot be read.
    """
    path = (resources.locate("records") if folder is None else Path(folder)) / _TAGS
    if not path.is_file():
        return ()
    try:
        data = _packaged(path) if folder is None else _own(path)[0]
        return tuple(
            Rule(str(tag), str(row["text"]), str(row.get("rule", "")), str(row.get("section", "")))
            for tag, row in data["rules"].items()
        )
    except ProfileError as error:
        reason = error.message
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
    except (TypeError, KeyError, AttributeError):
        reason = "rules: tag: {text: ...} expected"
    raise UsageError(f"{path}: {reason}")


# --- choosing ---------------------------------------------------------------------------


def selected(cases: Iterable[Case], words: Iterable[str]) -> Iterator[Case]:
    """Yield the cases that all of some words mean; each word may list alternatives by commas.

    A word is a task, a level, a tag, a profile, an id, an id with `*` for any letters, or
    any of `task:`, `level:`, `tag:`, `rules:`, `id:` before it; `!` before it means the others.
    Raises UsageError where a word means no case at all.
    """
    chosen = list(cases)
    everything = list(chosen)
    for word in words:
        negated, text = word.startswith("!"), word.removeprefix("!")
        parts = [part.strip() for part in text.split(",") if part.strip()]
        for part in parts:
            if part.startswith("!"):
                raise UsageError(f"{word!r}: ! stands in front, and is for the whole list")
            if not any(_means(part, case) for case in everything):
                raise UsageError(f"{part!r} selects no case of the suite{_like(part, everything)}")
        chosen = [case for case in chosen if any(_means(p, case) for p in parts) != negated]
    yield from chosen


def _like(word: str, cases: Sequence[Case]) -> str:
    """Return a word that is like one which means nothing, as a question."""
    known = {*TASKS, *LEVELS}
    for case in cases:
        known |= {case.id, *case.tags, *case.rules}
    near = get_close_matches(word.rpartition(":")[2], sorted(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


def _means(word: str, case: Case) -> bool:
    kind, colon, value = word.partition(":")
    if colon:
        return _is(kind, value, case)
    if word in TASKS or word in LEVELS:  # never a tag or a profile of the same name
        return word in (case.task, case.level)
    return any(_is(kind, word, case) for kind in ("tag", "rules", "id"))


def _is(kind: str, value: str, case: Case) -> bool:
    match kind:
        case "task":
            return case.task == value
        case "level":
            return case.level == value
        case "tag":
            return value in case.tags
        case "rules":
            return value in case.rules
        case "id":
            return fnmatchcase(case.id, value) if "*" in value else case.id == value
    return False
