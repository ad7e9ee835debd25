"""ISS records: what every word stands for, and what the writer does with the rest."""

from __future__ import annotations

import pytest

from skatspec import cards
from skatspec.cards import HIDDEN
from skatspec.diagnostics import message
from skatspec.formats import iss
from skatspec.formats.iss_grammar import read_exactly
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
    BrokenRecord,
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
    FULL,
    PACK,
    VIEW,
    all_of,
    card,
    codes,
    hand,
    kinds,
    moves_of,
    result_of,
)

# ---------------------------------------------------------------- what stands for what


def test_a_full_record_means_what_it_says() -> None:
    record = iss.parse(FULL)
    assert isinstance(record, Record) and not record.findings
    assert record.tags == (
        ("Place", "ISS2"), ("Comment", ""), ("Series", "1"), ("Id", "2"),
        ("Date", "2020-01-01/00:00:00/UTC"), ("F", "a"), ("M", "@b"), ("R", "xskat:2"),
        ("RatingF", ""), ("RatingM", "null"), ("RatingR", "0.0"),
    )  # fmt: skip
    pack = tuple(range(32))
    assert record.deal == Deal((pack[:10], pack[10:20], pack[20:30]), pack[30:])
    assert record.steps == (
        Bid(1, 18), Hold(0), Pass(1), Pass(2), PickUp(0, hand("DQ D7")),
        Discard(0, hand("D7 D8")), Declare(0, "grand"), Play(0, card("CJ")), Play(1, HIDDEN),
        Show(0), Resign(2), Timeout(1), Leave(2),
    )  # fmt: skip
    assert record.result == Result(
        GAME, 0, False, -96, -1, True, 41, 4, False, True, (False, True, False), 2, 1, True
    )
    assert iss.write(record) == (FULL + "\n", [])


@pytest.mark.parametrize(
    ("text", "contract", "bits"),
    [
        ("C", "clubs", 0),
        ("S", "spades", 0),
        ("HH", "hearts", HAND),
        ("DHS", "diamonds", HAND | SCHNEIDER),
        ("CHZ", "clubs", HAND | SCHWARZ),
        ("GO", "grand", OUVERT),
        ("NOH", "null", OUVERT | HAND),
        ("NHO", "null", OUVERT | HAND),
        ("SZSHO", "spades", HAND | SCHNEIDER | SCHWARZ | OUVERT),
    ],
)
def test_a_declaration_states_its_letters_and_nothing_they_imply(
    text: str, contract: str, bits: int
) -> None:
    assert moves_of(f"0 {text}") == (Declare(0, contract, bits),)


@pytest.mark.parametrize("text", ["NOH", "GO", "GHSZO", "CHZ", "DHS", "N", "NOHSZ"])
def test_modifiers_are_written_in_the_servers_order(text: str) -> None:
    record = Record(deal=Deal(((), (), ()), ()), steps=moves_of(f"1 {''.join(reversed(text[1:]))}"
                    .replace("1 ", f"1 {text[0]}")))  # fmt: skip
    assert f" 1 {text} ]" in iss.write(record)[0]


def test_cards_behind_a_declaration_are_shown_unless_the_skat_was_taken() -> None:
    ten = "D7.D8.D9.DT.DJ.DQ.DK.DA.H7.H8"
    shown = tuple(card(name) for name in ten.split("."))
    assert moves_of(f"0 GO.{ten}") == (Declare(0, "grand", OUVERT, shown),)
    assert moves_of(f"0 s 0 NO.??.CJ.{ten}") == (
        PickUp(0),
        Discard(0, (HIDDEN, card("CJ"))),
        Declare(0, "null", OUVERT, shown),
    )
    assert moves_of(f"0 s 1 GO.{ten}")[1:] == (Declare(1, "grand", OUVERT, shown),)


def test_a_split_discard_stands_behind_the_declaration_and_is_not_made_twice() -> None:
    assert moves_of("2 s w DK.HK 2 D 2 D9.DQ 2 GO.C7.C8") == (
        PickUp(2, hand("DK HK")),
        Declare(2, "diamonds"),
        Discard(2, hand("D9 DQ")),
        Declare(2, "grand", OUVERT, hand("C7 C8")),
    )


