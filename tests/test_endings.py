"""Ends before the tenth trick: giving up, timeouts, leaving, and games that are decided early.

isko: ISkO 2022 4.4.1-4.4.3, "simple" of ISkO 2015 4.1.4. The server: its records
(18358, 10327743, 10330141, 1163253) as the record format describes them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from skatspec.check import Report, check
from skatspec.diagnostics import Severity, Verdict
from skatspec.record import (
    FOREHAND,
    HAND,
    MIDDLEHAND,
    OUVERT,
    PENALTY,
    REARHAND,
    SCHNEIDER,
    SCHWARZ,
    WORLD,
    Declare,
    Discard,
    Leave,
    PickUp,
    Record,
    Resign,
    Result,
    Show,
    Step,
    Timeout,
)
from skatspec.rules import load_rules
from tests.gamegen import calls_of, cards_of, deal_of, plays_of
from tests.judge import PROFILES

DEAL = deal_of(
    "CJ SJ HA HT HK HQ CA CT S7 D9",
    "HJ H9 H8 CK CQ SA ST SK DA D8",
    "DJ H7 C9 C8 C7 SQ S9 S8 DT DK",
    "DQ D7",
)
TAKEN: tuple[Step, ...] = (
    *calls_of("M18 Fy Mp Rp"), PickUp(FOREHAND), Discard(FOREHAND, cards_of("S7 D9")),
)  # fmt: skip
HEARTS = (*TAKEN, Declare(FOREHAND, "hearts"))
OWN = "F CT CQ C7"  # 13 points for the declarer
LOST = "F DQ DA DT"  # 24 points for middlehand
BOTH = (Resign(MIDDLEHAND), Resign(REARHAND))
SERVER = ("iss", "iss-client")


def checked(*steps: Step, profile: str = "isko", result: Result | None = None) -> Report:
    return check(Record((), DEAL, steps, result), load_rules(profile))


def codes(report: Report) -> list[tuple[str, int]]:
    return [(one.code, one.step) for one in report.findings]


def figures(report: Report) -> tuple[int | None, ...]:
    """Return score, points and tricks of a record that must have no error."""
    assert report.verdict is Verdict.CONSISTENT, report.findings
    return report.score, report.points, report.tricks


# --- giving up under isko ---------------------------------------------------------------


@pytest.mark.parametrize("profile", ["isko", "ledger"])
def test_the_declarer_who_gives_up_loses_simple(profile: str) -> None:
    # ISkO 4.4.1: no Schneider or Schwarz against him, though he has no trick
    report = checked(*HEARTS, Resign(FOREHAND), profile=profile)
    assert (report.value, report.score) == (30, -60)
    report = checked(*HEARTS, *plays_of(OWN), Resign(FOREHAND), profile=profile)
    assert figures(report) == (-60, 13, 1)


@pytest.mark.parametrize("profile", ["isko", "ledger"])
@pytest.mark.parametrize("seat", [MIDDLEHAND, REARHAND])
def test_one_defender_who_gives_up_binds_both(profile: str, seat: int) -> None:
    # ISkO 4.4.3
    report = checked(*HEARTS, *plays_of(LOST), Resign(seat), profile=profile)
    assert report.score == 30
    assert codes(checked(*HEARTS, Resign(seat), *plays_of(OWN), profile=profile)) == [("P005", 9)]


def test_announced_levels_stay_in_a_game_given_up() -> None:
    # case F06: Clubs with 1, Hand, Schneider announced: 60, lost -120; here Hearts with 2
    hand = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "hearts", HAND | SCHNEIDER))
    assert checked(*hand, Resign(FOREHAND)).score == -2 * 10 * (2 + 1 + 1 + 2)
    assert checked(*hand, Resign(MIDDLEHAND)).score == 10 * (2 + 1 + 1 + 2)
    ouvert = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "hearts", OUVERT))
    assert checked(*ouvert, Resign(FOREHAND)).score == -2 * 10 * (2 + 1 + 1 + 4 + 1)


def test_whether_an_announced_level_given_away_counts_as_reached_is_not_judged() -> None:
    hand = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "hearts", HAND | SCHNEIDER))
    for flag in (True, False):
        said = Result(declarer=FOREHAND, won=True, score=60, schneider=flag)
        assert checked(*hand, Resign(MIDDLEHAND), result=said).verdict is Verdict.CONSISTENT


def test_overbid_rounding_stays_in_a_game_given_up() -> None:
    # case F05: overbid Diamonds at 22, given up: 27, -54; here Hearts, with 2, at 33
    overbid = (*calls_of("M33 Fy Mp Rp"), *HEARTS[4:])
    assert checked(*overbid, Resign(FOREHAND)).score == -80
    assert checked(*overbid, Resign(MIDDLEHAND)).score == -80, "lost, whoever gives up"


def test_a_null_given_up_is_lost_or_won_at_its_value() -> None:
    null = (*TAKEN, Declare(FOREHAND, "null"))
    for profile in PROFILES:
        assert checked(*null, Resign(FOREHAND), profile=profile).score == -46
        assert checked(*null, *BOTH[: 1 + (profile in SERVER)], profile=profile).score == 23


def test_a_game_given_up_says_so() -> None:
    said = Result(declarer=FOREHAND, won=False, score=-60, resigned=True)
    assert checked(*HEARTS, Resign(FOREHAND), result=said).verdict is Verdict.CONSISTENT
    wrong = checked(*HEARTS, Resign(FOREHAND), result=replace(said, resigned=False))
    assert codes(wrong) == [("S015", 0)]


# --- giving up on the server ------------------------------------------------------------


@pytest.mark.parametrize("profile", SERVER)
def test_one_resigning_defender_changes_nothing_on_iss(profile: str) -> None:
    with_it = checked(*HEARTS, Resign(REARHAND), *plays_of(OWN), profile=profile)
    without = checked(*HEARTS, *plays_of(OWN), profile=profile)
    assert with_it.verdict is Verdict.CONSISTENT
    assert with_it.admissible == without.admissible


@pytest.mark.parametrize("profile", SERVER)
def test_two_resigning_defenders_hand_over_all_points_and_tricks_left(profile: str) -> None:
    # record 18358
    game = (*HEARTS, *plays_of(OWN), *BOTH)
    assert figures(checked(*game, profile=profile)) == (50, 120, 10), "Schneider and Schwarz"
    game = (*HEARTS, *plays_of(LOST), *BOTH)
    assert figures(checked(*game, profile=profile)) == (40, 96, 9), "24 points stay: Schneider"


@pytest.mark.parametrize("profile", SERVER)
def test_the_unfinished_trick_goes_to_the_declarer_too(profile: str) -> None:
    game = (*HEARTS, *plays_of("F DQ DA"), *BOTH)
    assert figures(checked(*game, profile=profile)) == (50, 120, 10)


@pytest.mark.parametrize("profile", SERVER)
def test_below_61_the_declarer_loses_though_the_defenders_resign(profile: str) -> None:
    clubs = (*calls_of("Mp R18 Fp"), Declare(REARHAND, "clubs", HAND))
    taken = "F CJ CQ C7, F CA CK C8, F CT HJ C9, M SA SQ S7, M ST S8 HA"
    game = (*clubs, *plays_of(taken), Resign(FOREHAND), Resign(MIDDLEHAND))
    points = 120 - (5 + 15 + 12 + 14 + 21)
    report = checked(*game, profile=profile)
    assert points == 53 and figures(report) == (-120, points, 5), "without 3, game 4, Hand 5"


@pytest.mark.parametrize("profile", SERVER)
def test_a_declarer_who_resigns_is_settled_as_the_game_stands(profile: str) -> None:
    # own tricks and the skat; the unfinished trick is nobody's
    report = checked(*HEARTS, *plays_of(OWN + ", F CA CK"), Resign(FOREHAND), profile=profile)
    assert figures(report) == (-80, 13, 1), "with 2, game 3, own Schneider 4"


@pytest.mark.parametrize("profile", SERVER)
def test_own_levels_need_one_completed_trick(profile: str) -> None:
    # record 10327743: own Schneider counts; a game stopped before has no levels
    before = checked(*HEARTS, *plays_of("F CT CQ"), Resign(FOREHAND), profile=profile)
    assert figures(before) == (-60, 0, 0)
    said = Result(declarer=FOREHAND, score=-60, schneider=False, schwarz=False)
    again = checked(*HEARTS, Resign(FOREHAND), profile=profile, result=said)
    assert again.verdict is Verdict.CONSISTENT
    after = checked(*HEARTS, *plays_of(LOST), Resign(FOREHAND), profile=profile)
    assert figures(after) == (-100, 0, 0), "Schneider and Schwarz"


@pytest.mark.parametrize("profile", SERVER)
def test_a_declarer_with_61_points_may_resign_and_wins(profile: str) -> None:
    own = "F CJ HJ DJ, F SJ H8 H7, F HA H9 C7, F HT SK C8, F CA CQ C9, F CT CK SQ"
    report = checked(*HEARTS, *plays_of(own), Resign(FOREHAND), profile=profile)
    points = 6 + 2 + 11 + 14 + 14 + 17
    assert points == 64 and figures(report) == (30, points, 6)


def test_nobody_resigns_twice_or_before_there_is_a_game() -> None:
    for profile in PROFILES:
        twice = checked(*HEARTS, Resign(REARHAND), Resign(REARHAND), profile=profile)
        assert codes(twice) == [("P008" if profile in SERVER else "P005", 9)]
        early = checked(*TAKEN, Resign(FOREHAND), profile=profile)
        assert codes(early) == [("P011", 7)]
        assert early.findings[0].expected


def test_what_nobody_does_is_no_step() -> None:
    for step in (PickUp(WORLD), Timeout(WORLD), Leave(WORLD), Declare(WORLD, "clubs")):
        assert codes(checked(step)) == [("P003", 1)]
    assert codes(checked(*HEARTS, Resign(WORLD))) == [("P003", 8)]


def test_nothing_is_played_after_a_game_is_given_up() -> None:
    # B33 of the bad inputs
    for profile in PROFILES:
        for step in (*plays_of("F CT"), Show(FOREHAND), Timeout(REARHAND), Resign(REARHAND)):
            report = checked(*HEARTS, Resign(FOREHAND), step, profile=profile)
            assert codes(report) == [("P005", 9)], (profile, step)
            assert report.findings[0].expected


# --- timeouts and leaving ---------------------------------------------------------------


@pytest.mark.parametrize("stop", [Timeout, Leave])
@pytest.mark.parametrize("profile", SERVER)
def test_one_defender_who_leaves_or_times_out_hands_over_what_is_left(
    profile: str, stop: type[Timeout] | type[Leave]
) -> None:
    report = checked(*HEARTS, *plays_of(LOST), stop(REARHAND), profile=profile)
    assert figures(report) == (40, 96, 9)
    report = checked(*HEARTS, *plays_of(LOST), stop(FOREHAND), profile=profile)
    assert figures(report) == (-100, 0, 0)


def test_who_left_or_timed_out_is_stated_right() -> None:
    base = Result(declarer=FOREHAND, score=40, left=-1, timed_out=REARHAND, resigned=False)
    start = (*HEARTS, *plays_of(LOST))
    assert checked(*start, Timeout(REARHAND), profile="iss", result=base).findings == ()
    for wrong, code in (
        (replace(base, timed_out=MIDDLEHAND), "S013"), (replace(base, left=REARHAND), "S014"),
        (replace(base, resigned=True), "S015"),
    ):  # fmt: skip
        report = checked(*start, Timeout(REARHAND), profile="iss", result=wrong)
        assert codes(report) == [(code, 0)]
        assert report.findings[0].expected and report.findings[0].read


@pytest.mark.parametrize("profile", SERVER)
def test_who_stops_the_auction_is_penalized(profile: str) -> None:
    said = Result(PENALTY, declarer=-1, score=0, penalized=(False, False, True), left=REARHAND)
    report = checked(*calls_of("M18 Fy"), Leave(REARHAND), profile=profile, result=said)
    assert report.verdict is Verdict.CONSISTENT
    wrong = replace(said, penalized=(True, True, False))
    report = checked(*calls_of("M18 Fy"), Leave(REARHAND), profile=profile, result=wrong)
    assert codes(report) == [("S012", 0)]


@pytest.mark.parametrize("profile", SERVER)
def test_later_the_declarer_or_both_defenders_are_penalized(profile: str) -> None:
    said = Result(PENALTY, declarer=-1, score=0, penalized=(True, False, False))
    start = (*calls_of("M18 Fy Mp Rp"), PickUp(FOREHAND))
    own = checked(*start, Timeout(FOREHAND), profile=profile, result=said)
    assert own.verdict is Verdict.CONSISTENT
    both = replace(said, penalized=(False, True, True))
    for seat in (MIDDLEHAND, REARHAND):
        report = checked(*start, Timeout(seat), profile=profile, result=both)
        assert report.verdict is Verdict.CONSISTENT
        assert codes(checked(*start, Timeout(seat), profile=profile, result=said)) == [("S012", 0)]


def test_a_deal_stopped_before_any_call_may_have_lost_its_auction() -> None:
    # With no call on record both readings stand: nobody had bid, or the calls were left out.
    for seats in ((False, False, True), (True, False, True), (False, True, True)):
        said = Result(PENALTY, declarer=-1, penalized=seats)
        assert checked(Leave(REARHAND), profile="iss", result=said).verdict is Verdict.CONSISTENT
    said = Result(PENALTY, declarer=-1, penalized=(True, True, False))
    assert codes(checked(Leave(REARHAND), profile="iss", result=said)) == [("S012", 0)]


def test_under_isko_a_deal_stopped_before_the_declaration_is_open() -> None:
    said = Result(PENALTY, declarer=-1, penalized=(False, False, True))
    for profile in ("isko", "ledger"):
        report = checked(*calls_of("M18 Fy"), Leave(REARHAND), profile=profile, result=said)
        assert report.verdict is Verdict.UNDETERMINED
        report = checked(*HEARTS, Timeout(REARHAND), profile=profile)
        assert report.score == 30, "after it, simple"


def test_a_half_declaration_counts_matadors_over_the_skat_alone() -> None:
    # record 10330141: a timeout between declaration and discard
    start = (*calls_of("M18 Fy Mp Rp"), PickUp(FOREHAND), Declare(FOREHAND, "hearts"))
    for profile in SERVER:
        report = checked(*start, Timeout(FOREHAND), profile=profile)
        assert report.matadors == -11, "no trump lies in the skat: DQ D7"
        assert (report.points, report.score) == (3, -2 * 10 * 12)
    assert checked(*start, Timeout(FOREHAND)).matadors == 2


# --- games decided early ----------------------------------------------------------------

NULL = (*TAKEN, Declare(FOREHAND, "null"))
NULL_LOST = "F CA CQ C9"


@pytest.mark.parametrize("profile", PROFILES)
def test_a_null_is_lost_at_the_declarers_first_trick(profile: str) -> None:
    report = checked(*NULL, *plays_of(NULL_LOST), profile=profile)
    assert report.score == -46 and report.verdict is Verdict.CONSISTENT
    assert report.replay is not None and report.replay.game.ended == "null-lost"


def test_what_is_played_after_a_lost_null_is_a_note_or_an_error_by_the_profile() -> None:
    # isko: decided, the rest may be recorded; ledger and the server: it ends at once
    for profile, weight, verdict in (
        ("isko", Severity.NOTE, Verdict.CONSISTENT),
        ("ledger", Severity.ERROR, Verdict.CONTRADICTED),
        ("iss", Severity.ERROR, Verdict.CONTRADICTED),
        ("iss-client", Severity.ERROR, Verdict.CONTRADICTED),
    ):
        report = checked(*NULL, *plays_of(NULL_LOST + ", F SJ SA SQ, M DA"), profile=profile)
        assert [(one.code, one.severity) for one in report.findings] == [("P006", weight)]
        assert report.verdict is verdict, profile
        assert report.findings[0].step == len(NULL) + 4


def test_cards_after_a_lost_null_are_still_held_to_the_rules() -> None:
    report = checked(*NULL, *plays_of(NULL_LOST + ", F SJ DA"))
    assert sorted(one.code for one in report.findings) == ["P004", "P006"]
    assert report.verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize("profile", SERVER)
def test_the_server_ends_an_announced_schwarz_at_the_defenders_first_trick(profile: str) -> None:
    start = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "hearts", HAND | SCHWARZ))
    report = checked(*start, *plays_of("F D9 DA DT"), profile=profile)
    assert report.points == 3, "the skat is his"
    promised = 2 + 1 + 1 + 4
    only_announced = 2 + 1 + 1 + 2
    assert report.score == -20 * (promised if profile == "iss" else only_announced)
    assert codes(checked(*start, *plays_of("F D9 DA DT, M CK"), profile=profile)) == [("P005", 9)]
    assert checked(*start, *plays_of("F D9 DA DT, M CK")).verdict is Verdict.CONSISTENT


@pytest.mark.parametrize("profile", SERVER)
def test_the_server_ends_an_announced_schneider_when_the_defenders_pass_30(profile: str) -> None:
    start = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "hearts", HAND | SCHNEIDER))
    assert checked(*start, *plays_of("F D9 DA DT"), profile=profile).verdict is Verdict.CONSISTENT
    more = "F D9 DA DT, M ST SQ S7"  # 21 + 13
    assert codes(checked(*start, *plays_of(more + ", M CK"), profile=profile)) == [("P005", 12)]
    assert checked(*start, *plays_of(more + ", M CK")).verdict is Verdict.CONSISTENT
    less = "F D9 DA DK, M SK S9 S7, M CK C7 CA"  # 15 + 4, then the declarer's trick
    assert checked(*start, *plays_of(less), profile=profile).verdict is Verdict.CONSISTENT


def test_exactly_30_points_leave_an_announced_schneider_possible() -> None:
    deal = deal_of(
        "CJ SJ HJ DJ CA CK C9 C8 D7 S7",
        "CT CQ C7 SA ST SK SQ S9 S8 DA",
        "HA HT HK HQ H9 H8 H7 DT DK DQ",
        "D9 D8",
    )
    start = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "clubs", HAND | SCHNEIDER))
    for text, points, ended in (
        ("F D7 DA DK, M SA HK S7", 30, "open"),
        ("F D7 DA DT, M ST H9 S7", 31, "schneider-missed"),
    ):
        report = check(Record((), deal, (*start, *plays_of(text))), load_rules("iss"))
        assert report.verdict is Verdict.CONSISTENT and report.replay is not None
        game = report.replay.game
        against = sum(trick.low for trick in game.tricks if trick.winner != FOREHAND)
        assert (against, game.ended) == (points, ended)


def test_a_profile_may_let_a_missed_announcement_be_played_on_with_a_note(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("name: house\nextends: isko\nplay: {schwarz_missed: decided}\n")
    start = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "hearts", HAND | SCHWARZ))
    steps = (*start, *plays_of("F D9 DA DT, M CK"))
    report = check(Record((), DEAL, steps), load_rules(house))
    assert [(one.code, one.severity) for one in report.findings] == [("P007", Severity.NOTE)]
    assert report.verdict is Verdict.CONSISTENT
