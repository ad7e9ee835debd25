"""Lines of `.skat` without commas: tags, hands, tricks. The counterpart of `items`.

These lines differ in almost every record, so they are read anew each time, and where
their words stand is only looked up when someone asks.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from skatspec.cards import Card
from skatspec.formats.skat.items import A_CARD, A_SEAT, THE_END, CardWords, Problem, bad_escape
from skatspec.formats.skat.words import (
    HANDS,
    NO_CARDS,
    QUOTED,
    SEATS,
    comment_texts,
    unescape,
)
from skatspec.record import Step

SITTING_OUT = "D"
_TAG = re.compile(rf"[ \t]*\[[ \t]*([A-Za-z][A-Za-z0-9_.-]*)[ \t]+({QUOTED})[ \t]*\]")
_OPEN = re.compile(r"[ \t]*(\[?)[ \t]*([A-Za-z][A-Za-z0-9_.-]*)?([ \t]*)")
_LOOSE_QUOTED = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"')
_WORD = re.compile(r"\S+")
_TURN = re.compile(r"(?:([FMR]):\s*)?([^\s:,#\"]+)")
_TRICK_HEAD = re.compile(r"[ \t]*([0-9]{1,6})\.(\.\.)?[ \t]+(?=[FMR]:)")


class Tags(NamedTuple):
    """The tags of a line, and the comments behind them."""

    tags: list[tuple[str, str]]
    comments: tuple[str, ...]


class Hand(NamedTuple):
    """A hand's letter or `skat`, its cards, and the comments behind them."""

    name: str
    cards: tuple[Card, ...]
    comments: tuple[str, ...]


class Trick(NamedTuple):
    """A trick's number, whether the line goes on with it, its steps, the comments behind."""

    number: int
    goes_on: bool
    steps: tuple[Step, ...]
    comments: tuple[str, ...]


def tags(line: str) -> Tags | Problem:
    """Read a line of tags: `[Table "7"] [Deal "12"]`."""
    found: list[tuple[str, str]] = []
    position = 0
    while match := _TAG.match(line, position):
        name, quoted = match.groups()
        value = quoted[1:-1]
        if "\\" in value:
            read = unescape(value)
            if read is None:
                start, end = match.span(2)
                return Problem("N008", start, end, "characters that exist", (("what", name),))
            value = read
        found.append((name, value))
        position = match.end()
    comments: tuple[str, ...] = ()
    rest = line[position:].strip(" \t\n")
    if rest[:1] == "#":
        comments = comment_texts(rest)
    elif rest or not found:
        return _bad_tag(line, position)
    return Tags(found, comments)


