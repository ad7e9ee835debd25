"""Where names stand in XSkat's logs: above a block in three columns, and in its contract line.

A pseudonym is written as the program writes a name: centred in its column, underlined where
the name was. Logs hold no free text; lines that are none of a block's are looked through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from skatspec.formats.xskat import words
from skatspec.formats.xskat.frames import DASHES, END, MOST_LINES, SEED_WORD
from skatspec.formats.xskat.rows import (
    PLAYERS,
    WIDTH,
    cells_of,
    like_a_row,
    names_start,
    plain,
    raw_columns,
)
from skatspec.session.anonymise.places import (
    MARK,
    PLAIN,
    Names,
    Part,
    Spelling,
    Text,
    Unit,
    body,
    decoded,
    name_of,
)

# A name is spelt here in its two words, parted by a line end. Where lines of names are not as
# the program writes them, they stand whole behind a NUL.
_AS_IT_IS = b"\0"
COLUMNS = Spelling("columns", lambda name: name.replace(" ", "\n", 1))
_NAMES_WIDTH = PLAYERS * WIDTH

Cells = tuple[bytes, bytes]  # of one player in the upper and in the lower line


@dataclass(frozen=True, slots=True)
class _Player:
    """A player's two words, as printed too, and what underlines them, empty for nothing."""

    words: Cells
    printed: Cells
    mark: bytes = b""

    @property
    def full(self) -> bytes:
        """Return the words as the contract line joins them."""
        return _joined(self.words)

    @property
    def name(self) -> str:
        """Return the name as it is read."""
        return " ".join([name_of(word) for word in self.words if word])

    def as_printed(self) -> _Player:
        """Return the player as one whose name has underscores itself."""
        return _Player(self.printed, self.printed)

    @property
    def spelt(self) -> bytes:
        """Return the name as it is spelt in its two lines."""
        return b"\n".join(self.words) if self.words[1] else self.words[0]


@dataclass(frozen=True, slots=True)
class _Head:
    """Two lines of names: the players, what parts the lines, which are trimmed, and the bytes."""

    players: tuple[_Player, ...]
    between: bytes
    trimmed: tuple[bool, bool]
    data: bytes

    @property
    def regular(self) -> bool:
        """Say whether the lines are as the program writes them, perhaps trimmed by an editor."""
        return self._printed([one.spelt for one in self.players]) == self.data

    def parts(self) -> tuple[Part, ...]:
        """Return the names as they are spelt."""
        whole = None if self.regular else _AS_IT_IS + self.data
        return tuple([Part(whole or one.spelt, one.name) for one in self.players])

    def build(self, spelt: list[bytes]) -> bytes:
        """Return the lines with other names, or the lines as they were."""
        whole = [one for one in spelt if one.startswith(_AS_IT_IS)]
        if whole and (self.regular or len(whole) == len(spelt)):
            return whole[0].removeprefix(_AS_IT_IS)
        return self._printed(
            [
                player.spelt if one.startswith(_AS_IT_IS) else one
                for one, player in zip(spelt, self.players, strict=True)
            ]
        )

    def _printed(self, spelt: list[bytes]) -> bytes:
        cells = [_rendered(n, one.mark) for n, one in zip(spelt, self.players, strict=True)]
        upper, lower = (b"".join(line) for line in zip(*cells, strict=True))
        upper = upper.rstrip(b" ") if self.trimmed[0] else upper
        return upper + self.between + (lower.rstrip(b" ") if self.trimmed[1] else lower)


def units(lines: Iterable[bytes]) -> Iterator[Unit]:
    """Cut lines behind each block; where a block does not end, before it is too long for one."""
    held: list[bytes] = []
    reader = _Reader()
    for line in lines:
        held.append(line)
        if line.startswith(b"=") and line.rstrip() == END.encode():
            yield reader.unit(held)
            held = []
        elif len(held) > MOST_LINES:
            # the last two lines may be names
            yield reader.unit(held[:-2])
            held = held[-2:]
    if held:
        yield reader.unit(held)


