"""Brute force over a few hidden cards: veil a record, and list all that it may stand for.

The yardstick of tests/test_hidden.py: every completion is a complete record that
tests/judge.py can weigh. Only for a handful of cards.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations

from skatspec.cards import HIDDEN
from skatspec.diagnostics import Verdict
from skatspec.record import Deal, Declare, Discard, PickUp, Play, Record, Show, Step
from tests.judge import Illegal, faults, judge


def veil(rng: random.Random, record: Record) -> tuple[Record, set[int]]:
    """Hide a few cards wherever they stand; return them too."""
    assert record.deal is not None and record.deal.skat is not None
    hidden = set(rng.sample(range(32), rng.randint(1, 3)))
    if rng.random() < 0.5:
        hidden = {*record.deal.skat, *rng.sample(range(32), rng.randint(0, 2))}
    plays_too = rng.random() < 0.3

    def gone(group: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return None if group is None else tuple(HIDDEN if c in hidden else c for c in group)

    first, second, third, skat = (gone(part) for part in record.deal.parts())
    steps: list[Step] = []
    for step in record.steps:
        if isinstance(step, Play) and plays_too and step.card in hidden:
            steps.append(replace(step, card=HIDDEN))
        elif isinstance(step, Discard):
            steps.append(replace(step, cards=gone(step.cards) or ()))
        elif isinstance(step, (PickUp, Show)):
            steps.append(replace(step, cards=None))
        elif isinstance(step, Declare):
            steps.append(replace(step, shown=None))
        else:
            steps.append(step)
    return replace(record, deal=Deal((first, second, third), skat), steps=tuple(steps)), hidden


def completions(record: Record, hidden: set[int]) -> Iterator[Record]:
    """Yield every complete record that a veiled one may stand for."""
    assert record.deal is not None
    parts = [list(part or ()) for part in record.deal.parts()]
    slots = [(p, at) for p, part in enumerate(parts) for at, c in enumerate(part) if c == HIDDEN]
    seen = set()
    for order in permutations(sorted(hidden)):
        filled = [list(part) for part in parts]
        for (part, at), card in zip(slots, order, strict=True):
            filled[part][at] = card
        key = tuple(frozenset(part) for part in filled)
        if key not in seen:
            seen.add(key)
            first, second, third, skat = (tuple(part) for part in filled)
            yield from with_discard(replace(record, deal=Deal((first, second, third), skat)))


def with_discard(record: Record) -> Iterator[Record]:
    for at, step in enumerate(record.steps):
        if isinstance(step, Discard) and HIDDEN in step.cards:
            assert record.deal is not None
            own = {*(record.deal.hands[step.seat] or ()), *(record.deal.skat or ())}
            known = [card for card in step.cards if card != HIDDEN]
            for pick in combinations(sorted(own - set(known)), 2 - len(known)):
                put = Discard(step.seat, (*known, *pick))
                steps = (*record.steps[:at], put, *record.steps[at + 1 :])
                yield from with_plays(replace(record, steps=steps))
            return
    yield from with_plays(record)


def with_plays(record: Record) -> Iterator[Record]:
    """Yield the record with every choice of the cards that its hands have left to play."""
    assert record.deal is not None
    hands = [set(hand or ()) for hand in record.deal.hands]
    blanks: list[int] = []
    for at, step in enumerate(record.steps):
        if isinstance(step, PickUp):
            hands[step.seat] |= set(record.deal.skat or ())
        elif isinstance(step, Discard):
            hands[step.seat] -= set(step.cards)
        elif isinstance(step, Play) and step.card != HIDDEN:
            hands[step.seat].discard(step.card)
        elif isinstance(step, Play):
            blanks.append(at)
    partial: list[tuple[Step, ...]] = [record.steps]
    for at in blanks:
        seat = record.steps[at].seat
        partial = [
            (*steps[:at], Play(seat, card), *steps[at + 1 :])
            for steps in partial
            for card in hands[seat] - {s.card for s in steps if isinstance(s, Play)}
        ]
    for steps in partial:
        yield replace(record, steps=steps)


def truth(profile: str, record: Record, hidden: set[int]) -> tuple[Verdict, set[int]] | None:
    """Return the verdict by brute force and every score a legal completion has; None: too many."""
    agree = differ = 0
    scores: set[int] = set()
    for number, full in enumerate(completions(record, hidden)):
        if number > 150:
            return None
        try:
            ruling = judge(profile, full)
        except Illegal:
            continue
        if ruling.settlement is None:
            return None
        scores |= set(ruling.expect["score"])
        if faults(profile, full):
            differ += 1
        else:
            agree += 1
    if not agree:
        return Verdict.CONTRADICTED, scores
    return (Verdict.UNDETERMINED if differ else Verdict.CONSISTENT), scores
