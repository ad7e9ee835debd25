"""The files that the archive benchmarks read: made once from a seed, then packed."""

from __future__ import annotations

import bz2
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.memory import Ran, run

ROOT = Path(__file__).resolve().parent.parent
SKATSPEC = (sys.executable, "-m", "skatspec")
# plain, zstd as one frame, zstd in frames that can be read at once, bzip2
KINDS = ("plain", "zst", "seekable", "bz2")
_SUFFIX = {"plain": ".sgf", "zst": ".one.sgf.zst", "seekable": ".sgf.zst", "bz2": ".sgf.bz2"}
_CHUNK = 1 << 22
_LEVEL = 3
_JOBS = "2"


class Failed(Exception):
    """A command of ours did not do what is measured."""


@dataclass(frozen=True, slots=True)
class Files:
    """Where the files lie: `clean` and `mixed` plain, `games` records each; copies beside them."""

    folder: Path
    clean: Path
    mixed: Path
    games: int
    rules: str
    sample: int

    def packed(self, kind: str, times: int = 1) -> Path:
        """Return the mixed file of a kind, its text `times` over; made where it is not there."""
        stem = self.mixed.stem if times == 1 else f"{self.mixed.stem}-x{times}"
        path = self.folder / f"{stem}{_SUFFIX[kind]}"
        if times == 1 and kind == "plain":
            return self.mixed
        if not path.exists():
            aside = path.with_name(f"aside-{path.name}")
            _PACK[kind](self.mixed, aside, times)
            aside.rename(path)
        return path

    def first(self, path: Path, count: int) -> Path:
        """Return a file of the first records of a plain file (one a line)."""
        made = self.folder / f"{path.stem}-first{count}.sgf"
        if not made.exists():
            aside = made.with_name(f"aside-{made.name}")
            with path.open("rb") as source, aside.open("wb") as target:
                target.writelines(islice(source, count))
            aside.rename(made)
        return made


def skatspec(*words: str, watch: bool = False, **changes: str) -> Ran:
    """Run the program on this checkout. Raises Failed where it did not check."""
    ran = run([*SKATSPEC, *words], changes, ROOT, watch)
    if ran.code not in (0, 1):  # 1: records are not in order, as some are meant to be
        last = (ran.errors.strip() or ran.output.strip()).splitlines()[-3:]
        raise Failed(f"skatspec {' '.join(words)} left with {ran.code}: {' / '.join(last)}")
    return ran


def made(
    folder: Path, games: int, share: float, rules: str, sample: int, views: bool = True
) -> Files:
    """Return the files of a seed; `share` of the mixed file's records carry one fault.

    `views` says that some records hide cards.
    """
    hiding = "views" if views else "no-views"
    paths = []
    for name, mutated in (("clean", 0.0), ("mixed", share)):
        path = folder / f"{name}-{games}-{mutated:g}-{rules}-{hiding}.sgf"
        if not path.exists():
            aside = path.with_name(f"aside-{path.name}")
            skatspec(
                "conform", "generate", "--games", str(games), "--seed", "1", "--rules", rules,
                "--mutate", str(mutated), f"--{hiding}", "--jobs", _JOBS, "--output", str(aside),
            )  # fmt: skip
            aside.rename(path)
        paths.append(path)
    clean, mixed = paths
    return Files(folder, clean, mixed, games, rules, sample)


def given(file: Path, folder: Path, rules: str, sample: int) -> Files:
    """Return the files for a plain file of somebody's, which is both clean and mixed."""
    with file.open("rb") as stream:
        games = sum(line.startswith(b"(;") for line in stream)
    return Files(folder, file, file, games, rules, sample)


def _pieces(source: Path, times: int) -> Iterator[bytes]:
    for _ in range(times):
        with source.open("rb") as stream:
            while piece := stream.read(_CHUNK):
                yield piece


def _plain(source: Path, target: Path, times: int) -> None:
    with target.open("wb") as stream:
        stream.writelines(_pieces(source, times))


def _one_frame(source: Path, target: Path, times: int) -> None:
    import zstandard

    # the length in the head is what most programs write
    packer = zstandard.ZstdCompressor(level=_LEVEL)
    with target.open("wb") as stream:
        size = source.stat().st_size * times
        with packer.stream_writer(stream, size=size, closefd=False) as writer:
            for piece in _pieces(source, times):
                writer.write(piece)


def _seekable(source: Path, target: Path, times: int) -> None:
    longer = source
    if times > 1:
        longer = target.with_name(f"plain-{target.name}.sgf")
        _plain(source, longer, times)
    named = target.with_name(f"to-{target.name}")
    skatspec("archive", "recompress", str(longer), "--to", str(named), "--force", "-q")
    named.rename(target)
    if longer != source:
        longer.unlink()


def _bzip2(source: Path, target: Path, times: int) -> None:
    once = target.with_name(f"once-{target.name}")
    packer = bz2.BZ2Compressor()
    with once.open("wb") as stream:
        stream.writelines(packer.compress(piece) for piece in _pieces(source, 1))
        stream.write(packer.flush())
    # bzip2 streams behind each other are one file
    with target.open("wb") as stream:
        for _ in range(times):
            with once.open("rb") as part:
                shutil.copyfileobj(part, stream, _CHUNK)
    once.unlink()


_PACK = {"plain": _plain, "zst": _one_frame, "seekable": _seekable, "bz2": _bzip2}
