"""Records are written as files of predefined deals, and XSkat itself deals their cards."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from skatspec import resources
from skatspec.cards import HIDDEN, NAMES
from skatspec.diagnostics import message
from skatspec.formats import registry, xskat
from skatspec.record import Comment, Deal, Record

PROGRAM = shutil.which("xskat", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
needs_xskat = pytest.mark.skipif(PROGRAM is None, reason="the program xskat is not installed")


def sample(name: str = "null-won") -> Record:
    record = registry.parse_text(resources.text("records", "games", f"{name}.skat"), "skat")
    assert isinstance(record, Record)
    return record


def games() -> list[Record]:
    """Return all sample games whose 32 cards are known."""
    found = [
        registry.parse_text(path.read_text(encoding="utf-8"), "skat")
        for path in sorted(resources.locate("records", "games").glob("*.skat"))
    ]
    return [one for one in found if isinstance(one, Record) and xskat.write(one)[0]]


def matrix(text: str) -> list[list[str]]:
    """Return the numbers of a deal file, its remarks aside."""
    rows = [line.partition("#")[0].split() for line in text.splitlines()]
    return [row for row in rows if row]


def test_a_deal_file_names_for_every_card_who_is_dealt_it() -> None:
    # The form is that of the program's manual: rows D H S C, columns A 10 K Q J 9 8 7,
    # the player 1-3, or 0 for the skat. Forehand is 3, middlehand 1, rearhand 2.
    record = sample()
    rows = matrix(xskat.write(record)[0])
    assert [len(row) for row in rows] == [8] * 4 and record.deal is not None
    for number, cards in zip("3120", record.deal.parts(), strict=True):
        named = {
            suit + rank
            for suit, row in zip("DHSC", rows, strict=True)
            for rank, cell in zip("ATKQJ987", row, strict=True)
            if cell == number
        }
        assert named == {NAMES[card] for card in cards or ()}


@pytest.mark.parametrize(
    ("places", "start"), [("1 2 3", 3), ("2 3 1", 1), ("3 1 2", 2), ("1 3 2", 2), (None, 2)]
)
def test_the_switch_start_names_the_place_of_the_dealer(places: str | None, start: int) -> None:
    tags = () if places is None else (("Places", places),)
    text, findings = xskat.write(replace(sample(), tags=tags))
    assert f"xskat -game FILE -start {start}\n" in text
    # Places that do not go round the table have none.
    assert ("X001" in [one.code for one in findings]) == (places == "1 3 2")


def test_what_has_no_place_is_named() -> None:
    record = replace(
        sample(), tags=(("Id", "7"), ("Seed", "1001 0 2"), ("F", "Anna")),
        comments=(Comment("end", "well played"),),
    )  # fmt: skip
    text, findings = xskat.write(record)
    assert [one.code for one in findings] == ["X001", "X002", "X004", "X005"]
    assert all("{" not in message(one) for one in findings)
    assert "# record 7\n" in text and "random_seed 1001 0 2" in text and "Anna" not in text


@pytest.mark.parametrize("value", ["1\n2 2", "ä", "x" * 100, ""])
def test_a_remark_never_breaks_the_file(value: str) -> None:
    text, findings = xskat.write(replace(sample(), tags=(("Id", value), ("Seed", value))))
    assert matrix(text) == matrix(xskat.write(sample())[0])
    assert [one.code for one in findings][:2] == ["X001", "X001"] and text.isascii()


def test_cards_that_are_not_known_cannot_be_dealt() -> None:
    deal = sample().deal
    assert deal is not None and deal.hands[0] is not None and deal.skat is not None
    hidden = Deal((deal.hands[0], deal.hands[1], (HIDDEN,) * 10), deal.skat)
    nobodys = Deal((deal.hands[0], None, deal.hands[2]), deal.skat)
    twice = Deal((deal.hands[0], deal.hands[0], deal.hands[2]), deal.skat)
    few = Deal((deal.hands[0][:9], deal.hands[1], deal.hands[2]), deal.skat)
    uneven = Deal((deal.hands[0][:9], deal.hands[1], deal.hands[2]), (*deal.skat, deal.hands[0][9]))
    for one in (None, hidden, nobodys, twice, few, uneven):
        text, findings = xskat.write(replace(sample(), deal=one))
        assert text == "" and [found.code for found in findings] == ["X007"]


def dealt(folder: Path, text: str, start: int, count: int) -> list[Record]:
    """Return the games that the program plays from a deal file, as its log has them."""
    assert PROGRAM is not None
    (folder / "deals.txt").write_text(text)
    log = folder / "games.log"
    command = [
        PROGRAM, "-auto", str(count), "-game", "deals.txt", "-log", log.name,
        "-list", "games.lst", "-lang", "english", "-start", str(start),
    ]  # fmt: skip
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
    records = list(registry.open_records(log))
    assert all(isinstance(one, Record) for one in records)
    return records  # type: ignore[return-value]


def hands(record: Record) -> list[set[int]]:
    assert record.deal is not None
    return [set(cards or ()) for cards in record.deal.parts()]


@needs_xskat
@pytest.mark.parametrize("start", [1, 2, 3])
def test_xskat_deals_the_cards_of_the_record_to_its_seats(start: int, tmp_path: Path) -> None:
    record = sample()
    (played,) = dealt(tmp_path, xskat.write(record)[0], start, 1)
    assert hands(played) == hands(record)
    assert (played.tag("Places") or "")[-1] == str(start) and played.tag("Seed") is None


@needs_xskat
def test_xskat_deals_every_record_of_a_file_of_many(tmp_path: Path) -> None:
    records = games()
    assert len(records) > 20
    text = "".join([xskat.write(one)[0] for one in records])
    played = dealt(tmp_path, text, 2, len(records))
    assert [hands(one) for one in played] == [hands(one) for one in records]


@needs_xskat
def test_a_seed_in_a_remark_deals_the_same_cards(tmp_path: Path) -> None:
    (first,) = dealt(tmp_path, "random_seed 4711 3 2\n", 2, 1)
    seed = first.tag("Seed")
    assert seed is not None
    text, _ = xskat.write(first)
    assert f"random_seed {seed}" in text
    (tmp_path / "again").mkdir()
    start = int((first.tag("Places") or "")[-1])
    (again,) = dealt(tmp_path / "again", text, start, 1)
    assert hands(again) == hands(first) and again.tag("Places") == first.tag("Places")
