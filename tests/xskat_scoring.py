"""What XSkat writes into its list, worked out from a log's blocks and the program's switches.

A slow reading of the program's rules, without tables and without any of the package's own
rules: the oracle for what maps and judges XSkat's games. One part a rule; the numbers of
the parts are the headings of the notes on how XSkat 4.0 scores. A game that the log leaves
open has more than one row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from skatspec.cards import NAMES, Card
from skatspec.formats.xskat.blocks import GIFT, PASSED, Block
from skatspec.formats.xskat.lists import ListRow
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ

Three = tuple[int, int, int]


@dataclass(frozen=True)
class Switches:
    """The switches that change a list."""

    oldrules: bool = False
    skattoloser: bool = False
    kontra: bool = False
    bock: bool = False
    bockramsch: bool = False
    bockevents: int = 0
    spitze: int = 0
    schenken: bool = False
    listing: str = "normal"


def switches(line: str) -> Switches:
    """Return the switches of a command line; what a list does not depend on is passed over."""
    words = line.split()
    listing = next((word[1] for word in reversed(words) if word.endswith("list")), "n")
    bits = words[words.index("-bockevents") + 1] if "-bockevents" in words else "0"
    return Switches(
        oldrules="-oldrules" in words,
        skattoloser="-skattoloser" in words,
        kontra="-kontra" in words,
        bock="-bock" in words or "-bockramsch" in words,
        bockramsch="-bockramsch" in words,
        bockevents=int(bits),
        spitze=2 if "-spitze2" in words else int("-spitze" in words),
        schenken="-schenken" in words,
        listing={"n": "normal", "a": "alternative", "t": "tournament"}[listing],
    )


@dataclass(frozen=True)
class Row:
    """A row of the list, and what later games need to know of this one."""

    player: int
    ramsch: bool
    march: bool
    value: int
    won: bool
    events: int = field(default=0, compare=False)
    plain: int = field(default=0, compare=False)

    def is_row(self, row: ListRow) -> bool:
        """Say whether this is what a list says."""
        mine = (self.player, self.ramsch, self.march, self.value, self.won)
        return mine == (row.player, row.ramsch, row.march, row.value, row.won)


# --- cards and tricks ---------------------------------------------------------------------


def suit(card: Card) -> str:
    return NAMES[card][0]


def rank(card: Card) -> str:
    return NAMES[card][1]


def points(cards: Iterable[Card]) -> int:
    """Return the card points."""
    return sum({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(rank(card), 0) for card in cards)


def trump_suit(contract: str) -> str:
    return {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D"}.get(contract, "-")


def strength(card: Card, led: Card, contract: str) -> int:
    """Return how much a card weighs in a trick."""
    if contract in ("null", "revolution"):
        return "789TJQKA".index(rank(card)) if suit(card) == suit(led) else -1
    if rank(card) == "J":
        return 200 + "DHSC".index(suit(card))
    height = "789QKTA".index(rank(card))
    if suit(card) == trump_suit(contract):
        return 100 + height
    return height if rank(led) != "J" and suit(card) == suit(led) else -1


@dataclass(frozen=True)
class Trick:
    leader: int
    winner: int
    cards: tuple[Card, Card, Card]


def forehand(block: Block) -> int:
    """Return the column of forehand: next to the dealer, else who led first."""
    if block.seed is not None:
        return (block.seed.dealer + 1) % 3
    leader = block.rows[0].leader
    assert leader is not None
    return leader


def tricks(block: Block) -> list[Trick]:
    """Return the tricks, won by the rules; a Null shown as safe ends them."""
    assert block.contract is not None
    spitze = block.spitze
    leader = forehand(block)
    found = []
    for row in block.rows:
        if block.kind == GIFT or not row.marked:
            break
        cards = [spitze if cell.card is None else cell.card for cell in row.cells]
        one, two, three = (card for card in cards if card is not None)
        played = (one, two, three)
        led, contract = played[leader], block.contract.contract
        winner = max(range(3), key=lambda p: strength(played[p], led, contract))
        found.append(Trick(leader, winner, played))
        leader = winner
    return found


def trick_points(won: Iterable[Trick], player: int) -> int:
    return sum(points(trick.cards) for trick in won if trick.winner == player)


# --- 1, 3, 6, 8, 9: suit and Grand --------------------------------------------------------


def matadors(cards: set[Card], contract: str) -> int:
    """Return the unbroken row of highest trumps held, or not held."""
    order = ["CJ", "SJ", "HJ", "DJ"]
    if contract != "grand":
        order += [trump_suit(contract) + r for r in "ATKQ987"]
    held = [NAMES.index(name) in cards for name in order]
    return next((at for at, one in enumerate(held) if one != held[0]), len(held))


def spitze_made(block: Block, player: int, played: list[Trick]) -> bool | None:
    """Say whether an announced Spitze was made; None where none was announced."""
    if not any(cell.spitze for cell in block.hands[player]):
        return None
    last = played[-1] if played else None
    return last is not None and last.winner == player and last.cards[player] == block.spitze


def factor(block: Block, player: int, rules: Switches) -> int:
    """Return 2 for Kontra, 4 for Re, else 1."""
    if not rules.kontra or not any(block.names[p].underlined for p in range(3) if p != player):
        return 1
    return 4 if block.names[player].underlined else 2


def hands_announced(block: Block, rules: Switches) -> list[bool]:
    """Return what may be said of Hand: under -schenken an announcement may lack it."""
    if not block.bits:
        return [False]
    assert block.skat_was is not None
    if block.bits & (HAND | OUVERT) or not rules.schenken:
        return [True]
    changed = set(block.skat_is.cards) != set(block.skat_was.cards)
    return [False] if changed else [False, True]


def suit_rows(block: Block, rules: Switches) -> Iterator[Row]:
    assert block.contract is not None and block.contract.player is not None
    contract, player = block.contract.contract, block.contract.player
    played = tricks(block)
    gift = block.kind == GIFT
    own = 61 if gift else trick_points(played, player) + points(block.skat_is.cards)
    taken = sum(trick.winner == player for trick in played)
    ouvert = bool(block.bits & OUVERT)
    schwarz = ouvert or bool(block.bits & SCHWARZ)
    schneider = schwarz or bool(block.bits & SCHNEIDER)
    base = {"clubs": 12, "spades": 11, "hearts": 10, "diamonds": 9, "grand": 24}[contract]
    bid = block.last_bid.value if block.last_bid else 0
    made = spitze_made(block, player, played)
    times = factor(block, player, rules)
    for hand in hands_announced(block, rules):
        levels = matadors({*block.hand(player), *block.skat_is.cards}, contract) + 1 + hand
        levels += (own >= 90 or own <= 30 or schneider) + schneider
        levels += ((not gift and taken in (0, 10)) or schwarz) + schwarz
        levels += ouvert + (0 if made is None else rules.spitze)
        value = base * levels
        if rules.oldrules and contract == "grand" and ouvert:
            value = 36 * (levels - 1)
        won = own > 60 and value >= bid and (own >= 90 or not schneider)
        won = won and (taken == 10 or not schwarz) and made is not False
        plain = value
        if not won and not gift:
            if value < bid:
                value = plain = -(-bid // base) * base
            if not (rules.oldrules and hand):
                value *= 2
        won = won or gift
        yield Row(
            player, False, False, value * times, won,
            game_events(rules, won, times, lost_with_60=not won and own == 60,
                        grand_hand=contract == "grand" and hand),
            plain,
        )  # fmt: skip


# --- 2: Null and Revolution ---------------------------------------------------------------


def null_row(block: Block, rules: Switches) -> Row:
    assert block.contract is not None and block.contract.player is not None
    player = block.contract.player
    hand, ouvert = bool(block.bits & HAND), bool(block.bits & OUVERT)
    if block.contract.contract == "revolution":
        value = 92
    else:
        value = (59 if hand else 46) if ouvert else (35 if hand else 23)
    won = block.kind == GIFT or all(trick.winner != player for trick in tricks(block))
    times = factor(block, player, rules)
    events = game_events(rules, won, times)
    doubled = not won and not (rules.oldrules and hand)
    return Row(player, False, False, value * (1 + doubled) * times, won, events, value)


# --- 4, 5: Ramsch -------------------------------------------------------------------------


def ramsch_row(block: Block, rules: Switches) -> Row:
    played = tricks(block)
    counts = [sum(trick.winner == p for trick in played) for p in range(3)]
    totals = [trick_points(played, p) for p in range(3)]
    skat = points(block.skat_is.cards)
    if not rules.skattoloser:
        totals[played[-1].winner] += skat
        skat = 0
    times = 2 ** (
        sum(push.unseen for push in block.pushes) + sum(name.underlined for name in block.names)
    )
    if 10 in counts:
        return Row(counts.index(10), True, True, 120 * times, True, plain=120)
    most = max(totals)
    losers = [p for p in range(3) if totals[p] == most]
    if len(losers) == 3:
        return Row(0, True, False, 0, False)
    if counts.count(0) == 1:
        times *= 2
    value = (most + skat) * times
    if len(losers) == 1:
        return Row(losers[0], True, False, value, False)
    third = next(p for p in range(3) if p not in losers)
    return Row(third, True, False, value, True)


# --- 7: Bock ------------------------------------------------------------------------------


def game_events(
    rules: Switches, won: bool, times: int, lost_with_60: bool = False, grand_hand: bool = False
) -> int:
    """Count the events of the bits 1 to 8 of one game."""
    bits = rules.bockevents
    events = int(bool(bits & 1) and lost_with_60)
    events += bool(bits & 2) and grand_hand and won
    lost_kontra = bool(bits & 4) and not won and times > 1
    return events + lost_kontra + (bool(bits & 8) and times > 2 and not lost_kontra)


def changes(row: Row, listing: str) -> Three:
    """Return how the players' scores change in a listing."""
    others = [p for p in range(3) if p != row.player]
    result = [0, 0, 0]
    if row.value == 0:
        return (0, 0, 0)
    if row.ramsch and row.won and not row.march:
        losers, winners = others, []
    elif row.won:
        losers, winners = [], [row.player]
    else:
        losers, winners = [row.player], []
    if listing == "alternative":
        for p in losers or others:
            result[p] += row.value
        return (result[0], result[1], result[2])
    for p in losers:
        result[p] -= row.value
    for p in winners:
        result[p] += row.value
    if listing == "tournament" and not row.ramsch:
        result[row.player] += 50 if row.won else -50
        for p in others:
            result[p] += 0 if row.won else 40
    return (result[0], result[1], result[2])


