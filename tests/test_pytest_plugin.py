"""The suite inside the tests of somebody's engine: one id a case, and what fails says why."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest

import skatspec
from skatspec.conformance.cases import load_suite

PLUGIN = ["-p", "skatspec.conformance.plugin", "-p", "no:cacheprovider"]
pytest_plugins = ["pytester"]

OWN = """\
from skatspec.conformance.answers import answer
from skatspec.rules import load_rules

def test_ours(skat_case):
    skat_case.check(answer(skat_case.task, skat_case.input, load_rules(skat_case.rules)))
"""
LAZY = """\
import pytest

@pytest.mark.skat_select("legal")
def test_lazy(skat_case):
    assert skat_case.tables["points"]
    skat_case.check({"cards": ["S7"], "winner": 1, "points": 0})
"""


@pytest.fixture(autouse=True)
def found_by_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(skatspec.__file__).parents[1]))


def ran(pytester: pytest.Pytester, text: str, *args: str) -> pytest.RunResult:
    """Run tests of a project that has skatspec installed, in a process of its own."""
    pytester.makepyfile(test_engine=text)
    # in a checkout without an installation nothing names the plugin to pytest
    installed = entry_points(group="pytest11", name="skatspec")
    plugin = [] if installed else PLUGIN
    return pytester.runpytest_subprocess(*plugin, *args)


def number(*words: str) -> int:
    return len(load_suite().select([*words, "rules:isko"]))


def test_every_case_of_the_selection_is_a_test(pytester: pytest.Pytester) -> None:
    result = ran(pytester, OWN, "--skat-select", "list", "-v")
    result.assert_outcomes(passed=number("list"))
    result.stdout.fnmatch_lines(["*test_ours?lc2-three-deals-at-three?*PASSED*"])


def test_a_wrong_answer_fails_with_its_rule(pytester: pytest.Pytester) -> None:
    result = ran(pytester, LAZY, "--skat-select", "id:l07*")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["l07-grand-a-jack-follows-a-jack (isko)", "rule: ISkO 2022 4.2"])


def test_a_case_known_to_fail_that_passes_fails_the_test(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nskat_skip = known.txt\nskat_select = legal\n")
    Path(pytester.path, "known.txt").write_text("l01-a-jack-does-not-follow-its-suit  # bug 7\n")
    result = ran(pytester, OWN, "--skat-select", "id:l0*")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(failed=1, passed=number("legal", "id:l0*") - 1)


def test_other_profiles_are_asked_for_in_the_ini_file(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nskat_rules = iss-client ledger\n")
    result = ran(pytester, OWN, "--skat-select", "settle", "--collect-only", "-q")
    cases = load_suite().select(["settle"])
    expected = [case for case in cases if {"iss-client", "ledger"} & set(case.rules)]
    assert sum("::" in line for line in result.outlines) == len(expected)


def test_a_selection_of_nothing_is_wrong_usage(pytester: pytest.Pytester) -> None:
    result = ran(pytester, OWN, "--skat-select", "tag:nothing-like-it")
    assert result.ret != 0
    assert "selects no case" in result.stdout.str() + result.stderr.str()


def test_tests_that_do_not_ask_are_left_alone(pytester: pytest.Pytester) -> None:
    ran(pytester, "def test_other():\n    assert True\n").assert_outcomes(passed=1)
