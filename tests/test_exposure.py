"""Cards laid open: thrown open by anybody, or shown by a defender (ISkO 2022 4.4.5, 4.4.6)."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

from skatspec.cards import HIDDEN, members
from skatspec.check import Report, check
from skatspec.diagnostics import Verdict
from skatspec.engine import playout
from skatspec.engine.playout import Position, within
from skatspec.record import (
    SCHNEIDER,
    WORLD,
    AuctionEnd,
    Deal,
    Declare,
    Discard,
    PickUp,
    Play,
    Record,
    Result,
    Ruling,
    Show,
    Step,
    ThrowOpen,
)
from skatspec.rules import load_rules
from skatspec.rules.tables import CONTRACT
from tests.completions import completions, veil
from tests.gamegen import cards_of, deal_of, plays_of, random_game

TABLES = load_rules("isko").tables
DEFENDERS = 0b110

# Forehand plays Grand from the hand, seats F M R; the skat is H8 D8, no points.
DEAL = deal_of(
    "CJ HJ SA ST SK SQ S9 S8 S7 CA",
    "DJ CT CK CQ C9 C8 C7 HA HT DA",
    "SJ HK HQ H9 H7 DT DK DQ D9 D7",
    "H8 D8",
)
GRAND: tuple[Step, ...] = (AuctionEnd(0, 18), Declare(0, "grand", 1))


def checked(
    *steps: Step, deal: Deal | None = DEAL, result: Result | None = None, rules: str = "isko"
) -> Report:
    return check(Record((), deal, steps, result), load_rules(rules))


def scores(report: Report) -> set[int]:
    assert report.outcome is not None, report.findings
    return {one.score for one in report.outcome.settlements}


def levels(report: Report) -> set[tuple[bool, bool]]:
    assert report.outcome is not None, report.findings
    return {(one.schneider, one.schwarz) for one in report.outcome.settlements}


# --- every way to play on ---------------------------------------------------------------


def position(rng: random.Random, tricks: int) -> Position:
    pack = rng.sample(range(32), 3 * tricks)
    first, second, third = (
        sum(1 << card for card in pack[at * tricks : (at + 1) * tricks]) for at in range(3)
    )
    return Position((first, second, third), rng.randrange(3))


def least(contract: int, start: Position, party: int, *, by_points: bool) -> int:
    """Return the least that the party can get of the rest, by trying everything."""

    @cache
    def best(hands: tuple[int, int, int], leader: int) -> int:
        if not any(hands):
            return 0
        found = []
        order = [(leader + at) % 3 for at in range(3)]
        for one in members(hands[order[0]]):
            led = TABLES.members[contract][TABLES.follow[contract][one]]
            for two in members(hands[order[1]] & led or hands[order[1]]):
                for three in members(hands[order[2]] & led or hands[order[2]]):
                    cards = (one, two, three)
                    row = TABLES.beats[contract][TABLES.follow[contract][one]]
                    seat = order[max(range(3), key=lambda at: row[cards[at]])]
                    price = sum(TABLES.points[c] for c in cards) if by_points else 1
                    gone = sum(1 << card for card in cards)
                    first, second, third = (hand & ~gone for hand in hands)
                    found.append(
                        (price if party >> seat & 1 else 0) + best((first, second, third), seat)
                    )
        return min(found)

    return best(start.hands, start.leader)


@pytest.mark.parametrize("by_points", [False, True])
def test_what_a_party_can_be_kept_to_is_found_as_by_trying_everything(by_points: bool) -> None:
    rng = random.Random(5)
    for _ in range(150):
        tricks, contract = rng.randrange(1, 4), rng.choice(range(5))
        start, party = position(rng, tricks), rng.choice((1, 2, 4, 3, 5, 6))
        truth = least(contract, start, party, by_points=by_points)
        for limit in {max(0, truth - 1), truth, truth + 1}:
            said = within(TABLES, contract, start, party, limit, by_points=by_points)
            assert said == (limit >= truth)


def test_the_last_four_tricks_never_reach_the_bound() -> None:
    rng = random.Random(6)
    for _ in range(200):
        suits, grand = rng.sample(range(4), 3), CONTRACT["grand"]
        # nobody can follow anybody: the most ways to play that there are
        first, second, third = (
            sum(1 << card for card in rng.sample(range(8 * s, 8 * s + 8), 4)) for s in suits
        )
        for start in (Position((first, second, third), 0), position(rng, 4)):
            for by_points, limit in ((True, rng.randrange(40)), (False, rng.randrange(4))):
                assert within(TABLES, grand, start, 6, limit, by_points=by_points) is not None


def test_what_the_bound_leaves_open_is_undetermined(monkeypatch: pytest.MonkeyPatch) -> None:
    thrown = (*GRAND, *plays_of("F CJ DJ SJ, F CA C7 D7"), ThrowOpen(1))
    assert levels(checked(*thrown)) == {(True, True)}
    monkeypatch.setattr(playout, "MOST_TRIED", 0)
    report = checked(*thrown)
    assert levels(report) == {(False, False), (True, False), (True, True)}
    assert report.admissible["score"] == [72, 96, 120]


# --- thrown open ------------------------------------------------------------------------


def test_the_rest_goes_to_the_other_party_with_the_unfinished_trick() -> None:
    started = (*GRAND, *plays_of("F CJ DJ SJ, F CA C7"), ThrowOpen(2))
    report = checked(*started)
    assert (report.points, report.tricks) == (120, 10)
    own = checked(*GRAND, *plays_of("F CJ DJ SJ, F CA C7"), ThrowOpen(0))
    assert (own.points, own.tricks) == (6, 1)  # the jacks; the ace on the table is not his


def test_the_highest_jack_out_excludes_schwarz_and_no_jack_does_not() -> None:
    # with the jack of spades out, he could only fall to the jack of clubs, which is played
    kept = checked(*GRAND, *plays_of("F CJ DJ H7"), ThrowOpen(1), deal=swapped("H7", "SQ"))
    assert levels(kept) == {(True, False)}
    gone = checked(*GRAND, *plays_of("F CJ DJ SJ"), ThrowOpen(1))
    assert levels(gone) == {(True, True)}


def swapped(one: str, other: str) -> Deal:
    """Return a deal in which rearhand lacks the jacks' suit: his jack goes to middlehand."""
    return deal_of(
        "CJ HJ SA ST SK SQ S9 S8 S7 CA",
        "SJ DJ CT CK CQ C9 C8 C7 HA HT",
        "DA HK HQ H9 H7 DT DK DQ D9 D7",
        "H8 D8",
    )


