"""The loop of `check`: file by file, record by record, nothing kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from skatspec.archive.engines import Engines, Plan
from skatspec.archive.pool import InOrder
from skatspec.archive.walk import Handed, Taken, Walk
from skatspec.check import Finding
from skatspec.cli.checking import Checked, Checker
from skatspec.cli.outputs import Output
from skatspec.cli.sources import Folder, files
from skatspec.cli.summary import Summary
from skatspec.diagnostics import Diagnostic, entry, finding, message
from skatspec.errors import InputError
from skatspec.formats import registry
from skatspec.formats.lines import Lines, open_lines
from skatspec.judging import ASKED, DEFAULT, default_rules

ISS = "iss"
# So many records go to a worker at once.
_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Run:
    """A run of `check`: who judges, what is shown, where it goes.

    `written` are the files that the outputs go to; a folder may hold them.
    """

    checker: Checker
    outputs: Sequence[Output]
    summary: Summary
    engines: Engines
    input_format: str | None = None
    written: frozenset[Path] = frozenset()

    def all(self, paths: Iterable[str]) -> None:
        """Check every file of the paths."""
        with InOrder(self.checker.handed, self.engines.processes) as pool:
            for path in files(paths):
                if isinstance(path, Folder):
                    self._open(path.path, None, files=0)
                    self._found(path.path, [self._shown(finding("E006"))])
                elif not self.written or Path(path).resolve() not in self.written:
                    self._file(path, pool)
        for output in self.outputs:
            output.end(self.summary)

    def _file(self, path: str, pool: InOrder) -> None:
        try:
            lines = open_lines(path)
            reading = registry.reading(lines, self.input_format)
        except InputError as error:
            self._open(path, None)
            self._refused(path, error)
            return
        self._open(path, reading.format)
        try:
            plan = self._plan(lines) if reading.format == ISS else None
            if plan is not None:
                self._planned(lines, plan, pool)
            else:
                self._one_by_one(reading)
        except InputError as error:
            self._about(path, lines)
            self._refused(path, error)
        else:
            self._about(path, lines)

    def _open(self, path: str, format_name: str | None, files: int = 1) -> None:
        self.summary.files += files
        for output in self.outputs:
            output.file(path, format_name)

    def _one_by_one(self, reading: registry.Reading) -> None:
        """Check the records of a source as they come."""
        lines, summary = reading.lines, self.summary
        for record in reading:
            if lines.findings:
                self._about(reading.source, lines)
            _, texts = self.checker.record(record, summary)
            for output, text in zip(self.outputs, texts, strict=True):
                if text:
                    output.records((text,))

    def _plan(self, lines: Lines) -> Plan | None:
        """Return how a source of ISS records is gone through, None for one by one."""
        judge = self.checker.judge
        rules = judge.rules or default_rules(ISS)
        silent = all(one.renderer.says_nothing_of_consistent for one in self.outputs)
        return self.engines.plan(rules, lines, silent)

    def _planned(self, lines: Lines, plan: Plan, pool: InOrder) -> None:
        """Check a source by the kernel, and what that hands on in the pool."""
        why = DEFAULT if self.checker.judge.rules is None else ASKED
        walk = Walk(lines, self.engines.audit)
        waiting: list[Handed] = []
        failed: InputError | None = None
        try:
            for one in walk.over(plan.decided(lines)):
                if isinstance(one, Taken):
                    self.summary.consistent(one.count, plan.rules.name, why)
                    continue
                if lines.findings or len(waiting) == _AT_ONCE:
                    self._answers(lines.source, pool.give(lines.source, tuple(waiting)))
                    waiting.clear()
                    self._answers(lines.source, pool.say(lines.take_findings()))
                waiting.append(one)
        except InputError as error:
            failed = error
        # also where the source cannot be read on: what was read counts, in its order
        self._answers(lines.source, pool.give(lines.source, tuple(waiting)))
        self._answers(lines.source, pool.rest())
        if failed is not None:
            raise failed
        if not walk.count:
            registry.nothing_found(ISS, lines)

    def _answers(self, source: str, answers: Iterable[Checked | list[Diagnostic]]) -> None:
        """Write what is found, in order."""
        for answer in answers:
            if isinstance(answer, list):
                self._found(source, [self._shown(one) for one in answer])
                continue
            self.summary.add(answer.summary)
            for output, texts in zip(self.outputs, answer.texts, strict=True):
                if texts:
                    output.records(texts)
            self._found(source, [self._shown(one) for one in answer.disagreements])

    def _about(self, source: str, lines: Lines) -> None:
        self._found(source, [self._shown(one) for one in lines.take_findings()])

    def _refused(self, path: str, error: InputError) -> None:
        row = entry(error.code)
        self._found(
            path, [Finding(error.code, row.name, row.severity, error.message, 0, 0, 0, 0, "")]
        )

    def _found(self, source: str, found: Iterable[Finding]) -> None:
        shown = [one for one in found if one.code in self.checker.selection]
        if shown:
            self.summary.file(shown)
            for output in self.outputs:
                output.found(source, shown)

    def _shown(self, one: Diagnostic) -> Finding:
        row, span = entry(one.code), one.span
        rules = self.checker.judge.rules
        severity = row.severity if rules is None else rules.profile.severity(one.code)
        return Finding(
            one.code, row.name, severity, message(one), span.line, span.column,
            span.end_column, 0, "", one.read, one.expected,
        )  # fmt: skip
