"""What a measurement ran on, and what of a file the system still holds in memory."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

_LIBRARIES = ("numba", "numpy", "pyarrow", "zstandard", "rapidgzip", "open_spiel", "chess")
_PLACES = 64
_PAGE = 4096


def described(names: Iterable[str] = _LIBRARIES) -> list[str]:
    """Return lines that name processor, cores, memory, system, Python and libraries."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    versions = [f"{name} {found}" for name in names if (found := _version(name))]
    return [
        f"{_field('/proc/cpuinfo', 'model name') or platform.processor()}, {cores} cores, "
        f"{_field('/proc/meminfo', 'MemTotal') or 'memory unknown'}",
        f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        ", ".join(versions),
    ]


def load() -> str:
    """Return the load of the last minute, "unknown" where the system does not tell."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _field(path: str, key: str) -> str:
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(key)), "")


def forget(path: Path, everything: bool = False) -> str:
    """Ask the system to drop a file from the page cache, and say in words what came of it.

    `everything` drops all caches of the machine, which needs its administrator; libraries and
    the interpreter are cold as well then.
    """
    if not hasattr(os, "posix_fadvise"):
        return "page cache: nothing dropped, the system has no call for it"
    with path.open("rb") as file:
        os.fsync(file.fileno())  # what is not written yet cannot be dropped
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    dropped = "the file's own pages"
    if everything:
        try:
            Path("/proc/sys/vm/drop_caches").write_text("3\n", encoding="ascii")
            dropped = "all of the machine's"
        except OSError:
            dropped += ", the machine's not permitted"
    return f"page cache: dropped {dropped}, {_left(path)}"


def _left(path: Path) -> str:
    """Say what share of a file is held in memory, looked at in a few places."""
    if not hasattr(os, "RWF_NOWAIT"):
        return "how much is left is unknown"
    size, held, seen = path.stat().st_size, 0, 0
    room = bytearray(1)
    with path.open("rb", buffering=0) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)  # look, do not read ahead
        for place in range(0, max(size, 1), max(size // _PLACES, _PAGE)):
            seen += 1
            try:
                held += os.preadv(file.fileno(), [room], place, os.RWF_NOWAIT) > 0
            except BlockingIOError:
                continue
            except OSError:
                return "how much is left cannot be told here"
    return f"{held} of {seen} places looked at are still held"
