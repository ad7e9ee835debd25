"""Makes a record smaller: tags, results, steps, cards and announcements are left out.

What can be read is changed as a record and written anew; what cannot, as a text. Nothing is
put in but the end of an auction in the place of its calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from skatspec.cards import HIDDEN
from skatspec.errors import SkatspecError
from skatspec.formats import registry
from skatspec.record import (
    SEAT_LETTERS,
    AuctionEnd,
    Bid,
    Deal,
    Declare,
    Hold,
    Pass,
    PickUp,
    Play,
    Record,
    Result,
    Show,
    Step,
)

T = TypeVar("T")
Given = dict[str, Any]
Same = Callable[[Given], bool]
Holds = Callable[[Record], bool]

_CALLS = (Bid, Hold, Pass)
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


def smaller(given: Given, same: Same) -> Given:
    """Return the smallest input of the task check that was found; no file beside it."""
    record = _read(given)
    if record is not None:
        written = _written(given, record)
        # the first question: whether the record as our own writer has it shows the same
        if written is not None and (written == given or same(written)):
            return _smaller_record(written, record, same)
    return _smaller_text(given, same)


def _read(given: Given) -> Record | None:
    try:
        found = registry.parse_text(given["record"], given["format"])
    except SkatspecError:
        return None
    return found if isinstance(found, Record) else None


def _written(given: Given, record: Record) -> Given | None:
    """Return a record as an input, None where its format cannot say all of it."""
    text, lost = registry.write_record(record, given["format"])
    return None if lost else given | {"record": text}


# --- text --------------------------------------------------------------------------------


def _smaller_text(given: Given, same: Same) -> Given:
    """Leave out lines, then words and signs."""

    def holds(kept: Sequence[str]) -> bool:
        return bool(kept) and same(given | {"record": "".join(kept)})

    lines = fewer(given["record"].splitlines(True), holds)
    words = fewer(_WORDS.findall("".join(lines)), holds)
    return given | {"record": "".join(words)}


# --- record ------------------------------------------------------------------------------


def _smaller_record(given: Given, record: Record, same: Same) -> Given:
    """Make a record smaller pass by pass until no pass finds anything."""
    now = replace(record, findings=())
    # what is large goes first: it costs the fewest questions

    def holds(candidate: Record) -> bool:
        written = _written(given, candidate)
        return written is not None and same(written)

    while True:
        before = now
        for one in (_fewer_tags, _smaller_result, _less_dealt, _fewer_steps, _plainer_steps):
            now = one(now, holds)
        if now == before:
            return _written(given, now) or given


def _fewer_tags(record: Record, holds: Holds) -> Record:
    if record.comments and holds(replace(record, comments=())):
        record = replace(record, comments=())
    tags = fewer(record.tags, lambda kept: holds(replace(record, tags=kept)))
    return replace(record, tags=tags)


def _fewer_steps(record: Record, holds: Holds) -> Record:
    """Leave out whole tricks and single steps, and say the auction's end for its calls."""
    ended = _auction_ended(record.steps)
    if ended is not None and holds(replace(record, steps=ended)):
        record = replace(record, steps=ended)
    groups = fewer(
        tuple(_grouped(record.steps)), lambda kept: holds(replace(record, steps=_flat(kept)))
    )  # fmt: skip
    record = replace(record, steps=_flat(groups))
    steps = fewer(record.steps, lambda kept: holds(replace(record, steps=kept)))
    return replace(record, steps=steps)


def _auction_ended(steps: tuple[Step, ...]) -> tuple[Step, ...] | None:
    """Return the steps with how the auction came out for its calls, None where nothing is shorter.

    Who plays is who declares or takes the skat, at the last value that was called.
    """
    calls = [step for step in steps if isinstance(step, _CALLS)]
    values = [step.value for step in calls if isinstance(step, Bid)]
    rest = tuple(step for step in steps if not isinstance(step, _CALLS))
    if len(calls) < 2 or not values or not rest:
        return None
    return (AuctionEnd(rest[0].seat, values[-1]), *rest)


