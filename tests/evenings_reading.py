"""What a row of a list can come to, read a second time: from RULES.md and XSKAT.md alone.

A house is what a profile of the same name says of games and lists, written down here once
more. The price of a game is that of tests/oracle.py, or of tests/oracle_variants.py where a
house plays what the standard game does not have. Nothing of `skatspec` is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from tests import oracle
from tests.oracle_variants import Declared, RamschRules, null_value
from tests.oracle_variants import settle as settle_variant

SUITS = ("diamonds", "hearts", "spades", "clubs")
TRUMP_GAMES = (*SUITS, "grand")
BASES = {"diamonds": 9, "hearts": 10, "spades": 11, "clubs": 12, "grand": 24}
LADDER = tuple(oracle.legal_bids())
# One of each kind of card points that a threshold tells apart, and of tricks.
SOME_POINTS = (0, 22, 23, 30, 31, 60, 61, 89, 90, 119, 120)
SOME_TRICKS = (0, 5, 10)


@dataclass(frozen=True)
class House:
    """What a profile says of games and lists; `usual` is the length by seats, if there is one.

    `reading` is the oracle's profile. `ouvert` is what an Ouvert includes: all, hand, nothing.
    `spoken` says that announcements stand for the Hand that they need, `loose` that they need
    none. `grand_ouvert` is how a base of 36 is counted: "", counts, replaced. `bounds` are
    least, most and step of a length that is agreed on; `rounds`: everybody deals equally often.
    """

    name: str
    reading: str = "isko"
    ouvert: str = "all"
    spoken: bool = False
    loose: bool = False
    bids: tuple[int, ...] = LADDER
    impossible_null: bool = True
    hand_loss: int = 2
    grand_ouvert: str = ""
    spitze: int = 0
    revolution: int = 0
    kontra: int = 0
    bock: bool = False
    gifts: bool = False
    ramsch: RamschRules | None = None
    only_ramsch: bool = False
    most_seats: int = 4
    redealt: bool = False
    bonus: bool = True
    lots: bool = True
    usual: dict[int, int] = field(default_factory=dict, hash=False)
    bounds: tuple[int, int, int] | None = None
    rounds: bool = False

    @property
    def system(self) -> str:
        """How a list is counted unless it says otherwise."""
        return "seeger-fabian" if self.bonus else "plain"


# RULES.md sec. 1 "Lists: 36 deals at three, 48 at four"
_USUAL = {3: 36, 4: 48}
_ISKO = House("isko", usual=_USUAL)
_ISS = replace(
    _ISKO, name="iss", reading="iss", impossible_null=False, usual={},
    bids=tuple(sorted((*LADDER, 171, 189, 190))),
)  # fmt: skip
_PLAIN = replace(_ISKO, bonus=False)
_XSKAT = replace(
    _PLAIN, name="xskat", spoken=True, impossible_null=False, usual={}, most_seats=3, lots=False
)
_BOCK = {"kontra": 2, "bock": True}
# XSkat "three tied: Nobody lost the Ramsch"; "doublings below apply"
_RAMSCH = RamschRules(all_tied="nobody", march_factors="count")
_PUSHED = replace(_RAMSCH, pushes="each-seat")
HOUSES = {
    house.name: house
    for house in (
        _ISKO,
        replace(_ISKO, name="isko-2022"),
        replace(_ISKO, name="isko-2015"),
        replace(_ISKO, name="isko-pre-1999", hand_loss=1, grand_ouvert="counts"),
        replace(_ISKO, name="house", redealt=True),
        _ISS,
        replace(_ISS, name="iss-client", reading="iss-client"),
        replace(_PLAIN, name="ledger", reading="ledger", usual={3: 12}, most_seats=3, lots=False),
        replace(_PLAIN, name="primer", ouvert="hand", redealt=True),
        replace(
            _PLAIN, name="table-match", usual={}, bounds=(3, 24, 3), most_seats=3, lots=False
        ),
        replace(
            _PLAIN, name="browser", ouvert="nothing", loose=True, usual={}, most_seats=3,
            bids=tuple(bid for bid in LADDER if bid <= 99),
        ),
        replace(_PLAIN, name="game-circle", ouvert="hand", usual={}, rounds=True, most_seats=9),
        *(
            replace(_XSKAT, name=f"xskat{name}", **keys)
            for name, keys in {
                "": {}, "-std": {}, "-weak": {}, "-tlist": {}, "-kontra": {"kontra": 2},
                "-kontra18": {"kontra": 2}, "-spitze": {"spitze": 1}, "-spitze2": {"spitze": 2},
                "-revolution": {"revolution": 92}, "-bock": _BOCK,
                "-bockramsch": {**_BOCK, "ramsch": _PUSHED}, "-schenken": {"gifts": True},
                "-oldrules": {"hand_loss": 1, "grand_ouvert": "replaced"},
                "-ramsch": {"ramsch": _RAMSCH},
                "-ramschonly": {"ramsch": _RAMSCH, "only_ramsch": True},
                "-sramschonly": {"ramsch": _PUSHED, "only_ramsch": True},
                "-skattoloser": {"ramsch": replace(_RAMSCH, skat="loser"), "only_ramsch": True},
            }.items()
        ),
    )
}  # fmt: skip


class Entry(NamedTuple):
    """What a row says of its game; flags are False where the cell is empty, the rest None."""

    contract: str
    matadors: int | None = None
    hand: bool = False
    schneider: bool = False
    schneider_announced: bool = False
    schwarz: bool = False
    schwarz_announced: bool = False
    ouvert: bool = False
    bid: int | None = None
    kontra: int = 0
    bock: bool = False
    points: int | None = None
    tricks: int | None = None
    won: bool | None = None


class Price(NamedTuple):
    """What a game came to: the declarer's ledger points, and whether it was won."""

    score: int
    won: bool


