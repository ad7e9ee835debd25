"""Lists of whole evenings against a second reading of the rules: right ones, and one cell off.

The evenings are generated (tests/evenings.py), their values come from tests/oracle.py, their
sums from tests/evenings_list.py; whether a falsified list is wrong at all is said there too.
`python -m tests.evenings --seeds N` runs more of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from skatspec import rules
from skatspec.diagnostics import Verdict
from tests.evenings_false import Falsified, Found, broken
from tests.evenings_list import Grid, faults
from tests.evenings_reading import HOUSES
from tests.evenings_run import check, errors, open_rows, random_evening, tried

RIGHT = range(6)
# A seed a profile, so that all kinds come up somewhere.
FALSIFIED = {house: (number,) for number, house in enumerate(HOUSES)}


def test_every_profile_has_its_evenings():
    profiles = Path(rules.__file__).parent / "profiles"
    assert {path.stem for path in profiles.glob("*.yaml")} == set(HOUSES)


@pytest.mark.parametrize("house", HOUSES)
def test_a_right_evening_has_no_error_and_is_open_only_where_its_entries_are(house):
    for seed in RIGHT:
        grid = random_evening(seed, house)
        assert faults(grid) == []
        report = check(grid)
        assert errors(report) == [], seed
        assert len(report.open_deals) == open_rows(grid), seed
        is_open = Verdict.UNDETERMINED if open_rows(grid) else Verdict.CONSISTENT
        assert report.verdict is is_open


@pytest.mark.parametrize("house", HOUSES)
def test_one_thing_falsified_is_named_where_it_stands_or_changes_nothing(house):
    made = [one for seed in FALSIFIED[house] for one in tried(seed, house)]
    assert [str(one) for one in made if one.broken] == []
    assert sum(one.outcome == "found" for one in made) > 30


def test_the_law_knows_what_breaks_it():
    """A missed fault, an alarm, a wrong place and a fault named twice are each told apart."""
    right = random_evening(1, "isko")
    wrong = _with_value_off(right)
    line = right.line(0)
    here, there = Found("L030", line), Found("L040", line + 1)

    def said(grid: Grid, *named: Found) -> str:
        return broken(Falsified("", grid, line, frozenset((line,)), ""), list(named))

    assert said(wrong, here) == ""
    assert said(right) == ""
    assert said(wrong) == "missed"
    assert said(right, here) == "alarm"
    assert said(wrong, there) == "elsewhere"
    assert said(wrong, here, there) == "spread"


def _with_value_off(grid: Grid) -> Grid:
    rows = [dict(row) for row in grid.rows]
    rows[next(at for at, row in enumerate(rows) if row["declarer"])]["value"] = "7"
    return Grid(**{**vars(grid), "rows": rows})
