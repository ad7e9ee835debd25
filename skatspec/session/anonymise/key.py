"""The key file: the secret that pseudonyms are made with, and the names behind them.

    {"skatspec-names": 1, "secret": "<64 hex digits>", "names": {"p-3k9x7a2": "Anna"},
     "files": {"<SHA-256 of a file>": {"<its name>": [[12, "J\\udcf6rg"]]}}}

A pseudonym is `p-` and the first letters of HMAC-SHA256(secret, name) in base32. `files` says
where a name is spelt in another way than usual: from the 13th pseudonym of that file on the
name behind that pseudonym is spelt so; a byte that is no UTF-8 stands as `\\udc..`. Who has
the file can undo everything, who has not cannot. Nothing of it is ever printed.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
import unicodedata
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from skatspec.errors import UsageError

VERSION_KEY, VERSION = "skatspec-names", 1
SECRET_BYTES = 32
# XSkat prints nine letters of a word.
LETTERS, MORE_LETTERS = 7, 8
# Crockford's: nothing that is taken for something else.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
PREFIX = "p-"
SHAPE = rf"{PREFIX}[{ALPHABET}]{{{LETTERS},{MORE_LETTERS}}}"
PSEUDONYM = re.compile(SHAPE)
_MOST_TRIES = 64
_HEX = re.compile(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}")
# Programs, never people: XSkat at the server and the seats that XSkat fills itself.
_PROGRAM = re.compile(r"xskat(:[0-9]{1,4})?|Computer[123]|Computer (left|right)")

Events = list[tuple[int, str]]


def fold(name: str) -> str:
    """Return a name as it counts: composed letters, one blank between words."""
    return " ".join(unicodedata.normalize("NFC", name.replace("\ufeff", "")).split())


def is_program(name: str) -> bool:
    """Say whether a folded name is certainly that of a program."""
    return _PROGRAM.fullmatch(name) is not None


class Key:
    """A key file in memory; `names` maps pseudonyms to folded names."""

    def __init__(self, path: Path, secret: bytes, names: dict[str, str], files: Any) -> None:
        self.path = path
        self.names = names
        self.files: dict[str, dict[str, Events]] = files
        self.changed = False
        self.new = 0
        self._secret = secret
        self._pseudonyms = {name: pseudonym for pseudonym, name in names.items()}
        self._stamp: tuple[int, ...] | None = None

    @classmethod
    def opened(cls, path: Path, must_exist: bool) -> Key:
        """Read a key file, or make one. Raises UsageError with what is wrong."""
        if must_exist or os.path.lexists(path):
            return cls._read(path)
        key = cls(path, secrets.token_bytes(SECRET_BYTES), {}, {})
        key.changed = True
        key.save()
        return key

    @classmethod
    def _read(cls, path: Path) -> Key:
        try:
            stamp = _stamp(path)
            raw = path.read_bytes()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"the key file {path} cannot be read: {why}") from None
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError):
            raise UsageError(f"{path} is no key file: it is not JSON") from None
        fault = _fault(data)
        if fault:
            raise UsageError(f"{path} is no key file: {fault}")
        files = {
            digest: {name: [(at, spelt) for at, spelt in events] for name, events in same.items()}
            for digest, same in data.get("files", {}).items()
        }
        key = cls(path, bytes.fromhex(data["secret"]), data["names"], files)
        for pseudonym, name in key.names.items():
            if pseudonym not in key._candidates(name):
                raise UsageError(f"{path} is a broken key file: its names are of another secret")
        key._stamp = stamp
        return key

    def pseudonym(self, name: str) -> str:
        """Return the pseudonym of a folded name; a new one is remembered."""
        known = self._pseudonyms.get(name)
        if known is not None:
            return known
        for one in self._candidates(name):
            if one not in self.names:
                self.names[one] = name
                self._pseudonyms[name] = one
                self.changed = True
                self.new += 1
                return one
        raise UsageError("the key has no room for another name")

    def _candidates(self, name: str) -> Iterator[str]:
        """Yield the pseudonyms of a name, each to be taken where the one before is another's."""
        letters = self._letters(name)
        yield PREFIX + letters[:LETTERS]
        yield PREFIX + letters[:MORE_LETTERS]
        for number in count(1):
            if number > _MOST_TRIES:
                return
            yield PREFIX + self._letters(f"{name}\0{number}")[:MORE_LETTERS]

    def _letters(self, text: str) -> str:
        digest = hmac.digest(self._secret, text.encode("utf-8", "surrogatepass"), "sha256")
        number, letters = int.from_bytes(digest, "big"), ""
        for _ in range(MORE_LETTERS):
            number, at = divmod(number, len(ALPHABET))
            letters += ALPHABET[at]
        return letters

    def remember(self, digest: str, name: str, events: Events) -> bool:
        """Keep how names are spelt in a file; False where an equal one was spelt otherwise."""
        same = self.files.setdefault(digest, {})
        known = same.get(name)
        if known != events:
            same[name] = events
            self.changed = True
        return known is None or known == events

    def recall(self, digest: str, name: str) -> Events:
        """Return how names are spelt in a file, by its content, and its name where that helps."""
        same = self.files.get(digest, {})
        return same[name] if name in same else next(iter(same.values()), [])

    def save(self) -> None:
        """Write the key file as a whole, readable by its owner alone, if anything is new.

        Raises UsageError where it cannot be written, or somebody else wrote it meanwhile.
        """
        if not self.changed:
            return
        try:
            place = self.path.resolve()
            now = _stamp(place) if os.path.lexists(place) else None
            if now != self._stamp:
                raise UsageError(f"the key file {self.path} was changed meanwhile: start again")
            draft = place.with_name(f".{place.name}.{os.getpid()}.tmp")
            try:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
                with os.fdopen(os.open(draft, flags, 0o600), "w", encoding="ascii") as stream:
                    json.dump(self._content(), stream, indent=0)
                    stream.write("\n")
                    stream.flush()
                    os.fsync(stream.fileno())
                draft.replace(place)
            finally:
                draft.unlink(missing_ok=True)
            self._stamp = _stamp(place)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"the key file {self.path} cannot be written: {why}") from None
        self.changed = False

    def _content(self) -> dict[str, Any]:
        content: dict[str, Any] = {
            VERSION_KEY: VERSION, "secret": self._secret.hex(), "names": self.names,
        }  # fmt: skip
        return content | {"files": self.files} if self.files else content


