"""Units done by the workers of a Dask cluster, an existing one or one of this machine alone.

Workers read ranges of the files by themselves and write parts by themselves, so files and
results must have the same names everywhere. Of files that are read from their beginning the
units travel with their bytes, packed, by way of the scheduler, which gives them to another
worker where one dies.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from typing import Any
from uuid import uuid4

from skatspec._version import __version__
from skatspec.archive.doing import MOST_DEATHS, deadly
from skatspec.archive.places import EXTRA
from skatspec.archive.pool import sheltered
from skatspec.archive.runs import Counted
from skatspec.archive.units import Unit
from skatspec.archive.work import Counts, Worker
from skatspec.errors import UsageError

# Units given out for every thread of the cluster: one is done, one waits.
_AHEAD = 2
# Seconds until a scheduler must have answered, and a first worker must be there.
_ANSWER, _FIRST_WORKER = "20s", "2m"
_LEVEL = 1
_GONE = "the Dask scheduler is gone; the same command goes on, on another cluster or without one"
_SETTINGS = {
    # a unit's bytes are meant to go this way
    "distributed.admin.large-graph-warning-threshold": "1GiB",
    "distributed.scheduler.allowed-failures": MOST_DEATHS,
}
# What is served all the same gets a free port, which nobody else can reach.
_NO_DASHBOARD = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}


@dataclass(frozen=True, slots=True)
class Cluster:
    """Does units on the cluster of the scheduler at `address`, or with `workers` processes here."""

    address: str = ""
    workers: int = 0

    def __call__(self, worker: Worker, units: Iterable[Unit]) -> Counted:
        """Yield the counts of units as they are done; what a dead worker had is done again.

        Raises UsageError where no cluster can be had, its workers have another version of
        skatspec, or die again and again over one unit.
        """
        with self._client() as client:
            _require_version(client)
            yield from _Giving(client, pickle.dumps(worker), iter(units)).counts()

    @contextmanager
    def _client(self) -> Iterator[Any]:
        dask, distributed = _module("dask"), _module("distributed")
        with _silence(), dask.config.set(_SETTINGS):
            if self.address:
                try:
                    # a client that fails over this is slow to leave
                    _module("distributed.comm").get_address_host_port(self.address, strict=True)
                    client = distributed.Client(self.address, timeout=_ANSWER, set_as_default=False)
                except (OSError, ValueError, TypeError) as error:
                    said = f"no Dask scheduler answers at {self.address}"
                    raise UsageError(f"{said}: {_first_line(error)}") from None
                with client:
                    yield client
                return
            # its threads start the workers, and start them again; none of them hears Ctrl-C
            with sheltered():
                cluster = distributed.LocalCluster(
                    n_workers=self.workers, threads_per_worker=1, processes=True,
                    memory_limit=None, silence_logs=logging.CRITICAL,
                    scheduler_kwargs=_NO_DASHBOARD,
                )  # fmt: skip
            with cluster, distributed.Client(cluster, set_as_default=False) as client:
                yield client


@dataclass(slots=True)
class _Giving:
    """Units given to a cluster, few at once."""

    client: Any
    worker: bytes
    waiting: Iterator[Unit]
    again: list[tuple[Unit, int]] = field(default_factory=list)
    running: dict[str, tuple[Unit, int]] = field(default_factory=dict)

    def counts(self) -> Counted:
        """Yield the counts of all units."""
        answers = _module("distributed").as_completed(
            [], loop=self.client.loop, raise_errors=False
        )  # fmt: skip
        while True:
            most = _AHEAD * max(1, self._threads())
            while len(self.running) < most and (task := self._next()) is not None:
                answers.add(self._submit(*task))
            if not self.running:
                return
            yield from self._answer(next(answers))

    def _threads(self) -> int:
        try:
            return sum(self.client.nthreads().values())
        except Exception:
            raise UsageError(_GONE) from None

    def _next(self) -> tuple[Unit, int] | None:
        if self.again:
            return self.again.pop()
        unit = next(self.waiting, None)
        return None if unit is None else (unit, 0)

    def _submit(self, unit: Unit, tries: int) -> Any:
        name = f"skatspec-{unit.name}-{uuid4().hex}"
        self.running[name] = unit, tries
        data = None if unit.data is None else _packed(unit.data)
        bare = replace(unit, data=None)
        return self.client.submit(
            _do, self.worker, __version__, bare, data, key=name, pure=False
        )  # fmt: skip

    def _answer(self, future: Any) -> Iterator[Counts]:
        """Yield what came of a unit, or keep the unit to give it once more."""
        unit, tries = self.running.pop(future.key)
        try:
            counts: Counts = future.result()
        except _module("distributed").KilledWorker:
            # it was tried several times over, but maybe beside one that kills
            if tries >= 1:
                raise deadly(unit) from None
            self.again.append((unit, tries + 1))
        except CancelledError:
            # lost with the worker that had it
            if tries >= MOST_DEATHS:
                raise UsageError(f"{unit.path}: the cluster lost unit {unit.number}") from None
            self.again.append((unit, tries + 1))
        except OSError:
            if future.status == "error":
                raise
            raise UsageError(_GONE) from None
        else:
            yield counts
        finally:
            future.release()


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"a cluster needs more than is installed: {EXTRA}") from None


def _packed(data: bytes) -> bytes:
    import zstandard

    return zstandard.ZstdCompressor(level=_LEVEL).compress(data)


def _do(worker: bytes, version: str, unit: Unit, data: bytes | None) -> Counts:
    """Do a unit, on a worker of the cluster."""
    if version != __version__:
        raise UsageError(_other_version({__version__}))
    try:
        if data is not None:
            import zstandard

            unit = replace(unit, data=zstandard.ZstdDecompressor().decompress(data))
        return _worker(worker)(unit)
    except ModuleNotFoundError as error:
        raise UsageError(f"a worker of the cluster has no {error.name}: {EXTRA}") from None


@lru_cache(maxsize=2)
def _worker(data: bytes) -> Worker:
    worker: Worker = pickle.loads(data)
    return worker


def _require_version(client: Any) -> None:
    """Raise UsageError unless there are workers, and all have this version of skatspec."""

    def version() -> str:  # sent as it stands: there may be no skatspec at all
        try:
            from skatspec._version import __version__ as found

            return str(found)
        except ImportError:
            return "none"

    try:
        client.wait_for_workers(1, timeout=_FIRST_WORKER)
        found = set(client.run(version).values())
    except Exception as error:
        raise UsageError(f"the workers of the cluster do not answer: {error}") from None
    if found != {__version__}:
        raise UsageError(_other_version(found - {__version__}))


def _other_version(found: set[str]) -> str:
    return (
        f"the workers of the cluster have skatspec {', '.join(sorted(found))}, and this is "
        f"{__version__}: install the same everywhere"
    )


@contextmanager
def _silence() -> Iterator[None]:
    """Keep Dask's logs from standard error: what matters in them is said by us."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    loggers = [logging.getLogger(name) for name in names]
    levels = [one.level for one in loggers]
    for one in loggers:
        one.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for one, level in zip(loggers, levels, strict=True):
            one.setLevel(level)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
