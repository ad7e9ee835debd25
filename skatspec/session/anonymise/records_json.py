"""Where names stand in the JSON form of records: the tags F, M, R, D.

Texts are comments, other tags, the sources of rulings, and whatever has no place in a record.
Strings and brackets are followed as formats.record_json_frame does; nothing is parsed, so that
a broken record is gone through like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from skatspec.session.anonymise.places import JSON, SERVERS, Names, Text, Unit, name_of, one_name
from skatspec.session.anonymise.skat import COMMENT_TAG, FIXED_TAGS, ID_TAG, NAME_TAGS

_LIMIT = 1 << 20
_STRING = rb'"((?:[^"\\\r\n]|\\[^\r\n])*)(?:"|(?=[\r\n]|\Z))'
_TOKEN = re.compile(_STRING + rb"|[\[\]{}:,]")
_SPANNING = re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)(?:"|\Z)|[\[\]{}:,]', re.DOTALL)
_BRACKET = re.compile(_STRING + rb"|[\[\]{}]")
_RESTART = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"skatspec"\s*:')
# Keys whose strings are words of the format.
_FIXED_KEYS = frozenset(
    ("step", "seat", "cards", "call", "contract", "modifiers", "kind", "declarer", "left", "levels",
     "timed_out", "last_trick", "where", "forehand", "middlehand", "rearhand", "skat", "pack",
     "card", "shown", "declared")
)  # fmt: skip


def units(lines: Iterable[bytes]) -> Iterator[Unit]:
    """Cut lines where no record is open."""
    held: list[bytes] = []
    size = depth = 0
    for line in lines:
        if depth and _RESTART.match(line):
            yield _unit(b"".join(held))
            held, size, depth = [], 0, 0
        held.append(line)
        size += len(line)
        depth = depth_behind(line, depth)
        if not depth or size > _LIMIT:
            yield _unit(b"".join(held))
            held, size, depth = [], 0, 0
    if held:
        yield _unit(b"".join(held))


def depth_behind(line: bytes, depth: int) -> int:
    """Return how many brackets of a record are open behind a line; an array around it is none."""
    for found in _BRACKET.finditer(line):
        mark = found[0]
        if mark == b"{" or (mark == b"[" and depth):
            depth += 1
        elif mark in (b"}", b"]"):
            depth = max(depth - 1, 0)
    return depth


@dataclass(slots=True)
class _Open:
    """An open bracket: the key at hand of an object, or the strings so far of an array.

    `path` is the keys that lead to it.
    """

    array: bool
    path: tuple[str, ...]
    key: str | None = None
    first: str | None = None
    count: int = 0

    @property
    def inner(self) -> tuple[str, ...]:
        """Return the path of what stands in it."""
        return self.path if self.array or self.key is None else (*self.path, self.key)


class String(NamedTuple):
    """A string: its bytes' offsets, its text, the keys that lead to it, whether it is a key.

    `document` counts the objects that stand in nothing. Of an array `first` is its first string
    and `at` the number of this one, -1 where it stands in no array.
    """

    start: int
    end: int
    text: str
    path: tuple[str, ...]
    is_key: bool
    document: int
    at: int = -1
    first: str = ""


def strings(data: bytes, spanning: bool = False) -> Iterator[String]:
    """Yield the strings of documents; `spanning` says that they may hold raw line ends."""
    stack: list[_Open] = []
    documents = 0
    for found in (_SPANNING if spanning else _TOKEN).finditer(data):
        mark = found[0][:1]
        top = stack[-1] if stack else None
        if mark in b"{[":
            if top is not None or mark == b"{":
                documents += top is None
                stack.append(_Open(mark == b"[", () if top is None else top.inner))
        elif mark in b"}]":
            if stack:
                stack.pop()
        elif top is None:
            continue
        elif mark == b",":
            top.count += 1
            top.key = None
        elif mark == b'"':
            text = JSON.plain(name_of(found[1]))[0]
            if not top.array and top.key is None:
                top.key = text
                yield String(*found.span(1), text, top.path, True, documents)
                continue
            at = top.count if top.array else -1
            yield String(*found.span(1), text, top.inner, False, documents, at, top.first or "")
            if top.count == 0:
                top.first = text


def _unit(data: bytes) -> Unit:
    places = (place_of(data, one) for one in strings(data) if not one.is_key)
    return Unit(data, tuple([one for one in places if one is not None]))


def place_of(data: bytes, one: String) -> Names | Text | None:
    """Return the place that a string of a record is, None where it is a word of the format."""
    path = one.path
    if path == ("tags",) and one.at >= 0:
        return _tag(data, one) if one.at else None
    key = path[-1] if path else ""
    if path == ("comments", "text"):
        return Text(one.start, one.end, JSON, "comments", comment=True)
    if key in _FIXED_KEYS or one.start == one.end:
        return None
    return Text(one.start, one.end, JSON, key or "texts")


def _tag(data: bytes, one: String) -> Names | Text | None:
    tag, start, end = one.first, one.start, one.end
    if tag in NAME_TAGS:
        return one_name(data, start, end, JSON)
    if tag in FIXED_TAGS or start == end:
        return None
    noted = tag != ID_TAG and data[start:end] not in SERVERS
    return Text(start, end, JSON, tag, tag == COMMENT_TAG, noted)
