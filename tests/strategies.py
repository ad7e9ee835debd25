"""Hypothesis strategies for records as values: anything that can be written down.

These records need not follow any rule: hands of any size, calls in any order, cards
played twice. `records()` is what every format must survive; formats that cannot express
all of it narrow it by the arguments.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from skatspec.record import (
    DOUBLES,
    GAME,
    NO_NUMBER,
    PASSED,
    PENALTY,
    RAMSCH,
    REVOLUTION,
    SCHNEIDER,
    SCHWARZ,
    UNKNOWN,
    WORLD,
    Agree,
    AuctionEnd,
    Bid,
    Claim,
    Comment,
    Deal,
    Declare,
    Discard,
    Double,
    EarlyPlay,
    Exchange,
    Gift,
    Hold,
    Knock,
    Leave,
    OutOfTurn,
    Pass,
    PickUp,
    Play,
    Push,
    Record,
    Refuse,
    Resign,
    Result,
    Revoke,
    Ruling,
    Show,
    Step,
    ThrowOpen,
    Timeout,
    WrongLead,
)

CONTRACTS = ("diamonds", "hearts", "spades", "clubs", "grand", "null", RAMSCH, REVOLUTION)
STANDARD_TAGS = (
    "Event", "Place", "Date", "Series", "Id", "Table", "Deal", "Rules", "F", "M", "R", "D",
    "RatingF", "RatingM", "RatingR", "Comment", "Places",
)  # fmt: skip
# Texts that a careless writer or reader stumbles over.
NASTY_TEXTS = (
    "", " ", '"', "\\", "\\n", "a\nb", "\t", "x ", " x", "]", "#", '# "', "[F \"x\"]", "%skat 1",
    "passed in", "R[passed]", "\u2028", "\ufeff", "\x00", "\x85", "\r\n", "♣J", "é", "\U0001f0a1",
    "</script>", "=1+1", '"quoted"', '"a" #"b"', "// x", "\u202e",
)  # fmt: skip

seats = st.integers(0, 2)
cards = st.integers(0, 32)
known_cards = st.integers(0, 31)
card_lists = st.lists(cards, max_size=12).map(tuple)
LEVELS = st.sampled_from((0, SCHNEIDER, SCHWARZ, SCHNEIDER | SCHWARZ))
texts = st.sampled_from(NASTY_TEXTS) | st.text(max_size=20)
tag_names = st.sampled_from(STANDARD_TAGS) | st.from_regex(
    r"[A-Za-z][A-Za-z0-9_.-]{0,8}", fullmatch=True
).filter(lambda name: name not in ("Cards", "Dealer", "View", "Round"))
figures = st.integers(-300, 300) | st.integers(-999_999, 999_999)
bid_values = st.just(NO_NUMBER) | st.integers(18, 264) | st.integers(0, 9999)


def tags() -> st.SearchStrategy[tuple[tuple[str, str], ...]]:
    """Tags of different names in any order, among them those with a fixed choice of values."""
    fixed = st.fixed_dictionaries(
        {},
        optional={
            "Dealer": st.sampled_from("FMRD"),
            "View": st.sampled_from(("F", "M", "R", "public")),
            "Round": st.sampled_from(("normal", "bock", "ramsch")),
        },
    )
    free = st.dictionaries(tag_names, texts, max_size=8)
    merged = st.tuples(free, fixed).map(lambda two: [*two[0].items(), *two[1].items()])
    return merged.flatmap(st.permutations).map(tuple)


def deals() -> st.SearchStrategy[Deal]:
    """Hands of any size, each perhaps missing; the pack with them or alone."""
    hand = st.none() | card_lists
    decks = st.permutations(range(32)).map(tuple)
    full = decks.map(lambda deck: Deal((deck[:10], deck[10:20], deck[20:30]), deck[30:]))
    pack_alone = decks.map(lambda deck: Deal((None, None, None), None, deck))
    return full | pack_alone | st.builds(Deal, st.tuples(hand, hand, hand), hand, hand)


def steps(contracts: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Step]:
    """A step of any kind."""
    games = st.sampled_from(CONTRACTS) if contracts is None else contracts
    shown = st.none() | card_lists
    return st.one_of(
        ramsch_steps(),
        st.builds(Bid, seats, bid_values),
        st.builds(AuctionEnd, seats, bid_values),
        st.builds(Hold, seats),
        st.builds(Pass, seats),
        st.builds(PickUp, seats, shown),
        st.builds(Discard, seats, card_lists),
        st.builds(Declare, seats, games, st.integers(0, 31), shown),
        st.builds(Declare, st.just(WORLD), games, st.integers(0, 31), shown),
        st.builds(Exchange, seats, card_lists),
        st.builds(Double, seats, st.sampled_from(DOUBLES)),
        st.builds(Play, seats, cards),
        st.builds(Show, seats, shown),
        st.builds(Resign, seats),
        st.builds(Agree, seats),
        st.builds(Refuse, seats),
        st.builds(Gift, seats),
        st.builds(ThrowOpen, seats),
        st.builds(EarlyPlay, seats),
        st.builds(Claim, seats, LEVELS),
        st.builds(Revoke, seats),
        st.builds(Ruling, st.just(WORLD), st.booleans(), texts, LEVELS, st.booleans()),
        st.builds(WrongLead, seats),
        st.builds(OutOfTurn, seats),
        st.builds(Timeout, seats),
        st.builds(Leave, seats),
    )


def ramsch_steps() -> st.SearchStrategy[Step]:
    """A step of a Ramsch before the play."""
    return st.one_of(
        st.just(Declare(WORLD, RAMSCH)),
        st.builds(PickUp, seats, st.none() | card_lists),
        st.builds(Push, seats, st.none() | card_lists),
        st.builds(Knock, seats),
    )


def results() -> st.SearchStrategy[Result]:
    """A result whose fields are set independently of each other."""
    flag = st.none() | st.booleans()
    number = st.none() | figures
    who = st.none() | seats | st.just(WORLD)
    return st.builds(
        Result,
        kind=st.sampled_from((GAME, PASSED, UNKNOWN, PENALTY)),
        declarer=who,
        won=flag,
        score=number,
        matadors=st.none() | st.integers(-11, 11) | figures,
        overbid=flag,
        points=number,
        tricks=number,
        schneider=flag,
        schwarz=flag,
        penalized=st.none() | st.tuples(st.booleans(), st.booleans(), st.booleans()),
        left=who,
        last_trick=who,
        timed_out=who,
        resigned=flag,
        scores=st.none() | st.tuples(figures, figures, figures),
        losers=st.none() | st.tuples(st.booleans(), st.booleans(), st.booleans()),
        counted=st.none() | st.tuples(number, number, number),
    )


def _section(step: Step) -> int:
    if step.seat == WORLD and step != Declare(WORLD, RAMSCH):
        return -1
    if isinstance(step, (Bid, Hold, Pass, AuctionEnd)):
        return 0
    if isinstance(step, (PickUp, Discard, Declare, Push, Knock, Exchange, Double)):
        return 1
    return 2 if isinstance(step, Play) else -1


def comment_places(record: Record) -> list[str]:
    """Return what a comment of this record can belong to, in the order of the record."""
    places = [f"tag/{number}" for number in range(len(record.tags))]
    if record.deal is not None:
        places.append("deal")
        parts = (*record.deal.parts(), record.deal.pack)
        places += [f"deal/{number}" for number in range(5) if parts[number] is not None]
    reached = 0
    sections: list[list[str]] = [["auction"], ["contract"], ["play"]]
    for number, step in enumerate(record.steps):
        reached = max(reached, _section(step))
        sections[reached].append(f"step/{number}")
    return [*places, *(place for section in sections for place in section), "result", "end"]


@st.composite
def comments(draw: st.DrawFn, record: Record) -> tuple[Comment, ...]:
    """Comments on a record's items, in the order in which they stand in it."""
    places = comment_places(record)
    drawn: Sequence[tuple[int, bool, str]] = draw(
        st.lists(st.tuples(st.integers(0, len(places) - 1), st.booleans(), texts), max_size=5)
    )
    found = [
        Comment(places[number], text, own_line or places[number] == "end")
        for number, own_line, text in drawn
    ]
    return tuple(sorted(found, key=lambda one: (places.index(one.where), not one.own_line)))


@st.composite
def records(
    draw: st.DrawFn,
    step: st.SearchStrategy[Step] | None = None,
    with_comments: bool = True,
    max_steps: int = 40,
) -> Record:
    """Any record; steps come in any order unless `step` narrows them."""
    one = steps() if step is None else step
    in_order = st.lists(one, max_size=max_steps).map(
        lambda some: sorted(some, key=lambda step: _section(step) % 3)
    )
    record = Record(
        draw(tags()),
        draw(st.none() | deals()),
        tuple(draw(st.lists(one, max_size=max_steps) | in_order)),
        draw(st.none() | results()),
    )
    if not with_comments:
        return record
    return Record(record.tags, record.deal, record.steps, record.result, draw(comments(record)))
