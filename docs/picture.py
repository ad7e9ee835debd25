"""Draws docs/replay.svg from what `skatspec replay` really prints: `python docs/picture.py`."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
GAME = "records/games/schneider-announced-missed-89.skat"
COMMAND = ("skatspec", "replay", GAME)
WIDTH = 92
TAIL = 27  # the last tricks, the settlement, the verdict


def output() -> list[str]:
    """Return the last lines of the real output, colours included."""
    environment = {**os.environ, "COLUMNS": str(WIDTH), "FORCE_COLOR": "1"}
    environment.pop("NO_COLOR", None)
    ran = subprocess.run(
        [sys.executable, "-m", *COMMAND],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return ran.stdout.rstrip().splitlines()[-TAIL:]


def main() -> None:
    """Write the picture."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi("$ " + " ".join(COMMAND) + "\n…"))
    for line in output():
        console.print(Text.from_ansi(line), no_wrap=True)
    svg = console.export_svg(title="skatspec replay", unique_id="replay")
    (ROOT / "docs" / "replay.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
