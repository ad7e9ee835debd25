"""The list of an evening as CSV or JSON: read and written (docs/score-sheet.md).

A sheet is read as it stands, right or wrong: what cannot be read is a finding of the sheet.
"""

from __future__ import annotations

from skatspec.formats.score_sheet.read import looks_like, open_sheets, parse, read
from skatspec.formats.score_sheet.write import write_csv, write_json

__all__ = ["looks_like", "open_sheets", "parse", "read", "write_csv", "write_json"]
