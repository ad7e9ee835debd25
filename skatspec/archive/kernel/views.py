"""The kernel's player views: records in which cards are hidden, where the play shows them all.

Thirty cards that were played say what each hand held, and what is left was put away. So a view
is written out anew as a record with every card open that it allows, and that is replayed; the
cards it shows must be such as it can have. Views that stop before the last card go to the
scalar engine, but for deals without a game.
"""

from __future__ import annotations

import numpy as np

from skatspec.archive.kernel.answers import PADDING
from skatspec.archive.kernel.flat import CARDS
from skatspec.archive.kernel.jit import compiled
from skatspec.archive.kernel.letters import BAR, CLOSE, DOT, HIDDEN, SPACE, ZERO, card_at
from skatspec.archive.kernel.state import ENDED, PASSED, PENALTY, TRICKS, VIEW_END, VIEW_PLAYED
from skatspec.archive.kernel.tricks import ALL
from skatspec.archive.kernel.unchecked import byte, lowest, read_only
from skatspec.cards import RANKS, SUITS
from skatspec.engine.facts import TRICKS as TEN_TRICKS
from skatspec.formats.iss_words import HAND_SIZE

# What a view tells: the cards shown as dealt (three hands, skat), those played by each hand, the
# skat shown to who took it up, who that was, the two cards put away, where the moves end.
KNOWN, PLAYED, SEEN, TAKER, AWAY, END, TOLD = 0, 4, 7, 8, 9, 10, 11
SKAT = 3
# Longer moves are not written out; a whole game takes about 500 bytes.
MOST_MOVES = 2000
_AWAY_CARDS = 2
_WORLD, _TAKE = ord("w"), ord("s")
_SHOW = tuple(b"SC")
_HIDDEN = -1
_SUITS = np.array([ord(letter) for letter in SUITS], np.uint8)
_RANKS = np.array([ord(letter) for letter in RANKS], np.uint8)


@compiled()
def is_view(buf, p):
    """Say whether the deal at `p` is that of a view: a bar behind the first ten cards."""
    return byte(buf, p + 1 + 3 * HAND_SIZE) == BAR


@compiled()
def opened(buf, p, end, g):
    """Return the moves of a view with every card open.

    `g[VIEW_END]` is where they end in `buf`, 0 where that cannot be done, and `g[VIEW_PLAYED]`
    says whether cards were played.
    """
    g[VIEW_END] = 0
    told = np.zeros(TOLD, np.int64)
    text = np.zeros(MOST_MOVES + PADDING, np.uint8)
    behind = shown_deal(buf, p, told)
    if behind and gather(buf, behind, end, told):
        played = (told[PLAYED] | told[PLAYED + 1] | told[PLAYED + 2]) != 0
        placed = place(told) if played else place_anywhere(told)
        if placed and write(buf, behind, text, told):
            g[VIEW_END], g[VIEW_PLAYED] = told[END], played
    return read_only(text)


@compiled()
def complete(g):
    """Say whether a view that was replayed tells everything: a whole game, or a deal without."""
    if g[VIEW_PLAYED]:
        return g[TRICKS] == TEN_TRICKS
    return g[ENDED] == PASSED or g[ENDED] == PENALTY


@compiled()
def item(buf, p):
    """Return the card of the two bytes at `p`, `_HIDDEN` for `??`, 32 and more for neither."""
    hidden = byte(buf, p) == HIDDEN and byte(buf, p + 1) == HIDDEN
    return _HIDDEN if hidden else card_at(buf, p)


@compiled()
def shown(buf, p, count, inner):
    """Return the mask of `count` cards with `inner` between them, -1 where these are not there.

    Hidden ones are left out; no card stands twice.
    """
    mask = 0
    for at in range(p, p + 3 * count, 3):
        card = item(buf, at)
        if card >= CARDS or (card >= 0 and mask >> card & 1):
            return -1
        if at < p + 3 * count - 3 and byte(buf, at + 2) != inner:
            return -1
        if card >= 0:
            mask |= 1 << card
    return mask


@compiled()
def shown_deal(buf, p, told):
    """Take the parts of a deal; return the place of the next move, 0 where it is none."""
    if byte(buf, p) != _WORLD or byte(buf, p + 1) != SPACE:
        return 0
    p += 2
    every = 0
    for part in range(4):
        count = HAND_SIZE if part < SKAT else _AWAY_CARDS
        mask = shown(buf, p, count, DOT)
        if mask < 0 or mask & every:
            return 0
        told[KNOWN + part] = mask
        every |= mask
        p += 3 * count
        if part < SKAT and byte(buf, p - 1) != BAR:
            return 0
    if byte(buf, p - 1) == CLOSE:
        return p - 1
    return p if byte(buf, p - 1) == SPACE else 0


