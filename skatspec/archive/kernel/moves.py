"""The kernel's replay: moves of one ISS record, from raw bytes, against the tables.

Compiled with Numba. Every function takes the state `g` (state.py) and answers `FINE`, the code
of what is wrong, or `NOT_MINE`: the scalar engine is to be asked. A code is certain, as far as
the rest of the record can be read (syntax.py); its place is in `g[AT]`. What passes here passes
there (tests/test_archive_kernel.py holds it to that). What is in order anyway and frequent,
tricks.py takes.
"""

from __future__ import annotations

from skatspec.archive.kernel.answers import B006, NOT_MINE, P011, R004
from skatspec.archive.kernel.declaring import (
    announce,
    call,
    close_auction,
    is_hand,
    put_away,
    take_up,
    twice,
)
from skatspec.archive.kernel.flat import AUCTION_START, CARDS, ERRORS
from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.letters import CLOSE, DOT, NINE, SPACE, ZERO, card_at
from skatspec.archive.kernel.play import after_end, play, resign, show, stop
from skatspec.archive.kernel.state import (
    AT,
    BEHIND_AT,
    CALLS,
    CONTRACT_AT,
    DECLARER,
    DISCARDED,
    ENDED,
    ENDED_BY,
    FIELDS,
    FINE,
    IN_AUCTION,
    JUST_TOOK,
    LEFT,
    LOST_AT_ONCE,
    NOBODY,
    OFFERED,
    ON_TABLE,
    OPEN,
    PASSED,
    PHASE,
    PICKED,
    SKAT,
    STATE,
    TIMED_OUT,
    TOOK_AT,
)
from skatspec.archive.kernel.syntax import readable
from skatspec.archive.kernel.tricks import DEAL_SIZE, auction, deal, tricks
from skatspec.archive.kernel.unchecked import byte
from skatspec.rules.tables import PASSED_IN

_W, _Y, _P, _LOWER_S = (ord(letter) for letter in "wyps")
_T, _I, _L, _E, _R, _S, _C = (ord(letter) for letter in "TILERSC")


@compiled()
def world(buf, q, n, T, g):
    """Take a move of the world: the skat shown, a timeout, a player leaving."""
    if n == 4 and byte(buf, q + 2) == DOT and ZERO <= byte(buf, q + 3) <= ZERO + 2:
        seat = byte(buf, q + 3) - ZERO
        timed_out = byte(buf, q) == _T and byte(buf, q + 1) == _I
        left = byte(buf, q) == _L and byte(buf, q + 1) == _E
        if timed_out or left:
            return after_end(T, g) if g[ENDED] != OPEN else stop(left, seat, T, g)
    if n == 5 and g[JUST_TOOK] and byte(buf, q + 2) == DOT:
        first, second = card_at(buf, q), card_at(buf, q + 3)
        if (first | second) >= CARDS:
            return NOT_MINE
        if 1 << first | 1 << second != g[SKAT]:
            g[AT] = g[TOOK_AT]
            return R004
        return FINE
    return NOT_MINE


@compiled()
def move(buf, q, n, seat, T, g):
    """Take a player's move of `n` bytes at `q`."""
    first = byte(buf, q)
    number = ZERO <= first <= NINE and n <= 3
    for at in range(q, q + n):
        number = number and ZERO <= byte(buf, at) <= NINE
    if number or (n == 1 and (first == _Y or first == _P)):
        return call(buf, q, n, seat, T, g)
    second = byte(buf, q + 1)
    gives_up = n == 2 and first == _R and second == _E
    shows = n == 2 and first == _S and second == _C
    card = card_at(buf, q) if n == 2 else CARDS
    puts = n == 5 and byte(buf, q + 2) == DOT and card_at(buf, q) < CARDS
    if g[ENDED] != OPEN:
        if puts and g[ENDED] == LOST_AT_ONCE:
            return put_away(buf, q, seat, g)  # it belongs before the declaration
        return after_end(T, g) if card < CARDS or gives_up or shows else NOT_MINE
    if g[PHASE] == IN_AUCTION:
        called = g[CALLS] > 0 and g[STATE] != PASSED_IN
        if called and (gives_up or shows):
            return P011
        if called and g[STATE] >= 0 and card < CARDS:
            return B006
        fault = close_auction(seat, T, g)
        if fault != FINE:
            return fault
    if card < CARDS:
        return play(card, seat, T, g)
    if gives_up:
        return resign(seat, T, g)
    if shows:
        return show(seat, T, g)
    if n == 1 and first == _LOWER_S:
        return take_up(q - 2, seat, g)
    if puts:
        return put_away(buf, q, seat, g)
    if first == _S and second == _C:
        return show(seat, T, g) if is_hand(buf, q + 2, n - 2, seat, g) else NOT_MINE
    return announce(buf, q, n, seat, T, g)


@compiled()
def begin(T, g):
    """Set the state to that of a record before its deal."""
    for field in range(FIELDS):
        g[field] = 0
    g[DECLARER] = g[CONTRACT_AT] = g[TIMED_OUT] = g[LEFT] = g[ENDED_BY] = g[AT] = NOBODY
    g[STATE] = T[AUCTION_START]


@compiled()
def moves(buf, p, end, T, g):
    """Take all moves from `p` on: pairs of words with single blanks between them.

    Behind the last one `g[BEHIND_AT]` is the place of the `]`.
    """
    begin(T, g)
    if byte(buf, p) != _W or byte(buf, p + 1) != SPACE or end - p < DEAL_SIZE + 3:
        return NOT_MINE
    start, p = p + 2, p + DEAL_SIZE + 2
    if byte(buf, p) != SPACE and byte(buf, p) != CLOSE:
        return NOT_MINE
    fault = FINE if deal(buf, start, g) else twice(buf, start, g)
    p += byte(buf, p) == SPACE
    if fault == FINE:
        p = auction(buf, p, T, g)
    return singly(buf, p, end, fault, T, g)


@compiled()
def singly(buf, p, end, fault, T, g):
    """Take moves one by one, and whole tricks at once wherever one can begin."""
    took = 0
    while fault == FINE:
        if (
            g[CONTRACT_AT] >= 0
            and g[ON_TABLE] == 0
            and g[ENDED] == OPEN
            and not g[OFFERED]
            and (g[DISCARDED] or not g[PICKED])
        ):
            p = tricks(buf, p, T, g)
        if byte(buf, p) == CLOSE:
            break
        q = p + 2
        w = q
        while w < end and byte(buf, w) > SPACE and byte(buf, w) != CLOSE:
            w += 1
        n, who = w - q, byte(buf, p)
        if n == 0 or w >= end or byte(buf, p + 1) != SPACE:
            return NOT_MINE
        took = g[JUST_TOOK]
        fault = NOT_MINE
        if who == _W:
            fault = world(buf, q, n, T, g)
        elif ZERO <= who <= ZERO + 2:
            fault = move(buf, q, n, who - ZERO, T, g)
        if took:
            g[JUST_TOOK] = 0
        if fault != FINE:
            g[AT] = p if g[AT] < 0 else g[AT]
            break
        p = w + (byte(buf, w) == SPACE)
    if fault != FINE:
        # what is wrong is said only of a record that can be read from this move to its end
        certain = fault != NOT_MINE and T[ERRORS + fault] and readable(buf, p, end, took, g)
        return fault if certain else NOT_MINE
    g[BEHIND_AT] = p
    if g[PHASE] == IN_AUCTION and g[STATE] == PASSED_IN:
        g[ENDED] = PASSED
    return FINE
