"""Mutants that are other tables: bidding, announcements, thresholds, prices, endings.

Each changes the fewest cells that make the rule another; the values are wrong on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ
from skatspec.rules.tables import (
    BID,
    CONTRACT,
    GRAND_KIND,
    LEVEL_NAMES,
    NO_MOVE,
    NULL_KIND,
    PASS,
    SUIT_KIND,
    WON_BY,
    Ending,
    Tables,
)
from tests.mutants_cards import exchanged
from tests.mutants_matrix import Mutant, TableChange


def setting(**changes: Any) -> TableChange:
    """Change fields of every profile; a profile that has the new value is left as it is."""
    return lambda tables: replace(tables, **changes)


def where(name: str, old: Any, new: Any) -> TableChange:
    """Change a field of those profiles that have the old value."""
    return lambda t: replace(t, **{name: new}) if getattr(t, name) == old else t


# --- auction ----------------------------------------------------------------------------


def bids(keep: Callable[[Tables], Sequence[int]]) -> TableChange:
    def changed(tables: Tables) -> Tables:
        values = tuple(keep(tables))
        return replace(tables, bids=values, bid_ok=frozenset(values))

    return changed


def without_null_values(tables: Tables) -> list[int]:
    only_null = [
        value for value in tables.null_values
        if all(value % base for base in tables.base if base)
    ]  # fmt: skip
    return [value for value in tables.bids if value not in only_null]


def every_number(tables: Tables) -> list[int]:
    return list(range(tables.bids[0], tables.bids[-1] + 1))


def up_to_a_hundred(tables: Tables) -> list[int]:
    return [value for value in tables.bids if value < 100]


def move(state: str, event: int, target: int) -> TableChange:
    """Let one call lead elsewhere in the auction."""

    def changed(tables: Tables) -> Tables:
        states = tuple(
            replace(one, moves=exchanged(one.moves, {event: target})) if one.name == state else one
            for one in tables.auction
        )
        return replace(tables, auction=states)

    return changed


def rearhand_first(tables: Tables) -> Tables:
    """Let rearhand and middlehand change their parts in the auction."""
    part = {1: 2, 2: 1}
    end = {WON_BY[1]: WON_BY[2], WON_BY[2]: WON_BY[1]}
    states = []
    for one in tables.auction:
        bid, hold, passed = (end.get(target, target) for target in one.moves)
        speaker = part.get(one.speaker, one.speaker)
        states.append(replace(one, speaker=speaker, moves=(bid, hold, passed)))
    return replace(tables, auction=tuple(states))


def rearhand_not_asked(tables: Tables) -> Tables:
    """End the auction where middlehand and forehand are done."""
    tables = move("f-answers-m", PASS, WON_BY[1])(tables)
    return move("m-asks-f", PASS, WON_BY[0])(tables)


def forehand_only_passes(tables: Tables) -> Tables:
    """Leave forehand nothing but to pass in, said or implied by a declaration."""
    return replace(move("f-alone", BID, NO_MOVE)(tables), implied_bid_state=tables.auction_start)


def forehand_only_at_the_lowest(tables: Tables) -> Tables:
    states = tuple(
        replace(one, only=tables.bids[:1]) if one.name == "f-alone" else one
        for one in tables.auction
    )
    return replace(tables, auction=states)


# --- announcements ----------------------------------------------------------------------


def announce(change: Callable[[int, int, int], int], kinds: Sequence[int]) -> TableChange:
    """Change what stated modifiers stand for; `change` gets the kind, them, and what they meant."""

    def changed(tables: Tables) -> Tables:
        rows = [
            tuple(change(kind, stated, full) for stated, full in enumerate(row))
            if kind in kinds else row
            for kind, row in enumerate(tables.announce)
        ]  # fmt: skip
        return replace(tables, announce=tuple(rows))

    return changed


SUIT_AND_GRAND = (SUIT_KIND, GRAND_KIND)


def ouvert_alone(kind: int, stated: int, full: int) -> int:
    """Let an Ouvert include Hand and no level."""
    if full < 0 or not stated & OUVERT:
        return full
    return full & ~((SCHNEIDER | SCHWARZ) & ~stated)


def schwarz_alone(kind: int, stated: int, full: int) -> int:
    """Let an announced Schwarz include no announced Schneider."""
    if full < 0 or not stated & SCHWARZ or stated & OUVERT:
        return full
    return full & ~(SCHNEIDER & ~stated)


def levels_in_null(tables: Tables) -> Tables:
    """Let a Null be announced Schneider or Schwarz, as a Hand game is; it is worth no more."""
    row = tuple(
        stated if full < 0 and stated < 2 * OUVERT else full
        for stated, full in enumerate(tables.announce[NULL_KIND])
    )
    return replace(tables, announce=exchanged(tables.announce, {NULL_KIND: row}))


def levels_without_hand(tables: Tables) -> Tables:
    """Let Schneider and Schwarz be announced once the skat is taken up."""
    announced, needs_hand = list(tables.announce), list(tables.needs_hand)
    for kind in SUIT_AND_GRAND:
        full, needs = list(announced[kind]), list(needs_hand[kind])
        for stated in range(1, len(full)):
            plain = not stated & (HAND | OUVERT) and stated & (SCHNEIDER | SCHWARZ)
            if plain and full[stated | HAND] >= 0:
                full[stated], needs[stated] = full[stated | HAND] & ~HAND, False
        announced[kind], needs_hand[kind] = tuple(full), tuple(needs)
    return replace(tables, announce=tuple(announced), needs_hand=tuple(needs_hand))


def hand_with_the_skat(tables: Tables) -> Tables:
    """Let Hand be announced by one who has taken the skat up."""
    rows = tuple(exchanged(row, {HAND: False}) for row in tables.needs_hand)
    return replace(tables, needs_hand=rows)


# --- values -----------------------------------------------------------------------------


def base(contract: str, value: int) -> TableChange:
    number = CONTRACT[contract]
    return lambda tables: replace(tables, base=exchanged(tables.base, {number: value}))


def no_level(name: str, value: int = 0) -> TableChange:
    at = LEVEL_NAMES.index(name)
    return lambda tables: replace(tables, steps=exchanged(tables.steps, {at: value}))


def null_value(old_bits: int, value: int) -> TableChange:
    """Give the Null of one kind another value; `old_bits` are HAND and OUVERT where they count."""

    def changed(tables: Tables) -> Tables:
        row = tuple(
            value if bits & (HAND | OUVERT) == old_bits else old
            for bits, old in enumerate(tables.null_values)
        )
        return replace(tables, null_values=row)

    return changed


def matadors_from_spades(tables: Tables) -> Tables:
    """Let the run begin at the jack of spades."""
    rows = [(row[1], row[0], *row[2:]) if row else row for row in tables.trumps]
    return replace(tables, trumps=tuple(rows))


def ending(word: str, **changes: Any) -> TableChange:
    """Change how a stop is settled; `changes` map a field to (old, new)."""

    def changed(tables: Tables) -> Tables:
        one = tables.endings[word]
        new = {
            name: values[1]
            for name, values in changes.items()
            if getattr(one, name) == values[0]
        }  # fmt: skip
        values = {spec.name: getattr(one, spec.name) for spec in fields(Ending)} | new
        return replace(tables, endings={**tables.endings, word: Ending(**values)})

    return changed


def every_ending(**changes: Any) -> TableChange:
    def changed(tables: Tables) -> Tables:
        for word in tables.endings:
            tables = ending(word, **changes)(tables)
        return tables

    return changed


def missed_ends(tables: Tables) -> Tables:
    """End the game where an announcement is missed, if it is to be played on."""
    tables = where("schneider_missed", "open", "ends")(tables)
    return where("schwarz_missed", "open", "ends")(tables)


_CHANGES: dict[str, TableChange] = {
    "forehand-leads": setting(leader=1),
    "dealt-in-packets": where("packets", (3, 0, 4, 3), (3, 4, 0, 3)),
    "null-values-are-bids": bids(without_null_values),
    "bid-values": bids(every_number),
    "bids-beyond-a-hundred": bids(up_to_a_hundred),
    "bid-order": rearhand_first,
    "rearhand-bids-last": rearhand_not_asked,
    "forehand-may-take-18": forehand_only_passes,
    "forehand-alone-any-value": forehand_only_at_the_lowest,
    "three-passes-pass-in": move("f-alone", PASS, WON_BY[0]),
    "hand-leaves-the-skat": hand_with_the_skat,
    "announcements-need-hand": levels_without_hand,
    "ouvert-includes-schwarz": announce(ouvert_alone, SUIT_AND_GRAND),
    "schwarz-includes-schneider": announce(schwarz_alone, SUIT_AND_GRAND),
    "null-has-no-levels": levels_in_null,
    "win-at-61": setting(win_points=60),
    "schneider-at-30": setting(schneider_points=31),
    "own-levels-count": setting(own_levels=False),
    "own-levels-need-a-trick": setting(own_levels_need_trick=False),
    "loss-doubles": setting(loss_factor=1),
    "hand-loss-doubles": where("hand_loss_factor", 2, 1),
    "hand-loss-single": where("hand_loss_factor", 1, 2),
    "base-value-diamonds": base("diamonds", 8),
    "base-value-hearts": base("hearts", 9),
    "base-value-spades": base("spades", 10),
    "base-value-clubs": base("clubs", 13),
    "base-value-grand": base("grand", 20),
    "grand-ouvert-at-36": setting(ouvert_base=(0,) * len(CONTRACT)),
    "game-is-a-level": no_level("game"),
    "hand-is-a-level": no_level("hand"),
    "schneider-is-a-level": no_level("schneider"),
    "schneider-announced-is-a-level": no_level("schneider_announced"),
    "schwarz-is-a-level": no_level("schwarz"),
    "schwarz-announced-is-a-level": no_level("schwarz_announced"),
    "ouvert-is-a-level": no_level("ouvert"),
    "spitze-is-a-level": no_level("spitze"),
    "matadors-from-the-club-jack": matadors_from_spades,
    "null-at-23": null_value(0, 24),
    "null-hand-at-35": null_value(HAND, 36),
    "null-ouvert-at-46": null_value(OUVERT, 48),
    "null-ouvert-hand-at-59": null_value(HAND | OUVERT, 60),
    "null-decided-by-a-trick": setting(null_lost="open"),
    "missed-announcement-played-on": missed_ends,
    "missed-level-charged": where("missed", "promised", "announcement-only"),
    "missed-announcement-only": where("missed", "announcement-only", "promised"),
    "missed-higher-level-counts": setting(missed_schneider_schwarz=False),
    "value-equal-to-the-bid": setting(bid_above=True),
    "null-below-the-bid-refused": setting(null_refused=False),
    "offence-ends": setting(offence_ends=False),
    "early-play-loses": setting(early_play_loses=False),
    "concession-needs-nine-cards": where("concede_alone", 9, 8),
    "one-defender-concedes": ending("resign", defenders=(1, 2)),
    "two-defenders-concede": ending("resign", defenders=(2, 1)),
    "concession-is-simple": every_ending(settled=("simple", "remainder")),
    "the-rest-goes-to-the-others": every_ending(settled=("remainder", "simple")),
    "claim-needs-both": where("claim_consents", 2, 1),
    "thrown-open-ends": setting(throw_open_ends=False),
    "defender-shows-ends": setting(defender_show_ends=False),
    "penalty-before-declaration": setting(penalty_before_declaration=False),
}

MUTANTS = {tag: Mutant(tag, tables=change) for tag, change in _CHANGES.items()}
