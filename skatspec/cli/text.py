"""The output of `check` for people: a block a record with something to say, then the counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO

import click

from skatspec.check import Finding, Report
from skatspec.cli.summary import Summary
from skatspec.cli.terminal import Paint, clean, count, matadors, numbers
from skatspec.diagnostics import Severity, Span, Verdict, entry
from skatspec.diagnostics.caret import caret
from skatspec.record import (
    GAME,
    HAND,
    OUVERT,
    SCHNEIDER,
    SCHWARZ,
    SEAT_LETTERS,
    SEAT_NAMES,
    SPITZE,
    BrokenRecord,
    Record,
)

_INDENT = "  "
_DEEP = "      "
_WIDEST_SOURCE = 120
_CODES_SHOWN = 20
_NOT_PLAYED = "D017"


class Blocks:
    """A block a record with its findings and their source lines, colours as the stream has them.

    Consistent records come only if `verbose`, and so do their notes.
    """

    def __init__(self, paint: Paint, verbose: bool) -> None:
        self.says_nothing_of_consistent = not verbose
        self._paint = paint

    def text(self, report: Report, shown: Sequence[Finding]) -> str:
        """Return a record's block, if it has something to say."""
        if self.says_nothing_of_consistent:
            if report.verdict is Verdict.CONSISTENT:
                shown = [one for one in shown if one.severity is not Severity.NOTE]
            if not shown:
                return ""
        place = clean(f"{report.source}:{report.line}")
        head = [self._paint.verdict(report.verdict), self._paint(place, bold=True)]
        head += [clean(report.id)] if report.id else []
        lines = list(head_lines(head, clean(describe(report)), self._paint))
        for one in shown:
            lines += finding_lines(report, one, self._paint)
        return "\n".join(lines) + "\n"


class Text:
    """Blocks of findings with their source lines, then the counts."""

    def __init__(self, stream: IO[str], verbose: bool, quiet: bool) -> None:
        self._stream = stream
        self._paint = Paint(stream)
        self.renderer = Blocks(self._paint, verbose)
        self._verbose = verbose
        self._quiet = quiet
        self._any = False

    def file(self, source: str, format_name: str | None) -> None:
        """Say nothing: every block names its file."""

    def found(self, source: str, shown: Sequence[Finding]) -> None:
        """Write what was found about a file."""
        for one in shown:
            place = f"{source}:{one.line}:{one.column}" if one.line else source
            head = self._paint.severity(one.severity, f"{one.code} {one.name}")
            text = f"{clean(place)}: {head}: {clean(one.message)}"
            self._line(self._paint.wrap(text, "", _DEEP) if self._paint.at_terminal else text)
            if one.expected and one.expected not in one.message:
                self._line(self._paint.wrap(f"expected: {clean(one.expected)}", _DEEP))

    def records(self, texts: Iterable[str]) -> None:
        """Write the blocks."""
        for text in texts:
            self._any = True
            self._stream.write(text)

    def end(self, summary: Summary) -> None:
        """Write the counts."""
        if self._quiet:
            return
        if self._any:
            self._line("")
        for line in summary_lines(summary, self._paint):
            # the counts are what a script looks for: broken at a terminal only
            self._line(self._paint.wrap(line, "", _INDENT) if self._paint.at_terminal else line)
        if summary.notes and not self._verbose:
            notes = count(summary.notes, "note")
            self._line(f"not shown: {notes} on consistent records; --verbose shows them")

    def _line(self, text: str) -> None:
        self._any = True
        self._stream.write(text + "\n")


def head_lines(words: Sequence[str], last: str, paint: Paint) -> Iterator[str]:
    """Yield a record's head; `last` goes below the other words where the line is too long.

    Verdict, place and id stay together where no terminal's edge parts them.
    """
    first, whole = "  ".join(words), "  ".join(word for word in (*words, last) if word)
    below = bool(words and last) and len(click.unstyle(whole)) > paint.width
    shown = first if below else whole
    yield paint.wrap(shown, "", _DEEP) if paint.at_terminal else shown
    if below:
        yield paint.wrap(last, _DEEP)


def finding_lines(
    report: Report, one: Finding, paint: Paint, cards: Callable[[str], str] = str
) -> Iterator[str]:
    """Yield a finding of a record: message, source line with carets, expectation, rule.

    `cards` writes the cards in a text the way the rest of the page does.
    """
    head = paint.severity(one.severity, f"{one.code} {one.name}")
    step = f", step {one.step}" if one.step else ""
    yield paint.wrap(f"{head}{step}: {cards(clean(one.message))}", _INDENT, _DEEP)
    undetermined = one.code == "S019"
    if not undetermined:
        width = min(paint.width, _WIDEST_SOURCE) - len(_DEEP)
        yield from (_DEEP + line for line in source_lines(report, one, width))
    if one.expected and one.expected not in one.message:
        yield paint.wrap(f"expected: {cards(clean(one.expected))}", _DEEP)
    if undetermined:
        yield from (paint.wrap(line, _DEEP, _DEEP + _INDENT) for line in open_figures(report))
    if one.rule:
        yield paint.dim(paint.wrap(f"rule: {clean(one.rule)}", _DEEP))


