"""Engines with one changed rule: what a mutant is, how it is put in place, what notices it.

A mutant is our own engine with exactly one rule changed, by its compiled tables or by one
function of the engine; the product's files stay as they are. `Matrix` finds the cases of a
suite that notice a mutant: those that its engine gets wrong under one of their profiles.

A run (a case under one profile) that cannot have changed is not made again. The first,
unchanged run notes its footprint: each table that it read, and each function of some
mutant's that it called. The engine's answer depends on nothing but its input and what it
reads, so a run that reads no changed table and calls no changed function goes the same way
step by step, and passes as before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from importlib import import_module
from typing import Any

from skatspec.conformance.agreement import POSITION, agreement
from skatspec.conformance.answers import answer
from skatspec.conformance.cases import Case
from skatspec.rules import Tables, load_rules, packaged_rules
from skatspec.rules.profile import Profile
from skatspec.rules.variants import BockRules, GiftRules, KontraRules, RamschRules, Variants

Function = Callable[..., Any]
TableChange = Callable[[Tables], Tables]


@dataclass(frozen=True, slots=True)
class Patch:
    """A changed function: `target` is `module:name` or `module:Class.method`.

    `change` makes the changed function of the original one. It takes the original's place in
    every module that has it, or with `only_here` in the named module alone.
    """

    target: str
    change: Callable[[Function], Function]
    only_here: bool = False


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed rule: by the tables of every profile, by functions, or by both."""

    tag: str
    tables: TableChange | None = None
    code: tuple[Patch, ...] = ()


# --- putting a change in place ----------------------------------------------------------

_COMPILED: dict[str, Tables] = {}
# The module that compiles what is loaded; what it imports is replaced there.
_RULES: Any = import_module("skatspec.rules")
_compile = _RULES.compile_tables


def compiled(profile: Profile) -> Tables:
    """Return the unchanged tables of a profile; a digest stands for all that rules it."""
    known = _COMPILED.get(profile.digest)
    if known is None:
        known = _COMPILED[profile.digest] = _compile(profile)
    return known


@contextmanager
def applied(mutant: Mutant) -> Iterator[None]:
    """Put a mutant's rule in place of the right one for as long as the block runs."""
    with _patched(mutant.code), _tables(mutant.tables):
        yield


def _forget() -> None:
    """Let rules be compiled anew, those that a record's tag names too."""
    load_rules.cache_clear()
    packaged_rules.cache_clear()


@contextmanager
def _tables(change: TableChange | None) -> Iterator[None]:
    """Have every profile compiled to changed tables, whoever loads it and by whatever name."""
    if change is None:
        yield
        return

    def changed(profile: Profile) -> Tables:
        return change(compiled(profile))

    _RULES.compile_tables = changed
    _forget()
    try:
        yield
    finally:
        _RULES.compile_tables = _compile
        _forget()


@contextmanager
def _patched(patches: Iterable[Patch]) -> Iterator[None]:
    undo: list[tuple[Any, str, Any]] = []
    try:
        for patch in patches:
            holder, name = _holder(patch.target)
            original = getattr(holder, name)
            changed = patch.change(original)
            holders = [(holder, name)] if patch.only_here else _holders(holder, name, original)
            for one, key in holders:
                undo.append((one, key, original))
                _put(one, key, changed)
        yield
    finally:
        for one, key, original in reversed(undo):
            _put(one, key, original)


def _put(holder: Any, key: str, value: Any) -> None:
    if isinstance(holder, dict):
        holder[key] = value
    else:
        setattr(holder, key, value)


def _holder(target: str) -> tuple[Any, str]:
    module, _, name = target.partition(":")
    holder: Any = import_module(module)
    *outer, name = name.split(".")
    for one in outer:
        holder = getattr(holder, one)
    return holder, name


