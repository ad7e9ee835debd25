"""From a replayed game to what it can be worth: every figure as the set of its possible values.

A figure that the record settles is a set of one. Where cards are hidden, play is
missing or the auction is not recorded, the set holds what some completion gives; it
may be wider than the truth needs, never narrower.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from skatspec.engine import early, exposure, offence, placing, settlement
from skatspec.engine.placing import AWAY
from skatspec.engine.settlement import Facts, Settlement
from skatspec.engine.state import (
    CLAIMED,
    EARLY,
    GIVEN,
    LEFT,
    OFFENCE,
    OPEN,
    PASSED_IN,
    PENALTY,
    RESIGNED,
    RULED,
    SHOWN,
    THROWN,
    TIMED_OUT,
    UNKNOWN_SEAT,
    Game,
)
from skatspec.engine.variants import doubling, ramsch, ramsch_price, spitze
from skatspec.record import HAND, SPITZE, Result
from skatspec.rules.tables import Tables

_ENDING_WORD = {RESIGNED: "resign", TIMED_OUT: "timeout", LEFT: "leave"}
TRICKS = settlement.TRICKS


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a replayed deal came to.

    `points` and `tricks` are the declarer's at the end, `matadors` signed, each the
    possible values in ascending order. `settlements` are the different outcomes, one
    where the record settles it. `reason` names what is missing where it does not.
    """

    matadors: Sequence[int] = ()
    points: Sequence[int] = ()
    tricks: Sequence[int] = ()
    settlements: tuple[Settlement, ...] = ()
    reason: str = ""

    @property
    def settled(self) -> Settlement | None:
        """Return the one settlement, None where there are several or none."""
        return self.settlements[0] if len(self.settlements) == 1 else None


def outcome(game: Game, stated: Result | None = None) -> Outcome:
    """Settle a replayed game.

    `stated` is the record's own account: its points and tricks stand for a play that it
    does not contain, its matadors for cards of which it contains none.
    """
    if game.is_ramsch:
        return _ramsch(game)
    if game.ended == EARLY:
        found = doubling.doubled(game, settlement.distinct(early.settlements(game)))
        return Outcome(early.matadors(game), (), (0,), found, "the bid or matadors")
    if game.ended in (PASSED_IN, PENALTY) or game.contract is None or game.declarer is None:
        return Outcome()
    tables = game.tables
    matadors = _matadors(game)
    if stated is not None and game.miscounted:
        matadors = _believed(matadors, stated.matadors)
    if game.ended in (THROWN, SHOWN):
        return _laid_open(game, matadors)
    points, tricks, conceded = _figures(game)
    no_play = not game.tricks and not game.cards and game.ended == OPEN
    if no_play and stated is not None:
        points, tricks = _stated(tables, points, tricks, stated.points, stated.tricks)
        if not game.deal_recorded:
            matadors = _believed(matadors, stated.matadors)
    bids = _possible_bids(game)
    single = len(matadors) == len(points) == len(tricks) == len(bids) == 1
    if single and game.exact and not game.hand_open:
        # the common case, spared the product below
        facts = _facts(game, matadors[0], bids[0], points[0], tricks[0], conceded)
        if game.ended == OFFENCE:
            facts = offence.awarded(game, [facts])[0]
        found = doubling.doubled(game, (settlement.settle(tables, facts),))
        return Outcome(matadors, points, tricks, found, "" if len(found) == 1 else "the round")
    return _spread(game, matadors, points, tricks, bids, conceded)


def believing(game: Game, came_to: Outcome, result: Result) -> Outcome:
    """Settle again with the figures that the record states taken for true where they are possible.

    What the record leaves open must agree with all it states: this tells whether its score
    can go with its own points, tricks and matadors.
    """
    if game.is_ramsch or game.ended == EARLY:
        return came_to
    if game.ended in (THROWN, SHOWN):
        return _laid_open(game, _believed(came_to.matadors, result.matadors), result)
    points, tricks = _stated(
        game.tables, came_to.points, came_to.tricks, result.points, result.tricks
    )
    matadors = _believed(came_to.matadors, result.matadors)
    bids = _possible_bids(game)
    return _spread(game, matadors, points, tricks, bids, _figures(game)[2])


