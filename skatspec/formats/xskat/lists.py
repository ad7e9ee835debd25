"""XSkat lists: the sums at their head, a row a game, and which block of a log a row means.

A list keeps the last games only, so it is joined to its log from the end. A log may hold a
block twice (saved again by hand) and a block that cannot be read. Whether log and list
belong together is asked of every pair without any rule: passed, Ramsch, who, won. Where
they do not, nothing is joined.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from skatspec.diagnostics import Diagnostic, Span, finding
from skatspec.formats.lines import Lines
from skatspec.formats.record_text import excerpt
from skatspec.formats.xskat import words
from skatspec.formats.xskat.blocks import PASSED, Block, BrokenBlock, UnreadBlock

# The program keeps 360 rows; a file that was put together by hand may have more.
MOST_ROWS, MOST_FINDINGS = 2_000, 100
# So many blocks that cannot be read may stand among those that a list reaches.
MOST_BROKEN = 64
_INTEGER = re.compile(r"-?\d{1,12}")
# The lines of the head by their letter, and the field of a ListHead that each fills.
HEAD = {"": "normal", "a": "alternative", "t": "tournament", "b": "bock", "g": "won", "v": "lost"}
_ROW, _ROW_WANTED = "e", "e, player 0-2, Ramsch 0-1, march 0-1, value, won 0-1"

Three = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ListHead:
    """The sums of players 0-2 over the games that are no longer listed.

    `bock` is: Bock games left with the last one, events the last game earned, Ramsch games
    left. None: the line is missing, as older versions lack some.
    """

    normal: Three | None = None
    alternative: Three | None = None
    tournament: Three | None = None
    bock: Three | None = None
    won: Three | None = None
    lost: Three | None = None

    @property
    def complete(self) -> bool:
        """Say whether no game was folded into the sums, as far as they tell."""
        sums = (self.normal, self.alternative, self.tournament, self.won, self.lost)
        return all(not any(three) for three in sums if three is not None)


@dataclass(frozen=True, slots=True)
class ListRow:
    """One game: player 0-2, whether Ramsch, march, won, and the value without sign.

    A passed deal has the value 0 and repeats player and won of the row before.
    """

    line: int
    player: int
    ramsch: bool
    march: bool
    value: int
    won: bool


@dataclass(frozen=True, slots=True)
class GameList:
    """A list as read; a row that cannot be read is None, so that the others keep their place."""

    head: ListHead
    rows: tuple[ListRow | None, ...]
    findings: tuple[Diagnostic, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Which block of a log (counted from 0) each row of a list means.

    `rows` maps block numbers to row numbers; `copies` are blocks that are the saved copy
    of the one before, among those that the list reaches. Both are empty where there are
    findings.
    """

    rows: dict[int, int] = field(default_factory=dict)
    copies: frozenset[int] = frozenset()
    findings: tuple[Diagnostic, ...] = ()


# ---------------------------------------------------------------- reading


def read_list(lines: Lines) -> GameList:
    """Read a list; what cannot be read becomes findings.

    One that is too long, or has too many faults, keeps no row: those that were read would
    not be its last ones, by which it is joined to a log.
    """
    head: dict[str, Three] = {}
    rows: list[ListRow | None] = []
    findings: list[Diagnostic] = []
    for number, text in lines:
        parts = text.split(None, 7)
        if not parts:
            continue
        place = Span(number, 1, len(text.rstrip()) + 1)
        limit = _limit_reached(rows, findings)
        if limit is not None:
            what, most = limit
            findings.append(finding("E005", span=place, what=what, limit=most))
            rows.clear()
            break
        letter = parts.pop(0) if parts[0].isalpha() else ""
        numbers = [int(part) for part in parts if _INTEGER.fullmatch(part)]
        whole = len(numbers) == len(parts)
        if letter == _ROW or (letter == "" and len(parts) == 1):
            row = _row(number, numbers if letter else _old_row(numbers)) if whole else None
            rows.append(row)
            if row is None:
                findings.append(
                    finding("N001", span=place, read=excerpt(text), expected=_ROW_WANTED)
                )
        elif letter not in HEAD or not whole or len(numbers) != 3:
            wanted = f"three numbers behind one of {' '.join(HEAD).strip()}, or {_ROW_WANTED}"
            findings.append(finding("N001", span=place, read=excerpt(text), expected=wanted))
        elif HEAD[letter] in head or rows:
            findings.append(finding("N006", span=place, read=excerpt(text), expected=_ROW_WANTED))
        else:
            head[HEAD[letter]] = (numbers[0], numbers[1], numbers[2])
    if "normal" not in head:
        findings.append(finding("N011", what="line of three sums", expected="three numbers"))
    return GameList(ListHead(**head), tuple(rows), tuple(findings), lines.source)


