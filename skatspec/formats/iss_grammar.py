"""The exact reader of ISS records: grammar/iss.lark, a finding for all that is wrong.

It reads what the fast scanner does not take, and is its oracle in the tests. Import
it only where it is needed, because lark is heavy.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeGuard

import lark
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from skatspec import resources
from skatspec.cards import BY_NAME, Card
from skatspec.diagnostics import Diagnostic, finding, span_at
from skatspec.formats.iss_words import (
    BY_KEY,
    BY_PROPERTY,
    FIGURES,
    FOREIGN,
    GAME_NAME,
    GAME_PROPERTY,
    LEAVE,
    MOVES_PROPERTY,
    OUTCOMES,
    OVERBID,
    PENALIZED,
    RESULT_PROPERTY,
    SEATS,
    TIMEOUT,
    WORLD_WORD,
    Figure,
    declaration,
    discard,
    number,
    split_deal,
)
from skatspec.formats.record_text import excerpt
from skatspec.record import (
    GAME,
    NO_NUMBER,
    WORLD,
    Bid,
    BrokenRecord,
    Deal,
    Declare,
    Discard,
    Hold,
    Leave,
    Origin,
    Pass,
    PickUp,
    Play,
    Record,
    Resign,
    Result,
    Seat,
    Show,
    Step,
    Timeout,
)

_AWAY = 2
# A record may be made of unknown properties; nobody reads on after so many.
_MOST_FINDINGS = 100
_PLAYER = "a player: 0, 1, 2 or w"
_ACTION = "a bid, y, p, s, a declaration, a card, SC or RE"
_WORLD_ACTION = "TI. or LE. with a player; cards only as the first move or behind s"
_DEAL = "the deal as cards joined by dots, TI. or LE. with a player"
_DEAL_PARTS = "three hands and the skat, parted by three bars"
_PROPERTY = "a property such as P0[name], or ;)"
_RESULT_WORD = "a field of the result such as v:48"
_CARD = "a card such as CJ, or ??"


@cache
def _parser() -> Lark:
    # made anew it takes a quarter of a second; Lark looks whether what is kept is of this grammar
    folder = resources.cache_folder()
    kept = f"iss-lark-{lark.__version__}-{sys.implementation.cache_tag}"
    where = False if folder is None else str(folder / kept)
    return Lark(resources.text("grammar", "iss.lark"), parser="lalr", cache=where)


def read_exactly(origin: Origin) -> Record | BrokenRecord:
    """Read the text of one record, from `(;` to `;)`, with every finding it deserves."""
    try:
        tree: Tree[Token] = _parser().parse(origin.text)
    except UnexpectedInput as error:
        at = error.pos_in_stream if error.pos_in_stream is not None else len(origin.text)
        return BrokenRecord(origin, (_explain(origin, at),))
    reading = _Reading(origin)
    for part in tree.children:
        assert isinstance(part, Tree)
        reading.take(part)
    return reading.record()


class _Reading:
    """Collects the properties of one record."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._tags: list[tuple[str, str]] = []
        self._findings: list[Diagnostic] = []
        self._seen: set[str] = set()
        self._moves = _Moves()
        self._result: Result | None = None
        self._broken = False

    def take(self, part: Tree[Token]) -> None:
        """Take one property: a tree named `moves`, `result` or `text`."""
        opener, *inside = part.children
        assert isinstance(opener, Token)
        name = opener[:-1]
        first = name not in self._seen
        self._seen.add(name)
        if part.data == "result":
            if first:
                self._result = self._read_result([word for word in inside if _is_token(word)])
            else:
                self._note("S017", opener, read=name, what=name)
            return
        if not first:
            self._note("N010", opener, what=name, read=name)
        if part.data == "text":
            self._text(opener, name, "".join(map(str, inside)))
        elif first:
            for move in inside:
                self._moves.take(move)

    def record(self) -> Record | BrokenRecord:
        """Return what was collected; without a moves property the record is broken."""
        origin, moves = self._origin, self._moves
        if MOVES_PROPERTY not in self._seen:
            end = len(origin.text)
            place = span_at(origin.text, end - len(";)"), end, origin.line)
            self._findings.append(finding("N011", span=place, what=MOVES_PROPERTY))
            self._broken = True
        elif moves.deal is None and not moves.steps:
            self._findings.append(finding("N014", span=origin.start()))
        findings = tuple(self._findings)
        if self._broken:
            return BrokenRecord(origin, findings)
        tags, steps = tuple(self._tags), tuple(moves.steps)
        return Record(tags, moves.deal, steps, self._result, (), origin, findings)

    def _note(self, code: str, word: Token, what: str, read: str, expected: str = "") -> None:
        if len(self._findings) >= _MOST_FINDINGS:
            return
        start, end = _place(word)
        place = span_at(self._origin.text, start, end, self._origin.line)
        note = finding(code, span=place, read=read, expected=expected, what=what)
        self._findings.append(note)

    def _text(self, opener: Token, name: str, value: str) -> None:
        if name == GAME_PROPERTY:
            if value != GAME_NAME:
                self._note("N008", opener, what=name, read=excerpt(value), expected=GAME_NAME)
                self._broken = True
            return
        row = BY_PROPERTY.get(name)
        if row is None:
            self._note("N007", opener, read=name, what=name)
            self._tags.append((FOREIGN + name, value))
            return
        if not row.allows(value):
            expected = ", ".join(row.values)
            self._note("N008", opener, what=name, read=excerpt(value), expected=expected)
        self._tags.append((row.tag, row.read(value)))

    def _read_result(self, words: list[Token]) -> Result | None:
        """Read a result; what cannot be is reported and left out."""
        stated: dict[str, Any] = {}
        for word in words:
            key, _, value = word.partition(":")
            kind = key if word.type == "FIGURE" else word.type
            if word.type == "OTHER":
                self._note("S016", word, RESULT_PROPERTY, excerpt(word), _RESULT_WORD)
            elif kind in stated:
                what = f"{key if value else RESULT_PROPERTY} (2)"
                self._note("S016", word, what, excerpt(value or word))
            elif word.type == "OUTCOME":
                stated[kind] = OUTCOMES[word]
            elif word.type == "OVERBID":
                stated[kind] = OVERBID[word]
            else:
                stated[kind] = self._figure(word, BY_KEY[key], value)
        return self._result_of(stated, words) if words else None

    def _figure(self, word: Token, row: Figure, value: str) -> Any:
        if re.fullmatch(row.pattern, value):
            return row.read(value)
        self._note("S016", word, what=row.key, read=excerpt(value), expected=row.expected)
        return None

    def _result_of(self, stated: dict[str, Any], words: list[Token]) -> Result:
        kind, won = stated.pop("OUTCOME", (GAME, None))
        overbid = stated.pop("OVERBID", None)
        keys = [row.key for row in FIGURES if row.field == PENALIZED]
        flags = [stated.pop(key, None) for key in keys]
        penalized = None if None in flags else (flags[0], flags[1], flags[2])
        given = [word for word in words if word.partition(":")[0] in keys]
        if given and len(given) < len(keys):
            read = " ".join(given)
            self._note("S016", given[0], what=" ".join(keys), read=read, expected=" ".join(keys))
        fields = {BY_KEY[key].field: value for key, value in stated.items()}
        return Result(kind, won=won, overbid=overbid, penalized=penalized, **fields)


