"""Counts over a run of `check`: what the summary says and what decides the exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from skatspec.check import Finding, Report
from skatspec.diagnostics import Severity, Verdict, entry

_BAD = (Verdict.CONTRADICTED, Verdict.UNREADABLE)


@dataclass(frozen=True, slots=True)
class Failing:
    """What makes the exit code 1 beyond an error (`--fail-on`, `--require-records`)."""

    undetermined: bool = False
    warning: bool = False
    no_records: bool = False


@dataclass(slots=True)
class Summary:
    """What came by so far.

    `codes` counts the findings that were selected, `skipped` the unreadable records by
    the code that says why, `passed_over` the contradicted and unreadable records whose
    errors were all filtered out. `failed` says that the exit code is 1. `notes` counts those
    on consistent records. `taken` are the records that the compiled kernel decided,
    `audited` those of them that the scalar engine was asked about as well, and
    `disagreements` counts where it said otherwise.
    """

    failing: Failing = field(default_factory=Failing)
    files: int = 0
    records: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    rules: Counter[tuple[str, str]] = field(default_factory=Counter)
    passed_over: int = 0
    failed: bool = False
    notes: int = 0
    taken: int = 0
    audited: int = 0
    disagreements: int = 0

    @property
    def _weighty(self) -> tuple[Severity, ...]:
        if self.failing.warning:
            return (Severity.ERROR, Severity.WARNING)
        return (Severity.ERROR,)

    def record(self, report: Report, shown: Sequence[Finding], why: str) -> None:
        """Count a record; `shown` are its selected findings, `why` tells whose rules they are."""
        self.records += 1
        verdict = report.verdict
        self.verdicts[verdict] += 1
        self._findings(shown)
        if verdict is Verdict.CONSISTENT and shown:
            self.notes += sum(one.severity is Severity.NOTE for one in shown)
        if verdict is not Verdict.UNREADABLE:
            self.rules[report.rules, why] += 1
        else:
            errors = [one.code for one in report.findings if one.severity is Severity.ERROR]
            self.skipped[(errors or [one.code for one in report.findings] or ["N001"])[0]] += 1
        filtered = len(shown) < len(report.findings)
        if verdict in _BAD:
            if filtered and not any(one.severity is Severity.ERROR for one in shown):
                self.passed_over += 1
            else:
                self.failed = True
        elif verdict is Verdict.UNDETERMINED and self.failing.undetermined:
            self.failed |= bool(shown) or not filtered

    def consistent(self, number: int, rules: str, why: str) -> None:
        """Count records that the kernel found consistent; they have no findings."""
        self.records += number
        self.taken += number
        self.verdicts[Verdict.CONSISTENT] += number
        self.rules[rules, why] += number

    def add(self, other: Summary) -> None:
        """Add what was counted elsewhere, of the same run."""
        for one in fields(self):
            mine, more = getattr(self, one.name), getattr(other, one.name)
            if isinstance(mine, Counter):
                mine.update(more)
            elif isinstance(mine, bool):
                self.failed |= more
            elif isinstance(mine, int):
                setattr(self, one.name, mine + more)

    def file(self, shown: Sequence[Finding]) -> None:
        """Count findings about a file."""
        self._findings(shown)
        if self.failing.no_records and any(one.code == "E006" for one in shown):
            self.failed = True

    def _findings(self, shown: Sequence[Finding]) -> None:
        for one in shown:
            self.codes[one.code] += 1
            if one.severity in self._weighty:
                self.failed = True

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as one JSON object."""
        return {
            "files": self.files,
            "records": self.records,
            "verdicts": {verdict.value: self.verdicts[verdict] for verdict in Verdict},
            "codes": {
                code: {"name": entry(code).name, "count": count}
                for code, count in sorted(self.codes.items())
            },
            "skipped": dict(sorted(self.skipped.items())),
            "passed_over": self.passed_over,
            "rules": [
                {"rules": rules, "by": why, "records": count}
                for (rules, why), count in sorted(self.rules.items())
            ],
            "engine": {
                "fast": self.taken,
                "audited": self.audited,
                "disagreements": self.disagreements,
            },
        }
