"""Text of millions of records, gathered from raw bytes into columns: compiled loops only."""

from __future__ import annotations

from skatspec.archive.kernel.jit import compiled

# The form of a DT value, `2026-11-30/02:26:04/UTC`; digits stand where `0` does.
_FORM = tuple(b"0000-00-00/00:00:00/UTC")
_DIGIT = ord("0")
_MONTHS, _HOURS, _SIXTY, _FOUR = 12, 24, 60, 4
# Days before each month of a year that begins in March, and its reach back to 1970.
_TO_1970, _ERA_DAYS, _ERA_YEARS, _CENTURY, _YEAR = 719_468, 146_097, 400, 100, 365
NO_DATE = -(2**63)


@compiled(called=True)
def gather(buf, begins, lengths, offsets, out):
    """Copy a piece of `buf` for every row to `out`, end to end; below 0 a length is no text.

    `offsets` gets where each piece begins, and one more for the end.
    """
    at = 0
    for row in range(begins.size):
        offsets[row] = at
        begin = begins[row]
        for n in range(lengths[row]):
            out[at + n] = buf[begin + n]
        if lengths[row] > 0:
            at += lengths[row]
    offsets[begins.size] = at
    return at


@compiled(called=True)
def dates(buf, begins, lengths, out):
    """Read a DT value for every row: seconds since 1970, `NO_DATE` for what is no date."""
    for row in range(begins.size):
        out[row] = NO_DATE
        begin = begins[row]
        if lengths[row] != len(_FORM):
            continue
        good = True
        for n in range(len(_FORM)):
            byte = buf[begin + n]
            if _FORM[n] == _DIGIT:
                good = good and _DIGIT <= byte <= _DIGIT + 9
            else:
                good = good and byte == _FORM[n]
        if good:
            out[row] = seconds(buf, begin)


@compiled()
def number(buf, p, digits):
    """Return the number of so many digits at `p`."""
    value = 0
    for n in range(digits):
        value = value * 10 + buf[p + n] - _DIGIT
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
