"""Full records behind lists: sessions cut out of files, lists made of them, rows held to them.

The games are generated (tests/gamegen.py, settled by tests/judge.py), the archives real; sums
are added up here once more, from the text of the archives themselves.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from skatspec import resources
from skatspec.diagnostics import Diagnostic, Verdict, message
from skatspec.formats import registry
from skatspec.judging import Judge
from skatspec.record import SEAT_LETTERS, BrokenRecord, Record
from skatspec.rules import load_rules
from skatspec.rules.match import PLAIN, SEEGER_FABIAN, compile_match
from skatspec.session import grouping, scoring
from skatspec.session.against_record import Comparison, compare, seating
from skatspec.session.checking import ListChecker
from skatspec.session.from_records import sheet_of
from skatspec.session.grouping import Group, grouped
from skatspec.session.report import Figures
from skatspec.sheet import Account, Column, Row, Sheet
from tests import xskat_files
from tests.gamegen import random_game
from tests.shared import SHARED

ISS = SHARED / "data" / "iss"
NAMES = ("Anna", "Ben", "Cem", "Dora")
ISKO = load_rules("isko")
Item = Record | BrokenRecord


@cache
def game(number: int) -> Record:
    """Return a generated game with its result; the numbers are seeds."""
    return random_game(random.Random(number), "isko").record


def evening(
    names: Sequence[str], deals: int, fourth: bool = False, seed: int = 0, **tags: str
) -> list[Record]:
    """Return the deals of a table where the first of `names` dealt first.

    `fourth` says that at a table of four the dealer is named, too.
    """
    found = []
    for turn in range(deals):
        at = [names[(turn + step) % len(names)] for step in range(1, 4)]
        own = {"Event": "Evening", **tags, "Deal": str(turn + 1)}
        own |= dict(zip(SEAT_LETTERS, at, strict=True))
        if fourth:
            own |= {"Dealer": "D", "D": names[turn % len(names)]}
        found.append(replace(game(seed + turn), tags=tuple(own.items())))
    return found


def reread(folder: Path, records: Iterable[Record], format_name: str = "skat") -> list[Item]:
    """Return records written to a file and read again."""
    path = folder / f"games.{format_name}"
    texts = [registry.write_record(one, format_name)[0] for one in records]
    path.write_text("\n".join(texts), encoding="utf-8")
    return list(registry.open_records(path, format_name))


def dealers(sheet: Sheet) -> list[str]:
    return ["" if row.dealer is None else sheet.name(row.dealer) for row in sheet.rows]


def own_scores(records: Iterable[Item]) -> Counter[str]:
    """Add up the stated scores by the players' names."""
    found: Counter[str] = Counter()
    for record in records:
        result = record.result if isinstance(record, Record) else None
        if result is not None and result.declarer in (0, 1, 2) and result.score:
            found[str(record.tag(SEAT_LETTERS[result.declarer]))] += result.score
    return found


def sums(sheet: Sheet) -> tuple[Figures, ...]:
    """Add up a list's rows."""
    rows = [
        (player, row.value)
        for row in sheet.rows
        if row.declarer is not None and row.value
        for player in (row.declarer, *row.others)
    ]
    return scoring.sums([(player, int(value)) for player, value in rows], sheet.seats)


def by_name(sheet: Sheet) -> dict[str, int]:
    return {sheet.name(at): int(one.points) for at, one in enumerate(sums(sheet)) if one.points}


# --- sessions ---------------------------------------------------------------------------


def test_twelve_deals_at_three_are_one_session_with_its_places_and_dealers(tmp_path: Path) -> None:
    records = reread(tmp_path, evening(NAMES[:3], 12))
    (group,) = grouped(records)
    assert (group.event, group.players, len(group.deals)) == ("Evening", NAMES[:3], 12)
    sheet = sheet_of(group, Judge())
    assert dealers(sheet) == [*NAMES[:3]] * 4
    assert [row.number for row in sheet.rows] == list(range(1, 13))
    assert [row.line for row in sheet.rows] == [one.origin.line for one in records]
    assert Counter(by_name(sheet)) == own_scores(records)
    assert ListChecker(ISKO).check(sheet).errors == 0


