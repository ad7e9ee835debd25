"""Writes a sheet as CSV or JSON; read back, it is the same sheet.

What a sheet says of its file is not written: its findings, the lines of its rows, its
columns. A cell that could not be read is written as a question mark, and is none again.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from io import StringIO
from typing import Any

from skatspec.errors import UsageError
from skatspec.formats import record_json
from skatspec.formats.score_sheet.cells import guarded
from skatspec.formats.score_sheet.json_read import (
    AFTER,
    FIGURES,
    KIND,
    RECORD,
    ROWS,
    SUMS,
    TOTALS,
    VERSION,
    VERSION_KEY,
)
from skatspec.formats.score_sheet.players import MOST_SEATS
from skatspec.formats.score_sheet.table import DELIMITERS
from skatspec.formats.score_sheet.words import LANGUAGES, clean, same_name, words
from skatspec.record import BrokenRecord, Record
from skatspec.sheet import COLUMNS, TOTAL, Account, Amount, Row, Sheet, Sums

# The columns of a list that has no rows to tell them by, and of every other.
_ALWAYS = ("deal", "declarer")
_FIELD_OF = {"result": "won"}
_ACCOUNT = [name for name in COLUMNS if _FIELD_OF.get(name, name) in Account._fields]
_NOBODY, _UNREAD, _YES = "-", "?", "x"

Cell = Callable[[Row, str], Any]


def write_csv(sheet: Sheet, *, delimiter: str = ";", lang: str = "en") -> str:
    """Return a sheet as CSV, its headings and words in `en` or `de`.

    `delimiter` is a semicolon, a comma or a tab. A text that a spreadsheet would compute
    is led by an apostrophe. CSV has no place for the records of rows: they are left out.
    Raises UsageError for another delimiter or language.
    """
    if delimiter not in DELIMITERS or lang not in LANGUAGES:
        raise UsageError("a list is delimited by `;`, `,` or a tab, and its language is en or de")
    out = StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerows(_top(sheet, lang))
    columns = _columns(sheet)
    writer.writerow([_heading(column, lang) for column in columns])
    cells = _Cells(sheet, lang)
    sums = sorted(sheet.sums, key=lambda one: one.line) if _placed(sheet) else list(sheet.sums)
    for row in sheet.rows:
        while _placed(sheet) and sums and sums[0].line < row.line:
            writer.writerow(cells.sums(sums.pop(0), columns))
        writer.writerow([cells.csv(row, column) for column in columns])
    writer.writerows([cells.sums(one, columns) for one in sums])
    return out.getvalue()


def write_json(sheet: Sheet) -> str:
    """Return a sheet as JSON (schemas/list.schema.json), a row a line."""
    top: dict[str, Any] = {VERSION_KEY: VERSION}
    for name, text in (("event", sheet.event), ("table", sheet.table), ("round", sheet.round)):
        if text:
            top[name] = clean(text)
    top["players"] = _names(sheet)
    given = (("rules", sheet.rules), ("system", sheet.system), ("deals", sheet.length))
    top.update({key: clean(one) if isinstance(one, str) else one for key, one in given if one})
    if sheet.dealer is not None:
        top["dealer"] = sheet.dealer + 1
    columns, cells = _columns(sheet), _Cells(sheet, LANGUAGES[0])
    rows = ",\n ".join(_dumps(_json_row(cells, row, columns)) for row in sheet.rows)
    parts = [f"{_dumps(key)}: {_dumps(value)}" for key, value in top.items()]
    parts.append(f'"{ROWS}": [\n {rows}\n]' if sheet.rows else f'"{ROWS}": []')
    if sheet.sums:
        parts.append(f'"{SUMS}": {_dumps(_json_sums(sheet))}')
    return "{" + ",\n".join(parts) + "}\n"


def _dumps(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # what some readers take for a line end
    return text.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _placed(sheet: Sheet) -> bool:
    """Say whether rows and sums have lines, so that sums may stand between rows."""
    return all(row.line for row in sheet.rows) and all(one.line for one in sheet.sums)


def _names(sheet: Sheet) -> list[str]:
    """Return the players' names, empty where a place has none."""
    names = [clean(name) for name in sheet.players]
    return names + [""] * (sheet.seats - len(names))


def _top(sheet: Sheet, lang: str) -> Iterator[list[str]]:
    """Yield the lines above the headings."""

    def line(name: str, *cells: str) -> list[str]:
        return [words().word("lines", name, lang), *cells]

    if sheet.seats:
        yield line("players", *[guarded(name) or _NOBODY for name in _names(sheet)])
    for name in ("event", "table", "round", "rules"):
        if text := getattr(sheet, name):
            yield line(name, guarded(text))
    if sheet.system:
        known = sheet.system in words().written["systems"]
        system = words().word("systems", sheet.system, lang) if known else guarded(sheet.system)
        yield line("system", system)
    if sheet.length:
        yield line("deals", str(sheet.length))
    if sheet.dealer is not None:
        yield line("dealer", str(sheet.dealer + 1))


