"""Records in a row, cut into the sessions that they are of: who sat where, deal by deal.

Records of several tables may be mixed, as servers write them: a session is told by what
its records say (Event, Place, Series, Table) and by who plays. Within one, the players stay
in their places, so forehand, middlehand and rearhand follow each other in the same order all
evening; at a table of four the one who is not in a record dealt it. What the records do not
tell stays open.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from skatspec.formats.score_sheet.words import same_name
from skatspec.record import COPY_TAG, PLACES_TAG, SEAT_LETTERS, BrokenRecord, Record

# Sessions held open at a time, deals of one session and of all of them, and records of which
# nothing tells the session: beyond these the one that rested longest is closed.
MOST_OPEN, MOST_DEALS, MOST_HELD, MOST_STRAY = 256, 5_000, 20_000, 100
AT_THREE, AT_FOUR = 3, 4
FOURTH = "D"
# A format whose every file is one table, whatever the records say.
ONE_TABLE = "xskat"

Item = Record | BrokenRecord
Names = tuple[str, ...]
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The deals of one session, in the order in which they were read.

    `round` is the records' Series: what a list calls its round. `players` are the names in
    the order of the places, who dealt first being the first where no place is stated; three
    empty ones where nothing tells who sat where. `index` counts the groups of a run.
    """

    source: str
    index: int
    event: str
    round: str
    table: str
    players: Names
    deals: tuple[Item, ...]

    @property
    def seats(self) -> int:
        """Return the number of players at the table."""
        return len(self.players)


def grouped(records: Iterable[Item], source: str = "") -> Iterator[Group]:
    """Yield sessions as they end: at the end of the records, or when too many are open.

    `source` names the file where records do not. A record that could not be read belongs to
    the session that is open, if only one is; else it makes a group of its own.
    """
    grouper = _Grouper(source)
    for record in records:
        yield from grouper.take(record)
    yield from grouper.close()


@dataclass(slots=True)
class _Open:
    """A session while its records come in; `people` are who was last seen at it."""

    key: Key
    people: frozenset[str] = frozenset()
    deals: list[Item] = field(default_factory=list)


