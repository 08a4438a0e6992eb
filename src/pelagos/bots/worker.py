"""A process in which bots think, with a deadline: if it passes, the process is ended.

Loading rules and compiling a bot aren't thinking: a bot that is new to the process thinks about its
first question in a hurry before the deadline starts. Asking waits for the answer; from asyncio, ask
in a thread (`decide_soon`).
"""

from __future__ import annotations

import contextlib
import pickle
import signal
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pelagos.bots.bot import Thought
from pelagos.bots.budget import ONE_SIMULATION, Budget
from pelagos.bots.question import Question
from pelagos.bots.thinking import BotError, ThinkingHere, TooLateError, explain

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

LOADED, READY, CHOSEN, RAISED = "loaded", "ready", "chosen", "raised"
"""What a worker tells: the rules are loaded; the bot is compiled; its answer; what it raised."""
HURRY = b"hurry"
"""What a worker is told whose answer is wanted at once."""


@dataclass(frozen=True)
class Limits:
    """How long a bot is waited for, in seconds."""

    start: float = 120.0
    """For the process to start and load a game's rules."""
    rehearsal: float = 120.0
    """For a bot's first short thought, in which it may load and compile what it needs."""
    times: float = 2.0
    """So many times its budget a bot may take."""
    slack: float = 0.05
    """For what the bot can't help: messages, and a machine that is busy."""
    without_clock: float = 60.0
    """For a decision whose budget is in simulations."""

    def for_thinking(self, budget: Budget) -> float:
        """For one decision with this budget."""
        if budget.milliseconds is None:
            return self.without_clock
        return self.times * budget.milliseconds / 1000 + self.slack


class Worker:
    """A process in which bots think, started when it is first asked, and again after it ended."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._asking = threading.Lock()
        self._telling = threading.Lock()
        self._hurried = False
        """Is the answer of who explains wanted at once?"""
        self._closed = False

    def think(self, bot: str, player: str, question: Question) -> int:
        """What the bot chooses; TooLateError if it takes too long, BotError if it fails."""
        return int(self._answer((bot, player, question), question.budget))

    def explain(self, bot: str, question: Question) -> list[Thought]:
        """What the bot thinks of all choices, the best first; refused as in `think`."""
        try:
            thoughts: list[Thought] = self._answer((bot, None, question), question.budget)
            return thoughts
        finally:
            self._hurried = False

    def hurry(self) -> None:
        """Let the process explain what it thinks so far, if it is explaining or about to."""
        self._hurried = True
        with self._telling, contextlib.suppress(OSError):
            if self._pipe is not None:
                self._pipe.send_bytes(HURRY)

    def _answer(self, asked: tuple[str, str | None, Question], budget: Budget) -> Any:
        with self._asking:
            try:
                return self._ask(pickle.dumps(asked), budget)
            except (EOFError, OSError) as error:
                self._end()
                raise TooLateError("its process ended") from error
            except TooLateError:
                self._end()
                raise

    def close(self) -> None:
        """End the process for good, whatever it is doing and whoever waits for it."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()
        with self._asking:
            self._end()

    def _ask(self, message: bytes, budget: Budget) -> Any:
        limits, seconds = self._limits, self._limits.for_thinking(budget)
        pipe = self._start()
        with self._telling:
            pipe.send_bytes(message)
            if self._hurried:
                pipe.send_bytes(HURRY)
        self._hear(pipe, LOADED, limits.start, "didn't start")
        self._hear(pipe, READY, limits.rehearsal, f"ran past {limits.rehearsal:.3g} s")
        return self._hear(pipe, CHOSEN, seconds, f"ran past {seconds:.3g} s")

    def _start(self) -> Connection:
        if self._process is not None and not self._process.is_alive():
            self._end()
        if self._pipe is None:
            import multiprocessing  # browsers have none

            context = multiprocessing.get_context("spawn")
            self._pipe, other = context.Pipe()
            self._process = context.Process(target=_serve, args=(other,), daemon=True)
            self._process.start()
            other.close()
        if self._closed:
            raise TooLateError("its process was ended")
        return self._pipe

    def _hear(self, pipe: Connection, expected: str, seconds: float, late: str) -> Any:
        if not pipe.poll(seconds):
            raise TooLateError(f"{late}, and was ended")
        kind, value = pipe.recv()
        if kind == RAISED:
            raise BotError(value)
        assert kind == expected
        return value

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        with self._telling:
            if self._pipe is not None:
                self._pipe.close()
                self._pipe = None


# --- in the process -------------------------------------------------------------------------------


def _serve(pipe: Connection) -> None:
    """Answer questions until the other side is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the keyboard's interrupt is for the parent
    here = ThinkingHere()
    rehearsed: set[tuple[str, str]] = set()
    while True:
        try:
            message = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        if message == HURRY:
            continue  # it came too late
        try:
            _answer(pipe, message, here, rehearsed)
        except (BrokenPipeError, ConnectionResetError):
            return
        except Exception as error:  # whatever anybody's bot raises is told
            with contextlib.suppress(OSError):
                pipe.send((RAISED, f"{type(error).__name__}: {error}"))


def _answer(
    pipe: Connection, message: bytes, here: ThinkingHere, rehearsed: set[tuple[str, str]]
) -> None:
    bot, player, question = pickle.loads(message)
    question.position.legal(question.seat)
    pipe.send((LOADED, None))
    kind = (bot, question.position.game.id)
    if kind not in rehearsed:
        rehearsed.add(kind)
        with contextlib.suppress(Exception):  # if it fails, it will fail again
            ThinkingHere().think(bot, "", replace(question, budget=ONE_SIMULATION))
    pipe.send((READY, None))
    if player is None:
        until_hurried = replace(question.budget, stop=pipe.poll)
        pipe.send((CHOSEN, explain(bot, replace(question, budget=until_hurried))))
    else:
        pipe.send((CHOSEN, here.think(bot, player, question)))
