"""The JSON form of records: both directions, the schema, framing, hostile input."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from skatspec import resources
from skatspec.cards import HIDDEN
from skatspec.diagnostics import Diagnostic, message
from skatspec.formats import iss, record_json
from skatspec.formats.lines import Lines, from_text, open_lines
from skatspec.formats.record_text import LIMIT
from skatspec.record import (
    DOUBLES,
    GAME,
    NO_NUMBER,
    OUVERT,
    PASSED,
    PENALTY,
    RAMSCH,
    SCHNEIDER,
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
from tests.shared import SHARED, needs_shared

SCHEMA = Draft202012Validator(json.loads(resources.text("schemas", "record.schema.json")))
FULL = Record(
    (("F", "Jürgen"), ("F", "twice"), ("Comment", 'a "b" \\ \u2028 \n ♣')),
    Deal(((0, 1, HIDDEN), None, ()), (30, 31), (5, 4, HIDDEN)),
    (
        Bid(1, 18), Bid(1, 500), Bid(1, NO_NUMBER), Hold(0), Pass(1), PickUp(0),
        PickUp(0, (30, 31)),
        Discard(0, (1, HIDDEN)), Declare(0, "grand", OUVERT | SCHNEIDER, (0, 1)),
        Declare(2, "revolution"), Play(0, 0), Play(1, HIDDEN), Show(0), Show(0, (3,)), Resign(2),
        Timeout(1), Leave(2), Pass(WORLD),
        AuctionEnd(0, 24), AuctionEnd(1, NO_NUMBER), Declare(WORLD, RAMSCH), Push(2),
        Push(1, (30, 31)), Knock(0), Declare(0, "hearts", SPITZE), Exchange(1, (2, HIDDEN)),
        Double(1, "kontra"), Double(0, "hirsch"), Refuse(0), Gift(2), ThrowOpen(1), EarlyPlay(0),
    ),
    Result(
        GAME, 0, False, -96, -1, True, 41, 4, False, True, (False, True, False), 2, WORLD, True,
        (0, 0, -69), (False, False, True), (0, None, 69),
    ),
    (Comment("step/3", "so it was"), Comment("end", "x", own_line=False)),
)  # fmt: skip


def document(text: str) -> Any:
    return json.loads(text)


def wrapped(**members: Any) -> str:
    return json.dumps({"skatspec": 1, **members})


def all_of(text: str) -> tuple[list[Record | BrokenRecord], list[Diagnostic]]:
    lines = from_text(text)
    return list(record_json.read(lines)), lines.findings


def codes(item: Record | BrokenRecord) -> list[str]:
    return [found.code for found in item.findings]


def kinds(items: list[Record | BrokenRecord]) -> str:
    """Return a letter a record: r read, b broken."""
    return "".join("r" if isinstance(item, Record) else "b" for item in items)


# ---------------------------------------------------------------- both directions


def test_a_full_record_is_read_back_equal_from_one_line_that_fits_the_schema() -> None:
    text, findings = record_json.write(FULL)
    assert findings == [] and text.count("\n") == 1 and text.endswith("}\n")
    SCHEMA.validate(document(text))
    assert record_json.parse(text) == FULL


def test_names_stay_readable_and_what_breaks_lines_is_escaped() -> None:
    text, _ = record_json.write(Record((("F", "Jürgen \u2028\u2029\ufeff\x85\ud800"),)))
    assert "Jürgen \\u2028\\u2029\\ufeff\\u0085\\ud800" in text


@needs_shared
def test_iss_records_keep_everything_on_the_way_through_json() -> None:
    for name in ("real", "view-public", "client-random-3000"):
        for record in list(iss.read(open_lines(SHARED / "data" / "iss" / f"{name}.sgf")))[:300]:
            assert isinstance(record, Record)
            text, findings = record_json.write(record)
            assert not findings
            assert record_json.parse(text) == record
            again = record_json.parse(json.dumps(document(text), indent=2))
            assert again == record


def test_missing_parts_and_null_are_the_same() -> None:
    bare = record_json.parse('{"skatspec": 1}')
    nulls = wrapped(deal=None, result=None)
    assert bare == record_json.parse(nulls) == Record()
    hands = wrapped(deal={"forehand": None, "skat": ["CJ"]}, result={"won": None})
    record = record_json.parse(hands)
    assert isinstance(record, Record) and not record.findings
    assert record.deal == Deal((None, None, None), (28,))
    assert record.result == Result()


def test_an_empty_record_warns() -> None:
    assert codes(record_json.parse('{"skatspec": 1}')) == ["N014"]
    assert codes(record_json.parse('{"skatspec": 1, "result": {}}')) == []


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (Record(steps=(Bid(0, -5),)), "X003"),
        (Record(steps=(Bid(0, 10**5000),)), "X003"),
        (Record(steps=(AuctionEnd(0, 10_000),)), "X003"),
        (Record(steps=(Pass(7),)), "X004"),
        (Record(steps=(Double(1, "contra"),)), "X004"),
        (Record(result=Result(score=10**6)), "X005"),
        (Record(result=Result(scores=(0, 0, 10**6))), "X005"),
        (Record(result=Result(counted=(None, 10**5000, 1))), "X005"),
    ],
)
def test_what_json_cannot_say_is_named(record: Record, expected: str) -> None:
    text, findings = record_json.write(record)
    assert [found.code for found in findings] == [expected]
    assert message(findings[0])
    SCHEMA.validate(document(text))


# ---------------------------------------------------------------- figures and bids


@pytest.mark.parametrize("value", ["18.5", "NaN", "1" + "0" * 6000, "-18", '"18"', "true", "null"])
def test_a_bid_that_is_no_sensible_number_is_no_number(value: str) -> None:
    text = '{"skatspec":1,"steps":[{"step":"bid","seat":"F","value":' + value + "}]}"
    record = record_json.parse(text)
    assert isinstance(record, Record)
    assert record.steps == (Bid(0, NO_NUMBER),)


def test_a_whole_number_may_be_written_with_a_point() -> None:
    record = record_json.parse(wrapped(steps=[{"step": "bid", "seat": "M", "value": 18.0}]))
    assert isinstance(record, Record) and record.steps == (Bid(1, 18),)
    record = record_json.parse('{"skatspec": 1.0, "result": {"score": -48.0, "points": 1e2}}')
    assert isinstance(record, Record) and record.result == Result(score=-48, points=100)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("score", "NaN"),
        ("score", "1e9"),
        ("score", "1.5"),
        ("points", "true"),
        ("matadors", '"1"'),
        ("tricks", "9" * 9000),
        ("won", "1"),
        ("declarer", '"0"'),
        ("left", "-1"),
        ("penalized", "[true, false]"),
        ("penalized", "[0, 1, 0]"),
        ("timed_out", "[]"),
        ("scores", "[0, 0]"),
        ("scores", "[0, 0, null]"),
        ("scores", "[0, 0, 1000000]"),
        ("scores", "-69"),
        ("losers", '["F"]'),
        ("counted", "[0, 1.5, null]"),
        ("counted", "[0, 1, 2, 3]"),
    ],
)
def test_an_impossible_figure_spoils_its_field_and_nothing_else(field: str, value: str) -> None:
    text = f'{{"skatspec":1,"result":{{"kind":"game","{field}":{value},"resigned":true}}}}'
    record = record_json.parse(text)
    assert isinstance(record, Record)
    assert record.result == Result(resigned=True)
    [found] = record.findings
    assert found.code == "S016"
    assert text[found.span.column - 1 :].startswith(value)


# ---------------------------------------------------------------- broken documents


@pytest.mark.parametrize(
    ("text", "code", "read"),
    [
        ("{}", "N013", "$.skatspec"),
        ('{"skatspec": 2}', "N012", "$.skatspec: 2"),
        ('{"skatspec": true}', "N013", "$.skatspec: true"),
        ('{"skatspec": 1, "skatspec": 1}', "N013", "$.skatspec"),
        ('{"skatspec": 1, "result": {"won": true, "won": false}}', "N013", "$.result.won"),
        ('{"skatspec": 1, "extra": 5}', "N013", "$.extra: 5"),
        ('{"skatspec": 1, "tags": {}}', "N013", "$.tags: {}"),
        ('{"skatspec": 1, "tags": ["ab"]}', "N013", '$.tags[0]: "ab"'),
        ('{"skatspec": 1, "tags": [["a", 1]]}', "N013", "$.tags[0][1]: 1"),
        ('{"skatspec": 1, "deal": []}', "N013", "$.deal: []"),
        ('{"skatspec": 1, "deal": {"skat": ["CX"]}}', "N013", '$.deal.skat[0]: "CX"'),
        ('{"skatspec": 1, "steps": [7]}', "N013", "$.steps[0]: 7"),
        ('{"skatspec": 1, "steps": [{"step": "sing"}]}', "N013", '$.steps[0].step: "sing"'),
        ('{"skatspec": 1, "steps": [{"step": [], "seat": {}}]}', "N013", "$.steps[0].step: []"),
        ('{"skatspec": 1, "steps": [{"step": "pass", "seat": 1}]}', "N013", "$.steps[0].seat: 1"),
        ('{"skatspec": 1, "steps": [{"step": "play", "seat": "F"}]}', "N013", "$.steps[0].card"),
        ('{"skatspec": 1, "steps": [{"step": "bid", "seat": "F"}]}', "N013", "$.steps[0].value"),
        ('{"skatspec": 1, "steps": [{"step": "push", "seat": "F", "cards": 2}]}', "N013",
         "$.steps[0].cards: 2"),
        ('{"skatspec": 1, "steps": [{"step": "exchange", "seat": "F"}]}', "N013",
         "$.steps[0].cards"),
        ('{"skatspec": 1, "steps": [{"step": "double", "seat": "F", "call": "contra"}]}', "N013",
         '$.steps[0].call: "contra"'),
        ('{"skatspec": 1, "steps": [{"step": "double", "seat": "F", "call": []}]}', "N013",
         "$.steps[0].call: []"),
        ('{"skatspec": 1, "steps": [{"step": "auction-end", "seat": "F"}]}', "N013",
         "$.steps[0].value"),
        ('{"skatspec": 1, "deal": {"pack": ["D7", "D1"]}}', "N013", '$.deal.pack[1]: "D1"'),
        ('{"skatspec": 1, "result": {"kind": "lost"}}', "N013", '$.result.kind: "lost"'),
        ('{"skatspec": 1, "result": {"bonus": 50}}', "N013", "$.result.bonus: 50"),
        ('{"skatspec": 1, "comments": [{"where": "end"}]}', "N013", "$.comments[0].text"),
        ('{"skatspec": 1 "tags": []}', "N013", '"tags": []}'),
        ('{"skatspec": 1, "tags": [}', "N002", ""),
        ("17", "N013", "17"),
        ("null", "N013", "null"),
    ],
)  # fmt: skip
def test_a_broken_document_says_where_and_what(text: str, code: str, read: str) -> None:
    items, _ = all_of(f"{text}\n")
    [item] = items
    assert isinstance(item, BrokenRecord)
    [found] = item.findings
    assert (found.code, found.read) == (code, read)
    assert item.origin.text == text and found.expected and message(found)
    value = read.rpartition(": ")[2]
    if read.startswith("$") and ": " in read:
        assert text[found.span.column - 1 : found.span.end_column - 1] == value


def test_a_place_in_a_document_of_several_lines_counts_lines() -> None:
    text = json.dumps({"skatspec": 1, "steps": [{"step": "pass", "seat": "X"}]}, indent=2)
    items, _ = all_of("\n\n" + text)
    [found] = items[0].findings
    line = text.split("\n")[found.span.line - 3]
    assert line[found.span.column - 1 : found.span.end_column - 1] == '"X"'


def test_parts_and_steps_are_found_by_name() -> None:
    text, _ = record_json.write(FULL)
    places = record_json.locate(text)
    assert len(places.steps) == len(FULL.steps)
    start, end = places.steps[10]
    assert document(text[start:end]) == {"step": "play", "seat": "F", "card": "D7"}
    shown = {name: text[slice(*place)] for name, place in places.parts.items()}
    assert shown["tag/F"] == '["F","Jürgen"]'
    assert shown["deal/0/1"] == '"D8"' and shown["deal/3"] == '["CK","CA"]'
    assert shown["deal/4/1"] == '"DJ"' and shown["result/scores"] == "[0,0,-69]"
    assert shown["result/score"] == "-96" and shown["result/penalized"] == "[false,true,false]"


@pytest.mark.parametrize("opener", ["[", "{", '{"a":', '[{"a":', '{"skatspec":1,"tags":['])
def test_deep_nesting_ends_in_a_finding_and_the_next_record_is_read(opener: str) -> None:
    # A single line beyond 1 MiB would be refused before this reader sees it.
    count = min(100_000, LIMIT // len(opener) - 1)
    items, _ = all_of(opener * count + "\n" + wrapped(steps=[]) + "\n")
    assert kinds(items) == "br"
    assert codes(items[0]) == ["N013"]


def test_deep_nesting_within_one_sound_line_ends_in_a_finding() -> None:
    text = '{"skatspec":1,"tags":' + "[" * 50_000 + "]" * 50_000 + "}"
    items, _ = all_of(f"{text}\n{text}\n{wrapped()}\n")
    assert kinds(items) == "bbr"


# ---------------------------------------------------------------- framing

ONE = record_json.write(FULL)[0].rstrip("\n")
PRETTY = json.dumps(document(ONE), indent=2)
FLAT = json.dumps(document(ONE), indent=0)


@pytest.mark.parametrize("text", ["", "\n\n", "[]", "[\n]\n"])
def test_nothing_is_no_record_and_no_finding(text: str) -> None:
    assert all_of(text) == ([], [])


@pytest.mark.parametrize(
    "text",
    [
        f"{ONE}\n{ONE}\n",
        f"{ONE}\n\n{ONE}",
        f"{ONE}{ONE}",
        f"[{ONE},{ONE}]",
        f"[\n{ONE},\n{ONE}\n]\n",
        f"[\n  {ONE}\n  , {ONE}\n]\n",
        f"{PRETTY}\n{PRETTY}\n",
        f"[{PRETTY},\n{PRETTY}]",
        f"{FLAT}\n{FLAT}",
        json.dumps([document(ONE)] * 2, indent=4),
    ],
)
def test_records_a_line_over_lines_and_in_an_array_are_the_same(text: str) -> None:
    items, findings = all_of(text)
    assert items == [FULL, FULL] and not findings
    assert [item.origin.index for item in items] == [0, 1]


def test_columns_are_the_files_where_records_share_a_line() -> None:
    bad = wrapped(steps=[{"step": "play", "seat": "F", "card": "XX"}])
    line = f"[{ONE}, {bad}]"
    items, _ = all_of(line)
    assert kinds(items) == "rb"
    span = items[1].findings[0].span
    assert line[span.column - 1 : span.end_column - 1] == '"XX"'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{ONE[:-1]}\n{ONE}\n", "br"),
        (f"{ONE[:40]}\n{ONE}\n", "br"),
        (f"{PRETTY[:-1]}\n{PRETTY}\n", "br"),
        (f"{PRETTY[:300]}\n{PRETTY}\n{ONE}", "brr"),
        (f"{ONE}\n{ONE[:-1]}", "rb"),
        (f'{ONE}\njunk "{{" here\nmore junk\n{ONE}\n', "rbr"),
        (f"{ONE} }} ]\n{ONE}\n", "rbr"),
        ("true\nfalse\n3\n", "b"),
    ],
)
def test_after_an_error_the_next_record_is_read(text: str, expected: str) -> None:
    items, _ = all_of(text)
    assert kinds(items) == expected
    assert all(item == FULL for item in items if isinstance(item, Record))
    assert all(item.findings for item in items if isinstance(item, BrokenRecord))


def test_an_array_without_end_is_reported_for_the_file() -> None:
    items, findings = all_of(f"[{ONE},")
    assert items == [FULL] and [found.code for found in findings] == ["N002"]


def test_a_record_beyond_the_limit_is_refused_and_the_next_one_read() -> None:
    step = '{"step":"pass","seat":"F"},\n'
    long = '{"skatspec":1,"steps":[\n' + step * (LIMIT // len(step) + 2) + step[:-2] + "]}"
    items, _ = all_of(f"{long}\n{ONE}\n")
    assert kinds(items) == "br" and codes(items[0]) == ["E005"]
    assert len(items[0].origin.text) <= LIMIT


@pytest.mark.parametrize(
    "layout", [ONE + "\n", PRETTY + ",\n", "junk\n"], ids=["lines", "pretty", "junk"]
)
def test_reading_many_records_keeps_none_of_them(layout: str) -> None:
    def peak(count: int) -> int:
        tracemalloc.start()
        for _ in record_json.read(Lines(layout.encode() for _ in range(count))):
            pass
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(10)
    assert peak(600) < peak(150) + 100_000


def test_a_text_without_a_record_parses_to_a_broken_one() -> None:
    for text in ("", "[]", "nothing"):
        record = record_json.parse(text)
        assert isinstance(record, BrokenRecord) and codes(record) == ["N013"]


def test_reading_json_needs_neither_the_schema_library_nor_the_parser_library() -> None:
    script = (
        "import sys\nfrom skatspec.formats import record_json\n"
        f"assert record_json.parse({ONE!r}).steps\n"
        "assert not {'lark', 'jsonschema'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


# ---------------------------------------------------------------- schema and reader agree

ODD = [
    None, True, False, 0, 1, -1, 18, 18.0, 18.5, 10_000, 1_000_000, 10**12, 1e300, "", "F", "W",
    "CJ", "??", "pass", "bid", "game", "grand", [], {}, [True, False, True], ["CJ"], [["a", "b"]],
    "re", [1, 2, 3], [1, None, 3.0], [1, 2], "push", "double",
    {"step": "hold"}, {"step": "hold", "seat": "M"},
]  # fmt: skip
_KEYS = "skatspec tags deal steps result comments cards card value shown hand seat step kind won"
_VARIANTS = "pack call scores losers counted spitze"
KEYS = [*_KEYS.split(), *_VARIANTS.split(), "own_line", "forehand", "contract", "x"]


def mutate(whole: Any, chance: random.Random) -> Any:
    """Change, remove or add one thing somewhere in a copy of a document."""
    whole = copy.deepcopy(whole)
    place = whole
    while chance.random() < 0.75:
        inner = list(place.values()) if isinstance(place, dict) else list(place)
        inner = [one for one in inner if isinstance(one, (dict, list)) and one]
        if not inner:
            break
        place = chance.choice(inner)
    if isinstance(place, dict):
        key = chance.choice([*place, *KEYS])
        if chance.random() < 0.3:
            place.pop(key, None)
        else:
            place[key] = chance.choice(ODD)
    else:
        at = chance.randrange(len(place))
        if chance.random() < 0.3:
            del place[at]
        else:
            place[at] = chance.choice(ODD)
    return whole


def accepted(record: Record | BrokenRecord, whole: Any) -> bool:
    """Say whether the reader took a document as it stands, nothing replaced or left out."""
    if isinstance(record, BrokenRecord) or "S016" in codes(record):
        return False
    nulls = sum(step.get("value", 0) is None for step in whole.get("steps", []))
    ends = (Bid, AuctionEnd)
    return nulls == sum(isinstance(one, ends) and one.value == NO_NUMBER for one in record.steps)


def test_schema_and_reader_agree_on_mutated_documents() -> None:
    chance = random.Random(22)
    sound = document(ONE)
    agreed = {True: 0, False: 0}
    for _ in range(1500):
        whole = mutate(sound, chance)
        if chance.random() < 0.3:
            whole = mutate(whole, chance)
        text = json.dumps(whole)
        record = record_json.parse(text)
        valid = SCHEMA.is_valid(whole)
        assert accepted(record, whole) == valid, text
        agreed[valid] += 1
        if valid:
            assert isinstance(record, Record)
            assert record_json.parse(record_json.write(record)[0]) == record
    assert min(agreed.values()) > 200


# ---------------------------------------------------------------- laws

any_card = st.integers(0, HIDDEN)
any_cards = st.lists(any_card, max_size=12).map(tuple)
maybe_cards = st.none() | any_cards
seat = st.integers(-1, 2)
text = st.text(max_size=12)
any_step: st.SearchStrategy[Step] = st.one_of(
    st.builds(Bid, seat, st.integers(-1, 9999)),
    st.builds(Hold, seat),
    st.builds(Pass, seat),
    st.builds(PickUp, seat, maybe_cards),
    st.builds(Discard, seat, any_cards),
    st.builds(Declare, seat, st.text(min_size=1, max_size=9), st.integers(0, 31), maybe_cards),
    st.builds(AuctionEnd, seat, st.integers(-1, 9999)),
    st.builds(Push, seat, maybe_cards),
    st.builds(Exchange, seat, any_cards),
    st.builds(Double, seat, st.sampled_from(DOUBLES)),
    *(st.builds(kind, seat) for kind in (Knock, Refuse, Gift, ThrowOpen, EarlyPlay)),
    st.builds(Play, seat, any_card),
    st.builds(Show, seat, maybe_cards),
    st.builds(Resign, seat),
    st.builds(Timeout, seat),
    st.builds(Leave, seat),
)
figure = st.none() | st.integers(-999_999, 999_999)
flag = st.none() | st.booleans()
flags = st.none() | st.tuples(*[st.booleans()] * 3)
who = st.none() | st.integers(-1, 2)
any_record = st.builds(
    Record,
    st.lists(st.tuples(text, text), max_size=5).map(tuple),
    st.none() | st.builds(Deal, st.tuples(*[maybe_cards] * 3), maybe_cards, maybe_cards),
    st.lists(any_step, max_size=8).map(tuple),
    st.none()
    | st.builds(
        Result,
        st.sampled_from([PASSED, UNKNOWN, GAME, PENALTY]),
        who, flag, figure, figure, flag, figure, figure, flag, flag,
        flags, who, who, flag,
        st.none() | st.tuples(*[st.integers(-999_999, 999_999)] * 3), flags,
        st.none() | st.tuples(figure, figure, figure),
    ),
    st.lists(st.builds(Comment, text, text, st.booleans()), max_size=3).map(tuple),
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(any_record)
def test_every_record_is_read_back_equal_and_fits_the_schema(record: Record) -> None:
    written, findings = record_json.write(record)
    assert not findings
    SCHEMA.validate(document(written))
    assert record_json.parse(written) == record
    assert len(record_json.locate(written).steps) == len(record.steps)


@settings(max_examples=400, deadline=None)
@given(st.text('{}[],:"\\ \nabskatpec1', max_size=60))
def test_no_text_is_ever_an_exception_and_the_next_record_is_found(text: str) -> None:
    items, _ = all_of(f"{text}\n{ONE}\n")
    assert items[-1] == FULL
    record_json.locate(text)
