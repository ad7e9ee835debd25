"""`skatspec list`: what its commands print, write and refuse; the example evening is in examples.

The errors of the example are its author's: a lost Hand game that is charged once (table 1,
deal 13), a total that is ten too high (deal 24), a Schneider that only the record tells (deal 4).
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from skatspec import resources
from skatspec.cli import list_options
from skatspec.diagnostics.catalog import LANGUAGES
from skatspec.session import scoring
from tests.clirun import Skatspec, skatspec

__all__ = ["skatspec"]

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples" / "lists"
LISTS = ("table-1.csv", "table-2.csv", "table-3.json", "table-4.csv")
GROUP = ("check", "standings", "sheet", "anonymise")
SMALL = """\
players,Anna,Ben,Cem
table,{table}
round,{round}
rules,isko
system,seeger-fabian
deals,3
deal,declarer,contract,matadors,hand,schneider,bid,result,value,total_1,total_2,total_3
1,1,hearts,with 1,,,18,won,20,20,0,0
2,2,grand,without 1,,,18,lost,{value},20,{value},0
3,3,clubs,with 2,,,18,won,36,20,{value},36
"""


def small(table: str = "1", round: str = "1", value: int = -96) -> str:
    """Return a list of three deals, right unless another value of its lost Grand is asked for."""
    return SMALL.format(table=table, round=round, value=value)


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a copy of the example evening; it is the current one."""
    shutil.copytree(EXAMPLES, tmp_path / "evening")
    monkeypatch.chdir(tmp_path / "evening")
    return tmp_path / "evening"


def loaded(text: str) -> Any:
    return json.loads(text)


