"""The tricks of a block: rows of columns put into the order of play, as their marks say.

The winner of a row (capitals) leads to the next one, and the leader (underscore, or the
winner) lays the first card. Whether the rules give him the trick is not asked here, only
whether the marks agree with each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skatspec.cards import HIDDEN, Card, names
from skatspec.diagnostics import Diagnostic, finding
from skatspec.formats.xskat.rows import Row
from skatspec.formats.xskat.seats import PLAYERS, seat_of
from skatspec.formats.xskat.values import Block
from skatspec.record import REVOLUTION, Play, Step

# The columns in the order of play, by who leads.
ORDER = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
# Steps are values, so one of each serves every record.
PLAYS = tuple(tuple(Play(seat, card) for card in range(HIDDEN + 1)) for seat in range(PLAYERS))

# The games whose rest may be shown instead of played.
NULL_GAMES = ("null", REVOLUTION)

_NONE, _MANY = -1, -2
# The column that is marked, by the marks of the three cells.
_MARKED = {
    (False, False, False): _NONE,
    (True, False, False): 0,
    (False, True, False): 1,
    (False, False, True): 2,
}


@dataclass(frozen=True, slots=True)
class Tricks:
    """Who led and who won each trick, as columns; a winner that no mark shows is below 0.

    Rows behind the last trick are no tricks: they show what was left (a Null that was
    safe). `fault` says where the marks contradict each other.
    """

    leaders: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    fault: Diagnostic | None = None


NO_TRICKS = Tricks()


def tricks_of(block: Block, first: int) -> Tricks:
    """Return the tricks of a block that was played; `first` is forehand's column."""
    leaders: list[int] = []
    winners: list[int] = []
    fault: Diagnostic | None = None
    due = first
    may_be_shown = block.contract is not None and block.contract.contract in NULL_GAMES
    for row in block.rows:
        one, two, three = row.cells
        winner = _MARKED.get((one.capitals, two.capitals, three.capitals), _MANY)
        leader = _MARKED.get((one.underscore, two.underscore, three.underscore), _MANY)
        if leader == _NONE:
            if winner == _NONE and may_be_shown:
                break
            leader = winner
        if fault is None and (winner < 0 or (leader != due and due >= 0)):
            fault = _fault(block, row, leader, winner, due)
        leaders.append(leader if leader >= 0 else max(due, 0))
        winners.append(winner)
        due = winner
    if len(leaders) < len(block.rows) and fault is None:
        fault = _rest_fault(block, len(leaders))
    return Tricks(tuple(leaders), tuple(winners), fault)


def plays(block: Block, found: Tricks, first: int, spitze: Card | None) -> list[Step]:
    """Return the cards played in the tricks; `spitze` is the card printed as Spitze."""
    hidden = HIDDEN if spitze is None else spitze
    by_column = [PLAYS[seat_of(column, first)] for column in range(PLAYERS)]
    steps: list[Step] = []
    for row, leader in zip(block.rows, found.leaders, strict=False):
        cells = row.cells
        for column in ORDER[leader]:
            card = cells[column].card
            steps.append(by_column[column][hidden if card is None else card])
    return steps


def _fault(block: Block, row: Row, leader: int, winner: int, due: int) -> Diagnostic:
    """Say how a row's marks contradict those of the rows before, or each other."""
    whole = block.span(row.line)
    if winner < 0:
        wanted = "one card in capitals"
        if winner == _NONE:
            return finding("N011", span=whole, what="mark of who won a trick", expected=wanted)
        return finding("N008", span=whole, what="the winner", read="two players", expected=wanted)
    called = block.names
    if leader < 0:
        wanted = called[due].full if due >= 0 else "one player"
        read = "two players"
    else:
        whole = block.cell_span(row.line, leader)
        wanted, read = called[due].full, called[leader].full
    why = "forehand" if row is block.rows[0] else "who won the trick before"
    what = "the leader of a trick"
    return finding("N008", span=whole, what=what, read=read, expected=f"{wanted}, {why}")


def _rest_fault(block: Block, played: int) -> Diagnostic | None:
    """Say how the rows behind the tricks contradict the hands, or that they are tricks."""
    for row in block.rows[played:]:
        if any(cell.capitals or cell.underscore for cell in row.cells):
            wanted = "rows without marks to the end"
            read = "a trick"
            what = "a row behind one without marks"
            return finding("N008", span=block.span(row.line), what=what, read=read, expected=wanted)
    line = block.rows[played].line
    for column in range(PLAYERS):
        shown = _known([row.cells[column].card for row in block.rows])
        held = _known([cell.card for cell in block.hands[column]])
        if shown != held or len(block.rows) != len(block.hands[column]):
            what = f"what {block.names[column].full} has left"
            read = names(row.cells[column].card or 0 for row in block.rows[played:])
            wanted = "the cards of the hand that were not played"
            place = block.cell_span(line, column)
            return finding("N008", span=place, what=what, read=read, expected=wanted)
    return None


def _known(cards: Sequence[Card | None]) -> list[int]:
    """Return the cards in order; the Spitze, which has no name, is the first."""
    return sorted(-1 if card is None else card for card in cards)
