"""Pseudonyms in the lists of an evening: the same findings and figures, and back byte for byte."""

from __future__ import annotations

import json
import random
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skatspec.formats.lines import Lines
from skatspec.formats.score_sheet import parse, read, write_json
from skatspec.formats.score_sheet.words import same_name
from skatspec.session.anonymise.engine import Anonymiser, Restorer
from skatspec.session.anonymise.formats import rewritten
from skatspec.session.anonymise.key import PSEUDONYM, Key
from skatspec.session.judge import ListJudge
from tests.clirun import GOOD, Skatspec, skatspec
from tests.evenings import evening
from tests.evenings_false import falsifications
from tests.evenings_list import text as grid_text
from tests.evenings_reading import HOUSES
from tests.test_anonymise import Bench, any_key, as_json, iss, there_and_back

__all__ = ["any_key", "skatspec"]

JUDGE = ListJudge()
CSV, JSON = "lists as CSV", "lists as JSON"
# Whether a file is good UTF-8 may hang on its names alone.
OF_ENCODINGS = {"E001", "E002", "E003"}
GERMAN = """\
Veranstaltung;Jörgs Abend bei Anna
Spieler;Anna;Jörg;"Meier, Ute"
Tisch;7
Geber;anna
# Anna schreibt
Spiel;Alleinspieler;Spielart;Spitzen;Hand;Reizwert;Ergebnis;Wert;Summe Anna;jörg;Summe 3;Bemerkung
1;Jörg;Herz;mit 2;x;36;gewonnen;40;0;40;0;ANNA gab
2;-;;;;;;;0;40;0;eingepasst
3;3;Grand;ohne 1;;24;verloren;-96;0;40;-96;"""
GERMAN += '"„Ute"" sagt Meier,  Ute"\nSumme;;;;;;;;0;40;-96;\n'


@pytest.fixture
def bench(tmp_path: Path, skatspec: Skatspec) -> Bench:
    return Bench(tmp_path, skatspec)


def judged(data: bytes) -> list[tuple[Any, ...]]:
    """Return what the checker says of the lists in some bytes, names aside."""
    found = []
    for sheet in read(Lines([data])):
        report = JUDGE.check(sheet)
        codes = [
            (one.code, one.line, one.found.span, one.found.part, one.player, one.severity)
            for one in report.disputes
            if one.code not in OF_ENCODINGS
        ]
        found.append((
            report.verdict, codes, report.entered, report.corrected, report.totals,
            report.corrected_totals, sheet.seats, sheet.dealer, sheet.length, sheet.system,
            [(row.line, row.declarer, row.others, row.dealer, row.value) for row in sheet.rows],
        ))  # fmt: skip
    return found


def changed(key: Key, data: bytes, format: str, folder: Path) -> bytes:
    """Return a list with pseudonyms, and see that it says the same and comes back."""
    there, back = there_and_back(key, data, format, folder)
    assert back == data
    assert judged(there) == judged(data)
    return there


def left(data: bytes, names: list[str]) -> list[str]:
    """Return the names of three letters and more that still stand in some bytes."""
    text = data.decode("utf-8", "replace").casefold()
    sought = [name.casefold() for name in names if len(name) > 2]
    return [one for one in sought if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text)]


# --- the same findings and figures, and back ------------------------------------------------


@pytest.mark.parametrize("house", sorted(HOUSES))
@pytest.mark.parametrize("form", [CSV, JSON])
def test_right_and_wrong_lists_keep_their_findings_and_figures(
    any_key: Key, tmp_path: Path, house: str, form: str
) -> None:
    wrong = 0
    for seed in range(2):
        grid = evening(seed, house, 3 + seed % 2, 9)
        rng = random.Random(seed)
        false = [one.grid for one in falsifications(rng, grid)]
        for one in (grid, *rng.sample(false, min(8, len(false)))):
            text = grid_text(one)
            if form == JSON:
                text = write_json(parse(text))
            there = changed(any_key, text.encode(), form, tmp_path)
            assert left(there, one.seats) == []
            wrong += bool(judged(there)[0][1])
    assert wrong > 5


