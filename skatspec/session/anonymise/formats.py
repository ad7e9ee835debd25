"""Which formats the names are known of: one entry a format.

An entry is a function from a file's lines (bytes with their ends) to units with their places
marked (`places`): `Names` where a name stands alone, `Text` where one may occur. It
must mark the same places in a file with pseudonyms as in the one with names, and joined, its
units must be the lines again. Nothing else has to be known for a further format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import cast

from skatspec.errors import InputError
from skatspec.session.anonymise.bytes import SHEET_CSV, SHEET_JSON
from skatspec.session.anonymise.engine import Anonymiser, Restorer
from skatspec.session.anonymise.places import Marker

# Format to the module whose `units` marks its places.
_MODULES = {
    "iss": "skatspec.session.anonymise.iss",
    "skat": "skatspec.session.anonymise.skat",
    "json": "skatspec.session.anonymise.records_json",
    "xskat": "skatspec.session.anonymise.xskat",
    SHEET_CSV: "skatspec.session.anonymise.sheet_csv",
    SHEET_JSON: "skatspec.session.anonymise.sheet_json",
}


def marker(name: str) -> Marker:
    """Return what marks the names of a format. Raises InputError E007 for one that has none."""
    if name not in _MODULES:
        raise InputError("E007", f"names in {name} cannot be replaced")
    return cast(Marker, import_module(_MODULES[name]).units)


def rewritten(
    lines: Iterable[bytes], format: str | None, work: Anonymiser | Restorer
) -> Iterator[bytes]:
    """Yield a file's lines, whole units at a time, as `work` leaves them.

    A file without a format holds nothing, and stays as it is. Raises InputError E007 for a
    format whose names are not known.
    """
    if format is None:
        yield from lines
        return
    for unit in marker(format)(lines):
        yield work.unit(unit)
