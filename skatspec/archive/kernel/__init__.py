"""Tier 1: the kernel, which decides ISS records over raw bytes; compiled with Numba.

From the outside only `decide` (the kernel), `answers` (what its numbers mean) and `gather`
(texts to columns) are used. A line goes through `lines` (which records there are), `head`
(properties), `moves` with `play`, `declaring`, `tricks` and `views` (the replay, `syntax` for
what may stand where), `settle` (what it came to) and `result` (what it says it came to).
`flat` turns a profile's tables into the one array that all of them read.
"""
