"""Seeded whole Ramsch records, and their results by tests/oracle_variants.py.

The play is random, but also steered to what chance seldom brings: ties of two and of three,
a player without a trick, all tricks for one, and all points without all tricks. Pushes are
made backwards, from the hands that are played: so any hands can have come from any pushes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from skatspec.cards import BY_NAME, HIDDEN, NAMES
from skatspec.record import (
    GAME,
    RAMSCH,
    WORLD,
    Deal,
    Declare,
    Knock,
    Pass,
    PickUp,
    Play,
    Push,
    Record,
    Result,
    Step,
)
from tests.oracle_variants import (
    RamschOutcome,
    RamschRules,
    Trick,
    points_of,
    ramsch,
    ramsch_legal,
    ramsch_winner,
)

DECK = tuple(NAMES[:32])
JACKS = ("CJ", "SJ", "HJ", "DJ")
KINDS = (
    "any", "tie", "tie-before-the-skat", "all-tied", "all-tied-before-the-skat", "jungfrau",
    "tie-and-jungfrau", "march", "pointless-trick",
)  # fmt: skip
# Seeds that find what is rare soon; any others do, but later.
QUICK = {
    "tie": (1, 5, 12, 21),
    "tie-before-the-skat": (1, 14, 27, 33),
    "all-tied": (71, 116, 157, 267),
    "all-tied-before-the-skat": (446, 522, 825, 898),
    "tie-and-jungfrau": (7, 27, 29, 51),
}
Hands = list[list[str]]
Taste = Callable[[int, str], float]


@dataclass(frozen=True)
class RamschGame:
    """A legal Ramsch without a result, and what its price depends on."""

    record: Record
    tricks: tuple[Trick, ...]
    skat: tuple[str, ...]
    unseen: int
    knocks: int

    def outcome(self, rules: RamschRules, bock: int = 1) -> RamschOutcome:
        """Return what the oracle says of it."""
        return ramsch(rules, self.tricks, self.skat, self.unseen, self.knocks, bock)

    def stated(self, rules: RamschRules, bock: int = 1) -> Record:
        """Return the record with its result; scores only where all are whole numbers."""
        return replace(self.record, result=result_of(self.outcome(rules, bock)))


def result_of(outcome: RamschOutcome) -> Result:
    """Return what a record says of an outcome."""
    first, second, third = outcome.scores
    whole = all(score.denominator == 1 for score in outcome.scores)
    return Result(
        GAME,
        declarer=WORLD,
        losers=outcome.losers,
        counted=outcome.counted,
        scores=(int(first), int(second), int(third)) if whole else None,
    )


def settings(rules: RamschRules, played: str = "always") -> tuple[str, ...]:
    """Return the words that set these keys in a profile."""
    keys = {name: getattr(rules, name) for name in RamschRules.__dataclass_fields__}
    keys["fixed"] = list(rules.fixed)
    keys["played"] = played
    return tuple(f"variants.ramsch.{name}={value}" for name, value in keys.items())


# --- the hands that are played ------------------------------------------------------------


def _hands(rng: random.Random, kind: str, seat: int) -> tuple[Hands, list[str], Taste]:
    """Return hands and skat for a kind of game, and what each seat likes to play."""
    deck = rng.sample(DECK, 32)
    if kind in ("jungfrau", "tie-and-jungfrau"):
        own = sorted(deck, key=_height)[:10]
    elif kind == "march":
        suit = rng.choice("CSHD")
        own = [*JACKS, *(suit + rank for rank in "ATKQ98")]
    elif kind == "pointless-trick":
        return _pointless(rng, seat)
    else:
        return [deck[:10], deck[10:20], deck[20:30]], deck[30:], _any_taste(rng)
    rest = [card for card in deck if card not in own]
    hands = [rest[:10], rest[10:20]]
    hands.insert(seat, own)
    liking = -1.0 if kind != "march" else 1.0
    others = rng.choice((0.0, 1.0))

    def taste(player: int, card: str) -> float:
        return (liking if player == seat else others) * _height(card)

    return hands, rest[20:], taste


def _pointless(rng: random.Random, seat: int) -> tuple[Hands, list[str], Taste]:
    """Return hands in which one player may take all but a trick of seven, eight and nine."""
    suit, other = rng.sample("CSHD", 2)
    own = [*JACKS, *(suit + rank for rank in "ATKQ9"), other + "7"]
    skat = [suit + "8", suit + "7"]
    rest = [card for card in rng.sample(DECK, 32) if card not in (*own, *skat)]
    kept = [other + "8", other + "9"]
    rest = [card for card in rest if card not in kept]
    hands = [[kept[0], *rest[:9]], [kept[1], *rest[9:]]]
    hands.insert(seat, own)

    def taste(player: int, card: str) -> float:
        if card in (*kept, other + "7"):
            return -1.0
        return float(_height(card)) if player == seat else 0.0

    return hands, skat, taste


def _any_taste(rng: random.Random) -> Taste:
    likings = [rng.choice((-1.0, 0.0, 1.0)) for _ in range(3)]

    def taste(player: int, card: str) -> float:
        return likings[player] * _height(card)

    return taste


def _height(card: str) -> int:
    return 10 + "DHSC".index(card[0]) if card[1] == "J" else "789QKTA".index(card[1])


# --- play ---------------------------------------------------------------------------------


def _figures(tricks: Sequence[Trick]) -> tuple[list[int], list[int]]:
    """Return each player's card points and number of tricks."""
    totals, taken = [0, 0, 0], [0, 0, 0]
    for who, trick in tricks:
        totals[who] += points_of(trick)
        taken[who] += 1
    return totals, taken


