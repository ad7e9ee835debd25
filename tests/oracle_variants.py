"""The variants read a second time: slow, plain, without tables, from RULES.md and XSKAT.md alone.

Ramsch (legality, price, pushes, knocks), Kontra and its answers, Spitze, Revolution and gifts.
Nothing of `skatspec` is imported; tricks and matadors come from the reading of the standard
game in tests/oracle.py. The fields of `RamschRules` and `KontraRules` are the keys of a
profile's section `variants:`, and have their names and values.

Cards are two letters; seats are 0 forehand, 1 middlehand, 2 rearhand. A comment in quotation
marks is the sentence that the next step follows: from RULES.md sec. 4, where it is marked
"XSkat" from XSKAT.md, where it is marked "profile" from the comments of the profile's keys.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests import oracle

Trick = tuple[int, Sequence[str]]  # who won it, and its cards in order of play
THREE = (0, 1, 2)


def points_of(cards: Collection[str]) -> int:
    """Card points."""
    return sum(oracle.card_points(card) for card in cards)


# ---------------------------------------------------------------- Ramsch


@dataclass(frozen=True)
class RamschRules:
    """The keys of `variants.ramsch` that say what a Ramsch is worth and what is allowed in it."""

    price: str = "points"
    fixed: tuple[int, int, int] = (10, 15, 20)
    skat: str = "last-trick"
    tie: str = "all-lose"
    all_tied: str = "all-lose"
    jungfrau: str = "doubles"
    march: int = 120
    march_factors: str = "ignored"
    pushes: str = "none"
    jacks: str = "unseen-only"
    unseen: str = "doubles"
    knock: str = "refused"


@dataclass(frozen=True)
class RamschOutcome:
    """Who lost, what was counted for each player, and each player's ledger points."""

    losers: tuple[bool, bool, bool]
    counted: tuple[int, int, int]
    scores: tuple[Fraction, Fraction, Fraction]
    march: bool


def ramsch_legal(hand: Collection[str], led: str | None) -> set[str]:
    """The cards that may be played."""
    # "jacks are trumps as in Grand"
    return oracle.legal_cards("grand", hand, led)


def ramsch_winner(trick: Sequence[str]) -> int:
    """Index, in order of play, of the card that wins the trick."""
    return oracle.trick_winner("grand", trick)


def ramsch(
    rules: RamschRules, tricks: Sequence[Trick], skat: Collection[str], unseen: int, knocks: int,
    bock: int = 1,
) -> RamschOutcome:  # fmt: skip
    """Settle a Ramsch of ten tricks; `bock` is the factor of the round it belongs to."""
    totals = [sum(points_of(cards) for who, cards in tricks if who == seat) for seat in THREE]
    taken = [sum(1 for who, _ in tricks if who == seat) for seat in THREE]
    # XSkat "the skat's points go to the winner of the last trick"
    if rules.skat == "last-trick":
        totals[tricks[-1][0]] += points_of(skat)

    factor = bock * 2**knocks
    # "pushing unseen doubles"
    if rules.unseen == "doubles":
        factor *= 2**unseen

    # "all tricks (Durchmarsch) +120, looked at first"; profile "0: not rewarded"
    if 10 in taken and rules.march:
        return _march(rules, totals, taken.index(10), points_of(skat), factor)

    # "who takes most points loses them"; "ties are judged on trick points before the skat is
    # added"
    most = max(totals)
    tied = [seat for seat in THREE if totals[seat] == most]
    losers, parts = _losers(rules, tied, tricks)
    # XSkat "then it is added to the loser (to each of two tied losers)"
    if rules.skat == "loser":
        # XSkat, two tied, of the third player: "n = 120 - 2 x tied trick points (so under
        # -skattoloser the skat is inside n)"
        for seat in THREE if len(losers) == 2 else losers:
            totals[seat] += points_of(skat)

    without = taken.count(0)
    scores = [Fraction(0), Fraction(0), Fraction(0)]
    for seat in losers:
        if rules.price == "fixed":
            # "`fixed`: -10 with none, -15 with one, -20 with two such players"
            price = rules.fixed[without]
        else:
            # XSkat "exactly one player without a trick: value x 2, ties too"
            price = totals[seat] * (2 if rules.jungfrau == "doubles" and without == 1 else 1)
        scores[seat] = Fraction(-price * factor, parts)
    return RamschOutcome(
        (0 in losers, 1 in losers, 2 in losers),
        (totals[0], totals[1], totals[2]),
        (scores[0], scores[1], scores[2]),
        march=False,
    )


