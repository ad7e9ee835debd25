"""Options that several commands share."""

from __future__ import annotations

import click

set_option = click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE",
    help="Change one key of the rules, such as winning.points=62; may be given several times. "
    "`skatspec rules show` lists the keys.",
)  # fmt: skip
