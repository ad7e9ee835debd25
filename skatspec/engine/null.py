"""Null: its fixed values, and the game that a Null below its bid is charged as."""

from __future__ import annotations

from collections.abc import Iterable

from skatspec.engine.facts import (
    GAME,
    HAND_LEVEL,
    Facts,
    Line,
    Settlement,
    covers,
    ending_words,
    loss_factor,
    loss_line,
    reached_words,
)
from skatspec.errors import UsageError
from skatspec.record import HAND, MODIFIERS, REVOLUTION
from skatspec.rules.tables import CONTRACT, CONTRACTS, GAMES, Tables


def settle_null(tables: Tables, facts: Facts) -> Settlement:
    """Settle a Null, also one that is worth less than its bid."""
    value = tables.null_value(facts.contract, facts.modifiers)
    bid = facts.bid
    if bid is not None and not covers(tables, value, bid):
        return _impossible_null(tables, facts, bid)
    won = facts.tricks == 0 if facts.conceded is None else facts.conceded
    score = value if won else -loss_factor(tables, facts) * value
    name = GAMES[facts.contract].capitalize() + "".join(
        f" {word.capitalize()}" for word in ("ouvert", "hand") if facts.modifiers & MODIFIERS[word]
    )
    topic = REVOLUTION if facts.contract == CONTRACT[REVOLUTION] else "null-value"
    lines = [Line(topic, f"{name} = {value}", value=value)]
    if bid is not None:
        lines.append(Line("overbid", f"bid {bid} covered"))
    lines += _null_outcome(tables, facts, won, score)
    return Settlement(value, won, score, False, tuple(lines))


def _null_outcome(tables: Tables, facts: Facts, won: bool, score: int) -> list[Line]:
    if facts.conceded is not None:
        topic, text = ending_words(facts)
    else:
        text = "no trick" if won else f"{facts.tricks} trick{'s' if facts.tricks > 1 else ''}"
        topic, text = reached_words(facts, "null-winning", text)
    if won:
        return [Line(topic, f"{text}; won: {score:+d}", value=score)]
    return [Line(topic, text), loss_line(tables, facts, "lost", score)]


def covering_games(tables: Tables, facts: Facts, bid: int) -> list[tuple[int, int, int]]:
    """Return (contract, matadors, charged value) of every game that can stand for a Null
    below its bid, cheapest first, at equal price the lower base first.

    Raises UsageError where matadors differ by suit and the twelve cards are not given.
    """
    games = []
    for contract, base in enumerate(tables.base):
        if base:
            run = _matadors_in(tables, facts, contract)
            games.append((contract, run, covering_value(tables, facts, bid, contract, run)))
    return sorted(games, key=lambda game: (game[2], tables.base[game[0]]))


def covering_value(tables: Tables, facts: Facts, bid: int, contract: int, run: int) -> int:
    """Return what a lost game is charged that is to cover a bid with these matadors."""
    hand = tables.steps[HAND_LEVEL] if facts.modifiers & HAND else 0
    base = tables.base[contract]
    return base * max(abs(run) + tables.steps[GAME] + hand, -(-bid // base))


def _matadors_in(tables: Tables, facts: Facts, contract: int) -> int:
    if facts.twelve is not None:
        return tables.matadors(contract, facts.twelve)
    shared = min(len(order) for order in tables.trumps if order)
    if facts.matadors == 0 or abs(facts.matadors) >= shared:
        raise UsageError(
            "an impossible Null needs the declarer's twelve cards: "
            f"from with or without {shared} on, matadors differ by suit"
        )
    return facts.matadors


def _impossible_null(tables: Tables, facts: Facts, bid: int) -> Settlement:
    """A Null below its bid: lost at once as a game that covers the bid."""
    games = covering_games(tables, facts, bid)
    chosen = next((g for g in games if g[0] == facts.choice), games[0])
    others = tuple((c, v) for c, _, v in games if c != chosen[0])
    return _covered(tables, facts, bid, *chosen, others)


def open_impossible_null(
    tables: Tables, facts: Facts, bid: int, runs: Iterable[tuple[int, int]]
) -> list[Settlement]:
    """Return the outcomes of a Null below its bid for every (contract, matadors) it may stand for.

    For a declarer whose twelve cards are not all known; which game it is, is his choice anyway.
    """
    return [
        _covered(tables, facts, bid, c, run, covering_value(tables, facts, bid, c, run), ())
        for c, run in runs
    ]


def _covered(
    tables: Tables,
    facts: Facts,
    bid: int,
    contract: int,
    run: int,
    value: int,
    others: tuple[tuple[int, int], ...],
) -> Settlement:
    """Return the lost game that an impossible Null is charged as."""
    hand = " Hand" if facts.modifiers & HAND else ""
    word = f"{'with' if run > 0 else 'without'} {abs(run)}"
    topic = "impossible-null"
    null = tables.null_value(facts.contract, facts.modifiers)
    score = -loss_factor(tables, facts) * value
    chosen = "as chosen" if facts.choice == contract else "the cheapest that covers it"
    lines = (
        Line(topic, f"Null {null} is worth less than the bid of {bid}: lost at once"),
        Line(topic, f"charged as {CONTRACTS[contract]}{hand}, {word} ({chosen})", value=value),
        loss_line(tables, facts, "lost", score),
    )
    return Settlement(value, False, score, True, lines, covering=contract, alternatives=others)
