"""A row's value against what its game can have: one finding, or none (floor 5).

Whatever is wrong with a value - sign, doubling, an uncovered bid - the row is what is
named; which of its cells was written wrongly, a list cannot say.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from skatspec.diagnostics import Diagnostic, entry, finding, message
from skatspec.engine import settlement
from skatspec.engine.settlement import Line
from skatspec.record import RAMSCH
from skatspec.rules.tables import Tables
from skatspec.session.possible import NULL, Possibilities, Possible, null_value
from skatspec.session.ramsch import RamschScores
from skatspec.sheet import Account, Amount

# Longer lists of admissible values are cut in messages.
MOST_NAMED = 12
RESULT = "result"
_MOST_KEPT = 100_000
_VALUE_TOPICS = {"null": "null-value", "revolution": "null-value", RAMSCH: "ramsch"}


@dataclass(frozen=True, slots=True)
class Judged:
    """What a row's entries come to.

    `found` is the fault, None where the value can stand. `expected` are the scores that
    agree with the entries (ledger points, best first), `won` whether the game is won by
    them (None where it is open), `why` the lines of the settlement that comes to the one
    score expected, none where there are several. `is_open` says that the value stands, but
    others could as well.
    """

    found: Diagnostic | None
    expected: tuple[Amount, ...]
    won: bool | None
    why: tuple[Line, ...] = ()
    is_open: bool = False


class RowJudge:
    """Judges the values of rows by one set of rules; equal rows are judged once."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._possible = Possibilities(tables)
        self._ramsch = RamschScores(tables)
        self._known: dict[tuple[Account, Amount | None, int], Judged] = {}

    @property
    def plays_ramsch(self) -> bool:
        """Say whether these rules have a Ramsch."""
        return self._ramsch.played

    def judge(self, account: Account, value: Amount | None, losers: int = 1) -> Judged:
        """Judge a row by its entries; `losers` counts the players who lost a Ramsch."""
        key = (account, value, losers)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            found = self._known[key] = self._judge(account, value, losers)
        return found

    def _judge(self, account: Account, value: Amount | None, losers: int) -> Judged:
        if account.contract is None:
            return self._any_game(account, value)
        if account.contract == RAMSCH:
            can = self._ramsch.of(account, losers)
        else:
            can = self._possible.of(account, every=False)
            if can.partial and (value is None or value not in can.scores(account.won)):
                can = self._possible.of(account)
        if can.objections:
            first = can.objections[0]
            objection = finding("L035", what=message(first), read=first.read,
                            expected=first.expected, topic=topic_of(first))  # fmt: skip
            return Judged(objection, (), account.won)
        fitting = can.scores(account.won)
        if value is not None and value in can.choices and account.won is not True:
            return Judged(None, best_first(fitting), False)
        if value is not None and value in fitting:
            one = can.by_score(value)
            is_open = len(fitting) > 1 or (can.partial and not one.won)
            return Judged(None, best_first(fitting), one.won, is_open=is_open)
        if not fitting:
            return self._wrong_winner(account, value, can)
        fault = None
        if value is not None:
            fault = self._wrong_value(account, value, can, fitting)
        known = {one.won for one in can.outcomes if one.score in fitting}
        won = known.pop() if len(known) == 1 else None
        return Judged(fault, best_first(fitting), won, self._why(account, fitting))

    def _why(self, account: Account, scores: tuple[Amount, ...]) -> tuple[Line, ...]:
        if len(scores) != 1 or account.contract == RAMSCH:
            return ()
        return self._possible.why(account, scores[0])

    def _any_game(self, account: Account, value: Amount | None) -> Judged:
        """Judge a row that does not say what was played."""
        if value is None:
            return Judged(None, (), account.won)
        won = value > 0
        if account.won is not None and account.won != won:
            outcome = "won" if account.won else "lost"
            expected = "above 0" if account.won else "below 0"
            found = finding("L031", outcome=outcome, read=signed(value), expected=expected)
            return Judged(found, (), account.won)
        whole = int(value) if value == int(value) else None
        if whole is None or not settlement.conceivable(self.tables, whole):
            found = finding(
                "L030", game=described(account), read=signed(value), topic="base-value",
                expected="a value that some game has",
            )  # fmt: skip
            return Judged(found, (), won)
        return Judged(None, (), won, is_open=True)

    def _wrong_winner(self, account: Account, value: Amount | None, can: Possible) -> Judged:
        """Fault a game that by its own entries cannot have been won, or lost."""
        scores = can.scores()
        expected = _listed(scores)
        entered, right = ("won", "lost") if account.won else ("lost", "won")
        if account.won and all(one.overbid for one in can.outcomes):
            fault = finding(
                "L033", bid=account.bid, value=self._own_value(account, can), read=signed(value),
                expected=expected,
            )  # fmt: skip
        elif account.points is not None:
            fault = finding(
                "L034", points=account.points, read=entered, expected=right, part=RESULT
            )
        else:
            what = f"entered as {entered}, and by its other entries it is {right}"
            fault = finding("L035", what=what, read=entered, expected=right, part=RESULT)
        return Judged(fault, best_first(scores), not account.won, self._why(account, scores))

    def _wrong_value(
        self, account: Account, value: Amount, can: Possible, fitting: tuple[Amount, ...]
    ) -> Diagnostic:
        expected = _listed(fitting)
        read = signed(value)
        outcome = "won" if fitting[0] > 0 else "lost"
        one_side = (fitting[0] > 0) == (fitting[-1] > 0)
        factors = {self.tables.loss_factor, self.tables.hand_loss_factor}
        overbid = account.bid is not None and all(one.overbid for one in can.outcomes)
        if overbid and value > 0 and account.won is not False:
            own = self._own_value(account, can)
            return finding("L033", bid=account.bid, value=own, read=read, expected=expected)
        if one_side and (value > 0) != (fitting[0] > 0):
            exactly = signed(-value) if -value in fitting else expected
            return finding("L031", outcome=outcome, read=read, expected=exactly)
        for factor in sorted(factors - {1}):
            if value < 0 and value * factor in fitting:
                right = signed(value * factor)
                return finding("L032", factor=factor, read=read, expected=right)
        topic = _VALUE_TOPICS.get(account.contract or "", "base-value")
        return finding(
            "L030", game=described(account), read=read, expected=expected, topic=topic
        )  # fmt: skip

    def _own_value(self, account: Account, can: Possible) -> int:
        """Return what an overbid game itself is worth."""
        if account.contract == NULL:
            return null_value(account, self.tables)
        lines = can.outcomes[0].settled.lines
        values = [
            one.value for one in lines if one.topic.endswith("-value") and one.value is not None
        ]
        return values[0] if values else can.outcomes[0].settled.value


