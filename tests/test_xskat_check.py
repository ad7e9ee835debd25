"""Real XSkat games under the program's rules: all right ones pass, every changed one is caught."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from skatspec.check import Report, check
from skatspec.diagnostics import Verdict
from skatspec.formats.registry import open_records
from skatspec.judging import Judge
from skatspec.record import Record
from skatspec.rules import load_rules
from tests.shared import needs_shared
from tests.xskat_files import GAMES, HUMAN, LOGS, MODES, PROGRAM, human, play, rules_for

SEED_VARIABLE = "SKATSPEC_XSKAT_SEED"


def checked(log: Path, rules: str) -> list[Report]:
    judge = Judge(load_rules(rules), in_order=True)
    return [judge.check(record) for record in open_records(log, "xskat")]


def verdicts(reports: list[Report]) -> Counter[str]:
    return Counter(report.verdict.value for report in reports)


def wrong(reports: list[Report]) -> list[str]:
    return [
        f"game {report.id}, line {report.line}: {one.code} {one.message}"
        for report in reports
        for one in report.findings
        if report.verdict is Verdict.CONTRADICTED
    ]


@needs_shared
@pytest.mark.parametrize("mode", MODES)
def test_every_game_of_a_mode_is_consistent_with_its_list(mode: str) -> None:
    reports = checked(LOGS / f"{mode}-1001.log", f"xskat-{mode}")
    assert verdicts(reports) == {"consistent": GAMES}, wrong(reports)[:5]
    for report in reports:
        assert isinstance(report.record, Record) and report.record.result is not None
        result = report.record.result
        assert result.kind == "passed" or result.score is not None or result.scores is not None


@needs_shared
@pytest.mark.parametrize("stem", human())
def test_no_human_game_is_contradicted_and_as_many_are_open_as_the_table_says(stem: str) -> None:
    played = human()[stem]
    reports = checked(HUMAN / f"{stem}.log", rules_for(played.switches))
    games = [report for report in reports if report.record.tag("Copy") is None]  # type: ignore[union-attr]
    counts = verdicts(games)
    assert counts["contradicted"] == counts["unreadable"] == 0, wrong(reports)[:5]
    assert len(games) == played.games
    assert counts["undetermined"] == played.opened


@cache
def joined(mode: str) -> tuple[Record, ...]:
    records = tuple(open_records(LOGS / f"{mode}-1001.log", "xskat"))
    assert all(isinstance(record, Record) for record in records)
    return records  # type: ignore[return-value]


def changed_results(record: Record) -> Iterator[Record]:
    """Yield the record with the value of its row changed, up and down, and with the other sign."""
    result = record.result
    assert result is not None
    if result.score is not None:
        for score in (result.score + 1, result.score - 1, -result.score, result.score * 2):
            if score != result.score:
                yield replace(record, result=replace(result, score=score))
    elif result.scores is not None:
        for seat in range(3):
            for change in (1, -1):
                scores = list(result.scores)
                scores[seat] += change
                one, two, three = scores
                yield replace(record, result=replace(result, scores=(one, two, three)))


@needs_shared
@pytest.mark.parametrize("mode", MODES)
def test_every_row_with_a_changed_value_is_contradicted(mode: str) -> None:
    rules = load_rules(f"xskat-{mode}")
    judge = Judge(rules, in_order=True)
    changed = 0
    for record in joined(mode):
        true = judge.check(record)
        assert true.replay is not None
        for other in changed_results(record):
            report = check(other, rules, true.replay.game.round)
            changed += 1
            assert report.verdict is Verdict.CONTRADICTED, f"game {record.id}: {other.result}"
    assert changed > GAMES


# What one wrong switch must show: the codes, and at least how many games of the 350.
WRONG = {
    "a lost Hand game counts double today": ("oldrules-5005", "xskat", {"S001"}, 1),
    "a lost Hand game counted single": ("human-oldrules", "xskat", {"S001"}, 30),
    "Spitze worth two levels": ("spitze2-1001", "xskat-spitze", {"S001"}, 40),
    "Spitze worth one level": ("spitze-1001", "xskat-spitze2", {"S001"}, 40),
    "no Spitze at all": ("spitze-1001", "xskat-std", {"D017"}, 40),
    "the skat to the last trick": (
        "skattoloser-1001", "xskat-ramschonly", {"S020", "S021", "S022"}, 100,
    ),
    "the skat to the loser": (
        "ramschonly-1001", "xskat-skattoloser", {"S020", "S021", "S022"}, 100,
    ),
    "Bock rounds not counted": ("bock-1001", "xskat-kontra", {"S001"}, 100),
    "Bock rounds counted": ("kontra-1001", "xskat-bock", {"S001"}, 100),
    "no Kontra": ("kontra-1001", "xskat-std", {"D017"}, 10),
    "Kontra by one who did not bid": ("kontra-1001", "xskat-kontra18", {"D019"}, 10),
    "no Ramsch": ("ramsch-1001", "xskat-std", {"D017"}, 3),
    "nothing but Ramsch": ("ramsch-1001", "xskat-ramschonly", {"D020"}, 300),
    "no pushes": ("sramschonly-1001", "xskat-ramschonly", {"D017"}, 300),
    "pushes": ("ramschonly-1001", "xskat-sramschonly", {"D021"}, 300),
    "no Revolution": ("revolution-1001", "xskat-std", {"D017"}, 1),
    "no gifts": ("human-schenken", "xskat", {"D017"}, 8),
}  # fmt: skip


@needs_shared
@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_switch_contradicts_the_games_it_touches(what: str) -> None:
    stem, rules, codes, least = WRONG[what]
    folder = HUMAN if stem.startswith("human") else LOGS
    reports = checked(folder / f"{stem}.log", rules)
    bad = [report for report in reports if report.verdict is Verdict.CONTRADICTED]
    assert len(bad) >= least
    first = bad[0]
    found = {one.code for one in first.findings if one.severity.value == "error"}
    assert found <= codes, wrong(bad)[:3]


@pytest.mark.skipif(PROGRAM is None, reason="the program xskat is not installed (Debian: xskat)")
@pytest.mark.parametrize("mode", MODES)
def test_fresh_games_of_the_real_program_are_consistent(mode: str, tmp_path: Path) -> None:
    seed = int(os.environ.get(SEED_VARIABLE) or random.randrange(1, 30_000))
    reports = checked(play(tmp_path, mode, seed), f"xskat-{mode}")
    again = f"{SEED_VARIABLE}={seed} plays them again; {wrong(reports)[:5]}"
    assert verdicts(reports) == {"consistent": GAMES}, again


@needs_shared
def test_a_march_is_no_ramsch_that_nobody_lost(tmp_path: Path) -> None:
    # nobody loses a march either, but it is written: the list need not be there to see it
    text = (HUMAN / "ramsch-120.log").read_text(encoding="ascii")
    march, nobody = "Anna won the Ramsch\nWon with: 120 points\n", "Nobody lost the Ramsch\n"
    assert march in text
    log = tmp_path / "games.log"
    log.write_text(text.replace(march, nobody, 1), encoding="ascii")
    bad = [one for one in checked(log, rules_for(human()["ramsch-120"].switches)) if one.findings]
    assert [one.verdict for one in bad] == [Verdict.CONTRADICTED]
    assert {one.code for one in bad[0].findings} == {"S020"}


@needs_shared
def test_the_last_trick_of_a_lost_null_must_be_marked_for_the_declarer(tmp_path: Path) -> None:
    text = (HUMAN / "human-std.log").read_text(encoding="ascii")
    row = "  CLUB A      Club J      Club 10     \n---- random_seed 4000 49 3 "
    assert text.count(row) == 1 and "Anna played Null\nPlayed ouvert\nLost\n" in text
    log = tmp_path / "games.log"
    other = row.replace("CLUB A ", "Club_A ").replace("Club J", "CLUB J")
    log.write_text(text.replace(row, other), encoding="ascii")
    bad = [one for one in checked(log, "xskat") if one.findings]
    assert [one.verdict for one in bad] == [Verdict.CONTRADICTED]
    assert {one.code for one in bad[0].findings} == {"S007", "S023"}


@needs_shared
@pytest.mark.parametrize("mode", ["std", "ramschonly", "bockramsch"])
def test_a_false_mark_of_who_took_the_last_trick_is_contradicted(mode: str) -> None:
    judge, rules = Judge(load_rules(f"xskat-{mode}"), in_order=True), load_rules(f"xskat-{mode}")
    marked = 0
    for record in joined(mode):
        true = judge.check(record)
        assert true.replay is not None and record.result is not None
        if record.result.last_trick is None:
            continue
        other = replace(record.result, last_trick=(record.result.last_trick + 1) % 3)
        report = check(replace(record, result=other), rules, true.replay.game.round)
        assert [one.code for one in report.findings] == ["S023"]
        marked += 1
    assert marked > 300


@needs_shared
def test_the_lists_line_on_the_rounds_is_checked_with_the_last_game(tmp_path: Path) -> None:
    for name, line in (("bockramsch-1001", "b 97 0 0"), ("human/names-1", "b 81 1 1")):
        source = LOGS / f"{name}.log"
        (tmp_path / "games.log").write_bytes(source.read_bytes())
        listing = source.with_suffix(".lst").read_text(encoding="latin-1")
        assert f"\n{line}\n" in listing
        rules = rules_for(
            MODES["bockramsch"] if "/" not in name else human()[name.split("/")[1]].switches
        )
        for other, bad in ((line, 0), (f"{line[:-1]}3", 1), ("b 0 0 0", 1)):
            text = listing.replace(f"\n{line}\n", f"\n{other}\n")
            (tmp_path / "games.lst").write_text(text, encoding="latin-1")
            found = [one for one in checked(tmp_path / "games.log", rules) if one.findings]
            assert [one.code for report in found for one in report.findings] == ["L005"] * bad
