"""Runs over an archive that are stopped, killed, gone on with, and whose input changes."""

from __future__ import annotations

import gzip
import json
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from skatspec.archive import doing, inputs, places, runs
from skatspec.archive.runs import Archive, Counted, opened
from skatspec.archive.seektable import SeekableWriter
from skatspec.archive.units import Unit, units_of
from skatspec.archive.work import Counts, Worker
from skatspec.errors import InputError, UsageError
from skatspec.rules import load_rules
from tests.archive_runs import UNIT, Started, check, found, games, left_over, same
from tests.clirun import Skatspec, skatspec

__all__ = ["skatspec"]

RULES = load_rules("iss")
GAMES = games(500)
# Few units, for what needs no more.
LARGE = 20_000

processes = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "games.sgf"
    path.write_bytes(GAMES)
    return path


@pytest.fixture(scope="module")
def undisturbed(source: Path) -> pa.Table:
    done(archive := begun(source.parent / "undisturbed", [source]))
    assert archive.finished
    table = found(Path(archive.folder))
    assert len(table) > 480 and len(set(table["offset"].to_pylist())) == len(table)
    assert len(set(table["verdict"].to_pylist())) > 1
    return table


def begun(folder: Path, sources: Iterable[Path | str], unit: int = LARGE, **extra: bool) -> Archive:
    return opened(str(folder), [str(one) for one in sources], RULES, {}, unit=unit, **extra)


def worker(archive: Archive) -> Worker:
    return Worker(archive.rules, archive.parts, False, 0)


def done(archive: Archive, doer: runs.Doer = doing.here) -> list[Counts]:
    return list(archive.run(worker(archive), doer, 1))


def after(units: int, act: Callable[[], object]) -> runs.Doer:
    """Return a doer that does something else once so many units are done."""

    def doer(worker: Worker, some: Iterable[Unit]) -> Counted:
        for number, counts in enumerate(doing.here(worker, some), 1):
            yield counts
            if number == units:
                act()

    return doer


# ---------------------------------------------------------------- killed, stopped


@processes
@pytest.mark.parametrize("whom", ["parent", "group"])
def test_a_run_killed_again_and_again_ends_with_the_same_rows(
    whom: str, source: Path, undisturbed: pa.Table, tmp_path: Path
) -> None:
    folder = tmp_path / "found"
    for parts in (1, 60):
        run = Started(source, "--to", folder, "--jobs", "2")
        run.wait_for_parts(folder, parts)
        run.kill(whom)
        assert run.end()[0] == -signal.SIGKILL
        run.require_no_orphans()
        assert not json.loads((folder / "run.json").read_text())["finished"]
    code, out, err = check(source, "--to", folder, "--jobs", "2")
    assert (code, err) == (1, "")
    assert f"{len(undisturbed):,} records" in out
    assert found(folder).equals(undisturbed)
    assert json.loads((folder / "run.json").read_text())["finished"]
    assert left_over(folder) == set()


@processes
def test_a_killed_worker_loses_nothing(
    source: Path, undisturbed: pa.Table, tmp_path: Path
) -> None:  # fmt: skip
    packed, folder = tmp_path / "games.sgf.gz", tmp_path / "found"
    packed.write_bytes(gzip.compress(GAMES))
    run = Started(packed, "--to", folder, "--jobs", "2")
    for parts in (3, 40):
        run.wait_for_parts(folder, parts)
        run.kill("worker")
    code, out, err = run.end()
    assert (code, err) == (1, "")
    assert f"{len(undisturbed):,} records" in out
    assert same(found(folder), undisturbed)
    assert left_over(folder) == set()
    run.require_no_orphans()


@processes
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_leaves_whole_parts_and_the_same_command_goes_on(
    jobs: str, source: Path, undisturbed: pa.Table, tmp_path: Path
) -> None:
    folder = tmp_path / "found"
    run = Started(source, "--to", folder, "--jobs", jobs)
    run.wait_for_parts(folder, 10)
    run.interrupt()
    code, _, err = run.end()
    assert code == 130
    assert "the same command goes on" in err and "Traceback" not in err
    run.require_no_orphans()
    assert left_over(folder) == set()
    some = found(folder)
    assert 0 < len(some) < len(undisturbed)
    code, out, _ = check(source, "--to", folder, "--jobs", jobs)
    assert code == 1 and f"{len(undisturbed):,} records" in out
    assert found(folder).equals(undisturbed)


