"""Where results lie: a folder, or object storage named by a URL. Files are whole or not there.

In a folder a file is written aside first and renamed. The folder for that is this start's own
and is removed with it: what was started before, and still works, can rename nothing any more.
Object storage puts whole objects by itself. URLs are opened by fsspec.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from skatspec.errors import UsageError

ASIDE, LOCK = "unfinished-", ".lock"
EXTRA = "pip install 'skatspec[archive,cluster]'"
_URL = "://"
# Names of this machine's own folders.
_OWN = ("file://", "local://")


def is_url(path: str) -> bool:
    """Say whether a path is a URL, for fsspec to open."""
    return _URL in path


def plain(path: str) -> str:
    """Return a path without the beginning that only says that it is one of this machine."""
    return next((path.removeprefix(one) for one in _OWN if path.startswith(one)), path)


def file_system(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL, and the path in it. Raises UsageError."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise UsageError(f"URLs need more than is installed: {EXTRA}") from None
    try:
        system, place = url_to_fs(url)
    except Exception as error:  # a package that is missing, a protocol that nobody knows
        raise UsageError(f"{url}: {why(error)}") from None
    return system, str(place)


def why(error: Exception) -> str:
    """Return in words what a file system says."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def join(folder: str, *names: str) -> str:
    """Return a path below a folder."""
    if is_url(folder):
        return "/".join((folder.rstrip("/"), *names))
    return str(Path(folder, *names))


def write(path: str, data: bytes, aside: str = "") -> None:
    """Write a file whole, `aside` first in that folder, then renamed. Raises UsageError."""
    if is_url(path):
        system, place = file_system(path)
        with _said(path):
            system.pipe_file(place, data)
        return
    target = Path(path)
    # two workers may be at the same file, where one was given up
    first = Path(aside or target.parent, f"{target.name}.{uuid4().hex}.tmp")
    with _said(path):
        try:
            with first.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            first.replace(target)
        except BaseException:
            with suppress(OSError):
                first.unlink(missing_ok=True)
            raise


def read(path: str) -> bytes | None:
    """Return what a file holds, None where there is none. Raises UsageError."""
    with _said(path):
        try:
            if is_url(path):
                system, place = file_system(path)
                return bytes(system.cat_file(place))
            return Path(path).read_bytes()
        except FileNotFoundError:
            return None


def names(folder: str) -> set[str]:
    """Return the names of what lies in a folder, made where it is not there. Raises UsageError."""
    with _said(folder):
        if not is_url(folder):
            Path(folder).mkdir(parents=True, exist_ok=True)
            return {one.name for one in Path(folder).iterdir()}
        system, place = file_system(folder)
        system.invalidate_cache()
        try:
            return {str(one).rpartition("/")[2] for one in system.ls(place, detail=False)}
        except FileNotFoundError:
            return set()


def remove(path: str) -> None:
    """Remove a file, if it is there. Raises UsageError."""
    with _said(path), suppress(FileNotFoundError):
        if is_url(path):
            system, place = file_system(path)
            system.rm_file(place)
        else:
            Path(path).unlink()


@contextmanager
def aside(folder: str) -> Iterator[str]:
    """Yield this start's own folder to write aside in, "" where none is needed.

    Those of earlier starts are removed first, with what they hold. Raises UsageError.
    """
    if is_url(folder):
        yield ""
        return
    with _said(folder):
        for name in names(folder):
            if name.startswith(ASIDE):
                _remove_folder(Path(folder, name))
        own = Path(folder, f"{ASIDE}{uuid4().hex}")
        own.mkdir()
    try:
        yield str(own)
    finally:
        _remove_folder(own)


def _remove_folder(path: Path) -> None:
    """Remove a folder that somebody may still write into."""
    # once it has another name nobody finds it any more
    gone = path.with_name(f"{ASIDE}{uuid4().hex}")
    with suppress(OSError):
        path = path.rename(gone)
    shutil.rmtree(path, ignore_errors=True)


@contextmanager
def locked(folder: str) -> Iterator[None]:
    """Keep a folder to this process; UsageError where another one has it.

    The system frees it when the process ends, however it ends. Object storage has no locks,
    nor have some network file systems.
    """
    names(folder)
    try:
        import fcntl
    except ImportError:
        fcntl = None  # type: ignore[assignment]
    if fcntl is None or is_url(folder):
        yield
        return
    with _said(folder):
        stream = Path(folder, LOCK).open("ab")  # noqa: SIM115 - closed below
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{folder} is in use: another run writes into it") from None
        except OSError:
            pass  # no locks here
        yield


@contextmanager
def _said(path: str) -> Iterator[None]:
    """Turn what a file system raises into a UsageError."""
    try:
        yield
    except UsageError:
        raise
    except OSError as error:
        raise UsageError(f"{path}: {why(error)}") from None
    except Exception as error:
        if not is_url(path):
            raise
        raise UsageError(f"{path}: {why(error)}") from None
