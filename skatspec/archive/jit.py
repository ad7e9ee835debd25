"""How the kernel is compiled: without the interpreter's lock, and kept between runs.

Numba keeps what it compiled by the file of each function, and does not notice that a constant
or a function of another file has changed. So what is kept lies in a folder named by the
digest of every source that the kernel is made of: a changed source means another folder.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import njit

_HERE = Path(__file__).parent
# The kernel's own modules, and those whose constants are compiled into it.
_SOURCES = (*sorted(_HERE.glob("*.py")), *(_HERE.parent / name for name in (
    "cards.py", "record.py", "rules/tables.py", "engine/facts.py", "formats/iss_words.py",
)))  # fmt: skip


def _folder() -> Path | None:
    """Return where compiled code is kept, None where nothing can be written."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in _SOURCES:
        digest.update(path.read_bytes())
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(base) / "skatspec" / f"kernel-{digest.hexdigest()[:16]}"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, or none to write in
        return None
    return folder if os.access(folder, os.W_OK) else None


_FOLDER = _folder()


def compiled(**options: Any) -> Callable[[Any], Any]:
    """Return a decorator that compiles a function when it is first called."""

    def decorate(function: Any) -> Any:
        if _FOLDER is None:
            return njit(nogil=True, **options)(function)
        # the folder is read while the function is decorated, and by nobody else
        settings: Any = numba.config
        before, settings.CACHE_DIR = settings.CACHE_DIR, str(_FOLDER)
        try:
            return njit(nogil=True, cache=True, **options)(function)
        finally:
            settings.CACHE_DIR = before

    return decorate
