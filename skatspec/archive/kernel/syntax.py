"""The kernel's reading of what follows a record's moves, and of moves behind a fault.

What a result states goes into the state `g`: a number a field, and behind these their places.
"""

from __future__ import annotations

import numpy as np

from skatspec.archive.kernel.flat import CARDS
from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.letters import (
    BIT,
    CLOSE,
    DOT,
    GAME,
    NINE,
    NO_GAME,
    SPACE,
    ZERO,
    card_at,
)
from skatspec.archive.kernel.state import RESULT_AT, SAYS, STATED, UNSAID
from skatspec.archive.kernel.unchecked import byte, cell, covering, pattern, word

# The fields of a result, and who won: a bit, or the word for a penalty.
D, OUTCOME, V, M, BID_WORD, P, T_, S, Z, PEN, L, TO, R = range(SAYS, SAYS + STATED)
LOSS, WIN, A_PENALTY = 0, 1, 2
# What stands behind the moves: no result, a word for it, or one in full.
SILENT, PASSED_IN, UNKNOWN, FULL, ILL = 0, 1, 2, 3, -1

_MINUS = ord("-")
_END, _RESULT = pattern(b";)"), pattern(b"R[")
_TWO, _THREE = covering(b"xx"), covering(b"xxx")
_PASSED, _UNKNOWN = pattern(b"passed]"), pattern(b"unknown]")
_SEVEN = covering(b"xxxxxxx")
_WIN, _WIN_MASK = pattern(b"win v:"), covering(b"win v:")
_LOSS, _LOSS_MASK = pattern(b"loss v:"), covering(b"loss v:")
_PENALTY = pattern(b"penalty ")
_DECLARER, _SCORE, _MATADORS, _POINTS = (pattern(text) for text in (b"d:", b"v:", b" m:", b"p:"))
_BID_OK, _OVERBID = pattern(b" bidok p"), pattern(b" overbid")
_TRICKS, _LEFT, _OUT, _GIVEN = (pattern(text) for text in (b" t:", b" l:", b" to:", b" r:"))
_FOUR = covering(b"xxxx")
_FLAGS, _FLAG_MASK = pattern(b" s:\0 z:\0"), covering(b" s:\0 z:\0")
_PENALIZED = tuple(pattern(b" p%d:\0" % seat) for seat in range(3))
_PENALIZED_MASK = covering(b" p0:\0")


@compiled()
def figure(buf, p):
    """Return the whole number at `p` and the place behind it, 0 where none of 1 to 6 digits is.

    Who goes on reading at 0 reads the first bytes of all, which are there, and comes to no end
    that a record could have.
    """
    negative = byte(buf, p) == _MINUS
    start = p + negative
    p, value = start, 0
    while ZERO <= byte(buf, p) <= NINE:
        value = value * 10 + byte(buf, p) - ZERO
        p += 1
        if p - start > 6:
            break
    return -value if negative else value, p if 0 < p - start <= 6 else 0


@compiled()
def stated(buf, p, end, g):
    """Read what follows the moves, from their `]` at `p`; nothing else may be on the line."""
    p += 1
    while byte(buf, p) == SPACE:
        p += 1
    kind = SILENT
    if word(buf, p) & _TWO == _RESULT:
        g[RESULT_AT] = p
        p += 2
        eight = word(buf, p)
        if eight & _SEVEN == _PASSED:
            kind, p = PASSED_IN, p + 6
        elif eight == _UNKNOWN:
            kind, p = UNKNOWN, p + 7
        elif byte(buf, p) != CLOSE:
            at = in_full(buf, p, g)
            kind, p = FULL, at if at else in_part(buf, p, g)
        if p == 0 or byte(buf, p) != CLOSE:
            return ILL
        p += 1
        while byte(buf, p) == SPACE:
            p += 1
    return kind if word(buf, p) & _TWO == _END and p + 2 == end else ILL


