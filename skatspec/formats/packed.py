"""Files to bytes: opened, and unpacked where their first bytes say so. No line is known here."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from skatspec.errors import InputError

STDIN = "-"
_OPENERS: dict[bytes, Any] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
}
_BROKEN_STREAM = (EOFError, OSError, lzma.LZMAError, zlib.error)


def unpacked(path: str, chunk: int) -> Iterator[bytes]:
    """Yield the bytes of a file (`-`: standard input), at most `chunk` at once.

    Raises InputError E008, at once where the file cannot be opened, and while it is read
    where packed data is damaged.
    """
    try:
        stream: IO[bytes] = (
            sys.stdin.buffer if path == STDIN else Path(path).open("rb")  # noqa: SIM115 - _chunks closes it
        )
    except OSError as error:
        raise InputError("E008", f"cannot be opened: {error.strerror}", path) from None
    return _chunks(stream, path, chunk)


def _chunks(stream: IO[bytes], source: str, chunk: int) -> Iterator[bytes]:
    try:
        first = stream.read(chunk)
        opener = next((o for magic, o in _OPENERS.items() if first.startswith(magic)), None)
        if opener is None:
            while first:
                yield first
                first = stream.read(chunk)
            return
        with opener(cast("IO[bytes]", _Rewound(first, stream)), "rb") as opened:
            while data := opened.read(chunk):
                yield data
    except _BROKEN_STREAM as error:
        raise InputError("E008", f"cannot be read: {error}", source) from None
    finally:
        if source != STDIN:
            stream.close()


class _Rewound:
    """A stream that gives back the bytes already read to look at its kind."""

    def __init__(self, first: bytes, stream: IO[bytes]) -> None:
        self._first = first
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Read at most `size` bytes, the looked-at ones first."""
        if self._first:
            if size < 0:
                data, self._first = self._first, b""
                return data + self._stream.read()
            data, self._first = self._first[:size], self._first[size:]
            return data
        return self._stream.read(size)
