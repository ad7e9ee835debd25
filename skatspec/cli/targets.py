"""Writes a file whole or not at all: what was there stays until the new text is complete."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from skatspec.cli.sources import STDIN
from skatspec.errors import UsageError


def _always() -> bool:
    return True


@contextmanager
def target(path: str, worth_it: Callable[[], bool] = _always) -> Iterator[IO[str]]:
    """Open a path for text that replaces it when the block ends well; `-` is standard output.

    `worth_it` is asked at the block's end; if it says no, the path stays as it was. A link
    is followed, permissions are kept; a device or pipe is written to as it is. Raises
    UsageError where the path cannot be written.
    """
    if path == STDIN:
        yield sys.stdout
        sys.stdout.flush()
        return
    place = Path(path).resolve()
    if place.exists() and not place.is_file():
        with _open(place, path) as stream:
            yield stream
        return
    draft = place.with_name(f".{place.name}.{os.getpid()}.tmp")
    try:
        with _open(draft, path) as stream:
            if place.exists():
                shutil.copymode(place, draft)
            yield stream
        if worth_it():
            draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)


def _open(place: Path, path: str) -> IO[str]:
    try:
        return place.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None


def output_specs(
    form: str | None, outputs: Iterable[str], known: Sequence[str]
) -> list[tuple[str, str]]:
    """Return (format, path) of every output, standard output as `-`.

    `form` is what --format says, `outputs` what --output does (`FORMAT[:PATH]`); the first of
    the `known` formats is the default. Raises UsageError for another.
    """
    specs = []
    for text in outputs:
        name, _, path = text.partition(":")
        if name not in known:
            raise UsageError(f"no such output: {name}; there are: {', '.join(known)}")
        specs.append((name, path or STDIN))
    if form is not None or not any(path == STDIN for _, path in specs):
        specs.insert(0, (form or known[0], STDIN))
    return specs
