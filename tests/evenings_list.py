"""An evening's list as a grid of texts, and whether it agrees with itself, read a second time.

Every cell is the text that an English list would hold; `text` writes the grid as CSV in either
language. `faults` says what is wrong with a grid, by RULES.md and by tests/evenings_reading.py
alone: it is what a checker of lists is held against. Nothing of `skatspec` is imported.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tests.evenings_reading import HOUSES, Entry, House, scores

FLAGS = ("hand", "schneider", "schneider_announced", "schwarz", "schwarz_announced", "ouvert")
NUMBERS = ("deal", "dealer", "declarer", "bid", "kontra", "points", "tricks")
GERMAN = {
    "deal": "Spiel", "dealer": "Geber", "declarer": "Alleinspieler", "contract": "Spielart",
    "matadors": "Spitzen", "hand": "Hand", "schneider": "Schneider",
    "schneider_announced": "Schneider angesagt", "schwarz": "Schwarz",
    "schwarz_announced": "Schwarz angesagt", "ouvert": "Ouvert", "bid": "Reizwert",
    "kontra": "Kontra", "bock": "Bock", "points": "Augen", "tricks": "Stiche",
    "result": "Ergebnis", "value": "Wert", "diamonds": "Karo", "hearts": "Herz", "spades": "Pik",
    "clubs": "Kreuz", "grand": "Grand", "null": "Null", "ramsch": "Ramsch",
    "won": "gewonnen", "lost": "verloren",
    "players": "Spieler", "deals": "Spiele",
}  # fmt: skip
GERMAN_SUMS = {
    "points": "Spielpunkte", "won": "gewonnen", "lost": "verloren", "bonus": "Bonus",
    "others_lost": "Gegner verloren", "final": "Gesamt", "place": "Platz",
}  # fmt: skip


@dataclass
class Grid:
    """A list: its rows and sums by column, a text a cell.

    `seats` are the names, `length` the number of deals agreed, `first` the seat of the first
    dealer from 1; what is None is not on the list. `named`: declarers stand there by name.
    """

    house: str
    seats: list[str]
    system: str
    columns: list[str]
    rows: list[dict[str, str]] = field(default_factory=list)
    sums: list[tuple[str, list[str]]] = field(default_factory=list)
    length: int | None = None
    first: int | None = None
    named: bool = False
    german: bool = False
    delimiter: str = ";"

    @property
    def rules(self) -> House:
        """The house by its name."""
        return HOUSES[self.house]

    @property
    def top(self) -> list[list[str]]:
        """The lines above the headings, in English."""
        lines = [["players", *self.seats]]
        if self.length is not None:
            lines.append(["deals", str(self.length)])
        if self.first is not None:
            lines.append(["dealer", str(self.first)])
        return lines

    def line(self, row: int) -> int:
        """Return the file's line of a row (from 0); sums stand behind the rows."""
        return len(self.top) + 2 + row

    @property
    def totals(self) -> list[str]:
        """The columns of the totals."""
        return [name for name in self.columns if name.startswith("total_")]


def text(grid: Grid) -> str:
    """Write a grid as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=grid.delimiter, lineterminator="\n")
    for line in grid.top:
        writer.writerow([_said(grid, line[0]), *line[1:]])
    writer.writerow([_heading(grid, name) for name in grid.columns])
    for row in grid.rows:
        writer.writerow([_cell(grid, name, row.get(name, "")) for name in grid.columns])
    blank = len(grid.columns) - len(grid.totals) - 1
    for kind, figures in grid.sums:
        word = GERMAN_SUMS[kind] if grid.german else {"final": "total"}.get(kind, kind)
        # the totals stand last
        writer.writerow([word, *[""] * blank, *(_number(grid, one) for one in figures)])
    return out.getvalue()


def _said(grid: Grid, word: str) -> str:
    return GERMAN.get(word, word) if grid.german else word


def _heading(grid: Grid, name: str) -> str:
    if grid.german and name.startswith("total_"):
        return f"Summe {name[6:]}"
    return _said(grid, name)


def _cell(grid: Grid, name: str, cell: str) -> str:
    if name in ("declarer", "dealer") and grid.named:
        return "+".join(
            grid.seats[int(one) - 1] if one.isdigit() and 0 < int(one) <= len(grid.seats) else one
            for one in cell.split("+")
        )
    if name == "matadors" and grid.german:
        return cell.replace("without", "ohne").replace("with", "mit")
    if name in ("contract", "result"):
        return _said(grid, cell)
    return _number(grid, cell) if name == "value" or name.startswith("total_") else cell


def _number(grid: Grid, cell: str) -> str:
    return cell.replace(".", ",") if grid.german else cell


def amount(cell: str) -> Fraction | None:
    """Return a cell's number, None where it is empty. Raises ValueError for other texts."""
    return Fraction(cell) if cell else None


