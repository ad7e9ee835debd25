"""The words of XSkat's logs, one table row a word, in both languages and card decks.

No line is taken apart here (rows, blocks). Each word belongs to one language, so a word
also says which language a block is written in; suits are words of their own in every deck,
so that `D` and `K` are never in doubt.
"""

from __future__ import annotations

from dataclasses import dataclass

from skatspec.cards import BY_NAME, Card
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ

ENGLISH, GERMAN = "en", "de"

# ---------------------------------------------------------------- cards


@dataclass(frozen=True, slots=True)
class Deck:
    """One way to write the cards: the suits' words, and the letters of jack and queen."""

    name: str
    language: str
    clubs: str
    spades: str
    hearts: str
    diamonds: str
    jack: str
    queen: str

    def cards(self) -> dict[str, Card]:
        """Return every card by its suit's word, a blank and its rank."""
        suits = {"C": self.clubs, "S": self.spades, "H": self.hearts, "D": self.diamonds}
        ranks = {"J": self.jack, "Q": self.queen, "T": "10"}
        return {f"{suits[n[0]]} {ranks.get(n[1], n[1])}": BY_NAME[n] for n in _ALL_NAMES}


_ALL_NAMES = [name for name, card in BY_NAME.items() if card != BY_NAME["??"]]

DECKS = (
    Deck("french", ENGLISH, "Club", "Spade", "Heart", "Diamond", "J", "Q"),
    Deck("french", GERMAN, "Kreuz", "Pik", "Herz", "Karo", "B", "D"),
    Deck("german", ENGLISH, "Acorns", "Leaves", "Hearts", "Bells", "U", "O"),
    Deck("german", GERMAN, "Eicheln", "Grün", "Rot", "Schellen", "U", "O"),
)

# The lowest trump of a game with Spitze is printed without its suit and rank.
SPITZE = "Spitze !"

# ---------------------------------------------------------------- rows without cards

PASS, GIFT, ACCEPT = "pass", "gift", "accept"
ROW_WORDS = {
    "Pass": PASS,
    "Passe": PASS,
    "Schenken": GIFT,
    "Accept": ACCEPT,
    "Annehmen": ACCEPT,
}

# ---------------------------------------------------------------- the lines behind the hands

SKAT_IS, SKAT_WAS, LAST_BID, PUSH = "skat is", "skat was", "last bid", "push"
CONTRACT, MODIFIER, RESULT = "contract", "modifier", "result"
# The order in which a block states them; only pushes may stand more than once.
ORDER = (SKAT_IS, SKAT_WAS, LAST_BID, PUSH, CONTRACT, MODIFIER, RESULT)


@dataclass(frozen=True, slots=True)
class Label:
    """What a text before a colon announces.

    `seat` is the pusher's and `unseen` whether he left the skat lying; `won` and `unit`
    belong to results.
    """

    kind: str
    language: str
    seat: int = -1
    unseen: bool = False
    won: bool = False
    unit: str = ""


def _push_labels() -> dict[str, Label]:
    """Return `FH passed` and its like; an underscore for the blank means left unseen."""
    tables = (("FH", "MH", "RH"), "passed", ENGLISH), (("VH", "MH", "HH"), "schob", GERMAN)
    return {
        f"{seat_word}{blank}{verb}": Label(PUSH, language, seat, blank == "_")
        for seats, verb, language in tables
        for seat, seat_word in enumerate(seats)
        for blank in " _"
    }


LABELS = {
    "Skat is": Label(SKAT_IS, ENGLISH),
    "Im Skat ist": Label(SKAT_IS, GERMAN),
    "Skat was": Label(SKAT_WAS, ENGLISH),
    "Im Skat war": Label(SKAT_WAS, GERMAN),
    "Last bid": Label(LAST_BID, ENGLISH),
    "Gereizt bis": Label(LAST_BID, GERMAN),
    "Won with": Label(RESULT, ENGLISH, won=True, unit="points"),
    "Lost with": Label(RESULT, ENGLISH, won=False, unit="points"),
    "Gewonnen mit": Label(RESULT, GERMAN, won=True, unit="Augen"),
    "Verloren mit": Label(RESULT, GERMAN, won=False, unit="Augen"),
    **_push_labels(),
}

# Results that state no points, and whether they are won.
RESULTS = {"Won": True, "Lost": False, "Gewonnen": True, "Verloren": False}

# The line below the contract; the bits are what is written, not what that includes.
MODIFIERS = {
    "Played Hand": HAND,
    "Schneider announced": SCHNEIDER,
    "Schwarz announced": SCHWARZ,
    "Played ouvert": OUVERT,
    "Played ouvert Hand": OUVERT | HAND,
    "Hand gespielt": HAND,
    "Schneider angesagt": SCHNEIDER,
    "Schwarz angesagt": SCHWARZ,
    "Ouvert gespielt": OUVERT,
    "Ouvert Hand gespielt": OUVERT | HAND,
}

# `Anna played Club`: what stands between the declarer and the contract.
VERBS = (" played ", " spielte ")
RAMSCH = "ramsch"
CONTRACTS = {
    **{deck.clubs: "clubs" for deck in DECKS},
    **{deck.spades: "spades" for deck in DECKS},
    **{deck.hearts: "hearts" for deck in DECKS},
    **{deck.diamonds: "diamonds" for deck in DECKS},
    "Grand": "grand",
    "Null": "null",
    "Revolution": "revolution",
}
# `Anna lost the Ramsch`: what stands behind the player, and whether he won it.
RAMSCH_ENDS = {
    " lost the Ramsch": False,
    " won the Ramsch": True,
    " verlor den Ramsch": False,
    " gewann den Ramsch": True,
}
NOBODY = ("Nobody", "Niemand")
