"""XSkat's logs at the command line: checked, shown, converted; the list is joined by itself."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.clirun import Skatspec, skatspec
from tests.shared import needs_shared
from tests.xskat_files import LOGS, MODES

BOCKRAMSCH = f"xskat {MODES['bockramsch']}"
pytestmark = needs_shared
__all__ = ["skatspec"]


def test_a_log_is_checked_with_the_list_beside_it(skatspec: Skatspec) -> None:
    ran = skatspec("check", LOGS / "kontra-1001.log", "--rules", "xskat-kontra")
    assert ran.code == 0
    assert "350 records in 1 file: 350 consistent" in ran.out


def test_a_changed_row_of_the_list_is_named_with_its_game(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    for suffix in (".log", ".lst"):
        shutil.copy(LOGS / f"std-1001{suffix}", tmp_path / f"games{suffix}")
    listing = tmp_path / "games.lst"
    lines = listing.read_text(encoding="ascii").splitlines(keepends=True)
    row = next(
        n for n, line in enumerate(lines) if line.startswith("e ") and line.split()[4] != "0"
    )
    parts = lines[row].split()
    parts[4] = str(int(parts[4]) + 1)
    lines[row] = " ".join(parts) + "\n"
    listing.write_text("".join(lines), encoding="ascii")
    ran = skatspec("check", tmp_path / "games.log", "--format", "jsonl")
    verdicts = [json.loads(line)["verdict"] for line in ran.out.splitlines()]
    assert ran.code == 1
    assert verdicts.count("contradicted") == 1
    first_row = next(n for n, line in enumerate(lines) if line.startswith("e "))
    assert verdicts.index("contradicted") == row - first_row


def test_a_list_of_another_log_is_refused_and_no_row_is_joined(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    shutil.copy(LOGS / "std-1001.log", tmp_path / "games.log")
    shutil.copy(LOGS / "kontra-1001.lst", tmp_path / "games.lst")
    ran = skatspec("check", tmp_path / "games.log", "--format", "json")
    found = json.loads(ran.out)
    assert ran.code == 1
    assert [one["code"] for one in found["files"][0]["findings"]] == ["L001"]
    assert {report["verdict"] for report in found["reports"]} == {"consistent"}
    assert all("score" not in report["recorded"] for report in found["reports"])


def test_a_log_under_rules_without_its_variants_is_told_of_the_switches(skatspec: Skatspec) -> None:
    ran = skatspec("check", LOGS / "ramsch-1001.log")
    assert ran.code == 1
    assert '--rules "xskat -ramsch -kontra"' in ran.out


def test_an_unknown_switch_is_refused_with_those_there_are(skatspec: Skatspec) -> None:
    ran = skatspec("check", LOGS / "std-1001.log", "--rules", "xskat -ramsh")
    assert ran.code == 2
    assert "F008" in ran.err and "-ramschonly" in ran.err


def test_one_game_of_a_bock_round_is_shown_with_its_factor(skatspec: Skatspec) -> None:
    args = ("replay", LOGS / "bock-1001.log", "--rules", "xskat-bock", "--record", "2")
    ran = skatspec(*args)
    assert ran.code == 0
    assert "Bock round, times 2" in ran.out


def test_a_ramsch_is_shown_with_a_column_a_seat(skatspec: Skatspec) -> None:
    ran = skatspec("replay", LOGS / "ramschonly-1001.log", "--rules", "xskat-ramschonly")
    assert ran.code == 0
    head = next(line for line in ran.out.splitlines() if line.lstrip().startswith("step  trick"))
    assert head.split()[-3:] == ["forehand", "middlehand", "rearhand"]


def test_a_converted_log_is_consistent_by_its_own_tag(skatspec: Skatspec, tmp_path: Path) -> None:
    copy = tmp_path / "games.skat"
    log = LOGS / "bockramsch-1001.log"
    assert skatspec("convert", log, copy, "--rules", BOCKRAMSCH).code == 0
    ran = skatspec("check", copy)
    assert ran.code == 0
    assert "350 consistent" in ran.out and "the record's Rules tag" in ran.out
    assert skatspec("fmt", "--check", copy).code == 0


def test_convert_takes_no_rules_that_a_record_cannot_name(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    out = tmp_path / "out.skat"
    ran = skatspec("convert", LOGS / "std-1001.log", out, "--rules", "./house.yaml")
    assert ran.code == 2 and not out.exists()
