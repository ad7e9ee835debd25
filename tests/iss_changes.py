"""Changed ISS lines: what a fuzz makes of sound records, and views made of open ones."""

from __future__ import annotations

import random
import re

from skatspec.cards import DECK, NAMES

_BYTES = b"0123456789 .:-ypswCSHDGNOZJQKAT[]();dvmtzlor?|\r\n\t\x00\xe9"
_WORDS = (
    b"SC", b"RE", b"y", b"p", b"s", b"w", b"0", b"1", b"2", b"18", b"20", b"500", b"H", b"NO",
    b"GHZ", b"N", b"CHS", b"G.D7.D8", b"D7.D8", b"TI.0", b"LE.2", b"CJ", b"??", b"passed", b"win",
    b"loss", b"penalty", b"overbid", b"bidok",
)  # fmt: skip
_CARD = re.compile(rb"(?<=[ .])[CSHD][789TJQKA](?=[ .\]])")
_PLAYER = re.compile(rb"(?<= )[012w](?= )")
_INTRUDERS = (b"\x00", b"\r", b"\n", b"\xc3\xa9", b"  ", b"\t")
_IDS = (b"0 CJ 1 C7", b"(;", b"MV[", b";)", b"999999999999999999999")
_NAMES = (b"(;x", b"w p", b"R[passed", b"a;b", b"@c", b"xskat:2")


def changed(chance: random.Random, line: bytes) -> bytes:
    """Return a record with one to three small changes, most of them faults."""
    text = line
    for _ in range(chance.choice((1, 1, 1, 1, 2, 3))):
        if len(text) > 10:
            text = chance.choice(_CHANGES)(chance, text)
    return text


def _byte(chance: random.Random, text: bytes) -> bytes:
    at = chance.randrange(len(text))
    return text[:at] + bytes([chance.choice(_BYTES)]) + text[at + 1 :]


def _figure(chance: random.Random, text: bytes) -> bytes:
    result = max(text.rfind(b"R["), 0)
    digits = [at for at in range(result, len(text)) if text[at : at + 1].isdigit()]
    if not digits:
        return text
    at = chance.choice(digits)
    digit = chance.choice((b"01", b"0123456789", b"0123456789-"))
    return text[:at] + bytes([chance.choice(digit)]) + text[at + 1 :]


def _words(chance: random.Random, text: bytes) -> bytes:
    words = text.split(b" ")
    one, other = chance.randrange(len(words)), chance.randrange(len(words))
    kind = chance.randrange(5)
    if kind == 0:
        words[one], words[other] = words[other], words[one]
    elif kind == 1:
        del words[one & ~1 : (one & ~1) + 2]
    elif kind == 2:
        words[one:one] = words[one : one + 2]
    elif kind == 3:
        words.insert(one, chance.choice(_WORDS))
    else:
        words[one] = chance.choice(_WORDS)
    return b" ".join(words)


def _moves(chance: random.Random, text: bytes) -> bytes:
    begin, end = text.find(b"MV[") + 3, text.rfind(b"R[")
    words = text[begin:end].split(b" ")
    if begin < 3 or len(words) < 6:
        return text
    one, other = (chance.randrange(len(words) - 3) & ~1 for _ in range(2))
    if chance.random() < 0.5:
        words[one : one + 2], words[other : other + 2] = (
            words[other : other + 2], words[one : one + 2],
        )  # fmt: skip
    else:
        words[one:one] = [chance.choice((b"0", b"1", b"2", b"w")), chance.choice(_WORDS)]
    return text[:begin] + b" ".join(words) + text[end:]


def _card(chance: random.Random, text: bytes) -> bytes:
    places = [found.start() for found in _CARD.finditer(text)]
    if not places:
        return text
    at = chance.choice(places)
    return text[:at] + chance.choice(NAMES[:DECK]).encode() + text[at + 2 :]


def _player(chance: random.Random, text: bytes) -> bytes:
    places = [found.start() for found in _PLAYER.finditer(text)]
    if not places:
        return text
    at = chance.choice(places)
    return text[:at] + chance.choice((b"0", b"1", b"2", b"w")) + text[at + 1 :]


def _whole(chance: random.Random, text: bytes) -> bytes:
    at, kind = chance.randrange(len(text)), chance.randrange(5)
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text + text
    if kind == 2:
        return text[:at] + chance.choice(_INTRUDERS) + text[at:]
    if kind == 3:
        return text.replace(b"ID[", b"ID[" + chance.choice(_IDS), 1)
    return text.replace(b"P0[", b"P0[" + chance.choice(_NAMES), 1)


_CHANGES = (_byte, _figure, _figure, _words, _words, _words, _moves, _card, _player, _whole)


# ---------------------------------------------------------------- views

_PAIR = re.compile(rb"[CSHD]\w\.[CSHD]\w")
_DECLARED = re.compile(rb"[CSHDGN][HOSZ]*\.[CSHD]\w\.[CSHD]\w")


def as_view(chance: random.Random, line: bytes) -> bytes:
    """Return a record as a player or the public sees it, at times with more or less shown."""
    begin, end = line.find(b"MV[") + 3, line.rfind(b"]R[")
    words = line[begin:end].split(b" ")
    if begin < 3 or end < 0 or len(words[1]) != 3 * DECK - 1:
        return line
    owner, stray = str(chance.randrange(4)).encode(), chance.choice((0, 0, 0, 0.3))
    cards = words[1].split(b".")
    parts = (cards[:10], cards[10:20], cards[20:30], cards[30:])
    words[1] = b"|".join(
        b".".join(one if owner == b"%d" % at or chance.random() < stray else b"??" for one in part)
        for at, part in enumerate(parts)
    )
    taker = b""
    for at in range(2, len(words) - 1, 2):
        player, action = words[at : at + 2]
        if action == b"s":
            taker = player
        elif player == b"w" and _PAIR.fullmatch(action):
            words[at + 1] = action if owner == taker else b"??.??"
        elif player == taker != owner and _DECLARED.fullmatch(action):
            head, one, other = action.split(b".")
            away = (card if chance.random() < stray else b"??" for card in (one, other))
            words[at + 1] = b".".join((head, *away))
        elif player == taker != owner and _PAIR.fullmatch(action):
            words[at + 1] = chance.choice((b"??.??", action[:2] + b".??.??"))
    return line[:begin] + b" ".join(words) + line[end:]
