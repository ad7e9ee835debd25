"""Settles a Ramsch from loose facts, a figure a seat: F, M, R.

What is not given stays open, as in settling.py, and is tried in every way in which it can
matter. Points are card points of the tricks won, without the skat's; scores are ledger
points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

from skatspec.diagnostics import Diagnostic, Verdict, finding
from skatspec.engine.facts import TRICKS, Settlement
from skatspec.engine.variants import doubling, ramsch_price
from skatspec.engine.variants.ramsch_price import RamschFacts
from skatspec.errors import UsageError
from skatspec.record import SEAT_LETTERS, SEAT_NAMES
from skatspec.rules import Rules
from skatspec.rules.tables import Tables
from skatspec.rules.variants import NEVER
from skatspec.settling_answer import Answer, contradicted, items, letters

SEATS = range(len(SEAT_NAMES))
CARDS_A_TRICK = 3
OPEN_FIGURE = "?"
TOPIC = "ramsch"

Figures = tuple[int | None, int | None, int | None]
Three = tuple[int, int, int]
NOTHING: Figures = (None, None, None)


@dataclass(frozen=True, slots=True)
class RamschQuestion:
    """The facts as given; None where a figure is not.

    `last` are seats by their last trick, the winner of the very last one first, as far as
    it is known. `doublings` counts the seats that left the skat lying or knocked.
    """

    points: Figures = NOTHING
    tricks: Figures = NOTHING
    skat: int | None = None
    last: tuple[int, ...] = ()
    doublings: int = 0
    bock: bool = False


def question(
    *,
    points: str | Sequence[int | None] | None = None,
    tricks: str | Sequence[int | None] | None = None,
    skat: int | None = None,
    last_trick: str = "",
    doublings: int = 0,
    bock: bool = False,
) -> RamschQuestion:
    """Read the facts from words; raises UsageError for words that mean nothing here."""
    seats = last_trick.strip().upper()
    if any(seat not in SEAT_LETTERS for seat in seats) or len(set(seats)) < len(seats):
        raise UsageError(f"the last trick is F's, M's or R's, not {last_trick!r}")
    last = tuple(SEAT_LETTERS.index(seat) for seat in seats)
    asked = RamschQuestion(
        _figures("points", points), _figures("tricks", tricks), skat, last, doublings, bock
    )
    # who has no trick has no points
    known = [p for p, t in zip(asked.points, asked.tricks, strict=True) if (p, t) != (None, 0)]
    if skat is None and known == [None] * len(SEATS):
        raise UsageError("a Ramsch is settled from the card points of one player at least")
    return asked


def settle(asked: RamschQuestion, rules: Rules) -> Answer:
    """Settle a Ramsch from the facts given."""
    tables = rules.tables
    if objections := list(_objections(asked, tables)):
        return contradicted(objections, rules)
    found = {
        facts: doubling.times(tables, ramsch_price.settle(tables, facts), 0, asked.bock)
        for facts in _options(asked, tables)
    }
    if not found:
        nothing = finding("S018", what="no Ramsch fits these facts", topic=TOPIC)
        return contradicted([nothing], rules)
    if len({_outcome(one) for one in found.values()}) == 1:
        return _settled(list(found.values()), rules)
    return _open(asked, found, rules)


def _figures(what: str, given: str | Sequence[int | None] | None) -> Figures:
    if given is None:
        return NOTHING
    parts: Sequence[Any] = given.replace(",", "/").split("/") if isinstance(given, str) else given
    if len(parts) != len(SEATS):
        raise UsageError(f"{what} are three figures, as 0/51/55, not {given!r}")
    one, two, three = (_figure(what, part) for part in parts)
    return (one, two, three)


def _figure(what: str, part: str | int | None) -> int | None:
    if part is None or isinstance(part, int):
        return part
    word = part.strip()
    if word in ("", OPEN_FIGURE):
        return None
    if not (word.isascii() and word.isdigit() and len(word) < 4):
        raise UsageError(f"{what} are whole numbers, and {OPEN_FIGURE} for an unknown one: {word}")
    return int(word)


# --- what cannot be ---------------------------------------------------------------------


def _objections(asked: RamschQuestion, tables: Tables) -> Iterator[Diagnostic]:
    if not_played := list(_not_played(asked, tables)):
        yield from not_played
        return
    if beyond := list(_beyond(asked, tables)):
        yield from beyond
        return
    yield from _sums(asked, tables)
    for seat in SEATS:
        points, tricks = asked.points[seat], asked.tricks[seat]
        if points is None or tricks is None:
            continue
        least, most = _tricks_for(tables.points)[points]
        if not least <= tricks <= most:
            what = f"{points} card points cannot be those of {_count(tricks)}"
            yield _impossible(what, f"{SEAT_NAMES[seat]} {points}, {tricks}")
    without = [SEAT_NAMES[seat] for seat in asked.last if asked.tricks[seat] == 0]
    if without:
        yield _impossible(f"{without[0]} has no trick, and so no last one", without[0])


def _not_played(asked: RamschQuestion, tables: Tables) -> Iterator[Diagnostic]:
    """Yield what these rules do not have."""
    variants, rules = tables.variants, tables.variants.ramsch
    if rules.played == NEVER and not variants.bock.ramsch_after:
        yield finding("D017", read="Ramsch", expected="a game of these rules", topic=TOPIC)
        return
    unseen = rules.pushes != "none" and rules.unseen == "doubles"
    knocks = rules.knock == "any-ramsch" or (
        rules.knock == "ramsch-rounds" and variants.bock.ramsch_after
    )
    if asked.doublings > 0 and not (unseen or knocks):
        yield finding(
            "D017", read="Doubling a Ramsch", expected="a step of these rules", topic=TOPIC
        )
    if asked.bock and not variants.bock.played:
        yield finding(
            "D017", read="A Bock round", expected="a round of these rules", topic="bock-round"
        )


def _beyond(asked: RamschQuestion, tables: Tables) -> Iterator[Diagnostic]:
    """Yield the single figures that can be none."""
    rows = [("card points", figure, tables.total_points) for figure in asked.points]
    rows += [("tricks", figure, TRICKS) for figure in asked.tricks]
    rows += [("doublings", asked.doublings, len(SEATS))]
    for what, figure, most in rows:
        if figure is not None and not 0 <= figure <= most:
            yield finding("S016", what=what, read=figure, expected=f"0 to {most}", topic=TOPIC)
    aside = _aside(tables)
    if asked.skat is not None and asked.skat not in aside:
        what, expected = "the skat's card points", ", ".join(map(str, aside))
        yield finding("S016", what=what, read=asked.skat, expected=expected, topic=TOPIC)


def _sums(asked: RamschQuestion, tables: Tables) -> Iterator[Diagnostic]:
    """Yield what does not add up: all card points with the skat's, ten tricks."""
    for what, figures, total in (
        ("card points with the skat's", (*asked.points, asked.skat), tables.total_points),
        ("tricks", asked.tricks, TRICKS),
    ):
        known = [figure for figure in figures if figure is not None]
        if sum(known) > total or (len(known) == len(figures) and sum(known) != total):
            text = " + ".join(str(figure) for figure in known)
            yield _impossible(f"the {what} are {total} in all, not {text} = {sum(known)}", text)


