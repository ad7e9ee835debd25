"""`settle` for a Ramsch and for what doubles a declared game: answers, what is open, objections.

Worked answers with their sources stand under records/settlement/ (r.., h.., s..).
"""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest

import skatspec as product
from skatspec import settling, settling_ramsch
from skatspec.diagnostics import Verdict
from skatspec.errors import UsageError
from skatspec.rules import load_rules
from skatspec.settling_answer import Answer
from tests.clirun import Skatspec, skatspec

__all__ = ["skatspec"]

PLAYED = "variants.ramsch.played=always"
LOSER = (PLAYED, "variants.ramsch.skat=loser")
LATER = (PLAYED, "variants.ramsch.skat=not-counted", "variants.ramsch.tie=later-trick")
EXAMPLE = (
    "--rules=xskat-skattoloser", "--contract=ramsch", "--each-points=0/51/55",
    "--each-tricks=1/4/5", "--skat-points=14",
)  # fmt: skip


def settle(settings: tuple[str, ...] = LOSER, rules: str = "isko", **facts: Any) -> Answer:
    asked = settling_ramsch.question(**facts)
    return settling_ramsch.settle(asked, load_rules(rules, settings))


def declared(rules: str, settings: tuple[str, ...] = (), **facts: Any) -> Answer:
    return settling.settle(settling.question(**facts), load_rules(rules, settings))


def codes(answer: Answer) -> list[str]:
    assert (answer.verdict is Verdict.CONTRADICTED) == bool(answer.findings)
    return [one.code for one in answer.findings]


# --- a Ramsch ---------------------------------------------------------------------------


def test_figures_are_read_as_text_or_as_numbers() -> None:
    said = [
        settling_ramsch.question(points=points, tricks="1/?/5", last_trick="rm")
        for points in ("0/51/55", "0,51,55", " 0 / 51 / 55", (0, 51, 55))
    ]
    assert len(set(said)) == 1
    assert (said[0].tricks, said[0].last) == ((1, None, 5), (2, 1))


@pytest.mark.parametrize(
    "facts",
    [
        {"points": "0/51"}, {"points": "0/51/x"}, {"points": "0/51/-4"}, {"points": "0/51/1.5"},
        {"tricks": "1/4/5"}, {}, {"points": "0/51/55", "last_trick": "X"},
        {"points": "0/51/55", "last_trick": "FF"}, {"points": (1, 2)},
    ],
)  # fmt: skip
def test_words_that_mean_nothing_are_refused(facts: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        settling_ramsch.question(**facts)


def test_one_figure_that_is_left_out_follows_from_the_others() -> None:
    # 120 card points in all, ten tricks
    whole = settle(points="10/51/45", tricks="1/4/5", skat=14)
    assert whole.scores == (0, -65, 0)
    for points, skat in (("?/51/45", 14), ("10/?/45", 14), ("10/51/?", 14), ("10/51/45", None)):
        for tricks in ("?/4/5", "1/?/5", "1/4/?", "1/4/5"):
            assert settle(points=points, tricks=tricks, skat=skat) == whole


def test_a_player_without_a_trick_has_no_points() -> None:
    assert settle(tricks="10/0/0", skat=14).scores == (120, 0, 0)


@pytest.mark.parametrize(
    ("settings", "facts", "missing"),
    [
        (LOSER, {"points": "0/51/55", "skat": 14}, ("tricks",)),
        (LOSER, {"points": "?/?/55", "tricks": "1/4/5"}, ("points",)),
        ((PLAYED,), {"points": "50/40/16", "tricks": "5/4/1"}, ("last trick",)),
        (LATER, {"points": "45/45/16", "tricks": "4/4/2", "last_trick": "R"}, ("last trick",)),
    ],
)
def test_what_is_open_is_named(
    settings: tuple[str, ...], facts: dict[str, Any], missing: tuple[str, ...]
) -> None:
    answer = settle(settings, **facts)
    assert (answer.verdict, answer.missing) == (Verdict.UNDETERMINED, missing)
    assert answer.scores is None and len(answer.admissible["scores"]) > 1


def test_what_does_not_matter_need_not_be_said() -> None:
    # nobody without points is without a trick, and the skat counts for nobody
    known = (PLAYED, "variants.ramsch.skat=not-counted")
    assert settle(known, points="50/40/16").scores == (-50, 0, 0)
    answer = settle((PLAYED, "variants.ramsch.price=fixed"), points="70/30/6", skat=14)
    assert answer.scores == (-10, 0, 0)
    assert answer.counted is None  # who had the skat's 14 points is open, and changes nothing
    assert not any("14" in line.text for line in answer.lines)


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"points": "0/51/55", "skat": 13}, "S018"),  # 119
        ({"points": "60/51/55"}, "S018"),  # more than 120
        ({"points": "0/51/55", "skat": 14, "tricks": "1/5/5"}, "S018"),
        ({"points": "5/51/50", "skat": 14, "tricks": "0/5/5"}, "S018"),  # points, no trick
        ({"points": "95/11/0", "skat": 14, "tricks": "2/4/4"}, "S018"),  # two tricks hold 64
        ({"points": "3/103/0", "skat": 14, "tricks": "9/1/0"}, "S018"),
        ({"points": "0/51/55", "skat": 14, "tricks": "0/4/6", "last_trick": "F"}, "S018"),
        ({"points": "0/51/60", "skat": 9}, "S016"),  # no two cards have nine points
        ({"points": "0/51/121"}, "S016"),
        ({"points": "0/51/55", "tricks": "11/?/?"}, "S016"),
    ],
)
def test_facts_that_cannot_be_together_are_contradicted(facts: dict[str, Any], code: str) -> None:
    assert set(codes(settle(**facts))) == {code}


