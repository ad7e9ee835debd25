"""Broken and half-plausible ISS lines for benchmarks/fuzz_kernel: seeds, and what is done to them.

Every change is drawn from a `random.Random`, so that a seed makes the same lines.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from benchmarks.fuzz_endings import drawn, with_result
from skatspec.cards import DECK, NAMES
from skatspec.conformance.generator import generate
from skatspec.formats import iss
from skatspec.rules import Rules
from tests.gamegen import seeded
from tests.iss_changes import as_view, changed
from tests.judge import PROFILES

Change = Callable[[random.Random, bytes], bytes]
_CARDS = [name.encode() for name in NAMES[:DECK]]
_JUNK = (
    b"\x00", b"\r", b"\n", b"\t", b"\x7f", b"\x1a", b"\xff", b"\xef\xbb\xbf", b"\xc3\xa9", b"\\",
    b"\\]", b"[", b"]", b"(", b")", b";", b" ", b"  ", b"(;", b";)", b"MV[", b"R[", b"]R[", b"??",
    b"|", b".", b"-", b"+", b"0", b"00", b"w ", b" 0 RE ", b"R[passed]", b"#", b"\\\\", b":",
)  # fmt: skip
_NAMES = (
    b"0 CJ 1 C7 2 C8", b"w CJ", b"MV[w", b"R[d:0 win", b"(;GM[Skat", b";)", b"a;b", b"@x (y)",
    b"", b" ", b"x" * 300, b"\\", b"a\\]b", b"9" * 40, b"-1", b"18446744073709551616", b"0007",
    b"P1[", b"null", b"\xe9", b"\x7f", b"2020-13-45/99:99:99/UTC", b"3", b"Skat", b"ISS2",
)  # fmt: skip
_MOVES = (
    b"SC", b"RE", b"y", b"p", b"s", b"w", b"18", b"20", b"23", b"24", b"59", b"264", b"171",
    b"189", b"190", b"192", b"018", b"0", b"1000", b"N", b"NO", b"NH", b"NHO", b"G", b"GH",
    b"GHS", b"GHSZ", b"GHZ", b"GHO", b"GHSZO", b"CH", b"C", b"D", b"DHSZ", b"SHS", b"HO", b"TI.0",
    b"TI.1", b"LE.2", b"LE.0", b"??.??", b"C7.C8", b"CJ.CJ", b"SC.CJ", b"G.C7", b"GHO.C7.C8",
)  # fmt: skip
_BIDS = (
    b"18", b"20", b"22", b"23", b"24", b"27", b"30", b"33", b"35", b"36", b"40", b"44", b"45",
    b"46", b"48", b"50", b"54", b"55", b"59", b"60", b"63", b"66", b"70", b"72", b"120", b"264",
)  # fmt: skip
_ENDS = (
    b"0 RE", b"1 RE", b"2 RE", b"w TI.0", b"w TI.1", b"w TI.2", b"w LE.0", b"w LE.1", b"w LE.2",
    b"0 SC", b"1 SC", b"2 SC", b"0 RE 1 RE 2 RE", b"1 RE 2 RE", b"2 RE 0 RE", b"0 RE 1 RE",
)  # fmt: skip
_ANY_CARD = re.compile(rb"(?<![A-Z0-9])[CSHD][789TJQKA](?![A-Za-z0-9])")
_NUMBER = re.compile(rb"-?\d+")
_PROPERTY = re.compile(rb"[A-Z][A-Z0-9]\[[^]]*\]|R\[[^]]*\]")
_DECLARED = re.compile(rb" ([012]) ([CSHDGN][HOSZ]*)\.([CSHD]\w\.[CSHD]\w) ")
_HAND_GAME = re.compile(rb" ([012]) ([CSHDGN][HOSZ]*) ")


def seeds(rules: Rules, games: int, seed: int) -> list[bytes]:
    """Return lines as servers write them, sound and with one fault, some of them views."""
    lines = [one.text for one in generate.games(rules, games, seed)]
    lines += [one.text for one in generate.games(rules, games // 2, seed + 1, mutate=1.0)]
    if rules.name in PROFILES:
        lines += [iss.write(one.record)[0] for one in seeded(rules.name, games // 2, seed)]
    return [line.rstrip("\n").encode() for line in lines if line]


def fuzzed(chance: random.Random, pool: list[bytes], rules: Rules) -> bytes:
    """Return a line of the pool with some changes, or one of a deal that stops somewhere."""
    if chance.random() < _STOPPED:
        return with_result(chance, drawn(chance), rules)
    line = chance.choice(pool)
    if chance.random() < _VIEWS:
        line = as_view(chance, line)
    if chance.random() < _SILENT:
        line = _no_result(chance, line)  # what can be replayed is then taken
    for _ in range(chance.choice((1, 1, 1, 1, 2, 3))):
        if len(line) > 1:
            line = chance.choice(_CHANGES)(chance, line)
    return line


def _moves(line: bytes) -> tuple[bytes, list[bytes], bytes]:
    """Return what stands before the moves, their words, and the rest."""
    begin = line.find(b"MV[") + 3
    end = line.find(b"]", begin)
    if begin < 3 or end < 0:
        return line, [], b""
    return line[:begin], line[begin:end].split(), line[end:]


def _with(before: bytes, words: list[bytes], behind: bytes) -> bytes:
    return before + b" ".join(words) + b" " + behind


def _result(line: bytes) -> tuple[bytes, list[bytes], bytes]:
    """Return what stands before the result's words, the words, and the rest."""
    begin = line.rfind(b"]R[") + 3
    end = line.find(b"]", begin)
    if begin < 3 or end < 0:
        return line, [], b""
    return line[:begin], line[begin:end].split(b" "), line[end:]


