"""Replays a record step by step against a profile's tables; stops at the first fault.

`replay` answers with a `Replay`: how far the deal came, how it ended, the fault if
any. What the ended deal is worth is for outcome.py and settlement.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from skatspec.cards import ALL, DECK, HIDDEN, mask, members, name
from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine import auction, declaration, endings, pack, placing, play
from skatspec.engine.state import (
    EARLY,
    LOST_AT_ONCE,
    OPEN,
    PASSED_IN,
    WHY_ENDED,
    Game,
)
from skatspec.engine.variants import kontra, ramsch, revolution, spitze
from skatspec.record import (
    NO_NUMBER,
    RAMSCH,
    ROUND_TAG,
    SEAT_NAMES,
    AuctionEnd,
    Bid,
    Deal,
    Declare,
    Discard,
    Double,
    EarlyPlay,
    Exchange,
    Gift,
    Hold,
    Knock,
    Leave,
    Pass,
    PickUp,
    Play,
    Push,
    Record,
    Refuse,
    Ruling,
    Step,
    Timeout,
)
from skatspec.rules.tables import Tables

_BIT = (*(1 << card for card in range(DECK)), 0)


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished replay: the state after the last legal step, and the first fault.

    `notes` are findings that do not stop a replay. `steps_done` counts the legal steps.
    """

    game: Game
    fault: Diagnostic | None
    notes: tuple[Diagnostic, ...]

    @property
    def steps_done(self) -> int:
        """Return how many steps were legal."""
        return self.game.steps_done


def replay(
    record: Record, tables: Tables, steps: int | None = None, round_: str | None = None
) -> Replay:
    """Replay a record, or only its first `steps` steps.

    `round_` is the kind of round the deal belongs to, where what went before it tells; else
    the record's own `Round` tag does.
    """
    taken = record.steps if steps is None else record.steps[:steps]
    game = Game(tables, taken, round_)
    fault = deal_fault(record.deal, game)
    if fault is None and record.tags:
        fault = ramsch.round_fault(game, record.tag(ROUND_TAG))
    if fault is None:
        fault = _run(game, taken)
    if fault is None and not game.exact and not placing.feasible(game.possible):
        fault = finding("R007", step=len(taken), expected="a place for every card")
    return Replay(game, fault, tuple(game.notes))


# --- the deal ---------------------------------------------------------------------------


def deal_fault(deal: Deal | None, game: Game) -> Diagnostic | None:
    """Check sizes and duplicates of the deal and set the masks of `game` from it."""
    if deal is None:
        return None
    game.deal_recorded = True
    hands: Sequence[Sequence[int] | None] = (*deal.hands, deal.skat)
    if deal.pack is not None:
        fault = pack.fault(deal.pack, hands, game.tables)
        if fault is not None:
            return fault
        hands = pack.hands(deal.pack, game.tables)
    masks = [0, 0, 0, 0]
    for place, cards in enumerate(hands):
        if cards is None:
            continue
        if len(cards) != placing.SIZES[place]:
            if not any(isinstance(step, Ruling) for step in game.steps):
                return _wrong_size(place, len(cards))
            # settled as ruled; a hand that is wrong tells nothing for certain
            game.miscounted = True
            continue
        masks[place] = sum([_BIT[card] for card in cards])
    total = sum(masks)
    if total == ALL:
        # 32 powers of two add up to 2^32 - 1 only if they are all different.
        game.dealt = masks
        game.possible = list(masks)
        game.exact = True
        return None
    if game.miscounted:
        # nor does the skat, which takes what another place has too few or too many of
        hands = [*(cards if masks[place] else None for place, cards in enumerate(hands[:3])), None]
    return _hidden_deal(hands, game)


def _wrong_size(place: int, count: int) -> Diagnostic:
    expected = f"{placing.SIZES[place]} cards"
    if place == placing.AWAY:
        return finding("R003", count=count, read=f"{count} cards", expected=expected, part="deal/3")
    return finding(
        "R002", who=SEAT_NAMES[place], count=count, read=f"{count} cards", expected=expected,
        part=f"deal/{place}",
    )  # fmt: skip


