"""Auctions through the profile's automaton: jumps, holds, passes, a first bid left unsaid."""

from __future__ import annotations

from bisect import bisect_right

from skatspec.conformance.generator import moves, plan
from skatspec.conformance.generator.game import Game
from skatspec.conformance.generator.plan import Chance
from skatspec.conformance.generator.table import SEATS, Table
from skatspec.rules.tables import BID, HOLD, NO_MOVE, PASS, PASSED_IN, WON_BY


def auction(table: Table, chance: Chance, game: Game) -> None:
    """Add the calls of an auction, with its declarer and bid; none where all have passed."""
    tables = table.tables
    ladder, states = table.ladder, tables.auction
    limits = [_limit(ladder, chance) for _ in range(SEATS)]
    state, last, said = tables.auction_start, 0, game.moves
    while state >= 0:
        at = states[state]
        seat = at.speaker
        limit = limits[seat]
        event = PASS
        if at.moves[HOLD] != NO_MOVE:
            if limit >= last:
                event = HOLD
        elif limit:
            if state == tables.implied_bid_state and not last and chance() < plan.IMPLIED_BID:
                game.implied, game.declarer, game.bid = True, seat, ladder[0]
                break
            value = at.only[0] if at.only else _higher(ladder, last, limit, chance)
            if value:
                event, last = BID, value
        if event == PASS and not table.may_pass_in and at.moves[PASS] == PASSED_IN:
            event, last = BID, at.only[0] if at.only else ladder[0]
        if event == BID:
            said.append(moves.bid(seat, last))
        else:
            said.append((moves.HOLDS if event == HOLD else moves.PASSES)[seat])
        state = at.moves[event]
    game.calls = len(said)
    if state in WON_BY:
        game.declarer, game.bid = WON_BY.index(state), last


def _limit(ladder: tuple[int, ...], chance: Chance) -> int:
    if chance() < plan.NO_BID:
        return 0
    among = min(plan.LADDER.pick(chance), len(ladder))
    return ladder[int(chance() * among)]


def _higher(ladder: tuple[int, ...], last: int, limit: int, chance: Chance) -> int:
    """Return the next value, or one further up, 0 where it would be beyond the limit."""
    at = bisect_right(ladder, last)
    most = bisect_right(ladder, limit)
    if at >= most:
        return 0
    if chance() < plan.JUMP:
        at += int(chance() * min(most - at, 8))
    return ladder[at]
