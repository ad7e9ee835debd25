"""Made-up games: sound ones by the million, and ones with exactly one fault."""
