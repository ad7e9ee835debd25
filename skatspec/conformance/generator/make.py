"""One made-up game from deal to result, legal and rightly scored."""

from __future__ import annotations

from dataclasses import replace

from skatspec.conformance.generator import declaration, frame, moves, plan, score
from skatspec.conformance.generator.auction import auction
from skatspec.conformance.generator.game import Game
from skatspec.conformance.generator.plan import Chance
from skatspec.conformance.generator.play import Play
from skatspec.conformance.generator.score import LEAVE, RESIGN, TIMEOUT
from skatspec.conformance.generator.table import CARDS, SEATS, Table
from skatspec.record import UNKNOWN, WORLD, Leave, Result, Timeout

_STOPS = {TIMEOUT: moves.STOPS[Timeout], LEAVE: moves.STOPS[Leave]}
LOST_AT_ONCE = "lost at once"


def make(table: Table, chance: Chance, number: int) -> Game:
    """Return game `number` (from 0), made of the draws of `chance`."""
    game = Game(number, list(range(len(table.order[0]))))
    game.tags, year = frame.tags(chance, number)
    auction(table, chance, game)
    if game.declarer < 0:
        game.ended = "passed in"
        game.result = score.PASSED_IN
        game.deal.sort(key=lambda card: chance())
        return game
    fate = plan.FATE.pick(chance)
    tables = table.tables
    if fate in (plan.IN_AUCTION, plan.UNDECLARED) and tables.penalty_before_declaration:
        _stopped_early(chance, game, fate)
    else:
        half = fate == plan.HALF_DECLARED and tables.half_declaration_skat_only
        _declared(table, chance, game, half)
    if frame.early(year) and chance() < plan.NO_RESIGNED_EARLY and game.result:
        game.result = replace(game.result, resigned=None)
    if chance() < plan.RESULT_UNKNOWN:
        game.result = Result(UNKNOWN)
    return game


def _stopped_early(chance: Chance, game: Game, fate: str) -> None:
    """Stop the deal in the auction, or between it and the declaration."""
    game.deal.sort(key=lambda card: chance())
    how, seat = TIMEOUT if chance() < 0.5 else LEAVE, int(chance() * SEATS)
    if fate == plan.IN_AUCTION:
        game.declarer = WORLD
        game.calls = int(chance() * game.calls)
        del game.moves[game.calls :]
        game.ended = f"{how} in the auction"
    else:
        game.ended = f"{how} before the declaration"
        if chance() < 0.6 or game.implied:
            # an unsaid first bid shows only in what forehand does next
            game.skat_taken = len(game.moves)
            skat = tuple(game.deal[CARDS:])
            game.moves.append(moves.pick_up(game.declarer, skat))
    game.moves.append(_STOPS[how][seat])
    game.result = score.penalty(game, seat, how)


def _declared(table: Table, chance: Chance, game: Game, half: bool) -> None:
    hand = declaration.choose(table, chance, game)
    declaration.deal(table, chance, game)
    half = half and not hand and not declaration.lost_at_once(table, game)
    hands = declaration.announce(table, chance, game, hand, half=half)
    styles = [0, 0, 0]
    at = game.declarer
    styles[at], styles[at - 1], styles[at - 2] = plan.STYLES.pick(chance)
    if table.is_null(game.contract):
        styles = [_OTHER_WAY[style] for style in styles]
    play = Play(table, chance, game, hands, tuple(styles))
    if half:
        how, seat = TIMEOUT if chance() < 0.5 else LEAVE, int(chance() * SEATS)
        game.moves.append(_STOPS[how][seat])
        game.ended = f"{how} before the discard"
        game.result = score.result(table, game, play, how, seat, half=True)
        return
    if declaration.lost_at_once(table, game):
        game.ended = LOST_AT_ONCE
        game.result = score.result(table, game, play)
        return
    game.course = plan.COURSE.pick(chance)
    if game.course:
        _disturbed(table, chance, game, play)
        return
    tries = plan.EDGE_TRIES if chance() < plan.EDGE else 1
    for _ in range(tries):
        del game.moves[game.lead :]
        play = Play(table, chance, game, [list(held) for held in game.hands], tuple(styles))
        play.run()
        game.ended = play.ended
        game.result = score.result(table, game, play)
        if game.result.points in table.edges:
            break


_OTHER_WAY = {plan.ANY: plan.ANY, plan.HIGH: plan.LOW, plan.LOW: plan.HIGH}


# --- what disturbs play -------------------------------------------------------------------

Event = tuple[int, str, int]  # so many cards played, what happens, by whom


def _events(chance: Chance, course: str, declarer: int) -> list[Event]:
    """Return what happens in the play of a game, in order."""
    first = int(chance() * CARDS)
    one = (declarer + 1 + int(chance() * 2)) % SEATS
    other = SEATS - declarer - one
    later = first + int(chance() * chance() * (CARDS - first))
    if course == "declarer gives up":
        return [(first, RESIGN, declarer)]
    if course == "one defender gives up":
        return [(first, RESIGN, one)]
    if course == "both defenders give up":
        return [(first, RESIGN, one), (later, RESIGN, other)]
    if course in (TIMEOUT, LEAVE):
        seat = int(chance() * SEATS)
        return [(first, course, seat)]
    events = [(first, "show", declarer)]
    if course != "show":
        return [*events, (first, RESIGN, one), (later, RESIGN, other)]
    while chance() < 0.4:
        events.append((events[-1][0] + int(chance() * (CARDS - events[-1][0])), "show", declarer))
    return events


def _disturbed(table: Table, chance: Chance, game: Game, play: Play) -> None:
    """Play a game with shows, resignations, a timeout or somebody leaving."""
    given_up = 0
    needed, alone = table.tables.endings[RESIGN].defenders, table.tables.concede_alone
    for at, what, seat in _events(chance, game.course, game.declarer):
        play.run(at)
        if play.ended:
            break
        by_declarer = seat == game.declarer
        if what == "show":
            game.moves.append(moves.SHOWS[seat])
            continue
        if what == RESIGN:
            if by_declarer and len(play.hands[seat]) < alone:
                continue  # these rules want a defender's consent, and ISS has no word for it
            game.moves.append(moves.RESIGNS[seat])
            given_up += 1
            if not by_declarer and given_up < needed:
                continue
        else:
            game.moves.append(_STOPS[what][seat])
        who = "declarer" if by_declarer else "defender"
        game.ended = f"{what}, {who}"
        game.result = score.result(table, game, play, what, seat)
        return
    if not play.ended or play.goes_on:
        play.run()
    game.ended = play.ended
    game.result = score.result(table, game, play)
