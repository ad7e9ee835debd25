"""Standings over many lists: sums, places, lots, effects, findings between lists, seasons."""

from __future__ import annotations

import csv
import json
import os
import signal
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import lists as bench
from skatspec.cli import CLEAN, FOUND
from skatspec.cli.list_standings import command
from skatspec.errors import UsageError
from skatspec.formats.score_sheet import parse
from skatspec.rules import load_rules
from skatspec.rules.match import Match, compile_match
from skatspec.session import scoring, season
from skatspec.session.judge import ListJudge
from skatspec.session.report import Figures, Shift
from skatspec.session.season import Options, Season, run
from skatspec.session.standings import Effect, ListResult, Place, Standings
from tests.shared import SHARED, needs_shared

ISKO = compile_match(load_rules("isko").profile)
LEDGER = compile_match(load_rules("ledger").profile)
FABIAN = "seeger-fabian"
# What a game is worth in a list, won and lost: base value times two, doubled when lost.
VALUES = {"hearts": (20, -40), "clubs": (24, -48), "grand": (48, -96), "null": (23, -46)}
NOTHING = [(0, 0, 0)] * 3
Deal = tuple[int, str, bool]  # who plays, what, and whether it is won


def result(
    players: Sequence[str], figures: Iterable[Sequence[Any]], source: str = "a.csv",
    match: Match = ISKO, system: str = FABIAN, **given: Any,
) -> ListResult:  # fmt: skip
    """Return a list of these figures: points, won, lost, and what stands beyond."""
    entered = tuple(Figures(*one) for one in figures)
    rows = [Figures(one.points, one.won, one.lost) for one in entered]
    reached = scoring.totals(rows, match, system)
    totals = tuple(total + one.extra for total, one in zip(reached, entered, strict=True))
    kept = ListResult(
        source, 0, "", "", "", tuple(players), len(entered), "isko", system, 36, entered, entered,
        totals, totals, 0,
    )  # fmt: skip
    return kept._replace(**given)


def standings(lists: Iterable[ListResult], match: Match = ISKO) -> Standings:
    found = Standings(match, FABIAN)
    for one in lists:
        found.add(one)
    return found


def by_name(places: Iterable[Place]) -> dict[str, Place]:
    return {one.player: one for one in places}


def text(
    players: Sequence[str], deals: Iterable[Deal], rounds: str = "1", table: str = "1",
    event: str = "Evening",
) -> str:  # fmt: skip
    """Return a list as CSV, its totals carried on."""
    totals = [0] * len(players)
    lines = [f"event;{event}", f"round;{rounds}", f"table;{table}"]
    if any(players):
        lines.append(";".join(["players", *players]))
    heads = [f"total_{seat + 1}" for seat in range(len(players))]
    rows = list(deals)
    lines.append(f"deals;{len(rows)}")
    lines.append(";".join(["deal;declarer;contract;matadors;bid;result;value", *heads]))
    for number, (player, game, won) in enumerate(rows, 1):
        value = VALUES[game][not won]
        totals[player] += value
        matadors = "" if game == "null" else "with 1"
        cells = (number, player + 1, game, matadors, 18, "won" if won else "lost", value, *totals)
        lines.append(";".join(map(str, cells)))
    return "\n".join(lines) + "\n"


def kept(written: str, match: Match = ISKO) -> ListResult:
    return ListResult.of(ListJudge().check(parse(written)), match)


# --- totals -----------------------------------------------------------------------------


