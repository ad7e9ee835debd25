"""OpenSpiel's game `skat` as an engine for `skatspec conform run`; needs `pip install open_spiel`.

Every answer is read from OpenSpiel's own state: the question is built as a game, dealt and
played up to the decision, and the state is asked which actions are legal, who leads next and
what has been counted. No rule of Skat stands here. What the game does not have, or what
cannot be put to it without changing the question, is skipped with the reason.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from skeleton import Json, Skip, serve

try:
    import pyspiel
except ImportError:
    sys.exit("openspiel.py needs OpenSpiel in this Python: pip install open_spiel")

# Following, taking and card points are the same in all of these.
RULES = ["isko", "isko-2015", "ledger", "iss", "primer", "table-match"]

GAME = pyspiel.load_game("skat")
SEATS, HAND, SKAT = 3, 10, 2
FULL = SEATS * HAND + SKAT
_BLANK = GAME.new_initial_state()
CARDS = {_BLANK.action_to_string(card): card for card in range(FULL)}
CALLS = {
    _BLANK.action_to_string(call): call for call in range(FULL, GAME.num_distinct_actions())
}  # fmt: skip
PASS = min(CALLS.values())
# The order in which the game asks for the cards of a deal: 3, the skat, 4, 3.
PACKETS = [0] * 3 + [1] * 3 + [2] * 3 + [3] * 2 + ([0] * 4 + [1] * 4 + [2] * 4) + (
    [0] * 3 + [1] * 3 + [2] * 3
)  # fmt: skip
_COUNTED = re.compile(r"Points \(Solo / Team\): \((\d+) / (\d+)\)")
_TAKEN = re.compile(r"Last trick won by player (\d)")

_TRIES = 200  # games that are tried to bring a hand to its size
_STEPS = 600  # cards laid in each of them
_MOST = 2_000_000  # sequences that Python walks in the time of a case


# --- games ------------------------------------------------------------------------------


def begun(contract: str, hands: Sequence[Sequence[int]], skat: Sequence[int], solo: int) -> Any:
    """Return the state in which forehand leads: dealt, called by `solo`, the skat put back."""
    if contract not in CALLS or CALLS[contract] == PASS:
        raise Skip(f"OpenSpiel's skat has no {contract}: suit games, Grand and Null only")
    left = [iter(cards) for cards in (*hands, skat)]
    state = GAME.new_initial_state()
    for place in PACKETS:
        state.apply_action(next(left[place]))
    for _ in range(solo):
        state.apply_action(PASS)
    state.apply_action(CALLS[contract])
    for card in skat:
        state.apply_action(card)
    return state


def after(state: Any, card: int) -> Any:
    """Return the state behind one more card."""
    following = state.clone()
    following.apply_action(card)
    return following


def numbers(names: Sequence[str]) -> list[int]:
    """Return cards by OpenSpiel's numbers."""
    return [CARDS[name] for name in names]


# --- legal: what may be played ----------------------------------------------------------


def may_play(contract: str, hand: list[int], led: int) -> list[int]:
    """Return the legal cards of a hand behind a led card.

    Middlehand gets the hand and as many other cards as are missing to ten, forehand the
    led card. They play until middlehand has just the hand and forehand is to lead: then the
    state is asked. Raises Skip where no such game is found.
    """
    if led in hand:
        raise Skip("the card led is in the hand itself")
    others = [card for card in range(FULL) if card != led and card not in hand]
    for attempt in range(_TRIES):
        chance = random.Random(repr((contract, sorted(hand), led, attempt)))
        chance.shuffle(others)
        lacking = HAND - len(hand)
        middle, rest = [*hand, *others[:lacking]], others[lacking:]
        hands = [[led, *rest[: HAND - 1]], middle, rest[HAND - 1 : 2 * HAND - 1]]
        # a Null ends with the declarer's first trick, so rearhand plays it and takes none
        state = begun(contract, hands, rest[2 * HAND - 1 :], solo=SEATS - 1)
        reached = _played(state, {led, *hand}, SEATS * lacking, chance)
        if reached is not None:
            return list(after(reached, led).legal_actions())
    raise Skip(f"no game found that leaves this hand of {len(hand)} behind this card")


def _played(state: Any, kept: set[int], count: int, chance: random.Random) -> Any:
    """Return a state `count` cards later with forehand to lead, `kept` still in the hands."""
    waiting, steps = [(state, 0)], 0
    while waiting and steps < _STEPS:
        reached, laid = waiting.pop()
        if reached.is_terminal():
            continue
        if laid == count:
            if reached.current_player() == 0:
                return reached
            continue
        cards = [card for card in reached.legal_actions() if card not in kept]
        chance.shuffle(cards)
        waiting += [(after(reached, card), laid + 1) for card in cards]
        steps += 1
    return None


# --- legal: who takes a trick -----------------------------------------------------------


