"""Disputes as rows of plain data, in words of a language; as text for a terminal and as CSV.

A row names the cell, what stands there, what may stand there, why, and what a correction
would do to the standings. Figures are ledger points.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from skatspec.diagnostics import Severity, entry
from skatspec.formats.score_sheet.words import words
from skatspec.session.language import GERMAN, cite, say, translate, ui, word
from skatspec.session.report import Dispute, ListReport, Reason
from skatspec.session.standings import Effect, Standings
from skatspec.sheet import BONUS, FINAL, LOST, OTHERS_LOST, PLACE, POINTS, TOTAL, WON, Amount, Sheet

if TYPE_CHECKING:
    from rich.console import Console

# Effects as `Standings.effect` returns them for a dispute: players moved, for each correction.
Effects = Sequence[Sequence[Effect]]

_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]+)?")
_DECLARER = "L039"
# What begins a formula, in full width too, and what some readers leave out before it.
_FORMULA = tuple("=+-@＝＋－＠\t\r")
# Which line below the rows a finding means, by what it names, or by its code.
_SUMS = {
    "points": POINTS, "bonus": BONUS, "total": FINAL, "games won": WON, "games lost": LOST,
    "games lost by others": OTHERS_LOST,
}  # fmt: skip
_TOTALS = frozenset(("L040", "L041", "L042", "L043"))
# The column of a finding where the list itself has no fields, as in JSON.
_COLUMN = {
    **dict.fromkeys(("L030", "L031", "L032", "L033"), "value"), "L034": "result",
    **dict.fromkeys(("L039", "L020", "L024", "L046", "L047"), "declarer"), "L045": "dealer",
    **dict.fromkeys(("L050", "L051", "L052", "L057", "L058"), "deal"),
}  # fmt: skip


class Listed(NamedTuple):
    """A checked list with what its corrections do: one entry a dispute, None where not asked."""

    report: ListReport
    effects: Sequence[Effects] | None = None


class Where(NamedTuple):
    """A cell of a list: its line, its column (empty: the whole row), the line of sums it is in."""

    line: int
    column: str = ""
    sums: str = ""


class Way(NamedTuple):
    """One way to put a dispute right: the value entered then, empty where it is the only one."""

    value: str
    moves: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A dispute in words.

    `first` marks the first error of its list. `cell` is the heading as written, `follow_on`
    the number of cells that are wrong only because of this one. `ways` are the corrections
    with what they move; none where what is right is not known, None where nobody asked.
    """

    source: str
    event: str
    round: str
    table: str
    where: Where
    deal: int | None
    player: str
    cell: str
    entered: str
    expected: tuple[str, ...]
    code: str
    name: str
    severity: Severity
    says: str
    why: tuple[Reason, ...]
    rule: str
    follow_on: int
    ways: tuple[Way, ...] | None
    first: bool


def told(listed: Listed, lang: str = "en") -> list[Told]:
    """Return the disputes of a list in words, in their order."""
    report, effects = listed
    first = report.first
    return [
        _told(report, one, None if effects is None else effects[at], one is first, lang)
        for at, one in enumerate(report.disputes)
    ]


def _told(
    report: ListReport, one: Dispute, effects: Effects | None, first: bool, lang: str
) -> Told:
    sheet = report.sheet
    place = where(sheet, one)
    named = one.expected or ((one.found.expected,) if one.found.expected else ())
    if named == (one.found.expected,):
        named = (word(one.found, "expected", lang),)
    entered = one.entered if one.entered != one.found.read else word(one.found, "read", lang)
    return Told(
        place_name(sheet), sheet.event, sheet.round, sheet.table, place, one.deal,
        "" if one.player is None else sheet.name(one.player),
        cell_name(sheet, place, lang) or dict(one.found.slots).get("heading", ""),
        figure(entered, lang), tuple(figure(text, lang) for text in named),
        one.code, entry(one.code).name, one.severity, say(one.found, lang),
        tuple(Reason(translate(why.text, lang), cite(why.rule, lang)) for why in one.why),
        cite(one.rule, lang), len(one.follow_on), _ways(one, effects, lang), first,
    )  # fmt: skip


