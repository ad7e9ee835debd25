"""The matrix as one HTML page: no script, nothing from elsewhere, the same for equal reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from skatspec._version import __version__
from skatspec.conformance.matrix import (
    EXCUSED,
    NONE,
    PARTLY,
    STATES,
    Engine,
    Matrix,
    Row,
    Tally,
    Told,
)
from skatspec.conformance.outcome import ERRORED, FAILED, PASSED, SKIPPED, UNANSWERED

# What stands for a state beside its colour, and what it says.
SYMBOLS = {
    PASSED: "✓", PARTLY: "(✓)", FAILED: "✗", EXCUSED: "!", UNANSWERED: "?", SKIPPED: "–", NONE: "",
}  # fmt: skip
LEGEND = {
    PASSED: "every case passed",
    PARTLY: "every case passed that the engine does, others not done",
    FAILED: "some cases failed",
    EXCUSED: "some cases are known failures, on the list that the run was given",
    UNANSWERED: "nothing failed, but cases were never answered",
    SKIPPED: "the engine does none of the cases: not done, which is no fault",
    NONE: "the report holds no such case",
}
KINDS = {
    FAILED: "failed", ERRORED: "error", UNANSWERED: "unanswered", EXCUSED: "known failure",
}  # fmt: skip
_CALM = (PASSED, PARTLY, SKIPPED, NONE)
_PAGE = "matrix.html"

Numbered = tuple[tuple[int, Told], ...]


@dataclass(frozen=True, slots=True)
class Below:
    """What stands below the tables for one engine; nothing does where `title` is empty.

    `place` is its name in links. `tasks`, `by_rule` and `by_code` are the rows with cases that
    it did not pass: the row's place in its table, the row, its cases with their numbers.
    """

    engine: Engine
    place: str
    title: str
    tasks: tuple[tuple[int, str, Numbered], ...]
    by_rule: tuple[tuple[int, Row, Numbered], ...]
    by_code: tuple[tuple[int, Row, Numbered], ...]


def page(found: Matrix, clean: Callable[[str], str]) -> str:
    """Return the page; `clean` writes out characters that would be obeyed."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    here = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    here.filters.update(
        clean=lambda text: clean(str(text)), count=lambda number: f"{number:,}",
        note=note, says=says, percent=lambda share: f"{100 * share:.0f} %",
    )  # fmt: skip
    here.tests["calm"] = is_calm
    return here.get_template(_PAGE).render(
        matrix=found, below=[_below(at, one, found) for at, one in enumerate(found.engines, 1)],
        symbols=SYMBOLS, legend=LEGEND, states=STATES, kinds=KINDS, version=__version__,
        sections=_sections(found.rules),
    )  # fmt: skip


def is_calm(row: Row) -> bool:
    """Say whether nothing of a row wants to be looked at."""
    return all(cell.state in _CALM for cell in row.cells)


def note(cell: Tally, named: bool = False) -> str:
    """Return what a cell says besides passed and total, empty where nothing.

    `named` asks for how many answers to checks named the code, where not all did.
    """
    words = [
        (cell.unanswered, "unanswered"),
        (cell.excused, "known"),
        (cell.skipped if cell.state != SKIPPED else 0, "not done"),
    ]
    told = [f"{number:,} {word}" for number, word in words if number]
    if named and cell.passed and cell.named < cell.passed:
        told.append(f"{f'{cell.named:,}' if cell.named else 'none'} named")
    return ", ".join(told)


def says(cell: Tally) -> str:
    """Return a cell in words, for those who cannot see it."""
    if not cell.total:
        return "no case"
    kinds = ("failed", "errored", "unanswered")
    told = [f"{getattr(cell, kind)} {kind}" for kind in kinds if getattr(cell, kind)]
    told += [f"{cell.excused} known to fail"] if cell.excused else []
    told += [f"{cell.skipped} not done"] if cell.skipped else []
    return ", ".join([f"{cell.passed} of {cell.total} passed", *told])


def _sections(rows: Sequence[Row]) -> list[tuple[str, list[tuple[int, Row]]]]:
    """Return the rows of each section with their places in the table."""
    found: dict[str, list[tuple[int, Row]]] = {}
    for at, row in enumerate(rows):
        found.setdefault(row.section, []).append((at, row))
    return list(found.items())


def _below(place: int, engine: Engine, found: Matrix) -> Below:
    tasks: dict[str, list[tuple[int, Told]]] = {}
    by_tag: dict[str, list[tuple[int, Told]]] = {}
    by_code: dict[str, list[tuple[int, Told]]] = {}
    for at, one in enumerate(engine.told):
        tasks.setdefault(one.task, []).append((at, one))
        for tag in dict.fromkeys(one.tags):
            by_tag.setdefault(tag, []).append((at, one))
        for code in dict.fromkeys(one.codes):
            by_code.setdefault(code, []).append((at, one))
    return Below(
        engine,
        f"e{place}",
        _title(engine),
        tuple((at, row.key, told) for at, row, told in _failing(found.tasks, tasks)),
        _failing(found.rules, by_tag),
        _failing(found.codes, by_code),
    )


def _title(engine: Engine) -> str:
    if engine.told or engine.unasked or engine.findings:
        return "what went wrong"
    return "what is not done" if engine.reasons else ""


def _failing(
    rows: Sequence[Row], cases: dict[str, list[tuple[int, Told]]]
) -> tuple[tuple[int, Row, Numbered], ...]:
    return tuple(
        (at, row, tuple(cases[row.key])) for at, row in enumerate(rows) if row.key in cases
    )
