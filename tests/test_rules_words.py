"""`rules diff` in a referee's words, and the pages written from the profiles."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from skatspec import resources
from skatspec.diagnostics import catalog
from skatspec.rules import available, load_profile, load_rules
from skatspec.rules.difference import Change, changed_keys, ruled_keys
from skatspec.rules.page import page
from skatspec.rules.table import BEGIN, COLUMNS, END, table, with_table
from skatspec.rules.words import does, entry_of, notes, rule_name, value_of
from tests.clirun import Skatspec, skatspec

__all__ = ["skatspec"]  # a fixture

DOCS = Path(__file__).resolve().parents[1] / "docs"
ISKO_KEYS = ruled_keys([load_profile("isko")])
PAIRS = [
    ("isko", "ledger"), ("isko", "iss"), ("isko", "xskat"), ("isko", "isko-pre-1999"),
    ("xskat", "xskat-bockramsch"), ("isko", "table-match"), ("xskat", "xskat -oldrules"),
]  # fmt: skip


# --- the words --------------------------------------------------------------------------


@pytest.mark.parametrize("key", ISKO_KEYS)
def test_every_rule_of_the_order_has_words_and_a_topic(key: str) -> None:
    entry = entry_of(key)
    assert entry is not None, f"words.yaml has nothing for {key}"
    topics = {*load_profile("isko").data["sources"], *(row.topic for row in catalog().values())}
    assert entry.topic in topics, (key, entry.topic)
    rules = load_rules("isko")
    text = does(key, value_of(rules.profile, key), rules)
    assert text, f"no words for what isko has at {key}"
    assert "{" not in text + rule_name(entry, [key])


@pytest.mark.parametrize("name", available())
def test_every_rule_that_a_packaged_profile_changes_has_words(name: str) -> None:
    base, own = load_rules("isko"), load_rules(name)
    for note in notes(changed_keys(base.profile, own.profile), base, own):
        assert note.rule and note.old and note.new, note.changes
        assert "{" not in note.rule + note.old + note.new, note


def test_every_word_of_a_variant_has_its_own_words() -> None:
    schema = json.loads(resources.text("schemas", "profile.schema.json"))
    sections = schema["properties"]["variants"]["properties"]
    for section, spec in sections.items():
        for key, value in spec["properties"].items():
            entry = entry_of(f"variants.{section}.{key}")
            assert entry is not None, (section, key)
            for word in value.get("enum", []):
                if isinstance(word, str):
                    told = (entry.words or {}).get(word) or entry.does
                    assert told, (section, key, word)


def test_the_file_of_words_has_texts_only() -> None:
    # YAML reads Null, on and no as something else
    entries = {id(one): one for one in map(entry_of, ISKO_KEYS) if one is not None}
    for entry in entries.values():
        texts = [*(entry.words or {}).values(), *(entry.names or {}).values(), entry.rule]
        assert all(isinstance(text, str) and text for text in texts), entry.pattern


def test_a_key_without_words_is_shown_as_it_stands() -> None:
    isko = load_rules("isko")
    (note,) = notes([Change("new.key", 1, 2)], isko, isko)
    assert (note.rule, note.changes[0].key) == ("", "new.key")


def test_keys_that_differ_alike_are_one_sentence() -> None:
    isko, primer = load_rules("isko"), load_rules("primer")
    told = list(notes(changed_keys(isko.profile, primer.profile), isko, primer))
    ouvert = [note for note in told if "Ouvert" in note.rule]
    assert [note.rule for note in ouvert] == [
        "What Ouvert includes when announced in suit games and Grand"
    ]
    assert (ouvert[0].new, ouvert[0].old) == ("says Hand", "says Hand, Schneider and Schwarz")
    assert len(ouvert[0].changes) == 2


# --- the command ------------------------------------------------------------------------


def test_a_difference_reads_like_a_referees_note(skatspec: Skatspec) -> None:
    lines = skatspec("rules", "diff", "isko", "ledger").lines
    at = lines.index("Forehand alone: ledger allows exactly 18; isko allows 18 or more.")
    assert lines[at + 1 : at + 3] == ["    ledger  ledger", "    isko    ISkO 2022 3.3"]
    assert "table cells" not in lines and not any("f-alone" in line for line in lines)
    assert "(--cells)" in lines[-2] and "--keys" in "".join(lines[-2:])


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_difference_fits_80_columns(
    skatspec: Skatspec, monkeypatch: pytest.MonkeyPatch, first: str, second: str
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    lines = skatspec("rules", "diff", first, second).lines
    assert len(lines) > 4
    assert max(len(line) for line in lines) <= 80


def test_a_source_that_is_inherited_is_not_the_profiles_own(skatspec: Skatspec) -> None:
    # primer is silent on bonus points
    lines = skatspec("rules", "diff", "isko", "primer").lines
    at = next(n for n, line in enumerate(lines) if line.startswith("Points beyond"))
    after = lines[at : at + 6]
    assert "    primer  no source of its own" in after and "    isko    SkWO 6.3.1" in after


def test_two_modes_of_one_program_share_their_source(skatspec: Skatspec) -> None:
    lines = skatspec("rules", "diff", "xskat", "xskat -kontra").lines
    assert lines[2].startswith("Calls that double a game: xskat -kontra allows Kontra and Re")
    assert "    both  XSkat 4.0 -kontra (run)" in lines[3:5]


def test_of_what_neither_plays_only_the_number_is_told(skatspec: Skatspec) -> None:
    plain = skatspec("rules", "diff", "isko", "xskat").out
    assert "Ramsch" not in plain and "2 keys differ of what neither side plays" in plain
    assert "variants.ramsch.all_tied: all-lose -> nobody" in skatspec(
        "rules", "diff", "isko", "xskat", "--keys"
    ).out.replace("\n      ", " ")
    # one side plays it: the other is told not to
    one = " ".join(skatspec("rules", "diff", "isko", "xskat -ramsch").out.split())
    assert "A Ramsch tied by all three: xskat -ramsch has nobody lose; isko has no Ramsch." in one


def test_a_name_too_long_for_a_sentence_is_cut_at_its_switches(skatspec: Skatspec) -> None:
    text = "xskat -ramsch -sramsch -klopfen -kontra"
    out = skatspec("rules", "diff", "xskat", text).out
    assert out.splitlines()[0] == f"xskat -> {text}"
    assert "Ramsch: xskat ... plays it when all pass; xskat does not play it." in out
    both = skatspec("rules", "diff", f"{text} -bock", text).out
    assert "xskat ... (A)" in both and "xskat ... (B)" in both


def test_the_page_shows_what_the_difference_really_prints(
    skatspec: Skatspec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    command = "skatspec rules diff isko isko-pre-1999"
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    shown = text.partition(f"```\n$ {command}\n")[2].partition("\n```")[0]
    real = skatspec(*command.split()[1:]).out
    # how many citations differ is no matter of this page
    assert (
        re.sub(r"\d+ citations", "N citations", real).split()
        == re.sub(r"\d+ citations", "N citations", shown).split()
    )


# --- the pages --------------------------------------------------------------------------


def test_the_page_of_profiles_is_that_of_the_profiles() -> None:
    text = (DOCS / "profiles.md").read_text(encoding="utf-8")
    assert text == page(), "python -m skatspec.rules.page > docs/profiles.md"


def test_the_table_of_differences_is_that_of_the_profiles() -> None:
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    assert text.count(BEGIN) == text.count(END) == 1
    assert text == with_table(text), "python -m skatspec.rules.table docs/rules.md"


def test_the_table_has_a_row_for_each_rule_that_differs() -> None:
    rows = [line.strip("|").split("|") for line in table().splitlines()[2:]]
    assert {len(row) for row in rows} == {len(COLUMNS) + 1}
    named = {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows}
    assert len(named) == len(rows), "one rule has two rows"
    # RULES.md section 2: opens at 18; passed in; match; what a Null lost early is
    alone = dict(zip(COLUMNS, named["Forehand alone"], strict=True))
    assert alone["isko"] == "allows 18 or more" and alone["browser"] == ""
    assert {alone[name] for name in ("ledger", "primer", "table-match", "xskat")} == {
        "allows exactly 18"
    }
    assert named["A passed-in deal"][COLUMNS.index("primer")].startswith("deals it again")
    assert named["The highest bid"][COLUMNS.index("browser")] == "ends at 99"
    for cells in named.values():
        assert any(cells[1:]), "a row in which all agree"


def test_the_page_explains_every_key_of_the_variants() -> None:
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `(variants\.[a-z_.]+)` \|", text, re.MULTILINE))
    assert explained == {key for key in ISKO_KEYS if key.startswith("variants.")}


def test_the_page_of_profiles_tells_the_switches_of_each_mode() -> None:
    text = page()
    for name in available():
        applied = load_profile(name).data.get("apply")
        if applied:
            assert f"| `{name}` |" in text and f"`xskat {applied}`" in text
