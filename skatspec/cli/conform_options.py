"""Options that the commands about an engine share."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from skatspec.conformance.cases import AGREEMENTS

if TYPE_CHECKING:
    from skatspec.conformance.runner import Options

_LONGEST = 86400
_TOLD_TO_END = 128  # and the signal's number, as shells have it
_TIME_TO_START = 30.0  # seconds, and as many as a question may take


def engine_command(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what every command about an engine has: its command line and its limits."""
    for option in (
        click.argument("engine", nargs=-1, required=True, metavar="-- COMMAND..."),
        click.option(
            "--memory", type=click.IntRange(1), default=2048, show_default=True, metavar="MIB",
            help="Stop an engine that grows beyond (Linux).",
        ),
        click.option(
            "--timeout", type=click.FloatRange(0, min_open=True), default=10.0, show_default=True,
            metavar="S", help="Seconds to answer a question.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


selection = click.option(
    "--select", multiple=True, metavar="WORD",
    help="Only cases of this task, level, tag, profile or id (l0*); alternatives by commas; with ! "
    "in front all cases but these. Given twice, both must hold.",
)  # fmt: skip
suite_option = click.option(
    "--suite", metavar="DIR", help="Cases of your own instead of the packaged ones."
)


@contextmanager
def ending_well() -> Iterator[None]:
    """Let a run that is told to end do so in order: no engine is left behind."""

    def leave(number: int, _: object) -> None:
        raise SystemExit(_TOLD_TO_END + number)

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), leave) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def run_options(
    timeout: float, memory: int, skip: str | None = None, least: str = AGREEMENTS[0],
    jobs: int = 1, restarts: int = 0, oneshot: bool = False,
) -> Options:  # fmt: skip
    """Return how a run is made, from the options of the command line."""
    from skatspec.conformance.process import Limits
    from skatspec.conformance.runner import Options
    from skatspec.conformance.skips import read_skips
    from skatspec.errors import UsageError

    if not timeout > 0 or timeout > _LONGEST:
        raise UsageError(f"--timeout {timeout}: more than 0 and at most {_LONGEST} seconds")
    limits = Limits(timeout=timeout, start_timeout=max(timeout, _TIME_TO_START), memory=memory)
    skips = {} if skip is None else read_skips(skip)
    return Options(limits, jobs, restarts, least, skips, oneshot)
