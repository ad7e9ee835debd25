"""`skatspec conform export`: the suite in a folder, for other languages."""

from __future__ import annotations

import click

from skatspec.cli.conform_options import selection, suite_option


@click.command(short_help="Write the suite as plain JSON, to be vendored.")
@click.argument("folder", metavar="DIR")
@selection
@suite_option
def command(folder: str, select: tuple[str, ...], suite: str | None) -> int:
    """Write the cases into an empty folder: a JSON file each, with all schemas and digests.

    \b
    skatspec conform export skat-suite
    skatspec conform export skat-suite --select must --select isko
    """
    from skatspec.cli import CLEAN
    from skatspec.conformance.cases import load_suite, rules_of
    from skatspec.conformance.export import export

    count = export(load_suite(suite).select(select), rules_of(suite), folder)
    click.echo(f"{count} cases in {folder}", err=True)
    return CLEAN
