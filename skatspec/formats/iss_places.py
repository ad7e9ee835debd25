"""Where the parts of an ISS record stand in its text, found again when a finding asks.

This is not a reader: it takes text that was read already, asks for brackets and
blanks only, and never fails. Its places of steps are in the order of the record's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

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

_PROPERTY = re.compile(r"([A-Z][A-Z0-9]*)\[([^\]]*)\]")
_WORD = re.compile(r"[^ \t\n]+")
_PIECE = re.compile(r"[^.|]+|\|")


# all findings of a record ask one after the other
@lru_cache(1)
def locate(text: str) -> Places:
    """Return the places of steps and parts of an ISS record; offsets into `text`."""
    parts: dict[str, Place] = {}
    steps: tuple[Place, ...] | None = None
    for found in _PROPERTY.finditer(text):
        name = found[1]
        if name == MOVES_PROPERTY:
            if steps is None:
                steps = tuple(_moves(list(_words(text, *found.span(2))), parts))
        elif name == RESULT_PROPERTY:
            if "result" not in parts:
                parts["result"] = found.span()
                _result(list(_words(text, *found.span(2))), parts)
        elif name != GAME_PROPERTY:
            tag = BY_PROPERTY[name].tag if name in BY_PROPERTY else FOREIGN + name
            parts.setdefault(f"tag/{tag}", found.span())
    return Places(steps or (), parts)


def _words(text: str, start: int, end: int) -> Iterator[Word]:
    for found in _WORD.finditer(text, start, end):
        yield found[0], found.start(), found.end()


def _moves(words: list[Word], parts: dict[str, Place]) -> Iterator[Place]:
    """Yield one place a step; the deal goes to `parts`."""
    position, taken = 0, ""
    while position + 1 < len(words):
        (player, start, _), (action, begin, end) = words[position : position + 2]
        position += 2
        if player == WORLD_WORD and not action.startswith((TIMEOUT, LEAVE)):
            if position == 2:
                _deal(action, begin, parts)
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


def _deal(action: str, begin: int, parts: dict[str, Place]) -> None:
    parts["deal"] = begin, begin + len(action)
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


def _result(words: list[Word], parts: dict[str, Place]) -> None:
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