def _columns(sheet: Sheet) -> list[str]:
    """Return the columns that some row has something to say in."""
    needed = {*_ALWAYS, *[name for row in sheet.rows for name in row.unread]}
    for row in sheet.rows:
        if row.account is not None:
            account = row.account
            needed |= {
                name for name in _ACCOUNT if getattr(account, _FIELD_OF.get(name, name)) is not None
            }
        given = (("dealer", row.dealer), ("value", row.value), ("remark", row.remark or None))
        needed |= {name for name, value in given if value is not None}
    totals = any(one is not None for row in sheet.rows for one in row.totals) or sheet.sums
    seats = min(sheet.seats, MOST_SEATS) if totals else 0
    numbered = {f"{TOTAL}{seat}" for seat in range(1, seats + 1)}
    unread = [int(name.removeprefix(TOTAL)) for name in needed if name.startswith(TOTAL)]
    # an array of totals has no gaps
    numbered |= {f"{TOTAL}{seat}" for seat in range(1, max(unread, default=0) + 1)}
    ahead = [name for name in COLUMNS if name in needed]
    behind = [ahead.pop()] if ahead[-1] == "remark" else []
    return ahead + sorted(numbered) + behind


def _heading(column: str, lang: str) -> str:
    if not column.startswith(TOTAL):
        return words().word("columns", column, lang)
    if lang == LANGUAGES[0]:
        return column
    return f"{words().word('totals', 'totals', lang)} {column.removeprefix(TOTAL)}"


class _Cells:
    """The cells of a sheet in the words of a language."""

    def __init__(self, sheet: Sheet, lang: str) -> None:
        self._lang = lang
        names = {same_name(name) for name in sheet.players}
        self._unread = _UNREAD
        while self._unread in names:
            self._unread += _UNREAD

    def value(self, row: Row, column: str) -> Any:
        """Return what a cell holds: None, a flag, a number, or a text in the language's words."""
        if column in row.unread:
            return self._unread
        if column.startswith(TOTAL):
            seat = int(column.removeprefix(TOTAL)) - 1
            return row.totals[seat] if seat < len(row.totals) else None
        if column == "declarer":
            return self._declarer(row)
        if column == "deal":
            return row.number
        if column == "dealer":
            return None if row.dealer is None else row.dealer + 1
        if column in ("value", "remark"):
            return clean(row.remark) or None if column == "remark" else row.value
        return self._of_account(row.account, column) if row.account is not None else None

    def _declarer(self, row: Row) -> Any:
        if row.declarer is None or not row.others:
            return None if row.declarer is None else row.declarer + 1
        return "+".join(str(player + 1) for player in (row.declarer, *row.others))

    def _of_account(self, account: Account, column: str) -> Any:
        if column == "contract":
            contract = account.contract
            known = contract in words().written["contracts"]
            return words().word("contracts", str(contract), self._lang) if known else contract
        if column == "result":
            group = {True: "won", False: "lost", None: ""}[account.won]
            return words().word(group, group, self._lang) if group else None
        if column == "matadors":
            return self._matadors(account)
        return getattr(account, column)

    def _matadors(self, account: Account) -> Any:
        count = account.matadors
        if count is None or account.unsigned:
            return count
        side = "with" if count > 0 else "without"
        return f"{words().word(side, side, self._lang)} {abs(count)}"

    def csv(self, row: Row, column: str) -> str:
        """Return a cell's text."""
        value = self.value(row, column)
        if value is None:
            return _NOBODY if column == "declarer" else ""
        if isinstance(value, bool):
            return _YES if value else ""
        if isinstance(value, Fraction):
            return self._amount(value)
        if column == "kontra" and isinstance(value, int):
            return str(value or "")
        return guarded(value) if column == "remark" else str(value)

    def sums(self, one: Sums, columns: list[str]) -> list[str]:
        """Return a line of sums, its word in the first column, its figures below the totals."""
        figures = {f"{TOTAL}{seat}": value for seat, value in enumerate(one.figures, 1)}
        cells = [self._amount(figures.get(column)) for column in columns]
        return [words().word("sums", one.kind, self._lang), *cells[1:]]

    def _amount(self, value: Amount | None) -> str:
        if value is None:
            return ""
        text = str(_number(value))
        return text if self._lang == LANGUAGES[0] else text.replace(".", ",")


def _number(value: Amount) -> int | float:
    """Return ledger points as JSON has them; halves are exact."""
    return int(value) if value == int(value) else float(value)


def _json_row(cells: _Cells, row: Row, columns: list[str]) -> dict[str, Any]:
    """Return a row as an object; what it says nothing of is left out, who played never is."""
    found: dict[str, Any] = {}
    totals: list[Any] = []
    for column in columns:
        value = cells.value(row, column)
        if isinstance(value, Fraction):
            value = _number(value)
        if column.startswith(TOTAL):
            totals.append(value)
        elif value is not None or column in _ALWAYS:
            found[column] = value
    if any(one is not None for one in totals):
        found[TOTALS] = totals
    if row.record is not None:
        found[RECORD] = _record(row.record)
    return found


def _record(record: Record | BrokenRecord) -> Any:
    """Return a record as an object, one that could not be read as its text."""
    if isinstance(record, BrokenRecord):
        return record.origin.text
    text, _ = record_json.write(record)
    return json.loads(text)


def _json_sums(sheet: Sheet) -> Any:
    """Return the sums by their kinds; as an array where one stands twice or between rows."""
    lines = [row.line for row in sheet.rows]
    figures = [[None if one is None else _number(one) for one in s.figures] for s in sheet.sums]
    after = [sum(line <= one.line for line in lines) for one in sheet.sums]
    kinds = [one.kind for one in sheet.sums]
    if len(set(kinds)) == len(kinds) and (not _placed(sheet) or set(after) <= {len(lines)}):
        return dict(zip(kinds, figures, strict=True))
    return [
        {KIND: kind, FIGURES: each, **({AFTER: behind} if _placed(sheet) else {})}
        for kind, each, behind in zip(kinds, figures, after, strict=True)
    ]
