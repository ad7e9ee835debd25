"""Writes a record as canonical `.skat`: one text a record, a pure function of its values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from skatspec.cards import Card, names
from skatspec.diagnostics import Diagnostic, finding
from skatspec.formats.skat import order, results
from skatspec.formats.skat.words import (
    ALPHABET_TAG,
    CONTRACTS,
    FORMAT,
    HAND_NAMES,
    HEADER,
    NO_BID,
    NO_CARDS,
    UNSEEN,
    comment,
    quote,
)
from skatspec.record import (
    DOUBLES,
    MODIFIERS,
    NO_NUMBER,
    PLACES_TAG,
    ROUND_TAG,
    SEAT_LETTERS,
    WORLD,
    Agree,
    AuctionEnd,
    Bid,
    Claim,
    Comment,
    Declare,
    Discard,
    Double,
    EarlyPlay,
    Exchange,
    Gift,
    Hold,
    Knock,
    Leave,
    OutOfTurn,
    Pass,
    PickUp,
    Play,
    Push,
    Record,
    Refuse,
    Resign,
    Revoke,
    Ruling,
    Show,
    Step,
    ThrowOpen,
    Timeout,
    WrongLead,
)

_WIDTH = 100
_A_LINE = 8
_LARGEST_BID = 9999
# Tags that share a line with their neighbours of the same group; others stand alone.
_GROUPS = {
    name: number
    for number, group in enumerate((
        (
            "Event", "Place", "Date", "Series", "Id", "Table", "Deal", ROUND_TAG, "Rules",
            "Dealer", "View",
        ),
        ("F", "M", "R", "D", PLACES_TAG),
        ("RatingF", "RatingM", "RatingR"),
    ))
    for name in group
}  # fmt: skip
_PLAIN: dict[type[Step], tuple[str, str]] = {
    # at home in its section; elsewhere behind "!"
    Hold: ("yes", "holds"), Pass: ("pass", "passes"),
    Resign: ("", "resigns"), Timeout: ("", "timed out"), Leave: ("", "left"),
    Agree: ("", "agrees"), Revoke: ("", "revokes"), WrongLead: ("", "leads wrongly"),
    OutOfTurn: ("", "plays out of turn"), EarlyPlay: ("", "plays early"),
    Refuse: ("", "refuses"), Gift: ("", "gives"), ThrowOpen: ("", "throws open"),
    Knock: ("knocks", "knocks"),
}  # fmt: skip


def write(record: Record) -> tuple[str, list[Diagnostic]]:
    """Return a record's canonical text, and an X finding for each value without a place."""
    writer = _Writer(record)
    writer.all()
    return "\n".join(writer.lines) + "\n", writer.lost


def words_of(modifiers: int) -> list[str]:
    """Return the words of modifier bits, in their order."""
    return [word for word, bit in MODIFIERS.items() if modifiers & bit]


