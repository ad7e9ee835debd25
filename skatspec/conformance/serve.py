"""skatspec as an engine: the other end of the protocol (`skatspec conform serve`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from skatspec._version import __version__
from skatspec.conformance import protocol
from skatspec.conformance.answers import answer
from skatspec.conformance.cases import TASKS, input_fault
from skatspec.conformance.protocol import Fault, Message
from skatspec.errors import SkatspecError
from skatspec.rules import available, load_rules, packaged_rules

_MOST_LINE = 1 << 26
DEFAULT_RULES = "isko"


def serve(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answer messages, one line each, until `stop` or the end of the input.

    Every line is answered: one that cannot be read with an `error`, its number 0.
    """
    engine = Engine()
    for line in _lines(questions):
        said = engine.answer(line)
        if said is None:
            return
        answers.write(protocol.encode(said))
        answers.flush()


def _lines(questions: IO[bytes]) -> Iterator[bytes]:
    """Yield lines; of one that is too long only its beginning, which is no JSON."""
    while line := questions.readline(_MOST_LINE):
        if not line.endswith(b"\n") and len(line) == _MOST_LINE:
            while (rest := questions.readline(_MOST_LINE)) and not rest.endswith(b"\n"):
                pass
        if line.strip():
            yield line


class Engine:
    """What is remembered between messages: the rules that hold."""

    def __init__(self) -> None:
        self.rules = load_rules(DEFAULT_RULES)

    def answer(self, line: bytes) -> Message | None:
        """Return the answer to a line, None to `stop`."""
        try:
            said = protocol.decode(line)
            kind = said.get("cmd")
            if kind not in (protocol.START, protocol.RULES, protocol.RUN, protocol.STOP):
                return _error(said, f"there is no message {kind!r}")
            if reason := protocol.shape_fault(said, kind):
                return _error(said, reason)
        except Fault as fault:
            return _error({}, str(fault))
        match kind:
            case protocol.START:
                return self.start(said)
            case protocol.RULES:
                return self.rule(said)
            case protocol.RUN:
                return self.run(said)
        return None

    def start(self, said: Message) -> Message:
        """Say who we are; the version is always our own, whatever was asked for."""
        return {
            "protocol": protocol.PROTOCOL,
            "engine": {"name": "skatspec", "version": __version__, "language": "Python"},
            "rules": list(available()),
            "tasks": list(TASKS),
        }

    def rule(self, said: Message) -> Message:
        """Play by the rules of that name from here on."""
        try:
            self.rules = packaged_rules(said["name"])
        except SkatspecError as error:
            return {"skipped": True, "message": str(error)}
        return {"ok": True}

    def run(self, said: Message) -> Message:
        """Answer a case; whatever goes wrong with its input is said, and nothing ends."""
        if reason := input_fault(said["task"], said["input"]):
            return _error(said, f"input/{reason}")
        try:
            result = answer(said["task"], said["input"], self.rules)
        except SkatspecError as error:
            return _error(said, str(error))
        except Exception as error:
            # our own fault, and one question's: the engine answers the next
            return _error(said, f"our own fault: {type(error).__name__}: {error}")
        return {"seq": said["seq"], "result": result}


def _error(said: Message, text: str) -> Message:
    number = said.get("seq")
    seq = number if type(number) is int and number >= 0 else 0
    return {"seq": seq, "error": {"message": protocol.excerpt(text)}}
