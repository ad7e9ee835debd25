"""What the generator knows of a rule profile before the first game: read off the tables once."""

from __future__ import annotations

from collections.abc import Sequence

from skatspec.cards import DECK
from skatspec.diagnostics import Severity
from skatspec.errors import UsageError
from skatspec.judging import rules_of_tag
from skatspec.record import HAND, OUVERT, SPITZE
from skatspec.rules import Rules
from skatspec.rules.tables import CONTRACTS, NULL_KIND, Tables
from skatspec.rules.variants import Variants

TRICKS, SEATS = 10, 3
CARDS = TRICKS * SEATS


class Table:
    """A profile's tables, and the orders and choices that the generator draws from.

    `order[contract][card]` is a card's place from the weakest; `said[kind]` are the legal
    announcements (bits) of a Hand game, plain Hand left out, `said_usually[kind]` those in the
    forms of servers, `said_later[kind]` those after a pick-up; `tag` is how a record can name the
    rules, empty where it cannot. Raises UsageError for rules of which no game stands by itself.
    """

    def __init__(self, rules: Rules) -> None:
        tables = rules.tables
        _refuse(rules.name, tables.variants)
        self.rules, self.tables = rules, tables
        named = rules_of_tag(rules.name)
        # a record can name packaged rules; with single keys changed they have no name
        self.tag = rules.name if named and named.tables.digest == tables.digest else ""
        self.may_pass_in = tables.variants.ramsch.played == "never"
        self.order = [_order(tables, contract) for contract in range(len(CONTRACTS))]
        self.ladder = tables.bids
        weights = [rules.profile.severity(code) for code in ("P006", "P007")]
        self.may_go_on = Severity.ERROR not in weights
        self.said, self.said_usually, self.said_later = [], [], []
        for kind in range(len(tables.announce)):
            legal = [
                bits for bits, full in enumerate(tables.announce[kind])
                if full >= 0 and not bits & SPITZE
            ]  # fmt: skip
            self.said_later.append([b for b in legal if not tables.needs_hand[kind][b]])
            said = [b for b in legal if tables.needs_hand[kind][b] and b != HAND]
            self.said.append(said)
            # the forms that servers write; a record may state less than an Ouvert includes
            whole = (OUVERT, HAND | OUVERT, max(said, default=0))
            self.said_usually.append([b for b in said if not b & OUVERT or b in whole])
        total, least = tables.total_points, tables.schneider_points
        self.edges = {
            tables.win_points, tables.win_points - 1, least, least + 1, total - least,
            total - least - 1,
        }  # fmt: skip

    def is_null(self, contract: int) -> bool:
        """Say whether a contract is settled by tricks alone."""
        return self.tables.kind[contract] == NULL_KIND

    def best(self, contract: int, weak: bool) -> Sequence[int]:
        """Return the cards from the best for a declarer, or from the worst."""
        order = self.order[contract]
        return sorted(range(DECK), key=order.__getitem__, reverse=weak == self.is_null(contract))


def _refuse(name: str, variants: Variants) -> None:
    if variants.ramsch.played == "always":
        raise UsageError(f"{name}: nobody declares under these rules; the generator bids and plays")
    if variants.bock.played:
        raise UsageError(
            f"{name}: in Bock rounds a game's worth hangs on the games before it; "
            "the generator makes games that stand by themselves"
        )
    if variants.gifts.played != "never":
        raise UsageError(f"{name}: the generator knows no game that is given away (Schenken)")


def _order(tables: Tables, contract: int) -> tuple[int, ...]:
    beats, follow = tables.beats[contract], tables.follow[contract]
    weakest_first = sorted(range(DECK), key=lambda card: (beats[follow[card]][card], card))
    places = [0] * DECK
    for place, card in enumerate(weakest_first):
        places[card] = place
    return tuple(places)
