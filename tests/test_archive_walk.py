"""The way through an archive with a kernel: the same records and findings as plain reading."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from skatspec.formats import iss
from skatspec.formats.lines import Block, Lines
from tests.gamegen import seeded

pytest.importorskip("numpy", reason="archives need the extra `archive` (numpy)")

import numpy as np

from skatspec.archive.kernel.answers import CONSISTENT
from skatspec.archive.walk import Handed, Taken, Walk

NOT_MINE = -1
JUNK = (
    b"", b"", b"# a comment", b"junk", b"  ", b"(;GM[Skat]", b"MV[w", b"P0[x] ;)", b"]",
    b"(;", b";)",
    b"\xef\xbb\xbf", b"\xe4hnlich", "a\u2028b".encode(), b"\x00", b"(;GM[Skat]PC[x] ;) tail",
)  # fmt: skip
ENDS = (b"\n", b"\n", b"\n", b"\r\n", b"\r")


def sound(games: int = 40) -> list[bytes]:
    return [iss.write(one.record)[0].rstrip("\n").encode() for one in seeded("iss", games)]


class Lookup:
    """A kernel that knows some lines by heart."""

    def __init__(self, known: set[bytes]) -> None:
        self.known = known

    def decide(self, data: bytes) -> Any:
        found, at, number = [], 0, 0
        while at < len(data):
            ends = [place for end in (b"\n", b"\r") if (place := data.find(end, at)) >= 0]
            end = min(ends, default=len(data))
            if data.startswith(b"(;", at):
                taken = data[at:end] in self.known
                found.append((CONSISTENT if taken else NOT_MINE, at, end, number))
            at = end + (2 if data.startswith(b"\r\n", end) else 1)
            number += 1
        status, begin, end_, line = (np.array([row[n] for row in found], int) for n in range(4))
        figures = np.zeros((len(found), 10), np.int32)
        return SimpleNamespace(
            status=status, begin=begin, end=end_, line=line, lines=number, figures=figures,
            error_at=begin,
        )  # fmt: skip


def walked(data: bytes, kernel: Lookup, chunk: int, audit: int = 0) -> tuple[list[Any], Lines]:
    """Return (index, line, text, offset) of every record by way of the kernel."""
    lines = Lines(data[at : at + chunk] for at in range(0, len(data), chunk))
    rows: list[Any] = []

    def decided() -> Iterator[tuple[Block, Any]]:
        for block in lines.blocks():
            yield block, None if block.cut else kernel.decide(block.data)

    for one in Walk(lines, audit).over(decided()):
        if isinstance(one, Taken):
            for at in range(one.first, one.stop):
                begin, end = int(one.decided.begin[at]), int(one.decided.end[at])
                text = one.block.data[begin:end].decode()
                number = lines.number - (one.stop - 1 - at)
                rows.append((len(rows), number, text, one.block.offset + begin))
        else:
            assert one.index == len(rows)
            rows.append((one.index, one.frame.line, one.frame.text, one.starts[0]))
    return rows, lines


@pytest.mark.parametrize("seed", range(40))
def test_records_lines_and_findings_are_those_of_plain_reading(seed: int) -> None:
    chance = random.Random(seed)
    good = sound()
    known = set(chance.sample(good, 30))
    parts = []
    for _ in range(chance.randrange(60)):
        parts.append(chance.choice(good) if chance.random() < 0.6 else chance.choice(JUNK))
        parts.append(chance.choice(ENDS) if chance.random() < 0.95 else b"")
    data = b"".join(parts)
    plain = Lines([data])
    wanted = [(one.origin.index, one.origin.line, one.origin.text) for one in iss.read(plain)]
    rows, lines = walked(data, Lookup(known), chance.choice((1 << 20, 3000, 700)))
    assert [row[:3] for row in rows] == wanted
    assert lines.findings == plain.findings
    assert lines.number == plain.number
    for _, _, text, offset in rows:
        at_start = text.startswith("(;GM") and data[offset : offset + 1] == b"("
        if at_start and text.isascii() and "\n" not in text:
            assert data[offset : offset + len(text)] == text.encode()


def test_one_record_in_so_many_is_audited_and_always_the_same_ones() -> None:
    good = sound()
    data = b"\n".join(good * 100)
    picked = []
    for _ in range(2):
        lines = Lines([data])
        kernel = Lookup(set(good))
        walk = Walk(lines, audit=20)
        handed = [
            one.index
            for one in walk.over((block, kernel.decide(block.data)) for block in lines.blocks())
            if isinstance(one, Handed)
        ]
        picked.append(handed)
    assert picked[0] == picked[1]
    assert 100 < len(picked[0]) < 300
