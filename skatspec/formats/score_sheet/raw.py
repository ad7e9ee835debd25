"""A score sheet as texts, from whichever format: what `build` makes a Sheet of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from skatspec.diagnostics import Diagnostic, Span
from skatspec.formats.lines import MOST_ALIKE
from skatspec.formats.record_text import excerpt
from skatspec.record import BrokenRecord, Record

MOST_ROWS, MOST_COLUMNS, MOST_CELL = 10_000, 100, 10_000
# Characters of a whole list.
LIMIT, LIMIT_TEXT = 1 << 24, "16 MiB"


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is no row: its number, its word as written, and the cells behind the word."""

    number: int
    word: str
    cells: tuple[str, ...]


@dataclass(slots=True)
class Raw:
    """Texts of a sheet: lines above the headings, headings, rows, lines below the rows.

    `headings` are None where the sheet has none. `rows` are pairs of a line's number and
    its cells. `sums` are lines whose cells stand one a player; sums that stand among the
    rows are still rows. `fields` says that cells have fields (CSV), and that its texts
    are guarded against spreadsheets; in JSON `seen` has the row in which a heading stands
    first. `records` go by the lines of their rows.
    """

    source: str = ""
    index: int = 0
    fields: bool = True
    lines: list[Line] = field(default_factory=list)
    headings: list[str] | None = None
    headings_at: int = 0
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    sums: list[Line] = field(default_factory=list)
    seen: dict[int, int] = field(default_factory=dict)
    records: dict[int, Record | BrokenRecord] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)
    cut: bool = False
    _alike: Counter[str] = field(default_factory=Counter)

    def span(self, line: int, at: int = -1) -> Span:
        """Return the place of a cell counted from 0, or of the whole line."""
        number = at + 1 if self.fields else 0
        return Span(line, number, number + 1) if number else Span(line, 0, 0)

    def heading_line(self, at: int) -> int:
        """Return the line on which a heading stands."""
        return self.seen.get(at, self.headings_at)

    def keeps(self, code: str) -> bool:
        """Say whether another finding of a code is kept."""
        return self._alike[code] < MOST_ALIKE

    def note(
        self, code: str, line: int, at: int = -1, read: str = "", expected: str = "", **slots: str
    ) -> None:
        """Add a finding; of each code so many are kept."""
        self._alike[code] += 1
        if self._alike[code] <= MOST_ALIKE:
            place = self.span(line, at)
            read = excerpt(read)
            one = Diagnostic(code, tuple(slots.items()), place, 0, read, expected)
            self.findings.append(one)
