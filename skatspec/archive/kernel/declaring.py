"""The kernel's road to the lead: the deal, calls one by one, the skat, the declaration.

Every function answers as moves.py says.
"""

from __future__ import annotations

from skatspec.archive.kernel.answers import (
    B001,
    B002,
    B003,
    B004,
    B005,
    B006,
    B007,
    B008,
    B009,
    D001,
    D002,
    D003,
    D005,
    D006,
    D007,
    D008,
    D009,
    D012,
    D013,
    NOT_MINE,
    R001,
)
from skatspec.archive.kernel.fitting import BIDS
from skatspec.archive.kernel.flat import (
    ANNOUNCE,
    BID_ABOVE,
    BITS,
    CARDS,
    EVENTS,
    IMPLIED_STATE,
    KIND,
    LOWEST_BID,
    MAY_BID,
    MOVES,
    NEEDS_HAND,
    NULL_REFUSED,
    NULL_VALUES,
    SPEAKER,
)
from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.letters import BIT, DOT, GAME, NO_GAME, ZERO, card_at
from skatspec.archive.kernel.state import (
    AT,
    BEHIND,
    BIDDEN,
    CALLS,
    CONTRACT_AT,
    DECLARER,
    DISCARDED,
    ENDED,
    FINE,
    H0,
    JUST_TOOK,
    LAST,
    LOST_AT_ONCE,
    MODS,
    NOBODY,
    OPEN,
    PASSED_SEATS,
    PHASE,
    PICKED,
    SKAT,
    STATE,
    TOOK_AT,
    TWELVE,
)
from skatspec.archive.kernel.unchecked import byte
from skatspec.record import HAND
from skatspec.rules.tables import BID, HOLD, NO_MOVE, NULL_KIND, PASS, PASSED_IN

# Bytes of `.x.y`.
AWAY_SIZE = 6
_Y, _P = (ord(letter) for letter in "yp")


@compiled()
def twice(buf, p, g):
    """Return the code of a deal that is out of order: a card that is dealt twice."""
    seen = 0
    for number in range(CARDS):
        card = card_at(buf, p)
        if card >= CARDS or (number < CARDS - 1 and byte(buf, p + 2) != DOT):
            return NOT_MINE
        if seen >> card & 1 and g[AT] < 0:
            g[AT] = p
        seen |= 1 << card
        p += 3
    return R001


@compiled()
def call(buf, q, n, seat, T, g):
    """Take a call of the auction: a number, `y` or `p`."""
    state = g[STATE]
    if g[PHASE] == BEHIND or g[ENDED] != OPEN or state < 0:
        return B005
    event, value = PASS, 0
    if byte(buf, q) == _Y:
        event = HOLD
    elif byte(buf, q) != _P:
        event = BID
        for at in range(q, q + n):
            value = value * 10 + byte(buf, at) - ZERO
        if byte(buf, q) == ZERO and n > 1:
            return NOT_MINE
    target = T[MOVES + state * EVENTS + event]
    if seat != T[SPEAKER + state]:
        return B004 if g[PASSED_SEATS] >> seat & 1 else B003
    if target == NO_MOVE:
        return B007
    if event == BID:
        if value >= BIDS or not T[MAY_BID + value] >> state & 1:
            return B001
        if value <= g[LAST]:
            return B002
        g[LAST] = value
    elif event == PASS:
        g[PASSED_SEATS] |= 1 << seat
    g[STATE] = target
    g[CALLS] += 1
    return FINE


@compiled()
def close_auction(seat, T, g):
    """End the auction, as a step that is no call does; forehand alone may play at once."""
    state = g[STATE]
    if g[CALLS] == 0:
        return NOT_MINE
    if state == PASSED_IN:
        return B009
    if state < 0:
        if g[LAST] == 0:
            return NOT_MINE
        g[PHASE] = BEHIND
        g[DECLARER], g[BIDDEN] = -2 - state, g[LAST]
        return FINE
    implied = T[IMPLIED_STATE]
    if state != implied or seat != T[SPEAKER + implied]:
        return B006
    g[PHASE] = BEHIND
    g[DECLARER], g[BIDDEN] = seat, T[LOWEST_BID]
    return FINE


