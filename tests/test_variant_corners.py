"""Corners of the variants: what an unrecorded part leaves open, and what no record can have.

A part left out of a record (a bid, the round, a deal's play) must never make it contradicted.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

import skatspec
from skatspec import Record, Verdict
from skatspec.cards import HIDDEN
from skatspec.check import Report, check
from skatspec.errors import ProfileError
from skatspec.record import (
    FOREHAND,
    GAME,
    HAND,
    MIDDLEHAND,
    NO_NUMBER,
    RAMSCH,
    REARHAND,
    WORLD,
    AuctionEnd,
    Bid,
    Claim,
    Declare,
    Discard,
    Double,
    Gift,
    Hold,
    Knock,
    Pass,
    PickUp,
    Play,
    Push,
    Resign,
    Result,
    Ruling,
    Step,
    ThrowOpen,
)
from skatspec.rules import Rules, load_rules
from tests.gamegen import calls_of, cards_of, deal_of

DEAL = deal_of(
    "CJ SJ HA HT HK HQ CA CT S7 D9",
    "HJ H9 H8 CK CQ SA ST SK DA D8",
    "DJ H7 C9 C8 C7 SQ S9 S8 DT DK",
    "DQ D7",
)
KONTRA = ("variants.kontra.calls=[kontra]", "variants.kontra.who=bidder")
RAMSCH_ROUNDS = "xskat -ramschonly -bockramsch"
PUSHES = ("variants.ramsch.played=always", "variants.ramsch.pushes=each-seat")


def checked(
    *steps: Step, rules: str = "isko", settings: tuple[str, ...] = (),
    round_: str | None = None, result: Result | None = None,
) -> Report:  # fmt: skip
    return check(Record((), DEAL, steps, result), load_rules(rules, settings), round_)


def codes(report: Report) -> list[str]:
    return [one.code for one in report.findings if one.severity.value == "error"]


# --- who may say Kontra -------------------------------------------------------------------


@pytest.mark.parametrize("round_", [None, "normal", "bock"])
def test_where_no_auction_is_recorded_any_defender_may_have_bid(round_: str | None) -> None:
    settings = (*KONTRA, "variants.bock.played=true")
    game = (Declare(FOREHAND, "grand", HAND), Double(REARHAND, "kontra"))
    assert codes(checked(*game, settings=settings, round_=round_)) == []


def test_where_only_who_plays_is_recorded_any_defender_may_have_bid() -> None:
    game = (Declare(MIDDLEHAND, "grand", HAND), Double(FOREHAND, "kontra"))
    unknown = checked(AuctionEnd(MIDDLEHAND, NO_NUMBER), *game, settings=KONTRA)
    assert codes(unknown) == []
    # at 18 forehand has passed without a word
    assert codes(checked(AuctionEnd(MIDDLEHAND, 18), *game, settings=KONTRA)) == ["D019"]


@pytest.mark.parametrize(
    ("declarer", "caller", "allowed"),
    [(0, 1, True), (0, 2, True), (1, 2, True), (1, 0, False), (2, 0, False), (2, 1, False)],
)
def test_the_last_value_was_said_by_one_who_bid_it_to_the_declarer(
    declarer: int, caller: int, allowed: bool
) -> None:
    # M bids 18 to F, who passes; R bids 24 to M, who holds: both have said 24
    settings = (*KONTRA, "variants.kontra.bidder_said=24")
    game = (Declare(declarer, "grand", HAND), Double(caller, "kontra"))
    assert codes(checked(AuctionEnd(declarer, 24), *game, settings=settings)) == (
        [] if allowed else ["D019"]
    )
    if (declarer, caller) == (1, 2):
        calls = (Bid(1, 18), Pass(0), Bid(2, 24), Hold(1), Pass(2))
        assert codes(checked(*calls, *game, settings=settings)) == []


def test_an_own_card_played_unseen_is_an_own_card() -> None:
    settings = ("variants.kontra.calls=[kontra]", "variants.kontra.until=own-card")
    start = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "grand", HAND), Play(0, HIDDEN))
    assert codes(checked(*start, Double(MIDDLEHAND, "kontra"), settings=settings)) == []
    late = checked(*start, Play(1, HIDDEN), Double(MIDDLEHAND, "kontra"), settings=settings)
    assert codes(late) == ["D019"]


def test_a_null_below_its_bid_is_doubled_by_kontra_whether_its_bid_is_recorded_or_not() -> None:
    settings = ("variants.kontra.calls=[kontra]",)
    game = (Declare(FOREHAND, "null", HAND), Double(MIDDLEHAND, "kontra"))
    calls = calls_of("M18 Fy M36 Fy Mp Rp")
    whole = checked(*calls, *game, settings=settings)
    assert whole.score is not None
    plain = checked(*calls, game[0], settings=settings)
    assert plain.score is not None and whole.score == 2 * plain.score
    stated = Result(GAME, FOREHAND, False, whole.score)
    unknown = checked(AuctionEnd(0, NO_NUMBER), *game, settings=settings, result=stated)
    assert codes(unknown) == []


# --- Ramsch -------------------------------------------------------------------------------


def test_a_grand_hand_may_be_of_a_ramsch_round_where_nothing_says_which_round_it_is() -> None:
    game = Declare(FOREHAND, "grand", HAND)
    assert codes(checked(game, rules=RAMSCH_ROUNDS, round_="ramsch")) == []
    assert codes(checked(game, rules=RAMSCH_ROUNDS)) == []
    assert codes(checked(game, rules=RAMSCH_ROUNDS, round_="normal")) == ["D020"]
    assert codes(checked(game, rules="xskat -ramschonly")) == ["D020"]


def test_no_ramsch_follows_three_passes_where_it_is_played_in_its_rounds_only() -> None:
    passed = (Pass(1), Pass(2), Pass(0), Declare(WORLD, RAMSCH))
    assert codes(checked(*passed, rules="xskat -bockramsch")) == ["D020"]
    assert codes(checked(*passed, rules="xskat -bockramsch -ramsch")) == []


@pytest.mark.parametrize(
    ("shown", "expected"),
    [("DQ", ["R003"]), ("DQ D7 C9", ["R003"]), ("DQ DQ", ["R004"]), ("DQ ??", []), ("D7 DQ", [])],
)
def test_what_a_seat_picks_up_in_ramsch_is_two_different_cards(
    shown: str, expected: list[str]
) -> None:
    steps = (Declare(WORLD, RAMSCH), PickUp(FOREHAND, cards_of(shown)))
    assert codes(checked(*steps, settings=PUSHES)) == expected


def test_a_skat_shown_whole_when_picked_up_says_what_was_pushed_unshown() -> None:
    start = (Declare(WORLD, RAMSCH), PickUp(0), Push(0, (HIDDEN, HIDDEN)))
    seen = (PickUp(1, cards_of("S7 D9")), Push(1, cards_of("S7 D9")))
    assert codes(checked(*start, *seen, settings=PUSHES)) == []
    # CA stayed with forehand
    strange = (seen[0], Push(1, cards_of("CA D9")))
    assert codes(checked(*start, *strange, settings=PUSHES)) == ["D005"]


def test_who_has_knocked_does_not_leave_the_skat_lying() -> None:
    settings = (*PUSHES, "variants.ramsch.knock=any-ramsch")
    start = (Declare(WORLD, RAMSCH), Knock(FOREHAND))
    assert codes(checked(*start, Push(FOREHAND), settings=settings)) == ["D021"]
    taken = (PickUp(FOREHAND), Push(FOREHAND, cards_of("S7 D9")))
    assert codes(checked(*start, *taken, settings=settings)) == []


# --- profiles -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        ("announcements.null.spitze={requires: [], includes: []}",),
        ("contracts.clubs.trumps=[]", "contracts.clubs.ranks=[A, T, K, Q, J, 9, 8, 7]"),
    ],
)
def test_a_spitze_in_a_game_without_trumps_is_refused(settings: tuple[str, ...]) -> None:
    allowed = "announcements.allowed=[hand, schneider, schwarz, ouvert, spitze]"
    with pytest.raises(ProfileError) as error:
        load_rules("isko", (allowed, "levels.spitze=1", *settings))
    assert error.value.code == "F006"


# --- a series -----------------------------------------------------------------------------


def deal(number: int, score: int, more: str = "", steps: str = "", rest: str = "") -> Record:
    """Return a diamonds game of forehand at 18 with one matador; no card is known."""
    text = (
        f'%skat 1\n[Places "1 2 3"]\n[Seed "7 {number} 1"]\n{more}auction\n  F plays at 18\n'
        f"contract\n  F takes the skat, diamonds\n{steps}result\n"
        f"  F {'won' if score > 0 else 'lost'} {abs(score)}{rest}, with 1\n"
    )
    record = skatspec.parse(text)
    assert isinstance(record, Record) and not record.findings, record.findings
    return record


def verdicts(records: list[Record], rules: str | Rules | None) -> str:
    return "".join(one.verdict.value[0] for one in skatspec.check_all(records, rules))


def test_sixty_points_stated_pull_the_trigger_without_a_play() -> None:
    sixty = deal(0, -36, rest=", points 60, tricks 5")
    rules = "xskat -bock -bockevents 1"
    assert verdicts([sixty, deal(1, 36, rest=", points 70, tricks 5")], rules) == "cc"
    plain = skatspec.check_all([sixty, deal(1, 18, rest=", points 70, tricks 5")], rules)
    assert [one.verdict for one in plain] == [Verdict.CONSISTENT, Verdict.CONTRADICTED]


def test_points_left_open_leave_the_trigger_open() -> None:
    # lost in any case, with 31 to 60 points
    lost = deal(0, -36)
    for score in (18, 36):
        following = deal(1, score, rest=", points 70, tricks 5")
        second = list(skatspec.check_all([lost, following], "xskat -bock -bockevents 1"))[1]
        assert second.verdict is Verdict.UNDETERMINED


def test_records_with_other_rules_between_do_not_begin_a_series_anew() -> None:
    kontra = '[Rules "xskat -kontra -bock -bockevents 4"]\n'
    other = '[Rules "xskat -bock -bockevents 8"]\n'
    lost = deal(0, -72, kontra, "  M kontra\n", ", points 50, tricks 5")
    won = ", points 70, tricks 5"
    between = replace(deal(0, 18, other, rest=won))
    assert verdicts([lost, between, deal(1, 36, kontra, rest=won)], None) == "ccc"


def test_the_tournament_bonus_counts_in_the_tournament_listing_only() -> None:
    # 18 and a bonus of 82 are a hundred, 18 alone is none
    bonus = "{own_won: 82, own_lost: 0, others_lost_three: 0, others_lost_four: 0}"
    triggers = "variants.bock.triggers=[hundreds]"
    won = ", points 70, tricks 5"
    for listing, score in (("normal", 18), ("tournament", 36)):
        keys = ("variants.bock.played=true", triggers, f"variants.bock.listing={listing}")
        rules = load_rules("isko", (*keys, f"match.bonus={bonus}"))
        evening = [deal(0, 18, rest=won), deal(1, score, rest=won)]
        assert verdicts(evening, rules) == "cc"


def test_a_new_start_goes_on_with_the_running_scores_of_the_list() -> None:
    # 32: a running score that is a multiple of a hundred
    won = ", points 70, tricks 5"
    evening = [deal(0, 18, rest=won), deal(1, 18, rest=won)]
    # 36 lost take 36 to nothing, over a new start: the next deal is doubled
    lost = deal(0, -36, rest=", points 50, tricks 5")
    doubled = [*evening, lost, deal(1, 36, rest=won)]
    assert verdicts(doubled, "xskat -bock -bockevents 32") == "cccc"


def test_a_deal_that_all_passed_and_whose_ramsch_is_not_recorded_leaves_the_rounds_open() -> None:
    passed = skatspec.parse(
        '%skat 1\n[Places "1 2 3"]\n[Seed "7 0 1"]\nauction\n  M pass, R pass, F pass\n'
    )
    assert isinstance(passed, Record)
    won = deal(1, 18, rest=", points 70, tricks 5")
    assert verdicts([passed, won], "xskat -ramsch -bock -bockevents 32") == "cu"
    assert verdicts([passed, won], "xskat -bock -bockevents 32") == "cc"


# --- what a Ramsch is not -----------------------------------------------------------------

PASSES = (Pass(MIDDLEHAND), Pass(REARHAND), Pass(FOREHAND))
PLAYED_RAMSCH = (*PASSES, Declare(WORLD, RAMSCH))


@pytest.mark.parametrize(
    ("stated", "code"),
    [
        (Result(won=True), "S004"), (Result(score=30), "S001"), (Result(matadors=2), "S005"),
        (Result(overbid=False), "S008"), (Result(points=30), "S006"), (Result(tricks=3), "S007"),
        (Result(schneider=False), "S009"), (Result(schwarz=False), "S010"),
        (Result(declarer=FOREHAND), "S003"),
    ],
)  # fmt: skip
def test_a_ramsch_has_no_figures_of_a_declarer(stated: Result, code: str) -> None:
    report = checked(*PLAYED_RAMSCH, rules="xskat-ramsch", result=stated)
    assert codes(report) == [code]


@pytest.mark.parametrize(
    ("stated", "code"),
    [(Result(losers=(False, False, False)), "S021"), (Result(counted=(1, None, None)), "S022")],
)
def test_a_declared_game_has_no_losers_and_no_counts_of_a_ramsch(stated: Result, code: str) -> None:
    report = checked(AuctionEnd(FOREHAND, 18), Declare(FOREHAND, "grand", HAND), result=stated)
    assert codes(report) == [code]


@pytest.mark.parametrize(
    "step", [Resign(FOREHAND), Resign(MIDDLEHAND), Claim(REARHAND), ThrowOpen(FOREHAND),
             Ruling(WORLD, True, "somebody")],
)  # fmt: skip
def test_nobody_can_give_up_or_claim_a_ramsch(step: Step) -> None:
    assert codes(checked(*PLAYED_RAMSCH, step, rules="xskat-ramsch")) == ["P014"]


def test_in_a_ramsch_cards_are_handed_on_and_not_discarded() -> None:
    report = checked(
        *PLAYED_RAMSCH, PickUp(FOREHAND), Discard(FOREHAND, cards_of("S7 D9")),
        rules="xskat -ramsch -sramsch",
    )  # fmt: skip
    assert codes(report) == ["D021"]
    assert report.declarer is None


def test_a_deal_that_is_a_ramsch_from_the_start_has_no_auction() -> None:
    for steps in (PASSES, (AuctionEnd(FOREHAND, 18),)):
        assert codes(checked(*steps, rules="xskat-ramschonly")) == ["D020"]


def test_a_passed_in_deal_whose_ramsch_is_missing_is_named() -> None:
    assert codes(checked(*PASSES, Play(FOREHAND, 0), rules="xskat-ramsch")) == ["D023"]
    assert codes(checked(*PASSES, rules="xskat-ramsch", result=Result("passed"))) == ["D023"]
    assert checked(*PASSES, rules="xskat-ramsch").verdict is Verdict.CONSISTENT
    assert checked(*PASSES, result=Result("passed")).verdict is Verdict.CONSISTENT


def test_a_knock_needs_a_ramsch_round_where_the_rules_say_so() -> None:
    without_rounds = "xskat -ramsch -klopfen"
    assert codes(checked(*PLAYED_RAMSCH, Knock(REARHAND), rules=without_rounds)) == ["D017"]
    rules = "xskat -ramsch -klopfen -bockramsch -bockevents 1"
    report = checked(*PLAYED_RAMSCH, Knock(REARHAND), rules=rules, round_="bock")
    assert codes(report) == ["D021"]


# --- after the end, and before it -----------------------------------------------------------


def test_no_game_is_declared_or_given_away_after_a_null_that_was_lost_at_once() -> None:
    lost = (AuctionEnd(FOREHAND, 60), Declare(FOREHAND, "null", HAND))
    for step in (Declare(WORLD, RAMSCH), PickUp(FOREHAND), Gift(MIDDLEHAND), Knock(REARHAND)):
        report = checked(*lost, step, settings=("variants.gifts.played=first-trick",))
        assert codes(report)[-1] == "P005", step


def test_an_end_that_only_the_result_tells_of_is_open() -> None:
    game = (AuctionEnd(FOREHAND, 18), Declare(FOREHAND, "grand", HAND))
    for stated in (Result(left=MIDDLEHAND), Result(timed_out=REARHAND), Result(resigned=True)):
        report = checked(*game, result=replace(stated, score=-96))
        assert report.verdict is Verdict.UNDETERMINED
    assert checked(*game, result=Result(left=WORLD)).verdict is Verdict.CONSISTENT


def test_a_defender_gives_the_game_away_once() -> None:
    rules = "xskat -schenken"
    game = (AuctionEnd(FOREHAND, 18), Declare(FOREHAND, "grand", HAND))
    gifts = (Gift(MIDDLEHAND), Gift(REARHAND))
    assert codes(checked(*game, *gifts, Gift(MIDDLEHAND), rules=rules)) == ["P015"]
    assert codes(checked(*game, *gifts, rules=rules)) == []