def taken(contract: str, trick: list[int]) -> tuple[int, int]:
    """Return who takes a trick, from 0, and the card points that are counted for it.

    A declarer who takes a trick ends a Null, so another player declares it then.
    """
    hands, skat = _where_it_is_legal(contract, trick)
    for solo in range(SEATS):
        state = begun(contract, hands, skat, solo)
        for card in trick:
            state.apply_action(card)
        if not state.is_terminal():
            text = str(state)
            winner, counted = _TAKEN.search(text), _COUNTED.search(text)
            if winner is None or counted is None:
                raise RuntimeError("OpenSpiel's state says neither who took the trick nor points")
            return int(winner[1]), int(counted[1]) + int(counted[2])
    raise RuntimeError("a trick ended the game, whoever declared")


def _where_it_is_legal(contract: str, trick: list[int]) -> tuple[list[list[int]], list[int]]:
    """Return a deal in which OpenSpiel lets these three cards be played, one a player.

    Where a card is refused, the state shows which others would have to be played: they go to
    the leader and into the skat. Raises Skip where they do not all have room there.
    """
    must: set[int] = set()
    while len(must) < HAND + SKAT:
        first = sorted(must) + [c for c in range(FULL) if c not in must and c not in trick]
        hands = [
            [trick[0], *first[: HAND - 1]],
            [trick[1], *first[HAND + 1 : 2 * HAND]],
            [trick[2], *first[2 * HAND :]],
        ]
        skat = first[HAND - 1 : HAND + 1]
        state = begun(contract, hands, skat, solo=0)
        for card in trick:
            if card not in state.legal_actions():
                must.update(set(state.legal_actions()) - set(trick))
                break
            state.apply_action(card)
        else:
            return hands, skat
    raise Skip("no deal found in which all three cards of the trick may be played")


# --- the tasks --------------------------------------------------------------------------


def legal(given: Json, tables: Json) -> Json:
    """Answer what may be played, or who takes a trick and what is in it."""
    if "trick" in given:
        winner, points = taken(given["contract"], numbers(given["trick"]))
        return {"winner": winner + 1, "points": points}
    cards = may_play(given["contract"], numbers(given["hand"]), CARDS[given["led"]])
    return {"cards": sorted(_BLANK.action_to_string(card) for card in cards)}


def perft(given: Json, tables: Json) -> Json:
    """Count the legal sequences of a deal."""
    deal = tuple(tuple(numbers(given["deal"][seat].split())) for seat in ("F", "M", "R", "skat"))
    return {"counts": list(_counts(given["contract"], deal, given["depth"]))}


@lru_cache(maxsize=512)  # the suite asks the same deals again under other rules
def _counts(contract: str, deal: tuple[tuple[int, ...], ...], depth: int) -> tuple[int, ...]:
    *hands, skat = deal
    # only a Null can end early, for its declarer; every player declares it in a game of his
    solos = range(SEATS) if contract == "null" else range(1)
    level: Iterator[list[Any]] = iter([[begun(contract, hands, skat, solo) for solo in solos]])
    counts = [0] * depth
    _walk(level, counts, 0)
    return tuple(counts)


def _walk(level: Iterator[list[Any]], counts: list[int], done: int) -> None:
    """Add up the sequences behind some positions, each given as the games still going on."""
    for games in level:
        legal_cards = games[0].legal_actions()
        counts[done] += len(legal_cards)
        if counts[done] > _MOST:
            raise Skip("more sequences than this adapter counts in time")
        if done + 1 < len(counts):
            _walk((_going_on(games, card) for card in legal_cards), counts, done + 1)


def _going_on(games: list[Any], card: int) -> list[Any]:
    following = [after(game, card) for game in games]
    going = [game for game in following if not game.is_terminal()]
    if not going:
        raise Skip("each player took a trick: OpenSpiel ends a Null with the declarer's first")
    return going


def settle(given: Json, tables: Json) -> Json:
    """Skip: OpenSpiel pays card points, not game values."""
    if given.get("points") == 60:
        raise Skip("not comparable: its reward at 60 card points is 0, neither won nor lost")
    raise Skip("no game values: OpenSpiel's skat pays card points, and has no Hand, bids, matadors")


def check(given: Json, tables: Json) -> Json:
    """Skip: there are no records, and no auction that one could hold."""
    raise Skip("no records: OpenSpiel's skat reads none, has no auction, announcements or claims")


def listed(given: Json, tables: Json) -> Json:
    """Skip: a game is a deal."""
    raise Skip("no lists: OpenSpiel's skat is a single deal")


if __name__ == "__main__":
    serve(
        {"name": "OpenSpiel skat", "version": version("open_spiel"), "language": "C++"},
        RULES,
        {"legal": legal, "perft": perft, "settle": settle, "check": check, "list": listed},
    )
