"""The steps before the first card: auction, skat, declaration, doubling, pushing, gifts.

Every step comes with its mark: the line it stands on and the column of a player, or -1
for the whole line, so that its place is found without a second reading. What XSkat leaves
out stays out: the single bids, and Hand where only an announcement was printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skatspec.cards import Card
from skatspec.diagnostics import Diagnostic, finding
from skatspec.formats.xskat import words
from skatspec.formats.xskat.seats import PLAYERS, seat_of
from skatspec.formats.xskat.tricks import NULL_GAMES, Tricks
from skatspec.formats.xskat.values import GIFT, PASSED, PLAYED, Block, Pair
from skatspec.record import (
    HAND,
    OUVERT,
    RAMSCH,
    REVOLUTION,
    SCHNEIDER,
    SCHWARZ,
    SPITZE,
    WORLD,
    Agree,
    AuctionEnd,
    Claim,
    Declare,
    Discard,
    Double,
    Exchange,
    Gift,
    Knock,
    Pass,
    PickUp,
    Push,
    Refuse,
    Step,
)

# A step, its line, and a player's column on it or `WHOLE`.
Marked = tuple[Step, int, int]
WHOLE = -1

_PASSES = (Pass(1), Pass(2), Pass(0))
_RAMSCH = Declare(WORLD, RAMSCH)
_KONTRA, _RE = "kontra", "re"


def before_the_play(
    block: Block, first: int, declarer: int, hands: Sequence[tuple[Card, ...]]
) -> list[Marked]:
    """Return what comes before the first card; columns of forehand and of the declarer.

    `hands` are the printed hands by column; the declarer is below 0 where there is none.
    """
    if block.kind == PASSED:
        line = block.rows[0].line
        return [(step, line, (first + step.seat) % PLAYERS) for step in _PASSES]
    if block.contract is None or block.contract.contract == words.RAMSCH:
        return list(_ramsch(block, first))
    return list(_declared(block, first, declarer, hands))


def after_the_play(block: Block, first: int, declarer: int, found: Tricks) -> list[Marked]:
    """Return the claim of a Null whose rest is shown, empty where all was played."""
    if block.kind != PLAYED or declarer < 0 or len(found.leaders) == len(block.rows):
        return []
    line = block.rows[len(found.leaders)].line
    others = _opponents(first, declarer)
    steps: list[Marked] = [(Claim(seat_of(declarer, first)), line, declarer)]
    return steps + [(Agree(seat), line, column) for seat, column in others]


def _opponents(first: int, declarer: int) -> list[tuple[int, int]]:
    """Return the opponents as (seat, column), lowest seat first."""
    columns = [column for column in range(PLAYERS) if column != declarer]
    return sorted((seat_of(column, first), column) for column in columns)


# ---------------------------------------------------------------- a declared game


def same_cards(one: Pair, other: Pair) -> bool:
    """Say whether two lines name the same cards; their order differs at times."""
    return one.cards == other.cards or set(one.cards) == set(other.cards)


def _declared(
    block: Block, first: int, declarer: int, hands: Sequence[tuple[Card, ...]]
) -> Iterator[Marked]:
    contract = block.contract
    assert contract is not None
    seat, game, bits = seat_of(declarer, first), contract.contract, block.bits
    if block.last_bid is not None:
        yield AuctionEnd(seat, block.last_bid.value), block.last_bid.line, WHOLE
    was, put = block.skat_was or block.skat_is, block.skat_is
    changed = not same_cards(was, put)
    if changed or not _is_hand(game, bits):
        yield PickUp(seat, was.cards), was.line, WHOLE
        yield Discard(seat, put.cards), put.line, WHOLE
    insisted = _insisted(game, bits) if changed else 0
    said = 0 if insisted else bits
    if None in [cell.card for cell in block.hands[declarer]]:
        said |= SPITZE
    yield Declare(seat, game, said), contract.line, WHOLE
    others = _opponents(first, declarer)
    if game == REVOLUTION:
        for other, column in others:
            yield Exchange(other, hands[column]), block.hands_line, column
    for other, column in others:
        if block.names[column].underlined:
            yield Double(other, _KONTRA), block.line, column
    if block.names[declarer].underlined:
        yield Double(seat, _RE), block.line, declarer
    if insisted and block.modifier is not None:
        refused: tuple[Step, ...] = (*(Gift(other) for other, _ in others), Refuse(seat))
        yield from [(step, block.modifier.line, WHOLE) for step in refused * insisted]
    if block.kind == GIFT:
        line = block.rows[0].line
        yield from [(Gift(other), line, column) for other, column in others]
        yield Agree(seat), line, declarer


def _is_hand(game: str, bits: int) -> bool:
    """Say whether a block whose skats are the same two cards means a game without the skat.

    In suit and Grand every announcement is printed instead of Hand; in Null and
    Revolution Hand is printed.
    """
    return bool(bits & HAND if game in NULL_GAMES else bits)


def _insisted(game: str, bits: int) -> int:
    """Return how often a gift was refused, where the skat was changed all the same.

    Who refuses one plays for Schneider, who refuses again for Schwarz: that alone is
    announced without Hand.
    """
    if game in NULL_GAMES or bits & (HAND | OUVERT):
        return 0
    return 2 if bits & SCHWARZ else int(bool(bits & SCHNEIDER))


# ---------------------------------------------------------------- Ramsch


def _ramsch(block: Block, first: int) -> Iterator[Marked]:
    line = block.contract.line if block.contract is not None else block.line
    yield _RAMSCH, line, WHOLE
    received = block.skat_was or block.skat_is
    for push in block.pushes:
        if push.unseen:
            yield Push(push.seat), push.line, WHOLE
            continue
        yield PickUp(push.seat, received.cards), received.line, WHOLE
        yield Push(push.seat, push.cards), push.line, WHOLE
        received = Pair(push.line, push.cards)
    columns = [(first + seat) % PLAYERS for seat in range(PLAYERS)]
    for seat, column in enumerate(columns):
        if block.names[column].underlined:
            yield Knock(seat), block.line, column


# ---------------------------------------------------------------- what contradicts itself


def contradictions(block: Block, first: int, declarer: int) -> Iterator[Diagnostic]:
    """Yield where the words of a block contradict each other, tricks aside."""
    if block.kind != PLAYED:
        yield from _wrong_row(block, first, declarer)
    contract = block.contract
    if contract is None:
        return
    if contract.contract != words.RAMSCH:
        if block.skat_was is None:
            place = block.span(block.skat_is.line)
            yield finding("N011", span=place, what="line `Skat was`", expected="two cards")
        return
    outcome = block.result
    if outcome is not None and outcome.won != contract.won:
        said, wanted = ("won", "lost") if outcome.won else ("lost", "won")
        place = block.span(outcome.line)
        yield finding("N008", span=place, what="the result", read=said, expected=wanted)
    yield from _wrong_pushes(block)


def _wrong_row(block: Block, first: int, declarer: int) -> Iterator[Diagnostic]:
    """Yield where the row of a passed deal or a gift contradicts seats and contract."""
    row = block.rows[0]
    led = [column for column, cell in enumerate(row.cells) if cell.underscore]
    if led != [first]:
        column = next((one for one in led if one != first), first)
        read = " and ".join(block.names[one].full for one in led) or "nobody"
        yield finding(
            "N008", span=block.cell_span(row.line, column), what="forehand", read=read,
            expected=block.names[first].full,
        )  # fmt: skip
    accepts = [column for column, cell in enumerate(row.cells) if cell.word == words.ACCEPT]
    if block.kind == GIFT and accepts != [declarer]:
        column = next((one for one in accepts if one != declarer), declarer)
        read = " and ".join(block.names[one].full for one in accepts) or "nobody"
        yield finding(
            "N008", span=block.cell_span(row.line, column), what="who accepts a gift", read=read,
            expected=block.names[declarer].full,
        )  # fmt: skip


def _wrong_pushes(block: Block) -> Iterator[Diagnostic]:
    """Yield where the cards handed on are not those that came, or that lie in the skat."""
    if not block.pushes:
        return
    if block.skat_was is None:
        place = block.span(block.skat_is.line)
        yield finding("N011", span=place, what="line `Skat was`", expected="two cards")
    received = block.skat_was or block.skat_is
    for push in block.pushes:
        here = Pair(push.line, push.cards)
        if push.unseen and not same_cards(here, received):
            yield _other_cards(block, push.line, "a skat left lying", received.line)
        received = here
    if not same_cards(received, block.skat_is):
        yield _other_cards(block, block.skat_is.line, "the skat of the last hand", received.line)


def _other_cards(block: Block, line: int, what: str, other: int) -> Diagnostic:
    texts = block.text.split("\n")
    read, wanted = (texts[at - block.line].partition(": ")[2].rstrip() for at in (line, other))
    expected = f"{wanted} (line {other})"
    return finding("N008", span=block.span(line), what=what, read=read, expected=expected)
