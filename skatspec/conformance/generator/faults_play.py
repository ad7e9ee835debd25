"""Single faults in the play of a made-up game, and in how it is ended."""

from __future__ import annotations

from skatspec.conformance.generator import moves
from skatspec.conformance.generator.faults_deal import among, held, other_seat, reseated
from skatspec.conformance.generator.game import Game
from skatspec.conformance.generator.make import LOST_AT_ONCE
from skatspec.conformance.generator.plan import Chance
from skatspec.conformance.generator.play import NULL_LOST, SCHNEIDER_MISSED, SCHWARZ_MISSED
from skatspec.conformance.generator.table import SEATS, Table
from skatspec.record import Leave, Play, Resign, Show, Timeout

_ENDS = (Resign, Timeout, Leave)
_MOST_CUT = 8


def _plays(game: Game) -> list[int]:
    if game.lead < 0:
        return []
    found = range(game.lead, len(game.moves))
    return [at for at in found if type(game.moves[at][1][0]) is Play]


def _play(game: Game, at: int) -> Play:
    step = game.moves[at][1][0]
    assert isinstance(step, Play)
    return step


def play_of_another(table: Table, chance: Chance, game: Game) -> bool:
    """Play a card that another player holds at that time."""
    places = _plays(game)
    if not places:
        return False
    at = places[among(chance, len(places))]
    seat = _play(game, at).seat
    hands = held(game, at)
    theirs = [card for one in range(SEATS) if one != seat for card in hands[one]]
    if not theirs:
        return False
    game.moves[at] = moves.PLAYS[seat][theirs[among(chance, len(theirs))]]
    return True


def play_again(table: Table, chance: Chance, game: Game) -> bool:
    """Play a card that lies already."""
    places = _plays(game)
    if len(places) < 2:
        return False
    which = 1 + among(chance, len(places) - 1)
    card = _play(game, places[among(chance, which)]).card
    game.moves[places[which]] = moves.PLAYS[_play(game, places[which]).seat][card]
    return True


def play_put_away(table: Table, chance: Chance, game: Game) -> bool:
    """Play a card that lies in the skat, for the declarer."""
    own = [at for at in _plays(game) if _play(game, at).seat == game.declarer]
    if not own:
        return False
    card = game.away[among(chance, len(game.away))]
    game.moves[own[among(chance, len(own))]] = moves.PLAYS[game.declarer][card]
    return True


def turns_swapped(table: Table, chance: Chance, game: Game) -> bool:
    """Record a play in front of the one that was made before it."""
    places = [
        at for at in _plays(game)[1:]
        if isinstance(game.moves[at - 1][1][0], Play)
        and game.moves[at - 1][1][0].seat != game.moves[at][1][0].seat
    ]  # fmt: skip
    if not places:
        return False
    at = places[among(chance, len(places))]
    game.moves[at - 1], game.moves[at] = game.moves[at], game.moves[at - 1]
    return True


def play_by_another(table: Table, chance: Chance, game: Game) -> bool:
    """Say that another player played the card."""
    places = _plays(game)
    if not places:
        return False
    at = places[among(chance, len(places))]
    game.moves[at] = reseated(game.moves[at], other_seat(chance, _play(game, at).seat))
    return True


def suit_not_followed(table: Table, chance: Chance, game: Game) -> bool:
    """Play a card of another suit although the hand could follow, and the right one later."""
    places, contract = _plays(game), game.contract
    follow = table.tables.follow[contract]
    options: list[tuple[int, int]] = []
    for number, at in enumerate(places):
        step = _play(game, at)
        led = follow[_play(game, places[number - number % SEATS]).card]
        if number % SEATS and follow[step.card] == led:
            options += [
                (at, later) for later in places[number + 1 :]
                if _play(game, later).seat == step.seat and follow[_play(game, later).card] != led
            ]  # fmt: skip
    if not options:
        return False
    one, other = options[among(chance, len(options))]
    game.moves[one], game.moves[other] = game.moves[other], game.moves[one]
    return True


