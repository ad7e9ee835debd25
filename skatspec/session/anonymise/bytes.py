"""A file's bytes on the way through: unpacked, as whole lines, packed again as they were.

UTF-16 goes through as UTF-8 and comes out as it was. What cannot be read as text is refused.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import hashlib
import lzma
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Any, Protocol, cast

from skatspec.errors import InputError
from skatspec.formats import zipped
from skatspec.formats.lines import MAX_LINE, Lines
from skatspec.formats.packed import unpacked
from skatspec.formats.registry import PEEK_LINES, detect
from skatspec.formats.score_sheet import looks_like

CHUNK = 1 << 20
SHEET_CSV, SHEET_JSON = "lists as CSV", "lists as JSON"
_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_SEPARATOR = re.compile(rb"(?<=\xe2\x80[\xa8\xa9])")
_MAGIC = 6
_RECORDS = re.compile(r'"skatspec"\s*:')
# What a file is refused with that holds neither: binary data, an unknown format.
_NO_GAMES = ("E004", "E007")


class Digest(Protocol):
    """What hashlib makes."""

    def update(self, data: bytes, /) -> None:
        """Take bytes."""


class Opened:
    """A file as UTF-8 bytes; `format` is None where it holds nothing at all.

    `has_records` says that the key of JSON records stands in its first lines.
    `name` stands for the file's own where that says nothing of the format.
    Raises InputError E004 (binary), E007 (format not known) or E008 (cannot be opened or read).
    """

    def __init__(self, source: str, name: str = "") -> None:
        self.source = source
        chunks = unpacked(source, CHUNK)
        head = b""
        for one in chunks:
            head += one
            if len(head) >= CHUNK:
                break
        self._mark = head[:2] if head[:2] in _MARKS else b""
        if not self._mark and b"\x00" in head:
            raise InputError("E004", "binary data, not text", source)
        rest = chain((head,), chunks)
        self._chunks = iter(self._from_utf16(rest) if self._mark else rest)
        first = next(self._chunks, b"")
        self._chunks = chain((first,), self._chunks)
        texts = [text for _, text in zip(range(PEEK_LINES), Lines([first]).peek(), strict=False)]
        self.format = _format(texts, name or source)
        self.has_records = any(_RECORDS.search(text) for text in texts)
        if self.format is None and any(text.strip("\ufeff \t") for text in texts):
            raise InputError("E007", "no records of a known format begin in it", source)

    def lines(self, digest: Digest | None = None) -> Iterator[bytes]:
        """Yield the lines with their ends, once; `digest` is told of their bytes.

        Raises InputError E005 for a line over 1 MiB.
        """
        rest = b""
        for one in self._chunks:
            if digest is not None:
                digest.update(one)
            *whole, rest = _cut(rest + one)
            for line in whole:
                yield from _SEPARATOR.split(line) if b"\xe2\x80" in line else (line,)
            if len(rest) > MAX_LINE:
                why = "a line is longer than 1 MiB, and its names could not be found"
                raise InputError("E005", why, self.source)
        for line in rest.splitlines(keepends=True):
            yield from _SEPARATOR.split(line)

    def as_it_was(self, data: bytes) -> bytes:
        """Return whole lines in the encoding of the file."""
        if not self._mark:
            return data
        return data.decode("utf-8", "surrogatepass").encode(_MARKS[self._mark], "surrogatepass")

    @property
    def mark(self) -> bytes:
        """Return what stands before everything else in the file."""
        return self._mark

    def _from_utf16(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder(_MARKS[self._mark])("surrogatepass")
        ahead = len(self._mark)
        try:
            for one in chunks:
                yield decoder.decode(one[ahead:]).encode("utf-8", "surrogatepass")
                ahead = 0
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            raise InputError("E004", "it begins as UTF-16 and is none", self.source) from None


def _format(texts: Sequence[str], name: str) -> str | None:
    """Return the format of a file; a list in JSON is no file of records."""
    found = detect(texts, name)
    if found not in (None, "json"):
        return found
    if looks_like(texts):
        first = next((text.lstrip() for text in texts if text.strip()), "")
        return SHEET_JSON if first.startswith(("{", "[")) else SHEET_CSV
    return found


def holds_games(source: str) -> bool:
    """Say whether a file holds records or a list, whatever its name says.

    What cannot be read is taken to hold some, so that somebody says so.
    """
    try:
        opened = Opened(source, "-")
        return opened.format is not None and (opened.format != "json" or opened.has_records)
    except InputError as error:
        return error.code not in _NO_GAMES


def _cut(data: bytes) -> list[bytes]:
    """Return whole lines, and behind them what has no end yet; a CR may be half of one."""
    lines = data.splitlines(keepends=True)
    if not lines or lines[-1].endswith(b"\n"):
        lines.append(b"")
    return lines


def digest_of(source: str) -> str:
    """Return the SHA-256 of a file's text as UTF-8, as hex digits."""
    digest = hashlib.sha256()
    for _ in Opened(source).lines(digest):
        pass
    return digest.hexdigest()


def first_bytes(source: str) -> bytes:
    """Return the first bytes of a file or of a zip's member as it is, empty where there is none."""
    try:
        inside = zipped.split(source)
        if inside is not None:
            return next(zipped.read(zipped.member(*inside)), b"")[:_MAGIC]
        with Path(source).open("rb") as stream:
            return stream.read(_MAGIC)
    except (*zipped.BROKEN, InputError):
        return b""  # whoever reads on will say why


@contextmanager
def packing(stream: IO[bytes], first: bytes) -> Iterator[IO[bytes]]:
    """Open what packs into a stream as a file that begins with `first` is packed."""
    packer = _packer(stream, first)
    yield packer or stream
    if packer is not None:
        packer.close()


def _packer(stream: IO[bytes], first: bytes) -> IO[bytes] | None:
    if first.startswith(b"\x1f\x8b"):
        packed: Any = gzip.GzipFile("", "wb", fileobj=stream, mtime=0)
    elif first.startswith(b"BZh"):
        packed = bz2.BZ2File(stream, "wb")
    elif first.startswith(b"\xfd7zXZ\x00"):
        packed = lzma.LZMAFile(stream, "wb")  # noqa: SIM115 - closed by packing
    elif first.startswith(b"\x28\xb5\x2f\xfd") or first[1:4] == b"\x2a\x4d\x18":
        import zstandard  # it was read, so it can be written

        packed = zstandard.ZstdCompressor().stream_writer(stream, closefd=False)
    else:
        return None
    return cast("IO[bytes]", packed)
