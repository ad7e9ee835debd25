"""Cards as integers, sets of cards as bit masks, and every tradition's letters.

A card is `suit * 8 + rank`, with suits in the order D H S C and ranks in the
order 7 8 9 T J Q K A. The order only names cards: which card beats which is a
rule and lives in the profiles. `HIDDEN` (32) is a card that the record does not
show; it is a value of its own and never a member of a mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Card = int
Mask = int

SUITS = "DHSC"
RANKS = "789TJQKA"
HIDDEN: Card = 32
HIDDEN_TEXT = "??"
DECK = 32
ALL: Mask = (1 << DECK) - 1

NAMES: tuple[str, ...] = (*(s + r for s in SUITS for r in RANKS), HIDDEN_TEXT)
BY_NAME: dict[str, Card] = {name: card for card, name in enumerate(NAMES)}

GLYPHS = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}

# Letters that each tradition writes, to our own; longest spelling first.
# German words and suits: FORMATS.md section 3. `D` is a suit in none of the
# German traditions (Karo, Schellen), so each alphabet is free of conflicts.
SUIT_LETTERS: dict[str, dict[str, str]] = {
    "en": {"C": "C", "S": "S", "H": "H", "D": "D"},
    "de": {
        "Kreuz": "C", "Pik": "S", "Herz": "H", "Karo": "D",
        "Kr": "C", "Pi": "S", "He": "H", "Ka": "D",
    },
    "eichel": {
        "Eichel": "C", "Grün": "S", "Gruen": "S", "Laub": "S", "Blatt": "S",
        "Rot": "H", "Herz": "H", "Schellen": "D",
        "Ei": "C", "Gr": "S", "La": "S", "Bl": "S", "Ro": "H", "He": "H", "Sc": "D",
    },
}  # fmt: skip
RANK_LETTERS: dict[str, dict[str, str]] = {
    "en": {"J": "J", "Q": "Q", "K": "K", "A": "A"},
    "de": {"Bube": "J", "Dame": "Q", "König": "K", "Koenig": "K", "As": "A", "Ass": "A",
           "B": "J", "D": "Q", "K": "K", "A": "A"},
    "eichel": {"Unter": "J", "Ober": "Q", "König": "K", "Koenig": "K", "As": "A", "Ass": "A",
               "Daus": "A", "U": "J", "O": "Q", "K": "K", "A": "A"},
}  # fmt: skip
ALPHABETS = tuple(SUIT_LETTERS)


def name(card: Card) -> str:
    """Return the canonical two letters of a card, `??` for a hidden one."""
    return NAMES[card]


def names(cards: Iterable[Card], separator: str = " ") -> str:
    """Return the canonical letters of several cards, joined."""
    return separator.join([NAMES[card] for card in cards])


def mask(cards: Iterable[Card]) -> Mask:
    """Return the set of the known cards among `cards`; hidden ones are left out."""
    result = 0
    for card in cards:
        if card != HIDDEN:
            result |= 1 << card
    return result


def members(cards: Mask) -> Iterator[Card]:
    """Yield the cards of a set, lowest number first."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def parse(text: str) -> Card | None:
    """Return the card for canonical letters (`CJ`, `DT`, `??`), or None."""
    return BY_NAME.get(text)
