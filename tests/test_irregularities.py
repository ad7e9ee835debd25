"""Concession with consent, accepted claims, and offences recorded as such.

Numbers F01-F18 are rows of the known answers (ISkO, 2018 numbering for concessions).
"""

from __future__ import annotations

import pytest

from skatspec.check import Report, check
from skatspec.diagnostics import Verdict
from skatspec.engine.offence import award
from skatspec.engine.settlement import Facts, settle
from skatspec.formats import iss, record_json
from skatspec.formats import skat as skat_format
from skatspec.record import HAND, SCHNEIDER, SCHWARZ, Record
from skatspec.rules import load_rules
from skatspec.rules.tables import CONTRACT

TABLES = load_rules("isko").tables

GAME = """%skat 1
deal
  F: CJ SJ HJ DJ CA CT CK CQ HA HT
  M: C9 C8 C7 SA ST HK HQ DA DT D7
  R: SK SQ S9 S8 H9 H8 H7 DK DQ D9
  skat: S7 D8
auction
  M 18, F yes, M pass, R pass
contract
  F takes the skat, discards S7 D8, clubs
play
"""
TRICKS = ["F: CJ C9 D9", "F: SJ C8 DQ", "F: HJ C7 DK", "F: DJ D7 H7"]


def played(tricks: int, *deeds: str, result: str = "", rules: str = "isko") -> Report:
    lines = [f"  {n}. {trick}" for n, trick in enumerate(TRICKS[:tricks], 1)]
    lines += [f"  ! {deed}" for deed in deeds]
    text = GAME + "\n".join(lines) + "\n" + (f"result\n  {result}\n" if result else "")
    record = skat_format.parse(text)
    assert isinstance(record, Record), record
    return check(record, load_rules(rules))


def codes(report: Report) -> list[str]:
    return [one.code for one in report.findings]


@pytest.mark.parametrize("tricks", [0, 1])
def test_a_declarer_with_nine_or_ten_cards_gives_up_alone(tricks: int) -> None:
    report = played(tricks, "F resigns", result="F lost 216")  # F01, F02: simple, with 8
    assert report.verdict is Verdict.CONSISTENT, report.findings


def test_a_later_concession_needs_a_defender_who_agrees() -> None:
    alone = played(2, "F resigns", result="F lost 216")  # F03
    assert codes(alone) == ["P012"]
    assert alone.findings[0].line == 14
    agreed = played(2, "F resigns", "M agrees", result="F lost 216")
    assert agreed.verdict is Verdict.CONSISTENT, agreed.findings


def test_a_refused_concession_lapses_with_the_next_card() -> None:
    text = GAME + "  1. F: CJ C9 D9\n  2. F: SJ C8 DQ\n  ! F resigns\n  3. F: HJ C7 DK\n"
    record = skat_format.parse(text + "  ! M agrees\n")
    assert isinstance(record, Record)
    assert codes(check(record, load_rules("isko"))) == ["P013"]
    refused = skat_format.parse(text)
    assert isinstance(refused, Record)
    assert check(refused, load_rules("isko")).verdict is Verdict.CONSISTENT


def test_an_accepted_claim_is_won_as_announced_and_a_level_only_if_claimed() -> None:
    both = ("M agrees", "R agrees")
    assert played(3, "F claims", *both, result="F won 108").findings == ()  # F17
    higher = played(3, "F claims schneider", *both, result="F won 120")  # F18
    assert higher.verdict is Verdict.CONSISTENT, higher.findings
    unclaimed = played(3, "F claims", *both, result="F won 120")
    assert codes(unclaimed) == ["S001"]
    assert "claim was accepted" in unclaimed.findings[0].message


def test_a_claim_that_one_defender_refuses_decides_nothing() -> None:
    report = played(3, "F claims", "M agrees", result="F won 108")
    assert report.verdict is Verdict.UNDETERMINED


@pytest.mark.parametrize("refusing", ["M refuses", "R refuses"])
def test_a_refused_claim_is_gone_and_play_goes_on(refusing: str) -> None:
    offered = ("F claims schneider", "M agrees", refusing)
    assert played(3, *offered, result="F won 108").verdict is Verdict.UNDETERMINED
    # nothing is left to agree to, and a new claim needs both again
    assert codes(played(3, *offered, "R agrees")) == ["P013"]
    again = played(3, *offered, "F claims", "R agrees", "M agrees", result="F won 108")
    assert again.verdict is Verdict.CONSISTENT, again.findings


def test_a_claim_is_refused_by_another_and_only_while_it_stands() -> None:
    assert codes(played(3, "F claims", "F refuses")) == ["P013"]
    assert codes(played(3, "M refuses")) == ["P013"]


def test_only_the_declarer_claims() -> None:
    assert codes(played(1, "M claims")) == ["D001"]


