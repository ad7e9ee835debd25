"""Lists that would mislead: a reader, a spreadsheet, a season, or whoever reads the findings."""

from __future__ import annotations

import csv
import io
import os
from dataclasses import replace
from pathlib import Path

import pytest

from skatspec.formats.lines import MAX_LINE
from skatspec.formats.score_sheet import parse, write_csv, write_json
from skatspec.session.judge import ListJudge
from skatspec.session.season import files
from skatspec.session.tables import Listed, disputes_csv, guarded, told
from skatspec.sheet import Row, Sheet
from tests.clirun import GOOD, Skatspec, skatspec

__all__ = ["skatspec"]

HEADINGS = "deal;declarer;contract;matadors;bid;result;value;total_1;total_2;total_3\n"
ROWS = "1;2;hearts;with 2;20;won;30;0;30;0\n2;3;clubs;with 1;20;won;24;0;30;24\n"
FORMULAS = ["=1+1", "+1+1", "@SUM(1)", "-2+3", "＝1+1", "＋1", "－1+1", "＠SUM(1)"]


def codes(text: str) -> list[str]:
    """Return the codes of what the reader finds."""
    return [one.code for one in parse(text).findings]


# --- files -------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_in_a_folder_is_passed_over_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "list.csv").write_text(HEADINGS + ROWS)
    passed_over: list[str] = []
    found = list(files([str(tmp_path)], passed_over))
    assert [Path(one.path).name for one in found] == ["list.csv"]
    assert [Path(one).name for one in passed_over] == ["pipe.csv"]


@pytest.mark.parametrize("text", ["[]", "[\n]"])
def test_a_file_without_any_list_or_record_is_no_clean_check(
    tmp_path: Path, skatspec: Skatspec, text: str
) -> None:
    path = tmp_path / "nothing.json"
    path.write_text(text)
    ran = skatspec("list", "check", str(path))
    assert ran.code == 1
    assert "E006" in ran.err