def written(number: Fraction | int) -> str:
    """Return a number as a list has it, halves with a point."""
    return str(int(number)) if number == int(number) else f"{float(number):.1f}"


def entry(row: dict[str, str]) -> Entry:
    """Return what a row says of its game. Raises ValueError for a text that is no entry."""
    said = row.get("matadors", "")
    matadors = None
    if said:
        side, count = said.split()
        matadors = int(count) * {"with": 1, "without": -1}[side]
    figures = {name: int(row[name]) if row.get(name) else None for name in NUMBERS[3:]}
    return Entry(
        row.get("contract", ""), matadors, *(_tick(row.get(name, "")) for name in FLAGS),
        figures["bid"], figures["kontra"] or 0, _tick(row.get("bock", "")), figures["points"],
        figures["tricks"], {"": None, "won": True, "lost": False}[row.get("result", "")],
    )  # fmt: skip


def _tick(cell: str) -> bool:
    return {"": False, "x": True}[cell]


# ---------------------------------------------------------------- who sits where


def sitting_out(seats: int, dealer: int) -> set[int]:
    """Return who takes no part in a deal, seats from 0."""
    # "At a table of four the dealer sits out [...]; at five or more the next three play"
    if seats == 3:
        return set()
    return set(range(seats)) - {(dealer + step) % seats for step in (1, 2, 3)}


def seats_of(row: dict[str, str]) -> set[int]:
    """Return who played a row, or lost its Ramsch, seats from 0."""
    return {int(one) - 1 for one in row["declarer"].split("+")} if row["declarer"] else set()


def turns(grid: Grid) -> list[int]:
    """Return the turn of each row, from 0; a deal that is dealt again is the same turn."""
    found: list[int] = []
    turn = 0
    for row in grid.rows:
        found.append(turn)
        turn += bool(row["declarer"]) or not grid.rules.redealt
    return found


def astray(grid: Grid) -> list[bool]:
    """Say of each row whether it is a deal dealt again whose number is that of another deal.

    "Thrown in, redealt": none of the match. What such a row says of dealer and totals is not
    to be held against any deal.
    """
    return [
        grid.rules.redealt and not row["declarer"] and row["deal"] not in ("", "??", str(turn + 1))
        for row, turn in zip(grid.rows, turns(grid), strict=True)
    ]


def dealers(grid: Grid) -> list[int] | None:
    """Return who dealt each row, None where the list does not tell."""
    stated = {
        (int(row["dealer"]) - 1 - turn) % len(grid.seats)
        for row, turn, lost in zip(grid.rows, turns(grid), astray(grid), strict=True)
        if row.get("dealer") and not lost
    }
    if grid.first is not None:
        stated.add(grid.first - 1)
    if not stated:
        return None
    if len(stated) > 1:
        raise ValueError("dealers out of turn")
    first = stated.pop()
    return [(first + turn) % len(grid.seats) for turn in turns(grid)]


def shares(
    grid: Grid, dealer: int | None, losers: Sequence[int], score: Fraction
) -> list[Fraction]:
    """Return what a deal brings to each player, seats from 0."""
    brought = [Fraction(0)] * len(grid.seats)
    for one in losers:
        brought[one] = score
    if grid.system == "zero-sum":
        # "win +V/-V/2/-V/2; loss -2V/+V/+V"
        out = sitting_out(len(grid.seats), dealer) if dealer is not None else set()
        others = set(range(len(grid.seats))) - out - set(losers)
        for one in others:
            brought[one] = -score * len(losers) / len(others)
    return brought


# ---------------------------------------------------------------- what it comes to


@dataclass
class Count:
    """What the rows come to, a figure a player."""

    points: list[Fraction]
    won: list[int]
    lost: list[int]

    @classmethod
    def of(cls, seats: int) -> Count:
        """Return the count of no deals."""
        return cls([Fraction(0)] * seats, [0] * seats, [0] * seats)


def sums(grid: Grid, count: Count) -> dict[str, list[Fraction]]:
    """Return every line below the rows but the places."""
    seats = range(len(grid.seats))
    others = [sum(count.lost) - count.lost[one] for one in seats]
    bonus = [Fraction(0)] * len(grid.seats)
    if grid.system in ("seeger", "seeger-fabian"):
        # "+50 for each own game won, -50 lost"
        bonus = [Fraction(50 * (count.won[one] - count.lost[one])) for one in seats]
    if grid.system == "seeger-fabian":
        # "for each game an opponent loses +40 at a table of three, +30 at a table of four"
        each = 40 if len(grid.seats) == 3 else 30
        bonus = [bonus[one] + each * others[one] for one in seats]
    return {
        "points": count.points, "won": [Fraction(one) for one in count.won],
        "lost": [Fraction(one) for one in count.lost],
        "others_lost": [Fraction(one) for one in others], "bonus": bonus,
        "final": [count.points[one] + bonus[one] for one in seats],
    }  # fmt: skip