def _stamp(path: Path) -> tuple[int, ...]:
    status = path.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino


def _fault(data: Any) -> str:
    """Return why read JSON is no key, empty for a good one."""
    if not isinstance(data, dict) or VERSION_KEY not in data:
        return f'it has no "{VERSION_KEY}"'
    if data[VERSION_KEY] != VERSION:
        return f"its version is not {VERSION}"
    secret, names, files = data.get("secret"), data.get("names"), data.get("files", {})
    if not isinstance(secret, str) or _HEX.fullmatch(secret) is None:
        return f"its secret is not {2 * SECRET_BYTES} hex digits"
    if not isinstance(names, dict) or not all(isinstance(one, str) for one in names.values()):
        return "its names are not texts"
    if not all(PSEUDONYM.fullmatch(one) for one in names):
        return "not everything in its names is a pseudonym"
    if len(set(names.values())) != len(names):
        return "a name stands twice in it"
    return "" if _are_files(files) else "its files are not as they are written"


def _are_files(files: Any) -> bool:
    if not isinstance(files, dict):
        return False
    for same in files.values():
        if not isinstance(same, dict):
            return False
        for events in same.values():
            if not isinstance(events, list) or not all(map(_is_event, events)):
                return False
    return True


def _is_event(one: Any) -> bool:
    return (
        isinstance(one, list) and len(one) == 2 and type(one[0]) is int and isinstance(one[1], str)
    )
