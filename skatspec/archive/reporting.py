"""What a checked archive comes to: counts by verdict, code, contract and year, and examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import TYPE_CHECKING, Any

from skatspec.archive.asking import Results
from skatspec.diagnostics import Severity, Verdict
from skatspec.diagnostics.catalog import catalog
from skatspec.rules import Rules

if TYPE_CHECKING:
    import duckdb

CONTRADICTED = Verdict.CONTRADICTED.value
# Two shares differ if chance alone would part them so far in one case of twenty.
_CERTAIN = 1.96
_WEIGHTS = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
# A year with fewer games than this, and than this share of all with a date, says nothing:
# most of them are dates mistyped.
_FEW, _FEW_SHARE = 20, 0.001


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a code says: name, weight (`error`, ...), first sentence, rule with its edition."""

    code: str
    name: str = ""
    weight: str = ""
    says: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A game to look at. `recorded` and `expected` are ledger points; None: open or not said."""

    file: str | None
    offset: int | None
    id: str | None
    verdict: str | None
    recorded: int | None
    expected: int | None


@dataclass(frozen=True, slots=True)
class Code:
    """A code with the number of its games, their first and last year, and the worst of them."""

    meaning: Meaning
    games: int
    first: int | None
    last: int | None
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """How many of some games are contradicted."""

    games: int
    contradicted: int

    @property
    def share(self) -> float:
        """Return the share, 0 to 1."""
        return self.contradicted / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class Trend:
    """The earlier half of the years against the later half: `falling`, `rising` or `level`.

    `level` says that the difference may be chance.
    """

    earlier: tuple[int, int]
    later: tuple[int, int]
    before: Share
    after: Share
    word: str


@dataclass(frozen=True, slots=True)
class Overview:
    """What a checked archive comes to. A key None: no contract, no date, no verdict."""

    verdicts: Counter[str | None] = field(default_factory=Counter)
    codes: tuple[Code, ...] = ()
    contracts: tuple[tuple[str | None, Share], ...] = ()
    years: tuple[tuple[int | None, Counter[str | None]], ...] = ()

    @property
    def all(self) -> Share:
        """Return all games and how many of them are contradicted."""
        return Share(self.verdicts.total(), self.verdicts[CONTRADICTED])

    @property
    def dated(self) -> list[tuple[int, Share]]:
        """Return the share of contradicted games, year by year."""
        return [
            (year, Share(counts.total(), counts[CONTRADICTED]))
            for year, counts in self.years
            if year is not None
        ]

    @property
    def telling(self) -> list[tuple[int, Share]]:
        """Return the years of `dated` that have games enough to say something."""
        years = self.dated
        least = max(_FEW, _FEW_SHARE * sum(one.games for _, one in years))
        return [(year, one) for year, one in years if one.games >= least]

    @property
    def trend(self) -> Trend | None:
        """Return whether contradicted games grow fewer; None without two `telling` years."""
        years = self.telling
        if len(years) < 2:
            return None
        middle = len(years) // 2
        before, after = _together(years[:middle]), _together(years[middle:])
        whole = Share(before.games + after.games, before.contradicted + after.contradicted).share
        spread = sqrt(whole * (1 - whole) * (1 / before.games + 1 / after.games))
        word = "level"
        if abs(after.share - before.share) > _CERTAIN * spread:
            word = "rising" if after.share > before.share else "falling"
        ends = (years[0][0], years[middle - 1][0]), (years[middle][0], years[-1][0])
        return Trend(*ends, before, after, word)


def overview(
    base: duckdb.DuckDBPyConnection, results: Results, examples: int, most: int | None = None
) -> Overview:
    """Count a checked archive; each of the `most` weightiest codes has so many worst games.

    The worst are those whose recorded score is farthest from the right one; where no score
    is to be compared, the first ones of the archive. A code's first and last year are of
    those with games enough, where there are any.
    """
    rules, _ = results.rules()
    verdicts = Counter(dict(_ask(base, "SELECT verdict, count(*) FROM games GROUP BY 1")))
    contracts = _ask(
        base,
        "SELECT contract, count(*), count(*) FILTER (verdict = ?) FROM games GROUP BY 1 "
        "ORDER BY 2 DESC, 1",
        CONTRADICTED,
    )
    years: dict[int | None, Counter[str | None]] = {}
    for year, verdict, games in _ask(
        base,
        "SELECT year(date), verdict, count(*) FROM games GROUP BY ALL ORDER BY 1 NULLS LAST, 2",
    ):
        years.setdefault(year, Counter())[verdict] = games
    counted = Overview(
        verdicts,
        contracts=tuple((contract, Share(games, bad)) for contract, games, bad in contracts),
        years=tuple(years.items()),
    )
    codes = [
        Code(meaning(code, rules), games, first, last)
        for code, games, first, last in _ask(base, _CODES, [year for year, _ in counted.telling])
    ]
    codes.sort(key=_weightiest_first)
    for at, one in enumerate(codes[:most]):
        codes[at] = replace(one, examples=_examples(base, one.meaning.code, examples))
    return replace(counted, codes=tuple(codes))


_CODES = """
SELECT code, count(*), coalesce(min(y) FILTER (list_contains($1, y)), min(y)),
       coalesce(max(y) FILTER (list_contains($1, y)), max(y))
FROM (SELECT code, year(date) AS y FROM games WHERE code IS NOT NULL) GROUP BY 1
"""


def meaning(code: str | None, rules: Rules | None) -> Meaning:
    """Return what a code says, its weight and rule by `rules`; little of one not known here."""
    row = catalog().get(code or "")
    if row is None:
        return Meaning(code or "")
    weight = row.severity if rules is None else rules.profile.severity(row.code)
    rule = "" if rules is None else rules.profile.cite(row.topic)
    says = row.explain.partition(". ")[0].rstrip(".") + "."
    return Meaning(row.code, row.name, weight.value, says, rule)


def _examples(base: duckdb.DuckDBPyConnection, code: str, most: int) -> tuple[Example, ...]:
    found = _ask(
        base,
        "SELECT file, \"offset\", id, verdict, recorded, score FROM games WHERE code = ? "
        "ORDER BY abs(recorded::BIGINT - score) DESC NULLS LAST, file, \"offset\" LIMIT ?",
        code,
        most,
    )  # fmt: skip
    return tuple(Example(*row) for row in found)


def _ask(base: duckdb.DuckDBPyConnection, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    return base.execute(sql, list(values)).fetchall()


def _weightiest_first(one: Code) -> tuple[int, int, str]:
    weights = [weight.value for weight in _WEIGHTS]
    weight = one.meaning.weight
    at = weights.index(weight) if weight in weights else 0  # a code of a newer version
    return at, -one.games, one.meaning.code


def _together(years: Sequence[tuple[int, Share]]) -> Share:
    return Share(sum(one.games for _, one in years), sum(one.contradicted for _, one in years))
