"""What doubles a settled game: Kontra and its answers, then a Bock round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from skatspec.engine.facts import Line, Settlement
from skatspec.engine.state import Game
from skatspec.record import BOCK_ROUND, DOUBLES
from skatspec.rules.tables import Tables


def bock_factors(game: Game) -> tuple[int, ...]:
    """Return what a Bock round can make of the game; both where nothing says which round it is."""
    rules = game.tables.variants.bock
    if not rules.played:
        return (1,)
    if game.round is None:
        return (1, rules.factor)
    return (rules.factor,) if game.round == BOCK_ROUND else (1,)


def doubled(game: Game, settlements: Iterable[Settlement]) -> tuple[Settlement, ...]:
    """Return the settlements with the factors of the calls and of the round."""
    factors = bock_factors(game)
    if not game.doubles and factors == (1,):
        return tuple(settlements)
    return tuple(
        times(game.tables, one, game.doubles, factor > 1)
        for one in settlements
        for factor in factors
    )


def times(tables: Tables, one: Settlement, calls: int, bock: bool) -> Settlement:
    """Return a settlement with the factors of so many calls, and of a Bock round."""
    lines = list(one.lines)
    for at in range(calls):
        one = _times(one, tables.variants.kontra.factor, lines, "kontra", DOUBLES[at].capitalize())
    never = one.scores is not None and one.won and tables.variants.ramsch.march_factors == "ignored"
    if bock and tables.variants.bock.factor > 1 and not never:
        one = _times(one, tables.variants.bock.factor, lines, "bock-round", "Bock round")
    return replace(one, lines=tuple(lines))


def _times(one: Settlement, factor: int, lines: list[Line], topic: str, word: str) -> Settlement:
    score = one.score * factor
    if one.scores is None:
        lines.append(Line(topic, f"{word}, times {factor}: {score:+d}", value=score))
        return replace(one, score=score)
    first, second, third = (figure * factor for figure in one.scores)
    lines.append(Line(topic, f"{word}, times {factor}"))
    return replace(one, scores=(first, second, third))
