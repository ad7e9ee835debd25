"""The compiled kernel against the scalar engine: it is strict, and it takes what servers write.

Every answer of the kernel is held against the scalar engine's report: a record that it takes is
consistent without any finding and has the same figures; a code that it gives is that of the
first error, at the same byte.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from skatspec.check import Report, check
from skatspec.diagnostics import Severity, Verdict
from skatspec.errors import ProfileError
from skatspec.formats import iss
from skatspec.formats.lines import from_text
from skatspec.record import HAND, OUVERT, SEAT_LETTERS
from skatspec.rules import Rules, available, load_rules
from skatspec.rules.profile import plain
from skatspec.rules.tables import CONTRACTS
from tests.gamegen import seeded
from tests.iss_changes import as_view, changed
from tests.shared import SHARED, needs_shared

pytest.importorskip("numba", reason="the kernel needs the extra `archive` (numba)")

from skatspec.archive.kernel import decide as api
from skatspec.archive.kernel import kept
from skatspec.archive.kernel.decide import CODES, CONSISTENT, NONE, NOT_MINE, Kernel, decide, fits

ISS = SHARED / "data" / "iss"
PACK = (
    "C8.DQ.DJ.HK.S9.SK.SQ.HQ.CK.D9.S8.DT.SJ.C9.CQ.SA.DK.HT.D7.H7.ST.HJ.C7.H8.S7.DA.CJ.CT.D8.H9."
    "CA.HA"
)
AUCTION = "1 p 2 p 0 18 0"


def reports(line: bytes, rules: Rules) -> list[Report]:
    """Return what the scalar engine says of the records in a line."""
    return [check(one, rules) for one in iss.read(from_text(line.decode("latin-1")))]


def clean(found: list[Report]) -> bool:
    """Say whether a line holds one record, consistent and without any finding."""
    return len(found) == 1 and found[0].verdict is Verdict.CONSISTENT and not found[0].findings


def figures(report: Report) -> list[int]:
    """Return a report's figures as the kernel orders them."""
    assert report.replay is not None
    stated = getattr(getattr(report.record, "result", None), "score", None)
    values = (
        None if report.declarer is None else SEAT_LETTERS.index(report.declarer),
        None if report.contract is None else CONTRACTS.index(report.contract),
        None if report.contract is None else report.replay.game.modifiers,
        report.bid, report.matadors, report.points, report.tricks,
        report.value, report.score, stated,
    )  # fmt: skip
    return [NONE if value is None else value for value in values]


def spans(line: bytes) -> list[int]:
    """Return where the values of ID, DT, P0, P1, P2 stand, found by a search of its own."""
    places: list[int] = []
    for name in (b"ID", b"DT", b"P0", b"P1", b"P2"):
        found = re.search(rb"(?:^\(;|\]) *" + name + rb"\[([^\]]*)\]", line)
        places += found.span(1) if found else (-1, -1)
    return places


def agreed(data: bytes, rules: Rules) -> Counter[str]:
    """Hold every answer of the kernel against the scalar engine; count the kinds of answers."""
    found, counts = decide(data, rules), Counter[str]()
    for at, status in enumerate(found.status.tolist()):
        begin = int(found.begin[at])
        line = data[begin : int(found.end[at])]
        if status == NOT_MINE:
            counts["handed on"] += 1
            continue
        scalar = reports(line, rules)
        if status == CONSISTENT:
            assert clean(scalar), line
            assert found.figures[at].tolist() == figures(scalar[0]), line
            assert found.spans[at].tolist() == spans(line), line
            counts["consistent"] += 1
            continue
        errors = [one for one in scalar[0].findings if one.severity is Severity.ERROR]
        place = int(found.error_at[at]) - begin + 1
        assert (len(scalar), errors[0].code, errors[0].line, errors[0].column) == (
            1, CODES[status], 1, place,
        ), line  # fmt: skip
        counts[CODES[status]] += 1
    return counts