def _march(
    rules: RamschRules, totals: list[int], winner: int, skat: int, factor: int
) -> RamschOutcome:
    # "+120 [...] never doubled"; profile "pushes and knocks double it too: count | ignored"
    score = rules.march * (factor if rules.march_factors == "count" else 1)
    # XSkat "`Won with: 120 points`", under -skattoloser too
    if rules.skat == "loser":
        totals[winner] += skat
    scores = [Fraction(0), Fraction(0), Fraction(0)]
    scores[winner] = Fraction(score)
    return RamschOutcome(
        (False, False, False),
        (totals[0], totals[1], totals[2]),
        (scores[0], scores[1], scores[2]),
        march=True,
    )


def _losers(rules: RamschRules, tied: list[int], tricks: Sequence[Trick]) -> tuple[list[int], int]:
    """Who loses, and among how many the loss is shared."""
    if len(tied) == 3:
        # XSkat "three tied: Nobody lost the Ramsch"; profile "all-lose | nobody"
        return ([], 1) if rules.all_tied == "nobody" else (tied, 1)
    if len(tied) == 1 or rules.tie == "all-lose":
        return tied, 1
    # "tie: all tied lose, share, or the later trick loses"
    if rules.tie == "share":
        return tied, len(tied)
    return [next(who for who, _ in reversed(tricks) if who in tied)], 1


def push_fault(rules: RamschRules, twelve: Collection[str], pushed: Sequence[str] | None) -> str:
    """Why a seat may not hand these cards on (None: the skat, unseen); empty where it may."""
    if rules.pushes == "none":
        return "no Schieberamsch"
    if pushed is None:
        return ""
    # "F takes the skat and pushes two cards to M"
    if len(pushed) != 2 or len(set(pushed)) != 2:
        return "not two cards"
    if not set(pushed) <= set(twelve):
        return "not held"
    # "jacks may not be pushed (switch)"; XSkat "A jack can only travel in an untouched skat"
    if rules.jacks == "unseen-only" and any(card[1] == "J" for card in pushed):
        return "a jack"
    return ""


def knock_fault(rules: RamschRules, left_the_skat: bool, in_ramsch_round: bool) -> str:
    """Why a player may not knock; empty where he may."""
    # profile "Klopfen doubles: refused | any-ramsch | ramsch-rounds"
    if rules.knock == "refused":
        return "no Klopfen"
    if rules.knock == "ramsch-rounds" and not in_ramsch_round:
        return "no Ramsch round"
    # XSkat "not by one who left the skat"
    if left_the_skat:
        return "left the skat"
    return ""


# ---------------------------------------------------------------- Kontra, Re, Bock, Hirsch


@dataclass(frozen=True)
class KontraRules:
    """The keys of `variants.kontra`."""

    calls: tuple[str, ...] = ()
    factor: int = 2
    who: str = "any-defender"
    bidder_said: int = 18
    until: str = "lead"


def call_fault(
    rules: KontraRules, declarer: int, said: Mapping[int, int], before: Sequence[str],
    seat: int, call: str, played: Sequence[int],
) -> str:  # fmt: skip
    """Why a call may not be made; empty where it may.

    `said` has the highest value that each player bid or held, `before` the calls made so
    far, `played` the seats of the cards on the table so far.
    """
    # "Kontra / Re / Bock (Supra) / Hirsch", profile "each times `factor`; defenders and
    # declarer take turns"
    if len(before) >= len(rules.calls) or rules.calls[len(before)] != call:
        return "not the next call"
    if (call in ("re", "hirsch")) != (seat == declarer):
        return "not this party's"
    # "any defender, or only one who bid or held 18"
    if call == "kontra" and rules.who == "bidder" and said.get(seat, 0) < rules.bidder_said:
        return "has not bid"
    # "before his own first card, or before the lead"
    if played if rules.until == "lead" else seat in played:
        return "too late"
    return ""


def doubling(rules: KontraRules, calls: Sequence[str], bock: int = 1) -> int:
    """The factor of the calls made and of the round."""
    # "value x 2 / 4 / 8 / 16"; "one full round x 2"
    factor = bock
    for _ in calls:
        factor *= rules.factor
    return factor


# ---------------------------------------------------------------- declared games


@dataclass(frozen=True)
class Declared:
    """A declared game as it ended; `announced` is expanded, `spitze` None where none was said.

    `accepted` is true for a game that the defenders gave away and the declarer took.
    """

    contract: str
    announced: frozenset[str]
    matadors: int
    bid: int
    points: int
    tricks: int
    spitze: bool | None = None
    accepted: bool = False


@dataclass(frozen=True)
class Charge:
    """Value before a loss is doubled and before any Kontra, ledger score, and won or lost."""

    value: int
    score: int
    won: bool
    overbid: bool


