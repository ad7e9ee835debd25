"""Several engines side by side: run reports counted by rule, task, level and code.

A report is what `skatspec conform run --format json` writes (schema `run`). The rules are the
tags that stand for one (`TAGS.yaml` of the suite); the cases' tags and expected codes come
from the suite, a case that it does not hold keeps the tags of its report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from skatspec.conformance.cases import LEVELS, TASKS, Rule
from skatspec.conformance.outcome import ERRORED, FAILED, PASSED, SKIPPED, STATUSES, UNANSWERED
from skatspec.diagnostics import entry

EXCUSED = "excused"  # on the user's list of known failures, and not passed
NONE, PARTLY = "none", "partly"
# What a cell can come to, the best first.
STATES = (PASSED, PARTLY, FAILED, EXCUSED, UNANSWERED, SKIPPED, NONE)

MOST_DISAGREEMENTS = 10
_MOST_REASONS = 12
_MOST_NAME, _MOST_TEXT = 80, 400  # characters
_NAMED = ("code", "position")  # levels of agreement at which the code is named


@dataclass(frozen=True, slots=True)
class Known:
    """What the suite says of a case that its report does not: the codes expected of a check."""

    tags: tuple[str, ...]
    codes: tuple[str, ...] = ()


# --- the model --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tally:
    """How many cases of a row an engine passed, and what became of the others.

    `excused` cases are on the user's list of known failures and did not pass; `named` counts
    the cases in which an engine's answer went as far as the code.
    """

    passed: int = 0
    failed: int = 0
    errored: int = 0
    unanswered: int = 0
    skipped: int = 0
    excused: int = 0
    named: int = 0

    @property
    def total(self) -> int:
        """Return the number of cases."""
        return self.answered + self.unanswered + self.skipped

    @property
    def wrong(self) -> int:
        """Return how many cases got another answer than the known one."""
        return self.failed + self.errored + self.excused

    @property
    def answered(self) -> int:
        """Return how many cases got any answer."""
        return self.passed + self.wrong

    @property
    def share(self) -> float | None:
        """Return how many of the answered cases passed, from 0 to 1; None where there is none."""
        return self.passed / self.answered if self.answered else None

    @property
    def state(self) -> str:
        """Return what the cell comes to, one of STATES."""
        if not self.total:
            return NONE
        if self.failed or self.errored:
            return FAILED
        if self.unanswered:
            return UNANSWERED
        if self.excused:
            return EXCUSED
        if not self.passed:
            return SKIPPED
        return PARTLY if self.skipped else PASSED

    def as_dict(self) -> dict[str, Any]:
        """Return the cell as JSON has it."""
        kinds = {kind: getattr(self, kind) for kind in (*STATUSES, EXCUSED)}
        return {"state": self.state, "total": self.total, **kinds}


@dataclass(frozen=True, slots=True)
class Told:
    """A case that an engine did not pass.

    `kind` is its status or EXCUSED; `differs` pairs the profiles with what is wrong under
    them; `excused` is the reason on the user's list.
    """

    id: str
    kind: str
    task: str
    level: str
    rule: str
    tags: tuple[str, ...]
    codes: tuple[str, ...]
    differs: tuple[tuple[str, str], ...]
    excused: str = ""


@dataclass(frozen=True, slots=True)
class Engine:
    """A column: who the engine says it is, its sums, and the cases that it did not pass.

    `told` leaves out the `unasked` cases, which the run never came to; `reasons` says why
    cases were skipped, and how often, the most frequent first. `report` names the report where
    another engine has the same name and version, and is empty otherwise.
    """

    name: str
    version: str
    language: str
    tally: Tally
    complete: bool
    findings: tuple[str, ...] = ()
    told: tuple[Told, ...] = ()
    unasked: int = 0
    reasons: tuple[tuple[str, int], ...] = ()
    report: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table, a cell for each engine; `key` is a tag, task, level or code."""

    key: str
    text: str
    cells: tuple[Tally, ...]
    rule: str = ""
    section: str = ""

    @property
    def spread(self) -> float:
        """Return how far the engines that answered lie apart, from 0 to 1."""
        shares = [cell.share for cell in self.cells if cell.share is not None]
        return max(shares) - min(shares) if shares else 0.0

    @property
    def is_kept(self) -> bool:
        """Say whether no engine fails, some engine passes, and nothing is unanswered."""
        wrong = any(cell.wrong or cell.unanswered for cell in self.cells)
        return not wrong and any(cell.passed for cell in self.cells)

    @property
    def is_missed(self) -> bool:
        """Say whether every engine that answered fails at least one case."""
        answered = [cell for cell in self.cells if cell.answered]
        return bool(answered) and all(cell.wrong for cell in answered)

    @property
    def is_undone(self) -> bool:
        """Say whether there are cases, and every engine leaves all of them out."""
        states = {cell.state for cell in self.cells}
        return SKIPPED in states and states <= {SKIPPED, NONE}

    @property
    def wrong(self) -> tuple[int, ...]:
        """Return the places of the engines that fail at least one case."""
        return tuple(at for at, cell in enumerate(self.cells) if cell.wrong)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Everything the page shows.

    `silent` are rules for which no case stands, `untagged` counts the cases that stand for
    none; `same` says whether all reports hold the same cases.
    """

    engines: tuple[Engine, ...]
    rules: tuple[Row, ...]
    tasks: tuple[Row, ...]
    levels: tuple[Row, ...]
    codes: tuple[Row, ...]
    cases: int
    silent: tuple[Rule, ...] = ()
    untagged: int = 0
    same: bool = True

    @property
    def kept(self) -> tuple[Row, ...]:
        """Return the rules that no engine fails."""
        return tuple(row for row in self.rules if row.is_kept)

    @property
    def missed(self) -> tuple[Row, ...]:
        """Return the rules that every engine fails somewhere."""
        return tuple(row for row in self.rules if row.is_missed)

    @property
    def alone(self) -> tuple[tuple[Row, ...], ...]:
        """Return for each engine the rules that it alone fails, another one having them right."""
        found = [row for row in self.rules if len(row.wrong) == 1 and not row.is_missed]
        places = range(len(self.engines))
        return tuple(tuple(row for row in found if row.wrong == (at,)) for at in places)

    @property
    def several(self) -> tuple[Row, ...]:
        """Return the rules that more than one engine fails, but not every one that answers."""
        return tuple(row for row in self.rules if len(row.wrong) > 1 and not row.is_missed)

    @property
    def failed(self) -> tuple[Row, ...]:
        """Return the rules that some engine fails, first those that one alone fails."""
        return (*chain.from_iterable(self.alone), *self.several, *self.missed)

    @property
    def compared(self) -> str:
        """Return the table that the engines are compared by: tasks where no rule has a case."""
        return "rules" if self.rules else "tasks"

    @property
    def disputed(self) -> tuple[Row, ...]:
        """Return the rows of that table in which the engines lie furthest apart, at most ten."""
        apart = [row for row in self.rules or self.tasks if row.spread]
        apart.sort(key=lambda row: (-row.spread, -sum(cell.wrong for cell in row.cells)))
        return tuple(apart[:MOST_DISAGREEMENTS])

    def as_dict(self) -> dict[str, Any]:
        """Return the tables and the summary as one JSON object; cells in the engines' order."""
        return {
            "cases": self.cases, "same_cases": self.same, "untagged": self.untagged,
            "engines": [
                {"name": one.name, "version": one.version, "language": one.language,
                 "report": one.report, "complete": one.complete, **one.tally.as_dict()}
                for one in self.engines
            ],
            "compared": self.compared,
            **{name: [row.key for row in getattr(self, name)]
               for name in ("kept", "failed", "missed", "disputed")},
            "alone": [[row.key for row in rows] for rows in self.alone],
            "without_case": [rule.tag for rule in self.silent],
            **{name: [_row_dict(row) for row in getattr(self, name)]
               for name in ("rules", "tasks", "levels", "codes")},
        }  # fmt: skip


