"""A plain judge of complete records, to weigh generated games and their mutations by.

It reads a record a second time without any of the engine: cards are two letters, rules come
from tests/oracle.py and, for what that leaves out (ends before the tenth trick, giving up,
timeouts), from the sentences of the rules quoted here. It knows the profiles `isko`,
`ledger`, `iss` and `iss-client`, and only records in which every card is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skatspec import cards
from skatspec.record import (
    GAME,
    HAND,
    OUVERT,
    PASSED,
    PENALTY,
    SCHNEIDER,
    SCHWARZ,
    Bid,
    Declare,
    Discard,
    Hold,
    Leave,
    Pass,
    PickUp,
    Play,
    Record,
    Resign,
    Result,
    Show,
    Step,
    Timeout,
)
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


class Illegal(Exception):
    """The first step that the rules do not allow, in words; `step` counts from 1, 0 for none."""

    step = 0


def on_server(profile: str) -> bool:
    """Say whether a profile is one of the server's."""
    return profile in ("iss", "iss-client")


def run_auction(profile: str, calls: list[tuple[int, int | str]]) -> tuple[int | None, int] | str:
    """Play an auction by the oracle, with the profile's ladder."""
    original = oracle.legal_bids
    oracle.legal_bids = lambda: list(BIDS[profile])
    try:
        return oracle.auction(calls)
    finally:
        oracle.legal_bids = original


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
class _Table:
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
    shown: set[str] = field(default_factory=set)

    def taken(self, declarer: bool) -> list[list[str]]:
        """Return the tricks of one party."""
        own = self.ruling.declarer
        return [trick for seat, trick in self.tricks if (seat == own) == declarer]

    def points(self, declarer: bool) -> int:
        """Return the card points of one party's tricks."""
        return sum(oracle.card_points(c) for trick in self.taken(declarer) for c in trick)


def letters(group: tuple[int, ...]) -> list[str]:
    """Return cards as two letters each."""
    return [cards.NAMES[card] for card in group]


def judge(profile: str, record: Record) -> Ruling:
    """Walk through a complete record and settle it; raises Illegal at its first illegal step."""
    deal = record.deal
    parts = [] if deal is None else [letters(part or ()) for part in deal.parts()]
    if [len(part) for part in parts] != [10, 10, 10, 2]:
        raise Illegal("3 - skat - 4 - 3: ten cards a hand, two in the skat")
    if len({card for part in parts for card in part}) != 32:
        raise Illegal("a card is dealt twice")
    hands = [set(part) for part in parts]
    table = _Table(profile, hands[:3], hands[3], Ruling())
    steps = list(record.steps)
    at = 0
    while at < len(steps) and isinstance(steps[at], (Bid, Hold, Pass)):
        at += 1
    _auction(table, steps[:at], steps[at : at + 1])
    for number, step in enumerate(steps[at:], start=at + 1):
        try:
            _step(table, step)
        except Illegal as illegal:
            illegal.step = number
            raise
    _settle(table)
    return table.ruling


def _auction(table: _Table, calls: list[Step], following: list[Step]) -> None:
    ruling = table.ruling
    plain: list[tuple[int, int | str]] = [
        (c.seat, c.value if isinstance(c, Bid) else "y" if isinstance(c, Hold) else "p")
        for c in calls
    ]
    table.called = bool(plain)
    came_to = run_auction(table.profile, plain)
    if came_to == "unfinished":
        ruling.ended = "auction"
        if plain == [(1, "p"), (2, "p")] and following:
            first = following[0]
            if isinstance(first, (PickUp, Discard, Declare)) and first.seat == 0:
                # forehand who declares without having said a value has bid the lowest
                ruling.declarer, ruling.bid, ruling.ended = 0, 18, "open"
        return
    if isinstance(came_to, str):
        illegal = Illegal(came_to)
        good = (
            n for n in range(len(plain)) if _is_fault(run_auction(table.profile, plain[: n + 1]))
        )
        illegal.step = next(good) + 1
        raise illegal
    if came_to[0] is None:
        ruling.ended = "passed"
        return
    ruling.declarer, ruling.bid = came_to
    # ledger: "F last, exactly 18"
    alone = plain[:2] == [(1, "p"), (2, "p")]
    if table.profile == "ledger" and alone and came_to[1] != 18:
        illegal = Illegal("forehand may say exactly 18")
        illegal.step = 3
        raise illegal


def _is_fault(came_to: tuple[int | None, int] | str) -> bool:
    return isinstance(came_to, str) and came_to != "unfinished"


