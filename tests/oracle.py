"""The rules of Skat read a second time: slow, plain, without tables, from RULES.md alone.

Here live trick play, matadors, the bid ladder, the auction and the settlement of played-out games,
for the profiles `isko`, `ledger`, `iss` and `iss-client`. Records, irregular endings and variants
do not. Nothing of `skatspec` is imported: the engine is tested against this file.

Cards are two letters, suit CSHD and rank 789TJQKA. Contracts are `diamonds`, `hearts`, `spades`,
`clubs`, `grand` and `null`. Seats are 0 forehand, 1 middlehand, 2 rearhand. A comment in quotation
marks is the sentence of RULES.md that the next step follows, "sec. 3" its table of decisions.
"""

from collections.abc import Collection, Sequence
from typing import NotRequired, TypedDict


class Outcome(TypedDict):
    """One way a game may have ended; `overbid` is None where an unknown Schwarz decides only it."""

    value: int
    score: int
    won: bool
    overbid: bool | None


class Settlement(TypedDict):
    """What is certain of a game, and every outcome that its facts admit (one when determined)."""

    value: int | None
    score: int | None
    won: bool | None
    overbid: bool | None
    admissible: list[Outcome]
    alternatives: NotRequired[list[tuple[str, int]]]


# ---------------------------------------------------------------- cards and tricks


def card_points(card: str) -> int:
    """Card points of one card."""
    # "points A 11, 10 10, K 4, Q 3, J 2, others 0"
    rank = card[1]
    if rank == "A":
        return 11
    if rank == "T":
        return 10
    if rank == "K":
        return 4
    if rank == "Q":
        return 3
    if rank == "J":
        return 2
    return 0


def _trump_suit(contract: str) -> str:
    """The letter of the trump suit; empty where no suit is trump."""
    if contract == "diamonds":
        return "D"
    if contract == "hearts":
        return "H"
    if contract == "spades":
        return "S"
    if contract == "clubs":
        return "C"
    if contract in ("grand", "null"):
        return ""
    raise ValueError(f"no such contract: {contract!r}")


def _is_trump(contract: str, card: str) -> bool:
    # "Null: no trumps"
    if contract == "null":
        return False
    # "Suit game: trumps CJ SJ HJ DJ, then A 10 K Q 9 8 7 of the suit"
    # "Grand: only the jacks are trumps"
    return card[1] == "J" or card[0] == _trump_suit(contract)


def _follows(contract: str, card: str, led: str) -> bool:
    """Whether `card` is of the kind that `led` asks for."""
    # "Follow the led suit (or trump) if able"
    if _is_trump(contract, led):
        return _is_trump(contract, card)
    return not _is_trump(contract, card) and card[0] == led[0]


def _is_higher(contract: str, card: str, other: str) -> bool:
    """Whether `card` ranks above `other`: two trumps, or two cards of one plain suit."""
    # "Null: no trumps, A K Q J 10 9 8 7"
    if contract == "null":
        return "AKQJT987".index(card[1]) < "AKQJT987".index(other[1])
    # "trumps CJ SJ HJ DJ, then A 10 K Q 9 8 7 of the suit"
    if card[1] == "J" and other[1] == "J":
        return "CSHD".index(card[0]) < "CSHD".index(other[0])
    if card[1] == "J":
        return True
    if other[1] == "J":
        return False
    # "plain suits A 10 K Q 9 8 7", and the trump suit below its jacks alike
    return "ATKQ987".index(card[1]) < "ATKQ987".index(other[1])


def trick_winner(contract: str, cards: Sequence[str]) -> int:
    """Index, in order of play, of the card that wins the trick."""
    # "Highest trump, else highest of the led suit wins"
    contenders = [card for card in cards if _is_trump(contract, card)]
    if not contenders:
        contenders = [card for card in cards if card[0] == cards[0][0]]
    best = contenders[0]
    for card in contenders:
        if _is_higher(contract, card, best):
            best = card
    return cards.index(best)


