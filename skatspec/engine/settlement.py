"""The score of a declared game, itemised: pure functions over the profile's tables.

`settle` answers for known facts; `settle_all` for facts that a record leaves open, as
the set of different outcomes. Values are game values, points card points, scores the
declarer's ledger points without tournament bonus.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from skatspec.cards import Mask
from skatspec.errors import UsageError
from skatspec.record import HAND, MODIFIERS, OUVERT, SCHNEIDER, SCHWARZ
from skatspec.rules.tables import CONTRACTS, LEVEL_NAMES, NULL_KIND, Tables

TRICKS = 10
_GAME, _HAND, _SCHN, _SCHN_ANN, _SCHW, _SCHW_ANN, _OUVERT = range(len(LEVEL_NAMES))


@dataclass(frozen=True, slots=True)
class Facts:
    """What a settlement needs to know.

    `modifiers` are the announcements with all they include, `matadors` signed (0 in
    Null), `bid` None where no bid is tested. `points` and `tricks` are the declarer's.
    `conceded` is None for a game settled by points and tricks, else whether the
    declarer wins a game that was not played out, and `levels` are then the SCHNEIDER and
    SCHWARZ bits that count beside the announced ones (0: *simple*); `why` is the rule's
    topic and the words for it where it is not a concession. `trick_complete` is false for a game
    stopped before its first trick was. `twelve` are the declarer's cards, needed for
    an impossible Null; `choice` the covering game chosen there.
    """

    contract: int
    modifiers: int
    matadors: int
    bid: int | None
    points: int
    tricks: int
    conceded: bool | None = None
    levels: int = 0
    why: tuple[str, str] | None = None
    trick_complete: bool = True
    twelve: Mask | None = None
    choice: int | None = None


class Line(NamedTuple):
    """One line of a settlement: the rule's topic, words, and what it adds (multiples or value)."""

    topic: str
    text: str
    multiple: int = 0
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """The outcome of one game.

    `value` is what is charged, after overbid rounding and before a loss is doubled;
    `score` the signed ledger points. `missed` says that an announcement was missed,
    `schneider` and `schwarz` which level was reached by either party, `covering` the
    game that an impossible Null is charged as, with `alternatives` (contract, value).
    """

    value: int
    won: bool
    score: int
    overbid: bool
    lines: tuple[Line, ...] = ()
    missed: bool = False
    schneider: bool = False
    schwarz: bool = False
    covering: int | None = None
    alternatives: tuple[tuple[int, int], ...] = ()

    @property
    def summary(self) -> str:
        """Return the lines in one sentence."""
        return ", ".join([line.text for line in self.lines])

    def key(self) -> tuple[int, bool, int, bool]:
        """Return what makes two outcomes different to a list keeper."""
        return (self.value, self.won, self.score, self.overbid)


def settle(tables: Tables, facts: Facts) -> Settlement:
    """Return the itemised outcome of a game whose facts are all known.

    Raises UsageError where an impossible Null lacks the declarer's twelve cards.
    """
    if tables.kind[facts.contract] == NULL_KIND:
        return _settle_null(tables, facts)
    return _settle_trump(tables, facts)


def settle_all(tables: Tables, options: Iterable[Facts]) -> list[Settlement]:
    """Return the different outcomes over several possible facts, cheapest score last."""
    return distinct(settle(tables, facts) for facts in options)


def distinct(outcomes: Iterable[Settlement]) -> list[Settlement]:
    """Return one of each kind of outcome, cheapest score last.

    Levels count, since a record may state them: overbid, two of them can cost the same.
    """
    found: dict[tuple[int | bool, ...], Settlement] = {}
    for one in outcomes:
        found.setdefault((*one.key(), one.missed, one.schneider, one.schwarz), one)
    return sorted(found.values(), key=lambda o: (-o.score, o.value))


def covers(tables: Tables, value: int, bid: int | None) -> bool:
    """Say whether a game value is enough for a bid."""
    return bid is None or value > bid or (value == bid and not tables.bid_above)


