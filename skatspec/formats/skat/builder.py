"""Puts a record together from its lines, in one pass and with one alphabet.

The lines are known to stand in order; what is left to find wrong is inside them, or in
how they count: a hand given twice, a trick with the wrong number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from skatspec.cards import ALPHABETS, Card
from skatspec.diagnostics import Diagnostic, finding, span_at
from skatspec.formats.skat import alphabets, asides, items, results, rows
from skatspec.formats.skat.items import Problem, Steps
from skatspec.formats.skat.order import in_order
from skatspec.formats.skat.syntax import COMMENT, Row
from skatspec.formats.skat.words import (
    ALPHABET_TAG,
    HANDS,
    TAG_VALUES,
    comment_texts,
)
from skatspec.record import Comment, Deal, Origin, Record, Result, Step

_LONGEST_READ = 80
# A record of nothing but repeated tags shall not cost more than any other.
_MOST_FINDINGS = 100


def read_words(text: str, start: int, end: int) -> str:
    """Return what stands between two offsets, cut to a length that fits a message."""
    words = text[start : min(end, start + _LONGEST_READ + 1)].rstrip(" \t\n")
    if words.isspace():
        return f"the blank U+{ord(words[0]):04X}"
    return words if len(words) <= _LONGEST_READ else words[:_LONGEST_READ] + "…"


def diagnose(text: str, problem: Problem, first_line: int, step: int = 0) -> Diagnostic:
    """Turn a problem at offsets of a record's text into a finding with its place."""
    code, start, end, expected, slots = problem
    span = span_at(text, start, end, first_line)
    stop = start + span.end_column - span.column
    read = read_words(text, start, stop) or "the end of the line"
    return finding(code, span=span, step=step, read=read, expected=expected, **dict(slots))


