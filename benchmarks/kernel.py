"""Records a second of the compiled kernel on one core, phase by phase, and the floor under it.

Run from the repository: `python -m benchmarks.kernel FILE [--rules NAME] [--repeat N]`. FILE is
an ISS archive, a record a line; it is read into memory `--repeat` times over before anything is
measured. Each phase contains the ones before it. Every figure is the best of some runs, by the
processor time of this thread, so that others on the machine disturb it little.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from skatspec.archive.kernel.decide import CODES, CONSISTENT, NOT_MINE, Kernel
from skatspec.archive.kernel.head import head, line_end
from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.moves import moves
from skatspec.archive.kernel.state import FINE, SIZE
from skatspec.rules import load_rules

RUNS = 7
SPLIT, HEADS, MOVES = range(3)
_PADDING = b"\n" * 64


@compiled(called=True)
def phases(buf, T, last):
    """Do the work of a phase and of those before it; return how many records came through."""
    g = np.zeros(SIZE, np.int64)
    begin, count = 0, 0
    while begin < buf.size:
        end, _ = line_end(buf, begin, buf.size)
        good = end > begin
        if good and last >= HEADS:
            p = head(buf, begin, end, g)
            good = p >= 0
            if good and last >= MOVES:
                good = moves(buf, p, end, T, g) == FINE
        count += good
        begin = end + 1
    return count


def best(work: Callable[[], Any]) -> float:
    """Return the shortest processor time of some runs, in seconds."""
    times = []
    for _ in range(RUNS):
        begin = time.thread_time()
        work()
        times.append(time.thread_time() - begin)
    return min(times)


def show(name: str, seconds: float, records: int, size: int) -> None:
    """Print one line: records and bytes a second, and the time a record."""
    print(
        f"{name:28} {records / seconds:12,.0f} records/s {size / seconds / 1e6:9,.0f} MB/s"
        f" {seconds / records * 1e6:7.3f} us a record"
    )


def counted(status: Any) -> str:
    """Return how many records were accepted, told a code, and handed on."""
    counts = Counter(status.tolist())
    codes = {CODES[one]: counts[one] for one in sorted(counts) if one > CONSISTENT}
    told = ", ".join(f"{code} {count}" for code, count in codes.items())
    return (
        f"{counts[CONSISTENT]} accepted, {sum(codes.values())} with a code"
        f"{f' ({told})' if told else ''}, {counts[NOT_MINE]} handed on"
    )


def main() -> None:
    """Measure the phases over one file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rules", default="iss")
    parser.add_argument("--repeat", type=int, default=1)
    asked = parser.parse_args()
    data = asked.file.read_bytes() * asked.repeat
    rules = load_rules(asked.rules)
    begin = time.perf_counter()
    kernel = Kernel(rules)
    kernel.warm()
    print(f"kernel ready after {time.perf_counter() - begin:.2f} s (compiled, or loaded)")
    status = kernel.decide(data).status
    records = len(status)
    print(f"{records} records, {len(data)} bytes, rules {rules.name}: {counted(status)}")
    raw = np.frombuffer(data + _PADDING, np.uint8)
    plain = raw[: len(data)]
    show("floor: NumPy sum of bytes", best(lambda: plain.sum(dtype=np.uint64)), records, len(data))
    tables = kernel.tables
    for name, last in (("lines", SPLIT), ("and heads", HEADS), ("and moves", MOVES)):
        phases(raw, tables, last)
        show(name, best(lambda last=last: phases(raw, tables, last)), records, len(data))
    show("all, answers written", best(lambda: kernel.decide(data)), records, len(data))


if __name__ == "__main__":
    main()
