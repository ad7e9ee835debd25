"""A plugin of pytest: the suite in the tests of a Python engine, one test id a case.

A test that takes the fixture `skat_case` runs once for each case. pytest finds the plugin
by itself where skatspec is installed, and it does nothing for tests that do not ask.

    def test_my_engine(skat_case):
        if skat_case.task != "legal":
            skat_case.skip("not done yet")
        skat_case.check(my_engine.answer(skat_case.task, skat_case.input))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from skatspec.conformance.cases import Case

FIXTURE = "skat_case"
_SELECT, _RULES, _SKIP = "skat_select", "skat_rules", "skat_skip"


@dataclass(frozen=True)
class SkatCase:
    """A case as a test gets it: what is asked, and a check of the answer.

    `rules` is the profile it is asked under, of the ini option `skat_rules`; `input` has its
    files inside, as `record` or `base64`.
    """

    case: Case
    rules: str

    @property
    def id(self) -> str:
        """Return the case's id."""
        return self.case.id

    @property
    def task(self) -> str:
        """Return the task: legal, check, settle, list or perft."""
        return self.case.task

    @property
    def tags(self) -> tuple[str, ...]:
        """Return the case's tags."""
        return self.case.tags

    @property
    def input(self) -> dict[str, Any]:
        """Return what is asked, as an engine of the protocol gets it."""
        return self.case.payload()

    @property
    def tables(self) -> dict[str, Any]:
        """Return the rules as numbers, as an engine of the protocol gets them."""
        from skatspec.conformance.protocol import rules_message
        from skatspec.rules import load_rules

        rules = load_rules(self.rules, tuple(self.case.input.get("set", ())))
        tables: dict[str, Any] = rules_message(self.rules, rules)["tables"]
        return tables

    def skip(self, reason: str) -> NoReturn:
        """Skip the test: the engine cannot do the case, for this reason."""
        pytest.skip(reason)

    def check(self, result: dict[str, Any]) -> None:
        """Fail the test where an answer is not the known one, with the rule and its edition."""
        from skatspec.conformance.agreement import agreement

        agreed = agreement(self.case.task, self.case.expect, result)
        if not agreed.passed:
            told = "\n  ".join(agreed.differs)
            why = f"rule: {self.case.rule}\nnote: {self.case.note}"
            pytest.fail(f"{self.id} ({self.rules})\n  {told}\n{why}", False)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the suite, to the command line and to the ini file."""
    group = parser.getgroup("skatspec", "the suite of known answers about Skat")
    group.addoption(
        "--skat-select", action="append", default=[], metavar="WORD",
        help="only cases that the word means, as `skatspec conform run --select` takes it",
    )  # fmt: skip
    parser.addini(_SELECT, "only cases that these words mean", "args", [])
    parser.addini(_RULES, "the profiles that the engine plays by, the first that fits", "args",
                  ["isko"])  # fmt: skip
    parser.addini(_SKIP, "file of cases known to fail; one that passes fails the test", "string",
                  "")  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers", "skat_select(*words): only cases of the suite that all words mean"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that asks for a case every case of the selection."""
    if FIXTURE not in metafunc.fixturenames:
        return
    from skatspec.conformance.cases import load_suite
    from skatspec.conformance.skips import read_skips
    from skatspec.errors import UsageError

    config = metafunc.config
    words = [*config.getini(_SELECT), *config.getoption("--skat-select")]
    for marker in metafunc.definition.iter_markers(_SELECT):
        words += marker.args
    listed = config.getini(_SKIP)
    asked = config.getini(_RULES)
    try:
        suite = load_suite()
        cases = suite.select(words)
        for name in asked:
            suite.select([f"rules:{name}"])
        known = read_skips(config.rootpath / listed) if listed else {}
        for name in known:
            suite.select([f"id:{name}"])
    except UsageError as error:
        raise pytest.UsageError(str(error)) from None
    params = []
    for case in cases:
        rules = next((one for one in asked if one in case.rules), None)
        if rules is None:
            continue
        marks = []
        if case.id in known:
            reason = f"on the list of known failures (C012): {known[case.id]}".rstrip(": ")
            marks = [pytest.mark.xfail(reason=reason, strict=True)]
        params.append(pytest.param(SkatCase(case, rules), id=case.id, marks=marks))
    metafunc.parametrize(FIXTURE, params)
