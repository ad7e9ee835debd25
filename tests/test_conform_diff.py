"""`conform diff`: engines with one rule wrong are found by made-up games, and what they are shown
is small, a valid case, and still shows it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from skatspec import load_rules
from skatspec.cards import BY_NAME
from skatspec.conformance import outcome as words
from skatspec.conformance import runner
from skatspec.conformance.cases import Case, load_suite
from skatspec.conformance.difference import differential, shrink, shrink_record
from skatspec.conformance.difference.differential import Found, Order, Outcome, run
from skatspec.conformance.difference.disagreement import Kind
from skatspec.conformance.difference.found_case import text, write
from skatspec.conformance.process import Limits
from skatspec.errors import UsageError
from tests.clirun import Skatspec, skatspec

__all__ = ["skatspec"]

ROOT = Path(__file__).parent.parent
LIMITS = Limits(timeout=60.0, start_timeout=60.0)
SERVE = (sys.executable, "-m", "skatspec", "conform", "serve")
ISKO = load_rules("isko")

# skatspec with one rule changed; the body of `change` sees what was asked and the right answer.
CHANGED = """\
import sys
from skatspec.conformance import serve
from skatspec.rules import load_rules

KEYS = {keys!r}

def change(task, given, said):
{body}

class Wrong(serve.Engine):
    def rule(self, said):
        self.rules = load_rules(said["name"], KEYS)
        return {{"ok": True}}

    def run(self, said):
        answer = super().run(said)
        if "result" in answer:
            change(said["task"], said["input"], answer["result"])
        return answer

serve.Engine = Wrong
serve.serve(sys.stdin.buffer, sys.stdout.buffer)
"""
# No skatspec in it, so that it starts at once; `answer` returns a list of lines to print.
PLAIN = """\
import json, sys, time

TASKS = {tasks!r}

def answer(seq, task, given, number):
{body}

number = 0
for line in sys.stdin:
    said = json.loads(line)
    if said["cmd"] == "start":
        out = [{{"protocol": 1, "engine": {{"name": "plain", "version": "1", "language": "Python"}},
                "rules": ["isko"], "tasks": TASKS}}]
    elif said["cmd"] == "rules":
        out = [{{"ok": True}}]
    elif said["cmd"] == "run":
        number += 1
        out = answer(said["seq"], said["task"], said["input"], number)
    else:
        break
    for one in out:
        print(json.dumps(one), flush=True)
