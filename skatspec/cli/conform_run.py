"""`skatspec conform run`: an engine is asked the cases of the suite."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from skatspec.cli.conform_options import (
    ending_well,
    engine_command,
    run_options,
    selection,
    suite_option,
)
from skatspec.conformance.cases import AGREEMENTS

if TYPE_CHECKING:
    from skatspec.conformance.outcome import Outcome

_FORMATS = ("text", "json", "junit")
_TOLD = 8  # cases of a task told one by one, unless all are asked for


@click.command(short_help="Ask an engine the cases of the suite.")
@selection
@suite_option
@click.option("--skip", metavar="FILE", help="Cases known to fail: an id a line, # and why.")
@click.option(
    "--agreement", "least", type=click.Choice(AGREEMENTS), default=AGREEMENTS[0],
    show_default=True, help="How far a check must agree; what is said must be right anyway.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N",
    help="So many processes of the engine at once.",
)  # fmt: skip
@click.option(
    "--restarts", type=click.IntRange(0), default=10, show_default=True, metavar="N",
    help="How often a faulty engine is started again.",
)  # fmt: skip
@click.option("--oneshot", is_flag=True, help="Start a process for each case.")
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True,
    help="What to print.",
)  # fmt: skip
@click.option(
    "--output", "outputs", multiple=True, metavar="FORMAT:PATH",
    help="Write a file as well; may be given several times.",
)  # fmt: skip
@click.option("--all", "every", is_flag=True, help="Tell every case that went wrong.")
@engine_command
def command(
    select: tuple[str, ...], suite: str | None, form: str, outputs: tuple[str, ...], every: bool,
    engine: tuple[str, ...], **limits: Any,
) -> int:  # fmt: skip
    """Ask an engine the cases of the suite, and compare its answers with the known ones.

    The engine is a command that reads a line of JSON for each question and writes one for each
    answer. A case that is not answered never counts as passed. A case asked under several
    profiles counts once, by its worst answer.

    \b
    skatspec conform run -- skatspec conform serve
    skatspec conform run --select legal --select isko -- node my-engine.mjs
    skatspec conform run --skip known.txt --format junit -- ./engine > report.xml
    skatspec conform run --output json:engine.json --jobs 2 -- ./engine --conform

    Leaves with 0 where cases were answered, none wrongly, and none of those asked was left out;
    with 2 where there is no such command, else with 1.
    """
    import shutil
    from dataclasses import replace

    from skatspec.cli import CLEAN, FOUND, USAGE
    from skatspec.cli.terminal import clean
    from skatspec.conformance.cases import load_suite
    from skatspec.conformance.manifest import edition, read
    from skatspec.conformance.runner import run
    from skatspec.diagnostics import message
    from skatspec.errors import UsageError

    targets = [_target(text) for text in outputs]
    found = load_suite(suite)
    cases = found.select(select)
    if not cases:
        for one in found.findings:
            click.echo(f"{one.code} {clean(message(one))}", err=True)
        raise UsageError("no case is selected" if select else f"there is no case in {suite}")
    with ending_well():
        outcome = run(engine, cases, run_options(**limits), _progress())
    number = edition(read()) if suite is None else 0
    outcome = replace(outcome, findings=(*found.findings, *outcome.findings), edition=number)
    for kind, path in [(form, "-"), *targets]:
        _write(outcome, kind, path, every, suite)
    if shutil.which(engine[0]) is None:
        return USAGE  # most likely the command is misspelled
    return CLEAN if outcome.is_green else FOUND


def _target(text: str) -> tuple[str, str]:
    from skatspec.errors import UsageError

    form, colon, path = text.partition(":")
    if not colon or form not in _FORMATS or not path:
        raise UsageError(f"--output {text}: FORMAT:PATH, with {', '.join(_FORMATS)}")
    return form, path


def _write(outcome: Outcome, form: str, path: str, every: bool, suite: str | None) -> None:
    from skatspec.cli.targets import target

    with target(path) as stream:
        stream.writelines(f"{line}\n" for line in _lines(outcome, form, stream, every, suite))


def _lines(
    outcome: Outcome, form: str, stream: Any, every: bool, suite: str | None
) -> Sequence[str]:  # fmt: skip
    from skatspec.cli.conform_text import lines
    from skatspec.cli.terminal import Paint
    from skatspec.conformance.junit import junit

    if form == "json":
        return [json.dumps(outcome.as_dict(), indent=1, ensure_ascii=False)]
    if form == "junit":
        return [junit(outcome).rstrip("\n")]
    return list(lines(outcome, Paint(stream), None if every else _TOLD, suite))


def _progress() -> Callable[[int, int], None] | None:
    """Return what shows on a terminal how far the run is, None where stderr is none."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        if done % _STEP == 0 or done == total:
            end = "\r\x1b[K" if done == total else ""
            click.echo(f"\r{done} of {total} questions{end}", nl=False, err=True)

    return show


_STEP = 25
