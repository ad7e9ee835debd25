"""The facts a settlement needs, and what it answers with; shared by every kind of game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from skatspec.cards import Mask
from skatspec.record import HAND, REVOLUTION
from skatspec.rules.tables import LEVEL_NAMES, Tables

TRICKS = 10
GAME, HAND_LEVEL, SCHN, SCHN_ANN, SCHW, SCHW_ANN, OUVERT_LEVEL, SPITZE_LEVEL = range(
    len(LEVEL_NAMES)
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a settlement needs to know.

    `modifiers` are the announcements with all they include, `matadors` signed (0 in
    Null), `bid` None where no bid is tested. `points` and `tricks` are the declarer's.
    `conceded` is None for a game settled by points and tricks, else whether the
    declarer wins a game that was not played out, and `levels` are then the SCHNEIDER and
    SCHWARZ bits that count beside the announced ones (0: *simple*); `why` is the rule's
    topic and the words for it where it is not a concession. `trick_complete` is false for a game
    stopped before its first trick was. `spitze_made` is false where an announced Spitze was
    missed. `excluded` are levels (bits) that do not count, whatever points and tricks say.
    `twelve` are the declarer's cards, needed for
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
    spitze_made: bool = True
    excluded: int = 0
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
    A game without a declarer has a figure a seat instead: `scores` (ledger points, signed),
    who lost, and the card points that were counted; its `score` is 0.
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
    scores: tuple[float, float, float] | None = None
    losers: tuple[bool, bool, bool] | None = None
    counted: tuple[int, int, int] | None = None

    @property
    def value_topic(self) -> str:
        """Return the topic of the line that gives the game's value."""
        topics = [one.topic for one in self.lines]
        return next((one for one in topics if one.endswith("-value") or one == REVOLUTION), "")

    @property
    def summary(self) -> str:
        """Return the lines in one sentence."""
        return ", ".join([line.text for line in self.lines])

    def key(self) -> tuple[object, ...]:
        """Return what makes two outcomes different to a list keeper."""
        return (self.value, self.won, self.score, self.overbid, self.scores)


def covers(tables: Tables, value: int, bid: int | None) -> bool:
    """Say whether a game value is enough for a bid."""
    return bid is None or value > bid or (value == bid and not tables.bid_above)


def loss_factor(tables: Tables, facts: Facts) -> int:
    """Return how often a lost game is charged; a Hand game may have its own factor."""
    return tables.hand_loss_factor if facts.modifiers & HAND else tables.loss_factor


def loss_line(tables: Tables, facts: Facts, why: str, score: int, topic: str = "loss") -> Line:
    """Return the line of a lost game's score."""
    factor = loss_factor(tables, facts)
    times = f", times {factor}" if factor != 1 else ""
    return Line(topic, f"{why}{times}: {score:+d}", value=score)


def ending_words(facts: Facts) -> tuple[str, str]:
    """Return topic and words for a game that was not played out."""
    by = "defenders" if facts.conceded else "declarer"
    return facts.why or ("concession", f"given up by the {by}")


def reached_words(facts: Facts, topic: str, text: str) -> tuple[str, str]:
    """Return topic and words for points or tricks, with what gave them where play did not."""
    return (facts.why[0], f"{facts.why[1]}: {text}") if facts.why else (topic, text)
