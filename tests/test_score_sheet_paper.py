"""Score sheets as clubs write them: short names, no declarer, the value in two columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatspec.diagnostics import message
from skatspec.formats.score_sheet import looks_like, parse, write_csv, write_json
from skatspec.session.anonymise.key import PSEUDONYM, Key
from skatspec.session.language import say
from skatspec.sheet import Sheet
from tests.evenings import evening
from tests.evenings_list import text as grid_text
from tests.test_anonymise import any_key
from tests.test_anonymise_lists import CSV, JSON, changed, left
from tests.test_score_sheet import bare, codes, found, only
from tests.test_score_sheet_written import all_of, document

__all__ = ["any_key"]

TABLE = ["Franz Jäger", "Jens Möller", "Meier, Franz"]


def named(*cells: str, players: list[str] = TABLE) -> Sheet:
    """Return a sheet whose declarers are these cells."""
    rows = "".join(f'"{cell}",20\n' for cell in cells)
    line = ",".join(f'"{name}"' for name in players)
    return parse(f"players,{line}\ndeclarer,value\n{rows}")


def declarers(sheet: Sheet) -> list[int | None]:
    return [row.declarer for row in sheet.rows]


# ---------------------------------------------------------------- short names


def test_a_word_that_only_one_players_name_has_is_that_player() -> None:
    sheet = named("Jäger", "JENS", "mo\u0308ller", " meier ", "Franz Jäger")
    assert (declarers(sheet), found(sheet)) == ([0, 1, 1, 2, 0], [])


def test_dealers_headings_and_the_first_dealer_may_be_short_names() -> None:
    sheet = parse(
        "players;Franz Jäger;Jens Möller;Cem Demir\ndealer;Möller\n"
        "declarer;dealer;value;Summe Franz;total Jens;demir\nCem;jens;20;;;20\n"
    )
    assert (sheet.dealer, sheet.rows[0].dealer, declarers(sheet)) == (1, 1, [2])
    assert (sheet.rows[0].totals, found(sheet)) == ((None, None, 20), [])


def test_short_names_are_read_where_totals_alone_name_the_players() -> None:
    sheet = parse("declarer;value;Summe Franz Jäger;Summe Jens Möller\nJens;20;;20\n")
    assert (declarers(sheet), found(sheet)) == ([1], [])


def test_several_losers_of_a_ramsch_may_have_short_names() -> None:
    sheet = parse(
        f'players;{TABLE[0]};{TABLE[1]};"{TABLE[2]}"\ndeclarer;contract;value\n'
        "Jäger + jens;ramsch;-40\n"
    )
    assert ((sheet.rows[0].declarer, sheet.rows[0].others), found(sheet)) == ((0, (1,)), [])


def test_a_word_that_two_names_have_is_nobody_and_both_are_named() -> None:
    sheet = named("Franz")
    assert (declarers(sheet), found(sheet)) == ([None], [("L020", 3, 1)])
    said = message(only(sheet, "L020"))
    assert said == "Franz is nobody at this table, did you mean Franz Jäger / Meier, Franz?"


def test_who_is_called_so_in_full_is_meant_before_who_is_in_part() -> None:
    players = ["Franz", "Franz Jäger", "Anna"]
    assert declarers(named("Franz", "Jäger", players=players)) == [0, 1]


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("Moeller", "Jens Möller"), ("Moller", "Jens Möller"), ("Jaeger", "Franz Jäger"),
        ("Jens Moeller", "Jens Möller"), ("Jenz", "Jens Möller"),
        ("Jäger + Moeller", "Jens Möller"),
    ],
)  # fmt: skip
def test_a_name_that_is_near_is_not_taken_and_is_named(text: str, near: str) -> None:
    sheet = named(text)
    assert declarers(sheet) == [None]
    note = only(sheet, "L020")
    assert message(note) == f"{text} is nobody at this table, did you mean {near}?"
    assert say(note, "de") == f"{text} sitzt nicht an diesem Tisch, war {near} gemeint?"


@pytest.mark.parametrize("text", ["Dora", "9", "Jo", "1+9"])
def test_a_name_that_is_far_has_no_hint(text: str) -> None:
    names = ["Anna", "Ben", "Cem"]
    assert message(only(named(text, players=names), "L020")) == f"{text} is nobody at this table"


@pytest.mark.parametrize("text", ["Anna+Dora", "Anna+Anna", "Anna+"])
def test_of_several_all_must_be_known_and_others_than_the_first(text: str) -> None:
    sheet = named(text, players=["Anna", "Ben", "Cem"])
    assert (declarers(sheet), found(sheet)) == ([None], [("L020", 3, 1)])


def test_only_one_player_deals() -> None:
    sheet = parse("players;Anna;Ben;Cem\ndeclarer;dealer;value\n1;Anna+Ben;20\n")
    assert found(sheet) == [("L020", 3, 2)]


def test_umlauts_written_out_in_the_line_of_players_are_near_too() -> None:
    sheet = named("Müller", players=["Ute Mueller", "Ben", "Cem"])
    assert only(sheet, "L020").slots == (("hint", ", did you mean Ute Mueller?"),)


def test_what_nobody_and_numbers_are_called_is_no_short_name() -> None:
    sheet = named("passed", "2", "niemand", "7", players=["Paul Passed", "Ben 2 7", "Ute Niemand"])
    assert declarers(sheet) == [None, 1, None, None]
    assert found(sheet) == [("L020", 6, 1)]


def test_a_short_name_of_one_who_sits_there_twice_is_nobody_in_particular() -> None:
    sheet = named("Franz", "Ben", players=["Franz Jäger", "Ben", "Franz Jäger"])
    assert (declarers(sheet), codes(sheet)) == ([None, 1], ["L018"])


def test_a_total_with_a_name_that_is_near_is_reported_with_the_player() -> None:
    sheet = parse("players;Jens Möller;Ben;Cem\ndeclarer;value;Summe Moeller\n1;20;20\n")
    assert only(sheet, "L011").slots == (("hint", ", did you mean Jens Möller?"),)


# ---------------------------------------------------------------- who played, by the totals


def on_paper(*rows: str, columns: str = "deal;contract;value", above: str = "") -> Sheet:
    """Return a sheet without a column for the declarer."""
    body = "".join(f"{number};{row}\n" for number, row in enumerate(rows, 1))
    return parse(f"players;Anna;Ben;Cem\n{above}{columns};total_1;total_2;total_3\n" + body)


def test_whose_total_alone_is_written_played() -> None:
    sheet = on_paper("hearts;20;;20;", ";;;;", "spades;-44;-44;-;-", "clubs;24;-20;;")
    assert (declarers(sheet), found(sheet)) == ([1, None, 0, 0], [])
    assert (sheet.field("declarer"), "declarer" in sheet.columns) == (0, False)
    assert [set(row.unread) for row in sheet.rows] == [set()] * 4


def test_where_all_totals_are_written_he_played_whose_total_changes() -> None:
    sheet = on_paper("hearts;20;0;20;0", ";;0;20;0", "spades;-44;-44;20;0", "clubs;24;-44;20;24")
    assert (declarers(sheet), found(sheet)) == ([1, None, 0, 2], [])


def test_a_total_is_compared_with_his_last_that_is_written() -> None:
    sheet = on_paper("hearts;20;;20;", "spades;22;22;;", "clubs;24;22;20;24")
    assert (declarers(sheet), found(sheet)) == ([1, 0, 2], [])


def test_a_deal_is_passed_in_where_nothing_is_written_and_a_value_of_nought_is_nothing() -> None:
    sheet = on_paper(";;;;", ";0;;;", "-;-;-;-;-", ";;0;0;0")
    assert [row.account for row in sheet.rows] == [None] * 4
    assert (declarers(sheet), found(sheet)) == ([None] * 4, [])
    assert [set(row.unread) for row in sheet.rows] == [set()] * 4


@pytest.mark.parametrize(
    "row",
    [
        "hearts;20;20;20;0",  # two have changed
        "hearts;20;;;",  # a game, and no total
        "hearts;;;;",
        ";20;;;",
        "hearts;20;0;0;30",  # a game, and none has changed
        "bridge;;;;",
    ],
)
def test_who_played_is_not_guessed_where_the_totals_do_not_tell(row: str) -> None:
    sheet = on_paper("hearts;30;;;30", row)
    assert declarers(sheet) == [2, None]
    assert "declarer" in sheet.rows[1].unread
    told = only(sheet, "L013")
    assert (told.span.line, message(told)) == (
        4, "no column `declarer`: who played cannot be checked",
    )  # fmt: skip


def test_a_list_whose_totals_never_tell_is_told_so_once() -> None:
    rows = ("hearts;20;20;-10;-10", "spades;-44;42;12;-54")
    sheet = on_paper(*rows)
    assert (declarers(sheet), found(sheet)) == ([None, None], [("L013", 2, 0)])
    sheet = on_paper("hearts;20;20;0;0", above="system;zero-sum\n")
    assert (declarers(sheet), found(sheet)) == ([None], [("L013", 3, 0)])


def test_a_total_that_was_not_read_says_no_more_than_that_it_is_there() -> None:
    sheet = on_paper("hearts;20;;x;", "spades;22;22;20;0", "clubs;24;22;20;24")
    assert declarers(sheet) == [1, None, 2]
    assert found(sheet) == [("L014", 3, 5), ("L013", 4, 0)]


def test_without_value_and_contract_totals_alone_tell_who_played() -> None:
    sheet = on_paper(";20;", "0;20;0", "0;20;-44", columns="deal")
    assert (declarers(sheet), found(sheet)) == ([1, None, 2], [])


def test_a_game_told_by_a_total_must_have_its_value() -> None:
    sheet = on_paper("hearts;;;20;")
    assert (declarers(sheet), found(sheet)) == ([1], [("L015", 3, 3)])


def test_a_list_without_totals_still_needs_the_declarer() -> None:
    sheet = parse("players;Anna;Ben;Cem\ndeal;contract;value\n1;hearts;20\n")
    assert found(sheet) == [("L013", 2, 0)]
    assert sheet.rows[0].unread == {"declarer"}


def test_json_without_declarers_is_read_by_its_totals() -> None:
    rows = [{"deal": 1, "value": 20, "totals": [None, 20]}, {"deal": 2, "totals": [5, 3]}]
    (sheet,) = all_of(document(*rows))
    assert (declarers(sheet), found(sheet)) == ([1, None], [("L013", 2, 0)])


def test_a_list_read_by_its_totals_is_written_with_its_declarers() -> None:
    sheet = on_paper("hearts;20;;20;", ";;;;", "spades;-44;-44;;", "clubs;24;5;6;7")
    assert [row.declarer for row in sheet.rows] == [1, None, 0, None]
    for text in (write_csv(sheet), write_csv(sheet, lang="de", delimiter=","), write_json(sheet)):
        assert bare(parse(text)) == bare(sheet)
    assert "deal;declarer;contract" in write_csv(sheet)


@pytest.mark.parametrize("alone", [True, False])
def test_an_evening_without_declarers_is_read_as_with_them(alone: bool) -> None:
    read = 0
    for seed in range(12):
        grid = evening(seed, "isko", 3, 24)
        sheet = parse(grid_text(grid))
        if grid.system == "zero-sum" or not all(row.totals for row in sheet.rows):
            continue
        read += 1
        paper = parse(without_declarers(sheet, alone))
        assert [(row.declarer, row.value) for row in paper.rows] == [
            (row.declarer, row.value) for row in sheet.rows
        ]
        assert not paper.findings
    assert read > 3


def without_declarers(sheet: Sheet, alone: bool) -> str:
    """Return a list as CSV without its declarers; `alone`: only the declarer's total is there."""
    lines = ["players;" + ";".join(sheet.players or ["-"] * sheet.seats)]
    lines.append(
        "deal;contract;plus;minus;" + ";".join(f"total_{n + 1}" for n in range(sheet.seats))
    )
    for number, row in enumerate(sheet.rows, 1):
        value = row.value or 0
        game = (row.account and row.account.contract) or ""
        half = [str(value) if value > 0 else "", str(-value) if value < 0 else ""]
        totals = [
            str(total) if not alone or seat == row.declarer else ""
            for seat, total in enumerate(row.totals)
        ]
        lines.append(";".join([str(number), game, *half, *totals]))
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- the value in two columns


