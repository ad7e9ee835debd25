"""Games a second of the scalar path, one core: reading, checking, both, in each format.

Run from the repository: `python -m benchmarks.scalar [ISS-FILE] [--games N] [--rules NAME]`.
Without a file the games are made up from a seed. Every figure is the best of three runs
in this one process; the ratios to plain line splitting hold on any machine.
"""

from __future__ import annotations

import argparse
import gc
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from skatspec.check import check
from skatspec.formats import registry
from skatspec.formats.lines import open_lines
from skatspec.record import Record
from skatspec.rules import load_rules

RUNS = 3
FORMATS = ("iss", "skat", "json")


def source_records(path: Path | None, games: int, profile: str) -> Iterator[Record]:
    """Yield `games` records, from the file over and over or made up from a seed."""
    if path is None:
        from tests.gamegen import seeded

        yield from (sample.record for sample in seeded(profile, games))
        return
    done = 0
    while done < games:
        for item in registry.open_records(path):
            if isinstance(item, Record) and done < games:
                done += 1
                yield item


def best(work: Callable[[], int]) -> float:
    """Return the shortest time of a few runs, in seconds."""
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def measure(path: Path, name: str, games: int, profile: str) -> float:
    """Print one format's speeds and return its games a second read and checked."""
    rules = load_rules(profile)

    def read() -> int:
        return sum(1 for _ in registry.open_records(path, name))

    verdicts: Counter[str] = Counter()

    def read_and_check() -> int:
        verdicts.clear()
        for item in registry.open_records(path, name):
            verdicts[check(item, rules).verdict.value] += 1
        return verdicts.total()

    lines = best(lambda: sum(1 for _ in open_lines(path)))
    reading, both = best(read), best(read_and_check)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    print(
        f"{name:5} read {games / reading:8,.0f} games/s   read and checked {games / both:8,.0f} "
        f"games/s   {both / lines:5.0f} times splitting lines   {counts}"
    )
    return games / both


def main() -> None:
    """Measure every format and the peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--rules", default="iss")
    asked = parser.parse_args()
    gc.set_threshold(50_000)  # as `skatspec check` does
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder) / f"games.{name}" for name in FORMATS}
        files = {name: path.open("w", encoding="utf-8") for name, path in paths.items()}
        for record in source_records(asked.file, asked.games, asked.rules):
            for name, file in files.items():
                file.write(
                    registry.write_record(record, name)[0] + ("\n" if name == "skat" else "")
                )
        for file in files.values():
            file.close()
        for name, path in paths.items():
            measure(path, name, asked.games, asked.rules)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{asked.games} games, rules {asked.rules}, peak memory {peak:.0f} MiB")


if __name__ == "__main__":
    main()
