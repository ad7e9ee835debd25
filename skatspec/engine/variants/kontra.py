"""Kontra, Re, Bock, Hirsch: who may double a declared game, when, and in which order."""

from __future__ import annotations

from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine.state import Game
from skatspec.record import AuctionEnd, Bid, Double, Hold

TOPIC = "kontra"


def double(game: Game, step: Double, number: int) -> Diagnostic | None:
    """Take a call that doubles; defenders and declarer take turns, in the profile's order."""
    rules = game.tables.variants.kontra
    if step.call not in rules.calls:
        read = step.call.capitalize()
        return finding(
            "D017", step=number, read=read, expected="a call of these rules", topic=TOPIC
        )
    if game.is_ramsch or game.contract is None:
        return _refused(step, number, "a declared game")
    if game.doubles == len(rules.calls) or step.call != rules.calls[game.doubles]:
        called = [call.capitalize() for call in rules.calls[game.doubles :]]
        return _refused(step, number, called[0] if called else "no further call")
    by_defender = game.doubles % 2 == 0
    if (step.seat != game.declarer) != by_defender:
        who = "a defender" if by_defender else game.name(game.declarer or 0)
        return _refused(step, number, f"{who} to say it")
    if game.playing and (rules.until == "lead" or game.played[step.seat]):
        return _refused(step, number, f"it before {_until(rules.until)}")
    if game.doubles == 0 and rules.who == "bidder" and not _may_have_said(game, step.seat):
        return _refused(step, number, f"one who has said or held {rules.bidder_said}")
    game.doubles += 1
    return None


def _refused(step: Double, number: int, expected: str) -> Diagnostic:
    return finding("D019", step=number, read=step.call.capitalize(), expected=expected)


def _until(word: str) -> str:
    return "the lead" if word == "lead" else "one's own first card"


def _may_have_said(game: Game, seat: int) -> bool:
    """Say whether a seat can have bid or held the value asked for.

    Where only the auction's end is recorded: the value that was said last was held against
    by somebody else unless it is the least, and then by forehand alone.
    """
    least = game.tables.variants.kontra.bidder_said
    last, ends = 0, [step for step in game.steps if isinstance(step, AuctionEnd)]
    if ends:
        value = ends[0].value
        return value > least or (value == least and game.declarer == game.tables.leader)
    for step in game.steps:
        if isinstance(step, Bid):
            last = step.value
        if isinstance(step, (Bid, Hold)) and step.seat == seat and last >= least:
            return True
    # without any auction on record, only a game that had none says that nobody spoke
    return not game.auction_recorded and game.round is None
