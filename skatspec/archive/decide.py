"""Decides the records of an ISS archive that lies in memory, one a line, in one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skatspec.archive import kernel
from skatspec.archive.flat import flat_tables
from skatspec.rules import Rules

_LINE_END = 10


@dataclass(frozen=True, slots=True)
class Decided:
    """What the kernel says of every line that begins a record, in order.

    `consistent` is true where the scalar engine would say so too; every other record is to be
    asked of that. `begin` and `end` are byte offsets, the line's end left out.
    """

    consistent: Any
    begin: Any
    end: Any


def decide(data: bytes, rules: Rules) -> Decided:
    """Decide every record of some bytes; the first call compiles, or loads what was compiled."""
    raw = np.frombuffer(data, np.uint8)
    most = int(np.count_nonzero(raw == _LINE_END)) + 1
    status = np.zeros(most, np.int64)
    places = np.zeros((most, 2), np.int64)
    flat, may_bid = flat_tables(rules.tables)
    count = kernel.lines(raw, flat, may_bid, status, places)
    return Decided(status[:count] == kernel.CONSISTENT, places[:count, 0], places[:count, 1])
