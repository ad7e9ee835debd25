"""A season: folders of lists read, checked by several processes, and added up in order.

Of most lists only the figures are kept. A list with disputes waits whole in a temporary
file, since what a correction does to the standings is known only when all lists are added.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import stat
import struct
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from itertools import chain
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import IO, NamedTuple

from skatspec.diagnostics import Severity, Verdict
from skatspec.errors import UsageError
from skatspec.formats.score_sheet.words import same_name
from skatspec.formats.suffixes import bare_suffix
from skatspec.judging import OTHER_RULES, Judge
from skatspec.rules import Rules, packaged_rules
from skatspec.rules.match import Match, compile_match
from skatspec.session.joining import Joining
from skatspec.session.judge import Agreed, ListJudge
from skatspec.session.reading import End, is_spreadsheet, of_file, of_folder
from skatspec.session.report import Dispute, ListReport
from skatspec.session.standings import Across, Effect, ListResult, Standings
from skatspec.sheet import Sheet

SUFFIXES = (".csv", ".tsv", ".txt", ".json")
# Files that begin so are nobody's, or a mark of a spreadsheet that another one is open.
_HIDDEN = (".", "~$")
# Files of a task, tasks that wait for each process, and files worth the start of processes.
_BATCH, _WAITING, _WORTH_PROCESSES = 50, 3, 300
# Lists hold no cycles, so looking for some after every few hundred objects only costs.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000
_IN_MEMORY = 1 << 20
_SIZE = struct.Struct("<Q")


@dataclass(frozen=True, slots=True)
class Options:
    """How lists are checked: rules, system and length asked for go before what a list says.

    `rounds` are the only ones counted, all where it is empty. `processes` is how many work
    at once, one a core where it is None. `lang` is how places without a name are called.
    Files that are to be written are `left_out` of folders. `records` are files of full
    records that are joined to the lists, in one process; they are no lists themselves.
    """

    rules: Rules | None = None
    system: str | None = None
    length: Agreed = None
    rounds: tuple[str, ...] = ()
    processes: int | None = None
    lang: str = "en"
    left_out: tuple[str, ...] = ()
    records: tuple[str, ...] = ()


class Named(NamedTuple):
    """A file to read; `given` says that it was named, and not found in a folder."""

    path: str
    given: bool


class Disputed(NamedTuple):
    """A list with disputes or open deals; `effects`: for each dispute what corrections do."""

    report: ListReport
    result: ListResult
    effects: tuple[tuple[Dispute, list[tuple[Effect, ...]]], ...]


class _Checked(NamedTuple):
    """What a process says of one file: its lists, those with disputes whole, as bytes.

    `words` are the verdicts of the lists, and what else was found in them. `broken` is why
    the file could not be read. `other_rounds` counts lists that were not asked for.
    """

    path: str
    results: list[ListResult]
    disputed: list[bytes]
    words: list[str]
    is_list: bool = True
    broken: str = ""
    other_rounds: int = 0


def _opened_spool() -> IO[bytes]:
    return tempfile.SpooledTemporaryFile(_IN_MEMORY)


@dataclass(slots=True)
class Season:
    """What a season comes to. Close it, or use it in `with`: it holds a temporary file.

    `passed_over` are files of folders that are no lists, `broken` says which could not be
    read and why. `found` counts lists by verdicts and by the weights of what is wrong with
    them. `other_rounds` counts lists of rounds that were not asked for. `joining` has the
    records given, and what became of them.
    """

    standings: Standings
    rules: Rules
    found: Counter[str] = field(default_factory=Counter)
    files: int = 0
    with_errors: int = 0
    other_rounds: int = 0
    passed_over: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    joining: Joining | None = None
    _spool: IO[bytes] = field(default_factory=_opened_spool, repr=False)

    def __enter__(self) -> Season:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def close(self) -> None:
        """Give the temporary files away."""
        self._spool.close()
        if self.joining is not None:
            self.joining.close()

    def disputed(self, others: int = 0) -> Iterator[Disputed]:
        """Yield the lists with disputes or open deals in order, with what corrections would do.

        `others`: so many players of other lists are named whose places a correction changes.
        """
        self._spool.seek(0)
        while head := self._spool.read(_SIZE.size):
            data = self._spool.read(*_SIZE.unpack(head))
            report, result = pickle.loads(data)  # our own bytes, from a file without a name
            effects = tuple(
                (one, self.standings.effect(one.corrections, result, others))
                for one in report.disputes
            )
            yield Disputed(report, result, effects)

    def across(self) -> Iterator[tuple[Across, Severity]]:
        """Yield what is wrong between lists, then records of none, with the weight by the rules."""
        of_no_list = self.joining.findings if self.joining is not None else ()
        for one in chain(self.standings.findings(), of_no_list):
            yield one, self.rules.profile.severity(one.found.code)

    @property
    def verdicts(self) -> dict[str, int]:
        """Return how many lists have each verdict, those of none left out."""
        return {one.value: self.found[one.value] for one in Verdict if self.found[one.value]}

    def has(self, word: str) -> bool:
        """Say whether a verdict, or a finding of a weight, was found in lists or between them."""
        between = any(weight.value == word for _, weight in self.across())
        return bool(self.found[word]) or between

    @property
    def has_errors(self) -> bool:
        """Say whether anything is wrong: in a list, between lists, with a file."""
        between = any(weight is Severity.ERROR for _, weight in self.across())
        return bool(self.with_errors or self.broken or between)

    def take(self, checked: _Checked) -> None:
        """Take what was found in one file."""
        if not checked.is_list:
            self.passed_over.append(checked.path)
            return
        self.files += 1
        if checked.broken:
            self.broken.append(checked.broken)
        self.other_rounds += checked.other_rounds
        self.found.update(checked.words)
        for result in checked.results:
            self.standings.add(result)
            self.with_errors += bool(result.errors)
        for data in checked.disputed:
            self._spool.write(_SIZE.pack(len(data)))
            self._spool.write(data)


def run(
    paths: Iterable[str], options: Options, tick: Callable[[int], None] | None = None
) -> Season:
    """Check all lists of some files and folders, and add them up in order.

    `tick` is called with the number of files read so far. Raises UsageError for options that
    contradict each other, and where the system ended one of the processes.
    """
    season = _empty(options)
    try:
        left_out = (*options.left_out, *options.records)
        found = list(files(paths, season.passed_over, left_out))
        if options.records:
            season.joining = Joining(options.records, options.rounds)
            season.broken += season.joining.broken
        for number, checked in enumerate(_all_checked(found, options, season.joining), 1):
            season.take(checked)
            if tick is not None:
                tick(number)
        _settle(season, options)
    except BaseException:
        season.close()
        raise
    return season


def _empty(options: Options) -> Season:
    """Return a season without lists. Raises UsageError for options that contradict each other."""
    judge = ListJudge(options.rules, options.system, options.length)
    rules = judge.rules or packaged_rules(OTHER_RULES)
    match = compile_match(rules.profile)
    standings = Standings(match, options.system or match.system, lang=options.lang)
    return Season(standings, rules)


def _settle(season: Season, options: Options) -> None:
    """Rank by the rules asked for, else by those that most lists were counted by."""
    standings = season.standings
    ways = standings.ways()
    if options.rules is None and ways:
        season.rules = packaged_rules(ways[0][0])
        standings.match = compile_match(season.rules.profile)
    if ways:
        standings.system = ways[0][1]
    for name, _ in ways:
        own = season.rules if name == season.rules.name else packaged_rules(name)
        standings.matches[name] = compile_match(own.profile)


# --- files ------------------------------------------------------------------------------


def files(
    paths: Iterable[str], passed_over: list[str], left_out: Iterable[str] = ()
) -> Iterator[Named]:
    """Yield the files to read, each once: those named, folders gone through by names.

    Hidden files and folders are left out; files of other suffixes, and what is no file but a
    pipe or a device, are added to `passed_over`. A spreadsheet's own file is taken for one
    that was named: it may hold a list, and cannot be read.
    """
    known = {os.path.realpath(one) for one in left_out}
    for path in paths:
        given = not Path(path).is_dir() or is_spreadsheet(path)
        for one in (path,) if given else _walk(path):
            real = os.path.realpath(one)
            if real in known:
                continue
            known.add(real)
            if given or (bare_suffix(one) in SUFFIXES and not _is_special(one)):
                yield Named(one, given)
            elif is_spreadsheet(one):
                yield Named(one, True)
            else:
                passed_over.append(one)


def _walk(folder: str) -> Iterator[str]:
    for here, folders, names in os.walk(folder, onerror=_refuse):
        # one of Numbers may be a folder
        names += [name for name in folders if is_spreadsheet(name)]
        folders[:] = sorted(one for one in folders if one[0] != "." and not is_spreadsheet(one))
        shown = (name for name in sorted(names) if not name.startswith(_HIDDEN))
        yield from (str(Path(here) / name) for name in shown)


def _is_special(path: str) -> bool:
    """Say whether a path is a pipe, a device or the like, which may never come to an end."""
    try:
        return not stat.S_ISREG(Path(path).stat().st_mode)
    except OSError:
        return False  # told when it is opened


def _refuse(error: OSError) -> None:
    raise UsageError(f"{error.filename}: {error.strerror}") from None


# --- one file ---------------------------------------------------------------------------


class _Reader:
    """Reads and checks files; one in each process."""

    def __init__(self, options: Options) -> None:
        self._judge = ListJudge(options.rules, options.system, options.length)
        self._rounds = frozenset(same_name(one) for one in options.rounds)
        self._matches: dict[str, Match] = {}

    def batch(self, named: Sequence[Named]) -> list[_Checked]:
        """Check some files."""
        return [self.file(one) for one in named]

    def file(self, named: Named) -> _Checked:
        """Check the lists of a file; what is wrong with the file itself is said."""
        return self.check(named.path, self.read(named))

    def read(self, named: Named) -> Iterator[Sheet | End]:
        """Yield the lists of a file, then its end; only one that is named may hold records."""
        if not named.given:
            return of_folder(named.path)
        return of_file(named.path, Judge(self._judge.rules, in_order=True))

    def asked(self, sheet: Sheet) -> bool:
        """Say whether a list is of a round that was asked for."""
        return not self._rounds or same_name(sheet.round) in self._rounds

    def check(self, path: str, parts: Iterable[Sheet | End]) -> _Checked:
        """Check the lists of a file."""
        results: list[ListResult] = []
        disputed: list[bytes] = []
        words: list[str] = []
        others, end = 0, End()
        for part in parts:
            if isinstance(part, End):
                end = part
            elif not self.asked(part):
                others += 1
            else:
                result, whole = self._sheet(part, words)
                results.append(result)
                disputed += whole
        return _Checked(path, results, disputed, words, end.is_list, end.broken, others)

    def _sheet(self, sheet: Sheet, words: list[str]) -> tuple[ListResult, list[bytes]]:
        report = self._judge.check(sheet)
        words.append(report.verdict.value)
        words += {one.severity.value for one in report.disputes}
        match = self._matches.get(report.rules)
        if match is None:
            rules = self._judge.rules or packaged_rules(report.rules)
            match = self._matches[report.rules] = compile_match(rules.profile)
        result = ListResult.of(report, match)
        if not report.disputes and not report.open_deals:
            return result, []
        if not report.disputes:
            # which deals are open is all that is said of it
            report = replace(report, sheet=replace(sheet, rows=(), sums=()))
        return result, [pickle.dumps((report, result), pickle.HIGHEST_PROTOCOL)]


# --- processes --------------------------------------------------------------------------

_reader: _Reader | None = None


def _all_checked(
    found: Sequence[Named], options: Options, joining: Joining | None
) -> Iterator[_Checked]:
    """Yield what was found in each file, in order."""
    processes = options.processes or _cores()
    if joining is not None:
        reader = _Reader(options)
        for one in found:
            joining.take(reader.read(one), reader.asked)
        joining.settle()
        yield from (reader.check(one.path, joining.parts()) for one in found)
        return
    if processes == 1 or len(found) < _WORTH_PROCESSES:
        yield from map(_Reader(options).file, found)
        return
    batches = (found[at : at + _BATCH] for at in range(0, len(found), _BATCH))
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _begin, (options,))
    try:
        waiting: deque[Future[list[_Checked]]] = deque()
        for batch in batches:
            waiting.append(pool.submit(_do, batch))
            if len(waiting) > _WAITING * processes:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        raise UsageError(
            "a process that checked lists was ended by the system, perhaps for want of memory: "
            "try fewer processes"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _begin(options: Options) -> None:
    """Begin a process; it ends with the one that started it, however that ends."""
    global _reader
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    # whoever stops the run stops its processes; Ctrl-C at a terminal reaches them as well
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    _reader = _Reader(options)


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _do(batch: Sequence[Named]) -> list[_Checked]:
    assert _reader is not None
    return _reader.batch(batch)
