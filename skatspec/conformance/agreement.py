"""How far an engine's answer agrees with a case: whether it passes, at which level, what differs.

For the task `check` there are four levels, each with those below it: the verdict, the step
that is wrong, the code, the line. An engine is held to what it says: a result without
`codes` is measured by its verdict. In every other task an answer is equal or it is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from skatspec.conformance.cases import AGREEMENTS

VERDICT, STEP, CODE, POSITION = AGREEMENTS


@dataclass(frozen=True, slots=True)
class Agreement:
    """Whether an answer passes, the highest level it agrees at, and in words what differs.

    `level` is empty where not even the verdict agrees, and in tasks without levels; `most` is
    the highest level that the case can show.
    """

    passed: bool
    level: str = ""
    most: str = ""
    differs: tuple[str, ...] = ()


def agreement(task: str, expect: dict[str, Any], result: Any, least: str = VERDICT) -> Agreement:
    """Compare an answer with the expected one; `least` is the level a check must reach."""
    if not isinstance(result, dict):
        return Agreement(False, differs=(f"an object expected, {_shown(result)} said",))
    if task == "check":
        return _checked(expect, result, least)
    differs = tuple(_differences(expect, result))
    return Agreement(not differs, differs=differs)


def _differences(expect: dict[str, Any], result: dict[str, Any]) -> Iterator[str]:
    """Yield what differs of the answer's parts; an answer may say more than is asked."""
    for key, wanted in expect.items():
        if key not in result:
            yield f"{key}: {_shown(wanted)} expected, not said"
        elif not _same(key, wanted, result[key]):
            yield f"{key}: {_shown(wanted)} expected, {_shown(result[key])} said"
    for key in _UNASKED:
        if key not in expect and result.get(key):
            yield f"{key}: none expected, {_shown(result[key])} said"
    if "verdict" in result and "verdict" not in expect and result["verdict"] != "consistent":
        yield f"verdict: a settled game expected, {_shown(result['verdict'])} said"


# What an answer may leave out, and must not claim where there is none.
_UNASKED = ("admissible", "alternatives", "covering", "lots")
# Lists whose order says nothing.
_SETS = ("codes", "losers", "cards", "admissible", "alternatives", "lots")


def _same(key: str, wanted: Any, said: Any) -> bool:
    if isinstance(wanted, list) and isinstance(said, list):
        if len(wanted) != len(said):
            return False
        if key in _SETS:
            return all(any(_same("", one, other) for other in said) for one in wanted)
        return all(_same("", one, other) for one, other in zip(wanted, said, strict=True))
    if isinstance(wanted, dict) and isinstance(said, dict):
        return all(name in said and _same(name, one, said[name]) for name, one in wanted.items())
    if isinstance(wanted, bool) or isinstance(said, bool):
        return wanted is said  # to Python true is 1
    return bool(wanted == said)


def _checked(expect: dict[str, Any], result: dict[str, Any], least: str) -> Agreement:
    """Walk up the levels; what the engine does not say ends the walk without a fault."""
    tests = {
        VERDICT: ("verdict", expect["verdict"], result.get("verdict")),
        STEP: ("step", expect.get("step"), result.get("step")),
        CODE: ("codes", expect["codes"], result.get("codes")),
        POSITION: ("line", expect.get("line"), result.get("line")),
    }
    shown = [name for name, (_, wanted, _) in tests.items() if wanted is not None]
    reached, differs, silent = "", [], ""
    for name in shown:
        key, wanted, said = tests[name]
        if said is None:
            silent = silent or name
        elif not _same(key, wanted, said):
            differs.append(f"{key}: {_shown(wanted)} expected, {_shown(said)} said")
        elif not differs and not silent:
            reached = name
    said_notes = result.get("notes")
    missing = [] if said_notes is None else _missing(expect.get("notes", ()), said_notes)
    if missing:
        differs.append(f"notes: {', '.join(missing)} expected, not said")
    # no more is asked for than the case can show at that level or below
    asked = max(_rank(name) for name in shown if _rank(name) <= _rank(least))
    below = _rank(reached) < asked
    if below and not differs:
        differs.append(f"{tests[silent or shown[-1]][0]}: not said, and --agreement asks for it")
    return Agreement(not differs, reached, shown[-1], tuple(differs))


def _missing(wanted: Iterable[str], said: Any) -> list[str]:
    return [one for one in wanted if not isinstance(said, list) or one not in said]


def _rank(level: str) -> int:
    return AGREEMENTS.index(level) if level else -1


def _shown(value: Any) -> str:
    """Return a value as an answer would have it, short enough for a line."""
    import json

    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _WIDTH else text[:_WIDTH] + "..."


_WIDTH = 160
