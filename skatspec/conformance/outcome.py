"""What a run found: an outcome for each case, what the engine did wrong, and the sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skatspec._version import __version__
from skatspec.conformance.agreement import Agreement
from skatspec.conformance.cases import Case
from skatspec.diagnostics import Diagnostic, Severity, entry, message

PASSED, FAILED, SKIPPED, ERRORED, UNANSWERED = STATUSES = (
    "passed", "failed", "skipped", "errored", "unanswered",
)  # fmt: skip
# The worst first: a case asked under several profiles is as good as its worst answer, and
# counts as skipped only if it was never answered.
_WORST_FIRST = (UNANSWERED, ERRORED, FAILED, PASSED, SKIPPED)


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a case under one profile.

    `said` is the engine's own message or result, `code` the C code of what went wrong.
    """

    rules: str
    status: str
    agreement: Agreement = field(default_factory=lambda: Agreement(True))
    said: Any = None
    code: str = ""
    message: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the reply as JSON has it; what does not apply is left out."""
        row: dict[str, Any] = {"rules": self.rules, "status": self.status}
        if self.agreement.most:
            row |= {"agreement": self.agreement.level or None, "of": self.agreement.most}
        words = {
            "code": self.code, "message": self.message, "differs": list(self.agreement.differs),
        }  # fmt: skip
        row |= {key: value for key, value in words.items() if value}
        if self.status == FAILED:
            row["said"] = self.said
        return row


@dataclass(frozen=True, slots=True)
class Row:
    """A case of the run and its replies, one for each profile that it was to be asked under.

    `excused` is the reason for which the user's list skips the case, None where it does not.
    """

    case: Case
    replies: tuple[Reply, ...]
    excused: str | None = None

    @property
    def answered(self) -> str:
        """Return the status by the replies alone."""
        found = {reply.status for reply in self.replies}
        return next((one for one in _WORST_FIRST if one in found), SKIPPED)

    @property
    def status(self) -> str:
        """Return the status that counts: a case on the user's list is skipped if it was asked."""
        if self.excused is not None and self.answered != UNANSWERED:
            return SKIPPED
        return self.answered

    @property
    def is_unasked(self) -> bool:
        """Say whether the run ended before the case was asked at all."""
        return all(reply.status == UNANSWERED and not reply.code for reply in self.replies)

    @property
    def is_stale(self) -> bool:
        """Say whether the case is on the user's list and passes."""
        return self.excused is not None and self.answered == PASSED

    def as_dict(self) -> dict[str, Any]:
        """Return the row as JSON has it."""
        case = self.case
        row: dict[str, Any] = {
            "id": case.id, "status": self.status, "task": case.task, "level": case.level,
            "rule": case.rule, "tags": list(case.tags),
            "replies": [reply.as_dict() for reply in self.replies],
        }  # fmt: skip
        if self.excused is not None:
            row |= {"excused": self.excused, "stale": self.is_stale}
        return row


@dataclass(frozen=True, slots=True)
class Outcome:
    """A whole run.

    `engine` is what the engine calls itself, empty where it never said; `restarts` how often
    it was started again; `seconds` the wall time, `waited` the seconds spent waiting for
    answers, over all processes; `edition` that of the packaged suite, 0 for other cases.
    """

    command: tuple[str, ...]
    engine: Mapping[str, str]
    rows: Sequence[Row]
    findings: Sequence[Diagnostic]
    restarts: int = 0
    seconds: float = 0.0
    waited: float = 0.0
    edition: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """Return how many cases have each status."""
        found = Counter(row.status for row in self.rows)
        return {status: found[status] for status in STATUSES}

    @property
    def is_complete(self) -> bool:
        """Say whether every case was answered or skipped."""
        return not self.counts[UNANSWERED]

    @property
    def is_green(self) -> bool:
        """Say whether something was answered, nothing failed, and no case asked is unanswered."""
        bad = self.counts[FAILED] + self.counts[ERRORED] + self.counts[UNANSWERED]
        errors = any(entry(one.code).severity is Severity.ERROR for one in self.findings)
        return not bad and not errors and not self.is_empty

    @property
    def is_empty(self) -> bool:
        """Say whether no case counts: all were skipped, by the engine or by the user's list."""
        return all(row.status == SKIPPED for row in self.rows)

    @property
    def levels(self) -> dict[str, int]:
        """Return how many replies to checks agree up to each level, and no further."""
        found: Counter[str] = Counter()
        for row in self.rows:
            found.update(
                reply.agreement.level or "none" for reply in row.replies if reply.agreement.most
            )
        return dict(found)

    def as_dict(self) -> dict[str, Any]:
        """Return the run as one JSON object (schema `run`)."""
        return {
            "skatspec": __version__, "suite": self.edition,
            "engine": dict(self.engine), "command": list(self.command),
            "total": len(self.rows), **self.counts, "complete": self.is_complete,
            "passed_all": self.is_green,
            "stale": sum(row.is_stale for row in self.rows),
            "restarts": self.restarts, "seconds": round(self.seconds, 3),
            "waited": round(self.waited, 3), "agreement": self.levels,
            "findings": [
                {"code": one.code, "name": entry(one.code).name,
                 "severity": entry(one.code).severity.value, "message": message(one)}
                for one in self.findings
            ],
            "cases": [row.as_dict() for row in self.rows],
        }  # fmt: skip
