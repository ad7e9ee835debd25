"""A checked archive opened to be asked: its run, its parts, and a DuckDB that can do no harm."""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skatspec.archive.units import part_name
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
_PART = re.compile(r"([0-9]{5,9})-([0-9]{6,12})\.parquet")
_AGAIN = "the same `skatspec archive check` makes them again"
# `offset` without quotes is the keyword, and DuckDB's message does not say so.
_TEXT, _BARE_OFFSET = re.compile("'[^']*'"), re.compile(r"(?i)(?<![\w.\"])offset(?![\w\"]|\s+\d)")
_OFFSET = 'offset is a word of SQL: write "offset", in quotes, or games.offset'


@dataclass(frozen=True, slots=True)
class AboutFiles:
    """What the parts say of the files and not of a record.

    `codes` counts findings, `broken` says in words which files could not be read to their
    end, each once; `cut` is the number of parts that could not be made to their end.
    """

    codes: Counter[str]
    broken: tuple[str, ...]
    cut: int


@dataclass(frozen=True)
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

    @cached_property
    def incomplete(self) -> str:
        """Return in words why these are not all games; empty where nothing is missing.

        Either the run has not come to its end, or parts are gone since.
        """
        if self.run.get("finished") is True:
            return self._gone()
        total, said = self._units(), "the run is not finished"
        if total is None:
            return said
        said += f": {len(self.parts):,} of {total:,} units are done"
        cut = self.about_files.cut if len(self.parts) >= total else 0
        return said + (f", {cut:,} of them not to the end" if cut else "")

    def _gone(self) -> str:
        """Say how many parts of a finished run are not there."""
        units = [one.get("units") for one in self.files]
        known = [count for count in units if type(count) is int]
        if len(known) < len(units):
            return "" if self.parts else f"all parts are gone; {_AGAIN}"
        there = 0
        for part in self.parts:
            named = _PART.fullmatch(part.name)
            if named is not None:
                source, number = int(named[1]), int(named[2])
                # of a file that the run does not know, nothing is wanted
                wanted = source < len(known) and number < known[source]
                there += wanted and part.name == part_name(source, number)
        total = sum(known)
        return f"{total - there:,} of {total:,} parts are gone; {_AGAIN}" * (there < total)

    @cached_property
    def about_files(self) -> AboutFiles:
        """Return what the parts' own counts say of the files. Raises UsageError."""
        with missing_extra():
            import pyarrow as pa
            import pyarrow.parquet as pq

            from skatspec.archive.rows import COUNTS
            from skatspec.archive.work import Counts
        codes: Counter[str] = Counter()
        broken: dict[str, None] = {}
        cut = 0
        for part in self.parts:
            try:
                data = (pq.read_metadata(part).metadata or {}).get(COUNTS)
                counts = Counts() if data is None else Counts.from_json(data.decode())
            except (OSError, pa.ArrowException) as error:
                raise UsageError(f"{part}: {in_one_line(error)}") from None
            except (ValueError, LookupError, TypeError):
                continue  # counts of another make: its rows can be asked all the same
            codes.update(counts.about_files)
            broken.update(dict.fromkeys(counts.broken))
            cut += bool(counts.broken)
        return AboutFiles(codes, tuple(broken), cut)

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
    except NotADirectoryError:
        raise UsageError(f"{folder} is no folder of a checked archive") from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        run = None
    if not isinstance(run, dict) or "format" not in run:
        raise UsageError(f"{path} cannot be understood")
    if run["format"] != FORMAT:
        said = f"results of format {run['format']!r}; this version reads format {FORMAT}"
        raise UsageError(f"{path}: {said}")
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
        bare = isinstance(error, duckdb.ParserException) and _BARE_OFFSET.search(_TEXT.sub("", sql))
        hint = f"; {_OFFSET}" if bare else ""
        raise UsageError(f"the query: {in_one_line(error)}{hint}") from None


def in_one_line(error: Exception) -> str:
    """Return a message of DuckDB without the copy of the query below it."""
    return " ".join(str(error).partition("\n\nLINE ")[0].split())


def _listed(texts: list[str]) -> str:
    return "[" + ", ".join("'" + text.replace("'", "''") + "'" for text in texts) + "]"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
