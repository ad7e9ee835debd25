"""Finds the texts of ISS records among lines: brackets only, nothing inside them is read.

Outside a record, blank lines and lines that begin with `#` are passed over, other text
is junk (N003, one finding a run). `(;` opens a record at the start of a line, or further
on where a property or the line's end follows. Inside a record `(;` at the start of a line
opens the next one, whatever is still open; `[` starts a value, which ends at the first
`]`, and `;)` outside a value ends the record. Memory is bounded by `LIMIT` characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from skatspec.diagnostics import Diagnostic, Span, finding
from skatspec.diagnostics.model import NOWHERE
from skatspec.formats.record_text import LIMIT, RecordText, excerpt

# A file may hold more junk than anyone wants to read about.
MOST_JUNK_FINDINGS = 1000

_OPENER = r"\(;(?=[ \t]*(?:[A-Z][A-Z0-9]*\[|$))"
_START = re.compile(_OPENER)
_INSIDE = re.compile(rf"\[|;\)|{_OPENER}")


@dataclass(frozen=True, slots=True)
class Frame:
    """The text of one record and the line it begins on.

    `problem` is empty, or the code of what is wrong with its frame: N001 a value
    without end, N002 no `;)`, E005 too long; `at` is the offset of the place.
    """

    line: int
    text: str
    problem: str = ""
    at: int = 0


class Framer:
    """Takes lines one by one and hands back the records that they complete."""

    def __init__(self, report: Callable[[Diagnostic], None]) -> None:
        self._junk = _Junk(report)
        self._record = RecordText()
        # The offset of the `[` of a value that has not ended yet.
        self._value: int | None = None

    @property
    def idle(self) -> bool:
        """Say whether neither a record nor a run of junk is open."""
        return not self._record.opened and not self._junk.open

    def feed(self, number: int, line: str) -> Iterator[Frame]:
        """Take a line, yield the records that end on it."""
        record = self._record
        if record.opened and line.startswith("(;"):
            yield from self._cut()
        base = record.add(number, line) if record.opened else 0
        if line.startswith("#") and self._value is None:
            return
        position = 0
        while True:
            if not record.opened:
                start = _start(line, position)
                self._junk.add(number, position, line[position:start])
                if start == len(line):
                    return
                self._junk.end_run()
                base = record.open(number, line, start)
                position = start + len("(;")
            position, problem = self._advance(line, position, base)
            if problem is None:
                break
            yield from self._close(base + position, problem)
        if record.size > LIMIT:
            yield Frame(record.line, record.text(LIMIT), "E005")
            record.refuse()

    @property
    def keeps(self) -> bool:
        """Say whether a record is open whose text is still wanted."""
        return self._record.opened and not self._record.refused

    @property
    def line(self) -> int:
        """Return the line on which the record begins that is open, or was the last to be."""
        return self._record.line

    def interrupt(self) -> Iterator[Frame]:
        """Yield the record that is left open where another one follows, if there is one."""
        if self._record.opened:
            yield from self._cut()
        self._junk.end_run()

    def finish(self) -> Iterator[Frame]:
        """Yield the record that the file's end leaves open, if there is one."""
        yield from self.interrupt()
        self._junk.end_file()

    def _advance(self, line: str, position: int, base: int) -> tuple[int, str | None]:
        """Return how far the open record reaches on this line.

        With it comes None where the line ends first, else the problem: "" for `;)`,
        N002 for the next record's `(;`.
        """
        while True:
            if self._value is not None:
                position = line.find("]", position) + 1
                if position == 0:
                    return len(line), None
                self._value = None
            found = _INSIDE.search(line, position)
            if found is None:
                return len(line), None
            if found[0] == ";)":
                return found.end(), ""
            if found[0] == "(;":
                return found.start(), "N002"
            self._value = base + found.start()
            position = found.end()

    def _close(self, end: int, problem: str) -> Iterator[Frame]:
        record = self._record
        if not record.refused:
            text = record.text(end)
            yield Frame(record.line, text, problem if len(text) <= LIMIT else "E005", end)
        record.close()

    def _cut(self) -> Iterator[Frame]:
        """Give up the open record: the next one begins, or the file ends."""
        record = self._record
        if self._value is not None and not record.refused:
            yield Frame(record.line, record.text(), "N001", self._value)
            record.refuse()
        self._value = None
        yield from self._close(record.size, "N002")


def _start(line: str, position: int) -> int:
    """Return where the next record of a line starts, or the line's length."""
    if position == 0 and line.startswith("(;"):
        return 0
    found = _START.search(line, position)
    return found.start() if found else len(line)


class _Junk:
    """The text between records that belongs to none: one finding a run of lines."""

    def __init__(self, report: Callable[[Diagnostic], None]) -> None:
        self._report = report
        self._first = ""
        self._place = NOWHERE
        self._lines = 0
        self._runs = 0

    @property
    def open(self) -> bool:
        """Say whether a run has begun."""
        return self._lines > 0

    def add(self, number: int, column: int, text: str) -> None:
        """Take what stands between two records on one line; blanks are nothing."""
        if not text or text.isspace():
            return
        if not self._lines:
            begin = column + len(text) - len(text.lstrip()) + 1
            self._first = excerpt(text)
            self._place = Span(number, begin, column + len(text.rstrip()) + 1)
        self._lines += 1

    def end_run(self) -> None:
        """A record begins: report the run before it, unless very many were reported."""
        if not self._lines:
            return
        self._runs += 1
        if self._runs <= MOST_JUNK_FINDINGS:
            more = self._lines - 1
            read = self._first + (f" +{more}" if more else "")
            self._report(finding("N003", span=self._place, read=read, expected="(;"))
        self._lines = 0

    def end_file(self) -> None:
        """The file ends: report the last run, and how many were left out."""
        self.end_run()
        more = self._runs - MOST_JUNK_FINDINGS
        if more > 0:
            self._report(finding("N003", span=self._place, read=f"+{more}"))
