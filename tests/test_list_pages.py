"""Disputes in rows, text, CSV and pages; the printed list; the standings as a page.

The pages in `tests/golden/lists` are compared byte by byte. After a change that is meant,
they are written anew with `python -m tests.test_list_pages --update`, and looked at.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from skatspec import __version__
from skatspec.cli.terminal import clean
from skatspec.diagnostics import Severity
from skatspec.rules import load_rules
from skatspec.rules.match import compile_match
from skatspec.session.checking import ListChecker
from skatspec.session.pages import disputes_page, sheet_page, standings_page
from skatspec.session.standings import Effect, ListResult, Standings
from skatspec.session.tables import (
    Listed,
    csv_line,
    disputes_csv,
    disputes_text,
    effect_lines,
    guarded,
    told,
)
from skatspec.sheet import FINAL, POINTS, Account, Column, Row, Sheet, Sums

GOLDEN = Path(__file__).parent / "golden" / "lists"
RULES = load_rules("isko")
LANGUAGES = ("en", "de")
HEADINGS = (
    ("deal", "Spiel"), ("dealer", "Geber"), ("declarer", "Alleinspieler"), ("contract", "Spielart"),
    ("matadors", "Spitzen"), ("hand", "Hand"), ("schneider", "Schneider"),
    ("schneider_announced", "Schneider angesagt"), ("schwarz", "Schwarz"),
    ("schwarz_announced", "Schwarz angesagt"), ("ouvert", "Ouvert"), ("bid", "Reizwert"),
    ("result", "Ergebnis"), ("value", "Wert"),
)  # fmt: skip
# contract, matadors, bid, value won
GAMES = (
    ("hearts", 2, 18, 30), ("spades", -1, 20, 22), ("clubs", 1, 18, 24), ("grand", 1, 18, 48),
    ("diamonds", -2, 20, 27), ("null", None, 23, 23),
)  # fmt: skip
PASSED_IN, WRONG = (12, 31), {3: 11, 9: 10, 20: -22}
HOSTILE = (
    "<script>alert(1)</script>", "\u202eevil\u200f \u05e9\u05dc\u05d5\u05dd", "W" * 200,
    "=1+1|'Łódź" + "Z\u0351\u0357" * 20,
)  # fmt: skip


def evening(
    deals: int,
    names: Sequence[str],
    table: str = "7",
    wrong: dict[int, int] | None = None,
) -> Sheet:
    """Return a list of so many deals; `wrong` has by row what is entered beside the value."""
    seats = len(names)
    totals = [0] * seats
    rows = []
    wrong = WRONG if wrong is None else wrong
    for at in range(deals):
        dealer = at % seats
        if at in PASSED_IN:
            rows.append(Row(at + 2, at + 1, dealer, totals=tuple(totals)))
            continue
        playing = [one for one in range(seats) if seats == 3 or one != dealer]
        declarer = playing[(at * 7 + at // 5) % len(playing)]
        contract, matadors, bid, value = GAMES[(at * 5 + at // 4) % len(GAMES)]
        won = at % 5 != 2
        entered = (value if won else -2 * value) + wrong.get(at, 0)
        totals[declarer] += entered
        said = Account(contract, matadors, False, False, False, False, False, False, False, bid,
                       won=won)  # fmt: skip
        rows.append(Row(at + 2, at + 1, dealer, declarer, said, entered, tuple(totals)))
    named = [*HEADINGS, *((f"total_{one}", f"Summe {one}") for one in range(1, seats + 1))]
    columns = {name: Column(field, text) for field, (name, text) in enumerate(named, 1)}
    below = (Sums(deals + 2, POINTS, tuple(totals)),)
    return Sheet(
        f"spring/table{table}.csv", event="Frühjahrsturnier", table=table, round="1",
        players=tuple(names), seats=seats, columns=columns, rows=tuple(rows), length=deals,
        sums=below,
    )  # fmt: skip


def season(*sheets: Sheet, lang: str = "en") -> tuple[list[Listed], Standings]:
    """Return checked lists with their effects, and the standings over them."""
    match = compile_match(RULES.profile)
    standings = Standings(match, "seeger-fabian", lang=lang)
    reports = [ListChecker(RULES).check(sheet) for sheet in sheets]
    results = [ListResult.of(report, match) for report in reports]
    for result in results:
        standings.add(result)
    lists = [
        Listed(report, [standings.effect(one.corrections, result) for one in report.disputes])
        for report, result in zip(reports, results, strict=True)
    ]
    return lists, standings


def small() -> list[Listed]:
    other = evening(48, ("Dora", "Emil", "Fritz", "Gerd"), "8", wrong={7: 1})
    return season(evening(36, ("Anna", "Ben", "Cem")), other)[0]


def tied() -> Standings:
    three = evening(36, ("Anna", "Ben", "Cem"), "1", wrong={})
    four = evening(48, ("Dora", "Emil", "Fritz", "Gerd"), "2", wrong={7: 1})
    return season(three, evening(36, ("Hans", "Inge", "Jo"), "3", wrong={}), four)[1]


def pages() -> Iterator[tuple[str, str]]:
    """Yield name and text of each golden page."""
    lists = small()
    for lang in LANGUAGES:
        yield f"disputes.{lang}", disputes_page(lists, lang, clean=clean)
        yield f"sheet.{lang}", sheet_page(lists[0], lang, clean=clean, rules=RULES)
        yield (
            f"standings.{lang}",
            standings_page(tied(), lang, clean=clean, rules="isko", across=tied().findings()),
        )


def settled(text: str) -> str:
    """Return a page as it is kept: whatever the version."""
    return text.replace(f"skatspec {__version__}", "skatspec VERSION")


@pytest.mark.parametrize("name", [f"{one}.{lang}" for lang in LANGUAGES
                                  for one in ("disputes", "sheet", "standings")])  # fmt: skip
def test_a_page_is_byte_for_byte_the_golden_one(name: str) -> None:
    made = settled(dict(pages())[name])
    assert made.encode() == (GOLDEN / f"{name}.html").read_bytes()


# --- rows of plain data -----------------------------------------------------------------


def test_a_dispute_tells_entered_expected_why_and_effect() -> None:
    one = told(small()[0], "de")[0]
    assert (one.where, one.deal, one.player, one.cell) == ((5, "value", ""), 4, "Anna", "Wert")
    assert (one.entered, one.expected, one.first) == ("59", ("48",), True)
    assert one.severity is Severity.ERROR and one.follow_on > 10
    assert [why.text for why in one.why][-1] == "gewonnen: +48" and one.why[-1].rule
    assert effect_lines(one, "de") == ["Anna: Gesamt 1461 -> 1450"]


def test_only_the_first_error_of_a_list_is_marked() -> None:
    for listed in small():
        assert [one.first for one in told(listed)].count(True) == 1
        assert told(listed)[0].first


def effects_of(dispute: Any, effects: Any) -> list[str]:
    lists = small()
    listed = Listed(replace(lists[0].report, disputes=[dispute]), [effects])
    return effect_lines(told(listed)[0], "en")


def test_effects_are_told_for_each_admissible_value_or_as_none_or_as_not_known() -> None:
    dispute = small()[0].report.disputes[0]
    move = Effect("Anna", 3, 1, 10, Fraction(21, 2))
    assert effects_of(dispute, [(move,)]) == ["Anna: place 3 -> 1, total 10 -> 10.5"]
    assert effects_of(dispute, [()]) == ["no effect"]
    assert effects_of(dispute, []) == ["what is right is not known"]
    dispute.expected = ("48", "-96")
    assert effects_of(dispute, [(move,), ()]) == [
        "if 48: Anna: place 3 -> 1, total 10 -> 10.5", "if -96: no effect",
    ]  # fmt: skip
    dispute.expected = tuple(str(value) for value in range(20, 0, -1))
    assert [line[:6] for line in effects_of(dispute, [(move,), ()])] == ["if 20:", "if 1: "]


def test_where_nobody_asked_for_effects_none_are_told() -> None:
    listed = Listed(small()[0].report)
    assert effect_lines(told(listed)[0], "en") == []
    assert "effect of a correction" not in disputes_page([listed], clean=clean)


def test_a_cell_below_the_rows_has_the_name_of_its_line() -> None:
    sheet = evening(36, ("Anna", "Ben", "Cem"), wrong={})
    wrong = replace(sheet, sums=(*sheet.sums, Sums(39, FINAL, (1, None, None))))
    one = told(season(wrong)[0][0], "de")[0]
    assert (one.cell, one.where.sums, one.entered) == ("Gesamt", FINAL, "1")


def test_a_list_of_json_names_its_cells_too() -> None:
    sheet = evening(36, ("Anna", "Ben", "Cem"))
    columns = {name: Column(0, name) for name in sheet.columns}
    listed = season(replace(sheet, columns=columns))[0][0]
    assert {one.where.column for one in told(listed)} == {"value"}
    page = sheet_page(listed, clean=clean)
    assert page.count('class="bad n"') == len(WRONG)


# --- CSV --------------------------------------------------------------------------------


def test_csv_has_semicolons_in_german_and_commas_in_english() -> None:
    for lang, delimiter in (("de", ";"), ("en", ",")):
        rows = list(csv.reader(io.StringIO("".join(disputes_csv(small(), lang))),
                               delimiter=delimiter))  # fmt: skip
        assert len({len(row) for row in rows}) == 1 and len(rows) == 1 + 4
        assert rows[1][8:10] == ["59", "48"]


def test_numbers_stay_numbers_and_formulas_become_text() -> None:
    assert guarded("-48") == "-48" and guarded("+30") == "+30" and guarded("11,5") == "11,5"
    assert guarded(-48) == -48
    for text in ("=1+1", "+1+1", "-1 or -2", "@sum", "\tx", "-"):
        assert guarded(text) == "'" + text
    assert csv_line(["-48", "=A1", "Anna"], "de") == "-48;'=A1;Anna\n"


def test_a_name_that_is_a_formula_is_text_in_every_cell_of_csv() -> None:
    lists = season(evening(36, ("=cmd|' /C calc'!A0", "@Ben", "+Cem")))[0]
    for row in csv.reader(io.StringIO("".join(disputes_csv(lists, "en")))):
        for cell in row:
            assert not cell.startswith(("=", "@")), cell


def test_halves_have_the_decimal_sign_of_the_language() -> None:
    dispute = small()[0].report.disputes[0]
    dispute.entered, dispute.expected = "11.5", ("-22.5",)
    listed = Listed(replace(small()[0].report, disputes=[dispute]))
    assert (told(listed, "de")[0].entered, told(listed, "de")[0].expected) == ("11,5", ("-22,5",))
    assert told(listed, "en")[0].entered == "11.5"


# --- terminal ---------------------------------------------------------------------------


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_text_fits_the_terminal_and_marks_the_first_error_of_each_list(
    width: int, lang: str
) -> None:
    text = "".join(disputes_text(small(), lang, clean=clean, width=width))
    assert max(map(len, text.splitlines())) <= width
    marked = [line for line in text.splitlines() if line.startswith(">")]
    assert len(marked) == 2 + 1  # one a list, and what the mark means
    assert ("figures that only follow" if lang == "en" else "die nur daraus folgen") in text


def test_nothing_in_a_name_steers_the_terminal() -> None:
    lists = season(evening(36, ("\x1b[2J", "\u202eBen", "Cem\r")))[0]
    text = "".join(disputes_text(lists, clean=clean, width=80))
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)
    assert "\\x1b[2J" in text


# --- pages ------------------------------------------------------------------------------


class Elements(HTMLParser):
    """The elements of a page: tags, attributes, text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]


