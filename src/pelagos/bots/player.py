"""A bot in a seat: one that fails, cheats or takes far too long can't hold up a game.

When a bot raises, or names an action that isn't legal, `greedy` makes this move. When it runs far
past its budget it is ended, and `greedy` plays on in its place; if even that fails, chance does.
What went wrong is told with the decision. A bot of another package thinks in a process of its own;
the house's own look at the clock themselves at least every millisecond, and think where they are.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from pelagos.bots.question import Question
from pelagos.bots.registry import is_trusted
from pelagos.bots.thinking import BotError, Thinking, ThinkingBeside, ThinkingHere, TooLateError
from pelagos.bots.worker import Worker
from pelagos.engine.stream import below

STAND_IN = "greedy"
LONGEST_REASON = 200


class Decision(NamedTuple):
    """What was decided for a seat."""

    action: int
    seconds: float | None = None
    """How long it was thought about; None: there was no choice."""
    failure: str = ""
    """What went wrong with the bot, so that another moved in its place."""


class Player:
    """A bot in one seat of one match; its answer is always legal."""

    def __init__(self, bot: str, thinking: Thinking | None = None, key: str = "") -> None:
        """`thinking` says where it thinks, if not where bots of its origin do; `key` tells it from
        other players there.
        """
        self.bot = bot
        self._key = key
        self._thinking = thinking or (ThinkingHere() if is_trusted(bot) else Worker())
        self._stand_in = thinking or ThinkingHere()
        self._ended = False

    def answer(self, question: Question) -> Decision:
        """The bot's action, or who stands in for it."""
        think = partial(self._thinking.think, self.bot, self._key, question)
        return self._decide(question, think, time.perf_counter())

    async def answer_soon(self, question: Question) -> Decision:
        """Like `answer`, while others go on."""
        if not isinstance(self._thinking, ThinkingBeside):
            return await asyncio.to_thread(self.answer, question)
        start = time.perf_counter()
        thinking = asyncio.ensure_future(self._thinking.think_soon(self.bot, self._key, question))
        await asyncio.wait([thinking])
        return self._decide(question, thinking.result, start)

    def _decide(self, question: Question, think: Callable[[], int], start: float) -> Decision:
        legal = question.position.legal(question.seat)
        action, reason = self._ask(think, legal)
        if action is None:
            action = self._replace(question, legal)
        spent = time.perf_counter() - start
        where = f"{self.bot}, decision {question.decision}: "
        return Decision(action, spent, where + reason[:LONGEST_REASON] if reason else "")

    def close(self) -> None:
        """Forget all that was thought; end the bot's process, if it has one of its own."""
        self._thinking.close()

    def _ask(self, think: Callable[[], int], legal: list[int]) -> tuple[int | None, str]:
        """The bot's legal action, or none and what went wrong."""
        if self._ended:
            return None, ""
        try:
            action = think()
        except TooLateError as error:
            self._ended = True
            return None, str(error)
        except BotError as error:
            return None, str(error)
        except Exception as error:  # whatever a bot raises, the game goes on
            return None, f"{type(error).__name__}: {error}"
        return (action, "") if action in legal else (None, f"action {action} isn't legal")

    def _replace(self, question: Question, legal: list[int]) -> int:
        with suppress(Exception):
            action = self._stand_in.think(STAND_IN, "", question)
            if action in legal:
                return action
        return legal[below(question.stream.copy(), len(legal))]
