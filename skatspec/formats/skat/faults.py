"""Names what is wrong with a line that cannot stand where it stands, in a reader's words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from skatspec.cards import ALPHABETS, HIDDEN, Card
from skatspec.formats.skat import alphabets, asides, items, results, rows
from skatspec.formats.skat.items import A_CARD, Problem
from skatspec.formats.skat.syntax import BLANK, COMMENT, OTHER, Refusal, Row
from skatspec.formats.skat.words import SECTIONS
from skatspec.record import RAMSCH

_SECTION_KINDS = {name.upper(): name for name in SECTIONS}
_FORMS = {
    "TAGS": 'a tag `[Name "value"]`',
    "HAND": "a hand `F: CJ SJ ...`",
    "CALLS": "calls `M 18, F yes`",
    "ACTS": "`F takes the skat, discards S7 D9, hearts`, or `ramsch`",
    "TRICK": "a trick `1. F: HA H9 H7`",
    "ASIDE": "an irregular step `! F shows`",
    "OUTCOME": "a result `F won 30, points 72`",
}
_MARK = re.compile(r"[^ \t\n]+")
_STRANGE_BLANK = re.compile(r"[^\S \t\n]")


class _AnyCard:
    """Takes every word for a card, so that only the form of a line is looked at."""

    def get(self, word: str, /) -> Card | None:
        """Return a card, whatever the word, unless a mark in it makes it none."""
        return None if ":" in word or '"' in word else HIDDEN


ANY_CARD = _AnyCard()


def expected(wanted: frozenset[str]) -> str:
    """Return in words what could stand at a place."""
    forms = [form for kind, form in _FORMS.items() if kind in wanted]
    names = [name for name in SECTIONS if name.upper() in wanted]
    if names:
        word = "the section" if len(names) == 1 else "one of the sections"
        forms.append(f"{word} {', '.join(names)}")
    forms.append("%skat 1 of the next record")
    return "; ".join(forms)


def explain(refusal: Refusal, lines: Sequence[Row]) -> Problem:
    """Return the problem of a refused line, as offsets into the record's text."""
    kind, line, start = refusal.row
    begin = len(line) - len(line.lstrip(" \t"))
    end = max(begin + 1, len(line.rstrip()))
    if kind in _SECTION_KINDS:
        return Problem("N006", begin, end, expected(refusal.wanted)).moved(start)
    problem = None
    if kind == OTHER:
        problem = _inside(line, _section_before(lines, start))
    if problem is None:
        problem = Problem("N001", begin, end, expected(refusal.wanted))
    return problem.moved(start)


def _section_before(lines: Sequence[Row], start: int) -> str:
    """Return the kind of the section line that stands last before an offset."""
    section = ""
    for kind, _, at in lines:
        if at >= start:
            break
        if kind in _SECTION_KINDS:
            section = kind
    return section


def _inside(line: str, section: str) -> Problem | None:
    """Look for the fault inside a line that begins as lines of its section do."""
    found: object = None
    mark = _MARK.search(line)
    first = mark.group() if mark else " "
    if first[0] == "[":
        found = rows.tags(line)
    elif strange := _STRANGE_BLANK.search(line.partition("#")[0]):
        return Problem("N001", strange.start(), strange.end(), "an ordinary blank")
    elif first[0] == "!":
        found = asides.aside(line, ANY_CARD)
    elif section == "DEAL" and line.partition(":")[0].strip() in rows.HAND_WORDS and ":" in line:
        found = rows.hand(line, _spelled())
    elif section == "PLAY" and first[0].isdigit():
        found = rows.bad_trick(line, _spelled())
    elif section == "AUCTION" and _names_a_seat(first):
        found = items.calls(line)
    elif section == "CONTRACT" and (_names_a_seat(first) or first.lower().rstrip(",") == RAMSCH):
        found = items.acts(line, ANY_CARD, "any")
    elif section == "RESULT" and first[0] not in "%[":
        found = results.outcome(line)
    return found if isinstance(found, Problem) else None


def _names_a_seat(word: str) -> bool:
    return len(word) == 1


@cache
def _spelled() -> dict[str, Card]:
    """Return every spelling of every alphabet: which one it is, is looked at elsewhere."""
    words: dict[str, Card] = {}
    for name in ALPHABETS:
        words.update(alphabets.spellings(name))
    return words


def unread_card(text: str, problems: Mapping[str, Problem]) -> Problem:
    """Return the one problem to report when no alphabet reads all cards of a record.

    `problems` has, by alphabet, the first word that it does not know. A word that no
    alphabet knows is the fault; else the record mixes letters, and is asked for a tag.
    """
    by_place = sorted(problems.values(), key=lambda problem: problem.start)
    for problem in by_place:
        word = text[problem.start : problem.end]
        if not alphabets.readers(word):
            return no_card(problem, word, tuple(problems))
    furthest = by_place[-1]
    known = ", ".join(alphabets.readers(text[furthest.start : furthest.end]))
    tag = '[Cards "en"], "de" or "eichel"'
    return furthest._replace(
        code="N005", expected=f"the letters of one tradition (this is {known}), or {tag}"
    )


def no_card(problem: Problem, word: str, tried: Sequence[str]) -> Problem:
    """Return the problem of a word that is no card in the alphabets tried."""
    meant = () if alphabets.readers(word) else alphabets.candidates(word)
    if meant:
        wanted = f"{' or '.join(meant)}? Write {alphabets.example(tried)}"
        return problem._replace(code="N005", expected=wanted)
    if tuple(tried) == (alphabets.DEFAULT,) or len(tried) > 1:
        return problem._replace(expected=A_CARD)
    return problem._replace(expected=f"a card such as {alphabets.example(tried)}")


def looks_like_junk(lines: Sequence[Row], at: int) -> bool:
    """Say whether the line at offset `at` begins what does not belong to the record.

    So it does if it stands behind a blank line or behind the result, and neither it nor
    any line behind it looks like part of a record: a misspelled section is no junk.
    """
    before = [kind for kind, _, start in lines if start < at and kind != COMMENT]
    if not before or (before[-1] != BLANK and "OUTCOME" not in before):
        return False
    return all(_foreign(kind, line) for kind, line, start in lines if start >= at)


def _foreign(kind: str, line: str) -> bool:
    if kind == OTHER:
        return line[0] not in " \t[!%"
    return kind in (BLANK, COMMENT)
