"""The kernel: decides records of an ISS archive over its raw bytes, line by line.

A record is `CONSISTENT`, or a code says what is wrong with it, or it is `NOT_MINE` and goes to
the scalar engine with its place (answers.py). The kernel is strict: it takes records as servers
write them, one a line, and only those that the scalar engine finds consistent without a word.
"""

from __future__ import annotations

import numpy as np

from skatspec.archive.kernel import answers, settle
from skatspec.archive.kernel.answers import (
    CONSISTENT,
    FIGURES,
    MOST_BYTES,
    NONE,
    NOT_MINE,
    PADDING,
    S012,
    SPANNED,
)
from skatspec.archive.kernel.head import head, line_end
from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.moves import moves
from skatspec.archive.kernel.result import compared
from skatspec.archive.kernel.state import (
    ANSWERS,
    AT,
    BEHIND_AT,
    BIDDEN,
    CALLS,
    CONTRACT_AT,
    DECLARER,
    ENDED,
    FINE,
    IN_AUCTION,
    LAST,
    MATADORS,
    MODS,
    OPEN,
    PASSED,
    PENALTY,
    PHASE,
    POINTS,
    SCHWARZ_FLAG,
    SCORE,
    SIZE,
    TAKEN,
    TEXTS,
    UNSAID,
    VALUE,
    VIEW_END,
)
from skatspec.archive.kernel.syntax import FULL, ILL, SILENT, UNKNOWN, D, V, stated
from skatspec.archive.kernel.unchecked import byte
from skatspec.archive.kernel.views import complete, is_view, opened

_OPEN, _MARK, _LF, _CR = ord("("), ord(";"), ord("\n"), ord("\r")
# What `counts` counts: records, bytes and lines that are done with.
RECORDS, BYTES, LINES = range(3)
DONE, NO_ROOM, NEAR_THE_END = range(3)


@compiled()
def record(buf, begin, end, T, g):
    """Decide the record in `buf[begin:end]`, a line without its end, of printable ASCII.

    The place of an error is then in `g[AT]`, the answers for a consistent one in `g[ANSWERS]`.
    """
    p = head(buf, begin, end, g)
    if p < 0:
        return NOT_MINE
    text, hidden = buf, is_view(buf, p)
    if hidden:
        text, p = opened(buf, p, end, g), 0
        if g[VIEW_END] == 0:
            return NOT_MINE
    fault = moves(text, p, text.size - PADDING if hidden else end, T, g)
    if hidden:
        if fault != FINE or not complete(g):
            return NOT_MINE
        g[BEHIND_AT] = g[VIEW_END]
    if fault != FINE:
        return fault
    kind = stated(buf, g[BEHIND_AT], end, g)
    ended = g[ENDED]
    if kind == ILL or ended == OPEN:
        return NOT_MINE
    for figure in range(VALUE, SCHWARZ_FLAG + 1):
        g[figure] = 0
    if ended != PENALTY and ended != PASSED:
        if not settle.judged(T, g):
            return NOT_MINE
        settle.figures(T, g)
    if kind != SILENT and kind != UNKNOWN:
        code = compared(kind, T, g)
        if code != CONSISTENT:
            # who is penalized where nobody had called yet is open
            open_seats = code == S012 and g[CALLS] == 0
            return NOT_MINE if open_seats else code
    answer(kind, g)
    return CONSISTENT


@compiled()
def answer(kind, g):
    """Fill in the figures of a consistent record."""
    bid = g[LAST] if g[PHASE] == IN_AUCTION else g[BIDDEN]
    g[ANSWERS + answers.DECLARER] = g[DECLARER] if g[DECLARER] >= 0 else NONE
    declared = g[CONTRACT_AT] >= 0
    g[ANSWERS + answers.CONTRACT] = g[CONTRACT_AT] if declared else NONE
    g[ANSWERS + answers.MODIFIERS] = g[MODS] if declared else NONE
    g[ANSWERS + answers.BID] = bid if bid else NONE
    g[ANSWERS + answers.RECORDED] = g[V] if kind == FULL and not g[UNSAID] >> V - D & 1 else NONE
    settled = g[ENDED] != PENALTY and g[ENDED] != PASSED
    g[ANSWERS + answers.MATADORS] = g[MATADORS] if settled else NONE
    g[ANSWERS + answers.POINTS] = g[POINTS] if settled else NONE
    g[ANSWERS + answers.TRICKS] = g[TAKEN] if settled else NONE
    g[ANSWERS + answers.VALUE] = g[VALUE] if settled else NONE
    g[ANSWERS + answers.SCORE] = g[SCORE] if settled else NONE


@compiled(called=True)
def lines(buf, size, shift, T, counts, status, places, figures, spans):
    """Decide every line that begins a record among `size` bytes, from `counts[BYTES]` on.

    Answers `DONE`, or `NO_ROOM` for further records, or `NEAR_THE_END` where less than
    `PADDING` bytes of `buf` are behind a line. A record has a column of `places` (begin, end,
    line, error's place, `shift` added to all bytes), a row of the other arrays.
    """
    g = np.zeros(SIZE, np.int64)
    count, begin, number = counts[RECORDS], counts[BYTES], counts[LINES]
    answered = DONE
    while begin < size:
        end, plain = line_end(buf, begin, size)
        if count == status.size or end + PADDING > buf.size:
            answered = NO_ROOM if count == status.size else NEAR_THE_END
            break
        if end - begin > 1 and byte(buf, begin) == _OPEN and byte(buf, begin + 1) == _MARK:
            found = NOT_MINE
            if plain and end - begin <= MOST_BYTES:
                found = record(buf, begin, end, T, g)
            status[count] = found
            places[0, count], places[1, count] = shift + begin, shift + end
            places[2, count] = number
            places[3, count] = shift + g[AT] if found > CONSISTENT else -1
            good = found == CONSISTENT
            for figure in range(FIGURES):
                figures[count, figure] = g[ANSWERS + figure] if good else NONE
            for place in range(2 * len(SPANNED)):
                spans[count, place] = g[TEXTS + place] if good else -1
            count += 1
        begin = end + 1
        if byte(buf, end) == _CR and begin < size and byte(buf, begin) == _LF:
            begin += 1
        number += 1
    counts[RECORDS], counts[BYTES], counts[LINES] = count, begin, number
    return answered