def test_a_list_in_every_encoding_and_line_end_comes_back(bench: Bench) -> None:
    for number, data in enumerate(
        (
            GERMAN.replace("„", "").encode(),
            GERMAN.replace("„", "").encode("cp1252"),
            b"\xef\xbb\xbf" + GERMAN.encode(),
            GERMAN.replace("\n", "\r\n").encode(),
            GERMAN.replace("\n", "\r").encode(),
            GERMAN.encode("utf-16"),
            GERMAN.rstrip("\n").encode(),
            GERMAN.replace("ö", "o\u0308").encode(),
            ("sep=;\n" + GERMAN).encode(),
        )
    ):
        there = bench.there(f"{number}.csv", data)
        assert bench.back(f"{number}.csv") == data
        assert not re.search(rb"J.{1,3}rg(?!s)|Meier|(?i:anna)", there), there
        assert len(set(PSEUDONYM.findall(there.decode("latin-1").replace("\0", "")))) == 3
    assert sorted(bench.names().values()) == ["Anna", "Jörg", "Meier, Ute"]


def test_nothing_but_names_changes_in_a_list(bench: Bench) -> None:
    expected = GERMAN
    there = bench.there("list.csv", GERMAN).decode()
    for name in ("Anna", "anna", "ANNA", "Meier, Ute", "Meier,  Ute", "Jörg", "jörg"):
        usual = " ".join(name.split())
        usual = usual if "," in usual else usual.capitalize()
        expected = re.sub(rf"\b{name}\b(?!s)", bench.pseudonym(usual), expected)
    assert there == expected


@pytest.mark.parametrize(
    "spelt",
    ["'=Anna", "'+49 Anna", '"=Anna"', '"Anna ""Anni"""', ' "Anna"', "  Anna  ", '"Anna"x',
     "An\ufeffna", "@Anna", "'@Anna", "Anna+Ben", "12", "passed", "Bonus", "value"],
)  # fmt: skip
def test_names_spelt_in_any_way_come_back_and_stay_the_same_player(
    any_key: Key, tmp_path: Path, spelt: str
) -> None:
    rows = f"deal,declarer,contract,value,total_1\n1,{spelt},hearts,40,40\n2,Cem,hearts,-40,40\n"
    data = f"players,{spelt},Dora,Cem\ndealer,{spelt}\n{rows}".encode()
    there = changed(any_key, data, CSV, tmp_path)
    assert parse(data.decode()).rows[0].declarer == 0
    assert PSEUDONYM.search(there.decode().splitlines()[-2]), there


def test_a_name_in_two_lines_comes_back_and_shortens_the_list(any_key: Key, tmp_path: Path) -> None:
    data = b'players,"An\nna",Ben,Cem\ndeal,declarer,value\n1,"An\r\nna",40\n2,"An na",48\n'
    there, back = there_and_back(any_key, data, CSV, tmp_path)
    assert back == data
    assert [row.declarer for row in parse(there.decode()).rows] == [0, 0]
    assert there.count(b"\n") == 4


def test_several_losers_and_players_without_a_line_are_found(any_key: Key, tmp_path: Path) -> None:
    head = "deal,declarer,dealer,contract,value,total Anna,total Ben,total Cem,remark\n"
    rows = "1,Anna+ben,Cem,ramsch,-40,-40,-40,0,\n2,1+Cem,2,ramsch,-40,-80,-40,-40,Dora kam\n"
    rows += "3,Dora,cem,hearts,40,,,,\n4,?,passed,,,,,,\n"
    there = changed(any_key, (head + rows).encode(), CSV, tmp_path).decode()
    assert left(there.encode(), ["Anna", "Ben", "Cem", "Dora"]) == []
    assert re.search(r"\n2,1\+p-\w+,2,ramsch", there)
    assert "\n4,?,passed," in there


