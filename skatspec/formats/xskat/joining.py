"""A log read together with the list beside it: every block with its row.

The list of `games.log` is `games.lst` in the same folder, either of them packed or not. A
log that is not much longer than its list is held back until the two are joined; of a
longer one the file is read once more, so that memory is bounded by the list.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from skatspec.diagnostics import Diagnostic, entry, finding
from skatspec.diagnostics.model import NOWHERE
from skatspec.errors import InputError
from skatspec.formats.lines import Lines, open_lines
from skatspec.formats.suffixes import COMPRESSED
from skatspec.formats.xskat.blocks import read_blocks, unread_blocks
from skatspec.formats.xskat.lists import (
    Alignment,
    GameList,
    ListHead,
    ListRow,
    Three,
    align,
    read_list,
)
from skatspec.formats.xskat.values import Block, BrokenBlock

LIST_SUFFIX = ".lst"
# So many blocks more than the list has rows are held back: saved copies and broken ones.
MOST_MORE = 200
# Before a list grows over 360 rows its oldest 12 are folded into the sums at its head.
FOLDED_FROM = 349

Joined = tuple[Block | BrokenBlock, ListRow | None, bool, Three | None]


def joined_blocks(lines: Lines) -> Iterator[Joined]:
    """Yield every block with its row of the list, whether it only repeats the one before, and
    what the list says of the rounds behind it, which it does of the last one.

    A list that does not belong to the log is refused whole, and reported to `lines`.
    """
    blocks = read_blocks(lines)
    listing = _listing(lines)
    alignment = Alignment()
    if listing is not None and listing.rows:
        held = list(islice(blocks, len(listing.rows) + MOST_MORE + 1))
        alignment = _align(held, listing, lines)
        blocks = chain(held, blocks)
        _report(lines, listing, alignment)
    rows = () if listing is None else listing.rows
    reached = min(alignment.rows) if alignment.rows else None
    before = ""
    for index, block in enumerate(blocks):
        at = alignment.rows.get(index)
        copy = (
            index in alignment.copies
            if reached is not None and index > reached
            else isinstance(block, Block) and block.text == before and block.seed is not None
        )
        before = block.text
        rounds = listing.head.bock if listing is not None and at == len(rows) - 1 else None
        yield block, None if at is None else rows[at], copy, rounds


def _report(lines: Lines, listing: GameList, alignment: Alignment) -> None:
    """Report how a list was joined to its log, or why it was not."""
    for one in alignment.findings:
        lines.report(one)
    path = list_beside(lines.source)
    if path is None or not alignment.rows:
        return
    lines.report(finding("L002", list=path.name, count=len(alignment.rows)))
    if len(listing.rows) < FOLDED_FROM and not listing.head.complete:
        lines.report(finding("L004", list=path.name, count=len(listing.rows)))


def _align(held: list[Block | BrokenBlock], listing: GameList, lines: Lines) -> Alignment:
    """Join a list and its log, of which the first blocks were read."""
    if len(held) <= len(listing.rows) + MOST_MORE:
        return align(held, listing)
    with suppress(InputError):  # the reading at hand meets the same fault, and says so
        return align(unread_blocks(open_lines(lines.source)), listing)
    return Alignment()


# ---------------------------------------------------------------- the file of the list


def list_beside(source: str) -> Path | None:
    """Return the file of the list that belongs to a log by its name, or None."""
    log = Path(source)
    try:
        if source in ("", "-") or not log.is_file():
            return None
    except (OSError, ValueError):  # a source that no file can be named
        return None
    bare = log.with_suffix("") if log.suffix.lower() in COMPRESSED else log
    for suffix in (LIST_SUFFIX, LIST_SUFFIX.upper()):
        plain = bare.with_suffix(suffix)
        for packing in ("", *COMPRESSED):
            path = plain.with_name(plain.name + packing)
            if path != log and path.is_file():
                return path
    return None


def _listing(lines: Lines) -> GameList | None:
    """Read the list beside a log, and report what of it cannot be read."""
    path = list_beside(lines.source)
    if path is None:
        return None
    try:
        opened = open_lines(path)
        listing = read_list(opened)
    except InputError as error:
        lines.report(finding("E008", read=f"{path.name}: {error.message}"))
        return None
    if not listing.rows and listing.head == ListHead() and len(listing.findings) == 1:
        lines.report(finding("L003", list=path.name))
        return None
    for one in (*opened.findings, *listing.findings):
        named = _of_list(one, path.name)
        if named is not None:
            lines.report(named)
    if not listing.rows:
        lines.report(finding("L003", list=path.name))
    return listing


def _of_list(one: Diagnostic, name: str) -> Diagnostic | None:
    """Return a finding about the list as one about its log, which names the list.

    None for remarks on its bytes, which are no fault of the log.
    """
    where = f"{name}, line {one.span.line}" if one.span.line else name
    if "{read}" in entry(one.code).text:
        return replace(one, span=NOWHERE, read=f"{where}: {one.read}")
    slots = dict(one.slots)
    if "what" not in slots:
        return None
    slots["what"] = f"{slots['what']} in {where}"
    return replace(one, span=NOWHERE, slots=tuple(slots.items()))
