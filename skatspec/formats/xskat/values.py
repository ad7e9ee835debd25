"""What a block of an XSkat log holds: frozen values, each with the line it stands on.

Players are columns 0, 1, 2, not seats; seats (0 forehand) only where the log names seats.
What is absent is None. Nothing here reads text (blocks) or knows a rule.
"""

from __future__ import annotations

from dataclasses import dataclass

from skatspec.cards import ALL, HIDDEN, Card, mask, members
from skatspec.diagnostics import Diagnostic, Span
from skatspec.formats.xskat.rows import MARGIN, WIDTH, Cell, Name, Row, plain, raw_columns

PASSED, GIFT, PLAYED = "passed", "gift", "played"


@dataclass(frozen=True, slots=True)
class Seed:
    """The seed line: seed (as printed), deals skipped, dealer 0-2, `L`, `R` or nothing.

    `disguised` is the longer dash of games over IRC, whose seed means nothing.
    """

    line: int
    seed: str
    skipped: int
    dealer: int
    rotation: str = ""
    disguised: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """Two cards on a line of their own, in printed order."""

    line: int
    cards: tuple[Card, Card]


@dataclass(frozen=True, slots=True)
class Push:
    """What a seat (0 forehand) handed on in Schieberamsch; `unseen`: left lying."""

    line: int
    seat: int
    unseen: bool
    cards: tuple[Card, Card]


@dataclass(frozen=True, slots=True)
class Contract:
    """The contract line: who, as text and as players 0-2 of that name, and what.

    In Ramsch `won` is what the line says of the player, and `players` is empty for
    "nobody lost"; otherwise `won` is None.
    """

    line: int
    name: str
    players: tuple[int, ...]
    contract: str
    won: bool | None = None

    @property
    def player(self) -> int | None:
        """Return the only player meant, None for nobody or for two of one name."""
        return self.players[0] if len(self.players) == 1 else None


@dataclass(frozen=True, slots=True)
class Modifier:
    """The line below the contract; `bits` are record.HAND, SCHNEIDER, SCHWARZ, OUVERT."""

    line: int
    text: str
    bits: int


@dataclass(frozen=True, slots=True)
class Number:
    """A number with its line."""

    line: int
    value: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result line; `points` is None where it states none."""

    line: int
    won: bool
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One game of a log. Players are columns 0-2, not seats; what is absent is None.

    `kind` is PASSED, GIFT (one row of words) or PLAYED. `hands` are columns of the table
    of hands, which shows them after discarding. Equal `text` means byte-identical blocks
    (of one encoding).
    """

    line: int
    text: str
    names: tuple[Name, Name, Name]
    kind: str
    rows: tuple[Row, ...]
    seed: Seed | None
    hands: tuple[tuple[Cell, ...], tuple[Cell, ...], tuple[Cell, ...]]
    hands_line: int
    skat_is: Pair
    language: str
    deck: str
    skat_was: Pair | None = None
    last_bid: Number | None = None
    pushes: tuple[Push, ...] = ()
    contract: Contract | None = None
    modifier: Modifier | None = None
    result: Outcome | None = None

    @property
    def bits(self) -> int:
        """Return the modifier bits as written, 0 without a modifier line."""
        return self.modifier.bits if self.modifier else 0

    @property
    def spitze(self) -> Card | None:
        """Return the card that is printed as Spitze: the one that no cell names."""
        if not any(cell.spitze for hand in self.hands for cell in hand):
            return None
        known = [cell.card for hand in self.hands for cell in hand if cell.card is not None]
        left = list(members(ALL & ~mask([*known, *self.skat_is.cards])))
        return left[0] if len(left) == 1 else None

    def hand(self, player: int) -> tuple[Card, ...]:
        """Return a player's ten cards in printed order, `HIDDEN` for an unclear Spitze."""
        spitze = HIDDEN
        if any(cell.spitze for cell in self.hands[player]):
            found = self.spitze
            spitze = HIDDEN if found is None else found
        return tuple(spitze if cell.card is None else cell.card for cell in self.hands[player])

    def cell_span(self, line: int, player: int) -> Span:
        """Return the place of a player's cell on a row's line."""
        begin = MARGIN + WIDTH * player
        return self.span(line, begin, begin + WIDTH)

    def span(self, line: int, begin: int = 0, end: int = 1 << 16) -> Span:
        """Return the place of plain offsets on a line of the block, trailing blanks left out."""
        return span_of(self.text.split("\n")[line - self.line], line, begin, end)


@dataclass(frozen=True, slots=True)
class BrokenBlock:
    """Text in which a block begins or ends that cannot be read, and why.

    `ended` says that the `=` line stands below it, so that it once was a whole game.
    """

    line: int
    text: str
    findings: tuple[Diagnostic, ...]
    ended: bool = False


def span_of(raw: str, line: int, begin: int, end: int) -> Span:
    """Return the place of offsets into the plain form of the raw text of a line."""
    text = plain(raw)
    end = begin + max(1, len(text[begin:end].rstrip()))
    begin, end = raw_columns(raw, begin, end)
    return Span(line, begin + 1, max(end, begin + 1) + 1)
