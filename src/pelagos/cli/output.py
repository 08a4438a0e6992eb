"""Where commands write: what was asked for, and everything else."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(data: Any) -> None:
    """One JSON value on standard output."""
    print(json.dumps(data, ensure_ascii=False))
