"""`skatspec explain`: what a code means, by which rule, and what to do."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator

import click

from skatspec.cli.codes import expand
from skatspec.cli.terminal import Paint
from skatspec.diagnostics import CodeEntry, catalog
from skatspec.diagnostics.catalog import FAMILIES
from skatspec.rules import Rules, load_rules

_SLOT = re.compile(r"\{(\w+?)_?\}")
_READABLE = 90


@click.command(short_help="Explain a code, or list codes.")
@click.argument("code", required=False)
@click.option("--rules", default="isko", show_default=True, metavar="NAME|FILE",
              help="The rules whose severity and citation are shown.")  # fmt: skip
def command(code: str | None, rules: str) -> None:
    """Explain a code, by its number or its name; list codes by their beginning, or all.

    \b
    skatspec explain S001
    skatspec explain revoke --rules isko-2015
    skatspec explain B                    all codes of bidding
    skatspec explain                      all codes

    In angle brackets stands what a finding fills in.
    """
    loaded = load_rules(rules)
    paint = Paint(sys.stdout)
    prefix = "" if code is None else expand(code.strip())
    rows = [row for row in catalog().values() if row.code.startswith(prefix)]
    lines = _page(rows[0], loaded, paint) if len(rows) == 1 else _list(rows, loaded, paint)
    for line in lines:
        click.echo(line)


def _list(rows: list[CodeEntry], rules: Rules, paint: Paint) -> Iterator[str]:
    """Yield codes by family, a line each."""
    width = max(len(row.name) for row in rows)
    hanging = " " * (width + 19)
    family = ""
    for row in rows:
        if row.code[0] != family:
            if family:
                yield ""
            family = row.code[0]
            yield paint(f"{family}  {FAMILIES[family]}", bold=True)
        severity = rules.profile.severity(row.code)
        weight = paint.severity(severity, f"{severity.value:<7}")
        line = f"{row.code}  {row.name:<{width}}  {weight}  {_slots_named(row.text)}"
        yield paint.wrap(line, "  ", hanging)


def _slots_named(text: str) -> str:
    """Return a code's text with the names of its slots: `recorded <read>, right is <expected>`."""
    return _SLOT.sub(r"<\1>", text)


def _page(row: CodeEntry, rules: Rules, paint: Paint) -> Iterator[str]:
    """Yield everything there is to say about one code."""
    severity = rules.profile.severity(row.code)
    head = paint(f"{row.code} {row.name}", bold=True)
    yield f"{head}  {paint.severity(severity, severity.value)}"
    yield paint.wrap(f"{FAMILIES[row.code[0]]}: {_slots_named(row.text)}", "", "  ")
    yield ""
    yield from textwrap.wrap(row.explain, min(paint.width, _READABLE), break_on_hyphens=False)
    cited = rules.profile.cite(row.topic) if row.topic else ""
    if row.topic:
        yield ""
        yield paint.wrap(
            f"rule: {cited or 'no source is known'} ({rules.name}: {row.topic})", "", "  "
        )
    for word, example in (("bad", row.bad), ("good", row.good)):
        if example:
            yield ""
            yield f"{word}:"
            yield from (f"    {line}" for line in example.splitlines())
