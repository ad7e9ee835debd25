"""How a deal ends off the cards: giving up, claims, offences, cards laid open, timeout, leaving.

What such an end is worth is for outcome.py; here stands only when it takes effect.
"""

from __future__ import annotations

from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine import declaration, exposure
from skatspec.engine.state import (
    CLAIMED,
    EARLY,
    LEFT,
    OFFENCE,
    OPEN,
    PENALTY,
    RESIGNED,
    RULED,
    SHOWN,
    THROWN,
    TIMED_OUT,
    Game,
)
from skatspec.engine.variants import gifts
from skatspec.record import (
    Agree,
    Claim,
    EarlyPlay,
    Gift,
    Leave,
    OutOfTurn,
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

OFFENCES = (Revoke, WrongLead, OutOfTurn)


def take(game: Game, step: Step, number: int) -> Diagnostic | None:
    """Take a step that is neither a call, nor part of the declaration, nor a card."""
    if isinstance(step, (Timeout, Leave)):
        _stop(game, step)
        return None
    if isinstance(step, EarlyPlay):
        return _early_play(game, step, number)
    if game.contract is None:
        read = {"resign": "giving up", "show": "showing cards"}.get(step.word, step.word)
        return finding("P011", step=number, read=read, expected="a declaration")
    if isinstance(step, Gift):
        return gifts.give(game, step, number)
    if game.is_ramsch:
        return _unknown(step, number)  # no declarer, no party, nothing to give up or claim
    if isinstance(step, Ruling):
        game.ruling = step
        _end(game, RULED, step.seat)
        return None
    if isinstance(step, Show):
        return _show(game, step, number)
    if isinstance(step, ThrowOpen):
        if not game.tables.throw_open_ends:
            return _unknown(step, number)
        exposure.end(game, THROWN, step.seat)
        return None
    if isinstance(step, Resign):
        return _resign(game, step, number)
    if isinstance(step, Claim):
        return _claim(game, step, number)
    if isinstance(step, Agree):
        return gifts.agree(game, step, number) if game.gifts else _agree(game, step, number)
    if isinstance(step, Refuse):
        return _refuse(game, step, number)
    if isinstance(step, OFFENCES):
        if not game.tables.offence_ends:
            return _unknown(step, number)
        _end(game, OFFENCE, step.seat)
        return None
    raise AssertionError(f"unknown step {step!r}")


def lapse(game: Game) -> None:
    """Drop an offer that nobody took up: a card was played instead."""
    game.gifts = 0
    if game.offered is not None:
        game.resigned &= ~(1 << game.offered.seat)
        game.offered, game.agreed = None, 0


def left_open(game: Game) -> Diagnostic | None:
    """Fault a record that ends with a concession which lacks its consent."""
    if game.ended == OPEN and isinstance(game.offered, Resign):
        return finding(
            "P012", step=game.offered_in, who=game.name(game.offered.seat),
            count=game.left_in_hand(game.offered.seat), expected="a defender who agrees",
        )  # fmt: skip
    return None


def _show(game: Game, step: Show, number: int) -> Diagnostic | None:
    by_defender = step.seat != game.declarer
    if by_defender and not game.tables.defender_show_ends:
        return finding("D001", step=number, who=game.name(step.seat), expected="the declarer")
    if step.cards is not None:
        fault = declaration.show(game, step.seat, step.cards, number, "P009")
        if fault is not None:
            return fault
    if by_defender:
        exposure.end(game, SHOWN, step.seat)
    return None


def _early_play(game: Game, step: EarlyPlay, number: int) -> Diagnostic | None:
    if not game.tables.early_play_loses:
        return _unknown(step, number)
    if game.contract is not None:
        return finding("P016", step=number, expected="before the declaration")
    fault = declaration.actor(game, step, number)
    if fault is None:
        _end(game, EARLY, step.seat)
    return fault


def _resign(game: Game, step: Resign, number: int) -> Diagnostic | None:
    if game.resigned >> step.seat & 1:
        return finding("P008", step=number, who=game.name(step.seat), expected="once a player")
    game.resigned |= 1 << step.seat
    if step.seat == game.declarer:
        if game.left_in_hand(step.seat) < game.tables.concede_alone:
            game.offered, game.offered_in, game.agreed = step, number, 0
        else:
            _end(game, RESIGNED, step.seat)
        return None
    defenders = (game.resigned & ~(1 << (game.declarer or 0))).bit_count()
    if defenders >= game.tables.endings["resign"].defenders:
        _end(game, RESIGNED, step.seat)
    return None


def _claim(game: Game, step: Claim, number: int) -> Diagnostic | None:
    if step.seat != game.declarer:
        return finding("D001", step=number, who=game.name(step.seat), expected="the declarer")
    if not game.tables.claim_consents:
        return _unknown(step, number)
    game.offered, game.offered_in, game.agreed = step, number, 0
    return None


def _agree(game: Game, step: Agree, number: int) -> Diagnostic | None:
    offered = game.offered
    if offered is None or step.seat == offered.seat:
        return finding("P013", step=number, who=game.name(step.seat), expected="an offer before it")
    game.agreed |= 1 << step.seat
    if isinstance(offered, Resign):
        _end(game, RESIGNED, offered.seat)
    elif game.agreed.bit_count() >= game.tables.claim_consents:
        game.claimed = offered.levels
        _end(game, CLAIMED, offered.seat)
    return None


def _refuse(game: Game, step: Refuse, number: int) -> Diagnostic | None:
    offered = game.offered
    if offered is None:
        return gifts.refuse(game, step, number)
    if step.seat == offered.seat:
        return finding("P013", step=number, who=game.name(step.seat), expected="an offer before it")
    lapse(game)
    return None


def _unknown(step: Step, number: int) -> Diagnostic:
    return finding("P014", step=number, read=step.word, expected="what these rules know")


def _end(game: Game, how: str, seat: int) -> None:
    game.ended, game.ended_in, game.ended_by = how, len(game.tricks) + 1, seat


def _stop(game: Game, step: Timeout | Leave) -> None:
    """A timeout or a player leaving: ends the game, or the deal before there is a game."""
    if isinstance(step, Timeout):
        game.timed_out = step.seat
    else:
        game.left = step.seat
    if game.contract is not None:
        _end(game, TIMED_OUT if isinstance(step, Timeout) else LEFT, step.seat)
        return
    _end(game, PENALTY, step.seat)
    if game.tables.penalty_before_declaration and game.declarer not in (None, step.seat):
        game.penalized = [seat != game.declarer for seat in range(3)]
    else:
        game.penalized[step.seat] = True
