"""An engine asked one question after the other under one set of rules, and started again.

What goes wrong is an answer like any other: a `Said` with the finding. Only an engine that
cannot be asked at all raises.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skatspec.conformance import protocol
from skatspec.conformance.process import Limits
from skatspec.conformance.protocol import Fault
from skatspec.conformance.talk import CannotBegin, Talk
from skatspec.diagnostics import Diagnostic, finding
from skatspec.errors import UsageError
from skatspec.rules import Rules


@dataclass(frozen=True, slots=True)
class Said:
    """What came back: a result, or why the engine skips, or what it did wrong.

    `late` says that the fault belongs to the question before, which was answered twice.
    """

    result: dict[str, Any] | None = None
    skipped: str = ""
    fault: Diagnostic | None = None
    late: bool = False


class Engine:
    """A command that answers questions; the process is started when it is needed.

    `rules` have a `name` that the engine knows, perhaps with changed keys. `identity` is what
    the engine calls itself, `tasks` what it can do; both are empty before `begin`. `faults`
    counts how often it went wrong.
    """

    def __init__(self, command: Sequence[str], limits: Limits, name: str, rules: Rules) -> None:
        self.command, self.limits, self.name, self.rules = command, limits, name, rules
        self.identity: Mapping[str, str] = {}
        self.tasks: tuple[str, ...] = ()
        self.faults = 0
        self.notes: list[Diagnostic] = []
        self._talk: Talk | None = None
        self._asked = 0  # questions to this process

    def begin(self) -> None:
        """Start the process and tell it the rules, where none runs.

        Raises CannotBegin for an engine that does not even begin, UsageError for one that does not
        know the rules.
        """
        if self._talk is not None:
            return
        self._asked = 0
        talk = self._talk = Talk(self.command, self.limits)
        talk.same_as(self.identity)
        self.identity, self.tasks = talk.known["engine"], tuple(talk.known["tasks"])
        known = talk.known["rules"]
        if self.name not in known:
            listed = protocol.excerpt(", ".join(known) or "none")
            raise UsageError(f"the engine does not know the rules {self.name}; it knows: {listed}")
        try:
            refusal = talk.tell(self.name, self.rules)
        except Fault as fault:
            self._drop()
            raise CannotBegin(fault.finding) from None
        if refusal:
            raise UsageError(f"the engine refuses the rules {self.name}: {refusal}")

    def ask(self, task: str, given: dict[str, Any]) -> Said:
        """Ask a question; an engine at fault is ended, and started again for the next one."""
        self.begin()
        assert self._talk is not None
        self._asked += 1
        try:
            said = self._talk.ask(task, given)
        except Fault as fault:
            late = fault.finding.code == "C008" and self._asked > 1
            self.faults += 1
            self._drop()
            return Said(fault=fault.finding, late=late)
        if said.get("skipped"):
            return Said(skipped=protocol.excerpt(said["message"]))
        if "error" in said:
            text = protocol.excerpt(said["error"]["message"])
            return Said(fault=finding("C014", read=text))
        return Said(said["result"])

    def renew(self) -> None:
        """Let the next question be the first one of a new process."""
        self._drop()

    def end(self) -> Said | None:
        """End the process; return what it did wrong after its last answer, None for nothing."""
        talk = self._talk
        if talk is None:
            return None
        late = None
        for fault in talk.process.close():
            if fault.finding.code == "C008":
                late = Said(fault=fault.finding, late=True)
            else:
                self._note(fault.finding)
        self._talk = None
        self._overheard(talk)
        return late

    def _drop(self) -> None:
        if self._talk is not None:
            self._talk.process.kill()
            self._overheard(self._talk)
        self._talk = None

    def _overheard(self, talk: Talk) -> None:
        if printed := talk.printed():
            self._note(printed)

    def _note(self, found: Diagnostic) -> None:
        """Keep what is worth a remark, once for each code: a run may last for hours."""
        if all(one.code != found.code for one in self.notes):
            self.notes.append(found)


@contextlib.contextmanager
def running(
    command: Sequence[str], limits: Limits, name: str, rules: Rules
) -> Iterator[Engine]:  # fmt: skip
    """Give an engine that is asked under rules of a name, and end it whatever happens."""
    engine = Engine(command, limits, name, rules)
    try:
        yield engine
        engine.end()
    finally:  # interrupted: at once, and without a word
        engine.renew()
