"""A Skat engine for `skatspec conform run`, to begin your own with: plain Python, no dependency.

It answers one task, `legal`, and skips the others. Where your engine goes: ENGINE, and a
function for each task in TASKS. `skatspec conform run -- python3 skeleton.py` asks it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
Task = Callable[[Json, Json], Json]  # the case's input and the rules' tables -> the result

# <- your engine: its name and its own version, not the protocol's.
ENGINE = {"name": "skeleton", "version": "1", "language": "Python"}

# The rule profiles you can be asked under (`skatspec rules list` has them all). Of the others
# every case is skipped. This engine reads the tables, so it could name any of them.
RULES = ["isko", "isko-2015", "ledger", "iss", "primer", "table-match"]


class Skip(Exception):
    """Raised where the engine cannot do a case; the text says why, to people."""


def legal(given: Json, tables: Json) -> Json:
    """Say which cards may be played to a led one, or who wins a trick and what is in it."""
    number = {name: card for card, name in enumerate(tables["cards"])}
    contract = tables["contracts"].index(given["contract"])
    follow = tables["follow"][contract]  # the class of each card: a suit, or trump
    if "trick" in given:
        trick = [number[name] for name in given["trick"]]
        strength = tables["beats"][contract][follow[trick[0]]]  # by the class that was led
        best = max(range(3), key=lambda place: strength[trick[place]])
        return {"winner": best + 1, "points": sum(tables["points"][card] for card in trick)}
    led = follow[number[given["led"]]]
    following = [name for name in given["hand"] if follow[number[name]] == led]
    return {"cards": sorted(following or given["hand"])}


def not_yet(given: Json, tables: Json) -> Json:
    """Skip a case: it counts neither for nor against the engine, and the report shows why."""
    raise Skip("not written yet")


# <- your engine: a function for each task. A task that is not here is never asked, and the
# report says no more than that; name it, and you can say what is missing.
TASKS: dict[str, Task] = {
    "legal": legal, "perft": not_yet, "settle": not_yet, "check": not_yet, "list": not_yet,
}  # fmt: skip


def answer(
    said: Json, tables: Json, engine: Json, rules: list[str], tasks: dict[str, Task]
) -> Json:
    """Return the answer to a message; `tables` are kept from one `rules` to the next."""
    match said.get("cmd"):
        case "start":
            return {"protocol": 1, "engine": engine, "rules": rules, "tasks": list(tasks)}
        case "rules":
            # <- your engine: where it has these rules of its own, look at said["name"]; what it
            # cannot play is {"skipped": True, "message": "..."} here too
            tables.clear()
            tables.update(said["tables"])
            return {"ok": True}
        case "run":
            if not tables:
                raise ValueError("a case before any rules")
            if said["task"] not in tasks:
                raise Skip(f"no task {said['task']!r}")
            return {"seq": said["seq"], "result": tasks[said["task"]](said["input"], tables)}
    raise ValueError(f"unknown message {said.get('cmd')!r}")


def serve(engine: Json, rules: list[str], tasks: dict[str, Task]) -> None:
    """Answer a line with a line until `stop`, or until the input ends.

    Nothing else may be printed to stdout; for logs there is stderr. Whatever is wrong with a
    message is answered too, as an `error`: an engine that dies takes the run's time.
    """
    tables: Json = {}
    for line in sys.stdin.buffer:  # bytes: whatever the locale, JSON is UTF-8
        said: Any = None
        try:
            said = json.loads(line)
            if not isinstance(said, dict):
                raise ValueError("the message is no JSON object")
            if said.get("cmd") == "stop":
                return
            reply = answer(said, tables, engine, rules, tasks)
        except Skip as skip:
            reply = {"seq": said["seq"], "skipped": True, "message": str(skip)}
        except Exception as error:  # a fault of one case, and the next one is answered
            seq = said.get("seq", 0) if isinstance(said, dict) else 0
            seq = seq if isinstance(seq, int) and seq >= 0 else 0
            reply = {"seq": seq, "error": {"message": f"{type(error).__name__}: {error}"[:500]}}
        sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
        sys.stdout.buffer.flush()  # without it the runner waits for what lies in a buffer


if __name__ == "__main__":
    serve(ENGINE, RULES, TASKS)
