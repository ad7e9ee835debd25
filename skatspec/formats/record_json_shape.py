"""From a decoded JSON document to the parts of a record, checked by hand for speed.

What it accepts is what schemas/record.schema.json accepts (tests/test_record_json.py);
places and findings are made by record_json.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from skatspec.cards import BY_NAME, NAMES, Card
from skatspec.formats.record_json_places import HANDS, Path
from skatspec.record import (
    DOUBLES,
    GAME,
    MODIFIERS,
    NO_NUMBER,
    PASSED,
    PENALTY,
    SEAT_LETTERS,
    UNKNOWN,
    WORLD,
    Agree,
    AuctionEnd,
    Bid,
    Claim,
    Comment,
    Deal,
    Declare,
    Discard,
    Double,
    EarlyPlay,
    Exchange,
    Gift,
    Hold,
    Knock,
    Leave,
    OutOfTurn,
    Pass,
    PickUp,
    Play,
    Push,
    Refuse,
    Resign,
    Result,
    Revoke,
    Ruling,
    Seat,
    Show,
    Step,
    ThrowOpen,
    Timeout,
    WrongLead,
)

VERSION = 1
SEATS: dict[str, Seat] = {
    **{letter: seat for seat, letter in enumerate(SEAT_LETTERS)},
    "W": WORLD,
}
SEAT_WORDS = {seat: letter for letter, seat in SEATS.items()}
KINDS = (PASSED, UNKNOWN, GAME, PENALTY)
HIGHEST_BID = 9999
HIGHEST_FIGURE = 999_999

Document = dict[str, Any]
_SEAT = "F, M, R, or W for the world or nobody"
_CARD = "a card such as CJ, or ??"


class BadShape(Exception):
    """A document that is no record; record_json turns it into a finding."""

    def __init__(self, path: Path, expected: str, code: str = "N013") -> None:
        super().__init__(path)
        self.path = path
        self.expected = expected
        self.code = code


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A figure of the result that cannot be, and what would have been read."""

    path: Path
    expected: str


@dataclass(frozen=True, slots=True)
class Shaped:
    """The parts of a record, and the figures left out of its result."""

    tags: tuple[tuple[str, str], ...]
    deal: Deal | None
    steps: tuple[Step, ...]
    result: Result | None
    comments: tuple[Comment, ...]
    spoilt: tuple[Spoilt, ...]


def shaped(document: Any) -> Shaped:
    """Return the parts of a decoded document; raises BadShape where it is no record."""
    top = _object(document, (), ("skatspec", "tags", "deal", "steps", "result", "comments"))
    version = top.get("skatspec")
    if _whole(version) is None:
        raise BadShape(("skatspec",), '"skatspec": 1')
    if version != VERSION:
        raise BadShape(("skatspec",), str(VERSION), "N012")
    spoilt: list[Spoilt] = []
    deal, result = top.get("deal"), top.get("result")
    return Shaped(
        tuple([_tag(item, at) for at, item in enumerate(_items(top, "tags"))]),
        None if deal is None else _deal(deal),
        tuple([_step(item, at) for at, item in enumerate(_items(top, "steps"))]),
        None if result is None else _result(result, spoilt),
        tuple([_comment(item, at) for at, item in enumerate(_items(top, "comments"))]),
        tuple(spoilt),
    )


# ---------------------------------------------------------------- shapes


def _object(value: Any, path: Path, keys: Collection[str]) -> Document:
    if type(value) is not dict:
        raise BadShape(path, "an object")
    for key in value:
        if key not in keys:
            raise BadShape((*path, key), "one of " + ", ".join(keys))
    return value


def _items(top: Document, key: str) -> list[Any]:
    value = top.get(key, [])
    if type(value) is not list:
        raise BadShape((key,), "an array")
    return value


def _whole(value: Any) -> int | None:
    """Return a whole number, also one written as `18.0`; None for anything else."""
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer() and abs(value) <= HIGHEST_FIGURE:
        return int(value)
    return None


def _text(value: Any, path: Path) -> str:
    if type(value) is not str:
        raise BadShape(path, "a text")
    return value


def _card(value: Any, path: Path) -> Card:
    card = BY_NAME.get(value) if type(value) is str else None
    if card is None:
        raise BadShape(path, _CARD)
    return card


def _cards(value: Any, path: Path) -> tuple[Card, ...]:
    if type(value) is not list:
        raise BadShape(path, "an array of cards")
    return tuple([_card(item, (*path, at)) for at, item in enumerate(value)])


def _cards_or_none(value: Any, path: Path) -> tuple[Card, ...] | None:
    return None if value is None else _cards(value, path)


def _flag(value: Any, path: Path) -> bool:
    if type(value) is not bool:
        raise BadShape(path, "true or false")
    return value


