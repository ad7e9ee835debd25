"""ISS records in a file: where each begins and ends, and what a broken one says."""

from __future__ import annotations

import tracemalloc

import pytest

from skatspec.diagnostics import Span
from skatspec.formats import iss
from skatspec.formats.lines import Lines
from skatspec.formats.record_text import LIMIT
from skatspec.record import (
    BrokenRecord,
    Record,
)
from tests.iss_text import (
    FULL,
    ONE,
    PACK,
    all_of,
    codes,
    kinds,
)

# ---------------------------------------------------------------- findings and their places

HEAD = f"(;MV[w {PACK} "


@pytest.mark.parametrize(
    ("text", "code", "read", "expected"),
    [
        (f"{HEAD}1 foo ];)", "N009", "foo", "a bid, y, p"),
        (f"{HEAD}1 COO ];)", "N009", "COO", "a bid, y, p"),
        (f"{HEAD}1 CJX ];)", "N009", "CJX", "a bid, y, p"),
        (f"{HEAD}3 p ];)", "N009", "3", "a player"),
        (f"{HEAD}1 18 y ];)", "N009", "y", "a player"),
        (f"{HEAD}w C7.C8 ];)", "N009", "C7.C8", "behind s"),
        (f"{HEAD}1 p w {PACK} ];)", "N009", PACK[:59] + "…", "behind s"),
        (f"{HEAD}0 s w C7.C8 w C9.CT ];)", "N009", "C9.CT", "behind s"),
        (f"{HEAD}w TI.3 ];)", "N009", "TI.3", "TI. or LE."),
        (f"{HEAD}1 ];)", "N001", "]", "a bid, y, p"),
        (f"{HEAD}1 p R[passed];)", "N001", "R[passed", "] before R["),
        ("(;MV[w C8.DX.CJ ];)", "N004", "DX", "a card"),
        ("(;MV[w C8..CJ ];)", "N004", ".", "a card"),
        (f"{HEAD}0 G.C7.1T ];)", "N004", "1T", "a card"),
        ("(;MV[w C7|C8|C9 ];)", "N001", "C7|C8|C9", "three bars"),
        ("(;P0[a] foo MV[w C7];)", "N001", "foo", "a property"),
        ("(;P0[a];)", "N011", "", ""),
    ],
)
def test_a_broken_record_says_where_what_and_what_instead(
    text: str, code: str, read: str, expected: str
) -> None:
    record = iss.parse(text)
    assert isinstance(record, BrokenRecord)
    [found] = record.findings
    assert (found.code, found.read) == (code, read)
    assert expected in found.expected
    assert record.origin.text == text
    shown = text[found.span.column - 1 : found.span.end_column - 1]
    assert shown.startswith(read.rstrip("…"))
    assert found.span.line == 1


def test_a_place_in_a_record_of_several_lines_counts_lines() -> None:
    items, _ = all_of("\n(;\nMV[\nw C7.C8\n0 18 1 foo\n]\n;)\n")
    [found] = items[0].findings
    assert found.span == Span(5, 8, 11)


def test_an_empty_move_list_is_a_record_that_warns() -> None:
    record = iss.parse("(;MV[];)")
    assert isinstance(record, Record) and codes(record) == ["N014"]


def test_parts_are_found_in_the_text_by_name() -> None:
    record = iss.parse(FULL)
    assert isinstance(record, Record)
    shown = {
        name: FULL[slice(*place)] for name, place in iss.locate(FULL).parts.items()
    }  # fmt: skip
    assert shown["tag/F"] == "P0[a]"
    assert shown["deal"] == PACK
    assert shown["deal/0/0"] == "D7" and shown["deal/2/9"] == "CQ" and shown["deal/3/1"] == "CA"
    assert shown["deal/3"] == "CK.CA"
    assert shown["result"].startswith("R[d:0")
    assert shown["result/won"] == "loss" and shown["result/timed_out"] == "to:1"
    assert shown["result/penalized"] == "p0:0 p1:1 p2:0"
    assert record.origin.part("deal/1/3").column == FULL.index("HQ") + 1


def test_discard_and_declaration_of_one_word_have_places_of_their_own() -> None:
    text = f"{HEAD}1 s w D7.D8 1 NO.D7.D8.C7 1 C8 ];)"
    shown = [text[slice(*place)] for place in iss.locate(text).steps]
    assert shown == ["1 s w D7.D8", "D7.D8", "1 NO", "1 C8"]


# ---------------------------------------------------------------- framing


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n# comments\n"])
def test_nothing_is_no_record_and_no_finding(text: str) -> None:
    assert all_of(text) == ([], [])


