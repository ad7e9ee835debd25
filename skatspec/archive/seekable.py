"""Any range of a file's unpacked bytes, and unpacking with several threads.

Ranges are read directly from plain files, and from zstd files in the seekable format: frames
that stand alone, and at the file's end, in a frame that other readers skip, a table of their
packed and unpacked sizes. Of all other files what stands before the range is unpacked, too.

Threads unpack the frames of a seekable zstd file, and bzip2 where `rapidgzip` is installed
(its gzip takes some truncated files for whole ones and is not used). Wherever that meets
anything unusual, the plain reader goes on from the same byte and has the last word.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

from skatspec.archive.seektable import Frames, frames
from skatspec.errors import InputError
from skatspec.formats import packed
from skatspec.formats.packed import Consumed, unpacked

# Frames up to this size are unpacked whole, a few at once; larger ones one by one.
LARGEST_FRAME = 1 << 26
_MEMORY = 1 << 29
_CHUNK = 1 << 20
# A range is read at once where it is not larger than this.
_AT_ONCE = 1 << 25


def unpacked_size(path: str) -> int | None:
    """Return how many bytes a file holds as unpacked; None where only reading it tells."""
    if _is_plain(path):
        return Path(path).stat().st_size
    table = frames(path)
    return None if table is None else table.unpacked[-1]


def open_range(path: str, begin: int, end: int) -> Iterator[bytes]:
    """Yield the unpacked bytes from `begin` up to `end`, fewer where the file ends before.

    Raises InputError E008 and E009 as `unpacked` does, and E008 where a seek table turns out
    to be wrong.
    """
    if end <= begin:
        return iter(())
    if _is_plain(path):
        return _plain(path, begin, end)
    table = frames(path)
    if table is None:
        return _cut(unpacked(path, _CHUNK), begin, end)
    return _framed(path, table, begin, end)


def parallel_chunks(
    path: str, chunk: int, threads: int, consumed: Consumed | None = None
) -> Iterator[bytes]:
    """Yield the unpacked bytes as `unpacked` does, with several threads where that helps."""
    if threads > 1:
        table = frames(path)
        if table is not None and table.largest <= LARGEST_FRAME:
            return _last_word(_by_frame(path, table, threads, consumed), path, chunk, consumed)
        opened = _opened_bzip2(path, threads)
        if opened is not None:
            return _last_word(_bzip2(opened, path, chunk, consumed), path, chunk, consumed)
    return unpacked(path, chunk, consumed)


# ---------------------------------------------------------------- ranges


def _is_plain(path: str) -> bool:
    try:
        return Path(path).is_file() and not packed.is_packed(path)
    except (OSError, ValueError):
        return False


def _plain(path: str, begin: int, end: int) -> Iterator[bytes]:
    try:
        with Path(path).open("rb") as stream:
            stream.seek(begin)
            yield from _read(stream, end - begin)
    except OSError as error:
        raise InputError("E008", f"cannot be read: {error.strerror}", path) from None


def _framed(path: str, table: Frames, begin: int, end: int) -> Iterator[bytes]:
    try:
        with Path(path).open("rb") as stream:
            yield from framed(stream, table, begin, end)
    except packed.BROKEN as error:
        why = f"cannot be read: {packed.reason(error)}"
        raise InputError("E008", why, path) from None


def framed(stream: IO[bytes], table: Frames, begin: int, end: int) -> Iterator[bytes]:
    """Yield a range of an open seekable zstd file; raises one of `packed.BROKEN`."""
    for at in range(max(bisect_right(table.unpacked, begin) - 1, 0), len(table.packed) - 1):
        start = table.unpacked[at]
        if start >= end:
            return
        yield from _cut(_frame(stream, table, at), begin - start, end - start)


def _frame(stream: IO[bytes], table: Frames, at: int) -> Iterator[bytes]:
    """Yield a frame's unpacked bytes, which must be as many as the table says."""
    stream.seek(table.packed[at])
    rest = _read(stream, table.packed[at + 1] - table.packed[at])
    wanted = table.unpacked[at + 1] - table.unpacked[at]
    for piece in packed.zstd_pieces(lambda _: next(rest, b""), _AT_ONCE):
        wanted -= len(piece)
        if wanted < 0:
            break
        yield piece
    if wanted:
        raise OSError(f"its seek table is wrong about frame {at + 1}; recompress it")


def _read(stream: IO[bytes], size: int) -> Iterator[bytes]:
    while size > 0 and (data := stream.read(min(size, _AT_ONCE))):
        size -= len(data)
        yield data


