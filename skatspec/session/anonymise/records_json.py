"""Where names stand in the JSON form of records: the tags F, M, R, D.

Texts are comments, other tags, the sources of rulings, and whatever has no place in a record.
Strings and brackets are followed as formats.record_json_frame does; nothing is parsed, so that
a broken record is gone through like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from skatspec.session.anonymise.places import JSON, SERVERS, Names, Text, Unit, name_of, one_name
from skatspec.session.anonymise.skat import COMMENT_TAG, FIXED_TAGS, ID_TAG, NAME_TAGS

_LIMIT = 1 << 20
_STRING = rb'"((?:[^"\\\r\n]|\\[^\r\n])*)(?:"|(?=[\r\n]|\Z))'
_TOKEN = re.compile(_STRING + rb"|[\[\]{}:,]")
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
        depth = _depth_behind(line, depth)
        if not depth or size > _LIMIT:
            yield _unit(b"".join(held))
            held, size, depth = [], 0, 0
    if held:
        yield _unit(b"".join(held))


def _depth_behind(line: bytes, depth: int) -> int:
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


def _unit(data: bytes) -> Unit:
    return Unit(data, tuple(_places(data)))


def _places(data: bytes) -> Iterator[Names | Text]:
    stack: list[_Open] = []
    for found in _TOKEN.finditer(data):
        mark = found[0][:1]
        top = stack[-1] if stack else None
        if mark in b"{[":
            if top is not None or mark == b"{":
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
                continue
            place = _place(data, found, top)
            if place is not None:
                yield place
            if top.count == 0:
                top.first = text


def _place(data: bytes, found: re.Match[bytes], top: _Open) -> Names | Text | None:
    """Return the place that a string of a record is, None where it is a word of the format."""
    span = found.span(1)
    path = top.inner
    if path == ("tags",) and top.array:
        if top.count == 0:
            return None
        return _tag(data, found, top.first or "")
    key = path[-1] if path else ""
    if path == ("comments", "text"):
        return Text(*span, JSON, "comments", comment=True)
    if key in _FIXED_KEYS or not found[1]:
        return None
    return Text(*span, JSON, key or "texts")


def _tag(data: bytes, found: re.Match[bytes], tag: str) -> Names | Text | None:
    span = found.span(1)
    if tag in NAME_TAGS:
        return one_name(data, *span, JSON)
    if tag in FIXED_TAGS or not found[1]:
        return None
    noted = tag != ID_TAG and found[1] not in SERVERS
    return Text(*span, JSON, tag, tag == COMMENT_TAG, noted)
