"""From the auction's end to the lead: pick-up, discard, declaration.

Each handler takes the state and one step, and returns the fault or None; it changes
the state only when there is none. The order discard-declare and declare-discard are
both accepted, as record formats write both.
"""

from __future__ import annotations

from skatspec.cards import HIDDEN, mask, members, name, names
from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine import placing
from skatspec.engine.facts import covers
from skatspec.engine.state import LOST_AT_ONCE, Game
from skatspec.engine.variants import gifts, ramsch, revolution, spitze
from skatspec.record import (
    HAND,
    MODIFIERS,
    REVOLUTION,
    SEAT_NAMES,
    SPITZE,
    Declare,
    Discard,
    PickUp,
    Step,
)
from skatspec.rules.tables import CONTRACT, GAMES, NULL_KIND, Tables


def words(modifiers: int) -> str:
    """Return modifier bits as words."""
    return " ".join(word for word, bit in MODIFIERS.items() if modifiers & bit)


def actor(game: Game, step: Step, number: int) -> Diagnostic | None:
    """Check that the one who acts is the declarer; where no auction stands, make him so."""
    tables = game.tables
    if game.declarer is None:
        if game.auction_open:
            implied = tables.auction[tables.implied_bid_state].speaker
            if game.auction_state != tables.implied_bid_state or step.seat != implied:
                return finding("B006", step=number, expected="the auction's last calls")
            game.bid = tables.bids[0]
            game.auction_open = False
        game.declarer = step.seat
        return None
    if step.seat != game.declarer:
        if game.contract is None and not game.picked_up:
            return finding(
                "B008", step=number, who=SEAT_NAMES[step.seat], winner=SEAT_NAMES[game.declarer],
                expected=SEAT_NAMES[game.declarer],
            )  # fmt: skip
        who = SEAT_NAMES[step.seat]
        return finding("D001", step=number, who=who, expected=SEAT_NAMES[game.declarer])
    return None


def pick_up(game: Game, step: PickUp, number: int) -> Diagnostic | None:
    """The declarer takes the skat; what the record shows of it must be what was dealt."""
    fault = actor(game, step, number)
    if fault is not None:
        return fault
    if game.picked_up:
        return finding("D002", step=number, expected="once")
    if game.contract is not None:
        return finding("D003", step=number, expected="before the declaration, or not at all")
    if step.cards is not None:
        fault = _see_skat(game, step.cards, number)
        if fault is not None:
            return fault
    game.picked_up = True
    own = game.dealt[step.seat] | game.dealt[placing.AWAY]
    game.possible = list(game.dealt)
    game.possible[step.seat] = own
    game.possible[placing.AWAY] = own
    return None


def _see_skat(game: Game, cards: tuple[int, ...], number: int) -> Diagnostic | None:
    seen = mask(cards)
    if len(cards) != placing.SIZES[placing.AWAY]:
        return finding("R003", step=number, count=len(cards), expected="2 cards")
    if seen & ~game.dealt[placing.AWAY] or (HIDDEN not in cards and seen.bit_count() != len(cards)):
        skat = game.dealt[placing.AWAY]
        dealt = names(members(skat)) if game.exact else "the skat dealt"
        return finding("R004", step=number, read=names(cards), expected=dealt)
    if not game.exact and seen:
        game.dealt = placing.assign(game.dealt, seen, (placing.AWAY,))
        if HIDDEN not in cards:
            game.dealt[placing.AWAY] = seen
    return None


def discard(game: Game, step: Discard, number: int) -> Diagnostic | None:
    """Two different cards of the declarer's twelve are put away."""
    fault = actor(game, step, number)
    if fault is not None:
        return fault
    if not game.picked_up:
        return finding("D013", step=number, expected="the skat taken up first")
    if game.discarded:
        return finding("D004", step=number, count="further", expected="2 cards, once")
    cards = step.cards
    if len(cards) != placing.SIZES[placing.AWAY]:
        return finding("D004", step=number, count=len(cards), expected="2 cards")
    if cards[0] == cards[1] != HIDDEN:
        return finding("D006", step=number, card=name(cards[0]), expected="two different cards")
    for card in cards:
        if card != HIDDEN and not game.possible[placing.AWAY] >> card & 1:
            return finding(
                "D005", step=number, card=name(card), read=name(card),
                expected="a card of the hand or the skat",
            )  # fmt: skip
    away = mask(cards)
    game.discarded = 2
    if HIDDEN in cards:
        game.exact = False
        game.possible = placing.assign(game.possible, away, (placing.AWAY,))
    else:
        game.possible = placing.assign(game.possible, away, (placing.AWAY,))
        game.possible[placing.AWAY] = away
    return spitze.refused(game, number)


