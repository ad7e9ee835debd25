"""`skatspec check` by either engine: the same records, the same findings, the same exit code."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from skatspec.formats import iss
from tests.clirun import GOOD, Skatspec, skatspec
from tests.gamegen import seeded
from tests.shared import SHARED, needs_shared

pytest.importorskip("numba", reason="the fast engine needs the extra `archive` (numba)")

from skatspec.archive.kernel import decide
from skatspec.archive.kernel.answers import CONSISTENT, SCORE

__all__ = ["skatspec"]
ISS = SHARED / "data" / "iss"
JUNK = (b"", b"# note", b"junk", b"(;GM[Skat]MV[w", b"(;", b"\xe4hnlich", b"]", "x\u2028y".encode())
ENDS = (b"\n", b"\n", b"\n", b"\n", b"\r\n", b"\r")


def sound(games: int = 200) -> list[bytes]:
    return [iss.write(one.record)[0].rstrip("\n").encode() for one in seeded("iss", games)]


def wrong(chance: random.Random, line: bytes) -> bytes:
    """Return a record with a digit or a letter changed."""
    at = chance.randrange(len(line) // 2, len(line) - 4)
    return line[:at] + bytes([chance.choice(b"0123456789CSHDTJQKA .")]) + line[at + 1 :]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of sound records, faulty ones, and what is no record at all."""
    chance = random.Random(4)
    good, parts = sound(), []
    for _ in range(1500):
        kind = chance.random()
        line = chance.choice(good)
        if kind < 0.08:
            line = wrong(chance, line)
        elif kind < 0.16:
            line = chance.choice(JUNK)
        parts += [line, chance.choice(ENDS)]
    path = tmp_path_factory.mktemp("mixed") / "mixed.sgf"
    path.write_bytes(b"".join(parts))
    return path


def without_engines(text: str) -> str:
    """Return an output without what the summary says of the engines."""
    return "\n".join(line for line in text.split("\n") if not line.startswith("fast engine:"))


@pytest.mark.parametrize(
    "options",
    [
        (), ("--format", "concise"), ("-v",), ("--format", "jsonl"), ("--select", "S,N"),
        ("--fail-on", "warning", "--ignore", "S001"), ("--rules", "isko"), ("-q",),
        ("--format", "concise", "--output", "jsonl:{out}"),
    ],
)  # fmt: skip
def test_what_is_found_is_the_same_whichever_engine_ran(
    options: tuple[str, ...], mixed: Path, skatspec: Skatspec, tmp_path: Path
) -> None:
    ran = []
    for engine in (("scalar", "--jobs=1"), ("fast", "--jobs=1"), ("fast", "--jobs=2")):
        out = tmp_path / "-".join(engine)
        given = [one.replace("{out}", str(out)) for one in options]
        one = skatspec("check", mixed, "--engine", *engine, *given)
        written = out.read_text() if out.exists() else ""
        ran.append((one.code, without_engines(one.out), one.err, written))
    assert ran[0] == ran[1] == ran[2]
    assert ran[0][0] == 1


def test_the_summary_says_what_the_fast_engine_decided(mixed: Path, skatspec: Skatspec) -> None:
    ran = skatspec("check", mixed, "--engine=fast", "--audit=10", "--jobs=1", "--format=json")
    document = json.loads(ran.out)
    # a full report of every record is wanted, which the kernel does not make
    assert document["summary"]["engine"] == {"fast": 0, "audited": 0, "disagreements": 0}
    ran = skatspec("check", mixed, "--engine=fast", "--audit=10", "--jobs=1")
    (text,) = [line for line in ran.lines if line.startswith("fast engine:")]
    words = text.split()
    decided, audited = (int(words[at].replace(",", "")) for at in (2, 5))
    assert decided > 1000
    assert 0.05 * decided < audited < 0.2 * decided
    assert text.endswith("no disagreement")
    assert " none of them checked" in skatspec(
        "check", mixed, "--engine=fast", "--audit=0", "--jobs=1"
    ).out  # fmt: skip


