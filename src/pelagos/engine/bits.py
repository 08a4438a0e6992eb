"""Sets as masks: the lowest of their members, and how many there are.

Compilers know both for the single instruction that a processor has for them.
"""

from __future__ import annotations

from pelagos.engine.rule import rule


@rule
def count_of(mask: int) -> int:
    """How many bits are set."""
    pairs = mask - ((mask >> 1) & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + ((pairs >> 2) & 0x3333333333333333)
    bytes_ = (fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bytes_ * 0x0101010101010101) >> 56) & 0xFF


@rule
def first_of(mask: int) -> int:
    """The place of the lowest bit that is set: as many bits are below it."""
    return count_of((mask & -mask) - 1)
