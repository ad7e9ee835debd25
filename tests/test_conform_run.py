"""The runner against engines that are wrong on purpose: each fault has its code, and no case
that was not answered counts as passed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from skatspec import resources
from skatspec.conformance import outcome as words
from skatspec.conformance.cases import load_suite
from skatspec.conformance.junit import junit
from skatspec.conformance.outcome import Outcome
from skatspec.conformance.runner import Options, run
from tests.clirun import Skatspec, skatspec
from tests.engines.asking import LIMITS, MANY, WRONG, asked, cases

__all__ = ["skatspec"]

SERVE = [sys.executable, "-m", "skatspec", "conform", "serve"]


def codes(outcome: Outcome) -> list[str]:
    return [one.code for one in outcome.findings]


def status(outcome: Outcome) -> list[str]:
    return [row.status for row in outcome.rows]


def test_an_engine_without_a_fault_passes(tmp_path: Path) -> None:
    outcome = asked("right", tmp_path)
    assert (status(outcome), codes(outcome)) == ([words.PASSED] * MANY, [])
    assert outcome.is_green and outcome.is_complete and outcome.restarts == 0


AT_THIRD = {
    "silent-at-third": "C002", "crash-at-third": "C003", "closes-stdout": "C003",
    "flood": "C004", "bad-json": "C005", "a-number": "C005",
    "not-a-number": "C005", "deep": "C004", "bad-utf8": "C006", "wrong-shape": "C007",
    "result-and-error": "C007", "wrong-number": "C009", "hoards": "C011",
}  # fmt: skip


@pytest.mark.parametrize(("way", "code"), AT_THIRD.items())
def test_one_fault_is_named_and_the_other_cases_are_asked(
    way: str, code: str, tmp_path: Path
) -> None:
    outcome = asked(way, tmp_path, restarts=1)
    # each process goes wrong at its own third case
    rest = [words.PASSED, words.PASSED, words.UNANSWERED]
    assert status(outcome) == rest * 2
    assert {reply.code for row in outcome.rows for reply in row.replies} == {"", code}
    assert code in codes(outcome) and "C019" in codes(outcome)
    assert not outcome.is_complete and not outcome.is_green


def test_a_flood_of_lines_is_stopped_like_any_other(tmp_path: Path) -> None:
    outcome = asked("flood-of-lines", tmp_path, restarts=0)
    # whichever is seen first: the shape of the first line, or how many there are
    assert {*codes(outcome)} & {"C004", "C007"}
    assert status(outcome)[2:] == [words.UNANSWERED] * (MANY - 2)


@pytest.mark.parametrize("way", ["twice", "twice-late"])
def test_a_case_answered_twice_does_not_count(way: str, tmp_path: Path) -> None:
    outcome = asked(way, tmp_path, number=4)
    assert status(outcome) == [words.PASSED, words.PASSED, words.UNANSWERED, words.PASSED]
    assert codes(outcome) == ["C008"]
    assert not outcome.is_green


def test_a_second_answer_after_the_last_case_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAST", str(MANY))
    outcome = asked("twice-at-the-end", tmp_path)
    assert codes(outcome) == ["C008"]
    assert status(outcome)[-1] == words.UNANSWERED


AT_ONCE = {
    "silent": ["C002"], "ends-at-once": ["C003"], "protocol-2": ["C010"], "no-name": ["C007"],
}  # fmt: skip


@pytest.mark.parametrize(("way", "found"), AT_ONCE.items())
def test_an_engine_that_cannot_begin_ends_the_run(
    way: str, found: list[str], tmp_path: Path
) -> None:
    outcome = asked(way, tmp_path)
    assert [code for code in codes(outcome) if code != "C015"] == found
    assert status(outcome) == [words.UNANSWERED] * MANY
    assert (not outcome.is_green and not outcome.engine) or way == "protocol-2"


def test_a_command_that_is_none_is_named(tmp_path: Path) -> None:
    outcome = run(["./no-such-engine"], cases(tmp_path), Options(limits=LIMITS))
    assert codes(outcome) == ["C001"]
    assert status(outcome) == [words.UNANSWERED] * MANY


def test_an_engine_that_changes_its_version_ends_the_run(tmp_path: Path) -> None:
    outcome = asked("another-version", tmp_path)
    assert [code for code in codes(outcome) if code != "C015"] == ["C003", "C010"]
    assert outcome.counts[words.UNANSWERED] == MANY - 2


def test_an_engine_that_always_crashes_is_not_started_for_ever(tmp_path: Path) -> None:
    outcome = asked("always-crash", tmp_path, number=20, restarts=3)
    assert outcome.restarts == 3
    assert codes(outcome) == ["C003", "C019"]
    assert status(outcome) == [words.UNANSWERED] * 20
    assert sum(row.is_unasked for row in outcome.rows) == 16


def test_an_error_is_no_answer_and_no_reason_to_start_again(tmp_path: Path) -> None:
    outcome = asked("error", tmp_path)
    assert status(outcome)[2] == words.ERRORED
    assert outcome.counts[words.PASSED] == MANY - 1
    assert outcome.restarts == 0 and not outcome.is_green and outcome.is_complete


def test_skipping_everything_is_no_failure_and_no_pass(tmp_path: Path) -> None:
    outcome = asked("skips", tmp_path)
    assert status(outcome) == [words.SKIPPED] * MANY
    assert outcome.is_empty and not outcome.is_green and outcome.is_complete


def test_rules_that_the_engine_refuses_skip_its_cases(tmp_path: Path) -> None:
    outcome = asked("refuses-rules", tmp_path)
    assert status(outcome) == [words.SKIPPED] * MANY
    assert outcome.rows[0].replies[0].message == "I play by my own"


def test_an_answer_to_the_rules_has_a_shape_too(tmp_path: Path) -> None:
    outcome = asked("wrong-ruled", tmp_path, restarts=0)
    assert codes(outcome) == ["C007", "C019"]


def test_stderr_is_a_note_and_nothing_more(tmp_path: Path) -> None:
    outcome = asked("stderr", tmp_path)
    assert codes(outcome) == ["C015"]
    assert outcome.is_green


@pytest.mark.parametrize("way", ["leaves-with-3", "stays"])
def test_an_engine_that_does_not_end_well_is_told_of(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skatspec.conformance.process._TO_END", 1.0)
    outcome = asked(way, tmp_path)
    assert codes(outcome) == ["C016"]
    assert outcome.is_green


def test_a_wrong_answer_fails_with_what_differs(tmp_path: Path) -> None:
    (made,) = cases(tmp_path, 1)
    text = made.path.read_text().replace("cards: [S7]", "cards: [C7]")
    made.path.write_text(text)
    command = [sys.executable, WRONG, "right"]
    outcome = run(command, load_suite(tmp_path).cases, Options(limits=LIMITS))
    (reply,) = outcome.rows[0].replies
    assert (reply.status, reply.code) == (words.FAILED, "C013")
    assert reply.agreement.differs == ('cards: ["C7"] expected, ["S7"] said',)


def test_a_slow_engine_is_waited_for(tmp_path: Path) -> None:
    assert asked("slow", tmp_path).is_green


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("oneshot", [False, True])
def test_jobs_and_a_process_for_each_case_give_the_same(
    jobs: int, oneshot: bool, tmp_path: Path
) -> None:
    outcome = asked("right", tmp_path, number=40, jobs=jobs, oneshot=oneshot)
    assert status(outcome) == [words.PASSED] * 40
    assert [row.case.id for row in outcome.rows] == [f"made-{n:03}" for n in range(40)]


def test_a_process_for_each_case_crashes_for_one_case_only(tmp_path: Path) -> None:
    outcome = asked("crash-at-third", tmp_path, oneshot=True)
    assert outcome.is_green  # no process sees a third case


# --- the list of known failures ---------------------------------------------------------


def test_a_skipped_case_that_passes_is_stale_and_an_unknown_one_is_named(tmp_path: Path) -> None:
    outcome = asked("error", tmp_path, skips={"made-000": "", "made-002": "bug 7", "made-9": ""})
    assert codes(outcome) == ["C012", "C018"]
    assert status(outcome) == [words.SKIPPED, words.PASSED, words.SKIPPED, *[words.PASSED] * 3]
    assert outcome.is_green
    assert outcome.rows[0].is_stale and not outcome.rows[2].is_stale


def test_a_skipped_case_that_is_not_answered_is_still_unanswered(tmp_path: Path) -> None:
    outcome = asked("crash-at-third", tmp_path, number=3, skips={"made-002": ""})
    assert status(outcome)[2] == words.UNANSWERED
    assert not outcome.is_complete


# --- outputs ----------------------------------------------------------------------------


def test_the_report_has_the_shape_of_its_schema(tmp_path: Path) -> None:
    schema = json.loads(resources.text("schemas", "run.schema.json"))
    for way in ("right", "error", "crash-at-third", "skips", "silent"):
        report = asked(way, tmp_path, skips={"made-000": "why"}).as_dict()
        jsonschema.validate(report, schema)
        sums = [report[word] for word in words.STATUSES]
        assert report["total"] == sum(sums) == len(report["cases"])


def test_junit_counts_what_the_run_counts(tmp_path: Path) -> None:
    outcome = asked("crash-at-third", tmp_path)
    root = ElementTree.fromstring(junit(outcome))
    legal, engine = root.findall("testsuite")
    assert legal.get("tests") == str(MANY) and legal.get("errors") == "2"
    assert len(legal.findall("testcase/error")) == 2
    assert engine.get("errors") == "1"


def test_junit_has_no_character_that_xml_lacks(tmp_path: Path) -> None:
    made = cases(tmp_path, 1)
    reply = words.Reply("isko", words.FAILED, message="a\x00b\x1b[31m<&\ud800")
    row = words.Row(made[0], (reply,))
    text = junit(Outcome(("x",), {}, (row,), ()))
    assert ElementTree.fromstring(text).find(".//failure") is not None


def test_the_command_leaves_with_one_where_the_engine_is_at_fault(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    folder = tmp_path / "cases"
    folder.mkdir()
    cases(folder)
    engine = ["--", sys.executable, WRONG, "crash-at-third"]
    ran = skatspec("conform", "run", "--suite", str(folder), *engine)
    assert ran.code == 1
    assert "UNANSWERED made-002" in ran.out
    assert "C003 engine-gone" in ran.out and "exit code 70" in ran.out
    assert "incomplete: wrong 1.0, 2 unanswered" in ran.out


def test_the_command_writes_every_output_it_is_asked_for(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    target = tmp_path / "run.json"
    xml = tmp_path / "run.xml"
    ran = skatspec(
        "conform", "run", "--select", "legal", "--select", "id:l0*", "--output", f"json:{target}",
        "--output", f"junit:{xml}", "--", *SERVE,
    )  # fmt: skip
    assert ran.code == 0, ran.out
    report = json.loads(target.read_text(encoding="utf-8"))
    assert report["passed"] == report["total"] > 3
    assert ElementTree.parse(xml).getroot().tag == "testsuites"


def test_a_selection_of_nothing_is_wrong_usage(skatspec: Skatspec) -> None:
    ran = skatspec("conform", "run", "--select", "tag:no-such-tag", "--", *SERVE)
    assert ran.code == 2 and "selects no case" in ran.err


# --- ourselves --------------------------------------------------------------------------


def test_the_whole_suite_is_green_against_our_own_engine(skatspec: Skatspec) -> None:
    ran = skatspec("conform", "run", "--agreement", "position", "--jobs", "2", "--", *SERVE)
    assert ran.code == 0, ran.out
    assert "conforms: skatspec" in ran.out
    assert f"{len(load_suite().cases)} cases passed" in ran.out


def test_our_engine_answers_what_it_cannot_read() -> None:
    from io import BytesIO

    from skatspec.conformance.serve import serve

    lines = [
        b"nonsense\n", b"[1]\n", b'{"cmd": "dance"}\n', b'{"cmd": "run", "seq": 4}\n', b"\xff\n",
        b'{"cmd": "run", "seq": 5, "task": "legal", "input": {"contract": "x"}}\n',
        b'{"cmd": "rules", "name": "/etc/passwd", "digest": "sha256:0", "tables": {}}\n',
        b'{"cmd": "stop"}\n', b"never read\n",
    ]  # fmt: skip
    out = BytesIO()
    serve(BytesIO(b"".join(lines)), out)
    said = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [one["seq"] for one in said] == [0, 0, 0, 4, 0, 5, 0]
    assert all("error" in one for one in said)
