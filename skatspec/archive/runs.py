"""A run over an archive: which units there are, which are done, and where the results lie.

The folder of a run holds `run.json`, which says what is checked by which rules, and a part
for every unit that is done. Whatever stops a run, the same call goes on behind the parts that
are there. Parts of a source that could not be read on are made anew.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from skatspec._version import __version__
from skatspec.archive import inputs, places
from skatspec.archive.asking import FORMAT, PARTS_FOLDER, RUN_FILE
from skatspec.archive.units import UNIT, Unit, part_name, streamed, units_of
from skatspec.archive.work import Counts, Worker
from skatspec.errors import InputError, UsageError
from skatspec.rules import Rules

_CHUNK = 1 << 20


Counted = Generator[Counts, None, None]


class Doer(Protocol):
    """Works on units, in this process, in others or on a cluster."""

    def __call__(self, worker: Worker, units: Iterable[Unit]) -> Counted:
        """Yield the counts of the units as they are done, in any order."""


@dataclass(frozen=True, slots=True)
class Source:
    """An input file as it is: its length as unpacked is None where only reading tells."""

    path: str
    size: int
    mtime_ns: int | None
    tag: str
    ends: str
    length: int | None


@dataclass(slots=True)
class Archive:
    """A run: its folder, sources and rules. `units` counts those of each source, once known.

    `name` tells the run from an earlier one in the same folder. `consumed` are the bytes of
    sources read from their beginning that have been read so far, as they are.
    """

    folder: str
    rules: Rules
    spec: dict[str, Any]
    sources: list[Source]
    unit: int = UNIT
    units: dict[int, int] = field(default_factory=dict)
    finished: bool = False
    name: str = field(default_factory=lambda: uuid4().hex)
    consumed: int = 0

    @property
    def parts(self) -> str:
        """Return the folder of the parts."""
        return places.join(self.folder, PARTS_FOLDER)

    @property
    def length(self) -> int | None:
        """Return the bytes of all sources as unpacked, None where that is not known."""
        lengths = [one.length for one in self.sources]
        return None if None in lengths else sum(one for one in lengths if one is not None)

    @property
    def work(self) -> int:
        """Return the bytes to get through: as unpacked, or as they are where that is not known."""
        return sum(one.size if one.length is None else one.length for one in self.sources)

    def save(self) -> None:
        """Write run.json."""
        files = [
            {**asdict(one), "units": self.units.get(number)}
            for number, one in enumerate(self.sources)
        ]
        data = {
            "format": FORMAT, "skatspec": __version__, "run": self.name,
            "finished": self.finished,
            "rules": {"name": self.rules.name, "digest": self.rules.tables.digest},
            "spec": self.spec, "unit": self.unit, "files": files,
        }  # fmt: skip
        text = json.dumps(data, indent=1)
        places.write(places.join(self.folder, RUN_FILE), text.encode())

    def done(self) -> dict[str, Counts]:
        """Return the counts of the parts that are there and good, by the parts' names."""
        return {name: counts for name, counts in self._there() if not counts.broken}

    def run(
        self, worker: Worker, doer: Doer, threads: int, done: Iterable[str] | None = None
    ) -> Counted:
        """Do the units that have no good part, and yield the counts of each.

        `done` are the names of the good parts where they are known. Raises UsageError where a
        source has changed meanwhile, or parts have vanished.
        """
        there = set(self.done() if done is None else done)
        if self.finished and not self._wanted() - there:
            return
        broken, self.finished = False, False
        with places.aside(self.folder) as aside:
            worker = replace(worker, aside=aside, run=self.name)
            with closing(doer(worker, self._waiting(there, threads))) as doing:
                for counts in doing:
                    broken = broken or bool(counts.broken)
                    yield counts
        for source in self.sources:
            if _looked_at(source.path) != source:
                raise UsageError(f"{source.path} has changed while it was checked: {_AGAIN}")
        self._require_all()
        self.finished = not broken
        self.save()

    def _there(self) -> Iterator[tuple[str, Counts]]:
        from skatspec.archive import parts

        for name in sorted(places.names(self.parts)):
            if name.endswith(".parquet"):
                counts = parts.counts_of(places.join(self.parts, name), self.name)
                if counts is not None:
                    yield name, Counts.from_json(counts)

    def _wanted(self) -> set[str]:
        """Return the names of all parts, as far as the units are known."""
        return {
            part_name(source, number)
            for source, count in self.units.items()
            for number in range(count)
        }

    def _require_all(self) -> None:
        """Raise UsageError unless every unit has its part."""
        wanted = self._wanted()
        if places.is_url(self.parts):
            # here nothing keeps an earlier run's last workers from writing
            missing = wanted.difference(dict(self._there()))
        else:
            missing = wanted - places.names(self.parts)
            # a network file system may list a folder as it was a moment ago
            missing = {one for one in missing if not Path(self.parts, one).exists()}
        lost = len(missing)
        if lost:
            why = "somebody removed or replaced them; the same command makes them again"
            raise UsageError(f"{lost:,} of {len(wanted):,} parts in {self.folder} are gone: {why}")

    def _waiting(self, there: set[str], threads: int) -> Iterator[Unit]:
        """Yield the units that have no part yet."""
        for number, source in enumerate(self.sources):
            count = 0
            for unit in self._units(number, source, threads):
                count += 1
                if unit.name not in there:
                    yield unit
            self.units[number] = count

    def _units(self, number: int, source: Source, threads: int) -> Iterator[Unit]:
        if source.length is not None:
            yield from units_of(number, source.path, source.length, self.unit)
            return
        before, broken = self.consumed, ""

        def consumed(read: int) -> None:
            self.consumed = before + read

        def pieces() -> Iterator[bytes]:
            nonlocal broken
            try:
                yield from inputs.chunks(source.path, _CHUNK, threads, consumed)
            except InputError as error:
                broken = str(error)

        for unit in streamed(number, source.path, pieces(), self.unit):
            # the last unit, once there is nothing more to be had
            yield replace(unit, broken=broken) if broken else unit
        self.consumed = before + source.size


