"""A checked archive opened to be asked: its run, its parts, and a DuckDB that can do no harm."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skatspec.errors import ProfileError, UsageError
from skatspec.rules import Rules, load_rules

if TYPE_CHECKING:
    import duckdb

RUN_FILE, PARTS_FOLDER, FORMAT = "run.json", "parts", 1
# Both well above what the report needs; a query that sorts millions of rows spills to disk.
MEMORY, MOST_SPILLED = "400MB", "20GB"
# What SELECT, WITH, FROM, VALUES, DESCRIBE and SUMMARIZE are to DuckDB, and PIVOT.
_READING = ("SELECT", "MULTI")
_INTERRUPTED = "Query interrupted"


@dataclass(frozen=True, slots=True)
class Results:
    """The folder of a checked archive: `run` is its run.json, `parts` the finished parts."""

    folder: Path
    run: Mapping[str, Any]
    parts: tuple[Path, ...]

    @property
    def files(self) -> list[Mapping[str, Any]]:
        """Return what the run knows of every input file: at least `path`, `size`, `mtime_ns`."""
        return [one for one in _list(self.run.get("files")) if isinstance(one, dict)]

    def file(self, path: str) -> Mapping[str, Any]:
        """Return what the run knows of one input file, nothing if it is not one of them."""
        return next((one for one in self.files if one.get("path") == path), {})

    @property
    def unfinished(self) -> str:
        """Return how far a run that did not end has come, in words; empty for one that did."""
        if self.run.get("finished") is True:
            return ""
        total = self._units()
        if total is not None:
            return f"the run is not finished: {len(self.parts):,} of {total:,} units are done"
        return "the run is not finished"

    def _units(self) -> int | None:
        """Return how many parts the run will have, None where only unpacking would tell."""
        unit, total = self.run.get("unit"), 0
        for one in self.files:
            units, length = one.get("units"), one.get("length")
            if type(units) is int:
                total += units
            elif type(length) is int and type(unit) is int and unit > 0:
                total += max(1, -(-length // unit))
            else:
                return None
        return total or None

    @property
    def rules_name(self) -> str:
        """Return the name of the rules of the run, empty where it names none."""
        rules = self.run.get("rules")
        return str(rules.get("name") or "") if isinstance(rules, dict) else ""

    def rules(self) -> tuple[Rules | None, str]:
        """Return the rules of the run, and what is to be said of them.

        Where they cannot be had any more there are none; where they have changed since,
        they are as they are now. Either is said in words.
        """
        spec, name = self.run.get("spec"), self.rules_name
        spec = spec if isinstance(spec, dict) else {}
        wanted = str(spec.get("name_or_path") or name)
        if not wanted:
            return None, "the run names no rules"
        settings = tuple(str(one) for one in _list(spec.get("settings")))
        try:
            rules = load_rules(wanted, settings)
        except (ProfileError, UsageError) as error:
            return None, f"the rules of the run cannot be had: {error}"
        digest = self.run["rules"].get("digest") if name else None
        if digest and digest != rules.tables.digest:
            return rules, f"the rules {wanted} have changed since the run"
        return rules, ""


def open_results(folder: str | Path) -> Results:
    """Open the folder of a checked archive. Raises UsageError where it is none."""
    folder = Path(folder)
    path = folder / RUN_FILE
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        why = f"no {RUN_FILE} in it" if folder.is_dir() else "no such folder"
        how = "`skatspec archive check PATH... --to DIR` makes one"
        raise UsageError(f"{folder} holds no checked archive: {why}; {how}") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if not isinstance(run, dict) or run.get("format") != FORMAT:
        said = repr(run.get("format")) if isinstance(run, dict) else "none"
        raise UsageError(f"{path}: results of format {said}; this version reads format {FORMAT}")
    try:
        parts = sorted((folder / PARTS_FOLDER).glob("*.parquet"))
    except OSError as error:
        raise UsageError(f"{folder / PARTS_FOLDER}: {error.strerror}") from None
    return Results(folder, run, tuple(parts))


@contextmanager
def connected(results: Results) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a DuckDB with the view `games` over all parts, which can read nothing else.

    Raises UsageError where DuckDB is missing, a part cannot be read, or an answer fails.
    """
    with missing_extra():
        import duckdb

        from skatspec.archive import rows
    settings: dict[str, Any] = {
        "memory_limit": MEMORY,
        "max_temp_directory_size": MOST_SPILLED,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_persistent_secrets": False,
        "python_enable_replacements": False,
    }
    with tempfile.TemporaryDirectory(prefix="skatspec-") as spill:
        try:
            with duckdb.connect(":memory:", config={**settings, "temp_directory": spill}) as base:
                paths = [str(part.resolve()) for part in results.parts]
                base.execute(f"SET allowed_paths = {_listed(paths)}")
                base.execute("SET enable_external_access = false")
                if paths:
                    base.execute(
                        f"CREATE VIEW games AS SELECT * FROM read_parquet({_listed(paths)})"
                    )
                else:
                    base.from_arrow(rows.schema().empty_table()).create("games")
                base.execute("SET lock_configuration = true")
                yield base
        except duckdb.Error as error:
            raise UsageError(f"{results.folder}: {in_one_line(error)}") from None
        except RuntimeError as error:
            # how DuckDB passes on a Ctrl-C that came while it was at work
            if str(error) == _INTERRUPTED:
                raise KeyboardInterrupt from None
            raise


@contextmanager
def missing_extra() -> Iterator[None]:
    """Turn the lack of a package into a UsageError that names the extra."""
    try:
        yield
    except ImportError as error:
        raise UsageError(
            f"this needs the package {error.name}: pip install 'skatspec[archive]'"
        ) from None


def answers(base: duckdb.DuckDBPyConnection, sql: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield the answer of every statement in turn, to be read before the next one is asked.

    Raises UsageError with DuckDB's own words, also for a statement that does not only read.
    Not every writing statement needs a file of its own: COPY could write over a part.
    """
    import duckdb

    try:
        statements = base.extract_statements(sql)
        for one in statements:
            if one.type.name not in _READING:
                said = "only statements that read are answered (SELECT ...)"
                raise UsageError(f"{one.type.name}: {said}")
        for one in statements:
            yield base.execute(one)
    except duckdb.Error as error:
        raise UsageError(f"the query: {in_one_line(error)}") from None


def in_one_line(error: Exception) -> str:
    """Return a message of DuckDB without the copy of the query below it."""
    return " ".join(str(error).partition("\n\nLINE ")[0].split())


def _listed(texts: list[str]) -> str:
    return "[" + ", ".join("'" + text.replace("'", "''") + "'" for text in texts) + "]"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
