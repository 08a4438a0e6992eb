"""What is said when a library isn't installed."""

from __future__ import annotations

from pelagos.engine.errors import PelagosError, text


class MissingExtra(PelagosError, ImportError):
    """A door whose library isn't installed."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(text("envs/refuse.extra", library=library, extra=extra))