def legal_cards(contract: str, hand: Collection[str], led: str | None) -> set[str]:
    """The cards of `hand` that may be played to a trick opened with `led` (None: to lead)."""
    # "trump may be led": a leader plays any card
    if led is None:
        return set(hand)
    # "Follow the led suit (or trump) if able"
    following = {card for card in hand if _follows(contract, card, led)}
    if following:
        return following
    # "otherwise any card: no duty to trump or to beat"
    return set(hand)


def perft(contract: str, hands: Sequence[Collection[str]], depth: int) -> list[int]:
    """Numbers of legal card sequences of 1 to `depth` cards: forehand leads, no early end."""
    counts = [0] * depth

    def play(left: list[set[str]], leader: int, trick: list[str], played: int) -> None:
        if played == depth:
            return
        seat = (leader + len(trick)) % 3
        for card in legal_cards(contract, left[seat], trick[0] if trick else None):
            counts[played] += 1
            after = [set(cards) for cards in left]
            after[seat].remove(card)
            table = [*trick, card]
            if len(table) < 3:
                play(after, leader, table, played + 1)
            else:
                # "the winner leads"
                play(after, (leader + trick_winner(contract, table)) % 3, [], played + 1)

    # "F leads"
    play([set(hand) for hand in hands], 0, [], 0)
    return counts


# ---------------------------------------------------------------- matadors and values


def matadors(contract: str, twelve: Collection[str]) -> int:
    """Length of the run of trumps from CJ over the twelve cards: + with, - without, 0 in Null."""
    # "Null: no trumps"
    if contract == "null":
        return 0
    # "trumps CJ SJ HJ DJ, then A 10 K Q 9 8 7 of the suit"; "Grand: only the jacks are trumps"
    trumps = ["CJ", "SJ", "HJ", "DJ"]
    suit = _trump_suit(contract)
    if suit:
        trumps = trumps + [suit + rank for rank in "ATKQ987"]
    # "the unbroken run of trumps from CJ, held ("with") or missing ("without"), over the
    # declarer's twelve cards; at most 11 (suit), 4 (Grand)"
    with_cj = "CJ" in twelve
    run = 0
    for trump in trumps:
        if (trump in twelve) != with_cj:
            break
        run += 1
    return run if with_cj else -run


def _base(contract: str) -> int:
    # "Base (D 9, H 10, S 11, C 12, Grand 24)"
    if contract == "diamonds":
        return 9
    if contract == "hearts":
        return 10
    if contract == "spades":
        return 11
    if contract == "clubs":
        return 12
    if contract == "grand":
        return 24
    raise ValueError(f"no base value: {contract!r}")


def _null_value(hand: bool, ouvert: bool) -> int:
    # "Null 23, Null Hand 35, Null Ouvert 46, Null Ouvert Hand 59"
    if hand and ouvert:
        return 59
    if ouvert:
        return 46
    if hand:
        return 35
    return 23


def _smallest_multiple(base: int, least: int) -> int:
    multiple = base
    while multiple < least:
        multiple += base
    return multiple


# ---------------------------------------------------------------- auction


def legal_bids() -> list[int]:
    """The values that a game can have, ascending: the 63 legal bids."""
    values = set()
    # "Base x (matadors + 1 game + 1 Hand + 1 Schneider + 1 announced + 1 Schwarz + 1 announced
    # + 1 Ouvert)": nought to six levels above the game; "at most 11 (suit), 4 (Grand)" matadors
    for contract in ("diamonds", "hearts", "spades", "clubs", "grand"):
        most = 4 if contract == "grand" else 11
        for run in range(1, most + 1):
            for levels in range(7):
                values.add(_base(contract) * (run + 1 + levels))
    # "and Null 23 35 46 59"
    for hand in (False, True):
        for ouvert in (False, True):
            values.add(_null_value(hand, ouvert))
    return sorted(values)


