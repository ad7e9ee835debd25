"""From a block of an XSkat log, and its row of the list, to a Record.

The columns of the log become seats by who is forehand: next to the dealer of the seed line,
else who led first. What the log and the list state is kept as it stands, even where it
cannot be; only where the log contradicts its own marks does the reader say so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from skatspec.diagnostics import Diagnostic, finding
from skatspec.formats.xskat import words
from skatspec.formats.xskat.contracts import after_the_play, before_the_play, contradictions
from skatspec.formats.xskat.deals import deal_of, printed_hands
from skatspec.formats.xskat.lists import ListRow
from skatspec.formats.xskat.places import locate
from skatspec.formats.xskat.seats import PLAYERS, column_of, declarer_of, forehand, seat_of
from skatspec.formats.xskat.tricks import NO_TRICKS, Tricks, plays, tricks_of
from skatspec.formats.xskat.values import PASSED, PLAYED, Block, BrokenBlock
from skatspec.record import (
    COPY_TAG,
    PLACES_TAG,
    RAMSCH_ROUND,
    ROUND_TAG,
    SEAT_LETTERS,
    SEED_TAG,
    BrokenRecord,
    Origin,
    Places,
    Record,
    Result,
)
from skatspec.record import PASSED as PASSED_RESULT

FORMAT = "xskat"

Tags = tuple[tuple[str, str], ...]
Locator = Callable[[str], Places]


def record_of(
    block: Block | BrokenBlock,
    index: int = 0,
    source: str = "",
    row: ListRow | None = None,
    copy: bool = False,
) -> Record | BrokenRecord:
    """Return the record of block `index` (from 0); `copy`: it only repeats the one before."""
    if isinstance(block, BrokenBlock):
        origin = Origin(source, index, block.line, FORMAT, block.text)
        return BrokenRecord(origin, block.findings)
    first, declarer = forehand(block), declarer_of(block, row)
    if first is None or declarer is None:
        origin = Origin(source, index, block.line, FORMAT, block.text)
        return BrokenRecord(origin, (_open_seat(block, first),))
    # Who of two players of one name declared may be known from the list alone.
    two = block.contract is not None and len(block.contract.players) > 1
    locator: Locator = partial(locate, row=row) if two else locate
    return _record(block, first, declarer, row, copy, Origin(
        source, index, block.line, FORMAT, block.text, locator
    ))  # fmt: skip


def _record(
    block: Block, first: int, declarer: int, row: ListRow | None, copy: bool, origin: Origin
) -> Record:
    hands = printed_hands(block)
    found = tricks_of(block, first) if block.kind == PLAYED else NO_TRICKS
    before = before_the_play(block, first, declarer, hands)
    after = after_the_play(block, first, declarer, found)
    steps = [step for step, _, _ in before]
    if block.kind == PLAYED:
        steps += plays(block, found, first, block.spitze)
    steps += [step for step, _, _ in after]
    findings = tuple(contradictions(block, first, declarer))
    if found.fault is not None:
        findings = (*findings, found.fault)
    return Record(
        _tags(block, first, copy, origin.index), deal_of(block, first, declarer, hands),
        tuple(steps), _result(block, first, declarer, found, row), (), origin, findings,
    )  # fmt: skip


def _open_seat(block: Block, first: int | None) -> Diagnostic:
    """Say which player cannot be told."""
    if first is None:
        wanted = "the seed line, or marks in the first row"
        place = block.span(block.rows[0].line)
        return finding("N011", span=place, what="sign of who is forehand", expected=wanted)
    assert block.contract is not None
    return finding(
        "N008", span=block.span(block.contract.line), what="the declarer",
        read=block.contract.name, expected="a name of one player only, or the list with its row",
    )  # fmt: skip


# ---------------------------------------------------------------- tags


def _tags(block: Block, first: int, copy: bool, index: int) -> Tags:
    columns = [column_of(seat, first) for seat in range(PLAYERS)]
    tags = [
        ("Id", str(index + 1)),
        (PLACES_TAG, " ".join([str(column + 1) for column in columns])),
        *zip(SEAT_LETTERS, [block.names[column].full for column in columns], strict=True),
    ]
    seed = block.seed
    if seed is not None:
        text = f"{seed.seed} {seed.skipped} {seed.dealer + 1} {seed.rotation}"
        tags.append((SEED_TAG, text.rstrip()))
    if copy:
        tags.append((COPY_TAG, "yes"))
    contract = block.contract
    # A Grand Hand without an auction is played in the Ramsch rounds only.
    if contract is not None and contract.contract == "grand" and block.last_bid is None:
        tags.append((ROUND_TAG, RAMSCH_ROUND))
    return tuple(tags)


# ---------------------------------------------------------------- result

_PASSED = Result(PASSED_RESULT)
_Any = TypeVar("_Any")


def _result(
    block: Block, first: int, declarer: int, found: Tricks, row: ListRow | None
) -> Result | None:
    contract, outcome = block.contract, block.result
    if block.kind == PASSED or contract is None:
        return _PASSED
    if contract.contract == words.RAMSCH:
        return _ramsch_result(block, first, found, row)
    if outcome is None:
        return None
    score = None if row is None else row.value if row.won else -row.value
    tricks = None
    if block.kind == PLAYED and found.fault is None:
        tricks = found.winners.count(declarer)
    return Result(
        declarer=seat_of(declarer, first), won=outcome.won, score=score,
        points=outcome.points, tricks=tricks, last_trick=_last(found, first),
    )  # fmt: skip


def _last(found: Tricks, first: int) -> int | None:
    """Return the seat that took the last trick by its mark, which nothing else shows."""
    if found.fault is not None or not found.winners:
        return None
    return seat_of(found.winners[-1], first)


def _ramsch_result(block: Block, first: int, found: Tricks, row: ListRow | None) -> Result:
    """Return who lost and what was counted by the log, and the scores by the list."""
    contract = block.contract
    assert contract is not None
    losers: list[bool] | None = None
    counted: list[int | None] | None = None
    player = contract.player
    if player is None and row is not None and row.player in contract.players:
        player = row.player
    if not contract.players:
        losers = [False] * PLAYERS
    elif player is not None:
        seat = seat_of(player, first)
        if not contract.won:
            losers = [one == seat for one in range(PLAYERS)]
        elif found.winners.count(player) < len(block.rows):
            # Two tied losers: the log names the third player as the winner.
            losers = [one != seat for one in range(PLAYERS)]
        if block.result is not None and block.result.points is not None:
            counted = [None] * PLAYERS
            counted[seat] = block.result.points
    scores = None if row is None else _ramsch_scores(row, first)
    if scores is None and not contract.players:
        # Nobody lost: unlike a march, which nobody loses either, it is written for nobody.
        scores = (0, 0, 0)
    return Result(
        losers=_three(losers), counted=_three(counted), scores=scores,
        last_trick=_last(found, first),
    )  # fmt: skip


def _three(values: list[_Any] | None) -> tuple[_Any, _Any, _Any] | None:
    return None if values is None else (values[0], values[1], values[2])


def _ramsch_scores(row: ListRow, first: int) -> tuple[int, int, int]:
    """Return what a row says, its marks taken at their word, by seat."""
    seat = seat_of(row.player, first)
    if row.won and not row.march:
        one, two, three = (0 if at == seat else -row.value for at in range(PLAYERS))
    else:
        value = row.value if row.won else -row.value
        one, two, three = (value if at == seat else 0 for at in range(PLAYERS))
    return one, two, three
