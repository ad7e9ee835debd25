"""From a row of a checked archive back to the record's own bytes in the original file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from skatspec.archive.asking import Results
from skatspec.archive.seekable import open_range
from skatspec.errors import InputError, UsageError
from skatspec.formats.lines import MAX_LINE
from skatspec.formats.registry import FORMATS

if TYPE_CHECKING:
    import duckdb

FORMAT = "iss"
_HEAD = 100
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: `length` bytes from `offset` of the file as unpacked."""

    file: str
    offset: int
    length: int
    id: str | None


def find(base: duckdb.DuckDBPyConnection, results: Results, offset: int, file: str | None) -> Place:
    """Return the row of the record that begins at `offset`, in `file` where several have one.

    `file` is a path as the run names it, or the end of one. Raises UsageError where there
    is no such row, or more than one.
    """
    rows = base.execute(
        'SELECT file, "offset", length, id FROM games WHERE "offset" = ? ORDER BY file', [offset]
    ).fetchall()
    if file is not None:
        rows = [row for row in rows if row[0] == file] or [
            row for row in rows if Path(row[0] or "").parts[-len(Path(file).parts) :]
            == Path(file).parts
        ]  # fmt: skip
    if len(rows) == 1 and rows[0][0] is not None and rows[0][2] is not None:
        return Place(*rows[0])
    if rows:
        named = ", ".join(str(row[0]) for row in rows[:_MOST_NAMED])
        named += f" and {len(rows) - _MOST_NAMED} more" if len(rows) > _MOST_NAMED else ""
        raise UsageError(f"{len(rows)} records begin at byte {offset}, of {named}: give --file")
    why = f"; these are not all games: {results.incomplete}" if results.incomplete else ""
    raise UsageError(_nothing_there(base, offset, file) + why)


def _nothing_there(base: duckdb.DuckDBPyConnection, offset: int, file: str | None) -> str:
    """Say that no record begins at a place, and which one the place lies in."""
    around = base.execute(
        'SELECT file, "offset" FROM games WHERE "offset" < ? AND "offset" + length > ? '
        'ORDER BY file, "offset" LIMIT ?',
        [offset, offset, _MOST_NAMED],
    ).fetchall()
    said = f"no record begins at byte {offset}" + (f" of {file}" if file else "")
    inside = [f"{at} ({name})" for name, at in around if file is None or str(name).endswith(file)]
    return said + (f"; it lies in the record at byte {', '.join(inside)}" if inside else "")


def changed(results: Results, file: str) -> str:
    """Say how a file is not what it was during the run; empty where it is. Raises UsageError."""
    known = results.file(file)
    # what is packed in a zip is named as a file below it
    path = next((one for one in (Path(file), *Path(file).parents) if one.is_file()), Path(file))
    try:
        now = path.stat()
    except OSError as error:
        raise UsageError(
            f"{file}: {error.strerror}; the run read it by this name, from the folder it ran in"
        ) from None
    if known.get("size") not in (None, now.st_size):
        return f"{file} has changed since the run: {known['size']:,} bytes, now {now.st_size:,}"
    if known.get("mtime_ns") not in (None, now.st_mtime_ns):
        return f"{file} was written to since the run"
    return ""


def raw_record(place: Place, has_changed: bool) -> bytes:
    """Return the record's bytes, its last line's end left out.

    Of a file that has changed the line that begins there is taken, unless the record still
    ends where it did. Raises UsageError where no record begins there, InputError E008 where
    the file cannot be read or ends inside the record.
    """
    more = MAX_LINE if has_changed else 0
    raw = b"".join(open_range(place.file, place.offset, place.offset + place.length + more))
    if raw[place.length : place.length + 1] in (b"", b"\n", b"\r") and len(raw) >= place.length:
        raw = raw[: place.length]
    elif has_changed:
        raw = raw.replace(b"\r", b"\n").partition(b"\n")[0]
    text = raw[:_HEAD].decode("utf-8", "replace").lstrip("\ufeff \t")
    if not FORMATS[FORMAT].start.match(text):
        raise UsageError(f"no record begins at byte {place.offset} of {place.file} any more")
    if len(raw) < place.length and not has_changed:
        raise InputError("E008", f"ends inside the record at byte {place.offset}", place.file)
    return raw
