"""Score sheets in JSON, and sheets written: what is written is read back as the same sheet."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from skatspec import resources
from skatspec.diagnostics import message
from skatspec.errors import UsageError
from skatspec.formats import score_sheet
from skatspec.formats.lines import from_text
from skatspec.formats.registry import parse_text
from skatspec.formats.score_sheet import open_sheets, parse, read, write_csv, write_json
from skatspec.record import BrokenRecord, Record
from skatspec.sheet import SUMS, Account, Row, Sheet, Sums
from tests.test_score_sheet import bare, codes, english, found, german

RECORD_SCHEMA = json.loads(resources.text("schemas", "record.schema.json"))
SCHEMA = Draft202012Validator(
    json.loads(resources.text("schemas", "list.schema.json")),
    registry=Resource.from_contents(RECORD_SCHEMA) @ Registry(),
)
SAMPLE = resources.locate("records", "games", "sample.sgf")
SYSTEMS = (None, "seeger-fabian", "seeger", "plain", "zero-sum")
DELIMITERS = st.sampled_from([";", ",", "\t"])
CONTRACTS = ("diamonds", "hearts", "spades", "clubs", "grand", "null", "ramsch", "revolution")


def document(*rows: dict[str, Any], **members: Any) -> str:
    top = {"skat-list": 1, "players": ["Anna", "Ben", "Cem"], **members, "rows": list(rows)}
    return json.dumps(top, ensure_ascii=False)


def game(**members: Any) -> dict[str, Any]:
    return {"declarer": 2, "value": 40, **members}


def all_of(text: str) -> list[Sheet]:
    return list(read(from_text(text)))


# ---------------------------------------------------------------- written and read back

TEXTS = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff"),
    max_size=12,
).map(lambda text: " ".join(text.split()))
NAMES = st.one_of(
    TEXTS, st.sampled_from(["-", "1", "passed", "value", "=1+1", "'=", "''", "?", '"', ";", "Anna"])
)
AMOUNTS = st.builds(
    lambda halves: halves // 2 if halves % 2 == 0 else Fraction(halves, 2),
    st.integers(-2 * 10**8, 2 * 10**8),
)
NUMBERS = st.integers(-999_999_999, 999_999_999)
FLAGS = (
    "hand",
    "schneider",
    "schneider_announced",
    "schwarz",
    "schwarz_announced",
    "ouvert",
    "bock",
)


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """Return a sheet as a reader could have made it."""
    seats = draw(st.integers(1, 11))
    names = draw(st.lists(NAMES, min_size=seats, max_size=seats, unique_by=score_sheet_name))
    columns = draw(st.sets(st.sampled_from([*Account._fields, "dealer", "value", "total"])))
    unsigned = draw(st.booleans())
    rows = draw(st.lists(row(seats, columns - {"unsigned"}, unsigned), max_size=6))
    if not any(one is not None for each in rows for one in each.totals):
        rows = [replace(each, totals=()) for each in rows]
    figures = st.lists(st.none() | AMOUNTS, min_size=min(seats, 9), max_size=min(seats, 9))
    whole = st.lists(st.none() | NUMBERS, min_size=min(seats, 9), max_size=min(seats, 9))
    sums = [
        Sums(0, kind, (*draw(whole if kind == "place" else figures), *[None] * (seats - 9)))
        for kind in draw(st.lists(st.sampled_from(SUMS), max_size=4))
    ]
    return Sheet(
        "", 0, draw(TEXTS), draw(TEXTS), draw(TEXTS), tuple(names) if any(names) else (), seats,
        draw(TEXTS) or None, draw(st.sampled_from(SYSTEMS)),
        draw(st.none() | st.integers(1, 999)), draw(st.none() | st.integers(0, seats - 1)),
        {}, tuple(rows), tuple(sums),
    )  # fmt: skip


def score_sheet_name(name: str) -> object:
    """Return what makes a name another one; places without a name are alike."""
    from skatspec.formats.score_sheet.words import same_name

    return same_name(name) or object()


@st.composite
def row(draw: st.DrawFn, seats: int, columns: set[str], unsigned: bool) -> Row:
    """Return a row of a sheet with these columns."""
    player = st.integers(0, seats - 1)
    declarer = draw(st.none() | player)
    account = draw(accounts(columns, unsigned))
    unread: set[str] = set()
    if declarer is None and account == blank(columns):
        account = None
    if declarer is not None and account is not None:
        unread |= {"contract"} if "contract" in columns and account.contract is None else set()
    value = draw(st.none() | AMOUNTS) if "value" in columns else None
    if declarer is not None and value is None and "value" in columns:
        unread.add("value")
    others: tuple[int, ...] = ()
    if declarer is not None and account is not None and account.contract == "ramsch":
        rest = [one for one in range(seats) if one != declarer]
        others = tuple(draw(st.permutations(rest))[: draw(st.integers(0, 2))])
    totals: list[Any] = []
    if "total" in columns:
        totals = draw(st.lists(st.none() | AMOUNTS, min_size=min(seats, 9), max_size=min(seats, 9)))
        totals += [None] * (seats - 9)
    dealer = draw(st.none() | player) if "dealer" in columns else None
    return Row(
        0, draw(st.none() | NUMBERS), dealer, declarer, account, value, tuple(totals),
        frozenset(unread), others, draw(TEXTS),
    )  # fmt: skip


def blank(columns: set[str]) -> Account:
    """Return the account of a row that says nothing."""
    return Account(
        **{name: False for name in FLAGS if name in columns},
        kontra=0 if "kontra" in columns else None,
    )


@st.composite
def accounts(draw: st.DrawFn, columns: set[str], unsigned: bool) -> Account:
    """Return what a row says of the game."""
    made: dict[str, Any] = {name: draw(st.booleans()) for name in FLAGS if name in columns}
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "contract": st.none() | st.sampled_from(CONTRACTS),
        "matadors": st.none() | st.integers(1, 11),
        "bid": st.none() | NUMBERS, "points": st.none() | NUMBERS, "tricks": st.none() | NUMBERS,
        "kontra": st.integers(0, 2), "won": st.none() | st.booleans(),
    }  # fmt: skip
    made |= {name: draw(kind) for name, kind in kinds.items() if name in columns}
    matadors = made.get("matadors")
    if matadors is not None and not unsigned:
        made["matadors"] = draw(st.sampled_from([matadors, -matadors]))
    return Account(**made, unsigned=matadors is not None and unsigned)


@settings(max_examples=300)
@given(sheets(), DELIMITERS, st.sampled_from(["en", "de"]))
def test_a_sheet_written_as_csv_is_read_back_as_the_same(
    sheet: Sheet, delimiter: str, lang: str
) -> None:
    text = write_csv(sheet, delimiter=delimiter, lang=lang)
    again = parse(text)
    assert bare(again) == sheet
    assert set(codes(again)) <= {"L013", "L014", "L022"}


@settings(max_examples=300)
@given(sheets())
def test_a_sheet_written_as_json_is_read_back_as_the_same(sheet: Sheet) -> None:
    again = parse(write_json(sheet))
    assert bare(again) == sheet
    assert set(codes(again)) <= {"L013", "L014", "L022"}


@given(sheets())
def test_what_is_written_as_json_has_the_shape_of_the_schema(sheet: Sheet) -> None:
    rows = tuple(one for one in sheet.rows if not one.unread)
    SCHEMA.validate(json.loads(write_json(replace(sheet, rows=rows))))


@pytest.mark.parametrize("text", [english(), german(",")])
def test_both_forms_and_languages_have_the_same_content(text: str) -> None:
    sheet = parse(text)
    written = [write_csv(sheet), write_csv(sheet, delimiter="\t", lang="de"), write_json(sheet)]
    assert [bare(parse(one)) for one in written] == [bare(sheet)] * 3
    assert written[0] != text  # what the writer leaves out is nothing
    assert "ohne 1" in written[1] and "Summe 3" in written[1] and "gewonnen" in written[1]


def test_what_could_not_be_read_is_not_read_again() -> None:
    sheet = parse(
        "players;?;Ben\ndeclarer;dealer;contract;hand;value;total_1\nCem;Dora;bridge;?;x;y\n"
    )
    assert sheet.rows[0].unread == {"declarer", "dealer", "contract", "hand", "value", "total_1"}
    for text in (write_csv(sheet), write_json(sheet)):
        assert bare(parse(text)) == bare(sheet)


def test_sums_between_rows_stay_where_they_are() -> None:
    sheet = parse(
        "deal;declarer;value;total_1;total_2;total_3\n1;1;20;20;0;0\nsum;;;20;0;0\n2;2;30;20;30;0\nsum;;;20;30;0\n"
    )
    lines = write_csv(sheet).splitlines()
    assert [line.split(";")[0] for line in lines[2:]] == ["1", "points", "2", "points"]
    again = parse(write_json(sheet))
    assert [one.line for one in again.sums] == [1, 2]
    assert bare(again) == bare(sheet)


@pytest.mark.parametrize("text", ["0'=", "Club '-48'", "a '' b", "'=1", "''x", "-'-"])
def test_an_apostrophe_inside_a_text_is_not_taken_for_the_guard_before_it(text: str) -> None:
    sheet = replace(parse(english()), rules=text, event=text, players=(text, "Ben", "Cem"))
    assert bare(parse(write_csv(sheet))) == bare(sheet)


def test_only_known_delimiters_and_languages_are_written() -> None:
    sheet = parse(english())
    with pytest.raises(UsageError):
        write_csv(sheet, delimiter="|")
    with pytest.raises(UsageError):
        write_csv(sheet, lang="fr")


# ---------------------------------------------------------------- JSON


def test_a_list_in_json_is_the_same_as_in_csv() -> None:
    text = document(
        game(deal=1, contract="hearts", matadors="with 2", hand=True, bid=36, result="won",
             totals=[0, 40, 0]),
        {"deal": 2, "totals": [0, 40, 0]},
        game(declarer="Cem", deal=3, contract="grand", matadors=-1, bid=24, result="lost",
             value=-96, schneider=False, schneider_announced=None, schwarz=False,
             schwarz_announced=False, ouvert=False, totals=[0, 40, -96]),
    )  # fmt: skip
    sheet = parse(text)
    assert bare(sheet) == bare(parse(english()))
    assert found(sheet) == []
    assert (sheet.rows[2].line, sheet.field("value"), sheet.heading("value")) == (3, 0, "value")


def test_one_list_or_many_in_an_array_or_one_behind_the_other(tmp_path: Path) -> None:
    one, two = document(game()), document(game(declarer=1), table=9)
    for text in (f"[{one},\n{two}]", f"{one}\n{two}\n", one + two, f"[\n{one}\n,{two}"):
        path = tmp_path / "lists.json"
        path.write_text(text, encoding="utf-8")
        sheets_read = list(open_sheets(path))
        assert [(s.index, s.table, s.rows[0].declarer) for s in sheets_read] == [
            (0, "", 1),
            (1, "9", 0),
        ]
        assert [codes(s) for s in sheets_read] == [[], []]


@pytest.mark.parametrize(
    ("member", "code"),
    [
        ({"bid": True}, "L014"), ({"bid": "x"}, "L014"), ({"bid": [18]}, "L014"),
        ({"hand": 5}, "L014"),
        ({"hand": {"x": 1}}, "L014"), ({"value": "forty"}, "L014"), ({"value": 1e300}, "L014"),
        ({"value": 12345678901234567890}, "L014"),
        ({"value": None}, "L015"), ({"totals": "x"}, "L014"), ({"totals": [0, {}, 0]}, "L014"),
        ({"declarer": 4}, "L020"), ({"declarer": "Dora"}, "L020"), ({"declarer": 1.5}, "L020"),
        ({"valu": 40}, "L011"), ({"record": 5}, "L014"), ({"record": "nothing"}, "L014"),
        ({"deal": "first"}, "L014"), ({"result": 2}, "L014"), ({"matadors": "between"}, "L014"),
    ],
)  # fmt: skip
def test_a_wrong_value_of_a_row_is_found_with_the_number_of_the_row(
    member: dict[str, Any], code: str
) -> None:
    sheet = parse(document(game(), game(**member)))
    assert [one for one in found(sheet) if one[0] != "L015" or code == "L015"] == [(code, 2, 0)]
    # no schema knows who sits there, what a record's text says, and what is needed
    fits = ({"declarer": 4}, {"declarer": "Dora"}, {"record": "nothing"}, {"value": None})
    assert SCHEMA.is_valid(json.loads(document(game(**member)))) == (member in fits)


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"tabel": 3}, "L021"), ({"deals": "many"}, "L014"), ({"system": "lotto"}, "L014"),
        ({"players": ["Anna", "anna", "Cem"]}, "L018"), ({"sums": 5}, "L014"),
        ({"sums": {"plase": [1]}}, "L021"), ({"sums": {"place": 1}}, "L014"),
        ({"sums": {"place": ["x", 1, 2]}}, "L014"), ({"dealer": 7}, "L020"),
    ],
)  # fmt: skip
def test_a_wrong_value_beside_the_rows_is_found(members: dict[str, Any], code: str) -> None:
    assert codes(parse(document(game(), **members))) == [code]


def test_a_row_in_json_is_never_a_line_of_sums() -> None:
    sheet = parse(document({"deal": "points", "value": 5}, game()))
    assert (len(sheet.rows), sheet.sums, found(sheet)) == (2, (), [("L014", 1, 0)])


def test_a_key_that_stands_twice_counts_once() -> None:
    sheet = parse('{"skat-list": 1, "rows": [{"declarer": 1, "value": 20, "value": 40}]}')
    assert (codes(sheet), sheet.rows[0].value) == (["L012"], 20)


@pytest.mark.parametrize(
    "text",
    [
        "[]", "[1, 2]", "{", "{}", '{"skatspec": 1}', '{"skat-list": 2}', '{"skat-list": true}',
        '{"skat-list": 1,}', '{"skat-list": 1, "rows": [}', '{"skat-list": 1} nonsense',
        '{"skat-list": 1, "x": ' + "[" * 100_000, "{" * 100_000, '[{"skat-list": 1, "rows": {]}',
    ],
)  # fmt: skip
def test_what_is_no_list_in_json_is_told(text: str) -> None:
    sheets_read = all_of(text)
    assert any("L023" in codes(one) for one in sheets_read)
    assert all(message(note) for one in sheets_read for note in one.findings)


def test_a_fault_of_syntax_is_told_with_the_line_of_the_file() -> None:
    sheet = parse('\n{"skat-list": 1,\n"table": 3\n"round": 4}')
    assert found(sheet) == [("L023", 4, 0)]


def test_a_list_in_json_that_was_cut_off_keeps_its_whole_rows() -> None:
    whole = write_json(parse(english()))
    full = parse(whole)
    begun = whole.index("{", 5)
    for end in range(begun, len(whole) - 2):
        sheet = parse(whole[:end])
        assert sheet.cut and codes(sheet)[0] == "L016"
        assert [row.value for row in sheet.rows] == [row.value for row in full.rows][
            : len(sheet.rows)
        ]
    assert len(parse(whole[: whole.index('"deal": 3') + 20]).rows) == 2


def test_rows_carry_records_as_objects_or_as_texts() -> None:
    record = parse_text(SAMPLE.read_text(encoding="utf-8"))
    assert isinstance(record, Record)
    sheet = replace(parse(english()), rows=(replace(parse(english()).rows[0], record=record),))
    text = write_json(sheet)
    SCHEMA.validate(json.loads(text))
    again = parse(text)
    assert list(again.records()) == [record]
    assert bare(again) == bare(sheet)
    told = parse(document(game(record=SAMPLE.read_text(encoding="utf-8"))))
    assert list(told.records()) == [record]
    assert list(parse(write_csv(sheet)).records()) == []
    broken = parse(document(game(record={"skatspec": "x"})))
    assert [type(one) for one in broken.records()] == [BrokenRecord]
    assert isinstance(parse(write_json(broken)).rows[0].record, BrokenRecord)


def test_limits_of_lists_in_json() -> None:
    long = (
        '{"skat-list": 1, "event": [\n'
        + ('"' + "x" * 500_000 + '",\n') * 40
        + '"x"]}\n'
        + document(game())
    )
    assert [codes(one) for one in all_of(long)] == [["E005"], []]
    many = parse(document(*[game()] * 10_001))
    assert (len(many.rows), codes(many)) == (10_000, ["E005"])
    wide = parse(document({f"x{n}": 1 for n in range(150)}))
    assert codes(wide)[0] == "E005"


def test_the_public_functions_are_named() -> None:
    assert set(score_sheet.__all__) == {
        "looks_like", "open_sheets", "parse", "read", "write_csv", "write_json",
    }  # fmt: skip