@needs_shared
def test_known_lists_come_to_their_published_totals() -> None:
    with (SHARED / "cases" / "list_cases.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for name, group in groupby(rows, key=lambda row: row["id"]):
        table = list(group)
        figures = [(int(r["game_points"]), int(r["own_won"]), int(r["own_lost"])) for r in table]
        for system, column in ((FABIAN, "seeger_fabian"), ("seeger", "seeger_50_only")):
            players = [row["player"] for row in table]
            found = by_name(standings([result(players, figures, system=system)]).table())
            for row in table:
                one = found[row["player"]]
                assert one.total == int(row[column]), (name, row["player"], system)
                assert one.others_lost == int(row["others_lost"]), (name, row["player"])
                assert one.bonus == one.total - int(row["game_points"])


def test_the_same_list_comes_to_more_at_a_table_of_three_than_at_one_of_four() -> None:
    # U38: 412 points, ten won, two lost; the others lost three and one
    others = [(0, 0, 3), (0, 0, 1)]
    three = standings([result("ABC", [(412, 10, 2), *others])]).table()
    four = standings([result("ABCD", [(412, 10, 2), *others, (0, 0, 0)])]).table()
    assert by_name(three)["A"].total == 972
    assert by_name(four)["A"].total == 932


@pytest.mark.parametrize(
    ("points", "won", "total"), [(46, True, 96), (-92, False, -142), (23, True, 73)]
)
def test_single_null_games_come_to_their_published_totals(
    points: int, won: bool, total: int
) -> None:
    # U52
    one = result("ABC", [(points, int(won), int(not won)), (0, 0, 0), (0, 0, 0)])
    assert by_name(standings([one]).table())["A"].total == total


def test_a_lost_null_of_a_list_comes_to_96_below_zero() -> None:
    # U52: 46 lost and the bonus of 50
    found = standings([kept(text("ABC", [(0, "null", False)]))])
    assert by_name(found.table())["A"].total == -96


def test_tables_of_three_and_four_are_counted_each_by_its_own_bonus() -> None:
    three = result("ABC", [(100, 2, 0), (0, 0, 1), (0, 0, 0)], "a.csv")
    four = result("ADEF", [(50, 1, 0), (0, 0, 1), (0, 0, 1), (0, 0, 0)], "b.csv")
    one = by_name(standings([three, four]).table())["A"]
    assert one == Place(1, "A", 150, 3, 0, 3, 150 + 40 + 60, 400, 2)


def test_corrected_standings_rank_by_what_is_right() -> None:
    wrong = result("ABC", [(100, 1, 0), (90, 1, 0), (0, 0, 0)])
    right = (Figures(80, 1, 0), *wrong.corrected[1:])
    totals = (130, *wrong.totals[1:])
    found = standings([wrong._replace(corrected=right, corrected_totals=totals, errors=1)])
    assert [one.player for one in found.table()] == ["A", "B", "C"]
    assert [one.player for one in found.table(corrected=True)] == ["B", "A", "C"]
    assert by_name(found.table(corrected=True))["A"].total == 130


# --- players ----------------------------------------------------------------------------


def test_a_player_with_several_spellings_is_one_player_and_shown_as_first_written() -> None:
    # decomposed and composed letters, capitals, blanks
    lists = [
        result(("Jörg  Maier", "B", "C"), [(10, 1, 0), (0, 0, 0), (0, 0, 0)], "a.csv"),
        result(("jo\u0308rg maier", "D", "E"), [(20, 1, 0), (0, 0, 0), (0, 0, 0)], "b.csv"),
    ]
    found = by_name(standings(lists).table())
    assert found["Jörg Maier"].points == 30 and found["Jörg Maier"].lists == 2
    assert len(found) == 5


def test_places_without_a_name_are_ranked_list_by_list() -> None:
    nobody = ("", "", "")
    figures = [(10, 1, 0), (0, 0, 0), (0, 0, 0)]
    one, other = result(nobody, figures, "a.csv", table="7"), result(nobody, figures, "b.csv")
    found = by_name(standings([one, other]).table())
    assert found["table 7 place 1"].lists == 1 and found["b.csv place 1"].lists == 1
    assert len(found) == 6
    german = Standings(ISKO, FABIAN, lang="de")
    german.add(one)
    assert german.table()[0].player == "Tisch 7 Platz 1"


# --- equal totals -----------------------------------------------------------------------


def test_equal_totals_go_by_games_won_then_lost_and_then_need_a_lot() -> None:
    # U37: never by the order in which lists or players are given
    figures = {"A": (100, 2, 2), "B": (100, 1, 1), "C": (100, 1, 1), "D": (100, 2, 1)}
    lists = [
        result(
            (name, f"{name}2", f"{name}3"),
            [one, (0, 0, 0), (-500, 0, 0)],
            f"{name}.csv",
            system="plain",
        )
        for name, one in figures.items()
    ]
    for order in (lists, lists[::-1]):
        found = standings(order).table()
        first = [(one.place, one.player, one.total, one.lot) for one in found[:4]]
        assert first == [
            (1, "D", 100, False), (2, "A", 100, False), (3, "B", 100, True), (3, "C", 100, True),
        ]  # fmt: skip


def test_where_the_rules_share_places_nobody_draws_lots() -> None:
    one = result("ABC", [(60, 2, 0), (60, 1, 0), (0, 0, 0)], system="plain", match=LEDGER)
    found = standings([one], LEDGER).table()
    shown = [(one.place, one.player, one.shared, one.lot) for one in found]
    assert shown == [(1, "A", True, False), (1, "B", True, False), (3, "C", False, False)]


# --- effects ----------------------------------------------------------------------------

FIGURES = st.tuples(
    st.integers(-3, 3).map(lambda tens: 10 * tens), st.integers(0, 2), st.integers(0, 2),
    st.sampled_from((0, 0, 5)),
)  # fmt: skip
TABLE = st.integers(3, 4).flatmap(
    lambda seats: st.tuples(
        st.lists(st.sampled_from([*"ABCDEFGH", ""]), min_size=seats, max_size=seats),
        st.lists(FIGURES, min_size=seats, max_size=seats),
    )
)
SHIFT = st.builds(
    Shift, st.integers(0, 2), st.sampled_from((-40, -10, 0, 10, 40)), st.integers(-1, 1),
    st.integers(-1, 1), st.sampled_from((0, 5)),
)  # fmt: skip


@given(
    st.lists(TABLE, min_size=1, max_size=6), st.integers(0, 5), st.lists(SHIFT, max_size=3),
    st.sampled_from((ISKO, replace(ISKO, ties=LEDGER.ties))),
)  # fmt: skip
def test_an_effect_is_what_ranking_everything_anew_comes_to(
    tables: list[tuple[list[str], list[tuple[int, ...]]]], at: int, shifts: list[Shift], ties: Match
) -> None:
    lists = [result(names, rows, f"{n}.csv") for n, (names, rows) in enumerate(tables)]
    chosen = lists[at % len(lists)]
    before = standings(lists, ties)
    (found,) = before.effect([shifts], chosen, others=1000)

    figures = list(chosen.entered)
    for shift in shifts:
        figures[shift.player] = figures[shift.player].less(shift)
    corrected = result(chosen.players, figures, chosen.source)
    after = standings((corrected if one is chosen else one for one in lists), ties)
    now, then = by_name(before.table()), by_name(after.table())
    assert set(now) == set(then)
    expected = {
        Effect(name, one.place, then[name].place, one.total, then[name].total)
        for name, one in now.items()
        if (one.place, one.total) != (then[name].place, then[name].total)
    }
    assert set(found) == expected and len(found) == len(expected)


def test_a_game_that_turns_out_lost_is_worth_something_to_the_others() -> None:
    one = result("ABC", [(48, 1, 0), (0, 0, 0), (0, 0, 0)])
    (found,) = standings([one]).effect([(Shift(0, 48 + 96, 1, -1),)], one)
    assert found == (
        Effect("A", 1, 3, 98, -146), Effect("B", 2, 1, 0, 40), Effect("C", 2, 1, 0, 40),
    )  # fmt: skip


def test_every_correction_has_its_own_effect_and_one_that_changes_nothing_none() -> None:
    one = result("ABC", [(48, 1, 0), (0, 0, 0), (-10, 0, 0)])
    found = standings([one]).effect([(), (Shift(0, 20),), (Shift(0, 120),)], one)
    assert found == [
        (), (Effect("A", 1, 1, 98, 78),),
        (Effect("A", 1, 3, 98, -22), Effect("B", 2, 1, 0, 0), Effect("C", 3, 2, -10, -10)),
    ]  # fmt: skip


def test_players_of_other_lists_are_named_as_far_as_asked_for() -> None:
    one = result("ABC", [(100, 1, 0), (-1, 0, 0), (-2, 0, 0)], "a.csv")
    other = result("DEF", [(90, 1, 0), (80, 1, 0), (-9, 0, 0)], "b.csv")
    found = standings([one, other])
    correction = [(Shift(0, 50),)]
    moved = Effect("A", 1, 3, 150, 100)
    assert found.effect(correction, one) == [(moved,)]
    assert found.effect(correction, one, others=1) == [(moved, Effect("D", 2, 1, 140, 140))]
    assert len(found.effect(correction, one, others=9)[0]) == 3


def test_the_effect_of_a_dispute_of_a_list_is_that_of_its_corrections() -> None:
    deals: list[Deal] = [(0, "clubs", False), (1, "hearts", True)]
    # the loss is not doubled, and the total goes on from it
    wrong = text("ABC", deals).replace("-48", "-24").replace("with 1;18;lost", "with 1;24;lost")
    report = ListJudge(load_rules("isko")).check(parse(wrong))
    dispute = report.first
    assert dispute is not None and dispute.code == "L032"
    one = ListResult.of(report, ISKO)
    found = standings([one]).effect(dispute.corrections, one)
    assert len(found) == len(dispute.corrections) > 0
    assert Effect("A", 3, 3, -74, -98) in [effects[0] for effects in found]


# --- findings between lists ---------------------------------------------------------------


def codes(found: Standings) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.found.code, one.sources) for one in found.findings()]


