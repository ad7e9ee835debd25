"""Makes the results of a checked archive: real games with their offsets, and made-up rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from skatspec.archive import rows
from skatspec.archive.work import Counts
from skatspec.diagnostics import Severity
from skatspec.formats.lines import Lines
from skatspec.formats.registry import reading
from skatspec.judging import Judge
from skatspec.resources import locate
from skatspec.rules import load_rules

AWKWARD = (
    "<script>alert(1)</script>", "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", 'a,"b"', "a\nb",
    "Zoë ♣ 漢字", "\x1b[31mred\x1b[0m", "\u202egnp", "", None, "&amp;", "{{ 7 * 7 }}", "' OR 1=1",
)  # fmt: skip
CODES = ("S001", "P004", "B001", "S014", "Z999")
MADE_FILE = "an odd <b>'name'.sgf"


def sample() -> bytes:
    """Return the real ISS records of the suite, one a line."""
    return locate("records", "games", "sample.sgf").read_bytes()


def real_rows(data: bytes, path: str) -> Iterator[dict[str, Any]]:
    """Yield a row for every record line of some ISS text, as the reference judges it."""
    judge = Judge(load_rules("iss"))
    offset = 0
    for line in data.splitlines(keepends=True):
        text = line.rstrip(b"\r\n")
        if text.startswith(b"(;"):
            record = next(reading(Lines([text], path), "iss"))
            report = judge.check(record)
            errors = [one.code for one in report.findings if one.severity is Severity.ERROR]
            yield {
                "file": path, "offset": offset, "length": len(text), "id": report.id or None,
                "date": datetime(2010, 5, 1), "declarer": report.declarer,
                "contract": report.contract, "bid": report.bid, "matadors": report.matadors,
                "points": report.points, "tricks": report.tricks, "value": report.value,
                "score": report.score, "recorded": report.recorded.get("score"),
                "verdict": report.verdict.value, "code": errors[0] if errors else None,
            }  # fmt: skip
        offset += len(line)


def made_rows(count: int, path: str = MADE_FILE) -> Iterator[dict[str, Any]]:
    """Yield so many rows: one in ten contradicted, fewer from year to year, with odd names."""
    for at in range(count):
        year = 2007 + at * 10 // count
        bad = at % 10 == 0 and (at // 10) % 12 > year - 2007
        verdict = "contradicted" if bad else "undetermined" if at % 97 == 0 else "consistent"
        verdict = "unreadable" if at % 499 == 7 else verdict
        score = None if at % 7 == 0 and at % 3 else (at % 40) - 20
        code = CODES[at // 10 % len(CODES)] if bad else "N001" if verdict == "unreadable" else None
        names = [AWKWARD[(at // 10 + shift) % len(AWKWARD)] for shift in range(3)]
        blank = verdict == "unreadable"
        yield {
            "file": path, "offset": at * 400, "length": 399,
            "id": None if blank else AWKWARD[at // 10 % len(AWKWARD)] if bad else str(at),
            "date": None if at % 53 == 0 else datetime(year, 1 + at % 12, 1 + at % 28, 12),
            "player_f": names[0], "player_m": names[1], "player_r": names[2],
            "declarer": None if blank else "FMR"[at % 3],
            "contract": None if blank else ("clubs", "grand", "null", "hearts")[at % 4],
            "modifiers": "hand schneider" if at % 20 == 0 else None,
            "bid": None if blank else 18, "matadors": None if at % 4 == 2 else -2,
            "points": 88, "tricks": 5, "value": 48, "score": score,
            "recorded": None if at % 110 == 0 else (at % 40) - 20 - at if bad else score,
            "verdict": verdict, "code": code, "position": at * 400 + 10 if code else None,
        }  # fmt: skip


def write_part(
    folder: Path, name: str, some: list[dict[str, Any]],
    about: Mapping[str, int] = MappingProxyType({}), broken: Sequence[str] = (),
) -> Path:  # fmt: skip
    """Write one part; its counts say `about` of the files, and why a file broke off."""
    (folder / "parts").mkdir(parents=True, exist_ok=True)
    path = folder / "parts" / name
    told = Counts(units=1, records=len(some), about_files=Counter(about), broken=list(broken))
    counts = {rows.COUNTS: told.as_json().encode()}
    table = pa.Table.from_pylist(some, schema=rows.schema().with_metadata(counts))
    pq.write_table(table, path)
    return path


def write_run(folder: Path, files: list[dict[str, Any]], **changed: Any) -> None:
    """Write run.json as `skatspec archive check` leaves it; `changed` keys differ."""
    run = {
        "format": 1, "skatspec": "0.1", "unit": 1 << 26, "finished": True,
        "rules": {"name": "iss", "digest": load_rules("iss").tables.digest},
        "spec": {"name_or_path": "iss", "settings": []}, "files": files,
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps({**run, **changed}), encoding="utf-8")


def file_entry(path: Path) -> dict[str, Any]:
    """Return what run.json knows of a file."""
    stat = path.stat()
    known = {"path": str(path), "size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
    return {**known, "length": stat.st_size, "units": None}


def made_archive(folder: Path, count: int = 4000, parts: int = 3) -> Path:
    """Write made-up results and return their folder."""
    some = list(made_rows(count))
    step = -(-count // parts)
    for at in range(parts):
        # the rows of a part come in no order
        write_part(folder, f"{at:06}.parquet", some[at * step : (at + 1) * step][::-1])
    (folder / "parts" / "000009.parquet.tmp").write_bytes(b"half a part")
    write_run(folder, [{"path": MADE_FILE, "size": count * 400, "mtime_ns": 1}])
    return folder


def real_archive(folder: Path, data: bytes | None = None) -> tuple[Path, Path]:
    """Write the suite's ISS records and their results; return results' folder and file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "games.sgf"
    path.write_bytes(sample() if data is None else data)
    found = folder / "found"
    write_part(found, "0.parquet", list(real_rows(path.read_bytes(), str(path))))
    write_run(found, [file_entry(path)])
    return found, path
