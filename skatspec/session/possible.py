"""What a row of a list can come to: every outcome that its entries leave open.

A row says less than a record: no cards, no tricks, perhaps no bid. What it does not say
is tried in every way the rules allow, so that a value is refused only where no game that
fits the row has it. Values are game values, scores ledger points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine import settlement
from skatspec.engine.declaration import illegal_announcement, refused_null
from skatspec.engine.null_runs import possible_nulls
from skatspec.engine.settlement import TRICKS, Facts, Line, Settlement
from skatspec.engine.variants import doubling, revolution
from skatspec.record import DOUBLES, HAND, OUVERT, REVOLUTION, SCHNEIDER, SCHWARZ, SPITZE
from skatspec.rules.tables import CONTRACT, NULL_KIND, Tables
from skatspec.rules.variants import NEVER
from skatspec.sheet import Account, Amount

MOST_KEPT = 50_000
NULL = "null"
GIFT = ("gift", "the defenders gave the game up")
_FIGURE_TOPICS = ("winning", "null-winning")


class Outcome(NamedTuple):
    """One way the row can have come out, as a list keeper tells it apart."""

    score: Amount
    won: bool
    overbid: bool
    settled: Settlement


@dataclass(frozen=True, slots=True)
class Possible:
    """All outcomes of a row; none, and the objections, where there is no such game.

    `choices` are scores that the declarer of a Null below its bid may choose besides: those of
    dearer games that cover it. `partial` says that a Null below its bid, which can be charged
    as many a game, is left out.
    """

    outcomes: tuple[Outcome, ...]
    objections: tuple[Diagnostic, ...] = ()
    partial: bool = False
    choices: frozenset[Amount] = frozenset()

    def scores(self, won: bool | None = None) -> tuple[Amount, ...]:
        """Return the scores (ledger points), ascending; of games won or lost only, if asked."""
        found = {one.score for one in self.outcomes if won is None or one.won == won}
        return tuple(sorted(found))

    def by_score(self, score: Amount) -> Outcome:
        """Return an outcome with a score; raises StopIteration where there is none."""
        return next(one for one in self.outcomes if one.score == score)


class Possibilities:
    """The outcomes of rows under one set of rules; rows that say the same are settled once.

    Holds at most `MOST_KEPT` accounts.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._known: dict[tuple[Account, bool], Possible] = {}
        facts = Facts(0, 0, 0, None, 0, 0)
        every = settlement.spread(
            tables, facts, matadors=(1,), bids=(None,),
            points=range(tables.total_points + 1), tricks=range(TRICKS + 1),
        )  # fmt: skip
        # one of each way in which points and tricks can matter
        self.ways = tuple((one.points, one.tricks) for one in every)

    def of(self, account: Account, every: bool = True) -> Possible:
        """Return every outcome that a declared game's entries allow, whoever won it.

        The account names its contract. Without `every` a Null whose bid is not known is taken
        to cover it, which is found much faster.
        """
        asked = bid_class(_asked(account), self.tables)
        found = self._known.get((asked, every))
        if found is None:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            found = self._known[asked, every] = self._all(asked, every)
        return found

    def why(self, account: Account, score: Amount) -> tuple[Line, ...]:
        """Return the lines of a settlement that come to a score, without figures that are open."""
        exact = self._all(_asked(account))
        found = next((one for one in exact.outcomes if one.score == score), None)
        return () if found is None else tuple(_stated_lines(found.settled.lines, account))

    def _all(self, account: Account, every: bool = True) -> Possible:
        if every and _may_cover(account) and (account.points, account.tricks) != (None, None):
            return self._with_impossible(account)
        return self._each(account, every)

    def _with_impossible(self, account: Account) -> Possible:
        """Return a Null's outcomes with those below an unknown bid, which hang on no figure."""
        plain = self._each(account, every=False)
        if plain.objections:
            return plain
        whole = self.of(account._replace(points=None, tricks=None))
        beyond = tuple(one for one in whole.outcomes if one.overbid)
        return Possible((*plain.outcomes, *beyond), choices=whole.choices)

    def _each(self, account: Account, every: bool) -> Possible:
        objections = tuple(_objections(account, self.tables))
        if objections:
            return Possible((), objections)
        outcomes: dict[tuple[object, ...], Outcome] = {}
        for one in _settled(account, self.tables, self.ways, every):
            outcomes.setdefault(one[:3], one)
        if not outcomes:
            what = "no game fits these entries"
            if account.points is not None or account.tricks is not None:
                what = "the levels ticked do not go with the card points or tricks"
            return Possible((), (finding("S018", what=what),))
        partial = not every and _may_cover(account)
        choices = frozenset(
            one.score // one.settled.value * value
            for one in outcomes.values()
            for _, value in one.settled.alternatives
        )
        return Possible(tuple(outcomes.values()), partial=partial, choices=choices)