@compiled()
def acts(seat, g):
    """Say what is wrong if a seat does what is the declarer's."""
    if seat == g[DECLARER]:
        return FINE
    return B008 if g[CONTRACT_AT] < 0 and not g[PICKED] else D001


@compiled()
def take_up(p, seat, g):
    """Take the skat up."""
    fault = acts(seat, g)
    if fault != FINE:
        return fault
    if g[PICKED]:
        return D002
    if g[CONTRACT_AT] >= 0:
        return D003
    g[PICKED] = g[JUST_TOOK] = 1
    g[TOOK_AT] = p
    g[H0 + seat] |= g[SKAT]
    return FINE


@compiled()
def put_away(buf, q, seat, g):
    """Take the two cards `x.y` that the declarer puts away."""
    first, second = card_at(buf, q), card_at(buf, q + 3)
    if (first | second) >= CARDS or byte(buf, q + 2) != DOT:
        return NOT_MINE
    fault = acts(seat, g)
    if fault != FINE:
        return fault
    if not g[PICKED]:
        return D013
    if g[DISCARDED]:
        return NOT_MINE
    if first == second:
        return D006
    away = 1 << first | 1 << second
    if away & ~g[H0 + seat]:
        return D005
    g[H0 + seat] &= ~away
    g[SKAT] = away
    g[DISCARDED] = 1
    return FINE


@compiled()
def declare(buf, q, n, seat, T, g):
    """Take a declaration of `n` letters, the first of them the contract."""
    contract = byte(GAME, byte(buf, q))
    bits = 0
    for at in range(q + 1, q + n):
        bit = byte(BIT, byte(buf, at))
        if bit == 0 or bits & bit:
            return NOT_MINE
        bits |= bit
    if contract == NO_GAME:
        return NOT_MINE
    if g[CONTRACT_AT] >= 0:
        return D012
    fault = acts(seat, g)
    if fault != FINE:
        return fault
    kind = T[KIND + contract]
    full = T[ANNOUNCE + kind * BITS + bits]
    if g[PICKED] and T[NEEDS_HAND + kind * BITS + bits]:
        return D008
    if full < 0:
        return D007
    # a game without Hand whose skat was never taken up is legal, but worth a note
    if not (g[PICKED] or full & HAND):
        return NOT_MINE
    if kind == NULL_KIND and not covers(T[NULL_VALUES + full], g[BIDDEN], T):
        if T[NULL_REFUSED]:
            return D009
        g[ENDED] = LOST_AT_ONCE
    g[CONTRACT_AT], g[MODS] = contract, full
    g[TWELVE] = g[H0 + seat] | g[SKAT]
    return FINE


@compiled()
def covers(value, bid, T):
    """Say whether a game value is enough for a bid."""
    return value > bid or (value == bid and not T[BID_ABOVE])


@compiled()
def announce(buf, q, n, seat, T, g):
    """Take a declaration, and the cards behind it: put away where any must be, else shown."""
    letters = 1
    while letters < n and byte(buf, q + letters) != DOT:
        letters += 1
    p = q + letters
    if g[PICKED] and not g[DISCARDED] and seat == g[DECLARER] and n - letters >= AWAY_SIZE:
        g[AT] = p + 1
        fault = put_away(buf, p + 1, seat, g)
        if fault != FINE:
            return fault
        g[AT] = NOBODY
        p += AWAY_SIZE
    fault = declare(buf, q, letters, seat, T, g)
    if p == q + n:
        return fault
    return fault if fault == FINE and is_hand(buf, p, q + n - p, seat, g) else NOT_MINE


@compiled()
def is_hand(buf, p, size, seat, g):
    """Say whether cards, a dot before each, are exactly those that a hand holds."""
    seen = 0
    for at in range(p, p + size, 3):
        card = card_at(buf, at + 1)
        if byte(buf, at) != DOT or card >= CARDS or seen >> card & 1:
            return False
        seen |= 1 << card
    return size % 3 == 0 and seen == g[H0 + seat] and (g[DISCARDED] or not g[PICKED])
