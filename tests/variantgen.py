"""Seeded declared games with Kontra and its answers, Spitze, Revolution, gifts and Bock rounds.

Each has the keys it is played under, a whole legal record, and its result by
tests/oracle_variants.py. Auctions are real ones, by tests/gamegen.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from skatspec.cards import BY_NAME, NAMES
from skatspec.record import (
    GAME,
    MODIFIERS,
    REVOLUTION,
    ROUND_TAG,
    Agree,
    Bid,
    Deal,
    Declare,
    Discard,
    Double,
    Exchange,
    Gift,
    PickUp,
    Play,
    Record,
    Refuse,
    Result,
    Step,
)
from tests import oracle
from tests.gamegen import random_auction
from tests.oracle_variants import (
    Charge,
    Declared,
    KontraRules,
    Trick,
    call_fault,
    doubling,
    lowest_trump,
    null_value,
    points_of,
    refused_gifts,
    settle,
    settle_null,
    spitze_fault,
    spitze_made,
)
from tests.ramschgen import DECK, Hands

NULLS = ("null", REVOLUTION)
CALLS = ("kontra", "re", "bock", "hirsch")
SUIT_OR_GRAND = ("diamonds", "hearts", "spades", "clubs", "grand")
# What may be announced in a Hand game, expanded.
HAND_WORDS = (
    {"hand"}, {"hand"}, {"hand", "schneider"}, {"hand", "schneider", "schwarz"},
    {"hand", "schneider", "schwarz", "ouvert"},
)  # fmt: skip


@dataclass(frozen=True)
class Keys:
    """The keys of a profile that a game is played under; `hand_loss` is 1 before 1999."""

    kontra: KontraRules
    spitze: int = 1
    bock_factor: int = 2
    hand_loss: int = 2
    revolution: str = "optional"

    def settings(self) -> tuple[str, ...]:
        """Return the words that set them."""
        k = self.kontra
        calls = ", ".join(k.calls)
        return (
            f"variants.kontra.calls=[{calls}]", f"variants.kontra.factor={k.factor}",
            f"variants.kontra.who={k.who}", f"variants.kontra.bidder_said={k.bidder_said}",
            f"variants.kontra.until={k.until}", f"levels.spitze={self.spitze}",
            "announcements.allowed=[hand, schneider, schwarz, ouvert, spitze]",
            "variants.bock.played=true", f"variants.bock.factor={self.bock_factor}",
            "variants.revolution.value=92", f"variants.revolution.hand={self.revolution}",
            "variants.gifts.played=first-trick",
            f"settlement.hand_loss_factor={self.hand_loss}",
        )  # fmt: skip


def some_keys(rng: random.Random) -> Keys:
    """Return keys by chance."""
    kontra = KontraRules(
        CALLS[: rng.randrange(5)],
        rng.choice((2, 2, 3)),
        rng.choice(("any-defender", "bidder")),
        rng.choice((18, 20, 24)),
        rng.choice(("lead", "own-card")),
    )
    return Keys(
        kontra, rng.choice((1, 2)), rng.choice((2, 3)), rng.choice((2, 2, 1)),
        rng.choice(("required", "optional")),
    )  # fmt: skip


@dataclass
class Making:
    """A game that is being made: its steps so far, and what its price depends on."""

    rng: random.Random
    keys: Keys
    declarer: int
    bid: int
    said: dict[int, int]
    hands: Hands
    skat: list[str]
    steps: list[Step]
    contract: str = ""
    announced: frozenset[str] = frozenset()
    calls: list[str] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)
    spitze: bool = False
    refusals: int = 0
    accepted: bool = False

    @property
    def defenders(self) -> list[int]:
        """Return the defenders' seats."""
        return [seat for seat in range(3) if seat != self.declarer]


@dataclass(frozen=True)
class VariantGame:
    """A legal game with the result that the oracle gives it, and what it has of the variants."""

    record: Record
    keys: Keys
    charge: Charge
    features: frozenset[str]


def variant_game(rng: random.Random, keys: Keys) -> VariantGame:
    """Return a legal game under these keys, its result stated."""
    calls: list[Step] = []
    declarer = None
    while declarer is None:
        # ledger: forehand alone plays at exactly 18, as every profile allows
        calls, declarer, bid = random_auction(rng, "ledger")
    said = _said(calls)
    contract = rng.choice(SUIT_OR_GRAND)
    if bid <= 92 and rng.random() < 0.3:
        contract = "null" if bid <= 23 and rng.random() < 0.5 else REVOLUTION
    hands, skat = _stacked(rng, contract, declarer)
    deal = Deal((_numbers(hands[0]), _numbers(hands[1]), _numbers(hands[2])), _numbers(skat))
    making = Making(rng, keys, declarer, bid, said, hands, skat, list(calls))
    round_ = rng.choice(("normal", "bock"))
    making.contract = contract
    if contract in NULLS:
        _declare_null(making)
    else:
        _declare(making)
    _calls(making, ())
    _gifts(making)
    if not making.accepted:
        _play(making, keeps=lowest_trump(contract) if making.spitze else "")
    record = Record(((ROUND_TAG, round_),), deal, tuple(making.steps))
    return _finished(making, record, keys.bock_factor if round_ == "bock" else 1)


