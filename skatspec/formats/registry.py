"""The record formats by name: how each is recognised, opened, read and written.

A format's module is imported when it is first used. What a record means is not known
here, and no rule is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from pathlib import PurePath
from typing import Protocol, cast

from skatspec.diagnostics import Diagnostic, finding
from skatspec.errors import InputError, UsageError
from skatspec.formats.lines import Lines, open_lines
from skatspec.formats.suffixes import SUFFIXES, WRITTEN, format_of
from skatspec.record import BrokenRecord, Record

# How far detection looks: junk before the first record must not hide it, and a file
# of something else must not be read to its end.
PEEK_LINES = 200
PEEK_CHARACTERS = 1 << 21
# Below the names of a log, which are the players' own and may look like any record.
_BELOW_NAMES, _NAME_LINES = "-" * 40, 2
# Not a format: a list says who won what, and its games stand in the log beside it.
XSKAT_LIST = ".lst"
_EXCERPT = 40


class FormatModule(Protocol):
    """What every format's module offers."""

    def read(self, lines: Lines) -> Iterator[Record | BrokenRecord]:
        """Yield the records of a source, one at a time."""

    def parse(self, text: str) -> Record | BrokenRecord:
        """Return the first record of a text."""

    def write(self, record: Record) -> tuple[str, list[Diagnostic]]:
        """Return a record's text, and an X finding for everything that has no place in it."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its module, the suffixes of its files, and how a record's first line looks.

    `written` are the suffixes of what is written, where that is another kind of file.
    """

    name: str
    module: str
    suffixes: tuple[str, ...]
    start: re.Pattern[str]
    shown_start: str
    written: tuple[str, ...] = ()

    @property
    def out_suffixes(self) -> tuple[str, ...]:
        """Return the suffixes of files that are written."""
        return self.written or self.suffixes

    def load(self) -> FormatModule:
        """Import the format's module."""
        return cast(FormatModule, import_module(self.module))


# A JSON document's bracket alone would also fit a tag line, `[Event "..."]`.
_JSON_START = re.compile(r'\{\s*(?:"|\}|$)|\[\s*(?:[{\[]|\]|$)')
# A log begins with the players' names, which may be anything: the first line that no
# other file has stands further down.
_XSKAT_START = re.compile(r"-{4,5} random_seed |(?:Skat is|Im Skat ist): \w+ \w+,\w+ \w+")


def _format(name: str, module: str, start: re.Pattern[str], shown: str) -> Format:
    return Format(name, module, SUFFIXES[name], start, shown, WRITTEN.get(name, ()))


FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        _format("skat", "skatspec.formats.skat", re.compile(r"%skat\b"), "%skat 1"),
        _format("iss", "skatspec.formats.iss", re.compile(r"\(;"), "(;"),
        _format("json", "skatspec.formats.record_json", _JSON_START, "{ or [{"),
        _format("xskat", "skatspec.formats.xskat", _XSKAT_START, "-" * 40),
    )
}


def named(name: str) -> Format:
    """Return a format by name; UsageError where there is none."""
    found = FORMATS.get(name)
    if found is None:
        raise UsageError(f"there is no format {name!r}; there are: {', '.join(FORMATS)}")
    return found


def by_suffix(path: str | PurePath, out: bool = False) -> str | None:
    """Return the format that a file's name says, a suffix of compression aside.

    `out` says that the file is to be written.
    """
    return format_of(path, out)


def detect(first_lines: Iterable[str], path: str | PurePath = "") -> str | None:
    """Return the name of the format, or None.

    The first line that looks like the beginning of a record decides, whatever stands
    before it; only where there is none does the file's name.
    """
    lines = list(first_lines)
    for at in range(len(lines)):
        begun = _begun(lines[at : at + 1 + _NAME_LINES])
        if begun is not None:
            return begun
    return by_suffix(path)


def _begun(lines: Sequence[str]) -> str | None:
    """Return the format of which the first of some lines begins a record, or None."""
    text = lines[0].lstrip("\ufeff \t")
    if not text or text.startswith("#"):
        return None
    found = next((one.name for one in FORMATS.values() if one.start.match(text)), None)
    if found is None or _BELOW_NAMES in [line.rstrip() for line in lines[1:]]:
        return None
    return found


