"""Made-up games: legal, rightly scored, the same for the same seed, and of every kind."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from functools import cache

import pytest

from skatspec.check import Report, check
from skatspec.conformance.generator import shares
from skatspec.conformance.generator.generate import Generated, games
from skatspec.conformance.generator.run import Options, Order, pieces
from skatspec.conformance.generator.table import Table
from skatspec.diagnostics import Severity, Verdict
from skatspec.errors import UsageError
from skatspec.formats import iss, skat
from skatspec.formats.lines import from_text
from skatspec.record import GAME, UNKNOWN, Record
from skatspec.rules import load_rules
from tests.clirun import Skatspec, skatspec
from tests.judge import judge, true_result

__all__ = ["skatspec"]

PROFILES = ("iss", "iss-client", "isko", "ledger")
ENDS = ("played out", "Null", "timeout", "leave", "resign", "passed")


@cache
def some(rules: str, count: int, settings: tuple[str, ...] = ()) -> tuple[Generated, ...]:
    return tuple(games(load_rules(rules, settings), count, 20261130))


def reports(
    rules: str, made: tuple[Generated, ...], settings: tuple[str, ...] = ()
) -> list[Report]:
    """Read every text and check it."""
    loaded = load_rules(rules, settings)
    read = list(iss.read(from_text("".join([one.text for one in made]))))
    assert len(read) == len(made)
    return [check(one, loaded) for one in read]


def assert_sound(made: tuple[Generated, ...], found: list[Report]) -> None:
    for one, report in zip(made, found, strict=True):
        errors = [f for f in report.findings if f.severity is Severity.ERROR]
        allowed = {Verdict.CONSISTENT, *([Verdict.UNDETERMINED] if one.game.view >= 0 else [])}
        assert report.verdict in allowed and not errors, (one.text, report.findings)


# --- sound ------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", PROFILES)
def test_a_made_up_game_is_consistent_under_the_rules_it_was_made_by(rules: str) -> None:
    made = some(rules, 2000)
    assert_sound(made, reports(rules, made))


@pytest.mark.parametrize(
    "rules", ["isko-pre-1999", "browser", "house", "xskat-oldrules", "xskat-ramsch", "xskat-kontra"]
)
def test_other_profiles_have_sound_games_too(rules: str) -> None:
    made = some(rules, 400)
    assert_sound(made, reports(rules, made))


def test_changed_rules_change_the_games_and_their_scores() -> None:
    # nothing of the rules is typed into the generator
    changed = (
        "contracts.clubs.base=13", "winning.points=66", "winning.schneider=33",
        "contracts.grand.ranks=[A, K, T, Q, 9, 8, 7]", "play.schneider_missed=open",
    )  # fmt: skip
    made = some("iss", 700, changed)
    assert_sound(made, reports("iss", made, changed))
    plainly = [report.verdict for report in reports("iss", made)]
    assert plainly.count(Verdict.CONTRADICTED) > 100


@pytest.mark.parametrize("rules", ["iss", "isko", "ledger"])
def test_an_independent_judge_comes_to_the_same_results(rules: str) -> None:
    compared = 0
    for one in some(rules, 2000)[:500]:
        result = one.record.result
        assert result is not None
        if one.game.view >= 0 or result.kind in (UNKNOWN,) or not one.game.judged:
            continue
        right = true_result(judge(rules, one.record))
        compared += 1
        assert result.kind == right.kind, one.text
        if result.kind != GAME:
            continue
        for name in ("declarer", "won", "score", "matadors", "overbid", "points", "tricks"):
            assert getattr(result, name) == getattr(right, name), (name, one.text)
    assert compared > 400


@pytest.mark.parametrize("rules", ["iss", "isko"])
def test_games_in_our_own_notation_are_consistent_by_their_rules_tag(rules: str) -> None:
    for one in games(load_rules(rules), 150, 4, form="skat"):
        (record,) = skat.read(from_text(one.text))
        assert isinstance(record, Record) and record.tag("Rules") == rules
        assert check(record, load_rules(rules)).verdict is Verdict.CONSISTENT, one.text


def test_a_record_names_no_rules_that_have_no_name() -> None:
    rules = load_rules("isko", ("winning.points=62",))
    for one in games(rules, 60, 4, form="skat"):
        (record,) = skat.read(from_text(one.text))
        assert isinstance(record, Record) and record.tag("Rules") is None
        assert check(record, rules).verdict is Verdict.CONSISTENT, one.text


# --- text -------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["iss", "isko"])
def test_the_iss_text_is_what_the_format_itself_would_write(rules: str) -> None:
    plain = [one for one in some(rules, 2000) if one.game.plain]
    assert len(plain) > 1900
    for one in plain:
        assert iss.write(one.record) == (one.text, [])


def test_the_text_reads_back_as_the_record_also_where_no_writer_would_write_it_so() -> None:
    made = some("iss", 2000)
    assert any(not one.game.plain for one in made)
    for one, record in zip(made, iss.read(from_text("".join(m.text for m in made))), strict=True):
        assert record == one.record


def test_numbers_are_unique_and_rise_and_no_seed_is_told() -> None:
    made = list(games(load_rules("iss"), 1500, 987654321))
    ids = [int(one.record.id) for one in made if one.record.id]
    assert len(ids) > 1300 and ids == sorted(set(ids))
    assert not any("987654321" in one.text for one in made)


# --- the same for the same seed -------------------------------------------------------------


@pytest.mark.parametrize("mutated", [0.0, 0.5])
def test_the_bytes_do_not_hang_on_the_number_of_processes(mutated: float) -> None:
    order = Order("iss", (), 5, 2300, Options("iss", mutated), label=True, counted=True)
    alone, shared = list(pieces(order)), list(pieces(order, jobs=2))
    assert alone == shared and len(alone) == 3


def test_the_first_games_of_a_seed_are_the_same_for_every_count_and_others_for_another() -> None:
    rules = load_rules("iss")
    few, more = list(games(rules, 20, 8)), list(games(rules, 1100, 8))
    assert [one.text for one in few] == [one.text for one in more[:20]]
    texts = {one.text.partition("MV[")[2] for one in more}
    other = {one.text.partition("MV[")[2] for one in games(rules, 1100, 9)}
    assert len(texts) == 1100 and not texts & other


def test_views_do_not_change_the_other_games() -> None:
    rules = load_rules("iss")
    without = list(games(rules, 600, 6, views=False))
    pairs = list(zip(games(rules, 600, 6), without, strict=True))
    assert all(one.text == other.text for one, other in pairs if one.game.view < 0)
    assert 5 < sum(one.game.view >= 0 for one, _ in pairs) < 60
    assert not any("??" in one.text for one in without)


# --- of every kind ----------------------------------------------------------------------


@cache
def counted() -> Counter[shares.Mark]:
    table = Table(load_rules("iss"))
    made = games(table.rules, 12000, 77)
    return Counter(mark for one in made for mark in shares.marks(table, one.game))


def test_every_contract_announcement_end_and_irregularity_occurs() -> None:
    contracts = ("diamonds", "hearts", "spades", "clubs", "grand", "null")
    wanted = {("game", f"{name}, {how}") for name in contracts for how in ("hand", "pick-up")}
    wanted |= {
        ("announced", f"{words}, hand") for words in (
            "hand", "hand schneider", "hand schwarz", "hand schneider schwarz", "ouvert",
            "hand ouvert", "hand schneider schwarz ouvert", "nothing",
        )
    }  # fmt: skip
    wanted |= {("announced", "nothing, pick-up"), ("announced", "ouvert, pick-up")}
    wanted |= {
        ("end", name) for name in (
            "passed in", "played out", "null lost", "Schneider missed", "Schwarz missed",
            "resign, declarer", "resign, defender", "timeout, declarer", "timeout, defender",
            "leave, declarer", "leave, defender", "timeout in the auction",
            "leave in the auction", "timeout before the declaration",
            "leave before the declaration", "timeout before the discard",
            "leave before the discard",
        )
    }  # fmt: skip
    wanted |= {("planned for the play", word) for word in ("show", "one defender gives up")}
    wanted |= {("auction", "jump"), ("auction", "first bid left unsaid"), ("outcome", "overbid")}
    wanted |= {("declarer", word) for word in ("forehand", "middlehand", "rearhand", "nobody")}
    wanted |= {
        ("written", word) for word in (
            "discard split", "discard joined", "skat not shown", "result without r:",
            "result unknown", "CO missing", "SE missing", "ID missing",
            "letters of the declaration in another order",
        )
    }  # fmt: skip
    wanted |= {("view", word) for word in ("forehand", "middlehand", "rearhand", "the public")}
    wanted |= {("rating of forehand", word) for word in ("", "null", "a number")}
    wanted |= {("points", word) for word in ("none", "without a trick", "all tricks")}
    counts = counted()
    assert not [mark for mark in wanted if counts[mark] < 5]


def test_points_at_a_threshold_are_more_frequent_than_those_beside_it() -> None:
    points: Counter[int] = Counter()
    for one in games(load_rules("iss"), 12000, 78):
        result = one.record.result
        if result and result.kind == GAME and one.game.contract != 5 and result.points is not None:
            points[result.points] += 1
    at = sum(points[figure] for figure in (60, 61, 89, 90))
    beside = sum(points[figure] for figure in (58, 59, 62, 63, 87, 88, 91, 92)) / 2
    assert at > 1.3 * beside


def test_all_years_and_all_kinds_of_names_occur() -> None:
    made = some("iss", 2000)
    years = {(one.record.tag("Date") or "")[:4] for one in made}
    assert years == {str(year) for year in range(2007, 2027)}
    names = {one.record.tag(seat) or "" for one in made for seat in "FMR"}
    assert any(name.startswith("@") for name in names)
    assert any(":" in name for name in names)


def test_rules_that_redeal_into_ramsch_have_no_deal_passed_in() -> None:
    assert not [one for one in some("xskat-ramsch", 400) if one.game.ended == "passed in"]


@pytest.mark.parametrize("rules", ["xskat-ramschonly", "xskat-bock", "xskat-schenken"])
def test_rules_of_which_no_game_stands_by_itself_are_refused(rules: str) -> None:
    with pytest.raises(UsageError, match="generator"):
        next(games(load_rules(rules), 1, 1))


@pytest.mark.parametrize(
    ("options", "count"), [({"form": "xskat"}, 1), ({"mutate": 1.5}, 1), ({}, -1)]
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], count: int) -> None:
    with pytest.raises(UsageError):
        list(games(load_rules("iss"), count, 1, **options))  # type: ignore[arg-type]


# --- command line -------------------------------------------------------------------------


def test_the_command_writes_games_that_the_checker_takes(
    skatspec: Skatspec, tmp_path: pytest.TempPathFactory
) -> None:
    ran = skatspec("conform", "generate", "--games", 120, "--seed", 3, "--no-views")
    assert ran.code == 0 and len(ran.lines) == 120
    path = f"{tmp_path}/games.skat"
    made = skatspec(
        "conform", "generate", "--games", 40, "--format", "skat", "--rules", "isko",
        "--output", path, "--shares",
    )  # fmt: skip
    assert made.code == 0 and made.out == "" and made.err.startswith("40 games\n")
    checked = skatspec("check", path)
    assert checked.code == 0 and "40 records in 1 file: 40 consistent" in checked.out


def test_the_command_refuses_what_it_cannot_make(skatspec: Skatspec) -> None:
    assert skatspec("conform", "generate", "--games", 1, "--rules", "xskat-bock").code == 2
    assert skatspec("conform", "generate", "--games", 1, "--mutate", 2).code == 2
    none = skatspec("conform", "generate", "--games", 0, "--shares")
    assert (none.code, none.out) == (0, "")


def test_the_generator_needs_nothing_beyond_the_core() -> None:
    code = (
        "import sys\n"
        "from skatspec.conformance.generator.run import Options, Order, pieces\n"
        "list(pieces(Order('iss', (), 1, 50, Options('iss', 0.5))))\n"
        "print(*{'numba', 'numpy', 'pyarrow', 'duckdb', 'lark'} & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
