"""What the letters of an ISS record stand for, by their byte; no rule stands here."""

from __future__ import annotations

import numpy as np

from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.unchecked import byte
from skatspec.cards import RANKS, SUITS
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ
from skatspec.rules.tables import CONTRACTS

SPACE, DOT, BAR, HIDDEN, CLOSE, ZERO, NINE = (ord(letter) for letter in " .|?]09")
# Added to any other number it makes one that is no card's.
_NO_CARD = 128
NO_GAME = 255


def _table(pairs: dict[str, int], none: int) -> np.ndarray:
    """Return numbers by the byte of a letter, `none` for every other byte."""
    table = np.full(256, none, np.uint8)
    for letter, number in pairs.items():
        table[ord(letter)] = number
    return table


SUIT = _table({letter: 8 * number for number, letter in enumerate(SUITS)}, _NO_CARD)
RANK = _table({letter: number for number, letter in enumerate(RANKS)}, _NO_CARD)
GAME = _table({name[0].upper(): number for number, name in enumerate(CONTRACTS)}, NO_GAME)
# One bit each; 0: no announcement.
BIT = _table({"H": HAND, "S": SCHNEIDER, "Z": SCHWARZ, "O": OUVERT}, 0)


@compiled()
def card_at(buf, p):
    """Return the card of the two letters at `p`; 32 and more: none."""
    return byte(SUIT, byte(buf, p)) + byte(RANK, byte(buf, p + 1))