"""
SKIPS = 'return [{"seq": seq, "skipped": True, "message": "not yet"}]'

Engine = Callable[..., tuple[str, ...]]


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Return a function that writes an engine and returns its command."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    def made(body: str, *, keys: tuple[str, ...] = (), tasks: tuple[str, ...] = ()) -> Any:
        path = tmp_path / "engine.py"
        lines = "\n".join(f"    {line}" for line in body.splitlines())
        template = PLAIN if tasks else CHANGED
        path.write_text(template.format(keys=keys, body=lines, tasks=list(tasks)))
        return sys.executable, str(path)

    return made


def compared(
    command: tuple[str, ...], folder: Path, order: Order, limits: Limits = LIMITS
) -> tuple[Outcome, list[Path]]:
    """Compare an engine; return the outcome and the files that were written."""
    files: list[Path] = []

    def told(found: Found, engine: Any) -> None:
        files.extend(write(found, order, engine, folder))

    return run(command, order, limits, told), files


def again(command: tuple[str, ...], folder: Path) -> tuple[list[Case], list[str]]:
    """Run the cases of a folder as a suite: the cases, and what became of each."""
    suite = load_suite(folder)
    assert suite.findings == ()  # each is a case of the schema
    result = runner.run(command, suite.cases, runner.Options(limits=LIMITS))
    return list(suite.cases), [row.status for row in result.rows]


def one(command: tuple[str, ...], folder: Path, order: Order) -> tuple[Found, Case]:
    """Compare until the first disagreement, which is small, and fails again as a case."""
    outcome, files = compared(command, folder, order)
    (found,) = outcome.found
    cases, status = again(command, folder)
    assert files[0] == folder / f"{cases[0].id}.yaml"
    assert status == [words.UNANSWERED if found.difference.kind.fault else words.FAILED]
    assert found.alone and found.asked <= shrink.MOST_QUESTIONS
    assert not outcome.is_clean and outcome.games <= order.count
    return found, cases[0]


def lines(case: Case) -> int:
    return len(case.input["record"].splitlines())


# --- wrong engines ------------------------------------------------------------------------


def test_a_schneider_limit_of_31_is_found_in_the_facts(engine: Engine, tmp_path: Path) -> None:
    command = engine("pass", keys=("winning.schneider=31",))
    order = Order(500, seed=5, mutated=0, tasks=("settle",))
    _, case = one(command, tmp_path / "found", order)
    assert case.input["points"] in (31, 89) and case.input["modifiers"] == []
    assert case.input["bid"] == ISKO.tables.bids[0]
    assert "ISkO 2022" in case.rule


def test_a_schneider_limit_of_31_is_found_in_a_record(engine: Engine, tmp_path: Path) -> None:
    command = engine("pass", keys=("winning.schneider=31",))
    found, case = one(command, tmp_path / "found", Order(300, 2, tasks=("check",)))
    assert lines(case) <= 16 and "deal" not in case.input["record"]
    assert case.rule.startswith("ISkO 2022")
    assert case.source == f"found by skatspec conform diff, seed 2 game {found.first.game + 1}"


JACK_FOLLOWS_ITS_SUIT = """\
if task == "legal" and "hand" in given and given["contract"] != "null":
    follow = [card for card in given["hand"] if card[0] == given["led"][0]]
    said["cards"] = sorted(follow or given["hand"])
"""


def test_a_jack_that_follows_its_printed_suit_is_found_with_two_cards(
    engine: Engine, tmp_path: Path
) -> None:
    found, case = one(engine(JACK_FOLLOWS_ITS_SUIT), tmp_path / "found", Order(100))
    assert found.first.task == "legal" and len(case.input["hand"]) <= 2
    assert any(card[1] == "J" for card in [*case.input["hand"], case.input["led"]])


def test_a_ten_below_the_king_is_found_with_plain_cards(engine: Engine, tmp_path: Path) -> None:
    body = """\
if "trick" in given and given["contract"] != "null":
    led, *rest = given["trick"]
    if led[1] == "T" and led[0] + "K" in rest:
        said["winner"] = 2 + rest.index(led[0] + "K")
"""
    order = Order(400, mutated=0, tasks=("legal",))
    _, case = one(engine(body), tmp_path / "found", order)
    led, *rest = case.input["trick"]
    assert led[1] == "T" and led[0] + "K" in rest
    assert sum(ISKO.tables.points[BY_NAME[card]] for card in rest) <= 4


def test_a_wrong_verdict_on_overbid_games_is_found(engine: Engine, tmp_path: Path) -> None:
    body = """\
if task == "check" and ", overbid" in given["record"] and said["verdict"] == "consistent":
    said.update(verdict="contradicted", codes=["S008"])
"""
    _, case = one(engine(body), tmp_path / "found", Order(200, tasks=("check",)))
    assert case.expect["verdict"] == "consistent" and "overbid" in case.input["record"]
    assert lines(case) <= 18 and case.rule == ISKO.profile.cite("overbid")


BELIEVES = 'if task == "check":\n    said.clear()\n    said["verdict"] = "consistent"'


def test_an_engine_that_believes_every_record_is_found_twice_in_the_same_way(
    engine: Engine, tmp_path: Path
) -> None:
    command, order = engine(BELIEVES), Order(50, tasks=("check",))
    found, case = one(command, tmp_path / "found", order)
    assert found.first.mutation in case.tags and lines(case) <= 16
    record = tmp_path / "found" / f"{case.id}.skat"
    assert record.read_text() == case.input["record"]
    _, files = compared(command, tmp_path / "again", order)
    assert [path.name for path in files] == [case.path.name, record.name]
    assert [path.read_bytes() for path in files] == [case.path.read_bytes(), record.read_bytes()]


def test_a_text_that_cannot_be_read_is_made_short_too(engine: Engine, tmp_path: Path) -> None:
    body = """\
