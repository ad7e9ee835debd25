"""The standings over many lists: each player's sums, the places, and what a correction moves.

A list is kept as its figures alone. The bonus depends on the size of each table, so totals
are made list by list and then added up. Points and totals are ledger points; players of a
list are counted from 0 by their places at the table.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePath
from typing import NamedTuple

from skatspec.diagnostics import Diagnostic, finding
from skatspec.formats.score_sheet.words import same_name
from skatspec.rules.match import LOT, Match
from skatspec.session import scoring
from skatspec.session.report import Figures, ListReport, Shift
from skatspec.sheet import Amount

# What tells a player: a name as names are compared, or a place in one list.
PlayerKey = str | tuple[str, int, int]
SortKey = tuple[Amount, ...]
_UNNAMED = {"en": ("table", "place"), "de": ("Tisch", "Platz")}


class ListResult(NamedTuple):
    """What is kept of one checked list, small enough for tens of thousands.

    `players` are the names by places, `""` where a place has none; there are as many figures
    as `seats`. `deals` are those that count for the match. `rules` and `system` say how the
    list was counted, `number` which list of its file it is, from 0. `undecided` are errors of
    which the list does not say what is right: the deal, if it is one's, and the code.
    """

    source: str
    number: int
    event: str
    round: str
    table: str
    players: tuple[str, ...]
    seats: int
    rules: str
    system: str
    deals: int
    entered: tuple[Figures, ...]
    corrected: tuple[Figures, ...]
    totals: tuple[Amount, ...]
    corrected_totals: tuple[Amount, ...]
    errors: int
    undecided: tuple[tuple[int | None, str], ...] = ()

    @classmethod
    def of(cls, report: ListReport, match: Match) -> ListResult:
        """Return what is kept of a report; `match` is that of the rules it was checked by."""
        sheet = report.sheet
        deals = report.played + (report.passed_in if match.passed_in_counts else 0)
        return cls(
            sheet.source, sheet.index, sheet.event, sheet.round, sheet.table, sheet.players,
            sheet.seats, report.rules, report.system, deals, report.entered, report.corrected,
            report.totals, report.corrected_totals, report.errors,
            tuple((one.deal, one.code) for one in report.undecided),
        )  # fmt: skip

    @property
    def place(self) -> str:
        """Return where the list stands: its file, and its number there unless it is the first."""
        return f"{self.source}#{self.number + 1}" if self.number else self.source

    @property
    def happening(self) -> str:
        """Return the event as events are compared; lists of one folder that name none share one."""
        return same_name(self.event) or str(PurePath(self.source).parent)


class Place(NamedTuple):
    """One line of the standings.

    `bonus` is what the total has beyond the points. `lists` counts the lists the player is
    on. Players who cannot be told apart have the same place: `lot` says that the rules part
    them by lot, which is still to be drawn, `shared` that they share the place.
    """

    place: int
    player: str
    points: Amount
    won: int
    lost: int
    others_lost: int
    bonus: Amount
    total: Amount
    lists: int
    lot: bool = False
    shared: bool = False


class Effect(NamedTuple):
    """What a correction does to one player in the standings as entered."""

    player: str
    place_now: int
    place_then: int
    total_now: Amount
    total_then: Amount


class Across(NamedTuple):
    """A finding between lists: its slots name the files, which `sources` are in order."""

    found: Diagnostic
    sources: tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """A player's sums over lists."""

    points: Amount = 0
    won: int = 0
    lost: int = 0
    others_lost: int = 0
    total: Amount = 0

    def add(self, figures: Figures, others_lost: int, total: Amount, times: int = 1) -> None:
        """Add one list, or with -1 take it out."""
        self.points += times * figures.points
        self.won += times * figures.won
        self.lost += times * figures.lost
        self.others_lost += times * others_lost
        self.total += times * total

    def copy(self) -> Tally:
        """Return sums of their own with the same figures."""
        return Tally(self.points, self.won, self.lost, self.others_lost, self.total)


@dataclass(slots=True)
class _Player:
    """A player: how he is shown, and the sums as entered and as they should be."""

    shown: str
    lists: int = 0
    entered: Tally = field(default_factory=Tally)
    corrected: Tally = field(default_factory=Tally)


class _Seen(NamedTuple):
    """What the findings between lists need of one list."""

    place: str
    seats: int
    deals: int
    rules: str
    system: str


@dataclass(slots=True)
class _Round:
    """A round of an event: its lists, which table gave which, and who sat where."""

    name: str
    lists: list[_Seen] = field(default_factory=list)
    tables: dict[str, str] = field(default_factory=dict)
    sat: dict[PlayerKey, str] = field(default_factory=dict)


