"""Cells of a score sheet to values, each text once: a season's lists repeat the same cells.

A reader takes a cell's text and returns its value, None where the cell is empty, or
`UNREAD`. Who sits where is a sheet's own, and is read in `players`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, NamedTuple

from skatspec.formats.score_sheet.words import Game, clean, fold, plain, words
from skatspec.sheet import TOTAL, Amount


class Unread:
    """The one value that stands for a cell which could not be read."""


UNREAD: Final = Unread()
# So many texts of one kind are remembered, none of them long; then all are forgotten.
_MOST_KEPT, _LONGEST_KEPT = 1 << 14, 60
_SIGN = r"(?P<sign>[+-]?) ?"
_WHOLE = r"(?P<whole>[0-9]{1,3}(?:[.,' ’][0-9]{3}){1,2}|[0-9]{1,9})"
_NUMBER = re.compile(_SIGN + _WHOLE)
_AMOUNT = re.compile(_SIGN + r"(?:" + _WHOLE + r"(?P<part>[.,](?:[05]|[05]0)| ?½)?|(?P<only>½))")
_MATADORS = re.compile(r"(?P<side>[a-z/]+|[+-])? ?(?P<count>[0-9]{1,2})")
_NO_DIGIT = re.compile(r"[^0-9]")
# Before a number, a spreadsheet's mark of text.
_MARKS = "'’‘"
# What begins a formula, in full width too; a guarded text begins with an apostrophe before it.
_BEGINS = "=+@＝＋＠－-"
_GUARDED = re.compile(rf"^'(?=['{_BEGINS}])")
_FORMULA = re.compile(rf"[{_BEGINS}]|'['{_BEGINS}]")


class Matadors(NamedTuple):
    """Matadors, "without" below zero; `signed` where the cell says with or without."""

    number: int
    signed: bool


class Memo(dict[str, Any]):
    """The values of cells by their texts; what is not there is read."""

    def __init__(self, read: Callable[[str], Any]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, text: str) -> Any:
        found = self._read(text)
        if len(text) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[text] = found
        return found


def _spelt(text: str) -> str:
    """Return a number's text without a leading mark of text."""
    return plain(text).lstrip(_MARKS).lstrip()


def whole(text: str) -> int | Unread | None:
    """Read a whole number; a hyphen alone is an empty cell."""
    spelt = _spelt(text)
    if spelt in ("", "-"):
        return None
    found = _NUMBER.fullmatch(spelt)
    if found is None:
        return UNREAD
    number = int(_NO_DIGIT.sub("", found["whole"]))
    return -number if found["sign"] == "-" else number


def ordinal(text: str) -> int | Unread | None:
    """Read a whole number that may end in a dot, `12.`."""
    return whole(text.strip().removesuffix("."))


def amount(text: str) -> Amount | Unread | None:
    """Read a number of ledger points; halves are allowed."""
    spelt = _spelt(text)
    if spelt in ("", "-"):
        return None
    found = _AMOUNT.fullmatch(spelt)
    if found is None:
        return UNREAD
    number: Amount = int(_NO_DIGIT.sub("", found["whole"] or "0"))
    if "5" in (found["part"] or "") or "½" in spelt:
        number += Fraction(1, 2)
    return -number if found["sign"] == "-" else number


def game(text: str) -> Game | Unread | None:
    """Read a contract, with Hand and Ouvert where they stand behind it."""
    key = fold(text)
    return words().games.get(key, UNREAD) if key else None


def matadors(text: str) -> Matadors | Unread | None:
    """Read matadors, `with 2`, `-1`, `2`; none at all is an empty cell."""
    spelt = plain(text).lstrip(_MARKS)
    if spelt in ("", "-", "0"):
        return None
    found = _MATADORS.fullmatch(spelt)
    if found is None or not int(found["count"]):
        return UNREAD
    count, side = int(found["count"]), found["side"]
    if side is None or side in "+-":
        return Matadors(-count if side == "-" else count, side is not None)
    with_them = words().sides.get(side)
    if with_them is None:
        return UNREAD
    return Matadors(count if with_them else -count, True)


def flag(text: str) -> bool | Unread:
    """Read yes or no; an empty cell is a no."""
    return words().flags.get(plain(text), UNREAD) if text.strip() else False


def kontra(text: str) -> int | Unread:
    """Read how often the game was doubled; an empty cell is 0."""
    return words().kontra.get(plain(text), UNREAD) if text.strip() else 0


def result(text: str) -> bool | Unread | None:
    """Read won or lost."""
    if not text.strip():
        return None
    spelt = plain(text)
    return words().results.get(spelt.removesuffix(".") or spelt, UNREAD)  # `gew.`


def unguarded(text: str) -> str:
    """Return a text without the apostrophe that keeps a spreadsheet from computing it."""
    return _GUARDED.sub("", clean(text))


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    text = clean(text)
    return "'" + text if _FORMULA.match(text) else text


_FLAGS = ("hand", "schneider", "schneider_announced", "schwarz", "schwarz_announced", "ouvert")
_WHOLES = ("bid", "points", "tricks")
GAME, MATADORS, AMOUNT, NUMBER = (
    Memo(game), Memo(matadors), Memo(amount), Memo(ordinal),
)  # fmt: skip
_FLAG, _WHOLE_NUMBER = Memo(flag), Memo(whole)
READERS: dict[str, Memo] = {
    "deal": NUMBER,
    "contract": GAME,
    "matadors": MATADORS,
    **dict.fromkeys((*_FLAGS, "bock"), _FLAG),
    **dict.fromkeys(_WHOLES, _WHOLE_NUMBER),
    "kontra": Memo(kontra),
    "result": Memo(result),
    **dict.fromkeys(("value", "plus", "minus"), AMOUNT),
}
# What an empty cell stands for, where it stands for something.
EMPTY: dict[str, Any] = {**dict.fromkeys((*_FLAGS, "bock"), False), "kontra": 0}
_A_WHOLE, _A_NUMBER = "a whole number", "a number"
_A_FLAG = "yes or no: `x`, `1`, `yes`, `ja`, or nothing"
_EXPECTED: dict[str, str] = {
    **dict.fromkeys(("deal", *_WHOLES), _A_WHOLE),
    **dict.fromkeys((*_FLAGS, "bock"), _A_FLAG),
    "contract": "a game: `diamonds`, `hearts`, `spades`, `clubs`, `grand`, `null`, `ramsch`",
    "matadors": "`with 2`, `without 1` or a number",
    "kontra": "`kontra`, `re`, 1, 2 or nothing",
    "result": "won or lost",
    "value": _A_NUMBER,
}


def expected(column: str) -> str:
    """Say in words what a cell of a column may hold."""
    return _A_NUMBER if column.startswith(TOTAL) else _EXPECTED[column]
