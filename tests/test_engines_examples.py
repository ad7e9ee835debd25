"""The engines under examples/engines/ do what their page says, asked by the real runner.

What needs a program or a package that is not there is skipped, and says which.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from skatspec.conformance import protocol
from skatspec.conformance.cases import load_suite
from skatspec.conformance.outcome import Outcome
from skatspec.conformance.runner import Options, run
from skatspec.rules import load_rules
from tests.xskat_files import PROGRAM

ROOT = Path(__file__).resolve().parents[1]
ENGINES = ROOT / "examples" / "engines"
PAGE = ROOT / "docs" / "adapters.md"
NODE = shutil.which("node")

PYTHON = (sys.executable, str(ENGINES / "skeleton.py"))
JAVASCRIPT = (NODE or "node", str(ENGINES / "skeleton.mjs"))
OPENSPIEL = (sys.executable, str(ENGINES / "openspiel.py"))
OBSERVER = (sys.executable, str(ENGINES / "xskat_observer.py"))

needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed (Debian: nodejs)")
needs_openspiel = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None,
    reason="OpenSpiel is not installed (pip install open_spiel)",
)
needs_xskat = pytest.mark.skipif(
    PROGRAM is None, reason="the program xskat is not installed (Debian: xskat)"
)
skeletons = pytest.mark.parametrize(
    "command",
    [pytest.param(PYTHON, id="python"), pytest.param(JAVASCRIPT, id="node", marks=needs_node)],
)


def asked(command: Sequence[str], *words: str) -> Outcome:
    return run(command, load_suite().select(words), Options())


def wrong(outcome: Outcome) -> list[str]:
    """Return what an engine did wrong, a line each."""
    rows = [
        f"{row.case.id}: {row.status} {[reply.message for reply in row.replies]}"
        for row in outcome.rows
        if row.status not in ("passed", "skipped")
    ]
    return [*rows, *(f"{one.code} {one.slots}" for one in outcome.findings)][:10]


def answers(command: Sequence[str], *lines: bytes) -> list[dict[str, Any]]:
    """Return what an engine says to some lines; it must leave with 0 and print no word more."""
    done = subprocess.run(
        command, input=b"".join(lines), capture_output=True, check=True, timeout=60
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


RULES = protocol.encode(protocol.rules_message("isko", load_rules("isko")))
GIVEN = {"contract": "hearts", "hand": ["SJ", "S7", "HA", "D8"], "led": "SA"}


def question(seq: int, task: str = "legal", **more: str) -> bytes:
    return protocol.encode(protocol.run(seq, task, {**GIVEN, **more}))


# --- the skeletons ----------------------------------------------------------------------


@skeletons
def test_a_skeleton_passes_every_legal_case_and_skips_the_rest(command: Sequence[str]) -> None:
    outcome = asked(command)
    assert not wrong(outcome)
    known = set(answers(command, protocol.encode(protocol.start()))[0]["rules"])
    for row in outcome.rows:
        asks = row.case.task == "legal" and not known.isdisjoint(row.case.rules)
        assert row.status == ("passed" if asks else "skipped"), row.case.id
    assert outcome.counts["passed"] > 40 and outcome.counts["skipped"] > 500
    assert outcome.is_green and outcome.restarts == 0


@skeletons
def test_a_skeleton_answers_what_it_cannot_read_and_goes_on(command: Sequence[str]) -> None:
    bad = [
        b"thinking ...\n", b"\n", b"[1, 2]\n", b"null\n", b"{}\n", b'{"cmd": "pause"}\n',
        b'{"cmd": ["run"]}\n', b'{"cmd": "run", "seq": 1, "task": "x\xff", "input": {}}\n',
        b"[" * 100_000 + b"\n", b'{"cmd": "rules", "name": "isko"}\n', question(7),
    ]  # fmt: skip
    said = answers(command, *bad, RULES, question(8), question(9))
    assert len(said) == len(bad) + 3
    for one in said[: len(bad)]:
        # what cannot be read has no number; a case before its rules has one
        assert set(one) in ({"seq", "error"}, {"ok"}), one
        assert one.get("seq", 0) in (0, 7)
    assert said[-3:] == [
        {"ok": True},
        {"seq": 8, "result": {"cards": ["S7"]}}, {"seq": 9, "result": {"cards": ["S7"]}},
    ]  # fmt: skip


@skeletons
def test_a_case_that_a_skeleton_stumbles_over_is_an_error_of_its_number(
    command: Sequence[str],
) -> None:
    lost = protocol.encode(protocol.run(4, "legal", {"contract": "hearts"}))
    said = answers(command, RULES, lost, question(5, "no-such-task"), question(6))
    assert said[1]["seq"] == 4 and said[1]["error"]["message"]
    assert said[2]["seq"] == 5 and said[2]["skipped"] and said[2]["message"]
    assert said[3] == {"seq": 6, "result": {"cards": ["S7"]}}
    for one in said[1:]:
        assert not protocol.shape_fault(one, protocol.ANSWER)


@skeletons
def test_a_line_ends_at_a_line_feed_only_however_long_it_is(command: Sequence[str]) -> None:
    # line ends to Unicode, and more than any pipe holds at once
    long = question(2, name="a\u2028b\u2029c\u0085d\x0be" * 50_000)
    assert len(long) > 500_000
    assert answers(command, RULES, long, question(3).rstrip(b"\n"))[1:] == [
        {"seq": 2, "result": {"cards": ["S7"]}}, {"seq": 3, "result": {"cards": ["S7"]}},
    ]  # fmt: skip


@skeletons
def test_nothing_is_answered_behind_stop(command: Sequence[str]) -> None:
    assert answers(command, RULES, protocol.encode(protocol.stop()), question(1)) == [{"ok": True}]


@skeletons
def test_a_skeleton_needs_nothing_but_its_own_file(command: Sequence[str], tmp_path: Path) -> None:
    program, source = command
    copy = shutil.copy(source, tmp_path)
    alone = (program, "-I", copy) if program == sys.executable else (program, copy)
    assert answers(alone, RULES, question(1))[1] == {"seq": 1, "result": {"cards": ["S7"]}}
    lines = Path(source).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 110
    assert not any("skatspec" in line and "import" in line for line in lines)


# --- the page ---------------------------------------------------------------------------


def test_the_pages_transcript_is_what_the_python_skeleton_says() -> None:
    block = PAGE.read_text(encoding="utf-8").partition('```\n> {"cmd": "start"')[2]
    lines = ('> {"cmd": "start"' + block.partition("```")[0]).splitlines()
    asking = [line[2:].encode() + b"\n" for line in lines if line.startswith("> ")]
    rules = next(number for number, line in enumerate(asking) if b'"rules"' in line)
    asking[rules] = RULES
    expected = [json.loads(line[2:]) for line in lines if line.startswith("< ")]
    assert len(expected) == 5
    assert answers(PYTHON, *asking) == expected


def test_every_engine_is_on_the_page_and_in_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    table = (ENGINES / "README.md").read_text(encoding="utf-8")
    names = sorted(path.name for path in ENGINES.iterdir() if path.suffix in (".py", ".mjs"))
    assert names == ["openspiel.py", "skeleton.mjs", "skeleton.py", "xskat_observer.py"]
    for name in names:
        assert name in page and f"| `{name}` |" in table


# --- OpenSpiel --------------------------------------------------------------------------


@needs_openspiel
def test_openspiel_agrees_on_every_card_and_point_it_is_asked() -> None:
    outcome = asked(OPENSPIEL, "legal,perft")
    assert not wrong(outcome)
    found = Counter((row.case.task, row.status) for row in outcome.rows)
    assert found["legal", "passed"] > 40 and found["perft", "passed"] > 100
    skipped = [row for row in outcome.rows if row.status == "skipped"]
    # a case it has the contract and the rules for is put to it
    unknown = ("OpenSpiel's skat has no ", "the engine does not know the rules")
    assert all(reply.message.startswith(unknown) for row in skipped for reply in row.replies)
    assert outcome.is_green


@needs_openspiel
def test_openspiel_skips_what_it_does_not_have_and_says_what() -> None:
    outcome = asked(OPENSPIEL, "settle,check,list")
    assert not wrong(outcome)
    assert outcome.counts["skipped"] == len(outcome.rows)
    reasons = {
        reply.message.partition(":")[0]
        for row in outcome.rows
        for reply in row.replies
        if "does not know the rules" not in reply.message
    }
    assert reasons == {"no game values", "no records", "no lists", "not comparable"}


@needs_openspiel
def test_openspiel_is_not_asked_what_it_cannot_play() -> None:
    lines = [
        question(1, contract="ramsch"), question(2, contract="revolution"),
        question(3, led="S7"), question(4, contract="unknown/pass"), question(5),
    ]  # fmt: skip
    *refused, answered = answers(OPENSPIEL, RULES, *lines)[1:]
    assert all(one["skipped"] and one["message"] for one in refused)
    assert answered == {"seq": 5, "result": {"cards": ["S7"]}}


def test_without_openspiel_the_adapter_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "pyspiel.py").write_text("raise ImportError('not here')\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        OPENSPIEL, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1 and not done.stdout
    assert done.stderr.strip().endswith("pip install open_spiel")


# --- XSkat ------------------------------------------------------------------------------


def observed(*words: str) -> tuple[int, str]:
    done = subprocess.run(
        [*OBSERVER, *words], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def program(path: Path, *lines: str) -> str:
    """Write a program in place of XSkat, or around it."""
    path.write_text("\n".join([f"#!{sys.executable}", "import re, subprocess, sys", *lines]))
    path.chmod(0o755)
    return str(path)


@needs_xskat
def test_games_of_the_real_program_are_watched_and_green(tmp_path: Path) -> None:
    code, said = observed(
        "--games", "40", "--rules", "xskat -kontra -bock", "--rules", "xskat-ramschonly",
        "--rules", "xskat", "--keep", str(tmp_path),
    )  # fmt: skip
    assert code == 0, said
    assert said.count(": 40 games, 40 consistent\n") == 3, said
    assert len(list(tmp_path.glob("*/*/games.log"))) == 3


@needs_xskat
def test_a_seed_plays_the_same_games_in_several_logs(tmp_path: Path) -> None:
    words = ("--games", "310", "--seed", "77", "--keep")
    logs = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        code, said = observed(*words, str(folder))
        assert (code, "310 games, 310 consistent" in said) == (0, True), said
        logs.append([path.read_bytes() for path in sorted(folder.glob("*/*/games.log"))])
    assert logs[0] == logs[1] and len(logs[0]) == 2


WRONG = {
    "card points that were not taken": ("games.log", r"(?<=\nWon with: )\d+", "120", "S006"),
    "a value a hundred too high": (
        "games.lst", r"(?m)^(e \d 0 0 )(\d+) (\d)\n\Z", r"\g<1>1\2 \3\n", "S001",
    ),
    "the row of another game": ("games.lst", r"(?m)^e .*\n\Z", "", "without a value"),
}  # fmt: skip


@needs_xskat
@pytest.mark.parametrize("what", WRONG)
def test_a_program_that_writes_something_wrong_is_seen(what: str, tmp_path: Path) -> None:
    file, pattern, text, told = WRONG[what]
    around = program(
        tmp_path / "wrong-xskat",
        f"subprocess.run([{PROGRAM!r}, *sys.argv[1:]], check=True)",
        f"text = open({file!r}, encoding='latin-1').read()",
        f"changed = re.sub({pattern!r}, {text!r}, text, count=1)",
        "assert changed != text",
        f"open({file!r}, 'w', encoding='latin-1').write(changed)",
    )
    code, said = observed("--games", "40", "--seed", "3", "--program", around)
    assert code == 1 and told in said, said


def test_a_log_that_contradicts_itself_is_seen_whoever_wrote_it(tmp_path: Path) -> None:
    case = next(one for one in load_suite().cases if one.id == "N008-xskat-two-winners")
    log = case.payload()["record"]
    instead = program(tmp_path / "xskat", f"open('games.log', 'w').write({log!r})")
    code, said = observed("--games", "1", "--program", instead)
    assert code == 1 and "N008" in said and "1 contradicted" in said, said


def test_what_does_not_play_is_neither_green_nor_wrong(tmp_path: Path) -> None:
    quiet = program(tmp_path / "quiet", "pass")
    broken = program(tmp_path / "broken", "sys.exit(3)")
    few = program(tmp_path / "few", "open('games.log', 'w').write('')")
    for name, reason in (
        (str(tmp_path / "missing"), "is not there"), (quiet, "wrote no log"),
        (broken, "did not play"), (few, "xskat_observer:"),
    ):  # fmt: skip
        code, said = observed("--games", "2", "--program", name)
        assert code == 2 and reason in said and "Traceback" not in said, said
    code, said = observed("--rules", "no-such-rules", "--program", quiet)
    assert code == 2 and "no-such-rules" in said and "Traceback" not in said
