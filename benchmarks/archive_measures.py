"""What the archive benchmarks measure, each in one function that returns rows of a table."""

from __future__ import annotations

import gc
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import machine
from benchmarks.archive_files import KINDS, Failed, Files, skatspec
from benchmarks.memory import Ran, spent
from skatspec.rules import Rules

CHUNK = 1 << 22
CACHE = "XDG_CACHE_HOME"
# The kernel is given so many bytes of a file at most, which lie in memory.
_IN_MEMORY = 1 << 30
SMALL = 1000
_HEAD = re.compile(r"(\d+) records in ")
_VERDICT = re.compile(r"(\d+) (consistent|contradicted|undetermined|unreadable)")
_DECIDED = re.compile(r"fast engine: ([\d,]+) records? decided")


@dataclass(slots=True)
class Row:
    """One thing measured: seconds of each run over `games` records and `size` bytes of the file.

    `cpu` are the seconds that processors spent on it, all processes together: other work on the
    machine lengthens them less. `size` is in unpacked bytes where it is a packed file.

    `steady` are games/s between the first parts and the last, where that is known. `accepted`,
    `rejected`, `open` (undetermined) and `handed` (to the scalar engine) are None where nobody
    judged.
    """

    what: str
    games: int
    size: int
    seconds: list[float]
    cpu: list[float]
    accepted: int | None = None
    rejected: int | None = None
    open: int | None = None
    handed: int | None = None
    steady: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    note: str = ""

    @property
    def best(self) -> float:
        """Return games/s of the best run."""
        return self.games / min(self.seconds)

    @property
    def usual(self) -> float:
        """Return games/s of the median run."""
        return self.games / median(self.seconds)


def timed(work: Callable[[], Any], runs: int) -> tuple[list[float], list[float], Any]:
    """Return the seconds of some runs, those of processors, and what the last run returned."""
    seconds, cpu, answer = [], [], None
    for _ in range(runs):
        before, begin = spent(False) + spent(True), time.perf_counter()
        answer = work()
        seconds.append(time.perf_counter() - begin)
        cpu.append(spent(False) + spent(True) - before)
    return seconds, cpu, answer


# --- the floor ----------------------------------------------------------------------------


def floor(files: Files, runs: int) -> Iterator[Row]:
    """Measure what only touching the bytes takes: `wc -l`, a NumPy byte sum, unpacking."""
    import numpy as np

    size = files.mixed.stat().st_size
    program = shutil.which("wc")
    if program:
        command = [program, "-l", str(files.mixed)]
        seconds, cpu, _ = timed(
            lambda: subprocess.run(command, check=True, capture_output=True), runs
        )
        yield Row("`wc -l`", files.games, size, seconds, cpu)

    def byte_sum() -> int:
        room = np.empty(CHUNK, np.uint8)
        total = 0
        with files.mixed.open("rb", buffering=0) as stream:
            while count := stream.readinto(memoryview(room)):
                total += int(room[:count].sum(dtype=np.uint64))
        return total

    seconds, cpu, _ = timed(byte_sum, runs)
    yield Row("NumPy byte sum", files.games, size, seconds, cpu)
    for kind in KINDS[1:]:
        path = str(files.packed(kind))
        for jobs in (1, 2):
            seconds, cpu, length = timed(partial(_unpacked, path, jobs), runs)
            what = f"only unpacking, {kind}, {jobs} thread{'s' if jobs > 1 else ''}"
            yield Row(what, files.games, length, seconds, cpu)


def _unpacked(path: str, threads: int) -> int:
    from skatspec.archive import inputs

    return sum(map(len, inputs.chunks(path, 1 << 20, threads)))


# --- the two engines, in this process -----------------------------------------------------


def scalar(files: Files, runs: int) -> Iterator[Row]:
    """Measure reading and checking by the scalar engine alone, one process."""
    from skatspec.rules import load_rules

    rules = load_rules(files.rules)
    for name, path in _both(files):
        first = files.first(path, files.sample)
        gc.collect()
        before = gc.get_threshold()
        gc.set_threshold(50_000)  # as `skatspec check` does
        seconds, cpu, verdicts = timed(partial(_verdicts, first, rules), runs)
        gc.set_threshold(*before)
        row = Row(f"scalar path, {name}", verdicts.total(), first.stat().st_size, seconds, cpu)
        yield _judged(row, verdicts)


