"""Prints docs/codes.md from codes.yaml: `python -m skatspec.diagnostics.page > docs/codes.md`."""

from __future__ import annotations

from collections.abc import Iterator

from skatspec.diagnostics.catalog import FAMILIES, CodeEntry, catalog

_HEAD = """\
# Codes

Every finding has a code, a letter and three digits, and a name. Both are accepted
wherever a code is asked for (`skatspec explain P004`, `skatspec explain revoke`), and
neither is ever reused. The words of a message may change, the code does not.

Codes of lists have their text in German as well.

The severity given here is the default; a rule profile may change it by name under
`severities:`. Only an *error* contradicts a record. A code's rule is named by its topic;
`skatspec explain CODE --rules NAME` says where the topic stands, with its edition.

This page is made from `skatspec/diagnostics/codes.yaml` by
`python -m skatspec.diagnostics.page`; do not edit it here."""


def page() -> str:
    """Return the page in Markdown, with one line end at its end."""
    return "\n".join([_HEAD, *_contents(), *_families()]).rstrip() + "\n"


def _contents() -> Iterator[str]:
    yield ""
    yield "| letter | family | codes |"
    yield "|---|---|---|"
    for letter, family in FAMILIES.items():
        rows = [row for row in catalog().values() if row.code[0] == letter]
        if rows:
            yield f"| {letter} | {family} | {rows[0].code} to {rows[-1].code} |"


def _families() -> Iterator[str]:
    for letter, family in FAMILIES.items():
        rows = [row for row in catalog().values() if row.code[0] == letter]
        if rows:
            yield ""
            yield f"## {letter}: {family}"
            for row in rows:
                yield from _entry(row)


def _entry(row: CodeEntry) -> Iterator[str]:
    yield ""
    yield f"### {row.code} {row.name}"
    yield ""
    rule = f", rule: {row.topic}" if row.topic else ""
    yield f"*{row.severity.value}{rule}* · `{row.text}`"
    yield ""
    if row.text_de:
        yield f"German: `{row.text_de}`"
        yield ""
    yield row.explain
    for word, example in (("Wrong", row.bad), ("Right", row.good)):
        if example:
            yield ""
            yield f"{word}:"
            yield ""
            yield from (f"    {line}".rstrip() for line in example.splitlines())


if __name__ == "__main__":
    print(page(), end="")
