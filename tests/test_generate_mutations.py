"""Single faults: each kind is one, shows as one where it must, and says so only when asked."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from skatspec.check import check
from skatspec.conformance.generator.generate import Generated, games
from skatspec.conformance.generator.mutations import MUTATIONS
from skatspec.diagnostics import Verdict
from skatspec.formats import iss
from skatspec.formats.lines import from_text
from skatspec.rules import load_rules
from tests.clirun import Skatspec, skatspec

__all__ = ["skatspec"]

CERTAIN = {kind.name for kind in MUTATIONS if kind.certain}
WRONG = (Verdict.CONTRADICTED, Verdict.UNREADABLE)
PAGE = Path(__file__).parents[1] / "docs" / "generate.md"


@cache
def mutated(rules: str, count: int) -> tuple[Generated, ...]:
    return tuple(games(load_rules(rules), count, 31, mutate=1.0))


def verdict(rules: str, one: Generated) -> Verdict | None:
    """Return what the checker says of the first record in a text, None where it finds none."""
    first = next(iter(iss.read(from_text(one.text))), None)
    return None if first is None else check(first, load_rules(rules)).verdict


@pytest.mark.parametrize("rules", ["iss", "iss-client", "isko", "ledger"])
def test_a_fault_that_is_called_certain_is_found(rules: str) -> None:
    seen: Counter[str] = Counter()
    for one in mutated(rules, 2500):
        seen[one.mutation] += 1
        if one.mutation in CERTAIN:
            assert verdict(rules, one) in WRONG, (one.mutation, one.text)
    assert len(set(seen) & CERTAIN) > len(CERTAIN) - 3


def test_every_kind_is_drawn_and_the_others_are_found_more_often_than_not() -> None:
    made = mutated("iss", 2500)
    assert {one.mutation for one in made} == {kind.name for kind in MUTATIONS}
    verdicts = Counter(verdict("iss", one) for one in made)
    assert sum(verdicts[word] for word in WRONG) > 0.85 * len(made)
    # some changes leave a record as good as it was, which no checker should deny
    assert verdicts[Verdict.CONSISTENT] > 0.03 * len(made)


def test_a_mutated_record_differs_from_the_sound_one_in_its_text() -> None:
    sound = [one.text for one in games(load_rules("iss"), 2500, 31, views=False)]
    for one in mutated("iss", 2500):
        assert one.text != sound[one.number], one.mutation


def test_the_share_of_mutated_records_is_what_was_asked_for() -> None:
    made = list(games(load_rules("iss"), 4000, 12, mutate=0.3))
    assert 0.27 < sum(bool(one.mutation) for one in made) / len(made) < 0.33
    for one in made:
        if not one.mutation:
            assert verdict("iss", one) in (Verdict.CONSISTENT, Verdict.UNDETERMINED)


def test_only_a_label_says_that_a_record_is_mutated(skatspec: Skatspec) -> None:
    args = ("conform", "generate", "--games", 60, "--mutate", 0.5, "--seed", 2)
    bare, labelled = skatspec(*args).out, skatspec(*args, "--label").out
    words = re.findall(r"^# mutation: (\S+)\n", labelled, re.MULTILINE)
    assert len(words) > 15 and set(words) <= {kind.name for kind in MUTATIONS}
    assert re.sub(r"^# mutation: .*\n", "", labelled, flags=re.MULTILINE) == bare
    assert "mutation" not in bare


def test_a_fault_in_our_own_notation_is_found_as_well() -> None:
    from skatspec.formats import skat

    for one in games(load_rules("isko"), 200, 13, form="skat", mutate=1.0):
        if one.mutation in CERTAIN:
            (record,) = skat.read(from_text(one.text))
            assert check(record, load_rules("isko")).verdict in WRONG, (one.mutation, one.text)


def test_the_page_has_a_row_for_every_kind() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|.*\| (yes|no) \|", PAGE.read_text(), re.MULTILINE)
    assert dict(rows) == {kind.name: "yes" if kind.certain else "no" for kind in MUTATIONS}
