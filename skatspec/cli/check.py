"""`skatspec check`: which records hold, and what is wrong with the others."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from skatspec.cli import CLEAN, FOUND, OWN_FAULT
from skatspec.cli.options import engine_options, set_option
from skatspec.formats.registry import FORMATS

OUTPUTS = ("text", "concise", "json", "jsonl")


@click.command(short_help="Check records: which hold, and what is wrong with the others.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--rules", metavar="NAME|FILE",
    help="Judge every record by these rules: a name of `skatspec rules list`, or a YAML file. "
    "Without it a record's own Rules tag counts, else its format's default.",
)  # fmt: skip
@set_option
@click.option("--format", "form", type=click.Choice(OUTPUTS), help="What to print. [default: text]")
@click.option(
    "--output", "outputs", multiple=True, metavar="FORMAT[:PATH]",
    help="Write an output to a file as well; may be given several times. "
    "Without a path it takes the place of --format.",
)  # fmt: skip
@click.option(
    "--input-format", type=click.Choice(list(FORMATS)),
    help="What the files hold; detected from their content otherwise.",
)  # fmt: skip
@click.option(
    "--select", multiple=True, metavar="CODES",
    help="Only these findings: codes, beginnings of codes or names, with commas between.",
)  # fmt: skip
@click.option("--ignore", multiple=True, metavar="CODES", help="Not these findings.")
@click.option(
    "--fail-on", multiple=True, type=click.Choice(("undetermined", "warning")),
    help="Leave with 1 for these as well.",
)  # fmt: skip
@engine_options
@click.option("--require-records", is_flag=True, help="Leave with 1 where a file has no records.")
@click.option("--exit-zero", is_flag=True, help="Leave with 0 whatever is found.")
@click.option("-v", "--verbose", is_flag=True, help="List consistent records and notes, too.")
@click.option("-q", "--quiet", is_flag=True, help="Leave the summary out of the text output.")
def command(
    paths: tuple[str, ...],
    rules: str | None,
    settings: tuple[str, ...],
    form: str | None,
    outputs: tuple[str, ...],
    input_format: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: tuple[str, ...],
    require_records: bool,
    exit_zero: bool,
    verbose: bool,
    quiet: bool,
    **engines: Any,
) -> int:
    """Check every record of files, folders or standard input (`-`).

    A record is consistent, contradicted, undetermined (it does not say enough; the possible
    values are listed) or unreadable. Files may be packed (gz, bz2, xz, zst, zip). In folders
    the files with known suffixes are checked: .skat, .sgf, .iss, .json, .jsonl, .log.

    A filter decides what is shown and what counts for the exit code; verdicts stay as they
    are. The longest match among --select and --ignore decides, at equal length --ignore.

    \b
    skatspec check games.sgf
    skatspec check --rules iss-client --format concise archive/
    skatspec check - --format jsonl < games.skat > reports.jsonl
    skatspec check games.sgf --output json:out.json --select S --ignore S009,S010

    Leaves with 1 if a record is contradicted or unreadable, or a finding is an error;
    with 2, and before anything is read, if one of the paths does not exist.
    """
    from skatspec.archive.engines import Engines
    from skatspec.archive.pool import settle_in
    from skatspec.cli.checking import Checker
    from skatspec.cli.codes import Selection
    from skatspec.cli.outputs import open_outputs
    from skatspec.cli.run import Run
    from skatspec.cli.sources import STDIN, require
    from skatspec.cli.summary import Failing, Summary
    from skatspec.cli.targets import output_specs
    from skatspec.judging import Judge, named_rules

    specs = output_specs(form, outputs, OUTPUTS)
    judge = Judge(named_rules(rules, settings), in_order=True)
    selection = Selection(select, ignore)
    require(paths)
    failing = Failing("undetermined" in fail_on, "warning" in fail_on, require_records)
    summary = Summary(failing)
    settle_in()
    with ExitStack() as stack:
        opened = open_outputs(specs, paths, verbose, quiet, stack)
        written = frozenset(Path(path).resolve() for _, path in specs if path != STDIN)
        checker = Checker(judge, selection, [one.renderer for one in opened], failing)
        Run(checker, opened, summary, Engines(**engines), input_format, written).all(paths)
    if summary.disagreements:
        return OWN_FAULT
    return FOUND if summary.failed and not exit_zero else CLEAN