def spread(
    tables: Tables,
    facts: Facts,
    *,
    matadors: Iterable[int],
    bids: Iterable[int | None],
    points: Iterable[int],
    tricks: Iterable[int],
) -> list[Facts]:
    """Return one Facts for each way the open figures can matter.

    Points and tricks are first cut down to one of each class that a threshold tells
    apart, so that the product stays small.
    """
    classes: dict[tuple[bool, bool, bool, int], tuple[int, int]] = {}
    for won_points, won_tricks in product(points, tricks):
        if not possible_together(tables, won_points, won_tricks):
            continue
        key = (
            won_points >= tables.win_points,
            won_points <= tables.schneider_points,
            tables.total_points - won_points <= tables.schneider_points,
            min(won_tricks, 1) + (won_tricks == TRICKS),
        )
        classes.setdefault(key, (won_points, won_tricks))
    return [
        replace(facts, matadors=run, bid=bid, points=p, tricks=t)
        for run, bid, (p, t) in product(matadors, bids, classes.values())
    ]


def possible_together(tables: Tables, points: int, tricks: int) -> bool:
    """Say whether a declarer can have these card points with this many tricks, skat included."""
    away = sum(sorted(tables.points)[-2:])
    if tricks == 0 and points > away:
        return False
    return not (tricks == TRICKS and points < tables.total_points)


# --- suit games and Grand ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Result:
    """Who won on the table, and which levels the cards made."""

    reached: bool  # the declarer has the points (or was conceded the game)
    missed: bool
    schneider: bool
    schwarz: bool


def _result(tables: Tables, facts: Facts) -> _Result:
    announced = facts.modifiers & (SCHNEIDER | SCHWARZ)
    if facts.conceded is not None:
        return _Result(
            facts.conceded, bool(announced) and not facts.conceded,
            bool(facts.levels & SCHNEIDER), bool(facts.levels & SCHWARZ),
        )  # fmt: skip
    points, tricks = facts.points, facts.tricks
    reached = points >= tables.win_points
    made = tables.total_points - points <= tables.schneider_points
    made_all = tricks == TRICKS
    missed = bool(facts.modifiers & SCHWARZ and not made_all) or bool(
        facts.modifiers & SCHNEIDER and not made
    )
    if reached:
        return _Result(True, missed, made, made_all)
    own = tables.own_levels and (facts.trick_complete or not tables.own_levels_need_trick)
    return _Result(False, missed, own and points <= tables.schneider_points, own and tricks == 0)


def _settle_trump(tables: Tables, facts: Facts) -> Settlement:
    result = _result(tables, facts)
    lines = [_matador_line(tables, facts), Line("game", "game", tables.steps[_GAME])]
    lines += _levels(tables, facts, result)
    multiple = sum(line.multiple for line in lines)
    base = tables.base[facts.contract]
    own_base = (facts.modifiers & OUVERT and tables.ouvert_base[facts.contract]) or base
    own_value = multiple * own_base
    text = f"{multiple} x {own_base} {CONTRACTS[facts.contract]} = {own_value}"
    lines.append(Line("base-value", text, value=own_value))
    value, overbid = _against_bid(tables, facts.bid, own_value, base, lines)
    won = result.reached and not result.missed and not overbid
    score = value if won else -_loss_factor(tables, facts) * value
    lines += _outcome_lines(tables, facts, result, won, overbid, score)
    return Settlement(
        value, won, score, overbid, tuple(lines), result.missed, result.schneider, result.schwarz
    )


def _loss_factor(tables: Tables, facts: Facts) -> int:
    return tables.hand_loss_factor if facts.modifiers & HAND else tables.loss_factor


def _loss_line(tables: Tables, facts: Facts, why: str, score: int) -> Line:
    factor = _loss_factor(tables, facts)
    times = f", times {factor}" if factor != 1 else ""
    return Line("loss", f"{why}{times}: {score:+d}", value=score)


