"""Mutants of the cards: which follow, which win, what they count.

Each changes the fewest cells of the tables that make the rule another; the values are wrong
on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from skatspec import cards
from skatspec.rules.tables import CONTRACT, NULL_KIND, TRUMP, Tables
from tests.mutants_matrix import Mutant, TableChange

JACKS = [cards.BY_NAME[suit + "J"] for suit in cards.SUITS]
SUITS = ("diamonds", "hearts", "spades", "clubs")
RANK_COUNT = len(cards.RANKS)


def exchanged(row: Sequence[Any], changes: dict[int, Any]) -> tuple[Any, ...]:
    return tuple(changes.get(at, value) for at, value in enumerate(row))


def with_trumps(tables: Tables) -> Iterator[int]:
    """Yield the games that have trumps, Ramsch included."""
    return (n for n, kind in enumerate(tables.kind) if kind != NULL_KIND)


# --- following --------------------------------------------------------------------------


def refollow(tables: Tables, contract: int, classes: dict[int, int]) -> Tables:
    """Let cards of one game follow as other classes."""
    row = exchanged(tables.follow[contract], classes)
    members = tuple(
        cards.mask(card for card in range(cards.DECK) if row[card] == group)
        for group in range(TRUMP + 1)
    )
    return replace(
        tables,
        follow=exchanged(tables.follow, {contract: row}),
        members=exchanged(tables.members, {contract: members}),
    )


def jacks_follow_their_suit(tables: Tables) -> Tables:
    for contract in with_trumps(tables):
        row = tables.follow[contract]
        printed = {jack: row[jack - jack % RANK_COUNT] for jack in JACKS}  # as the seven does
        tables = refollow(tables, contract, printed)
    return tables


def plays_as(tables: Tables, contract: int, other: int) -> Tables:
    """Let one game have the trumps of another, for following and winning; not its matadors."""
    return replace(
        tables,
        follow=exchanged(tables.follow, {contract: tables.follow[other]}),
        members=exchanged(tables.members, {contract: tables.members[other]}),
        beats=exchanged(tables.beats, {contract: tables.beats[other]}),
    )


def no_suit_is_trump(tables: Tables) -> Tables:
    for suit in SUITS:
        tables = plays_as(tables, CONTRACT[suit], CONTRACT["grand"])
    return tables


def clubs_trump_in_grand(tables: Tables) -> Tables:
    return plays_as(tables, CONTRACT["grand"], CONTRACT["clubs"])


def jacks_trump_in_null(tables: Tables) -> Tables:
    for contract, kind in enumerate(tables.kind):
        if kind == NULL_KIND:
            tables = refollow(tables, contract, dict.fromkeys(JACKS, TRUMP))
            tables = rebeat(tables, contract, _jacks_on_top)
    return tables


def _jacks_on_top(row: tuple[int, ...], led: int, tables: Tables, contract: int) -> dict[int, int]:
    return {jack: 2 * RANK_COUNT + at for at, jack in enumerate(JACKS)}


# --- winning a trick --------------------------------------------------------------------

Rebeat = Callable[[tuple[int, ...], int, Tables, int], dict[int, int]]


def rebeat(tables: Tables, contract: int, change: Rebeat) -> Tables:
    """Give cards of one game other strengths, for each class that can be led."""
    rows = tuple(
        exchanged(row, change(row, led, tables, contract))
        for led, row in enumerate(tables.beats[contract])
    )
    return replace(tables, beats=exchanged(tables.beats, {contract: rows}))


def rebeaten(change: Rebeat, kinds: Callable[[int], bool]) -> TableChange:
    def changed(tables: Tables) -> Tables:
        for contract, kind in enumerate(tables.kind):
            if kinds(kind):
                tables = rebeat(tables, contract, change)
        return tables

    return changed


def has_trumps(kind: int) -> bool:
    return kind != NULL_KIND


def is_null(kind: int) -> bool:
    return kind == NULL_KIND


def jacks_the_other_way(row: tuple[int, ...], led: int, t: Tables, contract: int) -> dict[int, int]:
    return {jack: row[other] for jack, other in zip(JACKS, reversed(JACKS), strict=True)}


def kings_above_tens(row: tuple[int, ...], led: int, t: Tables, contract: int) -> dict[int, int]:
    changes: dict[int, int] = {}
    for suit in cards.SUITS:
        ten, king = cards.BY_NAME[suit + "T"], cards.BY_NAME[suit + "K"]
        changes |= {ten: row[king], king: row[ten]}
    return changes


def tens_below_the_ace(row: tuple[int, ...], led: int, t: Tables, contract: int) -> dict[int, int]:
    """Put the ten of a Null where it stands in the other games."""
    changes: dict[int, int] = {}
    for suit in cards.SUITS:
        order = [cards.BY_NAME[suit + rank] for rank in "KQJT"]
        strengths = [row[card] for card in order]
        changes |= dict(zip([order[-1], *order[:-1]], strengths, strict=True))
    return changes


def lowest_of_the_suit(row: tuple[int, ...], led: int, t: Tables, contract: int) -> dict[int, int]:
    """Let the lowest card of a plain suit led win; trumps stay as they are."""
    if led == TRUMP:
        return {}
    own = [card for card in range(cards.DECK) if t.follow[contract][card] == led]
    return {card: len(own) + 1 - row[card] for card in own}


def trumps_beat_nothing(row: tuple[int, ...], led: int, t: Tables, contract: int) -> dict[int, int]:
    if led == TRUMP:
        return {}
    return {card: 0 for card in range(cards.DECK) if t.follow[contract][card] == TRUMP}


def any_suit_can_win(row: tuple[int, ...], led: int, t: Tables, contract: int) -> dict[int, int]:
    """Let a card of another plain suit win by its rank."""
    if led == TRUMP:
        return {}
    own = t.beats[contract]
    classes = t.follow[contract]
    return {
        card: own[classes[card]][card]
        for card in range(cards.DECK)
        if classes[card] not in (led, TRUMP)
    }


def card_points(ranks: dict[str, int]) -> TableChange:
    """Give cards of some ranks other card points; there are still 120 in all."""
    new = {cards.BY_NAME[suit + rank]: n for suit in cards.SUITS for rank, n in ranks.items()}
    return lambda tables: replace(tables, points=exchanged(tables.points, new))


_CHANGES: dict[str, TableChange] = {
    "jacks-are-trumps": jacks_follow_their_suit,
    "named-suit-is-trump": no_suit_is_trump,
    "grand-has-jacks-only": clubs_trump_in_grand,
    "null-has-no-trumps": jacks_trump_in_null,
    "order-of-the-jacks": rebeaten(jacks_the_other_way, has_trumps),
    "ten-above-king": rebeaten(kings_above_tens, has_trumps),
    "null-ten-below-jack": rebeaten(tens_below_the_ace, is_null),
    "highest-of-the-suit-wins": rebeaten(lowest_of_the_suit, lambda kind: True),
    "trumps-beat-suits": rebeaten(trumps_beat_nothing, has_trumps),
    "another-suit-never-wins": rebeaten(any_suit_can_win, lambda kind: True),
    "ace-counts-eleven": card_points({"A": 10, "T": 11}),
    "king-counts-four": card_points({"K": 3, "Q": 4}),
    "queen-counts-three": card_points({"Q": 2, "J": 3}),
    "nine-counts-nothing": card_points({"9": 1}),
}

MUTANTS = {tag: Mutant(tag, tables=change) for tag, change in _CHANGES.items()}
