"""`replay`, `convert`, `fmt`, `explain` and `rules`: what they print, write and refuse."""

from __future__ import annotations

import json
import os
import re
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
    assert "rules: isko (the record's Rules tag)" in ran.lines[:3]
    assert row(ran.lines, "2") == ["2", "forehand", "holds"]
    assert row(ran.lines, "8") == ["8", "forehand", "puts", "away", "SQ", "DQ"]
    # trick 5: queen of hearts trumps the spades, 4 + 3 points
    assert row(ran.lines, "22-24") == ["22-24", "5", "R", "S8", "HQ", "SK", "F", "7", "45", "10"]
    assert row(ran.lines, "37-39")[-2:] == ["67", "47"]
    assert "put away: SQ DQ  6 points" in ran.lines
    assert "declarer: 67 + 6 put away = 73 points" in ran.lines
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
    assert "stopped at step 11 by P004; the 28 steps after it are not replayed" in ran.lines
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
    assert "      score: +40, +50, +60" in ran.lines
    assert "      recorded: won, +40, 73 points, 6 tricks" in ran.lines
    assert "undetermined" in ran.lines


def test_hands_that_the_record_does_not_give_are_called_so(skatspec: Skatspec) -> None:
    path = resources.locate("records", "games", "result-only.skat")
    ran = skatspec("replay", path)
    for who in ("forehand", "rearhand", "skat"):
        assert row(ran.lines, who)[-2:] == ["not", "recorded"]
    start = skatspec("replay", path, "--at", "0")
    assert row(start.lines, "skat")[-2:] == ["not", "recorded"]


def test_a_replay_is_settled_by_the_figures_that_the_verdict_is_given_by(
    skatspec: Skatspec, files: Path
) -> None:
    without_play = GOOD.split("play\n")[0] + "result\n  F won 30, points 73, tricks 6\n"
    (files / "short.skat").write_text(without_play)
    (report,) = map(json.loads, skatspec("check", files / "short.skat", "--format=jsonl").lines)
    ran = skatspec("replay", files / "short.skat")
    assert (report["verdict"], report["score"], report["points"]) == ("consistent", 30, 73)
    assert row(ran.lines, "73")[:4] == ["73", "points;", "won:", "+30"]
    assert "not settled" not in ran.out


def test_a_step_beyond_the_end_is_said_to_be_so(skatspec: Skatspec, files: Path) -> None:
    ran = skatspec("replay", files / "hidden.skat", "--at", "99")
    assert (ran.code, ran.err) == (0, "the record has 7 steps, not 99\n")
    assert ran.out == skatspec("replay", files / "hidden.skat", "--at", "7").out


@pytest.mark.parametrize("at", [10, 11, 12, 99])
def test_a_position_of_a_contradicted_record_says_why_it_leaves_with_1(
    skatspec: Skatspec, files: Path, at: int
) -> None:
    ran = skatspec("replay", files / "three.skat", "--id", "revoke", "--at", at)
    assert ran.code == 1
    assert "P004 revoke, step 11" in ran.out
    assert ("illegal" in ran.err) == (10 < at < 40)
    wrong = skatspec("replay", files / "three.skat", "--id", "wrong", "--at", at)
    assert wrong.code == 1
    assert "S001 wrong-score" in wrong.out


@pytest.mark.parametrize("command", [("replay",), ("convert",)])
def test_a_folder_where_a_file_belongs_is_wrong_usage(
    skatspec: Skatspec, files: Path, command: tuple[str, ...]
) -> None:
    out = (files / "out.sgf",) if command == ("convert",) else ()
    ran = skatspec(*command, files, *out)
    assert ran.code == 2
    assert "is a folder" in ran.err


