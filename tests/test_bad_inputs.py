"""Inputs that must never end in a traceback: each has one stated verdict.

Most run through the command line in-process, as a user would meet them; the numbers
B01 to B35 are those of the list of bad inputs this suite follows.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from skatspec import resources
from skatspec.cli import main
from skatspec.conformance.cases import Case, bytes_of, load_suite
from skatspec.diagnostics import message
from skatspec.formats import registry
from skatspec.formats.lines import CHUNK, MAX_LINE, MOST_ALIKE, Lines
from skatspec.judging import Judge
from skatspec.record import BrokenRecord, Record

GOOD = resources.text("records", "games", "hearts-with-2-won.skat")
SERVER = resources.text("records", "games", "sample.sgf").splitlines()[0] + "\n"
AUCTION = "  M 18, F yes, M 20, F yes, M pass, R pass"
RESULT = "  F won 30, points 73, tricks 6, with 2"


def short(value: object) -> str:
    """Return a test id for a long input."""
    return str(value)[:12]


@dataclass
class Answer:
    """What the command line said: exit code, verdicts in order, findings."""

    exit_code: int
    verdicts: list[str]
    codes: list[list[str]]
    file_codes: list[str]
    raw: dict[str, Any]

    @property
    def all_codes(self) -> set[str]:
        return {code for codes in [*self.codes, self.file_codes] for code in codes}

    def findings(self, code: str) -> list[dict[str, Any]]:
        rows = [*self.raw["reports"], *self.raw["files"]]
        return [one for row in rows for one in row["findings"] if one["code"] == code]


def run(*arguments: str | Path) -> tuple[int, str]:
    """Run the command line; a fault of our own or an exception fails the test."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code in (0, 1, 2), result.output
    assert "Traceback" not in result.output
    return result.exit_code, result.stdout


def check(data: bytes | str, folder: Path, name: str = "input.skat", *options: str) -> Answer:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    exit_code, output = run("check", path, "--format", "json", *options)
    raw = json.loads(output)
    return Answer(
        exit_code,
        [row["verdict"] for row in raw["reports"]],
        [[one["code"] for one in row["findings"]] for row in raw["reports"]],
        [one["code"] for row in raw["files"] for one in row["findings"]],
        raw,
    )


def changed(old: str, new: str, text: str = GOOD) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


# --- files without records, and bytes ---------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"\n  \n\n", b"# a remark\n\n# another\n", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", ["input.skat", "input.sgf", "input.json", "-"])
def test_b01_b02_a_file_without_records(data: bytes, name: str, tmp_path: Path) -> None:
    if name == "-":
        name = "no-suffix"
    if name == "input.json" and b"#" in data:
        pytest.skip("JSON has no comments")
    answer = check(data, tmp_path, name)
    assert (answer.exit_code, answer.verdicts) == (0, [])
    assert "E006" in answer.file_codes
    assert check(data, tmp_path, name, "--require-records").exit_code == 1


def test_b03_a_byte_order_mark_before_and_between_records(tmp_path: Path) -> None:
    answer = check("\ufeff" + GOOD + "\ufeff" + GOOD, tmp_path)
    assert answer.exit_code == 0
    assert answer.verdicts == ["consistent", "consistent"]
    assert answer.file_codes.count("E001") == 2


def test_b05_an_undeclared_windows_encoding_is_read_and_reported(tmp_path: Path) -> None:
    data = changed('"Ben"', '"Jürgen"').encode("cp1252")
    answer = check(data, tmp_path)
    assert (answer.exit_code, answer.verdicts) == (0, ["consistent"])
    assert answer.file_codes == ["E002"]
    (record,) = registry.open_records(tmp_path / "input.skat")
    assert isinstance(record, Record)
    assert record.tag("M") == "Jürgen"


@pytest.mark.parametrize("name", ["input.skat", "input.sgf"])
def test_b06_an_invalid_byte_in_a_name_costs_nothing_but_a_warning(
    name: str, tmp_path: Path
) -> None:
    text = changed('"Ben"', '"Jürgen @"') if name.endswith("skat") else changed(
        "P1[p1]", "P1[Jürgen @]", SERVER
    )  # fmt: skip
    data = text.encode().replace(b"@", b"\xff")
    answer = check(data, tmp_path, name)
    assert (answer.exit_code, answer.verdicts) == (0, ["consistent"])
    assert answer.file_codes == ["E003"]
    assert str(data.index(b"\xff")) in answer.findings("E003")[0]["message"]


