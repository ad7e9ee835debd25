"""A profile's tables as two arrays: what the kernel is given as arguments, never as globals.

Numba freezes global tables and does not notice a changed one, so the tables travel with
every call; as one flat array, since a call that hands over many costs more than a card.
Words of a profile become small numbers here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from skatspec.record import MODIFIERS
from skatspec.rules.tables import CONTRACTS, KINDS, LEVEL_NAMES, TRUMP, Tables

CARDS, CLASSES, MOST_TRUMPS, MOST_STATES, EVENTS, BIDS = 32, TRUMP + 1, 11, 64, 3, 500
BITS = 1 << len(MODIFIERS)
GAMES = len(CONTRACTS)

# Where each table begins in the flat array, and how long it is.
_SIZES = {
    "follow": GAMES * CARDS,            # [contract, card]
    "members": GAMES * CLASSES,         # [contract, class], masks
    "beats": GAMES * CLASSES * CARDS,   # [contract, led class, card]
    "points": CARDS,                    # [card]
    "trumps": GAMES * MOST_TRUMPS,      # [contract, place from the top], -1: none
    "base": GAMES,
    "ouvert_base": GAMES,
    "ouvert_level": GAMES,
    "kind": GAMES,
    "null_values": BITS,                # [announcements]
    "announce": len(KINDS) * BITS,      # [kind, announcements], -1: not legal
    "needs_hand": len(KINDS) * BITS,
    "steps": len(LEVEL_NAMES),
    "speaker": MOST_STATES,             # [state]
    "moves": MOST_STATES * EVENTS,      # [state, event]
    "switches": 26,
}  # fmt: skip
_OFFSETS = dict(zip(_SIZES, np.cumsum([0, *_SIZES.values()]).tolist(), strict=False))
FOLLOW, MEMBERS, BEATS, POINTS, TRUMPS = (
    _OFFSETS[name] for name in ("follow", "members", "beats", "points", "trumps")
)
BASE, OUVERT_BASE, OUVERT_LEVELS, KIND, NULL_VALUES = (
    _OFFSETS[name] for name in ("base", "ouvert_base", "ouvert_level", "kind", "null_values")
)
ANNOUNCE, NEEDS_HAND, STEPS, SPEAKER, MOVES, _SWITCHES = (
    _OFFSETS[name] for name in ("announce", "needs_hand", "steps", "speaker", "moves", "switches")
)
# The switches, each at its place in the flat array.
(
    WIN_POINTS, SCHNEIDER_POINTS, TOTAL_POINTS, OWN_LEVELS, OWN_LEVELS_NEED_TRICK, BID_ABOVE,
    LOSS_FACTOR, HAND_LOSS_FACTOR, MISSED_PRICE, MISSED_SCHNEIDER_SCHWARZ, OVERBID_PRICE,
    LEADER_SEAT, NULL_ENDS, SCHNEIDER_ENDS, SCHWARZ_ENDS, CONCEDE_ALONE, RESIGN_DEFENDERS,
    RESIGN_REMAINDER, TIMEOUT_REMAINDER, LEAVE_REMAINDER, PENALTY_BEFORE, FLAGS_MISSED,
    FLAGS_MISSED_NO_TRICK, AUCTION_START, IMPLIED_STATE, LOWEST_BID,
) = range(_SWITCHES, _SWITCHES + 26)  # fmt: skip
# Words of a profile as numbers, in the order of these tuples.
MISSED = ("none", "announcement-only", "promised")
PRICES = ("smallest-multiple", "base-value")
FLAGS = ("unjudged", "zero", "set")


def flat_tables(tables: Tables) -> tuple[Any, Any]:
    """Return a profile's tables as one int64 array, and `[state, value]`: what may be bid."""
    values = {
        "follow": _flat(tables.follow[:GAMES]),
        "members": _flat(tables.members[:GAMES]),
        "beats": _flat(row for contract in tables.beats[:GAMES] for row in contract),
        "points": tables.points[:CARDS],
        "trumps": _flat((*order, *[-1] * (MOST_TRUMPS - len(order)))
                        for order in tables.trumps[:GAMES]),
        "base": tables.base[:GAMES],
        "ouvert_base": tables.ouvert_base[:GAMES],
        "ouvert_level": tables.ouvert_level[:GAMES],
        "kind": tables.kind[:GAMES],
        "null_values": tables.null_values,
        "announce": _flat(tables.announce),
        "needs_hand": _flat(tables.needs_hand),
        "steps": tables.steps,
        "speaker": [state.speaker for state in tables.auction],
        "moves": _flat(state.moves for state in tables.auction),
        "switches": _switches(tables),
    }  # fmt: skip
    flat = np.zeros(sum(_SIZES.values()), np.int64)
    for name, numbers in values.items():
        row = [int(number) for number in numbers]
        if len(row) > _SIZES[name]:
            raise AssertionError(f"the table {name} has grown")
        flat[_OFFSETS[name] : _OFFSETS[name] + len(row)] = row
    may_bid = np.zeros((len(tables.auction), BIDS), np.bool_)
    for at, state in enumerate(tables.auction):
        open_bids = [bid for bid in tables.bids if bid < BIDS]
        may_bid[at, [bid for bid in open_bids if not state.only or bid in state.only]] = True
    return flat, may_bid


def _flat(rows: Iterable[Iterable[int]]) -> list[int]:
    return [int(number) for row in rows for number in row]


def _switches(tables: Tables) -> list[int]:
    endings = tables.endings
    return [
        tables.win_points, tables.schneider_points, tables.total_points, tables.own_levels,
        tables.own_levels_need_trick, tables.bid_above, tables.loss_factor,
        tables.hand_loss_factor, MISSED.index(tables.missed), tables.missed_schneider_schwarz,
        PRICES.index(tables.overbid_price), tables.leader, tables.null_lost != "open",
        tables.schneider_missed != "open", tables.schwarz_missed != "open", tables.concede_alone,
        endings["resign"].defenders, endings["resign"].settled == "remainder",
        endings["timeout"].settled == "remainder", endings["leave"].settled == "remainder",
        tables.penalty_before_declaration, FLAGS.index(tables.flags_after_missed),
        FLAGS.index(tables.flags_after_missed_without_trick), tables.auction_start,
        tables.implied_bid_state, tables.bids[0],
    ]  # fmt: skip
