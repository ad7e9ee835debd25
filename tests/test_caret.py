"""A source line with carets under the place: what stands above the carets is what was meant."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatspec.diagnostics import Span
from skatspec.diagnostics.caret import caret


@pytest.mark.parametrize(
    ("line", "span", "expected"),
    [
        ("  F: CJ SX HA", (9, 11), "  F: CJ SX HA\n        ^^"),
        ("\tF: CJ SX", (8, 10), "        F: CJ SX\n              ^^"),
        ("ab\tSX", (4, 6), "ab      SX\n        ^^"),
        ("漢字 SX", (4, 6), "漢字 SX\n     ^^"),
        ("漢字 SX", (2, 3), "漢字 SX\n  ^^"),
        ("e\u0301e\u0301 SX", (6, 8), "e\u0301e\u0301 SX\n   ^^"),
        ("abc", (4, 5), "abc\n   ^"),
        ("abc\r\n", (1, 99), "abc\n^^^"),
        ("", (1, 2), "\n^"),
        ("a\x1b[31mb\u202ec", (3, 4), "a\ufffd[31mb\ufffdc\n  ^"),
    ],
)
def test_the_carets_stand_under_the_place(line: str, span: tuple[int, int], expected: str) -> None:
    assert caret(line, Span(1, *span)) == expected


def test_a_long_line_is_cut_around_the_place() -> None:
    line = "x" * 500 + "HERE" + "y" * 500
    shown, marks = caret(line, Span(1, 501, 505), width=40).split("\n")
    assert len(shown) == 40
    assert shown.startswith("…x")
    assert shown.endswith("y…")
    at = marks.index("^")
    assert shown[at : at + marks.count("^")] == "HERE"


def test_a_mark_longer_than_the_line_can_show_is_cut() -> None:
    shown, marks = caret("x" * 1000, Span(1, 1, 1001), width=40).split("\n")
    assert len(shown) <= 40
    assert len(marks) <= 40


@given(st.text(max_size=300), st.integers(1, 320), st.integers(0, 50), st.integers(10, 120))
def test_two_lines_that_fit_whatever_the_line(text: str, start: int, size: int, width: int) -> None:
    line = text.replace("\n", " ").replace("\r", " ")
    shown, marks = caret(line, Span(1, start, start + size), width).split("\n")
    assert set(marks) <= {" ", "^"}
    assert marks.endswith("^")
    assert all(unicodedata.category(char) not in ("Cc", "Cs") for char in shown)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in shown)
    assert len(marks) <= width + 1
    assert (
        len([c for c in shown if unicodedata.category(c) not in ("Mn", "Me")]) + wide <= width + 8
    )
