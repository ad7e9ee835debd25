"""XSkat logs become records: seats, cards as dealt, steps, results, and where these stand."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from skatspec.cards import NAMES, names
from skatspec.diagnostics import message
from skatspec.errors import InputError
from skatspec.formats import registry, xskat
from skatspec.formats.lines import from_text, open_lines
from skatspec.formats.xskat.blocks import Block, read_blocks
from skatspec.formats.xskat.rows import plain
from skatspec.record import (
    HAND,
    OUVERT,
    SCHNEIDER,
    SPITZE,
    WORLD,
    Agree,
    AuctionEnd,
    BrokenRecord,
    Claim,
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
from tests import xskat_scoring
from tests.shared import SHARED, needs_shared

LOGS = SHARED / "data" / "xskat"
ALL_LOGS = [*sorted(LOGS.glob("*.log")), *sorted((LOGS / "human").glob("*.log"))]
needs_logs = needs_shared


def log(stem: str) -> Path:
    return next(path for path in ALL_LOGS if path.stem == stem)


@cache
def read(path: Path) -> tuple[Record, ...]:
    found = tuple(registry.open_records(path))
    assert all(isinstance(one, Record) for one in found)
    return found  # type: ignore[return-value]


@cache
def blocks(path: Path) -> tuple[Block, ...]:
    return tuple(read_blocks(open_lines(path)))  # type: ignore[arg-type]


@cache
def texts(path: Path) -> tuple[str, ...]:
    """Return the blocks' texts."""
    return tuple(block.text + "\n" for block in blocks(path))


def parsed(text: str) -> Record:
    record = registry.parse_text(text, "xskat")
    assert isinstance(record, Record), record.findings
    return record


def codes(record: Record | BrokenRecord) -> list[str]:
    for one in record.findings:
        assert "{" not in message(one)
    return [one.code for one in record.findings]


def of_kind(record: Record, *kinds: type[Step]) -> list[Step]:
    return [step for step in record.steps if isinstance(step, kinds)]


def both(stem: str) -> Iterator[tuple[Block, Record]]:
    """Yield the blocks of a log with their records."""
    yield from zip(blocks(log(stem)), read(log(stem)), strict=True)


def where(stem: str, contract: str, *lines: str) -> Iterator[tuple[Block, Record]]:
    """Yield the games of a contract whose blocks hold all these texts."""
    for block, record in both(stem):
        played = block.contract is not None and block.contract.contract == contract
        if played and all(line in block.text for line in lines):
            yield block, record


# --- a small log of our own ---------------------------------------------------------------

SUITS = {"C": "Club", "S": "Spade", "H": "Heart", "D": "Diamond"}
HANDS = (
    "CJ CA CT C9 S8 HK H7 DA D9 D8",
    "SJ HJ CQ C8 SA SK S7 HQ H9 DK",
    "DJ CK S9 C7 ST SQ HA HT DT D7",
)


def cell(card: str, mark: str = "") -> str:
    text = f"{SUITS[card[0]]} {card[1].replace('T', '10')}"
    return {"won": text.upper(), "led": text.replace(" ", "_")}.get(mark, text).ljust(12)


def block_text(
    rows: list[str], tail: list[str], seed: str = "4711 0 1", hands: object = HANDS
) -> str:
    """Return a block of the players Anna, Ben and Cem."""
    rule = f"---- random_seed {seed} ".ljust(40, "-") if seed else "-" * 40
    table = [
        "  " + "".join(map(cell, row))
        for row in zip(*(h.split() for h in hands), strict=True)  # type: ignore[attr-defined]
    ]
    head = ["    Anna        Ben         Cem     ", " " * 36, "-" * 40]
    return "\n".join([*head, *rows, rule, *table, "-" * 40, *tail, "=" * 40]) + "\n"


PASSED_TEXT = block_text(["  Pass        _Pass_      Pass        "], ["Skat is: Heart 8,Diamond Q"])


def test_a_passed_deal_has_its_passes_in_order_and_the_skat() -> None:
    record = parsed(PASSED_TEXT)
    assert record.tags == (
        ("Id", "1"), ("Places", "2 3 1"), ("F", "Ben"), ("M", "Cem"), ("R", "Anna"),
        ("Seed", "4711 0 1"),
    )  # fmt: skip
    assert record.steps == (Pass(1), Pass(2), Pass(0))
    assert record.result == Result("passed")
    assert record.deal is not None and record.deal.skat is not None
    assert names(record.deal.skat) == "H8 DQ"
    assert [names(hand or ()) for hand in record.deal.hands] == [HANDS[1], HANDS[2], HANDS[0]]
    assert record.findings == () and record.id == "1"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_forehand_sits_behind_the_dealer(number: int) -> None:
    # XSkat's seed line names the dealer 1-3; the next player is forehand.
    row = "  " + "".join(("_Pass_" if at == number % 3 else "Pass").ljust(12) for at in range(3))
    record = parsed(block_text([row], ["Skat is: Heart 8,Diamond Q"], f"4711 0 {number}"))
    assert (record.tag("Places") or "")[0] == str(number % 3 + 1)
    assert record.findings == ()


