"""Variants: what the order does not know, a module each, with its facts in `Tables.variants`."""
