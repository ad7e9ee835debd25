"""The text of `skatspec settle --contract ramsch`: figures a seat instead of a declarer's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skatspec.cli.items import item_lines
from skatspec.cli.terminal import Paint, count, numbers
from skatspec.cli.text import signed
from skatspec.record import SEAT_LETTERS, SEAT_NAMES
from skatspec.settling_answer import Answer
from skatspec.settling_ramsch import OPEN_FIGURE, RamschQuestion

_MOST_SCORES = 6
_HOW_TO_TELL = {
    "points": "--each-points F/M/R, and --skat-points N",
    "tricks": "--each-tricks F/M/R",
    "last trick": "--last-trick F, M or R; FM where the next to last one counts as well",
}


def facts(asked: RamschQuestion) -> str:
    """Return the facts in one line."""
    words = ["ramsch"]
    for word, figures in (("points", asked.points), ("tricks", asked.tricks)):
        if any(figure is not None for figure in figures):
            words.append(f"{word} {_three(figures)}")
    if asked.skat is not None:
        words.append(f"skat {asked.skat}")
    if asked.last:
        words.append("last trick " + " ".join(SEAT_LETTERS[seat] for seat in asked.last))
    if asked.doublings:
        words.append(count(asked.doublings, "doubling"))
    if asked.bock:
        words.append("Bock round")
    return ", ".join(words)


def open_lines(answer: Answer, paint: Paint) -> Iterator[str]:
    """Yield what is open, what can come out, and what would tell."""
    depends = " and ".join(answer.missing) or "more than is given"
    text = f"it depends on {depends}"
    yield paint.wrap(f"{paint.verdict(answer.verdict)}: {text}", "", "  ")
    yield paint.wrap(f"value: {numbers(answer.admissible['value'], False)}", "  ", "    ")
    scores = answer.admissible["scores"]
    shown = " or ".join(_scores(three) for three in scores[:_MOST_SCORES])
    if len(scores) > _MOST_SCORES:
        shown += f" or {len(scores) - _MOST_SCORES} others"
    yield paint.wrap(f"scores F M R: {shown}", "  ", "    ")
    for name in answer.missing:
        yield paint.wrap(f"give {_HOW_TO_TELL[name]}", "  ", "    ")


def settled_lines(answer: Answer, paint: Paint) -> Iterator[str]:
    """Yield the settlement, item by item, and what each player has of it."""
    yield from item_lines(answer.lines, paint)
    yield ""
    scores = answer.scores or (0, 0, 0)
    if answer.won:
        winner = SEAT_NAMES[scores.index(max(scores))]
        who = paint(f"{winner} took all tricks", fg="green")
    else:
        losers = [SEAT_NAMES[SEAT_LETTERS.index(letter)] for letter in answer.losers or ""]
        who = paint(f"{' and '.join(losers) or 'nobody'} lost", fg="red" if losers else None)
    yield f"value {answer.value}, {who}, scores F M R: {_scores(scores)}"


def _three(figures: Sequence[int | None]) -> str:
    return " ".join(OPEN_FIGURE if figure is None else str(figure) for figure in figures)


def _scores(three: Sequence[float]) -> str:
    return " ".join(signed(score) for score in three)