def test_a_player_at_two_tables_of_a_round_is_named() -> None:
    lists = [
        result("ABC", NOTHING, "1.csv", round="1", table="1"),
        result("aDE", NOTHING, "2.csv", round="1", table="2"),
        result("ADE", NOTHING, "3.csv", round="2", table="1"),
    ]
    found = standings(lists)
    assert codes(found) == [("L060", ("1.csv", "2.csv"))]
    assert dict(next(found.findings()).found.slots) == {"player": "A", "round": "1"}
    assert next(found.findings()).found.read == "1.csv, 2.csv"


def test_rounds_of_different_events_are_different_rounds() -> None:
    lists = [
        result("ABC", NOTHING, "1.csv", round="1", table="1", event="Monday"),
        result("ABC", NOTHING, "2.csv", round="1", table="1", event="Tuesday"),
        result("ABC", NOTHING, "june/1.csv", round="1", table="1"),
        result("ABC", NOTHING, "july/1.csv", round="1", table="1"),
    ]
    assert codes(standings(lists)) == []


def test_a_list_that_is_shorter_than_others_at_tables_of_its_size_is_named() -> None:
    lists = [
        result("ABC", NOTHING, "1.csv", round="1", table="1", deals=36),
        result("DEF", NOTHING, "2.csv", round="1", table="2", deals=35),
        result("GHI", NOTHING, "3.csv", round="1", table="3", deals=36),
        result("JKLM", [*NOTHING, (0, 0, 0)], "4.csv", round="1", table="4", deals=48),
        result("NOP", NOTHING, "5.csv", round="2", table="1", deals=12),
    ]
    found = standings(lists)
    assert codes(found) == [("L061", ("2.csv",))]
    assert dict(next(found.findings()).found.slots) == {"deals": "35", "round": "1"}


