"""What a Ramsch costs: points or a fixed price, the skat, ties, Jungfrau, Durchmarsch.

Card points are those of tricks; prices and scores are ledger points, one a seat, F M R.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skatspec.engine.facts import TRICKS, Line, Settlement
from skatspec.engine.state import UNKNOWN_SEAT, Game
from skatspec.record import SEAT_NAMES
from skatspec.rules.tables import Tables
from skatspec.rules.variants import RamschRules

Three = tuple[int, int, int]
SEATS = range(3)
TOPIC = "ramsch"


@dataclass(frozen=True, slots=True)
class RamschFacts:
    """What a Ramsch came to, a figure a seat.

    `points` are card points of the tricks won (the skat's apart, in `skat`), `tricks` their
    number, `last` the number of each seat's last trick (0: none), `doublings` how many
    times the skat was left lying or somebody knocked.
    """

    points: Three
    tricks: Three
    skat: int
    last: Three
    doublings: int = 0


def facts_of(game: Game, skat: int) -> RamschFacts | None:
    """Return what a replayed Ramsch came to, None while its tricks are not all known.

    `skat` are the card points of the cards put away.
    """
    if len(game.tricks) < TRICKS:
        return None
    points, tricks, last = [0, 0, 0], [0, 0, 0], [0, 0, 0]
    for number, trick in enumerate(game.tricks, start=1):
        if trick.winner == UNKNOWN_SEAT or trick.low != trick.high:
            return None
        points[trick.winner] += trick.low
        tricks[trick.winner] += 1
        last[trick.winner] = number
    doublings = game.knocked.bit_count()
    if game.tables.variants.ramsch.unseen == "doubles":
        doublings += game.unseen.bit_count()
    one, two, three = zip(points, tricks, last, strict=True)
    return RamschFacts(
        (one[0], two[0], three[0]), (one[1], two[1], three[1]), skat,
        (one[2], two[2], three[2]), doublings,
    )  # fmt: skip


def settle(tables: Tables, facts: RamschFacts) -> Settlement:
    """Return the itemised outcome; its `scores` are signed ledger points a seat."""
    rules = tables.variants.ramsch
    lines: list[Line] = []
    if TRICKS in facts.tricks and rules.march:
        return _march(facts, rules, lines)
    counted = list(facts.points)
    if rules.skat == "last-trick":
        taker = max(SEATS, key=lambda seat: facts.last[seat])
        counted[taker] += facts.skat
        lines.append(Line(TOPIC, f"the skat's {facts.skat} points go to {SEAT_NAMES[taker]}"))
    most = max(counted)
    tied = [seat for seat in SEATS if counted[seat] == most]
    losers = _losers(rules, facts, tied)
    pool = tables.total_points - (facts.skat if rules.skat == "not-counted" else 0)
    counts = _counts(pool, counted, losers)
    if not losers:
        lines.append(Line(TOPIC, f"all have {most} points; nobody loses", value=0))
        return _settlement(0, (0, 0, 0), (), counts, lines)
    if rules.skat == "loser":
        lines.append(Line(TOPIC, f"the skat's {facts.skat} points are added to the loser's"))
        most += facts.skat
        counts = [most if seat in losers else counts[seat] for seat in SEATS]
    names = " and ".join(SEAT_NAMES[seat] for seat in losers)
    lines.append(Line(TOPIC, f"{names}: {most} points, the most"))
    price, factor = _price(rules, facts, most, lines)
    value = price * factor * _doublings(facts, lines)
    loss: float = value
    if rules.tie == "share" and len(losers) == 2:
        loss = value / 2 if value % 2 else value // 2
        lines.append(Line(TOPIC, f"the loss of {value} is shared"))
    lines.append(Line(TOPIC, f"lost: {-loss:+g}"))
    one, two, three = (-loss if seat in losers else 0 for seat in SEATS)
    return _settlement(value, (one, two, three), losers, counts, lines)


def _march(facts: RamschFacts, rules: RamschRules, lines: list[Line]) -> Settlement:
    seat = facts.tricks.index(TRICKS)
    value = rules.march
    lines.append(Line(TOPIC, f"{SEAT_NAMES[seat]} takes all tricks: {value:+d}", value=value))
    if rules.march_factors == "count":
        value *= _doublings(facts, lines)
    one, two, three = (value if other == seat else 0 for other in SEATS)
    skat = 0 if rules.skat == "not-counted" else facts.skat
    counted = [facts.points[seat] + skat if other == seat else 0 for other in SEATS]
    return _settlement(value, (one, two, three), (), counted, lines, won=True)


def _losers(rules: RamschRules, facts: RamschFacts, tied: Sequence[int]) -> tuple[int, ...]:
    if len(tied) == len(SEATS):
        return () if rules.all_tied == "nobody" else tuple(tied)
    if len(tied) == 2 and rules.tie == "later-trick":
        return (max(tied, key=lambda seat: facts.last[seat]),)
    return tuple(tied)


def _price(
    rules: RamschRules, facts: RamschFacts, amount: int, lines: list[Line]
) -> tuple[int, int]:
    """Return the price and its factor, by the number of players without a trick."""
    without = facts.tricks.count(0)
    if rules.price == "fixed":
        price = rules.fixed[without]
        lines.append(Line(TOPIC, f"{without} without a trick: {price}", value=price))
        return price, 1
    if without == 1 and rules.jungfrau == "doubles":
        lines.append(Line(TOPIC, "one player without a trick: times 2"))
        return amount, 2
    return amount, 1


def _doublings(facts: RamschFacts, lines: list[Line]) -> int:
    if not facts.doublings:
        return 1
    factor = 1 << facts.doublings
    often = {1: "once", 2: "twice"}.get(facts.doublings, f"{facts.doublings} times")
    lines.append(Line(TOPIC, f"doubled {often}: times {factor}"))
    return factor


def _counts(pool: int, counted: Sequence[int], losers: Sequence[int]) -> list[int]:
    """Return what each seat counts; beside two losers the third has all else of the pool."""
    if len(losers) != 2:
        return list(counted)
    rest = pool - sum(counted[seat] for seat in losers)
    return [counted[seat] if seat in losers else rest for seat in SEATS]


def _settlement(
    value: int,
    scores: tuple[float, float, float],
    losers: Sequence[int],
    counted: Sequence[int],
    lines: list[Line],
    won: bool = False,
) -> Settlement:
    flags = (0 in losers, 1 in losers, 2 in losers)
    one, two, three = counted
    return Settlement(
        value, won, 0, False, tuple(lines), scores=scores, losers=flags, counted=(one, two, three)
    )
