"""The grammar at work: the kind of each line, and whether the kinds stand in order.

The terminals of grammar/skat.lark are whole lines that never overlap (a test proves it), so
one pattern finds each line's kind. The order of the kinds is the LALR parser's business; it
depends on the kinds alone, so the parser's yes to a sequence of them is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from skatspec import resources

if TYPE_CHECKING:
    from lark import Lark

# One row a line: its kind, the line with its end, its offset in the record.
Row = tuple[str, str, int]
OTHER = "OTHER"
BLANK = "BLANK"
COMMENT = "COMMENT"
_PASSED_OVER = frozenset((BLANK, COMMENT))
_REMEMBERED = 4096
_LONGEST_REMEMBERED = 128
# The kinds that a record has most come first, because the pattern tries them in order.
_OFTEN = ("TRICK", "HAND", "TAGS", "CALLS", "ACTS", "OUTCOME")


class Refusal(NamedTuple):
    """A line that cannot stand where it stands, and the kinds that could."""

    row: Row
    wanted: frozenset[str]


class Syntax:
    """The grammar, loaded once."""

    def __init__(self, parser: Lark) -> None:
        self._parser = parser
        self._sound: set[tuple[str, ...]] = set()
        terminals = {one.name: one.pattern.to_regexp() for one in parser.terminals}
        rare = sorted(set(terminals) - set(_OFTEN))
        names = [*_OFTEN, *rare]
        kinds = "|".join(f"(?P<{name}>{terminals[name]})" for name in names)
        self._line = re.compile(rf"{kinds}|(?P<{OTHER}>[^\n]*\n)")

    def rows(self, text: str) -> list[Row]:
        """Return the lines of a record's text, which must end with a line end."""
        return [
            (match.lastgroup or OTHER, match.group(), match.start())
            for match in self._line.finditer(text)
        ]

    def refusal(self, rows: Sequence[Row]) -> Refusal | None:
        """Return the first line that is out of its place, None for a sound record."""
        from lark.exceptions import UnexpectedToken

        kinds = tuple([row[0] for row in rows if row[0] not in _PASSED_OVER])
        if kinds in self._sound:
            return None
        try:
            self._parser.parse([row for row in rows if row[0] not in _PASSED_OVER])
        except UnexpectedToken as error:
            token: Any = error.token
            wanted = frozenset(error.accepts or error.expected)
            return Refusal((token.type, str(token), token.start_pos), wanted)
        if len(kinds) <= _LONGEST_REMEMBERED and len(self._sound) < _REMEMBERED:
            self._sound.add(kinds)
        return None


@cache
def syntax() -> Syntax:
    """Return the grammar."""
    from lark import Lark, Token
    from lark.lexer import Lexer

    class Rows(Lexer):
        """Hands the rows of a record to the parser as tokens."""

        def __init__(self, conf: Any) -> None:
            """Need nothing of the configuration: the rows are ready."""

        def lex(self, rows: Any, _state: Any = None) -> Iterator[Token]:
            """Yield a token for each row."""
            for kind, line, start in rows:
                yield Token(kind, line, start)

    grammar = resources.text("grammar", "skat.lark")
    return Syntax(Lark(grammar, parser="lalr", lexer=Rows))
