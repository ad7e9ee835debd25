"""What a line behind `!` says: an irregular step, or any step that stands out of its place."""

from __future__ import annotations

from collections.abc import Sequence

from skatspec.formats.skat.items import (
    A_BID,
    A_CARD,
    A_GAME,
    A_SEAT,
    ACTS,
    THE_END,
    CardWords,
    Problem,
    Steps,
    Word,
    act,
    auction_end,
    bid,
    card_list,
    cut,
    game,
    quoted,
)
from skatspec.formats.skat.words import DEEDS, SEATS
from skatspec.record import (
    MODIFIERS,
    SCHNEIDER,
    SCHWARZ,
    WORLD,
    Claim,
    Play,
    Ruling,
    Show,
    Step,
)

A_RULING = '`ruling "its source" won` or `lost`, then levels, then perhaps `without skat`'
A_DEED = (
    "`shows`, `resigns`, `agrees`, `refuses`, `claims`, `gives`, `throws open`, `revokes`, "
    "`leads wrongly`, `plays out of turn`, `plays early`, `timed out`, `left`, or a step out of "
    "its place such as `bids 18`"
)


def aside(line: str, words: CardWords) -> Steps | Problem:
    """Read an irregular step, `! F shows`, or any step that stands out of its place."""
    start = line.index("!") + 1
    parts = cut(line, start)
    if isinstance(parts, Problem):
        return parts
    clause = parts.clauses[0]
    if len(parts.clauses) > 1:
        late = parts.clauses[1][0]
        return Problem("N001", late.start, late.end, "one step a line")
    notes: list[Problem] = []
    step = _step(clause, words, notes)
    if isinstance(step, Problem):
        return step
    return Steps((step,), ((start - 1, parts.end),), tuple(notes), parts.comments)


def _step(clause: Sequence[Word], words: CardWords, notes: list[Problem]) -> Step | Problem:
    first = clause[0].text.lower()
    if first == "ruling":
        return _ruling(clause)
    if first == "declares":
        return _declares(WORLD, clause, words, notes)
    seat = SEATS.get(clause[0].text)
    if seat is None:
        return Problem("N001", clause[0].start, clause[0].end, A_SEAT)
    if len(clause) == 1:
        return Problem("N001", clause[0].start, clause[0].end, f"behind the seat {A_DEED}")
    return _deed(seat, clause[1:], words, notes)


def _ruling(clause: Sequence[Word]) -> Step | Problem:
    """Read `ruling "source" won schneider without skat`."""
    if len(clause) < 3 or clause[1].text[0] != '"':
        return Problem("N001", clause[0].start, clause[-1].end, A_RULING)
    source, outcome = quoted(clause[1]), clause[2].text.lower()
    if isinstance(source, Problem):
        return source
    if outcome not in ("won", "lost"):
        return Problem("N001", clause[2].start, clause[2].end, "won or lost")
    rest = list(clause[3:])
    without = [word.text.lower() for word in rest[-2:]] == ["without", "skat"]
    levels = _levels(rest[:-2] if without else rest)
    if isinstance(levels, Problem):
        return levels
    return Ruling(WORLD, outcome == "won", source, levels, not without)


def _claim(seat: int, words: Sequence[Word]) -> Step | Problem:
    levels = _levels(words)
    return levels if isinstance(levels, Problem) else Claim(seat, levels)


def _levels(levels: Sequence[Word]) -> int | Problem:
    """Read the levels that are claimed or awarded."""
    bits = 0
    for word in levels:
        bit = MODIFIERS.get(word.text.lower(), 0) & (SCHNEIDER | SCHWARZ)
        if not bit:
            return Problem("N009", word.start, word.end, "schneider, schwarz, or " + THE_END)
        if bits & bit:
            return Problem("N010", word.start, word.end, "", (("what", word.text.lower()),))
        bits |= bit
    return bits


def _deed(
    seat: int, clause: Sequence[Word], words: CardWords, notes: list[Problem]
) -> Step | Problem:
    plain = DEEDS.get(" ".join(word.text.lower() for word in clause))
    if plain is not None:
        return plain(seat)
    verb, *rest = clause
    text = verb.text.lower()
    if text in ACTS:
        return act(seat, clause, words, notes)
    if text == "shows":
        cards = card_list(rest, words)
        return cards if isinstance(cards, Problem) else Show(seat, cards if rest else None)
    if text == "claims":
        return _claim(seat, rest)
    if text == "declares":
        return _declares(seat, clause, words, notes)
    if text == "plays":
        return _plays(seat, clause, words)
    if text != "bids":
        return Problem("N009", verb.start, clause[-1].end, A_DEED)
    return _one_word(clause, A_BID) or bid(seat, rest[0])


def _declares(
    seat: int, clause: Sequence[Word], words: CardWords, notes: list[Problem]
) -> Step | Problem:
    if len(clause) == 1:
        return Problem("N001", clause[0].start, clause[0].end, f"behind `declares` {A_GAME}")
    return game(seat, clause[1:], words, notes, A_GAME)


def _plays(seat: int, clause: Sequence[Word], words: CardWords) -> Step | Problem:
    """Read `plays CJ` or `plays at 24`."""
    if len(clause) > 2 and clause[1].text.lower() == "at":
        return auction_end(seat, clause, THE_END)
    wrong = _one_word(clause, A_CARD)
    if wrong is not None:
        return wrong
    card = words.get(clause[1].text)
    if card is None:
        return Problem("N004", clause[1].start, clause[1].end, A_CARD)
    return Play(seat, card)


def _one_word(clause: Sequence[Word], wanted: str) -> Problem | None:
    """Say what is wrong if there is not exactly one word behind a verb."""
    verb, *rest = clause
    if not rest:
        return Problem("N001", verb.start, verb.end, f"behind `{verb.text.lower()}` {wanted}")
    if len(rest) > 1:
        return Problem("N001", rest[1].start, rest[-1].end, THE_END)
    return None
