"""One way through the lines of an ISS source: what the kernel decides, and the rest as records.

A line that begins with `(;` begins a record, whatever is open before it. So the lines that the
kernel takes can be left out of the reading, and every other run of lines is cut into records
just as formats/iss does it: same numbers, same lines, same findings about the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from skatspec.archive.kernel.answers import CONSISTENT
from skatspec.formats.iss_frame import Frame, Framer
from skatspec.formats.lines import Block, Lines

# Multiplied with a record's offset it leaves no pattern: which records are audited hangs on
# nothing that a file's writer would arrange by chance, and is the same in every run.
_SPREAD = 0x9E3779B97F4A7C15
_BITS = 64


class Decider(Protocol):
    """A compiled kernel (archive/kernel/decide)."""

    def decide(self, data: bytes) -> Any:
        """Return a `Decided`."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A run of records that the kernel found consistent: those from `first` to before `stop`."""

    block: Block
    decided: Any
    first: int
    stop: int

    @property
    def count(self) -> int:
        """Return how many records they are."""
        return self.stop - self.first


@dataclass(frozen=True, slots=True)
class Claim:
    """What the kernel said of a record that the scalar engine is asked about all the same.

    `status` is `CONSISTENT`, or an index into its codes, with the byte of the source at
    which the fault is said to be. `figures` are those of a consistent record, else empty.
    """

    status: int
    position: int
    figures: tuple[int, ...] = ()

    @property
    def consistent(self) -> bool:
        """Say whether the record is said to be consistent."""
        return self.status == CONSISTENT


@dataclass(frozen=True, slots=True)
class Handed:
    """A record for the scalar engine: its number in the source, its text, its place in bytes.

    `starts` are the byte offsets of its lines, as far as they are known.
    """

    index: int
    frame: Frame
    starts: tuple[int, ...]
    claim: Claim | None = None

    @property
    def begin(self) -> int:
        """Return the byte at which the record begins."""
        return self.starts[0] + self._lead

    @property
    def length(self) -> int:
        """Return how many bytes the record takes, as far as its lines are known."""
        last = self.frame.text.rpartition("\n")[2] if len(self.starts) > 1 else self.frame.text
        return self.starts[-1] + len(_bytes(last)) - self.begin

    @property
    def _lead(self) -> int:
        """Return how many bytes of its line stand before the record."""
        return len(self.frame.text) - len(self.frame.text.lstrip(" "))


class Walk:
    """Yields `Taken` and `Handed` in the order of the source; without a kernel all is handed on.

    `audit` asks that one of so many records taken is handed on with its claim; 0 asks for none.
    Findings about the file are reported to `lines` as the reading comes by them; `count` is
    the number of records so far.
    """

    def __init__(self, lines: Lines, audit: int = 0) -> None:
        self._lines = lines
        self._audit = audit
        self._framer = Framer(lines.report)
        self._starts: dict[int, int] = {}
        self.count = 0

    def over(self, decided: Iterable[tuple[Block, Any]]) -> Iterator[Taken | Handed]:
        """Go through blocks, each with what the kernel says of it (None: nothing)."""
        for block, found in decided:
            if found is None or not len(found.status):
                yield from self._region(block, None)
            else:
                yield from self._block(block, found)
        for frame in self._framer.finish():
            yield self._handed(frame, None)
        self._lines.finish()

    def _block(self, block: Block, found: Any) -> Iterator[Taken | Handed]:
        """Go through a block: runs of taken lines, and regions between them."""
        import numpy as np

        data, begin, end = block.data, found.begin, found.end
        taken = found.status == CONSISTENT
        audited = taken & self._audited(block.offset, begin)
        following = np.append(found.line[1:], found.lines)
        gap = following - found.line > 1
        stops = np.flatnonzero(~taken | audited | gap)
        yield from self._part(block, 0, int(begin[0]))
        first = 0
        for stop in stops.tolist():
            until = int(begin[stop + 1]) if stop + 1 < len(begin) else len(data)
            if taken[stop] and not audited[stop]:
                yield from self._run(Taken(block, found, first, stop + 1))
                yield from self._part(block, _after_line(data, int(end[stop])), until)
            else:
                yield from self._run(Taken(block, found, first, stop))
                claim, alone = _claim(block, found, stop), not gap[stop]
                yield from self._part(block, int(begin[stop]), until, claim, alone)
            first = stop + 1
        yield from self._run(Taken(block, found, first, len(begin)))

    def _audited(self, offset: int, begin: Any) -> Any:
        """Say which records of a block are to be audited."""
        import numpy as np

        if not self._audit:
            return np.zeros(len(begin), np.bool_)
        places = (begin + offset).astype(np.uint64) * np.uint64(_SPREAD)
        return places >> np.uint64(_BITS // 2) < (1 << _BITS // 2) // self._audit

    def _run(self, taken: Taken) -> Iterator[Taken | Handed]:
        """Pass over taken lines: they end what is open before them."""
        if not taken.count:
            return
        for frame in self._framer.interrupt():
            yield self._handed(frame, None)
        self._starts.clear()
        self._lines.number += taken.count
        self.count += taken.count
        yield taken

    def _part(
        self, block: Block, begin: int, end: int, claim: Claim | None = None, alone: bool = False
    ) -> Iterator[Handed]:
        if begin < end:
            part = Block(block.offset + begin, block.data[begin:end])
            yield from self._region(part, claim, alone)

    def _region(self, block: Block, claim: Claim | None, alone: bool = False) -> Iterator[Handed]:
        """Cut lines into records; a claim is about the record of the first line.

        `alone` says that there is no other line.
        """
        framer, starts = self._framer, self._starts
        claimed = self._lines.number + 1
        if claim is not None and alone and framer.idle:
            # what the kernel makes a claim about is one record on one line, in ASCII
            self._lines.number += 1
            text = block.data.rstrip(b"\r\n").decode("ascii")
            self.count += 1
            yield Handed(self.count - 1, Frame(claimed, text), (block.offset,), claim)
            return
        for number, offset, text in self._lines.texts(block):
            if not framer.keeps:
                starts.clear()
            starts[number] = offset
            for frame in framer.feed(number, text):
                yield self._handed(frame, claim if frame.line == claimed else None)
            if framer.line == number and len(starts) > 1:
                starts.clear()
                starts[number] = offset

    def _handed(self, frame: Frame, claim: Claim | None) -> Handed:
        last = frame.line + frame.text.count("\n")
        starts = tuple(
            [offset for number, offset in self._starts.items() if frame.line <= number <= last]
        )
        self.count += 1
        return Handed(self.count - 1, frame, starts, claim)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _after_line(data: bytes, end: int) -> int:
    """Return where the next line begins."""
    if data.startswith(b"\r\n", end):
        return end + 2
    return end + 1


def _claim(block: Block, found: Any, at: int) -> Claim | None:
    status = int(found.status[at])
    if status == CONSISTENT:
        return Claim(status, -1, tuple(found.figures[at].tolist()))
    if status > CONSISTENT:
        return Claim(status, block.offset + int(found.error_at[at]))
    return None
