"""`skatspec conform matrix`: run reports of several engines side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skatspec.cli.conform_options import suite_option
from skatspec.cli.sources import STDIN

if TYPE_CHECKING:
    from skatspec.conformance.matrix import Engine, Matrix, Row, Tally

_HTML, _TEXT, _JSON = _FORMATS = ("html", "text", "json")
_WIDEST = 24  # columns of an engine's name


@click.command(short_help="Set run reports of several engines side by side, rule by rule.")
@click.argument("reports", nargs=-1, required=True, metavar="REPORT.json...")
@click.option(
    "--output", default=STDIN, metavar="FILE", help="Where to write; standard output otherwise."
)
@click.option(
    "--format", "form", type=click.Choice(_FORMATS),
    help="What to write; otherwise html into a file, text to standard output.",
)  # fmt: skip
@suite_option
def command(reports: tuple[str, ...], output: str, form: str | None, suite: str | None) -> int:
    """Set the reports of `skatspec conform run --format json` side by side.

    A column an engine, a row a rule: how many of the cases that stand for the rule it passes.
    Tables by task, by level and by expected code follow. The page is one file that needs
    nothing else, and is the same whenever it is made from the same reports. Engines of equal
    name and version are told apart by the names of their reports.

    \b
    skatspec conform run --output json:mine.json -- ./engine
    skatspec conform matrix mine.json theirs.json --output matrix.html
    skatspec conform matrix mine.json theirs.json

    Leaves with 0, whatever the engines did; with 2 where a file is no report of a run.
    """
    from skatspec.cli import CLEAN
    from skatspec.cli.targets import target
    from skatspec.conformance.cases import load_suite, rules_of
    from skatspec.conformance.matrix import matrix
    from skatspec.conformance.matrix_reports import known_cases, read_report

    _refuse_overwriting(reports, output)
    read = [read_report(path) for path in reports]
    found = matrix(read, rules_of(suite), known_cases(load_suite(suite).cases), reports)
    with target(output) as stream:
        stream.writelines(_pieces(found, form or (_TEXT if output == STDIN else _HTML), stream))
    return CLEAN


def _refuse_overwriting(reports: Sequence[str], output: str) -> None:
    from skatspec.errors import UsageError

    if output == STDIN:
        return
    if Path(output).is_dir():
        raise UsageError(f"{output} is a folder; name a file")
    if Path(output).resolve() in {Path(path).resolve() for path in reports}:
        raise UsageError(f"{output} is read and cannot be written as well")


def _pieces(found: Matrix, form: str, stream: Any) -> Iterator[str]:
    from skatspec.cli.terminal import clean
    from skatspec.conformance.matrix_page import page

    if form == _HTML:
        yield page(found, clean)
    elif form == _JSON:
        yield json.dumps(found.as_dict(), indent=1) + "\n"
    else:
        yield from (f"{line}\n" for line in _lines(found, stream))


# --- text -------------------------------------------------------------------------------


def _lines(found: Matrix, stream: Any) -> Iterator[str]:
    """Yield the summary and the tables; what failed in a case, `conform run` tells."""
    from skatspec.cli.terminal import Paint, clean, count
    from skatspec.conformance.matrix_page import LEGEND, SYMBOLS, says

    paint = Paint(stream)
    for at, one in enumerate(found.engines, 1):
        said = ", ".join(part for part in (one.version, one.language) if part)
        state = "complete" if one.complete else paint("incomplete", fg="red", bold=True)
        sums = says(one.tally)
        shown = f"{_called(one)} ({said or 'no version'})"
        yield clean(f"{at}  {shown}: {sums}, ") + state
    if not found.same:
        yield paint("the reports do not hold the same cases", fg="yellow")
    names = [_name(f"{at} {_called(one)}") for at, one in enumerate(found.engines, 1)]
    if found.rules:
        yield ""
        yield from _summary(found)
    undone = [row for row in found.codes if row.is_undone]
    for title, rows in (
        ("they disagree most on", found.disputed), ("rule", found.rules), ("task", found.tasks),
        ("level", found.levels), ("code", [row for row in found.codes if not row.is_undone]),
    ):  # fmt: skip
        if rows:
            yield ""
            lines = _table(title, rows, names)
            yield paint(next(lines), bold=True)
            yield from lines
    if undone:
        yield ""
        yield f"{count(len(undone), 'code')} not done by any engine"
    yield ""
    for state, words in LEGEND.items():
        yield f"{SYMBOLS[state]:3}  {words}".rstrip()


def _summary(found: Matrix) -> Iterator[str]:
    """Yield how many rules no engine fails, and how many one alone, several or all of them."""
    from skatspec.cli.terminal import clean, count

    yield f"{len(found.kept)} of {count(len(found.rules), 'rule')} no engine fails"
    yield f"{len(found.failed)} some engine fails"
    if len(found.engines) > 1:
        for at, (one, rows) in enumerate(zip(found.engines, found.alone, strict=True), 1):
            if rows:
                yield clean(f"  {len(rows)} alone: {at} {_called(one)}")
        for rows, who in ((found.several, "several engines"), (found.missed, "all that answer")):
            if rows:
                yield f"  {len(rows)} {who}"


def _called(one: Engine) -> str:
    """Return an engine's name, with its report's where the name does not tell it apart."""
    return f"{one.name} ({one.report})" if one.report else one.name


def _table(title: str, rows: Sequence[Row], names: Sequence[str]) -> Iterator[str]:
    from skatspec.cli.columns import column_lines
    from skatspec.cli.terminal import clean

    cells = [[clean(row.key), *map(_cell, row.cells)] for row in rows]
    yield from column_lines([title, *names], cells, [False] + [True] * len(names))


def _cell(one: Tally) -> str:
    from skatspec.conformance.matrix_page import SYMBOLS

    if not one.total:
        return ""
    shown = "not done" if one.state == "skipped" else f"{one.passed}/{one.total}"
    # symbols of one and of three columns, so that the figures stand below each other
    return f"{shown} {SYMBOLS[one.state]:^3}"


def _name(text: str) -> str:
    from skatspec.cli.terminal import clean

    shown = clean(text)
    return shown if len(shown) <= _WIDEST else shown[: _WIDEST - 1] + "…"
