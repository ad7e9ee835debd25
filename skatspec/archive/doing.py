"""Units done one after the other here, or by processes of this machine."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context

from skatspec.archive import pool
from skatspec.archive.runs import Counted
from skatspec.archive.units import Unit
from skatspec.archive.work import Counts, Worker
from skatspec.errors import UsageError

# Units that wait for a process: few, since those of a stream hold their bytes.
_AHEAD = 1
# A process that is killed takes nothing with it, but a unit that kills processes must end.
MOST_DEATHS = 3


def here(worker: Worker, units: Iterable[Unit]) -> Counted:
    """Do units one after the other in this process."""
    for unit in units:
        yield worker(unit)


def deadly(unit: Unit) -> UsageError:
    """Return the refusal of a unit over which worker after worker has died."""
    return UsageError(
        f"{unit.path}: {MOST_DEATHS + 1} workers were killed while they had bytes {unit.begin} "
        f"to {unit.end} in hand (unit {unit.number}); is there too little memory?"
    )


class Processes:
    """Does units in so many processes at once."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def __call__(self, worker: Worker, units: Iterable[Unit]) -> Counted:
        """Yield the counts of units as they are done; what a dead process had is done again.

        Raises UsageError where processes die again and again over one unit.
        """
        waiting = iter(units)
        again: list[Unit] = []
        deaths: Counter[str] = Counter()
        while True:
            running: dict[Future[Counts], Unit] = {}
            try:
                with _executor(self._jobs, worker) as executor:
                    yield from self._rounds(executor, running, again, waiting)
                    return
            except BrokenProcessPool:
                for unit in running.values():
                    deaths[unit.name] += 1
                    if deaths[unit.name] > MOST_DEATHS:
                        raise deadly(unit) from None
                again += running.values()

    def _rounds(
        self, executor: ProcessPoolExecutor, running: dict[Future[Counts], Unit],
        again: list[Unit], waiting: Iterator[Unit],
    ) -> Iterator[Counts]:  # fmt: skip
        """Keep the processes busy until nothing is left."""
        while True:
            while len(running) < self._jobs + _AHEAD:
                unit = again.pop() if again else next(waiting, None)
                if unit is None:
                    break
                try:
                    with pool.sheltered():
                        running[executor.submit(pool.do, unit)] = unit
                except BrokenProcessPool:
                    again.append(unit)
                    raise
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for one in done:
                counts = one.result()
                del running[one]
                yield counts


@contextmanager
def _executor(jobs: int, worker: Worker) -> Iterator[ProcessPoolExecutor]:
    """Yield processes; where it is left by an error they are not waited for, but end at once."""
    context = get_context("spawn")
    reader, writer = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(jobs, context, pool.begin, (pickle.dumps(worker), reader))
    try:
        yield executor
        executor.shutdown(wait=True)
    finally:
        writer.close()
        executor.shutdown(wait=True, cancel_futures=True)
        reader.close()
