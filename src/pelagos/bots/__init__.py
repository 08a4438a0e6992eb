"""Players: one file each, from random to the strongest, found by name.

A bot is given one redealt position, its seat, a stream of its own and a budget, and returns an
action. What the seat can't know isn't in the position, so a bot can't cheat, not even by mistake.
`docs/bots.md` shows how to write one in ten lines.
"""

from pelagos.bots.bot import Bot, Thinker, Thought
from pelagos.bots.budget import BadBudget, Budget
from pelagos.bots.deciding import advise, advise_soon, ask_advice, decide, decide_soon
from pelagos.bots.ladder import (
    ADVISER,
    FIRST,
    LADDER,
    USUAL,
    Creature,
    find_creature,
    told_against,
)
from pelagos.bots.player import STAND_IN, Decision, Player
from pelagos.bots.question import Question, bot_stream
from pelagos.bots.registry import UnknownBot, bots, find_bot, is_trusted
from pelagos.bots.warmup import warm_up
from pelagos.bots.worker import Limits, Worker

__all__ = [
    "ADVISER",
    "FIRST",
    "LADDER",
    "STAND_IN",
    "USUAL",
    "BadBudget",
    "Bot",
    "Budget",
    "Creature",
    "Decision",
    "Limits",
    "Player",
    "Question",
    "Thinker",
    "Thought",
    "UnknownBot",
    "Worker",
    "advise",
    "advise_soon",
    "ask_advice",
    "bot_stream",
    "bots",
    "decide",
    "decide_soon",
    "find_bot",
    "find_creature",
    "is_trusted",
    "told_against",
    "warm_up",
]
