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


def test_a_ruling_needs_a_game_and_a_source() -> None:
    early = skat_format.parse('%skat 1\nauction\n  M 18\n  ! ruling "x" won\n')
    assert isinstance(early, Record)
    assert codes(check(early, load_rules("isko"))) == ["P011"]
    for wrong in ("! ruling won", '! ruling "x" perhaps', '! ruling "x" won gran'):
        assert not isinstance(skat_format.parse(GAME + f"  {wrong}\n"), Record)


def test_concedes_is_read_as_resigns() -> None:
    said = skat_format.parse(GAME + "  ! F concedes\n")
    assert said == skat_format.parse(GAME + "  ! F resigns\n")
