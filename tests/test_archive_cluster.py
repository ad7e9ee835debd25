"""The same work on a Dask cluster: nothing lost with a worker, nothing begun with a wrong one."""

from __future__ import annotations

import gzip
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from skatspec.archive import cluster, doing
from skatspec.archive.cluster import Cluster
from skatspec.archive.runs import Archive, opened
from skatspec.archive.units import Unit, units_of
from skatspec.archive.work import Counts, Worker
from skatspec.errors import UsageError
from skatspec.rules import load_rules
from tests.archive_runs import Started, found, games, left_over, same
from tests.clirun import Skatspec, skatspec

__all__ = ["skatspec"]

distributed = pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")

RULES = load_rules("iss")
GAMES = games(500)
UNIT = 4000


def begun(folder: Path, *sources: Path) -> Archive:
    return opened(str(folder), [str(one) for one in sources], RULES, {}, unit=UNIT)


def worker(archive: Archive) -> Worker:
    return Worker(archive.rules, archive.parts, False, 0)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "games.sgf").write_bytes(GAMES)
    archive = begun(folder, folder / "games.sgf")
    assert len(list(archive.run(worker(archive), doing.here, 1))) > 40
    return found(folder)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A cluster that is there already: its scheduler's address."""
    with local_cluster() as there:
        yield there.scheduler_address


def local_cluster() -> Any:
    return distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, memory_limit=None, silence_logs=logging.CRITICAL,
        scheduler_kwargs=cluster._NO_DASHBOARD,
    )  # fmt: skip


def workers() -> list[Any]:
    """Return the processes that this one has started to work."""
    started = psutil.Process().children(recursive=True)
    return [one for one in started if any("spawn_main" in word for word in one.cmdline())]


def test_a_worker_killed_in_the_middle_loses_nothing(
    undisturbed: pa.Table, tmp_path: Path
) -> None:  # fmt: skip
    # one file that workers read by range, one whose bytes are sent to them
    plain, packed, folder = tmp_path / "a.sgf", tmp_path / "b.sgf.gz", tmp_path / "found"
    plain.write_bytes(GAMES)
    packed.write_bytes(gzip.compress(GAMES))
    archive = begun(folder, plain, packed)
    before, killed = {one.pid for one in workers()}, 0
    records = 0
    for number, counts in enumerate(archive.run(worker(archive), Cluster(workers=2), 1)):
        records += counts.records
        if number in (20, 60):
            victim = next(one for one in workers() if one.pid not in before)
            victim.kill()
            killed += 1
    assert killed == 2 and archive.finished
    table = found(folder)
    assert records == len(table) == 2 * len(undisturbed)
    assert same(table[: len(undisturbed)], undisturbed)
    assert same(table[len(undisturbed) :], undisturbed)
    assert left_over(folder) <= {".lock"}
    assert {one.pid for one in workers()} <= before


def test_the_command_works_on_a_cluster_that_is_there(
    scheduler: str, undisturbed: pa.Table, tmp_path: Path, skatspec: Skatspec
) -> None:
    path, folder = tmp_path / "games.sgf.gz", tmp_path / "found"
    path.write_bytes(gzip.compress(GAMES))
    ran = skatspec(
        "archive", "check", path, "--to", folder, "--engine", "scalar", "--scheduler", scheduler,
        "--unit", UNIT,
    )  # fmt: skip
    assert (ran.code, ran.err) == (1, "")
    assert f"{len(undisturbed):,} records in 1 file" in ran.out
    assert same(found(folder), undisturbed)


