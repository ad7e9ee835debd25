"""Asks an engine every case of a selection, and survives whatever the engine does.

Cases are asked profile by profile, so that the rules are told once. Each of several jobs
has an engine process of its own and takes the next piece of the work; the outcome is the
same for every number of jobs, but for what a faulty engine does by chance.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from skatspec.conformance import protocol
from skatspec.conformance.agreement import VERDICT, agreement
from skatspec.conformance.cases import Case
from skatspec.conformance.outcome import (
    ERRORED,
    FAILED,
    PASSED,
    SKIPPED,
    UNANSWERED,
    Outcome,
    Reply,
    Row,
)
from skatspec.conformance.process import Limits, Process
from skatspec.conformance.protocol import Fault, Message
from skatspec.conformance.talk import CannotBegin, Talk
from skatspec.diagnostics import Diagnostic, finding, message
from skatspec.rules import load_rules

_PIECE = 16  # items that a job takes at a time
_MOST_FINDINGS = 100


@dataclass(frozen=True, slots=True)
class Options:
    """How a run is made.

    `restarts` is how often a faulty engine is started again before the run is given up;
    `least` the level of agreement that a check must reach; `skips` the cases the user knows to
    fail, with his reasons; `oneshot` starts a process for each case.
    """

    limits: Limits = field(default_factory=Limits)
    jobs: int = 1
    restarts: int = 10
    least: str = VERDICT
    skips: Mapping[str, str] = field(default_factory=dict)
    oneshot: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A case to be asked under one profile."""

    number: int
    case: Case
    rules: str

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """Return what the engine is told before the case: the profile, and its changed keys."""
        return self.rules, tuple(self.case.input.get("set", ()))


