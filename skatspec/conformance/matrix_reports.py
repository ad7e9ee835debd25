"""What the matrix is made from: run reports, the catalogue of rules, the cases of the suite."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from skatspec import resources
from skatspec.conformance.cases import Case
from skatspec.conformance.matrix import Known, Rule, short
from skatspec.conformance.outcome import STATUSES
from skatspec.errors import UsageError

MOST_BYTES = 1 << 26  # of a report; the packaged suite makes less than a megabyte
_TAGS = "TAGS.yaml"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C one where PyYAML has it


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
    error = next(_validator().iter_errors(report), None)
    if error is not None:
        where = "/".join(map(str, error.absolute_path))
        return short(f"{where}: {error.message}" if where else error.message)
    counted = Counter(row["status"] for row in report["cases"])
    sums = {status: counted[status] for status in STATUSES} | {"total": len(report["cases"])}
    wrong = next((key for key, number in sums.items() if report[key] != number), "")
    if wrong:
        return f"{wrong} is {report[wrong]}, but its cases come to {sums[wrong]}"
    twice = next((id for id, many in _ids(report).items() if many > 1), None)
    return "" if twice is None else short(f"the case {twice} stands in it twice")


def _ids(report: dict[str, Any]) -> Counter[str]:
    return Counter(row["id"] for row in report["cases"])


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(resources.text("schemas", "run.schema.json")))


def rules_of(suite: str | Path | None = None) -> tuple[Rule, ...]:
    """Return the rules that the suite's tags stand for, in its order; none where no file says.

    `suite` is a folder of cases, None the packaged suite. Raises UsageError where its
    TAGS.yaml cannot be read.
    """
    path = (resources.locate("records") if suite is None else Path(suite)) / _TAGS
    if not path.is_file():
        return ()
    try:
        rows = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)["rules"]
        return tuple(
            Rule(str(tag), str(row["text"]), str(row.get("rule", "")), str(row.get("section", "")))
            for tag, row in rows.items()
        )
    except (OSError, ValueError, yaml.YAMLError, RecursionError) as error:
        reason = getattr(error, "problem", None) or str(error).partition("\n")[0]
    except (TypeError, KeyError, AttributeError):
        reason = "rules: tag: {text: ...} expected"
    raise UsageError(f"{path}: {reason}")


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
