"""Holds every answer of the compiled kernel to fuzzed lines against the scalar engine.

Run from the repository: `python -m benchmarks.fuzz_kernel [--lines N] [--seed S]
[--rules NAME[,KEY=VALUE...]]... [--more FILE...]`. The seeds are generated; `--more` adds the
records of ISS files. Without `--rules` half of the lines are checked by `iss`, a tenth each by
`iss-client`, `isko`, `ledger` and `browser`, and a tenth by rules with a single key changed.

A line that the kernel takes must be consistent without a finding and have the same figures; a
line with a code must have that code for its weightiest finding, at the same byte. Whatever
differs is printed with both answers, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.fuzz_lines import blocks, seeds
from skatspec.archive.claims import figures, weightiest
from skatspec.archive.kernel.decide import CODES, CONSISTENT, NOT_MINE, Kernel, fits
from skatspec.check import Report, check
from skatspec.diagnostics import Verdict
from skatspec.errors import SkatspecError
from skatspec.formats import iss
from skatspec.formats.lines import from_text
from skatspec.rules import Rules, available, load_rules
from skatspec.rules.profile import plain

SHARES = {"iss": 0.5, "iss-client": 0.1, "isko": 0.1, "ledger": 0.1, "browser": 0.1}
BLOCK = 1000
GAMES = 3000
# So many lines are checked by each rule set of which one key was changed.
A_SETTING = 500
_NO_RULES = ("name", "title", "edition", "language", "deviations", "sources", "switches", "match",
             "extends", "variants")  # fmt: skip


def told(line: bytes, rules: Rules) -> list[Report]:
    """Return what the scalar engine says of the records in a line."""
    return [check(one, rules) for one in iss.read(from_text(line.decode("latin-1")))]


def differs(line: bytes, status: int, at: int, numbers: list[int], rules: Rules) -> str:
    """Return how the two engines differ over a line, empty where they agree."""
    reports = told(line, rules)
    if len(reports) != 1:
        return f"{len(reports)} records"
    report = reports[0]
    heaviest = weightiest(report)
    place = -1 if heaviest is None else heaviest.column - 1
    if status == CONSISTENT:
        same = report.verdict is Verdict.CONSISTENT and heaviest is None
        same = same and list(figures(report)) == numbers
        said = f"consistent {numbers}"
    else:
        same = heaviest is not None and (heaviest.code, place) == (CODES[status], at)
        same = same and heaviest is not None and heaviest.line == 1
        said = f"{CODES[status]} at {at}"
    if same:
        return ""
    found = [(one.code, one.severity.value, one.line, one.column - 1) for one in report.findings]
    return f"kernel: {said}; scalar: {report.verdict.value} {list(figures(report))} {found}"


def held(data: bytes, kernel: Kernel, rules: Rules, counts: Counter[str]) -> list[str]:
    """Hold every answer over a block against the scalar engine; return the differences."""
    found, wrong = kernel.decide(data), []
    counts["lines"] += found.lines
    for at, status in enumerate(found.status.tolist()):
        if status == NOT_MINE:
            counts["handed on"] += 1
            continue
        counts["taken" if status == CONSISTENT else "coded"] += 1
        if status != CONSISTENT:
            counts[CODES[status]] += 1
        begin = int(found.begin[at])
        line = data[begin : int(found.end[at])]
        place = int(found.error_at[at]) - begin
        difference = differs(line, status, place, found.figures[at].tolist(), rules)
        if difference:
            counts["wrong"] += 1
            wrong.append(f"{rules.name}\n{line!r}\n{difference}")
    return wrong


def leaves(data: Any, path: tuple[str, ...] = ()) -> list[tuple[str, Any]]:
    """Return the keys of a profile, dotted, with their values."""
    if not isinstance(data, dict):
        return [(".".join(path), data)]
    return [leaf for key, value in data.items() for leaf in leaves(value, (*path, key))]


def single_keys(chance: random.Random, count: int) -> list[Rules]:
    """Return rules that the kernel knows with one key changed to what another profile has."""
    known: dict[str, list[Any]] = {}
    for name in available():
        for key, value in leaves(plain(load_rules(name).profile.data)):
            if key.split(".")[0] not in _NO_RULES:
                known.setdefault(key, [])
                if value not in known[key]:
                    known[key].append(value)
    made: dict[str, Rules] = {}
    for _ in range(count * 50):
        if len(made) >= count:
            break
        section = chance.choice(sorted({key.split(".")[0] for key in known}))
        key = chance.choice(sorted(key for key in known if key.split(".")[0] == section))
        value = chance.choice(known[key])
        if isinstance(value, bool):
            value = not value
        elif isinstance(value, int):
            value = chance.choice((*known[key], value + 1, max(value - 1, 0), 0, 1, 2, 31, 62, 90))
        text = str(value).replace("None", "null").replace("'", "")
        try:
            rules = load_rules(chance.choice(sorted(SHARES)), (f"{key}={text}",))
        except SkatspecError:
            continue
        if fits(rules):
            made[rules.profile.digest] = rules
    return list(made.values())


def plan(asked: argparse.Namespace, chance: random.Random) -> list[tuple[str, list[Rules], int]]:
    """Return rows of the table: a name, the rules of it, and how many lines they get together."""
    if asked.rules:
        share = asked.lines // len(asked.rules)
        rows = [(text, text.split(",")) for text in asked.rules]
        return [(text, [load_rules(name, tuple(keys))], share) for text, (name, *keys) in rows]
    rows_of = [(name, [load_rules(name)], round(asked.lines * part))
               for name, part in SHARES.items()]  # fmt: skip
    left = asked.lines - sum(count for _, _, count in rows_of)
    changed = single_keys(chance, max(1, left // A_SETTING))
    return [*rows_of, ("one key changed", changed, left)]


def lines_of(files: list[Path]) -> list[bytes]:
    """Return the lines of files that begin a record."""
    found = [line for file in files for line in file.read_bytes().splitlines()]
    return [line for line in found if line.startswith(b"(;")]


def run(asked: argparse.Namespace) -> int:
    """Fuzz, print the table, and return the number of differences."""
    chance = random.Random(asked.seed)
    more, wrong = lines_of(asked.more), 0
    print(f"{'rules':20} {'lines':>9} {'taken':>8} {'coded':>8} {'handed on':>9} {'wrong':>6}")
    total: Counter[str] = Counter()
    for name, all_rules, lines in plan(asked, chance):
        counts: Counter[str] = Counter()
        base = [load_rules("iss"), load_rules("isko")] if len(all_rules) > 1 else all_rules
        pool = [line for rules in base for line in seeds(rules, GAMES // len(base), asked.seed)]
        if more:
            pool += chance.sample(more, min(len(more), len(pool)))
        for at, rules in enumerate(all_rules):
            share = lines * (at + 1) // len(all_rules) - lines * at // len(all_rules)
            kernel = Kernel(rules)
            for data in blocks(chance, pool, rules, share, BLOCK):
                for one in held(data, kernel, rules, counts):
                    print(one, flush=True)
        wrong += counts["wrong"]
        total += counts
        show(name, counts)
    show("all", total)
    codes = sorted(code for code in total if code in CODES)
    print("codes: " + ", ".join(f"{code} {total[code]}" for code in codes))
    return wrong


def show(name: str, counts: Counter[str]) -> None:
    """Print a row of the table."""
    print(
        f"{name:20} {counts['lines']:9} {counts['taken']:8} {counts['coded']:8}"
        f" {counts['handed on']:9} {counts['wrong']:6}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", action="append", metavar="NAME[,KEY=VALUE...]")
    parser.add_argument("--more", type=Path, nargs="*", default=[])
    asked = parser.parse_args()
    begin = time.perf_counter()
    wrong = run(asked)
    print(f"{wrong} differences, {time.perf_counter() - begin:.0f} s")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