def test_without_a_seed_forehand_is_who_led() -> None:
    record = parsed(PASSED_TEXT.replace(" random_seed 4711 0 1 ", "-" * 22))
    assert record.tag("Places") == "2 3 1" and record.tag("Seed") is None


def test_a_mark_that_contradicts_the_dealer_is_found_at_its_cell() -> None:
    record = parsed(PASSED_TEXT.replace("Pass        _Pass_ ", "_Pass_      Pass   "))
    assert codes(record) == ["N008"]
    assert record.findings[0].span[:2] == (4, 3)
    assert (record.findings[0].read, record.findings[0].expected) == ("Anna", "Ben")


def test_nobody_led_and_no_dealer_leaves_the_seats_open() -> None:
    text = PASSED_TEXT.replace(" random_seed 4711 0 1 ", "-" * 22).replace("_Pass_", "Pass  ")
    broken = registry.parse_text(text, "xskat")
    assert isinstance(broken, BrokenRecord) and codes(broken) == ["N011"]


# --- every real block ---------------------------------------------------------------------


@needs_logs
@pytest.mark.parametrize("path", ALL_LOGS, ids=lambda path: path.stem)
def test_every_block_is_a_record_of_32_different_cards(path: Path) -> None:
    assert len(read(path)) == len(blocks(path))
    for number, record in enumerate(read(path)):
        assert codes(record) == [] and record.origin.index == number
        assert record.id == str(number + 1) and record.deal is not None
        parts = [*record.deal.parts(), *(one.cards for one in of_kind(record, Exchange))]  # type: ignore[attr-defined]
        dealt = [card for part in parts for card in part or ()]
        assert sorted(dealt) == list(range(32))
        assert [len(part) for part in parts if part is not None] in (
            [10] * 3 + [2],
            [10, 2, 10, 10],
        )


@needs_logs
@pytest.mark.parametrize("path", ALL_LOGS, ids=lambda path: path.stem)
def test_every_trick_is_in_the_order_of_play(path: Path) -> None:
    for block, record in zip(blocks(path), read(path), strict=True):
        if block.kind != "played":
            assert of_kind(record, Play) == []
            continue
        first = xskat_scoring.forehand(block)
        expected = [
            Play((column - first) % 3, trick.cards[column])
            for trick in xskat_scoring.tricks(block)
            for column in [(trick.leader + at) % 3 for at in range(3)]
        ]
        assert of_kind(record, Play) == expected


@needs_logs
@pytest.mark.parametrize("path", ALL_LOGS, ids=lambda path: path.stem)
def test_hands_follow_from_the_deal_and_the_steps(path: Path) -> None:
    """What was dealt, taken, put away and pushed leaves the hands that the log prints."""
    for block, record in zip(blocks(path), read(path), strict=True):
        assert record.deal is not None
        held = [set(hand or ()) for hand in record.deal.hands]
        for step in record.steps:
            if isinstance(step, PickUp):
                held[step.seat] |= set(step.cards or ())
            elif isinstance(step, (Discard, Push)):
                assert set(step.cards or ()) <= held[step.seat]
                held[step.seat] -= set(step.cards or ())
            elif isinstance(step, Exchange):
                held[step.seat] = set(step.cards)
        first = xskat_scoring.forehand(block)
        assert held == [set(block.hand((first + seat) % 3)) for seat in range(3)]


@needs_logs
@pytest.mark.parametrize("path", ALL_LOGS, ids=lambda path: path.stem)
def test_scores_are_those_of_the_list(path: Path) -> None:
    listing = path.with_suffix(".lst").read_text().splitlines()[6:]
    listed = [tuple(map(int, line.split()[1:])) for line in listing]
    scored = []
    for block, record in zip(blocks(path), read(path), strict=True):
        result = record.result
        assert result is not None
        first = xskat_scoring.forehand(block)
        if result.kind == "passed":
            scored += [] if record.tag("Copy") else [{0}]
        elif result.scores is not None:
            scored.append({abs(one) for one in result.scores} - {0} or {0})
        elif result.score is not None:
            assert result.declarer is not None
            assert result.won == (result.score > 0)
            assert block.contract is not None
            assert (first + result.declarer) % 3 == block.contract.player
            scored.append({abs(result.score)})
    wanted = [{value} for _, _, _, value, _ in listed]
    assert scored[-len(wanted) :] == wanted


@needs_logs
@pytest.mark.parametrize("form", ["skat", "json"])
@pytest.mark.parametrize("path", ALL_LOGS, ids=lambda path: path.stem)
def test_every_record_survives_our_own_formats(path: Path, form: str) -> None:
    for record in read(path)[::3]:
        text, losses = registry.write_record(record, form)
        assert losses == [] and registry.parse_text(text, form) == record


