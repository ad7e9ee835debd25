"""What a record's result should say, field by field, against what it says.

One table row a field: the code of a difference, the possible values, how to name them.
A field that the rules do not judge, or that the record does not state, is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from skatspec.diagnostics import Diagnostic, entry, finding
from skatspec.engine import settlement
from skatspec.engine.outcome import Outcome, believing, given_up_simply
from skatspec.engine.settlement import TRICKS, Settlement, possible_together
from skatspec.engine.state import EARLY, OPEN, PASSED_IN, PENALTY, RESIGNED, UNKNOWN_SEAT, Game
from skatspec.engine.variants import ramsch
from skatspec.record import (
    GAME,
    PASSED,
    SCHNEIDER,
    SCHWARZ,
    SEAT_NAMES,
    UNKNOWN,
    WORLD,
    Result,
)
from skatspec.record import PENALTY as PENALTY_RESULT
from skatspec.rules.tables import Tables

Values = Sequence[Any] | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences, and the names of fields whose right value the record leaves open."""

    findings: tuple[Diagnostic, ...]
    undetermined: tuple[str, ...]


def compare(game: Game, came_to: Outcome, result: Result) -> Comparison:
    """Compare a result with a replayed game that has no fault."""
    if result.kind == UNKNOWN:
        return Comparison((), ())
    impossible = _impossible(game.tables, result)
    if impossible:
        return Comparison(impossible, ())
    kind = _kind(game)
    if kind is None or (result.kind != kind and _unplayed(game)):
        return Comparison((), ("how the deal ended",))
    if result.kind == PASSED and ramsch.due(game):
        return Comparison((ramsch.missing(part="result"),), ())
    if result.kind != kind:
        wrong = finding("S011", read=result.kind, expected=kind, part="result")
        return Comparison((wrong,), ())
    if kind == PASSED or _STATED(result) == _NOTHING:
        return Comparison((), ())
    if kind == GAME and game.contract is None and game.ended != EARLY:
        return _without_game(game.tables, result)
    if game.ended == OPEN and _ended_otherwise(result):
        return Comparison((), ("how the deal ended",))
    findings, undetermined = _fields(game, came_to, result)
    if game.is_ramsch and not came_to.settlements:
        undetermined += [name for name in _A_SEAT if getattr(result, name) is not None]
    if undetermined and not findings and came_to.settlements:
        findings = _fields(game, believing(game, came_to, result), result)[0]
    return Comparison(tuple(findings), tuple(undetermined))


def _without_game(tables: Tables, result: Result) -> Comparison:
    """Judge a result whose record does not say what was played."""
    if result.score and not settlement.conceivable(tables, result.score):
        what = f"no game comes to {result.score:+d}"
        wrong = finding("S018", what=what, read=f"{result.score:+d}", part="result/score")
        return Comparison((wrong,), ())
    return Comparison((), ("the game declared",))


def _fields(game: Game, came_to: Outcome, result: Result) -> tuple[list[Diagnostic], list[str]]:
    """Return the differences, and the names of what is open, field by field."""
    findings: list[Diagnostic] = []
    undetermined: list[str] = []
    foreign = _OF_A_DECLARER if game.is_ramsch else ("losers", "counted")
    for stated, (name, (code, possible, show)) in zip(_STATED(result), _ROWS, strict=True):
        if stated is None:
            continue
        values = () if name in foreign else possible(game, came_to)
        if values is None:
            continue
        if stated not in values and not _agrees(stated, values):
            findings.append(_difference(name, code, stated, values, show, came_to.settled))
        elif len(values) > 1 and name != "penalized" and not (name == "score" and came_to.settled):
            # one settlement with several scores: a choice the declarer has, not a doubt
            undetermined.append(name)
    return findings, undetermined


def _agrees(stated: Any, values: Sequence[Any]) -> bool:
    """Say whether what is stated is possible where figures are stated for some seats only."""
    if not isinstance(stated, tuple) or None not in stated:
        return False
    return any(
        all(part in (None, other) for part, other in zip(stated, value, strict=True))
        for value in values
    )


