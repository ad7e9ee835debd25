"""`skatspec list anonymise`: names to pseudonyms, in files of any format, and back."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from skatspec.cli import CLEAN
from skatspec.cli.sources import STDIN, Folder, files, require
from skatspec.cli.terminal import clean, count
from skatspec.errors import InputError, UsageError
from skatspec.formats import zipped
from skatspec.formats.suffixes import TEXT, ZIP, bare_suffix
from skatspec.session.anonymise.bytes import holds_games

if TYPE_CHECKING:
    from skatspec.session.anonymise.engine import Tally
    from skatspec.session.anonymise.files import Done, Item

# Suffixes of files that may be lists, records, or neither.
_JSON = ".json"
_LISTS = (".csv", ".tsv", _JSON, TEXT)
_MOST_TOLD = 20

HELP = """Put pseudonyms in place of players' names, or with --reverse the names back.

The files of IN are written anew below DIR, under the same names and packed as they were;
folders and zips by their files of known suffixes, and those of `.csv`, `.tsv`, `.json` and
`.txt` that hold records or the list of an evening. The same name becomes the same pseudonym,
such as p-3k9x7a2, in every file, format and run with the same key. KEYFILE is made where
there is none, and holds the secret and all names: keep it, and keep it to yourself. Without
it nobody gets the names back. It cannot lie in DIR.

Names are replaced where players stand, and as whole words in the comments and other texts of
their records. What else a text says of people nobody can know: such texts are counted, and
--drop-comments leaves comments out. Names in the names of files stay.

\b
skatspec {group} anonymise {example} --out anonymous/ --key names.key
skatspec {group} anonymise anonymous/ --out again/ --key names.key --reverse

With --reverse every file comes back byte for byte, as unpacked, unless comments were dropped.
Leaves with 2 if a file or the key cannot be read, or DIR not be written.
"""


def run(
    paths: tuple[str, ...], out: str, key: str, reverse: bool, drop_comments: bool, force: bool,
    quiet: bool,
) -> int:  # fmt: skip
    """Do what `anonymise` is asked, and say on stderr what was done."""
    from skatspec.session.anonymise.files import Run
    from skatspec.session.anonymise.key import Key

    if reverse and drop_comments:
        raise UsageError("--drop-comments and --reverse do not go together")
    folder, key_file = Path(out), Path(key)
    if key_file.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"the key file {key} would lie in {out}, beside what it undoes")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{out} is no folder")
    if STDIN in paths:
        raise UsageError("standard input has no name to write it under; name files")
    require(paths)
    found = list(_items(paths, folder, key_file))
    items = [one for one in found if not isinstance(one, PassedOver)]
    passed_over = [one.source for one in found if isinstance(one, PassedOver)]
    if not items:
        raise UsageError(f"no records and no lists are in {', '.join(paths)}")
    _refuse_twins(items, folder)
    work = Run(
        Key.opened(key_file, must_exist=reverse), folder,
        reverse=reverse, drop_comments=drop_comments, force=force,
    )  # fmt: skip
    try:
        done = work.all(items)
    except InputError as error:
        raise UsageError(str(error)) from None
    for line in (*_not_taken(passed_over), *_told(done, reverse, quiet)):
        click.echo(clean(line), err=True)
    return CLEAN


def _items(paths: Iterable[str], out: Path, key: Path) -> Iterator[Item | PassedOver]:
    """Yield every file to read; the key and what lies below `out` are none."""
    for path in paths:
        inside = not Path(path).is_dir() and not zipped.is_zip(path)
        for one in [path] if inside else _within(path):
            source = one.source if isinstance(one, PassedOver) else one
            place = Path((zipped.split(source) or (source, ""))[0]).resolve()
            if place == key.resolve() or (not inside and place.is_relative_to(out.resolve())):
                continue
            if inside and bare_suffix(source) == _JSON and not holds_games(source):
                raise UsageError(f"{source} holds neither records nor a list")
            yield one if isinstance(one, PassedOver) else _item(path, one)


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file whose name may be that of a list, and which holds neither a list nor records."""

    source: str


def _within(path: str) -> Iterator[str | PassedOver]:
    """Yield the files of a folder or zip that hold records or lists, in order of their names."""
    found = {one: False for one in files([path]) if not isinstance(one, Folder)}
    found |= dict.fromkeys(_may_be_lists(path), True)
    if not found:
        raise UsageError(f"{path} holds no file of a known suffix")
    for one, open_what in sorted(found.items()):
        yield PassedOver(one) if open_what and not holds_games(one) else one


def _may_be_lists(path: str) -> Iterator[str]:
    """Yield the files of a folder or zip whose names leave open that they are lists."""
    if not Path(path).is_dir():
        yield from _members(path)
        return
    for here, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            place = Path(here) / name
            if name.startswith("."):
                continue
            if name.lower().endswith(ZIP):
                yield from _members(str(place))
            elif bare_suffix(name) in _LISTS and place.is_file():
                yield str(place)


