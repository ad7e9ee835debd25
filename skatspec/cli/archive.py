"""`skatspec archive`: files of millions of games. The commands stand in modules of their own."""

from __future__ import annotations

import click

from skatspec.cli import LazyGroup

_COMMANDS = {
    "check": "skatspec.cli.archive_check",
    "report": "skatspec.cli.archive_report",
    "show": "skatspec.cli.archive_show",
    "query": "skatspec.cli.archive_query",
    "recompress": "skatspec.cli.archive_recompress",
    "anonymise": "skatspec.cli.archive_anonymise",
}


@click.group(cls=LazyGroup, modules=_COMMANDS, short_help="Check archives of millions of games.")
def command() -> None:
    """Check archives of millions of ISS games, and ask what was found.

    \b
    skatspec archive check games.sgf.zst --to found/   one row a game, in Parquet parts
    skatspec archive report found/                     counts, worst examples, disputes
    skatspec archive show found/ --offset 123456       one game from the original file
    skatspec archive query found/ "SELECT ..."         any question, in SQL
    skatspec archive recompress games.sgf.bz2          once, for parts read in parallel
    skatspec archive anonymise games.sgf --out anonymous/ --key names.key
    """