def made_up(rules: str, games: int, seed: int = 1) -> list[bytes]:
    """Return sound records as a server writes them, a line each."""
    return [iss.write(one.record)[0].rstrip("\n").encode() for one in seeded(rules, games, seed)]


def record(moves: str, result: str = "", deal: str = PACK) -> bytes:
    """Return a record's line."""
    stated = f"R[{result}]" if result else ""
    return f"(;GM[Skat]ID[7]P0[a]P1[]P2[c]MV[w {deal} {moves} ]{stated} ;)".encode()


# ---------------------------------------------------------------- what it takes


@needs_shared
def test_the_clients_games_are_taken_by_the_rules_they_were_settled_by() -> None:
    # FORMATS.md: iss-client all consistent; iss all but 520, which are wrong by value alone
    data = (ISS / "client-random-3000.sgf").read_bytes()
    assert agreed(data, load_rules("iss-client")) == {"consistent": 3000}
    assert agreed(data, load_rules("iss")) == {"consistent": 2480, "S001": 520}


@needs_shared
def test_real_records_are_taken_but_for_a_hidden_card_that_was_played() -> None:
    data = (ISS / "real.sgf").read_bytes()
    assert agreed(data, load_rules("iss")) == {"consistent": 23, "handed on": 1}
    found = decide(data, load_rules("iss"))
    (other,) = (at for at, status in enumerate(found.status) if status == NOT_MINE)
    assert b"ID[18358]" in data[found.begin[other] : found.end[other]]


@needs_shared
@pytest.mark.parametrize("view", ["forehand", "rearhand", "public"])
def test_views_that_are_played_to_the_last_card_are_taken(view: str) -> None:
    # passed deals among them; the other six end before it
    data = (ISS / f"view-{view}.sgf").read_bytes()
    assert agreed(data, load_rules("iss-client")) == {"consistent": 17, "handed on": 6}


@pytest.mark.parametrize(
    ("name", "least"),
    [("iss", 1), ("iss-client", 1), ("isko", 0.995), ("ledger", 0.995)],
)
def test_what_the_scalar_engine_finds_in_order_is_taken(name: str, least: float) -> None:
    rules, sound = load_rules(name), made_up(name, 300)
    wanted = sum(clean(reports(line, rules)) for line in sound)
    taken = agreed(b"\n".join(sound), rules)["consistent"]
    assert wanted > 200
    assert least * wanted <= taken <= wanted


NOTHING = (NONE,) * 7
# forehand holds of the jacks the fourth alone, 22 card points lie in the skat: without 3,
# Grand Hand 5 x 24, lost twice; Null Ouvert Hand 59 (ISkO 2.3, 2.4)
GRAND = (0, CONTRACTS.index("grand"), HAND, 18, -3, 22, 0, 120, -240, NONE)
DEALS = {
    "passed": ("1 p 2 p 0 p", "passed", (NONE, NONE, NONE, *NOTHING)),
    "passed, no result": ("1 p 2 p 0 p", "", (NONE, NONE, NONE, *NOTHING)),
    "penalty": (
        "1 18 w LE.0",
        "d:-1 penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:1 p1:0 p2:0 l:0 to:-1 r:0",
        (NONE, NONE, NONE, 18, NONE, NONE, NONE, NONE, NONE, 0),
    ),
    "given up, result unknown": (f"{AUCTION} GH 0 RE", "unknown", GRAND),
    "ouvert, cards shown with it": (
        f"{AUCTION} NOH.{PACK[:29]} 0 RE", "",
        (0, CONTRACTS.index("null"), HAND | OUVERT, 18, 0, 22, 0, 59, -118, NONE),
    ),
    "cards shown": (f"{AUCTION} GH 0 SC.{PACK[:29]} 0 SC 0 RE", "", GRAND),
}  # fmt: skip


@pytest.mark.parametrize("case", DEALS)
def test_a_deal_is_taken_with_its_figures(case: str) -> None:
    moves, result, wanted = DEALS[case]
    line = record(moves, result)
    assert agreed(line, load_rules("iss")) == {"consistent": 1}
    assert tuple(decide(line, load_rules("iss")).figures[0].tolist()) == wanted


