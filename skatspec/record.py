"""The frozen record of one Skat deal: tags, deal, steps, result, comments.

A record says what was written down, not what is right: it may hold nine-card
hands, an illegal bid or a revoke. Nothing here knows rules or formats. Seats are
0 forehand, 1 middlehand, 2 rearhand, and `WORLD` for what no player does.

Steps are values without places, so equal steps are equal wherever they stand,
and readers may share them; a step's place is asked of the record's `Origin`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from skatspec.cards import HIDDEN, Card
from skatspec.diagnostics import Diagnostic, Span, span_at

Seat = int
FOREHAND, MIDDLEHAND, REARHAND = 0, 1, 2
WORLD: Seat = -1
SEAT_LETTERS = "FMR"
SEAT_NAMES = ("forehand", "middlehand", "rearhand")

# What a declaration states, as bits. What one of them includes (Ouvert the
# announced Schwarz, say) is a rule, and stays out of the record.
HAND, SCHNEIDER, SCHWARZ, OUVERT, SPITZE = 1, 2, 4, 8, 16
MODIFIERS = {
    "hand": HAND, "schneider": SCHNEIDER, "schwarz": SCHWARZ, "ouvert": OUVERT, "spitze": SPITZE,
}  # fmt: skip

# The games that a declaration can name; Ramsch is nobody's, its seat is `WORLD`.
RAMSCH, REVOLUTION = "ramsch", "revolution"
# The calls that double a game, in the order in which they answer each other.
DOUBLES = ("kontra", "re", "bock", "hirsch")
# What kind of round a deal belongs to, as its `Round` tag says.
ROUND_TAG = "Round"
NORMAL_ROUND, BOCK_ROUND, RAMSCH_ROUND = "normal", "bock", "ramsch"
# The table places 1-3 of forehand, middlehand, rearhand, which stay with the players
# from deal to deal.
PLACES_TAG = "Places"
# How a program dealt: its seed, the deals since its start, the dealer; `L` or `R` for a deal
# that is played again. A record that was only saved once more says so.
SEED_TAG, COPY_TAG = "Seed", "Copy"
# What a list says of the rounds behind a deal: Bock deals left with it, events it earned,
# Ramsch deals left.
ROUNDS_TAG = "Rounds"

# A bid that was written but can be no whole number of a sensible size ("18.5").
NO_NUMBER = -1


@dataclass(frozen=True, slots=True)
class Step:
    """Base of every step; `seat` is who acts or whom it befalls."""

    seat: Seat
    word: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Bid(Step):
    """The speaker names a value (game value), or `NO_NUMBER`."""

    value: int
    word: ClassVar[str] = "bid"


@dataclass(frozen=True, slots=True)
class Hold(Step):
    """The listener says yes to the last value."""

    word: ClassVar[str] = "hold"


@dataclass(frozen=True, slots=True)
class Pass(Step):
    """A player leaves the auction."""

    word: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class AuctionEnd(Step):
    """How the auction came out where its calls are not recorded: who plays, and at what.

    `value` is the last value said or held (game value), or `NO_NUMBER`.
    """

    value: int
    word: ClassVar[str] = "auction-end"


@dataclass(frozen=True, slots=True)
class Push(Step):
    """A seat's part in Schieberamsch: the two cards it handed on, by rearhand put away.

    `cards` are None where the seat left the skat lying and handed it on unseen.
    """

    cards: tuple[Card, ...] | None = None
    word: ClassVar[str] = "push"


@dataclass(frozen=True, slots=True)
class Knock(Step):
    """A player knocks in Ramsch (Klopfen), which doubles."""

    word: ClassVar[str] = "knock"


@dataclass(frozen=True, slots=True)
class PickUp(Step):
    """The declarer takes the skat; `cards` is what the record shows of it, or None."""

    cards: tuple[Card, ...] | None = None
    word: ClassVar[str] = "pick-up"


@dataclass(frozen=True, slots=True)
class Discard(Step):
    """The declarer puts cards away, before or after declaring."""

    cards: tuple[Card, ...]
    word: ClassVar[str] = "discard"


@dataclass(frozen=True, slots=True)
class Declare(Step):
    """The declaration as stated: contract name, modifier bits, cards laid open if listed."""

    contract: str
    modifiers: int = 0
    shown: tuple[Card, ...] | None = None
    word: ClassVar[str] = "declaration"


@dataclass(frozen=True, slots=True)
class Exchange(Step):
    """A defender's ten cards after the defenders of a Revolution pooled and redivided theirs."""

    cards: tuple[Card, ...]
    word: ClassVar[str] = "exchange"


