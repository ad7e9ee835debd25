"""Where the steps and parts of a record stand in its text; asked only when a finding needs it."""

from __future__ import annotations

from functools import lru_cache

from skatspec.formats.skat import asides, faults, items, results, rows
from skatspec.formats.skat.items import Steps
from skatspec.formats.skat.syntax import syntax
from skatspec.formats.skat.words import HANDS
from skatspec.record import Places

_REMEMBERED = 8


def locate(text: str) -> Places:
    """Return the places of a record's steps and named parts (see `Places`)."""
    return _locate(text)


@lru_cache(_REMEMBERED)
def _locate(text: str) -> Places:
    steps: list[tuple[int, int]] = []
    parts: dict[str, tuple[int, int]] = {}
    for kind, line, start in syntax().rows(text):
        if kind == "TRICK":
            steps += [(start + at, start + end) for _, at, end in rows.turns(line)]
        elif kind in ("CALLS", "ACTS", "ASIDE"):
            steps += [(start + at, start + end) for at, end in _spans(kind, line)]
        elif kind == "TAGS":
            _add_tags(parts, line, start)
        elif kind == "HAND":
            _add_hand(parts, line, start)
        elif kind == "OUTCOME":
            _add_outcome(parts, line, start)
        elif kind == "DEAL":
            parts["deal"] = _word(line, start)
    return Places(tuple(steps), parts)


def _word(line: str, start: int) -> tuple[int, int]:
    """Return where the words of a line stand, its comment left out."""
    words = line.partition("#")[0]
    return start + len(words) - len(words.lstrip()), start + len(words.rstrip())


def _spans(kind: str, line: str) -> tuple[tuple[int, int], ...]:
    said: object
    if kind == "CALLS":
        said = items.calls(line)
    elif kind == "ACTS":
        said = items.acts(line, faults.ANY_CARD, "any")
    else:
        said = asides.aside(line, faults.ANY_CARD)
    return said.spans if isinstance(said, Steps) else ()


def _add_tags(parts: dict[str, tuple[int, int]], line: str, start: int) -> None:
    said = rows.tags(line)
    if isinstance(said, rows.Tags):
        for (name, _), ((at, end), _) in zip(said.tags, rows.tag_spans(line), strict=True):
            parts.setdefault(f"tag/{name}", (start + at, start + end))


def _add_hand(parts: dict[str, tuple[int, int]], line: str, start: int) -> None:
    name = line.partition(":")[0].strip()
    number = HANDS.get(name, HANDS.get(name.lower()))
    if number is None:
        return
    parts[f"deal/{number}"] = _word(line, start)
    for card, (at, end) in enumerate(rows.card_spans(line)):
        parts[f"deal/{number}/{card}"] = (start + at, start + end)


def _add_outcome(parts: dict[str, tuple[int, int]], line: str, start: int) -> None:
    said = results.outcome(line)
    if isinstance(said, results.Fields):
        parts.setdefault("result", _word(line, start))
        for name, _, at, end in said.fields:
            parts.setdefault(f"result/{name}", (start + at, start + end))