def test_players_called_by_numbers_are_no_places(any_key: Key, tmp_path: Path) -> None:
    text = "players,2,17,103\ndeal,declarer,contract,value\n1,2,hearts,40\n2,103,hearts,40\n"
    for data, form in ((text, CSV), (write_json(parse(text)), JSON)):
        there = changed(any_key, data.encode(), form, tmp_path).decode()
        assert "17" not in re.sub(PSEUDONYM, "", there)
    assert re.search(r"\n1,2,hearts,40\n2,p-\w+,hearts", changed(
        any_key, text.encode(), CSV, tmp_path).decode())  # fmt: skip


def test_lines_between_rows_and_odd_cells_lose_their_names(any_key: Key, tmp_path: Path) -> None:
    text = (
        "players;Anna;Ben;Cem\nAnna;writes\nround;Anna's\n"
        "declarer;contract;value;total_1;total_2;total_3;who;Anna Z\n"
        "points;;;0;Ben;0;;\nBen;Anna won;x Cem;;;;Ben;\n1;hearts;40;40;;;;;;beyond Anna\n"
    )
    there = changed(any_key, text.encode(), CSV, tmp_path)
    assert left(there, ["Anna", "Ben", "Cem"]) == []
    assert there.startswith(b"players;p-")
    assert b"\npoints;;;0;" in there


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
@pytest.mark.parametrize("form", [CSV, JSON])
def test_mutilated_lists_come_back(any_key: Key, form: str, data: st.DataObject) -> None:
    text = GERMAN if form == CSV else write_json(parse(GERMAN))
    raw = text.encode()
    faults = [
        b"",
        b'"',
        b";",
        b"\n",
        b"\r",
        b"#",
        b"\\",
        b"}",
        b"{",
        b"]",
        b"\xff",
        b" Anna ",
        b"+",
    ]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw)))
        gone = data.draw(st.integers(0, 30))
        raw = raw[:at] + data.draw(st.sampled_from(faults)) + raw[at + gone :]
    work = Anonymiser(any_key)
    there = b"".join(rewritten(raw.splitlines(keepends=True), form, work))
    restorer = Restorer(any_key, work.events)
    assert b"".join(rewritten(there.splitlines(keepends=True), form, restorer)) == raw


_NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12
).filter(lambda name: "\ufeff" not in name and PSEUDONYM.search(name) is None)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(names=st.tuples(_NAMES, _NAMES, _NAMES), note=_NAMES)
def test_any_names_are_replaced_in_lists(
    tmp_path: Path, any_key: Key, names: tuple[str, str, str], note: str
) -> None:
    rows = [
        {"declarer": name, "value": 40, "contract": "hearts", "remark": f"{note} {name} {note}"}
        for name in names
    ]
    document = {"skat-list": 1, "players": names, "event": note, "rows": rows}
    changed(any_key, json.dumps(document, ensure_ascii=False).encode(), JSON, tmp_path)
    out = ["players;" + ";".join(map(quoted, names)), "declarer;value;contract;remark"]
    out += [";".join(quoted(str(cell)) for cell in row.values()) for row in rows]
    out[1] = ";".join(rows[0])
    changed(any_key, "\n".join(out).encode(), CSV, tmp_path)


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


# --- lists in JSON --------------------------------------------------------------------------


def a_list(**members: Any) -> str:
    row = {"declarer": "ben", "contract": "hearts", "value": 40, "remark": "Anna gab", **members}
    names = ["Anna", "Ben", "Cem"]
    return json.dumps({"skat-list": 1, "players": names, "dealer": "Cem", "rows": [row]})


@pytest.mark.parametrize("form", ["skat", "iss", "json text", "json"])
def test_records_in_rows_get_the_pseudonyms_of_the_list(bench: Bench, form: str) -> None:
    record: Any = {
        "skat": GOOD.replace('[R "Cem"]', '[R "Cem"] [Comment "ANNA\'s \\"Cem\\""]'),
        "iss": iss("Anna", "BEN", "Cem", comment="ann and Anna"),
        "json text": as_json(GOOD),
        "json": json.loads(as_json(GOOD)),
    }[form]
    data = a_list(record=record)
    there = bench.there("list.json", data)
    assert bench.back("list.json") == data.encode()
    assert left(there, ["Anna", "Ben", "Cem"]) == []
    assert judged(there) == judged(data.encode())
    assert sorted(bench.names().values()) == ["Anna", "Ben", "Cem"]
    sheet = parse(there.decode())
    (inside,) = [row.record for row in sheet.rows]
    names = dict(inside.tags if inside else ())  # type: ignore[union-attr]
    assert [same_name(names[seat]) for seat in "FMR"] == list(sheet.players)