def test_a_level_that_was_announced_stays_and_is_missed_if_it_is_excluded() -> None:
    schwarz = (AuctionEnd(0, 18), Declare(0, "grand", 7))
    lost = checked(*schwarz, *plays_of("F CJ DJ H7"), ThrowOpen(1), deal=swapped("", ""))
    assert scores(lost) == {-2 * 24 * 7}  # with 1, game, Hand, both levels and announcements
    won = checked(*schwarz, *plays_of("F CJ DJ SJ"), ThrowOpen(1))
    assert scores(won) == {24 * 7}


def test_an_overbid_game_stays_overbid_unless_the_level_that_saves_it_counts() -> None:
    bid = (AuctionEnd(0, 120), Declare(0, "grand", 1))
    kept = checked(*bid, *plays_of("F CJ DJ H7"), ThrowOpen(1), deal=swapped("", ""))
    assert scores(kept) == {-240}  # Schneider alone makes 96
    saved = checked(*bid, *plays_of("F CJ DJ SJ"), ThrowOpen(1))
    assert scores(saved) == {120}


def test_a_declarer_keeps_what_he_has_and_a_level_against_him_needs_to_be_possible() -> None:
    # eight trumps from the top bring him more than 30 points, whatever happens
    strong = deal_of(
        "CJ SJ HJ DJ CA CT CK CQ H7 D7",
        "C9 C8 C7 SA ST HK HQ DA DT D9",
        "SK SQ S9 S8 HA HT H9 DK DQ D8",
        "S7 H8",
    )
    clubs = (AuctionEnd(0, 18), Declare(0, "clubs", 1))
    assert scores(checked(*clubs, ThrowOpen(0), deal=strong)) == {-2 * 12 * 10}
    # a Grand with one jack: the others may take nearly everything
    weak = checked(*GRAND, ThrowOpen(0))
    assert levels(weak) == {(True, False)}  # his jack of clubs takes a trick
    # a declarer who has won already keeps his win
    points = plays_of("F CJ DJ SJ, F CA C7 D7, F SA CT DT, F ST HT DK")
    assert scores(checked(*GRAND, *points, ThrowOpen(0))) == {72}


