"""Mutants of the course of a game: the cards played, the auction, skat and declaration.

A function here takes the right one of the engine and returns the wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from skatspec.cards import HIDDEN, Mask, name
from skatspec.diagnostics import finding
from skatspec.engine.state import Game
from skatspec.record import HAND, Bid, Play
from skatspec.rules.tables import TRUMP, Tables
from tests.mutants_matrix import Function, Mutant, Patch

PLAY, DECLARATION = "skatspec.engine.play", "skatspec.engine.declaration"
AUCTION = "skatspec.engine.auction"


def answering(value: Any) -> Callable[[Function], Function]:
    """Return a patch that always gives the same answer."""
    return lambda right: lambda *args, **words: value


def letting_pass(code: str) -> Callable[[Function], Function]:
    """Return a patch that finds no fault where the right function finds this code."""

    def patch(right: Function) -> Function:
        def wrong(*args: Any, **words: Any) -> Any:
            fault = right(*args, **words)
            return None if fault is not None and fault.code == code else fault

        return wrong

    return patch


# --- play -------------------------------------------------------------------------------


def any_card(right: Function) -> Function:
    return lambda tables, contract, hand, led: hand


def must_trump(right: Function) -> Function:
    """Let one who cannot follow be bound to trump."""

    def wrong(tables: Tables, contract: int, hand: Mask, led: int | None) -> Mask:
        may: Mask = right(tables, contract, hand, led)
        if led is None or hand & tables.members[contract][tables.follow[contract][led]]:
            return may
        return may & tables.members[contract][TRUMP] or may

    return wrong


def fault_where_not_trumped(right: Function) -> Function:
    """Fault a trick in which one who could neither follow nor wanted to trump had a trump."""

    def wrong(game: Game) -> None:
        contract, leader, trick = game.contract or 0, game.leader, tuple(game.cards)
        right(game)
        if not game.exact or HIDDEN in trick or not game.sound:
            return
        classes = game.tables.follow[contract]
        for at, card in enumerate(trick[1:], start=1):
            trumps = game.held[(leader + at) % 3] & game.tables.members[contract][TRUMP]
            if classes[card] not in (classes[trick[0]], TRUMP) and trumps:
                step = [n for n, one in enumerate(game.steps, 1) if isinstance(one, Play)]
                at_step = step[3 * (len(game.tricks) - 1) + at]
                game.fault = finding("P004", step=at_step, card="", led="", expected="a trump")
                return

    return wrong


def leader_leads_again(right: Function) -> Function:
    def wrong(game: Game) -> None:
        leader = game.leader
        right(game)
        game.leader = game.turn = leader

    return wrong


# --- auction and declaration ------------------------------------------------------------


def no_jumps(right: Function) -> Function:
    """Let every bid be the next value there is."""

    def wrong(tables: Tables, steps: Sequence[Any], start: int = 0) -> Any:
        called = right(tables, steps, start)
        due = 0
        for index in range(start, called.next):
            step = steps[index]
            if not isinstance(step, Bid):
                continue
            if step.value != tables.bids[due]:
                fault = finding("B001", step=index + 1, expected=str(tables.bids[due]))
                return replace(called, next=index, declarer=None, passed_in=False, fault=fault)
            due += 1
        return called

    return wrong


def passed_and_back(right: Function) -> Function:
    """Let what is called after one's own pass go for nothing, and stand."""

    def wrong(tables: Tables, steps: Sequence[Any], start: int = 0) -> Any:
        left, dropped = list(steps), 0
        called = right(tables, left, start)
        while called.fault is not None and called.fault.code == "B004":
            del left[called.next]
            dropped += 1
            called = right(tables, left, start)
        return replace(called, next=called.next + dropped)

    return wrong


def played_at_the_lowest(right: Function) -> Function:
    def wrong(tables: Tables, steps: Sequence[Any], start: int = 0) -> Any:
        called = right(tables, steps, start)
        return replace(called, bid=min(called.bid, tables.bids[0]))

    return wrong


def hand_unannounced(right: Function) -> Function:
    """Count Hand wherever the skat was left lying."""

    def wrong(game: Game, step: Any, number: int) -> Any:
        declared = game.contract is not None
        fault = right(game, step, number)
        if fault is None and not declared and not game.picked_up:
            game.modifiers |= HAND
        return fault

    return wrong


def shown_as_you_like(right: Function) -> Function:
    """Let an Ouvert show any cards."""
    return letting_pass("D015")(right)


def winner_or_another(right: Function) -> Function:
    """Let whoever speaks up after the auction be the declarer."""

    def wrong(game: Game, step: Any, number: int) -> Any:
        fault = right(game, step, number)
        if fault is not None and fault.code == "B008":
            game.declarer, fault = step.seat, None
        return fault

    return wrong


def no_jack_away(right: Function) -> Function:
    def wrong(game: Game, step: Any, number: int) -> Any:
        jack = next((card for card in step.cards if name(card)[1] == "J"), None)
        if jack is not None and right(game, step, number) is None:
            return finding("D005", step=number, card=name(jack), expected="no jack")
        return right(game, step, number)

    return wrong


def out_of_turn(right: Function) -> Function:
    """Take a card of whoever plays it for the next one of the trick."""

    def wrong(game: Game, seat: int, number: int) -> bool:
        if not right(game, seat, number):
            game.fault = None
        return True

    return wrong


_PATCHES: dict[str, tuple[Patch, ...]] = {
    "follow-suit": (
        Patch(f"{PLAY}:legal_cards", any_card),
        Patch(f"{PLAY}:_void", answering(True)),
    ),
    "no-duty-to-trump": (
        Patch(f"{PLAY}:legal_cards", must_trump),
        Patch(f"{PLAY}:_close", fault_where_not_trumped),
    ),
    "winner-leads": (
        Patch("skatspec.engine.perft:winner", answering(0), only_here=True),
        Patch(f"{PLAY}:_close", leader_leads_again),
    ),
    "bid-higher-than-the-last": (Patch(f"{AUCTION}:_wrong_value", letting_pass("B002")),),
    "jump-bids": (Patch(f"{AUCTION}:run", no_jumps),),
    "pass-is-final": (Patch(f"{AUCTION}:run", passed_and_back),),
    "plays-at-the-last-value": (Patch(f"{AUCTION}:run", played_at_the_lowest),),
    "discard-two": (Patch(f"{DECLARATION}:discard", letting_pass("D004")),),
    "any-two-cards-away": (Patch(f"{DECLARATION}:discard", no_jack_away),),
    "skat-before-the-declaration": (Patch(f"{DECLARATION}:pick_up", letting_pass("D003")),),
    "winner-of-the-auction-declares": (Patch(f"{DECLARATION}:actor", winner_or_another),),
    "play-in-turn": (Patch(f"{PLAY}:_resolved", out_of_turn),),
    "hand-must-be-announced": (Patch(f"{DECLARATION}:declare", hand_unannounced),),
    "announced-with-the-game": (Patch(f"{DECLARATION}:declare", letting_pass("D012")),),
    "ouvert-shows-all-cards": (Patch(f"{DECLARATION}:show", shown_as_you_like),),
}  # fmt: skip

MUTANTS = {tag: Mutant(tag, code=patches) for tag, patches in _PATCHES.items()}
