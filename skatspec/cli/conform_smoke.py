"""`skatspec conform smoke`: does an engine speak the protocol at all?"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from skatspec.cli.conform_options import ending_well, engine_command, run_options
from skatspec.cli.terminal import Paint, clean
from skatspec.conformance.smoke import Smoke, smoke
from skatspec.diagnostics import entry, message


@click.command(short_help="See whether an engine speaks the protocol at all.")
@engine_command
def command(engine: tuple[str, ...], **limits: Any) -> int:
    """Ask an engine one case of each task, and show what it says of itself.

    \b
    skatspec conform smoke -- node my-engine.mjs

    Leaves with 1 where the protocol is not kept; wrong answers are for `conform run`.
    """
    from skatspec.cli import CLEAN, FOUND

    with ending_well():
        found = smoke(engine, run_options(**limits).limits)
    for line in smoke_lines(found):
        click.echo(line)
    return FOUND if found.faults else CLEAN


def smoke_lines(found: Smoke) -> Iterator[str]:
    """Yield who the engine is, its first answers, and what is wrong with how it answers."""
    paint = Paint(sys.stdout)
    if found.engine:
        yield clean("engine: {name} {version}, {language}".format(**found.engine))
    for task, case, reply in found.replies:
        told = f": {reply.message}" if reply.message else ""
        yield paint.wrap(clean(f"{task:7} {reply.status:10} {case}{told}"), "", "    ")
    for one in found.outcome.findings:
        head = paint.severity(entry(one.code).severity, f"{one.code} {entry(one.code).name}")
        yield paint.wrap(f"{head}: {clean(message(one))}", "", "  ")
    yield "the protocol is not kept" if found.faults else "the protocol is kept"
