"""`skatspec conform generate`: made-up games by the million, sound ones and ones with a fault."""

from __future__ import annotations

import click

from skatspec.cli.options import set_option

_FORMATS = ("iss", "skat")
_OUT = "-"


@click.command(short_help="Make seeded legal games, or games with one fault each.")
@click.option("--games", type=click.IntRange(min=0), required=True, help="How many games.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other games.")
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default="iss", show_default=True,
    help="The format to write.",
)  # fmt: skip
@click.option(
    "--rules", metavar="NAME|FILE", default="iss", show_default=True,
    help="The rules that the games are played and settled by.",
)  # fmt: skip
@set_option
@click.option(
    "--mutate", type=click.FloatRange(0, 1), default=0.0, metavar="SHARE",
    help="The share (0 to 1) of records that carry exactly one fault.",
)  # fmt: skip
@click.option("--label", is_flag=True, help="Name each fault in a # line before its record.")
@click.option("--views/--no-views", default=True, help="Whether some ISS records hide cards.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="J",
    help="Processes that work; the output is the same for every number.",
)  # fmt: skip
@click.option("--output", metavar="FILE", default=_OUT, help="Where to write. [default: stdout]")
@click.option("--shares", is_flag=True, help="Count what was made, and print the shares on stderr.")
def command(
    games: int, seed: int, form: str, rules: str, settings: tuple[str, ...], mutate: float,
    label: bool, views: bool, jobs: int, output: str, shares: bool,
) -> int:  # fmt: skip
    """Make games that are legal and rightly scored, every construct in a stated share.

    The same options, seed and version give the same bytes, whatever --jobs. The first games
    of a seed are the same for every --games. With --mutate some records carry one fault, and
    do not say so unless --label.

    \b
    skatspec conform generate --games 1000 --seed 1 > games.sgf
    skatspec conform generate --games 1000000 --jobs 2 --output games.sgf
    skatspec conform generate --games 500 --format skat --rules isko --output games.skat
    skatspec conform generate --games 5000 --mutate 1 --label --output faults.sgf
    """
    from collections import Counter

    from skatspec.cli import CLEAN
    from skatspec.cli.targets import target
    from skatspec.conformance.generator.generate import Options
    from skatspec.conformance.generator.run import Order, pieces
    from skatspec.conformance.generator.shares import Counts, report

    order = Order(rules, settings, seed, games, Options(form, mutate, views), label, shares)
    counts: Counts = Counter()
    with target(output) as stream:
        for text, found in pieces(order, jobs):
            stream.write(text)
            counts.update(found)
    if shares:
        click.echo(report(counts, games), err=True, nl=False)
    return CLEAN
