"""The kernel: decides records of an ISS archive over its raw bytes, line by line.

A record is `CONSISTENT`, or it is `NOT_MINE` and goes to the scalar engine with its place.
The kernel is strict: it takes records as servers write them, one a line, and only those
that the scalar engine would find consistent.
"""

from __future__ import annotations

import numpy as np

from skatspec.archive import settle
from skatspec.archive.jit import compiled
from skatspec.archive.moves import (
    DECLARER,
    ENDED,
    FIELDS,
    FINE,
    GAVE_UP,
    LEFT,
    NOBODY,
    NOT_MINE,
    OPEN,
    PASSED,
    PENALIZED,
    PENALTY,
    TIMED_OUT,
    moves,
)
from skatspec.archive.settle import ANY

CONSISTENT = 1
# Properties in the order in which they stand: each at most once, only the moves are needed.
_ORDER = ("GM", "PC", "CO", "SE", "ID", "DT", "OW", "P0", "P1", "P2", "R0", "R1", "R2", "MV", "R")
_GM, _OW, _MV, _RESULT = (_ORDER.index(name) for name in ("GM", "OW", "MV", "R"))
_NAMES = tuple((ord(name[0]), ord(name[1]) if len(name) > 1 else 0) for name in _ORDER)
_OPEN, _CLOSE, _SPACE = ord("["), ord("]"), ord(" ")
_COLON, _MINUS, _ZERO, _NINE = ord(":"), ord("-"), ord("0"), ord("9")
# The places of a property's value in `at`: begin and end, two numbers a property.
PLACES = 2 * len(_ORDER)
_SKAT = tuple(b"Skat")
_PASSED_WORD, _UNKNOWN_WORD = tuple(b"passed"), tuple(b"unknown")
_WIN, _LOSS, _PENALTY = tuple(b"win "), tuple(b"loss "), tuple(b"penalty ")
_BID_OK, _OVERBID = tuple(b"bidok "), tuple(b"overbid ")


@compiled()
def record(buf, begin, end, T, may_bid, g, out, at):
    """Decide the record in `buf[begin:end]`, a line without its end."""
    if head(buf, begin, end, at) != FINE:
        return NOT_MINE
    if moves(buf, at[2 * _MV], at[2 * _MV + 1], T, may_bid, g) != FINE:
        return NOT_MINE
    p, stop = at[2 * _RESULT], at[2 * _RESULT + 1]
    if p < 0:
        return CONSISTENT
    if same(buf, p, stop, _UNKNOWN_WORD) and p + 7 == stop:
        return CONSISTENT
    ended = g[ENDED]
    if ended == PASSED:
        good = same(buf, p, stop, _PASSED_WORD) and p + 6 == stop
        return CONSISTENT if good else NOT_MINE
    if ended == OPEN:
        return NOT_MINE
    out[:] = 0
    if ended != PENALTY:
        settle.figures(T, g, out)
    return CONSISTENT if result(buf, p, stop, g, out) else NOT_MINE


@compiled()
def head(buf, begin, end, at):
    """Find the properties' values; a line must hold one record and nothing else."""
    at[:] = -1
    if end - begin < 8 or buf[begin] != ord("(") or buf[begin + 1] != ord(";"):
        return NOT_MINE
    p, last = begin + 2, -1
    while p + 2 <= end:
        while p < end and buf[p] == _SPACE:
            p += 1
        if buf[p] == ord(";"):
            good = p + 2 == end and buf[p + 1] == ord(")") and at[2 * _MV] >= 0
            return FINE if good else NOT_MINE
        number = named(buf, p, last + 1)
        if number < 0:
            return NOT_MINE
        last = number
        p += 2 if number == _RESULT else 3
        start = p
        while p < end and buf[p] != _CLOSE:
            if not _SPACE <= buf[p] <= 126:
                return NOT_MINE
            p += 1
        if p >= end or (number == _GM and not (same(buf, start, p, _SKAT) and start + 4 == p)):
            return NOT_MINE
        if number == _OW and not (p == start + 1 and _ZERO <= buf[start] <= _ZERO + 3):
            return NOT_MINE
        at[2 * number], at[2 * number + 1] = start, p
        p += 1
    return NOT_MINE


@compiled()
def named(buf, p, first):
    """Return which property begins at `p`, from number `first` on; -1 for none."""
    for number in range(first, len(_NAMES)):
        one, two = _NAMES[number]
        if buf[p] == one and (buf[p + 1] == two if two else buf[p + 1] == _OPEN):
            return number if two == 0 or buf[p + 2] == _OPEN else -1
    return -1


