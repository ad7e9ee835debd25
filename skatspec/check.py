"""One record's pipeline: replay, settle, compare with what the record states, verdict.

A `Report` is what every output format prints: the verdict, the figures found, what the
record says, and findings that name the rule and its edition.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
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
    """What a check says of one record; every figure is read off the replay and its outcome.

    `rules` is the name of the profile. `replay` and `outcome` are None for a record that
    could not be read or judged.
    """

    record: Record | BrokenRecord
    rules: str
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    replay: Replay | None = field(default=None, compare=False, repr=False)
    outcome: Outcome | None = field(default=None, compare=False, repr=False)

    @property
    def source(self) -> str:
        """Return the file the record came from."""
        return self.record.origin.source

    @property
    def index(self) -> int:
        """Return the record's number in its file, from 0."""
        return self.record.origin.index

    @property
    def line(self) -> int:
        """Return the line the record begins on."""
        return self.record.origin.line

    @property
    def format(self) -> str:
        """Return the record's format."""
        return self.record.origin.format

    @property
    def id(self) -> str:
        """Return what the record calls itself, empty where it could not be read."""
        return self.record.id if isinstance(self.record, Record) else ""

    @property
    def declarer(self) -> str | None:
        """Return the declarer's seat letter."""
        seat = self.replay.game.declarer if self.replay else None
        return None if seat is None or not 0 <= seat < 3 else SEAT_LETTERS[seat]

    @property
    def contract(self) -> str | None:
        """Return the contract's name."""
        return (self.replay.game.contract_name or None) if self.replay else None

    @property
    def bid(self) -> int | None:
        """Return the last value called or held; None where no auction is recorded."""
        return self.replay.game.bid if self.replay else None

    @property
    def value(self) -> int | None:
        """Return the game value charged, before a loss is doubled; None where it is open."""
        return _only({one.value for one in self.outcome.settlements}) if self.outcome else None

    @property
    def score(self) -> int | None:
        """Return the declarer's ledger points, signed; None where they are open."""
        if self.outcome is None or (self.replay is not None and self.replay.game.is_ramsch):
            return None
        return _only({one.score for one in self.outcome.settlements})

    @property
    def scores(self) -> list[float] | None:
        """Return the ledger points F M R of a game without a declarer; None where open or none."""
        if self.outcome is None or len({one.scores for one in self.outcome.settlements}) != 1:
            return None
        scores = self.outcome.settlements[0].scores
        return None if scores is None else list(scores)

    @property
    def matadors(self) -> int | None:
        """Return the matadors, "without" below zero; None where they are open."""
        return _only(self.outcome.matadors) if self.outcome else None

    @property
    def points(self) -> int | None:
        """Return the declarer's card points, skat included; None where they are open."""
        return _only(self.outcome.points) if self.outcome else None

    @property
    def tricks(self) -> int | None:
        """Return the declarer's tricks; None where they are open."""
        return _only(self.outcome.tricks) if self.outcome else None

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
        names = (
            "source", "index", "line", "id", "format", "rules", "verdict", "declarer", "contract",
            "bid", "value", "score", "scores", "matadors", "points", "tricks", "recorded",
            "admissible",
        )  # fmt: skip
        row = {name: getattr(self, name) for name in names}
        row["verdict"] = self.verdict.value
        row["findings"] = [one.as_dict() for one in self.findings]
        return row


def check(record: Record | BrokenRecord, rules: Rules, round_: str | None = None) -> Report:
    """Check one record against `rules`; never raises for bad input.

    `round_` is the kind of round that the deal belongs to, where the deals before it tell.
    """
    if isinstance(record, BrokenRecord):
        return unreadable(record, rules, record.findings)
    tables = rules.tables
    played = replay(record, tables, round_=round_)
    found = list(record.findings) + list(played.notes)
    result = record.result
    if played.fault is not None:
        found.append(played.fault)
        came_to = Outcome()
    else:
        came_to = outcome(played.game, result)
    compared = compare.Comparison((), ())
    if result is not None and played.fault is None:
        compared = compare.compare(played.game, came_to, result)
        found += compared.findings
    findings = tuple([_shown(one, record, rules) for one in found]) if found else ()
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
    return Report(record, rules.name, verdict, findings, played, came_to)


def with_finding(report: Report, one: Diagnostic, rules: Rules) -> Report:
    """Return a report with one more finding, and the verdict that goes with it."""
    shown = _shown(one, report.record, rules)
    verdict = Verdict.CONTRADICTED if shown.severity is Severity.ERROR else report.verdict
    return replace(report, findings=(*report.findings, shown), verdict=verdict)


def unreadable(record: Record | BrokenRecord, rules: Rules, found: Sequence[Diagnostic]) -> Report:
    """Report a record that cannot be judged, with what stands in the way."""
    findings = tuple(_shown(one, record, rules) for one in found)
    return Report(record, rules.name, Verdict.UNREADABLE, findings)


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


def _only(values: Collection[int]) -> int | None:
    return next(iter(values)) if len(values) == 1 else None


def _admissible(came_to: Outcome) -> dict[str, list[Any]]:
    """List the possible values of every figure that is open."""
    lists: dict[str, list[Any]] = {}
    for name in ("matadors", "points", "tricks"):
        values = getattr(came_to, name)
        if len(values) > 1:
            lists[name] = list(values)
    settlements = came_to.settlements
    if len(settlements) > 1:
        for name in ("value", "score"):
            found = {getattr(one, name) for one in settlements}
            if len(found) > 1:
                lists[name] = sorted(found)
        scores = {one.scores for one in settlements if one.scores is not None}
        if len(scores) > 1:
            lists["scores"] = [list(three) for three in sorted(scores)]
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
        if name in ("declarer", "left", "timed_out", "last_trick"):
            value = SEAT_LETTERS[value] if 0 <= value < 3 else None
        elif name in ("scores", "counted"):
            value = list(value)
        elif name in ("penalized", "losers"):
            value = [SEAT_LETTERS[seat] for seat, flag in enumerate(value) if flag]
        yield name, value
