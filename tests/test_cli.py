"""`skatspec check` and what all commands share: exit codes, outputs, filters, safety."""

from __future__ import annotations

import bz2
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest

from skatspec import resources
from skatspec.cli.terminal import Paint, numbers
from skatspec.diagnostics import catalog
from skatspec.formats import registry
from tests.clirun import BROKEN, GOOD, NO_SKAT, REVOKE, WRONG_SCORE, Skatspec, skatspec
from tests.shared import SHARED, needs_shared

__all__ = ["skatspec"]

ISS = registry.write_record(registry.parse_text(GOOD), "iss")[0]  # type: ignore[arg-type]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder of one file for each verdict, and some that are none."""
    for name, text in (
        ("good", GOOD), ("wrong", WRONG_SCORE), ("revoke", REVOKE), ("hidden", NO_SKAT),
        ("broken", BROKEN), ("empty", ""), ("junk", f"36 deals\n{GOOD}"),
    ):  # fmt: skip
        (tmp_path / f"{name}.skat").write_text(text)
    (tmp_path / "unknown.txt").write_text("some text\n")
    (tmp_path / "picture.sgf").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    return tmp_path


# --- exit codes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("good.skat", 0), ("hidden.skat", 0), ("empty.skat", 0), ("junk.skat", 0),
        ("wrong.skat", 1), ("revoke.skat", 1), ("broken.skat", 1), ("unknown.txt", 1),
        ("picture.sgf", 1), ("missing.skat", 2),
    ],
)  # fmt: skip
def test_the_exit_code_follows_the_worst_that_is_found(
    skatspec: Skatspec, files: Path, name: str, code: int
) -> None:
    assert skatspec("check", files / name).code == code
    assert skatspec("check", files / "good.skat", files / name).code == code


@pytest.mark.parametrize(
    ("name", "option", "code"),
    [
        ("hidden.skat", "--fail-on=undetermined", 1), ("good.skat", "--fail-on=undetermined", 0),
        ("junk.skat", "--fail-on=warning", 1), ("good.skat", "--fail-on=warning", 0),
        ("hidden.skat", "--fail-on=warning", 0), ("empty.skat", "--require-records", 1),
        ("good.skat", "--require-records", 0), ("wrong.skat", "--exit-zero", 0),
        ("unknown.txt", "--exit-zero", 0), ("missing.skat", "--exit-zero", 2),
    ],
)  # fmt: skip
def test_options_move_the_line_between_clean_and_found(
    skatspec: Skatspec, files: Path, name: str, option: str, code: int
) -> None:
    assert skatspec("check", files / name, option).code == code