def _is_token(word: object) -> TypeGuard[Token]:
    return isinstance(word, Token)


def _place(word: Token) -> tuple[int, int]:
    """Return a token's offsets, the bracket behind a property's name left out."""
    start = word.start_pos or 0
    return start, start + len(word.removesuffix("["))


# ---------------------------------------------------------------- moves


class _Moves:
    """The moves of one record, in order."""

    def __init__(self) -> None:
        self.deal: Deal | None = None
        self.steps: list[Step] = []
        # Who has the skat and has put nothing away yet.
        self._taken: Seat = WORLD

    def take(self, move: Token | Tree[Token]) -> None:
        """Take one move: a tree named `deal`, `world` or `step`."""
        assert isinstance(move, Tree)
        words = [word for word in move.children if _is_token(word)]
        if move.data == "deal":
            self.deal = _deal(words[0])
        elif move.data == "world":
            seat = SEATS[words[0][-1]]
            self.steps.append(Timeout(seat) if words[0].type == "TIMEOUT" else Leave(seat))
        else:
            self._step(SEATS[words[0]], words[1])

    def _step(self, seat: Seat, word: Token) -> None:
        if word.type in ("TAKE", "TAKE_SEEN"):
            self._taken = seat
            seen = _cards(word.split()[-1]) if word.type == "TAKE_SEEN" else None
            self.steps.append(PickUp(seat, seen))
        elif word.type == "CARDS":
            self._put_away(seat)
            self.steps.append(Discard(seat, discard(_cards(word))))
        elif word.type == "DECLARATION":
            self._declare(seat, word)
        else:
            self.steps.append(_STEPS[word.type](seat, str(word)))

    def _put_away(self, seat: Seat) -> None:
        if seat == self._taken:
            self._taken = WORLD

    def _declare(self, seat: Seat, word: Token) -> None:
        letters, dot, tail = word.partition(".")
        contract, bits = declaration(letters)
        cards = _cards(tail) if dot else ()
        if cards and seat == self._taken:
            self._put_away(seat)
            self.steps.append(Discard(seat, cards[:_AWAY]))
            cards = cards[_AWAY:]
        self.steps.append(Declare(seat, contract, bits, cards or None))


