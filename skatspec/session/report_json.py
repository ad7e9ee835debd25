"""The report of a list as one JSON object; schemas/list-report.schema.json has its shape."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from skatspec.diagnostics import Severity, entry
from skatspec.session.language import say
from skatspec.session.report import Figures, Shift
from skatspec.session.standings import Across, Effect
from skatspec.session.tables import Listed, Told, told


def report_dict(listed: Listed, lang: str = "en") -> dict[str, Any]:
    """Return a checked list with its disputes; words in a language, halves as fractions."""
    report = listed.report
    sheet = report.sheet
    disputes = zip(report.disputes, told(listed, lang), strict=True)
    return {
        "source": sheet.source, "list": sheet.index + 1, "event": sheet.event,
        "round": sheet.round, "table": sheet.table,
        "players": [sheet.name(player) for player in range(sheet.seats)],
        "rules": report.rules, "system": report.system, "verdict": report.verdict.value,
        "played": report.played, "passed_in": report.passed_in,
        "open": list(report.open_deals),
        "entered": [_figures(one) for one in report.entered],
        "totals": [plain(one) for one in report.totals],
        "corrected": [_figures(one) for one in report.corrected],
        "corrected_totals": [plain(one) for one in report.corrected_totals],
        "disputes": [
            {**_dispute(said), "follow_on": [list(cell) for cell in one.follow_on],
             "corrections": _corrections(said, one.corrections)}
            for one, said in disputes
        ],
    }  # fmt: skip


def plain(value: Any) -> Any:
    """Return a value as JSON has it: a half of a ledger point as a decimal fraction."""
    return float(value) if isinstance(value, Fraction) else value


def _figures(one: Figures) -> dict[str, int | float]:
    return {"points": plain(one.points), "won": one.won, "lost": one.lost}


def _dispute(one: Told) -> dict[str, Any]:
    return {
        "code": one.code, "name": one.name, "severity": one.severity.value, "message": one.says,
        "line": one.where.line or None, "deal": one.deal, "cell": one.cell or None,
        "player": one.player or None, "entered": one.entered, "expected": list(one.expected),
        "why": [{"text": why.text, "rule": why.rule or None} for why in one.why],
        "rule": one.rule or None, "first": one.first,
    }  # fmt: skip


def _corrections(said: Told, corrections: tuple[tuple[Shift, ...], ...]) -> list[dict[str, Any]]:
    """Return each way to correct: the value entered then, and whom it moves."""
    if said.ways is None:
        return [{} for _ in corrections]
    return [
        {"value": way.value or None, "effect": [_effect(one) for one in way.moves]}
        for way in said.ways
    ]


def _effect(one: Effect) -> dict[str, Any]:
    return {
        "player": one.player, "place_now": one.place_now, "place_then": one.place_then,
        "total_now": plain(one.total_now), "total_then": plain(one.total_then),
    }  # fmt: skip


def across_dict(one: Across, weight: Severity, lang: str = "en") -> dict[str, Any]:
    """Return a finding between lists."""
    return {
        "code": one.found.code, "name": entry(one.found.code).name, "severity": weight.value,
        "message": say(one.found, lang), "sources": list(one.sources),
    }  # fmt: skip
