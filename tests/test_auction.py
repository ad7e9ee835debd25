"""Bidding: who speaks when, which values there are, and who plays at what.

Rules of ISkO 3.3 (read: ISkO 2015 3.3.1, 3.3.2, 3.3.8), and where `ledger` and the server
differ. Every B code is raised at least once.
"""

from __future__ import annotations

import pytest

from skatspec.check import Report, check
from skatspec.diagnostics import Verdict
from skatspec.engine import auction
from skatspec.engine.auction import AuctionOutcome
from skatspec.record import (
    FOREHAND,
    HAND,
    MIDDLEHAND,
    NO_NUMBER,
    PASSED,
    REARHAND,
    AuctionEnd,
    Bid,
    Declare,
    PickUp,
    Record,
    Resign,
    Result,
    Step,
)
from skatspec.rules import load_rules
from tests.gamegen import calls_of, deal_of, plays_of
from tests.judge import PROFILES

DEAL = deal_of(
    "CJ SJ HA HT HK HQ CA CT S7 D9",
    "HJ H9 H8 CK CQ SA ST SK DA D8",
    "DJ H7 C9 C8 C7 SQ S9 S8 DT DK",
    "DQ D7",
)


def bidding(text: str, profile: str = "isko") -> AuctionOutcome:
    return auction.run(load_rules(profile).tables, calls_of(text))


def checked(*steps: Step, profile: str = "isko", result: Result | None = None) -> Report:
    return check(Record((), DEAL, steps, result), load_rules(profile))


def fault(text: str, profile: str = "isko") -> tuple[str, int]:
    """Return code and step of the fault in an auction that must have one."""
    found = bidding(text, profile).fault
    assert found is not None and found.expected, text
    return found.code, found.step


# --- who speaks -------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["F18", "R18", "Fp", "Rp", "Fy"])
def test_middlehand_speaks_first(call: str) -> None:
    assert fault(call) == ("B003", 1)


def test_middlehand_speaks_to_forehand_then_rearhand_to_the_survivor() -> None:
    came_to = bidding("M18 Fy M20 Fp R22 My R23 My Rp")
    assert (came_to.declarer, came_to.bid, came_to.fault) == (MIDDLEHAND, 23, None)


def test_rearhand_does_not_speak_before_one_of_the_others_has_passed() -> None:
    assert fault("M18 Fy R20") == ("B003", 3)


def test_rearhand_opens_from_18_when_middlehand_passed_at_once() -> None:
    # U25 of the public reports: the third player could not bid after a pass
    came_to = bidding("Mp R18 Fp")
    assert (came_to.declarer, came_to.bid) == (REARHAND, 18)


def test_forehand_does_not_raise_but_holds_or_passes() -> None:
    assert fault("M18 F20") == ("B007", 2)


def test_nobody_holds_where_nothing_was_bid() -> None:
    assert fault("My") == ("B007", 1)
    assert fault("M18 Fy My") == ("B007", 3)


def test_the_survivor_plays_at_the_last_value_called_or_held() -> None:
    assert bidding("M18 Fy M20 Fy Mp R22 Fy Rp").bid == 22
    assert bidding("M18 Fy M20 Fp Rp").bid == 20
    assert bidding("Mp R18 Fy R24 Fp").declarer == REARHAND


def test_a_pass_is_irrevocable() -> None:
    # ISkO 2015 3.3.8
    assert fault("Mp M18") == ("B004", 2)
    assert fault("M18 Fp F20") == ("B004", 3)


# --- values -----------------------------------------------------------------------------


def test_jumps_are_legal() -> None:
    # ISkO 2015 3.3.2
    came_to = bidding("M18 Fy M60 Fy M264 Fp Rp")
    assert (came_to.declarer, came_to.bid) == (MIDDLEHAND, 264)