def announced(house: House, entry: Entry) -> frozenset[str] | None:
    """What was announced with all it includes; None where it may not be announced."""
    said = {
        word
        for word, there in (
            ("hand", entry.hand), ("schneider", entry.schneider_announced),
            ("schwarz", entry.schwarz_announced), ("ouvert", entry.ouvert),
        )
        if there
    }  # fmt: skip
    if entry.contract in ("null", "revolution"):
        return None if said & {"schneider", "schwarz"} else frozenset(said)
    if "ouvert" in said and house.ouvert == "all":
        said |= {"hand", "schneider", "schwarz"}
    if "ouvert" in said and house.ouvert == "hand":
        said.add("hand")
    # "announced Schwarz includes announced Schneider"
    if "schwarz" in said:
        said.add("schneider")
    if "schneider" in said and house.spoken:
        said.add("hand")
    # "Schneider and Schwarz may be announced only in Hand games"
    if "schneider" in said and "hand" not in said and not house.loose:
        return None
    return frozenset(said)


def _announcements(house: House, entry: Entry) -> Iterator[frozenset[str]]:
    """Yield what may have been announced: a refused gift announces a level without Hand."""
    said = announced(house, entry)
    if said is not None:
        yield said
        # XSkat "Schneider counts as announced, without Hand; refused again: Schwarz too"
        if house.gifts and "schneider" in said and not entry.hand and not entry.ouvert:
            yield said - {"hand"}


def price(
    house: House, contract: str, said: frozenset[str], run: int, bid: int, points: int,
    tricks: int, spitze: bool | None = None,
) -> Price:  # fmt: skip
    """What one played-out suit game or Grand comes to, without Kontra and Bock."""
    if contract == "grand" and "ouvert" in said and house.grand_ouvert:
        return _grand_ouvert(house, run, bid, points, tricks)
    expanded = "ouvert" not in said or {"hand", "schwarz"} <= said
    if spitze is not None or not expanded or ("schneider" in said and "hand" not in said):
        game = Declared(contract, said, run, bid, points, tricks, spitze)
        charge = settle_variant(game, house.spitze, 1, house.hand_loss)
        return Price(charge.score, charge.won)
    outcome = oracle.settle(
        house.reading, contract, hand="hand" in said, schneider="schneider" in said,
        schwarz="schwarz" in said, ouvert="ouvert" in said, matadors=run, bid=bid, points=points,
        tricks=tricks,
    )["admissible"][0]  # fmt: skip
    # "`isko-pre-1999`: a lost Hand game single in every case"
    if not outcome["won"] and "hand" in said and house.hand_loss == 1:
        return Price(-outcome["value"], False)
    return Price(outcome["score"], outcome["won"])


