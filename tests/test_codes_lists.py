"""The codes of lists: each is shown by the examples of its explanation, and speaks German.

An example in codes.yaml is a list, or the line of one that matters. Completed to a list it is
read and checked here: the bad one has the code and no other error, the good one has no error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from skatspec import resources
from skatspec.diagnostics import Diagnostic, Severity, catalog, message
from skatspec.diagnostics.catalog import LANGUAGES
from skatspec.diagnostics.model import finding
from skatspec.formats.score_sheet import parse
from skatspec.rules import packaged_rules
from skatspec.rules.match import compile_match
from skatspec.session.joining import Joining
from skatspec.session.judge import ListJudge
from skatspec.session.reading import End
from skatspec.session.standings import ListResult, Standings
from skatspec.sheet import Sheet

SLOT = re.compile(r"{(\w+)}")
LIST_CODES = [code for code in catalog() if code.startswith("L")]
# L001 to L005 are of the list that XSkat keeps beside its log.
SHEET_CODES = [code for code in LIST_CODES if code >= "L010"]

# --- recipes: an example as a whole list ------------------------------------------------

HEAD = "deal;declarer;contract;value"
ROW = "1;2;hearts;30"


def whole(example: str) -> str:
    """The example is a list already."""
    return example


def above(example: str) -> str:
    """The example is a line above the headings."""
    return f"{example}\n{HEAD}\n{ROW}"


def with_row(row: str) -> Callable[[str], str]:
    """The example is the line of headings."""
    return lambda example: f"{example}\n{row}"


def of_its_length(example: str) -> str:
    """The example is the length that was agreed, and so many deals are there."""
    deals = int(example.partition(";")[2])
    rows = (f"{number};{number % 3 + 1};hearts;30" for number in range(1, deals + 1))
    return "\n".join((example, HEAD, *rows))


def with_record(example: str) -> str:
    """The example is a row whose record is only hinted at: the row of a real one."""
    text = resources.text("records", "games", "null-won.skat")
    row = {"deal": 1, "dealer": 3, "declarer": 2, "contract": "null", "value": 23}
    if '"value": 20' in example:  # the value of another game: Null Ouvert
        row["value"] = 46
    if "twice" in example:
        text = text.replace("S9 DA SA", "S9 DA S9")
    players = ["Anna", "Ben", "Cem"]
    made = {"skat-list": 1, "players": players, "deals": 1, "rows": [{**row, "record": text}]}
    return json.dumps(made)


RECIPES: dict[str, Callable[[str], str]] = {
    **{code: whole for code in SHEET_CODES if not code.startswith("L06")},
    "L011": with_row(ROW),
    "L012": with_row("1;2;30;20"),
    "L018": above,
    "L019": above,
    "L021": above,
    "L025": above,
    "L026": above,
    "L037": with_record,
    "L038": with_record,
    "L055": of_its_length,
}
# The rules of an example that is none under the Skat order.
RULES = {"L055": "table-match", "L056": "game-circle", "L058": "primer"}
# Errors that come with the one that is shown, since a cell is worth nothing without it.
BESIDES: dict[str, set[str]] = {}


@cache
def findings(text: str, rules: str | None) -> list[Diagnostic]:
    """Return what is found in a list by rules, else by its own."""
    report = ListJudge(packaged_rules(rules) if rules else None).check(parse(text))
    return [dispute.found for dispute in report.disputes]


def across(lists: Iterable[str]) -> list[Diagnostic]:
    """Return what is found between lists."""
    judge, match = ListJudge(), compile_match(packaged_rules("isko").profile)
    standings = Standings(match, match.system)
    for number, text in enumerate(lists):
        sheet = replace(parse(text), source=f"{number}.csv")
        standings.add(ListResult.of(judge.check(sheet), match))
    return [one.found for one in standings.findings()]


def joined(folder: Path, tags: Sequence[str]) -> list[Diagnostic]:
    """Return what is found where records with these tags are joined to a list of one deal."""
    text = resources.text("records", "games", "null-won.skat")
    path = folder / "games.skat"
    path.write_text("\n".join(text.replace("%skat 1", f"%skat 1\n{one}") for one in tags))
    top = "table;1\nround;1\nplayers;Anna;Ben;Cem\ndeals;1\n"
    joining = Joining([str(path)])
    joining.take([parse(f"{top}deal;declarer;value\n1;2;23"), End()], lambda _: True)
    joining.settle()
    on_list = [one for part in joining.parts() if isinstance(part, Sheet) for one in part.findings]
    joining.close()
    return [*on_list, *(one.found for one in joining.findings)]


def _of(table: int, players: str, deals: int = 2, system: str = "plain") -> str:
    rows = "".join(f"{deal};1;30\n" for deal in range(1, deals + 1))
    top = f"table;{table}\nround;1\nsystem;{system}\nplayers;{players}\n"
    return f"{top}deal;declarer;value\n{rows}"


ONE, OTHER, THIRD = "Anna;Ben;Cem", "Dora;Emil;Fritz", "Gerd;Hans;Ida"
ACROSS = {
    "L060": ((_of(1, ONE), _of(2, "Anna;Dora;Emil")), (_of(1, ONE), _of(2, OTHER))),
    "L061": ((_of(1, ONE), _of(2, OTHER), _of(3, THIRD, 1)), (_of(1, ONE), _of(2, OTHER))),
    "L062": ((_of(1, ONE), _of(1, ONE)), (_of(1, ONE), _of(2, OTHER))),
    "L063": ((_of(1, ONE), _of(2, OTHER, system="seeger")), (_of(1, ONE), _of(2, OTHER))),
}
DEAL = '[Deal "1"]'
JOINED = {
    "L064": ([DEAL, '[Deal "7"]'], [DEAL]),
    "L065": ([DEAL, DEAL], [DEAL]),
    "L067": (
        ['[Table "7"] [Series "1"] [Deal "1"]', '[Table "1"]'],
        ['[Table "1"] [Series "1"] [Deal "1"]'],
    ),
}


def codes_of(code: str, example: str, only_errors: bool = False) -> set[str]:
    """Return the codes that an example of `code` has; every message must be complete."""
    rules = RULES.get(code)
    severity = packaged_rules(rules or "isko").profile.severity
    shown = set()
    for one in findings(RECIPES[code](example), rules):
        # a message may show JSON, braces and all
        assert not any(SLOT.search(message(one, lang)) for lang in LANGUAGES)
        if not only_errors or severity(one.code) is Severity.ERROR:
            shown.add(one.code)
    return shown


@pytest.mark.parametrize("code", ACROSS)
def test_lists_that_contradict_each_other_have_the_code_and_no_other(code: str) -> None:
    bad, good = ACROSS[code]
    assert {one.code for one in across(bad)} == {code}
    assert across(good) == []


@pytest.mark.parametrize("code", JOINED)
def test_records_that_cannot_be_joined_have_the_code_and_no_other(
    tmp_path: Path, code: str
) -> None:
    bad, good = JOINED[code]
    assert {one.code for one in joined(tmp_path, bad)} == {code}
    assert joined(tmp_path, good) == []


def test_every_code_of_lists_has_a_recipe() -> None:
    assert {*RECIPES, *ACROSS, *JOINED} == set(SHEET_CODES)


@pytest.mark.parametrize("code", RECIPES)
def test_the_bad_example_of_a_list_has_its_code(code: str) -> None:
    assert code in codes_of(code, catalog()[code].bad)


@pytest.mark.parametrize("code", RECIPES)
def test_the_bad_example_of_a_list_has_no_other_error(code: str) -> None:
    shown = codes_of(code, catalog()[code].bad, only_errors=True)
    assert shown - {code} == BESIDES.get(code, set())


@pytest.mark.parametrize("code", RECIPES)
def test_the_good_example_of_a_list_is_good(code: str) -> None:
    good = catalog()[code].good
    assert codes_of(code, good, only_errors=True) == set()
    assert code not in codes_of(code, good)


# --- the German texts -------------------------------------------------------------------


@pytest.mark.parametrize("code", LIST_CODES)
def test_a_code_of_lists_says_the_same_in_german(code: str) -> None:
    row = catalog()[code]
    assert row.text_de and row.text_de != row.text
    assert sorted(SLOT.findall(row.text_de)) == sorted(SLOT.findall(row.text))


def test_every_german_text_has_the_slots_of_the_english_one() -> None:
    for row in catalog().values():
        if row.text_de:
            assert set(SLOT.findall(row.text_de)) == set(SLOT.findall(row.text)), row.code


def test_a_message_is_given_in_the_language_asked_for() -> None:
    one = finding("L040", read=56, expected=54, player="Anna")
    assert message(one) == "the total of Anna is 56, and the rows come to 54"
    assert message(one, "de") == "die Summe von Anna ist 56, die Zeilen ergeben 54"


def test_a_code_without_a_german_text_speaks_english() -> None:
    one = finding("N004", read="HX")
    assert not catalog()["N004"].text_de
    assert message(one, "de") == message(one) == "HX is no card"
