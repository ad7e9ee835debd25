"""A record as tables: hands, steps, tricks with running totals, the position, the settlement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import IO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text as Rich

from skatspec.cards import GLYPHS, HIDDEN, Card, members, name
from skatspec.check import Report
from skatspec.cli.items import item_lines, items_of, other_games
from skatspec.cli.steps import in_words, words_and_cards
from skatspec.cli.terminal import Paint, clean, count
from skatspec.cli.text import (
    admissible,
    describe,
    finding_lines,
    head_lines,
    stated,
)
from skatspec.diagnostics import Verdict
from skatspec.engine.placing import AWAY
from skatspec.engine.replay import hand_cards, replay
from skatspec.engine.state import OPEN, PLAYED_OUT, UNKNOWN_SEAT, WHY_ENDED, Game, Trick
from skatspec.record import SEAT_LETTERS, SEAT_NAMES, Play, Record, Step
from skatspec.rules import Rules
from skatspec.rules.tables import CONTRACTS, TRUMP

_RED = "DH"
# A card in a sentence; letters that belong to a longer word are none.
_CARD = re.compile(r"(?<![\w\"'])([CSHD])([789TJQKA])(?![\w\"'])")
_PARTIES = ("declarer", "defenders")
_FIGURES = ("step", "trick", "points", *_PARTIES, *SEAT_NAMES)


class Board:
    """Prints one record for people; glyphs and colour only where the stream shows them."""

    def __init__(self, stream: IO[str], paint: Paint, letters: bool, rules: Rules) -> None:
        self._paint = paint
        self._rules = rules
        encoding = (getattr(stream, "encoding", None) or "").lower()
        self._glyphs = paint.at_terminal and not letters and encoding.startswith("utf")
        self._console = Console(
            file=stream, width=paint.width, color_system="auto" if paint.colour else None,
            force_terminal=paint.colour, highlight=False, markup=False, emoji=False,
        )  # fmt: skip

    # --- parts of the page --------------------------------------------------------------

    def header(self, record: Record, report: Report, why: str, place: str = "") -> None:
        """Print what the record is, and whose rules judge it; `place` other than its line."""
        words = [clean(word) for word in (report.id, describe(report)) if word]
        place = clean(place or f"{report.source}:{report.line}")
        for line in head_lines(words, place, self._paint):
            self._say(self._paint(line, bold=True))
        self._say(f"rules: {clean(report.rules)} ({why})")

    def broken(self, report: Report, place: str = "") -> None:
        """Print a record that cannot be read; `place` other than its line."""
        place = clean(place or f"{report.source}:{report.line}")
        self._say(self._paint(place, bold=True))
        self.verdict(report)

    def whole(self, record: Record, report: Report) -> None:
        """Print the deal, every step, the settlement and the verdict."""
        assert report.replay is not None
        game = report.replay.game
        self._hands(record, game)
        self._steps(record, report)
        self._end(game)
        self._settlement(report)
        self.verdict(report)

    def verdict(self, report: Report) -> None:
        """Print the verdict, what the record states, and the findings."""
        self._say("")
        says = ", ".join(stated(report))
        # an undetermined record's figures stand beside the possible ones
        tail = f"; recorded: {says}" if says and report.verdict is not Verdict.UNDETERMINED else ""
        self._say(self._paint.wrap(self._paint.verdict(report.verdict) + tail, "", "  "))
        cards = self._in_words if report.replay is not None else str
        for one in report.findings:
            for line in finding_lines(report, one, self._paint, cards):
                self._say(line)

    def standing(self, record: Record, at: int, round_: str | None = None) -> None:
        """Print hands, trick and points after a number of steps."""
        played = replay(record, self._rules.tables, at, round_)
        game = played.game
        done = min(at, played.steps_done)
        of = f"after {done} of {len(record.steps)} steps"
        if done:
            step = record.steps[done - 1]
            said = self._who(step.seat), self._in_words(in_words(step))
            of += ": " + " ".join(word for word in said if word)
        self._say(of)
        table = _table("", "player", "cards")
        for seat in range(3):
            holding = self._cards(hand_cards(game, seat), game)
            table.add_row(self._who(seat, game), _player(record, seat), holding)
        aside = game.possible[AWAY] if game.contract is not None or game.discarded else 0
        if game.picked_up and aside.bit_count() == 2:
            table.add_row("put away", "", self._cards(list(members(aside)), game))
        elif not game.picked_up:
            skat = record.deal.skat if record.deal else None
            table.add_row("skat", "", self._given(skat, game))
        self._print(table)
        if game.cards:
            on_table = zip(range(3), game.cards, strict=False)
            cards = [(f"{SEAT_LETTERS[(game.leader + n) % 3]} ", card) for n, card in on_table]
            self._console.print(Rich.assemble("on the table: ", self._labelled(cards)))
        if game.declarer is not None and game.contract is not None:
            own, other = _totals(game.tricks, (game.declarer,))
            won = sum(trick.winner == game.declarer for trick in game.tricks)
            self._say("")
            self._say(
                f"declarer {count(won, 'trick')}, {_span(own)} points without the skat; "
                f"defenders {count(len(game.tricks) - won, 'trick')}, {_span(other)} points"
            )
        if played.fault is not None:
            self._say("the replay stops here, at an illegal step")
        elif game.ended != OPEN:
            self._say(f"the deal has ended: {WHY_ENDED[game.ended]}")

    # --- hands and steps ----------------------------------------------------------------

    def _hands(self, record: Record, game: Game) -> None:
        table = _table("dealt", "player", "cards")
        parts = record.deal.parts() if record.deal else (None,) * 4
        for place, cards in enumerate(parts):
            who = "skat" if place == AWAY else self._who(place, game)
            player = "" if place == AWAY else _player(record, place)
            table.add_row(who, player, self._given(cards, game))
        self._print(table)

    def _steps(self, record: Record, report: Report) -> None:
        assert report.replay is not None
        game, done = report.replay.game, report.replay.steps_done
        steps = list(enumerate(record.steps, start=1))
        lead = next((at for at, step in steps if isinstance(step, Play)), len(steps) + 1)
        before = _table("step", "who", "what")
        for at, step in steps[: min(lead - 1, done + 1)]:
            style = "red" if at > done else ""
            before.add_row(str(at), self._who(step.seat), self._what(step, game), style=style)
        if before.row_count:
            self._print(before)
        if lead <= min(len(steps), done + 1):
            self._print(self._tricks(steps[lead - 1 : done + 1], game, done))
        if done < len(steps):
            code = report.findings[-1].code if report.findings else ""
            code = next((one.code for one in report.findings if one.step == done + 1), code)
            rest = len(steps) - done - 1
            are = "is" if rest == 1 else "are"
            after = f"; the {count(rest, 'step')} after it {are} not replayed" if rest else ""
            self._say(f"stopped at step {done + 1} by {code}{after}")

    def _tricks(self, steps: Sequence[tuple[int, Step]], game: Game, done: int) -> Table:
        """Return the table of tricks, other steps between them where they stand."""
        sides = SEAT_NAMES if game.is_ramsch else _PARTIES
        table = _table("step", "trick", "leads", "cards", "winner", "points", *sides)
        row = _TrickRow()
        plays = 0
        for at, step in steps:
            if at > done:
                if row.cards:
                    self._add(table, row, game, plays)
                who = SEAT_LETTERS[step.seat] if step.seat >= 0 else ""
                table.add_row(str(at), "", who, self._what(step, game), style="red")
                break
            if not isinstance(step, Play):
                row.between.append((at, step))
                if not row.cards:
                    self._flush(table, row, game)
                continue
            row.cards.append((at, step))
            plays += 1
            if plays % 3 == 0:
                self._add(table, row, game, plays)
                row = _TrickRow()
        if row.cards:
            self._add(table, row, game, plays)
        self._flush(table, row, game)
        return table

    def _add(self, table: Table, row: _TrickRow, game: Game, plays: int) -> None:
        """Add a trick's row, complete or not, and the steps that stand inside it."""
        number = (plays - 1) // 3
        leads = row.cards[0][1].seat
        complete = len(row.cards) == 3 and number < len(game.tricks)
        trick = game.tricks[number] if complete else None
        winner = trick.winner if trick else UNKNOWN_SEAT
        cards = Rich()
        for _, step in row.cards:
            shown = self._card(step.card)
            if step.seat == winner:
                shown.stylize("bold underline")
            cards.append_text(shown).append(" ")
        cells: list[str | Rich] = [
            _numbers([at for at, _ in row.cards]), str(number + 1), SEAT_LETTERS[leads], cards
        ]  # fmt: skip
        if trick is not None:
            who = "?" if winner == UNKNOWN_SEAT else SEAT_LETTERS[winner]
            cells += [who, _span((trick.low, trick.high))]
            cells += [_span(one) for one in _running(game, number + 1)]
        table.add_row(*cells)
        row.cards.clear()
        self._flush(table, row, game)

    def _flush(self, table: Table, row: _TrickRow, game: Game) -> None:
        for at, step in row.between:
            who = SEAT_LETTERS[step.seat] if step.seat >= 0 else ""
            table.add_row(str(at), "", who, self._what(step, game))
        row.between.clear()

    def _end(self, game: Game) -> None:
        """Say how the deal ended, what lay aside, and what that makes with the tricks."""
        aside = game.possible[AWAY] if game.contract is not None else 0
        if aside.bit_count() == 2 and game.tricks:
            points = sum(game.tables.points[card] for card in members(aside))
            cards = self._cards(list(members(aside)), game)
            where = "put away: " if game.picked_up or game.pushed else "skat: "
            self._console.print(Rich.assemble(where, cards, f" {points} points"))
            own, _ = _totals(game.tricks, (game.declarer,))
            if (
                game.declarer is not None
                and game.ended == PLAYED_OUT
                and own[0] == own[1]
                and not game.is_null
            ):
                there = "put away" if game.picked_up else "in the skat"
                whole = own[0] + points
                self._say(f"declarer: {own[0]} + {points} {there} = {count(whole, 'point')}")
        if game.ended not in (OPEN, PLAYED_OUT):
            where = f" in trick {game.ended_in}" if game.tricks and game.ended_in else ""
            self._say(f"ended{where}: {WHY_ENDED[game.ended]}")

    def _settlement(self, report: Report) -> None:
        came_to = report.outcome
        if came_to is None or not came_to.settlements:
            return
        if came_to.settled is None and report.verdict is Verdict.UNDETERMINED:
            return  # its finding lists what is possible
        self._say("")
        if came_to.settled is None:
            self._say("not settled by the record:")
            for line in admissible(report):
                self._say(self._paint.wrap(line, "  ", "    "))
            return
        for line in item_lines(items_of(came_to.settled, self._rules), self._paint):
            self._say(line)
        one = came_to.settled
        if one.alternatives:
            others = [(CONTRACTS[c], v, one.score // one.value * v) for c, v in one.alternatives]
            self._say(self._paint.wrap(other_games(others), "  ", "    "))

    # --- words --------------------------------------------------------------------------

    def _who(self, seat: int, game: Game | None = None) -> str:
        if seat < 0:
            return ""
        declarer = ", declarer" if game is not None and game.declarer == seat else ""
        return SEAT_NAMES[seat] + declarer

    def _what(self, step: Step, game: Game) -> Rich:
        """Return a step in words, cards shown as everywhere."""
        words, cards = words_and_cards(step)
        return Rich.assemble(words, " " if cards else "", self._cards(cards, game, ordered=False))

    def _given(self, cards: Sequence[Card] | None, game: Game) -> Rich | str:
        """Return a hand or skat as the record gives it."""
        return "not recorded" if cards is None else self._cards(cards, game)

    def _in_words(self, text: str) -> str:
        """Return a sentence with its cards shown as everywhere."""
        if not self._glyphs:
            return text
        return _CARD.sub(lambda card: GLYPHS[card[1]] + card[2], text)

    def _cards(self, cards: Iterable[Card], game: Game, ordered: bool = True) -> Rich:
        shown = Rich()
        for card in sorted(cards, key=lambda card: _rank(card, game)) if ordered else cards:
            shown.append_text(self._card(card)).append(" ")
        return shown

    def _labelled(self, cards: Iterable[tuple[str, Card]]) -> Rich:
        shown = Rich()
        for label, card in cards:
            shown.append(label).append_text(self._card(card)).append("  ")
        return shown

    def _card(self, card: Card) -> Rich:
        text = name(card)
        if card == HIDDEN or not self._glyphs:
            return Rich(text)
        return Rich(GLYPHS[text[0]] + text[1], style="red" if text[0] in _RED else "")

    def _print(self, table: Table) -> None:
        self._say("")
        self._console.print(table)

    def _say(self, text: str) -> None:
        self._console.file.write(text + "\n")


class _TrickRow:
    """Cards of the trick being read, and other steps that came meanwhile."""

    def __init__(self) -> None:
        self.cards: list[tuple[int, Play]] = []
        self.between: list[tuple[int, Step]] = []


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(
            column, justify="right" if column in _FIGURES else "left",
            no_wrap=column in _FIGURES or column == "leads", overflow="fold",
        )  # fmt: skip
    return table


def _numbers(steps: Sequence[int]) -> str:
    """Return step numbers, as a range where nothing stands between them."""
    if len(steps) > 1 and steps[-1] - steps[0] == len(steps) - 1:
        return f"{steps[0]}-{steps[-1]}"
    return ", ".join(str(step) for step in steps)


def _rank(card: Card, game: Game) -> tuple[int, int, int]:
    """Return where a card stands in a hand: trumps from the top, then suit by suit."""
    if card == HIDDEN:
        return (2, 0, 0)
    if game.contract is None:
        return (1, -(card // 8), -card)
    tables, contract = game.tables, game.contract
    group = tables.follow[contract][card]
    strength = tables.beats[contract][group][card]
    return (0 if group == TRUMP else 1, -group, -strength)


Bounds = tuple[int, int]


def _running(game: Game, tricks: int) -> list[Bounds]:
    """Return the card points after some tricks: a party's each, in a Ramsch a seat's each."""
    so_far = game.tricks[:tricks]
    if game.is_ramsch:
        return [_totals(so_far, (seat,))[0] for seat in range(3)]
    return list(_totals(so_far, (game.declarer,)))


def _totals(tricks: Iterable[Trick], party: Sequence[int | None]) -> tuple[Bounds, Bounds]:
    """Return the card points of a party and of its opponents, lowest and highest possible."""
    own, other = [0, 0], [0, 0]
    for trick in tricks:
        if trick.winner == UNKNOWN_SEAT:
            own[1] += trick.high
            other[1] += trick.high
            continue
        side = own if trick.winner in party else other
        side[0] += trick.low
        side[1] += trick.high
    return (own[0], own[1]), (other[0], other[1])


def _span(bounds: Bounds) -> str:
    return str(bounds[0]) if bounds[0] == bounds[1] else f"{bounds[0]}-{bounds[1]}"


def _player(record: Record, seat: int) -> str:
    return clean(record.tag(SEAT_LETTERS[seat]) or "")