def test_doublings_need_rules_that_double() -> None:
    facts = {"points": "50/40/16", "skat": 14, "doublings": 1}
    assert codes(settle(**facts)) == ["D017"]
    pushes, knocks = "variants.ramsch.pushes=each-seat", "variants.ramsch.knock=any-ramsch"
    for key in (pushes, knocks):
        assert settle((*LOSER, key), **facts).scores == (-128, 0, 0)
    free = (*LOSER, pushes, "variants.ramsch.unseen=ignored")
    assert codes(settle(free, **facts)) == ["D017"]


def test_rules_without_ramsch_say_so() -> None:
    assert codes(settle((), points="50/40/16", skat=14)) == ["D017"]
    assert codes(settle(points="50/40/16", skat=14, bock=True)) == ["D017"]


def test_what_is_left_out_never_excludes_the_truth() -> None:
    """Settle whole facts, then with some left out: the truth stays among the admissible."""
    rng = random.Random(7)
    every = (LOSER, (PLAYED,), LATER)
    for _ in range(150):
        tricks = [rng.randrange(1, 5), rng.randrange(0, 5)]
        tricks.append(10 - sum(tricks))
        points = [0 if not t else rng.randrange(5 * t, 12 * t) for t in tricks]
        skat = 120 - sum(points)
        order = "".join(rng.sample([s for s, t in zip("FMR", tricks, strict=True) if t], k=2))
        whole = {"points": points, "tricks": tricks, "skat": skat, "last_trick": order}
        settings = rng.choice(every)
        truth = settle(settings, **whole)
        if truth.verdict is Verdict.CONTRADICTED:
            continue
        part = {key: value for key, value in whole.items() if rng.random() < 0.6}
        part["points"] = [None if rng.random() < 0.3 else figure for figure in points]
        if "skat" not in part and part["points"] == [None] * 3:
            continue
        told = settle(settings, **part)
        assert told.verdict is not Verdict.CONTRADICTED
        allowed = told.admissible.get("scores", [list(told.scores or ())])
        wanted = truth.admissible.get("scores", [list(truth.scores or ())])
        assert all(three in allowed for three in wanted), (whole, part)


def test_the_scores_follow_the_seats() -> None:
    # nothing in the price of a Ramsch looks at who leads
    points, tricks = (10, 51, 45), (1, 4, 5)
    for order in itertools.permutations(range(3)):
        turned = settle(
            points=[points[n] for n in order], tricks=[tricks[n] for n in order], skat=14
        )
        assert turned.scores == tuple((0, -65, 0)[n] for n in order)


# --- what doubles a declared game -------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "points", "score"), [(0, 61, 24), (1, 61, 48), (2, 60, -192), (1, 60, -96)]
)
def test_kontra_and_re_double_what_is_written_down(calls: int, points: int, score: int) -> None:
    answer = declared(
        "xskat-kontra", contract="clubs", matadors=1, bid=18, points=points, kontra=calls
    )
    assert (answer.value, answer.score) == (24, score)


def test_the_other_games_of_an_impossible_null_are_doubled_as_well() -> None:
    kontra = ("variants.kontra.calls=[kontra, re]",)
    answer = declared("isko", kontra, contract="null", bid=24, matadors="with:1", kontra=1)
    # Clubs 24 is the cheapest, lost 48, with Kontra 96; Diamonds 27 would be 108
    assert (answer.score, answer.alternatives[0]) == (-96, ("diamonds", 27, -108))


@pytest.mark.parametrize(
    "facts", [{"kontra": 1}, {"bock": True}, {"spitze": "made"}, {"contract": "revolution"}]
)
def test_the_order_knows_no_variant(facts: dict[str, Any]) -> None:
    told = {"contract": "clubs", "matadors": 1, "bid": 18, "points": 61} | facts
    if told["contract"] == "revolution":
        told = {"contract": "revolution", "hand": True, "bid": 18, "tricks": 0}
    assert codes(declared("isko", **told)) == ["D017"]
    assert codes(declared("ledger", **told)) == ["D017"]


def test_a_number_of_calls_that_there_are_not_is_impossible() -> None:
    for calls in (-1, 5):
        told = {"contract": "clubs", "matadors": 1, "bid": 18, "points": 61, "kontra": calls}
        assert codes(declared("xskat-kontra", **told)) == ["S016"]


