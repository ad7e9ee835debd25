"""What a terminal needs: colour or none, its width, and texts that cannot steer it."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from collections.abc import Sequence
from typing import IO, Any

import click

from skatspec.diagnostics import Severity, Verdict

NO_TERMINAL_WIDTH = 80
_NARROWEST = 40
_MOST_FIGURES = 8

# Control characters, and those that turn the direction of text or break lines: a name in
# a record could otherwise repaint the screen or hide what follows it.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)

_STYLE = re.compile("\x1b\\[[0-9;]*m")
_STYLED_PIECE = re.compile("\x1b\\[[0-9;]*m|[^\\s\x1b]|\\s+")

_VERDICT_STYLE: dict[Verdict, dict[str, Any]] = {
    Verdict.CONSISTENT: {"fg": "green"},
    Verdict.CONTRADICTED: {"fg": "red", "bold": True},
    Verdict.UNDETERMINED: {"fg": "yellow", "bold": True},
    Verdict.UNREADABLE: {"fg": "magenta", "bold": True},
}
_SEVERITY_STYLE: dict[Severity, dict[str, Any]] = {
    Severity.ERROR: {"fg": "red"},
    Severity.WARNING: {"fg": "yellow"},
    Severity.NOTE: {"fg": "blue"},
}


def clean(text: str) -> str:
    """Return a text with everything written out that a terminal would obey."""
    return _UNSAFE.sub(lambda found: _written_out(found[0]), text)


def _written_out(char: str) -> str:
    number = ord(char)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


class Paint:
    """Styles text for one stream: colour at a terminal, unless `NO_COLOR` is set.

    `FORCE_COLOR` makes a terminal of any stream, for pagers and pictures.
    """

    def __init__(self, stream: IO[str]) -> None:
        self.at_terminal = bool(os.environ.get("FORCE_COLOR")) or _is_terminal(stream)
        self.colour = (
            self.at_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        )
        # A file is as wide as a plain terminal, however wide the one is that it is written from.
        said = os.environ.get("COLUMNS", "")
        columns = int(said) if said.isascii() and said.isdigit() else NO_TERMINAL_WIDTH
        if self.at_terminal:
            columns = shutil.get_terminal_size((NO_TERMINAL_WIDTH, 24)).columns
        self.width = max(_NARROWEST, columns or NO_TERMINAL_WIDTH)

    def __call__(self, text: str, **style: Any) -> str:
        """Return a text in a style of click."""
        return click.style(text, **style) if self.colour else text

    def verdict(self, verdict: Verdict) -> str:
        """Return a verdict's word in its colour."""
        return self(verdict.value, **_VERDICT_STYLE[verdict])

    def severity(self, severity: Severity, text: str) -> str:
        """Return a text in a severity's colour."""
        return self(text, **_SEVERITY_STYLE[severity])

    def dim(self, text: str) -> str:
        """Return a text that stands back."""
        return self(text, dim=True)

    def wrap(self, text: str, indent: str, hanging: str | None = None) -> str:
        """Return an indented text, broken between words where the line would be too long.

        A word longer than a line (a path, say) is broken at a terminal only: in a file it
        must be found whole.
        """
        # Escape sequences take no room: the bare text is broken, and the styles put back.
        bare = _STYLE.sub("", text)
        lines = textwrap.wrap(
            bare, self.width, initial_indent=indent,
            subsequent_indent=indent if hanging is None else hanging, break_on_hyphens=False,
            break_long_words=self.at_terminal,
        )  # fmt: skip
        broken = "\n".join(lines) or indent
        return broken if bare == text else _restyled(text, broken)


def _restyled(styled: str, broken: str) -> str:
    """Put the escape sequences of a text back into the same text, blanks and breaks aside."""
    result: list[str] = []
    at = 0
    for piece in _STYLED_PIECE.findall(styled):
        if piece.isspace():
            continue
        if not _STYLE.fullmatch(piece):
            start = broken.index(piece, at)
            result.append(broken[at:start])
            at = start + len(piece)
        result.append(piece)
    return "".join((*result, broken[at:]))


def _is_terminal(stream: IO[str]) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def count(number: int, what: str) -> str:
    """Return a number with its noun: `1 record`, `no records`, `3 records`."""
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def numbers(values: Sequence[Any], signed: bool = False) -> str:
    """Return a list of figures in words, runs of whole numbers as `40 to 63`.

    A list too long to be read is given by its ends and its length.
    """
    shown: list[str] = []
    at = 0
    while at < len(values):
        run = 1
        if type(values[at]) is int:
            while at + run < len(values) and values[at + run] == values[at] + run:
                run += 1
        if run > 2:
            shown.append(
                f"{_figure(values[at], signed)} to {_figure(values[at + run - 1], signed)}"
            )
        else:
            shown += [_figure(value, signed) for value in values[at : at + run]]
        at += run
    if len(shown) > _MOST_FIGURES:
        ends = f"{_figure(values[0], signed)} to {_figure(values[-1], signed)}"
        return f"{len(values)} values from {ends}"
    return ", ".join(shown)


def matadors(values: Sequence[int]) -> str:
    """Return runs of matadors in words: `without 11 to 1, with 1, 2`."""
    without = sorted((-value for value in values if value < 0), reverse=True)
    sides = [("without", without[::-1]), ("with", sorted(value for value in values if value > 0))]
    return ", ".join(f"{word} {numbers(side)}" for word, side in sides if side) or "none"


def _figure(value: Any, signed: bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:+d}" if signed and value else str(value)
