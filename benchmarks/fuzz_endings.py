"""ISS lines of deals that stop anywhere: before, within and behind the declaration.

Servers write few of them, so few changes of sound games come by them.
"""

from __future__ import annotations

import random

from skatspec.cards import DECK, NAMES
from skatspec.check import Report, check
from skatspec.formats import iss
from skatspec.formats.lines import from_text
from skatspec.record import SEAT_LETTERS
from skatspec.rules import Rules

_AUCTIONS = (
    ("1 {bid} 0 p 2 p", 1), ("1 {bid} 0 y 1 p 2 p", 0), ("1 p 2 {bid} 0 p", 2),
    ("1 p 2 p 0 {bid}", 0), ("1 p 2 p", 0), ("1 {bid} 0 p 2 264 1 p", 2), ("1 {bid} 0 p", 1),
    ("1 p 2 p 0 p", 0), ("", 0),
)  # fmt: skip
_BIDS = (18, 18, 18, 20, 22, 23, 24, 27, 30, 35, 36, 46, 48, 59, 60, 72, 96, 120, 144, 192, 264)
_GAMES = ("N", "NO", "G", "GO", "C", "S", "H", "D", "CO")
_HAND_GAMES = (
    "NH", "NHO", "NO", "GH", "GHS", "GHSZ", "GHZ", "GHSZO", "GHO", "CH", "SHS", "DHSZ", "HHSZO",
    "O", "GO", "CO",
)  # fmt: skip
_ENDS = (
    "0 RE", "1 RE", "2 RE", "0 RE 1 RE", "1 RE 2 RE", "2 RE 1 RE", "0 RE 1 RE 2 RE", "w TI.0",
    "w TI.1", "w TI.2", "w LE.0", "w LE.1", "w LE.2", "0 SC", "1 SC", "2 SC", "0 SC 0 RE",
    "1 SC 2 RE 0 RE", "1 RE w LE.1", "2 RE w TI.0", "",
)  # fmt: skip


def drawn(chance: random.Random) -> str:
    """Return the moves of a deal that stops, perhaps by no rule."""
    cards = list(NAMES[:DECK])
    chance.shuffle(cards)
    calls, declarer = chance.choice(_AUCTIONS)
    words = ["w " + ".".join(cards), calls.format(bid=chance.choice(_BIDS))]
    hands = [cards[10 * seat : 10 * seat + 10] for seat in range(3)]
    if chance.random() < 0.6:
        _with_skat(chance, words, cards, hands, declarer)
    elif chance.random() < 0.9:
        words.append(f"{declarer} {chance.choice(_HAND_GAMES)}")
    if chance.random() < 0.1:
        words.append(f"{declarer} SC." + ".".join(hands[declarer]))
    words += _play(chance, hands)
    words.append(chance.choice(_ENDS))
    return " ".join(word for word in words if word)


def _with_skat(
    chance: random.Random, words: list[str], cards: list[str], hands: list[list[str]],
    declarer: int,
) -> None:  # fmt: skip
    """Add a pick-up and what follows it, at times not all of it."""
    words.append(f"{declarer} s")
    if chance.random() < 0.9:
        words.append("w " + ".".join(cards[30:]))
    hands[declarer] += cards[30:]
    away = chance.sample(hands[declarer], 2)
    game, put = chance.choice(_GAMES), ".".join(away)
    kind = chance.randrange(10)
    if kind < 6:
        words.append(f"{declarer} {game}.{put}")
    elif kind == 6:
        words += [f"{declarer} {put}", f"{declarer} {game}"]
    elif kind == 7:
        words += [f"{declarer} {game}", f"{declarer} {put}"]
    elif kind == 8:
        words.append(f"{declarer} {game}")
        return
    else:
        words.append(f"{declarer} {put}")
    hands[declarer][:] = [card for card in hands[declarer] if card not in away]


def _play(chance: random.Random, hands: list[list[str]]) -> list[str]:
    """Return some cards played in turn, mostly of the suit led."""
    words, led = [], ""
    for number in range(chance.choice((0, 0, 1, 2, 3, 3, 4))):
        seat = number % 3
        suit = [card for card in hands[seat] if card[0] == led and card[1] != "J"]
        card = chance.choice(suit or hands[seat])
        hands[seat].remove(card)
        led = card[0] if seat == 0 else led
        words.append(f"{seat} {card}")
    return words


def with_result(chance: random.Random, moves: str, rules: Rules) -> bytes:
    """Return a line of moves, with a result that is right or nearly so where there is one."""
    line = f"(;GM[Skat]ID[7]P0[a]P1[b]P2[c]MV[{moves} ] ;)"
    (report,) = [check(one, rules) for one in iss.read(from_text(line))]
    stated = chance.choice(("", "unknown", "passed", result(chance, report)))
    if stated or chance.random() < 0.2:
        line = line.replace("] ;)", f"]R[{stated}] ;)")
    return line.encode()


def result(chance: random.Random, report: Report) -> str:
    """Return a result in full, its flags drawn and at times a figure off by something."""
    score = report.score or 0
    seat = -1 if report.declarer is None else SEAT_LETTERS.index(report.declarer)
    numbers = [score, report.matadors or 0, report.points or 0, report.tricks or 0]
    if chance.random() < 0.3:
        at = chance.randrange(4)
        numbers[at] = chance.choice((-numbers[at], numbers[at] + 1, numbers[at] * 2))
    word = "win" if numbers[0] > 0 else "loss"
    if report.value is None:
        word = "penalty"
        seat = chance.choice((seat, -1))
    score, matadors, points, tricks = numbers
    left, out = (chance.choice((-1, -1, 0, 1, 2)) for _ in range(2))
    flags = [chance.choice((0, 0, 0, 1)) for _ in range(6)]
    bid = chance.choice(("bidok", "bidok", "overbid"))
    s, z, p0, p1, p2, given = flags
    text = (
        f"d:{seat} {word} v:{score} m:{matadors} {bid} p:{points} t:{tricks} s:{s} z:{z}"
        f" p0:{p0} p1:{p1} p2:{p2} l:{left} to:{out} r:{given}"
    )
    dropped = [one for one in text.split() if one[0] in "dmptvwlbop" or chance.random() < 0.5]
    return text if chance.random() < 0.5 else " ".join(dropped)
