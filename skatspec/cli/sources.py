"""From the paths of a command line to the files to read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from skatspec.errors import UsageError
from skatspec.formats.registry import by_suffix

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that holds no file of a known format."""

    path: str


def files(paths: Iterable[str]) -> Iterator[str | Folder]:
    """Yield every file to read: paths as given, folders by their files of known suffixes.

    Folders are walked in order of names; hidden files and folders are left out.
    """
    for path in paths:
        if path == STDIN or not Path(path).is_dir():
            yield path
            continue
        inside = False
        for found in _walk(path):
            inside = True
            yield found
        if not inside:
            yield Folder(path)


def _walk(folder: str) -> Iterator[str]:
    for here, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and by_suffix(name) is not None:
                yield str(Path(here) / name)


def require(paths: Iterable[str]) -> None:
    """Raise UsageError for the first path that cannot be opened, before anything is read.

    Nothing is opened here: what comes through a pipe could not be read a second time.
    """
    for path in paths:
        if path == STDIN:
            continue
        try:
            Path(path).stat()
        except (OSError, ValueError) as error:
            _refuse(error, path)
        if not os.access(path, os.R_OK):
            raise UsageError(f"{path}: no permission to read it")


def require_file(path: str) -> None:
    """Raise UsageError for a path that cannot be opened, or is a folder."""
    require([path])
    if path != STDIN and Path(path).is_dir():
        raise UsageError(f"{path} is a folder; name a file")


def _refuse(error: Exception, path: str = "") -> None:
    why = getattr(error, "strerror", None) or str(error)
    raise UsageError(f"{path or getattr(error, 'filename', '')}: {why}") from None