def hostile() -> tuple[Listed, Standings]:
    lists, standings = season(evening(36, HOSTILE))
    return lists[0], standings


def hostile_pages() -> dict[str, str]:
    listed, standings = hostile()
    return {
        "disputes": disputes_page([listed], "de", clean=clean),
        "sheet": sheet_page(listed, "de", clean=clean, rules=RULES),
        "standings": standings_page(standings, "de", clean=clean, broken=[HOSTILE[0]]),
    }


def test_pages_hold_no_script_no_link_outside_and_forbid_both() -> None:
    for page in (*hostile_pages().values(), *dict(pages()).values()):
        found = Elements(page)
        assert not {"script", "link", "img", "iframe", "a", "form"} & set(found.tags)
        assert not [one for one in found.attributes if one[1].startswith("on") or one[1] == "src"]
        assert "default-src 'none'; style-src 'unsafe-inline'" in page
        assert "\u202e" not in page and "\u200f" not in page
        assert "http" not in page.replace("http-equiv", "")


def test_the_printed_list_has_the_usual_columns_in_their_order() -> None:
    page = sheet_page(small()[0], "de", clean=clean, rules=RULES)
    head = page.partition("<thead>")[2].partition("</thead>")[0]
    words = [re.sub("<[^>]*>", "", one) for one in re.findall(r"<th.*?</th>", head, re.S)]
    assert words == [
        "Spiel", "Geber", "Alleinspieler", "Spielart", "Spitzen", "Hand", "Schneider", "angesagt",
        "Schwarz", "angesagt", "Ouvert", "Reizwert", "Ergebnis", "Wert", "Anna", "Ben", "Cem", "",
        "mit", "ohne",
    ]  # fmt: skip
    labels = re.findall(r'<th scope="row"[^>]*>(.*?)</th>', page)
    assert labels == [
        "Spielpunkte", "gewonnene Spiele", "verlorene Spiele", "verlorene Spiele der anderen",
        "Zuschläge", "Gesamt", "Platz", "Gesamt, berichtigt",
    ]  # fmt: skip