@pytest.mark.parametrize(
    "args",
    [
        (), ("--rules", "nowhere", "good.skat"), ("--format", "xml", "good.skat"),
        ("--select", "Q9", "good.skat"), ("--output", "xml:out", "good.skat"),
        ("--output", "json", "--format", "text", "good.skat"), ("--fail-on", "x", "good.skat"),
        ("--output", "json:good.skat", "good.skat"), ("--output", "json:no/where/x", "good.skat"),
    ],
)  # fmt: skip
def test_wrong_usage_leaves_with_2_and_reads_nothing(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...]
) -> None:
    monkeypatch.chdir(files)
    ran = skatspec("check", *args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err
    assert (files / "good.skat").read_text() == GOOD


def test_our_own_fault_leaves_with_3_and_names_the_record(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object) -> None:
        raise ZeroDivisionError("a \x1b[2Jfault")

    monkeypatch.setattr("skatspec.judging.check", fault)
    ran = skatspec("check", files / "good.skat")
    assert ran.code == 3
    assert "good.skat:1, record good" in ran.err
    assert "ZeroDivisionError" in ran.err
    assert "report" in ran.err
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err
    from skatspec.cli import main

    with pytest.raises(ZeroDivisionError):
        main(["--debug", "check", str(files / "good.skat")])


def test_an_interrupted_run_says_so(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("skatspec.judging.check", interrupt)
    assert skatspec("check", files / "good.skat").code == 130


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "many.skat").write_text(WRONG_SCORE * 2000)
    command = [sys.executable, "-m", "skatspec", "check", str(tmp_path / "many.skat")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 141


def test_the_version_is_there_in_a_fifth_of_a_second() -> None:
    best = 1.0
    for _ in range(5):
        start = time.perf_counter()
        ran = subprocess.run(
            [sys.executable, "-m", "skatspec", "--version"], capture_output=True, text=True
        )
        best = min(best, time.perf_counter() - start)
        assert ran.stdout.startswith("skatspec ")
    assert best < 0.2


def test_the_version_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom skatspec.cli import main\ntry: main(['--version'])\n"
        "except SystemExit: pass\n"
        "heavy = ('lark', 'yaml', 'jsonschema', 'rich', 'skatspec.rules', 'skatspec.formats')\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_every_command_has_help_with_an_example(skatspec: Skatspec) -> None:
    listed = skatspec("--help")
    for name in ("check", "replay", "settle", "convert", "fmt", "explain", "rules"):
        assert f"  {name} " in listed.out
        ran = skatspec(name, "--help")
        assert ran.code == 0
        assert f"skatspec {name} " in ran.out


@pytest.mark.parametrize(
    "command",
    ["", *["check", "replay", "settle", "convert", "fmt", "explain", "rules"],
     *(f"rules {name}" for name in ["list", "show", "check", "diff", "bids"])],
)  # fmt: skip
def test_help_fits_eighty_columns_whole(
    skatspec: Skatspec, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    ran = skatspec(*command.split(), "--help")
    assert ran.code == 0
    assert max(len(line) for line in ran.lines) <= 80
    assert not any(line.rstrip().endswith("...") for line in ran.lines[1:])


# --- which files, which rules -----------------------------------------------------------


def test_folders_are_searched_for_known_suffixes(skatspec: Skatspec, tmp_path: Path) -> None:
    (tmp_path / "sub" / ".hidden").mkdir(parents=True)
    (tmp_path / "a.skat").write_text(GOOD)
    (tmp_path / "sub" / "b.sgf.bz2").write_bytes(bz2.compress(ISS.encode()))
    (tmp_path / "sub" / "notes.txt").write_text("text")
    (tmp_path / "sub" / ".hidden" / "c.skat").write_text(BROKEN)
    ran = skatspec("check", tmp_path)
    assert ran.code == 0
    assert "2 records in 2 files: 2 consistent" in ran.out


def test_a_folder_without_records_has_none(skatspec: Skatspec, tmp_path: Path) -> None:
    ran = skatspec("check", tmp_path)
    assert ran.code == 0
    assert "E006" in ran.out
    assert "no files to check" in ran.lines
    assert skatspec("check", tmp_path, "--require-records").code == 1


def test_counts_are_in_the_singular_where_they_are_one(skatspec: Skatspec, files: Path) -> None:
    assert "no records in 1 file" in skatspec("check", files / "empty.skat").lines
    assert "2 records in 2 files: 2 consistent" in (
        skatspec("check", files / "good.skat", files / "junk.skat").lines
    )


@pytest.mark.parametrize("name", ["a.skat", "a.sgf"])
def test_text_without_any_record_is_an_error_that_says_how_a_record_begins(
    skatspec: Skatspec, tmp_path: Path, name: str
) -> None:
    start = {"a.skat": "`%skat 1`", "a.sgf": "`(;`"}[name]
    misspelled = f"# remarks do not count\n\n{GOOD.replace('%skat 1', '%skat1')}"
    (tmp_path / name).write_text(misspelled)
    ran = skatspec("check", tmp_path / name)
    assert ran.code == 1
    assert f"{name}:3:1: N011 missing-part: the record has no" in ran.out
    assert start in ran.out
    for command in (("replay",), ("fmt",), ("fmt", "--check")):
        if name == "a.skat" or command == ("replay",):
            ran = skatspec(*command, tmp_path / name)
            assert (ran.code, "N011" in ran.err) == (1, True), command
    assert (tmp_path / name).read_text() == misspelled


def test_a_path_that_does_not_exist_stops_the_run_before_anything_is_read(
    skatspec: Skatspec, files: Path
) -> None:
    ran = skatspec("check", files / "wrong.skat", files / "missing.skat")
    assert (ran.code, ran.out) == (2, "")
    assert "missing.skat" in ran.err


def test_an_output_inside_a_checked_folder_is_not_read(skatspec: Skatspec, files: Path) -> None:
    ran = skatspec("check", files, "--output", f"json:{files / 'report.json'}", "--exit-zero")
    assert "report.json" not in ran.out
    assert json.loads((files / "report.json").read_text())["summary"]["files"] == 8


def test_standard_input_is_a_file_like_any_other(skatspec: Skatspec) -> None:
    ran = skatspec("check", "-", "--format", "concise", stdin=WRONG_SCORE.encode())
    assert ran.code == 1
    assert ran.out.startswith("-:26:3: S001 wrong-score: ")
    assert skatspec("check", "-", stdin=b"").code == 0


def test_the_summary_says_whose_rules_were_taken_and_why(skatspec: Skatspec, files: Path) -> None:
    (files / "served.sgf").write_text(ISS)
    ran = skatspec("check", files / "good.skat", files / "served.sgf")
    assert "rules: isko (the record's Rules tag), 1 record" in ran.lines
    assert "rules: iss (the format's default), 1 record" in ran.lines
    ran = skatspec("check", files / "good.skat", files / "served.sgf", "--rules", "ledger")
    assert "rules: ledger (--rules), 2 records" in ran.lines


def test_a_profile_of_ones_own_judges(skatspec: Skatspec, files: Path) -> None:
    own = files / "own.yaml"
    own.write_text("name: own\nextends: isko\nseverities:\n  wrong-score: note\n")
    ran = skatspec("check", files / "wrong.skat", "--rules", own)
    assert ran.code == 0
    assert "rules: own (--rules), 1 record" in ran.lines
    bad = files / "bad.yaml"
    bad.write_text("name: own\nextends: isko\nplaying: true\n")
    ran = skatspec("check", files / "wrong.skat", "--rules", bad)
    assert ran.code == 2
    assert "bad.yaml:3: F003" in ran.err


def test_unknown_rules_in_a_record_are_r005_and_exit_1(skatspec: Skatspec, files: Path) -> None:
    (files / "odd.skat").write_text(GOOD.replace('"isko"', '"isk0"') + GOOD)
    ran = skatspec("check", files / "odd.skat")
    assert ran.code == 1
    assert "R005 unknown-rules" in ran.out
    assert "2 records in 1 file: 1 consistent, 1 unreadable" in ran.out
    assert "rules: isko (the record's Rules tag), 1 record" in ran.lines


def test_records_that_cannot_be_read_are_judged_by_no_rules(
    skatspec: Skatspec, files: Path
) -> None:
    ran = skatspec("check", files / "broken.skat", files / "good.skat", "--rules", "isko")
    assert "rules: isko (--rules), 1 record" in ran.lines
    assert not any(
        line.startswith("rules: ") for line in skatspec("check", files / "broken.skat").lines
    )


# --- filters ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code", "shown"),
    [
        ((), 1, True), (("--select", "S"), 1, True), (("--select", "S001"), 1, True),
        (("--select", "wrong-score"), 1, True), (("--select", "P,B"), 0, False),
        (("--ignore", "S"), 0, False), (("--ignore", "WRONG-SCORE"), 0, False),
        (("--select", "S", "--ignore", "S001"), 0, False),
        (("--select", "S001", "--ignore", "S"), 1, True),
        (("--select", "S001", "--ignore", "S001"), 0, False),
        (("--select", "P", "--select", "s001"), 1, True), (("--ignore", "S002,N"), 1, True),
    ],
)  # fmt: skip
def test_the_closest_of_select_and_ignore_decides(
    skatspec: Skatspec, files: Path, options: tuple[str, ...], code: int, shown: bool
) -> None:
    ran = skatspec("check", files / "wrong.skat", *options)
    assert ran.code == code
    assert ("S001 wrong-score: recorded" in ran.out) == shown
    assert "1 contradicted" in ran.out
    assert ("not counted: 1 record" in ran.out) == (not shown)


def test_a_filter_changes_no_verdict_and_leaves_out_findings_in_every_output(
    skatspec: Skatspec, files: Path
) -> None:
    ran = skatspec("check", files / "wrong.skat", "--ignore", "S001", "--format", "jsonl")
    report = json.loads(ran.out)
    assert (ran.code, report["verdict"], report["findings"]) == (0, "contradicted", [])
    assert skatspec("check", files / "wrong.skat", "--ignore=S001", "--format=concise").out == ""


def test_undetermined_can_be_filtered_like_anything_else(skatspec: Skatspec, files: Path) -> None:
    hidden = files / "hidden.skat"
    ran = skatspec("check", hidden, "--fail-on", "undetermined", "--ignore", "S019")
    assert ran.code == 0


# --- outputs ----------------------------------------------------------------------------


def test_text_shows_place_numbered_source_line_caret_expectation_and_rule(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    ran = skatspec("check", "revoke.skat")
    at = next(n for n, line in enumerate(ran.lines) if "P004 revoke, step 11" in line)
    assert ran.lines[0] == ("contradicted  revoke.skat:1  revoke  hearts, forehand (Anna), bid 20")
    number = 1 + REVOKE.splitlines().index("  1. F: CJ CT DJ")
    assert ran.lines[at + 1] == f"      {number} |   1. F: CJ CT DJ"
    assert ran.lines[at + 2].rstrip().endswith("^^")
    assert ran.lines[at + 2].index("^") == ran.lines[at + 1].index("CT")
    assert ran.lines[at + 2].index("|") == ran.lines[at + 1].index("|")
    assert "expected:" in ran.lines[at + 3]
    assert "rule: ISkO 2022 4.2" in ran.lines[at + 4]


def test_text_names_the_line_where_there_is_none_to_show(skatspec: Skatspec, files: Path) -> None:
    (files / "long.skat").write_text("%skat 1\n" + "deal\n" * 300_000)
    ran = skatspec("check", files / "long.skat")
    assert ran.code == 1
    assert any(line.strip() == "on line 1" or " 1 | " in line for line in ran.lines)


def test_a_long_head_keeps_verdict_place_and_id_together(skatspec: Skatspec, files: Path) -> None:
    place = f"{files / 'revoke.skat'}:1"
    assert len(place) > 40
    lines = skatspec("check", files / "revoke.skat").lines
    assert lines[0] == f"contradicted  {place}  revoke"
    assert lines[1] == "      hearts, forehand (Anna), bid 20"


def test_text_leaves_consistent_records_to_verbose_and_counts_to_the_loud(
    skatspec: Skatspec, files: Path
) -> None:
    good = files / "good.skat"
    assert skatspec("check", good).lines == [
        "1 record in 1 file: 1 consistent", "rules: isko (the record's Rules tag), 1 record",
    ]  # fmt: skip
    assert skatspec("check", good, "-v").lines[0].startswith("consistent  ")
    assert skatspec("check", good, "-q").out == ""


def test_text_shows_what_an_undetermined_record_states_beside_what_is_possible(
    skatspec: Skatspec, files: Path
) -> None:
    lines = skatspec("check", files / "hidden.skat").lines
    at = lines.index("      recorded: won, +40, 73 points, 6 tricks")
    assert lines[at + 1 : at + 4] == [
        "      matadors: with 2 to 4", "      value: 40, 50, 60", "      score: +40, +50, +60",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([40], "+40"), ([-60, 30], "-60, +30"), ([4, 5, 6, 7, 9], "+4 to +7, +9"),
        ([0, 1], "0, +1"), (list(range(0, 22, 3)), "0, +3, +6, +9, +12, +15, +18, +21"),
        (list(range(-9, 18, 3)), "9 values from -9 to +15"), ([False, True], "no, yes"),
        (list(range(100)), "0 to +99"), ([], ""),
    ],
)  # fmt: skip
def test_long_lists_of_figures_are_given_by_their_ends(values: list[int], shown: str) -> None:
    assert numbers(values, signed=True) == shown
    assert numbers(values) == shown.replace("+", "")


def test_skipped_records_are_counted_by_reason(skatspec: Skatspec, files: Path) -> None:
    ran = skatspec("check", files / "broken.skat", files / "broken.skat")
    assert any(line.startswith("skipped as unreadable: 2 for N") for line in ran.lines)
    skipped = json.loads(skatspec("check", files / "broken.skat", "--format=json").out)["summary"]
    assert sum(skipped["skipped"].values()) == 1


def test_concise_is_a_line_a_finding(skatspec: Skatspec, files: Path) -> None:
    ran = skatspec("check", files, "--format", "concise")
    for line in ran.lines:
        path, _, rest = line.partition(": ")
        assert path.startswith(str(files))
        code, name, message = rest[:4], *rest[5:].split(": ", 1)
        assert catalog()[code].name == name
        assert message
    assert f"{files / 'wrong.skat'}:26:3: S001 wrong-score" in ran.out


def test_jsonl_is_a_line_a_record_and_files_go_to_stderr(skatspec: Skatspec, files: Path) -> None:
    ran = skatspec("check", files, "--format", "jsonl")
    reports = [json.loads(line) for line in ran.lines]
    assert Counter(one["verdict"] for one in reports) == {
        "consistent": 2, "contradicted": 2, "undetermined": 1, "unreadable": 1,
    }  # fmt: skip
    assert {line.split(": ")[1].split()[0] for line in ran.err.splitlines()} == {
        "E006", "N003", "E004",
    }  # fmt: skip


def test_json_is_one_document_of_reports_files_and_summary(skatspec: Skatspec, files: Path) -> None:
    ran = skatspec("check", files, files / "unknown.txt", "--format", "json")
    document = json.loads(ran.out)
    assert list(document) == ["reports", "files", "summary"]
    assert len(document["reports"]) == document["summary"]["records"] == 6
    found = {
        Path(one["source"]).name: [finding["code"] for finding in one["findings"]]
        for one in document["files"]
    }
    assert found["junk.skat"] == ["N003"]
    assert found["unknown.txt"] == ["E007"]
    assert found["good.skat"] == []
    assert len(found) == document["summary"]["files"] == 9
    assert json.loads(skatspec("check", "-", "--format", "json").out)["reports"] == []


def test_several_outputs_come_from_one_run(skatspec: Skatspec, files: Path) -> None:
    out, lines = files / "out.json", files / "out.jsonl"
    wrong = files / "wrong.skat"
    ran = skatspec("check", wrong, "--output", f"json:{out}", "--output", f"jsonl:{lines}")
    assert "1 contradicted" in ran.out
    (report,) = json.loads(out.read_text())["reports"]
    assert report == json.loads(lines.read_text())
    only = skatspec("check", wrong, "--output", "concise")
    assert only.out == skatspec("check", wrong, "--format", "concise").out


@pytest.mark.parametrize("folder", ["games", "invalid"])
def test_every_report_has_the_shape_of_its_schema(skatspec: Skatspec, folder: str) -> None:
    schema = json.loads(resources.text("schemas", "report.schema.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    ran = skatspec("check", resources.locate("records", folder), "--format", "jsonl")
    assert len(ran.lines) > 20
    for line in ran.lines:
        report: dict[str, Any] = json.loads(line)
        assert list(validator.iter_errors(report)) == []
        assert list(report) == schema["required"]


# --- safety -----------------------------------------------------------------------------

NASTY = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\u2066"


@pytest.mark.parametrize("form", ["text", "concise", "json", "jsonl"])
def test_a_record_cannot_steer_the_terminal(skatspec: Skatspec, files: Path, form: str) -> None:
    record = registry.parse_text(WRONG_SCORE)
    tags = (("Id", NASTY), ("F", NASTY), ("M", NASTY))
    from dataclasses import replace

    text = registry.write_record(replace(record, tags=tags), "json")[0]  # type: ignore[type-var]
    (files / "nasty.json").write_text(text)
    broken = GOOD.replace("hearts\n", f"hearts{NASTY}\n")
    (files / "nasty.skat").write_text(broken)
    ran = skatspec("check", files / "nasty.json", files / "nasty.skat", "--format", form)
    replayed = skatspec("replay", files / "nasty.json")
    assert ran.code == 1
    for output in (ran.out, ran.err, replayed.out, replayed.err):
        assert not set(output) & set("\x1b\x07\x9b\u202e\u2066")
    assert "owned" in ran.out


def test_colour_is_for_terminals_and_not_where_it_is_unwanted(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = files / "wrong.skat"
    assert "\x1b[" not in skatspec("check", wrong).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in _with(monkeypatch, skatspec, wrong, FORCE_COLOR="1")
    assert "\x1b[" not in _with(monkeypatch, skatspec, wrong, FORCE_COLOR="1", NO_COLOR="1")
    assert "\x1b[" not in _with(monkeypatch, skatspec, wrong, FORCE_COLOR="1", TERM="dumb")


def _with(
    monkeypatch: pytest.MonkeyPatch, skatspec: Skatspec, path: Path, **environment: str
) -> str:
    for name, value in {"TERM": "xterm", "NO_COLOR": "", **environment}.items():
        monkeypatch.setenv(name, value)
    return skatspec("check", path).out


@pytest.mark.parametrize(
    ("columns", "terminal"),
    [("60", True), ("80", True), ("120", True), ("80", False), ("120", False)],
)
def test_lines_fit_the_terminal_and_a_file_of_its_width(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch, columns: str, terminal: bool
) -> None:
    (files / "long.sgf").write_text(ISS.replace("win v:30", "loss v:-60"))
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.chdir(files)
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("NO_COLOR", "1")
    for args in (
        ("check", "long.sgf", "revoke.skat", "hidden.skat", "broken.skat"),
        ("replay", "long.sgf"), ("replay", "revoke.skat"), ("rules", "list"), ("explain",),
        ("explain", "S001"), ("explain", "R005"),
        ("settle", "--contract", "null", "--bid", "30"),
        ("settle", "--contract", "null", "--bid", "30", "--matadors", "with:1"),
    ):  # fmt: skip
        lines = skatspec(*args).lines
        tables = args[0] == "replay" and columns == "60"
        assert tables or max(len(line) for line in lines) <= int(columns), args


def test_without_a_terminal_lines_have_eighty_columns_and_words_stay_whole(
    skatspec: Skatspec, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(files)
    ran = skatspec("check", "wrong.skat", "revoke.skat")
    assert 60 < max(len(line) for line in ran.lines) <= 80
    name = "a" * 200 + ".skat"
    Path(name).write_text(WRONG_SCORE)
    assert f"contradicted  {name}:1  wrong" in skatspec("check", name).lines


@pytest.mark.parametrize("width", [40, 61, 80])
def test_styles_take_no_room_where_lines_are_broken(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(width))
    chance = random.Random(width)
    paint = Paint(sys.stdout)
    for _ in range(200):
        words = ["".join(chance.choices("aab:-\u00a0", k=chance.randint(1, 30))) for _ in range(9)]
        styled = [paint(word, bold=True) if chance.random() < 0.5 else word for word in words]
        broken = paint.wrap("  ".join(styled), "  ", "    ")
        assert click.unstyle(broken) == paint.wrap("  ".join(words), "  ", "    ")
        assert broken.count("\x1b") == "".join(styled).count("\x1b")
        assert max(len(click.unstyle(line)) for line in broken.splitlines()) <= width


def test_an_encoding_without_the_letters_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "umlaut.skat").write_text(WRONG_SCORE.replace("Anna", "Jürgen ♣"), "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "skatspec", "check", str(tmp_path / "umlaut.skat")],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert ran.returncode == 1
    assert b"J\\xfcrgen \\u2663" in ran.stdout


_PEAK = """
import contextlib, sys, tracemalloc
from skatspec.cli import main
warm_up, *arguments = sys.argv[1:]
with contextlib.suppress(SystemExit):
    main(["check", warm_up, *arguments[2:]])
tracemalloc.start()
with contextlib.suppress(SystemExit):
    main(arguments)
print(tracemalloc.get_traced_memory()[1], file=sys.stderr)
"""


def test_memory_does_not_grow_with_the_number_of_records(tmp_path: Path) -> None:
    wrong = registry.write_record(registry.parse_text(WRONG_SCORE), "iss")[0]  # type: ignore[arg-type]
    outputs = [f"--output={form}:{tmp_path / form}" for form in ("json", "jsonl", "concise")]
    warm_up = tmp_path / "warm.sgf"
    warm_up.write_text(ISS + wrong + "junk\n")
    peaks = []
    for times in (20, 400):
        (tmp_path / "in.sgf").write_text((ISS + wrong + "junk\n") * times)
        checked = ["check", str(tmp_path / "in.sgf"), *outputs]
        command = [sys.executable, "-c", _PEAK, str(warm_up), *checked]
        ran = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True
        )
        peaks.append(int(ran.stderr))
        assert len((tmp_path / "jsonl").read_text().splitlines()) == 2 * times
    assert peaks[1] < peaks[0] + 500_000


@needs_shared
def test_the_servers_own_records_hold_under_its_rules(skatspec: Skatspec) -> None:
    ran = skatspec("check", SHARED / "data" / "iss" / "real.sgf")
    assert ran.code == 0
    assert ran.lines[0] == "24 records in 1 file: 24 consistent"


@needs_shared
def test_the_clients_games_differ_from_the_server_in_520_scores(skatspec: Skatspec) -> None:
    path = SHARED / "data" / "iss" / "client-random-3000.sgf"
    assert skatspec("check", path, "--rules", "iss-client").code == 0
    ran = skatspec("check", path, "--format", "json")
    summary = json.loads(ran.out)["summary"]
    assert summary["verdicts"]["contradicted"] == 520
    assert {code: row["count"] for code, row in summary["codes"].items()} == {"S001": 520}
