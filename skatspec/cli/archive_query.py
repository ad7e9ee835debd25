"""`skatspec archive query`: any question about a checked archive, in SQL."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click

from skatspec.cli import CLEAN
from skatspec.cli.columns import column_lines, width_of
from skatspec.cli.terminal import Paint, clean

if TYPE_CHECKING:
    import duckdb

_BATCH, _SHOWN, _PLACES = 5000, 100, 6
_FORMATS = ["text", "csv", "json"]
_QUOTES = ' (a word of SQL, too: write "offset", in quotes, or games.offset)'
_EMPTY = (
    "a cell without a value (NULL): not recorded, open or not judged; in `code` and `position`: "
    "nothing was found; in `declarer` and `contract` also: all passed",
    "`modifiers` of '': a game in which nothing was announced",
    'rows come in no order: ORDER BY file, "offset" is that of the archive',
)


@click.command(short_help="Ask any question, in SQL.")
@click.argument("folder", metavar="DIR")
@click.argument("sql", metavar="[SQL]", required=False)
@click.option(
    "--format", "format_", type=click.Choice(_FORMATS), default="text", show_default=True,
    help="How the rows are printed.",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(min=1), default=_SHOWN, show_default=True, metavar="N",
    help="So many rows of text; csv and json have all.",
)  # fmt: skip
def command(folder: str, sql: str | None, format_: str, limit: int) -> int:
    """Answer SQL (of DuckDB) about the view `games`, one row a game.

    Without SQL the columns are listed. Queries read, and reach no other file.

    \b
    skatspec archive query found/
    skatspec archive query found/ "SELECT code, count(*) FROM games GROUP BY 1"
    skatspec archive query found/ "FROM games WHERE id = '1163253'" --format json
    """
    from skatspec.archive.asking import answers, connected, open_results

    results = open_results(folder)
    if results.incomplete:
        click.echo(clean(f"{folder}: {results.incomplete}"), err=True)
    if sql is None or not sql.strip():
        _list_columns(format_)
        return CLEAN
    with connected(results) as base:
        for number, answer in enumerate(answers(base, sql)):
            if number and format_ != "json":
                click.echo("")
            _WRITERS[format_](answer, limit)
    return CLEAN


def _list_columns(format_: str) -> None:
    """Print the columns of the view with their types and meanings."""
    from skatspec.archive.asking import missing_extra

    with missing_extra():
        from skatspec.archive.rows import COLUMNS
    rows = [(name, _kind(kind), words) for name, kind, words in COLUMNS]
    if format_ == "json":
        keys = ("name", "type", "holds")
        click.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=1))
        return
    if format_ == "csv":
        from skatspec.archive.disputes import csv_line

        for row in [("name", "type", "holds"), *rows]:
            sys.stdout.write(csv_line(row))
        return
    paint = Paint(sys.stdout)
    names = [max(width_of(row[at]) for row in rows) for at in range(2)]
    click.echo(paint("the view `games`: one row a game", bold=True))
    for name, kind, words in rows:
        head = f"{name:{names[0]}}  {kind:{names[1]}}  "
        words += _QUOTES if name == "offset" else ""
        click.echo(paint.wrap(head + words, "", " " * len(head)))
    for line in _EMPTY:
        click.echo(paint.wrap(line, "", "  "))


def _kind(kind: Any) -> str:
    """Return a column's type in words of SQL's readers."""
    text = str(getattr(kind, "value_type", kind))
    return "text" if text == "string" else "date" if text.startswith("timestamp") else "number"


# --- rows -------------------------------------------------------------------------------


def _names(answer: duckdb.DuckDBPyConnection) -> list[str]:
    return [str(one[0]) for one in answer.description or ()]


def _batches(answer: duckdb.DuckDBPyConnection) -> Iterator[list[tuple[Any, ...]]]:
    while batch := answer.fetchmany(_BATCH):
        yield batch


def _as_text(answer: duckdb.DuckDBPyConnection, limit: int) -> None:
    """Print a table, or a block a row where the table would be wider than the terminal."""
    names = [clean(name) for name in _names(answer)]
    rows = answer.fetchmany(limit + 1)
    more, rows = len(rows) > limit, rows[:limit]
    cells = [[clean(_word(cell)) for cell in row] for row in rows]
    right = [
        any(_is_figure(row[at]) for row in rows)
        and all(row[at] is None or _is_figure(row[at]) for row in rows)
        for at in range(len(names))
    ]
    paint = Paint(sys.stdout)
    lines = list(column_lines(names, cells, right))
    if paint.at_terminal and cells and max(width_of(line) for line in lines) > paint.width:
        _blocks(names, cells, paint)
    else:
        click.echo(paint(lines[0], bold=True))
        for line in lines[1:]:
            click.echo(line)
    said = f"the first {limit:,} rows; --limit N shows more, --format csv all" if more else ""
    said = said or (f"{len(rows):,} row" + "s" * (len(rows) != 1))
    click.echo(paint.dim(f"({said})"))


def _blocks(names: Sequence[str], rows: Sequence[Sequence[str]], paint: Paint) -> None:
    widest = max(width_of(name) for name in names)
    for number, row in enumerate(rows, start=1):
        click.echo(paint(f"row {number}", bold=True))
        for name, cell in zip(names, row, strict=True):
            head = "  " + name + " " * (widest - width_of(name)) + "  "
            click.echo(paint.wrap(head + cell, "", " " * width_of(head)) if cell else head.rstrip())


def _as_csv(answer: duckdb.DuckDBPyConnection, limit: int) -> None:
    from skatspec.archive.disputes import csv_line

    sys.stdout.write(csv_line(_names(answer)))
    for batch in _batches(answer):
        for row in batch:
            cells = (cell if _is_figure(cell) or cell is None else _word(cell) for cell in row)
            sys.stdout.write(csv_line(cells))


def _as_json(answer: duckdb.DuckDBPyConnection, limit: int) -> None:
    """Print one array of objects; a name that comes twice gets a number."""
    names: list[str] = []
    for name in _names(answer):
        number, free = 2, name
        while free in names:
            free, number = f"{name}_{number}", number + 1
        names.append(free)
    begun = False
    click.echo("[", nl=False)
    for batch in _batches(answer):
        for row in batch:
            one = {name: _plain(cell) for name, cell in zip(names, row, strict=True)}
            click.echo((",\n" if begun else "\n") + json.dumps(one), nl=False)
            begun = True
    click.echo("\n]")


_WRITERS = {"text": _as_text, "csv": _as_csv, "json": _as_json}


def _is_figure(cell: Any) -> bool:
    return isinstance(cell, (int, float, Decimal)) and not isinstance(cell, bool)


def _word(cell: Any) -> str:
    """Return a cell as text; an empty one is empty."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        # an average has more places than anyone reads; csv and json have them all
        return f"{cell:.{_PLACES}g}" if abs(cell) < 10**_PLACES else f"{cell:.1f}"
    return str(cell)


def _plain(cell: Any) -> Any:
    """Return a cell as JSON can hold it; lists and structs down to plain values."""
    if cell is None or isinstance(cell, (bool, int, str)):
        return cell
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
    if isinstance(cell, Decimal):
        return float(cell)
    if isinstance(cell, (date, time)):
        return cell.isoformat()
    if isinstance(cell, (bytes, bytearray, timedelta)):
        return str(cell)
    # what is nested is the query's own making, and rare: its text will do
    return json.loads(json.dumps(cell, default=str))
