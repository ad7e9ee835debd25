"""Bock rounds: which deals are doubled, and what a game adds to them.

The state goes from deal to deal of one table; players are known by their place there (0-2),
not by their seat. Scores are ledger points, running.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from skatspec.engine.settlement import TRICKS, Settlement
from skatspec.engine.state import OPEN, PASSED_IN, Game
from skatspec.record import BOCK_ROUND, HAND, NORMAL_ROUND, OUVERT, RAMSCH_ROUND
from skatspec.rules.tables import GRAND_KIND, Tables
from skatspec.rules.variants import BockRules

Three = tuple[float, float, float]
NO_SCORES: Three = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Rounds:
    """Where a table stands: Bock deals left, the one being played included; triggers that the
    last deal pulled; Ramsch deals left; whether the last game was a Grand; running scores.
    """

    left: int = 0
    pending: int = 0
    ramsch: int = 0
    was_grand: bool = False
    scores: Three = NO_SCORES


def next_deal(rules: BockRules, state: Rounds) -> Rounds:
    """Return the state for the next deal.

    A Grand in place of a Ramsch uses up no deal of the round: the same dealer deals again.
    """
    left, ramsch = state.left, state.ramsch
    if ramsch:
        ramsch -= not state.was_grand
    elif left:
        left -= 1
        if rules.ramsch_after and left % rules.deals == 0:
            ramsch = rules.deals
    left += rules.deals * state.pending
    return Rounds(left, 0, ramsch, state.was_grand, state.scores)


def round_of(state: Rounds) -> str:
    """Return the kind of round a deal in this state belongs to; a Ramsch round is no Bock round."""
    if state.ramsch:
        return RAMSCH_ROUND
    return BOCK_ROUND if state.left else NORMAL_ROUND


def after(
    tables: Tables,
    state: Rounds,
    game: Game,
    settled: Settlement | None,
    points: Sequence[int],
    places: Sequence[int],
) -> Rounds | None:
    """Return the state behind a deal, None where a trigger hangs on what the record leaves open.

    `points` are the declarer's possible card points, `places` the table places (0-2) of F, M, R.
    """
    rules = tables.variants.bock
    grand = game.contract is not None and tables.kind[game.contract] == GRAND_KIND
    if settled is None:
        passed = game.ended == PASSED_IN and "all-passed" in rules.triggers
        return replace(state, was_grand=grand, pending=int(passed))
    played_out = game.ended == OPEN or len(game.tricks) == TRICKS
    sixty = played_out and not settled.won and tables.win_points - 1 in points
    sixty = sixty and not game.is_null and "lost-with-60" in rules.triggers
    hand_open = game.hand_open and grand and "grand-hand-won" in rules.triggers
    if (hand_open and settled.won) or (sixty and len(points) > 1):
        return None
    scores = list(state.scores)
    events = _game_events(tables, rules, game, settled, grand, sixty)
    for place, change in zip(places, _changes(rules, game, settled), strict=True):
        if change:
            scores[place] += change
            events += _score_event(rules, scores[place])
    one, two, three = scores
    return Rounds(state.left, events, state.ramsch, grand, (one, two, three))


def _game_events(
    tables: Tables, rules: BockRules, game: Game, settled: Settlement, grand: bool, sixty: bool
) -> int:
    """Count what a game pulls; two triggers for one thing count once.

    `sixty` says that a suit game or Grand was lost by one point, where these rules ask.
    """
    triggers, hand = rules.triggers, bool(game.modifiers & HAND)
    count = 0
    if settled.won:
        count += "grand-hand-won" in triggers and grand and hand
        # a Ramsch has a value only where it was won, by all tricks
        value = tables.variants.ramsch.march if game.is_ramsch else settled.value
        count += bool(rules.least_value) and value >= rules.least_value
    elif not game.is_ramsch:
        count += sixty + ("grand-lost" in triggers and grand)
    kontra = "lost-with-kontra" in triggers and not settled.won and game.doubles > 0
    count += kontra or ("re" in triggers and game.doubles > 1)
    open_hand = game.is_null and hand and bool(game.modifiers & OUVERT)
    return count + ("null-ouvert-hand" in triggers and open_hand)


def _changes(rules: BockRules, game: Game, settled: Settlement) -> Three:
    """Return what a game changes in the listing that the triggers look at, a seat each."""
    if settled.scores is not None:
        return _ramsch_changes(rules, settled, settled.scores)
    declarer = game.declarer or 0
    others = [seat for seat in range(3) if seat != declarer]
    changes: list[float] = [0, 0, 0]
    if not settled.score:
        return NO_SCORES
    if rules.listing == "alternative":
        for seat in [declarer] if settled.score < 0 else others:
            changes[seat] = abs(settled.score)
    else:
        won, lost, each = rules.bonus if rules.listing == "tournament" else (0, 0, 0)
        changes[declarer] = settled.score + (won if settled.won else lost)
        for seat in others:
            changes[seat] = 0 if settled.won else each
    return (changes[0], changes[1], changes[2])


def _ramsch_changes(rules: BockRules, settled: Settlement, scores: Three) -> Three:
    if rules.listing != "alternative":
        return scores
    # there losses are written as they are, and all tricks as a loss of both others
    one, two, three = (
        max(scores) * (score == 0) if settled.won else abs(score) for score in scores
    )
    return (one, two, three)


def _score_event(rules: BockRules, score: float) -> bool:
    """Say whether a running score pulls a trigger; at most once a player."""
    digits = f"{abs(int(score)):03d}"[-3:]
    equal = "equal-digits" in rules.triggers and len(set(digits)) == 1
    return equal or ("hundreds" in rules.triggers and score % 100 == 0)
