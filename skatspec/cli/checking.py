"""Checking records and writing what is to be read of them: here, or in a worker process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from skatspec.archive.walk import Handed
from skatspec.check import Finding, Report
from skatspec.cli.codes import Selection
from skatspec.cli.outputs import Renderer
from skatspec.cli.summary import Failing, Summary
from skatspec.diagnostics import Diagnostic
from skatspec.judging import Judge
from skatspec.record import BrokenRecord, Record


@dataclass(slots=True)
class Checked:
    """What came of some records in a row: their texts for each output, their counts.

    `disagreements` are findings about the two engines, not about a record.
    """

    texts: tuple[list[str], ...]
    summary: Summary
    disagreements: list[Diagnostic] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks records and renders their reports; made for a run, and sent to its workers."""

    judge: Judge
    selection: Selection
    renderers: Sequence[Renderer]
    failing: Failing

    def record(
        self, record: Record | BrokenRecord, summary: Summary
    ) -> tuple[Report, Sequence[str]]:
        """Check a record, count it, and return its report and its text for each output."""
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
        summary.record(report, shown, why)
        return report, [renderer.text(report, shown) for renderer in self.renderers]

    def handed(self, source: str, items: Sequence[Handed]) -> Checked:
        """Read and check what the kernel handed on, and compare it with what that had said."""
        from skatspec.archive.claims import disagreement
        from skatspec.formats.iss import read_frame

        checked = Checked(tuple([] for _ in self.renderers), Summary(self.failing))
        for item in items:
            record = read_frame(item.frame, source, item.index)
            report, texts = self.record(record, checked.summary)
            for text, into in zip(texts, checked.texts, strict=True):
                if text:
                    into.append(text)
            if item.claim is not None:
                checked.summary.audited += item.claim.consistent
                wrong = disagreement(item, report)
                if wrong is not None:
                    checked.summary.disagreements += 1
                    checked.disagreements.append(wrong)
        return checked
