"""Run reports side by side: the figures, what is no report, and the command."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from skatspec.conformance import matrix_reports
from skatspec.conformance.cases import Rule, rules_of
from skatspec.conformance.matrix import Known, Tally, matrix
from skatspec.conformance.matrix_page import LEGEND, SYMBOLS
from skatspec.conformance.matrix_reports import known_cases, read_report
from skatspec.errors import UsageError
from tests.clirun import Skatspec, skatspec
from tests.engines.asking import asked
from tests.run_reports import Elements, line, made, report, row, suite, written

__all__ = ["skatspec"]


# --- figures ----------------------------------------------------------------------------


def test_a_cell_counts_the_cases_that_carry_the_tag() -> None:
    one = report(row("a", tags="trick"), row("b", "failed", "trick overbid"), row("c"))
    two = report(row("a", tags="trick"), row("b", tags="trick overbid"), row("c"), name="two")
    found = made(one, two)
    trick = line(found.rules, "trick")
    assert [(cell.passed, cell.total, cell.state) for cell in trick.cells] == [
        (1, 2, "failed"), (2, 2, "passed"),
    ]  # fmt: skip
    assert [cell.state for cell in line(found.rules, "overbid").cells] == ["failed", "passed"]
    assert [engine.tally.passed for engine in found.engines] == [2, 3]
    assert (found.cases, found.untagged, found.same) == (3, 1, True)


def test_rules_of_a_section_stand_together_and_those_without_a_case_apart() -> None:
    found = made(report(row("a", tags="trick"), row("b", tags="overbid follow-suit")))
    assert [one.key for one in found.rules] == ["follow-suit", "trick", "overbid"]
    assert [rule.tag for rule in found.silent] == ["nobody"]


STATES = {
    "passed": ["passed", "passed"], "partly": ["passed", "skipped"],
    "skipped": ["skipped", "skipped"], "failed": ["failed", "unanswered"],
    "unanswered": ["passed", "unanswered"],
}  # fmt: skip


@pytest.mark.parametrize(("state", "statuses"), STATES.items())
def test_the_state_of_a_cell_by_its_cases(state: str, statuses: list[str]) -> None:
    rows = [row(f"case-{at}", status, "trick") for at, status in enumerate(statuses)]
    assert line(made(report(*rows)).rules, "trick").cells[0].state == state


def test_an_error_is_a_failure_and_no_case_is_nothing() -> None:
    found = made(report(row("a", "errored", "trick")), report(row("b", tags="overbid")))
    assert [cell.state for cell in line(found.rules, "trick").cells] == ["failed", "none"]
    assert not found.same


def test_every_state_has_a_symbol_and_a_line_in_the_legend() -> None:
    assert set(SYMBOLS) == set(LEGEND) == {*STATES, "excused", "none"}
    shown = [SYMBOLS[state] for state in SYMBOLS]
    assert len(set(shown)) == len(shown)  # never colour alone


def test_a_known_failure_is_neither_passed_nor_not_done() -> None:
    failed = [{"rules": "isko", "status": "failed"}]
    passed = [{"rules": "isko", "status": "passed"}]
    found = made(report(
        row("a", "skipped", "trick", excused="bug 7", stale=False, replies=failed),
        row("b", "skipped", "trick", excused="bug 7", stale=True, replies=passed),
        row("c", "skipped", "overbid", excused="bug 7", stale=False),
    ))  # fmt: skip
    cell = line(found.rules, "trick").cells[0]
    assert (cell.passed, cell.excused, cell.state) == (1, 1, "excused")
    assert line(found.rules, "overbid").cells[0].state == "skipped"
    assert [(one.id, one.kind) for one in found.engines[0].told] == [("a", "excused")]
    assert not found.kept


def test_tasks_and_levels_stand_in_the_order_of_the_suite() -> None:
    found = made(report(
        row("a", task="settle", level="house"), row("b", "failed", task="legal"),
        row("c", task="a-task-of-its-own", level="should"),
    ))  # fmt: skip
    assert [one.key for one in found.tasks] == ["legal", "settle", "a-task-of-its-own"]
    assert [one.key for one in found.levels] == ["must", "should", "house"]
    assert line(found.tasks, "legal").cells == (Tally(failed=1),)


def test_codes_come_from_the_suite_and_say_how_many_were_named() -> None:
    known = {
        "a": Known((), ("P004",)), "b": Known((), ("P004", "S001")), "c": Known((), ()),
    }  # fmt: skip
    found = made(report(
        row("a", task="check", agreement="position", of="position"),
        row("b", task="check", agreement="verdict", of="position"),
        row("c", task="check", agreement="verdict", of="verdict"),
    ), known=known)  # fmt: skip
    assert [one.key for one in found.codes] == ["P004", "S001"]
    assert found.codes[0].text == "revoke"
    assert [one.cells[0].named for one in found.codes] == [1, 0]
    assert found.codes[0].cells[0].passed == 2


def test_the_suites_tags_hold_even_for_a_report_made_before_them() -> None:
    found = made(
        report(row("a"), row("b", tags="overbid")), known={"a": Known(("trick",))}
    )  # fmt: skip
    assert [one.key for one in found.rules] == ["trick", "overbid"]


def test_rules_that_no_engine_fails_and_that_every_engine_fails() -> None:
    def engine(first: str, second: str, third: str) -> dict[str, Any]:
        return report(
            row("a", first, "trick"), row("b", second, "overbid"), row("c", third, "follow-suit")
        )

    found = made(engine("passed", "failed", "passed"), engine("skipped", "failed", "unanswered"))
    assert [one.key for one in found.kept] == ["trick"]  # what is not done is no fault
    assert [one.key for one in found.missed] == ["overbid"]


def test_rules_that_one_engine_alone_fails_come_before_the_others() -> None:
    def engine(*statuses: str) -> dict[str, Any]:
        tags = ("trick", "overbid", "follow-suit")
        return report(*(row(tag, one, tag) for tag, one in zip(tags, statuses, strict=True)))

    passed, failed = "passed", "failed"
    found = made(
        engine(passed, failed, failed), engine(passed, passed, failed),
        engine(failed, passed, passed),
    )  # fmt: skip
    alone = [[one.key for one in rows] for rows in found.alone]
    assert alone == [["overbid"], [], ["trick"]]
    assert [one.key for one in found.several] == ["follow-suit"]
    assert [one.key for one in found.failed] == ["overbid", "trick", "follow-suit"]
    # where nobody else answers, none has it right: every engine that answers fails
    found = made(engine(failed, passed, passed), engine("skipped", passed, passed))
    assert found.alone == ((), ()) and [one.key for one in found.missed] == ["trick"]


def test_tasks_are_compared_where_no_rule_has_a_case() -> None:
    found = made(report(row("a", "failed")), report(row("a")))
    assert (found.compared, [one.key for one in found.disputed]) == ("tasks", ["legal"])
    assert made(report(row("a", tags="trick"))).compared == "rules"


PATHS = {
    "stems": (["x/a.json", "y/b.json"], ["a", "b"]),
    "folders": (["x/a.json", "y/a.json"], ["x/a", "y/a"]),
    "the same file": (["x/a.json", "x/a.json"], ["a 1", "a 2"]),
    "no paths": ([], ["1", "2"]),
}


@pytest.mark.parametrize(("paths", "marks"), PATHS.values(), ids=PATHS)
def test_reports_tell_engines_of_equal_name_and_version_apart(
    paths: list[str], marks: list[str]
) -> None:
    found = matrix([report(row("a")), report(row("a"))], (), {}, paths)
    assert [one.report for one in found.engines] == marks


def test_engines_that_differ_in_name_or_version_need_no_report() -> None:
    newer = report(row("a"), engine={"name": "one", "version": "2"})
    reports = [report(row("a")), newer, report(row("a"), name="two")]
    found = matrix(reports, (), {}, ["a.json", "b.json", "c.json"])
    assert [one.report for one in found.engines] == ["", "", ""]


def test_the_largest_spread_comes_first_and_ten_rows_are_enough() -> None:
    rules = [Rule(f"r{at:02}", "A rule.") for at in range(14)]
    tags = [f"r{at:02}" for at in range(14)]
    # of the rule `at`, the second engine fails `at` of 13 cases
    rows = [(tag, f"{tag}-{case}", case < at) for at, tag in enumerate(tags) for case in range(13)]
    right = report(*(row(id, tags=tag) for tag, id, _ in rows))
    wrong = report(*(row(id, "failed" if bad else "passed", tag) for tag, id, bad in rows))
    found = matrix([right, wrong], rules, {})
    assert [one.key for one in found.disputed] == tags[:3:-1]
    assert found.disputed[0].spread == 1.0
    assert not matrix([wrong], rules, {}).disputed  # one engine alone has nothing to differ from


def test_cases_that_were_never_answered_make_no_spread() -> None:
    found = made(report(row("a", tags="trick")), report(row("a", "unanswered", "trick")))
    assert not found.disputed and not found.kept


def test_a_failing_case_is_told_once_for_all_profiles_with_the_same_fault() -> None:
    replies = [
        {"rules": name, "status": "failed", "differs": [differs]}
        for name, differs in (("isko", "value: 30"), ("iss", "value: 40"), ("ledger", "value: 30"))
    ]
    passed = {"rules": "primer", "status": "passed"}
    found = made(report(row("a", "failed", replies=[*replies, passed])))
    assert found.engines[0].told[0].differs == (("isko, ledger", "value: 30"), ("iss", "value: 40"))


def test_cases_that_the_run_never_came_to_are_counted_and_not_told() -> None:
    crashed = row("a", "unanswered", code="C003", message="ended")
    engine = made(report(crashed, row("b", "unanswered"), row("c", "unanswered"))).engines[0]
    assert ([one.id for one in engine.told], engine.unasked) == (["a"], 2)
    assert engine.told[0].differs == (("isko", "C003 ended"),)


def test_an_engine_that_never_said_its_name_goes_by_its_command() -> None:
    one = made(report(engine={}, command=["/opt/skat/engine", "--conform"])).engines[0]
    assert (one.name, one.version, one.language) == ("engine", "", "")
    assert made(report(engine={}, command=[])).engines[0].name == "no name"
    assert len(made(report(name="x" * 5000)).engines[0].name) == 80


# --- what is read -----------------------------------------------------------------------


def test_the_catalogue_of_rules_is_read_in_its_order(tmp_path: Path) -> None:
    assert rules_of(suite(tmp_path)) == (
        Rule("trick", "The highest trump takes it.", "ISkO 2022 4.2", "play"),
        Rule("overbid", "An overbid game is lost."),
        Rule("follow", "A led suit is followed.", "ISkO 2022 4.2", "play"),
    )
    assert rules_of(tmp_path) == ()


@pytest.mark.parametrize(
    "text", ["rules: [a, b]", "a: b", "rules: {a: {rule: b}}", "a: [", "\x00", "[ " * 100_000]
)
def test_a_broken_catalogue_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "TAGS.yaml").write_text(text)
    with pytest.raises(UsageError, match=r"TAGS\.yaml"):
        rules_of(tmp_path)


def test_a_real_run_is_a_report(tmp_path: Path) -> None:
    outcome = asked("right", tmp_path)
    path = tmp_path / "run.json"
    path.write_text(json.dumps(outcome.as_dict()))
    known = known_cases(one.case for one in outcome.rows)
    found = matrix([read_report(str(path))], [Rule("follow", "A led suit is followed.")], known)
    assert line(found.rules, "follow").cells[0].passed == len(outcome.rows)


def changed(**more: Any) -> bytes:
    return json.dumps(report(row("a")) | more).encode()


NO_REPORTS = {
    "no JSON": b"no JSON", "empty": b"", "a list": b"[]", "a number": b"7",
    "not UTF-8": b'"\xff\xfe"',
    "deep": b"[" * 100_000, "another object": b'{"a": 1}', "JUnit": b"<testsuites/>",
    "no cases": changed(cases="none"), "unknown key": changed(more=1),
    "unknown status": changed(cases=[row("a", "won")]), "sums that are wrong": changed(passed=7),
    "a case twice": changed(cases=[row("a"), row("a")], total=2, passed=2),
    "a huge number": b'{"total": ' + b"9" * 10_000 + b"}",
}  # fmt: skip


@pytest.mark.parametrize("data", NO_REPORTS.values(), ids=NO_REPORTS)
def test_what_is_no_report_is_refused_with_path_and_reason(
    tmp_path: Path, data: bytes, skatspec: Skatspec
) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=r"report\.json: .*no (JSON|report).*: ."):
        read_report(str(path))
    ran = skatspec("conform", "matrix", path)
    assert (ran.code, ran.out) == (2, "") and "report.json" in ran.err
    assert len(ran.err) < 1000


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(UsageError, match=re.escape(str(path))):
            read_report(str(path))


def test_a_report_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "report.json", row("a"))
    monkeypatch.setattr(matrix_reports, "MOST_BYTES", path.stat().st_size)
    assert read_report(str(path))["total"] == 1
    monkeypatch.setattr(matrix_reports, "MOST_BYTES", path.stat().st_size - 1)
    with pytest.raises(UsageError, match="larger than"):
        read_report(str(path))


# --- the command ------------------------------------------------------------------------


def test_a_file_gets_the_page_and_the_screen_the_text(tmp_path: Path, skatspec: Skatspec) -> None:
    one = written(tmp_path, "one.json", row("made-000", "failed"), row("made-001"))
    two = written(tmp_path, "two.json", row("made-000"), row("made-001"), name="two")
    target = tmp_path / "matrix.html"
    ran = skatspec("conform", "matrix", one, two, "--suite", suite(tmp_path), "--output", target)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert Elements(target.read_text(encoding="utf-8")).tags["h1"] == 1
    ran = skatspec("conform", "matrix", one, two, "--suite", tmp_path / "suite")
    assert ran.code == 0
    assert "2  two (1, C): 2 of 2 passed, complete" in ran.lines
    assert any(line.split() == ["follow", "1/2", "✗", "2/2", "✓"] for line in ran.lines)


def test_json_has_the_tables_and_the_summary(tmp_path: Path, skatspec: Skatspec) -> None:
    one = written(tmp_path, "one.json", row("made-000", "failed"), row("made-001"))
    two = written(tmp_path, "two.json", row("made-000"), row("made-001", "skipped"), name="\ud800")
    folder = suite(tmp_path)
    ran = skatspec("conform", "matrix", one, two, "--suite", folder, "--format", "json")
    found = json.loads(ran.out)
    assert [one["passed"] for one in found["engines"]] == [1, 1]
    assert [(one["key"], one["spread"]) for one in found["rules"]] == [("follow", 0.5)]
    assert [cell["state"] for cell in found["rules"][0]["cells"]] == ["failed", "partly"]
    assert (found["disputed"], found["without_case"]) == (["follow"], ["trick", "overbid"])


def test_the_screen_tells_equal_engines_apart_and_counts_who_fails(
    tmp_path: Path, skatspec: Skatspec
) -> None:
    one = written(tmp_path, "old.json", row("made-000", "failed"))
    two = written(tmp_path, "new.json", row("made-000"))
    ran = skatspec("conform", "matrix", one, two, "--suite", suite(tmp_path))
    assert "1  one (old) (1, C): 0 of 1 passed, 1 failed, complete" in ran.lines
    told = ran.lines[ran.lines.index("0 of 1 rule no engine fails") :]
    assert told[1:3] == ["1 some engine fails", "  1 alone: 1 one (old)"]
    assert any(line.split() == ["rule", "1", "one", "(old)", "2", "one", "(new)"] for line in told)


def test_a_hostile_name_cannot_steer_the_terminal(tmp_path: Path, skatspec: Skatspec) -> None:
    path = written(tmp_path, "one.json", row("a"), name="\x1b[2J\u202eevil" * 40)
    ran = skatspec("conform", "matrix", path)
    assert ran.code == 0 and not re.search("[\x00-\x09\x0b-\x1f\u202e]", ran.out)


def test_a_report_is_never_written_over(tmp_path: Path, skatspec: Skatspec) -> None:
    path = written(tmp_path, "one.json", row("a"))
    before = path.read_bytes()
    for target, word in ((path, "cannot be written"), (tmp_path, "is a folder")):
        ran = skatspec("conform", "matrix", path, "--output", target)
        assert ran.code == 2 and word in ran.err
    assert path.read_bytes() == before


def test_a_refused_report_leaves_the_page_as_it_was(tmp_path: Path, skatspec: Skatspec) -> None:
    good, bad = written(tmp_path, "good.json", row("a")), tmp_path / "bad.json"
    bad.write_text("{}")
    target = tmp_path / "matrix.html"
    target.write_text("before")
    assert skatspec("conform", "matrix", good, bad, "--output", target).code == 2
    assert target.read_text() == "before"
