"""A disagreement as files: a case of the suite, and beside it the record it is about."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from skatspec import settling
from skatspec.conformance import answers
from skatspec.conformance.cases import bytes_of
from skatspec.conformance.difference.differential import Found, Order
from skatspec.conformance.difference.disagreement import Difference
from skatspec.conformance.difference.questions import CHECK, LEGAL, suffix_of
from skatspec.conformance.protocol import excerpt
from skatspec.diagnostics import Verdict, catalog, message
from skatspec.errors import SkatspecError
from skatspec.formats import registry
from skatspec.judging import Judge
from skatspec.rules import Rules, load_rules

_LONGEST_ID = 80
_TAG = "diff"
_SUM = "result"  # what codes about a whole result are about, by the topics of profiles
_NOTATION = {"skat": "the notation .skat", "iss": "the ISS record format"}


def write(found: Found, order: Order, engine: Mapping[str, str], folder: Path) -> tuple[Path, ...]:
    """Write a disagreement into a folder, and return the files: the case, then its record.

    Raises OSError where they cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    case = document(found, order, engine)
    path = folder / f"{case['id']}.yaml"
    path.write_text(text(case), encoding="utf-8", newline="\n")
    if found.first.task != CHECK:
        return (path,)
    beside = path.with_suffix(suffix_of(order.form))
    beside.write_bytes(bytes_of(found.given))
    return path, beside


def name(found: Found, order: Order) -> str:
    """Return the id of a disagreement's case: seed, game from 1, task, and how it was met."""
    seed = str(order.seed).replace("-", "minus-")
    words = [_TAG, "seed", seed, "game", str(found.first.game + 1), found.first.task]
    kind = found.difference.kind
    words += [kind.fault] if kind.fault else sorted(kind.missing | kind.extra or kind.differs)[:2]
    words += [str(found.twins + 1)] if found.twins else []
    # an engine may call its codes what it likes; an id is small letters, digits and hyphens
    return re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower())[:_LONGEST_ID].strip("-")


def document(found: Found, order: Order, engine: Mapping[str, str]) -> dict[str, Any]:
    """Return a disagreement as a case of schema `case`."""
    first = found.first
    game = f"seed {order.seed} game {first.game + 1}"
    tags = [_TAG, order.form, first.mutation or "sound"]
    return {
        "id": name(found, order), "task": first.task, "rules": [order.rules], "level": "should",
        "rule": cited(found, rules_of(order)),
        "source": f"found by skatspec conform diff, {game}",
        "tags": list(dict.fromkeys(tags)),
        "input": found.given, "expect": found.difference.ours, "note": note(found, engine),
    }  # fmt: skip


def rules_of(order: Order) -> Rules:
    """Return the rules of an order."""
    return load_rules(order.rules, order.settings)


def note(found: Found, engine: Mapping[str, str]) -> str:
    """Return what the engine said, in a sentence, and whether it says it again."""
    who = f"{engine['name']} {engine['version']}" if engine else "the engine"
    said = found.difference.said
    if said.fault is not None:
        told = f"{who} gave no answer: {said.fault.code} {message(said.fault)}."
    else:
        told = f"{who} said {shown(said.result)}."
    return told if found.alone else f"{told} Asked alone, by a new process, it did not."


def shown(said: Any) -> str:
    """Return an answer as one line that is not too long."""
    return excerpt(json.dumps(said, ensure_ascii=False))


# --- the rule -----------------------------------------------------------------------------


def cited(found: Found, rules: Rules) -> str:
    """Return the rule that a disagreement is about, with its edition."""
    given, difference = found.given, found.difference
    cite = rules.profile.cite
    rows: list[str]
    if found.first.task == LEGAL:
        rows = [cite("trick" if "trick" in given else "follow-suit")]
    elif found.first.task == CHECK:
        rows = _of_codes(given, difference, rules)
    else:
        answer = settling.settle(answers.question(given), rules)
        rows = [one.rule for one in answer.findings] + [one.rule for one in answer.lines]
    stated = [row for row in dict.fromkeys(rows) if row]
    if difference.ours.get("verdict") == Verdict.UNREADABLE and not stated:
        return _NOTATION[str(given["format"])]
    return "; ".join(stated) or f"rules {rules.name}"


def _of_codes(given: dict[str, Any], difference: Difference, rules: Rules) -> list[str]:
    """Cite the finding that only one side has, else our first one."""
    kind = difference.kind
    try:
        record = registry.parse_text(given["record"], given["format"])
    except SkatspecError:
        return []
    report = Judge(rules).check(record)
    cite, rows = rules.profile.cite, catalog()
    wanted = [one.rule for one in report.findings if one.code in kind.missing and one.rule]
    topics = [rows[code].topic for code in sorted(kind.extra) if code in rows]
    if _SUM in topics and report.outcome is not None:
        # what is a result's sum hangs on every rule that it is added up by
        return [cite(row.topic) for one in report.outcome.settlements[:1] for row in one.lines]
    theirs = [cite(topic) for topic in topics]
    return [row for row in (*wanted, *theirs, *(one.rule for one in report.findings)) if row][:1]


# --- YAML ---------------------------------------------------------------------------------


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they are, and short lists on one line."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


class _Line(dict[str, Any]):
    """An object that stands on one line."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _list(dumper: yaml.SafeDumper, value: list[Any]) -> yaml.SequenceNode:
    plain = all(not isinstance(one, (dict, list)) for one in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=plain)


def _line(dumper: yaml.SafeDumper, value: _Line) -> yaml.MappingNode:
    return dumper.represent_mapping("tag:yaml.org,2002:map", value.items(), flow_style=True)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)
_Dumper.add_representer(_Line, _line)
_WIDTH = 96


def text(case: dict[str, Any]) -> str:
    """Return a case as a YAML document that reads back as the same."""
    written = case | {"expect": _Line(case["expect"])}
    return yaml.dump(
        written, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH,
        default_flow_style=False,
    )  # fmt: skip
