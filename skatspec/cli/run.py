"""The loop of `check`: file by file, record by record, nothing kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from skatspec.check import Finding
from skatspec.cli.codes import Selection
from skatspec.cli.outputs import Output
from skatspec.cli.sources import Folder, files
from skatspec.cli.summary import Summary
from skatspec.diagnostics import Diagnostic, entry, finding, message
from skatspec.errors import InputError
from skatspec.formats.registry import Reading, open_records
from skatspec.judging import Judge
from skatspec.record import BrokenRecord, Record


@dataclass(frozen=True, slots=True)
class Run:
    """A run of `check`: who judges, what is shown, where it goes.

    `written` are the files that the outputs go to; a folder may hold them.
    """

    judge: Judge
    selection: Selection
    outputs: Sequence[Output]
    summary: Summary
    input_format: str | None = None
    written: frozenset[Path] = frozenset()

    def all(self, paths: Iterable[str]) -> None:
        """Check every file of the paths."""
        for path in files(paths):
            if isinstance(path, Folder):
                self._open(path.path, None, files=0)
                self._found(path.path, [self._shown(finding("E006"))])
            elif not self.written or Path(path).resolve() not in self.written:
                self._file(path)
        for output in self.outputs:
            output.end(self.summary)

    def _file(self, path: str) -> None:
        try:
            reading = open_records(path, self.input_format)
        except InputError as error:
            self._open(path, None)
            self._refused(path, error)
            return
        self._open(path, reading.format)
        try:
            for record in reading:
                if reading.findings:
                    self._about(reading)
                self._record(record)
        except InputError as error:
            self._about(reading)
            self._refused(path, error)
        else:
            self._about(reading)

    def _open(self, path: str, format_name: str | None, files: int = 1) -> None:
        self.summary.files += files
        for output in self.outputs:
            output.file(path, format_name)

    def _record(self, record: Record | BrokenRecord) -> None:
        try:
            report, why = self.judge.check_and_say(record)
        except Exception as error:
            origin = record.origin
            name = f", record {record.id}" if isinstance(record, Record) and record.id else ""
            error.add_note(f"while checking {origin.source}:{origin.line}{name}")
            raise
        shown: Sequence[Finding] = report.findings
        if shown and not self.selection.everything:
            shown = [one for one in shown if one.code in self.selection]
        self.summary.record(report, shown, why)
        for output in self.outputs:
            output.record(report, shown)

    def _about(self, reading: Reading) -> None:
        self._found(reading.source, [self._shown(one) for one in reading.take_findings()])

    def _refused(self, path: str, error: InputError) -> None:
        row = entry(error.code)
        self._found(
            path, [Finding(error.code, row.name, row.severity, error.message, 0, 0, 0, 0, "")]
        )

    def _found(self, source: str, found: Iterable[Finding]) -> None:
        shown = [one for one in found if one.code in self.selection]
        if shown:
            self.summary.file(shown)
            for output in self.outputs:
                output.found(source, shown)

    def _shown(self, one: Diagnostic) -> Finding:
        row, span = entry(one.code), one.span
        rules = self.judge.rules
        severity = row.severity if rules is None else rules.profile.severity(one.code)
        return Finding(
            one.code, row.name, severity, message(one), span.line, span.column,
            span.end_column, 0, "", one.read, one.expected,
        )  # fmt: skip
