"""A settlement as a table: one line an item, what it adds, and its rule."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from skatspec.cli.terminal import Paint, clean
from skatspec.engine.settlement import Settlement
from skatspec.rules import Rules
from skatspec.settling_answer import Item, items

_INDENT = "  "
_GAP = "   "
_NARROWEST_RULE = 24
_WIDEST_TEXT = 40


def items_of(one: Settlement, rules: Rules) -> list[Item]:
    """Return a settlement's lines with their rules cited."""
    return list(items(one.lines, rules))


def item_lines(items: Sequence[Item], paint: Paint) -> Iterator[str]:
    """Yield the table; what does not fit beside the rest goes on below it."""
    texts = [textwrap.wrap(clean(item.text), _WIDEST_TEXT) or [""] for item in items]
    added = [f"{item.multiple:+d}" if item.multiple else "" for item in items]
    widest = max((len(text) for lines in texts for text in lines), default=0)
    figures = max((len(text) for text in added), default=0)
    left = len(_INDENT) + widest + len(_GAP) + figures + len(_GAP)
    room = paint.width - left
    for item, (text, *more), figure in zip(items, texts, added, strict=True):
        head = f"{_INDENT}{text:<{widest}}{_GAP}{figure:>{figures}}{_GAP}"
        rule = clean(item.rule)
        first, *others = textwrap.wrap(rule, room) if rule and room >= _NARROWEST_RULE else [""]
        yield (head + paint.dim(first)).rstrip() if first else head.rstrip()
        for text, beside in zip_longest(more, others, fillvalue=""):
            line = f"{_INDENT * 2}{text}"
            yield f"{line:<{left}}{paint.dim(beside)}" if beside else line
        if rule and not first:
            yield paint.dim(paint.wrap(rule, _INDENT * 3))


def other_games(alternatives: Sequence[tuple[str, int, int]]) -> str:
    """Return what else a Null below its bid may be charged as, in words."""
    others = ", ".join(f"{name} {value} ({score:+d})" for name, value, score in alternatives)
    return f"the declarer may name another game that covers the bid: {others}"