@dataclass
class Table:
    """The state that goes from game to game: Bock, scores, the last row."""

    rules: Switches
    left: int = 0
    pending: int = 0
    ramsch: int = 0
    scores: list[int] = field(default_factory=lambda: [0, 0, 0])
    last: Row = Row(0, False, False, 0, False)
    was_grand: bool = False

    def rows(self, block: Block) -> list[Row]:
        """Return the rows that the next game may have; more than one where it is open."""
        self._before_the_deal()
        doubled = 1 + (self.rules.bock and self.left > 0 and self.ramsch == 0)
        if block.kind == PASSED:
            return [Row(self.last.player, False, False, 0, self.last.won)]
        assert block.contract is not None
        found: list[Row]
        match block.contract.contract:
            case "ramsch":
                found = [ramsch_row(block, self.rules)]
            case "null" | "revolution":
                found = [null_row(block, self.rules)]
            case _:
                found = list(suit_rows(block, self.rules))
        found = [replace(row, value=row.value * doubled) for row in found]
        return [row for at, row in enumerate(found) if row not in found[:at]]

    def played(self, block: Block, row: Row) -> None:
        """Take the row that the game had."""
        self.last = row
        self.was_grand = block.contract is not None and block.contract.contract == "grand"
        if block.kind == PASSED:
            return
        events = row.events
        change = changes(row, self.rules.listing)
        for player in range(3):
            self.scores[player] += change[player]
            events += bool(change[player]) and self._score_event(self.scores[player])
        bits = self.rules.bockevents
        least = 72 if bits & 64 else 96 if bits & 128 else 10**9
        plain = 0 if row.ramsch and not row.march else row.plain
        events += row.won and plain >= least
        self.pending = events if self.rules.bock else 0

    def _score_event(self, score: int) -> bool:
        digits = f"{abs(score):03}"[-3:]
        equal = bool(self.rules.bockevents & 16) and len(set(digits)) == 1
        return equal or (bool(self.rules.bockevents & 32) and score % 100 == 0)

    def _before_the_deal(self) -> None:
        if self.ramsch > 0:
            self.ramsch -= not self.was_grand
        elif self.left > 0:
            self.left -= 1
            if self.rules.bockramsch and self.left % 3 == 0:
                self.ramsch = 3
        self.left += 3 * self.pending
        self.pending = 0


Choose = Callable[[int, list[Row]], Row]


def score(blocks: Iterable[Block], rules: Switches, choose: Choose) -> Iterator[list[Row]]:
    """Yield the rows that each game may have; `choose` picks the one that it had."""
    table = Table(rules)
    for number, block in enumerate(blocks):
        rows = table.rows(block)
        yield rows
        table.played(block, choose(number, rows))
