"""The columns of XSkat's logs: names, tricks, hands, and what marks a cell.

Rows are two blanks and three cells of twelve columns, one a player; a cell printed in
capitals won its trick (or is a trump, in the hands), an underscore for its blank says that
it was led. `-fmt` writes bold (`x BS x`) and underlined (`_ BS x`) instead; `plain` turns
that into capitals and underscores, so that one reader serves both. Names are centred in
columns of twelve bytes, two words below each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from skatspec.cards import Card
from skatspec.formats.xskat.words import DECKS, ROW_WORDS, SPITZE

WIDTH, PLAYERS, MARGIN = 12, 3, 2
_NAMES_WIDTH = WIDTH * PLAYERS
_ROW_WIDTH = MARGIN + _NAMES_WIDTH
_BEGINS = range(0, _NAMES_WIDTH, WIDTH)
_OVERSTRUCK = re.compile("(.)\b(.)")
_UNKNOWN_CHARACTER = "\N{REPLACEMENT CHARACTER}"

# ---------------------------------------------------------------- bold and underlined


def plain(text: str) -> str:
    """Return a line with capitals and underscores in place of its backspaces."""
    return _OVERSTRUCK.sub(_mark, text) if "\b" in text else text


def _mark(struck: re.Match[str]) -> str:
    below, above = struck.groups()
    if below == above:
        upper = above.upper()
        return upper if len(upper) == 1 else above
    if below == "_":
        return "_" if above == " " else above
    return struck[0]


def raw_columns(text: str, begin: int, end: int) -> tuple[int, int]:
    """Turn offsets into `plain(text)` into offsets into `text`."""
    if "\b" not in text:
        return begin, end
    starts: list[int] = []
    at = 0
    for struck in _OVERSTRUCK.finditer(text):
        starts += range(at, struck.start())
        kept = len(_mark(struck)) > 1
        starts += range(*struck.span()) if kept else [struck.start()]
        at = struck.end()
    starts += range(at, len(text) + 1)
    last = len(starts) - 1
    return starts[min(begin, last)], starts[min(end, last)]


# ---------------------------------------------------------------- cells


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as printed: a card, the Spitze card (no `card`), or a word.

    `word` is empty for cards, else a value of words.ROW_WORDS; `deck` and `language` say
    whose words they are, empty for what is the same in all.
    """

    text: str
    card: Card | None = None
    word: str = ""
    spitze: bool = False
    underscore: bool = False
    capitals: bool = False
    deck: str = ""
    language: str = ""


Cells = tuple[Cell, Cell, Cell]


def _cells() -> dict[str, Cell]:
    """Return every cell that a log can hold, by its text with and without trailing blanks."""
    every = [Cell(text, word=word) for text, word in ROW_WORDS.items()]
    every += [Cell(f"_{text}_", word=word, underscore=True) for text, word in ROW_WORDS.items()]
    every += _printings(Cell(SPITZE, spitze=True))
    for deck in DECKS:
        for text, card in deck.cards().items():
            every += _printings(Cell(text, card, deck=deck.name, language=deck.language))
    return {key: cell for cell in every for key in (cell.text, cell.text.ljust(WIDTH))}


def _printings(cell: Cell) -> list[Cell]:
    """Return a card's cell as it is, led, and won."""
    card, spitze, deck, language = cell.card, cell.spitze, cell.deck, cell.language
    led, won = cell.text.replace(" ", "_"), cell.text.upper()
    return [
        cell,
        Cell(led, card, "", spitze, True, False, deck, language),
        Cell(won, card, "", spitze, False, True, deck, language),
    ]


CELLS = _cells()
CARD_CELLS = {text: cell for text, cell in CELLS.items() if not cell.word}
# In the hands no card is led.
HAND_CELLS = {text: cell for text, cell in CARD_CELLS.items() if not cell.underscore}


class Row(NamedTuple):
    """One row of cells, the columns being players 1, 2, 3; not always a trick.

    A Null that was shown as safe prints the cards left without any mark.
    """

    line: int
    cells: Cells

    @property
    def winner(self) -> int | None:
        """Return the column in capitals, or None."""
        return next((at for at, cell in enumerate(self.cells) if cell.capitals), None)

    @property
    def leader(self) -> int | None:
        """Return the column led: the one with an underscore, else the winner's."""
        led = next((at for at, cell in enumerate(self.cells) if cell.underscore), None)
        return self.winner if led is None else led

    @property
    def marked(self) -> bool:
        """Say whether a winner is shown."""
        return self.winner is not None


def cells_of(text: str, known: Mapping[str, Cell] = CELLS) -> Cells | None:
    """Return the three cells of a plain line, or None where it is no row of `known` ones."""
    first = known.get(text[2:14])
    second = known.get(text[14:26])
    third = known.get(text[26:38])
    if first is None or second is None or third is None or text[:2] != "  ":
        return None
    return None if text[38:].strip() else (first, second, third)


def rows_of(
    frame: Sequence[tuple[int, str]], begin: int, end: int, known: Mapping[str, Cell]
) -> list[Row]:
    """Return the rows of `known` cells among numbered lines, up to the first that is none."""
    rows: list[Row] = []
    get = known.get
    for line, text in frame[begin:end]:
        if "\b" in text:
            text = plain(text)
        first, second, third = get(text[2:14]), get(text[14:26]), get(text[26:38])
        if first is None or second is None or third is None or text[:2] != "  ":
            break
        if len(text) > _ROW_WIDTH and text[_ROW_WIDTH:].strip():
            break
        rows.append(Row(line, (first, second, third)))
    return rows