@pytest.mark.parametrize(("seat", "score"), [(0, -70), (1, 35), (2, 35)])
def test_in_null_the_one_who_throws_his_cards_open_has_lost(seat: int, score: int) -> None:
    null = (AuctionEnd(0, 18), Declare(0, "null", 1))
    report = checked(*null, *plays_of("F S7 HA SJ"), ThrowOpen(seat), deal=NULL_DEAL)
    assert scores(report) == {score}


NULL_DEAL = deal_of(
    "S7 S8 S9 C7 C8 C9 H7 H8 D7 D8",
    "CJ CT CK CQ CA HA HT HJ DA DT",
    "SJ SA ST SK SQ HK HQ DK DQ DJ",
    "H9 D9",
)


def test_a_null_that_has_a_trick_is_lost_whoever_throws() -> None:
    null = (AuctionEnd(0, 18), Declare(0, "null", 1))
    taken = plays_of("F S9 HA SJ, R HK H7 HT, R SQ S8 DA")
    for seat in range(3):
        # under these rules a Null is played to its end
        report = checked(*null, *taken, ThrowOpen(seat), deal=NULL_DEAL, rules="browser")
        assert report.verdict is Verdict.CONSISTENT
        assert scores(report) == ({-70} if seat == 0 else {35})
    lost = plays_of("F S9 HA S7")
    stuck = replace(NULL_DEAL, hands=(cards_of("SJ S8 S9 C7 C8 C9 H7 H8 D7 D8"),
                                      NULL_DEAL.hands[1],
                                      cards_of("S7 SA ST SK SQ HK HQ DK DQ DJ")))  # fmt: skip
    for seat in range(3):
        report = checked(*null, *lost, ThrowOpen(seat), deal=stuck, rules="browser")
        assert scores(report) == {-70}


def test_hidden_hands_leave_the_level_open_and_a_ruling_closes_it() -> None:
    hidden = Deal((DEAL.hands[0], None, None), DEAL.skat)
    thrown = (*GRAND, *plays_of("F CJ DJ SJ"), ThrowOpen(1))
    report = checked(*thrown, deal=hidden)
    assert report.admissible["score"] == [72, 96, 120]
    stated = Result(declarer=0, won=True, score=96)
    assert checked(*thrown, deal=hidden, result=stated).verdict is Verdict.UNDETERMINED
    ruled = (*thrown, Ruling(WORLD, True, "the referee", SCHNEIDER))
    report = checked(*ruled, deal=hidden, result=stated)
    assert (report.verdict, scores(report)) == (Verdict.CONSISTENT, {96})
    assert (report.points, report.tricks) == (120, 10)


def test_a_jack_that_is_sure_to_be_held_tells_enough_of_hidden_hands() -> None:
    # the jack of spades is in neither the declarer's hand nor the skat
    hidden = Deal((DEAL.hands[0], None, None), DEAL.skat)
    report = checked(*GRAND, *plays_of("F CJ DJ H7"), ThrowOpen(1), deal=hidden)
    assert levels(report) == {(False, False), (True, False)}
    # and a declarer with CJ is never Schwarz, whatever else is hidden
    alone = Deal((DEAL.hands[0], None, None), None)
    assert levels(checked(*GRAND, ThrowOpen(0), deal=alone)) == {(False, False), (True, False)}


