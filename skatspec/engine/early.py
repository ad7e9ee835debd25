"""A card played before the announcement: which lost game that is charged as.

The declarer has lost a game that fits his last bid and his matadors (ISkO 2015 4.1.1): the
suit games and Grand that cover the bid, as for a Null below its bid, the cheapest unless
another is recorded. Hand counts where the skat was not taken up.
"""

from __future__ import annotations

from collections.abc import Iterator

from skatspec.engine import placing
from skatspec.engine.facts import Facts, Line, Settlement, loss_factor, loss_line
from skatspec.engine.null import covering_games, covering_value
from skatspec.engine.placing import AWAY
from skatspec.engine.state import Game
from skatspec.record import HAND
from skatspec.rules.tables import CONTRACTS

TOPIC = "early-play"


def matadors(game: Game) -> list[int]:
    """Return the matadors the game can have, over every suit game and Grand, "without" below 0."""
    return sorted({run for _, run in _runs(game)})


def settlements(game: Game) -> list[Settlement]:
    """Return the outcomes: one with the other games as alternatives where all is known."""
    bids = game.tables.bids if game.bid is None else (game.bid,)
    facts = Facts(0, 0 if game.picked_up else HAND, 0, game.bid, 0, 0, twelve=game.twelve())
    if game.exact and game.bid is not None:
        (contract, run, value), *others = covering_games(game.tables, facts, game.bid)
        rest = tuple((other, price) for other, _, price in others)
        return [_lost(game, facts, contract, run, value, rest)]
    games = [
        (contract, run, covering_value(game.tables, facts, bid, contract, run))
        for contract, run in _runs(game)
        for bid in bids
    ]
    return [_lost(game, facts, *one, ()) for one in dict.fromkeys(games)]


def _runs(game: Game) -> Iterator[tuple[int, int]]:
    declarer = game.declarer or 0
    for contract, base in enumerate(game.tables.base):
        if base:
            order = game.tables.trumps[contract]
            for run in placing.matadors(order, game.possible, (declarer, AWAY)):
                yield contract, run


def _lost(
    game: Game,
    facts: Facts,
    contract: int,
    run: int,
    value: int,
    others: tuple[tuple[int, int], ...],
) -> Settlement:
    score = -loss_factor(game.tables, facts) * value
    hand = " Hand" if facts.modifiers & HAND else ""
    word = f"{'with' if run > 0 else 'without'} {abs(run)}"
    bid = f" a bid of {game.bid}" if game.bid is not None else " the bid"
    lines = (
        Line(TOPIC, "a card was played before the announcement"),
        Line(TOPIC, f"charged as {CONTRACTS[contract]}{hand}, {word}, which covers{bid}", 0, value),
        loss_line(game.tables, facts, "lost", score),
    )
    return Settlement(value, False, score, False, lines, covering=contract, alternatives=others)
