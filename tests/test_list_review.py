"""Figures of disputed lists added up once more by hand: what stands below, and between, the rows.

Every list is small enough to be added up in the head; what it should come to is written
beside it. Places are those of the one list.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from skatspec.diagnostics import message
from skatspec.formats.score_sheet import parse
from skatspec.rules import load_rules
from skatspec.rules.match import compile_match
from skatspec.session.judge import ListJudge
from skatspec.session.report import Dispute, ListReport
from skatspec.session.rows import RowJudge
from skatspec.session.standings import ListResult, Standings
from skatspec.sheet import Account

ISKO = compile_match(load_rules("isko").profile)
HEADINGS = (
    "deal,declarer,contract,matadors,hand,schneider,schneider_announced,schwarz,"
    "schwarz_announced,ouvert,bid,points,result,value,total_1,total_2,total_3"
)
FLAGS = dict.fromkeys(
    ("hand", "schneider", "schneider_announced", "schwarz", "schwarz_announced", "ouvert"), False
)


def row(deal: int, declarer: int, game: str, result: str, value: str, totals: str) -> str:
    """Return a row of a game with 1 at 18, no levels."""
    return f"{deal},{declarer},{game},with 1,,,,,,,18,,{result},{value},{totals}"


def below(kind: str, figures: str) -> str:
    """Return a line of sums."""
    return f"{kind}{',' * 14}{figures}"


def check(lines: Sequence[str], system: str = "seeger-fabian", rules: str = "isko") -> ListReport:
    top = ["players,Anna,Ben,Cem", f"rules,{rules}", f"system,{system}", HEADINGS]
    return ListJudge().check(parse("\n".join([*top, *lines]) + "\n"))


def totals(report: ListReport, corrected: bool = False) -> list[float]:
    """Return the totals in the standings as entered, or corrected, Anna's first."""
    standings = Standings(ISKO, report.system)
    standings.add(ListResult.of(report, ISKO))
    places = sorted(standings.table(corrected), key=lambda one: one.player)
    return [float(one.total) for one in places]


def effects(report: ListReport, dispute: Dispute) -> list[dict[str, float]]:
    """Return the total that each player moved has then, for each way to correct."""
    standings = Standings(ISKO, report.system)
    result = ListResult.of(report, ISKO)
    standings.add(result)
    return [
        {
            one.player: float(one.total_then)
            for one in moved
            if one.total_now != one.total_then
        }
        for moved in standings.effect(dispute.corrections, result)
    ]  # fmt: skip


def only(report: ListReport, code: str, line: int | None = None) -> Dispute:
    (found,) = (one for one in report.disputes
                if one.code == code and line in (None, one.line))  # fmt: skip
    return found


# --- lines between the rows -------------------------------------------------------------

FIRST_TWO = (row(1, 1, "grand", "won", "48", "48,0,0"), row(2, 2, "spades", "won", "22", "48,22,0"))


@pytest.mark.parametrize(
    "between",
    [(), (below("points", "48,22,0"),), (below("won", "1,1,0"),), (below("total", "98,72,0"),)],
    ids=["none", "points", "won", "total"],
)
def test_a_right_subtotal_hides_no_fault_that_comes_after_it(between: Sequence[str]) -> None:
    later = (row(3, 1, "hearts", "lost", "40", "88,22,0"),
             row(4, 3, "spades", "won", "22", "88,22,22"))  # fmt: skip
    report = check([*FIRST_TWO, *between, *later], "seeger")
    assert totals(report) == [188, 72, 72]
    assert effects(report, only(report, "L031")) == [{"Anna": 8}]


@pytest.mark.parametrize("kind, figures", [("points", "58,22,0"), ("total", "108,72,0")])
def test_a_wrong_subtotal_that_the_rows_do_not_go_on_from_moves_nobody(
    kind: str, figures: str
) -> None:
    later = (row(3, 1, "hearts", "lost", "-40", "8,22,0"),)
    report = check([*FIRST_TWO, below(kind, figures), *later], "seeger")
    assert totals(report) == [8, 72, 0]
    assert effects(report, only(report, "L041")) == [{}]


def test_a_total_is_not_right_because_points_of_a_subtotal_add_up_to_it() -> None:
    later = (row(3, 1, "hearts", "lost", "-40", "8,22,0"),)
    sums = (below("bonus", "0,50,0"), below("total", "48,72,0"))
    report = check([*FIRST_TWO, below("points", "48,22,0"), *later, *sums], "seeger")
    assert [(one.code, one.player) for one in report.disputes if one.line] == [("L041", 0)]


# --- lines below the rows ---------------------------------------------------------------


def test_a_wrong_sign_in_one_cell_leaves_the_totals_that_stand_rightly_below() -> None:
    rows = [row(1, 1, "grand", "won", "48", "48,0,0"), row(2, 3, "spades", "won", "-22", "48,0,22")]
    report = check([*rows, below("total", "98,0,72")])
    assert totals(report) == [98, 0, 72]
    assert totals(report, corrected=True) == [98, 0, 72]


