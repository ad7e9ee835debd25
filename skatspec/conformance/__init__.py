"""The suite, its runner and protocol (floor 6).

`cases`, `answers`, `agreement`: what is asked, what we answer, how far an answer agrees.
`protocol`, `process`, `talk`, `runner`, `outcome`: an engine is asked. `serve` is the other end.
`generator` makes games up, `difference` holds an engine against skatspec on them.
"""
