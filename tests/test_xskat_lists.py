"""XSkat lists are read as they stand, and joined to a log only where the two belong together."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatspec.diagnostics import Diagnostic, message
from skatspec.formats.lines import from_text, open_lines
from skatspec.formats.xskat.blocks import (
    PASSED,
    Block,
    BrokenBlock,
    read_blocks,
    unread_blocks,
)
from skatspec.formats.xskat.lists import (
    GameList,
    ListHead,
    ListRow,
    align,
    contradiction,
    read_list,
)
from tests.shared import SHARED, needs_shared

LOGS = SHARED / "data" / "xskat"
ALL_LOGS = [*sorted(LOGS.glob("*.log")), *sorted((LOGS / "human").glob("*.log"))]
HEAD = "0 0 0\na 0 0 0\nt 0 0 0\nb 0 0 0\ng 0 0 0\nv 0 0 0\n"


@cache
def log(path: Path) -> tuple[Block | BrokenBlock, ...]:
    return tuple(read_blocks(open_lines(path)))


@cache
def listing(path: Path) -> GameList:
    return read_list(open_lines(path.with_suffix(".lst")))


# --- reading ------------------------------------------------------------------------------


def test_head_and_rows_are_read() -> None:
    text = "-24 0 24\na 1 2 3\nt -4 5 6\nb 435 3 1\ng 1 0 2\nv 0 7 0\ne 2 1 1 120 1\ne 0 0 0 48 0\n"
    found = read_list(from_text(text))
    assert found.findings == ()
    assert found.head == ListHead(
        (-24, 0, 24), (1, 2, 3), (-4, 5, 6), (435, 3, 1), (1, 0, 2), (0, 7, 0)
    )
    assert found.rows == (
        ListRow(7, 2, True, True, 120, True),
        ListRow(8, 0, False, False, 48, False),
    )
    assert not found.head.complete and read_list(from_text(HEAD)).head.complete


@pytest.mark.parametrize(
    ("number", "row"),
    [
        (20_073, ListRow(2, 2, False, False, 36, True)),
        (16_241, ListRow(2, 1, True, True, 120, True)),
        (96, ListRow(2, 0, False, False, 48, False)),
    ],
)
def test_a_row_of_older_versions_is_one_number(number: int, row: ListRow) -> None:
    # player x 10000 + Ramsch x 4000 + march x 2000 + value x 2 + won
    assert read_list(from_text(f"0 0 0\n{number}\n")).rows == (row,)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("e 3 0 0 20 1", "N001"), ("e 1 0 0 -20 1", "N001"), ("e 1 0 0 20", "N001"),
        ("e 1 0 0 2x 1", "N001"), ("e 1 2 0 20 1", "N001"), ("q 1 2 3", "N001"),
        ("1 2", "N001"), ("a 1 2 3", "N006"), ("hello there", "N001"), ("e 1 0 0 20 1 9", "N001"),
        ("40000", "N001"), ("e 1 0 0 " + "9" * 5000 + " 1", "N001"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_found_and_rows_keep_their_place(line: str, code: str) -> None:
    found = read_list(from_text(f"{HEAD}e 1 0 0 20 1\n{line}\ne 2 0 0 20 1\n"))
    assert [(one.code, one.span.line) for one in found.findings] == [(code, 8)]
    assert "{" not in message(found.findings[0]) and found.findings[0].expected
    kept = [row.player if row else None for row in found.rows]
    assert kept == ([1, None, 2] if line[0] in "e4" else [1, 2])


def test_a_list_without_sums_is_incomplete() -> None:
    for text in ("", "e 1 0 0 20 1\n", "\n\n"):
        assert [one.code for one in read_list(from_text(text)).findings] == ["N011"]


@pytest.mark.parametrize("rest", ["e 1 0 0 20 1\n" * 30_000, "nonsense\n" * 30_000])
def test_an_endless_list_is_cut_off_and_keeps_no_row(rest: str) -> None:
    # the rows that were read are not the last ones, so they are those of other games
    found = read_list(from_text(HEAD + "e 1 0 0 20 1\n" + rest))
    assert found.findings[-1].code == "E005" and len(found.findings) < 200 and found.rows == ()
    assert len(read_list(from_text(HEAD + "e 1 0 0 20 1\n" * 2000)).rows) == 2000


@given(st.text(alphabet=st.sampled_from("0123456789 -eatbgv\n") | st.characters(), max_size=200))
def test_arbitrary_text_never_raises(text: str) -> None:
    for found in read_list(from_text(text)).findings:
        assert message(found)


# --- joining ------------------------------------------------------------------------------


@needs_shared
@pytest.mark.parametrize("path", ALL_LOGS, ids=lambda path: path.stem)
def test_every_real_list_joins_its_log_to_the_last_row(path: Path) -> None:
    blocks, rows = log(path), listing(path)
    assert rows.findings == ()
    joined = align(blocks, rows)
    assert joined.findings == ()
    assert list(joined.rows.values()) == list(range(len(rows.rows)))
    distinct = len(list(groupby(blocks, lambda block: block.text)))
    assert len(joined.copies) == len(blocks) - distinct
    # The list is aligned from the end: the games left out are the oldest.
    assert min(joined.rows) == distinct - len(rows.rows)
    assert max({*joined.rows, *joined.copies}) == len(blocks) - 1


@needs_shared
def test_the_list_of_a_long_log_lacks_its_oldest_games() -> None:
    joined = align(log(LOGS / "human" / "long.log"), listing(LOGS / "human" / "long.log"))
    assert joined.rows[411] == 351 and joined.rows[60] == 0 and len(joined.rows) == 352


@needs_shared
def test_lists_of_other_games_are_refused_whole() -> None:
    paths = [path for path in ALL_LOGS if path.parent.name == "human"]
    for path in paths:
        for other in paths:
            if path == other:
                continue
            joined = align(log(path), listing(other))
            assert [one.code for one in joined.findings] == ["L001"]
            assert not joined.rows and not joined.copies
            assert "{" not in message(joined.findings[0])


def std() -> tuple[list[Block | BrokenBlock], GameList]:
    path = LOGS / "human" / "human-std.log"
    return list(log(path)), listing(path)


@needs_shared
def test_more_rows_than_games_are_refused() -> None:
    blocks, rows = std()
    joined = align(blocks[50:], rows)
    assert [one.code for one in joined.findings] == ["L001"] and joined.rows == {}
    assert joined.findings[0].read == "103" and "53" in joined.findings[0].expected


@needs_shared
def test_one_row_that_contradicts_its_block_refuses_the_list_and_is_named() -> None:
    blocks, rows = std()
    for at in (0, 40, 102):
        row = rows.rows[at]
        assert row is not None
        for wrong in (replace(row, won=not row.won), replace(row, player=(row.player + 1) % 3)):
            changed = replace(rows, rows=(*rows.rows[:at], wrong, *rows.rows[at + 1 :]))
            joined = align(blocks, changed)
            assert joined.rows == {}
            assert [one.code for one in joined.findings] == ["L001"]
            block = blocks[at]
            assert isinstance(block, Block) and block.contract is not None
            # Its place is that of the game; the words name file and line of the list.
            assert joined.findings[0].span.line == block.contract.line
            said = message(joined.findings[0])
            assert "human-std.lst" in said and f"in line {row.line} " in said


@needs_shared
def test_a_row_that_cannot_be_read_stands_for_any_game() -> None:
    blocks, rows = std()
    joined = align(blocks, replace(rows, rows=(*rows.rows[:7], None, *rows.rows[8:])))
    assert joined.rows == {at: at for at in range(103)}


@needs_shared
def test_a_broken_block_keeps_the_row_of_its_game() -> None:
    blocks, rows = std()
    broken = blocks[30]
    blocks[30] = BrokenBlock(broken.line, broken.text, (), ended=True)
    assert align(blocks, rows).rows == {at: at for at in range(103)}


@needs_shared
def test_a_block_cut_off_has_no_row() -> None:
    blocks, rows = std()
    cut = BrokenBlock(1, "", (), ended=False)
    assert align([*blocks[:30], cut, *blocks[30:]], rows).rows == {
        at if at < 30 else at + 1: at for at in range(103)
    }
    assert len(align([cut, *blocks], rows).rows) == 103


@needs_shared
def test_copies_are_told_from_games_and_left_out() -> None:
    blocks, rows = std()
    doubled = [*blocks[:10], blocks[9], blocks[9], *blocks[10:]]
    joined = align(doubled, rows)
    assert joined.copies == {10, 11} and 10 not in joined.rows and joined.rows[12] == 10


@needs_shared
def test_equal_deals_without_a_seed_are_games_where_the_list_counts_them() -> None:
    path = LOGS / "human" / "predefined.log"
    blocks, rows = list(log(path)), listing(path)
    twice = (*rows.rows[:10], rows.rows[9], *rows.rows[10:])
    joined = align([*blocks[:10], blocks[9], *blocks[10:]], replace(rows, rows=twice))
    assert joined.copies == frozenset() and len(joined.rows) == 43


@needs_shared
def test_a_list_that_can_be_joined_in_two_ways_is_not_joined() -> None:
    path = LOGS / "human" / "predefined.log"
    blocks, rows = list(log(path)), listing(path)
    # Two runs of equal blocks, of which the list counts three games in all.
    runs = [*blocks[5:6] * 2, blocks[6], *blocks[5:6] * 2]
    free = replace(rows, rows=(None,) * 4)
    joined = align(runs, free)
    assert [one.code for one in joined.findings] == ["L001"] and joined.rows == {}


@needs_shared
def test_memory_is_bounded_by_the_list() -> None:
    blocks, rows = std()
    joined = align((block for _ in range(200) for block in blocks), rows)
    # The list says that it lacks nothing, yet the last 103 games are what it fits.
    assert len(joined.rows) == 103 and max(joined.rows) == 200 * 103 - 1


@needs_shared
@pytest.mark.parametrize("path", ALL_LOGS, ids=lambda path: path.stem)
def test_blocks_that_are_read_only_at_the_end_are_joined_alike(path: Path) -> None:
    rows = listing(path)
    few = replace(rows, head=ListHead(normal=(1, 0, 0)), rows=rows.rows[-20:])
    for one in (rows, few):
        late = align(unread_blocks(open_lines(path)), one)
        assert late == align(log(path), one) and len(late.rows) == len(one.rows)


@needs_shared
def test_unread_blocks_that_cannot_be_read_keep_the_rows_of_their_games(tmp_path: Path) -> None:
    path = LOGS / "human" / "human-std.log"
    texts = [block.text + "\n" for block in log(path)]
    broken = texts[30].replace("Last bid: ", "Last bid? ")
    assert broken != texts[30]
    # Twice the same text: games of their own, as nobody can say that one is a copy.
    (tmp_path / "a.log").write_text("".join([*texts[:30], broken, broken, *texts[32:]]))
    joined = align(unread_blocks(open_lines(tmp_path / "a.log")), listing(path))
    assert joined.rows == {at: at for at in range(103)} and joined.findings == ()


# --- belonging together -------------------------------------------------------------------


def first(path: Path, contract: str) -> tuple[Block, ListRow]:
    joined = align(log(path), listing(path))
    for at, block in enumerate(log(path)):
        assert isinstance(block, Block)
        found = PASSED if block.kind == PASSED else block.contract and block.contract.contract
        row = listing(path).rows[joined.rows[at]] if at in joined.rows else None
        if found == contract and row is not None:
            return block, row
    raise AssertionError(contract)


def unlike(block: Block, row: ListRow, before: ListRow | None = None) -> str:
    found = contradiction(block, row, before)
    assert isinstance(found, Diagnostic) and found.code == "L001"
    assert block.line <= found.span.line < block.line + 40
    said = message(found)
    assert f"in line {row.line} " in said
    return said


@needs_shared
def test_a_passed_deal_is_worth_nothing_and_repeats_the_row_before() -> None:
    block, row = first(LOGS / "human" / "human-std.log", PASSED)
    before = ListRow(9, 1, False, False, 20, True)
    assert contradiction(block, replace(row, player=1, won=True), before) is None
    assert contradiction(block, replace(row, player=0, won=False), before) is None
    assert "value" in unlike(block, replace(row, value=20))
    assert "player" in unlike(block, replace(row, player=2, won=True), before)


@needs_shared
def test_a_ramsch_is_a_ramsch_in_both() -> None:
    block, row = first(LOGS / "human" / "human-ramsch.log", "ramsch")
    assert contradiction(block, row, None) is None
    assert "Ramsch" in unlike(block, replace(row, ramsch=False))
    assert "value" in unlike(block, replace(row, value=0))
    assert "march" in unlike(block, replace(row, march=True))
    block, row = first(LOGS / "human" / "human-ramsch.log", "grand")
    assert "Ramsch" in unlike(block, replace(row, ramsch=True))
    assert "march" in unlike(block, replace(row, march=True))
