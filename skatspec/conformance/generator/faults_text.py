"""Single faults in the text of a record: cut off, a character too many, too few or another."""

from __future__ import annotations

from skatspec.conformance.generator.faults_deal import among
from skatspec.conformance.generator.plan import Chance

# What a broken line or a bad disk may leave: signs of the format, control characters, letters.
# Not NUL: a file that begins with one is binary data, and refused as a whole.
_JUNK = '\x07\x1b\x7f \t()[];.|?-:0123456789wypsABCDGHJKMNOQRSTVZlorztvm"\\#%é€'
_HEAD = 20
_TRIES = 10


def cut(chance: Chance, text: str) -> str:
    """Cut a record off, its line's end left."""
    return text[: _HEAD + among(chance, len(text) - _HEAD - 2)] + "\n"


def junk_for_a_byte(chance: Chance, text: str) -> str:
    """Put another character in the place of one."""
    at = among(chance, len(text) - 1)
    others = [char for char in _JUNK if char != text[at]]
    return text[:at] + others[among(chance, len(others))] + text[at + 1 :]


def junk_put_in(chance: Chance, text: str) -> str:
    """Put a character in."""
    at = among(chance, len(text) - 1)
    return text[:at] + _JUNK[among(chance, len(_JUNK))] + text[at:]


def byte_missing(chance: Chance, text: str) -> str:
    """Leave out a character."""
    at = among(chance, len(text) - 1)
    return text[:at] + text[at + 1 :]


def bytes_swapped(chance: Chance, text: str) -> str:
    """Exchange two different characters that stand side by side."""
    for _ in range(_TRIES):
        at = among(chance, len(text) - 2)
        if text[at] != text[at + 1]:
            return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return ""