LINE_ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r", "LS": "\u2028", "PS": "\u2029"}


@pytest.mark.parametrize("end", [*LINE_ENDS, "mixed"])
def test_b07_line_ends_change_neither_verdict_nor_line(end: str, tmp_path: Path) -> None:
    revoke = changed("CA CK C7", "CA S9 C7")
    expected = check(revoke, tmp_path).raw["reports"][0]
    if end == "mixed":
        ends = list(LINE_ENDS.values())
        lines = revoke.splitlines()
        text = "".join(line + ends[n % len(ends)] for n, line in enumerate(lines))
    else:
        text = revoke.replace("\n", LINE_ENDS[end])
    assert check(text, tmp_path).raw["reports"][0] == expected


PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 40


@pytest.mark.parametrize("data", [PNG, GOOD.encode() + b"\x00", b"\x00" * 1000])
@pytest.mark.parametrize("name", ["input.skat", "input.sgf", "input.json", "input"])
def test_b08_binary_data_is_refused_early(data: bytes, name: str, tmp_path: Path) -> None:
    answer = check(data, tmp_path, name)
    assert (answer.exit_code, answer.verdicts) == (1, [])
    assert answer.file_codes == ["E004"]


def test_b08_a_nul_byte_far_into_a_file_spoils_one_record_only(tmp_path: Path) -> None:
    many = GOOD * (2 * CHUNK // len(GOOD))
    answer = check(many.encode() + b"%skat 1\n\x00\x00\n" + GOOD.encode(), tmp_path)
    assert answer.exit_code == 1
    assert answer.verdicts[-2:] == ["unreadable", "consistent"]


# --- size -------------------------------------------------------------------------------


def peak_of(lines: Lines, format_name: str) -> tuple[int, list[Record | BrokenRecord]]:
    """Read everything; return the highest memory use in bytes, and the records."""
    tracemalloc.start()
    try:
        records = list(registry.reading(lines, format_name))
        return tracemalloc.get_traced_memory()[1], records
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("name", "good"), [("skat", GOOD), ("iss", SERVER)], ids=["skat", "iss"])
@pytest.mark.parametrize("filler", [b"x", b"(", b"%skat ", b"(;", b"[", b"\xff"])
def test_b10_a_line_without_an_end_is_refused_in_flat_memory(
    name: str, good: str, filler: bytes
) -> None:
    chunk = (filler * CHUNK)[:CHUNK]

    def chunks() -> Iterator[bytes]:
        for _ in range(1 << 10):  # 64 MiB; a GiB takes the same memory, and longer
            yield chunk
        yield b"\n" + good.encode()

    lines = Lines(chunks(), "endless")
    peak, records = peak_of(lines, name)
    assert peak < 24 << 20
    assert "E005" in {one.code for one in lines.findings}
    assert isinstance(records[-1], Record)


def test_b10_the_rest_of_a_refused_line_is_no_line_of_its_own() -> None:
    # a CR may be half of a line end, so it is held back to the next bytes, or to the end
    lines = Lines([b"x" * (MAX_LINE + 1), b"yyy\r"])
    assert list(lines) == [] and [one.code for one in lines.findings] == ["E005"]


def test_b06_a_file_full_of_invalid_bytes_is_reported_in_bounded_memory() -> None:
    lines = Lines([b"\xc3\xa4\xff\n" * (3 * MOST_ALIKE)])
    assert len(list(lines)) == 3 * MOST_ALIKE
    assert [one.code for one in lines.findings] == ["E003"] * (MOST_ALIKE + 1)
    assert f"+{2 * MOST_ALIKE}" in message(lines.findings[-1])


def test_b10_a_gibibyte_passes_through_the_reader_of_lines() -> None:
    chunk = b"x" * (1 << 20)
    lines = Lines((chunk for _ in range(1 << 10)), "gibibyte")
    assert list(lines) == []
    assert [one.code for one in lines.findings] == ["E005"]


