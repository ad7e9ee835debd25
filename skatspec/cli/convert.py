"""`skatspec convert`: records from one format to another, every loss named."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePath
from typing import IO

import click

from skatspec.cli import CLEAN, FOUND
from skatspec.cli.sources import STDIN, require
from skatspec.cli.targets import target
from skatspec.cli.terminal import clean
from skatspec.diagnostics import Diagnostic, Severity, entry, message
from skatspec.errors import UsageError
from skatspec.formats.registry import FORMATS, FormatModule, Reading, by_suffix, open_records
from skatspec.judging import FORMAT_RULES, OTHER_RULES
from skatspec.record import SEAT_LETTERS, BrokenRecord, Origin, Record


@click.command(short_help="Convert records to another format; losses are named.")
@click.argument("source", metavar="IN")
@click.argument("out", metavar="OUT")
@click.option(
    "--to", type=click.Choice(list(FORMATS)), help="The format to write. [default: OUT's suffix]"
)
@click.option(
    "--from", "from_", type=click.Choice(list(FORMATS)),
    help="The format of IN; detected from its content otherwise.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Do not say how many records were converted.")
def command(source: str, out: str, to: str | None, from_: str | None, quiet: bool) -> int:
    """Convert the records of IN to another format, and write them to OUT.

    `-` is standard input, or output (which needs --to). What has no place in the new format
    is named on stderr, a line each, and counted. Records that cannot be read, or not be
    written at all, are left out. An OUT with the suffix .json becomes one array; otherwise
    JSON is a record a line. OUT is replaced only when everything is written.

    An ISS record without a Rules tag gets one, `iss`, so that its verdict stays the same.

    \b
    skatspec convert games.sgf games.skat
    skatspec convert games.sgf.bz2 - --to json | jq .result
    skatspec convert game.skat game.sgf

    Leaves with 1 if a record, or a part of one, could not be read or written; losses alone
    leave with 0.
    """
    to = to or (None if out == STDIN else by_suffix(out))
    if to is None:
        raise UsageError(f"--to is needed: {out} does not say the format ({', '.join(FORMATS)})")
    if out != STDIN and PurePath(out).suffix.lower() not in FORMATS[to].suffixes and by_suffix(out):
        click.echo(f"skatspec: {clean(out)} will hold {to} records all the same", err=True)
    require([source])
    reading = open_records(source, from_)
    with target(out) as stream:
        array = to == "json" and PurePath(out).suffix.lower() == ".json"
        conversion = _Conversion(FORMATS[to].load(), to, array)
        conversion.all(reading, stream)
    if not quiet:
        click.echo(conversion.summary(), err=True)
    return FOUND if conversion.failed else CLEAN


class _Conversion:
    """Converts records one by one and counts what was lost."""

    def __init__(self, module: FormatModule, name: str, array: bool) -> None:
        self._module = module
        self._name = name
        self._between = {"skat": "\n", "json": "," if array else ""}.get(name, "")
        self._array = array
        self.written = self.left_out = 0
        self.losses: Counter[str] = Counter()
        self.failed = False

    def all(self, reading: Reading, stream: IO[str]) -> None:
        """Convert every record of a source."""
        if self._array:
            stream.write("[\n")
        for record in reading:
            self._about(reading)
            if isinstance(record, BrokenRecord):
                self._leave_out(record.origin, record.findings)
            else:
                self._one(record, stream)
        self._about(reading)
        if self._array:
            stream.write("]\n")

    def _one(self, record: Record, stream: IO[str]) -> None:
        _say(record.origin.source, record.findings, record.origin)
        # what the reader had to leave out is missing in the new text as well
        self.failed |= any(entry(one.code).severity is Severity.ERROR for one in record.findings)
        text, losses = self._module.write(self._with_rules(record))
        self.losses.update(one.code for one in losses)
        if not text:
            self._leave_out(record.origin, losses)
            return
        _say(record.origin.source, losses, record.origin, record.id)
        stream.write((self._between if self.written else "") + text)
        self.written += 1

    def _with_rules(self, record: Record) -> Record:
        """Return the record with the rules it was judged by, where the format changes them.

        Records are judged by their format's default; without the tag a server's game
        would be judged by another order once it is written as `.skat`.
        """
        old = FORMAT_RULES.get(record.origin.format, OTHER_RULES)
        new = FORMAT_RULES.get(self._name, OTHER_RULES)
        own = record.tag("Rules")
        if own is None and old != new and self._name not in FORMAT_RULES:
            at = next((n for n, (key, _) in enumerate(record.tags) if key in SEAT_LETTERS), None)
            at = len(record.tags) if at is None else at
            tags = (*record.tags[:at], ("Rules", old), *record.tags[at:])
            return replace(record, tags=tags)
        if own == new and self._name in FORMAT_RULES:
            return replace(record, tags=tuple(tag for tag in record.tags if tag[0] != "Rules"))
        return record

    def _leave_out(self, origin: Origin, findings: Iterable[Diagnostic]) -> None:
        _say(origin.source, findings, origin)
        self.left_out += 1
        self.failed = True

    def _about(self, reading: Reading) -> None:
        found = reading.take_findings()
        if found:
            _say(reading.source, found)
            self.failed |= any(entry(one.code).severity is Severity.ERROR for one in found)

    def summary(self) -> str:
        """Return the counts in one line."""
        words = f"{self.written} records converted"
        if self.left_out:
            words += f", {self.left_out} left out"
        if self.losses:
            codes = ", ".join(f"{count} {code}" for code, count in sorted(self.losses.items()))
            words += f"; lost on the way: {codes}"
        return words


def _say(
    source: str, findings: Iterable[Diagnostic], origin: Origin | None = None, own_id: str = ""
) -> None:
    """Write findings to stderr, a line each."""
    for one in findings:
        span = one.span
        if span.line == 0 and origin is not None:
            span = origin.part(one.part) if one.part else origin.start()
        place = f"{source}:{span.line}:{span.column}" if span.line else source
        name = f" (record {own_id})" if own_id else ""
        text = f"{place}: {one.code} {entry(one.code).name} {message(one)}{name}"
        sys.stderr.write(clean(text) + "\n")
