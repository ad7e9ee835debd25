"""Random legal games as records: a seeded generator, and hypothesis strategies around it.

A game has an auction with jumps, a pick-up or Hand with any legal announcements, any
contract, a discard, and play to the end or to an early one. Its result is what
tests/judge.py, which shares nothing with the engine, says of the steps.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from skatspec.cards import BY_NAME, NAMES
from skatspec.record import (
    HAND,
    OUVERT,
    SCHNEIDER,
    SCHWARZ,
    SEAT_LETTERS,
    Agree,
    Bid,
    Deal,
    Declare,
    Discard,
    Hold,
    Leave,
    Pass,
    PickUp,
    Play,
    Record,
    Resign,
    Show,
    Step,
    Timeout,
)
from tests import oracle
from tests.judge import BIDS, PROFILES, SUIT_OR_GRAND, Ruling, judge, on_server, true_result

DECK = tuple(NAMES[:32])
# What may be said in a Hand game, short forms included.
HAND_WORDS = (
    0, HAND, HAND | SCHNEIDER, HAND | SCHWARZ, HAND | SCHNEIDER | SCHWARZ, OUVERT, HAND | OUVERT,
    HAND | SCHNEIDER | SCHWARZ | OUVERT,
)  # fmt: skip
STYLES = ("any", "high", "low")
Words = tuple[str, ...]


@dataclass(frozen=True)
class Sample:
    """A generated game: profile, record, and the judge's ruling that its result states."""

    profile: str
    record: Record
    ruling: Ruling


def random_game(rng: random.Random, profile: str) -> Sample:
    """Return a random legal game under a profile, its result stated in full."""
    calls, declarer, bid = random_auction(rng, profile)
    if declarer is None:
        deal = tuple(rng.sample(DECK, 32))
        return _sample(profile, deal, calls)
    if rng.random() < 0.03:
        cut = rng.randrange(len(calls) + 1)
        stop: Step = rng.choice((Timeout, Leave))(rng.randrange(3))
        if on_server(profile):
            return _sample(profile, tuple(rng.sample(DECK, 32)), [*calls[:cut], stop])
    contract = rng.choice((*SUIT_OR_GRAND, "null"))
    pick_up = rng.random() < 0.6
    words = _words(rng, profile, contract, pick_up, bid)
    if words is None:
        contract, words = rng.choice(SUIT_OR_GRAND), 0
    deal = _stacked_deal(rng, contract, declarer)
    hands = [list(deal[0:10]), list(deal[10:20]), list(deal[20:30])]
    steps = list(calls)
    steps += _declaration(rng, profile, contract, words, declarer, hands, list(deal[30:]), pick_up)
    if not isinstance(steps[-1], (Timeout, Leave)):
        steps += _play(rng, profile, contract, declarer, hands, deal, steps)
    return _sample(profile, deal, steps)


def _sample(profile: str, deal: tuple[str, ...], steps: list[Step]) -> Sample:
    record = Record((), _deal(deal), tuple(steps))
    ruling = judge(profile, record)
    return Sample(profile, replace(record, result=true_result(ruling)), ruling)


def _deal(deal: tuple[str, ...]) -> Deal:
    numbers = tuple(BY_NAME[name] for name in deal)
    return Deal((numbers[0:10], numbers[10:20], numbers[20:30]), numbers[30:])


# --- the auction ------------------------------------------------------------------------


def random_auction(rng: random.Random, profile: str) -> tuple[list[Step], int | None, int]:
    """Return the calls of a legal auction, who won it (None: passed in) and the bid."""
    ladder = BIDS[profile]
    limits = [_limit(rng, ladder) for _ in range(3)]
    calls: list[Step] = []
    last = 0

    def duel(caller: int, hearer: int) -> int:
        nonlocal last
        while True:
            higher = [value for value in ladder if last < value <= limits[caller]]
            if not higher:
                calls.append(Pass(caller))
                return hearer
            last = higher[0] if rng.random() < 0.7 else rng.choice(higher[:9])
            calls.append(Bid(caller, last))
            if limits[hearer] < last:
                calls.append(Pass(hearer))
                return caller
            calls.append(Hold(hearer))

    winner = duel(2, duel(1, 0))
    if last:
        return calls, winner, last
    if not limits[0]:
        calls.append(Pass(0))
        return calls, None, 0
    if rng.random() < 0.4:
        return calls, 0, 18  # declares without having said it
    last = 18 if profile == "ledger" else rng.choice([v for v in ladder if v <= limits[0]])
    calls.append(Bid(0, last))
    return calls, 0, last


