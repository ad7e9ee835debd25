"""What the kernel answers with, as numbers: statuses, codes, figures, and text it points at.

No heavy import stands here: who only wants to know what a number means need not have Numba.
"""

from __future__ import annotations

# A record's status: one of these two, or an index (2 and above) into `CODES`.
CONSISTENT, NOT_MINE = 1, -1
CODES = (
    "", "",
    "R001", "R004",
    "B001", "B002", "B003", "B004", "B005", "B006", "B007", "B008", "B009",
    "D001", "D002", "D003", "D005", "D006", "D007", "D008", "D009", "D010", "D012", "D013",
    "P001", "P002", "P003", "P004", "P005", "P006", "P008", "P010", "P011",
    "S001", "S002", "S003", "S004", "S005", "S006", "S007", "S008", "S009", "S010", "S011",
    "S012", "S013", "S014", "S015", "S016", "S018",
)  # fmt: skip
(
    R001, R004,
    B001, B002, B003, B004, B005, B006, B007, B008, B009,
    D001, D002, D003, D005, D006, D007, D008, D009, D010, D012, D013,
    P001, P002, P003, P004, P005, P006, P008, P010, P011,
    S001, S002, S003, S004, S005, S006, S007, S008, S009, S010, S011,
    S012, S013, S014, S015, S016, S018,
) = range(2, len(CODES))  # fmt: skip

# What no figure can be: the record leaves it open, or it has none.
NONE = -0x8000_0000
# The columns of `figures`.
(
    DECLARER, CONTRACT, MODIFIERS, BID, MATADORS, POINTS, TRICKS, VALUE, SCORE, RECORDED,
) = range(10)  # fmt: skip
FIGURES = 10
# The pairs of columns of `spans`: values of these properties, begin and end.
SPANNED = ("ID", "DT", "P0", "P1", "P2")
# A longer line is not read here.
MOST_BYTES = 1 << 20
# So many bytes must follow a line in memory, since words of eight bytes are read.
PADDING = 64