# ---------------------------------------------------------------- tags, deal, comments


def _tag(value: Any, at: int) -> tuple[str, str]:
    path = ("tags", at)
    if type(value) is not list or len(value) != 2:
        raise BadShape(path, "a name and a value")
    return _text(value[0], (*path, 0)), _text(value[1], (*path, 1))


def _deal(value: Any) -> Deal:
    parts = _object(value, ("deal",), HANDS)
    first, second, third, skat, pack = (
        _cards_or_none(parts.get(name), ("deal", name)) for name in HANDS
    )
    return Deal((first, second, third), skat, pack)


def _comment(value: Any, at: int) -> Comment:
    path = ("comments", at)
    given = _object(value, path, ("where", "text", "own_line"))
    where, text = (_text(given.get(key), (*path, key)) for key in ("where", "text"))
    return Comment(where, text, _flag(given.get("own_line", True), (*path, "own_line")))


# ---------------------------------------------------------------- steps

PLAIN: tuple[type[Step], ...] = (
    Hold, Pass, Resign, Timeout, Leave, Agree, Refuse, Gift, ThrowOpen, Knock, Revoke, WrongLead,
    OutOfTurn, EarlyPlay,
)  # fmt: skip
LEVELS = ("schneider", "schwarz")
_LOWEST_SHARED_BID, _HIGHEST_SHARED_BID = 18, 300


def _shared() -> dict[tuple[tuple[str, Any], ...], Step]:
    """Build the shared step of every document that needs no closer look.

    1 and True are one key of a table, so nothing that holds them may be in it.
    """
    table: dict[tuple[tuple[str, Any], ...], Step] = {}
    bare: tuple[type[Step], ...] = (*PLAIN, Show, PickUp, Push)
    for letter, seat in SEATS.items():
        by = ("seat", letter)
        for kind in bare:
            table[("step", kind.word), by] = kind(seat)
        for value in range(_LOWEST_SHARED_BID, _HIGHEST_SHARED_BID):
            table[("step", Bid.word), by, ("value", value)] = Bid(seat, value)
        for call in DOUBLES:
            table[("step", Double.word), by, ("call", call)] = Double(seat, call)
        for card, name in enumerate(NAMES):
            table[("step", Play.word), by, ("card", name)] = Play(seat, card)
    return table


SHARED = _shared()


def _step(value: Any, at: int) -> Step:
    try:
        step = SHARED.get(tuple(value.items()))
    except (TypeError, AttributeError):
        step = None
    return _any_step(value, ("steps", at)) if step is None else step


def _any_step(value: Any, path: Path) -> Step:
    if type(value) is not dict:
        raise BadShape(path, "a step")
    word, letter = value.get("step"), value.get("seat")
    reader = _READERS.get(word) if type(word) is str else None
    if reader is None:
        raise BadShape((*path, "step"), "one of " + ", ".join(_READERS))
    keys, read = reader
    _object(value, path, ("step", "seat", *keys))
    if type(letter) is not str or letter not in SEATS:
        raise BadShape((*path, "seat"), _SEAT)
    return read(SEATS[letter], value, path)


def _with_value(kind: type[Bid] | type[AuctionEnd]) -> _Reader:
    def read(seat: Seat, given: Document, path: Path) -> Step:
        if "value" not in given:
            raise BadShape((*path, "value"), "a number, or null for none")
        value = _whole(given["value"])
        return kind(seat, NO_NUMBER if value is None or not 0 <= value <= HIGHEST_BID else value)

    return ("value",), read


def _bits(given: Document, names: Iterable[str], path: Path) -> int:
    flags = {name: _flag(given.get(name, False), (*path, name)) for name in names}
    return sum(MODIFIERS[name] for name, said in flags.items() if said)


def _claim(seat: Seat, given: Document, path: Path) -> Step:
    return Claim(seat, _bits(given, LEVELS, path))


def _ruling(seat: Seat, given: Document, path: Path) -> Step:
    won = _flag(given.get("won"), (*path, "won"))
    counts = _flag(given.get("skat_counts", True), (*path, "skat_counts"))
    source = _text(given.get("source"), (*path, "source"))
    return Ruling(seat, won, source, _bits(given, LEVELS, path), counts)


def _declare(seat: Seat, given: Document, path: Path) -> Step:
    contract = _text(given.get("contract"), (*path, "contract"))
    if not contract:
        raise BadShape((*path, "contract"), "the name of a game")
    bits = _bits(given, MODIFIERS, path)
    return Declare(seat, contract, bits, _cards_or_none(given.get("shown"), (*path, "shown")))


def _play(seat: Seat, given: Document, path: Path) -> Step:
    return Play(seat, _card(given.get("card"), (*path, "card")))


