"""The text of a record while its lines come in; shared by formats that span lines.

Which characters open and end a record is each format's business (iss_frame,
record_json_frame). Offsets count from the record's first character, the lines of
the text are the file's, and memory is bounded by `LIMIT` characters and one line.
"""

from __future__ import annotations

LIMIT = 1 << 20
LIMIT_TEXT = "1 MiB"
_EXCERPT = 60
# A record that does not begin its line is led by as many blanks, so that its columns
# are the file's; not on endless lines, where that would square the work.
_LONGEST_LEAD = 4096


def excerpt(text: str) -> str:
    """Return the beginning of a text's first line, short enough for a message."""
    text = text.lstrip()[: 4 * _EXCERPT].partition("\n")[0].rstrip()
    return text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "…"


class RecordText:
    """Lines of one record, cut out of the file's lines only when it ends."""

    def __init__(self) -> None:
        self.opened = False
        self.refused = False
        self.line = 0
        self.size = 0
        self._last = 0
        self._start = self._lead = 0
        self._parts: list[str] = []

    def open(self, number: int, line: str, start: int) -> int:
        """Begin a record, return what turns a column of its line into an offset."""
        self.opened, self.refused = True, False
        self.line = self._last = number
        self._parts, self._start = [line], start
        self._lead = start if start <= _LONGEST_LEAD else 0
        self.size = self._lead + len(line) - start
        return self._lead - start

    def add(self, number: int, line: str) -> int:
        """Take a further line, return the offset it begins at.

        A line that never came, refused for its length, leaves a blank one.
        """
        gap = "\n" * (number - self._last)
        self._last = number
        begin = self.size + len(gap)
        if not self.refused:
            self._parts.append(gap + line)
            self.size = begin + len(line)
        return begin

    def text(self, end: int | None = None) -> str:
        """Return the text up to an offset, or all of it."""
        whole = "".join(self._parts)
        stop = len(whole) if end is None else self._start + end - self._lead
        return " " * self._lead + whole[self._start : stop]

    def refuse(self) -> None:
        """Keep the record open, but nothing more of it: it was reported already."""
        self.refused = True
        self._parts, self._start, self._lead, self.size = [], 0, 0, 0

    def close(self) -> None:
        """End the record."""
        self.refuse()
        self.opened = self.refused = False