class Deadly:
    """Kills the process that does unit 1."""

    def __call__(self, unit: Unit) -> Counts:
        if unit.number == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return Counts(units=1)


@processes
def test_a_unit_that_kills_its_workers_is_named() -> None:
    killing: Worker = Deadly()  # type: ignore[assignment]
    with pytest.raises(UsageError, match=r"games.sgf: 4 workers were killed .* \(unit 1\)"):
        list(doing.Processes(1)(killing, units_of(0, "games.sgf", 15, 10)))


def test_two_runs_at_once_in_one_folder_are_refused(
    source: Path, tmp_path: Path, skatspec: Skatspec
) -> None:
    pytest.importorskip("fcntl")
    with places.locked(str(tmp_path)):
        ran = skatspec("archive", "check", source, "--to", tmp_path)
        assert ran.code == 2 and "is in use" in ran.err
    with places.locked(str(tmp_path)):
        assert not (tmp_path / "run.json").exists()


def test_a_worker_of_an_earlier_start_can_write_no_part_any_more(
    source: Path, tmp_path: Path
) -> None:
    archive = begun(tmp_path, [source])
    unit = next(archive._units(0, archive.sources[0], 1))
    with places.aside(archive.folder) as aside:
        orphan = replace(worker(archive), aside=aside, run=archive.name)
        orphan(unit)
        path = tmp_path / "parts" / unit.name
        path.write_bytes(b"of the run that followed")
        with places.aside(archive.folder), pytest.raises(UsageError, match="No such file"):
            orphan(unit)
    assert path.read_bytes() == b"of the run that followed"


# ---------------------------------------------------------------- gone on with, begun anew


def test_both_engines_make_the_same_rows(
    source: Path, undisturbed: pa.Table, tmp_path: Path
) -> None:
    pytest.importorskip("numba")
    archive = begun(tmp_path, [source])
    counts = list(archive.run(Worker(RULES, archive.parts, True, 2), doing.here, 1))
    assert sum(one.taken for one in counts) > 100 < sum(one.audited for one in counts)
    assert sum(one.disagreements for one in counts) == 0
    assert found(tmp_path).equals(undisturbed)


def test_a_finished_run_is_not_done_again(source: Path, tmp_path: Path) -> None:
    assert len(done(begun(tmp_path, [source]))) > 5
    assert done(begun(tmp_path, [source])) == []


@pytest.mark.parametrize("harm", [Path.unlink, lambda path: path.write_bytes(b"PAR1")])
def test_a_part_that_is_lost_or_damaged_is_made_again(
    harm: Callable[[Path], object], source: Path, undisturbed: pa.Table, tmp_path: Path
) -> None:
    done(begun(tmp_path, [source]))
    harm(tmp_path / "parts" / "00000-000002.parquet")
    archive = begun(tmp_path, [source])
    assert len(done(archive)) == 1
    assert archive.finished and found(tmp_path).equals(undisturbed)


def test_a_run_whose_parts_vanish_meanwhile_does_not_end_well(source: Path, tmp_path: Path) -> None:
    first = tmp_path / "parts" / "00000-000000.parquet"
    with pytest.raises(UsageError, match=r"1 of 11 parts .* are gone"):
        done(begun(tmp_path, [source]), after(2, first.unlink))
    assert not begun(tmp_path, [source]).finished


def test_other_rules_need_a_restart_which_leaves_nothing_of_the_old(
    source: Path, tmp_path: Path, skatspec: Skatspec
) -> None:
    run = ("archive", "check", source, "--to", tmp_path, "--engine", "scalar", "--jobs", "1")
    assert skatspec(*run, "--unit", UNIT).code == 1
    before, many = found(tmp_path), len(list((tmp_path / "parts").iterdir()))
    refused = skatspec(*run, "--rules", "isko")
    assert refused.code == 2 and "other rules" in refused.err and "--restart" in refused.err
    assert found(tmp_path).equals(before)
    assert skatspec(*run, "--rules", "isko", "--restart", "--unit", LARGE).code == 1
    assert len(list((tmp_path / "parts").iterdir())) < many
    assert len(found(tmp_path)) == len(before) and not found(tmp_path).equals(before)


