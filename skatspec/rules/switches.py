"""Switches: the words a program is started with, as a profile's `switches` section reads them.

A switch sets keys, or turns a number's bits into a list of words, or changes no rule and says
how many words follow it. What the keys mean is not known here.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from skatspec.errors import ProfileError

# A name or file, a blank, and the first word that begins with a minus sign.
_WITH_SWITCHES = re.compile(r"\s*(\S.*?)\s+(-\S.*?)\s*", re.DOTALL)
_MOST_DIGITS = 9
_NUMBER = "number"


def split(text: str) -> tuple[str, str]:
    """Return the name of a profile and the switches behind it, "" where there are none."""
    match = _WITH_SWITCHES.fullmatch(text)
    return (match[1], match[2]) if match else (text, "")


def settings(
    text: str, switches: Mapping[str, Any], owner: str, source: str, line: int = 0
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each switch of a text that changes rules, with the keys it sets, in order.

    `switches` is the section of the profile `owner`; `source` and `line` are where the text
    stands. Raises ProfileError F008 for a switch that is not there, and for a word that is
    missing behind one or is not the number it takes.
    """
    try:
        words = iter(shlex.split(text))
    except ValueError as error:
        raise ProfileError("F008", f"cannot be split into words: {error}", source, line) from None
    for word in words:
        if word not in switches:
            raise ProfileError("F008", _unknown(word, switches, owner), source, line)
        entry = switches[word]
        if not isinstance(entry, Mapping):
            for there in range(int(entry)):
                if next(words, None) is None:
                    text = f"{word} takes {entry} more, and there is {there or 'none'}"
                    raise ProfileError("F008", text, source, line)
        elif _NUMBER in entry:
            yield word, _from_number(word, next(words, ""), entry[_NUMBER], source, line)
        else:
            yield word, dict(entry)


def is_number(text: str) -> bool:
    """Say whether a word is a whole number of a sensible size."""
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def examples(name: str, switches: Mapping[str, Any]) -> Iterator[str]:
    """Yield texts that between them set every key a switch can set."""
    entry = switches[name]
    if isinstance(entry, Mapping) and _NUMBER in entry:
        yield f"{name} 0"
        yield f"{name} {_most(entry[_NUMBER])}"
    elif isinstance(entry, Mapping):
        yield name


def _from_number(
    word: str, text: str, spec: Mapping[str, Any], source: str, line: int
) -> dict[str, Any]:
    """Return the key of a number's switch set to the words of the bits in it."""
    most = _most(spec)
    if not is_number(text) or int(text) > most:
        read = f"not {text!r}" if text else "and none follows"
        raise ProfileError("F008", f"{word} takes a number from 0 to {most}, {read}", source, line)
    value: Any = [name for bit, name in spec["bits"].items() if int(text) & int(bit)]
    for step in reversed(str(spec["key"]).split(".")):
        value = {step: value}
    return dict(value)


def _most(spec: Mapping[str, Any]) -> int:
    return sum(int(bit) for bit in spec["bits"])


def _unknown(word: str, switches: Mapping[str, Any], owner: str) -> str:
    if not switches:
        return f"{owner} has no switches, so {word!r} is none of them"
    telling = [name for name, entry in switches.items() if isinstance(entry, Mapping)]
    others = len(switches) - len(telling)
    more = f", and {others} that change no rule" if others else ""
    return f"{owner} has no switch {word!r}; there are: {', '.join(telling)}{more}"
