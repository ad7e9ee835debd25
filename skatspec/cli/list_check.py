"""`skatspec list check`: every value, total and place of lists, and what is in dispute."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, Any

import click

from skatspec.cli.list_options import (
    aside,
    between,
    list_options,
    mark,
    options_of,
    progress,
    refuse_overwriting,
    require_lists,
)
from skatspec.cli.sources import STDIN
from skatspec.cli.terminal import Paint, clean

if TYPE_CHECKING:
    from skatspec.session.season import Season
    from skatspec.session.tables import Listed

FORMATS = ("text", "csv", "json", "html")
# Those that say what is wrong between lists, too.
_SHOW_ALL = ("text", "json", "html")
# So many players of other lists are named whom a correction passes or lets by.
_OTHERS = 3


@click.command(short_help="Check lists: values, totals, counts, places, order of the deals.")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@list_options
@click.option("--format", "form", type=click.Choice(FORMATS), help="What to print. [default: text]")
@click.option(
    "--output", "outputs", multiple=True, metavar="FORMAT[:PATH]",
    help="Write an output to a file as well; may be given several times. "
    "Without a path it takes the place of --format.",
)  # fmt: skip
@click.option(
    "--fail-on", multiple=True, type=click.Choice(("undetermined", "warning")),
    help="Leave with 1 for these as well.",
)  # fmt: skip
@click.option("--exit-zero", is_flag=True, help="Leave with 0 whatever is found.")
@click.option("-q", "--quiet", is_flag=True, help="Leave the summary out of the text output.")
def command(
    paths: tuple[str, ...],
    rules: str | None,
    settings: tuple[str, ...],
    records: tuple[str, ...],
    form: str | None,
    outputs: tuple[str, ...],
    fail_on: tuple[str, ...],
    exit_zero: bool,
    quiet: bool,
    **asked: Any,
) -> int:
    """Check lists, row by row, and say what is in dispute and what it would change.

    FILE is a score sheet (CSV or JSON), a file of records (.skat, ISS, XSkat), which make a
    list a table, or a folder of lists. A fault is named once, at the first cell that shows
    it; totals that are wrong only because of it are folded under it. For each the values
    that can stand there are named, with the rule and its edition, and what a correction does
    to the places: over all the lists given. A record that fits no list, or several, is named.

    \b
    skatspec list check table-7.csv
    skatspec list check evening.csv --records evening.skat --system seeger-fabian
    skatspec list check lists/ --lang de --output html:streitfaelle.html

    Leaves with 1 if anything in a list is an error; with 2 if a file does not exist.
    """
    from skatspec.cli import CLEAN, FOUND
    from skatspec.cli.sources import require
    from skatspec.cli.targets import output_specs, target
    from skatspec.session.season import run

    specs = output_specs(form, outputs, FORMATS)
    require([*paths, *records])
    refuse_overwriting([*paths, *records], [path for _, path in specs])
    left_out = tuple(path for _, path in specs if path != STDIN)
    chosen = options_of(rules, settings, records=records, left_out=left_out, **asked)
    with progress() as tick, run(paths, chosen, tick) as season, ExitStack() as stack:
        tick.close()
        for line in aside(season):
            click.echo(clean(line), err=True)
        require_lists(season, paths)
        opened = [(name, stack.enter_context(target(path))) for name, path in specs]
        if not any(name in _SHOW_ALL for name, _ in specs):
            click.echo("".join(f"{clean(line)}\n" for line in between(season)), err=True, nl=False)
        for (name, path), (_, stream) in zip(specs, opened, strict=True):
            stream.write(mark(name, path, chosen.lang))
            stream.writelines(_pieces(season, name, stream, chosen.lang, quiet))
        failed = season.has_errors or any(season.has(word) for word in fail_on)
    return FOUND if failed and not exit_zero else CLEAN


def _pieces(season: Season, form: str, stream: IO[str], lang: str, quiet: bool) -> Iterator[str]:
    from skatspec.session.pages import disputes_page
    from skatspec.session.tables import Listed, disputes_csv, disputes_text

    lists = (
        Listed(one.report, [ways for _, ways in one.effects]) for one in season.disputed(_OTHERS)
    )
    if form == "csv":
        yield from disputes_csv(lists, lang)
    elif form == "json":
        yield from _json(season, lists, lang)
    elif form == "html":
        across = [one for one, _ in season.across()]
        yield disputes_page(lists, lang, clean=clean, across=across, checked=season.standings.lists)
    else:
        paint = Paint(stream)
        yield from disputes_text(lists, lang, clean=clean, width=paint.width, colour=paint.colour)
        yield from _between(season, lang, paint)
        if not quiet:
            yield from _summary(season, lang, paint)


def _json(season: Season, lists: Iterable[Listed], lang: str) -> Iterator[str]:
    """Yield one JSON document, list by list; only lists with disputes or open deals are whole."""
    from skatspec.session.report_json import across_dict, report_dict

    yield '{"lists": ['
    for number, listed in enumerate(lists):
        yield ("," if number else "") + "\n" + json.dumps(report_dict(listed, lang))
    between = [across_dict(one, weight, lang) for one, weight in season.across()]
    rest = {
        "checked": season.standings.lists, "verdicts": dict(season.verdicts),
        "errors": season.standings.errors, "between": between, "broken": season.broken,
        "passed_over": season.passed_over,
    }  # fmt: skip
    yield "\n], " + json.dumps(rest)[1:] + "\n"


def _between(season: Season, lang: str, paint: Paint) -> Iterator[str]:
    """Yield what is wrong between lists."""
    from skatspec.session.language import say, translate

    for one, weight in season.across():
        said = f"{translate(weight.value, lang)} {one.found.code}: {say(one.found, lang)}"
        yield paint.severity(weight, paint.wrap(clean(said), "", "  ")) + "\n"


def _summary(season: Season, lang: str, paint: Paint) -> Iterator[str]:
    """Yield how many lists came out how."""
    from skatspec.session.language import translate, ui

    lists = season.standings.lists
    said = ui("1 list", lang) if lists == 1 else ui("{n} lists", lang, n=lists)
    parts = [f"{number} {translate(word, lang)}" for word, number in season.verdicts.items()]
    yield paint.wrap(f"{said}: {', '.join(parts)}" if parts else said, "") + "\n"