def test_each_dispute_is_marked_in_its_cell_in_the_margin_and_has_a_note() -> None:
    listed = small()[0]
    page = sheet_page(listed, "en", clean=clean)
    for number in range(1, len(listed.report.disputes) + 1):
        assert page.count(f"<sup>{number}</sup>") == 1
        assert page.count(f'<td class="margin">{number}</td>') == 1
        assert page.count(f"<li><b>{number}</b>") == 1
    follows = {cell for one in listed.report.disputes for cell in one.follow_on}
    assert page.count('class="after ') == len(follows)


def test_a_list_that_cannot_be_read_still_makes_its_pages() -> None:
    lists, _ = season(Sheet("x.csv"))
    for lang in LANGUAGES:
        assert "L022" in sheet_page(lists[0], lang, clean=clean, rules=RULES)
        assert "L022" in disputes_page(lists, lang, clean=clean)


def test_tied_players_need_a_lot_on_the_page() -> None:
    page = standings_page(tied(), "de", clean=clean)
    assert page.count(">Losentscheid</td>") == 6
    assert page.count('class="tied"') == 3


def test_lists_without_disputes_are_counted_and_not_shown() -> None:
    lists, _ = season(evening(36, ("A", "B", "C"), wrong={}))
    page = disputes_page(lists, "de", clean=clean)
    assert "Keine Beanstandungen" in page and "table7" not in page
    assert "Geprüfte Listen: 1, mit Fehlern: 0, Fehler: 0." in page
    assert "Geprüfte Listen: 20.000, mit Fehlern: 2" in disputes_page(
        small(), "de", clean=clean, checked=20_000
    )


