"""Work done in other processes, its answers taken in the order in which it was given.

Every process is started anew (not forked: the kernel's threads would not survive that), so
one is only started when there is enough to do.
"""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import wait
from threading import Thread
from typing import Any

Work = Callable[..., Any]
# So many tasks are done here before other processes are worth their start.
_DONE_HERE = 3
_WAITING = 4
# Records hold no cycles, so looking for some after every few hundred objects only costs.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000
# As <malloc.h> numbers them; blocks up to 32 MiB are kept, 128 MiB of them.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_LARGE, _KEPT = 1 << 25, 1 << 27
_work: Work | None = None


class InOrder:
    """Answers in the order of the questions, which `jobs` processes work on.

    `work` is called with a task's arguments; it is pickled once for every process. With one
    job everything is done here. A process that is killed loses nothing: its tasks are done
    here.
    """

    def __init__(self, work: Work, jobs: int) -> None:
        self._work = work
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None
        self._given = 0
        self._waiting: deque[tuple[tuple[Any, ...], Future[Any]]] = deque()

    def __enter__(self) -> InOrder:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=kind is None, cancel_futures=True)

    def say(self, answer: Any) -> Iterator[Any]:
        """Put an answer that needs no work in its place, and yield those that are due."""
        done: Future[Any] = Future()
        done.set_result(answer)
        self._waiting.append(((), done))
        yield from self._due()

    def give(self, *task: Any) -> Iterator[Any]:
        """Give a task, and yield the answers that are due: all but the latest few."""
        self._given += 1
        if self._jobs > 1 and self._given > _DONE_HERE:
            self._waiting.append((task, self._submit(task)))
        else:
            done: Future[Any] = Future()
            done.set_result(self._work(*task))
            self._waiting.append((task, done))
        yield from self._due()

    def _due(self) -> Iterator[Any]:
        while self._waiting and (
            self._waiting[0][1].done() or len(self._waiting) > _WAITING * self._jobs
        ):
            yield self._first()

    def rest(self) -> Iterator[Any]:
        """Yield the answers that are still due."""
        while self._waiting:
            yield self._first()

    def _submit(self, task: tuple[Any, ...]) -> Future[Any]:
        try:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(
                    self._jobs, get_context("spawn"), begin, (pickle.dumps(self._work),)
                )
            with sheltered():
                return self._pool.submit(do, *task)
        except BrokenProcessPool as error:
            broken: Future[Any] = Future()
            broken.set_exception(error)
            return broken

    def _first(self) -> Any:
        task, answer = self._waiting.popleft()
        try:
            return answer.result()
        except BrokenProcessPool:
            return self._work(*task)


@contextmanager
def sheltered() -> Iterator[None]:
    """Keep Ctrl-C from processes that are started meanwhile, from their first moment on."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # where it is only started meanwhile, that lets Ctrl-C through again
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin(work: bytes, alive: Any = None) -> None:
    """Begin a worker process: `work` is what it calls, pickled.

    It ends with the process that started it, however that ends, and where the pipe `alive`
    is closed.
    """
    global _work
    parent = parent_process()
    if parent is not None:
        watched = [parent.sentinel, *([] if alive is None else [alive])]
        Thread(target=_end_with, args=(watched,), daemon=True).start()
    # whoever stops the run stops its processes; Ctrl-C at a terminal reaches them as well
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settle_in()
    _work = pickle.loads(work)


def settle_in() -> None:
    """Tell the process that it will make and free large blocks of memory, and few cycles.

    The C library gives large blocks back to the system when they are freed, and to get the
    same pages anew costs as much as reading the file.
    """
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    with suppress(OSError, AttributeError):  # elsewhere than in the GNU library
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_MMAP_THRESHOLD, _LARGE)
        mallopt(_M_TRIM_THRESHOLD, _KEPT)


def _end_with(watched: list[Any]) -> None:
    wait(watched)
    os._exit(1)


def do(*task: Any) -> Any:
    """Do a task in a worker process."""
    assert _work is not None
    return _work(*task)
