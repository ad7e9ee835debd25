"""Whole evenings as lists, right in every cell: a seeded generator.

`evening` deals by the dealer's turn and lets every kind of game come up; what each comes to is
the oracle's, the totals and sums are tests/evenings_list.py's. `python -m tests.evenings
--seeds N` falsifies one cell of many lists and prints what the checker said, by kind.
"""

from __future__ import annotations

import random
from fractions import Fraction

from tests.evenings_list import (
    FLAGS,
    Count,
    Grid,
    dealers,
    ranks,
    shares,
    sitting_out,
    sums,
    written,
)
from tests.evenings_reading import (
    HOUSES,
    TRUMP_GAMES,
    Entry,
    House,
    announced,
    impossible_null,
    price,
)
from tests.oracle_variants import Declared, RamschRules, null_value, refused_gifts
from tests.oracle_variants import ramsch as price_ramsch
from tests.oracle_variants import settle as settle_variant

NAMES = (
    "Anna", "Jürgen Groß", 'Karl "Kalle" Voß', "Meier, Ute", "Łukasz", "Zoë; die Erste", "Ben",
    "O'Neill", "Österreicher", "von der Heide, Max", "Ç. Yılmaz", "Anna-Lena", "李", "B. B.",
)  # fmt: skip
HAND_WORDS = (
    ("hand",), ("hand",), ("hand", "schneider"), ("hand", "schneider", "schwarz"),
    ("hand", "schneider", "schwarz", "ouvert"),
)  # fmt: skip


def evening(seed: int, house_name: str, seats: int, deals: int) -> Grid:
    """Return a list of so many deals at a table of so many, right in every cell."""
    rng = random.Random(f"{seed} {house_name} {seats} {deals}")
    house = HOUSES[house_name]
    systems = ["plain", "zero-sum"]
    if house.bonus and seats <= 4:
        systems += ["seeger-fabian", "seeger", house.system, house.system]
    grid = Grid(
        house_name, rng.sample(NAMES, seats), rng.choice(systems), [], named=rng.random() < 0.5,
        german=rng.random() < 0.5, delimiter=rng.choice(";,\t"),
    )  # fmt: skip
    if rng.random() < 0.5:
        grid.length = deals
    first = rng.randrange(seats)
    with_dealers = rng.random() < 0.5
    if rng.random() < 0.5 or (grid.system == "zero-sum" and not with_dealers):
        grid.first = first + 1
    grid.columns = _columns(rng, house, seats, with_dealers)
    _deal_out(rng, grid, house, first, deals)
    _fill_sums(rng, grid)
    return grid


def _columns(rng: random.Random, house: House, seats: int, with_dealers: bool) -> list[str]:
    columns = ["deal", *(["dealer"] if with_dealers else []), "declarer", "contract", "matadors"]
    columns += [*FLAGS, "bid"]
    columns += ["kontra"] if house.kontra else []
    columns += ["bock"] if house.bock else []
    columns += [name for name in ("points", "tricks") if rng.random() < 0.4]
    columns += ["result"] if rng.random() < 0.85 else []
    return [*columns, "value", *(f"total_{seat + 1}" for seat in range(seats))]


def _deal_out(rng: random.Random, grid: Grid, house: House, first: int, deals: int) -> None:
    seats = len(grid.seats)
    number = 1
    while number <= deals:
        dealer = (first + number - 1) % seats
        row = {"deal": str(number), "declarer": ""}
        if "dealer" in grid.columns:
            row["dealer"] = str(dealer + 1)
        if rng.random() < 0.92 and not house.only_ramsch:
            playing = sorted(set(range(seats)) - sitting_out(seats, dealer))
            row["declarer"] = str(rng.choice(playing) + 1)
            row |= game(rng, house)
        elif house.ramsch:
            row |= ramsch(rng, house.ramsch)
        if house.redealt and not row["declarer"]:
            row["deal"] = rng.choice((row["deal"], ""))
        else:
            number += 1
        grid.rows.append({name: cell for name, cell in row.items() if name in grid.columns})


# ---------------------------------------------------------------- games


