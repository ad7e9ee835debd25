"""Checks recorded games of Skat: every verdict is explained by a rule and its edition.

The functions and types named in `__all__` are the public interface; docs/api.md shows
them at work. Everything is imported when it is first used, so that `import skatspec`
costs next to nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from skatspec._version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from skatspec.check import Finding, Report
    from skatspec.diagnostics import Diagnostic, Severity, Span, Verdict
    from skatspec.engine.replay import Replay
    from skatspec.engine.settlement import Settlement
    from skatspec.errors import InputError, ProfileError, SkatspecError, UsageError
    from skatspec.record import BrokenRecord, Deal, Record, Result
    from skatspec.rules import Profile, Rules
    from skatspec.session.report import Dispute, ListReport
    from skatspec.settling_answer import Answer
    from skatspec.sheet import Sheet

# Where each public type lives.
_TYPES = {
    "Answer": "skatspec.settling_answer",
    "BrokenRecord": "skatspec.record",
    "Deal": "skatspec.record",
    "Diagnostic": "skatspec.diagnostics",
    "Dispute": "skatspec.session.report",
    "Finding": "skatspec.check",
    "InputError": "skatspec.errors",
    "ListReport": "skatspec.session.report",
    "Profile": "skatspec.rules",
    "ProfileError": "skatspec.errors",
    "Record": "skatspec.record",
    "Replay": "skatspec.engine.replay",
    "Report": "skatspec.check",
    "Result": "skatspec.record",
    "Rules": "skatspec.rules",
    "Settlement": "skatspec.engine.settlement",
    "Severity": "skatspec.diagnostics",
    "Sheet": "skatspec.sheet",
    "SkatspecError": "skatspec.errors",
    "Span": "skatspec.diagnostics",
    "UsageError": "skatspec.errors",
    "Verdict": "skatspec.diagnostics",
}


def read(path: str | Path, format: str | None = None) -> Iterator[Record | BrokenRecord]:
    """Yield the records of a file, one at a time; `-` is standard input.

    The format (`skat`, `iss`, `json`) is detected unless it is named; packed files are
    unpacked (gzip, bzip2, xz, zstd, zip). A record that cannot be read comes as a
    `BrokenRecord` with its findings, and reading goes on behind it. Raises InputError for a
    file that cannot be opened, is binary, or is of no known format.
    """
    from skatspec.formats import registry

    return registry.open_records(path, format)


def parse(text: str, format: str | None = None) -> Record | BrokenRecord:
    """Return the first record of a text; raises InputError where there is none."""
    from skatspec.formats import registry

    return registry.parse_text(text, format)


def write(record: Record, format: str = "skat") -> str:
    """Return a record's text in a format; what has no place in it is left out.

    Raises UsageError where the format cannot express the record at all (X007).
    """
    from skatspec.diagnostics import message
    from skatspec.errors import UsageError

    text, losses = write_with_losses(record, format)
    if not text:
        raise UsageError("; ".join(f"{one.code} {message(one)}" for one in losses))
    return text


def write_with_losses(record: Record, format: str = "skat") -> tuple[str, list[Diagnostic]]:
    """Return a record's text in a format, and an X finding for everything left out of it."""
    from skatspec.formats import registry

    return registry.write_record(record, format)


def load_rules(name: str | Path, settings: Sequence[str] = ()) -> Rules:
    """Return packaged rules by name (`isko`, `iss`, ...), or those of a YAML file.

    A name may carry a program's switches: `xskat -ramsch -kontra`. `settings` change single
    keys: `["winning.points=62"]`. Raises ProfileError with an F code and the YAML line.
    """
    from skatspec import rules

    return rules.load_rules(name, tuple(settings))


def replay(
    record: Record, rules: Rules | str | Path | None = None, steps: int | None = None
) -> Replay:
    """Replay a record, or only its first `steps` steps, up to the first illegal one.

    Without `rules` the record's own tag counts, else its format's default.
    """
    from skatspec.engine.replay import replay as run
    from skatspec.judging import Judge, named_rules

    return run(record, Judge(named_rules(rules)).rules_for(record).tables, steps)


def settle(
    *,
    contract: str,
    hand: bool = False,
    announce: str | Iterable[str] = (),
    ouvert: bool = False,
    matadors: int | str | None = None,
    cards: str | Iterable[str] | None = None,
    bid: int | None = None,
    no_bid: bool = False,
    points: int | None = None,
    tricks: int | None = None,
    ending: str = "played-out",
    choice: str | None = None,
    spitze: str | None = None,
    kontra: int = 0,
    bock: bool = False,
    rules: Rules | str | Path = "isko",
) -> Answer:
    """Settle a declared game from loose facts, as `skatspec settle` does.

    What is not given is open, and the answer *undetermined* where it matters. `matadors`
    is `"with:2"`, `"without:1"` or a signed number; `cards` are the declarer's twelve,
    skat included, instead. `points` (card points) and `tricks` are the declarer's.
    `no_bid` tests no bid. `ending` is `played-out`, `conceded-by-declarer` or
    `conceded-by-defenders`; `choice` is the game a Null below its bid is charged as.
    `spitze` is `made` or `missed` where one was announced, `kontra` the number of calls
    that doubled the game (1 Kontra, 2 Re), `bock` true in a Bock round.
    Raises UsageError for words that mean nothing, ProfileError for rules.
    """
    from skatspec import settling

    asked = settling.question(
        contract=contract, hand=hand, announce=announce, ouvert=ouvert, matadors=matadors,
        cards=cards, bid=bid, no_bid=no_bid, points=points, tricks=tricks, ending=ending,
        choice=choice, spitze=spitze, kontra=kontra, bock=bock,
    )  # fmt: skip
    return settling.settle(asked, _rules(rules))


