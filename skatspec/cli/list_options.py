"""What the commands over lists share: options, files that must not be overwritten, progress."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skatspec.cli.options import set_option
from skatspec.cli.sources import STDIN
from skatspec.cli.terminal import count
from skatspec.errors import InputError, UsageError

if TYPE_CHECKING:
    from skatspec.session.season import Options, Season

# Written out, since the rules are imported only when a command runs; a test compares them.
SYSTEMS = ("seeger-fabian", "seeger", "plain", "zero-sum")
LANGUAGES = ("en", "de")
_SHOWN, _FIRST_LINES = 10, 200
_CSV, _GERMAN, _MARK = "csv", "de", "\ufeff"
# What --deals takes: a number, or the players at a table and a number.
_AGREED = re.compile(r"(?:([1-9]):)?([1-9][0-9]{0,8})", re.ASCII)

lang_option = click.option(
    "--lang", type=click.Choice(LANGUAGES), default="en", show_default=True,
    help="The language; German CSV has semicolons, English CSV commas.",
)  # fmt: skip


def _agreed(ctx: click.Context, option: click.Parameter, texts: Sequence[str]) -> Any:
    """Return the deals agreed, by the number of players where somebody says so."""
    from skatspec.session.judge import OTHERS

    agreed: dict[int, int] = {}
    for text in texts:
        found = _AGREED.fullmatch(text)
        if found is None:
            raise click.BadParameter(f"{text!r} is neither a number of deals nor SEATS:N, as 4:48")
        seats = int(found[1]) if found[1] else OTHERS
        if agreed.setdefault(seats, int(found[2])) != int(found[2]):
            raise click.BadParameter(f"{text!r}: another number was given before")
    if agreed.keys() <= {OTHERS}:
        return agreed.get(OTHERS)
    return agreed


def list_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how lists are checked: those of `season.Options`."""
    for option in reversed((
        click.option(
            "--rules", metavar="NAME|FILE",
            help="Check by these rules, whatever lists say. [default: the list's own, else isko]",
        ),
        set_option,
        click.option(
            "--system", type=click.Choice(SYSTEMS),
            help="How lists are counted, whatever they say. [default: the list's own, else "
            "the rules']",
        ),
        click.option(
            "--deals", "length", multiple=True, callback=_agreed, metavar="[SEATS:]N",
            help="So many deals were agreed; with SEATS at tables of so many players, as in "
            "--deals 3:36 --deals 4:48.",
        ),
        click.option(
            "--round", "rounds", multiple=True, metavar="NAME",
            help="Lists of this round alone; may be given several times.",
        ),
        click.option(
            "--records", multiple=True, metavar="FILE",
            help="Full records of deals, joined to the lists by Event, Series, Table and Deal and "
            "replayed; may be given several times.",
        ),
        lang_option,
        click.option(
            "--jobs", "--processes", "processes", type=click.IntRange(1), metavar="N",
            help="So many processes at once, where there are many files. [default: one a core]",
        ),
    )):  # fmt: skip
        command = option(command)
    return command


def options_of(rules: str | None, settings: tuple[str, ...], **other: Any) -> Options:
    """Return the options as the session takes them; raises UsageError, ProfileError."""
    from skatspec.judging import named_rules
    from skatspec.session.season import Options

    return Options(named_rules(rules, settings), **other)


def form_of(output: str, forms: Mapping[str, str], default: str) -> str:
    """Return the format that the suffix of an output says, `default` without one.

    `forms` are the formats by suffixes. Raises UsageError for a suffix that is none of them:
    a text under the name of a spreadsheet would be no spreadsheet.
    """
    suffix = "" if output == STDIN else Path(output).suffix.lower()
    if not suffix:
        return default
    if suffix not in forms:
        known = ", ".join(forms)
        raise UsageError(f"{output}: {suffix} is none of {known}; name the format with --format")
    return forms[suffix]


def mark(form: str, output: str, lang: str) -> str:
    """Return what a file begins with: German CSV a byte order mark, by which spreadsheets read it.

    Standard output never has one.
    """
    return _MARK if form == _CSV and lang == _GERMAN and output != STDIN else ""


def refuse_overwriting(paths: Sequence[str], outputs: Sequence[str]) -> None:
    """Raise UsageError for an output that is a folder, a file that is read, or a list in a folder.

    Another file in a folder that is read, such as the standings of the day before, is
    written over.
    """
    read = {Path(path).resolve() for path in paths}
    for output in outputs:
        if output == STDIN:
            continue
        if Path(output).is_dir():
            raise UsageError(f"{output} is a folder; name a file")
        place = Path(output).resolve()
        if place in read or (read.intersection(place.parents) and _is_list(place)):
            raise UsageError(f"{output} is read and cannot be written as well")


def _is_list(path: Path) -> bool:
    """Say whether a file is there and holds a list, by its first lines."""
    from skatspec.formats.lines import open_lines
    from skatspec.formats.score_sheet import looks_like

    if not path.is_file():
        return False
    try:
        return looks_like(islice(open_lines(str(path)).peek(), _FIRST_LINES))
    except InputError:
        return False


class Tick:
    """Says at a terminal, now and then, how many files are read."""

    _EVERY = 100

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()

    def __call__(self, files: int) -> None:
        if self._shown and files % self._EVERY == 0:
            click.echo(f"\r{files:,} files", err=True, nl=False)

    def close(self) -> None:
        """Take the count away."""
        if self._shown:
            click.echo("\r\x1b[K", err=True, nl=False)
            self._shown = False


@contextmanager
def progress() -> Iterator[Tick]:
    """Count files at a terminal while the block runs."""
    tick = Tick()
    try:
        yield tick
    finally:
        tick.close()


def require_lists(season: Season, paths: Sequence[str]) -> None:
    """Raise UsageError where there is no list, or none of the rounds asked for."""
    if season.standings.lists or season.broken:
        return
    if season.other_rounds:
        raise UsageError(f"no list of this round in {', '.join(paths)}")
    if not season.files:
        raise UsageError(f"no lists in {', '.join(paths)}")


def aside(season: Season) -> Iterator[str]:
    """Yield what is not about players: files that were not read, lists not asked for."""
    for what, named in (("passed over", season.passed_over), ("not read", season.broken)):
        yield from (f"{what}: {one}" for one in named[:_SHOWN])
        if len(named) > _SHOWN:
            yield f"{what}: {count(len(named) - _SHOWN, 'more file')}"
    if season.other_rounds:
        yield f"left out: {count(season.other_rounds, 'list')} of other rounds"
    joining = season.joining
    if joining is None:
        return
    if joining.left_out:
        yield f"left out: {count(joining.left_out, 'record')} of other rounds"
    yield from (f"not read: {one}" for one in joining.notes[:_SHOWN])
    if len(joining.notes) > _SHOWN:
        yield f"not read: {count(len(joining.notes) - _SHOWN, 'more line')} of records"


def between(season: Season) -> Iterator[str]:
    """Yield what is wrong between lists, for outputs that do not show it themselves."""
    from skatspec.diagnostics import message

    for one, weight in season.across():
        yield f"{weight.value} {one.found.code}: {message(one.found)}"
