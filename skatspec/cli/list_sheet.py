"""`skatspec list sheet`: a list written anew: CSV, JSON, or a page to print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from skatspec.cli.list_options import (
    SYSTEMS,
    form_of,
    lang_option,
    mark,
    options_of,
    refuse_overwriting,
)
from skatspec.cli.options import set_option
from skatspec.cli.sources import STDIN
from skatspec.cli.terminal import clean, count
from skatspec.errors import UsageError

if TYPE_CHECKING:
    from skatspec.session.judge import ListJudge
    from skatspec.sheet import Sheet

FORMATS = ("csv", "json", "html")
_FORMS = {".csv": "csv", ".txt": "csv", ".json": "json", ".html": "html"}


@click.command(short_help="Write a list anew: CSV, JSON, or a page to print.")
@click.argument("path", metavar="FILE")
@click.option(
    "--format", "form", type=click.Choice(FORMATS),
    help="What to write. [default: by the suffix of --output, else csv]",
)  # fmt: skip
@click.option("--output", default=STDIN, metavar="FILE", help="Where to write. [default: -]")
@click.option(
    "--number", type=click.IntRange(1), metavar="N",
    help="Which list, where the file has several. [default: 1]",
)  # fmt: skip
@click.option(
    "--rules", metavar="NAME|FILE",
    help="Check by these rules, whatever the list says; the page marks what is in dispute.",
)  # fmt: skip
@set_option
@click.option(
    "--system", type=click.Choice(SYSTEMS),
    help="How the list is counted on the page, whatever it says.",
)  # fmt: skip
@lang_option
def command(
    path: str, form: str | None, output: str, number: int | None, lang: str, **asked: Any
) -> int:
    """Write a list as CSV or JSON, or as a page to print in the usual order of columns.

    FILE is a score sheet, or a file of records, of which the list is made that the keeper
    would have written: its running totals and sums are then computed. In CSV no records are
    kept. Disputed cells are marked on the page, with a note for each.

    \b
    skatspec list sheet evening.skat --output evening.csv
    skatspec list sheet table-7.csv --lang de --output tisch-7.html

    Leaves with 0, whatever stands on the list; with 1 where there is none, or no deal on it.
    """
    from skatspec.cli import CLEAN, FOUND
    from skatspec.cli.sources import require
    from skatspec.cli.targets import target
    from skatspec.session.judge import ListJudge

    require([path])
    refuse_overwriting([path], [output])
    form = form or form_of(output, _FORMS, FORMATS[0])
    options = options_of(asked["rules"], asked["settings"], system=asked["system"], lang=lang)
    judge = ListJudge(options.rules, options.system)
    sheet = _chosen(path, judge, number)
    if sheet is None or not sheet.rows:
        what = "no list" if sheet is None else f"no deals{_why(sheet)}"
        click.echo(clean(f"{path} has {what}"), err=True)
        return FOUND
    with target(output) as stream:
        stream.write(mark(form, output, lang))
        stream.writelines(_pieces(sheet, judge, form, lang))
    return CLEAN


def _chosen(path: str, judge: ListJudge, number: int | None) -> Sheet | None:
    """Return the list asked for, None where the file has none at all; raises UsageError."""
    from skatspec.judging import Judge
    from skatspec.session.reading import lists

    found: Sheet | None = None
    read = 0
    for read, sheet in enumerate(lists(path, Judge(judge.rules, in_order=True)), 1):
        if read == (number or 1):
            found = sheet
        elif found is not None and number is not None:
            break
    if found is None and read:
        raise UsageError(f"{path} has {count(read, 'list')}")
    if read > 1 and number is None:
        first = f"{path} has {read} lists, this is the first: --number names another"
        click.echo(clean(first), err=True)
    return found


def _why(sheet: Sheet) -> str:
    """Return the first thing that is wrong with a list without deals."""
    from skatspec.diagnostics import message

    return "".join(f": {one.code} {message(one)}" for one in sheet.findings[:1])


def _pieces(sheet: Sheet, judge: ListJudge, form: str, lang: str) -> Iterator[str]:
    from skatspec.formats.score_sheet import write_csv, write_json
    from skatspec.rules.match import compile_match
    from skatspec.session.pages import sheet_page
    from skatspec.session.written import written_out

    report = judge.check(sheet)
    rules = judge.rules_of(report)
    if not sheet.columns:  # made of records
        sheet = written_out(report, compile_match(rules.profile))
        report = replace(report, sheet=sheet)
    if form == "html":
        yield sheet_page(report, lang, clean=clean, rules=rules)
        return
    delimiter = ";" if lang == "de" else ","
    yield write_csv(sheet, delimiter=delimiter, lang=lang) if form == "csv" else write_json(sheet)
