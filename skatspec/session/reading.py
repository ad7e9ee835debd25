"""Opens whatever holds lists: score sheets as they are, records as the lists they make.

A file of records (`.skat`, ISS archives, JSON records, XSkat logs) is grouped into one list a
table and series; its rows carry their records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from skatspec.formats import registry, score_sheet
from skatspec.formats.lines import open_lines
from skatspec.formats.score_sheet import looks_like
from skatspec.judging import Judge
from skatspec.record import BrokenRecord, Record
from skatspec.session.from_records import sheet_of
from skatspec.session.grouping import grouped
from skatspec.sheet import Sheet

_FIRST_LINES = 200


def lists(path: str, judge: Judge | None = None) -> Iterator[Sheet]:
    """Yield the lists of a file; `judge` replays records.

    Raises InputError where the file cannot be opened or holds neither.
    """
    lines = open_lines(path)
    first = list(islice(lines.peek(), _FIRST_LINES))
    if looks_like(first) or registry.detect(first, path) is None:
        yield from score_sheet.read(lines)
        return
    for group in grouped(registry.reading(lines), path):
        yield sheet_of(group, judge or Judge())


def records(paths: Iterable[str]) -> Iterator[Record | BrokenRecord]:
    """Yield the records of files, to be joined to lists."""
    for path in paths:
        yield from registry.open_records(path)
