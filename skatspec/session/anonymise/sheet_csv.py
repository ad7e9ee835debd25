"""Where names stand in lists as CSV: the players' line, headings, declarers and dealers.

Rows are cut as the reader cuts them (formats.score_sheet.table, the csv module), but as bytes.
A list is one unit up to the reader's limit, since its first remark may name who plays last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from skatspec.formats.lines import Lines
from skatspec.formats.score_sheet import read
from skatspec.formats.score_sheet.cells import NUMBER, UNREAD
from skatspec.formats.score_sheet.raw import LIMIT
from skatspec.formats.score_sheet.table import PEEK_CHARACTERS, PEEK_LINES, find_headings
from skatspec.formats.score_sheet.words import fold, same_name, words
from skatspec.session.anonymise.places import (
    CELL,
    MARK,
    PLAIN,
    QUOTED,
    QUOTED_CELL,
    Names,
    Text,
    Unit,
    decoded,
)
from skatspec.session.anonymise.sheet_cells import (
    AROUND,
    DECLARER,
    PLAYERS,
    Cell,
    Roster,
    cell_places,
    figure_places,
    heading,
    heading_places,
    line_places,
)

_COMMENT = "#"
_EXCEL = re.compile("sep=", re.IGNORECASE)
_LINE_END = rb"\r\n|\r|\n|\xe2\x80[\xa8\xa9]"
_ENDS = re.compile(_LINE_END)


def units(lines: Iterable[bytes]) -> Iterator[Unit]:
    """Yield a list as one unit; what is beyond the reader's limit comes in more."""
    held: list[bytes] = []
    size = 0
    table: _Table | None = None
    for line in lines:
        held.append(line)
        size += len(line)
        if size > LIMIT:
            data = b"".join(held)
            table = table or _Table(data)
            yield table.unit(data)
            held, size = [], 0
    if held or table is None:
        data = b"".join(held)
        yield (table or _Table(data)).unit(data)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row: the line from 0 that it begins on, the offsets of its bytes, its cells."""

    line: int
    start: int
    end: int
    cells: list[Cell]

    @property
    def is_comment(self) -> bool:
        return self.cells[0].text.startswith(_COMMENT)

    @property
    def is_empty(self) -> bool:
        return not any(one.text for one in self.cells)


class _Table:
    """Marks the places of one list, whose headings stand in the first bytes."""

    def __init__(self, data: bytes) -> None:
        found = find_headings(_first_lines(data))
        self._field = _field(found[0].encode() if found else b",")
        self._at = found[1] if found else -1
        self._data = data
        self._columns: list[str | None] = []
        self._roster = Roster(self._seats)
        self._begun = False

    def _seats(self) -> int:
        return next(read(Lines([self._data]), "csv")).seats

    def unit(self, data: bytes) -> Unit:
        """Return bytes of the list with their places; the first ones hold its headings."""
        rows = list(_rows(data, self._field))
        places: list[Names | Text] = []
        above: list[_Row] = []
        if not self._begun and self._at >= 0:
            split = next((n for n, one in enumerate(rows) if self._heads(one)), len(rows))
            above, rows = rows[:split], rows[split:]
            self._meet([one for one in above if not one.is_comment], rows[:1])
        for row in above:
            places += self._comment(row) if row.is_comment else self._above(row)
        if not self._begun and rows and self._at >= 0:
            for cell in rows.pop(0).cells:
                places += heading_places(cell, self._roster)
        self._begun = True
        for row in rows:
            places += self._comment(row) if row.is_comment else self._row(row)
        return Unit(data, tuple(places), self._roster.names(), of_list=True)

    def _heads(self, row: _Row) -> bool:
        return row.line >= self._at and not row.is_empty and not row.is_comment

    def _meet(self, above: list[_Row], headings: list[_Row]) -> None:
        """Learn who sits at the table, before any place is marked."""
        for row in above:
            if _kind(row) == PLAYERS and not self._roster.named:
                self._roster.named = True
                for cell in row.cells[1:]:
                    self._roster.sit(cell.name())
        texts = [cell.text for row in headings for cell in row.cells]
        found = [heading(text, self._roster) for text in texts]
        self._columns = [known for known, _ in found]
        if not self._roster.named:
            for _, name in found:
                if name:
                    self._roster.sit(name)

    # ------------------------------------------------------------ rows

    def _comment(self, row: _Row) -> Iterator[Text]:
        """Yield a comment without the sign that makes it one; a quoted one keeps its quotes."""
        first = row.cells[0]
        behind = first.start + first.raw.index(_COMMENT.encode()) + len(_COMMENT)
        if first.start == row.start:
            yield Text(behind, row.end, PLAIN, "comments", comment=True)
            return
        yield Text(behind, first.end, first.texts, "comments", comment=True)
        for cell in row.cells[1:]:
            yield from cell.as_text("comments", comment=True)

    def _above(self, row: _Row) -> Iterator[Names | Text]:
        if _EXCEL.match(row.cells[0].text):
            return
        kind = _kind(row)
        if kind is None:
            yield from row.cells[0].as_text(AROUND)
        yield from line_places(kind, row.cells[1:], self._roster)

    def _row(self, row: _Row) -> Iterator[Names | Text]:
        sums = self._is_sums(row)
        word = next((at for at, one in enumerate(row.cells) if one.text.strip()), 0)
        for at, cell in enumerate(row.cells):
            if not sums:
                of = self._columns[at] if at < len(self._columns) else None
                yield from cell_places(cell, of, self._roster)
            elif at != word or fold(cell.text) not in words().sums:
                yield from figure_places(cell)

    def _is_sums(self, row: _Row) -> bool:
        """Say whether a row is a line of sums, or of another word that no row begins with.

        The reader tells them apart in the same way (formats.score_sheet.build).
        """
        texts = [one.text for one in row.cells]
        deal, declarer = self._first("deal"), self._first(DECLARER)
        if 0 <= deal < len(texts) and isinstance(NUMBER[texts[deal]], int):
            return False
        at = next((at for at, one in enumerate(texts) if one.strip()), 0)
        played = at < declarer < len(texts) and bool(texts[declarer].strip())
        is_name = at == declarer and same_name(texts[at]) in self._roster.players
        if fold(texts[at]) in words().sums and not is_name:
            return not (played and any((one or "").startswith("total_") for one in self._columns))
        return deal == at and not played and NUMBER[texts[at]] is UNREAD

    def _first(self, name: str) -> int:
        return self._columns.index(name) if name in self._columns else -1


def _kind(row: _Row) -> str | None:
    return words().lines.get(fold(row.cells[0].text))


def _first_lines(data: bytes) -> list[str]:
    """Return the lines in which the reader looks for headings."""
    found: list[str] = []
    size = 0
    for text in Lines([data]).peek():
        found.append(text)
        size += len(text)
        if len(found) >= PEEK_LINES or size >= PEEK_CHARACTERS:
            break
    return found


# ---------------------------------------------------------------- cells


@cache
def _field(delimiter: bytes) -> re.Pattern[bytes]:
    """Return what matches a cell and what ends it.

    Groups: a quoted cell, what stands behind its closing quote, another cell, the end.
    """
    other = rb"(?:[^\r\n\xe2" + delimiter + rb"]|\xe2(?!\x80[\xa8\xa9]))*+"
    quoted = rb'"([^"]*+(?:""[^"]*+)*+)(?:"(' + other + rb")|\Z)"
    return re.compile(
        rb"(?:\xef\xbb\xbf)*+(?:" + quoted + rb"|(" + other + rb"))"
        rb"(" + delimiter + rb"|" + _LINE_END + rb"|\Z)"
    )


def _rows(data: bytes, field: re.Pattern[bytes]) -> Iterator[_Row]:
    """Cut bytes into rows; a quote that is never closed reaches to the end."""
    start = begin = line = at = 0
    cells: list[Cell] = []
    while at < len(data):
        if not cells:
            begin = at + (len(MARK) if data.startswith(MARK, at) else 0)
        found = field.match(data, at)
        if found is None:  # cannot be: any bytes are a cell
            return
        cells.append(_cell(found))
        at = found.end()
        if found.start(4) == len(data) or _ENDS.fullmatch(found[4]):
            yield _Row(line, begin, found.start(4), cells)
            line += len(_ENDS.findall(data, start, at))
            start, cells = at, []
    if cells:  # a delimiter ends the file
        yield _Row(line, begin, len(data), cells)


def _cell(found: re.Match[bytes]) -> Cell:
    if found[1] is None:
        return Cell.of(found.start(3), found[3], CELL, PLAIN, guarded=True)
    inside = Cell.of(
        found.start(1), found[1], QUOTED_CELL, QUOTED, guarded=True, open=found[2] is None
    )
    if not found[2]:
        return inside
    # the reader takes what stands behind the closing quote for a part of the cell
    text = inside.text + decoded(found[2])[0]
    start = inside.start - 1
    raw = found.string[start : found.end(2)]
    return Cell(start, raw, text, CELL, PLAIN, guarded=True, whole=True)
