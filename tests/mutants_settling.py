"""Mutants of what a game is worth: skat, matadors, levels, bid, Null, offences, endings.

A function here takes the right one of the engine and returns the wrong one. The right one
does the work wherever it can, on other facts or with its answer changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from skatspec.cards import Mask
from skatspec.engine import outcome
from skatspec.engine.facts import Facts, Line, Settlement
from skatspec.engine.placing import AWAY
from skatspec.engine.state import CLAIMED, Game
from skatspec.record import HAND, SCHNEIDER
from skatspec.rules.tables import NULL_KIND, Tables
from tests.mutants_matrix import Function, Mutant, Patch
from tests.mutants_play import DECLARATION, answering

LEVELS, OUTCOME = "skatspec.engine.levels", "skatspec.engine.outcome"
NULL = "skatspec.engine.null"
OFFENCE, EXPOSURE = "skatspec.engine.offence", "skatspec.engine.exposure"


def on_other(
    change: Callable[[Tables, Any], Any],
) -> Callable[[Function], Function]:
    """Return a patch that asks the right function about changed facts: (tables, facts, ...)."""

    def patch(right: Function) -> Function:
        return lambda tables, facts, *rest, **words: right(
            tables, change(tables, facts), *rest, **words
        )

    return patch


# --- what the game came to --------------------------------------------------------------


def skat_not_counted(right: Function) -> Function:
    """Count card points without those of the cards put away."""

    def wrong(game: Game, to_declarer: bool = False) -> Any:
        points, tricks, conceded = right(game, to_declarer)
        aside = outcome._aside_points(game)
        if len(aside) == 1:
            points = [max(0, one - aside[0]) for one in points]
        return points, tricks, conceded

    return wrong


def ten_cards(right: Function) -> Function:
    """Count the declarer's cards without the two put away."""
    return lambda game: 0 if game.declarer is None else game.possible[game.declarer]


def facts_of_ten_cards(right: Function) -> Function:
    """Let an impossible Null be counted over the ten cards too."""

    def wrong(game: Game, *args: Any, **words: Any) -> Facts:
        facts: Facts = right(game, *args, **words)
        return replace(facts, twelve=game.twelve() if game.exact else None)

    return wrong


def placed_in_hand(right: Function) -> Function:
    def wrong(order: Sequence[int], possible: Sequence[Mask], own: Sequence[int]) -> Any:
        return right(order, possible, tuple(one for one in own if one != AWAY) or own)

    return wrong


def jacks_counted(right: Function) -> Function:
    """Count all jacks held with the first, or missing with it, whatever gap there is."""

    def wrong(tables: Tables, contract: int, held: Mask) -> int:
        run: int = right(tables, contract, held)
        jacks = tables.trumps[contract][:4]
        top = [card for card in jacks if bool(held >> card & 1) == (run > 0)]
        if not run or abs(run) >= len(jacks):
            return run
        return len(top) if run > 0 else -len(top)

    return wrong


def four_at_most(run: int) -> int:
    return max(-4, min(4, run))


def run_of_four(right: Function) -> Function:
    return lambda tables, contract, held: four_at_most(right(tables, contract, held))


def four_matadors(tables: Tables, facts: Facts) -> Facts:
    return replace(facts, matadors=four_at_most(facts.matadors))


def without_counts_one(tables: Tables, facts: Facts) -> Facts:
    return replace(facts, matadors=max(-1, facts.matadors))


# --- levels -----------------------------------------------------------------------------


def schwarz_by_points(tables: Tables, facts: Facts) -> Facts:
    """Take all card points for all tricks, and none for none."""
    if facts.conceded is not None:
        return facts
    tricks = {0: 0, tables.total_points: 10}.get(facts.points, 5)
    return replace(facts, tricks=tricks)


def missed_without_loss(right: Function) -> Function:
    return lambda tables, facts: replace(right(tables, facts), missed=False)


