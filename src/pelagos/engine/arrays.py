"""States, packs and numbers in memory, as the machine that rules run on here has them.

Who makes or reads them asks here, and needs no NumPy for it: `numpy_arrays` and `plain_arrays` are
the two ways to do it, and the machine names one (see `rule`).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from pelagos.engine.fields import Fields
from pelagos.engine.game import Game
from pelagos.engine.rule import machine
from pelagos.engine.types import Array, Record

_module: Any = import_module(machine.ARRAYS)

new_states: Callable[[Game, int], Array] = _module.new_states
"""An array of empty states, of the kind that rules can read here."""
new_packs: Callable[[Fields], Array] = _module.new_packs
"""An array of one empty pack."""
new_records: Callable[[Fields, int], Array] = _module.new_records
"""An array of empty records of other fields."""
numbers: Callable[..., Array] = _module.numbers
"""`numbers(shape, kind="int64")`: an array of zeros."""
listed: Callable[..., Array] = _module.listed
"""`listed(values, kind="int64")`: an array of these whole numbers."""
in_a_row: Callable[[Array], Array] = _module.in_a_row
"""An array's numbers in one row, in the same memory."""
readable: Callable[[Array], Array] = _module.readable
"""The array as rules can read it."""
copy_of: Callable[[Array], Array] = _module.copy_of
"""An independent copy of states."""
in_memory: Callable[[Array, bytearray], Array] = _module.in_memory
"""States of the same kind that lie in this memory."""
record_of: Callable[..., Record] = _module.record_of
"""`record_of(states, index=0)`: one state as a record whose fields are attributes, sharing the
array's memory."""