def test_a_views_split_discard_of_three_is_one_known_and_one_hidden_card() -> None:
    # Record 596891 as forehand and the public see it.
    assert moves_of("2 s w ??.?? 2 D 2 D9.??.??")[-1] == Discard(2, (card("D9"), HIDDEN))
    assert moves_of("2 D 2 ??.??.??")[-1] == Discard(2, (HIDDEN,) * 3)


def test_cards_may_be_shown_with_and_without_saying_which() -> None:
    assert moves_of("1 SC 1 SC.C7.??") == (Show(1), Show(1, (card("C7"), HIDDEN)))


@pytest.mark.parametrize(
    "text", ["18.5", "18,5", "-18", "+18", "0018", "10000", "1" + "0" * 50, "1e9", "?", "00"]
)
def test_a_number_no_bid_can_have_is_a_bid_of_no_number(text: str) -> None:
    assert moves_of(f"1 {text}") == (Bid(1, NO_NUMBER),)


@pytest.mark.parametrize("value", [0, 17, 18, 171, 499, 500, 9999])
def test_any_whole_number_of_four_digits_is_kept(value: int) -> None:
    assert moves_of(f"1 {value}") == (Bid(1, value),)


def test_a_bid_of_no_number_is_written_and_read_again() -> None:
    record = Record(deal=Deal(((), (), ()), ()), steps=(Bid(1, NO_NUMBER), Play(0, HIDDEN)))
    assert iss.parse(iss.write(record)[0]) == record


@pytest.mark.parametrize(
    ("deal", "sizes"),
    [
        (PACK, [10, 10, 10, 2]),
        (cards.names(range(31), "."), [10, 10, 10, 1]),
        (PACK + ".D7", [10, 10, 10, 3]),
        (cards.names(range(25), "."), [10, 10, 5, 0]),
        ("CJ", [1, 0, 0, 0]),
        (VIEW, [10, 10, 10, 2]),
        ("C7.C8|S7||D7.D8.D9", [2, 1, 0, 3]),
        ("|||", [0, 0, 0, 0]),
    ],
)
def test_a_deal_of_any_size_is_kept_for_the_checker(deal: str, sizes: list[int]) -> None:
    record = iss.parse(f"(;MV[w {deal} 0 p ];)")
    assert isinstance(record, Record) and record.deal is not None
    assert [len(part or ()) for part in record.deal.parts()] == sizes
    assert read_exactly(record.origin) == record
    assert iss.parse(iss.write(record)[0]) == record


def test_the_deal_is_written_with_bars_in_a_view_and_where_cards_are_hidden() -> None:
    open_deal = iss.parse(FULL)
    assert isinstance(open_deal, Record)
    assert "|" not in iss.write(open_deal)[0]
    view = Record((("View", "M"),), open_deal.deal)
    assert "OW[1]MV[w D7" in iss.write(view)[0] and iss.write(view)[0].count("|") == 3
    hidden = iss.parse(f"(;MV[w {VIEW} ];)")
    assert isinstance(hidden, Record)
    assert iss.write(hidden)[0] == f"(;GM[Skat]MV[w {VIEW} ] ;)\n"


# ---------------------------------------------------------------- result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("passed", Result(PASSED)),
        ("unknown", Result(UNKNOWN)),
        ("", None),
        (" ", None),
        ("win", Result(GAME, won=True)),
        ("d:1 v:20", Result(GAME, 1, score=20)),
        ("d:-1 penalty v:0", Result(PENALTY, WORLD, score=0)),
        ("overbid l:-1 to:2", Result(GAME, overbid=True, left=WORLD, timed_out=2)),
        ("p:121 t:-5", Result(GAME, points=121, tricks=-5)),
        ("r:0 p2:1 p1:0 p0:0", Result(penalized=(False, False, True), resigned=False)),
    ],
)
def test_a_result_may_lack_any_field(text: str, result: Result | None) -> None:
    assert result_of(text) == (result, [])


def test_a_record_without_result_states_none() -> None:
    record = iss.parse(f"(;MV[w {PACK} 1 p ];)")
    assert isinstance(record, Record) and record.result is None
    assert "]R[" not in iss.write(record)[0]


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("v:NaN", "score"),
        ("v:1e9", "score"),
        ("v:1234567", "score"),
        ("v:", "score"),
        ("m:+1", "matadors"),
        ("p:60.5", "points"),
        ("d:3", "declarer"),
        ("l:-2", "left"),
        ("to:x", "timed_out"),
        ("s:2", "schneider"),
        ("p0:0 p1:7 p2:0", "penalized"),
        ("r:yes", "resigned"),
    ],
)
def test_an_impossible_figure_spoils_its_field_and_nothing_else(text: str, field: str) -> None:
    result, found = result_of(f"{text} t:4" if field != "tricks" else text)
    assert found == ["S016"]
    assert result == Result(tricks=4)
    assert getattr(result, field) is None


