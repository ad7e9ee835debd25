"""XSkat logs for tests: the shared ones with the switches they were played with, and fresh ones."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.shared import SHARED

LOGS = SHARED / "data" / "xskat"
HUMAN = LOGS / "human"
BOCK = "-kontra -bock -bockevents 255"
# The switches behind each mode; the profile `xskat-<mode>` is played with them.
MODES = {
    "std": "", "weak": "", "oldrules": "-oldrules", "ramsch": "-ramsch",
    "ramschonly": "-ramschonly", "sramschonly": "-ramschonly -sramsch -klopfen",
    "skattoloser": "-ramschonly -skattoloser", "kontra": "-kontra",
    "kontra18": "-kontra -kontra18", "bock": BOCK,
    "bockramsch": f"{BOCK} -ramsch -bockramsch -sramsch -klopfen", "spitze": "-spitze",
    "spitze2": "-spitze2", "revolution": "-revolution", "schenken": "-schenken",
    "tlist": "-tlist -alist",
}  # fmt: skip
PROGRAM = shutil.which("xskat") or shutil.which("xskat", path="/usr/games")
GAMES = 350


@dataclass(frozen=True)
class Played:
    """A human log: its switches, how many games, how many stay open without the list."""

    switches: str
    games: int
    opened: int


@cache
def human() -> dict[str, Played]:
    """Return the human logs by name, as their README tells."""
    if not HUMAN.is_dir():
        return {}
    text = (HUMAN / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| (.*?) \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    return {
        stem: Played("" if line == "none" else line.strip("`"), int(games), int(opened))
        for stem, line, games, opened in rows
    }


def rules_for(switches: str) -> str:
    """Return the name of the rules that the program plays with these switches."""
    return f"xskat {switches}".strip()


def play(folder: Path, mode: str, seed: int, games: int = GAMES) -> Path:
    """Let the real program play against itself; return the log, its list beside it."""
    assert PROGRAM is not None
    (folder / "seed.txt").write_text(f"random_seed {seed} 0 2\n", encoding="ascii")
    log = folder / f"{mode}.log"
    subprocess.run(
        [
            PROGRAM, "-auto", str(games), "-game", "seed.txt", "-log", log.name,
            "-list", f"{mode}.lst", "-lang", "english", *MODES[mode].split(),
        ],
        cwd=folder, check=True, timeout=60, capture_output=True,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    return log
