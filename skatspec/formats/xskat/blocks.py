"""XSkat logs: one block a game, kept as it stands, every part with its line.

A block is: two name lines, 40 `-`, one to ten rows, the seed line (or 40 `-`), ten rows of
hands, 40 `-`, the skat, and unless the deal was passed the bid, the contract, a modifier
and the result; 40 `=` end it. Text in which a block can be seen but not read becomes a
BrokenBlock with its findings, other text is junk (N003, one finding a run), and reading
goes on at the next `=` line or at the next name lines. Memory is bounded by one block.

What the rules would say - whether the tricks are legal, which card the Spitze is, what a
missing bid means - is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from skatspec.cards import Card
from skatspec.diagnostics import Diagnostic, finding
from skatspec.formats.lines import Lines
from skatspec.formats.record_text import excerpt
from skatspec.formats.xskat import words
from skatspec.formats.xskat.frames import DASHES, RULE_WIDTH, SEED_WORD, Frame, Framer, joined
from skatspec.formats.xskat.rows import (
    CARD_CELLS,
    CELLS,
    HAND_CELLS,
    MARGIN,
    Cells,
    Names,
    Row,
    cells_of,
    first_bad_cell,
    like_a_row,
    names_of,
    plain,
    players_called,
    rows_of,
    settled,
)
from skatspec.formats.xskat.values import (
    GIFT,
    PASSED,
    PLAYED,
    Block,
    BrokenBlock,
    Contract,
    Modifier,
    Number,
    Outcome,
    Pair,
    Push,
    Seed,
    span_of,
)

__all__ = [
    "GIFT",
    "PASSED",
    "PLAYED",
    "Block",
    "BrokenBlock",
    "Contract",
    "Modifier",
    "Number",
    "Outcome",
    "Pair",
    "Push",
    "Seed",
    "UnreadBlock",
    "read_block",
    "read_blocks",
    "unread_blocks",
]

HAND_ROWS = MOST_ROWS = 10
_ROW_END = 38

_SEED = re.compile(rf"(-{{4,5}}) {SEED_WORD} (-?\w{{1,24}}) (\d{{1,9}}) ([123])(?: ([LR]))? ?-*")
_NUMBER = re.compile(r"\d{1,9}")

# The field of a Block that each part fills.
_FIELDS = {
    words.SKAT_IS: "skat_is",
    words.SKAT_WAS: "skat_was",
    words.LAST_BID: "last_bid",
    words.CONTRACT: "contract",
    words.MODIFIER: "modifier",
    words.RESULT: "result",
}
_WANTED = {
    words.SKAT_IS: "two cards of the skat",
    words.SKAT_WAS: "two cards of the skat",
    words.PUSH: "two cards pushed on",
    words.LAST_BID: "a number",
    words.RESULT: "a number of points",
}


def read_blocks(lines: Lines) -> Iterator[Block | BrokenBlock]:
    """Yield the blocks of a log in order; junk between them is reported to `lines`."""
    return Framer(lines, lambda frame: _Reader(frame).read()).blocks()


@dataclass(slots=True)
class UnreadBlock:
    """The lines of a block that nobody has asked for yet."""

    frame: Frame

    @property
    def text(self) -> str:
        """Return the text of the block."""
        return joined(self.frame)

    def read(self) -> Block | BrokenBlock:
        """Return the block, or why it cannot be read."""
        return _Reader(self.frame).read()


def unread_blocks(lines: Lines) -> Iterator[UnreadBlock | BrokenBlock]:
    """Yield what `read_blocks` does, of whole blocks the lines only."""
    return Framer(lines, UnreadBlock).blocks()


def read_block(text: str) -> Block | BrokenBlock:
    """Read the text of one block again; its lines count from 1."""
    return _Reader(list(enumerate(text.split("\n"), start=1))).read()


# ---------------------------------------------------------------- reading one block


class _Reader:
    """Reads the lines of one block in order; the first line that does not fit ends it."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._at = 0
        self._text = joined(frame)
        self._parts: dict[str, Any] = {}
        self._pushes: list[Push] = []

    def read(self) -> Block | BrokenBlock:
        """Return the block, or why it cannot be read."""
        for part in (self._head, self._read_rows, self._seed, self._hands, self._tail):
            fault = part()
            if fault is not None:
                return BrokenBlock(self._frame[0][0], self._text, (fault,), ended=True)
        return Block(line=self._frame[0][0], text=self._text, **self._parts)

    def _line(self) -> str:
        """Return the line at hand without its marks and trailing blanks."""
        return plain(self._frame[self._at][1]).rstrip()

    def _fault(self, code: str, begin: int, end: int, expected: str, what: str = "") -> Diagnostic:
        line, raw = self._frame[min(self._at, len(self._frame) - 1)]
        read = excerpt(plain(raw)[begin:end])
        place = span_of(raw, line, begin, end)
        return finding(code, span=place, read=read, expected=expected, what=what)

    def _unfit(self, expected: str) -> Diagnostic:
        return self._fault("N001", 0, RULE_WIDTH, expected)

    def _missing(self, what: str) -> Diagnostic:
        return self._fault("N011", 0, RULE_WIDTH, what, what=what)

    def _head(self) -> Diagnostic | None:
        if len(self._frame) < 4 or self._frame[2][1].rstrip() != DASHES:
            return self._missing("two lines of names above 40 `-`")
        names = names_of(plain(self._frame[0][1]), plain(self._frame[1][1]))
        if names is None:
            return self._unfit("three names in columns of 12")
        self._parts["names"] = names
        self._at = 3
        return None

    def _read_rows(self) -> Diagnostic | None:
        frame = self._frame
        kind: str | None = PLAYED
        rows = rows_of(frame, self._at, len(frame), CARD_CELLS)
        self._at += len(rows)
        line, text = frame[min(self._at, len(frame) - 1)]
        text = plain(text)
        if not rows and (cells := cells_of(text)) is not None:
            kind = _kind(cells)
            rows.append(Row(line, cells))
            self._at += kind is not None
        elif not text.startswith("-"):
            return self._bad_row(text)
        if kind is None:
            return self._unfit("three cards, or three words of a passed deal or a gift")
        if not rows:
            return self._missing("rows of cards")
        if len(rows) > MOST_ROWS:
            self._at -= len(rows) - MOST_ROWS
            return self._unfit("at most ten rows")
        self._parts |= {"rows": tuple(rows), "kind": kind}
        return None

    def _bad_row(self, text: str) -> Diagnostic:
        begin, end = first_bad_cell(text)
        nothing = begin < MARGIN or begin >= _ROW_END or not text[begin:end].strip()
        if nothing or not like_a_row(text):
            return self._unfit("a row of three cells")
        return self._fault("N004", begin, end, "a card in its column of 12")

    def _seed(self) -> Diagnostic | None:
        line, text = self._frame[self._at][0], self._line()
        found = _SEED.fullmatch(text)
        if found is None and text != DASHES:
            return self._unfit("the line `random_seed`, or 40 `-`")
        if found is not None:
            dealer, longer = int(found[4]) - 1, len(found[1]) > 4 or len(text) > RULE_WIDTH
            seed = Seed(line, found[2], int(found[3]), dealer, found[5] or "", longer)
            self._parts["seed"] = seed
        else:
            self._parts["seed"] = None
        self._at += 1
        return None

    def _hands(self) -> Diagnostic | None:
        first = self._at
        rows = rows_of(self._frame, first, first + HAND_ROWS, HAND_CELLS)
        self._at += len(rows)
        text = self._line()
        if len(rows) < HAND_ROWS:
            return self._bad_hands(text)
        if text != DASHES:
            return self._unfit("40 `-` below ten rows of hands")
        self._at += 1
        self._parts |= {
            "hands": tuple(zip(*[row.cells for row in rows], strict=True)),
            "hands_line": self._frame[first][0],
        }
        return None

    def _bad_hands(self, text: str) -> Diagnostic:
        if text.startswith(("-", "=")):
            return self._missing("ten rows of hands")
        return (
            self._unfit("a row of a card of each hand") if cells_of(text) else self._bad_row(text)
        )

    def _tail(self) -> Diagnostic | None:
        """Read what stands below the hands, up to the `=` line."""
        parts, reached = self._parts, -1
        while self._at < len(self._frame) - 1:
            item = self._item(self._line())
            if isinstance(item, Diagnostic):
                return item
            kind, value = item
            place = words.ORDER.index(kind)
            if place < reached or (place == reached and kind != words.PUSH):
                return self._fault("N006", 0, RULE_WIDTH, words.ORDER[reached])
            if reached < 0 and kind != words.SKAT_IS:
                return self._missing("line `Skat is`")
            reached = place
            if kind == words.PUSH:
                self._pushes.append(value)
            else:
                parts[_FIELDS[kind]] = value
            self._at += 1
        parts["pushes"] = tuple(self._pushes)
        return self._complete(reached)

    def _item(self, text: str) -> tuple[str, Any] | Diagnostic:
        """Return what a line states as its kind and value."""
        line = self._frame[self._at][0]
        start, _, rest = text.partition(": ")
        label = words.LABELS.get(start)
        if label is not None:
            value = _labelled(label, line, rest)
            if value is not None:
                if label.kind == words.SKAT_IS:
                    first = CELLS[rest.partition(",")[0]]
                    self._parts |= {"language": label.language, "deck": first.deck}
                return label.kind, value
        # A player may be called `Skat is:`, so a label alone decides nothing.
        contract = self._contract(line, text)
        if contract is not None:
            return words.CONTRACT, contract
        if text in words.MODIFIERS:
            return words.MODIFIER, Modifier(line, text, words.MODIFIERS[text])
        if text in words.RESULTS:
            return words.RESULT, Outcome(line, words.RESULTS[text])
        if label is not None:
            return self._fault(_code(label), len(start) + 2, len(text), _WANTED[label.kind])
        return self._unfit("a line on skat, bid, contract or result, or 40 `=`")

    def _contract(self, line: int, text: str) -> Contract | None:
        found = _contract_of(plain(self._frame[0][1]), plain(self._frame[1][1]), text)
        if found is None:
            return None
        self._parts["names"], name, players, contract, won = found
        return Contract(line, name, players, contract, won)

    def _complete(self, reached: int) -> Diagnostic | None:
        """Say what is missing, now that the block ends."""
        parts = self._parts
        contract: Contract | None = parts.get("contract")
        if reached < 0:
            return self._missing("line `Skat is`")
        if parts["kind"] == PASSED:
            return self._unfit("nothing below the skat of a passed deal") if reached else None
        if contract is None:
            return self._missing("line on the contract")
        if "result" not in parts:
            if contract.contract != words.RAMSCH or contract.name not in words.NOBODY:
                return self._missing("line on the result")
            # Without points it is nobody, even where a player has that name.
            parts["contract"] = Contract(contract.line, contract.name, (), words.RAMSCH, False)
            return None
        return None if contract.players else self._unknown_player(contract)

    def _unknown_player(self, contract: Contract) -> Diagnostic:
        self._at = next(n for n, (line, _) in enumerate(self._frame) if line == contract.line)
        names = " / ".join(name.full for name in self._parts["names"])
        return self._fault("N001", 0, len(contract.name), names)


