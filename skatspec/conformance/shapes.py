"""The packaged schemas as validators, and a schema's error in words: what a document lacks."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from skatspec import resources


@cache
def validator(*path: str, part: str = "") -> Any:
    """Return a validator of a schema under `schemas/`, or of one definition in it."""
    from jsonschema import Draft202012Validator

    schema = json.loads(resources.text("schemas", *path))
    if part:
        schema = {"$defs": schema["$defs"], "$ref": f"#/$defs/{part}"}
    return Draft202012Validator(schema)


def told(error: Any) -> str:
    """Return what is wrong at a schema's error, with its place in the document."""
    where = "/".join(map(str, error.absolute_path))
    return f"{where}: {error.message}" if where else str(error.message)
