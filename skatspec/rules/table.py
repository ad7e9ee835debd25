"""Writes the table of differences into docs/rules.md: `python -m skatspec.rules.table FILE`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from skatspec.rules import Rules, load_rules
from skatspec.rules.difference import ruled_keys
from skatspec.rules.words import Entry, does, entry_of, rule_name, value_of

BEGIN, END = "<!-- differences: begin -->", "<!-- differences: end -->"
# The first is what the others are compared with.
COLUMNS = (
    "isko", "ledger", "primer", "table-match", "browser", "game-circle", "isko-pre-1999", "iss",
    "iss-client", "xskat",
)  # fmt: skip


def table() -> str:
    """Return the table in Markdown: a row a rule in which some profile differs from the first."""
    columns = [load_rules(name) for name in COLUMNS]
    lines = ["| rule | " + " | ".join(f"`{name}`" for name in COLUMNS) + " |"]
    lines.append("|---" * (len(COLUMNS) + 1) + "|")
    for name, cells in _rows(columns):
        shown = (cells[0], *("" if cell == cells[0] else cell for cell in cells[1:]))
        lines.append(f"| {name} | {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


def _rows(columns: list[Rules]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the name and the cells of each rule in which a profile differs."""
    groups: dict[tuple[Entry, tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for key in ruled_keys([one.profile for one in columns]):
        cells = tuple(does(key, value_of(one.profile, key), one) for one in columns)
        entry = entry_of(key)
        if entry is not None and len(set(cells)) > 1:
            stars = entry.stars(tuple(key.split(".")))
            groups.setdefault((entry, stars[1:], cells), []).append(key)
    for (entry, _, cells), keys in groups.items():
        yield rule_name(entry, keys), cells


def with_table(text: str) -> str:
    """Return a page with the table between its marks as the profiles have it now."""
    head, _, rest = text.partition(BEGIN)
    return f"{head}{BEGIN}\n\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(with_table(page.read_text(encoding="utf-8")), encoding="utf-8")
