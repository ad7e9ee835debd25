"""Pages of lists: disputes, the printable list with its disputes marked, the standings.

Each page is one HTML file without scripts and without links outside. What stands on a
list is text and nothing else: it is escaped, and characters that would be obeyed are
written out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from skatspec._version import __version__
from skatspec.diagnostics import Severity
from skatspec.rules import Rules
from skatspec.session.language import say, translate, ui
from skatspec.session.report import ListReport
from skatspec.session.sheet_grid import grid
from skatspec.session.standings import Across, Place, Standings
from skatspec.session.tables import (
    Listed,
    Told,
    amount,
    effect_lines,
    either,
    follows,
    list_line,
    open_line,
    told,
    undecided,
)

_TEMPLATES = Path(__file__).with_name("templates")
# More disputes than these make a page that no browser likes to show.
MOST_SHOWN = 5000
# Notes stand beside the printed list while they fit: letters a line, lines a page.
_NOTE_LETTERS, _NOTE_LINES = 52, 52
_SHORT_LIST, _LONG_LIST = 40, 52

Clean = Callable[[str], str]
# Codes before it are of reading.
_FIRST_OF_CHECKS = "L030"
# Standings over more events are named after none.
_MOST_EVENTS = 2


class Group(NamedTuple):
    """A list on the page of disputes: its line, what is open, and its disputes in words."""

    line: str
    open: str
    rows: Sequence[Told]


def disputes_page(
    lists: Iterable[Listed],
    lang: str = "en",
    *,
    clean: Clean,
    across: Iterable[Across] = (),
    checked: int | None = None,
) -> str:
    """Return the disputes of lists as a page; `across` are findings between lists.

    `checked` is how many lists there were, where those without disputes are not among
    `lists`. At most `MOST_SHOWN` disputes are shown.
    """
    groups: list[Group] = []
    count = wrong = errors = every = shown = 0
    for listed in lists:
        report = listed.report
        count += 1
        errors += report.errors
        wrong += report.errors > 0
        every += len(report.disputes)
        if (report.disputes or report.open_deals) and shown < MOST_SHOWN:
            rows = told(listed, lang)[: MOST_SHOWN - shown]
            shown += len(rows)
            groups.append(Group(list_line(report, lang), open_line(report, lang), rows))
    return _render(
        "disputes.html.j2", lang, clean, groups=groups, wrong=wrong, errors=errors,
        lists=count if checked is None else checked, every=every, shown=shown,
        between=[say(one.found, lang) for one in across],
        with_effects=any(one.ways is not None for group in groups for one in group.rows),
        marked=any(one.first for group in groups for one in group.rows),
    )  # fmt: skip


def sheet_page(
    listed: Listed | ListReport, lang: str = "en", *, clean: Clean, rules: Rules | None = None
) -> str:
    """Return a list as a page to print, its disputes marked and numbered, a note for each.

    With `rules` it shows the base values of the games and the places.
    """
    if isinstance(listed, ListReport):
        listed = Listed(listed)
    report, sheet = listed.report, listed.report.sheet
    # how the file was read is not the players' affair
    shown = [
        (one, dispute) for one, dispute in zip(told(listed, lang), report.disputes, strict=True)
        if one.severity is Severity.ERROR or one.code >= _FIRST_OF_CHECKS
    ]  # fmt: skip
    notes = [one for one, _ in shown]
    noted = replace(report, disputes=[dispute for _, dispute in shown])
    rows = len(sheet.rows)
    size = "short" if rows <= _SHORT_LIST else "long" if rows <= _LONG_LIST else "longer"
    return _render(
        "sheet.html.j2", lang, clean, report=report, sheet=sheet, notes=notes, size=size,
        grid=grid(noted, notes, lang, rules), line=list_line(report, lang),
        names=[sheet.name(player) for player in range(sheet.seats)],
        beside=size != "longer" and _note_lines(notes, lang) <= _NOTE_LINES,
    )  # fmt: skip


def _note_lines(notes: Sequence[Told], lang: str) -> int:
    """Estimate how many printed lines the notes take."""
    lines = 0
    for one in notes:
        texts = [one.says, *effect_lines(one, lang)]
        texts.append("; ".join(f"{why.text} {why.rule}" for why in one.why))
        lines += 1 + sum(1 + len(text) // _NOTE_LETTERS for text in texts if text)
        lines += bool(one.rule) + bool(one.follow_on)
    return lines


def standings_page(
    standings: Standings,
    lang: str = "en",
    *,
    clean: Clean,
    corrected: bool = False,
    rules: str = "",
    across: Iterable[Across] = (),
    broken: Sequence[str] = (),
) -> str:
    """Return the standings as a page: as entered, or corrected where what is right is known.

    `across` are findings between lists, `broken` says which files could not be read: their
    lists are missing.
    """
    places = standings.table(corrected)
    return _render(
        "standings.html.j2", lang, clean, places=places, tied=_tied(places),
        title=", ".join(sorted(standings.events)) if len(standings.events) <= _MOST_EVENTS else "",
        broken=broken, undecided=list(undecided(standings, lang)) if corrected else [],
        rules=rules, system=translate(standings.system, lang), lists=standings.lists,
        errors=standings.errors, corrected=corrected,
        between=[say(one.found, lang) for one in across],
    )  # fmt: skip


def _tied(places: Sequence[Place]) -> list[bool]:
    """Say of each line whether it cannot be told apart from the one before it."""
    same = [one.place == two.place for one, two in pairwise(places)]
    return [False, *same] if places else []


def _render(template: str, lang: str, clean: Clean, **given: Any) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    here = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    here.filters.update(
        clean=lambda text: clean(str(text)).replace(" -> ", " → "),
        t=lambda text, **slots: ui(text, lang, **slots),
        word=partial(translate, lang=lang),
        amount=partial(amount, lang=lang),
        count=partial(_count, lang=lang),
        either=partial(either, lang=lang),
        effects=partial(effect_lines, lang=lang),
        follows=partial(follows, lang=lang),
    )
    return here.get_template(template).render(**given, lang=lang, version=__version__)


def _count(number: int, lang: str) -> str:
    """Return a count with the language's mark of thousands."""
    text = f"{number:,}"
    return text.replace(",", ".") if lang == "de" else text
