"""A list out of records, written out as its keeper would have: running totals, sums, places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from skatspec.rules.match import Match
from skatspec.session import order, scoring
from skatspec.session.report import ListReport
from skatspec.sheet import (
    BONUS,
    FINAL,
    LOST,
    OTHERS_LOST,
    PLACE,
    POINTS,
    WON,
    Amount,
    Row,
    Sheet,
    Sums,
)


def written_out(report: ListReport, match: Match) -> Sheet:
    """Return a checked list with the totals and sums that its values come to.

    From a deal on whose value, or whose share for each player, is not known there are no
    totals, and no sums below.
    """
    sheet = report.sheet
    rows = tuple(_with_totals(sheet, report.system))
    known = not rows or None not in rows[-1].totals
    return replace(sheet, rows=rows, sums=_sums(report, match) if known else ())


def _with_totals(sheet: Sheet, system: str) -> Iterator[Row]:
    totals: list[Amount] | None = [0] * sheet.seats
    for row in sheet.rows:
        brought = _brought(sheet, row, system)
        if totals is not None and brought is not None:
            for player, amount in brought.items():
                totals[player] = scoring.whole(totals[player] + amount)
        else:
            totals = None
        yield replace(row, totals=tuple(totals) if totals else (None,) * sheet.seats)


def _brought(sheet: Sheet, row: Row, system: str) -> dict[int, Amount] | None:
    """Return what a deal brings each player, None where that is not known."""
    if order.passed_in(row):
        return {}
    if row.declarer is None or row.value is None:
        return None
    taking_part = order.playing(sheet.seats, row.dealer)
    return scoring.shares(row.value, (row.declarer, *row.others), taking_part, system)


def _sums(report: ListReport, match: Match) -> tuple[Sums, ...]:
    figures, totals = report.entered, report.totals
    lost = sum(one.lost for one in figures)
    lines: list[tuple[str, list[Amount]]] = [
        (POINTS, [one.points for one in figures]),
        (WON, [one.won for one in figures]),
        (LOST, [one.lost for one in figures]),
        (OTHERS_LOST, [lost - one.lost for one in figures]),
        (BONUS, [total - one.points for total, one in zip(totals, figures, strict=True)]),
        (FINAL, list(totals)),
        (PLACE, list(scoring.places(figures, totals, match).ranks)),
    ]
    return tuple(Sums(0, kind, tuple(figures)) for kind, figures in lines)