def best_first(scores: tuple[Amount, ...]) -> tuple[Amount, ...]:
    """Return scores from the best to the worst."""
    return tuple(sorted(scores, reverse=True))


def topic_of(found: Diagnostic) -> str:
    """Return the topic of a finding's rule."""
    return found.topic or entry(found.code).topic


def described(account: Account) -> str:
    """Return the game that a row names, in words: `hearts with 2, Hand, bid 20`."""
    words = [account.contract or "any game"]
    if account.matadors:
        side = "with" if account.matadors > 0 else "without"
        count = abs(account.matadors)
        words[0] += f" with or without {count}" if account.unsigned else f" {side} {count}"
    for said, word in (
        (account.hand, "Hand"), (account.schneider, "Schneider"),
        (account.schneider_announced, "Schneider announced"), (account.schwarz, "Schwarz"),
        (account.schwarz_announced, "Schwarz announced"), (account.ouvert, "Ouvert"),
    ):  # fmt: skip
        if said:
            words.append(word)
    if account.bid is not None:
        words.append(f"bid {account.bid}")
    if account.won is not None:
        words.append("won" if account.won else "lost")
    return ", ".join(words)


def amount(number: Amount) -> str:
    """Return ledger points as text; a half as `.5`."""
    if isinstance(number, Fraction) and number.denominator != 1:
        return f"{float(number):g}"
    return str(int(number))


def signed(value: Amount | None) -> str:
    """Return a score with its sign, nothing for none."""
    if value is None:
        return ""
    return f"+{amount(value)}" if value > 0 else amount(value)


def _listed(scores: tuple[Amount, ...]) -> str:
    """Return admissible values in words, best first, the least of a long list left out."""
    named = [signed(one) for one in best_first(scores)]
    if len(named) > MOST_NAMED:
        named = [*named[:MOST_NAMED], "..."]
    return " or ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else named[0]
