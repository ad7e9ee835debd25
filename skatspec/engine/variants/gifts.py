"""Schenken: the defenders give the game up in the first trick; a refusal announces a level."""

from __future__ import annotations

from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine.state import GIVEN, Game
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ, Agree, Gift, Refuse
from skatspec.rules.tables import NULL_KIND
from skatspec.rules.variants import NEVER

TOPIC = "gift"


def give(game: Game, step: Gift | Agree, number: int) -> Diagnostic | None:
    """A defender gives the game up; it takes both."""
    if game.tables.variants.gifts.played == NEVER:
        return finding(
            "D017", step=number, read="A gift", expected="a step of these rules", topic=TOPIC
        )
    again = game.gifts >> step.seat & 1
    if game.is_ramsch or again or step.seat == game.declarer or game.tricks:
        expected = "the declarer's answer" if again else "a defender, in the first trick"
        return finding("P015", step=number, who=game.name(step.seat), expected=expected)
    game.gifts |= 1 << step.seat
    return None


def agree(game: Game, step: Agree, number: int) -> Diagnostic | None:
    """The partner joins a gift, or the declarer accepts one."""
    if step.seat != game.declarer:
        return give(game, step, number)
    if game.gifts.bit_count() < 2:
        return finding(
            "P013", step=number, who=game.name(step.seat), expected="both defenders' gift"
        )
    game.ended, game.ended_in, game.ended_by = GIVEN, len(game.tricks) + 1, step.seat
    return None


def refuse(game: Game, step: Refuse, number: int) -> Diagnostic | None:
    """The declarer refuses, and promises the next level; or the partner does not join."""
    if not game.gifts:
        return finding("P013", step=number, who=game.name(step.seat), expected="an offer before it")
    if step.seat == game.declarer:
        if game.gifts.bit_count() < 2:
            expected = "both defenders' gift"
            return finding("P013", step=number, who=game.name(step.seat), expected=expected)
        announces = game.tables.variants.gifts.announces
        if game.refusals < len(announces) and not game.is_null:
            game.modifiers |= announces[game.refusals]
            game.may_end_early = True
        game.refusals += 1
    game.gifts = 0
    return None


def hand_left_open(game: Game) -> bool:
    """Say whether an announced level may be a refused gift's, and Hand not be played at all.

    So it is where the record states the level without Hand and no pick-up.
    """
    if game.tables.variants.gifts.played == NEVER or game.picked_up:
        return False
    null = game.contract is not None and game.tables.kind[game.contract] == NULL_KIND
    announced = game.stated & (SCHNEIDER | SCHWARZ)
    return bool(announced) and not game.stated & (HAND | OUVERT) and not null
