"""One record's pipeline: replay, settle, compare with what the record states, verdict.

A `Report` is what every output format prints: the verdict, the figures found, what the
record says, and findings that name the rule and its edition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from skatspec.diagnostics import Diagnostic, Severity, Span, Verdict, entry, finding, message
from skatspec.engine import compare
from skatspec.engine.outcome import Outcome, outcome
from skatspec.engine.replay import Replay, replay
from skatspec.record import SEAT_LETTERS, BrokenRecord, Record, Result
from skatspec.rules import Rules


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic as shown: weight and rule by the profile, place in the source."""

    code: str
    name: str
    severity: Severity
    message: str
    line: int
    column: int
    end_column: int
    step: int
    rule: str
    read: str = ""
    expected: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as the report schema has it."""
        return {
            "code": self.code, "name": self.name, "severity": self.severity.value,
            "message": self.message, "line": self.line, "column": self.column,
            "end_column": self.end_column, "step": self.step or None, "rule": self.rule or None,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Report:
    """What a check says of one record.

    `value` (game value charged), `score` (ledger points), `matadors`, `points` (card
    points) and `tricks` are None where the record does not settle them; `admissible`
    then lists the possible values by name.
    """

    source: str
    index: int
    line: int
    id: str
    format: str
    rules: str
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    declarer: str | None = None
    contract: str | None = None
    bid: int | None = None
    value: int | None = None
    score: int | None = None
    matadors: int | None = None
    points: int | None = None
    tricks: int | None = None
    replay: Replay | None = field(default=None, compare=False, repr=False)
    outcome: Outcome | None = field(default=None, compare=False, repr=False)
    record: Record | BrokenRecord | None = field(default=None, compare=False, repr=False)

    @property
    def recorded(self) -> dict[str, Any]:
        """Return what the record's result states, seats as letters."""
        return dict(_recorded(self.record.result)) if isinstance(self.record, Record) else {}

    @property
    def admissible(self) -> dict[str, list[Any]]:
        """Return the possible values of every figure that the record leaves open."""
        return _admissible(self.outcome) if self.outcome is not None else {}

    def as_dict(self) -> dict[str, Any]:
        """Return the report as one JSON object (schema `report`)."""
        return {
            "source": self.source, "index": self.index, "line": self.line, "id": self.id,
            "format": self.format, "rules": self.rules, "verdict": self.verdict.value,
            "declarer": self.declarer, "contract": self.contract, "bid": self.bid,
            "value": self.value, "score": self.score, "matadors": self.matadors,
            "points": self.points, "tricks": self.tricks, "recorded": self.recorded,
            "admissible": self.admissible,
            "findings": [one.as_dict() for one in self.findings],
        }  # fmt: skip


def check(record: Record | BrokenRecord, rules: Rules) -> Report:
    """Check one record against `rules`; never raises for bad input."""
    if isinstance(record, BrokenRecord):
        return _report(record, rules, Verdict.UNREADABLE, record.findings)
    tables = rules.tables
    played = replay(record, tables)
    found = list(record.findings) + list(played.notes)
    result = record.result
    if played.fault is not None:
        found.append(played.fault)
        came_to = Outcome()
    else:
        points, tricks = (None, None) if result is None else (result.points, result.tricks)
        came_to = outcome(played.game, points, tricks)
    compared = compare.Comparison((), ())
    if result is not None and played.fault is None:
        compared = compare.compare(played.game, came_to, result)
        found += compared.findings
    findings = tuple(_shown(one, record, rules) for one in found)
    if any(one.severity is Severity.ERROR for one in findings):
        verdict = Verdict.CONTRADICTED
    elif played.fault is not None:
        # A profile that makes light of a fault cannot make the replay go on behind it.
        verdict = Verdict.UNDETERMINED
    elif compared.undetermined:
        verdict = Verdict.UNDETERMINED
        note = finding("S019", what=came_to.reason or ", ".join(compared.undetermined))
        findings += (_shown(note, record, rules),)
    else:
        verdict = Verdict.CONSISTENT
    return _full_report(record, rules, verdict, findings, played, came_to)


def _shown(one: Diagnostic, record: Record | BrokenRecord, rules: Rules) -> Finding:
    """Resolve a diagnostic's place, weight and rule."""
    row = entry(one.code)
    origin = record.origin
    span = one.span
    if span.line == 0:
        if one.step:
            span = origin.step(one.step)
        elif one.part:
            span = origin.part(one.part)
        else:
            span = origin.start()
    slots = tuple(
        (key, _place(origin.part(value)) if key == "other" and "/" in value else value)
        for key, value in one.slots
    )
    text = message(Diagnostic(one.code, slots, span, one.step, one.read, one.expected, one.topic))
    rule = rules.profile.cite(one.topic or row.topic)
    return Finding(
        one.code, row.name, rules.profile.severity(one.code), text, span.line, span.column,
        span.end_column, one.step, rule, one.read, one.expected,
    )  # fmt: skip


def _place(span: Span) -> str:
    return f"line {span.line} column {span.column}"


def _report(
    record: Record | BrokenRecord, rules: Rules, verdict: Verdict, found: Sequence[Diagnostic]
) -> Report:
    origin = record.origin
    return Report(
        origin.source, origin.index, origin.line, "", origin.format, rules.name, verdict,
        tuple(_shown(one, record, rules) for one in found), record=record,
    )  # fmt: skip


def _full_report(
    record: Record,
    rules: Rules,
    verdict: Verdict,
    findings: tuple[Finding, ...],
    played: Replay,
    came_to: Outcome,
) -> Report:
    game, origin = played.game, record.origin
    settled = came_to.settled
    return Report(
        source=origin.source, index=origin.index, line=origin.line, id=record.id,
        format=origin.format, rules=rules.name, verdict=verdict, findings=findings,
        declarer=None if game.declarer is None else SEAT_LETTERS[game.declarer],
        contract=game.contract_name or None,
        bid=game.bid,
        value=settled.value if settled else None,
        score=settled.score if settled else None,
        matadors=_only(came_to.matadors),
        points=_only(came_to.points),
        tricks=_only(came_to.tricks),
        replay=played, outcome=came_to, record=record,
    )  # fmt: skip


def _only(values: Sequence[int]) -> int | None:
    return values[0] if len(values) == 1 else None


def _admissible(came_to: Outcome) -> dict[str, list[Any]]:
    """List the possible values of every figure that is open."""
    lists: dict[str, list[Any]] = {}
    for name in ("matadors", "points", "tricks"):
        values = getattr(came_to, name)
        if len(values) > 1:
            lists[name] = list(values)
    settlements = came_to.settlements
    if len(settlements) > 1:
        lists["value"] = sorted({one.value for one in settlements})
        lists["score"] = sorted({one.score for one in settlements})
    elif settlements and settlements[0].alternatives:
        one = settlements[0]
        values = {one.value, *(value for _, value in one.alternatives)}
        lists["value"] = sorted(values)
        lists["score"] = sorted(one.score // one.value * value for value in values)
    return lists


def _recorded(result: Result | None) -> Iterator[tuple[str, Any]]:
    """Yield what a result states, seats as letters."""
    if result is None:
        return
    yield "kind", result.kind
    for name in compare.FIELDS:
        value = getattr(result, name)
        if value is None:
            continue
        if name in ("declarer", "left", "timed_out"):
            value = SEAT_LETTERS[value] if 0 <= value < 3 else None
        elif name == "penalized":
            value = [SEAT_LETTERS[seat] for seat, flag in enumerate(value) if flag]
        yield name, value
