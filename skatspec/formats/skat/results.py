"""The result line of `.skat`, `F won 30, points 17, tricks 2, with 2`, both ways.

A figure that can be no figure is a finding and leaves its field open; a figure that is
merely wrong (121 points) is kept, since judging it is not the reader's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from skatspec.formats.skat.items import A_COMMA, Problem, Word, cut
from skatspec.formats.skat.words import COUNTS, EVENTS, FLAGS, KINDS, NO_FIGURE, NOBODY, SEATS
from skatspec.record import PASSED, PENALTY, SEAT_LETTERS, UNKNOWN, WORLD, Result

_FIGURE = re.compile(r"([-+]?)([0-9]{1,6})")
_LIMIT = 10**6
_CACHED_LENGTH = 160
A_CLAUSE = (
    "a result such as `F won 30`, `passed in`, `points 72`, `with 2`, `schneider` or `losers R`"
)
A_NUMBER = "a whole number of at most six digits"
NAMES = {
    "score": "the score", "points": "the card points", "tricks": "the number of tricks",
    "matadors": "the number of matadors", "scores": "the scores of the seats",
    "counted": "the counted card points",
}  # fmt: skip
# Clauses with a figure for each seat.
_EACH = ("scores", "counted")
# Clauses with a seat or nobody behind them.
_WHO = {"declarer": "declarer", "last trick": "last_trick"}


class Fields(NamedTuple):
    """What a result line states: field, value, offsets; findings; the comments behind it."""

    fields: tuple[tuple[str, Any, int, int], ...]
    findings: tuple[Problem, ...]
    comments: tuple[str, ...]


def outcome(line: str) -> Fields | Problem:
    """Read a line of the result."""
    if len(line) <= _CACHED_LENGTH:
        return _cached_outcome(line)
    return _outcome(line)


def _outcome(line: str) -> Fields | Problem:
    parts = cut(line)
    if isinstance(parts, Problem):
        return parts
    fields: list[tuple[str, Any, int, int]] = []
    findings: list[Problem] = []
    for words in parts.clauses:
        stated = _clause(words)
        if isinstance(stated, Problem):
            return stated
        start, end = words[0].start, words[-1].end
        for name, value in stated:
            if any(name == known[0] for known in fields):
                return Problem("N010", start, end, "", (("what", NAMES.get(name, name)),))
            fields.append((name, value, start, end))
            if value is None:
                wrong = words[-1] if name not in _EACH else _not_a_figure(name, words)
                slots = (("what", NAMES[name]),)
                findings.append(Problem("S016", wrong.start, wrong.end, A_NUMBER, slots))
    return Fields(tuple(fields), tuple(findings), parts.comments)


_cached_outcome = lru_cache(4096)(_outcome)


def _clause(words: Sequence[Word]) -> list[tuple[str, Any]] | Problem:
    """Return the fields that one clause states; None marks a figure that is none."""
    text = [word.text.lower() for word in words]
    seat = SEATS.get(words[0].text)
    at = 0 if seat is None else 1
    if len(words) > at and text[at] in ("won", "lost"):
        return _verdict(seat, words[at:])
    if seat is not None:
        return Problem("N001", words[0].end, words[-1].end + 1, "`won` or `lost` behind the seat")
    flag = FLAGS.get(" ".join(text))
    if flag is not None:
        return [flag]
    if text[0] in ("with", "without", "matadors", "score", *COUNTS):
        return _count(text[0], words)
    if text[0] == "penalty":
        return _penalty(words)
    if text[0] in _EACH:
        return _each(text[0], words)
    return _kind_or_event(text, words)


def _verdict(seat: int | None, words: Sequence[Word]) -> list[tuple[str, Any]] | Problem:
    won = words[0].text.lower() == "won"
    if len(words) > 2:
        return Problem("N001", words[2].start, words[-1].end, A_COMMA)
    stated: list[tuple[str, Any]] = [] if seat is None else [("declarer", seat)]
    stated.append(("won", won))
    if len(words) == 2:
        value = figure(words[1].text)
        # A loss is written without a sign: the word says it. A sign is taken as it stands.
        unsigned = words[1].text[0] not in "+-"
        stated.append(("score", -value if value and unsigned and not won else value))
    return stated


def _count(name: str, words: Sequence[Word]) -> list[tuple[str, Any]] | Problem:
    if len(words) == 1:
        return Problem("N001", words[0].start, words[0].end, f"a number behind `{name}`")
    if len(words) > 2:
        return Problem("N001", words[2].start, words[-1].end, A_COMMA)
    value = figure(words[1].text)
    if name in ("with", "without"):
        signed = words[1].text[0] in "+-"
        value = None if signed or value is None else value if name == "with" else -value
        name = "matadors"
    return [(name, value)]


def _each(name: str, words: Sequence[Word]) -> list[tuple[str, Any]] | Problem:
    """Read a figure for each seat."""
    seats = len(SEAT_LETTERS)
    if len(words) <= seats:
        wanted = f"three figures behind `{name}`, of F, M and R"
        return Problem("N001", words[0].start, words[-1].end, wanted)
    if len(words) > seats + 1:
        return Problem("N001", words[seats + 1].start, words[-1].end, A_COMMA)
    if _not_a_figure(name, words) is not words[0]:
        return [(name, None)]
    return [(name, tuple([figure(word.text) for word in words[1:]]))]


def _not_a_figure(name: str, words: Sequence[Word]) -> Word:
    """Return the first word that is no figure, the first of all if there is none."""
    for word in words[1:]:
        unsaid = name == "counted" and word.text == NO_FIGURE
        if figure(word.text) is None and not unsaid:
            return word
    return words[0]


def _penalty(words: Sequence[Word]) -> list[tuple[str, Any]] | Problem:
    stated: list[tuple[str, Any]] = [("kind", PENALTY)]
    if len(words) > 1:
        flags = _flags(words[1:])
        if isinstance(flags, Problem):
            return flags
        stated.append(("penalized", flags))
    return stated


def _kind_or_event(text: Sequence[str], words: Sequence[Word]) -> list[tuple[str, Any]] | Problem:
    said = " ".join(text)
    if said in KINDS:
        return [("kind", KINDS[said])]
    wanted: str = A_CLAUSE
    if text[0] in ("penalized", "losers"):
        flags = _flags(words[1:])
        return flags if isinstance(flags, Problem) else [(text[0], flags)]
    if said == f"{NOBODY} penalized":
        return [("penalized", (False, False, False))]
    for verb, name in (*EVENTS.items(), *_WHO.items()):
        size = len(verb.split())
        if said == f"{NOBODY} {verb}" and name not in _WHO.values():
            return [(name, WORLD)]
        if said.startswith(verb + " ") and len(words) == size + 1:
            who = words[-1].text
            if who in SEATS:
                return [(name, SEATS[who])]
            if name in _WHO.values() and text[-1] == NOBODY:
                return [(name, WORLD)]
            wanted = f"a seat letter F, M or R behind `{verb}`"
    return Problem("N001", words[0].start, words[-1].end, wanted)


def _flags(words: Sequence[Word]) -> tuple[bool, bool, bool] | Problem:
    """Read seats as a flag a seat."""
    seats = [SEATS.get(word.text) for word in words]
    if len(words) == 1 and words[0].text.lower() == NOBODY:
        return (False, False, False)
    if not words or None in seats or len(set(seats)) < len(seats):
        span = (words[0].start, words[-1].end) if words else (0, 1)
        return Problem("N001", *span, "different seat letters F, M, R, or nobody")
    return (0 in seats, 1 in seats, 2 in seats)


def figure(text: str) -> int | None:
    """Return a signed figure of at most six digits, None for anything else."""
    match = _FIGURE.fullmatch(text)
    if match is None:
        return None
    return -int(match[2]) if match[1] == "-" else int(match[2])


def clauses(result: Result) -> tuple[list[str], list[str]]:
    """Return the canonical clauses of a result, and the fields that none can state."""
    lost = [
        name
        for name in ("score", "points", "tricks", "matadors")
        if not _fits(getattr(result, name))
    ]
    lost += [name for name in _EACH if not all(map(_fits, getattr(result, name) or ()))]
    written = list(_written(result, lost))
    return written or ["game"], lost


def _fits(value: int | None) -> bool:
    return value is None or -_LIMIT < value < _LIMIT


def _written(result: Result, lost: Sequence[str]) -> Iterator[str]:
    said_penalized = False
    if result.kind == PASSED:
        yield "passed in"
    elif result.kind == UNKNOWN:
        yield "unknown"
    elif result.kind == PENALTY:
        said_penalized = result.penalized is not None
        yield " ".join(["penalty", *_seats(result.penalized)])
    yield from _written_verdict(result, None if "score" in lost else result.score)
    if result.losers is not None:
        yield " ".join(["losers", *_seats(result.losers)])
    for name in _EACH:
        each = getattr(result, name)
        if each is not None and name not in lost:
            yield " ".join([name, *(NO_FIGURE if one is None else str(one) for one in each)])
    for name in COUNTS:
        value = getattr(result, name)
        if value is not None and name not in lost:
            yield f"{name} {value}"
    if result.matadors is not None and "matadors" not in lost:
        word = "with" if result.matadors > 0 else "without" if result.matadors < 0 else "matadors"
        yield f"{word} {abs(result.matadors)}"
    for words, (name, flag) in FLAGS.items():
        if getattr(result, name) is flag and name != "resigned":
            yield words
    if result.penalized is not None and not said_penalized:
        seats = _seats(result.penalized)
        yield f"{NOBODY} penalized" if seats == [NOBODY] else " ".join(["penalized", *seats])
    for verb, name in EVENTS.items():
        seat = getattr(result, name)
        if seat is not None:
            yield f"{NOBODY} {verb}" if seat == WORLD else f"{verb} {SEAT_LETTERS[seat]}"
    if result.last_trick is not None:
        who = result.last_trick
        yield f"last trick {NOBODY if who == WORLD else SEAT_LETTERS[who]}"
    if result.resigned is not None:
        yield "resigned" if result.resigned else "not resigned"


def _seats(flags: tuple[bool, bool, bool] | None) -> list[str]:
    if flags is None:
        return []
    return [letter for letter, flag in zip(SEAT_LETTERS, flags, strict=True) if flag] or [NOBODY]


def _written_verdict(result: Result, score: int | None) -> Iterator[str]:
    """Yield who declared, won or lost, and the score."""
    who, won = result.declarer, result.won
    prefix = ""
    if who is not None and (who == WORLD or won is None):
        yield f"declarer {NOBODY if who == WORLD else SEAT_LETTERS[who]}"
    elif who is not None:
        prefix = SEAT_LETTERS[who] + " "
    if won is None:
        if score is not None:
            yield f"score {score}"
        return
    said = "" if score is None else f" {score}"
    if not won and score is not None:
        said = f" {-score}" if score <= 0 else f" +{score}"
    yield f"{prefix}{'won' if won else 'lost'}{said}"