def test_a_server_that_enforces_the_rules_knows_neither_offence_nor_claim() -> None:
    assert codes(played(1, "M revokes", rules="iss")) == ["P014"]
    assert codes(played(1, "F claims", rules="iss")) == ["P014"]


def test_nothing_follows_an_offence() -> None:
    report = played(1, "M revokes", "F resigns")
    assert codes(report) == ["P005"]


@pytest.mark.parametrize("deed", ["revokes", "leads wrongly", "plays out of turn"])
def test_an_offence_while_undecided_costs_the_guilty_party_the_simple_game(deed: str) -> None:
    assert played(2, f"M {deed}", result="F won 108").verdict is Verdict.CONSISTENT
    assert played(2, f"F {deed}", result="F lost 216").verdict is Verdict.CONSISTENT
    assert codes(played(2, f"F {deed}", result="F won 108"))[:1] == ["S004"]


def facts(
    contract: str, modifiers: int, matadors: int, bid: int, points: int, tricks: int
) -> Facts:
    return Facts(CONTRACT[contract], modifiers, matadors, bid, points, tricks)


# row, facts, guilty declarer, defenders' points and tricks so far, value, score
ROWS = [
    ("F10", facts("clubs", 0, 1, 18, 20, 3), True, 40, 3, 24, -48),
    ("F11", facts("clubs", 0, 1, 18, 65, 6), True, 20, 2, 24, 24),
    ("F12", facts("clubs", 0, 1, 18, 40, 4), False, 30, 3, 24, 24),
    ("F13", facts("clubs", 0, 1, 18, 40, 4), False, 60, 4, 24, -48),
    ("F14", facts("diamonds", 0, -1, 22, 30, 3), False, 30, 3, 27, 27),
    ("F15", facts("diamonds", 0, -1, 22, 50, 5), False, 31, 3, 27, -54),
    ("F16", facts("spades", HAND, 1, 72, 0, 0), False, 0, 0, 77, -154),
    ("announced, possible", facts("clubs", HAND | SCHNEIDER, 1, 18, 40, 4), False, 30, 2, 60, 60),
    ("announced, missed", facts("clubs", HAND | SCHNEIDER, 1, 18, 40, 4), False, 31, 2, 60, -120),
    (
        "Schwarz announced, a trick lost",
        facts("clubs", HAND | SCHNEIDER | SCHWARZ, 1, 18, 40, 4), False, 0, 1, 84, -168,
    ),
    ("won with Schneider already", facts("clubs", 0, 1, 18, 95, 8), True, 5, 1, 36, 36),
    ("a Null", facts("null", 0, 0, 18, 0, 0), False, 20, 2, 23, 23),
    ("his own Null", facts("null", 0, 0, 18, 0, 0), True, 20, 2, 23, -46),
]  # fmt: skip


@pytest.mark.parametrize(
    ("known", "by_declarer", "against", "against_tricks", "value", "score"),
    [row[1:] for row in ROWS], ids=[row[0] for row in ROWS],
)  # fmt: skip
def test_an_offence_is_settled_by_who_has_won_who_erred_and_what_was_needed(
    known: Facts, by_declarer: bool, against: int, against_tricks: int, value: int, score: int
) -> None:
    awarded = award(
        TABLES, known, by_declarer=by_declarer, against=against, against_tricks=against_tricks
    )
    one = settle(TABLES, awarded)
    assert (one.value, one.score) == (value, score)


def test_the_new_steps_survive_every_format_that_has_a_place_for_them() -> None:
    text = GAME + "  1. F: CJ C9 D9\n  ! F claims schneider\n  ! M agrees\n  ! R revokes\n"
    text += '  ! ruling "a \\"source\\"" lost schwarz without skat\n'
    record = skat_format.parse(text)
    assert isinstance(record, Record)
    assert skat_format.parse(skat_format.write(record)[0]) == record
    assert record_json.parse(record_json.write(record)[0]) == record
    lost = [one.code for one in iss.write(record)[1]]
    assert lost.count("X004") == 4


RULED = """%skat 1
deal
  F: {}
  M: {}
  R: {}
  skat: {}
auction
  M 18, F yes, M pass, R pass
contract
  F {}
  ! ruling {}
result
  F {}
"""
REST = ("CA CT CK CQ HA HT HK HQ H9", "C9 C8 C7 SA ST SK SQ S9 S8 H8", "H7 DA DT DK DQ D9 D8 D7 S7")