def _step(table: _Table, step: Step) -> None:
    ruling = table.ruling
    if isinstance(step, (Bid, Hold, Pass)):
        raise Illegal("a call after the auction")
    if ruling.ended == "passed":
        raise Illegal("the deal was passed in")
    if ruling.ended not in ("open", "auction"):
        _after_the_end(table, step)
        return
    if isinstance(step, (Timeout, Leave)):
        _stop(table, step)
    elif ruling.ended == "auction":
        raise Illegal("the auction has not ended")
    elif not ruling.contract:
        _before_declaration(table, step)
    elif isinstance(step, Play):
        _play(table, step)
    elif isinstance(step, Discard):
        _discard(table, step)
    elif isinstance(step, Show):
        _show(table, step.seat, step.cards)
    elif isinstance(step, Resign):
        _resign(table, step)
    else:
        raise Illegal("a second declaration, or the skat taken up late")


def _after_the_end(table: _Table, step: Step) -> None:
    """isko: a Null that is lost may be played on, "rest may be recorded"; all else ends."""
    ended = table.ruling.ended
    if ended == "lost-at-once" and isinstance(step, Discard) and not table.tricks:
        _discard(table, step)
        return
    lasting = table.profile == "isko" and ended in ("null-lost", "lost-at-once")
    if not lasting or len(table.tricks) == 10:
        raise Illegal("the game had ended")
    if isinstance(step, Play):
        _play(table, step)


def _before_declaration(table: _Table, step: Step) -> None:
    ruling = table.ruling
    if isinstance(step, Play):
        raise Illegal("a card before the declaration")
    if step.seat != ruling.declarer:
        raise Illegal("not the declarer")
    if isinstance(step, PickUp):
        if table.picked_up:
            raise Illegal("the skat is taken up twice")
        if step.cards is not None and set(letters(step.cards)) != table.skat:
            raise Illegal("another skat than was dealt")
        table.picked_up = True
        table.hands[step.seat] |= table.skat
    elif isinstance(step, Discard):
        _discard(table, step)
    elif isinstance(step, Declare):
        _declare(table, step)
    else:
        raise Illegal("before the declaration")


def _discard(table: _Table, step: Discard) -> None:
    away = letters(step.cards)
    if step.seat != table.ruling.declarer or not table.picked_up or table.away is not None:
        raise Illegal("no discard here")
    # "The declarer takes it up and puts any two cards away"
    if len(away) != 2 or len(set(away)) != 2 or not set(away) <= table.hands[step.seat]:
        raise Illegal("two of the twelve cards are put away")
    if table.shown & set(away):
        raise Illegal("a card that was shown as held is put away")
    table.away = set(away)
    table.hands[step.seat] -= table.away


def _declare(table: _Table, step: Declare) -> None:
    ruling, stated = table.ruling, step.modifiers
    if step.contract not in (*SUIT_OR_GRAND, "null"):
        raise Illegal("no such game")
    full = stated
    if step.contract == "null":
        if stated & (SCHNEIDER | SCHWARZ):
            raise Illegal("Null has no Schneider and no Schwarz")
    else:
        # "suit/Grand Ouvert includes Hand and announced Schwarz"
        if stated & OUVERT:
            full |= HAND | SCHWARZ
        # "announced Schwarz includes announced Schneider"
        if full & SCHWARZ:
            full |= SCHNEIDER
        # "Schneider and Schwarz may be announced only in Hand games"
        if full & SCHNEIDER and not full & HAND:
            raise Illegal("announced without Hand")
    if full & HAND and table.picked_up:
        raise Illegal("Hand after the skat was taken up")
    ruling.contract, ruling.modifiers = step.contract, full
    if step.shown is not None:
        _show(table, step.seat, step.shown)
    if step.contract == "null" and _null_value(full) < (ruling.bid or 0):
        # "The server refuses a Null that does not cover the bid"
        if on_server(table.profile):
            raise Illegal("a Null below the bid")
        # "A Null worth less than the bid is lost at once"
        ruling.ended = "lost-at-once"


def _null_value(modifiers: int) -> int:
    # "Null 23, Null Hand 35, Null Ouvert 46, Null Ouvert Hand 59"
    if modifiers & OUVERT:
        return 59 if modifiers & HAND else 46
    return 35 if modifiers & HAND else 23


def _show(table: _Table, seat: int, shown: tuple[int, ...] | None) -> None:
    if seat != table.ruling.declarer:
        raise Illegal("only the declarer shows cards")
    if shown is None:
        return
    held = table.hands[seat]
    if table.picked_up and table.away is None:
        # the discard follows in the record: the ten that stay are among the twelve
        if len(shown) != 10 or len(set(shown)) != 10 or not set(letters(shown)) <= held:
            raise Illegal("other cards than held")
        table.shown = set(letters(shown))
    elif sorted(letters(shown)) != sorted(held):
        raise Illegal("other cards than held")


