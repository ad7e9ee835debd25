"""The variants of a profile, compiled: what the order does not know, by name.

Which module of the engine plays a variant, the variant's name says; its facts are here.
Values are game values, prices ledger points before any doubling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skatspec.record import MODIFIERS

NEVER, ALL_PASSED, ALWAYS = "never", "all-passed", "always"


@dataclass(frozen=True, slots=True)
class RamschRules:
    """Ramsch and Schieberamsch; the words are those of the profile's `variants.ramsch`.

    `fixed` is the price with none, one and two players without a trick, `march` the reward
    of all tricks (0: none), and `march_factors` says whether pushes and knocks double it.
    """

    played: str
    cards: str
    price: str
    fixed: tuple[int, int, int]
    skat: str
    tie: str
    all_tied: str
    jungfrau: str
    march: int
    march_factors: str
    pushes: str
    jacks: str
    unseen: str
    knock: str
    grand_hand: str


@dataclass(frozen=True, slots=True)
class KontraRules:
    """The calls that double a declared game, in their order; each multiplies by `factor`."""

    calls: tuple[str, ...]
    factor: int
    who: str
    bidder_said: int
    until: str


@dataclass(frozen=True, slots=True)
class BockRules:
    """Bock rounds: a trigger adds `deals` deals that count `factor` times.

    `at_start` says whether a new start of the program begins anew or resumes what was left.
    `listing` is the listing whose scores the triggers look at; `bonus` what it adds to a
    declared game: won, lost, and to each opponent of a lost one (ledger points);
    `least_value` is the least of the values that pull a trigger when won (0: none).
    """

    played: bool
    triggers: tuple[str, ...]
    deals: int
    factor: int
    ramsch_after: bool
    at_start: str
    listing: str
    bonus: tuple[int, int, int]
    least_value: int


@dataclass(frozen=True, slots=True)
class GiftRules:
    """Schenken: when a game may be given away, and the levels that refusals announce (bits)."""

    played: str
    announces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Variants:
    """All variants of a profile. `revolution` is the game's value, 0 where it is not played."""

    ramsch: RamschRules
    kontra: KontraRules
    bock: BockRules
    gifts: GiftRules
    revolution: int
    revolution_needs_hand: bool


def compile_variants(profile: Mapping[str, Any]) -> Variants:
    """Compile a profile's `variants` section."""
    data, bonus = profile["variants"], profile["match"]["bonus"]
    gifts, revolution = data["gifts"], data["revolution"]
    words = ("own_won", "own_lost", "others_lost_three")
    added = (0, 0, 0) if bonus == "none" else tuple(bonus[word] for word in words)
    return Variants(
        RamschRules(**data["ramsch"]),
        KontraRules(**data["kontra"]),
        BockRules(**data["bock"], bonus=added, least_value=_least_value(data["bock"]["triggers"])),
        GiftRules(gifts["played"], tuple(MODIFIERS[word] for word in gifts["announces"])),
        revolution["value"],
        revolution["hand"] == "required",
    )


def _least_value(triggers: Sequence[str]) -> int:
    """Return the figure of the lowest trigger `value-N`; the higher ones go with it."""
    figures = [int(word.partition("-")[2]) for word in triggers if word.startswith("value-")]
    return min(figures, default=0)
