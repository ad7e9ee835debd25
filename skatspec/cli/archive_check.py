"""`skatspec archive check`: millions of games to one row each, in Parquet parts."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from skatspec.cli import CLEAN, FOUND, OWN_FAULT
from skatspec.cli.options import engine_options, set_option
from skatspec.cli.sources import STDIN, Folder, files, require
from skatspec.cli.terminal import Paint, clean, count
from skatspec.errors import InputError, UsageError

if TYPE_CHECKING:
    from skatspec.archive.runs import Archive, Doer
    from skatspec.archive.work import Counts, Worker
    from skatspec.rules import Rules

_FORMAT = "iss"
_SHOWN = 10
# Columns of the bar: with all that stands beside it there are fewer than 80.
_BAR = 24


@click.command(short_help="Check archives, and keep a row of every game.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--to", "folder", required=True, metavar="DIR", help="Where the results go.")
@click.option(
    "--rules", metavar="NAME|FILE", help="Judge by these rules. [default: iss]"
)  # fmt: skip
@set_option
@engine_options
@click.option(
    "--scheduler", metavar="ADDRESS", help="Work on the Dask cluster with this scheduler, "
    "tcp://HOST:PORT; its workers must find PATHs and DIR under the same names."
)  # fmt: skip
@click.option(
    "--local-cluster", type=click.IntRange(1), metavar="N",
    help="Work on a Dask cluster of so many processes of this machine.",
)  # fmt: skip
@click.option("--unit", type=click.IntRange(1), hidden=True, help="Bytes of a unit.")
@click.option("--restart", is_flag=True, help="Throw away what DIR holds, and check all anew.")
@click.option("-q", "--quiet", is_flag=True, help="Print no counts and show no progress.")
def command(
    paths: tuple[str, ...],
    folder: str,
    rules: str | None,
    settings: tuple[str, ...],
    scheduler: str | None,
    local_cluster: int | None,
    unit: int | None,
    restart: bool,
    quiet: bool,
    **engines: Any,
) -> int:
    """Check every game of ISS archives and write one row a game into Parquet parts below DIR.

    Files may be packed; folders and zips are gone through. PATHs and DIR may be URLs of object
    storage, of which no zip is read. The same command again goes on
    where a run was stopped, by whatever, and does nothing where it was finished. Files that
    have changed meanwhile are not gone on with.

    \b
    skatspec archive check games.sgf.zst --to found/
    skatspec archive check 2007/ 2008/ --to found/ --rules iss-client --jobs 8
    skatspec archive check s3://iss/2007/ --to found/ --scheduler tcp://head:8786
    skatspec archive report found/

    Leaves with 1 if a game is contradicted or unreadable, or a file cannot be read; with 2
    for wrong usage; with 3 if the two engines disagree, which is a fault of ours.
    """
    from skatspec.archive import places
    from skatspec.archive.engines import Engines, require_archive
    from skatspec.archive.runs import opened
    from skatspec.archive.units import UNIT
    from skatspec.archive.work import Worker

    require_archive()
    asked, folder = Engines(**engines), places.plain(folder)
    workers = _cluster(scheduler, local_cluster, asked.jobs)
    chosen, spec = _rules(rules, settings)
    require(path for path in paths if not places.is_url(path))
    with places.locked(folder):
        sources, refused = _sources(paths)
        archive = opened(folder, sources, chosen, spec, restart, unit or UNIT)
        worker = Worker(chosen, archive.parts, asked.fast(chosen), asked.audit)
        doer = workers or _doer(asked.processes, archive)
        total = _run(archive, worker, doer, asked.processes, quiet)
        total.broken += refused
    if not quiet:
        for line in _lines(total, archive):
            click.echo(line)
    return _exit_code(total, chosen)


def _rules(rules: str | None, settings: tuple[str, ...]) -> tuple[Rules, dict[str, Any]]:
    """Return the rules asked for, and how to ask for them again."""
    from skatspec.judging import FORMAT_RULES
    from skatspec.rules import load_rules

    name = rules or FORMAT_RULES[_FORMAT]
    return load_rules(name, settings), {"name_or_path": name, "settings": list(settings)}


def _sources(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the files of ISS records, and why others cannot be read.

    Files of other records are refused where they are named, in folders they are passed over,
    and said to be.
    """
    from skatspec.archive import inputs

    sources: dict[str, None] = {}
    refused: list[InputError] = []
    for path in _files(paths):
        if isinstance(path, Folder):
            raise UsageError(f"{path.path} holds no file of records")
        if path == STDIN:
            raise UsageError("archives are read more than once: give a file, not standard input")
        try:
            found = inputs.format_of(path)
        except InputError as error:
            if error.code != "E007":
                refused.append(error)
                continue
            found = "no known format"
        if found not in (_FORMAT, None):
            if path in paths:
                raise UsageError(f"{path}: archives are ISS records, and this is {found}")
            click.echo(clean(f"passed over: {path} ({found})"), err=True)
        else:
            sources[path] = None
    if not sources and refused:
        raise refused[0]
    if not sources:
        raise UsageError(f"no ISS records in {', '.join(paths)}")
    return list(sources), [str(error) for error in refused]


def _files(paths: Iterable[str]) -> Iterator[str | Folder]:
    """Yield the files that paths and URLs name."""
    from skatspec.archive import inputs, places

    for path in paths:
        if places.is_url(path):
            yield from inputs.below(path)
        else:
            yield from files((path,))


