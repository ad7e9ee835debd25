"""The output of `check` for people: a block a record with something to say, then the counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from skatspec.check import Finding, Report
from skatspec.cli.summary import Summary
from skatspec.cli.terminal import Paint, clean, matadors, numbers
from skatspec.diagnostics import Severity, Span, Verdict, entry
from skatspec.diagnostics.caret import caret
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ, SEAT_LETTERS, SEAT_NAMES, Record

_INDENT = "  "
_DEEP = "      "
_WIDEST_SOURCE = 120
_CODES_SHOWN = 20


class Text:
    """Blocks of findings with their source lines; consistent records only if `verbose`."""

    def __init__(self, stream: IO[str], verbose: bool, quiet: bool) -> None:
        self._stream = stream
        self._paint = Paint(stream)
        self._verbose = verbose
        self._quiet = quiet
        self._any = False
        self._notes = 0

    def file(self, source: str, format_name: str | None) -> None:
        """Say nothing: every block names its file."""

    def found(self, source: str, shown: Sequence[Finding]) -> None:
        """Write what was found about a file."""
        for one in shown:
            place = f"{source}:{one.line}:{one.column}" if one.line else source
            head = self._paint.severity(one.severity, f"{one.code} {one.name}")
            self._line(self._paint.wrap(f"{clean(place)}: {head}: {clean(one.message)}", "", _DEEP))

    def record(self, report: Report, shown: Sequence[Finding]) -> None:
        """Write a record's block, if it has something to say."""
        if not self._verbose:
            if not shown:
                return
            if report.verdict is Verdict.CONSISTENT:
                kept = [one for one in shown if one.severity is not Severity.NOTE]
                self._notes += len(shown) - len(kept)
                shown = kept
                if not shown:
                    return
        place = clean(f"{report.source}:{report.line}")
        head = [self._paint.verdict(report.verdict), self._paint(place, bold=True)]
        head += [clean(text) for text in (report.id, describe(report)) if text]
        self._line(self._paint.wrap("  ".join(head), "", _DEEP))
        for one in shown:
            for line in finding_lines(report, one, self._paint):
                self._line(line)

    def end(self, summary: Summary) -> None:
        """Write the counts."""
        if self._quiet:
            return
        if self._any:
            self._line("")
        for line in summary_lines(summary, self._paint):
            self._line(line)
        if self._notes:
            count = _count(self._notes, "note")
            self._line(f"not shown: {count} on consistent records; --verbose shows them")

    def _line(self, text: str) -> None:
        self._any = True
        self._stream.write(text + "\n")


def finding_lines(report: Report, one: Finding, paint: Paint) -> Iterator[str]:
    """Yield a finding of a record: message, source line with carets, expectation, rule."""
    head = paint.severity(one.severity, f"{one.code} {one.name}")
    step = f", step {one.step}" if one.step else ""
    yield paint.wrap(f"{head}{step}: {clean(one.message)}", _INDENT, _DEEP)
    undetermined = one.code == "S019"
    if not undetermined:
        width = min(paint.width, _WIDEST_SOURCE) - len(_DEEP)
        yield from (_DEEP + line for line in source_lines(report, one, width))
    if one.expected and one.expected not in one.message:
        yield paint.wrap(f"expected: {clean(one.expected)}", _DEEP)
    if undetermined:
        yield from (paint.wrap(line, _DEEP, _DEEP + _INDENT) for line in admissible(report))
    if one.rule:
        yield paint.dim(paint.wrap(f"rule: {clean(one.rule)}", _DEEP))


def admissible(report: Report) -> Iterator[str]:
    """Yield the figures that a record leaves open, each with its possible values."""
    for name, values in report.admissible.items():
        shown = matadors(values) if name == "matadors" else numbers(values)
        yield f"{name}: {shown}"


def source_lines(report: Report, one: Finding, width: int) -> list[str]:
    """Return the record's line that a finding stands on, with carets below the place."""
    record = report.record
    if record is None or not one.line:
        return []
    lines = record.origin.text.split("\n")
    at = one.line - record.origin.line
    if not 0 <= at < len(lines) or not lines[at].strip():
        return []
    return caret(lines[at], Span(one.line, one.column, one.end_column), width).split("\n")


def describe(report: Report) -> str:
    """Return the game in a few words: contract, declarer, bid and, where settled, the score."""
    if report.replay is None:
        return ""
    game = report.replay.game
    words: list[str] = []
    if game.contract is not None:
        words.append(game_name(game.contract_name, game.stated))
    if game.declarer is not None:
        words.append(_player(report, game.declarer))
    if game.bid:
        words.append(f"bid {game.bid}")
    if not words:
        return "all passed" if game.ended == "passed-in" else ""
    if report.score is not None and report.verdict is Verdict.CONSISTENT:
        words.append(f"{report.score:+d}")
    return ", ".join(words)


def game_name(contract: str, modifiers: int) -> str:
    """Return a game as it is called: `clubs Hand Schneider announced`."""
    name = contract
    if modifiers & HAND:
        name += " Hand"
    if modifiers & SCHWARZ:
        name += " Schwarz announced"
    elif modifiers & SCHNEIDER:
        name += " Schneider announced"
    return name + (" Ouvert" if modifiers & OUVERT else "")


def _player(report: Report, seat: int) -> str:
    name = None
    if isinstance(report.record, Record):
        name = report.record.tag(SEAT_LETTERS[seat])
    return f"{SEAT_NAMES[seat]} ({name})" if name else SEAT_NAMES[seat]


def summary_lines(summary: Summary, paint: Paint) -> Iterator[str]:
    """Yield the counts: records by verdict, findings by code, what was skipped, whose rules."""
    counts = [
        f"{summary.verdicts[verdict]} {paint.verdict(verdict)}"
        for verdict in Verdict
        if summary.verdicts[verdict]
    ]
    head = f"{_count(summary.records, 'record')} in {_count(summary.files, 'file')}"
    yield f"{head}: {', '.join(counts)}" if counts else head
    codes = summary.codes.most_common()
    width = max((len(str(count)) for _, count in codes), default=0)
    for code, count in codes[:_CODES_SHOWN]:
        yield f"{_INDENT}{count:>{width}}  {code} {entry(code).name}"
    if len(codes) > _CODES_SHOWN:
        yield f"{_INDENT}and {len(codes) - _CODES_SHOWN} codes more"
    if summary.skipped:
        reasons = ", ".join(
            f"{count} for {code} {entry(code).name}"
            for code, count in summary.skipped.most_common()
        )
        yield f"skipped as unreadable: {reasons}"
    if summary.passed_over:
        left_out = _count(summary.passed_over, "record")
        yield f"not counted: {left_out}, all errors left out by --select or --ignore"
    for (rules, why), count in summary.rules.most_common():
        yield f"rules: {rules} ({why}), {_count(count, 'record')}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
