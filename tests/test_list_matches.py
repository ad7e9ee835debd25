"""Match rules of the profiles as lists meet them, and reports about list programs as cases."""

from __future__ import annotations

from fractions import Fraction

import pytest

from skatspec.formats.score_sheet import parse
from skatspec.rules import packaged_rules
from skatspec.session.judge import ListJudge
from skatspec.session.report import ListReport


def checked(rows: list[str], rules: str, top: str = "", system: str | None = None) -> ListReport:
    """Check a list of three: rows of `declarer score`, `-` for a deal passed in."""
    lines = [f"players;A;B;C\n{top}deal;declarer;value;total_1;total_2;total_3"]
    totals = [0, 0, 0]
    for number, row in enumerate(rows, 1):
        player, _, score = row.partition(" ")
        if score:
            totals[int(player) - 1] += int(score)
        lines.append(f"{number};{player};{score};{';'.join(map(str, totals))}")
    sheet = parse("\n".join(lines))
    assert not sheet.findings
    return ListJudge(packaged_rules(rules), system).check(sheet)


def codes(report: ListReport) -> list[str]:
    return [one.code for one in report.disputes]


# --- seed 000: twelve deals, passed-in ones included; the highest sum wins, equal ones share ---


def test_a_match_of_the_ledger_is_twelve_deals_with_those_passed_in() -> None:
    twelve = ["1 30", "-", "2 -40", "-", *["3 20"] * 8]
    assert codes(checked(twelve, "ledger")) == []
    assert codes(checked(twelve[:11], "ledger")) == ["L054"]
    assert codes(checked([*twelve, "-"], "ledger")) == ["L052"]


def test_eleven_deals_are_too_few_where_twelve_were_agreed() -> None:
    assert codes(checked(["1 30"] * 11, "ledger", "deals;12\n")) == ["L053"]


def test_a_table_of_four_is_none_under_the_ledger() -> None:
    sheet = parse("players;A;B;C;D\ndeals;1\ndeal;declarer;value\n1;2;30")
    report = ListJudge(packaged_rules("ledger")).check(sheet)
    assert "L019" in codes(report)


# --- seed 002: lengths by threes, thrown-in deals use one up --------------------------------


@pytest.mark.parametrize("deals", [3, 6, 12, 21, 24])
def test_a_table_match_has_any_length_by_threes(deals: int) -> None:
    assert codes(checked(["-"] * deals, "table-match")) == []


@pytest.mark.parametrize("deals", [1, 2, 4, 13, 25, 27])
def test_a_table_match_has_no_other_length(deals: int) -> None:
    assert codes(checked(["-"] * deals, "table-match", f"deals;{deals}\n")) == ["L055"]


# --- seed 004: a round in which each player has dealt once ----------------------------------


@pytest.mark.parametrize(("seats", "deals", "found"), [
    (3, 3, []), (3, 4, ["L056"]), (4, 4, []), (4, 6, ["L056"]), (5, 10, []), (5, 9, ["L056"]),
])  # fmt: skip
def test_a_round_of_the_game_circle_is_over_when_each_has_dealt_once(
    seats: int, deals: int, found: list[str]
) -> None:
    rows = "".join(f"{deal};-;\n" for deal in range(1, deals + 1))
    names = ";".join("ABCDE"[:seats])
    sheet = parse(f"players;{names}\ndealer;1\ndeal;declarer;value\n{rows}")
    assert codes(ListJudge(packaged_rules("game-circle")).check(sheet)) == found


def test_at_five_the_dealer_and_the_fourth_after_him_sit_out() -> None:
    rows = "1;1;20\n2;3;20\n3;4;20\n4;3;20\n5;2;20\n"
    sheet = parse(f"players;A;B;C;D;E\ndealer;1\ndeal;declarer;value\n{rows}")
    report = ListJudge(packaged_rules("game-circle")).check(sheet)
    # deal 1: A dealt, E sits out as well; deal 4: D dealt, and C sits out
    assert [(one.code, one.deal) for one in report.disputes] == [("L046", 1), ("L046", 4)]


