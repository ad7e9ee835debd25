"""Runs a command and looks at its whole process tree: time, processor time, memory.

The tree's memory is the sum of the proportional set sizes (PSS) of all its processes at one
moment, so that what they share counts once; the largest such sum of a run is its peak.
"""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

INTERVAL = 0.05
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that ended: seconds, when it was started (seconds since 1970), what it wrote.

    `cpu` are the seconds of user and system time of the tree, as far as its processes were
    waited for. `pss` is the tree's peak and `rss` the peak of each process, MiB, in the order
    of their starts; 0 and empty where nobody looked, or the system does not tell.
    """

    code: int
    wall: float
    started: float
    cpu: float
    output: str
    errors: str
    pss: float = 0.0
    rss: tuple[float, ...] = ()
    looks: int = 0


@dataclass(slots=True)
class _Watched:
    """The peaks so far, KiB."""

    pss: int = 0
    rss: dict[int, int] = field(default_factory=dict)
    looks: int = 0

    def look(self, root: int) -> None:
        total = 0
        for pid in _tree(root):
            total += _kib(pid, "smaps_rollup", "Pss:")
            peak = _kib(pid, "status", "VmHWM:")
            if peak:
                self.rss[pid] = max(peak, self.rss.get(pid, 0))
        self.pss = max(self.pss, total)
        self.looks += 1


def run(
    command: Sequence[str], changes: Mapping[str, str], folder: Path, watch: bool = False
) -> Ran:
    """Run a command in `folder` with some variables changed; `watch` looks at its memory.

    Looking costs the command some time, so a run is either timed or watched.
    """
    watched = _Watched()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        before, started, begin = spent(children=True), time.time(), time.perf_counter()
        with subprocess.Popen(
            list(command), stdin=subprocess.DEVNULL, stdout=output, stderr=errors, cwd=folder,
            env={**os.environ, **changes},
        ) as process:  # fmt: skip
            try:
                while watch and process.poll() is None:
                    watched.look(process.pid)
                    time.sleep(INTERVAL)
                code = process.wait()
            except BaseException:
                process.terminate()
                raise
        wall, cpu = time.perf_counter() - begin, spent(children=True) - before
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    rss = tuple(peak / 1024 for peak in watched.rss.values())
    wrote, said = texts
    return Ran(code, wall, started, cpu, wrote, said, watched.pss / 1024, rss, watched.looks)


def spent(children: bool) -> float:
    """Return the processor seconds of this process so far, or of those it has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _tree(root: int) -> list[int]:
    """Return a process and all below it, as far as they are still there."""
    found = [root]
    for pid in found:
        try:
            tasks = list((_PROC / str(pid) / "task").iterdir())
        except OSError:
            continue
        for task in tasks:
            try:
                found += [int(one) for one in (task / "children").read_text().split()]
            except OSError:
                continue
    return found


def _kib(pid: int, file: str, key: str) -> int:
    try:
        lines = (_PROC / str(pid) / file).read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(key)), 0)
