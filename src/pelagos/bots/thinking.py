"""Where bots think: in this process, or in one of their own (`worker`)."""

from __future__ import annotations

from collections import OrderedDict
from typing import Protocol, runtime_checkable

from pelagos.bots.bot import Bot, Thinker, Thought
from pelagos.bots.question import Question
from pelagos.bots.registry import find_bot

MOST_BOTS = 64
"""So many bots are remembered in one place."""


class TooLateError(Exception):
    """The bot didn't answer in time, or its process is gone."""


class BotError(Exception):
    """What a bot in another process raised, in words."""


def explain(bot: str, question: Question) -> list[Thought]:
    """What a bot thinks of the choices, the best first; without reasons, just its choice."""
    position, stream = question.position.copy(), question.stream.copy()
    adviser = find_bot(bot)
    if isinstance(adviser, Thinker):
        return adviser.explain(position, question.seat, stream, question.budget)
    action = adviser.choose(position, question.seat, stream, question.budget)
    return [Thought(int(action), 0.0, 0, 0.0)]


class Thinking(Protocol):
    """A place where bots think."""

    def think(self, bot: str, player: str, question: Question) -> int:
        """The action that the bot of this name chooses. The same player's bot remembers."""
        ...

    def close(self) -> None:
        """Forget all bots; end their process, if they have one."""
        ...


@runtime_checkable
class ThinkingBeside(Thinking, Protocol):
    """A place that nobody waits for: whoever asks goes on meanwhile."""

    async def think_soon(self, bot: str, player: str, question: Question) -> int:
        """Like `think`."""
        ...

    async def explain_soon(self, bot: str, question: Question) -> list[Thought]:
        """What a bot thinks of the choices, the best first."""
        ...


class ThinkingHere:
    """Bots that think in this process; whoever asks waits for them, however long they take."""

    def __init__(self) -> None:
        self._bots: OrderedDict[tuple[str, str], Bot] = OrderedDict()

    def think(self, bot: str, player: str, question: Question) -> int:
        """What the bot chooses, having thought about a copy of the question."""
        position, stream = question.position.copy(), question.stream.copy()
        return int(
            self._remembered(bot, player).choose(position, question.seat, stream, question.budget)
        )

    def close(self) -> None:
        """Forget all bots."""
        self._bots.clear()

    def _remembered(self, bot: str, player: str) -> Bot:
        key = (bot, player)
        if key not in self._bots:
            self._bots[key] = find_bot(bot)
        self._bots.move_to_end(key)
        while len(self._bots) > MOST_BOTS:
            self._bots.popitem(last=False)
        return self._bots[key]
