"""Single faults in the deal, the auction and the declaration of a made-up game.

Each function changes a draft and says whether it could. Which of them are faults in any
case, and which may leave a record consistent, stands in mutations.py.
"""

from __future__ import annotations

from dataclasses import replace

from skatspec.conformance.generator import moves
from skatspec.conformance.generator.game import Game
from skatspec.conformance.generator.moves import Move
from skatspec.conformance.generator.plan import Chance
from skatspec.conformance.generator.table import CARDS, SEATS, TRICKS, Table
from skatspec.record import Bid, Declare, Discard, Hold, PickUp, Play
from skatspec.rules.tables import CONTRACTS

_MOST_BID = 300


def among(chance: Chance, count: int) -> int:
    """Return a number below `count`."""
    return int(chance() * count)


def reseated(move: Move, seat: int) -> Move:
    """Return a move as another player's."""
    return f"{seat}{move[0][1:]}", tuple([replace(step, seat=seat) for step in move[1]])


def other_seat(chance: Chance, seat: int) -> int:
    """Return one of the two other players."""
    return (seat + 1 + among(chance, 2)) % SEATS


# --- deal -------------------------------------------------------------------------------


def deal_a_card_twice(table: Table, chance: Chance, game: Game) -> bool:
    """Put a card in the place of another one."""
    at = among(chance, len(game.deal))
    game.deal[at] = game.deal[at - 1 - among(chance, len(game.deal) - 1)]
    return True


def deal_a_card_less(table: Table, chance: Chance, game: Game) -> bool:
    """Leave out a card of the deal."""
    del game.deal[among(chance, len(game.deal))]
    return True


