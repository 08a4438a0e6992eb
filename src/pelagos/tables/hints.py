"""Hints at tables: what the strongest bot would do, thought out where bots think.

A bot that somebody waits for comes first: whoever thinks about a hint then says what it has so far.
It thinks about what the seat itself knows (`bots.advise`), and nobody but the seat is told. A
browser that can think by itself is handed that, and its thoughts are only put into words here.
"""

from __future__ import annotations

import asyncio
import math
from base64 import b64encode
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pelagos.bots import ADVISER as ADVISER
from pelagos.bots import Budget, Thought, advise_soon, ask_advice
from pelagos.engine.errors import text
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.engine.view import Choice
from pelagos.tables import logs
from pelagos.tables.errors import Malformed, Stale, Unavailable
from pelagos.tables.service import OpenTable

if TYPE_CHECKING:
    from pelagos.tables.workers import Thinker

Compiled = Callable[[str, str], Awaitable[None]]

STEPS = (ADVISER.budget, Budget(milliseconds=3000))
"""What a first answer may cost, and a longer thought about the same decision."""
ENOUGH = 100
"""So many games in the head make an answer, if a bot has cut the thought short."""
MOST_TRIES = 5
"""So often a hint is begun anew that was cut short too soon."""
LOOK = 0.05
"""Seconds between looks for a process that no bot needs."""
POINTS_SPREAD = 100
"""An evaluation's spread is told in hundredths of a point."""
MOST_VISITS, MOST_POINTS = 10**9, 10**6
"""More than a browser can have thought."""
USUAL_SPREAD = 10.0
"""Points, for a game that tells none."""


@dataclass(frozen=True)
class Hint:
    """What is told of one decision."""

    decision: int
    step: int
    """Which of the steps has been thought."""
    thoughts: tuple[Thought, ...]
    """On every choice, the best first."""
    sure: float
    """How likely the first choice is better than every other, from 0.5 to 1."""

    @property
    def games(self) -> int:
        """How many games in the head it comes from."""
        return sum(thought.visits for thought in self.thoughts)

    @property
    def final(self) -> bool:
        """Is there nothing more to think?"""
        return self.step == len(STEPS) - 1 or len(self.thoughts) == 1

    def as_json(self, choices: Sequence[Choice]) -> dict[str, Any]:
        """The first and the second choice, with what is expected of each."""
        by_action = {choice["action"]: choice for choice in choices}
        advised = [
            {
                "action": thought.action,
                "notation": by_action[thought.action]["notation"],
                "label": by_action[thought.action]["label"],
                "win": round(thought.value, 4),
                "points": round(thought.points, 2),
                "games": thought.visits,
            }
            for thought in self.thoughts[:2]
            if thought.action in by_action
        ]
        return {
            "decision": self.decision,
            "by": ADVISER.id,
            "choices": advised,
            "sure": round(self.sure, 3),
            "games": self.games,
            "final": self.final,
        }


class Hinting:
    """Gives hints, one at a time a table, while no bot needs the room."""

    def __init__(self, thinkers: list[Thinker], compiled: Compiled) -> None:
        """`compiled(game, bot)` waits until a bot is compiled."""
        self._thinkers = thinkers
        self._compiled = compiled

    async def hint(self, live: OpenTable, seat: int, decision: int, step: int) -> Hint:
        """A hint for a decision that is owed; Stale as soon as it isn't any more."""
        async with live.hinting:
            newest = live.hints.get(seat)
            if newest is not None and newest.decision == decision and newest.step >= step:
                return newest
            match = live.table.match
            assert match is not None
            hint = await self._think(live, match, seat, decision, step)
            live.hints[seat] = hint
            return hint

    async def _think(
        self, live: OpenTable, match: Match, seat: int, decision: int, step: int
    ) -> Hint:
        legal = match.legal(seat)
        if len(legal) == 1:
            return Hint(decision, step, (Thought(legal[0], 0.0, 0, 0.0),), 1.0)
        thoughts: list[Thought] = []
        for _ in range(MOST_TRIES):
            thoughts = await self._explain(live, match, seat, decision, STEPS[step])
            if sum(thought.visits for thought in thoughts) >= ENOUGH:
                break
        return Hint(decision, step, tuple(thoughts), how_sure(match, thoughts))

    async def _explain(
        self, live: OpenTable, match: Match, seat: int, decision: int, budget: Budget
    ) -> list[Thought]:
        await self._compiled(match.game.id, ADVISER.bot)
        thinker = await self._free_thinker(live, seat, decision)
        async with thinker.for_hint():
            thinking = asyncio.ensure_future(
                advise_soon(match, seat, ADVISER.bot, budget, thinker.worker)
            )
            while not thinking.done():
                change = live.change()
                both: set[asyncio.Future[Any]] = {thinking, change}
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                change.cancel()
                if not is_owed(live, seat, decision):
                    thinker.worker.hurry()
                    await asyncio.wait({thinking})
            check_owed(live, seat, decision)
            try:
                return thinking.result()
            except Exception as error:  # whatever goes wrong there, the game goes on
                logs.tell("hint_failed", game=match.game.id, error=type(error).__name__)
                raise Unavailable(text("tables/refuse.hint_failed")) from error

    async def _free_thinker(self, live: OpenTable, seat: int, decision: int) -> Thinker:
        """A process that no bot needs, as soon as there is one."""
        while True:
            check_owed(live, seat, decision)
            for thinker in self._thinkers:
                if thinker.is_free:
                    return thinker
            await asyncio.sleep(LOOK)


