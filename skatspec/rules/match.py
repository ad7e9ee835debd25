"""A profile's match, compiled: who sits at a table, how many deals, the count, equal totals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from skatspec.rules.profile import Profile

TABLES = {3: "three", 4: "four"}
MOST_WON, FEWEST_LOST, LOT = "most-won", "fewest-lost", "lot"
SEEGER_FABIAN, SEEGER, PLAIN, ZERO_SUM = "seeger-fabian", "seeger", "plain", "zero-sum"
# Ways of counting a list that add a bonus to the values of the games.
WITH_BONUS = (SEEGER_FABIAN, SEEGER)
NO_BONUS = "none"
ROUNDS = "rounds"
STEP = "step"


@dataclass(frozen=True, slots=True)
class Lengths:
    """How many deals a match may have.

    `usual` is the number by players at the table, empty where none is fixed. `least`, `most`
    and `step` bound a number that the players agree on, and are None where there are no such
    bounds; `usual` is then what they play unless they say otherwise. `whole_rounds`: each
    player at the table deals equally often.
    """

    usual: Mapping[int, int]
    least: int | None
    most: int | None
    step: int | None
    whole_rounds: bool

    def allows(self, deals: int, players: int) -> bool:
        """Say whether a match may have so many deals at a table of so many players.

        Where a number is fixed it is that number alone; where the profile says nothing of
        such a table, any number above 0.
        """
        if deals < 1:
            return False
        if self.whole_rounds:
            return players > 0 and deals % players == 0
        if self.least is not None and self.most is not None and self.step is not None:
            return deals in range(self.least, self.most + 1, self.step)
        return deals == self.usual.get(players, deals)

    def expected(self, players: int) -> int | None:
        """Return how many deals a table of so many players has, None where nothing is said.

        A usual number within bounds is the same at every table.
        """
        if self.step is not None:
            return next(iter(self.usual.values()), None)
        return self.usual.get(players)


@dataclass(frozen=True, slots=True)
class Match:
    """How a list is made up and counted; bonuses are ledger points for each game.

    `others_lost` is what a player gets for each game that another one loses, by the number
    of players at the table, the sitting dealer included. `system` is how a list is counted
    unless somebody asks otherwise. `tables_most` is None where any number may sit at a table.
    `passed_in_counts`: a deal that all pass uses up a deal of the match.
    """

    own_won: int
    own_lost: int
    others_lost: Mapping[int, int]
    ties: tuple[str, ...]
    system: str
    tables_least: int
    tables_most: int | None
    passed_in_counts: bool
    lengths: Lengths


def compile_match(profile: Profile) -> Match:
    """Return what a profile says of a list. It does not raise: `check_match` has gone before."""
    data = profile.data["match"]
    bonus = {} if data["bonus"] == NO_BONUS else data["bonus"]
    others = {players: bonus.get(f"others_lost_{word}", 0) for players, word in TABLES.items()}
    return Match(
        own_won=bonus.get("own_won", 0),
        own_lost=bonus.get("own_lost", 0),
        others_lost=MappingProxyType(others),
        ties=tuple(data["ties"]),
        system=data["system"],
        tables_least=data["tables"]["least"],
        tables_most=data["tables"].get("most"),
        passed_in_counts=data["passed_in"] == "counts",
        lengths=compile_lengths(data["deals"]),
    )


def compile_lengths(deals: Any) -> Lengths:
    """Compile `match.deals`: a word, a number by table, or bounds with a step."""
    if not isinstance(deals, Mapping):
        return Lengths(MappingProxyType({}), None, None, None, deals == ROUNDS)
    if STEP not in deals:
        fixed = {players: deals[word] for players, word in TABLES.items() if word in deals}
        return Lengths(MappingProxyType(fixed), None, None, None, False)
    usual: int = deals["usual"]
    everywhere = MappingProxyType(dict.fromkeys(TABLES, usual))
    return Lengths(everywhere, deals["least"], deals["most"], deals[STEP], False)
