"""The guard: a bot that fails or takes far too long can't hold up a game.

A bot from another package thinks in a process of its own. If it raises, or names an action that
isn't legal, `greedy` makes this move; if it runs past twice its budget it is ended, and `greedy`
plays on in its place. Either way the failure is noted. The house's own bots look at the clock
themselves at least every millisecond; they think where they are, and are guarded against failing.
"""

from __future__ import annotations

import multiprocessing
import pickle
import sys
import weakref
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from pelagos.bots import Bot, Budget, find_bot
from pelagos.engine.arrays import readable
from pelagos.engine.game import find_game
from pelagos.engine.pack import default_pack, make_pack
from pelagos.engine.position import Position
from pelagos.engine.types import Array

STAND_IN = "greedy"
TIMES = 2
"""So many times its budget a bot may take."""
SLACK = 0.05
"""Seconds for what the bot can't help: messages, and a machine that is busy."""
WITHOUT_CLOCK = 60.0
"""Seconds for a decision whose budget is in simulations."""
START = 120.0
"""Seconds for a worker to start and load a game's rules."""
PATIENCE = 30.0
"""Seconds for a bot's first decision, in which it may load and compile what it needs."""


@dataclass(frozen=True)
class Failure:
    """A decision that `greedy` had to make."""

    bot: str
    decision: int
    """Of this bot's decisions, from 0."""
    reason: str
    ended: bool
    """Has the bot been ended, so that it decides nothing more?"""

    def __str__(self) -> str:
        return f"{self.bot}, decision {self.decision}: {self.reason}"


class Guarded:
    """A bot that always returns a legal action, in time; `failures` tells what went wrong."""

    def __init__(self, bot: Bot, patience: float = PATIENCE, apart: bool | None = None) -> None:
        """`apart`: in a process of its own; if not said, whatever doesn't belong to the house."""
        self.bot = bot
        self.name = bot.name
        self.failures: list[Failure] = []
        self.decisions = 0
        self._patience = patience
        self._apart = not _is_of_the_house(bot) if apart is None else apart
        self._worker: _Worker | None = None
        self._ended = False

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """The bot's action, or `greedy`'s."""
        spare, own = position.copy(), stream.copy()
        action = -1
        if not self._ended:
            try:
                action = self._ask(position, seat, stream, budget)
                if action not in spare.legal(seat):
                    self._note(f"action {action} isn't legal")
                    action = -1
            except _TooLateError as error:
                self._ended = True
                self._note(str(error))
            except _BotError as error:
                self._note(str(error))
            except Exception as error:  # whatever a bot raises, the game goes on
                self._note(f"{type(error).__name__}: {error}")
        self.decisions += 1
        return action if action >= 0 else _stand_in(spare, seat, own, budget)

    def close(self) -> None:
        """End the bot's process, if it has one."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _note(self, reason: str) -> None:
        self.failures.append(Failure(self.name, self.decisions, reason[:200], self._ended))

    def _ask(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        if not self._apart:
            return int(self.bot.choose(position, seat, stream, budget))
        if self._worker is None:
            self._worker = _Worker(pickle.dumps(self.bot))
            weakref.finalize(self, self._worker.end)
        seconds = WITHOUT_CLOCK
        if budget.milliseconds is not None:
            seconds = TIMES * budget.milliseconds / 1000 + SLACK
        if self.decisions == 0:
            seconds = max(seconds, self._patience)
        try:
            return self._worker.ask(_Question.make(position, seat, stream, budget), seconds)
        except _TooLateError:
            self.close()
            raise


def _is_of_the_house(bot: Bot) -> bool:
    return type(bot).__module__.startswith("pelagos.bots.")


def _stand_in(position: Position, seat: int, stream: Array, budget: Budget) -> int:
    """What `greedy` does; at random, in a game that brings no evaluation."""
    try:
        return find_bot(STAND_IN).choose(position, seat, stream, budget)
    except ModuleNotFoundError:
        return find_bot("random").choose(position, seat, stream, budget)


# --- a process of its own -----------------------------------------------------------------------


class _TooLateError(Exception):
    """The bot didn't answer in time, or its process is gone."""


class _BotError(Exception):
    """What the bot raised, in words."""


@dataclass(frozen=True)
class _Question:
    """A decision, as it is sent to the bot's process."""

    game: str
    files: tuple[tuple[str, str], ...] | None
    options: dict[str, Any]
    states: Array
    seat: int
    stream: Array
    budget: Budget

    @classmethod
    def make(cls, position: Position, seat: int, stream: Array, budget: Budget) -> _Question:
        files = None if position.pack.is_default else tuple(sorted(position.pack.files.items()))
        states = np.asarray(position.states).view(np.ndarray)
        return cls(position.game.id, files, position.options, states, seat, stream, budget)

    def position(self) -> Position:
        return Position(*_material(self.game, self.files), self.options, readable(self.states))


@cache
def _material(name: str, files: tuple[tuple[str, str], ...] | None) -> tuple[Any, Any]:
    game = find_game(name)
    return game, default_pack(game) if files is None else make_pack(game, dict(files))


class _Worker:
    """The process in which a bot thinks."""

    def __init__(self, bot: bytes) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, bot, sys.path), daemon=True)
        self._process.start()
        other.close()

    def ask(self, question: _Question, seconds: float) -> int:
        """The bot's action. The time counts from when the rules are loaded and the bot is asked."""
        try:
            self._pipe.send(question)
            self._answer(START, "didn't start")
            return int(self._answer(seconds, f"ran past {seconds:.3g} s"))
        except (EOFError, OSError) as error:
            raise _TooLateError("its process ended") from error

    def _answer(self, seconds: float, late: str) -> Any:
        if not self._pipe.poll(seconds):
            raise _TooLateError(f"{late}, and was ended")
        kind, value = self._pipe.recv()
        if kind == "raised":
            raise _BotError(value)
        return value

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _serve(pipe: Connection, pickled: bytes, path: list[str]) -> None:
    """Answer questions until the other side is gone."""
    sys.path[:] = path
    try:
        bot: Bot = pickle.loads(pickled)
        while True:
            question = pipe.recv()
            position = question.position()
            position.copy().legal(question.seat)
            pipe.send(("asked", 0))
            try:
                action = bot.choose(position, question.seat, question.stream, question.budget)
                pipe.send(("chose", int(action)))
            except Exception as error:  # whatever a bot raises is told
                pipe.send(("raised", f"{type(error).__name__}: {error}"))
    except (EOFError, OSError, KeyboardInterrupt):
        pass
