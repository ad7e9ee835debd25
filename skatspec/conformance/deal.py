"""A deal as the International Skat Server writes it, for counting."""

from __future__ import annotations

import re

from skatspec import cards
from skatspec.cards import Mask
from skatspec.errors import UsageError
from skatspec.formats.iss_words import split_deal


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
    deal = split_deal(tuple(cards.BY_NAME[name] for name in names))
    return tuple(cards.mask(hand or ()) for hand in deal.hands)