def _impossible(tables: Tables, result: Result) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the figures of a result whatever was played."""
    points, tricks, score = result.points, result.tricks, result.score
    found = []
    for name, figure, most in (
        ("points", points, tables.total_points), ("tricks", tricks, TRICKS),
    ):  # fmt: skip
        if figure is not None and not 0 <= figure <= most:
            found.append(
                finding(
                    "S016", what=name, read=figure, expected=f"0 to {most}", part=f"result/{name}"
                )
            )
    if found:
        return tuple(found)
    if points is not None and tricks is not None and not possible_together(tables, points, tricks):
        what = f"{points} points cannot go with {tricks} tricks"
        found.append(
            finding(
                "S018", what=what, read=f"{points}, {tricks}", expected="figures of one game",
                part="result/tricks",
            )
        )  # fmt: skip
    if result.won is not None and score and (score > 0) != result.won:
        word = "won" if result.won else "lost"
        expected = f"{-score:+d} for a game {word}"
        found.append(finding("S002", read=f"{score:+d}", expected=expected, part="result/score"))
    return tuple(found)


def _kind(game: Game) -> str | None:
    if game.ended == PASSED_IN:
        return GAME if ramsch.due(game) else PASSED
    if game.ended == PENALTY:
        return PENALTY_RESULT if game.tables.penalty_before_declaration else None
    if game.contract is not None or game.ended == EARLY:
        return GAME
    if game.ended == OPEN and not game.auction_recorded:
        return GAME
    return None


def _ended_otherwise(result: Result) -> bool:
    """Say whether a result tells of an end that no step of the record shows."""
    gone = (result.left, result.timed_out)
    return bool(result.resigned) or any(seat not in (None, WORLD) for seat in gone)


def _unplayed(game: Game) -> bool:
    """Say whether a record without auction stops before a declaration: all may have passed."""
    return game.ended == OPEN and game.contract is None and not game.auction_recorded


def _difference(
    name: str,
    code: str,
    stated: Any,
    values: Sequence[Any],
    show: Callable[[Any], str],
    settled: Settlement | None,
) -> Diagnostic:
    topic, because = "", ""
    if name == "score" and -stated in values and stated:
        code = "S002"
    elif name in ("score", "won", "scores") and settled is not None and values:
        topic, because = _deciding_rule(settled, code), f": {settled.summary}"
    listed = sorted({show(value) for value in values}, key=lambda text: (len(text), text))
    expected = " or ".join(listed[:6]) + (" or others" if len(listed) > 6 else "")
    if not listed:
        expected = "none, this game has no such figure"
    return finding(
        code, read=show(stated), expected=expected, part=f"result/{name}", topic=topic,
        because=because,
    )  # fmt: skip


def _deciding_rule(settled: Settlement, code: str) -> str:
    """Return the topic a wrong score or outcome most likely hangs on."""
    if settled.covering is not None:
        return settled.lines[0].topic
    if settled.missed:
        return "missed-announcement"
    if settled.overbid:
        return "overbid"
    own = settled.value_topic if code in ("S001", "S020") else ""
    return own or entry(code).topic


# --- possible values --------------------------------------------------------------------


def _from_settlements(pick: Callable[[Game, Settlement], Any]) -> Callable[[Game, Outcome], Values]:
    def values(game: Game, came_to: Outcome) -> Values:
        settlements = came_to.settlements
        if len(settlements) == 1:
            only = pick(game, settlements[0])
            return None if only is None else (only,)
        found: list[Any] = []
        for one in came_to.settlements:
            value = pick(game, one)
            if value is None:
                return None
            if value not in found:
                found.append(value)
        return found or None

    return values


def _declarer(game: Game, came_to: Outcome) -> Values:
    if game.ended == PENALTY or game.is_ramsch:
        return (WORLD,)
    return None if game.declarer is None else (game.declarer,)


def _score(game: Game, came_to: Outcome) -> Values:
    if game.ended == PENALTY:
        return (0,)
    scores: list[int] = []
    for one in came_to.settlements:
        scores.append(one.score)
        # an impossible Null may be charged as any game that covers the bid
        scores += [one.score // one.value * value for _, value in one.alternatives]
    return list(dict.fromkeys(scores)) or None


def _scores(game: Game, came_to: Outcome) -> Values:
    """The ledger points a seat; of a declared game the declarer's alone are not nothing."""
    own = [one.scores for one in came_to.settlements if one.scores is not None]
    if own or game.declarer is None:
        return own or None
    scores = _score(game, came_to) or ()
    return [
        tuple(score if seat == game.declarer else 0 for seat in range(3)) for score in scores
    ] or None


def _last_trick(game: Game, came_to: Outcome) -> Values:
    """Who took the last trick; open while the record does not say how the game ended."""
    if game.ended == OPEN:
        return None
    if not game.tricks:
        return (WORLD,)
    winner = game.tricks[-1].winner
    return (winner,) if winner != UNKNOWN_SEAT else None