JSON_GOOD = registry.write_record(registry.parse_text(GOOD), "json")[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "good"),
    [("skat", GOOD), ("iss", SERVER), ("json", JSON_GOOD)],
    ids=["skat", "iss", "json"],
)
def test_b11_millions_of_records_stream(name: str, good: str) -> None:
    given = 0

    def endless() -> Iterator[bytes]:
        nonlocal given
        while True:
            given += 1
            yield good.encode()

    reading = registry.reading(Lines(endless(), "endless"), name)
    judge = Judge()
    next(reading)
    assert given <= 3, "the first record was not handed out before the next ones were read"
    for record in islice(reading, 200):
        assert judge.check(record).verdict == "consistent"
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for record in islice(reading, 1000):
        assert judge.check(record).verdict == "consistent"
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 256 << 10
    assert given <= reading.count + 3


@pytest.mark.parametrize("opener", ["(", ")", "[", "]", "{", '"', "(;", ";)", "#", "%", "!"])
@pytest.mark.parametrize(
    ("name", "good"),
    [("input.skat", GOOD), ("input.sgf", SERVER), ("input.json", JSON_GOOD)],
    ids=["skat", "iss", "json"],
)
def test_b12_a_hundred_thousand_openers_need_no_recursion(
    opener: str, name: str, good: str, tmp_path: Path
) -> None:
    form = {"skat": "skat", "sgf": "iss", "json": "json"}[name.partition(".")[2]]
    answer = check(f"{opener * 100_000}\n{good}", tmp_path, name, "--input-format", form)
    if opener == "#" and name != "input.json":
        assert (answer.verdicts, answer.all_codes) == (["consistent"], set())
        return
    assert any(code[0] in "NE" for code in answer.all_codes)
    if not name.endswith("json"):  # an open bracket may take the rest of a JSON text with it
        assert answer.verdicts[-1] == "consistent"


@pytest.mark.parametrize("inside", ["(", "[", "w ", "0 y w "])
def test_b12_openers_inside_a_record(inside: str, tmp_path: Path) -> None:
    text = f"(;GM[Skat]MV[{inside * 100_000}]R[passed] ;)\n{SERVER}"
    answer = check(text, tmp_path, "input.sgf")
    assert answer.exit_code == 1
    assert answer.verdicts == ["unreadable", "consistent"]


# --- names ------------------------------------------------------------------------------

NASTY = [
    '] ; ( ) " \\', "\\", '"', "\\n", "a\nb", "a\tb", "<script>alert(1)</script>", "=1+1",
    "%skat 1", "# no comment", "; )", ";)", "(;", "\u202egnp", "é\u0301", "", " ", "\U0001f0a1",
    "??", "'",
]  # fmt: skip


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("form", ["skat", "json"])
def test_b14_any_name_survives_writing_and_reading(name: str, form: str) -> None:
    record = registry.parse_text(GOOD)
    assert isinstance(record, Record)
    named = replace(record, tags=(("F", name), ("M", "Ben"), ("R", name)))
    text, losses = registry.write_record(named, form)
    assert not losses
    (back,) = registry.reading(Lines([text.encode()]), form)
    assert back == named


@pytest.mark.parametrize("name", NASTY)
def test_b14_a_server_record_says_which_names_it_cannot_hold(name: str) -> None:
    record = registry.parse_text(SERVER)
    assert isinstance(record, Record)
    named = replace(record, tags=(("F", name), *record.tags[1:]))
    text, losses = registry.write_record(named, "iss")
    (back,) = registry.reading(Lines([text.encode()]), "iss")
    assert isinstance(back, Record)
    assert back.tag("F") == name or "X003" in {one.code for one in losses}
    assert back.steps == named.steps


KEYWORDS = [
    "passed", "penalty", "R[passed]", "unknown", "deal", "play", "result", "passed in", "skat", "0",
    "win", "loss", "w", "D", "GM[Chess]",
]  # fmt: skip


@pytest.mark.parametrize("name", KEYWORDS)
def test_b18_a_player_may_be_called_like_a_keyword(name: str, tmp_path: Path) -> None:
    answer = check(changed('"Ben"', f'"{name}"'), tmp_path)
    assert (answer.verdicts, answer.all_codes) == (["consistent"], set())
    # In a server record the first ] ends a value, so what stands behind it is cut off.
    text = changed("P1[p1]", f"P1[{name.rstrip(']')}]", SERVER)
    answer = check(text, tmp_path, "input.sgf")
    assert (answer.verdicts, answer.all_codes) == (["consistent"], set())


# --- deal -------------------------------------------------------------------------------


