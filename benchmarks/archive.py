"""Speed and memory of everything that checks archives, cold and warm, beside the floor.

Run from the repository: `python -m benchmarks.archive [FILE] [--games 1000000] [--rules iss]
[--share 0.01]`. Without a file two are made from a seed: a clean one, and one in which a share
of the records carries one fault each; `--keep DIR` keeps them for the next time. With a plain
FILE everything is measured on that. `--only` names the sections to run, with commas between.
Nothing else should run meanwhile. Compiled code lies in a folder of the benchmark's own.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks import archive_files, archive_measures, machine, peers
from benchmarks.archive_files import KINDS, Failed, Files
from benchmarks.archive_measures import CACHE, Peak, Row

SECTIONS = ("floor", "scalar", "kernel", "parquet", "check", "first", "memory", "peers")
FLOOR_OF_RATIO = 20
_COLUMNS = (
    "what", "games", "best, games/s", "median (spread)", "CPU, µs a game", "steady, games/s",
    "first part, s", "MB/s", "accepted", "rejected", "undetermined", "handed on",
)  # fmt: skip
_LONGER = 4


def say(*lines: str) -> None:
    """Print lines at once."""
    print(*lines, sep="\n", flush=True)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def cells(row: Row) -> list[str]:
    """Return a row of the table: the best run, the median, and what was found."""
    usual = median(row.seconds)
    return [
        row.what,
        _number(row.games),
        _number(row.best),
        f"{row.usual:,.0f} ({max(row.seconds) / min(row.seconds) - 1:.0%})",
        f"{median(row.cpu) / row.games * 1e6:,.1f}",
        _number(median(row.steady)) if row.steady else "",
        f"{min(row.first):.2f}" if row.first else "",
        _number(row.size / usual / 1e6),
        *(_number(one) for one in (row.accepted, row.rejected, row.open, row.handed)),
    ]


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a Markdown table, each row once it is known."""
    say("", f"### {title}", "", f"| {' | '.join(columns)} |", "|" + "---|" * len(columns))
    for row in rows:
        say(f"| {' | '.join(row)} |")