@needs_logs
@pytest.mark.parametrize("path", ALL_LOGS, ids=lambda path: path.stem)
def test_a_block_alone_gives_the_same_record_without_scores(path: Path) -> None:
    for text, whole in zip(texts(path)[:60], read(path), strict=False):
        alone = parsed(text)
        assert (alone.deal, alone.steps) == (whole.deal, whole.steps)
        assert alone.result is not None and whole.result is not None
        nobody = alone.result.losers is not None and not any(alone.result.losers)
        assert alone.result.score is None
        assert alone.result.scores == ((0, 0, 0) if nobody else None)
        assert alone.result.points == whole.result.points
        assert alone.result.losers == whole.result.losers


# --- the kinds of games -------------------------------------------------------------------


@needs_logs
def test_the_files_show_every_kind_of_step() -> None:
    count = Counter(type(step) for path in ALL_LOGS for one in read(path) for step in one.steps)
    kinds = (AuctionEnd, PickUp, Discard, Declare, Double, Exchange, Knock, Push, Gift, Agree)
    assert all(count[kind] > 10 for kind in kinds), count
    assert count[Claim] > 0 and count[Refuse] > 0


@needs_logs
def test_the_first_game_of_a_log_as_printed() -> None:
    record = read(log("std-1001"))[0]
    # Computer2 deals, so Computer3 is forehand; he took up S7 C8 and put away D8 HK.
    assert record.tag("Places") == "3 1 2" and record.tag("F") == "Computer3"
    assert record.deal is not None and record.deal.skat is not None
    assert names(record.deal.hands[0] or ()) == "SJ DJ CA CK C9 SA ST S9 D8 HK"
    assert names(record.deal.skat) == "S7 C8"
    assert record.steps[0] == AuctionEnd(0, 18)
    assert isinstance(record.steps[1], PickUp) and isinstance(record.steps[2], Discard)
    assert names(record.steps[2].cards) == "D8 HK"
    assert record.steps[3] == Declare(0, "clubs")
    plays = [f"{step.seat}{NAMES[step.card]}" for step in record.steps[4:10]]  # type: ignore[attr-defined]
    assert plays == ["0DJ", "1CJ", "2CT", "1D7", "2DA", "0CA"]
    result = record.result
    # Without one, Schneider: 3 x 12.
    assert result is not None and (result.won, result.points, result.score) == (True, 106, 36)
    # The last nine rows and no other are Computer3's.
    assert result.tricks == 9


@needs_logs
def test_hand_and_announcements_are_kept_as_written() -> None:
    _, record = next(where("human-std", "grand", "Played Hand"))
    assert of_kind(record, Declare)[0].modifiers == HAND  # type: ignore[attr-defined]
    assert of_kind(record, PickUp, Discard) == []
    _, record = next(where("human-std", "null", "Played ouvert\n"))
    # In a Null that is ouvert without Hand, even where the skat came back.
    assert of_kind(record, Declare)[0].modifiers == OUVERT  # type: ignore[attr-defined]
    assert len(of_kind(record, PickUp, Discard)) == 2
    announced = next(r for b, r in both("human-std") if "Schneider a" in b.text)
    assert of_kind(announced, Declare)[0].modifiers == SCHNEIDER  # type: ignore[attr-defined]
    assert of_kind(announced, PickUp, Discard) == []


@needs_logs
def test_the_skat_put_back_without_a_word_was_picked_up() -> None:
    for path in ALL_LOGS:
        for block, record in zip(blocks(path), read(path), strict=True):
            if block.contract is None or block.skat_was is None or block.bits:
                continue
            if block.contract.contract != "ramsch":
                assert len(of_kind(record, PickUp, Discard)) == 2


@needs_logs
def test_kontra_and_re_are_the_underlined_names() -> None:
    found: Counter[tuple[str, ...]] = Counter()
    for block, record in both("human-kontra"):
        said = of_kind(record, Double)
        found[tuple(one.call for one in said)] += 1  # type: ignore[attr-defined]
        first = xskat_scoring.forehand(block)
        marked = {at for at in range(3) if block.names[at].underlined}
        assert {(first + one.seat) % 3 for one in said} == marked
        if said and record.result is not None:
            assert said[0].seat != record.result.declarer
    assert set(found) == {(), ("kontra",), ("kontra", "re")}


@needs_logs
def test_the_spitze_is_announced_with_the_game_and_its_card_is_known() -> None:
    count = 0
    for block, record in both("human-spitze"):
        declared = of_kind(record, Declare)
        if declared and declared[0].modifiers & SPITZE:  # type: ignore[attr-defined]
            count += 1
            assert block.spitze is not None and not record.hidden()
            assert Play(declared[0].seat, block.spitze) in record.steps
    assert count == sum("!" in text for text in texts(log("human-spitze"))) > 5


