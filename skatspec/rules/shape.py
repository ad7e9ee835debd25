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
    return str(error.message)


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