def _ways(one: Dispute, effects: Effects | None, lang: str) -> tuple[Way, ...] | None:
    """Return each correction with what it moves, named by the value that it enters."""
    if effects is None:
        return None
    values: Sequence[str] = one.expected
    if one.code == _DECLARER:
        values = (*one.expected, one.entered)  # either player
    if len(values) != len(effects):  # of many values the best and the worst are tried
        values = (values[0], values[-1]) if len(values) > 2 == len(effects) else ()
    names = [figure(text, lang) for text in values] if len(effects) > 1 else []
    return tuple(
        Way(names[at] if at < len(names) else "", tuple(moves)) for at, moves in enumerate(effects)
    )


def where(sheet: Sheet, one: Dispute) -> Where:
    """Return the cell that a dispute is about."""
    line, field, _ = one.found.span
    if one.code in _TOTALS and one.player is not None:
        what = dict(one.found.slots).get("what", "")
        kind = PLACE if one.code == "L043" else _SUMS.get(what, "")
        return Where(line, f"{TOTAL}{one.player + 1}", kind)
    if field and line < min([row.line for row in sheet.rows[:1]], default=line + 1):
        return Where(line)  # above the rows, where fields are no columns
    if field:
        found = (name for name, column in sheet.columns.items() if column.field == field)
    else:
        heading = dict(one.found.slots).get("heading")
        found = (name for name, column in sheet.columns.items() if column.heading == heading)
    return Where(line, next(found, "" if field else _COLUMN.get(one.code, "")))


def cell_name(sheet: Sheet, place: Where, lang: str) -> str:
    """Return what a cell is called: its heading as written, below the rows the line's name."""
    if place.sums:
        return words().word("sums", place.sums, lang)
    if not place.column or place.column in sheet.columns:
        return sheet.heading(place.column) if place.column else ""
    return column_name(place.column, lang)


def column_name(column: str, lang: str) -> str:
    """Return the heading that a column has in a language."""
    if column.startswith(TOTAL):
        return f"{words().word('totals', 'totals', lang)} {column.removeprefix(TOTAL)}"
    return words().word("columns", column, lang)


def place_name(sheet: Sheet) -> str:
    """Return the file of a list, with its number there unless it is the first."""
    return f"{sheet.source}#{sheet.index + 1}" if sheet.index else sheet.source


def figure(text: str, lang: str) -> str:
    """Return a figure with the decimal sign of the language; other texts as they are."""
    return text.replace(".", ",") if lang == GERMAN and _NUMBER.fullmatch(text) else text


def amount(number: Amount, lang: str) -> str:
    """Return ledger points; a half with the decimal sign of the language."""
    whole = int(number)
    return str(whole) if whole == number else figure(f"{float(number):g}", lang)


def either(values: Sequence[str], lang: str) -> str:
    """Return admissible values in words."""
    if len(values) < 2:
        return "".join(values)
    return f"{', '.join(values[:-1])} {ui('or', lang)} {values[-1]}"


def follows(number: int, lang: str) -> str:
    """Say how many cells are wrong only because of a dispute; nothing where none is."""
    if number == 1:
        return ui("and 1 figure that only follows", lang)
    return ui("and {n} figures that only follow", lang, n=number) if number else ""


_MOST_UNDECIDED = 20


def undecided(standings: Standings, lang: str) -> Iterator[str]:
    """Yield what stays as entered in corrected standings: the list, the deal, the code."""
    for source, deal, code in standings.undecided[:_MOST_UNDECIDED]:
        where = source if deal is None else f"{source}, {ui('deal', lang)} {deal}"
        yield f"{where}: {code} {entry(code).name}"
    if len(standings.undecided) > _MOST_UNDECIDED:
        yield "..."


def effect_lines(one: Told, lang: str) -> list[str]:
    """Return what a correction does to the standings, a line for each way to correct."""
    if one.ways is None:
        return []
    if not any(way.moves for way in one.ways) and one.severity is not Severity.ERROR:
        return []
    if not one.ways:
        return [ui("what is right is not known", lang)]
    lines = []
    for way in one.ways:
        moves = "; ".join(_move(each, lang) for each in way.moves) or ui("no effect", lang)
        lines.append(ui("if {value}: {moves}", lang, value=way.value, moves=moves)
                     if way.value else moves)  # fmt: skip
    return lines