def test_names_ratings_and_missing_properties_are_as_servers_write_them() -> None:
    properties = (
        "PC[ISS2]CO[]SE[]ID[12]DT[2020-01-01/00:00:00/UTC]P0[]P1[@b (c)]P2[xskat:2]R0[]R1[null]"
    )
    line = record("1 p 2 p 0 p", "passed").replace(b"ID[7]P0[a]P1[]P2[c]", properties.encode())
    for one in (line, line.replace(b"GM[Skat]", b""), line.replace(b"CO[]SE[]ID[12]", b"")):
        assert agreed(one, load_rules("iss")) == {"consistent": 1}


# ---------------------------------------------------------------- what it says of others


@pytest.mark.parametrize(
    ("moves", "code", "at"),
    [
        ("1 17", "B001", "1 17"),
        ("1 20 0 y 1 18", "B002", "1 18"),
        ("0 18", "B003", "0 18"),
        ("1 p 1 18", "B004", "1 18"),
        ("1 p 2 p 0 18 0 p", "B005", "0 p"),
        ("1 18 0 s", "B006", "0 s"),
        ("1 y", "B007", "1 y"),
        ("1 p 2 p 0 18 1 GH", "B008", "1 GH"),
        ("1 p 2 p 0 p 0 GH", "B009", "0 GH"),
        ("1 p 2 p 0 18 0 s 1 G", "D001", "1 G"),
        ("1 p 2 p 0 18 0 GH 1 SC", "D001", "1 SC"),
        ("1 p 2 p 0 18 0 s 0 s", "D002", "0 s "),
        ("1 p 2 p 0 18 0 GH 0 s", "D003", "0 s "),
        ("1 p 2 p 0 18 0 s 0 G.C7.DQ", "D005", "C7.DQ "),
        ("1 p 2 p 0 18 0 s 0 G.DQ.DQ", "D006", "DQ.DQ"),
        ("1 p 2 p 0 18 0 GS", "D007", "0 GS"),
        ("1 p 2 p 0 18 0 s 0 GH.C8.DQ", "D008", "0 GH"),
        ("1 24 0 p 2 p 1 s 1 N.S8.DT", "D009", "1 N"),
        ("1 p 2 p 0 18 0 C8", "D010", "0 C8"),
        ("1 p 2 p 0 18 0 GH 0 NH", "D012", "0 NH"),
        ("1 p 2 p 0 18 0 GH 0 C8.DQ", "D013", "0 C8"),
        ("1 p 2 p 0 18 0 GH 0 S8", "P001", "0 S8"),
        ("1 p 2 p 0 18 0 GH 0 C8 1 C9 2 C7 1 C9", "P002", "1 C9 "),
        ("1 p 2 p 0 18 0 GH 1 C9", "P003", "1 C9"),
        ("1 p 2 p 0 18 0 GH 0 C8 1 S8", "P004", "1 S8"),
        ("1 p 2 p 0 18 0 GH 0 RE 0 C8", "P005", "0 C8"),
        ("1 p 2 p 0 18 0 s 0 N.C8.HK 0 S9 1 S8 2 ST 2 H8 0 HQ 1 HT 0 D9", "P006", "0 D9"),
        ("1 p 2 p 0 18 0 GH 1 RE 1 RE", "P008", "1 RE "),
        ("1 p 2 p 0 18 0 s 0 G.C8.DQ 0 C8", "P010", "0 C8 "),
        ("1 p 2 p 0 RE", "P011", "0 RE"),
    ],
)
def test_a_fault_of_the_moves_is_told_with_its_place(moves: str, code: str, at: str) -> None:
    rules, line = load_rules("iss"), record(moves, "passed")
    assert agreed(line, rules) == {code: 1}, [one.findings for one in reports(line, rules)]
    assert line[int(decide(line, rules).error_at[0]) :].startswith(at.strip().encode())


