"""The state of a replay: what is known of every card and how far the deal has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from skatspec.cards import ALL, Mask
from skatspec.diagnostics import Diagnostic
from skatspec.engine.placing import AWAY
from skatspec.record import HAND, SEAT_NAMES, WORLD, Claim, Resign, Ruling, Seat, Step
from skatspec.rules.tables import GAMES, NULL_KIND, Tables

UNKNOWN_SEAT: Seat = -2

# How a deal ended.
OPEN = "open"
PASSED_IN = "passed-in"
PLAYED_OUT = "played-out"
NULL_LOST = "null-lost"
SCHNEIDER_MISSED = "schneider-missed"
SCHWARZ_MISSED = "schwarz-missed"
RESIGNED = "resigned"
TIMED_OUT = "timed-out"
LEFT = "left"
CLAIMED = "claimed"
OFFENCE = "offence"
RULED = "ruled"
THROWN = "thrown"
SHOWN = "shown"
EARLY = "early"
GIVEN = "given"
PENALTY = "penalty"
LOST_AT_ONCE = "impossible-null"

WHY_ENDED = {
    PASSED_IN: "all passed",
    PLAYED_OUT: "ten tricks are played",
    NULL_LOST: "the declarer of a Null has a trick",
    SCHNEIDER_MISSED: "the announced Schneider was missed",
    SCHWARZ_MISSED: "the announced Schwarz was missed",
    RESIGNED: "given up",
    TIMED_OUT: "a player's time ran out",
    LEFT: "a player left",
    CLAIMED: "the claim was accepted",
    RULED: "a referee has ruled",
    THROWN: "a player threw his cards open",
    SHOWN: "a defender showed his cards",
    EARLY: "a card was played before the announcement",
    GIVEN: "the defenders made a present of the game",
    OFFENCE: "a player broke a rule of play",
    PENALTY: "stopped before the declaration",
    LOST_AT_ONCE: "the Null is worth less than the bid",
}


class Trick(NamedTuple):
    """A complete trick in order of play.

    `winner` is `UNKNOWN_SEAT` where hidden cards leave it open; `low` and `high` bound
    its card points, equal where all three cards are known.
    """

    leader: Seat
    cards: tuple[int, int, int]
    winner: Seat
    low: int
    high: int


@dataclass(slots=True)
class Game:
    """Mutable state; the replay owns it and nobody else changes it.

    `dealt` are possible masks as dealt (three hands, skat); `possible` the same over
    the bins of placing.py once the declarer has his hand; `held` what each hand may
    still hold; `exact` says that every card's place is known. `void` are cards that a hand
    showed by not following that it did not hold, kept only where cards are hidden.
    `offered` is a concession or claim that awaits consent, `agreed` who gave it (seat bits).
    `miscounted` says that a hand or the skat has not its number of cards, which was ruled on.
    `rest` says whether the tricks left are the declarer's after cards were laid open (both where
    it is open), `excluded` the sets of levels (bits) that may be excluded then.
    `round` is the kind of round this deal belongs to, None where nothing says it. `hand_open`
    says that Hand may or may not have been announced with what was. In Ramsch `pushed` counts
    the seats that handed the skat on, `unseen` (seat bits) those that left it lying, `looking`
    is the one who has it in hand; `knocked` and `gifts` are seat bits, `doubles` and `refusals`
    counts.
    """

    tables: Tables
    steps: Sequence[Step] = ()
    round: str | None = None
    dealt: list[Mask] = field(default_factory=lambda: [ALL] * 4)
    possible: list[Mask] = field(default_factory=lambda: [ALL] * 4)
    held: list[Mask] = field(default_factory=lambda: [ALL] * 3)
    void: list[Mask] = field(default_factory=lambda: [0, 0, 0])
    exact: bool = False
    deal_recorded: bool = False
    miscounted: bool = False
    auction_recorded: bool = False
    auction_open: bool = False
    auction_state: int = -1
    declarer: Seat | None = None
    bid: int | None = None
    picked_up: bool = False
    discarded: int = 0
    contract: int | None = None
    is_ramsch: bool = False
    stated: int = 0
    modifiers: int = 0
    hand_open: bool = False
    doubles: int = 0
    pushed: int = 0
    unseen: int = 0
    looking: Seat | None = None
    knocked: int = 0
    gifts: int = 0
    refusals: int = 0
    playing: bool = False
    may_end_early: bool = False
    leader: Seat = 0
    turn: Seat = 0
    candidates: int = 0
    cards: list[int] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)
    played: list[Mask] = field(default_factory=lambda: [0, 0, 0])
    hidden_plays: list[int] = field(default_factory=lambda: [0, 0, 0])
    resigned: int = 0
    offered: Resign | Claim | None = None
    offered_in: int = 0
    agreed: int = 0
    claimed: int = 0
    ruling: Ruling | None = None
    rest: tuple[bool, ...] = ()
    excluded: tuple[int, ...] = (0,)
    timed_out: Seat = WORLD
    left: Seat = WORLD
    penalized: list[bool] = field(default_factory=lambda: [False, False, False])
    ended: str = OPEN
    ended_in: int = 0
    ended_by: Seat = WORLD
    fault: Diagnostic | None = None
    notes: list[Diagnostic] = field(default_factory=list)
    steps_done: int = 0

    @property
    def sound(self) -> bool:
        """Say whether no step was a fault so far."""
        return self.fault is None

    @property
    def is_null(self) -> bool:
        """Say whether the game declared is a Null."""
        return self.contract is not None and self.tables.kind[self.contract] == NULL_KIND

    @property
    def contract_name(self) -> str:
        """Return the contract's name, empty before the declaration."""
        return "" if self.contract is None else GAMES[self.contract]

    @property
    def hand(self) -> bool:
        """Say whether Hand counts."""
        return bool(self.modifiers & HAND)

    def twelve(self) -> Mask:
        """Return the declarer's possible twelve cards, the skat included."""
        if self.declarer is None:
            return 0
        return self.possible[self.declarer] | self.possible[AWAY]

    def left_in_hand(self, seat: Seat) -> int:
        """Return how many cards a hand still counts."""
        started = 10
        if seat == self.declarer and self.picked_up and not self.playing:
            started += 2 - self.discarded  # once cards are played, two lie aside in any case
        elif seat == self.looking:
            started += 2
        on_table = sum(1 for at in range(len(self.cards)) if (self.leader + at) % 3 == seat)
        return started - len(self.tricks) - on_table

    def name(self, seat: Seat) -> str:
        """Return a seat's name for messages."""
        return SEAT_NAMES[seat] if 0 <= seat < 3 else "nobody"
