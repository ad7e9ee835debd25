"""`skatspec list standings`: folders of lists, checked and added up to places."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

import click

from skatspec.cli import CLEAN, FOUND
from skatspec.cli.columns import column_lines, width_of
from skatspec.cli.list_options import (
    aside,
    between,
    form_of,
    list_options,
    mark,
    options_of,
    progress,
    refuse_overwriting,
    require_lists,
)
from skatspec.cli.sources import STDIN, require
from skatspec.cli.terminal import Paint, clean
from skatspec.errors import UsageError

if TYPE_CHECKING:
    from skatspec.session.season import Season
    from skatspec.session.standings import Place
    from skatspec.sheet import Amount

_TEXT, _CSV, _JSON, _HTML = _FORMATS = ("text", "csv", "json", "html")
_FORMS = {".txt": _TEXT, ".csv": _CSV, ".json": _JSON, ".html": _HTML}
_HEADS = {
    "en": ("place", "player", "points", "won", "lost", "others", "bonus", "total", "lists"),
    "de": ("Platz", "Spieler", "Punkte", "gew.", "verl.", "and.", "Zuschl.", "Gesamt", "Listen"),
}
_TIE = {"en": "tie", "de": "Gleichstand"}
_COLUMNS = (
    "place", "player", "points", "games won", "games lost", "games lost by others", "bonus",
    "total", "lists",
)  # fmt: skip
_PLAYER = 1
# Those that say what is wrong between lists, too.
_SHOW_ALL = (_TEXT, _JSON)
_NARROWEST_NAME, _SHOWN = 12, 10


@click.command(short_help="Add up many lists to places.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@list_options
@click.option(
    "--corrected",
    is_flag=True,
    help="Rank by what is right, as far as it is known, not by what is entered.",
)
@click.option(
    "--format", "form", type=click.Choice(_FORMATS),
    help="What to write. [default: by the suffix of --output, else text]",
)  # fmt: skip
@click.option("--output", default=STDIN, metavar="FILE", help="Where to write. [default: -]")
def command(
    paths: tuple[str, ...], rules: str | None, settings: tuple[str, ...], corrected: bool,
    records: tuple[str, ...], form: str | None, output: str, lang: str, **asked: Any,
) -> int:  # fmt: skip
    """Check lists and add them up: points, games won and lost, bonus, total, place.

    Folders are gone through; files that are no lists are passed over, and named. A player is
    known by his name, however it is capitalised; places without a name are ranked list by
    list. Equal totals are parted as the rules say, and where they ask for a lot it is left to
    be drawn. A second list of the same table and round is named and not counted.

    \b
    skatspec list standings evening/
    skatspec list standings season/ --format csv --lang de --output season.csv
    skatspec list standings evening/ --round 2 --corrected

    json: `places` has an object a player (place, player, points, won, lost, others_lost, bonus,
    total, lists, lot, shared), `findings` what is wrong between lists, `passed_over` and
    `broken` the files that were not read.

    Leaves with 1 if a list has errors, lists contradict each other, or a file cannot be read;
    with 2 for wrong usage.
    """
    from skatspec.cli.targets import target
    from skatspec.session.season import run

    if STDIN in paths:
        raise UsageError("standings are made of files: name them, or their folder")
    require([*paths, *records])
    refuse_overwriting([*paths, *records], [output])
    form = form or form_of(output, _FORMS, _TEXT)
    left_out = () if output == STDIN else (output,)
    options = options_of(rules, settings, lang=lang, left_out=left_out, records=records, **asked)
    with progress() as tick, run(paths, options, tick) as season:
        tick.close()
        for line in aside(season):
            click.echo(clean(line), err=True)
        require_lists(season, paths)
        if form not in _SHOW_ALL:
            for line in between(season):
                click.echo(clean(line), err=True)
        with target(output) as stream:
            stream.write(mark(form, output, lang))
            stream.writelines(_pieces(season, form, corrected, lang, stream))
        return FOUND if season.has_errors else CLEAN


# --- outputs ----------------------------------------------------------------------------


def _pieces(
    season: Season, form: str, corrected: bool, lang: str, stream: IO[str]
) -> Iterator[str]:
    if form == _HTML:
        from skatspec.session.pages import standings_page

        yield standings_page(
            season.standings,
            lang,
            clean=clean,
            corrected=corrected,
            rules=season.rules.name,
            across=[one for one, _ in season.across()],
            broken=season.broken,
        )
    elif form == _JSON:
        yield json.dumps(document(season, corrected, lang), indent=1) + "\n"
    elif form == _CSV:
        yield from csv_lines(season.standings.table(corrected), lang)
    else:
        paint = Paint(stream)
        yield from (f"{line}\n" for line in _lines(season, corrected, lang, paint))


def csv_lines(places: Sequence[Place], lang: str) -> Iterator[str]:
    """Yield the standings as CSV, headings first; figures are numbers, names never formulas."""
    from skatspec.session.language import ui
    from skatspec.session.tables import amount, csv_line

    yield csv_line([*(ui(name, lang) for name in _COLUMNS), _TIE[lang]], lang)
    for one in places:
        figures = [amount(figure, lang) for figure in _figures(one)]
        yield csv_line([one.place, one.player, *figures, _tie(one, lang)], lang)


def _figures(one: Place) -> tuple[Amount, ...]:
    return (one.points, one.won, one.lost, one.others_lost, one.bonus, one.total, one.lists)


def _tie(one: Place, lang: str) -> str:
    from skatspec.session.language import ui

    return ui("lot required", lang) if one.lot else ui("shared", lang) if one.shared else ""


def document(season: Season, corrected: bool, lang: str = "en") -> dict[str, Any]:
    """Return the standings as a JSON document; halves of points are decimal fractions."""
    from skatspec.session.report_json import across_dict, plain

    standings = season.standings
    places = [
        {name: plain(value) for name, value in one._asdict().items()}
        for one in standings.table(corrected)
    ]
    findings = [across_dict(one, weight, lang) for one, weight in season.across()]
    return {
        "rules": season.rules.name, "system": standings.system, "corrected": corrected,
        "lists": standings.lists, "lists_with_errors": season.with_errors,
        "errors": standings.errors, "other_rounds": season.other_rounds, "places": places,
        "findings": findings, "passed_over": season.passed_over, "broken": season.broken,
        "undecided": [
            {"source": source, "deal": deal, "code": code}
            for source, deal, code in standings.undecided
        ],
    }  # fmt: skip


# --- text -------------------------------------------------------------------------------


def _lines(season: Season, corrected: bool, lang: str, paint: Paint) -> Iterator[str]:
    """Yield the table, then what is wrong between lists, then how errors in lists count."""
    from skatspec.session.language import say, translate, ui
    from skatspec.session.tables import undecided

    standings = season.standings
    title = ui("Standings, corrected" if corrected else "Standings", lang)
    lists = ui("1 list", lang) if standings.lists == 1 else ui("{n} lists", lang, n=standings.lists)
    how = f"{season.rules.name}, {translate(standings.system, lang)}"
    yield paint.wrap(f"{paint(title, bold=True)}: {lists}; {clean(how)}", "")
    places = standings.table(corrected)
    if places:
        yield ""
        yield from _table(places, lang, paint)
    found = list(islice(season.across(), _SHOWN + 1))
    if found:
        yield ""
        yield paint(ui("Between lists", lang), bold=True)
    for one, weight in found[:_SHOWN]:
        code = paint.severity(weight, one.found.code)
        yield paint.wrap(f"{code} {clean(say(one.found, lang))}", "  ", "       ")
    if len(found) > _SHOWN:
        yield "  ..."
    if standings.errors:
        yield ""
        yield paint.wrap(_about_errors(standings.errors, corrected, lang, ui), "")
    if corrected and standings.undecided:
        yield paint.wrap(ui("As entered, since what is right is not known:", lang), "")
        yield from (paint.wrap(clean(line), "  ", "    ") for line in undecided(standings, lang))


def _about_errors(errors: int, corrected: bool, lang: str, ui: Callable[..., str]) -> str:
    if corrected:
        return ui("Errors in lists are corrected where what is right is known.", lang)
    if errors == 1:
        return ui("Counted as entered; 1 error in lists is not corrected.", lang)
    return ui("Counted as entered; {n} errors in lists are not corrected.", lang, n=errors)


def _table(places: Sequence[Place], lang: str, paint: Paint) -> Iterator[str]:
    from skatspec.session.language import ui
    from skatspec.session.tables import amount

    heads = _HEADS[lang]
    rows = [
        [str(one.place), clean(one.player), *(amount(figure, lang) for figure in _figures(one))]
        for one in places
    ]
    others = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    gaps = 2 * (len(heads) - 1)
    room = paint.width - gaps - sum(others) + others[_PLAYER]
    for row in rows:
        row[_PLAYER] = _cut(row[_PLAYER], max(room, _NARROWEST_NAME))
    lines = column_lines(heads, rows, [at != _PLAYER for at in range(len(heads))])
    yield paint(next(lines), bold=True)
    indent = " " * (others[0] + 2)
    before: Place | None = None
    for one, line in zip(places, lines, strict=True):
        if one.lot and before is not None and before.place == one.place:
            yield indent + paint(ui("lot required", lang), fg="yellow")
        yield line
        before = one


def _cut(name: str, room: int) -> str:
    """Return a name that needs no more than so many columns."""
    if width_of(name) <= room:
        return name
    name = name[:room]
    while width_of(name) > room - 1:
        name = name[:-1]
    return name + "…"
