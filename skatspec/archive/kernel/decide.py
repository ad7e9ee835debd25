"""Decides the records of an ISS archive that lies in memory, one a line, in one call.

`Kernel(rules).decide(data)` may be called by several threads at once. The first call of a
process loads the compiled code, or compiles it where that was never done (`is_cached`).
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import Any

from skatspec.archive.kernel.answers import (
    BID,
    CODES,
    CONSISTENT,
    CONTRACT,
    DECLARER,
    FIGURES,
    MATADORS,
    MODIFIERS,
    NONE,
    NOT_MINE,
    PADDING,
    POINTS,
    RECORDED,
    SCORE,
    SPANNED,
    TRICKS,
    VALUE,
)
from skatspec.archive.kernel.fitting import fits
from skatspec.archive.kernel.kept import is_cached, mark
from skatspec.rules import Rules

__all__ = [
    "BID", "CODES", "CONSISTENT", "CONTRACT", "DECLARER", "FIGURES", "MATADORS", "MODIFIERS",
    "NONE", "NOT_MINE", "POINTS", "RECORDED", "SCORE", "SPANNED", "TRICKS", "VALUE", "Decided",
    "Kernel", "decide", "fits", "is_cached", "kernel_of",
]  # fmt: skip

# Room for as many records at first; archives hold about 400 bytes a record.
_BYTES_A_RECORD = 300


@dataclass(frozen=True, slots=True)
class Decided:
    """What the kernel says of every line that begins with `(;`, in order, as NumPy arrays.

    `status` (int16): CONSISTENT (the scalar engine would say so, without any finding), NOT_MINE
    (that engine is to be asked), or an index >= 2 into CODES: the first error's code.
    `begin`, `end` (int64): byte offsets in the data, the line's end left out; `line` (int64):
    the line's number in the data from 0; `error_at` (int64): the byte that an error's code is
    about, else -1. `figures` (int32 [n, FIGURES]): of a CONSISTENT record what the scalar
    report has, NONE where that has None. `spans` (int32 [n, 10]): of a CONSISTENT record the
    begin and end of the values of SPANNED, counted from `begin`, -1 where there is none.
    `lines` counts all lines of the data.
    """

    status: Any
    begin: Any
    end: Any
    line: Any
    error_at: Any
    figures: Any
    spans: Any
    lines: int


class Kernel:
    """The kernel for one set of rules that it knows: `fits(rules)` must be true."""

    def __init__(self, rules: Rules) -> None:
        if not fits(rules):
            raise ValueError(f"the kernel does not know the rules {rules.name}")
        from skatspec.archive.kernel.flat import flat_tables

        self.tables = flat_tables(rules)

    def warm(self) -> None:
        """Load the compiled code, or compile it and keep it for the next time."""
        collecting = gc.isenabled()
        gc.disable()  # what a compiler makes it keeps: looking for waste costs a second
        try:
            self.decide(b"(;\n")
        finally:
            if collecting:
                gc.enable()
        mark()

    def decide(self, data: Any) -> Decided:
        """Decide every record of some bytes (bytes, memoryview or uint8 array)."""
        import numpy as np

        from skatspec.archive.kernel import lines

        raw = np.frombuffer(data, np.uint8)
        raw.flags.writeable = False  # one type of array, or the kernel is compiled once more
        size, shift = raw.size, 0
        counts = np.zeros(3, np.int64)
        room = _room(size // _BYTES_A_RECORD + 16)
        while answer := lines.lines(raw, size, shift, self.tables, counts, *room):
            if answer == lines.NO_ROOM:
                room = _more(room)
                continue
            # the last lines, in a copy that may be read beyond their end
            done = int(counts[lines.BYTES])
            copy = np.zeros(size - done + PADDING, np.uint8)
            copy[: size - done] = raw[done:]
            copy.flags.writeable = False
            raw, size, shift = copy, size - done, done
            counts[lines.BYTES] = 0
        status, places, figures, spans = room
        n = int(counts[lines.RECORDS])
        return Decided(
            status[:n], places[0, :n], places[1, :n], places[2, :n], places[3, :n],
            figures[:n], spans[:n], int(counts[lines.LINES]),
        )  # fmt: skip


_Room = tuple[Any, Any, Any, Any]


def _room(size: int) -> _Room:
    import numpy as np

    return (
        np.empty(size, np.int16), np.empty((4, size), np.int64),
        np.empty((size, FIGURES), np.int32), np.empty((size, 2 * len(SPANNED)), np.int32),
    )  # fmt: skip


def _more(room: _Room) -> _Room:
    """Return twice the room, with what is in it already."""
    more = _room(len(room[0]) * 2)
    for new, old in zip(more, room, strict=True):
        new[tuple(slice(0, size) for size in old.shape)] = old
    return more


# The kernels made last, by the digest of their rules.
_made: dict[str, Kernel] = {}
_MOST_MADE = 8


def kernel_of(rules: Rules) -> Kernel:
    """Return the kernel for some rules, compiled where it never was, and kept by the process.

    Raises ValueError where the rules do not fit.
    """
    digest = rules.profile.digest
    kernel = _made.get(digest)
    if kernel is None:
        if len(_made) >= _MOST_MADE:
            _made.clear()
        kernel = Kernel(rules)
        if not is_cached():
            kernel.warm()
        _made[digest] = kernel
    return kernel


def decide(data: Any, rules: Rules) -> Decided:
    """Decide every record of some bytes; raises ValueError where the rules do not fit."""
    return kernel_of(rules).decide(data)