def missed_level_twice(right: Function) -> Function:
    """Charge the promised Schneider again where the declarer is Schneider himself."""

    def wrong(tables: Tables, facts: Facts) -> list[Line]:
        lines: list[Line] = right(tables, facts)
        own = facts.conceded is None and facts.points <= tables.schneider_points
        if own and tables.own_levels and facts.modifiers & SCHNEIDER:
            lines.append(Line("schneider", "Schneider", 1))
        return lines

    return wrong


def bid_not_tested(right: Function) -> Function:
    return lambda tables, bid, own_value, base, lines: (own_value, False)


def overbid_at_own_value(right: Function) -> Function:
    def wrong(tables: Tables, bid: int | None, own_value: int, base: int, lines: Any) -> Any:
        _, overbid = right(tables, bid, own_value, base, lines)
        return own_value, overbid

    return wrong


def _made(lines: Sequence[Line]) -> int:
    """Return the multiples of levels made and not announced."""
    words = {line.text: line.multiple for line in lines}
    return sum(
        words.get(level, 0)
        for level in ("Schneider", "Schwarz") if f"{level} announced" not in words
    )  # fmt: skip


def levels_do_not_save(right: Function) -> Function:
    """Test the bid against the value without the levels made; a game not overbid is worth all."""

    def wrong(tables: Tables, bid: int | None, own_value: int, base: int, lines: Any) -> Any:
        tested = own_value - base * _made(lines)
        value, overbid = right(tables, bid, tested, base, lines)
        return (max(value, own_value), True) if overbid else (own_value, False)

    return wrong


def levels_after_rounding(right: Function) -> Function:
    """Add the levels made to the multiple that covers the bid."""

    def wrong(tables: Tables, bid: int | None, own_value: int, base: int, lines: Any) -> Any:
        value, overbid = right(tables, bid, own_value, base, lines)
        return value + base * _made(lines) * overbid, overbid

    return wrong


# --- Null -------------------------------------------------------------------------------


def one_trick_is_none(tables: Tables, facts: Facts) -> Facts:
    return replace(facts, tricks=max(0, facts.tricks - 1))


def without_bid(tables: Tables, facts: Facts) -> Facts:
    return replace(facts, bid=None)


def null_at_its_value(right: Function) -> Function:
    """Charge an impossible Null at the Null's own value."""

    def wrong(tables: Tables, facts: Facts, bid: int) -> Settlement:
        value = tables.null_value(facts.contract, facts.modifiers)
        return Settlement(value, False, -tables.loss_factor * value, True)

    return wrong


def hand_not_inherited(tables: Tables, facts: Facts) -> Facts:
    return replace(facts, modifiers=facts.modifiers & ~HAND)


def matadors_alone_charged(right: Function) -> Function:
    """Charge a covering game at its own value, whether it reaches the bid or not."""
    return lambda tables, facts, bid, contract, run: right(tables, facts, 0, contract, run)


def dearest_first(right: Function) -> Function:
    return lambda tables, facts, bid: right(tables, facts, bid)[::-1]


# --- offences, concessions, cards laid open ---------------------------------------------


def innocent_pays(right: Function) -> Function:
    return lambda tables, facts, *, by_declarer, **words: right(
        tables, facts, by_declarer=not by_declarer, **words
    )


def win_not_kept(right: Function) -> Function:
    """Let a party that has won already lose all the same by its own offence."""

    def wrong(
        tables: Tables, facts: Facts, *, by_declarer: bool, against: int, against_tricks: int
    ) -> Facts:
        # not a point more than the declarer's win leaves the defenders
        undecided = min(against, tables.total_points - tables.win_points)
        said: Facts = right(
            tables, facts, by_declarer=by_declarer, against=undecided, against_tricks=against_tricks
        )
        if by_declarer and said.conceded and tables.kind[facts.contract] != NULL_KIND:
            return replace(said, conceded=False, levels=0)
        return said

    return wrong


def level_out_of_reach(right: Function) -> Function:
    """Take every level for one that the declarer could still have had, until he has lost."""

    def wrong(tables: Tables, facts: Facts, *, against: int, **words: Any) -> Facts:
        if against <= tables.total_points - tables.win_points:
            words["against_tricks"] = against = 0
        said: Facts = right(tables, facts, against=against, **words)
        return said

    return wrong