def test_what_is_no_iss_record_is_left_to_the_scalar_engine(
    skatspec: Skatspec, tmp_path: Path
) -> None:
    path = tmp_path / "good.skat"
    path.write_text(GOOD)
    ran = skatspec("check", path, "--engine=fast")
    assert ran.code == 0
    assert "fast engine" not in ran.out


def test_small_files_are_checked_without_loading_the_fast_engine(
    mixed: Path, skatspec: Skatspec
) -> None:
    assert "fast engine" not in skatspec("check", mixed).out


def test_rules_that_the_fast_engine_does_not_know_are_refused_when_it_is_asked_for(
    mixed: Path, skatspec: Skatspec
) -> None:
    ran = skatspec("check", mixed, "--engine=fast", "--rules=xskat-bockramsch")
    assert ran.code == 2
    assert "--engine scalar" in ran.err


def test_a_disagreement_is_our_fault_and_the_scalar_engine_has_the_last_word(
    mixed: Path, skatspec: Skatspec, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = decide.Kernel.decide

    def lying(self: Any, data: Any) -> Any:
        found = honest(self, data)
        found.figures[found.status == CONSISTENT, SCORE] += 1
        return found

    monkeypatch.setattr(decide.Kernel, "decide", lying)
    plain = skatspec("check", mixed, "--engine=scalar", "--format=concise")
    ran = skatspec("check", mixed, "--engine=fast", "--audit=5", "--jobs=1", "--format=concise")
    assert ran.code == 3
    fault = [line for line in ran.lines if ": E010 engines-disagree: " in line]
    assert len(fault) > 50
    assert [line for line in ran.lines if line not in fault] == plain.lines


@needs_shared
@pytest.mark.parametrize("rules", ["iss", "iss-client", "isko"])
def test_both_engines_agree_on_every_shared_iss_file(rules: str, skatspec: Skatspec) -> None:
    for path in sorted(ISS.glob("*.sgf")):
        by = [
            skatspec("check", path, "--rules", rules, "--engine", *engine)
            for engine in (("scalar", "--jobs=1"), ("fast", "--jobs=1", "--audit=2"))
        ]
        assert without_engines(by[0].out) == without_engines(by[1].out)
        assert by[0].code == by[1].code
        assert "no disagreement" in by[1].out or "fast engine" not in by[1].out


@pytest.mark.parametrize("engine", [("auto",), ("fast", "--jobs=1"), ("fast", "--jobs=2")])
def test_what_was_read_of_a_damaged_file_is_checked_before_the_next_one(
    engine: tuple[str, ...], mixed: Path, skatspec: Skatspec, tmp_path: Path
) -> None:
    packed = gzip.compress(mixed.read_bytes() * 6)
    (tmp_path / "cut.sgf.gz").write_bytes(packed[: len(packed) * 9 // 10])
    (tmp_path / "next.sgf").write_bytes(b"(;GM[Skat]X ;)\n")
    wanted, ran = (
        skatspec("check", tmp_path, "--format=concise", "--engine", *one)
        for one in (("scalar", "--jobs=1"), engine)
    )
    assert ran == wanted
    assert sum("E008" in line for line in ran.lines) == 1
    assert len(ran.lines) > 100
    assert "next.sgf" in ran.lines[-1]


def test_auto_uses_the_fast_engine_once_it_was_compiled(mixed: Path, tmp_path: Path) -> None:
    path = tmp_path / "large.sgf"
    path.write_bytes(mixed.read_bytes() * 6)
    command = [sys.executable, "-m", "skatspec", "check", str(path)]
    ran = subprocess.run([*command, "--engine=fast"], capture_output=True, text=True)
    assert "fast engine:" in ran.stdout
    ran = subprocess.run(command, capture_output=True, text=True)
    assert "fast engine:" in ran.stdout