def _believed(possible: Sequence[int], stated: int | None) -> Sequence[int]:
    """Return what is stated where it is possible, else all that is."""
    return (stated,) if stated is not None and stated in possible else possible


def _laid_open(game: Game, matadors: Sequence[int], result: Result | None = None) -> Outcome:
    """Settle a game that somebody laid his cards open in, for each party the rest can go to."""
    parts = []
    for to_declarer in game.rest:
        points, tricks, conceded = _figures(game, to_declarer)
        if result is not None:
            points, tricks = _stated(game.tables, points, tricks, result.points, result.tricks)
        part = _spread(
            game, matadors, points, tricks, _possible_bids(game), conceded, to_declarer=to_declarer
        )
        parts.append(part)
    if result is not None:
        told = [
            one for one in parts
            if result.points in (None, *one.points) and result.tricks in (None, *one.tricks)
        ]  # fmt: skip
        parts = told or parts
    if len(parts) == 1:
        return parts[0]
    found = settlement.distinct(one for part in parts for one in part.settlements)
    return Outcome(
        matadors,
        sorted({points for part in parts for points in part.points}),
        sorted({tricks for part in parts for tricks in part.tricks}),
        tuple(found), "whether the declarer could win a trick" * (len(found) > 1),
    )  # fmt: skip


def _ramsch(game: Game) -> Outcome:
    """Settle a Ramsch whose tricks are all on record; else nothing is known of its price."""
    aside = _aside_points(game)
    facts = ramsch_price.facts_of(game, aside[0]) if len(aside) == 1 else None
    if facts is None:
        return Outcome(reason="the tricks of the Ramsch")
    found = doubling.doubled(game, (ramsch_price.settle(game.tables, facts),))
    return Outcome(settlements=found, reason="" if len(found) == 1 else "the round")


def _facts(
    game: Game,
    matadors: int,
    bid: int | None,
    points: int,
    tricks: int,
    conceded: bool | None,
    to_declarer: bool = False,
) -> Facts:
    twelve = game.twelve()
    levels, why = 0, None
    if game.ended == CLAIMED:
        levels, why = game.claimed, ("claim", "the claim was accepted")
    elif game.ended == GIVEN:
        why = ("gift", "the defenders gave the game up")
    elif game.ended in (THROWN, SHOWN):
        why = exposure.why(game, to_declarer)
    elif game.ended == RULED and game.ruling is not None:
        levels, why = game.ruling.levels, ("ruling", f"ruled ({game.ruling.source})")
    return Facts(
        game.contract or 0, game.modifiers, matadors, bid, points, tricks, conceded,
        levels=levels, why=why,
        trick_complete=bool(game.tricks) or game.ended == OPEN,  # an open game is played on
        spitze_made=not game.modifiers & SPITZE or spitze.made(game)[0],
        twelve=twelve if twelve.bit_count() == 12 else None,
    )  # fmt: skip