class _Writer:
    """The lines so far, the comments still to be written, and what had no place."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.lines: list[str] = [HEADER]
        self.lost: list[Diagnostic] = []
        self._before: dict[str, list[str]] = {}
        self._behind: dict[str, list[str]] = {}
        self._steps: list[Step] = []
        self._numbers: list[int] = []

    def all(self) -> None:
        """Write the whole record."""
        record = self.record
        for number, step in enumerate(record.steps):
            if not _has_words(step):
                self._lose("X004", what=f"step {number + 1}")
            else:
                self._steps.append(step)
                self._numbers.append(number)
        self._sort_comments(record.comments)
        self._tags()
        if len(self.lines) > 1 and (self._sections() or self._before or self._behind):
            self.lines.append("")
        self._deal()
        self._step_sections()
        self._result()
        self._own("end")

    def _sections(self) -> bool:
        record = self.record
        return record.deal is not None or bool(self._steps) or record.result is not None

    def _lose(self, code: str, what: str = "", read: object = "", count: int = 0) -> None:
        self.lost.append(finding(code, read=read, what=what, count=count, format=FORMAT))

    # ---------------------------------------------------------------- comments

    def _sort_comments(self, comments: Sequence[Comment]) -> None:
        """File the comments by the item they belong to; those of no item go to the end."""
        if not comments:
            return
        deal = self.record.deal
        homes = {f"step/{number}" for number in self._numbers} | {*order.STEP_SECTIONS}
        homes |= {f"tag/{number}" for number in range(len(self.record.tags))} | {"result"}
        if deal is not None:
            parts = (*deal.parts(), deal.pack)
            homes |= {f"deal/{n}" for n, part in enumerate(parts) if part is not None}
            homes.add("deal")
        moved = 0
        for one in comments:
            if one.where in homes:
                filed = self._before if one.own_line else self._behind
                filed.setdefault(one.where, []).append(one.text)
            else:
                moved += one.where != "end" or not one.own_line
                self._before.setdefault("end", []).append(one.text)
        if moved:
            self._lose("X008", count=moved)

    def _own(self, where: str, indent: str = "") -> None:
        """Write the comments that stand before an item."""
        self.lines += [indent + comment(text) for text in self._before.pop(where, ())]

    def _line(self, text: str, where: str) -> None:
        """Write a line, with the comments behind its last item."""
        texts = self._behind.pop(where, ())
        if texts:
            marks = " ".join(comment(one, plain=len(texts) == 1) for one in texts)
            text = f"{text}  {marks}"
        self.lines.append(text)

    # -------------------------------------------------------------------- tags

    def _tags(self) -> None:
        line, group_before = "", -1
        for number, (name, value) in enumerate(self.record.tags):
            where = f"tag/{number}"
            if name == ALPHABET_TAG:
                self._lose("X001", what=f"the tag {name}")
                self._move_comments(where)
                continue
            tag = f"[{name} {quote(value)}]"
            group = _GROUPS.get(name, -1)
            apart = where in self._before or group < 0 or group != group_before
            if line and (apart or len(line) + 1 + len(tag) > _WIDTH):
                self.lines.append(line)
                line = ""
            self._own(where)
            line = f"{line} {tag}" if line else tag
            group_before = group
            if where in self._behind:
                self._line(line, where)
                line = ""
        if line:
            self.lines.append(line)

    def _move_comments(self, where: str) -> None:
        texts = [*self._before.pop(where, ()), *self._behind.pop(where, ())]
        if texts:
            self._before.setdefault("end", []).extend(texts)
            self._lose("X008", count=len(texts))

    # -------------------------------------------------------------------- deal

    def _deal(self) -> None:
        deal = self.record.deal
        if deal is None:
            return
        self._own("deal")
        self._line("deal", "deal")
        for number, cards in enumerate((*deal.parts(), deal.pack)):
            if cards is not None:
                where = f"deal/{number}"
                self._own(where, "  ")
                self._line(f"  {HAND_NAMES[number]}: {_cards(cards)}", where)

    # ------------------------------------------------------------------- steps

    def _step_sections(self) -> None:
        homes = list(order.placed(self._steps))
        at = 0
        for section, name in enumerate(order.STEP_SECTIONS):
            end = at
            while end < len(homes) and homes[end][0] == section:
                end += 1
            if end > at or name in self._before or name in self._behind:
                self._own(name)
                self._line(name, name)
                at_home = [home for _, home in homes[at:end]]
                self._runs(section, at, at_home)
            at = end

    def _runs(self, section: int, first: int, at_home: Sequence[bool]) -> None:
        """Write the steps of a section: runs of those at home, the others one by one."""
        write_run = (self._calls, self._acts, self._tricks)[section]
        plays = sum(isinstance(step, Play) for step in self._steps[:first])
        run: list[int] = []
        for number, home in enumerate(at_home, first):
            where = self._where(number)
            if run and (not home or where in self._before):
                plays = write_run(run, plays)
                run = []
            self._own(where, "  ")
            if not home:
                self._line(f"  ! {self._aside(number)}", where)
                continue
            run.append(number)
            if where in self._behind:
                plays = write_run(run, plays)
                run = []
        if run:
            write_run(run, plays)

    def _where(self, number: int) -> str:
        return f"step/{self._numbers[number]}"

    def _calls(self, run: Sequence[int], plays: int) -> int:
        for at in range(0, len(run), _A_LINE):
            part = run[at : at + _A_LINE]
            said = [f"{SEAT_LETTERS[self._steps[n].seat]} {self._said(n)}" for n in part]
            self._line("  " + ", ".join(said), self._where(part[-1]))
        return plays

    def _acts(self, run: Sequence[int], plays: int) -> int:
        for seat, group in groupby(run, key=lambda number: self._steps[number].seat):
            numbers = list(group)
            who, size = ("", 1) if seat == WORLD else (f"{SEAT_LETTERS[seat]} ", _A_LINE)
            for at in range(0, len(numbers), size):
                part = numbers[at : at + size]
                said = ", ".join(self._said(number) for number in part)
                self._line(f"  {who}{said}", self._where(part[-1]))
        return plays

    def _tricks(self, run: Sequence[int], plays: int) -> int:
        at = 0
        while at < len(run):
            full, begun = divmod(plays, 3)
            part = run[at : at + 3 - begun]
            words = [f"  {full + 1}{'...' if begun else '.'}"]
            turn = -1
            for number in part:
                step = self._steps[number]
                assert isinstance(step, Play)
                if len(words) == 1:
                    words.append(f"{SEAT_LETTERS[step.seat]}:")
                lead = "" if len(words) == 2 or step.seat == turn else SEAT_LETTERS[step.seat] + ":"
                words.append(lead + names((step.card,)))
                turn = (step.seat + 1) % 3
            self._line(" ".join(words), self._where(part[-1]))
            plays += len(part)
            at += len(part)
        return plays

    def _said(self, number: int) -> str:
        """Return a step in its section's words, without the seat."""
        step = self._steps[number]
        if isinstance(step, Bid):
            return self._bid(number, step)
        if isinstance(step, AuctionEnd):
            return f"plays at {self._bid(number, step)}"
        if isinstance(step, PickUp):
            return "takes the skat" + _behind(step.cards)
        if isinstance(step, Discard):
            return "discards" + _behind(step.cards)
        if isinstance(step, Declare):
            return self._game(number, step)
        if isinstance(step, Push):
            return "pushes" + (f" {UNSEEN}" if step.cards is None else _behind(step.cards))
        if isinstance(step, Exchange):
            return "exchanges to" + _behind(step.cards)
        if isinstance(step, Double):
            return step.call
        return _PLAIN[type(step)][0]

    def _aside(self, number: int) -> str:
        """Return a step in the words of an irregular line."""
        step = self._steps[number]
        if isinstance(step, Ruling):
            outcome = "won" if step.won else "lost"
            skat = [] if step.skat_counts else ["without skat"]
            return " ".join(["ruling", quote(step.source), outcome, *words_of(step.levels), *skat])
        if isinstance(step, Declare):
            who = "" if step.seat == WORLD else f"{SEAT_LETTERS[step.seat]} "
            return f"{who}declares {self._game(number, step)}"
        seat = SEAT_LETTERS[step.seat]
        if isinstance(step, Bid):
            return f"{seat} bids {self._bid(number, step)}"
        if isinstance(step, Play):
            return f"{seat} plays {names((step.card,))}"
        if isinstance(step, Show):
            return f"{seat} shows" + _behind(step.cards)
        if isinstance(step, Claim):
            return " ".join([f"{seat} claims", *words_of(step.levels)])
        if isinstance(step, (PickUp, Discard, AuctionEnd, Push, Exchange, Double)):
            return f"{seat} {self._said(number)}"
        return f"{seat} {_PLAIN[type(step)][1]}"

    def _bid(self, number: int, step: Bid | AuctionEnd) -> str:
        if 0 <= step.value <= _LARGEST_BID:
            return str(step.value)
        if step.value != NO_NUMBER:
            what = f"the bid of step {self._numbers[number] + 1}"
            self._lose("X003", what=what, read=step.value)
        return NO_BID

    def _game(self, number: int, step: Declare) -> str:
        words = [step.contract if step.contract in CONTRACTS else quote(step.contract)]
        words += words_of(step.modifiers)
        if step.modifiers & ~sum(MODIFIERS.values()):
            self._lose("X003", what=f"step {self._numbers[number] + 1}", read=step.modifiers)
        return " ".join(words) + (f" shows{_behind(step.shown)}" if step.shown is not None else "")

    # ------------------------------------------------------------------ result

    def _result(self) -> None:
        result = self.record.result
        if result is None and not {"result"} & (self._before.keys() | self._behind.keys()):
            return
        self._own("result")
        if result is None:
            self._line("result", "result")
            return
        self.lines.append("result")
        clauses, lost = results.clauses(result)
        for name in lost:
            self._lose("X005", what=results.NAMES[name])
        self._line("  " + ", ".join(clauses), "result")


_WRITABLE = {
    Bid, AuctionEnd, PickUp, Discard, Declare, Push, Exchange, Double, Play, Show, Claim, Ruling,
    *_PLAIN,
}  # fmt: skip


def _has_words(step: Step) -> bool:
    """Say whether the notation has a form for a step."""
    if type(step) not in _WRITABLE or (isinstance(step, Double) and step.call not in DOUBLES):
        return False
    if step.seat == WORLD:
        return isinstance(step, (Declare, Ruling))
    return 0 <= step.seat < len(SEAT_LETTERS) and not isinstance(step, Ruling)


def _cards(cards: Sequence[Card]) -> str:
    return names(cards) if cards else NO_CARDS


def _behind(cards: Sequence[Card] | None) -> str:
    return "" if cards is None else f" {_cards(cards)}"


def tag_names() -> Iterator[str]:
    """Yield the tags that the notation names, in the order of their groups."""
    yield from _GROUPS
    yield "Comment"
