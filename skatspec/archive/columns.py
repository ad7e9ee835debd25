"""Rows of a part: from the kernel's arrays a block at once, from reports one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from skatspec.archive import rows
from skatspec.archive.claims import figures, position, weightiest
from skatspec.archive.kernel import gather
from skatspec.archive.kernel.answers import (
    FIGURES,
    NONE,
    SPANNED,
)
from skatspec.archive.walk import Handed
from skatspec.check import Report
from skatspec.diagnostics import Verdict, catalog
from skatspec.formats.iss_words import PROPERTIES
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ, SEAT_LETTERS, Record
from skatspec.rules.tables import CONTRACTS

# The plain figures: their columns in a part, in the order of the kernel's.
_FIGURES = ("bid", "matadors", "points", "tricks", "value", "score", "recorded")
_WORDS = ((HAND, "hand"), (OUVERT, "ouvert"), (SCHNEIDER, "schneider"), (SCHWARZ, "schwarz"))
_TEXTS = {"id": "ID", "player_f": "P0", "player_m": "P1", "player_r": "P2"}
# Where the pairs of these columns begin among a record's spans.
_AT = np.array([2 * SPANNED.index(key) for key in _TEXTS.values()], np.int64)
_TAGS = {row.name: row.tag for row in PROPERTIES}
_SPANNED_TAGS = tuple(_TAGS[key] for key in SPANNED)
_NO_SPAN = (-1, -1)
_SCHEMA = rows.schema()


def _modifier_words(bits: int) -> str:
    return " ".join(word for bit, word in _WORDS if bits & bit)


# What a number stands for in the columns of words.
_MODIFIERS = pa.array([_modifier_words(bits) for bits in range(2 * max(b for b, _ in _WORDS))],
                      pa.string())  # fmt: skip
_VERDICTS = pa.array([one.value for one in Verdict], pa.string())
_CODES = pa.array(list(catalog()), pa.string())
_CODE_NUMBERS = {code: number for number, code in enumerate(catalog())}
_VERDICT_NUMBERS = {one: number for number, one in enumerate(Verdict)}
# The kernel's figures in order: their columns, of which type, and the words of a number.
_COLUMNS: tuple[tuple[str, Any, Any], ...] = (
    ("declarer", pa.int8(), pa.array(list(SEAT_LETTERS), pa.string())),
    ("contract", pa.int8(), pa.array(list(CONTRACTS), pa.string())),
    ("modifiers", pa.int8(), _MODIFIERS),
    *((name, _SCHEMA.field(name).type, None) for name in _FIGURES),
)
_LOWEST = np.array([0 if words is not None else max(np.iinfo(kind.to_pandas_dtype()).min, NONE + 1)
                    for _, kind, words in _COLUMNS], np.int64)  # fmt: skip
_HIGHEST = np.array([len(words) - 1 if words is not None else np.iinfo(kind.to_pandas_dtype()).max
                     for _, kind, words in _COLUMNS], np.int64)  # fmt: skip


def taken(path: str, offset: int, data: bytes, decided: Any, chosen: Any) -> Any:
    """Return the rows of the records of a block that the kernel took.

    `offset` is the block's place in its file, `chosen` the indices of the records.
    """
    count = len(chosen)
    begin = decided.begin[chosen]
    return _table(
        path, begin + offset, (decided.end[chosen] - begin).astype(np.int32),
        _numbers(decided.figures, chosen),
        _read(np.frombuffer(data, np.uint8), chosen, decided.begin, decided.spans),
        np.full(count, _VERDICT_NUMBERS[Verdict.CONSISTENT], np.int8),
        np.full(count, -1, np.int16), np.full(count, -1, np.int64),
    )  # fmt: skip


def reported(path: str, base: int, handed: Sequence[tuple[Handed, Report]]) -> Any:
    """Return the rows of records that the scalar engine checked; their places count from `base`."""
    count, every = len(handed), np.arange(len(handed))
    found = np.array([figures(report) for _, report in handed], np.int64).reshape(count, FIGURES)
    heaviest = [weightiest(report) for _, report in handed]
    places = [position(item, one) for (item, _), one in zip(handed, heaviest, strict=True)]
    codes = [_CODE_NUMBERS[one.code] if one is not None else -1 for one in heaviest]
    return _table(
        path,
        np.array([base + item.begin for item, _ in handed], np.int64),
        np.array([item.length for item, _ in handed], np.int32),
        # nothing that a column could hold is cut off
        _numbers(np.clip(found, NONE, -NONE - 1).astype(np.int32), every),
        _read(*_written([report for _, report in handed])),
        np.array([_VERDICT_NUMBERS[report.verdict] for _, report in handed], np.int8),
        np.array(codes, np.int16),
        np.array([base + place if place >= 0 else -1 for place in places], np.int64),
    )  # fmt: skip


def _written(reports: Sequence[Report]) -> tuple[Any, Any, Any, Any]:
    """Return the texts of some records as the kernel has them: bytes, rows, begins, spans."""
    data, begins = bytearray(), []
    spans: list[int] = []
    for report in reports:
        begin = len(data)
        begins.append(begin)
        tags = report.record.tags if isinstance(report.record, Record) else ()
        # of a tag that stands twice the first counts
        first = dict(reversed(tags))
        for tag in _SPANNED_TAGS:
            value = first.get(tag)
            start = len(data) - begin
            if value is None:
                spans += _NO_SPAN
            else:
                data += value.encode("utf-8", "replace")
                spans += (start, len(data) - begin)
    shaped = np.array(spans, np.int32).reshape(len(reports), 2 * len(SPANNED))
    buffer = np.frombuffer(bytes(data), np.uint8)
    return buffer, np.arange(len(reports)), np.array(begins, np.int64), shaped


def joined(tables: Sequence[Any]) -> Any:
    """Return the rows of some tables as one, the tables one behind the other."""
    return pa.concat_tables(tables) if tables else _SCHEMA.empty_table()


def _table(
    path: str, offset: Any, length: Any, numbers: dict[str, Any], texts: dict[str, Any],
    verdict: Any, code: Any, place: Any,
) -> Any:  # fmt: skip
    count = len(offset)
    columns: dict[str, Any] = {
        "file": pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, np.int32)), [path]),
        "offset": pa.array(offset),
        "length": pa.array(length),
        **texts,
        **numbers,
        "verdict": pa.DictionaryArray.from_arrays(pa.array(verdict), _VERDICTS),
        "code": pa.DictionaryArray.from_arrays(pa.array(code, mask=code < 0), _CODES),
        "position": pa.array(place, mask=place < 0),
    }
    return pa.Table.from_arrays([columns[field.name] for field in _SCHEMA], schema=_SCHEMA)


def _numbers(found: Any, chosen: Any) -> dict[str, Any]:
    """Return the columns of figures; what a column cannot hold is no figure of a game."""
    count = len(chosen)
    out = np.empty((len(_COLUMNS), count), np.int32)
    valid = np.zeros((len(_COLUMNS), (count + 7) // 8), np.uint8)
    gather.numbers(found, chosen, _LOWEST, _HIGHEST, out, valid)
    columns = {}
    for values, bits, (name, kind, words) in zip(out, valid, _COLUMNS, strict=True):
        data = values.astype(kind.to_pandas_dtype())
        column = pa.Array.from_buffers(kind, count, [pa.py_buffer(bits), pa.py_buffer(data)])
        columns[name] = column
        if words is not None:
            columns[name] = pa.DictionaryArray.from_arrays(column, words)
    return columns


def _read(buffer: Any, chosen: Any, begins: Any, spans: Any) -> dict[str, Any]:
    """Return the columns of texts and the dates: pieces of a buffer, found by their spans."""
    count = len(chosen)
    bits = (count + 7) // 8
    sizes = np.zeros(len(_AT), np.int64)
    gather.lengths(chosen, spans, _AT, sizes)
    out = np.empty(sizes.sum(), np.uint8)
    offsets = np.empty((len(_AT), count + 1), np.int32)
    valid = np.zeros((len(_AT), bits), np.uint8)
    gather.texts(buffer, chosen, begins, spans, _AT, sizes, out, offsets, valid)
    columns = {}
    ends = np.cumsum(sizes)
    for at, name in enumerate(_TEXTS):
        piece = out[ends[at] - sizes[at] : ends[at]]
        columns[name] = pa.StringArray.from_buffers(
            count, pa.py_buffer(offsets[at]), pa.py_buffer(piece), pa.py_buffer(valid[at])
        )
    seconds, valid_dates = np.empty(count, np.int64), np.zeros(bits, np.uint8)
    gather.dates(buffer, chosen, begins, spans, 2 * SPANNED.index("DT"), seconds, valid_dates)
    buffers = [pa.py_buffer(valid_dates), pa.py_buffer(seconds)]
    columns["date"] = pa.Array.from_buffers(pa.timestamp("s"), count, buffers)
    return columns
