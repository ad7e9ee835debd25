"""Laws of a check, over random games, their single-fault mutations, and what hiding may do.

Games come from tests/gamegen.py, their results and the weight of every mutation from
tests/judge.py, which shares nothing with the engine but the oracle's reading of the rules.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skatspec.check import Report, check
from skatspec.diagnostics import Severity, Verdict
from skatspec.record import (
    SCHNEIDER,
    SCHWARZ,
    Agree,
    BrokenRecord,
    Claim,
    Leave,
    OutOfTurn,
    Play,
    Record,
    Resign,
    Result,
    Revoke,
    Step,
    Timeout,
    WrongLead,
)
from skatspec.rules import load_rules
from tests.gamegen import Sample, games, seeded
from tests.judge import PROFILES, Illegal, faults, judge
from tests.mutations import STEP_FAULTS, Change, hide, hide_cards, odd_record, result_changes
from tests.shared import SHARED, needs_shared

# The same examples at every run: a failure is a fault of the code, never of the day.
laws = settings(
    derandomize=True, max_examples=250, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
seeds = st.integers(0, 2**32 - 1)
FIGURES = ("value", "score", "matadors", "points", "tricks")


def checked(profile: str, record: Record) -> Report:
    return check(record, load_rules(profile))


def said(report: Report) -> list[tuple[str, str, int]]:
    return [(one.code, one.message, one.step) for one in report.findings]


# --- legal games ------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_a_legal_game_is_consistent_with_the_result_that_the_judge_gives_it(profile: str) -> None:
    @laws
    @given(games(profile))
    def law(sample: Sample) -> None:
        agrees_with_the_judge(sample)

    law()


@pytest.mark.parametrize("profile", PROFILES)
def test_five_hundred_seeded_games_are_consistent(profile: str) -> None:
    for sample in seeded(profile, 500, seed=2):
        agrees_with_the_judge(sample)


def agrees_with_the_judge(sample: Sample) -> None:
    report, ruling = checked(sample.profile, sample.record), sample.ruling
    assert report.verdict is Verdict.CONSISTENT, (said(report), sample)
    if ruling.settlement is not None:
        assert (report.value, report.score) == (
            ruling.settlement["value"], ruling.settlement["score"],
        )  # fmt: skip
        for name in ("matadors", "points", "tricks"):
            assert getattr(report, name) == ruling.expect[name][0]
        assert report.bid == ruling.bid and report.contract == ruling.contract


def test_the_generator_reaches_every_kind_of_game() -> None:
    seen: Counter[tuple[str, Any]] = Counter()
    for profile in PROFILES:
        for sample in seeded(profile, 700, seed=5):
            ruling, result = sample.ruling, sample.record.result
            seen[profile, ruling.ended] += 1
            seen[profile, ruling.contract] += 1
            if result is None or ruling.settlement is None:
                continue
            for name in ("won", "overbid", "schneider", "schwarz", "resigned"):
                seen[name, getattr(result, name)] += 1
            seen["announced", ruling.modifiers] += 1
    for profile in PROFILES:
        server = profile.startswith("iss")
        ends = ["passed", "played", "null-lost", "given-up", "stopped-by"]
        ends += ["missed", "penalty"] if server else ["lost-at-once"]
        games_ = ["diamonds", "hearts", "spades", "clubs", "grand", "null"]
        for kind in ends + games_:
            assert seen[profile, kind], (profile, kind)
    for name in ("won", "overbid", "schneider", "schwarz", "resigned"):
        assert seen[name, True] and seen[name, False], name
    assert len([key for key in seen if key[0] == "announced"]) >= 7


# --- single faults ----------------------------------------------------------------------


@pytest.mark.parametrize("change", STEP_FAULTS, ids=lambda change: change.__name__)
def test_a_single_fault_is_found_or_the_judge_finds_it_of_no_weight(change: Change) -> None:
    @settings(laws, max_examples=150)
    @given(games(), seeds)
    def law(sample: Sample, seed: int) -> None:
        mutant = change(random.Random(seed), sample.record)
        if mutant is not None and mutant != sample.record:
            found_if_it_matters(sample.profile, mutant)

    law()


@pytest.mark.parametrize("profile", PROFILES)
def test_single_faults_of_seeded_games_are_found_or_of_no_weight(profile: str) -> None:
    weights: Counter[str] = Counter()
    for number, sample in enumerate(seeded(profile, 130, seed=3)):
        rng = random.Random(number)
        for change in STEP_FAULTS:
            mutant = change(rng, sample.record)
            if mutant is not None and mutant != sample.record:
                weights[found_if_it_matters(profile, mutant)] += 1
    # Most single faults matter; a law that called every one immaterial would prove nothing.
    assert weights["found"] > 5 * weights["of no weight"] > 0


def found_if_it_matters(profile: str, mutant: Record) -> str:
    """Hold a check against the judge; say what the mutation was worth.

    The judge reads the mutant from its first card on. An illegal step must be found, and at
    that very step. A legal game must be found exactly if its result no longer fits. A game
    that the mutation left unfinished has no result to hold it against: there, only that no
    step is faulted.
    """
    report = checked(profile, mutant)
    contradicted = report.verdict is Verdict.CONTRADICTED
    assert report.replay is not None
    fault = report.replay.fault
    try:
        ruling = judge(profile, mutant)
    except Illegal as illegal:
        assert contradicted, (str(illegal), mutant)
        if illegal.step:
            assert fault is not None and fault.step == illegal.step, (str(illegal), said(report))
        return "found"
    assert fault is None, said(report)
    if ruling.ended == "open":
        return "unfinished"
    assert contradicted == bool(faults(profile, mutant)), (faults(profile, mutant), said(report))
    return "found" if contradicted else "of no weight"


@pytest.mark.parametrize("profile", PROFILES)
def test_every_changed_result_field_is_found_or_admissible_to_the_judge(profile: str) -> None:
    free: Counter[str] = Counter()
    for sample in seeded(profile, 150, seed=4):
        if sample.record.result is None:
            continue
        for name, result in result_changes(sample.record.result):
            mutant = replace(sample.record, result=result)
            report = checked(profile, mutant)
            why = faults(profile, mutant)
            assert (report.verdict is Verdict.CONTRADICTED) == bool(why), (name, why, said(report))
            if not why:
                free[name] += 1
            elif report.findings:
                assert all(
                    one.read and one.expected for one in report.findings if one.code[0] == "S"
                )
    # Free are the prices of an impossible Null, which the declarer may choose among, and who is
    # penalized in a deal stopped before any call.
    assert set(free) <= {"score", "penalized"}


# --- hiding -----------------------------------------------------------------------------


def stays_possible(full: Report, less: Report) -> None:
    """Hold the law of hiding: no contradiction, and every true figure stays possible."""
    assert less.verdict is not Verdict.CONTRADICTED, (said(less), less.record, full.record)
    for name in FIGURES:
        truth = getattr(full, name)
        if truth is None:
            continue
        left = getattr(less, name)
        options = less.admissible.get(name, [left])
        assert truth in options, (name, truth, left, options, less.record, full.record)


@pytest.mark.parametrize("profile", PROFILES)
def test_hiding_cards_bids_or_results_never_contradicts_a_consistent_record(profile: str) -> None:
    @laws
    @given(games(profile), seeds)
    def law(sample: Sample, seed: int) -> None:
        hiding_is_harmless(profile, sample.record, random.Random(seed))

    law()


@pytest.mark.parametrize("profile", PROFILES)
def test_hiding_harms_none_of_seeded_games(profile: str) -> None:
    for number, sample in enumerate(seeded(profile, 250, seed=6)):
        hiding_is_harmless(profile, sample.record, random.Random(number), times=2)


def hiding_is_harmless(profile: str, record: Record, rng: random.Random, times: int = 1) -> None:
    full = checked(profile, record)
    for _ in range(times):
        stays_possible(full, checked(profile, hide(rng, record)))


@pytest.mark.parametrize("profile", PROFILES)
def test_hiding_more_and_more_never_contradicts(profile: str) -> None:
    # consistent -> consistent or undetermined; undetermined -> never contradicted
    for number, sample in enumerate(seeded(profile, 100, seed=7)):
        rng, record = random.Random(number), sample.record
        full = checked(profile, record)
        for _ in range(4):
            record = hide(rng, record)
            stays_possible(full, checked(profile, record))


@pytest.mark.parametrize("profile", PROFILES)
def test_what_is_open_is_listed_and_what_is_settled_is_not(profile: str) -> None:
    for number, sample in enumerate(seeded(profile, 100, seed=8)):
        report = checked(profile, hide_cards(random.Random(number), sample.record))
        if report.outcome is None or not report.outcome.settlements:
            continue
        one_price = all(not one.alternatives for one in report.outcome.settlements)
        for name in FIGURES:
            options = report.admissible.get(name)
            if options is not None:
                assert len(options) > 1 and options == sorted(set(options))
                assert getattr(report, name) is None or not one_price
            else:
                assert getattr(report, name) is not None, name


def test_an_illegal_play_stays_found_as_long_as_the_cards_that_show_it_are_shown() -> None:
    # Hiding the skat and the discard of a record with a revoke or a card twice hides no fault
    # in what is played; a fault may go out of sight, but none may appear elsewhere before it.
    for number, sample in enumerate(seeded("isko", 150, seed=9)):
        rng = random.Random(number)
        mutant = rng.choice(STEP_FAULTS)(rng, sample.record)
        if mutant is None:
            continue
        full = checked("isko", mutant).replay
        assert full is not None
        if full.fault is None or not full.fault.step:
            continue
        less = checked("isko", hide_cards(rng, mutant)).replay
        assert less is not None
        if less.fault is not None and less.fault.code != "R007":
            assert less.fault.step >= full.fault.step


# --- claims, offences and concessions with consent --------------------------------------


def irregular(rng: random.Random, sample: Sample) -> Record | None:
    """Return a game cut short by a claim, an offence or a concession; its result is the engine's.

    The oracle knows no such end, so this is no proof of the result, only of the hiding law.
    """
    steps = sample.record.steps
    plays = [at for at, step in enumerate(steps) if isinstance(step, Play)]
    declarer = sample.ruling.declarer
    if len(plays) < 8 or declarer is None or sample.ruling.ended in ("lost-at-once", "null-lost"):
        return None
    if any(isinstance(step, (Resign, Timeout, Leave)) for step in steps):
        return None
    first, second = ((declarer + by) % 3 for by in (1, 2))
    guilty = rng.randrange(3)
    claim = Claim(declarer, rng.choice((0, SCHNEIDER, SCHNEIDER | SCHWARZ)))
    end: tuple[Step, ...] = rng.choice((
        (claim, Agree(first), Agree(second)),
        (Resign(declarer), Agree(first)), (Revoke(guilty),), (WrongLead(guilty),),
        (OutOfTurn(guilty),),
    ))  # fmt: skip
    alone = isinstance(end[0], Resign) and plays.index(rng.choice(plays)) < 4
    cut = rng.choice(plays[6:]) if not alone else plays[rng.randrange(3)]
    record = replace(sample.record, steps=(*steps[:cut], *(end[:1] if alone else end)), result=None)
    report = checked(sample.profile, record)
    if report.verdict is not Verdict.CONSISTENT or report.outcome is None:
        return None
    one = report.outcome.settlements[0]
    result = Result(
        declarer=declarer, won=one.won, score=one.score, matadors=report.matadors,
        overbid=one.overbid, points=report.points, tricks=report.tricks,
    )  # fmt: skip
    return replace(record, result=result)


@pytest.mark.parametrize("profile", ["isko", "ledger"])
def test_hiding_harms_no_game_ended_by_claim_offence_or_concession(profile: str) -> None:
    ends: Counter[str] = Counter()
    for number, sample in enumerate(seeded(profile, 500, seed=18)):
        rng = random.Random(number)
        record = irregular(rng, sample)
        if record is None:
            continue
        assert checked(profile, record).verdict is Verdict.CONSISTENT
        ends[next(s.word for s in reversed(record.steps) if not isinstance(s, Play))] += 1
        hiding_is_harmless(profile, record, rng, times=2)
    assert len(ends) >= 4 and sum(ends.values()) > 100, ends


# --- odd records ------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_no_record_makes_a_check_raise_or_answer_in_two_ways(profile: str) -> None:
    verdicts: Counter[Verdict] = Counter()
    for number, sample in enumerate(seeded(profile, 120, seed=17)):
        rng = random.Random(number)
        for _ in range(8):
            record = odd_record(rng, sample.record)
            report = checked(profile, record)
            assert report == checked(profile, record)
            assert report.as_dict()["verdict"] == report.verdict.value
            errors = [one for one in report.findings if one.severity is Severity.ERROR]
            assert (report.verdict is Verdict.CONTRADICTED) == bool(errors)
            steps = [one.step for one in errors if one.step]
            assert len(steps) <= 1, "a replay stops at its first fault"
            verdicts[report.verdict] += 1
    assert len(verdicts) == 3


# --- real games -------------------------------------------------------------------------


def iss_records(name: str) -> Iterable[Record]:
    iss = pytest.importorskip("skatspec.formats.iss")
    path = SHARED / "data" / "iss" / name
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("(;"):
            record = iss.parse(line)
            assert not isinstance(record, BrokenRecord), record
            yield record


@needs_shared
def test_hiding_harms_no_real_record_of_the_server() -> None:
    for number, record in enumerate(iss_records("real.sgf")):
        assert checked("iss", record).verdict is Verdict.CONSISTENT, record.id
        hiding_is_harmless("iss", record, random.Random(number), times=40)


@needs_shared
def test_hiding_harms_no_record_of_the_client() -> None:
    for number, record in enumerate(iss_records("client-random-3000.sgf")):
        if number % 6 == 0:
            assert checked("iss-client", record).verdict is Verdict.CONSISTENT, record.id
            hiding_is_harmless("iss-client", record, random.Random(number))


@needs_shared
def test_the_judge_and_the_engine_agree_on_every_record_of_the_client() -> None:
    # Both profiles; the server's finds exactly the games lost after a missed announcement.
    for profile, wrong in (("iss", 520), ("iss-client", 0)):
        records = list(iss_records("client-random-3000.sgf"))
        found = [record for record in records if faults(profile, record)]
        mine = [r for r in records if checked(profile, r).verdict is Verdict.CONTRADICTED]
        assert len(found) == wrong
        assert found == mine
        codes = {one.code for record in mine for one in checked(profile, record).findings}
        assert codes <= {"S001", "D014"}


# --- records that stop early ------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_a_game_played_out_of_which_only_the_beginning_is_recorded_is_not_contradicted(
    profile: str,
) -> None:
    # The rest is open; what the record states of the end is judged by what it has.
    for number, sample in enumerate(seeded(profile, 200, seed=10)):
        if sample.ruling.ended not in ("played", "missed", "penalty", "passed"):
            continue
        rng = random.Random(number)
        steps = sample.record.steps[: rng.randrange(len(sample.record.steps))]
        report = checked(profile, replace(sample.record, steps=steps))
        assert report.verdict is not Verdict.CONTRADICTED, (said(report), sample)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_record_without_play_is_judged_by_its_own_points_and_tricks(profile: str) -> None:
    count = 0
    for sample in seeded(profile, 400, seed=11):
        if sample.ruling.ended != "played" or sample.ruling.contract == "null":
            continue
        steps = sample.record.steps[:-30]
        if any(isinstance(step, (Play, Resign)) for step in steps):
            continue  # a card was shown in between, or one defender gave up
        record = replace(sample.record, steps=steps)
        report = checked(profile, record)
        assert report.verdict is Verdict.CONSISTENT, (said(report), sample)
        assert report.score == checked(profile, sample.record).score
        result = record.result
        assert isinstance(result, Result) and result.score is not None
        wrong = replace(record, result=replace(result, score=result.score * 3))
        assert checked(profile, wrong).verdict is Verdict.CONTRADICTED
        count += 1
    assert count > 20
