"""Which deals a list has, and who dealt them: missing, surplus, repeated, out of turn.

The dealers take turns round the table; at a table of more than three the dealer sits out
(at five and more also whoever is not among the next three).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from skatspec.diagnostics import Diagnostic, Span, finding
from skatspec.rules.match import Match
from skatspec.sheet import Row, Sheet

AT_PLAY = 3
_MOST_NAMED = 5
_AS_NAMED: Mapping[int, int] = MappingProxyType({})


def place(sheet: Sheet, row: Row | None, column: str) -> Span:
    """Return the place of a row's cell; of the whole row where the list has no such column."""
    if row is None:
        return Span(0, 0, 0)
    at = sheet.field(column)
    return Span(row.line, at, at + 1 if at else 0)


def counted(numbered: Iterable[Numbered]) -> list[Numbered]:
    """Return the rows that are deals of the match: no row that was written down twice, and,
    where passed-in deals are dealt again, none of those.
    """
    return [one for one in numbered if not one.repeats and not one.again]


def passed_in(row: Row) -> bool:
    """Say whether nobody played a deal."""
    return row.declarer is None and "declarer" not in row.unread


def sits_out(seats: int, dealer: int) -> tuple[int, ...]:
    """Return who takes no part in a deal; at a table of three nobody."""
    if seats <= AT_PLAY:
        return ()
    playing = {(dealer + step) % seats for step in range(1, AT_PLAY + 1)}
    return tuple(player for player in range(seats) if player not in playing)


def playing(seats: int, dealer: int | None) -> Sequence[int] | None:
    """Return who takes part in a deal; None where that hangs on a dealer who is not known."""
    if seats <= AT_PLAY:
        return range(seats)
    if dealer is None:
        return None
    out = sits_out(seats, dealer)
    return [player for player in range(seats) if player not in out]


# --- the deals --------------------------------------------------------------------------


def deal_faults(
    sheet: Sheet, match: Match, rules: str, length: int | None, numbered: Sequence[Numbered]
) -> Iterator[Diagnostic]:
    """Yield what is wrong with numbers and count of the deals; `length` is what was agreed."""
    for one in numbered:
        yield from one.found
    yield from _length_faults(sheet, match, rules, length, counted(numbered))


class Numbered(NamedTuple):
    """A row with the number of its deal from 1, whatever its cell says, and what is wrong there.

    `repeats`: the row says word for word what a row with the same number said before, or is
    a deal that was dealt again, and nobody knows when. `again`: it is a deal that was
    dealt again. `missing` are the numbers before it.
    """

    row: Row
    number: int
    found: tuple[Diagnostic, ...] = ()
    repeats: bool = False
    again: bool = False
    missing: Sequence[int] = ()


def numbering(sheet: Sheet, match: Match, length: int | None = None) -> list[Numbered]:
    """Return every row with the number of its deal.

    Numbers that go on by one hold; a row that fits in nowhere was moved if its number is
    missing elsewhere, and else has the number that is missing at its place.
    """
    played = [row for row in sheet.rows if match.passed_in_counts or not passed_in(row)]
    every = len(played) == len(sheet.rows)
    if every and all(row.number == at for at, row in enumerate(played, 1)):
        return [Numbered(row, at) for at, row in enumerate(played, 1)]
    length = sheet.length if length is None else length
    found = _Numbering(sheet, match, played, length).all()
    if not every:
        missing = {number for one in found for number in one.missing}
        last = max([0, *(one.number for one in found)])
        played = [
            row
            for row, before in zip(sheet.rows, [None, *sheet.rows], strict=False)
            if not passed_in(row)
            or ((row.number in missing or (row.number or 0) > last) and _is_a_game(row, before))
        ]
        found = _Numbering(sheet, match, played, length).all()
    return _with_dealt_again(sheet, found)


