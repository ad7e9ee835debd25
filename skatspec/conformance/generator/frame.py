"""What stands around a game: place, series, number, date, players, ratings; all made up."""

from __future__ import annotations

from skatspec.conformance.generator import plan
from skatspec.conformance.generator.plan import Chance, Weighted
from skatspec.formats.iss_words import BY_TAG

Tags = tuple[tuple[str, str], ...]

FIRST_YEAR, YEARS = 2007, 20
_EARLY, _LATE = 2008, 2021
_PLACES = ("Internet Skat Server", "International Skat Server", "ISS2")
_NAMES = (
    "xskat", "xskat:2", "xskat:3", "@kiebitz", "@p7", "@abend", "bot_a", "bot_b:2", "tannenzapfen",
    "Luchs12", "wildgans", "reh", "Kranich", "skat-lehrling", "omaPi", "nachteule", "fuchs.77",
    "Zaunkoenig", "dachs", "uferlaeufer", "CJ", "y", "p", "D7x", "MV", "(;GM",
    "a-very-long-name-" * 2,
)  # fmt: skip
_COMMENTS = ("", "", "", "evening table", "d:0 win v:", "w 0 CJ")
_NUMBER, _EMPTY, _NULL = "number", "", "null"
_RATING = Weighted({_NUMBER: 0.35, "0.0": 0.3, _EMPTY: 0.25, _NULL: 0.1})
_ID_STEP = 7
_WRITTEN = {tag: f"{row.name}[" for tag, row in BY_TAG.items()}


def tags(chance: Chance, number: int) -> tuple[Tags, int]:
    """Return the tags of record `number` (from 0), and the year; ids rise with the number."""
    year = FIRST_YEAR + int(chance() * YEARS)
    found = [("Place", _place(chance, year))]
    if chance() >= plan.NO_COMMENT:
        found.append(("Comment", _COMMENTS[int(chance() * len(_COMMENTS))]))
    if chance() >= plan.NO_SERIES:
        found.append(("Series", str(1 + int(chance() * 470_000))))
    ahead = 1 + int(chance() * _ID_STEP)
    if chance() >= plan.NO_ID:
        found.append(("Id", str(_ID_STEP * number + ahead)))
    found.append(("Date", _date(chance, year)))
    first, second = int(chance() * len(_NAMES)), 1 + int(chance() * (len(_NAMES) // 2))
    for at, seat in enumerate("FMR"):
        found.append((seat, _NAMES[(first + at * second) % len(_NAMES)]))
    found += [("RatingF", _rating(chance)), ("RatingM", _rating(chance)),
              ("RatingR", _rating(chance))]  # fmt: skip
    return tuple(found), year


def early(year: int) -> bool:
    """Say whether a year is of those whose records say nothing of resignations."""
    return year <= _EARLY


def iss_text(found: Tags) -> str:
    """Return tags as ISS properties."""
    return "".join([f"{_WRITTEN[tag]}{_value(tag, value)}]" for tag, value in found])


def _value(tag: str, value: str) -> str:
    return value if tag != "View" else BY_TAG[tag].write(value) or ""


def _place(chance: Chance, year: int) -> str:
    if year <= _EARLY:
        return _PLACES[0]
    return _PLACES[2 if year >= _LATE and chance() < 0.5 else 1]


def _date(chance: Chance, year: int) -> str:
    seconds = int(chance() * 86400)
    hour, minute, second = seconds // 3600, seconds // 60 % 60, seconds % 60
    month, day = 1 + int(chance() * 12), 1 + int(chance() * 28)
    return f"{year}-{month:02d}-{day:02d}/{hour:02d}:{minute:02d}:{second:02d}/UTC"


def _rating(chance: Chance) -> str:
    word = _RATING.pick(chance)
    return f"{chance() * 2400 - 200:.1f}" if word == _NUMBER else word
