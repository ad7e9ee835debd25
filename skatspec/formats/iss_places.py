"""Where the parts of an ISS record stand in its text, found again when a finding asks.

This is not a reader: it takes text that was read already, asks for brackets and
blanks only, and never fails. Its places of steps are in the order of the record's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import overload

from skatspec.cards import BY_NAME
from skatspec.formats.iss_words import (
    BY_KEY,
    BY_PROPERTY,
    FOREIGN,
    GAME_PROPERTY,
    HAND_SIZE,
    LEAVE,
    MOVES_PROPERTY,
    OUTCOMES,
    OVERBID,
    PENALIZED,
    RESULT_PROPERTY,
    SEATS,
    SHOW,
    TAKE,
    TIMEOUT,
    WORLD_WORD,
)
from skatspec.record import Places

Place = tuple[int, int]
Word = tuple[str, int, int]

_CARD_LENGTH = 2
_PROPERTY = re.compile(r"([A-Z][A-Z0-9]*)\[([^\]]*)\]")
_WORD = re.compile(r"[^ \t\n]+")
_PIECE = re.compile(r"[^.|]+|\|")


# all findings of a record ask one after the other
@lru_cache(1)
def locate(text: str) -> Places:
    """Return the places of steps and parts of an ISS record; offsets into `text`.

    Each is only looked for when it is asked for: a record with a finding has one, as a rule.
    """
    properties: dict[str, Place] = {}
    values: dict[str, Place] = {}
    for found in _PROPERTY.finditer(text):
        properties.setdefault(found[1], found.span())
        values.setdefault(found[1], found.span(2))
    moves = _Moves(text, values.get(MOVES_PROPERTY, (0, 0)))
    return Places(moves, _Parts(text, properties, values, moves))


class _Moves(Sequence[Place]):
    """The places of the steps; `deal` is that of the deal's cards, None where there is none."""

    def __init__(self, text: str, span: Place) -> None:
        self._text, self._span = text, span
        self._found: list[Place] | None = None
        self._deal: Place | None = None

    @overload
    def __getitem__(self, at: int) -> Place: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Place]: ...
    def __getitem__(self, at: int | slice) -> Place | Sequence[Place]:
        return self._all()[at]

    def __len__(self) -> int:
        return len(self._all())

    @property
    def deal(self) -> Place | None:
        """Return where the dealt cards stand."""
        self._all()
        return self._deal

    def _all(self) -> list[Place]:
        if self._found is None:
            words = _words(self._text, *self._span)
            if len(words) > 1 and words[0][0] == WORLD_WORD:
                action, begin, end = words[1]
                if not action.startswith((TIMEOUT, LEAVE)):
                    self._deal = begin, end
            self._found = list(_moves(words))
        return self._found


class _Parts(Mapping[str, Place]):
    """The places of tags, of the deal with its cards, and of the result with its figures."""

    def __init__(
        self, text: str, properties: Mapping[str, Place], values: Mapping[str, Place], moves: _Moves
    ) -> None:
        self._text, self._properties, self._values = text, properties, values
        self._moves = moves
        self._groups: dict[str, Mapping[str, Place]] = {}

    def __getitem__(self, name: str) -> Place:
        return self._group(name.partition("/")[0])[name]

    def __iter__(self) -> Iterator[str]:
        for name in ("tag", "deal", "result"):
            yield from self._group(name)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _group(self, name: str) -> Mapping[str, Place]:
        if name not in self._groups:
            self._groups[name] = dict(self._made(name))
        return self._groups[name]

    def _made(self, group: str) -> Mapping[str, Place]:
        if group == "deal":
            return _deal(self._text, self._moves.deal)
        if group == "result" and RESULT_PROPERTY in self._properties:
            words = _words(self._text, *self._values[RESULT_PROPERTY])
            return _result(words, self._properties[RESULT_PROPERTY])
        if group == "tag":
            return _tags(self._properties)
        return {}


def _tags(properties: Mapping[str, Place]) -> Mapping[str, Place]:
    tags: dict[str, Place] = {}
    for name, place in properties.items():
        if name not in (MOVES_PROPERTY, RESULT_PROPERTY, GAME_PROPERTY):
            tag = BY_PROPERTY[name].tag if name in BY_PROPERTY else FOREIGN + name
            tags.setdefault(f"tag/{tag}", place)
    return tags


def _words(text: str, start: int, end: int) -> list[Word]:
    inside = text[start:end]
    if "  " in inside or "\n" in inside or "\t" in inside:
        return [(found[0], *found.span()) for found in _WORD.finditer(text, start, end)]
    # single blanks, as servers write: much quicker
    words, at = [], start
    for word in inside.split(" "):
        behind = at + len(word)
        if word:
            words.append((word, at, behind))
        at = behind + 1
    return words


def _moves(words: Sequence[Word]) -> Iterator[Place]:
    """Yield one place a step."""
    position, taken = 0, ""
    while position + 1 < len(words):
        player, start, _ = words[position]
        action, begin, end = words[position + 1]
        position += 2
        if len(action) == _CARD_LENGTH and player != WORLD_WORD:
            yield start, end
            continue
        if player == WORLD_WORD and not action.startswith((TIMEOUT, LEAVE)):
            continue
        if action == TAKE:
            taken = player
            seen = words[position : position + 2]
            if len(seen) == 2 and seen[0][0] == WORLD_WORD and _is_card(seen[1][0]):
                end = seen[1][2]
                position += 2
            yield start, end
            continue
        head = action.find(".")
        if head > 0 and player == taken and not action.startswith(SHOW):
            taken = ""
            if not _is_card(action):
                yield begin + head + 1, begin + _after_discard(action, head)
                end = begin + head
        yield start, end


def _is_card(action: str) -> bool:
    """Say whether an action is a card or begins with one."""
    return action.partition(".")[0] in BY_NAME


def _after_discard(action: str, head: int) -> int:
    """Return where the second card behind a declaration ends."""
    second = action.find(".", head + 1)
    third = action.find(".", second + 1) if second > 0 else -1
    return third if third > 0 else len(action)


def _deal(text: str, span: Place | None) -> Mapping[str, Place]:
    if span is None:
        return {}
    begin, end = span
    action = text[begin:end]
    parts = {"deal": span}
    in_order = "|" not in action
    hand = card = 0
    for found in _PIECE.finditer(action):
        if found[0] == "|":
            hand, card = hand + 1, 0
            continue
        if in_order and card == HAND_SIZE and hand < len(SEATS):
            hand, card = hand + 1, 0
        place = begin + found.start(), begin + found.end()
        whole = f"deal/{hand}"
        parts[f"{whole}/{card}"] = place
        parts[whole] = parts.get(whole, place)[0], place[1]
        card += 1
    return parts


def _result(words: Iterable[Word], whole: Place) -> Mapping[str, Place]:
    parts = {"result": whole}
    for word, start, end in words:
        key, colon, _ = word.partition(":")
        if colon and key in BY_KEY:
            field = BY_KEY[key].field
        elif word in OUTCOMES:
            field = "won"
        elif word in OVERBID:
            field = "overbid"
        else:
            continue
        first = parts.setdefault(f"result/{field}", (start, end))
        if field == PENALIZED:
            # The three flags are one field of the result.
            parts[f"result/{field}"] = first[0], end
    if "result/won" in parts:
        parts["result/kind"] = parts["result/won"]
    return parts