def _is_a_game(row: Row, before: Row | None) -> bool:
    """Say whether a game was played in a row that names no declarer: it counts for somebody."""
    written = any(total is not None for total in row.totals)
    changed = any(row.totals) if before is None else written and row.totals != before.totals
    return changed or bool(row.value) or row.account is not None


def _with_dealt_again(sheet: Sheet, found: Sequence[Numbered]) -> list[Numbered]:
    """Return all rows: a deal that was dealt again has the number of the deal after it.

    Such a deal is none of the match. Where that deal is not certain, nobody knows when it was.
    """
    known = {one.row.line: one for one in found}
    before = dict(zip(known, [0, *(one.number for one in found)], strict=False))
    following = max([0, *(one.number for one in found)]) + 1
    certain = True
    numbered = []
    for row in reversed(sheet.rows):
        one = known.get(row.line)
        if one is None:
            lost = not certain or row.number not in (None, following)
            one = Numbered(row, following, repeats=lost, again=True)
        else:
            following = one.number
            certain = before[row.line] == following - 1
        numbered.append(one)
    return numbered[::-1]


def sequence(numbered: Iterable[Numbered]) -> list[Row]:
    """Return the rows in the order of their deals, without those that were written down twice."""
    rows = [one for one in numbered if not one.repeats]
    rows.sort(key=lambda one: (one.number, not passed_in(one.row)))
    return [one.row for one in rows]


class _Numbering:
    """The numbers of a list's rows, of which some are not what they should be."""

    def __init__(self, sheet: Sheet, match: Match, rows: Sequence[Row], length: int | None) -> None:
        self._sheet, self._match, self._rows, self._length = sheet, match, rows, length
        self._chain = _chain([row.number for row in rows])
        if self._chain and self._last_is_a_slip():
            self._chain.pop()
        holding = set(self._chain)
        self._first = {rows[at].number or 0: rows[at] for at in self._chain}
        # numbers that fit in nowhere at their place, by the rows that have them
        self._moved = {
            row.number for at, row in enumerate(rows)
            if at not in holding and row.number is not None and self._is_missing(row.number)
        }  # fmt: skip

    def _last_is_a_slip(self) -> bool:
        """Say whether the last number leaves a gap, and the rows alone make a whole list."""
        last = self._chain[-1]
        number, count = self._rows[last].number or 0, len(self._rows)
        if last != count - 1 or number <= count or len(self._chain) < count:
            return False
        if self._length is not None:
            return self._length == count
        lengths, seats = self._match.lengths, self._sheet.seats
        return lengths.allows(count, seats) and not lengths.allows(number, seats)

    def _is_missing(self, number: int) -> bool:
        last = self._rows[self._chain[-1]].number if self._chain else 0
        return number not in self._first and 0 < number <= max(last or 0, len(self._rows))

    def all(self) -> list[Numbered]:
        """Return every row with its number."""
        return list(self._all())

    def _all(self) -> Iterator[Numbered]:
        before = 0
        at = 0
        for holding in self._chain:
            row = self._rows[holding]
            number = row.number or 0
            due = deque(one for one in _within(before, number) if one not in self._moved)
            yield from self._misfits(self._rows[at:holding], before, due, gap=True)
            yield Numbered(row, number, tuple(self._gaps(row, due)), missing=due)
            before, at = number, holding + 1
        yield from self._misfits(
            self._rows[at:], before, deque(range(before + 1, before + 1 + len(self._rows)))
        )

    def _gaps(self, row: Row, due: Sequence[int]) -> Iterator[Diagnostic]:
        """Yield the numbers that are missing before a row; of many, only a range."""
        here = place(self._sheet, row, "deal")
        missing = [str(one) for one in due]
        if len(due) > _MOST_MISSING:
            missing = [f"{due[0]}-{(row.number or 0) - 1}"]
        for one in missing:
            yield finding("L050", span=here, expected=one)

    def _misfits(
        self, rows: Sequence[Row], before: int, due: deque[int], gap: bool = False
    ) -> Iterator[Numbered]:
        """Yield rows between two that hold (`gap`), or behind the last; `due` are the numbers that
        are missing there.
        """
        for row in rows:
            number = row.number
            here = place(self._sheet, row, "deal")
            known = self._first.get(number) if number is not None else None
            if known is not None and _alike(row, known) and not (gap and due):
                twice = finding("L051", span=here, read=number, expected=number)
                yield Numbered(row, number or 0, (twice,), repeats=True)
            elif number is None:
                before = due.popleft() if due else before
                yield Numbered(row, before)
            elif number in self._moved:
                moved = finding("L057", span=here, read=number, expected=before + 1)
                yield Numbered(row, number, (moved,))
            elif due:
                before = due.popleft()
                slip = finding("L057", span=here, read=number, expected=before)
                yield Numbered(row, before, (slip,))
            else:
                code = "L057" if known is None else "L051"
                wrong = finding(code, span=here, read=number, expected=before + 1)
                yield Numbered(row, (number or 0) if known else before, (wrong,))


