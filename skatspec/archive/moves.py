"""The kernel's replay: moves of one ISS record, from raw bytes, against the tables.

Compiled with Numba. Every function takes the state `g` (indices below) and answers
`FINE` or `NOT_MINE`; what is not mine goes to the scalar engine, right or wrong. It must be
strict: what passes here passes there (tests/test_archive_kernel.py holds it to that).
"""

from __future__ import annotations

import numpy as np

from skatspec.archive.flat import (
    ANNOUNCE,
    AUCTION_START,
    BEATS,
    BID_ABOVE,
    BIDS,
    BITS,
    CARDS,
    CLASSES,
    CONCEDE_ALONE,
    EVENTS,
    FOLLOW,
    IMPLIED_STATE,
    KIND,
    LEADER_SEAT,
    LOWEST_BID,
    MEMBERS,
    MOVES,
    NEEDS_HAND,
    NULL_ENDS,
    NULL_VALUES,
    PENALTY_BEFORE,
    POINTS,
    RESIGN_DEFENDERS,
    SCHNEIDER_ENDS,
    SCHNEIDER_POINTS,
    SCHWARZ_ENDS,
    SPEAKER,
)  # fmt: skip
from skatspec.archive.jit import compiled
from skatspec.cards import DECK, RANKS, SUITS
from skatspec.engine.facts import TRICKS as TEN_TRICKS
from skatspec.formats.iss_words import HAND_SIZE
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ
from skatspec.rules.tables import BID, CONTRACTS, HOLD, NO_MOVE, NULL_KIND, PASS, PASSED_IN

FINE, NOT_MINE = 0, -1
NOBODY = -1

# The state of a record, one number each: how far it is, the trick on the table, what was won
# and how it ended.
(
    PHASE, STATE, LAST, CALLS, DECLARER, BIDDEN, CONTRACT_AT, MODS, PICKED, JUST_TOOK, DISCARDED,
) = range(11)  # fmt: skip
PLAYING, TURN, LEADER, ON_TABLE, C0, C1, C2, H0, H1, H2, SKAT = range(11, 22)
(
    TRICKS, OWN_TRICKS, OWN, OTHER, ENDED, ENDED_BY, RESIGNED, TIMED_OUT, LEFT, PENALIZED,
    TWELVE, FIELDS,
) = range(22, 22 + 12)  # fmt: skip
# Phases: before the deal, in the auction, behind it.
NO_DEAL, IN_AUCTION, BEHIND = 0, 1, 2
# How a record ended.
(
    OPEN, PASSED, PLAYED_OUT, NULL_LOST, SCHNEIDER_MISSED, SCHWARZ_MISSED, GAVE_UP, TIME_OUT,
    WENT, PENALTY,
) = range(10)  # fmt: skip
AWAY_CARDS = 2

_SPACE, _DOT = ord(" "), ord(".")
_W, _ZERO, _NINE = ord("w"), ord("0"), ord("9")
_Y, _P, _LOWER_S = ord("y"), ord("p"), ord("s")
_T, _I, _L, _E, _R, _S, _C = (ord(letter) for letter in "TILERSC")


def _table(pairs: dict[str, int], none: int) -> np.ndarray:
    """Return numbers by the byte of a letter, `none` for every other byte."""
    table = np.full(256, none, np.int64)
    for letter, number in pairs.items():
        table[ord(letter)] = number
    return table


# What letters stand for in this format; not a rule, so they may be globals.
_SUIT = _table({letter: number for number, letter in enumerate(SUITS)}, -1)
_RANK = _table({letter: number for number, letter in enumerate(RANKS)}, -1)
_BIT = _table({"H": HAND, "S": SCHNEIDER, "Z": SCHWARZ, "O": OUVERT}, 0)
_GAME = _table({name[0].upper(): number for number, name in enumerate(CONTRACTS)}, -1)


@compiled(inline="always")
def card_at(buf, p):
    """Return the card of the two letters at `p`, -1 for none."""
    suit, rank = _SUIT[buf[p]], _RANK[buf[p + 1]]
    return suit * 8 + rank if suit >= 0 and rank >= 0 else -1


