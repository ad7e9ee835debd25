"""What lists and settlements say is said in German without a word of English left."""

from __future__ import annotations

import ast
import random
import re
import string
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from skatspec.diagnostics import finding
from skatspec.diagnostics.catalog import catalog
from skatspec.engine import early, settlement
from skatspec.engine.facts import Facts
from skatspec.engine.variants import doubling, ramsch_price
from skatspec.engine.variants.ramsch_price import RamschFacts
from skatspec.record import MODIFIERS, SCHNEIDER, SCHWARZ
from skatspec.rules import load_rules
from skatspec.rules.profile import available
from skatspec.rules.tables import CONTRACT, CONTRACTS, NULL_KIND, Tables
from skatspec.session import language, rows
from skatspec.session.language import cite, say, translate, translated, ui, word
from skatspec.sheet import Account

SESSION = Path(language.__file__).parent
FORMAT = SESSION.parent / "formats" / "score_sheet"
GERMAN: dict[str, Any] = yaml.safe_load((SESSION / "german.yaml").read_text(encoding="utf-8"))
WORD = re.compile(r"[a-zäöüß]{2,}")
# Words that a German text may have, though an English one has them too.
BOTH = {"hand", "schneider", "schwarz", "ouvert", "spitze", "grand", "null", "ramsch", "kontra",
        "re", "bock", "hirsch", "revolution", "in", "an", "die", "also", "was", "so", "json",
        "array", "skat", "list", "utf", "mib", "event", "ja", "rest"}  # fmt: skip


def spoken(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))


@cache
def english() -> frozenset[str]:
    """Return the words that only the English sides have."""
    found = {"with", "without", "the", "of", "and", "or", "not", "is", "no", "by", "times", "to"}
    for text in GERMAN["phrases"]:
        found |= spoken(text)
    for pattern, _ in GERMAN["patterns"]:
        found |= spoken(re.sub(r"\(\?P<\w+>|\\.|\(\?i:", " ", pattern))
    for code in catalog():
        if code[0] in "LNRBDPS":
            found |= spoken(re.sub(r"\{\w+\}", " ", catalog()[code].text))
    return frozenset(found - BOTH)


def left(text: str) -> set[str]:
    """Return the English words in a text."""
    return spoken(text) & english()


# --- lines of settlements ---------------------------------------------------------------

WHYS = (
    ("offence", "the declarer broke a rule of play"),
    ("offence", "a defender broke a rule of play"),
    ("gift", "the defenders gave the game up"), ("claim", "the claim was accepted"),
    ("ruling", "ruled (Court 12)"), ("throw-open", "a defender threw his cards open"),
    ("showing", "the declarer showed his cards, the rest is the defenders'"),
    ("throw-open", "the declarer threw his cards open, the rest is the declarer's"),
)  # fmt: skip


def random_facts(tables: Tables, chance: random.Random) -> Facts | None:
    games = [
        *range(len(CONTRACTS)),
        *([CONTRACT["revolution"]] if tables.variants.revolution else []),
    ]
    contract = chance.choice(games)
    kind = tables.kind[contract] if contract < len(tables.kind) else NULL_KIND
    modifiers = tables.announce[kind][chance.randrange(1 << len(MODIFIERS))]
    if modifiers < 0:
        return None
    points, tricks = chance.randrange(121), chance.randrange(11)
    conceded = chance.choice((None, None, True, False))
    why = chance.choice((None, *WHYS))
    twelve = sum(1 << card for card in chance.sample(range(32), 12))
    return Facts(
        contract, modifiers, chance.choice((-4, -1, 1, 2)), chance.choice((None, *tables.bids)),
        points, tricks, conceded, chance.choice((0, SCHNEIDER, SCHNEIDER | SCHWARZ)), why,
        chance.random() < 0.8, chance.random() < 0.8, 0, twelve,
        chance.choice((None, 0, CONTRACT["grand"])),
    )  # fmt: skip