def _double(seat: Seat, given: Document, path: Path) -> Step:
    call = given.get("call")
    if type(call) is not str or call not in DOUBLES:
        raise BadShape((*path, "call"), "one of " + ", ".join(DOUBLES))
    return Double(seat, call)


def _of_cards(kind: type[Discard] | type[Exchange]) -> _Reader:
    def read(seat: Seat, given: Document, path: Path) -> Step:
        return kind(seat, _cards(given.get("cards"), (*path, "cards")))

    return ("cards",), read


def _perhaps_cards(kind: type[PickUp] | type[Show] | type[Push]) -> _Reader:
    def read(seat: Seat, given: Document, path: Path) -> Step:
        return kind(seat, _cards_or_none(given.get("cards"), (*path, "cards")))

    return ("cards",), read


def _plain(kind: type[Step]) -> _Reader:
    def read(seat: Seat, given: Document, path: Path) -> Step:
        return kind(seat)

    return (), read


_Reader = tuple[tuple[str, ...], Callable[[Seat, Document, Path], Step]]
_READERS: dict[str, _Reader] = {
    Bid.word: _with_value(Bid),
    AuctionEnd.word: _with_value(AuctionEnd),
    PickUp.word: _perhaps_cards(PickUp),
    Push.word: _perhaps_cards(Push),
    Discard.word: _of_cards(Discard),
    Exchange.word: _of_cards(Exchange),
    Declare.word: (("contract", *MODIFIERS, "shown"), _declare),
    Play.word: (("card",), _play),
    Double.word: (("call",), _double),
    Show.word: _perhaps_cards(Show),
    Claim.word: (LEVELS, _claim),
    Ruling.word: (("won", "source", *LEVELS, "skat_counts"), _ruling),
    **{kind.word: _plain(kind) for kind in PLAIN},
}

# ---------------------------------------------------------------- result


@dataclass(frozen=True, slots=True)
class Figure:
    """A field of the result: both directions, each None where the value cannot be."""

    read: Callable[[Any], Any]
    write: Callable[[Any], Any]
    expected: str


def _read_number(value: Any) -> int | None:
    number = _whole(value)
    return None if number is None or abs(number) > HIGHEST_FIGURE else number


def _read_seat(value: Any) -> Seat | None:
    return SEATS.get(value) if type(value) is str else None


def _read_flag(value: Any) -> bool | None:
    return value if type(value) is bool else None


def _read_flags(value: Any) -> tuple[bool, ...] | None:
    sound = type(value) is list and len(value) == len(SEAT_LETTERS)
    return tuple(value) if sound and all(type(item) is bool for item in value) else None


def _each_number(value: Any) -> tuple[int | None, ...] | None:
    """Read or write a number a seat, None for a seat that has none."""
    if type(value) not in (list, tuple) or len(value) != len(SEAT_LETTERS):
        return None
    numbers = tuple([None if one is None else _read_number(one) for one in value])
    spoilt = sum(number is None for number in numbers) > sum(one is None for one in value)
    return None if spoilt else numbers


def _each_known(value: Any) -> tuple[int | None, ...] | None:
    """Read or write a number a seat, for all of them."""
    numbers = _each_number(value)
    return None if numbers is None or None in numbers else numbers


_NUMBER = Figure(_read_number, _read_number, "a whole number of at most six digits")
_WHO = Figure(_read_seat, SEAT_WORDS.get, _SEAT)
_YES = Figure(_read_flag, _read_flag, "true or false")
_EACH = Figure(_read_flags, list, "three times true or false")
FIGURES: dict[str, Figure] = {
    "declarer": _WHO,
    "won": _YES,
    "score": _NUMBER,
    "matadors": _NUMBER,
    "overbid": _YES,
    "points": _NUMBER,
    "tricks": _NUMBER,
    "schneider": _YES,
    "schwarz": _YES,
    "penalized": _EACH,
    "left": _WHO,
    "timed_out": _WHO,
    "resigned": _YES,
    "last_trick": _WHO,
    "scores": Figure(_each_known, _each_known, "three whole numbers of at most six digits"),
    "losers": _EACH,
    "counted": Figure(_each_number, _each_number, "three times a whole number, or null"),
}


def _result(value: Any, spoilt: list[Spoilt]) -> Result:
    given = _object(value, ("result",), ("kind", *FIGURES))
    kind = given.get("kind", GAME)
    if kind not in KINDS:
        raise BadShape(("result", "kind"), "one of " + ", ".join(KINDS))
    fields: dict[str, Any] = {}
    for name, figure in FIGURES.items():
        stated = given.get(name)
        if stated is None:
            continue
        fields[name] = figure.read(stated)
        if fields[name] is None:
            spoilt.append(Spoilt(("result", name), figure.expected))
    return Result(kind, **fields)
