"""Holds an engine against skatspec on made-up games, until both disagree; then shrinks.

Games are made, asked and forgotten one after the other: memory does not grow with their
number. What was not answered is counted as that, and never as agreed.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from skatspec.conformance import answers
from skatspec.conformance.difference import shrink
from skatspec.conformance.difference.asking import Engine, Said, running
from skatspec.conformance.difference.disagreement import (
    Difference,
    Kind,
    compared,
    differing,
    shape,
)
from skatspec.conformance.difference.questions import TASKS, Asking, Question, questions
from skatspec.conformance.generator import generate
from skatspec.conformance.generator.generate import BLOCK, SKAT, Generated
from skatspec.conformance.generator.table import Table
from skatspec.conformance.process import Limits
from skatspec.conformance.protocol import Fault
from skatspec.diagnostics import Diagnostic, finding
from skatspec.errors import SkatspecError, UsageError
from skatspec.rules import Rules, available, load_rules

AGREED, DIFFERS, SKIPPED, UNANSWERED = "agreed", "differs", "skipped", "unanswered"
# How often an engine may be at fault in a run before it is given up.
MOST_FAULTS = 50
_MOST_REASONS = 10
_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Order:
    """What is compared: packaged rules with keys changed, the games, the tasks asked.

    `mutated` is the share (0 to 1) of records with one fault; `tasks` are those to be asked of
    the ones that the engine knows; `keep_going` looks for further kinds of disagreement.
    """

    count: int
    seed: int = 1
    rules: str = "isko"
    settings: tuple[str, ...] = ()
    form: str = SKAT
    mutated: float = 0.5
    tasks: tuple[str, ...] = TASKS
    keep_going: bool = False
    shrunk: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """One disagreement, with the smallest question that shows it.

    `first` is the question as it was met, `given` the input it was shrunk to in so many
    questions (`asked`). `alone` says that a new process shows it too, without the questions
    before. `twins` counts those told before of the same game and task.
    """

    first: Question
    given: dict[str, Any]
    difference: Difference
    asked: int = 0
    alone: bool = True
    twins: int = 0


@dataclass(slots=True)
class Outcome:
    """A whole run; `counts` has a Counter of what became of the questions for each task.

    `ended` is the finding for which the run was given up, `reasons` say why the engine
    skipped, `left_out` are tasks that were wanted and not asked, with the reason.
    """

    engine: Mapping[str, str] = field(default_factory=dict)
    games: int = 0
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
    notes: list[Diagnostic] = field(default_factory=list)
    ended: Diagnostic | None = None
    reasons: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, str] = field(default_factory=dict)

    def sum(self, what: str) -> int:
        """Return how many questions came to that."""
        return sum(found[what] for found in self.counts.values())

    @property
    def questions(self) -> int:
        """Return how many questions were asked."""
        return sum(found.total() for found in self.counts.values())

    @property
    def is_clean(self) -> bool:
        """Say whether something was compared, and nothing differed or went unanswered."""
        compared = self.sum(AGREED)
        return bool(compared) and not (self.found or self.ended or self.sum(UNANSWERED))


def run(
    command: Sequence[str],
    order: Order,
    limits: Limits = _LIMITS,
    told: Callable[[Found, Mapping[str, str]], None] = lambda found, engine: None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """Compare an engine; `told` gets each disagreement when it is shrunk, and the engine's name.

    Raises UsageError for options that make no sense, and for an engine with which nothing
    can be compared; ProfileError for rules that cannot be used.
    """
    rules = _rules(order)
    changed = load_rules(order.rules, order.settings)
    table = Table(changed)
    # the rules are told by the protocol; a tag in the record would go before them
    table.tag = ""
    outcome = Outcome()
    with running(command, limits, order.rules, changed) as engine:
        try:
            _Run(engine, order, rules, outcome, told).all(_games(table, order), progress)
        except Fault as fault:
            outcome.ended = fault.finding
        outcome.engine, outcome.notes = engine.identity, engine.notes
    return outcome


def _rules(order: Order) -> Rules:
    """Return the rules; an engine knows them by name, so that a file's have none."""
    if order.rules not in available():
        raise UsageError(
            f"an engine is told rules by their name, and {order.rules!r} names no packaged ones: "
            "name some, and change keys with --set"
        )
    options = generate.Options(order.form, order.mutated)
    generate.checked(options, order.count)
    return load_rules(order.rules)