class Bench:
    """One run over some files; every row that was measured is kept by its name."""

    def __init__(self, files: Files, asked: argparse.Namespace) -> None:
        self.files, self.asked = files, asked
        self.rows: dict[str, Row] = {}

    def run(self, sections: Iterable[str]) -> None:
        """Measure some sections and print them."""
        for name in sections:
            getattr(self, name)()
        self.ratios()

    def _table(self, title: str, rows: Iterable[Row]) -> None:
        table(title, _COLUMNS, (cells(row) for row in self._kept(rows)))

    def _kept(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self.rows[row.what] = row
            yield row

    def _over_files(self, title: str, measure: Callable[[Files, int], Iterator[Row]]) -> None:
        self._table(title, measure(self.files, self.asked.runs))

    def floor(self) -> None:
        """Measure the floor."""
        self._over_files("The floor", archive_measures.floor)

    def scalar(self) -> None:
        """Measure the scalar path."""
        self._over_files("The scalar path, one process", archive_measures.scalar)

    def kernel(self) -> None:
        """Measure tier 1."""
        self._over_files("Tier 1 alone, one core, from memory", archive_measures.kernel)

    def check(self) -> None:
        """Measure `skatspec check`."""
        self._over_files("`skatspec check`, output included", archive_measures.checks)

    def first(self) -> None:
        """Measure the time to the first result."""
        before = len(self.rows)
        self._over_files("A small file, warm", archive_measures.first_results)
        say("")
        for row in list(self.rows.values())[before:]:
            say(f"{row.what}: {min(row.seconds):.2f} s, median {median(row.seconds):.2f} s")

    def parquet(self) -> None:
        """Measure file to Parquet."""
        self._table("File to Parquet, whole command", self._parquet())
        notes = [f"{row.what}: {row.note}" for row in self.rows.values() if row.note]
        say("", *notes)

    def _parquet(self) -> Iterator[Row]:
        files, asked = self.files, self.asked
        for kind in asked.kinds:
            path = files.packed(kind)
            for jobs in (1, 2):
                if asked.cold:
                    yield archive_measures.parquet(
                        path, kind, files, jobs, 1, cold=True, drop=asked.drop_caches
                    )
                yield archive_measures.parquet(path, kind, files, jobs, asked.runs)
        if files.clean != files.mixed:
            for jobs in (1, 2):
                yield archive_measures.parquet(
                    files.clean, "plain, clean file", files, jobs, asked.runs
                )
        sample = files.first(files.mixed, files.sample)
        yield archive_measures.parquet(
            sample, "plain, `--engine scalar`", files, 1, asked.runs, "--engine", "scalar"
        )

    def memory(self) -> None:
        """Watch the memory of runs over the file and over a longer one."""
        columns = ("what", "MB unpacked", "games", "s", "peak of the tree, MiB (PSS)", "processes")
        peaks: list[Peak] = []

        def rows() -> Iterator[list[str]]:
            for kind in self.asked.kinds:
                for times in (1, _LONGER):
                    peak = archive_measures.memory(self.files, kind, 2, times)
                    peaks.append(peak)
                    yield [
                        peak.what, _number(peak.size / 1e6), _number(peak.games),
                        f"{peak.seconds:.1f}", _number(peak.pss),
                        " ".join(f"{one:.0f}" for one in peak.rss) + f" ({peak.looks} looks)",
                    ]  # fmt: skip

        table("Memory, each process's own peak (RSS, MiB) behind it", columns, rows())
        say("")
        for short, long in zip(peaks[::2], peaks[1::2], strict=True):
            say(f"{short.what} -> x{_LONGER}: {long.pss - short.pss:+.0f} MiB")

    def peers(self) -> None:
        """Measure the peers."""
        say("", "### Peers, one process", "")
        say(*peers.lines(self.files.first(self.files.clean, self.asked.peer_games)))

    def ratios(self) -> None:
        """Print fast against scalar, as far as both were measured."""
        lines = []
        for fast, slow in _COMPARED:
            one = next((row for what, row in self.rows.items() if what.startswith(fast)), None)
            other = next((row for what, row in self.rows.items() if what.startswith(slow)), None)
            if one is not None and other is not None:
                ratio = one.usual / other.usual
                short = "" if ratio >= FLOOR_OF_RATIO else f"  (under {FLOOR_OF_RATIO})"
                lines.append(f"{one.what} : {other.what} = {ratio:.1f}{short}")
        if lines:
            say("", "### Fast against scalar, medians", "", *lines)


# Beginnings of rows' names; both of a pair saw the same kind of records.
_COMPARED = (
    ("tier 1, one core, clean", "scalar path, clean"),
    ("tier 1, one core, mixed", "scalar path, mixed"),
    ("tier 1, one core, the file", "scalar path, the file"),
    ("plain, 1 job, warm", "scalar path, mixed"),
    ("plain, 2 jobs, warm", "scalar path, mixed"),
    ("plain, 1 job, warm", "scalar path, the file"),
    ("plain, 2 jobs, warm", "scalar path, the file"),
    ("plain, clean file, 1 job, warm", "scalar path, clean"),
    ("plain, clean file, 2 jobs, warm", "scalar path, clean"),
    ("plain, 1 job, warm", "plain, `--engine scalar`, 1 job"),
    ("`check --engine fast`, 1 job", "`check --engine scalar`, 1 job"),
    ("`check --engine fast`, 2 jobs", "`check --engine scalar`, 2 jobs"),
)


def measured(asked: argparse.Namespace, folder: Path) -> None:
    """Make the files and measure everything that was asked for."""
    cache = folder / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    os.environ[CACHE] = str(cache)  # before the kernel is imported
    say(f"$ python -m benchmarks.archive {' '.join(sys.argv[1:])}", "", *machine.described())
    if asked.file is None:
        files = archive_files.made(
            folder, asked.games, asked.share, asked.rules, asked.sample, asked.views
        )
    else:
        files = archive_files.given(asked.file, folder, asked.rules, asked.sample)
    say(f"load at the beginning {machine.load()}; {files.games:,} games, rules {files.rules}")
    sections = [name for name in SECTIONS if name in asked.only]
    if "kernel" not in sections:  # who measures the kernel warms it
        _warm(files)
    Bench(files, asked).run(sections)
    say("", f"load at the end {machine.load()}")


def _warm(files: Files) -> None:
    from skatspec.archive.kernel.decide import Kernel
    from skatspec.rules import load_rules

    Kernel(load_rules(files.rules)).warm()


def _listed(names: Sequence[str]) -> Callable[[str], list[str]]:
    def listed(text: str) -> list[str]:
        asked = text.split(",")
        if not set(asked) <= set(names):
            raise argparse.ArgumentTypeError(f"there are: {', '.join(names)}")
        return asked

    return listed


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("file", nargs="?", type=Path, help="a plain file of ISS records")
    made.add_argument("--games", type=int, default=1_000_000)
    made.add_argument("--rules", default="iss")
    made.add_argument("--share", type=float, default=0.01, help="of records with a fault")
    made.add_argument(
        "--no-views", dest="views", action="store_false", help="no record hides cards"
    )
    made.add_argument("--sample", type=int, default=20_000, help="records for the scalar engine")
    made.add_argument("--peer-games", type=int, default=2_000)
    made.add_argument("--runs", type=int, default=3, help="warm runs of everything")
    made.add_argument("--keep", type=Path, metavar="DIR", help="where the files are and stay")
    made.add_argument("--only", type=_listed(SECTIONS), default=list(SECTIONS))
    made.add_argument("--kinds", type=_listed(KINDS), default=list(KINDS))
    made.add_argument("--no-cold", dest="cold", action="store_false")
    made.add_argument(
        "--drop-caches", action="store_true", help="cold: drop the machine's page cache as well"
    )
    return made


def main() -> None:
    """Measure what was asked for; leave with 3 where a command fails."""
    asked = parser().parse_args()
    try:
        if asked.keep is not None:
            measured(asked, asked.keep.resolve())
            return
        with tempfile.TemporaryDirectory() as folder:
            measured(asked, Path(folder))
    except Failed as error:
        print(f"failed: {error}", file=sys.stderr)
        sys.exit(3)


if __name__ == "__main__":
    main()
