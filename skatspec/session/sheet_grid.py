"""The cells of a printed list: columns in the usual order, marks where something is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from skatspec.record import HAND, OUVERT
from skatspec.rules import Rules
from skatspec.rules.match import compile_match
from skatspec.rules.tables import CONTRACT, NULL_KIND, Tables
from skatspec.session import order, scoring
from skatspec.session.language import translate, ui
from skatspec.session.report import Figures, ListReport
from skatspec.session.tables import Told, amount
from skatspec.sheet import (
    BONUS,
    FINAL,
    LOST,
    OTHERS_LOST,
    PLACE,
    POINTS,
    TOTAL,
    WON,
    Account,
    Amount,
    Row,
    Sums,
)

_FLAGS = ("hand", "schneider", "schneider_announced", "schwarz", "schwarz_announced", "ouvert")
_WITH, _WITHOUT = "with", "without"
# Columns that a list has only sometimes.
_RARE = ("kontra", "bock", "points", "tricks")
# What a column is called on the page, where that is not its own name.
_NAMES = {
    "schneider_announced": "announced", "schwarz_announced": "announced", "points": "card points",
}  # fmt: skip
_UPRIGHT = frozenset((*_FLAGS, "kontra", "bock"))
# The lines below the rows in their order, each with its name on the page.
_BELOW = (
    (POINTS, "points"), (WON, "games won"), (LOST, "games lost"),
    (OTHERS_LOST, "games lost by others"), (BONUS, "bonus"), (FINAL, "total"), (PLACE, "place"),
)  # fmt: skip
_TICK, _UNREAD = "×", "?"


class Head(NamedTuple):
    """A column: its name, its heading, and whether the heading stands upright."""

    column: str
    text: str
    upright: bool = False


class Mark(NamedTuple):
    """What is wrong with a cell: the numbers of the notes on it, or that it only follows."""

    notes: tuple[int, ...] = ()
    follows: bool = False


@dataclass(slots=True)
class Cell:
    """A cell as printed; `made` says that it is calculated, `wide` that it takes two columns."""

    column: str
    text: str = ""
    mark: Mark = field(default_factory=Mark)
    made: bool = False
    wide: bool = False


@dataclass(slots=True)
class Line:
    """A line of the printed list; `label` is the name of a line of sums, empty for a deal."""

    cells: list[Cell]
    notes: tuple[int, ...] = ()
    label: str = ""
    whole: bool = False
    strong: bool = False


@dataclass(slots=True)
class Grid:
    """The printed list: its columns, a player's totals last, the rows, the lines below them."""

    heads: list[Head]
    players: list[str]
    rows: list[Line]
    below: list[Line]

    @property
    def label_span(self) -> int:
        """Return how many columns stand before the totals."""
        return len(self.heads)

    @property
    def follows(self) -> bool:
        """Say whether any cell is wrong only because of an earlier dispute."""
        return any(cell.mark.follows for line in (*self.rows, *self.below) for cell in line.cells)


def grid(report: ListReport, notes: Sequence[Told], lang: str, rules: Rules | None) -> Grid:
    """Return the cells of a list; `notes` are its disputes in words, numbered from 1."""
    made = _Grid(report, notes, lang, rules)
    return Grid(made.heads, made.players, list(made.rows()), list(made.below()))


Marks = dict[tuple[int, str, str], Mark]


