"""The suite as it is handed on: chosen, listed, exported, published; scripts; counts of a deal."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import yaml

from skatspec import resources
from skatspec.conformance import manifest
from skatspec.conformance.cases import LEVELS, TASKS, load_suite, rules_of
from skatspec.errors import SkatspecError, UsageError
from tests.clirun import Skatspec, skatspec

__all__ = ["skatspec"]

SUITE = load_suite()
RECORDS = resources.locate("records")

# --- choosing ---------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_a_task_selects_its_cases_and_no_tag_of_that_name(task: str) -> None:
    assert {case.task for case in SUITE.select([task])} == {task}


def ids(*words: str) -> list[str]:
    return [case.id for case in SUITE.select(words)]


def test_words_narrow_the_selection_and_commas_widen_it() -> None:
    assert ids("legal,settle", "must") == [
        case.id for case in SUITE.cases if case.task in ("legal", "settle") and case.level == "must"
    ]
    assert sorted(ids("!legal") + ids("legal")) == sorted(case.id for case in SUITE.cases)


def test_an_id_a_beginning_a_tag_and_a_profile_select() -> None:
    assert [case.id for case in SUITE.select(["P004-revoke"])] == ["P004-revoke"]
    assert all(case.id.startswith("P004") for case in SUITE.select(["P004*"]))
    assert all("overbid" in case.tags for case in SUITE.select(["tag:overbid"]))
    assert all("ledger" in case.rules for case in SUITE.select(["rules:ledger"]))


def test_a_word_that_selects_nothing_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="selects no case"):
        SUITE.select(["legall"])


# --- folders of one's own -----------------------------------------------------------------


def test_what_is_no_case_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    good = (RECORDS / "legality" / "l01-a-jack-does-not-follow-its-suit.yaml").read_text()
    (tmp_path / "l01-a-jack-does-not-follow-its-suit.yaml").write_text(good)
    (tmp_path / "twice.yaml").write_text(good)
    (tmp_path / "not-yaml.yaml").write_text("id: [\n")
    (tmp_path / "bytes.yaml").write_bytes(b"id: \xff\n")
    (tmp_path / "list.yaml").write_text("- 1\n")
    (tmp_path / "object.yaml").write_text("id: !!python/object/apply:os.system [ls]\n")
    (tmp_path / "large.yaml").write_text("#" * (2 << 20))
    (tmp_path / "wrong.yaml").write_text(good.replace("led: SA", "led: SX"))
    beside = "input: {format: skat, file: gone.skat}\nexpect: {verdict: none, codes: []}\n"
    head = good.split("input:")[0].replace("task: legal", "task: check")
    (tmp_path / "beside.yaml").write_text(head.replace("id: l01", "id: x01") + beside)
    suite = load_suite(tmp_path)
    assert len(suite.cases) == 1
    assert [one.code for one in suite.findings] == ["C017"] * 8


OWN = """\
id: win-at-62
task: settle
rules: [isko]
level: house
rule: our club's rules
source: our club
tags: [house]
input:
  contract: hearts
  modifiers: []
  matadors: with 2
  bid: 20
  points: 61
  tricks: null
  ending: played-out
  set:
    - winning.points=62
