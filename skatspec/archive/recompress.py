"""Any readable file to seekable zstd, once, so that several threads can read it from then on.

The copy is written beside its place under another name, read back, and only then moved there.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from skatspec.archive.seekable import LARGEST_FRAME, parallel_chunks
from skatspec.archive.seektable import SeekableWriter, frames
from skatspec.errors import InputError, UsageError

LEVEL, FRAME = 3, 1 << 24
SMALLEST_FRAME = 1 << 16
SUFFIX = ".zst"
_CHUNK = 1 << 20

# Told how much is done: bytes of the input as it is while reading it, unpacked bytes after.
Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Recompressed:
    """What was written: bytes unpacked and packed, and the number of frames."""

    unpacked: int
    packed: int
    frames: int


def recompress(
    source: str,
    target: Path,
    *,
    level: int = LEVEL,
    frame: int = FRAME,
    threads: int = 1,
    force: bool = False,
    progress: Progress | None = None,
) -> Recompressed:
    """Write a file's unpacked bytes (`-`: standard input) to `target` as seekable zstd.

    Frames have about `frame` bytes and end at line ends, save in a line of over 64 MiB. At
    most a few frames are held in memory. Raises InputError where the source cannot be
    read to its end or does not read back the same, UsageError where the target is there
    (unless `force`) or cannot be written, or the extra is not installed; nothing is
    written then.
    """
    require_zstd()
    if not SMALLEST_FRAME <= frame <= LARGEST_FRAME:
        raise UsageError(f"a frame has {SMALLEST_FRAME} to {LARGEST_FRAME} bytes, not {frame}")
    if not force and os.path.lexists(target):
        raise UsageError(f"{target} is there already; --force writes it anew")
    tell = progress or _silent
    with _draft(target) as (draft, stream):
        pieces = parallel_chunks(source, _CHUNK, threads, lambda done: tell("reading", done))
        digest, size, count = _write(pieces, stream, level, frame, threads)
        stream.flush()
        os.fsync(stream.fileno())
        _read_back(draft, digest, size, threads, tell)
        packed = draft.stat().st_size
        with suppress(OSError, ValueError):  # standard input, members of archives
            draft.chmod(Path(source).stat().st_mode & 0o666)
        _move(draft, target, force)
    return Recompressed(size, packed, count)


def target_of(source: str, folder: Path | None = None) -> Path:
    """Return the name of a file's copy: `games.sgf.bz2` becomes `games.sgf.zst`.

    It stands in the folder, else beside the file; a zip's member stands beside the zip.
    """
    from skatspec.formats import zipped
    from skatspec.formats.suffixes import COMPRESSED

    inside = zipped.split(source)
    place = Path(source) if inside is None else Path(inside[0]).with_name(_last_part(inside[1]))
    if place.suffix.lower() in COMPRESSED and place.stem:
        place = place.with_suffix("")
    name = place.name + SUFFIX
    return place.with_name(name) if folder is None else folder / name


def _last_part(member: str) -> str:
    return member.replace("\\", "/").rsplit("/", 1)[-1]


def require_zstd() -> None:
    """Raise UsageError where zstd cannot be written."""
    try:
        import zstandard  # noqa: F401
    except ImportError:
        raise UsageError(
            "`archive recompress` needs more packages: pip install 'skatspec[archive]'"
        ) from None


# ---------------------------------------------------------------- the copy


def _silent(what: str, done: int) -> None:
    """Say nothing."""


def _write(
    pieces: Iterator[bytes], stream: IO[bytes], level: int, frame: int, threads: int
) -> tuple[bytes, int, int]:
    """Write the pieces as frames; return their digest, their size, the number of frames."""
    digest, size = hashlib.sha256(), 0
    writer = SeekableWriter(stream, level, threads)
    held = bytearray()
    try:
        for piece in pieces:
            digest.update(piece)
            size += len(piece)
            held += piece
            while len(held) >= frame:
                cut = _end_of_line(held, frame)
                if cut == 0:
                    break
                writer.add(bytes(memoryview(held)[:cut]))
                del held[:cut]
        if held:
            writer.add(bytes(held))
        return digest.digest(), size, writer.finish()
    except OSError as error:
        raise UsageError(f"the copy cannot be written: {error.strerror or error}") from None
    finally:
        writer.close()


def _end_of_line(held: bytearray, frame: int) -> int:
    """Return where the last line ends in the first `frame` bytes, else the first one behind.

    0 says that more must be read to see a line's end.
    """
    for end in (b"\n", b"\r"):
        # a CR at the very end may be half of a line's end
        at = held.rfind(end, 0, min(frame, len(held) - (end == b"\r")))
        if at >= 0:
            return at + 1
        at = held.find(end, frame, len(held) - (end == b"\r"))
        if 0 <= at < LARGEST_FRAME:
            return at + 1
    return LARGEST_FRAME if len(held) >= LARGEST_FRAME else 0


def _read_back(draft: Path, digest: bytes, size: int, threads: int, tell: Progress) -> None:
    """Raise InputError unless the copy has a good table and holds what was read."""
    found, done = hashlib.sha256(), 0
    table = frames(str(draft))
    # with two threads the table is used, not only the frames' row
    for piece in parallel_chunks(str(draft), _CHUNK, max(threads, 2)):
        found.update(piece)
        done += len(piece)
        tell("reading back", done)
    if table is None or table.unpacked[-1] != size or found.digest() != digest:
        raise InputError("E008", "the copy does not read back as it was written", str(draft))


# ---------------------------------------------------------------- the file


@contextmanager
def _draft(target: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """Open a file beside the target, which is gone again when the block ends."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as stream:
            yield draft, stream
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"{target} cannot be written: {why}") from None
    finally:
        draft.unlink(missing_ok=True)


def _move(draft: Path, target: Path, force: bool) -> None:
    """Give the draft its name, without writing over what came there meanwhile."""
    if force:
        draft.replace(target)
    else:
        try:
            target.hardlink_to(draft)
        except FileExistsError:
            raise UsageError(f"{target} is there already; --force writes it anew") from None
        except OSError:  # a file system without links
            if os.path.lexists(target):
                raise UsageError(f"{target} is there already") from None
            draft.replace(target)
    with suppress(OSError):  # not every system opens folders
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