def test_units_with_their_bytes_are_sent_without_a_warning(
    scheduler: str, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    archive = begun(tmp_path)
    data = os.urandom(1 << 24).replace(b"(", b"-")
    unit = Unit(0, "noise.sgf", 0, 0, len(data), data)
    counts = list(Cluster(scheduler)(worker(archive), [unit]))
    assert [one.size for one in counts] == [len(data)]
    assert [str(one.message) for one in recwarn if "graph" in str(one.message)] == []


def test_workers_of_another_version_are_refused(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = begun(tmp_path)
    monkeypatch.setattr(cluster, "__version__", "0.0.1")
    with pytest.raises(UsageError, match=r"have skatspec .*, and this is 0\.0\.1: install the"):
        list(Cluster(scheduler)(worker(archive), ()))
    # nor may one of them come later
    monkeypatch.setattr(cluster, "_require_version", lambda _: None)
    with pytest.raises(UsageError, match=r"install the same everywhere"):
        list(Cluster(scheduler)(worker(archive), units_of(0, "games.sgf", 1)))


def test_a_file_that_a_worker_cannot_see_is_no_empty_part(scheduler: str, tmp_path: Path) -> None:
    archive = begun(tmp_path)
    units = units_of(0, str(tmp_path / "games.sgf"), 100)
    with pytest.raises(UsageError, match=r"games\.sgf .* cannot be read from .* under this name"):
        list(Cluster(scheduler)(worker(archive), units))
    assert not Path(archive.parts).exists() or not list(Path(archive.parts).iterdir())


class Deadly:
    """Kills the process that does unit 1, once the counts of unit 0 have come back.

    Before, the scheduler could hold either unit to be the one that kills.
    """

    def __init__(self, come: Path) -> None:
        self.come = come

    def __call__(self, unit: Unit) -> Counts:
        if unit.number == 1:
            while not self.come.exists():
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGKILL)
        return Counts(units=1)


def test_a_unit_that_kills_its_workers_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(cluster._SETTINGS, "distributed.scheduler.allowed-failures", 0)
    come = tmp_path / "come"
    killing: Worker = Deadly(come)  # type: ignore[assignment]
    with pytest.raises(UsageError, match=r"games\.sgf: .* workers were killed .* \(unit 1\)"):
        for _ in Cluster(workers=1)(killing, units_of(0, "games.sgf", 15, 10)):
            come.touch()
    assert come.exists()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("how", ["Ctrl-C", "kill -9"])
def test_a_stopped_run_leaves_no_process_and_goes_on(
    how: str, undisturbed: pa.Table, tmp_path: Path
) -> None:
    path, folder = tmp_path / "games.sgf", tmp_path / "found"
    path.write_bytes(GAMES)
    run = Started(path, "--to", folder, "--local-cluster", "2", unit=UNIT)
    run.wait_for_parts(folder, 5)
    if how == "Ctrl-C":
        run.interrupt()
    else:
        run.kill("parent")
    code, _, err = run.end()
    assert code == (130 if how == "Ctrl-C" else -signal.SIGKILL)
    assert "Traceback" not in err
    run.require_no_orphans()
    archive = begun(folder, path)
    assert len(archive.done()) >= 5
    list(archive.run(worker(archive), doing.here, 1))
    assert same(found(folder), undisturbed)
    assert left_over(folder) == set()


def test_a_scheduler_that_goes_down_ends_the_run_which_goes_on_without(
    undisturbed: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_ANSWER", "200ms")
    path = tmp_path / "games.sgf"
    path.write_bytes(GAMES)
    archive = begun(tmp_path / "found", path)
    with local_cluster() as there:
        some = archive.run(worker(archive), Cluster(there.scheduler_address), 1)
        next(some)
        there.close()
        with pytest.raises(UsageError, match="the Dask scheduler is gone"):
            list(some)
    archive = begun(tmp_path / "found", path)
    list(archive.run(worker(archive), doing.here, 1))
    assert archive.finished and same(found(tmp_path / "found"), undisturbed)


def test_where_nothing_listens_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cluster, "_ANSWER", "200ms")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    for wrong in (address, "nonsense"):
        with pytest.raises(UsageError, match=f"no Dask scheduler answers at {wrong}"):
            list(Cluster(wrong)(worker(begun(tmp_path)), ()))


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'skatspec\[archive,cluster\]'"):
        list(Cluster(workers=1)(worker(begun(tmp_path)), ()))


@pytest.mark.parametrize("more", [["--local-cluster", 2], ["--jobs", 2]])
def test_ways_to_spread_the_work_exclude_each_other(
    more: list[object], tmp_path: Path, skatspec: Skatspec
) -> None:
    (tmp_path / "games.sgf").write_bytes(GAMES)
    ran = skatspec(
        "archive", "check", tmp_path / "games.sgf", "--to", tmp_path / "found",
        "--scheduler", "tcp://127.0.0.1:1", *more,
    )  # fmt: skip
    assert ran.code == 2 and "exclude each other" in ran.err


def test_a_run_begun_here_is_gone_on_with_on_a_cluster(
    scheduler: str, undisturbed: pa.Table, tmp_path: Path
) -> None:
    path = tmp_path / "games.sgf"
    path.write_bytes(GAMES)
    archive = begun(tmp_path / "found", path)
    some = archive.run(worker(archive), doing.here, 1)
    for _ in range(10):
        next(some)
    some.close()
    archive = begun(tmp_path / "found", path)
    assert len(archive.done()) == 10
    rest = list(archive.run(worker(archive), Cluster(scheduler), 1))
    assert sum(one.units for one in rest) == archive.units[0] - 10
    assert same(found(tmp_path / "found"), undisturbed)
    assert archive.finished
