"""Published answers: outcomes with their sources, tricks, and counts of legal sequences.

The cases stand in the folder of known answers, not in this repository; without it these
tests are skipped.
"""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from typing import Any

import pytest

from skatspec import cards
from skatspec.conformance.cases import load_suite
from skatspec.engine import play
from skatspec.engine.perft import perft
from skatspec.engine.settlement import Facts, Settlement, settle, settle_all, spread
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ
from skatspec.rules import load_rules
from skatspec.rules.match import compile_match
from skatspec.rules.tables import CONTRACT, Tables
from skatspec.session import scoring
from skatspec.session.report import Figures
from tests import oracle
from tests.shared import SHARED, needs_shared

CASES = SHARED / "cases"
CARRIED = (
    "isko", "ledger", "iss-client", "primer", "table-match", "browser", "game-circle",
    "isko-pre-1999",
)  # fmt: skip
ENDINGS = ("played_out", "impossible_null")
pytestmark = needs_shared


@cache
def tables(profile: str) -> Tables:
    return load_rules(profile).tables


def rows(name: str) -> list[dict[str, str]]:
    path = CASES / name
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def settlement_cases() -> list[Any]:
    """Return every row of a profile carried here whose facts alone decide it."""
    return [
        pytest.param(profile, row, id=f"{row['id']}-{profile}")
        for row in rows("settlement_cases.csv")
        for profile in row["profiles"].split(";")
        if profile in CARRIED and row["ending"] in ENDINGS and row["confidence"] != "low"
    ]


def facts_of(row: dict[str, str]) -> Facts:
    """Return the facts of a row, its tricks unset where it gives none."""
    words = (
        ("hand", HAND), ("schneider_announced", SCHNEIDER), ("schwarz_announced", SCHWARZ),
        ("ouvert", OUVERT),
    )  # fmt: skip
    run = 0
    if row["matadors"]:
        word, count = row["matadors"].split()
        run = int(count) if word == "with" else -int(count)
    return Facts(
        CONTRACT[row["contract"]],
        sum(bit for name, bit in words if row[name] == "1"),
        run,
        int(row["bid"]) if row["bid"] else None,
        int(row["declarer_points_incl_skat"] or 0),
        int(row["declarer_tricks"] or 0),
        twelve=without_four() if row["id"] == "D10" else None,
    )


def without_four() -> int:
    """Return twelve cards that are without 4 in every suit: no jack, and the four aces."""
    names = "CA SA HA DA C7 S7 H7 D7 C8 S8 H8 D8"
    return cards.mask(cards.BY_NAME[name] for name in names.split())


def outcomes(profile: str, row: dict[str, str]) -> list[Settlement]:
    """Return what a row can come to; more than one outcome where its tricks would matter."""
    facts = facts_of(row)
    if row["declarer_tricks"] or row["ending"] == "impossible_null":
        return [settle(tables(profile), facts)]
    options = spread(
        tables(profile), facts, matadors=[facts.matadors], bids=[facts.bid],
        points=[facts.points], tricks=range(11),
    )  # fmt: skip
    return settle_all(tables(profile), options)


@pytest.mark.parametrize(("profile", "row"), settlement_cases())
def test_a_published_outcome_is_found(profile: str, row: dict[str, str]) -> None:
    if row["outcome"] == "invalid":
        # B07: more than 22 points cannot lie in the skat
        facts = facts_of(row)
        options = spread(
            tables(profile), facts, matadors=[facts.matadors], bids=[facts.bid],
            points=[facts.points], tricks=[facts.tricks],
        )  # fmt: skip
        assert options == []
        return
    found = outcomes(profile, row)
    assert len(found) == 1, found
    one = found[0]
    charged, score = int(row["charged_value"]), int(row["ledger_declarer"])
    assert (one.value, one.score, one.won) == (charged, score, row["outcome"] == "win"), one.lines