def _move(one: Effect, lang: str) -> str:
    parts = []
    if one.place_now != one.place_then:
        parts.append(f"{ui('place', lang)} {one.place_now} -> {one.place_then}")
    if one.total_now != one.total_then:
        now, then = amount(one.total_now, lang), amount(one.total_then, lang)
        parts.append(f"{ui('total', lang)} {now} -> {then}")
    return f"{one.player}: {', '.join(parts)}"


# --- CSV --------------------------------------------------------------------------------

HEADINGS = (
    "source", "event", "round", "table", "line", "deal", "cell", "player", "entered", "expected",
    "first", "code", "severity", "message", "why", "rule", "only follow", "effect",
)  # fmt: skip


def disputes_csv(lists: Iterable[Listed], lang: str = "en") -> Iterator[str]:
    """Yield the lines of a CSV, its headings first.

    German: semicolons and decimal commas; English: commas. Figures are numbers; a text
    that a spreadsheet would take for a formula has an apostrophe before it.
    """
    yield csv_line([ui(name, lang) for name in HEADINGS], lang)
    for listed in lists:
        for one in told(listed, lang):
            why = "; ".join(reason.text for reason in one.why)
            yield csv_line(
                [
                    one.source, one.event, one.round, one.table, one.where.line or "",
                    "" if one.deal is None else one.deal, one.cell, one.player, one.entered,
                    either(one.expected, lang), ui("yes", lang) if one.first else "", one.code,
                    translate(one.severity.value, lang), one.says, why, one.rule, one.follow_on,
                    " | ".join(effect_lines(one, lang)),
                ],
                lang,
            )  # fmt: skip


def csv_line(cells: Iterable[Any], lang: str) -> str:
    """Return a line of CSV with its end."""
    line = io.StringIO()
    writer = csv.writer(line, delimiter=";" if lang == GERMAN else ",", lineterminator="\n")
    writer.writerow([guarded(cell) for cell in cells])
    return line.getvalue()


def guarded(cell: Any) -> Any:
    """Return a cell that no spreadsheet computes; a number, written out or not, stays one."""
    if not isinstance(cell, str) or _NUMBER.fullmatch(cell.replace(",", ".", 1)):
        return cell
    text = cell.replace("\0", "").replace("\r", " ")
    return "'" + text if text.startswith(_FORMULA) or _bare(text) else text


def _bare(text: str) -> bool:
    """Say whether a formula stands behind blanks, which some spreadsheets leave out."""
    return text[:1].isspace() and text.lstrip().startswith(_FORMULA)


# --- terminal ---------------------------------------------------------------------------

_INDENT = 6
_WIDEST_CELL = 28
_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "blue"}
_FIRST = ">"


def disputes_text(
    lists: Iterable[Listed],
    lang: str = "en",
    *,
    clean: Callable[[str], str],
    width: int = 80,
    colour: bool = False,
) -> Iterator[str]:
    """Yield text for a terminal, list by list; a list without disputes has its one line.

    `clean` writes out characters that a terminal would obey. No line is wider than `width`
    columns. The first error of each list has a mark before it.
    """
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    marked = False
    for listed in lists:
        stream = io.StringIO()
        console = Console(
            file=stream, width=width, color_system="standard" if colour else None,
            force_terminal=colour, no_color=not colour, highlight=False, markup=False, emoji=False,
            legacy_windows=False,
        )  # fmt: skip
        rows = told(listed, lang)
        marked = marked or any(one.first for one in rows)
        console.print(clean(list_line(listed.report, lang)), style="bold", soft_wrap=False)
        if line := open_line(listed.report, lang):
            console.print(Padding(Text(clean(line), overflow="fold"), (0, 0, 0, 2)))
        if rows:
            _print_rows(console, rows, lang, clean)
            console.print()
        yield "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())
    if marked:
        yield ui("{mark} the first error of its list", lang, mark=_FIRST) + "\n"


