"""`skatspec settle`: what a game is worth, from loose facts, line by line with its rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import click
from click.core import ParameterSource

from skatspec import settling, settling_ramsch
from skatspec.cli import CLEAN, FOUND, settle_ramsch
from skatspec.cli.items import item_lines, other_games
from skatspec.cli.options import set_option
from skatspec.cli.terminal import Paint, clean, numbers
from skatspec.cli.text import game_name
from skatspec.diagnostics import Verdict
from skatspec.errors import UsageError
from skatspec.record import DOUBLES, RAMSCH
from skatspec.rules import Rules, load_rules
from skatspec.rules.tables import CONTRACTS, GAMES
from skatspec.settling import ENDINGS, MADE, MISSED, PLAYED_OUT, Answer, Question
from skatspec.settling_ramsch import RamschQuestion

_COVERING = [name for name in CONTRACTS if name != "null"]

_WITH = "with or without"
_WORDS = {"bid": "the bid", "cards": "the declarer's cards"}
_HOW_TO_TELL = {
    "bid": "--bid N, or --no-bid to leave it out of account",
    "matadors": "--matadors with:N or without:N, or --cards",
    "points": "--points N",
    "tricks": "--tricks N",
}


@click.command(short_help="Settle a game from its facts, each line with its rule.")
@click.option(
    "--contract", required=True, type=click.Choice(GAMES, case_sensitive=False),
    help="The game declared, or ramsch.",
)  # fmt: skip
@click.option("--hand", is_flag=True, help="Hand, announced.")
@click.option(
    "--announce", multiple=True, metavar="LEVELS",
    help="schneider, schwarz or both, with a comma between; with --hand.",
)  # fmt: skip
@click.option("--ouvert", is_flag=True, help="Ouvert, with all that it includes.")
@click.option("--matadors", metavar="with:N|without:N", help="The run of matadors, skat included.")
@click.option("--cards", metavar="CARDS", help='The declarer\'s twelve instead: "CJ SJ HA ...".')
@click.option("--bid", type=int, metavar="N", help="The last value called or held.")
@click.option("--no-bid", is_flag=True, help="Test no bid.")
@click.option("--points", type=int, metavar="N", help="The declarer's card points with the skat.")
@click.option("--tricks", type=int, metavar="N", help="The declarer's tricks.")
@click.option(
    "--ending", type=click.Choice(ENDINGS), default=PLAYED_OUT, show_default=True,
    help="How the game ended.",
)  # fmt: skip
@click.option(
    "--choice", type=click.Choice(_COVERING, case_sensitive=False),
    help="The game that a Null below its bid is charged as. [default: the cheapest]",
)  # fmt: skip
@click.option(
    "--spitze", type=click.Choice((MADE, MISSED)),
    help="A Spitze was announced, and made or missed.",
)  # fmt: skip
@click.option(
    "--kontra", type=int, default=0, metavar="N",
    help="How many calls doubled the game: 1 Kontra, 2 Re, 3 Bock, 4 Hirsch.",
)  # fmt: skip
@click.option("--bock", is_flag=True, help="The deal belongs to a Bock round.")
@click.option("--each-points", metavar="F/M/R", help="Ramsch: card points in the tricks of each.")
@click.option("--each-tricks", metavar="F/M/R", help="Ramsch: tricks of each; ? for an open one.")
@click.option("--skat-points", type=int, metavar="N", help="Ramsch: the skat's card points.")
@click.option(
    "--last-trick", default="", metavar="F|M|R",
    help="Ramsch: who won the last trick; FM: and whose last trick came next to it.",
)  # fmt: skip
@click.option(
    "--doublings", type=int, default=0, metavar="N",
    help="Ramsch: how many left the skat lying, or knocked.",
)  # fmt: skip
@click.option("--rules", default="isko", show_default=True, metavar="NAME|FILE", help="The rules.")
@set_option
@click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True,
    help="What to print.",
)  # fmt: skip
def command(rules: str, settings: tuple[str, ...], form: str, **facts: Any) -> int:
    """Settle a game from its facts; each line of the answer names its rule and edition.

    What is not said stays open: where it matters the answer is undetermined, with the values
    that are possible. Without --tricks, card points tell who has one as far as they can.
    Under rules by which a game given up is settled as it stands, --points and --tricks are
    those after the award.

    \b
    skatspec settle --contract hearts --matadors with:2 --bid 33 --points 72
    skatspec settle --contract clubs --hand --announce schneider \\
                    --matadors with:1 --bid 48 --points 89 --tricks 8
    skatspec settle --contract null --bid 24 --tricks 0 \\
                    --cards "CJ SJ HJ DJ CA C8 S7 S8 H7 H8 D7 D8" --choice grand
    skatspec settle --rules xskat-skattoloser --contract ramsch \\
                    --each-points 0/51/55 --each-tricks 1/4/5 --skat-points 14

    Leaves with 1 where the facts cannot be together.
    """
    loaded = load_rules(rules, settings)
    asked, answer = _answer(facts, loaded)
    if form == "json":
        click.echo(json.dumps(answer.as_dict(), indent=2))
    else:
        for line in _lines(asked, answer, loaded, Paint(sys.stdout)):
            click.echo(line)
    return FOUND if answer.findings else CLEAN


# What is asked of a Ramsch, by the words of its question; `bock` is asked of every game.
_EACH = {
    "each_points": "points", "each_tricks": "tricks", "skat_points": "skat",
    "last_trick": "last_trick", "doublings": "doublings", "bock": "bock",
}  # fmt: skip


def _answer(facts: dict[str, Any], rules: Rules) -> tuple[Question | RamschQuestion, Answer]:
    """Ask what the facts are about: a declared game, or a Ramsch with its figures a seat."""
    is_ramsch = facts["contract"] == RAMSCH
    own = {name for name in facts if (name in _EACH) == is_ramsch} | {"contract", "bock"}
    said = click.get_current_context().get_parameter_source
    for name in facts:
        if name not in own and said(name) is ParameterSource.COMMANDLINE:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} does not go with --contract {facts['contract']}")
    if is_ramsch:
        ramsch = settling_ramsch.question(**{word: facts[name] for name, word in _EACH.items()})
        return ramsch, settling_ramsch.settle(ramsch, rules)
    declared = settling.question(**{name: facts[name] for name in own})
    return declared, settling.settle(declared, rules)


def _lines(
    asked: Question | RamschQuestion, answer: Answer, rules: Rules, paint: Paint
) -> Iterator[str]:
    facts = settle_ramsch.facts(asked) if isinstance(asked, RamschQuestion) else _facts(asked)
    yield paint(facts, bold=True)
    yield f"rules: {clean(rules.name)} ({clean(rules.profile.title)})"
    yield ""
    if answer.verdict is Verdict.CONTRADICTED:
        yield from _objections(answer, paint)
    elif isinstance(asked, RamschQuestion):
        is_open = answer.verdict is Verdict.UNDETERMINED
        lines = settle_ramsch.open_lines if is_open else settle_ramsch.settled_lines
        yield from lines(answer, paint)
    elif answer.verdict is Verdict.UNDETERMINED:
        yield from _open(asked, answer, rules, paint)
    else:
        yield from _settled(asked, answer, paint)


def _facts(asked: Question) -> str:
    """Return the facts in one line."""
    words = [game_name(GAMES[asked.contract], asked.modifiers)]
    if asked.matadors:
        words.append(f"{'with' if asked.matadors > 0 else 'without'} {abs(asked.matadors)}")
    if asked.bid is not None:
        words.append(f"bid {asked.bid}")
    if asked.points is not None:
        words.append(f"{asked.points} points")
    if asked.tricks is not None:
        words.append(f"{asked.tricks} trick{'' if asked.tricks == 1 else 's'}")
    if asked.ending != PLAYED_OUT:
        words.append(asked.ending.replace("-", " "))
    if asked.spitze:
        words.append(f"Spitze {asked.spitze}")
    words += [call.capitalize() for call in DOUBLES[: max(0, asked.kontra)]]
    if asked.bock:
        words.append("Bock round")
    return ", ".join(words)


def _objections(answer: Answer, paint: Paint) -> Iterator[str]:
    yield f"{paint.verdict(answer.verdict)}: these facts cannot be together"
    for one in answer.findings:
        head = paint.severity(one.severity, f"{one.code} {one.name}")
        yield paint.wrap(f"{head}: {clean(one.message)}", "  ", "      ")
        if one.expected and one.expected not in one.message:
            yield paint.wrap(f"expected: {clean(one.expected)}", "      ")
        if one.rule:
            yield paint.dim(paint.wrap(f"rule: {clean(one.rule)}", "      "))


def _open(asked: Question, answer: Answer, rules: Rules, paint: Paint) -> Iterator[str]:
    depends = " and ".join(_WORDS.get(name, name) for name in answer.missing)
    if answer.won is None:
        text = f"it depends on {depends}"
    else:
        text = f"{'won' if answer.won else 'lost'} in any case; the value depends on {depends}"
    yield paint.wrap(f"{paint.verdict(answer.verdict)}: {text}", "", "  ")
    for name, values in answer.admissible.items():
        yield paint.wrap(f"{name}: {numbers(values, name == 'score')}", "  ", "    ")
    for name in answer.missing:
        how = _how_to_tell_cards(asked, rules) if name == "cards" else _HOW_TO_TELL.get(name)
        if how:
            yield paint.wrap(f"give {how}", "  ", "    ")


def _how_to_tell_cards(asked: Question, rules: Rules) -> str:
    """Return what settles a Null below its bid: a run as long as any suit can tell, or cards."""
    most = settling.shared_matadors(rules.tables)
    cards = "--cards, the declarer's twelve: "
    if asked.matadors is not None:
        return f"{cards}from {_WITH} {most + 1} on, matadors differ by suit"
    return (
        f"--matadors with:N or without:N, N from 1 to {most}, or {cards}"
        f"from {_WITH} {most + 1} on, matadors differ by suit"
    )


def _settled(asked: Question, answer: Answer, paint: Paint) -> Iterator[str]:
    yield from item_lines(answer.lines, paint)
    yield ""
    won = paint("won", fg="green") if answer.won else paint("lost", fg="red")
    yield f"value {answer.value}, {won}, score {answer.score:+d}"
    if answer.alternatives and asked.choice is None:
        yield paint.wrap(other_games(answer.alternatives), "", "  ")