_AGAIN = "--restart checks everything anew"


def opened(
    folder: str, paths: Sequence[str], rules: Rules, spec: dict[str, Any], restart: bool = False,
    unit: int = UNIT,
) -> Archive:  # fmt: skip
    """Begin a run, or go on with the one in a folder; `unit` is what a new one cuts by.

    Raises UsageError where the folder holds a run over other files, by other rules or of
    another version, or where a file has changed since it was begun; InputError for a file
    that cannot be read.
    """
    archive = Archive(folder, rules, spec, [_looked_at(path) for path in paths], unit)
    places.names(folder)
    path = places.join(folder, RUN_FILE)
    text = places.read(path)
    if text is not None and not restart:
        _compare(text, archive)
        return archive
    # in this order: wherever it is stopped, no old part is taken for one of the new run
    places.remove(path)
    with places.aside(folder):
        for name in places.names(archive.parts):
            places.remove(places.join(archive.parts, name))
    archive.save()
    return archive


def _compare(text: bytes, archive: Archive) -> None:
    """Take over what a run.json knows. Raises UsageError where it is of another run."""
    folder = archive.folder
    try:
        old = json.loads(text)
        files = {one["path"]: one for one in old["files"]}
        old_rules = old["rules"]["digest"]
        version, unit, name = str(old["skatspec"]), int(old["unit"]), str(old["run"])
        archive.finished = bool(old["finished"])
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{folder}/{RUN_FILE} cannot be understood: {_AGAIN}") from None
    if version != __version__:
        raise UsageError(f"{folder} was made by version {version}: {_AGAIN}")
    if old_rules != archive.rules.tables.digest:
        raise UsageError(f"{folder} was checked by other rules, {old['rules']['name']}: {_AGAIN}")
    if list(files) != [one.path for one in archive.sources]:
        raise UsageError(f"{folder} holds the results of other files: {_AGAIN}")
    for number, source in enumerate(archive.sources):
        known = dict(files[source.path])
        units = known.pop("units", None)
        if known != asdict(source):
            raise UsageError(f"{source.path} has changed since the run in {folder}: {_AGAIN}")
        if units is not None:
            archive.units[number] = units
    archive.unit, archive.name = unit, name


def _looked_at(path: str) -> Source:
    """Return a source as it is now: its size, its age, and a digest of its two ends."""
    now = inputs.look(path)
    return Source(path, now.size, now.mtime_ns, now.tag, now.ends, inputs.length(path))
