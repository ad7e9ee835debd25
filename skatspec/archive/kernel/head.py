"""The kernel's reading of lines, and of a record's properties up to its moves."""

from __future__ import annotations

import numpy as np

from skatspec.archive.kernel.answers import SPANNED
from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.letters import SPACE
from skatspec.archive.kernel.state import TEXTS
from skatspec.archive.kernel.unchecked import byte, cell, covering, first, pattern, word

# Properties in the order in which they stand: each at most once, only the moves are needed.
_ORDER = ("GM", "PC", "CO", "SE", "ID", "DT", "OW", "P0", "P1", "P2", "R0", "R1", "R2", "MV")
_GM, _OW, _MV = (_ORDER.index(name) for name in ("GM", "OW", "MV"))
# The first of the two places of its span, -1 for a property that nobody asks for.
_COLUMN = np.array(
    [2 * SPANNED.index(name) if name in SPANNED else -1 for name in _ORDER], np.int64
)
# A property's number by (first byte + second byte x _FACTOR) modulo 32: no two meet.
_FACTOR, _PLACES = 20, 32
_KEYS = np.full(_PLACES, -1, np.int64)
_NUMBERS = np.zeros(_PLACES, np.int64)
for _number, _name in enumerate(_ORDER):
    _at = (ord(_name[0]) + ord(_name[1]) * _FACTOR) % _PLACES
    assert _KEYS[_at] == -1
    _KEYS[_at], _NUMBERS[_at] = pattern(_name.encode() + b"["), _number
_KEY_MASK = covering(b"XX[")
_SKAT, _SKAT_MASK = pattern(b"Skat]"), covering(b"Skat]")

_LF, _CR = ord("\n"), ord("\r")
_ONES = pattern(b"\1" * 8)
_HIGHS = pattern(b"\x80" * 8)
_BLANKS = pattern(b" " * 8)
_CLOSES = pattern(b"]" * 8)


@compiled()
def _odd(eight):
    """Mark the bytes of a word that are no printable ASCII; the lowest mark is right."""
    return ((eight - _BLANKS) & ~eight | eight) & _HIGHS


@compiled()
def line_end(buf, begin, size):
    """Return where the line ends, and whether nothing but printable ASCII stands before."""
    p, plain = begin, True
    while True:
        while p + 16 <= size:
            if _odd(word(buf, p)) | _odd(word(buf, p + 8)):
                break
            p += 16
        while p < size and (byte(buf, p) >= SPACE) and byte(buf, p) < 128:
            p += 1
        if p >= size or byte(buf, p) == _LF or byte(buf, p) == _CR:
            return p, plain
        plain = False
        p += 1


@compiled()
def head(buf, begin, end, g):
    """Find the properties of a record; return the place of its first move, -1 for not mine.

    Where the values stand that somebody asks for goes to `g[TEXTS]`, counted from `begin`.
    """
    for column in range(2 * len(SPANNED)):
        g[TEXTS + column] = -1
    p, last = begin + 2, -1
    while True:
        while byte(buf, p) == SPACE:
            p += 1
        place = (byte(buf, p) + byte(buf, p + 1) * _FACTOR) & (_PLACES - 1)
        number = cell(_NUMBERS, place)
        if word(buf, p) & _KEY_MASK != cell(_KEYS, place) or number <= last:
            return -1
        p += 3
        if number == _MV:
            return p
        last = number
        start = p
        while True:
            other = word(buf, p) ^ _CLOSES
            found = (other - _ONES) & ~other & _HIGHS
            if found:
                p += first(found)
                break
            if _odd(word(buf, p)):
                return -1
            p += 8
        if p >= end:
            return -1
        if number == _GM and word(buf, start) & _SKAT_MASK != _SKAT:
            return -1
        if number == _OW and not (p == start + 1 and ord("0") <= byte(buf, start) <= ord("3")):
            return -1
        column = cell(_COLUMN, number)
        if column >= 0:
            g[TEXTS + column], g[TEXTS + column + 1] = start - begin, p - begin
        p += 1
