"""What an engine is asked about a made-up game: its record, its facts, its cards.

Every question is one of the suite's own: a task with an input of schema `case`. An engine
that knows nothing but legality can so be asked about the same games as one that checks.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from skatspec.cards import NAMES
from skatspec.conformance import answers
from skatspec.conformance.generator.generate import SKAT, Generated
from skatspec.conformance.generator.make import LOST_AT_ONCE
from skatspec.conformance.generator.play import (
    NULL_LOST,
    PLAYED_OUT,
    SCHNEIDER_MISSED,
    SCHWARZ_MISSED,
)
from skatspec.conformance.generator.score import RESIGN
from skatspec.conformance.generator.table import CARDS, SEATS, TRICKS
from skatspec.record import GAME, MODIFIERS, Play
from skatspec.rules import Rules
from skatspec.rules.tables import CONTRACTS, NULL_KIND
from skatspec.settling import BY_DECLARER, BY_DEFENDERS
from skatspec.settling import PLAYED_OUT as BY_CARDS

CHECK, SETTLE, LEGAL = TASKS = ("check", "settle", "legal")
# Of the up to 20 cards that follow and 10 tricks of a game, so many are asked: more would
# say the same over and over, and the records would be a small part of the run.
FOLLOWS, WHOLE_TRICKS = 4, 2

_ENDINGS = {
    **dict.fromkeys(
        (PLAYED_OUT, NULL_LOST, SCHNEIDER_MISSED, SCHWARZ_MISSED, LOST_AT_ONCE), BY_CARDS
    ),
    f"{RESIGN}, declarer": BY_DECLARER,
    f"{RESIGN}, defender": BY_DEFENDERS,
}
_SAID = ("hand", "schneider", "schwarz", "ouvert")

Given = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """A task and its input; `game` is the number of the game (from 0) that it comes from.

    `mutation` names the fault that the game's record carries, "" for none.
    """

    task: str
    given: Given
    game: int
    mutation: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """Which questions are asked: tasks, the records' format, the rules, what draws a sample.

    `settings` are the keys of `rules` that the games are played with otherwise.
    """

    tasks: Collection[str]
    form: str
    rules: Rules
    settings: tuple[str, ...]
    seed: int


def questions(one: Generated, asking: Asking) -> Iterator[Question]:
    """Yield what is asked about a game: a mutated one and a view are asked as records only."""
    if CHECK in asking.tasks:
        yield Question(CHECK, _check(one.text, asking), one.number, one.mutation)
    if one.mutation or one.game.view >= 0 or not one.game.hands:
        return
    if SETTLE in asking.tasks:
        for given in _facts(one, asking):
            yield Question(SETTLE, given, one.number)
    if LEGAL in asking.tasks:
        draw = random.Random(f"{asking.seed}/{one.number}/cards")
        follows, tricks = _cards(one)
        for rows, most in ((follows, FOLLOWS), (tricks, WHOLE_TRICKS)):
            for at in sorted(draw.sample(range(len(rows)), min(most, len(rows)))):
                yield Question(LEGAL, rows[at], one.number)


def _check(text: str, asking: Asking) -> Given:
    given: Given = {"format": asking.form, "record": text}
    return given | _changed(asking)


def _changed(asking: Asking) -> Given:
    return {"set": list(asking.settings)} if asking.settings else {}


# --- facts -------------------------------------------------------------------------------


def _facts(one: Generated, asking: Asking) -> Iterator[Given]:
    """Yield the facts of a game as a question, where they settle it as its record does."""
    game, result = one.game, one.game.result
    ending = _ENDINGS.get(game.ended)
    if result is None or result.kind != GAME or ending is None:
        return
    is_null = asking.rules.tables.kind[game.contract] == NULL_KIND
    run = result.matadors or 0
    given: Given = {
        "contract": CONTRACTS[game.contract],
        "modifiers": [word for word in _SAID if game.stated & MODIFIERS[word]],
        "matadors": None if is_null else f"{'with' if run > 0 else 'without'} {abs(run)}",
        "bid": game.bid, "points": result.points, "tricks": result.tricks, "ending": ending,
        **_changed(asking),
    }  # fmt: skip
    start = TRICKS * game.declarer
    twelve = [*game.deal[start : start + TRICKS], *game.deal[CARDS:]]
    # the cards stand only where the rest is too little: a Null that is charged as another game
    for asked in (given, given | {"cards": " ".join(sorted(_names(twelve)))}):
        said = answers.answer(SETTLE, asked, asking.rules)
        if said.get("score") == result.score:
            yield asked
            return


# --- cards -------------------------------------------------------------------------------


def _cards(one: Generated) -> tuple[list[Given], list[Given]]:
    """Return a game's cards as questions: those that followed a lead, and the whole tricks."""
    game = one.game
    contract = CONTRACTS[game.contract]
    hands = [list(held) for held in game.hands]
    follows: list[Given] = []
    tricks: list[Given] = []
    trick: list[int] = []
    for _, steps in game.moves[game.lead :]:
        for step in steps:
            if not isinstance(step, Play):
                continue
            if trick:
                hand = sorted(_names(hands[step.seat]))
                follows.append({"contract": contract, "hand": hand, "led": NAMES[trick[0]]})
            hands[step.seat].remove(step.card)
            trick.append(step.card)
            if len(trick) == SEATS:
                tricks.append({"contract": contract, "trick": _names(trick)})
                trick.clear()
    return follows, tricks


def _names(cards: Sequence[int]) -> list[str]:
    return [NAMES[card] for card in cards]


def suffix_of(form: str) -> str:
    """Return the suffix of a record's file."""
    return ".skat" if form == SKAT else ".sgf"
