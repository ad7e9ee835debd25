"""Cards laid open before the end: whose the rest is, and which levels it may still bring.

A defender may show his cards only where the declarer can win no further trick; else the
rest is the declarer's (ISkO 2022 4.4.5). Who throws his cards open leaves the rest to the
other party, and a level for it counts unless it is theoretically excluded (4.4.6): no legal
play, however poor, would have led there. What the cards on record do not tell, and what
the bound of playout.py does not reach, stays open.
"""

from __future__ import annotations

from skatspec.engine import placing, playout
from skatspec.engine.placing import AWAY
from skatspec.engine.state import THROWN, Game
from skatspec.record import SCHNEIDER, SCHWARZ

ALL_SEATS = 0b111
EITHER = (True, False)


def end(game: Game, how: str, seat: int) -> None:
    """End the game by `seat` laying his cards open: `THROWN`, or a defender's `SHOWN`."""
    game.ended, game.ended_in, game.ended_by = how, len(game.tricks) + 1, seat
    if how == THROWN:
        game.rest = (seat != game.declarer,)
        game.excluded = _excluded(game, game.rest[0])
    else:
        game.rest = _after_showing(game)
        # whether 4.4.5 asks as 4.4.6 does, its text does not say: both stay possible
        game.excluded = tuple(sorted({0, *_excluded(game, to_declarer=True)}))


def why(game: Game, to_declarer: bool) -> tuple[str, str]:
    """Return the rule's topic and the words for a game that was ended so."""
    party = "the declarer" if game.ended_by == game.declarer else "a defender"
    deed = "threw his cards open" if game.ended == THROWN else "showed his cards"
    topic = "throw-open" if game.ended == THROWN else "showing"
    if game.is_null:
        return topic, f"{party} {deed}"
    owner = "the declarer's" if to_declarer else "the defenders'"
    return topic, f"{party} {deed}, the rest is {owner}"


def _after_showing(game: Game) -> tuple[bool, ...]:
    """Say whether the rest is the declarer's after a defender's showing; both where it is open."""
    if game.is_null:
        return (True,)  # what is laid open counts against the one who lays it open
    declarer = 1 << (game.declarer or 0)
    here = playout.position(game)
    if here is None:
        return (True,) if _sure_points(game, declarer) is not None else EITHER
    left = (sum(hand.bit_count() for hand in here.hands) + len(here.table)) // 3
    if not left:
        return (False,)
    # one trick for the declarer is one fewer for the defenders
    answer = playout.within(
        game.tables, game.contract or 0, here, ALL_SEATS & ~declarer, left - 1, by_points=False
    )
    return EITHER if answer is None else (answer,)


def _excluded(game: Game, to_declarer: bool) -> tuple[int, ...]:
    """Return the possible sets of levels (bits) that the party which gets the rest cannot have."""
    if game.is_null:
        return (0,)
    declarer = 1 << (game.declarer or 0)
    party = ALL_SEATS & ~declarer if to_declarer else declarer
    own = [trick for trick in game.tricks if trick.winner >= 0 and party >> trick.winner & 1]
    points = sum(trick.low for trick in own)
    if not to_declarer:
        sure = placing.certain(game.possible, AWAY)
        points += sum(game.tables.points[card] for card in range(32) if sure >> card & 1)
    schneider = _unreachable(game, party, game.tables.schneider_points - points, by_points=True)
    schwarz = _unreachable(game, party, 0, by_points=False) if not own else (False,)
    found = {
        SCHNEIDER * no_schneider | SCHWARZ * no_schwarz
        for no_schneider in schneider
        for no_schwarz in schwarz
        if own or no_schwarz or not no_schneider  # no trick is fewer points still
    }
    return tuple(sorted(found))


def _unreachable(game: Game, party: int, limit: int, *, by_points: bool) -> tuple[bool, ...]:
    """Say whether the party cannot help getting more than the limit; both where it is open."""
    if limit < 0:
        return (False,)  # past it already, as the points say themselves
    here = playout.position(game)
    if here is None:
        sure = _sure_points(game, party)
        certain = sure is not None and (sure > limit if by_points else limit == 0)
        return (True,) if certain else EITHER
    answer = playout.within(
        game.tables, game.contract or 0, here, party, limit, by_points=by_points
    )
    return EITHER if answer is None else (not answer,)


def _sure_points(game: Game, party: int) -> int | None:
    """Return the points of the highest trumps out that the party must hold, and must win.

    None where it is not sure to hold even the first of them, which wins a trick.
    """
    if any(game.hidden_plays):
        return None  # they may have been played unseen
    gone, sure = 0, None
    for trick in game.tricks:
        for card in trick.cards:
            gone |= 1 << card
    for card in game.tables.trumps[game.contract or 0]:
        holders = sum(1 << place for place in range(4) if game.possible[place] >> card & 1)
        if gone >> card & 1 or holders == 1 << AWAY:
            continue
        if holders & ~party:
            break
        sure = (sure or 0) + game.tables.points[card]
    return sure
