"""`skatspec rules`: list the profiles, show one in full, check a house rule, compare two."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import click

from skatspec.cli import CLEAN, FOUND
from skatspec.cli.sources import require
from skatspec.cli.terminal import NO_TERMINAL_WIDTH, Paint, clean
from skatspec.diagnostics import entry
from skatspec.errors import ProfileError
from skatspec.rules import Rules, available, load_rules
from skatspec.rules.difference import Change, changed_keys
from skatspec.rules.profile import Profile, plain
from skatspec.rules.tables import changed_cells

_FIRST = ("name", "title", "edition", "language")
_LAST = ("sources", "deviations")
_A_GROUP = 12
_BIDS_A_LINE = 12
_RECORD_CELL = re.compile(r"(.+?): (\w+)\((.*)\) -> \2\((.*)\)")
_FIELD = re.compile(r"(\w+)=(.+?)(?=, \w+=|$)")
# The rule's topic behind a key of a profile; the longest key that fits counts.
_TOPICS = {
    "deck": "deck", "table": "deal", "contracts": "base-value", "levels": "game",
    "winning": "winning", "winning.schneider": "schneider", "winning.own_levels": "schneider",
    "winning.own_levels_need_trick": "schneider", "announcements": "announcements",
    "bids": "bid-values", "auction": "auction", "skat": "skat", "play": "lead",
    "play.null_lost": "null-decided", "play.schneider_missed": "missed-announcement",
    "play.schwarz_missed": "missed-announcement", "endings": "ending",
    "endings.half_declaration": "half-declaration", "settlement.loss_factor": "loss",
    "settlement.missed_announcement": "missed-announcement",
    "settlement.missed_schneider_without_trick": "missed-announcement",
    "settlement.overbid_price": "overbid", "settlement.impossible_null": "impossible-null",
    "records": "result", "severities.play-after-null-lost": "null-decided",
}  # fmt: skip


@click.group(short_help="List, show, check and compare rule profiles.")
def command() -> None:
    """Show, check and compare rule profiles: YAML files of facts.

    \b
    skatspec rules list
    skatspec rules show isko > full.yaml
    skatspec rules check our-club.yaml
    skatspec rules diff isko our-club.yaml
    """


@command.command("list")
def list_() -> None:
    """List the packaged profiles: name, edition, title."""
    profiles = [load_rules(name).profile for name in available()]
    # an alias is listed under its own name, with what it stands for
    width = max(len(one.name) for one in profiles)
    edition = max(len(one.edition) for one in profiles)
    paint, hanging = Paint(sys.stdout), " " * (width + edition + 4)
    for one in profiles:
        over = f" (over {one.chain[1]})" if len(one.chain) > 1 else ""
        line = f"{one.name:<{width}}  {one.edition:<{edition}}  {one.title}{over}"
        click.echo(paint.wrap(line, "", hanging))


@command.command(short_help="Print a profile with everything filled in.")
@click.argument("name", metavar="NAME|FILE")
@click.option(
    "--format", "form", type=click.Choice(("yaml", "json")), default="yaml", show_default=True,
    help="What to print.",
)  # fmt: skip
def show(name: str, form: str) -> None:
    """Print a profile with everything filled in that it inherits."""
    profile = load_rules(name).profile
    # Everything is filled in: nothing is left to extend.
    ordered = [*_FIRST, *(key for key in profile.data if key not in (*_FIRST, *_LAST)), *_LAST]
    data = {key: plain(profile.data[key]) for key in ordered if key in profile.data}
    data.pop("extends", None)
    if form == "json":
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
        return
    import yaml

    click.echo(f"# {' over '.join(profile.chain)}; {profile.digest}")
    text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=NO_TERMINAL_WIDTH)
    click.echo(text, nl=False)


@command.command(short_help="Check profiles of your own.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def check(files: tuple[str, ...]) -> int:
    """Check profiles of your own: YAML, shape, and whether the rules contradict each other.

    Leaves with 1 at a mistake; the message names the code and the line.
    """
    require([name for name in files if name not in available()])
    failed = False
    for name in files:
        try:
            profile = load_rules(name).profile
        except ProfileError as error:
            failed = True
            place = f"{error.source}:{error.line}" if error.line else error.source or name
            row = entry(error.code)
            click.echo(clean(f"{place}: {row.code} {row.name}: {error.message}"))
        else:
            words = f"{profile.title}, {' over '.join(profile.chain)}"
            click.echo(clean(f"{name}: fine ({words})"))
    return FOUND if failed else CLEAN


@command.command(short_help="Show what one profile rules otherwise than another.")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--sources", is_flag=True, help="List the citations that differ, too.")
@click.option("--all", "everything", is_flag=True, help="Cut no long list of table cells.")
def diff(first: str, second: str, sources: bool, everything: bool) -> None:
    """Show what B rules otherwise than A: keys with their sources, then table cells.

    A key is what the profile says; a cell is what follows from it for the engine.

    \b
    skatspec rules diff isko iss
    skatspec rules diff isko our-club.yaml --all
    """
    a, b = load_rules(first), load_rules(second)
    paint = Paint(sys.stdout)
    click.echo(paint(clean(f"{first} -> {second}"), bold=True))
    for line in _difference(a, b, sources, everything, paint):
        click.echo(line)


@command.command(short_help="List the legal bids of a profile.")
@click.argument("name", metavar="NAME|FILE", default="isko")
def bids(name: str) -> None:
    """List the legal bids of a profile; they follow from its contracts and levels."""
    ladder = load_rules(name).tables.bids
    for at in range(0, len(ladder), _BIDS_A_LINE):
        click.echo(" ".join(f"{bid:>3}" for bid in ladder[at : at + _BIDS_A_LINE]))


def _difference(a: Rules, b: Rules, sources: bool, everything: bool, paint: Paint) -> Iterator[str]:
    changes = changed_keys(a.profile, b.profile)
    cited = changed_keys(a.profile, b.profile, sources=True)
    if not changes:
        yield "the same rules"
    for change in changes:
        yield paint.wrap(clean(f"{change.key}: {_value(change.old)} -> {_value(change.new)}"),
                         "  ", "      ")  # fmt: skip
        source = _citation(change, b.profile) or _citation(change, a.profile)
        if source:
            yield paint.dim(paint.wrap(clean(source), "      "))
    cells = changed_cells(a.tables, b.tables)
    if cells:
        yield ""
        yield paint("table cells", bold=True)
        yield from _cells(cells, everything, paint)
    if cited and sources:
        yield ""
        yield paint("citations", bold=True)
        for change in cited:
            text = f"{change.key}: {_value(change.old)} -> {_value(change.new)}"
            yield paint.wrap(clean(text), "  ", "      ")
    elif cited:
        yield ""
        differ = "1 citation differs" if len(cited) == 1 else f"{len(cited)} citations differ"
        yield f"{differ} (--sources lists them)"


def _cells(cells: list[str], everything: bool, paint: Paint) -> Iterator[str]:
    """Yield changed cells by table, long lists cut."""
    for _, group in groupby(cells, key=lambda cell: cell.replace(":", "[").partition("[")[0]):
        lines = [short for cell in group for short in _fields(cell)]
        kept = lines if everything or len(lines) <= _A_GROUP else lines[: _A_GROUP - 2]
        for line in kept:
            yield paint.wrap(clean(line), "  ", "      ")
        if len(kept) < len(lines):
            yield f"  ... {len(lines) - len(kept)} more (--all shows them)"


def _fields(cell: str) -> Iterator[str]:
    """Yield a cell that is a record of its own field by field, only what differs."""
    match = _RECORD_CELL.fullmatch(cell)
    if match is None:
        yield cell
        return
    name, _, old, new = match.groups()
    for left, right in zip(_FIELD.findall(old), _FIELD.findall(new), strict=True):
        if left != right:
            yield f"{name}.{left[0]}: {left[1]} -> {right[1]}"


def _value(value: Any) -> str:
    if value is None:
        return "(not set)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_value(one)}" for key, one in value.items()) + "}"
    return str(value)


def _citation(change: Change, profile: Profile) -> str:
    key = change.key
    while key:
        if key in _TOPICS:
            return profile.cite(_TOPICS[key])
        key = key.rpartition(".")[0]
    return ""
