"""Dealing: which hands a pack makes by the profile's packets, and whether a record's are those."""

from __future__ import annotations

from collections.abc import Sequence

from skatspec.cards import ALL, DECK, HIDDEN, mask, name, names
from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine.placing import AWAY
from skatspec.record import SEAT_NAMES
from skatspec.rules.tables import Tables

PLACES = (*SEAT_NAMES, "the skat")


def hands(pack: Sequence[int], tables: Tables) -> list[tuple[int, ...]]:
    """Return the hands F M R and the skat that a pack of 32, from the top, makes."""
    found: list[list[int]] = [[], [], [], []]
    at = 0
    for packet in tables.packets:
        # a packet goes to each player in turn; the skat's is laid down once
        for place in range(AWAY) if packet else (AWAY,):
            size = packet or tables.skat_size
            found[place] += pack[at : at + size]
            at += size
    return [tuple(part) for part in found]


def fault(
    pack: Sequence[int], stated: Sequence[Sequence[int] | None], tables: Tables
) -> Diagnostic | None:
    """Fault a pack that is no whole one, or that makes other hands than those stated."""
    known = [card for card in pack if card != HIDDEN]
    if len(pack) != DECK:
        return finding(
            "R008", read=f"{len(pack)} cards", expected=f"{DECK} cards from the top", part="deal/4"
        )
    if mask(known).bit_count() != len(known) or mask(known) & ~ALL:
        twice = next(card for at, card in enumerate(known) if card in known[:at])
        return finding(
            "R001", card=name(twice), other=f"deal/4/{pack.index(twice)}", read=name(twice),
            expected="32 different cards", part="deal/4",
        )  # fmt: skip
    for place, (dealt, given) in enumerate(zip(hands(pack, tables), stated, strict=True)):
        if given is None or HIDDEN in dealt:
            continue
        shown = mask(given)
        if shown & ~mask(dealt) or (HIDDEN not in given and shown != mask(dealt)):
            return finding(
                "R008", read=f"{PLACES[place]} {names(given)}", expected=names(dealt),
                part=f"deal/{place}",
            )  # fmt: skip
    return None