def _reached(kind: str, totals: Sequence[int], taken: Sequence[int]) -> bool:
    """Say whether a finished game is of its kind; the totals are what is compared."""
    tied = totals.count(max(totals))
    match kind.removesuffix("-before-the-skat"):
        case "tie":
            return tied == 2
        case "all-tied":
            return tied == 3
        case "tie-and-jungfrau":
            return tied == 2 and taken.count(0) == 1
        case "jungfrau":
            return taken.count(0) == 1
        case "march":
            return max(taken) == 10
        case "pointless-trick":
            return max(totals) == 120 and max(taken) == 9
    return True


def _hopeless(kind: str, totals: Sequence[int], skat: int) -> bool:
    """Say at once that three players can no more have the same."""
    shared = 120 - skat if kind.endswith("before-the-skat") else 120
    return kind.startswith("all-tied") and (shared % 3 > 0 or max(totals) > shared // 3)


def play_out(
    rng: random.Random, hands: Hands, taste: Taste, upto: int
) -> tuple[list[Trick], Hands]:
    """Play tricks by taste, a few cards by chance; return them and the cards left."""
    left = [list(hand) for hand in hands]
    tricks: list[Trick] = []
    leader = 0
    for _ in range(upto):
        trick: list[str] = []
        for at in range(3):
            seat = (leader + at) % 3
            options = sorted(ramsch_legal(left[seat], trick[0] if trick else None))
            rng.shuffle(options)
            # max returns the first of equals, so a taste of nought is chance
            best = max(options, key=lambda card: taste(seat, card))
            left[seat].remove(best)
            trick.append(best)
        leader = (leader + ramsch_winner(trick)) % 3
        tricks.append((leader, tuple(trick)))
    return tricks, left


def endings(hands: Hands, leader: int) -> Iterator[list[Trick]]:
    """Yield every way in which the tricks that are left can be played."""
    nothing: list[str] = []
    none_yet: list[Trick] = []
    open_ = [(hands, leader, nothing, none_yet)]
    while open_:
        left, first, trick, done = open_.pop()
        if not trick and not left[0]:
            yield done
            continue
        seat = (first + len(trick)) % 3
        for card in sorted(ramsch_legal(left[seat], trick[0] if trick else None)):
            after = [[c for c in hand if c != card] for hand in left]
            table = [*trick, card]
            if len(table) < 3:
                open_.append((after, first, table, done))
            else:
                winner = (first + ramsch_winner(table)) % 3
                open_.append((after, winner, [], [*done, (winner, tuple(table))]))


def steered(rng: random.Random, kind: str) -> tuple[Hands, list[str], list[Trick]]:
    """Return hands, skat and a legal play of ten tricks that is of a kind."""
    last = 3 if "tie" in kind else 1
    while True:
        hands, skat, taste = _hands(rng, kind, rng.randrange(3))
        tricks, left = play_out(rng, hands, taste, 10 - last)
        totals, taken = _figures(tricks)
        if _hopeless(kind, totals, points_of(skat)):
            continue
        found = []
        for rest in endings(left, tricks[-1][0]):
            more, further = _figures(rest)
            if not kind.endswith("before-the-skat"):
                more[rest[-1][0]] += points_of(skat)
            whole = [a + b for a, b in zip(totals, more, strict=True)]
            if _reached(kind, whole, [a + b for a, b in zip(taken, further, strict=True)]):
                found.append(rest)
        if found:
            return hands, skat, [*tricks, *rng.choice(found)]


# --- before the play ----------------------------------------------------------------------


def _pushes(
    rng: random.Random, hands: Hands, skat: list[str], jacks: bool
) -> tuple[Hands, list[str], list[Step]] | None:
    """Return deal and pushes from which these hands come, or None where none are legal."""
    unseen = [rng.random() < 0.35 for _ in range(3)]
    dealt = [list(hand) for hand in hands]
    steps: list[Step] = []
    pair = list(skat)
    for seat in (2, 1, 0):
        if unseen[seat]:
            steps.insert(0, Push(seat))
            continue
        if not jacks and any(card in JACKS for card in pair):
            return None
        handed_on = pair
        twelve = [*dealt[seat], *pair]
        # what comes from another who has seen it holds no jack
        free = jacks or all(unseen[:seat])
        pair = rng.sample([card for card in twelve if free or card not in JACKS], 2)
        dealt[seat] = [card for card in twelve if card not in pair]
        taken = PickUp(seat, _numbers(pair) if rng.random() < 0.5 else None)
        steps[:0] = [taken, Push(seat, _numbers(handed_on))]
    return dealt, pair, steps


@cache
def played(seed: str, kind: str) -> tuple[Hands, list[str], list[Trick]]:
    """Return hands, skat and play by seed, without what came before."""
    return steered(random.Random(seed), kind)


def ramsch_game(
    seed: str, kind: str = "any", pushes: bool = False, jacks: bool = False,
    knocks: bool = False, all_passed: bool = False,
) -> RamschGame:  # fmt: skip
    """Return a legal Ramsch of a kind; `jacks`: jacks may be pushed by who has seen the skat."""
    rng = random.Random(seed)
    hands, skat, tricks = played(seed, kind)
    # any skat at all can have been left lying by all three, so this ends
    found: tuple[Hands, list[str], list[Step]] | None = None if pushes else (hands, skat, [])
    while found is None:
        found = _pushes(rng, hands, skat, jacks)
    dealt, first_skat, steps = found
    unseen = {step.seat for step in steps if isinstance(step, Push) and step.cards is None}
    knockers = [s for s in range(3) if knocks and s not in unseen and rng.random() < 0.3]
    before: list[Step] = [Pass(1), Pass(2), Pass(0)] if all_passed else []
    before.append(Declare(WORLD, RAMSCH))
    plays: list[Step] = []
    leader = 0
    for winner, trick in tricks:
        plays += [Play((leader + at) % 3, BY_NAME[card]) for at, card in enumerate(trick)]
        leader = winner
    deal = Deal((_numbers(dealt[0]), _numbers(dealt[1]), _numbers(dealt[2])), _numbers(first_skat))
    record = Record((), deal, (*before, *steps, *map(Knock, knockers), *plays))
    return RamschGame(record, tuple(tricks), tuple(skat), len(unseen), len(knockers))


def _numbers(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(BY_NAME[name] for name in names)


def pool(each: int, **how: bool) -> list[RamschGame]:
    """Return some games of each kind, always the same."""
    return [
        ramsch_game(f"{kind}/{number}", kind, **how)
        for kind in KINDS
        for number in QUICK.get(kind, range(each))[:each]
    ]


def hide_pushes(rng: random.Random, record: Record) -> Record:
    """Return the record with some of the cards pushed unshown."""
    share = rng.choice((0.3, 1.0))
    steps: list[Step] = []
    for step in record.steps:
        if isinstance(step, Push) and step.cards is not None:
            steps.append(Push(step.seat, tuple(_veil(rng, share, card) for card in step.cards)))
        else:
            steps.append(step)
    return replace(record, steps=tuple(steps))


def _veil(rng: random.Random, share: float, card: int) -> int:
    return HIDDEN if rng.random() < share else card