def _holders(holder: Any, name: str, original: Function) -> list[tuple[Any, Any]]:
    """Return every place that knows a function: a class, or the modules that import it.

    Modules keep some functions in a table of their own, one level deep.
    """
    if isinstance(holder, type):
        return [(holder, name)]
    found: list[tuple[Any, Any]] = []
    for module_name, module in list(sys.modules.items()):
        if not module_name.startswith("skatspec"):
            continue
        for key, value in vars(module).items():
            if value is original:
                found.append((module, key))
            elif isinstance(value, dict) and not key.startswith("__"):
                found += [(value, inner) for inner, one in value.items() if one is original]
    return found


# --- what a run reads and calls ---------------------------------------------------------

# A cell of a profile's tables: the profile's digest, and a path such as ("steps", 3) or
# ("variants", "ramsch", "tie"). A function that is called stands under no digest.
Cell = tuple[str, tuple[Any, ...]]
Footprint = frozenset[Cell]
_NOTED: set[Cell] = set()
_CALLED = ""
# Fields of which each place is a cell of its own: a run that reads one tells so.
_BY_PLACE = (
    "follow", "members", "beats", "trumps", "base", "ouvert_base", "null_values", "announce",
    "needs_hand", "steps", "auction",
)  # fmt: skip


class _Row(tuple[Any, ...]):
    """A tuple that notes which of its places are read: one by its number, else all of them."""

    cells: tuple[Cell, ...]

    @classmethod
    def of(cls, row: tuple[Any, ...], digest: str, path: tuple[Any, ...]) -> _Row:
        """Return the row, its places named by `path` and their number."""
        new = cls(row)
        new.cells = tuple((digest, (*path, at)) for at in range(len(row)))
        return new

    def __getitem__(self, at: Any) -> Any:
        _NOTED.update(self.cells[at] if isinstance(at, slice) else (self.cells[at],))
        return tuple.__getitem__(self, at)

    def __iter__(self) -> Iterator[Any]:
        _NOTED.update(self.cells)
        return tuple.__iter__(self)

    def __contains__(self, value: Any) -> bool:
        _NOTED.update(self.cells)
        return tuple.__contains__(self, value)

    def __eq__(self, other: object) -> bool:
        _NOTED.update(self.cells)
        return tuple.__eq__(self, other)

    def __hash__(self) -> int:
        _NOTED.update(self.cells)
        return tuple.__hash__(self)

    def __add__(self, other: Any) -> Any:
        return tuple(self) + other

    def __radd__(self, other: Any) -> Any:
        return other + tuple(self)


class _Values(frozenset[int]):
    """A set of bids that notes which values are looked up; nobody walks through it."""

    digest: str

    def __contains__(self, value: object) -> bool:
        _NOTED.add((self.digest, ("bid_ok", value)))
        return frozenset.__contains__(self, value)

    def __iter__(self) -> Iterator[int]:
        raise AssertionError("a set of bids is only asked for single values")


def _noting(kind: type[Any], digest: str, path: tuple[Any, ...]) -> type[Any]:
    """Return a subclass of a dataclass that notes each field read."""

    class Noting(kind):  # type: ignore[misc]
        def __getattribute__(self, name: str) -> Any:
            if not name.startswith("__"):
                _NOTED.add((digest, (*path, name)))
            return object.__getattribute__(self, name)

    return Noting


def _watched(tables: Tables) -> Tables:
    """Return the same tables, as ones that note what is read of them."""
    digest = tables.digest
    values = {one.name: getattr(tables, one.name) for one in fields(Tables)}
    for name in _BY_PLACE:
        values[name] = _Row.of(values[name], digest, (name,))
    values["bid_ok"] = _Values(tables.bid_ok)
    values["bid_ok"].digest = digest
    values["variants"] = _watched_variants(tables.variants, digest)
    watched: Tables = _noting(Tables, digest, ())(**values)
    return watched


def _watched_variants(variants: Variants, digest: str) -> Variants:
    values = {one.name: getattr(variants, one.name) for one in fields(Variants)}
    for name, value in values.items():
        if is_dataclass(value) and not isinstance(value, type):
            inner = {one.name: getattr(value, one.name) for one in fields(value)}
            values[name] = _noting(type(value), digest, ("variants", name))(**inner)
    watched: Variants = _noting(Variants, digest, ("variants",))(**values)
    return watched


