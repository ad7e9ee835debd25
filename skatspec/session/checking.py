"""Checks a list: every row's value, the totals, the sums below, the order of the deals.

A fault is named once, at the first cell that shows it; what is wrong only because of it
is folded under it. What is right stands on the rules and the rows; where a row allows
several values, none of them is taken for the true one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from skatspec.diagnostics import Diagnostic, Severity, Span, Verdict, entry, finding, message
from skatspec.judging import Judge
from skatspec.record import RAMSCH
from skatspec.rules import Rules
from skatspec.rules.match import TABLES, WITH_BONUS, Match, compile_match
from skatspec.session import order, scoring
from skatspec.session.against_record import Comparison, compare
from skatspec.session.below import Below
from skatspec.session.counts import Counts, Won
from skatspec.session.ledger import Ledger
from skatspec.session.report import Cell, Dispute, Figures, ListReport, Reason, Shift
from skatspec.session.row_totals import RowTotals
from skatspec.session.rows import Judged, RowJudge, amount
from skatspec.sheet import Amount, Row, Sheet


class ListChecker:
    """Checks lists by one set of rules, one system, one agreed length; rows are remembered."""

    def __init__(self, rules: Rules, system: str | None = None, length: int | None = None) -> None:
        self.rules = rules
        self.match = compile_match(rules.profile)
        self.system = system or self.match.system
        self.length = length
        self.rows = RowJudge(rules.tables)

    def check(self, sheet: Sheet, findings: Sequence[Diagnostic] = ()) -> ListReport:
        """Return what is wrong with a list; never raises for what stands on it.

        `findings` are what was found about it before.
        """
        return _Check(self, sheet, findings).report()

    def dispute(self, found: Diagnostic, deal: int | None = None) -> Dispute:
        """Return a finding with its weight and rule by the profile."""
        profile = self.rules.profile
        rule = profile.cite(found.topic or entry(found.code).topic)
        severity = profile.severity(found.code)
        return Dispute(found, severity, rule, deal, entered=found.read)


@dataclass(slots=True)
class _Check:
    """One list while it is checked."""

    checker: ListChecker
    sheet: Sheet
    findings: Sequence[Diagnostic]
    disputes: list[Dispute] = field(default_factory=list)
    ledger: Ledger = field(init=False)
    counts: Counts = field(init=False)
    below: Below = field(init=False)
    judge: Judge = field(init=False)
    numbers: dict[int, int | None] = field(init=False)
    numbered: Sequence[order.Numbered] = ()
    dealt: dict[int, int] = field(default_factory=dict)
    totals: RowTotals = field(init=False)
    open_deals: list[int] = field(default_factory=list)
    played: int = 0
    passed_in: int = 0

    def __post_init__(self) -> None:
        self.ledger = Ledger.of(self.sheet.seats)
        # deals of one table in a row: what Bock rounds make of them is known
        self.judge = Judge(self.checker.rules, in_order=True)
        self.counts = Counts.of(self.sheet.seats)
        self.below = Below(
            self.sheet, self.ledger, self.counts, self.match, self._totals, self.checker.dispute
        )
        self.totals = RowTotals(
            self.sheet, self.ledger, self.counts, self.below, self._shares, self.checker.dispute
        )
        self.numbers = {row.line: row.number for row in self.sheet.rows}

    @property
    def match(self) -> Match:
        return self.checker.match

    def report(self) -> ListReport:
        sheet = self.sheet
        self._add(*self.findings, *sheet.findings)
        unreadable = not sheet.seats or not sheet.rows
        if unreadable and not any(one.severity is Severity.ERROR for one in self.disputes):
            self._add(finding("L022"))
        if not unreadable:
            self._table()
            self._order()
            for row in sheet.rows if sheet.partial else order.sequence(self.numbered):
                self.disputes += self.below.between(row.line)
                self._row(row)
            self.disputes += self.below.end()
            if self._size_fits and not sheet.partial:
                self._add(*order.dealer_faults(sheet, self.numbered, self.totals.played_by))
        return self._finished(unreadable)

    def _order(self) -> None:
        """Check which deals there are and find out who dealt, unless the list is but a part."""
        sheet = self.sheet
        if sheet.partial:
            self.dealt = {row.line: row.dealer for row in sheet.rows if row.dealer is not None}
            return
        length = self.checker.length if self.checker.length is not None else sheet.length
        self.numbered = order.numbering(sheet, self.match, length)
        rules = self.checker.rules.name
        self._add(*order.deal_faults(sheet, self.match, rules, length, self.numbered))
        for one in self.disputes:
            if one.code == "L050":
                self.totals.may_move(one.line, one)
        if self._size_fits:
            self.dealt = order.dealers(sheet, self.numbered)

    @property
    def _size_fits(self) -> bool:
        most = self.match.tables_most
        return self.match.tables_least <= self.sheet.seats <= (most or self.sheet.seats)

    @property
    def _counts_bonus(self) -> bool:
        return self.checker.system not in WITH_BONUS or self.sheet.seats in TABLES

    def _table(self) -> None:
        """Fault a table of a size that the rules, or the bonus, do not know."""
        if self._size_fits and self._counts_bonus:
            return
        least, most = self.match.tables_least, self.match.tables_most
        known = str(least) if least == most else f"{least} to {most}" if most else f"{least} on"
        rules = self.checker.rules.name
        if self._size_fits:
            known, rules = " to ".join(str(one) for one in sorted(TABLES)), self.checker.system
        self._add(finding("L019", read=self.sheet.seats, rules=rules, expected=known))

    def _add(self, *found: Diagnostic) -> None:
        for one in found:
            number = self.numbers.get(one.span.line) if one.span.line else None
            self.disputes.append(self.checker.dispute(one, number))

    # --- rows ---------------------------------------------------------------------------

    def _row(self, row: Row) -> None:
        if row.declarer is not None and row.declarer >= self.sheet.seats:
            self.disputes += self.totals.compare(row)
            return
        open_values: Sequence[Amount] = ()
        compared, disputes = self._against_record(row)
        if row.declarer is None:
            self._nobody_played(row)
        else:
            self.played += 1
        if compared is not None and compared.score is not None and compared.declarer is not None:
            self._by_record(row, compared, disputes)
        elif row.declarer is not None:
            # what was made of a record says nothing beside it
            own_entries = bool(self.sheet.columns) or not disputes
            open_values = self._by_entries(row, (row.declarer, *row.others), own_entries)
        self.disputes += self.totals.compare(row, open_values)

    def _by_entries(
        self, row: Row, losers: tuple[int, ...], judge: bool = True
    ) -> Sequence[Amount]:
        """Judge a row by what it says of its game; return what else its value may be."""
        judged = self._judged(row, len(losers)) if judge else None
        dispute = None
        if judged is not None and judged.found is not None:
            dispute = self._row_dispute(row, judged)
        right = self._right(row, judged)
        entered = _entered_won(row)
        won = judged.won if judged is not None and judged.found is not None else None
        if won is None:
            won = right > 0 if right else entered
        several = judged.expected if judged is not None and len(judged.expected) > 1 else ()
        if several and right == row.value:
            won = entered  # which value is right is open: the counts go on from what was entered
        self.counts.count(
            Won(losers, won), Won(losers, won if entered is None else entered), dispute
        )
        if dispute is not None and several and row.value is not None and right == row.value:
            self.below.tried[id(dispute)] = self._tried(row, losers, several, entered)
        self._book(row, losers, right, dispute)
        return judged.expected if judged is not None and judged.is_open else ()

    def _tried(
        self, row: Row, losers: Sequence[int], values: Sequence[Amount], entered: bool | None
    ) -> list[list[Shift]]:
        """Return what each admissible value would change, as none is known to be right."""
        if len(values) > MOST_TRIED:
            values = (values[0], values[-1])
        ways = []
        was = entered if entered is not None else (row.value or 0) > 0
        as_entered = self._shares(row, row.value or 0, losers) or {}
        for value in values:
            brought = self._shares(row, value, losers) or {}
            won = was - (value > 0)
            way = [Shift(player, won=won, lost=-won) for player in losers]
            way += [
                Shift(player, points=as_entered.get(player, 0) - brought.get(player, 0))
                for player in sorted({*as_entered, *brought})
            ]
            ways.append(way)
        return ways

    def _against_record(self, row: Row) -> tuple[Comparison | None, list[Dispute]]:
        """Compare a row with its deal's record, if there is one."""
        if row.record is None:
            return None, []
        dealer = self.dealt.get(row.line, row.dealer)
        compared = compare(row, self.sheet, dealer, self.judge)
        disputes = []
        for found in compared.findings:
            placed = _at(found, order.place(self.sheet, row, found.part))
            one = self.checker.dispute(placed, row.number)
            one.player = row.declarer
            one.expected = (found.expected,) if found.expected else ()
            if found.part == "value":
                cite = self.checker.rules.profile.cite
                one.why = tuple(Reason(line.text, cite(line.topic)) for line in compared.why)
                one.rule = one.rule or _value_rule(one.why, compared)
                if compared.score is not None:
                    one.entered = "" if row.value is None else amount(row.value)
                    one.expected = (amount(compared.score),)
            disputes.append(one)
        disputes = _one_of(disputes)
        self.disputes += disputes
        return compared, disputes

    def _by_record(self, row: Row, compared: Comparison, disputes: Sequence[Dispute]) -> None:
        """Count a deal as its record has it; what the row has otherwise is in dispute."""
        assert compared.declarer is not None and compared.score is not None
        players = (compared.declarer, *compared.others)
        losers = () if row.declarer is None else (row.declarer, *row.others)
        about = [one for one in disputes if one.found.part in _MOVING]
        dispute = about[0] if about else None
        won = compared.score > 0
        entered = won if row.declarer is not None and dispute is None else _entered_won(row)
        self.counts.count(Won(players, won), Won(losers, entered), dispute)
        self._book(row, players, compared.score, dispute, losers)

    def _judged(self, row: Row, losers: int) -> Judged | None:
        if row.account is None:
            return None
        judged = self.checker.rows.judge(row.account, row.value, losers)
        if judged.is_open:
            self.open_deals.append(row.number or self.played + self.passed_in)
        return judged

    def _row_dispute(self, row: Row, judged: Judged) -> Dispute:
        found = judged.found
        assert found is not None
        placed = _at(found, order.place(self.sheet, row, found.part or "value"))
        dispute = self.checker.dispute(placed, row.number)
        dispute.player = row.declarer
        if found.part:
            dispute.expected = (found.expected,)
        else:
            dispute.entered = "" if row.value is None else amount(row.value)
            dispute.expected = tuple(amount(one) for one in judged.expected)
        cite = self.checker.rules.profile.cite
        dispute.why = tuple(Reason(line.text, cite(line.topic)) for line in judged.why)
        self.disputes.append(dispute)
        return dispute

    def _right(self, row: Row, judged: Judged | None) -> Amount | None:
        """Return the value that the totals are held against: the right one where it is known.

        Where several are, the total that the list itself goes on with tells, if it can.
        """
        assert row.declarer is not None
        if judged is None or (judged.found is None and row.value is not None):
            return row.value
        if len(judged.expected) == 1:
            return judged.expected[0]
        total = row.totals[row.declarer] if row.declarer < len(row.totals) else None
        told = None if total is None else self.ledger.change(row.declarer, total)
        return told if told is not None and told in judged.expected else row.value

    def _book(
        self, row: Row, players: Sequence[int], right: Amount | None, dispute: Dispute | None,
        entered_for: Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        """Add what a row brings; where its value is not known, what the totals say it brought."""
        if right is None:
            self.ledger.accept(row.totals)
            return
        brought = self._shares(row, right, players)
        if brought is None:
            self.ledger.accept(row.totals)
            return
        entered = None
        if dispute is not None and row.value is not None:
            entered = self._shares(row, row.value, players if entered_for is None else entered_for)
        self.ledger.book(brought, entered, dispute)

    def _shares(self, row: Row, score: Amount, losers: Sequence[int]) -> dict[int, Amount] | None:
        dealer = self.dealt.get(row.line, row.dealer)
        playing = order.playing(self.sheet.seats, dealer)
        return scoring.shares(score, losers, playing, self.checker.system)

    def _nobody_played(self, row: Row) -> None:
        if not order.passed_in(row):
            self.totals.count(row)  # the declarer's cell could not be read
            return
        self.passed_in += 1
        if row.record is None and self._nobody_lost(row):
            return
        for column, read in _entries(row):
            heading = self.sheet.heading(column)
            span = order.place(self.sheet, row, column)
            self._add(finding("L036", span=span, heading=heading, read=read))
            self.totals.may_move(row.line, self.disputes[-1])
        if not self.match.passed_in_counts and row.number is not None:
            span = order.place(self.sheet, row, "deal")
            self._add(finding("L058", span=span, rules=self.checker.rules.name))

    def _nobody_lost(self, row: Row) -> bool:
        """Say whether a row is a Ramsch in which all had the same points."""
        is_ramsch = row.account is not None and row.account.contract == RAMSCH
        return is_ramsch and not row.value and self.checker.rows.plays_ramsch

    # --- the end ------------------------------------------------------------------------

    def _totals(self, figures: Sequence[Figures]) -> tuple[Amount, ...]:
        """Return the players' totals with the bonus."""
        return scoring.handed_in(figures, self.match, self.checker.system)

    def _finished(self, unreadable: bool) -> ListReport:
        self.below.correct(self.disputes)
        self.disputes.sort(key=lambda one: (one.line == 0, one.line, one.found.span.column))
        entered = self.below.entered()
        corrected = self.below.corrected(self.disputes)
        verdict = Verdict.CONSISTENT
        if any(one.severity is Severity.ERROR for one in self.disputes):
            verdict = Verdict.UNREADABLE if unreadable else Verdict.CONTRADICTED
        elif self.open_deals:
            verdict = Verdict.UNDETERMINED
        return ListReport(
            self.sheet, self.checker.rules.name, self.checker.system, verdict, self.disputes,
            entered, corrected, self._totals(entered) if entered else (),
            self._totals(corrected) if corrected else (), tuple(self.open_deals), self.played,
            self.passed_in,
        )  # fmt: skip


# So many admissible values are tried for their effect; of more, the best and the worst.
MOST_TRIED = 8
# What moves points or counts where the row has it otherwise than the record.
_MOVING = ("declarer", "value", "result")
# What makes a value another one.
_OF_THE_VALUE = frozenset(
    ("contract", "matadors", "hand", "schneider", "schneider_announced", "schwarz",
     "schwarz_announced", "ouvert", "bid", "kontra", "bock", "result")
)  # fmt: skip


def _one_of(disputes: list[Dispute]) -> list[Dispute]:
    """Fold what a row says otherwise than its record under the value, if that differs as well."""
    main = next((one for one in disputes if one.found.part == "value"), None)
    if main is None:
        return disputes
    about = [one for one in disputes if one.found.part in _OF_THE_VALUE]
    main.follow_on += [Cell(*one.found.span[:2]) for one in about]
    main.why = (*(Reason(message(one.found), "") for one in about), *main.why)
    return [one for one in disputes if one not in about]


def _value_rule(why: Sequence[Reason], compared: Comparison) -> str:
    """Return the rule of the line that gives a game's value."""
    for reason, line in zip(why, compared.why, strict=True):
        if line.topic.endswith("-value"):
            return reason.rule
    return ""


def _entered_won(row: Row) -> bool | None:
    """Return whether the declarer won, as entered: by the sign of what goes into the totals."""
    if row.value:
        return row.value > 0
    return row.account.won if row.account is not None else None


def _at(found: Diagnostic, span: Span) -> Diagnostic:
    return replace(found, span=span)


def _entries(row: Row) -> Iterable[tuple[str, str]]:
    """Yield what stands in a row that nobody played, by column."""
    if row.value:
        yield "value", amount(row.value)
    elif row.account is not None:
        for name, said in row.account._asdict().items():
            if said and name != "unsigned":
                column = "result" if name == "won" else name
                yield column, "x" if said is True else str(said)
                return