def _grand_ouvert(house: House, run: int, bid: int, points: int, tricks: int) -> Price:
    # "Grand Ouvert base 36"; XSkat "36 x (levels - 1), i.e. Ouvert changes the base instead of
    # adding a level; its overbid rounding still uses 24"
    levels = abs(run) + 7 - (house.grand_ouvert == "replaced")
    value = 36 * levels
    overbid = value < bid
    while value < bid:
        value = 24 * (value // 24 + 1)
    if points >= 61 and tricks == 10 and not overbid:
        return Price(value, True)
    return Price(-value * house.hand_loss, False)


@lru_cache(maxsize=100_000)
def prices(house_name: str, entry: Entry, losers: int = 1) -> frozenset[Price]:
    """Every price that a game with these entries can have; empty: no such game.

    `losers` is how many share the row, which only a Ramsch allows.
    """
    house = HOUSES[house_name]
    if entry.contract == "ramsch":
        found = {Price(score, score > 0) for score in _ramsch(house, entry, losers)}
        return frozenset(one for one in found if entry.won is None or one.won == entry.won)
    ways = list(_announcements(house, entry))
    if not ways or losers > 1 or entry.kontra > house.kontra or (entry.bock and not house.bock):
        return frozenset()
    if entry.bid is not None and entry.bid not in house.bids:
        return frozenset()
    if not 0 <= (entry.points or 0) <= 120 or not 0 <= (entry.tricks or 0) <= 10:
        return frozenset()
    bids = house.bids if entry.bid is None else (entry.bid,)
    games = _nulls if entry.contract in ("null", "revolution") else _trumps
    factor = 2**entry.kontra * (2 if entry.bock else 1)
    found = {
        Price(score * factor, won)
        for said in ways
        for score, won in games(house, entry, said, bids)
    }
    return frozenset(one for one in found if entry.won is None or one.won == entry.won)


def scores(house: House, entry: Entry, losers: int = 1) -> frozenset[int]:
    """Every value that can stand in a row with these entries."""
    return frozenset(one.score for one in prices(house.name, entry, losers))


def _ramsch(house: House, entry: Entry, losers: int) -> Iterator[int]:
    """Yield what a Ramsch can bring each of its losers, or the one who took all tricks."""
    if house.ramsch is None:
        return
    # "pushing unseen doubles", each of three; in plain Ramsch nobody pushes
    factors = (1, 2, 4, 8) if house.ramsch.pushes == "each-seat" else (1,)
    for points, jungfrau in _most_points(house.ramsch.skat == "loser", losers):
        if entry.points in (None, points):
            for factor in factors:
                yield -points * factor * (2 if jungfrau else 1)
    if losers == 1 and entry.points in (None, 120):
        yield from (house.ramsch.march * factor for factor in factors)


@lru_cache(maxsize=10)
def _most_points(skat_to_loser: bool, losers: int) -> frozenset[tuple[int, bool]]:
    """The card points that so many losers can have each, and whether one has no trick."""
    found: set[tuple[int, bool]] = set()
    for skat, most in product(range(23) if skat_to_loser else (0,), range(121)):
        left = 120 - skat - losers * most
        if skat in (1, 9, 19) or left < 0 or losers > 2:
            continue  # no two cards have 1, 9 or 19 card points
        if losers == 2 and left < most:
            found |= {(most + skat, False)} | ({(most + skat, True)} if not left else set())
        elif losers == 1 and left < 2 * most - 1:
            found |= {(most + skat, False)} | ({(most + skat, True)} if left < most else set())
    return frozenset(found)


def _ways(entry: Entry) -> Iterator[tuple[int, int]]:
    """Yield card points and tricks that can go together and with the entries."""
    many = SOME_POINTS if entry.points is None else (entry.points,)
    for points, tricks in product(many, SOME_TRICKS if entry.tricks is None else (entry.tricks,)):
        # "under 120 points the defenders, over 22 the declarer, have a trick"
        if (tricks or points <= 22) and (tricks < 10 or points == 120):
            yield points, tricks


def _trumps(
    house: House, entry: Entry, said: frozenset[str], bids: tuple[int, ...]
) -> Iterator[Price]:
    most = 4 if entry.contract == "grand" else 11
    runs = range(1, most + 1) if entry.matadors is None else (entry.matadors,)
    runs = [run for run in runs if 1 <= abs(run) <= most]
    spitzen = (None, True, False) if house.spitze else (None,)
    if house.gifts and not _ticked(entry, said) and entry.points is None and entry.tricks is None:
        # XSkat "Accepted: won, whatever the bid: levels as for 61 points, no trick count"
        for run in runs:
            game = Declared(entry.contract, said, run, bids[0], 0, 0, accepted=True)
            yield Price(settle_variant(game, 0).score, True)
    for run, (points, tricks) in product(runs, _ways(entry)):
        if not _ticks_fit(entry, said, points, tricks):
            continue
        for bid, spitze in product(bids, spitzen):
            yield price(house, entry.contract, said, run, bid, points, tricks, spitze)


def _ticked(entry: Entry, said: frozenset[str]) -> bool:
    """Whether a level is ticked that was not announced."""
    schneider = entry.schneider and "schneider" not in said
    return schneider or (entry.schwarz and "schwarz" not in said)


def _ticks_fit(entry: Entry, said: frozenset[str], points: int, tricks: int) -> bool:
    """Whether the ticks of Schneider and Schwarz are what was reached.

    A level that was announced counts in any case, so its tick may stand there or not.
    """
    if "schwarz" in said:
        return True
    if entry.schwarz != (tricks in (0, 10)):
        return False
    # who ticks Schwarz alone means Schneider too
    ticked = entry.schneider or entry.schwarz
    return "schneider" in said or ticked == (points <= 30 or points >= 90)


def _nulls(
    house: House, entry: Entry, said: frozenset[str], bids: tuple[int, ...]
) -> Iterator[Price]:
    if entry.contract == "revolution" and not house.revolution:
        return
    value = null_value(said) if entry.contract == "null" else house.revolution
    loss = house.hand_loss if "hand" in said else 2
    for bid in bids:
        # XSkat "a Null below the bid is refused", and a Revolution is one
        if value >= bid:
            for _, tricks in _ways(entry):
                yield Price(-value * loss, False) if tricks else Price(value, True)
        elif house.impossible_null:
            for charged in impossible_null("hand" in said, entry.matadors, bid):
                yield Price(-charged * loss, False)


@lru_cache(maxsize=10_000)
def impossible_null(hand: bool, matadors: int | None, bid: int) -> frozenset[int]:
    """What a Null below its bid can be charged, before the loss is doubled.

    "Matadors counted anew for each candidate": up to three are the same in every game; of four
    and more the list does not say in which suits, so that every set of twelve cards is tried.
    """
    found: set[int] = set()
    for run in (1, 2, 3):
        if matadors is None or abs(matadors) == run:
            found.add(_cheapest(hand, (run,) * 5, bid))
    for side, room in ((1, 8), (-1, 16)):
        if matadors is None or (abs(matadors) >= 4 and (matadors > 0) == (side > 0)):
            # beyond the jacks: with them eight more are held, without them sixteen more missing
            for extra in product(range(8), repeat=4):
                if sum(extra) <= room:
                    found.add(_cheapest(hand, (*(4 + one for one in extra), 4), bid))
    return frozenset(found)


def _cheapest(hand: bool, runs: tuple[int, ...], bid: int) -> int:
    # "charged 2 x base x max(matadors + 1 [+ 1 Hand], ceil(bid / base))", "the cheapest"
    return min(
        base * max(run + 1 + hand, -(-bid // base))
        for base, run in zip((*(BASES[suit] for suit in SUITS), 24), runs, strict=True)
    )
