"""A line of a source with a caret line below, as a terminal can show it.

Nothing here knows records. Columns of a `Span` count characters; what is shown counts
terminal cells, so tabs, wide and combining characters are allowed for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from skatspec.diagnostics.model import Span

_TAB = 8
_CUT = "…"
# A stand-in for characters that would move the cursor or turn the text's direction.
_UNSHOWN = "\N{REPLACEMENT CHARACTER}"
_UNSHOWN_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_NO_WIDTH_CATEGORIES = frozenset(("Mn", "Me"))


def caret(text_line: str, span: Span, width: int = 100) -> str:
    """Return the line and, below it, carets under the span's columns.

    `text_line` is the source line that `span` lies on, with or without its line end. A
    line of more than `width` cells is cut around the place, `…` marking each cut. Both
    lines come without trailing blanks; the result has no line end of its own.
    """
    line = text_line.rstrip("\r\n")
    first = min(max(span.column - 1, 0), len(line))
    last = min(max(span.end_column - 1, first), len(line))
    # Only what could be shown is looked at: a line may be a mebibyte long.
    begin, end = max(0, first - width), first + width
    cells = _cells(line[begin:end])
    widths = [_width(cell) for cell in cells]
    mark = sum(widths[: first - begin])
    size = max(1, sum(widths[first - begin : last - begin]))
    start, stop = 0, len(cells)
    if begin > 0 or end < len(line) or sum(widths) > width:
        left = max(0, min(mark - width // 3, sum(widths) - width + 2))
        start, stop = _window(widths, left, left + width - 2)
    head = _CUT if begin + start > 0 else ""
    tail = _CUT if begin + stop < len(line) else ""
    mark -= sum(widths[:start])
    size = max(1, min(size, sum(widths[start:stop]) - mark))
    shown = head + "".join(cells[start:stop]).rstrip() + tail
    return f"{shown}\n{' ' * (len(head) + mark)}{'^' * size}"


def _cells(text: str) -> Sequence[str]:
    """Return what is shown for each character, tabs as blanks."""
    shown: list[str] = []
    column = 0
    for char in text:
        if char == "\t":
            cell = " " * (_TAB - column % _TAB)
        elif unicodedata.category(char) in _UNSHOWN_CATEGORIES:
            cell = _UNSHOWN
        else:
            cell = char
        shown.append(cell)
        column += _width(cell)
    return shown


def _width(cell: str) -> int:
    """Return how many terminal cells a shown character takes."""
    if len(cell) != 1:
        return len(cell)
    if unicodedata.category(cell) in _NO_WIDTH_CATEGORIES:
        return 0
    return 2 if unicodedata.east_asian_width(cell) in "WF" else 1


def _window(widths: Sequence[int], left: int, right: int) -> tuple[int, int]:
    """Return which cells lie between two columns."""
    column = 0
    start, stop = 0, len(widths)
    for number, one in enumerate(widths):
        if column < left:
            start = number + 1
        column += one
        if column > right:
            stop = number
            break
    return start, stop