def auction(calls: Sequence[tuple[int, int | str]]) -> tuple[int | None, int] | str:
    """Play an auction of (seat, number | 'y' | 'p').

    Returns (declarer, bid), or (None, 0) for a deal passed in, or words: "unfinished", or why the
    first bad call is illegal. Only the 63 values are bids (`iss` takes three more).
    """
    bids = legal_bids()
    passed: set[int] = set()
    last = 0  # the last value called or held
    answer_due = False  # a number was called and is not answered yet
    caller, hearer = 1, 0  # "M speaks to F, who holds or passes"
    over = False
    declarer: int | None = None

    for seat, call in calls:
        if over:
            return "call after the end"
        # "pass, bid and hold are irrevocable"
        if seat in passed:
            return "call after a pass"
        if seat != (hearer if answer_due else caller):
            return "wrong speaker"

        if call == "y":
            if not answer_due:
                return "nothing to hold"
            answer_due = False
            continue

        if call != "p":
            if answer_due:
                return "answer expected"
            # "63 legal values"; "Jumps are legal"
            if not isinstance(call, int) or call not in bids:
                return "illegal bid value"
            # "higher than the last value, or from 18 when M passed at once"
            if call <= last:
                return "bid not higher"
            last = call
            answer_due = True
            # "When M and R pass, F may still take the game at 18 or more": nobody is left to answer
            if len(passed) == 2:
                declarer, over = seat, True
            continue

        passed.add(seat)
        survivor = hearer if seat == caller else caller
        answer_due = False
        if len(passed) == 3:
            # "or pass in"
            over = True
        elif len(passed) == 1:
            # "then R to the survivor"
            caller, hearer = 2, survivor
        elif last == 0:
            # "When M and R pass, F may still take the game at 18 or more, or pass in"
            caller, hearer = survivor, survivor
        else:
            # "the survivor plays at the last value called or held"
            declarer, over = survivor, True

    if not over:
        return "unfinished"
    return (declarer, last) if declarer is not None else (None, 0)


# ---------------------------------------------------------------- settlement


def settle(
    profile: str,
    contract: str,
    *,
    hand: bool,
    schneider: bool,
    schwarz: bool,
    ouvert: bool,
    matadors: int,
    bid: int,
    points: int | None,
    tricks: int | None,
    cards: Collection[str] | None = None,
) -> Settlement:
    """Settle a played-out game.

    `schneider`, `schwarz`, `ouvert` are announcements, already expanded; `matadors` is signed;
    `points` are the declarer's, skat included (None in Null only); `tricks` the declarer's, None
    if unknown; `cards` his twelve, read for an impossible Null only. `value` is what is charged
    before a loss is doubled. `value` and `score` are None together when more than one outcome is
    admissible; `won` and `overbid` when the outcomes differ in them. `alternatives`, with an
    impossible Null only, are the other covering games, cheapest first.
    ValueError: facts that no played-out game of the profile can have.
    """
    if profile not in ("isko", "ledger", "iss", "iss-client"):
        raise ValueError(f"no such profile: {profile!r}")
    _check_declaration(contract, hand, schneider, schwarz, ouvert)
    _check_result(points, tricks)

    if contract == "null":
        if _null_value(hand, ouvert) < bid:
            return _settle_impossible_null(profile, hand, matadors, bid, cards)
        return _merge([_null_outcome(hand, ouvert, t) for t in _open_tricks(points, tricks)])

    if not 1 <= abs(matadors) <= (4 if contract == "grand" else 11):
        raise ValueError(f"{contract} has no run of {matadors} matadors")
    if points is None:
        raise ValueError("points are needed")
    return _merge(
        [
            _trump_outcome(
                profile, contract, hand, schneider, schwarz, ouvert, matadors, bid, points, t
            )
            for t in _open_tricks(points, tricks)
        ]
    )


