"""`skatspec archive recompress`: any readable file to seekable zstd."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from skatspec.cli import CLEAN, FOUND
from skatspec.cli.sources import STDIN, Folder, files, require
from skatspec.cli.terminal import clean
from skatspec.errors import InputError, UsageError

_UNITS = {"": 1, "KIB": 1 << 10, "K": 1 << 10, "MIB": 1 << 20, "M": 1 << 20}
_SIZE = re.compile(r"(\d{1,12})\s*([A-Za-z]*)")


def _bytes(_context: click.Context, _option: click.Parameter, value: str) -> int:
    """Return a number of bytes: `16MiB`, `512KiB`, `65536`."""
    match = _SIZE.fullmatch(value.strip())
    if match is None or match[2].upper() not in _UNITS:
        raise click.BadParameter(f"{value!r} is no size, such as 16MiB")
    return int(match[1]) * _UNITS[match[2].upper()]


@click.command(short_help="Pack files anew, for reading in parallel.")
@click.argument("paths", nargs=-1, required=True, metavar="IN...")
@click.option("--to", "to", metavar="FILE|DIR", help="Where the copy goes; else beside the file.")
@click.option("--level", type=click.IntRange(1, 19), default=3, show_default=True, help="zstd's.")
@click.option(
    "--frame", callback=_bytes, default="16MiB", show_default=True,
    help="Bytes a frame, 64KiB to 64MiB.",
)  # fmt: skip
@click.option(
    "--threads", type=click.IntRange(1, 256), default=None, help="Default: one a core."
)  # fmt: skip
@click.option("--force", is_flag=True, help="Write over a copy that is there.")
@click.option("-q", "--quiet", is_flag=True, help="Name no files.")
def command(
    paths: tuple[str, ...],
    to: str | None,
    level: int,
    frame: int,
    threads: int | None,
    force: bool,
    quiet: bool,
) -> int:
    """Pack files anew as zstd in frames that several threads can read at once.

    Any file that is read can be packed anew: plain, gzip, bzip2, xz, zstd, a zip by its
    members. games.sgf.bz2 becomes games.sgf.zst beside it; the file itself is left alone.
    Frames end at line ends. A copy is read back before it gets its name, and nothing is
    left of one that did not succeed.

    \b
    skatspec archive recompress games.sgf.bz2
    skatspec archive recompress downloads/ --to packed/ --level 9
    skatspec archive recompress - --to games.sgf.zst < games.sgf

    Leaves with 1 if a file could not be read to its end; the others are packed all the same.
    """
    from skatspec.archive.recompress import recompress, require_zstd

    require_zstd()
    require(paths)
    failed = False
    for source, target in list(_targets(paths, to, force)):
        if target is None:
            if not quiet:
                click.echo(clean(f"{source} is seekable already"), err=True)
            continue
        try:
            with _progress(source) as progress:
                done = recompress(
                    source, target, level=level, frame=frame, force=force,
                    threads=threads or os.cpu_count() or 1, progress=progress,
                )  # fmt: skip
        except InputError as error:
            click.echo(clean(f"{source}: {error.code} {error.message}"), err=True)
            failed = True
            continue
        if not quiet:
            said = f"{done.unpacked:,} bytes in {done.packed:,}, frames: {done.frames}"
            click.echo(clean(f"{target}: {said}"), err=True)
    return FOUND if failed else CLEAN


def _targets(
    paths: Iterable[str], to: str | None, force: bool
) -> Iterator[tuple[str, Path | None]]:
    """Yield every file with its copy's name, None where it need not be packed anew.

    Raises UsageError where a copy has no name, or two have the same.
    """
    from skatspec.archive.recompress import target_of
    from skatspec.archive.seektable import frames

    sources = [_named(one) for one in files(paths)]
    folder = Path(to) if to is not None and (Path(to).is_dir() or to.endswith(os.sep)) else None
    if to is not None and folder is None and len(sources) > 1:
        raise UsageError(f"{to} is no folder; {len(sources)} files need one")
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{to}: {error.strerror}") from None
    taken: dict[Path, str] = {}
    for source in sources:
        if source == STDIN and (to is None or folder is not None):
            raise UsageError("standard input needs --to FILE")
        target = Path(to) if to is not None and folder is None else target_of(source, folder)
        if not force and _is_same(source, target) and frames(source) is not None:
            yield source, None
            continue
        if target in taken:
            raise UsageError(f"{taken[target]} and {source} would both become {target}")
        taken[target] = source
        if not force and os.path.lexists(target):
            raise UsageError(f"{target} is there already; --force writes it anew")
        yield source, target


def _is_same(source: str, target: Path) -> bool:
    try:
        return source != STDIN and target.samefile(source)
    except OSError:  # not there yet, or a member of an archive
        return False


def _named(one: str | Folder) -> str:
    if isinstance(one, Folder):
        raise UsageError(f"{one.path} holds no file of a known suffix")
    return one


@contextmanager
def _progress(source: str) -> Iterator[Any]:
    """Show a bar on stderr while a file is packed, at a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    name = escape(clean(source))
    total = _size(source)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        reading = bar.add_task(f"{name}: reading", total=total)
        back = bar.add_task(f"{name}: reading back", total=None, visible=False)

        def told(what: str, done: int) -> None:
            if what == "reading":
                bar.update(reading, completed=done)
            else:
                bar.update(back, completed=done, visible=True)

        yield told


def _size(source: str) -> int | None:
    try:
        return None if source == STDIN else Path(source).stat().st_size
    except OSError:
        return None
