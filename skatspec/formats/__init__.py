"""Record formats (floor 3): text to records and back. No format asks the engine."""