def open_figures(report: Report) -> Iterator[str]:
    """Yield what the record states of its figures, then those it leaves open."""
    yield f"recorded: {', '.join(stated(report, seats=False)) or 'no figures'}"
    yield from admissible(report)


def admissible(report: Report) -> Iterator[str]:
    """Yield the figures that a record leaves open, each with its possible values."""
    for name, values in report.admissible.items():
        if name == "scores":
            shown = " or ".join(" ".join(signed(one) for one in three) for three in values)
        elif name == "matadors":
            shown = matadors(values)
        else:
            shown = numbers(values, name == "score")
        yield f"{name}: {shown}"


def stated(report: Report, seats: bool = True) -> Iterator[str]:
    """Yield what the record's result says, in words; flags only where they are set."""
    for key, value in report.recorded.items():
        if key == "matadors" and value:
            yield f"{'with' if value > 0 else 'without'} {abs(value)}"
        elif key == "won":
            yield "won" if value else "lost"
        elif key == "score":
            yield f"{value:+d}" if value else "0"
        elif key in ("points", "tricks"):
            yield count(value, key[:-1]) if value else f"0 {key}"
        elif key == "kind":
            yield from () if value == GAME else (str(value),)
        elif value is True:
            yield key
        elif key == "scores":
            yield "scores " + " ".join(signed(one) for one in value)
        elif key == "counted":
            yield "counted " + " ".join("?" if one is None else str(one) for one in value)
        elif isinstance(value, list) and (value or key == "losers") and seats:
            yield f"{key}: {' '.join(value) or 'nobody'}"
        elif isinstance(value, str) and seats:
            yield f"{key.replace('_', ' ')} {clean(value)}"


def signed(figure: float) -> str:
    """Return a score as ledgers write it."""
    return f"{figure:+g}" if figure else "0"


def source_lines(report: Report, one: Finding, width: int) -> list[str]:
    """Return the record's line that a finding stands on, numbered, carets below the place."""
    line = _source_line(report.record, one.line)
    if line is None:
        return [f"on line {one.line}"] if one.line else []
    gutter = f"{one.line} | "
    room = max(1, width - len(gutter))
    shown, carets = caret(line, Span(one.line, one.column, one.end_column), room).split("\n")
    return [gutter + shown, " " * (len(gutter) - 2) + "| " + carets]


def _source_line(record: Record | BrokenRecord, number: int) -> str | None:
    """Return a line of a record by its number in the file, None where nothing stands there."""
    lines = record.origin.text.split("\n")
    at = number - record.origin.line
    return lines[at] if number and 0 <= at < len(lines) and lines[at].strip() else None


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
    if report.scores is not None and report.verdict is Verdict.CONSISTENT:
        each = zip(SEAT_LETTERS, report.scores, strict=True)
        scored = [f"{letter} {signed(score)}" for letter, score in each if score]
        words.append(" ".join(scored) or "nobody loses")
    return ", ".join(words)


def game_name(contract: str, modifiers: int) -> str:
    """Return a game as it was called: `clubs Hand Schneider announced`, `grand Ouvert`.

    What an announcement includes is not added: what is shown is what was stated.
    """
    words = [contract]
    words += ["Ouvert"] if modifiers & OUVERT else []
    words += ["Hand"] if modifiers & HAND else []
    levels = [
        word for word, bit in (("Schneider", SCHNEIDER), ("Schwarz", SCHWARZ)) if modifiers & bit
    ]
    words += [" and ".join(levels), "announced"] if levels else []
    words += ["with Spitze"] if modifiers & SPITZE else []
    return " ".join(words)


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
    head = f"{count(summary.records, 'record')} in {count(summary.files, 'file')}"
    if summary.files:
        yield f"{head}: {', '.join(counts)}" if counts else head
    else:
        yield "no files to check"
    codes = summary.codes.most_common()
    width = max((len(str(number)) for _, number in codes), default=0)
    for code, number in codes[:_CODES_SHOWN]:
        yield f"{_INDENT}{number:>{width}}  {code} {entry(code).name}"
    if len(codes) > _CODES_SHOWN:
        yield f"{_INDENT}and {count(len(codes) - _CODES_SHOWN, 'more code')}"
    if summary.codes[_NOT_PLAYED]:
        yield (
            f"{_NOT_PLAYED}: other rules play these variants: skatspec rules list names them, a "
            'program\'s switches go behind its name (--rules "xskat -ramsch -kontra"), and --set '
            "turns one on (docs: Variants)"
        )
    if summary.skipped:
        reasons = ", ".join(
            f"{number} for {code} {entry(code).name}"
            for code, number in summary.skipped.most_common()
        )
        yield f"skipped as unreadable: {reasons}"
    if summary.passed_over:
        left_out = count(summary.passed_over, "record")
        yield f"not counted: {left_out}, all errors left out by --select or --ignore"
    for (rules, why), number in summary.rules.most_common():
        yield f"rules: {rules} ({why}), {count(number, 'record')}"
    if summary.taken or summary.audited:
        again = f"{summary.audited:,}" if summary.audited else "none"
        again += " of them checked again"
        wrong = count(summary.disagreements, "disagreement") if summary.disagreements else ""
        yield (
            f"fast engine: {summary.taken + summary.audited:,} records decided, {again}, "
            f"{wrong or 'no disagreement'}"
        )
