"""The kernel's straight road: a deal, an auction and whole tricks as nearly every record has them.

Each function reads as long as everything is in order and answers with the place behind what it
took; the first thing out of order is left for moves.py, with the state as it was before it.
"""

from __future__ import annotations

import numpy as np

from skatspec.archive.kernel.fitting import BIDS
from skatspec.archive.kernel.flat import (
    AUCTION_START,
    BEATS,
    CARDS,
    CLASSES,
    EVENTS,
    FOLLOW,
    KIND,
    LEADER_SEAT,
    MAY_BID,
    MEMBERS,
    MOVES,
    NULL_ENDS,
    POINTS,
    SCHNEIDER_ENDS,
    SCHNEIDER_POINTS,
    SCHWARZ_ENDS,
    SPEAKER,
)
from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.letters import DOT, NINE, SPACE, ZERO, card_at
from skatspec.archive.kernel.state import (
    CALLS,
    CONTRACT_AT,
    DECLARER,
    ENDED,
    H0,
    IN_AUCTION,
    LAST,
    LEADER,
    MODS,
    NULL_LOST,
    OPEN,
    OTHER,
    OWN,
    OWN_TRICKS,
    PASSED_SEATS,
    PHASE,
    PLAYED_OUT,
    PLAYING,
    SCHNEIDER_MISSED,
    SCHWARZ_MISSED,
    SKAT,
    STATE,
    TRICKS,
    TURN,
)
from skatspec.archive.kernel.unchecked import byte, cell, covering, pattern, word
from skatspec.engine.facts import TRICKS as TEN_TRICKS
from skatspec.formats.iss_words import HAND_SIZE
from skatspec.record import SCHNEIDER, SCHWARZ
from skatspec.rules.tables import BID, HOLD, NO_MOVE, NULL_KIND, PASS

_Y, _P = ord("y"), ord("p")
ALL = (1 << CARDS) - 1
# The bits of a card's number; whatever has others is none.
LOW_BITS = CARDS - 1
# Bytes of a deal, and of a whole trick `0 CJ 1 C7 2 C8 `.
DEAL_SIZE, TRICK_SIZE = 3 * CARDS - 1, 15


@compiled()
def deal(buf, p, g):
    """Take 32 different cards joined by dots; say whether there were."""
    bad, every = 0, 0
    for seat in range(3):
        hand = 0
        for _ in range(HAND_SIZE):
            card = card_at(buf, p)
            bad |= (card & ~LOW_BITS) | (byte(buf, p + 2) ^ DOT)
            hand |= 1 << (card & LOW_BITS)
            p += 3
        g[H0 + seat] = hand
        every |= hand
    one, other = card_at(buf, p), card_at(buf, p + 3)
    bad |= (one & ~LOW_BITS) | (byte(buf, p + 2) ^ DOT) | (other & ~LOW_BITS)
    g[SKAT] = 1 << (one & LOW_BITS) | 1 << (other & LOW_BITS)
    if bad or every | g[SKAT] != ALL:
        return False
    g[PHASE] = IN_AUCTION
    return True


@compiled()
def auction(buf, p, T, g):
    """Take calls from `p` on; return the place behind the last one."""
    state, last, calls, passed = T[AUCTION_START], 0, 0, 0
    while state >= 0:
        seat = cell(T, SPEAKER + state)
        letter = byte(buf, p + 2)
        if byte(buf, p) != ZERO + seat or byte(buf, p + 1) != SPACE:
            break
        value = last
        if letter == _Y or letter == _P:
            event = HOLD if letter == _Y else PASS
            behind = p + 3
        else:
            event, value = BID, 0
            behind = p + 2
            while behind < p + 5 and ZERO <= byte(buf, behind) <= NINE:
                value = value * 10 + byte(buf, behind) - ZERO
                behind += 1
            # a leading zero makes a number too small for its length
            if value <= last or value >= BIDS or letter == ZERO:
                break
            if not cell(T, MAY_BID + value) >> state & 1:
                break
        target = cell(T, MOVES + state * EVENTS + event)
        if target == NO_MOVE or byte(buf, behind) != SPACE:
            break
        passed |= (event == PASS) << seat
        state, last = target, value
        calls += 1
        p = behind + 1
    g[STATE], g[LAST], g[CALLS], g[PASSED_SEATS] = state, last, calls, passed
    return p


