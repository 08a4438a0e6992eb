"""Where games are played: in this process, in several, or on a Ray cluster.

Each way is a function `(plan, fixtures) -> games as they end`, and all play the same games: a game
is a function of its plan and fixture (with a budget of simulations, to the last move).
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import Any

from pelagos.arena.matches import Played, get_ready, play
from pelagos.arena.plan import Fixture, Plan
from pelagos.arena.tournament import Work
from pelagos.engine.errors import PelagosError, text

AHEAD = 3
"""Games handed out for each worker before their turn."""

Games = Iterator[Played]


def here(plan: Plan, fixtures: Sequence[Fixture]) -> Games:
    """One after the other, in this process."""
    for fixture in fixtures:
        yield play_warm(plan, fixture)


@contextmanager
def processes(plan: Plan, count: int) -> Iterator[Work]:
    """Several processes of this machine; they live as long as the context."""
    if count == 1:
        yield here
        return
    pool = ProcessPoolExecutor(
        count, multiprocessing.get_context("spawn"), initializer=_ignore_interrupts
    )
    try:
        yield lambda _, fixtures: _through(pool, plan, count, fixtures)
    finally:
        workers = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()


def _ignore_interrupts() -> None:
    """The keyboard's interrupt is for the parent to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_warm(plan: Plan, fixture: Fixture) -> Played:
    """Play one game, the first one of a process after warming up."""
    get_ready(plan)
    return play(plan, fixture)


def _through(
    pool: ProcessPoolExecutor, plan: Plan, count: int, fixtures: Sequence[Fixture]
) -> Games:
    left = iter(fixtures)
    running: set[Future[Played]] = {
        pool.submit(play_warm, plan, fixture) for fixture in islice(left, AHEAD * count)
    }
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        running |= {pool.submit(play_warm, plan, fixture) for fixture in islice(left, len(done))}
        for future in done:
            yield future.result()


@contextmanager
def cluster(plan: Plan) -> Iterator[Work]:
    """A Ray cluster: the one that RAY_ADDRESS names, or one of this machine's cores."""
    try:
        ray: Any = import_module("ray")
    except ModuleNotFoundError:
        raise PelagosError(text("arena/refuse.no_ray")) from None
    started = not ray.is_initialized()
    if started:
        ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield lambda _, fixtures: _through_ray(ray, plan, fixtures)
    finally:
        if started:
            ray.shutdown()


def _through_ray(ray: Any, plan: Plan, fixtures: Sequence[Fixture]) -> Games:
    remote: Callable[..., Any] = ray.remote(max_retries=3)(play_warm).remote
    shared = ray.put(plan)
    cores = int(ray.cluster_resources().get("CPU", 1))
    left = iter(fixtures)
    running = [remote(shared, fixture) for fixture in islice(left, AHEAD * cores)]
    while running:
        done, running = ray.wait(running, num_returns=1)
        running += [remote(shared, fixture) for fixture in islice(left, len(done))]
        yield from ray.get(done)