def test_b20_a_card_dealt_twice_is_reported_with_both_places(tmp_path: Path) -> None:
    (finding,) = check(changed("M: HA HK", "M: CJ HK"), tmp_path).findings("R001")
    lines = GOOD.splitlines()
    first = next(n for n, line in enumerate(lines, 1) if line.startswith("  F: CJ"))
    assert finding["line"] == first + 1
    assert f"line {first} column 6" in finding["message"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (" DQ D8\n", " DQ\n", "R002"),
        (" DQ D8\n", " DQ D8 S7\n", "R002"),
        ("skat: H7 S7", "skat: H7", "R003"),
        ("skat: H7 S7", "skat: H7 S7 D8", "R003"),
        ("skat: H7 S7", "skat: -", "R003"),
    ],
)
def test_b21_wrong_numbers_of_cards(old: str, new: str, code: str, tmp_path: Path) -> None:
    answer = check(changed(old, new), tmp_path)
    assert (answer.verdicts, answer.codes) == (["contradicted"], [[code]])


@pytest.mark.parametrize("count", [0, 1, 31, 33, 64])
def test_b21_wrong_numbers_of_cards_in_a_server_deal(count: int, tmp_path: Path) -> None:
    start = SERVER.index("MV[w ") + 5
    deal = SERVER[start : SERVER.index(" ", start)]
    cards = (deal.split(".") * 2)[:count]
    answer = check(SERVER.replace(deal, ".".join(cards) or "."), tmp_path, "input.sgf")
    assert answer.exit_code == 1
    assert answer.codes[0][0][0] in "RN"


def test_b23_hidden_cards_throughout_contradict_nothing(tmp_path: Path) -> None:
    hand = " ".join(["??"] * 10)
    lines = ["%skat 1", "deal", *(f"  {seat}: {hand}" for seat in "FMR"), "  skat: ?? ??"]
    tricks = ["play", "  1. F: ?? ?? ??"]
    text = "\n".join(
        [*lines, "auction", AUCTION, "contract", "  F takes the skat, discards ?? ??, hearts",
         *tricks, "result", "  F won 30, points 73"]
    )  # fmt: skip
    answer = check(text + "\n", tmp_path)
    assert (answer.exit_code, answer.verdicts) == (0, ["undetermined"])
    assert 30 in answer.raw["reports"][0]["admissible"]["score"]


@pytest.mark.parametrize("word", ["KD", "KrB", "PiD", "EiU", "DK", "KaA", "HerzBube"])
def test_b24_mixed_letters_are_asked_about_not_guessed(word: str, tmp_path: Path) -> None:
    text = changed("CQ C9 C7 ST", f"{word} C9 C7 ST")
    answer = check(text, tmp_path)
    if word == "DK":  # plain English for the king of diamonds, which middlehand has too
        assert answer.codes == [["R001"]]
        return
    assert answer.verdicts == ["unreadable"]
    (finding,) = answer.findings("N005")
    assert (finding["line"], finding["column"]) == (10, 15)


# --- bidding and declaration ------------------------------------------------------------

BAD_BIDS = ["19", "17", "265", "0", "-18", "18.5", "9" * 5000, "1e9", "18a", "+18", "0x12", "018.0"]


@pytest.mark.parametrize("bid", BAD_BIDS, ids=short)
def test_b25_no_number_but_a_value_is_a_bid(bid: str, tmp_path: Path) -> None:
    answer = check(changed("M 20, F yes", f"M {bid}, F yes"), tmp_path)
    assert (answer.verdicts, answer.codes) == (["contradicted"], [["B001"]])
    assert answer.findings("B001")[0]["step"] == 3


@pytest.mark.parametrize("bid", ["19", "17", "265", "0", "9" * 5000], ids=short)
def test_b25_the_same_in_a_server_record(bid: str, tmp_path: Path) -> None:
    answer = check(changed(" 1 20 0 y ", f" 1 {bid} 0 y ", SERVER), tmp_path, "input.sgf")
    assert (answer.verdicts, answer.codes) == (["contradicted"], [["B001"]])


@pytest.mark.parametrize("bid", ["19", "0", "-18", "18.5", "1e400", "9" * 5000, "null"], ids=short)
def test_b25_the_same_in_json(bid: str, tmp_path: Path) -> None:
    answer = check(changed('"value":20', f'"value":{bid}', JSON_GOOD), tmp_path, "input.json")
    assert (answer.verdicts, answer.codes) == (["contradicted"], [["B001"]])