class _Grid:
    """Makes the lines of one list."""

    def __init__(
        self, report: ListReport, notes: Sequence[Told], lang: str, rules: Rules | None
    ) -> None:
        self.report, self.sheet, self.lang = report, report.sheet, lang
        self.rules = rules
        self.players = [self.sheet.name(player) for player in range(self.sheet.seats)]
        self.heads = list(self._heads())
        self.marks = _marks(report, notes)
        rows = self.sheet.rows
        last = rows[-1].line if rows else 0
        self.between = [one for one in self.sheet.sums if one.line < last]
        self.last = {one.kind: one for one in self.sheet.sums if one.line >= last}

    def _heads(self) -> Iterator[Head]:
        rows = self.sheet.rows
        said = {
            name
            for row in rows
            if row.account is not None
            for name, value in row.account._asdict().items()
            if value
        }
        yield self._head("deal")
        if any(row.dealer is not None for row in rows):
            yield self._head("dealer")
        for column in ("declarer", "contract", _WITH, _WITHOUT, *_FLAGS, "bid"):
            yield self._head(column)
        yield from (self._head(column) for column in _RARE if column in said)
        yield from (self._head(column) for column in ("result", "value"))

    def _head(self, column: str) -> Head:
        return Head(column, ui(_NAMES.get(column, column), self.lang), column in _UPRIGHT)

    # --- rows ---------------------------------------------------------------------------

    def rows(self) -> Iterator[Line]:
        """Yield the rows, and the sums that stand between them."""
        between = iter(self.between)
        due = next(between, None)
        for row in self.sheet.rows:
            while due is not None and due.line < row.line:
                yield self._sums_line(due.kind, due)
                due = next(between, None)
            yield self._row(row)

    def _row(self, row: Row) -> Line:
        texts = dict(self._texts(row))
        cells = []
        unsigned = row.account is not None and row.account.unsigned and row.account.matadors
        for head in self.heads:
            if head.column == _WITHOUT and unsigned:
                continue
            column = "matadors" if head.column in (_WITH, _WITHOUT) else head.column
            text = _UNREAD if column in row.unread else texts.get(head.column, "")
            cell = Cell(head.column, text, self._mark(row.line, column))
            cell.wide = head.column == _WITH and bool(unsigned)
            cells.append(cell)
        for player in range(self.sheet.seats):
            column = f"{TOTAL}{player + 1}"
            total = row.totals[player] if player < len(row.totals) else None
            text = _UNREAD if column in row.unread else self._amount(total)
            cells.append(Cell(column, text, self._mark(row.line, column)))
        whole = self._mark(row.line, "").notes
        return Line(cells, _numbers(cells, whole), whole=bool(whole))

    def _texts(self, row: Row) -> Iterator[tuple[str, str]]:
        """Yield what stands in a row, by column."""
        yield "deal", "" if row.number is None else str(row.number)
        if row.dealer is not None:
            yield "dealer", self.sheet.name(row.dealer)
        if order.passed_in(row):
            yield "declarer", ui("passed in", self.lang)
        elif row.declarer is not None:
            yield (
                "declarer",
                " + ".join(self.sheet.name(one) for one in (row.declarer, *row.others)),
            )
        yield "value", self._amount(row.value)
        if row.account is not None:
            yield from self._account(row.account)

    def _account(self, said: Account) -> Iterator[tuple[str, str]]:
        if said.contract is not None:
            base = _base(said, self.rules.tables) if self.rules else 0
            game = translate(said.contract, self.lang)
            yield "contract", f"{game[:1].upper()}{game[1:]} {base}" if base else game.capitalize()
        if said.matadors:
            yield _WITH if said.matadors > 0 else _WITHOUT, str(abs(said.matadors))
        for name in (*_FLAGS, "bock"):
            yield name, _TICK if getattr(said, name) else ""
        if said.kontra:
            yield "kontra", _TICK * said.kontra
        for name in ("bid", "points", "tricks"):
            number = getattr(said, name)
            yield name, "" if number is None else str(number)
        if said.won is not None:
            yield "result", ui("won" if said.won else "lost", self.lang)

    def _amount(self, number: Amount | None) -> str:
        return "" if number is None else amount(number, self.lang)

    def _mark(self, line: int, column: str, sums: str = "") -> Mark:
        return self.marks.get((line, column, sums), Mark())

    # --- below the rows -----------------------------------------------------------------

    def below(self) -> Iterator[Line]:
        """Yield the lines below the rows: as they stand on the list, else calculated."""
        if not self.report.entered:
            return
        entered = self._figures(self.report.entered, self.report.totals)
        for kind, name in _BELOW:
            stated, made = self.last.get(kind), entered.get(kind)
            if stated is not None:
                yield self._sums_line(kind, stated)
            elif made is not None and not (kind == OTHERS_LOST and self._no_bonus()):
                yield self._made_line(ui(name, self.lang), made)
        right = self._figures(self.report.corrected, self.report.corrected_totals)
        for kind, name in ((FINAL, "corrected total"), (PLACE, "corrected place")):
            if right.get(kind) != entered.get(kind):
                line = self._made_line(ui(name, self.lang), right[kind])
                line.strong = True
                yield line

    def _no_bonus(self) -> bool:
        return tuple(one.points for one in self.report.entered) == tuple(self.report.totals)

    def _figures(
        self, figures: Sequence[Figures], totals: Sequence[Amount]
    ) -> Mapping[str, Sequence[Amount]]:
        """Return the lines that figures come to; places only where the rules are known."""
        lost = sum(one.lost for one in figures)
        made: dict[str, Sequence[Amount]] = {
            POINTS: [one.points for one in figures],
            WON: [one.won for one in figures],
            LOST: [one.lost for one in figures],
            OTHERS_LOST: [lost - one.lost for one in figures],
            BONUS: [total - one.points for total, one in zip(totals, figures, strict=True)],
            FINAL: list(totals),
        }
        if self.rules is not None:
            match = compile_match(self.rules.profile)
            made[PLACE] = scoring.places(figures, totals, match).ranks
        return made

    def _sums_line(self, kind: str, sums: Sums) -> Line:
        cells = []
        for player in range(self.sheet.seats):
            figure = sums.figures[player] if player < len(sums.figures) else None
            column = f"{TOTAL}{player + 1}"
            cells.append(Cell(column, self._amount(figure), self._mark(sums.line, column, kind)))
        label = ui(dict(_BELOW)[kind], self.lang)
        return Line(cells, _numbers(cells), label, strong=kind == FINAL)

    def _made_line(self, label: str, figures: Sequence[Amount]) -> Line:
        cells = [
            Cell(f"{TOTAL}{player}", self._amount(one), made=True)
            for player, one in enumerate(figures, 1)
        ]
        return Line(cells, label=label)


