"""A run of the suite as text: sums a task, what went wrong with its rule, what the engine did."""

from __future__ import annotations

import json
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
from skatspec.diagnostics import Diagnostic, entry, message

_STYLE = {FAILED: "red", ERRORED: "magenta", UNANSWERED: "magenta"}
_ALIKE = 3  # cases told one by one of those that went wrong in the same words
_QUESTION = 300  # characters


def lines(
    outcome: Outcome, paint: Paint, most: int | None, suite: str | None = None
) -> Iterator[str]:
    """Yield the lines of a run; at most so many cases a task are told one by one, None: all.

    `suite` is the folder of cases of one's own.
    """
    unasked = [row for row in outcome.rows if row.is_unasked]
    bad = [row for row in outcome.rows if row.status in _STYLE and not row.is_unasked]
    for task in TASKS:
        yield from _task([row for row in bad if row.case.task == task], task, paint, most)
    if bad:
        own = f" --suite {suite}" if suite else ""
        yield clean(f"`skatspec conform cases ID{own}` shows a case, --record its record alone")
    if unasked:
        yield f"{count(len(unasked), 'case')} not asked any more"
    if bad or unasked:
        yield ""
    yield from _skipped(outcome, paint)
    yield from _findings(outcome, paint)
    yield from _sums(outcome, paint)


def _task(rows: list[Row], task: str, paint: Paint, most: int | None) -> Iterator[str]:
    """Yield what went wrong in a task, the same words a few times only."""
    told: Counter[tuple[str, ...]] = Counter()
    shown = 0
    for row in rows:
        words = _words(row)
        told[words] += 1
        if most is not None and (shown >= most or told[words] > _ALIKE):
            continue
        shown += 1
        yield from _told(row, words, paint)
    if len(rows) > shown:
        yield f"... and {len(rows) - shown} more of {task}; --all tells every one"


def _words(row: Row) -> tuple[str, ...]:
    """Return what differs, or what the engine did, a text for each different one."""
    seen: dict[str, list[str]] = {}
    for reply in row.replies:
        if reply.status in _STYLE:
            text = "; ".join(reply.agreement.differs) or f"{reply.code} {reply.message}".strip()
            if reply.status == FAILED and row.case.task == "check":
                text += f"; the answer: {json.dumps(reply.said, ensure_ascii=False)}"
            seen.setdefault(text, []).append(reply.rules)
    return tuple(f"{', '.join(rules)}: {text}" for text, rules in seen.items())


def _told(row: Row, words: tuple[str, ...], paint: Paint) -> Iterator[str]:
    """Yield a case that went wrong: the question, what differs, and by which rule."""
    case = row.case
    word = paint(row.status.upper(), fg=_STYLE[row.status], bold=True)
    yield f"{word} {case.id} ({case.task}, {case.level})"
    question = json.dumps(case.input, ensure_ascii=False)
    if len(question) <= _QUESTION:
        yield paint.wrap(clean(f"asked: {question}"), "    ", "      ")
    for text in words:
        yield paint.wrap(clean(text), "    ", "      ")
    if row.status == FAILED:
        yield paint.dim(paint.wrap(clean(f"rule: {case.rule}"), "    ", "      "))
        if case.note:
            yield paint.dim(paint.wrap(clean(f"note: {case.note}"), "    ", "      "))


def _skipped(outcome: Outcome, paint: Paint) -> Iterator[str]:
    """Yield why cases were skipped, each reason once, with how often."""
    reasons: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    for row in outcome.rows:
        if row.status != SKIPPED:
            continue
        first = next(iter(row.replies))
        if row.excused is not None:
            reasons["on the list of known failures"] += 1
        elif first.message.startswith(_UNKNOWN):
            unknown[first.message.removeprefix(_UNKNOWN)] += 1
        else:
            reasons[first.message] += 1
    if unknown:
        names = ", ".join(sorted(unknown))
        reasons[f"under rules that the engine does not know: {names}"] = unknown.total()
    for number, (reason, cases) in enumerate(reasons.most_common()):
        if number == _MOST_REASONS:
            yield f"skipped for {count(len(reasons) - number, 'further reason')}"
            break
        yield paint.wrap(clean(f"skipped {cases}: {reason}"), "", "  ")
    if reasons:
        yield ""


_NOT = "none"  # the level of answers that do not agree at all
_UNKNOWN = "the engine does not know the rules "
_MOST_REASONS = 12


def _findings(outcome: Outcome, paint: Paint) -> Iterator[str]:
    """Yield what the engine did wrong, the same code a few times only."""
    told: Counter[str] = Counter()
    for one in outcome.findings:
        told[one.code] += 1
        if told[one.code] <= _ALIKE:
            yield from _finding(one, paint)
    for code, number in told.items():
        if number > _ALIKE:
            yield f"{code} {number - _ALIKE} times more; --format json has all"
    if outcome.findings:
        yield ""


def _finding(one: Diagnostic, paint: Paint) -> Iterator[str]:
    """Yield a finding; what the engine printed keeps its lines."""
    row = entry(one.code)
    first, *rest = message(one).split("\n")
    head = paint.severity(row.severity, f"{one.code} {row.name}")
    if rest:
        label, _, begin = first.partition(": ")
        first, rest = f"{label}:", [begin, *rest]
    yield paint.wrap(f"{head}: {clean(first)}", "", "  ")
    for line in rest:
        yield f"    {clean(line)}"


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
    to_right = [False] + [True] * (1 + len(STATUSES))
    yield from column_lines(["task", "cases", *STATUSES], rows, to_right)
    if outcome.levels:
        levels = [
            f"{outcome.levels[one]} up to the {one}"
            for one in AGREEMENTS[::-1]
            if one in outcome.levels
        ]
        levels += [f"{outcome.levels[_NOT]} not at all"] if _NOT in outcome.levels else []
        yield f"checks agree: {', '.join(levels)}"
    yield ""
    yield _last_word(outcome, paint)


def _last_word(outcome: Outcome, paint: Paint) -> str:
    engine = outcome.engine
    name = clean(f"{engine['name']} {engine['version']}") if engine else "the engine"
    counts = outcome.counts
    if outcome.is_green:
        passed = count(counts["passed"], "case")
        return f"{paint('conforms', fg='green', bold=True)}: {name}, {passed} passed"
    if not outcome.is_complete:
        more = "" if engine else "; `skatspec conform smoke` takes a first look"
        word, reason = "incomplete", f"{counts[UNANSWERED]} unanswered{more}"
    elif outcome.is_empty:
        word, reason = "nothing compared", "no case was answered"
    else:
        word = "does not conform"
        reason = f"{counts[FAILED]} failed, {counts[ERRORED]} errored"
        if not counts[FAILED] + counts[ERRORED]:
            reason = "what is wrong stands above"
    return f"{paint(word, fg='red', bold=True)}: {name}, {reason}"
