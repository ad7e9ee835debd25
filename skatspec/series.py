"""Deals of one table in a row: what a deal takes over from those before it.

Only Bock and Ramsch rounds do so. A series is told which table place each seat has (the
record's `Places` tag), and which deals begin anew (the deal's seed).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine.outcome import Outcome
from skatspec.engine.replay import Replay
from skatspec.engine.settlement import Settlement
from skatspec.engine.state import PASSED_IN
from skatspec.engine.variants import bock, ramsch
from skatspec.engine.variants.bock import Rounds
from skatspec.record import (
    COPY_TAG,
    PLACES_TAG,
    ROUNDS_TAG,
    SEED_TAG,
    BrokenRecord,
    Record,
)
from skatspec.rules import Rules
from skatspec.rules.variants import BockRules


@dataclass(slots=True)
class Series:
    """The state of one table under rules that have Bock rounds.

    `state` is None from a deal on that could not be judged: what follows it is open.
    """

    rules: Rules
    state: Rounds | None = None
    begun: bool = False
    seed: tuple[str, int] | None = None

    def round_of(self, record: Record) -> str | None:
        """Return the kind of round that a record belongs to, None where that is open."""
        if record.tag(COPY_TAG) is None:
            self._advance(record)
        return bock.round_of(self.state) if self.state else None

    def _advance(self, record: Record) -> None:
        """Go on to a record's deal, as far as its seed says that it is the next one."""
        seed, again = _seed(record.tag(SEED_TAG))
        rules = self.rules.tables.variants.bock
        if self.begun and again:
            # a deal that is played again is the same deal, but what it had earned is gone
            self.state = self.state and replace(self.state, pending=0)
        elif seed is not None and seed[1] == 0:
            self.state = self._start(rules)
        elif not self.begun:
            self.state = Rounds() if seed is None else None  # else the log's beginning is missing
        elif self.state is not None:
            in_row = seed is None or self.seed is None or _follows(self.seed, seed)
            self.state = bock.next_deal(rules, self.state) if in_row else None
        self.begun, self.seed = True, seed or self.seed

    def _start(self, rules: BockRules) -> Rounds | None:
        """Return the state at a new start of the program; what a log resumes may be unknown."""
        if rules.at_start == "anew":
            # the list is read at a start, and its running scores go on
            if self.state is not None:
                return Rounds(scores=self.state.scores)
            scores_count = {"equal-digits", "hundreds"} & set(rules.triggers)
            return None if self.begun and scores_count else Rounds()
        # that the last game was a Grand is forgotten over a new start
        return self.state and bock.next_deal(rules, replace(self.state, was_grand=False))

    def take(self, record: Record, played: Replay | None, came_to: Outcome | None) -> None:
        """Take over what a deal came to; open or faulty, it leaves the rounds open."""
        if record.tag(COPY_TAG) is not None or self.state is None:
            return
        places = _places(record.tag(PLACES_TAG))
        if played is None or came_to is None or places is None or played.fault is not None:
            self.state = None
            return
        game, settled = played.game, came_to.settled
        if settled is None or settled.alternatives:
            settled = _stated(record, came_to)
        if settled is None and (game.ended != PASSED_IN or ramsch.due(game)):
            self.state = None
            return
        points, stated = came_to.points, record.result.points if record.result else None
        if stated is not None and stated in points:
            points = (stated,)
        self.state = bock.after(self.rules.tables, self.state, game, settled, points, places)

    def rounds_fault(self, record: Record) -> Diagnostic | None:
        """Fault what a list says of the rounds behind a deal that was taken over, if known."""
        stated = record.tag(ROUNDS_TAG)
        if stated is None or self.state is None:
            return None
        right = f"{self.state.left} {self.state.pending} {self.state.ramsch}"
        if " ".join(stated.split()) == right:
            return None
        return finding("L005", read=stated, expected=right, part=f"tag/{ROUNDS_TAG}")

    def lose(self, record: BrokenRecord) -> None:
        """Note a deal that could not be read: what follows it is open."""
        self.state = None


def has_places(record: Record | BrokenRecord) -> bool:
    """Say whether a record belongs to a series: it names the table places of the seats."""
    return isinstance(record, Record) and record.tag(PLACES_TAG) is not None


def _stated(record: Record, came_to: Outcome) -> Settlement | None:
    """Return the one outcome that the record states, where it leaves several open."""
    result = record.result
    fitting = [one for one in came_to.settlements if result and one.score == result.score]
    return fitting[0] if len(fitting) == 1 else None


def _places(text: str | None) -> Sequence[int] | None:
    """Read the table places of F, M, R (1-3); None where they are not three different ones."""
    parts = (text or "").split()
    if sorted(parts) != ["1", "2", "3"]:
        return None
    return [int(part) - 1 for part in parts]


def _seed(text: str | None) -> tuple[tuple[str, int] | None, bool]:
    """Return seed and deals skipped, and whether the deal is one played again (`L`, `R`)."""
    parts = (text or "").split()
    if len(parts) < 3 or not parts[1].isdecimal() or len(parts[1]) > 9:
        return None, False
    return (parts[0], int(parts[1])), len(parts) > 3


def _follows(before: tuple[str, int], now: tuple[str, int]) -> bool:
    """Say whether a deal is the next one of the same seed."""
    return now[0] == before[0] and now[1] == before[1] + 1
