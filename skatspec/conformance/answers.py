"""What skatspec itself answers to a case: one small function a task.

An answer has the shape of a case's `expect`, which schema `case` gives. Bad input raises a
SkatspecError, or the KeyError, ValueError or TypeError of a shape that the schema excludes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from skatspec import cards, settling, settling_ramsch
from skatspec.conformance.cases import bytes_of
from skatspec.diagnostics import Severity, Verdict, entry
from skatspec.engine import play
from skatspec.engine.perft import perft as count_sequences
from skatspec.errors import InputError, ProfileError, UsageError
from skatspec.formats import registry
from skatspec.formats.lines import open_lines
from skatspec.judging import Judge
from skatspec.record import RAMSCH, SEAT_LETTERS, BrokenRecord, Record
from skatspec.rules import Rules, changed, load_profile, yaml_lines
from skatspec.rules.match import compile_match
from skatspec.rules.tables import CONTRACT, compile_tables
from skatspec.session import scoring
from skatspec.session.report import Figures
from skatspec.settling_answer import Answer

REFUSED, NOTHING = "refused", "none"
PROFILE = "profile"
_MOST_DEPTH = 10

Given = dict[str, Any]
Said = dict[str, Any]


def answer(task: str, given: Given, rules: Rules) -> Said:
    """Answer a case's input under `rules`, with the keys that the input itself sets."""
    settings = tuple(given.get("set", ()))
    if settings:
        rules = changed(rules, settings)
    return _TASKS[task](given, rules)


# --- settle -----------------------------------------------------------------------------


def question(given: Given) -> settling.Question:
    """Return the facts of a declared game as a question."""
    words = given["modifiers"]
    return settling.question(
        contract=given["contract"],
        hand="hand" in words,
        announce=[word for word in words if word in ("schneider", "schwarz")],
        ouvert="ouvert" in words,
        matadors=given["matadors"],
        cards=given.get("cards"),
        bid=given["bid"],
        no_bid=given["bid"] is None,
        points=given["points"],
        tricks=given["tricks"],
        ending=given["ending"],
        spitze=given.get("spitze"),
        kontra=given.get("kontra", 0),
        bock=given.get("bock", False),
    )


def settle(given: Given, rules: Rules) -> Said:
    """Say what a game is worth, or what it may be worth, or why its facts cannot be together."""
    if given["contract"] == RAMSCH:
        words = ("points", "tricks", "skat", "last_trick", "doublings", "bock")
        ramsch = settling_ramsch.question(**{word: given[word] for word in words if word in given})
        return _figures(settling_ramsch.settle(ramsch, rules))
    return _figures(settling.settle(question(given), rules))


def _figures(found: Answer) -> Said:
    if found.verdict is Verdict.CONTRADICTED:
        return {"verdict": found.verdict.value, "codes": [one.code for one in found.findings]}
    if found.verdict is Verdict.UNDETERMINED:
        if "scores" in found.admissible:
            return {"verdict": found.verdict.value, "scores": found.admissible["scores"]}
        rows = [one._asdict() for one in found.outcomes]
        return {"verdict": found.verdict.value, "admissible": rows}
    if found.scores is not None:
        return {"scores": list(found.scores), "losers": list(found.losers or "")}
    said: Said = {
        "value": found.value, "won": found.won, "score": found.score, "overbid": found.overbid,
    }  # fmt: skip
    if found.covering:
        said["covering"] = found.covering
        said["alternatives"] = [
            {"contract": contract, "value": value} for contract, value, _ in found.alternatives
        ]
    return said


# --- legal, perft -----------------------------------------------------------------------


def legal(given: Given, rules: Rules) -> Said:
    """Say which cards may be played, or who wins a trick and what is in it."""
    tables, contract = rules.tables, CONTRACT[given["contract"]]
    if "trick" in given:
        trick = [cards.BY_NAME[name] for name in given["trick"]]
        points = sum(tables.points[card] for card in trick)
        return {"winner": play.winner(tables, contract, trick) + 1, "points": points}
    if given["led"] in given["hand"]:
        raise UsageError(f"{given['led']} is led, and cannot be in the hand that follows")
    led = cards.BY_NAME[given["led"]]
    may = play.legal_cards(tables, contract, _mask(given["hand"]), led)
    return {"cards": sorted(cards.name(card) for card in cards.members(may))}