def test_a_spitze_is_a_promise_of_the_lowest_trump_in_hand() -> None:
    told = {"contract": "hearts", "bid": 18, "points": 72, "spitze": "made"}
    twelve = "CJ SJ HQ H9 H8 CA CT SQ DQ D8 {} S7"
    with_it = declared("xskat-spitze", **told, cards=twelve.format("H7"))
    assert with_it.score == 40  # with 2, game, Spitze
    assert codes(declared("xskat-spitze", **told, cards=twelve.format("C7"))) == ["D018"]
    four = {"contract": "grand", "bid": 24, "points": 72, "spitze": "made", "matadors": 4}
    assert codes(declared("xskat-spitze", **four)) == ["D018"]
    # in Hand the fourth may lie in the skat, which nobody has seen
    assert declared("xskat-spitze", **four, hand=True).score == 168


def test_a_spitze_that_is_made_proves_a_trick() -> None:
    told = {"contract": "hearts", "matadors": 2, "bid": 18, "points": 12}
    assert declared("xskat-spitze", **told).missing == ("tricks",)
    assert declared("xskat-spitze", **told, spitze="made").score == -100
    given_up = {"matadors": 2, "bid": 18, "ending": "conceded-by-defenders", "spitze": "missed"}
    assert codes(declared("xskat-spitze", contract="hearts", **given_up)) == ["S018"]
    with pytest.raises(UsageError):
        settling.question(contract="hearts", spitze="perhaps")


# --- the command line and the interface --------------------------------------------------


def test_text_has_the_lines_with_their_rules_and_the_scores(skatspec: Skatspec) -> None:
    ran = skatspec("settle", *EXAMPLE)
    assert ran.code == 0
    assert ran.lines[0] == "ramsch, points 0 51 55, tricks 1 4 5, skat 14"
    assert any(line.startswith("  rearhand: 69 points, the most") for line in ran.lines)
    assert "XSkat 4.0" in ran.out
    assert ran.lines[-1] == "value 69, rearhand lost, scores F M R: 0 0 -69"


def test_text_says_what_would_tell_in_a_ramsch(skatspec: Skatspec) -> None:
    ran = skatspec("settle", *(word for word in EXAMPLE if "tricks" not in word))
    assert ran.code == 0
    assert "undetermined: it depends on tricks" in ran.lines
    assert "  scores F M R: 0 0 -138 or 0 0 -69" in ran.lines
    assert "  give --each-tricks F/M/R" in ran.lines


def test_json_has_the_figures_of_each_player(skatspec: Skatspec) -> None:
    found = json.loads(skatspec("settle", *EXAMPLE, "--format=json").out)
    assert (found["scores"], found["losers"], found["counted"]) == ([0, 0, -69], ["R"], [0, 51, 69])
    assert (found["score"], found["value"], found["won"]) == (None, 69, False)
    plain = json.loads(
        skatspec("settle", "--contract=null", "--bid=18", "--tricks=0", "--format=json").out
    )
    assert (plain["scores"], plain["losers"], plain["counted"]) == (None, None, None)


def test_a_march_and_a_tie_are_said_in_words(skatspec: Skatspec) -> None:
    march = ("--each-points=0/120/0", "--each-tricks=0/10/0")
    ran = skatspec("settle", *EXAMPLE[:2], *march)
    assert ran.lines[-1] == "value 120, middlehand took all tricks, scores F M R: 0 +120 0"
    ran = skatspec("settle", *EXAMPLE[:2], "--each-points=40/40/40")
    assert ran.lines[-1] == "value 0, nobody lost, scores F M R: 0 0 0"


def test_facts_of_a_ramsch_that_cannot_be_leave_with_1(skatspec: Skatspec) -> None:
    ran = skatspec("settle", *EXAMPLE[:-1], "--skat-points=13")
    assert ran.code == 1
    assert "S018" in ran.out and "0 + 51 + 55 + 13 = 119" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    "args",
    [
        (*EXAMPLE, "--bid=18"), (*EXAMPLE, "--points=0"), (*EXAMPLE, "--kontra=1"),
        ("--contract=hearts", "--skat-points=0"), ("--contract=hearts", "--doublings=0"),
    ],
)  # fmt: skip
def test_options_of_one_game_do_not_go_with_another(
    skatspec: Skatspec, args: tuple[str, ...]
) -> None:
    ran = skatspec("settle", *args)
    assert (ran.code, ran.out) == (2, "")
    assert "does not go with --contract" in ran.err


def test_the_interface_settles_a_ramsch() -> None:
    facts = {"points": (0, 51, 55), "tricks": (1, 4, 5), "skat": 14}
    answer = product.settle_ramsch(**facts, rules="xskat-skattoloser")
    assert (answer.scores, answer.losers) == ((0, 0, -69), "R")
    with pytest.raises(UsageError):
        product.settle(contract="ramsch")
