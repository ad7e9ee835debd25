"""Where the parts of a JSON record stand in its text, found again when a finding asks.

A tokenizer with a stack of its own, so that depth costs no recursion; it takes any
text and never fails. Paths go as deep as a record does.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from skatspec.record import SEAT_NAMES, Places

Key = str | int
Path = tuple[Key, ...]
Place = tuple[int, int]

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\],:]|[^\s{}\[\],:"]+')
_DEEPEST = 5
# The parts of a deal, in the order of the record.
HANDS = (*SEAT_NAMES, "skat", "pack")


@dataclass(slots=True)
class Index:
    """The places of a document by path, and the first key that stands twice, if one does."""

    places: dict[Path, Place] = field(default_factory=dict)
    repeated: tuple[Path, Place] | None = None


@dataclass(slots=True)
class _Level:
    """An open array or object: where it began, and the key its next value stands at."""

    start: int
    key: Key | None
    keys: set[str] = field(default_factory=set)


def index(text: str) -> Index:
    """Return the places of all values of a JSON text down to a record's depth."""
    result = Index()
    stack: list[_Level] = []
    for found in _TOKEN.finditer(text):
        token, place = found[0], found.span()
        if token in ("{", "["):
            stack.append(_Level(place[0], 0 if token == "[" else None))
        elif token in ("}", "]"):
            if stack:
                start = stack.pop().start
                _note(result, stack, (start, place[1]))
        elif token == ",":
            _next(stack)
        elif token == ":":
            pass
        elif stack and stack[-1].key is None:
            _key(result, stack, token, place)
        else:
            _note(result, stack, place)
    return result


def _path(stack: list[_Level]) -> Path:
    return tuple(["" if level.key is None else level.key for level in stack])


def _note(result: Index, stack: list[_Level], place: Place) -> None:
    if len(stack) <= _DEEPEST:
        result.places.setdefault(_path(stack), place)


def _next(stack: list[_Level]) -> None:
    if stack:
        level = stack[-1]
        level.key = level.key + 1 if isinstance(level.key, int) else None


def _key(result: Index, stack: list[_Level], token: str, place: Place) -> None:
    level = stack[-1]
    name = text_of(token)
    level.key = name
    if name in level.keys and result.repeated is None and len(stack) <= _DEEPEST:
        result.repeated = _path(stack), place
    level.keys.add(name)


def text_of(token: str) -> str:
    """Return the text that a JSON string stands for; what is none stands for itself."""
    try:
        value = json.loads(token, strict=False)
    except ValueError:
        return token
    return value if isinstance(value, str) else token


def locate(text: str) -> Places:
    """Return the places of steps and parts of a JSON record; offsets into `text`."""
    parts: dict[str, Place] = {}
    steps: list[Place] = []
    places = index(text).places
    for path, place in places.items():
        match path:
            case ("tags", int()) if (*path, 0) in places:
                start, end = places[*path, 0]
                parts.setdefault(f"tag/{text_of(text[start:end])}", place)
            case ("deal" | "result",):
                parts[str(path[0])] = place
            case ("deal", str(hand)) if hand in HANDS:
                parts[f"deal/{HANDS.index(hand)}"] = place
            case ("deal", str(hand), int(card)) if hand in HANDS:
                parts[f"deal/{HANDS.index(hand)}/{card}"] = place
            case ("result", str(name)):
                parts[f"result/{name}"] = place
            case ("steps", int()):
                steps.append(place)
    return Places(tuple(steps), parts)
