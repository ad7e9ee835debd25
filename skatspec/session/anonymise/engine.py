"""Names to stable pseudonyms and back: what happens to one file, unit by unit.

No format is known here (`formats`), and no file is opened (`files`). The
places of a file are gone through in the same order both ways, and pseudonyms are counted, so
that a spelling out of the ordinary is found again by its number.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from skatspec.errors import UsageError
from skatspec.session.anonymise.key import PSEUDONYM, SHAPE, Events, Key, fold, is_program
from skatspec.session.anonymise.places import Names, Part, Spelling, Text, Unit, decoded

# Shorter names are words of any text, or cards.
SHORTEST_SOUGHT = 3
# Names of so many units before are sought in texts, too: who sits out is named by others.
_UNITS_BACK = 3
_TOKEN = rf"(?<![0-9A-Za-z_]){SHAPE}(?![0-9A-Za-z_])"
_LETTERS = re.compile(r"[^\W\d_]{2}")
# Names of these characters alone are spelt in one way only, whatever the format and encoding.
_UNAMBIGUOUS = re.compile(r"[0-9A-Za-z _.:@()+-]*")
_MOST_LABELS = 6
# So many different texts are told apart.
_MOST_TEXTS = 1 << 17


class Tally:
    """How many different texts there are, as far as so many are told apart."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def __len__(self) -> int:
        return len(self._seen)

    @property
    def is_full(self) -> bool:
        """Say whether there may be more."""
        return len(self._seen) >= _MOST_TEXTS

    def note(self, text: str) -> None:
        """Count a text unless it was met before."""
        if not self.is_full:
            self._seen.add(hash(text))

    def add(self, other: Tally) -> None:
        """Count what was met elsewhere."""
        for one in other._seen:
            if self.is_full:
                break
            self._seen.add(one)


@dataclass(slots=True)
class Counts:
    """What was done: records and lists, pseudonyms put in or taken out, different free texts."""

    records: int = 0
    lists: int = 0
    replaced: int = 0
    dropped: int = 0
    comments: Tally = field(default_factory=Tally)
    texts: Tally = field(default_factory=Tally)
    labels: Counter[str] = field(default_factory=Counter)

    def add(self, other: Counts) -> None:
        """Add what was done elsewhere."""
        self.records += other.records
        self.lists += other.lists
        self.replaced += other.replaced
        self.dropped += other.dropped
        self.comments.add(other.comments)
        self.texts.add(other.texts)
        self.labels += other.labels

    def count(self, unit: Unit) -> None:
        """Count a unit with names."""
        if any(isinstance(one, Names) for one in unit.places):
            self.lists += unit.of_list
            self.records += not unit.of_list

    def note(self, place: Text, rest: str) -> None:
        """Count a text by what is left of it without its known names.

        Numbers and blanks name nobody.
        """
        if not place.noted or _LETTERS.search(rest) is None:
            return
        if place.comment:
            self.comments.note(rest)
            return
        known = place.label in self.labels or len(self.labels) < _MOST_LABELS
        label = place.label if known else "others"
        self.labels[label] += 1
        self.texts.note(f"{label}: {rest}")


class _Spelt:
    """How each name is spelt at the moment: as usual, unless the file said otherwise before."""

    def __init__(self) -> None:
        self._now: dict[tuple[str, str], bytes] = {}

    def now(self, kind: str, spelling: Spelling, pseudonym: str, name: str) -> bytes:
        spelt = self._now.get((kind, pseudonym))
        if spelt is None:
            return spelling.write(name).encode("utf-8", "surrogatepass")
        return spelt

    def change(self, kind: str, pseudonym: str, spelt: bytes) -> None:
        self._now[kind, pseudonym] = spelt


def _rebuilt(
    unit: Unit, part: Callable[[Part, Spelling], bytes], text: Callable[[Text, bytes], bytes]
) -> bytes:
    """Return a unit's bytes with other names and texts, all else as it is."""
    pieces: list[bytes] = []
    at = 0
    for place in unit.places:
        pieces.append(unit.data[at : place.start])
        at = place.end
        if isinstance(place, Names):
            pieces.append(place.build([part(one, place.spelling) for one in place.parts]))
        else:
            pieces.append(text(place, unit.data[place.start : place.end]))
    pieces.append(unit.data[at:])
    return b"".join(pieces)