class Reading:
    """An open source: an iterator of its records, and what was found about the file.

    `format` is None where the source holds nothing to tell it by, which is then empty.
    `count` is the number of records read so far.
    """

    def __init__(self, lines: Lines, format_name: str | None) -> None:
        self.lines = lines
        self.source = lines.source
        self.format = format_name
        self.count = 0
        self._records = self._read()

    @property
    def findings(self) -> list[Diagnostic]:
        """What concerns the file as a whole, as far as it is read and not yet taken away."""
        return self.lines.findings

    def take_findings(self) -> list[Diagnostic]:
        """Return the findings about the file since the last call, and forget them."""
        return self.lines.take_findings()

    def __iter__(self) -> Iterator[Record | BrokenRecord]:
        return self

    def __next__(self) -> Record | BrokenRecord:
        return next(self._records)

    def _read(self) -> Iterator[Record | BrokenRecord]:
        if self.format is not None:
            for item in FORMATS[self.format].load().read(self.lines):
                self.count += 1
                yield item
        if not self.count:
            # No record came, so nobody has taken the findings away yet.
            nothing_found(self.format, self.lines)


def nothing_found(format_name: str | None, lines: Lines) -> None:
    """Report that a source which was read to its end holds no record."""
    lines.report(no_start(format_name, lines.findings) or finding("E006"))


def no_start(format_name: str | None, findings: Iterable[Diagnostic]) -> Diagnostic | None:
    """Return N011 for a source of text without any record, None where there was no text.

    Most likely the line that begins a record is misspelled, and every game in the file
    would otherwise be passed over without an error.
    """
    first = next((one for one in findings if one.code == "N003"), None)
    if first is None or format_name is None:
        return None
    start = FORMATS[format_name].shown_start
    what = f"line `{start}` to begin it" if start.startswith("%") else f"`{start}` to begin it"
    return finding("N011", span=first.span, what=what, read=first.read, expected=start)


def open_records(path: str | PurePath, format: str | None = None) -> Reading:
    """Open a file (`-`: standard input) as records, its format detected unless named.

    Raises InputError E004 (binary), E007 (format not known) or E008 (cannot be opened);
    E008 also while reading, where compressed data is damaged.
    """
    if format is not None:
        named(format)
    return reading(open_lines(str(path)), format)


def reading(lines: Lines, format: str | None = None) -> Reading:
    """Return the records of lines already open; raises InputError E007."""
    if format is None:
        peeked = _peek(lines)
        lines.require_some()
        format = detect(peeked, lines.source)
        if format is None and any(_says_something(text) for text in peeked):
            raise _unknown(peeked, lines.source)
    return Reading(lines, format)


def parse_text(text: str, format: str | None = None) -> Record | BrokenRecord:
    """Return the first record of a text.

    Raises InputError E006 (nothing there) or E007 (format not known).
    """
    if format is None:
        first = [line for _, line in zip(range(PEEK_LINES), StringIO(text), strict=False)]
        format = detect(first)
        if format is None:
            if not any(_says_something(line) for line in first):
                raise InputError("E006", "no records")
            raise _unknown(first, "")
    return named(format).load().parse(text)


def write_record(record: Record, format: str) -> tuple[str, list[Diagnostic]]:
    """Return a record's text in a format, and what was lost on the way (X findings)."""
    return named(format).load().write(record)


def _peek(lines: Lines) -> list[str]:
    """Return the first lines, as far as they are needed to tell the format."""
    peeked: list[str] = []
    characters = 0
    for text in lines.peek():
        peeked.append(text)
        characters += len(text)
        if len(peeked) >= PEEK_LINES or characters >= PEEK_CHARACTERS:
            break
        if len(peeked) > _NAME_LINES and _begun(peeked[-1 - _NAME_LINES :]):
            break
    return peeked


def _says_something(line: str) -> bool:
    text = line.strip("\ufeff \t\r\n")
    return bool(text) and not text.startswith("#")


def _unknown(lines: list[str], source: str) -> InputError:
    shown = next(line for line in lines if _says_something(line)).strip()
    if len(shown) > _EXCERPT:
        shown = shown[: _EXCERPT - 1] + "…"
    known = "; ".join(
        f"{one.name} ({', '.join(one.suffixes)}; a record begins with {one.shown_start})"
        for one in FORMATS.values()
    )
    why = f"{shown!r} begins no record of {known}"
    if any(suffix.lower() == XSKAT_LIST for suffix in PurePath(source).suffixes):
        why += "; a list of XSkat is read together with its log: name the log"
    return InputError("E007", why, source)
