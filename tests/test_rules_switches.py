"""Switches: a profile asked for with the words a program is started with, as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from skatspec.errors import ProfileError
from skatspec.judging import named_rules
from skatspec.record import MODIFIERS, OUVERT, SCHNEIDER, SCHWARZ, SPITZE
from skatspec.rules import available, load_profile, load_rules
from skatspec.rules.profile import plain
from skatspec.rules.switches import examples, split
from skatspec.rules.tables import CONTRACT, GRAND_KIND, NULL_KIND, SUIT_KIND
from tests.clirun import Skatspec, skatspec
from tests.xskat_files import MODES

__all__ = ["skatspec"]  # a fixture

# `weak`: run, its log is that of the mode
SWITCHES = {**MODES, "weak": "-s1 -4 -s2 -4 -s3 -4"}


def digest(text: str) -> str:
    return load_rules(text).profile.digest


# --- the modes of the program -----------------------------------------------------------


@pytest.mark.parametrize("mode", SWITCHES)
def test_a_mode_is_the_program_with_its_switches(mode: str) -> None:
    assert digest(f"xskat-{mode}") == digest(f"xskat {SWITCHES[mode]}".strip())


def test_every_mode_is_packaged_and_no_other() -> None:
    assert {name for name in available() if name.startswith("xskat-")} == {
        f"xskat-{mode}" for mode in SWITCHES
    }


def test_modes_that_differ_in_rules_differ_in_their_digest() -> None:
    alike = {"std", "weak"}  # `weak` changes only the play
    assert digest("xskat-std") == digest("xskat-weak") == digest("xskat")
    others = {digest(f"xskat-{mode}") for mode in SWITCHES if mode not in alike}
    assert len(others) == len(SWITCHES) - len(alike)


def test_the_program_plays_as_its_page_says() -> None:
    tables = load_rules("xskat").tables
    # XSKAT.md 1 and 2: forehand alone plays at 18; a Null below the bid is refused, and a
    # Null ends at the declarer's first trick; announced Schneider is Hand
    assert [state.only for state in tables.auction if state.name == "f-alone"] == [(18,)]
    assert tables.null_refused and tables.null_lost == "ends"
    hand = MODIFIERS["hand"]
    for kind in (SUIT_KIND, GRAND_KIND):
        assert tables.announce[kind][SCHNEIDER] == SCHNEIDER | hand
        assert tables.announce[kind][SCHWARZ] == SCHWARZ | SCHNEIDER | hand
        assert tables.announce[kind][SPITZE] == -1
    # 4: three tied lose nothing, doublings apply to a march
    ramsch = tables.variants.ramsch
    assert (ramsch.played, ramsch.all_tied, ramsch.march, ramsch.march_factors) == (
        "never", "nobody", 120, "count",
    )  # fmt: skip


def test_spitze_may_be_said_in_trump_games_and_is_worth_one_or_two() -> None:
    one, two = load_rules("xskat -spitze").tables, load_rules("xskat -spitze2").tables
    assert (one.steps[-1], two.steps[-1]) == (1, 2)
    for kind in (SUIT_KIND, GRAND_KIND):
        assert one.announce[kind][SPITZE] == SPITZE
    assert one.announce[NULL_KIND][SPITZE] == -1


def test_the_old_rules_replace_the_level_of_a_grand_ouvert_by_its_base() -> None:
    tables, grand = load_rules("xskat -oldrules").tables, CONTRACT["grand"]
    assert (tables.ouvert_base[grand], tables.ouvert_level[grand]) == (36, False)
    assert (tables.hand_loss_factor, tables.base[grand]) == (1, 24)


# --- what a text of switches means ------------------------------------------------------


def test_the_events_of_a_bock_round_are_the_bits_of_a_number() -> None:
    def triggers(number: int) -> tuple[str, ...]:
        return load_rules(f"xskat -bockevents {number}").tables.variants.bock.triggers

    names = [triggers(1 << bit)[0] for bit in range(8)]
    # XSKAT.md 7
    assert names == [
        "lost-with-60", "grand-hand-won", "lost-with-kontra", "re", "equal-digits", "hundreds",
        "value-72", "value-96",
    ]  # fmt: skip
    assert triggers(0) == () and triggers(5) == ("lost-with-60", "lost-with-kontra")
    assert triggers(255) == tuple(names)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        # run: each pair gives the program's same log and list
        ("xskat -kontra18", "xskat -kontra -kontra18"),
        ("xskat -bockramsch -bock", "xskat -bock"),
        ("xskat -bock -bockramsch", "xskat -bockramsch"),
        ("xskat -tlist -alist", "xskat -alist"),
        ("xskat -kontra18 -kontra", "xskat -kontra"),
        ("xskat -ramschonly -noramsch -spitze2 -nospitze -oldrules -newrules", "xskat"),
        ("xskat -bockramsch -nobock -revolution -norevolution -schenken -noschenken", "xskat"),
        ("xskat -tlist -nlist -skattoloser -skattolast -sramsch -nosramsch", "xskat"),
        ("xskat -auto 350 -game seed.txt -log - -list 'a list' -lang english -fmt", "xskat"),
        ("xskat -s1 -4 -start 2 -shortcut", "xskat"),
        ("xskat-kontra -bock -bockevents 255", "xskat-bock"),
    ],
)
def test_the_last_switch_counts_and_others_change_no_rule(text: str, same: str) -> None:
    assert digest(text) == digest(same)


def test_rules_with_switches_are_named_by_the_whole_text() -> None:
    rules = load_rules("xskat -ramsch -sramsch")
    assert rules.name == rules.profile.name == "xskat -ramsch -sramsch"
    assert rules.profile.chain == ("xskat -ramsch -sramsch", "xskat", "isko-2022")
    assert rules.profile.title == load_profile("xskat").title


def test_a_set_key_comes_after_the_switches() -> None:
    rules = named_rules("xskat -ramsch", ("variants.ramsch.played=always",))
    assert rules is not None
    assert rules.tables.variants.ramsch.played == "always"
    assert rules.name == "xskat -ramsch with variants.ramsch.played=always"


def test_a_key_that_a_switch_set_stands_where_the_switch_is_defined() -> None:
    places = load_profile("xskat -ramsch").places
    assert places["variants", "ramsch", "played"] == places["switches", "-ramsch", "variants",
                                                            "ramsch", "played"]  # fmt: skip
    assert places["variants", "ramsch", "played"][0] == "xskat"


@pytest.mark.parametrize("name", ["xskat", "table-match"])
def test_every_packaged_switch_gives_a_valid_profile(name: str, tmp_path: Path) -> None:
    table = plain(load_profile(name).data["switches"])
    texts = [text for switch in table for text in examples(switch, table)]
    assert len(texts) >= 2
    for number, text in enumerate(texts):
        path = tmp_path / f"applied-{number}.yaml"
        path.write_text(f"name: applied\nextends: {name}\napply: {text}\n")
        # a user's own file is checked by the schema
        assert load_rules(path).profile.digest == digest(f"{name} {text}")


def test_no_profile_but_these_two_defines_switches_of_its_own() -> None:
    defining = {
        place[0] for name in available() for path, place in load_profile(name).places.items()
        if path[0] == "switches"
    }  # fmt: skip
    assert defining == {"xskat", "table-match"}


def test_the_switches_of_a_rule_text_turn_its_announcements_off() -> None:
    both, shut = load_rules("table-match").tables, load_rules("table-match -no-ouvert").tables
    mute = load_rules("table-match -no-announcements").tables
    hand = MODIFIERS["hand"]
    for kind in (SUIT_KIND, GRAND_KIND):
        assert both.announce[kind][OUVERT] > 0 > shut.announce[kind][OUVERT]
        assert shut.announce[kind][hand | SCHNEIDER] > 0 > mute.announce[kind][hand | SCHNEIDER]
        assert mute.announce[kind][OUVERT] == both.announce[kind][OUVERT]
    neither = load_rules("table-match -no-ouvert -no-announcements").tables
    assert [bits for bits, full in enumerate(neither.announce[SUIT_KIND]) if full >= 0] == [0, hand]
    assert neither.announce[NULL_KIND][OUVERT] == -1


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("xskat -ramsch -kontra", ("xskat", "-ramsch -kontra")),
        ("our club.yaml -bock", ("our club.yaml", "-bock")),
        ("xskat", ("xskat", "")),
        ("isko-pre-1999", ("isko-pre-1999", "")),
        ("  xskat   -fmt ", ("xskat", "-fmt")),
        ("", ("", "")),
        ("-ramsch", ("-ramsch", "")),
    ],
)
def test_a_name_ends_where_the_switches_begin(text: str, parts: tuple[str, str]) -> None:
    assert split(text) == parts


# --- what is refused --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("xskat -contra", "no switch '-contra'; there are: -noramsch, -ramsch"),
        ("xskat -ramsch kontra", "no switch 'kontra'"),
        ("xskat -bockevents", "from 0 to 255, and none follows"),
        ("xskat -bockevents 256", "from 0 to 255, not '256'"),
        ("xskat -bockevents -1", "not '-1'"),
        ("xskat -bockevents many", "not 'many'"),
        ("xskat -bockevents " + "9" * 5000, "from 0 to 255"),
        ("xskat -bockevents ²", "from 0 to 255"),
        ("xskat -kontra -log", "-log takes 1 more"),
        ("xskat -log 'games", "quotation"),
        ("isko -kontra", "isko has no switches"),
        ("xskat -ramsch -", "no switch '-'"),
    ],
)
def test_a_switch_that_is_not_there_is_refused_with_those_that_are(text: str, says: str) -> None:
    with pytest.raises(ProfileError) as caught:
        load_rules(text)
    assert caught.value.code == "F008"
    assert says in caught.value.message


def test_unknown_rules_with_switches_are_unknown_rules() -> None:
    for text in ("xskatt -ramsch", "nowhere.yaml -ramsch", "x" * 5000 + " -ramsch"):
        with pytest.raises(ProfileError) as caught:
            load_rules(text)
        assert caught.value.code == "F005"


def test_the_command_line_takes_and_refuses_switches(skatspec: Skatspec) -> None:
    game = ("settle", "--contract", "grand", "--hand", "--matadors", "with:1", "--bid", "24",
            "--points", "50", "--tricks", "5", "--rules")  # fmt: skip
    # a lost Hand game: Grand Hand with 1, 3 x 24, twice and once
    assert "score -144" in skatspec(*game, "xskat").out
    assert "score -72" in skatspec(*game, "xskat -oldrules").out
    wrong = skatspec(*game, "xskat -oldrulez")
    assert wrong.code == 2
    assert "F008" in wrong.err and "-oldrules" in wrong.err


# --- switches of one's own --------------------------------------------------------------

OWN = """\
name: own
extends: isko
switches:
  -sixty: {winning: {points: 60}}
  -short: {bids: {maximum: 99}}
  -long: {bids: {maximum: null}}
  -events: {number: {key: variants.bock.triggers, bits: {1: re, 2: hundreds}}}
  -name: 1
