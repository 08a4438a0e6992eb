"""Ozeanien's table: the sea chart."""