def _games(table: Table, order: Order) -> Iterator[Generated]:
    options = generate.Options(order.form, order.mutated)
    for at in range(0, order.count, BLOCK):
        size = min(BLOCK, order.count - at)
        yield from generate.block(table, order.seed, at // BLOCK, size, options)


class _Enough(Exception):
    """The first disagreement ends the run."""


class _Run:
    """The games one by one, and what is known of the engine's faults so far."""

    def __init__(
        self, engine: Engine, order: Order, rules: Rules, outcome: Outcome,
        told: Callable[[Found, Mapping[str, str]], None],
    ) -> None:  # fmt: skip
        self.engine, self.order, self.rules = engine, order, rules
        self.outcome, self.told = outcome, told
        self.known: list[Kind] = []
        self.last: tuple[Question, str] | None = None  # and what became of it

    def all(self, made: Iterator[Generated], progress: Callable[[int, int], None]) -> None:
        """Ask about every game, or until the run ends."""
        self.engine.begin()
        asking = Asking(self._tasks(), self.order.form, self.rules, self.order.settings,
                        self.order.seed)  # fmt: skip
        with contextlib.suppress(_Enough):
            for one in made:
                self.outcome.games += 1
                for question in questions(one, asking):
                    self._one(question)
                progress(self.outcome.games, self.order.count)
            self._late(self.engine.end())

    def _tasks(self) -> tuple[str, ...]:
        """Return what is asked: wanted, known to the engine, and expressible."""
        left_out = self.outcome.left_out
        for task in self.order.tasks:
            if task not in self.engine.tasks:
                left_out[task] = "the engine does not know it"
            elif task == "legal" and self.order.settings:
                left_out[task] = "its questions have no place for changed keys of the rules"
        asked = tuple(task for task in self.order.tasks if task not in left_out)
        if not asked:
            reasons = "; ".join(f"{task}: {reason}" for task, reason in left_out.items())
            raise UsageError(f"there is nothing to compare: {reasons}")
        return asked

    def _one(self, question: Question) -> None:
        said = self.engine.ask(question.task, question.given)
        if said.late:
            self._late(said)
            said = self.engine.ask(question.task, question.given)
        status, difference = self._status(question, said)
        self.last = question, status
        self.outcome.counts.setdefault(question.task, Counter())[status] += 1
        if difference is not None:
            self._differs(question, difference)

    def _status(self, question: Question, said: Said) -> tuple[str, Difference | None]:
        difference = differing(question.task, question.given, said, self.rules)
        if said.skipped:
            reasons = self.outcome.reasons
            if said.skipped in reasons or len(reasons) < _MOST_REASONS:
                reasons[said.skipped] += 1
            return SKIPPED, None
        if said.fault is not None:
            return UNANSWERED, difference
        return AGREED if difference is None else DIFFERS, difference

    def _late(self, said: Said | None) -> None:
        """Take back that the last question was answered: it was answered twice."""
        if said is None or self.last is None or said.fault is None:
            return
        (question, status), self.last = self.last, None
        counts = self.outcome.counts[question.task]
        counts[status] -= 1
        counts[UNANSWERED] += 1
        difference = differing(question.task, question.given, said, self.rules)
        if difference is not None and difference.kind not in self.known:
            self.engine.renew()
            self.engine.ask(question.task, question.given)
            again = self.engine.end()
            self._tell(Found(question, question.given, difference, alone=again is not None))

    # --- a disagreement -------------------------------------------------------------------

    def _differs(self, question: Question, difference: Difference) -> None:
        """Tell a disagreement of a new kind, as small as it can be shown."""
        if not any(difference.kind.holds(kind) for kind in self.known):
            found = self._shrunk(question, difference)
            new = not any(found.difference.kind.holds(kind) for kind in self.known)
            self.known.append(difference.kind)
            if new:
                self._tell(found)
        if self.engine.faults >= MOST_FAULTS:
            raise Fault(finding("C019", count=self.engine.faults))

    def _tell(self, found: Found) -> None:
        place = (found.first.game, found.first.task)
        twins = sum((one.first.game, one.first.task) == place for one in self.outcome.found)
        found = replace(found, twins=twins)
        self.known.append(found.difference.kind)
        self.outcome.found.append(found)
        self.told(found, self.engine.identity)
        if not self.order.keep_going:
            raise _Enough

    def _shrunk(self, question: Question, difference: Difference) -> Found:
        """Return the smallest question of that kind; each end of the way in a new process."""
        faults = self.engine.faults
        try:
            return self._smallest(question, difference)
        except Fault:
            # it does not even start again: what was met is told all the same
            return Found(question, question.given, difference, alone=False)
        finally:
            # what shrinking called forth is no further fault
            self.engine.faults = faults
            self.engine.renew()
            self.last = None

    def _smallest(self, question: Question, difference: Difference) -> Found:
        task, given = question.task, question.given
        alone = self._anew(task, given)
        if alone is None or not difference.kind.holds(alone.kind):
            return Found(question, given, difference, alone=False)
        if not self.order.shrunk:
            return Found(question, given, alone)
        kind = alone.kind
        trial = shrink.Trial(lambda one: self._holds(kind, one), bool(kind.fault))
        least = shrink.smaller(task, given, trial, self.engine.rules.tables)
        again = alone if least == given else self._anew(task, least)
        if again is None or not kind.holds(again.kind):
            return Found(question, given, alone, trial.asked)
        return Found(question, least, again, trial.asked)

    def _anew(self, task: str, given: dict[str, Any]) -> Difference | None:
        self.engine.renew()
        return differing(task, given, self.engine.ask(task, given), self.rules)

    def _holds(self, kind: Kind, given: dict[str, Any]) -> bool:
        """Say whether a smaller input still shows a kind; where we differ, nobody else is asked."""
        try:
            ours = answers.answer(kind.task, given, self.rules)
        except SkatspecError:
            return False  # no question any more
        if shape(ours) != kind.ours:
            return False
        said = self.engine.ask(kind.task, given)
        if said.late:
            said = self.engine.ask(kind.task, given)
        difference = compared(kind.task, ours, said)
        return difference is not None and kind.holds(difference.kind)
