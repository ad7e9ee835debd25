"""Where a step stands in the canonical text, and the order of a record's comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skatspec.formats.skat.words import HANDS, NOBODYS_GAME
from skatspec.record import (
    WORLD,
    AuctionEnd,
    Bid,
    Comment,
    Declare,
    Discard,
    Double,
    Exchange,
    Hold,
    Knock,
    Pass,
    PickUp,
    Play,
    Push,
    Step,
)

STEP_SECTIONS = ("auction", "contract", "play")
# The section a step belongs to; steps that may befall anywhere have none.
_HOME: dict[type[Step], int] = {
    Bid: 0, Hold: 0, Pass: 0, AuctionEnd: 0,
    PickUp: 1, Discard: 1, Declare: 1, Push: 1, Knock: 1, Exchange: 1, Double: 1,
    Play: 2,
}  # fmt: skip


def _home(step: Step) -> int:
    if step.seat == WORLD and step != NOBODYS_GAME:
        # Only one line of a section may lack the seat.
        return -1
    return _HOME.get(type(step), -1)


def placed(steps: Sequence[Step]) -> Iterator[tuple[int, bool]]:
    """Yield each step's section (a number into STEP_SECTIONS), and whether it is at home there.

    Sections never go back, so a step that belongs to an earlier one stands where the
    record has it as an irregular line.
    """
    section = 0
    for step in steps:
        home = _home(step)
        section = max(section, home)
        yield section, home == section


def items(tags: int, steps: Sequence[Step]) -> Iterator[str]:
    """Yield the names of everything a comment can belong to, in the canonical order."""
    yield from (f"tag/{number}" for number in range(tags))
    yield "deal"
    yield from (f"deal/{number}" for number in HANDS.values())
    sections = [section for section, _ in placed(steps)]
    number = 0
    for section, name in enumerate(STEP_SECTIONS):
        yield name
        while number < len(steps) and sections[number] == section:
            yield f"step/{number}"
            number += 1
    yield "result"
    yield "end"


def in_order(comments: Sequence[Comment], tags: int, steps: Sequence[Step]) -> tuple[Comment, ...]:
    """Return comments in the order in which the canonical text has them."""
    rank = {name: number for number, name in enumerate(items(tags, steps))}
    last = len(rank)
    return tuple(sorted(comments, key=lambda one: (rank.get(one.where, last), not one.own_line)))
