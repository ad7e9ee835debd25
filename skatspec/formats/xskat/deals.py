"""The cards as dealt, worked out backwards from the printed hands of a block.

A log prints the hands after discarding, pushing and the exchange of a Revolution. Where
taking these steps back does not give 32 different cards, what stands there is kept.
"""

from __future__ import annotations

from skatspec.cards import DECK, HIDDEN, Card
from skatspec.formats.xskat import words
from skatspec.formats.xskat.seats import PLAYERS, column_of
from skatspec.formats.xskat.values import Block
from skatspec.record import REVOLUTION, Deal

Cards = tuple[Card, ...]


def printed_hands(block: Block) -> list[Cards]:
    """Return the printed hands by column, `HIDDEN` for a Spitze that cannot be told."""
    hands = []
    for cells in block.hands:
        cards = tuple([cell.card for cell in cells])
        if None in cards:
            spitze = block.spitze
            known = HIDDEN if spitze is None else spitze
            cards = tuple([known if card is None else card for card in cards])
        hands.append(cards)
    return hands  # type: ignore[return-value]


def deal_of(block: Block, first: int, declarer: int, printed: list[Cards]) -> Deal:
    """Return the deal; columns of forehand and of the declarer, below 0 where there is none."""
    hands, skat = _taken_back(block, first, declarer, printed)
    whole = len({*hands[0], *hands[1], *hands[2], *skat}) == DECK
    if not whole or [len(hand) for hand in hands] != [len(hand) for hand in printed]:
        hands = printed
    elif block.contract is not None and block.contract.contract == REVOLUTION:
        return Deal(
            _seats([h if c == declarer else None for c, h in enumerate(hands)], first), skat
        )
    return Deal(_seats([*hands], first), skat)


def _seats(
    hands: list[Cards | None], first: int
) -> tuple[Cards | None, Cards | None, Cards | None]:
    return hands[first], hands[(first + 1) % PLAYERS], hands[(first + 2) % PLAYERS]


def _taken_back(
    block: Block, first: int, declarer: int, printed: list[Cards]
) -> tuple[list[Cards], Cards]:
    """Return the hands before the skat was taken or handed on, by column, and the skat."""
    skat = (block.skat_was or block.skat_is).cards
    hands = list(printed)
    if block.pushes:
        received = skat
        for push in block.pushes:
            if not push.unseen:
                column = column_of(push.seat, first)
                hands[column] = _exchanged(hands[column], push.cards, received)
            received = push.cards
    elif block.contract is not None and block.contract.contract != words.RAMSCH:
        hands[declarer] = _exchanged(hands[declarer], block.skat_is.cards, skat)
    return hands, skat


def _exchanged(hand: Cards, put: Cards, taken: Cards) -> Cards:
    """Return a hand without the two cards that were taken, with the two that were put away."""
    return tuple([card for card in (*hand, *put) if card not in taken])
