"""The seekable form of zstd: frames that stand alone, and a table of their sizes behind them.

Other readers see a row of frames, and skip the one that holds the table. Only this table and
the frames' heads are read here; what the frames hold is in `seekable`. The form is described
by zstd's own project as "Zstandard Seekable Format", version 0.1.0.
"""

from __future__ import annotations

import struct
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import IO, Any

from skatspec.formats import packed

# A table of more frames is not used; at 16 MiB a frame this is a file of 64 TiB.
_MOST_FRAMES = 1 << 22
_TABLE_MAGIC, _SKIPPABLE = 0x8F92EAB1, 0x184D2A5E
_FOOTER, _HEAD, _ENTRY = struct.Struct("<IBI"), struct.Struct("<II"), struct.Struct("<II")
_HAS_CHECKSUMS, _RESERVED = 0x80, 0x7C
# A frame says how large it is within its first 18 bytes.
_FRAME_HEAD = 32


@dataclass(frozen=True, slots=True)
class Frames:
    """Where frames begin, each list with the end of the last: in the file, and as unpacked."""

    packed: tuple[int, ...]
    unpacked: tuple[int, ...]

    @property
    def largest(self) -> int:
        """The bytes of the largest frame, packed or unpacked."""
        return max(_largest(self.packed), _largest(self.unpacked))


def _largest(places: tuple[int, ...]) -> int:
    return max((end - begin for begin, end in pairwise(places)), default=0)


def frames(path: str) -> Frames | None:
    """Return the frames of a seekable zstd file; None for others, or where the table is wrong."""
    try:
        if not Path(path).is_file():
            return None
        status = Path(path).stat()
        return _table(path, status.st_size, status.st_mtime_ns, status.st_ino)
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=16)
def _table(path: str, size: int, *stamp: int) -> Frames | None:
    with Path(path).open("rb") as stream:
        return frames_of(stream, size)


def frames_of(stream: IO[bytes], size: int, heads: bool = True) -> Frames | None:
    """Return the frames of an open file of so many bytes, None where it has no true table.

    Reads the table at its end, and `heads` holds it against what stands at the frames' places.
    """
    try:
        import zstandard
    except ImportError:
        return None
    if size < _HEAD.size + _FOOTER.size:
        return None
    stream.seek(size - _FOOTER.size)
    count, descriptor, magic = _FOOTER.unpack(stream.read(_FOOTER.size))
    if magic != _TABLE_MAGIC or descriptor & _RESERVED or count > _MOST_FRAMES:
        return None
    entry = _ENTRY.size + (4 if descriptor & _HAS_CHECKSUMS else 0)
    length = count * entry + _FOOTER.size
    begin = size - length - _HEAD.size
    if begin < 0:
        return None
    stream.seek(begin)
    if _HEAD.unpack(stream.read(_HEAD.size)) != (_SKIPPABLE, length):
        return None
    rows = stream.read(count * entry)
    sizes = [_ENTRY.unpack_from(rows, at * entry) for at in range(count)]
    found = Frames(
        tuple(accumulate((one for one, _ in sizes), initial=0)),
        tuple(accumulate((one for _, one in sizes), initial=0)),
    )
    if found.packed[-1] != begin or _is_bomb(found, size):
        return None
    try:
        good = not heads or all(_fits(stream, found, at, zstandard) for at in range(count))
    except zstandard.ZstdError:
        return None
    return found if good else None


def _is_bomb(found: Frames, size: int) -> bool:
    # it is read from its beginning then, and refused where it gets too large
    total = found.unpacked[-1]
    return total > packed.FREE_BYTES and total > packed.MOST_TIMES * size


def _fits(stream: IO[bytes], found: Frames, at: int, zstandard: Any) -> bool:
    """Say whether a frame begins where the table says, and tells no other size."""
    begin, end = found.packed[at : at + 2]
    size = found.unpacked[at + 1] - found.unpacked[at]
    stream.seek(begin)
    head = stream.read(min(_FRAME_HEAD, end - begin))
    if head[1:4] == b"\x2a\x4d\x18" and head[0] >> 4 == 5:
        return size == 0
    told = zstandard.frame_content_size(head)
    if zstandard.get_frame_parameters(head).window_size > packed.ZSTD_WINDOW:
        return False
    return told in (-1, size)


class SeekableWriter:
    """Writes zstd frames with their checksums, and behind them their table, to a stream.

    Frames are packed in `threads` threads and written in order; a few are held meanwhile.
    """

    def __init__(self, stream: IO[bytes], level: int, threads: int) -> None:
        self._stream = stream
        self._level = level
        self._most = threads + 1
        self._pool = ThreadPoolExecutor(threads)
        self._waiting: deque[tuple[int, Future[bytes]]] = deque()
        self._sizes: list[tuple[int, int]] = []

    def add(self, data: bytes) -> None:
        """Write one frame of `data`."""
        self._waiting.append((len(data), self._pool.submit(self._packed, data)))
        if len(self._waiting) >= self._most:
            self._write()

    def finish(self) -> int:
        """Write the table; return the number of frames."""
        while self._waiting:
            self._write()
        count = len(self._sizes)
        self._stream.write(_HEAD.pack(_SKIPPABLE, count * _ENTRY.size + _FOOTER.size))
        for sizes in self._sizes:
            self._stream.write(_ENTRY.pack(*sizes))
        self._stream.write(_FOOTER.pack(count, 0, _TABLE_MAGIC))
        return count

    def close(self) -> None:
        """Give up what is not yet written."""
        self._pool.shutdown(cancel_futures=True)

    def _packed(self, data: bytes) -> bytes:
        import zstandard

        return zstandard.ZstdCompressor(level=self._level, write_checksum=True).compress(data)

    def _write(self) -> None:
        size, future = self._waiting.popleft()
        frame = future.result()
        self._stream.write(frame)
        self._sizes.append((len(frame), size))
