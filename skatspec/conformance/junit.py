"""A run as JUnit XML, which CI servers show: a test suite a task, a test case a case."""

from __future__ import annotations

import re
from xml.etree import ElementTree as xml

from skatspec.conformance.cases import TASKS
from skatspec.conformance.outcome import ERRORED, FAILED, SKIPPED, UNANSWERED, Outcome, Row
from skatspec.diagnostics import Severity, entry, message

# Characters that XML has no way to write.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(outcome: Outcome) -> str:
    """Return the run as a document; what is wrong with the engine itself is a suite of its own."""
    root = xml.Element("testsuites", name="skatspec", time=f"{outcome.seconds:.3f}")
    for task in TASKS:
        rows = [row for row in outcome.rows if row.case.task == task]
        if rows:
            _suite(root, task, rows)
    wrong = [one for one in outcome.findings if entry(one.code).severity is Severity.ERROR]
    suite = xml.SubElement(
        root, "testsuite", name="skatspec.engine", tests="1", failures="0",
        errors=str(min(1, len(wrong))), skipped="0",
    )  # fmt: skip
    case = xml.SubElement(suite, "testcase", classname="skatspec.engine", name="protocol")
    if wrong:
        text = "\n".join(f"{one.code} {message(one)}" for one in wrong)
        _child(case, "error", wrong[0].code, text)
    xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, "unicode") + "\n"


def _suite(root: xml.Element, task: str, rows: list[Row]) -> None:
    found = [row.status for row in rows]
    suite = xml.SubElement(
        root, "testsuite", name=f"skatspec.{task}", tests=str(len(rows)),
        failures=str(found.count(FAILED)),
        errors=str(found.count(ERRORED) + found.count(UNANSWERED)),
        skipped=str(found.count(SKIPPED)),
    )  # fmt: skip
    for row in rows:
        case = xml.SubElement(suite, "testcase", classname=f"skatspec.{task}", name=row.case.id)
        told = [f"{reply.rules}: {reply.message}" for reply in row.replies if reply.code]
        text = "\n".join([*told, f"rule: {row.case.rule}", row.case.note])
        if row.status == FAILED:
            _child(case, "failure", "C013", text)
        elif row.status in (ERRORED, UNANSWERED):
            code = next((reply.code for reply in row.replies if reply.code), row.status)
            _child(case, "error", code, text)
        elif row.status == SKIPPED:
            reason = row.excused or next((reply.message for reply in row.replies), "")
            xml.SubElement(case, "skipped", message=_clean(reason))


def _child(case: xml.Element, kind: str, code: str, text: str) -> None:
    shown = xml.SubElement(case, kind, type=code, message=_clean(text.partition("\n")[0]))
    shown.text = _clean(text)


def _clean(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
