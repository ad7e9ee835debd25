"""XSkat 4.0: its logs and its lists, as they stand in the files.

`blocks` reads a log into faithful blocks (`values`), found among the lines by `frames`;
`lists` reads a list and joins it to its log; `words` holds the vocabulary and `rows` the
columns. Nothing here knows a rule, a value or a Record: which tricks, which discard and
which game a block means is mapped by later modules.
"""
