"""XSkat logs a second, one core: reading alone, and read and checked, the list joined.

Run from the repository: `python -m benchmarks.xskat LOG RULES [--games N]`, for instance
`python -m benchmarks.xskat games.log "xskat -kontra"`. The log is read over and over until N
games have passed; every figure is the best of three runs in this one process.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from benchmarks.scalar import best
from skatspec.formats import registry
from skatspec.formats.lines import open_lines
from skatspec.judging import Judge
from skatspec.rules import load_rules


def main() -> None:
    """Measure one log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("rules")
    parser.add_argument("--games", type=int, default=3000)
    asked = parser.parse_args()
    gc.set_threshold(50_000)  # as `skatspec check` does
    begin = time.perf_counter()
    rules = load_rules(asked.rules)
    loaded = time.perf_counter() - begin
    once = sum(1 for _ in registry.open_records(asked.log, "xskat"))
    rounds = max(1, -(-asked.games // once))
    verdicts: Counter[str] = Counter()

    def read() -> int:
        return sum(1 for _ in registry.open_records(asked.log, "xskat"))

    def read_and_check() -> int:
        verdicts.clear()
        judge = Judge(rules, in_order=True)
        for record in registry.open_records(asked.log, "xskat"):
            verdicts[judge.check(record).verdict.value] += 1
        return verdicts.total()

    def over_and_over(work: Callable[[], int]) -> float:
        return best(lambda: sum(work() for _ in range(rounds)))

    lines = over_and_over(lambda: sum(1 for _ in open_lines(asked.log)))
    reading, both = over_and_over(read), over_and_over(read_and_check)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    print(
        f"{asked.log.name:24} read {once * rounds / reading:7,.0f} games/s   read and checked "
        f"{once * rounds / both:7,.0f} games/s   {both / lines:4.0f} times splitting lines   "
        f"{counts}; rules loaded in {loaded * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
