"""Where names stand in lists as JSON: `players`, declarers and dealers, headings, records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from skatspec.errors import InputError
from skatspec.formats.lines import Lines
from skatspec.formats.score_sheet import read
from skatspec.formats.score_sheet.json_read import (
    AFTER,
    FIGURES,
    KIND,
    RECORD,
    ROWS,
    SUMS,
    TOTALS,
    VERSION_KEY,
)
from skatspec.formats.score_sheet.raw import LIMIT, LIMIT_TEXT
from skatspec.formats.score_sheet.words import fold, words
from skatspec.session.anonymise import embedded
from skatspec.session.anonymise.places import JSON, Names, Text, Unit, decoded
from skatspec.session.anonymise.records_json import String, depth_behind, place_of, strings
from skatspec.session.anonymise.sheet_cells import (
    AROUND,
    PLAYERS,
    Cell,
    Roster,
    cell_places,
    figure_places,
    heading,
    heading_places,
    line_places,
)
from skatspec.sheet import TOTAL

_KEYS = frozenset((VERSION_KEY, ROWS, SUMS))


def units(lines: Iterable[bytes]) -> Iterator[Unit]:
    """Cut lines where no list is open. Raises InputError E005 for a list over the limit."""
    held: list[bytes] = []
    size = depth = 0
    for line in lines:
        held.append(line)
        size += len(line)
        depth = depth_behind(line, depth)
        if size > LIMIT:
            why = f"a list is longer than {LIMIT_TEXT}, and its names could not be found"
            raise InputError("E005", why)
        if not depth:
            yield _unit(b"".join(held))
            held, size, depth = [], 0, 0
    if held:
        yield _unit(b"".join(held))


def _unit(data: bytes) -> Unit:
    """Return lines with their places; of a list that is no JSON a string ends with its line."""
    places: list[Names | Text] = []
    names: list[str] = []
    found = strings(data, spanning=_is_json(data))
    for _, same in groupby(found, attrgetter("document")):
        one = _List(data, list(same))
        places += one.places()
        names += one.names()
    return Unit(data, tuple(places), tuple(names), of_list=True)


def _is_json(data: bytes) -> bool:
    text = decoded(data)[0].strip("\ufeff \t\r\n,[]")
    try:
        json.loads(f"[{text}]", strict=False)
    except (ValueError, RecursionError):
        return False
    return True


class _List:
    """Marks the places of one list."""

    def __init__(self, data: bytes, found: Sequence[String]) -> None:
        self._data = data
        self._strings = found
        self._roster = Roster(self._seats)
        self._meet()

    def _seats(self) -> int:
        """Return the seats of the list, the one of its number among those of the unit."""
        number = self._strings[0].document
        sheets = read(Lines([self._data]), "json")
        return next((one.seats for at, one in enumerate(sheets, 1) if at == number), 0)

    def _meet(self) -> None:
        """Learn who sits at the table, before any place is marked."""
        above = [one for one in self._strings if one.path and not one.is_key]
        for one in above:
            if words().lines.get(fold(one.path[0])) == PLAYERS:
                self._roster.named = True
                self._roster.sit(self._cell(one).name())
        if self._roster.named:
            return
        keys = [one.text for one in self._strings if one.is_key and one.path == (ROWS,)]
        for name in [name for _, name in (heading(key, self._roster) for key in keys) if name]:
            self._roster.sit(name)

    def _cell(self, one: String) -> Cell:
        return Cell.of(one.start, self._data[one.start : one.end], JSON, JSON)

    def names(self) -> tuple[str, ...]:
        """Return the names of the list's players, once its places were found."""
        return self._roster.names()

    def places(self) -> Iterator[Names | Text]:
        """Yield the places in order."""
        for one in self._strings:
            if one.path[:2] == (ROWS, RECORD):
                yield from self._record(one)
            elif one.is_key:
                yield from self._key(one)
            elif one.path[:1] == (ROWS,):
                yield from self._in_row(one)
            elif one.path[:1] == (SUMS,):
                if one.path[-1] != KIND or fold(one.text) not in words().sums:
                    yield from figure_places(self._cell(one))
            else:
                kind = words().lines.get(fold(one.path[0])) if one.path else None
                yield from line_places(kind, [self._cell(one)], self._roster)

    def _record(self, one: String) -> Iterator[Names | Text]:
        """Yield the places of a row's record, an object or a text."""
        if one.is_key:
            return
        if one.path == (ROWS, RECORD):
            found = list(embedded.places(self._data, one.start, one.end))
        else:
            place = place_of(self._data, one._replace(path=one.path[2:]))
            found = [] if place is None else [place]
        for each in found:
            yield self._roster.own(each) if isinstance(each, Names) else each

    def _key(self, one: String) -> Iterator[Names | Text]:
        cell = self._cell(one)
        if one.path == (ROWS,):
            if one.text not in (TOTALS, RECORD):
                yield from heading_places(cell, self._roster)
            return
        known = one.text in _KEYS or fold(one.text) in words().lines
        if one.path[:1] == (SUMS,):
            known = one.text in (KIND, FIGURES, AFTER) or fold(one.text) in words().sums
        if not known:
            yield from cell.as_text(AROUND)

    def _in_row(self, one: String) -> Iterator[Names | Text]:
        if len(one.path) == 1:
            yield from self._cell(one).as_text(AROUND)
            return
        key = one.path[1]
        of = TOTAL if key == TOTALS else heading(key, self._roster)[0]
        yield from cell_places(self._cell(one), of, self._roster)