@pytest.mark.parametrize(
    "text", ["foo", "win loss", "bidok overbid", "v:1 v:2", "p0:1 p2:0", "winx", "tt:3"]
)
def test_what_a_result_cannot_hold_is_reported_once(text: str) -> None:
    assert result_of(text)[1] == ["S016"]


def test_of_two_results_the_first_is_kept() -> None:
    record = iss.parse(f"(;MV[w {PACK} ]R[passed]R[unknown];)")
    assert isinstance(record, Record)
    assert record.result == Result(PASSED) and codes(record) == ["S017"]


# ---------------------------------------------------------------- tags


@pytest.mark.parametrize("name", ["passed", "penalty", "R[passed", "1 18 0 y", "a;)b", "(;", "MV["])
def test_a_name_that_looks_like_syntax_is_an_ordinary_name(name: str) -> None:
    text = f"(;GM[Skat]P0[{name}]P1[b]MV[w {PACK} 1 p ]R[passed] ;)\n"
    items, findings = all_of(text * 2)
    assert kinds(items) == "rr" and not findings
    assert items[0] == items[1]
    assert isinstance(items[0], Record)
    assert items[0].tags == (("F", name), ("M", "b"))
    assert iss.write(items[0])[0] == text


def test_properties_may_be_missing_empty_and_in_any_order() -> None:
    record = iss.parse(f"(;P2[c]MV[w {PACK} ]ID[]PC[x];)")
    assert isinstance(record, Record) and not record.findings
    assert record.tags == (("R", "c"), ("Id", ""), ("Place", "x"))
    assert iss.parse(iss.write(record)[0]) == record


def test_an_unknown_property_is_kept_under_its_own_name() -> None:
    record = iss.parse(f"(;GM[Skat]XY[z]MV[w {PACK} ];)")
    assert isinstance(record, Record)
    assert record.tags == (("iss.XY", "z"),) and codes(record) == ["N007"]
    assert iss.write(record) == (f"(;GM[Skat]XY[z]MV[w {PACK} ] ;)\n", [])


def test_a_record_of_unknown_properties_alone_is_read_in_bounded_time() -> None:
    record = iss.parse("(;" + "A[]" * 20_000 + "MV[w CJ];)")
    assert isinstance(record, Record)
    assert len(record.tags) == 20_000 and len(record.findings) == 100


def test_a_property_that_stands_twice_is_kept_twice_and_reported() -> None:
    record = iss.parse(f"(;P0[a]P0[b]MV[w {PACK} ];)")
    assert isinstance(record, Record)
    assert record.tags == (("F", "a"), ("F", "b")) and codes(record) == ["N010"]


def test_a_view_that_is_none_is_kept_and_reported() -> None:
    record = iss.parse(f"(;OW[7]MV[w {PACK} ];)")
    assert isinstance(record, Record)
    assert record.tag("View") == "7" and codes(record) == ["N008"]
    assert record.findings[0].expected == "0, 1, 2, 3"


def test_a_record_of_another_game_is_broken() -> None:
    record = iss.parse("(;GM[Hearts]MV[0 p];)")
    assert isinstance(record, BrokenRecord) and codes(record) == ["N008"]


def test_letters_beyond_ascii_are_written_as_they_are() -> None:
    record = Record((("F", "Jürgen ♣"),), Deal(((), (), ()), ()))
    text, findings = iss.write(record)
    assert "P0[Jürgen ♣]" in text and not findings
    assert iss.parse(text) == record


