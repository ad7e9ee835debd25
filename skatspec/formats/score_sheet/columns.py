"""The headings of a score sheet: which column stands where, and what is no heading."""

from __future__ import annotations

from dataclasses import dataclass, field

from skatspec.formats.score_sheet.raw import Raw
from skatspec.formats.score_sheet.words import clean, column, hint, same_name, words
from skatspec.sheet import TOTAL


@dataclass(slots=True)
class Columns:
    """Where each column stands, from 0; totals by their players, from 0, and who heads them."""

    at: dict[str, int] = field(default_factory=dict)
    totals: dict[int, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)


def columns(raw: Raw, names: list[str]) -> Columns:
    """Read the headings; `names` are the players, as far as the sheet says who sits where."""
    found = Columns()
    later: list[tuple[int, str, str]] = []
    players = {same_name(name): number for number, name in reversed(list(enumerate(names)))}
    for at, heading in enumerate(raw.headings or ()):
        known = column(heading)
        if known is not None:
            _take(raw, found, known, at)
            continue
        name = words().total_of(heading)
        number = players.get(same_name(heading if name is None else name)) if heading else None
        if number is not None:
            _take(raw, found, f"{TOTAL}{number + 1}", at)
        elif name is not None and not players:
            later.append((at, heading, name))
        elif heading or _filled(raw, at):
            _unknown(raw, heading, at)
    _name_totals(raw, found, later)
    _missing(raw, found)
    return found


def _take(raw: Raw, found: Columns, name: str, at: int) -> None:
    if name in found.at:
        heading = (raw.headings or [])[at]
        raw.note("L012", raw.heading_line(at), at, read=clean(heading))
        return
    found.at[name] = at
    if name.startswith(TOTAL):
        found.totals[int(name.removeprefix(TOTAL)) - 1] = at


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


def _unknown(raw: Raw, heading: str, at: int) -> None:
    nearest = hint(heading, "columns") if heading else ""
    raw.note("L011", raw.heading_line(at), at, read=clean(heading), hint=nearest)


def _filled(raw: Raw, at: int) -> bool:
    return any(cells[at].strip() for _, cells in raw.rows if at < len(cells))


def _missing(raw: Raw, found: Columns) -> None:
    line = raw.headings_at
    if not raw.fields and not raw.rows:
        return  # no row, no keys
    if "declarer" not in found.at:
        raw.note("L013", line, expected="`declarer`", what="who played")
    if "value" not in found.at and not found.totals:
        raw.note("L013", line, expected="`value`", what="what the games came to")
