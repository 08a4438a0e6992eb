"""What a thread would do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


async def run_sync(call: Callable[..., Any], *arguments: Any) -> Any:
    """Call it at once."""
    return call(*arguments)
