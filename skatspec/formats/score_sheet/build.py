"""From the texts of a score sheet to a Sheet; whatever cannot be read is a finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from skatspec.diagnostics import finding
from skatspec.formats.score_sheet.cells import (
    AMOUNT,
    EMPTY,
    GAME,
    MATADORS,
    NUMBER,
    READERS,
    UNREAD,
    Matadors,
    Memo,
    Unread,
    expected,
)
from skatspec.formats.score_sheet.columns import Columns, columns
from skatspec.formats.score_sheet.lines_around import Top, text, top
from skatspec.formats.score_sheet.played import ByTotals
from skatspec.formats.score_sheet.players import Players, seats_used
from skatspec.formats.score_sheet.raw import Line, Raw
from skatspec.formats.score_sheet.words import Game, clean, fold, hint, words
from skatspec.record import RAMSCH
from skatspec.sheet import PLACE, TOTAL, Account, Amount, Column, Row, Sheet, Sums

_SLOTS = {name: number for number, name in enumerate(Account._fields)}
_CONTRACT, _MATADORS, _UNSIGNED = _SLOTS["contract"], _SLOTS["matadors"], _SLOTS["unsigned"]
_HAND, _OUVERT, _WON = _SLOTS["hand"], _SLOTS["ouvert"], _SLOTS["won"]
# The column of what Account calls otherwise.
_COLUMN_OF = {"won": "result"}
_NONE: frozenset[str] = frozenset()
_ZERO_SUM = "zero-sum"
_NEEDED = "a line of headings with at least `declarer` and `value`"


class _Cell(NamedTuple):
    """A column of the account: where it stands, its slot, and how it is read."""

    at: int
    slot: int
    memo: Memo
    name: str


def build(raw: Raw) -> Sheet:
    """Return the sheet that the texts are."""
    if raw.headings is None:
        raw.findings.insert(0, finding("L010", span=raw.span(1), expected=_NEEDED))
        return Sheet(raw.source, raw.index, findings=tuple(raw.findings), cut=raw.cut)
    above = top(raw)
    found = columns(raw, above.players)
    names = above.players if above.named else found.names
    rows, sums = _parted(raw, found, names)
    table = Players(raw, names, _seats(raw, above, found, sums))
    first = _first_dealer(raw, above, table)
    read = Rows(raw, found, table, rows, above.system == _ZERO_SUM).read()
    if not read:
        raw.note("L022", raw.headings_at)
    below = [_sums(raw, found, table.seats, kind, line) for kind, line in sums]
    names = [*table.names, *[""] * (table.seats - len(table.names))] if table.names else []
    # a place has one line in CSV, in the order of the file
    notes = sorted(raw.findings, key=lambda one: one.span.line) if raw.fields else raw.findings
    return Sheet(
        raw.source, raw.index,
        above.texts.get("event", ""), above.texts.get("table", ""), above.texts.get("round", ""),
        tuple(names), table.seats,
        above.texts.get("rules") or None, above.system, above.length, first,
        _places(raw, found), tuple(read), tuple(below), tuple(notes), raw.cut,
    )  # fmt: skip


def _places(raw: Raw, found: Columns) -> dict[str, Column]:
    return {
        name: Column(at + 1 if raw.fields else 0, found.heading(raw, name))
        for name, at in found.at.items()
    }


def _seats(raw: Raw, above: Top, found: Columns, sums: Sequence[tuple[str, Line]]) -> int:
    """Return how many sit at the table (docs/score-sheet.md)."""
    if above.named and above.players:
        used = [seat + 1 for seat, at in found.totals.items() if _holds(raw, at)]
        below = [len(line.cells) for _, line in sums if line in raw.sums]
        return max([len(above.players), *used, *below])
    if found.totals:
        return max(found.totals) + 1
    widest = max([0, *(len(line.cells) for line in raw.sums)])
    at = [found.at[name] for name in ("declarer", "dealer") if name in found.at]
    return max(widest, seats_used(raw, at))


def _holds(raw: Raw, at: int) -> bool:
    return any(cells[at].strip() for _, cells in raw.rows if at < len(cells))


def _first_dealer(raw: Raw, above: Top, table: Players) -> int | None:
    line = above.dealer
    cell = next((one for one in line.cells if one.strip()), "") if line else ""
    if line is None or not cell:
        return None
    found = table.one(cell)
    if isinstance(found, int):
        return found
    if found is UNREAD:
        table.explain(cell, line.number, 1 + line.cells.index(cell))
    return None


# ---------------------------------------------------------------- lines of sums


def _parted(
    raw: Raw, found: Columns, names: Sequence[str]
) -> tuple[list[tuple[int, list[str]]], list[tuple[str, Line]]]:
    """Part the rows from the lines of sums, which have a word where rows have a number."""
    rows: list[tuple[int, list[str]]] = []
    sums: list[tuple[str, Line]] = []
    deal, declarer = found.at.get("deal"), found.at.get("declarer", -1)
    people = {fold(name) for name in names}
    for line, cells in raw.rows:
        if not raw.fields:  # its sums have a key of their own
            rows.append((line, cells))
            continue
        if deal is not None and deal < len(cells) and isinstance(NUMBER[cells[deal]], int):
            rows.append((line, cells))
            continue
        at = next((at for at, one in enumerate(cells) if one.strip()), 0)
        word = cells[at] if cells else ""
        kind = None if at == declarer and fold(word) in people else words().sums.get(fold(word))
        played = at < declarer < len(cells) and cells[declarer].strip()
        if kind is not None and not (played and found.totals):
            sums.append((kind, Line(line, word, tuple(cells))))
        elif deal == at and not played and any(map(str.isalpha, word)) and NUMBER[word] is UNREAD:
            raw.note("L021", line, at, read=clean(word), hint=hint(word, "sums"))
        else:
            rows.append((line, cells))
    for given in raw.sums:
        kind = words().sums.get(fold(given.word))
        if kind is None:
            raw.note("L021", given.number, read=given.word, hint=hint(given.word, "sums"))
        else:
            sums.append((kind, given))
    return rows, sums


def _sums(raw: Raw, found: Columns, seats: int, kind: str, line: Line) -> Sums:
    """Read a line of sums: in the columns of the totals, or else right behind its word."""
    if not raw.fields:
        where = list(range(seats))
    elif found.totals:
        where = [found.totals.get(seat, -1) for seat in range(seats)]
    else:
        begin = 1 + next((at for at, one in enumerate(line.cells) if one.strip()), 0)
        where = list(range(begin, begin + seats))
    memo = NUMBER if kind == PLACE else AMOUNT
    figures: list[Amount | None] = []
    for at in where:
        cell = line.cells[at] if 0 <= at < len(line.cells) else ""
        figure = memo[cell]
        if figure is UNREAD:
            figure, wanted = None, expected(TOTAL)
            heading = clean(line.word)
            raw.note("L014", line.number, at, read=cell, expected=wanted, heading=heading)
        figures.append(figure)
    return Sums(line.number, kind, tuple(figures))


# ---------------------------------------------------------------- rows


class Rows:
    """Reads the rows of one sheet: what holds for all of them is found out once."""

    def __init__(
        self,
        raw: Raw,
        found: Columns,
        table: Players,
        rows: list[tuple[int, list[str]]],
        zero_sum: bool,
    ) -> None:
        self._raw, self._table, self._rows = raw, table, rows
        self._found, self._at, self._minus = found, found.at, found.minus
        self._width = len(raw.headings or ())
        self._plan = [
            _Cell(found.at[column], slot, READERS[column], column)
            for name, slot in _SLOTS.items()
            if (column := _COLUMN_OF.get(name, name)) in found.at
        ]
        self._blank: list[Any] = [None] * len(_SLOTS)
        self._blank[_UNSIGNED] = False
        for cell in self._plan:
            self._blank[cell.slot] = EMPTY.get(cell.name)
        self._said_with_game()
        matadors = self._column("matadors", MATADORS)
        self._signs = any(isinstance(one, Matadors) and one.signed for one in matadors)
        totals = [(seat, at) for seat, at in found.totals.items() if seat < table.seats]
        self._totals = [(seat, at) for seat, at in totals if any(self._texts(at))]
        self._some_totals = any(text.strip() for _, at in totals for text in self._texts(at))
        self._by_totals = ByTotals(found, self._totals, zero_sum)
        self._untold: list[int] = []

    def _texts(self, at: int) -> list[str]:
        return [cells[at] for _, cells in self._rows if at < len(cells)]

    def _column(self, name: str, memo: Memo) -> list[Any]:
        return [memo[text] for text in self._texts(self._at[name])] if name in self._at else []

    def _said_with_game(self) -> None:
        """Where one row names Hand with its game, the others say that they were none."""
        games = [one for one in self._column("contract", GAME) if isinstance(one, Game)]
        for slot, said in ((_HAND, [g.hand for g in games]), (_OUVERT, [g.ouvert for g in games])):
            if any(one is not None for one in said):
                self._blank[slot] = False

    def read(self) -> list[Row]:
        """Return the rows in order."""
        rows = [self._row(*row, count) for count, row in enumerate(self._rows, 1)]
        if self._untold and not any(row.declarer is not None for row in rows):
            self._untold = [self._raw.headings_at]
        for line in self._untold:
            self._raw.note("L013", line, expected="`declarer`", what="who played")
        return rows

    def _row(self, line: int, cells: list[str], count: int) -> Row:
        if len(cells) < self._width:
            cells = [*cells, *[""] * (self._width - len(cells))]
        elif len(cells) > self._width:
            self._too_long(line, cells)
        unread: set[str] = set()
        fields = self._fields(line, cells, unread)
        declarer, others = self._declarer(line, cells, unread, fields[_CONTRACT])
        value = self._cell("value", AMOUNT, line, cells, unread)
        if self._minus is not None:
            value = self._of_two(value, line, cells, unread, fields)
        if declarer is not None:
            self._must("contract", fields[_CONTRACT], line, unread)
            self._must("value", value, line, unread)
        number = self._cell("deal", NUMBER, line, cells, unread) if "deal" in self._at else count
        at = self._at.get("remark", -1)
        return Row(
            line, number, self._dealer(line, cells, unread), declarer,
            Account._make(fields) if declarer is not None or self._says(fields) else None,
            value, self._read_totals(line, cells, unread),
            frozenset(unread) if unread else _NONE, others,
            text(self._raw, cells[at]) if at >= 0 and cells[at] else "",
            self._raw.records.get(line),
        )  # fmt: skip

    def _fields(self, line: int, cells: list[str], unread: set[str]) -> list[Any]:
        """Return what the row says of the game, in the order of Account."""
        fields = self._blank.copy()
        for at, slot, memo, name in self._plan:
            cell = cells[at]
            if cell:
                found = memo[cell]
                if found is UNREAD:
                    self._not_read(name, line, at, cell, unread)
                    found = None
                fields[slot] = found
        game, matadors = fields[_CONTRACT], fields[_MATADORS]
        if game is not None:
            fields[_CONTRACT] = game.contract
            for slot, name, said in ((_HAND, "hand", game.hand), (_OUVERT, "ouvert", game.ouvert)):
                if said is not None and name not in unread:
                    fields[slot] = fields[slot] or said
        if matadors is not None:
            fields[_MATADORS] = matadors.number
            fields[_UNSIGNED] = not (matadors.signed or self._signs)
        return fields

    def _says(self, fields: list[Any]) -> bool:
        """Say whether a row says anything of a game: more than its empty cells do."""
        return any(
            one is not None and one is not blank and one != blank
            for one, blank in zip(fields, self._blank, strict=True)
        )

    def _declarer(
        self, line: int, cells: list[str], unread: set[str], contract: str | None
    ) -> tuple[int | None, tuple[int, ...]]:
        """Return who played, and who lost a Ramsch besides."""
        at = self._at.get("declarer")
        if at is None:
            return self._told_by_totals(line, cells, unread), ()
        found = self._table.find(cells[at])
        if isinstance(found, tuple):
            if len(found) < 2 or contract in (RAMSCH, None):
                return (found[0] if found else None), found[1:]
            self._not_read("declarer", line, at, cells[at], unread, "one player")
        else:
            self._table.explain(cells[at], line, at)
            unread.add("declarer")
        return None, ()

    def _told_by_totals(self, line: int, cells: list[str], unread: set[str]) -> int | None:
        """Return who played, where no column says it."""
        found = self._by_totals.find(cells) if self._found.totals else UNREAD
        if not isinstance(found, Unread):
            return found
        unread.add("declarer")
        if self._found.totals:  # else it was said of the headings
            self._untold.append(line)
        return None

    def _of_two(
        self,
        plus: Amount | None,
        line: int,
        cells: list[str],
        unread: set[str],
        fields: list[Any],
    ) -> Amount | None:
        """Return the value of a game that is written among those won or among those lost."""
        at = self._minus or 0
        minus: Any = AMOUNT[cells[at]]
        if minus is UNREAD:
            self._not_read("value", line, at, cells[at], unread)
        elif minus and plus:
            wanted = "empty beside a value in the other column"
            self._not_read("value", line, at, cells[at], unread, wanted)
        if "value" in unread:
            return None
        if "result" not in self._at and (plus or minus):
            fields[_WON] = not minus
        given: Amount | None = -abs(minus) if minus else plus
        return minus if given is None else given

    def _dealer(self, line: int, cells: list[str], unread: set[str]) -> int | None:
        at = self._at.get("dealer")
        if at is None:
            return None
        found = self._table.one(cells[at])
        if found is UNREAD:
            self._table.explain(cells[at], line, at)
            unread.add("dealer")
            return None
        return found if isinstance(found, int) else None

    def _cell(self, name: str, memo: Memo, line: int, cells: list[str], unread: set[str]) -> Any:
        at = self._at.get(name)
        if at is None:
            return None
        found = memo[cells[at]]
        if found is UNREAD:
            self._not_read(name, line, at, cells[at], unread)
            return None
        return found

    def _read_totals(self, line: int, cells: list[str], unread: set[str]) -> tuple[Any, ...]:
        if not self._some_totals:
            return ()
        totals: list[Amount | None] = [None] * self._table.seats
        for seat, at in self._totals:
            found = AMOUNT[cells[at]]
            if found is UNREAD:
                self._not_read(f"{TOTAL}{seat + 1}", line, at, cells[at], unread)
            else:
                totals[seat] = found
        return tuple(totals)

    def _must(self, name: str, value: object, line: int, unread: set[str]) -> None:
        """Report a cell that is empty though somebody played."""
        if value is None and name in self._at and name not in unread:
            unread.add(name)
            at = self._at[name]
            self._raw.note("L015", line, at, heading=self._found.heading(self._raw, name))

    def _heading(self, at: int) -> str:
        return clean((self._raw.headings or [])[at])

    def _not_read(
        self, name: str, line: int, at: int, cell: str, unread: set[str], wanted: str = ""
    ) -> None:
        unread.add(name)
        wanted = wanted or expected(name)
        heading = self._heading(at)
        self._raw.note("L014", line, at, read=clean(cell), expected=wanted, heading=heading)

    def _too_long(self, line: int, cells: list[str]) -> None:
        last = max((at for at, one in enumerate(cells, 1) if one.strip()), default=0)
        if last > self._width:
            read = str(last)
            self._raw.note("L017", line, self._width, read=read, expected=str(self._width))
