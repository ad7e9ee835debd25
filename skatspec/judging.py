"""Which rules a record is judged by: those asked for, its own `Rules` tag, its format's default.

A tag may name packaged rules only, never a file: records come from strangers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from skatspec.check import Report, check, unreadable
from skatspec.diagnostics import finding
from skatspec.errors import UsageError
from skatspec.record import BrokenRecord, Record
from skatspec.rules import Rules, available, load_rules

FORMAT_RULES = {"iss": "iss"}
OTHER_RULES = "isko"

# Why these rules, for the summary.
ASKED, OWN, DEFAULT = "--rules", "the record's Rules tag", "the format's default"


@dataclass(frozen=True, slots=True)
class Judge:
    """Checks records, each by the rules that hold for it.

    `rules` are those asked for, which go before everything a record says.
    """

    rules: Rules | None = None

    def check(self, record: Record | BrokenRecord) -> Report:
        """Check one record; never raises for bad input."""
        return self.check_and_say(record)[0]

    def check_and_say(self, record: Record | BrokenRecord) -> tuple[Report, str]:
        """Check one record, and say why by these rules: `ASKED`, `OWN` or `DEFAULT`."""
        if self.rules is not None:
            return check(record, self.rules), ASKED
        asked_for = record.tag("Rules") if isinstance(record, Record) else None
        if asked_for is not None:
            if asked_for not in _known():
                return _unknown_rules(record, asked_for), DEFAULT
            return check(record, load_rules(asked_for)), OWN
        return check(record, default_rules(record.origin.format)), DEFAULT

    def rules_for(self, record: Record | BrokenRecord) -> Rules:
        """Return the rules for a record, its format's default where it asks for unknown ones."""
        if self.rules is not None:
            return self.rules
        asked_for = record.tag("Rules") if isinstance(record, Record) else None
        if asked_for is not None and asked_for in _known():
            return load_rules(asked_for)
        return default_rules(record.origin.format)


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


def _unknown_rules(record: Record | BrokenRecord, asked_for: str) -> Report:
    """Report a record that cannot be judged: a replay by other rules would invent findings."""
    unknown = finding(
        "R005", read=asked_for, expected="one of " + ", ".join(available()), part="tag/Rules"
    )
    return unreadable(record, default_rules(record.origin.format), (*record.findings, unknown))