class _Grouper:
    """Sorts records to the sessions that are open."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._open: OrderedDict[int, _Open] = OrderedDict()
        self._by_key: dict[Key, list[int]] = {}
        self._stray: list[Item] = []
        self._opened = 0
        self._held = 0
        self._count = 0

    def take(self, record: Item) -> Iterator[Group]:
        """Put a record to its session; yield those that had to be closed for it."""
        if isinstance(record, BrokenRecord):
            yield from self._take_broken(record)
        elif record.tag(COPY_TAG) is None:  # a copy is the deal before, saved once more
            number = self._session(record)
            self._add(number, record)
        yield from self._within_bounds()

    def close(self) -> Iterator[Group]:
        """Yield what is still open."""
        while self._open:
            yield from self._close(min(self._open))
        yield from self._flush_stray()

    def _take_broken(self, record: BrokenRecord) -> Iterator[Group]:
        of_source = [
            number for number, one in self._open.items()
            if one.deals[-1].origin.source == record.origin.source
        ]  # fmt: skip
        if len(of_source) == 1:
            self._add(of_source[0], record)
        elif of_source or len(self._stray) >= MOST_STRAY:
            yield from self._flush_stray()
            yield self._group((record,))
        else:
            self._stray.append(record)  # the session may begin with the next record

    def _flush_stray(self) -> Iterator[Group]:
        if self._stray:
            stray, self._stray = self._stray, []
            yield self._group(tuple(stray))

    def _session(self, record: Record) -> int:
        key = _key(record, self._source)
        people = _people(record)
        known = self._by_key.setdefault(key, [])
        found = known[-1] if known and (_names_table(record) or not people) else None
        if found is None:
            found = _sharing(people, [(number, self._open[number].people) for number in known])
        if found is None:
            found = self._opened
            self._opened += 1
            self._open[found] = _Open(key)
            known.append(found)
            self._open[found].deals += self._strays_of(record.origin.source)
        one = self._open[found]
        together = one.people | people
        one.people = together if len(together) <= AT_FOUR else people
        return found

    def _strays_of(self, source: str) -> list[Item]:
        """Take records away that could not be read and stand before the first that could."""
        mine = [one for one in self._stray if one.origin.source == source]
        self._stray = [one for one in self._stray if one.origin.source != source]
        self._held += len(mine)
        return mine

    def _add(self, number: int, record: Item) -> None:
        self._open[number].deals.append(record)
        self._open.move_to_end(number)
        self._held += 1

    def _within_bounds(self) -> Iterator[Group]:
        newest = next(reversed(self._open), None)
        if newest is not None and len(self._open[newest].deals) >= MOST_DEALS:
            yield from self._close(newest)
        while len(self._open) > MOST_OPEN or self._held > MOST_HELD:
            yield from self._close(next(iter(self._open)))

    def _close(self, number: int) -> Iterator[Group]:
        one = self._open.pop(number)
        self._held -= len(one.deals)
        self._by_key[one.key].remove(number)
        if not self._by_key[one.key]:
            del self._by_key[one.key]
        for deals in tables(one.deals):
            yield self._group(tuple(deals))

    def _group(self, deals: tuple[Item, ...]) -> Group:
        first = next((one for one in deals if isinstance(one, Record)), None)
        said = [(first.tag(tag) or "") if first else "" for tag in ("Event", "Series", "Table")]
        self._count += 1
        source = deals[0].origin.source or self._source
        players = players_of(deals)
        return Group(source, self._count - 1, said[0], said[1], said[2], players, deals)


def _key(record: Record, source: str) -> Key:
    """Return what tells a session from others, whoever plays."""
    own = record.origin.source or source
    if record.origin.format == ONE_TABLE:
        return (ONE_TABLE, own)
    said = tuple([record.tag(tag) or "" for tag in ("Event", "Place", "Series", "Table")])
    if said[0] or said[2]:
        return said
    day = (record.tag("Date") or "").replace("T", "/").replace(" ", "/").partition("/")[0]
    return (*said, day) if said[1] or said[3] else (*said, day, own)


def _names_table(record: Record) -> bool:
    return record.origin.format == ONE_TABLE or bool(record.tag("Table"))


def _sharing(people: frozenset[str], known: list[tuple[int, frozenset[str]]]) -> int | None:
    """Return the session with most of these people, none where fewer than two are in it."""
    best = max(known, key=lambda one: (len(people & one[1]), one[0]), default=None)
    if best is None:
        return None
    fewest = min(2, len(people), len(best[1]))
    return best[0] if len(people & best[1]) >= fewest else None


def _people(record: Record) -> frozenset[str]:
    tags = [record.tag(letter) for letter in (*SEAT_LETTERS, FOURTH)]
    return frozenset(same_name(name) for name in tags if name and same_name(name))


# --- who sits where ---------------------------------------------------------------------


def tables(deals: Iterable[Item]) -> Iterator[list[Item]]:
    """Cut the deals of one table where the players change, or where a list begins anew."""
    rest = list(deals)
    while rest:
        length = _same_table(rest)
        yield rest[:length]
        rest = rest[length:]


def _same_table(deals: list[Item]) -> int:
    """Return how many of the deals, from the first on, one circle of players fits."""
    circle: Names = ()
    seen: set[Names] = set()
    joined, gone, returned = 0, "", False
    highest = 0
    for at, record in enumerate(deals):
        if isinstance(record, BrokenRecord):
            continue
        number = deal_number(record)
        if number == 1 and highest > 1:
            return at
        highest = max(highest, number or 0)
        names = _seated(record)
        returned = returned or gone in names
        if not names or names in seen:
            continue
        if not circle:
            circle = names
        elif not _fits(names, circle):
            wider = _wider(circle, names)
            if not wider or not all(_fits(one, wider) for one in seen):
                # who came in a fourth's turn, and nobody went back, took a third's chair
                return joined if joined and not returned else at
            away = [name for name in wider if name not in names]
            circle, joined, gone, returned = wider, at, "".join(away), not away
        seen.add(names)
    return len(deals)


def _seated(record: Record) -> Names:
    """Return F, M, R by name, at a table of four D before them; nothing unless all differ."""
    names = tuple(same_name(record.tag(letter) or "") for letter in SEAT_LETTERS)
    fourth = same_name(record.tag(FOURTH) or "")
    names = (fourth, *names) if fourth else names
    return names if all(names) and len(set(names)) == len(names) else ()


def _fits(names: Names, circle: Names) -> bool:
    """Say whether names are neighbours, in this order, in a circle of players."""
    if names[0] not in circle:
        return False
    at = circle.index(names[0])
    return all(name == circle[(at + step) % len(circle)] for step, name in enumerate(names))


def _wider(circle: Names, names: Names) -> Names:
    """Return the circle of four that three players, and three others or four, come from."""
    if len(circle) != AT_THREE:
        return ()
    if len(names) == AT_FOUR:
        return names
    missing = [name for name in circle if name not in names]
    return (missing[0], *names) if len(missing) == 1 else ()


def players_of(deals: Iterable[Item]) -> Names:
    """Return the players of one table by name, in the order of their places."""
    spelt: dict[str, str] = {}
    circle: Names = ()
    placed: Names = ()
    for record in deals:
        names = _seated(record) if isinstance(record, Record) else ()
        if not isinstance(record, Record) or not names:
            continue
        for letter in (*SEAT_LETTERS, FOURTH):
            spelt.setdefault(same_name(record.tag(letter) or ""), record.tag(letter) or "")
        if not circle:
            placed = _placed(record, names)
            # who dealt first sits first: rearhand, or the fourth
            circle = names if len(names) == AT_FOUR else (names[-1], *names[:-1])
        elif len(circle) == AT_THREE and not _fits(names, circle):
            first = circle[1:] + circle[:1]
            missing = [name for name in names if name not in circle]
            circle = (*missing, *first) if len(missing) == 1 else circle
    if not circle:
        return ("",) * AT_THREE
    return tuple(spelt[name] for name in (placed if len(circle) == AT_THREE and placed else circle))


def _placed(record: Record, names: Names) -> Names:
    """Return three players by the places that a record states, nothing where it does not."""
    places = (record.tag(PLACES_TAG) or "").split()
    if sorted(places) != ["1", "2", "3"] or len(names) != AT_THREE:
        return ()
    return tuple(name for _, name in sorted(zip(places, names, strict=True)))


def deal_number(record: Item) -> int | None:
    """Return the number that a record's Deal tag says, None where it says none."""
    text = (record.tag("Deal") or "").strip() if isinstance(record, Record) else ""
    return int(text) if text.isdecimal() and len(text) <= _LONGEST_NUMBER else None


_LONGEST_NUMBER = 6