@dataclass(frozen=True, slots=True)
class Double(Step):
    """A call that doubles the game: one of `DOUBLES`."""

    call: str
    word: ClassVar[str] = "double"


@dataclass(frozen=True, slots=True)
class Play(Step):
    """A card to a trick, `HIDDEN` where the record does not show it."""

    card: Card
    word: ClassVar[str] = "play"


@dataclass(frozen=True, slots=True)
class Show(Step):
    """A player shows his cards without a claim; takes no turn."""

    cards: tuple[Card, ...] | None = None
    word: ClassVar[str] = "show"


@dataclass(frozen=True, slots=True)
class Resign(Step):
    """A player gives up."""

    word: ClassVar[str] = "resign"


@dataclass(frozen=True, slots=True)
class Timeout(Step):
    """A player's time ran out."""

    word: ClassVar[str] = "timeout"


@dataclass(frozen=True, slots=True)
class Leave(Step):
    """A player left the table."""

    word: ClassVar[str] = "leave"


@dataclass(frozen=True, slots=True)
class Agree(Step):
    """A player agrees to what another has offered: a concession or a claim."""

    word: ClassVar[str] = "agree"


@dataclass(frozen=True, slots=True)
class Refuse(Step):
    """A player refuses what another has offered."""

    word: ClassVar[str] = "refuse"


@dataclass(frozen=True, slots=True)
class Gift(Step):
    """A defender makes the declarer a present of the game (Schenken)."""

    word: ClassVar[str] = "gift"


@dataclass(frozen=True, slots=True)
class ThrowOpen(Step):
    """A player throws his cards open, which ends the game for his party."""

    word: ClassVar[str] = "throw-open"


@dataclass(frozen=True, slots=True)
class EarlyPlay(Step):
    """The declarer played a card before he had announced a game, and it was recorded as such."""

    word: ClassVar[str] = "early-play"


@dataclass(frozen=True, slots=True)
class Claim(Step):
    """The declarer claims the rest; `levels` are the SCHNEIDER and SCHWARZ bits claimed."""

    levels: int = 0
    word: ClassVar[str] = "claim"


@dataclass(frozen=True, slots=True)
class Revoke(Step):
    """A player did not follow though he could, and it was recorded as such."""

    word: ClassVar[str] = "revoke"


@dataclass(frozen=True, slots=True)
class WrongLead(Step):
    """A player led when it was not his lead, and it was recorded as such."""

    word: ClassVar[str] = "wrong-lead"


@dataclass(frozen=True, slots=True)
class OutOfTurn(Step):
    """A player played before his turn, and it was recorded as such."""

    word: ClassVar[str] = "out-of-turn"


@dataclass(frozen=True, slots=True)
class Ruling(Step):
    """A referee's decision, followed as recorded; the seat is `WORLD`.

    It names the winner (`won`: the declarer), the levels that count beside the announced
    ones (SCHNEIDER and SCHWARZ bits), whether the skat counts for matadors, and where it
    stands.
    """

    won: bool
    source: str
    levels: int = 0
    skat_counts: bool = True
    word: ClassVar[str] = "ruling"


@dataclass(frozen=True, slots=True)
class Deal:
    """The hands as dealt, F M R, and the skat; None where the record does not give one.

    A hand that is given but hidden consists of `HIDDEN` cards. `pack` is the pack from
    the top, as it was dealt from; which hands it makes is a rule.
    """

    hands: tuple[tuple[Card, ...] | None, tuple[Card, ...] | None, tuple[Card, ...] | None]
    skat: tuple[Card, ...] | None
    pack: tuple[Card, ...] | None = None

    def parts(self) -> tuple[tuple[Card, ...] | None, ...]:
        """Return F, M, R and the skat in this order."""
        return (*self.hands, self.skat)


# How a result reads as a whole.
PASSED, UNKNOWN, GAME, PENALTY = "passed", "unknown", "game", "penalty"