# --- seed 001: thrown in, dealt again, uses up none -----------------------------------------


def test_a_deal_thrown_in_under_the_primer_is_none_of_the_match() -> None:
    sheet = parse("players;A;B;C\ndeals;2\ndeal;declarer;value\n1;2;20\n;-;\n2;3;20")
    report = ListJudge(packaged_rules("primer")).check(sheet)
    assert codes(report) == []
    assert (report.played, report.passed_in) == (2, 1)


# --- reports about other programs -----------------------------------------------------------


def test_u39_a_passed_in_row_corrected_to_a_null_changes_the_totals_from_there_on() -> None:
    before = ["1 30", "2 -40", "3 20", "1 18", "2 24", "3 -60", "-", "1 23", "2 33", "3 48"]
    after = [*before[:6], "1 23", *before[7:]]
    one, two = (checked(rows, "isko", f"deals;{len(rows)}\n", "plain") for rows in (before, after))
    assert codes(one) == codes(two) == []
    assert [len(report.sheet.rows) for report in (one, two)] == [10, 10]
    for number, (old, new) in enumerate(zip(one.sheet.rows, two.sheet.rows, strict=True), 1):
        moved = 23 if number >= 7 else 0
        assert [b - a for a, b in zip(old.totals, new.totals, strict=True)] == [moved, 0, 0]


def test_u39_old_totals_behind_a_corrected_row_only_follow() -> None:
    rows = ["1 30", "2 -40", "3 20", "1 18", "2 24", "3 -60", "-", "1 23", "2 33", "3 48"]
    report = checked(rows, "isko", "deals;10\n", "plain")
    lines = [f"{row.number};{'-' if row.declarer is None else row.declarer + 1};"
             f"{'' if row.value is None else row.value};{';'.join(map(str, row.totals))}"
             for row in report.sheet.rows]  # fmt: skip
    lines[6] = lines[6].replace("7;-;;", "7;1;23;")
    head = "players;A;B;C\ndeals;10\nsystem;plain\ndeal;declarer;value;total_1;total_2;total_3\n"
    found = ListJudge().check(parse(head + "\n".join(lines)))
    assert [(one.code, one.deal) for one in found.disputes] == [("L040", 7)]
    assert len(found.disputes[0].follow_on) == 3


@pytest.mark.parametrize(("score", "bonus", "total"), [(46, 50, 96), (-92, -50, -142)])
def test_u52_a_null_ouvert_counts_its_value_and_the_bonus(
    score: int, bonus: int, total: int
) -> None:
    report = checked([f"1 {score}"], "isko", "deals;1\n", "seeger")
    assert report.totals[0] == total == score + bonus


def test_u79_a_zero_sum_ledger_adds_up_to_nothing_in_every_row() -> None:
    rows = ["1 30", "2 -46", "-", "3 23", "1 -96"]
    text = ["players;A;B;C\nsystem;zero-sum\ndeals;5\ndeal;declarer;value;total_1;total_2;total_3"]
    totals = [Fraction(0)] * 3
    for number, row in enumerate(rows, 1):
        player, _, score = row.partition(" ")
        for seat in range(3) if score else ():
            own = seat == int(player) - 1
            totals[seat] += Fraction(int(score)) if own else -Fraction(int(score), 2)
        assert sum(totals) == 0
        text.append(f"{number};{player};{score};" + ";".join(str(float(one)) for one in totals))
    report = ListJudge().check(parse("\n".join(text)))
    assert codes(report) == []
    assert sum(report.totals) == 0
    assert list(report.totals) == totals


def test_u79_a_zero_sum_row_that_does_not_add_up_is_named() -> None:
    text = (
        "players;A;B;C\nsystem;zero-sum\ndeals;2\ndeal;declarer;value;total_1;total_2;total_3\n"
        "1;1;30;30;-15;-15\n2;2;-48;54;-63;-1\n"
    )
    report = ListJudge().check(parse(text))
    assert [(one.code, one.deal, one.player) for one in report.disputes] == [("L040", 2, 2)]
    assert report.disputes[0].expected == ("9",)
