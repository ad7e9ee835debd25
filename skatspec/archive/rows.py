"""A part of a checked archive: one row a game, in Parquet. What a column holds stands here.

A part's own counts travel in the file, under `COUNTS` in its schema's metadata, so that a
part is one file and is there or is not.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

# (name, type, what it holds); an empty cell is "not recorded, open or not judged" if nothing
# else is said.
COLUMNS: tuple[tuple[str, Any, str], ...] = (
    ("file", pa.dictionary(pa.int32(), pa.string()), "the input file as it was named"),
    ("offset", pa.int64(), "the byte at which the record begins, in the file as unpacked"),
    ("length", pa.int32(), "bytes of the record, its line's end left out"),
    ("id", pa.string(), "the record's ID"),
    ("date", pa.timestamp("s"), "the record's DT, empty where it is no date"),
    ("player_f", pa.string(), "forehand's name"),
    ("player_m", pa.string(), "middlehand's name"),
    ("player_r", pa.string(), "rearhand's name"),
    ("declarer", pa.dictionary(pa.int8(), pa.string()), "the declarer's seat, F, M or R; "
     "empty where all passed"),
    ("contract", pa.dictionary(pa.int8(), pa.string()), "clubs, spades, hearts, diamonds, "
     "grand or null; empty where all passed"),
    ("modifiers", pa.dictionary(pa.int8(), pa.string()), "what was announced, words with blanks "
     "between: hand, ouvert, schneider, schwarz; no word where nothing was"),
    ("bid", pa.int16(), "the last value called or held"),
    ("matadors", pa.int8(), "matadors, below zero: without"),
    ("points", pa.int16(), "the declarer's card points, skat included"),
    ("tricks", pa.int8(), "the declarer's tricks"),
    ("value", pa.int32(), "the game value charged, before a loss is doubled"),
    ("score", pa.int32(), "the declarer's ledger points, signed"),
    ("recorded", pa.int32(), "the score that the record states"),
    ("verdict", pa.dictionary(pa.int8(), pa.string()), "consistent, contradicted, undetermined "
     "or unreadable"),
    ("code", pa.dictionary(pa.int16(), pa.string()), "the weightiest finding's code, the first of "
     "several; empty without a finding"),
    ("position", pa.int64(), "the byte which that finding is about, in the file as "
     "unpacked; empty without a finding"),
)  # fmt: skip
COUNTS, RUN = b"skatspec.counts", b"skatspec.run"


def schema() -> Any:
    """Return the schema of a part."""
    return pa.schema([(name, kind) for name, kind, _ in COLUMNS])
