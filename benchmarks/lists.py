"""Time and memory of a season: folders of lists checked and ranked.

Run from the repository: `python -m benchmarks.lists [--lists 2000,20000] [--faulty 0.05]
[--processes N] [--profile] [--keep DIR]`. The lists are made from a seed: 36 rows and 17
columns, tables of three, two rounds an event; a share of them has one fault each. Every run
is a process of its own, so that its peak memory is that of the run. With `--profile` a
smaller season is checked in one process, and the calls that take most time are printed.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import memory
from skatspec.rules import load_rules
from skatspec.rules.tables import CONTRACTS
from skatspec.session.rows import RowJudge
from skatspec.session.season import Options, run
from skatspec.sheet import Account, Amount

RULES = "isko"
DEALS, SEATS, TABLES = 36, 3, 100
ROUNDS = ("1", "2")
PLAYERS = 1500
COLUMNS = (
    "deal", "dealer", "declarer", "contract", "matadors", "hand", "schneider",
    "schneider_announced", "schwarz", "schwarz_announced", "ouvert", "bid", "result", "value",
    *(f"total_{seat}" for seat in range(1, SEATS + 1)),
)  # fmt: skip
PASSED_IN, WON, HAND = 0.04, 0.78, 0.2
SEED = 20_240_601

Game = tuple[Account, Amount]


def games(seed: random.Random, count: int) -> list[Game]:
    """Return so many games as a row enters them, with their scores by the rules."""
    judge = RowJudge(load_rules(RULES).tables)
    bids = judge.tables.bids
    found: list[Game] = []
    while len(found) < count:
        contract = seed.choice(CONTRACTS)
        is_null = contract == "null"
        account = Account(
            contract, None if is_null else seed.choice((-3, -2, -1, 1, 1, 2)),
            hand=seed.random() < HAND, schneider=not is_null and seed.random() < HAND,
            schneider_announced=False, schwarz=False, schwarz_announced=False, ouvert=False,
            bid=seed.choice(bids[:12]), won=seed.random() < WON,
        )  # fmt: skip
        judged = judge.judge(account, None)
        if judged.found is None and len(judged.expected) == 1:
            found.append((account, judged.expected[0]))
    return found


def rows(seed: random.Random, choice: list[Game], faulty: bool) -> Iterator[list[Any]]:
    """Yield the rows of one list; a faulty one has a value or a total that is wrong."""
    totals: list[Amount] = [0] * SEATS
    wrong = seed.randrange(DEALS) if faulty else -1
    for number in range(DEALS):
        dealer = number % SEATS + 1
        if number != wrong and seed.random() < PASSED_IN:
            yield [number + 1, dealer, *[""] * 12, *totals]
            continue
        account, score = seed.choice(choice)
        player = seed.randrange(SEATS)
        totals[player] += score
        if number == wrong:
            # either the value is wrong and the totals go on from it, or the addition is
            slip = seed.choice((-10, 1, 10, 100))
            totals[player] += slip
            score += slip * seed.randrange(2)
        side = "" if account.matadors is None else "with" if account.matadors > 0 else "without"
        flags = (account.hand, account.schneider, False, False, False, False)
        yield [
            number + 1, dealer, player + 1, account.contract,
            f"{side} {abs(account.matadors or 0)}" if side else "",
            *("x" if one else "" for one in flags), account.bid,
            "won" if account.won else "lost", score, *totals,
        ]  # fmt: skip


def make(folder: Path, lists: int, faulty: float) -> None:
    """Write a season below a folder."""
    seed = random.Random(SEED)
    choice = games(seed, 3000)
    names = [f"Player {number:04}" for number in range(PLAYERS)]
    event = 0
    while lists:
        event += 1
        for name in ROUNDS:
            place = folder / f"event-{event:03}" / f"round-{name}"
            place.mkdir(parents=True, exist_ok=True)
            seated = seed.sample(names, TABLES * SEATS)
            for table in range(min(TABLES, lists)):
                lines: list[Sequence[Any]] = [
                    ["event", f"Event {event}"], ["round", name], ["table", table + 1],
                    ["players", *seated[table * SEATS : (table + 1) * SEATS]], COLUMNS,
                    *rows(seed, choice, seed.random() < faulty),
                ]  # fmt: skip
                text = "".join(";".join(map(str, line)) + "\n" for line in lines)
                (place / f"table-{table + 1:03}.csv").write_text(text, encoding="utf-8")
                lists -= 1


def measured(folder: str, processes: int | None) -> dict[str, float]:
    """Check a season in this process and its workers, and return what it took and came to."""
    begin = time.perf_counter()
    options = Options(load_rules(RULES), processes=processes)
    with run([folder], options) as season:
        checked = time.perf_counter() - begin
        places = season.standings.table()
        effects = sum(len(ways) for one in season.disputed() for _, ways in one.effects)
        return {
            "lists": season.standings.lists, "players": len(places),
            "with errors": season.with_errors, "corrections": effects,
            "checked, s": checked, "with effects, s": time.perf_counter() - begin,
            "parent, CPU s": memory.spent(children=False),
            "workers, CPU s": memory.spent(children=True),
            "parent, MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "largest worker, MiB": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
        }  # fmt: skip


def profiled(folder: str) -> None:
    """Print where the time goes, in one process."""
    profile = cProfile.Profile()
    profile.runcall(measured, folder, 1)
    for order in ("tottime", "cumulative"):
        pstats.Stats(profile).sort_stats(order).print_stats(30)


def main() -> None:
    """Make seasons and measure them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", default="2000,20000")
    parser.add_argument("--faulty", type=float, default=0.05)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--measure", metavar="DIR", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(measured(asked.measure, asked.processes)))
        return
    with tempfile.TemporaryDirectory() as made:
        for lists in map(int, asked.lists.split(",")):
            folder = (asked.keep or Path(made)) / f"season-{lists}"
            if not folder.exists():
                make(folder, lists, asked.faulty)
            if asked.profile:
                profiled(str(folder))
                continue
            command = [sys.executable, "-m", "benchmarks.lists", "--measure", str(folder)]
            command += ["--processes", str(asked.processes)] if asked.processes else []
            ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            print(
                "   ".join(f"{key} {value:,.5g}" for key, value in json.loads(ran.stdout).items())
            )


if __name__ == "__main__":
    main()
