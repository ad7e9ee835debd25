"""The runner against engines that are wrong on purpose: each fault has its code, and no case
that was not answered counts as passed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from skatspec import resources
from skatspec.conformance import outcome as words
from skatspec.conformance.cases import load_suite
from skatspec.conformance.junit import junit
from skatspec.conformance.outcome import Outcome
from skatspec.conformance.process import Limits
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
    "not-a-number": "C005", "bad-utf8": "C006", "wrong-shape": "C007",
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


def test_a_process_for_each_case_keeps_nothing_of_the_case_before(tmp_path: Path) -> None:
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


# --- what an adversary found ------------------------------------------------------------


def said_by(engine: str, tmp_path: Path, number: int = 4, **options: object) -> Outcome:
    """Run a few lines of an engine: `answer(seq)` returns what it says to a question."""
    path = tmp_path / "engine.py"
    path.write_text(ENGINE + engine)
    folder = tmp_path / "cases"
    folder.mkdir(exist_ok=True)
    command = [sys.executable, str(path)]
    return run(command, cases(folder, number), Options(limits=LIMITS, **options))  # type: ignore[arg-type]


ENGINE = """\
import json, os, sys, time
right = {"cards": ["S7"]}
def answer(seq): return {"seq": seq, "result": right}
def started(): return {"protocol": 1, "engine": {"name": "e", "version": "1", "language": "P"},
                       "rules": ["isko"], "tasks": ["legal"]}
def main():
    for line in sys.stdin:
        said = json.loads(line)
        if said["cmd"] == "stop": return
        out = {"start": started, "rules": lambda: {"ok": True}}.get(said["cmd"])
        sys.stdout.write(json.dumps(out() if out else answer(said["seq"])) + "\\n")
        sys.stdout.flush()
import atexit; atexit.register(main)
"""


@pytest.mark.parametrize(
    "seq", ["seq + 7.0", "float(seq)", "seq - 0.5", "True", "str(seq)", "-seq", "10**30"]
)
def test_a_number_that_is_not_the_number_asked_is_no_answer(seq: str, tmp_path: Path) -> None:
    engine = f"def answer(seq): return {{'seq': {seq}, 'result': right}}"
    outcome = said_by(engine, tmp_path, restarts=1)
    assert words.PASSED not in status(outcome)
    assert {"C007", "C009"} & {*codes(outcome)}


@pytest.mark.parametrize("version", ["2.0", "1.0", "False", "True"])
def test_a_version_of_the_protocol_that_is_no_whole_number_is_another(
    version: str, tmp_path: Path
) -> None:
    engine = f"begin = started\ndef started(): return begin() | {{'protocol': {version}}}"
    assert codes(said_by(engine, tmp_path)) == ["C010"]


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_processes_that_call_themselves_differently_do_not_conform(
    jobs: int, tmp_path: Path
) -> None:
    engine = (
        "begin = started\ndef started():\n"
        "    own = {'name': 'e', 'version': str(os.getpid()), 'language': 'P'}\n"
        "    return begin() | {'engine': own}\n"
    )
    outcome = said_by(engine, tmp_path, number=80, jobs=jobs, oneshot=jobs == 1)
    assert "C010" in codes(outcome) and not outcome.is_green


BEYOND = {
    "deep": "x = 1\nfor _ in range(900): x = [x]\nright = {'cards': x}",
    "many": "right = {'cards': [0] * 200000}",
    "large": "right = {'cards': ['S7'], 'points': 10 ** 40}",
    "endless": "begin = started\ndef started(): return begin() | {'tasks': [0, '0'] * 40000}",
}  # fmt: skip


@pytest.mark.parametrize("way", ["deep", "many", "large", "endless"])
def test_an_answer_larger_than_any_can_be_is_none(way: str, tmp_path: Path) -> None:
    limits = Limits(timeout=60.0, start_timeout=60.0)
    path = tmp_path / "engine.py"
    path.write_text(ENGINE + BEYOND[way])
    options = Options(limits=limits, restarts=1)
    outcome = run([sys.executable, str(path)], cases(tmp_path, 2), options)
    assert words.PASSED not in status(outcome) and "C007" in codes(outcome)
    assert len(json.dumps(outcome.as_dict(), allow_nan=False)) < 20_000


def test_a_bracket_too_deep_for_a_reader_is_no_json(tmp_path: Path) -> None:
    limits = Limits(timeout=60.0, start_timeout=60.0)
    command = [sys.executable, WRONG, "deep"]
    outcome = run(command, cases(tmp_path, 3), Options(limits=limits, restarts=0))
    assert "C005" in codes(outcome)


def test_of_a_long_wrong_answer_the_beginning_is_kept(tmp_path: Path) -> None:
    engine = "right = {'cards': ['C7'], 'why': 'x' * 50000}"
    outcome = said_by(engine, tmp_path)
    assert status(outcome) == [words.FAILED] * 4
    assert len(json.dumps(outcome.as_dict())) < 20_000


def test_a_second_answer_that_meets_a_change_of_rules_is_blamed_on_its_case(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "cases"
    folder.mkdir()
    (one,) = cases(folder, 1)
    text = one.path.read_text()
    one.path.write_text(text.replace("rules: [isko]", "rules: [isko, ledger]"))
    path = tmp_path / "engine.py"
    # the second answer to the first question comes as the answer to the next rules
    path.write_text(
        ENGINE + "told = []\nbegin = started\n"
        "def started(): return begin() | {'rules': ['isko', 'ledger']}\n"
        "def answer(seq):\n    told.append(seq)\n    return {'seq': seq, 'result': right}\n"
    )
    source = path.read_text().replace(
        '"rules": lambda: {"ok": True}',
        '"rules": lambda: {"seq": told[-1], "result": right} if told else {"ok": True}',
    )
    path.write_text(source)
    outcome = run(
        [sys.executable, str(path)], load_suite(folder).cases, Options(LIMITS, restarts=0)
    )
    (row,) = outcome.rows
    assert "C008" in codes(outcome)
    assert {reply.rules: reply.status for reply in row.replies}["isko"] == words.UNANSWERED


@pytest.mark.parametrize("behind", [1, 2, 3])
def test_a_late_second_answer_is_put_on_the_case_that_it_names(behind: int, tmp_path: Path) -> None:
    mark = tmp_path / "mark"  # tells later processes that it has happened
    engine = (
        "def answer(seq):\n"
        f"    if seq == 5 and not os.path.exists({str(mark)!r}):\n"
        f"        open({str(mark)!r}, 'w').close()\n"
        f"        seq -= {behind}\n"
        "    return {'seq': seq, 'result': right}\n"
    )
    outcome = said_by(engine, tmp_path, number=8)
    wanted = [words.PASSED] * 8
    wanted[4 - behind] = words.UNANSWERED
    assert (status(outcome), codes(outcome)) == (wanted, ["C008"])


def test_cases_that_all_stand_on_the_list_are_no_conformance(tmp_path: Path) -> None:
    skips = {f"made-{n:03}": "" for n in range(MANY)}
    outcome = asked("error", tmp_path, skips=skips)
    assert outcome.is_empty and not outcome.is_green


def test_an_engine_that_never_ends_does_not_hold_up_a_process_for_each_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skatspec.conformance.process._TO_END", 0.3)
    outcome = asked("stays", tmp_path, number=20, oneshot=True, restarts=2)
    assert "C019" in codes(outcome) and not outcome.is_complete


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("when", ["answer(seq)", "started()"])
def test_a_run_that_is_told_to_end_leaves_no_engine_behind(
    when: str, name: str, tmp_path: Path
) -> None:
    pid = tmp_path / "pid"
    path = tmp_path / "engine.py"
    path.write_text(
        ENGINE + f"def {when}:\n    open({str(pid)!r}, 'w').write(str(os.getpid()))\n"
        "    time.sleep(600)\n"
    )
    folder = tmp_path / "cases"
    folder.mkdir()
    cases(folder, 2)
    command = [sys.executable, "-m", "skatspec", "conform", "run", "--suite", str(folder),
               "--timeout", "500", "--", sys.executable, str(path)]  # fmt: skip
    # whoever runs the tests in the background has SIGINT ignored, and we would inherit that
    ours = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    while not (pid.exists() and pid.read_text()):
        time.sleep(0.05)
    engine = int(pid.read_text())
    ours.send_signal(getattr(signal, name))
    assert ours.wait(60) != 0
    with pytest.raises(ProcessLookupError):
        while True:
            os.kill(engine, 0)
            time.sleep(0.05)


def served(**asked: object) -> dict[str, object]:
    """Return our own engine's answer to one case."""
    from skatspec.conformance.protocol import encode
    from skatspec.conformance.serve import Engine

    said = Engine().answer(encode({"cmd": "run", "seq": 1, **asked}))
    assert said is not None and said["seq"] in (0, 1)
    return said