def _check_declaration(
    contract: str, hand: bool, schneider: bool, schwarz: bool, ouvert: bool
) -> None:
    if contract == "null":
        if schneider or schwarz:
            raise ValueError("Null has no Schneider and no Schwarz")
        return
    _base(contract)
    # "Schneider and Schwarz may be announced only in Hand games"
    if schneider and not hand:
        raise ValueError("Schneider announced without Hand")
    # "announced Schwarz includes announced Schneider"
    if schwarz and not schneider:
        raise ValueError("Schwarz announced without Schneider: not expanded")
    # "suit/Grand Ouvert includes Hand and announced Schwarz"
    if ouvert and not (hand and schwarz):
        raise ValueError("Ouvert without Hand and Schwarz: not expanded")


def _check_result(points: int | None, tricks: int | None) -> None:
    if points is not None and not 0 <= points <= 120:
        raise ValueError(f"{points} points")
    if tricks is not None and not 0 <= tricks <= 10:
        raise ValueError(f"{tricks} tricks")
    if points is None or tricks is None:
        return
    # sec. 3 "over 22 the declarer [has] a trick"
    if tricks == 0 and points > 22:
        raise ValueError("more than 22 points without a trick")
    # sec. 3 "under 120 points the defenders [have] a trick"
    if tricks == 10 and points < 120:
        raise ValueError("all tricks, but not all points")


def _open_tricks(points: int | None, tricks: int | None) -> list[int]:
    """The numbers of tricks that the declarer may have."""
    if tricks is not None:
        return [tricks]
    # sec. 3 "under 120 points the defenders, over 22 the declarer, have a trick; at 120, or at 22
    # and fewer, Schwarz is *undetermined* if it would matter"
    possible = list(range(1, 10))
    if points is None or points <= 22:
        possible.append(0)
    if points is None or points == 120:
        possible.append(10)
    return possible


def _merge(outcomes: list[Outcome]) -> Settlement:
    """Merge the outcomes of every open number of tricks: "undetermined *if it would matter*"."""
    different: list[Outcome] = []
    for new in outcomes:
        for old in different:
            if (old["value"], old["score"]) == (new["value"], new["score"]):
                if old["overbid"] != new["overbid"]:
                    old["overbid"] = None
                break
        else:
            different.append(new)

    first = different[0]
    if len(different) == 1:
        return {
            "value": first["value"],
            "score": first["score"],
            "won": first["won"],
            "overbid": first["overbid"],
            "admissible": different,
        }
    return {
        "value": None,
        "score": None,
        "won": first["won"] if all(o["won"] == first["won"] for o in different) else None,
        "overbid": (
            first["overbid"] if all(o["overbid"] == first["overbid"] for o in different) else None
        ),
        "admissible": different,
    }


def _score(charged: int, won: bool) -> int:
    # "Won: + value. Lost: - 2 x value."
    if won:
        return charged
    return -2 * charged


def _null_outcome(hand: bool, ouvert: bool, tricks: int) -> Outcome:
    # "Null: no trick"
    won = tricks == 0
    # "Null values are never rounded"; a Null that does not cover the bid never comes here
    value = _null_value(hand, ouvert)
    return {"value": value, "score": _score(value, won), "won": won, "overbid": False}


def _trump_outcome(
    profile: str,
    contract: str,
    hand: bool,
    schneider: bool,
    schwarz: bool,
    ouvert: bool,
    matadors: int,
    bid: int,
    points: int,
    tricks: int,
) -> Outcome:
    # A promise is missed unless the defenders have 30 or fewer, or no trick.
    missed = False
    if schneider and 120 - points > 30:
        missed = True
    if schwarz and tricks < 10:
        missed = True

    schneider_counts, schwarz_counts = _levels(profile, schwarz, missed, points, tricks)

    # "Base x (matadors + 1 game + 1 Hand + 1 Schneider + 1 announced + 1 Schwarz + 1 announced
    # + 1 Ouvert)"
    factor = abs(matadors) + 1
    if hand:
        factor += 1
    if schneider_counts:
        factor += 1
    if schneider:
        factor += 1
    if schwarz_counts:
        factor += 1
    if schwarz:
        factor += 1
    if ouvert:
        factor += 1
    value = _base(contract) * factor

    # "Value (achieved levels included) below the bid: lost, whatever the points"; after a missed
    # announcement "the value tested against the bid then includes the promised levels"
    overbid = value < bid
    # "61 points incl. skat"
    won = points >= 61 and not missed and not overbid
    # "Charged: 2 x the smallest multiple of the base that reaches the bid and the value";
    # sec. 3 "count the level first, then round up; nothing is added after rounding", and no cap
    charged = _smallest_multiple(_base(contract), bid) if overbid else value
    return {"value": charged, "score": _score(charged, won), "won": won, "overbid": overbid}


