"""A row of a list against the full record of its deal, replayed card by card.

What the record settles is held against what the row says, cell by cell; what the record
leaves open is no fault of the row, unless the row says something that no way of filling
it in comes to. Players are counted from 0 by their places, seats are F, M, R.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from skatspec.check import Report
from skatspec.diagnostics import Diagnostic, Severity, Verdict, finding
from skatspec.engine.facts import Line
from skatspec.engine.outcome import Outcome
from skatspec.engine.state import EARLY, PASSED_IN, PENALTY, PLAYED_OUT, Game
from skatspec.engine.variants import ramsch
from skatspec.formats.score_sheet.names import meant
from skatspec.formats.score_sheet.words import same_name
from skatspec.judging import Judge
from skatspec.record import (
    BOCK_ROUND,
    HAND,
    OUVERT,
    PLACES_TAG,
    RAMSCH,
    SCHNEIDER,
    SCHWARZ,
    SEAT_LETTERS,
    Record,
)
from skatspec.rules.tables import NULL_KIND
from skatspec.session.rows import signed
from skatspec.session.scoring import whole
from skatspec.sheet import Account, Amount, Row, Sheet

Seating = tuple[int, int, int]
# Longer lists of possible figures are cut in messages.
MOST_NAMED = 6
NOBODY = "nobody"
_SETTLEMENT = "S"
_SEATS = len(SEAT_LETTERS)
# The announcements from the one that includes most: a row without it lacks all of them.
_ANNOUNCED = (
    (OUVERT, "ouvert", "Ouvert"), (SCHWARZ, "schwarz_announced", "announced Schwarz"),
    (SCHNEIDER, "schneider_announced", "announced Schneider"), (HAND, "hand", "Hand"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a record says of its row.

    `findings` are L037 and L038, each with the column it belongs to in `part` (empty: the
    whole row) and no span. `verdict` is the record's own. `played` says whether a game was
    played, False where the deal was passed in, None where that is open. `declarer` is who
    played it, in a Ramsch who has its score (`others`: with him); None where nobody is or the
    places are not known. `score` is the right value of the row (ledger points): what the
    replay comes to, else what the record states, None where both leave it open; `why` are
    the lines of the settlement that comes to it.
    """

    findings: tuple[Diagnostic, ...]
    verdict: Verdict
    played: bool | None = None
    declarer: int | None = None
    others: tuple[int, ...] = ()
    score: Amount | None = None
    why: tuple[Line, ...] = ()


def compare(row: Row, sheet: Sheet, dealer: int | None, judge: Judge) -> Comparison:
    """Compare a row with its record; `dealer` is who dealt it, as far as the list tells.

    A row without a record has nothing to compare. Never raises for what stands in it.
    """
    if row.record is None:
        return Comparison((), Verdict.CONSISTENT)
    report = judge.check(row.record)
    if report.verdict in (Verdict.CONTRADICTED, Verdict.UNREADABLE):
        return _of_wrong(row, sheet, dealer, report)
    record, replayed, came_to = report.record, report.replay, report.outcome
    if replayed is None or came_to is None or not isinstance(record, Record):
        return Comparison((), report.verdict)
    game = replayed.game
    if game.fault is not None or game.ended == PENALTY:
        return Comparison((), report.verdict)
    deal = _Deal(row, sheet, record, game, came_to, seating(record, sheet, dealer))
    return deal.comparison(report.verdict)


def _of_wrong(row: Row, sheet: Sheet, dealer: int | None, report: Report) -> Comparison:
    """Return what a record that is not right tells all the same.

    Where only its stated result is wrong, the replay settles the score.
    """
    fault = _wrong(report)
    record, replayed, came_to = report.record, report.replay, report.outcome
    if replayed is None or came_to is None or not isinstance(record, Record):
        return Comparison((fault,), report.verdict)
    if replayed.game.fault is not None or came_to.settled is None:
        return Comparison((fault,), report.verdict)
    seats = seating(record, sheet, dealer)
    deal = _Deal(row, sheet, record, replayed.game, came_to, seats)
    found = deal.comparison(report.verdict)
    return replace(found, findings=(replace(fault, part="value"),))


def seating(record: Record, sheet: Sheet, dealer: int | None) -> Seating | None:
    """Return the players who are F, M and R of a record, None where nothing tells.

    The names in the record go before the places that it states, and these before the
    dealer: three players at a time sit in turn behind him.
    """
    if sheet.seats < _SEATS:
        return None
    firsts = {
        (player - seat) % sheet.seats
        for seat, letter in enumerate(SEAT_LETTERS)
        if (player := _player(record.tag(letter), sheet)) is not None
    }
    if not firsts:
        stated = (record.tag(PLACES_TAG) or "").split()
        if sheet.seats == _SEATS and sorted(stated) == ["1", "2", "3"]:
            return (int(stated[0]) - 1, int(stated[1]) - 1, int(stated[2]) - 1)
        if dealer is None:
            return None
        firsts = {(dealer + 1) % sheet.seats}
    if len(firsts) > 1:
        return None  # they sit otherwise than on the list
    first = firsts.pop()
    return (first, (first + 1) % sheet.seats, (first + 2) % sheet.seats)