PAIRS = [
    ("plus", "minus"), ("Plus", "Minus"), ("won points", "lost_points"),
    ("Pluspunkte", "MINUSPUNKTE"), ("+", "-"), ("+", "−"), ("won", "lost"),
    ("gewonnen", "verloren"),
]  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("turned", [False, True])
def test_the_value_may_stand_in_two_columns(pair: tuple[str, str], turned: bool) -> None:
    rows = [("40", ""), ("", "48"), ("", "-96"), ("+20", "0"), ("", "")]
    text = "players;Anna;Ben;Cem\ndeal;declarer;" + ";".join(pair[::-1] if turned else pair)
    for number, row in enumerate(rows, 1):
        text += f"\n{number};{'2' if any(row) else '-'};" + ";".join(row[::-1] if turned else row)
    sheet = parse(text + "\n")
    assert [row.value for row in sheet.rows] == [40, -48, -96, 20, None]
    assert [row.account and row.account.won for row in sheet.rows] == [
        True,
        False,
        False,
        True,
        None,
    ]
    assert found(sheet) == []
    assert (sheet.heading("value"), sheet.field("result")) == ("/".join(pair), 0)
    assert bare(parse(write_csv(sheet))) == bare(sheet)


def test_a_row_with_a_number_in_both_columns_has_no_value() -> None:
    sheet = parse("players;Anna;Ben;Cem\ndeclarer;plus;minus\n1;40;48\n2;x;\n3;;y\n1;;\n")
    assert [row.value for row in sheet.rows] == [None] * 4
    assert [row.account and row.account.won for row in sheet.rows] == [None] * 4
    assert found(sheet) == [("L014", 3, 3), ("L014", 4, 2), ("L014", 5, 3), ("L015", 6, 2)]
    assert all(row.unread == {"value"} for row in sheet.rows)
    note = sheet.findings[0]
    assert message(note) == "minus is 48, not empty beside a value in the other column"
    assert say(note, "de") == "minus ist 48, nicht leer neben einem Wert in der anderen Spalte"


