"""What a run made, counted: contracts, ends, figures at the thresholds, what a record lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from skatspec.conformance.generator.game import Game
from skatspec.conformance.generator.moves import Move
from skatspec.conformance.generator.table import TRICKS, Table
from skatspec.formats.iss_words import BY_TAG
from skatspec.record import GAME, MODIFIERS, SEAT_NAMES, UNKNOWN, Bid, Declare, PickUp, Result
from skatspec.rules.tables import CONTRACTS

Mark = tuple[str, str]
Counts = Counter[Mark]
_YEARS = 5
_VIEWS = (*SEAT_NAMES, "the public")


def marks(table: Table, game: Game) -> Iterator[Mark]:
    """Yield what a game is counted under: a group and a name."""
    yield "declarer", SEAT_NAMES[game.declarer] if game.declarer >= 0 else "nobody"
    yield "end", game.ended
    if game.course:
        yield "planned for the play", game.course
    yield from _auction(table, game)
    if game.contract >= 0:
        yield from _declared(game)
    if game.result is not None:
        yield from _result(table, game, game.result)
    yield from _frame(game)
    if game.mutation:
        yield "mutation", game.mutation


def report(counts: Counts, games: int) -> str:
    """Return the counts as a table: the number, the share of all games in percent, the name."""
    lines = [f"{games} games"]
    group = ""
    for (of, name), count in sorted(counts.items(), key=lambda one: (one[0][0], -one[1], one[0])):
        if of != group:
            lines.append(of)
            group = of
        lines.append(f"{count:10d} {100 * count / games:7.3f} %  {name}")
    return "\n".join(lines) + "\n"


def _auction(table: Table, game: Game) -> Iterator[Mark]:
    if game.implied:
        yield "auction", "first bid left unsaid"
    place = -1
    for move in game.moves[: game.calls]:
        step = move[1][0]
        if isinstance(step, Bid) and step.value in table.tables.bid_ok:
            at = table.ladder.index(step.value)
            if at > place + 1:
                yield "auction", "jump"
                return
            place = at


def _declared(game: Game) -> Iterator[Mark]:
    how = "pick-up" if game.skat_taken >= 0 else "hand"
    yield "game", f"{CONTRACTS[game.contract]}, {how}"
    words = " ".join([word for word, bit in MODIFIERS.items() if game.stated & bit])
    yield "announced", f"{words or 'nothing'}, {how}"
    if not game.plain and game.view < 0:
        yield "written", "letters of the declaration in another order"
    if how == "hand":
        return
    shown = game.moves[game.skat_taken : game.skat_taken + 1]
    if shown and isinstance(shown[0][1][0], PickUp) and shown[0][1][0].cards is None:
        yield "written", "skat not shown"
    if game.put_away >= 0:
        yield "written", f"discard {'joined' if _joined(game.moves, game.put_away) else 'split'}"


def _joined(moves: list[Move], at: int) -> bool:
    return at < len(moves) and any(isinstance(step, Declare) for step in moves[at][1])


def _result(table: Table, game: Game, result: Result) -> Iterator[Mark]:
    if result.kind == UNKNOWN:
        yield "written", "result unknown"
    if result.kind != GAME:
        return
    yield "outcome", "won" if result.won else "lost"
    if result.overbid:
        yield "outcome", "overbid"
    if result.schneider:
        yield "outcome", "Schneider"
    if result.schwarz:
        yield "outcome", "Schwarz"
    if result.resigned is None:
        yield "written", "result without r:"
    if table.is_null(game.contract):
        return
    if result.points in table.edges:
        yield "points", f"{result.points}"
    if result.points == 0:
        yield "points", "none"
    if result.tricks in (0, TRICKS):
        yield "points", "without a trick" if not result.tricks else "all tricks"


def _frame(game: Game) -> Iterator[Mark]:
    if game.view >= 0:
        yield "view", _VIEWS[game.view]
    tags = dict(game.tags)
    for name in ("Comment", "Series", "Id"):
        if name not in tags:
            yield "written", f"{BY_TAG[name].name} missing"
    rating = tags["RatingF"]
    yield "rating of forehand", rating if rating in ("", "null") else "a number"
    year = int(tags["Date"][:4])
    first = year - year % _YEARS
    yield "date", f"{first}-{first + _YEARS - 1}"