def _asked(account: Account) -> Account:
    """Return the account without what is looked at later; a side matters to a Null alone."""
    return account._replace(won=None, unsigned=account.unsigned and account.contract == NULL)


def bid_class(account: Account, tables: Tables) -> Account:
    """Return the account with the highest bid that comes to the same price as its own.

    Bids that the same multiple of the base value covers come to the same price.
    """
    if account.bid is None or account.bid not in tables.bid_ok or tables.bid_above:
        return account
    number = CONTRACT.get(account.contract or "")
    base = tables.base[number] if number is not None and number < len(tables.base) else 0
    if not base:
        return account
    alike = [bid for bid in tables.bids if -(-bid // base) == -(-account.bid // base)]
    return account._replace(bid=alike[-1])


def _stated_lines(lines: Sequence[Line], account: Account) -> Iterator[Line]:
    """Yield lines without the points and tricks that stand for all that come to the same."""
    for line in lines:
        figures, _, rest = line.text.rpartition("; ")
        if line.topic not in _FIGURE_TOPICS or account.points is not None:
            yield line
        elif figures:
            yield line._replace(text=rest)


# --- what cannot be ---------------------------------------------------------------------


def _objections(account: Account, tables: Tables) -> Iterator[Diagnostic]:
    contract = CONTRACT[account.contract or ""]
    kind = _kind(contract, tables)
    stated = _stated_bits(account)
    if contract == CONTRACT[REVOLUTION] and not tables.variants.revolution:
        yield finding("D017", read="Revolution", expected="a game of these rules")
        return
    if not any(tables.announce[kind][bits] >= 0 for bits in _bit_sets(account, tables, kind)):
        yield illegal_announcement(tables, kind, stated)
        return
    if account.bid is not None and account.bid not in tables.bid_ok:
        near = [bid for bid in tables.bids if bid > account.bid][:1] or list(tables.bids[-1:])
        yield finding("B001", read=account.bid, expected=f"a value such as {near[0]}")
        return
    if account.kontra and account.kontra > len(tables.variants.kontra.calls):
        word = DOUBLES[min(account.kontra, len(DOUBLES)) - 1].capitalize()
        yield finding("D017", read=word, expected="a call of these rules")
    if account.bock and not tables.variants.bock.played:
        yield finding("D017", read="A Bock round", expected="a round of these rules")
    if kind == NULL_KIND:
        if account.bid is not None and contract != CONTRACT[REVOLUTION]:
            refused = [
                refused_null(tables, contract, tables.announce[kind][bits], account.bid)
                for bits in _bit_sets(account, tables, kind)
            ]
            if refused[0] is not None and None not in refused:
                yield refused[0]
    elif account.matadors is not None:
        most = len(tables.trumps[contract])
        if not 1 <= abs(account.matadors) <= most:
            found = abs(account.matadors)
            yield finding("S016", what="matadors", read=found, expected=f"1 to {most}")
    yield from _figures(account, tables)


def _figures(account: Account, tables: Tables) -> Iterator[Diagnostic]:
    for what, number, top in (
        ("card points", account.points, tables.total_points),
        ("tricks", account.tricks, TRICKS),
    ):
        if number is not None and not 0 <= number <= top:
            yield finding("S016", what=what, read=number, expected=f"0 to {top}")


def _kind(contract: int, tables: Tables) -> int:
    return NULL_KIND if contract == CONTRACT[REVOLUTION] else tables.kind[contract]


# --- what is open -----------------------------------------------------------------------


def _stated_bits(account: Account) -> int:
    """Return what the row says was announced, as bits."""
    bits = HAND if account.hand else 0
    bits |= SCHNEIDER if account.schneider_announced else 0
    bits |= SCHWARZ if account.schwarz_announced else 0
    return bits | (OUVERT if account.ouvert else 0)


def _bit_sets(account: Account, tables: Tables, kind: int) -> tuple[int, ...]:
    """Return what may have been announced: every column that is missing is tried both ways."""
    bits = [_stated_bits(account)]
    open_bits = [
        bit
        for said, bit in (
            (account.hand, HAND), (account.schneider_announced, SCHNEIDER),
            (account.schwarz_announced, SCHWARZ), (account.ouvert, OUVERT), (None, SPITZE),
        )
        if said is None
    ]  # fmt: skip
    for bit in open_bits:
        bits += [one | bit for one in bits]
    announce = tables.announce[kind]
    stated = max(announce[bits[0]], bits[0])
    denied = sum([
        bit for said, bit in (
            (account.hand, HAND), (account.schneider_announced, SCHNEIDER),
            (account.schwarz_announced, SCHWARZ), (account.ouvert, OUVERT),
        )
        if said is False
    ])  # fmt: skip
    # what is open cannot include what the row denies
    legal = {announce[one]: one for one in reversed(bits) if announce[one] >= 0}
    return tuple(one for said, one in legal.items() if not said & denied & ~stated)


def _settled(
    account: Account, tables: Tables, ways: Sequence[tuple[int, int]], every: bool
) -> Iterator[Outcome]:
    """Yield the outcomes that agree with the levels the row ticks; `every` as in `of`."""
    contract = CONTRACT[account.contract or ""]
    kind = _kind(contract, tables)
    for said in _announced(account, tables, kind):
        if contract == CONTRACT[REVOLUTION] and revolution.refused(tables, said, 0) is not None:
            continue
        options = _options(account, contract, said, tables, ways)
        bids = _bids(account, contract, said, tables)
        if kind == NULL_KIND:
            if not every and _may_cover(account):
                value = tables.null_value(contract, said)
                bids = [bid for bid in bids if settlement.covers(tables, value, bid)][:1]
            whole = [replace(one, bid=bid) for one in options for bid in bids]
            if account.bid and refused_null(tables, contract, said, account.bid) is not None:
                continue
            nulls = [one for run in _sides(account) for one in possible_nulls(tables, whole, run)]
            settled = [settlement.settle(tables, one) for one in nulls]
        else:
            settled = [one for facts in options for one in _over_bids(tables, facts, bids)]
            settled += _given_away(account, contract, said, tables)
        for one in settled:
            if kind != NULL_KIND and not _levels_fit(account, said, one):
                continue
            for score, doubled in _doubled(account, one, tables):
                yield Outcome(score, one.won, one.overbid, doubled)


def _announced(account: Account, tables: Tables, kind: int) -> Iterator[int]:
    """Yield what may count as announced, with all it includes.

    A level that a refused gift announced counts without Hand.
    """
    for stated in _bit_sets(account, tables, kind):
        said = tables.announce[kind][stated]
        yield said
        alone = said & SCHNEIDER and not stated & (HAND | OUVERT)
        if alone and kind != NULL_KIND and tables.variants.gifts.played != NEVER:
            yield said & ~HAND


def _given_away(account: Account, contract: int, said: int, tables: Tables) -> Iterator[Settlement]:
    """Settle a game that the defenders gave away: it is won, whatever the bid."""
    played_out = account.points is not None or account.tricks is not None
    if played_out or tables.variants.gifts.played == NEVER:
        return
    for run in _runs(account, contract, tables):
        yield settlement.settle(
            tables, Facts(contract, said, run, None, 0, 0, conceded=True, why=GIFT)
        )


def _sides(account: Account) -> tuple[int | None, ...]:
    """Return the matadors, with and without where the row does not say which."""
    run = account.matadors
    return (run, -run) if run and account.unsigned else (run,)


def null_value(account: Account, tables: Tables) -> int:
    """Return what the Null of a row is worth."""
    return tables.null_value(
        CONTRACT[NULL], max(tables.announce[NULL_KIND][_stated_bits(account)], 0)
    )


def _may_cover(account: Account) -> bool:
    """Say whether a Null may or may not cover its bid, which the row does not name."""
    return account.contract == NULL and account.bid is None


def _over_bids(tables: Tables, facts: Facts, bids: Sequence[int | None]) -> Iterator[Settlement]:
    """Settle a game for every bid that can matter; those it covers come to the same."""
    lowest = settlement.settle(tables, replace(facts, bid=bids[0]))
    yield lowest
    for bid in bids[1:]:
        if lowest.overbid or not settlement.covers(tables, lowest.value, bid):
            yield settlement.settle(tables, replace(facts, bid=bid))


def _options(
    account: Account, contract: int, said: int, tables: Tables, ways: Sequence[tuple[int, int]]
) -> list[Facts]:
    facts = Facts(contract, said, 0, None, 0, 0)
    runs = _runs(account, contract, tables)
    if account.points is None and account.tricks is None:
        options = [
            replace(facts, matadors=run, points=points, tricks=tricks)
            for run, (points, tricks) in product(runs, ways)
        ]
    else:
        points = range(tables.total_points + 1) if account.points is None else (account.points,)
        tricks = range(TRICKS + 1) if account.tricks is None else (account.tricks,)
        options = settlement.spread(
            tables, facts, matadors=runs, bids=(None,), points=points, tricks=tricks
        )
    if said & SPITZE:
        options = [replace(one, spitze_made=made) for one in options for made in (True, False)]
    return options


def _runs(account: Account, contract: int, tables: Tables) -> Sequence[int]:
    if contract >= len(tables.trumps) or not tables.trumps[contract]:
        return (0,)
    if account.matadors:
        return (account.matadors,)
    # with and without come to the same price
    return range(1, len(tables.trumps[contract]) + 1)


def _bids(account: Account, contract: int, said: int, tables: Tables) -> Sequence[int | None]:
    if account.bid is not None:
        return (account.bid,)
    base = tables.base[contract] if contract < len(tables.base) else 0
    if base and not tables.bid_above:
        return tuple({-(-bid // base): bid for bid in tables.bids}.values())
    if not base and tables.null_refused and contract != CONTRACT[REVOLUTION]:
        value = tables.null_value(contract, said)
        return [bid for bid in tables.bids if settlement.covers(tables, value, bid)]
    return tables.bids


def _levels_fit(account: Account, said: int, one: Settlement) -> bool:
    """Say whether an outcome has the levels that the row ticks, and no other.

    An announced level counts whether it was made or not, so its tick says nothing more;
    who ticks Schwarz alone means Schneider too.
    """
    if not said & SCHWARZ and account.schwarz is not None and account.schwarz != one.schwarz:
        return False
    if said & (SCHNEIDER | SCHWARZ) or account.schneider is None:
        return True
    return (account.schneider or bool(account.schwarz)) == one.schneider


def _doubled(account: Account, one: Settlement, tables: Tables) -> Iterable[tuple[int, Settlement]]:
    variants = tables.variants
    most = len(variants.kontra.calls)
    calls = range(most + 1) if account.kontra is None else (account.kontra,)
    rounds: tuple[bool, ...] = (bool(account.bock),)
    if account.bock is None and variants.bock.played:
        rounds = (False, True)
    for number, bock in product(calls, rounds):
        whole = doubling.times(tables, one, number, bock)
        yield whole.score, whole
