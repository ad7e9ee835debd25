"""The rows of a checked archive: the same by either engine, and each leads back to its bytes."""

from __future__ import annotations

import random
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from skatspec.check import check
from skatspec.formats import iss
from skatspec.record import Record
from skatspec.rules import load_rules
from tests.gamegen import seeded
from tests.shared import SHARED, needs_shared

pytest.importorskip("numba", reason="archives need the extra `archive` (numba)")
pytest.importorskip("pyarrow", reason="archives need the extra `archive` (pyarrow)")

import pyarrow as pa
import pyarrow.parquet as pq

from skatspec.archive import columns
from skatspec.archive.rows import COLUMNS, schema
from skatspec.archive.units import Unit, units_of
from skatspec.archive.work import Counts, Worker, warm

ISS = SHARED / "data" / "iss"
JUNK = (b"", b"# note", b"junk", b"(;GM[Skat]MV[w", b"(;", "\u00e4hnlich".encode(), b"]")
ENDS = (b"\n", b"\n", b"\n", b"\r\n", b"\r")
TAGS = {"id": "Id", "player_f": "F", "player_m": "M", "player_r": "R"}


def worked(
    data: bytes, folder: Path, fast: bool, unit: int = 1 << 24, rules: str = "iss", audit: int = 3
) -> tuple[Any, Counts]:
    """Return the rows of all units of a file, and their counts."""
    folder.mkdir()
    path = folder / "games.sgf"
    path.write_bytes(data)
    worker, total = Worker(load_rules(rules), str(folder), fast, audit), Counts()
    units = list(units_of(0, str(path), len(data), unit))
    for one in units:
        total.add(worker(one))
    tables = [pq.read_table(folder / one.name) for one in units]
    rows = pa.concat_tables([one.replace_schema_metadata() for one in tables])
    return rows.drop_columns(["file"]).sort_by("offset"), total


def mixed(games: int, seed: int = 4) -> bytes:
    """Return sound records, faulty ones, some over several lines, and what is no record."""
    chance = random.Random(seed)
    good = [iss.write(one.record)[0].rstrip("\n").encode() for one in seeded("iss", 150)]
    dates = (
        "2007-02-28/23:59:59/UTC",
        "2024-02-29/00:00:00/UTC",
        "2023-02-29/00:00:00/UTC",
        "",
        "x",
    )
    parts = []
    for _ in range(games):
        kind, line = chance.random(), chance.choice(good)
        if chance.random() < 0.5:
            date = chance.choice(dates).encode()
            line = line.replace(
                b"GM[Skat]", b"GM[Skat]ID[" + b"%d" % len(parts) + b"]DT[" + date + b"]"
            )
        if kind < 0.1:
            at = chance.randrange(len(line) // 2, len(line) - 4)
            line = line[:at] + chance.choice((b"1", b"C", b"J", b" ")) + line[at + 1 :]
        elif kind < 0.2:
            line = chance.choice(JUNK)
        elif kind < 0.25:
            line = line.replace(b"]", b"]\n")
        elif kind < 0.3:
            line = b"junk " + line + line
        parts += [line, chance.choice(ENDS)]
    return b"".join(parts)


def test_rows_are_the_same_by_either_engine_and_however_the_file_is_cut(tmp_path: Path) -> None:
    data = mixed(600)
    scalar, plain = worked(data, tmp_path / "scalar", fast=False)
    assert scalar.schema.names == [name for name, _, _ in COLUMNS if name != "file"]
    for name, unit in (("fast", 1 << 24), ("small", 5000)):
        rows, counts = worked(data, tmp_path / name, fast=True, unit=unit)
        assert rows.to_pylist() == scalar.to_pylist()
        assert counts.verdicts == plain.verdicts
        assert counts.codes == plain.codes
        assert counts.records == plain.records == rows.num_rows
        assert counts.size == plain.size == len(data)
        assert counts.disagreements == 0
        assert counts.taken > 200
        assert counts.audited > 50


def test_every_row_leads_back_to_its_record_and_the_place_of_its_finding(tmp_path: Path) -> None:
    data, rules = mixed(500, seed=5), load_rules("iss")
    rows, _ = worked(data, tmp_path / "rows", fast=True, audit=0)
    found = set()
    for row in rows.to_pylist():
        raw = data[row["offset"] : row["offset"] + row["length"]]
        assert raw.startswith(b"(;")
        record = iss.parse(raw.decode("utf-8", "replace"))
        report = check(record, rules)
        assert report.verdict.value == row["verdict"]
        for name in (
            "bid",
            "matadors",
            "points",
            "tricks",
            "value",
            "score",
            "declarer",
            "contract",
        ):
            assert getattr(report, name) == row[name]
        if isinstance(record, Record):
            assert {name: record.tag(tag) for name, tag in TAGS.items()} == {
                name: row[name] for name in TAGS
            }
            stated = record.result.score if record.result else None
            assert row["recorded"] == stated
            date = record.tag("Date") or ""
            assert row["date"] == (_date(date) if date.endswith("/UTC") else None)
        if report.findings:
            assert row["code"] in {one.code for one in report.findings}
            assert row["offset"] <= row["position"] <= row["offset"] + row["length"]
            if row["code"] == "S001":
                assert data[row["position"] :].startswith(b"v:")
            found.add(row["code"])
        else:
            assert row["code"] is None
            assert row["position"] is None
    assert len(found) > 5


def _date(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d/%H:%M:%S/UTC")
    except ValueError:
        return None


def test_a_unit_without_records_makes_a_part_without_rows(tmp_path: Path) -> None:
    rows, counts = worked(b"\n# nothing here\n", tmp_path / "none", fast=True)
    assert rows.num_rows == 0
    assert counts.records == 0


def test_what_a_worker_calls_is_compiled_before_the_first_unit(tmp_path: Path) -> None:
    # on a machine where nothing was compiled yet, a run begins with this
    warm(Worker(load_rules("iss"), str(tmp_path), True, 0))
    assert columns.reported("none", 0, []).num_rows == 0


def test_a_unit_of_a_stream_gives_the_rows_of_its_range(tmp_path: Path) -> None:
    data = mixed(80, seed=6)
    rows, _ = worked(data, tmp_path / "file", fast=True)
    worker = Worker(load_rules("iss"), str(tmp_path), True, 0)
    worker(Unit(0, "games.sgf", 0, 0, 1 << 24, data))
    streamed = pq.read_table(tmp_path / "00000-000000.parquet").drop_columns(["file"])
    streamed = streamed.sort_by("offset")
    assert streamed.to_pylist() == rows.to_pylist()


def test_the_schema_says_what_every_column_holds() -> None:
    assert schema().names == [name for name, _, _ in COLUMNS]
    assert all(text for _, _, text in COLUMNS)


@needs_shared
@pytest.mark.parametrize("rules", ["iss", "iss-client", "isko"])
def test_rows_of_the_shared_records_are_the_same_by_either_engine(
    rules: str, tmp_path: Path
) -> None:
    for path in sorted(ISS.glob("*.sgf")):
        data = path.read_bytes()
        scalar, _ = worked(data, tmp_path / f"{path.stem}-s", fast=False, rules=rules)
        fast, counts = worked(data, tmp_path / f"{path.stem}-f", fast=True, rules=rules)
        assert fast.to_pylist() == scalar.to_pylist()
        assert counts.disagreements == 0


def test_the_page_on_archives_lists_every_column() -> None:
    page = (Path(__file__).parent.parent / "docs" / "archives.md").read_text(encoding="utf-8")
    for name, _, text in COLUMNS:
        assert any(f"| `{name}` |" in line and text in line for line in page.splitlines()), name
