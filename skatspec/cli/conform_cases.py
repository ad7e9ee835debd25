"""`skatspec conform cases`: what the suite holds, and one case in full."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence

import click

from skatspec.cli.conform_options import suite_option
from skatspec.conformance.cases import Case

_FORMATS = ("text", "ids", "json", "jsonl")


@click.command(short_help="List the cases of the suite, or show one in full.")
@click.argument("words", nargs=-1, metavar="[WORD...]")
@suite_option
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True,
    help="A table, ids alone, or the whole cases.",
)  # fmt: skip
@click.option("--record", is_flag=True, help="Print the record of one case, byte for byte.")
def command(words: tuple[str, ...], suite: str | None, form: str, record: bool) -> int:
    """List the cases that all words mean, as `conform run --select` does; an id alone shows it.

    A word is a task (legal, check, settle, list, perft), a level (must, should, house), a
    tag, a profile, an id, or an id with * for any letters; alternatives stand with commas, and
    ! before a word takes the others.

    \b
    skatspec conform cases legal isko
    skatspec conform cases 'P004*'
    skatspec conform cases u04-89-is-not-schneider
    skatspec conform cases '*89*'
    skatspec conform cases --record P004-revoke | skatspec check -
    skatspec conform cases --suite my-cases

    Leaves with 1 where a file of --suite is no case.
    """
    from skatspec.cli import CLEAN, FOUND
    from skatspec.cli.terminal import Paint, clean
    from skatspec.conformance.cases import load_suite
    from skatspec.diagnostics import entry, message
    from skatspec.errors import UsageError

    found = load_suite(suite)
    cases = found.select(words)
    for one in found.findings:
        head = Paint(sys.stderr).severity(entry(one.code).severity, one.code)
        click.echo(f"{head} {clean(message(one))}", err=True)
    if not cases:
        if found.findings:
            return FOUND
        raise UsageError("no case is selected" if words else f"there is no case in {suite}")
    if record:
        return _record(cases)
    paint = Paint(sys.stdout)
    shown = len(words) == 1 and len(cases) == 1 and cases[0].id == words[0]
    if form == "text" and shown:
        # as its author wrote it: that is the form made for people
        click.echo(clean_lines(cases[0].path.read_text(encoding="utf-8")), nl=False)
    else:
        for line in _lines(cases, form):
            if form == "text":
                line = clean(line)
                # a rule's edition may be cut off at a terminal, and nothing in a file
                if paint.at_terminal and len(line) > paint.width:
                    line = line[: paint.width - 1] + "…"
            click.echo(line)
    return FOUND if found.findings else CLEAN


def _record(cases: Sequence[Case]) -> int:
    from skatspec.cli import CLEAN
    from skatspec.conformance.cases import bytes_of
    from skatspec.errors import UsageError

    if len(cases) != 1 or cases[0].task != "check":
        raise UsageError("--record shows the record of one case of the task check")
    sys.stdout.buffer.write(bytes_of(cases[0].payload()))
    return CLEAN


def clean_lines(text: str) -> str:
    """Return a text that may have lines, with whatever could steer a terminal written out."""
    from skatspec.cli.terminal import clean

    return "".join(clean(line) + "\n" for line in text.split("\n")[: text.count("\n")])


def _lines(cases: Sequence[Case], form: str) -> Iterator[str]:
    from skatspec.cli.columns import column_lines

    if form == "ids":
        yield from (case.id for case in cases)
    elif form == "json":
        yield json.dumps([case.document() for case in cases], indent=1, ensure_ascii=False)
    elif form == "jsonl":
        yield from (json.dumps(case.document(), ensure_ascii=False) for case in cases)
    elif cases:
        rows = [[case.id, case.task, case.level, case.rule] for case in cases]
        yield from column_lines(["case", "task", "level", "rule"], rows, [False] * 4)
        yield ""
        yield f"{len(cases)} case{'' if len(cases) == 1 else 's'}"
