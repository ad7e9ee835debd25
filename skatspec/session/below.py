"""The lines below the rows: points, games won and lost, bonus, total, place.

Each figure may be right, or what the sheet's own other figures come to; the second only
follows from a dispute named before. Whatever is neither is a dispute of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from skatspec.diagnostics import Diagnostic, Span, finding
from skatspec.rules.match import Match
from skatspec.session import scoring
from skatspec.session.ledger import Ledger
from skatspec.session.report import Cell, Dispute, Figures, Shift
from skatspec.session.rows import amount
from skatspec.sheet import (
    BONUS,
    FINAL,
    LOST,
    OTHERS_LOST,
    PLACE,
    POINTS,
    TOTAL,
    WON,
    Amount,
    Row,
    Sheet,
    Sums,
)

Totals = Callable[[Sequence[Figures]], tuple[Amount, ...]]
Make = Callable[[Diagnostic], Dispute]

# So many admissible values are tried for their effect; of more, the best and the worst.
MOST_TRIED = 8
# So many games that no row has are told apart.
MOST_TOLD = 4
_WORDS = {
    POINTS: "points", BONUS: "bonus", FINAL: "total", WON: "games won", LOST: "games lost",
    OTHERS_LOST: "games lost by others",
}  # fmt: skip
_CODES = {WON: "L042", LOST: "L042", OTHERS_LOST: "L042", PLACE: "L043"}


class Won(NamedTuple):
    """Who had a game (several in a Ramsch), and whether it was won; None where that is open."""

    players: tuple[int, ...]
    won: bool | None


@dataclass(slots=True)
class Counts:
    """A player's games won and lost, as the rows rightly come to."""

    won: int = 0
    lost: int = 0


