"""Writes docs/profiles.md from the packaged profiles: `python -m skatspec.rules.page`."""

from __future__ import annotations

from typing import Any

from skatspec.rules import available, load_profile
from skatspec.rules.difference import changed_keys
from skatspec.rules.profile import Profile

_HEAD = """# Profiles

Generated from the profiles by `python -m skatspec.rules.page`; do not edit.

| profile | title | edition | over |
|---|---|---|---|
"""


def page() -> str:
    """Return the page: a table of all profiles, then what each changes and where it deviates."""
    profiles = [load_profile(name) for name in available()]
    rows = [f"| `{one.name}` | {one.title} | {one.edition} | {_over(one)} |\n" for one in profiles]
    return _HEAD + "".join(rows) + "".join(_section(one) for one in profiles)


def _over(profile: Profile) -> str:
    return " → ".join(f"`{name}`" for name in profile.chain[1:]) or "-"


def _section(profile: Profile) -> str:
    if len(profile.chain) < 2:
        return ""
    parent = load_profile(profile.chain[1])
    changes = changed_keys(parent, profile)
    lines = [f"\n## `{profile.name}` over `{parent.name}`\n\n"]
    if changes:
        lines.append(f"| key | `{parent.name}` | `{profile.name}` |\n|---|---|---|\n")
        lines += [f"| `{c.key}` | {_cell(c.old)} | {_cell(c.new)} |\n" for c in changes]
    else:
        sources = len(changed_keys(parent, profile, sources=True))
        lines.append(f"The same rules; {sources} citations differ.\n" if sources else "The same.\n")
    if profile.data["deviations"]:
        lines.append("\nDeviations:\n\n")
        lines += [f"* {text}\n" for text in profile.data["deviations"]]
    return "".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {item}" for key, item in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    print(page(), end="")