def _members(archive: str) -> Iterator[str]:
    try:
        zipped.members(archive)  # sees to it that the list of names is no bomb
        with zipfile.ZipFile(archive) as opened:
            names = opened.namelist()
    except (*zipped.BROKEN, InputError):
        return  # whoever reads it will say why
    for name in names:
        parts = PurePosixPath(name).parts
        hidden = any(one.startswith(".") or one == "__MACOSX" for one in parts)
        if bare_suffix(name) in _LISTS and not hidden and not name.endswith("/"):
            yield f"{archive}/{name}"


def _item(path: str, source: str) -> Item:
    """Return a file that was found by a path, with its name below the output folder."""
    from skatspec.session.anonymise.files import Item

    parts = zipped.split(source)
    if parts is None:
        if not Path(source).is_file():
            raise UsageError(f"{source} is no file that can be read twice")
        place = Path(source)
        name = place.relative_to(path) if Path(path).is_dir() else Path(place.name)
        return Item(source, name.as_posix())
    archive, member = parts
    if path == source:
        return Item(source, PurePosixPath(member.replace("\\", "/")).name)
    place = Path(archive)
    name = place.relative_to(path) if Path(path).is_dir() else Path(place.name)
    return Item(source, f"{name.as_posix()}/{member}", name.as_posix(), member)


def _refuse_twins(items: Iterable[Item], out: Path) -> None:
    """Raise UsageError where two files would become one, or one would become itself."""
    taken: dict[str, str] = {}
    for one in items:
        if (out / one.target).resolve() == Path(
            one.source.removesuffix(f"/{one.member}")
        ).resolve():
            raise UsageError(f"{one.source} would be written over itself; name another folder")
        other = taken.setdefault(one.name, one.source)
        whole = taken.setdefault(f"{one.target}/", one.source.removesuffix(f"/{one.member}"))
        if other != one.source:
            raise UsageError(f"{other} and {one.source} would both become {one.name}")
        if one.archive and whole != one.source.removesuffix(f"/{one.member}"):
            raise UsageError(f"{whole} and {one.source} would both become {one.target}")


def _not_taken(sources: list[str]) -> Iterator[str]:
    for one in sources[:_MOST_TOLD]:
        yield f"passed over: {one} holds neither records nor a list"
    more = len(sources) - _MOST_TOLD
    if more > 0:
        yield f"passed over: {count(more, 'more file')}"


def _told(done: Done, reverse: bool, quiet: bool) -> Iterator[str]:
    """Yield what is said of a run; names are not."""
    counts = done.counts
    yield from done.notes
    if not quiet:
        what = "put back" if reverse else "replaced"
        holding = [count(counts.records, "record")] if counts.records or not counts.lists else []
        holding += [count(counts.lists, "list")] if counts.lists else []
        words = f"{count(done.files, 'file')}, {' and '.join(holding)} with names: "
        words += f"{count(counts.replaced, 'name')} {what}"
        if not reverse:
            words += f", {done.new_names:,} new in the key"
        if counts.dropped:
            words += f", {count(counts.dropped, 'comment')} dropped"
        yield words
    if reverse:
        return
    if counts.comments:
        yield (
            f"warning: {_number(counts.comments, 'comment')} may name people; look at them or drop "
            "them with --drop-comments"
        )
    if counts.texts:
        labels = ", ".join(counts.labels)
        yield f"warning: {_number(counts.texts, 'other text')} may name people ({labels}); " + (
            "look at them"
        )


def _number(tally: Tally, noun: str) -> str:
    """Return how many different texts there are; equal ones are looked at once."""
    more = " or more" if tally.is_full else ""
    return count(len(tally), noun) + more


def anonymise_command(group: str, example: str, short: str) -> click.Command:
    """Return the command as it stands in a group; it does the same in all."""
    parameters: list[click.Parameter] = [
        click.Argument(["paths"], nargs=-1, required=True, metavar="IN..."),
        click.Option(["--out"], required=True, metavar="DIR", help="The folder of the copies."),
        click.Option(
            ["--key"],
            required=True,
            metavar="KEYFILE",
            help="The file of the secret and the names.",
        ),
        click.Option(["--reverse"], is_flag=True, help="Put the names back."),
        click.Option(["--drop-comments"], is_flag=True, help="Leave the texts of comments out."),
        click.Option(["--force"], is_flag=True, help="Write over copies that are there."),
        click.Option(["-q", "--quiet"], is_flag=True, help="Say nothing but warnings."),
    ]
    text = HELP.format(group=group, example=example)
    return click.Command("anonymise", callback=run, params=parameters, help=text, short_help=short)


command = anonymise_command("list", "games/", "Pseudonyms for names, and back.")
