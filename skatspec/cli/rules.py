"""`skatspec rules`: list the profiles, show one in full, check a house rule, compare two."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import click

from skatspec.cli import CLEAN, FOUND
from skatspec.cli.sources import require_file
from skatspec.cli.terminal import NO_TERMINAL_WIDTH, Paint, clean
from skatspec.diagnostics import entry
from skatspec.errors import ProfileError
from skatspec.rules import Rules, available, load_rules
from skatspec.rules.difference import Change, changed_keys
from skatspec.rules.profile import plain
from skatspec.rules.switches import split
from skatspec.rules.tables import changed_cells

_FIRST = ("name", "title", "edition", "language")
_LAST = ("switches", "sources", "deviations")
_A_GROUP = 12
_BIDS_A_LINE = 12
_LONG_NAME = 24


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
    # Everything is filled in: nothing is left to extend or to apply.
    ordered = [*_FIRST, *(key for key in profile.data if key not in (*_FIRST, *_LAST)), *_LAST]
    data = {key: plain(profile.data[key]) for key in ordered if key in profile.data}
    data.pop("extends", None)
    data.pop("apply", None)
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
    named = [name for name in files if name not in available()]
    for name in named:
        if split(name)[0] not in available():
            require_file(split(name)[0])
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
@click.option("--keys", is_flag=True, help="Name the keys of the profiles behind each rule.")
@click.option("--cells", is_flag=True, help="List the table cells that follow for the engine.")
@click.option("--sources", is_flag=True, help="List the citations that differ, too.")
@click.option("--all", "everything", is_flag=True, help="Cut no long list of table cells.")
def diff(first: str, second: str, keys: bool, cells: bool, sources: bool, everything: bool) -> None:
    """Show what B rules otherwise than A, rule by rule, and where it stands on both sides.

    \b
    skatspec rules diff isko iss
    skatspec rules diff isko "xskat -ramsch -kontra"
    skatspec rules diff isko our-club.yaml --keys --cells
    """
    a, b = load_rules(first), load_rules(second)
    paint = Paint(sys.stdout)
    click.echo(paint(clean(f"{first} -> {second}"), bold=True))
    for line in _rules(a, b, keys, paint):
        click.echo(line)
    for line in _behind(a, b, cells or everything, everything, sources, paint):
        click.echo(line)


@command.command(short_help="List the legal bids of a profile.")
@click.argument("name", metavar="NAME|FILE", default="isko")
def bids(name: str) -> None:
    """List the legal bids of a profile; they follow from its contracts and levels."""
    ladder = load_rules(name).tables.bids
    for at in range(0, len(ladder), _BIDS_A_LINE):
        click.echo(" ".join(f"{bid:>3}" for bid in ladder[at : at + _BIDS_A_LINE]))


def _rules(a: Rules, b: Rules, keys: bool, paint: Paint) -> Iterator[str]:
    """Yield a sentence and the citations for each rule that differs."""
    from skatspec.rules.words import notes

    changes, unplayed = changed_keys(a.profile, b.profile), 0
    if not changes:
        yield "the same rules"
    first, second = _labels(a.name, b.name)
    for note in notes(changes, a, b):
        if not (note.played or keys):
            unplayed += len(note.changes)
            continue
        yield ""
        if note.rule and note.played:
            text = f"{note.rule}: {second} {note.new}; {first} {note.old}."
            yield paint.wrap(clean(text), "", "  ")
        if keys or not note.rule:
            for change in note.changes:
                yield paint.wrap(clean(_key_line(change)), "  ", "      ")
        if note.played:
            yield from _cited(_citations(note.topic, a, b), (first, second), paint)
    if unplayed:
        yield ""
        differ = "1 key differs" if unplayed == 1 else f"{unplayed} keys differ"
        yield f"{differ} of what neither side plays (--keys)"


def _labels(first: str, second: str) -> tuple[str, str]:
    """Return the names for the sentences, a long one without its switches."""
    short = [
        name if len(name) <= _LONG_NAME else f"{split(name)[0]} ..." for name in (first, second)
    ]
    if short[0] == short[1]:
        short = [f"{short[0]} (A)", f"{short[1]} (B)"]
    return short[0], short[1]


def _cited(sources: tuple[str, str], names: tuple[str, str], paint: Paint) -> Iterator[str]:
    """Yield where a rule stands, a line a side, B before A as in the sentence."""
    rows = [(names[1], sources[1]), (names[0], sources[0])]
    if sources[0] == sources[1]:
        rows = [("both", sources[0])]
    width = max(len(name) for name, _ in rows)
    for name, source in rows:
        text = clean(f"{name:<{width}}  {source}")
        yield paint.dim(paint.wrap(text, "    ", " " * (width + 6)))


def _citations(topic: str, a: Rules, b: Rules) -> tuple[str, str]:
    """Return where a rule stands on both sides.

    A source that B has from A speaks for both only if both are the same edition.
    """
    old, new = a.profile.cite(topic), b.profile.cite(topic)
    own = new != old or a.profile.edition == b.profile.edition
    return old or "no source", (new if own else "") or "no source of its own"


def _behind(
    a: Rules, b: Rules, cells: bool, everything: bool, sources: bool, paint: Paint
) -> Iterator[str]:
    """Yield the cells and citations asked for, and how to ask for the others."""
    found = changed_cells(a.tables, b.tables)
    cited = changed_keys(a.profile, b.profile, sources=True)
    if cells and found:
        yield from ("", paint("table cells", bold=True))
        yield from _cells(found, everything, paint)
    if sources and cited:
        yield from ("", paint("citations", bold=True))
        for change in cited:
            yield paint.wrap(clean(_key_line(change)), "  ", "      ")
    more = []
    if found and not cells:
        follow = "1 table cell follows" if len(found) == 1 else f"{len(found)} table cells follow"
        more.append(f"{follow} (--cells)")
    if cited and not sources:
        differ = "1 citation differs" if len(cited) == 1 else f"{len(cited)} citations differ"
        more.append(f"{differ} (--sources)")
    if more:
        yield from ("", paint.wrap(", ".join([*more, "--keys names the keys"]), "", "  "))


def _key_line(change: Change) -> str:
    return f"{change.key}: {_value(change.old)} -> {_value(change.new)}"


def _cells(cells: list[str], everything: bool, paint: Paint) -> Iterator[str]:
    """Yield changed cells by table, long lists cut."""
    for _, group in groupby(cells, key=lambda cell: cell.replace(":", "[").partition("[")[0]):
        lines = list(group)
        kept = lines if everything or len(lines) <= _A_GROUP else lines[: _A_GROUP - 2]
        for line in kept:
            yield paint.wrap(clean(line), "  ", "      ")
        if len(kept) < len(lines):
            yield f"  ... {len(lines) - len(kept)} more (--all shows them)"


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
