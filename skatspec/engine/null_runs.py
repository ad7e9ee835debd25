"""What a Null below its bid can cost when the declarer's twelve cards are not known.

As long as one party holds some of the trumps that all games share, the run of matadors
is the same in every game. Beyond that it differs by suit, and a Null is charged as the
cheapest game that covers the bid; so every set of runs that twelve cards can have is
tried, and one kept for each price.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

from skatspec.cards import DECK, Mask, mask
from skatspec.engine.facts import TRICKS, Facts, covers
from skatspec.engine.null import covering_games
from skatspec.rules.tables import Tables

HELD = TRICKS + 2  # the declarer's hand and the skat
_CHEAPEST = -1


def possible_nulls(tables: Tables, options: Iterable[Facts], matadors: int | None) -> list[Facts]:
    """Return the facts of a Null with every hand of the declarer that can matter.

    `matadors` is the run that is known, None where it is not; one that reaches the last
    shared trump says only that all of those are held, or missing.
    """
    shared = _shared(tables)
    found: list[Facts] = []
    seen: set[Facts] = set()
    for facts in options:
        if (
            covers(tables, tables.null_value(facts.contract, facts.modifiers), facts.bid)
            or facts.twelve
        ):
            found.append(facts)
            continue
        # lost at once: what was played does not matter
        facts = replace(facts, points=0, tricks=0)
        if facts in seen:
            continue
        seen.add(facts)
        short = [run for run in range(1 - shared, shared) if run]
        if matadors is not None and abs(matadors) < shared:
            short = [matadors]
        elif matadors is not None:
            short = []
        found += [replace(facts, matadors=run) for run in short]
        for held in (True, False):
            if matadors is None or (abs(matadors) >= shared and (matadors > 0) == held):
                found += _one_for_each_price(tables, facts, held)
    return found


def _shared(tables: Tables) -> int:
    return min(len(order) for order in tables.trumps if order)


def _one_for_each_price(tables: Tables, facts: Facts, held: bool) -> Iterator[Facts]:
    """Yield hands that hold (or lack) all shared trumps, until every price a game can have,
    and every price the cheapest game can have, is among them.
    """
    orders = _suit_orders(tables)
    shared = _shared(tables)
    prices = [
        dict(_prices(tables, facts, held, extra))
        for extra in range(len(orders[0]) + 1)
    ]  # fmt: skip
    suits = [contract for contract in prices[0] if len(tables.trumps[contract]) > shared]
    others = [contract for contract in prices[0] if contract not in suits]
    seen: set[tuple[int, int]] = set()
    for extras in _run_sets(tuple(len(order) for order in orders), held):
        charged = {suit: prices[extra][suit] for suit, extra in zip(suits, extras, strict=True)}
        charged.update((contract, prices[0][contract]) for contract in others)
        new = {*charged.items(), (_CHEAPEST, min(charged.values()))} - seen
        if new:
            seen |= new
            yield replace(facts, twelve=_twelve(tables, orders, extras, held))


def _prices(tables: Tables, facts: Facts, held: bool, extra: int) -> Iterator[tuple[int, int]]:
    """Yield each covering game's price where its run goes `extra` cards beyond the shared ones."""
    orders = _suit_orders(tables)
    cards = mask(tables.trumps[_first_suit(tables)][: _shared(tables)])
    for order in orders:
        cards |= mask(order[:extra])
    if not held:
        cards = ~cards & ((1 << DECK) - 1)
    games = covering_games(tables, replace(facts, twelve=cards), facts.bid or 0)
    yield from sorted((contract, price) for contract, _, price in games)


def _suit_orders(tables: Tables) -> list[Sequence[int]]:
    """Return the trumps beyond the shared ones of every game that has some, by contract."""
    shared = _shared(tables)
    return [order[shared:] for order in tables.trumps if len(order) > shared]


def _first_suit(tables: Tables) -> int:
    shared = _shared(tables)
    return next(c for c, order in enumerate(tables.trumps) if len(order) > shared)


@cache
def _run_sets(lengths: tuple[int, ...], held: bool) -> tuple[tuple[int, ...], ...]:
    """Return how far beyond the shared trumps the runs of all suits can go at once."""
    shared = DECK - sum(lengths)
    room = HELD - shared if held else sum(lengths) - HELD
    return tuple(
        extras
        for extras in product(*(range(length + 1) for length in lengths))
        if sum(extras) <= room
    )


def _twelve(
    tables: Tables, orders: Sequence[Sequence[int]], extras: Sequence[int], held: bool
) -> Mask:
    """Return twelve cards with these runs: held, or all missing."""
    inside = mask(tables.trumps[_first_suit(tables)][: _shared(tables)])
    for order, extra in zip(orders, extras, strict=True):
        inside |= mask(order[:extra])
    # the first card behind each run belongs to the other party
    ends = mask(order[extra] for order, extra in zip(orders, extras, strict=True)
                if extra < len(order))  # fmt: skip
    cards = inside if held else ends
    barred = ends if held else inside
    for card in range(DECK):
        if cards.bit_count() < HELD and not barred >> card & 1:
            cards |= 1 << card
    return cards
