"""ISS records: real files, the scanner against the grammar, reading against writing."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skatspec import cards, resources
from skatspec.cards import HIDDEN
from skatspec.diagnostics import message
from skatspec.formats import iss
from skatspec.formats.iss_frame import Framer
from skatspec.formats.iss_grammar import read_exactly
from skatspec.formats.iss_scan import scan
from skatspec.formats.iss_words import PROPERTIES
from skatspec.formats.lines import open_lines
from skatspec.record import (
    GAME,
    PASSED,
    PENALTY,
    UNKNOWN,
    AuctionEnd,
    Bid,
    Deal,
    Declare,
    Discard,
    EarlyPlay,
    Exchange,
    Gift,
    Hold,
    Knock,
    Leave,
    Origin,
    Pass,
    PickUp,
    Play,
    Push,
    Record,
    Refuse,
    Resign,
    Result,
    Show,
    Step,
    ThrowOpen,
    Timeout,
)
from tests.iss_text import (
    FILES,
    FULL,
    ISS,
    ONE,
    all_of,
)
from tests.shared import needs_shared

# ---------------------------------------------------------------- real records


@needs_shared
@pytest.mark.parametrize("name", ["real", "client-random-3000"])
def test_world_records_are_written_as_they_were_read_byte_for_byte(name: str) -> None:
    path = ISS / f"{name}.sgf"
    lines = open_lines(path)
    for record, line in zip(iss.read(lines), path.open(newline=""), strict=True):
        assert isinstance(record, Record)
        assert not record.findings
        assert iss.write(record) == (line, [])
    assert lines.findings == []


@needs_shared
@pytest.mark.parametrize("name", ["view-forehand", "view-rearhand", "view-public"])
def test_views_are_written_as_they_were_read_but_for_the_odd_split_discard(name: str) -> None:
    path = ISS / f"{name}.sgf"
    for record, line in zip(iss.read(open_lines(path)), path.open(newline=""), strict=True):
        assert isinstance(record, Record)
        assert record.tag("View") in ("F", "R", "public")
        text, findings = iss.write(record)
        assert not findings
        assert text == line.replace("9.??.??", "9.??").replace("K.??.??", "K.??") or text == line


@needs_shared
def test_records_over_several_lines_say_what_the_one_line_records_say() -> None:
    real = iss.read(open_lines(ISS / "real.sgf"))
    whole = {one.id: one for one in real if isinstance(one, Record)}
    lines = open_lines(ISS / "multi-line.sgf")
    several = list(iss.read(lines))
    assert len(several) == 23 and not lines.findings
    for record in several:
        assert isinstance(record, Record)
        other = whole[record.id]
        assert (record.deal, record.steps) == (other.deal, other.steps)
        # The client writes a comment property where the archive has none.
        assert [one for one in record.tags if one != ("Comment", "")] == [
            one for one in other.tags if one != ("Comment", "")
        ]


@needs_shared
@pytest.mark.parametrize("name", [*FILES, "multi-line"])
def test_the_grammar_reads_real_records_as_the_scanner_does(name: str) -> None:
    for record in list(iss.read(open_lines(ISS / f"{name}.sgf")))[:400]:
        scanned = scan(record.origin.text)
        assert scanned is not None
        exact = read_exactly(record.origin)
        assert exact == scanned == record
        assert exact.findings == ()


@needs_shared
@pytest.mark.parametrize("name", [*FILES, "multi-line"])
def test_every_step_has_its_place_and_every_place_shows_its_step(name: str) -> None:
    for record in list(iss.read(open_lines(ISS / f"{name}.sgf")))[:400]:
        assert isinstance(record, Record)
        places = iss.locate(record.origin.text)
        assert len(places.steps) == len(record.steps)
        for step, (start, end) in zip(record.steps, places.steps, strict=True):
            shown = record.origin.text[start:end]
            if isinstance(step, Play):
                assert shown.split() == [str(step.seat), cards.name(step.card)]
            elif isinstance(step, Discard):
                assert shown.split(" ")[-1].startswith(cards.names(step.cards, "."))
            else:
                assert shown.startswith(("w", str(step.seat)))


def mutations(line: str, chance: random.Random) -> Iterator[str]:
    """Yield texts with one small fault each; some of them are still records."""
    tokens = line.split(" ")
    at = chance.randrange(len(tokens))
    other = chance.randrange(len(tokens))
    yield " ".join(tokens[:at] + tokens[at + 1 :])
    swapped = list(tokens)
    swapped[at], swapped[other] = swapped[other], swapped[at]
    yield " ".join(swapped)
    yield " ".join([*tokens[:at], tokens[other], *tokens[at:]])
    place = chance.randrange(len(line))
    odd = chance.choice("0129 pysw.CSHDGNOZ789TJQKA?|[]();:-\t\n#é\u2007")
    yield line[:place] + odd + line[place + 1 :]
    yield line[:place] + odd + line[place:]
    yield line[:place] + line[place + 1 :]
    yield line[:place] + line[place:].replace(" ", "\n", chance.randrange(4))


def assert_agreed(text: str) -> bool:
    """What the scanner takes is one frame, and the grammar reads it alike, without a finding."""
    scanned = scan(text)
    if scanned is None:
        return False
    framer = Framer(lambda note: pytest.fail(f"junk: {note}"))
    lines = text.split("\n")
    frames = [found for at, line in enumerate(lines, 1) for found in framer.feed(at, line)]
    frames += framer.finish()
    assert [(found.text, found.problem) for found in frames] == [(text, "")]
    exact = read_exactly(scanned.origin)
    assert exact == scanned
    assert exact.findings == ()
    assert len(iss.locate(text).steps) == len(scanned.steps)
    return True


@needs_shared
def test_the_scanner_takes_nothing_that_the_grammar_refuses() -> None:
    chance = random.Random(20)
    lines = [line.rstrip("\n") for name in FILES for line in (ISS / f"{name}.sgf").open()][:400]
    taken = refused = 0
    for line in lines:
        for text in mutations(line, chance):
            if assert_agreed(text):
                taken += 1
            else:
                refused += 1
    assert taken > 500 and refused > 500


@needs_shared
def test_a_mutated_record_is_read_or_refused_with_a_place_and_never_lost() -> None:
    chance = random.Random(21)
    source = [line.rstrip("\n") for line in (ISS / "real.sgf").open()]
    for line in source * 4:
        for text in mutations(line, chance):
            items, findings = all_of(f"{text}\n{line}\n")
            assert items and isinstance(items[-1], Record)
            assert items[-1].origin.text == line
            said = [*findings, *(one for item in items[:-1] for one in item.findings)]
            assert all(message(one) and one.span.line >= 1 for one in said)
            for item in items[:-1]:
                assert isinstance(item, Record) or item.findings


# ---------------------------------------------------------------- the grammar


def test_the_grammar_is_free_of_conflicts_and_collisions() -> None:
    from lark import Lark

    grammar = resources.text("grammar", "iss.lark")
    Lark(grammar, parser="lalr", strict=True)


def test_the_grammar_names_every_property_that_the_reader_knows() -> None:
    grammar = resources.text("grammar", "iss.lark")
    for row in PROPERTIES:
        assert f"{row.name} " in grammar


def test_sound_records_are_read_without_the_parser_library() -> None:
    script = (
        "import sys\nfrom skatspec.formats import iss\n"
        f"assert iss.parse({FULL!r}).steps\nassert 'lark' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


# ---------------------------------------------------------------- laws

any_card = st.integers(0, HIDDEN)
any_cards = st.lists(any_card, max_size=12).map(tuple)
maybe_cards = st.none() | any_cards
seat = st.integers(-1, 2)
name = st.text(st.characters(codec="utf-8"), max_size=12)
CONTRACTS = ("clubs", "spades", "hearts", "diamonds", "grand", "null")

any_step: st.SearchStrategy[Step] = st.one_of(
    st.builds(Bid, seat, st.integers(-1, 12_000) | st.sampled_from([18, 20, 22])),
    st.builds(Hold, seat),
    st.builds(Pass, seat),
    st.builds(PickUp, seat, st.none() | st.tuples(any_card, any_card) | any_cards),
    st.builds(Discard, seat, st.tuples(any_card, any_card) | any_cards),
    st.builds(Declare, seat, st.sampled_from(CONTRACTS), st.integers(0, 15), maybe_cards),
    st.builds(AuctionEnd, seat, st.integers(-1, 300)),
    st.builds(Push, seat, maybe_cards),
    st.builds(Exchange, seat, any_cards),
    *(st.builds(kind, seat) for kind in (Knock, Refuse, Gift, ThrowOpen, EarlyPlay)),
    st.builds(Play, seat, any_card),
    st.builds(Show, seat, maybe_cards),
    st.builds(Resign, seat),
    st.builds(Timeout, seat),
    st.builds(Leave, seat),
)
figure = st.none() | st.integers(-2_000_000, 2_000_000) | st.integers(-300, 300)
flag = st.none() | st.booleans()
flags = st.none() | st.tuples(*[st.booleans()] * 3)
who = st.none() | st.integers(-1, 2)
any_result = st.builds(
    Result,
    st.sampled_from([PASSED, UNKNOWN, GAME, PENALTY]),
    who, flag, figure, figure, flag, figure, figure, flag, flag,
    flags, who, who, flag,
    st.none() | st.tuples(*[st.integers(-300, 300)] * 3), flags,
    st.none() | st.tuples(figure, figure, figure),
)  # fmt: skip
tags = st.lists(
    st.tuples(
        st.sampled_from([row.tag for row in PROPERTIES] + ["iss.XY", "iss.Q1"]),
        st.sampled_from(["", "F", "public", "null"]) | name,
    ),
    max_size=6,
).map(tuple)
any_deal = st.builds(Deal, st.tuples(any_cards, any_cards, any_cards), any_cards) | st.builds(
    Deal, st.tuples(maybe_cards, maybe_cards, maybe_cards), maybe_cards, maybe_cards
)
# Steps of one seat follow each other, so that skat, discard and declaration meet.
turn = st.builds(
    lambda who, steps: [
        type(one)(who, *[getattr(one, key) for key in one.__slots__]) for one in steps
    ],
    st.integers(0, 2),
    st.lists(any_step, min_size=1, max_size=4),
)
any_steps = st.lists(turn | any_step.map(lambda one: [one]), max_size=6).map(
    lambda turns: tuple(one for some in turns for one in some)
)
any_record = st.builds(Record, tags, st.none() | any_deal, any_steps, st.none() | any_result)


@settings(max_examples=400, deadline=None)
@given(any_record)
def test_what_is_written_without_a_finding_is_read_back_equal(record: Record) -> None:
    text, findings = iss.write(record)
    again = iss.parse(text)
    assert isinstance(again, Record), again.findings
    if not findings:
        assert again == record
    else:
        # What was put right once stays as it is.
        second, more = iss.write(again)
        assert iss.parse(second) == again and not more
    assert len(iss.locate(text).steps) == len(again.steps)


@settings(max_examples=300, deadline=None)
@given(any_record)
def test_scanner_and_grammar_agree_on_what_is_written(record: Record) -> None:
    text = iss.write(record)[0].rstrip("\n")
    exact = read_exactly(Origin(text=text))
    scanned = scan(text)
    assert scanned is None or scanned == exact


WORDS = (
    "0 1 2 w p y s 18 ? ?? RE SC SC.C7 TI.1 LE.0 C7 C7.C8 C7.??.?? G GO.C7 N.C7.C8.C9 COO 3 "
    "C7|C8|C9|D7 ||| 18.5 0018 R["
)
words = st.sampled_from(WORDS.split())


@settings(max_examples=600, deadline=None)
@given(st.lists(words, max_size=14), st.sampled_from([" ", "\n", " \n", "  "]))
def test_scanner_and_grammar_agree_on_any_row_of_words(row: list[str], blank: str) -> None:
    text = f"(;MV[w C7.C8{blank}{blank.join(row)} ];)"
    exact = read_exactly(Origin(text=text))
    scanned = scan(text)
    if scanned is not None:
        assert exact == scanned
    if isinstance(exact, Record):
        assert len(iss.locate(text).steps) == len(exact.steps)


@settings(max_examples=300, deadline=None)
@given(st.text("(;)[]MVR# \nGw01p.C7|", max_size=60))
def test_no_text_is_ever_an_exception_and_the_next_record_is_found(text: str) -> None:
    items, _ = all_of(f"{text}\n{ONE}\n")
    assert isinstance(items[-1], Record) and items[-1].origin.text == ONE
    iss.locate(text)
