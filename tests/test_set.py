"""`--set key=value`: one key of the rules changed for one run, checked like a profile."""

from __future__ import annotations

import pytest

from skatspec.errors import ProfileError, UsageError
from skatspec.judging import named_rules
from skatspec.rules import load_rules
from tests.clirun import Skatspec, skatspec

__all__ = ["skatspec"]  # a fixture

DIAMONDS = (
    "settle", "--contract", "diamonds", "--matadors", "with:1", "--bid", "24", "--points", "78",
)  # fmt: skip


def test_a_changed_key_changes_the_tables_the_name_and_the_digest() -> None:
    plain, changed = load_rules("isko"), load_rules("isko", ("winning.points=62",))
    assert (plain.tables.win_points, changed.tables.win_points) == (61, 62)
    assert changed.name == "isko with winning.points=62"
    assert changed.profile.digest != plain.profile.digest
    assert load_rules("isko").tables.win_points == 61


def test_the_literal_price_of_an_overbid_can_be_tried(skatspec: Skatspec) -> None:
    assert "score -54" in skatspec(*DIAMONDS, "--tricks", "5").out
    literal = skatspec(*DIAMONDS, "--tricks", "5", "--set", "settlement.overbid_price=base-value")
    assert "score -18" in literal.out


def test_the_ladder_can_be_ended() -> None:
    assert load_rules("isko", ("bids.maximum=99",)).tables.bids[-1] == 99


@pytest.mark.parametrize(
    ("setting", "code", "says"),
    [
        ("settlement.overbid=3", "F003", "overbid_price"),
        ("winning.points.more=3", "F003", "it is a value"),
        ("severities.nope=note", "F003", "nope"),
        ("winning.points=121", "F002", "maximum"),
        ("winning.points=[", "F001", "not YAML"),
        ("winning", "F001", "key=value"),
        ("auction.start=nowhere", "F006", "no state"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused(setting: str, code: str, says: str) -> None:
    with pytest.raises(ProfileError) as caught:
        load_rules("isko", (setting,))
    assert caught.value.code == code and says in caught.value.message


def test_a_setting_needs_rules_to_change() -> None:
    with pytest.raises(UsageError):
        named_rules(None, ("winning.points=62",))
