"""Profile -> dense integer tables: the only place where rules become numbers.

Two interpreters read these tables, the scalar engine and the archive kernel, so
neither needs to know what Grand or Null is. Contracts are numbered as in
`GAMES`, seats 0 forehand, 1 middlehand, 2 rearhand; follow classes 0-3 are the
plain suits of cards.SUITS and 4 is trump.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from skatspec import cards
from skatspec.record import (
    HAND,
    MODIFIERS,
    OUVERT,
    RAMSCH,
    REVOLUTION,
    SCHNEIDER,
    SCHWARZ,
    SEAT_NAMES,
)
from skatspec.rules.contradictions import (
    check_announcements,
    check_bids,
    check_deck,
    check_match,
    check_variants,
    refuse,
)
from skatspec.rules.profile import Profile
from skatspec.rules.variants import Variants, compile_variants

CONTRACTS = ("diamonds", "hearts", "spades", "clubs", "grand", "null")
# The contracts of the order, then the games that only a variant has.
GAMES = (*CONTRACTS, REVOLUTION, RAMSCH)
CONTRACT = {name: number for number, name in enumerate(GAMES)}
SUIT_OF = {"diamonds": 0, "hearts": 1, "spades": 2, "clubs": 3}
TRUMP = 4
SUIT_KIND, GRAND_KIND, NULL_KIND, RAMSCH_KIND = 0, 1, 2, 3
KINDS = ("suit", "grand", "null")
# What can be stated with a declaration, as bits.
ALL_MODIFIERS = 1 << len(MODIFIERS)

# Events of the auction automaton, and how it ends: a state below zero is an end.
BID, HOLD, PASS = 0, 1, 2
NO_MOVE = -100
PASSED_IN = -1
WON_BY = (-2, -3, -4)

LEVEL_NAMES = (
    "game", "hand", "schneider", "schneider_announced", "schwarz", "schwarz_announced", "ouvert",
    "spitze",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AuctionState:
    """One state: who speaks, where bid, hold and pass lead, which values alone are open."""

    name: str
    speaker: int
    moves: tuple[int, int, int]
    only: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """What a resignation, timeout or leaving does: defenders needed, how it is settled."""

    defenders: int
    settled: str


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything an interpreter needs; indices as in the module's first lines.

    `follow[contract][card]`, `members[contract][class]` (mask),
    `beats[contract][led class][card]` (0 cannot win, else strength), `points[card]`
    (card points, 33 entries, a hidden card counts 0), `most_aside` (card points that the
    cards put away can hold at most), `trumps[contract]` (from the
    top), `base[contract]` (game value a multiple; 0 for Null),
    `ouvert_base[contract]` (the base of an Ouvert where it has its own, else 0) and
    `ouvert_level[contract]` (whether Ouvert then still counts a level),
    `null_values[modifiers]`, `announce[kind][stated bits]` (expanded bits, -1 not
    legal), `steps` (multiples a level, LEVEL_NAMES), `bids` (ascending), `packets`
    (cards a packet, 0 for the skat, which is `skat_size` cards).
    """

    follow: tuple[tuple[int, ...], ...]
    members: tuple[tuple[int, ...], ...]
    beats: tuple[tuple[tuple[int, ...], ...], ...]
    points: tuple[int, ...]
    total_points: int
    most_aside: int
    trumps: tuple[tuple[int, ...], ...]
    kind: tuple[int, ...]
    base: tuple[int, ...]
    null_values: tuple[int, ...]
    announce: tuple[tuple[int, ...], ...]
    needs_hand: tuple[tuple[bool, ...], ...]
    steps: tuple[int, ...]
    bids: tuple[int, ...]
    bid_ok: frozenset[int]
    auction: tuple[AuctionState, ...]
    auction_start: int
    implied_bid_state: int
    win_points: int
    schneider_points: int
    own_levels: bool
    own_levels_need_trick: bool
    bid_above: bool
    loss_factor: int
    hand_loss_factor: int
    ouvert_base: tuple[int, ...]
    ouvert_level: tuple[bool, ...]
    missed: str
    missed_schneider_schwarz: bool
    overbid_price: str
    null_refused: bool
    leader: int
    null_lost: str
    schneider_missed: str
    schwarz_missed: str
    endings: Mapping[str, Ending]
    concede_alone: int
    claim_consents: int
    offence_ends: bool
    throw_open_ends: bool
    defender_show_ends: bool
    early_play_loses: bool
    penalty_before_declaration: bool
    half_declaration_skat_only: bool
    flags_after_missed: str
    flags_after_missed_without_trick: str
    packets: tuple[int, ...]
    skat_size: int
    variants: Variants
    digest: str

    def null_value(self, contract: int, modifiers: int) -> int:
        """Return the fixed game value of a Null or Revolution."""
        if contract == CONTRACT[REVOLUTION]:
            return self.variants.revolution
        return self.null_values[modifiers]

    def matadors(self, contract: int, held: int) -> int:
        """Return the run of trumps from the top over the mask `held`: with > 0, without < 0."""
        order = self.trumps[contract]
        if not order:
            return 0
        top = held >> order[0] & 1
        run = 0
        for card in order:
            if held >> card & 1 != top:
                break
            run += 1
        return run if top else -run


