"""A process that analyses one finished game, at the lowest priority, a round whenever it may.

It reads from standard input a line with the record and, if there is one, an older analysis; then
for each further line it works for a round, and writes the analysis as a line. It ends with its
input, or when there is nothing more to find out.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from typing import Any

import orjson

PARENT_DEATH_SIGNAL = 1
"""Linux' number of the process option that sends a signal when the parent ends."""
LOWEST = 19
"""As nice as a process can be."""


def end_with_parent() -> None:
    """End when the server is killed, even while standing still; where the system knows how."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):
            ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)


def main() -> None:
    """Analyse what is asked for."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(LOWEST)
    end_with_parent()
    from pelagos.coach import analyse, check
    from pelagos.engine import record as records
    from pelagos.engine.errors import PelagosError

    told = orjson.loads(sys.stdin.buffer.readline())
    match, older = records.replay(told["record"]), told["analysis"]
    if older is not None:
        try:
            check(older, match)
        except PelagosError:  # another version's: begin anew
            older = None
    rounds = analyse(match, threads=told["threads"], resume=older)
    while sys.stdin.buffer.readline():
        analysis: dict[str, Any] | None = next(rounds, None)
        if analysis is None:
            return
        sys.stdout.buffer.write(orjson.dumps(analysis) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
