"""The scalar engine (floor 3): replays records against tables and settles them. No formats."""
