"""`skatspec convert`: records from one format to another, every loss named."""

from __future__ import annotations

import os
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePath
from typing import IO

import click

from skatspec.cli import CLEAN, FOUND
from skatspec.cli.sources import STDIN, require_file
from skatspec.cli.targets import target
from skatspec.cli.terminal import clean, count
from skatspec.diagnostics import Diagnostic, Severity, Span, entry, message
from skatspec.errors import UsageError
from skatspec.formats.registry import FORMATS, FormatModule, Reading, by_suffix, open_records
from skatspec.judging import FORMAT_RULES, OTHER_RULES, rules_of_tag
from skatspec.record import SEAT_LETTERS, BrokenRecord, Origin, Record

# Where in a record stands what a code names: the part that its slot `what` belongs to.
_PART = {"X001": "tag", "X003": "tag", "X005": "result", "X006": "deal"}
_MOST_RULES = 20


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
@click.option(
    "--rules", metavar="NAME",
    help="The rules that records without a Rules tag were played by. [default: IN's format's]",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Do not say how many records were converted.")
def command(
    source: str, out: str, to: str | None, from_: str | None, rules: str | None, quiet: bool
) -> int:
    """Convert the records of IN to another format, and write them to OUT.

    `-` is standard input, or output (which needs --to). What has no place in the new format
    is named on stderr, a line each, and counted. Records that cannot be read, or not be
    written at all, are left out, and the others written. If none can be converted, OUT
    stays as it is; OUT cannot be IN. An OUT with the suffix .json becomes one array;
    otherwise JSON is a record a line.

    An ISS record without a Rules tag gets one, `iss`, so that its verdict stays the same.
    An XSkat log does not say by which switches it was played: --rules does. ISS itself has
    no place for other rules: the copy must then be checked with --rules, which stderr says.
    What is written for XSkat (.deal) is its file of predefined deals, cards alone.

    \b
    skatspec convert games.sgf games.skat
    skatspec convert games.sgf.bz2 - --to json | jq .result
    skatspec convert games.log games.skat --rules "xskat -ramsch -kontra"
    skatspec convert game.skat game.sgf

    Leaves with 1 if a record, or a part of one, could not be read or written; losses alone
    leave with 0.
    """
    to = to or (None if out == STDIN else by_suffix(out, out=True))
    if to is None:
        raise UsageError(f"--to is needed: {out} does not say the format ({', '.join(FORMATS)})")
    if out != STDIN and by_suffix(out, out=True) not in (to, None):
        click.echo(f"skatspec: {clean(out)} will hold {to} records all the same", err=True)
    if rules is not None and rules_of_tag(rules) is None:
        raise UsageError(f"a record can name packaged rules only, not {rules!r}")
    require_file(source)
    if _one_file(source, out):
        where = "standard output" if out == STDIN else out
        raise UsageError(f"{where} is the file that is read; name another one for the copy")
    reading = open_records(source, from_)
    array = to == "json" and PurePath(out).suffix.lower() == ".json"
    conversion = _Conversion(FORMATS[to].load(), to, array, out, rules)
    with target(out, conversion.worth_it) as stream:
        conversion.all(reading, stream)
    if not quiet or not conversion.kept:
        click.echo(clean(conversion.summary()), err=True)
    for line in conversion.rules_to_name():
        click.echo(clean(line), err=True)
    if reading.format == "xskat" and to != "xskat" and rules is None and conversion.written:
        default = FORMAT_RULES["xskat"]
        click.echo(
            f"The log does not say by which switches it was played: {default} is written; "
            "--rules names others",
            err=True,
        )
    return FOUND if conversion.failed else CLEAN


def _one_file(source: str, out: str) -> bool:
    """Say whether both are the same file, through links or standard input and output too."""
    one, other = _status(source, sys.stdin), _status(out, sys.stdout)
    if one is None or other is None or not stat.S_ISREG(one.st_mode):
        return False
    return os.path.samestat(one, other)


def _status(path: str, stream: IO[str]) -> os.stat_result | None:
    try:
        return os.fstat(stream.fileno()) if path == STDIN else Path(path).stat()
    except (OSError, ValueError):  # not there yet, or no file at all
        return None


class _Conversion:
    """Converts records one by one and counts what was lost."""

    def __init__(
        self, module: FormatModule, name: str, array: bool, out: str, rules: str | None
    ) -> None:
        self._module = module
        self._played_by = rules
        self._out = out
        self._name = name
        self._between = {"skat": "\n", "json": "," if array else ""}.get(name, "")
        self._array = array
        self.written = self.left_out = 0
        self.losses: Counter[str] = Counter()
        self._rules: Counter[str] = Counter()
        self.failed = False
        self.kept = True

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
        self._note_rules(record)
        _say(record.origin.source, losses, record.origin, record.id)
        stream.write((self._between if self.written else "") + text)
        self.written += 1

    def _with_rules(self, record: Record) -> Record:
        """Return the record with the rules it was judged by, where the format changes them.

        Records are judged by their format's default; without the tag a server's game
        would be judged by another order once it is written as `.skat`.
        """
        old = self._played_by or FORMAT_RULES.get(record.origin.format, OTHER_RULES)
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

    def _note_rules(self, record: Record) -> None:
        """Count a record that the new format's default would judge by other rules."""
        default = FORMAT_RULES.get(self._name)
        own = record.tag("Rules") or self._played_by
        own = own or FORMAT_RULES.get(record.origin.format, OTHER_RULES)
        if default is not None and own != default:
            # strangers may name as many rules as they have records: the rest is counted as one
            known = own in self._rules or len(self._rules) < _MOST_RULES
            self._rules[own if known else ""] += 1

    def worth_it(self) -> bool:
        """Say whether what was written may replace OUT, and remember it.

        Nothing replaces a file; only a source without any record, and without a fault,
        becomes a new file without any.
        """
        new = self._out == STDIN or not Path(self._out).exists()
        self.kept = self.written > 0 or (new and not self.failed)
        self.failed |= not self.kept
        return self.kept

    def summary(self) -> str:
        """Return the counts in one line."""
        words = f"{count(self.written, 'record')} converted"
        if self.left_out:
            rest = f"; {self._out} holds the others" if self.kept and self._out != STDIN else ""
            words += f", {self.left_out} left out (named above){rest}"
        if not self.kept:
            there = "is left as it was" if Path(self._out).exists() else "is not written"
            words += f"; {self._out} {there}"
        if self.losses:
            codes = ", ".join(f"{number} {code}" for code, number in sorted(self.losses.items()))
            words += f"; lost on the way: {codes}"
        return words

    def rules_to_name(self) -> Iterator[str]:
        """Yield a line for each set of rules that the copy must be checked by, told by hand."""
        default, place = FORMAT_RULES.get(self._name, OTHER_RULES), self._name.upper()
        if self._name == "xskat":
            return  # cards alone are written, and nothing of them is judged
        for rules, number in self._rules.most_common() if self.kept else ():
            asked = f'"{rules}"' if " " in rules else rules
            use = f"check the copy with --rules {asked}, " if rules else ""
            yield (
                f"Rules {rules or 'of other names'} has no place in {place}: {use}"
                f"else it is judged by {default} ({count(number, 'record')})"
            )


def _say(
    source: str, findings: Iterable[Diagnostic], origin: Origin | None = None, own_id: str = ""
) -> None:
    """Write findings to stderr, a line each."""
    for one in findings:
        span = one.span if origin is None else _place(one, origin)
        place = f"{source}:{span.line}:{span.column}" if span.line else source
        name = f" (record {own_id})" if own_id else ""
        text = f"{place}: {one.code} {entry(one.code).name}: {message(one)}{name}"
        sys.stderr.write(clean(text) + "\n")


def _place(one: Diagnostic, origin: Origin) -> Span:
    """Return where in the record a finding stands, its first line where nothing says it."""
    if one.span.line:
        return one.span
    if one.step:
        return origin.step(one.step)
    what = dict(one.slots).get("what", "").removeprefix("the tag ")
    part = one.part or (f"{_PART[one.code]}/{what}" if one.code in _PART else "")
    return origin.part(part) if part else origin.start()
