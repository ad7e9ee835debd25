"""The cells of a list and what may stand in each: names, texts in which names occur, or neither.

The words are those of the reader (formats.score_sheet), so that what it takes for a name is
one here. CSV and JSON lists differ in how a cell is spelt alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from skatspec.formats.score_sheet.cells import AMOUNT, NUMBER, READERS, UNREAD, unguarded
from skatspec.formats.score_sheet.names import short_names, whole_name
from skatspec.formats.score_sheet.players import MOST_SEATS, number_of
from skatspec.formats.score_sheet.words import clean, column, fold, plain, same_name, words
from skatspec.rules import available
from skatspec.session.anonymise.places import Names, Part, Spelling, Text, decoded
from skatspec.sheet import TOTAL

PLAYERS, DEALER, DECLARER, REMARK = "players", "dealer", "declarer", "remark"
UNREAD_CELLS, AROUND = "cells that are not read", "lines around the rows"
_NO_NAME, _MARK = ("", "-"), "\ufeff"
_LONGEST_HEADING = 1000
_BLANKS = re.compile(r"\s+")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: offsets of its bytes in the unit, the bytes, and how names and texts are spelt.

    `text` is what is read; `whole` says that it cannot be taken apart, `open` that it has no
    end, `guarded` that an apostrophe may lead it.
    """

    start: int
    raw: bytes
    text: str
    names: Spelling
    texts: Spelling
    guarded: bool = False
    whole: bool = False
    open: bool = False

    @property
    def end(self) -> int:
        """Return the offset behind the cell."""
        return self.start + len(self.raw)

    @classmethod
    def of(
        cls, start: int, raw: bytes, names: Spelling, texts: Spelling, guarded: bool = False,
        open: bool = False,
    ) -> Cell:  # fmt: skip
        """Return a cell whose bytes are its text, escapes aside."""
        text = texts.plain(decoded(raw)[0])[0].replace(_MARK, "")
        return cls(start, raw, text, names, texts, guarded, open=open)

    def name(self) -> str:
        """Return the cell's text as the reader compares names."""
        return unguarded(self.text) if self.guarded else clean(self.text)

    def as_text(self, label: str, comment: bool = False) -> Iterator[Text]:
        """Yield the cell as a text, unless nothing is written in it."""
        if _LETTER.search(self.text):
            yield Text(self.start, self.end, self.texts, label, comment)

    def part(self, begin: int, end: int) -> tuple[int, int]:
        """Return the unit's offsets of some characters of the cell's text, without blanks."""
        raw, encoding = decoded(self.raw)
        text, offsets = self.texts.plain(raw)
        if _MARK in text:
            at = offsets or range(len(text) + 1)
            offsets = [one for one, char in zip(at, text + " ", strict=True) if char != _MARK]
            text = text.replace(_MARK, "")
        if self.whole:
            begin, end, text, offsets = 0, len(raw), raw, None
        piece = text[begin:end]
        begin += len(piece) - len(piece.lstrip())
        end = max(end - len(piece) + len(piece.rstrip()), begin)
        if offsets is not None:
            begin, end = offsets[begin], offsets[end]
        first = self.start + len(raw[:begin].encode(encoding))
        return first, first + len(raw[begin:end].encode(encoding))


@dataclass(slots=True)
class Roster:
    """The names of one list; of a name's spellings that count as one the first stands for all.

    A first name or surname that only one player at the table has counts as his name.

    `named` says that there is a line of players, `players` are those who are known to sit at
    the table, as names are compared. `count_seats` is asked where players are called by numbers.
    """

    count_seats: Callable[[], int]
    named: bool = False
    players: set[str] = field(default_factory=set)
    _first: dict[str, str] = field(default_factory=dict)
    _short: dict[str, set[str]] = field(default_factory=dict)
    _shortened: dict[str, None] = field(default_factory=dict)
    _seats: int | None = None

    def canonical(self, name: str) -> str:
        """Return the spelling that stands for a name."""
        key = self._seated(name)
        if key is None:
            key = same_name(name)
        elif key != same_name(name):
            self._shortened.setdefault(name)
        return self._first.setdefault(key, name)

    def names(self) -> tuple[str, ...]:
        """Return every name so far, the short ones too."""
        return (*self._first.values(), *self._shortened)

    def sit(self, name: str) -> None:
        """Take a name for one of the table's."""
        self.players.add(same_name(name))
        self._short.clear()
        if name not in _NO_NAME:
            self.canonical(name)

    def sits(self, name: str) -> bool:
        """Say whether a name is that of one of the table's, in full or shortened."""
        return self._seated(name) is not None

    def _seated(self, name: str) -> str | None:
        """Return whose name it is, as names are compared; None for nobody at the table."""
        if not self._short:
            self._short = short_names(self.players)
        return whole_name(same_name(name), self.players, self._short)

    def is_place(self, name: str) -> bool:
        """Say whether a number is that of a place, or of nobody at all."""
        number = number_of(name)
        if number is None:
            return False
        if same_name(name) not in self.players:
            return True
        if self._seats is None:
            self._seats = self.count_seats()
        return 1 <= number <= self._seats

    def own(self, place: Names) -> Names:
        """Return the names of a record in the spelling that stands for them in the list."""
        parts = tuple([Part(one.spelt, self.canonical(one.name)) for one in place.parts])
        return Names(place.start, place.end, parts, place.spelling, place.build)