def _verdicts(path: Path, rules: Rules) -> Counter[str]:
    from skatspec.check import check
    from skatspec.formats import registry

    return Counter(check(one, rules).verdict.value for one in registry.open_records(path, "iss"))


def kernel(files: Files, runs: int) -> Iterator[Row]:
    """Measure tier 1 alone on one core, from memory, and the scalar path on what it hands on."""
    import numpy as np

    from skatspec.archive.kernel.decide import CONSISTENT, NOT_MINE, Kernel
    from skatspec.rules import load_rules

    rules = load_rules(files.rules)
    decider = Kernel(rules)
    decider.warm()
    for name, path in _both(files):
        pieces = list(blocks(path))
        seconds, cpu, found = timed(partial(_statuses, decider, pieces), runs)
        status = np.concatenate(found)
        yield Row(
            f"tier 1, one core, {name}", len(status), sum(map(len, pieces)), seconds, cpu,
            int((status == CONSISTENT).sum()), int((status > CONSISTENT).sum()), None,
            int((status == NOT_MINE).sum()),
        )  # fmt: skip
        rest = files.folder / f"{path.stem}-handed-on.sgf"
        _write_handed(decider, pieces, rest)
        if rest.stat().st_size:
            seconds, cpu, verdicts = timed(partial(_verdicts, rest, rules), runs)
            what = f"scalar path on all that tier 1 does not accept, {name}"
            row = Row(what, verdicts.total(), rest.stat().st_size, seconds, cpu)
            yield _judged(row, verdicts)


def _write_handed(decider: Any, pieces: list[bytes], path: Path) -> None:
    """Write the records that the kernel does not accept; the scalar engine is asked for them."""
    from skatspec.archive.kernel.decide import CONSISTENT

    with path.open("wb") as stream:
        for piece in pieces:
            decided = decider.decide(piece)
            for number in (decided.status != CONSISTENT).nonzero()[0]:
                stream.write(piece[decided.begin[number] : decided.end[number]] + b"\n")


def _statuses(decider: Any, pieces: list[bytes]) -> list[Any]:
    # copies: what else was decided is let go at once, as in a run
    return [decider.decide(piece).status.copy() for piece in pieces]


