"""The words of score sheets in both languages, from headings.yaml; no word stands in Python.

`fold` is how headings, names of lines and names of games are compared, `plain` how all
other cells are, and `same_name` how players are.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from skatspec.sheet import TOTAL

_FILE = Path(__file__).with_name("headings.yaml")
_BETWEEN = re.compile(r"[\s_.‐‑\-]+")
# A place's number behind the word for a total.
_NUMBERED = re.compile(r"(\D+)([1-9])", re.ASCII)
# Longer headings are none, and are not compared with those there are.
_LONGEST = 60
# What cells have for a minus, and what an empty cell may hold.
DASHES = "-‐‑‒–—−"
_TO_HYPHEN = str.maketrans(dict.fromkeys(DASHES, "-"))
# What spreadsheets, readers and UTF-8 take for something else than text.
_UNFIT = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufeff\ud800-\udfff]")
LANGUAGES = ("en", "de")


class Game(NamedTuple):
    """What a contract's cell says: the game, and Hand and Ouvert where it says so."""

    contract: str
    hand: bool | None = None
    ouvert: bool | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """What each folded (`plain` for flags and results) word stands for."""

    columns: Mapping[str, str]
    two_values: Mapping[str, str]
    totals: frozenset[str]
    lines: Mapping[str, str]
    sums: Mapping[str, str]
    systems: Mapping[str, str]
    games: Mapping[str, Game]
    sides: Mapping[str, bool]
    flags: Mapping[str, bool]
    kontra: Mapping[str, int]
    results: Mapping[str, bool]
    nobody: frozenset[str]
    written: Mapping[str, Mapping[str, tuple[str, ...]]]

    def total_of(self, heading: str) -> str | None:
        """Return the name behind a word for a total, `Summe Anna`, None where none stands."""
        parts = clean(heading).split(" ")
        for words in range(1, len(parts)):
            if fold(" ".join(parts[:words])) in self.totals:
                return " ".join(parts[words:])
        return None

    def word(self, group: str, name: str, lang: str) -> str:
        """Return the word that a sheet is written with in a language, `en` or `de`."""
        words = self.written[group][name]
        return words[min(LANGUAGES.index(lang), len(words) - 1)]


def clean(text: str) -> str:
    """Return a text in one line, single blanks between words, without control characters."""
    return " ".join(_UNFIT.sub("", text).split())


def fold(text: str) -> str:
    """Return a word without upper case, blanks, underscores, hyphens and dots."""
    return _BETWEEN.sub("", unicodedata.normalize("NFC", text).casefold())


def plain(text: str) -> str:
    """Return a cell's text without upper case and odd blanks, its dashes as hyphens."""
    text = unicodedata.normalize("NFC", text).casefold().translate(_TO_HYPHEN)
    return " ".join(text.split())


@lru_cache(maxsize=4096)
def same_name(name: str) -> str:
    """Return a player's name as names are compared: case and blanks do not count."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _turned(group: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {_key(word): name for name, words in group.items() for word in words}


def _key(word: str) -> str:
    """Return a word as words are looked up: folded, a sign that folding would lose as it is."""
    return fold(word) or plain(word)


def _either(data: Mapping[str, Any], true: str, false: str) -> dict[str, bool]:
    return {plain(word): key == true for key in (true, false) for word in data[key]}


def _games(data: Mapping[str, Any]) -> dict[str, Game]:
    """Return every way to name a game, what stands behind the name included."""
    hand = ["", *{fold(word) for word in data["with_game"]["hand"]}]
    ouvert = ["", *{fold(word) for word in data["with_game"]["ouvert"]}]
    games: dict[str, Game] = {}
    for word, contract in _turned(data["contracts"]).items():
        if word.isdecimal():
            games[word] = Game(contract)
            continue
        for one in hand:
            for other in ouvert:
                game = Game(contract, True if one else None, True if other else None)
                games[word + one + other] = games[word + other + one] = game
    for figure, said in data["coded"].items():
        games[figure] = Game(said["contract"], said["hand"], said["ouvert"])
    return games


@cache
def words() -> Words:
    """Return the words of headings.yaml."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data = yaml.load(_FILE.read_text(encoding="utf-8"), loader)
    groups = ("columns", "lines", "sums", "systems", "contracts")
    written = {name: {key: tuple(each) for key, each in data[name].items()} for name in groups}
    one = {name: {name: tuple(data[name])} for name in ("totals", "with", "without", "won", "lost")}
    return Words(
        _turned(data["columns"]),
        _turned(data["two_values"]),
        frozenset(fold(word) for word in data["totals"]),
        _turned(data["lines"]),
        _turned(data["sums"]),
        _turned(data["systems"]),
        _games(data),
        _either(data, "with", "without"),
        _either(data, "yes", "no"),
        {plain(word): int(count) for count, each in data["kontra"].items() for word in each},
        _either(data, "won", "lost"),
        frozenset(plain(word) for word in data["nobody"]),
        {**written, **one},
    )


def column(heading: str) -> str | None:
    """Return the column that a heading names, None where it names none."""
    return _column(heading) if len(heading) <= _LONGEST else None


@lru_cache(maxsize=4096)
def _column(heading: str) -> str | None:
    key, known = fold(heading), words()
    found = known.columns.get(key) or known.columns.get(plain(heading))
    if found is None and (numbered := _NUMBERED.fullmatch(key)):
        return TOTAL + numbered[2] if numbered[1] in known.totals else None
    return found


@lru_cache(maxsize=1024)
def hint(word: str, group: str) -> str:
    """Return `, did you mean X?` with the word of a group nearest to a misspelt one, or nothing."""
    if len(word) > _LONGEST:
        return ""
    known = {fold(one): one for each in words().written[group].values() for one in each}
    found = difflib.get_close_matches(fold(word), known, 1)
    return f", did you mean {known[found[0]]}?" if found else ""