def _row_dict(row: Row) -> dict[str, Any]:
    words = {"key": row.key, "text": row.text, "rule": row.rule, "section": row.section}
    told = {key: value for key, value in words.items() if value}
    return {**told, "spread": round(row.spread, 4), "cells": [one.as_dict() for one in row.cells]}


# --- counting ---------------------------------------------------------------------------


def matrix(
    reports: Sequence[Mapping[str, Any]],
    rules: Sequence[Rule],
    known: Mapping[str, Known],
    paths: Sequence[str] = (),
) -> Matrix:
    """Count reports of the schema `run`; a column each, in their order.

    `paths` says where the reports were read, for engines that their names do not tell apart.
    """
    tables = [_counted(report, known) for report in reports]
    tags = {rule.tag for rule in rules}
    every: dict[str, tuple[str, ...]] = {}
    for report in reports:
        every |= {row["id"]: _tags(row, known) for row in report["cases"]}
    lined = [(rule, _cells(tables, "tag", rule.tag)) for rule in _by_section(rules)]
    return Matrix(
        engines=_told_apart([_engine(report, known) for report in reports], paths),
        rules=tuple(
            Row(rule.tag, rule.text, cells, rule.rule, rule.section)
            for rule, cells in lined if _has_cases(cells)
        ),
        tasks=_rows(tables, "task", TASKS),
        levels=_rows(tables, "level", LEVELS),
        codes=_rows(tables, "code", ()),
        cases=len(every),
        silent=tuple(rule for rule, cells in lined if not _has_cases(cells)),
        untagged=sum(tags.isdisjoint(found) for found in every.values()),
        same=all(len(report["cases"]) == len(every) for report in reports),
    )  # fmt: skip