LOST = "d:0 loss v:-240 m:-3 bidok p:22 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1"


@pytest.mark.parametrize(
    ("right", "wrong", "code"),
    [
        ("d:0", "d:1", "S003"), ("loss v:-240", "win v:240", "S004"), ("v:-240", "v:-242", "S001"),
        ("v:-240", "v:240", "S002"), ("m:-3", "m:3", "S005"), ("bidok", "overbid", "S008"),
        ("p:22", "p:21", "S006"), ("t:0", "t:1", "S007"), ("s:0", "s:1", "S009"),
        ("z:0", "z:1", "S010"), ("p0:0", "p0:1", "S012"), ("l:-1", "l:1", "S014"),
        ("to:-1", "to:1", "S013"), ("r:1", "r:0", "S015"), ("p:22", "p:121", "S016"),
        ("p:22", "p:30", "S018"), (LOST, "passed", "S011"),
    ],
)  # fmt: skip
def test_one_wrong_figure_of_a_result_is_told_with_its_place(
    right: str, wrong: str, code: str
) -> None:
    rules = load_rules("iss")
    assert agreed(record(f"{AUCTION} GH 0 RE", LOST), rules) == {"consistent": 1}
    assert agreed(record(f"{AUCTION} GH 0 RE", LOST.replace(right, wrong)), rules) == {code: 1}


def test_a_code_that_the_profile_makes_light_of_is_not_told() -> None:
    line = record(f"{AUCTION} GH 0 RE", LOST.replace("v:-240", "v:-242"))
    for weight, answer in (("error", "S001"), ("warning", "handed on"), ("note", "handed on")):
        rules = load_rules("iss", (f"severities.wrong-score={weight}",))
        assert agreed(line, rules) == {answer: 1}


def test_what_is_no_record_on_a_line_of_its_own_is_left_alone() -> None:
    (line,) = made_up("iss", 1)
    broken = [b"(;", b"(;)", line[:-1], line + line, line + b" ", b"(;" + b" " * 9]
    assert agreed(b"\n".join(broken), load_rules("iss")) == {"handed on": len(broken)}
    for other in (b"", b"# " + line, b" " + line, b"(", b"x"):
        assert len(decide(other + b"\n", load_rules("iss")).status) == 0


# ---------------------------------------------------------------- lines


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("last", [True, False])
def test_lines_are_counted_whatever_ends_them(end: bytes, last: bool) -> None:
    passed = record("1 p 2 p 0 p", "passed")
    parts = [b"# head", passed, b"", passed, b"(;", passed]
    data = end.join(parts) + (end if last else b"")
    found = decide(data, load_rules("iss"))
    assert found.lines == len(parts)
    assert found.line.tolist() == [1, 3, 4, 5]
    assert found.status.tolist() == [CONSISTENT, CONSISTENT, NOT_MINE, CONSISTENT]
    assert [data[a:b] for a, b in zip(found.begin, found.end, strict=True)] == [
        passed, passed, b"(;", passed,
    ]  # fmt: skip


def test_more_records_than_there_is_room_for_at_first_are_all_answered() -> None:
    # a record is reckoned at 300 bytes; these have three
    found = decide(b"(;\n" * 5000, load_rules("iss"))
    assert (len(found.status), found.lines) == (5000, 5000)
    assert found.begin.tolist() == list(range(0, 15000, 3))


def test_a_line_over_one_mebibyte_is_not_mine() -> None:
    line = record("1 p 2 p 0 p", "passed")
    for size, status in ((1 << 20, CONSISTENT), ((1 << 20) + 1, NOT_MINE)):
        comment = b"CO[" + b"x" * (size - len(line) - 4) + b"]"
        long = line.replace(b"GM[Skat]", b"GM[Skat]" + comment)
        assert len(long) == size
        assert decide(long, load_rules("iss")).status.tolist() == [status]


