"""Who played, on lists without a column for it: whose running total is written, or changes."""

from __future__ import annotations

from collections.abc import Sequence

from skatspec.formats.score_sheet.cells import AMOUNT, GAME, UNREAD, Unread
from skatspec.formats.score_sheet.columns import Columns
from skatspec.sheet import Amount


class ByTotals:
    """Finds who played, row by row; `totals` are pairs of a player and where his total stands.

    Where one total is written, that player played. Where several are, he whose total is another
    one than he had before, if it is one: in a zero-sum count that says nothing.
    """

    def __init__(
        self, found: Columns, totals: Sequence[tuple[int, int]], zero_sum: bool = False
    ) -> None:
        self._totals, self._zero_sum = totals, zero_sum
        self._contract = found.at.get("contract")
        self._values = [at for at in (found.at.get("value"), found.minus) if at is not None]
        # a total that could not be read is not known, and differs from any other
        self._last: dict[int, Amount | Unread] = {player: 0 for player, _ in totals}

    def find(self, cells: Sequence[str]) -> int | Unread | None:
        """Return who played a row, None where nobody did, UNREAD where it does not tell."""
        written: dict[int, Amount | Unread] = {}
        for player, at in self._totals:
            total = AMOUNT[cells[at]]
            if total is not None:
                written[player] = total
        changed = [player for player, total in written.items() if total != self._last[player]]
        known = not any(
            one is UNREAD for player in changed for one in (written[player], self._last[player])
        )
        self._last.update(written)
        if len(written) == 1:
            return next(iter(written))
        game = self._is_game(cells)
        if not changed:
            return UNREAD if game else None
        one_alone = len(changed) == 1 and not self._zero_sum
        return changed[0] if one_alone and (known or game) else UNREAD

    def _is_game(self, cells: Sequence[str]) -> bool:
        """Say whether a row has a value or a contract."""
        if self._contract is not None and GAME[cells[self._contract]] is not None:
            return True
        return any(AMOUNT[cells[at]] not in (None, 0) for at in self._values)