def _hidden_deal(hands: Sequence[Sequence[int] | None], game: Game) -> Diagnostic | None:
    seen: dict[int, str] = {}
    known = [0, 0, 0, 0]
    for place, cards in enumerate(hands):
        for at, card in enumerate(cards or ()):
            if card == HIDDEN:
                continue
            if card in seen:
                return finding(
                    "R001", card=name(card), other=seen[card], read=name(card),
                    expected="32 different cards", part=f"deal/{place}/{at}",
                )  # fmt: skip
            seen[card] = f"deal/{place}/{at}"
            known[place] |= 1 << card
    unseen = ALL & ~mask(seen)
    game.dealt = [
        known[place] if known[place].bit_count() == size else known[place] | unseen
        for place, size in enumerate(placing.SIZES)
    ]
    game.dealt = placing.settle_counts(game.dealt)
    game.possible = list(game.dealt)
    game.exact = sum(game.dealt) == ALL
    return None


# --- the steps --------------------------------------------------------------------------


def _run(game: Game, steps: Sequence[Step]) -> Diagnostic | None:
    index = _auction(game, steps)
    while index < len(steps) and game.sound:
        index = _advance(game, steps, index)
    if game.sound:
        game.fault = endings.left_open(game)
    game.steps_done = index
    return game.fault


def _advance(game: Game, steps: Sequence[Step], index: int) -> int:
    """Take the next step, or all cards up to the next other step; stay where it is a fault."""
    step = steps[index]
    if type(step) is Play:
        if not game.playing:
            game.fault = _before_lead(game, index + 1)
        endings.lapse(game)
        return play.run(game, steps, index) if game.sound else index
    if game.ended != OPEN:
        _after_end(game, step, index + 1)
    else:
        game.fault = _other(game, step, index + 1)
    return index + 1 if game.sound else index


def _auction(game: Game, steps: Sequence[Step]) -> int:
    if steps and isinstance(steps[0], (*auction.CALLS, AuctionEnd)):
        game.fault = ramsch.no_auction(game)
        if game.fault is not None:
            return 0
    if not steps or not isinstance(steps[0], auction.CALLS):
        if steps and isinstance(steps[0], AuctionEnd):
            game.fault = _auction_end(game, steps[0])
            return 1 if game.sound else 0
        # A record may leave its auction out; one that stops in it has begun it.
        game.auction_open = bool(steps) and isinstance(steps[0], (Timeout, Leave))
        return 0
    called = auction.run(game.tables, steps)
    game.auction_recorded = True
    game.fault = called.fault
    game.bid = called.bid or None
    game.declarer = called.declarer
    if called.passed_in:
        game.ended = PASSED_IN
    elif called.declarer is None:
        game.auction_open = True
        game.auction_state = called.state
    elif called.next < len(steps) and isinstance(end := steps[called.next], AuctionEnd):
        game.fault = _told_again(game, end, called.next + 1)
        return called.next + (1 if game.sound else 0)
    return called.next


def _told_again(game: Game, step: AuctionEnd, number: int) -> Diagnostic | None:
    """Compare how the auction is said to have come out with the calls before it."""
    if step.seat != game.declarer:
        who = SEAT_NAMES[step.seat] if step.seat in range(len(SEAT_NAMES)) else "nobody"
        winner = SEAT_NAMES[game.declarer or 0]
        return finding("B008", step=number, who=who, winner=winner, expected=winner)
    if step.value not in (NO_NUMBER, game.bid):
        return finding("B010", step=number, read=step.value, expected=game.bid)
    return None


def _auction_end(game: Game, step: AuctionEnd) -> Diagnostic | None:
    """Take over how the auction came out: who plays at what, a value that can be bid."""
    if step.seat not in (0, 1, 2):
        return finding("B008", step=1, who="nobody", winner="a player", expected="a player")
    game.auction_recorded, game.declarer = True, step.seat
    if step.value == NO_NUMBER:
        return None
    if step.value not in game.tables.bid_ok:
        return finding("B001", step=1, read=step.value, expected="a value of these rules")
    game.bid = step.value
    return None