@needs_logs
def test_a_revolution_states_the_hands_behind_the_exchange_and_hides_those_before() -> None:
    for block, record in where("human-revolution", "revolution"):
        assert record.deal is not None and record.result is not None
        own = record.result.declarer
        hands = [seat for seat in range(3) if record.deal.hands[seat] is None]
        assert hands == [one.seat for one in of_kind(record, Exchange)]
        assert own is not None and own not in hands
        first = xskat_scoring.forehand(block)
        for one in of_kind(record, Exchange):
            assert one.cards == block.hand((first + one.seat) % 3)  # type: ignore[attr-defined]


@needs_logs
def test_a_gift_is_offered_by_both_and_taken() -> None:
    games = [(b, r) for b, r in both("human-schenken") if b.kind == "gift"]
    assert len(games) > 5
    for _, record in games:
        assert record.result is not None
        own, tail = record.result.declarer, record.steps[-3:]
        assert [type(one) for one in tail] == [Gift, Gift, Agree]
        assert tail[2].seat == own and {one.seat for one in tail[:2]} == {0, 1, 2} - {own}
        assert of_kind(record, Play) == [] and record.result.won


@needs_logs
def test_an_announcement_with_a_changed_skat_is_a_gift_refused() -> None:
    found = 0
    for _, record in where("human-schenken", "clubs", "Schneider announced"):
        refused = of_kind(record, Refuse)
        if of_kind(record, PickUp):
            found += 1
            assert len(refused) == 1 and refused[0].seat == record.result.declarer  # type: ignore[union-attr]
            assert of_kind(record, Declare)[0].modifiers == 0  # type: ignore[attr-defined]
        else:
            assert refused == [] and of_kind(record, Declare)[0].modifiers == SCHNEIDER  # type: ignore[attr-defined]
    assert found


@needs_logs
def test_a_gift_refused_twice_stands_for_schwarz() -> None:
    block, record = next(
        (b, r) for b, r in both("human-schenken") if "Schneider a" in b.text and of_kind(r, Refuse)
    )
    again = parsed(block.text.replace("Schneider a", "Schwarz a") + "\n")
    once = of_kind(record, Gift, Refuse)
    assert [type(one) for one in once] in ([Gift, Gift, Refuse], [Gift, Gift, Refuse, Gift, Gift])
    assert of_kind(again, Gift, Refuse) == once[:3] + once
    assert of_kind(again, Declare) == of_kind(record, Declare)


@needs_logs
def test_a_null_shown_as_safe_ends_with_a_claim() -> None:
    found = 0
    for path in ALL_LOGS:
        for block, record in zip(blocks(path), read(path), strict=True):
            tricks = sum(row.marked for row in block.rows)
            if block.kind != "played" or tricks == len(block.rows):
                assert of_kind(record, Claim) == []
                continue
            found += 1
            assert record.result is not None
            own = record.result.declarer
            assert [type(one) for one in record.steps[-3:]] == [Claim, Agree, Agree]
            assert record.steps[-3].seat == own and len(of_kind(record, Play)) == 3 * tricks
    assert found > 5


# --- Ramsch -------------------------------------------------------------------------------


@needs_logs
def test_schieberamsch_states_who_took_and_handed_on_what() -> None:
    seen: Counter[bool] = Counter()
    for path in ALL_LOGS:
        for block, record in zip(blocks(path), read(path), strict=True):
            if not block.pushes:
                continue
            assert record.steps[0] == Declare(WORLD, "ramsch") and block.skat_was is not None
            pushes = of_kind(record, Push)
            assert [one.seat for one in pushes] == [0, 1, 2]
            received = block.skat_was.cards
            for push, printed in zip(pushes, block.pushes, strict=True):
                seen[printed.unseen] += 1
                taken = [one for one in of_kind(record, PickUp) if one.seat == push.seat]
                if printed.unseen:
                    assert push == Push(printed.seat) and taken == []
                else:
                    assert push == Push(printed.seat, printed.cards)
                    assert taken == [PickUp(printed.seat, received)]
                received = printed.cards
    assert seen[True] > 20 and seen[False] > 20


@needs_logs
def test_knocks_are_the_underlined_names_of_a_ramsch() -> None:
    count = 0
    for block, record in where("human-bockramsch", "ramsch"):
        marked = [name.underlined for name in block.names]
        count += sum(marked)
        assert len(of_kind(record, Knock)) == sum(marked)
        assert of_kind(record, Double) == []
    assert count > 5


@needs_logs
def test_a_grand_hand_without_an_auction_belongs_to_a_ramsch_round() -> None:
    games = list(where("bockramsch-1001", "grand"))
    for block, record in games:
        ramsch = block.last_bid is None
        assert (record.tag("Round") == "ramsch") == ramsch
        assert bool(of_kind(record, AuctionEnd)) != ramsch
    assert {block.last_bid is None for block, _ in games} == {True, False}
    assert read(log("std-1001"))[0].tag("Round") is None


def ramsch(stem: str, end: str, march: bool = False) -> tuple[Block, Record]:
    for block, record in where(stem, "ramsch", end):
        winners = {row.winner for row in block.rows}
        if (len(winners) == 1) == march:
            return block, record
    raise AssertionError(end)