def compile_tables(profile: Profile) -> Tables:
    """Compile a profile; raises ProfileError F006 where it contradicts itself."""
    data = profile.data
    contracts = [data["contracts"][name] for name in CONTRACTS]
    trumps = tuple(_trump_order(profile, n) for n in range(len(CONTRACTS)))
    follow = tuple(_follow(order) for order in trumps)
    members = tuple(_members(row) for row in follow)
    beats = tuple(_beats(profile, n, trumps[n], follow[n]) for n in range(len(CONTRACTS)))
    # the games of a variant are played with another contract's cards, and have no value a multiple
    lent = [CONTRACT[data["variants"][name]["cards"]] for name in (REVOLUTION, RAMSCH)]
    points = tuple(data["deck"]["points"].get(name[1], 0) for name in cards.NAMES[: cards.DECK])
    total = sum(points)
    check_deck(profile, total)
    check_announcements(profile)
    states, start, implied = _auction(profile)
    steps = tuple(data["levels"][name] for name in LEVEL_NAMES)
    base = tuple(contract.get("base", 0) for contract in contracts)
    null_values = _null_values(contracts[CONTRACT["null"]]["values"])
    bids = _bids(profile, base, trumps, steps, null_values)
    check_bids(profile, bids)
    check_variants(profile, bids)
    check_match(profile)
    announce = tuple(_announce(profile, kind) for kind in KINDS)
    return Tables(
        follow=(*follow, *(follow[n] for n in lent)),
        members=(*members, *(members[n] for n in lent)),
        beats=(*beats, *(beats[n] for n in lent)),
        points=(*points, 0),
        total_points=total,
        most_aside=sum(sorted(points)[-data["table"]["skat"] :]),
        trumps=(*trumps, (), ()),
        kind=(*(KINDS.index(one["kind"]) for one in contracts), NULL_KIND, RAMSCH_KIND),
        base=(*base, 0, 0),
        null_values=null_values,
        announce=announce,
        needs_hand=tuple(_needs_hand(profile, kind) for kind in KINDS),
        steps=steps,
        bids=bids,
        bid_ok=frozenset(bids),
        auction=states,
        auction_start=start,
        implied_bid_state=implied,
        ouvert_base=(*(_ouvert(contract, "base") for contract in contracts), 0, 0),
        ouvert_level=(*(_ouvert(one, "level") != "replaced" for one in contracts), True, True),
        packets=tuple(0 if p == "skat" else p for p in data["table"]["packets"]),
        skat_size=data["table"]["skat"],
        variants=compile_variants(data),
        digest=profile.digest,
        **_switches(data),
    )


