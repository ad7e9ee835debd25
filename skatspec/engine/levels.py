"""Suit games and Grand: who won on the table, which levels count, and the test against the bid."""

from __future__ import annotations

from dataclasses import dataclass

from skatspec.engine.facts import (
    GAME,
    HAND_LEVEL,
    OUVERT_LEVEL,
    SCHN,
    SCHN_ANN,
    SCHW,
    SCHW_ANN,
    SPITZE_LEVEL,
    TRICKS,
    Facts,
    Line,
    Settlement,
    covers,
    ending_words,
    loss_factor,
    loss_line,
    reached_words,
)
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ, SPITZE
from skatspec.rules.tables import CONTRACTS, Tables


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
    barred = facts.excluded
    made = tables.total_points - points <= tables.schneider_points and not barred & SCHNEIDER
    made_all = tricks == TRICKS and not barred & SCHWARZ
    missed = bool(facts.modifiers & SCHWARZ and not made_all) or bool(
        facts.modifiers & SCHNEIDER and not made
    )
    if reached:
        return _Result(True, missed, made, made_all)
    own = tables.own_levels and (facts.trick_complete or not tables.own_levels_need_trick)
    own_schneider = own and points <= tables.schneider_points and not barred & SCHNEIDER
    return _Result(False, missed, own_schneider, own and tricks == 0 and not barred & SCHWARZ)


def settle_trump(tables: Tables, facts: Facts) -> Settlement:
    """Settle a suit game or Grand, lost at once, given up or played."""
    result = _result(tables, facts)
    lines = [_matador_line(tables, facts), Line("game", "game", tables.steps[GAME])]
    lines += _levels(tables, facts, result)
    multiple = sum(line.multiple for line in lines)
    base = tables.base[facts.contract]
    own_base = (facts.modifiers & OUVERT and tables.ouvert_base[facts.contract]) or base
    own_value = multiple * own_base
    text = f"{multiple} x {own_base} {CONTRACTS[facts.contract]} = {own_value}"
    lines.append(Line("base-value", text, value=own_value))
    value, overbid = _against_bid(tables, facts.bid, own_value, base, lines)
    won = result.reached and not result.missed and not overbid and facts.spitze_made
    score = value if won else -loss_factor(tables, facts) * value
    lines += _outcome_lines(tables, facts, result, won, overbid, score)
    return Settlement(
        value, won, score, overbid, tuple(lines), result.missed, result.schneider, result.schwarz
    )


def _matador_line(tables: Tables, facts: Facts) -> Line:
    word = "with" if facts.matadors > 0 else "without"
    count = abs(facts.matadors)
    return Line("matadors", f"{word} {count}", count)


def _levels(tables: Tables, facts: Facts, result: _Result) -> list[Line]:
    """Return the levels that count, by what was announced and what became of it."""
    steps, modifiers = tables.steps, facts.modifiers
    lines = []
    if modifiers & HAND:
        lines.append(Line("hand", "Hand", steps[HAND_LEVEL]))
    announced, announced_all = modifiers & SCHNEIDER, modifiers & SCHWARZ
    if result.missed:
        lines += _missed_levels(tables, facts)
    else:
        if result.schneider or announced:
            lines.append(Line("schneider", "Schneider", steps[SCHN]))
        if announced:
            lines.append(Line("schneider", "Schneider announced", steps[SCHN_ANN]))
        if result.schwarz or announced_all:
            lines.append(Line("schwarz", "Schwarz", steps[SCHW]))
        if announced_all:
            lines.append(Line("schwarz", "Schwarz announced", steps[SCHW_ANN]))
    if modifiers & OUVERT and tables.ouvert_level[facts.contract]:
        lines.append(Line("ouvert", "Ouvert", steps[OUVERT_LEVEL]))
    if modifiers & SPITZE:
        lines.append(Line("spitze", "Spitze announced", steps[SPITZE_LEVEL]))
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
            lines.append(Line(topic, "Schneider promised", steps[SCHN]))
        lines.append(Line(topic, "Schneider announced", steps[SCHN_ANN]))
    if facts.modifiers & SCHWARZ:
        if promised:
            lines.append(Line(topic, "Schwarz promised", steps[SCHW]))
        lines.append(Line(topic, "Schwarz announced", steps[SCHW_ANN]))
    elif tables.missed_schneider_schwarz and _own_schwarz(tables, facts):
        lines.append(Line(topic, "Schwarz, a level above the one missed", steps[SCHW]))
    return lines


def _own_schwarz(tables: Tables, facts: Facts) -> bool:
    own = tables.own_levels and (facts.trick_complete or not tables.own_levels_need_trick)
    made = facts.tricks == 0 and not facts.excluded & SCHWARZ
    return own and facts.conceded is None and made


def _against_bid(
    tables: Tables, bid: int | None, own_value: int, base: int, lines: list[Line]
) -> tuple[int, bool]:
    """Return the charged value and whether the game was overbid."""
    if bid is None:
        return own_value, False
    if covers(tables, own_value, bid):
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
        topic, text = ending_words(facts)
    else:
        text, topic = f"{facts.points} points", "winning"
        if facts.modifiers & SCHWARZ or result.schwarz:
            text += f", {facts.tricks} trick{'s' if facts.tricks != 1 else ''}"
        topic, text = reached_words(facts, topic, text)
    lines = []
    if result.missed and facts.conceded is None:
        lines.append(Line("missed-announcement", "the announcement was missed"))
    if not facts.spitze_made:
        lines.append(Line("spitze", "the Spitze was missed"))
    if won:
        lines.append(Line(topic, f"{text}; won: {score:+d}", value=score))
    else:
        why = "lost" if not (result.reached and overbid) else "lost as overbid"
        topic = "overbid" if result.reached and overbid else topic
        lines.append(Line(topic, text))
        # that an overbid game costs twice its price stands where its price does
        lines.append(loss_line(tables, facts, why, score, "overbid" if overbid else "loss"))
    return lines