def _alike(row: Row, other: Row) -> bool:
    """Say whether two rows say the same, in different lines."""
    return replace(row, line=other.line) == other


def _within(before: int, number: int) -> range:
    """Return the numbers between two; of very many, only the first ones."""
    return range(before + 1, min(number, before + 2 + _MOST_MISSING))


# A row that holds is looked for among so many before it.
_FARTHEST = 60


def _chain(numbers: Sequence[int | None]) -> list[int]:
    """Return the positions whose numbers hold: the longest rising chain, and of several the
    one in which rows and numbers go on alike.
    """
    if all(number == at for at, number in enumerate(numbers, 1)):
        return list(range(len(numbers)))
    best: list[tuple[int, int, int]] = []  # length, misfit, position before
    for at, number in enumerate(numbers):
        found = (0, 0, -1)
        if number is not None and number > 0:
            found = (1, -abs(number - 1 - at), -1)
            for one in range(max(0, at - _FARTHEST), at):
                length, misfit, _ = best[one]
                before = numbers[one]
                if length and before is not None and before < number:
                    misfit -= abs(number - before - (at - one))
                    found = max(found, (length + 1, misfit, one), key=lambda way: way[:2])
        best.append(found)
    chain: list[int] = []
    at = max(range(len(best)), key=lambda one: best[one][:2], default=-1)
    while at >= 0 and best[at][0]:
        chain.append(at)
        at = best[at][2]
    return chain[::-1]


_MOST_MISSING = 100
_MOST_DEALS = 10_000