def _recorder(patch: Patch) -> Patch:
    """Return a patch that changes nothing and notes each call."""

    def change(original: Function) -> Function:
        def called(*args: Any, **words: Any) -> Any:
            _NOTED.add((_CALLED, (patch.target,)))
            return original(*args, **words)

        return called

    return Patch(patch.target, change, patch.only_here)


def _changed_cells(mutant: Mutant) -> set[Cell]:
    """Return the cells that a mutant changes, of all tables that were ever compiled."""
    found = {(_CALLED, (patch.target,)) for patch in mutant.code}
    if mutant.tables is not None:
        for digest, tables in _COMPILED.items():
            cells = _differing(tables, mutant.tables(tables))
            found |= {(digest, path) for path in cells}
    return found


def _differing(old: Any, new: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the cells in which two tables differ, as finely as a run notes them."""
    for one in fields(old):
        left, right, here = getattr(old, one.name), getattr(new, one.name), (*path, one.name)
        if left == right:
            continue
        if isinstance(left, (Variants, RamschRules, KontraRules, BockRules, GiftRules)):
            yield from _differing(left, right, here)
        elif one.name == "bid_ok":
            yield from ((one.name, value) for value in left ^ right)
        elif one.name in _BY_PLACE:
            pairs = enumerate(zip(left, right, strict=True))
            yield from ((one.name, at) for at, (was, now) in pairs if was != now)
        else:
            yield here


# --- the matrix -------------------------------------------------------------------------


@dataclass(slots=True)
class Run:
    """A case under one profile, and what its unchanged run read and called."""

    case: Case
    rules: str
    payload: dict[str, Any]
    footprint: Footprint = frozenset()

    def passes(self) -> bool:
        """Say whether the engine as it is now gives the known answer, to the line."""
        try:
            said = answer(self.case.task, self.payload, load_rules(self.rules))
        except Exception:
            return False  # an engine that cannot answer gets the case wrong
        return agreement(self.case.task, self.case.expect, said, POSITION).passed


@dataclass(slots=True)
class Matrix:
    """The runs of a suite and their footprints; `failing` are the cases that fail unchanged.

    Of a case's profiles that have the same digest, which are the same rules, one is run.
    """

    mutants: Mapping[str, Mutant]
    runs: list[Run] = field(default_factory=list)
    failing: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, cases: Iterable[Case], mutants: Mapping[str, Mutant]) -> Matrix:
        """Run every case once unchanged, and note what it reads and calls."""
        matrix = cls(mutants)
        targets = {
            (patch.target, patch.only_here): patch
            for mutant in mutants.values()
            for patch in mutant.code
        }
        recorders = tuple(_recorder(patch) for patch in targets.values())
        with applied(Mutant("", _watched, recorders)):
            for case in cases:
                payload = case.payload()
                alike = {load_rules(rules).profile.digest: rules for rules in reversed(case.rules)}
                for rules in reversed(alike.values()):
                    one = Run(case, rules, payload)
                    _NOTED.clear()
                    if not one.passes():
                        matrix.failing.add(case.id)
                    one.footprint = frozenset(_NOTED)
                    matrix.runs.append(one)
        return matrix

    def touched_by(self, tag: str) -> list[Run]:
        """Return the runs that read or call what the mutant changes."""
        changed = _changed_cells(self.mutants[tag])
        return [one for one in self.runs if not one.footprint.isdisjoint(changed)]

    def noticed_by(self, tag: str, *, everything: bool = False) -> set[str]:
        """Return the ids of the cases that fail with the mutant in place.

        `everything` makes every run again, whatever it read. Cases that fail unchanged tell
        nothing and are left out.
        """
        found: set[str] = set()
        with applied(self.mutants[tag]):
            for one in self.runs if everything else self.touched_by(tag):
                known = one.case.id in found or one.case.id in self.failing
                if not known and not one.passes():
                    found.add(one.case.id)
        return found
