"""Runs every case under records/ through the product, and checks the suite's own form.

A case that fails here is a disagreement between a published answer and the product;
the case is not to be bent to the product.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from skatspec import cards, resources, settling, settling_ramsch
from skatspec.diagnostics import Severity, Verdict, entry
from skatspec.engine import play
from skatspec.engine.perft import perft
from skatspec.errors import InputError, ProfileError
from skatspec.formats import registry, skat
from skatspec.formats.lines import from_text
from skatspec.judging import Judge
from skatspec.record import MODIFIERS, BrokenRecord, Declare, Record
from skatspec.rules import load_rules
from skatspec.rules.tables import CONTRACT
from tests import oracle

RECORDS = resources.locate("records")
CASE_FILES = sorted(
    path
    for path in RECORDS.rglob("*.yaml")
    if path.relative_to(RECORDS).parts[0] != "games" and path.name != "profile.yaml"
)


def load(path: Path) -> dict[str, Any]:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(data, dict), f"{path} is no case"
    return data


@cache
def all_cases() -> tuple[tuple[Path, dict[str, Any]], ...]:
    return tuple((path, load(path)) for path in CASE_FILES)


def runs(task: str) -> list[Any]:
    """Return one parameter a case of this task and profile it holds under."""
    return [
        pytest.param(path, case, rules, id=f"{case['id']}-{rules}")
        for path, case in all_cases()
        if case["task"] == task
        for rules in case["rules"]
    ]


# --- the form of the suite --------------------------------------------------------------


def test_every_case_is_valid_under_the_schema() -> None:
    validator = jsonschema.Draft202012Validator(
        json.loads(resources.text("schemas", "case.schema.json"))
    )
    wrong = [
        f"{path}: {'/'.join(map(str, error.path))}: {error.message}"
        for path, case in all_cases()
        for error in validator.iter_errors(case)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_schema_refuses_a_case_without_a_rule() -> None:
    validator = jsonschema.Draft202012Validator(
        json.loads(resources.text("schemas", "case.schema.json"))
    )
    case = dict(all_cases()[0][1])
    del case["rule"]
    assert not validator.is_valid(case)


def test_ids_are_unique() -> None:
    ids = [case["id"].lower() for _, case in all_cases()]
    assert len(ids) == len(set(ids))


def test_a_case_is_named_after_its_file_or_folder() -> None:
    for path, case in all_cases():
        expected = path.parent.name if path.name == "case.yaml" else path.stem
        assert case["id"] == expected, path


def test_the_suite_covers_every_folder() -> None:
    folders = {path.relative_to(RECORDS).parts[0] for path in CASE_FILES}
    assert folders == {
        "settlement", "legality", "perft", "invalid", "variants", "irregularities", "reports",
    }  # fmt: skip


REPORT = re.compile(r"u[0-9]{2}")


def test_the_table_of_reports_names_every_case_of_a_report() -> None:
    text = (RECORDS / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (U[0-9]{2}) \| [^|]* \| (`[^|]*`) \|$", text, re.MULTILINE)
    table = {report.lower(): re.findall(r"`([^`]+)`", cases) for report, cases in rows}
    tagged: dict[str, list[str]] = {}
    for _, case in all_cases():
        for tag in filter(REPORT.fullmatch, case["tags"]):
            tagged.setdefault(tag, []).append(case["id"])
    assert table == {report: sorted(ids) for report, ids in tagged.items()}


def test_a_case_named_after_a_report_says_so_in_its_tags() -> None:
    for path, case in all_cases():
        report = REPORT.match(case["id"])
        assert report is None or report[0] in case["tags"], path


# --- settle -----------------------------------------------------------------------------


def asked(given: dict[str, Any]) -> settling.Question:
    """Return the facts of a case as a question."""
    words = given["modifiers"]
    return settling.question(
        contract=given["contract"],
        hand="hand" in words,
        announce=[word for word in words if word in ("schneider", "schwarz")],
        ouvert="ouvert" in words,
        matadors=given["matadors"],
        cards=given.get("cards"),
        bid=given["bid"],
        no_bid=given["bid"] is None,
        points=given["points"],
        tricks=given["tricks"],
        ending=given["ending"],
        spitze=given.get("spitze"),
        kontra=given.get("kontra", 0),
        bock=given.get("bock", False),
    )


def settled(given: dict[str, Any], rules: str) -> settling.Answer:
    """Return what the product says of a case's facts."""
    under = load_rules(rules, tuple(given.get("set", ())))
    if given["contract"] != "ramsch":
        return settling.settle(asked(given), under)
    words = ("points", "tricks", "skat", "last_trick", "doublings", "bock")
    facts = {word: given[word] for word in words if word in given}
    return settling_ramsch.settle(settling_ramsch.question(**facts), under)


