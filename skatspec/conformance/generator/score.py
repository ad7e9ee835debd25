"""The result of a made-up game: counted here, settled by the engine's own settlement.

What an end is worth stands in the profile (`endings`, `records`); test_generate compares
every result with what the engine's replay of the record comes to.
"""

from __future__ import annotations

from skatspec.cards import mask
from skatspec.conformance.generator.game import Game
from skatspec.conformance.generator.play import Play
from skatspec.conformance.generator.table import SEATS, TRICKS, Table
from skatspec.engine.settlement import Facts, Settlement, settle
from skatspec.record import GAME, PASSED, PENALTY, SCHNEIDER, SCHWARZ, WORLD, Result

NOBODY = (False, False, False)
PASSED_IN = Result(PASSED)
# How a game is ended off the cards, by the words of the profile's `endings`.
RESIGN, TIMEOUT, LEAVE = "resign", "timeout", "leave"


def penalty(game: Game, seat: int, how: str) -> Result:
    """Return the result of a deal that was stopped by `seat` before the declaration."""
    flags = tuple(
        (one != game.declarer) if game.declarer not in (WORLD, seat) else one == seat
        for one in range(SEATS)
    )
    return Result(
        PENALTY, WORLD, None, 0, 0, False, 0, 0, False, False, (flags[0], flags[1], flags[2]),
        seat if how == LEAVE else WORLD, seat if how == TIMEOUT else WORLD, False,
    )  # fmt: skip


def result(
    table: Table, game: Game, play: Play, how: str = "", seat: int = WORLD, *, half: bool = False
) -> Result:
    """Return what a game came to; `how` and `seat` say how it was ended off the cards, and by whom.

    `half` says that it was stopped between the declaration and the discard.
    """
    points, tricks, conceded = _count(table, game, play, how, seat)
    tables = table.tables
    twelve = mask(game.deal[TRICKS * game.declarer : TRICKS * (game.declarer + 1)])
    twelve |= mask(game.deal[TRICKS * SEATS :])
    counted = mask(game.away) if half else twelve
    run = tables.matadors(game.contract, counted)
    one = settle(
        tables,
        Facts(game.contract, game.modifiers, run, game.bid, points, tricks, conceded,
              trick_complete=play.tricks > 0, twelve=twelve),
    )  # fmt: skip
    schneider, schwarz = _flags(table, game, play, one, conceded)
    return Result(
        GAME, game.declarer, one.won, one.score, run, one.overbid, points, tricks, schneider,
        schwarz, NOBODY, seat if how == LEAVE else WORLD, seat if how == TIMEOUT else WORLD,
        how == RESIGN,
    )  # fmt: skip


def _count(
    table: Table, game: Game, play: Play, how: str, seat: int
) -> tuple[int, int, bool | None]:
    """Return the declarer's points and tricks, and who wins a game that these do not decide."""
    tables = table.tables
    own = play.own + sum([tables.points[card] for card in game.away])
    if not how:
        return own, play.own_tricks, None
    by_declarer = seat == game.declarer
    if table.is_null(game.contract) or tables.endings[how].settled == "simple":
        return own, play.own_tricks, not by_declarer
    if by_declarer:
        return own, play.own_tricks, None
    # the unfinished trick included
    return tables.total_points - play.other, TRICKS - (play.tricks - play.own_tricks), None


def _flags(
    table: Table, game: Game, play: Play, one: Settlement, conceded: bool | None
) -> tuple[bool, bool]:
    """Return the level flags, and note in the game whether the rules judge them."""
    tables = table.tables
    game.judged = True
    if table.is_null(game.contract):
        return False, False
    announced = game.modifiers & (SCHNEIDER | SCHWARZ)
    if announced and conceded is not None:
        game.judged = False
    elif one.missed:
        without_trick = announced == SCHNEIDER and not play.own_tricks and play.tricks
        rule = (
            tables.flags_after_missed_without_trick if without_trick else tables.flags_after_missed
        )
        game.judged = rule != "unjudged"
        return rule == "set", rule == "set"
    return one.schneider, one.schwarz
