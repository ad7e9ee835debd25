"""Writes into every case the tags of the rules that it notices: `python -m tests.tag_cases`.

A maintainer's tool. It runs every mutant of `mutants.py` over a folder of cases, `records/`
unless another is named, and brings the case files' `tags` in line: what a tag of
`TAGS.yaml` says and no longer holds is taken out, what is missing is added behind the other
tags. Nothing else of a file changes. `--report` writes nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from skatspec import resources
from skatspec.conformance.cases import Case, Suite, load_suite
from tests.mutants import MUTANTS
from tests.mutants_matrix import Matrix

WIDTH = 100
ENOUGH = 3  # cases that a rule should have
KEY = "tags"


@dataclass(frozen=True, slots=True)
class Findings:
    """Which cases notice which rule; `failing` are cases that the right engine gets wrong."""

    cases: dict[str, set[str]]
    failing: set[str]

    def tags_of(self, case: Case) -> list[str]:
        """Return the tags of a case as they should be: its own, then the rules' in order."""
        own = [tag for tag in case.tags if tag not in self.cases]
        return own + sorted(tag for tag, ids in self.cases.items() if case.id in ids)


def found_in(suite: Suite) -> Findings:
    """Run every mutant over a suite."""
    matrix = Matrix.of(suite.cases, MUTANTS)
    return Findings({tag: matrix.noticed_by(tag) for tag in MUTANTS}, matrix.failing)


def catalogue(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the rules of `TAGS.yaml` by their tags."""
    text = (folder / "TAGS.yaml").read_text(encoding="utf-8")
    rules: dict[str, dict[str, Any]] = yaml.safe_load(text)["rules"]
    return rules


# --- writing ----------------------------------------------------------------------------


def with_tags(text: str, tags: Sequence[str]) -> str:
    """Return a case's text with other tags, all else byte for byte the same.

    Raises ValueError where the tags are no list in brackets.
    """
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    nodes = [value for key, value in pairs if key.value == KEY]
    if len(nodes) != 1 or not isinstance(nodes[0], yaml.SequenceNode) or not nodes[0].flow_style:
        raise ValueError("the tags are no list in brackets")
    begin, end = nodes[0].start_mark.index, nodes[0].end_mark.index
    return text[:begin] + _listed(tags) + text[end:]


def _listed(tags: Iterable[str]) -> str:
    """Return the tags as a list in brackets, broken into lines that are not too long."""
    lines = [f"{KEY}: ["]
    for tag in tags:
        word = f"{_word(tag)}, "
        if len(lines[-1]) + len(word) > WIDTH:
            lines.append("  ")
        lines[-1] += word
    text = "\n".join(line.rstrip() for line in lines).rstrip(",")
    return text.removeprefix(f"{KEY}: ") + "]"


def _word(tag: str) -> str:
    """Return a tag as YAML has it: some are words of its own, and stand in quotes."""
    return tag if yaml.safe_load(tag) == tag else f'"{tag}"'


def write(case: Case, tags: Sequence[str]) -> bool:
    """Bring the tags of a case's file in line; say whether they were not."""
    if list(case.tags) == list(tags):
        return False
    text = case.path.read_bytes().decode("utf-8")
    case.path.write_bytes(with_tags(text, tags).encode("utf-8"))
    return True


# --- the tool ---------------------------------------------------------------------------


def report(found: Findings, rules: dict[str, dict[str, Any]]) -> Iterable[str]:
    """Yield a line a rule that too few cases notice, and one a case that fails as it is."""
    for tag, ids in found.cases.items():
        if len(ids) < ENOUGH:
            reason = rules.get(tag, {}).get("few", "")
            yield f"{tag}: {len(ids)} cases {' '.join(sorted(ids))} {reason}".rstrip()
    for case in sorted(found.failing):
        yield f"{case}: fails with the right rules, and was left out"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.tag_cases", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=resources.locate("records"))
    parser.add_argument("--report", action="store_true", help="write nothing")
    asked = parser.parse_args(argv)
    suite = load_suite(asked.folder)
    for one in suite.findings:
        print(f"no case, and left as it is: {one}")
    found = found_in(suite)
    for line in report(found, catalogue(asked.folder)):
        print(line)
    if not asked.report:
        left = [case for case in suite.cases if case.id not in found.failing]
        changed = sum([write(case, found.tags_of(case)) for case in left])
        print(f"{changed} of {len(suite.cases)} case files changed")


if __name__ == "__main__":
    main()
