"""Score sheets in CSV: what is read, in both languages, and what is found."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatspec import resources
from skatspec.diagnostics import Diagnostic, message
from skatspec.errors import InputError, UsageError
from skatspec.formats import score_sheet
from skatspec.formats.registry import FORMATS
from skatspec.formats.score_sheet import looks_like, open_sheets, parse, write_csv
from skatspec.sheet import Account, Row, Sheet

ROOT = Path(score_sheet.__file__).parents[3]
HEADINGS = {
    "deal": "Spiel", "declarer": "Alleinspieler", "contract": "Spielart", "matadors": "Spitzen",
    "hand": "Hand", "schneider": "Schneider", "schneider_announced": "Schneider angesagt",
    "schwarz": "Schwarz", "schwarz_announced": "Schwarz angesagt", "ouvert": "Ouvert",
    "bid": "Reizwert", "result": "Ergebnis", "value": "Wert",
    "total_1": "Summe 1", "total_2": "Summe 2", "total_3": "Summe 3",
}  # fmt: skip
ENGLISH, GERMAN = list(HEADINGS), list(HEADINGS.values())
ROWS = """\
1;2;hearts;with 2;x;;;;;;36;won;40;0;40;0
2;;;;;;;;;;;;;0;40;0
3;3;grand;without 1;;;;;;;24;lost;-96;0;40;-96
"""
WORDS = (
    ("hearts", "Herz"), ("without", "ohne"), ("with", "mit"), ("won", "gewonnen"),
    ("lost", "verloren"),
)  # fmt: skip


def bare(sheet: Sheet) -> Sheet:
    """Return a sheet without what it says of its file."""
    rows = tuple(replace(row, line=0) for row in sheet.rows)
    sums = tuple(replace(one, line=0) for one in sheet.sums)
    return replace(
        sheet, source="", index=0, rows=rows, sums=sums, columns={}, findings=(), cut=False
    )


def english(delimiter: str = ";") -> str:
    """Return a list of three deals in English."""
    lines = ["players;Anna;Ben;Cem", ";".join(ENGLISH), ROWS]
    return "\n".join(lines).replace(";", delimiter)


def german(delimiter: str = ";") -> str:
    """Return the same list in German."""
    rows = ROWS
    for word, in_german in WORDS:
        rows = rows.replace(word, in_german)
    lines = ["Spieler;Anna;Ben;Cem", ";".join(GERMAN), rows]
    return "\n".join(lines).replace(";", delimiter)


def found(sheet: Sheet) -> list[tuple[str, int, int]]:
    """Return code, line and field of the findings; each of them has its words."""
    assert not any(re.search(r"\{\w+\}", message(one)) for one in sheet.findings)
    return [(one.code, one.span.line, one.span.column) for one in sheet.findings]


def codes(sheet: Sheet) -> list[str]:
    return [code for code, _, _ in found(sheet)]


def only(sheet: Sheet, code: str) -> Diagnostic:
    """Return the one finding of a code."""
    (one,) = [each for each in sheet.findings if each.code == code]
    return one


def cell(column: str, text: str, *, others: dict[str, str] | None = None) -> Sheet:
    """Return the sheet of one game, won by the second player, with a cell of a column."""
    cells = {"declarer": "2", "value": "40", **(others or {}), column: text}
    quoted = ['"' + one.replace('"', '""') + '"' for one in cells.values()]
    return parse("players;Anna;Ben;Cem\n" + ";".join(cells) + "\n" + ";".join(quoted) + "\n")


def account(sheet: Sheet, row: int = 0) -> Account:
    said = sheet.rows[row].account
    assert said is not None
    return said


# ---------------------------------------------------------------- what is read


def test_a_sheet_is_read_with_all_that_stands_there() -> None:
    sheet = parse(english())
    flags = dict.fromkeys(
        ("schneider", "schneider_announced", "schwarz", "schwarz_announced", "ouvert"), False
    )
    assert (sheet.players, sheet.seats, found(sheet)) == (("Anna", "Ben", "Cem"), 3, [])
    assert sheet.rows == (
        Row(
            3, 1, None, 1, Account("hearts", 2, hand=True, bid=36, won=True, **flags),
            40, (0, 40, 0),
        ),
        Row(4, 2, totals=(0, 40, 0)),
        Row(
            5, 3, None, 2, Account("grand", -1, hand=False, bid=24, won=False, **flags),
            -96, (0, 40, -96),
        ),
    )  # fmt: skip
    assert (sheet.field("value"), sheet.heading("value"), sheet.field("dealer")) == (13, "value", 0)


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_three_delimiters_and_two_languages_are_one_sheet(delimiter: str) -> None:
    assert (
        bare(parse(english(delimiter))) == bare(parse(german(delimiter))) == bare(parse(english()))
    )
    assert found(parse(german(delimiter))) == []


@given(st.permutations(range(len(ENGLISH))), st.booleans())
def test_columns_stand_in_any_order(order: list[int], in_german: bool) -> None:
    text = german() if in_german else english()
    head, *rows = [line.split(";") for line in text.splitlines()]
    turned = [[row[at] for at in order] for row in rows]
    sheet = parse("\n".join(";".join(row) for row in [head, *turned]))
    assert bare(sheet) == bare(parse(english()))
    assert found(sheet) == []


@pytest.mark.parametrize(
    "heading",
    ["Schneider_Angesagt", "SCHNEIDER ANGESAGT", "schneider-announced", "Schneider.angesagt"],
)
def test_case_and_what_stands_between_words_do_not_count_in_headings(heading: str) -> None:
    assert account(cell(heading, "x")).schneider_announced is True


def blocks(language: str) -> list[str]:
    page = (ROOT / "docs" / "score-sheet.md").read_text(encoding="utf-8")
    return [part.split("```")[0] for part in page.split(f"```{language}\n")[1:]]


def test_the_examples_of_the_page_are_one_list() -> None:
    first, second = (parse(text) for text in blocks("csv"))
    assert bare(first) == bare(second)
    assert (found(first), found(second)) == ([], [])
    assert (first.event, first.table, first.round) == ("Vereinsmeisterschaft", "7", "2")
    assert (first.rules, first.system, first.length, first.dealer) == (
        "isko",
        "seeger-fabian",
        3,
        0,
    )
    assert [one.kind for one in first.sums] == [
        "points", "won", "lost", "others_lost", "bonus", "final", "place",
    ]  # fmt: skip
    (third,) = (parse(text) for text in blocks("json"))
    assert found(third) == []
    assert bare(third) == bare(first)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Karo", ("diamonds", None, None)), ("herz", ("hearts", None, None)),
        ("♠", ("spades", None, None)), ("Eichel", ("clubs", None, None)),
        ("Grün", ("spades", None, None)), ("Schellen", ("diamonds", None, None)),
        ("g", ("grand", None, None)), ("24", ("grand", None, None)),
        ("9", ("diamonds", None, None)),
        ("Grand Hand", ("grand", True, None)), ("null-ouvert", ("null", None, True)),
        ("Null Ouvert Hand", ("null", True, True)), ("Ramsch", ("ramsch", None, None)),
        ("23", ("null", False, False)), ("35", ("null", True, False)),
        ("46", ("null", False, True)), ("59", ("null", True, True)),
        ("revolution", ("revolution", None, None)),
    ],
)  # fmt: skip
def test_a_contract_is_read_in_words_signs_and_base_values(
    text: str, said: tuple[Any, ...]
) -> None:
    read = account(cell("contract", text))
    assert (read.contract, read.hand, read.ouvert) == said


@pytest.mark.parametrize("text", ["S", "K", "r", "33", "Bridge", "Grand Grand", "x"])
def test_a_contract_that_may_be_two_games_or_none_is_not_read(text: str) -> None:
    sheet = cell("contract", text)
    assert found(sheet) == [("L014", 3, 3)]
    assert sheet.rows[0].unread == {"contract"}
    assert account(sheet).contract is None


def test_hand_stands_with_the_game_or_in_its_column() -> None:
    sheet = parse("declarer;contract;hand;value\n1;Grand Hand;;24\n1;Grand;x;24\n1;Grand;;24\n")
    assert [account(sheet, row).hand for row in range(3)] == [True, True, False]
    named = parse("declarer;contract;value\n1;Grand Hand;24\n1;Grand;24\n")
    assert [account(named, row).hand for row in range(2)] == [True, False]
    assert [account(named, row).ouvert for row in range(2)] == [None, None]


@pytest.mark.parametrize(
    ("texts", "read"),
    [
        (["2", "1"], [(2, True), (1, True)]),
        (["2", "-1"], [(2, False), (-1, False)]),
        (["with 2", "1"], [(2, False), (1, False)]),
        (["mit 2", "ohne 3"], [(2, False), (-3, False)]),
        (["m2", "o 11"], [(2, False), (-11, False)]),
        (["+2", "−4"], [(2, False), (-4, False)]),
        (["", "2"], [(None, False), (2, True)]),
    ],
)
def test_matadors_are_with_or_without_or_do_not_say(texts: list[str], read: list[Any]) -> None:
    rows = "".join(f"1;{text};40\n" for text in texts)
    sheet = parse("declarer;matadors;value\n" + rows)
    said = [account(sheet, row) for row in range(2)]
    assert [(one.matadors, one.unsigned) for one in said] == read
    assert found(sheet) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-48", -48), ("+48", 48), ("−48", -48), ("–48", -48), ("- 48", -48), ("'-48", -48),
        (" 48 ", 48), ("1.234", 1234), ("1'234", 1234), ("-1 234", -1234),
        ("11,5", Fraction(23, 2)),
        ("-11.5", Fraction(-23, 2)), ("11½", Fraction(23, 2)), ("½", Fraction(1, 2)), ("48,00", 48),
        ("0", 0), ("1.234.567,5", Fraction(2469135, 2)),
    ],
)  # fmt: skip
def test_a_value_is_a_number_however_it_is_written(text: str, value: int | Fraction) -> None:
    sheet = cell("value", text)
    assert sheet.rows[0].value == value
    assert type(sheet.rows[0].value) is type(value)
    assert found(sheet) == []


@pytest.mark.parametrize(
    "text", ["forty", "4 8", "48.3", "48-", "1e9", "--48", "NaN", "9" * 10, "٤٨", "1.23", "=48"]
)
def test_what_is_no_number_is_reported_and_not_used(text: str) -> None:
    sheet = cell("value", text)
    assert found(sheet) == [("L014", 3, 2)]
    assert only(sheet, "L014").read == text
    assert (sheet.rows[0].value, sheet.rows[0].unread) == (None, {"value"})


@pytest.mark.parametrize(
    ("column", "text", "slot", "value"),
    [
        ("bid", "18", "bid", 18), ("Augen", "61", "points", 61), ("Stiche", "7", "tricks", 7),
        ("kontra", "x", "kontra", 1), ("kontra", "", "kontra", 0), ("kontra", "Re", "kontra", 2),
        ("kontra", "2", "kontra", 2), ("bock", "ja", "bock", True), ("hand", "1", "hand", True),
        ("hand", "Nein", "hand", False), ("hand", "-", "hand", False),
        ("ouvert", "✓", "ouvert", True),
        ("offen", "X", "ouvert", True), ("schwarz", "*", "schwarz", True),
        ("result", "-", "won", False),
        ("result", "+", "won", True), ("Ergebnis", "V", "won", False), ("result", "g", "won", True),
        ("gewonnen", "nein", "won", False), ("result", "0", "won", False),
        ("result", "", "won", None), ("bid", "", "bid", None),
    ],
)  # fmt: skip
def test_cells_of_the_other_columns(column: str, text: str, slot: str, value: object) -> None:
    sheet = cell(column, text)
    assert getattr(account(sheet), slot) == value
    assert found(sheet) == []


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("bid", "18.5"), ("bid", "eighteen"), ("hand", "perhaps"), ("kontra", "5"),
        ("result", "120"),
        ("matadors", "with"), ("matadors", "between 2"), ("points", "61,5"), ("ouvert", "2"),
    ],
)  # fmt: skip
def test_a_cell_of_another_kind_is_reported_with_its_heading(column: str, text: str) -> None:
    sheet = cell(column, text)
    assert dict(only(sheet, "L014").slots)["heading"] == column
    assert sheet.rows[0].unread == {column}


def test_a_passed_in_deal_has_no_account_unless_its_row_says_something() -> None:
    sheet = parse(
        "deal;declarer;contract;hand;value\n1;-;;;\n2;;hearts;;\n3;eingepasst;;0;5\n4;0;;;\n"
    )
    assert [(row.declarer, row.value) for row in sheet.rows] == [(None, None)] * 2 + [
        (None, 5),
        (None, None),
    ]
    assert [row.account is None for row in sheet.rows] == [True, False, True, True]
    assert account(sheet, 1).contract == "hearts"
    assert found(sheet) == []


def test_several_lose_a_ramsch_and_one_alone_another_game() -> None:
    sheet = parse(
        "players;Anna;Ben;Cem\ndeclarer;contract;value\n"
        "1+3;Ramsch;-60\nanna + BEN;ramsch;-60\n1+3;grand;-96\n"
    )
    assert [(row.declarer, row.others) for row in sheet.rows] == [(0, (2,)), (0, (1,)), (None, ())]
    assert found(sheet) == [("L014", 5, 1)]
    assert sheet.rows[2].unread == {"declarer"}


# ---------------------------------------------------------------- who sits where


def test_players_are_found_by_number_or_by_name() -> None:
    names = "players;Anna Maria;Jürgen;Cem\ndealer;JÜRGEN\n"
    sheet = parse(
        names + "declarer;dealer;value\nanna  maria;Jürgen;20\n2;3;20\nJu\u0308rgen;1;20\n"
    )
    assert [row.declarer for row in sheet.rows] == [0, 1, 1]
    assert [row.dealer for row in sheet.rows] == [1, 2, 0]
    assert (sheet.dealer, found(sheet)) == (1, [])


@pytest.mark.parametrize("text", ["Ann", "4", "Dora", "1+9", "-1", "1.5"])
def test_who_is_nobody_at_this_table_is_reported(text: str) -> None:
    sheet = cell("declarer", text)
    assert found(sheet) == [("L020", 3, 1)]
    assert (sheet.rows[0].declarer, sheet.rows[0].unread) == (None, {"declarer"})


def test_a_player_who_sits_there_twice_is_nobody_in_particular() -> None:
    sheet = parse("players;Anna;Ben;ANNA\ndeclarer;value\nAnna;20\nBen;20\n3;20\n")
    assert found(sheet) == [("L018", 1, 4)]
    assert [(row.declarer, set(row.unread)) for row in sheet.rows] == [
        (None, {"declarer"}), (1, set()), (2, set()),
    ]  # fmt: skip


def test_five_players_are_read_all_the_same() -> None:
    totals = ";".join(f"total_{seat}" for seat in range(1, 6))
    sheet = parse(f"players;A;B;C;D;E\ndeclarer;value;{totals}\n5;20;0;0;0;0;20\n")
    assert (sheet.seats, sheet.rows[0].totals, found(sheet)) == (5, (0, 0, 0, 0, 20), [])


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("players;A;B;C\ndeclarer;value\n1;20\n", 3),
        ("players;A;B;C;;;\ndeclarer;value;total_4\n1;20;\n", 3),
        ("players;A;B;C\ndeclarer;value;total_4\n1;20;0\n", 4),
        ("players;A;B;C;-\ndeclarer;value\n1;20\n", 4),
        ("declarer;value;total_1;total_4\n1;20;;\n", 4),
        ("declarer;value\n4;20\n2;20\n", 4),
        ("declarer;value\n1;20\n", 3),
        ("declarer;dealer;value\n1;4;20\n", 4),
        ("declarer;value\n4711;20\n", 3),
    ],
)
def test_how_many_sit_at_the_table(text: str, seats: int) -> None:
    assert parse(text).seats == seats


def test_names_without_a_line_of_players_are_reported_once() -> None:
    sheet = parse("declarer;value\nAnna;20\nBen;20\nAnna;20\n")
    assert found(sheet) == [("L024", 2, 1)]
    assert only(sheet, "L024").read == "Anna"
    assert all(row.unread == {"declarer"} for row in sheet.rows)


def test_totals_bear_the_names_of_players() -> None:
    below = "declarer;value;Summe Cem;total Anna;Ben\n2;20;0;1;20\n"
    sheet = parse("players;Anna;Ben;Cem\n" + below)
    assert (sheet.rows[0].totals, found(sheet)) == ((1, 20, 0), [])
    named = parse("declarer;value;Summe Cem;total Anna\nanna;20;0;1\n")
    assert (named.players, named.rows[0].totals, named.rows[0].declarer) == (
        ("Cem", "Anna"),
        (0, 1),
        1,
    )
    assert found(named) == []


@pytest.mark.parametrize(
    "name", ["value", "Spiel", "passed", "Summe", "with 2", "1", "#", "players"]
)
def test_a_player_may_be_called_like_a_word_of_lists(name: str) -> None:
    sheet = parse(
        f"players;{name};declarer;contract\ndeal;declarer;contract;value\n1;{name};grand;24\n"
    )
    assert (sheet.players[0], sheet.rows[0].declarer, found(sheet)) == (name, 0, [])


# ---------------------------------------------------------------- lines around the rows


def test_lines_above_the_headings_are_told_from_the_unknown() -> None:
    sheet = parse(
        "Tish;7\n# Tisch;8\n\nRunde;3\nRunde;4\nSpiele;viele\nWertung;lotto\ndeclarer;value\n1;20\n"
    )
    assert found(sheet) == [("L021", 1, 1), ("L012", 5, 1), ("L014", 6, 2), ("L014", 7, 2)]
    assert "Tisch" in message(only(sheet, "L021"))
    assert (sheet.table, sheet.round, sheet.length, sheet.system) == ("", "3", None, None)


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("erweiterter Seeger", "seeger-fabian"), ("Seeger-Fabian", "seeger-fabian"),
        ("Seeger", "seeger"),
        ("einfach", "plain"), ("Nullsumme", "zero-sum"), ("zero sum", "zero-sum"),
    ],
)  # fmt: skip
def test_systems_have_names_in_both_languages(text: str, system: str) -> None:
    assert parse(f"Wertung;{text}\ndeclarer;value\n1;20\n").system == system


def test_sums_may_stand_below_the_rows_and_between_them() -> None:
    sheet = parse(
        "deal;declarer;value;total_1;total_2;total_3\n1;1;20;20;0;0\nZwischensumme;;;20;0;0\n"
        "2;2;30;20;30;0\nverlorene Spiele der Gegner;;;0;0;\nPlatz;;;2.;1.;x\nPlaz;;;1;2;3\n"
    )
    assert [(one.line, one.kind, one.figures) for one in sheet.sums] == [
        (3, "points", (20, 0, 0)), (5, "others_lost", (0, 0, None)), (6, "place", (2, 1, None)),
    ]  # fmt: skip
    assert found(sheet) == [("L014", 6, 6), ("L021", 7, 1)]
    assert [row.number for row in sheet.rows] == [1, 2]


def test_sums_of_a_list_without_totals_stand_behind_their_word() -> None:
    sheet = parse("players;A;B;C\ndeal;declarer;value\n1;1;20\npoints;20;0;0\n")
    assert (sheet.sums[0].figures, sheet.rows[0].totals, found(sheet)) == ((20, 0, 0), (), [])


def test_rows_count_from_one_where_no_column_has_the_deal() -> None:
    assert [row.number for row in parse("declarer;value\n1;20\n-;\n2;30\n").rows] == [1, 2, 3]
    given = parse("deal;declarer;value\n4.;1;20\n;2;20\nx;2;20\n")
    assert [row.number for row in given.rows] == [4, None, None]
    assert found(given) == [("L014", 4, 1)]


# ---------------------------------------------------------------- bad input


def test_unknown_headings_are_named_with_what_was_meant() -> None:
    sheet = parse("declarer;Spielartt;value;colour;Wert;;\n1;grand;24;red;24;;odd\n")
    assert found(sheet) == [("L011", 1, 2), ("L011", 1, 4), ("L012", 1, 5), ("L017", 2, 6)]
    assert "did you mean Spielart?" in message(sheet.findings[0])
    assert sheet.rows[0].value == 24


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("deal;value\n1;20\n", ["`declarer`"]),
        ("deal;declarer\n1;1\n", ["`value`"]),
        ("deal;declarer;total_1\n1;1;20\n", []),
        ("deal;contract\n1;grand\n", ["`declarer`", "`value`"]),
    ],
)
def test_needed_columns_that_are_missing(text: str, missing: list[str]) -> None:
    sheet = parse(text)
    assert [one.expected for one in sheet.findings if one.code == "L013"] == missing
    assert ("declarer" in sheet.rows[0].unread) == ("`declarer`" in missing)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "hello\nworld\n", "a;b;c\n1;2;3\n", "declarer\n1\n", "# only\n", "\0;\0"]
)
def test_without_headings_there_is_no_list(text: str) -> None:
    sheet = parse(text)
    assert codes(sheet) == ["L010"]
    assert (sheet.seats, sheet.rows) == (0, ())


def test_headings_alone_are_a_list_without_deals() -> None:
    assert found(parse("deal;declarer;value\n")) == [("L022", 1, 0)]


def test_empty_cells_of_a_game_are_reported_and_nothing_is_concluded_from_them() -> None:
    sheet = parse("declarer;contract;value\n1;;20\n1;grand;\n-;;\n1;-;-\n")
    assert found(sheet) == [("L015", 2, 2), ("L015", 3, 3), ("L015", 5, 2), ("L015", 5, 3)]
    assert [set(row.unread) for row in sheet.rows] == [
        {"contract"}, {"value"}, set(), {"contract", "value"},
    ]  # fmt: skip


def test_totals_as_text_are_reported_one_by_one() -> None:
    sheet = parse("declarer;value;total_1;total_2;total_3\n1;20;twenty;0;'-5\n")
    assert found(sheet) == [("L014", 2, 3)]
    assert (sheet.rows[0].totals, sheet.rows[0].unread) == ((None, 0, -5), {"total_1"})


def test_a_file_in_latin_1_is_read(tmp_path: Path) -> None:
    path = tmp_path / "liste.csv"
    text = "Spieler;Jürgen;Bärbel;Cem\nAlleinspieler;Spielart;Wert\nbärbel;Grün;22\n"
    path.write_bytes(text.encode("latin-1"))
    (sheet,) = open_sheets(path)
    assert (sheet.players, sheet.rows[0].declarer) == (("Jürgen", "Bärbel", "Cem"), 1)
    assert found(sheet) == [("E002", 1, 0)]
    for encoding in ("utf-8-sig", "utf-16", "utf-8"):
        path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
        marked = [("E001", 1, 0)] if encoding == "utf-8-sig" else []
        (other,) = open_sheets(path)
        assert (bare(other), found(other)) == (bare(sheet), marked)


@pytest.mark.parametrize("lost", range(1, 21))
def test_a_file_cut_off_in_the_middle_keeps_the_rows_before(lost: int) -> None:
    whole = english()
    sheet = parse(whole[:-lost])
    assert sheet.rows[:2] == parse(whole).rows[:2]
    # what is lost of the last total cannot be seen
    assert sheet.cut == (lost > 4)
    assert codes(sheet) == (["L016"] if sheet.cut else [])


@pytest.mark.parametrize("end", ['3;3;"gra', '3;3;"grand;24\n4;1;grand;24\n', '"'])
def test_a_quote_that_stays_open_cuts_the_list_off(end: str) -> None:
    sheet = parse("deal;declarer;contract;value\n1;1;grand;24\n2;2;grand;24\n" + end)
    assert (len(sheet.rows), sheet.cut, found(sheet)) == (2, True, [("L016", 4, 0)])


def test_quoted_cells_hold_delimiters_quotes_and_line_breaks() -> None:
    sheet = parse(
        '"players";"Anna; ""A""";Ben;Cem\ndeclarer;value;remark\n1;20;"two\nlines"\n2;30;\n'
    )
    assert sheet.players[0] == 'Anna; "A"'
    assert [(row.line, row.remark) for row in sheet.rows] == [(3, "two lines"), (5, "")]
    assert found(sheet) == []