def _kind(cells: Cells) -> str | None:
    """Return the kind of a block by its row of words, or None where these do not go together."""
    found = {cell.word for cell in cells}
    if found == {words.PASS}:
        return PASSED
    return GIFT if found == {words.GIFT, words.ACCEPT} else None


def _labelled(label: words.Label, line: int, text: str) -> Any:
    """Return the value of what stands behind a label, or None where it is none."""
    if label.kind == words.LAST_BID:
        return Number(line, int(text)) if _NUMBER.fullmatch(text) else None
    if label.kind == words.RESULT:
        number, _, unit = text.partition(" ")
        good = unit == label.unit and _NUMBER.fullmatch(number)
        return Outcome(line, label.won, int(number)) if good else None
    cards = _pair(text)
    if cards is None:
        return None
    if label.kind == words.PUSH:
        return Push(line, label.seat, label.unseen, cards)
    return Pair(line, cards)


@lru_cache(maxsize=256)
def _contract_of(
    upper: str, lower: str, text: str
) -> tuple[Names, str, tuple[int, ...], str, bool | None] | None:
    """Return names, player, columns of that name, contract, and whether a Ramsch was won."""
    for verb in words.VERBS:
        name, found, word = text.rpartition(verb)
        if found and word in words.CONTRACTS:
            return *_called(upper, lower, name), words.CONTRACTS[word], None
    for end, won in words.RAMSCH_ENDS.items():
        if text.endswith(end):
            return *_called(upper, lower, text[: -len(end)]), words.RAMSCH, won
    return None


def _called(upper: str, lower: str, name: str) -> tuple[Names, str, tuple[int, ...]]:
    names = names_of(upper, lower)
    assert names is not None  # the head was read
    names = settled(names, name)
    return names, name, players_called(names, name)


@lru_cache(maxsize=4096)
def _pair(text: str) -> tuple[Card, Card] | None:
    cells = [CELLS.get(part) for part in text.split(",", 2)]
    cards = [c.card for c in cells if c and c.card is not None and not (c.underscore or c.capitals)]
    return (cards[0], cards[1]) if len(cells) == len(cards) == 2 else None


def _code(label: words.Label) -> str:
    """Return the code for what stands behind a label in vain."""
    return "N001" if label.kind in (words.LAST_BID, words.RESULT) else "N004"