def ranks(grid: Grid, count: Count) -> list[tuple[int, int]]:
    """Return each player's best place, and among how many only a lot decides."""
    final = sums(grid, count)["final"]
    keys: list[tuple[Fraction | int, ...]] = [(-one,) for one in final]
    if grid.rules.lots:
        # "Rank: total, then more games won, then fewer lost, then lot"
        keys = [
            (-total, -won, lost)
            for total, won, lost in zip(final, count.won, count.lost, strict=True)
        ]
    return [
        (1 + sum(other < key for other in keys), keys.count(key) if grid.rules.lots else 1)
        for key in keys
    ]


def faults(grid: Grid) -> list[str]:
    """Say what is wrong with a list; nothing where it can stand as it is."""
    try:
        return list(_faults(grid))
    except (ValueError, KeyError) as error:
        return [f"not read: {error}"]


def _faults(grid: Grid) -> Iterator[str]:
    yield from _deal_faults(grid)
    dealt = dealers(grid)
    seats = len(grid.seats)
    if dealt is None and not any(
        all(
            not row["declarer"] or not seats_of(row) & sitting_out(seats, (first + turn) % seats)
            for row, turn in zip(grid.rows, turns(grid), strict=True)
        )
        for first in range(seats)
    ):
        yield "no dealer fits"
    count = Count.of(seats)
    lost = astray(grid)
    for at, row in enumerate(grid.rows):
        if not lost[at]:
            yield from _row_faults(grid, at, row, None if dealt is None else dealt[at], count)
    yield from _sum_faults(grid, count)


def _deal_faults(grid: Grid) -> Iterator[str]:
    rows = [row for row in grid.rows if row["declarer"] or not grid.rules.redealt]
    for row, turn, lost in zip(grid.rows, turns(grid), astray(grid), strict=True):
        if row["deal"] and not lost and int(row["deal"]) != turn + 1:
            yield f"deal {row['deal']} for {turn + 1}"
    house, seats, length = grid.rules, len(grid.seats), len(rows)
    if grid.length is not None and grid.length != length:
        yield "not the length agreed"
    if grid.length is None and house.usual and length > house.usual.get(seats, length):
        yield "longer than usual"
    if house.bounds is not None:
        least, most, step = house.bounds
        if length not in range(least, most + 1, step):
            yield "no length"
    if house.rounds and length % seats:
        yield "no whole round"


def _row_faults(
    grid: Grid, at: int, row: dict[str, str], dealer: int | None, count: Count
) -> Iterator[str]:
    value = amount(row.get("value", ""))
    if not row["declarer"]:
        said = [row.get(name, "") for name in grid.columns if name not in ("deal", "dealer")]
        if any(one and one != "0" for one in said[: len(said) - len(grid.totals)]):
            yield f"row {at}: nobody played"
    else:
        losers = [int(one) - 1 for one in row["declarer"].split("+")]
        if not all(0 <= one < len(grid.seats) for one in losers):
            raise ValueError("nobody at this table")
        if dealer is not None and set(losers) & sitting_out(len(grid.seats), dealer):
            yield f"row {at}: sits out"
        said_of_it = entry(row)
        if value is None or value not in scores(grid.rules, said_of_it, len(losers)):
            yield f"row {at}: value"
        score = value or Fraction(0)
        brought = shares(grid, dealer, losers, score)
        count.points = [sum(pair, Fraction(0)) for pair in zip(count.points, brought, strict=True)]
        for one in losers:
            (count.won if score > 0 else count.lost)[one] += 1
    for player, name in enumerate(grid.totals):
        total = amount(row.get(name, ""))
        if total is not None and total != count.points[player]:
            yield f"row {at}: {name}"


def _sum_faults(grid: Grid, count: Count) -> Iterator[str]:
    right = sums(grid, count)
    places = ranks(grid, count)
    for kind, cells in grid.sums:
        figures = [amount(cell) for cell in cells]
        for player, figure in enumerate(figures):
            if figure is None:
                continue
            if kind != "place":
                if figure != right[kind][player]:
                    yield f"{kind} of {player}"
                continue
            first, many = places[player]
            if not first <= figure < first + many:
                yield f"place of {player}"
        if kind == "place":
            for first, many in set(places):
                group = [figures[one] for one, place in enumerate(places) if place == (first, many)]
                told = [one for one in group if one is not None]
                if len(set(told)) not in (1, len(told)) and many > 1:
                    yield "a lot gave one place twice"