def game(rng: random.Random, house: House) -> dict[str, str]:
    """Return the entries of one declared game, its value by the oracle."""
    if house.revolution and rng.random() < 0.1:
        contract = "revolution"
    else:
        contract = rng.choice((*TRUMP_GAMES, *TRUMP_GAMES, "null"))
    cells, score = (_trump if contract in TRUMP_GAMES else _null)(rng, house, contract)
    kontra = rng.choice((0, 0, 0, 1, 2)) if house.kontra else 0
    bock = house.bock and rng.random() < 0.3
    score *= 2**kontra * (2 if bock else 1)
    if kontra:
        cells["kontra"] = str(kontra)
    if bock:
        cells["bock"] = "x"
    return cells | {"value": str(score), "contract": contract}


def _trump(rng: random.Random, house: House, contract: str) -> tuple[dict[str, str], int]:
    run = rng.choice((1, 1, 1, 2, 2, 3, 4, *([] if contract == "grand" else [5, 7, 11])))
    run *= rng.choice((1, -1))
    words = rng.choice(HAND_WORDS) if rng.random() < 0.4 else ()
    if house.ouvert != "all" and rng.random() < 0.1:
        words = ("hand", "ouvert") if house.ouvert == "hand" or rng.random() < 0.5 else ("ouvert",)
    flags = {_flag(word): "x" for word in words}
    said = announced(house, Entry(contract, **dict.fromkeys(flags, True)))
    assert said is not None
    if house.gifts and rng.random() < 0.2:
        return _gift(rng, house, contract, run)
    points, tricks = _result(rng, "schneider" in said, "schwarz" in said)
    bid = _bid(rng, house, contract, said, run, points, tricks)
    spitze = rng.choice((None, None, True, False)) if house.spitze else None
    if contract == "grand" and abs(run) == 4:
        spitze = None
    found = price(house, contract, said, run, bid, points, tricks, spitze)
    # a level that was announced counts in any case: its tick may stand there or not
    for name, reached in (
        ("schneider", points <= 30 or points >= 90),
        ("schwarz", tricks in (0, 10)),
    ):
        if reached if name not in said else rng.random() < 0.5:
            flags[name] = "x"
    cells = {
        **flags, "matadors": f"with{'' if run > 0 else 'out'} {abs(run)}", "bid": str(bid),
        "points": str(points), "tricks": str(tricks), "result": "won" if found.won else "lost",
    }  # fmt: skip
    return cells, found.score


def _gift(rng: random.Random, house: House, contract: str, run: int) -> tuple[dict[str, str], int]:
    """Return a game given away: accepted, or refused once or twice and played on."""
    refused = rng.randrange(3)
    said = refused_gifts(frozenset(), refused)
    points, tricks = _result(rng, refused > 0, refused > 1)
    bid = rng.choice(house.bids[:20])
    game = Declared(contract, said, run, bid, points, tricks, accepted=not refused)
    found = settle_variant(game, 0)
    cells = {_flag(word): "x" for word in said}
    if refused:
        cells |= {"points": str(points), "tricks": str(tricks)}
        if tricks in (0, 10) and refused < 2:
            cells["schwarz"] = "x"
    side = "with" if run > 0 else "without"
    cells |= {"matadors": f"{side} {abs(run)}", "bid": str(bid)}
    return cells | {"result": "won" if found.won else "lost"}, found.score


def _flag(word: str) -> str:
    return f"{word}_announced" if word in ("schneider", "schwarz") else word


def _result(rng: random.Random, schneider: bool, schwarz: bool) -> tuple[int, int]:
    """Return card points and tricks that can go together; promises are kept every other time."""
    if (schwarz and rng.random() < 0.5) or rng.random() < 0.04:
        return 120, 10
    if schneider and rng.random() < 0.5:
        return rng.randint(90, 119), rng.randint(6, 9)
    if rng.random() < 0.04:
        return rng.randint(0, 22), 0
    low, high = rng.choice(((61, 89), (61, 89), (61, 89), (90, 120), (31, 60), (31, 60), (0, 30)))
    points = rng.choice((low, high, rng.randint(low, high)))
    return points, rng.randint(1, 9)


