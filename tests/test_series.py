"""Bock and Ramsch rounds over the deals of a table: what one deal makes of the next ones.

The rules are XSkat's (XSkat 4.0, run with -bock and -bockramsch): events add three deals
each, a deal is never more than doubled, a Ramsch round follows each block of three.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

import skatspec
from skatspec import Record, Report, Verdict

LOST_WITH_KONTRA = "xskat -kontra -bock -bockevents 4"
WITH_RAMSCH = "xskat -kontra -ramsch -bockramsch -bockevents 4"


def deal(
    number: int, score: int, kontra: bool = False, places: str | None = "1 2 3", more: str = ""
) -> Record:
    """Return a diamonds game with 1, lost with 50 points or won with 70; no card is known."""
    won = score > 0
    tags = f'[Places "{places}"]\n' if places else ""
    text = (
        f"%skat 1\n{tags}[Seed \"7 {number} 1\"]\n{more}auction\n  F plays at 18\n"
        "contract\n  F takes the skat, diamonds\n" + ("  M kontra\n" if kontra else "")
        + f"result\n  F {'won' if won else 'lost'} {abs(score)}, "
        f"points {70 if won else 50}, tricks 5, with 1\n"
    )  # fmt: skip
    record = skatspec.parse(text)
    assert isinstance(record, Record) and not record.findings
    return record


def reports(records: Iterable[Record], rules: str = LOST_WITH_KONTRA) -> list[Report]:
    return list(skatspec.check_all(records, rules))


def letters(found: Iterable[Report]) -> str:
    return "".join(report.verdict.value[0] for report in found)


def test_an_event_doubles_the_next_three_deals_and_no_more() -> None:
    evening = [deal(0, -72, kontra=True), deal(1, 36), deal(2, -72), deal(3, 36), deal(4, 18)]
    assert letters(reports(evening)) == "ccccc"
    plain = [deal(0, -72, kontra=True), deal(1, 18), deal(2, -36), deal(3, 18), deal(4, 36)]
    assert [one.verdict for one in reports(plain)[1:]] == [Verdict.CONTRADICTED] * 4


def test_a_second_event_adds_three_deals_and_does_not_double_twice() -> None:
    evening = [deal(0, -72, kontra=True), deal(1, -144, kontra=True)]
    evening += [deal(number, 36) for number in range(2, 7)] + [deal(7, 18)]
    assert letters(reports(evening)) == "c" * 8


def test_a_single_record_leaves_its_round_open() -> None:
    for score in (18, 36):
        report = skatspec.check(deal(3, score), LOST_WITH_KONTRA)
        assert report.verdict is Verdict.UNDETERMINED
        assert report.admissible["score"] == [18, 36]
    assert skatspec.check(deal(3, 54), LOST_WITH_KONTRA).verdict is Verdict.CONTRADICTED


def test_the_tag_round_says_which_round_it_is() -> None:
    rules = LOST_WITH_KONTRA
    bock, normal = '[Round "bock"]\n', '[Round "normal"]\n'
    for tag, score in ((bock, 36), (normal, 18)):
        record = deal(3, score, places=None, more=tag)
        assert skatspec.check(record, rules).verdict is Verdict.CONSISTENT
        other = deal(3, 54 - score, places=None, more=tag)
        assert skatspec.check(other, rules).verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize("rules", ["isko", "xskat -kontra", LOST_WITH_KONTRA])
def test_a_round_that_the_rules_do_not_have_is_refused(rules: str) -> None:
    report = skatspec.check(deal(3, 18, more='[Round "ramsch"]\n'), rules)
    assert [one.code for one in report.findings] == ["R009"]


def test_a_round_that_the_deals_before_do_not_make_due_is_refused() -> None:
    evening = [deal(0, 18), deal(1, 36, more='[Round "bock"]\n')]
    found = reports(evening)
    assert [[one.code for one in report.findings] for report in found] == [[], ["R009"]]


def test_a_log_that_begins_in_the_middle_leaves_the_round_open() -> None:
    assert letters(reports([deal(5, 18), deal(6, 36)])) == "uu"


def test_a_missing_deal_leaves_the_round_open_and_a_new_start_ends_that() -> None:
    evening = [deal(0, -72, kontra=True), deal(1, 36), deal(4, 36), deal(5, 18), deal(0, 18)]
    assert letters(reports(evening)) == "ccuuc"


def test_a_new_start_begins_anew_unless_the_program_resumes() -> None:
    evening = [deal(0, -72, kontra=True), deal(1, 36), deal(0, 18)]
    assert letters(reports(evening)) == "ccc"
    resumed = LOST_WITH_KONTRA + " -resumebock"
    # what the log's first start resumed is not known, nor what follows from it
    assert letters(reports(evening, resumed)) == "uuu"


def test_a_deal_played_again_changes_nothing_and_loses_the_events_before_it() -> None:
    again = deal(0, 18)
    again = skatspec.parse(skatspec.write(again).replace('"7 0 1"', '"7 0 1 L"'))  # type: ignore[assignment]
    evening = [deal(0, -72, kontra=True), again, deal(1, 18)]
    assert letters(reports(evening)) == "ccc"


def test_a_saved_copy_counts_for_nothing() -> None:
    copy = deal(0, -72, kontra=True, more='[Copy "yes"]\n')
    evening = [deal(0, -72, kontra=True), copy, deal(1, 36), deal(2, 36), deal(3, 36), deal(4, 18)]
    assert letters(reports(evening)) == "c" * 6


def test_a_deal_that_cannot_be_judged_leaves_the_next_ones_open() -> None:
    silent = skatspec.parse('%skat 1\n[Places "1 2 3"]\n[Seed "7 1 1"]\ncontract\n  F diamonds\n')
    assert isinstance(silent, Record)
    evening = [deal(0, 18), silent, deal(2, 18), deal(3, 36)]
    assert letters(reports(evening)) == "ccuu"


def test_players_are_followed_by_their_places_not_by_their_seats() -> None:
    # 16: a running score with three equal digits, 000 among them
    rules = "xskat -bock -bockevents 16"
    won = [deal(0, 18, places="2 3 1"), deal(1, 18, places="2 3 1")]
    back_to_nothing = [*won, deal(2, -36, places="2 3 1"), deal(3, 36)]
    assert letters(reports(back_to_nothing, rules)) == "cccc"
    somebody_else = [*won, deal(2, -36, places="1 2 3"), deal(3, 18)]
    assert letters(reports(somebody_else, rules)) == "cccc"


def test_a_ramsch_round_follows_a_block_of_bock_deals() -> None:
    grand_hand = skatspec.parse(
        '%skat 1\n[Places "1 2 3"]\n[Seed "7 4 1"]\n[Round "ramsch"]\n'
        "contract\n  F grand hand\nresult\n  F won 72, points 70, tricks 5, with 1\n"
    )
    assert isinstance(grand_hand, Record)
    evening = [deal(0, -72, kontra=True), *(deal(number, 36) for number in range(1, 4))]
    assert letters(reports([*evening, grand_hand], WITH_RAMSCH)) == "ccccc"
    instead = reports([*evening, deal(4, 18)], WITH_RAMSCH)[-1]
    assert [one.code for one in instead.findings] == ["D020"]


def test_what_a_list_says_of_the_rounds_behind_a_deal_must_be_so() -> None:
    lost = deal(0, -72, kontra=True)
    for said, codes in (("0 1 0", []), ("0 0 0", ["L005"]), ("3 1 0", ["L005"])):
        last = replace(lost, tags=(*lost.tags, ("Rounds", said)))
        (report,) = reports([last])
        assert [one.code for one in report.findings] == codes
        assert (report.verdict is Verdict.CONTRADICTED) == bool(codes)
    # where the rounds are not known, nothing is said of them
    cut = replace(deal(5, 18), tags=(*deal(5, 18).tags, ("Rounds", "9 9 9")))
    assert "L005" not in {one.code for one in reports([cut])[0].findings}
