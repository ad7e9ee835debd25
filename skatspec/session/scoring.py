"""What a list comes to: each player's total under a system, and the places.

Seeger counts a bonus for each own game won or lost; Seeger-Fabian, also called extended
Seeger, one more for each game that another player at the table loses (SkWO 6.3.1). In a zero-sum
ledger the others who played share what the declarer wins or loses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from skatspec.errors import UsageError
from skatspec.rules.match import (
    FEWEST_LOST,
    LOT,
    MOST_WON,
    PLAIN,
    SEEGER,
    SEEGER_FABIAN,
    TABLES,
    WITH_BONUS,
    ZERO_SUM,
    Match,
)
from skatspec.session.report import Figures
from skatspec.sheet import Amount

SYSTEMS = (SEEGER_FABIAN, SEEGER, PLAIN, ZERO_SUM)


def sums(scores: Iterable[tuple[int, int] | None], players: int) -> tuple[Figures, ...]:
    """Add up deals: who declared (from 0) and the score, None for a deal passed in."""
    points, won, lost = [0] * players, [0] * players, [0] * players
    for deal in scores:
        if deal is not None:
            player, score = deal
            if not 0 <= player < players:
                raise UsageError(f"there is no player {player + 1} at a table of {players}")
            points[player] += score
            (won if score > 0 else lost)[player] += 1
    return tuple(Figures(*row) for row in zip(points, won, lost, strict=True))


def shares(
    score: Amount, declarers: Sequence[int], playing: Sequence[int] | None, system: str
) -> dict[int, Amount] | None:
    """Return what a deal brings to each player (ledger points) before any bonus.

    `declarers` are the declarer, or who lost a Ramsch, `playing` who took part; None where
    that is not known and matters, which makes the answer None too.
    """
    brought: dict[int, Amount] = dict.fromkeys(declarers, score)
    if system != ZERO_SUM:
        return brought
    if playing is None:
        return None
    others = [player for player in playing if player not in brought]
    each = whole(Fraction(-score * len(brought), max(len(others), 1)))
    return brought | dict.fromkeys(others, each)


def whole(amount: Amount) -> Amount:
    """Return a whole number as such, and a part of one as it is."""
    return int(amount) if amount == int(amount) else amount


def totals(rows: Sequence[Figures], match: Match, system: str) -> tuple[Amount, ...]:
    """Return each player's total at a table of as many players as there are rows.

    Raises UsageError for a system that is none, and for a bonus at a table that has none.
    """
    if system not in SYSTEMS:
        raise UsageError(f"there is no system {system!r}")
    if system not in WITH_BONUS:
        return tuple(row.points for row in rows)
    if len(rows) not in TABLES:
        raise UsageError(f"there is no table of {len(rows)}")
    all_lost = sum(row.lost for row in rows)
    for_others = match.others_lost[len(rows)] if system == SEEGER_FABIAN else 0
    return tuple(
        row.points + match.own_won * row.won + match.own_lost * row.lost
        + for_others * (all_lost - row.lost)
        for row in rows
    )  # fmt: skip


def handed_in(rows: Sequence[Figures], match: Match, system: str) -> tuple[Amount, ...]:
    """Return each player's total as a list has it, with what its final sum adds.

    A table of a size for which there is no bonus is counted without one.
    """
    if system in WITH_BONUS and len(rows) not in TABLES:
        system = PLAIN
    reached = totals(rows, match, system)
    return tuple(total + row.extra for total, row in zip(reached, rows, strict=True))


def rank_key(total: Amount, won: int, lost: int, match: Match) -> tuple[Amount, ...]:
    """Return what a player is ranked by, the least first; equal keys are told apart by nothing."""
    key = [-total]
    for word in match.ties:
        if word in (MOST_WON, FEWEST_LOST):
            key.append(-won if word == MOST_WON else lost)
    return tuple(key)


@dataclass(frozen=True, slots=True)
class Places:
    """Each player's place from 1; `lots` are the groups (from 0) that only a lot can part."""

    ranks: tuple[int, ...]
    lots: tuple[tuple[int, ...], ...]


def places(rows: Sequence[Figures], reached: Sequence[Amount], match: Match) -> Places:
    """Rank players by their totals, equal ones as the rules of the match say."""
    keys = [
        rank_key(total, row.won, row.lost, match) for row, total in zip(rows, reached, strict=True)
    ]
    ranks = tuple(1 + sum(other < key for other in keys) for key in keys)
    lots = []
    if LOT in match.ties:
        for rank in sorted(set(ranks)):
            group = tuple(number for number, one in enumerate(ranks) if one == rank)
            if len(group) > 1:
                lots.append(group)
    return Places(ranks, tuple(lots))
