"""Files in, files out: what is done, what waits, and when a file gets its name.

A copy is read back, and gets its name only after the key file with all its pseudonyms is
written: nothing that cannot be undone lies in the output folder unsaid. Memory is bounded by
a record, and by the names of the key.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import IO

from skatspec.errors import InputError, UsageError
from skatspec.formats import zipped
from skatspec.formats.xskat.joining import list_beside
from skatspec.session.anonymise.bytes import Opened, digest_of, first_bytes, packing
from skatspec.session.anonymise.engine import Anonymiser, Counts, Restorer
from skatspec.session.anonymise.formats import rewritten
from skatspec.session.anonymise.key import Events, Key

# So many finished files wait for the key file at most.
_PENDING = 256
_XSKAT = "xskat"


@dataclass(frozen=True, slots=True)
class Item:
    """A file, or a zip's member, and its name below the output folder.

    `archive` is the name of the zip that a member goes to, empty for a file of its own, and
    `member` its name in there.
    """

    source: str
    name: str
    archive: str = ""
    member: str = ""

    @property
    def target(self) -> str:
        """Return the name of the file that it goes to."""
        return self.archive or self.name


@dataclass(slots=True)
class Done:
    """What a run did; `notes` are lines for whoever started it."""

    files: int = 0
    new_names: int = 0
    counts: Counts = field(default_factory=Counts)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Written:
    """A copy: its format, the digest of what it was made from, and spellings to be remembered."""

    item: Item
    format: str | None
    digest: bytes
    events: Events


class Run:
    """A run over some files. Raises UsageError and InputError; what is finished then stays."""

    def __init__(
        self,
        key: Key,
        out: Path,
        *,
        reverse: bool = False,
        drop_comments: bool = False,
        force: bool = False,
    ) -> None:
        self.done = Done()
        self._key = key
        self._out = out
        self._reverse = reverse
        self._drop = drop_comments
        self._force = force
        self._pending: list[tuple[Path, Path]] = []
        self._lists: set[Path] = set()

    def all(self, items: Sequence[Item]) -> Done:
        """Rewrite every item. Nothing is written over unless `force` was said."""
        for name in dict.fromkeys(one.target for one in items):
            self._must_be_free(self._out / name)
        try:
            for _, same in groupby(items, lambda one: (one.target, bool(one.archive))):
                group = list(same)
                if group[0].archive:
                    self._zip(group)
                else:
                    self._plain(group[0])
                if len(self._pending) >= _PENDING:
                    self._settle()
        finally:
            self._settle()
        self.done.new_names = self._key.new
        return self.done

    def _must_be_free(self, target: Path) -> None:
        if not self._force and os.path.lexists(target):
            raise UsageError(f"{target} is there already; --force writes over it")

    # ------------------------------------------------------------ outputs

    def _plain(self, item: Item) -> None:
        target = self._out / item.name
        with self._draft(target) as stream, packing(stream, first_bytes(item.source)) as sink:
            written = self._rewrite(item, sink)
        self._read_back(str(self._pending[-1][0]), written)
        if zipped.split(item.source):
            self.done.notes.append(f"{item.source} is written as a file of its own, {target}")
        beside = list_beside(item.source) if written.format == _XSKAT else None
        if beside is not None:
            self._copy(beside, target.with_name(beside.name))

    def _zip(self, items: Sequence[Item]) -> None:
        target = self._out / items[0].archive
        written: list[_Written] = []
        with self._draft(target) as stream, zipfile.ZipFile(stream, "w") as archive:
            for item in items:
                info = zipfile.ZipInfo(item.member)
                info.compress_type = zipfile.ZIP_DEFLATED
                with archive.open(info, "w", force_zip64=True) as member:
                    first = first_bytes(item.source)
                    with packing(member, first) as sink:
                        written.append(self._rewrite(item, sink))
        for one in written:
            self._read_back(f"{self._pending[-1][0]}/{one.item.member}", one)

    def _copy(self, source: Path, target: Path) -> None:
        """Copy the list of an XSkat log, which has no names; without it the log says no values."""
        if target in self._lists:
            return
        self._lists.add(target)
        self._must_be_free(target)
        with self._draft(target) as stream, source.open("rb") as opened:
            shutil.copyfileobj(opened, stream)

    @contextmanager
    def _draft(self, target: Path) -> Iterator[IO[bytes]]:
        """Open a file beside a target; it waits for its name when the block ends well."""
        draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("wb") as stream:
                yield stream
            self._pending.append((draft, target))
        except OSError as error:
            raise UsageError(f"{target} cannot be written: {error.strerror or error}") from None
        finally:
            if (draft, target) not in self._pending[-1:]:
                draft.unlink(missing_ok=True)

    def _settle(self) -> None:
        """Write the key file, then give the finished files their names."""
        try:
            if not self._reverse:
                self._key.save()
            for draft, target in self._pending:
                self._must_be_free(target)
                draft.replace(target)
        except OSError as error:
            raise UsageError(f"{error.filename} cannot be written: {error.strerror}") from None
        finally:
            for draft, _ in self._pending:
                draft.unlink(missing_ok=True)
            self._pending.clear()

    # ------------------------------------------------------------ one file

    def _rewrite(self, item: Item, sink: IO[bytes]) -> _Written:
        """Rewrite what a file holds as unpacked."""
        work: Anonymiser | Restorer
        if self._reverse:
            known = self._key.recall(digest_of(item.source), item.name) if self._key.files else []
            work = Restorer(self._key, known)
        else:
            work = Anonymiser(self._key, self._drop)
        opened = Opened(item.source)
        read, written = hashlib.sha256(), hashlib.sha256()
        sink.write(opened.mark)
        try:
            for piece in rewritten(opened.lines(read), opened.format, work):
                written.update(piece)
                sink.write(opened.as_it_was(piece))
        except InputError as error:
            raise InputError(error.code, error.message, item.source) from None
        self.done.files += 1
        self.done.counts.add(work.counts)
        if isinstance(work, Restorer):
            return _Written(item, opened.format, b"", [])
        if work.events or work.ambiguous:
            self._remember(written.hexdigest(), item.name, work.events)
        return _Written(item, opened.format, read.digest(), work.events)

    def _remember(self, digest: str, name: str, events: Events) -> None:
        if not self._key.remember(digest, name, events):
            self.done.notes.append(
                f"{name} was made before from names spelt otherwise: "
                "only the newer one will come back byte for byte"
            )

    def _read_back(self, source: str, written: _Written) -> None:
        """See whether a copy can be undone, and say where it cannot: where lines are mutilated."""
        if self._reverse or self._drop:
            return
        digest = hashlib.sha256()
        restorer = Restorer(self._key, written.events)
        with suppress(UsageError):  # a pseudonym that was damaged on its way
            lines = Opened(source, written.item.name).lines()
            for piece in rewritten(lines, written.format, restorer):
                digest.update(piece)
        if digest.digest() != written.digest:
            self.done.notes.append(
                f"{written.item.name} will not come back byte for byte: "
                "lines are damaged where names stand"
            )
