"""Finds grammar/, schemas/ and records/: the wheel's copy, else the repository's.

Nothing else in the package builds a path to these folders.
"""

from __future__ import annotations

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
