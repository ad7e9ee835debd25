"""The kernel's play, card by card, and the ways a game ends; it answers as moves.py says."""

from __future__ import annotations

from skatspec.archive.kernel.answers import (
    B009,
    D001,
    D010,
    NOT_MINE,
    P001,
    P002,
    P003,
    P004,
    P005,
    P006,
    P008,
    P010,
    P011,
)
from skatspec.archive.kernel.flat import (
    BEATS,
    CARDS,
    CLASSES,
    CONCEDE_ALONE,
    DEFENDER_ENDS,
    FOLLOW,
    KIND,
    LEADER_SEAT,
    MEMBERS,
    NOTHING_FOLLOWS,
    NULL_ENDS,
    PENALTY_BEFORE,
    POINTS,
    RESIGN_DEFENDERS,
    SCHNEIDER_ENDS,
    SCHWARZ_ENDS,
)
from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.state import (
    BIDDEN,
    C0,
    C1,
    C2,
    CONTRACT_AT,
    DECLARER,
    DISCARDED,
    ENDED,
    ENDED_BY,
    FINE,
    GAVE_UP,
    H0,
    H1,
    H2,
    IN_AUCTION,
    LAST,
    LEADER,
    LEFT,
    LOST_AT_ONCE,
    MODS,
    NULL_LOST,
    OFFERED,
    ON_TABLE,
    OPEN,
    OTHER,
    OWN,
    OWN_TRICKS,
    PENALIZED,
    PENALTY,
    PHASE,
    PICKED,
    PLAYED_OUT,
    PLAYING,
    RESIGNED,
    SCHNEIDER_MISSED,
    SCHWARZ_MISSED,
    SKAT,
    STATE,
    TIME_OUT,
    TIMED_OUT,
    TRICKS,
    TURN,
    WENT,
)
from skatspec.archive.kernel.tricks import decided
from skatspec.engine.facts import TRICKS as TEN_TRICKS
from skatspec.formats.iss_words import HAND_SIZE
from skatspec.rules.tables import NULL_KIND, PASSED_IN


@compiled()
def play(card, seat, T, g):
    """Take a card to the trick: turn, ownership, following; the third one closes it."""
    contract = g[CONTRACT_AT]
    if contract < 0:
        return D010
    if g[PICKED] and not g[DISCARDED]:
        return NOT_MINE
    if g[OFFERED]:
        g[OFFERED] = 0
        g[RESIGNED] &= ~(1 << g[DECLARER])
    if not g[PLAYING]:
        g[PLAYING] = 1
        g[TURN] = g[LEADER] = T[LEADER_SEAT]
    hand, bit = g[H0 + seat], 1 << card
    if seat != g[TURN]:
        return P003
    if not hand & bit:
        return not_held(bit, seat, g)
    on_table = g[ON_TABLE]
    if on_table:
        led = T[FOLLOW + contract * CARDS + g[C0]]
        if (
            T[FOLLOW + contract * CARDS + card] != led
            and hand & T[MEMBERS + contract * CLASSES + led]
        ):
            return P004
    g[H0 + seat] = hand & ~bit
    g[C0 + on_table] = card
    g[TURN] = (seat + 1) % 3
    g[ON_TABLE] = on_table + 1
    if on_table == 2:
        close(T, g)
    return FINE


@compiled()
def not_held(bit, seat, g):
    """Return the code of a card that the hand does not hold."""
    if not (g[H0] | g[H1] | g[H2] | g[SKAT]) & bit:
        return P002
    if g[PICKED] and seat == g[DECLARER] and g[SKAT] & bit:
        return P010
    return P001


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
    g[ENDED] = decided(T, T[KIND + contract] == NULL_KIND, ours, g[MODS], g[OTHER])
    if g[TRICKS] == TEN_TRICKS and g[ENDED] == OPEN:
        g[ENDED] = PLAYED_OUT


@compiled()
def resign(seat, T, g):
    """A player gives up; it ends the game where nobody else need agree or join."""
    if g[CONTRACT_AT] < 0:
        return P011
    if g[RESIGNED] >> seat & 1:
        return P008
    g[RESIGNED] |= 1 << seat
    if seat == g[DECLARER]:
        on_table = (seat - g[LEADER]) % 3 < g[ON_TABLE]
        left = HAND_SIZE - g[TRICKS] - on_table
        if left < T[CONCEDE_ALONE]:
            g[OFFERED] = 1  # until the next card: a defender may agree
            return FINE
        g[ENDED], g[ENDED_BY] = GAVE_UP, seat
        return FINE
    others = 0
    for other in range(3):
        others += (g[RESIGNED] >> other & 1) * (other != g[DECLARER])
    if others >= T[RESIGN_DEFENDERS]:
        g[ENDED], g[ENDED_BY] = GAVE_UP, seat
    return FINE


@compiled()
def show(seat, T, g):
    """The declarer shows his cards, which changes nothing; a defender's may end the game."""
    if g[CONTRACT_AT] < 0:
        return P011
    if seat == g[DECLARER]:
        return FINE
    return NOT_MINE if T[DEFENDER_ENDS] else D001


@compiled()
def stop(left, seat, T, g):
    """A player's time ran out, or he left: the end of the game, or of the deal before it."""
    if g[PHASE] == IN_AUCTION and g[STATE] == PASSED_IN:
        return B009
    g[LEFT if left else TIMED_OUT] = seat
    g[ENDED_BY] = seat
    if g[CONTRACT_AT] >= 0:
        g[ENDED] = WENT if left else TIME_OUT
        return FINE
    g[ENDED] = PENALTY
    if not T[PENALTY_BEFORE]:
        return NOT_MINE
    if g[PHASE] == IN_AUCTION and g[STATE] < 0:
        g[DECLARER], g[BIDDEN] = -2 - g[STATE], g[LAST]
    if g[DECLARER] >= 0 and g[DECLARER] != seat:
        g[PENALIZED] = 7 & ~(1 << g[DECLARER])
    else:
        g[PENALIZED] = 1 << seat
    return FINE


@compiled()
def after_end(T, g):
    """Return the code of a card, or of another end, behind a game's end."""
    if g[CONTRACT_AT] < 0:
        return NOT_MINE
    ended, early = g[ENDED], g[TRICKS] < TEN_TRICKS
    if (ended == NULL_LOST or ended == LOST_AT_ONCE) and early:
        return P006 if T[NULL_ENDS] == NOTHING_FOLLOWS else NOT_MINE
    if ended == SCHNEIDER_MISSED and early and T[SCHNEIDER_ENDS] != NOTHING_FOLLOWS:
        return NOT_MINE
    if ended == SCHWARZ_MISSED and early and T[SCHWARZ_ENDS] != NOTHING_FOLLOWS:
        return NOT_MINE
    return P005