class Standings:
    """Adds up lists and ranks the players.

    `match` says how equal totals are parted, `system` how the lists are counted. `matches`
    are those of other rules by their names, for lists that were counted by others. `lang` is
    the language in which places without a name are called.
    """

    def __init__(
        self, match: Match, system: str, matches: Mapping[str, Match] | None = None,
        lang: str = "en",
    ) -> None:  # fmt: skip
        self.match = match
        self.system = system
        self.matches = dict(matches or {})
        self.lang = lang
        self.lists = 0
        self.errors = 0
        self.events: set[str] = set()
        self.undecided: list[tuple[str, int | None, str]] = []
        self._players: dict[PlayerKey, _Player] = {}
        self._rounds: dict[tuple[str, str], _Round] = {}
        self._ways: dict[tuple[str, str], list[str]] = {}
        self._clashes: list[Across] = []
        self._left_out: set[tuple[str, int]] = set()
        self._ranking: tuple[list[SortKey], list[_Player]] | None = None

    def __len__(self) -> int:
        return len(self._players)

    def add(self, result: ListResult) -> None:
        """Add a list; one of a table and round that is there already is named, not counted."""
        self.lists += 1
        self.errors += result.errors
        self.events |= {result.event} - {""}
        self.undecided += [(result.place, deal, code) for deal, code in result.undecided]
        if result.seats:
            self._ways.setdefault((result.rules, result.system), []).append(result.place)
        if self._given_before(result):
            self._left_out.add((result.source, result.number))
            return
        self._ranking = None
        counted: set[PlayerKey] = set()
        for key, seat in zip(_keys(result), range(len(result.entered)), strict=True):
            player = self._players.get(key)
            if player is None:
                player = self._players[key] = _Player(self._shown(result, seat))
            player.lists += key not in counted
            counted.add(key)
            _add(player.entered, result.entered, result.totals, seat)
            _add(player.corrected, result.corrected, result.corrected_totals, seat)

    def _shown(self, result: ListResult, seat: int) -> str:
        name = result.players[seat] if seat < len(result.players) else ""
        if name.strip():
            return " ".join(name.split())
        table, place = _UNNAMED[self.lang]
        where = f"{table} {result.table}" if result.table else result.place
        return f"{where} {place} {seat + 1}"

    # --- places -------------------------------------------------------------------------

    def table(self, corrected: bool = False) -> list[Place]:
        """Return the standings, best first: as entered, or with all that is known put right."""
        rows = []
        for one in self._players.values():
            tally = one.corrected if corrected else one.entered
            rows.append((self._key(tally), one.shown.casefold(), one.shown, one, tally))
        ranked = sorted(rows, key=lambda row: row[:3])
        alike = Counter(row[0] for row in ranked)
        by_lot = LOT in self.match.ties
        places = []
        rank = 0
        before: SortKey | None = None
        for number, (key, _, shown, one, tally) in enumerate(ranked, 1):
            rank = rank if key == before else number
            before = key
            tied = alike[key] > 1
            places.append(Place(
                rank, shown, tally.points, tally.won, tally.lost, tally.others_lost,
                tally.total - tally.points, tally.total, one.lists, tied and by_lot,
                tied and not by_lot,
            ))  # fmt: skip
        return places

    def _key(self, tally: Tally) -> SortKey:
        return scoring.rank_key(tally.total, tally.won, tally.lost, self.match)

    def _ranked(self) -> tuple[list[SortKey], list[_Player]]:
        """Return the sorted keys of the standings as entered, and whose they are."""
        if self._ranking is None:
            pairs = [(self._key(one.entered), one) for one in self._players.values()]
            pairs.sort(key=lambda pair: pair[0])
            self._ranking = [key for key, _ in pairs], [one for _, one in pairs]
        return self._ranking

    # --- effects ------------------------------------------------------------------------

    def effect(
        self, corrections: Iterable[Sequence[Shift]], result: ListResult, others: int = 0
    ) -> list[tuple[Effect, ...]]:
        """Return what each correction of a dispute does to the standings as entered.

        Only players who are moved or get another total are named: those of the list in the
        order of their places at the table, then so many of the `others`, best first, who are
        passed or let by. A list that was left out as given twice moves nobody.
        """
        if (result.source, result.number) in self._left_out:
            return [() for _ in corrections]
        return [self._effect(shifts, result, others) for shifts in corrections]

    def _effect(
        self, shifts: Sequence[Shift], result: ListResult, others: int
    ) -> tuple[Effect, ...]:
        if not shifts:
            return ()
        figures = list(result.entered)
        for shift in shifts:
            figures[shift.player] = figures[shift.player].less(shift)
        totals = self._totals(figures, result)
        after: dict[PlayerKey, Tally] = {}
        for seat, key in enumerate(_keys(result)):
            if key not in after:
                after[key] = self._players[key].entered.copy()
            _add(after[key], result.entered, result.totals, seat, -1)
            _add(after[key], figures, totals, seat)
        keys, players = self._ranked()
        old = sorted(self._key(self._players[key].entered) for key in after)
        new = sorted(self._key(tally) for tally in after.values())
        effects = []
        for key, tally in after.items():
            now, then = self._players[key], self._key(tally)
            place = bisect_left(keys, then) - bisect_left(old, then) + bisect_left(new, then)
            effects.append(Effect(
                now.shown, 1 + bisect_left(keys, self._key(now.entered)), 1 + place,
                now.entered.total, tally.total,
            ))  # fmt: skip
        if others:
            own = {id(self._players[key]) for key in after}
            passed = _passed(keys, players, old, new, own)
            effects += [one for one, _ in zip(passed, range(others), strict=False)]
        return tuple(
            one
            for one in effects
            if one.place_now != one.place_then or one.total_now != one.total_then
        )

    def _totals(self, figures: Sequence[Figures], result: ListResult) -> tuple[Amount, ...]:
        """Return the totals of a list's players, counted as the list was."""
        match = self.matches.get(result.rules, self.match)
        return scoring.handed_in(figures, match, result.system)

    # --- findings between lists -----------------------------------------------------------

    def ways(self) -> list[tuple[str, str]]:
        """Return the rules and systems that lists were counted by, that of most lists first."""
        return sorted(self._ways, key=lambda way: -len(self._ways[way]))

    def _given_before(self, result: ListResult) -> bool:
        """Note where a list belongs; say whether its table has given a list of the round."""
        if not result.round or not result.seats:
            return False
        where = result.happening, same_name(result.round)
        found = self._rounds.setdefault(where, _Round(result.round))
        table = same_name(result.table)
        before = found.tables.get(table) if table else None
        if before is not None:
            read = f"{before}, {result.place}"
            self._clash(finding(
                "L062", table=result.table, round=result.round, read=read,
            ), before, result.place)  # fmt: skip
            return True
        found.tables[table] = result.place
        found.lists.append(
            _Seen(result.place, result.seats, result.deals, result.rules, result.system)
        )
        for key in dict.fromkeys(_keys(result)):
            at = found.sat.setdefault(key, result.place)
            if at != result.place:
                shown = self._players[key].shown
                self._clash(finding(
                    "L060", player=shown, round=result.round, read=f"{at}, {result.place}",
                ), at, result.place)  # fmt: skip
        return False

    def _clash(self, found: Diagnostic, *sources: str) -> None:
        self._clashes.append(Across(found, sources))

    def findings(self) -> Iterator[Across]:
        """Yield what is wrong between lists: L060 and L062 as they came, then L061, L063."""
        yield from self._clashes
        for one in self._rounds.values():
            yield from _unequal(one)
        if len(self._ways) < 2:
            return
        usual = self.ways()[0]
        expected = ", ".join(usual)
        for way, places in self._ways.items():
            if way != usual:
                for place in places:
                    yield Across(finding(
                        "L063", read=place, rules=", ".join(way), expected=expected,
                    ), (place,))  # fmt: skip


