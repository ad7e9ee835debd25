"""One thing falsified in a right list, and the law that a checker of lists is held to.

A falsification names the line where it stands and the lines where errors may be named. The
law (`broken`): an error stands first at the falsified line and at no other, everything else
follows from it; or nothing is wrong with the new list, which tests/evenings_list.py says.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from typing import NamedTuple

from tests.evenings_list import FLAGS, Grid, faults, written
from tests.evenings_reading import TRUMP_GAMES

# The line of errors that are of the whole list.
WHOLE = 0


class Falsified(NamedTuple):
    """A changed list: what was done to which line, and where errors may be named."""

    kind: str
    grid: Grid
    line: int
    allowed: frozenset[int]
    said: str


class Found(NamedTuple):
    """An error that a checker names: its code and line."""

    code: str
    line: int


def broken(false: Falsified, errors: list[Found]) -> str:
    """Say how a checker's errors break the law: `missed`, `alarm`, `elsewhere`, `spread`, or not.

    `errors` are in the order in which they are named, those of the whole list last.
    """
    material = bool(faults(false.grid))
    if not errors:
        return "missed" if material else ""
    if not material:
        return "alarm"
    if errors[0].line != false.line and errors[0].line not in false.allowed:
        return "elsewhere"
    return "" if all(one.line in false.allowed for one in errors) else "spread"


def falsifications(rng: random.Random, grid: Grid) -> Iterator[Falsified]:
    """Yield one falsification of every kind that the list allows, in a random place."""
    for column in grid.columns:
        kind = "total" if column.startswith("total_") else column
        for how in _CELLS.get(kind, (_emptied,)):
            yield from _cell(rng, grid, column, kind, how)
    for at in range(len(grid.sums)):
        yield from _sum(rng, grid, at)
    for change in (_removed, _doubled, _swapped, _swapped_far, _given, _taken, _taken_all):
        made = change(rng, grid)
        if made is not None:
            yield made


# ---------------------------------------------------------------- cells

Change = Callable[[random.Random, str, Grid], str]


def _cell(
    rng: random.Random, grid: Grid, column: str, kind: str, how: Change
) -> Iterator[Falsified]:
    played = kind not in ("deal", "dealer", "total")
    rows = [at for at, row in enumerate(grid.rows) if row["declarer"] or not played]
    rng.shuffle(rows)
    for at in rows:
        before = grid.rows[at].get(column, "")
        try:
            after = how(rng, before, grid)
        except (ValueError, KeyError, IndexError):
            continue
        if after != before:
            made = deepcopy(grid)
            made.rows[at][column] = after
            line = grid.line(at)
            said = f"{column} {before!r} -> {after!r}"
            yield Falsified(
                f"{kind} {how.__name__.strip('_')}", made, line, frozenset((line,)), said
            )
            return


def _emptied(rng: random.Random, cell: str, grid: Grid) -> str:
    return ""


def _text(rng: random.Random, cell: str, grid: Grid) -> str:
    return "??"


def _ticked(rng: random.Random, cell: str, grid: Grid) -> str:
    return "" if cell else "x"


def _other_seat(rng: random.Random, cell: str, grid: Grid) -> str:
    return str(rng.choice([one for one in range(1, len(grid.seats) + 1) if str(one) != cell]))


def _nobody(rng: random.Random, cell: str, grid: Grid) -> str:
    return ""


def _other_game(rng: random.Random, cell: str, grid: Grid) -> str:
    return rng.choice([one for one in (*TRUMP_GAMES, "null") if one != cell])


def _side(rng: random.Random, cell: str, grid: Grid) -> str:
    side, count = cell.split()
    return f"{'without' if side == 'with' else 'with'} {count}"


def _length(rng: random.Random, cell: str, grid: Grid) -> str:
    side, count = cell.split()
    return f"{side} {rng.choice([one for one in range(1, 13) if one != int(count)])}"


def _other_bid(rng: random.Random, cell: str, grid: Grid) -> str:
    return str(rng.choice([one for one in grid.rules.bids if str(one) != cell]))


def _no_bid(rng: random.Random, cell: str, grid: Grid) -> str:
    return str(rng.choice((17, 19, 25, 34, 500)))


def _turned(rng: random.Random, cell: str, grid: Grid) -> str:
    return {"won": "lost", "lost": "won"}[cell]


def _call(rng: random.Random, cell: str, grid: Grid) -> str:
    return rng.choice([one for one in ("", "1", "2") if one != cell])


def _sign(rng: random.Random, cell: str, grid: Grid) -> str:
    return written(-Fraction(cell))


def _doubled_value(rng: random.Random, cell: str, grid: Grid) -> str:
    return written(2 * Fraction(cell))


def _halved(rng: random.Random, cell: str, grid: Grid) -> str:
    return written(Fraction(int(cell), 2))


def _swapped_digits(rng: random.Random, cell: str, grid: Grid) -> str:
    digits = list(cell)
    places = [at for at in range(len(digits) - 1) if digits[at : at + 2] != digits[at + 1 : at - 1]]
    at = rng.choice([at for at in places if digits[at].isdigit() and digits[at + 1].isdigit()])
    digits[at], digits[at + 1] = digits[at + 1], digits[at]
    return written(Fraction("".join(digits)))


def _other_digit(rng: random.Random, cell: str, grid: Grid) -> str:
    at = rng.choice([at for at, one in enumerate(cell) if one.isdigit()])
    return written(Fraction(cell[:at] + str(rng.randrange(10)) + cell[at + 1 :]))


def _other_value(rng: random.Random, cell: str, grid: Grid) -> str:
    return rng.choice([row["value"] for row in grid.rows if row.get("value", cell) != cell])


def _slip(rng: random.Random, cell: str, grid: Grid) -> str:
    return written(Fraction(cell) + rng.choice((-100, -10, -2, -1, 1, 2, 10, 100)))


def _other_points(rng: random.Random, cell: str, grid: Grid) -> str:
    return str(rng.choice([one for one in range(121) if str(one) != cell]))


def _other_tricks(rng: random.Random, cell: str, grid: Grid) -> str:
    return str(rng.choice([one for one in range(11) if str(one) != cell]))


_FLAG = (_ticked,)
_VALUE = (
    _sign, _doubled_value, _halved, _swapped_digits, _other_digit, _other_value, _slip, _emptied,
    _text,
)  # fmt: skip
_CELLS: dict[str, tuple[Change, ...]] = {
    "deal": (_slip, _swapped_digits, _other_digit, _emptied, _text),
    "dealer": (_other_seat, _emptied, _text),
    "declarer": (_other_seat, _nobody, _text),
    "contract": (_other_game, _emptied, _text),
    "matadors": (_side, _length, _emptied, _text),
    "bid": (_other_bid, _no_bid, _swapped_digits, _emptied, _text),
    "kontra": (_call,),
    "points": (_other_points, _swapped_digits, _emptied),
    "tricks": (_other_tricks, _emptied),
    "result": (_turned, _emptied, _text),
    "value": _VALUE,
    "total": (_sign, _swapped_digits, _other_digit, _slip, _doubled_value, _emptied, _text),
    "bock": _FLAG,
    **dict.fromkeys(FLAGS, _FLAG),
}


# ---------------------------------------------------------------- sums


def _sum(rng: random.Random, grid: Grid, at: int) -> Iterator[Falsified]:
    kind, cells = grid.sums[at]
    changes = (_slip, _sign, _swapped_digits, _other_digit, _emptied)
    if kind == "place":
        changes = (_other_seat, _emptied)
    for how in changes:
        player = rng.randrange(len(cells))
        try:
            after = how(rng, cells[player], grid)
        except (ValueError, IndexError):
            continue
        if after == cells[player]:
            continue
        made = deepcopy(grid)
        made.sums[at][1][player] = after
        line = grid.line(len(grid.rows) + at)
        said = f"{kind} of {player + 1} {cells[player]!r} -> {after!r}"
        yield Falsified(
            f"sum {kind} {how.__name__.strip('_')}", made, line, frozenset((line,)), said
        )


# ---------------------------------------------------------------- rows


def _removed(rng: random.Random, grid: Grid) -> Falsified | None:
    at = rng.randrange(len(grid.rows))
    made = deepcopy(grid)
    del made.rows[at]
    if not made.rows:
        return None
    if at < len(made.rows):
        # the row after the gap shows it, or the length
        lines = {made.line(at)}
        shown = next((below for below in made.rows[at:] if not _dealt_again(made, below)), None)
        if shown is not None:
            lines.add(made.line(made.rows.index(shown)))
        kind = "row removed"
    else:
        lines = {made.line(at + below) for below in range(len(made.sums))}
        kind = "last row removed"
    return Falsified(kind, made, min(lines or {WHOLE}), frozenset({*lines, WHOLE}), f"row {at + 1}")


def _dealt_again(grid: Grid, row: dict[str, str]) -> bool:
    """Whether a row is a deal that was thrown in, and none of the match."""
    return grid.rules.redealt and not row["declarer"]


def _doubled(rng: random.Random, grid: Grid) -> Falsified:
    at = rng.randrange(len(grid.rows))
    made = deepcopy(grid)
    made.rows.insert(at + 1, dict(made.rows[at]))
    line = made.line(at + 1)
    return Falsified("row doubled", made, line, frozenset((line, WHOLE)), f"row {at + 1}")


def _swapped(rng: random.Random, grid: Grid) -> Falsified | None:
    if len(grid.rows) < 2:
        return None
    at = rng.randrange(len(grid.rows) - 1)
    return _exchanged(grid, at, at + 1, "rows swapped, neighbours")


def _swapped_far(rng: random.Random, grid: Grid) -> Falsified | None:
    if len(grid.rows) < 3:
        return None
    at, other = sorted(rng.sample(range(len(grid.rows)), 2))
    return None if other == at + 1 else _exchanged(grid, at, other, "rows swapped")


def _exchanged(grid: Grid, at: int, other: int, kind: str) -> Falsified:
    made = deepcopy(grid)
    made.rows[at], made.rows[other] = made.rows[other], made.rows[at]
    lines = frozenset((made.line(at), made.line(other)))
    if _dealt_again(made, made.rows[at]) or _dealt_again(made, made.rows[other]):
        # only one deal was moved then, as well might be those between
        lines = frozenset(made.line(between) for between in range(at, other + 1))
    return Falsified(kind, made, min(lines), lines, f"rows {at + 1} and {other + 1}")


def _given(rng: random.Random, grid: Grid) -> Falsified | None:
    """A deal that nobody played is given a value."""
    rows = [at for at, row in enumerate(grid.rows) if not row["declarer"]]
    if not rows:
        return None
    at = rng.choice(rows)
    made = deepcopy(grid)
    made.rows[at]["value"] = rng.choice(("18", "-48", "0"))
    line = grid.line(at)
    said = f"row {at + 1} {made.rows[at]['value']}"
    return Falsified("passed in, given a value", made, line, frozenset((line,)), said)


def _taken(rng: random.Random, grid: Grid) -> Falsified | None:
    return _emptied_row(rng, grid, ("deal", "dealer", *grid.totals), "played, emptied")


def _taken_all(rng: random.Random, grid: Grid) -> Falsified | None:
    return _emptied_row(rng, grid, ("deal", "dealer"), "played, emptied with its totals")


def _emptied_row(
    rng: random.Random, grid: Grid, kept: tuple[str, ...], kind: str
) -> Falsified | None:
    rows = [at for at, row in enumerate(grid.rows) if row["declarer"]]
    if not rows:
        return None
    at = rng.choice(rows)
    made = deepcopy(grid)
    made.rows[at] = {name: cell for name, cell in made.rows[at].items() if name in kept}
    made.rows[at]["declarer"] = ""
    # where its totals are gone, the next line that has some shows it
    line = grid.line(at) if "total_1" in kept else grid.line(at + 1)
    lines = {line}
    if "total_1" not in kept and at + 1 == len(grid.rows):
        lines = {grid.line(at + 1 + below) for below in range(len(grid.sums))} or {WHOLE}
    if made.rules.redealt:
        lines.add(WHOLE)  # such a deal is none of the match
    return Falsified(kind, made, min(lines), frozenset(lines), f"row {at + 1}")
