"""`skatspec archive report`: what a checked archive comes to, and the table of disputes."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skatspec.cli import CLEAN
from skatspec.cli.columns import column_lines
from skatspec.cli.terminal import Paint, clean
from skatspec.diagnostics import Severity, Verdict
from skatspec.errors import UsageError

if TYPE_CHECKING:
    from skatspec.archive.asking import Results
    from skatspec.archive.reporting import Code, Example, Meaning, Overview, Share
    from skatspec.rules import Rules

_CSV, _HTML = "disputes.csv", "disputes.html"
_VERDICTS = [one.value for one in Verdict]
_FIRST_CODES, _BAR, _WORST, _ALL = 3, 12, 10, "all"
_MOST_BROKEN, _MOST_YEARS, _MOST_DIGITS = 10, 5, 9
_BAD = (Verdict.CONTRADICTED.value, Verdict.UNREADABLE.value)
_TRENDS = {"falling": "getting better", "rising": "getting worse", "level": "no clear change"}


def _number_or_all(context: click.Context, option: click.Parameter, value: str | None) -> Any:
    if value is None or value == _ALL:
        return value
    if not (value.isascii() and value.isdigit() and len(value) < _MOST_DIGITS):
        raise click.BadParameter(f"{value!r} is neither a number nor {_ALL}", context, option)
    return int(value)


@click.command(short_help="Counts, the worst examples, and the table of disputes.")
@click.argument("folder", metavar="DIR")
@click.option(
    "--examples", type=click.IntRange(min=0), default=5, show_default=True, metavar="N",
    help="So many of the worst games of every code.",
)  # fmt: skip
@click.option(
    "--codes", callback=_number_or_all, metavar="N|all",
    help=f"Worst games of so many codes, the weightiest; {_WORST} otherwise, in json all.",
)  # fmt: skip
@click.option("--csv", "csv_file", metavar="FILE", help=f"The disputes; DIR/{_CSV} otherwise.")
@click.option("--html", "page", metavar="FILE", help=f"The disputes; DIR/{_HTML} otherwise.")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="What is printed.",
)  # fmt: skip
def command(
    folder: str, examples: int, codes: int | str | None, csv_file: str | None,
    page: str | None, format_: str,
) -> int:  # fmt: skip
    """Say what a checked archive comes to: by verdict, code, year and contract.

    The table of disputes, every contradicted game, is written as CSV and as an HTML page.

    \b
    skatspec archive report found/
    skatspec archive report found/ --examples 20 --csv disputes.csv

    Leaves with 0, whatever was found.
    """
    from skatspec.archive.asking import connected, open_results
    from skatspec.archive.disputes import write_csv, write_page
    from skatspec.archive.reporting import overview

    results = open_results(folder)
    to_csv, to_page = _places(results, csv_file, page)
    rules, remark = results.rules()
    if codes is None:
        codes = _ALL if format_ == "json" else _WORST
    most = codes if isinstance(codes, int) else None
    # the text says itself that games are missing
    for one in (results.incomplete if format_ == "json" else "", remark):
        if one:
            click.echo(clean(f"{folder}: {one}"), err=True)
    with connected(results) as base:
        counts = overview(base, results, examples, most)
        written = write_csv(base, to_csv, rules)
        shown = write_page(base, to_page, results, counts, str(to_csv), clean)
    if format_ == "json":
        document = _document(results, counts)
        document["disputes"] = {
            "csv": {"path": str(to_csv), "games": written},
            "html": {"path": str(to_page), "games": shown},
        }
        click.echo(json.dumps(document, indent=1))
        return CLEAN
    of = f" with the largest difference, of {written:,}" if shown < written else ""
    where = (
        "disputes: every contradicted game",
        f"  {clean(str(to_csv))}  {_games(written)}",
        f"  {clean(str(to_page))}  {_games(shown)}{of}",
    )
    for line in _lines(results, counts, where, Paint(sys.stdout)):
        click.echo(line)
    return CLEAN


def _places(results: Results, csv_file: str | None, page: str | None) -> tuple[Path, Path]:
    """Return where the disputes go. Raises UsageError where that would destroy something."""
    to_csv = Path(csv_file) if csv_file else results.folder / _CSV
    to_page = Path(page) if page else results.folder / _HTML
    if to_csv.resolve() == to_page.resolve():
        raise UsageError(f"two outputs go to {to_csv}")
    kept = [results.folder / "run.json", *results.parts]
    kept += [Path(str(one.get("path"))) for one in results.files]
    taken = {path.resolve() for path in kept}
    for path in (to_csv, to_page):
        if path.resolve() in taken:
            raise UsageError(f"{path} is read and cannot be written as well")
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name a file")
    return to_csv, to_page


# --- text -------------------------------------------------------------------------------


def _lines(results: Results, counts: Overview, where: Sequence[str], paint: Paint) -> Iterator[str]:
    """Yield everything; `where` says where the disputes stand."""
    yield from (paint.wrap(line, "", "  ") for line in _answer(results, counts, paint))
    yield from _first_look(results, counts)
    yield from where
    yield from _about_files(results, paint)
    if not counts.all.games:
        return
    yield from _table("verdict", [
        (verdict or "none", f"{games:,}", _percent(games / counts.all.games))
        for verdict, games in _by_verdict(counts)
    ], ("games", "share"), paint)  # fmt: skip
    yield from _table("code", [
        (f"{clean(one.meaning.code)} {one.meaning.name}", one.meaning.weight, f"{one.games:,}",
         _percent(one.games / counts.all.games), _from_to(one.first, one.last))
        for one in counts.codes
    ], (" weight", "games", "share", "years"), paint)  # fmt: skip
    yield from _years(counts, paint)
    yield from _table("contract", [
        (clean(contract or "none"), f"{one.games:,}", f"{one.contradicted:,}", _percent(one.share))
        for contract, one in counts.contracts
    ], ("games", "contradicted", "share"), paint)  # fmt: skip
    yield from _examples(results, counts, paint)


def _answer(results: Results, counts: Overview, paint: Paint) -> Iterator[str]:
    """Yield what is asked first: how many, what kind, better or worse."""
    parts = []
    for verdict, games in _by_verdict(counts):
        word = paint.verdict(Verdict(verdict)) if verdict in _VERDICTS else "without a verdict"
        bad = verdict == Verdict.CONTRADICTED.value
        parts.append(f"{games:,} {word}" + (f" ({_percent(counts.all.share)})" if bad else ""))
    by = f", by {clean(results.rules_name)}" if results.rules_name else ""
    yield (
        paint(f"{counts.all.games:,} games", bold=True)
        + by
        + (": " if parts else "")
        + ", ".join(parts)
    )
    if results.incomplete:
        yield paint(results.incomplete, fg="yellow", bold=True)
    first = [f"{clean(one.meaning.code)} {one.meaning.name} {one.games:,}" for one in counts.codes]
    if first:
        more = len(first) - _FIRST_CODES
        yield "most often: " + ", ".join(first[:_FIRST_CODES]) + (f", {more} more" * (more > 0))
    trend = counts.trend
    if trend is not None:
        last, share = counts.telling[-1]
        alone = f"{last} alone: {_percent(share.share)}{_left_out(counts)}"
        yield (
            f"over the years: contradicted {_percent(trend.before.share)} in "
            f"{_from_to(*trend.earlier)}, {_percent(trend.after.share)} in "
            f"{_from_to(*trend.later)}: {_TRENDS[trend.word]}; {alone}"
        )


def _first_look(results: Results, counts: Overview) -> Iterator[str]:
    """Yield the command for the worst game of all, in one piece: it is there to be copied."""
    every = (one for code in counts.codes for one in code.examples)
    first = next((one for one in every if one.verdict in _BAD), None)
    if first is not None:
        yield f"look first at: {_show(results, first)}"


def _left_out(counts: Overview) -> str:
    """Say which years have too few games to be compared."""
    telling = dict(counts.telling)
    few = [str(year) for year, _ in counts.dated if year not in telling]
    if not few:
        return ""
    named = ", ".join(few) if len(few) <= _MOST_YEARS else f"{len(few):,} years"
    return f" (left out, with few games: {named})"


def _about_files(results: Results, paint: Paint) -> Iterator[str]:
    """Yield what is wrong with the files themselves: findings, and where they break off."""
    about = results.about_files
    if not about.codes and not about.broken:
        return
    head, rules = "about the files", results.rules()[0]
    rows = [(_meaning(code, rules), number) for code, number in about.codes.most_common()]
    yield from _table(head, [
        (f"{clean(one.code)} {one.name}", one.weight, f"{number:,}") for one, number in rows
    ], (" weight", "findings"), paint)  # fmt: skip
    if not rows:
        yield from ("", paint(head, bold=True))
    for said in about.broken[:_MOST_BROKEN]:
        yield paint.wrap(clean(said), "  ", "    ")
    more = len(about.broken) - _MOST_BROKEN
    if more > 0:
        yield f"  and {more:,} more that could not be read to the end; --format json has all"


def _years(counts: Overview, paint: Paint) -> Iterator[str]:
    telling = dict(counts.telling)
    most = max((one.share for one in telling.values()), default=0.0)
    rows = []
    for year, row in counts.years:
        share = row[Verdict.CONTRADICTED.value] / row.total()
        bar = "#" * round(_BAR * share / most) if most and year in telling else ""
        cells = [f"{row[verdict]:,}" for verdict in _VERDICTS[1:]]
        name = "no date" if year is None else str(year)
        rows.append((name, f"{row.total():,}", *cells, _percent(share), bar))
    heads = ("games", *_VERDICTS[1:], "share", " ")  # the bars need no heading
    yield from _table("year", rows, heads, paint)


def _table(
    first: str, rows: Sequence[Sequence[str]], heads: Sequence[str], paint: Paint
) -> Iterator[str]:
    """Yield a table below an empty line; a heading that begins with a blank is of a text."""
    if rows:
        right = [False, *(not head.startswith(" ") for head in heads)]
        yield ""
        lines = column_lines([first, *(head.strip() for head in heads)], rows, right)
        yield paint(next(lines), bold=True)
        yield from lines


def _examples(results: Results, counts: Overview, paint: Paint) -> Iterator[str]:
    for code in counts.codes:
        if not code.examples:
            continue
        yield ""
        yield _head(code, paint)
        if code.meaning.says:
            yield paint.wrap(clean(code.meaning.says), "  ")
        for one in code.examples:
            yield paint.wrap(_words(one), "  ", "    ")
            # never broken: it is there to be copied
            yield "    " + paint.dim(_show(results, one))
    more = sum(not code.examples for code in counts.codes)
    if more and more < len(counts.codes):
        yield ""
        yield f"and {more:,} more code{'s' * (more != 1)}: --codes {_ALL}"


def _head(code: Code, paint: Paint) -> str:
    name = f"{clean(code.meaning.code)} {code.meaning.name}".strip()
    if code.meaning.weight:
        name = paint.severity(Severity(code.meaning.weight), name)
    shown = len(code.examples)
    which = "the worst" if shown < code.games else "all"
    return f"{paint(name, bold=True)}: {which} {shown} of {code.games:,}"


def _words(one: Example) -> str:
    said = f"id {clean(one.id)}" if one.id else "no id"
    text = f"{clean(one.file or '?')}, byte {one.offset}, {said}: "
    if one.recorded is None and one.expected is None:
        return text + "no scores to compare"
    if one.expected is None:
        return text + f"entered {_signed(one.recorded)}, no score can be stated"
    entered = "no score" if one.recorded is None else _signed(one.recorded)
    return text + f"entered {entered}, expected {_signed(one.expected)}"


def _show(results: Results, one: Example) -> str:
    words = ["skatspec", "archive", "show", str(results.folder), "--offset", str(one.offset)]
    if len(results.files) != 1 and one.file is not None:
        words += ["--file", one.file]
    return clean(shlex.join(words))


def _by_verdict(counts: Overview) -> list[tuple[str | None, int]]:
    others = [one for one in counts.verdicts if one not in _VERDICTS]
    found = [one for one in _VERDICTS if counts.verdicts[one]] + others
    return [(one, counts.verdicts[one]) for one in found]


def _games(number: int) -> str:
    return f"{number:,} game" + "s" * (number != 1)


def _from_to(first: int | None, last: int | None) -> str:
    if first is None:
        return "no date"
    return str(first) if first == last else f"{first}-{last}"


def _meaning(code: str, rules: Rules | None) -> Meaning:
    from skatspec.archive.reporting import meaning

    return meaning(code, rules)


def _signed(value: int | None) -> str:
    from skatspec.archive.disputes import signed

    return signed(value)


def _percent(share: float) -> str:
    from skatspec.archive.disputes import percent

    return percent(share)


# --- json -------------------------------------------------------------------------------


def _document(results: Results, counts: Overview) -> dict[str, Any]:
    """Return everything that was counted. Keys that are not known are null."""
    rules = results.run.get("rules")
    trend = counts.trend
    return {
        "finished": not results.incomplete,
        "incomplete": results.incomplete or None,
        "rules": rules if isinstance(rules, dict) else None,
        "files": [str(one.get("path")) for one in results.files],
        "about_files": {
            "codes": dict(results.about_files.codes.most_common()),
            "broken": results.about_files.broken,
        },
        "games": counts.all.games,
        "contradicted_share": counts.all.share,
        "verdicts": {one: counts.verdicts[one] for one in _VERDICTS},
        "trend": None if trend is None else {
            "earlier": trend.earlier, "later": trend.later,
            "before": _share(trend.before), "after": _share(trend.after), "word": trend.word,
        },
        "years": [
            {"year": year, "games": row.total(), **{one: row[one] for one in _VERDICTS}}
            for year, row in counts.years
        ],
        "codes": [
            {**asdict(one.meaning), "games": one.games, "first_year": one.first,
             "last_year": one.last, "examples": [
                 {**asdict(example), "show": _show(results, example)} for example in one.examples
             ]}
            for one in counts.codes
        ],
        "contracts": [{"contract": name, **_share(one)} for name, one in counts.contracts],
    }  # fmt: skip


def _share(one: Share) -> dict[str, Any]:
    return {"games": one.games, "contradicted": one.contradicted, "share": one.share}
