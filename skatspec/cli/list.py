"""`skatspec list`: lists of an evening, matches, tournaments; the commands are other modules."""

from __future__ import annotations

import click

from skatspec.cli import LazyGroup

_COMMANDS = {
    "check": "skatspec.cli.list_check",
    "standings": "skatspec.cli.list_standings",
    "sheet": "skatspec.cli.list_sheet",
    "anonymise": "skatspec.cli.list_anonymise",
}


@click.group(cls=LazyGroup, modules=_COMMANDS, short_help="Check lists and rank the players.")
def command() -> None:
    """Check the lists of an evening, find what is in dispute, rank the players.

    \b
    skatspec list check table-7.csv       every value, total and place of a list
    skatspec list standings lists/        the standings over all lists of a folder
    """