def _impossible(what: str, read: str) -> Diagnostic:
    return finding("S018", what=what, read=read, topic=TOPIC)


def _count(tricks: int) -> str:
    return f"{tricks} trick{'' if tricks == 1 else 's'}"


# --- what is open -----------------------------------------------------------------------


@cache
def _tricks_for(deck: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return for each number of card points how few and how many tricks can hold them."""
    points = sorted(deck[:-1])
    least = [sum(points[: CARDS_A_TRICK * tricks]) for tricks in range(TRICKS + 1)]
    most = [sum(points[len(points) - CARDS_A_TRICK * tricks :]) for tricks in range(TRICKS + 1)]
    rows = []
    for figure in range(sum(points) + 1):
        fitting = [t for t in range(TRICKS + 1) if least[t] <= figure <= most[t]]
        rows.append((fitting[0], fitting[-1]))
    return tuple(rows)


def _aside(tables: Tables) -> tuple[int, ...]:
    """Return the card points that the two cards of the skat can have."""
    pairs = combinations(tables.points[:-1], tables.skat_size)
    return tuple(sorted({sum(pair) for pair in pairs}))


def _options(asked: RamschQuestion, tables: Tables) -> Iterator[RamschFacts]:
    """Yield the facts in every way that what is open can matter."""
    for points, skat in _all_points(asked, tables):
        for tricks in _all_tricks(asked, points, tables):
            for last in _all_orders(asked, tricks, tables):
                yield RamschFacts(points, tricks, skat, last, asked.doublings)


def _all_points(asked: RamschQuestion, tables: Tables) -> Iterator[tuple[Three, int]]:
    """Yield card points of F, M, R and of the skat that make all there are."""
    total = tables.total_points
    ranges: list[Sequence[int]] = []
    for points, tricks in zip(asked.points, asked.tricks, strict=True):
        known = 0 if tricks == 0 else points
        ranges.append(range(total + 1) if known is None else (known,))
    ranges.append(_aside(tables) if asked.skat is None else (asked.skat,))
    # the widest follows from the others
    widest = max(range(len(ranges)), key=lambda at: len(ranges[at]))
    others = [one for at, one in enumerate(ranges) if at != widest]
    for chosen in product(*others):
        rest = total - sum(chosen)
        if rest in ranges[widest]:
            all_four = [*chosen[:widest], rest, *chosen[widest:]]
            one, two, three, skat = all_four
            yield (one, two, three), skat


def _all_tricks(asked: RamschQuestion, points: Three, tables: Tables) -> Iterator[Three]:
    """Yield one split of the tricks for each way in which players can be without one."""
    bounds = []
    for figure, given in zip(points, asked.tricks, strict=True):
        least, most = _tricks_for(tables.points)[figure]
        if given is not None:
            least, most = max(least, given), min(most, given)
        bounds.append((least, most))
    for has in product((False, True), repeat=len(SEATS)):
        own = [
            (max(least, 1), most) if some else (least, 0)
            for (least, most), some in zip(bounds, has, strict=True)
        ]
        spare = TRICKS - sum(least for least, _ in own)
        if spare < 0 or any(least > most for least, most in own):
            continue
        split = []
        for least, most in own:
            more = min(spare, most - least)
            spare -= more
            split.append(least + more)
        if not spare:
            one, two, three = split
            yield (one, two, three)


def _all_orders(asked: RamschQuestion, tricks: Three, tables: Tables) -> Iterator[Three]:
    """Yield the numbers of each seat's last trick, one of each order that can matter."""
    rules = tables.variants.ramsch
    having = [seat for seat in SEATS if tricks[seat]]
    if any(seat not in having for seat in asked.last):
        return
    orders: list[tuple[int, ...]] = [
        order for order in permutations(having) if order[: len(asked.last)] == asked.last
    ]
    if rules.tie != "later-trick" and rules.skat != "last-trick":
        orders = [()]
    elif rules.tie != "later-trick":
        # only the very last one can matter
        orders = list({order[0]: order for order in orders}.values())
    for order in orders:
        last = [0, 0, 0]
        for place, seat in enumerate(order):
            last[seat] = TRICKS - place
        yield (last[0], last[1], last[2])


# --- answers ----------------------------------------------------------------------------


def _outcome(one: Settlement) -> tuple[Any, ...]:
    return (one.value, one.scores, one.losers, one.won)


def _settled(found: Sequence[Settlement], rules: Rules) -> Answer:
    one = found[0]
    # what a figure that is still open would change is not said
    lines = [line for line in one.lines if all(line in other.lines for other in found)]
    counted = one.counted if len({other.counted for other in found}) == 1 else None
    return Answer(
        Verdict.CONSISTENT, rules.name, one.value, one.won, lines=items(lines, rules),
        scores=one.scores, losers=letters(one.losers or (False, False, False)), counted=counted,
    )  # fmt: skip


def _open(asked: RamschQuestion, found: Mapping[RamschFacts, Settlement], rules: Rules) -> Answer:
    scores = sorted({one.scores for one in found.values() if one.scores is not None})
    admissible: dict[str, list[Any]] = {
        "value": sorted({one.value for one in found.values()}),
        "scores": [list(three) for three in scores],
    }
    won = {one.won for one in found.values()}
    if len(won) > 1:
        admissible["won"] = [False, True]
    return Answer(
        Verdict.UNDETERMINED, rules.name, won=won.pop() if len(won) == 1 else None,
        admissible=admissible, missing=tuple(_missing(asked, found)),
    )  # fmt: skip


def _missing(asked: RamschQuestion, found: Mapping[RamschFacts, Settlement]) -> Iterator[str]:
    """Name the facts that would tell: those that change the outcome while the others stay."""

    def differs(key: Any) -> bool:
        groups: dict[Any, set[Any]] = {}
        for facts, one in found.items():
            groups.setdefault(key(facts), set()).add(_outcome(one))
        return any(len(group) > 1 for group in groups.values())

    def pattern(facts: RamschFacts) -> tuple[bool, ...]:
        return tuple(figure == 0 for figure in facts.tricks)

    if None in asked.points and differs(lambda facts: (pattern(facts), facts.last)):
        yield "points"
    if None in asked.tricks and differs(lambda f: (f.points, f.skat, f.last.index(max(f.last)))):
        yield "tricks"
    if differs(lambda facts: (facts.points, facts.skat, facts.tricks)):
        yield "last trick"
