"""The messages between runner and engine: JSON lines, a schema each (`schemas/protocol/`).

Both sides use this module: the runner writes questions and reads answers, `serve` the
other way round. A message that cannot be read is a `Fault`, which carries the finding.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

from skatspec import cards
from skatspec.conformance.shapes import told, validator
from skatspec.diagnostics import Diagnostic, finding, message
from skatspec.errors import SkatspecError
from skatspec.rules import Rules
from skatspec.rules.tables import GAMES

PROTOCOL = 1
STARTED, RULED, ANSWER = "started", "ruled", "answer"
START, RULES, RUN, STOP = "start", "rules", "run", "stop"
_EXCERPT = 200
_MOST_KEPT = 2000  # characters of a wrong answer
_MOST_VALUES, _MOST_DEPTH, _LARGEST = 100_000, 32, 1 << 53

Message = dict[str, Any]


class Fault(SkatspecError):
    """Something the other side did wrong; `finding` has the C code.

    `about` is the number of the question whose answer came once more, 0 where none is meant.
    """

    def __init__(self, found: Diagnostic, about: int = 0) -> None:
        super().__init__(f"{found.code} {message(found)}")
        self.finding = found
        self.about = about


def once_more(said: Message) -> Fault:
    """Return C008 for a message that nobody asked for, about the question that it names."""
    number = said.get("seq")
    about = number if type(number) is int and number > 0 else 0
    return Fault(finding("C008", read=excerpt(json.dumps(said, ensure_ascii=False))), about)


# --- questions --------------------------------------------------------------------------


def start() -> Message:
    """Return the first message."""
    return {"cmd": START, "protocol": PROTOCOL}


def rules_message(name: str, rules: Rules) -> Message:
    """Return the message that names a profile and gives the rules as tables.

    The name is that of the profile as cases have it, also where `rules` has changed keys.
    """
    tables = {
        "cards": list(cards.NAMES[: cards.DECK]), "contracts": list(GAMES),
        **{
            field.name: plain(getattr(rules.tables, field.name))
            for field in fields(rules.tables)
            if field.name not in ("digest", "bid_ok")
        },
    }  # fmt: skip
    return {"cmd": RULES, "name": name, "digest": rules.tables.digest, "tables": tables}


def run(seq: int, task: str, given: Message) -> Message:
    """Return the message that asks a case."""
    return {"cmd": RUN, "seq": seq, "task": task, "input": given}


def stop() -> Message:
    """Return the last message."""
    return {"cmd": STOP}


def plain(value: Any) -> Any:
    """Return a compiled table in JSON's own types."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return value


# --- lines ------------------------------------------------------------------------------


def encode(said: Message) -> bytes:
    """Return a message as a line."""
    # lone surrogates have no UTF-8; escaped they are JSON all the same
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(said).encode() + b"\n"


def decode(line: bytes) -> Message:
    """Return the JSON object of a line; Fault C005 or C006 where it is none."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = f"{line[error.start]:02X}"
        raise Fault(finding("C006", read=wrong, at=f"byte {error.start + 1}")) from None
    try:
        said = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Fault(finding("C005", read=excerpt(text))) from None
    if not isinstance(said, dict):
        raise Fault(finding("C005", read=excerpt(text)))
    if reason := _beyond(said):
        raise Fault(finding("C007", reason=reason, read=excerpt(text)))
    return said


def _beyond(said: Message) -> str:
    """Return why a message is larger or deeper than any can be, empty where it is not."""
    due: list[tuple[Any, int]] = [(said, 0)]
    for count, (value, depth) in enumerate(_walk(due)):
        if count > _MOST_VALUES:
            return f"more than {_MOST_VALUES} values"
        if depth > _MOST_DEPTH:
            return f"deeper than {_MOST_DEPTH} levels"
        if isinstance(value, float) and not isfinite(value):
            return "a number beyond what JSON readers hold"
        if isinstance(value, int) and abs(value) > _LARGEST:
            return "a number of more than 53 bits"
    return ""


def _walk(due: list[tuple[Any, int]]) -> Iterator[tuple[Any, int]]:
    """Yield every value with its depth, without recursion."""
    while due:
        value, depth = due.pop()
        yield value, depth
        if isinstance(value, dict):
            due += [(one, depth + 1) for one in value.values()]
        elif isinstance(value, list):
            due += [(one, depth + 1) for one in value]


def short(value: Any) -> Any:
    """Return a value to be kept, or the beginning of its JSON where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return value if len(text) <= _MOST_KEPT else text[:_MOST_KEPT] + "..."


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def shaped(said: Message, kind: str) -> Message:
    """Return a message whose shape is that of its schema; Fault C007 where it is another."""
    reason = shape_fault(said, kind)
    if reason:
        raise Fault(finding("C007", reason=reason, read=excerpt(json.dumps(said))))
    return said


def shape_fault(said: Message, kind: str) -> str:
    """Return what is wrong with a message's shape, empty where nothing is."""
    shape = validator("protocol", f"{kind}.schema.json")
    if shape.is_valid(said):
        return ""
    from jsonschema.exceptions import best_match

    return excerpt(told(best_match(shape.iter_errors(said))))


def excerpt(text: str) -> str:
    """Return the beginning of a text that may be long."""
    return text if len(text) <= _EXCERPT else text[:_EXCERPT] + "..."
