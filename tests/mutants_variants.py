"""Mutants of the rules that only a variant has; a profile that does not play it stays as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from skatspec.engine.facts import Facts
from skatspec.rules.match import Match
from skatspec.rules.tables import Tables
from skatspec.session import scoring
from tests.mutants_matrix import Function, Mutant, Patch, TableChange
from tests.mutants_play import answering, letting_pass
from tests.mutants_settling import LEVELS, on_other


def variant(name: str, key: str, old: Any, new: Any) -> TableChange:
    """Change one key of a variant in the profiles that have the old value."""

    def changed(tables: Tables) -> Tables:
        rules = getattr(tables.variants, name)
        if getattr(rules, key) != old:
            return tables
        return replace(
            tables, variants=replace(tables.variants, **{name: replace(rules, **{key: new})})
        )

    return changed


def revolution(**changes: Any) -> TableChange:
    def changed(tables: Tables) -> Tables:
        played = bool(tables.variants.revolution)
        return replace(tables, variants=replace(tables.variants, **changes)) if played else tables

    return changed


def no_spitze(tables: Tables, facts: Facts) -> Facts:
    return replace(facts, spitze_made=True)


# --- a list -----------------------------------------------------------------------------


def counted(**changes: Any) -> tuple[Patch, ...]:
    """Count a list by another bonus; a match that knows none of it stays as it is."""

    def patch(right: Function) -> Function:
        def wrong(profile: Any) -> Match:
            match: Match = right(profile)
            if not match.own_won:
                return match
            others = {**match.others_lost, **changes.get("others_lost", {})}
            return replace(match, **{**changes, "others_lost": others})

        return wrong

    return (Patch("skatspec.rules.match:compile_match", patch),)


def without_tie_rule(word: str) -> tuple[Patch, ...]:
    def patch(right: Function) -> Function:
        def wrong(profile: Any) -> Match:
            match: Match = right(profile)
            return replace(match, ties=tuple(one for one in match.ties if one != word))

        return wrong

    return (Patch("skatspec.rules.match:compile_match", patch),)


def others_paid_under_seeger(right: Function) -> Function:
    """Count the games that others lose under the plain Seeger count too."""

    def wrong(rows: Any, match: Match, system: str) -> Any:
        word = scoring.SEEGER_FABIAN if system == scoring.SEEGER else system
        return right(rows, match, word)

    return wrong


_CHANGES: dict[str, TableChange] = {
    "ramsch-after-three-passes": variant("ramsch", "played", "all-passed", "always"),
    "ramsch-without-auction": variant("ramsch", "played", "always", "all-passed"),
    "ramsch-costs-card-points": variant("ramsch", "price", "points", "fixed"),
    "ramsch-fixed-price": variant("ramsch", "price", "fixed", "points"),
    "ramsch-skat-to-the-last-trick": variant("ramsch", "skat", "last-trick", "not-counted"),
    "ramsch-skat-to-the-loser": variant("ramsch", "skat", "loser", "not-counted"),
    "ramsch-all-tied-lose": variant("ramsch", "tie", "all-lose", "later-trick"),
    "ramsch-loss-shared": variant("ramsch", "tie", "share", "all-lose"),
    "ramsch-later-trick-loses": variant("ramsch", "tie", "later-trick", "all-lose"),
    "ramsch-three-tied-lose-nothing": variant("ramsch", "all_tied", "nobody", "all-lose"),
    "ramsch-jungfrau-doubles": variant("ramsch", "jungfrau", "doubles", "ignored"),
    "ramsch-march": variant("ramsch", "march", 120, 0),
    "ramsch-march-not-doubled": variant("ramsch", "march_factors", "ignored", "count"),
    "ramsch-march-doubled": variant("ramsch", "march_factors", "count", "ignored"),
    "ramsch-no-jacks-pushed": variant("ramsch", "jacks", "unseen-only", "always"),
    "ramsch-pushed-unseen-doubles": variant("ramsch", "unseen", "doubles", "ignored"),
    "kontra-doubles": variant("kontra", "factor", 2, 3),
    "kontra-before-the-lead": variant("kontra", "until", "lead", "own-card"),
    "kontra-by-a-bidder": variant("kontra", "who", "bidder", "any-defender"),
    "kontra-is-answered": variant("kontra", "calls", ("kontra", "re"), ("kontra",)),
    "bock-round-doubles": variant("bock", "factor", 2, 3),
    "gift-refused-announces": variant("gifts", "announces", (2, 4), ()),
    "revolution-at-92": revolution(revolution=91),
}

_PATCHES: dict[str, tuple[Patch, ...]] = {
    "spitze-missed-loses": (Patch(f"{LEVELS}:settle_trump", on_other(no_spitze)),),
    "spitze-held-by-the-declarer": (
        Patch("skatspec.engine.variants.spitze:refused", letting_pass("D018")),
        Patch("skatspec.settling:_spitze_objections", answering(())),
    ),
    "gift-in-the-first-trick": (
        Patch("skatspec.engine.variants.gifts:give", letting_pass("P015")),
    ),
    "revolution-redivides": (
        Patch("skatspec.engine.variants.revolution:pool", answering(None)),
    ),
    "list-own-game-won": counted(own_won=40),
    "list-own-game-lost": counted(own_lost=-40),
    "list-others-lost-at-three": counted(others_lost={3: 30}),
    "list-others-lost-at-four": counted(others_lost={4: 40}),
    "list-seeger-without-others": (
        Patch("skatspec.session.scoring:totals", others_paid_under_seeger),
    ),
    "list-tie-most-won": without_tie_rule("most-won"),
    "list-tie-fewest-lost": without_tie_rule("fewest-lost"),
    "list-tie-by-lot": without_tie_rule("lot"),
}  # fmt: skip

MUTANTS = {
    **{tag: Mutant(tag, tables=change) for tag, change in _CHANGES.items()},
    **{tag: Mutant(tag, code=patches) for tag, patches in _PATCHES.items()},
}