@pytest.mark.parametrize("value", [0, 1, 17, 19, 25, 34, 37, 171, 189, 190, 263, 265, 10**40])
def test_what_no_game_can_be_worth_is_no_bid(value: int) -> None:
    # 25 is an example bid in one published text, and an error there
    assert fault(f"M{value}") == ("B001", 1)


@pytest.mark.parametrize("value", [-18, NO_NUMBER])
def test_what_is_no_number_is_no_bid(value: int) -> None:
    found = auction.run(load_rules("isko").tables, [Bid(MIDDLEHAND, value)]).fault
    assert found is not None and found.code == "B001"


def test_a_bid_must_be_higher_than_the_last_and_the_next_value_is_named() -> None:
    found = bidding("M20 Fy M20").fault
    assert found is not None and found.code == "B002"
    assert found.expected == "at least 22"
    assert fault("M20 Fp R18") == ("B002", 3)


def test_nothing_is_higher_than_264() -> None:
    found = bidding("M264 Fy M264").fault
    assert found is not None
    assert (found.code, found.expected) == ("B002", "pass, no value is left")


@pytest.mark.parametrize("value", [171, 189, 190])
def test_iss_accepts_171_189_190(value: int) -> None:
    # the server's table holds them although no game reaches them
    for profile in ("iss", "iss-client"):
        assert bidding(f"M{value} Fp Rp", profile).bid == value
    for profile in ("isko", "isko-2015", "ledger"):
        assert fault(f"M{value}", profile) == ("B001", 1)


@pytest.mark.parametrize("value", [170, 191, 499, 501])
def test_iss_accepts_no_other_number(value: int) -> None:
    expected = None if value in load_rules("isko").tables.bid_ok else "B001"
    found = bidding(f"M{value} Fp Rp", "iss").fault
    assert (found.code if found else None) == expected


# --- forehand alone ---------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_forehand_may_still_play_at_18_when_both_passed(profile: str) -> None:
    came_to = bidding("Mp Rp F18", profile)
    assert (came_to.declarer, came_to.bid, came_to.fault) == (FOREHAND, 18, None)


def test_isko_lets_forehand_say_more_than_18() -> None:
    assert bidding("Mp Rp F36").bid == 36
    assert bidding("Mp Rp F36", "iss").bid == 36


def test_ledger_lets_forehand_say_exactly_18() -> None:
    found = bidding("Mp Rp F20", "ledger").fault
    assert found is not None
    assert (found.code, found.expected) == ("B001", "a value such as 18")


@pytest.mark.parametrize("profile", PROFILES)
def test_forehand_who_declares_without_a_word_has_bid_18(profile: str) -> None:
    # U24: forehand's 18 is missing when both others pass
    report = checked(*calls_of("Mp Rp"), Declare(FOREHAND, "hearts", HAND), profile=profile)
    assert report.verdict is Verdict.CONSISTENT
    assert (report.bid, report.declarer) == (18, "F")


@pytest.mark.parametrize("seat", [MIDDLEHAND, REARHAND])
def test_nobody_but_forehand_declares_without_having_bid(seat: int) -> None:
    report = checked(*calls_of("Mp Rp"), Declare(seat, "hearts", HAND))
    assert [one.code for one in report.findings] == ["B006"]


def test_forehand_does_not_play_without_a_word_while_rearhand_may_still_speak() -> None:
    report = checked(*calls_of("Mp"), PickUp(FOREHAND))
    assert [(one.code, one.step) for one in report.findings] == [("B006", 2)]


# --- passed in, and after the auction ---------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_all_passed_is_a_valid_deal(profile: str) -> None:
    # ISkO 2018 3.2.16
    report = checked(*calls_of("Mp Rp Fp"), profile=profile, result=Result(PASSED))
    assert report.verdict is Verdict.CONSISTENT
    assert (report.value, report.score, report.admissible) == (None, None, {})


def test_a_deal_passed_in_does_not_go_on() -> None:
    for step in (PickUp(FOREHAND), Declare(FOREHAND, "grand", HAND), *plays_of("F CJ")):
        report = checked(*calls_of("Mp Rp Fp"), step)
        assert [(one.code, one.step) for one in report.findings] == [("B009", 4)]


