"""Finds the texts of lists in JSON among lines: one object, several, or an array of them.

Brackets and strings are followed, nothing else, so that depth costs no recursion. A list
that the file cuts off is closed behind its last whole part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from skatspec.formats.lines import Lines
from skatspec.formats.score_sheet.raw import LIMIT

# A list with records is seven levels deep.
DEEPEST = 32
# The rows of a list, and the lines of its sums, are complete where so many are open.
_ROWS_OPEN = 2

# What stands before the next bracket, strings whole. Only to be matched, not searched for,
# which would take time by the square of a line.
_BRACKET = re.compile(r'[^"\[\]{}]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"?[^"\[\]{}]*+)*+([\[\]{}])')
_BETWEEN = re.compile(r"[\s,\[\]]*")
_CLOSING = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Frame:
    """The text of one list and the line it begins on.

    `problem` is empty, or what is wrong: E005 too long, L023 no object or far too deep.
    `cut` is the text behind the last whole part where the file ends in the middle.
    """

    line: int
    text: str
    problem: str = ""
    cut: str | None = None


@dataclass(slots=True)
class _Open:
    """The list that is open: its text so far, and where it could be closed."""

    line: int
    parts: list[str] = field(default_factory=list)
    size: int = 0
    stack: list[str] = field(default_factory=list)
    beyond: int = 0
    safe: int = 0
    closing: str = ""
    problem: str = ""

    def add(self, text: str) -> None:
        """Keep a piece of text, unless the list is refused."""
        self.size += len(text)
        if self.size > LIMIT:
            self.problem = self.problem or "E005"
        if self.problem:
            self.parts.clear()
        else:
            self.parts.append(text)

    def mark(self, token: str, end: int) -> None:
        """Follow a bracket that ends at an offset of the text."""
        if token in _CLOSING:
            if len(self.stack) < DEEPEST:
                self.stack.append(token)
            else:
                self.problem, self.beyond = self.problem or "L023", self.beyond + 1
            return
        if self.beyond:
            self.beyond -= 1
            return
        self.stack.pop()
        if len(self.stack) <= _ROWS_OPEN:
            self.safe = end
            self.closing = "".join([_CLOSING[one] for one in reversed(self.stack)])

    def frame(self, ended: bool) -> Frame:
        """Return what was read; where it has not `ended`, closed behind its last whole part."""
        text = "".join(self.parts)
        if ended or self.problem:
            return Frame(self.line, text, self.problem)
        kept = text[: self.safe] + self.closing if self.safe else "{}"
        return Frame(self.line, kept, "", text[self.safe :])


def frames(lines: Lines) -> Iterator[Frame]:
    """Yield the lists of a source; what is no list is yielded once a run."""
    one: _Open | None = None
    junk = False
    for number, line in lines:
        position = 0
        while position < len(line):
            if one is None:
                between = _BETWEEN.match(line, position)
                position = between.end() if between else position
                if position == len(line):
                    break
                if line[position] != "{":
                    if not junk:
                        yield Frame(number, line[position:], "L023")
                    junk = True
                    position = _behind(line, position)
                    continue
                one, junk = _Open(number), False
            end = _follow(one, line, position)
            one.add(line[position:end])
            position = end
            if not one.stack:
                yield one.frame(True)
                one = None
        if one is not None:
            one.add("\n")
    if one is not None:
        yield one.frame(False)


def _follow(one: _Open, line: str, position: int) -> int:
    """Follow the open list through a line, and return where it ends in it, else the line's end."""
    base = one.size - position
    while found := _BRACKET.match(line, position):
        position = found.end()
        one.mark(found[1], base + position)
        if not one.stack:
            return position
    return len(line)


def _behind(line: str, position: int) -> int:
    """Return where the next object may begin."""
    found = line.find("{", position)
    return found if found >= 0 else len(line)