class _Reader:
    """Marks the places of blocks; the names last met hold until others come."""

    def __init__(self) -> None:
        self._players: tuple[_Player, ...] = ()

    def unit(self, lines: Sequence[bytes]) -> Unit:
        """Return some lines with their places."""
        places: list[Names | Text] = []
        start = end = 0
        for at, line in enumerate(lines):
            if start >= end:
                head = self._head(lines, at, start)
                if head is not None:
                    places.append(head)
                    end = head.end
                else:
                    places += self._line(lines, at, start)
            start += len(line)
        return Unit(b"".join(lines), tuple(places))

    def _head(self, lines: Sequence[bytes], at: int, start: int) -> Names | None:
        """Return the place of three names, where the dashes below them stand two lines further."""
        if not _dashes_below(lines, at):
            return None
        upper, lower = body(lines[at]), body(lines[at + 1])
        lead = len(MARK) if upper.startswith(MARK) else 0
        lead += _lead(upper[lead:])
        firsts, seconds = _bounds(upper[lead:]), _bounds(lower)
        if firsts is None or seconds is None:
            return None
        players = tuple(map(_player, _cells(upper[lead:], firsts), _cells(lower, seconds)))
        self._players = players = _settled(players, _contract_below(lines, at + 2))
        head = _Head(
            players,
            lines[at][lead + firsts[-1] :],
            (_is_trimmed(upper[lead:]), _is_trimmed(lower)),
            lines[at][lead:] + lower[: seconds[-1]],
        )
        end = start + len(lines[at]) + seconds[-1]
        return Names(start + lead, end, head.parts(), COLUMNS, head.build)

    def _line(self, lines: Sequence[bytes], at: int, start: int) -> Iterator[Names | Text]:
        """Yield the name of a contract line, or a line that no block has as a text."""
        bare = body(lines[at])
        if not bare.strip():
            return
        contract = _contract(bare)
        if contract is not None:
            name = self._called(contract, any(map(_is_result, lines[at + 1 :])))
            if name is not None:
                part = Part(bare[: len(contract[0])], name)
                yield Names(start, start + len(part.spelt), (part,), PLAIN)
        elif not _of_a_block(plain(decoded(bare)[0])):
            yield Text(start, start + len(bare), PLAIN, "lines that are not read")

    def _called(self, contract: tuple[bytes, bool], result: bool) -> str | None:
        """Return the name of the player that a contract line means, None for nobody."""
        spelt, ramsch = contract
        equal = [one for one in self._players if one.full == spelt]
        nobody = ramsch and name_of(spelt) in words.NOBODY
        if nobody and not (equal and result):
            return None
        # two lines of one name may be cut differently inside a letter
        equal += [one for one in self._players if _ascii(one.full) == _ascii(spelt)]
        return equal[0].name if equal else name_of(spelt)


# ---------------------------------------------------------------- lines


def _text(bare: bytes) -> str:
    return plain(decoded(bare.removeprefix(MARK))[0])


def _dashes_below(lines: Sequence[bytes], at: int) -> bool:
    """Say whether a line and the next one stand above dashes and are no rows."""
    if at + 2 >= len(lines) or lines[at + 2].rstrip() != DASHES.encode():
        return False
    above = _text(body(lines[at + 1]))
    return not (above.startswith("----") or like_a_row(above))


def _contract(bare: bytes) -> tuple[bytes, bool] | None:
    """Return the name that a contract line begins with, and whether it is about a Ramsch."""
    text, encoding = decoded(bare)
    stripped = text.rstrip()
    for verb in words.VERBS:
        name, found, word = stripped.rpartition(verb)
        if found and word in words.CONTRACTS:
            return name.encode(encoding), False
    for end in words.RAMSCH_ENDS:
        if stripped.endswith(end):
            return stripped.removesuffix(end).encode(encoding), True
    return None


def _contract_below(lines: Sequence[bytes], at: int) -> bytes | None:
    """Return the name that the next contract line states, before other names come."""
    for further in range(at + 1, len(lines)):
        if _dashes_below(lines, further):
            break
        contract = _contract(body(lines[further]))
        if contract is not None:
            return contract[0]
    return None


