"""Writes a record as one line of ISS text, and says what did not fit.

ISS text is ASCII in practice and knows no escape: a `]` in a value becomes `)`, a
control character a blank (X003). Letters beyond ASCII are written as they are, in UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeGuard

from skatspec import cards
from skatspec.cards import HIDDEN, Card
from skatspec.diagnostics import Diagnostic, finding
from skatspec.formats.iss_words import (
    BY_TAG,
    FIGURES,
    FOREIGN,
    GAME_NAME,
    GAME_PROPERTY,
    HAND_SIZE,
    LETTERED,
    MOVES_PROPERTY,
    OUTCOME_BEFORE,
    OUTCOME_WORDS,
    OVERBID_BEFORE,
    OVERBID_WORDS,
    OWN_PROPERTIES,
    PENALIZED,
    RESULT_PROPERTY,
    SEATS,
    SHOW,
    STEP_WORDS,
    TAKE,
    VIEW_TAG,
    WORLD_WORD,
    Figure,
    declaration_word,
    discard,
    number,
    number_word,
    split_deal,
)
from skatspec.formats.record_text import excerpt
from skatspec.record import (
    MODIFIERS,
    SEAT_NAMES,
    SPITZE,
    WORLD,
    Bid,
    Deal,
    Declare,
    Discard,
    Double,
    PickUp,
    Record,
    Result,
    Seat,
    Show,
    Step,
)

FORMAT_NAME = "ISS"
_AWAY = 2
_PROPERTY = re.compile(r"[A-Z][A-Z0-9]*")
# What would end a value, a line or the text, or would not be read back.
_UNWRITABLE = re.compile("[\\]\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_SKAT_SIZE = 2
# Parts of the result that ISS has no word for.
_UNSAID = ("last_trick", "scores", "losers", "counted")


def write(record: Record) -> tuple[str, list[Diagnostic]]:
    """Return the record as one line with its end, and what was dropped, replaced or filled in.

    A game that ISS does not have, Spitze, Kontra and what answers it cannot be left out
    without telling another game: the text is then empty, and the finding is X007.
    """
    findings: list[Diagnostic] = []
    for step in record.steps:
        foreign = _foreign(step)
        if foreign:
            return "", [finding("X007", format=FORMAT_NAME, what=foreign)]
    properties = "".join([_property(name, value, findings) for name, value in record.tags])
    deal = _deal(record, findings)
    moves = _Moves(findings).text(record.steps)
    result = _result(record.result, findings) if record.result is not None else ""
    if record.comments:
        count = len(record.comments)
        findings.append(finding("X002", format=FORMAT_NAME, count=count))
    game = _bracket(GAME_PROPERTY, GAME_NAME)
    moved = _bracket(MOVES_PROPERTY, f"{WORLD_WORD} {deal} {moves}")
    return f"(;{game}{properties}{moved}{result} ;)\n", findings


def _foreign(step: Step) -> str:
    """Return what of a step makes it another game than any that ISS has, empty for none."""
    if isinstance(step, Double):
        return step.call
    if isinstance(step, Declare):
        if declaration_word(step.contract, 0) is None:
            return step.contract
        return "Spitze" if step.modifiers & SPITZE else ""
    return ""


def _bracket(name: str, value: str) -> str:
    return f"{name}[{value}]"


# ---------------------------------------------------------------- tags


def _property(tag: str, value: str, findings: list[Diagnostic]) -> str:
    row = BY_TAG.get(tag)
    if row is not None:
        name, written = row.name, row.write(value)
    else:
        name, written = tag.removeprefix(FOREIGN), value
        known = name in OWN_PROPERTIES or not _PROPERTY.fullmatch(name)
        if known or not tag.startswith(FOREIGN):
            findings.append(finding("X001", format=FORMAT_NAME, what=tag, read=excerpt(value)))
            return ""
    if written is None:
        findings.append(finding("X003", format=FORMAT_NAME, what=tag, read=excerpt(value)))
        written = ""
    bad = sorted(set(_UNWRITABLE.findall(written)))
    if bad:
        read = " ".join([char if char == "]" else f"U+{ord(char):04X}" for char in bad])
        findings.append(finding("X003", format=FORMAT_NAME, what=tag, read=read))
        written = _UNWRITABLE.sub(lambda found: ")" if found[0] == "]" else " ", written)
    return _bracket(name, written)


# ---------------------------------------------------------------- deal


def _deal(record: Record, findings: list[Diagnostic]) -> str:
    filled = _filled(record.deal, findings)
    in_order = tuple([card for part in filled for card in part])
    view = record.tag(VIEW_TAG) is not None or HIDDEN in in_order
    if view or not in_order or split_deal(in_order).parts() != filled:
        return "|".join([_names(part) for part in filled])
    return _names(in_order)


def _filled(deal: Deal | None, findings: list[Diagnostic]) -> tuple[tuple[Card, ...], ...]:
    """Return the hands and the skat, hidden cards for what is not recorded."""
    parts: list[tuple[Card, ...]] = []
    if deal is not None and deal.pack is not None:
        findings.append(finding("X004", format=FORMAT_NAME, what="the pack", part="deal/4"))
    if deal is None:
        findings.append(finding("X006", format=FORMAT_NAME, what="deal"))
    for place, what in enumerate((*SEAT_NAMES, "skat")):
        part = None if deal is None else deal.parts()[place]
        if part is None:
            part = (HIDDEN,) * (HAND_SIZE if place < len(SEATS) else _SKAT_SIZE)
            if deal is not None:
                findings.append(finding("X006", format=FORMAT_NAME, what=what))
        parts.append(part)
    return tuple(parts)


def _names(group: tuple[Card, ...]) -> str:
    return cards.names(group, ".")


# ---------------------------------------------------------------- moves


class _Moves:
    """Writes steps in order; knows who has the skat and has put nothing away yet."""

    def __init__(self, findings: list[Diagnostic]) -> None:
        self._findings = findings
        self._taken: Seat = WORLD
        self._number = 0

    def text(self, steps: tuple[Step, ...]) -> str:
        """Return the moves, a blank behind each."""
        words: list[str] = []
        behind: tuple[Card, ...] = ()
        for self._number, step in enumerate(steps, 1):
            following = steps[self._number] if self._number < len(steps) else None
            if self._joins(step, following):
                behind = step.cards
                continue
            word = STEP_WORDS.get(step) if not behind else None
            if word is None:
                word = self._further(step, behind)
                behind = ()
            if word:
                words.append(word)
        return " ".join([*words, ""])

    def _joins(self, step: Step, following: Step | None) -> TypeGuard[Discard]:
        """Say whether a step is a discard written behind the declaration that follows it."""
        if not isinstance(step, Discard) or not isinstance(following, Declare):
            return False
        count = len(step.cards)
        fits = count == _AWAY or (count == 1 and not following.shown)
        return fits and step.seat == following.seat == self._taken != WORLD

    def _further(self, step: Step, behind: tuple[Card, ...]) -> str:
        """Return the text of a step that is not in the table, empty where it has none."""
        if step.seat in SEATS.values():
            match step:
                case Bid():
                    return self._bid(step)
                case PickUp():
                    self._taken = step.seat
                    return f"{step.seat} {TAKE}" + self._list(step, f" {WORLD_WORD} ", step.cards)
                case Show():
                    return f"{step.seat} {SHOW}" + self._list(step, ".", step.cards)
                case Discard():
                    return self._discard(step)
                case Declare():
                    return self._declare(step, behind)
        return self._drop(step.word)

    def _bid(self, step: Bid) -> str:
        word = number_word(step.value)
        if number(word) != step.value:
            read = "" if abs(step.value) > 10**9 else str(step.value)
            what = step.word
            note = finding("X003", format=FORMAT_NAME, what=what, read=read, step=self._number)
            self._findings.append(note)
        return f"{step.seat} {word}"

    def _discard(self, step: Discard) -> str:
        """Write a discard by itself: a single card would be a card played."""
        if len(step.cards) < _AWAY or discard(step.cards) != step.cards:
            return self._drop(step.word)
        if step.seat == self._taken:
            self._taken = WORLD
        return f"{step.seat} {_names(step.cards)}"

    def _declare(self, step: Declare, behind: tuple[Card, ...]) -> str:
        letters = declaration_word(step.contract, step.modifiers)
        unsaid = step.modifiers & ~LETTERED
        if unsaid:
            words = [word for word, bit in MODIFIERS.items() if unsaid & bit]
            self._drop(" ".join([f"{step.word}:", *(words or [str(unsaid)])]))
        shown = step.shown
        if behind:
            self._taken = WORLD
        elif shown and step.seat == self._taken:
            # The first two would be read as put away.
            self._drop(f"{step.word}: {_names(shown)}")
            shown = None
        written = self._list(step, ".", shown)
        if behind:
            written = f".{_names(behind)}{written}"
        return f"{step.seat} {letters}{written}"

    def _list(self, step: Step, lead: str, group: tuple[Card, ...] | None) -> str:
        """Write a list of cards; a list of none has no form but no list."""
        if group == ():
            self._drop(f"{step.word}: []")
        return lead + _names(group) if group else ""

    def _drop(self, what: str) -> str:
        note = finding("X004", format=FORMAT_NAME, what=what, step=self._number)
        self._findings.append(note)
        return ""


# ---------------------------------------------------------------- result


def stated_words(result: Result, outcome: str | None) -> Iterator[tuple[Figure | None, str]]:
    """Yield what a result states, in the format's order: (its row, the figure), (None, a word)."""
    for row in FIGURES:
        if row.key == OUTCOME_BEFORE and outcome is not None:
            yield None, outcome
        if row.key == OVERBID_BEFORE and result.overbid is not None:
            yield None, OVERBID_WORDS[result.overbid]
        value = getattr(result, row.field)
        if row.field == PENALIZED and value is not None:
            value = value[SEATS[row.key[-1]]]
        if value is not None:
            yield row, row.write(value)


def _result(result: Result, findings: list[Diagnostic]) -> str:
    """Return the result property; empty where the result states nothing."""
    outcome = OUTCOME_WORDS.get((result.kind, result.won))
    if outcome is None and result.won is not None:
        _drop_field("won", result.won, findings)
        outcome = OUTCOME_WORDS.get((result.kind, None))
    words: list[str] = []
    for row, word in stated_words(result, outcome):
        if row is None:
            words.append(word)
        elif re.fullmatch(row.pattern, word):
            words.append(f"{row.key}:{word}")
        else:
            _drop_field(row.field, word, findings)
    for name in _UNSAID:
        stated = getattr(result, name)
        if stated is not None:
            _drop_field(name, " ".join(map(_plain, stated)), findings)
    if not words:
        _drop_field("kind", result.kind, findings)
        return ""
    return _bracket(RESULT_PROPERTY, " ".join(words))


def _plain(value: int | None) -> str:
    """Return a flag or figure in words, nothing for a figure too long to print."""
    return str(value) if value is None or abs(value) < 10**9 else ""


def _drop_field(name: str, value: object, findings: list[Diagnostic]) -> None:
    note = finding("X005", format=FORMAT_NAME, what=name, read=excerpt(str(value)))
    findings.append(note)