def no_level_awarded(right: Function) -> Function:
    """Give a declarer who needed a higher level nothing of it."""

    def wrong(tables: Tables, facts: Facts, **words: Any) -> Facts:
        said: Facts = right(tables, facts, **words)
        kept = facts.points >= tables.win_points
        return replace(said, levels=0) if said.conceded and not kept else said

    return wrong


def claimed_levels_ignored(right: Function) -> Function:
    def wrong(game: Game, *args: Any, **words: Any) -> Facts:
        facts: Facts = right(game, *args, **words)
        return replace(facts, levels=0) if game.ended == CLAIMED else facts

    return wrong


def levels(change: Callable[[Function], Function], function: str) -> Patch:
    return Patch(f"{LEVELS}:{function}", change)


_PATCHES: dict[str, tuple[Patch, ...]] = {
    "skat-counts-for-points": (Patch(f"{OUTCOME}:_figures", skat_not_counted),),
    "matadors-with-the-skat": (
        Patch("skatspec.engine.state:Game.twelve", ten_cards),
        Patch(f"{OUTCOME}:_facts", facts_of_ten_cards),
        Patch("skatspec.engine.placing:matadors", placed_in_hand),
    ),
    "matadors-are-a-run": (Patch("skatspec.rules.tables:Tables.matadors", jacks_counted),),
    "matadors-go-on-in-the-suit": (
        Patch("skatspec.rules.tables:Tables.matadors", run_of_four),
        levels(on_other(four_matadors), "_matador_line"),
    ),
    "without-counts-like-with": (levels(on_other(without_counts_one), "_matador_line"),),
    "schwarz-needs-no-trick": (levels(on_other(schwarz_by_points), "settle_trump"),),
    "missed-announcement-loses": (levels(missed_without_loss, "_result"),),
    "missed-level-charged-once": (levels(missed_level_twice, "_missed_levels"),),
    "bid-must-be-covered": (levels(bid_not_tested, "_against_bid"),),
    "overbid-smallest-multiple": (levels(overbid_at_own_value, "_against_bid"),),
    "levels-save-the-bid": (levels(levels_do_not_save, "_against_bid"),),
    "levels-count-before-rounding": (levels(levels_after_rounding, "_against_bid"),),
    "null-takes-no-trick": (Patch(f"{NULL}:settle_null", on_other(one_trick_is_none)),),
    "null-below-the-bid-lost": (
        Patch(f"{NULL}:settle_null", on_other(without_bid)),
        Patch(f"{DECLARATION}:_null_against_bid", answering(None)),
    ),
    "impossible-null-is-another-game": (Patch(f"{NULL}:_impossible_null", null_at_its_value),),
    "impossible-null-keeps-hand": (
        Patch(f"{NULL}:covering_value", on_other(hand_not_inherited)),
    ),
    "impossible-null-covers-the-bid": (
        Patch(f"{NULL}:covering_value", matadors_alone_charged),
    ),
    "impossible-null-cheapest": (Patch(f"{NULL}:covering_games", dearest_first),),
    "guilty-party-loses": (Patch(f"{OFFENCE}:award", innocent_pays),),
    "won-before-the-offence": (Patch(f"{OFFENCE}:award", win_not_kept),),
    "level-not-awarded-out-of-reach": (Patch(f"{OFFENCE}:award", level_out_of_reach),),
    "level-awarded-after-an-offence": (Patch(f"{OFFENCE}:award", no_level_awarded),),
    "claimed-level-counts": (Patch(f"{OUTCOME}:_facts", claimed_levels_ignored),),
    "excluded-levels-do-not-count": (Patch(f"{EXPOSURE}:_excluded", answering((0,))),),
    "shown-too-early": (Patch(f"{EXPOSURE}:_after_showing", answering((False,))),),
}  # fmt: skip

MUTANTS = {tag: Mutant(tag, code=patches) for tag, patches in _PATCHES.items()}
