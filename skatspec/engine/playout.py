"""What can still happen to cards that are all known: every legal way to play on, within a bound.

The question is never who plays well, only what the rules of play leave possible: may a
party end with no more than so much of what is left?
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skatspec.cards import DECK, Mask, members
from skatspec.engine import placing, play
from skatspec.engine.placing import SIZES
from skatspec.engine.state import Game
from skatspec.rules.tables import Tables

# Tricks looked at before a question is left open; four tricks a hand never need as many.
MOST_TRIED = 60_000

Three = tuple[Mask, Mask, Mask]


class Position(NamedTuple):
    """The cards left in each hand, who leads the trick, and the cards it has so far."""

    hands: Three
    leader: int
    table: tuple[int, ...] = ()


def position(game: Game) -> Position | None:
    """Return where the play stands, None unless every card's place is known or follows."""
    places = placing.settle_counts(game.possible)
    known = all(mask.bit_count() == size for mask, size in zip(places, SIZES, strict=True))
    if not known or any(game.hidden_plays):
        return None
    first, second, third = (places[seat] & ~game.played[seat] for seat in range(3))
    leader = game.leader if game.playing else game.tables.leader
    return Position((first, second, third), leader, tuple(game.cards))


def within(
    tables: Tables, contract: int, start: Position, party: int, limit: int, *, by_points: bool
) -> bool | None:
    """Say whether some legal play gives the party (seat bits) no more than `limit` of the rest.

    The limit counts card points, else tricks. None where the bound was reached before an
    answer was.
    """
    points = tables.points if by_points else None
    follow, beats = tables.follow[contract], tables.beats[contract]
    weight = [beats[follow[card]][card] + tables.points[card] for card in range(DECK)]
    seen: dict[tuple[Three, int], int] = {}
    stack = [(start, limit)]
    tried = 0
    while stack:
        here, left = stack.pop()
        least, most = _bounds(tables, contract, here, party, points)
        if most <= left:
            return True
        known = (here.hands, here.leader)
        # reached before with as much left, and nothing has come of it or is still to be tried
        if least > left or (not here.table and seen.get(known, -1) >= left):
            continue
        if not here.table:
            seen[known] = left
        found = []
        ours = [at for at in range(3) if party >> (here.leader + at) % 3 & 1]
        for cards, winner in _tricks(tables, contract, here):
            tried += 1
            price = 0
            if party >> winner & 1:
                price = 1 if points is None else sum([points[card] for card in cards])
            if price <= left:
                # the more of its strength the party lays down, the less it gets later
                found.append((price, -sum([weight[cards[at]] for at in ours]), cards, winner))
        if tried > MOST_TRIED:
            return None
        # the likeliest last, where they are taken from
        found.sort(reverse=True)
        for price, _, cards, winner in found:
            stack.append((Position(_without(here, cards), winner), left - price))
    return False


def _bounds(
    tables: Tables, contract: int, here: Position, party: int, points: tuple[int, ...] | None
) -> tuple[int, int]:
    """Return the least and the most that the party can get of what is left."""
    out = here.hands[0] | here.hands[1] | here.hands[2]
    for card in here.table:
        out |= 1 << card
    if points is None:
        most = (out.bit_count() + 2) // 3
    else:
        most = sum([points[card] for card in members(out)])
    # each of the highest trumps goes to the party that holds them all, however it is played;
    # those of one hand to different tricks
    sure, a_seat = 0, [0, 0, 0]
    for card in tables.trumps[contract]:
        if not out >> card & 1:
            continue
        seat = _owner(here, card)
        if not party >> seat & 1:
            break
        a_seat[seat] += 1
        sure += tables.points[card]
    return (max(a_seat) if points is None else sure), most


def _owner(here: Position, card: int) -> int:
    for seat in range(3):
        if here.hands[seat] >> card & 1:
            return seat
    return (here.leader + here.table.index(card)) % 3


def _tricks(tables: Tables, contract: int, here: Position) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every way the trick can be filled up, with the seat that wins it."""
    ways = [here.table]
    for at in range(len(here.table), 3):
        hand = here.hands[(here.leader + at) % 3]
        ways = [
            (*cards, card)
            for cards in ways
            for card in members(
                play.legal_cards(tables, contract, hand, cards[0] if cards else None)
            )
        ]
    for cards in ways:
        yield cards, (here.leader + play.winner(tables, contract, cards)) % 3


def _without(here: Position, cards: tuple[int, ...]) -> Three:
    gone = 0
    for card in cards:
        gone |= 1 << card
    first, second, third = here.hands
    return first & ~gone, second & ~gone, third & ~gone
