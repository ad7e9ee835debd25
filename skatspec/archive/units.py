"""Units of work: ranges of a source's bytes, cut where a record begins a line.

Unit `k` holds the records whose first byte lies in `[k * UNIT, (k + 1) * UNIT)` of the source
as unpacked. So the cuts hang on nothing but the content, and every record is in one unit.
What stands before the first record belongs to unit 0, what stands behind a record to its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

UNIT = 1 << 24
# A line that begins with `(;` begins a record, whatever is open before it.
_RECORD = re.compile(rb"[\r\n]\(;")
_BEHIND_BLANKS = re.compile(rb"[\r\n][ \t]+\(;[ \t]*[A-Z]")
_OVERLAP = 2
# So far from the end of what was read a place to cut is looked for.
_NEAR = 1 << 20
# What is no record for so many units ends a unit all the same where the source is a stream.
_MOST_UNITS = 4


@dataclass(frozen=True, slots=True)
class Unit:
    """Unit `number` of source `source` (its place among a run's files); bytes `begin` to `end`.

    Of a source that cannot be read from anywhere `data` holds the bytes, from `begin` on;
    `broken` says why it could not be read on behind them. Of others `whole` is the length of
    all of it, as it was when the run began.
    """

    source: int
    path: str
    number: int
    begin: int
    end: int
    data: bytes | None = None
    broken: str = ""
    whole: int = 0

    @property
    def name(self) -> str:
        """Return the name of the unit's part."""
        return part_name(self.source, self.number)


def part_name(source: int, number: int) -> str:
    """Return the name of the part of a unit."""
    return f"{source:05d}-{number:06d}.parquet"


def units_of(source: int, path: str, size: int, unit: int = UNIT) -> Iterator[Unit]:
    """Yield the units of a source of so many bytes; one at least."""
    for number in range(max(1, -(-size // unit))):
        yield Unit(source, path, number, number * unit, (number + 1) * unit, whole=size)


def between(chunks: Iterable[bytes], begin: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, bytes) from the first record at `begin` or later to the first at `end`.

    `chunks` are the source's bytes from `begin - 1` on (from 0 where `begin` is 0).
    """
    at = max(begin - 1, 0)
    started, tail = begin == 0, b""
    for chunk in chunks:
        data = tail + chunk
        at -= len(tail)
        if not started:
            found = _RECORD.search(data)
            if found is None:
                tail = data[-_OVERLAP:]
                at += len(data)
                if at > end + _OVERLAP:
                    return
                continue
            cut, started = found.start() + 1, True
            if at + cut >= end:
                return
        else:
            cut = 0
        # cut once at both ends: a unit may come in one piece
        found = _RECORD.search(data, max(cut, end - 1 - at)) if at + len(data) >= end else None
        if found is not None:
            yield at + cut, data[cut : found.start() + 1]
            return
        held = len(data) - _OVERLAP
        if held > cut:
            yield at + cut, data[cut:held]
            tail = data[held:]
        else:
            tail = data[cut:]
        at += len(data)
    if started and tail:
        yield at - len(tail), tail


def _last_resort(held: bytearray) -> int:
    """Return where to cut what no record begins a line of: before one behind blanks, or a line."""
    near = max(0, len(held) - _NEAR)
    behind_blanks = [found.start() + 1 for found in _BEHIND_BLANKS.finditer(held, near)]
    if behind_blanks:
        return behind_blanks[-1]
    return max(held.rfind(b"\n"), held.rfind(b"\r", 0, -1)) + 1 or len(held)


def streamed(source: int, path: str, chunks: Iterable[bytes], unit: int = UNIT) -> Iterator[Unit]:
    """Yield the units of a source that is read from its beginning, each with its bytes."""
    held, begin, number = bytearray(), 0, 0
    seen = 0
    for chunk in chunks:
        held += chunk
        while begin + len(held) > (number + 1) * unit:
            end = (number + 1) * unit
            found = _RECORD.search(held, max(seen, end - 1 - begin, 0))
            if found is None:
                if len(held) < _MOST_UNITS * unit:
                    seen = max(len(held) - _OVERLAP, 0)
                    break
                cut = _last_resort(held)
            else:
                cut = found.start() + 1
            yield Unit(source, path, number, begin, end, bytes(held[:cut]))
            del held[:cut]
            begin, number, seen = begin + cut, number + 1, 0
            # units in which no record begins are there all the same, and empty
            while begin >= (number + 1) * unit:
                yield Unit(source, path, number, begin, (number + 1) * unit, b"")
                number += 1
    yield Unit(source, path, number, begin, (number + 1) * unit, bytes(held))