def test_a_line_of_spreadsheets_that_names_the_delimiter_is_passed_over() -> None:
    assert (found(parse("sep=;\n" + english())), parse("sep=,\n" + english(",")).seats) == ([], 3)


def test_a_sheet_over_the_limits_is_read_up_to_them() -> None:
    rows = parse("declarer;value\n" + "1;20\n" * 10_002)
    assert (len(rows.rows), codes(rows)) == (10_000, ["E005"])
    wide = parse("declarer;value" + ";x" * 200 + "\n1;20\n")
    assert (codes(wide)[0], len(wide.rows)) == ("E005", 1)
    long = parse(
        "declarer;value;remark\n1;20;" + "x" * 20_000 + "\n2;30;" + "y" * 200_000 + "\n3;20;\n"
    )
    assert [row.declarer for row in long.rows] == [0, 2]
    assert codes(long) == ["E005", "E005"]
    assert len(long.rows[0].remark) == 10_000
    large = parse("declarer;value;remark\n" + ("1;20;" + "x" * 9_990 + "\n") * 2_000)
    assert (len(large.rows), codes(large)) == (1_678, ["E005"])


def test_so_many_findings_of_a_kind_are_kept() -> None:
    sheet = parse("declarer;value\n" + "1;x\n" * 5000)
    assert len(sheet.findings) == 1000
    assert all(row.unread == {"value"} for row in sheet.rows)


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes(b"\x89PNG\0\0\0")
    with pytest.raises(InputError):
        open_sheets(path)
    with pytest.raises(InputError):
        open_sheets(tmp_path / "none.csv")
    with pytest.raises(UsageError):
        open_sheets(path, "xls")


