"""The words of ISS records and what they stand for: properties, moves, result fields.

One row holds a word's reader and its writer, so that the two cannot drift. No text
is taken apart here (iss_scan, iss_grammar) and none is put together (iss_write).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from skatspec.cards import BY_NAME, HIDDEN, NAMES, Card
from skatspec.record import (
    GAME,
    HAND,
    NO_NUMBER,
    OUVERT,
    PASSED,
    PENALTY,
    SCHNEIDER,
    SCHWARZ,
    UNKNOWN,
    Bid,
    Deal,
    Declare,
    Hold,
    Leave,
    Pass,
    Play,
    Resign,
    Seat,
    Show,
    Step,
    Timeout,
)

SEATS: dict[str, Seat] = {"0": 0, "1": 1, "2": 2}
HAND_SIZE = 10

# ---------------------------------------------------------------- properties

GAME_PROPERTY, GAME_NAME = "GM", "Skat"
MOVES_PROPERTY, RESULT_PROPERTY = "MV", "R"
# How a property that the format does not know is called among a record's tags.
FOREIGN = "iss."


@dataclass(frozen=True, slots=True)
class Property:
    """An ISS property and its tag; `values` maps the values that are written differently."""

    name: str
    tag: str
    values: Mapping[str, str] = field(default_factory=dict)

    def allows(self, value: str) -> bool:
        """Say whether the property can hold this value; it is kept in any case."""
        return not self.values or not value or value in self.values

    def read(self, value: str) -> str:
        """Return the tag's value for what stands in the brackets."""
        return self.values.get(value, value)

    def write(self, value: str) -> str | None:
        """Return what stands in the brackets, None where it would read as another value."""
        for own, tag in self.values.items():
            if tag == value:
                return own
        return None if value in self.values else value


PROPERTIES: tuple[Property, ...] = (
    Property("PC", "Place"),
    Property("CO", "Comment"),
    Property("SE", "Series"),
    Property("ID", "Id"),
    Property("DT", "Date"),
    Property("OW", "View", {"0": "F", "1": "M", "2": "R", "3": "public"}),
    Property("P0", "F"),
    Property("P1", "M"),
    Property("P2", "R"),
    Property("R0", "RatingF"),
    Property("R1", "RatingM"),
    Property("R2", "RatingR"),
)
BY_PROPERTY = {row.name: row for row in PROPERTIES}
BY_TAG = {row.tag: row for row in PROPERTIES}
VIEW_TAG = BY_PROPERTY["OW"].tag
OWN_PROPERTIES = {*BY_PROPERTY, GAME_PROPERTY, MOVES_PROPERTY, RESULT_PROPERTY}

# ---------------------------------------------------------------- moves

CONTRACTS = {
    "C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds", "G": "grand", "N": "null",
}  # fmt: skip
CONTRACT_LETTERS = {name: letter for letter, name in CONTRACTS.items()}
MODIFIERS = {"H": HAND, "S": SCHNEIDER, "Z": SCHWARZ, "O": OUVERT}
LETTERED = sum(MODIFIERS.values())
# The order that servers and clients write: O stands before H in Null alone.
_WRITTEN_ORDER, _WRITTEN_ORDER_NULL = "HSZO", "OHSZ"

HOLD, PASS, TAKE, SHOW, RESIGN, WORLD_WORD = "y", "p", "s", "SC", "RE", "w"
TIMEOUT, LEAVE = "TI.", "LE."
NO_NUMBER_WORD = "?"
HIGHEST_NUMBER = 9999


def number(token: str) -> int:
    """Return the value of a number in the auction, `NO_NUMBER` for one no bid can have."""
    sensible = len(token) <= 4 and token.isascii() and token.isdigit()
    return int(token) if sensible and (token[0] != "0" or token == "0") else NO_NUMBER


def number_word(value: int) -> str:
    """Return how a bid is written; what no reader would take for a bid becomes `?`."""
    return str(value) if 0 <= value <= HIGHEST_NUMBER else NO_NUMBER_WORD


def declaration(letters: str) -> tuple[str, int]:
    """Return contract and modifier bits of letters already known to be a declaration."""
    bits = 0
    for letter in letters[1:]:
        bits |= MODIFIERS[letter]
    return CONTRACTS[letters[0]], bits


def declaration_word(contract: str, bits: int) -> str | None:
    """Return the letters of a declaration, None for a game that ISS does not know."""
    letter = CONTRACT_LETTERS.get(contract)
    if letter is None:
        return None
    order = _WRITTEN_ORDER_NULL if letter == "N" else _WRITTEN_ORDER
    return letter + "".join([word for word in order if bits & MODIFIERS[word]])


