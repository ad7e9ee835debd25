"""A run of the suite as text: sums a task, what went wrong with its rule, what the engine did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from skatspec.cli.columns import column_lines
from skatspec.cli.terminal import Paint, clean, count
from skatspec.conformance.cases import AGREEMENTS, TASKS
from skatspec.conformance.outcome import (
    ERRORED,
    FAILED,
    SKIPPED,
    STATUSES,
    UNANSWERED,
    Outcome,
    Row,
)
from skatspec.diagnostics import entry, message

_STYLE = {FAILED: "red", ERRORED: "magenta", UNANSWERED: "magenta"}


def lines(outcome: Outcome, paint: Paint, most: int | None) -> Iterator[str]:
    """Yield the lines of a run; at most so many cases are told one by one, None: all."""
    unasked = [row for row in outcome.rows if row.is_unasked]
    bad = [row for row in outcome.rows if row.status in _STYLE and not row.is_unasked]
    for row in bad if most is None else bad[:most]:
        yield from _told(row, paint)
    if most is not None and len(bad) > most:
        yield f"... and {len(bad) - most} more; --all tells every one, --format json too"
    if unasked:
        yield f"{count(len(unasked), 'case')} not asked any more"
    if bad or unasked:
        yield ""
    yield from _skipped(outcome)
    yield from _findings(outcome, paint)
    yield from _sums(outcome, paint)


def _told(row: Row, paint: Paint) -> Iterator[str]:
    """Yield a case that went wrong: what differs, and by which rule."""
    case = row.case
    word = paint(row.status.upper(), fg=_STYLE[row.status], bold=True)
    yield f"{word} {case.id} ({case.task}, {case.level})"
    seen: dict[str, list[str]] = {}
    for reply in row.replies:
        if reply.status in _STYLE:
            told = "; ".join(reply.agreement.differs) or f"{reply.code} {reply.message}".strip()
            seen.setdefault(told, []).append(reply.rules)
    for told, rules in seen.items():
        yield paint.wrap(clean(f"{', '.join(rules)}: {told}"), "    ", "      ")
    yield paint.dim(paint.wrap(clean(f"rule: {case.rule}"), "    ", "      "))


def _skipped(outcome: Outcome) -> Iterator[str]:
    """Yield why cases were skipped, each reason once, with how often."""
    reasons = Counter(
        "on the list of cases to skip" if row.excused is not None
        else next((reply.message for reply in row.replies), "")
        for row in outcome.rows
        if row.status == SKIPPED
    )  # fmt: skip
    for reason, number in reasons.most_common(_MOST_REASONS):
        yield clean(f"skipped {number}: {reason}")
    if len(reasons) > _MOST_REASONS:
        yield f"skipped for {len(reasons) - _MOST_REASONS} further reasons"
    if reasons:
        yield ""


_MOST_REASONS = 12


def _findings(outcome: Outcome, paint: Paint) -> Iterator[str]:
    for one in outcome.findings:
        row = entry(one.code)
        head = paint.severity(row.severity, f"{one.code} {row.name}")
        yield paint.wrap(f"{head}: {clean(message(one))}", "", "  ")
    if outcome.findings:
        yield ""


def _sums(outcome: Outcome, paint: Paint) -> Iterator[str]:
    """Yield the table of sums, the levels of agreement, and the last word."""
    by_task: dict[str, Counter[str]] = {}
    for row in outcome.rows:
        by_task.setdefault(row.case.task, Counter())[row.status] += 1
    named = [(task, by_task[task]) for task in TASKS if task in by_task]
    named.append(("all", Counter(outcome.counts)))
    rows = [
        [name, str(found.total()), *(str(found[status]) for status in STATUSES)]
        for name, found in named
    ]
    yield from column_lines(
        ["task", "cases", *STATUSES], rows, [False] + [True] * (1 + len(STATUSES))
    )
    if outcome.levels:
        levels = [f"{outcome.levels[one]} {one}" for one in (*AGREEMENTS[::-1], "none")
                  if one in outcome.levels]  # fmt: skip
        yield f"checks agree up to: {', '.join(levels)}"
    yield ""
    yield _last_word(outcome, paint)


def _last_word(outcome: Outcome, paint: Paint) -> str:
    engine = outcome.engine
    name = clean(f"{engine['name']} {engine['version']}") if engine else "the engine"
    if outcome.is_green:
        passed = outcome.counts["passed"]
        return f"{paint('conforms', fg='green', bold=True)}: {name}, {count(passed, 'case')} passed"
    word = "does not conform" if outcome.is_complete else "incomplete"
    reason = (
        f"{outcome.counts[UNANSWERED]} unanswered" if not outcome.is_complete
        else f"{outcome.counts[FAILED]} failed, {outcome.counts[ERRORED]} errored"
    )  # fmt: skip
    return f"{paint(word, fg='red', bold=True)}: {name}, {reason}"
