"""Ramsch and Schieberamsch: when it is played, the skat handed on, knocking.

What a played Ramsch costs is for ramsch_price.py.
"""

from __future__ import annotations

from skatspec.cards import HIDDEN, Mask, mask, name, names
from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine import placing
from skatspec.engine.placing import AWAY
from skatspec.engine.state import OPEN, PASSED_IN, Game
from skatspec.record import (
    BOCK_ROUND,
    NORMAL_ROUND,
    RAMSCH_ROUND,
    SEAT_NAMES,
    WORLD,
    Declare,
    Knock,
    PickUp,
    Push,
    Step,
)
from skatspec.rules.tables import CONTRACT, GRAND_KIND, HAND, TRUMP
from skatspec.rules.variants import ALL_PASSED, ALWAYS, NEVER

TOPIC = "ramsch"
_A_STEP = "a step of these rules"
ROUNDS = ", ".join((NORMAL_ROUND, BOCK_ROUND, RAMSCH_ROUND))


def declare(game: Game, step: Declare, number: int) -> Diagnostic | None:
    """Begin a Ramsch: nobody's game, and only when these rules play it."""
    rules = game.tables.variants.ramsch
    in_round = game.round == RAMSCH_ROUND and game.tables.variants.bock.ramsch_after
    if rules.played == NEVER and not game.tables.variants.bock.ramsch_after:
        return finding(
            "D017", step=number, read="Ramsch", expected="a game of these rules", topic=TOPIC
        )
    if game.contract is not None:
        return finding("D012", step=number, read=step.contract, expected="one game")
    if step.seat != WORLD:
        who = game.name(step.seat)
        return finding(
            "D020", step=number, read=f"{who} as declarer",
            expected="`ramsch` alone on its line: it is nobody's game",
        )  # fmt: skip
    if game.auction_open:
        return finding("B006", step=number, expected="the auction's last calls")
    if game.declarer is not None:
        return _not_due(number, "the auction was won")
    if game.auction_recorded and (in_round or rules.played != ALL_PASSED):
        return _not_due(number, "an auction was held")
    may = in_round or rules.played in (ALWAYS, ALL_PASSED) or game.round is None
    if not may:
        return _not_due(number, f"this is a {game.round} round")
    game.contract, game.is_ramsch, game.ended = CONTRACT[step.contract], True, OPEN
    return None


def _not_due(number: int, read: str) -> Diagnostic:
    expected = "three passes, or a deal that these rules set aside for Ramsch"
    return finding("D020", step=number, read=read, expected=expected)


def no_auction(game: Game) -> Diagnostic | None:
    """Fault an auction in a deal that is a Ramsch from the start."""
    if game.tables.variants.ramsch.played != ALWAYS and game.round != RAMSCH_ROUND:
        return None
    return finding("D020", step=1, read="an auction", expected="Ramsch without one")


def missing(number: int = 0, part: str = "") -> Diagnostic:
    """Build the fault of a deal that all have passed and that goes on without its Ramsch."""
    return finding("D023", step=number, part=part, expected="`ramsch` in the section `contract`")


def not_here(game: Game, step: Step, number: int) -> Diagnostic:
    """Fault a step of a declared game in a Ramsch."""
    read = {"discard": "discards"}.get(step.word, step.word)
    return _refused(number, f"`{read}`", "`pushes` and two cards, or `pushes unseen`")


def due(game: Game) -> bool:
    """Say whether a deal that all have passed goes on as a Ramsch."""
    return game.ended == PASSED_IN and game.tables.variants.ramsch.played == ALL_PASSED


def instead(game: Game, step: Declare, number: int) -> Diagnostic | None:
    """Refuse a declared game where only Ramsch is played, or a Grand Hand in its place."""
    rules = game.tables.variants.ramsch
    if rules.played != ALWAYS and game.round != RAMSCH_ROUND:
        return None
    kind = game.tables.kind[CONTRACT[step.contract]]
    in_round = game.round in (RAMSCH_ROUND, None) and game.tables.variants.bock.ramsch_after
    allowed = rules.grand_hand == "ramsch-rounds" and in_round
    if allowed and kind == GRAND_KIND and step.modifiers & HAND and not game.auction_recorded:
        return None
    expected = "Ramsch, or a Grand Hand without auction" if allowed else "Ramsch"
    return finding("D020", step=number, read=step.contract, expected=expected)


def without_bid(game: Game) -> bool:
    """Say whether the game needs no bid: a Grand Hand in place of a Ramsch."""
    return game.round == RAMSCH_ROUND and not game.auction_recorded


def round_fault(game: Game, tag: str | None) -> Diagnostic | None:
    """Fault a `Round` tag that is no round of these rules, or not the one that is due."""
    if tag is None:
        return None
    stated, bock = tag.strip().lower(), game.tables.variants.bock
    known = {NORMAL_ROUND: True, BOCK_ROUND: bock.played, RAMSCH_ROUND: bock.ramsch_after}
    if not known.get(stated, False):
        expected = f"rules with {stated.capitalize()} rounds" if stated in known else ROUNDS
        return finding("R009", read=f"{tag} round", expected=expected, part="tag/Round")
    if game.round is not None and game.round != stated:
        due = f"a {game.round} round, by the deals before"
        return finding("R009", read=f"{tag} round", expected=due, part="tag/Round")
    game.round = stated
    return None


