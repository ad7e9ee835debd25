"""What a line of calls or acts of `.skat` says, or what is wrong with it.

Each reader takes a whole line with its line end and returns values with offsets into that
line, or a `Problem`. It accepts what the grammar's terminal of that kind accepts, and for a
line that fits no terminal it finds the place. Nothing here knows what came before the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from skatspec.cards import Card
from skatspec.formats.skat.words import (
    CALLS,
    CONTRACTS,
    NO_BID,
    NO_CARDS,
    NOBODYS_GAME,
    OLD_CONTRACTS,
    SEATS,
    UNSEEN,
    comment_texts,
    unescape,
)
from skatspec.record import (
    DOUBLES,
    MODIFIERS,
    NO_NUMBER,
    AuctionEnd,
    Bid,
    Declare,
    Discard,
    Double,
    Exchange,
    Knock,
    PickUp,
    Push,
    Step,
)

# Longer lines are read anew each time, so that the memory of read lines stays small.
_CACHED_LENGTH = 160


class CardWords(Protocol):
    """What knows the cards' spellings: an alphabet's dictionary, or a stand-in for it."""

    def get(self, word: str, /) -> Card | None:
        """Return the card that a word names, None where it names none."""


class Problem(NamedTuple):
    """Something wrong in a line: code, offsets, what was expected, slots for the text."""

    code: str
    start: int
    end: int
    expected: str = ""
    slots: tuple[tuple[str, str], ...] = ()

    def moved(self, offset: int) -> Problem:
        """Return the same problem with its offsets counted from further back."""
        return self._replace(start=self.start + offset, end=self.end + offset)


class Steps(NamedTuple):
    """The steps of a line with their offsets, notes about spellings, comments behind it."""

    steps: tuple[Step, ...]
    spans: tuple[tuple[int, int], ...]
    notes: tuple[Problem, ...] = ()
    comments: tuple[str, ...] = ()


class Word(NamedTuple):
    """A word of a line with its offsets."""

    text: str
    start: int
    end: int


class Clauses(NamedTuple):
    """A line cut at its commas into words, and the comments behind it."""

    clauses: tuple[tuple[Word, ...], ...]
    comments: tuple[str, ...]
    end: int


A_CARD = "a card such as CJ, DT or ??"
A_SEAT = "a seat letter F, M or R"
A_BID = "a bid such as 18"
A_CALL = f"{A_BID}, `plays at 24`, `yes` or `pass`"
AN_ACT = (
    "`takes the skat`, `discards S7 D9`, `pushes S7 D9`, `knocks`, `kontra`, "
    "or a game such as `hearts` or `grand hand`"
)
A_GAME = f"one of {', '.join(CONTRACTS)}"
A_MODIFIER = f"one of {', '.join(MODIFIERS)}, or `shows` and cards"
A_COMMA = "a comma or the end of the line"
THE_END = "the end of the line"

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|[^\s,#"]+|,|#[^\n]*|\n|[^ \t]')
_BID = re.compile(r"[-+]?\.?[0-9]")
_WHOLE_BID = re.compile(r"[0-9]{1,4}")
_BAD_ESCAPE = re.compile(r'(?<!\\)(?:\\\\)*(\\(?!["\\nrt]|u\{[0-9A-Fa-f]{1,6}\}))')


def cut(line: str, start: int = 0) -> Clauses | Problem:
    """Cut a line into clauses of words; one comma may end the line."""
    clauses: list[tuple[Word, ...]] = []
    words: list[Word] = []
    comments: tuple[str, ...] = ()
    end, comma = start, -1
    for match in _TOKEN.finditer(line, start):
        text = match.group()
        if text[0] == "#":
            comments = comment_texts(text)
        elif text == ",":
            if not words:
                return Problem("N001", match.start(), match.end(), "something before the comma")
            clauses.append(tuple(words))
            words, comma = [], match.start()
        elif text == '"':
            return Problem("N001", match.start(), len(line.rstrip("\n")), "a closing quote")
        elif text.isspace():
            if text != "\n":
                return Problem("N001", match.start(), match.end(), "an ordinary blank")
        else:
            words.append(Word(text, match.start(), match.end()))
            end = match.end()
    if words:
        clauses.append(tuple(words))
    elif not clauses:
        return Problem("N001", start, max(start + 1, comma), "something on the line")
    return Clauses(tuple(clauses), comments, end)


def calls(line: str) -> Steps | Problem:
    """Read a line of the auction: `M 18, F yes, M pass`."""
    if len(line) <= _CACHED_LENGTH:
        return _cached_calls(line)
    return _calls(line)


def _calls(line: str) -> Steps | Problem:
    parts = cut(line)
    if isinstance(parts, Problem):
        return parts
    steps: list[Step] = []
    for words in parts.clauses:
        call = _call(words)
        if isinstance(call, Problem):
            return call
        steps.append(call)
    spans = tuple((words[0].start, words[-1].end) for words in parts.clauses)
    return Steps(tuple(steps), spans, (), parts.comments)


_cached_calls = lru_cache(4096)(_calls)


def _call(words: Sequence[Word]) -> Step | Problem:
    seat = SEATS.get(words[0].text)
    if seat is None:
        return Problem("N001", words[0].start, words[0].end, A_SEAT)
    if len(words) == 1:
        return Problem("N001", words[0].start, words[0].end, f"behind the seat {A_CALL}")
    word = words[1]
    if word.text.lower() == "plays":
        return auction_end(seat, words[1:], A_COMMA)
    if len(words) > 2:
        return Problem("N001", words[2].start, words[-1].end, A_COMMA)
    kind = CALLS.get(word.text.lower())
    if kind is not None:
        return kind(seat)
    return bid(seat, word)


def auction_end(seat: int, clause: Sequence[Word], end: str) -> Step | Problem:
    """Read `plays at 24`; `end` says what may stand behind it."""
    if len(clause) < 3 or clause[1].text.lower() != "at":
        return Problem("N001", clause[0].start, clause[-1].end, f"`plays at` and {A_BID}")
    if len(clause) > 3:
        return Problem("N001", clause[3].start, clause[-1].end, end)
    value = _value(clause[2])
    if value is None:
        return Problem("N009", clause[2].start, clause[2].end, A_BID)
    return AuctionEnd(seat, value)


def bid(seat: int, word: Word) -> Step | Problem:
    """Read a bid in figures."""
    value = _value(word)
    return Problem("N009", word.start, word.end, A_CALL) if value is None else Bid(seat, value)


def _value(word: Word) -> int | None:
    """Return the value of a figure, `NO_NUMBER` where it is no sensible whole number."""
    if _WHOLE_BID.fullmatch(word.text):
        return int(word.text)
    return NO_NUMBER if word.text == NO_BID or _BID.match(word.text) else None


def acts(line: str, words: CardWords, alphabet: str) -> Steps | Problem:
    """Read a line of the contract: `F takes the skat, discards S7 D9, hearts`.

    `words` must be what `alphabet` names: read lines are remembered by that name.
    """
    if len(line) > _CACHED_LENGTH:
        return _acts(line, words)
    key = (alphabet, line)
    found = _ACTS.get(key)
    if found is None:
        if len(_ACTS) >= _ACTS_LIMIT:
            _ACTS.clear()
        found = _ACTS[key] = _acts(line, words)
    return found


_ACTS: dict[tuple[str, str], Steps | Problem] = {}
_ACTS_LIMIT = 8192


def _acts(line: str, words: CardWords) -> Steps | Problem:
    parts = cut(line)
    if isinstance(parts, Problem):
        return parts
    head, *first = parts.clauses[0]
    seat = SEATS.get(head.text)
    if head.text.lower() == NOBODYS_GAME.contract:
        return _nobodys_game(parts)
    if seat is None:
        return Problem("N001", head.start, head.end, A_SEAT)
    if not first:
        return Problem("N001", head.start, head.end, f"behind the seat {AN_ACT}")
    steps: list[Step] = []
    spans: list[tuple[int, int]] = []
    notes: list[Problem] = []
    for clause in (tuple(first), *parts.clauses[1:]):
        step = act(seat, clause, words, notes)
        if isinstance(step, Problem):
            return step
        steps.append(step)
        spans.append((clause[0].start, clause[-1].end))
    return Steps(tuple(steps), tuple(spans), tuple(notes), parts.comments)


def _nobodys_game(parts: Clauses) -> Steps | Problem:
    """Read the line `ramsch`, which has neither a seat nor anything else."""
    spans = [(word.start, word.end) for clause in parts.clauses for word in clause]
    if len(spans) > 1:
        return Problem("N001", spans[1][0], spans[-1][1], THE_END)
    return Steps((NOBODYS_GAME,), (spans[0],), (), parts.comments)


def act(
    seat: int, clause: Sequence[Word], words: CardWords, notes: list[Problem]
) -> Step | Problem:
    """Read one thing that a player does between the auction and the play."""
    first = clause[0].text.lower()
    read = _WITH_CARDS.get(first)
    if read is not None:
        return read(seat, clause, words)
    if first not in ALONE:
        return game(seat, clause, words, notes, AN_ACT)
    if len(clause) > 1:
        return Problem("N001", clause[1].start, clause[-1].end, A_COMMA)
    return Knock(seat) if first == "knocks" else Double(seat, first)


def _takes(seat: int, clause: Sequence[Word], words: CardWords) -> Step | Problem:
    if [word.text.lower() for word in clause[1:3]] != ["the", "skat"]:
        return Problem("N001", clause[0].start, clause[-1].end, "`takes the skat`")
    cards = card_list(clause[3:], words)
    if isinstance(cards, Problem):
        return cards
    return PickUp(seat, cards if len(clause) > 3 else None)


def _discards(seat: int, clause: Sequence[Word], words: CardWords) -> Step | Problem:
    cards = card_list(clause[1:], words)
    return cards if isinstance(cards, Problem) else Discard(seat, cards)


def _pushes(seat: int, clause: Sequence[Word], words: CardWords) -> Step | Problem:
    if len(clause) == 1:
        wanted = f"behind `pushes` {A_CARD}, or `{UNSEEN}`"
        return Problem("N001", clause[0].start, clause[0].end, wanted)
    if len(clause) == 2 and clause[1].text.lower() == UNSEEN:
        return Push(seat)
    cards = card_list(clause[1:], words)
    return cards if isinstance(cards, Problem) else Push(seat, cards)


def _exchanges(seat: int, clause: Sequence[Word], words: CardWords) -> Step | Problem:
    if len(clause) < 3 or clause[1].text.lower() != "to":
        wanted = "`exchanges to` and the cards, or -"
        return Problem("N001", clause[0].start, clause[-1].end, wanted)
    cards = card_list(clause[2:], words)
    return cards if isinstance(cards, Problem) else Exchange(seat, cards)


_WITH_CARDS: dict[str, Callable[[int, Sequence[Word], CardWords], Step | Problem]] = {
    "takes": _takes, "discards": _discards, "pushes": _pushes, "exchanges": _exchanges,
}  # fmt: skip
ALONE = ("knocks", *DOUBLES)
ACTS = (*_WITH_CARDS, *ALONE)


def game(
    seat: int, clause: Sequence[Word], words: CardWords, notes: list[Problem], expected: str
) -> Step | Problem:
    """Read a declaration: a contract, modifiers, and perhaps the cards laid open."""
    contract = _contract(clause[0], notes, expected)
    if isinstance(contract, Problem):
        return contract
    name, modifiers = contract
    for number, word in enumerate(clause[1:], 1):
        text = word.text.lower()
        if text == "shows":
            if number + 1 == len(clause):
                return Problem("N001", word.start, word.end, f"behind `shows` {A_CARD}, or -")
            shown = card_list(clause[number + 1 :], words)
            return shown if isinstance(shown, Problem) else Declare(seat, name, modifiers, shown)
        bit = MODIFIERS.get(text, 0)
        if not bit:
            return Problem("N009", word.start, word.end, f"{A_MODIFIER}; else {A_COMMA}")
        if modifiers & bit:
            return Problem("N010", word.start, word.end, "", (("what", text),))
        modifiers |= bit
    return Declare(seat, name, modifiers)


def _contract(word: Word, notes: list[Problem], expected: str) -> tuple[str, int] | Problem:
    if word.text[0] == '"':
        name = quoted(word)
        return name if isinstance(name, Problem) else (name, 0)
    text = word.text.lower()
    if text in CONTRACTS:
        return text, 0
    if text in OLD_CONTRACTS:
        name, modifier = OLD_CONTRACTS[text]
        meant = f"{name} {modifier}".rstrip()
        notes.append(Problem("N015", word.start, word.end, meant, (("as_", meant),)))
        return name, MODIFIERS.get(modifier, 0)
    return Problem("N009", word.start, word.end, expected)


def quoted(word: Word) -> str | Problem:
    """Return the text that a word in quotes stands for."""
    text = unescape(word.text[1:-1])
    if text is None or _BAD_ESCAPE.search(word.text):
        return bad_escape(word.text, word.start)
    return text


def bad_escape(text: str, start: int) -> Problem:
    """Return the problem of a text in quotes with an escape that is none."""
    found = _BAD_ESCAPE.search(text)
    at = start + (found.start(1) if found else 0)
    end = at + 2 if found else start + len(text)
    return Problem("N001", at, end, 'an escape: \\" \\\\ \\n \\r \\t or \\u{...}')


def card_list(words: Sequence[Word], known: CardWords) -> tuple[Card, ...] | Problem:
    """Read a list of cards; none at all, or `-`, is the empty list."""
    if len(words) == 1 and words[0].text == NO_CARDS:
        return ()
    cards: list[Card] = []
    for word in words:
        card = known.get(word.text)
        if card is None:
            return Problem("N004", word.start, word.end, A_CARD)
        cards.append(card)
    return tuple(cards)
