"""Formats are recognised by what a file holds, then by its name; nothing is lost on the way."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from skatspec.diagnostics import message
from skatspec.errors import InputError, UsageError
from skatspec.formats import registry
from skatspec.formats.lines import from_text
from skatspec.record import BrokenRecord, Record
from tests.clirun import BROKEN, GOOD


def good() -> Record:
    record = registry.parse_text(GOOD)
    assert isinstance(record, Record)
    return record


ISS = registry.write_record(good(), "iss")[0]
JSON = registry.write_record(good(), "json")[0]
TEXTS = {"skat": GOOD, "iss": ISS, "json": JSON}


@pytest.mark.parametrize("name", list(TEXTS))
def test_content_tells_the_format_whatever_the_file_is_called(name: str, tmp_path: Path) -> None:
    for suffix in (".skat", ".sgf", ".json", ".txt"):
        path = tmp_path / f"file{suffix}"
        path.write_text(TEXTS[name])
        reading = registry.open_records(path)
        assert reading.format == name
        assert [type(record) for record in reading] == [Record]


@pytest.mark.parametrize("name", list(TEXTS))
def test_junk_comments_and_blank_lines_before_the_first_record_do_not_hide_it(name: str) -> None:
    before = "# (; %skat 1 { are only remarks here\n\n   \nTable 7, round 2\n36 deals\n" * 20
    lines = from_text(before + TEXTS[name], "statistics")
    reading = registry.reading(lines)
    assert reading.format == name
    assert any(isinstance(record, Record) for record in reading)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.skat", "skat"), ("a.sgf", "iss"), ("a.iss", "iss"), ("a.json", "json"),
        ("a.jsonl", "json"), ("a.SGF", "iss"), ("a.sgf.bz2", "iss"), ("a.b.skat.gz", "skat"),
        ("a.jsonl.xz", "json"), ("a.txt", None), ("a.gz", None), ("sgf", None), ("-", None),
    ],
)  # fmt: skip
def test_the_suffix_tells_where_the_content_does_not(path: str, name: str | None) -> None:
    assert registry.detect([], path) == name
    assert registry.detect(["nothing of the kind"], path) == name


def test_a_tag_line_is_not_taken_for_json() -> None:
    assert registry.detect(['[Event "Club evening"]']) is None
    assert registry.detect(['[{"skatspec": 1}]']) == "json"
    assert registry.detect(["[", "{"]) == "json"
    assert registry.detect(['{"skatspec": 1}']) == "json"


@pytest.mark.parametrize("name", ["%skat", "%skat 1", "(;GM[", '{"', "[{", "#x"])
def test_a_player_of_a_log_may_be_called_like_the_beginning_of_any_record(name: str) -> None:
    first, _, second = name.partition(" ")
    names = [f"{first:^12}   Berta       Carl   ", f"{second:^12}{'':24}", "-" * 40]
    rows = ["  _Pass_      Pass        Pass        ", "---- random_seed 1001 7 2 --------------"]
    text = "\n".join([*names, *rows, ""])
    assert registry.detect(text.split("\n")) == "xskat"
    assert registry.reading(from_text(text)).format == "xskat"


def test_an_unknown_format_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(InputError) as caught:
        registry.reading(from_text('[Event "?"]\n1. e4 e5\n', "game.pgn"))
    assert caught.value.code == "E007"
    for known in ("skat", "iss", "json", "%skat 1", "(;"):
        assert known in caught.value.message


@pytest.mark.parametrize("text", ["", "\n\n  \n", "# only\n# remarks\n", "\ufeff\n"])
def test_a_source_without_anything_has_no_records_and_is_not_unknown(text: str) -> None:
    reading = registry.reading(from_text(text))
    assert list(reading) == []
    assert "E006" in [one.code for one in reading.findings]


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("hello\n", "x.skat", 1), ("# a remark\n\nhello\nworld\n", "x.skat", 3),
        (GOOD.replace("%skat 1", "%scat 1"), "x.skat", 1), ("\nhello\n\nworld\n", "x.sgf", 2),
    ],
)  # fmt: skip
def test_a_file_of_text_without_any_record_is_an_error_at_its_first_line(
    text: str, name: str, line: int
) -> None:
    reading = registry.reading(from_text(text, name))
    assert list(reading) == []
    last = reading.findings[-1]
    assert [one.code for one in reading.findings if one.code != "N003"] == ["N011"]
    assert (last.span.line, last.expected) == (line, registry.FORMATS[reading.format].shown_start)  # type: ignore[index]
    assert last.expected in message(last)


def test_a_broken_record_counts_as_a_record() -> None:
    reading = registry.reading(from_text(BROKEN + GOOD))
    assert [type(record) for record in reading] == [BrokenRecord, Record]
    assert reading.count == 2
    assert reading.findings == []


def test_a_named_format_is_taken_without_looking() -> None:
    assert registry.reading(from_text(GOOD), "iss").format == "iss"
    with pytest.raises(UsageError, match="sgf"):
        registry.open_records("-", "sgf")


def test_detection_reads_no_more_than_the_beginning() -> None:
    taken = 0

    def chunks() -> object:
        nonlocal taken
        while True:
            taken += 1
            yield b"a line of something else\n" * 1000

    from skatspec.formats.lines import Lines

    with pytest.raises(InputError):
        registry.reading(Lines(chunks(), "endless"))  # type: ignore[arg-type]
    assert taken < 5


def test_records_come_one_at_a_time() -> None:
    taken = 0

    def chunks() -> object:
        nonlocal taken
        while True:
            taken += 1
            yield (ISS * 10).encode()

    from skatspec.formats.lines import Lines

    reading = registry.reading(Lines(chunks(), "endless"))  # type: ignore[arg-type]
    for _ in range(25):
        next(reading)
    assert taken <= 4


def test_findings_about_a_file_can_be_taken_away_while_it_is_read() -> None:
    reading = registry.reading(from_text(f"junk\n{GOOD}\n"))
    next(reading)
    assert [one.code for one in reading.take_findings()] == ["N003"]
    assert reading.findings == []
    assert list(reading) == []
    assert reading.take_findings() == []


def test_packed_files_are_read_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    whole = gzip.compress((ISS * 500).encode())
    (tmp_path / "a.sgf.gz").write_bytes(whole)
    assert len(list(registry.open_records(tmp_path / "a.sgf.gz"))) == 500
    (tmp_path / "b.sgf.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError) as caught:
        list(registry.open_records(tmp_path / "b.sgf.gz"))
    assert caught.value.code == "E008"


def test_parse_text_refuses_nothing_and_the_unknown_with_a_code() -> None:
    for text, code in (("", "E006"), ("# x\n", "E006"), ("hello", "E007")):
        with pytest.raises(InputError) as caught:
            registry.parse_text(text)
        assert caught.value.code == code


@pytest.mark.parametrize("name", list(TEXTS))
def test_every_format_reads_back_what_it_wrote(name: str) -> None:
    record = registry.parse_text(TEXTS[name])
    assert isinstance(record, Record)
    assert record.steps == good().steps
    assert record.deal == good().deal