def first_bad_cell(text: str) -> tuple[int, int]:
    """Return begin and end of the first place that keeps a plain line from being a row."""
    if text[:MARGIN] != " " * MARGIN:
        return 0, MARGIN
    for begin in range(MARGIN, _ROW_WIDTH, WIDTH):
        cell = text[begin : begin + WIDTH].rstrip()
        if cell not in CELLS:
            return begin, begin + max(1, len(cell))
    return _ROW_WIDTH, len(text.rstrip())


def like_a_row(text: str) -> bool:
    """Say whether at least one cell of a plain line can be read."""
    return any(
        text[begin : begin + WIDTH].rstrip() in CELLS for begin in range(MARGIN, _ROW_WIDTH, WIDTH)
    )


# ---------------------------------------------------------------- names


@dataclass(frozen=True, slots=True)
class Name:
    """A player's name in its two printed words, each cut to nine bytes by the program.

    `printed` keeps the words with the underscores that may stand around them.
    """

    first: str
    second: str
    underlined: bool = False
    printed: tuple[str, str] = field(default=("", ""))

    @property
    def full(self) -> str:
        """Return the words joined, as the contract line writes them."""
        return _joined(self.first, self.second)

    def as_printed(self) -> Name:
        """Return the name read as one that really has underscores around its words."""
        return Name(*self.printed, False, self.printed)


Names = tuple[Name, Name, Name]


def _joined(first: str, second: str) -> str:
    return f"{first} {second}" if second else first


@lru_cache(maxsize=64)
def names_of(upper: str, lower: str) -> Names | None:
    """Return the names of two plain lines, or None where they are too wide for columns."""
    firsts, seconds = _columns(upper), _columns(lower)
    if firsts is None or seconds is None:
        return None
    pairs = zip(firsts, seconds, strict=True)
    one, two, three = (_name(first.strip(), second.strip()) for first, second in pairs)
    return one, two, three


def _name(first: str, second: str) -> Name:
    if _underlined(first) and _underlined(second):
        return Name(first[1:-1], second[1:-1], True, (first, second))
    return Name(first, second, False, (first, second))


def _underlined(word: str) -> bool:
    return len(word) > 1 and word[0] == word[-1] == "_"


def name_place(text: str, column: int) -> tuple[int, int]:
    """Return begin and end of a player's name on a plain line of names."""
    columns = _columns(text.ljust(_NAMES_WIDTH)) or [""] * PLAYERS
    before = sum(len(one) for one in columns[:column])
    begin = before + len(columns[column]) - len(columns[column].lstrip())
    return begin, before + max(len(columns[column].rstrip()), 1)


def _columns(text: str) -> list[str] | None:
    """Cut a name line into its columns, of bytes where the names are UTF-8."""
    bare = text.rstrip()
    if not text.isascii() and len(text) != _NAMES_WIDTH:
        data = _bytes(text)
        if len(data.rstrip()) <= _NAMES_WIDTH:
            cut = [data[at : at + WIDTH].decode("utf-8", "replace") for at in _BEGINS]
            return [column.replace("\x00", _UNKNOWN_CHARACTER) for column in cut]
    return None if len(bare) > _NAMES_WIDTH else [text[at : at + WIDTH] for at in _BEGINS]


def _bytes(text: str) -> bytes:
    """Return UTF-8 bytes; one that was none, half of a letter cut off, is one byte again."""
    return text.replace(_UNKNOWN_CHARACTER, "\x00").encode("utf-8", "surrogatepass")


def names_start(text: str) -> int:
    """Return where three centred names begin at the end of a longer plain line, else 0.

    A block that was cut inside a line has the next one's names on the same line.
    """
    if len(_bytes(text)) <= _NAMES_WIDTH or _are_names(text):
        return 0
    for start in range(max(1, len(text) - _NAMES_WIDTH), len(text)):
        tail = text[start:]
        if _NAMES_WIDTH in (len(tail), len(_bytes(tail))) and _are_names(tail):
            return start
    return 0


def _are_names(text: str) -> bool:
    return all(map(_centred, _columns(text) or ("",)))


def _centred(column: str) -> bool:
    left, right = (len(column) - len(bare) for bare in (column.lstrip(), column.rstrip()))
    return len(column.split()) == 1 and 0 < left <= right <= left + 1


def players_called(names: Names, text: str) -> tuple[int, ...]:
    """Return which players' names a line states as `text`; two may have the same name."""
    exact = tuple(at for at, name in enumerate(names) if name.full == text)
    if exact:
        return exact
    really = tuple(at for at, name in enumerate(names) if _joined(*name.printed) == text)
    if really or (text.isascii() and all(name.full.isascii() for name in names)):
        return really
    # Two lines of one name may have been decoded differently where it is cut in a letter.
    bare = _ascii(text)
    return tuple(at for at, name in enumerate(names) if _ascii(name.full) == bare)


def settled(names: Names, text: str) -> Names:
    """Return the names, one read with its underscores where a line states it with them."""
    if any(name.full == text for name in names):
        return names
    one, two, three = (
        name.as_printed() if _joined(*name.printed) == text else name for name in names
    )
    return one, two, three


def _ascii(text: str) -> str:
    return "".join(char for char in text if char.isascii())
