"""A made-up game as it is put together: deal, moves, result; ISS text and record come from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter

from skatspec.conformance.generator import frame
from skatspec.conformance.generator.moves import Move, card_words
from skatspec.formats import iss_write
from skatspec.formats.iss_words import (
    GAME_NAME,
    OUTCOME_WORDS,
    OVERBID_WORDS,
    WORLD_WORD,
)
from skatspec.record import Deal, Record, Result

_HAND = 10
# What every result of a game or a penalty states.
_FULL = attrgetter(
    "declarer", "score", "matadors", "points", "tricks", "schneider", "schwarz", "left", "timed_out"
)


@dataclass(slots=True)
class Game:
    """One game; everything that a mutation changes is a list or is replaced whole.

    `deal` are the cards in dealing order. `calls` says how many of the moves are the
    auction's, `declared` which move is the declaration (-1: none), `skat_taken` and `put_away`
    likewise, `lead` which move is the first behind declaration and discard. `hands` are the
    hands at the lead. `modifiers` hold what the announcements include, `stated` what was said.
    `judged` says whether the rules judge the level flags of the result. `ended` names the end,
    `view` is the viewer's seat or 3 for the public (-1: none hidden), `plain` is false where the
    text is written otherwise than iss_write would.
    """

    number: int
    deal: list[int]
    tags: frame.Tags = ()
    moves: list[Move] = field(default_factory=list)
    result: Result | None = None
    calls: int = 0
    bid: int = 0
    implied: bool = False
    declarer: int = -1
    contract: int = -1
    modifiers: int = 0
    stated: int = 0
    skat_taken: int = -1
    declared: int = -1
    put_away: int = -1
    away: tuple[int, ...] = ()
    lead: int = -1
    hands: tuple[tuple[int, ...], ...] = ()
    ended: str = ""
    course: str = ""
    judged: bool = True
    view: int = -1
    plain: bool = True
    mutation: str = ""


def iss_text(game: Game) -> str:
    """Return the game as one line of ISS text with its end."""
    moves = " ".join([move[0] for move in game.moves])
    deal = card_words(game.deal) if game.view < 0 else _parted(game.deal)
    gap = " " if moves else ""
    result = f"R[{result_words(game.result)}]" if game.result is not None else ""
    return (
        f"(;GM[{GAME_NAME}]{frame.iss_text(game.tags)}"
        f"MV[{WORLD_WORD} {deal} {moves}{gap}]{result} ;)\n"
    )


def record(game: Game) -> Record:
    """Return the game as a record."""
    steps = tuple([step for move in game.moves for step in move[1]])
    return Record(game.tags, dealt(game.deal), steps, game.result)


def dealt(cards: list[int]) -> Deal:
    """Return cards in dealing order as a deal."""
    hands = [tuple(cards[start : start + _HAND]) for start in (0, _HAND, 2 * _HAND)]
    return Deal((hands[0], hands[1], hands[2]), tuple(cards[3 * _HAND :]))


def _parted(cards: list[int]) -> str:
    return "|".join([card_words(part or ()) for part in dealt(cards).parts()])


def result_words(result: Result) -> str:
    """Return what stands in the brackets of an ISS result."""
    p = result.penalized
    if p is None or result.overbid is None or None in _FULL(result):
        return _some_words(result)
    gone = f"l:{result.left} to:{result.timed_out}"
    last = "" if result.resigned is None else f" r:{result.resigned:d}"
    return (
        f"d:{result.declarer} {OUTCOME_WORDS[result.kind, result.won]} v:{result.score} "
        f"m:{result.matadors} {OVERBID_WORDS[result.overbid]} p:{result.points} "
        f"t:{result.tricks} s:{result.schneider:d} z:{result.schwarz:d} "
        f"p0:{p[0]:d} p1:{p[1]:d} p2:{p[2]:d} {gone}{last}"
    )


def _some_words(result: Result) -> str:
    """Return the words of a result that states only some of the figures."""
    outcome = OUTCOME_WORDS.get((result.kind, result.won))
    rows = iss_write.stated_words(result, outcome)
    return " ".join([word if row is None else f"{row.key}:{word}" for row, word in rows])