def test_no_row_of_a_carried_profile_is_forgotten() -> None:
    taken = Counter(param.values[0] for param in settlement_cases())
    assert taken["isko"] >= 95 and taken["ledger"] >= 80 and taken["iss-client"] == 1


def test_with_four_in_a_suit_the_covering_games_of_case_d10_have_the_prices_of_the_source() -> None:
    row = next(row for row in rows("settlement_cases.csv") if row["id"] == "D10")
    one = settle(tables("isko"), facts_of(row))
    assert one.covering == CONTRACT["hearts"]
    # "H60 < D63 < S66"
    assert one.alternatives[:2] == ((CONTRACT["diamonds"], 63), (CONTRACT["spades"], 66))


# --- tricks -----------------------------------------------------------------------------


def trick_rows(kind: str) -> list[Any]:
    return [
        pytest.param(row, id=row["id"]) for row in rows("trick_cases.csv") if row["kind"] == kind
    ]


@pytest.mark.parametrize("row", trick_rows("winner"))
def test_a_published_trick_is_won_by_the_named_card(row: dict[str, str]) -> None:
    names = [row["card_forehand_or_led"], row["card_middlehand"], row["card_rearhand"]]
    trick = [cards.BY_NAME[name] for name in names]
    isko = tables("isko")
    assert play.winner(isko, CONTRACT[row["contract"]], trick) == int(row["winner_position"]) - 1
    assert sum(isko.points[card] for card in trick) == int(row["trick_points"])


@pytest.mark.parametrize("row", trick_rows("legality"))
def test_published_legal_cards_are_found(row: dict[str, str]) -> None:
    hand = cards.mask(cards.BY_NAME[name] for name in row["hand"].split())
    led = cards.BY_NAME[row["card_forehand_or_led"]]
    legal = play.legal_cards(tables("isko"), CONTRACT[row["contract"]], hand, led)
    assert sorted(cards.names(cards.members(legal)).split()) == sorted(row["legal_cards"].split())


def test_all_published_tricks_are_read() -> None:
    assert len(trick_rows("winner")) + len(trick_rows("legality")) == len(rows("trick_cases.csv"))


# --- counts of legal sequences ----------------------------------------------------------


def perft_rows() -> list[Any]:
    return [
        pytest.param(row, id=f"{row['deal'][:5]}-{row['contract']}") for row in rows("perft.csv")
    ]


@pytest.mark.parametrize("row", perft_rows())
def test_the_number_of_legal_sequences_is_the_published_one(row: dict[str, str]) -> None:
    names = row["deal"].split(".")
    dealt = [names[0:10], names[10:20], names[20:30]]
    hands = [cards.mask(cards.BY_NAME[name] for name in hand) for hand in dealt]
    wanted = [int(row[f"depth{depth}"]) for depth in range(1, 7)]
    assert perft(tables("isko"), CONTRACT[row["contract"]], hands, 6) == wanted
    assert oracle.perft(row["contract"], dealt, 4) == wanted[:4]


# --- lists --------------------------------------------------------------------------------


def test_the_published_totals_of_lists_are_found() -> None:
    match = compile_match(load_rules("isko").profile)
    for name in {row["id"] for row in rows("list_cases.csv")}:
        table = [row for row in rows("list_cases.csv") if row["id"] == name]
        words = ("game_points", "own_won", "own_lost")
        own = [Figures(*(int(row[word]) for word in words)) for row in table]
        for system, column in (("seeger", "seeger_50_only"), ("seeger-fabian", "seeger_fabian")):
            wanted = tuple(int(row[column]) for row in table)
            assert scoring.totals(own, match, system) == wanted


def test_every_published_list_is_a_case_of_the_suite() -> None:
    suite = load_suite().select(["list", "rules:isko"])
    reached = {tuple(case.expect["totals"]) for case in suite}
    for name in {row["id"] for row in rows("list_cases.csv")}:
        table = [row for row in rows("list_cases.csv") if row["id"] == name]
        for column in ("seeger_50_only", "seeger_fabian"):
            assert tuple(int(row[column]) for row in table) in reached
