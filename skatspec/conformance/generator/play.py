"""Ten tricks of legal cards, fast: lists of cards, and every rule from the tables."""

from __future__ import annotations

from skatspec.conformance.generator import moves, plan
from skatspec.conformance.generator.game import Game
from skatspec.conformance.generator.plan import Chance
from skatspec.conformance.generator.table import CARDS, Table
from skatspec.record import SCHNEIDER, SCHWARZ

OPEN, PLAYED_OUT = "", "played out"
NULL_LOST, SCHNEIDER_MISSED, SCHWARZ_MISSED = "null lost", "Schneider missed", "Schwarz missed"
_MAY_GO_ON = "decided"


class Play:
    """The tricks of one game: `run` plays on; points and tricks are kept for both parties.

    `hands` are sorted from the weakest card, so that the first and the last of the cards that
    may be played are what the styles LOW and HIGH play.
    """

    def __init__(
        self, table: Table, chance: Chance, game: Game, hands: list[list[int]],
        styles: tuple[int, ...],
    ) -> None:  # fmt: skip
        self.table, self.chance, self.game = table, chance, game
        self.hands, self.styles = hands, styles
        self.moves = game.moves
        self.trick: list[int] = []
        self.played = self.tricks = self.own_tricks = self.own = self.other = 0
        self.leader = table.tables.leader
        self.ended = OPEN
        self.goes_on = False
        null = table.is_null(game.contract)
        self.may_end = null or bool(game.modifiers & (SCHNEIDER | SCHWARZ))

    def run(self, until: int = CARDS) -> None:
        """Play until so many cards lie, or the game has ended and is not played on."""
        tables, contract = self.table.tables, self.game.contract
        follow, beats, points = tables.follow[contract], tables.beats[contract], tables.points
        chance, hands, styles, trick = self.chance, self.hands, self.styles, self.trick
        played, leader, written = self.played, self.leader, self.moves
        led = follow[trick[0]] if trick else 0
        while played < until:
            place = len(trick)
            seat = (leader + place) % 3
            hand = hands[seat]
            options = ([card for card in hand if follow[card] == led] or hand) if place else hand
            count, style = len(options), styles[seat]
            if count == 1:
                card = options[0]
            elif not style or chance() < plan.WHIM:
                card = options[int(chance() * count)]
            else:
                card = options[-1 if style == plan.HIGH else 0]
            hand.remove(card)
            written.append(moves.PLAYS[seat][card])
            trick.append(card)
            played += 1
            if not place:
                led = follow[card]
            elif place == 2:
                row = beats[led]
                first, second, third = row[trick[0]], row[trick[1]], row[card]
                if third > first and third > second:
                    leader = seat
                elif second > first:
                    leader = (leader + 1) % 3
                self._close(leader, points[trick[0]] + points[trick[1]] + points[card])
                trick.clear()
                if self.ended and not self.goes_on:
                    break
        self.played, self.leader = played, leader
        if played == CARDS and not self.ended:
            self.ended = PLAYED_OUT

    def _close(self, taker: int, worth: int) -> None:
        """Count a trick, and see whether it decides the game."""
        self.tricks += 1
        if taker == self.game.declarer:
            self.own_tricks += 1
            self.own += worth
        else:
            self.other += worth
        if self.may_end and not self.ended:
            self._early_end(taker)

    def _early_end(self, taker: int) -> None:
        tables, game = self.table.tables, self.game
        how, known = "open", OPEN
        if self.table.is_null(game.contract):
            if taker == game.declarer:
                how, known = tables.null_lost, NULL_LOST
        elif taker != game.declarer:
            if game.modifiers & SCHWARZ and tables.schwarz_missed != "open":
                how, known = tables.schwarz_missed, SCHWARZ_MISSED
            elif self.other > tables.schneider_points:
                how, known = tables.schneider_missed, SCHNEIDER_MISSED
        if how != "open":
            self.ended = known
            self.goes_on = (
                how == _MAY_GO_ON and self.table.may_go_on and self.chance() < plan.PLAYED_ON
            )
