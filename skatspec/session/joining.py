"""Full records of deals joined to lists: each to the one list that it is of, or named.

A record is of a list if nothing that it says speaks of another one: Event, Series (the list's
round) and Table, where both say them, and who plays. It is joined to the row that has the
number of its tag Deal.
"""

from __future__ import annotations

import os
import pickle
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import IO, NamedTuple

from skatspec.diagnostics import Diagnostic, Severity, Span, entry, finding, message
from skatspec.errors import InputError, UsageError
from skatspec.formats import registry
from skatspec.formats.score_sheet.names import meant, words_of
from skatspec.formats.score_sheet.words import same_name
from skatspec.record import COPY_TAG, PASSED, SEAT_LETTERS, BrokenRecord, Record
from skatspec.session.grouping import FOURTH, Item, deal_number
from skatspec.session.reading import End
from skatspec.session.standings import Across
from skatspec.sheet import Row, Sheet

# The records of an evening; they are all kept until their lists are known.
MOST_RECORDS = 100_000
# So many findings of one list, and lists in one message; of a text not more is shown.
MOST_FINDINGS, _MOST_NAMED, _LONGEST = 100, 5, 60
_IN_MEMORY = 1 << 20
# What of a file of records was not read: text between them, a line that is too long.
_LOST = ("N003", "E005")
_TAGS = ("Event", "Series", "Table")


class _Claim(NamedTuple):
    """What a record says of its list: its tags as names are compared, and who plays."""

    said: tuple[str, ...]
    people: frozenset[str]


class _Offered(NamedTuple):
    """What is kept of a list: its tags and players as names are compared, and its deals.

    `players` are empty where the list names nobody, `unnamed` counts its places without a
    name. `asked` says that the list is of a round that is checked.
    """

    place: str
    said: tuple[str, ...]
    players: tuple[str, ...]
    unnamed: int
    deals: frozenset[int]
    asked: bool


