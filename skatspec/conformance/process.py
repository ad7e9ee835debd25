"""An engine as a process: lines to its stdin, lines from its stdout, and its limits.

Whatever the program does - nothing, too much, something else - is a `Fault` with its C
code, and the process is gone afterwards. A thread a pipe reads, so that no limit hangs on
what the program prints; lines are counted in bytes before they are kept.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from skatspec.conformance import protocol
from skatspec.conformance.protocol import Fault, Message
from skatspec.diagnostics import finding

_CHUNK = 1 << 16
_KEPT = 1 << 12  # of stderr, in bytes, at its beginning and at its end
_LINES = 8  # of stderr, as many at its beginning and at its end
_REASON = re.compile(r"(error|exception|panic|fatal|cannot|abort)", re.IGNORECASE)
_SLICE = 0.1  # seconds between two looks at the memory while an answer is due
_LOOK_EVERY = 16  # answers between two looks at the memory
_TO_END = 5.0  # seconds an engine has to end after `stop`
_MEBIBYTE = 1 << 20
_STATM = "/proc/{pid}/statm"


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds to answer a case and to start; bytes of output a message; MiB of memory."""

    timeout: float = 10.0
    start_timeout: float = 30.0
    output: int = 1 << 20
    memory: int = 2048


class _Lines:
    """The lines of a pipe, read by a thread of its own; None at the end."""

    def __init__(self, pipe: IO[bytes], most: int) -> None:
        self.pipe = pipe
        self.most = most
        self.ready: queue.Queue[bytes | None] = queue.Queue()
        self.flooded = threading.Event()
        self._since = 0  # bytes since the last message was sent
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        rest = b""
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self.pipe.fileno(), _CHUNK):
                self._since += len(chunk)
                if self._since > self.most:
                    self.flooded.set()
                    break
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    if line.strip():
                        self.ready.put(line)
        if rest.strip() and not self.flooded.is_set():
            self.ready.put(rest)
        self.ready.put(None)

    def end(self) -> None:
        """Wait for what a program printed just before it ended."""
        self._thread.join(1.0)

    def again(self) -> None:
        """Count the output from here on for the next message."""
        self._since = 0


class _Writer:
    """Writes to a pipe by a thread of its own: an engine that reads nothing would block us."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.pipe = pipe
        self._due: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._write, daemon=True).start()

    def put(self, data: bytes | None) -> None:
        """Send some bytes; None closes the pipe."""
        self._due.put(data)

    def _write(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (data := self._due.get()) is not None:
                while data:
                    data = data[self.pipe.write(data) or 0 :]
        with contextlib.suppress(OSError):
            self.pipe.close()


class _Printed:
    """What is printed to a pipe: how much it was, its beginning and its end."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.pipe = pipe
        self.count = 0
        self._head = b""
        self._tail = b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self.pipe.fileno(), _CHUNK):
                self.count += len(chunk)
                room = _KEPT - len(self._head)
                self._head += chunk[:room]
                self._tail = (self._tail + chunk[room:])[-_KEPT:]

    def end(self) -> None:
        """Wait for what a program printed just before it ended."""
        self._thread.join(1.0)

    @property
    def lines(self) -> list[str]:
        """Return the lines that were printed, those in the middle left out where they are many."""
        cut = self.count > len(self._head) + len(self._tail)
        kept = self._head + (b"\n...\n" if cut else b"") + self._tail
        lines = [line.rstrip() for line in kept.decode("utf-8", "replace").split("\n")]
        lines = [line for line in lines if line]
        if len(lines) > 2 * _LINES:
            lines = [*lines[:_LINES], "...", *lines[-_LINES:]]
        return lines

    @property
    def reason(self) -> str:
        """Return the line that most likely tells why a program ended, "" where none was printed."""
        lines = self.lines
        return next((line.strip() for line in lines if _REASON.search(line)), "") or (
            lines[-1] if lines else ""
        )


