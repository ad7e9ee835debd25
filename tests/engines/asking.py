"""Asks engines that are wrong on purpose a few cases made for it."""

from __future__ import annotations

import sys
from pathlib import Path

from skatspec.conformance.cases import Case, load_suite
from skatspec.conformance.outcome import Outcome
from skatspec.conformance.process import Limits
from skatspec.conformance.runner import Options, run

WRONG = str(Path(__file__).with_name("wrong.py"))
LIMITS = Limits(timeout=60.0, start_timeout=60.0, output=1 << 16, memory=200)
# what never answers need not be waited for as long as what is slow on a busy machine
SHORT = Limits(timeout=3.0, start_timeout=6.0, output=1 << 16, memory=200)
SILENT = ("silent", "silent-at-third", "closes-stdout")
MANY = 6


def cases(tmp_path: Path, number: int = MANY) -> tuple[Case, ...]:
    """Return cases that the engine with no fault answers rightly."""
    for one in range(number):
        text = f"""\
id: made-{one:03}
task: legal
rules: [isko]
level: must
rule: ISkO 2022 4.2
source: made for this test
tags: [follow]
input: {{contract: hearts, hand: [S7, C{"789TJ QKA"[one % 4]}], led: SA}}
expect: {{cards: [S7]}}
"""
        (tmp_path / f"made-{one:03}.yaml").write_text(text)
    return load_suite(tmp_path).cases


def asked(way: str, tmp_path: Path, number: int = MANY, **options: object) -> Outcome:
    """Run the engine that is wrong in one way over so many cases."""
    folder = tmp_path / "cases"
    folder.mkdir(exist_ok=True)
    made = cases(folder, number)
    command = [sys.executable, WRONG, way, str(tmp_path / "state")]
    limits = SHORT if way in SILENT else LIMITS
    return run(command, made, Options(limits=limits, **options))  # type: ignore[arg-type]