def test_a_deal_passed_in_is_no_game_and_a_game_is_not_passed_in() -> None:
    passed = checked(*calls_of("Mp Rp Fp"), result=Result(score=-60))
    assert [one.code for one in passed.findings] == ["S011"]
    played = checked(
        *calls_of("M18 Fp Rp"), Declare(MIDDLEHAND, "clubs", HAND), result=Result(PASSED)
    )
    assert [one.code for one in played.findings] == ["S011"]


def test_there_is_no_call_after_the_auction() -> None:
    assert fault("M18 Fp Rp M20") == ("B005", 4)
    assert fault("Mp Rp Fp M18") == ("B005", 4)
    report = checked(*calls_of("M18 Fp Rp"), PickUp(MIDDLEHAND), *calls_of("M20"))
    assert [(one.code, one.step) for one in report.findings] == [("B005", 5)]


def test_there_is_no_call_after_a_game_has_ended() -> None:
    hand = (*calls_of("M18 Fp Rp"), Declare(MIDDLEHAND, "clubs", HAND))
    report = checked(*hand, Resign(MIDDLEHAND), *calls_of("R20"))
    assert [(one.code, one.step) for one in report.findings] == [("B005", 6)]


def test_the_declarer_is_who_won_the_auction() -> None:
    # B27 of the bad inputs
    report = checked(*calls_of("M18 Fy Mp Rp"), PickUp(MIDDLEHAND))
    assert [(one.code, one.expected) for one in report.findings] == [("B008", "forehand")]


def test_how_the_auction_came_out_may_stand_beside_its_calls_and_must_agree_with_them() -> None:
    calls = calls_of("M18 Fy M20 Fy Mp Rp")
    agrees = checked(*calls, AuctionEnd(FOREHAND, 20), PickUp(FOREHAND))
    assert (agrees.findings, agrees.declarer, agrees.bid) == ((), "F", 20)
    for end, found in (
        (AuctionEnd(FOREHAND, 22), ("B010", 7)), (AuctionEnd(MIDDLEHAND, 20), ("B008", 7)),
    ):  # fmt: skip
        report = checked(*calls, end, PickUp(FOREHAND))
        assert [(one.code, one.step) for one in report.findings] == [found]


def test_no_card_is_played_before_the_auction_has_ended() -> None:
    report = checked(*calls_of("M18 Fy"), *plays_of("F CJ"))
    assert [(one.code, one.step) for one in report.findings] == [("B006", 3)]


def test_an_auction_that_stops_in_the_middle_leaves_the_deal_open() -> None:
    report = checked(*calls_of("M18 Fy"), result=Result(PASSED))
    assert report.verdict is Verdict.UNDETERMINED


def test_a_record_may_leave_its_auction_out() -> None:
    report = checked(Declare(REARHAND, "spades", HAND))
    assert report.verdict is Verdict.CONSISTENT
    assert (report.declarer, report.bid) == ("R", None)


def test_a_deal_without_any_step_may_have_been_passed_in() -> None:
    # hiding the auction of a deal passed in does not contradict it
    assert checked(result=Result(PASSED)).verdict is Verdict.UNDETERMINED
    assert checked().verdict is Verdict.CONSISTENT


# --- one fault a record -----------------------------------------------------------------


def test_a_replay_of_calls_stops_at_the_first_fault() -> None:
    report = checked(*calls_of("M25 F19 R0 M18"))
    assert [(one.code, one.step) for one in report.findings] == [("B001", 1)]


def test_a_fault_names_its_rule_with_the_edition() -> None:
    report = checked(*calls_of("M20 Fy M18"))
    assert report.findings[0].rule.startswith("ISkO 2022 3.3")
    report = checked(*calls_of("M20 Fy M18"), profile="isko-2015")
    assert report.findings[0].rule.startswith("ISkO 2015 3.3")
