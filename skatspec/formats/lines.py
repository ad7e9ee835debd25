"""Bytes to numbered lines: encodings, line ends, limits. No format is known here.

Files are unpacked in formats/packed. Accepts every line end (LF, CRLF, CR, U+2028, U+2029), UTF-8 with or without a byte
order mark, UTF-16 with one, and CP1252 where a line is not UTF-8. What it had to
put right is reported; what it cannot read as text it refuses with `InputError`.
Memory is bounded by `MAX_LINE`, whatever the file's size.
"""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from skatspec.diagnostics import Diagnostic, Span, finding
from skatspec.errors import InputError
from skatspec.formats.packed import unpacked

CHUNK = 1 << 16
MAX_LINE = 1 << 20
_LIMIT = "1 MiB"
# So many findings of one kind are kept of a file; what is no text has one a line.
MOST_ALIKE = 1000
_SEPARATORS = ("\u2028", "\u2029")


class Lines:
    """An iterator of `(line number from 1, text without its end)` over one source.

    `findings` collects what concerns the file as a whole, in order. `push_back`
    returns a line, so that a reader can stop at the first line of the next record.
    """

    def __init__(self, chunks: Iterable[bytes], source: str = "") -> None:
        self.source = source
        self.findings: list[Diagnostic] = []
        self._lines = self._numbered(self._joined(chunks))
        self._pushed: list[tuple[int, str]] = []
        self._fallback_reported = False
        self._alike: Counter[str] = Counter()

    def __iter__(self) -> Iterator[tuple[int, str]]:
        # a generator, since every line of every file passes here
        pushed, lines = self._pushed, self._lines
        while True:
            while pushed:
                yield pushed.pop()
            for one in lines:
                yield one
                if pushed:
                    break
            else:
                return

    def rest(self) -> Iterator[tuple[int, str]]:
        """Yield all lines from here on, to a reader that puts none back."""
        while self._pushed:
            yield self._pushed.pop()
        yield from self._lines

    def __next__(self) -> tuple[int, str]:
        if self._pushed:
            return self._pushed.pop()
        return next(self._lines)

    def push_back(self, number: int, text: str) -> None:
        """Put a line back; the next iteration returns it again."""
        self._pushed.append((number, text))

    def report(self, diagnostic: Diagnostic) -> None:
        """Note a finding about the file rather than about one record."""
        self.findings.append(diagnostic)

    def _note(self, diagnostic: Diagnostic) -> None:
        """Report what had to be put right in a line, of each kind so many only."""
        self._alike[diagnostic.code] += 1
        if self._alike[diagnostic.code] <= MOST_ALIKE:
            self.report(diagnostic)

    def _joined(self, chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, bool]]:
        """Yield (byte offset, whole lines joined by LF, complete); one over the limit comes cut."""
        rest, offset, skipping, held_cr = b"", 0, False, False
        for chunk in chunks:
            if not chunk:
                continue
            if held_cr:
                chunk, held_cr = b"\r" + chunk, False
            if chunk.endswith(b"\r"):
                chunk, held_cr = chunk[:-1], True
            # A CR is a line end of its own, CR LF one line end: both become one LF,
            # the offset of a line in a CR LF file counting one byte an end.
            data = rest + chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            whole, end, rest = data.rpartition(b"\n")
            if end and skipping:
                cut, end, whole = whole.partition(b"\n")
                offset += len(cut) + 1
                skipping = False
            if end:
                yield offset, whole, True
                offset += len(whole) + 1
            if len(rest) > MAX_LINE:
                if not skipping:
                    yield offset, rest[:MAX_LINE], False
                offset += len(rest)
                rest, skipping = b"", True
        if (held_cr or rest) and not skipping:
            yield offset, rest, True

    def _numbered(self, parts: Iterable[tuple[int, bytes, bool]]) -> Iterator[tuple[int, str]]:
        number = 0
        for offset, part, complete in parts:
            if complete and len(part) <= MAX_LINE and part.isascii():
                for text in part.decode("ascii").split("\n"):
                    number += 1
                    yield number, text
                continue
            for raw in part.split(b"\n"):
                number += 1
                if not complete or len(raw) > MAX_LINE:
                    place = Span(number, 1, 2)
                    self._note(finding("E005", span=place, what="a line", limit=_LIMIT))
                else:
                    for text in self._texts(raw, offset, number):
                        yield number, text
                        number += 1
                    number -= 1
                offset += len(raw) + 1
        more = self._alike["E003"] - MOST_ALIKE
        if more > 0:
            self.report(finding("E003", offset=f"… +{more}", read=f"+{more}"))

    def _texts(self, raw: bytes, offset: int, number: int) -> list[str]:
        """Return the text of a line, in several lines where it holds Unicode's own line ends."""
        text = self._decode(raw, offset, number)
        if "\ufeff" in text:
            place = Span(number, text.index("\ufeff") + 1, text.index("\ufeff") + 2)
            self._note(finding("E001", span=place))
            text = text.replace("\ufeff", "")
        if _SEPARATORS[0] in text or _SEPARATORS[1] in text:
            return text.replace(_SEPARATORS[1], _SEPARATORS[0]).split(_SEPARATORS[0])
        return [text]

    def _decode(self, raw: bytes, offset: int, number: int) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            bad = error.start
        place = Span(number, len(raw[:bad].decode("utf-8")) + 1, len(raw[:bad]) + 2)
        if _has_utf8_letter(raw):
            self._note(finding("E003", span=place, offset=offset + bad, read=hex(raw[bad])))
            return raw.decode("utf-8", "replace")
        if not self._fallback_reported:
            self._fallback_reported = True
            encoding = "CP1252"
            self.report(finding("E002", span=place, encoding=encoding, offset=offset + bad))
        try:
            return raw.decode("cp1252")
        except UnicodeDecodeError:
            return raw.decode("latin-1")


def _has_utf8_letter(raw: bytes) -> bool:
    """Say whether a line that is not all UTF-8 holds UTF-8 letters all the same."""
    readable = raw.decode("utf-8", "ignore")
    return any(ord(char) > 127 for char in readable)


def from_text(text: str, source: str = "") -> Lines:
    """Return the lines of a text already in memory."""
    data = text.encode("utf-8", "surrogatepass")
    return Lines((data[at : at + CHUNK] for at in range(0, len(data), CHUNK)), source)


def open_lines(path: str | Path) -> Lines:
    """Open a file (plain, gzip, bzip2 or xz; `-` is standard input) as lines.

    Raises InputError E008 (cannot be opened), E004 (binary data).
    """
    source = str(path)
    chunks = unpacked(source, CHUNK)
    first = next(chunks, b"")
    if first.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Lines(_from_utf16(_chain(first, chunks)), source)
    if b"\x00" in first:
        raise InputError("E004", "binary data, not text", source)
    return Lines(_chain(first, chunks), source)


def _chain(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _from_utf16(chunks: Iterable[bytes]) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    for chunk in chunks:
        yield decoder.decode(chunk).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")
