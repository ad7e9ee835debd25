"""What a deal that the judge walked through came to: points, levels, settlement, result.

The settling half of tests/judge.py, with the state that both halves share. Nothing of the
engine is used; values come from tests/oracle.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skatspec import cards
from skatspec.record import GAME, HAND, OUVERT, PASSED, PENALTY, SCHNEIDER, SCHWARZ, Result
from tests import oracle

PROFILES = ("isko", "ledger", "iss", "iss-client")
SUIT_OR_GRAND = ("diamonds", "hearts", "spades", "clubs", "grand")
LADDER = tuple(oracle.legal_bids())
BIDS = {
    "isko": LADDER,
    "ledger": LADDER,
    # "its table holds three values no game can have (171, 189, 190)"
    "iss": tuple(sorted((*LADDER, 171, 189, 190))),
    "iss-client": tuple(sorted((*LADDER, 171, 189, 190))),
}


def on_server(profile: str) -> bool:
    """Say whether a profile is one of the server's."""
    return profile in ("iss", "iss-client")


def letters(group: tuple[int, ...]) -> list[str]:
    """Return cards as two letters each."""
    return [cards.NAMES[card] for card in group]


def null_value(modifiers: int) -> int:
    # "Null 23, Null Hand 35, Null Ouvert 46, Null Ouvert Hand 59"
    if modifiers & OUVERT:
        return 59 if modifiers & HAND else 46
    return 35 if modifiers & HAND else 23


@dataclass
class Ruling:
    """What a complete record came to.

    `ended` is one of passed, penalty, stopped (before a game, with nothing to say of it),
    open, played, null-lost, missed, given-up, stopped-by (timeout, leaving), lost-at-once.
    `expect` holds the allowed values of each result field; a field that is missing is not
    judged. `settlement` is the oracle's answer.
    """

    kind: str | None = None
    ended: str = "open"
    declarer: int | None = None
    bid: int | None = None
    contract: str = ""
    modifiers: int = 0
    settlement: oracle.Settlement | None = None
    expect: dict[str, tuple[Any, ...]] = field(default_factory=dict)


@dataclass
class Table:
    """The state of a deal that the judge walks through."""

    profile: str
    hands: list[set[str]]
    skat: set[str]
    ruling: Ruling
    picked_up: bool = False
    away: set[str] | None = None
    trick: list[str] = field(default_factory=list)
    leader: int = 0
    tricks: list[tuple[int, list[str]]] = field(default_factory=list)
    resigned: set[int] = field(default_factory=set)
    by: int | None = None  # who ended the game
    half_declared: bool = False
    timed_out: int = -1
    left: int = -1
    penalized: tuple[tuple[bool, ...], ...] = ((False, False, False),)
    called: bool = False
    number: int = 0  # of the step being read
    offered: int = 0  # where the declarer offered to concede, 0 for no open offer
    shown: set[str] = field(default_factory=set)

    def taken(self, declarer: bool) -> list[list[str]]:
        """Return the tricks of one party."""
        own = self.ruling.declarer
        return [trick for seat, trick in self.tricks if (seat == own) == declarer]

    def points(self, declarer: bool) -> int:
        """Return the card points of one party's tricks."""
        return sum(oracle.card_points(c) for trick in self.taken(declarer) for c in trick)


def settle(table: Table) -> None:
    ruling = table.ruling
    if ruling.ended == "passed":
        ruling.kind = PASSED
        return
    if ruling.ended == "penalty":
        ruling.kind = PENALTY
        ruling.expect = {
            "declarer": (-1,), "score": (0,), "points": (0,), "tricks": (0,),
            "penalized": table.penalized, "left": (table.left,),
            "timed_out": (table.timed_out,), "resigned": (False,),
        }  # fmt: skip
        return
    if not ruling.contract or ruling.ended == "open":
        return
    ruling.kind = GAME
    aside = table.skat if not table.picked_up or table.half_declared else table.away
    assert aside is not None, "the judge wants the discard recorded"
    points = table.points(True) + sum(map(oracle.card_points, aside))
    tricks = len(table.taken(True))
    defenders_gave_up = table.by is not None and table.by != ruling.declarer
    null = ruling.contract == "null"
    if on_server(table.profile) and defenders_gave_up and not null:
        # "all remaining points and tricks go to the declarer"
        points, tricks = 120 - table.points(False), 10 - len(table.taken(False))
    runs = _matadors(table)
    settlement = _settlement(table, runs, points, tricks)
    ruling.settlement = settlement
    scores = [settlement["score"]]
    # "list the other covering games as admissible"
    scores += [-2 * value for _, value in settlement.get("alternatives", [])]
    ruling.expect = {
        "declarer": (ruling.declarer,), "won": (settlement["won"],), "score": tuple(scores),
        "matadors": (runs,), "overbid": (settlement["overbid"],), "points": (points,),
        "tricks": (tricks,), "penalized": ((False, False, False),), "left": (table.left,),
        "timed_out": (table.timed_out,), "resigned": (ruling.ended == "given-up",),
        **_flags(table, points, tricks),
    }  # fmt: skip


