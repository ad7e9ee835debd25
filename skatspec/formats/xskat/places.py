"""Where the parts of a block stand in its text, found again when a finding asks.

The block is read once more; the places of the steps are in the order of the record's.
"""

from __future__ import annotations

from functools import lru_cache

from skatspec.cards import Card
from skatspec.formats.xskat.blocks import read_block
from skatspec.formats.xskat.contracts import after_the_play, before_the_play
from skatspec.formats.xskat.deals import deal_of, printed_hands
from skatspec.formats.xskat.lists import ListRow
from skatspec.formats.xskat.rows import MARGIN, WIDTH, name_place, plain, raw_columns
from skatspec.formats.xskat.seats import PLAYERS, column_of, declarer_of, forehand
from skatspec.formats.xskat.tricks import NO_TRICKS, ORDER, tricks_of
from skatspec.formats.xskat.values import PLAYED, Block, BrokenBlock
from skatspec.record import PLACES_TAG, ROUND_TAG, SEAT_LETTERS, Places

Place = tuple[int, int]
_SKAT_HAND = PLAYERS


def locate(text: str, row: ListRow | None = None) -> Places:
    """Return the places of steps and parts of a block's record; offsets into `text`.

    `row` is the row of the list where it alone says who declared.
    """
    return _locate(text, row)


@lru_cache(maxsize=16)
def _locate(text: str, row: ListRow | None) -> Places:
    block = read_block(text)
    if isinstance(block, BrokenBlock):
        return Places()
    first, declarer = forehand(block), declarer_of(block, row)
    if first is None or declarer is None:
        return Places()
    found = tricks_of(block, first) if block.kind == PLAYED else NO_TRICKS
    page = _Page(text)
    marks = [
        (line, column)
        for _, line, column in before_the_play(block, first, declarer, printed_hands(block))
    ]
    for one, leader in zip(block.rows, found.leaders, strict=False):
        marks += [(one.line, column) for column in ORDER[leader]]
    marks += [(line, column) for _, line, column in after_the_play(block, first, declarer, found)]
    steps = tuple([page.mark(line, column) for line, column in marks])
    parts = _parts(block, first, page)
    parts |= _deal(block, first, declarer, page)
    return Places(steps, parts)


class _Page:
    """The lines of a text and where they begin."""

    def __init__(self, text: str) -> None:
        self._texts = text.split("\n")
        self._starts = [0]
        for line in self._texts:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def plain(self, line: int) -> str:
        """Return a line (from 1) without its marks."""
        return plain(self._texts[line - 1])

    def mark(self, line: int, column: int) -> Place:
        """Return the place of a player's cell or name on a line, or of the whole line."""
        if column < 0:
            return self.place(line, 0, len(self.plain(line)))
        if line == 1:
            return self.place(line, *name_place(self.plain(line), column))
        begin = MARGIN + WIDTH * column
        return self.place(line, begin, begin + WIDTH)

    def place(self, line: int, begin: int, end: int) -> Place:
        """Return the place of plain columns on a line, trailing blanks left out."""
        text = self.plain(line)
        end = begin + max(1, len(text[begin:end].rstrip()))
        start, stop = raw_columns(self._texts[line - 1], begin, end)
        return self._starts[line - 1] + start, self._starts[line - 1] + stop


def _parts(block: Block, first: int, page: _Page) -> dict[str, Place]:
    """Return the places of tags and of the result.

    Figures that the list states have no place in the log: they are shown at its result.
    """
    top = block.rows[0].line
    seed = top if block.seed is None else block.seed.line
    parts = {f"tag/{PLACES_TAG}": page.mark(seed, -1), "tag/Seed": page.mark(seed, -1)}
    for seat, letter in enumerate(SEAT_LETTERS):
        parts[f"tag/{letter}"] = page.mark(1, column_of(seat, first))
    who = top if block.contract is None else block.contract.line
    parts[f"tag/{ROUND_TAG}"] = page.mark(who, -1)
    parts["result"] = page.mark(who if block.result is None else block.result.line, -1)
    for name in ("kind", "declarer", "losers"):
        parts[f"result/{name}"] = page.mark(who, -1)
    return parts


def _deal(block: Block, first: int, declarer: int, page: _Page) -> dict[str, Place]:
    """Return the places of the cards as dealt; those put away are found below the hands."""
    below: dict[Card, Place] = {}
    for pair in (block.skat_is, *block.pushes, block.skat_was):
        if pair is None:
            continue
        text = page.plain(pair.line)
        middle, comma = text.rindex(": ") + 2, text.rindex(",")
        below[pair.cards[0]] = page.place(pair.line, middle, comma)
        below[pair.cards[1]] = page.place(pair.line, comma + 1, len(text))
    printed = printed_hands(block)
    cells = [
        {card: page.mark(block.hands_line + at, column) for at, card in enumerate(hand)}
        for column, hand in enumerate(printed)
    ]
    parts = {"deal": page.mark(block.hands_line, -1)}
    deal = deal_of(block, first, declarer, printed)
    for hand, cards in enumerate(deal.parts()):
        own = below if hand == _SKAT_HAND else below | cells[column_of(hand, first)]
        for at, card in enumerate(cards or ()):
            if card in own:
                parts[f"deal/{hand}/{at}"] = own[card]
        parts[f"deal/{hand}"] = parts.get(f"deal/{hand}/0", parts["deal"])
    return parts