if said.get("verdict") == "unreadable":
    said.update(verdict="consistent", codes=[])
"""
    order = Order(300, form="iss", tasks=("check",))
    _, case = one(engine(body), tmp_path / "found", order)
    assert case.expect["verdict"] == "unreadable" and len(case.input["record"]) <= 80
    assert (tmp_path / "found" / f"{case.id}.sgf").exists()


# --- engines at fault -----------------------------------------------------------------------


def test_a_crash_is_a_disagreement_and_is_made_small(engine: Engine, tmp_path: Path) -> None:
    body = f'if " null" in given["record"]:\n    raise KeyError("null")\n{SKIPS}'
    command = engine(body, tasks=("check",))
    found, case = one(command, tmp_path / "found", Order(100))
    assert found.difference.kind.fault == "C003"
    assert lines(case) <= 8 and "C003" in case.note and "KeyError" in case.note


def test_silence_is_a_disagreement_too(engine: Engine, tmp_path: Path) -> None:
    body = f'if given["contract"] == "null":\n    time.sleep(60)\n{SKIPS}'
    command = engine(body, tasks=("settle",))
    # each silence is waited for, and so nothing is shrunk here
    limits = replace(LIMITS, timeout=2.0)
    order = Order(100, shrunk=False)
    outcome, _ = compared(command, tmp_path / "found", order, limits)
    (found,) = outcome.found
    assert found.difference.kind.fault == "C002" and found.given["contract"] == "null"
    assert outcome.counts["settle"]["unanswered"] == 1 and not outcome.counts["settle"]["agreed"]


def test_a_crash_that_hangs_on_earlier_questions_is_told_as_it_was_met(
    engine: Engine, tmp_path: Path
) -> None:
    command = engine(f"if number == 7:\n    sys.exit(3)\n{SKIPS}", tasks=("check",))
    outcome, files = compared(command, tmp_path / "found", Order(50))
    (found,) = outcome.found
    assert (found.first.game, found.alone, found.given) == (6, False, found.first.given)
    assert "by a new process, it did not" in files[0].read_text()


def test_an_answer_given_twice_is_charged_to_its_question(engine: Engine, tmp_path: Path) -> None:
    body = (
        'out = {"seq": seq, "skipped": True, "message": "no"}\nreturn [out] * (1 + (number == 3))'
    )
    outcome, _ = compared(engine(body, tasks=("check",)), tmp_path / "found", Order(9))
    (found,) = outcome.found
    assert found.difference.kind.fault == "C008" and found.first.game == 2
    assert outcome.counts["check"] == {"skipped": 2, "unanswered": 1}


def test_an_engine_that_is_always_at_fault_is_given_up(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(differential, "MOST_FAULTS", 5)
    command = engine("sys.exit(3)", tasks=("legal",))
    order = Order(200, keep_going=True, shrunk=False)
    outcome, files = compared(command, tmp_path / "found", order)
    assert outcome.ended is not None and outcome.ended.code == "C019"
    assert len(outcome.found) == 1 == len(files)
    assert outcome.sum("agreed") == 0 and not outcome.is_clean


def test_a_command_that_cannot_be_started_compares_nothing(tmp_path: Path) -> None:
    outcome, _ = compared((sys.executable, "-c", "pass"), tmp_path, Order(5))
    assert outcome.ended is not None and outcome.ended.code == "C003"
    assert outcome.questions == 0 and not outcome.is_clean


# --- no disagreement ------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "form", "rules"), [
    (1, "skat", "isko"), (2, "iss", "iss"), (3, "skat", "ledger"),
])  # fmt: skip
def test_skatspec_agrees_with_itself(seed: int, form: str, rules: str, tmp_path: Path) -> None:
    order = Order(200, seed, rules, form=form, keep_going=True)
    outcome, files = compared(SERVE, tmp_path, order)
    assert outcome.is_clean and files == [] and outcome.games == 200
    assert outcome.questions == outcome.sum("agreed")
    assert all(outcome.counts[task].total() > 50 for task in ("check", "settle", "legal"))


def test_changed_keys_are_told_to_the_engine(tmp_path: Path) -> None:
    order = Order(30, settings=("winning.points=62",))
    outcome, _ = compared(SERVE, tmp_path, order)
    assert outcome.is_clean and "legal" in outcome.left_out


LEGAL_ONLY = """\
trumps = [s + "J" for s in "CSHD"]
if "trick" in given:
    return [{"seq": seq, "skipped": True, "message": "tricks are not counted yet"}]
