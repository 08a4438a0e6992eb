"""Oceanos, told in stories."""
