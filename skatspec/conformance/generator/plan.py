"""How often the generator makes what: every stated share stands here.

Shares that depend on what went before (a Null needs a bid that it covers) come out a
little different; `--shares` counts what a run made.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Generic, TypeVar

T = TypeVar("T")
Chance = Callable[[], float]


class Weighted(Generic[T]):
    """A choice among values with weights, which need not add up to one."""

    def __init__(self, weights: Mapping[T, float]) -> None:
        self.values = tuple(weights)
        total = sum(weights.values())
        self.sums = [part / total for part in accumulate(weights.values())]
        self.sums[-1] = 1.0

    def pick(self, chance: Chance) -> T:
        """Return one of the values; one draw."""
        return self.values[bisect(self.sums, chance())]


# --- auction: what a player bids up to, as a part of the ladder ---------------------------

NO_BID = 0.4
LADDER = Weighted({6: 0.56, 14: 0.31, 34: 0.11, 500: 0.02})  # among so many lowest values
JUMP = 0.12
IMPLIED_BID = 0.4

# --- what becomes of a deal with a declarer ------------------------------------------------

PLAYED, IN_AUCTION, UNDECLARED, HALF_DECLARED = "played", "auction", "undeclared", "half"
FATE = Weighted({PLAYED: 0.974, IN_AUCTION: 0.01, UNDECLARED: 0.009, HALF_DECLARED: 0.007})

CONTRACT = Weighted(
    {"diamonds": 0.165, "hearts": 0.165, "spades": 0.165, "clubs": 0.165, "grand": 0.2,
     "null": 0.14}
)  # fmt: skip
HAND_GAME = 0.34
HAND_ALONE = 0.5  # a Hand game without any further announcement
ODD_ANNOUNCEMENT = 0.08  # of the others: one that states less than it includes
OPEN_NULL = 0.35
UNANNOUNCED_HAND = 0.01  # of the Hand games: played from the hand, and not said
IMPOSSIBLE_NULL = 0.1  # where the rules know it, and the Null does not cover the bid

# --- skat ------------------------------------------------------------------------------

SPLIT_DISCARD = 0.2
SKAT_NOT_SHOWN = 0.04
LOWEST_AWAY, RICHEST_AWAY, ANY_AWAY = "lowest", "richest", "any"
AWAY = Weighted({LOWEST_AWAY: 0.45, RICHEST_AWAY: 0.3, ANY_AWAY: 0.25})

# --- deal and play -----------------------------------------------------------------------

FAIR, STRONG, WEAK = "fair", "strong", "weak"
DEAL = Weighted({FAIR: 0.42, STRONG: 0.4, WEAK: 0.18})
DEAL_ANNOUNCED = Weighted({FAIR: 0.2, STRONG: 0.72, WEAK: 0.08})
ANY, HIGH, LOW = 0, 1, 2
# The styles of the declarer and of both defenders.
STYLES = Weighted(
    {(ANY, ANY, ANY): 0.3, (HIGH, ANY, ANY): 0.15, (HIGH, HIGH, HIGH): 0.12, (HIGH, LOW, LOW): 0.2,
     (LOW, HIGH, HIGH): 0.12, (ANY, HIGH, LOW): 0.11}
)  # fmt: skip
WHIM = 0.1  # a card against the style
EDGE, EDGE_TRIES = 0.12, 8  # games played again until the points are at a threshold
PLAYED_ON = 0.5  # a decided game played on where the rules allow it

# How play is disturbed, "" for not at all.
COURSE = Weighted(
    {"": 0.71, "show": 0.07, "show, defenders give up": 0.04, "declarer gives up": 0.045,
     "one defender gives up": 0.03, "both defenders give up": 0.045, "timeout": 0.03,
     "leave": 0.03}
)  # fmt: skip

# --- what stands around a game ------------------------------------------------------------

NO_COMMENT, NO_SERIES, NO_ID = 0.12, 0.08, 0.03
NO_RESIGNED_EARLY = 0.9  # records of 2007 and 2008 without `r:`
RESULT_UNKNOWN = 0.003
ODD_LETTERS = 0.1  # of the declarations with two letters or more behind the game
VIEW = 0.03
ODD_VIEW_DISCARD = 0.3
