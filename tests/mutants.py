"""All mutants by the tag of the rule they change: one changed rule each.

The tags and the rules in words stand in `records/TAGS.yaml`; what a mutant is, and how the
cases that notice it are found, in `mutants_matrix.py`.
"""

from __future__ import annotations

from tests import (
    mutants_cards,
    mutants_play,
    mutants_settling,
    mutants_tables,
    mutants_variants,
)

MUTANTS = {
    **mutants_cards.MUTANTS, **mutants_tables.MUTANTS, **mutants_play.MUTANTS,
    **mutants_settling.MUTANTS, **mutants_variants.MUTANTS,
}  # fmt: skip