# --- shown by a defender ----------------------------------------------------------------

LAST_TWO = deal_of(
    "CJ SJ HA HT HK HQ H9 H8 D8 D7",
    "HJ CA CT CK CQ C9 C8 C7 DA DT",
    "DJ SA ST SK SQ S9 S8 S7 DK DQ",
    "H7 D9",
)
# middlehand leads DA and DT behind eight tricks; the declarer has D8 D7 left
EIGHT = plays_of(
    "F HA C7 S7, F HT C8 S8, F HK C9 S9, F HQ CQ SQ, F H9 CK SK, F H8 CT ST, F CJ HJ DJ, F SJ CA SA"
)


def test_a_defender_may_show_where_the_declarer_can_win_no_further_trick() -> None:
    grand = (AuctionEnd(0, 18), Declare(0, "grand", 1))
    # forehand is to lead D8 or D7 into A T and K Q
    report = checked(*grand, *EIGHT, Show(1, cards_of("DA DT")), deal=LAST_TWO)
    assert report.points == 120 - 11 - 10 - 4 - 3
    assert report.tricks == 8
    assert report.findings == ()


def test_else_the_rest_is_the_declarers() -> None:
    grand = (AuctionEnd(0, 18), Declare(0, "grand", 1))
    early = checked(*grand, *EIGHT[:-3], Show(1), deal=LAST_TWO)
    assert (early.points, early.tricks) == (120, 10)
    # the jack of spades is the highest card out: not even hidden hands leave a doubt
    hidden = Deal((LAST_TWO.hands[0], None, None), LAST_TWO.skat)
    assert checked(*grand, *EIGHT[:-3], Show(1), deal=hidden).tricks == 10


def test_a_trick_that_only_poor_play_would_give_is_a_trick_he_can_win() -> None:
    # middlehand holds D9 beside DA: were he to play it to the declarer's DT, it would win
    deal = deal_of(
        "CJ SJ HA HT HK HQ H9 H8 DT D7",
        "HJ CA CT CK CQ C9 C8 C7 DA D9",
        "DJ SA ST SK SQ S9 S8 S7 DK DQ",
        "H7 D8",
    )
    report = checked(*GRAND, *EIGHT, Show(1), deal=deal)
    assert report.tricks == 10


def test_cards_shown_must_be_those_the_defender_holds() -> None:
    report = checked(*GRAND, *EIGHT, Show(1, cards_of("DA D9")), deal=LAST_TWO)
    assert [one.code for one in report.findings] == ["P009"]


def test_whose_the_rest_is_stays_open_with_hidden_hands() -> None:
    hidden = Deal((LAST_TWO.hands[0], None, None), LAST_TWO.skat)
    report = checked(*GRAND, *EIGHT, Show(1), deal=hidden)
    assert (report.admissible["points"], report.admissible["tricks"]) == ([92, 120], [8, 10])
    # what the record states of the points tells which it was
    told = Result(declarer=0, score=-1, points=92)
    wrong = checked(*GRAND, *EIGHT, Show(1), deal=hidden, result=told)
    assert [one.code for one in wrong.findings if one.code == "S001"] == ["S001"]
    shown = checked(*GRAND, *EIGHT, Show(1, cards_of("DA DT")), deal=hidden)
    assert (shown.points, shown.tricks) == (92, 8)  # the cards shown settle it


def test_a_level_that_could_not_be_made_is_left_open_after_a_showing() -> None:
    # the jack of spades excludes Schwarz after cards are thrown open; of a showing the text is
    # silent
    start = (*GRAND, *plays_of("F CJ DJ H7"))
    deal = swapped("", "")
    assert levels(checked(*start, ThrowOpen(1), deal=deal)) == {(True, False)}
    assert levels(checked(*start, Show(1), deal=deal)) == {(True, False), (True, True)}