def _grouped(steps: Sequence[Step]) -> Iterator[tuple[Step, ...]]:
    """Yield the steps, three cards in a row as one piece."""
    cards: list[Step] = []
    for step in steps:
        if not isinstance(step, Play) or len(cards) == len(SEAT_LETTERS):
            if cards:
                yield tuple(cards)
            cards = []
        if isinstance(step, Play):
            cards.append(step)
        else:
            yield (step,)
    if cards:
        yield tuple(cards)


def _flat(groups: Sequence[tuple[Step, ...]]) -> tuple[Step, ...]:
    return tuple([step for group in groups for step in group])


def _smaller_result(record: Record, holds: Holds) -> Record:
    """Leave out the result, or what of it is not needed."""
    result = record.result
    if result is None:
        return record
    if holds(replace(record, result=None)):
        return replace(record, result=None)
    stated = [one.name for one in fields(Result) if one.name != "kind"]
    stated = [name for name in stated if getattr(result, name) is not None]

    def only(kept: Sequence[str]) -> Record:
        nothing = {name: None for name in stated if name not in kept}
        return replace(record, result=replace(result, **nothing))  # type: ignore[arg-type]

    return only(fewer(stated, lambda kept: holds(only(kept))))


def _less_dealt(record: Record, holds: Holds) -> Record:
    """Leave out the deal, or hands of it; where a format must have a hand, hide it."""
    if record.deal is None:
        return record
    if holds(replace(record, deal=None)):
        return replace(record, deal=None)
    for at in (3, 0, 1, 2):
        part = record.deal.parts()[at]
        if part is None:
            continue
        hidden = (HIDDEN,) * len(part)
        for other in (None, hidden) if part != hidden else (None,):
            candidate = replace(record, deal=_with_part(record.deal, at, other))
            if holds(candidate):
                record = candidate
                break
        assert record.deal is not None
    return record


def _with_part(deal: Deal, at: int, cards: tuple[int, ...] | None) -> Deal:
    if at == len(deal.hands):
        return replace(deal, skat=cards)
    hands = [*deal.hands]
    hands[at] = cards
    return replace(deal, hands=(hands[0], hands[1], hands[2]))


def _plainer_steps(record: Record, holds: Holds) -> Record:
    """Leave out what single steps say beyond what they are."""
    for number, step in enumerate(record.steps):
        for other in _plainer(step):
            steps = (*record.steps[:number], other, *record.steps[number + 1 :])
            if holds(replace(record, steps=steps)):
                record = replace(record, steps=steps)
                break
    return record


def _plainer(step: Step) -> Iterator[Step]:
    if isinstance(step, (PickUp, Show)) and step.cards is not None:
        yield replace(step, cards=None)
    if isinstance(step, Declare):
        if step.shown is not None:
            yield replace(step, shown=None)
        if step.modifiers:
            yield replace(step, modifiers=0)
        bit = 1
        while bit <= step.modifiers:
            if step.modifiers & bit:
                yield replace(step, modifiers=step.modifiers & ~bit)
            bit <<= 1


# --- lists -------------------------------------------------------------------------------


def fewer(items: Sequence[T], holds: Callable[[tuple[T, ...]], bool]) -> tuple[T, ...]:
    """Return the items that cannot be left out, neither alone nor side by side.

    Large pieces are tried before small ones, the last before the first.
    """
    kept = tuple(items)
    while True:
        before, size = len(kept), len(kept)
        while size:
            kept = _without(kept, size, holds)
            size //= 2
        if len(kept) == before:
            return kept


def _without(
    kept: tuple[T, ...], size: int, holds: Callable[[tuple[T, ...]], bool]
) -> tuple[T, ...]:
    """Leave out pieces of one size, from the end."""
    at = len(kept) - size
    while at > -size:
        rest = kept[: max(0, at)] + kept[max(0, at + size) :]
        if len(rest) < len(kept) and holds(rest):
            kept = rest
        at -= size
    return kept
