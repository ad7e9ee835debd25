"""`skatspec conform`: holding programs against the rules. The commands stand in their modules."""

from __future__ import annotations

import click

from skatspec.cli import LazyGroup

_COMMANDS = {
    "generate": "skatspec.cli.conform_generate",
}


@click.group(cls=LazyGroup, modules=_COMMANDS, short_help="Hold a program against the rules.")
def command() -> None:
    """Hold another program against the rules.

    \b
    skatspec conform generate --games 1000 --seed 1 --format iss > games.sgf
    """