def test_escapes_in_a_record_in_a_string_come_back(bench: Bench) -> None:
    text = GOOD.replace("Anna", "J\\u{f6}rg").replace("Ben", "Jörg ß")
    data = a_list(record=text).replace("\\u00f6rg", "\\u00F6rg")
    there = bench.there("list.json", data)
    assert bench.back("list.json") == data.encode()
    assert judged(there) == judged(data.encode())
    assert len(set(PSEUDONYM.findall(there.decode()))) == 5


def test_an_xskat_log_in_a_string_keeps_its_columns(bench: Bench) -> None:
    from tests.test_anonymise import XSKAT

    data = a_list(record=XSKAT.replace("Berta", " Ben "))
    there = bench.there("list.json", data)
    assert bench.back("list.json") == data.encode()
    assert judged(there) == judged(data.encode())
    assert re.search(r"p-\w{7}.{3}p-\w{7}", there.decode())
    assert b"Carl" not in there


def test_several_lists_of_a_file_have_their_own_players(bench: Bench) -> None:
    one, two = a_list(), a_list().replace("Anna", "Dora").replace("Cem", "7")
    for name, data in (("a.json", f"[{one}, {two}]"), ("b.jsonl", f"{one}\n{two}\n")):
        there = bench.there(name, data)
        assert bench.back(name) == data.encode()
        assert judged(there) == judged(data.encode())
        assert left(there, ["Anna", "Ben", "Cem", "Dora"]) == []


def test_names_as_keys_are_replaced(any_key: Key, tmp_path: Path) -> None:
    rows = [{"declarer": 1, "value": 40, "Summe Anna": 40, "total Ben": 0}]
    data = json.dumps({"skat-list": 1, "rows": rows, "Anna": "x"})
    there = changed(any_key, data.encode(), JSON, tmp_path)
    assert left(there, ["Anna", "Ben"]) == []
    assert b'"Summe p-' in there


