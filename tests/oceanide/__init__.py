"""Océanide, told in stories."""
