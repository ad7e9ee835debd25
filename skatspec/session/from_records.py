"""Lists out of full records: the row that the keeper would have written of each deal.

Nothing is corrected here: a row says what its record says, and where the record states no
score, what the replay comes to. Players are counted from 0 by their places, seats are
F, M, R.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from skatspec.check import Report
from skatspec.engine.outcome import Outcome
from skatspec.engine.state import EARLY, PASSED_IN, PENALTY, PLAYED_OUT, Game
from skatspec.judging import Judge
from skatspec.record import (
    BOCK_ROUND,
    HAND,
    OUVERT,
    PASSED,
    RAMSCH,
    SCHNEIDER,
    SCHWARZ,
    SEAT_LETTERS,
    UNKNOWN,
    BrokenRecord,
    Record,
    Result,
)
from skatspec.rules.tables import NULL_KIND
from skatspec.session.against_record import Seating, seating
from skatspec.session.grouping import AT_FOUR, AT_THREE, Group, Item, deal_number
from skatspec.session.scoring import whole
from skatspec.sheet import Account, Amount, Row, Sheet

_NOTHING = Result(UNKNOWN)
_OPEN = frozenset({"declarer"})


@dataclass(frozen=True, slots=True)
class Told:
    """What a record tells a list keeper: seats F, M, R, ledger points.

    `played` is False for a deal passed in and None where it is open whether a game was
    played. `seats` have the deal's score: the declarer, or in a Ramsch all who lost (or
    took all tricks), None where that is open. `value` is the score of each of them.
    """

    played: bool | None
    seats: tuple[int, ...] | None = None
    account: Account | None = None
    value: Amount | None = None


def told(report: Report) -> Told:
    """Return what a checked record tells; nothing of one that could not be replayed."""
    record = report.record
    if not isinstance(record, Record):
        return Told(None)
    stated = record.result or _NOTHING
    if report.replay is None or report.outcome is None:
        return Told(None)
    game, came_to = report.replay.game, report.outcome
    if stated.kind == PASSED or (game.ended == PASSED_IN and stated.kind == UNKNOWN):
        return Told(False)
    if stated.scores is not None or game.is_ramsch:
        return _ramsch(game, came_to, stated)
    seat = game.declarer if stated.declarer is None else stated.declarer
    if game.ended == PENALTY or seat is None or seat not in (0, 1, 2):
        return Told(None)
    value: Amount | None = stated.score
    if value is None and came_to.settled is not None and not came_to.settled.alternatives:
        value = came_to.settled.score
    return Told(True, (seat,), _account(game, came_to, stated, value), value)


def sheet_of(group: Group, judge: Judge) -> Sheet:
    """Return the list of a session, a row a deal, each with its record.

    A row whose record cannot be read, or does not tell who played, has its declarer among
    `unread`: nothing is concluded from it. The line of a row is its record's, or the number
    of the row where the records do not stand one below the other in one file. Records are
    judged in their order: where Bock rounds go on from deal to deal, `judge` has to know it.
    At a table of three, records without Deal tags whose dealers do not take turns are no
    complete series, or of a program that deals in its own way: then no row names a dealer.
    """
    sheet = Sheet(
        group.source, group.index, group.event, group.table, group.round, group.players,
        group.seats, _rules(group, judge),
    )  # fmt: skip
    lines = _lines(group)
    numbered = any(deal_number(one) is not None for one in group.deals)
    rows = tuple(
        _row(sheet, record, line, deal_number(record) if numbered else count, judge)
        for count, (record, line) in enumerate(zip(group.deals, lines, strict=True), start=1)
    )
    if not numbered and group.seats == AT_THREE and not _in_turn(rows):
        rows = tuple(replace(row, dealer=None) for row in rows)
    return replace(sheet, rows=rows, partial=not numbered)


def _in_turn(rows: Sequence[Row]) -> bool:
    """Say whether the dealers of three take turns, each row being one deal."""
    firsts = {(row.dealer - turn) % AT_THREE for turn, row in enumerate(rows)
              if row.dealer is not None}  # fmt: skip
    return len(firsts) <= 1


def _row(sheet: Sheet, record: Item, line: int, number: int | None, judge: Judge) -> Row:
    if isinstance(record, BrokenRecord):
        return Row(line, number, unread=_OPEN, record=record)
    seats = seating(record, sheet, None)
    dealer = dealer_of(record, sheet, seats)
    one = told(judge.check(record))
    if one.played is False:
        return Row(line, number, dealer, record=record)
    if seats is None or one.seats is None:
        account = one.account
        return Row(line, number, dealer, None, account, one.value, unread=_OPEN, record=record)
    players = sorted(seats[seat] for seat in one.seats)
    if not players:  # a Ramsch that nobody lost
        return Row(line, number, dealer, None, None, one.value, record=record)
    return Row(
        line, number, dealer, players[0], one.account, one.value, others=tuple(players[1:]),
        record=record,
    )  # fmt: skip


def dealer_of(record: Record, sheet: Sheet, seats: Seating | None) -> int | None:
    """Return who dealt a record's deal, as it says, else by who plays; None where that is open."""
    if seats is None or sheet.seats not in (AT_THREE, AT_FOUR):
        return None
    said = record.tag("Dealer") or ""
    if said in tuple(SEAT_LETTERS):
        return seats[SEAT_LETTERS.index(said)]
    return (seats[0] - 1) % sheet.seats


