"""The oracle scorer of XSkat's rules: every row of every real list, from the log alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from skatspec.formats.lines import open_lines
from skatspec.formats.xskat.blocks import GIFT, PLAYED, Block, read_blocks
from skatspec.formats.xskat.lists import GameList, ListRow, align, read_list
from tests.shared import needs_shared
from tests.xskat_files import BOCK, HUMAN, LOGS, MODES, human
from tests.xskat_scoring import (
    Row,
    Switches,
    Table,
    changes,
    score,
    switches,
    trick_points,
    tricks,
)
from tests.xskat_scoring import points as card_points

SELF_PLAY = {f"{mode}-1001": line for mode, line in MODES.items()} | {
    "oldrules-5005": MODES["oldrules"]
}


FILES = [*SELF_PLAY, *human()]


def path_of(stem: str) -> Path:
    return (LOGS if stem in SELF_PLAY else HUMAN) / f"{stem}.log"


def rules_of(stem: str) -> Switches:
    return switches(SELF_PLAY[stem] if stem in SELF_PLAY else human()[stem].switches)


@cache
def games(stem: str) -> tuple[tuple[Block, ...], tuple[ListRow | None, ...], GameList]:
    """Return the games without saved copies, each one's listed row, and the list."""
    path = path_of(stem)
    blocks = list(read_blocks(open_lines(path)))
    listing = read_list(open_lines(path.with_suffix(".lst")))
    joined = align(blocks, listing)
    assert joined.findings == ()
    played: list[Block] = []
    rows: list[ListRow | None] = []
    for at, block in enumerate(blocks):
        assert isinstance(block, Block)
        if at not in joined.copies:
            played.append(block)
            rows.append(listing.rows[joined.rows[at]] if at in joined.rows else None)
    return tuple(played), tuple(rows), listing


def scored(stem: str, rules: Switches) -> list[tuple[Block, list[Row], ListRow | None, Row]]:
    """Return each game with the rows that it may have, the listed one, and the one taken."""
    blocks, listed, _ = games(stem)
    taken: list[Row] = []

    def choose(number: int, rows: list[Row]) -> Row:
        row = listed[number]
        taken.append(next((one for one in rows if row and one.is_row(row)), rows[0]))
        return taken[-1]

    every = list(score(blocks, rules, choose))
    return list(zip(blocks, every, listed, taken, strict=True))


def contradicted(stem: str, rules: Switches) -> list[int]:
    """Return the lines of the blocks whose listed row is none that they may have."""
    return [
        block.line
        for block, rows, listed, _ in scored(stem, rules)
        if listed is not None and not any(row.is_row(listed) for row in rows)
    ]


@needs_shared
@pytest.mark.parametrize("stem", FILES)
def test_every_listed_row_follows_from_the_log_and_the_switches(stem: str) -> None:
    assert contradicted(stem, rules_of(stem)) == []
    wanted = 0 if stem in SELF_PLAY else human()[stem].opened
    assert sum(len(rows) > 1 for _, rows, _, _ in scored(stem, rules_of(stem))) == wanted
    if stem not in SELF_PLAY:
        assert len(games(stem)[0]) == human()[stem].games


@needs_shared
def test_the_files_show_games_in_number() -> None:
    counts = {stem: len(games(stem)[0]) for stem in FILES}
    assert all(counts[stem] == 350 for stem in SELF_PLAY)
    assert sum(counts.values()) == 8008 and len(FILES) == 38


@needs_shared
@pytest.mark.parametrize(
    ("stem", "line"),
    [
        ("human-oldrules", ""), ("human-std", "-oldrules"), ("human-kontra", ""),
        ("human-spitze", ""), ("human-spitze", "-spitze2"), ("spitze2-1001", "-spitze"),
        ("human-ramschonly", "-ramschonly -skattoloser"), ("skattoloser-1001", "-ramschonly"),
        ("human-schenken", ""), ("bock-1001", "-kontra"), ("bockramsch-1001", BOCK),
        ("human-bockramsch", "-ramsch -sramsch -kontra"), ("bock-1001", f"{BOCK} -tlist"),
        ("bock-1001", f"{BOCK} -alist"),
        *(("bock-1001", BOCK.replace("255", str(255 - bit))) for bit in (1, 2, 4, 16, 32, 64)),
        ("bock-1001", BOCK.replace("255", str(255 - 64 - 128))),
    ],
)  # fmt: skip
def test_other_switches_contradict_the_list(stem: str, line: str) -> None:
    assert contradicted(stem, switches(line)) != []


