"""The catalogue of codes: one entry a code, read once from codes.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from skatspec.diagnostics.model import Diagnostic, Severity
from skatspec.errors import UsageError

FAMILIES = {
    "N": "notation",
    "R": "record and deal",
    "B": "bidding",
    "D": "declaration and discard",
    "P": "play",
    "S": "settlement",
    "L": "list and match",
    "F": "rule profile",
    "X": "conversion loss",
    "C": "conformance",
    "E": "encoding and input limits",
}


@dataclass(frozen=True, slots=True)
class CodeEntry:
    """One code: its kebab name, default severity, one-line text with slots, explanation."""

    code: str
    name: str
    severity: Severity
    text: str
    explain: str
    topic: str
    bad: str
    good: str


@cache
def catalog() -> dict[str, CodeEntry]:
    """Return every code in order."""
    path = Path(__file__).with_name("codes.yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
    return {
        code: CodeEntry(
            code,
            row["name"],
            Severity(row["severity"]),
            row["text"],
            " ".join(row["explain"].split()),
            row.get("topic", ""),
            row.get("bad", "").rstrip(),
            row.get("good", "").rstrip(),
        )
        for code, row in data.items()
    }


def entry(code: str) -> CodeEntry:
    """Return the entry of a code that the package itself raised."""
    return catalog()[code]


@cache
def _by_name() -> dict[str, CodeEntry]:
    return {row.name: row for row in catalog().values()}


def resolve(text: str) -> CodeEntry:
    """Return the entry for a code or a kebab name; UsageError when neither exists."""
    found = catalog().get(text.upper()) or _by_name().get(text.lower())
    if found is None:
        raise UsageError(f"no such code: {text}")
    return found


def message(diagnostic: Diagnostic) -> str:
    """Return the one-line text of a finding, its slots filled."""
    row = entry(diagnostic.code)
    slots = dict(diagnostic.slots)
    slots.setdefault("read", diagnostic.read)
    slots.setdefault("expected", diagnostic.expected)
    return row.text.format_map(slots)