def conceivable(tables: Tables, score: int) -> bool:
    """Say whether any game of these rules can come to this score."""
    if score > 0:
        return score in _values(tables)
    factors = (tables.loss_factor, tables.hand_loss_factor)
    losses = [-score // factor for factor in factors if -score % factor == 0]
    # an overbid game may be charged beyond what any game is worth
    return any(
        loss in tables.null_values or any(base and loss % base == 0 for base in tables.base)
        for loss in losses
    )


def _values(tables: Tables) -> set[int]:
    values = set(tables.null_values)
    for base, own, order in zip(tables.base, tables.ouvert_base, tables.trumps, strict=True):
        multiples = range(1 + tables.steps[_GAME], len(order) + sum(tables.steps) + 1)
        values |= {one * multiple for one in (base, own) if one for multiple in multiples}
    return values


def _matador_line(tables: Tables, facts: Facts) -> Line:
    word = "with" if facts.matadors > 0 else "without"
    count = abs(facts.matadors)
    return Line("matadors", f"{word} {count}", count)


def _levels(tables: Tables, facts: Facts, result: _Result) -> list[Line]:
    """Return the levels that count, by what was announced and what became of it."""
    steps, modifiers = tables.steps, facts.modifiers
    lines = []
    if modifiers & HAND:
        lines.append(Line("hand", "Hand", steps[_HAND]))
    announced, announced_all = modifiers & SCHNEIDER, modifiers & SCHWARZ
    if result.missed:
        lines += _missed_levels(tables, facts)
    else:
        if result.schneider or announced:
            lines.append(Line("schneider", "Schneider", steps[_SCHN]))
        if announced:
            lines.append(Line("schneider", "Schneider announced", steps[_SCHN_ANN]))
        if result.schwarz or announced_all:
            lines.append(Line("schwarz", "Schwarz", steps[_SCHW]))
        if announced_all:
            lines.append(Line("schwarz", "Schwarz announced", steps[_SCHW_ANN]))
    if modifiers & OUVERT and tables.ouvert_level[facts.contract]:
        lines.append(Line("ouvert", "Ouvert", steps[_OUVERT]))
    return lines


def _missed_levels(tables: Tables, facts: Facts) -> list[Line]:
    """Return what a missed announcement costs, by the profile's reading."""
    if tables.missed == "none":
        return []
    steps, topic = tables.steps, "missed-announcement"
    promised = tables.missed == "promised"
    lines = []
    if facts.modifiers & SCHNEIDER:
        if promised:
            lines.append(Line(topic, "Schneider promised", steps[_SCHN]))
        lines.append(Line(topic, "Schneider announced", steps[_SCHN_ANN]))
    if facts.modifiers & SCHWARZ:
        if promised:
            lines.append(Line(topic, "Schwarz promised", steps[_SCHW]))
        lines.append(Line(topic, "Schwarz announced", steps[_SCHW_ANN]))
    elif tables.missed_schneider_schwarz and _own_schwarz(tables, facts):
        lines.append(Line(topic, "Schwarz, a level above the one missed", steps[_SCHW]))
    return lines


def _own_schwarz(tables: Tables, facts: Facts) -> bool:
    own = tables.own_levels and (facts.trick_complete or not tables.own_levels_need_trick)
    return own and facts.conceded is None and facts.tricks == 0


def _against_bid(
    tables: Tables, bid: int | None, own_value: int, base: int, lines: list[Line]
) -> tuple[int, bool]:
    """Return the charged value and whether the game was overbid."""
    if bid is None:
        return own_value, False
    if own_value > bid or (own_value == bid and not tables.bid_above):
        lines.append(Line("overbid", f"bid {bid} covered"))
        return own_value, False
    if tables.overbid_price == "base-value":
        charged = base
    else:
        charged = base * -(-max(bid, own_value) // base)
    text = f"bid {bid} not covered: overbid, charged {charged}"
    lines.append(Line("overbid", text, value=charged))
    return charged, True


def _outcome_lines(
    tables: Tables, facts: Facts, result: _Result, won: bool, overbid: bool, score: int
) -> list[Line]:
    if facts.conceded is not None:
        topic, text = _why(facts)
    else:
        text, topic = f"{facts.points} points", "winning"
        if facts.modifiers & SCHWARZ or result.schwarz:
            text += f", {facts.tricks} trick{'s' if facts.tricks != 1 else ''}"
    lines = []
    if result.missed and facts.conceded is None:
        lines.append(Line("missed-announcement", "the announcement was missed"))
    if won:
        lines.append(Line(topic, f"{text}; won: {score:+d}", value=score))
    else:
        why = "lost" if not (result.reached and overbid) else "lost as overbid"
        topic = "overbid" if result.reached and overbid else topic
        lines.append(Line(topic, text))
        lines.append(_loss_line(tables, facts, why, score))
    return lines


def _why(facts: Facts) -> tuple[str, str]:
    by = "defenders" if facts.conceded else "declarer"
    return facts.why or ("concession", f"given up by the {by}")


# --- Null -------------------------------------------------------------------------------


def _settle_null(tables: Tables, facts: Facts) -> Settlement:
    value = tables.null_values[facts.modifiers]
    bid = facts.bid
    if bid is not None and not covers(tables, value, bid):
        return _impossible_null(tables, facts, bid)
    won = facts.tricks == 0 if facts.conceded is None else facts.conceded
    score = value if won else -_loss_factor(tables, facts) * value
    name = "Null" + "".join(
        f" {word.capitalize()}" for word in ("ouvert", "hand") if facts.modifiers & MODIFIERS[word]
    )
    lines = [Line("null-value", f"{name} = {value}", value=value)]
    if bid is not None:
        lines.append(Line("overbid", f"bid {bid} covered"))
    lines += _null_outcome(tables, facts, won, score)
    return Settlement(value, won, score, False, tuple(lines))


def _null_outcome(tables: Tables, facts: Facts, won: bool, score: int) -> list[Line]:
    if facts.conceded is not None:
        topic, text = _why(facts)
    else:
        text = "no trick" if won else f"{facts.tricks} trick{'s' if facts.tricks > 1 else ''}"
        topic = "null-winning"
    if won:
        return [Line(topic, f"{text}; won: {score:+d}", value=score)]
    return [Line(topic, text), _loss_line(tables, facts, "lost", score)]


def covering_games(tables: Tables, facts: Facts, bid: int) -> list[tuple[int, int, int]]:
    """Return (contract, matadors, charged value) of every game that can stand for a Null
    below its bid, cheapest first, at equal price the lower base first.

    Raises UsageError where matadors differ by suit and the twelve cards are not given.
    """
    games = []
    for contract, kind in enumerate(tables.kind):
        if kind != NULL_KIND:
            run = _matadors_in(tables, facts, contract)
            games.append((contract, run, _covering_value(tables, facts, bid, contract, run)))
    return sorted(games, key=lambda game: (game[2], tables.base[game[0]]))


def _covering_value(tables: Tables, facts: Facts, bid: int, contract: int, run: int) -> int:
    hand = tables.steps[_HAND] if facts.modifiers & HAND else 0
    base = tables.base[contract]
    return base * max(abs(run) + tables.steps[_GAME] + hand, -(-bid // base))


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
        _covered(tables, facts, bid, c, run, _covering_value(tables, facts, bid, c, run), ())
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
    null = tables.null_values[facts.modifiers]
    score = -_loss_factor(tables, facts) * value
    chosen = "as chosen" if facts.choice == contract else "the cheapest that covers it"
    lines = (
        Line(topic, f"Null {null} is worth less than the bid of {bid}: lost at once"),
        Line(topic, f"charged as {CONTRACTS[contract]}{hand}, {word} ({chosen})", value=value),
        _loss_line(tables, facts, "lost", score),
    )
    return Settlement(value, False, score, True, lines, covering=contract, alternatives=others)
