"""The auction: an automaton whose states and moves are the profile's.

Nothing here knows who speaks when; `Tables.auction` does. `run` stops at the first
illegal call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skatspec.diagnostics import Diagnostic, finding
from skatspec.record import SEAT_NAMES, Bid, Hold, Pass, Step
from skatspec.rules.tables import BID, HOLD, NO_MOVE, PASS, PASSED_IN, WON_BY, Tables

CALLS = (Bid, Hold, Pass)
_EVENT: dict[type[Step], int] = {Bid: BID, Hold: HOLD, Pass: PASS}


@dataclass(frozen=True, slots=True)
class AuctionOutcome:
    """How far the calls led.

    `next` is the index of the first step that is no call. `declarer` is a seat once the
    auction is won, `passed_in` when nobody plays, both unset while it is open (`state`
    then names the open state). `bid` is the last value called or held, 0 for none.
    """

    next: int
    bid: int
    declarer: int | None = None
    passed_in: bool = False
    state: int = PASSED_IN
    fault: Diagnostic | None = None


def run(tables: Tables, steps: Sequence[Step], start: int = 0) -> AuctionOutcome:
    """Play the calls from `steps[start]` on and say how the auction came out."""
    states = tables.auction
    state = tables.auction_start
    last = 0
    passed = 0
    index = start
    for index in range(start, len(steps)):
        step = steps[index]
        event = _EVENT.get(type(step))
        if event is None:
            break
        if state < 0:
            return _faulty(index, last, finding("B005", step=index + 1, expected="no further call"))
        asked = states[state]
        target = asked.moves[event]
        seat = step.seat
        if seat != asked.speaker or target == NO_MOVE:
            return _faulty(index, last, _wrong_call(step, index, asked.speaker, passed, event))
        if type(step) is Bid:
            value = step.value
            if value <= last or value not in tables.bid_ok or asked.only:
                fault = _wrong_value(tables, value, last, asked.only, index)
                if fault is not None:
                    return _faulty(index, last, fault)
            last = value
        elif event == PASS:
            passed |= 1 << seat
        state = target
    else:
        index = len(steps)
    if state >= 0:
        return AuctionOutcome(index, last, state=state)
    if state == PASSED_IN:
        return AuctionOutcome(index, last, passed_in=True)
    return AuctionOutcome(index, last, declarer=WON_BY.index(state))


def _faulty(index: int, last: int, fault: Diagnostic) -> AuctionOutcome:
    return AuctionOutcome(index, last, fault=fault)


def _wrong_call(step: Step, index: int, speaker: int, passed: int, event: int) -> Diagnostic:
    who = SEAT_NAMES[step.seat] if step.seat in range(len(SEAT_NAMES)) else "nobody"
    expected = f"{SEAT_NAMES[speaker]} to speak"
    if step.seat == speaker:
        does = ("bid", "hold", "pass")[event]
        options = "hold or pass" if event == BID else "a bid or pass"
        return finding("B007", step=index + 1, read=does, expected=options, who=who)
    if step.seat >= 0 and passed >> step.seat & 1:
        return finding("B004", step=index + 1, expected=expected, who=who)
    return finding("B003", step=index + 1, expected=expected, who=who)


def _wrong_value(
    tables: Tables, value: int, last: int, only: tuple[int, ...], index: int
) -> Diagnostic | None:
    if value not in tables.bid_ok or (only and value not in only):
        options = only or tuple(bid for bid in tables.bids if bid > last)
        expected = "a value such as " + ", ".join(str(bid) for bid in options[:3])
        read = str(value) if value >= 0 else "this"
        return finding("B001", step=index + 1, read=read, expected=expected)
    if value <= last:
        above = next((bid for bid in tables.bids if bid > last), None)
        expected = f"at least {above}" if above else "pass, no value is left"
        return finding("B002", step=index + 1, read=value, expected=expected, last=last)
    return None
