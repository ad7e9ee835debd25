"""The kernel's settlement: what a replayed record comes to, in the fields of an ISS result.

Compiled with Numba; the same rules as engine/levels.py and engine/null.py, read from the same
tables. Values are game values, points card points, scores ledger points.
"""

from __future__ import annotations

from skatspec.archive.kernel.declaring import covers
from skatspec.archive.kernel.flat import (
    BASE,
    FLAGS_MISSED,
    FLAGS_MISSED_NO_TRICK,
    GAMES,
    HALF_DECLARATION,
    HAND_LOSS_FACTOR,
    KIND,
    LEAVE_REMAINDER,
    LOSS_FACTOR,
    MISSED_PRICE,
    MISSED_SCHNEIDER_SCHWARZ,
    MOST_TRUMPS,
    NULL_VALUES,
    OUVERT_BASE,
    OUVERT_LEVELS,
    OVERBID_PRICE,
    OWN_LEVELS,
    OWN_LEVELS_NEED_TRICK,
    RESIGN_REMAINDER,
    SCHNEIDER_POINTS,
    STEPS,
    TIMEOUT_REMAINDER,
    TOTAL_POINTS,
    TRUMPS,
    WIN_POINTS,
)  # fmt: skip
from skatspec.archive.kernel.flat import POINTS as POINTS_OF
from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.state import (
    ANY,
    BIDDEN,
    CONTRACT_AT,
    DECLARER,
    DISCARDED,
    ENDED,
    ENDED_BY,
    GAVE_UP,
    LOST_AT_ONCE,
    MATADORS,
    MODS,
    OTHER,
    OVERBID,
    OWN,
    OWN_TRICKS,
    PICKED,
    PLAYED_OUT,
    POINTS,
    SCHNEIDER_FLAG,
    SCHWARZ_FLAG,
    SCORE,
    SKAT,
    TAKEN,
    TIME_OUT,
    TRICKS,
    TWELVE,
    VALUE,
    WENT,
    WON,
)
from skatspec.archive.kernel.unchecked import lowest
from skatspec.engine.facts import (
    GAME,
    HAND_LEVEL,
    OUVERT_LEVEL,
    SCHN,
    SCHN_ANN,
    SCHW,
    SCHW_ANN,
)
from skatspec.engine.facts import TRICKS as TEN_TRICKS
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ
from skatspec.rules.tables import NULL_KIND

NOT_GIVEN, LOST, HELD = -1, 0, 1
_PROMISED = 2


@compiled()
def figures(T, g):
    """Fill in what a game came to that has ended."""
    contract = g[CONTRACT_AT]
    null = T[KIND + contract] == NULL_KIND
    given = _count(T, g, null)
    if null:
        g[MATADORS] = 0
        _settle_null(T, g, given)
    else:
        g[MATADORS] = matadors(T, contract, g[TWELVE])
        _settle_trump(T, g, given)


@compiled()
def judged(T, g):
    """Say whether a game's figures are certain; only one stopped before its discard has open ones.

    Then the cards that matadors count over are set by the profile's reading of such a stop.
    """
    if not g[PICKED] or g[DISCARDED]:
        return True
    if g[ENDED] == LOST_AT_ONCE:
        return False
    if g[ENDED] != GAVE_UP and T[HALF_DECLARATION]:
        g[TWELVE] = g[SKAT]
        return True
    given = remainder(T, g[ENDED]) and g[ENDED_BY] != g[DECLARER]
    return given and T[KIND + g[CONTRACT_AT]] != NULL_KIND


@compiled()
def _count(T, g, null):
    """Set points and tricks; return whether a game given up is won, `NOT_GIVEN` for others."""
    skat = g[SKAT]
    aside = T[POINTS_OF + lowest(skat)] + T[POINTS_OF + lowest(skat & (skat - 1))]
    ended = g[ENDED]
    g[POINTS] = g[OWN] + aside
    g[TAKEN] = g[OWN_TRICKS]
    if ended == PLAYED_OUT:
        g[POINTS] = T[TOTAL_POINTS] - g[OTHER]
    if ended != GAVE_UP and ended != TIME_OUT and ended != WENT:
        return NOT_GIVEN
    by_declarer = g[ENDED_BY] == g[DECLARER]
    if null or not remainder(T, ended):
        return LOST if by_declarer else HELD
    if not by_declarer:
        g[POINTS] = T[TOTAL_POINTS] - g[OTHER]
        g[TAKEN] = TEN_TRICKS - (g[TRICKS] - g[OWN_TRICKS])
    return NOT_GIVEN


@compiled()
def remainder(T, ended):
    """Say whether such an end hands what is left to the other party."""
    if ended == GAVE_UP:
        return T[RESIGN_REMAINDER] != 0
    return T[TIMEOUT_REMAINDER if ended == TIME_OUT else LEAVE_REMAINDER] != 0


@compiled()
def matadors(T, contract, held):
    """Return the run of trumps from the top over a mask: with > 0, without < 0."""
    order = TRUMPS + contract * MOST_TRUMPS
    top = held >> T[order] & 1
    run = 0
    for place in range(MOST_TRUMPS):
        card = T[order + place]
        if card < 0 or held >> card & 1 != top:
            break
        run += 1
    return run if top else -run


