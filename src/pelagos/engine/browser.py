"""The machine that rules run on in a browser: no NumPy and no compiler, but the game's own module
of WebAssembly, compiled from the same rules (see `rule`).

Named by PELAGOS_MACHINE=pelagos.engine.browser. What readers ask of single rules is answered by
plain Python; every door, and the bots' choosing, by the module. A game whose module isn't there is
played by plain Python alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pelagos.engine.plain_arrays import Numbers, table_of

INTERPRETED = True
ARRAYS = "pelagos.engine.plain_arrays"


class Word(int):
    """An unsigned number whose arithmetic wraps around."""

    bits = 64

    def __mul__(self, other: int) -> Word:
        return self._wrapped(int(self) * int(other))

    def __add__(self, other: int) -> Word:
        return self._wrapped(int(self) + int(other))

    def __lshift__(self, other: int) -> Word:
        return self._wrapped(int(self) << int(other))

    def __rlshift__(self, other: int) -> Word:
        return self._wrapped(int(other) << int(self))

    __rmul__ = __mul__
    __radd__ = __add__

    @classmethod
    def _wrapped(cls, number: int) -> Word:
        return cls(number & ((1 << cls.bits) - 1))


class HalfWord(Word):
    """The same of 32 bits."""

    bits = 32


uint64 = Word
uint32 = HalfWord

compiled_now: list[str] = []
"""Nothing is compiled here."""


@contextmanager
def watch_compiling(listener: Callable[[str], None]) -> Iterator[None]:
    """There is nothing to tell of."""
    yield


def compile_rule(function: Callable[..., Any]) -> Any:
    """The rule as it is."""
    return function


compile_wrapping = compile_borrowing = compile_rule


def constants(values: Any, kind: str) -> Numbers:
    """A table of numbers that rules look things up in."""
    return table_of(values, kind)


def stream_words(digest: bytes) -> Numbers:
    """A stream's four words."""
    return Numbers(memoryview(bytearray(digest)).cast("Q"), (4,))
