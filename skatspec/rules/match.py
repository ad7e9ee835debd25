"""A profile's match, compiled: the bonus of a tournament, and how equal totals are told apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from skatspec.rules.profile import Profile

TABLES = {3: "three", 4: "four"}
MOST_WON, FEWEST_LOST, LOT = "most-won", "fewest-lost", "lot"


@dataclass(frozen=True, slots=True)
class Match:
    """How a list is counted; bonuses are ledger points for each game.

    `others_lost` is what a player gets for each game that another one loses, by the number
    of players at the table, the sitting dealer included.
    """

    own_won: int
    own_lost: int
    others_lost: Mapping[int, int]
    ties: tuple[str, ...]


def compile_match(profile: Profile) -> Match:
    """Return a profile's way of counting a list."""
    data = profile.data["match"]
    bonus = data["bonus"]
    if bonus == "none":
        bonus = {}
    return Match(
        bonus.get("own_won", 0),
        bonus.get("own_lost", 0),
        {players: bonus.get(f"others_lost_{word}", 0) for players, word in TABLES.items()},
        tuple(data["ties"]),
    )
