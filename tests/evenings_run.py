"""Whole evenings through the checker of lists: right ones, and each with one thing falsified."""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from skatspec.diagnostics import Severity
from skatspec.formats.score_sheet import parse
from skatspec.rules import load_rules
from skatspec.session.checking import ListChecker
from skatspec.session.report import ListReport
from tests.evenings import evening
from tests.evenings_false import Falsified, Found, broken, falsifications
from tests.evenings_list import Grid, entry, text
from tests.evenings_reading import HOUSES, scores

OUTCOMES = ("found", "immaterial", "missed", "alarm", "elsewhere", "spread")


class Tried(NamedTuple):
    """A falsification, what the checker named, and what became of the law."""

    seed: int
    false: Falsified
    errors: list[Found]
    outcome: str

    @property
    def broken(self) -> bool:
        """Whether the checker broke the law."""
        return self.outcome not in OUTCOMES[:2]

    def __str__(self) -> str:
        grid = self.false.grid
        return (
            f"{self.outcome}: {self.false.kind}, {grid.house}, {len(grid.seats)} seats,"
            f" {grid.system}, seed {self.seed}, {self.false.said}, line {self.false.line}:"
            f" {self.errors[:4]}"
        )


@cache
def checker(house: str, system: str) -> ListChecker:
    """Return the checker for a house and a system."""
    return ListChecker(load_rules(house), system)


def check(grid: Grid) -> ListReport:
    """Return what the checker says of a list, read from its text."""
    return checker(grid.house, grid.system).check(parse(text(grid)))


def errors(report: ListReport) -> list[Found]:
    """Return the errors of a report in their order."""
    return [Found(one.code, one.line) for one in report.disputes if one.severity is Severity.ERROR]


def random_evening(seed: int, house_name: str) -> Grid:
    """Return a right list with seats and length by the seed."""
    rng = random.Random(f"{seed} {house_name}")
    house = HOUSES[house_name]
    seats = rng.choice([one for one in (3, 3, 4, 4, 5, 6, 7) if one <= house.most_seats])
    deals = seats * rng.randint(2, 4)
    if house.usual:
        deals = min(deals, house.usual.get(seats, deals))
    return evening(seed, house_name, seats, deals)


def open_rows(grid: Grid) -> int:
    """Count the rows whose entries leave several values open."""
    return sum(
        len(scores(grid.rules, entry(row), 1 + row["declarer"].count("+"))) > 1
        for row in grid.rows
        if row["declarer"]
    )


def tried(seed: int, house: str) -> Iterator[Tried]:
    """Falsify a list in every way, once each."""
    grid = random_evening(seed, house)
    for false in falsifications(random.Random(f"{seed} {house} false"), grid):
        named = errors(check(false.grid))
        outcome = broken(false, named) or ("found" if named else "immaterial")
        yield Tried(seed, false, named, outcome)


def table(all_tried: Iterable[Tried]) -> str:
    """Return the outcomes by kind."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for one in all_tried:
        kinds[one.false.kind][one.outcome] += 1
        kinds["all"][one.outcome] += 1
    lines = [f"{'kind':32}" + "".join(f"{word:>11}" for word in OUTCOMES)]
    for kind in [*sorted(kinds.keys() - {"all"}), "all"]:
        lines.append(f"{kind:32}" + "".join(f"{kinds[kind][word]:>11}" for word in OUTCOMES))
    return "\n".join(lines)


def main() -> None:
    """Run the evenings of many seeds and print the outcomes by kind, and whatever is broken."""
    parser = argparse.ArgumentParser(description="Falsify lists and look at what is said of them.")
    parser.add_argument("--seeds", type=int, default=3, help="evenings a profile")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rules", nargs="*", default=list(HOUSES), help="profiles")
    asked = parser.parse_args()
    made: list[Tried] = []
    for seed in range(asked.first, asked.first + asked.seeds):
        for house in asked.rules:
            refused = errors(check(random_evening(seed, house)))
            if refused:
                print(f"right evening refused: {house}, seed {seed}: {refused[:3]}")
            new = list(tried(seed, house))
            made += new
            for one in new:
                if one.broken:
                    print(one)
    print(table(made))
