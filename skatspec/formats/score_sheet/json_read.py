"""Reads lists in JSON (schemas/list.schema.json): the same sheet, its cells as values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from skatspec.diagnostics import Span, finding
from skatspec.errors import InputError
from skatspec.formats import record_json
from skatspec.formats.lines import Lines
from skatspec.formats.record_text import excerpt
from skatspec.formats.registry import parse_text
from skatspec.formats.score_sheet.build import build
from skatspec.formats.score_sheet.json_frames import Frame, frames
from skatspec.formats.score_sheet.raw import (
    LIMIT_TEXT,
    MOST_CELL,
    MOST_COLUMNS,
    MOST_ROWS,
    Line,
    Raw,
)
from skatspec.formats.score_sheet.words import clean
from skatspec.record import BrokenRecord, Record
from skatspec.sheet import TOTAL, Sheet

VERSION_KEY, VERSION = "skat-list", 1
ROWS, TOTALS, SUMS, RECORD = "rows", "totals", "sums", "record"
AFTER, KIND, FIGURES = "after", "kind", "figures"
_A_LIST = f'an object with "{VERSION_KEY}": {VERSION}'
# Longer numbers are never turned into integers, which would take long.
_MOST_DIGITS = 9


def read_json(lines: Lines) -> Iterator[Sheet]:
    """Yield the lists of a source; a source without any yields what is wrong with it."""
    count = -1
    for count, frame in enumerate(frames(lines)):
        raw = Raw(lines.source, count, fields=False, headings=[])
        sheet = _sheet(raw, frame)
        yield sheet if sheet is not None else Sheet(raw.source, count, findings=tuple(raw.findings))
    if count < 0:
        note = finding("L023", span=Span(1, 0, 0), what=f"nothing there; {_A_LIST} was expected")
        yield Sheet(lines.source, findings=(note,))


def _sheet(raw: Raw, frame: Frame) -> Sheet | None:
    document = _decoded(raw, frame)
    if document is None:
        return None
    if document.get(VERSION_KEY) != VERSION or isinstance(document[VERSION_KEY], bool):
        _no_list(raw, frame.line, f"it is not {_A_LIST}")
        return None
    if frame.cut is not None:
        raw.cut = True
        line = frame.line + frame.text.count("\n")
        raw.note("L016", line, read=excerpt(frame.cut.lstrip(", \n")))
    for key, value in document.items():
        if key not in (VERSION_KEY, ROWS, SUMS):
            given = value if isinstance(value, list) else [value]
            raw.lines.append(Line(0, key, tuple([_text(one) for one in given[:MOST_COLUMNS]])))
    _rows(raw, document.get(ROWS))
    _sums(raw, document.get(SUMS))
    return build(raw)


def _decoded(raw: Raw, frame: Frame) -> dict[str, Any] | None:
    """Return the object that a text is, None where there is none."""
    if frame.problem == "E005":
        raw.note("E005", frame.line, what="a list", limit=LIMIT_TEXT)
        return None
    if frame.problem:
        _no_list(raw, frame.line, f"{excerpt(frame.text) or 'far too deep'}")
        return None

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(found)
        if len(result) != len(found):
            result = {}
            for key, value in found:
                if key in result:
                    raw.note("L012", 0, read=clean(key))
                result.setdefault(key, value)
        return result

    decoder = json.JSONDecoder(
        object_pairs_hook=pairs, parse_int=_integer, parse_constant=str, strict=False
    )
    try:
        document = decoder.decode(frame.text)
    except json.JSONDecodeError as error:
        line = frame.line + frame.text.count("\n", 0, error.pos)
        _no_list(raw, line, f"{error.msg}, at {excerpt(frame.text[error.pos :]) or 'its end'}")
        return None
    return document if isinstance(document, dict) else None


def _no_list(raw: Raw, line: int, what: str) -> None:
    raw.note("L023", line, what=what)


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MOST_DIGITS else digits


def _text(value: Any) -> str:
    """Return the text of a cell that holds a value; what no cell can hold is spelt out."""
    if isinstance(value, str):
        return value[:MOST_CELL]
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**_MOST_DIGITS:
        return str(int(value))  # in JSON 30.0 is a whole number
    if isinstance(value, (int, float)):
        return str(value)
    return excerpt(json.dumps(value))


def _rows(raw: Raw, rows: Any) -> None:
    """Take the rows: the keys of all of them are the headings."""
    if rows is None:
        return
    if not isinstance(rows, list):
        raw.note("L014", 0, read=_text(rows), expected="an array of rows", heading=ROWS)
        return
    if len(rows) > MOST_ROWS:
        raw.note("E005", MOST_ROWS + 1, what="a list", limit=f"{MOST_ROWS:,} rows")
    given: list[tuple[int, dict[str, Any]]] = []
    for line, row in enumerate(rows[:MOST_ROWS], 1):
        if isinstance(row, dict):
            given.append((line, row))
        else:
            read = _text(row) or json.dumps(row)
            raw.note("L014", line, read=read, expected="an object", heading=ROWS)
    at = _headings(raw, given)
    for line, row in given:
        cells = [""] * len(at)
        for key, value in row.items():
            if key == RECORD:
                _record(raw, line, value)
            elif key == TOTALS:
                for seat, total in enumerate(_listed(value), 1):
                    _put(cells, at, f"{TOTAL}{seat}", total)
            else:
                _put(cells, at, key, value)
        raw.rows.append((line, cells))


def _put(cells: list[str], at: dict[str, int], key: str, value: Any) -> None:
    if key in at:
        cells[at[key]] = _text(value)


def _listed(value: Any) -> list[Any]:
    """Return the totals of a row; what is no array is taken for the first of them."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _headings(raw: Raw, rows: list[tuple[int, dict[str, Any]]]) -> dict[str, int]:
    """Find all keys of rows, in order, and note where each stands first."""
    first: dict[str, int] = {}
    most = 0
    for line, row in rows:
        for key in row:
            if key not in first:
                first[key] = line
        most = max(most, len(_listed(row.get(TOTALS))))
    keys = [key for key in first if key not in (TOTALS, RECORD)]
    keys += [f"{TOTAL}{seat}" for seat in range(1, most + 1) if f"{TOTAL}{seat}" not in first]
    if len(keys) > MOST_COLUMNS:
        raw.note("E005", 0, what="a row", limit=f"{MOST_COLUMNS} columns")
        keys = keys[:MOST_COLUMNS]
    raw.headings = keys
    raw.seen = {at: first.get(key, first.get(TOTALS, 0)) for at, key in enumerate(keys)}
    return {key: at for at, key in enumerate(keys)}


