"""`skatspec archive show`: one record of a checked archive, from the original file."""

from __future__ import annotations

import sys

import click

from skatspec.cli import CLEAN
from skatspec.cli.terminal import Paint, clean

_LONGEST = 4000


@click.command(short_help="Replay one record from the original file.")
@click.argument("folder", metavar="DIR")
@click.option(
    "--offset", type=click.IntRange(min=0), metavar="N", required=True,
    help="The byte at which the record begins, in the file as unpacked.",
)  # fmt: skip
@click.option(
    "--file", metavar="F",
    help="The file, as the run names it or the end of its path; where several have a record there.",
)  # fmt: skip
@click.option("--raw", is_flag=True, help="Print the record's own text, and nothing else.")
@click.option("--letters", is_flag=True, help="Write suits as letters at a terminal, too.")
def command(folder: str, offset: int, file: str | None, raw: bool, letters: bool) -> int:
    """Show a record of a checked archive: its text, and the replay as `skatspec replay` has it.

    It is read from the original file, and judged by the rules of the run.

    \b
    skatspec archive show found/ --offset 123456
    skatspec archive show found/ --offset 0 --file 2026.sgf.zst
    skatspec archive show found/ --offset 123456 --raw | skatspec check -

    Leaves with 1 if the record is contradicted or unreadable, with --raw never.
    """
    from skatspec.archive.asking import connected, open_results
    from skatspec.archive.originals import FORMAT, changed, find, raw_record
    from skatspec.cli.replay import say_of_the_file, show_record
    from skatspec.formats.lines import Lines
    from skatspec.formats.registry import reading
    from skatspec.judging import Judge
    from skatspec.record import Record

    results = open_results(folder)
    with connected(results) as base:
        place = find(base, results, offset, file)
    warning = changed(results, place.file)
    if warning:
        click.echo(clean(warning), err=True)
    data = raw_record(place, bool(warning))
    paint = Paint(sys.stdout)
    if raw:
        # byte for byte into a pipe or file, written out where it could steer a terminal
        click.echo(_text(data) if paint.at_terminal else data)
        return CLEAN
    rules, remark = results.rules()
    if remark:
        click.echo(clean(remark), err=True)
    records = reading(Lines([data], place.file), FORMAT)
    record = next(records)
    say_of_the_file(records)
    if isinstance(record, Record) and place.id is not None and record.id != place.id:
        said = f"the record there calls itself {record.id!r} now; in the run it was {place.id!r}"
        click.echo(clean(said), err=True)
    text = _text(data[: 4 * _LONGEST])
    click.echo(paint.dim(text[:_LONGEST] + ("…" if len(text) > _LONGEST else "")))
    click.echo("")
    where = f"{place.file}, byte {place.offset}"
    why = "the rules of the run" if rules is not None else ""
    return show_record(record, Judge(rules), letters, place=where, why=why)


def _text(data: bytes) -> str:
    """Return a record's lines as a terminal may have them."""
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(clean(line) for line in lines.split("\n"))
