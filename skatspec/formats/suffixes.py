"""What a file's name says: its format, and that it is packed. No file is opened here."""

from __future__ import annotations

from pathlib import PurePath

# The suffixes of each format's files, and of those written where that is another kind of file.
SUFFIXES: dict[str, tuple[str, ...]] = {
    "skat": (".skat",),
    "iss": (".sgf", ".iss"),
    "json": (".json", ".jsonl"),
    "xskat": (".log",),
}
WRITTEN: dict[str, tuple[str, ...]] = {"xskat": (".deal",)}
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
# May hold records of any format, or anything else.
TEXT = ".txt"
ZIP = ".zip"


def bare_suffix(path: str | PurePath) -> str:
    """Return a name's last suffix in small letters, those of compression aside; "" without one."""
    suffixes = [suffix.lower() for suffix in PurePath(path).suffixes]
    while suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def format_of(path: str | PurePath, out: bool = False) -> str | None:
    """Return the format that a file's name says, or None; `out`: the file is to be written."""
    last = bare_suffix(path)
    for name, suffixes in SUFFIXES.items():
        if last in (WRITTEN.get(name, suffixes) if out else suffixes):
            return name
    return None


def leaves_open(name: str) -> bool:
    """Say whether a file's name leaves open what it holds: a text, or packed without more."""
    bare = bare_suffix(name)
    return bare == TEXT or (not bare and name.lower().endswith(COMPRESSED))