# ---------------------------------------------------------------- writing what does not fit


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (Record((("Event", "x"),)), ["X001", "X006"]),
        (Record((("iss.PC", "x"),)), ["X001", "X006"]),
        (Record((("iss.x y", "x"),)), ["X001", "X006"]),
        (Record((("F", "a]b"),)), ["X003", "X006"]),
        (Record((("F", "a\nb\u2028"),)), ["X003", "X006"]),
        (Record((("View", "0"),)), ["X003", "X006"]),
        (Record(comments=(Comment("end", "x"),)), ["X006", "X002"]),
        (Record(deal=Deal((hand("CJ"), None, None), None)), ["X006"] * 3),
        (Record(steps=(Pass(WORLD),)), ["X006", "X004"]),
        (Record(steps=(Discard(0, hand("CJ")),)), ["X006", "X004"]),
        (Record(steps=(PickUp(0), Declare(0, "grand", 0, hand("CJ SJ")))), ["X006", "X004"]),
        (
            Record(
                steps=(PickUp(0), Discard(0, hand("CJ")), Declare(0, "grand", 0, hand("SJ C7")))
            ),
            ["X006", "X004", "X004"],
        ),
        (Record(steps=(PickUp(0, ()),)), ["X006", "X004"]),
        (Record(steps=(Bid(0, 10**5000),)), ["X006", "X003"]),
        (Record(result=Result(PASSED, won=True)), ["X006", "X005"]),
        (Record(result=Result(score=10**7)), ["X006", "X005", "X005"]),
        (Record(result=Result(points=10**5000)), ["X006", "X005", "X005"]),
        (Record(result=Result()), ["X006", "X005"]),
        (Record((("Round", "bock"), ("Places", "2 3 1"))), ["X001", "X001", "X006"]),
        (Record(deal=Deal((None, None, None), None, hand("CJ SJ"))), ["X004", *["X006"] * 4]),
        (Record(steps=(AuctionEnd(0, 24),)), ["X006", "X004"]),
        (Record(steps=(Push(0), Push(1, hand("CJ SJ")), Knock(2))), ["X006", *["X004"] * 3]),
        (Record(steps=(Exchange(1, hand("CJ SJ")),)), ["X006", "X004"]),
        (Record(steps=(Refuse(0), Gift(1), ThrowOpen(2), EarlyPlay(0))), ["X006", *["X004"] * 4]),
        (
            Record(
                result=Result(
                    GAME,
                    WORLD,
                    scores=(0, 0, -69),
                    losers=(False, False, True),
                    counted=(None, 51, 10**5000),
                )
            ),
            ["X006", *["X005"] * 3],
        ),
    ],
)
def test_what_has_no_place_in_iss_is_named(record: Record, expected: list[str]) -> None:
    text, findings = iss.write(record)
    assert [found.code for found in findings] == expected
    assert all(message(found) for found in findings)
    assert text.count("\n") == 1
    assert isinstance(iss.parse(text), Record)


def test_a_bracket_in_a_name_becomes_a_parenthesis_and_a_line_end_a_blank() -> None:
    text, _ = iss.write(Record((("F", "a]b"), ("M", "c\nd"))))
    assert "P0[a)b]P1[c d]" in text


def test_a_missing_deal_is_written_hidden() -> None:
    text, _ = iss.write(Record(steps=(Pass(1),)))
    assert text == f"(;GM[Skat]MV[w {VIEW} 1 p ] ;)\n"


@pytest.mark.parametrize(
    "step",
    [
        Declare(WORLD, "ramsch"), Declare(0, "revolution", HAND),
        Declare(0, "hearts", HAND | SPITZE), Double(1, "kontra"),
    ],
)  # fmt: skip
def test_a_game_that_iss_does_not_have_is_not_written_as_another(step: Step) -> None:
    text, findings = iss.write(Record(steps=(step, Play(0, card("CJ")))))
    assert text == "" and [found.code for found in findings] == ["X007"]


def test_the_pack_is_named_when_it_is_left_out() -> None:
    deal = Deal((hand("CJ"), None, None), None, hand("CJ SJ"))
    _, findings = iss.write(Record(deal=deal, steps=(Declare(0, "hearts", HAND),)))
    said = [(message(one), one.part) for one in findings if one.code == "X004"]
    assert said == [("the pack has no place in ISS and was dropped", "deal/4")]


def test_a_push_that_is_left_out_leaves_no_discard_to_a_later_declaration() -> None:
    shown = hand("C7 C8 C9")
    steps = (PickUp(0), Push(0, hand("CJ SJ")), Declare(0, "grand", OUVERT, shown))
    text, findings = iss.write(Record(deal=Deal(((), (), ()), ()), steps=steps))
    assert [found.code for found in findings] == ["X004", "X004"]
    again = iss.parse(text)
    assert isinstance(again, Record)
    assert again.steps == (PickUp(0), Declare(0, "grand", OUVERT))
