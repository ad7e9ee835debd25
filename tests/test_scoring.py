"""What a list comes to: laws of the tournament's bonuses and of places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatspec.errors import UsageError
from skatspec.rules import load_rules
from skatspec.rules.match import Match, compile_match
from skatspec.session.scoring import (
    PLAIN,
    SEEGER,
    SEEGER_FABIAN,
    Figures,
    places,
    sums,
    totals,
)

ISKO = compile_match(load_rules("isko").profile)
LEDGER = compile_match(load_rules("ledger").profile)
DEALS = st.integers(3, 4).flatmap(
    lambda players: st.tuples(
        st.just(players),
        st.lists(
            st.none()
            | st.tuples(
                st.integers(0, players - 1),
                st.integers(-528, 264).filter(bool),
            ),
            max_size=48,
        ),
    )
)


@given(DEALS)
def test_a_game_won_adds_its_bonus_to_one_and_a_game_lost_to_all(
    evening: tuple[int, list[tuple[int, int] | None]],
) -> None:
    players, deals = evening
    rows = sums(deals, players)
    won = sum(deal is not None and deal[1] > 0 for deal in deals)
    lost = sum(deal is not None and deal[1] < 0 for deal in deals)
    points = sum(deal[1] for deal in deals if deal is not None)
    others = {3: 40, 4: 30}[players] * (players - 1)
    assert sum(totals(rows, ISKO, PLAIN)) == points
    assert sum(totals(rows, ISKO, SEEGER)) == points + 50 * (won - lost)
    assert sum(totals(rows, ISKO, SEEGER_FABIAN)) == points + 50 * (won - lost) + others * lost


@given(DEALS)
def test_a_passed_in_deal_changes_nothing(
    evening: tuple[int, list[tuple[int, int] | None]],
) -> None:
    players, deals = evening
    played = [deal for deal in deals if deal is not None]
    assert sums(deals, players) == sums(played, players)


@given(DEALS, st.sampled_from([ISKO, LEDGER]))
def test_more_points_are_a_better_place_and_equals_share_theirs(
    evening: tuple[int, list[tuple[int, int] | None]], match: Match
) -> None:
    players, deals = evening
    rows = sums(deals, players)
    reached = totals(rows, match, SEEGER_FABIAN)
    found = places(rows, reached, match)
    assert min(found.ranks) == 1
    for a in range(players):
        for b in range(players):
            if reached[a] > reached[b]:
                assert found.ranks[a] < found.ranks[b]
            same = (reached[a], rows[a].won, rows[a].lost) == (
                reached[b],
                rows[b].won,
                rows[b].lost,
            )
            if same:
                assert found.ranks[a] == found.ranks[b]
    in_lots = {player for group in found.lots for player in group}
    shared = {player for player in range(players) if found.ranks.count(found.ranks[player]) > 1}
    assert in_lots == (shared if match is ISKO else set())


def test_ties_are_told_apart_by_games_won_then_by_games_lost_then_by_lot() -> None:
    rows = [Figures(100, 3, 1), Figures(100, 4, 2), Figures(100, 3, 2), Figures(100, 3, 2)]
    found = places(rows, [100] * 4, ISKO)
    assert (found.ranks, found.lots) == ((2, 1, 3, 3), ((2, 3),))
    assert places(rows, [100] * 4, LEDGER).ranks == (1, 1, 1, 1)


@pytest.mark.parametrize("players", [2, 5])
def test_a_table_has_three_or_four(players: int) -> None:
    with pytest.raises(UsageError, match="no table"):
        totals([Figures(0, 0, 0)] * players, ISKO, SEEGER)


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(UsageError, match="no system"):
        totals([Figures(0, 0, 0)] * 3, ISKO, "fabian")
