"""The page of run reports side by side: what it holds, that nothing gets out of it, and how a
browser takes it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from skatspec.cli.terminal import clean
from skatspec.conformance.matrix import Known, Matrix, Rule, matrix
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
    assert links <= set(places) and len(links) > 8


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
    assert found.values("class").count("matrix") == 5  # disputed, rules, tasks, levels, codes
    assert "Content Security Policy" not in ran.stderr


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
            rows = tab.locator("#rules ~ table.matrix tbody tr:not(.topic) th.key b")
            keys = [one.inner_text() for one in rows.all() if one.is_visible()]
            tab.check("#wanted")
            left = [one.inner_text() for one in rows.all() if one.is_visible()]
            width = tab.evaluate("document.documentElement.scrollWidth")
            head = tab.locator("#rules ~ table.matrix thead th").first
            place = head.evaluate("one => getComputedStyle(one).position")
        finally:
            opened.close()
    assert keys == ["follow-suit", "trick", "overbid"]
    assert left == ["trick", "overbid"]
    assert (width, place, told) == (1280, "sticky", [])