PIECES = st.sampled_from(
    [*";,\t\n\"'-+=@#", "players", "declarer", "value", "total_1", "Summe", "1", "2", "-48", "x",
     "\0", "\u2028", "\ufeff", "½", "grand", "deal", "Anna", "{", "[", '"skat-list": 1', '"rows"',
     ":", "}", "]"]
)  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=60))
def test_whatever_stands_there_becomes_a_sheet_with_findings(parts: list[str]) -> None:
    text = "".join(parts)
    for one in (parse(text), parse("deal;declarer;value;total_1\n" + text)):
        assert all(message(each) for each in one.findings)
    looks_like(text.splitlines())


@pytest.mark.parametrize("seed", range(40))
def test_a_spoilt_sheet_still_becomes_a_sheet(seed: int) -> None:
    chance = random.Random(seed)
    text = list(german())
    for _ in range(12):
        text[chance.randrange(len(text))] = chance.choice(";\"\n-xX9,\t\0½ü'")
    sheet = parse("".join(text))
    assert all(message(one) for one in sheet.findings)


# ---------------------------------------------------------------- what is a sheet


@pytest.mark.parametrize(
    "text",
    [
        english(),
        german(),
        english(","),
        german("\t"),
        '{"skat-list": 1}',
        '[\n{"table": 3,\n "skat-list": 1',
    ],
)
def test_sheets_are_known_by_their_first_lines(text: str) -> None:
    assert looks_like(text.splitlines())


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_files_of_records_are_no_sheets(name: str) -> None:
    folder = resources.locate("records", "games")
    samples = [path for path in folder.rglob("*") if path.suffix in FORMATS[name].suffixes]
    for path in samples:
        assert not looks_like(path.read_text(encoding="utf-8").splitlines()[:200]), path


