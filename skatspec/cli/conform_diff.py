"""`skatspec conform diff`: made-up games are put to an engine until it and skatspec disagree."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skatspec.cli.conform_options import ending_well, engine_command, run_options
from skatspec.cli.options import set_option

if TYPE_CHECKING:
    from skatspec.cli.terminal import Paint
    from skatspec.conformance.difference.differential import Found, Order, Outcome
    from skatspec.conformance.process import Limits

_FORMATS = ("skat", "iss")
_TASKS = ("check", "settle", "legal")
_STEP = 10
_ENTRY = "    "


@click.command(short_help="Put made-up games to an engine until it disagrees.")
@click.option("--games", type=click.IntRange(min=1), required=True, help="At most so many games.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other games.")
@click.option(
    "--rules", metavar="NAME", default="isko", show_default=True,
    help="Packaged rules that the games are played and settled by.",
)  # fmt: skip
@set_option
@click.option(
    "--mutate", type=click.FloatRange(0, 1), default=0.5, show_default=True, metavar="SHARE",
    help="The share (0 to 1) of records that carry exactly one fault.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default="skat", show_default=True,
    help="The format of the records.",
)  # fmt: skip
@click.option(
    "--task", "tasks", type=click.Choice(_TASKS), multiple=True,
    help="Ask only this; may be given several times. [default: all that the engine knows]",
)  # fmt: skip
@click.option("--output", "folder", metavar="DIR", default=".", help="Where to write. [default: .]")
@click.option(
    "--keep-going", is_flag=True, help="Go on, and tell one disagreement of each further kind."
)
@click.option("--no-shrink", is_flag=True, help="Write each question as it was asked.")
@engine_command
def command(
    games: int, seed: int, rules: str, settings: tuple[str, ...], mutate: float, form: str,
    tasks: tuple[str, ...], folder: str, keep_going: bool, no_shrink: bool,
    engine: tuple[str, ...], **limits: Any,
) -> int:  # fmt: skip
    """Make up games, ask an engine about each, and compare with what skatspec says.

    The engine is a command as for `conform run`. Of each game it is asked, as far as it knows
    the tasks: whether its record holds (check), what its facts are worth (settle), which
    cards may follow and who takes a trick (legal). At the first disagreement the question is
    made as small as it can be and written as a case, a record as a file besides.

    \b
    skatspec conform diff --games 1000 -- skatspec conform serve
    skatspec conform diff --games 5000 --seed 7 --task legal -- node my-engine.mjs
    skatspec conform diff --games 1000 --keep-going --output found -- ./engine

    Leaves with 0 where nothing differed, with 1 at a disagreement, a fault of the engine or
    where no question was answered, with 2 for wrong usage.
    """
    from skatspec.conformance.difference.differential import Order

    order = Order(
        games, seed, rules, settings, form, mutate, tasks or _TASKS, keep_going, not no_shrink
    )
    return _run(engine, order, run_options(**limits).limits, folder)


def _run(engine: Sequence[str], order: Order, limits: Limits, folder: str) -> int:
    """Compare, print what is found as it is found, and return the exit code."""
    import shlex
    import shutil

    from skatspec.cli import CLEAN, FOUND, USAGE
    from skatspec.cli.terminal import Paint
    from skatspec.conformance.difference.differential import run
    from skatspec.conformance.difference.found_case import write
    from skatspec.errors import UsageError

    paint, target = Paint(sys.stdout), Path(folder)
    if target.exists() and not target.is_dir():
        raise UsageError(f"--output {folder} is no folder")

    def told(found: Found, identity: Mapping[str, str]) -> None:
        try:
            files = write(found, order, identity, target)
        except OSError as error:
            raise UsageError(f"cannot write into {folder}: {error.strerror}") from None
        for line in _told(found, order, files, paint):
            click.echo(line)

    with ending_well():
        outcome = run(engine, order, limits, told, _progress())
    for line in _summary(outcome, order, paint):
        click.echo(line)
    if outcome.found:
        again = ["skatspec", "conform", "run", "--suite", folder, "--select", "diff", "--", *engine]
        click.echo(f"ask again: {_clean(shlex.join(again))}")
    if shutil.which(engine[0]) is None:
        return USAGE  # most likely the command is misspelled
    return CLEAN if outcome.is_clean else FOUND


def _clean(text: str) -> str:
    from skatspec.cli.terminal import clean

    return clean(text)


def _told(found: Found, order: Order, files: Sequence[Path], paint: Paint) -> Iterator[str]:
    """Yield the lines about one disagreement."""
    from skatspec.cli.terminal import count
    from skatspec.conformance.difference.found_case import cited, rules_of, shown
    from skatspec.diagnostics import entry, message

    first, difference = found.first, found.difference
    fault = difference.said.fault
    word = paint("DISAGREE" if fault is None else "NO ANSWER", fg="red", bold=True)
    carries = f", its record with {first.mutation}" if first.mutation else ""
    yield f"{word} game {first.game + 1} of seed {order.seed} ({first.task}{carries})"
    theirs = (
        shown(difference.said.result) if fault is None
        else f"{fault.code} {entry(fault.code).name}: {message(fault)}"
    )  # fmt: skip
    rows = [] if "record" in found.given else [("asked", shown(found.given))]
    rows += [("skatspec", shown(difference.ours)), ("engine", theirs)]
    if fault is None:
        rows.append(("differs", "; ".join(difference.words)))
    rows.append(("rule", cited(found, rules_of(order))))
    if not found.alone:
        rows.append(("note", "a new process, asked this alone, did not do it again"))
    elif found.asked:
        size = _size(first.given) + _size(found.given, before=" to ")
        rows.append(("shrunk", f"{size} with {count(found.asked, 'question')}".strip()))
    rows += [("case" if at == 0 else "record", str(path)) for at, path in enumerate(files)]
    for head, text in rows:
        yield paint.wrap(_clean(f"{head + ':':<10}{text}"), _ENTRY, _ENTRY + " " * 10)
    yield ""


def _size(given: dict[str, Any], before: str = "") -> str:
    """Return how large a question is, in what a reader has to read; empty for a few facts."""
    from skatspec.cli.terminal import count

    if "record" in given:
        text = given["record"]
        return f"{before}{count(len(text.splitlines()), 'line')} ({len(text)} characters)"
    return f"{before}{count(len(given['hand']), 'card')}" if "hand" in given else ""


def _summary(outcome: Outcome, order: Order, paint: Paint) -> Iterator[str]:
    """Yield how many questions were asked, what became of them, and the last word."""
    from skatspec.cli.columns import column_lines
    from skatspec.cli.terminal import count
    from skatspec.conformance.difference.differential import AGREED, DIFFERS, SKIPPED, UNANSWERED
    from skatspec.diagnostics import entry, message

    statuses = (AGREED, DIFFERS, SKIPPED, UNANSWERED)
    for task, reason in outcome.left_out.items():
        yield _clean(f"not asked: {task}: {reason}")
    for reason, number in outcome.reasons.most_common():
        yield _clean(f"skipped {number}: {reason}")
    for one in (*outcome.notes, *([outcome.ended] if outcome.ended else [])):
        head = paint.severity(entry(one.code).severity, f"{one.code} {entry(one.code).name}")
        yield paint.wrap(f"{head}: {_clean(message(one))}", "", "  ")
    table = [
        [task, str(found.total()), *(str(found[status]) for status in statuses)]
        for task, found in outcome.counts.items()
    ]
    if table:
        heads = ["task", "questions", *statuses]
        yield from column_lines(heads, table, [False] + [True] * (len(heads) - 1))
        yield ""
    name = "{name} {version}".format_map(outcome.engine) if outcome.engine else "the engine"
    games, asked = count(outcome.games, "game"), count(outcome.questions, "question")
    word = paint("no disagreement", fg="green", bold=True)
    if not outcome.is_clean:
        word = paint(_bad_word(outcome), fg="red", bold=True)
    yield f"{word}: {_clean(name)}, {games} of seed {order.seed}, {asked}"


def _bad_word(outcome: Outcome) -> str:
    from skatspec.cli.terminal import count

    if outcome.found:
        return count(len(outcome.found), "disagreement")
    return "given up" if outcome.ended else "nothing compared"


def _progress() -> Callable[[int, int], None]:
    """Return what shows on a terminal how far the run is; elsewhere it shows nothing."""

    def show(done: int, total: int) -> None:
        if done % _STEP == 0 or done == total:
            end = "\r\x1b[K" if done == total else ""
            click.echo(f"\r{done} of {total} games{end}", nl=False, err=True)

    return show if sys.stderr.isatty() else lambda done, total: None
