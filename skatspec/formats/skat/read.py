"""Reads `.skat`: cuts the stream into records and turns each into a Record or BrokenRecord.

A fault ends the reading of its record, never of the file: the next `%skat` begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from skatspec.cards import ALPHABETS
from skatspec.diagnostics import Diagnostic, finding, span_at
from skatspec.formats.lines import Lines, from_text
from skatspec.formats.skat import alphabets, faults
from skatspec.formats.skat.builder import Builder, diagnose, read_words
from skatspec.formats.skat.chunks import LIMIT, MAX_RECORD, Chunk, chunks
from skatspec.formats.skat.items import Problem
from skatspec.formats.skat.places import locate
from skatspec.formats.skat.syntax import Row, syntax
from skatspec.formats.skat.words import FORMAT, HEADER
from skatspec.record import BrokenRecord, Origin, Record

_VERSION = re.compile(r"[ \t]*%skat[ \t]*([^#\n]*)")
_THIS = re.compile(r"[ \t]*%skat[ \t]+1[ \t]*(?:#[^\n]*)?\n")


class Reading(NamedTuple):
    """A record, and the text behind it that does not belong to it."""

    record: Record | BrokenRecord
    junk: str = ""
    junk_line: int = 0


def read(lines: Lines) -> Iterator[Record | BrokenRecord]:
    """Yield the records of a source as they come; junk between them is reported to `lines`."""
    index = 0
    reported = False
    for piece in chunks(lines):
        if isinstance(piece, Chunk):
            reading = read_chunk(piece, lines.source, index)
            if reading.junk:
                report_junk(lines, reading.junk, reading.junk_line)
            yield reading.record
            index += 1
        elif not piece.in_record and not reported:
            reported = report_junk(lines, "\n".join(piece.lines), piece.first)


def parse(text: str) -> Record | BrokenRecord:
    """Return the first record of a text; a text without one is a BrokenRecord (N011)."""
    lines = from_text(text)
    for record in read(lines):
        return record
    missing = finding("N011", span=span_at(text, 0, 1), what=f"first line {HEADER}")
    return BrokenRecord(Origin(format=FORMAT, text=text), (missing,))


def report_junk(lines: Lines, junk: str, first_line: int) -> bool:
    """Report the first line of skipped text that is no comment; say whether there was one."""
    at = 0
    for line in junk.split("\n"):
        bare = line.strip()
        if bare and bare[0] != "#":
            start = at + line.index(bare[0])
            span = span_at(junk, start, start + len(bare), first_line)
            read = read_words(junk, start, start + len(bare))
            lines.report(finding("N003", span=span, read=read, expected=HEADER))
            return True
        at += len(line) + 1
    return False


def read_chunk(chunk: Chunk, source: str, index: int) -> Reading:
    """Read one record from its lines."""
    text = chunk.text()
    if chunk.too_long:
        text = text[:MAX_RECORD]
    origin = Origin(source, index, chunk.first, FORMAT, text, locate)
    if chunk.too_long or chunk.gap:
        what = "the record" if chunk.too_long else "a line of the record"
        too_long = finding("E005", span=origin.start(), what=what, limit=LIMIT)
        return Reading(_broken(origin, too_long))
    head = text[: text.index("\n") + 1]
    if _THIS.match(head) is None:
        return Reading(_broken(origin, _unknown_version(head, origin)))
    rows = syntax().rows(text)
    refusal = syntax().refusal(rows)
    if refusal is None:
        return Reading(_build(rows, origin))
    at = refusal.row[2]
    if faults.looks_like_junk(rows, at):
        return _without_junk(chunk, origin, at)
    return Reading(_broken(origin, _diagnosed(origin, faults.explain(refusal, rows), rows)))


def _without_junk(chunk: Chunk, origin: Origin, at: int) -> Reading:
    """Read the record up to the junk behind it."""
    text = origin.text
    count = text.count("\n", 0, at)
    kept = Chunk(chunk.first, chunk.lines[:count])
    reading = read_chunk(kept, origin.source, origin.index)
    return Reading(reading.record, text[at:], chunk.first + count)


def _build(rows: list[Row], origin: Origin) -> Record | BrokenRecord:
    """Read the lines in the alphabet that the record names, else in the one that fits."""
    builder = Builder(alphabets.DEFAULT)
    problem = builder.read(rows)
    if problem is None:
        return builder.record(origin)
    unread: dict[str, Problem] = {}
    for alphabet in ALPHABETS:
        if alphabet != alphabets.DEFAULT:
            builder = Builder(alphabet)
            problem = builder.read(rows)
        if problem is None:
            return builder.record(origin)
        if problem.code != "N004":
            return _broken(origin, diagnose(origin.text, problem, origin.line))
        if builder.declared:
            word = origin.text[problem.start : problem.end]
            problem = faults.no_card(problem, word, (builder.alphabet,))
            return _broken(origin, diagnose(origin.text, problem, origin.line))
        unread[alphabet] = problem
    problem = faults.unread_card(origin.text, unread)
    return _broken(origin, diagnose(origin.text, problem, origin.line))


def _diagnosed(origin: Origin, problem: Problem, rows: list[Row]) -> Diagnostic:
    """Turn the problem of a refused line into a finding."""
    if problem.code == "N004":
        word = origin.text[problem.start : problem.end]
        problem = faults.no_card(problem, word, ALPHABETS)
    return diagnose(origin.text, problem, origin.line)


def _unknown_version(head: str, origin: Origin) -> Diagnostic:
    match = _VERSION.match(head)
    assert match is not None
    start, end = match.span(1)
    version = match[1].strip()
    if not version:
        start, end = len(head) - len(head.lstrip()), len(head.rstrip())
    span = span_at(head, start, end, origin.line)
    return finding("N012", span=span, read=version or "no version", expected=HEADER)


def _broken(origin: Origin, problem: Diagnostic) -> BrokenRecord:
    return BrokenRecord(origin, (problem,))