def settled_lines(tables: Tables) -> Iterator[str]:
    """Yield lines of random games, doubled and not, of Ramsch, of a card played early."""
    chance = random.Random(7)
    for _ in range(1500):
        facts = random_facts(tables, chance)
        if facts is not None:
            one = settlement.settle(tables, facts)
            one = doubling.times(tables, one, chance.randrange(5), chance.random() < 0.3)
            yield from (line.text for line in one.lines)
            yield from early_lines(tables, facts)
    for _ in range(400):
        one, two = sorted(chance.randrange(121) for _ in range(2))
        tricks = chance.choice(((10, 0, 0), (5, 5, 0), (4, 3, 3), (0, 10, 0)))
        points = chance.choice(((one, two - one, 120 - two), (40, 40, 40), (50, 50, 20)))
        ramsch = RamschFacts(points, tricks, chance.choice((0, 4)), (10, 9, 8), chance.randrange(4))
        settled = ramsch_price.settle(tables, ramsch)
        settled = doubling.times(tables, settled, 0, chance.random() < 0.3)
        yield from (line.text for line in settled.lines)


def early_lines(tables: Tables, facts: Facts) -> Iterator[str]:
    if facts.contract < len(tables.base) and tables.base[facts.contract]:
        game: Any = SimpleNamespace(tables=tables, bid=facts.bid)
        lost = early._lost(game, facts, facts.contract, facts.matadors, 48, ())
        yield from (line.text for line in lost.lines)


@pytest.mark.parametrize("name", available())
def test_every_line_of_a_settlement_has_its_german(name: str) -> None:
    lines = set(settled_lines(load_rules(name).tables))
    assert len(lines) > 200
    for line in lines:
        german = translated(line)
        assert german is not None, line
        assert not left(german), (line, german)


def test_lines_are_said_as_players_say_them() -> None:
    for text, german in (
        ("with 2", "mit 2"),
        ("3 x 10 hearts = 30", "3 x 10 Herz = 30"),
        ("bid 18 covered", "gereizte 18 gedeckt"),
        ("lost, times 2: -60", "verloren, doppelt: -60"),
        ("hearts with 2, Hand, bid 20, won", "Herz mit 2, Hand, gereizt 20, gewonnen"),
        ("+30, -60 or -80", "+30, -60 oder -80"),
        ("lost: -27.5", "verloren: -27,5"),
        ("Null ouvert hand is worth 59, the bid was 60",
         "Null Ouvert Hand ist 59 wert, gereizt war 60"),
    ):  # fmt: skip
        assert translate(text, "de") == german
        assert translate(text, "en") == text


# --- what fills slots -------------------------------------------------------------------


def accounts() -> Iterator[Account]:
    chance = random.Random(3)
    flags = (None, False, False, True)
    contracts = (None, "hearts", "grand", "clubs", "null", "revolution", "ramsch")
    for contract, won in product(contracts, (None, True, False)):
        for _ in range(30):
            yield Account(
                contract, chance.choice((None, -12, -2, 1, 2, 4)), chance.random() < 0.3,
                *(chance.choice(flags) for _ in range(6)),
                chance.choice((None, 18, 19, 24, 60, 120)),
                chance.choice((None, 0, 1, 3)), chance.choice((None, False, True)),
                chance.choice((None, None, 28, 59, 61, 130)),
                chance.choice((None, None, 3, 12)), won,
            )  # fmt: skip


@pytest.mark.parametrize(
    "name", ["isko", "xskat-spitze", "xskat-revolution", "xskat-bock", "game-circle"]
)
def test_what_is_said_of_rows_has_no_english(name: str) -> None:
    judge = rows.RowJudge(load_rules(name).tables)
    codes = set()
    for account in accounts():
        for value in (30, -30, 22, None):
            found = judge.judge(account, value).found
            if found is not None:
                codes.add(found.code)
                said = (say(found, "de"), word(found, "read", "de"), word(found, "expected", "de"))
                assert not left(" ".join(said)), (said, found)
    assert {"L030", "L031", "L035"} <= codes


def test_names_are_never_translated() -> None:
    name = "won and hearts"
    assert name in say(finding("L040", player=name, read="30", expected="20"), "de")
    assert name in say(finding("L020", read=name, hint=", did you mean Ben?"), "de")
    assert name in say(finding("L047", expected=f"{name} first, and deal 3, 4 is wrong"), "de")
    told = say(finding("L037", what="the declarer", read="hearts", expected="Anna and won"), "de")
    assert "hearts" in told and "Anna und won" in told


