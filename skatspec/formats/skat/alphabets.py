"""The spellings of a card in every tradition, and what to say of a word that is none.

One word is one card, suit first. Each alphabet is one dictionary from every spelling it
knows to the card, so that reading a card is one look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from skatspec import cards
from skatspec.cards import Card
from skatspec.record import Play, Step

DEFAULT = "en"
_GLYPHS = {**{glyph: suit for suit, glyph in cards.GLYPHS.items()},
           "♧": "C", "♤": "S", "♡": "H", "♢": "D"}  # fmt: skip
_STYLES = ("", "\ufe0e", "\ufe0f")
_SPOTS = {"7": "7", "8": "8", "9": "9", "10": "T", "T": "T"}
# One-letter suits that people write in German; no alphabet reads them, because K is
# Kreuz, Karo or König and D is Dame or diamonds. They only make the advice better.
_ONE_LETTER = {"K": "CD", "P": "S", "H": "H", "E": "C", "G": "S", "L": "S", "R": "H",
               "C": "C", "S": "SD", "D": "D", "B": "S"}  # fmt: skip


@cache
def spellings(alphabet: str) -> dict[str, Card]:
    """Return every spelling of an alphabet with its card, `??` included."""
    suits = dict(cards.SUIT_LETTERS[alphabet])
    suits.update({glyph + style: suit for glyph, suit in _GLYPHS.items() for style in _STYLES})
    ranks = {**_SPOTS, **cards.RANK_LETTERS[alphabet]}
    words = {
        suit + rank: cards.BY_NAME[suit_letter + rank_letter]
        for suit, suit_letter in suits.items()
        for rank, rank_letter in ranks.items()
    }
    words[cards.HIDDEN_TEXT] = cards.HIDDEN
    return words


PLAYS: tuple[tuple[Step, ...], ...] = tuple(
    tuple(Play(seat, card) for card in range(cards.DECK + 1)) for seat in range(3)
)


@cache
def plays(alphabet: str) -> tuple[Mapping[str, Step], ...]:
    """Return, by seat, every spelling of an alphabet with the step of playing that card."""
    words = spellings(alphabet)
    return tuple({word: by_card[card] for word, card in words.items()} for by_card in PLAYS)


def candidates(word: str) -> tuple[str, ...]:
    """Return how a word of mixed or one-letter spelling could be meant, as `CQ (Kreuz Dame)`."""
    if not 2 <= len(word) <= 3:
        return ()
    meant: dict[str, str] = {}
    for suit in _ONE_LETTER.get(word[0], ""):
        for alphabet in ("de", "eichel"):
            ranks = {**_SPOTS, **cards.RANK_LETTERS[DEFAULT], **cards.RANK_LETTERS[alphabet]}
            rank = ranks.get(word[1:])
            if rank is not None:
                meant.setdefault(suit + rank, _said(alphabet, suit, rank, word[1:]))
    return tuple(f"{name} ({said})" for name, said in meant.items())


def _said(alphabet: str, suit: str, rank: str, fallback: str) -> str:
    """Return a card in full words of an alphabet."""
    suits = cards.SUIT_LETTERS[alphabet]
    ranks = cards.RANK_LETTERS[alphabet]
    suit_word = next(word for word, letter in suits.items() if letter == suit)
    rank_word = next((word for word, letter in ranks.items() if letter == rank), fallback)
    return f"{suit_word} {rank_word}"


def readers(word: str) -> list[str]:
    """Return the alphabets that know a word."""
    return [name for name in cards.ALPHABETS if word in spellings(name)]


def example(alphabets: Iterable[str]) -> str:
    """Return an example of a card for each alphabet."""
    samples = {"en": "CJ", "de": "KreuzB or KrB", "eichel": "EichelU or EiU"}
    return ", ".join(f"{samples[name]} ({name})" for name in alphabets)