def _flip(chance: random.Random, line: bytes) -> bytes:
    at = chance.randrange(len(line))
    return line[:at] + bytes([line[at] ^ 1 << chance.randrange(8)]) + line[at + 1 :]


def _junk(chance: random.Random, line: bytes) -> bytes:
    at = chance.choice((0, len(line), *(chance.randrange(len(line)) for _ in range(8))))
    return line[:at] + chance.choice(_JUNK) + line[at:]


def _drop(chance: random.Random, line: bytes) -> bytes:
    at, size = chance.randrange(len(line)), chance.choice((1, 1, 1, 2, 3, 5, 15))
    return line[:at] + line[at + size :]


def _double(chance: random.Random, line: bytes) -> bytes:
    at, size = chance.randrange(len(line)), chance.choice((1, 2, 3, 5, 15, 30))
    return line[:at] + line[at : at + size] * 2 + line[at + size :]


def _cut_or_join(chance: random.Random, line: bytes) -> bytes:
    at = chance.randrange(len(line))
    kind = chance.randrange(4)
    if kind == 0:
        return line[:at]
    if kind == 1:
        return b"(;" + line[at:]
    between = chance.choice((b"", b" ", b"\r", b"\n", b"\x00"))
    return line + between + line[(at if kind == 3 else 0) :]


def _figure(chance: random.Random, line: bytes) -> bytes:
    """Change a number of the result, or only how it is written."""
    before, words, behind = _result(line)
    places = [at for at, word in enumerate(words) if _NUMBER.search(word)]
    if not places:
        return line
    at = chance.choice(places)
    found = _NUMBER.search(words[at], words[at].find(b":") + 1)
    if found is None:
        return line
    number = int(found.group()[:9])
    new: bytes | int = chance.choice((
        number + 1, number - 1, -number, number * 2, number + 10, 0, 120, -1, 121, 11,
        b"0" + found.group(), b"-" + found.group(), b"+" + found.group(), b"", b"-", b"-0", b"00",
        b"9" * chance.randrange(1, 25), found.group() + b".0", found.group() + b"x",
    ))  # fmt: skip
    text = new if isinstance(new, bytes) else b"%d" % new
    words[at] = words[at][: found.start()] + text + words[at][found.end() :]
    return before + b" ".join(words) + behind


def _fields(chance: random.Random, line: bytes) -> bytes:
    """Drop, exchange, repeat or replace words of the result."""
    before, words, behind = _result(line)
    if not words:
        return line
    one, other = chance.randrange(len(words)), chance.randrange(len(words))
    kind = chance.randrange(7)
    if kind == 0:
        del words[one]
    elif kind == 1:
        words[one], words[other] = words[other], words[one]
    elif kind == 2:
        words.insert(one, words[other])
    elif kind == 3:
        words = [word for word in words if chance.random() < 0.7]
    elif kind == 4:
        swap = {b"win": b"loss", b"loss": b"win", b"bidok": b"overbid", b"overbid": b"bidok"}
        words = [swap.get(word, word) for word in words]
    elif kind == 5:
        words[one] = chance.choice((b"win", b"loss", b"penalty", b"bidok", b"overbid", b"passed"))
    else:
        words = [chance.choice((b"", b"passed", b"unknown", b"penalty", b"passed ", b" unknown"))]
    return before + b" ".join(words) + behind


