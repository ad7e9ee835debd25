"""Rule profiles: the packaged ones are sound, and a bad one is refused with its YAML line."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import jsonschema
import pytest

import skatspec.rules
from skatspec import cards, resources
from skatspec.diagnostics import Severity
from skatspec.errors import ProfileError, SkatspecError
from skatspec.rules import available, load_profile, load_rules
from skatspec.rules.profile import plain
from skatspec.rules.tables import CONTRACT, CONTRACTS, Tables, changed_cells

FOLDER = Path(skatspec.rules.__file__).parent / "profiles"
# RULES section 1, equal to the tables of two independent programs.
THE_63 = (
    18, 20, 22, 23, 24, 27, 30, 33, 35, 36, 40, 44, 45, 46, 48, 50, 54, 55, 59, 60, 63, 66, 70, 72,
    77, 80, 81, 84, 88, 90, 96, 99, 100, 108, 110, 117, 120, 121, 126, 130, 132, 135, 140, 143, 144,
    150, 153, 154, 156, 160, 162, 165, 168, 170, 176, 180, 187, 192, 198, 204, 216, 240, 264,
)  # fmt: skip


# --- the packaged profiles --------------------------------------------------------------


@pytest.mark.parametrize("name", available())
def test_a_packaged_profile_is_valid_by_the_schema(name: str) -> None:
    schema = json.loads(resources.text("schemas", "profile.schema.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    # Loaded as a user's own file, it is checked in full.
    assert load_profile(FOLDER / f"{name}.yaml").digest == load_profile(name).digest


@pytest.mark.parametrize("name", available())
def test_a_packaged_profile_compiles_and_says_where_it_stands(name: str) -> None:
    rules = load_rules(name)
    assert rules.name == rules.profile.name == name
    assert rules.profile.title and rules.profile.edition
    assert rules.profile.digest.startswith("sha256:")
    assert rules.tables.digest == rules.profile.digest


@pytest.mark.parametrize("name", available())
def test_a_citation_names_its_edition(name: str) -> None:
    for topic, source in load_rules(name).profile.data["sources"].items():
        if "ISkO" in source:
            assert any(f"ISkO {year}" in source for year in range(1990, 2100)), (topic, source)
        # what is known from general knowledge alone is empty, or says that it is unverified
        assert "[M]" not in source
        if "unverified" in source:
            assert source.endswith(", section unverified"), (topic, source)


def test_the_profiles_of_this_stage_are_packaged() -> None:
    assert {"isko", "isko-2015", "isko-2022", "ledger", "iss", "iss-client"} <= set(available())


def test_the_63_bids_are_derived_and_are_those_of_the_rules() -> None:
    assert len(THE_63) == 63
    for name in ("isko", "isko-2015", "ledger"):
        assert load_rules(name).tables.bids == THE_63
    assert load_rules("iss").tables.bids == tuple(sorted((*THE_63, 171, 189, 190)))
    text = (FOLDER / "isko-2022.yaml").read_text(encoding="utf-8")
    assert "264" not in text and "216" not in text, "derived, not typed in"


def test_isko_and_isko_2015_play_by_equal_tables_and_cite_different_editions() -> None:
    new, old = load_rules("isko"), load_rules("isko-2015")
    assert changed_cells(new.tables, old.tables) == []
    assert new.profile.digest == old.profile.digest
    for topic in ("overbid", "missed-announcement", "schwarz"):
        assert "2022" in new.profile.cite(topic) and "2015" in old.profile.cite(topic)


def test_isko_is_the_current_edition_under_its_short_name() -> None:
    assert load_rules("isko").tables.digest == load_rules("isko-2022").tables.digest
    assert load_rules("isko").name == "isko"
    assert load_rules("isko").profile.edition == "ISkO 2022"


def test_loading_and_compiling_are_done_once() -> None:
    load_rules("isko")
    assert load_rules("isko") is load_rules("isko")
    assert load_rules("isko").profile is load_profile("isko")


def test_a_profile_cannot_be_changed_once_it_is_loaded() -> None:
    rules = load_rules("isko")
    with pytest.raises(TypeError):
        rules.profile.data["winning"]["points"] = 1  # type: ignore[index]
    with pytest.raises((FrozenInstanceError, AttributeError)):
        rules.tables.win_points = 1  # type: ignore[misc]
    copy = plain(rules.profile.data)
    copy["winning"]["points"] = 1
    assert rules.profile.data["winning"]["points"] == 61


def test_the_profiles_differ_where_the_rules_say_they_do() -> None:
    isko = load_rules("isko").tables

    def changed(name: str) -> set[str]:
        other = load_rules(name).tables
        return {
            spec.name
            for spec in fields(Tables)
            if getattr(isko, spec.name) != getattr(other, spec.name)
        } - {"digest"}

    # the variants hold what the tournament's listing adds, and the ledger has no bonus
    assert changed("ledger") == {"auction", "null_lost", "variants"}
    server = {
        "bids", "bid_ok", "own_levels_need_trick", "null_lost", "schneider_missed",
        "schwarz_missed", "endings", "penalty_before_declaration", "half_declaration_skat_only",
        "null_refused", "flags_after_missed", "concede_alone", "claim_consents", "offence_ends",
        "early_play_loses", "defender_show_ends", "throw_open_ends",
    }  # fmt: skip
    assert changed("iss") == server
    assert changed("iss-client") == {*server, "missed", "flags_after_missed_without_trick"}


def test_deviations_and_titles_are_a_profiles_own() -> None:
    assert load_profile("isko").data["deviations"] == ()
    assert load_profile("iss").data["deviations"] != load_profile("iss-client").data["deviations"]
    assert load_profile("iss-client").chain == ("iss-client", "iss", "isko-2022")


def test_a_profile_weighs_codes_by_name() -> None:
    assert load_profile("isko").severity("P006") is Severity.NOTE
    assert load_profile("ledger").severity("P006") is Severity.ERROR
    assert load_profile("isko").severity("P004") is Severity.ERROR


# --- the tables -------------------------------------------------------------------------


def test_trumps_are_the_jacks_and_then_the_suit() -> None:
    tables = load_rules("isko").tables
    clubs = cards.names(tables.trumps[CONTRACT["clubs"]])
    assert clubs == "CJ SJ HJ DJ CA CT CK CQ C9 C8 C7"
    assert cards.names(tables.trumps[CONTRACT["grand"]]) == "CJ SJ HJ DJ"
    assert tables.trumps[CONTRACT["null"]] == ()
    assert [tables.base[CONTRACT[name]] for name in CONTRACTS] == [9, 10, 11, 12, 24, 0]


def test_the_deal_comes_in_packets_of_three_skat_four_three() -> None:
    assert load_rules("isko").tables.packets == (3, 0, 4, 3)


def test_the_difference_of_two_profiles_names_the_cells() -> None:
    lines = changed_cells(load_rules("isko").tables, load_rules("iss").tables)
    assert "bids: 171 only in the second" in lines
    assert "null_lost: decided -> ends" in lines


# --- a house rule -----------------------------------------------------------------------


def write(folder: Path, text: str, name: str = "house.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_house_rule_is_what_it_extends_and_the_changed_keys(tmp_path: Path) -> None:
    path = write(tmp_path, "name: club\nextends: isko\nbids: {maximum: 99}\nedition: club 2026\n")
    rules = load_rules(path)
    assert (rules.name, rules.profile.edition) == ("club", "club 2026")
    assert rules.tables.bids == tuple(bid for bid in THE_63 if bid <= 99)
    assert len(rules.tables.bids) == 32
    assert rules.profile.places[("bids", "maximum")] == (str(path), 3)
    assert rules.profile.chain == ("club", "isko", "isko-2022")


def test_a_profile_may_extend_a_file_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "extends: isko\nwinning: {points: 60}\n", "base.yaml")
    path = write(tmp_path, "extends: base.yaml\nbids: {satisfied: above}\n")
    tables = load_rules(str(path)).tables
    assert (tables.win_points, tables.bid_above) == (60, True)


def test_an_auction_state_is_replaced_whole(tmp_path: Path) -> None:
    state = "{speaker: forehand, bid: won-by-forehand, pass: passed-in}"
    path = write(tmp_path, f"extends: ledger\nauction: {{states: {{f-alone: {state}}}}}\n")
    assert load_rules("ledger").tables.auction[-1].only == (18,)
    alone = [s for s in load_rules(path).tables.auction if s.name == "f-alone"]
    assert [state.only for state in alone] == [()]


def test_a_changed_source_or_title_does_not_change_the_digest(tmp_path: Path) -> None:
    path = write(tmp_path, "extends: isko\ntitle: Ours\nsources: {overbid: our wall}\n")
    profile = load_profile(path)
    assert profile.digest == load_profile("isko").digest
    assert profile.cite("overbid") == "our wall"


# --- bad profiles -----------------------------------------------------------------------

HEAD = "name: bad\nextends: isko\n"
BAD = {
    "unknown-key": (HEAD + "winning:\n  poinst: 61\n", "F003", 4),
    "unknown-section": (HEAD + "\nhouse-rules: yes\n", "F003", 4),
    "unknown-severity": (HEAD + "severities:\n  no-such-code: note\n", "F003", 4),
    "wrong-weight": (HEAD + "severities:\n  revoke: fatal\n", "F002", 4),
    "duplicate-key": (HEAD + "winning: {points: 61}\nwinning: {points: 60}\n", "F007", 4),
    "duplicate-inner-key": (HEAD + "winning:\n  points: 61\n  points: 60\n", "F007", 5),
    "anchor": (HEAD + "winning: &w {points: 61}\n", "F001", 3),
    "alias": (HEAD + "winning: {points: 61}\nbids: *w\n", "F001", 4),
    "deep-nesting": (HEAD + "winning: " + "[" * 60 + "]" * 60 + "\n", "F001", 3),
    "threshold-121": (HEAD + "winning:\n  points: 121\n", "F002", 4),
    "threshold-beyond-the-deck": (HEAD + "deck:\n  points: {A: 0, T: 0}\n", "F006", 0),
    "both-schneider": (HEAD + "winning:\n  schneider: 60\n", "F006", 4),
    "trump-named-twice": (
        HEAD + "contracts:\n  clubs:\n    trumps: [CJ, SJ, CJ, clubs]\n", "F002", 5,
    ),
    "trump-in-its-suit-too": (
        HEAD + "contracts:\n  clubs:\n    trumps: [CJ, SJ, HJ, DJ, CA, clubs]\n", "F006", 5,
    ),
    "card-without-rank": (HEAD + "contracts:\n  grand:\n    trumps: [CJ]\n", "F006", 0),
    "trumps-twice": (
        HEAD + "contracts:\n  clubs:\n    trumps: [CJ, clubs]\n    trumps: [SJ, CJ]\n", "F007", 6,
    ),
    "unknown-variant": (HEAD + "variants:\n  doppelkopf: {played: always}\n", "F003", 4),
    "unknown-word-of-a-variant": (
        HEAD + "variants:\n  ramsch:\n    played: sometimes\n", "F002", 5,
    ),
    "unknown-trigger": (HEAD + "variants:\n  bock:\n    triggers: [full-moon]\n", "F002", 5),
    "re-before-kontra": (HEAD + "variants:\n  kontra:\n    calls: [re, kontra]\n", "F002", 5),
    "schwarz-before-schneider": (
        HEAD + "variants:\n  gifts:\n    announces: [schwarz, schneider]\n", "F002", 5,
    ),
    "revolution-with-trumps": (HEAD + "variants:\n  revolution:\n    cards: clubs\n", "F006", 5),
    "ramsch-without-trumps": (HEAD + "variants:\n  ramsch:\n    cards: 'null'\n", "F006", 5),
    "null-takes-a-key-away": (HEAD + "variants:\n  ramsch:\n    cards: null\n", "F002", 4),
    "kontra-nobody-may-say": (
        HEAD + "variants:\n  kontra: {who: bidder, bidder_said: 300}\n", "F006", 4,
    ),
    "kontra-above-a-short-ladder": (
        "name: bad\nextends: xskat-kontra18\nbids:\n  maximum: 18\n"
        "variants: {kontra: {bidder_said: 20}}\n", "F006", 5,
    ),
    "no-bid-left": (HEAD + "bids:\n  maximum: 17\n", "F006", 4),
    "announcement-never-possible": (HEAD + "announcements:\n  allowed: [schneider]\n", "F006", 4),
    "unknown-auction-state": (
        HEAD + "auction:\n  states:\n    m-opens: {speaker: middlehand, pass: nowhere}\n",
        "F006", 5,
    ),
    "auction-starts-at-its-end": (HEAD + "auction:\n  start: passed-in\n", "F006", 4),
    "unknown-implied-state": (HEAD + "auction:\n  implied_bid: elsewhere\n", "F006", 4),
    "list-at-the-top": ("- name: bad\n- extends: isko\n", "F002", 1),
    "a-word": ("isko\n", "F002", 1),
    "empty": ("", "F002", 1),
    "unknown-parent": ("name: bad\nextends: skat-of-mars\n", "F005", 2),
    "parent-is-a-list": ("name: bad\nextends: [isko]\n", "F002", 2),
    "tag": (HEAD + "winning: !!python/object:os.system {}\n", "F001", 3),
    "tag-apply": (HEAD + "winning: {points: !!python/object/apply:os.system [echo]}\n", "F001", 3),
    "no-yaml": ("name: [\n", "F001", 2),
    "tab": (HEAD + "winning:\n\tpoints: 61\n", "F001", 4),
    "bad-date": (HEAD + "edition: 2026-99-99\n", "F001", 0),
    "a-list-as-key": (HEAD + "? [a, b]\n: c\n", "F001", 3),
    "a-number-for-a-word": (HEAD + "bids:\n  satisfied: 5\n", "F002", 4),
    "a-float": (HEAD + "winning:\n  points: 60.5\n", "F002", 4),
    "alias-with-rules": ("name: bad\nalias: isko\nwinning: {points: 60}\n", "F003", 3),
}  # fmt: skip


# Without any effect, and no contradiction: the program takes such switches as well.
HARMLESS = {
    "kontra-by-nobody": "kontra: {calls: [], who: bidder}",
    "triggers-without-bock": "bock: {played: false, triggers: [re, grand-lost]}",
    "grand-hand-without-rounds": "ramsch: {grand_hand: ramsch-rounds, knock: ramsch-rounds}",
    "rounds-without-bock": "bock: {played: false, ramsch_after: true}",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_a_key_without_effect_is_no_contradiction(name: str, tmp_path: Path) -> None:
    path = write(tmp_path, f"extends: isko\nvariants:\n  {HARMLESS[name]}\n")
    assert load_rules(path).tables.win_points == 61


def test_null_takes_an_inherited_key_away(tmp_path: Path) -> None:
    write(tmp_path, "extends: isko\nbids: {maximum: 99}\n", "short.yaml")
    path = write(tmp_path, "extends: short.yaml\nbids: {maximum: null}\n")
    assert load_rules(tmp_path / "short.yaml").tables.bids[-1] == 99
    assert load_rules(path).profile.digest == load_profile("isko").digest


@pytest.mark.parametrize("name", BAD)
def test_a_bad_profile_is_refused_with_code_and_line(name: str, tmp_path: Path) -> None:
    text, code, line = BAD[name]
    path = write(tmp_path, text)
    with pytest.raises(ProfileError) as caught:
        load_rules(path)
    error = caught.value
    assert isinstance(error, SkatspecError)
    assert error.code == code, error
    assert error.message and error.code in str(error)
    if line:
        assert (error.source, error.line) == (str(path), line), error
        assert str(error).startswith(f"{path}:{line}: {code}")


def test_profiles_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "extends: b.yaml\n", "a.yaml")
    write(tmp_path, "extends: a.yaml\n", "b.yaml")
    with pytest.raises(ProfileError, match="circle") as caught:
        load_rules(tmp_path / "a.yaml")
    assert (caught.value.code, caught.value.line) == ("F004", 1)
    itself = write(tmp_path, "extends: itself.yaml\n", "itself.yaml")
    with pytest.raises(ProfileError) as caught:
        load_rules(itself)
    assert caught.value.code == "F004"


def test_an_endless_chain_is_refused(tmp_path: Path) -> None:
    for number in range(30):
        write(tmp_path, f"extends: p{number + 1}.yaml\n", f"p{number}.yaml")
    with pytest.raises(ProfileError) as caught:
        load_rules(tmp_path / "p0.yaml")
    assert caught.value.code == "F004"


def test_an_unknown_name_or_file_is_refused() -> None:
    for name in ("skat-of-mars", "no/such/file.yaml", "missing.yaml"):
        with pytest.raises(ProfileError) as caught:
            load_rules(name)
        assert caught.value.code == "F005"
    with pytest.raises(ProfileError, match="isko"):
        load_rules("isk0")


def test_a_file_that_is_no_text_or_too_large_is_refused(tmp_path: Path) -> None:
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\x89PNG\xff\xfe\x00")
    large = write(tmp_path, HEAD + "title: " + "x" * 300_000 + "\n", "large.yaml")
    for path in (binary, large, tmp_path):
        with pytest.raises(ProfileError) as caught:
            load_rules(path)
        assert caught.value.code == "F001"


def test_a_byte_order_mark_and_crlf_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "windows.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: w\r\nextends: isko\r\nwinning: {points: 60}\r\n")
    assert load_rules(path).tables.win_points == 60
