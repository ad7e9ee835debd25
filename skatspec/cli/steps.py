"""Steps in words, for people."""

from __future__ import annotations

from collections.abc import Sequence

from skatspec.cards import Card, name
from skatspec.cli.terminal import clean
from skatspec.cli.text import game_name
from skatspec.record import (
    MODIFIERS,
    NO_NUMBER,
    RAMSCH,
    WORLD,
    Agree,
    AuctionEnd,
    Bid,
    Claim,
    Declare,
    Discard,
    Double,
    EarlyPlay,
    Exchange,
    Gift,
    Hold,
    Knock,
    Leave,
    OutOfTurn,
    Pass,
    PickUp,
    Play,
    Push,
    Refuse,
    Resign,
    Revoke,
    Ruling,
    Show,
    Step,
    ThrowOpen,
    Timeout,
    WrongLead,
)

# Steps that say no more than who did what.
_DEEDS: dict[type[Step], str] = {
    Hold: "holds",
    Pass: "passes",
    Knock: "knocks",
    Resign: "gives up",
    Timeout: "runs out of time",
    Leave: "leaves",
    Agree: "agrees",
    Refuse: "refuses",
    Gift: "makes a present of the game",
    ThrowOpen: "throws the cards open",
    EarlyPlay: "plays before announcing a game",
    Revoke: "revokes",
    WrongLead: "leads out of turn",
    OutOfTurn: "plays out of turn",
}
# Steps that name cards.
_WITH_CARDS: dict[type[Step], str] = {
    PickUp: "takes the skat",
    Discard: "puts away",
    Exchange: "holds after the exchange",
    Show: "shows the cards",
}


def words_and_cards(step: Step) -> tuple[str, Sequence[Card]]:
    """Return a step in words without who acts, and the cards it names."""
    deed = _DEEDS.get(type(step))
    if deed is not None:
        return deed, ()
    with_cards = _WITH_CARDS.get(type(step))
    if with_cards is not None:
        return with_cards, getattr(step, "cards", None) or ()
    if isinstance(step, Play):
        return "plays", (step.card,)
    if isinstance(step, Push):
        return ("leaves the skat lying", ()) if step.cards is None else ("hands on", step.cards)
    if isinstance(step, Declare):
        if step.contract == RAMSCH and step.seat == WORLD:
            return "Ramsch is played", ()
        return "declares " + clean(game_name(step.contract, step.modifiers)), step.shown or ()
    return _more(step), ()


def _more(step: Step) -> str:
    """Return a step that carries a figure or a word."""
    if isinstance(step, (Bid, AuctionEnd)):
        value = "no number" if step.value == NO_NUMBER else str(step.value)
        return f"bids {value}" if isinstance(step, Bid) else f"plays at {value}"
    if isinstance(step, Double):
        return f"says {step.call.capitalize()}"
    if isinstance(step, Claim):
        return " with ".join(["claims the rest", *_levels(step.levels)])
    if isinstance(step, Ruling):
        outcome = "won" if step.won else "lost"
        skat = "" if step.skat_counts else ", the skat not counted"
        levels = "".join(f", {word}" for word in _levels(step.levels))
        return clean(f"ruling ({step.source}): {outcome}{levels}{skat}")
    return step.word


def _levels(bits: int) -> list[str]:
    return [word.capitalize() for word, bit in MODIFIERS.items() if bits & bit]


def in_words(step: Step) -> str:
    """Return a step with its cards in one line."""
    words, cards = words_and_cards(step)
    return " ".join((words, *(name(card) for card in cards)))