def _is_result(line: bytes) -> bool:
    text = decoded(line.rstrip())[0]
    label = words.LABELS.get(text.partition(": ")[0])
    return text in words.RESULTS or (label is not None and label.kind == words.RESULT)


def _of_a_block(text: str) -> bool:
    """Say whether a line without names is one that blocks have; none of these has a pseudonym."""
    bare = text.strip()
    return (
        not bare.strip("-=")
        or cells_of(text.removeprefix("\ufeff")) is not None
        or SEED_WORD in text
        or bare.partition(": ")[0] in words.LABELS
        or bare in words.MODIFIERS
        or bare in words.RESULTS
        or bare.endswith(tuple(words.RAMSCH_ENDS))
    )


# ---------------------------------------------------------------- columns


def _lead(upper: bytes) -> int:
    """Return how many bytes stand before the names, of a block that was cut inside a line."""
    raw = upper.decode("latin-1")
    text, encoding = decoded(_plain(upper))
    start = len(text[: names_start(text)].encode(encoding))
    return raw_columns(raw, start, start)[0] if start else 0


def _plain(data: bytes) -> bytes:
    return plain(data.decode("latin-1")).encode("latin-1", "replace")


def _bounds(line: bytes) -> list[int] | None:
    """Return the four bounds of the columns of a line of names, None where it is too wide.

    Columns are of bytes, as the program prints; of letters where the log was made UTF-8 later.
    """
    data = _plain(line)
    text, encoding = decoded(data)
    of_bytes = not text.isascii() and len(text) != _NAMES_WIDTH
    if of_bytes and len(data.rstrip()) <= _NAMES_WIDTH:
        bounds = [min(c * WIDTH, len(data)) for c in range(PLAYERS + 1)]
    elif len(text.rstrip()) > _NAMES_WIDTH:
        return None
    else:
        bounds = [len(text[: c * WIDTH].encode(encoding)) for c in range(PLAYERS + 1)]
    raw = line.decode("latin-1")
    return [raw_columns(raw, bound, bound)[0] for bound in bounds]


def _is_trimmed(line: bytes) -> bool:
    """Say whether the blanks at the end of a line of names are gone, as editors do it."""
    return len(_plain(line)) < _NAMES_WIDTH and not line.endswith(b" ")


def _cells(line: bytes, bounds: Sequence[int]) -> Iterator[bytes]:
    """Yield the three cells of a line."""
    yield from (line[begin:end] for begin, end in pairwise(bounds))


def _player(upper: bytes, lower: bytes) -> _Player:
    printed = _plain(upper).strip(), _plain(lower).strip()
    if not all(len(word) > 1 and word[:1] == word[-1:] == b"_" for word in printed):
        return _Player(printed, printed)
    mark = b"_\b" if b"\b" in upper + lower else b"_"
    return _Player((printed[0][1:-1], printed[1][1:-1]), printed, mark)


def _settled(players: tuple[_Player, ...], stated: bytes | None) -> tuple[_Player, ...]:
    """Return the players, one with underscores in his name where the contract line has them."""
    if stated is None or any(one.full == stated for one in players):
        return players
    return tuple([one.as_printed() if _joined(one.printed) == stated else one for one in players])


def _joined(words: Cells) -> bytes:
    return b" ".join(words) if words[1] else words[0]


def _ascii(data: bytes) -> bytes:
    return bytes([byte for byte in data if byte < len(_ASCII)])


_ASCII = range(1 << 7)


def _rendered(spelt: bytes, mark: bytes) -> Cells:
    """Return a name's two cells as the program prints them."""
    first, _, second = spelt.partition(b"\n")
    return _cell(first, mark), _cell(second, mark)


def _cell(word: bytes, mark: bytes) -> bytes:
    """Centre a word in its column; `_` stands around it, or below each of its letters."""
    width = len(word) + (2 if mark else 0)
    left = max(WIDTH - width, 0) // 2
    if mark == b"_":
        word = b"_" + word + b"_"
    elif mark:
        word = b"".join([mark + bytes([byte]) for byte in b" " + word + b" "])
    return b" " * left + word + b" " * max(WIDTH - width - left, 0)