def test_comments_and_blank_lines_between_records_are_silent() -> None:
    items, findings = all_of(f"# head\n\n{ONE}\n\n#{ONE}\n{ONE}\n")
    assert kinds(items) == "rr" and findings == []
    assert [item.origin.line for item in items] == [3, 6]
    assert [item.origin.index for item in items] == [0, 1]


def test_junk_between_records_is_one_finding_a_run() -> None:
    items, findings = all_of(f"statistics\nmore\n{ONE}\n;)\n{ONE} tail\n")
    assert kinds(items) == "rr"
    assert [(one.code, one.span.line, one.read) for one in findings] == [
        ("N003", 1, "statistics +1"),
        ("N003", 4, ";)"),
        ("N003", 5, "tail"),
    ]


def test_records_may_share_a_line_and_keep_their_columns() -> None:
    bad = ONE.replace("1 p", "1 foo")
    items, findings = all_of(f"{ONE}{ONE} {bad}  file:3: {ONE}")
    assert kinds(items) == "rrbr"
    assert [one.read for one in findings] == ["file:3:"]
    [found] = items[2].findings
    assert found.span.column == 2 * len(ONE) + 1 + bad.index("foo") + 1


def test_a_comment_line_inside_a_record_is_passed_over_outside_brackets() -> None:
    items, findings = all_of(f"(;\n# MV[ and ;)\nMV[\nw {PACK}\n]\n;)\n")
    assert kinds(items) == "r" and not findings
    items, _ = all_of("(;CO[one\n# two]MV[w CJ ];)\n")
    assert isinstance(items[0], Record) and items[0].tag("Comment") == "one\n# two"


@pytest.mark.parametrize(
    ("text", "code", "expected"),
    [
        (ONE[:-3], "N002", ";)"),
        (ONE.replace("] ;)", " ;)"), "N001", "]"),
        (ONE[:60], "N001", "]"),
    ],
)
def test_a_record_begins_at_the_line_whatever_is_still_open(
    text: str, code: str, expected: str
) -> None:
    items, findings = all_of(f"{ONE}\n{text}\n# comment\n{ONE}\n")
    assert kinds(items) == "rbr" and not findings
    [found] = items[1].findings
    assert (found.code, found.expected, found.span.line) == (code, expected, 2)
    assert items[2].origin.line == 4
    assert kinds(all_of(f"{ONE}\n{text}")[0]) == "rb"


def test_unmatched_brackets_end_in_findings_and_cost_no_depth() -> None:
    assert kinds(all_of("(" * 100_000)[0]) == ""
    assert kinds(all_of("(;" * 100_000)[0]) == "bb"
    assert kinds(all_of("(;A[" + "[" * 100_000)[0]) == "b"
    assert kinds(all_of(ONE + ")" * 100_000 + "\n" + ONE)[0]) == "rr"


def test_many_records_on_one_line_cost_no_more_than_on_many() -> None:
    small = "(;A[]" * 40_000
    assert kinds(all_of(small)[0]) == "b" * 40_000


def test_a_record_beyond_the_limit_is_refused_and_the_next_one_read() -> None:
    line = "1 p " * 10_000
    text = "(;MV[\n" + f"{line}\n" * (LIMIT // len(line) + 2) + f"];)\n{ONE}\n"
    items, findings = all_of(text)
    assert kinds(items) == "br" and not findings
    assert codes(items[0]) == ["E005"]
    assert len(items[0].origin.text) <= LIMIT
    assert items[1].origin.text == ONE


def test_lines_are_the_files_behind_a_line_that_was_refused_for_its_length() -> None:
    endless = "x" * (LIMIT + 1)
    items, findings = all_of(f"(;\n{endless}\nMV[w CJ\n0 foo\n];)\n")
    assert [found.code for found in findings] == ["E005"]
    assert items[0].findings[0].span == Span(4, 3, 6)


def test_reading_many_records_keeps_none_of_them() -> None:
    def peak(count: int) -> int:
        chunks = (f"{ONE}\njunk\n".encode() for _ in range(count))
        tracemalloc.start()
        for _ in iss.read(Lines(chunks)):
            pass
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(10)
    assert peak(8000) < peak(2000) + 100_000


@pytest.mark.parametrize("end", ["\r\n", "\r", "\u2028", "\n"])
def test_line_ends_make_no_difference(end: str) -> None:
    items, findings = all_of(end.join([ONE, "# x", "(;", f"MV[w {PACK}", "1 p", "]", ";)", ONE]))
    assert kinds(items) == "rrr" and not findings
    assert items[0] == items[2]


def test_a_text_without_a_record_parses_to_a_broken_one() -> None:
    for text in ("", "nothing here"):
        record = iss.parse(text)
        assert isinstance(record, BrokenRecord) and codes(record) == ["N001"]
