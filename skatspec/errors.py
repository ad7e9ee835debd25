"""The exceptions that may leave the package; everything about a record is a Diagnostic instead."""

from __future__ import annotations


class SkatspecError(Exception):
    """Base of every exception that skatspec raises for bad input or wrong use."""


class ProfileError(SkatspecError):
    """A rule profile that cannot be used.

    `code` is an F code of codes.yaml, `source` the file or name, `line` the
    1-based YAML line (0 where the file as a whole is meant).
    """

    def __init__(self, code: str, message: str, source: str = "", line: int = 0) -> None:
        place = f"{source}:{line}: " if line else f"{source}: " if source else ""
        super().__init__(f"{place}{code} {message}")
        self.code = code
        self.message = message
        self.source = source
        self.line = line


class InputError(SkatspecError):
    """A file that cannot be opened or is refused as a whole (an E code)."""

    def __init__(self, code: str, message: str, source: str = "") -> None:
        super().__init__(f"{source}: {code} {message}" if source else f"{code} {message}")
        self.code = code
        self.message = message
        self.source = source


class UsageError(SkatspecError):
    """A call whose arguments contradict each other or lack something."""