class Joining:
    """The records given, and which list each of them is of.

    First `take` has all lists, then `settle` finds the list of each record, then `parts`
    yields the lists again, in the same order, with their records; meanwhile they lie in a
    temporary file, so that a pipe can be read. `findings` are the records that came to no
    list (L067), `broken` says which files of records could not be read and why, `notes`
    what was passed over in the others. `left_out` counts records of rounds that were not
    asked for; `rounds` are those that were, all where it is empty.
    """

    def __init__(self, paths: Iterable[str], rounds: Iterable[str] = ()) -> None:
        """Read the records. Raises UsageError where there are more than `MOST_RECORDS`."""
        self.findings: list[Across] = []
        self.broken: list[str] = []
        self.notes: list[str] = []
        self.left_out = 0
        self._rounds = frozenset(map(same_name, rounds))
        self._records: list[Item] = []
        self._lists: list[_Offered] = []
        self._every: dict[frozenset[int], frozenset[int]] = {}
        self._by_table: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._by_claim: dict[_Claim, Sequence[int]] = {}
        self._joined: dict[int, list[Record]] = defaultdict(list)
        self._spool = _opened_spool()
        for path in {os.path.realpath(one): one for one in paths}.values():
            self._read(path)

    def _read(self, path: str) -> None:
        try:
            reading = registry.open_records(path)
            for record in reading:
                if len(self._records) >= MOST_RECORDS:
                    raise UsageError(
                        f"{path}: over {MOST_RECORDS:,} records; name those of these lists alone"
                    )
                self._records.append(record)
            found = reading.take_findings()
            if not reading.count:
                self.broken.append(f"{path}: {_first(found)}")
                return
            for one in found:
                if one.code in _LOST:
                    self.notes.append(f"{path}:{one.span.line}: {one.code} {message(one)}")
        except InputError as error:
            self.broken.append(str(error))

    # --- lists --------------------------------------------------------------------------

    def take(self, parts: Iterable[Sheet | End], asked: Callable[[Sheet], bool]) -> None:
        """Take the lists of one file, with the end of it; `asked` says which are checked."""
        for part in parts:
            number = -1
            if isinstance(part, Sheet) and part.seats and part.rows:
                number = self._offer(part, asked(part))
            pickle.dump((number, part), self._spool, pickle.HIGHEST_PROTOCOL)

    def parts(self) -> Iterator[Sheet | End]:
        """Yield the lists of the next file with their records, and the end of it."""
        while True:
            number, part = pickle.load(self._spool)  # our own bytes, from a file without a name
            if isinstance(part, Sheet) and number in self._joined:
                part = join(part, self._joined.pop(number))
            yield part
            if isinstance(part, End):
                return

    def close(self) -> None:
        """Give the temporary file away."""
        self._spool.close()

    def _offer(self, sheet: Sheet, asked: bool) -> int:
        number = len(self._lists)
        deals = frozenset(row.number for row in sheet.rows if row.number is not None)
        deals = self._every.setdefault(deals, deals)  # most lists have the same
        named = tuple(name for one in sheet.players if (name := same_name(one)))
        unnamed = sheet.seats - len(named)
        place = f"{sheet.source}#{sheet.index + 1}" if sheet.index else sheet.source
        said = tuple(same_name(one) for one in (sheet.event, sheet.round, sheet.table))
        self._lists.append(_Offered(place, said, named, unnamed, deals, asked))
        self._by_table[said[-1]].append(number)
        # who is nobody by name may sit at a place without one
        for word in (
            {""} if unnamed else {word for name in named for word in (name, *words_of(name))}
        ):
            self._by_word[word].append(number)
        return number

    # --- records ------------------------------------------------------------------------

    def settle(self) -> None:
        """Find the list of every record; what has none, or more than one, is a finding."""
        self._spool.seek(0)
        records, self._records = self._records, []
        for record in records:
            if isinstance(record, Record) and record.tag(COPY_TAG) is not None:
                continue  # the deal before, saved once more
            if isinstance(record, BrokenRecord):
                self._not_joined(record, f"it cannot be read: {_first(record.findings)}")
                continue
            claim = _claim(record)
            if self._rounds and claim.said[1] and claim.said[1] not in self._rounds:
                self.left_out += 1
                continue
            found, why = self._list_of(record, claim)
            if found is None:
                self._not_joined(record, why)
            elif self._lists[found].asked:
                self._joined[found].append(record)
            else:
                self.left_out += 1

    def _not_joined(self, record: Item, what: str) -> None:
        found = finding("L067", read=_where(record), what=what)
        self.findings.append(Across(found, (record.origin.source or "-",)))

    def _list_of(self, record: Record, claim: _Claim) -> tuple[int | None, str]:
        """Return the list of a record, else None and why it has none."""
        number = deal_number(record)
        if number is None:
            return None, "it does not say which deal it is of"
        fitting = self._by_claim.get(claim)
        if fitting is None:
            fitting = self._by_claim[claim] = [
                one for one in self._likely(claim) if _fits(claim, self._lists[one])
            ]
        if len(fitting) == 1:
            return fitting[0], ""
        if not fitting:
            return None, self._why_none(record, claim)
        having = [one for one in fitting if number in self._lists[one].deals]
        if len(having) == 1:
            return having[0], ""
        if not having:
            return None, f"none of the lists that it fits has deal {number}"
        places = [self._lists[one].place for one in having[:_MOST_NAMED]]
        more = ", ..." if len(having) > _MOST_NAMED else ""
        return None, f"it fits {len(having)} lists: {', '.join(places)}{more}"

    def _likely(self, claim: _Claim) -> Iterable[int]:
        """Return the lists among which are all that a record may be of."""
        table = claim.said[-1]
        if table:
            return (*self._by_table.get(table, ()), *self._by_table.get("", ()))
        for name in claim.people:
            words = ("", name, *words_of(name))
            return sorted({one for word in words for one in self._by_word.get(word, ())})
        return range(len(self._lists))

    def _why_none(self, record: Record, claim: _Claim) -> str:
        """Say why no list is one that a record may be of."""
        among = self._likely(claim) if claim.said[-1] else range(len(self._lists))
        tagged = [one for one in among if _same_tags(claim, self._lists[one])]
        if not tagged:
            said = " ".join(f'[{tag} "{_short(record.tag(tag) or "")}"]'
                            for tag in _TAGS if same_name(record.tag(tag) or ""))  # fmt: skip
            return f"no list is of {said}"
        names = [record.tag(letter) or "" for letter in (*SEAT_LETTERS, FOURTH)]
        names = [_short(name) for name in names if same_name(name)]
        if len(tagged) == 1:
            one = self._lists[tagged[0]]
            strangers = [name for name in names if not meant(same_name(name), one.players)]
            if strangers:
                return f"on {one.place} nobody is called {', '.join(strangers)}"
        return f"no list has the players {', '.join(names)}"


