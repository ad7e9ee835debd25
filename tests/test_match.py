"""The match of each profile as RULES.md has it, and what a length of a match may be."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from skatspec.errors import ProfileError
from skatspec.rules import available, load_profile, load_rules
from skatspec.rules.match import Lengths, Match, compile_match

FABIAN, PLAIN = "seeger-fabian", "plain"
BY_TABLE, STEPS, AGREED, ROUNDS = {3: 36, 4: 48}, (3, 24, 3, 12), "agreed", "rounds"
TOLD = ("most-won", "fewest-lost", "lot")
SHARED = ("shared",)
BONUS = (50, -50, {3: 40, 4: 30})
NO_BONUS = (0, 0, {3: 0, 4: 0})

# RULES.md, sections 1 and 2: count, players at a table, whether a passed-in deal counts,
# lengths, equal totals, bonus. Modes of XSkat have those of XSkat.
EXPECTED = {
    "isko": (FABIAN, (3, 4), True, BY_TABLE, TOLD, BONUS),
    "isko-2022": (FABIAN, (3, 4), True, BY_TABLE, TOLD, BONUS),
    "isko-2015": (FABIAN, (3, 4), True, BY_TABLE, TOLD, BONUS),
    "isko-pre-1999": (FABIAN, (3, 4), True, BY_TABLE, TOLD, BONUS),
    "iss": (FABIAN, (3, 4), True, AGREED, TOLD, BONUS),
    "iss-client": (FABIAN, (3, 4), True, AGREED, TOLD, BONUS),
    "house": (FABIAN, (3, 4), False, BY_TABLE, TOLD, BONUS),
    "ledger": (PLAIN, (3, 3), True, {3: 12}, SHARED, NO_BONUS),
    "primer": (PLAIN, (3, 4), False, BY_TABLE, TOLD, NO_BONUS),
    "table-match": (PLAIN, (3, 3), True, STEPS, SHARED, NO_BONUS),
    "browser": (PLAIN, (3, 3), True, AGREED, TOLD, NO_BONUS),
    "game-circle": (PLAIN, (3, None), True, ROUNDS, TOLD, NO_BONUS),
    "xskat": (PLAIN, (3, 3), True, AGREED, SHARED, NO_BONUS),
}


def match_of(name: str | Path, *settings: str) -> Match:
    return compile_match(load_rules(name, settings).profile)


def form(lengths: Lengths) -> object:
    """Return the form in which a profile has its lengths."""
    if lengths.whole_rounds:
        return ROUNDS
    if lengths.step is not None:
        return (lengths.least, lengths.most, lengths.step, lengths.expected(3))
    return dict(lengths.usual) or AGREED


def row(match: Match) -> tuple[object, ...]:
    """Return a match in the columns of EXPECTED."""
    return (
        match.system,
        (match.tables_least, match.tables_most),
        match.passed_in_counts,
        form(match.lengths),
        match.ties,
        (match.own_won, match.own_lost, dict(match.others_lost)),
    )


@pytest.mark.parametrize("name", available())
def test_the_match_of_each_profile_is_that_of_the_rules(name: str) -> None:
    expected = EXPECTED.get(name) or EXPECTED[name.partition("-")[0]]
    assert row(match_of(name)) == expected


def test_the_tournament_listing_of_xskat_is_counted_by_seeger_fabian_until_a_later_switch() -> None:
    # XSkat's tournament listing: 50 for each own game, and 40 for each opponent of a lost one
    plain = EXPECTED["xskat"]
    assert row(match_of("xskat -tlist")) == (FABIAN, *plain[1:5], BONUS)
    for text in ("xskat -tlist -alist", "xskat -tlist -nlist", "xskat -alist", "xskat -nlist"):
        assert row(match_of(text)) == plain, text
    assert match_of("xskat -alist -tlist").system == FABIAN


def test_nobody_sits_out_where_a_table_has_three() -> None:
    for name in available():
        profile = load_profile(name)
        most = compile_match(profile).tables_most
        assert (most == 3) == (profile.data["table"]["sits_out"] == "nobody"), name


def test_a_match_cannot_be_changed() -> None:
    match = match_of("isko")
    with pytest.raises(FrozenInstanceError):
        match.system = PLAIN  # type: ignore[misc]
    with pytest.raises(TypeError):
        match.others_lost[3] = 0  # type: ignore[index]
    with pytest.raises(TypeError):
        match.lengths.usual[3] = 1  # type: ignore[index]


# --- lengths ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "players", "allowed", "refused", "expected"),
    [
        # a number by table: that number alone
        ("isko", 3, [36], [1, 12, 35, 37, 48, 72], 36),
        ("isko", 4, [48], [1, 36, 47, 49, 96], 48),
        ("ledger", 3, [12], [11, 13, 24, 36], 12),
        # bounds: three to 24 in threes, twelve where nothing is agreed
        ("table-match", 3, [3, 6, 9, 12, 15, 18, 21, 24], [1, 2, 4, 13, 23, 25, 27], 12),
        # agreed: any number
        ("browser", 3, [1, 2, 7, 36, 1000], [], None),
        ("xskat", 3, [1, 360, 10**9], [], None),
        # rounds: each player deals equally often, at a table of any size
        ("game-circle", 3, [3, 6, 36], [1, 2, 4, 37], None),
        ("game-circle", 4, [4, 8, 48], [3, 6, 46], None),
        ("game-circle", 5, [5, 10], [3, 4, 12], None),
    ],
)
def test_a_profile_allows_the_lengths_it_names_and_no_others(
    name: str, players: int, allowed: list[int], refused: list[int], expected: int | None
) -> None:
    lengths = match_of(name).lengths
    assert [deals for deals in allowed if not lengths.allows(deals, players)] == []
    assert [deals for deals in refused if lengths.allows(deals, players)] == []
    assert lengths.expected(players) == expected
    assert expected is None or lengths.allows(expected, players)


@pytest.mark.parametrize("name", ["isko", "table-match", "browser", "game-circle", "ledger"])
def test_no_match_has_no_deals(name: str) -> None:
    lengths = match_of(name).lengths
    for players in (3, 4, 5):
        assert not lengths.allows(0, players)
        assert not lengths.allows(-3, players)


def test_of_a_table_that_a_profile_does_not_name_any_length_is_allowed() -> None:
    lengths = match_of("isko", "match.deals={four: 40}").lengths
    assert (lengths.expected(3), lengths.expected(4)) == (None, 40)
    assert lengths.allows(7, 3)
    assert not lengths.allows(36, 4)


def test_steps_begin_at_the_least_number() -> None:
    deals = "match.deals={least: 4, most: 15, step: 5, usual: 9}"
    lengths = match_of("isko", deals).lengths
    assert [n for n in range(30) if lengths.allows(n, 3)] == [4, 9, 14]
    assert [lengths.expected(players) for players in (3, 4, 5)] == [9, 9, 9]


# --- profiles of one's own --------------------------------------------------------------

HEAD = "name: club\nextends: isko\nmatch:\n"


def write(folder: Path, text: str) -> Path:
    path = folder / "club.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_list_may_be_counted_so_that_it_sums_to_nothing(tmp_path: Path) -> None:
    match = match_of(write(tmp_path, HEAD + "  system: zero-sum\n  bonus: none\n"))
    assert (match.system, match.own_won) == ("zero-sum", 0)


def test_null_takes_the_limit_of_a_table_away_and_a_number_brings_it_back(tmp_path: Path) -> None:
    assert match_of(write(tmp_path, HEAD + "  tables: {most: null}\n")).tables_most is None
    assert match_of("game-circle", "match.tables.most=5").tables_most == 5
    assert match_of("isko", "match.tables.most=null").tables_most is None


def test_a_bonus_that_is_not_counted_is_no_contradiction(tmp_path: Path) -> None:
    match = match_of(write(tmp_path, HEAD + "  system: plain\n"))
    assert (match.system, match.own_won) == (PLAIN, 50)


BAD = {
    "unknown-system": ("  system: fabian\n", "F002", 4),
    "system-without-its-bonus": ("  bonus: none\n", "F006", 4),
    "seeger-without-its-bonus": ("  ties: [shared]\n  system: seeger\n  bonus: none\n", "F006", 5),
    "fewer-than-play": ("  tables:\n    least: 2\n", "F002", 5),
    "tables-without-least": ("  tables:\n    least: null\n", "F002", 4),
    "least-above-most": ("  tables:\n    least: 5\n", "F006", 5),
    "most-below-least": ("  tables:\n    least: 4\n    most: 3\n", "F006", 5),
    "seats-are-no-numbers": ("  tables: {most: any}\n", "F002", 4),
    "unknown-key-of-tables": ("  tables:\n    usual: 4\n", "F003", 5),
    "deals-by-whim": ("  deals: often\n", "F002", 4),
    "no-deals": ("  deals: {three: 0}\n", "F002", 4),
    "two-forms-at-once": ("  deals: {least: 3, most: 24, step: 3, usual: 12}\n", "F002", 4),
}
STEP_HEAD = "name: club\nextends: table-match\nmatch:\n"
BAD_STEPS = {
    "no-step": ("  deals: {step: 0}\n", "F002", 4),
    "half-a-form": ("  deals: {usual: null}\n", "F002", 4),
    "nothing-between": ("  deals:\n    least: 30\n", "F006", 5),
    "usual-beyond-most": ("  deals:\n    usual: 27\n", "F006", 5),
    "usual-between-steps": ("  deals:\n    usual: 13\n", "F006", 5),
    "steps-pass-the-usual": ("  deals:\n    step: 5\n", "F006", 5),
    "usual-below-least": ("  deals:\n    least: 15\n", "F006", 5),
    "a-fourth-who-does-not-sit-out": ("  tables:\n    most: 4\n", "F006", 5),
    "any-number-of-whom-nobody-sits-out": ("  tables:\n    most: null\n", "F006", 5),
}
CASES = {
    **{name: (HEAD + text, code, line) for name, (text, code, line) in BAD.items()},
    **{name: (STEP_HEAD + text, code, line) for name, (text, code, line) in BAD_STEPS.items()},
}


@pytest.mark.parametrize("name", CASES)
def test_a_match_that_cannot_be_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text, code, line = CASES[name]
    path = write(tmp_path, text)
    with pytest.raises(ProfileError) as caught:
        load_rules(path)
    error = caught.value
    assert (error.code, error.source, error.line) == (code, str(path), line), error
    assert "schema" not in error.message


def test_a_table_at_which_nobody_sits_out_has_three(tmp_path: Path) -> None:
    text = "name: club\nextends: isko\ntable:\n  sits_out: nobody\n"
    path = write(tmp_path, text)
    with pytest.raises(ProfileError, match=r"match\.tables\.most: 3 players play") as caught:
        load_rules(path)
    assert (caught.value.code, caught.value.line) == ("F006", 4)
    assert match_of(write(tmp_path, text + "match: {tables: {most: 3}}\n")).tables_most == 3


def test_a_value_of_no_form_is_told_the_forms() -> None:
    forms = r"agreed, rounds, \{three, four\}, \{least, most, step, usual\}"
    with pytest.raises(ProfileError, match=f"often is none of: {forms}"):
        load_rules("isko", ("match.deals=often",))
    # of a form that is plainly meant, the key that is wrong is named
    with pytest.raises(ProfileError, match=r"match\.deals: three: 0 is not at least 1"):
        load_rules("isko", ("match.deals={three: 0}",))
    with pytest.raises(ProfileError, match=r"match\.bonus: own_won: many is no whole number"):
        load_rules("isko", ("match.bonus.own_won=many",))
