"""Rules as data: profiles and the tables compiled from them (floor 2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from skatspec.rules.profile import Profile, available, load_packaged, load_profile, with_settings
from skatspec.rules.tables import Tables, compile_tables


@dataclass(frozen=True, slots=True)
class Rules:
    """A profile with its compiled tables: what every check is made against."""

    profile: Profile
    tables: Tables

    @property
    def name(self) -> str:
        """Return the name the profile was asked for by."""
        return self.profile.name


# a record's tag can name rules with ever other switches: few are kept
@lru_cache(maxsize=128)
def load_rules(name: str | Path, settings: tuple[str, ...] = ()) -> Rules:
    """Return the rules of a packaged profile or of a YAML file, with single keys changed.

    A name may have switches behind it (`xskat -ramsch -kontra`), `settings` are words such
    as `winning.points=62`. Raises ProfileError (an F code with the YAML line).
    """
    profile = load_profile(name)
    if settings:
        profile = with_settings(profile, settings)
    return Rules(profile, compile_tables(profile))


@lru_cache(maxsize=128)
def packaged_rules(name: str) -> Rules:
    """Return the rules of a packaged profile, perhaps with switches behind its name.

    For names from records and messages: none is ever taken for a file. Raises ProfileError.
    """
    profile = load_packaged(name)
    return Rules(profile, compile_tables(profile))


def changed(rules: Rules, settings: tuple[str, ...]) -> Rules:
    """Return rules with single keys changed, whatever they are made of; raises ProfileError."""
    profile = with_settings(rules.profile, settings)
    return Rules(profile, compile_tables(profile))


__all__ = [
    "Profile",
    "Rules",
    "Tables",
    "available",
    "changed",
    "load_profile",
    "load_rules",
    "packaged_rules",
]