@compiled()
def in_full(buf, p, g):
    """Read a result written in full; return the place behind it, 0 where it is not."""
    if word(buf, p) & _TWO != _DECLARER:
        return 0
    g[STATED + D] = p
    g[D], p = figure(buf, p + 2)
    if p == 0 or byte(buf, p) != SPACE:
        return 0
    p += 1
    g[STATED + OUTCOME] = p
    eight = word(buf, p)
    if eight & _WIN_MASK == _WIN:
        g[OUTCOME], p = WIN, p + 4
    elif eight & _LOSS_MASK == _LOSS:
        g[OUTCOME], p = LOSS, p + 5
    elif eight == _PENALTY and word(buf, p + 8) & _TWO == _SCORE:
        g[OUTCOME], p = A_PENALTY, p + 8
    else:
        return 0
    g[STATED + V] = p
    g[V], p = figure(buf, p + 2)
    if word(buf, p) & _THREE != _MATADORS:
        return 0
    g[STATED + M] = p + 1
    g[M], p = figure(buf, p + 3)
    eight = word(buf, p)
    if eight != _BID_OK and eight != _OVERBID:
        return 0
    g[STATED + BID_WORD] = p + 1
    g[BID_WORD] = eight == _OVERBID
    p += 7 if eight == _BID_OK else 9
    if byte(buf, p - 1) != SPACE or word(buf, p) & _TWO != _POINTS:
        return 0
    g[STATED + P] = p
    g[P], p = figure(buf, p + 2)
    if word(buf, p) & _THREE != _TRICKS:
        return 0
    g[STATED + T_] = p + 1
    g[T_], p = figure(buf, p + 3)
    return ends_of(buf, p, g) if p else 0


@compiled()
def ends_of(buf, p, g):
    """Read the flags of a result and how the game ended; `r:` alone may be missing."""
    eight = word(buf, p)
    schneider, schwarz = byte(buf, p + 3) - ZERO, byte(buf, p + 7) - ZERO
    if eight & _FLAG_MASK != _FLAGS or (schneider | schwarz) & ~1:
        return 0
    g[S], g[Z] = schneider, schwarz
    g[STATED + S], g[STATED + Z], g[STATED + PEN] = p + 1, p + 5, p + 9
    p += 8
    seats = 0
    for seat in range(3):
        flag = byte(buf, p + 4) - ZERO
        if word(buf, p) & _PENALIZED_MASK != _PENALIZED[seat] or flag & ~1:
            return 0
        seats |= flag << seat
        p += 5
    g[PEN] = seats
    if word(buf, p) & _THREE != _LEFT:
        return 0
    g[STATED + L] = p + 1
    g[L], p = figure(buf, p + 3)
    if word(buf, p) & _FOUR != _OUT:
        return 0
    g[STATED + TO] = p + 1
    g[TO], p = figure(buf, p + 4)
    for field in (D, L, TO):
        # one digit, or `-1`, and no other way to write it
        value = g[field]
        behind = g[STATED + field] + (4 if value < 0 else 3) + (field == TO)
        if not -1 <= value <= 2 or ZERO <= byte(buf, behind) <= NINE:
            return 0
    g[UNSAID] = 1 << R - D
    if p and word(buf, p) & _THREE == _GIVEN:
        g[STATED + R] = p + 1
        g[R] = byte(buf, p + 3) - ZERO
        g[UNSAID] = 0
        return p + 4 if not g[R] & ~1 else 0
    return p


# The words of a result in the order in which they stand, with the field of each and what a
# word without a figure says; who was penalized is three words of one field.
_ROWS = (
    (b"d:", D, 0), (b"win", OUTCOME, WIN), (b"loss", OUTCOME, LOSS),
    (b"penalty", OUTCOME, A_PENALTY), (b"v:", V, 0), (b"m:", M, 0), (b"bidok", BID_WORD, 0),
    (b"overbid", BID_WORD, 1), (b"p:", P, 0), (b"t:", T_, 0), (b"s:", S, 0), (b"z:", Z, 0),
    (b"p0:", PEN, 0), (b"p1:", PEN, 0), (b"p2:", PEN, 0), (b"l:", L, 0), (b"to:", TO, 0),
    (b"r:", R, 0),
)  # fmt: skip
_KEY = np.array([pattern(key) for key, _, _ in _ROWS], np.int64)
_MASK = np.array([covering(key) for key, _, _ in _ROWS], np.int64)
_SIZE = np.array([len(key) for key, _, _ in _ROWS], np.int64)
_FIELD = np.array([field for _, field, _ in _ROWS], np.int64)
_MEANING = np.array([meaning for _, _, meaning in _ROWS], np.int64)
_FIRST_FLAG = [key for key, _, _ in _ROWS].index(b"p0:")


