"""Playing cards: whose turn, which cards, who wins; every P code of play.

Rules: ISkO 4.1 lead and turn, 4.2 following (read: ISkO 2015 4.2.3), 2.2 and 2.3 order of cards.
"""

from __future__ import annotations

import pytest

from skatspec import cards
from skatspec.check import Report, check
from skatspec.diagnostics import Verdict
from skatspec.engine import play
from skatspec.engine.perft import perft
from skatspec.engine.replay import hand_cards, replay
from skatspec.record import (
    FOREHAND,
    HAND,
    REARHAND,
    Declare,
    Discard,
    PickUp,
    Play,
    Record,
    Show,
    Step,
)
from skatspec.rules import load_rules
from skatspec.rules.tables import CONTRACT, CONTRACTS
from tests import oracle
from tests.gamegen import calls_of, cards_of, deal_of, plays_of, seeded
from tests.judge import PROFILES

ISKO = load_rules("isko").tables
DEAL = deal_of(
    "CJ SJ HA HT HK HQ CA CT S7 D9",
    "HJ H9 H8 CK CQ SA ST SK DA D8",
    "DJ H7 C9 C8 C7 SQ S9 S8 DT DK",
    "DQ D7",
)
START: tuple[Step, ...] = (
    *calls_of("M18 Fy Mp Rp"), PickUp(FOREHAND), Discard(FOREHAND, cards_of("S7 D9")),
    Declare(FOREHAND, "hearts"),
)  # fmt: skip
AT = len(START)


def checked(text: str, start: tuple[Step, ...] = START, profile: str = "isko") -> Report:
    return check(Record((), DEAL, (*start, *plays_of(text))), load_rules(profile))


def fault(text: str, start: tuple[Step, ...] = START) -> tuple[str, int]:
    """Return the code of the one fault and which card, from 1, it stands at."""
    report = checked(text, start)
    assert report.verdict is Verdict.CONTRADICTED and len(report.findings) == 1, report.findings
    assert report.findings[0].expected
    return report.findings[0].code, report.findings[0].step - len(start)


def legal(contract: str, hand: str, led: str) -> str:
    held = cards.mask(cards_of(hand))
    found = play.legal_cards(ISKO, CONTRACT[contract], held, cards.BY_NAME[led])
    return cards.names(cards.members(found))


def wins(contract: str, trick: str) -> str:
    played = cards_of(trick)
    return cards.name(played[play.winner(ISKO, CONTRACT[contract], played)])


# --- turn -------------------------------------------------------------------------------


def test_forehand_leads_whoever_is_the_declarer() -> None:
    assert fault("M HJ") == ("P003", 1)
    rearhand = (*calls_of("Mp R18 Fp"), Declare(REARHAND, "clubs", HAND))
    assert fault("R DJ", rearhand) == ("P003", 1)
    assert checked("F CJ CK C9", rearhand).verdict is Verdict.CONSISTENT


def test_the_winner_of_a_trick_leads_to_the_next() -> None:
    assert checked("F CT CQ C7, F CJ HJ DJ").verdict is Verdict.CONSISTENT
    assert fault("F CT CQ C7, M HJ") == ("P003", 4)
    assert fault("F CT CK C7, F CJ HJ DJ, R SQ") == ("P003", 7)


def test_cards_are_played_clockwise() -> None:
    report = checked("F CT")
    assert report.verdict is Verdict.CONSISTENT
    wrong = check(
        Record((), DEAL, (*START, *plays_of("F CT"), Play(REARHAND, cards.BY_NAME["C7"]))),
        load_rules("isko"),
    )
    assert [(one.code, one.expected) for one in wrong.findings] == [("P003", "middlehand")]


# --- whose card -------------------------------------------------------------------------


def test_a_card_is_played_by_who_holds_it() -> None:
    assert fault("F CT SQ") == ("P001", 2)
    assert "one of" in checked("F CT SQ").findings[0].expected


