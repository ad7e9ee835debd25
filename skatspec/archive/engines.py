"""Who decides a source: the compiled kernel with the scalar engine behind it, or that alone."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from skatspec.archive.walk import Decider
from skatspec.errors import InputError, UsageError
from skatspec.formats.lines import Block, Lines
from skatspec.formats.packed import STDIN
from skatspec.rules import Rules

ENGINES = AUTO, FAST, SCALAR = "auto", "fast", "scalar"
EXTRA = "pip install 'skatspec[archive]'"
# The kernel is given pieces of this size.
CHUNK = 1 << 22
# The kernel takes half a second to load, and ten times as long to be compiled once.
_WORTH_LOADING = 2 << 20
_WORTH_COMPILING = 64 << 20
AUDIT = 1000


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def installed() -> bool:
    """Say whether what the kernel needs is installed."""
    return find_spec("numba") is not None


def require_archive() -> None:
    """Raise UsageError where something is missing that archives need."""
    missing = [name for name in ("numpy", "numba", "pyarrow") if find_spec(name) is None]
    if missing:
        raise UsageError(f"archives need more than is installed ({missing[0]}): {EXTRA}")


@dataclass(frozen=True, slots=True)
class Engines:
    """What was asked for: `mode`, how many processes, and the share that is checked twice.

    `jobs` is None where nothing was said, `audit` one in how many records taken, 0 for none.
    """

    mode: str = AUTO
    jobs: int | None = None
    audit: int = AUDIT

    @property
    def processes(self) -> int:
        """Return how many processes may work at once."""
        return self.jobs or cores()

    def plan(self, rules: Rules, lines: Lines, silent: bool) -> Plan | None:
        """Return how a source of ISS records is to be gone through, None for one by one.

        `silent` says that nothing is written of consistent records: else each needs its full
        report, which the kernel does not make. Raises UsageError where the fast engine was
        asked for and cannot be had.
        """
        path = Path(lines.source)
        piped = lines.source == STDIN or (path.exists() and not path.is_file())
        if self.mode == AUTO and not piped and not lines.holds(_WORTH_LOADING):
            return None
        known = self.fast(rules)
        kernel = self._kernel(rules, lines, piped) if known and silent else None
        if kernel is None and self.processes == 1:
            return None
        after = _WORTH_LOADING if piped and self.mode == AUTO else 0
        return Plan(rules, kernel, self.processes, after, not piped)

    def fast(self, rules: Rules) -> bool:
        """Say whether the kernel can be had for some rules. Raises UsageError as `plan` does."""
        if self.mode == SCALAR:
            return False
        if not installed():
            if self.mode == FAST:
                raise UsageError(f"the fast engine is not installed: {EXTRA}")
            return False
        from skatspec.archive.kernel.fitting import fits

        if not fits(rules):
            if self.mode == FAST:
                raise UsageError(
                    f"the fast engine does not know all rules of {rules.name}; "
                    "--engine scalar checks by them"
                )
            return False
        return True

    def _kernel(self, rules: Rules, lines: Lines, piped: bool) -> Decider | None:
        from skatspec.archive.kernel.decide import is_cached, kernel_of

        cold = self.mode == AUTO and not is_cached()
        if cold and (piped or not lines.holds(_WORTH_COMPILING)):
            return None
        return kernel_of(rules)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a source is gone through: by which kernel, if any, and by how many threads.

    The kernel decides from byte `after` on. `pieces` says that blocks are joined to larger ones
    before; where they come through a pipe nobody should have to wait for that.
    """

    rules: Rules
    kernel: Decider | None
    threads: int
    after: int = 0
    pieces: bool = True

    def decided(self, lines: Lines) -> Iterator[tuple[Block, Any]]:
        """Yield every block with what the kernel says of it, None where it was not asked."""
        kernel, blocks = self.kernel, lines.blocks()
        if kernel is None:
            yield from ((block, None) for block in blocks)
            return
        for block in blocks if self.after else ():
            yield block, None
            if block.offset + len(block.data) >= self.after:
                break
        if self.threads == 1:
            for block in _joined(blocks) if self.pieces else blocks:
                yield block, None if block.cut else kernel.decide(block.data)
            return
        waiting: deque[tuple[Block, Future[Any] | None]] = deque()
        failed: InputError | None = None
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                for block in _joined(blocks) if self.pieces else blocks:
                    answer = None if block.cut else pool.submit(kernel.decide, block.data)
                    waiting.append((block, answer))
                    if len(waiting) > self.threads or not self.pieces:
                        yield _first(waiting)
            except InputError as error:
                failed = error
            while waiting:
                yield _first(waiting)
        if failed is not None:
            raise failed


def _joined(blocks: Iterable[Block]) -> Iterator[Block]:
    """Join blocks to larger ones; an error comes behind what was read before it."""
    held: list[Block] = []
    size = 0
    failed: InputError | None = None
    try:
        for block in blocks:
            if held and (block.cut or size >= CHUNK):
                yield _whole(held)
                held, size = [], 0
            if block.cut:
                yield block
            else:
                held.append(block)
                size += len(block.data)
    except InputError as error:
        failed = error
    if held:
        yield _whole(held)
    if failed is not None:
        raise failed


def _whole(held: list[Block]) -> Block:
    return Block(held[0].offset, b"".join([one.data for one in held]))


def _first(waiting: deque[tuple[Block, Future[Any] | None]]) -> tuple[Block, Any]:
    block, answer = waiting.popleft()
    return block, None if answer is None else answer.result()