@compiled()
def deal(buf, p, g):
    """Take 32 cards joined by dots: ten a hand, then the skat."""
    g[H0] = g[H1] = g[H2] = g[SKAT] = 0
    seen = 0
    for number in range(DECK):
        card = card_at(buf, p)
        if card < 0 or (number < DECK - 1 and buf[p + 2] != _DOT):
            return NOT_MINE
        bit = 1 << card
        if seen & bit:
            return NOT_MINE
        seen |= bit
        g[H0 + number // HAND_SIZE] |= bit
        p += 3
    g[PHASE] = IN_AUCTION
    return FINE


@compiled()
def call(buf, q, n, seat, T, may_bid, g):
    """Take a call of the auction: a number, `y` or `p`."""
    state = g[STATE]
    if state < 0 or seat != T[SPEAKER + state]:
        return NOT_MINE
    event, value = PASS, 0
    if buf[q] == _Y:
        event = HOLD
    elif buf[q] != _P:
        event = BID
        for at in range(q, q + n):
            value = value * 10 + buf[at] - _ZERO
        if (
            (buf[q] == _ZERO and n > 1)
            or value >= BIDS
            or value <= g[LAST]
            or not may_bid[state, value]
        ):
            return NOT_MINE
        g[LAST] = value
    target = T[MOVES + state * EVENTS + event]
    if target == NO_MOVE:
        return NOT_MINE
    g[STATE] = target
    g[CALLS] += 1
    return FINE


@compiled()
def close_auction(seat, T, g):
    """End the auction, as a step that is no call does; forehand alone may play at once."""
    state = g[STATE]
    if state == PASSED_IN or g[CALLS] == 0:
        return NOT_MINE
    g[PHASE] = BEHIND
    if state < 0:
        g[DECLARER], g[BIDDEN] = -2 - state, g[LAST]
        return FINE
    implied = T[IMPLIED_STATE]
    if state != implied or seat != T[SPEAKER + implied]:
        return NOT_MINE
    g[DECLARER], g[BIDDEN] = seat, T[LOWEST_BID]
    return FINE


@compiled()
def put_away(buf, q, seat, g):
    """Take the two cards `x.y` that the declarer puts away."""
    first, second = card_at(buf, q), card_at(buf, q + 3)
    if first < 0 or second < 0 or first == second or buf[q + 2] != _DOT:
        return NOT_MINE
    away = 1 << first | 1 << second
    if seat != g[DECLARER] or not g[PICKED] or g[DISCARDED] or away & ~g[H0 + seat]:
        return NOT_MINE
    g[H0 + seat] &= ~away
    g[SKAT] = away
    g[DISCARDED] = 1
    return FINE


@compiled()
def declare(buf, q, n, seat, T, g):
    """Take a declaration of `n` letters, the first of them the contract."""
    contract = _GAME[buf[q]]
    bits = 0
    for at in range(q + 1, q + n):
        bit = _BIT[buf[at]]
        if bit == 0 or bits & bit:
            return NOT_MINE
        bits |= bit
    if contract < 0 or g[CONTRACT_AT] >= 0 or seat != g[DECLARER]:
        return NOT_MINE
    kind = T[KIND + contract]
    full = T[ANNOUNCE + kind * BITS + bits]
    # a game without Hand whose skat was never taken up is legal, but worth a note
    if (
        full < 0
        or (g[PICKED] and T[NEEDS_HAND + kind * BITS + bits])
        or not (g[PICKED] or full & HAND)
    ):
        return NOT_MINE
    if kind == NULL_KIND and not covers(T[NULL_VALUES + full], g[BIDDEN], T):
        return NOT_MINE
    g[CONTRACT_AT], g[MODS] = contract, full
    g[TWELVE] = g[H0 + seat] | g[SKAT]
    return FINE


@compiled(inline="always")
def covers(value, bid, T):
    """Say whether a game value is enough for a bid."""
    return value > bid or (value == bid and not T[BID_ABOVE])


@compiled()
def play(card, seat, T, g):
    """Take a card to the trick: turn, ownership, following; the third one closes it."""
    contract = g[CONTRACT_AT]
    if contract < 0 or (g[PICKED] and not g[DISCARDED]):
        return NOT_MINE
    if not g[PLAYING]:
        g[PLAYING] = 1
        g[TURN] = g[LEADER] = T[LEADER_SEAT]
    hand, bit = g[H0 + seat], 1 << card
    if seat != g[TURN] or not hand & bit:
        return NOT_MINE
    on_table = g[ON_TABLE]
    if on_table:
        led = T[FOLLOW + contract * CARDS + g[C0]]
        if (
            T[FOLLOW + contract * CARDS + card] != led
            and hand & T[MEMBERS + contract * CLASSES + led]
        ):
            return NOT_MINE
    g[H0 + seat] = hand & ~bit
    g[C0 + on_table] = card
    g[TURN] = (seat + 1) % 3
    g[ON_TABLE] = on_table + 1
    if on_table == 2:
        close(T, g)
    return FINE


@compiled()
def close(T, g):
    """End a trick: who takes it, its points, and what it decides."""
    contract = g[CONTRACT_AT]
    led = T[FOLLOW + contract * CARDS + g[C0]]
    row = BEATS + (contract * CLASSES + led) * CARDS
    best, taker = T[row + g[C0]], g[LEADER]
    if T[row + g[C1]] > best:
        best, taker = T[row + g[C1]], (g[LEADER] + 1) % 3
    if T[row + g[C2]] > best:
        taker = (g[LEADER] + 2) % 3
    points = T[POINTS + g[C0]] + T[POINTS + g[C1]] + T[POINTS + g[C2]]
    g[TRICKS] += 1
    g[ON_TABLE] = 0
    g[LEADER] = g[TURN] = taker
    ours = taker == g[DECLARER]
    if ours:
        g[OWN] += points
        g[OWN_TRICKS] += 1
    else:
        g[OTHER] += points
    mods = g[MODS]
    if T[KIND + contract] == NULL_KIND:
        if ours and T[NULL_ENDS]:
            g[ENDED] = NULL_LOST
    elif not ours:
        if mods & SCHWARZ and T[SCHWARZ_ENDS]:
            g[ENDED] = SCHWARZ_MISSED
        elif mods & (SCHNEIDER | SCHWARZ) and T[SCHNEIDER_ENDS] and g[OTHER] > T[SCHNEIDER_POINTS]:
            g[ENDED] = SCHNEIDER_MISSED
    if g[TRICKS] == TEN_TRICKS and g[ENDED] == OPEN:
        g[ENDED] = PLAYED_OUT


@compiled()
def resign(seat, T, g):
    """A player gives up; it ends the game where nobody else need agree or join."""
    if g[CONTRACT_AT] < 0 or g[RESIGNED] >> seat & 1:
        return NOT_MINE
    g[RESIGNED] |= 1 << seat
    if seat == g[DECLARER]:
        on_table = (seat - g[LEADER]) % 3 < g[ON_TABLE]
        left = HAND_SIZE - g[TRICKS] - on_table
        if not g[PLAYING] and g[PICKED]:
            left += AWAY_CARDS * (1 - g[DISCARDED])
        if left < T[CONCEDE_ALONE]:
            return NOT_MINE
        g[ENDED], g[ENDED_BY] = GAVE_UP, seat
        return FINE
    others = 0
    for other in range(3):
        others += (g[RESIGNED] >> other & 1) * (other != g[DECLARER])
    if others >= T[RESIGN_DEFENDERS]:
        g[ENDED], g[ENDED_BY] = GAVE_UP, seat
    return FINE


@compiled()
def stop(left, seat, T, g):
    """A player's time ran out, or he left: the end of the game, or of the deal before it."""
    g[LEFT if left else TIMED_OUT] = seat
    g[ENDED_BY] = seat
    if g[CONTRACT_AT] >= 0:
        g[ENDED] = WENT if left else TIME_OUT
        # stopped between declaration and discard, matadors count otherwise
        return NOT_MINE if g[PICKED] and not g[DISCARDED] else FINE
    g[ENDED] = PENALTY
    if not T[PENALTY_BEFORE] or g[CALLS] == 0:
        return NOT_MINE
    if g[PHASE] == IN_AUCTION and g[STATE] < 0:
        if g[STATE] == PASSED_IN:
            return NOT_MINE
        g[DECLARER] = -2 - g[STATE]
    if g[DECLARER] >= 0 and g[DECLARER] != seat:
        g[PENALIZED] = 7 & ~(1 << g[DECLARER])
    else:
        g[PENALIZED] = 1 << seat
    return FINE


@compiled()
def world(buf, q, n, T, g):
    """Take a move of the world: the deal, the skat shown, a timeout, a player leaving."""
    if g[PHASE] == NO_DEAL:
        return deal(buf, q, g) if n == 95 else NOT_MINE
    if n == 4 and buf[q + 2] == _DOT and _ZERO <= buf[q + 3] <= _ZERO + 2:
        seat = buf[q + 3] - _ZERO
        if buf[q] == _T and buf[q + 1] == _I:
            return stop(False, seat, T, g)
        if buf[q] == _L and buf[q + 1] == _E:
            return stop(True, seat, T, g)
    if n == 5 and g[JUST_TOOK] and buf[q + 2] == _DOT:
        first, second = card_at(buf, q), card_at(buf, q + 3)
        if first >= 0 and second >= 0 and (1 << first | 1 << second) == g[SKAT]:
            g[JUST_TOOK] = 0
            return FINE
    return NOT_MINE


@compiled()
def move(buf, q, n, seat, T, may_bid, g):
    """Take a player's move of `n` bytes at `q`."""
    first = buf[q]
    if g[PHASE] == IN_AUCTION:
        number = _ZERO <= first <= _NINE and n <= 3
        for at in range(q, q + n):
            number = number and _ZERO <= buf[at] <= _NINE
        if number or (n == 1 and (first in (_Y, _P))):
            return call(buf, q, n, seat, T, may_bid, g)
        if close_auction(seat, T, g) != FINE:
            return NOT_MINE
    second = buf[q + 1]
    if n == 2:
        card = card_at(buf, q)
        if card >= 0:
            return play(card, seat, T, g)
        if first == _R and second == _E:
            return resign(seat, T, g)
        if first == _S and second == _C and seat == g[DECLARER] and g[CONTRACT_AT] >= 0:
            return FINE
    if n == 1 and first == _LOWER_S:
        if seat != g[DECLARER] or g[PICKED] or g[CONTRACT_AT] >= 0:
            return NOT_MINE
        g[PICKED] = g[JUST_TOOK] = 1
        g[H0 + seat] |= g[SKAT]
        return FINE
    if n == 5 and buf[q + 2] == _DOT:
        return put_away(buf, q, seat, g)
    letters = n - 6
    if letters > 0 and buf[q + letters] == _DOT:
        if put_away(buf, q + letters + 1, seat, g) != FINE:
            return NOT_MINE
        return declare(buf, q, letters, seat, T, g)
    return declare(buf, q, n, seat, T, g) if n <= 5 else NOT_MINE


@compiled()
def moves(buf, p, end, T, may_bid, g):
    """Take all moves between `p` and `end`: pairs of words with single blanks between them."""
    g[:] = 0
    g[DECLARER] = g[CONTRACT_AT] = g[TIMED_OUT] = g[LEFT] = g[ENDED_BY] = NOBODY
    g[STATE] = T[AUCTION_START]
    while p < end:
        if p + 2 >= end or buf[p + 1] != _SPACE:
            return NOT_MINE
        q = p + 2
        w = q
        while w < end and buf[w] != _SPACE:
            w += 1
        n, who = w - q, buf[p]
        if n == 0 or g[ENDED] != OPEN:
            return NOT_MINE
        took = g[JUST_TOOK]
        if who == _W:
            fine = world(buf, q, n, T, g)
        elif g[PHASE] != NO_DEAL and _ZERO <= who <= _ZERO + 2:
            fine = move(buf, q, n, who - _ZERO, T, may_bid, g)
        else:
            return NOT_MINE
        if fine != FINE:
            return NOT_MINE
        if took:
            g[JUST_TOOK] = 0
        p = w + 1
    if g[PHASE] == IN_AUCTION and g[STATE] == PASSED_IN:
        g[ENDED] = PASSED
    return FINE
