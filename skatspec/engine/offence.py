"""What a revoke, a wrong lead or a card out of turn makes of a game (ISkO 4.1.3-4.1.5, 2015).

A party that has won already keeps the win and the levels it has reached. Else the guilty
party loses at level *simple*; but a declarer who needed a higher level, for his bid or
his announcement, is given it only while it was still possible, and loses otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from skatspec.engine.settlement import Facts, covers, settle
from skatspec.engine.state import UNKNOWN_SEAT, Game
from skatspec.record import SCHNEIDER, SCHWARZ
from skatspec.rules.tables import NULL_KIND, Tables

# The levels a declarer may be given, the least first.
_LADDER = (0, SCHNEIDER, SCHNEIDER | SCHWARZ)


def award(
    tables: Tables, facts: Facts, *, by_declarer: bool, against: int, against_tricks: int
) -> Facts:
    """Return the facts of the game with its winner and levels as the offence leaves them.

    `facts.points` are the declarer's card points so far, skat included; `against` and
    `against_tricks` the defenders' points and tricks so far.
    """
    if tables.kind[facts.contract] == NULL_KIND:
        return replace(facts, conceded=not by_declarer)
    announced = facts.modifiers & (SCHNEIDER | SCHWARZ)
    reached = SCHNEIDER if tables.total_points - facts.points <= tables.schneider_points else 0
    if facts.points >= tables.win_points and _enough(tables, facts, announced, reached):
        return replace(facts, conceded=True, levels=reached)
    possible = SCHNEIDER if against <= tables.schneider_points else 0
    if possible and not against_tricks:
        possible |= SCHWARZ
    decided = against > tables.total_points - tables.win_points or announced & ~possible
    if decided or by_declarer:
        return replace(facts, conceded=False)
    for levels in _LADDER:
        if not levels & ~possible and _enough(tables, facts, announced, levels):
            return replace(facts, conceded=True, levels=levels)
    return replace(facts, conceded=False)


def awarded(game: Game, options: Sequence[Facts]) -> list[Facts]:
    """Return the facts of a game that an offence ended, for every count the defenders can have.

    Of their points one of each class that a threshold tells apart is enough.
    """
    tables, declarer = game.tables, game.declarer
    theirs = [trick for trick in game.tricks if trick.winner not in (declarer, UNKNOWN_SEAT)]
    unsure = [trick for trick in game.tricks if trick.winner == UNKNOWN_SEAT]
    low = sum(trick.low for trick in theirs)
    high = sum(trick.high for trick in (*theirs, *unsure))
    counts = {len(theirs), len(theirs) + len(unsure)}
    thresholds = (tables.schneider_points, tables.total_points - tables.win_points)
    points = [low, *(most + 1 for most in thresholds if low <= most < high)]
    by_declarer = game.ended_by == declarer
    party = "the declarer" if by_declarer else "a defender"
    why = ("offence", f"{party} broke a rule of play")
    return [
        replace(
            award(tables, facts, by_declarer=by_declarer, against=against, against_tricks=tricks),
            why=why,
        )
        for facts in options
        for against in points
        for tricks in sorted(counts)
    ]


def _enough(tables: Tables, facts: Facts, announced: int, levels: int) -> bool:
    """Say whether these levels keep the announcement and lift the value to the bid."""
    if announced & ~levels:
        return False
    value = settle(tables, replace(facts, bid=None, conceded=True, levels=levels)).value
    return covers(tables, value, facts.bid)
