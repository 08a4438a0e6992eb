"""The one way for a bot to decide, in the arena, in the terminal, at live tables and in hints.

The match itself numbers a seat's decisions, and the bot's stream and the redealt position follow
from the match's seed and that number: so one seed gives the same moves wherever it is played.
"""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import AbstractAsyncContextManager
from typing import Any

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.bots.player import Decision, Player
from pelagos.bots.question import Question
from pelagos.bots.thinking import ThinkingBeside, explain
from pelagos.bots.worker import Worker
from pelagos.engine.match import Match
from pelagos.engine.stream import words_of


def decide(match: Match, seat: int, player: Player, budget: Budget) -> Decision:
    """What the seat's bot does now. Where there is no choice, it isn't asked."""
    posed = _pose(match, seat, budget)
    return posed if isinstance(posed, Decision) else player.answer(posed)


async def decide_soon(
    match: Match,
    seat: int,
    player: Player,
    budget: Budget,
    turn: AbstractAsyncContextManager[Any],
) -> Decision:
    """Like `decide`, while others go on: when it is the player's turn to think."""
    posed = _pose(match, seat, budget)
    if isinstance(posed, Decision):
        return posed
    async with turn:
        return await player.answer_soon(posed)


def _pose(match: Match, seat: int, budget: Budget) -> Question | Decision:
    legal = match.legal(seat)
    return Decision(legal[0]) if len(legal) == 1 else Question.ask(match, seat, budget)


def advise(match: Match, seat: int, bot: str, budget: Budget) -> list[Thought]:
    """What a bot thinks of the seat's choices, the best first; without reasons, just its choice."""
    return explain(bot, ask_advice(match, seat, budget))


async def advise_soon(
    match: Match, seat: int, bot: str, budget: Budget, worker: Worker | ThinkingBeside
) -> list[Thought]:
    """Like `advise`, where bots think, while others go on."""
    question = ask_advice(match, seat, budget)
    if isinstance(worker, ThinkingBeside):
        return await worker.explain_soon(bot, question)
    return await asyncio.to_thread(worker.explain, bot, question)


def ask_advice(match: Match, seat: int, budget: Budget) -> Question:
    """The seat's decision as whoever gives hints is asked it.

    Everything follows from what the seat knows, so that a hint tells nothing more.
    """
    known = match.position.redeal(seat, words_of(b"hint")).states.tobytes()
    stream = words_of(b"hint" + hashlib.sha256(known).digest())
    position = match.position.redeal(seat, stream)
    return Question(position, seat, stream, budget, match.decisions(seat))