def _spread(
    game: Game,
    matadors: Sequence[int],
    points: Sequence[int],
    tricks: Sequence[int],
    bids: Sequence[int | None],
    conceded: bool | None,
    to_declarer: bool = False,
) -> Outcome:
    tables = game.tables
    if not (matadors and points and tricks and bids):
        return Outcome(matadors, points, tricks, (), "the figures that do not fit together")
    facts = _facts(game, matadors[0], bids[0], points[0], tricks[0], conceded, to_declarer)
    options = settlement.spread(
        tables, facts, matadors=matadors, bids=bids, points=points, tricks=tricks
    )
    if game.ended == OFFENCE:
        options = offence.awarded(game, options)
    excluded = game.excluded if game.ended == THROWN or to_declarer else (0,)
    made = spitze.made(game)
    options = [replace(one, excluded=levels) for one in options for levels in excluded]
    options = [replace(one, spitze_made=kept) for one in options for kept in made]
    if game.hand_open:
        options += [replace(one, modifiers=one.modifiers & ~HAND) for one in options]
    if game.is_null and facts.twelve is None:
        found = _open_null(game, options)
    else:
        found = tuple(settlement.settle_all(tables, options))
    found = doubling.doubled(game, found)
    open_figures = (
        ("the bid", bids), ("matadors", matadors), ("points", points), ("tricks", tricks),
        ("whether Hand was played", (0,) * (1 + game.hand_open)), ("the Spitze", made),
        ("the round", doubling.bock_factors(game)), ("which levels can be had", excluded),
    )  # fmt: skip
    open_words = [word for word, values in open_figures if len(values) > 1]
    return Outcome(matadors, points, tricks, found, ", ".join(open_words * (len(found) > 1)))


def _open_null(game: Game, options: list[Facts]) -> tuple[Settlement, ...]:
    """Settle a Null whose declarer's twelve cards are unknown: below its bid it is a game of any
    matadors that the cards allow.
    """
    tables, value = game.tables, game.tables.null_value(game.contract or 0, game.modifiers)
    found = [
        settlement.settle(tables, f) for f in options if settlement.covers(tables, value, f.bid)
    ]
    below = {f.bid for f in options if f.bid and not settlement.covers(tables, value, f.bid)}
    if below:
        runs = [
            (contract, run)
            for contract, order in enumerate(tables.trumps)
            if order
            for run in placing.matadors(order, game.possible, (game.declarer or 0, AWAY))
        ]
        for bid in sorted(below):
            found += settlement.open_impossible_null(tables, options[0], bid, runs)
    return tuple(settlement.distinct(found))