def _cards(text: str) -> tuple[Card, ...]:
    return tuple([BY_NAME[name] for name in text.split(".")]) if text else ()


def _deal(word: Token) -> Deal:
    if word.type != "VIEW":
        return split_deal(_cards(word))
    first, second, third, skat = (_cards(part) for part in word.split("|"))
    return Deal((first, second, third), skat)


def _show(seat: Seat, word: str) -> Step:
    return Show(seat, _cards(word.partition(".")[2]) or None)


_STEPS: dict[str, Callable[[Seat, str], Step]] = {
    "NUMBER": lambda seat, word: Bid(seat, number(word)),
    "NO_NUMBER": lambda seat, word: Bid(seat, NO_NUMBER),
    "HOLD": lambda seat, word: Hold(seat),
    "PASS": lambda seat, word: Pass(seat),
    "CARD": lambda seat, word: Play(seat, BY_NAME[word]),
    "SHOW": _show,
    "RESIGN": lambda seat, word: Resign(seat),
}


# ---------------------------------------------------------------- what is wrong

_BLANKS = " \t\n"
_PIECE = re.compile(r"(?:^|(?<=[.|]))[^.|]*")


def _explain(origin: Origin, at: int) -> Diagnostic:
    """Say what the grammar could not read at an offset, and what it would have read."""
    text = origin.text
    value = text.rfind("[", 0, at) + 1
    if text[:value].endswith(MOVES_PROPERTY + "[") and "]" not in text[value:at]:
        code, start, end, expected = _explain_move(text, value, at)
    else:
        start, end = _word_at(text, at, at)
        code, expected = "N001", _PROPERTY
    place = span_at(text, start, end, origin.line)
    return finding(code, span=place, read=excerpt(text[start:end]), expected=expected)


def _word_at(text: str, at: int, lowest: int) -> tuple[int, int]:
    """Return the offsets of the word around a place: blanks and `]` end it."""
    start = end = at
    while start > lowest and text[start - 1] not in _BLANKS:
        start -= 1
    while end < len(text) and text[end] not in _BLANKS + "]":
        end += 1
    return start, max(end, start + 1)


def _explain_move(text: str, value: int, at: int) -> tuple[str, int, int, str]:
    """Return code, place and expectation for a place among the moves."""
    start, end = _word_at(text, at, value)
    before, word = text[value:start].split(), text[start:end]
    if text[at] == "]":
        lacks = _WORLD_ACTION if text[value:at].split()[-1] == WORLD_WORD else _ACTION
        return "N001", at, at + 1, lacks
    if "[" in word:
        return "N001", start, end, "] before " + word[: word.index("[") + 1]
    if len(before) % 2 == 0:
        return "N009", start, end, _PLAYER
    world = before[-1] == WORLD_WORD
    if not (world and word.startswith((TIMEOUT, LEAVE))):
        for begin, stop in _bad_cards(word, world):
            return "N004", start + begin, start + max(stop, begin + 1), _CARD
        if world and "|" in word:
            return "N001", start, end, _DEAL_PARTS
    if not world:
        return "N009", start, end, _ACTION
    return "N009", start, end, _DEAL if len(before) == 1 else _WORLD_ACTION


def _bad_cards(word: str, world: bool) -> Iterator[tuple[int, int]]:
    """Yield the places in a list of cards that hold none; a player's begins with letters."""
    if "." not in word and "|" not in word:
        return
    for found in _PIECE.finditer(word):
        begin, stop = found.span()
        if found[0] in BY_NAME or (begin == 0 and not world):
            continue
        if found[0] or "." in (word[begin - 1 : begin], word[stop : stop + 1]):
            yield begin, stop
