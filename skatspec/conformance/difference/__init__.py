"""An engine against skatspec on made-up games, until both differ; shrinking what differs."""
