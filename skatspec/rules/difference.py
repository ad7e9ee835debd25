"""What one profile says that another does not: changed keys with their sources, as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skatspec.rules.profile import Profile, plain

# Keys that say what a profile is rather than what it rules.
_DESCRIPTIVE = (
    "name", "extends", "apply", "title", "edition", "language", "deviations", "sources", "switches",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """One key whose value differs; `old` or `new` is None where a side lacks the key."""

    key: str
    old: Any
    new: Any


def changed_keys(a: Profile, b: Profile, *, sources: bool = False) -> list[Change]:
    """Return the rules that differ from `a` to `b`, in the order of the keys.

    With `sources`, the citations that differ instead.
    """
    if sources:
        return list(_changes("", a.data["sources"], b.data["sources"]))
    left = {key: value for key, value in a.data.items() if key not in _DESCRIPTIVE}
    right = {key: value for key, value in b.data.items() if key not in _DESCRIPTIVE}
    return list(_changes("", left, right))


def ruled_keys(profiles: Sequence[Profile]) -> list[str]:
    """Return the dotted keys at which profiles can differ, in the order of the first.

    A mapping that every one of them has is gone into, another is a value as a whole.
    """
    sections = [
        {key: value for key, value in one.data.items() if key not in _DESCRIPTIVE}
        for one in profiles
    ]
    found: list[str] = []
    todo: list[tuple[str, Sequence[Any]]] = [("", sections)]
    while todo:
        path, values = todo.pop()
        if not all(isinstance(value, Mapping) for value in values):
            found.append(path)
            continue
        keys = dict.fromkeys(key for value in values for key in value)
        inner = [(f"{path}.{key}" if path else key, [v.get(key) for v in values]) for key in keys]
        todo += reversed(inner)
    return found


def _changes(path: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Change]:
    for key in (*a, *(key for key in b if key not in a)):
        left, right = a.get(key), b.get(key)
        here = f"{path}.{key}" if path else key
        if left == right:
            continue
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            yield from _changes(here, left, right)
        else:
            yield Change(here, plain(left), plain(right))