def test_a_list_given_twice_is_named_and_counted_once() -> None:
    one = result("ABC", [(50, 1, 0), (0, 0, 0), (0, 0, 0)], "1.csv", round="1", table="1")
    copy = one._replace(source="copy.csv")
    found = standings([one, copy])
    assert codes(found) == [("L062", ("1.csv", "copy.csv"))]
    assert by_name(found.table())["A"].total == 100
    assert found.effect([(Shift(0, 50),)], copy) == [()]


def test_a_list_counted_by_other_rules_than_most_is_named() -> None:
    lists = [
        result("ABC", NOTHING, "1.csv"), result("DEF", NOTHING, "2.csv"),
        result("GHI", NOTHING, "3.csv", system="plain"),
    ]  # fmt: skip
    found = standings(lists)
    assert codes(found) == [("L063", ("3.csv",))]
    assert dict(next(found.findings()).found.slots) == {"rules": "isko, plain"}


# --- seasons ----------------------------------------------------------------------------

GAMES = tuple(VALUES)


def season_of(folder: Path, tables: int = 25, wrong: Sequence[int] = (3, 30)) -> list[str]:
    """Write a season of two rounds; return its lists, of which some have a total that is wrong."""
    written = []
    for number in range(2 * tables):
        rounds, table = divmod(number, tables)
        players = [
            f"Player {(table * 3 + seat * (rounds + 1)) % (3 * tables)}" for seat in range(3)
        ]
        if len(set(players)) < 3:
            players = [f"Guest {number}-{seat}" for seat in range(3)]
        deals = [
            ((number + deal) % 3, GAMES[(number * deal) % 4], (number + deal) % 5 != 0)
            for deal in range(6)
        ]
        one = text(players, deals, str(rounds + 1), str(table + 1))
        if number in wrong:
            head, last = one.rstrip("\n").rsplit("\n", 1)
            cells = last.split(";")
            cells[-3] = str(int(cells[-3]) + 100)
            one = f"{head}\n{';'.join(cells)}\n"
        place = folder / f"round-{rounds + 1}"
        place.mkdir(exist_ok=True)
        (place / f"table-{table + 1:02}.csv").write_text(one, encoding="utf-8")
        written.append(one)
    return written


