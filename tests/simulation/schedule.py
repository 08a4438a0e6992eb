"""One schedule: a place, its people, all that goes wrong, and what must hold in the end."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from pelagos.engine.game import games
from simulation.disk import InMemory
from simulation.people import Host, Person, Player
from simulation.truth import Truth
from simulation.world import Faults, Moment, World, simulated

MOST_SECONDS = 600.0
"""Of virtual time: by then every table is over."""
SETTLING = 4.5
"""Seconds after the last move in which all processes have heard of it."""
ON_FILE = 100
"""Every so many schedules the database is a file, and its thread a real one."""
OTHER_GAMES = 50
"""Every so many schedules a real game is played, one after the other; else the tests' own."""
FROM_THE_START = 12
"""Every so many schedules begin with laying the table; the others in the middle of a game."""
SMALL = "minnows"
BEGUN = 12
"""Games that others go on from."""
LAST_COMMITS = range(2, 10)
"""How many commits before their end."""


@dataclass(frozen=True)
class Outcome:
    """What came of a schedule."""

    seed: int
    broken: str
    steps: int
    seconds: float
    moves: int
    twins: int
    starts: int
    trace: list[str] = field(default_factory=list)


def run(seed: int, tracing: bool = False) -> Outcome:
    """Run a schedule: the same seed, the same schedule."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        draws = random.Random(f"{seed}/kind")
        others = sorted(set(games()) - {SMALL})
        game, since = SMALL, None
        if seed % OTHER_GAMES == 7:
            game = others[seed // OTHER_GAMES % len(others)]
        elif seed % FROM_THE_START:
            moments = _begun(draws.randrange(BEGUN))
            since = moments[-min(draws.choice(LAST_COMMITS), len(moments))]
        with simulated(World(seed, tracing, seed % ON_FILE == 3, since)) as world:
            if since is not None:
                people = _resume(world, since)
            elif game == SMALL:
                people = _gather(world, game, draws.choice((1, 1, 2)), again=0.1)
            else:
                people = _gather(world, game)
            _run(world, people)
            truth = world.truth
            return Outcome(
                seed,
                truth.broken,
                world.loop.steps,
                world.loop.now,
                sum(entry["do"] == "move" for log in truth.logs.values() for entry in log),
                truth.twins,
                sum(process.starts for process in world.processes),
                world.trace or [],
            )
    finally:
        if collecting:
            gc.enable()
        if seed % 50 == 0:
            gc.collect()
            gc.freeze()  # what outlives it is there for good: the next time it isn't gone through


def _run(world: World, people: list[Person], each: Callable[[], None] = lambda: None) -> None:
    """Let them play to the end; `each` is called after every step."""
    truth = world.truth

    def all_over() -> bool:
        each()
        if world.loop.steps % 8:
            return bool(truth.broken)
        return bool(truth.broken) or (all(person.done for person in people) and truth.all_over())

    for process in world.processes:
        process.start()
    for person in people:
        person.begin()
    if not world.run(all_over, world.loop.now + MOST_SECONDS) and not truth.broken:
        waiting = [person.actor.name for person in people if not person.done]
        truth.fail(f"after {world.loop.now:.0f} seconds {', '.join(waiting) or 'bots'} still play")
    world.faults.calm = True
    until = world.loop.now + SETTLING
    if not truth.broken:
        world.run(lambda: world.loop.now >= until, until + 1.0)
    if world.loop.errors:
        truth.fail(f"a callback raised {world.loop.errors[0]!r}")
    if not truth.broken:
        truth.check_end()


def _gather(world: World, game: str, tables: int = 1, again: float = 0.0) -> list[Person]:
    """Who plays: people, bots, or both; `again`: how probably they play twice."""
    people: list[Person] = []
    for number in range(tables):
        most = games()[game].players[-1]
        seats = world.draws.choice((2, 2, 2, 3)) if most > 2 else most
        bots = world.draws.choice((0, 0, 0, 1, 1, seats)) if seats > 1 else 0
        wishes = [{"kind": "open"}] * (seats - bots) + [{"kind": "bot", "bot": "winkle"}] * bots
        body = {
            "game": game,
            "options": {"players": seats},
            "seats": wishes,
            "pace": "quick" if world.draws.random() < 0.2 else "free",
            "listed": world.draws.random() < 0.5,
        }
        host = Host(world, f"host {number}", body)
        rounds = 2 if world.draws.random() < again else 1
        people.append(host)
        for seat in range(seats - bots):
            people.append(Player(world, f"player {number}.{seat}", host, seat, rounds))
    return people


def _resume(world: World, since: Moment) -> list[Person]:
    """Those who sat at the table go on."""
    host = Host(world, "host 0", {})
    host.table.set_result(world.truth.laid[0])
    return [
        Player(world, f"player 0.{seat}", host, seat, token=token)
        for seat, token in enumerate(since.tokens)
        if token
    ]


def prepare() -> None:
    """Play the games that others go on from."""
    for number in range(BEGUN):
        _begun(number)


@cache
def _begun(number: int) -> list[Moment]:
    """A game in which nothing went wrong, after each of its commits."""
    moments: list[Moment] = []
    with simulated(World(f"begun {number}")) as world:
        world.faults = Faults(random.Random(number))
        people = _gather(world, SMALL)
        players = [person for person in people if isinstance(person, Player)]
        lengths = [0]

        def look() -> None:
            length = sum(len(log) for log in world.truth.logs.values())
            if length == lengths[-1] or not world.truth.is_begun():
                return
            if not all(player.token for player in players):
                return
            lengths.append(length)
            assert isinstance(world.medium, InMemory)
            kept = Truth(world)
            kept.go_on_from(world.truth)
            tokens = tuple(player.token for player in players)
            moments.append(Moment(world.loop.now, world.medium.content(), kept, tokens))

        _run(world, people, look)
        assert not world.truth.broken, world.truth.broken
    return moments[:-1]
