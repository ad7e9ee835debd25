"""Whether an engine agrees with skatspec about a question, and if not, in which kind of way.

A kind is what must stay while an input is made smaller: without it the shrinking would
slide from the fault that was found to any other one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from skatspec.conformance import answers
from skatspec.conformance.agreement import agreement
from skatspec.conformance.difference.asking import Said
from skatspec.diagnostics import Diagnostic, message
from skatspec.rules import Rules

SETTLED = "settled"
CHECK = "check"
# Faults that say in words of the program's own what happened; of the others the code is enough.
_IN_WORDS = ("C003", "C014")
_VARIES = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")
_STDERR = "stderr:"
_STEM = 80

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of disagreement.

    `ours` and `theirs` are the verdicts, `SETTLED` for an answer of figures; `fault` is the C
    code of an engine at fault, with the `stem` of its words. `differs` are the parts of the
    answer, `missing` what only we say (codes, cards), `extra` what only the engine says.
    """

    task: str
    ours: str
    theirs: str = ""
    differs: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    extra: frozenset[str] = frozenset()
    fault: str = ""
    stem: str = ""

    def holds(self, smaller: Kind | None) -> bool:
        """Say whether what a smaller input shows is still of this kind, or a part of it."""
        if smaller is None:
            return False
        if (self.task, self.ours, self.theirs, self.fault, self.stem) != (
            smaller.task, smaller.ours, smaller.theirs, smaller.fault, smaller.stem,
        ):  # fmt: skip
            return False
        if self.task != CHECK and self.differs != smaller.differs:
            return False
        pairs = (
            (self.differs, smaller.differs), (self.missing, smaller.missing),
            (self.extra, smaller.extra),
        )  # fmt: skip
        return all(part <= whole and bool(part) == bool(whole) for whole, part in pairs)


@dataclass(frozen=True, slots=True)
class Difference:
    """A disagreement: its kind, our answer, the engine's, and what differs in words."""

    kind: Kind
    ours: Answer
    said: Said
    words: tuple[str, ...]


def differing(task: str, given: Answer, said: Said, rules: Rules) -> Difference | None:
    """Compare what an engine said with our own answer; None where both agree, or it skips.

    Raises SkatspecError for a question that we cannot answer ourselves.
    """
    if said.skipped:
        return None
    return compared(task, answers.answer(task, given, rules), said)


def compared(task: str, ours: Answer, said: Said) -> Difference | None:
    """Compare what an engine said with our answer; None where both agree, or it skips."""
    if said.skipped:
        return None
    if said.fault is not None:
        return Difference(fault_kind(task, ours, said.fault), ours, said, (message(said.fault),))
    assert said.result is not None
    agreed = agreement(task, ours, said.result)
    if agreed.passed:
        return None
    keys = frozenset(words.partition(":")[0] for words in agreed.differs)
    missing, extra = _sides(ours, said.result, keys)
    kind = Kind(task, shape(ours), shape(said.result), keys, missing, extra)
    return Difference(kind, ours, said, agreed.differs)


def fault_kind(task: str, ours: Answer, fault: Diagnostic) -> Kind:
    """Return the kind of an engine's fault; numbers and names in its words may change."""
    stem = ""
    if fault.code in _IN_WORDS:
        head, mark, words = message(fault).partition(_STDERR)
        if fault.code != "C003":
            head, mark, words = "", "", head
        stem = (head + mark + _VARIES.sub("#", words))[:_STEM]
    return Kind(task, shape(ours), fault=fault.code, stem=stem)


def shape(said: Answer) -> str:
    """Return an answer's verdict, `SETTLED` for an answer of figures."""
    return str(said.get("verdict", SETTLED))


_LISTS = ("codes", "cards")


def _sides(
    ours: Answer, theirs: Answer, differs: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return which codes only we say and which only the engine; of cards, whether there are any."""
    missing: set[str] = set()
    extra: set[str] = set()
    for key in _LISTS:
        mine, other = _words(ours.get(key)), _words(theirs.get(key))
        found = (mine - other, other - mine)
        if key == "cards":
            found = ({key} if found[0] else set(), {key} if found[1] else set())
        elif not differs & {key, "verdict"}:
            continue
        missing |= found[0]
        extra |= found[1]
    return frozenset(missing), frozenset(extra)


def _words(value: Any) -> set[str]:
    return {str(one) for one in value} if isinstance(value, list) else set()