# --- handing the skat on ----------------------------------------------------------------


def pick_up(game: Game, step: PickUp, number: int) -> Diagnostic | None:
    """A seat looks at the skat it was handed."""
    fault = _turn(game, step, number)
    if fault is not None:
        return fault
    if game.looking is not None:
        return finding("D002", step=number, expected="once")
    return _take(game, step.seat, step.cards, number)


def push(game: Game, step: Push, number: int) -> Diagnostic | None:
    """A seat hands two cards on, or leaves the skat lying; rearhand puts them away."""
    if not game.is_ramsch:
        return _refused(number, "a push", "a Ramsch before it")
    fault = _turn(game, step, number)
    if fault is not None:
        return fault
    if step.cards is None:
        if game.looking is not None:
            return _refused(number, "unseen", "two cards, as the skat was taken up")
        if game.knocked >> step.seat & 1:
            return _refused(number, "unseen", "two cards, as a knock was before it")
        game.unseen |= 1 << step.seat
        game.pushed += 1
        return None
    if game.looking is None and (taken := _take(game, step.seat, None, number)) is not None:
        return taken
    cards = step.cards
    if len(cards) != placing.SIZES[AWAY]:
        return finding("D004", step=number, count=len(cards), expected="2 cards")
    if cards[0] == cards[1] != HIDDEN:
        return finding("D006", step=number, card=name(cards[0]), expected="two different cards")
    for card in cards:
        if card != HIDDEN and not game.possible[AWAY] >> card & 1:
            return finding(
                "D005", step=number, card=name(card), read=name(card),
                expected="a card of the hand or the skat",
            )  # fmt: skip
    jacks = mask(cards) & game.tables.members[game.contract or 0][TRUMP]
    if jacks and game.tables.variants.ramsch.jacks == "unseen-only":
        return _refused(number, names(cards), "no jack, unless the skat is left lying")
    _put_away(game, cards)
    game.looking = None
    game.pushed += 1
    return None


def _turn(game: Game, step: PickUp | Push, number: int) -> Diagnostic | None:
    if game.tables.variants.ramsch.pushes == "none":
        return finding(
            "D017",
            step=number,
            read="Handing the skat on",
            expected="a step of these rules",
            topic=TOPIC,
        )
    if game.playing or game.pushed == len(SEAT_NAMES):
        return _refused(number, step.word, "each seat once, before the lead")
    if step.seat != game.pushed:
        return _refused(number, f"{game.name(step.seat)}'s", f"{SEAT_NAMES[game.pushed]}'s turn")
    return None


def _take(game: Game, seat: int, shown: tuple[int, ...] | None, number: int) -> Diagnostic | None:
    """Join hand and skat; what the record shows of the skat must be what was handed on."""
    if shown is not None:
        seen, known = mask(shown), len(shown) - shown.count(HIDDEN)
        if len(shown) != placing.SIZES[AWAY]:
            return finding("R003", step=number, count=len(shown), expected="2 cards")
        if seen & ~game.possible[AWAY] or seen.bit_count() != known:
            expected = "the two cards handed on"
            return finding("R004", step=number, read=names(shown), expected=expected)
        if not game.exact:
            game.possible = placing.assign(game.possible, seen, (AWAY,))
            if known == len(shown):
                game.possible[AWAY] = seen
    own: Mask = game.possible[seat] | game.possible[AWAY]
    game.possible = list(game.possible)
    game.possible[seat] = game.possible[AWAY] = own
    game.looking = seat
    return None


def _put_away(game: Game, cards: tuple[int, ...]) -> None:
    away = mask(cards)
    game.possible = placing.assign(game.possible, away, (AWAY,))
    if HIDDEN in cards:
        game.exact = False
    else:
        game.possible[AWAY] = away


def _refused(number: int, read: str, expected: str) -> Diagnostic:
    return finding("D021", step=number, read=read, expected=expected)


def unfinished(game: Game, number: int) -> Diagnostic | None:
    """Fault a lead before every seat has handed the skat on, where these rules ask for it."""
    if game.tables.variants.ramsch.pushes == "none" or game.pushed == len(SEAT_NAMES):
        return None
    return _refused(number, "the lead", f"{SEAT_NAMES[game.pushed]} to hand the skat on")


def knock(game: Game, step: Knock, number: int) -> Diagnostic | None:
    """A player knocks: once, before the lead, and not who left the skat lying."""
    rules = game.tables.variants.ramsch
    in_round = game.round in (RAMSCH_ROUND, None) and game.tables.variants.bock.ramsch_after
    in_rounds_only = rules.knock == "ramsch-rounds"
    if rules.knock == "refused" or (in_rounds_only and not game.tables.variants.bock.ramsch_after):
        expected = "Ramsch rounds, in which alone one may" if in_rounds_only else _A_STEP
        return finding("D017", step=number, read="Knocking", expected=expected, topic=TOPIC)
    if in_rounds_only and not in_round:
        return _refused(number, "a knock", "one in a Ramsch round")
    who = game.name(step.seat)
    if not game.is_ramsch or game.playing or game.knocked >> step.seat & 1:
        return _refused(number, f"{who} knocks", "once a player, before the lead of a Ramsch")
    if game.unseen >> step.seat & 1:
        return _refused(number, f"{who} knocks", "no knock by one who left the skat lying")
    game.knocked |= 1 << step.seat
    return None
