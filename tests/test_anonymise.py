"""Pseudonyms: back again byte for byte, the same verdicts, no name left, and a safe key."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import re
import stat
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import skatspec as package
from skatspec.formats.suffixes import SUFFIXES
from skatspec.record import BrokenRecord, Record
from skatspec.session.anonymise import key as keys
from skatspec.session.anonymise.bytes import Opened
from skatspec.session.anonymise.engine import Anonymiser, Restorer
from skatspec.session.anonymise.formats import rewritten
from skatspec.session.anonymise.key import Key, fold
from tests.clirun import GOOD, Ran, Skatspec, skatspec
from tests.shared import SHARED, needs_shared

__all__ = ["skatspec"]

ISS = (
    "(;GM[Skat]PC[ISS2]CO[{comment}]SE[1]ID[7]DT[2011-05-28/08:46:19/UTC]P0[{0}]P1[{1}]P2[{2}]"
    "R0[]R1[0.0]R2[]MV[w C8.DQ.DJ.HK.S9.SK.SQ.HQ.CK.D9.S8.DT.SJ.C9.CQ.SA.DK.HT.D7.H7.ST.HJ.C7.H8."
    "S7.DA.CJ.CT.D8.H9.CA.HA 1 p 2 p 0 p ]R[passed] ;)\n"
)
PSEUDONYM = re.compile(r"p-[0-9a-z]{7,8}")


class Bench:
    """A folder to work in: files are written, anonymised with one key, and put back."""

    def __init__(self, folder: Path, run: Skatspec) -> None:
        self.folder = folder
        self.key = folder / "names.key"
        self.run = run

    def file(self, name: str, data: bytes | str) -> Path:
        """Write a file to read."""
        path = self.folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def anonymise(self, *args: object, out: str = "out", group: str = "archive") -> Ran:
        """Run the command."""
        return self.run(group, "anonymise", *args, "--out", self.folder / out, "--key", self.key)

    def there(self, name: str, data: bytes | str) -> bytes:
        """Return what a file becomes."""
        ran = self.anonymise(self.file(name, data), "--force")
        assert ran.code == 0, ran.err
        return (self.folder / "out" / name).read_bytes()

    def back(self, name: str) -> bytes:
        """Return what a file that was made becomes with --reverse."""
        ran = self.anonymise(self.folder / "out" / name, "--reverse", "--force", out="back")
        assert ran.code == 0, ran.err
        return (self.folder / "back" / name).read_bytes()

    def names(self) -> dict[str, str]:
        """Return the names in the key by their pseudonyms."""
        names: dict[str, str] = json.loads(self.key.read_text())["names"]
        return names

    def pseudonym(self, name: str) -> str:
        """Return the one pseudonym of a name."""
        (found,) = [pseudonym for pseudonym, one in self.names().items() if one == name]
        return found


@pytest.fixture
def bench(tmp_path: Path, skatspec: Skatspec) -> Bench:
    return Bench(tmp_path, skatspec)


def iss(*names: str, comment: str = "") -> str:
    return ISS.format(*names, comment=comment)


def as_json(text: str) -> str:
    return package.write(package.parse(text), "json")


# --- there and back -------------------------------------------------------------------------

GAMES: dict[str, Callable[[str, str, str], str]] = {
    "g.skat": lambda a, b, c: GOOD.replace("Anna", a).replace("Ben", b).replace("Cem", c),
    "g.sgf": lambda a, b, c: iss(a, b, c, comment=f"well played, {a}; {b.upper()} says no"),
    "g.jsonl": lambda a, b, c: as_json(GOOD.replace("Anna", a).replace("Ben", b).replace("Cem", c)),
}


@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode(),
        lambda text: text.encode("cp1252"),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: text.encode("utf-16"),
        lambda text: text.rstrip("\n").encode(),
        lambda text: text.replace("ö", "o\u0308").encode(),
    ],
    ids=["utf-8", "cp1252", "bom", "crlf", "cr", "utf-16", "no last line end", "decomposed"],
)
def test_every_format_and_encoding_comes_back_byte_for_byte(
    bench: Bench, name: str, encode: Callable[[str], bytes]
) -> None:
    data = encode(GAMES[name]("Jörg", "Anna  Lena", "@abc"))
    there = bench.there(name, data)
    assert there != data
    assert set(bench.names().values()) == {"Jörg", "Anna Lena", "@abc"}
    assert bench.back(name) == data


def test_a_name_has_one_pseudonym_in_every_format_encoding_and_run(bench: Bench) -> None:
    for number, encoding in enumerate(("utf-8", "cp1252")):
        for name, game in GAMES.items():
            data = game("Jörg", "Anna Lena", "x y z").encode(encoding)
            there = bench.there(f"{number}-{name}", data).decode(encoding)
            assert len(set(PSEUDONYM.findall(there))) == 3, there
    assert sorted(bench.names().values()) == ["Anna Lena", "Jörg", "x y z"]


def test_twins_that_differ_in_the_spelling_of_names_alone_both_come_back(bench: Bench) -> None:
    text = iss("Jörg", "Anna", "Cem")
    bench.file("a.sgf", text.encode())
    bench.file("b.sgf", text.encode("cp1252"))
    bench.file("c.sgf", text.replace("ö", "o\u0308").encode())
    assert bench.anonymise(bench.folder / "in").code == 0
    made = [(bench.folder / "out" / name).read_bytes() for name in ("a.sgf", "b.sgf", "c.sgf")]
    assert made[0] == made[1] == made[2]
    assert bench.anonymise(bench.folder / "out", "--reverse", out="back").code == 0
    for name in ("a.sgf", "b.sgf", "c.sgf"):
        old, new = bench.folder / "in" / name, bench.folder / "back" / name
        assert old.read_bytes() == new.read_bytes()


@pytest.mark.parametrize("spelt", ['"J\\u00f6rg"', '"J\\u00F6rg"', '"Jo\\u0308rg"', '"J\\"\\/org"'])
def test_escapes_in_json_come_back_as_they_were_written(bench: Bench, spelt: str) -> None:
    data = as_json(GOOD).replace('"Anna"', spelt)
    assert spelt.encode() not in bench.there("g.json", data)
    assert bench.back("g.json") == data.encode()


@needs_shared
@pytest.mark.parametrize("folder", ["iss", "xskat/human"])
def test_real_records_come_back_and_keep_verdicts_codes_and_steps(
    bench: Bench, folder: str
) -> None:
    source = SHARED / "data" / folder
    assert bench.anonymise(source).code == 0
    assert bench.anonymise(bench.folder / "out", "--reverse", out="back").code == 0
    names = [name for name in bench.names().values() if len(name) > 2]
    assert len(names) > 5
    for path in sorted(one for one in source.iterdir() if one.suffix != ".md"):
        copy = bench.folder / "out" / path.name
        assert (bench.folder / "back" / path.name).read_bytes() == path.read_bytes(), path
        if path.suffix == ".lst":
            continue
        assert not [
            name for name in names if re.search(rb"\b%b\b" % name.encode(), copy.read_bytes())
        ]
        if path.stat().st_size < 200_000:
            assert judged(path) == judged(copy)


def test_records_of_the_suite_keep_verdicts_and_come_back(any_key: Key, tmp_path: Path) -> None:
    names = 0
    for case in recorded_cases():
        format, text = case["format"], case["record"]
        there, back = there_and_back(any_key, text.encode(), format, tmp_path)
        assert back == text.encode()
        names += there != back
        old, new = (
            list(package.read(write(tmp_path / "game", one), format)) for one in (back, there)
        )
        assert judged(old) == judged(new), text
    assert names > 40


def recorded_cases() -> list[dict[str, str]]:
    """Return the input of every case of the suite that holds a record, most of them faulty."""
    source = Path(__file__).resolve().parents[1] / "records"
    texts = [path.read_text("utf-8") for path in sorted(source.rglob("*.yaml"))]
    cases = [yaml.safe_load(text) for text in texts if "\n  record: |" in text]
    inputs = [case["input"] for case in cases if isinstance(case["input"].get("record"), str)]
    return [one for one in inputs if one["format"] in ("skat", "iss", "json", "xskat")]


def judged(source: Path | list[Record | BrokenRecord]) -> list[tuple[object, ...]]:
    records = package.read(source) if isinstance(source, Path) else source
    reports = package.check_all(records)
    return [
        (one.verdict, [(f.code, f.step, f.line, f.severity) for f in one.findings])
        for one in reports
    ]


# --- any text -------------------------------------------------------------------------------

_NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12
).filter(lambda name: "\ufeff" not in name and PSEUDONYM.search(name) is None)


def there_and_back(key: Key, data: bytes, format: str, folder: Path) -> tuple[bytes, bytes]:
    path = folder / ("any" + SUFFIXES.get(format, (".csv",))[0])
    path.write_bytes(data)
    work = Anonymiser(key)
    there = b"".join(rewritten(Opened(str(path)).lines(), format, work))
    path.write_bytes(there)
    restorer = Restorer(key, work.events)
    return there, b"".join(rewritten(Opened(str(path)).lines(), format, restorer))


@pytest.fixture(scope="module")
def any_key(tmp_path_factory: pytest.TempPathFactory) -> Key:
    return Key.opened(tmp_path_factory.mktemp("key") / "names.key", must_exist=False)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(names=st.tuples(_NAMES, _NAMES, _NAMES), note=_NAMES)
def test_any_names_are_replaced_in_every_format_and_come_back(
    tmp_path: Path, any_key: Key, names: tuple[str, str, str], note: str
) -> None:
    record = package.parse(GOOD)
    tags = (*zip("FMR", names, strict=True), ("Comment", f"{note} {names[0]} {note}"))
    for format in ("skat", "iss", "json"):
        text = package.write(replace(record, tags=tags), format)
        there, back = there_and_back(any_key, text.encode(), format, tmp_path)
        assert back == text.encode()
        (again,) = package.read(write(tmp_path / "there", there), format)
        for seat, name in zip("FMR", names, strict=True):
            read = dict(again.tags).get(seat, "")
            folded = fold(dict(package.parse(text, format).tags).get(seat, name))
            assert any_key.names.get(read, read.strip()) == folded


_FAULTS = (
    b"", b'"', b"[", b"]", b"\n", b"\r", b"#", b"(;", b"\\", b"}", b"{", b"%skat 1\n", b"\xff",
    b" Anna ",
)  # fmt: skip


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
@pytest.mark.parametrize("format", ["iss", "skat", "json"])
def test_mutilated_records_lose_nothing_and_come_back(
    tmp_path: Path, any_key: Key, format: str, data: st.DataObject
) -> None:
    suffix = {"iss": "g.sgf", "skat": "g.skat", "json": "g.jsonl"}[format]
    text = GAMES[suffix]("Anna", "Jörg", "Cem").encode() * 2
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, 30))
        new = data.draw(st.sampled_from(_FAULTS))
        text = text[:at] + new + text[at + gone :]
    there, back = there_and_back(any_key, text, format, tmp_path)
    assert back == text
    assert there.count(b"\n") >= text.count(b"\n") - 2


# --- what is replaced -----------------------------------------------------------------------


def test_nothing_but_names_changes_in_an_iss_record(bench: Bench) -> None:
    data = iss("bernie", "xskat:2", "", comment="")
    assert bench.there("g.sgf", data) == data.replace("bernie", bench.pseudonym("bernie")).encode()


def test_programs_and_empty_seats_keep_their_names(bench: Bench) -> None:
    data = iss("xskat", "xskat:12", "")
    assert bench.there("g.sgf", data) == data.encode()
    assert bench.names() == {}


def test_what_only_looks_like_a_program_is_replaced(bench: Bench) -> None:
    bench.there("g.sgf", iss("xskat2", "kermit", "Computer"))
    assert sorted(bench.names().values()) == ["Computer", "kermit", "xskat2"]


def test_names_in_comments_are_replaced_as_whole_words_in_any_case(bench: Bench) -> None:
    made = bench.there(
        "g.sgf", iss("ann", "Jo", "x y", comment="ANN, annoyed: Jo and x  Y beat ann's (Ann)")
    ).decode()
    ann, two = bench.pseudonym("ann"), bench.pseudonym("x y")
    assert f"CO[{ann}, annoyed: Jo and {two} beat {ann}'s ({ann})]" in made
    assert bench.back("g.sgf").decode().count("ANN, annoyed: Jo and x  Y beat ann's (Ann)") == 1


def test_names_are_found_behind_escapes(bench: Bench) -> None:
    text = GOOD.replace('[R "Cem"]', '[R "Cem"] [Comment "one\\nAnna\\tBen \\"Cem\\""]')
    for name, data in (("g.skat", text), ("g.json", as_json(text))):
        made = bench.there(name, data)
        assert not re.search(rb"Anna|Ben|Cem", made)
        assert bench.back(name) == data.encode()


def test_cards_calls_and_rules_are_no_names(bench: Bench) -> None:
    text = GOOD.replace("Anna", "isko").replace("Ben", "hearts").replace("Cem", "auction")
    made = bench.there("g.skat", text).decode()
    assert '[Rules "isko"]' in made
    assert "\nauction\n" in made
    assert "discards SQ DQ, hearts" in made


def test_the_names_of_a_table_are_sought_in_the_records_behind(bench: Bench) -> None:
    data = iss("dora", "anna", "ben") + iss("anna", "ben", "cem", comment="Dora sat out")
    assert b"Dora" not in bench.there("g.sgf", data)
    assert bench.back("g.sgf") == data.encode()


def test_a_second_time_changes_nothing(bench: Bench) -> None:
    once = bench.there("g.sgf", iss("anna", "ben", "cem", comment="anna!"))
    names = bench.names()
    assert bench.there("h.sgf", once) == once
    assert bench.names() == names


def test_names_that_fall_together_get_longer_pseudonyms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Key, "_letters", lambda self, text: f"0000000{len(text) % 10}")
    key = Key.opened(tmp_path / "names.key", must_exist=False)
    made = [key.pseudonym(name) for name in ("one", "three", "fiv", "six")]
    assert made[:2] == ["p-0000000", "p-00000005"]
    assert len(set(made)) == 4
    key.save()
    again = Key.opened(key.path, must_exist=True)
    assert [again.pseudonym(name) for name in ("six", "one")] == [made[3], made[0]]


# --- XSkat ----------------------------------------------------------------------------------


@needs_shared
def test_names_of_a_log_stay_in_their_columns_and_its_list_comes_along(bench: Bench) -> None:
    source = SHARED / "data" / "xskat" / "human" / "names-1.log"
    assert bench.anonymise(source).code == 0
    made = (bench.folder / "out" / "names-1.log").read_bytes()
    beside = source.with_suffix(".lst").read_bytes()
    assert (bench.folder / "out" / "names-1.lst").read_bytes() == beside
    head = made.split(b"\n")[:3]
    assert [len(line) for line in head] == [36, 36, 40]
    assert judged(source) == judged(bench.folder / "out" / "names-1.log")


@needs_shared
@pytest.mark.parametrize("trim", [b" ", b""], ids=["trimmed", "as printed"])
def test_a_log_comes_back_with_and_without_its_trailing_blanks(bench: Bench, trim: bytes) -> None:
    data = (SHARED / "data" / "xskat" / "human" / "names-1.log").read_bytes()
    if trim:
        data = b"\r\n".join([line.rstrip() for line in data.split(b"\n")])
    bench.there("games.log", data)
    assert bench.back("games.log") == data


@needs_shared
def test_seats_that_the_program_fills_keep_their_names(bench: Bench) -> None:
    data = (SHARED / "data" / "xskat" / "std-1001.log").read_bytes()[:20_000]
    assert bench.there("games.log", data) == data


@needs_shared
def test_a_copy_that_cannot_be_undone_to_the_byte_is_told(bench: Bench) -> None:
    data = (SHARED / "data" / "xskat" / "human" / "names-0.log").read_bytes()
    begin = data.index(b"     A          _B_")
    # a block that was cut inside a line, and names that leave no blank in their columns
    ran = bench.anonymise(bench.file("cut.log", b"x" + data[begin:]))
    assert ran.code == 0
    assert "cut.log will not come back byte for byte" in ran.err
    assert "will not" not in bench.anonymise(bench.file("whole.log", data)).err


def test_nobody_in_a_ramsch_is_no_name(bench: Bench) -> None:
    ramsch = XSKAT.replace("    Carl    ", "  Niemand   ")
    made = bench.there("games.log", ramsch + "Nobody lost the Ramsch\n" + "=" * 40 + "\n")
    assert b"\nNobody lost the Ramsch\n" in made
    assert sorted(bench.names().values()) == ["Anna", "Berta", "Niemand"]


XSKAT = "\n".join(
    [
        "".join([name.center(12) for name in ("Anna", "Berta", "Carl")]),
        " " * 36,
        "-" * 40,
        "".join([cell.ljust(12) for cell in ("  Club 9", "  Club 10", "  CLUB A")]),
        "---- random_seed 1001 0 2 --------------",
        "",
    ]
)


# --- files ----------------------------------------------------------------------------------


def zstd(data: bytes) -> bytes:
    packed: bytes = pytest.importorskip("zstandard").ZstdCompressor().compress(data)
    return packed


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zst", zstd)],
)
def test_a_packed_file_comes_out_packed_as_it_was(
    bench: Bench, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    text = iss("anna", "ben", "cem")
    packed = pack(text.encode())
    made = bench.there(f"g.sgf{suffix}", packed)
    assert made[:3] == packed[:3]
    pack_back = bench.back(f"g.sgf{suffix}")
    path = write(bench.folder / f"again.sgf{suffix}", pack_back)
    assert b"".join(Opened(str(path)).lines()) == text.encode()


def test_a_zip_comes_out_as_a_zip_with_the_same_members(bench: Bench) -> None:
    path = bench.file("games.zip", b"")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/one.sgf", iss("anna", "ben", "cem"))
        archive.writestr("two.sgf.gz", gzip.compress(iss("cem", "jörg", "").encode("cp1252")))
        archive.writestr("readme.md", "anna wrote this")
    assert bench.anonymise(path).code == 0
    assert bench.anonymise(bench.folder / "out", "--reverse", out="back").code == 0
    with zipfile.ZipFile(bench.folder / "out" / "games.zip") as archive:
        assert archive.namelist() == ["a/one.sgf", "two.sgf.gz"]
        assert b"anna" not in archive.read("a/one.sgf")
    with zipfile.ZipFile(bench.folder / "back" / "games.zip") as archive:
        assert archive.read("a/one.sgf").decode() == iss("anna", "ben", "cem")
        assert gzip.decompress(archive.read("two.sgf.gz")).decode("cp1252") == iss(
            "cem", "jörg", ""
        )


def test_folders_keep_their_shape_and_neither_key_nor_copies_are_read(bench: Bench) -> None:
    bench.file("a/one.sgf", iss("anna", "ben", "cem"))
    bench.file("two.skat", GOOD)
    bench.key = bench.folder / "in" / "key.json"
    for _ in range(2):
        ran = bench.anonymise(bench.folder / "in", "--force", out="in/made")
        assert ran.code == 0, ran.err
        made = sorted(p.relative_to(bench.folder / "in").as_posix()
                      for p in (bench.folder / "in").rglob("*") if p.is_file())  # fmt: skip
        assert made == ["a/one.sgf", "key.json", "made/a/one.sgf", "made/two.skat", "two.skat"]


def test_a_copy_that_is_there_is_not_written_over(bench: Bench) -> None:
    path = bench.file("g.sgf", iss("anna", "ben", "cem"))
    (bench.folder / "out").mkdir()
    there = write(bench.folder / "out" / "g.sgf", b"mine")
    ran = bench.anonymise(path)
    assert ran.code == 2
    assert there.read_bytes() == b"mine"
    assert len(ran.err.splitlines()) == 1
    assert bench.anonymise(path, "--force").code == 0


def test_a_file_is_never_its_own_copy(bench: Bench) -> None:
    path = bench.file("g.sgf", iss("anna", "ben", "cem"))
    ran = bench.anonymise(path, "--force", out="in")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert path.read_text() == iss("anna", "ben", "cem")


def test_two_files_of_one_name_are_refused(bench: Bench) -> None:
    one, two = bench.file("a/g.sgf", iss("a", "b", "c")), bench.file("b/g.sgf", iss("a", "b", "c"))
    ran = bench.anonymise(one, two)
    assert ran.code == 2
    assert "would both become g.sgf" in ran.err


def test_list_and_archive_have_the_same_command(skatspec: Skatspec) -> None:
    from skatspec.cli.archive_anonymise import command as of_archive
    from skatspec.cli.list_anonymise import command as of_list

    assert [one.opts for one in of_list.params] == [one.opts for one in of_archive.params]
    assert "skatspec list anonymise" in (of_list.help or "")
    assert skatspec("archive", "anonymise", "--help").code == 0


# --- texts ----------------------------------------------------------------------------------


def test_texts_that_may_name_people_are_counted(bench: Bench) -> None:
    text = GOOD.replace("[Rules", '[Event "Berta\'s birthday"] [Rules').replace(
        "auction\n", "# Dora dealt\nauction\n"
    )
    ran = bench.anonymise(bench.file("g.skat", text))
    assert ran.code == 0
    assert "1 comment may name people" in ran.err
    assert "1 other text may name people (Event)" in ran.err
    assert "--drop-comments" in ran.err


@pytest.mark.parametrize("name", list(GAMES))
def test_dropped_comments_are_gone_and_nothing_else(bench: Bench, name: str) -> None:
    text = (
        GOOD.replace("  F: CJ SJ", "  # Dora dealt\n  F: CJ SJ")
        .replace("2. F: SJ HA HJ", '2. F: SJ HA HJ  # "Dora" saw it')
        .replace('[R "Cem"]', '[R "Cem"] [Comment "Dora sat out"]')
    )
    data = {"g.skat": text, "g.jsonl": as_json(text)}.get(name, iss("a", "b", "c", comment="Dora!"))
    ran = bench.anonymise(bench.file(name, data), "--drop-comments")
    assert ran.code == 0
    assert "may name people" not in ran.err
    made = bench.folder / "out" / name
    assert b"Dora" not in made.read_bytes()
    assert [one[0] for one in judged(made)] == [one[0] for one in judged(bench.file(name, data))]


# --- the key --------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_the_key_file_is_its_owners_alone_and_never_printed(bench: Bench) -> None:
    ran = bench.anonymise(bench.file("g.sgf", iss("anna", "ben", "cem")))
    assert stat.S_IMODE(bench.key.stat().st_mode) == 0o600
    key = json.loads(bench.key.read_text())
    assert set(key) == {"skatspec-names", "secret", "names"}
    assert key["skatspec-names"] == 1
    assert re.fullmatch(r"[0-9a-f]{64}", key["secret"])
    assert sorted(key["names"].values()) == ["anna", "ben", "cem"]
    for word in (key["secret"], "anna", *key["names"]):
        assert word not in ran.out + ran.err
    bench.anonymise(bench.file("h.sgf", iss("dora", "ben", "cem")))
    assert stat.S_IMODE(bench.key.stat().st_mode) == 0o600
    assert list(bench.folder.glob(".*.tmp")) == []
    later = json.loads(bench.key.read_text())
    assert later["secret"] == key["secret"]
    assert key["names"].items() < later["names"].items()


def test_another_key_makes_other_pseudonyms(bench: Bench) -> None:
    data = iss("anna", "ben", "cem")
    once = bench.there("g.sgf", data)
    bench.key = bench.folder / "other.key"
    assert bench.there("g.sgf", data) != once


def test_the_key_cannot_lie_in_the_output_folder(bench: Bench) -> None:
    bench.key = bench.folder / "out" / "deep" / ".." / "names.key"
    ran = bench.anonymise(bench.file("g.sgf", iss("a", "b", "c")))
    assert ran.code == 2
    assert not (bench.folder / "out").exists()


BROKEN_KEYS = {
    "empty": b"",
    "no JSON": b"\x00\xff",
    "deep": b"[" * 100_000,
    "another file": b"[]",
    "a record": b'{"skatspec": 1}',
    "another version": b'{"skatspec-names": 2, "secret": "' + b"0" * 64 + b'", "names": {}}',
    "no secret": b'{"skatspec-names": 1, "names": {}}',
    "a short secret": b'{"skatspec-names": 1, "secret": "00", "names": {}}',
    "no names": b'{"skatspec-names": 1, "secret": "' + b"0" * 64 + b'"}',
    "a name that is none": (
        b'{"skatspec-names": 1, "secret": "' + b"0" * 64 + b'", "names": {"p-0000000": 7}}'
    ),
    "another secret": (
        b'{"skatspec-names": 1, "secret": "' + b"0" * 64 + b'", "names": {"p-0000000": "anna"}}'
    ),
    "strange files": (
        b'{"skatspec-names": 1, "secret": "'
        + b"0" * 64
        + b'", "names": {}, "files": {"": {"": 7}}}'
    ),
}


@pytest.mark.parametrize("content", list(BROKEN_KEYS.values()), ids=list(BROKEN_KEYS))
@pytest.mark.parametrize("reverse", [False, True], ids=["there", "back"])
def test_a_broken_key_is_refused_in_one_line_and_left_alone(
    bench: Bench, content: bytes, reverse: bool
) -> None:
    write(bench.key, content)
    more = ["--reverse"] if reverse else []
    ran = bench.anonymise(bench.file("g.sgf", iss("anna", "ben", "cem")), *more)
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
    assert "names.key" in ran.err
    assert "anna" not in ran.err
    assert bench.key.read_bytes() == content
    assert not (bench.folder / "out").exists()


def test_back_needs_a_key_and_the_right_one(bench: Bench) -> None:
    bench.there("g.sgf", iss("anna", "ben", "cem"))
    good, bench.key = bench.key, bench.folder / "missing.key"
    ran = bench.anonymise(bench.folder / "out" / "g.sgf", "--reverse", out="back")
    assert ran.code == 2
    assert not bench.key.exists()
    bench.there("h.sgf", iss("other", "people", "here"))
    ran = bench.anonymise(bench.folder / "out" / "g.sgf", "--reverse", out="back")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "another key" in ran.err
    assert not (bench.folder / "back" / "g.sgf").exists()
    bench.key = good
    assert bench.back("g.sgf").decode() == iss("anna", "ben", "cem")


def test_a_key_that_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    from skatspec.errors import UsageError

    key = Key.opened(tmp_path / "names.key", must_exist=False)
    other = Key.opened(tmp_path / "names.key", must_exist=True)
    other.pseudonym("anna")
    other.save()
    key.pseudonym("ben")
    with pytest.raises(UsageError, match="changed meanwhile"):
        key.save()
    assert list(Key.opened(key.path, must_exist=True).names.values()) == ["anna"]


# --- what cannot be read --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("g.sgf.gz", gzip.compress(iss("anna", "ben", "cem").encode() * 50)[:-40]),
        ("g.sgf", b"\x00\x01\x02" * 40),
        ("g.what", b"just some words\n"),
        ("g.sgf", iss("anna", "ben", "cem").encode() + b"x" * (3 << 20)),
        ("g.zip", b"PK\x03\x04 and no more"),
        ("table.csv", b"rank,name,points\n1,Anna,40\n"),
    ],
    ids=["damaged", "binary", "unknown", "endless line", "no zip", "another table"],
)
def test_what_cannot_be_read_is_refused_in_one_line_and_leaves_nothing(
    bench: Bench, name: str, data: bytes
) -> None:
    ran = bench.anonymise(bench.file(name, data))
    assert (ran.code, len(ran.err.splitlines())) == (2, 1), ran.err
    assert name in ran.err
    assert [one for one in bench.folder.rglob("out/**/*") if one.is_file()] == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the owner may write all")
def test_a_folder_that_cannot_be_written_is_told_in_one_line(bench: Bench) -> None:
    (bench.folder / "out").mkdir(mode=0o500)
    ran = bench.anonymise(bench.file("g.sgf", iss("anna", "ben", "cem")))
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)


def test_a_file_in_place_of_the_folder_is_refused(bench: Bench) -> None:
    write(bench.folder / "out", b"mine")
    ran = bench.anonymise(bench.file("g.sgf", iss("anna", "ben", "cem")))
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert (bench.folder / "out").read_bytes() == b"mine"


def test_an_archive_goes_through_without_growing_in_memory(any_key: Key) -> None:
    # Lines come in one by one, and every unit leaves before the next ones are read.
    line = iss("anna", "ben", "cem").encode()
    read = 0

    def lines() -> object:
        nonlocal read
        for _ in range(2_000):
            read += 1
            yield line

    for written, _ in enumerate(rewritten(lines(), "iss", Anonymiser(any_key)), start=1):  # type: ignore[arg-type]
        assert read - written < 3
    assert read == 2_000


def test_every_letter_of_a_pseudonym_may_stand_in_every_format() -> None:
    assert re.fullmatch(r"[0-9a-z]+", keys.ALPHABET)
    assert len(set(keys.ALPHABET)) == 1 << 5