def _play(table: _Table, step: Play) -> None:
    card, contract = cards.NAMES[step.card], table.ruling.contract
    turn = (table.leader + len(table.trick)) % 3
    if step.seat != turn:
        raise Illegal("out of turn")
    held = table.hands[turn]
    if card not in held:
        raise Illegal("not held")
    if card not in oracle.legal_cards(contract, held, table.trick[0] if table.trick else None):
        raise Illegal("does not follow")
    held.remove(card)
    table.trick.append(card)
    if len(table.trick) == 3:
        table.leader = (table.leader + oracle.trick_winner(contract, table.trick)) % 3
        table.tricks.append((table.leader, table.trick))
        table.trick = []
        _early_end(table)


def _early_end(table: _Table) -> None:
    ruling = table.ruling
    if ruling.ended != "open":
        return
    if ruling.contract == "null":
        # "Null: no trick"; ledger "ends at once", the server's Null at the declarer's first trick
        if table.taken(True):
            ruling.ended = "null-lost"
            return
    elif on_server(table.profile):
        # "announced Schwarz at the defenders' first trick; announced Schneider when the
        # defenders pass 30"
        lost_schwarz = ruling.modifiers & SCHWARZ and table.taken(False)
        if lost_schwarz or (ruling.modifiers & SCHNEIDER and table.points(False) > 30):
            ruling.ended = "missed"
            return
    if len(table.tricks) == 10:
        ruling.ended = "played"


def _resign(table: _Table, step: Resign) -> None:
    if step.seat in table.resigned:
        raise Illegal("resigned already")
    table.resigned.add(step.seat)
    # isko: "one defender's concession binds both"; the server: "one defender alone changes
    # nothing"
    needed = 2 if on_server(table.profile) else 1
    if (
        step.seat == table.ruling.declarer
        or len(table.resigned - {table.ruling.declarer}) >= needed
    ):
        table.ruling.ended, table.by = "given-up", step.seat


def _stop(table: _Table, step: Step) -> None:
    ruling = table.ruling
    if isinstance(step, Timeout):
        table.timed_out = step.seat
    else:
        table.left = step.seat
    if ruling.contract:
        ruling.ended, table.by = "stopped-by", step.seat
        table.half_declared = table.picked_up and table.away is None
        return
    # "penalty: timeout or leaving during the auction [...]; later, before the declaration: the
    # declarer, or both defenders"
    ruling.ended = "penalty" if on_server(table.profile) else "stopped"
    alone = tuple(seat == step.seat for seat in range(3))
    parties = [tuple(seat != declarer for seat in range(3)) for declarer in range(3)]
    if ruling.declarer is None:
        # with no call at all the auction may have been left out of the record
        both = [party for party in parties if party[step.seat] and not table.called]
        table.penalized = (alone, *both)
    else:
        table.penalized = (alone if ruling.declarer == step.seat else parties[ruling.declarer],)


# --- the settlement ---------------------------------------------------------------------


def _settle(table: _Table) -> None:
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


def _twelve(table: _Table) -> set[str]:
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


def _led(table: _Table, index: int) -> int:
    return table.tricks[index - 1][0] if index else 0


def _matadors(table: _Table) -> int:
    # "a timeout after half a declaration gives matadors counted from the skat alone"
    counted = table.skat if table.half_declared else _twelve(table)
    return oracle.matadors(table.ruling.contract, counted)


def _settlement(table: _Table, run: int, points: int, tricks: int) -> oracle.Settlement:
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


def _conceded(table: _Table, run: int) -> oracle.Settlement:
    """Settle "conceded game: simple; announced levels and overbid rounding stay"."""
    ruling = table.ruling
    modifiers, bid = ruling.modifiers, ruling.bid or 0
    won = table.by != ruling.declarer
    if ruling.contract == "null":
        value, overbid = _null_value(modifiers), False
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


def _flags(table: _Table, points: int, tricks: int) -> dict[str, tuple[Any, ...]]:
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


def faults(profile: str, record: Record) -> list[str]:
    """Return why a complete record is contradicted; empty where it is not."""
    try:
        ruling = judge(profile, record)
    except Illegal as illegal:
        return [f"illegal: {illegal}"]
    result = record.result
    if result is None or ruling.kind is None:
        return []
    if result.kind != ruling.kind:
        return [f"{result.kind} for {ruling.kind}"]
    return [
        f"{name}: {getattr(result, name)} not in {allowed}"
        for name, allowed in ruling.expect.items()
        if getattr(result, name) is not None and getattr(result, name) not in allowed
    ]


def true_result(ruling: Ruling) -> Result | None:
    """Return the result that says everything the judge found."""
    if ruling.kind is None:
        return None
    return Result(ruling.kind, **{name: values[0] for name, values in ruling.expect.items()})
