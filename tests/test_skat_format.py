"""The notation `.skat`: what is read, what is written, and that one undoes the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skatspec import resources
from skatspec.cards import BY_NAME, HIDDEN, NAMES
from skatspec.formats import skat
from skatspec.formats.lines import Lines, from_text, open_lines
from skatspec.record import (
    GAME,
    HAND,
    NO_NUMBER,
    OUVERT,
    PASSED,
    PENALTY,
    SCHNEIDER,
    SCHWARZ,
    SPITZE,
    UNKNOWN,
    WORLD,
    AuctionEnd,
    Bid,
    Comment,
    Deal,
    Declare,
    Discard,
    Double,
    EarlyPlay,
    Exchange,
    Gift,
    Hold,
    Knock,
    Leave,
    OutOfTurn,
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
from tests import strategies
from tests.shared import SHARED, needs_shared

SECTIONS = ("deal", "auction", "contract", "play", "result")
DATA = Path(__file__).parent / "data" / "skat"
NOTATION = resources.text("grammar", "NOTATION.md")
DESIGN_EXAMPLE = re.findall(r"^```skat canonical\n(.*?)^```$", NOTATION, re.S | re.M)[0]


def cards(text: str) -> tuple[int, ...]:
    return tuple(BY_NAME[word] for word in text.split())


def read(text: str) -> Record:
    """Return the record of a body written without its first line; it must be readable."""
    record = skat.parse(f"%skat 1\n{text}")
    assert isinstance(record, Record), record.findings
    return record


def steps(section: str, text: str) -> tuple[Step, ...]:
    return read(f"{section}\n{text}\n").steps


# ------------------------------------------------------------------- the whole record


def test_the_example_of_the_notation_is_read_item_by_item() -> None:
    record = skat.parse(DESIGN_EXAMPLE)
    assert isinstance(record, Record)
    assert record.findings == ()
    assert record.tag("Event") == "Club evening"
    assert record.tags[-3:] == (("F", "Anna"), ("M", "Ben"), ("R", "Cem"))
    assert record.id == "7/12"
    assert record.deal is not None
    assert record.deal.hands[0] == cards("CJ SJ HA HT HK HQ CA CT S7 D9")
    assert record.deal.skat == cards("DQ D7")
    assert record.steps == (
        Bid(1, 18), Hold(0), Bid(1, 20), Hold(0), Pass(1), Pass(2),
        PickUp(0), Discard(0, cards("S7 D9")), Declare(0, "hearts"),
        *(Play(seat, BY_NAME[card]) for seat, card in enumerate(("HA", "H9", "H7"))),
        *(Play(seat, BY_NAME[card]) for seat, card in enumerate(("CJ", "HJ", "DJ"))),
        Resign(1),
    )  # fmt: skip
    assert record.result == Result(GAME, 0, True, 30, points=17, tricks=2, matadors=2)
    assert record.comments == (Comment("step/11", "leader, then the cards in turn", False),)
    assert record.origin.format == "skat"
    assert record.origin.text == DESIGN_EXAMPLE


@settings(max_examples=300, deadline=None)
@given(
    strategies.records(
        step=strategies.steps(st.sampled_from(strategies.CONTRACTS) | strategies.texts)
    )
)
def test_reading_what_was_written_gives_the_same_record(record: Record) -> None:
    text, lost = skat.write(record)
    assert lost == []
    again = skat.parse(text)
    assert again == record
    assert [f.code for f in again.findings] in ([], ["N014"])
    assert skat.format_text(text) == text


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_formatting_twice_is_formatting_once_and_no_text_raises(data: st.DataObject) -> None:
    whole = skat.write(data.draw(strategies.records(max_steps=12)))[0].split("\n")
    junk = st.sampled_from((
        "", "foo", "  bar", "# c", "%skat 1", "%skat 2", "deal", "play", "result", "  1. F: CJ",
        "auction # c", "[X \"y\"] # z", "[Cards \"de\"]", "  F won NaN", "! F left", "((((", "\x0c",
        "  passed in", "  D: CJ", "  F 18.5,",
    )) | st.text(max_size=8)  # fmt: skip
    mangled = st.lists(st.sampled_from(whole) | junk, max_size=30).map("\n".join)
    text = data.draw(mangled)
    for record in skat.read(from_text(text)):
        record.origin.step(1)
        record.origin.part("result/score")
    once = skat.format_text(text)
    assert skat.format_text(once) == once


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
@example("%skat 1\n[")
@example("%skat 1\nplay\n1 F: CJ\n")
@example("%skat 1\nplay\n1.\n")
@example('%skat 1\ncontract\nF "\n')
def test_reading_never_raises(text: str) -> None:
    for whole in (text, f"%skat 1\n{text}", *(f"%skat 1\n{name}\n{text}" for name in SECTIONS)):
        for record in skat.read(from_text(whole)):
            assert isinstance(record, Record) or record.findings


def test_real_games_are_canonical_and_hold_what_the_server_recorded() -> None:
    path = DATA / "real_games.skat"
    found: dict[str, Record] = {}
    for record in skat.read(open_lines(path)):
        assert isinstance(record, Record)
        assert not record.findings
        found[record.id] = record
    known = {  # id: steps, score, card points (ISS archive)
        "756788": (3, None, None), "727": (9, 192, 120), "596891": (53, -72, 41),
        "30": (3, 0, 0), "18358": (9, 96, 120), "10330141": (14, -288, 11), "25": (7, -118, 12),
    }  # fmt: skip
    for name, (count, score, points) in known.items():
        record = found[name]
        assert record.result is not None
        assert (len(record.steps), record.result.score, record.result.points) == (
            count, score, points,
        )  # fmt: skip
    assert skat.format_text(path.read_text("utf-8")) == path.read_text("utf-8")


@needs_shared
def test_real_games_hold_the_cards_and_calls_of_the_server_records() -> None:
    lines = (SHARED / "data" / "iss" / "real.sgf").read_text("ascii").splitlines()
    moves = {
        re.search(r"ID\[(\d+)\]", line)[1]: re.search(r"MV\[(.*?) *\]", line)[1].split()  # type: ignore[index]
        for line in lines
    }
    for record in skat.read(open_lines(DATA / "real_games.skat")):
        assert isinstance(record, Record)
        said = moves[record.id]
        assert record.deal is not None
        dealt = [card for part in record.deal.parts() for card in part or ()]
        assert [NAMES[card] for card in dealt] == said[1].split(".")
        pairs = list(zip(said[2::2], said[3::2], strict=True))
        played = [pair for pair in pairs if pair[1] in BY_NAME and pair[0] != "w"]
        ours = [(str(s.seat), NAMES[s.card]) for s in record.steps if isinstance(s, Play)]
        assert ours == played
        bids = [(str(s.seat), str(s.value)) for s in record.steps if isinstance(s, Bid)]
        assert bids == [pair for pair in pairs if pair[1].isdigit()]


# --------------------------------------------------------------------------- sections


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("M 18", Bid(1, 18)), ("F yes", Hold(0)), ("F hold", Hold(0)), ("F ja", Hold(0)),
        ("R pass", Pass(2)), ("R passe", Pass(2)), ("R weg", Pass(2)), ("M 0", Bid(1, 0)),
        ("M 9999", Bid(1, 9999)), ("M 18.5", Bid(1, NO_NUMBER)), ("M -18", Bid(1, NO_NUMBER)),
        ("M 10000", Bid(1, NO_NUMBER)), ("M 1e9", Bid(1, NO_NUMBER)), ("M ?", Bid(1, NO_NUMBER)),
        (f"M {'9' * 5000}", Bid(1, NO_NUMBER)),
        ("F plays at 24", AuctionEnd(0, 24)), ("R Plays AT 0", AuctionEnd(2, 0)),
        ("F plays at ?", AuctionEnd(0, NO_NUMBER)), ("F plays at 18.5", AuctionEnd(0, NO_NUMBER)),
        ("F plays at 10000", AuctionEnd(0, NO_NUMBER)),
    ],
)  # fmt: skip
def test_calls(text: str, step: Step) -> None:
    assert steps("auction", text) == (step,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F takes the skat", PickUp(0)),
        ("F takes the skat DQ D7", PickUp(0, cards("DQ D7"))),
        ("F takes the skat -", PickUp(0, ())),
        ("M discards ?? S7", Discard(1, (HIDDEN, BY_NAME["S7"]))),
        ("M discards", Discard(1, ())),
        ("R grand", Declare(2, "grand")),
        ("R Grand Hand Schneider", Declare(2, "grand", HAND | SCHNEIDER)),
        ("R spades ouvert schwarz schneider hand", Declare(2, "spades", 15)),
        ("R null ouvert shows C7 C8", Declare(2, "null", OUVERT, cards("C7 C8"))),
        ("R null shows -", Declare(2, "null", 0, ())),
        ('R "ramsch"', Declare(2, "ramsch")),
        ('R "a \\"b\\"" schwarz', Declare(2, 'a "b"', SCHWARZ)),
        ("F hearts spitze hand", Declare(0, "hearts", HAND | SPITZE)),
        ("F Revolution hand", Declare(0, "revolution", HAND)),
        ("F ramsch", Declare(0, "ramsch")),
        ("ramsch", Declare(WORLD, "ramsch")),
        ("RAMSCH,", Declare(WORLD, "ramsch")),
        ("F pushes S7 D9", Push(0, cards("S7 D9"))),
        ("F pushes ?? ??", Push(0, (HIDDEN, HIDDEN))),
        ("F pushes -", Push(0, ())),
        ("M pushes Unseen", Push(1)),
        ("M knocks", Knock(1)),
        ("M exchanges to CA CK", Exchange(1, cards("CA CK"))),
        ("M exchanges to -", Exchange(1, ())),
        ("M kontra", Double(1, "kontra")),
        ("F Re", Double(0, "re")),
        ("R bock", Double(2, "bock")),
        ("F hirsch", Double(0, "hirsch")),
    ],
)
def test_acts(text: str, expected: Step) -> None:
    assert steps("contract", text) == (expected,)
    record = Record(steps=(expected,))
    assert skat.parse(skat.write(record)[0]) == record


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F plays at 24", AuctionEnd(0, 24)),
        ("F plays early", EarlyPlay(0)),
        ("F plays out of turn", OutOfTurn(0)),
        ("F plays CA", Play(0, BY_NAME["CA"])),
        ("M refuses", Refuse(1)),
        ("M gives", Gift(1)),
        ("M throws open", ThrowOpen(1)),
        ("M knocks", Knock(1)),
        ("M kontra", Double(1, "kontra")),
        ("M pushes unseen", Push(1)),
        ("F pushes S7 D9", Push(0, cards("S7 D9"))),
        ("M exchanges to CA CK", Exchange(1, cards("CA CK"))),
        ("declares ramsch", Declare(WORLD, "ramsch")),
        ("F declares ramsch", Declare(0, "ramsch")),
        ("Declares revolution hand", Declare(WORLD, "revolution", HAND)),
    ],
)
def test_any_step_may_stand_behind_a_mark(text: str, expected: Step) -> None:
    played = (Play(0, 28), expected)
    assert steps("play", f"1. F: CJ\n! {text}") == played
    assert skat.parse(skat.write(Record(steps=played))[0]) == Record(steps=played)


def test_a_ramsch_has_a_line_of_its_own_and_the_pushes_theirs() -> None:
    text = (
        '%skat 1\n[Places "2 3 1"] [F "Anna"]\n[Round "ramsch"] [Dealer "R"]\n\ncontract\n'
        "  # nobody's\n  ramsch  # behind it\n  F takes the skat C9 S8, pushes CJ S8\n"
        "  M pushes unseen\n  R takes the skat, pushes S8 D7, knocks\nplay\n  1. F: CA\nresult\n"
        "  declarer nobody, losers R, scores 0 0 -69, counted ? 51 69\n"
    )
    record = skat.parse(text)
    assert isinstance(record, Record) and record.findings == ()
    assert record.steps == (
        Declare(WORLD, "ramsch"), PickUp(0, cards("C9 S8")), Push(0, cards("CJ S8")), Push(1),
        PickUp(2), Push(2, cards("S8 D7")), Knock(2), Play(0, BY_NAME["CA"]),
    )  # fmt: skip
    assert record.comments == (
        Comment("step/0", "nobody's"), Comment("step/0", "behind it", False),
    )  # fmt: skip
    assert record.result == Result(
        declarer=WORLD,
        scores=(0, 0, -69),
        losers=(False, False, True),
        counted=(None, 51, 69),
    )
    assert skat.write(record) == (text, [])


def test_what_nobody_declares_stands_behind_a_mark_but_for_a_ramsch_in_its_place() -> None:
    world = [Declare(WORLD, "ramsch", HAND), Declare(WORLD, "grand"), Declare(WORLD, "ramsch")]
    record = Record(steps=(Bid(1, 18), *world, Play(0, 28), world[2]))
    text, lost = skat.write(record)
    assert text == (
        "%skat 1\nauction\n  M 18\n  ! declares ramsch hand\n  ! declares grand\ncontract\n"
        "  ramsch\nplay\n  1. F: CJ\n  ! declares ramsch\n"
    )
    assert lost == [] and skat.parse(text) == record
    in_place = "%skat 1\ncontract\n  ! declares ramsch\n  ! M knocks\n"
    assert skat.format_text(in_place) == "%skat 1\ncontract\n  ramsch\n  M knocks\n"


def test_the_pack_may_stand_alone_or_beside_hands() -> None:
    alone = read("deal\nPack: CJ S7 ♥10\n").deal
    assert alone == Deal((None, None, None), None, cards("CJ S7 HT"))
    text = "%skat 1\ndeal\n  F: CJ\n  skat: -\n  # dealt so\n  pack: S7 ??  # behind\n"
    record = skat.parse(text)
    assert isinstance(record, Record)
    assert record.deal == Deal((cards("CJ"), None, None), (), cards("S7 ??"))
    assert [one.where for one in record.comments] == ["deal/4", "deal/4"]
    assert record.hidden() and skat.write(record) == (text, [])


def test_another_seat_may_act_on_its_own_line() -> None:
    text = "contract\n  F takes the skat, discards S7 D9\n  M hearts\n  F hearts\n"
    record = read(text)
    assert [step.seat for step in record.steps] == [0, 0, 1, 0]
    assert skat.write(record)[0] == "%skat 1\n" + text


def test_a_card_out_of_turn_names_its_seat_and_the_next_follows_it() -> None:
    played = steps("play", "1. F: HA R:H9 H7\n2. M: CJ F: CT M: C9")
    assert [step.seat for step in played] == [0, 2, 0, 1, 0, 1]
    assert skat.write(Record(steps=played))[0].split("\n")[2:4] == [
        "  1. F: HA R:H9 H7",
        "  2. M: CJ F:CT C9",
    ]


def test_irregular_steps_keep_their_place_within_a_trick() -> None:
    text = (
        "play\n  1. F: HA\n  ! M resigns\n  1... M: H9\n  ! F shows CJ SJ\n  ! R timed out\n"
        "  1... R: H7\n  2. F: CJ\n  ! R left\n"
    )
    record = read(text)
    assert [type(step) for step in record.steps] == [
        Play, Resign, Play, Show, Timeout, Play, Play, Leave,
    ]  # fmt: skip
    assert skat.write(record)[0] == "%skat 1\n" + text


def test_steps_out_of_their_section_are_written_as_irregular_lines() -> None:
    record = Record(steps=(Play(0, 28), Bid(1, 18), Declare(0, "null", OUVERT, (1,)), Play(1, 3)))
    text, lost = skat.write(record)
    assert text == (
        "%skat 1\nplay\n  1. F: CJ\n  ! M bids 18\n  ! F declares null ouvert shows D8\n"
        "  1... M: DT\n"
    )
    assert lost == []


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("F won 30", Result(declarer=0, won=True, score=30)),
        ("F lost 96", Result(declarer=0, won=False, score=-96)),
        ("F lost -96", Result(declarer=0, won=False, score=-96)),
        ("F lost +96", Result(declarer=0, won=False, score=96)),
        ("F won -96", Result(declarer=0, won=True, score=-96)),
        ("F lost 0", Result(declarer=0, won=False, score=0)),
        ("won", Result(won=True)),
        ("M lost", Result(declarer=1, won=False)),
        ("declarer R, score -48", Result(declarer=2, score=-48)),
        ("declarer nobody", Result(declarer=WORLD)),
        ("game", Result()),
        ("passed in", Result(PASSED)),
        ("unknown", Result(UNKNOWN)),
        ("penalty", Result(PENALTY)),
        ("penalty R F", Result(PENALTY, penalized=(True, False, True))),
        ("penalty nobody", Result(PENALTY, penalized=(False, False, False))),
        ("unknown, penalized M", Result(UNKNOWN, penalized=(False, True, False))),
        ("nobody penalized", Result(penalized=(False, False, False))),
        ("points -5, tricks 121", Result(points=-5, tricks=121)),
        ("with 2", Result(matadors=2)),
        ("without 11", Result(matadors=-11)),
        ("matadors 0", Result(matadors=0)),
        ("matadors -3", Result(matadors=-3)),
        ("overbid, no schneider, schwarz, not resigned",
         Result(overbid=True, schneider=False, schwarz=True, resigned=False)),
        ("left M, nobody timed out", Result(left=1, timed_out=WORLD)),
        ("nobody left, timed out R", Result(left=WORLD, timed_out=2)),
        ("Points 17\n  Tricks 2", Result(points=17, tricks=2)),
        ("scores 0 +12 -69", Result(scores=(0, 12, -69))),
        ("losers R", Result(losers=(False, False, True))),
        ("losers M F", Result(losers=(True, True, False))),
        ("losers nobody", Result(losers=(False, False, False))),
        ("counted 0 51 69", Result(counted=(0, 51, 69))),
        ("counted ? ? ?", Result(counted=(None, None, None))),
    ],
)  # fmt: skip
def test_results(text: str, result: Result) -> None:
    record = read(f"result\n  {text}\n")
    assert record.result == result
    assert skat.parse(skat.write(record)[0]) == record


def test_a_missing_hand_an_empty_hand_and_a_hidden_hand_differ() -> None:
    record = read("deal\nF:\nM: ?? ??\nskat: -\n")
    assert record.deal == Deal(((), (HIDDEN, HIDDEN), None), ())
    assert read("deal\n").deal == Deal((None, None, None), None)
    assert read("play\n1. F: CJ\n").deal is None


# ------------------------------------------------------------------------------ cards


@pytest.mark.parametrize(
    ("word", "card"),
    [
        ("CJ", "CJ"), ("H10", "HT"), ("♣J", "CJ"), ("♠\ufe0e10", "ST"), ("♥\ufe0fA", "HA"),
        ("♢7", "D7"), ("KreuzB", "CJ"), ("Pik10", "ST"), ("KaD", "DQ"), ("HerzKönig", "HK"),
        ("KaroAss", "DA"), ("♦D", "DQ"), ("♣B", "CJ"), ("EichelU", "CJ"), ("GrO", "SQ"),
        ("Rot10", "HT"), ("SchellenA", "DA"), ("LaubDaus", "SA"), ("♣U", "CJ"), ("??", "??"),
    ],
)  # fmt: skip
def test_a_card_may_be_spelled_in_the_letters_of_every_tradition(word: str, card: str) -> None:
    assert steps("play", f"1. F: {word}") == (Play(0, BY_NAME[card]),)


@pytest.mark.parametrize("alphabet", ["de", "eichel"])
def test_a_whole_deal_tells_its_alphabet_and_is_written_in_english_letters(alphabet: str) -> None:
    suits = {"de": "Kr Pi He Ka", "eichel": "Ei Gr Ro Sc"}[alphabet].split()
    ranks = {"de": "7 8 9 10 B D K A", "eichel": "7 8 9 10 U O K A"}[alphabet].split()
    deck = [suit + rank for suit in suits for rank in ranks]
    body = f"deal\nF: {' '.join(deck[:16])}\nM: {' '.join(deck[16:])}\n"
    record = read(body)
    assert record.deal is not None
    expected = [BY_NAME[s + r] for s in "CSHD" for r in "789TJQKA"]
    assert [c for part in record.deal.parts() for c in part or ()] == expected
    assert read(f'[Cards "{alphabet}"] [F "x"]\n{body}').tags == (("F", "x"),)
    assert skat.parse(skat.write(record)[0]) == record


# ----------------------------------------------------------------- tags and comments


@pytest.mark.parametrize(
    "value", [*strategies.NASTY_TEXTS, "\ud800", "".join(map(chr, range(256)))]
)
def test_a_tag_may_hold_anything(value: str) -> None:
    record = Record(tags=(("F", value), ("Note", value)))
    text = skat.write(record)[0]
    assert skat.parse(text) == record
    assert text.isprintable() or "\n" in text
    assert len(text.split("\n")) == 4


def test_a_byte_that_is_no_utf8_keeps_the_record() -> None:
    lines = Lines([b'%skat 1\n[F "J\xc3\xbcrgen \xff"]\nplay\n1. F: CJ\n'])
    (record,) = skat.read(lines)
    assert isinstance(record, Record)
    assert record.tags == (("F", "Jürgen \ufffd"),)
    assert [one.code for one in lines.findings] == ["E003"]
    assert skat.parse(skat.write(record)[0]) == record


def test_tags_are_laid_out_by_group_and_broken_at_a_hundred_columns() -> None:
    tags = [("Event", "e" * 80), ("Table", "7" * 20), ("Deal", "1"), ("X", "y"), ("F", "Anna")]
    text = skat.write(Record(tags=tuple(tags)))[0]
    assert [re.findall(r"\[(\w+)", line) for line in text.split("\n")[1:-1]] == [
        ["Event"], ["Table", "Deal"], ["X"], ["F"],
    ]  # fmt: skip


def test_comments_survive_with_the_item_they_belong_to() -> None:
    record = read(
        '# tag\n[F "a # b"] # behind the tag\ndeal # d\n  # hand\n  F: CJ # h\n'
        "auction\n  # step\n  M 18, F yes # call\n# play\nplay\n 1. F: HA # card\n"
        "# result\nresult # header\n  # inside\n  F won 3 #\n#  end\n"
    )
    assert record.comments == (
        Comment("tag/0", "tag"), Comment("tag/0", "behind the tag", False),
        Comment("deal", "d", False), Comment("deal/0", "hand"), Comment("deal/0", "h", False),
        Comment("step/0", "step"), Comment("step/1", "call", False), Comment("play", "play"),
        Comment("step/2", "card", False), Comment("result", "result"),
        Comment("result", "inside"), Comment("result", "header", False),
        Comment("result", "", False), Comment("end", " end"),
    )  # fmt: skip
    assert skat.parse(skat.write(record)[0]) == record


def test_what_has_no_place_is_reported_not_dropped_in_silence() -> None:
    record = Record(
        tags=(("Cards", "de"),),
        steps=(Bid(0, 10_000), Step(0), Hold(1), Double(1, "contra"), Pass(WORLD), Play(3, 1)),
        result=Result(score=10**6, scores=(0, 10**6, 0), counted=(None, 1, -(10**5000))),
        comments=(Comment("step/9", "far"), Comment("tag/0", "on a tag that goes")),
    )
    text, lost = skat.write(record)
    assert sorted(one.code for one in lost) == [
        "X001", "X003", *["X004"] * 4, *["X005"] * 3, "X008", "X008",
    ]  # fmt: skip
    assert text == ("%skat 1\nauction\n  F ?, M yes\nresult\n  game\n# far\n# on a tag that goes\n")
