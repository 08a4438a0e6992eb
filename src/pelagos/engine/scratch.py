"""Room for numbers that a rule needs while it runs: nothing is allocated, so it is to be had in a
browser too. What the numbers are at first, nobody says.

`whole_numbers(SIZE)`, `real_numbers(SIZE)`: an array of so many; the size is a constant.
"""

from __future__ import annotations

from pelagos.engine.rule import machine

whole_numbers, real_numbers = machine.scratch()
