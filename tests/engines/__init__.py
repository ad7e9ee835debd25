"""Engines that are wrong on purpose."""
