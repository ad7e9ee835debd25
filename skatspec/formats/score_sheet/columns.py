"""The headings of a score sheet: which column stands where, and what is no heading."""

from __future__ import annotations

from dataclasses import dataclass, field

from skatspec.formats.score_sheet.cells import AMOUNT, UNREAD
from skatspec.formats.score_sheet.names import Names
from skatspec.formats.score_sheet.raw import Raw
from skatspec.formats.score_sheet.words import clean, column, fold, hint, words
from skatspec.sheet import TOTAL

_VALUE, _PLUS, _MINUS = "value", "plus", "minus"


@dataclass(slots=True)
class Columns:
    """Where each column stands, from 0; totals by their players, from 0, and who heads them.

    Where the value has two columns, that of `value` has the games won, and `minus` is where
    the games lost stand.
    """

    at: dict[str, int] = field(default_factory=dict)
    totals: dict[int, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    minus: int | None = None

    def heading(self, raw: Raw, name: str) -> str:
        """Return the heading of a column as written, `Plus/Minus` where it is two."""
        headings = raw.headings or []
        heading = clean(headings[self.at[name]])
        if name != _VALUE or self.minus is None:
            return heading
        return f"{heading}/{clean(headings[self.minus])}"


def columns(raw: Raw, names: list[str]) -> Columns:
    """Read the headings; `names` are the players, as far as the sheet says who sits where."""
    found = Columns()
    later: list[tuple[int, str, str]] = []
    players = Names(names)
    two = _two_values(raw)
    for at, heading in enumerate(raw.headings or ()):
        known = column(heading)
        if at in two:
            _take_half(raw, found, two, at)
            continue
        if known in (_PLUS, _MINUS):
            _spare(raw, at, bool(two))
            continue
        if known is not None:
            _take(raw, found, known, at)
            continue
        name = words().total_of(heading)
        number = players.first(heading if name is None else name) if heading else None
        if number is not None:
            _take(raw, found, f"{TOTAL}{number + 1}", at)
        elif name is not None and not names:
            later.append((at, heading, name))
        elif heading or _filled(raw, at):
            _unknown(raw, heading, at, players.hint(name) if name else "")
    _name_totals(raw, found, later)
    _missing(raw, found)
    return found


def _take(raw: Raw, found: Columns, name: str, at: int) -> None:
    if name in found.at:
        _twice(raw, at)
        return
    found.at[name] = at
    if name.startswith(TOTAL):
        found.totals[int(name.removeprefix(TOTAL)) - 1] = at


def _twice(raw: Raw, at: int) -> None:
    raw.note("L012", raw.heading_line(at), at, read=clean((raw.headings or [])[at]))


def _two_values(raw: Raw) -> dict[int, str]:
    """Return where the value stands in two columns, and which of them is which."""
    headings = raw.headings or []
    known = [column(heading) for heading in headings]
    if _VALUE in known:
        return {}
    other = words().two_values
    for kinds in (known, [other.get(fold(heading)) for heading in headings]):
        if _PLUS in kinds and _MINUS in kinds:
            pair = {kinds.index(_PLUS): _PLUS, kinds.index(_MINUS): _MINUS}
            if kinds is known or any(_has_numbers(raw, at) for at in pair):
                return pair
    return {}


def _has_numbers(raw: Raw, at: int) -> bool:
    """Say whether a column has numbers that are no yes or no."""
    numbers = (AMOUNT[cells[at]] for _, cells in raw.rows if at < len(cells))
    return any(one is not UNREAD and one is not None and abs(one) > 1 for one in numbers)


def _take_half(raw: Raw, found: Columns, two: dict[int, str], at: int) -> None:
    if two[at] == _PLUS:
        _take(raw, found, _VALUE, at)
    else:
        found.minus = at


def _spare(raw: Raw, at: int, is_paired: bool) -> None:
    """Report a half of the value that is not used: the value is there, or the other half is not."""
    known = [column(heading) for heading in raw.headings or ()]
    if is_paired or (_VALUE in known and _PLUS in known and _MINUS in known):
        _twice(raw, at)
    else:
        raw.note("L011", raw.heading_line(at), at, read=clean((raw.headings or [])[at]), hint="")


def _name_totals(raw: Raw, found: Columns, later: list[tuple[int, str, str]]) -> None:
    """Give the players their places by the order of the totals that bear their names."""
    if not later:
        return
    free = (number for number in range(len(raw.headings or ())) if number not in found.totals)
    found.names = [""] * (len(later) + len(found.totals))
    for at, _, name in later:
        number = next(free)
        found.names += [""] * (number + 1 - len(found.names))
        found.names[number] = name
        _take(raw, found, f"{TOTAL}{number + 1}", at)


def _unknown(raw: Raw, heading: str, at: int, player: str) -> None:
    nearest = player or (hint(heading, "columns") if heading else "")
    raw.note("L011", raw.heading_line(at), at, read=clean(heading), hint=nearest)


def _filled(raw: Raw, at: int) -> bool:
    return any(cells[at].strip() for _, cells in raw.rows if at < len(cells))


def _missing(raw: Raw, found: Columns) -> None:
    line = raw.headings_at
    if not raw.fields and not raw.rows:
        return  # no row, no keys
    if "declarer" not in found.at and not found.totals:
        raw.note("L013", line, expected="`declarer`", what="who played")
    if _VALUE not in found.at and not found.totals:
        raw.note("L013", line, expected="`value`", what="what the games came to")
