"""Rules in a referee's words: what a profile does by a key, as words.yaml has it.

No key and no value is known here; one without an entry is shown as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from skatspec.rules import Rules, yaml_lines
from skatspec.rules.difference import Change
from skatspec.rules.profile import Profile, plain

_FILE = Path(__file__).with_name("words.yaml")
STAR = "*"


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """What words.yaml has for a pattern of keys: see there."""

    pattern: tuple[str, ...]
    rule: str
    topic: str
    does: str = ""
    absent: str = ""
    words: Mapping[str, str] | None = None
    forms: Mapping[str, str] | None = None
    names: Mapping[str, str] | None = None
    order: bool = False
    sign: bool = False

    def stars(self, steps: tuple[str, ...]) -> tuple[str, ...]:
        """Return what the stars of the pattern stand for in a key that fits it."""
        return tuple(step for mine, step in zip(self.pattern, steps, strict=True) if mine == STAR)


@dataclass(frozen=True, slots=True)
class Note:
    """One rule that differs: its name, what either side does, and the keys behind it.

    `rule` is empty where words.yaml has no words, and the keys tell it all; `played` is False
    where neither side plays what the rule is part of.
    """

    rule: str
    topic: str
    old: str
    new: str
    changes: tuple[Change, ...]
    played: bool = True


@cache
def _file() -> tuple[Mapping[str, str], Mapping[str, Any], tuple[Entry, ...]]:
    data, _ = yaml_lines.load(_FILE.read_text(encoding="utf-8"), _FILE.name)
    entries = [Entry(tuple(key.split(".")), **entry) for key, entry in data["rules"].items()]
    return data["names"], data["off"], tuple(entries)


def entry_of(key: str) -> Entry | None:
    """Return the first entry whose pattern fits a dotted key."""
    steps = tuple(key.split("."))
    for entry in _file()[2]:
        if len(entry.pattern) == len(steps) and all(
            mine in (STAR, step) for mine, step in zip(entry.pattern, steps, strict=True)
        ):
            return entry
    return None


def rule_name(entry: Entry, keys: Iterable[str]) -> str:
    """Return the name of the rule behind keys that differ in the first star at most."""
    stars = [entry.stars(tuple(key.split("."))) for key in keys]
    if not stars[0]:
        return entry.rule
    joined = _listed([_name(entry, one[0]) for one in stars], False)
    return _capital(entry.rule.format(joined, *(_name(entry, one) for one in stars[0][1:])))


def not_played(key: str, rules: Rules) -> str:
    """Return what is said of a profile that does not play what a key is part of, else ""."""
    for section, off in _file()[1].items():
        told = off["when"]
        if key.startswith(f"{section}.") and key not in told:
            if all(value_of(rules.profile, name) == value for name, value in told.items()):
                return str(off["says"])
            return ""
    return ""


def does(key: str, value: Any, rules: Rules) -> str:
    """Return what a profile does by the value of a key (None: it has none), "" without words."""
    entry, ladder = entry_of(key), rules.tables.bids
    off = not_played(key, rules)
    if entry is None or off:
        return off
    ends = {"lowest": ladder[0], "highest": ladder[-1]}
    if value is None:
        return entry.absent.format(**ends)
    own = (entry.words or {}).get(_word(value))
    if own is not None:
        return own
    if isinstance(value, dict):
        own = next((text for part, text in (entry.forms or {}).items() if part in value), None)
        parts = _Parts({k: _text(entry, v) for k, v in value.items()})
        return (own or entry.does).format_map(parts)
    return entry.does.format(_text(entry, value), **ends)


def value_of(profile: Profile, key: str) -> Any:
    """Return the value of a dotted key as plain data, None where the profile has no such key."""
    holder: Any = profile.data
    for step in key.split("."):
        if not isinstance(holder, Mapping) or step not in holder:
            return None
        holder = holder[step]
    return plain(holder)


def notes(changes: Iterable[Change], a: Rules, b: Rules) -> Iterator[Note]:
    """Yield a note for each rule that differs, keys that differ alike being one."""
    groups: dict[Any, list[Change]] = {}
    for change in changes:
        entry = entry_of(change.key)
        rule: tuple[Any, ...] = (change.key,)
        if entry is not None:
            rule = (entry.pattern, entry.stars(tuple(change.key.split(".")))[1:])
        groups.setdefault((*rule, repr(change.old), repr(change.new)), []).append(change)
    for group in groups.values():
        keys = [change.key for change in group]
        entry = entry_of(keys[0])
        old, new = does(keys[0], group[0].old, a), does(keys[0], group[0].new, b)
        topic = entry.topic if entry else ""
        played = not (not_played(keys[0], a) and not_played(keys[0], b))
        if entry is None or not (old and new):
            yield from (Note("", topic, "", "", (change,), played) for change in group)
            continue
        yield Note(rule_name(entry, keys), topic, old, new, tuple(group), played)


class _Parts(dict[str, str]):
    """The parts of a mapping; one that is not there is said to be so."""

    def __missing__(self, key: str) -> str:
        return "nothing"


def _word(value: Any) -> str:
    """Return the key under which words.yaml has a value."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return str(value[0]) if len(value) == 1 else "" if value else "empty"
    return "" if isinstance(value, dict) else str(value)


def _text(entry: Entry, value: Any) -> str:
    if isinstance(value, list):
        return _listed([_name(entry, str(one)) for one in value], entry.order)
    if isinstance(value, int) and entry.sign:
        return f"{value:+d}"
    return _name(entry, str(value))


def _name(entry: Entry, word: str) -> str:
    return (entry.names or {}).get(word) or _file()[0].get(word, word)


def _listed(words: list[str], order: bool) -> str:
    if order or len(words) < 2:
        return ", ".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
