"""Which rules the kernel knows: every other profile is for the scalar engine alone."""

from __future__ import annotations

from skatspec.record import SPITZE
from skatspec.rules import Rules
from skatspec.rules.tables import CONTRACTS, GRAND_KIND, NULL_KIND, SUIT_KIND, Tables
from skatspec.rules.variants import NEVER, Variants

# What the kernel's tables have room for (flat.py): states of the auction, values of bids.
MOST_STATES, BIDS = 60, 500
_KINDS = (SUIT_KIND, SUIT_KIND, SUIT_KIND, SUIT_KIND, GRAND_KIND, NULL_KIND)


def fits(rules: Rules) -> bool:
    """Say whether the kernel plays and settles by these rules as the scalar engine does.

    No variant may be switched on, and the auction and the contracts must be of the shape that
    the kernel reads; every number, order and switch in them is free.
    """
    tables = rules.tables
    return _plain(tables.variants) and _no_spitze(tables) and _shaped(tables)


def _plain(variants: Variants) -> bool:
    off = (variants.ramsch.played == NEVER, variants.gifts.played == NEVER)
    return all(off) and not (variants.kontra.calls or variants.bock.played or variants.revolution)


def _no_spitze(tables: Tables) -> bool:
    return all(full < 0 or not full & SPITZE for row in tables.announce for full in row)


def _shaped(tables: Tables) -> bool:
    games = range(len(CONTRACTS))
    trumps = [bool(order) for order in tables.trumps[: len(CONTRACTS)]]
    return (
        tables.kind[: len(_KINDS)] == _KINDS
        and trumps == [kind != NULL_KIND for kind in _KINDS]
        and all(tables.base[game] > 0 for game in games if trumps[game])
        and len(tables.auction) <= MOST_STATES
        and tables.auction_start >= 0
        and 0 <= tables.implied_bid_state < len(tables.auction)
        and tables.bids[0] > 0
        and tables.bids[-1] < BIDS
    )