suit = {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D"}.get(given["contract"])
def follows(card):
    trump = given["contract"] != "null" and (card in trumps or card[0] == suit)
    return "trump" if trump else card[0]
same = [c for c in given["hand"] if follows(c) == follows(given["led"])]
return [{"seq": seq, "result": {"cards": sorted(same or given["hand"])}}]
"""


def test_an_engine_that_knows_only_legality_can_be_compared(engine: Engine, tmp_path: Path) -> None:
    outcome, _ = compared(engine(LEGAL_ONLY, tasks=("legal",)), tmp_path, Order(60))
    assert outcome.is_clean and set(outcome.left_out) == {"check", "settle"}
    counts = outcome.counts["legal"]
    assert counts["agreed"] > 50 and counts["skipped"] > 20
    assert outcome.reasons == {"tricks are not counted yet": counts["skipped"]}


def test_what_is_skipped_is_never_agreement(engine: Engine, tmp_path: Path) -> None:
    outcome, _ = compared(engine(SKIPS, tasks=("legal", "check")), tmp_path, Order(5))
    assert outcome.sum("agreed") == 0 and not outcome.found and not outcome.is_clean


# --- the run --------------------------------------------------------------------------------


def test_keep_going_tells_one_disagreement_of_each_kind(engine: Engine, tmp_path: Path) -> None:
    body = (
        JACK_FOLLOWS_ITS_SUIT
        + """\
if "trick" in given:
    said["points"] += 1
if "won" in said:
    said["won"] = not said["won"]
"""
    )
    order = Order(15, keep_going=True, mutated=0)
    outcome, files = compared(engine(body), tmp_path / "found", order)
    kinds = [found.difference.kind for found in outcome.found]
    assert len(kinds) == len(set(kinds)) == len({path.name for path in files})
    told = {(kind.task, *sorted(kind.differs)) for kind in kinds}
    assert told == {("legal", "cards"), ("legal", "points"), ("settle", "won")}
    assert outcome.games == 15 and outcome.sum("differs") > len(kinds)
    assert outcome.counts["check"]["agreed"] == 15


def test_without_shrinking_a_question_stays_as_it_was_asked(engine: Engine, tmp_path: Path) -> None:
    order = Order(100, shrunk=False)
    outcome, _ = compared(engine(JACK_FOLLOWS_ITS_SUIT), tmp_path / "found", order)
    (found,) = outcome.found
    assert found.given == found.first.given and found.asked == 0 and found.alone


@pytest.mark.parametrize("order", [
    Order(5, rules="no-such"), Order(5, rules="profile.yaml"), Order(5, mutated=2.0),
    Order(5, rules="iss-ramsch", tasks=("list",)),
])  # fmt: skip
def test_orders_that_make_no_sense_are_refused(order: Order, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        compared(SERVE, tmp_path, order)


def test_an_engine_without_these_rules_is_refused(engine: Engine, tmp_path: Path) -> None:
    command = engine(SKIPS, tasks=("check",))
    with pytest.raises(UsageError, match="does not know the rules ledger"):
        compared(command, tmp_path, Order(5, rules="ledger"))
    with pytest.raises(UsageError, match="nothing to compare"):
        compared(command, tmp_path, Order(5, tasks=("settle",)))


def test_the_command_line_tells_what_both_say_and_where_the_files_are(
    engine: Engine, tmp_path: Path, skatspec: Skatspec
) -> None:
    folder = tmp_path / "found"
    command = engine(JACK_FOLLOWS_ITS_SUIT)
    words = ["conform", "diff", "--games", 50, "--output", folder, "--", *command]
    ran = skatspec(*words)
    (case,) = folder.glob("*.yaml")
    assert ran.code == 1 and ran.err == ""
    for wanted in ("DISAGREE game 1 of seed 1 (legal)", "skatspec:", "engine:", "ISkO 2022 4.2",
                   "1 disagreement", "ask again: skatspec conform run --suite"):  # fmt: skip
        assert wanted in ran.out
    assert case.name in ran.out.replace("\n", "").replace(" ", "")
    clean = skatspec("conform", "diff", "--games", 10, "--", *SERVE)
    assert clean.code == 0 and "no disagreement" in clean.out
    assert skatspec("conform", "diff", "--games", 5, "--", "no-such-command-here").code == 2
    assert skatspec("conform", "diff", "--games", 5, "--rules", "x", "--", *SERVE).code == 2
    assert skatspec("conform", "diff", "--games", 5, "--output", case, "--", *SERVE).code == 2


# --- the parts ------------------------------------------------------------------------------


def test_fewer_leaves_only_what_is_needed() -> None:
    asked = []

    def holds(kept: tuple[int, ...]) -> bool:
        asked.append(kept)
        return {3, 17, 18} <= set(kept)

    assert shrink_record.fewer(range(40), holds) == (3, 17, 18)
    assert len(asked) < 120 and all(len(kept) < 40 for kept in asked)
    assert shrink_record.fewer((), holds) == ()


def test_a_trial_asks_nothing_twice_and_ends() -> None:
    trial = shrink.Trial(lambda given: given["n"] % 2 == 0, is_fault=False, most=3)
    assert [trial({"n": n}) for n in (2, 2, 3, 4, 6)] == [True, False, False, True, False]
    assert trial.asked == 3
    faults = shrink.Trial(lambda given: True, is_fault=True)
    assert sum(faults({"n": n}) for n in range(100)) == shrink.MOST_FAULTS


def test_a_kind_may_become_narrower_but_no_other() -> None:
    kind = Kind("check", "contradicted", "consistent", frozenset({"verdict", "codes"}),
                frozenset({"S001", "S005"}))  # fmt: skip
    assert kind.holds(replace(kind, missing=frozenset({"S001"})))
    for other in (
        None, replace(kind, ours="undetermined"), replace(kind, missing=frozenset()),
        replace(kind, missing=frozenset({"S002"})), replace(kind, extra=frozenset({"S001"})),
        replace(kind, fault="C003"),
    ):  # fmt: skip
        assert not kind.holds(other)


@pytest.mark.parametrize("record", [
    "%skat 1\ncontract\n  F null\n", "no end of line", " begins with a blank\n\n\n",
    "\x1b[2J\x07\n", "tab\there \n", "a: b # c\n---\n...\n", "\u20ac \u2028 \n", "%skat 1\r\n",
])  # fmt: skip
def test_a_record_inside_a_case_reads_back_as_it_was(record: str) -> None:
    case = {"input": {"format": "skat", "record": record}, "expect": {"verdict": "none"}}
    written = text(case)
    assert yaml.safe_load(written) == case
    assert json.loads(json.dumps(case)) == case
    if record.startswith("%skat 1\nc"):
        assert "record: |\n    %skat 1\n    contract\n" in written