# (table, key) -> what became of the cases there
_Table = Mapping[tuple[str, str], "Counter[str]"]


def _counted(report: Mapping[str, Any], known: Mapping[str, Known]) -> _Table:
    table: dict[tuple[str, str], Counter[str]] = {}
    for row in report["cases"]:
        found = known.get(row["id"])
        places = {("tag", tag) for tag in _tags(row, known)}
        places |= {("code", code) for code in (found.codes if found else ())}
        for place in (*places, ("task", row["task"]), ("level", row["level"])):
            counts = table.setdefault(place, Counter())
            counts[_kind(row)] += 1
            counts["named"] += _is_named(row)
    return table


def _tags(row: Mapping[str, Any], known: Mapping[str, Known]) -> tuple[str, ...]:
    """Return a case's tags: the suite's, which may have more of them than when it was asked."""
    found = known.get(row["id"])
    return tuple(row["tags"]) if found is None else found.tags


def _kind(row: Mapping[str, Any]) -> str:
    """Return the status, but for a case on the user's list what its answers are worth."""
    if row["status"] != SKIPPED or "excused" not in row:
        return str(row["status"])
    if row.get("stale"):
        return PASSED
    wrong = any(reply["status"] in (FAILED, ERRORED) for reply in row["replies"])
    return EXCUSED if wrong else SKIPPED


def _is_named(row: Mapping[str, Any]) -> bool:
    replies = [reply for reply in row["replies"] if reply["status"] != SKIPPED]
    return bool(replies) and all(reply.get("agreement") in _NAMED for reply in replies)


def _cells(tables: Sequence[_Table], kind: str, key: str) -> tuple[Tally, ...]:
    return tuple(Tally(**table.get((kind, key), Counter())) for table in tables)


def _has_cases(cells: Sequence[Tally]) -> bool:
    return any(cell.total for cell in cells)


def _rows(tables: Sequence[_Table], kind: str, first: Sequence[str]) -> tuple[Row, ...]:
    """Return the rows of a table: keys that are known in their order, then the others."""
    found = {key for table in tables for one, key in table if one == kind}
    keys = [key for key in first if key in found] + sorted(found.difference(first))
    words = _code_name if kind == "code" else str
    return tuple(Row(key, words(key), _cells(tables, kind, key)) for key in keys)


