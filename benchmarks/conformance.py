"""What a run of the suite costs: the whole of it, and what the runner adds to each question.

    python -m benchmarks.conformance

Prints figures of one run; the ratios are what tells, the seconds are this machine's.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from skatspec.conformance.cases import load_suite
from skatspec.conformance.runner import Options, run

SERVE = [sys.executable, "-m", "skatspec", "conform", "serve"]
# An engine that does nothing: what is left is the runner, the pipes and a JSON parser.
IDLE = """\
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["cmd"] == "start":
        out = {"protocol": 1, "engine": {"name": "idle", "version": "1", "language": "Python"},
               "rules": RULES, "tasks": ["legal", "check", "settle", "list", "perft"]}
    elif said["cmd"] == "rules":
        out = {"ok": True}
    elif said["cmd"] == "run":
        out = {"seq": said["seq"], "result": {}}
    else:
        break
    sys.stdout.write(json.dumps(out) + "\\n")
    sys.stdout.flush()
"""
TIMES = 5


def mebibytes(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / 1024


def main() -> None:
    suite = load_suite().cases
    questions = sum(len(case.rules) for case in suite)
    print(f"{len(suite)} cases, {questions} questions")
    for jobs in (1, 2):
        outcome = run(SERVE, suite, Options(jobs=jobs))
        assert outcome.is_green
        print(f"whole suite against serve, {jobs} job(s): {outcome.seconds:.1f} s", end="; ")
        own = outcome.seconds - outcome.waited / jobs
        print(f"not spent waiting: {own / questions * 1000:.2f} ms a question")
    print(f"largest engine: {mebibytes(resource.RUSAGE_CHILDREN):.0f} MiB")
    rules = sorted({name for case in suite for name in case.rules})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "idle.py")
        path.write_text(IDLE.replace("RULES", repr(rules)))
        idle = run([sys.executable, str(path)], suite)
        print(f"an idle engine: {idle.seconds / questions * 1000:.2f} ms a question, all in all")
        before = mebibytes(resource.RUSAGE_SELF)
        many = [replace(case, id=f"{case.id}-{n}") for n in range(TIMES) for case in suite]
        run([sys.executable, str(path)], many)
    after = mebibytes(resource.RUSAGE_SELF)
    print(f"runner: {before:.0f} MiB after one suite, {after:.0f} MiB after {TIMES} in one run")


if __name__ == "__main__":
    main()