def _cut(pieces: Iterator[bytes], begin: int, end: int) -> Iterator[bytes]:
    """Yield the bytes from `begin` to `end` of what the pieces make up."""
    at = 0
    for piece in pieces:
        inside = piece[max(begin - at, 0) : max(end - at, 0)]
        at += len(piece)
        if inside:
            yield inside
        if at >= end:
            return


# ---------------------------------------------------------------- several threads


class _UnusualError(Exception):
    """Something that the plain reader must look at."""


def _last_word(
    pieces: Iterator[bytes], path: str, chunk: int, consumed: Consumed | None
) -> Iterator[bytes]:
    """Yield the pieces; at the first trouble what the plain reader finds from there on."""
    done = 0
    try:
        for piece in pieces:
            for at in range(0, len(piece), chunk):
                part = piece[at : at + chunk] if len(piece) > chunk else piece
                done += len(part)
                yield part
        return
    except _UnusualError:
        pass
    at = 0
    for piece in unpacked(path, chunk, consumed):
        if at + len(piece) > done:
            yield piece[max(done - at, 0) :]
        at += len(piece)


def _by_frame(path: str, table: Frames, threads: int, consumed: Consumed | None) -> Iterator[bytes]:
    waiting: deque[tuple[int, Future[bytes]]] = deque()
    most = max(1, min(threads + 1, _MEMORY // max(table.largest, 1)))
    pool = ThreadPoolExecutor(threads)
    try:
        with Path(path).open("rb") as stream:
            for at in range(len(table.packed) - 1):
                begin, end = table.packed[at : at + 2]
                size = table.unpacked[at + 1] - table.unpacked[at]
                data = stream.read(end - begin)
                waiting.append((end, pool.submit(_whole_frame, data, size)))
                if len(waiting) >= most:
                    yield _next(waiting, consumed)
        while waiting:
            yield _next(waiting, consumed)
    except OSError as error:
        raise _UnusualError from error
    finally:
        pool.shutdown(cancel_futures=True)


def _next(waiting: deque[tuple[int, Future[bytes]]], consumed: Consumed | None) -> bytes:
    end, future = waiting.popleft()
    data = future.result()
    if consumed is not None:
        consumed(end)
    return data


def _whole_frame(data: bytes, size: int) -> bytes:
    """Return a frame's unpacked bytes, which must be `size`."""
    import zstandard

    try:
        if size == 0:  # zstandard takes this for a size that is not told
            rest = iter((data,))
            return b"".join(packed.zstd_pieces(lambda _: next(rest, b""), _AT_ONCE))
        unpacker = zstandard.ZstdDecompressor(max_window_size=packed.ZSTD_WINDOW)
        whole = unpacker.decompress(data, max_output_size=size, allow_extra_data=False)
    except (zstandard.ZstdError, *packed.BROKEN) as error:
        raise _UnusualError from error
    if len(whole) != size:
        raise _UnusualError
    return whole


def _opened_bzip2(path: str, threads: int) -> Any:
    """Open a regular bzip2 file for several threads; None for others, or without rapidgzip."""
    try:
        from rapidgzip import IndexedBzip2File

        place = Path(path)
        if not place.is_file():
            return None
        with place.open("rb") as stream:
            if stream.read(3) != b"BZh":
                return None
        return IndexedBzip2File(os.fspath(path), parallelization=threads)
    except (ImportError, OSError, ValueError, RuntimeError):
        return None


def _bzip2(opened: Any, path: str, chunk: int, consumed: Consumed | None) -> Iterator[bytes]:
    def at() -> int:
        return int((opened.tell_compressed() + 7) // 8)

    with opened:
        yield from packed.measured(_read_bzip2(opened, chunk, at, consumed), at, path)
        end = at()
    # rapidgzip passes over whatever follows the last stream
    with Path(path).open("rb") as stream:
        stream.seek(end)
        if any(piece.strip(b"\0") for piece in _read(stream, Path(path).stat().st_size)):
            raise _UnusualError


def _read_bzip2(opened: Any, chunk: int, at: Any, consumed: Consumed | None) -> Iterator[bytes]:
    while True:
        try:
            piece: bytes = opened.read(chunk)
        except (RuntimeError, ValueError, OSError, EOFError, MemoryError) as error:
            raise _UnusualError from error
        if consumed is not None:
            consumed(at())
        if not piece:
            return
        yield piece
