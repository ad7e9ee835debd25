"""Records joined to lists: each to its one list, and nothing that was given goes unsaid."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest

from skatspec.diagnostics import message
from skatspec.errors import UsageError
from skatspec.session import joining
from skatspec.session.joining import Joining
from skatspec.session.language import say
from skatspec.session.reading import of_file
from skatspec.session.season import Options, run
from skatspec.sheet import Sheet
from tests.clirun import BROKEN, GOOD, Skatspec, skatspec
from tests.test_list_language import left

__all__ = ["skatspec"]

# Anna's hearts are worth 30, as GOOD tells; the list has 20.
ROW = "{number},Anna,hearts,20\n"


def sheet(
    players: str = "Anna,Ben,Cem", deals: int = 3, table: str = "1", round: str = "1",
    event: str = "",
) -> str:  # fmt: skip
    """Return a list whose every deal is Anna's, written down wrongly."""
    top = {"event": event, "table": table, "round": round, "players": players, "rules": "isko"}
    lines = [f"{name},{text}\n" for name, text in {**top, "deals": str(deals)}.items() if text]
    rows = [ROW.format(number=number) for number in range(1, deals + 1)]
    return "".join([*lines, "deal,declarer,contract,value\n", *rows])


def record(deal: object = 1, names: str = "Anna,Ben,Cem", **tags: str) -> str:
    """Return the record of a deal with tags; names are those of F, M and R."""
    text = GOOD
    for old, new in zip(("Anna", "Ben", "Cem"), names.split(","), strict=True):
        text = text.replace(f'"{old}"', f'"{new}"' if new else '""')
    said = {**tags, "Deal": str(deal)} if deal else tags
    line = " ".join(f'[{tag} "{value}"]' for tag, value in said.items())
    return text.replace('[Id "good"]', f'[Id "good"] {line}')


@dataclass
class Evening:
    """A folder of lists, and a file of records beside it."""

    folder: Path
    games: Path

    def lists(self, **texts: str) -> None:
        for name, text in texts.items():
            (self.folder / f"{name}.csv").write_text(text, encoding="utf-8")

    def records(self, *texts: str) -> None:
        self.games.write_text("\n".join(texts), encoding="utf-8")

    def joined(self, *rounds: str) -> tuple[dict[str, list[int]], list[str]]:
        """Return the deals of each list that have a record, and why others were not joined."""
        found = Joining([str(self.games)], rounds)
        paths = sorted(self.folder.iterdir())
        for path in paths:
            found.take(of_folder(path), lambda one: not rounds or one.round in rounds)
        found.settle()
        at = {}
        for path in paths:
            for part in found.parts():
                if isinstance(part, Sheet):
                    numbers = [row.number or 0 for row in part.rows if row.record is not None]
                    at[path.stem] = numbers
        found.close()
        said = [dict(one.found.slots)["what"] for one in found.findings]
        assert {one.found.code for one in found.findings} <= {"L067"}
        return {name: numbers for name, numbers in at.items() if numbers}, said


def of_folder(path: Path):  # type: ignore[no-untyped-def]
    return of_file(str(path), None)  # type: ignore[arg-type]


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lists").mkdir()
    return Evening(Path("lists"), Path("games.skat"))


# --- which list a record is of ----------------------------------------------------------


def test_a_record_goes_to_the_list_of_its_table_round_and_event(evening: Evening) -> None:
    evening.lists(
        a=sheet(table="1", round="1", event="Monday"), b=sheet(table="2", round="1"),
        c=sheet(table="1", round="2"), d=sheet(table="1", round="1", event="Tuesday"),
    )  # fmt: skip
    evening.records(
        record(1, Table="1", Series="1", Event="monday"), record(2, Table="2", Series="1"),
        record(3, Table="1", Series="2"),
        record(2, Table="1", Series="1", Event="Tuesday"),
    )  # fmt: skip
    assert evening.joined() == ({"a": [1], "b": [2], "c": [3], "d": [2]}, [])


