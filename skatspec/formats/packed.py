"""Files to bytes: opened, and unpacked where their first bytes say so. No line is known here.

gzip, bzip2, xz, zstd (with the package `zstandard`) and zip. Of the first four a file may
hold several streams in a row, and zeros behind them; a member of a zip may be packed itself.

Limits, all of them constants below:

* what unpacks to over 1000 times its packed size, and to over 1 GiB, is refused (E009);
* zstd frames with a window of over 128 MiB, and xz files that need over 256 MiB of memory,
  are refused (E008);
* a line of over 1 GiB is refused by `formats.lines` (E005).
"""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Protocol

from skatspec.errors import InputError
from skatspec.formats import zipped

STDIN = "-"
GIB = 1024**3
MOST_TIMES, FREE_BYTES = 1000, GIB
ZSTD_WINDOW = 1 << 27
XZ_MEMORY = 1 << 28
_READ = 1 << 16
# One step of zstd may unpack to 32 KiB a byte, and all of it at once.
_ZSTD_STEP = 1 << 10
_MAGIC = 6
# What the packers' modules raise.
BROKEN = (EOFError, OSError, MemoryError, lzma.LZMAError, zlib.error)

Consumed = Callable[[int], None]


def unpacked(path: str, chunk: int, consumed: Consumed | None = None) -> Iterator[bytes]:
    """Yield the unpacked bytes of a file (`-`: standard input), at most `chunk` at once.

    `archive.zip/name` is a member of a zip, `archive.zip` its only member of records.
    `consumed` is told, now and then, how many bytes were read from the file as it is.

    Raises InputError E008, at once where the file cannot be opened, and while it is read
    where packed data is damaged; E009 where it unpacks to far more than records do.
    """
    try:
        stream: IO[bytes] = (
            sys.stdin.buffer if path == STDIN else Path(path).open("rb")  # noqa: SIM115 - _chunks closes it
        )
    except (OSError, ValueError) as error:
        inside = zipped.split(path)
        if inside is not None:
            return _member(zipped.member(*inside), path, chunk, consumed)
        why = getattr(error, "strerror", None) or str(error)
        raise InputError("E008", f"cannot be opened: {why}", path) from None
    return _chunks(stream, path, chunk, consumed)


def unpacked_from(
    stream: IO[bytes], source: str, chunk: int, consumed: Consumed | None = None
) -> Iterator[bytes]:
    """Yield what `unpacked` does, of a stream that is open already, and close it."""
    return _chunks(stream, source, chunk, consumed)


def looks_packed(first: bytes) -> bool:
    """Say whether a file's first bytes are those of packed data, a zip included."""
    return _kind(first) is not None or first.startswith(zipped.MAGICS)


def is_packed(path: str) -> bool:
    """Say whether a file's bytes are packed, or it is a member of a zip; False if it is not there.

    Only regular files are looked at: what comes through a pipe could not be read again.
    """
    try:
        place = Path(path)
        if place.is_file():
            with place.open("rb") as stream:
                first = stream.read(_MAGIC)
            return looks_packed(first)
    except (OSError, ValueError):
        return False
    return zipped.split(path) is not None


def too_large(source: str) -> InputError:
    """Return the refusal of a file that unpacks to far more than it can hold."""
    return InputError(
        "E009",
        f"unpacks to over {FREE_BYTES / GIB:.3g} GiB and over {MOST_TIMES} times what was packed",
        source,
    )


def zstd_pieces(read: Callable[[int], bytes], chunk: int) -> Iterator[bytes]:
    """Yield what zstd frames hold that `read` hands out, at most `chunk` at once.

    Raises one of `BROKEN` where they are damaged or end too early.
    """
    return _streams(_Zstd, read(_READ), read, chunk)


# ---------------------------------------------------------------- streams


class Decoder(Protocol):
    """One packed stream."""

    @property
    def eof(self) -> bool:
        """Whether the stream's end was reached."""

    @property
    def hungry(self) -> bool:
        """Whether nothing more comes without further data."""

    @property
    def rest(self) -> bytes:
        """What stands behind the stream's end, of the data given."""

    def unpack(self, data: bytes, most: int) -> bytes:
        """Return what comes next; only data, and only where hungry."""


class _Standard:
    """bzip2 and xz, by the modules of Python."""

    def __init__(self, decoder: Any) -> None:
        self._decoder = decoder

    @property
    def eof(self) -> bool:
        return bool(self._decoder.eof)

    @property
    def hungry(self) -> bool:
        return bool(self._decoder.needs_input)

    @property
    def rest(self) -> bytes:
        return bytes(self._decoder.unused_data)

    def unpack(self, data: bytes, most: int) -> bytes:
        return bytes(self._decoder.decompress(data, most))


class _Gzip:
    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def hungry(self) -> bool:
        return not self._decoder.unconsumed_tail

    @property
    def rest(self) -> bytes:
        return self._decoder.unused_data

    def unpack(self, data: bytes, most: int) -> bytes:
        return self._decoder.decompress(self._decoder.unconsumed_tail + data, most)


class _Zstd:
    """zstd, whose own reader of streams does not tell the end of a file from a cut one."""

    def __init__(self) -> None:
        try:
            import zstandard
        except ImportError:
            why = "packed with zstd: install skatspec[archive] to read it"
            raise InputError("E008", why) from None
        self._error = zstandard.ZstdError
        self._decoder = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW).decompressobj()
        self._data = b""
        self._at = 0

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def hungry(self) -> bool:
        return self._at >= len(self._data)

    @property
    def rest(self) -> bytes:
        return self._decoder.unused_data + self._data[self._at :]

    def unpack(self, data: bytes, most: int) -> bytes:
        if data:
            self._data, self._at = data, 0
        step = self._data[self._at : self._at + _ZSTD_STEP]
        self._at += len(step)
        try:
            return self._decoder.decompress(step)
        except self._error as error:
            raise OSError(zstd_reason(error)) from None