def perft(given: Given, rules: Rules) -> Said:
    """Count the legal sequences of a deal, up to the depth asked for."""
    dealt = [given["deal"][seat].split() for seat in SEAT_LETTERS]
    if len({name for hand in dealt for name in hand}) != sum(map(len, dealt)):
        raise UsageError("a card is dealt twice")
    if len(set(map(len, dealt))) != 1:
        raise UsageError("the hands have different sizes")
    hands = [_mask(hand) for hand in dealt]
    depth = given["depth"]
    if not 0 < depth <= _MOST_DEPTH:
        raise UsageError(f"the depth must be 1 to {_MOST_DEPTH}")
    return {"counts": count_sequences(rules.tables, CONTRACT[given["contract"]], hands, depth)}


def _mask(names: Iterable[str]) -> int:
    return cards.mask(cards.BY_NAME[name] for name in names)


# --- list -------------------------------------------------------------------------------


def listed(given: Given, rules: Rules) -> Said:
    """Say what each player of a list comes to, and who has which place."""
    if "deals" in given:
        deals = given["deals"]
        scores = [None if one is None else (one["player"] - 1, one["score"]) for one in deals]
        rows = scoring.sums(scores, int(given["table"]))
    else:
        rows = tuple(Figures(one["points"], one["won"], one["lost"]) for one in given["players"])
    match = compile_match(rules.profile)
    reached = scoring.totals(rows, match, given["system"])
    places = scoring.places(rows, reached, match)
    said: Said = {"totals": list(reached), "places": list(places.ranks)}
    if places.lots:
        said["lots"] = [[player + 1 for player in group] for group in places.lots]
    return said


# --- check ------------------------------------------------------------------------------

Row = tuple[str, Severity, int, int]  # code, severity, line and step of a finding


def check(given: Given, rules: Rules) -> Said:
    """Say the first record's verdict and all codes found, with the first one's place.

    A record's own `Rules` tag goes before the rules of the case, unless the case sets keys.
    """
    # readers open files: packed ones, other encodings, and lists that lie beside their log
    with tempfile.TemporaryDirectory(prefix="skatspec-") as folder:
        path = Path(folder, Path(given.get("name", "record")).name)
        path.write_bytes(bytes_of(given))
        for name, text in given.get("beside", {}).items():
            path.with_name(Path(name).name).write_bytes(text.encode("utf-8", "surrogatepass"))
        if given["format"] == PROFILE:
            return _profile(path)
        return _records(path, given, rules)


def _records(path: Path, given: Given, rules: Rules) -> Said:
    rows: list[Row] = []
    verdict = ""
    try:
        reading = registry.reading(open_lines(path), given["format"])
        for record in reading:
            report = _judge(record, rules, "set" in given).check(record)
            verdict = verdict or report.verdict.value
            rows += [(one.code, one.severity, one.line, one.step) for one in report.findings]
    except InputError as error:
        return {"verdict": REFUSED, "codes": [error.code]}
    rows += [(one.code, entry(one.code).severity, one.span.line, 0) for one in reading.findings]
    return _said(verdict or NOTHING, rows)


def _judge(record: Record | BrokenRecord, rules: Rules, is_changed: bool) -> Judge:
    own = isinstance(record, Record) and record.tag("Rules") is not None
    return Judge(None if own and not is_changed else rules)


def _profile(path: Path) -> Said:
    for one in path.parent.iterdir():
        _within(one)
    try:
        compile_tables(load_profile(path))
    except ProfileError as error:
        return _said(REFUSED, [(error.code, Severity.ERROR, error.line, 0)])
    return _said(Verdict.CONSISTENT.value, [])


def _within(path: Path) -> None:
    """Raise UsageError where a profile extends a file that does not lie beside it."""
    try:
        data, _ = yaml_lines.load(path.read_text(encoding="utf-8"), path.name)
    except (ProfileError, UnicodeDecodeError):
        return  # which is what is to be found
    base = data.get("extends") if isinstance(data, dict) else None
    if isinstance(base, str) and "/" in base:
        target = (path.parent / base).resolve()
        if target.parent != path.parent.resolve():
            raise UsageError(f"extends names a file elsewhere: {base}")


def _said(verdict: str, rows: Sequence[Row]) -> Said:
    errors = dict.fromkeys(code for code, severity, *_ in rows if severity is Severity.ERROR)
    notes = dict.fromkeys(code for code, severity, *_ in rows if severity is not Severity.ERROR)
    said: Said = {"verdict": verdict, "codes": list(errors)}
    if notes:
        said["notes"] = list(notes)
    places = {code: (line, step) for code, _, line, step in reversed(rows)}
    for code in [*errors, *notes][:1]:
        line, step = places[code]
        said |= {"line": line} if line else {}
        said |= {"step": step} if step else {}
    return said


_TASKS: dict[str, Callable[[Given, Rules], Said]] = {
    "settle": settle, "legal": legal, "perft": perft, "list": listed, "check": check,
}  # fmt: skip
