"""The fast reader of ISS records: table look-ups over split text, no places, no findings.

It takes records as servers and clients write them and answers None for everything
else, right or wrong. It accepts only what `grammar/iss.lark` accepts, with an equal
record (tests/test_iss_format.py holds it to that).
"""

from __future__ import annotations

import re
from functools import lru_cache

from skatspec.cards import BY_NAME
from skatspec.formats.iss_places import locate
from skatspec.formats.iss_words import (
    FIGURES,
    GAME_NAME,
    GAME_PROPERTY,
    MOVES_PROPERTY,
    OUTCOME_BEFORE,
    OUTCOMES,
    OVERBID,
    OVERBID_BEFORE,
    PROPERTIES,
    RESULT_PROPERTY,
    SEATS,
    SHOW,
    STEPS,
    TAKE,
    WORLD_WORD,
    card_list,
    discard,
    number,
    split_deal,
)
from skatspec.record import (
    Bid,
    Deal,
    Declare,
    Discard,
    Origin,
    PickUp,
    Record,
    Result,
    Show,
    Step,
)

FORMAT = "iss"
# Possessive throughout: what was matched is never tried again, however long the line.
_GAP = r"[ \t\n]*+"
_VALUE = r"\[([^\]]*+)\]"


def _property(name: str, value: str = _VALUE) -> str:
    return f"(?:{name}{value}{_GAP})?+"


_RECORD = re.compile(
    rf"\(;{_GAP}"
    + _property(GAME_PROPERTY, rf"\[{GAME_NAME}\]")
    + "".join(
        _property(row.name, r"\[([" + "".join(row.values) + r"])\]" if row.values else _VALUE)
        for row in PROPERTIES
    )
    + f"{MOVES_PROPERTY}{_VALUE}{_GAP}"
    + _property(RESULT_PROPERTY)
    + r";\)"
)
_TAGS = tuple(row.tag for row in PROPERTIES)
_MAPPED = {row.tag: row.values for row in PROPERTIES if row.values}

# Longer texts are not worth keeping, and kept ones must be bounded.
_LONGEST_KEPT = 120
_AWAY = 2
_NUMBER = re.compile(r"[-+]?[0-9]+(?:[.,][0-9]+)?(?:[eE][-+]?[0-9]+)?")
Moves = tuple[Deal | None, tuple[Step, ...]]


def scan(text: str, source: str = "", index: int = 0, line: int = 1) -> Record | None:
    """Return the record that `text` is from its `(;` to its `;)`, or None: not mine."""
    found = _RECORD.fullmatch(text)
    if found is None:
        return None
    *values, moved, stated = found.groups()
    moves = _moves(moved)
    if moves is None:
        return None
    result = None
    if stated:
        result = _result(stated.rstrip(" \n")) if len(stated) <= _LONGEST_KEPT else None
        if result is None:
            return None
    tags = [
        (tag, value) if tag not in _MAPPED else (tag, _MAPPED[tag][value])
        for tag, value in zip(_TAGS, values, strict=True)
        if value is not None
    ]
    return Record(
        tuple(tags),
        moves[0],
        moves[1],
        result,
        (),
        Origin(source, index, line, FORMAT, text, locate),
    )


# ---------------------------------------------------------------- moves


def _moves(text: str) -> Moves | None:
    words = _words(text)
    if len(words) % 2 or len(words) < 2 or words[0] != WORLD_WORD:
        return None
    deal = _deal(words[1])
    if deal is None:
        return None
    pairs = iter(words)
    next(pairs), next(pairs)
    steps: list[Step] = []
    taken: str | None = None
    get, append = STEPS.get, steps.append
    for pair in zip(pairs, pairs, strict=True):
        step = get(pair)
        if step is not None:
            append(step)
            continue
        player, action = pair
        if player == WORLD_WORD:
            if not _show_skat(action, steps):
                return None
        elif player not in SEATS or len(action) > _LONGEST_KEPT:
            return None
        elif action == TAKE:
            taken = player
            append(PickUp(SEATS[player]))
        else:
            further = _further(player, action, taken == player)
            if not further:
                return None
            steps += further
            if taken == player and type(further[0]) is Discard:
                taken = None
    return deal, tuple(steps)


def _words(text: str) -> list[str]:
    if "\n" in text:
        return [word for word in text.replace("\n", " ").split(" ") if word]
    words = text.split(" ")
    if words[-1] == "":
        words.pop()
    return words


def _deal(token: str) -> Deal | None:
    if "|" not in token:
        cards = card_list(token)
        return None if cards is None else split_deal(cards)
    parts = [card_list(part) if part else () for part in token.split("|")]
    if len(parts) != len(SEATS) + 1 or None in parts:
        return None
    first, second, third, skat = parts
    return Deal((first, second, third), skat)


def _show_skat(action: str, steps: list[Step]) -> bool:
    """Put the world's answer into the pick-up it follows; False where it follows none."""
    last = steps[-1] if steps else None
    cards = card_list(action)
    if type(last) is not PickUp or last.cards is not None or cards is None:
        return False
    steps[-1] = PickUp(last.seat, cards)
    return True


@lru_cache(1 << 14)
def _further(player: str, action: str, taken: bool) -> tuple[Step, ...]:
    """Return the steps of an action outside the table, none where it is no move.

    `taken` says that the player has the skat and has put nothing away yet.
    """
    seat = SEATS[player]
    if _NUMBER.fullmatch(action):
        return (Bid(seat, number(action)),)
    if "." not in action:
        return ()
    head, _, tail = action.partition(".")
    cards = card_list(tail)
    if cards is None:
        return ()
    if head == SHOW:
        return (Show(seat, cards),)
    if head in BY_NAME:
        return (Discard(seat, discard((BY_NAME[head], *cards))),)
    declared = STEPS.get((player, head))
    if type(declared) is not Declare:
        return ()
    if not taken:
        return (Declare(seat, declared.contract, declared.modifiers, cards),)
    shown = cards[_AWAY:] or None
    return (
        Discard(seat, cards[:_AWAY]),
        Declare(seat, declared.contract, declared.modifiers, shown),
    )


# ---------------------------------------------------------------- result


def _full_result() -> re.Pattern[str]:
    """Build the pattern of a result written in full; `r` alone may be missing."""
    words: list[str] = []
    for row in FIGURES:
        if row.key == OUTCOME_BEFORE:
            words.append(f"({'|'.join(OUTCOMES)})")
        if row.key == OVERBID_BEFORE:
            words.append(f"({'|'.join(OVERBID)})")
        words.append(f"{row.key}:({row.pattern})")
    return re.compile(" ".join(words[:-1]) + f"(?: {words[-1]})?")


_FULL = _full_result()


def _bare(kind: str, won: bool | None) -> Result:
    return Result(kind, won=won)


@lru_cache(1 << 13)
def _result(text: str) -> Result | None:
    if text in OUTCOMES:
        return _bare(*OUTCOMES[text])
    found = _FULL.fullmatch(text)
    if found is None:
        return None
    d, outcome, v, m, bid, p, t, s, z, p0, p1, p2, left, out, r = found.groups()
    kind, won = OUTCOMES[outcome]
    return Result(
        kind,
        int(d),
        won,
        int(v),
        int(m),
        OVERBID[bid],
        int(p),
        int(t),
        s == "1",
        z == "1",
        (p0 == "1", p1 == "1", p2 == "1"),
        int(left),
        int(out),
        None if r is None else r == "1",
    )
