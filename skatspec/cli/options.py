"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from skatspec.archive.engines import AUDIT, AUTO, ENGINES

set_option = click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE",
    help="Change one key of the rules, such as winning.points=62; may be given several times. "
    "`skatspec rules show` lists the keys.",
)  # fmt: skip


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say who decides ISS records: those of `archive.engines.Engines`."""
    audit = click.option(
        "--audit", type=click.IntRange(0), metavar="RATE", default=AUDIT, show_default=True,
        help="Of the records that the compiled engine takes, one in so many is checked again; "
        "0: none.",
    )  # fmt: skip
    jobs = click.option(
        "--jobs", type=click.IntRange(1), metavar="N",
        help="So many processes at once for large ISS files. [default: one a core]",
    )  # fmt: skip
    engine = click.option(
        "--engine", "mode", type=click.Choice(ENGINES), default=AUTO, show_default=True,
        help="Who decides ISS records: the compiled engine with the scalar one behind it, or "
        "that alone. What is found is the same.",
    )  # fmt: skip
    return engine(jobs(audit(command)))
