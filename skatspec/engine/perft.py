"""Skat perft: how many sequences of legal cards a deal allows, by length.

One wrong duty to follow anywhere changes a count, so a few numbers stand for a whole
engine of play. Cards only: no early end, no settlement.
"""

from __future__ import annotations

from collections.abc import Sequence

from skatspec.cards import Mask, members
from skatspec.engine.play import legal_cards, winner
from skatspec.rules.tables import Tables


def perft(tables: Tables, contract: int, hands: Sequence[Mask], depth: int) -> list[int]:
    """Return the numbers of legal sequences of 1 to `depth` cards from the lead.

    `hands` are three masks, forehand first, as they are played; the winner of a trick leads.
    """
    counts = [0] * depth
    # A stack instead of recursion: (hands, leader, cards on the table, cards played so far).
    stack: list[tuple[tuple[Mask, ...], int, tuple[int, ...], int]] = [
        (tuple(hands), tables.leader, (), 0)
    ]
    while stack and depth > 0:
        left, leader, trick, played = stack.pop()
        seat = (leader + len(trick)) % 3
        legal = legal_cards(tables, contract, left[seat], trick[0] if trick else None)
        counts[played] += legal.bit_count()
        if played + 1 == depth:
            continue
        for card in members(legal):
            after = (*left[:seat], left[seat] & ~(1 << card), *left[seat + 1 :])
            table = (*trick, card)
            if len(table) < 3:
                stack.append((after, leader, table, played + 1))
            else:
                following = (leader + winner(tables, contract, table)) % 3
                stack.append((after, following, (), played + 1))
    return counts