expect: {value: 30, won: false, score: -60, overbid: false}
"""


def test_a_house_rule_is_a_case_of_ones_own(skatspec: Skatspec, tmp_path: Path) -> None:
    (tmp_path / "win-at-62.yaml").write_text(OWN)
    engine = [sys.executable, "-m", "skatspec", "conform", "serve"]
    ran = skatspec("conform", "run", "--suite", tmp_path, "--", *engine)
    assert ran.code == 0, ran.out


WRONG = {
    "with 2": ("with:2", "11 is no case: input/matadors: 'with:2' does not match"),
    ", overbid: false": ("", "18 is no case: expect: 'overbid' is a required property"),
    "rules: [isko]": ("rules: isko", "3 is no case: rules: 'isko' is not of type 'array'"),
    "id: win-at-62": ("id: win-at-63", "its id is win-at-63, not win-at-62 as its name says"),
    "winning.points=62": ("winning.point=62", "unknown key winning.point"),
    "source: our club\n": ("", "'source' is a required property"),
}


@pytest.mark.parametrize("part", WRONG)
def test_a_mistake_in_a_case_is_told_with_its_line(
    part: str, skatspec: Skatspec, tmp_path: Path
) -> None:
    wrong, told = WRONG[part]
    (tmp_path / "win-at-62.yaml").write_text(OWN.replace(part, wrong))
    ran = skatspec("conform", "cases", "--suite", tmp_path)
    assert ran.code == 1 and told in ran.err


def test_the_record_of_a_case_can_be_checked_by_itself(skatspec: Skatspec) -> None:
    (case,) = SUITE.select(["P004-revoke"])
    ran = skatspec("conform", "cases", "--record", case.id)
    assert (ran.code, ran.out) == (0, case.input["record"])
    assert skatspec("conform", "cases", "--record", "legal").code == 2


def test_words_that_no_case_means_together_are_wrong_usage(skatspec: Skatspec) -> None:
    assert skatspec("conform", "cases", "legal", "overbid").code == 2
    assert skatspec("conform", "cases", "*89*").code == 0


def test_a_folder_that_is_none_is_wrong_usage(skatspec: Skatspec) -> None:
    assert skatspec("conform", "cases", "--suite", "/no/such/folder").code == 2


def test_a_hostile_folder_is_read_to_its_end(tmp_path: Path) -> None:
    good = (RECORDS / "legality" / "l01-a-jack-does-not-follow-its-suit.yaml").read_text()
    (tmp_path / "l01-a-jack-does-not-follow-its-suit.yaml").write_text(good)
    (tmp_path / "deep.yaml").write_text("[ " * 100_000)
    bomb = "".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(8))
    (tmp_path / "bomb.yaml").write_text("a0: &a0 [x]\n" + bomb + "note: *a8\n")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "device.yaml").symlink_to("/dev/zero")
    (tmp_path / "set.yaml").write_text(good.replace("led: SA", "led: SA\n  set: [nosuch.key=1]"))
    (tmp_path / "rules.yaml").write_text(good.replace("[isko,", "[no-such-rules,"))
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.yaml")
    suite = load_suite(tmp_path)
    assert [case.id for case in suite.cases] == ["l01-a-jack-does-not-follow-its-suit"]
    assert {one.code for one in suite.findings} == {"C017"}
    assert len(suite.findings) == len(list(tmp_path.iterdir())) - 1


def test_of_a_case_among_others_only_its_own_file_is_told(tmp_path: Path) -> None:
    whole = SUITE.select(["P004-revoke"])[0].path.read_text(encoding="utf-8")
    head, _, rest = whole.partition("input:\n")
    flat = head + "input: {format: skat, file: game.skat}\n" + rest[rest.index("expect:") :]
    (tmp_path / "P004-revoke.yaml").write_text(flat)
    (tmp_path / "game.skat").write_text("%skat 1\n")
    (tmp_path / "other.skat").write_text("%skat 1\n")
    (case,) = load_suite(tmp_path).cases
    assert case.payload() == {"format": "skat", "name": "game.skat", "record": "%skat 1\n"}


def test_a_case_in_a_folder_has_the_texts_beside_it_and_nothing_else(tmp_path: Path) -> None:
    source = SUITE.select(["L001-list-of-other-games"])[0].path.parent
    folder = tmp_path / "L001-list-of-other-games"
    folder.mkdir()
    for path in source.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "inside").mkdir()
    (case,) = load_suite(tmp_path).cases
    assert sorted(case.payload()["beside"]) == ["record.lst"]
    for content in (b"\xff\x00", b"x" * (2 << 20)):
        (folder / ".DS_Store").write_bytes(content)
        assert [one.code for one in load_suite(tmp_path).findings] == ["C017"]
    (folder / ".DS_Store").unlink()
    (folder / "link").symlink_to("/etc/hostname")
    assert [one.code for one in load_suite(tmp_path).findings] == ["C017"]


# --- the published suite ------------------------------------------------------------------

# Of each edition, when it was published. A change here is a change of published answers.
EDITIONS = {
    1: "sha256:28f9317967e09ca9728a89e5181708e2ee9623651dd70d9a1da953c570612f30",
}


def test_no_published_case_is_changed_or_gone() -> None:
    assert manifest.changes(manifest.read(), SUITE.cases) == []


def test_every_case_is_published_with_its_place() -> None:
    rows = manifest.read()["cases"]
    new = sorted({case.id for case in SUITE.cases} - set(rows))
    assert not new, "python -m skatspec.conformance.manifest DATE publishes these: " + str(new[:5])
    for case in SUITE.cases:
        assert rows[case.id]["path"] == case.path.relative_to(RECORDS).as_posix()


def test_the_editions_are_those_that_were_published() -> None:
    found = manifest.read()
    digests = {row["edition"]: row["digest"] for row in found["editions"]}
    assert digests == EDITIONS
    for number, digest in EDITIONS.items():
        assert manifest.edition_digest(number, found["cases"]) == digest


def test_the_file_of_the_manifest_is_written_as_the_module_writes_it() -> None:
    text = (RECORDS / manifest.NAME).read_text(encoding="utf-8")
    assert manifest.text(json.loads(text)) == text


def test_a_changed_answer_is_not_published() -> None:
    case = SUITE.cases[0]
    changed = replace(case, expect={**case.expect, "verdict": "none"})
    published = manifest.publish({"editions": [], "cases": {}}, [case], RECORDS, "2026-01-01")
    with pytest.raises(SkatspecError, match="published, and changed"):
        manifest.publish(published, [changed], RECORDS, "2026-01-02")
    with pytest.raises(SkatspecError, match="published, and gone"):
        manifest.publish(published, [SUITE.cases[1]], RECORDS, "2026-01-02")


def test_a_withdrawn_case_keeps_its_row_and_its_id() -> None:
    first = manifest.publish({"editions": [], "cases": {}}, SUITE.cases[:2], RECORDS, "2026-01-01")
    gone = SUITE.cases[0]
    first["cases"][gone.id]["withdrawn"] = "two readings of the rule are possible"
    assert manifest.changes(first, SUITE.cases[1:2]) == []
    assert len(manifest.changes(first, SUITE.cases[:2])) == 1
    digest = first["editions"][0]["digest"]
    assert manifest.edition_digest(1, first["cases"]) == digest


def test_better_words_and_tags_are_no_change() -> None:
    case = SUITE.cases[0]
    better = replace(case, note="said better", tags=(*case.tags, "more"), rule="ISkO 2022 4.2")
    assert manifest.digest(better) == manifest.digest(case)


def test_a_second_edition_adds_and_leaves_the_first_alone() -> None:
    first = manifest.publish({"editions": [], "cases": {}}, SUITE.cases[:3], RECORDS, "2026-01-01")
    second = manifest.publish(first, SUITE.cases[:5], RECORDS, "2026-02-01")
    assert [row["cases"] for row in second["editions"]] == [3, 2]
    assert second["editions"][0] == first["editions"][0]
    assert manifest.publish(second, SUITE.cases[:5], RECORDS, "2026-03-01") == second


# --- the export ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from skatspec.conformance.export import export

    folder = tmp_path_factory.mktemp("export") / "suite"
    export(SUITE.cases, rules_of(), folder)
    return folder


def test_the_export_has_every_case_as_a_document_of_its_own(exported: Path) -> None:
    schema = json.loads((exported / "schemas" / "case.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    files = sorted((exported / "cases").iterdir())
    assert len(files) == len(SUITE.cases)
    for path in files:
        document = json.loads(path.read_text(encoding="utf-8"))
        assert document["id"] == path.stem
        assert validator.is_valid(document), path
        assert "file" not in document["input"]


def test_another_program_finds_the_digests_by_the_words_of_the_readme(exported: Path) -> None:
    rows = json.loads((exported / "MANIFEST.json").read_text(encoding="utf-8"))["cases"]
    assert len(rows) == len(SUITE.cases)
    keys = ("id", "task", "rules", "level", "input", "expect")
    for row in list(rows.values())[::25]:
        document = json.loads((exported / row["path"]).read_text(encoding="utf-8"))
        text = json.dumps(
            {key: document[key] for key in keys}, sort_keys=True, separators=(",", ":"),
            ensure_ascii=False,
        )  # fmt: skip
        assert row["digest"] == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def test_an_export_never_writes_into_a_folder_that_holds_something(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    ran = skatspec("conform", "export", tmp_path)
    assert ran.code == 2 and "not empty" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_case_of_ones_own_never_gets_the_digest_of_a_published_one(tmp_path: Path) -> None:
    from skatspec.conformance.export import export

    mine = replace(SUITE.cases[0], expect={**SUITE.cases[0].expect, "verdict": "none"})
    export([mine, SUITE.cases[1]], (), tmp_path / "out")
    rows = json.loads((tmp_path / "out" / "MANIFEST.json").read_text(encoding="utf-8"))["cases"]
    assert list(rows) == [SUITE.cases[1].id]


# --- listing ------------------------------------------------------------------------------


def test_a_case_is_shown_as_its_author_wrote_it(skatspec: Skatspec) -> None:
    ran = skatspec("conform", "cases", "P004-revoke")
    path = next(case.path for case in SUITE.cases if case.id == "P004-revoke")
    assert yaml.safe_load(ran.out) == yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_list_of_cases_can_be_read_by_programs(skatspec: Skatspec) -> None:
    named = skatspec("conform", "cases", "--format", "ids").lines
    assert named == [case.id for case in SUITE.cases]
    rows = [json.loads(line) for line in skatspec("conform", "cases", "--format", "jsonl").lines]
    assert [row["id"] for row in rows] == named


# --- scripts ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["shell", "github", "gitlab"])
def test_a_script_runs_the_command_as_it_was_given(kind: str, skatspec: Skatspec) -> None:
    ran = skatspec(
        "conform", "script", "--ci", kind, "--select", "legal", "--timeout", "5", "--",
        "./my engine", "$(reboot)",
    )  # fmt: skip
    assert ran.code == 0
    line = "--select legal --timeout 5 -- './my engine' '$(reboot)'"
    assert line in ran.out
    if kind == "shell":
        subprocess.run(["sh", "-n"], input=ran.out.encode(), check=True)
    else:
        text = json.dumps(yaml.safe_load(ran.out))
        assert line in json.loads('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')


# --- perft --------------------------------------------------------------------------------

DEAL = (
    "D9.H8.ST.S9.DJ.C8.CQ.CJ.CA.H7.S8.HT.DK.SQ.HK.C7.HQ.DQ.CK.SJ."
    "HJ.HA.SK.SA.CT.DA.C9.D7.D8.DT.H9.S7"
)


def test_perft_prints_a_line_a_depth(skatspec: Skatspec) -> None:
    ran = skatspec("conform", "perft", "--deal", DEAL, "--contract", "grand", "--depth", "6")
    assert ran.lines == ["1 10", "2 20", "3 36", "4 324", "5 674", "6 1313"]


@pytest.mark.parametrize(
    "deal", ["", "D9", DEAL + ".C7", DEAL.replace("D9", "H8"), DEAL.replace("D9", "XX")]
)
def test_perft_wants_the_whole_pack(deal: str, skatspec: Skatspec) -> None:
    ran = skatspec("conform", "perft", "--deal", deal, "--contract", "grand")
    assert ran.code == 2 and ran.err.startswith("skatspec: --deal: ")


# --- what the suite covers ------------------------------------------------------------------


def test_the_suite_has_cases_of_every_task_and_level() -> None:
    assert {case.task for case in SUITE.cases} == set(TASKS)
    assert {case.level for case in SUITE.cases} == set(LEVELS)
    assert len(SUITE.cases) >= 600


def test_at_least_forty_deals_are_counted_to_a_depth_of_six() -> None:
    deals = {json.dumps(case.input["deal"]) for case in SUITE.select(["perft"])}
    assert len(deals) >= 40
    assert all(len(case.expect["counts"]) >= 6 for case in SUITE.select(["perft"]))


# Codes that no case can show: limits, other commands, faults of a program, lists of an evening.
LISTS = ("L01", "L02", "L03", "L04", "L05", "L06")
NOT_A_CASE = ("C", "X", "E007", "E009", "E010", "L005", *LISTS)


def test_every_code_that_a_case_can_show_has_three() -> None:
    from skatspec.diagnostics import catalog

    shown: dict[str, int] = {}
    for case in SUITE.cases:
        for code in {*case.expect.get("codes", ()), *case.expect.get("notes", ())}:
            shown[code] = shown.get(code, 0) + 1
    few = {code for code in catalog() if not code.startswith(NOT_A_CASE) and shown.get(code, 0) < 3}
    assert few == set()