def test_what_is_wrong_with_a_file_of_records_as_such_is_told(
    tmp_path: Path, skatspec: Skatspec
) -> None:
    path = tmp_path / "evening.skat"
    path.write_text(GOOD + "# " + "x" * MAX_LINE + "\n")
    assert "E005" in skatspec("list", "check", str(path)).out
    path.with_suffix(".json").write_text("[" + "{}, " * (MAX_LINE // 4) + "{}]")
    ran = skatspec("list", "check", str(path.with_suffix(".json")))
    assert ran.code == 1
    assert "E005" in ran.err


# --- spreadsheets ------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_no_spelling_of_a_formula_stands_bare_in_any_csv(name: str, lang: str) -> None:
    text = f"players;{name};Ben;Cem\n{HEADINGS}{ROWS}3;1;hearts;with 2;20;won;31;31;30;24\n"
    sheet = parse(text)
    written = write_csv(sheet, lang=lang)
    assert parse(written).players[0] == name
    told_csv = "".join(disputes_csv([Listed(ListJudge().check(sheet))], lang))
    for made, delimiter in ((written, ";"), (told_csv, ";" if lang == "de" else ",")):
        cells = [one for row in csv.reader(io.StringIO(made), delimiter=delimiter) for one in row]
        assert f"'{name}" in cells
        assert name not in cells


def test_a_formula_behind_blanks_is_text_and_a_number_stays_one() -> None:
    assert guarded(" =1+1") == "' =1+1"
    assert guarded("\u00a0@SUM(1)") == "'\u00a0@SUM(1)"
    assert guarded("-48") == "-48"
    assert guarded(" Anna") == " Anna"


@pytest.mark.parametrize("name", ["Club '-48'", "O'-Neil", "Anna '=x", "'Anna"])
def test_an_apostrophe_inside_a_name_is_its_own(name: str) -> None:
    sheet = parse(f"players;{name};Ben;Cem\n{HEADINGS}{ROWS}")
    assert sheet.players[0] == name
    assert parse(write_csv(sheet)).players[0] == name


# --- what is no row ----------------------------------------------------------------------


def test_a_text_with_the_words_of_headings_is_not_taken_for_the_headings() -> None:
    event = "deal;declarer;contract;matadors;hand;bid;result;value"
    sheet = replace(parse(HEADINGS + ROWS), event=event)
    for delimiter in ";,\t":
        again = parse(write_csv(sheet, delimiter=delimiter))
        assert (again.event, len(again.rows)) == (event, 2)


def test_a_line_above_may_begin_with_empty_cells_and_an_unknown_one_is_named() -> None:
    sheet = parse(f";;players;Anna;Ben;Cem\n;;;Club;;\n{HEADINGS}{ROWS}")
    assert sheet.players == ("Anna", "Ben", "Cem")
    assert [(one.code, one.read) for one in sheet.findings] == [("L021", "Club")]


@pytest.mark.parametrize("footer", ["Written by: Anna", "Ende 22:30", "Schriftführer"])
def test_a_remark_below_the_list_does_not_cut_it_off(footer: str) -> None:
    sheet = parse(f"{HEADINGS}{ROWS}{footer}\n")
    assert not sheet.cut
    assert [(one.code, one.read) for one in sheet.findings] == [("L021", footer)]


@pytest.mark.parametrize("end", ["3", "poi", "gewonn"])
def test_the_beginning_of_a_row_or_of_a_line_of_sums_still_cuts_it_off(end: str) -> None:
    sheet = parse(HEADINGS + ROWS + end)
    assert sheet.cut
    assert codes(HEADINGS + ROWS + end) == ["L016"]


def test_a_finding_above_the_rows_is_about_no_column() -> None:
    report = ListJudge().check(parse(f"Our club;\nsystem;best\n{HEADINGS}{ROWS}"))
    cells = {one.code: one.cell for one in told(Listed(report))}
    assert cells["L021"] == ""
    assert cells["L014"] == "system"


@pytest.mark.parametrize("above", ["Our club;\n", ""])
def test_a_list_whose_reading_left_something_over_still_has_its_page(
    tmp_path: Path, skatspec: Skatspec, above: str
) -> None:
    path = tmp_path / "list.csv"
    wrong = "3;1;hearts;with 2;20;won;31;31;30;24\n"
    text = f"{above}players;J\u00f6rg;Ben;Cem\n{HEADINGS}{ROWS}{wrong}"
    path.write_bytes(text.encode("latin-1"))
    ran = skatspec("list", "sheet", str(path), "--format", "html")
    assert ran.code == 0
    assert "L030" in ran.out


# --- cells -------------------------------------------------------------------------------


@pytest.mark.parametrize(("cell", "won"), [("gew.", True), ("verl.", False), ("Gewonnen.", True)])
def test_a_result_may_be_shortened_with_a_dot(cell: str, won: bool) -> None:
    account = parse(f"{HEADINGS}1;2;hearts;with 2;20;{cell};30;0;30;0\n").rows[0].account
    assert account is not None
    assert account.won is won


def test_a_whole_number_with_a_fraction_of_zero_is_one_in_json() -> None:
    sheet = parse(
        '{"skat-list": 1, "deals": 36.0, "dealer": 1.0, "rows": [{"deal": 1.0, "declarer": 2.0,'
        ' "value": 30.0, "totals": [0.0, 30.0, -1e3]}]}'
    )
    row = sheet.rows[0]
    assert (sheet.length, sheet.dealer, row.number, row.declarer) == (36, 0, 1, 1)
    assert row.totals == (0, 30, -1000)
    assert not sheet.findings


@pytest.mark.parametrize("after", [-5, 10**12])
def test_sums_stand_behind_some_row_wherever_they_say(after: int) -> None:
    sheet = parse(
        '{"skat-list": 1, "rows": [{"deal": 1, "declarer": 1, "value": 18, "totals": [18, 0, 0]}],'
        f' "sums": [{{"kind": "points", "after": {after}, "figures": [18, 0, 0]}}]}}'
    )
    assert sheet.sums[0].line in (0, 1)


def test_a_row_that_is_null_is_named_as_what_it_is() -> None:
    sheet = parse('{"skat-list": 1, "rows": [null, {"deal": 1, "declarer": 1, "value": 18}]}')
    assert [(one.code, one.read) for one in sheet.findings] == [("L014", "null")]


def test_totals_that_were_not_read_keep_their_places_in_json() -> None:
    row = Row(1, 1, 0, None, None, 18, unread=frozenset({"total_2", "total_3"}))
    again = parse(write_json(Sheet("", seats=3, rows=(row,))))
    assert again.rows[0].unread == {"total_2", "total_3"}
