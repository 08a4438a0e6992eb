"""In what networks tell points: whole numbers that are fine enough."""

from __future__ import annotations

UNIT_BITS = 10
UNIT = 1 << UNIT_BITS
"""A point, in what a network says."""
PERCENT = 100
POINT = UNIT * PERCENT
"""A point, in a value."""
