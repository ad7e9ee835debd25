"""A conversation with a running engine: who it is, the rules, question after question.

What breaks the protocol is a `Fault`; the process is then of no more use, and whoever holds the
conversation ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

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
    version, or what else it did in place of an answer. `begun` is told of the process as soon
    as there is one.
    """

    def __init__(
        self, command: Sequence[str], limits: Limits,
        begun: Callable[[Process], None] = lambda process: None,
    ) -> None:  # fmt: skip
        self.limits = limits
        self.seq = 0  # of the question asked last
        try:
            self.process = Process(command, limits)
        except Fault as fault:
            raise CannotBegin(fault.finding) from None
        begun(self.process)
        try:
            self.known = self._introduced()
        except Fault as fault:
            self.process.kill()
            raise CannotBegin(fault.finding) from None
        except BaseException:  # interrupted while the engine starts
            self.process.kill()
            raise

    def _introduced(self) -> Message:
        said = self.process.ask(protocol.start(), self.limits.start_timeout)
        spoken = said.get("protocol")
        is_number = isinstance(spoken, (int, float))
        if is_number and (type(spoken) is not int or spoken != protocol.PROTOCOL):
            expected = f"protocol {protocol.PROTOCOL}"
            raise Fault(finding("C010", read=f"protocol {spoken}", expected=expected))
        return protocol.shaped(said, protocol.STARTED)

    def same_as(self, before: Mapping[str, str]) -> None:
        """Raise C010 where the engine called itself something else before."""
        now = self.known["engine"]
        if before and before != now:
            was, is_now = (f"{one['name']} {one['version']}" for one in (before, now))
            self.process.kill()
            raise CannotBegin(finding("C010", read=is_now, expected=was))

    def tell(self, name: str, rules: Rules) -> str:
        """Tell the rules that hold from here on; return why the engine refuses them, or ""."""
        told = protocol.rules_message(name, rules)
        said = self.process.ask(told, self.limits.start_timeout)
        if "seq" in said:  # an answer to the question before, come late
            raise protocol.once_more(said)
        protocol.shaped(said, protocol.RULED)
        return said["message"] if "skipped" in said else ""

    def ask(self, task: str, given: Message) -> Message:
        """Ask a question and return the answer, of the shape that its schema gives.

        Raises Fault: those of `Process.ask`, C007 another shape, C008 where the answer before
        came twice, C009 the number of some other question.
        """
        self.seq += 1
        said = self.process.ask(protocol.run(self.seq, task, given), self.limits.timeout)
        number = said.get("seq")
        # to Python and to JSON Schema 2.0 is 2, and true is 1
        if type(number) is int and 0 < number < self.seq:
            raise protocol.once_more(said)
        if type(number) is float or (type(number) is int and number != self.seq):
            raise Fault(finding("C009", read=number, expected=self.seq))
        return protocol.shaped(said, protocol.ANSWER)

    def printed(self) -> Diagnostic | None:
        """Return C015 where the engine has printed to stderr."""
        if not self.process.stderr.count:
            return None
        lines = [protocol.excerpt(line) for line in self.process.stderr.lines]
        return finding("C015", count=self.process.stderr.count, read="\n".join(lines))
