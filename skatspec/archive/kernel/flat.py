"""A profile's tables as one array: what the kernel is given as arguments, never as globals.

Numba freezes global tables and does not notice a changed one, so the tables travel with
every call; as one flat array, since a call that hands over many costs more than a card.
Words of a profile become small numbers here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from skatspec.archive.kernel.answers import CODES
from skatspec.archive.kernel.fitting import BIDS, MOST_STATES
from skatspec.diagnostics import Severity
from skatspec.record import MODIFIERS
from skatspec.rules import Profile, Rules
from skatspec.rules.tables import CONTRACTS, KINDS, LEVEL_NAMES, TRUMP, Tables

CARDS, CLASSES, EVENTS, SWITCHES = 32, TRUMP + 1, 3, 40
# A contract may have every card for a trump.
MOST_TRUMPS = CARDS
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
    "may_bid": BIDS,                    # [value]: the states in which it may be called, bits
    "errors": len(CODES),               # [code]: whether the profile has it for an error
    "switches": SWITCHES,
}  # fmt: skip
_OFFSETS = dict(zip(_SIZES, np.cumsum([0, *_SIZES.values()]).tolist(), strict=False))
FOLLOW, MEMBERS, BEATS, POINTS, TRUMPS = (
    _OFFSETS[name] for name in ("follow", "members", "beats", "points", "trumps")
)
BASE, OUVERT_BASE, OUVERT_LEVELS, KIND, NULL_VALUES = (
    _OFFSETS[name] for name in ("base", "ouvert_base", "ouvert_level", "kind", "null_values")
)
ANNOUNCE, NEEDS_HAND, STEPS, SPEAKER, MOVES, MAY_BID, ERRORS, _FIRST = (
    _OFFSETS[name]
    for name in (
        "announce", "needs_hand", "steps", "speaker", "moves", "may_bid", "errors", "switches",
    )
)  # fmt: skip
# The switches, each at its place in the flat array.
(
    WIN_POINTS, SCHNEIDER_POINTS, TOTAL_POINTS, OWN_LEVELS, OWN_LEVELS_NEED_TRICK, BID_ABOVE,
    LOSS_FACTOR, HAND_LOSS_FACTOR, MISSED_PRICE, MISSED_SCHNEIDER_SCHWARZ, OVERBID_PRICE,
    LEADER_SEAT, NULL_ENDS, SCHNEIDER_ENDS, SCHWARZ_ENDS, CONCEDE_ALONE, RESIGN_DEFENDERS,
    RESIGN_REMAINDER, TIMEOUT_REMAINDER, LEAVE_REMAINDER, PENALTY_BEFORE, FLAGS_MISSED,
    FLAGS_MISSED_NO_TRICK, AUCTION_START, IMPLIED_STATE, LOWEST_BID, NULL_REFUSED, MOST_ASIDE,
    HALF_DECLARATION, DEFENDER_ENDS, *_FREE,
) = range(_FIRST, _FIRST + SWITCHES)  # fmt: skip
# Words of a profile as numbers, in the order of these tuples.
MISSED = ("none", "announcement-only", "promised")
PRICES = ("smallest-multiple", "base-value")
FLAGS = ("unjudged", "zero", "set")
EARLY = ("open", "decided", "ends")
NOTHING_FOLLOWS = EARLY.index("ends")


def flat_tables(rules: Rules) -> Any:
    """Return a profile's tables as one int64 array; the rules must be such as fit (fitting.py)."""
    tables = rules.tables
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
        "may_bid": _may_bid(tables),
        "errors": _errors(rules.profile),
        "switches": _switches(tables),
    }  # fmt: skip
    flat = np.zeros(sum(_SIZES.values()), np.int64)
    for name, numbers in values.items():
        row = [int(number) for number in numbers]
        if len(row) > _SIZES[name]:
            raise AssertionError(f"the table {name} has grown")
        flat[_OFFSETS[name] : _OFFSETS[name] + len(row)] = row
    return flat


def _may_bid(tables: Tables) -> list[int]:
    """Return for each value the states in which it may be called, as bits."""
    states = [0] * BIDS
    for at, state in enumerate(tables.auction):
        for bid in tables.bids:
            if not state.only or bid in state.only:
                states[bid] |= 1 << at
    return states


def _flat(rows: Iterable[Iterable[int]]) -> list[int]:
    return [int(number) for row in rows for number in row]


def _errors(profile: Profile) -> list[bool]:
    return [bool(code) and profile.severity(code) is Severity.ERROR for code in CODES]


def _switches(tables: Tables) -> list[int]:
    endings = tables.endings
    return [
        tables.win_points, tables.schneider_points, tables.total_points, tables.own_levels,
        tables.own_levels_need_trick, tables.bid_above, tables.loss_factor,
        tables.hand_loss_factor, MISSED.index(tables.missed), tables.missed_schneider_schwarz,
        PRICES.index(tables.overbid_price), tables.leader, EARLY.index(tables.null_lost),
        EARLY.index(tables.schneider_missed), EARLY.index(tables.schwarz_missed),
        tables.concede_alone,
        endings["resign"].defenders, endings["resign"].settled == "remainder",
        endings["timeout"].settled == "remainder", endings["leave"].settled == "remainder",
        tables.penalty_before_declaration, FLAGS.index(tables.flags_after_missed),
        FLAGS.index(tables.flags_after_missed_without_trick), tables.auction_start,
        tables.implied_bid_state, tables.bids[0], tables.null_refused, tables.most_aside,
        tables.half_declaration_skat_only, tables.defender_show_ends,
    ]  # fmt: skip
