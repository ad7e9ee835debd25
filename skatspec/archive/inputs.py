"""The files to check: of this machine and its mounts, or behind a URL that fsspec opens.

Both are looked at, read by ranges and read from the beginning by the same functions. Behind a
URL plain files and seekable zstd are read by ranges, all others from their beginning; zips
are not read there.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import IO, Any

from skatspec.archive import places, seekable, seektable
from skatspec.errors import InputError, UsageError
from skatspec.formats import packed, zipped
from skatspec.formats.lines import Lines
from skatspec.formats.packed import Consumed
from skatspec.formats.registry import by_suffix, open_records, reading
from skatspec.formats.suffixes import TEXT, bare_suffix

_ENDS = 1 << 16
_CHUNK = 1 << 20
_HEAD = 6
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Read to tell what a file holds.
_LOOKED_AT = 1 << 16


@dataclass(frozen=True, slots=True)
class Look:
    """A file as it is now: `tag` is what its server calls its content, "" where it says nothing.

    `ends` is a digest of its first and last bytes; `mtime_ns` is None where nobody knows.
    """

    size: int
    mtime_ns: int | None
    tag: str
    ends: str


def look(path: str) -> Look:
    """Look at a file. Raises InputError E008 where it cannot be opened."""
    try:
        if places.is_url(path):
            size, mtime, tag = _told(path)
            with _opened(path) as stream:
                return Look(size, mtime, tag, _ends(stream, size))
        # what is packed in a zip is named as a file below it
        file = next((one for one in (Path(path), *Path(path).parents) if one.is_file()), Path(path))
        with file.open("rb") as stream:
            status = file.stat()
            return Look(
                status.st_size, status.st_mtime_ns, "", _ends(stream, status.st_size)
            )  # fmt: skip
    except OSError as error:
        raise InputError("E008", f"cannot be opened: {places.why(error)}", path) from None


def length(path: str) -> int | None:
    """Return how many bytes a file holds as unpacked; None where only reading it tells."""
    if not places.is_url(path):
        return seekable.unpacked_size(path)
    try:
        size, table = _form(path)
    except OSError:
        return None
    return size if table is None else table.unpacked[-1]


def ranged(path: str, begin: int, end: int) -> Iterator[bytes]:
    """Yield the unpacked bytes from `begin` up to `end`; errors as of `seekable.open_range`."""
    if not places.is_url(path):
        yield from seekable.open_range(path, begin, end)
        return
    try:
        size, table = _form(path)
        with _opened(path) as stream:
            if table is not None:
                yield from seekable.framed(stream, table, begin, end)
            elif size is not None:
                stream.seek(begin)
                while begin < end and (data := stream.read(min(_CHUNK, end - begin))):
                    begin += len(data)
                    yield data
    except packed.BROKEN as error:
        raise InputError("E008", f"cannot be read: {packed.reason(error)}", path) from None


def chunks(
    path: str, chunk: int, threads: int, consumed: Consumed | None = None
) -> Iterator[bytes]:
    """Yield the unpacked bytes from the beginning; errors as of `packed.unpacked`."""
    if not places.is_url(path):
        yield from seekable.parallel_chunks(path, chunk, threads, consumed)
        return
    try:
        with _opened(path) as stream:
            if stream.read(_HEAD).startswith(zipped.MAGICS):
                raise InputError("E008", "a zip is not read behind a URL: unpack it first", path)
            stream.seek(0)
            yield from packed.unpacked_from(stream, path, chunk, consumed)
    except OSError as error:
        raise InputError("E008", f"cannot be opened: {places.why(error)}", path) from None


def format_of(path: str) -> str | None:
    """Return the format of a file's records, None where it holds none.

    Raises InputError as `registry.open_records` does, and E004 for UTF-16, in which nobody
    could find a record by its byte.
    """
    pieces = chunks(path, _LOOKED_AT, 1)
    first = next(pieces, b"")
    if first.startswith(_UTF_16):
        raise InputError("E004", "UTF-16, and archives are read as UTF-8: recode it first", path)
    if not places.is_url(path):
        return open_records(path).format
    if b"\x00" in first:
        raise InputError("E004", "binary data, not text", path)
    return reading(Lines(chain((first,), pieces), path)).format


def below(url: str) -> list[str]:
    """Return the files of records that a URL names: itself, or what lies below it, or fits it.

    Raises UsageError where there is nothing.
    """
    system, place = places.file_system(url)
    try:
        system.invalidate_cache()
        if "*" in place:
            found = system.glob(place)
        elif system.isdir(place):
            found = [one for one in system.find(place) if _is_of_records(one)]
        else:
            system.info(place)
            return [url]
    except Exception as error:
        raise UsageError(f"{url}: {places.why(error)}") from None
    if not found:
        raise UsageError(f"{url} holds no file of records")
    return sorted(str(system.unstrip_protocol(one)) for one in found)


def _is_of_records(path: str) -> bool:
    name = path.rpartition("/")[2]
    return not name.startswith(".") and (
        by_suffix(name) is not None or bare_suffix(name) == TEXT
    )  # fmt: skip


# ---------------------------------------------------------------- behind a URL


class _Stream:
    """A stream of fsspec; whatever its file system raises is an OSError."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def read(self, size: int) -> bytes:
        with _as_os_error():
            return bytes(self._stream.read(size))

    def seek(self, place: int) -> None:
        with _as_os_error():
            self._stream.seek(place)

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        with _as_os_error():
            self._stream.close()


@contextmanager
def _as_os_error() -> Iterator[None]:
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise OSError(places.why(error)) from None


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    system, place = places.file_system(path)
    with _as_os_error():
        stream: Any = _Stream(system.open(place, "rb"))
    try:
        yield stream
    finally:
        stream.close()


def _told(path: str) -> tuple[int, int | None, str]:
    """Return size, date and tag of a file as its file system tells them now."""
    system, place = places.file_system(path)
    with _as_os_error():
        system.invalidate_cache()
        known = system.info(place)
        try:
            mtime = int(system.modified(place).timestamp() * 10**9)
        except (NotImplementedError, AttributeError, KeyError, TypeError):
            mtime = None
    tag = known.get("ETag") or known.get("etag") or known.get("md5Hash") or ""
    return int(known["size"]), mtime, str(tag)


def _form(path: str) -> tuple[int | None, seektable.Frames | None]:
    """Return a plain file's size, or the frames of one in seekable zstd."""
    return _form_of(path, *_told(path))


@lru_cache(maxsize=16)
def _form_of(path: str, size: int, *_: object) -> tuple[int | None, seektable.Frames | None]:
    with _opened(path) as stream:
        if not packed.looks_packed(stream.read(_HEAD)):
            return size, None
        # a look at every frame would be a request each; a wrong table is found when it is used
        return None, seektable.frames_of(stream, size, heads=False)


def _ends(stream: IO[bytes], size: int) -> str:
    digest = hashlib.blake2b(stream.read(_ENDS), digest_size=16)
    stream.seek(max(0, size - _ENDS))
    digest.update(stream.read(_ENDS))
    return digest.hexdigest()
