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
from skatspec.conformance.process import Limits, Process
from skatspec.conformance.protocol import Fault, Message
from skatspec.diagnostics import Diagnostic, finding, message
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
        self._process: Process | None = None
        self._seq = 0

    def begin(self) -> None:
        """Start the process and tell it the rules, where none runs.

        Raises Fault for an engine that cannot even begin, UsageError for one that does not
        know the rules.
        """
        if self._process is not None:
            return
        self._process, self._seq = Process(self.command, self.limits), 0
        try:
            self._introduced(self._told(protocol.start(), protocol.STARTED, "protocol"))
            said = self._told(protocol.rules_message(self.name, self.rules), protocol.RULED)
        except Fault as fault:
            self._drop()
            if fault.finding.code in ("C001", "C010"):
                raise
            raise Fault(finding("C001", reason=message(fault.finding))) from None
        if "skipped" in said:
            raise UsageError(f"the engine refuses the rules {self.name}: {said['message']}")

    def _told(self, asked: Message, kind: str, number: str = "") -> Message:
        assert self._process is not None
        said = self._process.ask(asked, self.limits.start_timeout)
        spoken = said.get(number) if number else None
        if isinstance(spoken, int) and spoken != protocol.PROTOCOL:
            expected = f"protocol {protocol.PROTOCOL}"
            raise Fault(finding("C010", read=f"protocol {spoken}", expected=expected))
        return protocol.shaped(said, kind)

    def _introduced(self, said: Message) -> None:
        now = said["engine"]
        if self.identity and self.identity != now:
            before, after = (f"{one['name']} {one['version']}" for one in (self.identity, now))
            raise Fault(finding("C010", read=after, expected=before))
        self.identity, self.tasks = now, tuple(said["tasks"])
        if self.name not in said["rules"]:
            known = protocol.excerpt(", ".join(map(str, said["rules"])) or "none")
            raise UsageError(f"the engine does not know the rules {self.name}; it knows: {known}")

    def ask(self, task: str, given: dict[str, Any]) -> Said:
        """Ask a question; an engine at fault is ended, and started again for the next one."""
        self.begin()
        assert self._process is not None
        self._seq += 1
        try:
            said = self._process.ask(protocol.run(self._seq, task, given), self.limits.timeout)
            self._numbered(said)
            protocol.shaped(said, protocol.ANSWER)
        except Fault as fault:
            late = fault.finding.code == "C008" and self._seq > 1
            self.faults += 1
            self._drop()
            return Said(fault=fault.finding, late=late)
        if said.get("skipped"):
            return Said(skipped=protocol.excerpt(said["message"]))
        if "error" in said:
            text = protocol.excerpt(said["error"]["message"])
            return Said(fault=finding("C014", read=text))
        return Said(said["result"])

    def _numbered(self, said: Message) -> None:
        """Raise where an answer has another question's number."""
        number = said.get("seq")
        if isinstance(number, int) and number != self._seq:
            if number == self._seq - 1 > 0:
                raise Fault(finding("C008", read=protocol.excerpt(str(said))))
            raise Fault(finding("C009", read=number, expected=self._seq))

    def renew(self) -> None:
        """Let the next question be the first one of a new process."""
        self._drop()

    def end(self) -> Said | None:
        """End the process; return what it did wrong after its last answer, None for nothing."""
        process, self._process = self._process, None
        if process is None:
            return None
        late = None
        for found in process.close():
            if found.code == "C008":
                late = Said(fault=found, late=True)
            else:
                self._note(found)
        self._overheard(process)
        return late

    def _drop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._overheard(self._process)
        self._process = None

    def _overheard(self, process: Process) -> None:
        if process.stderr.count:
            read = protocol.excerpt(process.stderr.text[-200:])
            self._note(finding("C015", count=process.stderr.count, read=read))

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
    finally:
        engine.end()
