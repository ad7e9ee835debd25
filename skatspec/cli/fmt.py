"""`skatspec fmt`: writes `.skat` files in their canonical form."""

from __future__ import annotations

import codecs
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, cast

import click

from skatspec.cli import CLEAN, FOUND
from skatspec.cli.sources import STDIN, Folder, files, require
from skatspec.cli.targets import target
from skatspec.cli.terminal import clean
from skatspec.diagnostics import Diagnostic, Severity, entry, message
from skatspec.errors import InputError, UsageError
from skatspec.formats import zipped
from skatspec.formats.lines import open_lines
from skatspec.formats.packed import is_packed
from skatspec.formats.registry import FORMATS, by_suffix, no_start, reading

# What cannot be written back as it was: a line too long to be read, bytes that are no text.
_LOSES = ("E003", "E005")
_BLOCK = 1 << 16
_IN_MEMORY = 1 << 22


@click.command(short_help="Rewrite .skat files in canonical form.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--check", "only_check", is_flag=True, help="Change nothing, name what would change.")
@click.option("-q", "--quiet", is_flag=True, help="Name no files.")
def command(paths: tuple[str, ...], only_check: bool, quiet: bool) -> int:
    """Rewrite .skat files in canonical form; folders by their .skat files.

    A file is replaced only if it changes, and only as a whole. What cannot be read stays as
    it is, and is named on stderr. `-` reads standard input and writes standard output.

    \b
    skatspec fmt records/
    skatspec fmt --check records/    for a commit hook: 1 if one would change
    skatspec fmt - < game.skat

    Leaves with 1 if a record cannot be read, or with --check if a file would change.
    """
    require(paths)
    failed = False
    for path in _skat_files(paths):
        try:
            changes, found = _stdin(only_check) if path == STDIN else _file(path, path, only_check)
        except InputError as error:
            click.echo(clean(f"{path}: {error.code} {error.message}"), err=True)
            failed = True
            continue
        for one in found:
            click.echo(_line(path, one), err=True)
            failed |= entry(one.code).severity is Severity.ERROR or one.code in _LOSES
        failed |= changes and only_check
        if changes and not quiet and path != STDIN:
            click.echo(clean(f"{'would change' if only_check else 'changed'} {path}"))
    return FOUND if failed else CLEAN


def _skat_files(paths: Iterable[str]) -> Iterator[str]:
    for path in files(paths):
        if isinstance(path, Folder):
            continue
        inside = zipped.split(path)
        # of a zip in a folder nothing can be rewritten; one that is named is refused
        if path in paths or (by_suffix(path) == "skat" and (not inside or inside[0] in paths)):
            yield path


def _stdin(only_check: bool) -> tuple[bool, list[Diagnostic]]:
    """Format standard input; it is kept in a file meanwhile, to be compared."""
    with tempfile.NamedTemporaryFile() as kept:
        shutil.copyfileobj(sys.stdin.buffer, kept)
        kept.flush()
        return _file(kept.name, STDIN, only_check)


def _file(path: str, out: str, only_check: bool) -> tuple[bool, list[Diagnostic]]:
    """Format one file; return whether it changes, and what was found in it."""
    from skatspec.formats.skat import fmt

    if is_packed(path):
        raise UsageError(f"{out} is packed and cannot be rewritten")
    lines = open_lines(path)
    found_format = reading(lines, None).format
    if found_format not in ("skat", None):
        raise UsageError(f"{out} holds {found_format} records; `skatspec convert` makes them .skat")
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as draft, Path(path).open("rb") as old:
        records = False
        for piece in fmt(lines):
            records = records or FORMATS["skat"].start.match(piece.lstrip()) is not None
            draft.write(piece.encode("utf-8", "backslashreplace"))
        if not records:
            lines.findings += filter(None, [no_start("skat", lines.findings)])
        loses = any(one.code in _LOSES for one in lines.findings)
        changes = not loses and not _same(draft, old)
        if not only_check and (changes or out == STDIN):
            new = draft if changes else old
            new.seek(0)
            with target(out) as stream:
                _copy(cast(IO[bytes], new), stream)
    return changes, lines.findings


def _same(one: Any, other: Any) -> bool:
    one.seek(0)
    other.seek(0)
    while True:
        left, right = one.read(_BLOCK), other.read(_BLOCK)
        if left != right:
            return False
        if not left:
            return True


def _copy(source: IO[bytes], stream: IO[str]) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
    while block := source.read(_BLOCK):
        stream.write(decoder.decode(block))
    stream.write(decoder.decode(b"", final=True))


def _line(path: str, one: Diagnostic) -> str:
    span = one.span
    place = f"{path}:{span.line}:{span.column}" if span.line else path
    kept = " (the file is left as it is)" if one.code in _LOSES else ""
    return clean(f"{place}: {one.code} {entry(one.code).name}: {message(one)}{kept}")
