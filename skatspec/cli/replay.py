"""`skatspec replay`: one record step by step, what it is worth, and what is wrong with it."""

from __future__ import annotations

import sys

import click

from skatspec.cli import CLEAN, FOUND
from skatspec.cli.sources import require
from skatspec.cli.terminal import Paint, clean
from skatspec.diagnostics import Verdict
from skatspec.errors import InputError, UsageError
from skatspec.formats.registry import FORMATS, Reading, open_records
from skatspec.judging import Judge, named_rules
from skatspec.record import BrokenRecord, Record


@click.command(short_help="Show a record step by step, and settle it line by line.")
@click.argument("file")
@click.option("--record", "number", type=click.IntRange(min=1), metavar="N", help="The Nth record.")
@click.option("--id", "wanted", metavar="ID", help="The record that calls itself so.")
@click.option(
    "--at", "at", type=click.IntRange(min=0), metavar="N",
    help="Show hands, trick and points as they stand after step N.",
)  # fmt: skip
@click.option(
    "--rules", metavar="NAME|FILE",
    help="Judge by these rules; else by the record's Rules tag, or its format's default.",
)  # fmt: skip
@click.option(
    "--input-format", type=click.Choice(list(FORMATS)),
    help="What the file holds; detected from its content otherwise.",
)  # fmt: skip
@click.option("--letters", is_flag=True, help="Write suits as letters at a terminal, too.")
def command(
    file: str,
    number: int | None,
    wanted: str | None,
    at: int | None,
    rules: str | None,
    input_format: str | None,
    letters: bool,
) -> int:
    """Show a record of a file (`-`: standard input) step by step, and settle it line by line.

    The first record is shown unless another is asked for. The replay stops at the first
    illegal step, with the rule behind it.

    \b
    skatspec replay game.skat
    skatspec replay games.sgf --id 1163253
    skatspec replay games.sgf --record 12 --at 20

    Leaves with 1 if the record is contradicted or unreadable.
    """
    from skatspec.cli.board import Board

    judge = Judge(named_rules(rules))
    require([file])
    record = _find(open_records(file, input_format), number, wanted)
    report, why = judge.check_and_say(record)
    board = Board(sys.stdout, Paint(sys.stdout), letters, judge.rules_for(record))
    if isinstance(record, BrokenRecord):
        board.broken(report)
    else:
        board.header(record, report, why)
        if report.replay is None:
            board.verdict(report)
        elif at is None:
            board.whole(record, report)
        else:
            board.standing(record, at)
    bad = report.verdict in (Verdict.CONTRADICTED, Verdict.UNREADABLE)
    return FOUND if bad else CLEAN


def _find(reading: Reading, number: int | None, wanted: str | None) -> Record | BrokenRecord:
    """Return the record that is asked for; say so on stderr where the file holds more."""
    for record in reading:
        if number is not None and record.origin.index + 1 != number:
            continue
        if wanted is not None and (isinstance(record, BrokenRecord) or record.id != wanted):
            continue
        if number is None and wanted is None and next(reading, None) is not None:
            click.echo("the first record of several; --record N or --id ID shows another", err=True)
        return record
    if not reading.count:
        raise InputError("E006", "no records", reading.source)
    what = f"record {number}" if number is not None else "record"
    if wanted is not None:
        what += f" with the id {clean(wanted)!r}"
    raise UsageError(f"{reading.source} has no {what}; it has {reading.count} records")