# The blanks and seats of a trick's fifteen bytes, by its leader, and which bytes these are.
_TRICKS = [b"%d \0\0 %d \0\0 %d \0\0 " % (n, (n + 1) % 3, (n + 2) % 3) for n in range(3)]
_LOW = np.array([pattern(text[:8]) for text in _TRICKS], np.int64)
_HIGH = np.array([pattern(text[8:]) for text in _TRICKS], np.int64)
_LOW_MASK, _HIGH_MASK = covering(_TRICKS[0][:8]), covering(_TRICKS[0][8:])


@compiled()
def tricks(buf, p, T, g):
    """Take whole tricks from `p` on, none lying half played; return the place behind them."""
    contract, declarer, mods = g[CONTRACT_AT], g[DECLARER], g[MODS]
    follow = FOLLOW + contract * CARDS
    members = MEMBERS + contract * CLASSES
    beats = BEATS + contract * CLASSES * CARDS
    null = T[KIND + contract] == NULL_KIND
    watched = null or mods & (SCHNEIDER | SCHWARZ) != 0
    leader = g[LEADER] if g[PLAYING] else T[LEADER_SEAT]
    number, own, other, own_tricks = g[TRICKS], g[OWN], g[OTHER], g[OWN_TRICKS]
    start, ended = p, OPEN
    while number < TEN_TRICKS and ended == OPEN:
        other_seats = word(buf, p) & _LOW_MASK ^ cell(_LOW, leader)
        if other_seats | word(buf, p + 8) & _HIGH_MASK ^ cell(_HIGH, leader):
            break
        a, b, c = card_at(buf, p + 2), card_at(buf, p + 7), card_at(buf, p + 12)
        if (a | b | c) >= CARDS:
            break
        at_b = H0 + (leader + 1 if leader < 2 else 0)
        at_c = H0 + (leader - 1 if leader > 0 else 2)
        hand_a, hand_b, hand_c = cell(g, H0 + leader), cell(g, at_b), cell(g, at_c)
        led = cell(T, follow + a)
        group = cell(T, members + led)
        bad = (hand_a >> a & 1 ^ 1) | (hand_b >> b & 1 ^ 1) | (hand_c >> c & 1 ^ 1)
        # not of the group that was led, though the hand holds some of it
        bad |= (group >> b & 1 ^ 1) & (hand_b & group != 0)
        bad |= (group >> c & 1 ^ 1) & (hand_c & group != 0)
        if bad:
            break
        g[H0 + leader], g[at_b], g[at_c] = hand_a ^ 1 << a, hand_b ^ 1 << b, hand_c ^ 1 << c
        row = beats + led * CARDS
        # strength, and of equal ones the first
        best = max(cell(T, row + a) * 4 + 2, max(cell(T, row + b) * 4 + 1, cell(T, row + c) * 4))
        leader += 2 - (best & 3)
        leader -= 3 if leader > 2 else 0
        ours = leader == declarer
        worth = cell(T, POINTS + a) + cell(T, POINTS + b) + cell(T, POINTS + c)
        own += worth if ours else 0
        other += 0 if ours else worth
        own_tricks += ours
        number += 1
        p += TRICK_SIZE
        if watched:
            ended = decided(T, null, ours, mods, other)
    if p > start:
        g[PLAYING] = 1
        g[LEADER] = g[TURN] = leader
        g[TRICKS], g[OWN], g[OTHER], g[OWN_TRICKS] = number, own, other, own_tricks
        g[ENDED] = PLAYED_OUT if ended == OPEN and number == TEN_TRICKS else ended
    return p


@compiled()
def decided(T, null, ours, mods, other):
    """Return how a trick ends the deal before its time, `OPEN` where it does not."""
    if null:
        return NULL_LOST if ours and T[NULL_ENDS] else OPEN
    if ours:
        return OPEN
    if mods & SCHWARZ and T[SCHWARZ_ENDS]:
        return SCHWARZ_MISSED
    if mods & (SCHNEIDER | SCHWARZ) and T[SCHNEIDER_ENDS] and other > T[SCHNEIDER_POINTS]:
        return SCHNEIDER_MISSED
    return OPEN
