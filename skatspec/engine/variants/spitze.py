"""Spitze: the promise to win the last trick with the lowest trump."""

from __future__ import annotations

from skatspec.cards import HIDDEN, name
from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine.placing import AWAY
from skatspec.engine.state import OPEN, PLAYED_OUT, UNKNOWN_SEAT, Game
from skatspec.record import HAND, SPITZE
from skatspec.rules.tables import GRAND_KIND, TRUMP

TOPIC = "spitze"


def lowest_trump(game: Game) -> int:
    """Return the card that a Spitze is."""
    return game.tables.trumps[game.contract or 0][-1]


def refused(game: Game, number: int) -> Diagnostic | None:
    """Fault a Spitze that the declarer cannot promise: not in hand, or a Grand with all jacks."""
    if not game.modifiers & SPITZE or game.contract is None:
        return None
    tables, own = game.tables, game.possible[game.declarer or 0]
    card = lowest_trump(game)
    if not own >> card & 1:
        return finding("D018", step=number, read=name(card), expected=f"{name(card)} in hand")
    known = own if game.modifiers & HAND else own | game.possible[AWAY]
    jacks = tables.members[game.contract][TRUMP]
    if game.exact and tables.kind[game.contract] == GRAND_KIND and not jacks & ~known:
        return finding("D018", step=number, read="four jacks", expected="at most three jacks known")
    return None


def made(game: Game) -> tuple[bool, ...]:
    """Return whether an announced Spitze was made, both where the record leaves it open."""
    if not game.modifiers & SPITZE:
        return (True,)
    if game.ended == OPEN:
        return (True, False)
    if game.ended != PLAYED_OUT:
        return (True,)  # given up or ended otherwise: it was not put to the test
    last, declarer = game.tricks[-1], game.declarer or 0
    card = last.cards[(declarer - last.leader) % 3]
    if last.winner == UNKNOWN_SEAT or card == HIDDEN:
        return (True, False)
    return (last.winner == declarer and card == lowest_trump(game),)
