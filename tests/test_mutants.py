"""The mutation matrix: every rule of the game has cases that notice when it is changed.

For each tag of `records/TAGS.yaml` an engine with that one rule changed is run over the whole
suite. It fails exactly the cases that carry the tag.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from skatspec import resources
from skatspec.conformance.agreement import POSITION
from skatspec.conformance.cases import load_suite
from skatspec.conformance.runner import Options, run
from skatspec.engine import perft, play, replay
from skatspec.record import Declare
from skatspec.rules import available, load_rules
from tests.mutants import MUTANTS
from tests.mutants_matrix import Matrix, Mutant, Patch, applied
from tests.tag_cases import ENOUGH, catalogue, with_tags

SUITE = load_suite()
RULES = catalogue(resources.locate("records"))
ENGINE = Path(__file__).with_name("engines") / "changed_rule.py"
# The changed rules that are also run as engines of their own, through the runner.
AS_ENGINES = (
    "schwarz-needs-no-trick", "matadors-with-the-skat", "missed-level-charged", "jacks-are-trumps",
    "overbid-smallest-multiple",
)  # fmt: skip


@cache
def matrix() -> Matrix:
    return Matrix.of(SUITE.cases, MUTANTS)


@cache
def tagged(tag: str) -> frozenset[str]:
    return frozenset(case.id for case in SUITE.cases if tag in case.tags)


# --- the catalogue ----------------------------------------------------------------------


def test_every_rule_has_a_mutant_and_every_mutant_a_rule() -> None:
    assert set(RULES) == set(MUTANTS)
    assert all(mutant.tag == tag for tag, mutant in MUTANTS.items())


def test_a_rule_is_cited_as_a_profile_or_a_case_of_it_does() -> None:
    sources = [load_rules(name).profile.data["sources"] for name in available()]
    cited = {text for one in sources for text in one.values()}
    for tag, row in RULES.items():
        cases = {case.rule for case in SUITE.cases if tag in case.tags}
        assert row["rule"] in cited | cases, tag


@pytest.mark.parametrize("tag", RULES)
def test_a_rule_has_cases_enough_or_says_why_not(tag: str) -> None:
    few = len(tagged(tag)) < ENOUGH
    assert few == bool(RULES[tag].get("few")), (len(tagged(tag)), sorted(tagged(tag)))
    assert tagged(tag)


# --- the matrix -------------------------------------------------------------------------


def test_the_right_engine_fails_nothing() -> None:
    assert not matrix().failing


@pytest.mark.parametrize("tag", MUTANTS)
def test_a_changed_rule_fails_exactly_the_cases_with_its_tag(tag: str) -> None:
    noticed = matrix().noticed_by(tag)
    assert sorted(noticed - tagged(tag)) == [], "these notice it and have not its tag"
    assert sorted(tagged(tag) - noticed) == [], "these have its tag and do not notice it"


@cache
def fifth() -> Matrix:
    return Matrix.of(SUITE.cases[::5], MUTANTS)


@pytest.mark.parametrize(
    "tag",
    [
        "missed-level-charged",  # a field of the tables
        "base-value-clubs",  # a place of one
        "bid-values",  # what a set of values is asked for
        "ramsch-march",  # a key of a variant
        "won-before-the-offence",  # a function
        "list-own-game-won",  # one that is imported elsewhere
    ],
)
def test_a_run_that_reads_nothing_changed_goes_the_same_way(tag: str) -> None:
    """One mutant of each kind that a footprint knows, over a fifth of the suite in full."""
    assert fifth().noticed_by(tag, everything=True) == fifth().noticed_by(tag)


def test_a_mutant_leaves_nothing_behind() -> None:
    """A function is changed wherever it is known, tables by any name; both come back."""
    settings = ("winning.schneider=29",)
    right = [load_rules("isko").tables, load_rules("isko", settings).tables]
    places = [(play, "winner"), (perft, "winner"), (replay._TAKERS, Declare)]
    functions = [_at(*place) for place in places]
    mutant = Mutant("", MUTANTS["win-at-61"].tables, (
        Patch("skatspec.engine.play:winner", lambda function: _other),
        Patch("skatspec.engine.declaration:declare", lambda function: _other),
    ))  # fmt: skip
    with applied(mutant):
        assert [_at(*place) for place in places] == [_other] * 3
        now = [load_rules("isko").tables, load_rules("isko", settings).tables]
        assert [one.win_points for one in now] == [one.win_points - 1 for one in right]
    assert [_at(*place) for place in places] == functions
    assert [load_rules("isko").tables, load_rules("isko", settings).tables] == right


def _at(holder: Any, name: Any) -> Any:
    return holder[name] if isinstance(holder, dict) else getattr(holder, name)


def _other() -> None:
    """Stand for a changed function."""


# --- through the runner -----------------------------------------------------------------


@pytest.mark.parametrize("tag", AS_ENGINES)
def test_an_engine_with_a_changed_rule_fails_exactly_its_cases(tag: str) -> None:
    """Asked are the cases that the rule touches, and every tenth of the others."""
    touched = {one.case.id for one in matrix().touched_by(tag)}
    others = [case.id for case in SUITE.cases if case.id not in touched]
    asked = [case for case in SUITE.cases if case.id in touched.union(others[::10])]
    outcome = run([sys.executable, str(ENGINE), tag], asked, Options(least=POSITION))
    failed = {row.case.id: row for row in outcome.rows if row.status == "failed"}
    assert set(failed) == tagged(tag)
    assert outcome.counts["passed"] == len(asked) - len(failed)
    assert not outcome.is_green
    for row in failed.values():
        assert {one.code for one in row.replies if one.status == "failed"} == {"C013"}


# --- writing tags -----------------------------------------------------------------------

A_CASE = """\
# one case
id: a-case
tags: [suit, "null"]   # topics
input: {bid: 18, tags: [left, as, they, are]}
note: >-
  Its tags: [are] not these.
"""


def test_only_the_tags_of_a_case_are_written() -> None:
    written = with_tags(A_CASE, ["suit", "null", "win-at-61"])
    assert written == A_CASE.replace('[suit, "null"]', '[suit, "null", win-at-61]')


def test_long_tags_are_broken_into_lines() -> None:
    tags = [f"tag-number-{number}" for number in range(30)]
    written = with_tags(A_CASE.replace("\n", "\r\n"), tags)
    assert yaml.safe_load(written)["tags"] == tags
    assert all(len(line) <= 110 for line in written.split("\n"))


def test_tags_that_are_no_list_in_brackets_are_refused() -> None:
    for text in (A_CASE.replace('[suit, "null"]', "\n  - suit"), "tags: suit", "- tags"):
        with pytest.raises(ValueError, match="brackets"):
            with_tags(text, ["suit"])
