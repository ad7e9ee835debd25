"""Where names stand in a piece of a file, and how a name is spelt there; no name is judged here.

A format's reader (`iss` and its like) cuts a file into units and marks their places;
everything between the places is passed on byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from skatspec.formats.score_sheet.cells import guarded
from skatspec.formats.skat.words import quote, unescape

# What would end a value of ISS, or its line.
_ENDS_A_VALUE = re.compile("[\\]\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SKAT_ESCAPE = re.compile(r'\\(?:["\\nrt]|u\{[0-9A-Fa-f]{1,6}\})')
_JSON_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|[\"\\/bfnrt])"
)

_TWO_QUOTES = re.compile('""')


@dataclass(frozen=True, slots=True)
class Spelling:
    """How names are spelt in a kind of place.

    `write` is the spelling that a name has unless something else is remembered of a file.
    `escape` finds what stands for one character, and `read` is that character; a text without
    `mark` has none.
    """

    kind: str
    write: Callable[[str], str]
    escape: re.Pattern[str] | None = None
    read: Callable[[str], str] = str
    mark: str = "\\"

    def plain(self, text: str) -> tuple[str, list[int] | None]:
        """Return a text without escapes, and the offset in `text` of each of its characters.

        The offsets have one more at their end; None says that nothing was escaped.
        """
        if self.escape is None or self.mark not in text:
            return text, None
        parts: list[str] = []
        offsets: list[int] = []
        at = 0
        for found in self.escape.finditer(text):
            parts += [text[at : found.start()], char := self.read(found[0])]
            offsets += range(at, found.start())
            offsets += [found.start()] * len(char)
            at = found.end()
        parts.append(text[at:])
        offsets += range(at, len(text) + 1)
        return "".join(parts), offsets


@dataclass(frozen=True, slots=True)
class Nested(Spelling):
    """A spelling inside a text that is spelt in an `outer` way itself."""

    outer: Spelling = field(default_factory=lambda: PLAIN)

    @classmethod
    def of(cls, outer: Spelling, inner: Spelling) -> Nested:
        """Return an inner spelling as it is in an outer one."""

        def write(name: str) -> str:
            return outer.write(inner.write(name))

        kind = f"{outer.kind} {inner.kind}"
        return cls(kind, write, inner.escape, inner.read, inner.mark, outer)

    def plain(self, text: str) -> tuple[str, list[int] | None]:
        """Return a text without the escapes of both, and offsets as Spelling does."""
        once, outer = self.outer.plain(text)
        twice, inner = Spelling.plain(self, once)
        if outer is None or inner is None:
            return twice, outer if inner is None else inner
        return twice, [outer[at] for at in inner]


def _from_skat(escape: str) -> str:
    text = unescape(escape)
    return escape[:1] if text is None else text


def _from_json(escape: str) -> str:
    text: str = json.loads(f'"{escape}"')
    return text


def _as_json(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)[1:-1]


PLAIN: Spelling = Spelling("plain", str)
ISS = Spelling("iss", lambda name: _ENDS_A_VALUE.sub(" ", name.replace("]", ")")))
SKAT = Spelling("skat", lambda name: quote(name)[1:-1], _SKAT_ESCAPE, _from_skat)
JSON = Spelling("json", _as_json, _JSON_ESCAPE, _from_json)
# Cells of CSV, a name as spreadsheets leave it alone; in quotes a quote is doubled.
CELL = Spelling("cell", guarded)
QUOTED = Spelling("quoted", lambda name: name.replace('"', '""'), _TWO_QUOTES, lambda _: '"', '"')
QUOTED_CELL = replace(QUOTED, kind="quoted cell", write=lambda name: QUOTED.write(guarded(name)))

# What servers and their programs write as the place; nobody is called so.
SERVERS = frozenset((b"Internet Skat Server", b"International Skat Server", b"ISS2", b"IssGen"))
MARK = "\ufeff".encode()
_LINE_END = re.compile(rb"(?:\r\n|\r|\n|\xe2\x80[\xa8\xa9])\Z")


@dataclass(frozen=True, slots=True)
class Part:
    """A name as it is spelt in a file, and as it is read."""

    spelt: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Names:
    """A place that holds names and nothing else; `build` puts other spellings into it."""

    start: int
    end: int
    parts: tuple[Part, ...]
    spelling: Spelling
    build: Callable[[list[bytes]], bytes] = b"".join


@dataclass(frozen=True, slots=True)
class Text:
    """A place with free text, in which names may occur; `label` is what holds it, such as a tag.

    `comment` says that the text may be dropped; `noted` that someone should look at it.
    """

    start: int
    end: int
    spelling: Spelling
    label: str
    comment: bool = False
    noted: bool = True


@dataclass(frozen=True, slots=True)
class Unit:
    """Whole lines of a file, one record as a rule, and the places in them in order.

    `names` are sought in its texts besides those that stand in it. `of_list` says that it is
    the list of an evening.
    """

    data: bytes
    places: tuple[Names | Text, ...] = ()
    names: tuple[str, ...] = ()
    of_list: bool = False


# Lines as bytes with their ends, to units; joined, the units are the lines again.
Marker = Callable[[Iterable[bytes]], Iterator[Unit]]


def body(line: bytes) -> bytes:
    """Return a line without its end."""
    end = _LINE_END.search(line, max(len(line) - len(MARK), 0))
    return line if end is None else line[: end.start()]


def decoded(data: bytes) -> tuple[str, str]:
    """Return bytes as text, and the encoding that gives the very bytes back."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def name_of(data: bytes) -> str:
    """Return bytes as the name that a reader takes them for (as formats.lines decodes a line)."""
    text, encoding = decoded(data)
    if encoding != "utf-8" and not data.decode("utf-8", "ignore").isascii():
        return data.decode("utf-8", "replace")
    return text


def one_name(data: bytes, start: int, end: int, spelling: Spelling) -> Names:
    """Return the place of a single name."""
    spelt = data[start:end]
    return Names(start, end, (Part(spelt, spelling.plain(name_of(spelt))[0]),), spelling)
