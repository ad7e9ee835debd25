"""Seeded games in blocks: the same seed makes the same games, however the work is split."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from skatspec.conformance.generator import hiding, mutations, plan
from skatspec.conformance.generator.game import Game, iss_text, record
from skatspec.conformance.generator.make import make
from skatspec.conformance.generator.table import Table
from skatspec.errors import UsageError
from skatspec.record import Record
from skatspec.rules import Rules

ISS, SKAT = "iss", "skat"
FORMATS = (ISS, SKAT)
BLOCK = 1000


@dataclass(frozen=True, slots=True)
class Generated:
    """One made-up game: its number (from 0), its text, and the record it was written from.

    `mutation` names the one fault it carries, "" for none; where that was made in the text
    itself, `record` is still the sound one. `game` holds what the shares are counted by.
    """

    number: int
    text: str
    mutation: str
    game: Game

    @property
    def record(self) -> Record:
        """Return the game as a record."""
        return record(self.game)


@dataclass(frozen=True, slots=True)
class Options:
    """What to make: the format, the share of mutated records (0 to 1), whether some are views."""

    form: str = ISS
    mutated: float = 0.0
    views: bool = True


def games(
    rules: Rules, count: int, seed: int, *, form: str = ISS, mutate: float = 0.0,
    views: bool = True,
) -> Iterator[Generated]:  # fmt: skip
    """Yield `count` games of a seed, legal and rightly scored under `rules`.

    `mutate` is the share (0 to 1) of records that carry exactly one fault; `views` allows
    records that hide the cards of other players (ISS only). The first games of a seed are
    the same for every count. Raises UsageError for rules of which no game stands by itself,
    and for options that make no sense.
    """
    options = checked(Options(form, mutate, views), count)
    table = Table(rules)
    for number in range(0, count, BLOCK):
        yield from block(table, seed, number // BLOCK, min(BLOCK, count - number), options)


def checked(options: Options, count: int) -> Options:
    """Return the options; raises UsageError where they make no sense."""
    if options.form not in FORMATS:
        raise UsageError(f"no such format: {options.form}; there are: {', '.join(FORMATS)}")
    if not 0 <= options.mutated <= 1:
        raise UsageError(f"the share of mutated records is 0 to 1, not {options.mutated:g}")
    if count < 0:
        raise UsageError(f"so many games cannot be made: {count}")
    return options


def block(
    table: Table, seed: int, number: int, count: int, options: Options
) -> Iterator[Generated]:
    """Yield the first `count` games of a block; all its draws come from seed and number."""
    chance = random.Random(f"{seed}/{number}").random
    for game_number in range(number * BLOCK, number * BLOCK + count):
        game = make(table, chance, game_number)
        # drawn in any case, so that views and formats do not change the games
        hide, change, aside = chance(), chance(), int(chance() * 2**48)
        if options.mutated and change < options.mutated:
            yield _mutated(table, random.Random(aside), game, options)
            continue
        if options.views and options.form == ISS and hide < plan.VIEW:
            hiding.hide(random.Random(aside).random, game)
        yield Generated(game_number, written(table, game, options.form), "", game)


def written(table: Table, game: Game, form: str) -> str:
    """Return the text of a game; empty where the format cannot write it as it is."""
    if form == ISS:
        return iss_text(game)
    from skatspec.formats import skat

    sound = record(game)
    tags = sound.tags
    if table.tag:
        tags = (*tags, ("Rules", table.tag))
    text, findings = skat.write(Record(tags, sound.deal, sound.steps, sound.result))
    return "" if findings else text


def _mutated(table: Table, aside: random.Random, game: Game, options: Options) -> Generated:
    """Return a game with one fault that its format can show."""
    while True:
        draft, kind = mutations.mutated(table, aside.random, game)
        text = written(table, draft, options.form)
        if text and kind.in_text is not None:
            text = kind.in_text(aside.random, text)
        if text:
            draft.mutation = kind.name
            return Generated(game.number, text, kind.name, draft)