def _said(calls: Sequence[Step]) -> dict[int, int]:
    """Return the highest value that each player bid or held."""
    said: dict[int, int] = {}
    last = 0
    for step in calls:
        if isinstance(step, Bid):
            last = step.value
        if step.word != "pass":
            said[step.seat] = last
    return said


def _stacked(rng: random.Random, contract: str, declarer: int) -> tuple[Hands, list[str]]:
    """Return hands and skat, the declarer's often strong, with the lowest trump."""
    deck = rng.sample(DECK, 32)
    best = sorted(deck, key=lambda card: -_strength(contract, card))
    own = best[: rng.randint(4, 10)] if rng.random() < 0.7 else []
    if contract not in NULLS and rng.random() < 0.6:
        own = [card for card in own[:9] if card != lowest_trump(contract)]
        own.append(lowest_trump(contract))
    rest = [card for card in deck if card not in own]
    own += [rest.pop() for _ in range(10 - len(own))]
    hands = [rest[:10], rest[10:20]]
    hands.insert(declarer, own)
    return hands, rest[20:]


def _strength(contract: str, card: str) -> int:
    """Say roughly how strong a card is for a declarer."""
    if contract in NULLS:
        return -"789TJQKA".index(card[1])
    if card[1] == "J":
        return 100 + "DHSC".index(card[0])
    trump = contract != "grand" and card[0] == contract[0].upper()
    return 50 * trump + "789QKTA".index(card[1])


# --- declaration --------------------------------------------------------------------------


def _declare(making: Making) -> None:
    """Add pick-up, discard and a declaration of a suit game or Grand."""
    rng, own, contract = making.rng, making.hands[making.declarer], making.contract
    ten = list(own)
    if rng.random() < 0.4:
        making.announced = frozenset(rng.choice(HAND_WORDS))
    else:
        ten = _take_and_put_away(making, lambda card: _strength(contract, card))
    twelve = [*ten, *making.skat]
    known = ten if "hand" in making.announced else twelve
    making.spitze = rng.random() < 0.7 and not spitze_fault(contract, ten, known)
    words = set(making.announced) | ({"spitze"} if making.spitze else set())
    bits = sum(MODIFIERS[word] for word in words)
    making.steps.append(Declare(making.declarer, contract, bits))


def _take_and_put_away(making: Making, worth: Callable[[str], int]) -> list[str]:
    """Take the skat and put the two cards worth least away; return the ten that stay."""
    own = making.hands[making.declarer]
    own += making.skat
    making.rng.shuffle(own)
    lowest = "" if making.contract in NULLS else lowest_trump(making.contract)
    away = sorted((card for card in own if card != lowest), key=worth)[:2]
    making.steps.append(PickUp(making.declarer))
    making.steps.append(Discard(making.declarer, _numbers(away)))
    own[:] = [card for card in own if card not in away]
    making.skat = away
    return own


def _declare_null(making: Making) -> None:
    """Add a Null, or a Revolution and perhaps the defenders' exchange."""
    rng, contract = making.rng, making.contract
    must = contract == REVOLUTION and making.keys.revolution == "required"
    if must or rng.random() < 0.5:
        making.announced = frozenset({"hand"})
    else:
        _take_and_put_away(making, lambda card: _strength(contract, card))
    if contract == "null" and rng.random() < 0.3:
        making.announced |= {"ouvert"}
    bits = sum(MODIFIERS[word] for word in making.announced)
    making.steps.append(Declare(making.declarer, contract, bits))
    if contract == REVOLUTION and rng.random() < 0.8:
        one, other = making.defenders
        pooled = [*making.hands[one], *making.hands[other]]
        rng.shuffle(pooled)
        making.hands[one], making.hands[other] = pooled[:10], pooled[10:]
        for seat in (one, other):
            making.steps.append(Exchange(seat, _numbers(making.hands[seat])))


# --- calls and gifts ----------------------------------------------------------------------


