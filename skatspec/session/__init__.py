"""Lists, matches and standings (floor 5)."""