# --- in a browser -----------------------------------------------------------------------

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def browser() -> str:
    """Return the path of an installed browser; skips the test where there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser is installed: none of {', '.join(BROWSERS)}")
    return found


def run(folder: Path, page: str, *options: str) -> subprocess.CompletedProcess[str]:
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    command = [
        browser(), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/user",
        "--enable-logging=stderr", "--virtual-time-budget=2000", *options, path.as_uri(),
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


@pytest.mark.parametrize("name", ["disputes", "sheet", "standings"])
def test_a_browser_shows_a_hostile_page_without_a_complaint(tmp_path: Path, name: str) -> None:
    ran = run(tmp_path, hostile_pages()[name], "--dump-dom")
    assert "CONSOLE" not in ran.stderr and "Content Security Policy" not in ran.stderr
    assert "script" not in Elements(ran.stdout).tags
    assert "&lt;script&gt;alert(1)" in ran.stdout


def printed(folder: Path, page: str) -> tuple[int, str]:
    """Return how many sheets of paper a page takes, and the file."""
    pdf = folder / "page.pdf"
    run(folder, page, f"--print-to-pdf={pdf}", "--no-pdf-header-footer")
    data = pdf.read_bytes()
    return len(re.findall(rb"/Type\s*/Page\b", data)), str(pdf)


EVENINGS = (
    (36, ("Anna", "Ben", "Cem"), {}),
    (36, ("Anna Schmidt-Müller", "Ben Berg", "Cem Can", "Dora Dorn"), WRONG),
    (48, ("Anna Schmidt-Müller", "Ben Berg", "Cem Can", "Dora Dorn"), WRONG),
)  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("deals", "names", "wrong"), EVENINGS)
def test_a_list_is_printed_on_one_sheet(
    tmp_path: Path, deals: int, names: tuple[str, ...], wrong: dict[int, int], lang: str
) -> None:
    listed = season(evening(deals, names, wrong=wrong))[0][0]
    sheets, _ = printed(tmp_path, sheet_page(listed, lang, clean=clean, rules=RULES))
    assert sheets == 1


def test_no_letter_is_printed_smaller_than_seven_points(tmp_path: Path) -> None:
    tool = shutil.which("pdftohtml")
    if tool is None:
        pytest.skip("pdftohtml is not installed")
    listed = season(evening(48, ("Anna", "Ben", "Cem", "Dora")))[0][0]
    _, pdf = printed(tmp_path, sheet_page(listed, "de", clean=clean, rules=RULES))
    command = [tool, "-xml", "-stdout", "-zoom", "3", "-i", pdf]  # three pixels a point
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    sizes = [int(one) / 3 for one in re.findall(r'<fontspec [^>]*size="(\d+)"', found)]
    assert sizes and min(sizes) >= 7


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit("python -m tests.test_list_pages --update")
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for page_name, page_text in pages():
        (GOLDEN / f"{page_name}.html").write_bytes(settled(page_text).encode())
