"""Finds the blocks of an XSkat log among its lines; none is read here (blocks).

A block ends at a line of 40 `=`. Dashes of that width right below lines that are no row
stand below the names of the next block, which cuts one that is still open. Memory is
bounded by one block: what grows far beyond a block's size is reported and dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from skatspec.diagnostics import finding
from skatspec.formats.lines import Lines
from skatspec.formats.record_text import excerpt
from skatspec.formats.xskat import words
from skatspec.formats.xskat.rows import like_a_row, names_start, plain, raw_columns
from skatspec.formats.xskat.values import BrokenBlock, span_of

RULE_WIDTH = 40
DASHES, END = "-" * RULE_WIDTH, "=" * RULE_WIDTH
SEED_WORD = "random_seed"
# A block has at most 35 lines; what grows far beyond is none.
MOST_LINES, MOST_CHARACTERS = 64, 1 << 16
# Lines up to this length cannot make too many characters of so few lines.
_LONG_LINE = MOST_CHARACTERS // MOST_LINES
# A file may hold more junk than anyone wants to read about.
MOST_JUNK_FINDINGS = 1000

Frame = list[tuple[int, str]]
Made = TypeVar("Made")


class Framer(Generic[Made]):
    """Hands back the blocks of a file's lines, each as soon as a line ends or cuts it.

    `read` makes something of the lines of a whole block.
    """

    def __init__(self, lines: Lines, read: Callable[[Frame], Made]) -> None:
        self._lines = lines
        self._read = read
        # Whether the lines at hand are the rest of a block that was reported as too long.
        self._dropping = False
        self._junk: tuple[int, str] | None = None
        self._junk_lines = self._junk_runs = 0

    def blocks(self) -> Iterator[Made | BrokenBlock]:
        """Yield every block, readable or not; report the junk between them."""
        frame: Frame = []
        for one in self._lines.rest():
            text = one[1]
            if not frame and not text.strip():
                continue
            frame.append(one)
            mark = text[:1]
            kept: Frame = []
            if mark == "=" and text.rstrip() == END:
                found = self._cut(frame, ended=True)
            elif mark == "-" and text.rstrip() == DASHES and _names_above(frame):
                cut, kept = _parted(frame)
                if not cut:
                    continue
                found = self._cut(cut)
            elif len(frame) > MOST_LINES:
                kept = frame[-2:]
                found = self._too_long(frame[:-2])
            elif len(text) > _LONG_LINE and sum(len(t) for _, t in frame) > MOST_CHARACTERS:
                found = self._too_long(frame)
            else:
                continue
            frame = kept
            if found is not None:
                yield found
        found = self._cut(frame) if frame else None
        if found is not None:
            yield found
        self._end_file()

    def _cut(self, frame: Frame, ended: bool = False) -> Made | BrokenBlock | None:
        dropping, self._dropping = self._dropping, False
        if dropping or self._is_junk(frame):
            return None
        return self._read(frame) if ended else _broken(frame, "N002", expected="40 `=`")

    def _too_long(self, frame: Frame) -> BrokenBlock | None:
        if self._dropping or self._is_junk(frame):
            return None
        self._dropping = True
        return _broken(frame, "E005", what="a block", limit=f"{MOST_LINES} lines")

    def _is_junk(self, frame: Frame) -> bool:
        """Note lines in which nothing of a block can be seen; else end the run of junk."""
        if _like_a_block(frame):
            self._end_junk()
            return False
        texts = [(line, text) for line, text in frame if text.strip()]
        if texts and self._junk is None:
            self._junk = texts[0]
        self._junk_lines += len(texts)
        return True

    def _end_junk(self) -> None:
        if self._junk is None:
            return
        line, text = self._junk
        more = f" +{self._junk_lines - 1}" if self._junk_lines > 1 else ""
        self._junk_runs += 1
        if self._junk_runs <= MOST_JUNK_FINDINGS:
            place = span_of(text, line, len(text) - len(text.lstrip()), len(text))
            self._lines.report(finding("N003", span=place, read=excerpt(text) + more))
        self._junk, self._junk_lines = None, 0

    def _end_file(self) -> None:
        self._end_junk()
        more = self._junk_runs - MOST_JUNK_FINDINGS
        if more > 0:
            self._lines.report(finding("N003", read=f"+{more}"))


def _broken(
    frame: Frame, code: str, expected: str = "", what: str = "", limit: str = ""
) -> BrokenBlock:
    line, text = frame[0]
    place = span_of(text, line, 0, RULE_WIDTH)
    read = excerpt(plain(text))
    fault = finding(code, span=place, read=read, expected=expected, what=what, limit=limit)
    return BrokenBlock(line, joined(frame), (fault,))


def joined(frame: Frame) -> str:
    """Return the text of some lines; one that was refused for its length leaves a blank one."""
    first, last = frame[0][0], frame[-1][0]
    if last - first + 1 == len(frame):
        return "\n".join([text for _, text in frame])
    texts = dict(frame)
    return "\n".join([texts.get(line, "") for line in range(first, last + 1)])


def _parted(frame: Frame) -> tuple[Frame, Frame]:
    """Part a frame where the names of its last three lines begin, maybe inside a line."""
    cut, names = frame[:-3], frame[-3:]
    line, raw = names[0]
    start = names_start(plain(raw))
    if start:
        at, _ = raw_columns(raw, start, start)
        cut.append((line, raw[:at]))
        names[0] = (line, raw[at:])
    return cut, names


def _names_above(frame: Frame) -> bool:
    """Say whether the dashes just read stand below names rather than below a row of a block."""
    if len(frame) < 3:
        return False
    above = plain(frame[-2][1])
    return not (above[:4] == "----" or like_a_row(above))


def _like_a_block(frame: Frame) -> bool:
    """Say whether anything of a block can be seen in some lines."""
    if len(frame) > 2 and frame[2][1].rstrip() == DASHES:
        return True
    for _, raw in frame:
        text = plain(raw)
        if text.startswith("  ") and like_a_row(text):
            return True
        if SEED_WORD in text[:20] or text.partition(": ")[0] in words.LABELS:
            return True
    return False