def run(
    command: Sequence[str],
    cases: Iterable[Case],
    options: Options = Options(),
    progress: Callable[[int, int], None] | None = None,
) -> Outcome:
    """Ask an engine the cases; `progress` is told how many questions are done, and of how many."""
    begun = time.monotonic()
    chosen = list(cases)
    shared = _Shared(command, options, _items(chosen), progress)
    jobs = [
        threading.Thread(target=_Job(shared).work, daemon=True)
        for _ in range(max(1, min(options.jobs, len(shared.work) // _PIECE + 1)))
    ]
    for job in jobs:
        job.start()
    try:
        for job in jobs:
            job.join()
    except BaseException:  # interrupted: no engine is left behind
        shared.kill()
        raise
    if shared.broken is not None:
        raise shared.broken
    rows = tuple(
        Row(case, tuple(shared.replies_of(number, case)), options.skips.get(case.id))
        for number, case in enumerate(chosen)
    )
    findings = [*shared.findings, *_skips_amiss(rows, options.skips)]
    return Outcome(
        tuple(command), shared.engine, rows, tuple(findings), shared.restarts,
        time.monotonic() - begun, shared.waited,
    )  # fmt: skip


def _items(cases: Sequence[Case]) -> list[Item]:
    items = [Item(n, case, rules) for n, case in enumerate(cases) for rules in case.rules]
    return sorted(items, key=lambda item: (item.key, item.number))


def _skips_amiss(rows: Sequence[Row], skips: Mapping[str, str]) -> Iterable[Diagnostic]:
    """Report cases on the user's list that pass, and lines that name no case of the run."""
    for row in rows:
        if row.is_stale:
            yield finding("C012", case=row.case.id)
    known = {row.case.id for row in rows}
    for name in skips:
        if name not in known:
            yield finding("C018", read=name)


class _Given(Exception):
    """The run is given up."""


class _Shared:
    """What the jobs of a run have in common: the work left, the replies, the findings."""

    def __init__(
        self, command: Sequence[str], options: Options, items: list[Item],
        progress: Callable[[int, int], None] | None,
    ) -> None:  # fmt: skip
        self.command = command
        self.options = options
        self.work = deque(items)
        self.known: Message = {}  # what the engine can do, by its own words
        self.findings: list[Diagnostic] = []
        self.restarts = 0
        self.waited = 0.0
        self.given_up = False
        self.broken: Exception | None = None  # a fault of our own, raised when all jobs have ended
        self._live: set[Process] = set()
        self._replies: dict[tuple[int, str], Reply] = {}
        self._total = len(items)
        self._progress = progress
        self._lock = threading.Lock()

    def take(self) -> list[Item]:
        """Return the next piece of the work, all of it under the same rules."""
        with self._lock:
            piece: list[Item] = []
            while self.work and len(piece) < _PIECE and not self.given_up:
                if piece and self.work[0].key != piece[0].key:
                    break
                piece.append(self.work.popleft())
            return piece

    def put(self, item: Item, reply: Reply) -> None:
        """Keep a reply; one that comes later, of a case answered twice, replaces it."""
        with self._lock:
            self._replies[item.number, item.rules] = reply
            if self._progress is not None:
                self._progress(len(self._replies), self._total)

    def replies_of(self, number: int, case: Case) -> Iterable[Reply]:
        """Yield a case's replies; what the run did not come to is unanswered."""
        for rules in case.rules:
            found = self._replies.get((number, rules))
            if found is None:
                unknown = self.unknown(case, rules)
                status = SKIPPED if unknown else UNANSWERED
                found = Reply(rules, status, message=unknown or "not asked any more")
            yield found

    def report(self, found: Diagnostic) -> None:
        """Keep a finding about the engine; the same one once, and not without end."""
        with self._lock:
            if found not in self.findings and len(self.findings) < _MOST_FINDINGS:
                self.findings.append(found)

    @property
    def engine(self) -> Mapping[str, str]:
        """Return what the engine calls itself, empty where it never said."""
        engine: Mapping[str, str] = self.known.get("engine", {})
        return engine

    def unknown(self, case: Case, rules: str) -> str:
        """Return why the engine need not be asked, by what it says it can do."""
        if self.known and case.task not in self.known["tasks"]:
            return f"the engine does not know the task {case.task}"
        if self.known and rules not in self.known["rules"]:
            return f"the engine does not know the rules {rules}"
        return ""

    def introduce(self, talk: Talk) -> None:
        """Keep what the engine says of itself; raises C010 where it said something else first."""
        with self._lock:
            talk.same_as(self.engine)
            self.known = self.known or talk.known

    def begun(self, process: Process) -> None:
        """Take note of a process that runs; a run that has ended has none."""
        with self._lock:
            self._live.add(process)
            ended = self.given_up
        if ended:
            process.kill()

    def ended(self, process: Process) -> None:
        """Forget a process that has ended."""
        with self._lock:
            self._live.discard(process)

    def kill(self) -> None:
        """End everything at once."""
        with self._lock:
            self.given_up = True
            live = list(self._live)
        for process in live:
            process.kill()

    def wait(self, seconds: float) -> None:
        """Count time spent waiting for answers."""
        with self._lock:
            self.waited += seconds

    def restart(self) -> None:
        """Count a restart; raises where there were enough of them."""
        with self._lock:
            if self.given_up:
                raise _Given
            if self.restarts >= self.options.restarts:
                found = finding("C019", count=self.restarts)
                self.given_up = True
                if found not in self.findings:
                    self.findings.append(found)
                raise _Given
            self.restarts += 1

    def give_up(self) -> None:
        """End the run for all jobs."""
        with self._lock:
            self.given_up = True


class _Job:
    """One engine at a time, asked piece after piece."""

    def __init__(self, shared: _Shared) -> None:
        self.shared = shared
        self.options = shared.options
        self.talk: Talk | None = None
        self.key: tuple[str, tuple[str, ...]] | None = None
        self.refusal = ""  # why the engine does not play by the rules last told
        self.answered: list[Item] = []  # by this process, in the order of their numbers

    def work(self) -> None:
        """Ask until nothing is left, or the run is given up."""
        try:
            while piece := self.shared.take():
                for item in piece:
                    self._one(item)
        except _Given:
            pass
        except Exception as error:
            self.shared.broken = error
            self.shared.give_up()
        finally:
            self._end()

    def _one(self, item: Item) -> None:
        """Ask a case; an engine at fault is started again for the next one."""
        while True:
            try:
                self.shared.put(item, self._reply(item))
                break
            except Fault as fault:
                found = fault.finding
                self.shared.report(found)
                self._drop()
                if isinstance(fault, CannotBegin):
                    self.shared.give_up()
                    raise _Given from None
                before = self._before(fault)
                self.shared.put(before or item, _unanswered(before or item, found))
                self.shared.restart()
                if before is None:
                    break
        if self.options.oneshot and self._end():
            self.shared.restart()  # seconds each time: it cannot go on for ever

    def _before(self, fault: Fault) -> Item | None:
        """Return the case answered before that a fault is about, None where it is this one."""
        if fault.finding.code != "C008":
            return None
        answered, self.answered = self.answered, []
        if 0 < fault.about <= len(answered):
            return answered[fault.about - 1]
        return answered[-1] if answered and not fault.about else None

    def _reply(self, item: Item) -> Reply:
        unknown = self.shared.unknown(item.case, item.rules)
        if not unknown:
            begun = time.monotonic()
            try:
                talk = self._started()
                # the first process tells what the engine can do
                unknown = self.shared.unknown(item.case, item.rules) or self._told(talk, item)
                if not unknown:
                    said = talk.ask(item.case.task, item.case.payload())
            finally:
                self.shared.wait(time.monotonic() - begun)
        if unknown:
            return Reply(item.rules, SKIPPED, message=unknown)
        self.answered.append(item)
        return self._judged(item, said)

    def _judged(self, item: Item, said: Message) -> Reply:
        if said.get("skipped"):
            return Reply(item.rules, SKIPPED, message=protocol.excerpt(said["message"]))
        if "error" in said:
            found = finding("C014", read=protocol.excerpt(said["error"]["message"]))
            return Reply(item.rules, ERRORED, code=found.code, message=message(found))
        agreed = agreement(item.case.task, item.case.expect, said["result"], self.options.least)
        if agreed.passed:
            return Reply(item.rules, PASSED, agreed)
        found = finding("C013", what="; ".join(agreed.differs))
        shown = protocol.short(said["result"])
        return Reply(item.rules, FAILED, agreed, shown, found.code, message(found))

    # --- the process --------------------------------------------------------------------

    def _started(self) -> Talk:
        if self.talk is None:
            self.key, self.answered = None, []
            self.talk = Talk(self.shared.command, self.options.limits, self.shared.begun)
            self.shared.introduce(self.talk)
        return self.talk

    def _told(self, talk: Talk, item: Item) -> str:
        """Tell the rules where they are others than before; return why the engine refuses them."""
        if item.key != self.key:
            self.key = None
            self.refusal = talk.tell(item.rules, load_rules(*item.key))
            self.key = item.key
        return self.refusal

    def _drop(self) -> None:
        """End a process that went wrong."""
        talk, self.talk = self.talk, None
        if talk is not None:
            talk.process.kill()
            self.shared.ended(talk.process)
            self._overheard(talk)

    def _end(self) -> bool:
        """End a process that is no longer needed; say whether it had to be killed."""
        talk, self.talk = self.talk, None
        if talk is None:
            return False
        for fault in talk.process.close():
            self.shared.report(fault.finding)
            if before := self._before(fault):
                self.shared.put(before, _unanswered(before, fault.finding))
        self.shared.ended(talk.process)
        self._overheard(talk)
        return talk.process.was_killed

    def _overheard(self, talk: Talk) -> None:
        if printed := talk.printed():
            self.shared.report(printed)


def _unanswered(item: Item, found: Diagnostic) -> Reply:
    return Reply(item.rules, UNANSWERED, code=found.code, message=message(found))
