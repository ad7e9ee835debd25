"""Ranges of unpacked bytes, several threads, and `skatspec archive recompress`.

Whatever way a file is read, the plain reader's bytes are the right answer.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from skatspec import resources
from skatspec.errors import InputError, UsageError
from skatspec.formats.packed import unpacked
from tests.clirun import Skatspec, skatspec

zstandard = pytest.importorskip("zstandard")

__all__ = ["skatspec"]

from skatspec.archive import recompress as module  # noqa: E402
from skatspec.archive import seekable, seektable  # noqa: E402
from skatspec.archive.recompress import Recompressed, recompress, target_of  # noqa: E402
from skatspec.archive.seekable import (  # noqa: E402
    open_range,
    parallel_chunks,
    unpacked_size,
)
from skatspec.archive.seektable import frames  # noqa: E402

SAMPLE = resources.text("records", "games", "sample.sgf").encode()
LINES = SAMPLE.splitlines(keepends=True)
SMALL = 1 << 16


def can_seek(path: str) -> bool:
    return unpacked_size(path) is not None


def shuffled(times: int) -> bytes:
    """Return the sample's lines in any order, each with an ID of its own."""
    rng = random.Random(7)
    return b"".join(
        re.sub(rb"ID\[\d*\]", b"ID[%d]" % rng.getrandbits(60), rng.choice(LINES))
        for _ in range(times * len(LINES))
    )