HANDS = {"F": "CJ CA", "M": "SJ SA", "R": "HJ HA", "skat": "DJ"}
BAD = {
    "a player who is not there": ("list", {
        "system": "plain", "table": 3, "deals": [{"player": 4, "score": 18}],
    }),
    "a card dealt twice": ("perft", {
        "deal": HANDS | {"M": "CJ SA"}, "contract": "grand", "depth": 2,
    }),
    "hands of two sizes": ("perft", {
        "deal": HANDS | {"M": "SJ"}, "contract": "grand", "depth": 2,
    }),
    "the card led is held": ("legal", {"contract": "hearts", "hand": ["SA", "S7"], "led": "SA"}),
    "a name that is a path": ("check", {"format": "skat", "record": "", "name": "../x"}),
    "a name without end": ("check", {"format": "skat", "record": "", "name": "x" * 300}),
    "a number without end": ("list", {
        "system": "plain", "players": [{"points": 10**40, "won": 1, "lost": 0}] * 3,
    }),
    "base64 that is none": ("check", {"format": "skat", "base64": "%%%"}),
    "a profile that reads a file elsewhere": ("check", {
        "format": "profile", "record": "name: y\nextends: /etc/hostname.yaml\n",
    }),
    "rules that read a file": ("legal", {
        "contract": "hearts", "hand": ["S7"], "led": "SA", "set": ["extends=/etc/passwd"],
    }),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_our_engine_refuses(what: str) -> None:
    task, given = BAD[what]
    said = served(task=task, input=given)
    assert "error" in said, said
    assert "our own fault" not in str(said["error"]), said


def test_our_engine_takes_no_file_for_rules(tmp_path: Path) -> None:
    from skatspec.conformance.protocol import encode, rules_message
    from skatspec.conformance.serve import Engine
    from skatspec.rules import load_rules

    evil = tmp_path / "evil.yaml"
    evil.write_text("name: evil\nextends: isko\n")
    for name in (str(evil), f"isko /../../../../../..{evil}", f"isko x/../../..{evil}"):
        said = Engine().answer(encode(rules_message(name, load_rules("isko"))))
        assert said is not None and said["skipped"] is True
