"""Columns of texts, set below each other for a terminal or a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_GAP = "  "


def width_of(text: str) -> int:
    """Return how many columns a terminal needs for a text."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def column_lines(
    heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]
) -> Iterator[str]:
    """Yield a head and its rows, each column as wide as it must be; `right` ones are figures."""
    every = [heads, *rows]
    widths = [max(width_of(row[at]) for row in every) for at in range(len(heads))]
    for row in every:
        cells = []
        for cell, width, to_right in zip(row, widths, right, strict=True):
            room = " " * (width - width_of(cell))
            cells.append(room + cell if to_right else cell + room)
        yield _GAP.join(cells).rstrip()
