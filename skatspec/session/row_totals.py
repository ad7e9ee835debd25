"""The running totals that a row states: right, following from a dispute before, or wrong.

Where totals and row contradict each other, the row may name the wrong player, or a game may
hide behind a deal that is missing; the totals then tell of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from skatspec.diagnostics import Diagnostic, Span, finding
from skatspec.record import RAMSCH
from skatspec.session import order
from skatspec.session.below import Below
from skatspec.session.counts import Counts, Won
from skatspec.session.ledger import Ledger, Off, games_told
from skatspec.session.report import Cell, Dispute, Reason, Shift
from skatspec.session.rows import amount, signed
from skatspec.sheet import TOTAL, Amount, Row, Sheet

Shares = Callable[[Row, Amount, Sequence[int]], dict[int, Amount] | None]
Make = Callable[[Diagnostic, int | None], Dispute]


@dataclass(slots=True)
class RowTotals:
    """Compares the totals of rows with the ledger, in the order of the deals.

    `shares` says what a value brings each player, `make` makes a dispute of a finding.
    `played_by` is who played a row (its line) by the totals, where the row names another.
    """

    sheet: Sheet
    ledger: Ledger
    counts: Counts
    below: Below
    shares: Shares
    make: Make
    played_by: dict[int, int] = field(default_factory=dict)
    # what may have moved the totals of a line: a deal that is missing, a row nobody played
    _causes: dict[int, list[Dispute]] = field(default_factory=dict)
    # nobody played the rows since the last one with totals
    _silent: bool = False

    def may_move(self, line: int, dispute: Dispute) -> None:
        """Note a dispute that may have moved the totals of a line."""
        self._causes.setdefault(line, []).append(dispute)

    def compare(self, row: Row, open_values: Sequence[Amount] = ()) -> list[Dispute]:
        """Return the disputes about a row's totals, once the row itself is booked.

        `open_values` are what the row's value may be beside what is entered.
        """
        cells = [
            Cell(row.line, self.sheet.field(f"{TOTAL}{player + 1}"))
            for player in range(len(row.totals))
        ]
        offs = self.ledger.take(row.totals, cells)
        silent, written = self._silent, any(total is not None for total in row.totals)
        self._silent = not written and (silent or order.passed_in(row))
        if not offs:
            return []
        other = self._other_declarer(row, offs)
        if other is not None:
            return [other]
        causes = self._causes.get(row.line, [])
        disputes = []
        for off in offs:
            if causes:
                self._blame(off, causes[0], cells[off.player])
            else:
                disputes.append(self._wrong_total(row, off, cells[off.player]))
        told = self._other_value(row, offs, open_values)
        ramsch = row.account is not None and row.account.contract == RAMSCH
        if len(causes) == 1 or order.passed_in(row) or silent or ramsch:
            told += games_told(offs)
        self.counts.tell(told)
        return disputes

    def _blame(self, off: Off, dispute: Dispute, cell: Cell) -> None:
        """Fold a total under what may have moved it, and say what it tells."""
        self.ledger.blame(off, dispute)
        dispute.follow_on.append(cell)
        told = Reason(f"by the totals {self.sheet.name(off.player)} has {signed(off.by)}", "")
        dispute.why = (*dispute.why, told)

    def count(self, row: Row) -> None:
        """Count a row that does not tell who played as the totals have it."""
        changes = []
        for player, total in enumerate(row.totals[: self.sheet.seats]):
            by = None if total is None else self.ledger.change(player, total)
            if by and total is not None:
                changes.append(Off(player, total, total, by))
        told = games_told(changes)
        if len(told) == 1:
            won = Won(tuple(one.player for one in told[0]), told[0][0].won > 0)
            self.counts.count(won, won, None)
        else:
            self.counts.tell(told)
        self.ledger.accept(row.totals)

    def _other_value(
        self, row: Row, offs: Sequence[Off], values: Sequence[Amount]
    ) -> list[tuple[Shift, ...]]:
        """Return what it makes of won and lost if the totals are right for another value that
        the row can have; nothing where there is no such value.
        """
        players = () if row.declarer is None else (row.declarer, *row.others)
        for value in values:
            would = self.shares(row, value, players)
            if would is not None and row.value is not None and self.ledger.explains(would, offs):
                by = (value > 0) - (row.value > 0)
                return [tuple(Shift(player, won=by, lost=-by) for player in players)]
        return []

    def _wrong_total(self, row: Row, off: Off, cell: Cell) -> Dispute:
        span = Span(row.line, cell.field, cell.field + 1)
        found = finding(
            "L040", span=span, player=self.sheet.name(off.player), read=amount(off.read),
            expected=amount(off.expected),
        )  # fmt: skip
        one = self.make(found, row.number)
        one.player, one.expected = off.player, (amount(off.expected),)
        self.ledger.blame(off, one)
        return one

    def _other_declarer(self, row: Row, offs: Sequence[Off]) -> Dispute | None:
        """Take totals that are right for another declarer for one dispute: who played the deal."""
        booked = self.ledger.booked
        if row.declarer is None or row.others or row.declarer not in booked:
            return None
        score = booked[row.declarer]
        for other in (off.player for off in offs if off.player != row.declarer):
            would = self.shares(row, score, (other,))
            if would is not None and self.ledger.explains(would, offs):
                break
        else:
            return None
        span = order.place(self.sheet, row, "declarer")
        read, expected = self.sheet.name(row.declarer), self.sheet.name(other)
        one = self.make(finding("L039", span=span, read=read, expected=expected), row.number)
        one.player, one.expected = row.declarer, (expected,)
        points = [
            Shift(player, points=would.get(player, 0) - booked.get(player, 0))
            for player in sorted({*would, *booked})
        ]
        self.below.otherwise[id(one)] = points
        self.counts.moved(row.declarer, other, score > 0, one)
        self.ledger.rebook(offs)
        self.played_by[row.line] = other
        return one
