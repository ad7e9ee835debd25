"""Starts runs over an archive as processes of their own, and looks at what they leave."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from skatspec.resources import locate

# A run has some hundred units of this size.
UNIT = 2000
# Nothing here takes as long, on however slow a machine.
_DEADLINE = 120


def games(count: int, seed: int = 1) -> bytes:
    """Return ISS records, real ones over and over, some of them cut, with junk between them."""
    chance = random.Random(seed)
    sample = locate("records", "games", "sample.sgf").read_bytes().splitlines(keepends=True)
    lines = []
    for at in range(count):
        line = chance.choice(sample)
        if at % 17 == 0:
            line = line[: chance.randrange(len(line))] + b"\n"
        lines += [line, b"junk\n"] if at % 23 == 0 else [line]
    return b"".join(lines)


def found(folder: Path) -> pa.Table:
    """Return all rows below a folder, in the order of their places."""
    parts = [pq.read_table(path) for path in sorted((folder / "parts").glob("*.parquet"))]
    table = pa.concat_tables(parts)
    plain = [
        (field.name, field.type.value_type if pa.types.is_dictionary(field.type) else field.type)
        for field in table.schema
    ]
    return table.cast(pa.schema(plain)).sort_by([("file", "ascending"), ("offset", "ascending")])


def same(one: pa.Table, other: pa.Table) -> bool:
    """Say whether rows are equal, whatever their files were called."""
    return bool(one.drop_columns(["file"]).equals(other.drop_columns(["file"])))


def left_over(folder: Path) -> set[str]:
    """Return what lies in the folder of a run beside what belongs there."""
    names = {one.name for one in folder.iterdir()} - {"run.json", "parts", ".lock"}
    return names | {one.name for one in (folder / "parts").iterdir() if one.suffix != ".parquet"}


class Started:
    """`skatspec archive check` in a process group of its own."""

    def __init__(self, *args: object, unit: int = UNIT) -> None:
        command = [sys.executable, "-m", "skatspec", "archive", "check"]
        options = ["--unit", str(unit), "--engine", "scalar"]
        self._process = subprocess.Popen(
            [*command, *map(str, args), *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_for_parts(self, folder: Path, count: int) -> None:
        """Wait until there are so many parts, or the run has ended."""
        end = time.monotonic() + _DEADLINE
        while self._process.poll() is None and len(list(folder.glob("parts/*.parquet"))) < count:
            assert time.monotonic() < end
            time.sleep(0.005)

    def end(self) -> tuple[int, str, str]:
        """Wait for the end; return exit code, standard output and standard error."""
        out, err = self._process.communicate(timeout=_DEADLINE)
        return self._process.returncode, out, err

    def kill(self, whom: str) -> None:
        """Kill the parent, the whole group, or one of the workers."""
        if whom == "group":
            os.killpg(self.pid, signal.SIGKILL)
        elif whom == "parent":
            os.kill(self.pid, signal.SIGKILL)
        elif workers := self.workers():
            os.kill(workers[0], signal.SIGKILL)

    def interrupt(self) -> None:
        """Do what Ctrl-C at a terminal does."""
        os.killpg(self.pid, signal.SIGINT)

    def workers(self) -> list[int]:
        """Return the processes that were started to work."""
        return [one for one in self.group() if b"spawn_main" in _read(one, "cmdline")]

    def group(self) -> list[int]:
        """Return all processes of the group that live."""
        living = []
        for name in [one.name for one in Path("/proc").iterdir()]:
            fields = _read(int(name), "stat").rpartition(b")")[2].split() if name.isdigit() else []
            if fields and int(fields[2]) == self.pid and fields[0] != b"Z":
                living.append(int(name))
        return living

    def require_no_orphans(self) -> None:
        """Wait until nothing of the group lives."""
        end = time.monotonic() + _DEADLINE
        while self.group():
            assert time.monotonic() < end, "processes live on after their run"
            time.sleep(0.02)


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def check(*args: object, unit: int = UNIT) -> tuple[int, str, str]:
    """Run `skatspec archive check` to its end; return exit code, output and errors."""
    return Started(*args, unit=unit).end()