def list_line(report: ListReport, lang: str) -> str:
    """Return one line for a list: where it is from, what was found, how it was counted."""
    sheet = report.sheet
    names = [place_name(sheet)]
    names += [f"{ui('table', lang)} {sheet.table}"] if sheet.table else []
    names += [f"{ui('round', lang)} {sheet.round}"] if sheet.round else []
    found = translate(report.verdict.value, lang)
    errors = report.errors
    if errors:
        said = "1 error" if errors == 1 else "{n} errors"
        found += f", {ui(said, lang, n=errors)}"
    return f"{', '.join(names)}: {found} ({report.rules}, {translate(report.system, lang)})"


# Columns without which a game may have one of several values.
_TELLING = ("contract", "matadors", "hand", "schneider", "schwarz", "ouvert", "bid", "result")


def open_line(report: ListReport, lang: str) -> str:
    """Say which deals may have another value than theirs, and what is not entered; or nothing."""
    if not report.open_deals:
        return ""
    deals = [str(one) for one in report.open_deals[:_MOST_UNDECIDED]]
    if len(deals) < len(report.open_deals):
        deals.append("...")
    missing = [
        column_name(one, lang) for one in _TELLING
        if report.sheet.columns and one not in report.sheet.columns
    ]  # fmt: skip
    said = ui("other values could stand as well in deals {deals}", lang, deals=", ".join(deals))
    return f"{said} ({ui('no column', lang)}: {', '.join(missing)})" if missing else said


def _print_rows(
    console: Console, rows: Sequence[Told], lang: str, clean: Callable[[str], str]
) -> None:
    """Print each dispute: its cells under common headings, then what is to be said of it."""
    from rich.padding import Padding
    from rich.text import Text

    heads = [ui(name, lang) for name in ("line", "deal", "cell", "entered", "expected")]
    cells = [_cells(one, lang, clean) for one in rows]
    most = _WIDEST_CELL if console.width > 100 else _WIDEST_CELL // 2
    wide = [min(most, max(len(row[at]) for row in (heads, *cells))) for at in range(len(heads) - 1)]
    console.print(Text(_aligned("", heads, wide), style="dim", overflow="fold"))
    for one, row in zip(rows, cells, strict=True):
        style = _STYLES[one.severity]
        line = Text(_aligned(_FIRST if one.first else "", row, wide), style="bold", overflow="fold")
        console.print(line)
        for text, look in _said(one, lang):
            said = Text(clean(text), style=style if look else "", overflow="fold")
            console.print(Padding(said, (0, 0, 0, _INDENT), expand=False))


def _cells(one: Told, lang: str, clean: Callable[[str], str]) -> list[str]:
    line = str(one.where.line) if one.where.line else ui("list", lang)
    deal = "" if one.deal is None else str(one.deal)
    texts = (line, deal, one.cell, one.entered, either(one.expected, lang))
    return [clean(text) for text in texts]


def _aligned(mark: str, cells: Sequence[str], wide: Sequence[int]) -> str:
    """Return cells in columns, figures to the right; a cell that is too wide is cut."""
    parts = []
    for at, (cell, width) in enumerate(zip(cells[:-1], wide, strict=True)):
        short = cell if len(cell) <= width else cell[: width - 3] + "..."
        parts.append(short.ljust(width) if at == 2 else short.rjust(width))
    return f"{mark:2}{'  '.join([*parts, cells[-1]])}".rstrip()


def _said(one: Told, lang: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines under a dispute, and whether the weight's colour is theirs."""
    weight = translate(one.severity.value, lang)
    yield f"{weight} {one.code}: {one.says}", True
    if one.why:
        steps = "; ".join(reason.text for reason in one.why)
        yield f"{ui('why', lang)}: {steps}", False
    if one.rule:
        yield f"{ui('rule', lang)}: {one.rule}", False
    if one.follow_on:
        yield follows(one.follow_on, lang), False
    lines = effect_lines(one, lang)
    if lines:
        yield f"{ui('if corrected', lang)}: {lines[0]}", False
        yield from ((line, False) for line in lines[1:])