def one_player(cell: Cell, roster: Roster, begin: int, end: int, name: str) -> Iterator[Names]:
    """Yield a name that is these characters of a cell."""
    start, end = cell.part(begin, end)
    if start < end:
        spelt = cell.raw[start - cell.start : end - cell.start]
        yield Names(start, end, (Part(spelt, roster.canonical(name)),), cell.names)


def player(cell: Cell, roster: Roster) -> Iterator[Names]:
    """Yield the name in a cell of the line of players."""
    if cell.name() not in _NO_NAME:
        yield from one_player(cell, roster, 0, len(cell.text), cell.name())


def people(cell: Cell, roster: Roster) -> Iterator[Names | Text]:
    """Yield the names in a cell that says who played or dealt; numbers of places are none."""
    name = cell.name()
    if cell.open:
        yield from cell.as_text(UNREAD_CELLS)
    elif _is_name(name, roster):
        several = 0 < name.count("+") < MOST_SEATS and same_name(name) not in roster.players
        if not several or cell.whole:
            yield from one_player(cell, roster, 0, len(cell.text), name)
            return
        at = cell.text.index("'") + 1 if clean(cell.text) != name else 0
        for part in cell.text[at:].split("+"):
            if _is_name(clean(part), roster):
                yield from one_player(cell, roster, at, at + len(part), clean(part))
            at += len(part) + 1


def _is_name(name: str, roster: Roster) -> bool:
    if roster.is_place(name) or plain(name) in _NO_NAME:
        return False
    if same_name(name) in roster.players:
        return True
    return plain(name) not in words().nobody and any(char.isalnum() for char in name)


# ---------------------------------------------------------------- headings


def heading(text: str, roster: Roster) -> tuple[str | None, str]:
    """Return the column that a heading names, None for none, and the name that it bears."""
    known = column(text)
    if known is not None or len(text) > _LONGEST_HEADING:
        return known, ""
    name = words().total_of(text)
    if text and roster.sits(text if name is None else name):
        return TOTAL, clean(text) if name is None else name
    if name is not None and roster.players <= {""}:
        return TOTAL, name
    return None, ""


def heading_places(cell: Cell, roster: Roster) -> Iterator[Names | Text]:
    """Yield the name that a heading bears, or a heading that is none as a text."""
    known, name = heading(cell.text, roster)
    if known is None:
        yield from cell.as_text("headings")
    elif name:
        starts = [0, *(found.end() for found in _BLANKS.finditer(cell.text))]
        at = next((one for one in starts if clean(cell.text[one:]) == name), 0)
        yield from one_player(cell, roster, at, len(cell.text), name)


# ---------------------------------------------------------------- rows and lines


def cell_places(cell: Cell, of: str | None, roster: Roster) -> Iterator[Names | Text]:
    """Yield the places of a row's cell; `of` is its column, None where it has none."""
    if of in (DECLARER, DEALER):
        yield from people(cell, roster)
    elif of == REMARK:
        yield from cell.as_text("remarks", comment=True)
    elif of is None:
        yield from cell.as_text("other columns")
    else:
        memo = AMOUNT if of.startswith(TOTAL) else READERS[of]
        if cell.open or (cell.text.strip() and memo[cell.text] is UNREAD):
            yield from cell.as_text(UNREAD_CELLS)


def figure_places(cell: Cell) -> Iterator[Text]:
    """Yield a cell of a line of sums that holds no figure."""
    if cell.text.strip() and AMOUNT[cell.text] is UNREAD:
        yield from cell.as_text(AROUND)


def line_places(kind: str | None, cells: list[Cell], roster: Roster) -> Iterator[Names | Text]:
    """Yield the places behind the word of a line above the headings."""
    first = next((at for at, one in enumerate(cells) if one.text.strip()), 0)
    for at, cell in enumerate(cells):
        if kind == PLAYERS and not cell.open:
            yield from player(cell, roster)
        elif kind == DEALER and at == first:
            yield from people(cell, roster)
        elif cell.open or not _is_known(kind, cell.text):
            yield from cell.as_text(kind or AROUND)


def _is_known(kind: str | None, text: str) -> bool:
    """Say whether the value of a line is a word or number of the form."""
    if kind == "deals":
        return NUMBER[text] is not UNREAD
    if kind == "system":
        return fold(text) in words().systems
    return kind == "rules" and clean(text) in available()
