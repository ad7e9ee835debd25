"""Where cards can be: four bins, what the record excludes, and what follows from counts.

Bins 0-2 are the three hands that are played, 3 the two cards put away (the skat of a
Hand game, else the discard). A card's whereabouts are the bins whose `possible` mask
holds it. Counting (Hall's condition over the 15 sets of bins) decides whether a
placing exists; no placing is ever listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from skatspec.cards import ALL, Mask, members

AWAY = 3
SIZES = (10, 10, 10, 2)
# Every set of bins that can be too small for the cards that must go into it.
_BIN_SETS = tuple(bins for size in (1, 2, 3, 4) for bins in combinations(range(4), size))


def feasible(possible: Sequence[Mask]) -> bool:
    """Say whether all 32 cards can be placed so that each bin gets its number."""
    if possible[0] | possible[1] | possible[2] | possible[3] != ALL:
        return False
    for bins in _BIN_SETS:
        outside = 0
        for other in range(4):
            if other not in bins:
                outside |= possible[other]
        must = ALL & ~outside
        if must.bit_count() > sum([SIZES[b] for b in bins]):
            return False
    return True


def assign(possible: Sequence[Mask], cards: Mask, bins: Iterable[int]) -> list[Mask]:
    """Return the masks with `cards` confined to `bins`."""
    kept = set(bins)
    return [mask if b in kept else mask & ~cards for b, mask in enumerate(possible)]


def certain(possible: Sequence[Mask], which: int) -> Mask:
    """Return the cards that can be in no other bin than `which`."""
    others = 0
    for other, mask in enumerate(possible):
        if other != which:
            others |= mask
    return possible[which] & ~others


def settle_counts(possible: Sequence[Mask]) -> list[Mask]:
    """Draw what follows from the sizes alone: full bins take no more, short bins keep all."""
    masks = list(possible)
    changed = True
    while changed:
        changed = False
        for which in range(4):
            sure = certain(masks, which)
            if sure.bit_count() == SIZES[which] and masks[which] != sure:
                masks[which] = sure
                changed = True
            elif masks[which].bit_count() == SIZES[which] and sure != masks[which]:
                masks = assign(masks, masks[which], (which,))
                changed = True
    return masks


def matadors(order: Sequence[int], possible: Sequence[Mask], own: Sequence[int]) -> list[int]:
    """Return every matador count that some placing gives, over the cards in the bins `own`.

    `order` is the contract's trumps from the top; with > 0, without < 0.
    """
    if not order:
        return [0]
    others = tuple(b for b in range(4) if b not in own)
    found = []
    for inside, outside, sign in ((own, others, 1), (others, own, -1)):
        masks = list(possible)
        for run, card in enumerate(order, start=1):
            masks = assign(masks, 1 << card, inside)
            if not feasible(masks):
                break
            if run == len(order) or feasible(assign(masks, 1 << order[run], outside)):
                found.append(sign * run)
    return sorted(found)


def away_points(possible: Sequence[Mask], points: Sequence[int]) -> list[int]:
    """Return every sum of card points that the two cards put away can have."""
    sure = certain(possible, AWAY)
    if sure.bit_count() == SIZES[AWAY]:
        return [sum(points[card] for card in members(sure))]
    sums = set()
    for pair in combinations(members(possible[AWAY]), 2):
        total = points[pair[0]] + points[pair[1]]
        mask = 1 << pair[0] | 1 << pair[1]
        if total in sums or sure & ~mask:
            continue
        masks = assign(possible, mask, (AWAY,))
        masks[AWAY] = mask
        if feasible(masks):
            sums.add(total)
    return sorted(sums)
