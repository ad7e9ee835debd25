"""The command line: parse options, call the package, print. No rule and no format lives here.

`main` is the entry point. Exit codes: 0 clean; 1 a record is contradicted or unreadable,
or a finding is an error; 2 wrong usage, configuration or missing file; 3 our own fault.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import click

from skatspec._version import __version__
from skatspec.errors import InputError, ProfileError, UsageError

CLEAN, FOUND, USAGE, OWN_FAULT = 0, 1, 2, 3
# What a full or failing disk answers.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
_INTERRUPTED, _PIPE_CLOSED = 130, 141

_COMMANDS = {
    "check": "skatspec.cli.check",
    "replay": "skatspec.cli.replay",
    "settle": "skatspec.cli.settle",
    "convert": "skatspec.cli.convert",
    "fmt": "skatspec.cli.fmt",
    "explain": "skatspec.cli.explain",
    "rules": "skatspec.cli.rules",
    "list": "skatspec.cli.list",
    "archive": "skatspec.cli.archive",
    "conform": "skatspec.cli.conform",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, or helped with."""

    def __init__(self, *args: Any, modules: Mapping[str, str], **extra: Any) -> None:
        super().__init__(*args, **extra)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the help page."""
        # the name `list` is a module's in this package
        return [*self._modules]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        path = self._modules.get(cmd_name)
        if path is None:
            return None
        command = import_module(path).command
        assert isinstance(command, click.Command)
        return command


class App(LazyGroup):
    """The group of all commands: turns errors into exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what goes wrong in it becomes a message and an exit code."""
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.ClickException, click.Abort):
            raise
        except BrokenPipeError:
            # Whoever reads our output has seen enough; do not complain at shutdown either.
            _discard_output()
            ctx.exit(_PIPE_CLOSED)
        except (UsageError, ProfileError) as error:
            _say(str(error))
            ctx.exit(USAGE)
        except InputError as error:
            _say(str(error))
            ctx.exit(FOUND)
        except OSError as error:
            ctx.exit(_system_fault(error))
        except Exception as error:
            if ctx.params.get("debug"):
                raise
            _own_fault(error)
            ctx.exit(OWN_FAULT)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line and leave with its exit code."""
        run: Callable[..., Any] = super().main
        if not extra.pop("standalone_mode", True):
            return run(*args, standalone_mode=False, **extra)
        extra["prog_name"] = extra.get("prog_name") or "skatspec"
        _prepare_streams()
        code: Any
        try:
            code = run(*args, standalone_mode=False, **extra)
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            code = USAGE
        except click.Abort:
            click.echo("interrupted", err=True)
            code = _INTERRUPTED
        except BrokenPipeError:
            _discard_output()
            code = _PIPE_CLOSED
        except OSError as error:
            code = _system_fault(error)
            _discard_output()
        sys.exit(code if isinstance(code, int) else CLEAN)


def _prepare_streams() -> None:
    """A name that the terminal's encoding lacks is shown escaped, and stops nothing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    import contextlib
    import os

    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(text: str) -> None:
    from skatspec.cli.terminal import clean

    click.echo(f"skatspec: {clean(text)}", err=True)


def _system_fault(error: OSError) -> int:
    """Say what the system refused, and return the exit code; a full disk is no fault of ours."""
    if error.errno not in _NO_ROOM:
        _own_fault(error)
        return OWN_FAULT
    _say(f"cannot write {error.filename or 'the output'}: {error.strerror}")
    return USAGE


def _own_fault(error: Exception) -> None:
    """Say that we failed, and where; the details are for a bug report."""
    _say(f"this is our own fault: {type(error).__name__}: {error}")
    for note in getattr(error, "__notes__", ()):
        _say(note)
    _say(
        f"please report it with the record and the version, {__version__}; "
        "`skatspec --debug ...` shows where it happened"
    )


@click.group(
    cls=App,
    modules=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="`skatspec COMMAND --help` shows a command's options and examples.",
)
@click.version_option(__version__, "-V", "--version", message="skatspec %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of a fault of our own.")
def main(debug: bool) -> None:
    """Check recorded games of Skat: every verdict is explained by a rule and its edition.

    \b
    skatspec check games.sgf     which records hold, what is wrong with the others
    skatspec replay game.skat    a game trick by trick, and what it is worth
    skatspec settle --contract hearts --matadors with:2 --bid 27 --points 72
    skatspec explain S001        what a code means

    Exit codes: 0 clean; 1 a record is contradicted or unreadable, or something is an error;
    2 wrong usage, configuration or a missing file; 3 our own fault.
    """
