"""Finds the texts of JSON records among lines: objects in an array, a line each, or neither.

Brackets and strings are followed, nothing else; a string ends with its line at the
latest, because JSON allows no line end in one. `[`, `]` and commas between records are
passed over. A line that begins with `{"skatspec":`, or `"skatspec":` below a line with
`{` alone, opens the next record whatever is still open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from skatspec.diagnostics.model import NOWHERE, Span
from skatspec.formats.record_text import LIMIT, RecordText

# A record is four levels deep; what goes far beyond is none, and needs no parser.
DEEPEST = 32

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"?'
_TOKEN = re.compile(_STRING + r"|[\[\]{}]")
_BETWEEN = re.compile(r"[\s,]*")
_JUNK = re.compile(rf'(?:{_STRING}|[^{{"]+)++')
_RESTART = re.compile(r'\s*\{\s*"skatspec"\s*:')
_FIRST_KEY = re.compile(r'\s*"skatspec"\s*:')


@dataclass(frozen=True, slots=True)
class Frame:
    """The text of one record and the line it begins on.

    `problem` is empty, or what is wrong: N002 no end, E005 too long, N013 no object or
    far too deep; `at` is the offset of the place.
    """

    line: int
    text: str
    problem: str = ""
    at: int = 0


class Framer:
    """Takes lines one by one and hands back the records that they complete."""

    def __init__(self) -> None:
        # Whether the array of records is open, and where it was opened.
        self.array = False
        self.array_place = NOWHERE
        self._record = RecordText()
        self._depth = 0
        self._in_junk = False
        # Offset, number and text of the last line, where it holds `{` and nothing else.
        self._brace: tuple[int, int, str] | None = None

    @property
    def idle(self) -> bool:
        """Say whether no record is open."""
        return not self._record.opened

    def passed(self) -> None:
        """Note that a record was read without the framer: a run of junk has ended."""
        self._in_junk = False

    def feed(self, number: int, line: str) -> Iterator[Frame]:
        """Take a line, yield the records that end on it."""
        record = self._record
        if record.opened:
            yield from self._cut_before(line)
        base = record.add(number, line) if record.opened else 0
        self._brace = (base, number, line) if record.opened and line.strip() == "{" else None
        position = 0
        while True:
            if not record.opened:
                position = self._between(number, line, position)
                if position == len(line):
                    return
                base = record.open(number, line, position)
                if line[position] != "{":
                    position = _end_of_junk(line, position)
                    yield from self._junk(base + position)
                    continue
                self._depth, self._in_junk = 0, False
            position = self._advance(line, position)
            if self._depth == 0:
                yield from self._close(base + position, "")
            elif self._depth > DEEPEST and not record.refused:
                yield Frame(record.line, record.text(LIMIT), "N013", base + position - 1)
                record.refuse()
            elif position == len(line):
                break
        if record.size > LIMIT:
            yield Frame(record.line, record.text(LIMIT), "E005")
            record.refuse()

    def finish(self) -> Iterator[Frame]:
        """Yield the record that the file's end leaves open, if there is one."""
        if self._record.opened:
            yield from self._close(self._record.size, "N002")

    def _between(self, number: int, line: str, position: int) -> int:
        """Return where a record or junk begins, else the line's length."""
        while True:
            blank = _BETWEEN.match(line, position)
            position = blank.end() if blank else position
            bracket = line[position : position + 1]
            if bracket not in (("]",) if self.array else ("[",)):
                return position
            self.array = not self.array
            position += 1
            self.array_place = Span(number, position, position + 1)

    def _advance(self, line: str, position: int) -> int:
        """Follow the brackets of the open record: to its end, too deep, or to the line's end."""
        for found in _TOKEN.finditer(line, position):
            mark = found[0]
            if mark in "{[":
                self._depth += 1
                if self._depth > DEEPEST and not self._record.refused:
                    return found.end()
            elif mark in "}]":
                self._depth -= 1
                if self._depth == 0:
                    return found.end()
        return len(line)

    def _junk(self, end: int) -> Iterator[Frame]:
        """Hand out what is no record, once a run."""
        record = self._record
        if not self._in_junk:
            yield Frame(record.line, record.text(end), "N013")
        self._in_junk = True
        record.close()

    def _cut_before(self, line: str) -> Iterator[Frame]:
        """End the open record where a line can only belong to the next one."""
        record = self._record
        if _RESTART.match(line):
            yield from self._close(record.size, "N002")
        elif self._brace is not None and _FIRST_KEY.match(line):
            begin, number, text = self._brace
            yield from self._close(begin - 1, "N002")
            record.open(number, text, text.index("{"))
            self._depth, self._in_junk = 1, False

    def _close(self, end: int, problem: str) -> Iterator[Frame]:
        record = self._record
        if not record.refused:
            text = record.text(end)
            yield Frame(record.line, text, problem if len(text) <= LIMIT else "E005", end)
        record.close()


def _end_of_junk(line: str, position: int) -> int:
    """Return where the next object may begin; one inside a string is none."""
    found = _JUNK.match(line, position)
    return found.end() if found else len(line)