def test_b27_the_declarer_must_have_won_the_auction(tmp_path: Path) -> None:
    answer = check(changed("  F takes the skat", "  M takes the skat"), tmp_path)
    assert (answer.verdicts, answer.codes) == (["contradicted"], [["B008"]])


@pytest.mark.parametrize(
    ("game", "code"),
    [
        ("null schneider", "D007"),
        ("null schwarz", "D007"),
        ("hearts schneider", "D008"),
        ("hearts hand", "D008"),
        ("hearts ouvert", "D008"),
        ("grand schwarz", "D008"),
    ],
)
def test_b28_announcements_that_cannot_be(game: str, code: str, tmp_path: Path) -> None:
    answer = check(changed("DQ, hearts", f"DQ, {game}"), tmp_path)
    assert (answer.verdicts, answer.codes) == (["contradicted"], [[code]])


def test_b28_ouvert_alone_stands_for_all_it_includes(tmp_path: Path) -> None:
    text = resources.text("records", "games", "clubs-ouvert-made.skat")
    assert " ouvert shows" in text
    assert " hand schneider schwarz ouvert" not in text
    short = check(text, tmp_path)
    full = check(changed(" ouvert shows", " hand schneider schwarz ouvert shows", text), tmp_path)
    assert short.verdicts == full.verdicts == ["consistent"]
    assert short.raw["reports"][0]["value"] == full.raw["reports"][0]["value"] == 144


# --- play -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("2. F: SJ HA", "2. F: CJ HA", "P002"),
        ("1. F: CJ HK DJ", "1. F: CJ HT DJ", "P001"),
        ("2. F: SJ HA HJ", "2. M: HA HJ SJ", "P003"),
    ],
)
def test_b30_the_first_fault_alone_is_reported(
    old: str, new: str, code: str, tmp_path: Path
) -> None:
    # The result is wrong as well, and so is a later trick; neither is looked at.
    text = changed(old, new).replace("F won 30, points 73", "F won 40, points 80")
    answer = check(text.replace("10. F: H9 DT HT", "10. F: CJ CJ CJ"), tmp_path)
    assert (answer.verdicts, answer.codes) == (["contradicted"], [[code]])


def test_b31_a_revoke_is_an_error_where_it_stands_and_gone_where_it_was_corrected(
    tmp_path: Path,
) -> None:
    assert check(changed("CA CK C7", "CA S9 C7"), tmp_path).codes == [["P004"]]
    assert check(changed("CA CK C7", "CA CK C7"), tmp_path).codes == [[]]


NULL = resources.text("records", "games", "null-played-on-after-the-loss.skat")


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [("isko", "consistent"), ("ledger", "contradicted"), ("iss", "contradicted")],
)
def test_b33_play_after_a_lost_null_weighs_what_the_rules_say(
    rules: str, verdict: str, tmp_path: Path
) -> None:
    answer = check(NULL, tmp_path, "input.skat", "--rules", rules)
    assert (answer.verdicts, answer.codes) == ([verdict], [["P006"]])


def test_b33_nothing_follows_a_resignation(tmp_path: Path) -> None:
    answer = check(changed("  5. R: S8", "  ! F resigns\n  ! M agrees\n  5. R: S8"), tmp_path)
    assert (answer.verdicts, answer.codes) == (["contradicted"], [["P005"]])


def test_b33_a_concession_that_nobody_accepts_ends_nothing(tmp_path: Path) -> None:
    answer = check(changed("  5. R: S8", "  ! F resigns\n  5. R: S8"), tmp_path)
    assert (answer.verdicts, answer.codes) == (["consistent"], [[]])


# --- result -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "points", ["121", "-5", "NaN", "1e9", "1000000000", "9" * 5000, "7.5"], ids=short
)
def test_b34_impossible_card_points(points: str, tmp_path: Path) -> None:
    answer = check(changed("points 73", f"points {points}"), tmp_path)
    assert (answer.verdicts, answer.codes) == (["contradicted"], [["S016"]])


