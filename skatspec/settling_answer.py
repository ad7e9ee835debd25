"""What `settle` answers with, for a declared game and for a Ramsch alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from skatspec.diagnostics import Diagnostic, Severity, Verdict, entry, message
from skatspec.engine.facts import Line
from skatspec.record import SEAT_LETTERS
from skatspec.rules import Rules


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the settlement: words, the multiples or the value it adds, the rule."""

    text: str
    multiple: int
    value: int | None
    rule: str


@dataclass(frozen=True, slots=True)
class Objection:
    """Why facts cannot be together, in the terms of a finding."""

    code: str
    name: str
    severity: Severity
    message: str
    rule: str
    read: str = ""
    expected: str = ""


class Possible(NamedTuple):
    """One of several possible outcomes; value and score as in `Answer`."""

    value: int
    won: bool
    score: int
    overbid: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What the facts come to.

    `value` is what is charged, after overbid rounding and before a loss, Kontra or a Bock
    round doubles it; `value` and `score` are None where the facts do not settle them, and
    `admissible` then lists what they can be, `missing` the facts that would tell.
    `outcomes` are then the possible outcomes as a whole, best score first. `covering` is the
    game that an impossible Null is charged as, `alternatives` the other games (contract,
    value, score) that it may be. A Ramsch has no declarer and so no `score`: `scores` are the
    ledger points of F, M and R, `losers` their letters, `counted` the card points that counted
    for each; `won` says that somebody took all tricks.
    """

    verdict: Verdict
    rules: str
    value: int | None = None
    won: bool | None = None
    score: int | None = None
    overbid: bool | None = None
    lines: tuple[Item, ...] = ()
    admissible: dict[str, list[Any]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, int, int], ...] = ()
    findings: tuple[Objection, ...] = ()
    scores: tuple[float, float, float] | None = None
    losers: str | None = None
    counted: tuple[int, int, int] | None = None
    outcomes: tuple[Possible, ...] = ()
    covering: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as one JSON object."""
        return {
            "verdict": self.verdict.value, "rules": self.rules, "value": self.value,
            "won": self.won, "score": self.score, "overbid": self.overbid,
            "scores": None if self.scores is None else list(self.scores),
            "losers": None if self.losers is None else list(self.losers),
            "counted": None if self.counted is None else list(self.counted),
            "lines": [
                {"text": one.text, "multiple": one.multiple, "value": one.value,
                 "rule": one.rule or None}
                for one in self.lines
            ],
            "admissible": self.admissible, "missing": list(self.missing),
            "alternatives": [
                {"contract": contract, "value": value, "score": score}
                for contract, value, score in self.alternatives
            ],
            "findings": [
                {"code": one.code, "name": one.name, "severity": one.severity.value,
                 "message": one.message, "rule": one.rule or None}
                for one in self.findings
            ],
        }  # fmt: skip


def items(lines: Iterable[Line], rules: Rules) -> tuple[Item, ...]:
    """Return a settlement's lines with their rules cited."""
    cite = rules.profile.cite
    return tuple(Item(row.text, row.multiple, row.value, cite(row.topic)) for row in lines)


def letters(losers: tuple[bool, bool, bool]) -> str:
    """Return the seat letters of those who lost."""
    return "".join(letter for letter, lost in zip(SEAT_LETTERS, losers, strict=True) if lost)


def contradicted(objections: Iterable[Diagnostic], rules: Rules) -> Answer:
    """Return the answer for facts that cannot be together."""
    shown = tuple(_shown(one, rules) for one in objections)
    return Answer(Verdict.CONTRADICTED, rules.name, findings=shown)


def _shown(one: Diagnostic, rules: Rules) -> Objection:
    row = entry(one.code)
    return Objection(
        one.code, row.name, rules.profile.severity(one.code), message(one),
        rules.profile.cite(one.topic or row.topic), one.read, one.expected,
    )  # fmt: skip
