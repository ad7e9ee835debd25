"""Who sits where on a score sheet: numbers of places and names to players from 0."""

from __future__ import annotations

from collections.abc import Sequence

from skatspec.formats.score_sheet.cells import UNREAD, Memo, Unread, unguarded
from skatspec.formats.score_sheet.names import Names
from skatspec.formats.score_sheet.raw import Raw
from skatspec.formats.score_sheet.words import clean, plain, words

MOST_SEATS = 9  # as many totals have a heading
# A table without players and totals is one of so many, unless higher numbers play.
USUAL_SEATS = 3
_LONGEST_NUMBER = 3


class Players:
    """The table of one sheet; finds a player by his number or name, each text once."""

    def __init__(self, raw: Raw, names: Sequence[str], seats: int) -> None:
        self.names = tuple(names) if any(names) else ()
        self.seats = seats
        self._raw = raw
        self._by_name = Names(names)
        self._memo = Memo(self._find)
        self._unnamed_told = False

    def find(self, text: str) -> tuple[int, ...] | Unread:
        """Return the players that a cell names, none where nobody played; UNREAD."""
        found: tuple[int, ...] | Unread = self._memo[text]
        return found

    def one(self, text: str) -> int | Unread | None:
        """Return the one player that a cell names, None where it names nobody."""
        found = self.find(text)
        if isinstance(found, Unread) or len(found) > 1:
            return UNREAD
        return found[0] if found else None

    def explain(self, text: str, line: int, at: int) -> None:
        """Say why a cell names no player of this table."""
        name = self.written(text)
        if any(len(self._by_name.find(part)) > 1 for part in (name, *name.split("+"))):
            return  # sits there twice, which was said
        if self._by_name or number_of(name) is not None:
            near = self._near(name) if self._raw.keeps("L020") else ""
            self._raw.note("L020", line, at, read=name, hint=near)
        elif not self._unnamed_told:
            self._unnamed_told = True
            self._raw.note("L024", line, at, read=name)

    def _near(self, name: str) -> str:
        """Return `, did you mean X?` with the players whose names are near, or nothing."""
        unknown = (part for part in name.split("+") if self._single(part) is UNREAD)
        return self._by_name.hint(*unknown)

    def written(self, text: str) -> str:
        """Return a name without what guards it."""
        return unguarded(text) if self._raw.fields else clean(text)

    def _find(self, text: str) -> tuple[int, ...] | Unread:
        name = self.written(text)
        found = self._single(name)
        if found is UNREAD and "+" in name:
            several = [self._single(part) for part in name.split("+")]
            players = [each for each in several if isinstance(each, int)]
            if len(players) == len(several) == len(set(players)):
                return tuple(players)
        if found is None:
            return ()
        return found if isinstance(found, Unread) else (found,)

    def _single(self, name: str) -> int | Unread | None:
        number = number_of(name)
        if number is not None and 1 <= number <= self.seats:
            return number - 1
        if plain(name) in ("", "-"):
            return None
        if plain(name) in words().nobody and not self._by_name.is_full(name):
            return None
        found = self._by_name.find(name)
        # who sits there twice is nobody in particular
        return found[0] if len(found) == 1 else UNREAD


def number_of(text: str) -> int | None:
    """Return the number of a place, None where a cell is no number."""
    text = text.strip()
    if not text.isascii() or not text.isdecimal() or len(text) > _LONGEST_NUMBER:
        return None
    return int(text)


def seats_used(raw: Raw, columns: Sequence[int]) -> int:
    """Return how many sit at a table of which only the numbers of its players are known."""
    texts = {cells[at] for _, cells in raw.rows for at in columns if at < len(cells)}
    numbers = [number_of(part) for text in texts for part in text.split("+")]
    return max([USUAL_SEATS, *(one for one in numbers if one and one <= MOST_SEATS)])