def test_citations_stay_but_for_what_is_said_of_them() -> None:
    assert cite("ISkO 2022, section unverified", "de") == "ISkO 2022, Abschnitt ungeprüft"
    read = "ISkO 2022 2.5 (read as ISkO 2015 5.2.2)"
    assert cite(read, "de") == "ISkO 2022 2.5 (gelesen als ISkO 2015 5.2.2)"
    assert cite(read, "en") == read
    for name in available():
        for rule in load_rules(name).profile.data["sources"].values():
            assert "unverified" not in cite(str(rule), "de") and "read as" not in cite(
                str(rule), "de"
            )


def test_german_texts_have_the_slots_of_the_english_ones() -> None:
    def slots(text: str) -> set[str]:
        return {part[1] for part in string.Formatter().parse(text) if part[1]}

    for code, text in GERMAN["messages"].items():
        assert slots(text) == slots(catalog()[code].text), code
    for text, german in GERMAN["page"].items():
        assert slots(text) == slots(german), text
    for code, names in GERMAN["slots"].items():
        assert set(names) <= slots(catalog()[code].text) | {"read", "expected"}, code


# --- constants in the source ------------------------------------------------------------

# Slots that hold texts of the program, wherever they stand in a call.
SAID = ("what", "expected", "limit", "outcome", "hint")
# Variables that such texts go through.
THROUGH = (*SAID, "wanted", "nearest", "known", "_NEEDED", "_A_FLAG", "_A_NUMBER", "_A_WHOLE")
# Not texts of findings: keys and codes of the engine's words.
NEITHER = {"", "L041", "ramsch", "3, at 3"}


def constants(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of every constant that goes into a slot; figures in it are 3."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        values: list[ast.expr | None] = []
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ("finding", "note", "Diagnostic"):
                values += [one.value for one in node.keywords if one.arg in SAID]
            elif name in ("_limit", "_no_list", "_differs"):
                values += [one for one in node.args[1:] if not isinstance(one, ast.Call)]
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            values += [node.value] if node.targets[0].id in THROUGH else []
        for value in values:
            for text in texts(value):
                yield node.lineno, text


def texts(value: ast.expr | None) -> Iterator[str]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.JoinedStr):
        parts = [one.value if isinstance(one, ast.Constant) else "3" for one in value.values]
        yield "".join(map(str, parts))
    elif isinstance(value, ast.IfExp):
        yield from (*texts(value.body), *texts(value.orelse))
    elif isinstance(value, ast.BoolOp):
        for one in value.values:
            yield from texts(one)


@pytest.mark.parametrize("folder", [SESSION, FORMAT], ids=lambda path: path.name)
def test_every_constant_that_fills_a_slot_has_its_german(folder: Path) -> None:
    found = [
        (path.name, line, text)
        for path in sorted(folder.glob("*.py"))
        for line, text in constants(path)
        if text not in NEITHER and text.replace("3", "").strip(" ,:-`")
    ]
    assert len(found) > 10
    missing = [one for one in found if translated(one[2]) is None]
    assert not missing


def test_the_words_for_cells_have_their_german() -> None:
    from skatspec.formats.score_sheet import cells
    from skatspec.session import below
    from skatspec.sheet import COLUMNS, TOTAL

    for column in (*cells._EXPECTED, TOTAL):
        assert not left(translated(cells.expected(column)) or "the"), column
    for text in below._WORDS.values():
        assert translated(text), text
    assert set(COLUMNS) >= set(cells._EXPECTED)


def test_every_text_of_a_page_has_its_german() -> None:
    used = set()
    for path in SESSION.glob("templates/*.j2"):
        used |= set(re.findall(r'"([^"]+)"\|t\b', path.read_text(encoding="utf-8")))
    for path in (SESSION / "tables.py", SESSION / "sheet_grid.py", SESSION / "pages.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ui":
                used |= set(texts(node.args[0]))
    assert len(used) > 40
    for text in used:
        assert text in GERMAN["page"], text
        assert ui(text, "en") == text
