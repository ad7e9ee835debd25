"""Runs the command line inside the test process; the records that its tests are about."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from skatspec.cli import main

# Hearts with 2, won with 73 points: 30.
GOOD = """\
%skat 1
[Id "good"] [Rules "isko"]
[F "Anna"] [M "Ben"] [R "Cem"]

deal
  F: CJ SJ HQ H9 H8 CA C8 SQ DQ D8
  M: HA HK CT CK SA SK S9 DA DT DK
  R: HJ DJ HT CQ C9 C7 ST S8 D9 D7
  skat: H7 S7
auction
  M 18, F yes, M 20, F yes, M pass, R pass
contract
  F takes the skat, discards SQ DQ, hearts
play
  1. F: CJ HK DJ
  2. F: SJ HA HJ
  3. F: CA CK C7
  4. F: S7 S9 ST
  5. R: S8 HQ SK
  6. F: D8 DK D7
  7. M: DA D9 H7
  8. F: C8 CT CQ
  9. M: SA C9 H8
  10. F: H9 DT HT
result
  F won 30, points 73, tricks 6, with 2
"""
WRONG_SCORE = GOOD.replace('"good"', '"wrong"').replace("won 30", "won 40")
REVOKE = GOOD.replace('"good"', '"revoke"').replace("1. F: CJ HK DJ", "1. F: CJ CT DJ")
HIDDEN = " ".join(["??"] * 10)
# One player's view of a Hand game without its play: the hidden jacks decide the matadors.
NO_SKAT = (
    GOOD.replace('"good"', '"hidden"')
    .replace("HA HK CT CK SA SK S9 DA DT DK", HIDDEN)
    .replace("HJ DJ HT CQ C9 C7 ST S8 D9 D7", HIDDEN)
    .replace("skat: H7 S7", "skat: ?? ??")
    .replace("takes the skat, discards SQ DQ, hearts", "hearts hand")
    .split("play\n")[0]
    + "result\n  F won 40, points 73, tricks 6\n"
)
BROKEN = GOOD.replace('"good"', '"broken"').replace("1. F: CJ", "1. F: XX")


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """Standard output, line by line."""
        return self.out.splitlines()


Skatspec = Callable[..., Ran]


@pytest.fixture
def skatspec(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Skatspec:
    """Return a function that runs a command and hands back exit code and output."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def run(*args: object, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(arg) for arg in args])
        captured = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Ran(left.value.code, captured.out, captured.err)

    return run