def _bid(
    rng: random.Random, house: House, contract: str, said: frozenset[str], run: int, points: int,
    tricks: int,
) -> int:  # fmt: skip
    """Return a bid: mostly one that the game covers, now and then one beyond it."""
    worth = abs(price(house, contract, said, run, house.bids[0], points, tricks).score)
    if rng.random() < 0.08:
        return rng.choice([bid for bid in house.bids if bid > worth // 2] or [house.bids[-1]])
    low = [bid for bid in house.bids if bid <= worth] or [house.bids[0]]
    return rng.choice((low[0], low[-1], rng.choice(low), rng.choice(low[:12])))


def _null(rng: random.Random, house: House, contract: str) -> tuple[dict[str, str], int]:
    words = [word for word in ("hand", "ouvert") if rng.random() < 0.4]
    if contract == "revolution":
        words = [word for word in words if word == "hand"]
    flags = dict.fromkeys(words, "x")
    worth = null_value(frozenset(words)) if contract == "null" else house.revolution
    loss = house.hand_loss if "hand" in words else 2
    tricks = rng.choice((0, 0, 0, rng.randint(1, 10)))
    beyond = [bid for bid in house.bids if bid > worth]
    if contract == "null" and house.impossible_null and beyond and rng.random() < 0.3:
        run, bid = rng.choice((1, 1, 2, 3)) * rng.choice((1, -1)), rng.choice(beyond[:20])
        (charged,) = impossible_null("hand" in words, run, bid)
        return {
            **flags, "matadors": f"with{'' if run > 0 else 'out'} {abs(run)}", "bid": str(bid),
            "result": "lost",
        }, -charged * loss  # fmt: skip
    bid = rng.choice([bid for bid in house.bids if bid <= worth])
    won = "lost" if tricks else "won"
    cells = {**flags, "bid": str(bid), "tricks": str(tricks), "result": won}
    return cells, -worth * loss if tricks else worth


def ramsch(rng: random.Random, rules: RamschRules) -> dict[str, str]:
    """Return the entries of a Ramsch at a table of three, its scores by the oracle."""
    deck = [suit + rank for suit in "CSHD" for rank in "789TJQKA"]
    while True:
        rng.shuffle(deck)
        weights = rng.choice(((1, 1, 1), (2, 2, 1), (1, 1, 0), (1, 0, 0)))
        winners = rng.choices(range(3), weights, k=10)
        tricks = [(winner, deck[3 * at : 3 * at + 3]) for at, winner in enumerate(winners)]
        unseen = rng.randrange(4) if rules.pushes == "each-seat" else 0
        found = price_ramsch(rules, tricks, deck[30:], unseen, 0)
        who = [seat for seat, score in enumerate(found.scores) if score]
        if who:
            break  # else all three had the same: nobody lost
    return {
        "declarer": "+".join(str(seat + 1) for seat in who), "contract": "ramsch",
        "points": str(found.counted[who[0]]), "result": "won" if found.march else "lost",
        "value": written(found.scores[who[0]]),
    }  # fmt: skip


# ---------------------------------------------------------------- sums


def _fill_sums(rng: random.Random, grid: Grid) -> None:
    count = Count.of(len(grid.seats))
    dealt = dealers(grid)
    for at, row in enumerate(grid.rows):
        if row["declarer"]:
            losers = [int(one) - 1 for one in row["declarer"].split("+")]
            score = Fraction(row["value"])
            brought = shares(grid, None if dealt is None else dealt[at], losers, score)
            count.points = [a + b for a, b in zip(count.points, brought, strict=True)]
            for one in losers:
                (count.won if score > 0 else count.lost)[one] += 1
        for player, name in enumerate(grid.totals):
            row[name] = written(count.points[player])
    lines = sums(grid, count)
    places = [first for first, _ in ranks(grid, count)]
    if rng.random() < 0.5:
        places = _drawn(rng, ranks(grid, count))
    lines["place"] = [Fraction(one) for one in places]
    if rng.random() < 0.85:
        kinds = [kind for kind in lines if rng.random() < 0.8]
        grid.sums = [(kind, [written(one) for one in lines[kind]]) for kind in kinds]


def _drawn(rng: random.Random, found: list[tuple[int, int]]) -> list[int]:
    """Return the places with a lot drawn where one decides."""
    places = [0] * len(found)
    for first, many in set(found):
        group = [player for player, place in enumerate(found) if place == (first, many)]
        offsets = list(range(many)) if many > 1 else [0] * len(group)
        rng.shuffle(offsets)
        for player, offset in zip(group, offsets, strict=True):
            places[player] = first + offset
    return places


if __name__ == "__main__":
    from tests.evenings_run import main

    main()