@pytest.mark.parametrize("points", ["121", "-5", "NaN", "1e9", "1000000000", "9" * 5000], ids=short)
def test_b34_the_same_in_a_server_record(points: str, tmp_path: Path) -> None:
    answer = check(changed(" p:78 ", f" p:{points} ", SERVER), tmp_path, "input.sgf")
    assert (answer.verdicts, answer.codes) == (["contradicted"], [["S016"]])


@pytest.mark.parametrize("points", ["121", "-5", "NaN", "1e9", "Infinity", "9" * 5000], ids=short)
def test_b34_the_same_in_json(points: str, tmp_path: Path) -> None:
    answer = check(changed('"points":73', f'"points":{points}', JSON_GOOD), tmp_path, "input.json")
    assert answer.verdicts in (["contradicted"], ["unreadable"])
    assert answer.codes[0][0] in ("S016", "N013")


def test_b34_two_results(tmp_path: Path) -> None:
    answer = check(changed(RESULT, f"{RESULT}\nresult\n  passed in"), tmp_path)
    assert (answer.verdicts, answer.codes) == (["contradicted"], [["S017"]])


LOST = resources.text("records", "games", "clubs-sixty-all.skat")


@pytest.mark.parametrize(
    ("stated", "codes"),
    [("lost 48", []), ("lost +48", ["S002"]), ("lost 24", ["S001"]), ("lost 96", ["S001"])],
)
def test_b35_a_loss_is_negative_and_doubled(stated: str, codes: list[str], tmp_path: Path) -> None:
    answer = check(changed("F lost 48", f"F {stated}", LOST), tmp_path)
    assert answer.codes == [codes]


# --- what readers of other games' records got wrong ---------------------------------------


def test_blank_lines_inside_a_record_and_between_its_tags_do_not_split_it(tmp_path: Path) -> None:
    answer = check(GOOD.replace("\n", "\n\n\n"), tmp_path)
    assert (answer.exit_code, answer.verdicts, answer.all_codes) == (0, ["consistent"], set())


def test_records_need_no_blank_line_between_them(tmp_path: Path) -> None:
    assert check(GOOD.rstrip("\n") + "\n" + GOOD, tmp_path).verdicts == ["consistent"] * 2


def test_a_record_of_tags_alone_is_not_passed_over_in_silence(tmp_path: Path) -> None:
    head = GOOD[: GOOD.index("deal\n")]
    answer = check(f"{head}\n\n{GOOD}", tmp_path)
    assert (answer.verdicts, answer.codes) == (["consistent"] * 2, [["N014"], []])


def test_unmatched_closers_after_an_illegal_card(tmp_path: Path) -> None:
    text = changed("CA CK C7", "CA S9 C7")
    answer = check(f"{text})))\n]]]\n\n{GOOD}", tmp_path)
    assert answer.verdicts[-1] == "consistent"
    assert answer.exit_code == 1


@pytest.mark.parametrize("remark", ["a ] here", "%skat 1", "; ) ( ;", '"quoted"', "# # #", "\\"])
def test_a_remark_may_hold_what_marks_records_elsewhere(remark: str, tmp_path: Path) -> None:
    answer = check(changed("CJ HK DJ", f"CJ HK DJ  # {remark}"), tmp_path)
    assert (answer.verdicts, answer.all_codes) == (["consistent"], set())


def test_ten_thousand_remarks_survive_formatting() -> None:
    text = changed("play\n", "play\n" + "  # a remark\n" * 10_000)
    record = registry.parse_text(text)
    assert isinstance(record, Record)
    written, losses = registry.write_record(record, "skat")
    assert not losses
    assert registry.parse_text(written) == record


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_encodings_with_a_byte_order_mark_are_read(encoding: str, tmp_path: Path) -> None:
    mark = "\ufeff" if encoding.endswith("e") else ""
    text = changed('"Ben"', '"Jürgen"')
    answer = check((mark + text).encode(encoding), tmp_path)
    assert (answer.exit_code, answer.verdicts) == (0, ["consistent"])


@pytest.mark.parametrize("dealer", ["F", "M", "R", "D"])
def test_every_seat_may_deal_and_the_one_that_sits_out_needs_no_cards(
    dealer: str, tmp_path: Path
) -> None:
    text = changed('[Dealer "R"]', f'[Dealer "{dealer}"]').replace(
        "  skat: H7 S7", "  D:\n  skat: H7 S7"
    )
    answer = check(text, tmp_path)
    assert (answer.verdicts, answer.all_codes) == (["consistent"], set())


