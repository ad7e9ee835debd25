"""What a check says of a list: its disputes, each with what follows from it, and the figures.

Points, values and totals are ledger points; players are counted from 0 by their places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from skatspec.diagnostics import Diagnostic, Severity, Verdict
from skatspec.sheet import Amount, Sheet


class Reason(NamedTuple):
    """One line of why something is expected: words, and the rule with its edition."""

    text: str
    rule: str


class Shift(NamedTuple):
    """What a dispute has made of a player's figures: as entered, less what is right.

    `extra` is what stands in the final sum beyond the sum of points and bonus.
    """

    player: int
    points: Amount = 0
    won: int = 0
    lost: int = 0
    extra: Amount = 0

    @property
    def moves(self) -> bool:
        """Say whether the dispute has made anything of the player's figures."""
        return any(self[1:])

    def less(self, other: Shift) -> Shift:
        """Return what is left of the shift without another of the same player."""
        return Shift(
            self.player, self.points - other.points, self.won - other.won,
            self.lost - other.lost, self.extra - other.extra,
        )  # fmt: skip


class Cell(NamedTuple):
    """A place in a list: the line and the field, both from 1 (field 0: the whole row)."""

    line: int
    field: int


@dataclass(slots=True)
class Dispute:
    """One thing that is wrong with a list.

    `found` holds code, slots and place; `rule` is the rule's citation, `deal` the number of
    the deal, `player` whose figure it is. `entered` is what stands there and `expected` what
    may stand there instead, best score first; both are empty where nothing can. `why` are
    the lines of the settlement. `follow_on` are cells that are wrong only because of this
    one. `corrections` are the ways to put it right, each with its effect on the players'
    figures; none where what is right is not known, one without shifts where nothing
    changes.
    """

    found: Diagnostic
    severity: Severity
    rule: str = ""
    deal: int | None = None
    player: int | None = None
    entered: str = ""
    expected: tuple[str, ...] = ()
    why: tuple[Reason, ...] = ()
    follow_on: list[Cell] = field(default_factory=list)
    corrections: tuple[tuple[Shift, ...], ...] = ()

    @property
    def code(self) -> str:
        """Return the finding's code."""
        return self.found.code

    @property
    def line(self) -> int:
        """Return the line of the file, 0 where the whole list is meant."""
        return self.found.span.line


class Figures(NamedTuple):
    """A player's figures on one list: points, games won and lost, and what stands beyond them."""

    points: Amount = 0
    won: int = 0
    lost: int = 0
    extra: Amount = 0

    def plus(self, shift: Shift) -> Figures:
        """Return the figures with a shift put in."""
        return Figures(
            self.points + shift.points, self.won + shift.won, self.lost + shift.lost,
            self.extra + shift.extra,
        )  # fmt: skip

    def less(self, shift: Shift) -> Figures:
        """Return the figures with a dispute's shift taken out."""
        return Figures(
            self.points - shift.points, self.won - shift.won, self.lost - shift.lost,
            self.extra - shift.extra,
        )  # fmt: skip


@dataclass(slots=True)
class ListReport:
    """What a check says of one list.

    `entered` are the players' figures as they stand on the sheet, `corrected` the same with
    everything put right whose right value is known; what is open stays as entered. `totals`
    and `corrected_totals` are with the bonus of the system. `open_deals` are the deals whose
    value is one of several that their entries allow.
    """

    sheet: Sheet
    rules: str
    system: str
    verdict: Verdict
    disputes: Sequence[Dispute] = ()
    entered: tuple[Figures, ...] = ()
    corrected: tuple[Figures, ...] = ()
    totals: tuple[Amount, ...] = ()
    corrected_totals: tuple[Amount, ...] = ()
    open_deals: tuple[int, ...] = ()
    played: int = 0
    passed_in: int = 0

    @property
    def first(self) -> Dispute | None:
        """Return the first dispute that is an error, by line."""
        return next((one for one in self.disputes if one.severity is Severity.ERROR), None)

    @property
    def undecided(self) -> list[Dispute]:
        """Return the errors of which the list alone does not say what is right."""
        return [
            one for one in self.disputes
            if one.severity is Severity.ERROR and len(one.corrections) != 1
        ]  # fmt: skip

    @property
    def errors(self) -> int:
        """Return the number of disputes that are errors."""
        return sum(one.severity is Severity.ERROR for one in self.disputes)