def _cluster(scheduler: str | None, local: int | None, jobs: int | None) -> Doer | None:
    """Return the cluster that was asked for. Raises UsageError where it cannot be had."""
    if scheduler is None and local is None:
        return None
    if (scheduler is not None) + (local is not None) + (jobs is not None) > 1:
        raise UsageError("--scheduler, --local-cluster and --jobs exclude each other")
    from skatspec.archive.cluster import Cluster

    return Cluster(scheduler or "", local or 0)


def _doer(jobs: int, archive: Archive) -> Doer:
    from skatspec.archive.doing import Processes, here

    only_one = archive.length is not None and archive.length <= archive.unit
    return here if jobs == 1 or only_one else Processes(jobs)


def _run(archive: Archive, worker: Worker, doer: Doer, threads: int, quiet: bool) -> Counts:
    """Do what is left to do, and return the counts of everything."""
    from skatspec.archive.pool import settle_in
    from skatspec.archive.work import Counts

    settle_in()
    _compile(worker, quiet)
    total, done = Counts(), archive.done()
    for counts in done.values():
        total.add(counts)
    with _Progress(archive, total, not quiet and sys.stderr.isatty()) as progress:
        try:
            with closing(archive.run(worker, doer, threads, done)) as doing:
                for counts in doing:
                    total.add(counts)
                    progress.show()
        except KeyboardInterrupt:
            progress.close()
            click.echo(f"stopped at {total.records:,} games; the same command goes on", err=True)
            raise click.Abort from None
    return total


def _compile(worker: Worker, quiet: bool) -> None:
    """Have the kernel compiled before several processes need it; a cluster does it by itself."""
    from skatspec.archive.kernel.kept import is_cached
    from skatspec.archive.work import warm

    if worker.fast and not is_cached():
        if not quiet and sys.stderr.isatty():
            click.echo("compiling the fast engine, once: some fifteen seconds", err=True)
        warm(worker)


class _Progress:
    """A bar on standard error, at a terminal only: games, games a second, what is left."""

    def __init__(self, archive: Archive, total: Counts, shown: bool) -> None:
        self._archive, self._total = archive, total
        self._games, self._begun = total.records, time.monotonic()
        self._bar: Any = None
        if shown:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (
                BarColumn(_BAR), TextColumn("{task.percentage:>3.0f} %"),
                TextColumn("{task.description}"), TimeRemainingColumn(),
            )  # fmt: skip
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=max(archive.work, 1))

    def __enter__(self) -> _Progress:
        if self._bar is not None:
            self._bar.start()
            self.show()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def show(self) -> None:
        """Show how far the run is."""
        if self._bar is not None:
            done = self._total.records
            speed = (done - self._games) / max(time.monotonic() - self._begun, 0.001)
            text = f"{done:,} games, {speed:,.0f}/s"
            # what is read by range counts once it is done, a stream as it is read
            at = self._total.ranged + self._archive.consumed
            self._bar.update(self._task, completed=at, description=text)


def _exit_code(total: Counts, rules: Rules) -> int:
    from skatspec.diagnostics import Severity

    if total.disagreements:
        return OWN_FAULT
    bad = total.verdicts["contradicted"] + total.verdicts["unreadable"]
    about = any(rules.profile.severity(code) is Severity.ERROR for code in total.about_files)
    return FOUND if bad or total.broken or about else CLEAN


def _lines(total: Counts, archive: Archive) -> Iterator[str]:
    """Yield the counts."""
    from skatspec.diagnostics import Verdict, entry

    paint = Paint(sys.stdout)
    shown = [
        f"{total.verdicts[one.value]:,} {paint.verdict(one)}"
        for one in Verdict
        if total.verdicts[one.value]
    ]
    head = f"{total.records:,} records in {count(len(archive.sources), 'file')}"
    yield f"{head}: {', '.join(shown)}" if shown else head
    yield from _counted(total.codes, entry)
    if total.about_files:
        yield "about the files:"
        yield from _counted(total.about_files, entry)
    yield f"rules: {archive.rules.name}"
    if total.taken or total.audited:
        wrong = count(total.disagreements, "disagreement") if total.disagreements else ""
        again = f"{total.audited:,}" if total.audited else "none"
        again += " of them checked again"
        decided = f"{total.taken + total.audited:,} records decided"
        yield f"fast engine: {decided}, {again}, {wrong or 'no disagreement'}"
    for said in (*total.said, *total.broken[:_SHOWN]):
        yield clean(said)
    if len(total.broken) > _SHOWN:
        yield f"and {count(len(total.broken) - _SHOWN, 'more file')} not read to the end"
    yield f"next: skatspec archive report {clean(archive.folder)}"


def _most_first(row: tuple[str, int]) -> tuple[int, str]:
    return -row[1], row[0]


def _counted(codes: Any, entry: Any) -> Iterator[str]:
    most: Sequence[tuple[str, int]] = sorted(codes.items(), key=_most_first)[:_SHOWN]
    width = max((len(f"{number:,}") for _, number in most), default=0)
    for code, number in most:
        yield f"  {number:>{width},}  {code} {entry(code).name}"
    if len(codes) > _SHOWN:
        yield f"  and {count(len(codes) - _SHOWN, 'more code')}"