class Process:
    """A running engine. `ask` sends a message and returns the answer; `close` ends it."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self.limits = limits
        self._answers = 0
        self.was_killed = False  # because it did not end by itself
        try:
            self._child = subprocess.Popen(
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, start_new_session=True, bufsize=0,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise Fault(finding("C001", reason=f"{command[0]}: {reason}")) from None
        assert self._child.stdin
        assert self._child.stdout
        assert self._child.stderr
        self._writer = _Writer(self._child.stdin)
        self._lines = _Lines(self._child.stdout, limits.output)
        self.stderr = _Printed(self._child.stderr)

    def ask(self, said: Message, timeout: float) -> Message:
        """Send a message and return the object that comes back within so many seconds.

        Raises Fault: C002 silent, C003 gone, C004 flood, C005 no JSON, C006 not UTF-8,
        C008 something came that nobody had asked for, C011 too much memory.
        """
        self.unasked()
        self._lines.again()
        self._writer.put(protocol.encode(said))
        line = self._line(time.monotonic() + timeout, timeout)
        self._answers += 1
        if self._answers % _LOOK_EVERY == 0:
            self._look_at_memory()
        return protocol.decode(line)

    def unasked(self) -> None:
        """Raise C008 where a line waits that nobody asked for."""
        with contextlib.suppress(queue.Empty):
            line = self._lines.ready.get_nowait()
            if line is not None:
                try:
                    raise protocol.once_more(protocol.decode(line))
                except Fault as fault:
                    if fault.finding.code == "C008":
                        raise
                shown = protocol.excerpt(line.decode("utf-8", "replace"))
                raise Fault(finding("C008", read=shown))
            self._lines.ready.put(None)
        if self._lines.flooded.is_set():
            raise Fault(finding("C004", limit=self.limits.output))

    def _line(self, until: float, allowed: float) -> bytes:
        while True:
            left = until - time.monotonic()
            try:
                line = self._lines.ready.get(timeout=max(0.0, min(left, _SLICE)))
            except queue.Empty:
                if left <= 0:
                    raise Fault(finding("C002", seconds=f"{allowed:g}")) from None
                self._look_at_memory()
                continue
            if line is not None:
                return line
            if self._lines.flooded.is_set():
                raise Fault(finding("C004", limit=self.limits.output))
            raise Fault(finding("C003", reason=self._how_it_ended()))

    def _look_at_memory(self) -> None:
        """Raise C011 where the process is larger than allowed; only Linux tells."""
        try:
            pages = int(Path(_STATM.format(pid=self._child.pid)).read_text().split()[1])
        except (OSError, ValueError, IndexError):
            return
        if pages * os.sysconf("SC_PAGE_SIZE") > self.limits.memory * _MEBIBYTE:
            raise Fault(finding("C011", limit=self.limits.memory))

    def _how_it_ended(self) -> str:
        try:
            code = self._child.wait(1.0)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        self.stderr.end()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        reason = self.stderr.reason
        return f"{how}; stderr: {protocol.excerpt(reason)}" if reason else how

    def close(self) -> list[Fault]:
        """Say `stop`, wait, and end what does not end.

        Returns C016 where it did not end well, C008 or C004 where it printed what nobody had
        asked for.
        """
        self._writer.put(protocol.encode(protocol.stop()))
        self._writer.put(None)
        found = []
        try:
            code = self._child.wait(_TO_END)
            if code:
                found.append(Fault(finding("C016", reason=f"it left with {code}")))
        except subprocess.TimeoutExpired:
            self.was_killed = True
            found.append(Fault(finding("C016", reason=f"it still ran {_TO_END:g} s later")))
        finally:  # interrupted, too
            self.kill()
        try:
            self.unasked()
        except Fault as fault:
            found.append(fault)
        return found

    def kill(self) -> None:
        """End the process and all it has started."""
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._child.kill()
            else:
                os.killpg(self._child.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(_TO_END)
        # what was printed before the end is read before the pipes are closed
        self._lines.end()
        self.stderr.end()
        self._writer.put(None)
        for pipe in (self._child.stdout, self._child.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
