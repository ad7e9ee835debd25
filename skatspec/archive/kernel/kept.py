"""Where the kernel's compiled code is kept between runs, and whether it is there.

Numba keeps what it compiled by the file of each function, and does not notice that a constant
or a function of another file has changed. So what is kept lies in a folder named by the
digest of every source that the kernel is made of: a changed source means another folder.
Nothing heavy is imported here.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

from skatspec.resources import cache_folder

_HERE = Path(__file__).parent
_PACKAGE = _HERE.parent.parent
# Beside the kernel's own modules those whose constants are compiled into it.
_OTHERS = ("cards", "record", "rules/tables", "engine/facts", "formats/iss_words")
# What Numba compiles for; its own settings can change that.
_SETTINGS = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_OPT", "NUMBA_DISABLE_JIT")


@cache
def folder() -> Path | None:
    """Return the folder of this kernel's compiled code, None where nothing can be written."""
    try:
        digest = hashlib.sha256(metadata.version("numba").encode())
        for path in _sources():
            digest.update(path.read_bytes())
    except (OSError, metadata.PackageNotFoundError):
        return None  # no Numba to keep anything for
    return cache_folder(f"kernel-{digest.hexdigest()[:16]}")


def _sources() -> list[Path]:
    found = [*sorted(_HERE.glob("*.py")), *(_PACKAGE / f"{name}.py" for name in _OTHERS)]
    return [path for path in found if path.exists()]


def is_cached() -> bool:
    """Say whether the kernel was compiled on such a machine before, and would only be loaded."""
    here = folder()
    return here is not None and (here / _mark()).exists() and any(here.rglob("*.nbi"))


def mark() -> None:
    """Note that all of the kernel is compiled; where that cannot be written, nobody will know."""
    here = folder()
    if here is None:
        return
    try:
        (here / _mark()).touch()
    except OSError:
        return


@cache
def _mark() -> str:
    """Return the name of the note: what compiled code depends on beside the sources' text."""
    parts = [sys.implementation.cache_tag or "", platform.machine(), _processor()]
    parts += [os.environ.get(name, "") for name in _SETTINGS]
    # Numba takes a source with another date for another source
    parts += [f"{path.stat().st_mtime_ns} {path.stat().st_size}" for path in _sources()]
    return f"complete-{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:16]}"


def _processor() -> str:
    """Return what tells processors apart for a compiler."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor()
    wanted = ("model name", "flags", "Features", "CPU part")
    lines = [line for line in text.split("\n\n")[0].splitlines() if line.startswith(wanted)]
    return "\n".join(lines)
