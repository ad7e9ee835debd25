"""The JSON form of a record (schemas/record.schema.json): read, parse, write.

A source is a record a line, records over several lines, or an array of records. The
form is faithful: what is written is read back as an equal record. `null` stands for
what is missing, and as a bid for one that is no number. Where a bid is no whole number
of a sensible size it is read as no number, where a figure of the result is none it is
left out (S016); any other departure from the schema makes the record a broken one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from skatspec.diagnostics import Diagnostic, Span, finding, span_at
from skatspec.formats.lines import Lines, from_text
from skatspec.formats.record_json_frame import Frame, Framer
from skatspec.formats.record_json_places import Path, index, locate
from skatspec.formats.record_json_shape import BadShape, Shaped, Spoilt, shaped
from skatspec.formats.record_json_write import write
from skatspec.formats.record_text import LIMIT_TEXT, excerpt
from skatspec.record import BrokenRecord, Origin, Record

__all__ = ["locate", "parse", "read", "write"]

FORMAT = "json"
# Longer numbers are never turned into integers, which would take long.
_MOST_DIGITS = 9
_RECORD = 'a record: {"skatspec": 1, ...}'


class _RepeatedKey(Exception):
    """An object holds a key twice; only the slow path asks where."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _RepeatedKey
    return result


def _integer(digits: str) -> float:
    return int(digits) if len(digits) <= _MOST_DIGITS else math.inf


_DECODE = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer).decode


def read(lines: Lines) -> Iterator[Record | BrokenRecord]:
    """Yield the records of a source in order."""
    source, count = lines.source, 0
    framer = Framer()
    for number, line in lines:
        if framer.idle:
            record = _quick(line, source, count, number)
            if record is not None:
                framer.passed()
                yield record
                count += 1
                continue
        for frame in framer.feed(number, line):
            yield _read_frame(frame, source, count)
            count += 1
    for frame in framer.finish():
        yield _read_frame(frame, source, count)
        count += 1
    if framer.array:
        lines.report(finding("N002", span=framer.array_place, read="[", expected="]"))


def parse(text: str) -> Record | BrokenRecord:
    """Read the first record of a text; a text without one is a broken record (N013)."""
    for record in read(from_text(text)):
        return record
    origin = Origin(format=FORMAT, text=text)
    note = finding("N013", span=origin.start(), read=excerpt(text), expected="{")
    return BrokenRecord(origin, (note,))


def _quick(line: str, source: str, number: int, line_number: int) -> Record | None:
    """Return the record that a line is, None where anything is unusual."""
    text = line.rstrip().removesuffix(",")
    if not text.lstrip().startswith("{"):
        return None
    try:
        part = shaped(_DECODE(text))
    except (ValueError, RecursionError, _RepeatedKey, BadShape):
        return None
    if part.spoilt or (part.deal is None and not part.steps):
        return None
    return _record(part, Origin(source, number, line_number, FORMAT, text, locate), ())


def _record(part: Shaped, origin: Origin, findings: tuple[Diagnostic, ...]) -> Record:
    return Record(part.tags, part.deal, part.steps, part.result, part.comments, origin, findings)


def _read_frame(frame: Frame, source: str, count: int) -> Record | BrokenRecord:
    origin = Origin(source, count, frame.line, FORMAT, frame.text, locate)
    if frame.problem:
        return BrokenRecord(origin, (_frame_finding(frame),))
    try:
        part = shaped(_DECODE(frame.text))
    except json.JSONDecodeError as error:
        return BrokenRecord(origin, (_syntax_finding(origin, error),))
    except _RepeatedKey:
        return BrokenRecord(origin, (_repeated_finding(origin),))
    except BadShape as bad:
        return BrokenRecord(origin, (_shape_finding(origin, bad),))
    findings = [_figure_finding(origin, spoilt) for spoilt in part.spoilt]
    if part.deal is None and not part.steps and part.result is None:
        findings.append(finding("N014", span=origin.start()))
    return _record(part, origin, tuple(findings))


# ---------------------------------------------------------------- what is wrong


def _frame_finding(frame: Frame) -> Diagnostic:
    """Say why no record could be cut out, or what was cut out instead of one."""
    text, line = frame.text, frame.line
    if frame.problem == "E005":
        return finding("E005", span=Span(line, 1, 2), what="a record", limit=LIMIT_TEXT)
    if frame.problem == "N002":
        end = len(text.rstrip())
        return finding("N002", span=span_at(text, end, end + 1, line), expected="}")
    start = frame.at or len(text) - len(text.lstrip())
    place = span_at(text, start, start + 1 if frame.at else len(text), line)
    return finding("N013", span=place, read=excerpt(text[start:]), expected=_RECORD)


def _syntax_finding(origin: Origin, error: json.JSONDecodeError) -> Diagnostic:
    at = error.pos
    place = span_at(origin.text, at, at + 1, origin.line)
    return finding("N013", span=place, read=excerpt(origin.text[at:]), expected=error.msg)


def _repeated_finding(origin: Origin) -> Diagnostic:
    found = index(origin.text).repeated
    if found is None:
        # Deeper than a record goes: what stands there is wrong already.
        return finding("N013", span=origin.start(), read=excerpt(origin.text), expected=_RECORD)
    path, place = found
    span = span_at(origin.text, *place, origin.line)
    return finding("N013", span=span, read=_spelt(path), expected="each key once")


def _shape_finding(origin: Origin, bad: BadShape) -> Diagnostic:
    span, read = _at(origin, bad.path)
    spelt = f"{_spelt(bad.path)}: {read}" if read else _spelt(bad.path)
    return finding(bad.code, span=span, read=spelt, expected=bad.expected)


def _figure_finding(origin: Origin, spoilt: Spoilt) -> Diagnostic:
    span, read = _at(origin, spoilt.path)
    what = str(spoilt.path[-1])
    return finding("S016", span=span, what=what, read=read, expected=spoilt.expected)


def _at(origin: Origin, path: Path) -> tuple[Span, str]:
    """Return the place of a path and what stands there; a missing part is sought above."""
    text, places = origin.text, index(origin.text).places
    read = ""
    if path in places:
        start, end = places[path]
        read = excerpt(text[start:end])
    while path and path not in places:
        path = path[:-1]
    return span_at(text, *places.get(path, (0, 1)), origin.line), read


def _spelt(path: Path) -> str:
    """Spell a path, `$.steps[3].card`."""
    return "$" + "".join([f"[{key}]" if isinstance(key, int) else f".{key}" for key in path])