def _limit_reached(
    rows: list[ListRow | None], findings: list[Diagnostic]
) -> tuple[str, str] | None:
    """Return what another line would make too long, and its limit, or None."""
    if len(rows) >= MOST_ROWS:
        return "the list", f"{MOST_ROWS} rows"
    if len(findings) >= MOST_FINDINGS:
        return "the list of faults", f"{MOST_FINDINGS} faults"
    return None


def _row(line: int, numbers: list[int]) -> ListRow | None:
    if len(numbers) != 5:
        return None
    player, ramsch, march, value, won = numbers
    if player not in (0, 1, 2) or {ramsch, march, won} - {0, 1} or value < 0:
        return None
    return ListRow(line, player, bool(ramsch), bool(march), value, bool(won))


def _old_row(numbers: list[int]) -> list[int]:
    """Take the one number apart that older versions write a row as."""
    player, rest = divmod(numbers[0], 10_000)
    ramsch, rest = divmod(rest, 4_000)
    march, rest = divmod(rest, 2_000)
    value, won = divmod(rest, 2)
    return [player, ramsch, march, value, won]


# ---------------------------------------------------------------- belonging together

Fits = Callable[[Block, ListRow, "ListRow | None"], "Diagnostic | None"]


def contradiction(block: Block, row: ListRow, before: ListRow | None) -> Diagnostic | None:
    """Return what in a row cannot be said of a block, by the words of both alone.

    `before` is the row before, None for the first one.
    """
    played = block.contract
    if block.kind == PASSED or played is None:
        if row.value or row.ramsch:
            return _unlike(row, block, "the value", row.value, "0 for a passed deal")
        repeated = before is None or (row.player, row.won) in (
            (before.player, before.won),
            (0, False),
        )
        said = f"{row.player} {int(row.won)}"
        wanted = "those of the row before, or 0 0, for a passed deal"
        return None if repeated else _unlike(row, block, "player and result", said, wanted)
    ramsch = played.contract == words.RAMSCH
    if row.ramsch != ramsch:
        return _unlike(row, block, "the Ramsch mark", int(row.ramsch), str(int(ramsch)))
    players = played.players or (0,)
    if row.player not in players:
        return _unlike(row, block, "the player", row.player, " or ".join(map(str, players)))
    won = block.result is not None and block.result.won
    if row.won != won:
        return _unlike(row, block, "the won mark", int(row.won), str(int(won)))
    if bool(row.value) != bool(played.players):
        wanted = "more than 0" if played.players else "0"
        return _unlike(row, block, "the value", row.value, wanted)
    if row.march and not (ramsch and won):
        return _unlike(row, block, "the march mark", 1, "0")
    return None


def _unlike(row: ListRow, block: Block, what: str, read: object, expected: str) -> Diagnostic:
    contract = block.contract
    place = block.span(block.rows[0].line if contract is None else contract.line)
    wanted = f"{expected} (log, line {place.line})"
    what = f"{what} of the row in line {row.line}"
    return finding("L001", span=place, list="the list", what=what, read=read, expected=wanted)


# ---------------------------------------------------------------- joining


@dataclass(slots=True)
class _Run:
    """A block and how often it stands in a row; None for one that cannot be read."""

    index: int
    block: Block | None
    count: int = 1
    ended: bool = True

    def choices(self) -> Iterator[tuple[int, int]]:
        """Yield how many games it may be, fewest first, each with the price of assuming that."""
        if self.block is None:
            yield from ((0, 1), (1, 0)) if self.ended else ((0, 0), (1, 1))
            return
        # A deal that was dealt by its seed does not come twice, so equal blocks are copies.
        price = 1 if self.block.seed else 0
        for games in range(1, self.count + 1):
            yield games, price * (games - 1)


# Cost, ways of that cost (2: more than one), games of the run, cost index before.
_Path = tuple[int, int, int, int]


def align(
    blocks: Iterable[Block | BrokenBlock | UnreadBlock],
    listing: GameList,
    fits: Fits = contradiction,
) -> Alignment:
    """Join a log and its list from the end; memory is bounded by the list.

    `fits` returns why a row cannot be a block's, or None; one that knows the rules may
    take the place of the one here.
    """
    rows = listing.rows
    runs, left_out = _last_runs(blocks, len(rows))
    if _one_by_one(runs, rows, fits):
        before = len(runs) - len(rows)
        return Alignment({run.index: at for at, run in enumerate(runs[before:])})
    steps: list[dict[int, _Path]] = [{len(rows): (0, 1, 0, 0)}]
    for run in reversed(runs):
        steps.append(_step(steps[-1], run, rows, fits))
        if not steps[-1]:
            break
    best = _best(steps, len(runs), left_out, listing.head.complete)
    if best is None:
        return Alignment(findings=(_named(_refusal(runs, listing, fits), listing),))
    at, ways = best
    if ways > 1:
        wanted = "a log and a list that can be joined in one way only"
        return Alignment(findings=(_named(_no_join(len(rows), wanted), listing),))
    return _joined(steps, at, runs)


