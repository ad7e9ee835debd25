"""Deal, contract, announcements, pick-up and discard of a made-up game."""

from __future__ import annotations

from skatspec.conformance.generator import moves, plan
from skatspec.conformance.generator.game import Game
from skatspec.conformance.generator.plan import Chance
from skatspec.conformance.generator.table import TRICKS, Table
from skatspec.engine.facts import covers
from skatspec.formats.iss_words import MODIFIERS, declaration_word
from skatspec.record import HAND, OUVERT, SCHNEIDER, SCHWARZ
from skatspec.rules.tables import CONTRACT, CONTRACTS

_ANNOUNCED = SCHNEIDER | SCHWARZ | OUVERT


def choose(table: Table, chance: Chance, game: Game) -> bool:
    """Set contract and announcements; return whether it is a Hand game."""
    name = plan.CONTRACT.pick(chance)
    hand = chance() < plan.HAND_GAME
    while True:
        contract = CONTRACT[name]
        kind = table.tables.kind[contract]
        stated = _null_words(table, chance, hand) if table.is_null(contract) else None
        if stated is None and hand:
            stated = HAND
            if table.said[kind] and chance() >= plan.HAND_ALONE:
                odd = chance() < plan.ODD_ANNOUNCEMENT
                forms = table.said[kind] if odd else table.said_usually[kind]
                stated = forms[int(chance() * len(forms))]
            if 0 in table.said_later[kind] and chance() < plan.UNANNOUNCED_HAND:
                stated = 0
        stated = stated or 0
        game.contract, game.stated = contract, stated
        game.modifiers = table.tables.announce[kind][stated]
        if not table.is_null(contract) or _null_stands(table, chance, game):
            return hand
        name = CONTRACTS[int(chance() * len(CONTRACTS))]


def _null_words(table: Table, chance: Chance, hand: bool) -> int:
    """Return Hand and Ouvert as a Null has them, short of what these rules refuse."""
    stated = (HAND if hand else 0) | (OUVERT if chance() < plan.OPEN_NULL else 0)
    kind = table.tables.kind[CONTRACT["null"]]
    legal = table.tables.announce[kind][stated] >= 0
    fits = hand or not table.tables.needs_hand[kind][stated]
    return stated if legal and fits else stated & HAND


def _null_stands(table: Table, chance: Chance, game: Game) -> bool:
    """Say whether a Null may be declared at its bid; now and then one that is lost at once."""
    if covers(table.tables, table.tables.null_value(game.contract, game.modifiers), game.bid):
        return True
    return not table.tables.null_refused and chance() < plan.IMPOSSIBLE_NULL


def lost_at_once(table: Table, game: Game) -> bool:
    """Say whether the game is a Null that its bid exceeds."""
    if not table.is_null(game.contract):
        return False
    value = table.tables.null_value(game.contract, game.modifiers)
    return not covers(table.tables, value, game.bid)


def deal(table: Table, chance: Chance, game: Game) -> None:
    """Deal the cards, as the declarer's luck in this game will have it."""
    cards = game.deal
    cards.sort(key=lambda card: chance())
    luck = (plan.DEAL_ANNOUNCED if game.modifiers & _ANNOUNCED else plan.DEAL).pick(chance)
    if luck == plan.FAIR:
        return
    size = 10 + int(chance() * 6)
    good = set(table.best(game.contract, luck == plan.WEAK)[:size])
    wanted = 5 + int(chance() * 6)
    own = [card for card in cards if card in good][:wanted]
    rest = [card for card in cards if card not in own]
    start = TRICKS * game.declarer
    short = TRICKS - len(own)
    own += rest[:short]
    rest = rest[short:]
    cards[:] = [*rest[:start], *own, *rest[start:]]


def announce(
    table: Table, chance: Chance, game: Game, hand: bool, *, half: bool = False
) -> list[list[int]]:
    """Add pick-up, declaration and discard; return the hands at the lead, weakest card first.

    `half` stops behind the declaration, before the discard.
    """
    cards, seat, said = game.deal, game.declarer, game.moves
    hands = [cards[start : start + TRICKS] for start in range(0, 3 * TRICKS, TRICKS)]
    skat = tuple(cards[3 * TRICKS :])
    order = table.order[game.contract]
    name = CONTRACTS[game.contract]
    game.away = skat
    if not hand:
        shown = None if chance() < plan.SKAT_NOT_SHOWN else skat
        game.skat_taken = len(said)
        said.append(moves.pick_up(seat, shown))
        own = hands[seat]
        own += skat
        if not half:
            away = _discard(table, chance, own, order)
            game.away = away
            hands[seat] = [card for card in own if card not in away]
    game.declared = len(said)
    if hand or half:
        said.append(moves.declare(seat, name, game.stated))
    elif chance() < plan.SPLIT_DISCARD:
        said.append(moves.declare(seat, name, game.stated))
        game.put_away = len(said)
        said.append(moves.discard(seat, game.away))
    else:
        game.put_away = len(said)
        said.append(moves.declare(seat, name, game.stated, game.away))
    if game.stated and game.stated & (game.stated - 1) and chance() < plan.ODD_LETTERS:
        _other_letters(game, name)
    for held in hands:
        held.sort(key=order.__getitem__)
    game.lead = len(said)
    game.hands = tuple([tuple(held) for held in hands])
    return hands


def _discard(
    table: Table, chance: Chance, own: list[int], order: tuple[int, ...]
) -> tuple[int, ...]:
    way = plan.AWAY.pick(chance)
    if way == plan.LOWEST_AWAY:
        own.sort(key=order.__getitem__)
    elif way == plan.RICHEST_AWAY:
        # the better half of the cards is kept
        points = table.tables.points
        own.sort(key=order.__getitem__)
        own[:6] = sorted(own[:6], key=points.__getitem__, reverse=True)
    else:
        own.sort(key=lambda card: chance())
    return own[1], own[0]


def _other_letters(game: Game, name: str) -> None:
    """Write the letters behind the game the other way round, as some writers do."""
    word, steps = game.moves[game.declared]
    usual = declaration_word(name, game.stated) or ""
    other = usual[0] + usual[:0:-1]
    if other != usual and set(other[1:]) <= set(MODIFIERS):
        game.moves[game.declared] = word.replace(usual, other, 1), steps
        game.plain = False
