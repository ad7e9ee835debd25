"""The project's own notation, `.skat`: reading, writing, formatting (grammar/NOTATION.md).

Import this package where it is used, not at the top of a program: the grammar is loaded
with the first record.
"""

from __future__ import annotations

from collections.abc import Iterator

from skatspec.formats.lines import Lines, from_text
from skatspec.formats.skat.chunks import Chunk, chunks
from skatspec.formats.skat.places import locate
from skatspec.formats.skat.read import parse, read, read_chunk, report_junk
from skatspec.formats.skat.write import write
from skatspec.record import BrokenRecord, Record

__all__ = ["fmt", "format_text", "locate", "parse", "read", "write"]

# Findings of a record that can be read but not be written again without a loss.
_LOSSY = frozenset(("R006", "S016", "S017"))


def fmt(lines: Lines) -> Iterator[str]:
    """Yield a source in canonical form, piece by piece; joined they are the new file.

    What cannot be read, or not without a loss, comes out as it went in, and is reported
    to `lines` with every other finding. Records are set apart by one blank line. A line
    over the limit never gets here: where `lines` has reported one (E005), the pieces lack
    it and must not replace the source.
    """
    index = 0
    gap = _Gap()
    reported = False
    for piece in chunks(lines):
        if not isinstance(piece, Chunk):
            if not piece.in_record and not reported:
                reported = report_junk(lines, "\n".join(piece.lines), piece.first)
            yield from gap.verbatim(piece.lines)
            continue
        raw = list(piece.lines) if piece.too_long else []
        reading = read_chunk(piece, lines.source, index)
        index += 1
        record = reading.record
        for one in record.findings:
            lines.report(one)
        gap.apart()
        if raw:
            yield from gap.verbatim(raw)
        else:
            yield from gap.verbatim(_canonical(record).split("\n"))
        if reading.junk:
            report_junk(lines, reading.junk, reading.junk_line)
            gap.apart()
            yield from gap.verbatim(reading.junk.split("\n"))


def format_text(text: str) -> str:
    """Return a text in canonical form."""
    return "".join(fmt(from_text(text)))


def _canonical(record: Record | BrokenRecord) -> str:
    if isinstance(record, BrokenRecord) or any(one.code in _LOSSY for one in record.findings):
        return record.origin.text
    return write(record)[0]


class _Gap:
    """Passes lines on, blank ones at the beginning and end of a piece left out."""

    def __init__(self) -> None:
        self._blank = 0
        self._begun = False
        self._any = False

    def apart(self) -> None:
        """Begin a piece that one blank line sets apart from the last."""
        self._blank = 0
        self._begun = False

    def verbatim(self, lines: list[str]) -> Iterator[str]:
        """Yield lines with their ends."""
        for line in lines:
            if not line.strip(" \t"):
                self._blank += self._begun
                continue
            if not self._begun and self._any:
                yield "\n"
            yield "\n" * self._blank + line + "\n"
            self._blank = 0
            self._begun = self._any = True