def declare(game: Game, step: Declare, number: int) -> Diagnostic | None:
    """The declaration, its announcements expanded and their prerequisites checked."""
    if game.contract is not None:
        return finding("D012", step=number, read=step.contract, expected="one declaration")
    fault = actor(game, step, number)
    if fault is not None:
        return fault
    tables = game.tables
    contract = CONTRACT.get(step.contract)
    if contract is None:
        return finding("D016", step=number, read=step.contract, expected=", ".join(CONTRACT))
    fault = _of_variants(game, step, number)
    if fault is not None:
        return fault
    kind = tables.kind[contract]
    if not 0 <= step.modifiers < len(tables.announce[kind]):
        return finding("D007", step=number, read="This", expected="an announcement of these rules")
    if game.picked_up and tables.needs_hand[kind][step.modifiers]:
        return finding(
            "D008", step=number, read=words(step.modifiers).capitalize(),
            expected="no level once the skat is taken up",
        )  # fmt: skip
    full = tables.announce[kind][step.modifiers]
    if full < 0:
        return illegal_announcement(tables, kind, step.modifiers, number)
    game.contract, game.stated, game.modifiers = contract, step.modifiers, full
    game.hand_open = gifts.hand_left_open(game)
    fault = spitze.refused(game, number)
    if fault is not None:
        return fault
    if not game.picked_up and not full & HAND:
        game.notes.append(finding("D014", step=number))
    if step.shown is not None:
        fault = show(game, step.seat, step.shown, number, "D015")
        if fault is not None:
            return fault
    if kind == NULL_KIND and game.bid is not None:
        fault = _null_against_bid(game, number)
    revolution.pool(game)
    return fault


def _of_variants(game: Game, step: Declare, number: int) -> Diagnostic | None:
    """Fault what no game of these rules is, or not in this deal."""
    if step.contract == REVOLUTION:
        fault = revolution.refused(game.tables, step.modifiers, number)
        if fault is not None:
            return fault
    if step.modifiers & SPITZE and not any(row[SPITZE] >= 0 for row in game.tables.announce):
        return finding(
            "D017", step=number, read="Spitze", expected="an announcement of these rules",
            topic=spitze.TOPIC,
        )  # fmt: skip
    return ramsch.instead(game, step, number)


def illegal_announcement(tables: Tables, kind: int, stated: int, number: int = 0) -> Diagnostic:
    """Build D007 for modifiers that the tables refuse: which of them, and what would do."""
    announce = tables.announce[kind]
    if announce[stated | HAND] >= 0:
        return finding(
            "D007", step=number, read=words(stated).capitalize(), expected="Hand announced with it"
        )
    bad = sum(bit for bit in MODIFIERS.values() if stated & bit and announce[bit | HAND] < 0)
    return finding(
        "D007", step=number, read=words(bad or stated).capitalize(),
        expected="an announcement that these rules have for this game",
    )  # fmt: skip


def refused_null(
    tables: Tables, contract: int, modifiers: int, bid: int, number: int = 0
) -> Diagnostic | None:
    """Build D009 for a Null that the rules refuse because it is worth less than the bid."""
    value = tables.null_value(contract, modifiers)
    if not tables.null_refused or covers(tables, value, bid):
        return None
    read = f"{GAMES[contract].capitalize()} {words(modifiers)}".strip()
    return finding(
        "D009", step=number, read=read, value=value, bid=bid,
        expected=f"a game worth at least {bid}",
    )  # fmt: skip


def _null_against_bid(game: Game, number: int) -> Diagnostic | None:
    """A Null that the bid exceeds is refused or lost at once, as the profile has it."""
    tables, contract = game.tables, game.contract or 0
    fault = refused_null(tables, contract, game.modifiers, game.bid or 0, number)
    value = tables.null_value(contract, game.modifiers)
    if fault is None and not covers(tables, value, game.bid):
        game.ended = LOST_AT_ONCE
    return fault


def show(
    game: Game, seat: int, cards: tuple[int, ...], number: int, code: str
) -> Diagnostic | None:
    """Cards laid open must be exactly those the hand still holds."""
    seen = mask(cards)
    expected_count = game.left_in_hand(seat)
    discard_open = game.picked_up and seat == game.declarer and not game.discarded
    if discard_open and not game.playing:
        expected_count -= 2  # the discard follows in the record
    held = game.possible[seat] & ~game.played[seat]
    known = len(cards) - cards.count(HIDDEN)
    if len(cards) != expected_count or seen & ~held or seen.bit_count() != known:
        expected = names(members(held)) if game.exact else f"{expected_count} cards of the hand"
        return finding(code, step=number, read=names(cards), expected=expected)
    if seen and (not game.exact or discard_open):
        game.possible = placing.assign(game.possible, seen, (seat,))
        if known == len(cards) and not game.hidden_plays[seat]:
            game.possible[seat] = seen | game.played[seat]
        game.held = [
            game.possible[s] & game.held[s] if s == seat else game.held[s] & ~seen for s in range(3)
        ]
    return None