@needs_logs
def test_a_loser_of_a_ramsch_has_points_and_a_negative_score() -> None:
    block, record = ramsch("human-ramschonly", "lost the Ramsch")
    result = record.result
    assert result is not None and result.losers is not None and result.scores is not None
    lost = result.losers.index(True)
    assert sum(result.losers) == 1 and result.counted is not None
    assert block.result is not None and result.counted[lost] == block.result.points
    assert [one for at, one in enumerate(result.counted) if at != lost] == [None, None]
    assert result.scores[lost] < 0 and sum(map(bool, result.scores)) == 1
    assert result.declarer is None and result.score is None


@needs_logs
def test_two_tied_losers_are_those_the_log_does_not_name() -> None:
    _, record = ramsch("human-ramschonly", "won the Ramsch")
    result = record.result
    assert result is not None and result.losers is not None and result.scores is not None
    third = result.losers.index(False)
    assert sum(result.losers) == 2 and result.counted is not None
    assert result.counted[third] is not None and result.scores[third] == 0
    one, other = (score for at, score in enumerate(result.scores) if at != third)
    assert one == other < 0


@needs_logs
def test_a_march_is_told_by_the_tricks_and_scored_by_the_list() -> None:
    _, record = ramsch("ramsch-120", "won the Ramsch", march=True)
    result = record.result
    assert result is not None and result.losers is None and result.scores is not None
    assert sorted(result.scores)[:2] == [0, 0] and max(result.scores) > 0


@needs_logs
def test_nobody_lost_a_ramsch() -> None:
    games = [
        record.result
        for path in ALL_LOGS
        for block, record in zip(blocks(path), read(path), strict=True)
        if block.contract is not None and not block.contract.players
    ]
    assert games
    assert all(one is not None and one.losers == (False,) * 3 for one in games)
    assert all(one is not None and one.scores == (0, 0, 0) for one in games)


@needs_logs
def test_a_false_mark_of_a_march_is_kept_for_the_rules_to_contradict(tmp_path: Path) -> None:
    path = log("ramsch-120")
    _, record = ramsch("ramsch-120", "won the Ramsch", march=True)
    rows = path.with_suffix(".lst").read_text().splitlines()
    at = 6 + record.origin.index
    row = rows[at].split()
    assert row[3] == "1"
    rows[at] = " ".join([*row[:3], "0", *row[4:]])
    (tmp_path / "a.log").write_bytes(path.read_bytes())
    (tmp_path / "a.lst").write_text("\n".join(rows) + "\n")
    false = read(tmp_path / "a.log")[record.origin.index].result
    assert false is not None and false.scores is not None and record.result is not None
    # The row now says that two others were tied.
    assert sorted(false.scores) == [-int(row[4])] * 2 + [0]
    assert false.losers is None


# --- a log that contradicts itself --------------------------------------------------------


def changed(stem: str, contract: str, row: int, column: int, mark: str) -> Record:
    """Return the first game of a contract, a cell of it marked otherwise."""
    block, _ = next(where(stem, contract))
    text = block.rows[row].cells[column].text.title().replace("_", " ")
    text = {"won": text.upper(), "led": text.replace(" ", "_")}.get(mark, text)
    lines = block.text.split("\n")
    line = lines[3 + row]
    lines[3 + row] = line[: 2 + 12 * column] + text.ljust(12) + line[14 + 12 * column :]
    return parsed("\n".join(lines) + "\n")


@needs_logs
@pytest.mark.parametrize(
    ("row", "column", "mark", "code"),
    [
        # Diamond_J led and CLUB J won row 1, CLUB A (Computer3) row 2, SPADE J row 3.
        (0, 0, "", "N011"), (0, 1, "won", "N008"), (0, 1, "led", "N008"), (0, 2, "", "N008"),
        (1, 0, "", "N008"), (2, 1, "led", "N008"), (9, 2, "", "N011"), (9, 1, "won", "N008"),
    ],
)  # fmt: skip
def test_a_changed_mark_is_found(row: int, column: int, mark: str, code: str) -> None:
    record = changed("std-1001", "clubs", row, column, mark)
    assert codes(record) == [code]
    assert abs(record.findings[0].span.line - (4 + row)) <= 1


@needs_logs
def test_a_trick_given_to_another_is_found_by_who_leads_next_or_by_the_tricks() -> None:
    block, record = next(where("std-1001", "clubs"))
    text = block.text
    # Row 10, the last one: no lead follows, only the declarer's tricks tell.
    last = text.split("\n")[12]
    given = last.replace("CLUB 9", "Club_9").replace("Heart A", "HEART A")
    assert given != last
    other = parsed(text.replace(last, given) + "\n")
    assert codes(other) == []
    assert record.result is not None and other.result is not None
    assert other.result.tricks == (record.result.tricks or 0) - 1


