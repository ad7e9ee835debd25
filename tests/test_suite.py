"""Runs every case under records/ through the product, and checks the suite's own form.

A case that fails here is a disagreement between a published answer and the product;
the case is not to be bent to the product.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from skatspec import resources
from skatspec.conformance.agreement import POSITION, agreement
from skatspec.conformance.answers import answer
from skatspec.conformance.cases import Case, load_suite
from skatspec.diagnostics import Verdict
from skatspec.formats import registry, skat
from skatspec.judging import Judge
from skatspec.record import MODIFIERS, Declare, Record
from skatspec.rules import load_rules
from skatspec.rules.tables import CONTRACT
from tests import judge, oracle

RECORDS = resources.locate("records")
SUITE = load_suite()


def all_runs() -> list[Any]:
    """Return one parameter a case and profile it holds under."""
    return [
        pytest.param(case, rules, id=f"{case.id}-{rules}")
        for case in SUITE.cases
        for rules in case.rules
    ]


# --- the form of the suite --------------------------------------------------------------


VALIDATOR = jsonschema.Draft202012Validator(
    json.loads(resources.text("schemas", "case.schema.json"))
)


def test_every_file_is_a_case_of_the_schema() -> None:
    assert not load_suite(RECORDS).findings
    wrong = [
        f"{case.id}: {'/'.join(map(str, error.path))}: {error.message}"
        for case in SUITE.cases
        for error in VALIDATOR.iter_errors(case.document())
    ]
    assert not wrong, "\n".join(wrong)


def test_the_schema_refuses_a_case_without_a_rule() -> None:
    case = SUITE.cases[0].document()
    del case["rule"]
    assert not VALIDATOR.is_valid(case)


def test_ids_are_unique_whatever_the_case_of_their_letters() -> None:
    ids = [case.id.lower() for case in SUITE.cases]
    assert len(ids) == len(set(ids))


def test_a_case_is_named_after_its_file_or_folder() -> None:
    for case in SUITE.cases:
        path = case.path
        assert case.id == (path.parent.name if path.name == "case.yaml" else path.stem), path


def test_the_suite_covers_every_folder() -> None:
    folders = {case.path.relative_to(RECORDS).parts[0] for case in SUITE.cases}
    assert folders == {
        "settlement", "legality", "perft", "invalid", "variants", "irregularities", "reports",
        "lists", "auction",
    }  # fmt: skip


REPORT = re.compile(r"u[0-9]{2}")


def test_the_table_of_reports_names_every_case_of_a_report() -> None:
    text = (RECORDS / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (U[0-9]{2}) \| [^|]* \| (`[^|]*`) \|$", text, re.MULTILINE)
    table = {report.lower(): re.findall(r"`([^`]+)`", cases) for report, cases in rows}
    tagged: dict[str, list[str]] = {}
    for case in SUITE.cases:
        for tag in filter(REPORT.fullmatch, case.tags):
            tagged.setdefault(tag, []).append(case.id)
    assert table == {report: sorted(ids) for report, ids in tagged.items()}


def test_a_case_named_after_a_report_says_so_in_its_tags() -> None:
    for case in SUITE.cases:
        report = REPORT.match(case.id)
        assert report is None or report[0] in case.tags, case.path


# --- the product's answers --------------------------------------------------------------


@pytest.mark.parametrize(("case", "rules"), all_runs())
def test_the_product_gives_the_known_answer(case: Case, rules: str) -> None:
    found = answer(case.task, case.payload(), load_rules(rules))
    agreed = agreement(case.task, case.expect, found, POSITION)
    assert agreed.passed, (agreed.differs, case.note)
    assert agreed.level == agreed.most


# --- the slow reading of the rules -------------------------------------------------------


def by_oracle(given: dict[str, Any], rules: str) -> dict[str, Any]:
    """Return what the slow reading of the rules says of a case, in the case's own form."""
    words = set(given["modifiers"])
    if given["contract"] != "null" and "ouvert" in words:
        words |= {"hand", "schneider", "schwarz"}
    if "schwarz" in words:
        words.add("schneider")
    word, _, count = (given["matadors"] or "with 0").partition(" ")
    try:
        said = oracle.settle(
            rules, given["contract"], hand="hand" in words, schneider="schneider" in words,
            schwarz="schwarz" in words, ouvert="ouvert" in words,
            matadors=int(count) if word == "with" else -int(count), bid=given["bid"],
            points=given["points"], tricks=given["tricks"],
            cards=given["cards"].split() if "cards" in given else None,
        )  # fmt: skip
    except ValueError:
        return {"verdict": "contradicted"}
    if said["value"] is None:
        best_first = sorted(said["admissible"], key=lambda row: -(row["score"] or 0))
        return {"verdict": "undetermined", "admissible": best_first}
    return {name: said[name] for name in ("value", "won", "score", "overbid")}


ORACLE_READS = ("isko", "ledger", "iss", "iss-client")


def settlements() -> list[Any]:
    return [
        run for run in all_runs()
        if run.values[0].task == "settle" and run.values[1] in ORACLE_READS
    ]  # fmt: skip