def _calls(making: Making, played: Sequence[int]) -> None:
    """Add legal calls by chance, as far as they go with the cards on the table."""
    rng, rules = making.rng, making.keys.kontra
    while len(making.calls) < len(rules.calls) and rng.random() < 0.6:
        call = rules.calls[len(making.calls)]
        seats = [making.declarer] if call in ("re", "hirsch") else making.defenders
        able = [
            seat
            for seat in seats
            if not call_fault(rules, making.declarer, making.said, making.calls, seat, call, played)
        ]
        if not able:
            return
        making.calls.append(call)
        making.steps.append(Double(rng.choice(able), call))


def _gifts(making: Making) -> None:
    """Add a gift or some, accepted, refused, or not both defenders'; in a Null only accepted."""
    rng = making.rng
    if making.contract == REVOLUTION or making.accepted:
        return
    while rng.random() < 0.35 and making.refusals < 2:
        one, other = rng.sample(making.defenders, 2)
        making.steps.append(Gift(one))
        if rng.random() < 0.25:
            making.steps.append(Refuse(other))
            return
        making.steps.append(Gift(other))
        if rng.random() < 0.5 or making.contract == "null":
            making.steps.append(Agree(making.declarer))
            making.accepted = True
            return
        making.steps.append(Refuse(making.declarer))
        making.refusals += 1


# --- play ---------------------------------------------------------------------------------


def _play(making: Making, keeps: str) -> None:
    """Add ten tricks, a lost Null up to the declarer's first; calls may come between cards."""
    rng = making.rng
    cards = "null" if making.contract in NULLS else making.contract
    leader = 0
    played: list[int] = []
    liking = [rng.choice((-1, 0, 1, 1)) for _ in range(3)]
    while len(making.tricks) < 10:
        trick: list[str] = []
        for at in range(3):
            seat = (leader + at) % 3
            led = trick[0] if trick else None
            options = sorted(oracle.legal_cards(cards, making.hands[seat], led))
            rng.shuffle(options)
            worth = {
                card: (card != keeps, liking[seat] * _strength(cards, card)) for card in options
            }
            best = max(options, key=worth.__getitem__)
            making.hands[seat].remove(best)
            trick.append(best)
            making.steps.append(Play(seat, BY_NAME[best]))
            played.append(seat)
            if len(played) < 3:
                _calls(making, played)
                if rng.random() < 0.1:
                    _gifts(making)
                if making.accepted:
                    return
        leader = (leader + oracle.trick_winner(cards, trick)) % 3
        making.tricks.append((leader, tuple(trick)))
        if cards == "null" and leader == making.declarer:
            return


# --- the result ---------------------------------------------------------------------------


def _finished(making: Making, record: Record, bock: int) -> VariantGame:
    doubled = doubling(making.keys.kontra, making.calls, bock)
    own = [cards for who, cards in making.tricks if who == making.declarer]
    features = {making.contract, f"calls-{len(making.calls)}", f"bock-{bock > 1}"}
    if making.contract in NULLS:
        hand = "hand" in making.announced
        value = null_value(making.announced) if making.contract == "null" else 92
        charge = settle_null(value, hand, bool(own), doubled, making.keys.hand_loss)
        result = Result(
            GAME,
            declarer=making.declarer,
            won=charge.won,
            score=charge.score,
            tricks=None if making.accepted else len(own),
        )
    else:
        game = _declared(making, record, own)
        charge = settle(game, making.keys.spitze, doubled, making.keys.hand_loss)
        result = Result(
            GAME, declarer=making.declarer, won=charge.won, score=charge.score,
            matadors=game.matadors,
            points=None if making.accepted else game.points,
            tricks=None if making.accepted else game.tricks,
            overbid=None if making.accepted else charge.overbid,
        )  # fmt: skip
        features |= {f"spitze-{game.spitze}", f"refused-{making.refusals}"}
        features.add(f"overbid-{charge.overbid}")
    features |= {
        f"accepted-{making.accepted}",
        f"won-{charge.won}",
        f"hand-{'hand' in making.announced}",
    }
    return VariantGame(replace(record, result=result), making.keys, charge, frozenset(features))


def _declared(making: Making, record: Record, own: list[Sequence[str]]) -> Declared:
    assert record.deal is not None
    plays = [step for step in record.steps if isinstance(step, Play)]
    mine = [NAMES[step.card] for step in plays if step.seat == making.declarer]
    held = [*mine, *making.hands[making.declarer], *making.skat]
    made = None
    if making.spitze:
        made = bool(making.tricks) and spitze_made(making.contract, making.declarer, making.tricks)
    return Declared(
        making.contract,
        refused_gifts(making.announced, making.refusals),
        oracle.matadors(making.contract, held),
        making.bid,
        sum(points_of(trick) for trick in own) + points_of(making.skat),
        len(own),
        made,
        making.accepted,
    )


def _numbers(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(BY_NAME[name] for name in names)