class Builder:
    """The record so far. `alphabet` is what is tried until a `Cards` tag says it."""

    def __init__(self, alphabet: str) -> None:
        self.declared = False
        self._use(alphabet)
        self._tags: list[tuple[str, str]] = []
        self._names: set[str] = set()
        self._hands: list[tuple[Card, ...] | None] | None = None
        self._steps: list[Step] = []
        self._plays = 0
        self._result: dict[str, object] = {}
        self._result_seen = False
        self._result_closed = False
        self._comments: list[Comment] = []
        self._pending: list[str] = []
        self._found: list[tuple[Problem, int]] = []

    def _use(self, alphabet: str) -> None:
        self.alphabet = alphabet
        self._words = alphabets.spellings(alphabet)
        self._plays_by_seat = alphabets.plays(alphabet)

    def read(self, lines: Sequence[Row]) -> Problem | None:
        """Take in all lines of a record; stop at the first that cannot be read."""
        for kind, line, start in lines:
            handler = _HANDLERS.get(kind)
            if handler is not None:
                problem = handler(self, line, start)
                if problem is not None:
                    return problem.moved(start)
        return None

    def record(self, origin: Origin) -> Record:
        """Return the finished record."""
        self._comments += [Comment("end", text) for text in self._pending]
        deal = None
        if self._hands is not None:
            f, m, r, skat, pack = self._hands
            deal = Deal((f, m, r), skat, pack)
        result = Result(**self._result) if self._result_seen else None  # type: ignore[arg-type]
        steps = tuple(self._steps)
        findings: tuple[Diagnostic, ...] = ()
        if self._found:
            findings = tuple(
                diagnose(origin.text, problem, origin.line, step) for problem, step in self._found
            )
        if deal is None and not steps and result is None:
            findings += (finding("N014", span=origin.start()),)
        comments: tuple[Comment, ...] = ()
        if self._comments:
            comments = in_order(self._comments, len(self._tags), steps)
        return Record(tuple(self._tags), deal, steps, result, comments, origin, findings)

    def _own(self, where: str) -> None:
        """Give the comments that stand before an item to it."""
        if self._pending:
            self._comments += [Comment(where, text) for text in self._pending]
            self._pending = []

    def _note(self, problem: Problem, start: int, step: int = 0) -> None:
        if len(self._found) < _MOST_FINDINGS:
            self._found.append((problem.moved(start), step))

    def _header(self, line: str, start: int) -> Problem | None:
        _, mark, text = line.partition("#")
        if mark:
            self._pending += comment_texts(mark + text.rstrip("\n"))
        return None

    def _comment(self, line: str, start: int) -> Problem | None:
        self._pending += comment_texts(line.strip(" \t\n"))
        return None

    def _tag_line(self, line: str, start: int) -> Problem | None:
        found = rows.tags(line)
        if isinstance(found, Problem):
            return found
        kept = 0
        odd: list[tuple[int, str, str]] = []
        for at, (name, value) in enumerate(found.tags):
            if name == ALPHABET_TAG:
                code = self._alphabet(value)
                if code:
                    tag, said = rows.tag_spans(line)[at]
                    span = said if code == "N008" else tag
                    return Problem(code, *span, " or ".join(ALPHABETS), (("what", name),))
                continue
            wanted = TAG_VALUES.get(name)
            if wanted is not None and value not in wanted:
                odd.append((at, "N008", ", ".join(wanted)))
            if name in self._names:
                odd.append((at, "N010", "one tag of a name"))
            if self._pending:
                self._own(f"tag/{len(self._tags)}")
            self._names.add(name)
            self._tags.append((name, value))
            kept += 1
        if odd:
            spans = rows.tag_spans(line)
            for at, code, expected in odd:
                tag, said = spans[at]
                slots = (("what", found.tags[at][0]),)
                span = said if code == "N008" else tag
                self._note(Problem(code, *span, expected, slots), start)
        if found.comments:
            if kept:
                self._behind(f"tag/{len(self._tags) - 1}", found.comments)
            else:
                self._pending += found.comments
        return None

    def _alphabet(self, value: str) -> str:
        """Take the letters that a record says it is written in; return a code if it cannot."""
        if self.declared:
            return "N010"
        if value not in ALPHABETS:
            return "N008"
        self._use(value)
        self.declared = True
        return ""

    def _behind(self, where: str, texts: Sequence[str]) -> None:
        """Keep the comments that stand behind an item on its line."""
        self._comments += [Comment(where, text, False) for text in texts]

    def _section(self, line: str, start: int) -> Problem | None:
        word, mark, text = line.partition("#")
        where = word.strip().lower()
        self._own(where)
        if mark:
            self._behind(where, comment_texts(mark + text.rstrip("\n")))
        if where == "deal":
            self._hands = [None] * len(HANDS)
        elif where == "result" and self._result_seen:
            self._result_closed = True
        return None

    def _hand(self, line: str, start: int) -> Problem | None:
        hand = rows.hand(line, self._words)
        if isinstance(hand, Problem):
            return hand
        hands = self._hands
        assert hands is not None
        if hand.name == rows.SITTING_OUT:
            if hand.cards:
                at = line.index(rows.SITTING_OUT)
                wanted = "no cards for the dealer at a table of four"
                end = len(line.rstrip())
                self._note(Problem("R006", at, end, wanted, (("who", "the dealer"),)), start)
            self._pending += hand.comments
            return None
        number = HANDS[hand.name if hand.name in HANDS else hand.name.lower()]
        if hands[number] is not None:
            at = line.index(hand.name)
            return Problem("N010", at, line.index(":"), "", (("what", f"the line {hand.name}"),))
        hands[number] = hand.cards
        if self._pending:
            self._own(f"deal/{number}")
        if hand.comments:
            self._behind(f"deal/{number}", hand.comments)
        return None

    def _calls(self, line: str, start: int) -> Problem | None:
        return self._add(items.calls(line), start)

    def _acts(self, line: str, start: int) -> Problem | None:
        return self._add(items.acts(line, self._words, self.alphabet), start)

    def _aside(self, line: str, start: int) -> Problem | None:
        said = asides.aside(line, self._words)
        if isinstance(said, Steps) and said.steps[0].word == "play":
            self._plays += 1
        return self._add(said, start)

    def _add(self, said: Steps | Problem, start: int) -> Problem | None:
        if isinstance(said, Problem):
            return said
        steps = self._steps
        if self._pending:
            self._own(f"step/{len(steps)}")
        steps += said.steps
        for problem in said.notes:
            number = next(n for n, (_, end) in enumerate(said.spans) if problem.start < end)
            self._note(problem, start, len(steps) - len(said.steps) + number + 1)
        if said.comments:
            self._behind(f"step/{len(steps) - 1}", said.comments)
        return None

    def _trick(self, line: str, start: int) -> Problem | None:
        trick = rows.trick(line, self._plays_by_seat)
        if isinstance(trick, Problem):
            return trick
        number, goes_on, steps, comments = trick
        full, begun = divmod(self._plays, 3)
        if number != full + 1 or goes_on != (begun > 0) or begun + len(steps) > 3:
            return _miscounted(line, full + 1, begun)
        if self._pending:
            self._own(f"step/{len(self._steps)}")
        self._steps += steps
        self._plays += len(steps)
        if comments:
            self._behind(f"step/{len(self._steps) - 1}", comments)
        return None

    def _outcome(self, line: str, start: int) -> Problem | None:
        said = results.outcome(line)
        if isinstance(said, Problem):
            return said
        self._own("result")
        if said.comments:
            self._behind("result", said.comments)
        known = self._result
        if self._result_closed or any(name in known for name, *_ in said.fields):
            at = len(line) - len(line.lstrip(" \t"))
            end = said.fields[-1][3]
            self._note(Problem("S017", at, end, "one result a record"), start)
            return None
        self._result_seen = True
        for problem in said.findings:
            self._note(problem, start)
        for name, value, _, _ in said.fields:
            known[name] = value
        return None


def _miscounted(line: str, number: int, begun: int) -> Problem:
    """Say which number the trick line should have."""
    at = len(line) - len(line.lstrip(" \t"))
    end = line.index(".") + 1
    if begun:
        left = "two cards" if begun == 1 else "one card"
        wanted = f"`{number}...` and at most {left}: trick {number} is not complete"
    else:
        wanted = f"trick `{number}.`"
    return Problem("N001", at, end, wanted)


_HANDLERS: dict[str, Callable[[Builder, str, int], Problem | None]] = {
    "HEADER": Builder._header,
    COMMENT: Builder._comment,
    "TAGS": Builder._tag_line,
    "DEAL": Builder._section,
    "AUCTION": Builder._section,
    "CONTRACT": Builder._section,
    "PLAY": Builder._section,
    "RESULT": Builder._section,
    "HAND": Builder._hand,
    "CALLS": Builder._calls,
    "ACTS": Builder._acts,
    "ASIDE": Builder._aside,
    "TRICK": Builder._trick,
    "OUTCOME": Builder._outcome,
}