@compiled()
def gather(buf, p, end, told):
    """Collect what the moves show; say whether they show every card, or that none was played."""
    told[TAKER] = -1
    taking, count = False, 0
    while byte(buf, p) != CLOSE:
        w = p + 2
        while w < end and byte(buf, w) > SPACE and byte(buf, w) != CLOSE:
            w += 1
        n, seat = w - p - 2, byte(buf, p) - ZERO
        if n == 0 or w >= end or byte(buf, p + 1) != SPACE:
            return False
        player = 0 <= seat <= 2
        takes = player and n == 1 and byte(buf, p + 2) == _TAKE
        if takes:
            if told[TAKER] >= 0:
                return False
            told[TAKER] = seat
        elif player and n == 2 and card_at(buf, p + 2) < CARDS:
            bit = 1 << card_at(buf, p + 2)
            if (told[PLAYED] | told[PLAYED + 1] | told[PLAYED + 2]) & bit:
                return False
            told[PLAYED + seat] |= bit
            count += 1
        elif byte(buf, p) == _WORLD and n == 5:
            told[SEEN] = shown(buf, p + 2, _AWAY_CARDS, DOT) if taking else -1
            if told[SEEN] < 0:
                return False
        taking = takes
        p = w + (byte(buf, w) == SPACE)
    told[END] = p
    return count == 0 or count == 3 * TEN_TRICKS


@compiled()
def number_of(mask):
    """Return how many cards a mask holds."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled()
def place(told):
    """Set the deal that the play tells of; say whether it can be the one that was shown."""
    taker = told[TAKER]
    away = ALL & ~(told[PLAYED] | told[PLAYED + 1] | told[PLAYED + 2])
    told[AWAY] = away
    for seat in range(3):
        if number_of(told[PLAYED + seat]) != HAND_SIZE:
            return False
        own = told[PLAYED + seat] | (away if seat == taker else 0)
        if told[KNOWN + seat] & ~own:
            return False
    if taker < 0:
        for seat in range(3):
            told[KNOWN + seat] = told[PLAYED + seat]
        fits = told[KNOWN + SKAT] & ~away == 0
        told[KNOWN + SKAT] = away
        return fits
    twelve = told[PLAYED + taker] | away
    skat = told[KNOWN + SKAT] | told[SEEN]
    # which of the twelve lay in the skat is open where nothing shows it, and does not matter
    free = twelve & ~told[KNOWN + taker]
    if skat & ~free:
        return False
    while number_of(skat) < _AWAY_CARDS:
        skat |= 1 << lowest(free & ~skat)
    for seat in range(3):
        told[KNOWN + seat] = twelve & ~skat if seat == taker else told[PLAYED + seat]
    told[KNOWN + SKAT] = skat
    return number_of(skat) == _AWAY_CARDS


@compiled()
def place_anywhere(told):
    """Deal the cards not shown to whatever place is short of any: there was no game."""
    free = ALL
    for part in range(4):
        free &= ~told[KNOWN + part]
    for part in range(4):
        while number_of(told[KNOWN + part]) < (HAND_SIZE if part < SKAT else _AWAY_CARDS):
            told[KNOWN + part] |= free & -free
            free &= free - 1
    return told[SEEN] == 0


@compiled()
def put(text, at, mask):
    """Write the cards of a mask with a dot behind each; return the place behind."""
    while mask:
        card = lowest(mask)
        text[at], text[at + 1], text[at + 2] = _SUITS[card >> 3], _RANKS[card & 7], DOT
        at += 3
        mask &= mask - 1
    return at


@compiled()
def write(buf, p, text, told):
    """Write the moves with every card open; return their size, 0 where they cannot be written."""
    text[0], text[1] = _WORLD, SPACE
    at = 2
    for part in range(4):
        at = put(text, at, told[KNOWN + part])
    text[at - 1] = SPACE
    discarded = told[TAKER] < 0
    while p < told[END]:
        w = p + 2
        while byte(buf, w) > SPACE and byte(buf, w) != CLOSE:
            w += 1
        if at + w - p + 8 > MOST_MOVES:
            return 0
        if byte(buf, p) != _WORLD or w - p != 7:
            cards, size = away_in(buf, p, w) if not discarded else (p, 0)
            for place in range(p, cards):
                text[at] = byte(buf, place)
                at += 1
            if size:
                seen = shown(buf, cards, min(size, 2), DOT)
                if seen < 0 or seen & ~told[AWAY] or byte(buf, p) - ZERO != told[TAKER]:
                    return 0
                at = put(text, at, told[AWAY]) - 1
                discarded = True
            for place in range(cards + (3 * size - 1 if size else 0), w):
                text[at] = byte(buf, place)
                at += 1
            text[at] = SPACE
            at += 1
        p = w + (byte(buf, w) == SPACE)
    text[at] = CLOSE
    return at


@compiled()
def away_in(buf, p, w):
    """Return where the cards put away stand in a move, and how many stand for them, 0 for none.

    They are `x.y` alone, of which views write `x.??.??` too, or the first two behind a
    declaration.
    """
    q = p + 2
    n = w - q
    if item(buf, q) < CARDS:
        if n == 5 and byte(buf, q + 2) == DOT:
            return q, 2
        if n == 8 and shown(buf, q, 3, DOT) == 1 << card_at(buf, q) and item(buf, q + 3) < 0:
            return q, 3
        return p, 0
    shows = byte(buf, q) == _SHOW[0] and byte(buf, q + 1) == _SHOW[1]
    while q < w and byte(buf, q) != DOT:
        q += 1
    return (q + 1, 2) if w - q >= 6 and not shows else (p, 0)
