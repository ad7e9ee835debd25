"""The kernel's comparison: what a result says against what the game came to."""

from __future__ import annotations

from skatspec.archive.kernel.answers import (
    CONSISTENT,
    NOT_MINE,
    S001,
    S002,
    S003,
    S004,
    S005,
    S006,
    S007,
    S008,
    S009,
    S010,
    S011,
    S012,
    S013,
    S014,
    S015,
    S016,
    S018,
)
from skatspec.archive.kernel.flat import ERRORS, MOST_ASIDE, TOTAL_POINTS
from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.state import (
    ANY,
    AT,
    DECLARER,
    ENDED,
    GAVE_UP,
    LEFT,
    LOST_AT_ONCE,
    MATADORS,
    NOBODY,
    OVERBID,
    PASSED,
    PENALIZED,
    PENALTY,
    POINTS,
    RESULT_AT,
    SCHNEIDER_FLAG,
    SCHWARZ_FLAG,
    SCORE,
    STATED,
    TAKEN,
    TIMED_OUT,
    UNSAID,
    WON,
)
from skatspec.archive.kernel.syntax import (
    A_PENALTY,
    BID_WORD,
    FULL,
    OUTCOME,
    PASSED_IN,
    PEN,
    T_,
    TO,
    WIN,
    D,
    L,
    M,
    P,
    R,
    S,
    V,
    Z,
)
from skatspec.engine.facts import TRICKS as TEN_TRICKS

_CODES = (S003, S004, S001, S005, S008, S006, S007, S009, S010, S012, S014, S013, S015)


@compiled()
def compared(kind, T, g):
    """Return 1 where a result says what the game came to, else the code of the first difference.

    The code's place is then in `g[AT]`; `NOT_MINE` where the profile makes light of it.
    """
    penalty = g[ENDED] == PENALTY
    wanted = PASSED_IN if g[ENDED] == PASSED else FULL
    if kind == FULL and wanted == FULL:
        code = impossible(T, g)
        if code == CONSISTENT and is_penalty(g) != penalty:
            code, g[AT] = S011, g[RESULT_AT]
        if code == CONSISTENT:
            code = differing(g, penalty)
    elif kind == wanted:
        return CONSISTENT
    else:
        code, g[AT] = S011, g[RESULT_AT]
        if kind == FULL:
            possible = impossible(T, g)
            code = possible if possible != CONSISTENT else code
    certain = code == CONSISTENT or (code != NOT_MINE and T[ERRORS + code])
    return code if certain else NOT_MINE


@compiled()
def is_penalty(g):
    """Say whether a result is that of a penalty."""
    return g[OUTCOME] == A_PENALTY and not g[UNSAID] >> OUTCOME - D & 1


@compiled()
def impossible(T, g):
    """Return the code of figures that no game has, 1 where there are none."""
    unsaid = g[UNSAID]
    points = 0 if unsaid >> P - D & 1 else g[P]
    tricks = 1 if unsaid >> T_ - D & 1 else g[T_]
    score, won = g[V], g[OUTCOME]
    if points < 0 or points > T[TOTAL_POINTS]:
        g[AT] = g[STATED + P]
        return S016
    if tricks < 0 or tricks > TEN_TRICKS:
        g[AT] = g[STATED + T_]
        return S016
    too_many = tricks == 0 and points > T[MOST_ASIDE]
    too_few = tricks == TEN_TRICKS and points < T[TOTAL_POINTS] and not unsaid >> P - D & 1
    if too_many or too_few:
        g[AT] = g[STATED + T_]
        return S018
    told = not unsaid >> V - D & 1 and not unsaid >> OUTCOME - D & 1 and won != A_PENALTY
    if told and score and (score > 0) != (won == WIN):
        g[AT] = g[STATED + V]
        return S002
    return CONSISTENT


@compiled()
def differing(g, penalty):
    """Return the code of the first figure that is not right, CONSISTENT where all are."""
    schneider, schwarz = g[SCHNEIDER_FLAG], g[SCHWARZ_FLAG]
    wrong = (g[V] != g[SCORE]) << V - D
    wrong |= (g[M] != g[MATADORS]) << M - D
    wrong |= (g[P] != g[POINTS]) << P - D
    wrong |= (g[T_] != g[TAKEN]) << T_ - D
    wrong |= (g[D] != (NOBODY if penalty else g[DECLARER])) << D - D
    if not penalty:
        wrong |= (g[OUTCOME] != g[WON]) << OUTCOME - D
        wrong |= (g[BID_WORD] != g[OVERBID]) << BID_WORD - D
        wrong |= (g[S] != schneider and schneider != ANY) << S - D
        wrong |= (g[Z] != schwarz and schwarz != ANY) << Z - D
    wrong |= (g[PEN] != g[PENALIZED]) << PEN - D
    wrong |= (g[L] != g[LEFT]) << L - D
    wrong |= (g[TO] != g[TIMED_OUT]) << TO - D
    wrong |= (g[R] != (g[ENDED] == GAVE_UP)) << R - D
    wrong &= ~g[UNSAID]
    if wrong == 0:
        return CONSISTENT
    if g[ENDED] == LOST_AT_ONCE and wrong >> V - D & 1:
        return NOT_MINE  # a Null below its bid may be charged as another game
    for field in range(STATED):
        if wrong >> field & 1:
            g[AT] = g[D + STATED + field]
            if field == V - D and g[V] and -g[V] == g[SCORE]:
                return S002
            return _CODES[field]
    return CONSISTENT
