"""The folder of real records and known answers that some tests use; they skip without it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(
    os.environ.get("SKATSPEC_SHARED") or Path(__file__).resolve().parents[1].parent / "shared"
)
needs_shared = pytest.mark.skipif(
    not (SHARED / "data").is_dir(),
    reason=f"the folder of real records is missing ({SHARED}); set SKATSPEC_SHARED",
)
