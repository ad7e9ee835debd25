"""What other programs do in the same time: OpenSpiel's Skat and python-chess, if installed.

`pip install open_spiel chess` brings them; what is missing is named and left out. Neither does
what skatspec does, and `lines` says what each does.

Run from the repository: `python -m benchmarks.peers FILE`, FILE of ISS records.
"""

from __future__ import annotations

import argparse
import io
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from skatspec.cards import HIDDEN, NAMES
from skatspec.formats import registry
from skatspec.record import Declare, Discard, Play, Record, Step

RUNS = 3
PLIES = 60
_SEED = 1

# OpenSpiel's Skat: a card is suit * 8 + rank in its own orders, as its `action_to_string` says.
_CARDS = {name: "DHSC".index(name[0]) * 8 + "789QKTAJ".index(name[1]) for name in NAMES[:HIDDEN]}
_PASS = 32
_GAMES = {
    "diamonds": 33, "hearts": 34, "spades": 35, "clubs": 36, "grand": 37, "null": 38,
}  # fmt: skip
# Who gets the cards as it deals them: three each, the skat (3), four each, three each.
_DEALT = (0,) * 3 + (1,) * 3 + (2,) * 3 + (3,) * 2 + (
    (0,) * 4 + (1,) * 4 + (2,) * 4 + (0,) * 3 + (1,) * 3 + (2,) * 3
)  # fmt: skip

OPEN_SPIEL = (
    "checks, from action numbers made beforehand: each card is in the hand of the player whose "
    "turn it is and follows suit (its plain `apply_action` does not check that), the discards were "
    "held. Does not: read a record; say who played a card; know an auction (its own is one choice "
    "of a game), Hand, announcements or irregularities; compare a value or a stated result."
)
PYTHON_CHESS = (
    f"reads PGN of some {PLIES} half-moves and checks that every move is legal and unambiguous. "
    "Does not: compare the stated result with the position, or write anything."
)


@dataclass(frozen=True, slots=True)
class Speed:
    """A peer's seconds of each run over some games of so many steps, of `cpu` the processor's.

    `accepted` and `rejected` are games.
    """

    name: str
    games: int
    steps: int
    seconds: list[float]
    cpu: list[float]
    accepted: int
    rejected: int

    def text(self) -> str:
        """Return the figures as a line."""
        if not self.games:
            return f"{self.name}: no game that it could replay"
        best, usual = self.games / min(self.seconds), self.games / median(self.seconds)
        return (
            f"{self.name}: {self.games:,} games, {self.steps / self.games:.0f} steps each; "
            f"best {best:,.0f} games/s, median {usual:,.0f}, "
            f"CPU {min(self.cpu) / self.games * 1e6:,.0f} µs a game; {self.accepted:,} accepted, "
            f"{self.rejected:,} rejected"
        )


def _timed(name: str, games: list[Any], steps: int, work: Callable[[Any], bool]) -> Speed:
    seconds, cpu, accepted = [], [], 0
    for _ in range(RUNS):
        begin, spent = time.perf_counter(), time.process_time()
        accepted = sum(map(work, games))
        seconds.append(time.perf_counter() - begin)
        cpu.append(time.process_time() - spent)
    return Speed(name, len(games), steps, seconds, cpu, accepted, len(games) - accepted)


# --- OpenSpiel ----------------------------------------------------------------------------


def actions(record: Record) -> list[int] | None:
    """Return a record's deal, game, discards and cards as OpenSpiel's actions.

    None where cards are hidden or missing. What ends a game early ends the actions.
    """
    parts = record.deal.parts() if record.deal else ()
    if len(parts) != len(_DEALT[:4]) or any(part is None or HIDDEN in part for part in parts):
        return None
    hands = [iter(part or ()) for part in parts]
    done = [_CARDS[NAMES[next(hands[to])]] for to in _DEALT]
    declared = next((one for one in record.steps if isinstance(one, Declare)), None)
    if declared is None:
        return done + [_PASS] * 3
    done += [_PASS] * declared.seat + [_GAMES[declared.contract]]
    away = next((one.cards for one in record.steps if isinstance(one, Discard)), parts[3]) or ()
    cards = list(_played(record.steps))
    if HIDDEN in (*away, *cards):
        return None
    return done + [_CARDS[NAMES[card]] for card in (*away, *cards)]


def _played(steps: tuple[Step, ...]) -> Iterator[int]:
    begun = False
    for step in steps:
        if isinstance(step, Play):
            begun = True
            yield step.card
        elif begun:
            return


def open_spiel(path: Path) -> Speed:
    """Replay the games of a file, all their cards open, with every action's legality checked."""
    import pyspiel

    game = pyspiel.load_game("skat")

    def legal(moves: list[int]) -> bool:
        state = game.new_initial_state()
        for move in moves:
            if move not in state.legal_actions():
                return False
            state.apply_action(move)
        return True

    def replayed(moves: list[int]) -> bool:
        state = game.new_initial_state()
        step = state.apply_action_with_legality_check
        for move in moves:
            step(move)
        return True

    read = (one for one in registry.open_records(path, "iss") if isinstance(one, Record))
    games = [moves for one in read if (moves := actions(one)) is not None]
    # looked through beforehand: it prints every refusal, which would be measured
    good = [moves for moves in games if legal(moves)]
    speed = _timed("OpenSpiel, replay", good, sum(map(len, good)), replayed)
    return replace(speed, rejected=len(games) - len(good))


# --- python-chess -------------------------------------------------------------------------


def pgn(count: int) -> tuple[list[str], int]:
    """Return random legal games of a seed as PGN, and how many half-moves they have in all.

    Each has PLIES of them, unless it ends before.
    """
    import chess
    import chess.pgn

    chance = random.Random(_SEED)
    texts, plies = [], 0
    for number in range(count):
        board, game = chess.Board(), chess.pgn.Game()
        game.headers["Round"] = str(number + 1)
        node: Any = game
        while board.ply() < PLIES and (legal := list(board.legal_moves)):
            move = chance.choice(legal)
            board.push(move)
            node = node.add_main_variation(move)
        game.headers["Result"] = board.result()
        texts.append(f"{game}\n\n")
        plies += board.ply()
    return texts, plies


def python_chess(count: int) -> Speed:
    """Read and validate so many PGN games."""
    import chess.pgn

    games, plies = pgn(count)

    def sound(text: str) -> bool:
        game = chess.pgn.read_game(io.StringIO(text))
        return game is not None and not game.errors

    return _timed("python-chess, read_game", games, plies, sound)


# --- both ---------------------------------------------------------------------------------


def lines(path: Path) -> Iterator[str]:
    """Yield what the peers did with the games of a file, or as many; what is missing is named."""
    yield from _peer("pyspiel", "open_spiel", lambda: open_spiel(path), OPEN_SPIEL)
    with path.open("rb") as stream:
        count = sum(1 for _ in stream)
    yield from _peer("chess", "chess", lambda: python_chess(count), PYTHON_CHESS)


def _peer(module: str, package: str, measure: Callable[[], Speed], what: str) -> Iterator[str]:
    if find_spec(module) is None:
        yield f"{package} is not installed, and left out: pip install {package}"
        return
    yield measure().text()
    yield f"  {what}"


def main() -> None:
    """Measure the peers on a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    for line in lines(parser.parse_args().file):
        print(line, flush=True)


if __name__ == "__main__":
    main()
