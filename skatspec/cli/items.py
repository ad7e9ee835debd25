"""A settlement as a table: one line an item, what it adds, and its rule."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from skatspec.cli.terminal import Paint, clean
from skatspec.engine.settlement import Settlement
from skatspec.rules import Rules
from skatspec.settling_answer import Item, items

_INDENT = "  "
_GAP = "   "
_NARROWEST_RULE = 24


def items_of(one: Settlement, rules: Rules) -> list[Item]:
    """Return a settlement's lines with their rules cited."""
    return list(items(one.lines, rules))


def item_lines(items: Sequence[Item], paint: Paint) -> Iterator[str]:
    """Yield the table; a rule that does not fit beside its line goes below it."""
    texts = [clean(item.text) for item in items]
    added = [f"{item.multiple:+d}" if item.multiple else "" for item in items]
    widest = max((len(text) for text in texts), default=0)
    figures = max((len(text) for text in added), default=0)
    left = len(_INDENT) + widest + len(_GAP) + figures + len(_GAP)
    room = paint.width - left
    for item, text, figure in zip(items, texts, added, strict=True):
        head = f"{_INDENT}{text:<{widest}}{_GAP}{figure:>{figures}}{_GAP}"
        rule = clean(item.rule)
        if not rule:
            yield head.rstrip()
        elif room < _NARROWEST_RULE:
            yield head.rstrip()
            yield paint.dim(paint.wrap(rule, _INDENT * 3))
        else:
            first, *others = textwrap.wrap(rule, room)
            yield head + paint.dim(first)
            yield from (" " * left + paint.dim(other) for other in others)


def other_games(alternatives: Sequence[tuple[str, int, int]]) -> str:
    """Return what else a Null below its bid may be charged as, in words."""
    others = ", ".join(f"{name} {value} ({score:+d})" for name, value, score in alternatives)
    return f"the declarer may name another game that covers the bid: {others}"