@pytest.mark.parametrize(
    "text",
    [
        "",
        "%skat 1\ndeal;declarer;value\n",
        '{"skatspec": 1}',
        "[1, 2]",
        "40 -24 0\n",
        "Wert, Spiel, und mehr",
    ],
)
def test_other_texts_are_no_sheets(text: str) -> None:
    assert not looks_like(text.splitlines())


# ---------------------------------------------------------------- spreadsheets


@pytest.mark.parametrize(
    "name", ["=HYPERLINK(1)", "+1", "@x", "-2", "'=x", "''", "'t Hoen", "-", "?"]
)
def test_a_name_that_a_spreadsheet_would_compute_is_guarded_and_read_back(name: str) -> None:
    sheet = replace(parse(english()), players=(name, "Ben", "Cem"), event=name, rules=name)
    text = write_csv(sheet)
    cells = [one for line in text.splitlines()[:3] for one in line.split(";")]
    assert not any(
        one.startswith(("=", "+", "@")) or (one[:1] == "-" and one != "-") for one in cells
    )
    assert bare(parse(text)) == bare(sheet)


def test_a_negative_number_stays_a_number() -> None:
    text = write_csv(parse(english()))
    assert ";-96;0;40;-96\n" in text
    assert "'" not in text


@pytest.mark.parametrize("headings", [
    "Platz;Spieler;Spielpunkte;gewonnene Spiele;verlorene Spiele;Zuschläge;Gesamt;Listen",
    "place,player,points,games won,games lost,games lost by others,bonus,total,lists,tie",
])  # fmt: skip
def test_standings_are_no_list(headings: str) -> None:
    assert not looks_like([headings])
