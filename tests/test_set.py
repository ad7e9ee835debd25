"""`--set key=value`: one key of the rules changed for one run, checked like a profile."""

from __future__ import annotations

import pytest

from skatspec.errors import ProfileError, UsageError
from skatspec.judging import named_rules
from skatspec.record import SPITZE
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


def test_every_key_of_a_variant_can_be_set() -> None:
    tables = load_rules(
        "isko",
        (
            "variants.ramsch.played=all-passed", "variants.kontra.calls=[kontra, re]",
            "variants.bock={played: true, triggers: [re], deals: 4, factor: 3, "
            "ramsch_after: false, at_start: anew, listing: normal}",
            "levels.spitze=1", "announcements.allowed=[hand, schneider, schwarz, ouvert, spitze]",
        ),
    ).tables  # fmt: skip
    assert tables.variants.ramsch.played == "all-passed"
    assert tables.variants.kontra.calls == ("kontra", "re")
    assert (tables.variants.bock.deals, tables.variants.bock.factor) == (4, 3)
    assert tables.announce[0][SPITZE] == SPITZE and tables.steps[-1] == 1


def test_an_optional_key_can_be_set_and_taken_away() -> None:
    set_, key = "auction.states.f-alone.only=[18]", "auction.states.f-alone.only=null"
    assert load_rules("isko", (set_,)).tables.auction == load_rules("ledger").tables.auction
    assert load_rules("ledger", (key,)).tables.auction == load_rules("isko").tables.auction
    same = load_rules("isko", ("bids.maximum=99", "bids.maximum=null"))
    assert same.profile.digest == load_rules("isko").profile.digest


def test_the_options_of_a_rule_text_can_be_turned_on() -> None:
    assert load_rules("game-circle").tables.variants.ramsch.played == "never"
    on = load_rules("game-circle", ("variants.ramsch.played=all-passed",))
    assert on.tables.variants.ramsch.played == "all-passed"


@pytest.mark.parametrize(
    ("setting", "code", "says"),
    [
        ("settlement.overbid=3", "F003", "overbid_price"),
        ("winning.points.more=3", "F003", "it is a value"),
        ("severities.nope=note", "F003", "nope"),
        ("variants.doppelkopf=yes", "F003", "known here: ramsch, kontra, bock, revolution, gifts"),
        ("variants.ramsch.plaid=never", "F003", "known here: played, cards, price"),
        ("variants.bok.played=true", "F003", "keys of variants: ramsch, kontra, bock"),
        ("variants.ramsch.played=sometimes", "F002", "all-passed"),
        ("variants.kontra.calls=[re]", "F002", "variants.kontra.calls"),
        ("variants.revolution.cards=clubs", "F006", "Revolution is a Null"),
        ("variants.ramsch=null", "F002", "ramsch missing"),
        ("winning.points=121", "F002", "at most 120"),
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