def _record(raw: Raw, line: int, value: Any) -> None:
    """Read the record of a row: an object, or a text in a notation that is known."""
    read: Record | BrokenRecord
    if value is None:
        return
    try:
        if isinstance(value, str):
            read = parse_text(value)
        elif isinstance(value, dict):
            read = record_json.parse(json.dumps(value))
        else:
            raise InputError("E007", "no record")
    except InputError:
        raw.note("L014", line, read=_text(value), expected="a record", heading=RECORD)
        return
    raw.records[line] = read


def _sums(raw: Raw, sums: Any) -> None:
    """Take the lines of sums, each behind a row; without more behind the last one."""
    last = raw.rows[-1][0] if raw.rows else 0
    if sums is None:
        return
    if isinstance(sums, dict):
        given = [(key, figures, last) for key, figures in sums.items()]
    elif isinstance(sums, list) and all(isinstance(one, dict) for one in sums):
        given = [(_text(one.get(KIND)), one.get(FIGURES), _after(one, last)) for one in sums]
    else:
        raw.note("L014", 0, read=_text(sums), expected="an object", heading=SUMS)
        return
    for kind, figures, after in given:
        if isinstance(figures, list):
            cells = tuple([_text(one) for one in figures[:MOST_COLUMNS]])
            raw.sums.append(Line(after, kind, cells))
        else:
            expected = "an array with a figure a player"
            raw.note("L014", after, read=_text(figures), expected=expected, heading=clean(kind))


def _after(one: dict[str, Any], last: int) -> int:
    after = one.get(AFTER)
    if not isinstance(after, int) or isinstance(after, bool):
        return last
    return min(max(after, 0), last)