def test_parts_of_another_run_are_not_taken_for_this_one(
    source: Path, undisturbed: pa.Table, tmp_path: Path
) -> None:
    old = begun(tmp_path / "old", [source])
    archive = begun(tmp_path / "new", [source])
    unit = next(old._units(0, old.sources[0], 1))
    replace(worker(archive), run=old.name)(unit)
    assert archive.done() == {}
    done(archive)
    assert archive.finished and found(tmp_path / "new").equals(undisturbed)


def test_other_files_are_refused(source: Path, tmp_path: Path) -> None:
    done(begun(tmp_path / "found", [source]))
    (tmp_path / "more.sgf").write_bytes(GAMES)
    with pytest.raises(UsageError, match=r"other files: --restart"):
        begun(tmp_path / "found", [source, tmp_path / "more.sgf"])


# ---------------------------------------------------------------- input that changes or is damaged


def touched(path: Path) -> None:
    os.utime(path, ns=(0, 0))


def longer(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def other_end(path: Path) -> None:
    at = path.stat().st_mtime_ns
    path.write_bytes(path.read_bytes()[:-2] + b")\n")
    os.utime(path, ns=(at, at))


def other_beginning(path: Path) -> None:
    at = path.stat().st_mtime_ns
    path.write_bytes(b"X" + path.read_bytes()[1:])
    os.utime(path, ns=(at, at))


@pytest.mark.parametrize("change", [touched, longer, other_end, other_beginning])
def test_a_file_that_has_changed_is_not_gone_on_with(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "games.sgf"
    path.write_bytes(GAMES[:LARGE] + b"X\n")
    begun(tmp_path / "found", [path])
    change(path)
    with pytest.raises(UsageError, match=r"games\.sgf has changed since .*--restart"):
        begun(tmp_path / "found", [path])
    assert done(begun(tmp_path / "found", [path], restart=True))


def test_a_file_that_changes_while_it_is_checked_is_said_and_the_run_not_finished(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.sgf"
    path.write_bytes(GAMES)
    archive = begun(tmp_path / "found", [path])
    with pytest.raises(UsageError, match=r"games\.sgf has changed while it was checked"):
        done(archive, after(3, lambda: touched(path)))
    assert not json.loads((tmp_path / "found" / "run.json").read_text())["finished"]


@pytest.mark.parametrize("harm", [Path.unlink, longer])
def test_a_file_that_is_gone_or_another_makes_no_empty_part(
    harm: Callable[[Path], object], tmp_path: Path
) -> None:
    path = tmp_path / "games.sgf"
    path.write_bytes(GAMES)
    archive = begun(tmp_path / "found", [path])
    with pytest.raises(UsageError, match=r"games\.sgf is not what it was .* cannot be read from"):
        done(archive, after(3, lambda: harm(path)))
    assert len(list((tmp_path / "found" / "parts").iterdir())) == 3


def test_a_truncated_file_is_reported_and_tried_again(
    undisturbed: pa.Table, tmp_path: Path, skatspec: Skatspec
) -> None:
    path, folder = tmp_path / "games.sgf.gz", tmp_path / "found"
    whole = gzip.compress(GAMES)
    path.write_bytes(whole[: len(whole) * 2 // 3])
    for _ in range(2):
        ran = skatspec(
            "archive", "check", path, "--to", folder, "--engine", "scalar", "--unit", LARGE,
            "--jobs", "1",
        )  # fmt: skip
        assert ran.code == 1
        assert "E008" in ran.out and "ends in the middle of its packed data" in ran.out
        some = found(folder)
        assert not json.loads((folder / "run.json").read_text())["finished"]
        # all that was unpacked is there but the record that is cut
        assert f"{len(some):,} records in 1 file" in ran.out
        assert same(some[:-1], undisturbed[: len(some) - 1])
        assert len(undisturbed) // 3 < len(some) < len(undisturbed)


def test_what_could_not_be_read_once_is_made_anew(
    undisturbed: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sgf.gz"
    path.write_bytes(gzip.compress(GAMES))
    with monkeypatch.context() as patch:
        patch.setattr(inputs, "chunks", cut_off)
        counts = done(archive := begun(tmp_path / "found", [path]))
    assert [one.broken for one in counts if one.broken] == [["x: E008 the network is down"]]
    assert not archive.finished
    archive = begun(tmp_path / "found", [path])
    assert len(done(archive)) == 8
    assert archive.finished and same(found(tmp_path / "found"), undisturbed)


def cut_off(*_: object) -> Iterator[bytes]:
    yield GAMES[: LARGE * 7 // 2]
    raise InputError("E008", "the network is down", "x")


# ---------------------------------------------------------------- URLs


def seekable(path: Path, frame: int = 30_000) -> None:
    with path.open("wb") as stream:
        writer = SeekableWriter(stream, 1, 1)
        for at in range(0, len(GAMES), frame):
            writer.add(GAMES[at : at + frame])
        writer.finish()
        writer.close()


@pytest.mark.parametrize("name", ["games.sgf", "games.sgf.gz", "games.sgf.zst"])
def test_files_behind_a_url_give_the_same_rows(
    name: str, undisturbed: pa.Table, tmp_path: Path
) -> None:
    path = tmp_path / name
    if name.endswith(".zst"):
        seekable(path)
    else:
        path.write_bytes(gzip.compress(GAMES) if name.endswith(".gz") else GAMES)
    archive = begun(tmp_path / "found", [f"file://{path}"])
    assert (archive.length is None) == name.endswith(".gz")
    # one of them across processes: the others are read in the same way there
    done(archive, doing.Processes(2) if name == "games.sgf" else doing.here)
    assert archive.finished and same(found(tmp_path / "found"), undisturbed)
    assert set(found(tmp_path / "found")["file"].to_pylist()) == {f"file://{path}"}


def test_a_folder_behind_a_url_is_listed_and_its_results_go_to_another(
    undisturbed: pa.Table, tmp_path: Path, skatspec: Skatspec
) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/run/in/games.sgf", GAMES)
    memory.pipe_file("/run/in/deeper/games.sgf", GAMES[:5000])
    memory.pipe_file("/run/in/readme.md", b"nothing")
    run = (
        "archive", "check", "memory://run/in/", "--to", "memory://run/out", "--engine", "scalar",
        "--jobs", "1", "--unit", LARGE,
    )  # fmt: skip
    try:
        ran = skatspec(*run)
        assert ran.code == 1 and "in 2 files" in ran.out
        memory.get("/run/out", str(tmp_path / "found"), recursive=True)
        table = found(tmp_path / "found")
        names = ["memory:///run/in/deeper/games.sgf", "memory:///run/in/games.sgf"]
        assert sorted(set(table["file"].to_pylist())) == names
        many = len(table) - len(undisturbed)
        assert many > 5 and same(table[many:], undisturbed)
        # nothing is done twice, what is lost is made again, what has changed is noticed
        memory.rm("/run/out/parts/00001-000000.parquet")
        assert skatspec(*run).out == ran.out
        assert memory.exists("/run/out/parts/00001-000000.parquet")
        memory.pipe_file("/run/in/games.sgf", GAMES + b"\n")
        refused = skatspec(*run)
        assert refused.code == 2 and "has changed since" in refused.err
    finally:
        memory.rm("/run", recursive=True)


@pytest.mark.parametrize(
    "url, why",
    [
        ("nosuch://x/games.sgf", "Protocol not known"),
        ("memory://nowhere/games.sgf", "nowhere"),
        ("memory://nowhere/*.sgf", "no file of records"),
    ],
)
def test_a_url_that_names_nothing_is_refused(
    url: str, why: str, tmp_path: Path, skatspec: Skatspec
) -> None:
    pytest.importorskip("fsspec")
    ran = skatspec("archive", "check", url, "--to", tmp_path)
    assert ran.code == 2 and why in ran.err


def test_a_zip_behind_a_url_is_refused(tmp_path: Path, skatspec: Skatspec) -> None:
    pytest.importorskip("fsspec")
    path = tmp_path / "games.zip"
    path.write_bytes(b"PK\x03\x04" + bytes(100))
    ran = skatspec("archive", "check", f"file://{path}", "--to", tmp_path / "found")
    assert ran.code == 1 and "unpack it first" in ran.err
