"""What one line of `.skat` says: calls, acts, tricks, hands, tags, results - or what is wrong.

Each reader takes a whole line with its line end and returns values with offsets into that
line, or a `Problem`. It accepts what the grammar's terminal of that kind accepts, and for a
line that fits no terminal it finds the place. Nothing here knows what came before the line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from skatspec.cards import Card
from skatspec.formats.skat.words import (
    CALLS,
    CONTRACTS,
    DEEDS,
    NO_BID,
    NO_CARDS,
    OLD_CONTRACTS,
    SEATS,
    comment_texts,
    unescape,
)
from skatspec.record import (
    MODIFIERS,
    NO_NUMBER,
    SCHNEIDER,
    SCHWARZ,
    WORLD,
    Bid,
    Claim,
    Declare,
    Discard,
    PickUp,
    Play,
    Ruling,
    Show,
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
A_CALL = "a bid such as 18, `yes` or `pass`"
AN_ACT = "`takes the skat`, `discards S7 D9`, or a game such as `hearts` or `grand hand`"
A_RULING = '`ruling "its source" won` or `lost`, then levels, then perhaps `without skat`'
A_DEED = (
    "`shows`, `resigns`, `agrees`, `claims`, `revokes`, `timed out`, `left`, or a step out of its "
    "place such as `bids 18`"
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
    if len(words) > 2:
        return Problem("N001", words[2].start, words[-1].end, A_COMMA)
    word = words[1]
    kind = CALLS.get(word.text.lower())
    if kind is not None:
        return kind(seat)
    return _bid(seat, word) or Problem("N009", word.start, word.end, A_CALL)


def _bid(seat: int, word: Word) -> Step | None:
    """Return the bid of a figure, of `NO_NUMBER` where it is no sensible whole number."""
    if _WHOLE_BID.fullmatch(word.text):
        return Bid(seat, int(word.text))
    if word.text == NO_BID or _BID.match(word.text):
        return Bid(seat, NO_NUMBER)
    return None


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
    if seat is None:
        return Problem("N001", head.start, head.end, A_SEAT)
    if not first:
        return Problem("N001", head.start, head.end, f"behind the seat {AN_ACT}")
    steps: list[Step] = []
    spans: list[tuple[int, int]] = []
    notes: list[Problem] = []
    for clause in (tuple(first), *parts.clauses[1:]):
        step = _act(seat, clause, words, notes)
        if isinstance(step, Problem):
            return step
        steps.append(step)
        spans.append((clause[0].start, clause[-1].end))
    return Steps(tuple(steps), tuple(spans), tuple(notes), parts.comments)


def _act(
    seat: int, clause: Sequence[Word], words: CardWords, notes: list[Problem]
) -> Step | Problem:
    first = clause[0].text.lower()
    if first == "takes":
        if [word.text.lower() for word in clause[1:3]] != ["the", "skat"]:
            return Problem("N001", clause[0].start, clause[-1].end, "`takes the skat`")
        cards = _cards(clause[3:], words)
        if isinstance(cards, Problem):
            return cards
        return PickUp(seat, cards if len(clause) > 3 else None)
    if first == "discards":
        cards = _cards(clause[1:], words)
        return cards if isinstance(cards, Problem) else Discard(seat, cards)
    return _game(seat, clause, words, notes, AN_ACT)


def _game(
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
            shown = _cards(clause[number + 1 :], words)
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
        name = unescape(word.text[1:-1])
        if name is None or _BAD_ESCAPE.search(word.text):
            return bad_escape(word.text, word.start)
        return name, 0
    text = word.text.lower()
    if text in CONTRACTS:
        return text, 0
    if text in OLD_CONTRACTS:
        name, modifier = OLD_CONTRACTS[text]
        meant = f"{name} {modifier}".rstrip()
        notes.append(Problem("N015", word.start, word.end, meant, (("as_", meant),)))
        return name, MODIFIERS.get(modifier, 0)
    return Problem("N009", word.start, word.end, expected)


def bad_escape(quoted: str, start: int) -> Problem:
    """Return the problem of a quoted text with an escape that is none."""
    found = _BAD_ESCAPE.search(quoted)
    at = start + (found.start(1) if found else 0)
    end = at + 2 if found else start + len(quoted)
    return Problem("N001", at, end, 'an escape: \\" \\\\ \\n \\r \\t or \\u{...}')


def _cards(words: Sequence[Word], known: CardWords) -> tuple[Card, ...] | Problem:
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


def aside(line: str, words: CardWords) -> Steps | Problem:
    """Read an irregular step, `! F shows`, or any step that stands out of its place."""
    start = line.index("!") + 1
    parts = cut(line, start)
    if isinstance(parts, Problem):
        return parts
    clause = parts.clauses[0]
    if len(parts.clauses) > 1:
        late = parts.clauses[1][0]
        return Problem("N001", late.start, late.end, "one step a line")
    if clause[0].text.lower() == "ruling":
        ruled = _ruling(clause)
        if isinstance(ruled, Problem):
            return ruled
        return Steps((ruled,), ((start - 1, parts.end),), (), parts.comments)
    seat = SEATS.get(clause[0].text)
    if seat is None:
        return Problem("N001", clause[0].start, clause[0].end, A_SEAT)
    if len(clause) == 1:
        return Problem("N001", clause[0].start, clause[0].end, f"behind the seat {A_DEED}")
    notes: list[Problem] = []
    step = _deed(seat, clause[1:], words, notes)
    if isinstance(step, Problem):
        return step
    return Steps((step,), ((start - 1, parts.end),), tuple(notes), parts.comments)


def _ruling(clause: Sequence[Word]) -> Step | Problem:
    """Read `ruling "source" won schneider without skat`."""
    if len(clause) < 3 or clause[1].text[0] != '"':
        return Problem("N001", clause[0].start, clause[-1].end, A_RULING)
    source, outcome = unescape(clause[1].text[1:-1]), clause[2].text.lower()
    if source is None or _BAD_ESCAPE.search(clause[1].text):
        return bad_escape(clause[1].text, clause[1].start)
    if outcome not in ("won", "lost"):
        return Problem("N001", clause[2].start, clause[2].end, "won or lost")
    rest = list(clause[3:])
    without = [word.text.lower() for word in rest[-2:]] == ["without", "skat"]
    levels = _levels(rest[:-2] if without else rest)
    if isinstance(levels, Problem):
        return levels
    return Ruling(WORLD, outcome == "won", source, levels, not without)


def _claim(seat: int, words: Sequence[Word]) -> Step | Problem:
    levels = _levels(words)
    return levels if isinstance(levels, Problem) else Claim(seat, levels)


def _levels(levels: Sequence[Word]) -> int | Problem:
    """Read the levels that are claimed or awarded."""
    bits = 0
    for word in levels:
        bit = MODIFIERS.get(word.text.lower(), 0) & (SCHNEIDER | SCHWARZ)
        if not bit:
            return Problem("N009", word.start, word.end, "schneider, schwarz, or " + THE_END)
        if bits & bit:
            return Problem("N010", word.start, word.end, "", (("what", word.text.lower()),))
        bits |= bit
    return bits


def _deed(
    seat: int, clause: Sequence[Word], words: CardWords, notes: list[Problem]
) -> Step | Problem:
    plain = DEEDS.get(" ".join(word.text.lower() for word in clause))
    if plain is not None:
        return plain(seat)
    verb, *rest = clause
    text = verb.text.lower()
    if text in ("takes", "discards"):
        return _act(seat, clause, words, notes)
    if text == "shows":
        cards = _cards(rest, words)
        return cards if isinstance(cards, Problem) else Show(seat, cards if rest else None)
    if text == "claims":
        return _claim(seat, rest)
    if text not in ("bids", "declares", "plays"):
        return Problem("N009", verb.start, clause[-1].end, A_DEED)
    if not rest:
        wanted = {"bids": "a bid such as 18", "declares": A_GAME, "plays": A_CARD}[text]
        return Problem("N001", verb.start, verb.end, f"behind `{text}` {wanted}")
    if text == "declares":
        return _game(seat, rest, words, notes, A_GAME)
    if len(rest) > 1:
        return Problem("N001", rest[1].start, rest[-1].end, THE_END)
    if text == "bids":
        return _bid(seat, rest[0]) or Problem("N009", rest[0].start, rest[0].end, A_CALL)
    card = words.get(rest[0].text)
    if card is None:
        return Problem("N004", rest[0].start, rest[0].end, A_CARD)
    return Play(seat, card)