def tag_spans(line: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where the tags of a line stand, and where their values do."""
    spans: list[tuple[tuple[int, int], tuple[int, int]]] = []
    position = 0
    while match := _TAG.match(line, position):
        position = match.end()
        begin = position - len(match.group().lstrip(" \t"))
        spans.append(((begin, position), match.span(2)))
    return spans


def _bad_tag(line: str, position: int) -> Problem:
    """Say what is wrong with the tag that should begin at `position`."""
    match = _OPEN.match(line, position)
    assert match is not None
    at, wanted = match.end(), ""
    quoted = _LOOSE_QUOTED.match(line, at)
    if not match[1]:
        at, wanted = match.start(1), 'a tag `[Name "value"]`'
    elif not match[2]:
        at, wanted = match.end(1), "the name of the tag"
    elif quoted is None:
        wanted = "a closing quote" if line[at : at + 1] == '"' else f'"value" of {match[2]}'
    elif not match[3]:
        wanted = "a blank before the value"
    elif re.fullmatch(QUOTED, quoted.group()) is None:
        return bad_escape(quoted.group(), at)
    else:
        at, wanted = quoted.end(), "] at the end of the tag"
    return Problem("N001", at, max(at + 1, len(line.rstrip())), wanted)


def hand(line: str, words: CardWords) -> Hand | Problem:
    """Read the cards of a seat, or the skat: `F: CJ SJ ...`."""
    head, _, rest = line.partition(":")
    name = head.strip()
    comments: tuple[str, ...] = ()
    if "#" in rest:
        comments, rest = _comments(rest)
    found = rest.split()
    cards = tuple([words.get(word) for word in found])
    if None in cards:
        if found == [NO_CARDS]:
            return Hand(name, (), comments)
        start, end = card_spans(line)[cards.index(None)]
        return _no_card(line, start, end)
    return Hand(name, cards, comments)  # type: ignore[arg-type]


def _comments(rest: str) -> tuple[tuple[str, ...], str]:
    at = rest.index("#")
    return comment_texts(rest[at:].rstrip("\n")), rest[:at]


def _no_card(line: str, start: int, end: int) -> Problem:
    """Say that a word is no card, or that a mark stands where only cards may stand."""
    for number, char in enumerate(line[start:end]):
        if char in ',:"':
            return Problem("N001", start + number, start + number + 1, f"{A_CARD}, or {THE_END}")
    return Problem("N004", start, end, A_CARD)


def card_spans(line: str) -> list[tuple[int, int]]:
    """Return where the cards of a hand's line stand."""
    start = line.index(":") + 1
    stop = line.find("#", start)
    found = _WORD.finditer(line, start, len(line) if stop < 0 else stop)
    return [match.span() for match in found]


def trick(line: str, plays: Sequence[Mapping[str, Step]]) -> Trick | Problem:
    """Read a trick, or the rest of one: `1. F: HA H9 H7`, `1... M: H9 R: H7`.

    `plays` has for each seat every spelling of a card with its step.
    """
    head, _, rest = line.partition(":")
    comments: tuple[str, ...] = ()
    if "#" in rest:
        comments, rest = _comments(rest)
    if ":" in rest:
        return _seated_trick(line, plays, comments)
    try:
        number, letter = head.split()
        seat = SEATS[letter]
        steps = []
        for word in rest.split():
            steps.append(plays[seat][word])
            seat = (seat + 1) % 3
    except (ValueError, KeyError):
        return bad_trick(line, plays[0])
    goes_on = number[-2] == "."
    return Trick(int(number.rstrip(".")), goes_on, tuple(steps), comments)


def _seated_trick(
    line: str, plays: Sequence[Mapping[str, Step]], comments: tuple[str, ...]
) -> Trick | Problem:
    """Read a trick in which a card names its seat."""
    head = _TRICK_HEAD.match(line)
    if head is None:
        return bad_trick(line, plays[0])
    steps: list[Step] = []
    seat = 0
    for letter, start, end in turns(line):
        seat = SEATS[letter] if letter else seat
        step = plays[seat].get(line[start:end])
        if step is None:
            return bad_trick(line, plays[0])
        steps.append(step)
        seat = (seat + 1) % 3
    return Trick(int(head[1]), head[2] is not None, tuple(steps), comments)


def turns(line: str) -> list[tuple[str | None, int, int]]:
    """Return the cards of a trick line: the seat where it is named, and the offsets."""
    head = _TRICK_HEAD.match(line)
    start = head.end() if head else 0
    stop = line.find("#", start)
    found = _TURN.finditer(line, start, len(line) if stop < 0 else stop)
    return [(match[1], *match.span(2)) for match in found]


def bad_trick(line: str, words: Container[str]) -> Problem:
    """Say what is wrong with a trick line; `words` has every spelling of a card."""
    bare = line.rstrip()
    begin = len(line) - len(line.lstrip())
    head = _TRICK_HEAD.match(line)
    if head is None:
        number = re.match(r"[ \t]*[0-9]{1,6}\.(?:\.\.)?([ \t]*)", line)
        if number is None:
            return Problem("N001", begin, len(bare), "a trick line `1. F: HA H9 H7`")
        wanted = f"{A_SEAT} and a colon, who leads" if number[1] else "a blank behind the number"
        return Problem("N001", number.end(), max(number.end() + 1, len(bare)), wanted)
    position, count = head.end(), 0
    while match := _TURN.match(line, position):
        if count == 3:
            return Problem("N001", match.start(2), len(bare), "at most three cards a trick")
        if line.startswith(":", match.end()):
            return Problem("N001", match.start(2), match.end() + 1, f"behind the colon {A_CARD}")
        if match[2] not in words:
            return Problem("N004", *match.span(2), A_CARD)
        count += 1
        position = len(line) - len(line[match.end() :].lstrip())
    return Problem("N001", position, max(len(bare), position + 1), A_CARD)


HAND_WORDS = (*HANDS, SITTING_OUT)