@pytest.mark.parametrize("fourth", [True, False])
def test_eight_deals_at_four_are_one_session_and_who_is_missing_dealt(
    tmp_path: Path, fourth: bool
) -> None:
    records = reread(tmp_path, evening(NAMES, 8, fourth))
    (group,) = grouped(records)
    assert group.players == NAMES
    sheet = sheet_of(group, Judge())
    assert dealers(sheet) == [*NAMES] * 2
    assert Counter(by_name(sheet)) == own_scores(records)
    report = ListChecker(ISKO).check(sheet)
    assert report.errors == 0
    assert report.verdict in (Verdict.CONSISTENT, Verdict.UNDETERMINED)


def test_two_deals_at_a_table_of_four_show_the_fourth() -> None:
    records = evening(NAMES, 2)
    assert [one.players for one in grouped(records[:1])] == [("Dora", "Ben", "Cem")]
    assert [one.players for one in grouped(records)] == [NAMES]


def test_a_player_who_takes_over_a_chair_begins_another_session() -> None:
    before, after = evening(NAMES[:3], 5), evening(("Dora", "Ben", "Cem"), 7)[5:]
    groups = list(grouped([*before, *after]))
    assert [set(one.players) for one in groups] == [set(NAMES[:3]), {"Dora", "Ben", "Cem"}]
    assert [len(one.deals) for one in groups] == [5, 2]


def test_a_chair_taken_over_after_the_first_deal_is_told_from_a_fourth_player() -> None:
    before, after = evening(("Anna", "Ben", "Cem"), 1), evening(("Anna", "Ben", "Dora"), 4)[1:]
    # the second deal could be one at a table of four, the third could not
    groups = list(grouped([*before, *after]))
    assert [len(one.deals) for one in groups] == [1, 3]
    assert [len(one.players) for one in groups] == [3, 3]


def test_players_who_change_places_begin_another_session() -> None:
    groups = list(grouped([*evening(NAMES[:3], 3), *evening(("Ben", "Anna", "Cem"), 3)[1:]]))
    assert [one.seats for one in groups] == [3, 3]


def test_a_second_list_of_the_same_players_begins_with_its_deal_1() -> None:
    groups = list(grouped([*evening(NAMES[:3], 6), *evening(NAMES[:3], 3)]))
    assert [len(one.deals) for one in groups] == [6, 3]


def test_a_deal_in_between_that_is_called_1_twice_begins_no_other_list() -> None:
    first, *rest = evening(NAMES[:3], 4)
    (group,) = grouped([first, first, *rest])
    assert len(group.deals) == 5


def shuffled(*tables: Sequence[Item]) -> list[Item]:
    """Return records of several tables, each in its order, one table's among the other's."""
    turns = [at for at, table in enumerate(tables) for _ in table]
    random.Random(7).shuffle(turns)
    streams = [iter(table) for table in tables]
    return [next(streams[at]) for at in turns]


@pytest.mark.parametrize(
    "said",
    [({"Table": "1"}, {"Table": "2"}), ({"Series": "70"}, {"Series": "71"}), ({}, {})],
    ids=["by their table", "by their series", "by their players alone"],
)
def test_tables_that_are_mixed_are_kept_apart(said: tuple[dict[str, str], dict[str, str]]) -> None:
    one = evening(NAMES[:3], 9, **said[0])
    other = evening(("Emil", "Frida", "Gül", "Hans"), 8, seed=40, **said[1])
    first, second = sorted(grouped(shuffled(one, other)), key=lambda group: group.seats)
    assert first.deals == tuple(one)
    assert second.deals == tuple(other)


