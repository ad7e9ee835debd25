"""`skatspec replay`: one record step by step, what it is worth, and what is wrong with it."""

from __future__ import annotations

import sys

import click

from skatspec.check import Report
from skatspec.cli import CLEAN, FOUND
from skatspec.cli.options import set_option
from skatspec.cli.sources import require_file
from skatspec.cli.terminal import Paint, clean, count
from skatspec.diagnostics import Severity, Verdict, entry, message
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
@set_option
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
    settings: tuple[str, ...],
    input_format: str | None,
    letters: bool,
) -> int:
    """Show a record of a file (`-`: standard input) step by step, and settle it line by line.

    The first record is shown unless another is asked for. The replay stops at the first
    illegal step, and says by which rule.

    \b
    skatspec replay game.skat
    skatspec replay games.sgf --id 1163253
    skatspec replay games.sgf --record 12 --at 20

    Leaves with 1 if the record is contradicted or unreadable.
    """
    judge = Judge(named_rules(rules, settings), in_order=True)
    require_file(file)
    reading = open_records(file, input_format)
    record = _find(reading, number, wanted, judge)
    say_of_the_file(reading)
    return show_record(record, judge, letters, at)


def show_record(
    record: Record | BrokenRecord, judge: Judge, letters: bool, at: int | None = None,
    place: str = "", why: str = "",
) -> int:  # fmt: skip
    """Print a record step by step and settled, and return the exit code.

    `at` shows it as it stands after that step only. `place` and `why` say where it stands
    and why it is judged by these rules, where the record and the judge cannot know.
    """
    from skatspec.cli.board import Board

    report, by = judge.check_and_say(record)
    board = Board(sys.stdout, Paint(sys.stdout), letters, judge.rules_for(record))
    bad = report.verdict in (Verdict.CONTRADICTED, Verdict.UNREADABLE)
    if isinstance(record, BrokenRecord):
        board.broken(report, place)
        return FOUND
    board.header(record, report, why or by, place)
    if report.replay is None:
        board.verdict(report)
    elif at is None:
        board.whole(record, report)
    else:
        _say_where_it_ends(record, report, at)
        board.standing(record, at, report.replay.game.round)
        if bad:
            # what makes the exit code 1 may lie behind the step that is shown
            board.verdict(report)
    return FOUND if bad else CLEAN


def say_of_the_file(reading: Reading) -> None:
    """Say on stderr what is wrong with the file as a whole, as far as it was read."""
    for one in reading.take_findings():
        if entry(one.code).severity is not Severity.NOTE:
            place = f"{reading.source}:{one.span.line}" if one.span.line else reading.source
            said = f"{place}: {one.code} {entry(one.code).name}: {message(one)}"
            click.echo(clean(said), err=True)


def _say_where_it_ends(record: Record, report: Report, at: int) -> None:
    """Say on stderr where a step was asked for that is not reached."""
    assert report.replay is not None
    steps, done = len(record.steps), report.replay.steps_done
    if at > steps:
        click.echo(f"the record has {count(steps, 'step')}, not {at}", err=True)
    elif report.replay.fault is not None and at > done:
        click.echo(f"step {at} is not reached: step {done + 1} is illegal", err=True)


def _find(
    reading: Reading, number: int | None, wanted: str | None, judge: Judge
) -> Record | BrokenRecord:
    """Return the record that is asked for; say so on stderr where the file holds more."""
    for record in reading:
        passed_by = number is not None and record.origin.index + 1 != number
        if wanted is not None and not passed_by:
            passed_by = isinstance(record, BrokenRecord) or record.id != wanted
        if passed_by:
            judge.pass_by(record)
            continue
        if number is None and wanted is None and next(reading, None) is not None:
            click.echo("the first record of several; --record N or --id ID shows another", err=True)
        return record
    if not reading.count:
        for one in reading.take_findings():
            if entry(one.code).severity is Severity.ERROR:
                place = f"{reading.source}:{one.span.line}" if one.span.line else reading.source
                raise InputError(one.code, message(one), place)
        raise InputError("E006", "no records", reading.source)
    what = f"record {number}" if number is not None else "record"
    if wanted is not None:
        what += f" with the id {clean(wanted)!r}"
    raise UsageError(f"{reading.source} has no {what}; it has {count(reading.count, 'record')}")
