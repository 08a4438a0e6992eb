"""`@rule`: one source, three speeds.

A rule is a small typed function on a game's state. It is compiled by numba; with
PELAGOS_INTERPRETED=1 in the environment it stays plain Python, and NumPy's overflows are errors.
The same functions, unchanged, are called from GPU kernels (see `gpu`).

What rules run on is a module that is named, not imported: whoever reads rules alone (views,
stories, notation) needs neither NumPy nor a compiler.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from pelagos.engine.types import Array

F = TypeVar("F", bound=Callable[..., Any])

machine: Any = import_module(os.environ.get("PELAGOS_MACHINE", "pelagos.engine.compiled"))

INTERPRETED: bool = machine.INTERPRETED
uint64: Any = machine.uint64
"""The type of the random stream's words."""
uint32: Any = machine.uint32
compiled_now: list[str] = machine.compiled_now
"""The rules that this process had to compile, in order."""
watch_compiling = machine.watch_compiling
"""`with watch_compiling(listener)`: tell it the name of every rule as its compiling starts."""


def rule(function: F) -> F:
    """Compile a rule."""
    return cast(F, machine.compile_rule(function))


def hot_rule(function: F) -> F:
    """Compile a rule in which a process spends its time: nothing in it is shared with other rules.

    It takes seconds longer to compile, and runs up to a fifth faster. Python calls it, no other
    rule.
    """
    return cast(F, machine.compile_hot(function))


def is_rule(function: Callable[..., Any]) -> bool:
    """Can rules use this function? Interpreted, they can use any."""
    return INTERPRETED or hasattr(function, "py_func")


def wrapping_rule(function: F) -> F:
    """Compile a rule whose unsigned arithmetic wraps around on purpose (the random stream)."""
    return cast(F, machine.compile_wrapping(function))


def constants(values: Any, kind: str = "int64") -> Array:
    """A table of numbers that rules look things up in; it can't be changed."""
    return cast("Array", machine.constants(values, kind))
