"""`skatspec conform`: holding programs against the rules. The commands stand in their modules."""

from __future__ import annotations

import click

from skatspec.cli import LazyGroup

_COMMANDS = {
    "run": "skatspec.cli.conform_run",
    "smoke": "skatspec.cli.conform_smoke",
    "diff": "skatspec.cli.conform_diff",
    "matrix": "skatspec.cli.conform_matrix",
    "cases": "skatspec.cli.conform_cases",
    "export": "skatspec.cli.conform_export",
    "script": "skatspec.cli.conform_script",
    "perft": "skatspec.cli.conform_perft",
    "serve": "skatspec.cli.conform_serve",
    "generate": "skatspec.cli.conform_generate",
}


@click.group(cls=LazyGroup, modules=_COMMANDS, short_help="Hold a program against the rules.")
def command() -> None:
    """Hold another program against the rules.

    \b
    skatspec conform run -- ./engine      ask an engine the cases of the suite
    skatspec conform generate --games 1000 --seed 1 --format iss > games.sgf
    """
