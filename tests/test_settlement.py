"""What a game is worth, rule by rule.

ISkO 2015 2.4 matadors, 5.2 levels (5.2.2-5.2.7 read), 5.4.2 overbid; ISkO 2022 3.6.2
impossible Null. U numbers are public reports about Skat programs. What is said of a record
that states it wrong is in test_stated_results.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from skatspec.engine.settlement import Facts, Settlement, settle, settle_all, spread
from skatspec.errors import UsageError
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ
from skatspec.rules import load_rules
from skatspec.rules.tables import CONTRACT, Tables

SCHN, ALL_ANNOUNCED = HAND | SCHNEIDER, HAND | SCHNEIDER | SCHWARZ


def settled(
    contract: str,
    run: int,
    points: int,
    *,
    said: int = 0,
    bid: int | None = 18,
    tricks: int = 4,
    rules: str | Tables = "isko",
) -> Settlement:
    tables = load_rules(rules).tables if isinstance(rules, str) else rules
    return settle(tables, Facts(CONTRACT[contract], said, run, bid, points, tricks))


def score(contract: str, run: int, points: int, **more: object) -> int:
    return settled(contract, run, points, **more).score  # type: ignore[arg-type]


def house(tmp_path: Path, text: str) -> Tables:
    # rules are compiled once a path, so each house has its own
    path = tmp_path / f"house{len(list(tmp_path.iterdir()))}.yaml"
    path.write_text(f"name: house\nextends: isko\n{text}\n")
    return load_rules(path).tables


# --- points and levels ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "ledger"),
    [(29, -88), (30, -88), (31, -66), (59, -66), (60, -66), (61, 33), (89, 33), (90, 44), (91, 44)],
)
def test_61_points_win_and_30_are_schneider_for_either_party(points: int, ledger: int) -> None:
    # U04, U05: Spades with 2; 89 is not Schneider, 90 is
    assert score("spades", 2, points) == ledger


def test_schwarz_is_decided_by_tricks_not_points() -> None:
    # U07: 120 points, the defenders have a trick without points
    assert score("clubs", 1, 120, tricks=9) == 36
    assert score("clubs", 1, 120, tricks=10) == 48


def test_a_declarer_without_a_trick_is_schwarz_whatever_lies_in_the_skat() -> None:
    # U08
    assert score("clubs", 1, 21, tricks=0) == -96
    assert score("clubs", 1, 22, tricks=0) == -96
    assert score("clubs", 1, 0, tricks=1) == -72, "Schneider only"


@pytest.mark.parametrize(
    ("contract", "base"),
    [("diamonds", 9), ("hearts", 10), ("spades", 11), ("clubs", 12), ("grand", 24)],
)
def test_the_value_is_base_times_matadors_and_levels(contract: str, base: int) -> None:
    for run in (1, -1, 4, -4):
        assert score(contract, run, 70) == base * (abs(run) + 1)
        assert score(contract, run, 70, said=HAND) == base * (abs(run) + 2)
        assert score(contract, run, 95) == base * (abs(run) + 2)
        assert score(contract, run, 95, said=SCHN) == base * (abs(run) + 4)
        assert score(contract, run, 120, tricks=10) == base * (abs(run) + 3)
        assert score(contract, run, 120, said=SCHN, tricks=10) == base * (abs(run) + 5)
        assert score(contract, run, 120, said=ALL_ANNOUNCED, tricks=10) == base * (abs(run) + 6)


def test_the_examples_of_the_rule_text() -> None:
    # ISkO 2015 5.2.6
    everything = ALL_ANNOUNCED | OUVERT
    assert score("clubs", 2, 120, said=everything, tricks=10, bid=108) == 9 * 12 == 108
    assert score("grand", 4, 120, said=everything, tricks=10, bid=264) == 11 * 24 == 264


def test_a_loss_counts_double_hand_or_not() -> None:
    # U13: since 1999 a lost Hand game too
    assert score("hearts", 1, 60) == -40
    assert score("hearts", 1, 60, said=HAND) == -60
    assert score("grand", 4, 89, said=SCHN) == -384


def test_null_has_four_fixed_values_and_is_decided_by_tricks() -> None:
    for said, value in ((0, 23), (HAND, 35), (OUVERT, 46), (HAND | OUVERT, 59)):
        assert score("null", 0, 0, said=said, tricks=0) == value
        assert score("null", 0, 120, said=said, tricks=0) == value
        assert score("null", 0, 0, said=said, tricks=1) == -2 * value


# --- a missed announcement --------------------------------------------------------------


def test_a_missed_announcement_counts_the_promised_levels() -> None:
    # U09, U12: ISkO 2015 5.2.5
    assert score("hearts", 1, 70, said=SCHN) == -100
    assert score("clubs", 1, 110, said=ALL_ANNOUNCED, tricks=9) == -168


def test_who_loses_in_the_announced_level_is_not_charged_it_twice() -> None:
    assert score("clubs", 1, 25, said=SCHN) == score("clubs", 1, 70, said=SCHN) == -120


def test_a_higher_level_than_the_announced_one_counts() -> None:
    assert score("clubs", 1, 120, said=SCHN, tricks=10) == 72
    # decided: Schwarz, a level above the announced Schneider, counts against the declarer
    for profile in ("isko", "ledger", "iss"):
        assert score("clubs", 1, 20, said=SCHN, tricks=0, rules=profile) == -144


def test_grand_ouvert_is_lost_with_one_trick_given_up() -> None:
    # U06, U49
    assert score("grand", 4, 106, said=ALL_ANNOUNCED | OUVERT, tricks=9) == -528


def test_iss_client_charges_the_announcement_but_not_its_level() -> None:
    # record 1163253: Diamonds Hand, Schneider announced, with 2, 88 points
    assert score("diamonds", 2, 88, said=SCHN, rules="iss") == -108
    assert score("diamonds", 2, 88, said=SCHN, rules="iss-client") == -90
    # without a trick Schwarz is charged, Schneider is not
    assert score("diamonds", 2, 20, said=SCHN, tricks=0, rules="iss-client") == -108
    # a Schneider made in a missed Schwarz game is not charged
    assert score("diamonds", 2, 100, said=ALL_ANNOUNCED, tricks=9, rules="iss-client") == -108


def test_the_readings_of_a_missed_announcement_are_a_parameter(tmp_path: Path) -> None:
    for reading, multiple in (("promised", 5), ("announcement-only", 4), ("none", 3)):
        tables = house(tmp_path, f"settlement: {{missed_announcement: {reading}}}")
        assert score("clubs", 1, 70, said=SCHN, rules=tables) == -24 * multiple
    tables = house(tmp_path, "settlement: {missed_schneider_without_trick: ignored}")
    assert score("clubs", 1, 20, said=SCHN, tricks=0, rules=tables) == -120


def test_the_value_tested_against_the_bid_includes_the_promised_levels() -> None:
    assert settled("clubs", 1, 70, said=SCHN, bid=60).overbid is False
    missed = settled("clubs", 1, 70, said=SCHN, bid=66)
    assert (missed.overbid, missed.score) == (True, -144)


# --- overbid ----------------------------------------------------------------------------


def test_an_overbid_game_is_lost_whatever_the_points() -> None:
    # U01: Hearts with 1 at 24: the smallest multiple that reaches the bid
    assert score("hearts", 1, 55, bid=24) == -60
    assert score("hearts", 1, 80, bid=24) == -60
    assert settled("hearts", 1, 80, bid=24).overbid


def test_schneider_made_can_save_the_bid() -> None:
    assert score("diamonds", -1, 89, bid=22) == -54
    assert score("diamonds", -1, 90, bid=22) == 27


def test_hand_not_announced_does_not_save_the_bid() -> None:
    # U41: Spades without 1 at 23, the skat untouched, defenders 31
    assert score("spades", -1, 89, bid=23) == -66
    assert score("spades", -1, 89, bid=23, said=HAND) == 33


def test_the_value_equal_to_the_bid_is_enough() -> None:
    assert score("clubs", 2, 61, bid=36) == 36


def test_nothing_is_added_after_rounding_up() -> None:
    # own Schneider counts first: 30 < 36, then 40
    assert score("hearts", 1, 20, bid=36) == -80


def test_there_is_no_cap_on_the_charged_multiple() -> None:
    assert score("diamonds", 1, 70, bid=264) == -540


def test_the_comparison_and_the_price_are_parameters(tmp_path: Path) -> None:
    above = house(tmp_path, "bids: {satisfied: above}")
    assert score("clubs", 2, 61, bid=36, rules=above) == -72, "the price stays 36"
    assert score("clubs", 2, 61, bid=35, rules=above) == 36
    literal = house(tmp_path, "settlement: {overbid_price: base-value}")
    assert score("diamonds", 1, 78, bid=24, rules=literal) == -18
    single = house(tmp_path, "settlement: {loss_factor: 1}")
    assert score("hearts", 1, 60, rules=single) == -20


def test_a_bid_that_is_not_known_is_not_tested() -> None:
    one = settled("hearts", 1, 70, bid=None)
    assert (one.score, one.overbid) == (20, False)


# --- an impossible Null -----------------------------------------------------------------


def test_an_impossible_null_is_charged_as_the_cheapest_game_that_covers_the_bid() -> None:
    # U11: bid 24, one top jack: Clubs 24 -> -48, Diamonds 27 -> -54, ...
    one = settled("null", 1, 0, bid=24, tricks=0)
    assert (one.value, one.score, one.won, one.overbid) == (24, -48, False, True)
    assert one.covering == CONTRACT["clubs"]
    names = {CONTRACT["diamonds"]: 27, CONTRACT["hearts"]: 30}
    assert names.items() <= dict(one.alternatives).items()


def test_at_equal_prices_the_lower_base_is_charged() -> None:
    # case D08: Diamonds Hand 4 x 9 and Clubs Hand 3 x 12
    one = settled("null", 1, 0, bid=36, said=HAND, tricks=0)
    assert (one.value, one.covering) == (36, CONTRACT["diamonds"])


def test_hand_is_inherited_and_ouvert_is_not() -> None:
    assert settled("null", 2, 0, bid=60, said=HAND | OUVERT, tricks=0).value == 60
    plain = settled("null", 2, 0, bid=48, said=OUVERT, tricks=0)
    assert plain.value == 48, "Clubs 3 x 12 does not reach it, 4 x 12 does"


def test_the_declarer_chooses_the_covering_game() -> None:
    facts = Facts(CONTRACT["null"], 0, 1, 24, 0, 0, choice=CONTRACT["diamonds"])
    one = settle(load_rules("isko").tables, facts)
    assert (one.covering, one.value) == (CONTRACT["diamonds"], 27)
    assert "as chosen" in one.lines[1].text


def test_from_with_four_on_matadors_differ_by_suit_and_the_cards_are_needed() -> None:
    with pytest.raises(UsageError, match="twelve cards"):
        settled("null", 4, 0, bid=24)
    with pytest.raises(UsageError, match="twelve cards"):
        settled("null", 0, 0, bid=24)


def test_a_null_that_covers_its_bid_needs_no_cards() -> None:
    assert settled("null", 0, 0, bid=23, tricks=0).score == 23
    assert settled("null", 0, 0, bid=46, said=OUVERT, tricks=0).alternatives == ()


# --- words ------------------------------------------------------------------------------


def test_a_settlement_is_itemised_and_every_line_has_a_rule_with_its_edition() -> None:
    rules = load_rules("isko")
    one = settle(rules.tables, Facts(CONTRACT["hearts"], HAND, 2, 36, 72, 6))
    text = [line.text for line in one.lines]
    assert text == [
        "with 2", "game", "Hand", "4 x 10 hearts = 40", "bid 36 covered", "72 points; won: +40",
    ]  # fmt: skip
    assert sum(line.multiple for line in one.lines) == 4
    for profile in ("isko", "isko-2015"):
        edition = "2022" if profile == "isko" else "2015"
        for line in one.lines:
            assert edition in load_rules(profile).profile.cite(line.topic), line


def test_a_lost_game_says_why() -> None:
    texts = [line.text for line in settled("hearts", 1, 70, bid=24).lines]
    assert texts[-3:] == [
        "bid 24 not covered: overbid, charged 30", "70 points", "lost as overbid, times 2: -60",
    ]  # fmt: skip
    texts = [line.text for line in settled("hearts", 1, 70, said=SCHN).lines]
    assert "the announcement was missed" in texts
    texts = [line.text for line in settled("null", 0, 0, tricks=1).lines]
    assert texts[-2:] == ["1 trick", "lost, times 2: -46"]


# --- facts that are open ----------------------------------------------------------------


def test_120_points_leave_schwarz_open_and_22_leave_own_schwarz_open() -> None:
    tables = load_rules("isko").tables

    def scores(points: int) -> list[int]:
        facts = Facts(CONTRACT["clubs"], 0, 1, 18, points, 0)
        options = spread(tables, facts, matadors=[1], bids=[18], points=[points], tricks=range(11))
        return [one.score for one in settle_all(tables, options)]

    assert scores(120) == [48, 36]
    assert scores(22) == [-72, -96]
    assert scores(119) == [36] and scores(23) == [-72] and scores(60) == [-48]


def test_two_overbid_outcomes_that_cost_the_same_but_differ_in_a_level_stay_apart() -> None:
    # A record may state the level; forgetting one of them would call it wrong.
    tables = load_rules("isko").tables
    facts = Facts(CONTRACT["diamonds"], 0, 1, 150, 0, 5)
    options = spread(tables, facts, matadors=[1], bids=[150], points=[70, 95], tricks=[5])
    found = settle_all(tables, options)
    assert [one.score for one in found] == [-306, -306]
    assert {one.schneider for one in found} == {True, False}
