"""Which rules a record is judged by: those asked for, its own `Rules` tag, its format's default.

A tag may name packaged rules only, never a file: records come from strangers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from skatspec.check import Report, check, unreadable, with_finding
from skatspec.diagnostics import finding
from skatspec.errors import ProfileError, UsageError
from skatspec.record import BrokenRecord, Record
from skatspec.rules import Rules, available, load_rules, packaged_rules
from skatspec.series import Series, has_places

FORMAT_RULES = {"iss": "iss", "xskat": "xskat-std"}
OTHER_RULES = "isko"

_MOST_TABLES = 1000

# Why these rules, for the summary.
ASKED, OWN, DEFAULT = "--rules", "the record's Rules tag", "the format's default"


@dataclass(frozen=True, slots=True)
class Judge:
    """Checks records, each by the rules that hold for it.

    `rules` are those asked for, which go before everything a record says. `in_order` says
    that the records of a source are given one after the other: those that name their table
    places are then a series, in which Bock rounds are known.
    """

    rules: Rules | None = None
    in_order: bool = False
    _series: dict[tuple[str, str, str], Series] = field(
        default_factory=dict, compare=False, repr=False
    )

    def check(self, record: Record | BrokenRecord) -> Report:
        """Check one record; never raises for bad input."""
        return self.check_and_say(record)[0]

    def check_and_say(self, record: Record | BrokenRecord) -> tuple[Report, str]:
        """Check one record, and say why by these rules: `ASKED`, `OWN` or `DEFAULT`."""
        if self.rules is not None:
            return self._check(record, self.rules), ASKED
        asked_for = record.tag("Rules") if isinstance(record, Record) else None
        if asked_for is not None:
            own = rules_of_tag(asked_for)
            if own is None:
                return _unknown_rules(record, asked_for), DEFAULT
            return self._check(record, own), OWN
        return self._check(record, default_rules(record.origin.format)), DEFAULT

    def pass_by(self, record: Record | BrokenRecord) -> None:
        """Take note of a record whose verdict nobody asks for, where later ones hang on it."""
        if self.rules_for(record).tables.variants.bock.played:
            self.check(record)

    def _check(self, record: Record | BrokenRecord, rules: Rules) -> Report:
        """Check a record, in its place of a series where the rules have Bock rounds."""
        if not (self.in_order and rules.tables.variants.bock.played):
            return check(record, rules)
        table = (record.tag("Table") if isinstance(record, Record) else None) or ""
        key = (record.origin.source, rules.name, table)
        series = self._series.get(key)
        if isinstance(record, BrokenRecord):
            for one in self._series.values():
                one.lose(record)  # whichever table it was of
            return check(record, rules)
        if not has_places(record):
            return check(record, rules)
        if series is None:
            # one source is read at a time, and a file may name tables without end
            for other in [one for one in self._series if one[0] != key[0]]:
                del self._series[other]
            while len(self._series) >= _MOST_TABLES:
                del self._series[next(iter(self._series))]
            series = self._series[key] = Series(rules)
        report = check(record, rules, series.round_of(record))
        series.take(record, report.replay, report.outcome)
        wrong = series.rounds_fault(record)
        return report if wrong is None else with_finding(report, wrong, rules)

    def rules_for(self, record: Record | BrokenRecord) -> Rules:
        """Return the rules for a record, its format's default where it asks for unknown ones."""
        if self.rules is not None:
            return self.rules
        asked_for = record.tag("Rules") if isinstance(record, Record) else None
        own = None if asked_for is None else rules_of_tag(asked_for)
        return own or default_rules(record.origin.format)


def named_rules(rules: Rules | str | Path | None, settings: tuple[str, ...] = ()) -> Rules | None:
    """Return rules given as such, by name or by file; raises ProfileError.

    `settings` change single keys of rules that are named; UsageError where none are.
    """
    if settings and (rules is None or isinstance(rules, Rules)):
        raise UsageError("--set changes rules that are named: give --rules as well")
    if rules is None or isinstance(rules, Rules):
        return rules
    return load_rules(rules, settings)


def default_rules(format_name: str) -> Rules:
    """Return the rules that a format's records are judged by when nothing else is said."""
    return load_rules(FORMAT_RULES.get(format_name, OTHER_RULES))


@cache
def _known() -> frozenset[str]:
    return frozenset(available())


def rules_of_tag(name: str) -> Rules | None:
    """Return the rules that a record's tag names: packaged ones, perhaps with switches; no file."""
    try:
        return packaged_rules(name)
    except ProfileError:
        return None


def _unknown_rules(record: Record | BrokenRecord, asked_for: str) -> Report:
    """Report a record that cannot be judged: a replay by other rules would invent findings."""
    expected = "one of " + ", ".join(available())
    if asked_for.partition(" ")[0] in _known():
        try:
            packaged_rules(asked_for)
        except ProfileError as error:
            expected = error.message
    unknown = finding("R005", read=asked_for, expected=expected, part="tag/Rules")
    return unreadable(record, default_rules(record.origin.format), (*record.findings, unknown))