def test_a_wrong_count_of_games_lost_leaves_the_totals_that_stand_rightly_below() -> None:
    rows = [*FIRST_TWO, row(3, 1, "hearts", "lost", "-40", "8,22,0")]
    report = check([*rows, below("lost", "1,0,1"), below("total", "8,112,40")])
    assert totals(report) == [8, 112, 40]


def test_a_wrong_bonus_that_the_total_does_not_have_moves_nobody() -> None:
    rows = [*FIRST_TWO, row(3, 1, "hearts", "lost", "-40", "8,22,0")]
    report = check([*rows, below("bonus", "50,50,0"), below("total", "8,72,0")], "seeger")
    assert totals(report) == [8, 72, 0]
    assert totals(report, corrected=True) == [8, 72, 0]
    assert effects(report, only(report, "L041")) == [{}]


def test_counts_that_two_faults_leave_as_they_are_change_no_effect() -> None:
    rows = [row(1, 1, "grand", "won", "-48", "-48,0,0"),
            row(2, 1, "hearts", "lost", "40", "-8,0,0")]  # fmt: skip
    counts = [below("won", "1,0,0"), below("lost", "1,0,0")]
    for lines in (rows, [*rows, *counts]):
        report = check(lines, "seeger")
        # corrected alone: 48 and 40 with two games won, or -48 and -40 with two lost
        assert effects(report, only(report, "L031", 5)) == [{"Anna": 188}]
        assert effects(report, only(report, "L031", 6)) == [{"Anna": -188}]


def test_where_several_values_are_possible_the_others_pay_their_share_of_each() -> None:
    rows = [row(1, 1, "grand", "", "50", "50,-25,-25")]
    report = check(rows, "zero-sum")
    assert effects(report, only(report, "L030")) == [
        {"Anna": 48, "Ben": -24, "Cem": -24},
        {"Anna": -96, "Ben": 48, "Cem": 48},
    ]


# --- rows -------------------------------------------------------------------------------


def test_a_null_without_columns_for_hand_and_ouvert_may_cover_its_bid_by_them() -> None:
    judge = RowJudge(load_rules("iss-client").tables)
    said = Account("null", bid=30)
    assert judge.judge(said, 35).found is None
    assert judge.judge(said, 24).expected == (59, 46, 35, -70, -92, -118)


def test_matadors_of_no_side_may_be_missing_in_a_null_below_its_bid() -> None:
    judge = RowJudge(load_rules("isko").tables)
    said = Account("null", matadors=4, unsigned=True, bid=60, **FLAGS)
    # the four highest trumps missing, and four more in each suit: diamonds 9 x 9, doubled
    assert judge.judge(said, -162).found is None


def test_a_null_below_its_bid_is_said_to_be_worth_what_a_null_is() -> None:
    judge = RowJudge(load_rules("isko").tables)
    found = judge.judge(Account("null", matadors=1, bid=54, **FLAGS), 23).found
    assert found is not None and found.code == "L033"
    assert message(found) == "the bid of 54 is not covered by 23: lost, -108"


def test_a_row_that_does_not_say_who_won_is_not_called_lost_and_expected_to_be_won() -> None:
    judge = RowJudge(load_rules("isko").tables)
    found = judge.judge(Account("grand", matadors=1, bid=18, **FLAGS), -48).found
    assert found is not None and found.code != "L031"


@pytest.mark.parametrize("value", [-18, -20, -22, -24])
def test_a_loss_that_was_not_doubled_is_no_value_of_any_game(value: int) -> None:
    judge = RowJudge(load_rules("isko").tables)
    assert judge.judge(Account(), value).found is not None


def test_what_a_row_without_its_game_should_be_is_not_known() -> None:
    top = "players,Anna,Ben,Cem\nrules,isko\ndeal,declarer,value\n1,1,25\n"
    report = ListJudge().check(parse(top))
    assert only(report, "L030").corrections == ()


def test_a_game_entered_as_won_with_too_few_points_is_faulted_at_its_result() -> None:
    line = "1,1,hearts,with 1,,,,,,,18,50,won,-40,-40,0,0"
    found = only(check([line]), "L034")
    assert (found.entered, found.expected) != ("-40", ("-40",))


def test_a_null_lost_without_a_trick_is_not_refused_the_value_that_is_expected() -> None:
    judge = RowJudge(load_rules("isko").tables)
    found = judge.judge(Account("null", bid=18, tricks=0, won=False, **FLAGS), 23).found
    assert found is not None and found.read != found.expected


# --- the order of the deals -------------------------------------------------------------


def test_the_number_of_deals_agreed_tells_the_same_wherever_it_is_said() -> None:
    rows = "\n".join(f"{number},{at},{at % 4 + 1},48"
                     for at, number in enumerate((1, 2, 3, 6), 1))  # fmt: skip
    text = "players,Anna,Ben,Cem,Dirk\nrules,iss\n{}deal,dealer,declarer,value\n" + rows + "\n"
    stated = ListJudge().check(parse(text.format("deals,4\n")))
    asked = ListJudge(length=4).check(parse(text.format("")))
    assert [one.code for one in asked.disputes] == [one.code for one in stated.disputes]