def ran(*args: str) -> tuple[int, str, str]:
    """Run the command; return its exit code, its output, what it says aside."""
    found = CliRunner().invoke(command, args, standalone_mode=False, catch_exceptions=False)
    return found.return_value, found.stdout, found.stderr


def test_a_season_of_fifty_lists_is_ranked_as_its_lists_add_up(tmp_path: Path) -> None:
    written = season_of(tmp_path)
    code, shown, _ = ran(str(tmp_path), "--format", "json", "--rules", "isko")
    assert code == FOUND
    data = json.loads(shown)
    expected: dict[str, int] = {}
    for one in written:
        sheet = parse(one)
        for name, total in zip(sheet.players, kept(one).totals, strict=True):
            expected[name] = expected.get(name, 0) + int(total)
    assert {one["player"]: one["total"] for one in data["places"]} == expected
    assert [one["total"] for one in data["places"]] == sorted(expected.values(), reverse=True)
    assert (data["lists"], data["lists_with_errors"]) == (50, 2)
    assert data["rules"] == "isko" and data["passed_over"] == data["broken"] == []


def places_of(found: Season) -> list[Place]:
    return found.standings.table()


def test_several_processes_find_what_one_finds_in_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season_of(tmp_path)
    with run([str(tmp_path)], Options(processes=1)) as one:
        alone = [(d.report.sheet.source, d.effects) for d in one.disputed()]
        assert len([effects for _, effects in alone if effects]) == one.with_errors == 2
        monkeypatch.setattr(season, "_WORTH_PROCESSES", 2)
        monkeypatch.setattr(season, "_BATCH", 7)
        with run([str(tmp_path)], Options(processes=2)) as two:
            assert places_of(one) == places_of(two)
            assert one.verdicts == two.verdicts
            assert one.verdicts["contradicted"] == 2 and sum(one.verdicts.values()) == 50
            assert one.has("error") and not one.has("warning") and not one.has("unreadable")
            together = [(d.report.sheet.source, d.effects) for d in two.disputed()]
            assert repr(together) == repr(alone)
            assert repr(list(two.disputed())) == repr(list(one.disputed()))


@pytest.mark.parametrize(("faulty", "wrong"), [(0.0, 0), (1.0, 30)])
def test_the_lists_of_the_benchmark_are_right_but_for_those_made_wrong(
    tmp_path: Path, faulty: float, wrong: int
) -> None:
    bench.make(tmp_path, 30, faulty)
    with run([str(tmp_path)], Options()) as found:
        assert (found.standings.lists, found.with_errors) == (30, wrong)
        assert not found.passed_over and not list(found.across())


def killed(options: Options) -> None:
    """Begin a process that the system ends at once."""
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_process_ended_by_the_system_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season_of(tmp_path, tables=2, wrong=())
    monkeypatch.setattr(season, "_WORTH_PROCESSES", 2)
    monkeypatch.setattr(season, "_begin", killed)
    with pytest.raises(UsageError, match="ended by the system"):
        run([str(tmp_path)], Options(processes=2))


