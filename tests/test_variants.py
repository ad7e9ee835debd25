"""Laws of the variants: the engine against the table-free reading in tests/oracle_variants.py.

Games come from tests/ramschgen.py (Ramsch) and tests/variantgen.py (declared games); their
results are the oracle's. Refusals are compared step by step: a step is put in, and the engine
must refuse it exactly where the oracle names a fault. Two readings in which the engine still
differs stand apart, each with the sentence that it is measured by.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from skatspec.cards import BY_NAME, NAMES
from skatspec.check import Report, check
from skatspec.diagnostics import Severity, Verdict
from skatspec.record import (
    HAND,
    REVOLUTION,
    SEAT_NAMES,
    SPITZE,
    Agree,
    Deal,
    Declare,
    Discard,
    Double,
    Exchange,
    Gift,
    Knock,
    Pass,
    PickUp,
    Play,
    Push,
    Record,
    Refuse,
    Result,
    Step,
)
from skatspec.rules import Rules, load_rules
from tests.mutations import hide_cards
from tests.oracle_variants import (
    KontraRules,
    RamschRules,
    Trick,
    call_fault,
    exchange_fault,
    knock_fault,
    points_of,
    push_fault,
    ramsch,
    spitze_fault,
)
from tests.ramschgen import DECK, RamschGame, hide_pushes, pool, settings
from tests.variantgen import CALLS, Keys, VariantGame, some_keys, variant_game

BASES = ("isko", "xskat")
PRICES = tuple(
    RamschRules(
        price, (10, 15, 20), skat, tie, all_tied, jungfrau, march, factors, "each-seat",
        "unseen-only", unseen, "any-ramsch",
    )
    for price, skat, tie, all_tied, jungfrau, (march, factors), unseen in product(
        ("points", "fixed"), ("last-trick", "loser", "not-counted"),
        ("all-lose", "share", "later-trick"), ("all-lose", "nobody"), ("doubles", "ignored"),
        ((120, "ignored"), (120, "count"), (0, "count")), ("doubles", "ignored"),
    )
)  # fmt: skip
PLAIN = RamschRules()
PUSHED = replace(PLAIN, pushes="each-seat", knock="any-ramsch")


@cache
def ramsch_rules(rules: RamschRules, played: str = "always", base: str = "isko") -> Rules:
    return load_rules(base, settings(rules, played))


@cache
def games(pushes: bool = True, jacks: bool = False, all_passed: bool = False) -> list[RamschGame]:
    """Return four games of each kind, knocks among them."""
    return pool(4, pushes=pushes, jacks=jacks, knocks=True, all_passed=all_passed)


def errors(report: Report) -> list[tuple[str, int]]:
    return [(one.code, one.step) for one in report.findings if one.severity is Severity.ERROR]


def refusal(record: Record, rules: Rules) -> tuple[str, int] | None:
    """Return code and step of the first error."""
    return next(iter(errors(check(record, rules))), None)


def upto(record: Record, count: int, *more: Step) -> Record:
    """Return the first steps of a record, with others behind them, and no result."""
    return replace(record, steps=(*record.steps[:count], *more), result=None)


# --- known answers of the oracle ------------------------------------------------------------

# Trick points, tricks and skat; the price: rows R01 to R14 of published scorings (house canon,
# skatspielen.info, de.wikipedia Schieberamsch, JSkat), where they are inside the parameters.
Three = tuple[int, int, int]
KNOWN: tuple[tuple[str, Three, Three, int, int, dict[str, Any], Three], ...] = (
    ("R01", (0, 51, 55), (1, 4, 5), 14, 0, {"skat": "loser"}, (0, 0, -69)),
    ("R02", (0, 51, 55), (0, 5, 5), 14, 0, {"skat": "loser"}, (0, 0, -138)),
    ("R04", (106, 0, 0), (10, 0, 0), 14, 0, {"skat": "loser"}, (120, 0, 0)),
    ("R05", (60, 35, 25), (4, 3, 3), 0, 0, {"price": "fixed"}, (-10, 0, 0)),
    ("R06", (70, 50, 0), (6, 4, 0), 0, 0, {"price": "fixed"}, (-15, 0, 0)),
    ("R07", (120, 0, 0), (10, 0, 0), 0, 0, {"price": "fixed", "march": 0}, (-20, 0, 0)),
    ("R08", (50, 40, 16), (4, 3, 3), 14, 1, {"skat": "loser"}, (-128, 0, 0)),
    ("R09", (50, 40, 16), (4, 3, 3), 14, 3, {"skat": "loser"}, (-512, 0, 0)),
    ("R14", (40, 40, 40), (4, 3, 3), 0, 0, {}, (-40, -40, -40)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("points", "tricks", "skat", "unseen", "keys", "scores"),
    [row[1:] for row in KNOWN],
    ids=[row[0] for row in KNOWN],
)
def test_the_oracle_scores_published_ramsch_games_as_their_sources_do(
    points: Three, tricks: Three, skat: int, unseen: int,
    keys: dict[str, Any], scores: Three,
) -> None:  # fmt: skip
    played: list[Trick] = []
    for seat in range(3):
        played += [(seat, worth(points[seat] if not n else 0)) for n in range(tricks[seat])]
    outcome = ramsch(replace(PLAIN, **keys), played, worth(skat), unseen, 0)
    assert [int(score) for score in outcome.scores] == list(scores)


def worth(points: int) -> list[str]:
    """Return some cards of so many card points; the oracle only adds them up."""
    cards = []
    for card in ("CA", "CT", "CK", "CQ", "CJ"):
        while points - points_of([card]) >= 0 and points - points_of([card]) != 1:
            cards.append(card)
            points -= points_of([card])
    assert points == 0
    return cards


# --- Ramsch: what it costs --------------------------------------------------------------------


def test_every_combination_of_the_keys_settles_ramsch_games_as_the_oracle_does() -> None:
    seen: Counter[Verdict] = Counter()
    for number, keys in enumerate(PRICES):
        rules = ramsch_rules(keys, base=BASES[number % 2])
        # one game of each kind, another one for the next combination
        for game in games()[number % 4 :: 4]:
            record = game.stated(keys)
            report = check(record, rules)
            assert report.verdict is Verdict.CONSISTENT, (keys, errors(report), record)
            wanted = [round(float(score), 2) for score in game.outcome(keys).scores]
            assert report.scores == wanted
            seen[report.verdict] += 1
    assert seen[Verdict.CONSISTENT] > 3000


@pytest.mark.parametrize("number", range(0, len(PRICES), 29))
def test_a_result_changed_by_one_is_contradicted_whatever_the_keys(number: int) -> None:
    keys = PRICES[number]
    rules = ramsch_rules(keys, base=BASES[number % 2])
    for game in games():
        record = game.stated(keys)
        result = record.result
        assert result is not None
        for code, changed in changes(result):
            report = check(replace(record, result=changed), rules)
            assert report.verdict is Verdict.CONTRADICTED, (keys, changed, record)
            assert code in {one for one, _ in errors(report)}


def changes(result: Result) -> Iterator[tuple[str, Result]]:
    """Yield the code to expect and a result with one figure wrong, for every figure."""
    for seat in range(3):
        for name, code in (("scores", "S020"), ("losers", "S021"), ("counted", "S022")):
            three = getattr(result, name)
            if three is not None:
                other = not three[seat] if name == "losers" else three[seat] + 1
                changed = (*three[:seat], other, *three[seat + 1 :])
                figures: dict[str, Any] = {name: changed}
                yield code, replace(result, **figures)


def test_the_generator_reaches_ties_jungfrau_marches_and_all_points_without_a_march() -> None:
    seen: Counter[str] = Counter()
    for game in games():
        outcome = game.outcome(replace(PUSHED, march=120))
        seen[f"{sum(outcome.losers)} losers"] += 1
        seen["march"] += outcome.march
        seen["all points, no march"] += max(outcome.counted) == 120 and not outcome.march
        taken = [sum(who == seat for who, _ in game.tricks) for seat in range(3)]
        seen["jungfrau"] += taken.count(0) == 1
        seen["jungfrau and tie"] += taken.count(0) == 1 and sum(outcome.losers) == 2
        seen[f"{game.unseen} unseen"] += 1
        seen[f"{game.knocks} knocks"] += 1
    for kind in (
        "1 losers", "2 losers", "3 losers", "march", "all points, no march", "jungfrau",
        "jungfrau and tie", "0 unseen", "1 unseen", "2 unseen", "0 knocks", "1 knocks",
    ):  # fmt: skip
        assert seen[kind], kind


def test_an_unseen_push_doubles_and_so_does_a_knock() -> None:
    rules = ramsch_rules(PUSHED)
    doubled = 0
    for game in games():
        once = replace(game, unseen=0, knocks=0).outcome(PUSHED)
        if once.march:
            continue
        factor = 2 ** (game.unseen + game.knocks)
        report = check(game.record, rules)
        assert report.scores == [float(score * factor) for score in once.scores]
        doubled += factor > 1
    assert doubled > 10


def test_a_ramsch_after_three_passes_and_one_of_a_ramsch_round_settle_alike() -> None:
    for game in games(all_passed=True):
        passed = replace(game.stated(PUSHED))
        assert not errors(check(passed, ramsch_rules(PUSHED, "all-passed")))
        called = [at for at, step in enumerate(passed.steps) if isinstance(step, Pass)]
        bare = replace(passed, steps=passed.steps[len(called) :], tags=(("Round", "ramsch"),))
        rounds = load_rules("isko", (
            *settings(replace(PUSHED, knock="ramsch-rounds"), "never"), "variants.bock.played=true",
            "variants.bock.ramsch_after=true",
        ))  # fmt: skip
        assert not errors(check(bare, rounds)), bare


def test_a_bock_round_doubles_a_lost_ramsch() -> None:
    rules = load_rules("isko", (*settings(PUSHED, "all-passed"), "variants.bock.played=true"))
    for game in games(all_passed=True):
        if game.outcome(PUSHED).march:
            continue
        record = replace(game.stated(PUSHED, bock=2), tags=(("Round", "bock"),))
        assert not errors(check(record, rules)), record
        normal = replace(record, tags=(("Round", "normal"),))
        lost = any(game.outcome(PUSHED).losers)
        assert bool(errors(check(normal, rules))) == lost


# --- Ramsch: what is refused --------------------------------------------------------------------


@pytest.mark.parametrize("jacks", ["unseen-only", "always"])
def test_a_push_is_refused_exactly_where_the_oracle_names_a_fault(jacks: str) -> None:
    keys = replace(PUSHED, jacks=jacks)
    rules = ramsch_rules(keys)
    rng = random.Random(jacks)
    seen: Counter[str] = Counter()
    for game in games(jacks=jacks == "always"):
        for at, twelve in pushers(game.record):
            seat = game.record.steps[at].seat
            odd = rng.choice(("jack", "any", "any", "twice", "held"))
            pair = pushed_pair(rng, odd, twelve)
            fault = push_fault(keys, twelve, pair)
            step = Push(seat, tuple(BY_NAME[card] for card in pair))
            found = refusal(upto(game.record, at, step), rules)
            assert (found is not None) == bool(fault), (pair, twelve, fault, found)
            assert found is None or found[1] == at + 1
            if fault == "a jack":
                assert found == ("D021", at + 1)
            seen[fault] += 1
    wanted = {"", "not held", "not two cards"} | ({"a jack"} if jacks == "unseen-only" else set())
    assert wanted <= set(seen), seen


def pushers(record: Record) -> Iterator[tuple[int, list[str]]]:
    """Yield the place of every push by a seat that took the skat, and its twelve cards."""
    assert record.deal is not None
    pair = [NAMES[card] for card in record.deal.skat or ()]
    for at, step in enumerate(record.steps):
        if isinstance(step, Push) and step.cards is not None:
            hand = record.deal.hands[step.seat]
            yield at, [*(NAMES[card] for card in hand or ()), *pair]
            pair = [NAMES[card] for card in step.cards]


def pushed_pair(rng: random.Random, odd: str, twelve: list[str]) -> list[str]:
    jacks = [card for card in twelve if card[1] == "J"]
    if odd == "jack" and jacks:
        return [jacks[0], rng.choice([card for card in twelve if card != jacks[0]])]
    if odd == "twice":
        return [twelve[0], twelve[0]]
    return rng.sample(DECK if odd == "any" else twelve, 2)


@pytest.mark.parametrize("knock", ["refused", "any-ramsch", "ramsch-rounds"])
def test_a_knock_is_refused_exactly_where_the_oracle_names_a_fault(knock: str) -> None:
    keys = replace(PUSHED, knock=knock)
    bock = ("variants.bock.played=true", "variants.bock.ramsch_after=true")
    rules = load_rules("isko", (*settings(keys), *bock))
    seen: Counter[str] = Counter()
    for game, in_round in product(games(), (True, False)):
        tags = (("Round", "ramsch" if in_round else "normal"),)
        record = replace(game.record, tags=tags)
        unseen = {s.seat for s in record.steps if isinstance(s, Push) and s.cards is None}
        at = next(n for n, s in enumerate(record.steps) if isinstance(s, (Knock, Play)))
        for seat in range(3):
            fault = knock_fault(keys, seat in unseen, in_round)
            found = refusal(upto(record, at, Knock(seat)), rules)
            assert (found is not None) == bool(fault), (fault, found, record)
            assert found is None or found[1] == at + 1
            if fault == "left the skat":
                assert found is not None and found[0] == "D021"
            seen[fault] += 1
    if knock != "refused":
        assert seen[""] and seen["left the skat"]


def test_nobody_knocks_twice_or_after_the_lead() -> None:
    rules = ramsch_rules(PUSHED)
    record = next(g.record for g in games() if g.knocks and not g.unseen)
    first = next(at for at, step in enumerate(record.steps) if isinstance(step, Knock))
    again = upto(record, first + 1, record.steps[first])
    assert refusal(again, rules) is not None
    assert refusal(upto(record, len(record.steps) - 1, Knock(0)), rules) is not None


def test_seats_push_in_turn_and_once() -> None:
    rules = ramsch_rules(PUSHED)
    for game in games()[:12]:
        begin = upto(game.record, 1)
        for seat in (1, 2):
            found = refusal(upto(begin, 1, Push(seat)), rules)
            assert found == ("D021", 2), SEAT_NAMES[seat]
        assert refusal(upto(begin, 1, Push(0)), rules) is None
        assert refusal(upto(begin, 1, Push(0), Push(0)), rules) == ("D021", 3)


def test_without_schieberamsch_nothing_is_pushed() -> None:
    rules = ramsch_rules(PLAIN)
    for game in games()[:8]:
        assert refusal(upto(game.record, 1, Push(0)), rules) is not None


def test_ramsch_is_refused_where_it_is_not_played_or_somebody_has_bid() -> None:
    for game in games(pushes=False, all_passed=True)[:9]:
        assert refusal(game.record, load_rules("isko")) == ("D017", 4)
        rules = ramsch_rules(replace(PLAIN, knock="any-ramsch"), "all-passed")
        assert refusal(game.record, rules) is None
        not_passed = replace(game.record, steps=(Pass(1), *game.record.steps[3:]))
        assert refusal(not_passed, rules) is not None
        declared = upto(game.record, 3, Declare(0, "grand", HAND))
        assert refusal(declared, rules) is not None


def test_hiding_cards_of_a_ramsch_never_contradicts_it_and_keeps_the_truth_possible() -> None:
    verdicts: Counter[Verdict] = Counter()
    for keys in (PUSHED, replace(PUSHED, skat="loser", price="fixed", jacks="always")):
        rules = ramsch_rules(keys)
        for number, game in enumerate(games()):
            rng = random.Random(number)
            for _ in range(3):
                record = hide_pushes(rng, hide_cards(rng, game.stated(keys)))
                report = check(record, rules)
                verdicts[report.verdict] += 1
                assert not errors(report), (errors(report), record)
                truth = [float(score) for score in game.outcome(keys).scores]
                scores = report.admissible.get("scores")
                assert scores is None or not scores or truth in scores, (truth, scores)
                assert report.scores is None or report.scores == truth
    assert verdicts[Verdict.UNDETERMINED] > 20 and verdicts[Verdict.CONSISTENT] > 20


# --- declared games -----------------------------------------------------------------------------


@cache
def declared(count: int = 60, each: int = 12) -> list[tuple[Rules, VariantGame]]:
    """Return games under many different keys, with their rules."""
    found = []
    for number in range(count):
        rng = random.Random(f"declared/{number}")
        keys = some_keys(rng)
        rules = load_rules(BASES[number % 2], keys.settings())
        found += [(rules, variant_game(rng, keys)) for _ in range(each)]
    return found


def test_games_with_kontra_spitze_revolution_gifts_and_bock_settle_as_the_oracle_says() -> None:
    for rules, game in declared():
        report = check(game.record, rules)
        assert report.verdict is Verdict.CONSISTENT, (game.keys, errors(report), game.record)
        assert report.score == game.charge.score


def test_a_score_changed_by_one_and_a_turned_outcome_are_contradicted() -> None:
    for rules, game in declared():
        result = game.record.result
        assert result is not None and result.score is not None
        for changed in (
            replace(result, score=result.score + 1),
            replace(result, score=None, won=not result.won),
            replace(result, score=-result.score, won=None),
        ):
            report = check(replace(game.record, result=changed), rules)
            assert report.verdict is Verdict.CONTRADICTED, (changed, game.record)


def test_the_generator_reaches_every_variant_of_a_declared_game() -> None:
    seen = Counter(feature for _, game in declared() for feature in game.features)
    for feature in (
        *(f"calls-{n}" for n in range(5)), "spitze-True", "spitze-False", "revolution", "null",
        "accepted-True", "refused-1", "refused-2", "bock-True", "overbid-True", "won-False",
    ):  # fmt: skip
        assert seen[feature], feature


def test_a_spitze_is_worth_its_level_and_lost_where_it_is_missed() -> None:
    # spitze and spitze2 of XSkat: the same game under both differs by one base value
    one, two = (replace(Keys(KontraRules()), spitze=n) for n in (1, 2))
    seen: Counter[bool] = Counter()
    for number in range(200):
        first = variant_game(random.Random(number), one)
        other = variant_game(random.Random(number), two)
        if (
            not {"spitze-True", "spitze-False"} & first.features
            or "accepted-True" in first.features
        ):
            continue
        assert first.record.steps == other.record.steps
        made = "spitze-True" in first.features
        value = check(first.record, load_rules("isko", one.settings())).value
        more = check(other.record, load_rules("isko", two.settings())).value
        assert value is not None and more is not None
        if not {"overbid-True"} & (first.features | other.features):
            assert 9 <= more - value <= 24
        assert made or not first.charge.won
        seen[made] += 1
    assert seen[True] > 30 and seen[False] > 3


# --- declared games: what is refused --------------------------------------------------------------


@pytest.mark.parametrize("who", ["any-defender", "bidder"])
@pytest.mark.parametrize("until", ["lead", "own-card"])
def test_a_call_is_refused_exactly_where_the_oracle_names_a_fault(who: str, until: str) -> None:
    rng = random.Random(who + until)
    seen: Counter[str] = Counter()
    for length in (1, 2, 4):
        kontra = KontraRules(CALLS[:length], who=who, bidder_said=20, until=until)
        keys = Keys(kontra)
        rules = load_rules("isko", keys.settings())
        for _ in range(12):
            record = variant_game(rng, keys).record
            for fault, found, at in tried_calls(kontra, record, rules):
                assert (found is not None) == bool(fault), (kontra, fault, found, record)
                # a call that these rules do not have at all is a variant not played
                codes = {"D017", "D019"} if fault == "not the next call" else {"D019"}
                assert found is None or (found[0] in codes and found[1] == at + 1), (fault, found)
                seen[fault] += 1
    wanted = {"", "not the next call", "not this party's", "too late"}
    assert wanted | ({"has not bid"} if who == "bidder" else set()) == set(seen)


def tried_calls(
    kontra: KontraRules, record: Record, rules: Rules
) -> Iterator[tuple[str, tuple[str, int] | None, int]]:
    """Try every call of every seat behind the declaration and the first cards."""
    start = next(at for at, step in enumerate(record.steps) if isinstance(step, Declare)) + 1
    declarer = record.steps[start - 1].seat
    said: dict[int, int] = {}
    last = 0
    for step in record.steps[:start]:
        last = getattr(step, "value", last)
        if step.word in ("bid", "hold"):
            said[step.seat] = last
    for at in range(start, min(start + 9, len(record.steps))):
        behind = record.steps[start:at]
        if any(isinstance(step, (Gift, Agree, Refuse)) for step in behind):
            return
        before = [step.call for step in behind if isinstance(step, Double)]
        played = [step.seat for step in behind if isinstance(step, Play)]
        for seat, call in product(range(3), CALLS):
            fault = call_fault(kontra, declarer, said, before, seat, call, played)
            yield fault, refusal(upto(record, at, Double(seat, call)), rules), at


def test_without_kontra_nobody_says_it() -> None:
    rules = load_rules("isko", Keys(KontraRules()).settings())
    record = variant_game(random.Random(3), Keys(KontraRules())).record
    start = next(at for at, step in enumerate(record.steps) if isinstance(step, Declare)) + 1
    for seat, call in product(range(3), CALLS):
        assert refusal(upto(record, start, Double(seat, call)), rules) == ("D017", start + 1)


def test_spitze_is_refused_exactly_where_the_oracle_names_a_fault() -> None:
    rules = load_rules("isko", Keys(KontraRules()).settings())
    seen: Counter[str] = Counter()
    for number in range(900):
        rng = random.Random(number)
        deck = rng.sample(DECK, 32)
        if number % 3:
            # all jacks to forehand, or one of them to the skat
            deck.sort(key=lambda card: card[1] != "J")
            if number % 3 == 1:
                deck[0], deck[30] = deck[30], deck[0]
        deal = deal_of(deck)
        contract = rng.choice(("grand", "diamonds", "hearts", "spades", "clubs"))
        hand = rng.random() < 0.5
        calls: list[Step] = [Pass(1), Pass(2)]
        ten, known = deck[:10], deck[:10]
        if not hand:
            known = [*deck[:10], *deck[30:]]
            away = rng.sample(known, 2)
            ten = [card for card in known if card not in away]
            calls += [PickUp(0), Discard(0, tuple(BY_NAME[card] for card in away))]
        step = Declare(0, contract, SPITZE | (HAND if hand else 0))
        fault = spitze_fault(contract, ten, known)
        found = refusal(Record((), deal, (*calls, step)), rules)
        assert found == (("D018", len(calls) + 1) if fault else None), (fault, contract, ten)
        seen[fault] += 1
    assert min(seen[""], seen["not in hand"], seen["all four jacks"]) > 20, seen


def test_the_card_of_a_spitze_may_not_be_put_away_after_the_declaration() -> None:
    # XSKAT.md 8: "The declarer shows the lowest trump [...], must hold it in hand".
    rules = load_rules("isko", Keys(KontraRules()).settings())
    deck = ["H7", *(card for card in DECK if card != "H7")]
    steps = (
        Pass(1), Pass(2), PickUp(0), Declare(0, "hearts", SPITZE),
        Discard(0, (BY_NAME["H7"], BY_NAME[deck[1]])),
    )  # fmt: skip
    assert refusal(Record((), deal_of(deck), steps), rules) is not None


def deal_of(deck: Sequence[str]) -> Deal:
    first, second, third, skat = (
        tuple(BY_NAME[card] for card in deck[a:b])
        for a, b in ((0, 10), (10, 20), (20, 30), (30, 32))
    )
    return Deal((first, second, third), skat)


def test_an_exchange_is_refused_exactly_where_the_oracle_names_a_fault() -> None:
    rules = load_rules("isko", Keys(KontraRules()).settings())
    seen: Counter[str] = Counter()
    for number in range(200):
        rng = random.Random(number)
        deck = rng.sample(DECK, 32)
        pooled = rng.sample(deck[10:30], 20)
        after = [pooled[:10], pooled[10:]]
        odd = rng.choice(("", "foreign", "nine", "both"))
        if odd == "foreign":
            after[1] = [deck[0], *after[1][1:]]
        elif odd == "nine":
            after[1] = after[1][1:]
        elif odd == "both":
            after[1] = [after[0][0], *after[1][1:]]
        steps = (
            Pass(1), Pass(2), Declare(0, REVOLUTION, HAND),
            *(Exchange(seat, tuple(BY_NAME[c] for c in after[seat - 1])) for seat in (1, 2)),
        )  # fmt: skip
        fault = exchange_fault([deck[10:20], deck[20:30]], after)
        found = refusal(Record((), deal_of(deck), steps), rules)
        assert found == (("D022", 5) if fault else None), (odd, fault, found)
        seen[fault] += 1
    assert seen[""] and len(seen) == 3


def test_only_defenders_give_and_only_in_the_first_trick() -> None:
    rules = load_rules("isko", Keys(KontraRules()).settings())
    tried = 0
    for number in range(60):
        record = variant_game(random.Random(number), Keys(KontraRules())).record
        start = next(at for at, step in enumerate(record.steps) if isinstance(step, Declare)) + 1
        declarer = record.steps[start - 1].seat
        if any(isinstance(step, (Gift, Exchange)) for step in record.steps):
            continue
        tried += 1
        assert refusal(upto(record, start, Gift(declarer)), rules) == ("P015", start + 1)
        for seat in {0, 1, 2} - {declarer}:
            assert refusal(upto(record, start, Gift(seat)), rules) is None
            if len(record.steps) > start + 3:
                late = upto(record, start + 3, Gift(seat))
                assert refusal(late, rules) == ("P015", start + 4)
    assert tried > 15


def test_one_gift_alone_gives_nothing_away() -> None:
    rules = load_rules("isko", Keys(KontraRules()).settings())
    for number in range(40):
        record = variant_game(random.Random(number), Keys(KontraRules())).record
        start = next(at for at, step in enumerate(record.steps) if isinstance(step, Declare)) + 1
        declarer = record.steps[start - 1].seat
        one = (declarer + 1) % 3
        begun = upto(record, start, Gift(one), Agree(declarer))
        assert refusal(begun, rules) is not None


# --- readings in which the engine differs ---------------------------------------------------------


def test_three_tied_all_lose_in_full_where_the_profile_says_all_lose() -> None:
    # docs/rules.md: `tie` is of two with most card points, `all_tied` of three: "all-lose".
    for tie in ("share", "later-trick"):
        keys = replace(PUSHED, tie=tie)
        rules = ramsch_rules(keys)
        for game in games():
            if all(game.outcome(keys).losers):
                assert not errors(check(game.stated(keys), rules))


def test_a_skat_that_is_not_counted_is_counted_for_nobody() -> None:
    # RULES.md sec. 4: "skat to the loser / to the last trick / not counted".
    keys = replace(PUSHED, skat="not-counted")
    rules = ramsch_rules(keys)
    for game in games():
        if sum(game.outcome(keys).losers) == 2 or game.outcome(keys).march:
            assert not errors(check(game.stated(keys), rules))
