"""The lines above the headings of a score sheet: who plays, where, by which rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from skatspec.formats.score_sheet.cells import NUMBER, unguarded
from skatspec.formats.score_sheet.raw import Line, Raw
from skatspec.formats.score_sheet.words import clean, fold, hint, same_name, words

_NO_NAME = ("", "-")


@dataclass(slots=True)
class Top:
    """What the lines above the headings say; `named` where there is a line of players."""

    texts: dict[str, str] = field(default_factory=dict)
    players: list[str] = field(default_factory=list)
    named: bool = False
    system: str | None = None
    length: int | None = None
    dealer: Line | None = None


def top(raw: Raw) -> Top:
    """Read the lines above the headings."""
    found = Top()
    seen: set[str] = set()
    for one in raw.lines:
        line = _from_its_word(one)
        kind = words().lines.get(fold(line.word))
        if kind is None:
            raw.note("L021", line.number, 0, read=clean(line.word), hint=hint(line.word, "lines"))
        elif kind in seen:
            raw.note("L012", line.number, 0, read=clean(line.word))
        else:
            seen.add(kind)
            _take(raw, found, kind, line)
    return found


def _from_its_word(line: Line) -> Line:
    """Return a line that begins with empty cells from its first word on."""
    at = next((at for at, one in enumerate(line.cells) if one.strip()), None)
    if line.word.strip() or at is None:
        return line
    return Line(line.number, line.cells[at], line.cells[at + 1 :])


def _take(raw: Raw, found: Top, kind: str, line: Line) -> None:
    if kind == "players":
        found.named = True
        found.players = _players(raw, line)
    elif kind == "dealer":
        found.dealer = line
    elif kind == "deals":
        found.length = _length(raw, line)
    elif kind == "system":
        found.system = _system(raw, line)
    else:
        found.texts[kind] = ", ".join(filter(None, (text(raw, one) for one in line.cells)))


def text(raw: Raw, cell: str) -> str:
    """Return a text of a sheet, without what guards it from spreadsheets."""
    return unguarded(cell) if raw.fields else clean(cell)


def _players(raw: Raw, line: Line) -> list[str]:
    cells = [clean(one) for one in line.cells]
    while raw.fields and cells and not cells[-1]:  # a spreadsheet fills lines up
        cells.pop()
    # in CSV a hyphen keeps the place of a player without a name
    names = ["" if raw.fields and one in _NO_NAME else text(raw, one) for one in cells]
    seen: set[str] = set()
    for at, name in enumerate(names):
        key = same_name(name)
        if key and key in seen:
            raw.note("L018", line.number, at + 1, read=name)
        seen.add(key)
    return names


def _first(line: Line) -> tuple[int, str]:
    """Return the field and the text of the first cell that holds something."""
    at = next((at for at, one in enumerate(line.cells) if one.strip()), 0)
    return at + 1, line.cells[at] if line.cells else ""


def _length(raw: Raw, line: Line) -> int | None:
    at, cell = _first(line)
    number = NUMBER[cell]
    if isinstance(number, int) and number > 0:
        return number
    if cell.strip():
        heading, expected = clean(line.word), "a number of deals"
        raw.note("L014", line.number, at, read=cell, expected=expected, heading=heading)
    return None


def _system(raw: Raw, line: Line) -> str | None:
    at, cell = _first(line)
    found = words().systems.get(fold(cell))
    if found is None and cell.strip():
        expected = ", ".join(f"`{name}`" for name in words().written["systems"])
        heading = clean(line.word)
        raw.note("L014", line.number, at, read=cell, expected=expected, heading=heading)
    return found
