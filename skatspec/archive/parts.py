"""A part as a file: its rows as Parquet, its counts and its run's name beside the schema."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from skatspec.archive import places
from skatspec.archive.rows import COUNTS, RUN

# Columns whose values come again and again.
_DICTIONARIES = [
    "file", "player_f", "player_m", "player_r", "declarer", "contract", "modifiers", "verdict",
    "code", "bid", "matadors", "points", "tricks", "value", "score", "recorded",
]  # fmt: skip


def write(table: Any, path: str, counts: str, run: str = "", aside: str = "") -> None:
    """Write a part whole; what was there is replaced. Raises UsageError."""
    out = BytesIO()
    more = {COUNTS: counts, RUN: run}
    named = table.replace_schema_metadata({**(table.schema.metadata or {}), **more})
    pq.write_table(
        named, out, compression="snappy", use_dictionary=_DICTIONARIES,
        write_statistics=["offset", "date"], column_encoding={"offset": "DELTA_BINARY_PACKED"},
    )  # fmt: skip
    places.write(path, out.getvalue(), aside)


def counts_of(path: str, run: str) -> str | None:
    """Return the counts that were written with a part, None for a part that `run` did not write.

    A part that cannot be read is nobody's. Raises UsageError as `places.read` does.
    """
    try:
        # of a file of this machine no more is read than its end
        part = BytesIO(places.read(path) or b"") if places.is_url(path) else path
        metadata = pq.read_metadata(part).metadata or {}
    except (pa.ArrowException, FileNotFoundError):
        return None
    if metadata.get(RUN) != run.encode():
        return None
    return str(metadata[COUNTS].decode())
