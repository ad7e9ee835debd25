"""A deal as the International Skat Server writes it, for counting."""

from __future__ import annotations

import re

from skatspec import cards
from skatspec.cards import Mask
from skatspec.errors import UsageError

_HAND, _SEATS = 10, 3


def hands_of(text: str) -> tuple[Mask, ...]:
    """Return the hands F, M, R of 32 cards, ten each and the skat behind them.

    Between cards stand dots, or blanks or commas.

    Raises UsageError where it is not the whole pack.
    """
    names = [name for name in re.split(r"[.|,\s]+", text.upper()) if name]
    unknown = [name for name in names if name not in cards.NAMES[: cards.DECK]]
    if unknown:
        raise UsageError(f"--deal: {unknown[0]!r} is no card; cards are written as CJ or H7")
    if len(names) != cards.DECK or len(set(names)) != cards.DECK:
        twice = sorted({name for name in names if names.count(name) > 1})
        why = f"{twice[0]} stands twice" if twice else f"there are {len(names)} cards"
        raise UsageError(f"--deal: {why}, and {cards.DECK} different ones are needed")
    return tuple(
        cards.mask(cards.BY_NAME[name] for name in names[seat * _HAND : (seat + 1) * _HAND])
        for seat in range(_SEATS)
    )