def swap_dealt_cards(table: Table, chance: Chance, game: Game) -> bool:
    """Exchange cards of two hands, or of a hand and the skat."""
    one = among(chance, CARDS)
    rest = [at for at in range(len(game.deal)) if at // TRICKS != one // TRICKS]
    other = rest[among(chance, len(rest))]
    game.deal[one], game.deal[other] = game.deal[other], game.deal[one]
    return True


# --- auction ----------------------------------------------------------------------------


def _bids(game: Game) -> list[int]:
    return [at for at in range(game.calls) if type(game.moves[at][1][0]) is Bid]


def _value(game: Game, at: int) -> int:
    step = game.moves[at][1][0]
    assert isinstance(step, Bid)
    return step.value


def call_out_of_turn(table: Table, chance: Chance, game: Game) -> bool:
    """Let another player make a call."""
    if not game.calls:
        return False
    at = among(chance, game.calls)
    move = game.moves[at]
    game.moves[at] = reseated(move, other_seat(chance, move[1][0].seat))
    return True


def bid_no_value(table: Table, chance: Chance, game: Game) -> bool:
    """Bid a number that no game has."""
    places = _bids(game)
    if not places:
        return False
    at = places[among(chance, len(places))]
    barred = [number for number in range(_MOST_BID) if number not in table.tables.bid_ok]
    game.moves[at] = moves.bid(game.moves[at][1][0].seat, barred[among(chance, len(barred))])
    return True


def bid_too_low(table: Table, chance: Chance, game: Game) -> bool:
    """Bid no more than was bid before."""
    places = _bids(game)
    if len(places) < 2:
        return False
    which = 1 + among(chance, len(places) - 1)
    at, before = places[which], places[among(chance, which)]
    game.moves[at] = moves.bid(game.moves[at][1][0].seat, _value(game, before))
    return True


def call_missing(table: Table, chance: Chance, game: Game) -> bool:
    """Leave out a call."""
    if not game.calls:
        return False
    del game.moves[among(chance, game.calls)]
    return True


def call_doubled(table: Table, chance: Chance, game: Game) -> bool:
    """Record a call a second time."""
    if not game.calls:
        return False
    at = among(chance, game.calls)
    game.moves.insert(at, game.moves[at])
    return True


def call_turned(table: Table, chance: Chance, game: Game) -> bool:
    """Make a pass of a hold or bid, and a hold of a pass."""
    if not game.calls:
        return False
    at = among(chance, game.calls)
    step = game.moves[at][1][0]
    turned = moves.PASSES if isinstance(step, (Bid, Hold)) else moves.HOLDS
    game.moves[at] = turned[step.seat]
    return True


# --- skat and declaration -----------------------------------------------------------------


def skat_shown_wrong(table: Table, chance: Chance, game: Game) -> bool:
    """Show a card in the skat that was dealt to a hand."""
    if game.skat_taken < 0:
        return False
    step = game.moves[game.skat_taken][1][0]
    assert isinstance(step, PickUp)
    if step.cards is None:
        return False
    wrong = (step.cards[0], game.deal[among(chance, CARDS)])
    game.moves[game.skat_taken] = moves.pick_up(step.seat, wrong)
    return True


def _put_away(game: Game, away: tuple[int, ...]) -> bool:
    if game.put_away < 0:
        return False
    steps = game.moves[game.put_away][1]
    if isinstance(steps[-1], Declare):
        said = steps[-1]
        game.moves[game.put_away] = moves.declare(said.seat, said.contract, said.modifiers, away)
    else:
        game.moves[game.put_away] = moves.discard(steps[0].seat, away)
    return True


def discard_of_another(table: Table, chance: Chance, game: Game) -> bool:
    """Put away a card that a defender holds."""
    if game.put_away < 0:
        return False
    hand = game.hands[other_seat(chance, game.declarer)]
    return _put_away(game, (game.away[0], hand[among(chance, len(hand))]))


def discard_twice(table: Table, chance: Chance, game: Game) -> bool:
    """Put one card away two times."""
    return game.put_away >= 0 and _put_away(game, game.away[:1] * 2)


def discard_another(table: Table, chance: Chance, game: Game) -> bool:
    """Put away a card that the declarer kept."""
    if game.put_away < 0:
        return False
    hand = game.hands[game.declarer]
    return _put_away(game, (game.away[0], hand[among(chance, len(hand))]))


def declarer_swapped(table: Table, chance: Chance, game: Game) -> bool:
    """Let another player declare."""
    if game.declared < 0:
        return False
    move = game.moves[game.declared]
    game.moves[game.declared] = reseated(move, other_seat(chance, game.declarer))
    return True


def _said_otherwise(game: Game, contract: str, stated: int) -> bool:
    steps = game.moves[game.declared][1]
    away = steps[0].cards if isinstance(steps[0], Discard) else None
    game.moves[game.declared] = moves.declare(game.declarer, contract, stated, away)
    return True


def announce_illegally(table: Table, chance: Chance, game: Game) -> bool:
    """Announce what these rules do not allow here."""
    if game.declared < 0:
        return False
    kind = table.tables.kind[game.contract]
    legal, needs = table.tables.announce[kind], table.tables.needs_hand[kind]
    bad = [
        bits for bits in range(len(legal) // 2)
        if legal[bits] < 0 or (game.skat_taken >= 0 and needs[bits])
    ]  # fmt: skip
    if not bad:
        return False
    return _said_otherwise(game, CONTRACTS[game.contract], bad[among(chance, len(bad))])


def announce_otherwise(table: Table, chance: Chance, game: Game) -> bool:
    """Announce something else that is legal."""
    if game.declared < 0:
        return False
    kind = table.tables.kind[game.contract]
    legal, needs = table.tables.announce[kind], table.tables.needs_hand[kind]
    good = [
        bits for bits in range(len(legal) // 2)
        if legal[bits] >= 0 and bits != game.stated and not (game.skat_taken >= 0 and needs[bits])
    ]  # fmt: skip
    if not good:
        return False
    return _said_otherwise(game, CONTRACTS[game.contract], good[among(chance, len(good))])


def declare_another_game(table: Table, chance: Chance, game: Game) -> bool:
    """Declare another contract."""
    if game.declared < 0:
        return False
    others = [name for at, name in enumerate(CONTRACTS) if at != game.contract]
    return _said_otherwise(game, others[among(chance, len(others))], game.stated)


def declaration_missing(table: Table, chance: Chance, game: Game) -> bool:
    """Leave out the declaration in front of the first card."""
    if game.declared < 0 or not any(isinstance(move[1][0], Play) for move in game.moves):
        return False
    del game.moves[game.declared]
    return True


def declaration_doubled(table: Table, chance: Chance, game: Game) -> bool:
    """Record the declaration a second time."""
    if game.declared < 0:
        return False
    game.moves.insert(game.declared, game.moves[game.declared])
    return True


def held(game: Game, at: int) -> list[list[int]]:
    """Return the hands in front of move `at`."""
    hands = [list(hand) for hand in game.hands]
    for move in game.moves[game.lead : at]:
        step = move[1][0]
        if isinstance(step, Play):
            hands[step.seat].remove(step.card)
    return hands