def test_a_record_without_tags_goes_to_the_list_of_its_players(evening: Evening) -> None:
    evening.lists(a=sheet(), b=sheet("Anna,Dora,Emil", table="2"))
    evening.records(record(1, "Dora,Emil,Anna"), record(2, "CEM,Anna,Ben"))
    assert evening.joined() == ({"a": [2], "b": [1]}, [])


@pytest.mark.parametrize(
    ("players", "names"),
    [
        ("Anna Ahrens,Ben Behn,Cem Celik", "Anna,Behn,cem"),
        ("Anna,Ben,Cem", "Anna Ahrens,Ben Behn,Celik Cem"),
        ("Anna Ahrens,Ben Behn,Ben Celik", "Anna,Behn,Celik"),
        ("Anna,,Cem", "Anna,Ben,Cem"),
        ("Anna,Ben,Cem", "Anna,,"),
        ("Anna,Ben,Cem,Dora", "Anna,Ben,Dora"),
        ("***,Ben,Cem", "***,Ben,Cem"),
    ],
)
def test_a_first_name_or_surname_is_its_player_s(
    evening: Evening, players: str, names: str
) -> None:
    evening.lists(a=sheet(players), b=sheet("Xaver,Yvonne,Zeno", table="2"))
    evening.records(record(1, names))
    assert evening.joined() == ({"a": [1]}, [])


def test_players_who_do_not_sit_at_its_table_keep_a_record_from_its_list(
    evening: Evening,
) -> None:
    evening.lists(a=sheet(), b=sheet("Anna Ahrens,Anna Behn,Cem", table="2"))
    evening.records(
        record(1, "Anna,Ben,Dora", Table="1"),
        record(1, "Anna,Anna Behn,Cem", Table="2"),  # which Anna?
        record(1, "Anna Ahrens,Ahrens,Cem", Table="2"),  # one player, twice
        record(1, "Anna,Dora,Emil"),
    )  # fmt: skip
    assert evening.joined() == ({}, [
        "on lists/a.csv nobody is called Dora", "on lists/b.csv nobody is called Anna",
        "no list has the players Anna Ahrens, Ahrens, Cem",
        "no list has the players Anna, Dora, Emil",
    ])  # fmt: skip


def test_a_record_of_a_table_round_or_event_that_no_list_is_of_is_named(evening: Evening) -> None:
    evening.lists(a=sheet(event="Monday"))
    evening.records(
        record(1, Table="7"), record(1, Series="3", Table="1"), record(1, Event="Tuesday")
    )
    assert evening.joined() == ({}, [
        'no list is of [Table "7"]', 'no list is of [Series "3"] [Table "1"]',
        'no list is of [Event "Tuesday"]',
    ])  # fmt: skip


def test_a_record_that_fits_several_lists_is_joined_to_none(evening: Evening) -> None:
    evening.lists(a=sheet(round="1"), b=sheet(round="2", deals=4))
    evening.records(record(1, Table="1"), record(4, Table="1"), record(9, Table="1"))
    assert evening.joined() == ({"b": [4]}, [
        "it fits 2 lists: lists/a.csv, lists/b.csv",
        "none of the lists that it fits has deal 9",
    ])  # fmt: skip


def test_a_record_that_fits_very_many_lists_names_some(evening: Evening) -> None:
    evening.lists(**{f"l{number}": sheet(round=str(number)) for number in range(1, 9)})
    evening.records(record(1))
    (what,) = evening.joined()[1]
    assert what.startswith("it fits 8 lists: ") and what.endswith("lists/l5.csv, ...")


def test_a_record_without_its_deal_or_that_cannot_be_read_is_named(evening: Evening) -> None:
    evening.lists(a=sheet())
    evening.records(record(0), record("first"), BROKEN, record(2))
    at, said = evening.joined()
    assert at == {"a": [2]}
    assert said[:2] == ["it does not say which deal it is of"] * 2
    assert said[2].startswith("it cannot be read: N004 ")