def cards_reordered(table: Table, chance: Chance, game: Game) -> bool:
    """Exchange two cards that one hand played."""
    seat = among(chance, SEATS)
    places = [at for at in _plays(game) if _play(game, at).seat == seat]
    if len(places) < 2:
        return False
    first = among(chance, len(places))
    one, other = places[first], places[first - 1 - among(chance, len(places) - 1)]
    game.moves[one], game.moves[other] = game.moves[other], game.moves[one]
    return True


def play_missing(table: Table, chance: Chance, game: Game) -> bool:
    """Leave out a play."""
    places = _plays(game)
    if not places:
        return False
    del game.moves[places[among(chance, len(places))]]
    return True


def play_doubled(table: Table, chance: Chance, game: Game) -> bool:
    """Record a play a second time."""
    places = _plays(game)
    if not places:
        return False
    at = places[among(chance, len(places))]
    game.moves.insert(at, game.moves[at])
    return True


def _may_go_on(table: Table, game: Game) -> bool:
    """Say whether the game was decided in a way that it may be played on after."""
    tables = table.tables
    how = {
        NULL_LOST: tables.null_lost, LOST_AT_ONCE: tables.null_lost,
        SCHNEIDER_MISSED: tables.schneider_missed, SCHWARZ_MISSED: tables.schwarz_missed,
    }  # fmt: skip
    return how.get(game.ended, "ends") != "ends"


def play_after_the_end(table: Table, chance: Chance, game: Game) -> bool:
    """Put a card behind the last move, where the game cannot go on."""
    if _may_go_on(table, game):
        return False
    seat, card = among(chance, SEATS), among(chance, len(game.deal))
    game.moves.append(moves.PLAYS[seat][card])
    return True


def play_cut_short(table: Table, chance: Chance, game: Game) -> bool:
    """Leave out the last moves of the play."""
    count = len(game.moves) - game.lead
    if game.lead < 0 or not count:
        return False
    del game.moves[-1 - among(chance, min(count, _MOST_CUT)) :]
    return True


def play_hidden(table: Table, chance: Chance, game: Game) -> bool:
    """Show a card that should be seen as a hidden one."""
    places = _plays(game)
    if not places:
        return False
    at = places[among(chance, len(places))]
    game.moves[at] = moves.PLAYS[_play(game, at).seat][-1]
    return True


# --- how it is ended ----------------------------------------------------------------------


def _ends(game: Game) -> list[int]:
    found = range(game.calls, len(game.moves))
    return [at for at in found if isinstance(game.moves[at][1][0], _ENDS)]


def ending_missing(table: Table, chance: Chance, game: Game) -> bool:
    """Leave out a resignation, a timeout or somebody's leaving."""
    places = _ends(game)
    if not places:
        return False
    del game.moves[places[among(chance, len(places))]]
    return True


def resign_twice(table: Table, chance: Chance, game: Game) -> bool:
    """Let a player give up a second time."""
    places = [at for at in _ends(game) if isinstance(game.moves[at][1][0], Resign)]
    if not places:
        return False
    at = places[among(chance, len(places))]
    game.moves.insert(at, game.moves[at])
    return True


def another_left(table: Table, chance: Chance, game: Game) -> bool:
    """Say that another player's time ran out, or that another one left."""
    if not game.moves or game.result is None or game.result.left is None:
        return False
    step = game.moves[-1][1][0]
    if not isinstance(step, (Timeout, Leave)):
        return False
    game.moves[-1] = moves.STOPS[type(step)][other_seat(chance, step.seat)]
    return True


def shown_by_a_defender(table: Table, chance: Chance, game: Game) -> bool:
    """Let a defender show his cards in front of a card."""
    places = _plays(game)
    if not places or _may_go_on(table, game):
        return False
    at = places[among(chance, len(places))]
    game.moves.insert(at, moves.SHOWS[other_seat(chance, game.declarer)])
    return True


def show_removed(table: Table, chance: Chance, game: Game) -> bool:
    """Leave out that the declarer showed his cards; nothing hangs on it."""
    places = [at for at, move in enumerate(game.moves) if isinstance(move[1][0], Show)]
    if not places:
        return False
    del game.moves[places[among(chance, len(places))]]
    return True
