"""The words of `.skat`: one table for the reader and the writer, and the escapes of texts.

No rule of Skat lives here: the tables say how a record's values are spelled.
"""

from __future__ import annotations

import re

from skatspec.record import (
    BOCK_ROUND,
    GAME,
    NORMAL_ROUND,
    PASSED,
    PENALTY,
    RAMSCH,
    RAMSCH_ROUND,
    REVOLUTION,
    ROUND_TAG,
    SEAT_LETTERS,
    UNKNOWN,
    WORLD,
    Agree,
    Declare,
    EarlyPlay,
    Gift,
    Hold,
    Leave,
    OutOfTurn,
    Pass,
    Refuse,
    Resign,
    Revoke,
    Step,
    ThrowOpen,
    Timeout,
    WrongLead,
)

FORMAT = "skat"
HEADER = "%skat 1"
SECTIONS = ("deal", "auction", "contract", "play", "result")
SEATS = {letter: seat for seat, letter in enumerate(SEAT_LETTERS)}
SKAT, PACK = 3, 4
HANDS = {**SEATS, "skat": SKAT, "pack": PACK}
HAND_NAMES = tuple(HANDS)
NO_CARDS = "-"
NO_BID = NO_FIGURE = "?"
NOBODY = "nobody"

# Words of a call beside a bid; the first spelling of each kind is the canonical one.
CALLS: dict[str, type[Step]] = {
    "yes": Hold, "hold": Hold, "ja": Hold,
    "pass": Pass, "passe": Pass, "weg": Pass,
}  # fmt: skip

CONTRACTS = ("diamonds", "hearts", "spades", "clubs", "grand", "null", RAMSCH, REVOLUTION)
# The game that needs no declarer, and stands in the contract without a seat.
NOBODYS_GAME = Declare(WORLD, RAMSCH)
UNSEEN = "unseen"
# Old and German spellings: contract, and what else the word says.
OLD_CONTRACTS: dict[str, tuple[str, str]] = {
    "karo": ("diamonds", ""), "herz": ("hearts", ""), "pik": ("spades", ""),
    "kreuz": ("clubs", ""), "schellen": ("diamonds", ""), "rot": ("hearts", ""),
    "grün": ("spades", ""), "gruen": ("spades", ""), "eichel": ("clubs", ""),
    "nullouvert": ("null", "ouvert"),
}  # fmt: skip

# Irregular steps that are said with the seat alone.
DEEDS: dict[str, type[Step]] = {
    "resigns": Resign,
    "concedes": Resign,
    "agrees": Agree,
    "refuses": Refuse,
    "gives": Gift,
    "throws open": ThrowOpen,
    "revokes": Revoke,
    "leads wrongly": WrongLead,
    "plays out of turn": OutOfTurn,
    "plays early": EarlyPlay,
    "timed out": Timeout,
    "left": Leave,
    "holds": Hold,
    "passes": Pass,
}

KINDS = {"game": GAME, "passed in": PASSED, "unknown": UNKNOWN, "penalty": PENALTY}
COUNTS = ("points", "tricks")
FLAGS: dict[str, tuple[str, bool]] = {
    "overbid": ("overbid", True), "not overbid": ("overbid", False),
    "schneider": ("schneider", True), "no schneider": ("schneider", False),
    "schwarz": ("schwarz", True), "no schwarz": ("schwarz", False),
    "resigned": ("resigned", True), "not resigned": ("resigned", False),
}  # fmt: skip
EVENTS = {"left": "left", "timed out": "timed_out"}

# Tags whose value is one of a few; every other tag may hold anything.
TAG_VALUES = {
    "Dealer": ("F", "M", "R", "D"),
    "View": ("F", "M", "R", "public"),
    ROUND_TAG: (NORMAL_ROUND, BOCK_ROUND, RAMSCH_ROUND),
}
ALPHABET_TAG = "Cards"

_CONTROLS = (
    "\x00-\x1f\x7f-\x9f"  # control characters, line ends among them
    "\u2028\u2029\ufeff\ud800-\udfff"  # read as line ends, dropped, or not UTF-8 at all
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # turn the direction of what follows
)
_ESCAPED = re.compile(f'[{_CONTROLS}"\\\\]')
_NOT_PLAIN = re.compile(f"[{_CONTROLS}]")
_ESCAPE = re.compile(r'\\(?:(["\\nrt])|u\{([0-9A-Fa-f]{1,6})\})')
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_SHORT = {char: "\\" + letter for letter, char in _LETTERS.items()}
_BODY = r'[^"\\\n]*(?:\\(?:["\\nrt]|u\{[0-9A-Fa-f]{1,6}\})[^"\\\n]*)*'
QUOTED = f'"{_BODY}"'
_QUOTED_COMMENT = re.compile(f'#"({_BODY})"[ \t]*')


def quote(text: str) -> str:
    """Return a text in quotes, escaped so that it stays on one line of plain UTF-8."""
    if _ESCAPED.search(text):
        text = _ESCAPED.sub(lambda m: _SHORT.get(m[0]) or f"\\u{{{ord(m[0]):x}}}", text)
    return f'"{text}"'


def unescape(text: str) -> str | None:
    """Return what stands between two quotes, or None where an escape names no character."""
    if "\\" not in text:
        return text
    try:
        return _ESCAPE.sub(lambda m: _LETTERS[m[1]] if m[1] else chr(int(m[2], 16)), text)
    except (ValueError, OverflowError):
        return None


def comment_texts(raw: str) -> tuple[str, ...]:
    """Return the comments of `#...` at the end of a line: one, or several quoted ones."""
    if raw.startswith('#"'):
        texts: list[str] = []
        position = 0
        while match := _QUOTED_COMMENT.match(raw, position):
            text = unescape(match[1])
            if text is None:
                break
            texts.append(text)
            position = match.end()
        if position == len(raw):
            return tuple(texts)
    return (raw[2 if raw.startswith("# ") else 1 :].rstrip(),)


def comment(text: str, plain: bool = True) -> str:
    """Return a comment as written: plain where that reads back the same, else quoted."""
    if plain and text == text.rstrip() and not _NOT_PLAIN.search(text.replace("\t", "")):
        return f"# {text}" if text else "#"
    return "#" + quote(text)