@dataclass(slots=True)
class Below:
    """Counts what the rows come to beside points, and holds the lines below against it."""

    sheet: Sheet
    ledger: Ledger
    match: Match
    totals: Totals
    make: Make
    counts: list[Counts] = field(init=False)
    # what disputes made of the players' figures beside totals, by the dispute's identity, and
    # of each player's in all
    made: dict[int, list[Shift]] = field(default_factory=dict)
    in_all: list[Figures] = field(init=False)
    # the ways to correct a row whose right value is open
    tried: dict[int, list[tuple[Shift, ...]]] = field(default_factory=dict)
    # what the totals were off by, where rather they are wrong than the row
    otherwise: dict[int, Sequence[Shift]] = field(default_factory=dict)
    # games that only totals tell of, each in the ways in which it can be meant
    told: list[Sequence[tuple[Shift, ...]]] = field(default_factory=list)
    # players whose figure stands rightly below, whatever the rows above say
    fixed: set[tuple[int, str]] = field(default_factory=set)
    stated: dict[str, Sequence[Amount | None]] = field(default_factory=dict)
    # what a final sum has beyond what the figures come to, where it is no dispute of its own
    extra: dict[int, Amount] = field(default_factory=dict)
    done: int = 0

    def __post_init__(self) -> None:
        self.counts = [Counts() for _ in range(self.sheet.seats)]
        self.in_all = [Figures() for _ in range(self.sheet.seats)]

    # --- rows ---------------------------------------------------------------------------

    def count(self, right: Won, entered: Won, dispute: Dispute | None) -> None:
        """Count a game: who rightly won or lost it, and who did as entered."""
        found: dict[int, list[int]] = {}
        for who, sign in ((right, -1), (entered, 1)):
            for player in who.players if who.won is not None else ():
                counts = self.counts[player]
                if sign < 0:
                    counts.won += bool(who.won)
                    counts.lost += not who.won
                shift = found.setdefault(player, [0, 0])
                shift[0 if who.won else 1] += sign
        if dispute is not None:
            shifts = [Shift(player, won=won, lost=lost) for player, (won, lost) in found.items()]
            self._make(dispute, *(one for one in shifts if any(one[1:])))

    def moved(
        self, declarer: int, other: int, won: bool, dispute: Dispute, points: Sequence[Shift]
    ) -> None:
        """Count a game that was counted for the declarer named for another player instead.

        `points` are what the totals have beside what they had if the row were right.
        """
        self.otherwise[id(dispute)] = points
        shift = Shift(declarer, won=int(won), lost=int(not won))
        for player, by in ((declarer, -1), (other, 1)):
            self.counts[player].won += by * shift.won
            self.counts[player].lost += by * shift.lost
        self._make(dispute, shift, _negative(shift)._replace(player=other))

    def tell(self, games: Sequence[tuple[Shift, ...]]) -> None:
        """Note a game that no row has, and that the totals speak of all the same: what it may
        have made of games won and lost.
        """
        if games and len(self.told) < MOST_TOLD:
            self.told.append(games)

    def open_value(
        self, row: Row, values: Sequence[Amount], entered: bool | None, dispute: Dispute
    ) -> None:
        """Note what each admissible value of a row would change, as none is known to be right."""
        if len(values) > MOST_TRIED:
            values = (values[0], values[-1])
        player = row.declarer or 0
        ways: list[tuple[Shift, ...]] = []
        for value in values:
            was = entered if entered is not None else (row.value or 0) > 0
            now = value > 0
            by = (row.value or 0) - value
            ways.append((Shift(player, by, was - now, now - was),))
        self.tried[id(dispute)] = ways
        # the counts go on from what was entered
        for shift in self.made.pop(id(dispute), ()):
            self.in_all[shift.player] = self.in_all[shift.player].less(shift)

    def _make(self, dispute: Dispute, *shifts: Shift) -> None:
        """Note what a dispute has made of players' figures."""
        self.made.setdefault(id(dispute), []).extend(shifts)
        for shift in shifts:
            self.in_all[shift.player] = self.in_all[shift.player].less(_negative(shift))

    # --- lines below --------------------------------------------------------------------

    def check(self, before: int | None = None) -> Iterator[Dispute]:
        """Yield what is wrong with the lines that stand above a line, or with all that are left."""
        sums = self.sheet.sums
        while self.done < len(sums) and (before is None or sums[self.done].line < before):
            line = sums[self.done]
            self.done += 1
            for player, figure in enumerate(line.figures[: self.sheet.seats]):
                if figure is not None:
                    yield from self._figure(line, player, figure)
            self.stated[line.kind] = line.figures

    def _figure(self, line: Sums, player: int, figure: Amount) -> Iterator[Dispute]:
        field_number = self.sheet.field(f"{TOTAL}{player + 1}")
        cell = Cell(line.line, field_number)
        right, others = self._candidates(line.kind, player)
        if figure == right or (line.kind == PLACE and self._lot_place(figure, player)):
            self._stands(line.kind, player, figure)
            return
        if figure in others:
            self._stands(line.kind, player, figure, follows=True)
            self.ledger.follows(player, cell)
            return
        found = finding(
            _CODES.get(line.kind, "L041"), span=Span(*cell, cell.field + 1 if cell.field else 0),
            what=_WORDS.get(line.kind, ""), player=self.sheet.name(player), read=amount(figure),
            expected=amount(right),
        )  # fmt: skip
        dispute = self.make(found)
        dispute.player, dispute.expected = player, (amount(right),)
        self._blame(line.kind, player, figure, dispute)
        yield dispute

    def _candidates(self, kind: str, player: int) -> tuple[Amount, list[Amount]]:
        """Return the right figure, and those that follow from what the sheet says elsewhere."""
        others = [self._one(kind, player, figures) for figures in self._as_entered()]
        if kind == OTHERS_LOST:
            stated = self.stated.get(LOST, ())
            if stated and all(one is not None for one in stated):
                others.append(sum(one or 0 for one in stated) - (stated[player] or 0))
        elif kind == FINAL:
            others += self._added_up(player)
        return self._one(kind, player, self.right()), others

    def _one(self, kind: str, player: int, figures: Sequence[Figures]) -> Amount:
        """Return a player's figure in a line, where the rows come to these figures."""
        if kind == PLACE:
            return self._place(figures, player)
        if kind == OTHERS_LOST:
            return sum(one.lost for one in figures) - figures[player].lost
        if kind in (POINTS, WON, LOST):
            return figures[player][(POINTS, WON, LOST).index(kind)]
        total = self.totals(figures)[player]
        return total - figures[player].points if kind == BONUS else total

    def _as_entered(self) -> Iterator[tuple[Figures, ...]]:
        """Yield the figures as entered: without the games that only totals tell of, and with."""
        figures = self.entered()
        yield figures
        for games in product(*self.told) if self.told else ():
            more = list(figures)
            for shift in (one for game in games for one in game):
                more[shift.player] = more[shift.player].less(_negative(self._kept(shift)))
            yield tuple(more)

    def _added_up(self, player: int) -> Iterator[Amount]:
        """Yield the total that the sheet's own points and bonus add up to."""
        points, bonus = self.stated.get(POINTS), self.stated.get(BONUS)
        if points and bonus:
            one, two = points[player], bonus[player]
            if one is not None and two is not None:
                yield one + two

    def _place(self, figures: Sequence[Figures], player: int) -> int:
        return self._places(figures).ranks[player]

    def _places(self, figures: Sequence[Figures]) -> scoring.Places:
        rows = [scoring.Sums(one.points, one.won, one.lost) for one in figures]
        return scoring.places(rows, self.totals(figures), self.match)

    def _lot_place(self, figure: Amount, player: int) -> bool:
        """Say whether a lot can have given a place."""
        for figures in (self.right(), *self._as_entered()):
            places = self._places(figures)
            for group in places.lots:
                first = places.ranks[group[0]]
                if player in group and first <= figure < first + len(group):
                    return True
        return False

    def _stands(self, kind: str, player: int, figure: Amount, follows: bool = False) -> None:
        """Note a figure that is right below, so that faults above do not reach the result."""
        if not follows and kind in (POINTS, WON, LOST):
            self.fixed.add((player, kind))
        elif kind == FINAL:
            if not follows:
                self.fixed |= {(player, one) for one in (POINTS, WON, LOST)}
            by = figure - self._own_total(player)
            self.extra[player] = self.extra.get(player, 0) + by

    def _own_total(self, player: int) -> Amount:
        return self.totals(self.entered())[player]

    def _blame(self, kind: str, player: int, figure: Amount, dispute: Dispute) -> None:
        entered = self.entered()[player]
        if kind == POINTS:
            self._make(dispute, Shift(player, points=figure - entered.points))
        elif kind == WON:
            self._make(dispute, Shift(player, won=int(figure) - entered.won))
        elif kind == LOST:
            self._make(dispute, Shift(player, lost=int(figure) - entered.lost))
        elif kind in (BONUS, FINAL):
            base = self._own_total(player)
            by = figure - base if kind == FINAL else figure - (base - entered.points)
            self._make(dispute, Shift(player, extra=by))

    # --- figures ------------------------------------------------------------------------

    def right(self) -> tuple[Figures, ...]:
        """Return what the rows rightly come to."""
        return tuple(
            Figures(column.right, counts.won, counts.lost)
            for column, counts in zip(self.ledger.columns, self.counts, strict=True)
        )

    def entered(self) -> tuple[Figures, ...]:
        """Return what stands on the sheet: the right figures with what disputes made of them."""
        figures = []
        for player, right in enumerate(self.right()):
            made = self.in_all[player]
            shift = Shift(player, self.ledger.off_by(player) + made.points, *made[1:])
            one = right.less(_negative(self._kept(shift)))
            figures.append(one._replace(extra=one.extra + self.extra.get(player, 0)))
        return tuple(figures)

    def correct(self, disputes: Sequence[Dispute]) -> None:
        """Give disputes the ways to put them right; see `Dispute.corrections`."""
        by_totals = self.ledger.shifts()
        for one in disputes:
            found = [*by_totals.get(id(one), ()), *self.made.get(id(one), ())]
            made = merged(self._kept(shift) for shift in found)
            if id(one) in self.tried:
                one.corrections = tuple(self.tried[id(one)])
            elif id(one) in self.otherwise:
                one.corrections = (made, self._otherwise(one))
            elif one.code not in _OPEN:
                one.corrections = (made,)

    def corrected(self, disputes: Sequence[Dispute]) -> tuple[Figures, ...]:
        """Return the figures as entered, without what disputes made of them whose right value is
        known; `correct` has gone before.
        """
        figures = list(self.entered())
        for one in disputes:
            for shift in one.corrections[0] if len(one.corrections) == 1 else ():
                figures[shift.player] = figures[shift.player].less(shift)
        return tuple(figures)

    def _otherwise(self, dispute: Dispute) -> tuple[Shift, ...]:
        """Return what the totals were off by if the row is right, and counts that go with them."""
        counts = [_difference(self._kept(shift), shift) for shift in self.made.get(id(dispute), ())]
        return merged(iter([*self.otherwise[id(dispute)], *counts]))

    def _kept(self, shift: Shift) -> Shift:
        """Return a shift without the figures that stand rightly below."""
        player = shift.player
        return Shift(
            player,
            0 if (player, POINTS) in self.fixed else shift.points,
            0 if (player, WON) in self.fixed else shift.won,
            0 if (player, LOST) in self.fixed else shift.lost,
            shift.extra,
        )


# What is right cannot be known: a missing deal, a cell that cannot be read.
_OPEN = frozenset(
    ("L010", "L013", "L014", "L015", "L016", "L017", "L018", "L019", "L020", "L022", "L023",
     "L024", "L035", "L036", "L046", "L047", "L050", "L051", "L052", "L053", "L054")
)  # fmt: skip


def merged(shifts: Iterator[Shift]) -> tuple[Shift, ...]:
    """Return one shift a player, those that come to nothing left out."""
    found: dict[int, Figures] = {}
    for one in shifts:
        found[one.player] = found.get(one.player, Figures()).less(_negative(one))
    return tuple(Shift(player, *figures) for player, figures in found.items() if any(figures))


def _difference(one: Shift, other: Shift) -> Shift:
    return Shift(
        one.player, one.points - other.points, one.won - other.won, one.lost - other.lost,
        one.extra - other.extra,
    )  # fmt: skip


def _negative(shift: Shift) -> Shift:
    return Shift(shift.player, -shift.points, -shift.won, -shift.lost, -shift.extra)
