"""The score of a declared game, itemised: pure functions over the profile's tables.

`settle` answers for known facts; `settle_all` for facts that a record leaves open, as
the set of different outcomes. Values are game values, points card points, scores the
declarer's ledger points without tournament bonus.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from skatspec.engine.facts import GAME, TRICKS, Facts, Line, Settlement, covers
from skatspec.engine.levels import settle_trump
from skatspec.engine.null import covering_games, open_impossible_null, settle_null
from skatspec.rules.tables import NULL_KIND, Tables

__all__ = [
    "TRICKS", "Facts", "Line", "Settlement", "conceivable", "covering_games", "covers", "distinct",
    "open_impossible_null", "possible_together", "settle", "settle_all", "spread",
]  # fmt: skip


def settle(tables: Tables, facts: Facts) -> Settlement:
    """Return the itemised outcome of a game whose facts are all known.

    Raises UsageError where an impossible Null lacks the declarer's twelve cards.
    """
    if tables.kind[facts.contract] == NULL_KIND:
        return settle_null(tables, facts)
    return settle_trump(tables, facts)


def settle_all(tables: Tables, options: Iterable[Facts]) -> list[Settlement]:
    """Return the different outcomes over several possible facts, cheapest score last."""
    return distinct(settle(tables, facts) for facts in options)


def distinct(outcomes: Iterable[Settlement]) -> list[Settlement]:
    """Return one of each kind of outcome, cheapest score last.

    Levels count, since a record may state them: overbid, two of them can cost the same.
    """
    found: dict[tuple[object, ...], Settlement] = {}
    for one in outcomes:
        found.setdefault((*one.key(), one.missed, one.schneider, one.schwarz), one)
    return sorted(found.values(), key=lambda o: (-o.score, o.value))


def spread(
    tables: Tables,
    facts: Facts,
    *,
    matadors: Iterable[int],
    bids: Iterable[int | None],
    points: Iterable[int],
    tricks: Iterable[int],
) -> list[Facts]:
    """Return one Facts for each way the open figures can matter.

    Points and tricks are first cut down to one of each class that a threshold tells
    apart, so that the product stays small.
    """
    classes: dict[tuple[bool, bool, bool, int], tuple[int, int]] = {}
    for won_points, won_tricks in product(points, tricks):
        if not possible_together(tables, won_points, won_tricks):
            continue
        key = (
            won_points >= tables.win_points,
            won_points <= tables.schneider_points,
            tables.total_points - won_points <= tables.schneider_points,
            min(won_tricks, 1) + (won_tricks == TRICKS),
        )
        classes.setdefault(key, (won_points, won_tricks))
    return [
        replace(facts, matadors=run, bid=bid, points=p, tricks=t)
        for run, bid, (p, t) in product(matadors, bids, classes.values())
    ]


def possible_together(tables: Tables, points: int, tricks: int) -> bool:
    """Say whether a declarer can have these card points with this many tricks, skat included."""
    if tricks == 0 and points > tables.most_aside:
        return False
    return not (tricks == TRICKS and points < tables.total_points)


def conceivable(tables: Tables, score: int) -> bool:
    """Say whether any game of these rules can come to this score."""
    kontra, bock = tables.variants.kontra, tables.variants.bock
    factors = [kontra.factor**calls for calls in range(len(kontra.calls) + 1)]
    factors += [factor * bock.factor for factor in factors if bock.played]
    return any(
        _plainly_conceivable(tables, score // factor) for factor in factors if score % factor == 0
    )


def _plainly_conceivable(tables: Tables, score: int) -> bool:
    if score > 0:
        return score in _values(tables)
    factors = (tables.loss_factor, tables.hand_loss_factor)
    losses = [-score // factor for factor in factors if -score % factor == 0]
    fixed = (*tables.null_values, tables.variants.revolution)
    return any(loss in fixed or loss in _charged(tables) for loss in losses)


def _charged(tables: Tables) -> set[int]:
    """Return what a lost suit game or Grand can be charged.

    An overbid game may be charged beyond what any game is worth, up to the highest bid.
    """
    charged = set()
    bases = zip(tables.base, tables.ouvert_base, tables.trumps, strict=True)
    for base, own, order in ((b, o, t) for b, o, t in bases if b):
        highest = len(order) + sum(tables.steps)
        least = 1 if tables.overbid_price == "base-value" else 1 + tables.steps[GAME]
        most = max(highest, -(-tables.bids[-1] // base))
        charged |= {base * multiple for multiple in range(least, most + 1)}
        if own:
            values = {own * multiple for multiple in range(1 + tables.steps[GAME], highest + 1)}
            # overbid, its value is rounded up to a multiple of the base
            charged |= values | {base * -(-value // base) for value in values}
    return charged


def _values(tables: Tables) -> set[int]:
    values = {*tables.null_values, tables.variants.revolution}
    for base, own, order in zip(tables.base, tables.ouvert_base, tables.trumps, strict=True):
        multiples = range(1 + tables.steps[GAME], len(order) + sum(tables.steps) + 1)
        values |= {one * multiple for one in (base, own) if one for multiple in multiples}
    return values