def _rules(group: Group, judge: Judge) -> str | None:
    """Return the rules that all records of a session are judged by, None if they differ."""
    names = {judge.rules_for(one).name for one in group.deals}
    return names.pop() if len(names) == 1 else None


def _lines(group: Group) -> list[int]:
    """Return a different line for each row."""
    lines = [one.origin.line for one in group.deals]
    sources = {one.origin.source for one in group.deals}
    rising = all(one < other for one, other in pairwise(lines))
    return lines if rising and len(sources) == 1 else list(range(1, len(lines) + 1))


def _ramsch(game: Game, came_to: Outcome, stated: Result) -> Told:
    settled = came_to.settled
    scores = stated.scores or (settled.scores if settled is not None else None)
    if scores is None:
        return Told(True, None, Account(RAMSCH))
    seats = tuple(seat for seat, score in enumerate(scores) if score)
    each = {whole(Fraction(scores[seat])) for seat in seats} or {0}
    bock = game.round == BOCK_ROUND if game.tables.variants.bock.played and game.round else None
    counted = stated.counted or (settled.counted if settled is not None else None)
    points = counted[seats[0]] if counted is not None and seats else None
    account = Account(RAMSCH, bock=bock, points=points, won=next(iter(each)) > 0)
    return Told(True, seats, account, each.pop() if len(each) == 1 else None)


def _account(game: Game, came_to: Outcome, stated: Result, value: Amount | None) -> Account:
    """Return the entries of a declared game; a level that is announced is ticked as such."""
    if game.contract is None or game.ended == EARLY:
        return Account(won=_won(came_to, stated, value))
    null = game.tables.kind[game.contract] == NULL_KIND
    settled, said = came_to.settled, game.modifiers
    schneider, schwarz = stated.schneider, stated.schwarz
    if settled is not None:
        schneider, schwarz = settled.schneider, settled.schwarz
    played_out = game.ended == PLAYED_OUT and not null
    return Account(
        game.contract_name,
        None if null else _only(came_to.matadors, stated.matadors),
        False,
        None if game.hand_open else bool(said & HAND),
        False if null else schneider,
        bool(said & SCHNEIDER),
        False if null else schwarz,
        bool(said & SCHWARZ),
        bool(said & OUVERT),
        game.bid if (game.bid or 0) > 0 else None,
        game.doubles if game.tables.variants.kontra.calls else None,
        game.round == BOCK_ROUND if game.tables.variants.bock.played and game.round else None,
        _only(came_to.points, stated.points) if played_out else None,
        _only(came_to.tricks, stated.tricks) if played_out else None,
        _won(came_to, stated, value),
    )


def _only(possible: Sequence[int], stated: int | None) -> int | None:
    """Return a figure as stated, else as the replay settles it."""
    if stated is not None:
        return stated
    return possible[0] if len(possible) == 1 else None


def _won(came_to: Outcome, stated: Result, value: Amount | None) -> bool | None:
    if stated.won is not None:
        return stated.won
    won = {one.won for one in came_to.settlements}
    if len(won) == 1:
        return won.pop()
    return None if not value else value > 0
