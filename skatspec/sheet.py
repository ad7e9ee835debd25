"""The frozen list of an evening as it was written down: players, rows, sums.

A sheet says what stands there, not what is right: it may hold a value no game has, a
player who sits twice, a total that does not add up. Nothing here knows rules or
formats. Players are counted from 0 in the order of their places at the table.

A place in a sheet is a line of the file and a field of that line, both from 1; in a
JSON list the line is the number of the row, and the field is 0. Field 0 is the whole row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from skatspec.diagnostics import Diagnostic
from skatspec.record import BrokenRecord, Record

# Ledger points. Only where a value is split among players is there ever half a point.
Amount = int | Fraction

# The columns of a list by their names in the program; `total_1` to `total_9` come on top.
COLUMNS = (
    "deal", "dealer", "declarer", "contract", "matadors", "hand", "schneider",
    "schneider_announced", "schwarz", "schwarz_announced", "ouvert", "bid", "kontra", "bock",
    "points", "tricks", "result", "value", "remark",
)  # fmt: skip
TOTAL = "total_"

# The lines below the rows, each with one figure a player.
POINTS, WON, LOST, OTHERS_LOST, BONUS, FINAL, PLACE = (
    "points", "won", "lost", "others_lost", "bonus", "final", "place",
)  # fmt: skip
SUMS = (POINTS, WON, LOST, OTHERS_LOST, BONUS, FINAL, PLACE)


class Account(NamedTuple):
    """What a row says of the game; None where it does not say.

    `contract` is a name as records have it (`clubs`, `null`, `ramsch`) or None where the
    list has no such column. A flag is None where its column is missing, False where the
    column is there and the cell empty. `matadors` are signed, "without" below zero, and
    `unsigned` says that the row names no side; `points` and `tricks` are the declarer's,
    `kontra` counts the calls that doubled the game (1 Kontra, 2 Re).
    """

    contract: str | None = None
    matadors: int | None = None
    unsigned: bool = False
    hand: bool | None = None
    schneider: bool | None = None
    schneider_announced: bool | None = None
    schwarz: bool | None = None
    schwarz_announced: bool | None = None
    ouvert: bool | None = None
    bid: int | None = None
    kontra: int | None = None
    bock: bool | None = None
    points: int | None = None
    tricks: int | None = None
    won: bool | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One deal of the list.

    `number` is the deal's as written, `declarer` who played (None: nobody, the deal was
    passed in), `account` what the row says of the game (None where it says nothing),
    `value` the declarer's ledger points, signed, and `totals` the running totals, one a
    player, None where the cell is empty. `unread` are columns whose cell could not be
    read: a finding of the sheet says so, and nothing is concluded from them. `others` are
    further losers of a Ramsch that was lost by several. `record` is the deal's full
    record where the list carries one.
    """

    line: int
    number: int | None = None
    dealer: int | None = None
    declarer: int | None = None
    account: Account | None = None
    value: Amount | None = None
    totals: tuple[Amount | None, ...] = ()
    unread: frozenset[str] = frozenset()
    others: tuple[int, ...] = ()
    remark: str = ""
    record: Record | BrokenRecord | None = None


@dataclass(frozen=True, slots=True)
class Sums:
    """A line below the rows: one of `SUMS`, and a figure a player, None where it is empty."""

    line: int
    kind: str
    figures: tuple[Amount | None, ...]


class Column(NamedTuple):
    """Where a column stands: its field from 1, and its heading as written."""

    field: int
    heading: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A list: who sat at the table, and row by row what was played.

    `seats` is the number of players; `players` are their names, `""` where a place has
    none. `rules`, `system` and `length` (deals agreed) are what the sheet itself says,
    `dealer` the first dealer. `findings` are the reader's: what could not be read, with
    its place. `partial` says that rows are perhaps not all deals, as in records that do not
    count them: nothing follows from their order. `cut` says that the file ends in the middle
    of a row. A sheet that could not be read at all has no seats.
    """

    source: str
    index: int = 0
    event: str = ""
    table: str = ""
    round: str = ""
    players: tuple[str, ...] = ()
    seats: int = 0
    rules: str | None = None
    system: str | None = None
    length: int | None = None
    dealer: int | None = None
    columns: Mapping[str, Column] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    sums: tuple[Sums, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    cut: bool = False
    partial: bool = False

    def name(self, player: int) -> str:
        """Return a player's name, else the number of his place."""
        return (self.players[player] if player < len(self.players) else "") or str(player + 1)

    def field(self, column: str) -> int:
        """Return the field of a column, 0 where the sheet has none."""
        found = self.columns.get(column)
        return found.field if found else 0

    def heading(self, column: str) -> str:
        """Return a column's heading as written, else its name."""
        found = self.columns.get(column)
        return found.heading if found else column

    def records(self) -> Iterator[Record | BrokenRecord]:
        """Yield the records that rows carry."""
        return (row.record for row in self.rows if row.record is not None)