def test_suits_are_glyphs_at_a_terminal_unless_letters_are_asked_for(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "♣" not in skatspec("replay", files / "three.skat").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert "♣J" in skatspec("replay", files / "three.skat").out
    assert "♣" not in skatspec("replay", files / "three.skat", "--letters").out


def test_at_a_terminal_every_card_is_a_glyph_but_in_the_files_own_line(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    whole = skatspec("replay", files / "three.skat", "--id", "revoke").lines
    part = skatspec("replay", files / "three.skat", "--id", "revoke", "--at", "10").lines
    assert any("♣T does not follow trump" in line for line in whole)
    assert any("expected: trump: ♥K ♥A" in line for line in whole)
    assert "after 10 of 39 steps: forehand plays ♣J" in part
    own = [line for line in whole + part if " | " not in line]
    assert len(own) < len(whole + part)
    assert not [line for line in own if re.search(r"\b[CSHD][789TJQKA]\b", line)]


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
    assert (ran.code, ran.err) == (0, "1 record converted\n")
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
    text = GOOD.replace('[Id "good"] ', '[Id "good"] [Event "Evening"] ')
    (files / "two.skat").write_text(text + "\n" + text)
    ran = skatspec("convert", files / "two.skat", files / "out.sgf", "--from", "skat")
    assert ran.code == 0
    lines = ran.err.splitlines()
    named = [line for line in lines if "X001 tag-dropped: " in line and "Event" in line]
    second = len(text.splitlines()) + 3
    assert [line.split(": ")[0] for line in named] == [
        f"{files / 'two.skat'}:2:13", f"{files / 'two.skat'}:{second}:13",
    ]  # fmt: skip
    assert named[0].endswith("(record good)")
    assert "2 records converted; lost on the way: 4 X001" in lines


def test_rules_that_a_format_cannot_name_are_said_loudly(skatspec: Skatspec, files: Path) -> None:
    own = GOOD.replace(' [Rules "isko"]', "")
    other = GOOD.replace('"isko"', '"ledger"')
    served = GOOD.replace('"isko"', '"iss"')
    (files / "rules.skat").write_text("\n".join((GOOD, own, other, served)))
    ran = skatspec("convert", files / "rules.skat", files / "rules.sgf", "--quiet")
    assert ran.code == 0
    assert [line for line in ran.err.splitlines() if line.startswith("Rules ")] == [
        "Rules isko has no place in ISS: check the copy with --rules isko, "
        "else it is judged by iss (2 records)",
        "Rules ledger has no place in ISS: check the copy with --rules ledger, "
        "else it is judged by iss (1 record)",
    ]
    ran = skatspec("convert", files / "rules.skat", files / "rules.json")
    assert "has no place" not in ran.err


def test_what_cannot_be_read_or_written_is_left_out_with_1(skatspec: Skatspec, files: Path) -> None:
    (files / "bad.skat").write_text(BROKEN + GOOD)
    ran = skatspec("convert", files / "bad.skat", "-", "--to", "json")
    assert ran.code == 1
    assert json.loads(ran.out)["tags"][0] == ["Id", "good"]
    assert "N004" in ran.err
    assert "1 record converted, 1 left out (named above)\n" in ran.err
    ran = skatspec("convert", files / "bad.skat", files / "rest.json")
    assert ran.code == 1
    assert f"1 left out (named above); {files / 'rest.json'} holds the others" in ran.err
    assert len(json.loads((files / "rest.json").read_text())) == 1
    odd = replace(record(GOOD), steps=(Declare(0, "solo"),))
    (files / "odd.json").write_text(registry.write_record(odd, "json")[0])
    ran = skatspec("convert", files / "odd.json", files / "odd.sgf")
    if isinstance(registry.parse_text((files / "odd.json").read_text()), BrokenRecord):
        pytest.skip("the JSON form knows the contracts")
    assert ran.code == 1
    assert "X007" in ran.err


@pytest.mark.parametrize(
    "text", [BROKEN, BROKEN * 3, GOOD.replace("%skat 1", "%skta 1"), "", "# x"]
)
def test_nothing_replaces_a_file_where_no_record_can_be_converted(
    skatspec: Skatspec, files: Path, text: str
) -> None:
    (files / "in.skat").write_text(text)
    out = files / "out.json"
    out.write_text("what was here")
    ran = skatspec("convert", files / "in.skat", out, "--quiet")
    assert ran.code == 1
    assert out.read_text() == "what was here"
    assert "no records converted" in ran.err
    assert f"{out} is left as it was" in ran.err
    assert {path.name for path in files.iterdir()} == {
        "three.skat", "hidden.skat", "served.sgf", "in.skat", "out.json",
    }  # fmt: skip
    out.unlink()
    empty = text in ("", "# x")
    assert skatspec("convert", files / "in.skat", out).code == (0 if empty else 1)
    assert out.exists() == empty


def test_the_file_that_is_read_is_never_written(skatspec: Skatspec, files: Path) -> None:
    path = files / "three.skat"
    before = path.read_bytes()
    (files / "link.sgf").symlink_to(path)
    os.link(path, files / "hard.json")
    (files / "folder").symlink_to(files, target_is_directory=True)
    outs = [path, files / "link.sgf", files / "hard.json", files / "folder" / "three.skat"]
    for out in outs:
        ran = skatspec("convert", path, out)
        assert ran.code == 2, out
        assert "is the file that is read" in ran.err
    ran = skatspec("convert", files / "link.sgf", path)
    assert ran.code == 2
    assert path.read_bytes() == before
    assert (files / "link.sgf").is_symlink()


def test_a_figure_that_cannot_be_read_is_named_and_leaves_with_1(
    skatspec: Skatspec, files: Path
) -> None:
    (files / "nan.sgf").write_text(ISS.replace("v:30", "v:NaN"))
    ran = skatspec("convert", files / "nan.sgf", files / "nan.skat")
    assert ran.code == 1
    assert "S016" in ran.err
    assert "1 record converted" in ran.err


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
    listed = [line.split()[0] for line in everything.lines if re.match("  [A-Z]", line)]
    assert listed == list(catalog())
    bidding = skatspec("explain", "b")
    assert bidding.lines[0] == "B  bidding"
    assert all(line.startswith(("  B0", " " * 20)) for line in bidding.lines[1:])
    assert skatspec("explain", "Q").code == 2


def test_what_a_finding_fills_in_is_named(skatspec: Skatspec) -> None:
    assert "recorded <read>, right is <expected>" in skatspec("explain", "S001").out
    everything = skatspec("explain")
    assert "<read> is no card" in everything.out
    for output in (everything.out, *(skatspec("explain", code).out for code in ("S001", "N015"))):
        assert "…" not in output
        assert "_>" not in output


@pytest.mark.parametrize(
    ("written", "meant"),
    [("revok", "revoke (P004)"), ("wrong_score", "wrong-score (S001)"), ("schneider", "S009")],
)
def test_a_misspelled_code_is_answered_with_its_neighbours(
    skatspec: Skatspec, written: str, meant: str
) -> None:
    for args in (("explain", written), ("check", "-", "--select", written)):
        ran = skatspec(*args)
        assert (ran.code, ran.out) == (2, "")
        assert "did you mean" in ran.err
        assert meant in ran.err
    assert "did you mean" not in skatspec("explain", "qqqqqq").err


# --- rules ------------------------------------------------------------------------------


def test_all_profiles_are_listed(skatspec: Skatspec) -> None:
    listed = [line for line in skatspec("rules", "list").lines if not line.startswith(" ")]
    assert [line.split()[0] for line in listed] == available()


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
    ran = skatspec("rules", "diff", "isko", "ledger", "--keys", "--cells")
    assert ran.lines[0] == "isko -> ledger"
    at = ran.lines.index("  play.null_lost: decided -> ends")
    assert ran.lines[at + 1] == "    ledger  ledger"
    assert "  auction.states.f-alone.only: (not set) -> [18]" in ran.lines
    assert "  null_lost: decided -> ends" in ran.lines[ran.lines.index("table cells") :]
    assert "  auction[8].only: () -> (18,)" in ran.lines
    assert "the same rules" in skatspec("rules", "diff", "isko", "isko-2015").lines


def test_a_long_list_of_cells_is_cut_unless_all_is_asked_for(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    (tmp_path / "short.yaml").write_text("name: s\nextends: isko\nbids:\n  maximum: 50\n")
    ran = skatspec("rules", "diff", "isko", tmp_path / "short.yaml", "--cells")
    assert any("more (--all shows them)" in line for line in ran.lines)
    every = skatspec("rules", "diff", "isko", tmp_path / "short.yaml", "--all")
    assert sum("only in the first" in line for line in every.lines) > 40


def test_the_ladder_of_bids_has_63_values(skatspec: Skatspec) -> None:
    ladder = skatspec("rules", "bids").out.split()
    assert (len(ladder), ladder[0], ladder[-1]) == (63, "18", "264")
    assert "189" in skatspec("rules", "bids", "iss").out.split()


# --- the pages --------------------------------------------------------------------------

PAGES = Path(__file__).resolve().parents[1]


def shown(page: str, command: str) -> list[str]:
    """Return the lines that a page shows as the output of a command."""
    text = (PAGES / page).read_text(encoding="utf-8")
    _, found, rest = text.partition(f"```\n$ {command}\n")
    assert found, command
    return rest.partition("\n```")[0].splitlines()


def test_the_page_shows_what_settle_really_prints(
    skatspec: Skatspec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    command = "skatspec settle --contract hearts --matadors with:2 --bid 33 --points 72"
    assert skatspec(*command.split()[1:]).lines == shown("docs/cli.md", command)


@needs_shared
def test_the_page_shows_what_check_really_prints(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(files)
    text = (SHARED / "data" / "iss" / "real.sgf").read_text()
    assert text.count("v:-108") == 1
    Path("games.sgf").write_text(text.replace("v:-108", "v:-90"))
    assert skatspec("check", "games.sgf").lines == shown("docs/cli.md", "skatspec check games.sgf")


def test_the_readme_counts_the_samples_that_are_open_on_purpose() -> None:
    expected = yaml.safe_load(resources.text("records", "games", "EXPECT.yaml"))
    number = sum(verdict == "undetermined" for verdict in expected.values())
    words = ("none", "one", "two", "three", "four", "five", "six")
    readme = (PAGES / "README.md").read_text(encoding="utf-8")
    assert f"{words[number].capitalize()} of the samples are *undetermined* on purpose" in readme


def test_the_commands_of_the_readme_work_as_printed(
    skatspec: Skatspec, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for needed in ("numba", "pyarrow", "duckdb"):
        pytest.importorskip(needed, reason=f"the page shows archives, too ({needed})")
    for folder in ("records", "examples"):
        (tmp_path / folder).symlink_to(PAGES / folder)
    monkeypatch.chdir(tmp_path)
    readme = (PAGES / "README.md").read_text(encoding="utf-8")
    commands = [line for line in readme.splitlines() if line.startswith("skatspec ")]
    assert len(commands) > 6
    for line in commands:
        command, _, remark = line.partition("  #")
        code = 1 if "leaves with 1" in remark else 0
        assert skatspec(*command.split()[1:]).code == code, command
