"""What the matrix is made from: run reports, and the cases of the suite."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from skatspec.conformance.cases import Case
from skatspec.conformance.matrix import Known, short
from skatspec.conformance.outcome import STATUSES
from skatspec.conformance.shapes import told, validator
from skatspec.errors import UsageError

MOST_BYTES = 1 << 26  # of a report; the packaged suite makes less than a megabyte


def read_report(path: str) -> dict[str, Any]:
    """Return a run report that keeps its schema and whose sums are those of its cases.

    Raises UsageError, with the path and the reason, where the file is anything else.
    """
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MOST_BYTES:
        raise UsageError(f"{path}: no report of a run is larger than {MOST_BYTES} bytes")
    try:
        report = json.loads(data)
    except (ValueError, RecursionError) as error:
        reason = "too deep" if isinstance(error, RecursionError) else str(error)
        raise UsageError(f"{path}: no JSON: {reason}") from None
    if reason := _report_fault(report):
        raise UsageError(f"{path}: no report of `skatspec conform run --format json`: {reason}")
    assert isinstance(report, dict)
    return report


def _report_fault(report: Any) -> str:
    """Return why a document is no report of a run, empty where it is one."""
    error = next(validator("run.schema.json").iter_errors(report), None)
    if error is not None:
        return short(told(error))
    counted = Counter(row["status"] for row in report["cases"])
    sums = {status: counted[status] for status in STATUSES} | {"total": len(report["cases"])}
    wrong = next((key for key, number in sums.items() if report[key] != number), "")
    if wrong:
        return f"{wrong} is {report[wrong]}, but its cases come to {sums[wrong]}"
    twice = next((id for id, many in _ids(report).items() if many > 1), None)
    return "" if twice is None else short(f"the case {twice} stands in it twice")


def _ids(report: dict[str, Any]) -> Counter[str]:
    return Counter(row["id"] for row in report["cases"])


def known_cases(cases: Iterable[Case]) -> dict[str, Known]:
    """Return what the matrix needs of the suite's cases, by their ids."""
    return {
        case.id: Known(
            case.tags,
            (*case.expect.get("codes", ()), *case.expect.get("notes", ()))
            if case.task == "check" else (),
        )
        for case in cases
    }  # fmt: skip
