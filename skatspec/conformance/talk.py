"""A conversation with a running engine: who it is, the rules, question after question.

What breaks the protocol is a `Fault`; the process is then of no more use, and whoever holds the
conversation ends it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skatspec.conformance import protocol
from skatspec.conformance.process import Limits, Process
from skatspec.conformance.protocol import Fault, Message
from skatspec.diagnostics import Diagnostic, finding
from skatspec.rules import Rules


class CannotBegin(Fault):
    """The engine cannot be asked at all, whatever is asked."""


class Talk:
    """One process and what was said. `known` is what the engine can do, by its own words.

    Raises CannotBegin where the engine does not even begin: C001, C010 where it speaks another
    version or is another engine than `before`, what it called itself when it was last started,
    or what else it did in place of an answer.
    """

    def __init__(
        self, command: Sequence[str], limits: Limits, before: Mapping[str, str] | None = None
    ) -> None:  # fmt: skip
        self.limits = limits
        self._seq = 0
        try:
            self.process = Process(command, limits)
        except Fault as fault:
            raise CannotBegin(fault.finding) from None
        try:
            self.known = self._introduced()
            now = self.known["engine"]
            if before and before != now:
                was, is_ = (f"{one['name']} {one['version']}" for one in (before, now))
                raise Fault(finding("C010", read=is_, expected=was))
        except Fault as fault:
            self.process.kill()
            raise CannotBegin(fault.finding) from None

    def _introduced(self) -> Message:
        said = self.process.ask(protocol.start(), self.limits.start_timeout)
        spoken = said.get("protocol")
        if isinstance(spoken, int) and spoken != protocol.PROTOCOL:
            expected = f"protocol {protocol.PROTOCOL}"
            raise Fault(finding("C010", read=f"protocol {spoken}", expected=expected))
        return protocol.shaped(said, protocol.STARTED)

    def tell(self, name: str, rules: Rules) -> str:
        """Tell the rules that hold from here on; return why the engine refuses them, or ""."""
        told = protocol.rules_message(name, rules)
        said = protocol.shaped(self.process.ask(told, self.limits.start_timeout), protocol.RULED)
        return said["message"] if "skipped" in said else ""

    def ask(self, task: str, given: Message) -> Message:
        """Ask a question and return the answer, of the shape that its schema gives.

        Raises Fault: those of `Process.ask`, C007 another shape, C008 where the answer before
        came twice, C009 the number of some other question.
        """
        self._seq += 1
        said = self.process.ask(protocol.run(self._seq, task, given), self.limits.timeout)
        number = said.get("seq")
        if isinstance(number, int) and number != self._seq:
            if 0 < number == self._seq - 1:
                raise Fault(finding("C008", read=protocol.excerpt(str(said))))
            raise Fault(finding("C009", read=number, expected=self._seq))
        return protocol.shaped(said, protocol.ANSWER)

    def printed(self) -> Diagnostic | None:
        """Return C015 where the engine has printed to stderr."""
        if not self.process.stderr.count:
            return None
        lines = [protocol.excerpt(line) for line in self.process.stderr.lines]
        return finding("C015", count=self.process.stderr.count, read="\n".join(lines))