def test_a_column_of_results_says_what_was_won() -> None:
    sheet = parse("players;Anna;Ben;Cem\ndeclarer;plus;minus;result\n1;40;;lost\n2;;48;\n")
    assert [row.account and row.account.won for row in sheet.rows] == [False, None]


def test_marks_of_won_and_lost_are_no_values() -> None:
    sheet = parse("players;Anna;Ben;Cem\ndeclarer;won;lost;total_1\n1;1;0;40\n1;0;1;-8\n")
    assert [row.account and row.account.won for row in sheet.rows] == [True, False]
    assert [row.value for row in sheet.rows] == [None, None]
    assert codes(sheet) == ["L011"]


def test_a_column_of_the_value_goes_before_two() -> None:
    sheet = parse("players;Anna;Ben;Cem\ndeclarer;plus;value;minus\n1;40;20;48\n")
    assert (sheet.rows[0].value, codes(sheet)) == (20, ["L012", "L012"])
    sheet = parse("players;Anna;Ben;Cem\ndeclarer;won;value;lost\n1;yes;20;\n")
    assert (sheet.rows[0].value, codes(sheet)) == (20, ["L011"])


def test_half_of_two_columns_is_none() -> None:
    pair = parse("players;Anna;Ben;Cem\ndeclarer;plus;-\n1;;48\n")  # of two kinds, and yet a pair
    assert (pair.rows[0].value, codes(pair)) == (-48, [])
    alone = parse("players;Anna;Ben;Cem\ndeclarer;plus\n1;40\n")
    assert (alone.rows[0].value, codes(alone)) == (None, ["L011", "L013"])


