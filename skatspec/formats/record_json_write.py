"""Writes a record as one line of JSON (schemas/record.schema.json)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from skatspec.cards import NAMES, Card
from skatspec.diagnostics import Diagnostic, finding
from skatspec.formats.record_json_places import HANDS
from skatspec.formats.record_json_shape import (
    FIGURES,
    HIGHEST_BID,
    SEAT_WORDS,
    SHARED,
    VERSION,
)
from skatspec.formats.record_text import excerpt
from skatspec.record import (
    DOUBLES,
    MODIFIERS,
    NO_NUMBER,
    AuctionEnd,
    Bid,
    Claim,
    Comment,
    Deal,
    Declare,
    Discard,
    Double,
    Exchange,
    PickUp,
    Play,
    Push,
    Record,
    Result,
    Ruling,
    Show,
    Step,
)

FORMAT_NAME = "JSON"
# What some readers take for a line end or drop, and what UTF-8 cannot hold.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_FRAGMENTS: dict[Step, str] = {step: _ENCODE(dict(key)) for key, step in SHARED.items()}


def write(record: Record) -> tuple[str, list[Diagnostic]]:
    """Return the record as one line with its end, and what had no place in it."""
    findings: list[Diagnostic] = []
    steps = [_step(step, number, findings) for number, step in enumerate(record.steps, 1)]
    members = [f'"skatspec":{VERSION}', f'"tags":{_ENCODE(record.tags)}']
    if record.deal is not None:
        members.append(f'"deal":{_ENCODE(_deal(record.deal))}')
    members.append(f'"steps":[{",".join(filter(None, steps))}]')
    if record.result is not None:
        members.append(f'"result":{_ENCODE(_result(record.result, findings))}')
    if record.comments:
        members.append(f'"comments":{_ENCODE([_comment(one) for one in record.comments])}')
    text = "{" + ",".join(members) + "}"
    if not text.isascii():
        text = _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text + "\n", findings


def _names(group: tuple[Card, ...]) -> list[str]:
    return [NAMES[card] for card in group]


def _deal(deal: Deal) -> dict[str, list[str]]:
    parts = zip(HANDS, (*deal.parts(), deal.pack), strict=True)
    return {name: _names(part) for name, part in parts if part is not None}


def _comment(comment: Comment) -> dict[str, Any]:
    document: dict[str, Any] = {"where": comment.where, "text": comment.text}
    if not comment.own_line:
        document["own_line"] = False
    return document


def _step(step: Step, number: int, findings: list[Diagnostic]) -> str:
    """Return a step's JSON; empty, with a finding, where it has none."""
    known = _FRAGMENTS.get(step)
    if known is not None:
        return known
    unknown = isinstance(step, Double) and step.call not in DOUBLES
    if unknown or step.seat not in SEAT_WORDS:
        findings.append(finding("X004", format=FORMAT_NAME, what=step.word, step=number))
        return ""
    document = {"step": step.word, "seat": SEAT_WORDS[step.seat]}
    return _ENCODE(document | dict(_members(step, number, findings)))


def _members(step: Step, number: int, findings: list[Diagnostic]) -> Iterator[tuple[str, Any]]:
    match step:
        case Bid() | AuctionEnd():
            sensible = 0 <= step.value <= HIGHEST_BID
            if not sensible and step.value != NO_NUMBER:
                read = excerpt(str(step.value)) if abs(step.value) < 10**9 else ""
                what = step.word
                note = finding("X003", format=FORMAT_NAME, what=what, read=read, step=number)
                findings.append(note)
            yield "value", step.value if sensible else None
        case Play():
            yield "card", NAMES[step.card]
        case Discard() | Exchange():
            yield "cards", _names(step.cards)
        case PickUp() | Show() | Push():
            if step.cards is not None:
                yield "cards", _names(step.cards)
        case Double():
            yield "call", step.call
        case Ruling():
            yield "won", step.won
            yield "source", step.source
            for name, bit in MODIFIERS.items():
                if step.levels & bit:
                    yield name, True
            if not step.skat_counts:
                yield "skat_counts", False
        case Claim():
            for name, bit in MODIFIERS.items():
                if step.levels & bit:
                    yield name, True
        case Declare():
            yield "contract", step.contract
            for name, bit in MODIFIERS.items():
                if step.modifiers & bit:
                    yield name, True
            if step.shown is not None:
                yield "shown", _names(step.shown)


def _result(result: Result, findings: list[Diagnostic]) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": result.kind}
    for name, figure in FIGURES.items():
        value = getattr(result, name)
        if value is None:
            continue
        written = figure.write(value)
        if written is None:
            read = "" if isinstance(value, (int, tuple)) else excerpt(str(value))
            findings.append(finding("X005", format=FORMAT_NAME, what=name, read=read))
        else:
            document[name] = written
    return document