def blocks(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes in pieces that end where a line does."""
    rest, size = b"", 0
    with path.open("rb") as stream:
        while size < _IN_MEMORY and (piece := stream.read(CHUNK)):
            size += len(piece)
            whole, mark, behind = piece.rpartition(b"\n")
            if mark:
                yield rest + whole + mark
                rest = behind
            else:
                rest += piece
    if rest:
        yield rest


def _both(files: Files) -> list[tuple[str, Path]]:
    if files.clean == files.mixed:
        return [("the file", files.mixed)]
    return [("clean", files.clean), ("mixed", files.mixed)]


def _judged(row: Row, verdicts: Counter[str]) -> Row:
    row.accepted = verdicts["consistent"]
    row.rejected = verdicts["contradicted"] + verdicts["unreadable"]
    row.open = verdicts["undetermined"]
    return row


# --- whole commands -----------------------------------------------------------------------


def parquet(
    path: Path, what: str, files: Files, jobs: int, runs: int, *words: str,
    cold: bool = False, drop: bool = False,
) -> Row:  # fmt: skip
    """Measure `skatspec archive check --to`; `cold` throws away compiled code and pages."""
    heat = "cold" if cold else "warm"
    row = Row(f"{what}, {_jobs(jobs)}, {heat}", 0, 0, [], [])
    for _ in range(runs):
        with tempfile.TemporaryDirectory(dir=files.folder) as folder:
            results, cache = Path(folder, "found"), Path(folder, "cache")
            changes = {}
            if cold:
                cache.mkdir()
                changes[CACHE] = str(cache)
                row.note = machine.forget(path, drop)
            ran = archive_check(path, results, files.rules, jobs, *words, **changes)
            row.seconds.append(ran.wall)
            row.cpu.append(ran.cpu)
            _parts(row, results, ran, jobs)
    return row


def archive_check(
    path: Path, results: Path, rules: str, jobs: int, *words: str, watch: bool = False,
    **changes: str,
) -> Ran:  # fmt: skip
    """Run the command once."""
    return skatspec(
        "archive", "check", str(path), "--to", str(results), "--rules", rules,
        "--jobs", str(jobs), *words, watch=watch, **changes,
    )  # fmt: skip


def _parts(row: Row, results: Path, ran: Ran, jobs: int) -> None:
    """Add what the finished parts of a run tell: when they came, and what was found."""
    import pyarrow.parquet as pq

    from skatspec.archive import asking, parts
    from skatspec.archive.work import Counts

    run = json.loads((results / asking.RUN_FILE).read_bytes())["run"]
    found = sorted(
        (path.stat().st_mtime_ns / 1e9, pq.read_metadata(path).num_rows, path)
        for path in (results / asking.PARTS_FOLDER).glob("*.parquet")
    )
    total = Counts()
    for _, _, path in found:
        text = parts.counts_of(str(path), run)
        if text is None:
            raise Failed(f"{path} is not of this run")
        total.add(Counts.from_json(text))
    if total.disagreements:
        raise Failed(f"{total.disagreements} disagreements of the engines: {total.said}")
    row.games, row.size = total.records, total.size
    _judged(row, total.verdicts)
    row.handed = total.records - total.taken - total.audited
    row.first.append(found[0][0] - ran.started)
    if len(found) > 2 * jobs:  # the first of each worker holds its start
        games = sum(rows for _, rows, _ in found[jobs:])
        row.steady.append(games / max(found[-1][0] - found[jobs - 1][0], 0.001))


def checks(files: Files, runs: int) -> Iterator[Row]:
    """Measure `skatspec check` by both engines, the scalar one on a sample."""
    whole, sample = files.mixed, files.first(files.mixed, files.sample)
    for engine, path in (("fast", whole), ("scalar", sample)):
        for jobs in (1, 2):
            command = (
                "check", str(path), "--engine", engine, "--jobs", str(jobs), "--rules", files.rules,
            )  # fmt: skip
            seconds, cpu, ran = timed(partial(skatspec, *command), runs)
            what = f"`check --engine {engine}`, {_jobs(jobs)}"
            yield _summed(Row(what, 0, path.stat().st_size, seconds, cpu), ran.output)


def _jobs(jobs: int) -> str:
    return f"{jobs} job{'s' if jobs > 1 else ''}"


def _summed(row: Row, output: str) -> Row:
    """Add what the summary of a check says."""
    found = next((one for one in map(_HEAD.match, output.splitlines()) if one), None)
    if found is None:
        raise Failed(f"no summary in {output[-200:]!r}")
    row.games = int(found[1])
    counts = Counter({verdict: int(number) for number, verdict in _VERDICT.findall(found.string)})
    decided = _DECIDED.search(output)
    if decided:
        row.handed = row.games - int(decided[1].replace(",", ""))
    return _judged(row, counts)


def first_results(files: Files, runs: int) -> Iterator[Row]:
    """Measure the whole command over a small file, from a warm cache."""
    small = files.first(files.mixed, SMALL)
    for jobs in (1, 2):
        yield parquet(small, f"{SMALL} records to Parquet", files, jobs, runs)
    seconds, cpu, ran = timed(partial(skatspec, "check", str(small), "--rules", files.rules), runs)
    row = Row(f"`check` of {SMALL} records", 0, small.stat().st_size, seconds, cpu)
    yield _summed(row, ran.output)


@dataclass(frozen=True, slots=True)
class Peak:
    """The memory of a run: MiB of the tree at most (PSS), and of each process (RSS)."""

    what: str
    size: int
    games: int
    seconds: float
    pss: float
    rss: tuple[float, ...]
    looks: int


def memory(files: Files, kind: str, jobs: int, times: int) -> Peak:
    """Watch `archive check --to` over a file, its text `times` over."""
    path = files.packed(kind, times)
    with tempfile.TemporaryDirectory(dir=files.folder) as folder:
        results = Path(folder, "found")
        ran = archive_check(path, results, files.rules, jobs, watch=True)
        row = Row("", 0, 0, [ran.wall], [ran.cpu])
        _parts(row, results, ran, jobs)
    what = f"{kind}, {_jobs(jobs)}, x{times}"
    return Peak(what, row.size, row.games, ran.wall, ran.pss, ran.rss, ran.looks)
