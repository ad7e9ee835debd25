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
    CONTRACT,
    DECLARER,
    MODIFIERS,
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
_TEXTS = {"id": "ID", "player_f": "P0", "player_m": "P1", "player_r": "P2", "date": "DT"}
_TAGS = {row.name: row.tag for row in PROPERTIES}
_SCHEMA = rows.schema()


def _modifier_words(bits: int) -> str:
    return " ".join(word for bit, word in _WORDS if bits & bit)


# What a number stands for in the columns of words.
_SEATS = pa.array(list(SEAT_LETTERS), pa.string())
_GAMES = pa.array(list(CONTRACTS), pa.string())
_MODIFIERS = pa.array([_modifier_words(bits) for bits in range(2 * max(b for b, _ in _WORDS))],
                      pa.string())  # fmt: skip
_VERDICTS = pa.array([one.value for one in Verdict], pa.string())
_CODES = pa.array(list(catalog()), pa.string())
_CODE_NUMBERS = {code: number for number, code in enumerate(catalog())}
_VERDICT_NUMBERS = {one: number for number, one in enumerate(Verdict)}


def taken(path: str, offset: int, data: bytes, decided: Any, chosen: Any) -> Any:
    """Return the rows of the records of a block that the kernel took.

    `offset` is the block's place in its file, `chosen` the indices of the records.
    """
    count = len(chosen)
    begin, numbers = decided.begin[chosen], decided.figures[chosen]
    buffer = np.frombuffer(data, np.uint8)
    texts = {}
    for name, place in (
        (name, SPANNED.index(key)) for name, key in (*_TEXTS.items(), ("date", "DT"))
    ):
        start, stop = (decided.spans[chosen, 2 * place + side].astype(np.int64) for side in (0, 1))
        lengths = np.where(start < 0, -1, stop - start)
        make = _dates if name == "date" else _texts
        texts[name] = make(buffer, begin + start, lengths)
    return _table(
        path, count, begin + offset, (decided.end[chosen] - begin).astype(np.int32), numbers, texts,
        pa.array(np.full(count, _VERDICT_NUMBERS[Verdict.CONSISTENT], np.int8)),
        _words(np.full(count, -1), _CODES), pa.nulls(count, pa.int64()),
    )  # fmt: skip


def reported(path: str, base: int, handed: Sequence[tuple[Handed, Report]]) -> Any:
    """Return the rows of records that the scalar engine checked; their places count from `base`."""
    count = len(handed)
    numbers = np.array([figures(report) for _, report in handed], np.int64).reshape(count, -1)
    texts: dict[str, Any] = {}
    for name, key in _TEXTS.items():
        values = [_tag(report, _TAGS[key]) for _, report in handed]
        texts[name] = pa.array(values, pa.string()) if name != "date" else _dates_of(values)
    heaviest = [weightiest(report) for _, report in handed]
    places = [
        position(item, one) if one is not None else -1
        for (item, _), one in zip(handed, heaviest, strict=True)
    ]
    return _table(
        path, count,
        np.array([base + item.begin for item, _ in handed], np.int64),
        np.array([item.length for item, _ in handed], np.int32),
        numbers, texts,
        pa.array([_VERDICT_NUMBERS[report.verdict] for _, report in handed], pa.int8()),
        _words(np.array([_CODE_NUMBERS[one.code] if one is not None else -1 for one in heaviest]),
               _CODES),
        pa.array([base + place if place >= 0 else None for place in places], pa.int64()),
    )  # fmt: skip


def joined(tables: Sequence[Any]) -> Any:
    """Return the rows of some tables as one, in the order of their places."""
    if not tables:
        return _SCHEMA.empty_table()
    table = pa.concat_tables(tables).combine_chunks()
    if len(tables) == 1:
        return table
    order = np.argsort(table["offset"].to_numpy(), kind="stable")
    return table.take(pa.array(order))


def _table(
    path: str, count: int, offset: Any, length: Any, numbers: Any, texts: dict[str, Any],
    verdict: Any, code: Any, place: Any,
) -> Any:  # fmt: skip
    columns: dict[str, Any] = {
        "file": pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, np.int32)), [path]),
        "offset": pa.array(offset),
        "length": pa.array(length),
        **texts,
        "declarer": _words(numbers[:, DECLARER], _SEATS),
        "contract": _words(numbers[:, CONTRACT], _GAMES),
        "modifiers": _words(
            np.where(numbers[:, CONTRACT] < 0, NONE, numbers[:, MODIFIERS]), _MODIFIERS
        ),
        "verdict": pa.DictionaryArray.from_arrays(verdict, _VERDICTS),
        "code": code,
        "position": place,
    }
    for at, name in enumerate(_FIGURES, MODIFIERS + 1):
        columns[name] = _numbers(numbers[:, at], _SCHEMA.field(name).type)
    arrays = [columns[field.name].cast(field.type) for field in _SCHEMA]
    return pa.Table.from_arrays(arrays, schema=_SCHEMA)


def _numbers(values: Any, kind: Any) -> Any:
    """Return a column of whole numbers; what the column cannot hold is no figure of a game."""
    wide = np.iinfo(kind.to_pandas_dtype())
    empty = (values == NONE) | (values < wide.min) | (values > wide.max)
    return pa.array(np.where(empty, 0, values).astype(wide.dtype), mask=empty)


def _words(values: Any, words: Any) -> Any:
    empty = (values < 0) | (values >= len(words))
    places = pa.array(np.where(empty, 0, values).astype(np.int16), mask=empty)
    return pa.DictionaryArray.from_arrays(places, words)


def _texts(buffer: Any, begins: Any, lengths: Any) -> Any:
    """Return a column of texts, pieces of a buffer of ASCII; below 0 a length is no text."""
    count = len(begins)
    offsets = np.empty(count + 1, np.int32)
    out = np.empty(int(np.maximum(lengths, 0).sum()), np.uint8)
    gather.gather(buffer, begins, lengths, offsets, out)
    valid = np.packbits(lengths >= 0, bitorder="little")
    return pa.StringArray.from_buffers(
        count, pa.py_buffer(offsets), pa.py_buffer(out), pa.py_buffer(valid)
    )


def _dates(buffer: Any, begins: Any, lengths: Any) -> Any:
    seconds = np.empty(len(begins), np.int64)
    gather.dates(buffer, begins, lengths, seconds)
    return pa.array(seconds, mask=seconds == gather.NO_DATE).cast(pa.timestamp("s"))


def _dates_of(values: Sequence[str | None]) -> Any:
    pieces = [(value or "").encode("utf-8", "surrogatepass") for value in values]
    lengths = np.array([len(piece) for piece in pieces], np.int64)
    begins = np.cumsum(lengths) - lengths
    return _dates(np.frombuffer(b"".join(pieces), np.uint8), begins, lengths)


def _tag(report: Report, tag: str) -> str | None:
    return report.record.tag(tag) if isinstance(report.record, Record) else None