def _winner(chance: random.Random, line: bytes) -> bytes:
    """Turn the result into that of the other outcome, plausibly."""
    score = re.search(rb"(win|loss) v:(-?\d{1,6})", line)
    if score is None:
        return line
    number = int(score.group(2))
    new = b"win v:%d" % (-number // 2) if number < 0 else b"loss v:%d" % (-2 * number)
    return line[: score.start()] + new + line[score.end() :]


def _no_result(chance: random.Random, line: bytes) -> bytes:
    return re.sub(rb"R\[[^]]*\]", chance.choice((b"", b"", b"R[]", b"R[unknown]")), line)


def _exchanged(chance: random.Random, line: bytes) -> bytes:
    """Exchange two cards wherever they stand, most often of one suit."""
    one, other = chance.sample(_CARDS, 2)
    if chance.random() < 0.8:
        other = chance.choice([card for card in _CARDS if card[:1] == one[:1] and card != one])
    names = {one: other, other: one}
    before, words, behind = _moves(line)
    text = b" ".join(words)
    text = _ANY_CARD.sub(lambda found: names.get(found.group(), found.group()), text)
    return before + text + b" " * bool(words) + behind


def _one_card(chance: random.Random, line: bytes) -> bytes:
    """Put another card in one place, or exchange the cards of two places."""
    places = [found.start() for found in _ANY_CARD.finditer(line)]
    if len(places) < 2:
        return line
    one, other = sorted(chance.sample(places, 2))
    if chance.random() < 0.4:
        return line[:one] + chance.choice(_CARDS) + line[one + 2 :]
    first, second = line[one : one + 2], line[other : other + 2]
    return line[:one] + second + line[one + 2 : other] + first + line[other + 2 :]


def _seats(chance: random.Random, line: bytes) -> bytes:
    """Change one player, or turn all of them round the table."""
    before, words, behind = _moves(line)
    places = [at for at, word in enumerate(words) if word in (b"0", b"1", b"2")]
    if not places:
        return line
    turn = chance.choice((1, 2))
    for at in places if chance.random() < 0.3 else [chance.choice(places)]:
        words[at] = b"%d" % ((int(words[at]) + turn) % 3)
    return _with(before, words, behind)


def _ended(chance: random.Random, line: bytes) -> bytes:
    """Stop the moves early, often by an ending, and keep or drop the result."""
    before, words, behind = _moves(line)
    if len(words) < 4:
        return line
    at = chance.randrange(1, len(words) // 2 + 1) * 2
    tail = chance.choice(_ENDS).split() if chance.random() < 0.85 else []
    kept = words[at:] if chance.random() < 0.15 else []
    line = _with(before, words[:at] + tail + kept, behind)
    return _no_result(chance, line) if chance.random() < 0.6 else line


def _inserted(chance: random.Random, line: bytes) -> bytes:
    """Insert, replace, repeat or move a move."""
    before, words, behind = _moves(line)
    if len(words) < 6:
        return line
    at, other = (2 * chance.randrange(1, len(words) // 2) for _ in range(2))
    kind = chance.randrange(5)
    if kind == 0:
        words[at:at] = [chance.choice((b"0", b"1", b"2", b"w")), chance.choice(_MOVES)]
    elif kind == 1:
        words[at + 1] = chance.choice(_MOVES)
    elif kind == 2:
        words[at:at] = words[other : other + 2]
    elif kind == 3:
        moved = words[at : at + 2]
        del words[at : at + 2]
        words[other:other] = moved
    else:
        del words[at : at + 2 * chance.choice((1, 1, 2, 3))]
    return _with(before, words, behind)


def _auction(chance: random.Random, line: bytes) -> bytes:
    """Change a bid, at times with what the result says of it."""
    before, words, behind = _moves(line)
    places = [at for at in range(3, min(len(words), 40), 2) if words[at].isdigit()]
    if not places:
        return line
    # the last bid, or another
    words[chance.choice((places[-1], chance.choice(places)))] = chance.choice(_BIDS)
    line = _with(before, words, behind)
    if chance.random() < 0.5:
        return line
    return chance.choice((_figure, _fields, _winner, _no_result))(chance, line)


def _declaration(chance: random.Random, line: bytes) -> bytes:
    """Split what was declared and put away, show cards with it, or declare something else."""
    found = _DECLARED.search(line)
    if found is None:
        found = _HAND_GAME.search(line)
        if found is None:
            return line
        other = chance.choice((b"N", b"NO", b"NH", b"NHO", b"G", b"GH", b"GHO", b"GHSZO", b"CHS",
                               b"DHZ", b"SHSZ", b"HH", b"CHSZO", b"C", b"NOH", b"GZH"))  # fmt: skip
        return line[: found.start(2)] + other + line[found.end(2) :]
    seat, game, away = found.groups()
    first, second = away.split(b".")
    new = chance.choice((
        b"%b %b %b %b" % (seat, away, seat, game), b"%b %b %b %b" % (seat, game, seat, away),
        b"%b %b.%b.%b" % (seat, game, second, first), b"%b %bO.%b" % (seat, game[:1], away),
        b"%b N.%b" % (seat, away), b"%b G.%b" % (seat, away), b"%b NO.%b" % (seat, away),
        b"%b %b %b SC.%b" % (seat, game, seat, away), b"%b %b" % (seat, game),
        b"%b %b.%b %b %b" % (seat, game, away, seat, away), b"%b %b" % (seat, away),
        b"%b %b %b RE" % (seat, away, seat), b"%b %b.%b %b SC" % (seat, game, away, seat),
    ))  # fmt: skip
    return line[: found.start() + 1] + new + line[found.end() - 1 :]


def _properties(chance: random.Random, line: bytes) -> bytes:
    """Reorder, repeat, drop or rename properties, or put another value in one."""
    found = _PROPERTY.findall(line)
    if len(found) < 3:
        return line
    one, other = chance.randrange(len(found)), chance.randrange(len(found))
    kind = chance.randrange(6)
    if kind == 0:
        found[one], found[other] = found[other], found[one]
    elif kind == 1:
        found.insert(one, found[other])
    elif kind == 2:
        del found[one]
    elif kind == 3:
        key = chance.choice((b"XX", b"gm", b"OW", b"MV", b"R", b"P3", b"CO", b"ID", b"Mv", b"RR"))
        found[one] = key + found[one][found[one].find(b"[") :]
    else:
        at = found[one].find(b"[")
        if found[one][:at] not in (b"MV", b"R") or chance.random() < 0.1:
            found[one] = found[one][: at + 1] + chance.choice(_NAMES) + b"]"
    apart = chance.choice((b"", b"", b"", b" ", b"\t", b"  "))
    return b"(;" + apart.join(found) + chance.choice((b" ;)", b" ;)", b";)", b"  ;)", b" )", b""))


def _shown(chance: random.Random, line: bytes) -> bytes:
    """Hide a card, or show one, anywhere."""
    places = [found.start() for found in _ANY_CARD.finditer(line)]
    hidden = [found.start() for found in re.finditer(rb"\?\?", line)]
    if hidden and chance.random() < 0.6:
        at = chance.choice(hidden)
        return line[:at] + chance.choice(_CARDS) + line[at + 2 :]
    if not places:
        return line
    at = chance.choice(places)
    return line[:at] + b"??" + line[at + 2 :]


_CHANGES: tuple[Change, ...] = (
    changed, changed, changed, _flip, _junk, _junk, _drop, _double, _cut_or_join, _figure, _figure,
    _fields, _fields, _winner, _no_result, _exchanged, _exchanged, _one_card, _one_card, _seats,
    _ended, _ended, _ended, _inserted, _inserted, _auction, _auction, _declaration, _declaration,
    _properties, _properties, _shown,
)  # fmt: skip
_VIEWS, _SILENT, _STOPPED = 0.1, 0.3, 0.15


def blocks(
    chance: random.Random, pool: list[bytes], rules: Rules, lines: int, size: int
) -> Iterator[bytes]:
    """Yield so many fuzzed lines in blocks of `size`, each block with line ends of one kind."""
    for at in range(0, lines, size):
        end = chance.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r"))
        yield end.join(fuzzed(chance, pool, rules) for _ in range(min(size, lines - at))) + end