def _limit(rng: random.Random, ladder: tuple[int, ...]) -> int:
    kind = rng.random()
    if kind < 0.35:
        return 0
    return rng.choice(ladder[:10] if kind < 0.7 else ladder[:35] if kind < 0.92 else ladder)


# --- deal and declaration ---------------------------------------------------------------


def _stacked_deal(rng: random.Random, contract: str, declarer: int) -> tuple[str, ...]:
    """Return a deal that makes the declarer strong, weak or neither."""
    deck = rng.sample(DECK, 32)
    kind = rng.choice(("fair", "strong", "weak"))
    if kind == "fair":
        return tuple(deck)
    best = sorted(deck, key=lambda card: _rank(contract, card), reverse=kind == "strong")
    own, rest = best[: rng.randint(4, 12)], []
    rest = [card for card in deck if card not in own]
    rng.shuffle(own)
    own, skat = own[:10], own[10:]
    own += [rest.pop() for _ in range(10 - len(own))]
    skat += [rest.pop() for _ in range(2 - len(skat))]
    hands = [rest[:10], rest[10:]]
    hands.insert(declarer, own)
    return (*hands[0], *hands[1], *hands[2], *skat)


def _rank(contract: str, card: str) -> int:
    """Say roughly how strong a card is for a declarer; only the generator's taste."""
    if contract == "null":
        return -"AKQJT987".index(card[1])
    trump = {"diamonds": "D", "hearts": "H", "spades": "S", "clubs": "C"}.get(contract)
    if card[1] == "J":
        return 100 + "DHSC".index(card[0])
    return 50 * (card[0] == trump) + 10 - "ATKQ987".index(card[1])


def _words(rng: random.Random, profile: str, contract: str, pick_up: bool, bid: int) -> int | None:
    """Return announcements that are legal here, None where the server refuses every one."""
    if contract != "null":
        return 0 if pick_up else rng.choice(HAND_WORDS)
    options = (0, OUVERT) if pick_up else (0, HAND, OUVERT, HAND | OUVERT)
    if on_server(profile):
        values = {0: 23, HAND: 35, OUVERT: 46, HAND | OUVERT: 59}
        options = tuple(words for words in options if values[words] >= bid)
    return rng.choice(options) if options else None


def _declaration(
    rng: random.Random,
    profile: str,
    contract: str,
    words: int,
    declarer: int,
    hands: list[list[str]],
    skat: list[str],
    pick_up: bool,
) -> list[Step]:
    """Return pick-up, discard and declaration in either order; keeps `hands` up to date."""
    own = hands[declarer]
    if not pick_up:
        shown = _numbers(own) if words & OUVERT and rng.random() < 0.5 else None
        return [Declare(declarer, contract, words, shown)]
    taken = PickUp(declarer, _numbers(skat) if rng.random() < 0.5 else None)
    own += skat
    rng.shuffle(own)
    if rng.random() < 0.5:
        own.sort(key=lambda card: _rank(contract, card))
    away = [own.pop(0), own.pop(0)]
    shown = _numbers(own) if words & OUVERT and rng.random() < 0.5 else None
    put, said = Discard(declarer, _numbers(away)), Declare(declarer, contract, words, shown)
    if on_server(profile) and rng.random() < 0.02:
        return [taken, said, rng.choice((Timeout, Leave))(rng.randrange(3))]
    return [taken, put, said] if rng.random() < 0.6 else [taken, said, put]


def _numbers(names: list[str]) -> tuple[int, ...]:
    return tuple(BY_NAME[name] for name in names)


# --- play -------------------------------------------------------------------------------


