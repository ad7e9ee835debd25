"""The work of a run: one unit in, one part and its counts out. Any process can do it.

A part is written aside and renamed when it is whole, so it is there or is not, and writing it
twice leaves the same part.
"""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from itertools import chain
from typing import Any

from skatspec.archive import inputs, places
from skatspec.archive.claims import disagreement, weightiest
from skatspec.archive.engines import Plan
from skatspec.archive.units import Unit, between
from skatspec.archive.walk import Decider, Handed, Taken, Walk
from skatspec.check import Report, check
from skatspec.diagnostics import Verdict, message
from skatspec.errors import InputError, UsageError
from skatspec.formats.iss import read_frame
from skatspec.formats.lines import Lines
from skatspec.rules import Rules

# So many disagreements of the engines are kept in words.
_MOST_SAID = 20
# So many reports are kept before their rows are made.
_AT_ONCE = 500
# Beyond its end a unit goes on to the next record, which is near.
_BEYOND = 1 << 16


_SUMS = ("units", "records", "size", "ranged", "taken", "audited", "disagreements")


@dataclass(slots=True)
class Counts:
    """What came of some units; `codes` counts each record by its weightiest finding.

    `about_files` counts findings that are about no record, `said` are the first
    disagreements of the two engines in words, `broken` says why a source could not be read on.
    `size` is in unpacked bytes, `ranged` are those of them that were read by range.
    """

    units: int = 0
    records: int = 0
    size: int = 0
    ranged: int = 0
    taken: int = 0
    audited: int = 0
    disagreements: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    about_files: Counter[str] = field(default_factory=Counter)
    said: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def add(self, other: Counts) -> None:
        """Add the counts of other units."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("verdicts", "codes", "about_files"):
            getattr(self, name).update(getattr(other, name))
        self.said = (self.said + other.said)[:_MOST_SAID]
        self.broken += other.broken

    def as_json(self) -> str:
        """Return the counts as text."""
        return json.dumps({one.name: getattr(self, one.name) for one in fields(self)})

    @staticmethod
    def from_json(text: str) -> Counts:
        """Return what `as_json` wrote."""
        data = json.loads(text)
        for name in ("verdicts", "codes", "about_files"):
            data[name] = Counter(data[name])
        return Counts(**data)


@dataclass(frozen=True, slots=True)
class Worker:
    """Checks units by some rules and writes their parts into a folder.

    `fast` says that the kernel decides first; `audit` is one in how many of the records it
    takes that are checked again, 0 for none. `aside` is where parts are until they are whole,
    `run` the run's name, which goes into each.
    """

    rules: Rules
    folder: str
    fast: bool
    audit: int
    aside: str = ""
    run: str = ""

    def __call__(self, unit: Unit) -> Counts:
        """Check a unit, write its part and return its counts; never raises for bad input.

        Raises UsageError where the source is not the one of the run, or not to be seen from
        here, or the part cannot be written: then there is no part.
        """
        from skatspec.archive import columns, parts

        counts = Counts(units=1)
        task = _Task(unit, self.rules, counts)
        try:
            task.base, chunks = _read(unit)
            lines = task.lines = Lines(_counted(chunks, counts), unit.path)
            plan = Plan(self.rules, _kernel(self.rules) if self.fast else None, 1, pieces=False)
            for one in Walk(lines, self.audit).over(plan.decided(lines)):
                task.take(one)
        except InputError as error:
            counts.broken.append(str(error))
        if unit.broken:
            counts.broken.append(unit.broken)
        counts.ranged = counts.size if unit.data is None else 0
        path = places.join(self.folder, unit.name)
        parts.write(columns.joined(task.finish()), path, counts.as_json(), self.run, self.aside)
        return counts


class _Task:
    """A unit while it is worked on: rows of what the kernel took, and of what was checked."""

    def __init__(self, unit: Unit, rules: Rules, counts: Counts) -> None:
        self.base = unit.begin
        self.lines = Lines(())
        self._unit, self._rules, self._counts = unit, rules, counts
        self._tables: list[Any] = []
        self._block: Taken | None = None
        self._runs: list[tuple[int, int]] = []
        self._handed: list[tuple[Handed, Report]] = []

    def take(self, one: Taken | Handed) -> None:
        """Take what a walk yields."""
        if isinstance(one, Handed):
            self._check(one)
            return
        if self._block is None or one.block is not self._block.block:
            self._end_block()
            self._block = one
        self._runs.append((one.first, one.stop))

    def finish(self) -> list[Any]:
        """Return the tables of all rows, and count what is known only at the end."""
        self._end_block()
        self._end_reports()
        self._counts.about_files.update(one.code for one in self.lines.take_findings())
        return self._tables

    def _check(self, item: Handed) -> None:
        counts = self._counts
        report = check(read_frame(item.frame, self._unit.path, item.index), self._rules)
        heaviest = weightiest(report)
        counts.records += 1
        counts.verdicts[report.verdict.value] += 1
        if heaviest is not None:
            counts.codes[heaviest.code] += 1
        if item.claim is not None:
            counts.audited += item.claim.consistent
            wrong = disagreement(item, report)
            if wrong is not None:
                counts.disagreements += 1
                if len(counts.said) < _MOST_SAID:
                    place = self.base + item.begin
                    counts.said.append(f"{self._unit.path}: byte {place}: {message(wrong)}")
        self._handed.append((item, report))
        if len(self._handed) >= _AT_ONCE:
            self._end_reports()

    def _end_block(self) -> None:
        """Make the rows of what was taken of a block."""
        if self._block is None:
            return
        import numpy as np

        from skatspec.archive import columns

        block, decided = self._block.block, self._block.decided
        chosen = np.concatenate([np.arange(first, stop) for first, stop in self._runs])
        counts = self._counts
        counts.records += len(chosen)
        counts.taken += len(chosen)
        counts.verdicts[Verdict.CONSISTENT.value] += len(chosen)
        offset = self.base + block.offset
        self._tables.append(columns.taken(self._unit.path, offset, block.data, decided, chosen))
        self._block, self._runs = None, []

    def _end_reports(self) -> None:
        """Make the rows of what was checked."""
        if self._handed:
            from skatspec.archive import columns

            self._tables.append(columns.reported(self._unit.path, self.base, self._handed))
            self._handed = []


def _read(unit: Unit) -> tuple[int, Iterator[bytes]]:
    """Return where a unit's first record begins, and its bytes from there on."""
    if unit.data is not None:
        return unit.begin, iter((unit.data,))
    size = unit.whole
    # what is not there, or not whole, would make an empty part
    if inputs.length(unit.path) != size:
        raise UsageError(
            f"{unit.path} is not what it was when the run began, or cannot be read from "
            f"{platform.node()}: every worker must find it under this name"
        )
    begin, end = max(unit.begin - 1, 0), min(unit.end + _BEYOND, size)
    # in one piece, since every cut copies millions of records
    most = b"".join(inputs.ranged(unit.path, begin, end))
    pieces = between(chain((most,), inputs.ranged(unit.path, end, size)), unit.begin, unit.end)
    first = next(pieces, None)
    if first is None:
        return unit.begin, iter(())
    return first[0], chain((first[1],), (data for _, data in pieces))


def _counted(chunks: Iterator[bytes], counts: Counts) -> Iterator[bytes]:
    for chunk in chunks:
        counts.size += len(chunk)
        yield chunk


def _kernel(rules: Rules) -> Decider:
    from skatspec.archive.kernel.decide import kernel_of

    return kernel_of(rules)


def warm(worker: Worker) -> None:
    """Have everything compiled that a worker calls, once and before several do it at once."""
    from skatspec.archive import columns

    if worker.fast:
        _kernel(worker.rules)
    columns.reported("", 0, [])
