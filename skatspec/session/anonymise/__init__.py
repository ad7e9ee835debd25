"""Names of players to stable pseudonyms, and back (docs/anonymise.md).

`engine` is what happens to a file, `files` opens and writes them, and the other modules say
where names stand in each format.
"""
