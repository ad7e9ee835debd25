"""How an archive is cut into units: every record in one of them, whatever the cuts meet."""

from __future__ import annotations

import random
import re

import pytest

from skatspec.archive import units
from skatspec.archive.units import between, streamed, units_of

PIECES = (b"(;GM[Skat] ;)", b"(;", b"\n", b"\r", b"\r\n", b"junk", b"\n(;", b";)", b"x" * 30)


def made(seed: int) -> bytes:
    chance = random.Random(seed)
    return b"".join(chance.choice(PIECES) for _ in range(chance.randrange(60)))


def cut(data: bytes, unit: int, chunk: int) -> list[list[tuple[int, bytes]]]:
    """Return what each unit of a source reads."""
    found = []
    for one in units_of(0, "x", len(data), unit):
        at = max(one.begin - 1, 0)
        chunks = (data[n : n + chunk] for n in range(at, len(data), chunk))
        found.append(list(between(chunks, one.begin, one.end)))
    return found


@pytest.mark.parametrize("seed", range(300))
def test_units_hold_each_record_once_by_where_it_begins(seed: int) -> None:
    data, chance = made(seed), random.Random(seed)
    unit, chunk = chance.randrange(3, 60), chance.randrange(1, 40)
    starts = [m.start() + 1 for m in re.finditer(rb"[\r\n](?=\(;)", data)]
    whole = cut(data, unit, chunk)
    pieces = [piece for one in whole for piece in one]
    assert b"".join(piece for _, piece in pieces) == data
    assert all(data[at : at + len(piece)] == piece for at, piece in pieces)
    for number, one in enumerate(whole):
        if number and one:
            assert one[0][0] in starts
            assert number * unit <= one[0][0] < (number + 1) * unit


@pytest.mark.parametrize("seed", range(300))
def test_a_stream_is_cut_where_a_seekable_file_is(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "_MOST_UNITS", 1000)
    data, chance = made(seed), random.Random(seed)
    unit = chance.randrange(40, 90)
    chunk = chance.randrange(1, 200)
    stream = (data[n : n + chunk] for n in range(0, len(data), chunk))
    there = {one.number: (one.begin, one.data) for one in streamed(0, "x", stream, unit)}
    for number, pieces in enumerate(cut(data, unit, chunk)):
        begin, held = there.get(number, (0, b""))
        assert (held or b"") == b"".join(piece for _, piece in pieces)
        if pieces:
            assert begin == pieces[0][0]


def test_a_stream_without_records_is_cut_all_the_same() -> None:
    data = b"junk\n" * 1000
    found = list(streamed(0, "x", [data[n : n + 7] for n in range(0, len(data), 7)], 50))
    assert b"".join(one.data or b"" for one in found) == data
    assert max(len(one.data or b"") for one in found) < 300
    assert [one.number for one in found] == list(range(len(found)))
