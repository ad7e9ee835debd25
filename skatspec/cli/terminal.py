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

NO_TERMINAL_WIDTH = 100
_NARROWEST = 40

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
        self.width = NO_TERMINAL_WIDTH
        if self.at_terminal:
            columns = shutil.get_terminal_size((NO_TERMINAL_WIDTH, 24)).columns
            self.width = max(_NARROWEST, columns)

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
        """Return an indented text, broken at a terminal's edge and nowhere else."""
        if not self.at_terminal:
            return indent + text
        # Escape sequences take no room: the bare text is broken, and the styles put back.
        bare = _STYLE.sub("", text)
        lines = textwrap.wrap(
            bare, self.width, initial_indent=indent,
            subsequent_indent=indent if hanging is None else hanging, break_on_hyphens=False,
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


def numbers(values: Sequence[Any], limit: int = 12) -> str:
    """Return a list of figures in words, runs of whole numbers as `40 to 63`."""
    shown: list[str] = []
    rest = list(values)
    while rest:
        run = 1
        if type(rest[0]) is int:
            while run < len(rest) and rest[run] == rest[0] + run:
                run += 1
        if run > 2:
            shown.append(f"{rest[0]} to {rest[run - 1]}")
        else:
            shown += [_figure(value) for value in rest[:run]]
        del rest[:run]
    if len(shown) > limit:
        cut = len(shown) - limit + 1
        shown = [*shown[: limit - 2], f"... ({cut} more)", shown[-1]]
    return ", ".join(shown)


def matadors(values: Sequence[int], limit: int = 12) -> str:
    """Return runs of matadors in words: `without 11 to 1, with 1, 2`."""
    without = sorted((-value for value in values if value < 0), reverse=True)
    sides = [("without", without[::-1]), ("with", sorted(value for value in values if value > 0))]
    return ", ".join(f"{word} {numbers(side, limit)}" for word, side in sides if side) or "none"


def _figure(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
