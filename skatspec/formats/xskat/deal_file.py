"""Writes a record's cards as a file of predefined deals, which `xskat -game FILE` plays.

The form is that of the program's manual, section FILES: a row a suit, a column a rank, in
each cell the player who is dealt the card, 0 for the skat. The players 3, 1 and 2 of such
a deal are forehand, middlehand and rearhand; where they sit is up to the switch -start,
which names the place of the dealer.
"""

from __future__ import annotations

import re

from skatspec.cards import BY_NAME, DECK, HIDDEN
from skatspec.diagnostics import Diagnostic, finding
from skatspec.formats.record_text import excerpt
from skatspec.record import PLACES_TAG, REARHAND, SEED_TAG, Record

FORMAT_NAME = "a deal file of XSkat"
# The player's number of forehand, middlehand, rearhand, and of the skat.
_NUMBERS = (3, 1, 2, 0)
_RANKS, _TEN = "ATKQJ987", "10"
_SUITS = (("D", "Diamond"), ("H", "Heart"), ("S", "Spade"), ("C", "Club"))
_TURNS = ("1 2 3", "2 3 1", "3 1 2")
_HAND, _SKAT = 10, 2
# The place of the dealer when the program is started without -start.
_USUAL_START = 2
_SEED = re.compile(r"-?\d{1,10} \d{1,9} [123](?: [LR])?")
_SAFE = re.compile(r"[ -~]{1,60}")


def write(record: Record) -> tuple[str, list[Diagnostic]]:
    """Return the deal as text, and what of the record has no place in it.

    Without 32 known cards there is no deal: the text is then empty, and the finding X007.
    """
    cells = _cells(record)
    if cells is None:
        what = "it needs 32 different cards, dealt to three hands and the skat"
        return "", [finding("X007", format=FORMAT_NAME, what=what)]
    findings: list[Diagnostic] = []
    lines = [f"# {line}" for line in _remarks(record, findings)]
    lines.append("#" + "".join([f"{_TEN if rank == 'T' else rank:>3}" for rank in _RANKS]))
    for letter, word in _SUITS:
        row = "".join([f"{cells[BY_NAME[letter + rank]]:>3}" for rank in _RANKS])
        lines.append(f" {row}  # {word}")
    _lost(record, findings)
    return "\n".join(lines) + "\n", findings


def _cells(record: Record) -> dict[int, int] | None:
    """Return the number of the player who is dealt each card."""
    if record.deal is None:
        return None
    found: dict[int, int] = {}
    for number, cards in zip(_NUMBERS, record.deal.parts(), strict=True):
        if cards is None or len(cards) != (_HAND if number else _SKAT):
            return None
        found |= dict.fromkeys(cards, number)
    return found if len(found) == DECK and HIDDEN not in found else None


def _remarks(record: Record, findings: list[Diagnostic]) -> list[str]:
    """Return the comment lines; a tag that has no part in them is reported."""
    lines: list[str] = []
    start = _USUAL_START
    for tag, value in record.tags:
        if tag == "Id" and _SAFE.fullmatch(value):
            lines.append(f"record {value}")
        elif tag == PLACES_TAG and value in _TURNS:
            start = int(value.split()[REARHAND])
        elif tag == SEED_TAG and _SEED.fullmatch(value):
            lines.append(f"the line `random_seed {value}` alone deals the same cards")
        else:
            findings.append(finding("X001", format=FORMAT_NAME, what=tag, read=excerpt(value)))
    lines.append(f"to be played with: xskat -game FILE -start {start}")
    return lines


def _lost(record: Record, findings: list[Diagnostic]) -> None:
    """Report everything but the cards as dropped."""
    if record.comments:
        findings.append(finding("X002", format=FORMAT_NAME, count=len(record.comments)))
    if record.steps:
        what = f"the course of the game ({len(record.steps)} steps)"
        findings.append(finding("X004", format=FORMAT_NAME, what=what))
    if record.result is not None:
        findings.append(finding("X005", format=FORMAT_NAME, what="every figure"))
