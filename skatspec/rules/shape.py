"""What a key of a profile should have looked like, in the words of YAML rather than of a schema."""

from __future__ import annotations

from typing import Any


def expected(error: Any) -> str:
    """Return what is wrong at a schema error (jsonschema), for the author of a profile."""
    value, wanted = error.instance, error.validator_value
    match error.validator:
        case "enum":
            return f"{yaml_word(value)} is none of: {', '.join(yaml_word(one) for one in wanted)}"
        case "const":
            return f"{yaml_word(value)} is not {yaml_word(wanted)}"
        case "type":
            kinds = [wanted] if isinstance(wanted, str) else wanted
            return f"{yaml_word(value)} is no {' or '.join(_KINDS.get(one, one) for one in kinds)}"
        case "required":
            missing = [key for key in wanted if key not in value]
            return f"{', '.join(missing)} missing"
        case "minItems" | "maxItems":
            least = "at least" if error.validator == "minItems" else "at most"
            return f"{yaml_word(value)} has {len(value)} items, it takes {least} {wanted}"
        case "uniqueItems":
            return f"{yaml_word(value)} names one thing twice"
        case "minimum" | "maximum":
            least = "at least" if error.validator == "minimum" else "at most"
            return f"{yaml_word(value)} is not {least} {wanted}"
        case "anyOf":
            return _none_of(error) or str(error.message)
    return str(error.message)


def _none_of(error: Any) -> str:
    """Return what is wrong with a value that has none of several forms, "" without words.

    A form whose keys the value has, and of which only the values are wrong, is the one meant.
    """
    branches: dict[int, list[Any]] = {}
    for one in error.context:
        branches.setdefault(one.schema_path[0], []).append(one)
    for faults in branches.values():
        if all(one.path for one in faults):
            key = ".".join(str(step) for step in faults[0].path)
            return f"{key}: {expected(faults[0])}"
    forms = [_form(one) for one in error.validator_value]
    return f"{yaml_word(error.instance)} is none of: {', '.join(forms)}" if all(forms) else ""


def _form(schema: dict[str, Any]) -> str:
    """Return a form as it is written in a profile, "" where it is none of the simple ones."""
    if "enum" in schema:
        return ", ".join(yaml_word(one) for one in schema["enum"])
    if "const" in schema:
        return yaml_word(schema["const"])
    return f"{{{', '.join(schema['properties'])}}}" if "properties" in schema else ""


_KINDS = {
    "object": "mapping of keys", "array": "list", "string": "word", "integer": "whole number",
    "number": "number", "boolean": "true or false", "null": "null",
}  # fmt: skip


def yaml_word(value: Any) -> str:
    """Return a value as it is written in a profile."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, list):
        return "[" + ", ".join(yaml_word(one) for one in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {yaml_word(one)}" for key, one in value.items()) + "}"
    text = str(value)
    return f'"{text}"' if text in ("null", "true", "false", "yes", "no", "on", "off") else text
