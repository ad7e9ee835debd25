"""Diagnostic, Span, Severity and Verdict: the values every floor reports with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Verdict(StrEnum):
    """What a check says of one record (DESIGN section 4)."""

    CONSISTENT = "consistent"
    CONTRADICTED = "contradicted"
    UNDETERMINED = "undetermined"
    UNREADABLE = "unreadable"


class Severity(StrEnum):
    """How much a finding weighs; only `ERROR` contradicts a record."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Span(NamedTuple):
    """A place in a source file: 1-based line and columns, the end column exclusive."""

    line: int
    column: int
    end_column: int


NOWHERE = Span(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    `code` is a letter and three digits from codes.yaml. `slots` fill the code's
    one-line text. `step` counts a record's steps from 1 (0: none). `read` is what
    stands in the record, `expected` what the rule or the syntax asked for.
    `topic` names the rule (the code's own where empty); a profile turns it into a
    citation with its edition. A finding without a span is placed by its `step` or
    by `part`, the name of a part of the record (record.Places).
    """

    code: str
    slots: tuple[tuple[str, str], ...] = ()
    span: Span = NOWHERE
    step: int = 0
    read: str = ""
    expected: str = ""
    topic: str = ""
    part: str = ""


def finding(
    code: str,
    *,
    span: Span = NOWHERE,
    step: int = 0,
    read: object = "",
    expected: object = "",
    topic: str = "",
    part: str = "",
    **slots: object,
) -> Diagnostic:
    """Build a Diagnostic; further keywords fill the slots of the code's text."""
    return Diagnostic(
        code,
        tuple((key, str(value)) for key, value in slots.items()),
        span,
        step,
        str(read),
        str(expected),
        topic,
        part,
    )


def span_at(text: str, start: int, end: int, first_line: int = 1) -> Span:
    """Turn offsets in `text` into a Span; `first_line` is the file line `text` begins on.

    A span never leaves its first line, so that a caret line can show it.
    """
    start = max(0, min(start, len(text)))
    begin = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    if line_end < 0:
        line_end = len(text)
    line = first_line + text.count("\n", 0, start)
    column = start - begin + 1
    stop = max(start + 1, min(end, line_end))
    return Span(line, column, column + stop - start)