def _opened_spool() -> IO[bytes]:
    return tempfile.SpooledTemporaryFile(_IN_MEMORY)


def join(sheet: Sheet, records: Iterable[Record]) -> Sheet:
    """Return a list with its records, each in the row of its deal.

    A record whose deal the list does not have (L064), or which has a record already (L065),
    is a finding of the list; at most `MOST_FINDINGS` of them.
    """
    rows = list(sheet.rows)
    at: dict[int | None, list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        at[row.number].append(index)
    found: list[Diagnostic] = []
    for record in records:
        number = deal_number(record)
        own = at.get(number, []) if number is not None else []
        free = [index for index in own if rows[index].record is None]
        if free:
            # a deal that was passed in and dealt again has two rows
            index = next((one for one in free if _alike(rows[one], record)), free[0])
            rows[index] = replace(rows[index], record=record)
        elif len(found) < MOST_FINDINGS:
            found.append(_not_joined(sheet, rows[own[0]] if own else None, record))
    return replace(sheet, rows=tuple(rows), findings=(*sheet.findings, *found))


def _not_joined(sheet: Sheet, row: Row | None, record: Record) -> Diagnostic:
    number = deal_number(record)
    if row is None:
        return finding("L064", deal=number, read=_where(record))
    column = sheet.field("deal")
    span = Span(row.line, column, column + 1 if column else 0)
    return finding("L065", span=span, deal=number, read=_where(record))


def _alike(row: Row, record: Record) -> bool:
    """Say whether row and record both have a game, or both none."""
    passed = record.result is not None and record.result.kind == PASSED
    return passed == (row.declarer is None and "declarer" not in row.unread)


# --- what a record says -----------------------------------------------------------------


def _claim(record: Record) -> _Claim:
    said = tuple([same_name(record.tag(tag) or "") for tag in _TAGS])
    people = [same_name(record.tag(letter) or "") for letter in (*SEAT_LETTERS, FOURTH)]
    return _Claim(said, frozenset(one for one in people if one))


def _same_tags(claim: _Claim, one: _Offered) -> bool:
    """Say whether no tag of a record speaks of another list; what one side leaves out fits."""
    return all(not said or not own or said == own
               for said, own in zip(claim.said, one.said, strict=True))  # fmt: skip


def _fits(claim: _Claim, one: _Offered) -> bool:
    """Say whether nothing in a record speaks of another list."""
    if not _same_tags(claim, one):
        return False
    if not one.players:
        return True
    seated = [meant(name, one.players) for name in claim.people]
    missing = sum(not seats for seats in seated)
    taken = {seat for seats in seated for seat in seats}
    return missing <= one.unnamed and len(claim.people) <= len(taken) + one.unnamed


def _first(findings: Sequence[Diagnostic]) -> str:
    """Return code and message of the first error, else of the first finding."""
    wrong = (one for one in findings if entry(one.code).severity is Severity.ERROR)
    first = next(wrong, next(iter(findings), None))
    return "" if first is None else f"{first.code} {message(first)}"


def _where(record: Item) -> str:
    return f"{record.origin.source or '-'}:{record.origin.line}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