def figures(answer: settling.Answer) -> dict[str, Any]:
    """Return an answer in the form of a case's expectation."""
    if answer.verdict is Verdict.CONTRADICTED:
        return {"verdict": "contradicted", "codes": [one.code for one in answer.findings]}
    if answer.verdict is Verdict.UNDETERMINED:
        if "scores" in answer.admissible:  # of a Ramsch, and its value follows from them
            return {"verdict": "undetermined", "scores": answer.admissible["scores"]}
        return {"verdict": "undetermined", **answer.admissible}
    if answer.scores is not None:
        return {"scores": list(answer.scores), "losers": list(answer.losers or "")}
    said: dict[str, Any] = {
        "value": answer.value, "won": answer.won, "score": answer.score,
        "overbid": answer.overbid,
    }  # fmt: skip
    if answer.alternatives:
        said["alternatives"] = [
            {"contract": contract, "value": value} for contract, value, _ in answer.alternatives
        ]
    return said


def as_lists(expected: dict[str, Any]) -> dict[str, Any]:
    """Return an expectation with each open figure's possible values, as the product lists them."""
    said = {key: value for key, value in expected.items() if key not in ("admissible", "covering")}
    rows = expected.get("admissible", [])
    for name in ("value", "won", "score", "overbid"):
        values = sorted({row[name] for row in rows})
        if len(values) > 1:
            said[name] = values
    return said


@pytest.mark.parametrize(("path", "case", "rules"), runs("settle"))
def test_settlement(path: Path, case: dict[str, Any], rules: str) -> None:
    expected = case["expect"]
    answer = settled(case["input"], rules)
    assert figures(answer) == as_lists(expected), case.get("note")
    if "covering" in expected:
        game = f"charged as {expected['covering']}"
        assert any(game in line.text for line in answer.lines)


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


@pytest.mark.parametrize(
    ("path", "case", "rules"), [run for run in runs("settle") if run.values[2] in ORACLE_READS]
)
def test_the_oracle_agrees_with_the_case(path: Path, case: dict[str, Any], rules: str) -> None:
    given, expected = case["input"], case["expect"]
    variant = {"set", "kontra", "bock", "spitze"} & set(given)
    if variant or given["contract"] in ("ramsch", "revolution"):
        pytest.skip("the oracle knows no variants")
    if given["ending"] != "played-out":
        pytest.skip("the oracle settles games that were played out")
    said = by_oracle(given, rules)
    assert said == {name: value for name, value in expected.items() if name in said}


# --- legal and perft --------------------------------------------------------------------


@pytest.mark.parametrize(("path", "case", "rules"), runs("legal"))
def test_legality(path: Path, case: dict[str, Any], rules: str) -> None:
    tables, given = load_rules(rules).tables, case["input"]
    contract = CONTRACT[given["contract"]]
    if "trick" in given:
        trick = [cards.BY_NAME[name] for name in given["trick"]]
        found = {
            "winner": play.winner(tables, contract, trick) + 1,
            "points": sum(tables.points[card] for card in trick),
        }
    else:
        hand = cards.mask(cards.BY_NAME[name] for name in given["hand"])
        legal = play.legal_cards(tables, contract, hand, cards.BY_NAME[given["led"]])
        found = {"cards": sorted(cards.name(card) for card in cards.members(legal))}
    assert found == case["expect"], case.get("note")