def test_a_list_in_json_over_the_limit_is_refused(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skatspec.session.anonymise.sheet_json.LIMIT", 100)
    ran = bench.anonymise(bench.file("list.json", a_list()))
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "list.json" in ran.err


def test_a_list_in_csv_over_the_limit_comes_back_without_names(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join([f"{n};Anna;Herz;40;Dora saw Ben\n" for n in range(40)])
    data = "Spieler;Anna;Ben;Cem\nSpiel;Alleinspieler;Spielart;Wert;Bemerkung\n1;Dora;;;\n" + rows
    monkeypatch.setattr("skatspec.session.anonymise.sheet_csv.LIMIT", 200)
    there = bench.there("list.csv", data)
    assert left(there, ["Anna", "Ben", "Cem", "Dora"]) == []
    assert bench.back("list.csv") == data.encode()


# --- texts, files, folders ------------------------------------------------------------------


def test_a_list_and_the_records_of_its_evening_share_their_pseudonyms(bench: Bench) -> None:
    bench.file("list.csv", GERMAN)
    bench.file("games.sgf", iss("Anna", "Jörg", "Meier, Ute"))
    ran = bench.anonymise(bench.folder / "in", group="list")
    assert ran.code == 0
    assert "2 files, 1 record and 1 list with names" in ran.err
    made = [(bench.folder / "out" / one).read_text() for one in ("list.csv", "games.sgf")]
    assert {*PSEUDONYM.findall(made[0])} == {*PSEUDONYM.findall(made[1])} == {*bench.names()}


def test_dropped_remarks_and_comments_leave_the_rest_of_a_list(bench: Bench) -> None:
    for name, data in (("l.csv", GERMAN), ("l.json", write_json(parse(GERMAN)))):
        ran = bench.anonymise(bench.file(name, data), "--drop-comments")
        assert ran.code == 0
        there = (bench.folder / "out" / name).read_bytes()
        assert not re.search(b"gab|sagt|schreibt|eingepasst", there)
        assert judged(there) == judged(data.encode())


def test_comments_stay_comments(any_key: Key, tmp_path: Path) -> None:
    data = (
        'players,#Anna,"Meier, Ute",Cem\n# Meier, Ute writes\n"# ""Cem"", x",Cem y\n'
        "declarer,contract,value\n#Anna,hearts,40\nCem,hearts,40\n"
    )
    there = changed(any_key, data.encode(), CSV, tmp_path)
    assert left(there, ["Ute", "Cem"]) == []
    assert [line[:2] for line in there.splitlines()[1:3]] == [b"# ", b'"#']
    there = b"".join(
        rewritten(data.encode().splitlines(True), CSV, Anonymiser(any_key, drop_comments=True))
    )
    assert there.splitlines()[1:3] == [b"#", b'"#",']


def test_a_folder_names_the_files_it_passes_over(bench: Bench) -> None:
    bench.file("a/list.csv", GERMAN)
    bench.file("list.tsv", GERMAN.replace(";", "\t"))
    bench.file("list.txt", GERMAN)
    bench.file("list.json", a_list())
    bench.file("games.txt", GOOD)
    bench.file("notes.txt", "Anna brings the cards\n")
    bench.file("table.csv", "a,b\n1,2\n")
    bench.file("other.json", '{"skat-standings": 1, "players": [{"name": "Anna"}]}')
    bench.file("readme.md", "x")
    with zipfile.ZipFile(bench.file("lists.zip", b""), "w") as archive:
        archive.writestr("one.csv", GERMAN)
        archive.writestr("no.csv", "a,b\n")
    ran = bench.anonymise(bench.folder / "in", group="list")
    assert ran.code == 0, ran.err
    told = [line.split("/")[-1] for line in ran.err.splitlines() if line.startswith("passed over")]
    assert [one.split(" ")[0] for one in told] == ["no.csv", "notes.txt", "other.json", "table.csv"]
    out = bench.folder / "out"
    made = sorted(one.relative_to(out).as_posix() for one in out.rglob("*") if one.is_file())
    assert made == ["a/list.csv", "games.txt", "list.json", "list.tsv", "list.txt", "lists.zip"]
    assert not [one for one in made if left((out / one).read_bytes(), ["Anna", "Cem", "Meier"])]
    assert bench.anonymise(out, "--reverse", out="back", group="list").code == 0
    for one in made[:-1]:
        assert (bench.folder / "back" / one).read_bytes() == (
            bench.folder / "in" / one
        ).read_bytes()
    with zipfile.ZipFile(bench.folder / "back" / "lists.zip") as archive:
        assert archive.namelist() == ["one.csv"]
        assert archive.read("one.csv").decode() == GERMAN


def test_a_json_file_of_something_else_is_refused(bench: Bench) -> None:
    ran = bench.anonymise(bench.file("other.json", '{"players": ["Anna"]}'))
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "other.json holds neither records nor a list" in ran.err
    assert not (bench.folder / "out").exists()


def test_equal_texts_are_counted_once_and_names_of_servers_never(bench: Bench) -> None:
    data = "".join(
        [
            iss(f"name{n}", "ben", "cem", comment=f"gg name{n}").replace("PC[ISS2]", f"PC[{place}]")
            for n, place in enumerate(("ISS2", "IssGen", "Skat Club", "Skat Club", "Ben", "ISS2"))
        ]
    )
    ran = bench.anonymise(bench.file("g.sgf", data))
    assert "1 comment may name people" in ran.err
    assert "1 other text may name people (PC)" in ran.err


def test_remarks_are_counted_with_the_comments(bench: Bench) -> None:
    ran = bench.anonymise(bench.file("list.csv", GERMAN))
    assert "warning: 4 comments may name people" in ran.err
    assert "warning: 1 other text may name people (event)" in ran.err