def _figure(name: str) -> Callable[[Game, Outcome], Values]:
    def values(game: Game, came_to: Outcome) -> Values:
        if game.ended == PENALTY:
            return (0,)
        found: Sequence[int] = getattr(came_to, name)
        return found or None

    return values


def _level_flag(which: str) -> Callable[[Game, Outcome], Values]:
    """The Schneider or Schwarz flag: reached by whoever won, or by an unannounced loser."""

    def pick(game: Game, one: Settlement) -> bool | None:
        if game.is_null:
            return False
        announced = game.modifiers & (SCHNEIDER | SCHWARZ)
        if announced and given_up_simply(game):
            return None  # an announced level counts, but was not played for
        if not one.missed:
            return bool(getattr(one, which))
        winners = [trick.winner for trick in game.tricks]
        if announced == SCHNEIDER and (game.ended == OPEN or UNKNOWN_SEAT in winners):
            return None  # whether he stayed without a trick is not on record
        without_trick = announced == SCHNEIDER and game.declarer not in winners
        rule = (
            game.tables.flags_after_missed_without_trick
            if without_trick and game.tricks
            else game.tables.flags_after_missed
        )
        return {"zero": False, "set": True}.get(rule)

    return _from_settlements(pick)


def _penalized(game: Game, came_to: Outcome) -> Values:
    """Who is penalized.

    A deal stopped with no call on record is taken as stopped in its auction; but if the
    record says that both defenders are penalized, its auction was over and is left out.
    """
    seats = tuple(game.penalized)
    if game.ended != PENALTY or game.auction_recorded or game.declarer is not None:
        return (seats,)
    parties = [tuple(seat != declarer for seat in range(3)) for declarer in range(3)]
    return (seats, *(party for party in parties if party[seats.index(True)]))


def _at_end(pick: Callable[[Game], Any]) -> Callable[[Game, Outcome], Values]:
    """A figure of how the game was ended; open while the record does not say how."""
    return lambda game, came_to: None if game.ended == OPEN else (pick(game),)


def _number(value: Any) -> str:
    return str(value)


def _signed(value: Any) -> str:
    return f"{value:+d}" if value else "0"


def _matadors(value: Any) -> str:
    return "none" if not value else f"{'with' if value > 0 else 'without'} {abs(value)}"


def _seat(value: Any) -> str:
    return SEAT_NAMES[value] if 0 <= value < 3 else "nobody"


def _three(value: Any) -> str:
    return " ".join("?" if figure is None else f"{figure:g}" for figure in value)


def _seats(value: Any) -> str:
    return " and ".join(SEAT_NAMES[s] for s, flag in enumerate(value) if flag) or "nobody"


def _words(yes: str, no: str) -> Callable[[Any], str]:
    return lambda value: yes if value else no


FIELDS: dict[str, tuple[str, Callable[[Game, Outcome], Values], Callable[[Any], str]]] = {
    "declarer": ("S003", _declarer, _seat),
    "won": ("S004", _from_settlements(lambda game, one: one.won), _words("won", "lost")),
    "score": ("S001", _score, _signed),
    "matadors": ("S005", _figure("matadors"), _matadors),
    "overbid": (
        "S008", _from_settlements(lambda game, one: one.overbid), _words("overbid", "not overbid"),
    ),
    "points": ("S006", _figure("points"), _number),
    "tricks": ("S007", _figure("tricks"), _number),
    "schneider": ("S009", _level_flag("schneider"), _words("Schneider", "no Schneider")),
    "schwarz": ("S010", _level_flag("schwarz"), _words("Schwarz", "no Schwarz")),
    "penalized": ("S012", _penalized, _seats),
    "left": ("S014", _at_end(lambda game: game.left), _seat),
    "timed_out": ("S013", _at_end(lambda game: game.timed_out), _seat),
    "scores": ("S020", _scores, _three),
    "last_trick": ("S023", _last_trick, _seat),
    "losers": ("S021", _from_settlements(lambda game, one: one.losers), _seats),
    "counted": ("S022", _from_settlements(lambda game, one: one.counted), _three),
    "resigned": (
        "S015", _at_end(lambda game: game.ended == RESIGNED), _words("given up", "not given up"),
    ),
}  # fmt: skip
# What only a game without a declarer states, a figure a seat, and what it cannot state.
_A_SEAT = ("scores", "losers", "counted")
_OF_A_DECLARER = (
    "won", "score", "matadors", "overbid", "points", "tricks", "schneider", "schwarz",
)  # fmt: skip
# The same table, as the loop over a record's fields wants it.
_ROWS = tuple(FIELDS.items())
_STATED = attrgetter(*FIELDS)
_NOTHING = _STATED(Result())