@needs_logs
def test_marks_behind_a_null_that_was_shown_are_found() -> None:
    block = next(
        block
        for path in ALL_LOGS
        for block in blocks(path)
        if "\b" not in block.text and 1 < sum(r.marked for r in block.rows) < len(block.rows) - 1
    )
    last = block.rows[-1]
    line = block.text.split("\n")[last.line - block.line]
    marked = parsed(block.text.replace(line, line.upper()[:14] + line[14:]) + "\n")
    assert codes(marked) == ["N008"]
    # Two columns changed places: these are not the cards that the players hold.
    moved = parsed(block.text.replace(line, "  " + line[14:26] + line[2:14] + line[26:]) + "\n")
    assert codes(moved) == ["N008"]


@needs_logs
def test_a_ramsch_that_is_won_and_lost_is_found() -> None:
    block, _ = ramsch("human-ramschonly", "lost the Ramsch")
    record = parsed(block.text.replace("Lost with", "Won with") + "\n")
    assert codes(record) == ["N008"]
    assert (record.findings[0].read, record.findings[0].expected) == ("won", "lost")


@needs_logs
def test_a_skat_that_was_not_handed_on_is_found() -> None:
    block, record = next(
        (b, r) for b, r in where("human-sramschonly", "ramsch") if not b.pushes[2].unseen
    )
    line = next(one for one in block.text.split("\n") if one.startswith("Skat is"))
    other = block.hands[0][0].text.title()
    wrong = parsed(block.text.replace(line, f"Skat is: {other},{line.rpartition(',')[2]}") + "\n")
    assert codes(wrong) == ["N008"] and codes(record) == []


@needs_logs
def test_a_gift_accepted_by_a_defender_is_found() -> None:
    block = next(block for block in blocks(log("human-schenken")) if block.kind == "gift")
    assert block.text.count("Accept      Schenken") == 1
    record = parsed(block.text.replace("Accept      Schenken", "Schenken    Accept  ") + "\n")
    assert codes(record) == ["N008"]


@needs_logs
def test_a_game_whose_skat_was_is_missing_is_found() -> None:
    block, _ = next(where("std-1001", "clubs"))
    lines = [one for one in block.text.split("\n") if not one.startswith("Skat was")]
    assert codes(parsed("\n".join(lines) + "\n")) == ["N011"]


@needs_logs
def test_cards_that_cannot_be_dealt_are_kept_as_printed() -> None:
    block, whole = next(where("std-1001", "clubs"))
    record = parsed(block.text.replace("Skat was: Spade 7,", "Skat was: Heart J,") + "\n")
    assert record.deal is not None and record.deal.skat is not None
    assert names(record.deal.skat) == "HJ C8"
    first = xskat_scoring.forehand(block)
    assert record.deal.hands == tuple(block.hand((first + seat) % 3) for seat in range(3))
    assert whole.steps[2:] == record.steps[2:]


@needs_logs
@pytest.mark.parametrize("stem", ["human-schenken", "human-bockramsch", "german-cards-fmt"])
def test_no_change_of_a_log_stops_the_reading(stem: str, tmp_path: Path) -> None:
    random = Random(7)
    lines = [line for text in texts(log(stem)) for line in text.split("\n")]
    words = sorted({word for line in lines for word in line.split("  ") if word})
    for _ in range(40):
        some = list(lines)
        for at in random.sample(range(len(some)), 60):
            begin = random.randrange(40)
            match random.randrange(4):
                case 0:
                    some[at] = ""
                case 1:
                    some[at] = some[random.randrange(len(some))]
                case 2:
                    some[at] = some[at][:begin] + random.choice(words) + some[at][begin + 6 :]
                case _:
                    some[at] = some[at].replace("_", " ").swapcase()
        reading = registry.reading(from_text("\n".join(some), "x"), "xskat")
        for record in reading:
            codes(record)
            if isinstance(record, Record):
                places = record.origin.locator(record.origin.text)
                assert len(places.steps) == len(record.steps)
        assert reading.count > 30


# --- names --------------------------------------------------------------------------------


@needs_logs
def test_names_are_the_two_printed_words_without_their_underscores() -> None:
    assert {read(log("names-1"))[0].tag(seat) for seat in "FMR"} == {
        "Maximilia n", "Anna Lena", "J. R.",
    }  # fmt: skip


@needs_logs
def test_of_two_players_of_one_name_the_list_says_who_declared(tmp_path: Path) -> None:
    text = log("std-1001").read_text().replace("Computer2", "Computer1")
    (tmp_path / "two.log").write_text(text)
    alone = list(registry.open_records(tmp_path / "two.log"))
    shutil.copy(log("std-1001").with_suffix(".lst"), tmp_path / "two.lst")
    told = list(registry.open_records(tmp_path / "two.log"))
    assert {type(one) for one in alone} == {Record, BrokenRecord}
    for one, whole, by_list in zip(alone, read(log("std-1001")), told, strict=True):
        assert isinstance(by_list, Record)
        assert (by_list.steps, by_list.result) == (whole.steps, whole.result)
        places = by_list.origin.locator(by_list.origin.text)
        assert len(places.steps) == len(by_list.steps)
        if isinstance(one, BrokenRecord):
            assert codes(one) == ["N008"] and whole.result is not None
            assert one.findings[0].read == "Computer1"


