"""The running totals of a list against its rows: what is wrong first, and what only follows.

Three figures are kept for each player: what the rows rightly come to, what the disputes
so far have made of it on the sheet, and what a dispute may have made of it since the
last total that is written. A total that is off by just what earlier disputes explain is
no dispute of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from skatspec.session.report import Cell, Dispute, Shift
from skatspec.sheet import Amount

Owed = list[tuple[Dispute, Amount]]
# So many disputes between two written totals are told apart; more are taken together.
_MOST_PENDING = 6


@dataclass(slots=True)
class Running:
    """One player's column: the right total, what disputes have added to it, what they may have.

    `carried` is the sum of what was added. `before` has for each sum that `added` had how many
    disputes made it, so that a total which is right again is known at once.
    """

    right: Amount = 0
    added: Owed = field(default_factory=list)
    pending: Owed = field(default_factory=list)
    carried: Amount = 0
    before: dict[Amount, int] = field(default_factory=dict)

    def add(self, owed: Owed) -> None:
        """Note what disputes have made of the column from here on."""
        for one in owed:
            self.before.setdefault(self.carried, len(self.added))
            self.added.append(one)
            self.carried += one[1]

    def fell_back(self, by: Amount) -> bool:
        """Forget later disputes where the column is off by what earlier ones made of it."""
        length = self.before.get(by)
        if length is None:
            return False
        del self.added[length:]
        self.carried = by
        self.before = {one: at for one, at in self.before.items() if at < length}
        return True


@dataclass(slots=True)
class Off:
    """A total that nothing so far explains: by how much, and what it should have been."""

    player: int
    read: Amount
    expected: Amount
    by: Amount


@dataclass(slots=True)
class Ledger:
    """The columns of a list's totals."""

    columns: list[Running]
    booked: Mapping[int, Amount] = field(default_factory=dict)

    @classmethod
    def of(cls, seats: int) -> Ledger:
        """Return the empty columns of a table."""
        return cls([Running() for _ in range(seats)])

    def book(
        self,
        right: Mapping[int, Amount],
        entered: Mapping[int, Amount] | None = None,
        dispute: Dispute | None = None,
    ) -> None:
        """Add a row: what it rightly brings each player, and as entered, where that differs."""
        self.booked = right
        for player, amount in right.items():
            self.columns[player].right += amount
        if dispute is not None and entered is not None:
            for player in {*right, *entered}:
                by = entered.get(player, 0) - right.get(player, 0)
                if by:
                    self.columns[player].pending.append((dispute, by))

    def take(self, totals: Sequence[Amount | None], cells: Sequence[Cell]) -> list[Off]:
        """Compare a line's totals with the columns; return those that nothing explains."""
        return [
            off
            for player, total in enumerate(totals)
            if total is not None and player < len(self.columns)
            for off in self._take(player, total, cells[player])
        ]

    def _take(self, player: int, total: Amount, cell: Cell) -> list[Off]:
        column = self.columns[player]
        by = total - column.right
        carried = column.carried
        pending, column.pending = column.pending, []
        for chosen in _choices(pending):
            if by == carried + sum(amount for _, amount in chosen):
                column.add(chosen)
                break
        else:
            if not column.fell_back(by):
                # what stood open is taken for used: the sheet goes on from what was entered
                column.add(pending)
                carried = column.carried
                if by != carried:
                    return [Off(player, total, column.right + carried, by - carried)]
        if by:
            self._follows(column, cell)
        return []

    def _follows(self, column: Running, cell: Cell) -> None:
        """Fold a wrong total under the first dispute that made it so."""
        if column.added:
            first = column.added[0][0]
            if first.found.span[:2] != cell:
                first.follow_on.append(cell)

    def blame(self, off: Off, dispute: Dispute) -> None:
        """Note that from here on a dispute explains an unexplained total."""
        self.columns[off.player].add([(dispute, off.by)])

    def explains(self, would: Mapping[int, Amount], offs: Sequence[Off]) -> bool:
        """Say whether the totals are right for what the last row would have brought."""
        brought = dict(self.booked)
        for off in offs:
            brought[off.player] = brought.get(off.player, 0) + off.by
        return all(brought.get(one, 0) == would.get(one, 0) for one in {*brought, *would})

    def rebook(self, offs: Sequence[Off]) -> None:
        """Take totals for right and the players that a row names for wrong."""
        for off in offs:
            self.columns[off.player].right += off.by

    def change(self, player: int, total: Amount) -> Amount | None:
        """Return what a total says that its row brought, None where earlier rows are open."""
        column = self.columns[player]
        return None if column.pending else total - column.right - column.carried

    def accept(self, totals: Sequence[Amount | None]) -> None:
        """Take what the totals say for what a row brought, where its own entries do not tell."""
        for player, total in enumerate(totals[: len(self.columns)]):
            brought = None if total is None else self.change(player, total)
            if brought:
                self.columns[player].right += brought

    def follows(self, player: int, cell: Cell) -> None:
        """Fold a figure below under the first dispute that moved its column."""
        self._follows(self.columns[player], cell)

    def shifts(self) -> dict[int, list[Shift]]:
        """Return what each dispute has made of the last totals, by its identity."""
        found: dict[int, list[Shift]] = {}
        for player, column in enumerate(self.columns):
            for one, amount in [*column.added, *column.pending]:
                found.setdefault(id(one), []).append(Shift(player, points=amount))
        return found

    def off_by(self, player: int) -> Amount:
        """Return what all disputes have made of a player's last total."""
        column = self.columns[player]
        return column.carried + sum([amount for _, amount in column.pending])


def games_told(offs: Sequence[Off]) -> list[tuple[Shift, ...]]:
    """Return the games that changes of totals can tell of: who won or lost, several in a Ramsch.

    In a zero-sum ledger it is the game of whom all others paid or were paid by, or of those
    who paid one player.
    """
    if not offs:
        return []
    games = [Shift(off.player, won=int(off.by > 0), lost=int(off.by < 0)) for off in offs]
    if all(off.by == offs[0].by for off in offs):
        return [tuple(games)]
    balance: Amount = sum([off.by for off in offs])
    if balance:
        return []
    sizes = [max(off.by, -off.by) for off in offs]
    most = sizes.index(max(sizes))
    others = [game for at, game in enumerate(games) if at != most]
    if len({off.by for off in offs}) != 2:
        return []
    return [(games[most],), tuple(others)] if others[0].lost else [(games[most],)]


def _choices(pending: Owed) -> list[Owed]:
    """Return which of the open disputes a total may have been made with: all, none, some."""
    if len(pending) > _MOST_PENDING:
        return [pending, []]
    chosen: list[Owed] = [[]]
    for one in pending:
        chosen += [[*before, one] for before in chosen]
    return sorted(chosen, key=len, reverse=True)
