"""Bytes to numbered lines: encodings, line ends, limits. No format is known here.

Files are unpacked in formats/packed. Accepts every line end (LF, CRLF, CR, U+2028,
U+2029), UTF-8 with or without a byte order mark, UTF-16 with one, and CP1252 where a line
is not UTF-8. What it had to put right is reported; what it cannot read as text it
refuses with `InputError`.
Memory is bounded by `MAX_LINE`, whatever the file's size.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from skatspec.diagnostics import Diagnostic, Span, finding
from skatspec.errors import InputError
from skatspec.formats.packed import unpacked

CHUNK = 1 << 16
MAX_LINE = 1 << 20
_LIMIT = "1 MiB"
# A line over the limit is passed over, but not without end.
MOST_SKIPPED = MAX_LINE << 10
_SKIPPED = "1 GiB"
# So many findings of one kind are kept of a file; what is no text has one a line.
MOST_ALIKE = 1000
_SEPARATORS = ("\u2028", "\u2029")
_MARK = "\ufeff".encode()
_LINE_END = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of a source as bytes, line ends included; the last end may be missing.

    `offset` counts bytes of the source as unpacked. `cut` stands for a line over the limit,
    of which nothing is kept.
    """

    offset: int
    data: bytes
    cut: bool = False


class Lines:
    """An iterator of `(line number from 1, text without its end)` over one source.

    `findings` collects what concerns the file as a whole, in order. `push_back`
    returns a line, so that a reader can stop at the first line of the next record.
    Who reads bytes takes `blocks` instead and gives back to `texts` what is to be decoded;
    `number` is then the number of lines so far.
    """

    def __init__(self, chunks: Iterable[bytes], source: str = "") -> None:
        self.source = source
        self.findings: list[Diagnostic] = []
        self.number = 0
        self._parts = self._whole_lines(chunks)
        self._ahead: deque[Block] = deque()
        self._error: InputError | None = None
        self._lines = self._numbered()
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

    def take_findings(self) -> list[Diagnostic]:
        """Return the findings since the last call, and forget them."""
        found = list(self.findings)
        self.findings.clear()
        return found

    def peek(self) -> Iterator[str]:
        """Yield the first lines' texts before any is read; nothing is reported of them."""

        def ahead() -> Iterator[bytes]:
            yield from [block.data for block in self._ahead]
            while (block := self._look()) is not None:
                yield block.data

        yield from (text for _, text in Lines(ahead(), self.source))

    def holds(self, size: int) -> bool:
        """Say whether so many bytes lie ahead before any is read; so many are then in memory."""
        held = sum(len(block.data) for block in self._ahead)
        while held < size:
            block = self._look()
            if block is None:
                return False
            held += len(block.data)
        return True

    def _look(self) -> Block | None:
        """Look at one block more; what is wrong behind it comes when it is read."""
        try:
            block = None if self._error else next(self._parts, None)
        except InputError as error:
            self._error = error
            return None
        if block is not None:
            self._ahead.append(block)
        return block

    def require_some(self) -> None:
        """Raise what is wrong with a source of which nothing at all can be read."""
        if self._error is not None and not self._ahead:
            raise self._error

    def blocks(self) -> Iterator[Block]:
        """Yield all that is unread as bytes. Raises InputError behind the last that can be read."""
        while self._ahead:
            yield self._ahead.popleft()
        if self._error is not None:
            raise self._error
        yield from self._parts

    def texts(self, block: Block) -> Iterator[tuple[int, int, str]]:
        """Yield (number, byte offset, text) of a block's lines, and count them."""
        if block.cut:
            self._too_long()
            return
        for begin, raw in _raw_lines(block.data):
            if len(raw) > MAX_LINE:
                self._too_long()
                continue
            at = block.offset + begin
            at += len(_MARK) if raw.startswith(_MARK) else 0
            for text in self._texts(raw, block.offset + begin, self.number + 1):
                self.number += 1
                yield self.number, at, text
                # several come of a line with separators, of three bytes each
                at += len(text.encode("utf-8", "replace")) + len(_MARK)

    def finish(self) -> None:
        """Report what was left out, after the last block."""
        more = self._alike["E003"] - MOST_ALIKE
        if more > 0:
            self.report(finding("E003", offset=f"… +{more}", read=f"+{more}"))

    def _too_long(self) -> None:
        self.number += 1
        place = Span(self.number, 1, 2)
        self._note(finding("E005", span=place, what="a line", limit=_LIMIT))

    def _note(self, diagnostic: Diagnostic) -> None:
        """Report what had to be put right in a line, of each kind so many only."""
        self._alike[diagnostic.code] += 1
        if self._alike[diagnostic.code] <= MOST_ALIKE:
            self.report(diagnostic)

    def _whole_lines(self, chunks: Iterable[bytes]) -> Iterator[Block]:
        """Cut chunks behind their last line end; a line over the limit is passed over."""
        rest, offset, skipped = b"", 0, 0
        for chunk in chunks:
            if not chunk:
                continue
            data = rest + chunk
            # a CR at the end may be half of a CR LF
            usable = len(data) - data.endswith(b"\r")
            end = data.rfind(b"\n", 0, usable) + 1
            end = max(end, data.rfind(b"\r", end, usable) + 1)
            begin = 0
            if end and skipped:
                found = _LINE_END.search(data, 0, end)
                begin, skipped = (found.end() if found else end), 0
            if begin < end:
                yield Block(offset + begin, data[begin:end])
            offset, rest = offset + end, data[end:]
            gone = len(rest) - rest.endswith(b"\r")
            if skipped or gone > MAX_LINE:
                if not skipped:
                    yield Block(offset, b"", True)
                skipped, offset, rest = skipped + gone, offset + gone, rest[gone:]
                if skipped > MOST_SKIPPED:
                    raise InputError("E005", f"a line is longer than {_SKIPPED}", self.source)
        if rest and not skipped:
            yield Block(offset, rest)

    def _numbered(self) -> Iterator[tuple[int, str]]:
        for block in self.blocks():
            data = block.data
            if block.cut or len(data) > MAX_LINE or not data.isascii() or b"\r" in data:
                for number, _, text in self.texts(block):
                    yield number, text
                continue
            number = self.number
            for text in data.decode("ascii").removesuffix("\n").split("\n"):
                number += 1
                yield number, text
            self.number = number
        self.finish()

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


def _raw_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (begin, line without its end)."""
    begin = 0
    for found in _LINE_END.finditer(data):
        yield begin, data[begin : found.start()]
        begin = found.end()
    if begin < len(data):
        yield begin, data[begin:]


def _has_utf8_letter(raw: bytes) -> bool:
    """Say whether a line that is not all UTF-8 holds UTF-8 letters all the same."""
    readable = raw.decode("utf-8", "ignore")
    return any(ord(char) > 127 for char in readable)


def from_text(text: str, source: str = "") -> Lines:
    """Return the lines of a text already in memory."""
    data = text.encode("utf-8", "surrogatepass")
    return Lines((data[at : at + CHUNK] for at in range(0, len(data), CHUNK)), source)


def open_lines(path: str | Path, chunk: int = CHUNK) -> Lines:
    """Open a file (plain or packed; `-` is standard input) as lines, read in chunks.

    Raises InputError E008 (cannot be opened), E004 (binary data).
    """
    source = str(path)
    chunks = unpacked(source, chunk)
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
