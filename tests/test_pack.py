"""The pack from the top, and the kind of round that a deal belongs to."""

from __future__ import annotations

import pytest

import skatspec
from skatspec.cards import NAMES
from skatspec.engine import pack
from skatspec.rules import load_rules

SUIT_BY_SUIT = tuple(range(32))


def checked(text: str, rules: str = "isko") -> list[tuple[str, str]]:
    record = skatspec.parse(f"%skat 1\n{text}")
    assert isinstance(record, skatspec.Record), record.findings
    return [(one.code, one.read) for one in skatspec.check(record, rules).findings]


def names(*cards: int) -> str:
    return " ".join(NAMES[card] for card in cards)


def test_the_packets_are_three_the_skat_four_three() -> None:
    # ISkO 2022 3.2; the pack D7 D8 ... CA, dealt by hand
    forehand, middlehand, rearhand, skat = pack.hands(SUIT_BY_SUIT, load_rules("isko").tables)
    assert forehand == (0, 1, 2, 11, 12, 13, 14, 23, 24, 25)
    assert middlehand == (3, 4, 5, 15, 16, 17, 18, 26, 27, 28)
    assert rearhand == (6, 7, 8, 19, 20, 21, 22, 29, 30, 31)
    assert skat == (9, 10)


def test_a_hand_that_the_pack_does_not_make_is_named() -> None:
    whole = f"deal\n  pack: {names(*SUIT_BY_SUIT)}\n"
    right = f"  F: {names(0, 1, 2, 11, 12, 13, 14, 23, 24, 25)}\n"
    assert checked(whole + right) == []
    wrong = names(0, 1, 2, 3, 12, 13, 14, 23, 24, 25)
    assert checked(whole + f"  F: {wrong}\n") == [("R008", f"forehand {wrong}")]
    assert checked(whole + f"  skat: {names(9, 11)}\n") == [("R008", f"the skat {names(9, 11)}")]
    assert checked(whole + "  skat: ?? ??\n") == []


def test_a_pack_has_32_different_cards() -> None:
    assert checked(f"deal\n  pack: {names(*range(31))}\n") == [("R008", "31 cards")]
    assert checked(f"deal\n  pack: {names(*range(31), 5)}\n") == [("R001", NAMES[5])]
    assert checked(f"deal\n  pack: {names(*range(31))} ??\n") == []


@pytest.mark.parametrize(
    ("rules", "known"),
    [
        ("isko", {"normal"}), ("xskat-bock", {"normal", "bock"}),
        ("xskat-bockramsch", {"normal", "bock", "ramsch"}),
    ],
)  # fmt: skip
def test_a_round_is_one_that_the_rules_have(rules: str, known: set[str]) -> None:
    for word in ("normal", "bock", "ramsch"):
        # a Ramsch round has no auction
        body = "contract\n  ramsch\n" if word == "ramsch" else "auction\n  M pass, R pass, F pass\n"
        found = checked(f'[Round "{word}"]\n{body}', rules)
        assert found == ([] if word in known else [("R009", f"{word} round")])
