"""Opens whatever holds lists: score sheets as they are, records as the lists they make.

A file of records (`.skat`, ISS archives, JSON records, XSkat logs) is grouped into one list a
table and series; its rows carry their records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from skatspec.diagnostics import Severity, entry, message
from skatspec.errors import InputError
from skatspec.formats import registry, score_sheet
from skatspec.formats.lines import Lines, open_lines
from skatspec.formats.score_sheet import looks_like
from skatspec.formats.score_sheet.read import with_findings
from skatspec.formats.suffixes import bare_suffix
from skatspec.judging import Judge
from skatspec.session.from_records import sheet_of
from skatspec.session.grouping import grouped
from skatspec.sheet import Sheet

# So many columns of a list are more than chance; of fewer the first lines are looked at.
_TELLING_COLUMNS, _FIRST_LINES = 3, 200
# What a file in a folder is refused with that is no list: binary data, an unknown format.
_NO_LIST = ("E004", "E007")
# Files of folders that hold a list or nothing.
_TABLES = (".csv", ".tsv")
# What spreadsheets save unless they are asked for CSV. One of Numbers may be a folder.
SPREADSHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".fods", ".numbers")
_MARK = "E001"


class End(NamedTuple):
    """The end of a file of lists: why it could not be read to its end, if so.

    `is_list` is False for a file of a folder that turned out to be none.
    """

    broken: str = ""
    is_list: bool = True


def is_spreadsheet(path: str) -> bool:
    """Say whether a file's name is that of a spreadsheet's own format, which is not read."""
    return bare_suffix(path) in SPREADSHEETS


def of_file(path: str, judge: Judge) -> Iterator[Sheet | End]:
    """Yield the lists of a file that was named, then its end; `judge` replays records."""
    try:
        yield from lists(path, judge)
        yield End()
    except InputError as error:
        yield End(str(error))


def of_folder(path: str) -> Iterator[Sheet | End]:
    """Yield the score sheets of a file that was found in a folder, then its end."""
    try:
        for sheet in map(without_mark, score_sheet.open_sheets(path)):
            if not sheet.index and not _is_list(sheet, path):
                yield _no_list(path)
                return
            yield sheet
        yield End()
    except InputError as error:
        yield End(is_list=False) if error.code in _NO_LIST else End(str(error))


def _is_list(sheet: Sheet, path: str) -> bool:
    """Say whether a file is a list, by what its first sheet is, else by its first lines."""
    if len(sheet.columns) >= _TELLING_COLUMNS:
        return True
    return looks_like(islice(open_lines(path).peek(), _FIRST_LINES))


def _no_list(path: str) -> End:
    """Return the end of a file that is no list; a table without a byte may have been one."""
    if bare_suffix(path) in _TABLES and not Path(path).stat().st_size:
        return End(str(InputError("E006", "the file is empty", path)))
    return End(is_list=False)


def lists(path: str, judge: Judge | None = None) -> Iterator[Sheet]:
    """Yield the lists of a file; `judge` replays records.

    Raises InputError where the file cannot be opened, is empty, or holds neither.
    """
    if is_spreadsheet(path):
        raise InputError("E007", "a spreadsheet's own file; save it as CSV", path)
    lines = open_lines(path)
    first = list(islice(lines.peek(), _FIRST_LINES))
    lines.require_some()
    if len(first) < _FIRST_LINES and not any(text.strip("\ufeff \t\r\n") for text in first):
        for _ in lines:
            pass  # what was left out of it is then known
        raise _nothing(lines, path, "the file is empty")
    if looks_like(first) or registry.detect(first, path) is None:
        yield from map(without_mark, score_sheet.read(lines))
        return
    found = False
    for group in grouped(registry.reading(lines), path):
        found = True
        yield with_findings(sheet_of(group, judge or Judge()), lines)
    if not found:
        raise _nothing(lines, path, "the file has no list, and no record of a deal")


def _nothing(lines: Lines, path: str, what: str) -> InputError:
    """Return why nothing can be said of a file that was read to its end."""
    for one in lines.take_findings():
        if entry(one.code).severity is Severity.ERROR:
            return InputError(one.code, message(one), path)
    return InputError("E006", what, path)


def without_mark(sheet: Sheet) -> Sheet:
    """Return a list without the finding that its file begins with a byte order mark.

    Spreadsheets write one, and so do we; elsewhere in the file it is worth a word.
    """
    if not any(one.code == _MARK and one.span.line == 1 for one in sheet.findings):
        return sheet
    found = [one for one in sheet.findings if one.code != _MARK or one.span.line != 1]
    return replace(sheet, findings=tuple(found))
