"""Games won and lost: as the rows rightly come to, and what disputes have made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from skatspec.session.report import Dispute, Shift

# So many games that no row has are told apart.
MOST_TOLD = 4


class Won(NamedTuple):
    """Who had a game (several in a Ramsch), and whether it was won; None where that is open."""

    players: tuple[int, ...]
    won: bool | None


@dataclass(slots=True)
class Count:
    """A player's games won and lost."""

    won: int = 0
    lost: int = 0

    def add(self, won: int, lost: int) -> None:
        """Add games."""
        self.won += won
        self.lost += lost


@dataclass(slots=True)
class Counts:
    """The games of a list, row by row.

    `right` is what the rows rightly come to, `entered` what they say; `made` what each
    dispute, by its identity, has made of them. `told` are games that only totals tell of, each
    in the ways in which it can be meant.
    """

    right: list[Count]
    entered: list[Count]
    made: dict[int, list[Shift]] = field(default_factory=dict)
    told: list[Sequence[tuple[Shift, ...]]] = field(default_factory=list)

    @classmethod
    def of(cls, seats: int) -> Counts:
        """Return the counts of a table before the first deal."""
        return cls([Count() for _ in range(seats)], [Count() for _ in range(seats)])

    def count(self, right: Won, entered: Won, dispute: Dispute | None) -> None:
        """Count a game: who rightly won or lost it, and who did as entered."""
        found: dict[int, list[int]] = {}
        for who, sign, counts in ((right, -1, self.right), (entered, 1, self.entered)):
            for player in who.players if who.won is not None else ():
                won = bool(who.won)
                counts[player].add(won, not won)
                shift = found.setdefault(player, [0, 0])
                shift[0 if won else 1] += sign
        if dispute is not None:
            shifts = [Shift(player, won=won, lost=lost) for player, (won, lost) in found.items()]
            self._make(dispute, *(one for one in shifts if one.moves))

    def moved(self, declarer: int, other: int, won: bool, dispute: Dispute) -> None:
        """Count a game that was counted for the declarer named rightly for another player."""
        self.right[declarer].add(-won, won - 1)
        self.right[other].add(won, 1 - won)
        for player, sign in ((declarer, 1), (other, -1)):
            self._make(dispute, Shift(player, won=sign * won, lost=sign * (not won)))

    def tell(self, games: Sequence[tuple[Shift, ...]]) -> None:
        """Note a game that no row has, and that the totals speak of all the same."""
        if games and len(self.told) < MOST_TOLD:
            self.told.append(games)

    def _make(self, dispute: Dispute, *shifts: Shift) -> None:
        self.made.setdefault(id(dispute), []).extend(shifts)