@pytest.mark.parametrize(("case", "rules"), settlements())
def test_the_oracle_agrees_with_the_case(case: Case, rules: str) -> None:
    given, expected = case.input, case.expect
    variant = {"set", "kontra", "bock", "spitze"} & set(given)
    if variant or given["contract"] in ("ramsch", "revolution"):
        pytest.skip("the oracle knows no variants")
    if given["ending"] != "played-out":
        pytest.skip("the oracle settles games that were played out")
    said = by_oracle(given, rules)
    assert said == {name: value for name, value in expected.items() if name in said}


def of(task: str) -> list[Any]:
    return [pytest.param(case, id=case.id) for case in SUITE.cases if case.task == task]


@pytest.mark.parametrize("case", of("legal"))
def test_the_oracle_follows_and_takes_as_the_case_says(case: Case) -> None:
    given = case.input
    if given["contract"] in ("ramsch", "revolution"):
        pytest.skip("the oracle knows no variants")
    if "trick" in given:
        winner = oracle.trick_winner(given["contract"], given["trick"]) + 1
        points = sum(map(oracle.card_points, given["trick"]))
        assert {"winner": winner, "points": points} == case.expect
    else:
        found = oracle.legal_cards(given["contract"], given["hand"], given["led"])
        assert sorted(found) == sorted(case.expect["cards"])


@pytest.mark.parametrize("case", of("perft"))
def test_the_oracle_counts_as_the_case_says(case: Case) -> None:
    # four cards end a trick and begin the next; the whole depth takes the oracle minutes
    hands = [case.input["deal"][seat].split() for seat in "FMR"]
    assert oracle.perft(case.input["contract"], hands, 4) == case.expect["counts"][:4]


def whole_games() -> list[Any]:
    """Return the records whose every step the slow judge can walk through."""
    chosen = []
    for case in SUITE.cases:
        folder = case.path.relative_to(RECORDS).parts[0]
        rules = next((name for name in ("isko", "ledger") if name in case.rules), None)
        if folder == "auction" and rules and "set" not in case.input:
            chosen.append(pytest.param(case, rules, id=case.id))
    return chosen


@pytest.mark.parametrize(("case", "rules"), whole_games())
def test_the_slow_judge_agrees_with_an_auction_and_its_game(case: Case, rules: str) -> None:
    record = registry.parse_text(case.input["record"], case.input["format"])
    assert isinstance(record, Record)
    if case.expect["verdict"] == "undetermined" or "plays at" in case.input["record"]:
        pytest.skip("the judge wants every call and every card on record")
    found = judge.faults(rules, record)
    assert bool(found) is (case.expect["verdict"] == "contradicted"), found


# --- games ------------------------------------------------------------------------------

GAMES = RECORDS / "games"
FORMS = sorted((GAMES / "input-forms").glob("*.skat"))
SAMPLES = sorted(GAMES.glob("*.skat"))
NOT_CONSISTENT = yaml.safe_load((GAMES / "EXPECT.yaml").read_text(encoding="utf-8"))


def the_record(path: Path) -> Record:
    (record,) = registry.open_records(path)
    assert isinstance(record, Record), record.findings
    return record


def test_every_exception_names_a_game() -> None:
    assert set(NOT_CONSISTENT) <= {path.stem for path in SAMPLES}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_game_gets_its_verdict(path: Path) -> None:
    report = Judge().check(the_record(path))
    assert report.verdict.value == NOT_CONSISTENT.get(path.stem, "consistent"), report.findings
    assert report.id == path.stem


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_game_is_in_canonical_form(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert skat.format_text(text) == text


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_game_says_what_it_shows(path: Path) -> None:
    assert the_record(path).comments[0].where == "tag/0"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("form", ["skat", "json"])
def test_a_sample_game_survives_writing_and_reading(path: Path, form: str) -> None:
    record = the_record(path)
    text, losses = registry.write_record(record, form)
    assert not losses
    assert registry.parse_text(text, form) == record


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_every_spelling_gives_the_same_record_and_formats_to_english(path: Path) -> None:
    record = the_record(path)
    canonical = the_record(GAMES / f"{record.id}.skat")
    assert (record.tags, record.deal, record.steps, record.result) == (
        canonical.tags, canonical.deal, canonical.steps, canonical.result,
    )  # fmt: skip
    text = path.read_text(encoding="utf-8")
    formatted = skat.format_text(text)
    assert formatted != text
    assert "Cards" not in formatted
    assert skat.format_text(formatted) == formatted


def test_the_server_records_are_consistent() -> None:
    records = list(registry.open_records(GAMES / "sample.sgf"))
    assert len(records) >= 5
    assert {Judge().check(record).verdict for record in records} == {Verdict.CONSISTENT}


def test_the_games_show_every_contract_and_every_announcement() -> None:
    seen = set()
    for path in SAMPLES:
        for step in the_record(path).steps:
            if isinstance(step, Declare):
                seen.add(step.contract)
                seen |= {word for word, bit in MODIFIERS.items() if step.modifiers & bit}
    assert seen >= {*CONTRACT, *MODIFIERS}