def test_a_card_is_played_once() -> None:
    # B30 of the bad inputs
    assert fault("F CT CQ C7, F CT") == ("P002", 4)
    assert fault("F CT CT") == ("P002", 2)


def test_a_card_put_away_is_not_played() -> None:
    assert fault("F S7") == ("P010", 1)


def test_the_skat_of_a_hand_game_is_not_played() -> None:
    start = (*calls_of("M18 Fy Mp Rp"), Declare(FOREHAND, "hearts", HAND))
    assert fault("F DQ", start) == ("P001", 1)


# --- following --------------------------------------------------------------------------


def test_the_led_suit_is_followed() -> None:
    assert fault("F CT SA") == ("P004", 2)
    report = checked("F CT SA")
    assert (report.findings[0].read, report.findings[0].expected) == ("SA", "clubs: CQ CK")


def test_trump_led_is_followed_with_trump() -> None:
    assert fault("F HA SA") == ("P004", 2)
    assert checked("F HA HJ H7").verdict is Verdict.CONSISTENT


def test_a_revoke_in_the_first_trick_ends_a_replay() -> None:
    # U19 of the public reports; recorded as a legal card it is an error
    report = checked("F CT SA C7, F CJ SQ")
    assert [(one.code, one.step - AT) for one in report.findings] == [("P004", 2)]


def test_there_is_no_duty_to_trump_or_to_beat() -> None:
    assert legal("hearts", "SJ HA D8", "SA") == "D8 HA SJ"
    assert legal("null", "S7 SA", "S8") == "S7 SA"


def test_trump_may_be_led() -> None:
    assert checked("F CJ HJ DJ").verdict is Verdict.CONSISTENT


def test_a_jack_belongs_to_trump_and_not_to_its_suit() -> None:
    assert legal("hearts", "SJ S7 HA D8", "SA") == "S7"
    assert legal("hearts", "H7 CA CT", "CJ") == "H7"
    assert legal("grand", "CA CT S9", "CJ") == "S9 CT CA"
    assert legal("grand", "DJ CA", "CJ") == "DJ"


def test_in_null_a_jack_belongs_to_its_suit() -> None:
    # U28: Null legality looked at the wrong hand
    assert legal("null", "HJ S7 CA", "H7") == "HJ"
    assert legal("null", "SJ HJ C7", "CJ") == "C7"


# --- winning a trick --------------------------------------------------------------------


def test_the_highest_trump_wins_else_the_highest_of_the_led_suit() -> None:
    assert wins("hearts", "SA H7 ST") == "H7"
    assert wins("hearts", "CT CK DA") == "CT"
    assert wins("spades", "C9 D7 H7") == "C9"


def test_the_jacks_are_clubs_spades_hearts_diamonds() -> None:
    for contract in CONTRACTS[:5]:
        assert wins(contract, "DJ HJ SJ") == "SJ"
        assert wins(contract, "HJ DJ CJ") == "CJ"


def test_the_ten_beats_the_king_but_not_in_null() -> None:
    assert wins("diamonds", "DK DT DQ") == "DT"
    assert wins("grand", "HK HT H9") == "HT"
    assert wins("null", "HT HJ H9") == "HJ"
    assert wins("null", "SK ST SQ") == "SK"


# --- a replay ---------------------------------------------------------------------------


def test_a_replay_stops_at_the_first_fault() -> None:
    report = checked("F CT SA SQ, R S7 S7 S7")
    assert len(report.findings) == 1 and report.findings[0].step == AT + 2
    assert report.replay is not None and report.replay.steps_done == AT + 1


def test_a_replay_can_be_asked_for_its_first_steps_only() -> None:
    record = Record((), DEAL, (*START, *plays_of("F CT CQ C7, F CJ HJ DJ")))
    for count in range(len(record.steps) + 1):
        game = replay(record, ISKO, count).game
        assert game.steps_done == count
        played = max(0, count - AT)
        assert (len(game.tricks), len(game.cards)) == divmod(played, 3)