# --- in the player's own browser ------------------------------------------------------------------


def question_for(match: Match, seat: int) -> dict[str, Any]:
    """What the seat's browser needs to think: its own redealt position, which holds nothing that
    the seat doesn't know, and a stream that follows from it.
    """
    asked = ask_advice(match, seat, ADVISER.budget)
    return {
        "bot": ADVISER.bot,
        "seat": seat,
        "state": as_text(asked.position.states),
        "pack": as_text(asked.position.pack.data),
        "stream": as_text(asked.stream),
        "steps": [
            {"milliseconds": step.milliseconds or 0, "simulations": step.simulations or 0}
            for step in STEPS
        ],
    }


def as_text(data: Any) -> str:
    """Bytes, as JSON can carry them."""
    return b64encode(data.tobytes()).decode()


def check_hint(live: OpenTable, seat: int, decision: int, step: int, thoughts: Any) -> Hint:
    """The hint that a browser thought out: it must speak of every choice once, in numbers that a
    thought can have. It was asked for, and what it is about is still to be decided.
    """
    check_owed(live, seat, decision)
    match = live.table.match
    if match is None or live.table.hinted[seat][1] != decision or step not in range(len(STEPS)):
        raise Stale(text("tables/refuse.stale"))
    try:
        checked = [_thought(*row) for row in thoughts]
    except (TypeError, ValueError):
        raise Malformed(text("tables/refuse.hint_numbers")) from None
    if sorted(thought.action for thought in checked) != sorted(match.legal(seat)):
        raise Malformed(text("tables/refuse.hint_numbers"))
    return Hint(decision, step, tuple(checked), how_sure(match, checked))


def _thought(action: Any, value: Any, visits: Any, points: Any) -> Thought:
    """A thought from numbers that somebody sent."""
    is_whole = all(type(number) is int for number in (action, visits))
    is_real = all(type(number) in (int, float) for number in (value, points))
    if not (is_whole and is_real and 0 <= visits <= MOST_VISITS):
        raise ValueError
    if not (0 <= value <= 1 and abs(points) <= MOST_POINTS):
        raise ValueError
    return Thought(action, float(value), visits, float(points))


def is_owed(live: OpenTable, seat: int, decision: int) -> bool:
    """Is this still what the seat has to decide?"""
    return seat in live.table.waiting and live.table.decisions[seat] == decision


def check_owed(live: OpenTable, seat: int, decision: int) -> None:
    """Stale, if this isn't what the seat has to decide any more."""
    if not is_owed(live, seat, decision):
        raise Stale(text("tables/refuse.stale"))


def usual_spread(game: Game) -> float:
    """How far apart final points usually are, as the game's evaluation has it."""
    try:
        return float(game.part("evaluation").SPREAD) / POINTS_SPREAD
    except ModuleNotFoundError:
        return USUAL_SPREAD


def how_sure(match: Match, thoughts: list[Thought]) -> float:
    """How likely the first choice is better than every other, at the least, by how many games say
    so: of their wins, or alone of their points. Who wasn't tried is known of nothing: a half.

    All choices are tried in the same worlds, so that it is rather more likely than told here.
    """
    if len(thoughts) == 1:
        return 1.0
    best, *others = thoughts
    if not best.visits or not others[0].visits:
        return 0.5
    doubts = sum(1 - _is_better(match, best, other) for other in others if other.visits)
    return max(0.5, 1 - doubts)


def _is_better(match: Match, best: Thought, other: Thought) -> float:
    """How likely one choice is better than another."""
    if match.players > 1:
        better = best.value - other.value
        spreads = [max(0.01, thought.value * (1 - thought.value)) for thought in (best, other)]
    else:
        better = best.points - other.points
        spreads = [usual_spread(match.game) ** 2] * 2
    error = math.sqrt(spreads[0] / best.visits + spreads[1] / other.visits)
    return 0.5 * (1 + math.erf(better / error / math.sqrt(2)))
