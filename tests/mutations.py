"""Changes of a record: single faults, which a check must find, and hiding, which it must bear.

A fault is a function of a random source and a record that returns the changed record, or
None where the record has no place for it. Whether a fault matters is for tests/judge.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from skatspec.cards import HIDDEN
from skatspec.record import (
    GAME,
    NO_NUMBER,
    PASSED,
    PENALTY,
    SCHNEIDER,
    WORLD,
    Agree,
    Bid,
    Claim,
    Deal,
    Declare,
    Discard,
    Hold,
    Leave,
    OutOfTurn,
    Pass,
    PickUp,
    Play,
    Record,
    Resign,
    Result,
    Revoke,
    Show,
    Step,
    Timeout,
    WrongLead,
)
from skatspec.rules.tables import CONTRACTS

Change = Callable[[random.Random, Record], Record | None]
CALLS = (Bid, Hold, Pass)


def _places(record: Record, *kinds: type[Step]) -> list[int]:
    return [at for at, step in enumerate(record.steps) if isinstance(step, kinds)]


def _with(record: Record, at: int, *steps: Step, drop: int = 1) -> Record:
    """Return the record with the step at a place replaced."""
    return replace(record, steps=(*record.steps[:at], *steps, *record.steps[at + drop :]))


# --- faults in the deal -----------------------------------------------------------------


def swap_two_dealt_cards(rng: random.Random, record: Record) -> Record | None:
    """Exchange a card of one hand with one of another hand or of the skat."""
    if record.deal is None:
        return None
    parts = [list(part or ()) for part in record.deal.parts()]
    one, other = rng.sample(range(4), 2)
    here, there = rng.randrange(len(parts[one])), rng.randrange(len(parts[other]))
    parts[one][here], parts[other][there] = parts[other][there], parts[one][here]
    return replace(record, deal=_deal(parts))


def deal_a_card_twice(rng: random.Random, record: Record) -> Record | None:
    """Put one card of the deal in the place of another."""
    if record.deal is None:
        return None
    parts = [list(part or ()) for part in record.deal.parts()]
    one, other = rng.sample(range(4), 2)
    parts[one][rng.randrange(len(parts[one]))] = rng.choice(parts[other])
    return replace(record, deal=_deal(parts))


def _deal(parts: Sequence[Sequence[int]]) -> Deal:
    first, second, third, skat = (tuple(part) for part in parts)
    return Deal((first, second, third), skat)


# --- faults in the auction --------------------------------------------------------------


def lower_a_bid(rng: random.Random, record: Record) -> Record | None:
    """Make a bid smaller, down to nought."""
    return _bid_change(rng, record, -1)


def raise_a_bid(rng: random.Random, record: Record) -> Record | None:
    """Make a bid larger, beyond the ladder too."""
    return _bid_change(rng, record, +1)


def _bid_change(rng: random.Random, record: Record, sign: int) -> Record | None:
    places = _places(record, Bid)
    if not places:
        return None
    at = rng.choice(places)
    bid = record.steps[at]
    assert isinstance(bid, Bid)
    by = rng.choice((1, 2, 3, 4, 5, 6, 9, 12, 24, 300))
    return _with(record, at, Bid(bid.seat, max(0, bid.value + sign * by)))


def let_another_seat_call(rng: random.Random, record: Record) -> Record | None:
    """Give a call to a player whose turn it is not."""
    places = _places(record, *CALLS)
    if not places:
        return None
    at = rng.choice(places)
    step = record.steps[at]
    return _with(record, at, replace(step, seat=(step.seat + rng.choice((1, 2))) % 3))


def turn_a_call_around(rng: random.Random, record: Record) -> Record | None:
    """Make a hold of a pass, or a pass of a hold or a bid."""
    places = _places(record, *CALLS)
    if not places:
        return None
    at = rng.choice(places)
    step = record.steps[at]
    return _with(record, at, Hold(step.seat) if isinstance(step, Pass) else Pass(step.seat))


def repeat_a_call(rng: random.Random, record: Record) -> Record | None:
    """Say a call twice."""
    places = _places(record, *CALLS)
    if not places:
        return None
    at = rng.choice(places)
    return _with(record, at, record.steps[at], record.steps[at])


def call_after_the_auction(rng: random.Random, record: Record) -> Record | None:
    """Put a call behind the last one."""
    places = _places(record, *CALLS)
    call = rng.choice((Pass(rng.randrange(3)), Hold(rng.randrange(3)), Bid(rng.randrange(3), 264)))
    return _with(record, places[-1] + 1, call, drop=0) if places else None


# --- faults in declaration and discard --------------------------------------------------


def let_another_seat_declare(rng: random.Random, record: Record) -> Record | None:
    """Give pick-up, discard and declaration to a player who did not win the auction."""
    if not _places(record, Declare):
        return None
    by = rng.choice((1, 2))
    steps = tuple(
        replace(step, seat=(step.seat + by) % 3)
        if isinstance(step, (PickUp, Discard, Declare, Show))
        else step
        for step in record.steps
    )
    return replace(record, steps=steps)


def discard_another_card(rng: random.Random, record: Record) -> Record | None:
    """Put away a card other than the one that was."""
    places = _places(record, Discard)
    if not places:
        return None
    step = record.steps[places[0]]
    assert isinstance(step, Discard)
    other = rng.choice([card for card in range(32) if card not in step.cards])
    return _with(record, places[0], Discard(step.seat, (step.cards[0], other)))


def discard_a_card_twice(rng: random.Random, record: Record) -> Record | None:
    """Put one card away two times."""
    places = _places(record, Discard)
    if not places:
        return None
    step = record.steps[places[0]]
    assert isinstance(step, Discard)
    return _with(record, places[0], Discard(step.seat, (step.cards[0],) * 2))


def announce_something_else(rng: random.Random, record: Record) -> Record | None:
    """Change what was announced."""
    places = _places(record, Declare)
    if not places:
        return None
    step = record.steps[places[0]]
    assert isinstance(step, Declare)
    return _with(
        record, places[0], replace(step, modifiers=step.modifiers ^ rng.choice((1, 2, 4, 8, 9, 7)))
    )


def declare_another_game(rng: random.Random, record: Record) -> Record | None:
    """Change the contract."""
    places = _places(record, Declare)
    if not places:
        return None
    step = record.steps[places[0]]
    assert isinstance(step, Declare)
    other = rng.choice([name for name in CONTRACTS if name != step.contract])
    return _with(record, places[0], replace(step, contract=other))


# --- faults in play ---------------------------------------------------------------------


def swap_two_plays(rng: random.Random, record: Record) -> Record | None:
    """Exchange the cards of two plays, whoever made them."""
    places = _places(record, Play)
    if len(places) < 2:
        return None
    return _swapped(record, *rng.sample(places, 2))


def play_own_cards_in_another_order(rng: random.Random, record: Record) -> Record | None:
    """Exchange two cards that one hand played; often this changes who wins a trick."""
    seat = rng.randrange(3)
    places = [at for at in _places(record, Play) if record.steps[at].seat == seat]
    if len(places) < 2:
        return None
    return _swapped(record, *rng.sample(places, 2))


def _swapped(record: Record, one: int, other: int) -> Record:
    first, second = record.steps[one], record.steps[other]
    assert isinstance(first, Play) and isinstance(second, Play)
    changed = _with(record, one, Play(first.seat, second.card))
    return _with(changed, other, Play(second.seat, first.card))


def play_another_card(rng: random.Random, record: Record) -> Record | None:
    """Change one card on the table into any other card."""
    places = _places(record, Play)
    if not places:
        return None
    at = rng.choice(places)
    step = record.steps[at]
    assert isinstance(step, Play)
    return _with(record, at, Play(step.seat, (step.card + rng.randrange(1, 32)) % 32))


def play_out_of_turn(rng: random.Random, record: Record) -> Record | None:
    """Let another seat play a card."""
    places = _places(record, Play)
    if not places:
        return None
    at = rng.choice(places)
    step = record.steps[at]
    return _with(record, at, replace(step, seat=(step.seat + rng.choice((1, 2))) % 3))


def play_a_card_twice(rng: random.Random, record: Record) -> Record | None:
    """Record a play a second time."""
    places = _places(record, Play)
    if not places:
        return None
    at = rng.choice(places)
    return _with(record, at, record.steps[at], record.steps[at])


def play_on_after_the_end(rng: random.Random, record: Record) -> Record | None:
    """Put a card behind the last step."""
    if not record.steps:
        return None
    return replace(record, steps=(*record.steps, Play(rng.randrange(3), rng.randrange(32))))


STEP_FAULTS: tuple[Change, ...] = (
    swap_two_dealt_cards, deal_a_card_twice, lower_a_bid, raise_a_bid, let_another_seat_call,
    turn_a_call_around, repeat_a_call, call_after_the_auction, let_another_seat_declare,
    discard_another_card, discard_a_card_twice, announce_something_else, declare_another_game,
    swap_two_plays, play_own_cards_in_another_order, play_another_card, play_out_of_turn,
    play_a_card_twice, play_on_after_the_end,
)  # fmt: skip


# --- faults in the result ---------------------------------------------------------------


def result_changes(result: Result) -> Iterator[tuple[str, Result]]:
    """Yield the result with one stated field after the other changed, by name."""
    for kind in (GAME, PASSED, PENALTY):
        if kind != result.kind:
            yield "kind", replace(result, kind=kind)
    for spec in fields(Result):
        value = getattr(result, spec.name)
        if spec.name == "kind" or value is None:
            continue
        for other in _others(spec.name, value):
            yield spec.name, replace(result, **{spec.name: other})


def _others(name: str, value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, tuple):
        return [(not value[0], *value[1:])]
    if name in ("declarer", "left", "timed_out"):
        return [seat for seat in (-1, 0, 1, 2) if seat != value]
    others = {value + 1, value - 1, -value, 2 * value, value // 2, 120 - value}
    return sorted(others - {value})


# --- hiding -----------------------------------------------------------------------------


def hide_cards(rng: random.Random, record: Record) -> Record:
    """Return the record with some of its cards unshown, or whole groups of cards not given."""
    share = rng.choice((0.02, 0.1, 0.3, 0.7, 1.0))
    groups = rng.random() < 0.3

    def veil(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(HIDDEN if rng.random() < share else card for card in cards)

    def veil_or_drop(cards: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return None if cards is None or (groups and rng.random() < share) else veil(cards)

    where = rng.choice(("deal", "plays", "aside", "all", "all", "skat", "hands"))
    deal = record.deal
    if deal is not None and where in ("deal", "all", "hands", "skat"):
        first, second, third = (
            hand if where == "skat" else veil_or_drop(hand) for hand in deal.hands
        )
        deal = Deal((first, second, third), deal.skat if where == "hands" else (HIDDEN, HIDDEN))
        if groups and where == "all" and rng.random() < share:
            deal = None
    steps: list[Step] = []
    for step in record.steps:
        if isinstance(step, Play) and where in ("plays", "all"):
            steps.append(replace(step, card=veil((step.card,))[0]))
        elif isinstance(step, Discard) and where in ("aside", "all"):
            steps.append(replace(step, cards=veil(step.cards)))
        elif isinstance(step, (PickUp, Show)) and where in ("aside", "all"):
            steps.append(replace(step, cards=veil_or_drop(step.cards)))
        elif isinstance(step, Declare) and where in ("aside", "all"):
            steps.append(replace(step, shown=veil_or_drop(step.shown)))
        else:
            steps.append(step)
    return replace(record, deal=deal, steps=tuple(steps))


def drop_the_auction(rng: random.Random, record: Record) -> Record:
    """Return the record without its calls."""
    return replace(record, steps=tuple(s for s in record.steps if not isinstance(s, CALLS)))


def drop_the_discard(rng: random.Random, record: Record) -> Record:
    """Return the record without its discard, where cards were played after it."""
    if not _places(record, Play):
        return record
    return replace(record, steps=tuple(s for s in record.steps if not isinstance(s, Discard)))


def drop_result_fields(rng: random.Random, record: Record) -> Record:
    """Return the record with some of what its result states left out, or all of it."""
    if record.result is None or rng.random() < 0.2:
        return replace(record, result=None)
    share = rng.choice((0.1, 0.5, 0.9))
    gone = {
        spec.name: None for spec in fields(Result) if spec.name != "kind" and rng.random() < share
    }
    return replace(record, result=replace(record.result, **gone))  # type: ignore[arg-type]


HIDINGS: tuple[Callable[[random.Random, Record], Record], ...] = (
    hide_cards, drop_the_auction, drop_the_discard, drop_result_fields,
)  # fmt: skip


def hide(rng: random.Random, record: Record) -> Record:
    """Return the record with one to three kinds of things left out."""
    for change in rng.sample(HIDINGS, rng.randint(1, 3)):
        record = change(rng, record)
    return record


# --- odd records ------------------------------------------------------------------------


def odd_cards(rng: random.Random) -> tuple[int, ...]:
    size = rng.choice((0, 1, 2, 2, 3, 10, 10))
    return tuple(rng.choice((HIDDEN, rng.randrange(32))) for _ in range(size))


def odd_step(rng: random.Random) -> Step:
    """Return any step that a reader could hand over, sensible or not."""
    seat, shown = rng.choice((0, 1, 2, WORLD)), rng.choice((None, odd_cards(rng)))
    return rng.choice((
        Bid(seat, rng.choice((18, 20, 264, 0, NO_NUMBER, 10**30))), Hold(seat), Pass(seat),
        PickUp(seat, shown), Discard(seat, odd_cards(rng)), Resign(seat), Timeout(seat),
        Leave(seat), Show(seat, shown), Play(seat, rng.randrange(33)), Play(seat, HIDDEN),
        Agree(seat), Claim(seat, SCHNEIDER), Revoke(seat), WrongLead(seat), OutOfTurn(seat),
        Declare(seat, rng.choice((*CONTRACTS, "ramsch")), rng.randrange(20), shown),
    ))  # fmt: skip


def odd_record(rng: random.Random, record: Record) -> Record:
    """Return a record with steps put in, changed and taken out, and perhaps another deal."""
    steps = list(record.steps) if rng.random() < 0.7 else []
    for _ in range(rng.randrange(1, 12)):
        at = rng.randrange(len(steps) + 1)
        steps[at : at + rng.randrange(2)] = [odd_step(rng)] if rng.random() < 0.7 else []
    deal = record.deal
    if rng.random() < 0.4:
        deck = [HIDDEN if rng.random() < 0.5 else card for card in rng.sample(range(32), 32)]
        parts = [tuple(deck[n : n + 10]) for n in (0, 10, 20)]
        deal = Deal((parts[0], parts[1], rng.choice((None, parts[2]))), odd_cards(rng))
    return replace(record, deal=deal, steps=tuple(steps))
