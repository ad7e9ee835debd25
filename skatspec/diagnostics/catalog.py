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

# The languages of the one-line texts.
LANGUAGES = ("en", "de")


@dataclass(frozen=True, slots=True)
class CodeEntry:
    """One code: its kebab name, default severity, one-line text with slots, explanation.

    `text_de` is the text in German with the same slots, `""` where there is none yet.
    """

    code: str
    name: str
    severity: Severity
    text: str
    explain: str
    topic: str
    bad: str
    good: str
    text_de: str = ""


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
            row.get("de", ""),
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


def message(diagnostic: Diagnostic, lang: str = "en") -> str:
    """Return the one-line text of a finding, its slots filled.

    `lang` is one of `LANGUAGES`; a code that has no text in it speaks English. What fills
    the slots is not translated: whoever raises the code says it in the reader's language.
    """
    row = entry(diagnostic.code)
    slots = dict(diagnostic.slots)
    slots.setdefault("read", diagnostic.read)
    slots.setdefault("expected", diagnostic.expected)
    text = row.text_de if lang == "de" and row.text_de else row.text
    return text.format_map(slots)