def _length_faults(
    sheet: Sheet, match: Match, rules: str, length: int | None, deals: Sequence[Numbered]
) -> Iterator[Diagnostic]:
    lengths, seats = match.lengths, sheet.seats
    rows = [one.row for one in deals]
    usual = lengths.expected(seats)
    agreed = length
    if agreed is None and lengths.step is None:
        agreed = usual
    reached = max([len(rows), *[one.number for one in deals if one.number < _MOST_DEALS]])
    if length is not None and not _may_agree(match, length, seats):
        yield finding("L055", read=length, expected=_allowed(match))
    if agreed is not None:
        for row in rows[agreed:]:
            number = row.number if row.number is not None else reached
            here = place(sheet, row, "deal")
            yield finding("L052", span=here, read=number, expected=agreed)
        if reached < agreed:
            if length is not None:
                yield finding("L053", read=reached, expected=agreed)
            else:
                yield finding("L054", read=reached, expected=agreed, rules=rules)
    elif rows and not lengths.whole_rounds and not lengths.allows(reached, seats):
        yield finding("L055", read=reached, expected=_allowed(match))
    if lengths.whole_rounds and rows and reached % seats:
        yield finding("L056", read=reached, players=seats, expected=-(-reached // seats) * seats)


def _may_agree(match: Match, length: int, seats: int) -> bool:
    """Say whether a length can be agreed; where only a usual one is named, any can."""
    lengths = match.lengths
    return lengths.step is None or lengths.allows(length, seats)


def _allowed(match: Match) -> str:
    lengths = match.lengths
    if lengths.step is None:
        return ", ".join(str(one) for one in sorted(set(lengths.usual.values())))
    return f"{lengths.least} to {lengths.most} in steps of {lengths.step}"


# --- the dealers ------------------------------------------------------------------------


def dealers(sheet: Sheet, numbered: Sequence[Numbered]) -> dict[int, int]:
    """Return who dealt each row, by its line; nothing where the list does not tell.

    The first dealer is stated, or what most cells of the dealer's column agree on.
    """
    turns = dict(_turns(numbered))
    first = _first_dealer(sheet, turns)
    return {} if first is None else {
        line: (first + turn) % sheet.seats for line, turn in turns.items()
    }  # fmt: skip


def dealer_faults(
    sheet: Sheet, numbered: Sequence[Numbered], played_by: Mapping[int, int] = _AS_NAMED
) -> Iterator[Diagnostic]:
    """Yield dealers out of turn, and deals played by somebody who sat out.

    `played_by` are declarers beside the ones named, by the line of the row: those in whose
    favour the totals speak.
    """
    known = dealers(sheet, numbered)
    if not known:
        yield from _no_dealer_fits(sheet, numbered, played_by)
        return
    for row in sheet.rows:
        dealer = known.get(row.line)
        if dealer is None:
            continue
        if row.dealer is not None and row.dealer != dealer:
            yield finding(
                "L045", span=place(sheet, row, "dealer"), read=sheet.name(row.dealer),
                expected=sheet.name(dealer),
            )  # fmt: skip
        if played_by.get(row.line, row.declarer) in sits_out(sheet.seats, dealer):
            yield _plays(sheet, row, dealer)


def _plays(sheet: Sheet, row: Row, dealer: int) -> Diagnostic:
    out = sits_out(sheet.seats, dealer)
    could = ", ".join(sheet.name(one) for one in range(sheet.seats) if one not in out)
    read = sheet.name(row.declarer or 0)
    return finding("L046", span=place(sheet, row, "declarer"), read=read, expected=could)


def _turns(numbered: Iterable[Numbered]) -> Iterator[tuple[int, int]]:
    """Yield line and turn of each row, from 0: whoever deals goes by the number of the deal."""
    for one in numbered:
        if not one.repeats:
            yield one.row.line, one.number - 1


def _first_dealer(sheet: Sheet, turns: dict[int, int]) -> int | None:
    if sheet.dealer is not None:
        return sheet.dealer
    votes = Counter(
        (row.dealer - turns[row.line]) % sheet.seats
        for row in sheet.rows
        if row.dealer is not None and row.line in turns
    )
    return votes.most_common(1)[0][0] if votes else None


def _no_dealer_fits(
    sheet: Sheet, numbered: Sequence[Numbered], played_by: Mapping[int, int]
) -> Iterator[Diagnostic]:
    """Fault a list without dealers if, whoever dealt first, somebody plays who sat out."""
    if sheet.seats <= AT_PLAY:
        return
    turns = dict(_turns(numbered))
    misfits = []
    for first in range(sheet.seats):
        wrong = [
            row for row in sheet.rows
            if row.line in turns and played_by.get(row.line, row.declarer)
            in sits_out(sheet.seats, (first + turns[row.line]) % sheet.seats)
        ]  # fmt: skip
        misfits.append((len(wrong), first, wrong))
    fewest, first, rows = min(misfits, key=lambda one: one[:2])
    if fewest:
        deals = ", ".join(str(row.number or turns[row.line] + 1) for row in rows[:_MOST_NAMED])
        nearest = f"{sheet.name(first)} first, and deal {deals} is wrong"
        yield finding("L047", span=place(sheet, rows[0], "declarer"), expected=nearest)
