"""Single faults in what a made-up record states as its result."""

from __future__ import annotations

from dataclasses import fields, replace

from skatspec.conformance.generator.faults_deal import among
from skatspec.conformance.generator.game import Game
from skatspec.conformance.generator.make import LOST_AT_ONCE
from skatspec.conformance.generator.plan import Chance
from skatspec.conformance.generator.table import SEATS, TRICKS, Table
from skatspec.record import GAME, PASSED, PENALTY, WORLD, Result

_SAME_SIGN = (1, -1)


def score_wrong(table: Table, chance: Chance, game: Game) -> bool:
    """State another score, of the same sign where there is one."""
    result = game.result
    if result is None or result.score is None:
        return False
    steps = list(_SAME_SIGN)
    base = table.tables.base[game.contract] if game.contract >= 0 else 0
    if base and game.ended != LOST_AT_ONCE:
        # by a level too much or too few; a Null lost at once may be charged as several games
        steps += [base, -base, 2 * base, -2 * base]
    wrong = result.score + steps[among(chance, len(steps))]
    if wrong * result.score < 0 or not wrong:
        wrong = 2 * result.score or 1
    game.result = replace(result, score=wrong)
    return True


def loss_not_doubled(table: Table, chance: Chance, game: Game) -> bool:
    """State the value of a lost game as its score."""
    result = game.result
    factor = table.tables.loss_factor
    if result is None or not result.score or result.score > 0 or factor == 1:
        return False
    if game.ended == LOST_AT_ONCE:
        return False
    game.result = replace(result, score=result.score // factor)
    return True


def sign_turned(table: Table, chance: Chance, game: Game) -> bool:
    """State the score with the other sign."""
    result = game.result
    if result is None or not result.score:
        return False
    game.result = replace(result, score=-result.score)
    return True


def outcome_turned(table: Table, chance: Chance, game: Game) -> bool:
    """State a loss for a win, and the other way round."""
    result = game.result
    if result is None or result.won is None:
        return False
    game.result = replace(result, won=not result.won)
    return True


def points_wrong(table: Table, chance: Chance, game: Game) -> bool:
    """State other card points."""
    result = game.result
    if result is None or result.points is None:
        return False
    others = [points for points in range(table.tables.total_points + 1) if points != result.points]
    near = [points for points in others if abs(points - result.points) <= 2]
    group = near if chance() < 0.5 else others
    game.result = replace(result, points=group[among(chance, len(group))])
    return True


def tricks_wrong(table: Table, chance: Chance, game: Game) -> bool:
    """State another number of tricks."""
    result = game.result
    if result is None or result.tricks is None:
        return False
    others = [tricks for tricks in range(TRICKS + 1) if tricks != result.tricks]
    game.result = replace(result, tricks=others[among(chance, len(others))])
    return True


def matadors_wrong(table: Table, chance: Chance, game: Game) -> bool:
    """State other matadors, or "without" for "with"."""
    result = game.result
    if result is None or result.matadors is None:
        return False
    run = result.matadors
    others = [run + 1, run - 1, *([-run] if run else [])]
    game.result = replace(result, matadors=others[among(chance, len(others))])
    return True


def overbid_turned(table: Table, chance: Chance, game: Game) -> bool:
    """State that the game was overbid, or was not."""
    result = game.result
    if result is None or result.kind != GAME or result.overbid is None:
        return False
    game.result = replace(result, overbid=not result.overbid)
    return True


def schneider_turned(table: Table, chance: Chance, game: Game) -> bool:
    """Turn the Schneider flag, where the rules judge it."""
    result = game.result
    if result is None or result.kind != GAME or result.schneider is None or not game.judged:
        return False
    game.result = replace(result, schneider=not result.schneider)
    return True


def schwarz_turned(table: Table, chance: Chance, game: Game) -> bool:
    """Turn the Schwarz flag, where the rules judge it."""
    result = game.result
    if result is None or result.kind != GAME or result.schwarz is None or not game.judged:
        return False
    game.result = replace(result, schwarz=not result.schwarz)
    return True


def penalty_turned(table: Table, chance: Chance, game: Game) -> bool:
    """Turn the flag of one player's penalty."""
    result = game.result
    if result is None or result.penalized is None:
        return False
    if result.kind == PENALTY and not game.calls:
        return False  # with no call on record it stays open who was penalized
    seat = among(chance, SEATS)
    flags = [flag != (at == seat) for at, flag in enumerate(result.penalized)]
    game.result = replace(result, penalized=(flags[0], flags[1], flags[2]))
    return True


def left_wrong(table: Table, chance: Chance, game: Game) -> bool:
    """State that another player left, or nobody."""
    result = game.result
    if result is None or result.left is None:
        return False
    game.result = replace(result, left=_other(chance, result.left))
    return True


def timed_out_wrong(table: Table, chance: Chance, game: Game) -> bool:
    """State that another player's time ran out, or nobody's."""
    result = game.result
    if result is None or result.timed_out is None:
        return False
    game.result = replace(result, timed_out=_other(chance, result.timed_out))
    return True


def resigned_turned(table: Table, chance: Chance, game: Game) -> bool:
    """Turn the flag of a game given up."""
    result = game.result
    if result is None or result.resigned is None:
        return False
    game.result = replace(result, resigned=not result.resigned)
    return True


def declarer_wrong(table: Table, chance: Chance, game: Game) -> bool:
    """State another declarer."""
    result = game.result
    if result is None or result.declarer is None:
        return False
    game.result = replace(result, declarer=_other(chance, result.declarer))
    return True


def _other(chance: Chance, seat: int) -> int:
    others: list[int] = [one for one in (WORLD, *range(SEATS)) if one != seat]
    return others[among(chance, len(others))]


def kind_wrong(table: Table, chance: Chance, game: Game) -> bool:
    """State a result of another kind: passed for a game, a penalty for all else."""
    if game.result is None or game.result.kind not in (GAME, PASSED, PENALTY):
        return False
    if game.result.kind == PASSED:
        flags = (False, False, False)
        game.result = Result(
            PENALTY, WORLD, None, 0, 0, False, 0, 0, False, False, flags, WORLD, WORLD, False
        )
    else:
        game.result = Result(PASSED)
    return True


def result_missing(table: Table, chance: Chance, game: Game) -> bool:
    """Leave out the result."""
    game.result = None
    return True


def figure_missing(table: Table, chance: Chance, game: Game) -> bool:
    """Leave out one figure of the result."""
    result = game.result
    if result is None or result.kind != GAME:
        return False
    stated = [
        spec.name for spec in fields(Result)
        if spec.name not in ("kind", "won") and getattr(result, spec.name) is not None
    ]  # fmt: skip
    gone = {stated[among(chance, len(stated))]: None}
    game.result = replace(result, **gone)  # type: ignore[arg-type]
    return True
