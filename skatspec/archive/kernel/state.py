"""The state of one record in the kernel, one number each, and the phases and ends in it."""

from __future__ import annotations

from skatspec.archive.kernel.answers import FIGURES, SPANNED

FINE, NOBODY = 0, -1

# How far the record is, the auction, the declaration.
(
    PHASE, STATE, LAST, CALLS, PASSED_SEATS, DECLARER, BIDDEN, CONTRACT_AT, MODS, PICKED,
    JUST_TOOK, TOOK_AT, DISCARDED,
) = range(13)  # fmt: skip
# The trick on the table, the hands, the cards aside.
PLAYING, TURN, LEADER, ON_TABLE, C0, C1, C2, H0, H1, H2, SKAT = range(13, 24)
# What was won, how it ended, the declarer's offer to give up, his twelve cards, and where
# something is wrong (`AT`) or the moves end (`BEHIND_AT`).
(
    TRICKS, OWN_TRICKS, OWN, OTHER, ENDED, ENDED_BY, RESIGNED, TIMED_OUT, LEFT, PENALIZED,
    OFFERED, TWELVE, AT, BEHIND_AT, FIELDS,
) = range(24, 24 + 15)  # fmt: skip
# What the game came to (settle.py); a flag that is not judged is `ANY`.
(
    VALUE, WON, SCORE, MATADORS, OVERBID, POINTS, TAKEN, SCHNEIDER_FLAG, SCHWARZ_FLAG,
) = range(FIELDS, FIELDS + 9)  # fmt: skip
ANY = 2
# What the result states (syntax.py), a number a field in the order in which engine/compare.py
# looks at them, and as many places on their places in the text; the place of the result.
SAYS = FIELDS + 9
STATED = 13
RESULT_AT = SAYS + 2 * STATED
# Which fields it does not state, bits.
UNSAID = RESULT_AT + 1
# The figures and spans of a consistent record (answers.py); what views.py tells.
ANSWERS = UNSAID + 1
TEXTS = ANSWERS + FIGURES
VIEW_END, VIEW_PLAYED = TEXTS + 2 * len(SPANNED), TEXTS + 2 * len(SPANNED) + 1
SIZE = VIEW_PLAYED + 1
# Phases; before the deal it is 0.
IN_AUCTION, BEHIND = 1, 2
# How a record ended.
(
    OPEN, PASSED, PLAYED_OUT, NULL_LOST, SCHNEIDER_MISSED, SCHWARZ_MISSED, GAVE_UP, TIME_OUT,
    WENT, PENALTY, LOST_AT_ONCE,
) = range(11)  # fmt: skip
