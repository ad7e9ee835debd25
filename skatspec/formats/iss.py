"""ISS records, the archive format of the International Skat Server: read, parse, write.

The syntax is grammar/iss.lark. Records are read one after another with bounded
memory, by a fast scanner where they look as servers write them (iss_scan), else by the
grammar, which finds what is wrong and where (iss_grammar). Lenient is the reader in
these points only: properties may be missing, empty or in any order; a record may span
lines or share one; an unknown property is kept as a tag `iss.XY` (N007); an impossible
figure of the result spoils that figure alone (S016). Whether what is recorded is
right, nobody asks here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from skatspec.diagnostics import Diagnostic, finding, span_at
from skatspec.formats.iss_frame import Frame, Framer
from skatspec.formats.iss_places import locate
from skatspec.formats.iss_scan import FORMAT, scan
from skatspec.formats.iss_write import write
from skatspec.formats.lines import Lines, from_text
from skatspec.formats.record_text import LIMIT_TEXT, excerpt
from skatspec.record import BrokenRecord, Origin, Record

__all__ = ["locate", "parse", "read", "read_frame", "write"]


def read(lines: Lines) -> Iterator[Record | BrokenRecord]:
    """Yield the records of a source in order; junk between them is reported to `lines`."""
    source, index = lines.source, 0
    framer = Framer(lines.report)
    for number, line in lines:
        if framer.idle:
            record = scan(line, source, index, number)
            if record is not None:
                yield record
                index += 1
                continue
        for frame in framer.feed(number, line):
            yield read_frame(frame, source, index)
            index += 1
    for frame in framer.finish():
        yield read_frame(frame, source, index)
        index += 1


def parse(text: str) -> Record | BrokenRecord:
    """Read the first record of a text; a text without one is a broken record (N001)."""
    for record in read(from_text(text)):
        return record
    origin = Origin(format=FORMAT, text=text)
    note = finding("N001", span=origin.start(), read=excerpt(text), expected="(;")
    return BrokenRecord(origin, (note,))


def read_frame(frame: Frame, source: str, index: int) -> Record | BrokenRecord:
    """Read the text of one record; its places count from its first line."""
    origin = Origin(source, index, frame.line, FORMAT, frame.text, locate)
    if frame.problem:
        return BrokenRecord(origin, (_frame_finding(frame),))
    record = scan(frame.text.lstrip(" "), source, index, frame.line)
    if record is not None:
        return replace(record, origin=origin)
    # Lark is heavy, and sound archives never need it.
    from skatspec.formats.iss_grammar import read_exactly

    return read_exactly(origin)


def _frame_finding(frame: Frame) -> Diagnostic:
    """Say why no record could be cut out."""
    text = frame.text
    if frame.problem == "E005":
        place = span_at(text, 0, 1, frame.line)
        return finding("E005", span=place, what="a record", limit=LIMIT_TEXT)
    if frame.problem == "N001":
        place = span_at(text, frame.at, frame.at + 1, frame.line)
        return finding("N001", span=place, read=excerpt(text[frame.at :]), expected="]")
    end = _end_of_content(text)
    place = span_at(text, end, end + 1, frame.line)
    return finding("N002", span=place, read=excerpt(text), expected=";)")


def _end_of_content(text: str) -> int:
    """Return where an unfinished record stops; blank and `#` lines behind it are none of it."""
    end = len(text)
    while True:
        while end and text[end - 1].isspace():
            end -= 1
        start = text.rfind("\n", 0, end) + 1
        if not start or text[start] != "#":
            return end
        end = start