@pytest.mark.parametrize(
    ("rules", "jacks", "skat", "other", "game", "ruling", "result"),
    [
        # F19: the declarer turns the skat up, the rest cannot be beaten
        ("isko", "CJ SJ HJ", "H9 S7", "DJ", "takes the skat, discards H9 S7, grand",
         '"Skat court, case 31" won schneider schwarz', "won 144"),
        # F20, F21: looking at the skat in a Grand Hand, two jacks in it
        ("isko", "CJ SJ", "HJ DJ", "", "grand hand", '"a page on looking at the skat" lost',
         "lost 288"),
        ("isko-pre-1999", "CJ SJ", "HJ DJ", "", "grand hand", '"the same page" lost', "lost 144"),
        # F22: three cards in the skat; it does not count for matadors
        ("isko", "HJ", "CJ SJ", "DJ", "spades hand", '"a blog" won without skat', "won 44"),
    ],
    ids=["F19", "F20", "F21", "F22"],
)  # fmt: skip
def test_a_ruling_is_followed_and_named(
    rules: str, jacks: str, skat: str, other: str, game: str, ruling: str, result: str
) -> None:
    away = set(skat.split())
    deck = [c for part in REST for c in part.split()]
    spare = [c for c in (*deck, "HJ", "DJ", "CJ", "SJ") if c not in {*jacks.split(), *away}]
    spare = [c for c in spare if c not in other.split()]
    hand = jacks.split() + [c for c in spare if c[0] != "S"][: 10 - len(jacks.split())]
    left = other.split() + [c for c in spare if c not in hand]
    text = RULED.format(
        " ".join(hand), " ".join(left[:10]), " ".join(left[10:]), skat, game, ruling, result
    )
    record = skat_format.parse(text)
    assert isinstance(record, Record), record
    report = check(record, load_rules(rules))
    assert report.verdict is Verdict.CONSISTENT, report.findings
    assert report.outcome is not None and report.outcome.settled is not None
    assert ruling.split('"')[1] in report.outcome.settled.summary


def test_a_ruling_goes_before_what_the_offence_would_cost() -> None:
    report = played(2, "F revokes", 'ruling "the referee" won', result="F won 108")
    assert report.verdict is Verdict.CONSISTENT, report.findings
    twice = played(2, 'ruling "one" won', 'ruling "two" lost')
    assert codes(twice) == ["P005"]


# --- a wrong number of cards ------------------------------------------------------------

NINE = """%skat 1
deal
  F: HJ DJ SA ST SK S9 CA CT HA H8
  M: SJ SQ S7 CQ C9 HK H9 DA D8
  R: S8 CK C8 C7 HT HQ H7 DT DK D9
  skat: CJ DQ D7
auction
  M 44, F yes, M pass, R pass
contract
  F spades hand
"""


def nine(*lines: str) -> Report:
    record = skat_format.parse(NINE + "".join(f"{line}\n" for line in lines))
    assert isinstance(record, Record), record
    return check(record, load_rules("isko"))


def test_a_wrong_number_of_cards_is_a_fault_unless_it_was_ruled_on() -> None:
    assert codes(nine()) == ["R002"]
    ruled = nine('  ! ruling "the referee" won without skat', "result", "  F won 44")
    assert (ruled.verdict, ruled.matadors) == (Verdict.CONSISTENT, -2)  # F22
    lost = nine('  ! ruling "the referee" lost without skat', "result", "  F lost 88")
    assert lost.verdict is Verdict.CONSISTENT


def test_matadors_that_hang_on_the_skat_of_a_wrong_deal_are_open_unless_stated() -> None:
    ruling = '  ! ruling "the referee" won'
    report = nine(ruling, "result", "  F won 44")
    assert report.verdict is Verdict.UNDETERMINED
    assert report.admissible["matadors"] == [-2, -1, 1, 7]
    stated = nine(ruling, "result", "  F won 44, without 2")
    assert (stated.verdict, stated.matadors) == (Verdict.CONSISTENT, -2)
    assert codes(nine(ruling, "result", "  F won 44, without 4")) == ["S005"]


def test_the_declarers_own_nine_cards_tell_nothing_of_his_matadors() -> None:
    deal = NINE.replace("F: HJ DJ SA", "F: HJ DJ").replace("M: SJ SQ", "M: SJ SQ SA")
    ruled = skat_format.parse(deal + '  ! ruling "the referee" won without skat\n')
    assert isinstance(ruled, Record)
    report = check(ruled, load_rules("isko"))
    assert report.findings == ()
    # ten of his nine and the three of the skat: the two left over may be CJ and HJ
    assert report.admissible["matadors"] == [-3, -2, 1]


def test_a_card_dealt_twice_is_a_fault_ruling_or_not() -> None:
    record = skat_format.parse(
        NINE.replace("F: HJ DJ", "F: HJ S8") + '  ! ruling "the referee" won without skat\n'
    )
    assert isinstance(record, Record)
    assert codes(check(record, load_rules("isko"))) == ["R001"]


# --- a card before the announcement -----------------------------------------------------

