"""YAML to plain values with the line of every key; safe, bounded, no aliases.

Knows nothing of profiles. Refuses duplicate keys, anchors, tags, deep nesting and large
files, because a rule profile needs none of them.
"""

from __future__ import annotations

from typing import Any

import yaml

from skatspec.errors import ProfileError

MAX_BYTES = 256 * 1024
MAX_DEPTH = 24
Path = tuple[str | int, ...]
Lines = dict[Path, int]

_SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load(text: str, source: str) -> tuple[Any, Lines]:
    """Return the document's value and the 1-based line of each path in it.

    Raises ProfileError F001 (syntax and limits) or F007 (a key twice).
    """
    if len(text) > MAX_BYTES:
        raise ProfileError("F001", f"a profile is at most {MAX_BYTES // 1024} KiB", source)
    try:
        _check_events(text, source)
        loader = _SafeLoader(text)
        try:
            node = loader.get_single_node()
            lines: Lines = {}
            value = _value(loader, node, (), lines, source) if node is not None else None
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        line = mark.line + 1 if mark is not None else 0
        raise ProfileError("F001", f"not YAML: {problem}", source, line) from None
    except ValueError as error:  # "2026-99-99" is a date to YAML, and no date
        raise ProfileError("F001", f"not a value: {error}", source) from None
    return value, lines


def _check_events(text: str, source: str) -> None:
    """Refuse nesting, aliases and tags before anything recursive sees the text."""
    depth = 0
    for event in yaml.parse(text, Loader=_SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise ProfileError("F001", "anchors and aliases are not used here", source, line)
        if getattr(event, "tag", None):
            raise ProfileError("F001", "tags are not used here", source, line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise ProfileError("F001", "nested too deep", source, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _value(loader: Any, node: Any, path: Path, lines: Lines, source: str) -> Any:
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise ProfileError("F001", "a key must be a word", source, line)
            key = str(key_node.value)
            if key in result:
                raise ProfileError("F007", f"the key {key!r} stands twice", source, line)
            lines[(*path, key)] = line
            result[key] = _value(loader, value_node, (*path, key), lines, source)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [
            _value(loader, item, (*path, index), lines, source)
            for index, item in enumerate(node.value)
        ]
    value = loader.construct_object(node)
    # 7, 8 and 9 are ranks as well as numbers; the schema sorts them out by place.
    return value if isinstance(value, (str, int, float, bool)) or value is None else node.value