def _last_runs(
    blocks: Iterable[Block | BrokenBlock | UnreadBlock], rows: int
) -> tuple[list[_Run], bool]:
    """Return the last runs of equal blocks, and whether the log has earlier ones.

    Blocks that come unread are read only where they are among the last.
    """
    last: deque[tuple[int, int, Block | BrokenBlock | UnreadBlock]] = deque()
    left_out, text = False, None
    for index, block in enumerate(blocks):
        broken = isinstance(block, BrokenBlock)
        if not broken and block.text == text:
            first, count, same = last.pop()
            last.append((first, count + 1, same))
            continue
        text = None if broken else block.text
        last.append((index, 1, block))
        if len(last) > rows + MOST_BROKEN:
            last.popleft()
            left_out = True
    runs: list[_Run] = []
    readable = 0
    for index, count, block in reversed(last):
        found = block.read() if isinstance(block, UnreadBlock) else block
        if isinstance(found, BrokenBlock):
            # Equal blocks that cannot be read are games of their own.
            ends = range(index + count - 1, index - 1, -1)
            runs += [_Run(at, None, ended=found.ended) for at in ends]
            continue
        readable += 1
        if readable > rows:
            return runs[::-1], True
        runs.append(_Run(index, found, count))
    return runs[::-1], left_out


def _one_by_one(runs: list[_Run], rows: tuple[ListRow | None, ...], fits: Fits) -> bool:
    """Say whether every row is that of one block, with nothing to choose."""
    last = runs[max(len(runs) - len(rows), 0) :]
    return (
        len(last) == len(rows)
        and all(run.count == 1 and run.block is not None for run in runs)
        and all(_fits(run, at, rows, fits) for at, run in enumerate(last))
    )


def _step(
    reached: dict[int, _Path], run: _Run, rows: tuple[ListRow | None, ...], fits: Fits
) -> dict[int, _Path]:
    """Return what is reached with one more run; the key counts the rows before it."""
    result: dict[int, _Path] = {}
    for at, (cost, ways, _, _) in reached.items():
        for games, price in run.choices():
            to = at - games
            if to < 0 or (games and not _fits(run, to, rows, fits)):
                break
            known = result.get(to)
            total = cost + price
            if known is None or total < known[0]:
                result[to] = (total, ways, games, at)
            elif total == known[0]:
                result[to] = (total, 2, known[2], known[3])
    return result


def _fits(run: _Run, at: int, rows: tuple[ListRow | None, ...], fits: Fits) -> bool:
    row = rows[at]
    if run.block is None or row is None:
        return True
    return fits(run.block, row, rows[at - 1] if at else None) is None


def _best(
    steps: list[dict[int, _Path]], runs: int, left_out: bool, complete: bool
) -> tuple[int, int] | None:
    """Return the step at which all rows are joined at the lowest cost, and the ways to it."""
    found: list[tuple[int, int, int]] = []
    for at, step in enumerate(steps):
        # A step without a game is the one before it once more.
        if 0 not in step or (at and step[0][2] == 0):
            continue
        cost, ways, _, _ = step[0]
        # A list that says that it folded no game away should reach the log's first block.
        if complete and (left_out or at < runs):
            cost += runs
        found.append((cost, at, ways))
    if not found:
        return None
    cost = min(found)[0]
    ties = [one for one in found if one[0] == cost]
    return ties[0][1], ties[0][2] if len(ties) == 1 else 2


def _joined(steps: list[dict[int, _Path]], at: int, runs: list[_Run]) -> Alignment:
    joined: dict[int, int] = {}
    copies: set[int] = set()
    rows = 0
    for step in range(at, 0, -1):
        run = runs[len(runs) - step]
        games, after = steps[step][rows][2:]
        joined |= {run.index + n: rows + n for n in range(games)}
        copies |= {run.index + n for n in range(max(games, 1), run.count)}
        rows = after
    for run in runs[: len(runs) - at]:
        copies |= {run.index + n for n in range(1, run.count)}
    return Alignment(joined, frozenset(copies))


def _refusal(runs: list[_Run], listing: GameList, fits: Fits) -> Diagnostic:
    """Return the last row that does not fit, or that the log has too few games."""
    rows = listing.rows
    for back, run in enumerate(reversed(runs[-len(rows) :]), start=1):
        row = rows[-back]
        before = rows[-back - 1] if back < len(rows) else None
        if run.block is not None and row is not None:
            fault = fits(run.block, row, before)
            if fault is not None:
                return fault
    return _no_join(len(rows), f"at most {len(runs)}, the games of the log")


def _no_join(rows: int, expected: str) -> Diagnostic:
    what = "the number of listed games"
    return finding("L001", list="the list", what=what, read=rows, expected=expected)


def _named(refusal: Diagnostic, listing: GameList) -> Diagnostic:
    """Return why a list is refused, with the name of its file."""
    name = PurePath(listing.source).name
    slots = tuple((key, name if key == "list" and name else v) for key, v in refusal.slots)
    return replace(refusal, slots=slots)
