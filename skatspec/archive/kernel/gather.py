"""Text of millions of records, gathered from raw bytes into columns: compiled loops only."""

from __future__ import annotations

import numpy as np

from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.unchecked import byte, pattern, word

# The form of a DT value, `2026-11-30/02:26:04/UTC`; digits stand where `0` does. Read as
# words of eight bytes; what is above 9 in a digit's byte, or above 0 in another's, is carried
# into its highest bit.
_FORM = b"0000-00-00/00:00:00/UTC"
_DIGIT = ord("0")
_WORDS = tuple(pattern(_FORM[at : at + 8]) for at in (0, 8, 15))
_CARRY = tuple(
    pattern(bytes(118 if one == _DIGIT else 127 for one in _FORM[at : at + 8])) for at in (0, 8, 15)
)
_HIGHEST_BITS = pattern(b"\x80" * 8)
_LENGTH = len(_FORM)
_MONTHS, _HOURS, _SIXTY, _FOUR = 12, 24, 60, 4
# Of the calendar: how far years that begin in March reach back from 1970, and its periods.
_TO_1970, _ERA_DAYS, _ERA_YEARS, _CENTURY, _YEAR = 719_468, 146_097, 400, 100, 365
NO_DATE = -(2**63)


@compiled(called=True)
def texts(buf, chosen, begins, spans, columns, sizes, out, offsets, valid):
    """Copy a piece of `buf` for every chosen row and column to `out`, a section of it a column.

    `spans` are begin and end from a row's `begins` on, below 0 for no text; `columns` says at
    which of its columns each begins, `sizes` how long the sections are. `offsets` gets where
    each piece begins in its section, `valid` (all 0) a bit for what is a text.
    """
    section = 0
    for column in range(columns.size):
        offsets[column, 0] = 0
    for row in range(chosen.size):
        source, section = chosen[row], 0
        for column in range(columns.size):
            at = offsets[column, row]
            begin, end = spans[source, columns[column]], spans[source, columns[column] + 1]
            if begin >= 0:
                valid[column, row >> 3] |= 1 << (row & 7)
                start = begins[source] + begin
                for n in range(end - begin):
                    out[np.uint64(section + at + n)] = byte(buf, start + n)
                at += end - begin
            offsets[column, row + 1] = at
            section += sizes[column]


@compiled(called=True)
def lengths(chosen, spans, columns, sizes):
    """Add up how long the texts of the chosen rows are, a column each."""
    for row in range(chosen.size):
        for column in range(columns.size):
            at = columns[column]
            sizes[column] += spans[chosen[row], at + 1] - spans[chosen[row], at]


@compiled(called=True)
def numbers(figures, chosen, lowest, highest, out, valid):
    """Copy each column of `figures` to a row of `out`; `valid` (all 0) gets a bit for what fits."""
    for row in range(chosen.size):
        for column in range(figures.shape[1]):
            value = figures[chosen[row], column]
            fits = lowest[column] <= value <= highest[column]
            out[column, row] = value if fits else 0
            if fits:
                valid[column, row >> 3] |= 1 << (row & 7)


@compiled(called=True)
def dates(buf, chosen, begins, spans, column, out, valid):
    """Read a DT value for every row: seconds since 1970, and a bit in `valid` for a date."""
    for row in range(chosen.size):
        out[row], source = 0, chosen[row]
        begin = spans[source, column]
        if begin < 0 or spans[source, column + 1] - begin != _LENGTH:
            continue
        begin += begins[source]
        if not formed(buf, begin):
            continue
        found = seconds(buf, begin)
        if found != NO_DATE:
            out[row] = found
            valid[row >> 3] |= 1 << (row & 7)


@compiled()
def formed(buf, p):
    """Say whether digits and signs stand at `p` as they do in a date."""
    wrong = 0
    for n in range(3):
        apart = word(buf, p + (8 * n if n < 2 else _LENGTH - 8)) ^ _WORDS[n]
        wrong |= (apart | (apart + _CARRY[n])) & _HIGHEST_BITS
    return wrong == 0


@compiled()
def number(buf, p, digits):
    """Return the number of so many digits at `p`."""
    value = 0
    for n in range(digits):
        value = value * 10 + byte(buf, p + n) - _DIGIT
    return value


@compiled()
def seconds(buf, p):
    """Return the seconds since 1970 of a date in its form, `NO_DATE` where there is no such day."""
    year, month, day = number(buf, p, 4), number(buf, p + 5, 2), number(buf, p + 8, 2)
    hour, minute, second = number(buf, p + 11, 2), number(buf, p + 14, 2), number(buf, p + 17, 2)
    if not (1 <= month <= _MONTHS and hour < _HOURS and minute < _SIXTY and second < _SIXTY):
        return NO_DATE
    days = days_before(year, month) + day - 1
    following = days_before(year + month // _MONTHS, month % _MONTHS + 1)
    if day < 1 or days >= following:
        return NO_DATE
    return ((days * _HOURS + hour) * _SIXTY + minute) * _SIXTY + second


@compiled()
def days_before(year, month):
    """Return the days from 1970 to the first of a month, counted in years that begin in March."""
    if month <= 2:
        year -= 1
    era, place = year // _ERA_YEARS, year % _ERA_YEARS
    days = (153 * ((month + 9) % _MONTHS) + 2) // 5
    days += place * _YEAR + place // _FOUR - place // _CENTURY
    return era * _ERA_DAYS + days - _TO_1970
