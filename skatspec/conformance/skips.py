"""The user's list of cases that an engine is known to fail: an id a line, the reason behind #."""

from __future__ import annotations

from pathlib import Path

from skatspec.errors import UsageError


def read_skips(path: str | Path) -> dict[str, str]:
    """Return the ids of a list with their reasons, "" where none is given.

    Raises UsageError where the file cannot be read or a line holds more than one word.
    """
    if not Path(path).is_file():
        raise UsageError(f"{path}: there is no such file")
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"{path}: {reason}") from None
    skips = {}
    for number, line in enumerate(text.splitlines(), 1):
        name, _, reason = line.partition("#")
        words = name.split()
        if len(words) > 1:
            raise UsageError(f"{path}:{number}: one id a line, the reason behind a #")
        if words:
            skips[words[0]] = reason.strip()
    return skips
