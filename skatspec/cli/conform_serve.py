"""`skatspec conform serve`: skatspec itself as an engine of the protocol."""

from __future__ import annotations

import sys

import click


@click.command(short_help="Be an engine: answer cases on stdin, line by line.")
def command() -> int:
    """Answer the messages of the protocol: a line of JSON on stdin, a line on stdout.

    It is the engine that others can be compared with. The messages have their schemas under
    schemas/protocol/, and a page with a transcript: docs/protocol.md.

    \b
    skatspec conform run -- skatspec conform serve
    """
    from skatspec.cli import CLEAN
    from skatspec.conformance.serve import serve

    serve(sys.stdin.buffer, sys.stdout.buffer)
    return CLEAN