def test_in_null_a_showing_counts_for_the_declarer() -> None:
    null = (AuctionEnd(0, 18), Declare(0, "null", 1))
    report = checked(*null, *plays_of("F S7 HA SJ"), Show(1), deal=NULL_DEAL)
    assert scores(report) == {35}


def test_the_declarers_own_showing_ends_nothing() -> None:
    report = checked(*GRAND, Show(0), *plays_of("F CJ DJ SJ"))
    assert report.findings == ()


# --- both -------------------------------------------------------------------------------


@pytest.mark.parametrize("deed", [ThrowOpen(1), ThrowOpen(0), Show(2)])
def test_nothing_but_a_ruling_follows_cards_laid_open(deed: Step) -> None:
    start = (*GRAND, *plays_of("F CJ DJ SJ"), deed)
    for step in (Play(0, cards_of("CA")[0]), ThrowOpen(1)):
        assert [one.code for one in checked(*start, step).findings] == ["P005"]
    assert checked(*start, Ruling(WORLD, False, "the referee")).findings == ()


@pytest.mark.parametrize("rules", ["iss", "xskat-std"])
def test_a_program_that_enforces_the_rules_knows_neither(rules: str) -> None:
    assert [one.code for one in checked(*GRAND, ThrowOpen(1), rules=rules).findings] == ["P014"]
    assert [one.code for one in checked(*GRAND, Show(1), rules=rules).findings] == ["D001"]


def test_neither_comes_before_the_declaration() -> None:
    for step in (ThrowOpen(1), Show(1)):
        report = checked(AuctionEnd(0, 18), step)
        assert [one.code for one in report.findings] == ["P011"]


def test_the_settlement_names_who_did_what_and_by_which_rule() -> None:
    profile = load_rules("isko").profile
    for deed, words, rule in (
        (ThrowOpen(1), "a defender threw his cards open", "ISkO 2022 4.4.6"),
        (ThrowOpen(0), "the declarer threw his cards open", "ISkO 2022 4.4.6"),
        (Show(1), "a defender showed his cards", "ISkO 2022 4.4.5"),
    ):
        report = checked(*GRAND, *plays_of("F CJ DJ SJ"), deed)
        assert report.outcome is not None
        lines = report.outcome.settlements[0].lines
        (line,) = [one for one in lines if words in one.text]
        assert profile.cite(line.topic) == rule


def test_no_way_to_fill_in_hidden_cards_gives_a_score_that_is_not_admissible() -> None:
    rng = random.Random(9)
    rules = load_rules("isko")
    compared = 0
    while compared < 25:
        record = random_game(rng, "isko").record
        plays = [at for at, step in enumerate(record.steps) if isinstance(step, Play)]
        declarer = next((s.seat for s in record.steps if isinstance(s, Declare)), None)
        if len(plays) < 25 or declarer is None:
            continue
        cut = plays[rng.randrange(15, len(plays) - 1)]
        seat = rng.randrange(3)
        deed: Step = ThrowOpen(seat)
        if seat != declarer and rng.random() < 0.6:
            deed = Show(seat)
        record = replace(record, steps=(*record.steps[:cut], deed), result=None)
        if check(record, rules).outcome is None or check(record, rules).findings:
            continue
        veiled, hidden = veil(rng, record)
        possible = scores(check(veiled, rules))
        for number, full in enumerate(completions(veiled, hidden)):
            report = check(full, rules)
            if report.verdict is not Verdict.CONTRADICTED:
                assert scores(report) <= possible, full
            if number > 40:
                break
        compared += 1


def test_a_discard_that_is_not_recorded_leaves_the_levels_open() -> None:
    deal = replace(DEAL, hands=(DEAL.hands[0], DEAL.hands[1], DEAL.hands[2]))
    taken = (AuctionEnd(0, 18), PickUp(0), Discard(0, (HIDDEN, HIDDEN)), Declare(0, "grand"))
    report = checked(*taken, *plays_of("F CJ DJ SJ"), ThrowOpen(1), deal=deal)
    assert report.verdict is Verdict.CONSISTENT
    assert levels(report) == {(False, False), (True, False), (True, True)}