# --- places -------------------------------------------------------------------------------


def spanned(record: Record, span: tuple[int, int, int]) -> str:
    line, begin, end = span
    return record.origin.text.split("\n")[line - record.origin.line][begin - 1 : end - 1]


@needs_logs
@pytest.mark.parametrize("path", ALL_LOGS, ids=lambda path: path.stem)
def test_every_step_has_its_place(path: Path) -> None:
    deck = {
        cell.text.lower() for block in blocks(path)[:20] for hand in block.hands for cell in hand
    }
    for record in read(path)[:20]:
        places = record.origin.locator(record.origin.text)
        assert len(places.steps) == len(record.steps)
        for number, step in enumerate(record.steps, start=1):
            text = spanned(record, record.origin.step(number))
            assert text and plain(text).strip() == plain(text)
            if isinstance(step, Play) and "!" not in text:
                assert plain(text).replace("_", " ").lower() in deck


@needs_logs
def test_places_are_those_of_the_text() -> None:
    record = read(log("std-1001"))[1]
    assert record.origin.line == 32
    shown = [spanned(record, record.origin.step(number)) for number in range(1, 8)]
    assert shown == [
        "Last bid: 18", "Skat was: Club 10,Club J", "Skat is: Heart 7,Heart Q",
        "Computer1 played Grand", "SPADE J", "Heart J", "Diamond J",
    ]  # fmt: skip
    part = record.origin.part
    assert spanned(record, part("tag/F")) == "Computer1"
    assert spanned(record, part("tag/M")) == "Computer2"
    assert spanned(record, part("tag/Seed")) == "---- random_seed 1001 1 3 --------------"
    assert spanned(record, part("result/points")) == "Won with: 120 points"
    assert spanned(record, part("result/score")) == "Won with: 120 points"
    assert spanned(record, part("result/declarer")) == "Computer1 played Grand"
    assert record.deal is not None
    for hand, cards in enumerate(record.deal.parts()):
        for at, card in enumerate(cards or ()):
            text = spanned(record, part(f"deal/{hand}/{at}")).title().replace("10", "T")
            suit, rank = text.split()
            assert (
                NAMES[card]
                == {"Club": "C", "Spade": "S", "Heart": "H", "Diamond": "D"}[suit] + rank
            )


# --- the list beside the log --------------------------------------------------------------


def scores(path: Path) -> int:
    """Return how many records state a score."""
    found = [one.result for one in read(path)]
    return sum(one is not None and (one.score, one.scores) != (None, None) for one in found)


@needs_logs
@pytest.mark.parametrize("packing", ["", ".gz", ".bz2", ".xz"])
@pytest.mark.parametrize("list_packing", ["", ".gz", ".bz2", ".xz"])
def test_log_and_list_may_be_packed(packing: str, list_packing: str, tmp_path: Path) -> None:
    packers = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
    path = log("human-std")
    packed = tmp_path / f"a.log{packing}"
    packed.write_bytes(packers[packing](path.read_bytes()))  # type: ignore[operator]
    beside = tmp_path / f"a.lst{list_packing}"
    beside.write_bytes(packers[list_packing](path.with_suffix(".lst").read_bytes()))  # type: ignore[operator]
    assert scores(packed) == scores(path) > 50


@needs_logs
def test_without_a_list_no_score_is_stated(tmp_path: Path) -> None:
    shutil.copy(log("human-std"), tmp_path / "a.log")
    assert scores(tmp_path / "a.log") == 0
    assert [one.steps for one in read(tmp_path / "a.log")] == [
        one.steps for one in read(log("human-std"))
    ]


@needs_logs
def test_a_list_of_other_games_is_refused_whole_and_named(tmp_path: Path) -> None:
    shutil.copy(log("human-std"), tmp_path / "a.log")
    shutil.copy(log("human-weak").with_suffix(".lst"), tmp_path / "a.lst")
    reading = registry.open_records(tmp_path / "a.log")
    records = list(reading)
    assert [one.code for one in reading.findings] == ["L001"]
    said = message(reading.findings[0])
    assert "a.lst is not the list of this log" in said and "(log, line" in said
    assert all(isinstance(one, Record) and one.result.score is None for one in records)  # type: ignore[union-attr]


@needs_logs
def test_a_row_that_cannot_be_read_leaves_its_game_without_a_score(tmp_path: Path) -> None:
    shutil.copy(log("human-std"), tmp_path / "a.log")
    rows = log("human-std").with_suffix(".lst").read_text().splitlines()
    at = next(at for at, one in enumerate(read(log("human-std"))) if one.result.score)  # type: ignore[union-attr]
    rows[6 + at] = "e 0 0 0 x 1"
    (tmp_path / "a.lst").write_text("\n".join(rows) + "\n")
    reading = registry.open_records(tmp_path / "a.log")
    records = [one.result for one in reading if isinstance(one, Record)]
    assert [one.code for one in reading.findings] == ["N001", "L002"]
    assert reading.findings[0].read == f"a.lst, line {7 + at}: e 0 0 0 x 1"
    wanted = [one.result for one in read(log("human-std"))]
    assert records[at] != wanted[at] and records[at].score is None  # type: ignore[union-attr]
    assert records[:at] + records[at + 1 :] == wanted[:at] + wanted[at + 1 :]


