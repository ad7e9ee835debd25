"""Finds grammar/, schemas/ and records/: the wheel's copy, else the repository's; and the cache.

Nothing else in the package builds a path to these folders.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from skatspec.errors import SkatspecError

_PACKAGE = Path(__file__).resolve().parent


@cache
def locate(*parts: str) -> Path:
    """Return the path of a packaged data file or folder, e.g. `locate("grammar", "skat.lark")`.

    Raises SkatspecError when neither the wheel nor the checkout holds it.
    """
    for root in (_PACKAGE / "_data", _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise SkatspecError(f"the installation lacks {'/'.join(parts)}")


def text(*parts: str) -> str:
    """Return a packaged data file's text."""
    return locate(*parts).read_text(encoding="utf-8")


@cache
def cache_folder(*parts: str) -> Path | None:
    """Return a folder of this user's for what is quicker kept than made, None where there is none.

    It lies below `XDG_CACHE_HOME`, or `.cache` in the home folder, and may be removed at any time.
    """
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        made = Path(base, "skatspec", *parts)
        made.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, or none to write in
        return None
    return made if os.access(made, os.W_OK) else None