def _possible_bids(game: Game) -> Sequence[int | None]:
    """Return the bid, or what may have been bid where it is not recorded, one of each price.

    None is the bid of a game that is not tested against any.
    """
    tables = game.tables
    ruled_won = game.ended == RULED and game.ruling is not None and game.ruling.won
    if game.ended == GIVEN or ruled_won or ramsch.without_bid(game):
        return (None,)  # who won is settled, whatever was bid
    if game.bid is not None:
        return (game.bid,)
    if game.is_null and tables.null_refused:
        value = tables.null_value(game.contract or 0, game.modifiers)
        return [bid for bid in tables.bids if settlement.covers(tables, value, bid)]
    if game.is_null or tables.bid_above:
        return tables.bids
    # Bids that the same multiple of the base value covers come to the same price.
    base = tables.base[game.contract or 0]
    return tuple({-(-bid // base): bid for bid in tables.bids}.values())


def _matadors(game: Game) -> Sequence[int]:
    tables, contract = game.tables, game.contract or 0
    order = tables.trumps[contract]
    if not order:
        return (0,)
    if game.picked_up and not game.discarded and _stopped_half_declared(game):
        return placing.matadors(order, game.dealt, (AWAY,))
    declarer = game.declarer or 0
    if game.ruling is not None and not game.ruling.skat_counts:
        return placing.matadors(order, game.possible, (declarer,))
    if game.exact:
        return (tables.matadors(contract, game.twelve()),)
    return placing.matadors(order, game.possible, (declarer, AWAY))


def _stopped_half_declared(game: Game) -> bool:
    return (
        game.tables.half_declaration_skat_only
        and game.ended in (TIMED_OUT, LEFT)
        and not game.tricks
        and not game.cards
    )


@dataclass(slots=True)
class _Tally:
    """Tricks and card points (lowest, highest) of one party, or of tricks nobody is sure of."""

    tricks: int = 0
    low: int = 0
    high: int = 0


def _figures(
    game: Game, to_declarer: bool = False
) -> tuple[Sequence[int], Sequence[int], bool | None]:
    """Return the declarer's possible points and tricks, and who wins a game given up.

    `to_declarer` says that the rest is his after cards were laid open.
    """
    own, other, unsure = _Tally(), _Tally(), _Tally()
    for trick in game.tricks:
        party = own if trick.winner == game.declarer else other
        if trick.winner == UNKNOWN_SEAT:
            party = unsure
        party.tricks += 1
        party.low += trick.low
        party.high += trick.high
    conceded = _conceded(game)
    if game.ended in _ENDING_WORD:
        to_declarer = conceded is None and game.ended_by != game.declarer
    elif game.ended == RULED and game.rest:
        to_declarer = game.rest[0] if len(game.rest) == 1 else bool(conceded)
    if to_declarer and not game.is_null:
        # the unfinished trick included: who ends the game has only what he has won
        return (
            _range(game.tables.total_points - other.high - unsure.high,
                   game.tables.total_points - other.low),
            range(TRICKS - other.tricks - unsure.tricks, TRICKS - other.tricks + 1),
            conceded,
        )  # fmt: skip
    if game.ended == OPEN or len(game.tricks) == TRICKS:
        to_come = TRICKS - len(game.tricks)
        floor = 0 if to_come else game.tables.total_points - other.high - unsure.high
        points = _range(max(own.low, floor), game.tables.total_points - other.low)
        return points, range(own.tricks, own.tricks + unsure.tricks + to_come + 1), conceded
    return _stopped(game, own, unsure), range(own.tricks, own.tricks + unsure.tricks + 1), conceded


def _conceded(game: Game) -> bool | None:
    """Return who wins a game that is not settled by points and tricks, None for one that is."""
    by_declarer = game.ended_by == game.declarer
    if game.ended in (CLAIMED, GIVEN):
        return True
    if game.ended == RULED and game.ruling is not None:
        return game.ruling.won
    if game.ended in _ENDING_WORD and (game.is_null or given_up_simply(game)):
        return not by_declarer
    if game.ended in (THROWN, SHOWN) and game.is_null and by_declarer:
        return False  # the rest without a trick would be the declarer's win
    return None


def given_up_simply(game: Game) -> bool:
    """Say whether the game was stopped and is not settled by points and tricks."""
    word = _ENDING_WORD.get(game.ended)
    if game.ended in (CLAIMED, GIVEN, OFFENCE, RULED):
        return True
    return word is not None and game.tables.endings[word].settled == "simple"


def _range(low: int, high: int) -> Sequence[int]:
    return range(max(0, low), high + 1)


def _stopped(game: Game, own: _Tally, unsure: _Tally) -> Sequence[int]:
    """Return the points of a deal that ended with cards in hand: tricks won and cards aside."""
    aside = _aside_points(game)
    if own.low == own.high and not unsure.tricks:
        return [own.low + points for points in aside]
    if not aside:
        return ()
    return _range(own.low + min(aside), own.high + unsure.high + max(aside))


def _aside_points(game: Game) -> Sequence[int]:
    """Return the possible card points of the cards put away, the skat as it lay before that."""
    if game.picked_up and not game.discarded and _stopped_half_declared(game):
        return placing.away_points(game.dealt, game.tables.points)
    if game.exact and (game.discarded or not game.picked_up):
        away = game.possible[AWAY]
        points = game.tables.points
        return (sum([points[card] for card in range(32) if away >> card & 1]),)
    return placing.away_points(game.possible, game.tables.points)


def _stated(
    tables: Tables,
    points: Sequence[int],
    tricks: Sequence[int],
    stated_points: int | None,
    stated_tricks: int | None,
) -> tuple[Sequence[int], Sequence[int]]:
    if stated_points is not None and stated_points in points:
        points = (stated_points,)
    if stated_tricks is not None and stated_tricks in tricks:
        tricks = (stated_tricks,)
    fitting_tricks = [
        t for t in tricks if any(settlement.possible_together(tables, p, t) for p in points)
    ]
    return points, fitting_tricks or tricks
