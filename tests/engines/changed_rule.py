"""An engine with one changed rule: `changed_rule.py TAG` keeps the protocol as ours does."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from skatspec.conformance.serve import serve
from tests.mutants import MUTANTS
from tests.mutants_matrix import applied

if __name__ == "__main__":
    with applied(MUTANTS[sys.argv[1]]):
        serve(sys.stdin.buffer, sys.stdout.buffer)