def test_a_deal_that_is_not_on_the_list_is_a_finding_of_that_list_where_it_is_certain(
    evening: Evening, skatspec: Skatspec
) -> None:
    evening.lists(a=sheet(), b=sheet("Dora,Emil,Fritz", table="2").replace("Anna", "Dora"))
    evening.records(record(9), record(1), record(1))
    said = json.loads(
        skatspec("list", "check", "lists", "--records", "games.skat", "--format", "json").out
    )
    assert said["between"] == []
    one = next(one for one in said["lists"] if one["source"] == "lists/a.csv")
    found = {each["code"]: each["message"] for each in one["disputes"]}
    lines = [at for at, text in enumerate(evening.games.read_text().split("\n"), 1)
             if text == "%skat 1"]  # fmt: skip
    assert f"games.skat:{lines[0]}" in found["L064"]
    assert f"games.skat:{lines[2]}" in found["L065"]


def test_a_deal_thrown_in_and_dealt_again_has_its_record_in_the_row_that_was_played(
    evening: Evening,
) -> None:
    text = sheet(deals=2).replace("2,Anna,hearts,20\n", "2,,,\n2,Anna,hearts,20\n")
    evening.lists(a=text)
    evening.records(record(2))
    found = Joining([str(evening.games)])
    found.take(of_folder(evening.folder / "a.csv"), lambda _: True)
    found.settle()
    one = next(found.parts())
    assert isinstance(one, Sheet)
    assert [row.record is not None for row in one.rows] == [False, False, True]
    found.close()


@pytest.mark.parametrize("rounds", [("2",), ("1",)])
def test_records_of_rounds_that_nobody_asked_for_are_left_out_and_counted(
    evening: Evening, skatspec: Skatspec, rounds: tuple[str, ...]
) -> None:
    evening.lists(
        a=sheet(round="1"), b=sheet("Anna,Dora,Emil", round="2"),
        c=sheet("Anna,Fritz,Gerd", round="1"),
    )  # fmt: skip
    evening.records(
        record(1, Series="1"), record(2, "Anna,Dora,Emil"), record(1, Series="3"),
        record(3, "Anna,Fritz,Gerd"),
    )  # fmt: skip
    at, said = evening.joined(*rounds)
    assert said == []
    assert at == ({"b": [2]} if rounds == ("2",) else {"a": [1], "c": [3]})
    ran = skatspec("list", "check", "lists", "--records", "games.skat", "--round", *rounds)
    number = 3 if rounds == ("2",) else 2
    assert f"left out: {number} records of other rounds" in ran.err
    assert "L067" not in ran.out


# --- folders, standings, outputs --------------------------------------------------------


def test_records_are_joined_to_the_lists_of_a_folder_as_to_named_ones(
    evening: Evening, skatspec: Skatspec
) -> None:
    evening.lists(a=sheet(), b=sheet("Dora,Emil,Fritz", table="2").replace("Anna", "Dora"))
    evening.records(record(1), record(1, "Dora,Emil,Fritz"))
    args = ("--records", "games.skat", "--format", "json")
    of_folder = json.loads(skatspec("list", "check", "lists", *args).out)
    named = json.loads(skatspec("list", "check", "lists/a.csv", "lists/b.csv", *args).out)
    assert of_folder == named
    for one in of_folder["lists"]:
        assert [each["deal"] for each in one["disputes"] if each["code"] == "L037"] == [1]


def test_standings_take_records_too(evening: Evening, skatspec: Skatspec) -> None:
    evening.lists(a=sheet())
    evening.records(record(1), record(2, Table="5"))
    args = ("list", "standings", "lists", "--corrected", "--format", "json")
    without = json.loads(skatspec(*args).out)
    ran = skatspec(*args, "--records", "games.skat")
    said = json.loads(ran.out)
    assert ran.code == 1
    assert said["places"][0]["points"] - without["places"][0]["points"] == 10
    (found,) = said["findings"]
    assert (found["code"], found["severity"], found["sources"]) == ("L067", "error", ["games.skat"])


