"""The page of run reports side by side: what it holds, that nothing gets out of it, and how a
browser takes it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from skatspec.cli.terminal import clean
from skatspec.conformance.cases import Rule
from skatspec.conformance.matrix import Known, Matrix, matrix
from skatspec.conformance.matrix_page import page
from tests.run_reports import RULES, Elements, made, report, row, suite, written

HOSTILE = "</style></td><script>alert(1)</script><img src=x onerror=alert(2)>\"'{{ 7*7 }}\u202e\n"


def hostile() -> Matrix:
    case = row(
        HOSTILE, "failed", task=HOSTILE, level=HOSTILE, rule=HOSTILE, differs=[HOSTILE],
        message=HOSTILE,
    )  # fmt: skip
    case["tags"] = [HOSTILE]
    case["replies"][0]["rules"] = HOSTILE
    skipped = row("skipped", "skipped", message=HOSTILE)
    known = row("known", "skipped", excused=HOSTILE, replies=case["replies"])
    finding = {"code": "C003", "name": HOSTILE, "severity": "error", "message": HOSTILE}
    said = {"name": HOSTILE, "version": HOSTILE, "language": HOSTILE}
    rule = Rule(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    silent = Rule(f"{HOSTILE} again", HOSTILE)
    reports = [report(case, skipped, known, engine=said, findings=[finding]), report(row("a"))]
    return matrix(reports, [rule, silent], {})


def test_no_text_of_a_report_becomes_part_of_the_page() -> None:
    text = page(hostile(), clean)
    found = Elements(text)
    assert not {"script", "img", "iframe", "object", "link"} & set(found.tags)
    assert found.tags["style"] == 1 and text.count("</style>") == 1
    assert not [name for _, name, _ in found.attributes if name.startswith("on")]
    assert "\u202e" not in text and "\\u202e" in text
    assert "{{ 7*7 }}" in text
    assert text.count("&lt;script&gt;alert(1)") > 15


def sample() -> Matrix:
    """Return a matrix in which every kind of row and cell occurs."""
    known = {"p": Known(("trick",), ("P004",)), "q": Known((), ("S001",))}
    one = report(
        row("a", tags="trick"), row("b", "failed", "trick overbid", differs=["30 expected"]),
        row("c", "skipped", "follow-suit", message="not written yet"),
        row("p", "failed", task="check", level="should", differs=["verdict"]),
        row("q", task="check", level="house", agreement="verdict", of="position"),
    )  # fmt: skip
    two = report(
        row("a", tags="trick"), row("b", tags="trick overbid"), row("c", tags="follow-suit"),
        row("p", "unanswered", task="check", code="C003", message="ended"),
        row("q", "unanswered", task="check"), name="two",
    )  # fmt: skip
    return matrix([one, two, report(row("a", tags="trick"), name="three")], RULES, known)


def test_the_page_needs_nothing_from_elsewhere_and_no_script() -> None:
    text = page(sample(), clean)
    found = Elements(text)
    policy = next(value for value in found.values("content") if "default-src" in value)
    assert "default-src 'none'" in policy and "script" not in policy
    assert not found.values("src") and "url(" not in text and "@import" not in text
    assert all(value.startswith("#") for value in found.values("href"))
    assert "prefers-color-scheme: dark" in text and "size: A4 landscape" in text


@pytest.mark.parametrize("found", [sample(), hostile()], ids=["sample", "hostile"])
def test_every_link_leads_somewhere_and_no_place_has_two_names(found: Matrix) -> None:
    parts = Elements(page(found, clean))
    places = parts.values("id")
    assert len(set(places)) == len(places)
    links = {value.removeprefix("#") for value in parts.values("href")}
    assert links <= set(places) and len(links) >= 8


def test_a_failing_cell_leads_to_the_cases_that_fail() -> None:
    text = page(sample(), clean)
    at = text.index("The highest trump takes the trick", text.index('id="rules"'))
    place = re.search(r'href="#(e1-r\d+)"', text[at:])
    assert place
    index = text[text.index(f'<tr id="{place[1]}"') :].partition("</tr>")[0]
    links = re.findall(r'href="#(e1-\d+)">(\w+)<', index)
    assert [id for _, id in links] == ["b", "p"]  # p has the tag by the suite
    case = text[text.index(f'<tr id="{links[0][0]}"') :].partition("</tr>")[0]
    assert "30 expected" in case and "ISkO 2022 4.2" in case and "isko" in case


def test_what_is_not_done_is_not_called_failed() -> None:
    text = page(made(report(row("a", "skipped", "trick", message="no null"))), clean)
    rules = text[text.index('id="rules"') : text.index('id="tasks"')]
    assert 'class="cell skipped"' in rules and "not done" in rules
    assert "failed" not in rules.partition("<table")[2]
    assert "1 not done: no null" in text


def test_an_incomplete_run_is_marked() -> None:
    text = page(sample(), clean)
    assert "incomplete" in text and "1 case was not asked any more" in text
    assert "The reports do not hold the same cases" in text
    whole = page(made(report(row("a", tags="trick"))), clean)
    assert "incomplete" not in whole and "same cases" not in whole


def test_a_catalogue_without_rules_still_makes_a_page() -> None:
    text = page(matrix([report(row("a"))], (), {}), clean)
    assert "No rule has a case" in text
    assert "By task" in text and "By level" in text and "By code" not in text


def test_the_page_is_the_same_whatever_the_order_of_hashes(tmp_path: Path) -> None:
    tags = "trick overbid follow-suit"
    first = written(tmp_path, "a.json", row("a", "failed", tags), row("b", tags=tags), row("c"))
    second = written(tmp_path, "b.json", row("a", tags=tags), row("b", "failed", "trick"))
    folder = suite(tmp_path)
    command = [sys.executable, "-m", "skatspec", "conform", "matrix", str(first), str(second),
               "--suite", str(folder), "--format", "html"]  # fmt: skip
    pages = {
        subprocess.run(
            command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(pages) == 1 and pages.pop().startswith(b"<!DOCTYPE html>")


def section(text: str, start: str, end: str) -> str:
    """Return what stands between two places of a page."""
    return text.partition(start)[2].partition(end)[0]


def test_engines_of_equal_name_and_version_carry_the_name_of_their_report() -> None:
    one, two = report(row("a", "failed", "trick")), report(row("a", tags="trick"))
    other = report(row("a", "failed", "trick"), name="two")
    text = page(
        matrix([one, two, other], RULES, {}, ["x/old.json", "x/<new>.json", "c.json"]), clean
    )
    heads = re.findall(r'class="engine">(.*?)</th>', text, re.S)
    assert len(heads) == 3 * 4  # disputed, rules, tasks, levels
    for at, shown in enumerate(("old", "&lt;new&gt;", None)):
        for head in heads[at::3]:
            assert (f"<bdi>{shown}</bdi>" in head) == (shown is not None), head
    for start, end in (
        ("<nav", "</nav>"),
        ('class="engines"', "</table>"),
        ('<h2 id="e1"', "</h2>"),
    ):
        assert "<bdi>one</bdi> <bdi>(old)</bdi>" in section(text, start, end)
    assert "(c)" not in text and "<new>" not in text


def test_only_engines_with_something_to_tell_are_offered() -> None:
    said = [row("a", "failed", "trick"), row("a", "skipped", "trick"), row("a", tags="trick")]
    names = ("wrong", "undone", "right")
    text = page(
        made(*(report(one, name=name) for one, name in zip(said, names, strict=True))), clean
    )
    shown = [re.sub("<[^>]*>", "", one) for one in re.findall(r"<h2 id=\"e.*?</h2>", text)]
    assert shown == ["wrong 1: what went wrong", "undone 1: what is not done"]
    offered = section(text, "<nav", "</nav>")
    assert "#e1" in offered and "#e2" in offered and "right" not in offered
    assert "#e3" not in text


def test_result_and_level_stand_in_columns_of_their_own() -> None:
    text = page(made(report(row("a", "failed", "trick", differs=["30 expected"]))), clean)
    table = section(text, '<table class="cases">', "</table>")
    heads = [re.sub("<[^>]*>", "", one) for one in re.findall(r"<th .*?</th>", table)]
    cells = [re.sub("<[^>]*>", "", one).strip() for one in re.findall(r"<td.*?</td>", table, re.S)]
    assert heads == ["case", "result", "what differs, under which profiles", "level", "rule"]
    assert cells == ["a", "failed", "30 expected isko", "must", "ISkO 2022 4.2"]


def test_codes_that_no_engine_does_are_folded_with_their_number() -> None:
    known = {"p": Known((), ("P004",)), "q": Known((), ("S001",))}
    done, skipped = row("p", "failed", task="check"), row("q", "skipped", task="check")
    text = page(made(report(done, skipped), known=known), clean)
    codes = section(text, 'id="codes"', "</section>")
    assert "P004" in section(codes, "<table", "</table>")
    assert "S001" not in section(codes, "<table", "</table>")
    folded = section(codes, "<details>", "</details>")  # closed: no attribute `open`
    assert "<summary>1 code not done by any engine</summary>" in folded and "S001" in folded
    text = page(made(report(skipped), known=known), clean)
    assert "<table" not in section(text, 'id="codes"', "</section>")


def test_where_no_rule_is_known_the_summary_compares_by_task() -> None:
    one, two = report(row("a", "failed")), report(row("a"), name="two")
    text = page(matrix([one, two], (), {}), clean)
    summary = section(text, "<h2>Summary", "<h3>Legend")
    assert "They disagree most</b> on this task." in summary and 'href="#e1-t0"' in summary
    assert "rule" not in summary and "rule" not in section(text, "<h1>", "Each figure")
    same = page(matrix([two, two], (), {}), clean)
    assert "On no task do they differ" in section(same, "<h2>Summary", "<h3>Legend")


def test_the_summary_names_the_rules_that_some_engine_fails() -> None:
    def engine(name: str, *statuses: str) -> dict[str, Any]:
        tags = ("trick", "overbid", "follow-suit")
        rows = [row(tag, status, tag) for tag, status in zip(tags, statuses, strict=True)]
        return report(*rows, name=name)

    passed, failed = "passed", "failed"
    text = page(made(
        engine("one", failed, failed, failed), engine("two", passed, failed, failed),
        engine("three", passed, passed, failed),
    ), clean)  # fmt: skip
    summary = section(text, "<h2>Summary", "no engine fails")
    words = " ".join(re.sub("<[^>]*>", "", summary).split())
    assert words.startswith("3 of 3 rules some engine fails. 1 of them one alone: trick"), words
    assert "1 of them more than one engine, but not every engine that answers: overbid" in words
    assert "1 of them every engine that answers: follow-suit" in words
    place = re.search(r'href="#(e1-r\d+)" title="The highest trump', summary)
    assert place and f'<tr id="{place[1]}"' in text
    lone = page(made(engine("one", passed, failed, passed)), clean)
    words = " ".join(re.sub("<[^>]*>", "", section(lone, "<h2>Summary", "no engine fails")).split())
    assert words.startswith("1 of 3 rules some engine fails: overbid 2 of 3"), words


# --- in a browser -----------------------------------------------------------------------

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def browser() -> str:
    """Return the path of an installed browser; skips the test where there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser is installed: none of {', '.join(BROWSERS)}")
    return found