def _code_name(code: str) -> str:
    try:
        return entry(code).name
    except KeyError:  # a case of somebody's own
        return ""


def _by_section(rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules with those of a section together, sections in order of their first."""
    order = list(dict.fromkeys(rule.section for rule in rules))
    return sorted(rules, key=lambda rule: order.index(rule.section))


def _engine(report: Mapping[str, Any], known: Mapping[str, Known]) -> Engine:
    said = report["engine"]
    rows = report["cases"]
    kinds = [_kind(row) for row in rows]
    told = [
        _told(row, kind, known)
        for row, kind in zip(rows, kinds, strict=True)
        if kind not in (PASSED, SKIPPED) and not _is_unasked(row)
    ]
    order = [*TASKS, *sorted({one.task for one in told}.difference(TASKS))]
    told.sort(key=lambda one: (order.index(one.task), one.id))
    reasons = Counter(
        "on the list of cases to skip" if "excused" in row
        else next((reply.get("message", "") for reply in row["replies"]), "")
        for row, kind in zip(rows, kinds, strict=True) if kind == SKIPPED
    )  # fmt: skip
    command = Path(report["command"][0]).name if report["command"] else ""
    return Engine(
        name=short(said.get("name") or command or "no name", _MOST_NAME),
        version=short(said.get("version", ""), _MOST_NAME),
        language=short(said.get("language", ""), _MOST_NAME),
        tally=Tally(**Counter(kinds)),
        complete=report["complete"],
        findings=tuple(
            short(f"{one['code']} {one['name']}: {one['message']}") for one in report["findings"]
        ),
        told=tuple(told),
        unasked=sum(_is_unasked(row) for row in rows),
        reasons=tuple((short(why), many) for why, many in reasons.most_common(_MOST_REASONS)),
    )


def _told_apart(engines: Sequence[Engine], paths: Sequence[str]) -> tuple[Engine, ...]:
    """Name the report of engines of equal name and version: its stem, with the folder or the
    place in the order where that is not enough."""
    files = [Path(path) for path in paths] or [Path()] * len(engines)
    ways = [
        [short(file.stem, _MOST_NAME) for file in files],
        [short(Path(file.parent.name, file.stem).as_posix(), _MOST_NAME) for file in files],
        [f"{short(file.stem, _MOST_NAME)} {at}".strip() for at, file in enumerate(files, 1)],
    ]
    made = []
    for at, one in enumerate(engines):
        twins = [
            place for place, other in enumerate(engines)
            if (other.name, other.version) == (one.name, one.version)
        ]  # fmt: skip
        enough = (way[at] for way in ways if len({way[place] for place in twins}) == len(twins))
        made.append(replace(one, report=next(enough) if len(twins) > 1 else ""))
    return tuple(made)


def _is_unasked(row: Mapping[str, Any]) -> bool:
    return row["status"] == UNANSWERED and not any(reply.get("code") for reply in row["replies"])


def _told(row: Mapping[str, Any], kind: str, known: Mapping[str, Known]) -> Told:
    """Return a case that went wrong; profiles under which the same differs are told together."""
    seen: dict[str, list[str]] = {}
    for reply in row["replies"]:
        if reply["status"] not in (PASSED, SKIPPED):
            code = f"{reply.get('code', '')} {reply.get('message', '')}".strip()
            words = "; ".join(reply.get("differs", ())) or code or reply["status"]
            seen.setdefault(short(words), []).append(reply["rules"])
    found = known.get(row["id"])
    return Told(
        row["id"], kind, row["task"], row["level"], row["rule"], _tags(row, known),
        found.codes if found else (),
        tuple((", ".join(rules), words) for words, rules in seen.items()),
        short(row.get("excused", "")),
    )  # fmt: skip


def short(text: str, most: int = _MOST_TEXT) -> str:
    """Return a text, cut where it is longer than so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"
