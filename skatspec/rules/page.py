"""Writes docs/profiles.md from the packaged profiles: `python -m skatspec.rules.page`."""

from __future__ import annotations

from typing import Any

from skatspec.rules import available, load_profile, load_rules
from skatspec.rules.difference import changed_keys
from skatspec.rules.profile import Profile
from skatspec.rules.words import notes

_HEAD = """# Profiles

Generated from the profiles by `python -m skatspec.rules.page`; do not edit. The rules in
words, side by side, are in [the table of differences](rules.md#how-they-differ).

| profile | title | edition | over |
|---|---|---|---|
"""


def page() -> str:
    """Return the page: all profiles, what each changes and where it deviates, then the modes."""
    profiles = [load_profile(name) for name in available()]
    modes = [one for one in profiles if "apply" in one.data]
    others = [one for one in profiles if one not in modes]
    rows = [f"| `{one.name}` | {one.title} | {one.edition} | {_over(one)} |\n" for one in others]
    return _HEAD + "".join(rows) + "".join(_section(one) for one in others) + _modes(modes)


def _modes(profiles: list[Profile]) -> str:
    """Return the profiles that are another one with switches, a row each."""
    lines = ["\n## Profiles with switches\n\nEach is another profile with these switches.\n"]
    lines.append("\n| profile | title | is | rules it changes |\n|---|---|---|---|\n")
    for one in profiles:
        over, rules = load_rules(one.chain[1]), load_rules(one.name)
        told = notes(changed_keys(over.profile, one), over, rules)
        changes = "; ".join(f"{note.rule}: {note.new}" for note in told if note.played)
        command = f"`{one.chain[1]} {one.data['apply']}`".replace(" `", "`")
        lines.append(f"| `{one.name}` | {one.title} | {command} | {changes or 'none'} |\n")
    return "".join(lines)


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
    telling = [f"`{name}`" for name, entry in profile.data.get("switches", {}).items()
               if not isinstance(entry, int)]  # fmt: skip
    if telling:
        lines.append(f"\nSwitches that change a rule: {', '.join(telling)}.\n")
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
