"""From the paths of a command line to the files to read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from skatspec.errors import InputError, UsageError
from skatspec.formats import zipped
from skatspec.formats.registry import by_suffix, open_records
from skatspec.formats.suffixes import ZIP, leaves_open

STDIN = "-"
# What a file is refused with that holds no records: binary data, an unknown format.
_NO_RECORDS = ("E004", "E007")


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder or zip that holds no file of a known format."""

    path: str


def files(paths: Iterable[str]) -> Iterator[str | Folder]:
    """Yield every file to read: paths as given, folders and zips by their files of known suffixes.

    Both are gone through in order of names; hidden files and folders are left out. A file
    whose name says nothing (`.txt`, packed without more) is read only where records begin in
    it. A zip's members are named
    `archive.zip/inner/name.sgf`; a zip in a folder is gone through, too.
    """
    for path in paths:
        if path != STDIN and Path(path).is_dir():
            found = _walk(path)
        elif path != STDIN and zipped.is_zip(path):
            found = _members(path)
        else:
            yield path
            continue
        inside = False
        for one in found:
            inside = True
            yield one
        if not inside:
            yield Folder(path)


def _walk(folder: str) -> Iterator[str]:
    for here, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.startswith("."):
                continue
            path = str(Path(here) / name)
            if name.lower().endswith(ZIP):
                yield from _members(path)
            elif by_suffix(name) is not None or (leaves_open(name) and _begins(path)):
                yield path


def _members(archive: str) -> Iterator[str]:
    """Yield an archive's members, or the archive itself where they cannot be listed."""
    try:
        names = zipped.members(archive)
    except InputError:
        yield archive
        return
    for name in names:
        path = f"{archive}/{name}"
        if by_suffix(name) is not None or _begins(path):
            yield path


def _begins(path: str) -> bool:
    """Say whether a text file looks like records, or cannot be read, which must not go unsaid."""
    if not zipped.split(path) and not Path(path).is_file():
        return False  # reading from a pipe would take away what comes through it
    try:
        return open_records(path).format is not None
    except InputError as error:
        return error.code not in _NO_RECORDS


def require(paths: Iterable[str]) -> None:
    """Raise UsageError for the first path that cannot be opened, before anything is read.

    Of a zip no more than its list of names is read: what comes through a pipe could not be
    read a second time.
    """
    for path in paths:
        if path == STDIN:
            continue
        try:
            Path(path).stat()
        except (OSError, ValueError) as error:
            inside = zipped.split(path)
            if inside is None:
                _refuse(error, path)
            else:
                _require_member(*inside)
            continue
        if not os.access(path, os.R_OK):
            raise UsageError(f"{path}: no permission to read it")


def _require_member(archive: str, name: str) -> None:
    # a damaged archive is a finding about the file, and comes when it is read
    with suppress(InputError):
        if not zipped.has_member(archive, name):
            raise UsageError(f"{archive} holds no {name}")


def require_file(path: str) -> None:
    """Raise UsageError for a path that cannot be opened, or is a folder."""
    require([path])
    if path != STDIN and Path(path).is_dir():
        raise UsageError(f"{path} is a folder; name a file")


def _refuse(error: Exception, path: str = "") -> None:
    why = getattr(error, "strerror", None) or str(error)
    raise UsageError(f"{path or getattr(error, 'filename', '')}: {why}") from None