# --- one bad record among good ones -----------------------------------------------------


SUFFIXES = {"skat": ".skat", "iss": ".sgf", "json": ".json"}


def single_faults() -> list[Any]:
    return [
        pytest.param(case, id=case.id)
        for case in load_suite().cases
        if case.path.is_relative_to(resources.locate("records", "invalid"))
        and case.input["format"] in SUFFIXES
        and case.expect["verdict"] not in ("refused", "none")
        and not case.id.startswith("E")
    ]


@pytest.mark.parametrize("case", single_faults())
def test_a_bad_record_leaves_its_neighbours_alone(case: Case, tmp_path: Path) -> None:
    suffix = SUFFIXES[case.input["format"]]
    good = {".skat": GOOD, ".sgf": SERVER, ".json": JSON_GOOD}[suffix].encode()
    data = bytes_of(case.payload()).rstrip(b"\n") + b"\n"
    answer = check(good + data + good, tmp_path, f"input{suffix}")
    assert answer.verdicts[0] == "consistent"
    if not (suffix == ".json" and case.id.startswith("N002")):
        # JSON has no mark at which a record surely begins
        assert answer.verdicts[-1] == "consistent"


# --- names of rules ---------------------------------------------------------------------


@pytest.mark.parametrize("way", ["isko {}", "isko x/../../{}", "isko -x/{}", "xskat -ramsch {}"])
def test_a_record_never_makes_us_open_a_file_for_its_rules(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tag names packaged rules, perhaps with switches; whatever else it says is no path."""
    evil = tmp_path / "evil.yaml"
    evil.write_text("name: evil\nextends: isko\nwinning:\n  points: 1\n")
    monkeypatch.chdir(tmp_path)
    for place in (str(evil), "/../../../../../.." + str(evil), "evil.yaml", "/dev/zero"):
        (tmp_path / "xskat -ramsch").write_text(evil.read_text())
        tag = way.format(place)
        text = GOOD.replace('[Rules "isko"]', f'[Rules "{tag}"]')
        answer = check(text.encode(), tmp_path)
        assert (answer.verdicts, answer.codes) == (["unreadable"], [["R005"]]), tag


# --- profiles ---------------------------------------------------------------------------

BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n"
BAD_PROFILES = {
    "empty": (b"", "F002"),
    "a list": (b"- isko\n", "F002"),
    "a word": (b"isko\n", "F002"),
    "not YAML": (b"name: [\n", "F001"),
    "binary": (PNG, "F001"),
    "an alias bomb": (BOMB.encode(), "F001"),
    "deep nesting": (b"name: " + b"[" * 100_000, "F001"),
    "too large": (b"# " + b"x" * (300 << 10) + b"\n", "F001"),
    "a Python object": (b"name: !!python/object/apply:os.system [ls]\n", "F00"),
    "no date": (b"name: 2026-99-99\n", "F001"),
    "a key twice": (b"name: a\nname: b\n", "F007"),
    "no parent": (b"name: a\nextends: nobody\n", "F005"),
    "a missing file": (b"name: a\nextends: ./nobody.yaml\n", "F005"),
    "itself": (b"name: a\nextends: profile.yaml\n", "F004"),
    "a typo": (b"name: a\nextends: isko\nlevel: {hand: 2}\n", "F003"),
    "a wrong kind": (b"name: a\nextends: isko\nlevels: {hand: two}\n", "F002"),
    "a huge number": (b"name: a\nextends: isko\nlevels: {hand: " + b"9" * 5000 + b"}\n", "F00"),
    "a key that is a list": (b"name: a\n[1, 2]: b\n", "F001"),
}


@pytest.mark.parametrize("what", BAD_PROFILES)
def test_a_bad_profile_is_refused_with_its_code(what: str, tmp_path: Path) -> None:
    data, code = BAD_PROFILES[what]
    path = tmp_path / "profile.yaml"
    path.write_bytes(data)
    result = CliRunner().invoke(main, ["rules", "check", str(path)])
    assert result.exit_code == 1, result.output
    assert code in result.output
    game = tmp_path / "game.skat"
    game.write_text(GOOD)
    result = CliRunner().invoke(main, ["check", str(game), "--rules", str(path)])
    assert result.exit_code == 2, result.output
    assert code in result.output
