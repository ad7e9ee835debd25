"""Columns of a log and seats of a deal: who is forehand, and who declared."""

from __future__ import annotations

from skatspec.formats.xskat import words
from skatspec.formats.xskat.lists import ListRow
from skatspec.formats.xskat.values import Block

PLAYERS = 3
# The column of a declarer where there is none.
NOBODY = -1


def seat_of(column: int, first: int) -> int:
    """Return the seat of a column, `first` being forehand's."""
    return (column - first) % PLAYERS


def column_of(seat: int, first: int) -> int:
    """Return the column of a seat, `first` being forehand's."""
    return (first + seat) % PLAYERS


def forehand(block: Block) -> int | None:
    """Return the column of forehand, None where nothing shows it."""
    return block.rows[0].leader if block.seed is None else (block.seed.dealer + 1) % PLAYERS


def declarer_of(block: Block, row: ListRow | None) -> int | None:
    """Return the declarer's column, `NOBODY` in a game without one, None where it is open.

    Two players of one name are told apart by the list, by who accepts a gift, and by who
    holds the Spitze.
    """
    contract = block.contract
    if contract is None or contract.contract == words.RAMSCH:
        return NOBODY
    if len(contract.players) == 1:
        return contract.players[0]
    if row is not None and row.player in contract.players:
        return row.player
    shown = [
        column
        for column in contract.players
        if block.rows[0].cells[column].word == words.ACCEPT
        or any(cell.spitze for cell in block.hands[column])
    ]
    return shown[0] if len(shown) == 1 else None
