"""Replay a schedule by its seed: `python -m simulation 1234`; or run many: `… 0 2000`."""

from __future__ import annotations

import sys
import time

from simulation.schedule import run


def main(first: int, count: int | None) -> int:
    """Print a schedule's trace, or how many hold."""
    if count is None:
        outcome = run(first, tracing=True)
        print("\n".join(outcome.trace))
        print(f"\n{outcome.moves} moves, {outcome.steps} steps, {outcome.starts} starts,", end=" ")
        print(outcome.broken or "all holds")
        return 1 if outcome.broken else 0
    began, broken = time.perf_counter(), 0
    for seed in range(first, first + count):
        outcome = run(seed)
        if outcome.broken:
            broken += 1
            print(f"seed {seed}: {outcome.broken}", flush=True)
    spent = time.perf_counter() - began
    print(f"{count} schedules in {spent:.1f} s, {broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.unraisablehook = lambda _: None  # what was never ended falls apart
    numbers = [int(word) for word in sys.argv[1:3]]
    sys.exit(main(numbers[0], numbers[1] if len(numbers) > 1 else None))
