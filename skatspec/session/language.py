"""What lists and their disputes say, in German: words that fill slots, lines of settlements.

The program speaks English inside; german.yaml has what it says in German. What stands on
a list - names, cells - is nobody's to translate and is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from skatspec.diagnostics import Diagnostic, entry, message
from skatspec.diagnostics.catalog import catalog

_FILE = Path(__file__).with_name("german.yaml")
GERMAN = "de"
# How far a text is taken apart: an objection holds a game, which is a list of words.
_DEEPEST = 5
# A longer text is none of the program's.
_LONGEST = 2000
_JOINTS = ((", ", ", "), ("; ", "; "), (" or ", " oder "), (" and ", " und "))
# Whose figures are names of players, and what stands for nobody's.
_PEOPLE = ("the declarer", "the dealer")
_NOBODY = {"nobody": "niemand", "somebody": "jemand"}
_SLOT = re.compile(r"\{(\w+)\}")
# Sources that are not read, and those that another one is read as.
_CITED = (("section unverified", "Abschnitt ungeprüft"), ("(read as ", "(gelesen als "))


@dataclass(frozen=True, slots=True)
class _German:
    """german.yaml as it is used: `patterns` are tried in order."""

    slots: Mapping[str, frozenset[str]]
    messages: Mapping[str, str]
    phrases: Mapping[str, str]
    page: Mapping[str, str]
    patterns: tuple[tuple[re.Pattern[str], str], ...]


@cache
def _german() -> _German:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data = yaml.load(_FILE.read_text(encoding="utf-8"), Loader=loader)
    patterns = [(re.compile(one, re.DOTALL), other) for one, other in data["patterns"]]
    # a finding inside another is told by its whole text
    patterns += [(_told(code), text) for code, text in data["messages"].items()]
    slots = {code: frozenset(names) for code, names in data["slots"].items()}
    return _German(slots, data["messages"], data["phrases"], data["page"], tuple(patterns))


def _told(code: str) -> re.Pattern[str]:
    """Return what a code's English text looks like, its slots as groups."""
    parts = _SLOT.split(catalog()[code].text)
    pieces = [
        f"(?P<{part}>.*?)" if number % 2 else re.escape(part) for number, part in enumerate(parts)
    ]
    return re.compile("".join(pieces), re.DOTALL)


def translate(text: str, lang: str) -> str:
    """Return a text of the program in a language; one that is not known stays as it is."""
    if lang != GERMAN:
        return text
    found = translated(text)
    return text if found is None else found


@lru_cache(maxsize=1 << 14)
def translated(text: str) -> str | None:
    """Return the German for a text of the program, None where there is none."""
    return _in_german(text, _DEEPEST) if len(text) <= _LONGEST else None


def _in_german(text: str, deep: int) -> str | None:
    words = _german()
    found = words.phrases.get(text)
    if found is not None:
        return found
    if not text or not deep:
        return text or None
    for pattern, german in words.patterns:
        fitting = pattern.fullmatch(text)
        if fitting is not None:
            filled = _filled(fitting.groupdict(""), deep)
            if filled is not None:
                return german.format_map(filled)
    return _list_of_parts(text, deep)


def _filled(groups: Mapping[str, str], deep: int) -> dict[str, str] | None:
    """Return a pattern's groups in German, None where one that has to be known is not."""
    filled = {}
    for name, text in groups.items():
        if name in ("t", "t1", "t2"):
            german = _in_german(text, deep - 1)
            if german is None:
                return None
            filled[name] = german
        elif len(name) > 1:  # the slot of a message
            german = _in_german(text, deep - 1)
            filled[name] = text if german is None else german
        else:
            filled[name] = _FIGURES.get(name, str)(text)
    return filled


_FIGURES: dict[str, Any] = {
    "k": lambda text: text.replace(",", "."),
    "d": lambda text: text.replace(".", ","),
    "c": str.title,
}


def _list_of_parts(text: str, deep: int) -> str | None:
    """Return a text in German that is a list of texts, all of them known."""
    for joint, german in _JOINTS:
        if joint in text:
            parts = [_in_german(part, deep - 1) for part in text.split(joint)]
            known = [part for part in parts if part is not None]
            if len(known) == len(parts):
                return german.join(known)
    return None


def say(found: Diagnostic, lang: str) -> str:
    """Return the one-line text of a finding, words of the program in the language too."""
    if lang != GERMAN:
        return message(found, lang)
    words = _german().slots.get(found.code, frozenset())
    if words:
        slots = tuple(
            (name, translate(text, lang) if name in words else text) for name, text in found.slots
        )
        read, expected = word(found, "read", lang), word(found, "expected", lang)
        found = replace(found, slots=slots, read=read, expected=expected)
    own = _german().messages.get(found.code)
    if own is None or entry(found.code).text_de:
        return message(found, lang)
    filled = {"read": found.read, "expected": found.expected, **dict(found.slots)}
    return own.format_map(filled)


def word(found: Diagnostic, slot: str, lang: str) -> str:
    """Return what a finding read or expected, in the language where it is a word of the program."""
    text = found.read if slot == "read" else found.expected
    if lang == GERMAN and dict(found.slots).get("what") in _PEOPLE:
        return _NOBODY.get(text) or text.replace(" and ", " und ")
    known = slot in _german().slots.get(found.code, frozenset())
    return translate(text, lang) if known else text


def cite(rule: str, lang: str) -> str:
    """Return a rule's citation; what is said about it beside the citation in the language."""
    if lang == GERMAN:
        for english, german in _CITED:
            rule = rule.replace(english, german)
    return rule


def ui(text: str, lang: str, **slots: object) -> str:
    """Return what a page or a table says of itself, its slots filled.

    Raises KeyError for a text that german.yaml does not have under `page`.
    """
    if lang == GERMAN:
        text = _german().page[text]
    return text.format_map(slots) if slots else text
