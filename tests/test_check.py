"""What a record's own statements are worth: results without a game, without cards, and why a
wrong one is wrong."""

from __future__ import annotations

import pytest

from skatspec.check import Report, check
from skatspec.diagnostics import Verdict
from skatspec.formats import skat
from skatspec.rules import load_rules


def checked(body: str, rules: str = "isko") -> Report:
    return check(skat.parse("%skat 1\n" + body), load_rules(rules))


SHEET = """auction
  F 18
contract
  F takes the skat, clubs
result
  F {}
""".replace("F 18", "M 18, F yes, M pass, R pass")


@pytest.mark.parametrize("said", ["won 17", "won 25", "won 271", "lost 25", "lost 52"])
def test_a_score_that_no_game_can_have_contradicts_a_record_without_a_game(said: str) -> None:
    report = checked(f"result\n  F {said}\n")
    assert report.verdict is Verdict.CONTRADICTED
    assert [one.code for one in report.findings] == ["S018"]


@pytest.mark.parametrize("said", ["won 24", "won 264", "lost 48", "lost 540", "won 23, points 4"])
def test_a_possible_score_without_a_game_is_left_open(said: str) -> None:
    report = checked(f"result\n  F {said}\n")
    assert report.verdict is Verdict.UNDETERMINED


def test_a_result_that_states_nothing_contradicts_nothing() -> None:
    assert checked("result\n  unknown\n").verdict is Verdict.CONSISTENT


def test_figures_of_a_sheet_without_cards_are_its_own_account() -> None:
    assert checked(SHEET.format("won 24, points 65, with 1")).verdict is Verdict.CONSISTENT
    assert checked(SHEET.format("won 36, points 65, with 1")).verdict is Verdict.CONTRADICTED
    assert checked(SHEET.format("won 24, points 65")).verdict is Verdict.UNDETERMINED


def test_matadors_are_never_believed_where_cards_could_tell() -> None:
    deal = "deal\n  M: CA CK CQ C9 C8 C7 HA HK HQ H9\n"
    report = checked(deal + SHEET.format("won 24, points 65, with 1"))
    assert report.verdict is Verdict.UNDETERMINED
    assert 1 in report.admissible["matadors"]


def test_an_overbid_game_recorded_as_won_names_the_rule_of_overbidding() -> None:
    body = SHEET.replace("M 18", "M 48").format("won 24, points 65, with 1")
    report = checked(body)
    codes = {one.code: one for one in report.findings}
    assert set(codes) == {"S001", "S004"}
    assert "3.6" in codes["S004"].rule
    assert "bid 48 not covered" in codes["S004"].message


def test_a_lost_hand_game_cost_single_before_1999() -> None:
    body = SHEET.replace("takes the skat, clubs", "clubs hand").format(
        "lost {}, points 40, tricks 4, with 1"
    )
    assert checked(body.format(36), "isko-pre-1999").verdict is Verdict.CONSISTENT
    assert checked(body.format(72), "isko-pre-1999").verdict is Verdict.CONTRADICTED
    assert checked(body.format(72)).verdict is Verdict.CONSISTENT
    assert checked(body.format(36)).verdict is Verdict.CONTRADICTED
