"""The rows of a CSV file: its delimiter and its headings are found, its limits are kept."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator

from skatspec.formats.lines import Lines
from skatspec.formats.record_text import excerpt
from skatspec.formats.score_sheet.cells import NUMBER, UNREAD
from skatspec.formats.score_sheet.raw import (
    LIMIT,
    LIMIT_TEXT,
    MOST_CELL,
    MOST_COLUMNS,
    MOST_ROWS,
    Line,
    Raw,
)
from skatspec.formats.score_sheet.words import column, fold, words

DELIMITERS = (";", ",", "\t")
# How far the headings are looked for.
PEEK_LINES, PEEK_CHARACTERS = 200, 1 << 20
_LEAST_HEADINGS = 2
# A line that begins as no other and has so many of them needs no comparison.
_PLENTY = (True, 6)
_COMMENT = "#"
# A spreadsheet's own line, which says what the delimiter is.
_EXCEL = re.compile("sep=", re.IGNORECASE)
# Behind the last line: inside a cell only where a quote is still open.
_END = "\x00end"


def find_headings(texts: Iterable[str]) -> tuple[str, int, set[str]] | None:
    """Return the delimiter, the line (from 0) and the columns it has; None if there is none.

    The line with most headings is the one. A line whose first word can begin a line above
    the headings is so only where no other is.
    """
    best: tuple[str, int, set[str]] | None = None
    highest: tuple[bool, int, int] | tuple[bool, int] = (False, 0)
    for at, text in enumerate(texts):
        if text.startswith(_COMMENT):
            continue
        if highest >= _PLENTY:
            break
        parted = [(one, _cells(text, one)) for one in DELIMITERS if one in text]
        if any(_stands_above(cells) for _, cells in parted):
            continue
        for delimiter, cells in parted:
            first = fold(cells[0]) if cells else ""
            known = {one for cell in cells if (one := column(cell)) and _has_letter(cell)}
            rank = (first not in words().lines, len(known), -at)
            if len(known) >= _LEAST_HEADINGS and (best is None or rank > highest):
                best, highest = (delimiter, at, known), rank
    return best


def _has_letter(cell: str) -> bool:
    """Say whether a heading is a word: a sign alone may as well be a row's cell."""
    return any(map(str.isalpha, cell))


def _stands_above(cells: list[str]) -> bool:
    """Say whether a line's first word begins a line above the headings, and is no heading."""
    first = fold(cells[0]) if cells else ""
    return first in words().lines and first not in words().columns


def _cells(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:
        return []


def read_table(lines: Lines) -> Raw:
    """Read a CSV file to its end, or to the limit of rows."""
    raw = Raw(lines.source)
    peeked = _peek(lines)
    found = find_headings(peeked)
    if found is None:
        for _ in lines:  # what is wrong with the file is told all the same
            pass
        return raw
    delimiter, at, _ = found
    table = _Table(raw, lines, delimiter)
    table.read(at + 1)
    return raw


def _peek(lines: Lines) -> list[str]:
    peeked: list[str] = []
    size = 0
    for text in lines.peek():
        peeked.append(text)
        size += len(text)
        if len(peeked) >= PEEK_LINES or size >= PEEK_CHARACTERS:
            break
    return peeked


class _Table:
    """Takes the rows of one file in order: lines above, headings, rows."""

    def __init__(self, raw: Raw, lines: Lines, delimiter: str) -> None:
        self._raw = raw
        self._lines = lines
        self._reader = csv.reader(self._texts(), delimiter=delimiter)
        self._begun = self._number = self._size = 0
        self._over: list[bool] = []

    def _texts(self) -> Iterator[str]:
        for number, text in self._lines:
            self._begun = self._begun or number
            self._number = number
            self._size += len(text)
            yield text + "\n"
        self._over.append(True)
        yield _END

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows with the lines they begin on; a quote that stays open ends them."""
        while not self._over:
            self._begun = 0
            try:
                cells = next(self._reader, None)
            except csv.Error:
                self._limit(self._begun or self._number, "a cell", f"{MOST_CELL:,} characters")
                continue
            if cells is None or (self._over and cells == [_END]):
                return
            if self._over:
                self._cut(self._begun, cells[0] if len(cells) == 1 else cells[-1])
                return
            yield self._begun, self._bounded(cells)

    def read(self, headings: int) -> None:
        """Read all rows; the headings begin on a line, or behind it where cells span lines."""
        raw = self._raw
        for line, cells in self._rows():
            if not any(cells) or cells[0].startswith(_COMMENT):
                continue
            if self._size > LIMIT or len(raw.rows) == MOST_ROWS:
                limit = LIMIT_TEXT if self._size > LIMIT else f"{MOST_ROWS:,} rows"
                self._limit(line, "a list", limit)
                break
            if raw.headings is not None:
                raw.rows.append((line, cells))
            elif line >= headings:
                raw.headings, raw.headings_at = _trimmed(cells), line
            elif not _EXCEL.match(cells[0]):
                raw.lines.append(Line(line, cells[0], tuple(cells[1:])))
        self._short()

    def _bounded(self, cells: list[str]) -> list[str]:
        if len(cells) > MOST_COLUMNS:
            self._limit(self._begun, "a row", f"{MOST_COLUMNS} columns")
            cells = cells[:MOST_COLUMNS]
        if len(max(cells, key=len, default="")) > MOST_CELL:
            self._limit(self._begun, "a cell", f"{MOST_CELL:,} characters")
            cells = [cell[:MOST_CELL] for cell in cells]
        return cells

    def _short(self) -> None:
        """Drop a last row that has fewer cells than any row before it has filled."""
        raw = self._raw
        if raw.cut or len(raw.rows) < 2:
            return
        line, last = raw.rows[-1]
        if len(last) == 1 and not _may_begin_a_row(last[0]):
            return
        least = min(_filled(cells) for _, cells in raw.rows[:-1])
        if len(last) < least:
            raw.rows.pop()
            self._cut(line, last[-1] if last[-1] else last[0])

    def _cut(self, line: int, read: str) -> None:
        self._raw.cut = True
        self._raw.note("L016", line, read=excerpt(read.removesuffix(_END)))

    def _limit(self, line: int, what: str, limit: str) -> None:
        self._raw.note("E005", line, what=what, limit=limit)


def _may_begin_a_row(text: str) -> bool:
    """Say whether a text is a number, or the beginning of a word of a line of sums."""
    begun = fold(text)
    return NUMBER[text] is not UNREAD or any(word.startswith(begun) for word in words().sums)


def _filled(cells: list[str]) -> int:
    return next((at for at in range(len(cells), 0, -1) if cells[at - 1].strip()), 0)


def _trimmed(cells: list[str]) -> list[str]:
    """Return the headings; behind the last of them no column is meant."""
    return cells[: _filled(cells)]