def test_after_trick_k_each_hand_holds_ten_less_k_cards() -> None:
    # U17: counts drifted after the first trick
    for profile in PROFILES:
        sample = next(s for s in seeded(profile, 200, seed=12) if s.ruling.ended == "played")
        steps = [s for s in sample.record.steps if not isinstance(s, Show)]
        first = next(at for at, step in enumerate(steps) if isinstance(step, Play))
        for tricks in range(11):
            record = Record((), sample.record.deal, tuple(steps[: first + 3 * tricks]))
            game = replay(record, load_rules(profile).tables).game
            for seat in range(3):
                assert game.left_in_hand(seat) == 10 - tricks
                held = hand_cards(game, seat)
                if tricks:
                    assert len(held) == 10 - tricks and cards.HIDDEN not in held


def test_the_tenth_trick_counts_like_any_other() -> None:
    # U71: the last trick was booked for the wrong side
    for sample in seeded("isko", 300, seed=13):
        if sample.ruling.ended != "played":
            continue
        report = check(sample.record, load_rules("isko"))
        assert report.replay is not None
        game = report.replay.game
        own = [t for t in game.tricks if t.winner == sample.ruling.declarer]
        aside = game.possible[3]
        points = sum(t.low for t in own) + sum(ISKO.points[c] for c in cards.members(aside))
        assert (report.points, report.tricks) == (points, len(own))


def test_there_are_no_eleven_tricks() -> None:
    sample = next(s for s in seeded("isko", 50, seed=14) if s.ruling.ended == "played")
    record = Record((), sample.record.deal, (*sample.record.steps, Play(FOREHAND, 0)))
    report = check(record, load_rules("isko"))
    assert [one.code for one in report.findings if one.code != "D014"] == ["P005"]


# --- every card index -------------------------------------------------------------------


@pytest.mark.parametrize("contract", range(6))
def test_every_card_has_one_class_and_one_place(contract: int) -> None:
    # U30: loops that run to 32 on 32 cards
    assert len(ISKO.points) == 33 and ISKO.points[cards.HIDDEN] == 0
    for card in range(32):
        group = ISKO.follow[contract][card]
        assert [n for n in range(5) if ISKO.members[contract][n] >> card & 1] == [group]
        assert ISKO.beats[contract][group][card] > 0
    for led in range(5):
        strengths = [value for value in ISKO.beats[contract][led] if value]
        assert len(strengths) == len(set(strengths))


def test_the_deck_holds_120_card_points() -> None:
    assert ISKO.total_points == sum(ISKO.points) == 120
    assert sum(oracle.card_points(name) for name in cards.NAMES[:32]) == 120


# --- counting sequences -----------------------------------------------------------------


def test_perft_counts_what_the_oracle_counts() -> None:
    for number, sample in enumerate(seeded("isko", 6, seed=15)):
        deal = sample.record.deal
        assert deal is not None
        hands = [cards.mask(hand or ()) for hand in deal.hands]
        names = [[cards.name(card) for card in hand or ()] for hand in deal.hands]
        contract = CONTRACTS[number]
        assert perft(ISKO, CONTRACT[contract], hands, 5) == oracle.perft(contract, names, 5)


def test_perft_of_no_depth_counts_nothing() -> None:
    assert perft(ISKO, 0, [1023, 1023 << 10, 1023 << 20], 0) == []


def test_perft_ends_with_the_cards() -> None:
    # three cards, one a hand: one sequence, and nothing after it
    assert perft(ISKO, 5, [1, 2, 4], 5) == [1, 1, 1, 0, 0]


def test_a_defender_plays_no_card_that_the_declarer_put_away() -> None:
    report = checked("F CJ S7")
    assert [(one.code, one.step - AT) for one in report.findings] == [("P001", 2)]
