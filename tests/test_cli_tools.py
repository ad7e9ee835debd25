"""`replay`, `convert`, `fmt`, `explain` and `rules`: what they print, write and refuse."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from skatspec import resources
from skatspec.diagnostics import catalog
from skatspec.formats import registry
from skatspec.record import BrokenRecord, Declare, Record
from skatspec.rules import available, load_profile, load_rules
from tests.clirun import BROKEN, GOOD, NO_SKAT, REVOKE, WRONG_SCORE, Skatspec, skatspec
from tests.shared import SHARED, needs_shared

__all__ = ["skatspec"]


def record(text: str) -> Record:
    found = registry.parse_text(text)
    assert isinstance(found, Record)
    return found


ISS = registry.write_record(record(GOOD), "iss")[0]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "three.skat").write_text(GOOD + WRONG_SCORE + REVOKE)
    (tmp_path / "hidden.skat").write_text(NO_SKAT)
    (tmp_path / "served.sgf").write_text(ISS)
    return tmp_path


# --- replay -----------------------------------------------------------------------------


def row(lines: list[str], start: str) -> list[str]:
    """Return the cells of the first line that begins so."""
    return next(line.split() for line in lines if line.split()[:1] == [start])


def test_replay_shows_every_step_and_the_running_points(skatspec: Skatspec, files: Path) -> None:
    ran = skatspec("replay", files / "three.skat")
    assert ran.code == 0
    assert ran.lines[0].startswith("good  hearts, forehand (Anna), bid 20, +30")
    assert ran.lines[1] == "rules: isko (the record's Rules tag)"
    assert row(ran.lines, "2") == ["2", "forehand", "holds"]
    assert row(ran.lines, "8") == ["8", "forehand", "puts", "away", "SQ", "DQ"]
    # trick 5: queen of hearts trumps the spades, 4 + 3 points
    assert row(ran.lines, "22-24") == ["22-24", "5", "R", "S8", "HQ", "SK", "F", "7", "45", "10"]
    assert row(ran.lines, "37-39")[-2:] == ["67", "47"]
    assert "put away: SQ DQ  6 points" in ran.lines
    assert row(ran.lines, "with")[:3] == ["with", "2", "+2"]
    assert (
        ran.lines[-1] == "consistent; recorded: declarer F, won, +30, with 2, 73 points, 6 tricks"
    )
    assert "several" in ran.err


def test_the_running_points_end_at_what_the_game_is_settled_by(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    for name in ("ninety", "own-schneider", "grand-with-2-won"):
        path = resources.locate("records", "games", f"{name}.skat")
        game = record(path.read_text())
        assert game.result is not None
        ran = skatspec("replay", path)
        last = [line.split() for line in ran.lines if line[:1].isdigit()][-1]
        aside = next(int(line.split()[-2]) for line in ran.lines if "put away:" in line)
        assert int(last[-2]) + aside == game.result.points
        assert int(last[-2]) + int(last[-1]) + aside == 120


def test_replay_stops_at_the_first_fault_and_names_it(skatspec: Skatspec, files: Path) -> None:
    ran = skatspec("replay", files / "three.skat", "--id", "revoke")
    assert ran.code == 1
    assert "stopped at step 11 by P004; 28 steps behind it not replayed" in ran.lines
    assert row(ran.lines, "11") == ["11", "M", "plays", "CT"]
    assert not any(line.split()[:1] == ["12"] for line in ran.lines)
    assert "expected:" in ran.out


def test_a_record_is_found_by_number_or_id(skatspec: Skatspec, files: Path) -> None:
    by_number = skatspec("replay", files / "three.skat", "--record", "2")
    assert by_number.lines == skatspec("replay", files / "three.skat", "--id", "wrong").lines
    assert (by_number.code, by_number.err) == (1, "")
    for args in (("--record", "4"), ("--id", "none"), ("--record", "0")):
        assert skatspec("replay", files / "three.skat", *args).code == 2
    (files / "empty.skat").write_text("")
    assert skatspec("replay", files / "empty.skat").code == 1


def test_the_position_after_a_step_is_shown(skatspec: Skatspec, files: Path) -> None:
    ran = skatspec("replay", files / "three.skat", "--at", "23")
    assert "after 23 of 39 steps: forehand plays HQ" in ran.lines
    assert "on the table: R S8  F HQ" in ran.out
    assert row(ran.lines, "rearhand") == ["rearhand", "Cem", "HT", "CQ", "C9", "D9", "D7"]
    assert "declarer 3 tricks, 38 points without the skat; defenders 1 trick, 10 points" in ran.out
    start = skatspec("replay", files / "three.skat", "--at", "0")
    assert "after 0 of 39 steps" in start.lines
    assert row(start.lines, "skat")[1:] == ["S7", "H7"]


def test_hidden_cards_stay_hidden(skatspec: Skatspec, files: Path) -> None:
    ran = skatspec("replay", files / "hidden.skat")
    assert ran.code == 0
    assert row(ran.lines, "skat") == ["skat", "??", "??"]
    assert "      score: 40, 50, 60" in ran.lines
    assert ran.lines[-6].startswith("undetermined; recorded: ")


def test_suits_are_glyphs_at_a_terminal_unless_letters_are_asked_for(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "♣" not in skatspec("replay", files / "three.skat").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert "♣J" in skatspec("replay", files / "three.skat").out
    assert "♣" not in skatspec("replay", files / "three.skat", "--letters").out


def test_a_broken_record_is_replayed_as_its_findings(skatspec: Skatspec, files: Path) -> None:
    (files / "broken.skat").write_text(BROKEN)
    ran = skatspec("replay", files / "broken.skat")
    assert ran.code == 1
    assert "unreadable" in ran.lines
    assert any("XX" in line for line in ran.lines)


@needs_shared
@pytest.mark.parametrize("name", ["real", "view-public", "view-forehand", "multi-line"])
def test_every_server_record_can_be_shown_at_every_step(skatspec: Skatspec, name: str) -> None:
    path = SHARED / "data" / "iss" / f"{name}.sgf"
    for number, one in enumerate(registry.open_records(path), start=1):
        assert isinstance(one, Record)
        assert skatspec("replay", path, "--record", number, "--rules", "iss-client").code in (0, 1)
        for at in range(0, len(one.steps) + 1, 7):
            assert skatspec("replay", path, "--record", number, "--at", at).code in (0, 1)


# --- convert ----------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".skat", ".json", ".jsonl"])
def test_converting_there_and_back_is_the_same_file(
    skatspec: Skatspec, files: Path, suffix: str
) -> None:
    there, back = files / f"there{suffix}", files / "back.sgf"
    assert skatspec("convert", files / "served.sgf", there).code == 0
    ran = skatspec("convert", there, back)
    assert (ran.code, ran.err) == (0, "1 records converted\n")
    assert back.read_text() == ISS


def test_a_conversion_does_not_change_the_verdict(skatspec: Skatspec, files: Path) -> None:
    # Grand without the skat's tricks: only the server charges a lone player's leaving so.
    path = resources.locate("records", "games", "sample.sgf")
    assert skatspec("convert", path, files / "sample.skat").code == 0
    before = skatspec("check", path, "--format", "jsonl").lines
    after = skatspec("check", files / "sample.skat", "--format", "jsonl").lines
    for one, other in zip(map(json.loads, before), map(json.loads, after), strict=True):
        for key in ("verdict", "rules", "value", "score", "matadors", "points", "tricks"):
            assert one[key] == other[key]


def test_losses_are_named_and_counted_and_leave_with_0(skatspec: Skatspec, files: Path) -> None:
    ran = skatspec("convert", files / "three.skat", files / "out.sgf")
    assert ran.code == 0
    lines = ran.err.splitlines()
    assert lines[0].startswith(f"{files / 'three.skat'}:1:")
    assert "X001" in lines[0]
    assert lines[0].endswith("(record good)")
    assert lines[-1] == "3 records converted; lost on the way: 3 X001"


def test_what_cannot_be_read_or_written_is_left_out_with_1(skatspec: Skatspec, files: Path) -> None:
    (files / "bad.skat").write_text(BROKEN + GOOD)
    ran = skatspec("convert", files / "bad.skat", "-", "--to", "json")
    assert ran.code == 1
    assert json.loads(ran.out)["tags"][0] == ["Id", "good"]
    assert "N004" in ran.err
    assert "1 records converted, 1 left out" in ran.err
    odd = replace(record(GOOD), steps=(Declare(0, "solo"),))
    (files / "odd.json").write_text(registry.write_record(odd, "json")[0])
    ran = skatspec("convert", files / "odd.json", files / "odd.sgf")
    if isinstance(registry.parse_text((files / "odd.json").read_text()), BrokenRecord):
        pytest.skip("the JSON form knows the contracts")
    assert ran.code == 1
    assert "X007" in ran.err


def test_a_figure_that_cannot_be_read_is_named_and_leaves_with_1(
    skatspec: Skatspec, files: Path
) -> None:
    (files / "nan.sgf").write_text(ISS.replace("v:30", "v:NaN"))
    ran = skatspec("convert", files / "nan.sgf", files / "nan.skat")
    assert ran.code == 1
    assert "S016" in ran.err
    assert "1 records converted" in ran.err


def test_json_is_an_array_in_a_file_and_lines_elsewhere(skatspec: Skatspec, files: Path) -> None:
    skatspec("convert", files / "three.skat", files / "out.json")
    assert len(json.loads((files / "out.json").read_text())) == 3
    skatspec("convert", files / "three.skat", files / "out.jsonl")
    assert [json.loads(line)["skatspec"] for line in (files / "out.jsonl").open()] == [1, 1, 1]
    (files / "none.skat").write_text("")
    skatspec("convert", files / "none.skat", files / "none.json")
    assert json.loads((files / "none.json").read_text()) == []


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("three.skat", "-"), 2), (("three.skat", "out.txt"), 2), (("none.skat", "a.sgf"), 2),
        (("three.skat", "no/where.sgf"), 2), (("three.skat", "-", "--to", "pgn"), 2),
        (("three.skat",), 2), (("text.txt", "a.sgf"), 1),
    ],
)  # fmt: skip
def test_a_conversion_that_cannot_be_leaves_nothing_behind(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str], code: int
) -> None:
    (files / "text.txt").write_text("some text")
    monkeypatch.chdir(files)
    before = set(files.iterdir())
    ran = skatspec("convert", *args)
    assert ran.code == code
    assert ran.err
    assert set(files.iterdir()) == before


def test_a_fault_half_way_leaves_the_old_file(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = files / "out.sgf"
    out.write_text("old")
    written: list[Record] = []

    def write(one: Record) -> tuple[str, list[object]]:
        written.append(one)
        if len(written) == 2:
            raise RuntimeError("no more")
        return "text\n", []

    monkeypatch.setattr("skatspec.formats.iss.write", write)
    assert skatspec("convert", files / "three.skat", out).code == 3
    assert out.read_text() == "old"
    assert {path.name for path in files.iterdir()} == {
        "three.skat", "hidden.skat", "served.sgf", "out.sgf",
    }  # fmt: skip


# --- fmt --------------------------------------------------------------------------------

UGLY = GOOD.replace("F yes", "F ja").replace("CJ HK DJ", "♣J ♥K  ♦J").replace("\n", "\r\n")


def test_fmt_rewrites_only_what_changes(skatspec: Skatspec, files: Path) -> None:
    good, ugly = files / "good.skat", files / "ugly.skat"
    good.write_text(GOOD)
    ugly.write_bytes(UGLY.encode())
    stamp = good.stat().st_mtime_ns
    assert skatspec("fmt", "--check", good).code == 0
    ran = skatspec("fmt", "--check", good, ugly)
    assert (ran.code, ran.out) == (1, f"would change {ugly}\n")
    assert ugly.read_bytes() == UGLY.encode()
    ran = skatspec("fmt", good, ugly)
    assert (ran.code, ran.out) == (0, f"changed {ugly}\n")
    assert ugly.read_bytes() == GOOD.encode()
    assert good.stat().st_mtime_ns == stamp
    assert skatspec("fmt", "--check", good, ugly).code == 0


def test_fmt_takes_folders_by_their_skat_files(skatspec: Skatspec, files: Path) -> None:
    (files / "ugly.skat").write_bytes(UGLY.encode())
    skatspec("fmt", files)
    assert (files / "ugly.skat").read_bytes() == GOOD.encode()
    assert (files / "served.sgf").read_text() == ISS


def test_fmt_filters_standard_input(skatspec: Skatspec) -> None:
    assert skatspec("fmt", "-", stdin=UGLY.encode()).out == GOOD
    assert skatspec("fmt", "-", stdin=GOOD.encode()).out == GOOD
    assert skatspec("fmt", "--check", "-", stdin=UGLY.encode()).code == 1
    assert skatspec("fmt", "--check", "-", stdin=GOOD.encode()).code == 0


def test_fmt_keeps_what_it_cannot_read(skatspec: Skatspec, files: Path) -> None:
    path = files / "mixed.skat"
    path.write_text("36 deals\n\n" + BROKEN + "\n" + UGLY.replace("\r\n", "\n"))
    ran = skatspec("fmt", path)
    assert ran.code == 1
    assert "N004" in ran.err
    assert path.read_text() == "36 deals\n\n" + BROKEN + "\n" + GOOD


def test_fmt_leaves_a_file_alone_that_it_could_not_write_back_whole(
    skatspec: Skatspec, files: Path
) -> None:
    invalid = UGLY.encode().replace(b"Anna", "Änn".encode() + b"\xff")
    long = UGLY.encode() + b"#" * (2 << 20) + b"\n" + GOOD.encode()
    for data in (invalid, long):
        path = files / "odd.skat"
        path.write_bytes(data)
        ran = skatspec("fmt", path)
        assert ran.code == 1
        assert "left as it is" in ran.err
        assert path.read_bytes() == data


def test_fmt_refuses_other_formats_packed_files_and_what_is_not_there(
    skatspec: Skatspec, files: Path
) -> None:
    import gzip

    (files / "packed.skat.gz").write_bytes(gzip.compress(UGLY.encode()))
    for name in ("served.sgf", "packed.skat.gz", "none.skat"):
        assert skatspec("fmt", files / name).code == 2
    (files / "binary.skat").write_bytes(b"\x00\x01")
    ran = skatspec("fmt", files / "binary.skat", files / "three.skat")
    assert ran.code == 1
    assert "E004" in ran.err


def test_fmt_follows_links_and_keeps_permissions(skatspec: Skatspec, files: Path) -> None:
    real = files / "real.skat"
    real.write_bytes(UGLY.encode())
    real.chmod(0o640)
    (files / "link.skat").symlink_to(real)
    assert skatspec("fmt", files / "link.skat").code == 0
    assert (files / "link.skat").is_symlink()
    assert real.read_bytes() == GOOD.encode()
    assert real.stat().st_mode & 0o777 == 0o640


# --- explain ----------------------------------------------------------------------------


def test_every_code_is_explained_by_number_and_by_name(skatspec: Skatspec) -> None:
    for code, entry in catalog().items():
        ran = skatspec("explain", code)
        assert (ran.code, ran.err) == (0, "")
        assert ran.lines[0] == f"{code} {entry.name}  {load_profile('isko').severity(code).value}"
        assert " ".join(ran.out.split()).find(entry.explain) > 0
        assert skatspec("explain", entry.name.upper()).out == ran.out


def test_an_explanation_names_the_rule_in_the_edition_asked_for(skatspec: Skatspec) -> None:
    assert "ISkO 2022 4.2" in skatspec("explain", "revoke").out
    assert "ISkO 2015 4.2" in skatspec("explain", "revoke", "--rules", "isko-2015").out
    note, error = (skatspec("explain", "P006", "--rules", name) for name in ("isko", "ledger"))
    assert (note.lines[0].split()[-1], error.lines[0].split()[-1]) == ("note", "error")


def test_codes_are_listed_by_family_or_beginning(skatspec: Skatspec) -> None:
    everything = skatspec("explain")
    assert sum(line.startswith("  ") for line in everything.lines) == len(catalog())
    bidding = skatspec("explain", "b")
    assert bidding.lines[0] == "B  bidding"
    assert all(line.startswith("  B0") for line in bidding.lines[1:])
    assert skatspec("explain", "Q").code == 2


# --- rules ------------------------------------------------------------------------------


def test_all_profiles_are_listed(skatspec: Skatspec) -> None:
    assert [line.split()[0] for line in skatspec("rules", "list").lines] == available()


@pytest.mark.parametrize("name", available())
def test_a_profile_shown_in_full_is_that_profile(
    skatspec: Skatspec, tmp_path: Path, name: str
) -> None:
    text = skatspec("rules", "show", name).out
    assert "extends" not in yaml.safe_load(text)
    (tmp_path / "full.yaml").write_text(text)
    assert skatspec("rules", "check", tmp_path / "full.yaml").code == 0
    assert load_rules(tmp_path / "full.yaml").tables == load_rules(name).tables
    assert load_profile(tmp_path / "full.yaml").digest == load_profile(name).digest
    as_json = json.loads(skatspec("rules", "show", name, "--format", "json").out)
    assert as_json == yaml.safe_load(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name: a\nextends: isko\nplaying: 1\n", ":3: F003 profile-unknown-key"),
        ("name: a\nextends: isko\nwinning:\n  points: many\n", ":4: F002 profile-shape"),
        ("name: a\nextends: a.yaml\n", ":2: F004 profile-cycle"),
        ("name: [\n", ": F001 profile-not-yaml"),
        ("name: a\nname: b\n", ":2: F007 profile-repeated-key"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_profile_is_named_with_its_line(
    skatspec: Skatspec, tmp_path: Path, text: str, place: str
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(text)
    ran = skatspec("rules", "check", path)
    assert ran.code == 1
    assert place in ran.out


def test_a_missing_profile_is_wrong_usage(skatspec: Skatspec) -> None:
    assert skatspec("rules", "check", "nowhere.yaml").code == 2
    assert skatspec("rules", "show", "nowhere").code == 2


def test_a_difference_names_keys_sources_and_cells(skatspec: Skatspec) -> None:
    ran = skatspec("rules", "diff", "isko", "ledger")
    assert ran.lines[0] == "isko -> ledger"
    at = ran.lines.index("  play.null_lost: decided -> ends")
    assert ran.lines[at + 1] == "      ledger ch. 4"
    assert "  auction.states.f-alone.only: (not set) -> [18]" in ran.lines
    assert "  null_lost: decided -> ends" in ran.lines[ran.lines.index("table cells") :]
    assert "  auction[8].only: () -> (18,)" in ran.lines
    assert "the same rules" in skatspec("rules", "diff", "isko", "isko-2015").lines


def test_a_long_list_of_cells_is_cut_unless_all_is_asked_for(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    (tmp_path / "short.yaml").write_text("name: s\nextends: isko\nbids:\n  maximum: 50\n")
    ran = skatspec("rules", "diff", "isko", tmp_path / "short.yaml")
    assert any("more (--all shows them)" in line for line in ran.lines)
    every = skatspec("rules", "diff", "isko", tmp_path / "short.yaml", "--all")
    assert sum("only in the first" in line for line in every.lines) > 40


def test_the_ladder_of_bids_has_63_values(skatspec: Skatspec) -> None:
    ladder = skatspec("rules", "bids").out.split()
    assert (len(ladder), ladder[0], ladder[-1]) == (63, "18", "264")
    assert "189" in skatspec("rules", "bids", "iss").out.split()
