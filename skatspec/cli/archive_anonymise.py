"""`skatspec archive anonymise`: the same as `skatspec list anonymise`, for archives."""

from __future__ import annotations

from skatspec.cli.list_anonymise import anonymise_command

command = anonymise_command("archive", "games.sgf.bz2", "Pseudonyms for names, and back.")