def _switches(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the single words and numbers of a profile under the names `Tables` gives them."""
    winning, settlement, play = data["winning"], data["settlement"], data["play"]
    endings, records = data["endings"], data["records"]
    return {
        "win_points": winning["points"],
        "schneider_points": winning["schneider"],
        "own_levels": winning["own_levels"] == "counts",
        "own_levels_need_trick": winning["own_levels_need_trick"],
        "bid_above": data["bids"]["satisfied"] == "above",
        "loss_factor": settlement["loss_factor"],
        "hand_loss_factor": settlement["hand_loss_factor"],
        "missed": settlement["missed_announcement"],
        "missed_schneider_schwarz": settlement["missed_schneider_without_trick"] == "counts",
        "overbid_price": settlement["overbid_price"],
        "null_refused": settlement["impossible_null"] == "refused",
        "leader": SEAT_NAMES.index(play["leader"]),
        "null_lost": play["null_lost"],
        "schneider_missed": play["schneider_missed"],
        "schwarz_missed": play["schwarz_missed"],
        "endings": {
            word: Ending(2 if endings[word]["defenders"] == "both" else 1, endings[word]["settled"])
            for word in ("resign", "timeout", "leave")
        },
        "concede_alone": endings["resign"]["alone"],
        "claim_consents": {"both": 2, "one": 1, "refused": 0}[endings["claim"]],
        "offence_ends": endings["offence"] == "ends",
        "throw_open_ends": endings["throw_open"] == "ends",
        "defender_show_ends": endings["defender_shows"] == "ends",
        "early_play_loses": endings["early_play"] == "lost",
        "penalty_before_declaration": endings["before_declaration"] == "penalty",
        "half_declaration_skat_only": endings["half_declaration"] == "skat-only",
        "flags_after_missed": records["flags_after_missed"],
        "flags_after_missed_without_trick": records["flags_after_missed_without_trick"],
    }


def changed_cells(a: Tables, b: Tables) -> list[str]:
    """Return one line a table cell that differs between two compiled profiles."""
    lines: list[str] = []
    for spec in fields(Tables):
        if spec.name in ("digest", "bid_ok"):
            continue
        _differ(spec.name, getattr(a, spec.name), getattr(b, spec.name), lines)
    return lines


def _differ(name: str, a: Any, b: Any, lines: list[str]) -> None:
    if a == b:
        return
    if name == "bids":
        lines += [f"bids: {value} only in the first" for value in a if value not in b]
        lines += [f"bids: {value} only in the second" for value in b if value not in a]
    elif is_dataclass(a):
        for spec in fields(a):
            _differ(f"{name}.{spec.name}", getattr(a, spec.name), getattr(b, spec.name), lines)
    elif isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        for index, (left, right) in enumerate(zip(a, b, strict=True)):
            _differ(f"{name}[{index}]", left, right, lines)
    elif isinstance(a, Mapping):
        for key in a:
            _differ(f"{name}[{key}]", a[key], b[key], lines)
    else:
        lines.append(f"{name}: {a} -> {b}")


def _ouvert(contract: Mapping[str, Any], key: str) -> Any:
    """Return what an Ouvert of this contract is played at instead of its own base (0: nothing)."""
    return contract["ouvert"][key] if "ouvert" in contract else 0


def _trump_order(profile: Profile, number: int) -> tuple[int, ...]:
    name = CONTRACTS[number]
    contract = profile.data["contracts"][name]
    order: list[int] = []
    for item in contract["trumps"]:
        if item in SUIT_OF:
            suit = cards.SUITS[SUIT_OF[item]]
            group = [cards.BY_NAME[suit + str(rank)] for rank in contract["ranks"]]
        else:
            group = [cards.BY_NAME[item]]
        for card in group:
            if card in order:
                text = f"{cards.name(card)} stands twice in the order of trumps"
                raise refuse(profile, ("contracts", name, "trumps"), text)
            order.append(card)
    return tuple(order)


def _follow(order: tuple[int, ...]) -> tuple[int, ...]:
    trumps = set(order)
    return tuple(TRUMP if card in trumps else card // 8 for card in range(cards.DECK))


def _members(follow: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        cards.mask(card for card in range(cards.DECK) if follow[card] == group)
        for group in range(TRUMP + 1)
    )


def _beats(
    profile: Profile, number: int, order: tuple[int, ...], follow: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """Strengths: 1-8 in the led suit, 11-21 for trumps, 0 for what cannot win."""
    name = CONTRACTS[number]
    ranks = [str(rank) for rank in profile.data["contracts"][name]["ranks"]]
    trumps = set(order)
    for card in range(cards.DECK):
        if card not in trumps and cards.name(card)[1] not in ranks:
            text = f"{cards.name(card)} has no place in the order of ranks"
            raise refuse(profile, ("contracts", name, "ranks"), text)
    strength = {card: 10 + len(order) - place for place, card in enumerate(order)}
    rows = []
    for led in range(TRUMP + 1):
        row = []
        for card in range(cards.DECK):
            if follow[card] == TRUMP:
                row.append(strength[card])
            elif follow[card] == led:
                row.append(len(ranks) - ranks.index(cards.name(card)[1]))
            else:
                row.append(0)
        rows.append(tuple(row))
    return tuple(rows)


def _null_values(values: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(
        values["ouvert_hand" if bits & HAND else "ouvert"]
        if bits & OUVERT
        else values["hand" if bits & HAND else "plain"]
        for bits in range(ALL_MODIFIERS)
    )


def _includes(profile: Profile, kind: str, word: str) -> int:
    spec = profile.data["announcements"][kind].get(word)
    return sum(MODIFIERS[other] for other in spec["includes"]) if spec else 0


def _announce(profile: Profile, kind: str) -> tuple[int, ...]:
    """Return what each set of stated modifiers stands for, -1 where it is not legal."""
    rules = profile.data["announcements"]
    allowed = sum(MODIFIERS[word] for word in rules["allowed"])
    result = []
    for stated in range(ALL_MODIFIERS):
        full = stated
        legal = not stated & ~allowed
        for word, bit in MODIFIERS.items():
            if stated & bit and bit != HAND:
                legal = legal and word in rules[kind]
                full |= _includes(profile, kind, word)
        for word, bit in MODIFIERS.items():
            if full & bit and word in rules[kind]:
                required = sum(MODIFIERS[other] for other in rules[kind][word]["requires"])
                legal = legal and full & required == required
        result.append(full if legal else -1)
    return tuple(result)


def _needs_hand(profile: Profile, kind: str) -> tuple[bool, ...]:
    """Say for each set of stated modifiers whether it cannot follow a pick-up."""
    rules = profile.data["announcements"][kind]
    rows = []
    for stated in range(ALL_MODIFIERS):
        needs = bool(stated & HAND)
        for word, bit in MODIFIERS.items():
            if stated & bit and word in rules:
                spec = rules[word]
                needs = needs or "hand" in spec["includes"] or "hand" in spec["requires"]
        rows.append(needs)
    return tuple(rows)


def _bids(
    profile: Profile,
    base: tuple[int, ...],
    trumps: tuple[tuple[int, ...], ...],
    steps: tuple[int, ...],
    null_values: tuple[int, ...],
) -> tuple[int, ...]:
    """Derive the values that some game can have: base x (1..all matadors + levels)."""
    rules = profile.data["bids"]
    values = set(null_values) | set(rules["extra"])
    for number in range(len(CONTRACTS)):
        if base[number]:
            lowest = 1 + steps[LEVEL_NAMES.index("game")]
            # Spitze is promised after the auction; no table of bids reckons with it
            highest = len(trumps[number]) + sum(steps) - steps[LEVEL_NAMES.index("spitze")]
            values.update(base[number] * multiple for multiple in range(lowest, highest + 1))
    maximum = rules.get("maximum")
    return tuple(sorted(v for v in values if maximum is None or v <= maximum))


def _auction(profile: Profile) -> tuple[tuple[AuctionState, ...], int, int]:
    rules = profile.data["auction"]
    names = list(rules["states"])
    ends = {"passed-in": PASSED_IN}
    ends.update({f"won-by-{seat}": WON_BY[n] for n, seat in enumerate(SEAT_NAMES)})

    def target(path: tuple[str, ...], name: str | None) -> int:
        if name is None:
            return NO_MOVE
        if name in ends:
            return ends[name]
        if name not in names:
            raise refuse(profile, path, f"there is no state {name!r}")
        return names.index(name)

    states = []
    for name in names:
        state = rules["states"][name]
        here = ("auction", "states", name)
        moves = (
            target((*here, "bid"), state.get("bid")),
            target((*here, "hold"), state.get("hold")),
            target((*here, "pass"), state["pass"]),
        )
        only = tuple(state.get("only", ()))
        states.append(AuctionState(name, SEAT_NAMES.index(state["speaker"]), moves, only))
    start = target(("auction", "start"), rules["start"])
    implied = target(("auction", "implied_bid"), rules["implied_bid"])
    if start < 0:
        raise refuse(profile, ("auction", "start"), "the auction must start in a state")
    return tuple(states), start, implied


__all__ = [
    "ALL_MODIFIERS", "BID", "CONTRACT", "CONTRACTS", "GAMES", "GRAND_KIND", "HAND", "HOLD",
    "NO_MOVE", "NULL_KIND", "OUVERT", "PASS", "PASSED_IN", "RAMSCH_KIND", "SCHNEIDER", "SCHWARZ",
    "SUIT_KIND", "TRUMP", "WON_BY", "AuctionState", "Ending", "Tables", "changed_cells",
    "compile_tables",
]  # fmt: skip
