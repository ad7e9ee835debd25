"""A first look at an engine: whether it speaks the protocol, and what it says it can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skatspec.conformance.cases import TASKS, load_suite
from skatspec.conformance.outcome import Outcome, Reply
from skatspec.conformance.process import Limits
from skatspec.conformance.runner import Options, run
from skatspec.diagnostics import Diagnostic, Severity, entry


@dataclass(frozen=True, slots=True)
class Smoke:
    """What a first look found: the run of one case a task, and the engine's faults."""

    outcome: Outcome

    @property
    def engine(self) -> Mapping[str, str]:
        """Return what the engine calls itself."""
        return self.outcome.engine

    @property
    def replies(self) -> Sequence[tuple[str, str, Reply]]:
        """Return task, id and the first reply of each case that was asked."""
        return [(row.case.task, row.case.id, row.replies[0]) for row in self.outcome.rows]

    @property
    def faults(self) -> Sequence[Diagnostic]:
        """Return what is wrong with the engine as such, wrong answers aside."""
        return [
            one for one in self.outcome.findings if entry(one.code).severity is Severity.ERROR
        ]  # fmt: skip


def smoke(command: Sequence[str], limits: Limits) -> Smoke:
    """Ask an engine the first case of each task that must be answered under the standard rules."""
    cases = load_suite().select(["must", "isko"])
    firsts = {case.task: case for case in reversed(cases)}
    chosen = [firsts[task] for task in TASKS if task in firsts]
    return Smoke(run(command, chosen, Options(limits, restarts=len(chosen))))