def test_no_more_sessions_are_held_than_the_bound_and_none_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grouping, "MOST_OPEN", 3)
    tables = [evening(NAMES[:3], 4, Table=str(at)) for at in range(6)]
    closed = []
    running = grouped(shuffled(*tables))
    closed += list(running)
    assert sum(len(one.deals) for one in closed) == 24
    assert [one.index for one in closed] == list(range(len(closed)))

    monkeypatch.setattr(grouping, "MOST_DEALS", 5)
    parts = [len(one.deals) for one in grouped(evening(NAMES[:3], 12))]
    assert parts == [5, 5, 2]

    monkeypatch.setattr(grouping, "MOST_HELD", 7)
    parts = [len(one.deals) for one in grouped(shuffled(*tables))]
    assert sum(parts) == 24


def test_a_session_comes_out_before_the_records_end_where_many_are_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grouping, "MOST_OPEN", 2)
    read = 0

    def counted() -> Iterator[Record]:
        nonlocal read
        for table in range(5):
            for one in evening(NAMES[:3], 2, Table=str(table)):
                read += 1
                yield one

    first = next(iter(grouped(counted())))
    assert (first.table, read) == ("0", 5)


def test_records_without_names_give_rows_of_which_nothing_is_concluded() -> None:
    bare = [replace(game(number), tags=(("Deal", str(number)),)) for number in (3, 4)]
    (group,) = grouped(bare, "nameless.skat")
    assert (group.source, group.players) == ("nameless.skat", ("", "", ""))
    sheet = sheet_of(group, Judge())
    played = [row for row in sheet.rows if "declarer" in row.unread]
    assert played and all(row.dealer is None and row.declarer is None for row in sheet.rows)
    assert ListChecker(ISKO).check(sheet).corrected == ListChecker(ISKO).check(sheet).entered


