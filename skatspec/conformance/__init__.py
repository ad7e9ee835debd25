"""Holding programs against the rules: made-up games, and later the suite and its runner."""
