"""Processes beside others: they end with who began them, and don't do the same work twice."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

PARENT_DEATH_SIGNAL = 1
"""Linux' number of the process option that sends a signal when the parent ends."""
LOWEST = 19
"""As nice as a process can be."""


def end_with_parent(parent: int = 0) -> None:
    """End when the parent is killed, even while standing still; where the system knows how. With
    the parent's number also if that has happened already.
    """
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):
            ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if parent and os.getppid() != parent:
            sys.exit(1)


def be_nice() -> None:
    """Let everybody else go first."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(LOWEST)


@contextlib.contextmanager
def alone(file: Path) -> Iterator[None]:
    """Wait until no other process is inside with this file; who is killed there leaves, too."""
    try:
        import fcntl
    except ImportError:  # Windows: the same work may be done twice there
        yield
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