def test_a_record_that_cannot_be_read_is_a_row_of_its_session_and_is_faulted(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.skat"
    texts = [registry.write_record(one, "skat")[0] for one in evening(NAMES[:3], 3)]
    texts.insert(1, "%skat 1\nno section\n  M 18\n")
    path.write_text("\n".join(texts), encoding="utf-8")
    (group,) = grouped(registry.open_records(path))
    sheet = sheet_of(group, Judge())
    assert [isinstance(row.record, BrokenRecord) for row in sheet.rows] == [
        False,
        True,
        False,
        False,
    ]
    assert sheet.rows[1].unread == {"declarer"}
    faults = [
        one for one in ListChecker(ISKO).check(sheet).disputes if one.line == sheet.rows[1].line
    ]
    assert [one.code for one in faults] == ["L038"]


def test_a_record_that_cannot_be_read_goes_to_no_table_where_several_are_open(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.skat"
    tables = [evening(NAMES[:3], 2, Table=str(at)) for at in range(2)]
    texts = [registry.write_record(one, "skat")[0] for one in shuffled(*tables)]
    path.write_text("\n".join([*texts, "%skat 1\nno section\n"]), encoding="utf-8")
    lengths = Counter(len(one.deals) for one in grouped(registry.open_records(path)))
    assert lengths == {1: 1, 2: 2}


def test_records_with_gaps_name_no_dealers_at_a_table_of_three() -> None:
    whole = [
        replace(one, tags=tuple(tag for tag in one.tags if tag[0] != "Deal"))
        for one in evening(NAMES[:3], 6)
    ]
    (group,) = grouped(whole)
    assert dealers(sheet_of(group, Judge())) == [*NAMES[:3]] * 2
    (group,) = grouped([whole[0], *whole[2:]])
    sheet = sheet_of(group, Judge())
    assert dealers(sheet) == [""] * 5
    assert ListChecker(ISKO).check(sheet).errors == 0


# --- real archives ----------------------------------------------------------------------


def iss_sums(path: Path) -> Counter[str]:
    """Add up an archive's results by the names in its text, without any reader."""
    found: Counter[str] = Counter()
    for record in re.findall(r"\(;.*?;\)", path.read_text(encoding="latin-1"), re.DOTALL):
        names = [re.search(rf"P{seat}\[([^\]]*)\]", record) for seat in range(3)]
        result = re.search(r"R\[d:([012]) (?:win|loss) v:(-?\d+)", record)
        if result and all(names):
            name = names[int(result[1])]
            assert name is not None
            found[name[1]] += int(result[2])
    return found


@pytest.mark.parametrize("name", ["real.sgf", "client-random-3000.sgf"])
def test_the_sums_of_a_server_s_sessions_are_those_of_its_text(name: str) -> None:
    path = ISS / name
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    records = list(registry.open_records(path))
    groups = list(grouped(records))
    assert sum(len(one.deals) for one in groups) == len(records)
    found: Counter[str] = Counter()
    for group in groups:
        found.update(by_name(sheet_of(group, Judge())))
    assert {who: n for who, n in found.items() if n} == {
        who: n for who, n in iss_sums(path).items() if n
    }


def xskat_rows(log: Path) -> list[list[int]]:
    """Return the rows of a list whose head is still empty."""
    lines = log.with_suffix(".lst").read_text(encoding="ascii").splitlines()
    return [[int(word) for word in line.split()[1:]] for line in lines if line.startswith("e")]


def xskat_changes(row: Sequence[int]) -> list[tuple[int, int]]:
    """Return who gets what by a list's row: player, and signed points."""
    player, is_ramsch, march, value, won = row
    if not value:
        return []
    if is_ramsch and won and not march:
        return [(other, -value) for other in range(3) if other != player]
    return [(player, value if won else -value)]


LOGS = sorted(xskat_files.LOGS.glob("*-1001.log"))


@pytest.mark.skipif(not LOGS, reason=f"{xskat_files.LOGS} is not here")
@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
def test_the_list_of_a_log_comes_to_what_xskat_wrote_down(log: Path) -> None:
    rules = load_rules(xskat_files.rules_for(xskat_files.MODES[log.stem.partition("-")[0]]))
    (group,) = grouped(registry.open_records(log))
    sheet = sheet_of(group, Judge(rules, in_order=True))
    rows = xskat_rows(log)
    changes = [one for row in rows for one in xskat_changes(row)]
    normal = [sum(n for player, n in changes if player == at) for at in range(3)]
    own = sums(sheet)
    assert [one.points for one in own] == normal
    if any(row[1] for row in rows):
        return  # in Ramsch XSkat's tournament listing adds nothing
    tournament = list(normal)
    for player, number in changes:
        tournament[player] += 50 if number > 0 else -50
        for other in range(3):
            tournament[other] += 40 if number < 0 and other != player else 0
    assert list(scoring.totals(own, compile_match(ISKO.profile), SEEGER_FABIAN)) == tournament


@pytest.mark.skipif(not LOGS, reason=f"{xskat_files.LOGS} is not here")
@pytest.mark.parametrize("mode", ["std", "kontra", "oldrules", "bock", "ramschonly", "sramschonly"])
def test_rows_made_of_records_agree_with_them(mode: str) -> None:
    rules = load_rules(xskat_files.rules_for(xskat_files.MODES[mode]))
    (group,) = grouped(registry.open_records(xskat_files.LOGS / f"{mode}-1001.log"))
    sheet = sheet_of(group, Judge(rules, in_order=True))
    report = ListChecker(rules, PLAIN).check(sheet)
    wrong = [message(one.found) for one in report.disputes if one.code in ("L037", "L038")]
    assert wrong == []
    assert report.corrected == report.entered


# --- a row and its record ---------------------------------------------------------------

SHEET = Sheet("list.csv", players=NAMES[:3], seats=3)
COLUMNS = {name: Column(at, name) for at, name in enumerate(("deal", *Account._fields), start=1)}
WIDE = replace(SHEET, columns=COLUMNS)
JUDGE = Judge(ISKO)
# An untouched row of a generated game, the dealer sitting at the third place.
DEALER = 2


def row_of(number: int) -> Row:
    """Return the row of a generated game, forehand being the first player."""
    record = replace(game(number), tags=())
    named = replace(record, tags=tuple(zip(SEAT_LETTERS, NAMES[:3], strict=True)))
    (row,) = sheet_of(Group("", 0, "", "", "", NAMES[:3], (named,)), JUDGE).rows
    return replace(row, record=record)


def compared(row: Row, sheet: Sheet = WIDE) -> Comparison:
    return compare(row, sheet, DEALER, JUDGE)


def columns(found: Iterable[Diagnostic]) -> list[str]:
    for one in found:
        assert "{" not in message(one)
        assert one.code == "L037"
    return [one.part for one in found]


PLAYED = [number for number in range(60) if row_of(number).declarer is not None]


def test_a_row_that_says_what_its_record_says_is_not_faulted() -> None:
    for number in range(60):
        row = row_of(number)
        found = compared(row)
        assert found.findings == ()
        assert found.played is (row.declarer is not None)
        assert (found.declarer, found.score) == (row.declarer, row.value)


def test_the_right_value_comes_with_the_lines_of_its_settlement() -> None:
    found = compared(row_of(PLAYED[0]))
    assert found.why and found.why[-1].value is not None


# Kontra and Bock rounds are none of these rules.
FIELDS = [name for name in Account._fields if name not in ("unsigned", "kontra", "bock")]


@pytest.mark.parametrize("field", FIELDS)
def test_an_entry_that_differs_is_faulted_at_its_own_cell(field: str) -> None:
    column, seen = "result" if field == "won" else field, 0
    for number in PLAYED:
        row = row_of(number)
        account = row.account
        assert account is not None
        old = getattr(account, field)
        if old is None or (field == "matadors" and abs(old) == 1):
            continue
        new = not old if isinstance(old, bool) else "ramsch" if isinstance(old, str) else old + 1
        found = columns(compared(replace(row, account=account._replace(**{field: new}))).findings)
        assert set(found) <= {column}
        seen += bool(found)
    assert seen


def test_a_row_with_another_declarer_or_value_is_faulted() -> None:
    for number in PLAYED:
        row = row_of(number)
        assert row.declarer is not None and row.value is not None
        other = replace(row, declarer=(row.declarer + 1) % 3)
        assert columns(compared(other).findings) == ["declarer"]
        assert compared(other).declarer == row.declarer
        assert columns(compared(replace(row, value=row.value - 1)).findings) == ["value"]
        assert columns(compared(replace(row, value=-row.value)).findings) == ["value"]


def test_a_deal_that_was_played_cannot_be_entered_as_passed_in_nor_the_other_way_round() -> None:
    played = row_of(PLAYED[0])
    found = compared(replace(played, declarer=None, account=None, value=None))
    assert columns(found.findings) == ["declarer"]
    assert found.findings[0].read == "nobody"
    passed = next(row_of(number) for number in range(60) if number not in PLAYED)
    found = compared(replace(passed, declarer=1, account=Account("clubs"), value=24))
    assert columns(found.findings) == ["declarer"]
    assert found.played is False


def test_cells_that_are_missing_or_could_not_be_read_are_not_compared() -> None:
    row = row_of(PLAYED[0])
    blank = replace(row, declarer=None, account=None, value=None, unread=frozenset({"declarer"}))
    assert compared(blank).findings == ()
    assert compared(replace(row, account=Account(), value=None)).findings == ()


def test_one_announcement_that_is_missing_is_named_once() -> None:
    for number in range(300):
        record = game(number)
        row = row_of(number) if record.result and record.result.score else None
        if row is not None and row.account is not None and row.account.ouvert:
            if row.account.contract == "null":
                continue
            bare = row.account._replace(
                ouvert=False, schwarz_announced=False, schneider_announced=False, hand=False
            )
            assert columns(compared(replace(row, account=bare)).findings) == ["ouvert"]
            short = row.account._replace(
                schwarz_announced=False, schneider_announced=False, hand=False
            )
            assert compared(replace(row, account=short)).findings == ()
            return
    raise AssertionError("no game of these was played ouvert")


def test_a_level_that_counts_as_announced_without_hand_is_not_taken_for_hand() -> None:
    # a present that was refused: Schneider counts as announced, and the skat was picked up
    record = registry.parse_text(resources.text("records", "games", "gift-refused.skat"))
    (group,) = grouped([record])
    (row,) = (sheet := sheet_of(group, Judge())).rows
    assert row.account is not None
    assert (row.account.schneider_announced, row.account.hand) == (True, False)
    assert compare(row, sheet, None, Judge()).findings == ()
    wrong = replace(row, account=row.account._replace(schneider_announced=False))
    (found,) = compare(wrong, sheet, None, Judge()).findings
    assert found.part == "contract"  # the list has no column of its own for it


def test_an_announcement_without_a_column_is_faulted_at_the_game() -> None:
    narrow = replace(SHEET, columns={"contract": Column(3, "game")})
    row = next(row_of(n) for n in PLAYED if row_of(n).account._replace().hand)  # type: ignore[union-attr]
    assert row.account is not None
    other = replace(row, account=row.account._replace(
        hand=False, ouvert=None, schneider_announced=None, schwarz_announced=None
    ))  # fmt: skip
    assert columns(compare(other, narrow, DEALER, JUDGE).findings) == ["contract"]


def test_matadors_of_no_side_are_compared_by_their_number() -> None:
    for number in PLAYED:
        row = row_of(number)
        assert row.account is not None
        if row.account.matadors:
            own = row.account._replace(matadors=abs(row.account.matadors), unsigned=True)
            assert compared(replace(row, account=own)).findings == ()
            more = own._replace(matadors=(own.matadors or 0) + 1)
            assert columns(compared(replace(row, account=more)).findings) == ["matadors"]


def test_a_record_whose_result_is_wrong_is_named_and_its_replay_gives_the_value() -> None:
    row = row_of(PLAYED[0])
    record = row.record
    assert isinstance(record, Record) and record.result is not None
    assert record.result.score is not None
    wrong = replace(record, result=replace(record.result, score=record.result.score + 1))
    found = compared(replace(row, value=7, record=wrong))
    (one,) = found.findings
    assert (one.code, found.verdict, found.score) == ("L038", Verdict.CONTRADICTED, row.value)
    assert "the record of this deal is contradicted: S0" in message(one)
    assert compared(replace(row, record=None)).findings == ()


def test_a_record_whose_play_is_wrong_is_named_and_gives_no_value() -> None:
    row = row_of(PLAYED[0])
    record = row.record
    assert isinstance(record, Record)
    wrong = replace(record, steps=(*record.steps[:-2], record.steps[-3], *record.steps[-2:]))
    found = compared(replace(row, value=7, record=wrong))
    assert [one.code for one in found.findings] == ["L038"]
    assert (found.score, found.declarer) == (None, None)


def test_what_a_record_leaves_open_is_no_fault_but_what_it_rules_out_is() -> None:
    row = row_of(next(n for n in PLAYED if row_of(n).account.won))  # type: ignore[union-attr]
    record = row.record
    assert isinstance(record, Record) and row.value is not None
    only_deal = replace(record, steps=record.steps[: len(record.steps) // 2], result=None)
    found = compared(replace(row, record=only_deal))
    assert (found.findings, found.score) == ((), None)
    odd = compared(replace(row, record=only_deal, value=row.value + 1))
    assert columns(odd.findings) == ["value"]


# --- whose seats ------------------------------------------------------------------------


def named(**tags: str) -> Record:
    return Record(tuple(tags.items()))


@pytest.mark.parametrize(
    ("record", "dealer", "expected"),
    [
        (named(F="Ben", M="Cem", R="Anna"), None, (1, 2, 0)),
        (named(F="BEN "), None, (1, 2, 0)),
        (named(R="Ben"), 0, (2, 0, 1)),
        (named(F="Zoe"), 0, (1, 2, 0)),
        (named(), 2, (0, 1, 2)),
        (named(), None, None),
        (named(F="Ben", M="Anna", R="Cem"), 0, None),
        (named(Places="3 1 2"), 2, (2, 0, 1)),
        (named(Places="3 3 2"), 2, (0, 1, 2)),
    ],
)
def test_seats_are_told_by_names_then_by_places_then_by_the_dealer(
    record: Record, dealer: int | None, expected: tuple[int, int, int] | None
) -> None:
    assert seating(record, SHEET, dealer) == expected


def test_at_a_table_of_four_the_three_behind_the_dealer_play() -> None:
    sheet = replace(SHEET, players=NAMES, seats=4)
    assert seating(named(), sheet, 2) == (3, 0, 1)
    assert seating(named(M="Dora"), sheet, None) == (2, 3, 0)


def test_a_dealer_whom_the_names_of_the_record_rule_out_is_faulted() -> None:
    row = row_of(PLAYED[0])
    assert isinstance(row.record, Record)
    tags = tuple(zip(SEAT_LETTERS, NAMES[:3], strict=True))
    right = replace(row, record=replace(row.record, tags=tags), dealer=2)
    assert compared(right).findings == ()
    assert columns(compared(replace(right, dealer=0)).findings) == ["dealer"]


# --- Ramsch -----------------------------------------------------------------------------


@pytest.mark.skipif(not LOGS, reason=f"{xskat_files.LOGS} is not here")
def test_who_lost_a_ramsch_and_how_much_is_compared() -> None:
    name = xskat_files.rules_for(xskat_files.MODES["ramschonly"])
    judge = Judge(load_rules(name))
    (group,) = grouped(registry.open_records(xskat_files.LOGS / "ramschonly-1001.log"))
    sheet = sheet_of(group, judge)
    tied = [row for row in sheet.rows if row.others]
    alone = [row for row in sheet.rows if row.declarer is not None and not row.others]
    assert tied and alone
    for row in (*tied[:3], *alone[:3]):
        assert row.account is not None and row.account.contract == "ramsch"
        assert compare(row, sheet, None, judge).findings == ()
        assert row.value is not None and row.declarer is not None
        odd = replace(row, value=row.value - 1)
        assert columns(compare(odd, sheet, None, judge).findings) == ["value"]
        other = next(one for one in range(3) if one not in (row.declarer, *row.others))
        swapped = replace(row, declarer=other)
        assert columns(compare(swapped, sheet, None, judge).findings) == ["declarer"]
    missing = replace(tied[0], others=())
    assert columns(compare(missing, sheet, None, judge).findings) == ["declarer"]
    clubs = replace(alone[0], account=Account("clubs"))
    assert columns(compare(clubs, sheet, None, judge).findings) == ["contract"]


@pytest.mark.skipif(not LOGS, reason=f"{xskat_files.LOGS} is not here")
def test_calls_of_kontra_and_bock_rounds_are_compared() -> None:
    rules = load_rules(xskat_files.rules_for(xskat_files.BOCK))
    (group,) = grouped(registry.open_records(xskat_files.LOGS / "bock-1001.log"))
    sheet = sheet_of(group, Judge(rules, in_order=True))
    judge = Judge(rules, in_order=True)
    found: Counter[str] = Counter()
    for row in sheet.rows[:60]:
        account = row.account
        if account is not None and account.kontra is not None and account.bock is not None:
            account = account._replace(kontra=account.kontra + 1, bock=not account.bock)
        found.update(columns(compare(replace(row, account=account), sheet, None, judge).findings))
    assert set(found) == {"kontra", "bock"}
    assert found["kontra"] == found["bock"] > 0