def zstd_reason(error: Exception) -> str:
    """Return in words what zstandard objects to."""
    if "too much memory" in str(error):
        return f"it needs a window of over {ZSTD_WINDOW >> 20} MiB; pack it without --long"
    return (
        str(error).removeprefix("zstd decompressor error: ").removeprefix("decompression error: ")
    )


def _xz() -> Decoder:
    return _Standard(lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY))


def _kind(first: bytes) -> Callable[[], Decoder] | None:
    """Return what unpacks a stream that begins with these bytes, None where they are plain."""
    if first.startswith(b"\x1f\x8b"):
        return _Gzip
    if first.startswith(b"BZh"):
        return lambda: _Standard(bz2.BZ2Decompressor())
    if first.startswith(b"\xfd7zXZ\x00"):
        return _xz
    skippable = first[1:4] == b"\x2a\x4d\x18" and first[0] >> 4 == 5
    return _Zstd if skippable or first.startswith(b"\x28\xb5\x2f\xfd") else None


# ---------------------------------------------------------------- files


def _chunks(
    stream: IO[bytes], source: str, chunk: int, consumed: Consumed | None
) -> Iterator[bytes]:
    raw = _Counted(stream, consumed)
    try:
        first = raw.read(min(max(chunk, _MAGIC), _READ))
        if first.startswith(zipped.MAGICS):
            if source == STDIN or not stream.seekable():
                why = "a zip archive is read from a file only, not from a pipe; name the file"
                raise InputError("E008", why, source)
            yield from _member(zipped.member(source, None), source, chunk, consumed)
            return
        kind = _kind(first)
        if kind is None:
            yield from _cut((first,) if first else (), chunk)
            while data := raw.read(chunk):
                yield data
            return
        pieces = _streams(kind, first, raw.read, chunk)
        yield from measured(pieces, lambda: raw.count, source)
    except InputError as error:
        raise error if error.source else InputError(error.code, error.message, source) from None
    except BROKEN as error:
        raise InputError("E008", f"cannot be read: {reason(error)}", source) from None
    finally:
        if source != STDIN:
            stream.close()


def _member(
    one: zipped.Member, source: str, chunk: int, consumed: Consumed | None
) -> Iterator[bytes]:
    """Yield the bytes of a member of a zip, unpacked once more where it is packed itself."""
    stored = measured(zipped.read(one), lambda: one.packed, source)
    try:
        first = next(stored, b"")
        kind = _kind(first)
        if kind is None:
            pieces = _cut(_with(first, stored), chunk)
        else:
            pieces = _streams(kind, first, lambda _: next(stored, b""), chunk)
        yield from measured(pieces, lambda: one.packed, source)
    except InputError as error:
        raise error if error.source else InputError(error.code, error.message, source) from None
    except (*zipped.BROKEN, *BROKEN) as error:
        why = zipped.reason(error)
        raise InputError("E008", f"cannot be read: {why}", source) from None
    if consumed is not None:
        consumed(one.packed)


def _streams(
    kind: Callable[[], Decoder], data: bytes, read: Callable[[int], bytes], chunk: int
) -> Iterator[bytes]:
    """Yield what a row of packed streams holds, of which the first bytes are read."""
    while True:
        decoder, ended = kind(), False
        while not decoder.eof:
            if not data and decoder.hungry:
                data = read(_READ)
                ended = not data
            piece = decoder.unpack(data, chunk)
            data = b""
            if piece:
                yield from _cut((piece,), chunk)
            elif ended and not decoder.eof:
                raise EOFError("it ends in the middle of its packed data")
        data = (decoder.rest or read(_READ)).lstrip(b"\0")
        while len(data) < _MAGIC and (more := read(_READ)):
            data = (data + more).lstrip(b"\0")
        if not data:
            return
        following = _kind(data)
        if following is None:
            raise OSError("what follows the packed data is something else")
        kind = following


def measured(pieces: Iterable[bytes], packed: Callable[[], int], source: str) -> Iterator[bytes]:
    """Yield the pieces as long as they are not far more than `packed` bytes; InputError E009."""
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > FREE_BYTES and total > MOST_TIMES * packed():
            raise too_large(source)
        yield piece


def _cut(pieces: Iterable[bytes], chunk: int) -> Iterator[bytes]:
    for piece in pieces:
        if len(piece) <= chunk:
            yield piece
            continue
        for at in range(0, len(piece), chunk):
            yield piece[at : at + chunk]


def _with(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def reason(error: BaseException) -> str:
    """Return in words what was raised for a damaged file."""
    if isinstance(error, lzma.LZMAError) and "Memory usage limit" in str(error):
        return f"unpacking it needs over {XZ_MEMORY >> 20} MiB of memory"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


class _Counted:
    """A stream that counts what was read of it."""

    def __init__(self, stream: IO[bytes], consumed: Consumed | None) -> None:
        self._stream = stream
        self._consumed = consumed
        self.count = 0

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes."""
        data = self._stream.read(size)
        self.count += len(data)
        if self._consumed is not None:
            self._consumed(self.count)
        return data
