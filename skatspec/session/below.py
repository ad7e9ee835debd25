"""The lines of sums: points, games won and lost, bonus, total, place.

What stands below the last row is what the table hands in, right or wrong. Each figure there
is what the sheet's own rows and other figures come to, or what is right in spite of them,
or else a dispute of its own. Lines between the rows are checked, and no more: nothing is
handed in with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from skatspec.diagnostics import Diagnostic, Span, finding
from skatspec.rules.match import Match
from skatspec.session import scoring
from skatspec.session.counts import Counts
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
    Sheet,
    Sums,
)

Totals = Callable[[Sequence[Figures]], tuple[Amount, ...]]
Make = Callable[[Diagnostic], Dispute]

_WORDS = {
    POINTS: "points", BONUS: "bonus", FINAL: "total", WON: "games won", LOST: "games lost",
    OTHERS_LOST: "games lost by others",
}  # fmt: skip
_CODES = {WON: "L042", LOST: "L042", OTHERS_LOST: "L042", PLACE: "L043"}


@dataclass(slots=True)
class Below:
    """Holds the lines of sums against the ledger of totals and the counts of games.

    `totals` adds the bonus, `make` makes a dispute of a finding.
    """

    sheet: Sheet
    ledger: Ledger
    counts: Counts
    match: Match
    totals: Totals
    make: Make
    # what lines below have that neither rows nor other lines come to, by the dispute's identity
    made: dict[int, list[Shift]] = field(default_factory=dict)
    # of disputes of which it is open what is right, by their identity: what each admissible value
    # would change, and what totals are off by if they are wrong rather than the row
    tried: dict[int, Sequence[Sequence[Shift]]] = field(default_factory=dict)
    otherwise: dict[int, Sequence[Shift]] = field(default_factory=dict)
    # games won or lost as they stand below the rows; and where they are right in spite of them
    stated: dict[tuple[int, str], int] = field(default_factory=dict)
    right_below: set[tuple[int, str]] = field(default_factory=set)
    # what a total below has beyond what points and games come to
    extra: dict[int, Amount] = field(default_factory=dict)
    _done: int = 0

    # --- figures ------------------------------------------------------------------------

    def right(self) -> tuple[Figures, ...]:
        """Return what the rows rightly come to."""
        return tuple(
            Figures(column.right, count.won, count.lost)
            for column, count in zip(self.ledger.columns, self.counts.right, strict=True)
        )

    def entered(self) -> tuple[Figures, ...]:
        """Return what the table hands in: the last totals and counts, and what a final sum adds."""
        return tuple(
            Figures(
                column.right + self.ledger.off_by(player),
                self.stated.get((player, WON), count.won),
                self.stated.get((player, LOST), count.lost),
                self.extra.get(player, 0),
            )
            for player, (column, count) in enumerate(
                zip(self.ledger.columns, self.counts.entered, strict=True)
            )
        )

    def corrected(self, disputes: Sequence[Dispute]) -> tuple[Figures, ...]:
        """Return the figures handed in, with everything put right whose right value is known.

        `correct` has gone before.
        """
        figures = list(self.entered())
        for one in disputes:
            for shift in one.corrections[0] if len(one.corrections) == 1 else ():
                figures[shift.player] = figures[shift.player].less(shift)
        return tuple(figures)

    def _as_entered(self) -> Iterator[tuple[Figures, ...]]:
        """Yield the figures as entered: without the games that only totals tell of, and with."""
        figures = self.entered()
        yield figures
        told = self.counts.told
        for games in product(*told) if told else ():
            more = list(figures)
            for shift in (one for game in games for one in game):
                won = 0 if (shift.player, WON) in self.stated else shift.won
                lost = 0 if (shift.player, LOST) in self.stated else shift.lost
                more[shift.player] = more[shift.player].plus(Shift(shift.player, 0, won, lost))
            yield tuple(more)

    # --- lines between the rows -----------------------------------------------------------

    def between(self, before: int) -> Iterator[Dispute]:
        """Yield what is wrong with the lines that stand above a row."""
        sums = self.sheet.sums
        while self._done < len(sums) and sums[self._done].line < before:
            line = sums[self._done]
            self._done += 1
            yield from self._points(line) if line.kind == POINTS else self._checked(line)

    def _points(self, line: Sums) -> Iterator[Dispute]:
        """Compare a line of points as a row's totals are: the next row may go on from it."""
        cells = [self._cell(line, player) for player in range(len(line.figures))]
        for off in self.ledger.take(line.figures, cells):
            dispute = self._dispute(line, off.player, off.read, off.expected)
            self.ledger.blame(off, dispute)
            yield dispute

    def _checked(self, line: Sums) -> Iterator[Dispute]:
        """Yield figures that are neither right nor what the sheet comes to; they move nobody."""
        for player, figure in self._figures(line):
            right = self._one(line.kind, player, self.right())
            if not self._follows(line, player, figure, right):
                yield self._dispute(line, player, figure, right)

    def _follows(self, line: Sums, player: int, figure: Amount, right: Amount) -> bool:
        """Say whether a figure is right, or follows from others; then it is folded."""
        if figure == right or (line.kind == PLACE and self._lot_place(figure, player)):
            return True
        if all(figure != self._one(line.kind, player, one) for one in self._as_entered()):
            return False
        self.ledger.follows(player, self._cell(line, player))
        return True

    # --- lines below the rows -------------------------------------------------------------

    def end(self) -> Iterator[Dispute]:
        """Yield what is wrong with the lines below the last row."""
        left = self.sheet.sums[self._done :]
        last = {line.kind: line for line in left}
        for line in left:
            if line is not last[line.kind]:
                yield from self._points(line) if line.kind == POINTS else self._checked(line)
        if POINTS in last:
            yield from self._points(last[POINTS])
        # games of all players before any total: each has a bonus for what others lost
        for kind in (WON, LOST):
            if kind in last:
                yield from self._games(last[kind])
        if OTHERS_LOST in last:
            yield from self._checked(last[OTHERS_LOST])
        yield from self._totals_below(last.get(BONUS), last.get(FINAL))
        if PLACE in last:
            yield from self._checked(last[PLACE])

    def _games(self, line: Sums) -> Iterator[Dispute]:
        at = 1 if line.kind == WON else 2
        entered, others = self.entered(), list(self._as_entered())[1:]
        for player, figure in self._figures(line):
            right, own = self.right()[player][at], entered[player][at]
            self.stated[player, line.kind] = int(figure)
            if figure == own:
                if own != right:
                    self.ledger.follows(player, self._cell(line, player))
            elif figure == right:
                self.right_below.add((player, line.kind))
            elif any(figure == one[player][at] for one in others):
                self.ledger.follows(player, self._cell(line, player))
            else:
                dispute = self._dispute(line, player, figure, right)
                by = int(figure) - int(own)
                won, lost = (by, 0) if line.kind == WON else (0, by)
                self.made[id(dispute)] = [Shift(player, won=won, lost=lost)]
                yield dispute

    def _totals_below(self, bonus: Sums | None, final: Sums | None) -> Iterator[Dispute]:
        entered, right = list(self._as_entered()), self.right()
        reached, rightly = self.totals(entered[0]), self.totals(right)
        boni = {} if bonus is None else dict(self._figures(bonus))
        finals = {} if final is None else dict(self._figures(final))
        for player in range(self.sheet.seats):
            points = entered[0][player].points
            own, stated = boni.get(player), finals.get(player)
            known = {self.totals(one)[player] for one in entered}
            extra: Amount = 0
            if own is not None and bonus is not None:
                fits = {one - points for one in known}
                if own not in {*fits, rightly[player] - right[player].points}:
                    dispute = self._dispute(
                        bonus, player, own, rightly[player] - right[player].points
                    )
                    if stated in (None, points + own):
                        extra = points + own - reached[player]
                        self.made[id(dispute)] = [Shift(player, extra=extra)]
                    yield dispute
                elif own != rightly[player] - right[player].points:
                    self.ledger.follows(player, self._cell(bonus, player))
            if stated is not None and final is not None:
                yield from self._final(final, player, stated, known, extra)
                extra = stated - reached[player]
            self.extra[player] = extra

    def _final(
        self, line: Sums, player: int, figure: Amount, known: set[Amount], extra: Amount
    ) -> Iterator[Dispute]:
        """Judge a final sum; `known` are what points and games come to, `extra` a wrong bonus."""
        right = self.totals(self.right())[player]
        own = self.totals(self.entered())[player]
        if figure == right:
            if own != right:
                self.right_below.add((player, FINAL))
        elif figure in known or (extra and figure == own + extra):
            self.ledger.follows(player, self._cell(line, player))
        else:
            dispute = self._dispute(line, player, figure, right)
            self.made[id(dispute)] = [Shift(player, extra=figure - own - extra)]
            yield dispute

    # --- disputes -------------------------------------------------------------------------

    def correct(self, disputes: Sequence[Dispute]) -> None:
        """Give disputes the ways to put them right; see `Dispute.corrections`."""
        by_totals = self.ledger.shifts()
        for one in disputes:
            counts = self.counts.made.get(id(one), ())
            kept = [self._kept(shift) for shift in counts]
            ways = [[*by_totals.get(id(one), ()), *self.made.get(id(one), ()), *kept]]
            if id(one) in self.tried:
                ways = [[self._kept(shift) for shift in way] for way in self.tried[id(one)]]
            elif id(one) in self.otherwise:
                # if rather the row is right, so are the games as it has them
                back = [shift.less(other) for shift, other in zip(kept, counts, strict=True)]
                ways.append([*self.otherwise[id(one)], *back])
            elif one.code in _OPEN or (one.code in _VALUES and not one.expected):
                ways = []
            one.corrections = tuple(self._right_in_spite(merged(way)) for way in ways)

    def _kept(self, shift: Shift) -> Shift:
        """Return a shift of counts without those that stand rightly below."""
        return shift._replace(
            won=0 if (shift.player, WON) in self.right_below else shift.won,
            lost=0 if (shift.player, LOST) in self.right_below else shift.lost,
        )

    def _right_in_spite(self, shifts: tuple[Shift, ...]) -> tuple[Shift, ...]:
        """Return shifts that leave a total as it is where it stands rightly below."""
        fixed = [player for player, kind in self.right_below if kind == FINAL]
        if not fixed or not shifts:
            return shifts
        figures = list(self.entered())
        before = self.totals(figures)
        for shift in shifts:
            figures[shift.player] = figures[shift.player].less(shift)
        after = self.totals(figures)
        more = [Shift(player, extra=after[player] - before[player]) for player in fixed]
        return merged([*shifts, *more])

    def _dispute(self, line: Sums, player: int, figure: Amount, right: Amount) -> Dispute:
        cell = self._cell(line, player)
        found = finding(
            _CODES.get(line.kind, "L041"), span=Span(*cell, cell.field + 1 if cell.field else 0),
            what=_WORDS.get(line.kind, ""), player=self.sheet.name(player), read=amount(figure),
            expected=amount(right),
        )  # fmt: skip
        dispute = self.make(found)
        dispute.player, dispute.expected = player, (amount(right),)
        return dispute

    # --- single figures -------------------------------------------------------------------

    def _figures(self, line: Sums) -> Iterator[tuple[int, Amount]]:
        for player, figure in enumerate(line.figures[: self.sheet.seats]):
            if figure is not None:
                yield player, figure

    def _cell(self, line: Sums, player: int) -> Cell:
        return Cell(line.line, self.sheet.field(f"{TOTAL}{player + 1}"))

    def _one(self, kind: str, player: int, figures: Sequence[Figures]) -> Amount:
        """Return a player's figure in a line, where the rows come to these figures."""
        if kind == PLACE:
            return self._places(figures).ranks[player]
        if kind == OTHERS_LOST:
            return sum(one.lost for one in figures) - figures[player].lost
        if kind in (POINTS, WON, LOST):
            return figures[player][(POINTS, WON, LOST).index(kind)]
        total = self.totals(figures)[player]
        return total - figures[player].points if kind == BONUS else total

    def _places(self, figures: Sequence[Figures]) -> scoring.Places:
        return scoring.places(figures, self.totals(figures), self.match)

    def _lot_place(self, figure: Amount, player: int) -> bool:
        """Say whether a lot can have given a place."""
        for figures in (self.right(), *self._as_entered()):
            places = self._places(figures)
            for group in places.lots:
                first = places.ranks[group[0]]
                if player in group and first <= figure < first + len(group):
                    return True
        return False


# What is right cannot be known: a missing deal, a cell that cannot be read.
_OPEN = frozenset(
    ("L010", "L013", "L014", "L015", "L016", "L017", "L018", "L019", "L020", "L022", "L023",
     "L024", "L035", "L036", "L046", "L047", "L050", "L051", "L052", "L053", "L054")
)  # fmt: skip
_VALUES = frozenset(("L030", "L031"))


def merged(shifts: Iterable[Shift]) -> tuple[Shift, ...]:
    """Return one shift a player, those that come to nothing left out."""
    found: dict[int, Figures] = {}
    for one in shifts:
        found[one.player] = found.get(one.player, Figures()).plus(one)
    return tuple(Shift(player, *figures) for player, figures in found.items() if any(figures))
