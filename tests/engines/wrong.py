"""An engine that keeps the protocol but for one way of being wrong: `wrong.py WAY`.

It answers every case of the task `legal` with the one card it always plays, unless its way
says otherwise; no rule of the game stands here.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

WAY = sys.argv[1]
STATE = Path(sys.argv[2]) if len(sys.argv) > 2 else None
THIRD = 3


def say(said: Any) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def version() -> str:
    """Return a version, another one at each start where that is the fault."""
    if WAY != "another-version" or STATE is None:
        return "1.0"
    STATE.write_text(STATE.read_text() + "x" if STATE.exists() else "x")
    return f"1.{len(STATE.read_text())}"


def started() -> dict[str, Any]:
    said = {
        "protocol": 2 if WAY == "protocol-2" else 1,
        "engine": {"name": "wrong", "version": version(), "language": "Python"},
        "rules": ["isko"],
        "tasks": ["legal"],
    }
    if WAY == "no-name":
        del said["engine"]
    return said


def answer(seq: int) -> None:
    right = {"seq": seq, "result": {"cards": ["S7"]}}
    match WAY:
        case "silent-at-third" if seq == THIRD:
            time.sleep(600)
        case "slow":
            time.sleep(0.2)
            say(right)
        case "crash-at-third" | "another-version" if seq == THIRD:
            sys.stderr.write("the third case is too much\n")
            os._exit(70)
        case "always-crash":
            os._exit(70)
        case "closes-stdout" if seq == THIRD:
            os.close(1)
            time.sleep(600)
        case "flood" if seq == THIRD:
            while True:
                raw(b"x" * 65536)
        case "flood-of-lines" if seq == THIRD:
            while True:
                raw(b'{"seq": 3}\n' * 4096)
        case "bad-json" if seq == THIRD:
            raw(b"thinking ...\n")
        case "a-number" if seq == THIRD:
            raw(b"17\n")
        case "not-a-number" if seq == THIRD:
            raw(b'{"seq": NaN}\n')
        case "deep" if seq == THIRD:
            raw(b"[" * 200_000 + b"\n")
        case "bad-utf8" if seq == THIRD:
            raw(b'{"seq": 3, "result": {"cards": ["J\xfcrgen"]}}\n')
        case "wrong-shape" if seq == THIRD:
            say({"seq": seq, "cards": ["S7"]})
        case "result-and-error" if seq == THIRD:
            say({**right, "error": {"message": "both"}})
        case "twice" if seq == THIRD:
            say(right)
            say(right)
        case "twice-late" if seq == THIRD + 1:
            say({**right, "seq": THIRD})
        case "twice-at-the-end":
            say(right)
            if seq == int(os.environ["LAST"]):
                say(right)
        case "wrong-number" if seq == THIRD:
            say({**right, "seq": 99})
        case "error" if seq == THIRD:
            say({"seq": seq, "error": {"message": "KeyError: 'null'"}})
        case "skips":
            say({"seq": seq, "skipped": True, "message": "not today"})
        case "stderr":
            sys.stderr.write("a warning\n")
            say(right)
        case "hoards" if seq == THIRD:
            hoard = bytearray(400 << 20)
            time.sleep(600)
            say({**right, "hoard": len(hoard)})
        case _:
            say(right)


def main() -> None:
    if WAY == "silent":
        time.sleep(600)
    if WAY == "ends-at-once":
        sys.exit("no")
    for line in sys.stdin:
        asked = json.loads(line)
        match asked["cmd"]:
            case "start":
                say(started())
            case "rules" if WAY == "refuses-rules":
                say({"skipped": True, "message": "I play by my own"})
            case "rules":
                say({"ok": True} if WAY != "wrong-ruled" else {"ok": "yes"})
            case "run":
                answer(asked["seq"])
            case "stop" if WAY == "stays":
                time.sleep(600)
            case "stop" if WAY == "leaves-with-3":
                sys.exit(3)
            case "stop":
                return


if __name__ == "__main__":
    main()
