"""Deal, skat, discard and declaration; every R code of a deal and every D code of the engine.

Rules: ISkO 3.2 deal, 3.5 skat and announcement (2.5: what an announcement includes).
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from skatspec.check import Report, check
from skatspec.diagnostics import Severity, Verdict
from skatspec.engine.replay import replay
from skatspec.record import (
    FOREHAND,
    HAND,
    MIDDLEHAND,
    OUVERT,
    SCHNEIDER,
    SCHWARZ,
    Deal,
    Declare,
    Discard,
    PickUp,
    Record,
    Result,
    Show,
    Step,
)
from skatspec.rules import load_rules
from tests.gamegen import calls_of, cards_of, deal_of, plays_of

DEAL = deal_of(
    "CJ SJ HA HT HK HQ CA CT S7 D9",
    "HJ H9 H8 CK CQ SA ST SK DA D8",
    "DJ H7 C9 C8 C7 SQ S9 S8 DT DK",
    "DQ D7",
)
WON = calls_of("M18 Fy Mp Rp")
TAKE = PickUp(FOREHAND, cards_of("DQ D7"))
AWAY = Discard(FOREHAND, cards_of("S7 D9"))
HEARTS = Declare(FOREHAND, "hearts")
LEAD = plays_of("F CJ HJ DJ")


def checked(
    *steps: Step, profile: str = "isko", deal: Deal | None = DEAL, result: Result | None = None
) -> Report:
    return check(Record((), deal, steps, result), load_rules(profile))


def only_fault(report: Report) -> tuple[str, int]:
    """Return code and step of the one error of a report; it says what was expected."""
    errors = [one for one in report.findings if one.severity is Severity.ERROR]
    assert report.verdict is Verdict.CONTRADICTED and len(errors) == 1, report.findings
    assert errors[0].expected and errors[0].message
    return errors[0].code, errors[0].step


# --- the deal ---------------------------------------------------------------------------


def test_a_card_dealt_twice_is_found_with_both_places() -> None:
    # B20 of the bad inputs
    first, second, third = DEAL.hands
    assert second is not None
    double = Deal((first, (*second[:9], cards_of("CJ")[0]), third), DEAL.skat)
    report = checked(deal=double)
    assert only_fault(report) == ("R001", 0)
    assert "CJ" in report.findings[0].message
    played = replay(Record((), double), load_rules("isko").tables)
    assert played.fault is not None and dict(played.fault.slots)["other"] == "deal/0/0"
    assert played.fault.part == "deal/1/9"


@pytest.mark.parametrize("size", [0, 9, 11, 32])
def test_a_hand_is_ten_cards(size: int) -> None:
    # B21: 31 or 33 cards, a hand of nine
    wrong = Deal((tuple(range(size)), None, None), None)
    assert only_fault(checked(deal=wrong)) == ("R002", 0)


@pytest.mark.parametrize("text", ["", "DQ", "DQ D7 D8"])
def test_the_skat_is_two_cards(text: str) -> None:
    report = checked(deal=replace(DEAL, skat=cards_of(text)))
    assert only_fault(report) == ("R003", 0)


def test_a_deal_may_be_given_in_part_or_not_at_all() -> None:
    steps = (*WON, TAKE, AWAY, HEARTS, *LEAD)
    for deal in (None, Deal((None, None, None), None), Deal((DEAL.hands[0], None, None), None)):
        assert checked(*steps, deal=deal).verdict is Verdict.CONSISTENT


# --- the skat ---------------------------------------------------------------------------


def test_the_declarer_takes_the_skat_puts_two_cards_away_and_announces() -> None:
    report = checked(*WON, TAKE, AWAY, HEARTS, *LEAD)
    assert report.verdict is Verdict.CONSISTENT and not report.findings
    assert (report.matadors, report.contract, report.bid) == (2, "hearts", 18)


def test_a_record_may_write_the_discard_before_or_behind_the_declaration() -> None:
    before = checked(*WON, TAKE, AWAY, HEARTS, *LEAD)
    behind = checked(*WON, TAKE, HEARTS, AWAY, *LEAD)
    assert (before.verdict, before.admissible) == (behind.verdict, behind.admissible)


def test_the_declarer_may_put_the_skat_itself_away() -> None:
    away = Discard(FOREHAND, cards_of("DQ D7"))
    assert checked(*WON, TAKE, away, HEARTS, *LEAD).verdict is Verdict.CONSISTENT


def test_the_skat_taken_up_is_the_skat_dealt() -> None:
    other = PickUp(FOREHAND, cards_of("DQ D8"))
    assert only_fault(checked(*WON, other)) == ("R004", 5)
    twice = PickUp(FOREHAND, cards_of("DQ DQ"))
    assert only_fault(checked(*WON, twice)) == ("R004", 5)
    assert only_fault(checked(*WON, twice, deal=None)) == ("R004", 5)


def test_the_skat_taken_up_is_two_cards() -> None:
    assert only_fault(checked(*WON, PickUp(FOREHAND, cards_of("DQ")))) == ("R003", 5)


def test_the_skat_is_not_taken_twice() -> None:
    assert only_fault(checked(*WON, TAKE, TAKE)) == ("D002", 6)


def test_the_skat_is_not_taken_after_the_declaration() -> None:
    assert only_fault(checked(*WON, HEARTS, TAKE)) == ("D003", 6)


def test_another_player_does_not_take_part_in_the_declaration() -> None:
    assert only_fault(checked(*WON, TAKE, Discard(MIDDLEHAND, AWAY.cards))) == ("D001", 6)
    assert only_fault(checked(*WON, TAKE, AWAY, Declare(MIDDLEHAND, "clubs"))) == ("D001", 7)


# --- the discard ------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "S7", "S7 D9 D7"])
def test_two_cards_are_put_away(text: str) -> None:
    assert only_fault(checked(*WON, TAKE, Discard(FOREHAND, cards_of(text)))) == ("D004", 6)


def test_cards_are_put_away_once() -> None:
    assert only_fault(checked(*WON, TAKE, AWAY, AWAY)) == ("D004", 7)


def test_what_is_put_away_is_held() -> None:
    report = checked(*WON, TAKE, Discard(FOREHAND, cards_of("S7 DK")))
    assert only_fault(report) == ("D005", 6)
    assert report.findings[0].read == "DK"


def test_a_card_is_not_put_away_twice() -> None:
    assert only_fault(checked(*WON, TAKE, Discard(FOREHAND, cards_of("S7 S7")))) == ("D006", 6)


def test_nothing_is_put_away_in_a_hand_game() -> None:
    hand = Declare(FOREHAND, "hearts", HAND)
    assert only_fault(checked(*WON, hand, AWAY)) == ("D013", 6)


def test_a_discard_that_is_not_recorded_is_open() -> None:
    report = checked(*WON, TAKE, HEARTS, *LEAD)
    assert report.verdict is Verdict.CONSISTENT
    assert report.matadors == 2, "the twelve cards are known whatever was put away"


# --- announcements ----------------------------------------------------------------------


@pytest.mark.parametrize("words", [HAND, HAND | SCHNEIDER, HAND | SCHWARZ, OUVERT, HAND | OUVERT])
@pytest.mark.parametrize("contract", ["clubs", "grand"])
def test_hand_schneider_schwarz_and_ouvert_are_announced_in_a_hand_game(
    contract: str, words: int
) -> None:
    report = checked(*WON, Declare(FOREHAND, contract, words))
    assert report.verdict is Verdict.CONSISTENT and not report.findings


def expanded(contract: str, words: int) -> int:
    played = replay(
        Record((), DEAL, (*WON, Declare(FOREHAND, contract, words))), load_rules("isko").tables
    )
    assert played.fault is None
    return played.game.modifiers


def test_announced_schwarz_includes_announced_schneider() -> None:
    # ISkO 2015 5.2.5
    assert expanded("clubs", HAND | SCHWARZ) == HAND | SCHNEIDER | SCHWARZ


def test_ouvert_in_suit_and_grand_includes_hand_and_announced_schwarz() -> None:
    # ISkO 2015 5.2.6; a short form stands for all it includes
    assert expanded("grand", OUVERT) == HAND | SCHNEIDER | SCHWARZ | OUVERT
    assert expanded("clubs", OUVERT) == HAND | SCHNEIDER | SCHWARZ | OUVERT


def test_null_ouvert_includes_nothing() -> None:
    assert expanded("null", OUVERT) == OUVERT
    assert expanded("null", OUVERT | HAND) == OUVERT | HAND


@pytest.mark.parametrize("words", [HAND, SCHNEIDER, HAND | SCHNEIDER, SCHWARZ, OUVERT])
def test_nothing_is_announced_in_a_suit_game_once_the_skat_is_taken_up(words: int) -> None:
    # B28 of the bad inputs
    for contract in ("hearts", "grand"):
        report = checked(*WON, TAKE, AWAY, Declare(FOREHAND, contract, words))
        assert only_fault(report) == ("D008", 7)


def test_null_ouvert_may_be_announced_after_the_skat_is_taken_up() -> None:
    report = checked(*WON, TAKE, AWAY, Declare(FOREHAND, "null", OUVERT))
    assert report.verdict is Verdict.CONSISTENT
    assert only_fault(checked(*WON, TAKE, AWAY, Declare(FOREHAND, "null", HAND))) == ("D008", 7)


@pytest.mark.parametrize("words", [SCHNEIDER, SCHWARZ, SCHNEIDER | SCHWARZ])
def test_schneider_and_schwarz_are_announced_only_with_hand(words: int) -> None:
    assert only_fault(checked(*WON, Declare(FOREHAND, "hearts", words))) == ("D007", 5)


@pytest.mark.parametrize("words", [SCHNEIDER, SCHWARZ | HAND, SCHNEIDER | HAND | OUVERT])
def test_null_knows_no_schneider(words: int) -> None:
    assert only_fault(checked(*WON, Declare(FOREHAND, "null", words))) == ("D007", 5)


def test_a_game_that_these_rules_do_not_have_is_named() -> None:
    for contract in ("tramp", "", "Hearts"):
        assert only_fault(checked(*WON, Declare(FOREHAND, contract))) == ("D016", 5)


def test_a_declaration_is_irrevocable() -> None:
    # U48, U49 of the public reports: no raising of Spades 22 to Null 23, no joke
    report = checked(*WON, TAKE, AWAY, Declare(FOREHAND, "spades"), Declare(FOREHAND, "null"))
    assert only_fault(report) == ("D012", 8)


def test_the_skat_untouched_does_not_make_a_hand_game() -> None:
    # U41: Hand counts only when announced
    report = checked(*WON, HEARTS)
    assert [(one.code, one.severity) for one in report.findings] == [("D014", Severity.NOTE)]
    assert report.replay is not None and not report.replay.game.hand


def test_no_card_is_played_before_the_declaration() -> None:
    assert only_fault(checked(*WON, TAKE, AWAY, *LEAD)) == ("D010", 7)
    assert only_fault(checked(*LEAD)) == ("D010", 1)


# --- a Null below the bid ---------------------------------------------------------------


def test_the_server_refuses_a_null_that_does_not_cover_the_bid() -> None:
    null = Declare(FOREHAND, "null")
    for profile in ("iss", "iss-client"):
        report = checked(*calls_of("M24 Fy Mp Rp"), TAKE, AWAY, null, profile=profile)
        assert only_fault(report) == ("D009", 7)
        assert "23" in report.findings[0].message and "24" in report.findings[0].message
        at_23 = checked(*calls_of("M23 Fy Mp Rp"), TAKE, AWAY, null, profile=profile)
        assert at_23.verdict is Verdict.CONSISTENT


@pytest.mark.parametrize("profile", ["isko", "ledger"])
def test_a_null_below_the_bid_is_lost_at_once_and_no_fault(profile: str) -> None:
    null = Declare(FOREHAND, "null")
    report = checked(*calls_of("M24 Fy Mp Rp"), TAKE, AWAY, null, profile=profile)
    assert report.verdict is Verdict.CONSISTENT
    # with 2: Diamonds 27, Hearts 30, Spades 33, Clubs 36, Grand 72
    assert (report.value, report.score) == (27, -54)
    assert report.admissible["value"] == [27, 30, 33, 36, 72]


@pytest.mark.parametrize("profile", ["isko", "ledger"])
def test_the_discard_behind_such_a_null_still_belongs_to_it(profile: str) -> None:
    # The declaration ends the game; a discard written behind it is no step after the end.
    calls, null = calls_of("M24 Fy Mp Rp"), Declare(FOREHAND, "null")
    before = checked(*calls, TAKE, AWAY, null, profile=profile)
    behind = checked(*calls, TAKE, null, AWAY, profile=profile)
    assert behind.verdict is Verdict.CONSISTENT and not behind.findings
    assert (behind.points, behind.value) == (before.points, before.value) == (0, 27)
    wrong = Discard(FOREHAND, cards_of("S7 DK"))
    assert only_fault(checked(*calls, TAKE, null, wrong, profile=profile)) == ("D005", 7)


# --- cards laid open --------------------------------------------------------------------

TEN = "CJ SJ HA HT HK HQ CA CT DQ D7"


def test_ouvert_shows_all_ten_cards() -> None:
    ouvert = Declare(FOREHAND, "null", OUVERT)
    shown = replace(ouvert, shown=cards_of(TEN))
    assert checked(*WON, TAKE, AWAY, shown).verdict is Verdict.CONSISTENT
    for text in (TEN[3:], TEN + " S7", TEN.replace("CJ", "S7"), TEN.replace("CJ", "SJ")):
        report = checked(*WON, TAKE, AWAY, replace(ouvert, shown=cards_of(text)))
        assert only_fault(report) == ("D015", 7)


def test_ouvert_with_and_without_the_cards_are_one_game() -> None:
    # U23 of the public reports: the list of the cards shown may be missing
    ouvert = Declare(FOREHAND, "null", OUVERT)
    with_cards = checked(*WON, TAKE, AWAY, replace(ouvert, shown=cards_of(TEN)))
    without = checked(*WON, TAKE, AWAY, ouvert)
    assert (with_cards.verdict, with_cards.findings) == (without.verdict, without.findings)


def test_a_card_shown_as_held_is_not_put_away_afterwards() -> None:
    shown = Declare(FOREHAND, "null", OUVERT, cards_of(TEN))
    assert checked(*WON, TAKE, shown, AWAY).verdict is Verdict.CONSISTENT
    other = Discard(FOREHAND, cards_of("S7 D7"))
    assert only_fault(checked(*WON, TAKE, shown, other)) == ("D005", 7)


def test_showing_cards_before_a_hidden_discard_does_not_contradict_it() -> None:
    # The ten shown and the two put away are twelve, whatever of the deal is hidden.
    hidden = deal_of("?? " * 10, "?? " * 10, "?? " * 10, "?? ??")
    shown = Declare(FOREHAND, "null", OUVERT, cards_of(TEN))
    report = checked(*WON, PickUp(FOREHAND), shown, AWAY, deal=hidden)
    assert report.verdict is Verdict.CONSISTENT, report.findings


def test_only_the_declarer_shows_cards_and_only_those_he_holds() -> None:
    start = (*WON, TAKE, AWAY, HEARTS)
    assert checked(*start, Show(FOREHAND)).verdict is Verdict.CONSISTENT
    assert checked(*start, Show(FOREHAND, cards_of(TEN))).verdict is Verdict.CONSISTENT
    assert only_fault(checked(*start, Show(MIDDLEHAND), profile="iss")) == ("D001", 8)
    assert only_fault(checked(*start, Show(FOREHAND, cards_of(TEN[3:])))) == ("P009", 8)
    assert only_fault(checked(*start, *LEAD, Show(FOREHAND, cards_of(TEN)))) == ("P009", 11)
    assert checked(*start, *LEAD, Show(FOREHAND, cards_of(TEN[3:]))).verdict is Verdict.CONSISTENT
    assert only_fault(checked(*WON, Show(FOREHAND))) == ("P011", 5)
