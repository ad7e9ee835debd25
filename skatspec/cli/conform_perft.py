"""`skatspec conform perft`: how many sequences of legal cards a deal allows."""

from __future__ import annotations

import click

from skatspec.cli.options import set_option
from skatspec.rules.tables import CONTRACTS


@click.command(short_help="Count the legal sequences of cards of a deal.")
@click.option(
    "--deal", required=True, metavar="CARDS",
    help="32 cards as the ISS writes them, with dots: forehand, middlehand, rearhand, skat.",
)  # fmt: skip
@click.option(
    "--contract", required=True, type=click.Choice(CONTRACTS, case_sensitive=False),
    help="The game that is played.",
)  # fmt: skip
@click.option(
    "--depth", type=click.IntRange(1), default=6, show_default=True,
    help="The length of the longest sequences, in cards.",
)  # fmt: skip
@click.option("--rules", default="isko", show_default=True, metavar="NAME|FILE", help="The rules.")
@set_option
def command(
    deal: str, contract: str, depth: int, rules: str, settings: tuple[str, ...]
) -> int:  # fmt: skip
    """Count the legal sequences of 1, 2, 3 ... cards: a line each, `depth count`.

    Forehand has the first ten cards and leads, the hands play as dealt, the skat stays aside,
    the winner of a trick leads, and nothing ends the deal early. One wrong duty to follow
    changes a count.

    \b
    skatspec conform perft --contract grand --depth 6 --deal \\
      D9.H8.ST.S9.DJ.C8.CQ.CJ.CA.H7.S8.HT.DK.SQ.HK.C7.HQ.DQ.CK.SJ.HJ.HA.SK.SA.CT.DA.C9.D7.D8.DT.H9.S7
    """
    from skatspec.cli import CLEAN
    from skatspec.conformance.deal import hands_of
    from skatspec.engine.perft import perft
    from skatspec.rules import load_rules

    tables = load_rules(rules, settings).tables
    hands = hands_of(deal)
    dealt = sum(hand.bit_count() for hand in hands)
    counts = perft(tables, CONTRACTS.index(contract), hands, min(depth, dealt))
    for length, count in enumerate(counts, 1):
        click.echo(f"{length} {count}")
    return CLEAN