def _twelve(table: Table) -> set[str]:
    declarer = table.ruling.declarer
    played = {
        card
        for index, (_, trick) in enumerate(table.tricks)
        for at, card in enumerate(trick)
        if (_led(table, index) + at) % 3 == declarer
    }
    on_table = {card for at, card in enumerate(table.trick) if (table.leader + at) % 3 == declarer}
    aside = table.away or set() if table.picked_up else table.skat
    return table.hands[declarer or 0] | played | on_table | aside


def _led(table: Table, index: int) -> int:
    return table.tricks[index - 1][0] if index else 0


def _matadors(table: Table) -> int:
    # "a timeout after half a declaration gives matadors counted from the skat alone"
    counted = table.skat if table.half_declared else _twelve(table)
    return oracle.matadors(table.ruling.contract, counted)


def _settlement(table: Table, run: int, points: int, tricks: int) -> oracle.Settlement:
    ruling, profile = table.ruling, table.profile
    bid = ruling.bid or 0
    if ruling.ended == "lost-at-once":
        tricks = 1
    if table.by is not None and (ruling.contract == "null" or not on_server(profile)):
        return _conceded(table, run)
    if on_server(profile) and not table.tricks and table.by == ruling.declarer:
        # "Own levels need one completed trick": 31 points and one trick are no level
        points, tricks = 31, 1
    modifiers = ruling.modifiers
    return oracle.settle(
        profile, ruling.contract, hand=bool(modifiers & HAND),
        schneider=bool(modifiers & SCHNEIDER), schwarz=bool(modifiers & SCHWARZ),
        ouvert=bool(modifiers & OUVERT), matadors=run, bid=bid, points=points, tricks=tricks,
        cards=_twelve(table),
    )  # fmt: skip


def _conceded(table: Table, run: int) -> oracle.Settlement:
    """Settle "conceded game: simple; announced levels and overbid rounding stay"."""
    ruling = table.ruling
    modifiers, bid = ruling.modifiers, ruling.bid or 0
    won = table.by != ruling.declarer
    if ruling.contract == "null":
        value, overbid = null_value(modifiers), False
    else:
        base = {"diamonds": 9, "hearts": 10, "spades": 11, "clubs": 12, "grand": 24}
        levels = bin(modifiers & (HAND | OUVERT)).count("1")
        levels += 2 * bin(modifiers & (SCHNEIDER | SCHWARZ)).count("1")
        value = base[ruling.contract] * (abs(run) + 1 + levels)
        overbid = value < bid
        while value < bid:
            value += base[ruling.contract]
    won = won and not overbid
    outcome: oracle.Outcome = {
        "value": value, "score": value if won else -2 * value, "won": won, "overbid": overbid,
    }  # fmt: skip
    return {**outcome, "admissible": [outcome]}


def _flags(table: Table, points: int, tricks: int) -> dict[str, tuple[Any, ...]]:
    """Which level was reached: by a winner, or by a loser who had announced none."""
    ruling, profile = table.ruling, table.profile
    announced = ruling.modifiers & (SCHNEIDER | SCHWARZ)
    no_level = {"schneider": (False,), "schwarz": (False,)}
    if ruling.contract == "null":
        return no_level
    if table.by is not None and not on_server(profile):
        return {} if announced else no_level  # "simple"; an announced level is no more played
    missed = bool(announced and points < 90) or bool(announced & SCHWARZ and tricks < 10)
    if missed:
        if not on_server(profile):
            return {}
        # "iss does not judge s and z there"; the client "writes s:1 z:1"
        if announced == SCHNEIDER and not table.taken(True) and table.tricks:
            if profile == "iss":
                return {}
            return {"schneider": (True,), "schwarz": (True,)}
        return no_level
    if points >= 61:
        return {"schneider": (points >= 90,), "schwarz": (tricks == 10,)}
    if on_server(profile) and not table.tricks:
        return no_level
    return {"schneider": (points <= 30,), "schwarz": (tricks == 0,)}


def true_result(ruling: Ruling) -> Result | None:
    """Return the result that says everything the judge found."""
    if ruling.kind is None:
        return None
    return Result(ruling.kind, **{name: values[0] for name, values in ruling.expect.items()})
