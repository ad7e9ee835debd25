"""Ten tricks: turn, ownership, following, who wins, and when a deal ends early.

One loop serves open and partly hidden records. Where every card is known the masks
are exact; else a card is refused only if no placing of the hidden cards allows it.
"""

from __future__ import annotations

from collections.abc import Sequence

from skatspec.cards import HIDDEN, Mask, members, name
from skatspec.diagnostics import Diagnostic, finding
from skatspec.engine import placing
from skatspec.engine.state import (
    LOST_AT_ONCE,
    NULL_LOST,
    OPEN,
    PLAYED_OUT,
    SCHNEIDER_MISSED,
    SCHWARZ_MISSED,
    UNKNOWN_SEAT,
    WHY_ENDED,
    Game,
    Trick,
)
from skatspec.record import SCHNEIDER, SCHWARZ, SEAT_NAMES, Play, Step
from skatspec.rules.tables import CONTRACTS, Tables

TRICKS = 10
ALL_SEATS = 0b111
CLASS_NAMES = (*CONTRACTS[:4], "trump")


def legal_cards(tables: Tables, contract: int, hand: Mask, led: int | None) -> Mask:
    """Return the cards of `hand` that may be played to a trick led with card `led` (None: lead)."""
    if led is None:
        return hand
    following = hand & tables.members[contract][tables.follow[contract][led]]
    return following or hand


def winner(tables: Tables, contract: int, cards: Sequence[int]) -> int:
    """Return which of the cards, in order of play, wins the trick (0-2)."""
    row = tables.beats[contract][tables.follow[contract][cards[0]]]
    return max(range(len(cards)), key=lambda at: row[cards[at]])


def begin(game: Game) -> None:
    """Set the hands for the lead: forehand, as the profile says."""
    if game.picked_up and not game.discarded:
        game.exact = False  # the discard is not recorded: two of twelve cards lie aside
    game.playing = True
    game.may_end_early = game.is_null or bool(game.modifiers & (SCHNEIDER | SCHWARZ))
    game.held = list(game.possible[:3])
    game.leader = game.turn = game.tables.leader


def run(game: Game, steps: Sequence[Step], start: int) -> int:
    """Play the cards from `steps[start]` on; return the first index that is no card.

    Sets `game.fault` and stays at that index where a card is illegal.
    """
    contract = game.contract
    if contract is None:
        raise AssertionError("a card is played only after the declaration")
    follow, members_of = game.tables.follow[contract], game.tables.members[contract]
    held, played, cards = game.held, game.played, game.cards
    # kept beside the state for speed: the turn, whether the deal has ended, exactness
    turn, over, exact = game.turn, game.ended != OPEN, game.exact
    index = start
    for index in range(start, len(steps)):
        step = steps[index]
        if type(step) is not Play:
            break
        seat, card = step.seat, step.card
        if over and not goes_on(game, index + 1):
            break
        if seat != turn:
            if not _resolved(game, seat, index + 1):
                break
            over = game.ended != OPEN
        if card == HIDDEN:
            game.exact = exact = False
            game.hidden_plays[seat] += 1
        else:
            hand, bit = held[seat], 1 << card
            if not hand & bit:
                game.fault = _not_held(game, seat, card, index + 1)
                break
            if cards and cards[0] != HIDDEN:
                led = follow[cards[0]]
                if follow[card] != led and hand & members_of[led]:
                    if not _void(game, seat, members_of[led], card, index + 1):
                        break
                    hand = held[seat]
            held[seat] = hand & ~bit
            played[seat] |= bit
            if not exact:
                _placed(game, seat, bit)
        cards.append(card)
        if len(cards) == 3:
            _close(game)
            turn, over = game.turn, game.ended != OPEN
        else:
            game.turn = turn = seat + 1 if seat < 2 else 0
    else:
        index = len(steps)
    return index


def goes_on(game: Game, number: int) -> bool:
    """Say whether cards may follow the end, as the profile has it; note or fault it."""
    tables = game.tables
    mode = (
        "ends"
        if len(game.tricks) == TRICKS
        else {
            NULL_LOST: tables.null_lost,
            SCHNEIDER_MISSED: tables.schneider_missed,
            SCHWARZ_MISSED: tables.schwarz_missed,
            LOST_AT_ONCE: tables.null_lost,
        }.get(game.ended, "ends")
    )
    if game.ended in (NULL_LOST, LOST_AT_ONCE) and len(game.tricks) < TRICKS:
        trick = game.ended_in or "0 (the bid was too high)"
        note = finding("P006", step=number, trick=trick, expected="the end of the deal")
    elif mode == "ends":
        note = finding(
            "P005", step=number, why=WHY_ENDED[game.ended], expected="the end of the deal"
        )
    else:
        note = finding("P007", step=number, trick=game.ended_in, expected="the end of the deal")
    if mode == "ends":
        game.fault = note
        return False
    if not any(old.code == note.code for old in game.notes):
        game.notes.append(note)
    return True


def _resolved(game: Game, seat: int, number: int) -> bool:
    """Accept a leader where hidden cards left the last trick's winner open; else fault the turn."""
    if game.turn == UNKNOWN_SEAT and seat >= 0 and game.candidates >> seat & 1:
        last = game.tricks[-1]
        game.tricks[-1] = Trick(last.leader, last.cards, seat, last.low, last.high)
        game.leader = seat
        _early_end(game, seat)
        return game.ended == OPEN or goes_on(game, number)
    expected = (
        SEAT_NAMES[game.turn]
        if game.turn >= 0
        else " or ".join(SEAT_NAMES[s] for s in range(3) if game.candidates >> s & 1)
    )
    game.fault = finding("P003", step=number, who=game.name(seat), expected=expected)
    return False


