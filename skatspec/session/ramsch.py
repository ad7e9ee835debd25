"""What the row of a Ramsch can come to: the scores its loser, or losers, can have.

One of each way in which points, tricks and the skat can matter is priced once for the
rules; a row is then looked up. Scores are ledger points, points card points.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import NamedTuple

from skatspec.diagnostics import finding
from skatspec.engine.facts import TRICKS, Settlement
from skatspec.engine.variants import doubling, ramsch_price
from skatspec.engine.variants.ramsch_price import RamschFacts
from skatspec.record import SEAT_NAMES
from skatspec.rules.tables import Tables
from skatspec.rules.variants import NEVER
from skatspec.session.possible import Outcome, Possible
from skatspec.session.scoring import whole
from skatspec.sheet import Account

SEATS = range(len(SEAT_NAMES))
TOPIC = "ramsch"


class _Priced(NamedTuple):
    """One price: how many players have it, the card points of each, whether a Bock round."""

    players: int
    points: int
    bock: bool
    outcome: Outcome


class RamschScores:
    """The scores a Ramsch of one set of rules can have."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._known: list[_Priced] | None = None

    @property
    def played(self) -> bool:
        """Say whether these rules have a Ramsch at all."""
        variants = self.tables.variants
        return variants.ramsch.played != NEVER or variants.bock.ramsch_after

    def of(self, account: Account, players: int) -> Possible:
        """Return the outcomes in which so many players have the score of the row."""
        if not self.played:
            no_game = finding("D017", read="Ramsch", expected="a game of these rules", topic=TOPIC)
            return Possible((), (no_game,))
        if self._known is None:
            self._known = list(self._all())
        fitting = [
            one.outcome
            for one in self._known
            if one.players == players
            and account.points in (None, one.points)
            and account.bock in (None, one.bock)
        ]
        if not fitting:
            what = "no Ramsch fits these entries"
            return Possible((), (finding("S018", what=what, topic=TOPIC),))
        return Possible(tuple({one.score: one for one in fitting}.values()))

    def _all(self) -> Iterator[_Priced]:
        """Yield each different price once."""
        seen: set[tuple[object, ...]] = set()
        bocks = (False, True) if self.tables.variants.bock.played else (False,)
        for facts in _facts(self.tables, 1 + len(SEATS) if self._doubles else 1):
            plain = ramsch_price.settle(self.tables, facts)
            for bock in bocks:
                settled = doubling.times(self.tables, plain, 0, bock)
                priced = _priced(settled, bock)
                if priced is not None and (key := (*priced[:3], priced.outcome.score)) not in seen:
                    seen.add(key)
                    yield priced

    @property
    def _doubles(self) -> bool:
        """Say whether leaving the skat lying, or knocking, doubles."""
        rules = self.tables.variants.ramsch
        return (rules.pushes != "none" and rules.unseen == "doubles") or rules.knock != "refused"


def _priced(settled: Settlement, bock: bool) -> _Priced | None:
    """Return the one score that players have; None where nobody loses."""
    having = [(seat, score) for seat, score in enumerate(settled.scores or (0, 0, 0)) if score]
    if not having:
        return None
    seat, score = having[0]
    amount = whole(Fraction(score))
    points = settled.counted[seat] if settled.counted else 0
    outcome = Outcome(amount, amount > 0, False, settled)
    return _Priced(len(having), points, bock, outcome)


def _facts(tables: Tables, doublings: int) -> Iterator[RamschFacts]:
    """Yield points and tricks in every way in which they can matter, the first seat's varied."""
    total = tables.total_points
    # what the skat has matters where it is added to the loser's points
    least, most = 0, tables.most_aside
    skats = range(least, most + 1) if tables.variants.ramsch.skat == "loser" else (least, most)
    for skat, doubled in product(skats, range(doublings)):
        for own in range(total - skat + 1):
            rest = total - skat - own
            for second in {0, min(own, rest), rest // 2}:
                points = (own, second, rest - second)
                for tricks in _tricks(points):
                    for last in _orders(tricks):
                        yield RamschFacts(points, tricks, skat, last, doubled)


def _tricks(points: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
    """Yield one split of the tricks for each way of being without one."""
    for has in product((True, False), repeat=len(SEATS)):
        without = [points[seat] for seat in SEATS if not has[seat]]
        if any(without) or not any(has):
            continue
        share, more = divmod(TRICKS, sum(has))
        split = [share if one else 0 for one in has]
        split[has.index(True)] += more
        yield (split[0], split[1], split[2])


def _orders(tricks: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
    """Yield the numbers of each seat's last trick, in every order."""
    having = [seat for seat in SEATS if tricks[seat]]
    for order in permutations(having):
        last = [0, 0, 0]
        for place, seat in enumerate(order):
            last[seat] = TRICKS - place
        yield (last[0], last[1], last[2])
