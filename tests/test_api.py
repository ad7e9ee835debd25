"""The public interface: what it answers, what it raises, and that importing it costs nothing."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import skatspec
from tests.clirun import BROKEN, GOOD, NO_SKAT, WRONG_SCORE

HEAVY = ("lark", "yaml", "jsonschema", "rich", "click", "skatspec.check", "skatspec.engine")


def record(text: str) -> skatspec.Record:
    found = skatspec.parse(text)
    assert isinstance(found, skatspec.Record)
    return found


def python(code: str) -> str:
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return ran.stdout


def test_every_public_name_exists_and_is_listed() -> None:
    for name in skatspec.__all__:
        assert getattr(skatspec, name) is not None
        assert name in dir(skatspec)
    with pytest.raises(AttributeError, match="no attribute"):
        skatspec.nothing  # noqa: B018


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = f"import skatspec, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert python(code).strip() == "[]"


@pytest.mark.parametrize("first", ["import skatspec.check", "from skatspec.check import Report"])
def test_check_stays_a_function_when_its_module_is_imported(first: str) -> None:
    code = f"import skatspec\n{first}\nprint(type(skatspec.check).__name__)"
    assert python(code).strip() == "function"
    assert importlib.import_module("skatspec.check").Report is skatspec.Report


def test_check_judges_by_the_rules_that_are_given_first() -> None:
    server = record(GOOD.replace('"isko"', '"iss"'))
    assert skatspec.check(server).rules == "iss"
    assert skatspec.check(server, "ledger").rules == "ledger"
    assert skatspec.check(server, skatspec.load_rules("isko-2015")).rules == "isko-2015"


def test_check_judges_by_the_formats_default_where_nothing_is_said() -> None:
    own = record(GOOD.replace(' [Rules "isko"]', ""))
    assert skatspec.check(own).rules == "isko"
    served = record(skatspec.write(own, "iss"))
    assert skatspec.check(served).rules == "iss"


@pytest.mark.parametrize("name", ["isk0", "../profiles/isko", "/etc/passwd", "isko.yaml", ""])
def test_unknown_rules_are_a_finding_and_nothing_is_judged_by_others(name: str) -> None:
    report = skatspec.check(record(WRONG_SCORE.replace('"isko"', f'"{name}"')))
    assert [one.code for one in report.findings] == ["R005"]
    assert report.verdict is skatspec.Verdict.UNREADABLE
    assert (report.id, report.score, report.findings[0].line) == ("wrong", None, 2)


def test_asked_for_rules_overrule_an_unknown_tag() -> None:
    report = skatspec.check(record(GOOD.replace('"isko"', '"isk0"')), "isko")
    assert report.verdict is skatspec.Verdict.CONSISTENT


def test_a_broken_record_is_unreadable() -> None:
    broken = skatspec.parse(BROKEN)
    assert isinstance(broken, skatspec.BrokenRecord)
    assert skatspec.check(broken).verdict is skatspec.Verdict.UNREADABLE


def test_a_record_that_hides_what_decides_is_undetermined() -> None:
    report = skatspec.check(record(NO_SKAT))
    assert report.verdict is skatspec.Verdict.UNDETERMINED
    assert report.score is None
    assert 40 in report.admissible["score"]


def test_replay_stops_where_it_is_told() -> None:
    game = record(GOOD)
    assert len(skatspec.replay(game, "isko", 9 + 6).game.tricks) == 2
    assert len(skatspec.replay(game).game.tricks) == 10


def test_read_is_lazy_and_names_what_it_cannot_open(tmp_path: Path) -> None:
    (tmp_path / "two.skat").write_text(GOOD + WRONG_SCORE)
    ids = [one.id for one in skatspec.read(tmp_path / "two.skat")]  # type: ignore[union-attr]
    assert ids == ["good", "wrong"]
    with pytest.raises(skatspec.InputError, match="E008"):
        skatspec.read(tmp_path / "none.skat")


def test_write_names_what_is_lost_and_refuses_what_cannot_be_written() -> None:
    text, losses = skatspec.write_with_losses(record(GOOD), "iss")
    assert text.startswith("(;GM[Skat]")
    assert [one.code for one in losses] == ["X001"]
    assert skatspec.parse(skatspec.write(record(GOOD))) == record(GOOD)
    strange = skatspec.Record(steps=(skatspec_declare("solo"),))
    with pytest.raises(skatspec.UsageError, match="X007"):
        skatspec.write(strange, "iss")
    with pytest.raises(skatspec.UsageError, match="no format"):
        skatspec.write(record(GOOD), "pgn")


def skatspec_declare(contract: str) -> object:
    from skatspec.record import Declare

    return Declare(0, contract)


def test_wrong_use_and_wrong_rules_raise_what_the_page_says() -> None:
    with pytest.raises(skatspec.ProfileError, match="F005"):
        skatspec.load_rules("nowhere")
    with pytest.raises(skatspec.UsageError, match="no such contract"):
        skatspec.settle(contract="solo")
    for error in (skatspec.InputError, skatspec.ProfileError, skatspec.UsageError):
        assert issubclass(error, skatspec.SkatspecError)