def _marks(report: ListReport, notes: Sequence[Told]) -> Marks:
    """Return the marks of cells by line, column and line of sums."""
    sheet = report.sheet
    marks: Marks = {}
    columns = {column.field: name for name, column in sheet.columns.items() if column.field}
    rows = {row.line for row in sheet.rows}
    # in JSON a line of sums has the number of the row that it stands behind
    kinds = {one.line: one.kind for one in sheet.sums if one.line not in rows}
    for number, (told, dispute) in enumerate(zip(notes, report.disputes, strict=True), 1):
        place = told.where
        key = (place.line, place.column, place.sums or kinds.get(place.line, ""))
        marks[key] = Mark((*marks.get(key, Mark()).notes, number))
        for line, at in dispute.follow_on:
            if at:
                marks.setdefault((line, columns.get(at, ""), kinds.get(line, "")), Mark((), True))
    return marks


def _numbers(cells: Iterable[Cell], whole: Sequence[int] = ()) -> tuple[int, ...]:
    return tuple(sorted({*whole, *(number for cell in cells for number in cell.mark.notes)}))


def _base(said: Account, tables: Tables) -> int:
    """Return the base value of a game, in Null its value; 0 where it has none."""
    contract = CONTRACT.get(said.contract or "", -1)
    if not 0 <= contract < len(tables.base):
        return 0
    if tables.kind[contract] != NULL_KIND:
        return tables.base[contract]
    announced = (HAND if said.hand else 0) | (OUVERT if said.ouvert else 0)
    full = tables.announce[NULL_KIND][announced]
    return tables.null_value(contract, full) if full >= 0 else 0
