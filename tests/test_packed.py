"""Packed files: read as they come, refused with a code where they cannot be, within limits.

The files are packed here, by Python's own modules, so every right answer is known.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import resource
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from skatspec import resources
from skatspec.cli.sources import Folder, files, require
from skatspec.errors import InputError, UsageError
from skatspec.formats import packed, registry, zipped
from skatspec.formats.packed import unpacked
from skatspec.record import Record
from tests.clirun import GOOD, Skatspec, skatspec

zstandard = pytest.importorskip("zstandard")

__all__ = ["skatspec"]

SAMPLE = resources.text("records", "games", "sample.sgf").encode()
RECORDS = SAMPLE.count(b"(;")


def zst(data: bytes, level: int = 3) -> bytes:
    return bytes(zstandard.ZstdCompressor(level=level, write_checksum=True).compress(data))


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zst,
}
every_packer = pytest.mark.parametrize("packer", list(PACKERS))


def whole(path: Path | str, chunk: int = 1 << 16) -> bytes:
    pieces = list(unpacked(str(path), chunk))
    assert all(0 < len(piece) <= chunk for piece in pieces)
    return b"".join(pieces)


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def zipped_as(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def refusal(path: Path | str) -> InputError:
    with pytest.raises(InputError) as caught:
        whole(path)
    assert caught.value.source == str(path)
    return caught.value


def noise(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


# --- one file, packed --------------------------------------------------------------------


@every_packer
def test_a_packed_file_is_read_whatever_its_name(packer: str, tmp_path: Path) -> None:
    data = PACKERS[packer](SAMPLE * 20)
    for name in (f"games.sgf.{packer}", "games"):
        assert whole(written(tmp_path / name, data)) == SAMPLE * 20
    records = list(registry.open_records(tmp_path / f"games.sgf.{packer}"))
    assert len(records) == 20 * RECORDS
    assert all(isinstance(one, Record) for one in records)
    assert registry.by_suffix(f"games.sgf.{packer}") == "iss"


@every_packer
@pytest.mark.parametrize("chunk", [1, 7, 1 << 20])
def test_pieces_are_never_larger_than_asked_for(packer: str, chunk: int, tmp_path: Path) -> None:
    data = (SAMPLE * 3)[:5000] if chunk < 10 else SAMPLE * 200
    assert whole(written(tmp_path / "a", PACKERS[packer](data)), chunk) == data


@every_packer
def test_several_streams_in_a_row_are_one_file(packer: str, tmp_path: Path) -> None:
    pack = PACKERS[packer]
    rows = pack(b"") + pack(SAMPLE) + pack(b"") + pack(SAMPLE) + bytes(512)
    assert whole(written(tmp_path / "a", rows)) == SAMPLE * 2


@every_packer
def test_what_follows_the_packed_data_is_not_passed_over(packer: str, tmp_path: Path) -> None:
    error = refusal(written(tmp_path / "a", PACKERS[packer](SAMPLE) + SAMPLE))
    assert (error.code, "something else" in error.message) == ("E008", True)


@every_packer
def test_of_a_cut_file_what_can_be_unpacked_is_still_checked(packer: str, tmp_path: Path) -> None:
    data = PACKERS[packer](b"".join(SAMPLE + noise(3000, n).hex().encode() for n in range(300)))
    reading = registry.open_records(written(tmp_path / "a.sgf", data[: len(data) * 3 // 4]))
    read = []
    with pytest.raises(InputError) as caught:
        for record in reading:
            read.append(record)
    assert caught.value.code == "E008"
    assert len(read) > RECORDS


@every_packer
def test_a_file_cut_anywhere_is_refused(packer: str, tmp_path: Path) -> None:
    data = PACKERS[packer](SAMPLE)
    for end in {*range(6, 40), *range(len(data) - 14, len(data))}:
        assert refusal(written(tmp_path / "a", data[:end])).code == "E008"


@every_packer
def test_an_empty_packed_file_has_no_records(packer: str, tmp_path: Path) -> None:
    reading = registry.open_records(written(tmp_path / "a.sgf", PACKERS[packer](b"")))
    assert (list(reading), [one.code for one in reading.findings]) == ([], ["E006"])


@every_packer
def test_a_changed_byte_never_passes(packer: str, tmp_path: Path) -> None:
    # every form but the heads of gzip, which hold times and names, is checked by its sums
    good = PACKERS[packer](SAMPLE)
    rng = random.Random(5)
    for _ in range(60):
        data = bytearray(good)
        data[rng.randrange(12, len(data))] ^= 1 << rng.randrange(8)
        try:
            assert whole(written(tmp_path / "a", bytes(data))) == SAMPLE
        except InputError as error:
            assert error.code == "E008"


@every_packer
def test_standard_input_may_be_packed(
    packer: str,
    skatspec: Skatspec,
    tmp_path: Path,
) -> None:
    plain = skatspec("check", "-", stdin=SAMPLE)
    ran = skatspec("check", "-", stdin=PACKERS[packer](SAMPLE))
    assert (ran.code, ran.out) == (plain.code, plain.out)


def test_a_path_that_no_system_takes_is_refused_with_a_code() -> None:
    for path in ("no-such-file", "a\0b", "x" * 5000):
        assert refusal(path).code == "E008"


# --- zstd --------------------------------------------------------------------------------


def test_frames_to_be_skipped_are_skipped(tmp_path: Path) -> None:
    for kind in (0x50, 0x5E, 0x5F):
        skipped = bytes([kind]) + b"\x2a\x4d\x18\x05\0\0\0hello"
        data = skipped + zst(SAMPLE) + skipped + zst(SAMPLE) + skipped
        assert whole(written(tmp_path / "a", data)) == SAMPLE * 2
        assert refusal(written(tmp_path / "a", data[:-1])).code == "E008"


def test_a_frame_that_does_not_tell_its_size_is_read(tmp_path: Path) -> None:
    packer = zstandard.ZstdCompressor().compressobj()
    assert whole(written(tmp_path / "a", packer.compress(SAMPLE) + packer.flush())) == SAMPLE


@pytest.mark.parametrize(("bits", "fine"), [(27, True), (28, False)])
def test_a_window_of_over_128_mib_is_refused_and_said_so(
    bits: int, fine: bool, tmp_path: Path
) -> None:
    settings = zstandard.ZstdCompressionParameters(window_log=bits, enable_ldm=True)
    packer = zstandard.ZstdCompressor(compression_params=settings).compressobj()
    path = written(tmp_path / "a.zst", packer.compress(SAMPLE) + packer.flush())
    if fine:
        assert whole(path) == SAMPLE
    else:
        assert "128 MiB" in refusal(path).message


def test_without_its_package_zstd_is_refused_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    error = refusal(written(tmp_path / "a.sgf.zst", zst(SAMPLE)))
    assert (error.code, "skatspec[archive]" in error.message) == ("E008", True)


# --- zip ---------------------------------------------------------------------------------

METHODS = {"stored": zipfile.ZIP_STORED, "deflated": zipfile.ZIP_DEFLATED,
           "bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}  # fmt: skip


@pytest.mark.parametrize("method", list(METHODS))
def test_the_only_records_in_a_zip_are_read(method: str, tmp_path: Path) -> None:
    inside = {"README.txt": b"hello", "docs/page.html": b"<p>", "a/games.sgf": SAMPLE * 9}
    path = zipped_as(tmp_path / "games.zip", inside, METHODS[method])
    assert whole(path) == whole(f"{path}/a/games.sgf") == SAMPLE * 9
    assert len(list(registry.open_records(path))) == 9 * RECORDS


def test_of_several_files_in_a_zip_one_must_be_named(tmp_path: Path) -> None:
    path = zipped_as(tmp_path / "a.zip", {"b.sgf": SAMPLE, "a.sgf": SAMPLE})
    assert f"{path}/a.sgf" in refusal(path).message
    assert "no file" in refusal(zipped_as(tmp_path / "b.zip", {"a.png": b"x"})).message
    assert "no c.sgf" in refusal(f"{path}/c.sgf").message


def test_a_member_may_be_packed_itself_but_is_no_archive(tmp_path: Path) -> None:
    inner = zipped_as(tmp_path / "inner.zip", {"x.sgf": SAMPLE}).read_bytes()
    packed_ones = {f"{name}.sgf.{name}": pack(SAMPLE) for name, pack in PACKERS.items()}
    path = zipped_as(tmp_path / "a.zip", {**packed_ones, "inner.zip": inner})
    assert zipped.members(str(path)) == sorted(packed_ones)
    for name in packed_ones:
        assert whole(f"{path}/{name}") == SAMPLE
        assert len(list(registry.open_records(f"{path}/{name}"))) == RECORDS
    assert "holds no inner.zip/x.sgf" in refusal(f"{path}/inner.zip/x.sgf").message


def test_names_that_lead_out_of_an_archive_are_only_names(
    tmp_path: Path,
    skatspec: Skatspec,
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    names = ["../up.sgf", "/abs.sgf", "a/../b.sgf", "C:\\x.sgf", "z" * 300 + ".sgf", "ä \n.sgf"]
    path = zipped_as(folder / "a.zip", dict.fromkeys(names, SAMPLE))
    before = sorted(tmp_path.rglob("*"))
    found = [one for one in files([str(path)]) if isinstance(one, str)]
    assert sorted(one.removeprefix(f"{path}/") for one in found) == sorted(
        name.replace("\\", "/") if sys.platform == "win32" else name for name in names
    )
    assert all(whole(one) == SAMPLE for one in found)
    assert f"in {len(names)} files" in skatspec("check", path).out
    assert sorted(tmp_path.rglob("*")) == before


def test_a_zip_is_gone_through_like_a_folder(tmp_path: Path) -> None:
    names = ["b.sgf", "a/z.skat", "a/b.log", ".hidden.sgf", "a/.git/x.sgf", "__MACOSX/a.sgf",
             "a/photo.png", "notes.txt", "games.txt"]  # fmt: skip
    contents = dict.fromkeys(names, SAMPLE) | {"notes.txt": b"milk\n", "a/photo.png": b"\x00"}
    path = zipped_as(tmp_path / "a.zip", contents)
    wanted = ["a/b.log", "a/z.skat", "b.sgf", "games.txt"]
    assert list(files([str(path)])) == [f"{path}/{name}" for name in wanted]
    assert list(files([str(tmp_path)])) == [f"{path}/{name}" for name in wanted]
    empty = zipped_as(tmp_path / "b.zip", {"a.png": b""})
    assert list(files([str(empty)])) == [Folder(str(empty))]


def test_a_member_is_asked_for_before_anything_is_read(
    tmp_path: Path,
    skatspec: Skatspec,
) -> None:
    path = zipped_as(tmp_path / "a.zip", {"a.sgf": SAMPLE, "good.skat": GOOD.encode()})
    require([f"{path}/a.sgf"])
    with pytest.raises(UsageError, match=r"holds no b\.sgf"):
        require([f"{path}/b.sgf"])
    with pytest.raises(UsageError):
        require([f"{tmp_path}/none.zip/a.sgf"])
    ran = skatspec("replay", f"{path}/good.skat")
    assert (ran.code, "73" in ran.out) == (0, True)
    assert skatspec("replay", f"{path}/none.skat").code == 2
    ran = skatspec("convert", f"{path}/good.skat", "-", "--to", "skat")
    assert (ran.code, ran.out) == (0, GOOD)
    assert "packed" in skatspec("fmt", path).err
    assert skatspec("fmt", tmp_path).code == 0


def test_a_zip_on_standard_input_is_refused(
    tmp_path: Path,
    skatspec: Skatspec,
) -> None:
    data = zipped_as(tmp_path / "a.zip", {"a.sgf": SAMPLE}).read_bytes()
    ran = skatspec("check", "-", stdin=data)
    assert ran.code == 1
    assert "E008" in ran.out and "from a file only" in " ".join(ran.out.split())


def test_what_is_wrong_with_a_zip_is_said(tmp_path: Path) -> None:
    path = zipped_as(tmp_path / "a.zip", {"a.sgf": SAMPLE}, zipfile.ZIP_STORED)
    good = path.read_bytes()
    at = good.index(SAMPLE[:50])
    assert "CRC" in refusal(written(path, good[: at + 9] + b"?" + good[at + 10 :])).message
    assert "cannot be read" in refusal(written(path, good[:-30])).message
    head, entry = good.index(b"PK\x03\x04"), good.index(b"PK\x01\x02")

    def changed(offset: int, value: int) -> bytes:
        data = bytearray(good)
        data[head + offset] = data[entry + offset + 2] = value
        return bytes(data)

    assert "encrypted" in refusal(written(path, changed(6, 1))).message
    assert "not known" in refusal(written(path, changed(8, 99))).message
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.sgf", SAMPLE)
        archive.writestr("a.sgf", SAMPLE)
    assert "2 times" in refusal(path).message


def test_an_archive_whose_members_overlap_is_refused(tmp_path: Path) -> None:
    path = zipped_as(tmp_path / "a.zip", {"a.sgf": noise(5000), "b.sgf": noise(5000)})
    data = bytearray(path.read_bytes())
    for at in range(len(data) - 4):
        if data[at : at + 4] == b"PK\x01\x02":  # both tell a packed size of 8 KiB
            data[at + 20 : at + 24] = (8192).to_bytes(4, "little")
    assert "overlap" in refusal(written(path, bytes(data))).message


def test_a_zip_is_listed_once_however_many_members_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = zipped_as(tmp_path / "a.zip", {f"{n}.sgf": SAMPLE for n in range(40)})
    opened: list[object] = []

    class Counting(zipfile.ZipFile):
        def __init__(self, file: object, *args: object) -> None:
            opened.append(file)
            super().__init__(file, *args)  # type: ignore[call-overload]

    monkeypatch.setattr(zipfile, "ZipFile", Counting)
    assert sum(len(whole(one)) for one in files([str(path)]) if isinstance(one, str)) == 40 * len(
        SAMPLE
    )
    assert len(opened) == 1
    zipped_as(path, {"new.sgf": GOOD.encode()})
    assert whole(path) == GOOD.encode()


# --- folders -----------------------------------------------------------------------------


def test_text_files_in_a_folder_are_read_where_records_begin_in_them(tmp_path: Path) -> None:
    made = {
        "a.txt": SAMPLE, "b.txt.gz": gzip.compress(SAMPLE), "c.txt": b"milk, bread\n",
        "d.txt": b"", "e.txt": b"\x89PNG\0\0", "f.txt.gz": gzip.compress(SAMPLE)[:40],
        "g.skat.zst": zst(GOOD.encode()), "h.txt": b"junk\n" * 10 + SAMPLE,
    }  # fmt: skip
    for name, data in made.items():
        written(tmp_path / name, data)
    found = [Path(str(one)).name for one in files([str(tmp_path)])]
    # what is damaged is not passed over in silence: it may hold games
    assert found == ["a.txt", "b.txt.gz", "f.txt.gz", "g.skat.zst", "h.txt"]
    assert list(files([str(tmp_path / "c.txt")])) == [str(tmp_path / "c.txt")]


def test_a_damaged_zip_in_a_folder_is_reported(
    tmp_path: Path,
    skatspec: Skatspec,
) -> None:
    path = zipped_as(tmp_path / "a.zip", {"a.sgf": SAMPLE})
    written(path, path.read_bytes()[:-30])
    ran = skatspec("check", tmp_path)
    assert (ran.code, "E008" in ran.out) == (1, True)


def test_a_list_of_xskat_may_be_packed_with_zstd(tmp_path: Path) -> None:
    from skatspec.formats.xskat.joining import list_beside

    log = written(tmp_path / "games.log.zst", zst(b"x"))
    listing = written(tmp_path / "games.lst.zst", zst(b"x"))
    assert list_beside(str(log)) == listing


# --- limits ------------------------------------------------------------------------------


def test_a_bomb_is_refused_at_the_stated_limit(tmp_path: Path) -> None:
    # zstd makes 1 GiB of blanks to 32 KiB; so no more than the limit is unpacked
    frame = zst(b" " * (1 << 26), level=1)
    path = written(tmp_path / "bomb.sgf.zst", frame * 17)
    taken = 0
    with pytest.raises(InputError) as caught:
        for piece in unpacked(str(path), 1 << 20):
            taken += len(piece)
    assert caught.value.code == "E009"
    assert taken == 1 << 30
    assert "1 GiB" in caught.value.message and "1000 times" in caught.value.message


@pytest.mark.parametrize("name", [*PACKERS, "zip", "zip of bz2", "zip of zst"])
def test_every_packer_is_held_to_the_limit(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "FREE_BYTES", 1 << 18)
    monkeypatch.setattr(packed, "MOST_TIMES", 100)
    blanks = b" " * (1 << 23)
    path = tmp_path / "a"
    if name in PACKERS:
        path.write_bytes(PACKERS[name](blanks))
    else:
        inner = name.removeprefix("zip of ")
        data = PACKERS[inner](blanks) if inner in PACKERS else blanks
        zipped_as(path, {"a.sgf": data})
    assert refusal(path).code == "E009"


def test_records_that_pack_well_are_no_bomb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "FREE_BYTES", 1 << 18)
    assert len(whole(written(tmp_path / "a", bz2.compress(SAMPLE * 100)))) == 100 * len(SAMPLE)


@pytest.mark.parametrize("name", [*PACKERS, "zip", "zip by bzip2"])
def test_memory_stays_small_whatever_a_file_unpacks_to(name: str, tmp_path: Path) -> None:
    blanks = b" " * (1 << 26)
    path = tmp_path / "a"
    if name in PACKERS:
        path.write_bytes(PACKERS[name](blanks))
    else:
        method = METHODS["bzip2" if "by" in name else "deflated"]
        zipped_as(path, {"a.sgf": blanks}, method)
    del blanks
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert sum(map(len, unpacked(str(path), 1 << 16))) == 1 << 26
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 80 << 10


def test_xz_that_needs_much_memory_is_refused(tmp_path: Path) -> None:
    data = bytearray(lzma.compress(SAMPLE))
    # the dictionary's size stands in the block's head, which has a sum of its own
    at = data.index(b"\x21\x01", 12)
    data[at + 2] = 40
    size = (data[12] + 1) * 4
    data[12 + size - 4 : 12 + size] = zipfile.crc32(data[12 : 12 + size - 4]).to_bytes(4, "little")
    assert "256 MiB" in refusal(written(tmp_path / "a.xz", bytes(data))).message


def test_a_list_of_names_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = zipped_as(tmp_path / "a.zip", {f"{n}.sgf": b"" for n in range(100)})
    monkeypatch.setattr(zipped, "MOST_NAMES", 1 << 10)
    assert "list of names" in refusal(path).message


def test_progress_is_told_in_bytes_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path / "a.gz", gzip.compress(noise(1 << 20)))
    told: list[int] = []
    list(unpacked(str(path), 1 << 16, told.append))
    assert told == sorted(told) and told[-1] == path.stat().st_size


# --- damage at random --------------------------------------------------------------------


def damaged(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(changed))
        kind = rng.randrange(5)
        if kind == 0:
            changed[at] = rng.randrange(256)
        elif kind == 1:
            del changed[at : at + rng.randrange(1, 40)]
        elif kind == 2:
            changed[at:at] = rng.randbytes(rng.randrange(1, 40))
        elif kind == 3:
            changed[at : at + 8] = rng.choice((b"\xff" * 8, bytes(8)))
        else:
            del changed[max(at, 1) :]
        changed = changed or bytearray(b"P")
    return bytes(changed)


@pytest.mark.parametrize("name", [*PACKERS, "zip", "zip of gz", "zip by bzip2", "zip by lzma"])
def test_only_input_errors_leave_a_damaged_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    if name in PACKERS:
        good = PACKERS[name](SAMPLE) * 2
    else:
        data = gzip.compress(SAMPLE) if name == "zip of gz" else SAMPLE
        method = METHODS[name.removeprefix("zip by ")] if " by " in name else METHODS["deflated"]
        good = zipped_as(
            path, {"a.sgf": data, "b/c.txt": b"x", "d.sgf": SAMPLE}, method
        ).read_bytes()
    rng = random.Random(name)
    for _ in range(250):
        written(path, damaged(good, rng))
        for one in files([str(path)]):
            if isinstance(one, str):
                try:
                    whole(one)
                except InputError as error:
                    assert error.code in ("E008", "E009")
                    assert error.message


def test_a_packed_file_whose_name_says_nothing_is_taken_from_a_folder_if_it_holds_records(
    tmp_path: Path, skatspec: Skatspec
) -> None:
    (tmp_path / "iss-2007.gz").write_bytes(gzip.compress(SAMPLE))
    (tmp_path / "letters.gz").write_bytes(gzip.compress(b"dear all\n"))
    ran = skatspec("check", tmp_path)
    assert " in 1 file: " in ran.out
    assert ran.code == 0