def test_a_list_through_a_pipe_has_its_records(evening: Evening, skatspec: Skatspec) -> None:
    evening.records(record(1))
    ran = skatspec("list", "check", "-", "--records", "games.skat", stdin=sheet().encode())
    assert "L037" in ran.out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_list_of_a_named_pipe_is_read_once(evening: Evening, skatspec: Skatspec) -> None:
    os.mkfifo("pipe")
    evening.records(record(1))
    writer = Thread(target=Path("pipe").write_text, args=(sheet(),))
    writer.start()
    ran = skatspec("list", "check", "pipe", "--records", "games.skat")
    writer.join()
    assert "L037" in ran.out


@pytest.mark.parametrize("command", ["check", "standings"])
@pytest.mark.parametrize("form", ["text", "csv", "json", "html"])
def test_a_record_that_was_not_joined_is_said_whatever_is_written(
    evening: Evening, skatspec: Skatspec, command: str, form: str
) -> None:
    evening.lists(a=sheet().replace("20\n", "30\n"))
    evening.records(record(1, Table="7"))
    ran = skatspec(
        "list", command, "lists", "--records", "games.skat", "--format", form,
        *(("-q",) if command == "check" else ()),
    )  # fmt: skip
    assert ran.code == 1
    assert "Table" in ran.out + ran.err and "games.skat:" in ran.out + ran.err


def test_why_a_record_was_not_joined_is_said_in_german_without_english(evening: Evening) -> None:
    evening.lists(a=sheet(round="1"), b=sheet(round="2"))
    evening.records(
        record(0), record(1), record(9), BROKEN, record(1, Table="7"),
        record(1, "Anna,Ben,Dora", Series="1"), record(1, "Anna,Ben,Dora"),
    )  # fmt: skip
    season = run(["lists"], Options(records=("games.skat",)))
    found = [one.found for one, _ in season.across() if one.found.code == "L067"]
    season.close()
    assert len(found) == 7
    for one in found:
        assert "{" not in message(one)
        assert not left(say(one, "de").replace("[Table", "")) - {"games", "lists"}, one


def test_a_file_of_records_in_the_folder_is_no_list_and_is_not_passed_over(
    evening: Evening, skatspec: Skatspec
) -> None:
    evening.lists(a=sheet())
    inside = evening.folder / "games.skat"
    inside.write_text(record(1))
    for args in (("lists",), ("lists", str(inside))):
        ran = skatspec("list", "check", *args, "--records", inside)
        assert ran.err == ""
        assert ran.lines[-1] == "1 list: 1 contradicted"


# --- files of records -------------------------------------------------------------------


def test_records_that_cannot_be_opened_or_found_are_said(
    evening: Evening, skatspec: Skatspec
) -> None:
    evening.lists(a=sheet().replace("20\n", "30\n"))
    for name, data, code in (
        ("empty.skat", b"", "E006"), ("some.skat", b"no game\n", "N011"),
        ("binary.skat", bytes(range(256)), "E004"), ("what.xyz", b"hello\n", "E007"),
    ):  # fmt: skip
        Path(name).write_bytes(data)
        ran = skatspec("list", "check", "lists", "--records", name)
        assert ran.code == 1
        assert f"not read: {name}" in ran.err and code in ran.err


def test_text_between_records_is_said(evening: Evening, skatspec: Skatspec) -> None:
    evening.lists(a=sheet().replace("20\n", "30\n"))
    lost = record(2).replace("%skat 1", "%scat 1").split("auction")[0]
    evening.records(lost, record(1))
    ran = skatspec("list", "check", "lists", "--records", "games.skat")
    assert "not read: games.skat:1: N003" in ran.err


def test_the_same_file_of_records_twice_is_read_once(evening: Evening) -> None:
    evening.lists(a=sheet())
    evening.records(record(1))
    found = Joining(["games.skat", "./games.skat"])
    found.take(of_folder(evening.folder / "a.csv"), lambda _: True)
    found.settle()
    one = next(found.parts())
    assert isinstance(one, Sheet) and one.findings == ()
    found.close()


def test_more_records_than_an_evening_has_are_refused(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "MOST_RECORDS", 2)
    evening.records(record(1), record(2))
    Joining(["games.skat"]).close()
    evening.records(record(1), record(2), record(3))
    with pytest.raises(UsageError, match="over 2 records"):
        Joining(["games.skat"])
