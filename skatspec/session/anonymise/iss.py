"""Where names stand in ISS records: P0, P1, P2; texts are CO, other properties, `#` lines.

Records are found as formats.iss_frame finds them, but as bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from skatspec.formats.iss_words import (
    BY_TAG,
    GAME_PROPERTY,
    MOVES_PROPERTY,
    RESULT_PROPERTY,
)
from skatspec.record import SEAT_LETTERS
from skatspec.session.anonymise.places import ISS, MARK, SERVERS, Names, Text, Unit, one_name

_LIMIT = 1 << 20
_NAMES = {BY_TAG[letter].name.encode() for letter in SEAT_LETTERS}
_COMMENT = BY_TAG["Comment"].name.encode()
# Properties that hold no text of anybody's.
_FIGURES = {GAME_PROPERTY.encode(), MOVES_PROPERTY.encode(), RESULT_PROPERTY.encode()} | {
    BY_TAG[tag].name.encode() for tag in ("Id", "Date", "View", "RatingF", "RatingM", "RatingR")
}
_OPENER = rb"\(;(?=[ \t]*(?:[A-Z][A-Z0-9]*\[|[\r\n]|\Z))"
_START = re.compile(_OPENER)
_INSIDE = re.compile(rb"\[|;\)|" + _OPENER)
_TOKEN = re.compile(
    rb"(?:(?<=[\r\n])|\A)(?:\xef\xbb\xbf)?(#[^\r\n]*)|([A-Z][A-Z0-9]*)?\[([^\]]*)(?:\]|\Z)"
)


def units(lines: Iterable[bytes]) -> Iterator[Unit]:
    """Cut lines where no record is open; what stands between records comes with the next one."""
    held: list[bytes] = []
    size = 0
    frame = _Frame()
    for line in lines:
        bare = line.removeprefix(MARK)
        if frame.open and held and bare.startswith(b"(;"):
            yield _unit(b"".join(held))
            held, size = [], 0
            frame = _Frame()
        held.append(line)
        size += len(line)
        ended = frame.feed(bare)
        if (ended and not frame.open) or size > _LIMIT:
            yield _unit(b"".join(held))
            held, size = [], 0
    if held:
        yield _unit(b"".join(held))


class _Frame:
    """Follows brackets: whether a record is open behind the lines so far."""

    def __init__(self) -> None:
        self.open = False
        self._value = False

    def feed(self, line: bytes) -> bool:
        """Take a line; say whether a record ended on it."""
        if not self.open and line.startswith(b"(;") and _is_whole(line):
            return True
        if line.startswith(b"#") and not self._value:
            return False
        at, ended = 0, False
        while True:
            if self._value:
                at = line.find(b"]", at) + 1
                if not at:
                    return ended
                self._value = False
            if not self.open:
                at = _behind_opener(line, at)
                if not at:
                    return ended
                self.open = True
            inside = _INSIDE.search(line, at)
            if inside is None:
                return ended
            at = inside.end()
            if inside[0] == b";)":
                self.open, ended = False, True
            else:
                self._value = inside[0] == b"["


def _behind_opener(line: bytes, at: int) -> int:
    """Return where the next record of a line has begun, 0 where none does."""
    if not at and line.startswith(b"(;"):
        return len(b"(;")
    found = _START.search(line, at)
    return found.end() if found else 0


def _is_whole(line: bytes) -> bool:
    """Say whether a line that begins a record ends one, with no value open."""
    return line.rstrip().endswith(b";)") and line.rfind(b"]") > line.rfind(b"[")


def _unit(data: bytes) -> Unit:
    places: list[Names | Text] = []
    outside = 0
    for found in _TOKEN.finditer(data):
        places += _junk(data, outside, found.start())
        outside = found.end()
        if found[1] is not None:
            places.append(Text(*found.span(1), ISS, "lines between records", comment=True))
        elif found[2] in _NAMES:
            places.append(_name(data, found))
        elif found[2] not in _FIGURES and found[3].strip():
            places.append(_text(found))
    places += _junk(data, outside, len(data))
    return Unit(data, tuple(places))


def _name(data: bytes, found: re.Match[bytes]) -> Names:
    """Return a name; of a value without an end its first line, since `(;` may begin the next."""
    start, end = found.span(3)
    if not found[0].endswith(b"]"):
        end = start + len((found[3].splitlines() or [b""])[0])
    return one_name(data, start, end, ISS)


def _text(found: re.Match[bytes]) -> Text:
    label = (found[2] or b"?").decode("ascii")
    if found[2] == _COMMENT:
        return Text(*found.span(3), ISS, label, comment=True)
    return Text(*found.span(3), ISS, label, noted=found[3] not in SERVERS)


def _junk(data: bytes, start: int, end: int) -> Iterator[Text]:
    """Yield what stands outside values, where it has letters at all."""
    if end - start > len(b";) (;") and re.search(rb"\w{2}", data[start:end]):
        yield Text(start, end, ISS, "text between records")