@dataclass(frozen=True, slots=True)
class Result:
    """What the record says came out; None where it says nothing.

    `score` is the declarer's ledger score, signed, a loss already doubled, without
    tournament bonus. `matadors` counts over twelve cards, negative for "without".
    `points` (card points, skat included) and `tricks` are the declarer's at the end.
    `penalized` has a flag a seat; `left`, `timed_out` and `last_trick` (who took it) are a
    seat or `WORLD` for nobody.

    A game without a declarer (Ramsch) states figures a seat instead, F M R: `scores` are
    ledger points, signed; `losers` who lost; `counted` the card points that were counted,
    None for a seat of which none are stated.
    """

    kind: str = GAME
    declarer: Seat | None = None
    won: bool | None = None
    score: int | None = None
    matadors: int | None = None
    overbid: bool | None = None
    points: int | None = None
    tricks: int | None = None
    schneider: bool | None = None
    schwarz: bool | None = None
    penalized: tuple[bool, bool, bool] | None = None
    left: Seat | None = None
    timed_out: Seat | None = None
    resigned: bool | None = None
    scores: tuple[int, int, int] | None = None
    losers: tuple[bool, bool, bool] | None = None
    counted: tuple[int | None, int | None, int | None] | None = None
    last_trick: Seat | None = None


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark kept with the record.

    `where` names the item it belongs to: `tag/N`, `deal/N` (3 is the skat, 4 the pack), `step/N`
    (from 0), a section by name, `result` or `end`; `own_line` comments stand before
    it, others behind it on its line.
    """

    where: str
    text: str
    own_line: bool = True


@dataclass(frozen=True, slots=True)
class Places:
    """Offsets into a record's text: one pair a step, and one a named part.

    Names are `tag/NAME`, `deal`, `deal/HAND/CARD` (hand 3 is the skat), `result`,
    `result/FIELD`.
    """

    steps: Sequence[tuple[int, int]] = ()
    parts: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def _no_places(text: str) -> Places:
    return Places()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a record was read: file, its number there (from 0), first line, format, raw text.

    `locator` recovers the places of steps and parts from the text; it runs only
    when a diagnostic asks, so reading a million sound records never pays for it.
    """

    source: str = ""
    index: int = 0
    line: int = 1
    format: str = ""
    text: str = ""
    locator: Callable[[str], Places] = _no_places

    def step(self, number: int) -> Span:
        """Return the place of step `number` (from 1), or the record's first line."""
        places = self.locator(self.text).steps
        if 1 <= number <= len(places):
            return span_at(self.text, *places[number - 1], self.line)
        return self.start()

    def part(self, name: str) -> Span:
        """Return the place of a named part, else of the part it belongs to."""
        parts = self.locator(self.text).parts
        while name:
            if name in parts:
                return span_at(self.text, *parts[name], self.line)
            name = name.rpartition("/")[0]
        return self.start()

    def start(self) -> Span:
        """Return the record's first character."""
        return Span(self.line, 1, 2)


@dataclass(frozen=True, slots=True)
class Record:
    """One deal as recorded. Origin and the reader's findings do not count for equality."""

    tags: tuple[tuple[str, str], ...] = ()
    deal: Deal | None = None
    steps: tuple[Step, ...] = ()
    result: Result | None = None
    comments: tuple[Comment, ...] = ()
    origin: Origin = field(default_factory=Origin, compare=False)
    findings: tuple[Diagnostic, ...] = field(default=(), compare=False)

    def tag(self, name: str) -> str | None:
        """Return a tag's value, None where the record has no such tag."""
        for key, value in self.tags:
            if key == name:
                return value
        return None

    @property
    def id(self) -> str:
        """Return what the record calls itself: its `Id`, else `Table`/`Deal` tags, else empty."""
        own = self.tag("Id")
        if own is not None:
            return own
        parts = [value for key in ("Table", "Deal") if (value := self.tag(key))]
        return "/".join(parts)

    def hidden(self) -> bool:
        """Say whether any card of the record is a hidden one."""
        return any(HIDDEN in cards for cards in self._card_groups())

    def _card_groups(self) -> Iterator[tuple[Card, ...]]:
        if self.deal is not None:
            yield from (part for part in (*self.deal.parts(), self.deal.pack) if part is not None)
        for step in self.steps:
            if isinstance(step, Play):
                yield (step.card,)
            elif isinstance(step, (PickUp, Show, Discard, Push, Exchange)):
                yield step.cards or ()
            elif isinstance(step, Declare):
                yield step.shown or ()


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A record that could not be read; its findings say why, the text is kept."""

    origin: Origin
    findings: tuple[Diagnostic, ...]
