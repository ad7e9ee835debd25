"""The notation `.skat`: every fault has its code, its place and words of what was expected."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from time import perf_counter

import pytest

from skatspec.cards import ALPHABETS
from skatspec.diagnostics import Diagnostic, Span
from skatspec.formats import skat
from skatspec.formats.lines import Lines, from_text
from skatspec.formats.skat.alphabets import spellings
from skatspec.record import NO_NUMBER, Bid, BrokenRecord, Record, Result

MEBIBYTE = 1 << 20


def fault(body: str) -> Diagnostic:
    """Return the one finding of a record that cannot be read."""
    broken = skat.parse(f"%skat 1\n{body}")
    assert isinstance(broken, BrokenRecord), broken
    (found,) = broken.findings
    return found


def read_all(text: str) -> tuple[list[Record | BrokenRecord], list[Diagnostic]]:
    lines = from_text(text)
    return list(skat.read(lines)), lines.findings


# ------------------------------------------------------- one fault, one code, one place


@pytest.mark.parametrize(
    ("body", "code", "span", "read", "expected"),
    [
        # tags
        ('[F "a"\n', "N001", (2, 7, 8), "the end of the line", "]"),
        ('[F "a\n', "N001", (2, 4, 6), '"a', "a closing quote"),
        ("[F a]\n", "N001", (2, 4, 6), "a]", '"value" of F'),
        ('[F"a"]\n', "N001", (2, 3, 7), '"a"]', "a blank"),
        ('["a"]\n', "N001", (2, 2, 6), '"a"]', "the name of the tag"),
        ('[F "\\q"]\n', "N001", (2, 5, 7), "\\q", "an escape"),
        ('[F "\\u{110000}"]\n', "N008", (2, 4, 16), '"\\u{110000}"', "characters"),
        ('[Cards "fr"]\n', "N008", (2, 8, 12), '"fr"', "en or de or eichel"),
        ('[Cards "de"] [Cards "de"]\n', "N010", (2, 14, 26), '[Cards "de"]', ""),
        ('play\n[F "a"]\n', "N001", (3, 1, 8), '[F "a"]', "a trick"),
        # sections
        ("auction\ndeal\n", "N006", (3, 1, 5), "deal", "sections contract, play, result"),
        ("play\n1. F: CJ\nplay\n", "N006", (4, 1, 5), "play", "the section result"),
        ("result\npassed in\nplay\n", "N006", (4, 1, 5), "play", "a result"),
        ("acution\n  M 18\n", "N001", (2, 1, 8), "acution", "sections deal, auction"),
        ("deal\n  M 18\n", "N001", (3, 3, 7), "M 18", "a hand `F: CJ SJ ...`"),
        ("deal\n  X: CJ\n", "N001", (3, 3, 8), "X: CJ", "a hand"),
        # cards
        ("deal\npack: CJ XX\n", "N004", (3, 10, 12), "XX", "a card such as CJ"),
        ("deal\npack: CJ\nPack: CJ\n", "N010", (4, 1, 5), "Pack", ""),
        ("deal\nF: CJ SX\n", "N004", (3, 7, 9), "SX", "a card such as CJ"),
        ("deal\nF: CJ, SJ\n", "N001", (3, 6, 7), ",", "a card"),
        ("deal\nF: CJ\u00a0SJ\n", "N001", (3, 6, 7), "the blank U+00A0", "an ordinary blank"),
        ("deal\nF: CJ\nF: SJ\n", "N010", (4, 1, 2), "F", ""),
        # auction
        ("auction\n M 18, F yse\n", "N009", (3, 10, 13), "yse", "`yes` or `pass`"),
        ("auction\n M\n", "N001", (3, 2, 3), "M", "behind the seat"),
        ("auction\n X 18\n", "N001", (3, 2, 3), "X", "a seat letter F, M or R"),
        ("auction\n M 18 F yes\n", "N001", (3, 7, 12), "F yes", "a comma"),
        ("auction\n M plays 24\n", "N001", (3, 4, 12), "plays 24", "`plays at` and a bid"),
        ("auction\n M plays at x\n", "N009", (3, 13, 14), "x", "a bid such as 18"),
        ("auction\n M plays at 24 F\n", "N001", (3, 16, 17), "F", "a comma"),
        ("auction\n M 18,, F yes\n", "N001", (3, 7, 8), ",", "something before the comma"),
        # contract
        ("contract\n F takes skat\n", "N001", (3, 4, 14), "takes skat", "`takes the skat`"),
        ("contract\n F herats\n", "N009", (3, 4, 10), "herats", "grand hand"),
        ("contract\n F hearts hnad\n", "N009", (3, 11, 15), "hnad", "one of hand"),
        ("contract\n F hearts hand hand\n", "N010", (3, 16, 20), "hand", ""),
        ("contract\n F null shows\n", "N001", (3, 9, 14), "shows", "a card"),
        ("contract\n F discards S7 hearts\n", "N004", (3, 16, 22), "hearts", "a card"),
        ("contract\n F pushes\n", "N001", (3, 4, 10), "pushes", "or `unseen`"),
        ("contract\n F pushes unseen S7\n", "N004", (3, 11, 17), "unseen", "a card"),
        ("contract\n F exchanges CA\n", "N001", (3, 4, 16), "exchanges CA", "`exchanges to`"),
        ("contract\n F exchanges to\n", "N001", (3, 4, 16), "exchanges to", "the cards, or -"),
        ("contract\n F knocks twice\n", "N001", (3, 11, 16), "twice", "a comma"),
        ("contract\n F contra\n", "N009", (3, 4, 10), "contra", "`kontra`"),
        ("contract\n ramsch hand\n", "N001", (3, 9, 13), "hand", "the end of the line"),
        ("contract\n ramsch, F knocks\n", "N001", (3, 10, 18), "F knocks", "the end"),
        ("contract\n F hearts spitze spitze\n", "N010", (3, 18, 24), "spitze", ""),
        ('contract\n F "ramsch\n', "N001", (3, 4, 11), '"ramsch', "a closing quote"),
        ('contract\n F "a\\x"\n', "N001", (3, 6, 8), "\\x", "an escape"),
        # play
        ("play\n2. F: CJ\n", "N001", (3, 1, 3), "2.", "trick `1.`"),
        ("play\n1. F: CJ\n2. M: HJ\n", "N001", (4, 1, 3), "2.", "trick 1 is not complete"),
        ("play\n1... F: CJ\n", "N001", (3, 1, 3), "1.", "trick `1.`"),
        ("play\n1. F: CJ HJ\n1... R: D7 D8\n", "N001", (4, 1, 3), "1.", "at most one card"),
        ("play\n1. F: CJ CT CA C9\n", "N001", (3, 16, 18), "C9", "at most three cards"),
        ("play\n1. F CJ\n", "N001", (3, 4, 8), "F CJ", "a seat letter"),
        ("play\n1.F: CJ\n", "N001", (3, 3, 8), "F: CJ", "a blank"),
        ("play\n1. F: CJ CX\n", "N004", (3, 10, 12), "CX", "a card"),
        ("play\n1. F: CJ R:CX\n", "N004", (3, 12, 14), "CX", "a card"),
        ("play\n1. F: CJ R:\n", "N001", (3, 10, 12), "R:", "a card"),
        ("play\n1. F:\n", "N001", (3, 4, 6), "F:", "behind the colon"),
        # irregular steps
        ("play\n! M flies\n", "N009", (3, 5, 10), "flies", "`shows`, `resigns`"),
        ("play\n! X shows\n", "N001", (3, 3, 4), "X", "a seat letter"),
        ("play\n! M\n", "N001", (3, 3, 4), "M", "behind the seat"),
        ("play\n! M bids\n", "N001", (3, 5, 9), "bids", "a bid"),
        ("play\n! M plays XX\n", "N004", (3, 11, 13), "XX", "a card"),
        ("play\n! M plays\n", "N001", (3, 5, 10), "plays", "a card"),
        ("play\n! M plays at\n", "N004", (3, 11, 13), "at", "a card"),
        ("play\n! M plays at x\n", "N009", (3, 14, 15), "x", "a bid"),
        ("play\n! M plays early CJ\n", "N001", (3, 17, 19), "CJ", "the end of the line"),
        ("play\n! M throws\n", "N009", (3, 5, 11), "throws", "`refuses`"),
        ("play\n! declares\n", "N001", (3, 3, 11), "declares", "behind `declares`"),
        ("play\n! M shows, M left\n", "N001", (3, 12, 13), "M", "one step a line"),
        # result
        ("result\n foo\n", "N001", (3, 2, 5), "foo", "a result such as `F won 30`"),
        ("result\n F won 30 points 17\n", "N001", (3, 11, 20), "points 17", "a comma"),
        ("result\n F\n", "N001", (3, 3, 4), "the end of the line", "`won` or `lost`"),
        ("result\n points\n", "N001", (3, 2, 8), "points", "a number"),
        ("result\n points 1, points 2\n", "N010", (3, 12, 20), "points 2", ""),
        ("result\n scores 0 0\n", "N001", (3, 2, 12), "scores 0 0", "three figures"),
        ("result\n scores 0 0 1 1\n", "N001", (3, 15, 16), "1", "a comma"),
        ("result\n losers X\n", "N001", (3, 9, 10), "X", "different seat letters"),
        ("result\n losers F, losers M\n", "N010", (3, 12, 20), "losers M", ""),
        ("result\n left X\n", "N001", (3, 2, 8), "left X", "a seat letter"),
        ("result\n penalty M M\n", "N001", (3, 10, 13), "M M", "different seat letters"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_place_and_what_was_expected(
    body: str, code: str, span: tuple[int, int, int], read: str, expected: str
) -> None:
    found = fault(body)
    assert (found.code, found.span, found.read) == (code, Span(*span), read)
    assert expected in found.expected


@pytest.mark.parametrize(
    "head", ["%skat 2", "%skat", "%skat 1.1", "  %skat 10  # new", "%skat 1 x"]
)
def test_another_version_is_refused_and_the_next_record_read(head: str) -> None:
    records, _ = read_all(f"{head}\nfuture things\n%skat 1\nauction\nM 18\n")
    assert isinstance(records[0], BrokenRecord)
    assert records[0].findings[0].code == "N012"
    assert records[0].origin.text == f"{head}\nfuture things\n"
    assert isinstance(records[1], Record)


def test_a_text_without_a_record_is_a_broken_record() -> None:
    for text in ("", "\n", "# only a comment\n", "foo"):
        broken = skat.parse(text)
        assert isinstance(broken, BrokenRecord)
        assert broken.findings[0].code == "N011"


# ----------------------------------------------------------------------- card letters


@pytest.mark.parametrize(
    ("body", "code", "read", "expected"),
    [
        ("deal\nF: KB PB HB KD\n", "N005", "KB", "CJ (Kreuz Bube) or DJ (Karo Bube)"),
        ("deal\nF: CJ HD\n", "N005", "HD", "HQ (Herz Dame)"),
        ("deal\nF: CJ HU\n", "N005", "HU", "HJ"),
        ("deal\nF: CJ SD\n", "N005", "SD", "SQ (Pik Dame) or DQ"),
        ("deal\nF: CJ KrB\n", "N005", "KrB", "[Cards"),
        ("deal\nF: KrB\nplay\n1. F: CJ\n", "N005", "CJ", "[Cards"),
        ("deal\nF: ♣J ♣B\n", "N005", "♣B", "[Cards"),
        ("deal\nF: KrB EiU\n", "N005", "EiU", "[Cards"),
        ("deal\nF: KrB Xy7\n", "N004", "Xy7", "a card"),
        ('[Cards "de"]\ndeal\nF: KrB CJ\n', "N004", "CJ", "KreuzB or KrB (de)"),
        ('[Cards "en"]\ndeal\nF: KrB\n', "N004", "KrB", "such as CJ"),
        ('[Cards "de"]\ndeal\nF: PB\n', "N005", "PB", "SJ (Pik Bube)"),
        ("deal\nF: cj\n", "N004", "cj", "a card"),
    ],
)
def test_mixed_and_one_letter_spellings_are_asked_about_not_guessed(
    body: str, code: str, read: str, expected: str
) -> None:
    found = fault(body)
    assert (found.code, found.read) == (code, read)
    assert expected in found.expected


def test_no_word_means_different_cards_in_different_alphabets() -> None:
    meaning: dict[str, int] = {}
    for alphabet in ALPHABETS:
        for word, card in spellings(alphabet).items():
            assert meaning.setdefault(word, card) == card


def test_glyphs_alone_read_the_same_in_every_alphabet() -> None:
    assert isinstance(skat.parse("%skat 1\ndeal\nF: ♣A ♣K ♠10\n"), Record)


# ------------------------------------------------- findings on a record that was read


def findings(body: str) -> tuple[Record, list[tuple[str, Span, str]]]:
    record = skat.parse(f"%skat 1\n{body}")
    assert isinstance(record, Record), record.findings
    return record, [(one.code, one.span, one.read) for one in record.findings]


@pytest.mark.parametrize("figure", ["NaN", "1e9", "18.5", "1000000", "many", "9" * 5000, "--3"])
def test_an_impossible_figure_leaves_its_field_open(figure: str) -> None:
    record, found = findings(f"result\n  F won 30, points {figure}, tricks 2\n")
    assert record.result == Result(declarer=0, won=True, score=30, points=None, tricks=2)
    assert found[0][:2] == ("S016", Span(3, 20, 20 + len(figure)))
    assert len(found) == 1


@pytest.mark.parametrize("name", ["scores", "counted"])
@pytest.mark.parametrize("figure", ["NaN", "1e9", "18.5", "1000000", "??"])
def test_an_impossible_figure_of_a_seat_leaves_the_field_open(name: str, figure: str) -> None:
    record, found = findings(f"result\n  {name} 1 {figure} 2, tricks 2\n")
    assert record.result == Result(tricks=2)
    at = len(name) + 6
    assert found == [("S016", Span(3, at, at + len(figure)), figure)]


def test_an_unsaid_figure_is_one_of_counted_points_alone() -> None:
    assert findings("result\n  counted ? 1 2\n")[1] == []
    assert findings("result\n  scores ? 1 2\n")[1] == [("S016", Span(3, 10, 11), "?")]


def test_a_sign_behind_with_is_no_figure() -> None:
    record, found = findings("result\n  with -2\n")
    assert record.result == Result()
    assert found == [("S016", Span(3, 8, 10), "-2")]


@pytest.mark.parametrize(
    "second", ["  F lost 60\n", "  won\n", "  points 18\n", "result\n  tricks 9\n"]
)
def test_a_second_result_is_reported_and_the_first_kept(second: str) -> None:
    record, found = findings(f"result\n  F won 30, points 17\n{second}")
    assert record.result == Result(declarer=0, won=True, score=30, points=17)
    assert [code for code, _, _ in found] == ["S017"]
    assert found[0][1].line == 3 + second.count("\n")


def test_the_dealer_who_sits_out_has_no_cards() -> None:
    record, found = findings("deal\n  F: CJ\n  D: SJ HJ\n")
    assert found == [("R006", Span(4, 3, 11), "D: SJ HJ")]
    assert record.deal is not None
    assert findings("deal\n  D:\n")[1] == []


def test_a_repeated_tag_is_reported_and_both_are_kept() -> None:
    record, found = findings('[F "a"]\n  [F "b"]\nplay\n1. F: CJ\n')
    assert record.tags == (("F", "a"), ("F", "b"))
    assert record.tag("F") == "a"
    assert found == [("N010", Span(3, 3, 10), '[F "b"]')]


def test_dealer_and_view_take_only_seats() -> None:
    body = '[Dealer "X"] [View "public"] [View2 "X"]\nplay\n1. F: CJ\n'
    assert findings(body)[1] == [("N008", Span(2, 9, 12), '"X"')]


def test_a_round_is_one_of_three_kinds_and_places_are_free() -> None:
    body = '[Round "bock"] [Places "any"]\n[Round "Bock"]\nplay\n1. F: CJ\n'
    record, found = findings(body)
    assert found == [("N008", Span(3, 8, 14), '"Bock"'), ("N010", Span(3, 1, 15), '[Round "Bock"]')]
    assert record.findings[0].expected == "normal, bock, ramsch"
    assert record.tag("Round") == "bock"


def test_old_spellings_are_read_and_noted_with_their_step() -> None:
    record, found = findings("contract\n  F takes the skat, Karo\n  M Nullouvert\n")
    assert found == [("N015", Span(3, 21, 25), "Karo"), ("N015", Span(4, 5, 15), "Nullouvert")]
    assert [one.step for one in record.findings] == [2, 3]


def test_a_record_with_nothing_to_check_says_so() -> None:
    for body in ("", '[F "a"]\n', "# c\n", "auction\n", "result\n"):
        assert [code for code, _, _ in findings(body)[1]] == ["N014"]
    assert findings("deal\n")[1] == []


def test_a_bid_of_no_number_is_read_and_left_to_the_rules() -> None:
    record, found = findings("auction\n  M 18.5, F -18, M 10**50\n")
    assert record.steps == (Bid(1, NO_NUMBER), Bid(0, NO_NUMBER), Bid(1, NO_NUMBER))
    assert found == []


# --------------------------------------------------------------- junk and recovery

GOOD = "%skat 1\nauction\n  M 18\n"


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (f"Statistics: 3 deals\nmore\n{GOOD}", [1]),
        (f"# a comment is no junk\n\n{GOOD}", []),
        (f"{GOOD}\nTotal: 4\n\n# with this\n\n{GOOD}", [5]),
        (f"%skat 1\nresult\n  passed in\n*** end ***\n{GOOD}", [4]),
        (f"{GOOD}\n\n\n{GOOD}", []),
    ],
)
def test_junk_around_records_is_reported_once_and_skipped(text: str, places: list[int]) -> None:
    records, found = read_all(text)
    assert all(isinstance(record, Record) and not record.findings for record in records)
    assert [(one.code, one.span.line) for one in found] == [("N003", line) for line in places]


@pytest.mark.parametrize(
    "tail",
    [
        "Total: 4\n",
        "\n  Total: 4\n",
        "\nacution\n  M 20\n",
        "\n[Foo\n",
        "\nfoo\n\nplay\n1. F: CJ\n",
    ],
)
def test_what_may_belong_to_the_record_is_no_junk(tail: str) -> None:
    records, found = read_all(GOOD + tail + GOOD)
    assert [type(record) for record in records] == [BrokenRecord, Record]
    assert records[0].findings[0].code == "N001"
    assert found == []


def test_reading_goes_on_at_the_next_record_after_every_fault() -> None:
    bad = "".join(
        f"%skat 1\n{body}\n" for body in ("(" * 50, "deal\nF: XX", '[F "', "play\n9. F: CJ")
    )
    records, _ = read_all(bad + GOOD + bad + GOOD)
    assert [isinstance(record, Record) for record in records] == [*[False] * 4, True] * 2
    assert [record.origin.index for record in records] == list(range(10))
    assert [record.origin.line for record in records[:5]] == [1, 3, 6, 8, 11]


def test_fmt_keeps_what_it_cannot_read_as_it_is_and_reports_it() -> None:
    text = (
        "preface\n\n\n"
        "%skat 1\nauction\nM 18\n\n\nfooter   x\n\n\n"
        "%skat 1\n   foo  bar\n\n\n"
        "%skat 1\nresult\n   F won   NaN\n"
    )
    lines = from_text(text)
    assert "".join(skat.fmt(lines)) == (
        "preface\n\n"
        "%skat 1\nauction\n  M 18\n\nfooter   x\n\n"
        "%skat 1\n   foo  bar\n\n"
        "%skat 1\nresult\n   F won   NaN\n"
    )
    assert [one.code for one in lines.findings] == ["N003", "N003", "N001", "S016"]


# --------------------------------------------------------------------------- places


def test_a_finding_of_the_engine_can_be_placed_by_step_and_by_part() -> None:
    text = (
        'junk\n%skat 1\n[F "a"] [M "b"]\ndeal\n  M: HJ H9\n  skat: DQ D7  # c\n  pack: C7 C8\n'
        "auction\n  M 18, F ja\n"
        "contract\n  F takes the skat, Karo\n  ! M resigns # x\nplay\n  1. F: HA R: ♥9\n"
        "result\n  F won 30,\n  points 17, scores 1 2 3\n"
    )
    (record,) = skat.read(from_text(text))
    lines = text.split("\n")

    def said(span: Span) -> str:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]

    origin = record.origin
    assert [said(origin.step(number)) for number in range(1, 8)] == [
        "M 18", "F ja", "takes the skat", "Karo", "! M resigns", "HA", "♥9",
    ]  # fmt: skip
    for part, expected in {
        "tag/M": '[M "b"]', "deal": "deal", "deal/1": "M: HJ H9", "deal/1/1": "H9",
        "deal/3/0": "DQ", "deal/4": "pack: C7 C8", "deal/4/1": "C8", "deal/0/0": "deal",
        "result": "F won 30,", "result/score": "F won 30",
        "result/points": "points 17", "result/tricks": "F won 30,",
        "result/scores": "scores 1 2 3",
    }.items():  # fmt: skip
        assert said(origin.part(part)) == expected
    assert origin.step(99) == origin.start() == Span(2, 1, 2)


def test_the_steps_of_a_ramsch_have_their_places() -> None:
    text = (
        "%skat 1\nauction\n  F plays at 24 # a\ncontract\n  ramsch # b\n"
        "  M pushes unseen, knocks\n  ! declares grand\n"
    )
    record = skat.parse(text)
    shown = [record.origin.step(number) for number in range(1, 6)]
    lines = text.split("\n")
    assert [lines[one.line - 1][one.column - 1 : one.end_column - 1] for one in shown] == [
        "F plays at 24", "ramsch", "pushes unseen", "knocks", "! declares grand",
    ]  # fmt: skip


# --------------------------------------------------------------------------- limits

_HUGE = {
    "unmatched parentheses": "play\n" + "(" * 100_000 + "\n",
    "a parenthesis a line": "play\n" + "(\n" * 100_000,
    "comments": "# c\n" * 10_000 + "play\n1. F: CJ\n" + "# d\n" * 10_000,
    "blanks": "auction\n F 18" + " " * (MEBIBYTE - 99) + "x\n",
    "tags": '[A ""]' * (MEBIBYTE // 7) + "\n",
    "repeated tags": '[A ""]\n' * (MEBIBYTE // 8),
    "backslashes": '[A "' + "\\" * (MEBIBYTE - 99) + "\n",
    "an open quote": 'contract\nF "' + "x" * (MEBIBYTE - 99) + "\n",
    "calls": "auction\n" + "F yes, " * (MEBIBYTE // 8) + "(\n",
    "cards": "deal\nF:" + " CJ" * (MEBIBYTE // 4) + " XX\n",
    "results": "result\n" + "won 3\n" * (MEBIBYTE // 7),
    "quoted comments": '#""' * (MEBIBYTE // 4) + "x\n",
}


@pytest.mark.parametrize("body", _HUGE.values(), ids=_HUGE.keys())
def test_huge_nonsense_takes_time_in_proportion_to_its_size(body: str) -> None:
    begin = perf_counter()
    records, _ = read_all(f"%skat 1\n{body}{GOOD}")
    # A mebibyte is read in about a second; anything quadratic would take minutes.
    assert perf_counter() - begin < 20
    assert len(records) == 2
    assert isinstance(records[1], Record)
    assert len(records[0].findings) <= 101
    assert all(len(one.read) <= 81 for one in records[0].findings)


@pytest.mark.parametrize(
    "body",
    [
        "play\n" + "# c\n" * (MEBIBYTE // 4),
        "play\n" + "x" * (MEBIBYTE + 1) + "\n1. F: CJ",
        "play\n" + "x" * (MEBIBYTE + 1),
    ],
    ids=["record", "line", "last line"],
)
def test_a_record_over_the_limit_is_refused_and_the_next_one_read(body: str) -> None:
    records, _ = read_all(f"%skat 1\n{body}\n{GOOD}")
    assert [type(record) for record in records] == [BrokenRecord, Record]
    assert [one.code for one in records[0].findings] == ["E005"]
    assert len(records[0].origin.text) <= MEBIBYTE


@pytest.mark.parametrize(
    ("piece", "count"),
    [(GOOD, 30), ("%skat 1\n(\n", 20), ("junk\n", 1000)],
    ids=["good", "bad", "junk"],
)
def test_memory_does_not_grow_with_the_file(piece: str, count: int) -> None:
    def chunks(count: int) -> Iterator[bytes]:
        for _ in range(count):
            yield piece.encode() * 100

    def peak(count: int) -> int:
        tracemalloc.start()
        for _ in skat.read(Lines(chunks(count))):
            pass
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    # A record kept alive would be at least a kilobyte, a line some 50 bytes.
    assert peak(4 * count) < peak(count) + MEBIBYTE
