"""A plain judge of complete records, to weigh generated games and their mutations by.

It reads a record a second time without any of the engine: cards are two letters, rules come
from tests/oracle.py and, for what that leaves out (ends before the tenth trick, giving up,
timeouts), from the sentences of the rules quoted here. It knows the profiles `isko`,
`ledger`, `iss` and `iss-client`, and only records in which every card is shown.
"""

from __future__ import annotations

from skatspec import cards
from skatspec.record import (
    HAND,
    OUVERT,
    SCHNEIDER,
    SCHWARZ,
    Agree,
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
    Show,
    Step,
    Timeout,
)
from tests import oracle
from tests.judge_result import (
    BIDS,
    PROFILES,
    SUIT_OR_GRAND,
    Ruling,
    Table,
    letters,
    null_value,
    on_server,
    settle,
    true_result,
)

__all__ = [
    "BIDS", "PROFILES", "SUIT_OR_GRAND", "Illegal", "Ruling", "faults", "judge", "on_server",
    "run_auction", "true_result",
]  # fmt: skip


class Illegal(Exception):
    """The first step that the rules do not allow, in words; `step` counts from 1, 0 for none."""

    step = 0


def run_auction(profile: str, calls: list[tuple[int, int | str]]) -> tuple[int | None, int] | str:
    """Play an auction by the oracle, with the profile's ladder."""
    original = oracle.legal_bids
    oracle.legal_bids = lambda: list(BIDS[profile])
    try:
        return oracle.auction(calls)
    finally:
        oracle.legal_bids = original


def judge(profile: str, record: Record, *, whole: bool = True) -> Ruling:
    """Walk through a complete record and settle it; raises Illegal at its first illegal step.

    `whole` is false for the beginning of a record that goes on.
    """
    deal = record.deal
    parts = [] if deal is None else [letters(part or ()) for part in deal.parts()]
    if [len(part) for part in parts] != [10, 10, 10, 2]:
        raise Illegal("3 - skat - 4 - 3: ten cards a hand, two in the skat")
    if len({card for part in parts for card in part}) != 32:
        raise Illegal("a card is dealt twice")
    hands = [set(part) for part in parts]
    table = Table(profile, hands[:3], hands[3], Ruling())
    steps = list(record.steps)
    at = 0
    while at < len(steps) and isinstance(steps[at], (Bid, Hold, Pass)):
        at += 1
    _auction(table, steps[:at], steps[at : at + 1])
    for number, step in enumerate(steps[at:], start=at + 1):
        table.number = number
        try:
            _step(table, step)
        except Illegal as illegal:
            illegal.step = number
            raise
    if whole and table.offered and table.ruling.ended == "open":
        illegal = Illegal("a concession that needs a defender's consent")
        illegal.step = table.offered
        raise illegal
    settle(table)
    return table.ruling


def _auction(table: Table, calls: list[Step], following: list[Step]) -> None:
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


def _step(table: Table, step: Step) -> None:
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
    elif isinstance(step, Agree):
        _agree(table, step)
    else:
        raise Illegal("a second declaration, or the skat taken up late")


def _after_the_end(table: Table, step: Step) -> None:
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


def _before_declaration(table: Table, step: Step) -> None:
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


def _discard(table: Table, step: Discard) -> None:
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


def _declare(table: Table, step: Declare) -> None:
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
    if step.contract == "null" and null_value(full) < (ruling.bid or 0):
        # "The server refuses a Null that does not cover the bid"
        if on_server(table.profile):
            raise Illegal("a Null below the bid")
        # "A Null worth less than the bid is lost at once"
        ruling.ended = "lost-at-once"


def _show(table: Table, seat: int, shown: tuple[int, ...] | None) -> None:
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


def _play(table: Table, step: Play) -> None:
    if table.offered:  # nobody agreed: the game goes on
        table.resigned.discard(table.ruling.declarer or 0)
        table.offered = 0
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


def _early_end(table: Table) -> None:
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


def _resign(table: Table, step: Resign) -> None:
    if step.seat in table.resigned:
        raise Illegal("resigned already")
    table.resigned.add(step.seat)
    # "the declarer may concede alone with nine or ten cards in hand", "later only if a defender
    # agrees"
    late = not on_server(table.profile) and len(table.hands[step.seat]) < 9
    if step.seat == table.ruling.declarer and late:
        table.offered = table.number
        return
    # isko: "one defender's concession binds both"; the server: "one defender alone changes
    # nothing"
    needed = 2 if on_server(table.profile) else 1
    if (
        step.seat == table.ruling.declarer
        or len(table.resigned - {table.ruling.declarer}) >= needed
    ):
        table.ruling.ended, table.by = "given-up", step.seat


def _agree(table: Table, step: Agree) -> None:
    if not table.offered or step.seat == table.ruling.declarer:
        raise Illegal("nothing to agree to")
    table.ruling.ended, table.by, table.offered = "given-up", table.ruling.declarer, 0


def _stop(table: Table, step: Step) -> None:
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
