"""Which rules and which count a list is checked by: those asked for, its own, the default.

A list may name packaged rules only, never a file: lists come from strangers.
"""

from __future__ import annotations

from collections.abc import Mapping

from skatspec.diagnostics import Diagnostic, finding
from skatspec.errors import ProfileError, UsageError
from skatspec.judging import OTHER_RULES
from skatspec.rules import Rules, packaged_rules
from skatspec.rules.match import NO_BONUS, PLAIN, SEEGER_FABIAN, WITH_BONUS, compile_match
from skatspec.session.checking import ListChecker
from skatspec.session.report import ListReport
from skatspec.session.scoring import SYSTEMS
from skatspec.sheet import Sheet

# A folder of lists may name ever other rules and lengths: few checkers are kept.
_MOST_CHECKERS = 50

# How many deals were agreed: for all tables, or by the number of players, those under
# `OTHERS` at tables of any other size.
Agreed = int | Mapping[int, int] | None
OTHERS = 0


class ListJudge:
    """Checks lists, each by the rules and the system that hold for it.

    What is asked for goes before what a list says. `length` is the number of deals agreed.
    Raises UsageError for a system that needs a bonus, where the rules asked for have none.
    """

    def __init__(
        self, rules: Rules | None = None, system: str | None = None, length: Agreed = None
    ) -> None:
        if system is not None and system not in SYSTEMS:
            known = ", ".join(SYSTEMS)
            raise UsageError(f"there is no system {system!r}; there are: {known}")
        if rules is not None and system is not None and not has_bonus(rules, system):
            raise UsageError(
                f"{rules.name} has no bonus for {system}: name rules that have one, such as "
                f"{OTHER_RULES}, or set match.bonus"
            )
        self.rules, self.system, self.length = rules, system, length
        self._checkers: dict[tuple[str, str, str, int | None], ListChecker] = {}

    def check(self, sheet: Sheet) -> ListReport:
        """Check one list; never raises for what stands on it."""
        findings: list[Diagnostic] = []
        rules = self.rules or self._own_rules(sheet, findings)
        system = self.system or sheet.system or compile_match(rules.profile).system
        if not has_bonus(rules, system):
            findings.append(finding("L025", read=system, rules=rules.name))
            system = PLAIN
        return self._checker(rules, system, self._agreed(sheet.seats)).check(sheet, findings)

    def rules_of(self, report: ListReport) -> Rules:
        """Return the rules that a list was checked by."""
        return self.rules or packaged_rules(report.rules)

    def _own_rules(self, sheet: Sheet, findings: list[Diagnostic]) -> Rules:
        if sheet.rules is not None:
            try:
                return packaged_rules(sheet.rules)
            except ProfileError:
                findings.append(finding("L026", read=sheet.rules, expected=OTHER_RULES))
        return packaged_rules(OTHER_RULES)

    def _agreed(self, seats: int) -> int | None:
        if isinstance(self.length, Mapping):
            return self.length.get(seats, self.length.get(OTHERS))
        return self.length

    def _checker(self, rules: Rules, system: str, length: int | None) -> ListChecker:
        key = (rules.name, rules.tables.digest, system, length)
        if key not in self._checkers:
            if len(self._checkers) >= _MOST_CHECKERS:
                self._checkers.clear()
            self._checkers[key] = ListChecker(rules, system, length)
        return self._checkers[key]


def has_bonus(rules: Rules, system: str) -> bool:
    """Say whether rules have the bonus that a system adds; one without a bonus needs none."""
    bonus = rules.profile.data["match"]["bonus"]
    if system not in WITH_BONUS:
        return True
    if bonus == NO_BONUS:
        return False
    others = any(compile_match(rules.profile).others_lost.values())
    return others or system != SEEGER_FABIAN