def _levels(
    profile: str, schwarz: bool, missed: bool, points: int, tricks: int
) -> tuple[bool, bool]:
    """Whether the levels Schneider and Schwarz count (their announcements are added elsewhere)."""
    # "Schneider: the party with 30 or fewer. Schwarz: the party **without a trick**, whatever the
    # points - "party", so both levels count against a losing declarer too."
    declarer_is_schneider = points <= 30
    defenders_are_schneider = 120 - points <= 30
    declarer_is_schwarz = tricks == 0
    defenders_are_schwarz = tricks == 10

    if not missed:
        return (
            declarer_is_schneider or defenders_are_schneider,
            declarer_is_schwarz or defenders_are_schwarz,
        )

    # From here Schneider at least was announced, and the promise was not kept.
    if profile == "iss-client":
        # sec. 3 "a missed announcement charges the announcement but not its level"; "a Schneider
        # made in a missed Schwarz game is not charged"
        if schwarz:
            return False, False
        # sec. 3 "an announced Schneider missed without a trick also charges Schwarz (not
        # Schneider)"
        return False, declarer_is_schwarz

    # "Lost *at least* in the announced level: the level and its announcement both count", and
    # "announced Schwarz includes announced Schneider"
    if schwarz:
        return True, True
    # "a declarer who loses in the announced level is not charged that level twice": his own
    # Schneider adds nothing. "a higher level than the announced one counts", sec. 3 "Schwarz, a
    # level above the announced one, counts against the declarer (`isko`, `ledger`, `iss`)"
    return True, declarer_is_schwarz


def _settle_impossible_null(
    profile: str, hand: bool, given: int, bid: int, cards: Collection[str] | None
) -> Settlement:
    # FORMATS.md sec. 1 "The server refuses a Null that does not cover the bid"
    if profile in ("iss", "iss-client"):
        raise ValueError("the server refuses a Null below the bid")
    # Without the cards three matadors and fewer are known: the jacks decide, the same in every
    # suit and Grand. Four and more reach into the trump suit.
    if cards is None and not 1 <= abs(given) <= 3:
        raise ValueError("the twelve cards are needed to count matadors in every suit")

    # "A Null worth less than the bid is lost at once as a suit or Grand game that covers the bid"
    games: list[tuple[int, int, str]] = []
    for contract in ("diamonds", "hearts", "spades", "clubs", "grand"):
        # "matadors counted anew for each candidate"
        run = abs(given if cards is None else matadors(contract, cards))
        # "Hand is inherited, Ouvert and announcements are not"
        factor = run + 1
        if hand:
            factor += 1
        # "charged 2 x base x max(matadors + 1 [+ 1 Hand], ceil(bid / base))"
        base = _base(contract)
        value = max(base * factor, _smallest_multiple(base, bid))
        games.append((value, base, contract))

    # sec. 3 "the recorded choice, else the cheapest covering game"; "equal prices: the lower base"
    games.sort()
    charged = games[0][0]
    lost: Outcome = {
        "value": charged,
        "score": _score(charged, won=False),
        "won": False,
        "overbid": True,
    }
    return {
        "value": lost["value"],
        "score": lost["score"],
        "won": lost["won"],
        "overbid": lost["overbid"],
        "admissible": [lost],
        # sec. 3 "list the other covering games as admissible"
        "alternatives": [(contract, value) for value, _, contract in games[1:]],
    }