def test_any_buffer_is_read_and_nothing_beyond_it() -> None:
    import numpy as np

    line = record("1 p 2 p 0 p", "passed")
    longer = bytearray(line + b"\n" + line)
    for data in (line, bytearray(line), memoryview(longer)[: len(line)],
                 np.frombuffer(line, np.uint8)):  # fmt: skip
        assert decide(data, load_rules("iss")).status.tolist() == [CONSISTENT]
    for cut in range(len(line)):
        assert decide(memoryview(longer)[:cut], load_rules("iss")).status.tolist() in (
            [], [NOT_MINE],
        )  # fmt: skip


def test_threads_may_share_a_kernel() -> None:
    sound = made_up("iss", 200)
    kernel, data = Kernel(load_rules("iss")), b"\n".join(sound)
    wanted = kernel.decide(data).figures.tobytes()
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(kernel.decide, [data] * 40):
            assert found.figures.tobytes() == wanted


# ---------------------------------------------------------------- false accepts


@pytest.mark.parametrize("name", ["iss", "iss-client", "isko", "ledger"])
def test_nothing_is_taken_or_told_that_the_scalar_engine_sees_otherwise(name: str) -> None:
    chance, rules = random.Random(20261130), load_rules(name)
    sound = made_up(name, 150)
    for end in (b"\n", b"\r\n", b"\n"):
        lines = [changed(chance, chance.choice(sound)) for _ in range(2000)]
        counts = agreed(end.join([*sound, *lines]), rules)
        assert counts["consistent"] > 150 and len(counts) > 30


@pytest.mark.parametrize("name", ["iss", "isko"])
def test_nothing_hidden_is_taken_that_the_scalar_engine_leaves_open(name: str) -> None:
    chance, rules = random.Random(20261130), load_rules(name)
    views = [as_view(chance, line) for line in made_up(name, 300)]
    assert agreed(b"\n".join(views), rules)["consistent"] > 130
    agreed(b"\n".join(changed(chance, chance.choice(views)) for _ in range(4000)), rules)


# ---------------------------------------------------------------- rules


def test_variants_are_not_for_the_kernel() -> None:
    without = {name for name in available() if not fits(load_rules(name))}
    assert without == {
        f"xskat-{mode}"
        for mode in ("bock", "bockramsch", "kontra", "kontra18", "ramsch", "ramschonly", "spitze",
                     "revolution", "schenken", "skattoloser", "spitze2", "sramschonly")
    }  # fmt: skip
    with pytest.raises(ValueError, match="xskat-bock"):
        Kernel(load_rules("xskat-bock"))


@pytest.mark.parametrize(
    "setting",
    ["bids.extra=[500]", "auction.implied_bid=passed-in", "variants.gifts.played=first-trick"],
)
def test_rules_beyond_the_kernels_tables_are_not_for_it(setting: str) -> None:
    assert fits(load_rules("iss"))
    assert not fits(load_rules("iss", (setting,)))


@pytest.mark.parametrize(
    ("change", "line", "code"),
    [
        # a base value: Grand Hand without 3 comes to 5 x 25
        ("{grand: {base: 25}}", record(f"{AUCTION} GH 0 RE", LOST), "S001"),
        # an order of ranks: the king beats the ten, so middlehand may not lead to the next trick
        (
            "{grand: {ranks: [A, K, T, Q, 9, 8, 7]}}",
            record(f"{AUCTION} GH 0 HK 1 HT 2 H8 1 S8 2 ST 0 S9 0 RE"), "P003",
        ),
    ],
)  # fmt: skip
def test_a_changed_profile_changes_both_engines_at_once(
    tmp_path: Path, change: str, line: bytes, code: str
) -> None:
    for number, (contracts, answer) in enumerate((("{}", "consistent"), (change, code))):
        file = tmp_path / f"own-{number}.yaml"
        file.write_text(f"name: own\nextends: iss\ncontracts: {contracts}\n")
        assert agreed(line, load_rules(file)) == {answer: 1}


