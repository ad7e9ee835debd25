"""Revolution: the defenders of a Null pool their cards and redivide them."""

from __future__ import annotations

from skatspec.cards import HIDDEN, mask, name, names
from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine import placing
from skatspec.engine.placing import AWAY
from skatspec.engine.state import Game
from skatspec.record import HAND, REVOLUTION, Exchange
from skatspec.rules.tables import CONTRACT, Tables

TOPIC = "revolution"


def refused(tables: Tables, modifiers: int, number: int) -> Diagnostic | None:
    """Fault a Revolution that these rules do not play, or not without Hand."""
    variants = tables.variants
    if not variants.revolution:
        return finding(
            "D017", step=number, read="Revolution", expected="a game of these rules", topic=TOPIC
        )
    if variants.revolution_needs_hand and not modifiers & HAND:
        return finding(
            "D007", step=number, read="Revolution without Hand", expected="Hand announced with it",
            topic=TOPIC,
        )  # fmt: skip
    return None


def pool(game: Game) -> None:
    """Let every card of a defender be in either hand: they may redivide them."""
    if game.contract != CONTRACT[REVOLUTION]:
        return
    one, two = _defenders(game)
    game.possible = list(game.possible)
    game.possible[one] = game.possible[two] = game.possible[one] | game.possible[two]
    game.exact = False


def exchange(game: Game, step: Exchange, number: int) -> Diagnostic | None:
    """A defender holds these ten cards after the exchange."""
    if game.contract != CONTRACT[REVOLUTION] or game.playing:
        return finding(
            "D022", step=number, read="an exchange", expected="one before the lead of a Revolution"
        )
    if step.seat == game.declarer:
        return finding("D022", step=number, read=game.name(step.seat), expected="a defender")
    cards, seen = step.cards, mask(step.cards)
    known = len(cards) - cards.count(HIDDEN)
    if len(cards) != placing.SIZES[step.seat] or seen.bit_count() != known:
        expected = f"{placing.SIZES[step.seat]} different cards"
        return finding("D022", step=number, read=names(cards), expected=expected)
    strange = seen & ~game.possible[step.seat]
    if strange:
        card = name(strange.bit_length() - 1)
        return finding("D022", step=number, read=card, expected="cards of the two defenders")
    game.possible = placing.assign(game.possible, seen, (step.seat,))
    if known == len(cards):
        game.possible[step.seat] = seen
        game.possible = placing.settle_counts(game.possible)
        sizes = [one.bit_count() for one in game.possible]
        game.exact = sizes == list(placing.SIZES) and game.possible[AWAY].bit_count() == 2
    return None


def _defenders(game: Game) -> tuple[int, int]:
    one, two = (seat for seat in range(3) if seat != game.declarer)
    return one, two
