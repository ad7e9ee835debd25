"""Tests of skatspec; each is named after what it shows."""