@pytest.mark.parametrize(("path", "case", "rules"), runs("perft"))
def test_perft(path: Path, case: dict[str, Any], rules: str) -> None:
    tables, given = load_rules(rules).tables, case["input"]
    hands = tuple(
        cards.mask(cards.BY_NAME[name] for name in given["deal"][seat].split()) for seat in "FMR"
    )
    expected = case["expect"]["counts"]
    found = perft(tables, CONTRACT[given["contract"]], hands, len(expected))
    assert found == expected


# --- check ------------------------------------------------------------------------------


@dataclass
class Found:
    """What the product says of an input: the first record's verdict, findings in order."""

    verdict: str
    codes: list[str]
    places: dict[str, tuple[int, int]]
    notes: list[str]


def checked(given: dict[str, Any], folder: Path, rules: str) -> Found:
    """Check a case's input, a file beside it or a text in it.

    A record's own `Rules` tag goes before the rules of the case, unless the case sets keys.
    """
    if given["format"] == "profile":
        return refused_profile(folder / given["file"])
    try:
        if "file" in given:
            reading = registry.open_records(folder / given["file"], given["format"])
        else:
            reading = registry.reading(from_text(given["record"]), given["format"])
        reports = [
            judge(record, rules, tuple(given.get("set", ()))).check(record) for record in reading
        ]
    except InputError as error:
        return Found("refused", [error.code], {}, [])
    rows = [
        (one.code, one.severity, one.line, one.step) for report in reports
        for one in report.findings
    ]  # fmt: skip
    rows += [(one.code, entry(one.code).severity, one.span.line, 0) for one in reading.findings]
    verdict = reports[0].verdict.value if reports else "none"
    return found_of(verdict, rows)


def judge(record: Record | BrokenRecord, rules: str, settings: tuple[str, ...]) -> Judge:
    own = isinstance(record, Record) and record.tag("Rules") is not None
    return Judge(None if own and not settings else load_rules(rules, settings))


def found_of(verdict: str, rows: list[tuple[str, Severity, int, int]]) -> Found:
    errors = [code for code, severity, _, _ in rows if severity is Severity.ERROR]
    notes = [code for code, severity, _, _ in rows if severity is not Severity.ERROR]
    places: dict[str, tuple[int, int]] = {}
    for code, _, line, step in rows:
        places.setdefault(code, (line, step))
    return Found(verdict, list(dict.fromkeys(errors)), places, notes)


def refused_profile(path: Path) -> Found:
    try:
        load_rules(path)
    except ProfileError as error:
        return Found("refused", [error.code], {error.code: (error.line, 0)}, [])
    return Found("consistent", [], {}, [])


@pytest.mark.parametrize(("path", "case", "rules"), runs("check"))
def test_check(path: Path, case: dict[str, Any], rules: str) -> None:
    expected = case["expect"]
    found = checked(case["input"], path.parent, rules)
    assert (found.verdict, found.codes) == (expected["verdict"], expected["codes"]), case["note"]
    wanted_notes = expected.get("notes", [])
    assert set(wanted_notes) <= set(found.notes)
    first = [*expected["codes"], *wanted_notes][:1]
    line, step = found.places.get(first[0], (0, 0)) if first else (0, 0)
    assert line == expected.get("line", line)
    assert step == expected.get("step", step)


# --- games ------------------------------------------------------------------------------

GAMES = RECORDS / "games"
FORMS = sorted((GAMES / "input-forms").glob("*.skat"))
SAMPLES = sorted(GAMES.glob("*.skat"))
NOT_CONSISTENT = load(GAMES / "EXPECT.yaml")


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
