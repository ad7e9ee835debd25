"""Findings as values: where, which code, what was read and what was expected.

Floor 0: nothing here knows records, rules or formats. The catalogue of codes is
codes.yaml; its severities are defaults that a rule profile may override.
"""

from skatspec.diagnostics.catalog import CodeEntry, catalog, entry, message, resolve
from skatspec.diagnostics.model import (
    Diagnostic,
    Severity,
    Span,
    Verdict,
    finding,
    span_at,
)

__all__ = [
    "CodeEntry",
    "Diagnostic",
    "Severity",
    "Span",
    "Verdict",
    "catalog",
    "entry",
    "finding",
    "message",
    "resolve",
    "span_at",
]
