"""Writes games in order, their blocks made by one process or by several."""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from skatspec.conformance.generator import generate, shares
from skatspec.conformance.generator.generate import BLOCK, SKAT, Options
from skatspec.conformance.generator.shares import Counts
from skatspec.conformance.generator.table import Table
from skatspec.rules import load_rules

Piece = tuple[str, Counts]
# How many blocks may wait for each process: enough to keep it busy, little memory.
_AHEAD = 3


@dataclass(frozen=True, slots=True)
class Order:
    """What a run makes: rules by name or file with single keys changed, seed, number, options.

    `label` writes the name of a mutation in a line before its record, `counted` counts shares.
    """

    rules: str
    settings: tuple[str, ...]
    seed: int
    count: int
    options: Options
    label: bool = False
    counted: bool = False


def pieces(order: Order, jobs: int = 1) -> Iterator[Piece]:
    """Yield the text of one block after the other, with what is in it.

    The text is the same for every number of `jobs`. Raises ProfileError and UsageError before
    the first piece where rules or options cannot be used.
    """
    generate.checked(order.options, order.count)
    table = _table(order)
    blocks = range(-(-order.count // BLOCK))
    if jobs <= 1 or len(blocks) <= 1:
        for number in blocks:
            yield _piece(table, order, number)
        return
    # started anew, not forked: a fork would copy whatever threads the caller has
    with ProcessPoolExecutor(
        min(jobs, len(blocks)), get_context("spawn"), initializer=_begin, initargs=(order,)
    ) as pool:
        waiting: deque[Future[Piece]] = deque()
        try:
            for number in blocks:
                waiting.append(pool.submit(_made, number))
                if len(waiting) > _AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for one in waiting:
                one.cancel()


def _table(order: Order) -> Table:
    return Table(load_rules(order.rules, order.settings))


# --- in a worker --------------------------------------------------------------------------

_worker: list[tuple[Table, Order]] = []


def _begin(order: Order) -> None:
    """Prepare a worker process; an interrupt is for the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker.append((_table(order), order))


def _made(number: int) -> Piece:
    table, order = _worker[-1]
    return _piece(table, order, number)


def _piece(table: Table, order: Order, number: int) -> Piece:
    """Return the text of a block, and its counts where they are asked for."""
    texts: list[str] = []
    counts: Counts = Counter()
    size = min(BLOCK, order.count - number * BLOCK)
    apart = order.options.form == SKAT
    for one in generate.block(table, order.seed, number, size, order.options):
        if apart and one.number:
            texts.append("\n")
        if order.label and one.mutation:
            texts.append(f"# mutation: {one.mutation}\n")
        texts.append(one.text)
        if order.counted:
            counts.update(shares.marks(table, one.game))
    return "".join(texts), counts
