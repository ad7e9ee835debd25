"""Where names stand in a record that is a string of a JSON list, such as the text of a `.skat`.

The record is unfolded, its own format marks the places, and these are found again among the
escapes of the string.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from skatspec.formats.registry import PEEK_LINES, detect
from skatspec.session.anonymise import iss, records_json, skat, xskat
from skatspec.session.anonymise.places import (
    JSON,
    Marker,
    Names,
    Nested,
    Part,
    Text,
    decoded,
)

_MARKERS: dict[str, Marker] = {
    "skat": skat.units, "iss": iss.units, "json": records_json.units, "xskat": xskat.units,
}  # fmt: skip
_RECORD = "record"


def places(data: bytes, start: int, end: int) -> Iterator[Names | Text]:
    """Yield the places of a record between two offsets; what is no record is a text."""
    raw, encoding = decoded(data[start:end])
    text, offsets = JSON.plain(raw)
    format = detect(islice(text.splitlines(), PEEK_LINES))
    if format is None:
        yield Text(start, end, JSON, _RECORD)
        return
    inside = text.encode("utf-8", "surrogatepass")
    outside = _Offsets(inside, raw, offsets, start, encoding)
    base = 0
    for unit in _MARKERS[format](inside.splitlines(keepends=True)):
        for one in unit.places:
            first = outside.of(base + one.start)
            yield _moved(one, data, first, outside.of(base + one.end))
        base += len(unit.data)


class _Offsets:
    """Offsets of the list's bytes for those of the record's bytes, asked for in order."""

    def __init__(
        self, inside: bytes, raw: str, offsets: list[int] | None, start: int, encoding: str
    ) -> None:
        self._inside, self._raw, self._encoding = inside, raw, encoding
        self._offsets = offsets
        self._at = self._char = self._raw_char = 0
        self._found = start

    def of(self, at: int) -> int:
        """Return the offset in the list of one in the record, no smaller than the last one."""
        self._char += len(self._inside[self._at : at].decode("utf-8", "surrogatepass"))
        self._at = at
        raw_char = self._char if self._offsets is None else self._offsets[self._char]
        self._found += len(self._raw[self._raw_char : raw_char].encode(self._encoding))
        self._raw_char = raw_char
        return self._found


def _moved(one: Names | Text, data: bytes, start: int, end: int) -> Names | Text:
    """Return a place of a record as one of the list."""
    if isinstance(one, Text):
        spelling = Nested.of(JSON, one.spelling)
        return Text(start, end, spelling, one.label, one.comment, one.noted)
    if len(one.parts) == 1:
        part = Part(data[start:end], one.parts[0].name)
        return Names(start, end, (part,), Nested.of(JSON, one.spelling))

    def build(spelt: list[bytes]) -> bytes:
        return JSON.write(one.build(spelt).decode("utf-8", "surrogateescape")).encode()

    if build([part.spelt for part in one.parts]) == data[start:end]:
        return Names(start, end, one.parts, one.spelling, build)
    return Text(start, end, JSON, _RECORD)
