"""XSkat 4.0: its logs, joined to their lists, as records; and records as files of deals.

`blocks` reads a log into faithful blocks (`values`), found among the lines by `frames`;
`lists` reads a list, and `joining` puts it beside its log; `words` holds the vocabulary
and `rows` the columns. `records` turns a block into a Record: `seats`, `deals`,
`contracts`, `tricks`; `places` finds its parts again. Nothing here knows a rule or a value.

There is no writer of logs, which are the program's own. What is written is the program's
file of predefined deals (`deal_file`), which deals the record's cards once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from skatspec.diagnostics import finding
from skatspec.formats.lines import Lines, from_text
from skatspec.formats.record_text import excerpt
from skatspec.formats.xskat.deal_file import write
from skatspec.formats.xskat.joining import joined_blocks
from skatspec.formats.xskat.places import locate
from skatspec.formats.xskat.records import FORMAT, record_of
from skatspec.record import ROUNDS_TAG, BrokenRecord, Origin, Record

__all__ = ["locate", "parse", "read", "write"]


def read(lines: Lines) -> Iterator[Record | BrokenRecord]:
    """Yield the records of a log in order; junk, and faults of its list, go to `lines`.

    The list is looked for beside a file by its name; without one no score is stated.
    """
    source = lines.source
    for index, (block, row, copy, rounds) in enumerate(joined_blocks(lines)):
        record = record_of(block, index, source, row, copy)
        if rounds is not None and isinstance(record, Record):
            tag = (ROUNDS_TAG, " ".join([str(number) for number in rounds]))
            record = replace(record, tags=(*record.tags, tag))
        yield record


def parse(text: str) -> Record | BrokenRecord:
    """Read the first record of a text; a text without one is a broken record (N001)."""
    for record in read(from_text(text)):
        return record
    origin = Origin(format=FORMAT, text=text)
    wanted = "two lines of names above 40 `-`"
    note = finding("N001", span=origin.start(), read=excerpt(text), expected=wanted)
    return BrokenRecord(origin, (note,))