def settle_ramsch(
    *,
    points: str | Sequence[int | None] | None = None,
    tricks: str | Sequence[int | None] | None = None,
    skat: int | None = None,
    last_trick: str = "",
    doublings: int = 0,
    bock: bool = False,
    rules: Rules | str | Path,
) -> Answer:
    """Settle a Ramsch from loose facts, by rules that play it.

    `points` (card points of the tricks, without the skat's) and `tricks` are figures of F,
    M and R: `"0/51/55"` or three numbers, `?` or None for one that is open. `skat` are the
    skat's card points; the one figure of these that is left out follows. `last_trick` is
    the seat letter of who won it, `"FM"` where it also matters whose last trick came next.
    `doublings` counts those who left the skat lying or knocked, `bock` is true in a Bock
    round. The answer's `scores` are ledger points of F, M and R. Raises UsageError for
    words that mean nothing, ProfileError for rules.
    """
    from skatspec import settling_ramsch

    asked = settling_ramsch.question(
        points=points, tricks=tricks, skat=skat, last_trick=last_trick, doublings=doublings,
        bock=bock,
    )  # fmt: skip
    return settling_ramsch.settle(asked, _rules(rules))


def check(record: Record | BrokenRecord, rules: Rules | str | Path | None = None) -> Report:
    """Check one record: its verdict, its figures, and findings that name rule and edition.

    Without `rules` the record's own `Rules` tag counts, else its format's default: `iss`
    for ISS records, `xskat-std` for XSkat's logs, `isko` for the others. Never raises for
    anything in the record.
    """
    from skatspec.judging import Judge, named_rules

    return Judge(named_rules(rules)).check(record)


def check_all(
    records: Iterable[Record | BrokenRecord], rules: Rules | str | Path | None = None
) -> Iterator[Report]:
    """Check records in the order they were played, one report each.

    It differs from `check` where deals hang together: in Bock rounds a game counts double
    because of one before it. A single record leaves its round open.
    """
    from skatspec.judging import Judge, named_rules

    judge = Judge(named_rules(rules), in_order=True)
    for record in records:
        yield judge.check(record)


def read_lists(path: str | Path) -> Iterator[Sheet]:
    """Yield the lists of a file: a score sheet (CSV, JSON), or records, which make one a table.

    What could not be read is among a list's `findings`. Raises InputError for a file that
    cannot be opened, is binary, empty (E006) or a spreadsheet program's own (E007).
    """
    from skatspec.session import reading

    return reading.lists(str(path))


def check_list(
    sheet: Sheet,
    rules: Rules | str | Path | None = None,
    system: str | None = None,
    deals: int | None = None,
) -> ListReport:
    """Check a list: its disputes, each with what may stand there, and the players' figures.

    Without `rules` those that the list names count, else `isko`; without `system`
    (`seeger-fabian`, `seeger`, `plain`, `zero-sum`) the list's, else the rules'. `deals` is the
    number agreed. Raises UsageError for a system that the rules have no bonus for; never for
    anything on the list.
    """
    from skatspec.judging import named_rules
    from skatspec.session.judge import ListJudge

    return ListJudge(named_rules(rules), system, deals).check(sheet)


def _rules(rules: Rules | str | Path) -> Rules:
    from skatspec.rules import Rules as Given

    return rules if isinstance(rules, Given) else load_rules(rules)


def __getattr__(name: str) -> Any:
    """Import a public type when it is first asked for."""
    if name in _TYPES:
        from importlib import import_module

        return getattr(import_module(_TYPES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Name the public interface, imported or not."""
    return sorted({*globals(), *_TYPES})


class _Package(ModuleType):
    """This package, whose function `check` must outlive the import of its module `check`.

    Python sets a submodule as an attribute of its package when it is first imported, and
    `skatspec.check(record)` would then call a module.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if name == "check" and isinstance(value, ModuleType):
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

__all__ = [
    "Answer",
    "BrokenRecord",
    "Deal",
    "Diagnostic",
    "Dispute",
    "Finding",
    "InputError",
    "ListReport",
    "Profile",
    "ProfileError",
    "Record",
    "Replay",
    "Report",
    "Result",
    "Rules",
    "Settlement",
    "Severity",
    "Sheet",
    "SkatspecError",
    "Span",
    "UsageError",
    "Verdict",
    "__version__",
    "check",
    "check_all",
    "check_list",
    "load_rules",
    "parse",
    "read",
    "read_lists",
    "replay",
    "settle",
    "settle_ramsch",
    "write",
    "write_with_losses",
]
