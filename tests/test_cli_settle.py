"""`skatspec settle`: worked answers, what is open, what cannot be, and the law behind it."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest

from skatspec import cards, settling
from skatspec.cli.text import game_name
from skatspec.diagnostics import Verdict
from skatspec.engine import settlement
from skatspec.engine.null_runs import possible_nulls
from skatspec.errors import UsageError
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ
from skatspec.rules import load_rules
from skatspec.rules.tables import CONTRACT, CONTRACTS
from tests import oracle
from tests.clirun import Skatspec, skatspec

__all__ = ["skatspec"]

EXAMPLE = [
    "--contract=clubs", "--hand", "--announce=schneider", "--ouvert", "--matadors=with:1",
    "--bid=48", "--points=89", "--tricks=8", "--ending=played-out",
]  # fmt: skip


def answer(skatspec: Skatspec, *args: str) -> dict[str, Any]:
    ran = skatspec("settle", *args, "--format", "json")
    found: dict[str, Any] = json.loads(ran.out)
    assert ran.code == (1 if found["verdict"] == "contradicted" else 0)
    return found


def settle(**facts: Any) -> settling.Answer:
    rules = facts.pop("rules", "isko")
    return settling.settle(settling.question(**facts), load_rules(rules))


# --- worked answers ---------------------------------------------------------------------


def test_a_missed_ouvert_costs_all_it_promised(skatspec: Skatspec) -> None:
    # with 1, game, Hand, Schneider and Schwarz with their announcements, Ouvert: 8 x 12
    found = answer(skatspec, "--rules", "isko", *EXAMPLE)
    assert (found["value"], found["won"], found["score"]) == (96, False, -192)
    assert found["overbid"] is False
    assert sum(line["multiple"] for line in found["lines"]) == 8
    for line in found["lines"]:
        assert set(line) == {"text", "multiple", "value", "rule"}
        assert "ISkO 2022" in line["rule"]


def test_the_value_is_what_is_charged_before_the_loss_is_doubled(skatspec: Skatspec) -> None:
    # Hearts with 2 at 33: 30 does not cover it, the next multiple of ten is 40.
    found = answer(
        skatspec, "--contract", "hearts", "--matadors", "with:2", "--bid", "33", "--points", "72"
    )
    assert (found["value"], found["won"], found["score"], found["overbid"]) == (
        40,
        False,
        -80,
        True,
    )


@pytest.mark.parametrize(
    ("points", "score"),
    [(29, -88), (30, -88), (31, -66), (60, -66), (61, 33), (89, 33), (90, 44), (91, 44)],
)
def test_schneider_is_30_or_fewer_and_61_wins(points: int, score: int) -> None:
    # RULES section 1, ISkO 2015 5.2.2, 5.2.3; spades with 2
    assert settle(contract="spades", matadors=2, bid=18, points=points).score == score


@pytest.mark.parametrize(
    ("matadors", "signed"),
    [("with:2", 2), ("without:2", -2), ("with 2", 2), ("2", 2), ("-2", -2), (" With:11 ", 11)],
)
def test_matadors_are_read_in_words_or_signed(matadors: str, signed: int) -> None:
    asked = settling.question(contract="clubs", matadors=matadors)
    assert asked.matadors == signed
    assert settling.question(contract="clubs", matadors=signed).matadors == signed


def test_cards_stand_for_matadors_in_every_spelling(skatspec: Skatspec) -> None:
    facts = ("--contract", "hearts", "--bid", "18", "--points", "61", "--cards")
    twelve = "CJ SJ HQ H9 H8 CA C10 SQ DQ D8 H7 S7"
    for text in (twelve, twelve.replace(" ", ","), twelve.replace(" ", "."), twelve.lower()):
        assert answer(skatspec, *facts, text)["value"] == 30


def test_announcements_may_be_listed_or_repeated() -> None:
    bits = {
        settling.question(contract="clubs", hand=True, announce=said).modifiers
        for said in ("schneider,schwarz", ["schneider", "schwarz"], ["schneider, schwarz"])
    }
    assert len(bits) == 1


@pytest.mark.parametrize(
    ("ending", "score"), [("conceded-by-declarer", -48), ("conceded-by-defenders", 24)]
)
def test_a_conceded_game_is_simple_whatever_was_played(ending: str, score: int) -> None:
    facts = {"contract": "clubs", "matadors": 1, "bid": 18, "ending": ending}
    assert settle(**facts).score == score
    assert settle(**facts, points=10, tricks=1).score == score
    assert settle(**facts, points=100, tricks=9).score == score


def test_the_server_settles_a_conceded_game_as_it_stands() -> None:
    facts = {"contract": "clubs", "matadors": 1, "bid": 18, "rules": "iss"}
    all_of_it = settle(**facts, ending="conceded-by-defenders", points=120, tricks=10)
    assert all_of_it.score == 48
    # own Schneider only once a trick is complete, and whether one is, nobody said
    stopped = settle(**facts, ending="conceded-by-declarer", points=10, tricks=0)
    assert stopped.verdict is Verdict.UNDETERMINED
    assert stopped.missing == ("a completed trick",)
    assert settle(**facts, ending="conceded-by-declarer", points=10, tricks=1).score == -72


# --- what is open -----------------------------------------------------------------------


def test_without_a_bid_the_answer_is_open_unless_none_is_to_be_tested(skatspec: Skatspec) -> None:
    facts = ("--contract", "hearts", "--matadors", "with:2", "--points", "72")
    found = answer(skatspec, *facts)
    assert (found["verdict"], found["value"], found["score"]) == ("undetermined", None, None)
    assert found["missing"] == ["bid"]
    assert found["admissible"]["score"][-1] == 30
    assert answer(skatspec, *facts, "--no-bid")["score"] == 30


@pytest.mark.parametrize(("points", "open_"), [(22, True), (23, False), (119, False), (120, True)])
def test_card_points_tell_who_has_a_trick_as_far_as_they_can(points: int, open_: bool) -> None:
    # RULES section 3: under 120 the defenders, over 22 the declarer
    found = settle(contract="clubs", matadors=1, bid=18, points=points)
    assert (found.verdict is Verdict.UNDETERMINED) == open_
    assert found.missing == (("tricks",) if open_ else ())


def test_points_prove_a_trick_in_a_null(skatspec: Skatspec) -> None:
    assert answer(skatspec, "--contract=null", "--bid=18", "--points=23")["score"] == -46
    found = answer(skatspec, "--contract=null", "--bid=18", "--points=22")
    assert found["admissible"] == {"value": [23], "score": [-46, 23], "won": [False, True]}
    assert answer(skatspec, "--contract=null", "--bid=18", "--tricks=0")["score"] == 23


def test_no_figure_matters_more_than_it_does() -> None:
    # 31 to 89 points: neither Schneider, so tricks need not be said
    for points in range(31, 90):
        assert settle(contract="grand", matadors=4, bid=24, points=points).score is not None


def every_settlement(facts: dict[str, Any]) -> set[tuple[int, int]]:
    """Return (value, score) of every completion of open facts, one settlement each."""
    matadors = [facts["matadors"]] if "matadors" in facts else [*range(-4, 0), *range(1, 5)]
    bids = [facts["bid"]] if "bid" in facts else load_rules("isko").tables.bids
    points = [facts["points"]] if "points" in facts else range(121)
    tricks = [facts["tricks"]] if "tricks" in facts else range(11)
    found = set()
    for run, bid, p, t in itertools.product(matadors, bids, points, tricks):
        one = settle(
            contract="grand", hand=facts["hand"], matadors=run, bid=bid, points=p, tricks=t
        )
        if one.verdict is Verdict.CONSISTENT:
            assert one.value is not None
            assert one.score is not None
            found.add((one.value, one.score))
    return found


@pytest.mark.parametrize(
    "facts",
    [
        {"matadors": 2, "bid": 50, "points": 22}, {"matadors": 2, "bid": 96},
        {"bid": 120, "points": 70, "tricks": 6}, {"matadors": -3, "points": 61, "tricks": 5},
        {"bid": 72, "points": 120}, {"matadors": 4, "bid": 24, "tricks": 0},
        {"matadors": 1, "bid": 48, "tricks": 10},
    ],
)  # fmt: skip
@pytest.mark.parametrize("hand", [False, True])
def test_what_is_admissible_is_exactly_what_some_completion_gives(
    facts: dict[str, Any], hand: bool
) -> None:
    expected = every_settlement({**facts, "hand": hand})
    found = settle(contract="grand", hand=hand, **facts)
    if found.verdict is Verdict.CONSISTENT:
        assert expected == {(found.value, found.score)}
    else:
        assert found.admissible["value"] == sorted({value for value, _ in expected})
        assert found.admissible["score"] == sorted({score for _, score in expected})


def test_saying_less_never_loses_the_truth() -> None:
    chance = random.Random(7)
    tables = load_rules("isko").tables
    for _ in range(100):
        contract = chance.choice(CONTRACTS[:5])
        hand = chance.random() < 0.5
        said = chance.choice(["", "schneider", "schneider,schwarz"]) if hand else ""
        most = len(tables.trumps[CONTRACT[contract]])
        facts: dict[str, Any] = {
            "matadors": chance.choice([-1, 1]) * chance.randint(1, most),
            "bid": chance.choice(tables.bids), "points": chance.randint(0, 120),
        }  # fmt: skip
        low, high = int(facts["points"] > 22), 9 + (facts["points"] == 120)
        facts["tricks"] = chance.randint(low, high)
        whole = settle(contract=contract, hand=hand, announce=said, **facts)
        assert whole.verdict is Verdict.CONSISTENT
        for name in chance.sample(list(facts), chance.randint(1, 4)):
            del facts[name]
        less = settle(contract=contract, hand=hand, announce=said, **facts)
        if less.verdict is Verdict.CONSISTENT:
            assert (less.value, less.score) == (whole.value, whole.score)
        else:
            assert less.verdict is Verdict.UNDETERMINED
            assert whole.value in less.admissible["value"]
            assert whole.score in less.admissible["score"]
            assert less.missing


def test_full_facts_agree_with_the_rules_read_a_second_time() -> None:
    plain = {"schneider": False, "schwarz": False, "ouvert": False}
    for contract, hand, matadors, bid, points in itertools.product(
        CONTRACTS[:5], (False, True), (-2, 1, 3), (18, 40, 72), (0, 30, 31, 60, 61, 89, 90, 119)
    ):
        tricks = 0 if points == 0 else 5
        facts: dict[str, Any] = {
            "hand": hand, "matadors": matadors, "bid": bid, "points": points, "tricks": tricks
        }  # fmt: skip
        found = settle(contract=contract, **facts)
        expected = oracle.settle("isko", contract, **plain, **facts)
        assert (found.value, found.score) == (expected["value"], expected["score"])


# --- a Null below its bid ---------------------------------------------------------------


def test_a_null_below_its_bid_is_the_cheapest_game_that_covers_it(skatspec: Skatspec) -> None:
    # ISkO 2022 3.6.2; clubs 2 x 12 = 24 < diamonds 3 x 9
    facts = ("--contract", "null", "--bid", "24", "--matadors", "with:1")
    found = answer(skatspec, *facts)
    assert (found["value"], found["score"], found["overbid"]) == (24, -48, True)
    others = [(one["contract"], one["value"]) for one in found["alternatives"]]
    assert others == [("diamonds", 27), ("hearts", 30), ("spades", 33), ("grand", 48)]
    assert found["admissible"]["score"] == [-96, -66, -60, -54, -48]


def test_the_declarers_choice_stands_and_leaves_nothing_open(skatspec: Skatspec) -> None:
    facts = ("--contract", "null", "--bid", "24", "--matadors", "with:1")
    found = answer(skatspec, *facts, "--choice", "spades")
    assert (found["value"], found["score"], found["admissible"]) == (33, -66, {})


def test_with_all_four_jacks_a_null_needs_the_cards(skatspec: Skatspec) -> None:
    # RULES section 3: from with or without 4 on, matadors differ by suit
    facts = ("--contract", "null", "--bid", "24")
    for run in ("with:4", "without:4", "with:6"):
        found = answer(skatspec, *facts, "--matadors", run)
        assert (found["verdict"], found["missing"]) == ("undetermined", ["cards"])
    twelve = "CJ SJ HJ DJ CA C8 S7 S8 H7 H8 D7 D8"
    assert answer(skatspec, *facts, "--cards", twelve)["value"] == 45


def test_hidden_cards_never_lose_what_a_null_can_cost() -> None:
    chance = random.Random(3)
    rules = load_rules("isko")
    tables = rules.tables
    for _ in range(150):
        twelve = sum(1 << card for card in chance.sample(range(32), 12))
        bid = chance.choice([bid for bid in tables.bids if bid > 59])
        hand, ouvert = chance.random() < 0.5, chance.random() < 0.5
        names = cards.names(cards.members(twelve))
        facts: dict[str, Any] = {"contract": "null", "hand": hand, "ouvert": ouvert, "bid": bid}
        known = settle(**facts, cards=names)
        hidden = settle(**facts)
        assert hidden.verdict is Verdict.UNDETERMINED or hidden.value == known.value
        assert known.value in hidden.admissible["value"]
        for _, value, score in known.alternatives:
            assert value in hidden.admissible["value"]
            assert score in hidden.admissible["score"]


def test_the_hands_tried_for_a_null_are_twelve_cards_that_hold_or_lack_all_jacks() -> None:
    tables = load_rules("isko").tables
    facts = settlement.Facts(CONTRACT["null"], HAND, 0, 80, 0, 0)
    for matadors, held in ((4, True), (-4, False)):
        tried = possible_nulls(tables, [facts], matadors)
        assert len(tried) > 5
        for one in tried:
            assert one.twelve is not None
            assert one.twelve.bit_count() == 12
            for contract in range(5):
                run = tables.matadors(contract, one.twelve)
                assert (run > 0) == held
                assert abs(run) >= 4


def test_the_server_refuses_a_null_below_its_bid() -> None:
    found = settle(contract="null", bid=24, tricks=0, rules="iss")
    assert found.verdict is Verdict.CONTRADICTED
    assert [one.code for one in found.findings] == ["D009"]
    assert settle(contract="null", tricks=0, rules="iss").score == 23


# --- what cannot be ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "codes"),
    [
        ("--contract grand --matadors with:4 --bid 24 --points 23 --tricks 0", ["S018"]),
        ("--contract grand --matadors with:4 --bid 24 --points 119 --tricks 10", ["S018"]),
        ("--contract grand --matadors with:4 --bid 24 --points 121", ["S016"]),
        ("--contract grand --matadors with:4 --bid 24 --points -5", ["S016"]),
        ("--contract grand --matadors with:4 --bid 24 --tricks 11", ["S016"]),
        ("--contract grand --matadors with:5 --bid 24 --points 70", ["S016"]),
        ("--contract clubs --matadors with:0 --bid 24 --points 70", ["S016"]),
        ("--contract clubs --matadors without:12 --bid 24 --points 70", ["S016"]),
        ("--contract null --matadors with:12 --bid 18 --tricks 0", ["S016"]),
        ("--contract clubs --matadors with:1 --bid 19 --points 70", ["B001"]),
        ("--contract clubs --matadors with:1 --bid 99999999999999999999 --points 70", ["B001"]),
        ("--contract clubs --announce schneider --matadors with:1 --bid 18 --points 70", ["D007"]),
        ("--contract null --hand --announce schneider --bid 18 --tricks 0", ["D007"]),
        ("--contract grand --matadors with:5 --bid 19 --points 121", ["B001", "S016", "S016"]),
        ("--contract clubs --matadors with:2 --bid 18 --points 70 --cards "
         "CJ.SA.ST.SK.SQ.S9.S8.S7.HA.HT.HK.HQ", ["S018"]),
    ],
)  # fmt: skip
def test_facts_that_cannot_be_are_contradicted_with_a_code(
    skatspec: Skatspec, args: str, codes: list[str]
) -> None:
    found = answer(skatspec, *args.split())
    assert found["verdict"] == "contradicted"
    assert (found["value"], found["won"], found["score"], found["lines"]) == (None, None, None, [])
    assert [one["code"] for one in found["findings"]] == codes
    ran = skatspec("settle", *args.split())
    assert ran.code == 1
    assert f"{codes[0]} " in ran.out


@pytest.mark.parametrize(
    "args",
    [
        "--contract solo", "--contract clubs --matadors many", "--contract clubs --matadors with:x",
        "--contract clubs --bid 18.5", "--contract clubs --points x", "--contract clubs --cards XX",
        "--contract clubs --cards CJ.CJ", "--contract clubs --cards CJ.SJ", "--bid 18",
        "--contract clubs --announce ouvert", "--contract clubs --ending won",
        "--contract clubs --bid 18 --no-bid", "--contract clubs --rules nowhere",
        "--contract null --choice null", "--contract clubs --matadors with:\u0664",
        "--contract clubs --matadors -", "--contract clubs --matadors +",
    ],
)  # fmt: skip
def test_words_that_mean_nothing_are_wrong_usage(skatspec: Skatspec, args: str) -> None:
    ran = skatspec("settle", *args.split())
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_a_null_cannot_stand_for_a_null() -> None:
    found = settle(contract="null", bid=24, matadors=1, choice="null")
    assert [one.code for one in found.findings] == ["S018"]
    with pytest.raises(UsageError):
        settling.question(contract="clubs", ending="abandoned")


# --- text -------------------------------------------------------------------------------


def test_text_shows_every_line_with_its_rule(skatspec: Skatspec) -> None:
    ran = skatspec("settle", *EXAMPLE)
    assert ran.code == 0
    assert ran.lines[0].startswith("clubs Ouvert Hand Schneider announced, with 1, bid 48")
    hand = next(line for line in ran.lines if line.startswith("  Hand "))
    assert hand.split()[:4] == ["Hand", "+1", "ISkO", "2022"]
    assert ran.lines[-1] == "value 96, lost, score -192"


def test_text_says_what_would_tell(skatspec: Skatspec) -> None:
    ran = skatspec("settle", "--contract", "grand", "--matadors", "with:4", "--points", "120")
    assert "undetermined: it depends on the bid and tricks" in ran.lines
    assert any("--no-bid" in line for line in ran.lines)
    assert any("--tricks N" in line for line in ran.lines)


def test_contracts_are_read_in_any_case(skatspec: Skatspec) -> None:
    facts = ("--bid", "24", "--matadors", "with:1", "--choice", "GRAND")
    assert answer(skatspec, "--contract", "Null", *facts)["value"] == 48
    assert settling.question(contract="HEARTS").contract == CONTRACT["hearts"]


def test_what_is_certain_is_said_before_what_is_open(skatspec: Skatspec) -> None:
    ran = skatspec("settle", "--contract", "null", "--bid", "30")
    words = " ".join(ran.out.split())
    assert "undetermined: lost in any case; the value depends on the declarer's cards" in words
    # RULES section 3: up to with or without 3 matadors are the same in every game
    assert "give --matadors with:N or without:N, N from 1 to 3, or --cards" in words
    assert len(ran.lines) < 10
    for run in ("with:3", "without:3"):
        found = answer(skatspec, "--contract", "null", "--bid", "30", "--matadors", run)
        assert found["verdict"] == "consistent"
    ran = skatspec("settle", "--contract", "null", "--bid", "30", "--matadors", "with:4")
    assert "--matadors" not in ran.out
    assert "give --cards" in ran.out
    won = skatspec("settle", "--contract=grand", "--matadors=with:4", "--bid=24", "--points=120")
    assert "undetermined: won in any case; the value depends on tricks" in won.lines


def test_long_lists_are_short_in_text_and_whole_in_json(skatspec: Skatspec) -> None:
    args = ("--contract", "null", "--bid", "30")
    scores = answer(skatspec, *args)["admissible"]["score"]
    assert len(scores) > 20
    line = f"  score: {len(scores)} values from {scores[0]} to {scores[-1]}"
    assert line in skatspec("settle", *args).lines


def test_an_announcement_without_hand_says_that_hand_is_needed(skatspec: Skatspec) -> None:
    facts = ("--contract=hearts", "--matadors=with:2", "--bid=18", "--points=95")
    for said in ("schneider", "schwarz", "schneider,schwarz"):
        ran = skatspec("settle", *facts, f"--announce={said}")
        assert ran.code == 1
        assert "D007" in ran.out
        assert "Hand" in ran.out
    assert skatspec("settle", *facts, "--hand", "--announce=schneider").code == 0
    assert skatspec("settle", "--contract=grand", "--ouvert", "--matadors=1", "--bid=18").code == 0


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (0, "grand"), (HAND, "grand Hand"), (OUVERT, "grand Ouvert"),
        (HAND | SCHNEIDER, "grand Hand Schneider announced"),
        (HAND | SCHWARZ, "grand Hand Schwarz announced"),
        (HAND | SCHNEIDER | SCHWARZ, "grand Hand Schneider and Schwarz announced"),
        (HAND | OUVERT, "grand Ouvert Hand"),
        (15, "grand Ouvert Hand Schneider and Schwarz announced"),
    ],
)  # fmt: skip
def test_a_game_is_named_by_what_was_said_and_nothing_is_added(said: int, name: str) -> None:
    assert game_name("grand", said) == name