@compiled()
def same(buf, p, end, word):
    """Say whether the bytes of `word` stand at `p`, before `end`."""
    if p + len(word) > end:
        return False
    for n in range(len(word)):
        if buf[p + n] != word[n]:
            return False
    return True


# The figures of a result: two bytes of the key (0: one letter).
_KEYS = tuple(
    (ord(key[0]), ord(key[1]) if len(key) > 1 else 0)
    for key in ("d", "v", "m", "p", "t", "s", "z", "p0", "p1", "p2", "l", "to", "r")
)
_D, _V, _M, _P, _T, _SCHN, _SCHW, _P0, _P1, _P2, _L, _TO, _R = range(13)


@compiled()
def result(buf, p, end, g, out):
    """Say whether a result written in full states what the game came to."""
    penalty = g[ENDED] == PENALTY
    for number in range(len(_KEYS)):
        if number == _V:
            if penalty:
                p = after(buf, p, end, _PENALTY)
            elif out[settle.WON]:
                p = after(buf, p, end, _WIN)
            else:
                p = after(buf, p, end, _LOSS)
        elif number == _P:
            # in a penalty nothing is said of a bid that anybody would judge
            p = overbid(buf, p, end, ANY if penalty else out[settle.OVERBID])
        if number == _R and p == end:
            return True
        p = after_key(buf, p, end, number)
        if p < 0:
            return False
        wide = number in (_V, _M, _P, _T)
        value, p = figure(buf, p, end, 6 if wide else 1)
        if p < 0 or not stated(number, value, penalty, g, out):
            return False
        if p < end:
            if buf[p] != _SPACE or number == _R:
                return False
            p += 1
        elif number < _TO:
            return False
    return p == end


@compiled()
def after(buf, p, end, word):
    """Return the place behind a word, -1 where it does not stand at `p`."""
    return p + len(word) if p >= 0 and same(buf, p, end, word) else -1


@compiled()
def overbid(buf, p, end, wanted):
    """Return the place behind `bidok` or `overbid`, whichever is right."""
    if wanted != 1:
        place = after(buf, p, end, _BID_OK)
        if place >= 0 or wanted == 0:
            return place
    return after(buf, p, end, _OVERBID)


@compiled()
def after_key(buf, p, end, number):
    """Return the place behind a figure's key and colon, -1 where they do not stand at `p`."""
    one, two = _KEYS[number]
    size = 3 if two else 2
    if p < 0 or p + size > end or buf[p] != one or (two and buf[p + 1] != two):
        return -1
    return p + size if buf[p + size - 1] == _COLON else -1


@compiled()
def figure(buf, p, end, most):
    """Return a whole number of at most so many digits and the place behind it, -1 for none."""
    sign = 1
    if p < end and buf[p] == _MINUS:
        sign = -1
        p += 1
    start, value = p, 0
    while p < end and _ZERO <= buf[p] <= _NINE:
        value = value * 10 + buf[p] - _ZERO
        p += 1
    return sign * value, p if 0 < p - start <= most else -1


@compiled()
def stated(number, value, penalty, g, out):
    """Say whether a figure is right."""
    if _P0 <= number <= _P2:
        return value == g[PENALIZED] >> (number - _P0) & 1
    if number == _L:
        return value == g[LEFT]
    if number == _TO:
        return value == g[TIMED_OUT]
    if number == _R:
        return value == (g[ENDED] == GAVE_UP)
    if number == _D:
        return value == (NOBODY if penalty else g[DECLARER])
    if number in (_SCHN, _SCHW):
        if value != 0 and value != 1:
            return False
        flag = out[settle.SCHNEIDER_FLAG if number == _SCHN else settle.SCHWARZ_FLAG]
        return penalty or flag == ANY or value == flag
    if number == _V:
        return value == out[settle.SCORE]
    if number == _M:
        return value == out[settle.MATADORS]
    return value == out[settle.POINTS if number == _P else settle.TAKEN]


@compiled()
def lines(buf, T, may_bid, status, places):
    """Decide every line of `buf` that begins a record; return how many there were.

    `status` and `places` (begin, end) have room for each.
    """
    g = np.zeros(FIELDS, np.int64)
    out = np.zeros(settle.FIGURES, np.int64)
    at = np.zeros(PLACES, np.int64)
    count, begin, size = 0, 0, buf.size
    while begin < size:
        end = begin
        while end < size and buf[end] != ord("\n"):
            end += 1
        if end - begin > 1 and buf[begin] == ord("(") and buf[begin + 1] == ord(";"):
            status[count] = record(buf, begin, end, T, may_bid, g, out, at)
            places[count, 0], places[count, 1] = begin, end
            count += 1
        begin = end + 1
    return count
