"""The table of disputes of a checked archive: every contradicted game, as CSV and as a page."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from skatspec.archive.asking import Results
from skatspec.archive.reporting import CONTRADICTED, Meaning, Overview, meaning
from skatspec.diagnostics import Verdict
from skatspec.errors import UsageError
from skatspec.rules import Rules

if TYPE_CHECKING:
    import duckdb

MOST_SHOWN = 5000
# So many codes, and files that broke off, are in sight on the page.
_MOST_CODES = 10
_BATCH = 5000
_PAGE = "disputes.html.j2"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_QUOTED = re.compile(r"""[,"\r\n]|^\s|\s$""")
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)

# (heading, SQL); the meaning of the code follows.
_CELLS = (
    ("file", "file"), ("offset", '"offset"'), ("id", "id"), ("date", "date"),
    ("forehand", "player_f"), ("middlehand", "player_m"), ("rearhand", "player_r"),
    ("declarer", "declarer"), ("contract", "contract"), ("modifiers", "modifiers"),
    ("bid", "bid"), ("matadors", "matadors"), ("points", "points"), ("tricks", "tricks"),
    ("expected", "score"), ("recorded", "recorded"),
    ("difference", "recorded::BIGINT - score"), ("code", "code"),
)  # fmt: skip
COLUMNS = (*(name for name, _ in _CELLS), "name", "says", "rule")
_SELECT = "SELECT " + ", ".join(f'{sql} AS "{name}"' for name, sql in _CELLS) + " FROM games "


def write_csv(base: duckdb.DuckDBPyConnection, path: Path, rules: Rules | None) -> int:
    """Write every contradicted game, by file and place, and return how many.

    UTF-8 with a head of `COLUMNS`; figures are numbers, a cell of what is not known empty.
    """
    meanings = _Meanings(rules)
    written = 0
    with replacing(path) as stream:
        stream.write(csv_line(COLUMNS))
        base.execute(_SELECT + 'WHERE verdict = ? ORDER BY file, "offset"', [CONTRADICTED])
        while batch := base.fetchmany(_BATCH):
            for row in batch:
                one = meanings[row[-1]]
                stream.write(csv_line((*row, one.name, one.says, one.rule)))
            written += len(batch)
    return written


def write_page(
    base: duckdb.DuckDBPyConnection,
    path: Path,
    results: Results,
    counts: Overview,
    table: str,
    clean: Callable[[str], str],
) -> int:
    """Write the weightiest disputes as one HTML page, and return how many it shows.

    `table` is where all of them stand; `clean` writes out characters that would be obeyed.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    rules, _ = results.rules()
    meanings = _Meanings(rules)
    found = base.execute(
        _SELECT + "WHERE verdict = ? "
        'ORDER BY abs(difference) DESC NULLS LAST, file, "offset" LIMIT ?',
        [CONTRADICTED, MOST_SHOWN],
    ).fetchall()
    rows = [{**dict(zip(COLUMNS, row, strict=False)), "means": meanings[row[-1]]} for row in found]
    here = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    here.filters.update(clean=lambda text: clean(str(text)), count=lambda n: f"{n:,}",
                        percent=percent, day=day, signed=signed)  # fmt: skip
    assert here.loader is not None
    source = here.loader.get_source(here, _PAGE)[0]
    pieces = here.get_template(_PAGE).generate(
        rows=rows, counts=counts, results=results, table=table, script=_allowed(source),
        verdicts=[one.value for one in Verdict], contradicted=CONTRADICTED,
        rule_names=results.rules_name, files=sorted({row["file"] or "" for row in rows}),
        most_codes=_MOST_CODES, most_broken=_MOST_CODES,
    )  # fmt: skip
    with replacing(path) as stream:
        for piece in pieces:
            stream.write(piece)
    return len(rows)


@contextmanager
def replacing(path: Path) -> Iterator[IO[str]]:
    """Yield a text file that takes the place of `path` once it is whole.

    Raises UsageError where it cannot be written.
    """
    beside = path.with_name(path.name + ".tmp")
    try:
        try:
            with beside.open("w", encoding="utf-8", errors="backslashreplace", newline="") as out:
                yield out
            beside.replace(path)
        finally:
            with suppress(OSError):
                beside.unlink()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


def csv_line(cells: Iterable[Any]) -> str:
    """Return a line of CSV with its end: figures as numbers, None as an empty cell.

    The end is LF alone, and a cell with any line end in it is quoted; the library's writer
    quotes those only that end its own lines.
    """
    return ",".join([_csv_cell(cell) for cell in cells]) + "\n"


def _csv_cell(cell: Any) -> str:
    """Return a cell as it goes into a CSV: no text begins as a spreadsheet's formula does."""
    if cell is None:
        return ""
    text = str(cell)
    if isinstance(cell, str) and text.startswith(_FORMULA):
        text = "'" + text
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def percent(share: float) -> str:
    """Return a share of 0 to 1 in percent; one that is not 0 is not shown as 0."""
    return "<0.01 %" if 0 < share < 0.0001 else f"{100 * share:.2f} %"


def day(value: date | None) -> str:
    """Return a day, empty where there is none."""
    return "" if value is None else value.strftime("%Y-%m-%d")


def signed(value: int | None, nothing: str = "") -> str:
    """Return ledger points with their sign."""
    return nothing if value is None else f"{value:+d}" if value else "0"


class _Meanings:
    """What every code says, looked up once."""

    def __init__(self, rules: Rules | None) -> None:
        self._rules = rules
        self._known: dict[str | None, Meaning] = {}

    def __getitem__(self, code: str | None) -> Meaning:
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = meaning(code, self._rules)
        return known


def _allowed(source: str) -> str:
    """Return the Content Security Policy's name for the page's own script, and no other."""
    scripts: Sequence[str] = _SCRIPT.findall(source)
    digests = (hashlib.sha256(one.encode()).digest() for one in scripts)
    return " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in digests)