def test_signs_alone_are_no_line_of_headings() -> None:
    assert codes(parse("1;2;Herz;+;-;40\n2;1;Pik;+;-;22\n")) == ["L010"]
    assert not looks_like(["1;2;Herz;+;-;40"])


# ---------------------------------------------------------------- names stay hidden


@pytest.mark.parametrize("form", [CSV, JSON])
def test_short_names_get_the_pseudonym_of_the_player(
    any_key: Key, tmp_path: Path, form: str
) -> None:
    text = (
        "players;Franz Jäger;Jens Möller;Franz Huber\ndealer;Jens\n"
        "deal;declarer;dealer;contract;value;total_1;Summe Möller;huber;remark\n"
        "1;Jäger;Jens;hearts;20;20;;;Jäger gab\n2;HUBER;2;clubs;24;;;24;\n"
        "3;Möller+huber;1;ramsch;-40;;-40;-40;\n"
    )
    if form == JSON:
        rows = [
            {"deal": 1, "declarer": "Jäger", "dealer": "Jens", "value": 20, "remark": "Jäger gab"},
            {"deal": 2, "declarer": "HUBER", "value": 24, "Summe Möller": 5},
        ]
        text = document(*rows, players=["Franz Jäger", "Jens Möller", "Franz Huber"])
    there = changed(any_key, text.encode(), form, tmp_path).decode()
    assert left(there.encode(), ["Franz", "Jäger", "Jens", "Möller", "Huber"]) == []
    sheet = parse(there)
    assert not sheet.findings
    assert declarers(sheet)[:2] == [0, 2]
    assert len({*PSEUDONYM.findall(there)}) == 4  # the remark has one of its own


def test_a_list_of_plus_and_minus_by_totals_keeps_its_figures_hidden(
    any_key: Key, tmp_path: Path
) -> None:
    text = (
        "players;Anna Adler;Ben;Cem\ndeal;contract;+;-;Anna;total Ben;total 3\n"
        "1;hearts;20;;20;;\n2;clubs;;48;;-48;\n3;;;;;;\n"
    )
    there = changed(any_key, text.encode(), CSV, tmp_path)
    assert left(there, ["Anna", "Adler", "Ben", "Cem"]) == []
    assert declarers(parse(there.decode())) == [0, 1, None]


@given(st.text("äöüAab ,+-'\"=;1é\u0308", max_size=12), st.text("äöAab ,+1\u0308", max_size=6))
def test_any_cell_names_somebody_or_is_reported(name: str, cell: str) -> None:
    quoted = [one.replace('"', '""') for one in (name, cell)]
    sheet = parse(f'players;"{quoted[0]}";Ben;Cem\ndeclarer;value\n"{quoted[1]}";20\nBen;20\n')
    row = sheet.rows[0]
    assert (row.declarer is None) or not row.unread
    assert ("declarer" in row.unread) == ("L020" in codes(sheet)) or "L018" in codes(sheet)