def _not_held(game: Game, seat: int, card: int, number: int) -> Diagnostic:
    who, text = SEAT_NAMES[seat], name(card)
    if any(game.played[s] >> card & 1 for s in range(3)):
        return finding("P002", step=number, card=text, read=text, expected="a card not yet played")
    if game.picked_up and seat == game.declarer and game.possible[placing.AWAY] >> card & 1:
        return finding("P010", step=number, card=text, read=text, expected="a card of the hand")
    if game.void[seat] >> card & 1:
        led = CLASS_NAMES[game.tables.follow[game.contract or 0][card]]
        return finding(
            "P004", step=number, card=text, led=led, read=text,
            expected=f"no {led}: {who} did not follow {led} before",
        )  # fmt: skip
    expected = f"a card {who} holds"
    if game.exact:
        expected = "one of " + " ".join(name(c) for c in members(game.held[seat]))
    return finding("P001", step=number, who=who, card=text, read=text, expected=expected)


def _void(game: Game, seat: int, suit: Mask, card: int, number: int) -> bool:
    """Draw what not following tells; fault it where the hand certainly could follow."""
    hand = game.held[seat]
    sure = hand & suit
    if not game.exact:
        sure &= placing.certain(game.possible, seat)
        if game.hidden_plays[seat]:
            sure = 0  # the card that would follow may be one of those played unseen
    if sure:
        led = CLASS_NAMES[game.tables.follow[game.contract or 0][game.cards[0]]]
        could = " ".join(name(c) for c in members(sure))
        game.fault = finding(
            "P004", step=number, card=name(card), led=led, read=name(card),
            expected=f"{led}: {could}",
        )  # fmt: skip
        return False
    game.held[seat] = hand & ~suit
    game.void[seat] |= suit
    if not game.hidden_plays[seat]:
        game.possible[seat] &= ~(suit & ~game.played[seat])
    return True


def _placed(game: Game, seat: int, bit: Mask) -> None:
    """Note that a card seen on the table came from this hand and is nowhere else."""
    game.possible = placing.assign(game.possible, bit, (seat,))
    for other in range(3):
        game.held[other] &= ~bit


def _close(game: Game) -> None:
    """End a trick: its winner, its points, and what it decides."""
    tables, contract, leader = game.tables, game.contract or 0, game.leader
    first, second, third = game.cards
    game.cards.clear()
    points = tables.points
    low = high = points[first] + points[second] + points[third]
    if first == HIDDEN or second == HIDDEN or third == HIDDEN:
        hidden = (first, second, third).count(HIDDEN)
        high += hidden * max(points)
        game.candidates = _candidates(tables, contract, (first, second, third), leader)
        seat = _only_seat(game.candidates)
    else:
        row = tables.beats[contract][tables.follow[contract][first]]
        best, seat = row[first], leader
        if row[second] > best:
            best, seat = row[second], (leader + 1) % 3
        if row[third] > best:
            seat = (leader + 2) % 3
    game.tricks.append(Trick(leader, (first, second, third), seat, low, high))
    game.leader = game.turn = seat
    if game.may_end_early and seat != UNKNOWN_SEAT:
        _early_end(game, seat)
    if len(game.tricks) == TRICKS and game.ended == OPEN:
        game.ended, game.ended_in = PLAYED_OUT, TRICKS


def _only_seat(candidates: int) -> int:
    return candidates.bit_length() - 1 if candidates.bit_count() == 1 else UNKNOWN_SEAT


def _candidates(tables: Tables, contract: int, trick: tuple[int, int, int], leader: int) -> int:
    """Return the seats (bits) that may win a trick in which cards are hidden."""
    if trick[0] == HIDDEN:
        return ALL_SEATS
    row = tables.beats[contract][tables.follow[contract][trick[0]]]
    best = max(range(3), key=lambda at: -1 if trick[at] == HIDDEN else row[trick[at]])
    seats = 1 << (leader + best) % 3
    for at, card in enumerate(trick):
        if card == HIDDEN and max(row) > row[trick[best]]:
            seats |= 1 << (leader + at) % 3
    return seats


def _early_end(game: Game, taker: int) -> None:
    """End the deal where the profile or the game itself decides it before the tenth trick."""
    if game.ended != OPEN:
        return
    tables = game.tables
    ended = OPEN
    if game.is_null:
        if taker == game.declarer and tables.null_lost != "open":
            ended = NULL_LOST
    elif taker != game.declarer and game.modifiers & (SCHNEIDER | SCHWARZ):
        if game.modifiers & SCHWARZ and tables.schwarz_missed != "open":
            ended = SCHWARZ_MISSED
        elif tables.schneider_missed != "open":
            ours = (game.declarer, UNKNOWN_SEAT)
            against = sum(trick.low for trick in game.tricks if trick.winner not in ours)
            if against > tables.schneider_points:
                ended = SCHNEIDER_MISSED
    if ended != OPEN:
        game.ended, game.ended_in = ended, len(game.tricks)
