"""What a checked archive answers: `skatspec archive report`, `query` and `show`."""

from __future__ import annotations

import base64
import csv
import gzip
import hashlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

from skatspec.archive import disputes, rows
from skatspec.archive.asking import connected, open_results
from skatspec.archive.reporting import Overview
from skatspec.errors import UsageError
from tests.checked_archive import (
    MADE_FILE,
    file_entry,
    made_archive,
    made_rows,
    real_archive,
    real_rows,
    sample,
    write_part,
    write_run,
)
from tests.clirun import Skatspec, skatspec

__all__ = ["skatspec"]

GAMES = 4000
# The suite's games with one score falsified: -120 of the second game becomes -132.
WRONG = sample().replace(b"v:-120", b"v:-132")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_archive(tmp_path_factory.mktemp("made") / "found", GAMES)


@pytest.fixture(scope="module")
def contradicted() -> list[dict[str, Any]]:
    return [row for row in made_rows(GAMES) if row["verdict"] == "contradicted"]


def far(row: dict[str, Any]) -> int | None:
    """Return how far a recorded score is from the right one."""
    if row["recorded"] is None or row["score"] is None:
        return None
    return abs(row["recorded"] - row["score"])


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def worst_first(some: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(some, key=lambda row: (far(row) is None, -(far(row) or 0), row["offset"]))


# --- report: the counts -----------------------------------------------------------------


def test_the_counts_are_those_of_the_rows(made: Path, skatspec: Skatspec) -> None:
    ran = skatspec("archive", "report", made, "--format", "json")
    said, some = json.loads(ran.out), list(made_rows(GAMES))
    assert ran.code == 0 and said["games"] == GAMES and said["finished"]
    assert {k: v for k, v in said["verdicts"].items() if v} == Counter(r["verdict"] for r in some)
    codes = Counter(row["code"] for row in some if row["code"])
    assert {one["code"]: one["games"] for one in said["codes"]} == codes
    years = Counter((row["date"].year if row["date"] else None, row["verdict"]) for row in some)
    counted = {(y["year"], v): y[v] for y in said["years"] for v in said["verdicts"] if y[v]}
    assert counted == years and said["years"][-1]["year"] is None
    contracts = {one["contract"]: (one["games"], one["contradicted"]) for one in said["contracts"]}
    assert contracts == {
        name: (
            sum(row["contract"] == name for row in some),
            sum(row["contract"] == name and row["verdict"] == "contradicted" for row in some),
        )
        for name in {row["contract"] for row in some}
    }
    bad = said["verdicts"]["contradicted"]
    assert said["contradicted_share"] == pytest.approx(bad / GAMES)


def test_a_code_comes_with_its_name_and_weight_and_its_worst_games(
    made: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    said = json.loads(skatspec("archive", "report", made, "--format", "json", "--examples", 3).out)
    by_code = {one["code"]: one for one in said["codes"]}
    assert (by_code["P004"]["name"], by_code["P004"]["weight"]) == ("revoke", "error")
    assert by_code["Z999"]["name"] == "", "a code of a newer version is shown as it is"
    for code, one in by_code.items():
        wanted = worst_first([row for row in made_rows(GAMES) if row["code"] == code])[:3]
        assert [each["offset"] for each in one["examples"]] == [row["offset"] for row in wanted]
        assert [each["expected"] for each in one["examples"]] == [row["score"] for row in wanted]


def test_the_first_screen_says_how_many_what_kind_whether_better_and_where_to_look(
    made: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    ran = skatspec("archive", "report", made)
    screen = " ".join("\n".join(ran.lines[:24]).split())
    assert ran.lines[0].startswith(
        "4,000 games, by iss: 3,733 consistent, 216 contradicted (5.40 %)"
    )
    for word in ("most often: B001", "getting better", "look first at: skatspec archive show",
                 f"{made / 'disputes.csv'} 216 games"):  # fmt: skip
        assert word in screen
    assert "S001 wrong-score" in screen and "undetermined" in screen
    long = [line for line in ran.lines if len(line) > 80 and "archive show" not in line]
    assert not [line for line in long if not line.startswith("  /")], long


def test_no_text_of_a_record_can_steer_the_terminal(
    made: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    reported = skatspec("archive", "report", made, "--examples", 200).out
    asked = skatspec("archive", "query", made, "SELECT id FROM games WHERE code = 'B001'").out
    for out in (reported, asked):
        assert "\x1b" not in out and "\u202e" not in out and "\r" not in out
        assert "\\x1b[31mred" in out


@pytest.mark.parametrize(
    ("shares", "word"),
    [((50, 50, 5, 5), "falling"), ((5, 5, 50, 50), "rising"), ((10, 11, 12, 9), "level")],
)
def test_a_trend_is_named_where_chance_alone_would_not_make_it(
    shares: tuple[int, ...], word: str
) -> None:
    years = [
        (2010 + at, Counter(consistent=1000 - bad, contradicted=bad))
        for at, bad in enumerate(shares)
    ]
    trend = Overview(years=tuple(years)).trend
    assert trend is not None and trend.word == word
    assert (trend.earlier, trend.later) == ((2010, 2011), (2012, 2013))
    assert Overview(years=tuple(years[:1])).trend is None


def test_a_date_mistyped_spoils_neither_the_trend_nor_the_years_named(
    tmp_path: Path, skatspec: Skatspec
) -> None:
    some = list(made_rows(GAMES))
    bad = [row for row in some if row["verdict"] == "contradicted" and row["code"] == "S001"]
    bad[0]["date"] = bad[0]["date"].replace(year=2102)
    write_part(tmp_path, "0.parquet", some)
    write_run(tmp_path, [])
    ran = skatspec("archive", "report", tmp_path)
    head = " ".join(ran.out.partition("look first")[0].split())
    assert "in 2012-2016: getting better; 2016 alone: 1.28 %" in head
    assert head.endswith("(left out, with few games: 2102)")
    (row,) = [line.split() for line in ran.lines if line.startswith("2102")]
    assert row[1:3] == ["1", "1"] and "#" not in row[-1], "the table by year has it"
    (code,) = [line for line in ran.lines if line.startswith("S001 wrong-score  ")]
    assert "2102" not in code
    bars = [line.count("#") for line in ran.lines if re.match("20[01]", line)]
    assert max(bars) == 12, "the longest bar is of a year that counts"


@pytest.mark.parametrize(("games", "counts"), [(19, False), (20, True)])
def test_a_year_counts_from_so_many_games_on(games: int, counts: bool) -> None:
    years = [(2010, Counter(consistent=18_000)), (2011, Counter(consistent=games))]
    assert (len(Overview(years=tuple(years)).telling) == 2) == counts
    larger = [(2010, Counter(consistent=30_000)), (2011, Counter(consistent=games))]
    assert len(Overview(years=tuple(larger)).telling) == 1, "and so large a share of all"


def test_a_score_that_cannot_be_stated_is_not_shown_as_nothing(
    tmp_path: Path, skatspec: Skatspec
) -> None:
    some = [row for row in made_rows(400) if row["verdict"] == "contradicted"][:3]
    for row, (recorded, score) in zip(some, [(-288, None), (None, 48), (0, -40)], strict=True):
        row.update(recorded=recorded, score=score, code="P004")
    write_part(tmp_path, "0.parquet", some)
    write_run(tmp_path, [])
    out = one_line(skatspec("archive", "report", tmp_path).out)
    for said in ("entered -288, no score can be stated", "entered no score, expected +48",
                 "entered 0, expected -40"):  # fmt: skip
        assert said in out
    text = (tmp_path / "disputes.html").read_text(encoding="utf-8")
    cells = [[cell.strip() for cell in row[8:11]] for row in Page(text).rows if row]
    assert cells == [["-40", "0", "+40"], ["–", "-288", "–"], ["+48", "–", "–"]]
    assert 'title="no score can be stated"' in text and text.count('title="nothing to comp') == 2


def test_the_worst_of_ten_codes_are_shown_and_of_all_where_asked(
    tmp_path: Path, skatspec: Skatspec
) -> None:
    some = [row for row in made_rows(600) if row["verdict"] == "contradicted"][:24]
    for at, row in enumerate(some):
        row["code"] = f"Z{at // 2:03}"
    write_part(tmp_path, "0.parquet", some)
    write_run(tmp_path, [])

    def shown(*more: str) -> tuple[int, str]:
        ran = skatspec("archive", "report", tmp_path, *more)
        return ran.out.count(": all 2 of 2\n"), ran.lines[-1]

    assert shown() == (10, "and 2 more codes: --codes all")
    assert shown("--codes", "11") == (11, "and 1 more code: --codes all")
    assert shown("--codes", "all")[0] == 12 and "more code" not in shown("--codes", "all")[1]
    assert shown("--codes", "0")[0] == 0 and skatspec("archive", "report", tmp_path).code == 0
    said = json.loads(skatspec("archive", "report", tmp_path, "--format", "json").out)
    assert [len(one["examples"]) for one in said["codes"]] == [2] * 12
    for wrong in ("x", "-1", "1" * 5000):
        ran = skatspec("archive", "report", tmp_path, "--codes", wrong)
        assert ran.code == 2 and "neither a number nor all" in one_line(ran.err)
    page = (tmp_path / "disputes.html").read_text(encoding="utf-8")
    seen, _, folded = page.partition("<details>")
    assert seen.count("<tr><td>Z") == 10 and folded.count("<tr><td>Z") == 2


def test_where_nothing_is_wrong_nothing_is_named_to_look_at_first(
    tmp_path: Path, skatspec: Skatspec
) -> None:
    found, games = real_archive(tmp_path)
    assert "look first" not in skatspec("archive", "report", found).out
    some = list(real_rows(sample(), str(games)))
    some[0].update(code="Z001", verdict="consistent")
    write_part(found, "0.parquet", some)
    ran = skatspec("archive", "report", found)
    assert "look first" not in ran.out and "Z001: all 1 of 1" in ran.out
    some[3].update(code="Z002", verdict="unreadable")
    write_part(found, "0.parquet", some)
    ran = skatspec("archive", "report", found)
    assert f"look first at: skatspec archive show {found} --offset {some[3]['offset']}" in ran.out


def test_an_unfinished_run_is_said_to_be_one(tmp_path: Path, skatspec: Skatspec) -> None:
    found, games = real_archive(tmp_path)
    size = games.stat().st_size
    write_run(found, [file_entry(games)], finished=False, unit=size // 4 + 1)
    said = "the run is not finished: 1 of 4 units are done\n"
    assert said in skatspec("archive", "report", found).out
    asked = skatspec("archive", "query", found, "SELECT 1", "--format", "json")
    assert json.loads(asked.out) and "1 of 4 units" in asked.err
    write_run(found, [{**file_entry(games), "units": 3}], finished=False)
    assert "1 of 3 units are done" in skatspec("archive", "report", found).out
    write_run(found, [{**file_entry(games), "length": None}], finished=False)
    assert "the run is not finished\n" in skatspec("archive", "report", found).out
    assert "not finished" in (found / "disputes.html").read_text(encoding="utf-8")
    said = json.loads(skatspec("archive", "report", found, "--format", "json").out)
    assert said["finished"] is False


@pytest.mark.parametrize(("there", "gone"), [((0, 1, 2), 0), ((1,), 2), ((), 3), ((0, 1, 7), 1)])
def test_parts_that_are_gone_are_missed_in_every_answer(
    there: tuple[int, ...], gone: int, tmp_path: Path, skatspec: Skatspec
) -> None:
    found, games = real_archive(tmp_path)
    some = list(real_rows(sample(), str(games)))
    (found / "parts" / "0.parquet").unlink()
    for number in there:
        write_part(found, f"00000-{number:06}.parquet", some[number : number + 1])
    write_run(found, [{**file_entry(games), "units": 3}])
    said = f"{gone} of 3 parts are gone; the same `skatspec archive check` makes them again"
    reported = skatspec("archive", "report", found)
    assert (said in reported.out) == (gone > 0) == (" are gone" in reported.out)
    page = (found / "disputes.html").read_text(encoding="utf-8")
    assert (f"These are not all games: {said}" in page) == (gone > 0) == (" are gone" in page)
    for words in (["report", "--format", "json"], ["query", "SELECT 1"], ["show", "--offset", "5"]):
        assert (said in skatspec("archive", words[0], found, *words[1:]).err) == (gone > 0), words
    document = json.loads(skatspec("archive", "report", found, "--format", "json").out)
    assert document["finished"] == (gone == 0) and document["incomplete"] == (
        said if gone else None
    )


def test_what_is_wrong_with_the_files_is_told_and_why_a_whole_run_is_not_finished(
    tmp_path: Path, skatspec: Skatspec
) -> None:
    found, games = real_archive(tmp_path)
    some = list(real_rows(sample(), str(games)))
    broken = [f"cut{number}.gz: E008 cannot be read: \x1b it ends" for number in range(12)]
    write_part(found, "0.parquet", some, {"N003": 2}, broken[:1])
    write_part(found, "1.parquet", [], {"N003": 1, "N005": 1}, broken)
    write_part(found, "2.parquet", [])
    write_run(found, [{**file_entry(games), "units": 3}], finished=False)
    ran = skatspec("archive", "report", found)
    assert "the run is not finished: 3 of 3 units are done, 2 of them not to the end" in ran.out
    at = next(n for n, line in enumerate(ran.lines) if line.startswith("about the files"))
    block = ran.lines[at + 1 :][:13]
    assert block[0].startswith("N003 ") and block[0].endswith(" 3") and block[1].endswith(" 1")
    assert [line.split(":")[0].strip() for line in block[2:12]] == [f"cut{n}.gz" for n in range(10)]
    assert "and 2 more" in block[12] and "\x1b" not in ran.out
    page = (found / "disputes.html").read_text(encoding="utf-8")
    assert "cut9.gz" in page and "cut10.gz" not in page and "the first 10 of 12" in page
    said = json.loads(skatspec("archive", "report", found, "--format", "json").out)
    assert said["about_files"] == {"codes": {"N003": 3, "N005": 1}, "broken": broken}
    assert "2 of them not to the end" in skatspec("archive", "query", found, "SELECT 1").err


def test_a_run_without_any_part_yet_is_an_empty_answer(tmp_path: Path, skatspec: Skatspec) -> None:
    write_run(tmp_path / "found", [], finished=False)
    ran = skatspec("archive", "report", tmp_path / "found")
    assert ran.code == 0 and ran.lines[0] == "0 games, by iss"
    assert len((tmp_path / "found" / "disputes.csv").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("run", "part", "said"),
    [
        (None, b"", "no run.json in it"),
        ('{"format": 2}', b"", "results of format 2"),
        ('{"format": ', b"", "run.json cannot be understood"),
        ("[]", b"", "run.json cannot be understood"),
        ("[" * 200_000, b"", "run.json cannot be understood"),
        ('{"format": 1, "finished": true}', b"PAR1 cut off", "No magic bytes found"),
    ],
)
def test_results_that_cannot_be_read_are_refused(
    run: str | None, part: bytes, said: str, tmp_path: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    (tmp_path / "parts").mkdir()
    if run is not None:
        (tmp_path / "run.json").write_text(run)
    if part:
        (tmp_path / "parts" / "0.parquet").write_bytes(part)
    for words in (["report"], ["query", "SELECT 1 FROM games"], ["show", "--offset", "0"]):
        ran = skatspec("archive", words[0], tmp_path, *words[1:])
        assert ran.code == 2 and said in ran.err, words


# --- report: the disputes ---------------------------------------------------------------


def test_the_csv_holds_every_contradicted_game_in_the_order_of_the_archive(
    made: Path, contradicted: list[dict[str, Any]], tmp_path: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    path = tmp_path / "all.csv"
    assert str(path) in skatspec("archive", "report", made, "--csv", path).out
    with path.open(encoding="utf-8", newline="") as stream:
        read = list(csv.DictReader(stream))
    assert [row["offset"] for row in read] == [str(row["offset"]) for row in contradicted]
    for row, wanted in zip(read, contradicted, strict=True):
        for name, key in (("id", "id"), ("forehand", "player_f"), ("rearhand", "player_r")):
            text = wanted[key] or ""
            assert row[name] == ("'" + text if text[:1] in tuple("=+-@\t\r") else text)
        assert row["expected"] == ("" if wanted["score"] is None else str(wanted["score"]))
        distance = far(wanted)
        assert row["difference"] == ("" if distance is None else str(-distance))
    shown = read[0]
    assert (shown["code"], shown["name"], shown["rule"]) == ("P004", "revoke", "ISkO 2022 4.2")
    assert shown["says"].startswith("A player who holds a card of the suit led must play one")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@A1", "\tx", "\rx"])
def test_a_text_that_a_spreadsheet_would_compute_is_made_a_text(text: str) -> None:
    (read,) = csv.reader(io.StringIO(disputes.csv_line([text, 1]), newline=""))
    assert read == ["'" + text, "1"]


def test_a_negative_number_stays_a_number() -> None:
    assert disputes.csv_line((-90, 0, None, "a=1", -0.5)) == "-90,0,,a=1,-0.5\n"


class Page(HTMLParser):
    """The cells of the table of disputes, and everything that a page must not hold."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.links: list[str] = []
        self.rows: list[list[str]] = []
        self.policy = ""
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count a tag, and begin a row or cell."""
        given = dict(attrs)
        self.tags[tag] += 1
        self.links += [f"{tag} {name}" for name in given if name in ("src", "href", "action")]
        self.policy += given.get("content") or "" if given.get("http-equiv") else ""
        self._inside |= given.get("id") == "disputes"
        if self._inside and tag == "tr":
            self.rows.append([])
        elif self._inside and tag == "td":
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        """Leave the table."""
        self._inside &= tag != "table"

    def handle_data(self, data: str) -> None:
        """Add to the cell."""
        if self._inside and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def test_the_page_shows_the_weightiest_disputes_first_and_says_how_many(
    made: Path, contradicted: list[dict[str, Any]], tmp_path: Path,
    skatspec: Skatspec, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(disputes, "MOST_SHOWN", 50)
    path = tmp_path / "page.html"
    ran = skatspec("archive", "report", made, "--html", path)
    assert "50 games with the largest difference, of 216" in ran.out
    text = path.read_text(encoding="utf-8")
    assert "<strong>50 of 216</strong> are shown" in text
    shown = [row for row in Page(text).rows if row]
    wanted = worst_first(contradicted)[:50]
    assert [int(re.findall(r"byte (\d+)", row[0])[0]) for row in shown] == [
        row["offset"] for row in wanted
    ]
    assert [row[10].strip() for row in shown] == [f"{-(far(row) or 0):+d}" for row in wanted]


def test_the_page_needs_nothing_from_elsewhere_and_runs_no_name(
    made: Path, tmp_path: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    path = tmp_path / "page.html"
    skatspec("archive", "report", made, "--html", path)
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert page.links == [] and page.tags["script"] == 1 and "url(" not in text
    cells = "\n".join(cell for row in page.rows for cell in row)
    for name in ("<script>alert(1)</script>", "{{ 7 * 7 }}", "&amp;", "Zoë ♣ 漢字", MADE_FILE):
        assert name in cells
    assert "\\x1b[31mred" in cells and "\x1b" not in text and "\u202e" not in text
    script = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script[-1].encode()).digest()).decode()
    assert len(script) == 1 and f"script-src 'sha256-{digest}'" in page.policy
    assert "default-src 'none'" in page.policy


def test_the_page_is_the_same_for_the_same_results(
    made: Path, tmp_path: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    pages = []
    for _ in range(2):
        skatspec("archive", "report", made, "--html", tmp_path / "page.html")
        pages.append((tmp_path / "page.html").read_bytes())
    assert pages[0] == pages[1]


def test_a_report_destroys_nothing_that_it_reads(tmp_path: Path, skatspec: Skatspec) -> None:
    found, games = real_archive(tmp_path)
    part = found / "parts" / "0.parquet"
    for path in (games, part, found / "run.json"):
        before = path.read_bytes()
        ran = skatspec("archive", "report", found, "--csv", path)
        assert ran.code == 2 and "cannot be written" in ran.err and path.read_bytes() == before
    assert (
        "two outputs go to"
        in skatspec(
            "archive", "report", found, "--csv", tmp_path / "x", "--html", tmp_path / "x"
        ).err
    )
    missing = skatspec("archive", "report", found, "--html", tmp_path / "none" / "x.html")
    assert missing.code == 2 and "No such file or directory" in missing.err


def test_a_table_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "disputes.csv"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), disputes.replacing(path) as stream:
        stream.write("half")
        raise KeyboardInterrupt
    assert path.read_text() == "old" and names(tmp_path) == ["disputes.csv"]


# --- query ------------------------------------------------------------------------------


def test_without_sql_every_column_is_listed_with_what_it_holds(
    made: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    listed = json.loads(skatspec("archive", "query", made, "--format", "json").out)
    assert [(one["name"], one["holds"]) for one in listed] == [
        (name, words) for name, _, words in rows.COLUMNS
    ]
    text = skatspec("archive", "query", made)
    assert text.code == 0 and max(len(line) for line in text.lines) <= 80
    assert all(any(line.startswith(f"{n} ") for line in text.lines) for n, _, _ in rows.COLUMNS)
    assert 'write "offset", in quotes' in one_line(text.out)


@pytest.mark.parametrize(
    ("sql", "hinted"),
    [
        ("SELECT offset FROM games", True), ("SELECT id FROM games ORDER BY\nOFFSET", True),
        ("SELECT id, games.offset FROM games", False), ('SELECT "offset" FROM games', False),
        ("SELEC 'offset'", False), ("SELEC 1 LIMIT 1 OFFSET 5", False), ("SELECT noffset", False),
    ],
)  # fmt: skip
def test_offset_without_quotes_is_explained(
    sql: str, hinted: bool, made: Path, skatspec: Skatspec
) -> None:
    ran = skatspec("archive", "query", made, sql)
    assert ('write "offset", in quotes' in ran.err) == hinted and (ran.code == 2 or not hinted)


def test_a_file_is_no_folder_of_a_checked_archive(tmp_path: Path, skatspec: Skatspec) -> None:
    path = tmp_path / "games.sgf"
    path.write_bytes(sample())
    ran = skatspec("archive", "query", path, "SELECT 1")
    assert ran.code == 2 and ran.err == f"skatspec: {path} is no folder of a checked archive\n"


def test_a_query_is_answered_as_text_csv_and_json(made: Path, skatspec: Skatspec) -> None:
    sql = "SELECT verdict, count(*) AS games FROM games GROUP BY 1 ORDER BY 2 DESC LIMIT 2"
    assert skatspec("archive", "query", made, sql).lines == [
        "verdict       games", "consistent     3733", "contradicted    216", "(2 rows)",
    ]  # fmt: skip
    assert skatspec("archive", "query", made, sql, "--format", "csv").lines == [
        "verdict,games", "consistent,3733", "contradicted,216",
    ]  # fmt: skip
    assert json.loads(skatspec("archive", "query", made, sql, "--format", "json").out) == [
        {"verdict": "consistent", "games": 3733}, {"verdict": "contradicted", "games": 216},
    ]  # fmt: skip


def test_every_kind_of_cell_has_a_place_in_every_form(made: Path, skatspec: Skatspec) -> None:
    sql = (
        "SELECT 1 AS a, 2 AS a, 1.5::DOUBLE AS d, 'nan'::DOUBLE AS n, 1.25::DECIMAL(4, 2) AS m, "
        "TRUE AS t, NULL AS z, DATE '2020-01-02' AS day, [1, NULL] AS l, {'k': 'v'} AS s, "
        "'\\x00'::BLOB AS b, INTERVAL 1 DAY AS i, '=1' AS f, 170::HUGEINT AS h"
    )
    one = json.loads(skatspec("archive", "query", made, sql, "--format", "json").out)[0]
    assert (one["a"], one["a_2"], one["d"], one["n"], one["m"], one["t"]) == (
        1,
        2,
        1.5,
        None,
        1.25,
        True,
    )
    assert (one["z"], one["day"], one["l"], one["s"]) == (None, "2020-01-02", [1, None], {"k": "v"})
    values = skatspec("archive", "query", made, sql, "--format", "csv").lines[1].split(",")
    assert values[:2] == ["1", "2"] and "'=1" in values and values[6] == ""
    assert skatspec("archive", "query", made, sql).code == 0


def test_text_stops_at_a_number_of_rows_and_says_so(made: Path, skatspec: Skatspec) -> None:
    ran = skatspec("archive", "query", made, "FROM games", "--limit", "7")
    assert len(ran.lines) == 9 and ran.lines[-1].startswith("(the first 7 rows; --limit N")
    whole = skatspec("archive", "query", made, "SELECT 1 FROM games", "--format", "csv")
    assert len(whole.lines) == GAMES + 1


def test_rows_too_wide_for_a_terminal_stand_one_cell_a_line(
    made: Path, skatspec: Skatspec, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setenv("COLUMNS", "80")
    run = skatspec("archive", "query", made, "FROM games LIMIT 1")
    assert len(run.lines) == 3, "in a file a row is a line"
    monkeypatch.setattr("skatspec.cli.terminal._is_terminal", lambda stream: True)
    monkeypatch.setenv("NO_COLOR", "1")
    lines = skatspec("archive", "query", made, "FROM games LIMIT 1").lines
    assert lines[0] == "row 1" and max(map(len, lines)) <= 80
    assert len(lines) >= len(rows.COLUMNS) + 2


def test_several_statements_are_answered_one_after_the_other(
    made: Path, skatspec: Skatspec
) -> None:
    ran = skatspec("archive", "query", made, "SELECT 1 AS a; SELECT 2 AS b", "--format", "csv")
    assert ran.lines == ["a", "1", "", "b", "2"]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('{other}')", "FROM '{other}'", "FROM glob('/*')",
        "FROM read_blob('{parts}/*')", "FROM read_csv('{other}')",
        "COPY games TO '{other}.csv'", "COPY (SELECT 1) TO '{part}' (USE_TMP_FILE FALSE)",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '{part}' (FORMAT parquet, USE_TMP_FILE FALSE)",
        "SELECT 1; COPY (SELECT 1) TO '{part}' (USE_TMP_FILE FALSE)",
        "ATTACH '{other}.db'", "INSTALL httpfs", "LOAD httpfs", "SET memory_limit = '1GB'",
        "SET enable_external_access = true", "RESET lock_configuration", "DROP VIEW games",
        "CREATE TABLE t AS SELECT 1", "EXPORT DATABASE '{other}.d'", "PRAGMA database_list",
        "FROM enable_logging(storage = 'file', storage_path = '{other}.log')",
        "CALL enable_profiling(save_location = '{other}.json')", "FROM sniff_csv('{other}')",
        "SELECT * FROM kept", "PREPARE p AS SELECT 1", "SELEC", "SELECT nothing FROM games",
    ],
)  # fmt: skip
def test_a_query_reads_the_games_and_reaches_nothing_else(
    sql: str, tmp_path: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    found, _ = real_archive(tmp_path / "a")
    part, other = found / "parts" / "0.parquet", tmp_path / "other"
    other.write_text("secret")
    kept = part.read_bytes()
    ran = skatspec(
        "archive", "query", found, sql.format(other=other, part=part, parts=found / "parts")
    )
    assert ran.code == 2 and ran.err.count("\n") == 1 and "secret" not in ran.out
    assert part.read_bytes() == kept and names(tmp_path) == ["a", "other"]
    assert names(found / "parts") == ["0.parquet"]


def test_names_of_folders_are_no_sql(tmp_path: Path, skatspec: Skatspec) -> None:
    found, _ = real_archive(tmp_path / "it's [1] 'a'); DROP")
    ran = skatspec("archive", "query", found, "SELECT count(*) AS n FROM games", "--format", "csv")
    assert ran.lines == ["n", "7"]


def test_without_the_extra_its_name_is_said(
    made: Path, skatspec: Skatspec, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setitem(sys.modules, "duckdb", None)
    for words in (["report"], ["query", "SELECT 1"], ["show", "--offset", "0"]):
        ran = skatspec("archive", words[0], made, *words[1:])
        assert ran.code == 2 and "pip install 'skatspec[archive]'" in ran.err


def test_an_interrupted_question_is_an_interruption_and_no_fault(made: Path) -> None:
    with pytest.raises(KeyboardInterrupt), connected(open_results(made)):
        raise RuntimeError("Query interrupted")  # what DuckDB makes of a Ctrl-C
    with pytest.raises(RuntimeError, match="other"), connected(open_results(made)):
        raise RuntimeError("other")


def test_the_memory_has_a_limit(made: Path) -> None:
    with connected(open_results(made)) as base:
        limit = base.execute("SELECT current_setting('memory_limit')").fetchall()[0][0]
    assert limit.endswith("MiB") and float(limit.split()[0]) < 500


# --- show -------------------------------------------------------------------------------


def test_every_record_is_shown_as_replay_shows_it(tmp_path: Path, skatspec: Skatspec) -> None:
    found, games = real_archive(tmp_path, WRONG)
    for number, row in enumerate(real_rows(WRONG, str(games)), start=1):
        shown = skatspec("archive", "show", found, "--offset", row["offset"])
        replayed = skatspec("replay", games, "--record", number, "--rules", "iss")
        assert shown.code == replayed.code == (number == 2)
        line = WRONG.splitlines()[number - 1].decode()
        assert shown.lines[0] == line, "its own text comes first"
        rest, wanted = shown.out.split("\n\n", 1)[1], replayed.out
        assert f"{games}, byte {row['offset']}" in one_line(rest)
        assert "rules: iss (the rules of the run)" in rest
        # the place in the file is named otherwise: by its byte, the line is not known
        marks = "\nrules: iss"
        assert neutral(rest.partition(marks)[2]) == neutral(wanted.partition(marks)[2])


def one_line(text: str) -> str:
    return " ".join(text.split())


def neutral(text: str) -> str:
    """Return a replay without whose rules they are and the quoted line's number."""
    lines = text.splitlines()[1:]
    return "\n".join(re.sub(r"^ *\d* \| ", "| ", line) for line in lines)


def test_the_raw_text_comes_byte_for_byte(
    tmp_path: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    data = sample().replace(b"P0[p2]", "P0[Zoë\x1b[2J]".encode("latin-1"))
    found, games = real_archive(tmp_path, data)
    for row in real_rows(data, str(games)):
        words = [sys.executable, "-m", "skatspec", "archive", "show", found, "--raw", "--offset"]
        if b"\x1b" in data[row["offset"] : row["offset"] + row["length"]]:
            out = subprocess.run([*map(str, words), str(row["offset"])], capture_output=True)
            assert out.stdout == data[row["offset"] :][: row["length"]] + b"\n"
            return
    raise AssertionError("no record with the name")


def test_the_command_of_an_example_shows_that_game(tmp_path: Path, skatspec: Skatspec) -> None:
    found, games = real_archive(tmp_path, WRONG)
    other = tmp_path / "it's other.sgf"
    other.write_bytes(WRONG)
    write_part(found, "1.parquet", list(real_rows(WRONG, str(other))))
    write_run(found, [file_entry(games), file_entry(other)])
    said = json.loads(skatspec("archive", "report", found, "--format", "json").out)
    (code,) = said["codes"]
    assert code["code"] == "S001" and len(code["examples"]) == 2
    for one in code["examples"]:
        assert (one["recorded"], one["expected"]) == (-132, -120)
        shown = skatspec(*shlex.split(one["show"])[1:])
        assert shown.code == 1 and f"{one['file']}, byte {one['offset']}" in one_line(shown.out)
        assert "S001 wrong-score" in shown.out


@pytest.mark.parametrize("packed", [".gz", ".zst"])
def test_a_record_of_a_packed_file_is_found_by_its_unpacked_offset(
    packed: str, tmp_path: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    path = tmp_path / f"games.sgf{packed}"
    if packed == ".zst":
        zstandard = pytest.importorskip("zstandard")
        path.write_bytes(zstandard.compress(sample()))
    else:
        path.write_bytes(gzip.compress(sample()))
    found = tmp_path / "found"
    some = list(real_rows(sample(), str(path)))
    write_part(found, "0.parquet", some)
    write_run(found, [file_entry(path)])
    shown = skatspec("archive", "show", found, "--offset", some[3]["offset"])
    assert shown.code == 0 and shown.lines[0] == sample().splitlines()[3].decode()


def test_a_place_where_no_record_begins_is_refused_and_the_record_around_it_named(
    tmp_path: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    found, games = real_archive(tmp_path)
    second = len(sample().splitlines(keepends=True)[0])
    ran = skatspec("archive", "show", found, "--offset", second + 5)
    assert ran.code == 2 and f"it lies in the record at byte {second} ({games})" in ran.err
    ran = skatspec("archive", "show", found, "--offset", 10**9)
    assert ran.code == 2 and ran.err.endswith("no record begins at byte 1000000000\n")


def test_of_several_files_with_a_record_there_one_is_to_be_named(
    tmp_path: Path, skatspec: Skatspec
) -> None:  # fmt: skip
    found, games = real_archive(tmp_path)
    (tmp_path / "more").mkdir()
    other = tmp_path / "more" / "other.sgf"
    other.write_bytes(sample()[len(sample().splitlines(keepends=True)[0]) :])
    write_part(found, "1.parquet", list(real_rows(other.read_bytes(), str(other))))
    write_run(found, [file_entry(games), file_entry(other)])
    ran = skatspec("archive", "show", found, "--offset", 0)
    assert ran.code == 2 and str(games) in ran.err and "give --file" in ran.err
    for name in (other, "other.sgf", "more/other.sgf"):
        shown = skatspec("archive", "show", found, "--offset", 0, "--file", name)
        assert shown.code == 0 and f"{other}, byte 0" in one_line(shown.out)
    assert skatspec("archive", "show", found, "--offset", 0, "--file", "er.sgf").code == 2


def test_a_file_that_changed_since_the_run_is_said_to_have(
    tmp_path: Path, skatspec: Skatspec
) -> None:
    found, games = real_archive(tmp_path)
    lines = sample().splitlines(keepends=True)
    third = len(lines[0]) + len(lines[1])
    games.write_bytes(lines[0] + lines[1] + lines[3] + lines[2])
    ran = skatspec("archive", "show", found, "--offset", third)
    assert f"{games} has changed since the run" in ran.err
    assert "calls itself '4' now; in the run it was '3'" in ran.err
    assert ran.lines[0] == lines[3].decode().rstrip(), "the whole line that begins there now"
    games.write_bytes(b"\n" + sample())
    ran = skatspec("archive", "show", found, "--offset", third)
    assert ran.code == 2 and f"no record begins at byte {third}" in ran.err and not ran.out
    games.write_bytes(sample())
    os.utime(games, ns=(1, 1))
    ran = skatspec("archive", "show", found, "--offset", third)
    assert ran.code == 0 and "was written to since the run" in ran.err
    games.unlink()
    ran = skatspec("archive", "show", found, "--offset", third)
    assert ran.code == 2 and "from the folder it ran in" in ran.err


def test_a_record_is_judged_by_the_rules_of_the_run(tmp_path: Path, skatspec: Skatspec) -> None:
    found, games = real_archive(tmp_path)
    second = len(sample().splitlines(keepends=True)[0])
    spec = {"name_or_path": "iss", "settings": ["contracts.clubs.base=13"]}
    write_run(found, [file_entry(games)], spec=spec)
    ran = skatspec("archive", "show", found, "--offset", second)
    assert ran.code == 1 and "5 x 13 clubs = 65" in ran.out
    assert "have changed since the run" in ran.err, "the digest is of iss itself"
    write_run(found, [file_entry(games)], spec={"name_or_path": "gone.yaml", "settings": []})
    ran = skatspec("archive", "show", found, "--offset", second)
    assert ran.code == 0 and "the rules of the run cannot be had" in ran.err
    assert "rules: iss (the format's default)" in ran.out


def test_an_unreadable_record_is_shown_with_what_is_wrong(
    tmp_path: Path, skatspec: Skatspec
) -> None:
    found, games = real_archive(tmp_path, sample().splitlines()[1][:200] + b"\n")
    ran = skatspec("archive", "show", found, "--offset", 0)
    assert ran.code == 1 and f"{games}, byte 0" in one_line(ran.out) and "unreadable" in ran.out
    with pytest.raises(UsageError):
        open_results(tmp_path)
