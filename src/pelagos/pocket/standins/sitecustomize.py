"""Python runs this first in browsers, so that it makes nothing anew there that was made before.

Data classes and named tuples are written as text and compiled whenever they are imported, and
patterns are translated: nearly half of all importing. `pelagos site` starts Python once
(`pocket/ahead.mjs`) and keeps what was made on the way; what isn't among it is made as ever.
"""

from __future__ import annotations

import collections
import dataclasses
import marshal
import re
from pathlib import Path
from types import CodeType
from typing import Any

_translator: Any = re._compiler  # type: ignore[attr-defined]
_sre: Any = _translator._sre
KEPT = Path(__file__).with_name("made-ahead")


class Noting:
    """`_sre`, which notes what a pattern was translated to."""

    given: tuple[Any, ...] = ()

    def compile(self, pattern: Any, flags: int, code: list[int], *groups: Any) -> Any:
        """A pattern."""
        self.given = (pattern, int(flags), list(map(int, code)), *groups)  # numbers with names
        return _sre.compile(*self.given)

    def __getattr__(self, name: str) -> Any:
        """All else that the translator asks for."""
        return getattr(_sre, name)


class Ahead:
    """What was made of texts and patterns, here or before."""

    def __init__(self, kept: bytes = b"") -> None:
        self._texts: dict[tuple[str, str], CodeType]
        self._patterns: dict[tuple[Any, int], tuple[Any, ...]]
        self._texts, self._patterns = marshal.loads(kept) if kept else ({}, {})
        self._translate, self._noting = _translator.compile, Noting()

    def use(self) -> None:
        """Let Python's library ask here for what it would make."""
        replaced = {
            (_translator, "compile"): self.pattern,
            (_translator, "_sre"): self._noting,
            (dataclasses, "exec"): self.execute,
            (collections, "eval"): self.evaluate,
        }
        for (module, name), made in replaced.items():
            setattr(module, name, made)

    def kept(self) -> bytes:
        """All of it, for another time."""
        return marshal.dumps((self._texts, self._patterns))

    def execute(self, text: str, names: dict[str, Any], into: dict[str, Any]) -> None:
        """As Python's `exec`."""
        exec(self._code(text, "exec"), names, into)

    def evaluate(self, text: str, names: dict[str, Any]) -> Any:
        """As Python's `eval`."""
        return eval(self._code(text, "eval"), names)

    def pattern(self, pattern: Any, flags: int = 0) -> Any:
        """As `re`'s own translator."""
        key = (pattern, int(flags))
        if key in self._patterns:
            return _sre.compile(*self._patterns[key])
        made = self._translate(pattern, flags)
        self._patterns[key] = self._noting.given
        return made

    def _code(self, text: str, kind: str) -> CodeType:
        if (text, kind) not in self._texts:
            self._texts[text, kind] = compile(text, "<string>", kind, 0, True)
        return self._texts[text, kind]


if __name__ == "sitecustomize":
    made_ahead = Ahead(KEPT.read_bytes() if KEPT.is_file() else b"")
    made_ahead.use()