class Anonymiser:
    """Puts pseudonyms into the units of one file.

    `events` are the spellings to be remembered of it; `ambiguous` says that another file
    could become the same one.
    """

    def __init__(self, key: Key, drop_comments: bool = False) -> None:
        self.counts = Counts()
        self.events: Events = []
        self.ambiguous = False
        self._key = key
        self._drop = drop_comments
        self._number = 0
        self._spelt = _Spelt()
        self._before: deque[frozenset[str]] = deque(maxlen=_UNITS_BACK)

    def unit(self, unit: Unit) -> bytes:
        """Return a unit's bytes with pseudonyms."""
        if not unit.places:
            return unit.data
        names = frozenset(self._names(unit))
        self.counts.count(unit)
        sought = names.union(*self._before)
        self._before.append(names)
        return _rebuilt(unit, self._part, lambda place, raw: self._text(place, raw, sought))

    def _names(self, unit: Unit) -> Iterator[str]:
        """Yield the names that are sought in the texts of a unit."""
        parts = (one.parts for one in unit.places if isinstance(one, Names))
        for read in (*unit.names, *(part.name for each in parts for part in each)):
            name = fold(read)
            if len(name) >= SHORTEST_SOUGHT and not self._stays(name):
                yield name

    def _stays(self, name: str) -> bool:
        return not name or is_program(name) or name in self._key.names

    def _part(self, part: Part, spelling: Spelling) -> bytes:
        name = fold(part.name)
        if self._stays(name):
            self._number += name in self._key.names
            return part.spelt
        return self._replaced(spelling.kind, spelling, name, part.spelt)

    def _replaced(self, kind: str, spelling: Spelling, name: str, spelt: bytes) -> bytes:
        """Return a name's pseudonym, and remember how the name was spelt."""
        pseudonym = self._key.pseudonym(name)
        if self._spelt.now(kind, spelling, pseudonym, name) != spelt:
            self.events.append((self._number, spelt.decode("utf-8", "surrogateescape")))
            self._spelt.change(kind, pseudonym, spelt)
        if not self.ambiguous:
            self.ambiguous = not _UNAMBIGUOUS.fullmatch(name) or spelling.write(name) != name
        self._number += 1
        self.counts.replaced += 1
        return pseudonym.encode()

    def _text(self, place: Text, raw: bytes, sought: frozenset[str]) -> bytes:
        text, encoding = decoded(raw)
        plain, offsets = place.spelling.plain(text)
        if place.comment and self._drop:
            self.counts.dropped += bool(plain.strip())
            return b""
        pieces: list[bytes] = []
        at = 0
        pattern, by_spelling = _search(sought)
        if place.noted:
            self.counts.note(place, pattern.sub("", plain))
        for found in pattern.finditer(plain):
            name = by_spelling.get(_as_sought(found[0]))
            if name is None:
                self._number += PSEUDONYM.fullmatch(found[0]) is not None
                continue
            start, end = _raw_span(found, offsets)
            spelt = text[start:end].encode(encoding)
            pieces.append(text[at:start].encode(encoding))
            pieces.append(
                self._replaced("text " + place.spelling.kind, place.spelling, name, spelt)
            )
            at = end
        pieces.append(text[at:].encode(encoding))
        return b"".join(pieces)


class Restorer:
    """Puts the names back into the units of one file; `events` is what the key says of it."""

    def __init__(self, key: Key, events: Events) -> None:
        self.counts = Counts()
        self._key = key
        self._events = dict(events)
        self._number = 0
        self._spelt = _Spelt()

    def unit(self, unit: Unit) -> bytes:
        """Return a unit's bytes with names. Raises UsageError for a pseudonym of another key."""
        if not unit.places:
            return unit.data
        self.counts.count(unit)
        return _rebuilt(unit, self._part, self._text)

    def _part(self, part: Part, spelling: Spelling) -> bytes:
        pseudonym = fold(part.name)
        if pseudonym not in self._key.names:
            if PSEUDONYM.fullmatch(pseudonym):
                raise UsageError(f"the key does not know {pseudonym}: it was made with another key")
            return part.spelt
        return self._name(spelling.kind, spelling, pseudonym)

    def _name(self, kind: str, spelling: Spelling, pseudonym: str) -> bytes:
        event = self._events.get(self._number)
        self._number += 1
        self.counts.replaced += 1
        if event is not None:
            self._spelt.change(kind, pseudonym, event.encode("utf-8", "surrogateescape"))
        return self._spelt.now(kind, spelling, pseudonym, self._key.names[pseudonym])

    def _text(self, place: Text, raw: bytes) -> bytes:
        text, encoding = decoded(raw)
        plain, offsets = place.spelling.plain(text)
        pieces: list[bytes] = []
        at = 0
        for found in _search(frozenset())[0].finditer(plain):
            if found[0] not in self._key.names:
                self._number += 1
                continue
            start, end = _raw_span(found, offsets)
            pieces.append(text[at:start].encode(encoding))
            pieces.append(self._name("text " + place.spelling.kind, place.spelling, found[0]))
            at = end
        pieces.append(text[at:].encode(encoding))
        return b"".join(pieces)


def _raw_span(found: re.Match[str], offsets: list[int] | None) -> tuple[int, int]:
    start, end = found.span()
    return (start, end) if offsets is None else (offsets[start], offsets[end])


def _as_sought(text: str) -> str:
    return fold(text).casefold()


@lru_cache(maxsize=256)
def _search(names: frozenset[str]) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return what finds pseudonyms and these names as whole words, in capitals or not."""
    by_spelling = {_as_sought(name): name for name in sorted(names)}
    forms = {form for name in names for form in (name, unicodedata.normalize("NFD", name))}
    words = [
        r"\s+".join(re.escape(word) for word in form.split())
        for form in sorted(forms, key=lambda form: (-len(form), form))
    ]
    sought = rf"|(?<!\w)(?i:{'|'.join(words)})(?!\w)" if words else ""
    return re.compile(_TOKEN + sought), by_spelling
