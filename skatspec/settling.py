"""Settles a game from loose facts, as a referee has them: no record, no cards needed.

What is not given stays open: `settle` tries every value that the rules allow for it and
answers *undetermined*, with the admissible values, where they differ. Facts that cannot
be together are *contradicted*, with the finding that says why. Values are game values,
points card points (skat included), scores the declarer's ledger points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import Any

from skatspec import cards as card_names
from skatspec.diagnostics import Diagnostic, Verdict, finding
from skatspec.engine import settlement
from skatspec.engine.declaration import illegal_announcement, refused_null
from skatspec.engine.null_runs import possible_nulls
from skatspec.engine.settlement import TRICKS, Facts, Settlement
from skatspec.engine.variants import doubling, revolution
from skatspec.errors import UsageError
from skatspec.record import DOUBLES, HAND, MODIFIERS, OUVERT, RAMSCH, REVOLUTION, SPITZE
from skatspec.rules import Rules
from skatspec.rules.tables import CONTRACT, CONTRACTS, GAMES, GRAND_KIND, NULL_KIND, TRUMP, Tables
from skatspec.settling_answer import Answer, Possible, contradicted, items

PLAYED_OUT = "played-out"
BY_DECLARER, BY_DEFENDERS = "conceded-by-declarer", "conceded-by-defenders"
ENDINGS = (PLAYED_OUT, BY_DECLARER, BY_DEFENDERS)
ANNOUNCEMENTS = ("schneider", "schwarz")
MADE, MISSED = "made", "missed"
# Every game that has a declarer; Ramsch is for settling_ramsch.py.
DECLARED = tuple(name for name in GAMES if name != RAMSCH)

__all__ = [
    "DECLARED", "ENDINGS", "MADE", "MISSED", "PLAYED_OUT", "Answer", "Question", "question",
    "settle", "shared_matadors",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """The facts as given; None where a figure is not.

    `modifiers` are the announcements as stated, `matadors` signed, `twelve` the
    declarer's cards with the skat. `bid` None is an open bid, unless `test_bid` is
    false, which asks for the game's own value. `choice` is the game that the declarer
    names for an impossible Null. `spitze` says whether an announced Spitze was made, None
    where none was announced; `kontra` counts the calls that doubled the game (1 Kontra,
    2 Re), `bock` says that the deal belongs to a Bock round.
    """

    contract: int
    modifiers: int = 0
    matadors: int | None = None
    twelve: int | None = None
    bid: int | None = None
    test_bid: bool = True
    points: int | None = None
    tricks: int | None = None
    ending: str = PLAYED_OUT
    choice: int | None = None
    spitze: str | None = None
    kontra: int = 0
    bock: bool = False


def question(
    *,
    contract: str,
    hand: bool = False,
    announce: str | Iterable[str] = (),
    ouvert: bool = False,
    matadors: int | str | None = None,
    cards: str | Iterable[str] | None = None,
    bid: int | None = None,
    no_bid: bool = False,
    points: int | None = None,
    tricks: int | None = None,
    ending: str = PLAYED_OUT,
    choice: str | None = None,
    spitze: str | None = None,
    kontra: int = 0,
    bock: bool = False,
) -> Question:
    """Read the facts from words; raises UsageError for words that mean nothing here."""
    if ending not in ENDINGS:
        raise UsageError(f"no such ending: {ending}; there are: {', '.join(ENDINGS)}")
    if no_bid and bid is not None:
        raise UsageError("a bid is given, and none is to be tested")
    if spitze not in (None, MADE, MISSED):
        raise UsageError(f"an announced Spitze was {MADE} or {MISSED}, not {spitze!r}")
    said = _modifiers(hand, announce, ouvert) | (SPITZE if spitze else 0)
    return Question(
        _contract(contract, DECLARED), said, _matadors(matadors),
        _twelve(cards), bid, not no_bid, points, tricks, ending,
        None if choice is None else _contract(choice, CONTRACTS), spitze, kontra, bock,
    )  # fmt: skip


def settle(asked: Question, rules: Rules) -> Answer:
    """Settle a game from the facts given."""
    tables = rules.tables
    objections = list(_objections(asked, tables))
    if objections:
        return contradicted(objections, rules)
    options = _options(asked, tables)
    if not options:
        return contradicted([finding("S018", what="no game fits these facts")], rules)
    found = {
        facts: doubling.times(tables, settlement.settle(tables, facts), asked.kontra, asked.bock)
        for facts in options
    }
    if len({_outcome(one) for one in found.values()}) == 1:
        return _settled(asked, found[options[0]], rules)
    return _open(asked, found, rules)


def shared_matadors(tables: Tables) -> int:
    """Return the longest run of matadors that is the same in every game but Null.

    From one more on the trumps beside the jacks count, which differ by game.
    """
    return min(len(order) for order in tables.trumps if order) - 1


# --- words ------------------------------------------------------------------------------


def _contract(text: str, known: Sequence[str]) -> int:
    if text.lower() not in known:
        raise UsageError(f"no such contract: {text}; there are: {', '.join(known)}")
    return CONTRACT[text.lower()]


def _modifiers(hand: bool, announce: str | Iterable[str], ouvert: bool) -> int:
    said = ",".join([announce] if isinstance(announce, str) else announce)
    bits = (HAND if hand else 0) | (OUVERT if ouvert else 0)
    for word in (word.strip().lower() for word in said.split(",")):
        if not word:
            continue
        if word not in ANNOUNCEMENTS:
            raise UsageError(f"cannot be announced: {word}; only {' and '.join(ANNOUNCEMENTS)}")
        bits |= MODIFIERS[word]
    return bits


def _matadors(given: int | str | None) -> int | None:
    if given is None or isinstance(given, int):
        return given
    word, _, number = given.strip().lower().replace(" ", ":").partition(":")
    if word in ("with", "without") and number.isascii() and number.isdigit() and len(number) < 4:
        return int(number) if word == "with" else -int(number)
    if word.lstrip("+-").isdigit() and word.isascii() and len(word) < 4 and not number:
        return int(word)
    raise UsageError(f"matadors are given as with:N or without:N, not as {given!r}")


def _twelve(given: str | Iterable[str] | None) -> int | None:
    if given is None:
        return None
    text = given if isinstance(given, str) else " ".join(given)
    names = text.replace(",", " ").replace(".", " ").split()
    held = 0
    for name in names:
        card = card_names.parse(name.upper().replace("10", "T"))
        if card is None or card == card_names.HIDDEN:
            raise UsageError(f"no such card: {name}; a card is written CJ, HT, D7")
        if held >> card & 1:
            raise UsageError(f"{name} is among the cards twice")
        held |= 1 << card
    if len(names) != TRICKS + 2:
        raise UsageError(f"the declarer has {TRICKS + 2} cards with the skat, not {len(names)}")
    return held


# --- what cannot be ---------------------------------------------------------------------


def _objections(asked: Question, tables: Tables) -> Iterator[Diagnostic]:
    kind = tables.kind[asked.contract]
    if not_played := list(_not_played(asked, tables)):
        yield from not_played
        return
    if tables.announce[kind][asked.modifiers] < 0:
        yield illegal_announcement(tables, kind, asked.modifiers)
        return
    if asked.bid is not None and asked.bid not in tables.bid_ok:
        near = [bid for bid in tables.bids if bid > asked.bid][:1] or list(tables.bids[-1:])
        yield finding("B001", read=asked.bid, expected=f"a value such as {near[0]}")
    yield from _figures(asked, tables)
    yield from _matador_objections(asked, tables)
    yield from _spitze_objections(asked, tables)
    if asked.choice is not None and tables.kind[asked.choice] == NULL_KIND:
        yield finding("S018", what="a Null cannot stand for a Null below its bid")
    if kind == NULL_KIND and asked.bid is not None:
        refused = refused_null(
            tables, asked.contract, tables.announce[kind][asked.modifiers], asked.bid
        )
        if refused is not None:
            yield refused


def _not_played(asked: Question, tables: Tables) -> Iterator[Diagnostic]:
    """Yield what these rules do not have of what only a variant has."""
    variants = tables.variants
    if asked.contract == CONTRACT[REVOLUTION]:
        fault = revolution.refused(tables, tables.announce[NULL_KIND][asked.modifiers], 0)
        if fault is not None:
            yield fault
    if asked.spitze and not any(row[SPITZE] >= 0 for row in tables.announce):
        yield finding("D017", read="Spitze", expected="an announcement of these rules")
    if not 0 <= asked.kontra <= len(DOUBLES):
        what = "calls that double"
        yield finding("S016", what=what, read=asked.kontra, expected=f"0 to {len(DOUBLES)}")
    elif asked.kontra > len(variants.kontra.calls):
        word = next(word for word in DOUBLES if word not in variants.kontra.calls)
        yield finding("D017", read=word.capitalize(), expected="a call of these rules")
    if asked.bock and not variants.bock.played:
        yield finding("D017", read="A Bock round", expected="a round of these rules")


def _spitze_objections(asked: Question, tables: Tables) -> Iterator[Diagnostic]:
    """Yield why an announced Spitze cannot have been announced, or come out as it is said to."""
    if asked.spitze is None:
        return
    own, card = asked.twelve, tables.trumps[asked.contract][-1]
    name = card_names.name(card)
    if own is not None and not own >> card & 1:
        yield finding("D018", read=name, expected=f"{name} in hand")
    jacks = tables.members[asked.contract][TRUMP]
    in_hand = bool(tables.announce[GRAND_KIND][asked.modifiers] & HAND)
    if tables.kind[asked.contract] == GRAND_KIND and not in_hand:
        all_of_them = jacks.bit_count() == asked.matadors
        if all_of_them or (own is not None and not jacks & ~own):
            yield finding("D018", read="four jacks", expected="at most three jacks known")
    if asked.spitze == MADE and asked.tricks == 0:
        yield finding("S018", what="a Spitze that is made is a trick", read="0 tricks")
    if asked.spitze == MISSED and asked.ending != PLAYED_OUT:
        what = "a game given up does not put the Spitze to the test"
        yield finding("S018", what=what, read=asked.ending)


def _figures(asked: Question, tables: Tables) -> Iterator[Diagnostic]:
    total = tables.total_points
    points, tricks = asked.points, asked.tricks
    sound = True
    for what, number, top in (("card points", points, total), ("tricks", tricks, TRICKS)):
        if number is not None and not 0 <= number <= top:
            sound = False
            yield finding("S016", what=what, read=number, expected=f"0 to {top}")
    if sound and points is not None and tricks is not None:
        if settlement.possible_together(tables, points, tricks):
            return
        if tricks:
            what = f"{tricks} tricks are all of them, and hold all {total} points, not {points}"
        else:
            what = f"{points} points need a trick: the two cards put away cannot hold them"
        yield finding("S018", what=what, read=f"{points} points, {tricks} tricks")


def _matador_objections(asked: Question, tables: Tables) -> Iterator[Diagnostic]:
    if asked.matadors is None:
        return
    most = _most_matadors(asked, tables)
    if not 1 <= abs(asked.matadors) <= most:
        yield finding("S016", what="matadors", read=abs(asked.matadors), expected=f"1 to {most}")
    elif asked.twelve is not None and tables.kind[asked.contract] != NULL_KIND:
        run = tables.matadors(asked.contract, asked.twelve)
        if run != asked.matadors:
            what = f"{_run(asked.matadors)} does not fit the cards, which are {_run(run)}"
            yield finding("S018", what=what, read=_run(asked.matadors), topic="matadors")


def _most_matadors(asked: Question, tables: Tables) -> int:
    """Return the longest run there can be; in a Null, in any game that may stand for it."""
    if tables.kind[asked.contract] == NULL_KIND:
        return max(len(order) for order in tables.trumps)
    return len(tables.trumps[asked.contract])


def _run(matadors: int) -> str:
    return f"{'with' if matadors > 0 else 'without'} {abs(matadors)}"


# --- what is open -----------------------------------------------------------------------


def _options(asked: Question, tables: Tables) -> list[Facts]:
    """Return the facts in every way that what is open can matter."""
    kind = tables.kind[asked.contract]
    conceded = _conceded(asked, tables)
    points: Sequence[int] = range(tables.total_points + 1)
    tricks: Sequence[int] = range(TRICKS + 1)
    if conceded is not None:
        # simple: what was played does not count
        points = tricks = (0,)
    else:
        points = points if asked.points is None else (asked.points,)
        tricks = tricks if asked.tricks is None else (asked.tricks,)
        if asked.spitze == MADE:
            tricks = [number for number in tricks if number]  # the last one
    facts = Facts(
        asked.contract, tables.announce[kind][asked.modifiers], 0, None, 0, 0, conceded,
        spitze_made=asked.spitze != MISSED, twelve=asked.twelve, choice=asked.choice,
    )  # fmt: skip
    spread = settlement.spread(
        tables, facts, matadors=_runs(asked, tables), bids=_bids(asked, tables),
        points=points, tricks=tricks,
    )  # fmt: skip
    if kind == NULL_KIND:
        spread = possible_nulls(tables, spread, asked.matadors)
    if asked.ending == BY_DECLARER and conceded is None:
        # Given up and settled as it stands: perhaps before the first trick was complete.
        spread += [replace(one, trick_complete=False) for one in spread if not one.tricks]
    return spread


def _conceded(asked: Question, tables: Tables) -> bool | None:
    """Return who wins a game given up as *simple*; None where points and tricks decide."""
    if asked.ending == PLAYED_OUT:
        return None
    is_null = tables.kind[asked.contract] == NULL_KIND
    if is_null or tables.endings["resign"].settled == "simple":
        return asked.ending == BY_DEFENDERS
    return None


def _runs(asked: Question, tables: Tables) -> Sequence[int]:
    if tables.kind[asked.contract] == NULL_KIND:
        return (0,)
    if asked.twelve is not None:
        return (tables.matadors(asked.contract, asked.twelve),)
    if asked.matadors is not None:
        return (asked.matadors,)
    most = _most_matadors(asked, tables)
    return [run for run in range(-most, most + 1) if run]


def _bids(asked: Question, tables: Tables) -> Sequence[int | None]:
    if not asked.test_bid:
        return (None,)
    if asked.bid is not None:
        return (asked.bid,)
    kind = tables.kind[asked.contract]
    if kind == NULL_KIND and tables.null_refused:
        value = tables.null_value(asked.contract, tables.announce[kind][asked.modifiers])
        return [bid for bid in tables.bids if bid < value + (not tables.bid_above)]
    return tables.bids


def _missing(asked: Question, found: Mapping[Facts, Settlement], tables: Tables) -> tuple[str, ...]:
    """Name the facts that would tell: those that change the outcome while the others stay."""
    names = []
    for name, given, varied in (
        ("bid", asked.bid is not None, ("bid",)),
        ("matadors", asked.matadors is not None, ("matadors", "twelve")),
        ("points", asked.points is not None, ("points", "tricks")),
        ("tricks", asked.tricks is not None, ("points", "tricks")),
    ):
        rest = [one.name for one in dataclass_fields(Facts) if one.name not in varied]
        groups: dict[tuple[Any, ...], set[Any]] = {}
        for facts, one in found.items():
            groups.setdefault(tuple(getattr(facts, n) for n in rest), set()).add(_outcome(one))
        if any(len(group) > 1 for group in groups.values()):
            if name == "matadors" and tables.kind[asked.contract] == NULL_KIND:
                names.append("cards")
            elif not given:
                names.append(name)
    if asked.ending == BY_DECLARER and not names:
        names.append("a completed trick")
    return tuple(names)


def _outcome(one: Settlement) -> Possible:
    return Possible(one.value, one.won, one.score, one.overbid)


# --- answers ----------------------------------------------------------------------------


def _settled(asked: Question, one: Settlement, rules: Rules) -> Answer:
    others = tuple(
        (CONTRACTS[contract], value, one.score // one.value * value)
        for contract, value in one.alternatives
    )
    admissible = {}
    if others and asked.choice is None:
        # The declarer may still choose; the cheapest stands until he does.
        values = sorted({one.value, *(value for _, value, _ in others)})
        scores = sorted({one.score, *(score for _, _, score in others)})
        admissible = {"value": values, "score": scores}
    return Answer(
        Verdict.CONSISTENT, rules.name, one.value, one.won, one.score, one.overbid,
        items(one.lines, rules), admissible, alternatives=others,
        covering=None if one.covering is None else CONTRACTS[one.covering],
    )  # fmt: skip


def _open(asked: Question, found: Mapping[Facts, Settlement], rules: Rules) -> Answer:
    outcomes = {_outcome(one) for one in found.values()}
    if asked.choice is None:
        outcomes |= {
            Possible(value, one.won, one.score // one.value * value, one.overbid)
            for one in found.values()
            for _, value in one.alternatives
        }
    admissible: dict[str, list[Any]] = {
        "value": sorted({one.value for one in outcomes}),
        "score": sorted({one.score for one in outcomes}),
    }
    won, overbid = {one.won for one in outcomes}, {one.overbid for one in outcomes}
    for name, values in (("won", won), ("overbid", overbid)):
        if len(values) > 1:
            admissible[name] = [False, True]
    return Answer(
        Verdict.UNDETERMINED, rules.name,
        won=won.pop() if len(won) == 1 else None,
        overbid=overbid.pop() if len(overbid) == 1 else None,
        admissible=admissible, missing=_missing(asked, found, rules.tables),
        outcomes=tuple(sorted(outcomes, key=lambda one: (-one.score, one))),
    )  # fmt: skip