@needs_shared
@pytest.mark.parametrize("stem", FILES)
def test_tricks_are_won_by_the_rules_as_the_log_marks_them(stem: str) -> None:
    for block in games(stem)[0]:
        if block.kind == PLAYED:
            marked = [(row.leader, row.winner) for row in block.rows if row.marked]
            assert [(one.leader, one.winner) for one in tricks(block)] == marked


@needs_shared
@pytest.mark.parametrize("stem", FILES)
def test_printed_points_are_those_of_the_tricks(stem: str) -> None:
    rules = rules_of(stem)
    for block, _, _, row in scored(stem, rules):
        if block.result is None or block.result.points is None or block.kind == GIFT:
            continue
        assert block.contract is not None
        played, skat = tricks(block), card_points(block.skat_is.cards)
        totals = [trick_points(played, player) for player in range(3)]
        if block.contract.contract != "ramsch":
            totals[row.player] += skat
        elif not rules.skattoloser:
            totals[played[-1].winner] += skat
        elif not row.won:
            totals[row.player] += skat
        expected = totals[row.player]
        if row.ramsch and row.won:
            # Two tied losers: what neither of them took; a march has everything.
            others = [totals[player] for player in range(3) if player != row.player]
            expected = 120 - sum(others)
        assert block.result.points == expected, block.line
        assert block.result.won == row.won


@needs_shared
@pytest.mark.parametrize("stem", FILES)
def test_the_head_holds_the_sums_of_the_games_no_longer_listed(stem: str) -> None:
    head = games(stem)[2].head
    gone = [row for _, _, listed, row in scored(stem, rules_of(stem)) if listed is None]
    for name in ("normal", "alternative", "tournament"):
        sums = [sum(changes(row, name)[player] for row in gone) for player in range(3)]
        assert tuple(sums) == getattr(head, name), name
    won, lost = [0, 0, 0], [0, 0, 0]
    for row in gone:
        for player, change in enumerate(changes(row, "normal")):
            won[player] += change > 0
            lost[player] += change < 0
    assert (tuple(won), tuple(lost)) == (head.won, head.lost)
    assert (len(gone) > 0) == (stem == "long")


def bock_state(stem: str, rules: Switches) -> tuple[int, int, int]:
    """Return Bock games left, events pending and Ramsch games left after the last game."""
    table = Table(rules)
    for block, _, _, row in scored(stem, rules):
        table.rows(block)
        table.played(block, row)
    return table.left, table.pending, table.ramsch


@needs_shared
@pytest.mark.parametrize("stem", FILES)
def test_the_bock_line_is_the_state_after_the_last_game(stem: str) -> None:
    assert bock_state(stem, rules_of(stem)) == games(stem)[2].head.bock


@needs_shared
@pytest.mark.parametrize("bit", [2, 8])
def test_the_bock_line_counts_events_that_no_value_shows(bit: int) -> None:
    # A Grand Hand won and a Re fall among games that are Bock games anyway.
    stem = "human-bockramsch"
    other = switches(human()[stem].switches.replace("255", str(255 - bit)))
    assert bock_state(stem, other) != games(stem)[2].head.bock


def test_switches_are_read_as_the_program_reads_them() -> None:
    rules = switches("-ramsch -sramsch -kontra -bockramsch -bockevents 255 -klopfen -spitze")
    assert rules == Switches(kontra=True, bock=True, bockramsch=True, bockevents=255, spitze=1)
    # The last listing counts.
    assert switches("-tlist -alist").listing == "alternative"
    assert switches("").listing == "normal"


def test_listings_change_the_scores_of_losers_and_winners() -> None:
    won, lost = Row(1, False, False, 40, True), Row(1, False, False, 40, False)
    assert changes(won, "normal") == (0, 40, 0)
    assert changes(won, "alternative") == (40, 0, 40)
    assert changes(won, "tournament") == (0, 90, 0)
    assert changes(lost, "normal") == (0, -40, 0)
    assert changes(lost, "alternative") == (0, 40, 0)
    assert changes(lost, "tournament") == (40, -90, 40)
    tied = Row(1, True, False, 40, True)
    assert changes(tied, "normal") == changes(tied, "tournament") == (-40, 0, -40)