DATA = shuffled(200)
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": lambda data: bz2.compress(data, 1),
    "xz": lzma.compress,
    "zst": lambda data: bytes(zstandard.ZstdCompressor().compress(data)),
}
every_packer = pytest.mark.parametrize("packer", list(PACKERS))


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a seekable file of `DATA`, of several frames."""
    folder = tmp_path_factory.mktemp("good")
    (folder / "games.sgf").write_bytes(DATA)
    recompress(str(folder / "games.sgf"), folder / "games.sgf.zst", frame=SMALL)
    return folder / "games.sgf.zst"


def joined(pieces: object) -> bytes:
    return b"".join(pieces)  # type: ignore[arg-type]


def outcome(pieces: object) -> tuple[bytes, str]:
    """Return the bytes that come, and the code that ends them."""
    got = bytearray()
    try:
        for piece in pieces:  # type: ignore[attr-defined]
            got += piece
    except InputError as error:
        return bytes(got), error.code
    return bytes(got), ""


# --- what is written ---------------------------------------------------------------------


@every_packer
def test_any_file_becomes_seekable_zstd_of_the_same_bytes(packer: str, tmp_path: Path) -> None:
    source = tmp_path / f"games.sgf.{packer}".removesuffix(".plain")
    source.write_bytes(PACKERS[packer](DATA))
    target = tmp_path / "out.zst"
    done = recompress(str(source), target, frame=SMALL, threads=2)
    assert isinstance(done, Recompressed)
    assert done.unpacked == len(DATA)
    assert done.packed == target.stat().st_size
    assert done.frames == len(list(_frames_of(target)))
    assert joined(unpacked(str(target), 1 << 20)) == DATA
    assert sorted(tmp_path.iterdir()) == [source, target]


def _frames_of(path: Path) -> list[bytes]:
    """Return what each frame holds, read without the table: one after the other, by zstandard."""
    data, found = path.read_bytes(), []
    while data[:4] == b"\x28\xb5\x2f\xfd":
        reader = zstandard.ZstdDecompressor().decompressobj()
        found.append(reader.decompress(data))
        data = reader.unused_data
    # what is left is the table, in a frame that is skipped
    assert data[:4] == struct.pack("<I", 0x184D2A5E)
    assert data[-4:] == struct.pack("<I", 0x8F92EAB1)
    return found


def test_every_frame_begins_and_ends_a_line(good: Path) -> None:
    found = _frames_of(good)
    assert joined(found) == DATA
    assert len(found) > 5
    for frame in found:
        assert frame.startswith(b"(;") and frame.endswith(b"\n")
        assert len(frame) <= SMALL


def test_the_table_is_laid_out_as_the_format_says(good: Path) -> None:
    # Zstandard Seekable Format 0.1.0: entries of two little-endian sizes, then their number,
    # a descriptor and the magic number; the frame's own head tells the length of it all
    data, found = good.read_bytes(), _frames_of(good)
    count, descriptor, magic = struct.unpack("<IBI", data[-9:])
    assert (count, descriptor, magic) == (len(found), 0, 0x8F92EAB1)
    table = data[-9 - 8 * count : -9]
    sizes = list(struct.iter_unpack("<II", table))
    assert [size for _, size in sizes] == [len(frame) for frame in found]
    begin = sum(size for size, _ in sizes)
    assert struct.unpack("<II", data[begin : begin + 8]) == (0x184D2A5E, 8 * count + 9)
    assert begin + 8 + 8 * count + 9 == len(data)


@pytest.mark.skipif(shutil.which("zstd") is None, reason="the zstd program is not installed")
def test_the_zstd_program_reads_what_is_written(good: Path) -> None:
    ran = subprocess.run(["zstd", "-dc", str(good)], capture_output=True, check=True)
    assert ran.stdout == DATA


@pytest.mark.parametrize(
    "data",
    [b"", b"x", b"\n", b"no end", b"a\r\nb\r\n" * 40_000, b"a\rb\r" * 50_000, b"x" * 300_000,
     b"short\n" + b"x" * 300_000 + b"\nshort\n"],
    ids=range(8),
)  # fmt: skip
def test_odd_contents_come_back_the_same(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(data)
    recompress(str(tmp_path / "in"), tmp_path / "out.zst", frame=SMALL)
    assert joined(unpacked(str(tmp_path / "out.zst"), 1 << 20)) == data
    assert unpacked_size(str(tmp_path / "out.zst")) == len(data)
    found = _frames_of(tmp_path / "out.zst")
    assert all(one.endswith((b"\n", b"\r")) for one in found[:-1])
    assert not any(one.endswith(b"\r") and b"\n" in data for one in found)


def test_a_line_longer_than_any_frame_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LARGEST_FRAME", SMALL)
    data = b"a\n" + b"x" * (3 * SMALL) + b"\nb\n"
    (tmp_path / "in").write_bytes(data)
    recompress(str(tmp_path / "in"), tmp_path / "out.zst", frame=SMALL)
    found = _frames_of(tmp_path / "out.zst")
    assert joined(found) == data
    assert max(map(len, found)) == SMALL


@pytest.mark.parametrize("frame", [1, SMALL - 1, (1 << 26) + 1])
def test_a_frame_has_a_sensible_size(frame: int, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a frame has"):
        recompress("none", tmp_path / "out.zst", frame=frame)


# --- how it is written -------------------------------------------------------------------


def test_what_is_there_is_not_written_over_unless_asked_for(good: Path, tmp_path: Path) -> None:
    target = tmp_path / "a.zst"
    target.write_bytes(b"precious")
    with pytest.raises(UsageError, match="there already"):
        recompress(str(good), target)
    assert target.read_bytes() == b"precious"
    recompress(str(good), target, force=True)
    assert joined(unpacked(str(target), 1 << 20)) == DATA


def test_what_came_there_meanwhile_is_not_written_over(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.zst"
    back = module._read_back

    def slow(*args: object) -> None:
        target.write_bytes(b"precious")
        back(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_read_back", slow)
    with pytest.raises(UsageError, match="there already"):
        recompress(str(good), target)
    assert target.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [target]


@every_packer
def test_nothing_is_left_of_a_damaged_file(packer: str, tmp_path: Path) -> None:
    if packer == "plain":
        pytest.skip("a plain file is never damaged")
    source = tmp_path / "a.sgf"
    source.write_bytes(PACKERS[packer](DATA)[:-20])
    with pytest.raises(InputError, match="E008"):
        recompress(str(source), tmp_path / "a.zst", threads=2)
    assert list(tmp_path.iterdir()) == [source]


def test_a_copy_that_reads_back_otherwise_gets_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "a.sgf"
    source.write_bytes(DATA)
    right = seektable.SeekableWriter._packed
    monkeypatch.setattr(
        seektable.SeekableWriter,
        "_packed",
        lambda self, data: right(self, data.replace(b"18 0 y", b"18 0 p", 1)),
    )
    with pytest.raises(InputError, match="does not read back"):
        recompress(str(source), tmp_path / "a.zst", frame=SMALL)
    assert list(tmp_path.iterdir()) == [source]


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "a.sgf"
    source.write_bytes(DATA)

    def full(self: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(seektable.SeekableWriter, "_write", full)
    with pytest.raises(UsageError, match="No space left"):
        recompress(str(source), tmp_path / "a.zst")
    assert list(tmp_path.iterdir()) == [source]
    with pytest.raises(UsageError, match="cannot be written"):
        recompress(str(source), tmp_path / "none" / "a.zst")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_leaves_no_half_file(tmp_path: Path) -> None:
    fifo = tmp_path / "in.sgf"
    os.mkfifo(fifo)
    out = tmp_path / "out"
    out.mkdir()
    command = [sys.executable, "-m", "skatspec", "archive", "recompress", str(fifo), "--to"]
    # A shell that starts jobs in the background may have taught us to ignore the signal.
    run = subprocess.Popen(
        [*command, str(out / "a.zst")],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with fifo.open("wb") as stream:
        stream.write(SAMPLE)
        stream.flush()
        while not list(out.iterdir()) and run.poll() is None:
            time.sleep(0.01)
        for _ in range(20):  # Python misses a signal that comes right before it waits for data
            run.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                run.wait(3)
                break
    assert run.wait(3) == 130
    assert list(out.iterdir()) == []


def test_without_the_extra_the_command_says_what_to_install(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    skatspec: Skatspec,
) -> None:
    (tmp_path / "a.sgf").write_bytes(SAMPLE)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    ran = skatspec("archive", "recompress", tmp_path / "a.sgf")
    assert (ran.code, "skatspec[archive]" in ran.err) == (2, True)


# --- the command -------------------------------------------------------------------------


def test_the_copy_stands_beside_the_file_or_where_it_is_sent(
    tmp_path: Path,
    skatspec: Skatspec,
) -> None:
    source = tmp_path / "games.sgf.bz2"
    source.write_bytes(bz2.compress(DATA))
    ran = skatspec("archive", "recompress", source, "--frame", "64KiB")
    assert (ran.code, ran.out) == (0, "")
    copy = tmp_path / "games.sgf.zst"
    assert frames(str(copy)) is not None
    assert source.exists()
    assert (
        skatspec("check", copy).out.replace("sgf.zst", "sgf.bz2") == skatspec("check", source).out
    )
    # once more: the copy needs none, and is not written over
    ran = skatspec("archive", "recompress", copy)
    assert (ran.code, "seekable already" in ran.err) == (0, True)
    ran = skatspec("archive", "recompress", tmp_path)
    assert (ran.code, "there already" in ran.err) == (2, True)
    (tmp_path / "to").mkdir()
    assert skatspec("archive", "recompress", source, "--to", tmp_path / "to").code == 0
    assert (tmp_path / "to" / "games.sgf.zst").exists()
    assert skatspec("archive", "recompress", "-", "--to", tmp_path / "b.zst", stdin=DATA).code == 0
    assert joined(unpacked(str(tmp_path / "b.zst"), 1 << 20)) == DATA


def test_a_zip_is_packed_anew_member_by_member(
    tmp_path: Path,
    skatspec: Skatspec,
) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("x/one.sgf", "y/two.sgf.gz", "notes.md"):
            archive.writestr(name, gzip.compress(SAMPLE) if "gz" in name else SAMPLE)
    assert skatspec("archive", "recompress", tmp_path / "a.zip").code == 0
    assert sorted(one.name for one in tmp_path.glob("*.zst")) == ["one.sgf.zst", "two.sgf.zst"]
    assert joined(unpacked(str(tmp_path / "two.sgf.zst"), 1 << 20)) == SAMPLE


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("none.sgf",), "none.sgf"),
        (("-",), "--to"),
        (("a.sgf", "b.sgf", "--to", "x.zst"), "no folder"),
        (("a.sgf", "a.sgf.gz"), "both become"),
        (("a.sgf", "--frame", "1TiB"), "no size"),
        (("a.sgf", "--frame", "1KiB"), "a frame has"),
        (("a.sgf", "--level", "99"), "99"),
        (("empty",), "no file of a known suffix"),
    ],
)
def test_wrong_usage_is_said_before_anything_is_written(
    args: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    skatspec: Skatspec,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for name in ("a.sgf", "b.sgf"):
        (tmp_path / name).write_bytes(SAMPLE)
    (tmp_path / "a.sgf.gz").write_bytes(gzip.compress(SAMPLE))
    ran = skatspec("archive", "recompress", *args)
    assert (ran.code, says in ran.err) == (2, True), ran.err
    assert not list(tmp_path.rglob("*.zst")) and not list(tmp_path.rglob("*.tmp"))


def test_one_bad_file_does_not_stop_the_others(
    tmp_path: Path,
    skatspec: Skatspec,
) -> None:
    (tmp_path / "a.sgf.gz").write_bytes(gzip.compress(DATA)[:-9])
    (tmp_path / "b.sgf").write_bytes(DATA)
    ran = skatspec("archive", "recompress", tmp_path)
    assert (ran.code, "E008" in ran.err) == (1, True)
    assert [one.name for one in tmp_path.glob("*.zst")] == ["b.sgf.zst"]


def test_names_of_copies() -> None:
    for name, copy in (("a.sgf", "a.sgf.zst"), ("x/a.sgf.BZ2", "x/a.sgf.zst"), (".gz", ".gz.zst")):
        assert target_of(name) == Path(copy)
    assert target_of("x/a.sgf.gz", Path("to")) == Path("to/a.sgf.zst")


# --- ranges ------------------------------------------------------------------------------


@every_packer
def test_a_range_is_that_part_of_the_unpacked_bytes(packer: str, tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_bytes(PACKERS[packer](DATA))
    _ranges_are_right(str(path))
    assert can_seek(str(path)) is (packer == "plain")
    assert unpacked_size(str(path)) == (len(DATA) if packer == "plain" else None)


def test_a_range_of_a_seekable_file_is_read_alone(
    good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert can_seek(str(good))
    assert unpacked_size(str(good)) == len(DATA)
    monkeypatch.setattr(seekable, "unpacked", None)
    _ranges_are_right(str(good))


def _ranges_are_right(path: str) -> None:
    rng, end = random.Random(3), len(DATA)
    edges = [0, 1, SMALL - 1, SMALL, end - 1, end, end + 1, 2 * end]
    pairs = [(a, b) for a in edges for b in edges]
    pairs += [(a, a + rng.randrange(3 * SMALL)) for a in (rng.randrange(end) for _ in range(30))]
    table = frames(path)
    if table is not None:
        pairs += [(at + d, at + d + 2) for at in table.unpacked for d in (-2, -1, 0) if at + d >= 0]
    for begin, stop in pairs:
        assert joined(open_range(path, begin, stop)) == DATA[begin : max(begin, stop)]


def test_a_member_of_a_zip_has_ranges_too(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.sgf", DATA)
    path = f"{tmp_path}/a.zip/a.sgf"
    assert joined(open_range(path, 1000, 2000)) == DATA[1000:2000]
    assert not can_seek(path)
    assert unpacked_size(path) is None
    assert not can_seek(f"{tmp_path}/none.sgf")
    assert outcome(open_range(f"{tmp_path}/a.zip", 5, 9)) == (DATA[5:9], "")


def test_frames_with_checksums_in_their_table_and_skipped_ones_are_read(tmp_path: Path) -> None:
    parts = [DATA[:5000], b"", DATA[5000:9000]]
    packer = zstandard.ZstdCompressor(write_content_size=False)
    made = [packer.compress(one) for one in parts]
    made[1] = b"\x53\x2a\x4d\x18\x02\0\0\0hi"
    rows = b"".join(
        struct.pack("<III", len(frame), len(part), 99)
        for frame, part in zip(made, parts, strict=True)
    )
    tail = rows + struct.pack("<IBI", 3, 0x80, 0x8F92EAB1)
    path = tmp_path / "a.zst"
    path.write_bytes(b"".join(made) + struct.pack("<II", 0x184D2A5E, len(tail)) + tail)
    assert unpacked_size(str(path)) == 9000
    assert joined(open_range(str(path), 4000, 8500)) == DATA[4000:8500]
    assert joined(parallel_chunks(str(path), 999, 2)) == DATA[:9000]


# --- tables that lie ---------------------------------------------------------------------


def with_table(good: Path, path: Path, change: Callable[[list[list[int]]], object]) -> str:
    """Write a file whose table is changed, and which is otherwise as it was."""
    data = good.read_bytes()
    count = struct.unpack("<IBI", data[-9:])[0]
    rows = [list(row) for row in struct.iter_unpack("<II", data[-9 - 8 * count : -9])]
    begin = sum(row[0] for row in rows)
    change(rows)
    tail = b"".join(struct.pack("<II", *row) for row in rows)
    tail += struct.pack("<IBI", len(rows), 0, 0x8F92EAB1)
    path.write_bytes(data[:begin] + struct.pack("<II", 0x184D2A5E, len(tail)) + tail)
    return str(path)


def shift(rows: list[list[int]]) -> None:
    rows[1][0] += 1
    rows[2][0] -= 1


def swap(rows: list[list[int]]) -> None:
    rows[1], rows[2] = rows[2], rows[1]


def grow(rows: list[list[int]]) -> None:
    rows[1][1] += 7


LIES: dict[str, Callable[[list[list[int]]], object]] = {
    "shifted": shift,
    "swapped": swap,
    "another size": grow,
    "one missing": lambda rows: rows.pop(),
    "one more": lambda rows: rows.append([1, 1]),
    "none": lambda rows: rows.clear(),
    "huge": lambda rows: rows[0].__setitem__(1, 0xFFFFFFFF),
}


@pytest.mark.parametrize("lie", list(LIES))
def test_a_table_that_lies_is_not_used(lie: str, good: Path, tmp_path: Path) -> None:
    path = with_table(good, tmp_path / "a.zst", LIES[lie])
    assert not can_seek(path)
    assert joined(unpacked(path, 1 << 20)) == DATA
    assert joined(open_range(path, 70_000, 90_000)) == DATA[70_000:90_000]
    assert joined(parallel_chunks(path, 1 << 16, 2)) == DATA


def test_a_lie_that_only_unpacking_shows_is_noticed(tmp_path: Path) -> None:
    # frames that do not tell their sizes, of 5000 and 4000 bytes; the table says otherwise
    packer = zstandard.ZstdCompressor(write_content_size=False)
    made = [packer.compress(DATA[:5000]), packer.compress(DATA[5000:9000])]
    for sizes in ((4999, 4001), (5001, 3999), (5000, 4001), (0, 9000)):
        rows = b"".join(
            struct.pack("<II", len(one), size) for one, size in zip(made, sizes, strict=True)
        )
        tail = rows + struct.pack("<IBI", 2, 0, 0x8F92EAB1)
        path = tmp_path / "a.zst"
        path.write_bytes(b"".join(made) + struct.pack("<II", 0x184D2A5E, len(tail)) + tail)
        assert outcome(open_range(str(path), 0, 9001))[1] == "E008"
        assert joined(parallel_chunks(str(path), 1 << 16, 2)) == DATA[:9000]


def test_a_table_is_read_again_when_the_file_changed(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    shutil.copy(good, path)
    assert can_seek(str(path))
    path.write_bytes(PACKERS["zst"](DATA))
    assert not can_seek(str(path))


def test_damage_at_random_ends_in_an_input_error_and_never_in_other_bytes(
    good: Path, tmp_path: Path
) -> None:
    rng, data = random.Random(11), good.read_bytes()
    for number in range(150):
        changed = bytearray(data)
        # half of the time the table, which is far smaller than the frames
        at = len(data) - rng.randrange(1, 130) if number % 2 else rng.randrange(len(data))
        kind = rng.randrange(3)
        if kind == 0:
            changed[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            changed[at : at + 4] = rng.randbytes(4)
        else:
            del changed[at:]
        path = tmp_path / f"{number}.zst"
        path.write_bytes(changed)
        plain = outcome(unpacked(str(path), 1 << 20))
        assert plain[0] == DATA[: len(plain[0])]
        assert outcome(parallel_chunks(str(path), 1 << 20, 2)) == plain
        begin = rng.randrange(len(DATA))
        got, code = outcome(open_range(str(path), begin, begin + 5000))
        assert got == DATA[begin : begin + len(got)]
        assert code in ("E008", "") and (code or len(got) == len(DATA[begin : begin + 5000]))


# --- several threads ---------------------------------------------------------------------


@every_packer
@pytest.mark.parametrize("chunk", [1000, 1 << 20])
def test_threads_give_the_same_bytes(packer: str, chunk: int, tmp_path: Path, good: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_bytes(PACKERS[packer](DATA))
    for one in (path, good):
        for threads in (1, 2, 3):
            pieces = list(parallel_chunks(str(one), chunk, threads))
            assert joined(pieces) == DATA
            assert max(map(len, pieces)) <= chunk


def test_progress_with_threads_is_told_in_bytes_of_the_file(good: Path, tmp_path: Path) -> None:
    packed = tmp_path / "a.bz2"
    packed.write_bytes(PACKERS["bz2"](DATA))
    for path in (good, packed):
        told: list[int] = []
        list(parallel_chunks(str(path), 1 << 16, 2, told.append))
        assert told == sorted(told)
        assert path.stat().st_size * 0.9 < told[-1] <= path.stat().st_size


@pytest.mark.parametrize("threads", [2, 3])
def test_bzip2_in_threads_ends_as_the_plain_reader_does(threads: int, tmp_path: Path) -> None:
    pytest.importorskip("rapidgzip")
    pack = PACKERS["bz2"]
    runs = b"".join(bytes([n % 7]) * (n * 37 % 600) for n in range(4000))
    cases = [
        pack(b""), pack(runs), pack(DATA) + pack(b"") + pack(SAMPLE), pack(DATA) + bytes(700),
        pack(SAMPLE) + b"junk", pack(SAMPLE) + gzip.compress(SAMPLE), pack(DATA)[:-5],
        pack(DATA)[: len(pack(DATA)) // 2], pack(SAMPLE) + pack(DATA)[:-300], b"BZh9", b"BZhello",
    ]  # fmt: skip
    for number, data in enumerate(cases):
        path = tmp_path / f"{number}.bz2"
        path.write_bytes(data)
        got = outcome(parallel_chunks(str(path), 1 << 14, threads))
        assert got == outcome(unpacked(str(path), 1 << 14)), number


def test_damaged_bzip2_in_threads_ends_as_the_plain_reader_does(tmp_path: Path) -> None:
    pytest.importorskip("rapidgzip")
    rng, data = random.Random(2), PACKERS["bz2"](DATA)
    for number in range(60):
        changed = bytearray(data)
        at = rng.randrange(4, len(data))
        changed[at : at + rng.choice((1, 1, 40))] = rng.randbytes(rng.choice((1, 1, 40)))
        path = tmp_path / f"{number}.bz2"
        path.write_bytes(changed)
        got = outcome(parallel_chunks(str(path), 1 << 16, 2))
        assert got == outcome(unpacked(str(path), 1 << 16)), number


def test_without_rapidgzip_bzip2_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rapidgzip", None)
    (tmp_path / "a.bz2").write_bytes(PACKERS["bz2"](DATA))
    assert joined(parallel_chunks(str(tmp_path / "a.bz2"), 1 << 16, 2)) == DATA


def test_threads_end_when_a_reader_stops(good: Path) -> None:
    import threading

    before = threading.active_count()
    for _ in range(5):
        pieces = parallel_chunks(str(good), 1 << 10, 2)
        next(pieces)
        pieces.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