@needs_logs
@pytest.mark.parametrize("text", ["", "0 0 0\na 0 0 0\nt 0 0 0\nb 0 0 0\ng 0 0 0\nv 0 0 0\n"])
def test_a_list_of_no_games_is_told_of_and_no_fault(text: str, tmp_path: Path) -> None:
    shutil.copy(log("human-std"), tmp_path / "a.log")
    (tmp_path / "a.lst").write_text(text)
    reading = registry.open_records(tmp_path / "a.log")
    assert len(list(reading)) == 103
    assert [one.code for one in reading.findings] == ["L003"]


@needs_logs
def test_a_damaged_list_is_reported_and_the_log_read(tmp_path: Path) -> None:
    shutil.copy(log("human-std"), tmp_path / "a.log")
    whole = gzip.compress(log("human-std").with_suffix(".lst").read_bytes())
    (tmp_path / "a.lst.gz").write_bytes(whole[: len(whole) // 2])
    reading = registry.open_records(tmp_path / "a.log")
    assert len(list(reading)) == 103
    assert [one.code for one in reading.findings] == ["E008"]
    assert reading.findings[0].read.startswith("a.lst.gz: ")


@needs_logs
def test_saved_copies_are_marked_and_have_no_score() -> None:
    records = read(log("save-duplicates"))
    copies = [one for one in records if one.tag("Copy") == "yes"]
    assert len(records) - len(copies) == 68 and copies
    for one in copies:
        before = records[one.origin.index - 1]
        assert one.origin.text == before.origin.text
        assert one.result is not None and one.result.score is None


@needs_logs
def test_copies_are_told_without_a_list_where_a_seed_says_so(tmp_path: Path) -> None:
    shutil.copy(log("save-duplicates"), tmp_path / "a.log")
    marked = [one.tag("Copy") for one in read(tmp_path / "a.log")]
    assert marked == [one.tag("Copy") for one in read(log("save-duplicates"))]
    # Predefined deals may come twice, and nothing tells a copy from the game.
    twice = texts(log("predefined"))[0] * 2
    (tmp_path / "b.log").write_text(twice)
    assert [one.tag("Copy") for one in read(tmp_path / "b.log")] == [None, None]


@needs_logs
def test_a_log_longer_than_its_list_is_joined_at_its_end(tmp_path: Path) -> None:
    games = log("human-std").read_text()
    (tmp_path / "a.log").write_text(games * 10)
    rows = log("human-std").with_suffix(".lst").read_text().splitlines()
    # The sums say that earlier games were folded into them.
    (tmp_path / "a.lst").write_text("\n".join(["1 0 0", *rows[1:]]) + "\n")
    records = read(tmp_path / "a.log")
    scored = [one.origin.index for one in records if one.result.score is not None]  # type: ignore[union-attr]
    assert len(records) == 1030 and min(scored) >= 927
    assert len(scored) == scores(log("human-std"))


# --- the format ---------------------------------------------------------------------------


def test_a_log_is_recognised_by_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(PASSED_TEXT)
    reading = registry.open_records(tmp_path / "games.txt")
    assert reading.format == "xskat" and len(list(reading)) == 1
    assert registry.by_suffix("a.log.gz") == "xskat"


def test_a_list_alone_is_refused_and_the_log_asked_for(tmp_path: Path) -> None:
    (tmp_path / "games.lst").write_text("0 0 0\na 0 0 0\nt 0 0 0\nb 0 0 0\ng 0 0 0\nv 0 0 0\n")
    with pytest.raises(InputError) as caught:
        registry.open_records(tmp_path / "games.lst")
    assert caught.value.code == "E007" and "name the log" in caught.value.message


def test_junk_a_cut_block_and_a_good_one_are_told_apart() -> None:
    cut = PASSED_TEXT[: PASSED_TEXT.index("----")] + "-" * 40 + "\n"
    reading = registry.reading(from_text(f"hello\n{PASSED_TEXT}{cut}{PASSED_TEXT}", "x"), "xskat")
    found = list(reading)
    assert [type(one) for one in found] == [Record, BrokenRecord, Record]
    assert [one.origin.index for one in found] == [0, 1, 2]
    assert found[2].id == "3" and found[2].tag("Copy") is None  # type: ignore[union-attr]
    assert [one.code for one in reading.findings] == ["N003"]


def test_a_text_without_a_block_is_a_broken_record() -> None:
    broken = xskat.parse("hello\n")
    assert isinstance(broken, BrokenRecord) and codes(broken) == ["N001"]