def _before_lead(game: Game, number: int) -> Diagnostic | None:
    if game.ended == EARLY:
        play.goes_on(game, number)
        return game.fault
    if game.ended == PASSED_IN:
        return _passed_in(game, number)
    if game.contract is None:
        if game.auction_open:
            return finding("B006", step=number, expected="the auction's last calls")
        return finding("D010", step=number, expected="a declaration")
    fault = ramsch.unfinished(game, number) if game.is_ramsch else spitze.refused(game, number)
    if fault is None:
        play.begin(game)
    return fault


def _after_end(game: Game, step: Step, number: int) -> None:
    """Fault a step after the end; let it pass without effect where the game was only decided."""
    if isinstance(step, Ruling) and game.contract is not None and game.ruling is None:
        game.fault = endings.take(game, step, number)  # rules on what ended the game
    elif isinstance(step, (*auction.CALLS, AuctionEnd)):
        game.fault = finding("B005", step=number, expected="the end of the deal")
    elif game.ended == PASSED_IN and _is_ramsch(step):
        game.fault = _other(game, step, number)
    elif game.ended == PASSED_IN:
        game.fault = _passed_in(game, number)
    elif game.ended == LOST_AT_ONCE and isinstance(step, Discard) and not game.playing:
        # written behind the declaration, but it belongs before it
        game.fault = declaration.discard(game, step, number)
    elif game.ended == LOST_AT_ONCE and isinstance(step, Double):
        # an overbid game is doubled like any other
        game.fault = kontra.double(game, step, number)
    elif type(step) in _TAKERS or isinstance(step, (Gift, Refuse, EarlyPlay)):
        game.fault = finding(
            "P005", step=number, why=WHY_ENDED[game.ended], expected="the end of the deal"
        )
    else:
        play.goes_on(game, number)


def _passed_in(game: Game, number: int) -> Diagnostic:
    """Fault what follows three passes: the deal is over, or its Ramsch is missing."""
    if ramsch.due(game):
        return ramsch.missing(number)
    return finding("B009", step=number, expected="the end of the deal")


def _other(game: Game, step: Step, number: int) -> Diagnostic | None:
    """Handle every step that is neither a call of the auction's start nor a card."""
    kind = type(step)
    if kind is Declare and _is_ramsch(step):
        return ramsch.declare(game, cast(Declare, step), number)
    if not 0 <= step.seat < len(SEAT_NAMES) and kind is not Ruling:
        return finding("P003", step=number, who=game.name(step.seat), expected="a player")
    return _TAKERS.get(kind, endings.take)(game, step, number)


def _discard(game: Game, step: Discard, number: int) -> Diagnostic | None:
    take = ramsch.not_here if game.is_ramsch else declaration.discard
    return take(game, step, number)


def _pick_up(game: Game, step: PickUp, number: int) -> Diagnostic | None:
    take = ramsch.pick_up if game.is_ramsch else declaration.pick_up
    return take(game, step, number)


def _late_call(game: Game, step: Step, number: int) -> Diagnostic | None:
    return finding("B005", step=number, expected="no further call")


# What takes a step, by its type; all others are endings.
_TAKERS: dict[type[Step], Callable[[Game, Any, int], Diagnostic | None]] = {
    Bid: _late_call,
    Hold: _late_call,
    Pass: _late_call,
    AuctionEnd: _late_call,
    PickUp: _pick_up,
    Discard: _discard,
    Declare: declaration.declare,
    Push: ramsch.push,
    Knock: ramsch.knock,
    Double: kontra.double,
    Exchange: revolution.exchange,
}


def _is_ramsch(step: Step) -> bool:
    return isinstance(step, Declare) and step.contract == RAMSCH


def hand_cards(game: Game, seat: int) -> list[int]:
    """Return the cards a hand still holds, hidden ones at the end, lowest number first."""
    masks = game.held if game.contract is not None and game.tricks else None
    pool = masks[seat] if masks else game.possible[seat] & ~game.played[seat]
    sure = pool & placing.certain(game.possible, seat) if not game.exact else pool
    cards = list(members(sure))
    return cards + [HIDDEN] * max(0, game.left_in_hand(seat) - len(cards))
