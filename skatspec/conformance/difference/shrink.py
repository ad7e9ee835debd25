"""Makes an input smaller as long as it still shows the same disagreement: greedy, to a fixpoint.

Nothing here knows what is asked. `same` says of a smaller input whether both sides still
answer in that way; every change is tried in a fixed order, so that the same engine leaves
the same smallest input.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from skatspec.cards import BY_NAME, NAMES
from skatspec.conformance.difference import shrink_record
from skatspec.rules.tables import CONTRACT, TRUMP, Tables
from skatspec.settling import PLAYED_OUT

MOST_QUESTIONS = 2000
# Faults that a shrinking may call forth: each one costs a process, a silence its whole time.
MOST_FAULTS = 40

Given = dict[str, Any]
Same = Callable[[Given], bool]


class Trial:
    """A `same` with an account: each input is asked once, and at most so many are.

    `asked` counts the questions. When the account is empty every input is refused, which
    brings the shrinking to its end.
    """

    def __init__(self, same: Same, is_fault: bool, most: int = MOST_QUESTIONS) -> None:
        self._same, self._most = same, most
        self._faults = MOST_FAULTS if is_fault else most
        self._seen: set[int] = set()
        self.asked = 0

    def __call__(self, given: Given) -> bool:
        """Ask about an input; one that was asked before is not smaller than itself."""
        key = hash(json.dumps(given, sort_keys=True))
        if key in self._seen or self.asked >= self._most or self._faults <= 0:
            return False
        self._seen.add(key)
        self.asked += 1
        if not self._same(given):
            return False
        self._faults -= 1
        return True


def smaller(task: str, given: Given, same: Same, tables: Tables) -> Given:
    """Return the smallest input that was found; `same` need not hold for `given` itself."""
    if task == "legal":
        return _trick(given, same, tables) if "trick" in given else _hand(given, same, tables)
    if task == "settle":
        return _facts(given, same, tables)
    return shrink_record.smaller(given, same)


def _fixpoint(given: Given, same: Same, changes: Callable[[Given], Iterator[Given]]) -> Given:
    """Take the first change that holds, and begin anew, until none does."""
    while True:
        found = next((one for one in changes(given) if same(one)), None)
        if found is None:
            return given
        given = found


# --- cards -------------------------------------------------------------------------------


def _hand(given: Given, same: Same, tables: Tables) -> Given:
    """Leave out cards of a hand, then take plainer ones."""

    def changes(now: Given) -> Iterator[Given]:
        hand = now["hand"]
        for at in reversed(range(len(hand))):
            if len(hand) > 1:
                yield now | {"hand": hand[:at] + hand[at + 1 :]}
        taken = {*hand, now["led"]}
        for card in _plainer(now["led"], taken, tables, now["contract"]):
            yield now | {"led": card}
        for at, held in enumerate(hand):
            for card in _plainer(held, taken, tables, now["contract"]):
                yield now | {"hand": sorted([*hand[:at], card, *hand[at + 1 :]])}

    return _fixpoint(given, same, changes)


def _trick(given: Given, same: Same, tables: Tables) -> Given:
    """Take plainer cards; three it must be."""

    def changes(now: Given) -> Iterator[Given]:
        trick = now["trick"]
        for at, held in enumerate(trick):
            for card in _plainer(held, set(trick), tables, now["contract"]):
                yield now | {"trick": [*trick[:at], card, *trick[at + 1 :]]}

    return _fixpoint(given, same, changes)


def _plainer(name: str, taken: Iterable[str], tables: Tables, contract: str) -> Iterator[str]:
    """Yield cards of the same suit that say less: no trump before a trump, few points first."""
    follow = tables.follow[CONTRACT[contract]]

    def plainness(card: int) -> tuple[bool, int, int]:
        return follow[card] == TRUMP, tables.points[card], card

    own = BY_NAME[name]
    suit = [card for card in range(len(follow)) if NAMES[card][0] == name[0]]
    for card in sorted(suit, key=plainness):
        if plainness(card) < plainness(own) and NAMES[card] not in taken:
            yield NAMES[card]


# --- facts -------------------------------------------------------------------------------


def _facts(given: Given, same: Same, tables: Tables) -> Given:
    """Leave out announcements, play the game out, and make the numbers smaller."""

    def changes(now: Given) -> Iterator[Given]:
        said = now["modifiers"]
        if said:
            yield now | {"modifiers": []}
        for at in range(len(said)):
            yield now | {"modifiers": said[:at] + said[at + 1 :]}
        if now["ending"] != PLAYED_OUT:
            yield now | {"ending": PLAYED_OUT}
        if "cards" in now:
            yield {key: value for key, value in now.items() if key != "cards"}
        for run in _runs(now["matadors"]):
            yield now | {"matadors": run}
        if now["bid"] is not None:
            for bid in tables.bids:
                if bid < now["bid"]:
                    yield now | {"bid": bid}
        if now["points"] is not None:
            for points in _towards_an_edge(now["points"], tables):
                yield now | {"points": points}

    return _fixpoint(given, same, changes)


def _runs(text: str | None) -> Iterator[str]:
    """Yield shorter runs of matadors, the shortest first."""
    word, _, number = (text or "").partition(" ")
    for shorter in range(1, int(number or 1)):
        yield f"{word} {shorter}"


def _towards_an_edge(points: int, tables: Tables) -> Iterator[int]:
    """Yield points nearer to where something changes, the nearest to it first."""
    total, least = tables.total_points, tables.schneider_points
    lower = (0, least, total - least - 1, tables.win_points - 1)
    edges = {*lower, *(edge + 1 for edge in lower), total}
    edge = min(edges, key=lambda one: (abs(one - points), one))
    step = 1 if edge < points else -1
    yield from range(edge, points, step)
