"""Watch XSkat play, and hold its games against the rules: conformance without an adapter.

XSkat answers no questions, but it plays against itself without a screen and writes a log and
a list. This script starts it, reads both with skatspec and checks every game: cards, turns,
tricks, contracts, points, values. It needs the program (Debian: xskat) and skatspec.

    python3 xskat_observer.py --games 300
    python3 xskat_observer.py --games 300 --rules "xskat -kontra -bock" --rules xskat-ramsch

It leaves with 0 where nothing was contradicted, 1 where something was, 2 where the program
is missing or did not play.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import skatspec

CLEAN, CONTRADICTED, NOTHING_SEEN = 0, 1, 2
# XSkat's list keeps the last 360 games: the values of more would be lost.
_A_LOG = 300
_SECONDS = 60  # that it may take to play them; it takes less than one
_SHOWN = 5  # games that are told in words
_BAD = (skatspec.Verdict.CONTRADICTED, skatspec.Verdict.UNREADABLE)


class NotPlayed(Exception):
    """The program is missing, or did not play."""


def find(program: str | None) -> str:
    """Return the path of the program; Debian puts games where few have a PATH."""
    name = program or "xskat"
    found = shutil.which(name) or shutil.which(name, path="/usr/games")
    if found is None:
        raise NotPlayed(f"the program {name} is not there (Debian: apt install xskat)")
    # the program is started in another folder than this one
    return str(Path(found).absolute())


def switches(rules: skatspec.Rules) -> list[str]:
    """Return what the program is started with to play by these rules."""
    # `xskat-bock` is a profile that applies switches; `xskat -bock` has them in its name
    applied = rules.profile.data.get("apply") or ""
    return [*applied.split(), *rules.name.split()[1:]]


def play(program: str, words: Sequence[str], seed: int, games: int, folder: Path) -> Path:
    """Let the program play against itself; return the log, its list beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "games.log"
    for old in (log, log.with_suffix(".lst")):
        old.unlink(missing_ok=True)  # the program would go on with them
    (folder / "seed.txt").write_text(f"random_seed {seed} 0 2\n", encoding="ascii")
    command = [
        program, "-auto", str(games), "-game", "seed.txt", "-log", log.name,
        "-list", log.with_suffix(".lst").name, "-lang", "english", *words,
    ]  # fmt: skip
    # its own settings file of an earlier day is not to be read: another home
    environment = {"HOME": str(folder.absolute()), "PATH": "/usr/bin:/bin"}
    try:
        subprocess.run(
            command, cwd=folder, env=environment, check=True, timeout=_SECONDS,
            stdin=subprocess.DEVNULL, capture_output=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        raise NotPlayed(f"{program} did not play: {error}") from None
    if not log.is_file():
        raise NotPlayed(f"{program} wrote no log")
    return log


def watch(
    program: str, rules: skatspec.Rules, seed: int, games: int, folder: Path
) -> Iterator[skatspec.Report]:
    """Yield a report for each game, log after log; the seeds count up from the first."""
    words = switches(rules)
    for number, done in enumerate(range(0, games, _A_LOG)):
        wanted = min(_A_LOG, games - done)
        log = play(program, words, seed + number, wanted, folder / f"{seed + number}")
        seen = 0
        # in their order: a game of a Bock round counts double because of one before it
        for report in skatspec.check_all(skatspec.read(log, "xskat"), rules):
            seen += 1
            yield report
        if seen != wanted:
            raise NotPlayed(f"{program} wrote {seen} games to {log}, not {wanted}")


def observe(program: str, name: str, seed: int, games: int, folder: Path) -> int:
    """Watch some games under rules, print what was found, and return how many are wrong."""
    rules = skatspec.load_rules(name)
    verdicts: Counter[str] = Counter()
    bad: list[skatspec.Report] = []
    unvalued = 0
    for report in watch(program, rules, seed, games, folder / re.sub(r"[^\w-]", "", name)):
        verdicts[report.verdict.value] += 1
        if report.verdict in _BAD:
            bad = [*bad, report][:_SHOWN]
        elif not has_value(report):
            unvalued += 1
    counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    print(f"{name}, seed {seed}: {sum(verdicts.values())} games, {counts}")
    for report in bad:
        print(f"  {report.source}:{report.line}: game {report.id} {report.verdict.value}")
        for one in report.findings:
            print(f"    line {one.line}: {one.code} {one.message} ({one.rule or 'no rule'})")
    if unvalued:
        print(f"  {unvalued} games without a value: the list is missing or contradicts its log")
        print("  (--keep DIR keeps both; `skatspec check` of the log then tells the row)")
    return unvalued + sum(verdicts[verdict.value] for verdict in _BAD)


def has_value(report: skatspec.Report) -> bool:
    """Say whether the list gave the game its value; one that contradicts its log gives none."""
    result = report.record.result if isinstance(report.record, skatspec.Record) else None
    if result is None:
        return False
    return result.kind == "passed" or result.score is not None or result.scores is not None


def count(text: str) -> int:
    """Return a number of games; ValueError for one that is none."""
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


def main(words: Sequence[str] | None = None) -> int:
    """Run the script; return how it leaves."""
    about, *_ = (__doc__ or "").partition("\n")
    options = argparse.ArgumentParser(description=about)
    options.add_argument("--games", type=count, default=100, help="games under each of the rules")
    options.add_argument("--seed", type=int, help="plays the same games again; else by chance")
    options.add_argument("--keep", type=Path, metavar="DIR", help="keep the logs and lists there")
    options.add_argument(
        "--rules", action="append", metavar="NAME",
        help='the rules, and with them the program\'s switches: "xskat -ramsch" (repeatable)',
    )  # fmt: skip
    options.add_argument("--program", metavar="PATH", help="the program, where it is another one")
    given = options.parse_args(words)
    seed = random.randrange(1, 30_000) if given.seed is None else given.seed
    wrong = 0
    try:
        program = find(given.program)
        with tempfile.TemporaryDirectory(prefix="xskat-") as folder:
            for name in given.rules or ["xskat"]:
                wrong += observe(program, name, seed, given.games, given.keep or Path(folder))
    except (NotPlayed, skatspec.SkatspecError, OSError) as error:
        print(f"xskat_observer: {error}", file=sys.stderr)
        return NOTHING_SEEN
    return CONTRADICTED if wrong else CLEAN


if __name__ == "__main__":
    sys.exit(main())