"""


def write(folder: Path, text: str, name: str = "own.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_profile_of_ones_own_may_have_switches(tmp_path: Path) -> None:
    path = write(tmp_path, OWN)
    rules = load_rules(f"{path} -sixty -name x -events 3 -short -long")
    assert rules.tables.win_points == 60
    assert rules.tables.variants.bock.triggers == ("re", "hundreds")
    assert rules.tables.bids == load_rules("isko").tables.bids
    assert rules.name == "own -sixty -name x -events 3 -short -long"
    assert load_rules(path).profile.digest == digest("isko")


def test_switches_are_inherited_and_what_is_applied_is_not(tmp_path: Path) -> None:
    write(tmp_path, OWN + "apply: -short\n", "base.yaml")
    child = write(tmp_path, "name: child\nextends: base.yaml\n")
    assert load_rules(tmp_path / "base.yaml").tables.bids[-1] == 99
    # what it set is inherited as any key
    assert load_rules(child).tables.bids[-1] == 99
    assert "apply" not in load_profile(child).data
    assert load_rules(f"{child} -long").tables.bids[-1] == 264
    # what a profile says itself goes before its switches
    stays = write(tmp_path, "extends: base.yaml\napply: -sixty\nwinning: {points: 62}\n", "s.yaml")
    assert load_rules(stays).tables.win_points == 62


def test_a_switch_that_is_defined_anew_sets_nothing_else(tmp_path: Path) -> None:
    text = "extends: xskat\nswitches:\n  -bockramsch: {winning: {points: 60}}\n"
    rules = load_rules(f"{write(tmp_path, text)} -bockramsch")
    assert rules.tables.win_points == 60 and not rules.tables.variants.bock.played


def test_a_file_whose_name_looks_like_switches_is_that_file(tmp_path: Path) -> None:
    path = write(tmp_path, "name: odd\nextends: isko\n", "club -new.yaml")
    assert load_rules(str(path)).name == load_rules(path).name == "odd"


HEAD = "name: bad\nextends: isko\n"
BAD = {
    "unknown-key": ("switches:\n  -a: {winning: {poinst: 60}}\n", "F003", 4),
    "unknown-section": ("switches:\n  -a: {winnings: {points: 60}}\n", "F002", 4),
    "value-that-does-not-fit": ("switches:\n  -a: {winning: {points: 121}}\n", "F002", 4),
    "word-for-a-switch": ("switches:\n  -a: b\n", "F002", 4),
    "list-for-a-switch": ("switches:\n  -a: [b]\n", "F002", 4),
    "number-without-bits": (
        "switches:\n  -a: {number: {key: variants.bock.triggers}}\n", "F002", 4,
    ),
    "bits-that-are-words": (
        "switches:\n  -a: {number: {key: variants.bock.triggers, bits: {x: re}}}\n", "F002", 4,
    ),
    "bits-for-no-trigger": (
        "switches:\n  -a: {number: {key: variants.bock.triggers, bits: {1: rain}}}\n", "F002", 4,
    ),
    "too-many-words": ("switches:\n  -a: 99\n", "F002", 4),
    "a-list-of-switches": ("switches: [-a]\n", "F002", 3),
    "no-minus-sign": ("switches:\n  a: 1\n", "F002", 3),
    "apply-a-list": ("apply: [-a]\n", "F002", 3),
    "apply-unknown": ("\napply: -a\n", "F008", 4),
    "applied-switch-with-a-fault": (
        "apply: -a\nswitches:\n  -a: {winning: {points: 121}}\n", "F002", 5,
    ),
    "contradiction-in-a-switch": (
        "apply: -a\nswitches:\n  -a:\n    winning:\n      schneider: 60\n", "F006", 7,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_switch_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text, code, line = BAD[name]
    path = write(tmp_path, HEAD + text)
    with pytest.raises(ProfileError) as caught:
        load_rules(path)
    assert (caught.value.code, caught.value.source, caught.value.line) == (code, str(path), line)


def test_what_is_shown_of_a_profile_is_the_profile(skatspec: Skatspec, tmp_path: Path) -> None:
    shown = skatspec("rules", "show", "xskat-bock -spitze").out
    path = write(tmp_path, shown, "shown.yaml")
    assert load_rules(path).profile.digest == digest("xskat-bock -spitze")
    assert "extends" not in shown and "apply" not in shown
    assert skatspec("rules", "check", path, f"{path} -ramsch", "xskat -ramsch").code == 0
    assert skatspec("rules", "check", "xskat -rasmch").code == 1
