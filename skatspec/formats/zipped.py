"""Zip archives: which of their members are records, and a member's bytes.

A member is named `archive.zip/inner/name.sgf`. Nothing is written to disk, so a name such
as `../x.sgf` is only a name. Members that are archives themselves are not looked into.
"""

from __future__ import annotations

import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, cast

from skatspec.errors import InputError
from skatspec.formats.suffixes import format_of, leaves_open

MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
# Of an archive's list of names so much is read, which is room for some half million members.
MOST_NAMES = 1 << 26
_ENCRYPTED = 1
_STEP = 1 << 16
# bzip2 and LZMA members unpack a step at once, however much that is.
_SMALL_STEP = 1 << 12
# zipfile raises these, and not only its own error, for archives that are damaged.
BROKEN = (
    zipfile.BadZipFile, RuntimeError, EOFError, OSError, ValueError, LookupError, OverflowError,
    TypeError, AttributeError, struct.error, zlib.error, lzma.LZMAError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an archive: its packed size in bytes, and where to read it."""

    archive: zipfile.ZipFile
    info: zipfile.ZipInfo
    packed: int


def is_zip(path: str) -> bool:
    """Say whether a path is a regular file that begins as a zip archive does."""
    try:
        place = Path(path)
        if not place.is_file():
            return False
        with place.open("rb") as stream:
            return stream.read(4) in MAGICS
    except (OSError, ValueError):
        return False


def split(path: str) -> tuple[str, str] | None:
    """Return archive and member of `archive.zip/inner/name.sgf`, or None for other paths."""
    for at, letter in enumerate(path):
        if at and letter in ("/", os.sep) and is_zip(path[:at]):
            return path[:at], path[at + 1 :]
    return None


def members(path: str) -> list[str]:
    """Return the names in an archive that records may stand in, in order.

    These have a suffix of a known format, or `.txt`; packed ones count, hidden ones and the
    `__MACOSX` folder do not. Raises InputError E008.
    """
    return sorted({info.filename for info in _opened(path).infolist() if _fits(info)})


def has_member(path: str, name: str) -> bool:
    """Say whether an archive holds a member of that very name. Raises InputError E008."""
    return name in _opened(path).namelist()


def member(path: str, name: str | None) -> Member:
    """Return a member; without a name the only one that fits.

    Raises InputError E008 where there is none, or several, or it cannot be unpacked.
    """
    archive = _opened(path)
    wanted = _only(path) if name is None else name
    found = [info for info in archive.infolist() if info.filename == wanted]
    source = path if name is None else f"{path}/{name}"
    if not found:
        raise InputError("E008", f"the archive holds no {wanted}", source)
    if len(found) > 1:
        raise InputError("E008", f"the archive holds {wanted} {len(found)} times", source)
    if found[0].flag_bits & _ENCRYPTED:
        raise InputError("E008", f"{wanted} is encrypted", source)
    return Member(archive, found[0], min(found[0].compress_size, Path(path).stat().st_size))


def read(one: Member) -> Iterator[bytes]:
    """Yield a member's bytes in small pieces; raises one of `BROKEN` where it is damaged."""
    simple = one.info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    step = _STEP if simple else _SMALL_STEP
    with one.archive.open(one.info) as stream:
        while data := stream.read(step):
            yield data


def _only(path: str) -> str:
    fitting = members(path)
    known = [name for name in fitting if format_of(name) is not None] or fitting
    if len(known) == 1:
        return known[0]
    if not known:
        raise InputError("E008", "the archive holds no file of a known suffix", path)
    raise InputError(
        "E008",
        f"the archive holds {len(known)} files of records; name one, as {path}/{known[0]}",
        path,
    )


def _fits(info: zipfile.ZipInfo) -> bool:
    parts = info.filename.replace("\\", "/").split("/")
    if not parts[-1] or "__MACOSX" in parts:  # a folder has no last part
        return False
    if any(part.startswith(".") and part.strip(".") for part in parts):
        return False
    return format_of(parts[-1]) is not None or leaves_open(parts[-1])


def _opened(path: str) -> zipfile.ZipFile:
    try:
        status = Path(path).stat()
        # A forked process must not share the place in the file with its parent.
        return _kept(path, status.st_size, status.st_mtime_ns, status.st_ino, os.getpid())
    except BROKEN as error:
        raise InputError("E008", f"the archive cannot be read: {reason(error)}", path) from None


@lru_cache(maxsize=1)
def _kept(path: str, size: int, *stamp: int) -> zipfile.ZipFile:
    """Open an archive, and keep it open: its list of names is read once, not for every member."""
    archive = zipfile.ZipFile(cast("IO[bytes]", _Sparing(path)))
    if sum(info.compress_size for info in archive.infolist()) > size:
        raise zipfile.BadZipFile("its members overlap")
    return archive


def reason(error: BaseException) -> str:
    """Return in words what zipfile objects to."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, NotImplementedError):
        return f"packed in a way that is not known ({error})"
    return str(error) or type(error).__name__


class _Sparing:
    """A file that refuses to hand out a list of names of any size at once."""

    def __init__(self, path: str) -> None:
        self._stream = Path(path).open("rb")  # noqa: SIM115 - closed with the archive
        self.seek, self.tell = self._stream.seek, self._stream.tell
        self.seekable, self.close = self._stream.seekable, self._stream.close

    def read(self, size: int = -1) -> Any:
        """Read `size` bytes, all that is left if below zero."""
        if size > MOST_NAMES:
            raise zipfile.BadZipFile(f"its list of names has over {MOST_NAMES >> 20} MiB")
        # zipfile reads all that is left where it looks for the list, at most 64 KiB
        return self._stream.read(size if size >= 0 else MOST_NAMES)

    def __del__(self) -> None:
        stream = getattr(self, "_stream", None)  # None where it could not be opened
        if stream is not None:
            stream.close()
