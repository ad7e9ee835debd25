"""When an answer agrees with a case, and how far."""

from __future__ import annotations

from typing import Any

import pytest

from skatspec.conformance.agreement import Agreement, agreement

WRONG = {"verdict": "contradicted", "codes": ["P004"], "step": 17, "line": 20}


def checked(least: str = "verdict", **said: Any) -> Agreement:
    return agreement("check", WRONG, said, least)


def test_a_check_agrees_up_to_the_level_that_it_says() -> None:
    assert checked(verdict="contradicted") == Agreement(True, "verdict", "position")
    assert checked(verdict="contradicted", step=17).level == "step"
    assert checked(verdict="contradicted", step=17, codes=["P004"]).level == "code"
    assert checked(**WRONG) == Agreement(True, "position", "position")


def test_a_check_is_held_to_what_it_says() -> None:
    found = checked(verdict="contradicted", codes=["P001"])
    assert (found.passed, found.level) == (False, "verdict")
    assert found.differs == ('codes: ["P004"] expected, ["P001"] said',)
    assert not checked(verdict="contradicted", step=17, codes=["P004"], line=21).passed
    assert not checked(verdict="contradicted", codes=["P004", "S001"]).passed


def test_a_level_above_a_gap_does_not_count() -> None:
    found = checked(verdict="contradicted", codes=["P004"], line=20)
    assert (found.passed, found.level) == (True, "verdict")


@pytest.mark.parametrize(("least", "passed"), [("verdict", True), ("step", True), ("code", False)])
def test_a_least_level_can_be_asked_for(least: str, passed: bool) -> None:
    found = checked(least, verdict="contradicted", step=17)
    assert found.passed is passed


def test_no_more_is_asked_than_a_case_can_show() -> None:
    expect = {"verdict": "consistent", "codes": []}
    found = agreement("check", expect, {"verdict": "consistent", "codes": []}, "position")
    assert found == Agreement(True, "code", "code")


def test_another_verdict_is_no_agreement_at_all() -> None:
    found = checked(**(WRONG | {"verdict": "consistent"}))
    assert (found.passed, found.level) == (False, "")


def test_notes_must_be_there_if_any_are_said() -> None:
    expect = {"verdict": "consistent", "codes": [], "notes": ["P007"]}
    said = {"verdict": "consistent", "codes": []}
    assert agreement("check", expect, said).passed
    assert agreement("check", expect, said | {"notes": ["S019", "P007"]}).passed
    assert not agreement("check", expect, said | {"notes": ["S019"]}).passed


SETTLED = {"value": 40, "won": False, "score": -80, "overbid": True}


def test_a_settlement_is_equal_or_it_is_not() -> None:
    assert agreement("settle", SETTLED, SETTLED | {"why": "more may be said"}).passed
    assert not agreement("settle", SETTLED, SETTLED | {"score": 80}).passed
    assert not agreement("settle", SETTLED, {"value": 40}).passed
    assert not agreement("settle", SETTLED, SETTLED | {"verdict": "undetermined"}).passed


def test_true_is_not_one() -> None:
    assert not agreement("settle", SETTLED, SETTLED | {"overbid": 1}).passed
    assert not agreement("legal", {"winner": 1, "points": 0}, {"winner": True, "points": 0}).passed
    rows = {"verdict": "undetermined", "admissible": [SETTLED, SETTLED | {"value": 50}]}
    other = {**rows, "admissible": [SETTLED, SETTLED | {"value": 50, "won": 0}]}
    assert agreement("settle", rows, rows).passed
    assert not agreement("settle", rows, other).passed


def test_the_order_of_sets_says_nothing_and_that_of_lists_does() -> None:
    cards = {"cards": ["C7", "S7"]}
    assert agreement("legal", cards, {"cards": ["S7", "C7"]}).passed
    assert not agreement("legal", cards, {"cards": ["S7", "S7"]}).passed
    assert not agreement("legal", cards, {"cards": ["S7", "C7", "C7"]}).passed
    assert not agreement("perft", {"counts": [10, 20]}, {"counts": [20, 10]}).passed


NONSENSE: list[Any] = [
    None,
    0,
    1.5,
    True,
    "",
    "P004",
    [],
    [[]],
    [{}],
    {},
    {"a": [None]},
    [["P004"]],
]


@pytest.mark.parametrize("key", ["verdict", "codes", "step", "line", "notes"])
def test_nonsense_in_an_answer_is_never_an_agreement_and_never_an_error(key: str) -> None:
    expect = WRONG | {"notes": ["P007"]}
    for said in NONSENSE:
        found = agreement("check", expect, expect | {key: said})
        assert found.passed is (said is None and key != "verdict"), (key, said)
    for said in NONSENSE:
        for name, right in SETTLED.items():
            assert agreement("settle", SETTLED, SETTLED | {name: said}).passed is (said is right)
