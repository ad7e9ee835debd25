"""Where names stand in `.skat`: the tags F, M, R, D; texts are comments, other tags, rulings.

A line that fits no line of the notation is a text as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from skatspec.formats.skat.chunks import MAX_RECORD, opens
from skatspec.formats.skat.syntax import OTHER, syntax
from skatspec.formats.skat.words import ALPHABET_TAG, TAG_VALUES
from skatspec.record import ROUNDS_TAG, SEAT_LETTERS
from skatspec.session.anonymise.places import (
    MARK,
    PLAIN,
    SERVERS,
    SKAT,
    Names,
    Spelling,
    Text,
    Unit,
    body,
    decoded,
    one_name,
)

NAME_TAGS = frozenset((*SEAT_LETTERS, "D"))
COMMENT_TAG, ID_TAG = "Comment", "Id"
# Tags that a reader or a rule looks into; a name is none of their business.
FIXED_TAGS = frozenset(
    (*TAG_VALUES, ALPHABET_TAG, ROUNDS_TAG, "Rules", "Places", "Date", "Copy", "Seed")
) | {f"Rating{letter}" for letter in SEAT_LETTERS}
_QUOTED = rb'"((?:[^"\\\r\n]|\\[^\r\n])*)"'
_TOKEN = re.compile(
    rb"\[[ \t]*([A-Za-z][A-Za-z0-9_.-]*)[ \t]+" + _QUOTED + rb"[ \t]*\]"
    rb"|\[[ \t]*([FMRD])[ \t]+\"?([^\"\]\r\n]*)"
    rb"|" + _QUOTED + rb"|([ \t]*)(#[^\r\n]*)"
)


def units(lines: Iterable[bytes]) -> Iterator[Unit]:
    """Cut lines before each `%skat`; what stands before the first one comes with it."""
    held: list[bytes] = []
    size, record = 0, False
    for line in lines:
        begins = opens(line.removeprefix(MARK).decode("latin-1"))
        if (begins and record) or size > MAX_RECORD:
            yield _unit(held)
            held, size, record = [], 0, False
        record = record or begins
        held.append(line)
        size += len(line)
    if held:
        yield _unit(held)


def _unit(lines: list[bytes]) -> Unit:
    texts = [decoded(body(line))[0].replace("\ufeff", "") for line in lines]
    kinds = [kind for kind, _, _ in syntax().rows("".join([text + "\n" for text in texts]))]
    places: list[Names | Text] = []
    at = 0
    for line, kind in zip(lines, kinds, strict=True):
        one = _Line(line, at)
        tags = b"[" in line and line.removeprefix(MARK).lstrip(b" \t").startswith(b"[")
        found = list(one.places(tags)) if kind != OTHER or tags else []
        places += found or (one.unread() if kind == OTHER else ())
        at += len(line)
    return Unit(b"".join(lines), tuple(places))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line and its offset in the unit."""

    line: bytes
    at: int

    def places(self, tags: bool) -> Iterator[Names | Text]:
        """Yield the places of a line of the notation."""
        for found in _TOKEN.finditer(body(self.line)):
            if found[7] is not None:
                yield self._comment(found)
                return
            if found[3] is not None and tags:
                yield self._name(*found.span(4))
            elif found[1] is not None and tags:
                place = self._tag(found[1].decode("ascii"), found)
                if place is not None:
                    yield place
            elif found[5] is not None and b"ruling" in self.line[: found.start()].lower():
                yield self._text(*found.span(5), SKAT, "ruling")

    def unread(self) -> Iterator[Text]:
        """Yield a line that is none of the notation as a text."""
        end = len(body(self.line))
        if self.line[:end].strip():
            yield self._text(0, end, PLAIN, "lines that are not read")

    def _tag(self, tag: str, found: re.Match[bytes]) -> Names | Text | None:
        if tag in NAME_TAGS:
            return self._name(*found.span(2))
        if tag in FIXED_TAGS or not found[2]:
            return None
        comment = tag == COMMENT_TAG
        noted = tag != ID_TAG and found[2] not in SERVERS
        return Text(
            self.at + found.start(2), self.at + found.end(2), SKAT, tag, comment, noted=noted
        )

    def _comment(self, found: re.Match[bytes]) -> Text:
        """Return a comment with what goes if it is dropped: the blanks before it, or its line."""
        start, end = found.span()
        start = start if self.line[:start].removeprefix(MARK) else 0
        if self.line.startswith(MARK) and not start:
            start = len(MARK)
        elif not start:
            end = len(self.line)
        spelling = SKAT if found[7].startswith(b'#"') else PLAIN
        return Text(self.at + start, self.at + end, spelling, "comments", comment=True)

    def _name(self, start: int, end: int) -> Names:
        place = one_name(self.line, start, end, SKAT)
        return Names(self.at + start, self.at + end, place.parts, SKAT)

    def _text(self, start: int, end: int, spelling: Spelling, label: str) -> Text:
        return Text(self.at + start, self.at + end, spelling, label)