def _play(
    rng: random.Random,
    profile: str,
    contract: str,
    declarer: int,
    hands: list[list[str]],
    deal: tuple[str, ...],
    before: list[Step],
) -> list[Step]:
    """Return legal cards and what else happens, up to where the judge sees the end."""
    styles = [rng.choice(STYLES) for _ in range(3)]
    odd_step = rng.randrange(30) if rng.random() < 0.3 else -1
    steps: list[Step] = []
    leader, trick = 0, []
    # A Null that is lost "may be recorded" to its end under isko.
    enough = ("open", "null-lost", "lost-at-once") if rng.random() < 0.4 else ("open",)
    goes_on = enough if profile == "isko" else ("open",)
    while not _over(profile, deal, [*before, *steps], not trick, goes_on):
        # Nobody gives up a game that is lost already: without its auction, such a record of
        # an impossible Null would not tell whether it was.
        if len(steps) == odd_step and not _over(profile, deal, [*before, *steps], True, ("open",)):
            odd = _odd(rng, profile, declarer, hands)
            steps += odd
            odd_step = len(steps) + rng.randrange(1, 8) if rng.random() < 0.5 else -1
            resigned = {step.seat for step in [*steps] if isinstance(step, Resign)}
            if len(resigned) != sum(isinstance(step, Resign) for step in steps):
                steps = steps[: -len(odd)]
            continue
        seat = (leader + len(trick)) % 3
        options = sorted(oracle.legal_cards(contract, hands[seat], trick[0] if trick else None))
        card = _choose(rng, styles[seat], contract, options)
        hands[seat].remove(card)
        steps.append(Play(seat, BY_NAME[card]))
        trick.append(card)
        if len(trick) == 3:
            leader, trick = (leader + oracle.trick_winner(contract, trick)) % 3, []
    return steps


def _choose(rng: random.Random, style: str, contract: str, options: list[str]) -> str:
    if style == "any" or rng.random() < 0.1:
        return rng.choice(options)
    ordered = sorted(options, key=lambda card: _rank(contract, card))
    return ordered[-1] if style == "high" else ordered[0]


def _odd(rng: random.Random, profile: str, declarer: int, hands: list[list[str]]) -> list[Step]:
    seat = rng.randrange(3)
    kind = rng.random()
    if kind < 0.4:
        return [Show(declarer, _numbers(hands[declarer]) if rng.random() < 0.7 else None)]
    if kind < 0.7 and seat == declarer and not on_server(profile) and rng.random() < 0.7:
        # from the third trick on he needs consent; alone, his offer lapses with the next card
        agreed = [Agree((declarer + rng.choice((1, 2))) % 3)]
        return [Resign(seat), *(agreed if len(hands[seat]) < 9 else [])]
    if kind < 0.7:
        return [Resign(seat)]
    return [Timeout(seat) if kind < 0.85 else Leave(seat)]


def _over(
    profile: str, deal: tuple[str, ...], steps: list[Step], at_trick_end: bool, goes_on: Words
) -> bool:
    """Ask the judge whether the deal has ended."""
    if isinstance(steps[-1], Play) and not at_trick_end:
        return False
    if sum(isinstance(step, Play) for step in steps) == 30:
        return True
    record = Record((), _deal(deal), tuple(steps))
    return judge(profile, record, whole=False).ended not in goes_on


# --- records by hand --------------------------------------------------------------------


def cards_of(text: str) -> tuple[int, ...]:
    """Return cards from their letters: "CJ ?? D7"."""
    return tuple(BY_NAME[name] for name in text.split())


def deal_of(forehand: str, middlehand: str, rearhand: str, skat: str) -> Deal:
    """Return a deal from the letters of its four parts."""
    return Deal((cards_of(forehand), cards_of(middlehand), cards_of(rearhand)), cards_of(skat))


def calls_of(text: str) -> tuple[Step, ...]:
    """Return calls: "M18 Fy Mp Rp"."""
    steps: list[Step] = []
    for word in text.split():
        seat, call = SEAT_LETTERS.index(word[0]), word[1:]
        known: dict[str, Step] = {"y": Hold(seat), "p": Pass(seat)}
        steps.append(known.get(call) or Bid(seat, int(call)))
    return tuple(steps)


def plays_of(text: str) -> tuple[Step, ...]:
    """Return the cards of tricks: "F HA H9 H7, F CJ HJ DJ", the leader first."""
    steps: list[Step] = []
    for trick in text.split(","):
        leader, *names = trick.split()
        for at, name in enumerate(names):
            steps.append(Play((SEAT_LETTERS.index(leader) + at) % 3, BY_NAME[name]))
    return tuple(steps)


# --- strategies -------------------------------------------------------------------------


def games(profile: str | None = None) -> st.SearchStrategy[Sample]:
    """Return a strategy of legal games, under one profile or any of the four."""
    profiles = st.sampled_from(PROFILES if profile is None else (profile,))
    return st.builds(
        lambda name, seed: random_game(random.Random(seed), name),
        profiles,
        st.integers(0, 2**32 - 1),
    )


def seeded(profile: str, count: int, seed: int = 1) -> Iterator[Sample]:
    """Yield `count` games of a profile, always the same for a seed."""
    for number in range(count):
        yield random_game(random.Random(f"{profile}/{seed}/{number}"), profile)
