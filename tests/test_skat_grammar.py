"""The grammar of `.skat`, its prose and its reader say the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skatspec import resources
from skatspec.formats import skat
from skatspec.formats.skat import asides, faults, items, results, rows, words
from skatspec.formats.skat.syntax import syntax
from skatspec.formats.skat.write import tag_names
from skatspec.record import DOUBLES, MODIFIERS, Record

DATA = Path(__file__).parent / "data" / "skat"
NOTATION = resources.text("grammar", "NOTATION.md")
_EXAMPLES = re.findall(r"^```skat( canonical)?\n(.*?)^```$", NOTATION, re.S | re.M)


def test_the_grammar_is_lalr_without_conflicts_and_no_two_lines_are_alike() -> None:
    """`basic` compares every terminal with every other, whatever the parser's state."""
    lark = pytest.importorskip("lark")
    pytest.importorskip("interegular")
    grammar = resources.text("grammar", "skat.lark")
    for lexer in ("basic", "contextual"):
        parser = lark.Lark(grammar, parser="lalr", lexer=lexer, strict=True)
        tree = parser.parse(_EXAMPLES[0][1])
        assert [child.data for child in tree.children if isinstance(child, lark.Tree)] == [
            "deal", "auction", "contract", "play", "result",
        ]  # fmt: skip


def test_lark_by_itself_and_the_line_pattern_agree_on_every_line() -> None:
    lark = pytest.importorskip("lark")
    parser = lark.Lark(resources.text("grammar", "skat.lark"), parser="lalr", lexer="basic")
    text = (DATA / "real_games.skat").read_text("utf-8")
    examples = [block for _, block in _EXAMPLES]
    for part in (*re.split(r"(?m)^(?=%skat)", text)[1:], *examples):
        ours = [(kind, line) for kind, line, _ in syntax().rows(part)]
        passed_over = ("BLANK", "COMMENT")
        tokens = parser.parse(part).scan_values(lambda value: isinstance(value, lark.Token))
        theirs = [(token.type, str(token)) for token in tokens]
        assert [row for row in ours if row[0] not in passed_over] == theirs


_FRAGMENTS = re.split(
    " ",
    "F M R D skat 18 -18 18.5 ? yes hold pass takes the discards hearts null Karo Nullouvert "
    '"ramsch" "x\\q" hand ouvert shows CJ ♣J ?? - ! 1. 1... F: R: resigns timed out left bids '
    "declares plays won lost 30 +3 NaN points with without matadors declarer nobody not overbid "
    'no schneider penalty penalized passed in unknown game [F "x"] [A " pushes unseen knocks '
    "exchanges to kontra re bock hirsch ramsch revolution spitze at early refuses gives throws "
    "open scores losers counted pack: out of turn",
)
_BEGINNINGS = (
    "F 18", "M yes", "F takes the skat", "M discards S7", "R grand", "1. F: HA", "2... M: H9",
    "! F shows", "!M bids 18", "! R declares null", "F won 30", "points 17", "penalty M",
    "F: CJ SJ", "skat:", '[F "x"]', "F plays at 24", "ramsch", "M pushes unseen", "M knocks",
    "M exchanges to CA", "M kontra", "F hearts spitze", "! F plays", "! declares ramsch",
    "! M pushes", "! M throws open", "scores 0 0 1", "losers F", "counted ? 1 2", "pack: CJ",
)  # fmt: skip


@settings(max_examples=1500)
@given(
    st.sampled_from(_BEGINNINGS),
    st.lists(st.tuples(st.sampled_from((" ", ", ", ":", "#")), st.sampled_from(_FRAGMENTS)),
             max_size=4),
)  # fmt: skip
def test_what_the_grammar_takes_for_a_line_of_a_kind_the_reader_of_that_kind_takes(
    beginning: str, rest: list[tuple[str, str]]
) -> None:
    line = beginning + "".join(gap + word for gap, word in rest) + "\n"
    ((kind, _, _),) = syntax().rows(line)
    any_card = faults.ANY_CARD
    readers: dict[str, Callable[[], object]] = {
        "CALLS": lambda: items.calls(line),
        "ACTS": lambda: items.acts(line, any_card, "any"),
        "ASIDE": lambda: asides.aside(line, any_card),
        "HAND": lambda: rows.hand(line, any_card),
        "OUTCOME": lambda: results.outcome(line),
        "TAGS": lambda: rows.tags(line),
    }
    if kind not in readers:
        return
    found = readers[kind]()
    if isinstance(found, items.Problem):
        # What the grammar leaves to the reader: letters of cards, and saying a thing twice.
        assert found.code in ("N004", "N010") or "different seat letters" in found.expected


def test_the_words_of_the_grammar_are_the_words_of_the_record() -> None:
    grammar = resources.text("grammar", "skat.lark")
    assert set(_alternatives(grammar, "_MODIFIER")) == set(MODIFIERS)
    assert set(_alternatives(grammar, "_CONTRACT")) >= set(words.CONTRACTS)
    assert set(_alternatives(grammar, "_ALONE")) == {"knocks", *DOUBLES}
    german = set(_alternatives(grammar, "_GERMAN")) | {"nullouvert"}
    assert german == set(words.OLD_CONTRACTS)


def _alternatives(grammar: str, name: str) -> list[str]:
    body = re.search(rf"^{name}:(.*\n(?:\s+\|.*\n)*)", grammar, re.M)
    assert body is not None
    return re.findall(r'"(\w+)"i', body[1])


def test_notation_and_grammar_have_the_same_headings() -> None:
    grammar = resources.text("grammar", "skat.lark")
    headings = re.findall(r"^// -+ (.+)$", grammar, re.M)
    prose = re.findall(r"^## (.+)$", NOTATION, re.M)
    assert headings
    assert prose[: len(headings)] == headings


@pytest.mark.parametrize(("info", "block"), _EXAMPLES)
def test_every_example_of_the_notation_is_read_without_an_error(info: str, block: str) -> None:
    record = skat.parse(block)
    assert isinstance(record, Record)
    assert record.findings == ()
    if info:
        assert skat.format_text(block) == block


def test_every_standard_tag_is_documented() -> None:
    for name in (*tag_names(), "Cards"):
        assert f"`{name}`" in NOTATION