def leaves(data: Any, path: tuple[str, ...] = ()) -> list[tuple[str, Any]]:
    """Return the keys of a profile, dotted, with their values."""
    if not isinstance(data, dict):
        return [(".".join(path), data)]
    return [leaf for key, value in data.items() for leaf in leaves(value, (*path, key))]


def other_value(chance: random.Random, key: str, value: Any, known: dict[str, list[Any]]) -> Any:
    """Return another value of a key: one that some profile has, or a neighbour of this one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice((0, 1, 2, 9, 10, 23, 30, 31, 59, 60, 62, 90, value + 1, *known[key]))
    if isinstance(value, list) and len(value) > 1:
        one, other = chance.sample(range(len(value)), 2)
        value = list(value)
        value[one], value[other] = value[other], value[one]
        return value[: chance.choice((len(value), len(value), -1))]
    return chance.choice([*known[key], *_WORDS])


# Words of switches, tried where they fit.
_WORDS = (
    "ends", "decided", "open", "simple", "remainder", "one", "both", "counts", "ignored",
    "promised", "announcement-only", "none", "covering-game", "refused", "base-value",
    "smallest-multiple", "above", "at-least", "zero", "set", "unjudged", "penalty", "skat-only",
    "twelve", "middlehand", "replaced",
)  # fmt: skip
_NO_RULES = ("name", "title", "edition", "language", "deviations", "sources", "switches", "match")


def test_whatever_key_of_the_rules_is_changed_both_engines_agree() -> None:
    chance = random.Random(20261130)
    profiles = {name: plain(load_rules(name).profile.data) for name in available()}
    known: dict[str, list[Any]] = {}
    for data in profiles.values():
        for key, value in leaves(data):
            known.setdefault(key, []).append(value)
    pool = [line for name in ("iss", "isko", "ledger") for line in made_up(name, 150)]
    without = [re.sub(rb"R\[[^]]*\]", b"", line) for line in pool]
    tried, counts = set(), Counter[str]()
    while len(tried) < 60:
        name = chance.choice(available())
        keys = [leaf for leaf in leaves(profiles[name]) if leaf[0].split(".")[0] not in _NO_RULES]
        key, value = chance.choice(keys)
        text = str(other_value(chance, key, value, known)).replace("None", "null")
        try:
            rules = load_rules(name, (f"{key}={text}",))
        except ProfileError:
            continue
        if fits(rules):
            tried.add(rules.name)
            lines = [*chance.sample(pool, 40), *chance.sample(without, 40)]
            counts += agreed(b"\n".join(lines), rules)
    assert counts["consistent"] > 2000


# ---------------------------------------------------------------- what was compiled


def test_what_was_compiled_is_known_without_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "folder", lambda: tmp_path)
    assert not api.is_cached()
    kept.mark()
    assert not api.is_cached()
    (tmp_path / "archive_0").mkdir()
    (tmp_path / "archive_0" / "kernel.lines-1.py311.nbi").touch()
    assert api.is_cached()
    monkeypatch.setattr(kept, "folder", lambda: None)
    kept.mark()
    assert not api.is_cached()


def test_a_kernel_that_was_made_warm_is_known_to_be() -> None:
    Kernel(load_rules("iss")).warm()
    assert api.is_cached()


def test_asking_what_was_compiled_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from skatspec.archive.kernel.decide import CODES, fits, is_cached\n"
        "from skatspec.rules import load_rules\n"
        "fits(load_rules('iss')), is_cached()\n"
        "print(sorted({'numba', 'numpy', 'llvmlite'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_every_source_that_is_compiled_is_in_the_name_of_the_folder() -> None:
    # a constant of a source left out could change and the old code be loaded
    others = {f"skatspec.{name.replace('/', '.')}" for name in kept._OTHERS}
    for path in Path(kept.__file__).parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "import compiled\n" in text:
            used = set(re.findall(r"^from (skatspec[\w.]+) import", text, re.MULTILINE))
            used = {name for name in used if not name.startswith("skatspec.archive.kernel")}
            assert used <= others, path
