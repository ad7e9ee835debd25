"""A move as it is written in ISS and as steps: one pair for both, shared wherever it can be."""

from __future__ import annotations

from collections.abc import Sequence

from skatspec.cards import DECK, NAMES
from skatspec.formats.iss_words import (
    HOLD,
    LEAVE,
    PASS,
    RESIGN,
    SHOW,
    TAKE,
    TIMEOUT,
    WORLD_WORD,
    declaration_word,
)
from skatspec.record import (
    Bid,
    Declare,
    Discard,
    Hold,
    Leave,
    Pass,
    PickUp,
    Play,
    Resign,
    Show,
    Step,
    Timeout,
)

# The words of an ISS move, and the steps that a reader makes of them.
Move = tuple[str, tuple[Step, ...]]
SEATS = range(3)


def bid(seat: int, value: int) -> Move:
    """Return the move of a bid (game value)."""
    return f"{seat} {value}", (Bid(seat, value),)


PLAYS: tuple[tuple[Move, ...], ...] = tuple(
    tuple((f"{seat} {NAMES[card]}", (Play(seat, card),)) for card in range(DECK + 1))
    for seat in SEATS
)
HOLDS: tuple[Move, ...] = tuple((f"{seat} {HOLD}", (Hold(seat),)) for seat in SEATS)
PASSES: tuple[Move, ...] = tuple((f"{seat} {PASS}", (Pass(seat),)) for seat in SEATS)
RESIGNS: tuple[Move, ...] = tuple((f"{seat} {RESIGN}", (Resign(seat),)) for seat in SEATS)
SHOWS: tuple[Move, ...] = tuple((f"{seat} {SHOW}", (Show(seat),)) for seat in SEATS)
TIMEOUTS: tuple[Move, ...] = tuple(
    (f"{WORLD_WORD} {TIMEOUT}{seat}", (Timeout(seat),)) for seat in SEATS
)
LEAVES: tuple[Move, ...] = tuple((f"{WORLD_WORD} {LEAVE}{seat}", (Leave(seat),)) for seat in SEATS)
STOPS = {Timeout: TIMEOUTS, Leave: LEAVES}


def pick_up(seat: int, cards: tuple[int, ...] | None) -> Move:
    """Return the move that takes the skat, `cards` None where the record does not show them."""
    shown = "" if cards is None else f" {WORLD_WORD} {card_words(cards)}"
    return f"{seat} {TAKE}{shown}", (PickUp(seat, cards),)


def discard(seat: int, cards: tuple[int, ...]) -> Move:
    """Return the move that puts cards away behind a declaration."""
    return f"{seat} {card_words(cards)}", (Discard(seat, cards),)


def declare(
    seat: int,
    contract: str,
    stated: int,
    away: tuple[int, ...] | None = None,
    shown: tuple[int, ...] | None = None,
) -> Move:
    """Return a declaration, with the cards put away before it and the cards laid open."""
    word = f"{seat} {declaration_word(contract, stated)}"
    said = Declare(seat, contract, stated, shown)
    behind = f".{card_words(shown)}" if shown else ""
    if away is None:
        return word + behind, (said,)
    return f"{word}.{card_words(away)}{behind}", (Discard(seat, away), said)


def show(seat: int, cards: tuple[int, ...]) -> Move:
    """Return the move that lays cards open, with the cards."""
    return f"{seat} {SHOW}.{card_words(cards)}", (Show(seat, cards),)


def card_words(cards: Sequence[int]) -> str:
    """Return cards as ISS lists them."""
    return ".".join([NAMES[card] for card in cards])
