"""What the kernel said of a record against what the scalar engine says: they must not differ.

A difference is a fault of ours, never of the record: it is counted, shown as E010, and the
scalar engine's word holds.
"""

from __future__ import annotations

from skatspec.archive.kernel.answers import CODES, CONSISTENT, NONE
from skatspec.archive.walk import Handed
from skatspec.check import Finding, Report
from skatspec.diagnostics import Diagnostic, Severity, Span, Verdict, finding
from skatspec.record import Record
from skatspec.rules.tables import CONTRACTS

_SEATS = {"F": 0, "M": 1, "R": 2}
_GAMES = {name: number for number, name in enumerate(CONTRACTS)}


def disagreement(item: Handed, report: Report) -> Diagnostic | None:
    """Return E010 where the scalar engine does not bear out an item's claim."""
    claim = item.claim
    if claim is None:
        return None
    heaviest = weightiest(report)
    code = heaviest.code if heaviest else ""
    place = position(item, heaviest)
    if claim.status == CONSISTENT:
        same = report.verdict is Verdict.CONSISTENT and claim.figures == figures(report)
        same = same and heaviest is None
        said = f"consistent {_shown(claim.figures)}"
    else:
        same = (CODES[claim.status], claim.position) == (code, place)
        said = f"{CODES[claim.status]} at byte {claim.position}"
    if same:
        return None
    found = f"{report.verdict.value} {_shown(figures(report))}"
    found += f" {code} at byte {place}" if code else ""
    return finding("E010", span=Span(report.line, 1, 2), read=said, expected=found)


def _shown(numbers: tuple[int, ...]) -> str:
    return " ".join("-" if number == NONE else str(number) for number in numbers)


def weightiest(report: Report) -> Finding | None:
    """Return the weightiest finding, the first of several."""
    for weight in (Severity.ERROR, Severity.WARNING, Severity.NOTE):
        for one in report.findings:
            if one.severity is weight:
                return one
    return None


def position(item: Handed, one: Finding | None) -> int:
    """Return the byte of the source which a finding is about, -1 for none."""
    if one is None or not one.line:
        return -1
    at = one.line - item.frame.line
    if not 0 <= at < len(item.starts):
        return item.starts[0]
    text = item.frame.text.split("\n")[at]
    return item.starts[at] + len(text[: one.column - 1].encode("utf-8", "surrogatepass"))


def figures(report: Report) -> tuple[int, ...]:
    """Return a report's figures in the kernel's order (archive/kernel/answers)."""
    game = report.replay.game if report.replay is not None else None
    result = report.record.result if isinstance(report.record, Record) else None
    numbers = (
        None if report.declarer is None else _SEATS[report.declarer],
        None if report.contract is None else _GAMES[report.contract],
        None if game is None or report.contract is None else game.modifiers,
        report.bid, report.matadors, report.points, report.tricks, report.value, report.score,
        None if result is None else result.score,
    )  # fmt: skip
    return tuple(NONE if number is None else number for number in numbers)