EARLY = """%skat 1
deal
  F: CJ HJ CA CT CK SA S9 HA H8 D9
  M: SJ C9 C8 ST SK HK HQ DA DT D7
  R: DJ CQ C7 SQ S8 HT H9 DK DQ D8
  skat: S7 H7
auction
  M 24, F yes, M pass, R pass
contract
"""


def early(*lines: str, text: str = EARLY, rules: str = "isko") -> Report:
    record = skat_format.parse(text + "".join(f"  {line}\n" for line in lines))
    assert isinstance(record, Record), record
    return check(record, load_rules(rules))


def test_a_card_before_the_announcement_loses_the_cheapest_game_that_fits() -> None:
    report = early("F takes the skat", "! F plays early")
    assert (report.value, report.score, report.matadors) == (24, -48, 1)  # Clubs
    # Diamonds, Hearts, Spades, Clubs, Grand that cover 24, with 1
    assert report.admissible["value"] == [24, 27, 30, 33, 48]
    hand = early("! F plays early")
    assert (hand.value, hand.score) == (27, -54)  # Diamonds Hand; Clubs Hand are 36
    assert hand.admissible["value"] == [27, 30, 33, 36, 72]


@pytest.mark.parametrize(("score", "found"), [(48, []), (54, []), (96, []), (36, ["S001"])])
def test_each_game_that_fits_is_accepted_and_no_other(score: int, found: list[str]) -> None:
    record = skat_format.parse(
        EARLY + f"  F takes the skat\n  ! F plays early\nresult\n  F lost {score}\n"
    )
    assert isinstance(record, Record)
    assert codes(check(record, load_rules("isko"))) == found
    won = skat_format.parse(EARLY + "  F takes the skat\n  ! F plays early\nresult\n  F won 24\n")
    assert isinstance(won, Record)
    assert "S004" in codes(check(won, load_rules("isko")))


def test_a_bid_or_cards_that_are_missing_leave_the_lost_game_open() -> None:
    unbid = EARLY.replace("auction\n  M 24, F yes, M pass, R pass\n", "")
    report = early("F takes the skat", "! F plays early", text=unbid)
    assert {18 * 2, 24 * 2, 27 * 2} <= {-score for score in report.admissible["score"]}
    bare = "%skat 1\nauction\n  M 24, F yes, M pass, R pass\ncontract\n"
    report = early("F takes the skat", "! F plays early", text=bare)
    assert report.admissible["matadors"] == [n for n in range(-11, 12) if n]
    assert min(report.admissible["value"]) == 24
    skat = EARLY.replace("S7 H7", "?? ??").replace("M: SJ", "M: ??")
    report = early("F takes the skat", "! F plays early", text=skat)
    assert set(report.admissible["matadors"]) == {1, 3}  # the jack of spades may lie in the skat
    assert {24, 36, 48} <= set(report.admissible["value"])


def test_only_the_declarer_plays_early_and_only_before_the_declaration() -> None:
    assert codes(early("! M plays early")) == ["B008"]
    assert codes(early("F takes the skat, discards S7 H7, clubs", "! F plays early")) == ["P016"]
    unfinished = EARLY.replace(", M pass, R pass", "")
    assert codes(early("! F plays early", text=unfinished)) == ["B006"]
    assert codes(early("! F plays early", rules="iss")) == ["P014"]


@pytest.mark.parametrize("step", ["! F resigns", "! F plays early", '! ruling "x" won'])
def test_nothing_follows_a_card_played_early(step: str) -> None:
    assert codes(early("! F plays early", step)) == ["P005"]


def test_no_card_follows_a_card_played_early() -> None:
    record = skat_format.parse(EARLY + "  ! F plays early\nplay\n  1. F: CJ C8 C7\n")
    assert isinstance(record, Record)
    assert codes(check(record, load_rules("isko"))) == ["P005"]


def test_a_lost_hand_game_of_a_card_played_early_costs_what_the_rules_charge_for_it() -> None:
    assert early("! F plays early", rules="isko-pre-1999").score == -27
    assert early("F takes the skat", "! F plays early", rules="isko-pre-1999").score == -48


def test_a_ruling_needs_a_game_and_a_source() -> None:
    early = skat_format.parse('%skat 1\nauction\n  M 18\n  ! ruling "x" won\n')
    assert isinstance(early, Record)
    assert codes(check(early, load_rules("isko"))) == ["P011"]
    for wrong in ("! ruling won", '! ruling "x" perhaps', '! ruling "x" won gran'):
        assert not isinstance(skat_format.parse(GAME + f"  {wrong}\n"), Record)


def test_concedes_is_read_as_resigns() -> None:
    said = skat_format.parse(GAME + "  ! F concedes\n")
    assert said == skat_format.parse(GAME + "  ! F resigns\n")
