"""Archives of millions: a compiled kernel that decides, and hands on what it does not (floor 5).

Needs the extra `archive` (Numba). No command uses the kernel yet.
"""
