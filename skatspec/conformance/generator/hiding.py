"""A game as one player or the public saw it: other hands, skat and discards are hidden."""

from __future__ import annotations

from skatspec.cards import HIDDEN
from skatspec.conformance.generator import moves, plan
from skatspec.conformance.generator.game import Game
from skatspec.conformance.generator.moves import Move
from skatspec.conformance.generator.plan import Chance
from skatspec.conformance.generator.table import CARDS, SEATS, TRICKS
from skatspec.record import OUVERT, Declare, Discard, PickUp, Play, Show

_VIEWERS = "FMR"
_PUBLIC = "public"


def hide(chance: Chance, game: Game) -> None:
    """Turn a game into a view of one player or of the public, as servers write them."""
    viewer = int(chance() * (SEATS + 1))
    game.view = viewer
    at = next(n for n, tag in enumerate(game.tags) if tag[0] == "Date") + 1
    seen = _VIEWERS[viewer] if viewer < SEATS else _PUBLIC
    game.tags = (*game.tags[:at], ("View", seen), *game.tags[at:])
    held = list(game.hands[game.declarer]) if game.hands else []
    sees = viewer == game.declarer
    for number, move in enumerate(game.moves):
        game.moves[number] = _seen(chance, game, move, sees, held)
    for place in range(CARDS + 2):
        if place // TRICKS != viewer or place >= CARDS:
            game.deal[place] = HIDDEN


def _seen(chance: Chance, game: Game, move: Move, sees: bool, held: list[int]) -> Move:
    """Return a move as the viewer had it; `held` is kept as the declarer's hand."""
    seat = game.declarer
    for step in move[1]:
        if isinstance(step, Play) and step.seat == seat and step.card in held:
            held.remove(step.card)
        elif isinstance(step, Show):
            return moves.show(seat, tuple(held)) if held else move
        elif isinstance(step, PickUp):
            return move if sees else moves.pick_up(seat, (HIDDEN, HIDDEN))
        elif isinstance(step, Declare):
            return _declared(game, step, sees, held, len(move[1]) > 1)
        elif isinstance(step, Discard) and len(move[1]) == 1 and not sees:
            if chance() < plan.ODD_VIEW_DISCARD:
                # how servers write one card that was seen and one that was not
                word, steps = moves.discard(seat, (step.cards[0], HIDDEN))
                game.plain = False
                return f"{word}.{moves.card_words((HIDDEN,))}", steps
            return moves.discard(seat, (HIDDEN, HIDDEN))
    return move


def _declared(game: Game, step: Declare, sees: bool, held: list[int], joined: bool) -> Move:
    away = (game.away if sees else (HIDDEN, HIDDEN)) if joined else None
    open_ = bool(game.modifiers & OUVERT) and (joined or game.skat_taken < 0)
    shown = tuple(held) if open_ else None
    if not game.plain:
        # the letters as they stood, which no writer would repeat
        word = game.moves[game.declared][0].partition(".")[0]
        usual, steps = moves.declare(step.seat, step.contract, step.modifiers, away, shown)
        return word + usual[len(word) :], steps
    return moves.declare(step.seat, step.contract, step.modifiers, away, shown)
