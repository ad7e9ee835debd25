"""The single faults by name, how often each is drawn, and which may leave a record consistent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from skatspec.conformance.generator import faults_deal as deal
from skatspec.conformance.generator import faults_play as play
from skatspec.conformance.generator import faults_result as stated
from skatspec.conformance.generator import faults_text as text
from skatspec.conformance.generator.game import Game
from skatspec.conformance.generator.plan import Chance, Weighted
from skatspec.conformance.generator.table import Table

Change = Callable[[Table, Chance, Game], bool]
InText = Callable[[Chance, str], str]


@dataclass(frozen=True, slots=True)
class Mutation:
    """One kind of fault: its weight, and what it changes, the game or the written text.

    `certain` says that the record is wrong in any case; else the change may be immaterial,
    or leave a record that can be right.
    """

    name: str
    weight: float
    certain: bool
    change: Change | None = None
    in_text: InText | None = None


_SURE, _PERHAPS = True, False
_GAME: tuple[tuple[str, float, bool, Change], ...] = (
    ("card-dealt-twice", 2, _SURE, deal.deal_a_card_twice),
    ("card-not-dealt", 1, _SURE, deal.deal_a_card_less),
    ("dealt-cards-swapped", 2, _PERHAPS, deal.swap_dealt_cards),
    ("call-out-of-turn", 2, _SURE, deal.call_out_of_turn),
    ("bid-no-value", 2, _SURE, deal.bid_no_value),
    ("bid-too-low", 2, _SURE, deal.bid_too_low),
    ("call-missing", 2, _PERHAPS, deal.call_missing),
    ("call-doubled", 1, _SURE, deal.call_doubled),
    ("call-turned", 2, _PERHAPS, deal.call_turned),
    ("skat-shown-wrong", 2, _SURE, deal.skat_shown_wrong),
    ("discard-of-another", 2, _SURE, deal.discard_of_another),
    ("discard-twice", 1, _SURE, deal.discard_twice),
    ("discard-changed", 2, _PERHAPS, deal.discard_another),
    ("declarer-swapped", 2, _SURE, deal.declarer_swapped),
    ("announcement-illegal", 3, _SURE, deal.announce_illegally),
    ("announcement-changed", 2, _PERHAPS, deal.announce_otherwise),
    ("contract-changed", 2, _PERHAPS, deal.declare_another_game),
    ("declaration-missing", 1, _SURE, deal.declaration_missing),
    ("declaration-doubled", 1, _SURE, deal.declaration_doubled),
    ("card-of-another", 5, _SURE, play.play_of_another),
    ("card-played-again", 3, _SURE, play.play_again),
    ("card-put-away-played", 2, _SURE, play.play_put_away),
    ("turns-swapped", 3, _SURE, play.turns_swapped),
    ("card-by-another", 3, _SURE, play.play_by_another),
    ("suit-not-followed", 5, _SURE, play.suit_not_followed),
    ("cards-reordered", 3, _PERHAPS, play.cards_reordered),
    ("card-missing", 3, _PERHAPS, play.play_missing),
    ("card-doubled", 2, _SURE, play.play_doubled),
    ("card-after-the-end", 2, _SURE, play.play_after_the_end),
    ("play-cut-short", 2, _PERHAPS, play.play_cut_short),
    ("card-hidden", 1, _PERHAPS, play.play_hidden),
    ("ending-missing", 1, _PERHAPS, play.ending_missing),
    ("resigned-twice", 1, _SURE, play.resign_twice),
    ("another-left", 1, _SURE, play.another_left),
    ("shown-by-a-defender", 1, _SURE, play.shown_by_a_defender),
    ("show-missing", 1, _PERHAPS, play.show_removed),
    ("score-wrong", 5, _SURE, stated.score_wrong),
    ("loss-not-doubled", 2, _SURE, stated.loss_not_doubled),
    ("sign-turned", 2, _SURE, stated.sign_turned),
    ("outcome-turned", 2, _SURE, stated.outcome_turned),
    ("points-wrong", 3, _SURE, stated.points_wrong),
    ("tricks-wrong", 3, _SURE, stated.tricks_wrong),
    ("matadors-wrong", 3, _SURE, stated.matadors_wrong),
    ("overbid-turned", 2, _SURE, stated.overbid_turned),
    ("schneider-turned", 2, _SURE, stated.schneider_turned),
    ("schwarz-turned", 2, _SURE, stated.schwarz_turned),
    ("penalty-turned", 1, _SURE, stated.penalty_turned),
    ("left-wrong", 1, _SURE, stated.left_wrong),
    ("timed-out-wrong", 1, _SURE, stated.timed_out_wrong),
    ("resigned-turned", 1, _SURE, stated.resigned_turned),
    ("declarer-wrong", 2, _SURE, stated.declarer_wrong),
    ("kind-wrong", 1, _SURE, stated.kind_wrong),
    ("result-missing", 1, _PERHAPS, stated.result_missing),
    ("figure-missing", 1, _PERHAPS, stated.figure_missing),
)
_TEXT: tuple[tuple[str, float, InText], ...] = (
    ("record-cut", 3, text.cut),
    ("junk-byte", 4, text.junk_for_a_byte),
    ("junk-put-in", 2, text.junk_put_in),
    ("byte-missing", 2, text.byte_missing),
    ("bytes-swapped", 2, text.bytes_swapped),
)
MUTATIONS: tuple[Mutation, ...] = (
    *(Mutation(*row) for row in _GAME),
    *(Mutation(name, weight, _PERHAPS, in_text=change) for name, weight, change in _TEXT),
)
_DRAWN = Weighted({kind: kind.weight for kind in MUTATIONS})


def mutated(table: Table, chance: Chance, game: Game) -> tuple[Game, Mutation]:
    """Return a game with one fault of a kind that it can have; a text's fault is still to be made.

    A kind that this game cannot have is drawn anew, so that rare games carry what they can.
    """
    while True:
        kind = _DRAWN.pick(chance)
        draft = replace(game, deal=list(game.deal), moves=list(game.moves))
        if kind.change is None or kind.change(table, chance, draft):
            return draft, kind