def settle(game: Declared, spitze_level: int, doubled: int = 1, hand_loss: int = 2) -> Charge:
    """Settle a suit game or Grand with Spitze, Kontra and gifts."""
    base = {"diamonds": 9, "hearts": 10, "spades": 11, "clubs": 12, "grand": 24}[game.contract]
    said = game.announced
    # XSkat "Accepted: won [...]: levels as for 61 points, no trick count"
    points, tricks = (61, 1) if game.accepted else (game.points, game.tricks)

    # XSkat "matadors + 1 + Hand + Schneider (points >= 90 or <= 30, or announced) + announced
    # + Schwarz (all tricks or none, or announced) + announced + Ouvert + Spitze level"
    steps = abs(game.matadors) + 1
    steps += "hand" in said
    steps += points >= 90 or points <= 30 or "schneider" in said
    steps += "schneider" in said
    steps += tricks in (0, 10) or "schwarz" in said
    steps += "schwarz" in said
    steps += "ouvert" in said
    # "one level more, lost if missed"
    if game.spitze is not None:
        steps += spitze_level

    # "The overbid test uses the undoubled value"
    value = base * steps
    overbid = value < game.bid
    won = points >= 61 and not overbid and game.spitze is not False
    if "schneider" in said and points < 90:
        won = False
    if "schwarz" in said and tricks < 10:
        won = False
    # XSkat "Accepted: won, whatever the bid (67 games won below it)"
    if game.accepted:
        return Charge(value, value * doubled, True, False)
    # "an overbid game's charged multiple is doubled too"
    while value < game.bid:
        value += base
    if won:
        return Charge(value, value * doubled, True, overbid)
    # "lost Hand single" (before 1999), else "the loss is doubled after that"
    return Charge(value, -value * (hand_loss if "hand" in said else 2) * doubled, False, overbid)


def settle_null(value: int, hand: bool, lost: bool, doubled: int = 1, hand_loss: int = 2) -> Charge:
    """Settle a Null or a Revolution of this value."""
    # "92, lost 184"; XSkat "Lost x 2. [...] Kontra, Re and Bock apply to both"
    loss = hand_loss if hand else 2
    return Charge(value, -value * loss * doubled if lost else value * doubled, not lost, False)


def null_value(announced: frozenset[str]) -> int:
    """What a Null is worth."""
    # XSkat "Null 23, Hand 35, ouvert 46, ouvert Hand 59"
    if "ouvert" in announced:
        return 59 if "hand" in announced else 46
    return 35 if "hand" in announced else 23


def refused_gifts(announced: frozenset[str], refusals: int) -> frozenset[str]:
    """What counts as announced after the declarer refused gifts."""
    # XSkat "Schneider counts as announced, without Hand; refused again: Schwarz too"
    levels = ("schneider", "schwarz")
    return announced | set(levels[:refusals])


# ---------------------------------------------------------------- Spitze, Revolution


def lowest_trump(contract: str) -> str:
    """The card that Spitze is announced with."""
    # XSkat "the lowest trump (7 of trumps; Grand: jack of diamonds)"
    return {"diamonds": "D7", "hearts": "H7", "spades": "S7", "clubs": "C7", "grand": "DJ"}[
        contract
    ]


def spitze_fault(contract: str, ten: Collection[str], known: Collection[str]) -> str:
    """Why Spitze may not be announced; `known` are ten cards in Hand, else all twelve."""
    # XSkat "must hold it in hand, not in a Grand with four known jacks (Hand: ten cards, else
    # twelve), not in Null"
    if contract in ("null", "revolution"):
        return "no trump"
    if lowest_trump(contract) not in ten:
        return "not in hand"
    if contract == "grand" and sum(card[1] == "J" for card in known) == 4:
        return "all four jacks"
    return ""


def spitze_made(contract: str, declarer: int, tricks: Sequence[Trick]) -> bool:
    """Whether the declarer won the last trick with the lowest trump."""
    # XSkat "Made = he wins the tenth trick with that card"
    winner, trick = tricks[-1]
    return winner == declarer and trick[oracle.trick_winner(contract, trick)] == lowest_trump(
        contract
    )


def exchange_fault(hands: Sequence[Collection[str]], after: Sequence[Collection[str]]) -> str:
    """Why two defenders cannot have redivided their cards so."""
    # "the defenders pool and redivide their cards"
    if [len(set(hand)) for hand in after] != [10, 10]:
        return "not ten each"
    if {*hands[0], *hands[1]} != {*after[0], *after[1]}:
        return "other cards"
    return ""
