"""The outputs of `check` for programs: concise, json, jsonl; and opening what `--output` names.

Every output is fed record by record and keeps nothing of them, so that millions pass.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Protocol

from skatspec.check import Finding, Report
from skatspec.cli.sources import STDIN
from skatspec.cli.summary import Summary
from skatspec.cli.terminal import clean
from skatspec.errors import UsageError

_IN_MEMORY = 1 << 20


class Renderer(Protocol):
    """Turns a record's report into text; it holds no stream, so a worker process can have it."""

    @property
    def says_nothing_of_consistent(self) -> bool:
        """Say whether a consistent record without findings is passed over."""

    def text(self, report: Report, shown: Sequence[Finding]) -> str:
        """Return what is written of a report, "" for nothing. `shown` are the selected findings."""


class Output(Protocol):
    """Where reports go."""

    @property
    def renderer(self) -> Renderer:
        """Return what makes the texts of records."""

    def file(self, source: str, format_name: str | None) -> None:
        """A file is opened; what follows is about it."""

    def found(self, source: str, shown: Sequence[Finding]) -> None:
        """Something was found about the file as a whole."""

    def records(self, texts: Iterable[str]) -> None:
        """Records were checked; the texts are the renderer's, in order, none empty."""

    def end(self, summary: Summary) -> None:
        """All files are read."""


def concise_line(source: str, one: Finding) -> str:
    """Return a finding as one line, as editors and `grep` like it."""
    place = f"{source}:{one.line}:{one.column}" if one.line else source
    return clean(f"{place}: {one.code} {one.name}: {one.message}")


class ConciseText:
    """One line a finding."""

    says_nothing_of_consistent = True

    def text(self, report: Report, shown: Sequence[Finding]) -> str:
        """Return the lines."""
        return "".join([concise_line(report.source, one) + "\n" for one in shown])


class Concise:
    """One line a finding: `path:line:column: CODE name: message`."""

    def __init__(self, stream: IO[str]) -> None:
        self.renderer = ConciseText()
        self._write = stream.write

    def file(self, source: str, format_name: str | None) -> None:
        """Say nothing."""

    def found(self, source: str, shown: Sequence[Finding]) -> None:
        """Write the lines."""
        for one in shown:
            self._write(concise_line(source, one) + "\n")

    def records(self, texts: Iterable[str]) -> None:
        """Write the lines."""
        self._write("".join(texts))

    def end(self, summary: Summary) -> None:
        """Say nothing."""


class JsonText:
    """One JSON object a record, on one line."""

    says_nothing_of_consistent = False

    def text(self, report: Report, shown: Sequence[Finding]) -> str:
        """Return the object."""
        data = report.as_dict()
        if len(shown) < len(report.findings):
            data["findings"] = [one.as_dict() for one in shown]
        # ASCII only: a name cannot steer a terminal, nor break on a stream's encoding.
        return json.dumps(data, separators=(", ", ": "))


class Jsonl:
    """One line a record, and nothing else; findings about a file go to `aside`."""

    def __init__(self, stream: IO[str], aside: IO[str] | None) -> None:
        self.renderer = JsonText()
        self._write = stream.write
        self._aside = None if aside is None else Concise(aside)

    def file(self, source: str, format_name: str | None) -> None:
        """Say nothing."""

    def found(self, source: str, shown: Sequence[Finding]) -> None:
        """Write the findings aside."""
        if self._aside is not None:
            self._aside.found(source, shown)

    def records(self, texts: Iterable[str]) -> None:
        """Write the records' lines."""
        self._write("".join([text + "\n" for text in texts]))

    def end(self, summary: Summary) -> None:
        """Say nothing."""


class Json:
    """One document: reports, files, summary. Reports are written as they come.

    What is found about files stands after the reports, and waits in a temporary file.
    """

    def __init__(self, stream: IO[str]) -> None:
        self.renderer = JsonText()
        self._write = stream.write
        self._aside = tempfile.SpooledTemporaryFile(  # noqa: SIM115
            _IN_MEMORY, "w+", encoding="utf-8"
        )
        self._reports = self._files = self._findings = 0
        self._write('{"reports": [')

    def file(self, source: str, format_name: str | None) -> None:
        """Begin the file's entry."""
        self._close_entry()
        head = json.dumps({"source": source, "format": format_name})[:-1]
        self._aside.write(("," if self._files else "") + "\n" + head + ', "findings": [')
        self._files += 1
        self._findings = 0

    def found(self, source: str, shown: Sequence[Finding]) -> None:
        """Add to the file's entry."""
        for one in shown:
            self._aside.write((", " if self._findings else "") + json.dumps(one.as_dict()))
            self._findings += 1

    def records(self, texts: Iterable[str]) -> None:
        """Write the records' reports."""
        for text in texts:
            self._write(("," if self._reports else "") + "\n" + text)
            self._reports += 1

    def end(self, summary: Summary) -> None:
        """Write the files and the summary."""
        self._close_entry()
        self._write('\n], "files": [')
        self._aside.seek(0)
        while piece := self._aside.read(_IN_MEMORY):
            self._write(piece)
        self._aside.close()
        self._write('\n], "summary": ' + json.dumps(summary.as_dict()) + "}\n")

    def _close_entry(self) -> None:
        if self._files:
            self._aside.write("]}")


def open_outputs(
    specs: Sequence[tuple[str, str]],
    inputs: Sequence[str],
    verbose: bool,
    quiet: bool,
    stack: ExitStack,
) -> list[Output]:
    """Open the outputs named by (format, path); `-` is standard output.

    Raises UsageError where two go to one place, or one to a file that is read.
    """
    places = [path if path == STDIN else str(Path(path).resolve()) for _, path in specs]
    read = {str(Path(path).resolve()) for path in inputs if path != STDIN}
    outputs: list[Output] = []
    for (name, path), place in zip(specs, places, strict=True):
        if places.count(place) > 1:
            what = "standard output" if place == STDIN else path
            raise UsageError(f"two outputs go to {what}")
        if place in read:
            raise UsageError(f"{path} is read and cannot be written as well")
        stream = sys.stdout if place == STDIN else _open(path, stack)
        outputs.append(_output(name, stream, verbose, quiet))
    return outputs


def _open(path: str, stack: ExitStack) -> IO[str]:
    try:
        return stack.enter_context(
            Path(path).open("w", encoding="utf-8", errors="backslashreplace")
        )
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def _output(name: str, stream: IO[str], verbose: bool, quiet: bool) -> Output:
    if name == "concise":
        return Concise(stream)
    if name == "json":
        return Json(stream)
    if name == "jsonl":
        return Jsonl(stream, sys.stderr if stream is sys.stdout else None)
    from skatspec.cli.text import Text

    return Text(stream, verbose, quiet)