def discard(shown: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the two cards that a discard made apart from the declaration stands for.

    Views write a known card and two hidden ones where one is known and one hidden.
    """
    if len(shown) == 3 and shown[0] != HIDDEN and shown[1:] == (HIDDEN, HIDDEN):
        return shown[:2]
    return shown


def split_deal(cards: tuple[Card, ...]) -> Deal:
    """Return the deal of cards in dealing order: ten a hand, the rest is the skat."""
    first, second, third = HAND_SIZE, 2 * HAND_SIZE, 3 * HAND_SIZE
    return Deal((cards[:first], cards[first:second], cards[second:third]), cards[third:])


def _steps() -> dict[tuple[str, str], Step]:
    """Build the shared step of every pair `player action` that needs no look around it."""
    table: dict[tuple[str, str], Step] = {}
    for word, seat in SEATS.items():
        table[word, HOLD] = Hold(seat)
        table[word, PASS] = Pass(seat)
        table[word, SHOW] = Show(seat)
        table[word, RESIGN] = Resign(seat)
        table[word, NO_NUMBER_WORD] = Bid(seat, NO_NUMBER)
        table[WORLD_WORD, TIMEOUT + word] = Timeout(seat)
        table[WORLD_WORD, LEAVE + word] = Leave(seat)
        for value in range(500):
            table[word, str(value)] = Bid(seat, value)
        for card, name in enumerate(NAMES):
            table[word, name] = Play(seat, card)
        for letter, contract in CONTRACTS.items():
            shared: dict[int, Declare] = {}
            for size in range(len(MODIFIERS) + 1):
                for order in permutations(MODIFIERS, size):
                    bits = declaration(letter + "".join(order))[1]
                    step = shared.setdefault(bits, Declare(seat, contract, bits))
                    table[word, letter + "".join(order)] = step
    return table


STEPS = _steps()
# The other direction: a declaration is written in one order of its letters.
STEP_WORDS: dict[Step, str] = {
    step: f"{player} {action}"
    for (player, action), step in STEPS.items()
    if not isinstance(step, Declare) or action == declaration_word(step.contract, step.modifiers)
}


def card_list(token: str) -> tuple[Card, ...] | None:
    """Return the cards of a list joined by dots, None where one of them is no card."""
    try:
        return tuple([BY_NAME[name] for name in token.split(".")])
    except KeyError:
        return None


# ---------------------------------------------------------------- result

OUTCOMES: dict[str, tuple[str, bool | None]] = {
    "passed": (PASSED, None),
    "unknown": (UNKNOWN, None),
    "win": (GAME, True),
    "loss": (GAME, False),
    "penalty": (PENALTY, None),
}
OUTCOME_WORDS = {meaning: word for word, meaning in OUTCOMES.items()}
OVERBID = {"bidok": False, "overbid": True}
OVERBID_WORDS = {meaning: word for word, meaning in OVERBID.items()}


@dataclass(frozen=True, slots=True)
class Figure:
    """A `key:value` of a result: the Result field, the pattern and both directions.

    `read` takes text that matches `pattern`; `write` returns text that should.
    """

    key: str
    field: str
    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    expected: str


_NUMBER, _SEAT, _FLAG = "-?[0-9]{1,6}", "-1|[012]", "[01]"


def _flag_value(word: str) -> bool:
    return word == "1"


def _flag_word(value: bool) -> str:
    return "1" if value else "0"


def _number_text(value: int) -> str:
    """Return the digits, none for a number that matches no pattern anyway."""
    return str(value) if abs(value) < 10**9 else ""


def _number(key: str, name: str) -> Figure:
    return Figure(key, name, _NUMBER, int, _number_text, "a whole number of at most six digits")


def _seat(key: str, name: str) -> Figure:
    return Figure(key, name, _SEAT, int, str, "0, 1, 2, or -1 for nobody")


def _flag(key: str, name: str) -> Figure:
    return Figure(key, name, _FLAG, _flag_value, _flag_word, "0 or 1")


PENALIZED = "penalized"
FIGURES: tuple[Figure, ...] = (
    _seat("d", "declarer"),
    _number("v", "score"),
    _number("m", "matadors"),
    _number("p", "points"),
    _number("t", "tricks"),
    _flag("s", "schneider"),
    _flag("z", "schwarz"),
    *(_flag(f"p{word}", PENALIZED) for word in SEATS),
    _seat("l", "left"),
    _seat("to", "timed_out"),
    _flag("r", "resigned"),
)
BY_KEY = {row.key: row for row in FIGURES}
# Where the two words stand among the figures when a result is written in full.
OUTCOME_BEFORE, OVERBID_BEFORE = "v", "p"
