"""Kontra, Re, Bock, Hirsch: who may double a declared game, when, and in which order."""

from __future__ import annotations

from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine.state import Game
from skatspec.engine.variants import ramsch
from skatspec.record import NO_NUMBER, AuctionEnd, Bid, Double, Hold
from skatspec.rules.tables import BID

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
    has_played = game.played[step.seat] or game.hidden_plays[step.seat]
    if game.playing and (rules.until == "lead" or has_played):
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
    """Say whether a seat can have bid or held the value asked for."""
    least = game.tables.variants.kontra.bidder_said
    if game.steps and isinstance(game.steps[0], AuctionEnd):
        return _may_have_said_by_the_end(game, seat, game.steps[0].value)
    last = 0
    for step in game.steps:
        if isinstance(step, Bid):
            last = step.value
        if isinstance(step, (Bid, Hold)) and step.seat == seat and last >= least:
            return True
    # without any auction on record, only a game that had none says that nobody spoke
    return not game.auction_recorded and not ramsch.without_bid(game)


def _may_have_said_by_the_end(game: Game, seat: int, value: int) -> bool:
    """Say the same where only the auction's end is recorded.

    Beyond the least value either defender can have said it on the way. The least itself was
    then said last: by the declarer, unless he has held it against the one who bids to him.
    """
    tables, least = game.tables, game.tables.variants.kontra.bidder_said
    if value == NO_NUMBER or value > least:
        return True
    states = [one for one in tables.auction if one.moves[BID] >= 0]
    hears = {(one.speaker, tables.auction[one.moves[BID]].speaker) for one in states}
    # who bids the lowest value has nobody's bid to hold before
    first = least == tables.bids[0] and any(who == game.declarer for who, _ in hears)
    return value == least and (seat, game.declarer) in hears and not first
