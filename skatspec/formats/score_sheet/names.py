"""Players by their names: in full, by a word that only one of them has, or nearly."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from skatspec.formats.score_sheet.words import clean, same_name

# A longer name has no short form, and is not compared with those there are.
_LONGEST = 100
_WORD = re.compile(r"\w+")
_AROUND = ",;()"
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "æ": "ae", "ø": "oe"})


def short_names(names: Iterable[str]) -> dict[str, set[str]]:
    """Return the words of names, each with the names that have it.

    Names and words are as `same_name` gives them. A word without a letter is no name.
    """
    found: dict[str, set[str]] = {}
    for name in names:
        for part in name.split() if len(name) <= _LONGEST else ():
            word = part.strip(_AROUND)
            if any(map(str.isalpha, word)):
                found.setdefault(word, set()).add(name)
    return found


def whole_name(name: str, names: Collection[str], short: Mapping[str, set[str]]) -> str | None:
    """Return the one of `names` that a name is, or is a word of; None where that is none of them.

    A word that two names have is none of them. `short` are the words of `names`.
    """
    if name in names:
        return name
    having = short.get(name, ())
    return next(iter(having)) if len(having) == 1 else None


class Names:
    """The players of a table, from 0, by their names."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._places: dict[str, list[int]] = {}
        for number, name in enumerate(self._names):
            if key := same_name(name):
                self._places.setdefault(key, []).append(number)
        self._short: dict[str, set[str]] | None = None

    def __bool__(self) -> bool:
        return bool(self._places)

    def find(self, name: str) -> list[int]:
        """Return where a name sits: nowhere, at a place, or twice at the table.

        The name is that of a player, or a word that no other player's name has.
        """
        key = same_name(name)
        found = self._places.get(key)
        if found is None:
            found = self._places.get(whole_name(key, (), self._words()) or "", [])
        return found

    def is_full(self, name: str) -> bool:
        """Say whether a player is called so in full."""
        return same_name(name) in self._places

    def first(self, name: str) -> int | None:
        """Return the first place where a name sits, None where nobody is called so."""
        return next(iter(self.find(name)), None)

    def hint(self, *names: str) -> str:
        """Return `, did you mean X?` with the players who are near to names, or nothing."""
        near = dict.fromkeys(one for name in names for one in self._near(name))
        return f", did you mean {' / '.join(near)}?" if near else ""

    def _near(self, name: str) -> list[str]:
        """Return the players, as they are spelt, whose names have a word, else the nearest."""
        key = same_name(name)
        having = self._words().get(key, set())
        if not having and len(key) <= _LONGEST:
            written = {_written_out(one): {one} for one in self._places if len(one) <= _LONGEST}
            for word, names in self._words().items():
                written.setdefault(_written_out(word), names)
            nearest = difflib.get_close_matches(_written_out(key), written, 1)
            having = {one for each in nearest for one in written[each]}
        return [
            clean(self._names[places[0]]) for one, places in self._places.items() if one in having
        ]

    def _words(self) -> dict[str, set[str]]:
        if self._short is None:
            self._short = short_names(self._places)
        return self._short


def _written_out(name: str) -> str:
    """Return a name with plain letters alone, Moeller for Möller."""
    parts = unicodedata.normalize("NFD", name.translate(_WRITTEN_OUT))
    return "".join(part for part in parts if not unicodedata.combining(part))


def meant(name: str, players: Sequence[str]) -> list[int]:
    """Return the players whom a name may mean: by all of it, else by whole words of it.

    Both are as `same_name` gives them. So `Franz` and `Jäger` mean `Franz Jäger`, and he is
    meant where the list says `Franz`.
    A word that several players have means none of them.
    """
    whole = [seat for seat, one in enumerate(players) if one == name]
    if whole:
        return whole
    own = words_of(name)
    parts = [seat for seat, one in enumerate(players)
             if own and (words := words_of(one)) and (own <= words or words <= own)]  # fmt: skip
    return parts if len(parts) == 1 else []


@lru_cache(maxsize=4096)
def words_of(name: str) -> frozenset[str]:
    """Return the words of a name."""
    return frozenset(_WORD.findall(name))