def _player(name: str | None, sheet: Sheet) -> int | None:
    """Return who bears a name, None where nobody does, or several do."""
    if not name or not same_name(name):
        return None
    found = meant(same_name(name), [same_name(one) for one in sheet.players])
    return found[0] if len(found) == 1 else None


def _wrong(report: Report) -> Diagnostic:
    shown = [one for one in report.findings if one.severity is Severity.ERROR]
    first = next(iter(shown or report.findings), None)
    what = ""
    if first is not None and first.code.startswith(_SETTLEMENT) and first.expected:
        # why it is so, the lines of the settlement say
        what = f"{first.code} {first.read} instead of {first.expected}"
    elif first is not None:
        what = f"{first.code} {first.message}"
    return finding("L038", verdict=report.verdict.value, what=what, read=report.verdict.value)


@dataclass(slots=True)
class _Deal:
    """One row, its record, and what the replay of the record came to."""

    row: Row
    sheet: Sheet
    record: Record
    game: Game
    came_to: Outcome
    seats: Seating | None

    def comparison(self, verdict: Verdict) -> Comparison:
        players, known = self._players()
        scores = self._scores()
        settled = self.came_to.settled
        only = scores[0] if len(scores) == 1 else None
        return Comparison(
            tuple(self._findings(players, known, scores)), verdict, self._played(),
            players[0] if players else None, players[1:], only,
            settled.lines if settled is not None and only is not None else (),
        )  # fmt: skip

    def _played(self) -> bool | None:
        if self.game.ended == PASSED_IN:
            return None if ramsch.due(self.game) else False
        return True if self.game.is_ramsch or self.game.declarer is not None else None

    def _players(self) -> tuple[tuple[int, ...], bool]:
        """Return who has the score of the deal, and whether that is known at all."""
        game = self.game
        if self._played() is False:
            return (), True
        if self.seats is None:
            return (), False
        if game.is_ramsch:
            scores = self._seat_scores()
            if scores is None:
                return (), False
            having = [seat for seat in range(_SEATS) if scores[seat]]
            return tuple(sorted(self.seats[seat] for seat in having)), True
        if game.declarer is None or not 0 <= game.declarer < _SEATS:
            return (), False
        return (self.seats[game.declarer],), True

    def _seat_scores(self) -> tuple[float, float, float] | None:
        """Return what a Ramsch brings F, M and R, by the replay, else by the record's result."""
        settled, stated = self.came_to.settled, self.record.result
        if settled is not None and settled.scores is not None:
            return settled.scores
        return stated.scores if stated is not None else None

    def _scores(self) -> list[Amount]:
        """Return the values that the row can rightly have, ascending; none where all is open."""
        scores = self._seat_scores() if self.game.is_ramsch else None
        if scores is not None:
            return sorted({whole(Fraction(score)) for score in scores if score} or {0})
        stated = self.record.result
        found: set[Amount] = set()
        for one in self.came_to.settlements if not self.game.is_ramsch else ():
            found.add(one.score)
            # an impossible Null may be charged as any game that covers the bid
            found |= {one.score // one.value * value for _, value in one.alternatives}
        if stated is not None and stated.score is not None and stated.score in found:
            return [stated.score]
        return sorted(found)

    # --- cell by cell -------------------------------------------------------------------

    def _findings(
        self, players: tuple[int, ...], known: bool, scores: list[Amount]
    ) -> Iterator[Diagnostic]:
        row = self.row
        yield from self._dealer()
        said = () if row.declarer is None else tuple(sorted({row.declarer, *row.others}))
        if "declarer" not in row.unread:
            if known and said != players:
                yield _differs("declarer", "the declarer", self._names(said), self._names(players))
            elif not known and not said and self._played():
                yield _differs("declarer", "the declarer", NOBODY, "somebody")
        if row.declarer is None or self._played() is False:
            return
        if row.account is not None:
            yield from self._contract(row.account)
            yield from self._announced(row.account)
            yield from self._levels(row.account)
            yield from self._factors(row.account)
            yield from self._figures(row.account)
            yield from self._result(row.account)
        if row.value is not None and scores and row.value not in scores:
            yield _differs("value", "the value", signed(row.value), _listed(scores, signed))

    def _names(self, players: tuple[int, ...]) -> str:
        return " and ".join(self.sheet.name(one) for one in players) or NOBODY

    def _dealer(self) -> Iterator[Diagnostic]:
        """Fault a dealer who cannot have dealt to the players that the record names."""
        seats = seating(self.record, self.sheet, None)
        if self.row.dealer is None or seats is None:
            return
        dealer = (seats[0] - 1) % self.sheet.seats
        if dealer != self.row.dealer:
            read, expected = self.sheet.name(self.row.dealer), self.sheet.name(dealer)
            yield _differs("dealer", "the dealer", read, expected)

    def _contract(self, account: Account) -> Iterator[Diagnostic]:
        name = RAMSCH if self.game.is_ramsch else self.game.contract_name
        if account.contract is not None and name and account.contract != name:
            yield _differs("contract", "the game", account.contract, name)

    def _announced(self, account: Account) -> Iterator[Diagnostic]:
        """Compare announcements with all they include; one that is missing is named once."""
        game = self.game
        if game.contract is None or game.ended == EARLY or game.is_ramsch:
            return
        announce = game.tables.announce[game.tables.kind[game.contract]]
        ticked = [bit for bit, column, _ in _ANNOUNCED if getattr(account, column)]
        full = max(announce[sum(ticked)], sum(ticked))
        told = HAND if game.hand_open else 0
        for bit, column, what in _ANNOUNCED:
            said = getattr(account, column)
            right = bool(game.modifiers & bit)
            if said is None or bit & told or right in (said, bool(full & bit)):
                continue
            told |= max(announce[bit], announce[bit | HAND] & ~HAND if bit != HAND else 0, bit)
            at = column if column in self.sheet.columns else "contract"
            yield _differs(at, what, _yes(said), _yes(right))

    def _levels(self, account: Account) -> Iterator[Diagnostic]:
        """Compare the levels reached, where an announced one does not count in any case."""
        came_to, modifiers = self.came_to.settlements, self.game.modifiers
        if self.game.is_ramsch or not came_to or modifiers & SCHWARZ:
            return
        said, schneider = account.schwarz, account.schneider
        if said is not None and said not in {one.schwarz for one in came_to}:
            yield _differs("schwarz", "Schwarz", _yes(said), _yes(not said))
            if not schneider:
                return  # a level that the other includes
        if schneider is None or modifiers & SCHNEIDER:
            return
        schneider = schneider or bool(said)  # who ticks Schwarz alone means Schneider too
        if schneider not in {one.schneider for one in came_to}:
            yield _differs("schneider", "Schneider", _yes(schneider), _yes(not schneider))

    def _factors(self, account: Account) -> Iterator[Diagnostic]:
        game = self.game
        if account.bid is not None and (game.bid or 0) > 0 and account.bid != game.bid:
            yield _differs("bid", "the bid", str(account.bid), str(game.bid))
        if account.kontra is not None and account.kontra != game.doubles and not game.is_ramsch:
            yield _differs("kontra", "the calls of Kontra", str(account.kontra), str(game.doubles))
        if account.bock is not None and game.tables.variants.bock.played and game.round is not None:
            bock = game.round == BOCK_ROUND
            if account.bock != bock:
                yield _differs("bock", "Bock round", _yes(account.bock), _yes(bock))

    def _figures(self, account: Account) -> Iterator[Diagnostic]:
        game, came_to = self.game, self.came_to
        trumps = game.contract is not None and game.tables.kind[game.contract] != NULL_KIND
        if game.is_ramsch or not trumps:
            return  # neither has matadors, and nobody counts the points of a Null
        if account.matadors and came_to.matadors:
            possible = {abs(one) if account.unsigned else one for one in came_to.matadors}
            if account.matadors not in possible:
                show = str if account.unsigned else _run
                read, expected = show(account.matadors), _listed(possible, show)
                yield _differs("matadors", "matadors", read, expected)
        stated = self.record.result
        for column, what in (("points", "card points"), ("tricks", "tricks")):
            said = getattr(account, column)
            figures: Collection[int] = getattr(came_to, column)
            own = getattr(stated, column) if stated is not None else None
            if own is not None:
                figures = (own,)
            elif game.ended != PLAYED_OUT:
                continue  # of a game given up early, keepers count points as they like
            if said is not None and figures and said not in figures:
                yield _differs(column, what, str(said), _listed(figures, str))

    def _result(self, account: Account) -> Iterator[Diagnostic]:
        won = {one.won for one in self.came_to.settlements}
        if account.won is not None and len(won) == 1 and account.won not in won:
            word, other = ("won", "lost") if account.won else ("lost", "won")
            yield _differs("result", "the result", word, other)


def _differs(column: str, what: str, read: str, expected: str) -> Diagnostic:
    return finding("L037", part=column, what=what, read=read, expected=expected)


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


def _run(matadors: int) -> str:
    return f"{'with' if matadors > 0 else 'without'} {abs(matadors)}"


def _listed(values: Collection[Amount], show: Callable[[Any], str]) -> str:
    """Return possible figures in words, ascending, the rest of a long list left out."""
    named = [show(one) for one in sorted(values)[:MOST_NAMED]]
    return " or ".join(named) + (" or others" if len(values) > MOST_NAMED else "")