def shown(tmp_path: Path) -> str:
    path = tmp_path / "matrix.html"
    path.write_text(page(sample(), clean), encoding="utf-8")
    return path.as_uri()


def test_a_browser_shows_the_tables_without_a_complaint(tmp_path: Path) -> None:
    command = [
        browser(), "--headless", "--no-sandbox", "--disable-gpu",
        f"--user-data-dir={tmp_path}/user",
        "--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom", shown(tmp_path),
    ]  # fmt: skip
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in ran.stderr
    found = Elements(ran.stdout)
    tables = [value for tag, name, value in found.attributes if (tag, name) == ("table", "class")]
    assert (
        sum("matrix" in value.split() for value in tables) == 5
    )  # disputed, rules, tasks, levels, codes
    assert "Content Security Policy" not in ran.stderr


NARROW = 420  # pixels, a telephone held upright


def test_on_a_narrow_screen_only_the_tables_scroll(tmp_path: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = tmp_path / "hostile.html"
    path.write_text(page(hostile(), clean), encoding="utf-8")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser())
        try:
            tab = opened.new_page(viewport={"width": NARROW, "height": 900})
            widths = []
            for address in (shown(tmp_path), path.as_uri()):
                tab.goto(address)
                widths.append(tab.evaluate("document.documentElement.scrollWidth"))
            tab.goto(shown(tmp_path))
            name = tab.locator(".engines tbody th").first
            lines = name.evaluate("one => one.querySelector('bdi').getClientRects().length")
            wider = tab.locator(".scroll .engines").evaluate(
                "one => one.scrollWidth > one.parentElement.clientWidth"
            )
        finally:
            opened.close()
    assert widths == [NARROW, NARROW]
    assert (lines, wider) == (1, True)


def test_the_filter_leaves_the_rows_that_went_wrong(tmp_path: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser())
        try:
            tab = opened.new_page(viewport={"width": 1280, "height": 900})
            told: list[str] = []
            tab.on("console", lambda message: told.append(message.text))
            tab.on("pageerror", lambda error: told.append(str(error)))
            tab.goto(shown(tmp_path))
            rows = tab.locator("#rules ~ .scroll .matrix tbody tr:not(.topic) th.key b")
            keys = [one.inner_text() for one in rows.all() if one.is_visible()]
            tab.check("#wanted")
            left = [one.inner_text() for one in rows.all() if one.is_visible()]
            width = tab.evaluate("document.documentElement.scrollWidth")
            head = tab.locator("#rules ~ .scroll .matrix thead th").first
            place = head.evaluate("one => getComputedStyle(one).position")
        finally:
            opened.close()
    assert keys == ["follow-suit", "trick", "overbid"]
    assert left == ["trick", "overbid"]
    assert (width, place, told) == (1280, "sticky", [])
