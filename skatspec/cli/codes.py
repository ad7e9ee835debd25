"""`--select` and `--ignore`: which findings are shown and decide the exit code."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from skatspec.diagnostics import catalog
from skatspec.errors import UsageError

_SUGGESTED = 3


class Selection:
    """Which codes count. The closest match decides; at equal length `ignore` does."""

    def __init__(self, select: Iterable[str] = (), ignore: Iterable[str] = ()) -> None:
        self._select = tuple(_prefixes(select))
        self._ignore = tuple(_prefixes(ignore))
        self._known: dict[str, bool] = {}
        self.everything = not self._select and not self._ignore

    def __contains__(self, code: str) -> bool:
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = self._decide(code)
        return known

    def _decide(self, code: str) -> bool:
        chosen = _longest(code, self._select)
        if not self._select:
            chosen = 0
        return chosen >= 0 and chosen > _longest(code, self._ignore)


def _longest(code: str, prefixes: Iterable[str]) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


def _prefixes(given: Iterable[str]) -> list[str]:
    return [expand(part.strip()) for text in given for part in text.split(",") if part.strip()]


def expand(text: str) -> str:
    """Return the code, or the prefix of codes, that a code, prefix or name stands for.

    Raises UsageError where nothing begins with it.
    """
    upper = text.upper()
    for code, row in catalog().items():
        if row.name == text.lower():
            return code
        if code.startswith(upper):
            return upper
    near = ", ".join(f"{name} ({code})" for name, code in _near(text.lower()))
    raise UsageError(
        f"no code begins with, or is named, {text!r}" + (f"; did you mean {near}?" if near else "")
    )


def _near(text: str) -> list[tuple[str, str]]:
    """Return the names, with their codes, that someone who wrote `text` may have meant."""
    names = {row.name: code for code, row in catalog().items()}
    found = difflib.get_close_matches(text, names, _SUGGESTED)
    found += [name for name in names if len(text) > 2 and text in name and name not in found]
    return [(name, names[name]) for name in found[:_SUGGESTED]]
