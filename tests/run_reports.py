"""Reports of runs made by hand, for what reads them; the parts of a page."""

from __future__ import annotations

import json
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from skatspec.conformance.cases import Rule
from skatspec.conformance.matrix import Known, Matrix, Row, matrix
from skatspec.conformance.outcome import STATUSES
from tests.engines.asking import cases

RULES = (
    Rule("follow-suit", "A led suit is followed.", "ISkO 2022 4.2", "play"),
    Rule("overbid", "An overbid game is lost.", "ISkO 2022 3.6", "value"),
    Rule("trick", "The highest trump takes the trick.", "ISkO 2022 4.2", "play"),
    Rule("nobody", "A rule without a case.", "none", "value"),
)


def row(id: str, status: str = "passed", tags: str = "", **more: Any) -> dict[str, Any]:
    """Return a case of a report; `replies` may be given, or what one reply says."""
    reply = {key: more.pop(key) for key in ("differs", "code", "message", "agreement", "of")
             if key in more}  # fmt: skip
    made = {
        "id": id, "status": status, "task": "legal", "level": "must", "rule": "ISkO 2022 4.2",
        "tags": tags.split(), "replies": [{"rules": "isko", "status": status, **reply}],
    }  # fmt: skip
    return made | more


def report(*rows: dict[str, Any], name: str = "one", **more: Any) -> dict[str, Any]:
    """Return a report whose sums are right."""
    counts = Counter(one["status"] for one in rows)
    return {
        "skatspec": "0.1.0", "suite": 1, "command": ["./engine"],
        "engine": {"name": name, "version": "1", "language": "C"},
        "total": len(rows), **{status: counts[status] for status in STATUSES},
        "complete": not counts["unanswered"], "passed_all": False, "stale": 0, "restarts": 0,
        "seconds": 1.5, "waited": 1.0, "agreement": {}, "findings": [], "cases": list(rows),
    } | more  # fmt: skip


def made(*reports: dict[str, Any], known: dict[str, Known] | None = None) -> Matrix:
    return matrix(reports, RULES, known or {})


def line(rows: tuple[Row, ...], key: str) -> Row:
    return next(one for one in rows if one.key == key)


def written(folder: Path, file: str, *rows: dict[str, Any], **more: Any) -> Path:
    path = folder / file
    path.write_text(json.dumps(report(*rows, **more)))
    return path


def suite(folder: Path) -> Path:
    """Return a folder with a few cases and a catalogue of rules."""
    made_suite = folder / "suite"
    made_suite.mkdir()
    cases(made_suite, 2)
    (made_suite / "TAGS.yaml").write_text(
        "rules:\n"
        "  trick: {text: The highest trump takes it., rule: ISkO 2022 4.2, section: play}\n"
        "  overbid: {text: An overbid game is lost., few: no reason}\n"
        "  follow: {text: A led suit is followed., rule: ISkO 2022 4.2, section: play}\n"
    )
    return made_suite


class Elements(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def values(self, name: str) -> list[str]:
        return [value for _, one, value in self.attributes if one == name]
