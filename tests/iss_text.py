"""ISS texts that several tests use, and short ways to read them."""

from __future__ import annotations

from skatspec import cards
from skatspec.diagnostics import Diagnostic
from skatspec.formats import iss
from skatspec.formats.iss_grammar import read_exactly
from skatspec.formats.lines import from_text
from skatspec.record import (
    BrokenRecord,
    Origin,
    Record,
    Result,
    Step,
)
from tests.shared import SHARED

ISS = SHARED / "data" / "iss"
FILES = ("real", "client-random-3000", "view-forehand", "view-rearhand", "view-public")
PACK = cards.names(range(32), ".")
VIEW = "|".join([".".join(["??"] * 10)] * 3 + ["??.??"])

# A record that holds one of everything, as a server writes it.
FULL = (
    "(;GM[Skat]PC[ISS2]CO[]SE[1]ID[2]DT[2020-01-01/00:00:00/UTC]P0[a]P1[@b]P2[xskat:2]"
    f"R0[]R1[null]R2[0.0]MV[w {PACK} 1 18 0 y 1 p 2 p 0 s w DQ.D7 0 G.D7.D8 0 CJ 1 ?? 0 SC "
    "2 RE w TI.1 w LE.2 ]R[d:0 loss v:-96 m:-1 overbid p:41 t:4 s:0 z:1 p0:0 p1:1 p2:0 "
    "l:2 to:1 r:1] ;)"
)


ONE = f"(;GM[Skat]MV[w {PACK} 1 p ]R[passed] ;)"


def card(name: str) -> int:
    return cards.BY_NAME[name]


def hand(text: str) -> tuple[int, ...]:
    return tuple(card(name) for name in text.split())


def moves_of(text: str, lead: str = "") -> tuple[Step, ...]:
    """Read moves through both readers and return the steps they agree on."""
    whole = f"(;GM[Skat]MV[{lead or 'w ' + PACK} {text} ];)"
    record = iss.parse(whole)
    assert isinstance(record, Record), record.findings
    exact = read_exactly(Origin(text=whole))
    assert exact == record
    assert len(iss.locate(whole).steps) == len(record.steps)
    return record.steps


def result_of(text: str) -> tuple[Result | None, list[str]]:
    record = iss.parse(f"(;MV[w {PACK} ]R[{text}];)")
    assert isinstance(record, Record)
    return record.result, [found.code for found in record.findings]


def all_of(text: str) -> tuple[list[Record | BrokenRecord], list[Diagnostic]]:
    lines = from_text(text)
    return list(iss.read(lines)), lines.findings


def codes(item: Record | BrokenRecord) -> list[str]:
    return [found.code for found in item.findings]


def kinds(items: list[Record | BrokenRecord]) -> str:
    """Return a letter a record: r read, b broken."""
    return "".join("r" if isinstance(item, Record) else "b" for item in items)
