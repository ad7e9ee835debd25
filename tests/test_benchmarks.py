"""The benchmarks run, on few games: what they count is right, however fast anything is."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks import archive, archive_files, archive_measures, machine, memory, peers
from benchmarks.archive_files import KINDS, Files

GAMES = 200
needs_archive = pytest.mark.skipif(
    not all(map(find_spec, ("numba", "pyarrow", "zstandard"))), reason="needs the archive extra"
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return archive_files.made(tmp_path_factory.mktemp("bench"), GAMES, 0.1, "iss", 50)


def test_the_files_hold_the_games_asked_for_and_every_kind_the_same_bytes(files: Files) -> None:
    pytest.importorskip("zstandard")
    from skatspec.archive import inputs

    text = files.mixed.read_bytes()
    assert text.count(b"\n") == GAMES == files.clean.read_bytes().count(b"\n")
    assert text != files.clean.read_bytes()
    for kind in KINDS:
        for times in (1, 2):
            whole = b"".join(inputs.chunks(str(files.packed(kind, times)), 1 << 20, 1))
            assert whole == text * times, kind


def test_packed_kinds_are_one_frame_and_several(files: Files) -> None:
    pytest.importorskip("zstandard")
    from skatspec.archive import inputs

    assert inputs.length(str(files.packed("seekable"))) == files.mixed.stat().st_size
    assert inputs.length(str(files.packed("zst"))) is None


def test_blocks_end_at_lines_and_lose_nothing(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(archive_measures, "CHUNK", 7)
    path = tmp_path / "lines"
    path.write_bytes(b"a\nbb\n" + b"c" * 30 + b"\n\nd")
    pieces = list(archive_measures.blocks(path))
    assert b"".join(pieces) == path.read_bytes()
    assert len(pieces) > 2
    assert all(piece.endswith(b"\n") for piece in pieces[:-1])


@needs_archive
def test_every_way_to_check_counts_the_same_games(files: Files) -> None:
    rows = [
        *archive_measures.kernel(files, 1),
        archive_measures.parquet(files.mixed, "plain", files, 1, 1),
    ]
    tier1 = {row.what: row for row in rows}
    mixed, whole = tier1["tier 1, one core, mixed"], rows[-1]
    assert mixed.games == whole.games == GAMES
    assert mixed.accepted + mixed.rejected + mixed.handed == GAMES
    assert whole.accepted + whole.rejected + whole.open == GAMES
    assert whole.rejected > tier1["tier 1, one core, clean"].rejected == 0
    # what tier 1 rejects goes to the scalar engine as well
    assert whole.handed == mixed.rejected + mixed.handed
    assert 0 < whole.first[0] <= whole.seconds[0]
    assert len(archive.cells(whole)) == len(archive._COLUMNS)


@needs_archive
def test_the_scalar_path_is_measured_on_a_sample(files: Files) -> None:
    rows = list(archive_measures.scalar(files, 1))
    assert [row.games for row in rows] == [50, 50]
    assert rows[0].rejected == 0 < rows[1].rejected


def test_what_a_check_found_is_read_from_its_summary(files: Files) -> None:
    ran = archive_files.skatspec("check", str(files.first(files.mixed, 50)), "--rules", "iss")
    row = archive_measures._summed(archive_measures.Row("check", 0, 0, [1.0], [1.0]), ran.output)
    assert row.games == 50 == row.accepted + row.rejected + row.open
    assert row.rejected > 0


def test_a_command_that_fails_is_no_measurement() -> None:
    with pytest.raises(archive_files.Failed, match="left with 2"):
        archive_files.skatspec("check", "no-such-file")


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux")
def test_memory_counts_the_processes_below_too(tmp_path: Path) -> None:
    child = "import time; held = b'x' * (64 << 20); time.sleep(0.5)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    ran = memory.run([sys.executable, "-c", parent], {}, tmp_path, watch=True)
    assert ran.code == 0
    assert len(ran.rss) == 2
    assert max(ran.rss) > 64
    assert ran.pss > 64


def test_a_file_dropped_from_memory_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(os.urandom(1 << 20))
    assert machine.forget(path).startswith("page cache: ")
    assert path.stat().st_size == 1 << 20


def test_peers_that_are_missing_are_named(files: Files, monkeypatch) -> None:
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    said = list(peers.lines(files.clean))
    assert [line.split()[0] for line in said] == ["open_spiel", "chess"]
    assert all("not installed" in line for line in said)


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="needs open_spiel")
def test_open_spiel_takes_our_games(files: Files) -> None:
    speed = peers.open_spiel(files.clean)
    assert speed.accepted == speed.games > GAMES * 0.9
    assert speed.rejected == 0


@pytest.mark.skipif(find_spec("chess") is None, reason="needs chess")
def test_python_chess_reads_games_of_a_seed() -> None:
    assert peers.pgn(3) == peers.pgn(3)
    assert peers.python_chess(3).accepted == 3


def test_actions_are_deal_game_discards_and_cards(files: Files) -> None:
    from skatspec.formats import registry
    from skatspec.record import Record

    made = [
        found
        for one in registry.open_records(files.clean, "iss")
        if isinstance(one, Record) and (found := peers.actions(one)) is not None
    ]
    # the deal, a pass of everybody before the declarer, his game, two discards, ten tricks
    full = [moves for moves in made if len(moves) == 32 + moves[32:].count(32) + 1 + 2 + 30]
    assert full
    for moves in full:
        assert sorted(moves[:32]) == list(range(32))
        # each card once more: as a discard or to a trick
        assert sorted(moves[-32:]) == list(range(32))


def test_the_summary_of_a_large_check_is_read_with_its_separators() -> None:
    output = (
        "12345 records in 1 file: 12300 consistent, 45 contradicted\n"
        "fast engine: 12,290 records decided, 12 of them checked again, no disagreement\n"
    )
    row = archive_measures._summed(archive_measures.Row("check", 0, 0, [1.0], [1.0]), output)
    assert (row.games, row.accepted, row.rejected, row.handed) == (12345, 12300, 45, 55)
