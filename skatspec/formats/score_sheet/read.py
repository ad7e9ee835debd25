"""Opens score sheets: CSV has one a file, JSON one or many."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from skatspec.diagnostics import Diagnostic, Span
from skatspec.errors import UsageError
from skatspec.formats.lines import Lines, from_text, open_lines
from skatspec.formats.score_sheet.build import build
from skatspec.formats.score_sheet.json_read import VERSION_KEY, read_json
from skatspec.formats.score_sheet.table import find_headings, read_table
from skatspec.formats.score_sheet.words import fold, words
from skatspec.sheet import PLACE, Sheet

FORMATS = ("csv", "json")
# Two words may stand in a line of any text.
_SURE = 2
_RECORD = re.compile(r"\s*(?:%skat\b|\(;)")
_JSON = re.compile(r"[\s\[]*\{")
_VERSION = re.compile(rf'"{VERSION_KEY}"\s*:')


def _csv(lines: Lines) -> Iterator[Sheet]:
    yield build(read_table(lines))


def read(lines: Lines, format: str | None = None) -> Iterator[Sheet]:
    """Yield the sheets of a source in order; `format` is `csv`, `json` or found out."""
    if format is None:
        first = next((text.lstrip() for text in lines.peek() if text.strip()), "")
        format = "json" if first.startswith(("{", "[")) else "csv"
    for sheet in (read_json if format == "json" else _csv)(lines):
        yield with_findings(sheet, lines)


def with_findings(sheet: Sheet, lines: Lines) -> Sheet:
    """Return a sheet with what was found since in the file that it is of."""
    found = [_placed(one) for one in lines.take_findings()]
    return replace(sheet, findings=(*found, *sheet.findings)) if found else sheet


def _placed(one: Diagnostic) -> Diagnostic:
    """Return a finding about the file, placed as a sheet's findings are."""
    return Diagnostic(
        one.code, one.slots, Span(one.span.line, 0, 0), read=one.read, expected=one.expected
    )


def open_sheets(path: str | Path, format: str | None = None) -> Iterator[Sheet]:
    """Yield the sheets of a file (`-`: standard input), its format detected unless named.

    Raises InputError E004 (binary), E005 (too long), E008 (cannot be opened).
    """
    if format is not None and format not in FORMATS:
        raise UsageError(f"there is no format {format!r} of lists; there are: csv, json")
    return read(open_lines(path), format)


def parse(text: str) -> Sheet:
    """Return the first sheet of a text; where there is none, its findings say so."""
    return next(read(from_text(text)))


def looks_like(first_lines: Iterable[str]) -> bool:
    """Say whether a text is a score sheet, by its first lines, and no file of records."""
    lines = list(first_lines)
    if any(_RECORD.match(line) for line in lines):
        return False
    text = "\n".join(lines)
    if _JSON.match(text):
        key = _VERSION.search(text)
        return key is not None and '"skatspec"' not in text[: key.start()]
    found = find_headings(lines)
    if found is None or _of_standings(lines[found[1]], found[0]):
        return False
    return len(found[2]) > _SURE or found[2] >= {"declarer", "value"}


def _of_standings(headings: str, delimiter: str) -> bool:
    """Say whether a line has the headings of standings: a place, and then the player."""
    return words().sums.get(fold(headings.split(delimiter)[0])) == PLACE