@compiled()
def _settle_null(T, g, given):
    mods = g[MODS]
    value = T[NULL_VALUES + mods]
    won = g[TAKEN] == 0 if given == NOT_GIVEN else given == HELD
    at_once = g[ENDED] == LOST_AT_ONCE
    if at_once:
        value, won = _covering(T, g), False
    g[VALUE], g[WON], g[OVERBID] = value, won, at_once
    g[SCORE] = value if won else -_factor(T, mods) * value
    g[SCHNEIDER_FLAG] = g[SCHWARZ_FLAG] = 0


@compiled()
def _covering(T, g):
    """Return the price of the cheapest game that covers the bid, for a Null below it."""
    hand = T[STEPS + HAND_LEVEL] if g[MODS] & HAND else 0
    cheapest = 0
    for contract in range(GAMES):
        base = T[BASE + contract]
        if base:
            run = abs(matadors(T, contract, g[TWELVE]))
            price = base * max(run + T[STEPS + GAME] + hand, -(-g[BIDDEN] // base))
            cheapest = price if cheapest == 0 else min(cheapest, price)
    return cheapest


@compiled()
def _factor(T, mods):
    return T[HAND_LOSS_FACTOR if mods & HAND else LOSS_FACTOR]


@compiled()
def _settle_trump(T, g, given):
    mods, contract = g[MODS], g[CONTRACT_AT]
    points, tricks = g[POINTS], g[TAKEN]
    announced = mods & (SCHNEIDER | SCHWARZ)
    made, made_all, own_schwarz = False, False, False
    if given != NOT_GIVEN:
        reached = given == HELD
        missed = announced != 0 and not reached
    else:
        reached = points >= T[WIN_POINTS]
        made = T[TOTAL_POINTS] - points <= T[SCHNEIDER_POINTS]
        made_all = tricks == TEN_TRICKS
        missed = (mods & SCHWARZ and not made_all) or (mods & SCHNEIDER and not made)
        own = T[OWN_LEVELS] and (g[TRICKS] > 0 or not T[OWN_LEVELS_NEED_TRICK])
        own_schwarz = own and tricks == 0
        if not reached:
            made = own and points <= T[SCHNEIDER_POINTS]
            made_all = own_schwarz
    multiple = abs(g[MATADORS]) + T[STEPS + GAME]
    if mods & HAND:
        multiple += T[STEPS + HAND_LEVEL]
    if missed:
        multiple += _missed(T, mods, own_schwarz)
    else:
        multiple += _levels(T, mods, made, made_all)
    if mods & OUVERT and T[OUVERT_LEVELS + contract]:
        multiple += T[STEPS + OUVERT_LEVEL]
    base = T[BASE + contract]
    own_base = T[OUVERT_BASE + contract] if mods & OUVERT else 0
    own_base = own_base if own_base else base
    value = multiple * own_base
    overbid = not covers(value, g[BIDDEN], T)
    if overbid:
        value = base if T[OVERBID_PRICE] else base * -(-max(g[BIDDEN], value) // base)
    won = reached and not missed and not overbid
    g[VALUE], g[WON], g[OVERBID] = value, won, overbid
    g[SCORE] = value if won else -_factor(T, mods) * value
    _flags(T, g, given, announced, missed, made, made_all)


@compiled()
def _levels(T, mods, made, made_all):
    """Return the multiples of Schneider and Schwarz where no announcement was missed."""
    count = 0
    if made or mods & SCHNEIDER:
        count += T[STEPS + SCHN]
    if mods & SCHNEIDER:
        count += T[STEPS + SCHN_ANN]
    if made_all or mods & SCHWARZ:
        count += T[STEPS + SCHW]
    if mods & SCHWARZ:
        count += T[STEPS + SCHW_ANN]
    return count


@compiled()
def _missed(T, mods, own_schwarz):
    """Return the multiples that a missed announcement costs, by the profile's reading."""
    price = T[MISSED_PRICE]
    count = 0
    if price == 0:
        return count
    if mods & SCHNEIDER:
        count += T[STEPS + SCHN_ANN] + (T[STEPS + SCHN] if price == _PROMISED else 0)
    if mods & SCHWARZ:
        count += T[STEPS + SCHW_ANN] + (T[STEPS + SCHW] if price == _PROMISED else 0)
    elif T[MISSED_SCHNEIDER_SCHWARZ] and own_schwarz:
        count += T[STEPS + SCHW]
    return count


@compiled()
def _flags(T, g, given, announced, missed, made, made_all):
    """Set the level flags that a result should show, as far as the profile judges them."""
    g[SCHNEIDER_FLAG], g[SCHWARZ_FLAG] = made, made_all
    ended = g[ENDED]
    stopped = ended in (GAVE_UP, TIME_OUT, WENT)
    if announced and stopped and not remainder(T, ended):
        g[SCHNEIDER_FLAG] = g[SCHWARZ_FLAG] = ANY
    elif missed:
        # by whose tricks: a record's own count may hold what was handed over
        without = announced == SCHNEIDER and g[OWN_TRICKS] == 0 and g[TRICKS] > 0
        rule = T[FLAGS_MISSED_NO_TRICK if without else FLAGS_MISSED]
        g[SCHNEIDER_FLAG] = g[SCHWARZ_FLAG] = ANY if rule == 0 else rule - 1
