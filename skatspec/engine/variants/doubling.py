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
    if not game.doubles and not game.tables.variants.bock.played:
        return tuple(settlements)
    factors = bock_factors(game)
    return tuple(
        times(game.tables, one, game.doubles, factor > 1)
        for one in settlements
        for factor in factors
    )


def times(tables: Tables, one: Settlement, calls: int, bock: bool) -> Settlement:
    """Return a settlement with the factors of so many calls, and of a Bock round."""
    variants = tables.variants
    factors = [(variants.kontra.factor, "kontra", word.capitalize()) for word in DOUBLES[:calls]]
    march = one.scores is not None and one.won
    if bock and not (march and variants.ramsch.march_factors == "ignored"):
        factors.append((variants.bock.factor, "bock-round", "Bock round"))
    lines, score, scores = list(one.lines), one.score, one.scores
    for factor, topic, word in factors:
        if scores is None:
            score *= factor
            lines.append(Line(topic, f"{word}, times {factor}: {score:+d}", value=score))
        else:
            scores = (scores[0] * factor, scores[1] * factor, scores[2] * factor)
            each = " ".join(f"{score:+g}" if score else "0" for score in scores)
            lines.append(Line(topic, f"{word}, times {factor}: {each}"))
    return replace(one, lines=tuple(lines), score=score, scores=scores)