def rows(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def valid(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads(resources.text("schemas", name))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


# --- help -------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["", *GROUP])
def test_help_fits_eighty_columns_whole(
    skatspec: Skatspec, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    ran = skatspec("list", *command.split(), "--help")
    assert ran.code == 0
    assert max(len(line) for line in ran.lines) <= 80
    assert not any(line.rstrip().endswith("...") for line in ran.lines[1:])


def test_the_commands_are_listed_with_what_they_do_also_once_they_are_imported(
    skatspec: Skatspec,
) -> None:
    for _ in range(2):
        listed = skatspec("list", "--help")
        assert listed.code == 0
        for name in GROUP:
            assert re.search(rf"^  {name} +\w", listed.out, re.MULTILINE)
        assert "  list " in skatspec("--help").out


# --- the example evening ----------------------------------------------------------------


def test_the_example_s_slips_are_found_with_their_effect_and_nothing_else(
    skatspec: Skatspec, evening: Path
) -> None:
    ran = skatspec("list", "check", *LISTS, "--format", "json")
    said = loaded(ran.out)
    assert (ran.code, said["checked"], said["errors"]) == (1, 4, 2)
    assert said["verdicts"] == {"consistent": 3, "contradicted": 1}
    (one,) = said["lists"]
    hand, added = one["disputes"]
    assert one["source"] == "table-1.csv"
    assert (hand["deal"], hand["code"], hand["entered"]) == (13, "L032", "-72")
    assert (hand["expected"], hand["first"], added["first"]) == (["-144"], True, False)
    assert (added["deal"], added["code"], added["player"]) == (24, "L040", "Anke Brandt")
    assert (added["entered"], added["expected"]) == ("-114", ["-124"])
    assert hand["rule"] and [why["text"] for why in hand["why"]][-1] == "lost, times 2: -144"
    # Cem's totals from deal 13 to 36, his points and his final sum only follow
    assert len(hand["follow_on"]) == 24 + 2
    (moved, *others) = hand["corrections"][0]["effect"]
    assert moved == {
        "player": "Cem Demir", "place_now": 7, "place_then": 9, "total_now": 703,
        "total_then": 631,
    }  # fmt: skip
    assert {one["player"]: one["place_then"] for one in others} == {
        "Mina Nowak": 7, "Emil Fuchs": 8,
    }  # fmt: skip


def test_what_only_the_record_tells_is_found_once_with_what_follows_from_it(
    skatspec: Skatspec, evening: Path
) -> None:
    ran = skatspec(
        "list", "check", *LISTS, "--records", "table-1.skat", "--format", "json"
    )  # fmt: skip
    assert ran.code == 1
    (one,) = loaded(ran.out)["lists"]
    assert [(each["deal"], each["code"]) for each in one["disputes"]] == [
        (4, "L037"), (13, "L032"), (24, "L040"),
    ]  # fmt: skip
    value = one["disputes"][0]
    assert (value["cell"], value["entered"], value["expected"]) == ("Wert", "48", ["72"])
    assert value["why"][0]["text"] == "Schneider is no in the list, and yes by the deal's record"
    assert len(value["follow_on"]) == 33 + 2 + 1
    assert value["corrections"][0]["effect"][0]["place_then"] == 3


def test_the_records_of_the_example_are_consistent_and_make_a_list(
    skatspec: Skatspec, evening: Path
) -> None:
    assert skatspec("check", "table-1.skat").code == 0
    said = loaded(skatspec("list", "check", "table-1.skat", "--format", "json").out)
    (one,) = said["lists"]
    assert (one["verdict"], one["played"], one["table"]) == ("consistent", 6, "1")
    assert [each["code"] for each in one["disputes"]] == ["L054"]
    assert one["corrected"] == one["entered"]


def test_the_standings_are_those_entered_or_those_that_are_right(
    skatspec: Skatspec, evening: Path
) -> None:
    ran = skatspec("list", "standings", ".", "--format", "json")
    said = loaded(ran.out)
    assert (ran.code, said["lists"], said["lists_with_errors"], said["errors"]) == (1, 4, 1, 2)
    assert [one["place"] for one in said["places"]] == list(range(1, 14))
    entered = {one["player"]: one for one in said["places"]}
    assert (entered["Cem Demir"]["place"], entered["Cem Demir"]["total"]) == (7, 703)
    assert entered["Frauke Gerdes"]["place"] == 1
    assert said["passed_over"] == ["table-1.skat"]
    right = loaded(skatspec("list", "standings", ".", "--corrected", "--format", "json").out)
    found = {one["player"]: (one["place"], one["total"]) for one in right["places"]}
    assert found["Cem Demir"] == (9, 631)
    assert found["Anke Brandt"] == (11, 468)


@pytest.mark.parametrize(
    ("page", "command"),
    [
        ("lists.md", "check examples/lists/table-1.csv"),
        ("lists.md", "check examples/lists/ --lang de"),
        ("lists.md", "standings examples/lists/"),
        ("lists.md", "check examples/lists/table-1.csv --records examples/lists/table-1.skat -q"),
        ("lists.md", "check examples/lists/table-1.skat"),
        ("cli.md", "check examples/lists/table-1.csv --lang de -q"),
    ],
)
def test_the_pages_show_what_is_really_printed(
    skatspec: Skatspec, monkeypatch: pytest.MonkeyPatch, page: str, command: str
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    _, found, rest = text.partition(f"```\n$ skatspec list {command}\n")
    assert found
    shown = rest.partition("\n```")[0].splitlines()
    ran = skatspec("list", *command.split())
    printed = [*ran.err.splitlines(), *ran.lines]
    if shown[-1] == "...":
        shown = shown[:-1]
        printed = printed[: len(shown)]
    assert printed == shown


# --- exit codes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        ("check", "absent.csv"),
        ("check", "table-2.csv", "absent.csv"),
        ("check", "table-2.csv", "--records", "absent.skat"),
        ("check", "table-2.csv", "--system", "mine"),
        ("check", "table-2.csv", "--rules", "ledger", "--system", "seeger-fabian"),
        ("check", "table-2.csv", "--rules", "no-such-rules"),
        ("check", "table-2.csv", "--output", "pdf:out.pdf"),
        ("check", "table-2.csv", "--output", "csv:table-2.csv"),
        ("check", "table-2.csv", "--output", "csv:."),
        ("check", "table-1.csv", "--records", "table-1.skat", "--output", "csv:table-1.skat"),
        ("check", ".", "--output", "csv:./table-1.csv"),
        ("check", "table-2.csv", "--deals", "0"),
        ("check", "table-2.csv", "--deals", "3:0"),
        ("check", "table-2.csv", "--deals", "33:9"),
        ("check", "table-2.csv", "--deals", "36", "--deals", "48"),
        ("check", "table-2.csv", "--deals", "3:36", "--deals", "3:48"),
        ("check", "table-2.csv", "--deals", "9" * 5000),
        ("standings", "absent"),
        ("standings", "-"),
        ("standings", "empty"),
        ("standings", ".", "--output", "table-4.csv"),
        ("standings", "table-2.csv", "--output", "table-2.csv"),
        ("standings", ".", "--output", "places.ods"),
        ("standings", ".", "--output", "places.csv.gz"),
        ("standings", ".", "--records", "absent.skat"),
        ("standings", ".", "--records", "table-1.skat", "--output", "table-1.skat"),
        ("standings", ".", "--rules", "ledger", "--system", "seeger"),
        ("sheet", "absent.csv"),
        ("sheet", "table-2.csv", "--output", "table-2.csv"),
        ("sheet", "table-2.csv", "--output", "sheet.xlsx"),
        ("sheet", "table-2.csv", "--number", "2"),
    ],
)
def test_wrong_usage_leaves_with_2_and_harms_no_list(
    skatspec: Skatspec, evening: Path, args: tuple[str, ...]
) -> None:
    (evening / "empty").mkdir()
    before = {path.name: path.read_bytes() for path in evening.iterdir() if path.is_file()}
    ran = skatspec("list", *args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err
    assert {path.name: path.read_bytes() for path in evening.iterdir() if path.is_file()} == before


def test_an_output_of_an_earlier_run_is_written_over_in_the_folder_that_is_read(
    skatspec: Skatspec, evening: Path
) -> None:
    for _ in range(2):
        ran = skatspec("list", "standings", ".", "--output", "places.csv")
        assert (ran.code, ran.out) == (1, "")
        assert rows((evening / "places.csv").read_text())[0]["player"] == "Frauke Gerdes"
        ran = skatspec("list", "check", ".", "--output", "csv:disputes.csv")
        assert ran.code == 1
        assert len(rows((evening / "disputes.csv").read_text())) == 2


def test_right_lists_leave_with_0_errors_with_1(skatspec: Skatspec, evening: Path) -> None:
    ran = skatspec("list", "check", *LISTS[1:])
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[-1] == "3 lists: 3 consistent"
    assert skatspec("list", "check", "table-1.csv").code == 1
    assert skatspec("list", "check", "table-1.csv", "--exit-zero").code == 0
    assert skatspec("list", "standings", *LISTS[1:]).code == 0
    assert skatspec("list", "standings", *LISTS).code == 1
    assert skatspec("list", "sheet", "table-1.csv").code == 0


def test_warnings_and_open_rows_count_only_where_they_are_asked_for(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    warned = tmp_path / "warned.csv"
    warned.write_text(small().replace("deals,3\n", ""))
    assert skatspec("list", "check", warned).code == 0
    assert skatspec("list", "check", warned, "--fail-on", "warning").code == 1
    assert skatspec("list", "check", warned, "--fail-on", "warning", "--exit-zero").code == 0
    assert skatspec("list", "check", warned, "--fail-on", "undetermined").code == 0
    opened = tmp_path / "open.csv"
    # nothing says whether the game was Hand or Schneider: 48 can stand, and so can more
    opened.write_text(
        "players,Anna,Ben,Cem\nrules,isko\ndeals,1\ndeal,declarer,contract,matadors,value\n"
        "1,1,grand,with 1,48\n"
    )
    ran = skatspec("list", "check", opened)
    assert (ran.code, ran.lines[-1]) == (0, "1 list: 1 undetermined")
    assert skatspec("list", "check", opened, "--fail-on", "undetermined").code == 1
    assert skatspec("list", "check", opened, "--fail-on", "warning").code == 0


@pytest.mark.parametrize("command", ["check", "standings"])
def test_a_folder_without_lists_is_wrong_usage(
    skatspec: Skatspec, tmp_path: Path, command: str
) -> None:
    (tmp_path / "empty").mkdir()
    ran = skatspec("list", command, tmp_path / "empty")
    assert (ran.code, ran.lines) == (2, [])
    assert "no lists in" in ran.err


@pytest.mark.parametrize("command", ["check", "standings"])
def test_a_round_that_no_list_is_of_is_wrong_usage(
    skatspec: Skatspec, evening: Path, command: str
) -> None:
    ran = skatspec("list", command, ".", "--round", "22")
    assert (ran.code, ran.lines) == (2, [])
    assert "no list of this round" in ran.err


def test_files_that_hold_no_list_are_refused_with_their_code(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    binary = tmp_path / "some.csv"
    binary.write_bytes(bytes(range(256)) * 8)
    ran = skatspec("list", "check", binary)
    assert ran.code == 1
    assert "E004" in ran.err
    assert skatspec("list", "sheet", binary).code == 1
    text = tmp_path / "some.txt"
    text.write_text("hello\nworld\n")
    ran = skatspec("list", "check", text)
    assert ran.code == 1
    assert "L010" in ran.out
    nothing = tmp_path / "none.json"
    nothing.write_text("[]")
    ran = skatspec("list", "sheet", nothing)
    assert (ran.code, ran.out) == (1, "")
    assert "E006" in ran.err


SPREADSHEETS = ("list.xlsx", "list.XLS", "list.ods", "list.numbers")
SAVE_AS_CSV = "a spreadsheet's own file; save it as CSV"


@pytest.mark.parametrize("name", SPREADSHEETS)
@pytest.mark.parametrize("command", ["check", "standings"])
def test_a_spreadsheet_s_own_file_counts_as_not_read_in_a_folder_and_by_name(
    skatspec: Skatspec, tmp_path: Path, command: str, name: str
) -> None:
    (tmp_path / "right.csv").write_text(small())
    (tmp_path / name).write_bytes(b"PK\x03\x04 and so on")
    (tmp_path / f"~${name}").write_bytes(b"open elsewhere")
    for paths in ((tmp_path,), (tmp_path / "right.csv", tmp_path / name)):
        ran = skatspec("list", command, *paths)
        assert ran.code == 1
        assert ran.err == f"not read: {tmp_path / name}: E007 {SAVE_AS_CSV}\n"
        assert "1 list" in ran.out


def test_a_folder_that_is_a_spreadsheet_is_not_gone_into(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    (tmp_path / "evening.numbers").mkdir()
    (tmp_path / "evening.numbers" / "index.csv").write_text(small())
    for path in (tmp_path, tmp_path / "evening.numbers"):
        ran = skatspec("list", "check", path)
        assert (ran.code, SAVE_AS_CSV in ran.err) == (1, True)
        assert ran.lines == ["0 lists"]


def test_a_spreadsheet_s_own_file_is_no_sheet_to_be_written_anew(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    (tmp_path / "list.ods").write_bytes(b"PK\x03\x04 and so on")
    ran = skatspec("list", "sheet", tmp_path / "list.ods", "--output", tmp_path / "list.csv")
    assert (ran.code, "E007" in ran.err) == (1, True)
    assert not (tmp_path / "list.csv").exists()


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf", gzip.compress(b"")])
@pytest.mark.parametrize("name", ["empty.csv", "empty.json", "empty.skat"])
def test_an_empty_file_is_no_list(
    skatspec: Skatspec, tmp_path: Path, name: str, data: bytes
) -> None:
    empty, right = tmp_path / name, tmp_path / "right.csv"
    empty.write_bytes(data)
    right.write_text(small())
    for command in ("check", "standings"):
        ran = skatspec("list", command, right, empty, "--format", "json")
        said = loaded(ran.out)
        assert ran.code == 1
        assert said["broken"] == [f"{empty}: E006 the file is empty"]
        assert said["checked" if command == "check" else "lists"] == 1


def test_a_table_without_a_byte_in_a_folder_may_have_been_a_list(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    (tmp_path / "right.csv").write_text(small())
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "table-7.csv").write_text("")
    ran = skatspec("list", "standings", tmp_path)
    assert ran.code == 1
    assert ran.err == (
        f"passed over: {tmp_path / 'notes.txt'}\n"
        f"not read: {tmp_path / 'table-7.csv'}: E006 the file is empty\n"
    )


@pytest.mark.parametrize(
    "text", ["", "hello\nworld\n", "deal,declarer,value\n", "players,Anna,Ben,Cem\n"]
)
def test_a_file_without_any_deal_makes_no_sheet(
    skatspec: Skatspec, tmp_path: Path, text: str
) -> None:
    path, out = tmp_path / "list.csv", tmp_path / "out.html"
    path.write_text(text)
    ran = skatspec("list", "sheet", path, "--output", out)
    assert (ran.code, ran.out, out.exists()) == (1, "", False)
    assert str(path) in ran.err


# --- formats, languages, outputs --------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_format_of_a_check_comes_in_both_languages(
    skatspec: Skatspec, evening: Path, lang: str
) -> None:
    said = {
        form: skatspec("list", "check", "table-1.csv", "--format", form, "--lang", lang)
        for form in ("text", "csv", "json", "html")
    }
    assert {ran.code for ran in said.values()} == {1}
    word = {"en": "a lost game is charged", "de": "verlorenes Spiel"}[lang]
    for form, ran in said.items():
        assert word in ran.out, form
        assert "L032" in ran.out
    assert max(len(line) for line in said["text"].lines) <= 80
    assert said["html"].out.startswith("<!DOCTYPE html>")
    assert f'<html lang="{lang}">' in said["html"].out
    found = rows(said["csv"].out, {"en": ",", "de": ";"}[lang])
    entered, expected = {"en": ("entered", "expected"), "de": ("eingetragen", "erwartet")}[lang]
    assert [(one[entered], one[expected]) for one in found] == [("-72", "-144"), ("-114", "-124")]
    assert loaded(said["json"].out)["lists"][0]["disputes"][0]["code"] == "L032"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_format_of_standings_comes_in_both_languages(
    skatspec: Skatspec, evening: Path, lang: str
) -> None:
    heading = {"en": "player", "de": "Spieler"}[lang]
    for form in ("text", "csv", "json", "html"):
        ran = skatspec("list", "standings", *LISTS, "--format", form, "--lang", lang)
        assert ran.code == 1
        assert "Cem Demir" in ran.out
        assert form == "json" or heading in ran.out
        if form == "csv":
            found = rows(ran.out, {"en": ",", "de": ";"}[lang])
            assert [one[heading] for one in found][6] == "Cem Demir"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_sheet_is_written_so_that_it_says_the_same_when_it_is_read(
    skatspec: Skatspec, evening: Path, lang: str
) -> None:
    for form in ("csv", "json"):
        copy = evening / f"copy.{form}"
        ran = skatspec("list", "sheet", "table-4.csv", "--lang", lang, "--output", copy)
        assert (ran.code, ran.out) == (0, "")
        again = [
            loaded(skatspec("list", "standings", name, "--format", "json").out)["places"]
            for name in (copy, "table-4.csv")
        ]
        assert again[0] == again[1]
        assert skatspec("list", "check", copy).lines[-1] == "1 list: 1 consistent"
    page = skatspec("list", "sheet", "table-1.csv", "--format", "html", "--lang", lang)
    assert page.code == 0
    assert f'<html lang="{lang}">' in page.out


def test_a_sheet_of_records_has_totals_and_sums(skatspec: Skatspec, evening: Path) -> None:
    ran = skatspec("list", "sheet", "table-1.skat")
    assert ran.code == 0
    (line,) = [line for line in ran.lines if line.startswith("6,")]
    assert line.endswith(",-46,-84,108,36")
    (last,) = [line for line in ran.lines if line.startswith("total,")]
    assert last.endswith(",-134,288,166")


def test_several_outputs_are_written_at_once(skatspec: Skatspec, evening: Path) -> None:
    ran = skatspec(
        "list", "check", *LISTS, "--output", "html:page.html", "--output", "csv:found.csv",
        "--output", "json", "-q",
    )  # fmt: skip
    assert ran.code == 1
    assert loaded(ran.out)["checked"] == 4
    assert (evening / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert len(rows((evening / "found.csv").read_text(encoding="utf-8"))) == 2


def test_the_suffix_of_an_output_says_its_format(skatspec: Skatspec, evening: Path) -> None:
    begins = {
        ".csv": "place,", ".txt": "Standings", ".json": "{", ".html": "<!DOCTYPE", "": "Standings",
        ".CSV": "place,",
    }  # fmt: skip
    for suffix, first in begins.items():
        output = evening / f"places{suffix}"
        assert skatspec("list", "standings", *LISTS, "--output", output).code == 1
        assert output.read_text(encoding="utf-8").startswith(first)
    named = evening / "places.ods"
    ran = skatspec("list", "standings", *LISTS, "--output", named, "--format", "csv")
    assert ran.code == 1
    assert named.read_text(encoding="utf-8").startswith("place,")
    for suffix, first in ((".csv", "event,"), (".txt", "event,"), (".json", "{"), (".html", "<!")):
        output = evening / f"sheet{suffix}"
        assert skatspec("list", "sheet", "table-4.csv", "--output", output).code == 0
        assert first in output.read_text(encoding="utf-8")


def test_german_csv_in_a_file_begins_with_a_mark_that_spreadsheets_know(
    skatspec: Skatspec, evening: Path
) -> None:
    mark = "\ufeff".encode()
    commands = {
        "check": lambda name: ("check", "table-1.csv", "--output", f"csv:{name}"),
        "standings": lambda name: ("standings", "table-1.csv", "--output", name),
        "sheet": lambda name: ("sheet", "table-1.csv", "--output", name),
    }
    for command, args in commands.items():
        german, english = evening / f"{command}-de.csv", evening / f"{command}-en.csv"
        skatspec("list", *args(german), "--lang", "de")
        skatspec("list", *args(english))
        assert german.read_bytes().startswith(mark)
        assert german.read_bytes().count(mark) == 1
        assert not english.read_bytes().startswith(mark)
        page = evening / f"{command}.html"
        skatspec("list", *(str(one).replace("csv:", "html:") for one in args(page)), "--lang", "de")
        assert not page.read_bytes().startswith(mark)
        ran = skatspec("list", command, "table-1.csv", "--format", "csv", "--lang", "de")
        assert "\ufeff" not in ran.out
    again = skatspec("list", "check", evening / "sheet-de.csv", "--format", "json")
    assert "E001" not in again.out


def test_quiet_leaves_the_summary_out(skatspec: Skatspec, evening: Path) -> None:
    assert skatspec("list", "check", "table-2.csv", "-q").out == ""
    loud, quiet = (skatspec("list", "check", "table-1.csv", *args).lines for args in ((), ("-q",)))
    assert loud[: len(quiet)] == quiet
    assert loud[len(quiet) :] == ["1 list: 1 contradicted"]


# --- what is read -----------------------------------------------------------------------


def test_standard_input_packed_and_latin_1_files_are_read(
    skatspec: Skatspec, evening: Path
) -> None:
    data = (evening / "table-4.csv").read_bytes()
    assert skatspec("list", "check", "-", stdin=data).lines == ["1 list: 1 consistent"]
    (evening / "packed.csv.gz").write_bytes(gzip.compress(data))
    assert skatspec("list", "check", "packed.csv.gz").lines == ["1 list: 1 consistent"]
    (evening / "latin.csv").write_bytes(data.decode("utf-8").encode("latin-1"))
    ran = skatspec("list", "check", "latin.csv", "--format", "json")
    assert ran.code == 0
    (one,) = loaded(ran.out)["lists"]
    assert one["players"][0] == "Jost Köhler"
    assert [each["code"] for each in one["disputes"]] == ["E002"]


def test_only_the_rounds_asked_for_are_counted(skatspec: Skatspec, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        (tmp_path / f"{number}.csv").write_text(small(round=str(number)))
    said = loaded(
        skatspec("list", "standings", tmp_path, "--round", "2", "--format", "json").out
    )  # fmt: skip
    assert (said["lists"], said["other_rounds"]) == (1, 2)
    assert {one["lists"] for one in said["places"]} == {1}
    both = skatspec("list", "standings", tmp_path, "--round", "1", "--round", "3")
    assert "2 lists" in both.lines[0]
    assert both.err == "left out: 1 list of other rounds\n"
    ran = skatspec("list", "check", tmp_path, "--round", "2")
    assert ran.lines == ["1 list: 1 consistent"]


def test_rounds_are_added_up_player_by_player(skatspec: Skatspec, tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"{number}.csv").write_text(small(round=str(number)))
    said = loaded(skatspec("list", "standings", tmp_path, "--format", "json").out)
    # Seeger-Fabian at three: 50 a game won, -50 lost, 40 for one that another loses
    assert [(one["player"], one["total"], one["lists"]) for one in said["places"]] == [
        ("Cem", 2 * (36 + 50 + 40), 2), ("Anna", 2 * (20 + 50 + 40), 2), ("Ben", 2 * (-96 - 50), 2),
    ]  # fmt: skip


def test_a_list_is_held_to_the_number_of_deals_asked_for(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(small())
    assert skatspec("list", "check", path, "--deals", "3").code == 0
    short = skatspec("list", "check", path, "--deals", "6")
    assert (short.code, "L053" in short.out) == (1, True)
    long = skatspec("list", "check", path, "--deals", "2")
    assert (long.code, "L052" in long.out) == (1, True)


def test_deals_may_be_agreed_for_each_size_of_table(skatspec: Skatspec, tmp_path: Path) -> None:
    three, four = tmp_path / "three.csv", tmp_path / "four.csv"
    text = small().replace("deals,3\n", "")
    three.write_text(text)
    four.write_text(
        small("2")
        .replace("deals,3\n", "")
        .replace("Anna,Ben,Cem", "Dora,Emil,Fritz,Gerd")
        .replace("total_3", "total_3,total_4")
        .replace(",0,0\n", ",0,0,0\n")
        .replace("-96,0\n", "-96,0,0\n")
        .replace("-96,36\n", "-96,36,0\n")
    )

    def codes(*args: str) -> dict[str, set[str]]:
        said = loaded(skatspec("list", "check", three, four, *args, "--format", "json").out)
        found: dict[str, set[str]] = {"three": set(), "four": set()}
        for one in said["lists"]:
            found[Path(one["source"]).stem] = {each["code"] for each in one["disputes"]}
        return {name: each & {"L052", "L053", "L054"} for name, each in found.items()}

    assert codes() == {"three": {"L054"}, "four": {"L054"}}
    assert codes("--deals", "3:3", "--deals", "4:2") == {"three": set(), "four": {"L052"}}
    assert codes("--deals", "3:6", "--deals", "4:3") == {"three": {"L053"}, "four": set()}
    assert codes("--deals", "3", "--deals", "4:8") == {"three": set(), "four": {"L053"}}
    assert codes("--deals", "4:8") == {"three": {"L054"}, "four": {"L053"}}


def test_lists_are_counted_by_the_system_and_the_rules_asked_for(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(small())
    totals = {
        system: {
            one["player"]: one["total"]
            for one in loaded(
                skatspec(
                    "list", "standings", path, "--system", system, "--format", "json"
                ).out
            )["places"]
        }
        for system in ("seeger-fabian", "seeger", "plain")
    }  # fmt: skip
    assert totals == {
        "seeger-fabian": {"Anna": 110, "Ben": -146, "Cem": 126},
        "seeger": {"Anna": 70, "Ben": -146, "Cem": 86},
        "plain": {"Anna": 20, "Ben": -96, "Cem": 36},
    }
    ran = skatspec(
        "list", "standings", path, "--rules", "isko", "--set", "match.bonus.own_won=100",
        "--format", "json",
    )  # fmt: skip
    assert {one["player"]: one["total"] for one in loaded(ran.out)["places"]}["Anna"] == 160


def test_a_list_given_twice_is_named_and_not_counted_twice(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(small())
    ran = skatspec("list", "standings", tmp_path, "--format", "json")
    said = loaded(ran.out)
    assert ran.code == 1
    assert [one["code"] for one in said["findings"]] == ["L062"]
    assert {one["lists"] for one in said["places"]} == {1}


# --- strangers' texts -------------------------------------------------------------------


def test_no_control_character_of_a_name_reaches_the_terminal(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(small(value=-48, table="1\x1b[2J").replace("Ben", "B\x1b]0;x\x07\x9b31men"))
    for args in (
        ("check", path), ("check", path, "--lang", "de"), ("standings", path),
        ("check", path, "--format", "html"), ("standings", path, "--format", "html"),
        ("sheet", path, "--format", "html"), ("sheet", path, "--number", "7"),
    ):  # fmt: skip
        ran = skatspec("list", *args)
        assert ran.out or ran.err
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", ran.out + ran.err), args


def test_names_are_escaped_in_pages(skatspec: Skatspec, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(small(value=-48).replace("Ben", "<script>alert(1)</script>"))
    for command in ("check", "standings", "sheet"):
        ran = skatspec("list", command, path, "--format", "html")
        assert "&lt;script&gt;" in ran.out
        assert "<script>alert" not in ran.out


def test_in_csv_numbers_stay_numbers_and_names_are_no_formulas(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(small(value=-48).replace("Ben", "=cmd|' /C calc'!A0"))
    (found,) = rows(skatspec("list", "check", path, "--format", "csv").out)
    assert (found["entered"], found["expected"]) == ("-48", "-96")
    assert found["player"].startswith("'=cmd")
    places = rows(skatspec("list", "standings", path, "--format", "csv").out)
    assert places[-1]["player"].startswith("'=cmd")
    assert places[-1]["total"] == "-98"
    sheet = skatspec("list", "sheet", path)
    assert sheet.lines[0] == "players,Anna,'=cmd|' /C calc'!A0,Cem"
    assert ",lost,-48,20,-48,0" in sheet.out


# --- shapes -----------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "de"])
def test_reports_have_the_shape_of_their_schema(
    skatspec: Skatspec, evening: Path, lang: str
) -> None:
    broken = evening / "broken.csv"
    broken.write_bytes(bytes(range(256)) * 8)
    (evening / "again.csv").write_bytes((evening / "table-2.csv").read_bytes())
    (evening / "half.csv").write_text(
        small(table="9").replace("seeger-fabian", "zero-sum").replace(",-96,20,-96,0", ",,,,")
    )
    validator = valid("list-report.schema.json")
    for args in (
        LISTS, (*LISTS, "again.csv", "broken.csv", "half.csv"), (".",), ("table-1.skat",),
        (*LISTS, "--records", "table-1.skat"), ("table-2.csv", "--deals", "48"),
        ("table-2.csv", "--records", "table-1.skat"),
        ("table-2.csv", "--rules", "ledger"), ("broken.csv",), ("half.csv", "--rules", "house"),
    ):  # fmt: skip
        ran = skatspec("list", "check", *args, "--format", "json", "--lang", lang)
        validator.validate(loaded(ran.out))


def test_standings_have_the_shape_of_their_schema(skatspec: Skatspec, evening: Path) -> None:
    validator = valid("list-standings.schema.json")
    (evening / "again.csv").write_bytes((evening / "table-2.csv").read_bytes())
    for args in ((".",), LISTS, (".", "--corrected"), (".", "--round", "1"),
                 (".", "--system", "zero-sum", "--lang", "de")):  # fmt: skip
        validator.validate(
            loaded(skatspec("list", "standings", *args, "--format", "json").out)
        )  # fmt: skip


def test_the_systems_and_languages_offered_are_those_there_are() -> None:
    assert list_options.SYSTEMS == scoring.SYSTEMS
    assert list_options.LANGUAGES == LANGUAGES
