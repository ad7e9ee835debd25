"""Cuts a stream of lines at `%skat`: one piece a record, and what stands around records.

Memory is bounded by `MAX_RECORD` characters a record, however long the file is; what is
over the limit, or stands before the first record, goes by in small pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from skatspec.formats.lines import Lines

MAX_RECORD = 1 << 20
LIMIT = "1 MiB"
_PIECE = 1 << 16
_OPENS = re.compile(r"[ \t]*%skat(?![A-Za-z0-9_])")


@dataclass(slots=True)
class Chunk:
    """The lines of one record from its `%skat` on; `first` is the first one's number.

    `too_long` says that the record went over the limit (the rest follows as `Loose`
    pieces), `gap` that a line was left out because it was over the limit by itself.
    """

    first: int
    lines: list[str] = field(default_factory=list)
    too_long: bool = False
    gap: bool = False

    def text(self) -> str:
        """Return the record's text without blank lines at its end, with a line end."""
        lines = self.lines
        while len(lines) > 1 and not lines[-1].strip(" \t"):
            lines.pop()
        return "\n".join(lines) + "\n"


@dataclass(slots=True)
class Loose:
    """Lines before the first record, or the rest of a record over the limit."""

    first: int
    lines: list[str]
    in_record: bool


def opens(line: str) -> bool:
    """Say whether a line opens a record."""
    return "%skat" in line and _OPENS.match(line) is not None


def chunks(lines: Lines) -> Iterator[Chunk | Loose]:
    """Yield the pieces of a source in order; every line is in exactly one."""
    yield from _pieces(lines, in_record=False)
    chunk: Chunk | None = None
    held: list[str] = []
    size = following = 0
    for number, line in lines:
        if "%skat" in line and opens(line):
            if chunk is not None:
                chunk.gap = chunk.gap or number != following
                yield chunk
            chunk = Chunk(number, [line])
            held, size, following = chunk.lines, len(line), number + 1
            continue
        assert chunk is not None
        if number != following:
            chunk.gap = True
            held.extend([""] * (number - following))
        following = number + 1
        held.append(line)
        size += len(line) + 1
        if size > MAX_RECORD:
            chunk.too_long = True
            yield chunk
            chunk = None
            yield from _pieces(lines, in_record=True)
    if chunk is not None:
        yield chunk


def _pieces(lines: Lines, in_record: bool) -> Iterator[Loose]:
    """Yield lines up to the next opening line, which is put back."""
    piece: list[str] = []
    first = size = 0
    for number, line in lines:
        if opens(line):
            lines.push_back(number, line)
            break
        if not piece:
            first = number
        piece.append(line)
        size += len(line) + 1
        if size > _PIECE:
            yield Loose(first, piece, in_record)
            piece, size = [], 0
    if piece:
        yield Loose(first, piece, in_record)
