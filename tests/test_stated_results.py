"""What is said where a record states its result wrong, and where it leaves the result open.

Every S code of the engine is raised at least once; U and B numbers are public reports and
bad inputs.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from skatspec.check import Report, check
from skatspec.diagnostics import Verdict
from skatspec.record import (
    FOREHAND,
    HAND,
    MIDDLEHAND,
    PENALTY,
    SCHNEIDER,
    UNKNOWN,
    Declare,
    Discard,
    PickUp,
    Record,
    Result,
)
from skatspec.rules import load_rules
from tests.gamegen import calls_of, cards_of, deal_of, plays_of
from tests.judge import PROFILES

SCHN = HAND | SCHNEIDER
DEAL = deal_of(
    "CJ SJ HA HT HK HQ CA CT S7 D9",
    "HJ H9 H8 CK CQ SA ST SK DA D8",
    "DJ H7 C9 C8 C7 SQ S9 S8 DT DK",
    "DQ D7",
)
STEPS = (
    *calls_of("M18 Fy M20 Fy Mp Rp"), PickUp(FOREHAND), Discard(FOREHAND, cards_of("S7 D9")),
    Declare(FOREHAND, "hearts"),
    *plays_of(
        "F CJ HJ DJ, F SJ H8 H7, F HA H9 C7, F HT CQ C8, F CA CK C9, F CT D8 SQ, F HK SK S8,"
        "F HQ ST S9, F DQ DA DK, M SA DT D7"
    ),
)  # fmt: skip
RIGHT = Result(
    declarer=FOREHAND, won=True, score=30, matadors=2, overbid=False, points=81, tricks=8,
    schneider=False, schwarz=False, penalized=(False, False, False), left=-1, timed_out=-1,
    resigned=False,
)  # fmt: skip


def stated(profile: str = "isko", **wrong: object) -> Report:
    result = replace(RIGHT, **wrong)  # type: ignore[arg-type]
    return check(Record((), DEAL, STEPS, result), load_rules(profile))


@pytest.mark.parametrize("profile", PROFILES)
def test_the_right_result_is_consistent(profile: str) -> None:
    report = stated(profile)
    assert report.verdict is Verdict.CONSISTENT and not report.findings
    assert (report.score, report.points, report.tricks, report.value) == (30, 81, 8, 30)


WRONG: list[tuple[str, dict[str, object]]] = [
    ("S001", {"score": 40}),
    ("S001", {"score": 60}),
    ("S002", {"score": -30, "won": None}),
    ("S002", {"score": -30}),
    ("S002", {"won": False}),
    ("S003", {"declarer": MIDDLEHAND}),
    ("S004", {"won": False, "score": None}),
    ("S005", {"matadors": -2}),
    ("S005", {"matadors": 3}),
    ("S006", {"points": 82}),
    ("S007", {"tricks": 7}),
    ("S008", {"overbid": True}),
    ("S009", {"schneider": True}),
    ("S010", {"schwarz": True}),
    ("S011", {"kind": PENALTY}),
    ("S012", {"penalized": (False, True, False)}),
    ("S013", {"timed_out": 1}),
    ("S014", {"left": 2}),
    ("S015", {"resigned": True}),
    ("S016", {"points": 121}),
    ("S016", {"points": -5}),
    ("S016", {"points": 10**9}),
    ("S016", {"tricks": 11}),
    ("S018", {"points": 30, "tricks": 0}),
    ("S018", {"points": 119, "tricks": 10}),
]


@pytest.mark.parametrize(("code", "wrong"), WRONG)
@pytest.mark.parametrize("profile", PROFILES)
def test_each_wrong_statement_has_its_code(
    profile: str, code: str, wrong: dict[str, object]
) -> None:
    # B34, B35 of the bad inputs; U62: a result that contradicts the play
    report = stated(profile, **wrong)
    assert report.verdict is Verdict.CONTRADICTED
    assert [one.code for one in report.findings] == [code]
    finding = report.findings[0]
    assert finding.read and finding.expected and finding.message and finding.step == 0
    if code < "S012" or profile.startswith("iss"):
        assert finding.rule, "the rule is cited"  # no source speaks of timeouts at the table


def test_a_value_of_another_sign_is_told_the_sign_rule() -> None:
    # B35: -96, 96 and -192 are three different faults
    assert "a loss is written negative" in stated(score=-30, won=None).findings[0].message
    assert stated(score=60).findings[0].expected == "+30"


def test_a_seat_is_named_in_words() -> None:
    finding = stated(declarer=MIDDLEHAND).findings[0]
    assert (finding.read, finding.expected) == ("middlehand", "forehand")
    finding = stated(left=FOREHAND).findings[0]
    assert (finding.read, finding.expected) == ("forehand", "nobody")


def test_a_matador_count_is_not_the_multiplier() -> None:
    # U20: m:-2 with level 3 is right, m:-3 is not
    assert stated(matadors=2).verdict is Verdict.CONSISTENT
    assert stated(matadors=3).findings[0].expected == "with 2"


def test_a_result_that_is_unknown_or_says_nothing_is_not_judged() -> None:
    for result in (None, Result(), Result(UNKNOWN, score=999)):
        report = check(Record((), DEAL, STEPS, result), load_rules("isko"))
        assert report.verdict is Verdict.CONSISTENT and report.score == 30


def test_the_skat_counts_for_matadors_and_points_in_a_hand_game() -> None:
    # U02: Hearts Hand, CJ in hand, SJ in the skat, 93 points -> with 2
    deal = deal_of(
        "CJ HA HT HK HQ H9 CA CT CK DA",
        "HJ H8 H7 C9 C8 C7 SA ST S7 D7",
        "DJ CQ SK SQ S9 S8 DT DK DQ D9",
        "SJ D8",
    )
    steps = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "hearts", HAND))
    for points, value in ((93, 50), (70, 40)):
        record = Record((), deal, steps, Result(points=points, tricks=8, matadors=2, score=value))
        report = check(record, load_rules("isko"))
        assert report.verdict is Verdict.CONSISTENT, report.findings
        assert (report.matadors, report.score) == (2, value)
    wrong = Record((), deal, steps, Result(points=93, tricks=8, score=40))
    assert [one.code for one in check(wrong, load_rules("isko")).findings] == ["S001"]


@pytest.mark.parametrize("profile", PROFILES)
def test_a_record_without_play_counts_the_declarers_own_levels(profile: str) -> None:
    # An open game is played on: own Schneider needs a trick on the server, and will have had one.
    record = Record((), DEAL, STEPS[:9], Result(points=20, tricks=2, score=-80, schneider=True))
    report = check(record, load_rules(profile))
    assert report.verdict is Verdict.CONSISTENT, report.findings


def test_without_the_play_nobody_knows_whether_a_trick_was_made() -> None:
    # The client writes the levels of an announced Schneider missed without a trick, and only then.
    steps = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "hearts", SCHN))
    for flag in (True, False):
        said = Result(points=20, schneider=flag, schwarz=flag)
        report = check(Record((), DEAL, steps, said), load_rules("iss-client"))
        assert "S009" not in {one.code for one in report.findings}
    none, one = plays_of("F D9 DA DT, M SA SQ S7"), plays_of("F CT CQ C7, F D9 DA DT, M SA SQ S7")
    for cards_played, flag in ((none, True), (one, False)):
        result = Result(schneider=flag, schwarz=flag)
        record = Record((), DEAL, (*steps, *cards_played), result)
        assert check(record, load_rules("iss-client")).verdict is Verdict.CONSISTENT
        other = replace(record, result=Result(schneider=not flag, schwarz=not flag))
        found = check(other, load_rules("iss-client")).findings
        assert [one.code for one in found] == ["S009", "S010"]


def test_a_score_that_cannot_go_with_the_recorded_points_is_found_without_the_play() -> None:
    hidden = deal_of("?? " * 10, "?? " * 10, "?? " * 10, "?? ??")
    hand = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "hearts", HAND))
    said = Result(points=60, tricks=5, matadors=1, score=30, won=True)
    report = check(Record((), hidden, hand, said), load_rules("isko"))
    assert {one.code for one in report.findings} == {"S001", "S004"}
    fits = Result(points=61, tricks=5, matadors=1, score=30, won=True)
    report = check(Record((), hidden, hand, fits), load_rules("isko"))
    assert report.verdict is Verdict.UNDETERMINED, "nobody knows the matadors"
    assert [one.code for one in report.findings] == ["S019"]
    lies = replace(fits, matadors=2)
    report = check(Record((), hidden, hand, lies), load_rules("isko"))
    assert [one.code for one in report.findings] == ["S001"]