def test_folders_are_gone_through_and_what_is_no_list_is_named(tmp_path: Path) -> None:
    one = text("ABC", [(0, "grand", True)])
    for name in ("b.csv", "a.txt", ".hidden.csv"):
        (tmp_path / name).write_text(one.replace("table;1", f"table;{name}"), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("bring coffee\n", encoding="utf-8")
    (tmp_path / "prices.csv").write_text("what;price\ncoffee;2\n", encoding="utf-8")
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\x00")
    (tmp_path / "photo.csv").write_bytes(b"\xff\xd8\x00\x00\x01")
    (tmp_path / "game.json").write_text('{"skatspec": 1}', encoding="utf-8")
    with run([str(tmp_path)], Options()) as found:
        names = sorted(Path(one).name for one in found.passed_over)
        assert names == ["game.json", "notes.txt", "photo.csv", "photo.jpg", "prices.csv"]
        assert found.files == found.standings.lists == 2
        assert not found.broken


def test_a_file_that_is_named_and_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "photo.csv"
    good.write_text(text("ABC", [(0, "grand", True)]), encoding="utf-8")
    bad.write_bytes(b"\xff\xd8\x00\x00\x01")
    code, shown, aside = ran(str(good), str(bad))
    assert code == FOUND and "photo.csv" in aside and "A " in shown


def test_a_folder_without_lists_and_a_wrong_option_are_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no lists"):
        ran(str(tmp_path))
    with pytest.raises(UsageError):
        ran(str(tmp_path / "missing"))
    with pytest.raises(UsageError, match="bonus"):
        ran(str(tmp_path), "--rules", "ledger", "--system", "seeger")


def test_only_rounds_asked_for_are_counted(tmp_path: Path) -> None:
    season_of(tmp_path, wrong=())
    _, shown, aside = ran(str(tmp_path), "--round", "2", "--format", "json")
    data = json.loads(shown)
    assert data["lists"] == data["other_rounds"] == 25 and "25 lists" in aside


def tied(folder: Path) -> Path:
    """Write two lists of two players who can only be parted by lot."""
    (folder / "1.csv").write_text(text("ABC", [(0, "grand", True)], table="1"), encoding="utf-8")
    (folder / "2.csv").write_text(text("DEF", [(0, "grand", True)], table="2"), encoding="utf-8")
    return folder


def test_the_table_says_between_whom_a_lot_is_needed_and_fits_a_terminal(tmp_path: Path) -> None:
    long = "N" * 200
    (tmp_path / "3.csv").write_text(text((long, "H", "I"), [(0, "grand", False)], table="3"))
    _, shown, _ = ran(str(tied(tmp_path)), "--rules", "isko")
    lines = shown.splitlines()
    first = next(at for at, line in enumerate(lines) if " A " in line)
    assert [line.split()[:2] for line in lines[first : first + 3]] == [
        ["1", "A"], ["lot", "required"], ["1", "D"],
    ]  # fmt: skip
    assert "lot required" not in lines[first + 3]
    assert max(map(len, lines)) <= 80
    german = ran(str(tmp_path), "--rules", "isko", "--lang", "de")[1]
    assert "Losentscheid" in german and "lot required" not in german


def test_a_csv_has_numbers_as_numbers_and_names_that_no_spreadsheet_computes(
    tmp_path: Path,
) -> None:
    names = ("=1+1", "-Ben", "@Cem")
    (tmp_path / "1.csv").write_text(text(names, [(0, "grand", False)]), encoding="utf-8")
    for lang, delimiter in (("en", ","), ("de", ";")):
        shown = ran(str(tmp_path), "--format", "csv", "--lang", lang)[1]
        rows = list(csv.reader(shown.splitlines(), delimiter=delimiter))
        players = {row[1]: row for row in rows[1:]}
        assert not [name for name in players if name.startswith(("=", "@", "-", "+"))]
        (loser,) = [row for row in rows[1:] if row[2] == "-96"]
        assert loser[7] == "-146" and loser[1].endswith("=1+1")


def test_an_output_below_the_folder_is_not_read_the_next_time(tmp_path: Path) -> None:
    season_of(tmp_path, tables=2, wrong=())
    output = tmp_path / "standings.csv"
    once = ran(str(tmp_path), "--lang", "de", "--output", str(output))
    first = output.read_bytes()
    again = ran(str(tmp_path), "--lang", "de", "--output", str(output))
    assert once[0] == again[0] == CLEAN and output.read_bytes() == first
    assert first.startswith("\ufeffPlatz;Spieler;".encode())


def test_corrected_standings_of_the_command_put_totals_right(tmp_path: Path) -> None:
    season_of(tmp_path, tables=2, wrong=(0,))
    entered = json.loads(ran(str(tmp_path), "--format", "json")[1])
    corrected = json.loads(ran(str(tmp_path), "--format", "json", "--corrected")[1])
    assert not entered["corrected"] and corrected["corrected"]
    before = {one["player"]: one["total"] for one in entered["places"]}
    after = {one["player"]: one["total"] for one in corrected["places"]}
    assert [before[name] - after[name] for name in before if before[name] != after[name]] == [100]