def _keys(result: ListResult) -> list[PlayerKey]:
    """Return what tells the players of a list, by places."""
    keys: list[PlayerKey] = []
    for seat in range(len(result.entered)):
        name = same_name(result.players[seat]) if seat < len(result.players) else ""
        keys.append(name or (result.source, result.number, seat))
    return keys


def _add(
    tally: Tally, figures: Sequence[Figures], totals: Sequence[Amount], seat: int, times: int = 1
) -> None:
    others = sum(one.lost for one in figures) - figures[seat].lost
    tally.add(figures[seat], others, totals[seat], times)


def _passed(
    keys: Sequence[SortKey], players: Sequence[_Player], old: Sequence[SortKey],
    new: Sequence[SortKey], own: set[int],
) -> Iterator[Effect]:  # fmt: skip
    """Yield players of other lists whose places change, best first.

    Between two of the old and new keys every place changes by the same.
    """
    bounds = sorted({*old, *new})
    for low, high in pairwise(bounds):
        by = bisect_right(new, low) - bisect_right(old, low)
        if not by:
            continue
        for at in range(bisect_right(keys, low), bisect_right(keys, high)):
            one = players[at]
            if id(one) not in own:
                place = 1 + bisect_left(keys, keys[at])
                total = one.entered.total
                yield Effect(one.shown, place, place + by, total, total)


def _unequal(one: _Round) -> Iterator[Across]:
    """Yield the lists of a round that are longer or shorter than most at tables of their size."""
    by_seats: dict[int, list[_Seen]] = {}
    for seen in one.lists:
        by_seats.setdefault(seen.seats, []).append(seen)
    for lists in by_seats.values():
        counts = Counter(seen.deals for seen in lists)
        # of two equally frequent the larger: a list may have been handed in unfinished
        expected = max(counts, key=lambda deals: (counts[deals], deals))
        for seen in lists:
            if seen.deals != expected:
                found = finding(
                    "L061", read=seen.place, deals=seen.deals, round=one.name, expected=expected
                )
                yield Across(found, (seen.place,))