@compiled()
def in_part(buf, p, g):
    """Read a result that lacks some of its words; return the place behind it, 0 if it is none."""
    said, flags, key = 0, 0, -1
    g[PEN] = 0
    while byte(buf, p) != CLOSE:
        eight = word(buf, p)
        key += 1
        while key < len(_ROWS) and eight & cell(_MASK, key) != cell(_KEY, key):
            key += 1
        if key == len(_ROWS):
            return 0
        field, bit = cell(_FIELD, key), 1 << cell(_FIELD, key) - D
        if field == PEN:
            flags += 1
        elif said & bit:
            return 0
        if not said & bit:
            g[STATED + field] = p
        said |= bit
        p += cell(_SIZE, key)
        if field == OUTCOME or field == BID_WORD:
            g[field] = cell(_MEANING, key)
        else:
            value, behind = figure(buf, p)
            if behind == 0 or not possible(field, value, behind - p):
                return 0
            g[field] = value if field != PEN else g[PEN] | value << key - _FIRST_FLAG
            p = behind
        if byte(buf, p) == SPACE and byte(buf, p + 1) > SPACE:
            p += 1
        elif byte(buf, p) != CLOSE:
            return 0
    g[UNSAID] = ~said
    return p if flags == 0 or flags == 3 else 0


@compiled()
def possible(field, value, size):
    """Say whether a field can hold a figure of so many bytes."""
    if field == V or field == M or field == P or field == T_:
        return True
    if field == D or field == L or field == TO:
        return -1 <= value <= 2 and size == (2 if value < 0 else 1)
    return 0 <= value <= 1 and size == 1


# ---------------------------------------------------------------- what follows a fault

_WORLD, _HOLD, _PASS, _TAKE = (ord(letter) for letter in "wyps")
_TIMEOUT, _LEAVE, _SHOW, _RESIGN = (pattern(text) for text in (b"TI.", b"LE.", b"SC", b"RE"))


@compiled()
def readable(buf, p, end, taking, g):
    """Say whether the moves from `p` on, and the result, can be read without any doubt.

    `taking` says that the move before was a pick-up, which the world may answer.
    """
    while byte(buf, p) != CLOSE:
        q = p + 2
        w = q
        while w < end and byte(buf, w) > SPACE and byte(buf, w) != CLOSE:
            w += 1
        n, who = w - q, byte(buf, p)
        if n == 0 or w >= end or byte(buf, p + 1) != SPACE:
            return False
        if who == _WORLD:
            ends = word(buf, q) & _THREE == _TIMEOUT or word(buf, q) & _THREE == _LEAVE
            ends = ends and n == 4 and ZERO <= byte(buf, q + 3) <= ZERO + 2
            if not ends and not (taking and n == 5 and two_cards(buf, q)):
                return False
            taking = False
        elif ZERO <= who <= ZERO + 2 and is_action(buf, q, n):
            taking = n == 1 and byte(buf, q) == _TAKE
        else:
            return False
        p = w + (byte(buf, w) == SPACE)
    return stated(buf, p, end, g) != ILL


@compiled()
def two_cards(buf, q):
    """Say whether two cards stand at `q`."""
    return (card_at(buf, q) | card_at(buf, q + 3)) < CARDS and byte(buf, q + 2) == DOT


@compiled()
def is_action(buf, q, n):
    """Say whether `n` bytes are a player's move, legal or not."""
    letter = byte(buf, q)
    if n == 1 and (letter == _HOLD or letter == _PASS or letter == _TAKE):
        return True
    pair = word(buf, q) & _TWO
    if n == 2 and (card_at(buf, q) < CARDS or pair == _SHOW or pair == _RESIGN):
        return True
    if n <= 3 and ZERO <= letter <= NINE and (letter != ZERO or n == 1):
        digits = 0
        for at in range(q, q + n):
            digits += ZERO <= byte(buf, at) <= NINE
        return digits == n
    if n == 5 and two_cards(buf, q):
        return True
    letters = n
    if n > 6 and byte(buf, q + n - 6) == DOT:
        if not two_cards(buf, q + n - 5):
            return False
        letters = n - 6
    bits = 0
    for at in range(q + 1, q + letters):
        bit = byte(BIT, byte(buf, at))
        if bit == 0 or bits & bit:
            return False
        bits |= bit
    return byte(GAME, letter) != NO_GAME
